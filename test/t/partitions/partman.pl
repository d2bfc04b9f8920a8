# pg_partman partitions by the ids' time: the SQL blocks of
# doc/partitioning-tools.md, and what follows from them.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($libfaketime) = grep { -e } glob('/usr{,/local}/lib{,64}{,/*}/faketime/libfaketime.so.1');
plan skip_all => 'libfaketime is not installed' unless $libfaketime;

my $node = PostgreSQL::Test::Cluster->new('partman');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\ntimezone = 'UTC'\n");

# What pg_partman does depends on the day.
sub start_on
{
	my ($day) = @_;
	local %ENV = (%ENV, LD_PRELOAD => $libfaketime, TZ => 'UTC', FAKETIME => "\@$day 12:00:00", DONT_FAKE_MONOTONIC => 1);
	$node->start;
	return;
}

start_on('2026-05-15');
my $version = $node->safe_psql('postgres', "SELECT default_version FROM pg_available_extensions WHERE name = 'pg_partman'");
my ($major, $minor) = $version =~ /^(\d+)\.(\d+)/ ? ($1, $2) : (0, 0);
unless ($major > 5 || $major == 5 && $minor >= 2)
{
	$node->stop;
	plan skip_all => 'pg_partman 5.2 or later is needed, and ' . ($version ? "this is $version" : 'none is installed');
}
note("pg_partman $version");

# The first versions did not know uuids everywhere.
my $early = $major == 5 && $minor == 2;

# The blocks under a heading of the document.
my $document = slurp_file(dirname(__FILE__) . '/../../../doc/partitioning-tools.md');

sub blocks
{
	my ($heading) = @_;
	my ($section) = $document =~ /^##+ \Q$heading\E\n(.*?)(?=^##|\z)/ms or die "no heading \"$heading\"";
	return $section =~ /^```sql\n(.*?)^```$/gms;
}

my ($create) = blocks('pg_partman');
my ($maintain, $retain) = blocks('Maintenance');
my ($check_default, $empty_default, $empty_default_by_hand) = blocks('The default partition');
my ($undo) = blocks('Undo');

# A v7 key with uidext where the document has it, and a COMB and an iUID key
# with uidext in a schema of its own, which no search_path names.
my %key = (
	v7 => { schema => 'public', now => 'gen_uuidv7()', at => 'gen_uuidv7_at(at)' },
	comb => { schema => 'ids', now => 'gen_comb()', at => 'gen_comb_at(at)' },
	iuid => { schema => 'ids', now => 'gen_iuid(76, 1)', at => 'gen_iuid_at(at, 76, 1)' });

sub adapted
{
	my ($key, $sql) = @_;
	my ($schema, $now) = @{ $key{$key} }{qw(schema now)};

	$sql =~ s/gen_uuidv7\(\)/$now/g;
	$sql =~ s{'public\.(uuid_(?:boundary|time_decoder))'}{'$schema.$1'}g;
	$sql =~ s/(?<![\w.'])((?:gen|uuid_boundary)_\w+\()/$schema.$1/g;
	return $sql;
}

sub run
{
	my ($key, $sql) = @_;
	return $node->safe_psql($key, adapted($key, $sql));
}

sub failure
{
	my ($key, $sql) = @_;
	my $stderr;

	$node->psql($key, adapted($key, $sql), stderr => \$stderr, on_error_stop => 1);
	return $stderr;
}

sub fill
{
	my ($key, @times) = @_;
	my $times = join ',', map { qq("$_+00") } @times;
	return run($key, "INSERT INTO orders SELECT $key{$key}{at}, 1 FROM unnest('{$times}'::timestamptz[]) AS at");
}

sub partitions
{
	my ($key) = @_;
	my $names = run($key, "SELECT string_agg(right(partition_tablename, 8), ' ') FROM partman.show_partitions('public.orders')");
	return $names =~ s/01\b//gr;
}

# Each row's partition and time, that is month.
my $rows = qq(
	SELECT string_agg(
		concat(ltrim(tableoid::regclass::text, 'orders_p'), '=', to_char(uuid_boundary_time(id), 'YYYYMM')), ' '
		ORDER BY id)
	FROM orders);

foreach my $key (sort keys %key)
{
	$node->safe_psql('postgres', "CREATE DATABASE $key");
	$node->safe_psql($key, "CREATE SCHEMA $key{$key}{schema}") unless $key{$key}{schema} eq 'public';
	$node->safe_psql($key, "CREATE EXTENSION uidext SCHEMA $key{$key}{schema}");

	run($key, $create);
	is(partitions($key), '202603 202604 202605 202606 202607 202608', "$key: partitions from March to three months ahead");
	is( run($key,
		qq(
			SELECT child_start_time, child_end_time, suffix
			FROM partman.show_partition_info('public.orders_p20260501', p_parent_table := 'public.orders'))),
		'2026-05-01 00:00:00+00|2026-06-01 00:00:00+00|20260501', "$key: their bounds are read back");
	is( run($key, "SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE relname = 'orders_p20260501'"),
		"FOR VALUES FROM ('019de0d5-c800-0000-0000-000000000000') TO ('019e807a-ec00-0000-0000-000000000000')",
		"$key: and are boundary values");

	# Past, present, future; the edges of months; what has no partition.
	run($key, 'INSERT INTO orders (total) VALUES (1)');
	fill($key, '2026-03-01', '2026-03-31 23:59:59.999999', '2026-04-01', '2026-08-31 23:59:59.999');
	is(run($key, $rows), '20260301=202603 20260301=202603 20260401=202604 20260501=202605 20260801=202608',
		"$key: rows go to their months");
	is(run($key, $check_default), '', "$key: none to the default partition");
	like(
		run($key, "EXPLAIN SELECT * FROM orders WHERE id OPERATOR($key{$key}{schema}.<@) tstzrange '[2026-04-01,2026-05-01)'"),
		qr/^[^\n]* on orders_p20260401 orders /, "$key: a time predicate reads one");

	# Out of the default partition into months of their own.
	fill($key, '2025-12-24', '2025-12-25', '2026-02-28 23:59:59.999', '2026-11-01');
	is(run($key, $check_default), 'public.orders_default|4', "$key: rows of other months do");
	like(failure($key, "CALL partman.partition_data_proc('public.orders')"), qr/partition_data_uuid/,
		"$key: partition_data_proc() cannot");
	my $months = '202512 202602 202603 202604 202605 202606 202607 202608 202611';
	if (!$early)
	{
		is(run($key, $empty_default), '4', "$key: partition_data_time() moves them");
		is(partitions($key), $months, "$key: into new partitions");
		fill($key, '2025-10-10');
		run($key, $empty_default_by_hand);
		is(partitions($key), "202510 $months", "$key: as one can by hand");
		run($key, 'DROP TABLE orders_p20251001');
	}
	else
	{
		like(failure($key, $empty_default), qr/Cannot run on partition set/, "$key: nor can partition_data_time()");
		run($key, $empty_default_by_hand);
		is(partitions($key), $months, "$key: by hand they get new partitions");
	}
	is(run($key, $check_default), '', "$key: the default partition is empty");
	is(run($key, $rows), '20251201=202512 20251201=202512 20260201=202602 20260301=202603 20260301=202603 20260401=202604'
		  . ' 20260501=202605 20260801=202608 20261101=202611', "$key: every row is in its month");

	# Retention by the bounds: kept tables are detached, others dropped.
	run($key, "UPDATE partman.part_config SET retention = '4 months', retention_keep_table = true; $maintain");
	is(partitions($key), '202602 202603 202604 202605 202606 202607 202608 202611 202612 202701 202702',
		"$key: maintenance makes partitions ahead of the newest row, and detaches old ones");
	is(run($key, "SELECT relispartition, (SELECT count(*) FROM orders_p20251201) FROM pg_class WHERE relname = 'orders_p20251201'"),
		'f|2', "$key: whose table and rows are kept");
	run($key, "DROP TABLE orders_p20261101, orders_p20261201, orders_p20270101, orders_p20270201; $retain $maintain");
	is(partitions($key), '202603 202604 202605 202606 202607 202608 202609 202610 202611', "$key: two months are kept");
	is(run($key, "SELECT to_regclass('orders_p20260201') IS NULL"), 't', "$key: the others are gone");
}

# The type's name means nothing to pg_partman.
run('v7', 'CREATE TABLE trips (id iuid PRIMARY KEY) PARTITION BY RANGE (id)');
like(failure('v7', "SELECT partman.create_parent('public.trips', 'id', '1 month',
		p_time_encoder := 'public.uuid_boundary', p_time_decoder := 'public.uuid_time_decoder')"),
	qr/Supplied column is of type iuid|Only date\/time, text\/uuid or integer types are allowed/, 'a column of iuid is refused');

# Three months on, without a new row.
$node->stop;
start_on('2026-08-15');
foreach my $key (sort keys %key)
{
	run($key, $maintain);
	is(partitions($key), '202606 202607 202608 202609 202610 202611', "$key: maintenance in August");
	run($key, 'INSERT INTO orders (total) VALUES (1)');
	is(run($key, $rows), '20260801=202608 20260801=202608', "$key: and its rows");
	is(run($key, $undo), '7|2', "$key: undo takes the six partitions and the default one away");
	is(run($key, "SELECT count(*), min(uuid_boundary_time(id))::date FROM orders_plain"), '2|2026-08-15',
		"$key: and keeps the rows");
}

# NULL, an empty string, and what is no id.
is(run('v7', "SELECT uuid_boundary(NULL) IS NULL, uuid_time_decoder(NULL) IS NULL, uuid_time_decoder('') IS NULL"),
	't|t|t', 'nothing from nothing');
is(run('v7', "SELECT uuid_time_decoder('019de0d5-c800-0000-0000-000000000000')"), '2026-05-01 00:00:00+00', 'a bound as text');
like(failure('v7', "SELECT uuid_time_decoder('MINVALUE')"), qr/invalid input syntax for type uuid/, 'text that is no uuid');
like(failure('v7', "SELECT uuid_boundary('1969-12-31')"), qr/timestamp out of range/, 'a time that no id has');

done_testing();
