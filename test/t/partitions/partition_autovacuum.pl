# Upkeep beside vacuums of the server's own: which it ends, and for which it waits.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('autovacuum');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum_naptime = 1\ndeadlock_timeout = 200\nTimeZone = UTC");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

# A table of some thousand pages, of which a vacuum reads ten a second at most:
# none of those here comes to its end by itself while the test looks on.
my $slow = 'fillfactor = 10, autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1';

# Fills a table with ids of a time, and waits for a vacuum of it.  Returns the worker.
sub vacuumed
{
	my ($table, $time, $options) = @_;
	my $worker = "SELECT pid FROM pg_stat_progress_vacuum WHERE relid = '$table'::regclass";

	$node->safe_psql(
		'postgres', qq(
		ALTER TABLE $table SET ($slow);
		INSERT INTO $table SELECT gen_uuidv7_at('$time') FROM generate_series(1, 60000);
		@{[ $options ? "ALTER TABLE $table SET ($options)" : '' ]};
		DELETE FROM $table WHERE ctid = '(0,1)'));
	$node->poll_query_until('postgres', "SELECT count(*) = 1 FROM ($worker) AS w") or die "nobody vacuums $table";
	return $node->safe_psql('postgres', $worker);
}

sub is_vacuumed_by
{
	my ($table, $worker, $name) = @_;

	is($node->safe_psql('postgres', "SELECT pid FROM pg_stat_progress_vacuum WHERE relid = '$table'::regclass"), $worker, $name);
	return;
}

# What a call returns or raises that does not wait for locks that are held on: on a
# slow machine not for as long, either, as lets the server end a vacuum.
sub at_once
{
	my ($statement) = @_;
	my ($stdout, $stderr);

	$node->psql('postgres', "SET lock_timeout = '50ms'; SET deadlock_timeout = '2s'; $statement", stdout => \$stdout, stderr => \$stderr);
	return $stderr =~ /ERROR:  ([^\n]*)/ ? $1 : $stdout;
}

sub create_table
{
	my ($table) = @_;

	$node->safe_psql(
		'postgres', qq(
		CREATE TABLE $table (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
		SELECT uuid_partition_create('$table', '2020-01-01', '2020-02-01', '1 month')));
	return;
}

my $timeout = 'canceling statement due to lock timeout';

# What is to go.

foreach my $call (
	"uuid_partition_drop('orders', '2020-02-01')",
	"uuid_partition_drop('orders', '2020-02-01', detach_only => true)",
	"uuid_partition_maintain('orders', '1 month', 0, '1 year')")
{
	my $logged = -s $node->logfile;

	create_table('orders');
	vacuumed('orders_2020_01', '2020-01-15');
	unlike($node->safe_psql('postgres', "SELECT * FROM $call"), qr/55P03/, "$call does its work");
	is($node->safe_psql('postgres', "SELECT count(*) FROM uuid_partition_list('orders') WHERE to_time <= '2020-02-01' AND kind = 'partition'"), '0', 'the partition is out');
	like(slurp_file($node->logfile, $logged), qr/canceling autovacuum task/, 'which has ended a vacuum');
	$node->safe_psql('postgres', 'DROP TABLE IF EXISTS orders, orders_2020_01');
}

# The default partition.

create_table('orders');
$node->safe_psql('postgres', 'CREATE TABLE orders_rest PARTITION OF orders DEFAULT');
my $worker = vacuumed('orders_rest', '2019-06-15');
is(at_once("SELECT uuid_partition_create('orders', '2020-02-01', '2020-03-01', '1 month')"), $timeout, 'create waits for a vacuum of the default partition');
is(at_once("SELECT uuid_partition_maintain('orders', '1 month', 0)"), $timeout, 'maintain does, too');
is_vacuumed_by('orders_rest', $worker, 'which goes on');

my $logged = -s $node->logfile;
$node->safe_psql('postgres', "CALL uuid_partition_drain('orders', '1 month')");
is($node->safe_psql('postgres', 'SELECT count(*) FROM orders_2019_06'), '59999', 'a drain does its work');
like(slurp_file($node->logfile, $logged), qr/canceling autovacuum task/, 'and has ended the vacuum');
$node->safe_psql('postgres', 'DROP TABLE orders');

# What is beneath a partition, or must not be ended.

$node->safe_psql(
	'postgres', q(
	CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE visits_2020_01 PARTITION OF visits FOR VALUES FROM (uuid_boundary('2020-01-01')) TO (uuid_boundary('2020-02-01')) PARTITION BY HASH (id);
	CREATE TABLE visits_2020_01_0 PARTITION OF visits_2020_01 FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	SELECT uuid_partition_create('visits', '2020-02-01', '2020-03-01', '1 month')));
create_table('old');

# each subtransaction that writes takes a number of its own
my $age = q(CREATE TABLE numbers (n int);
	DO $$BEGIN FOR n IN 1..100100 LOOP BEGIN INSERT INTO numbers VALUES (n); EXCEPTION WHEN division_by_zero THEN NULL; END; END LOOP; END$$);
$node->safe_psql('postgres', $age);

foreach my $case (
	[ 'visits', 'visits_2020_01_0', '', 'a vacuum of a sub-partition' ],
	[ 'old', 'old_2020_01', 'autovacuum_freeze_max_age = 100000', 'a vacuum that prevents wraparound' ])
{
	my ($table, $vacuumed, $options, $what) = @$case;

	$worker = vacuumed($vacuumed, '2020-01-15', $options);
	is(at_once("SELECT uuid_partition_drop('$table', '2020-02-01')"), $timeout, "drop waits for $what");
	is(at_once("SELECT DISTINCT concat_ws(' ', action, left(problem, 5)) FROM uuid_partition_maintain('$table', '1 month', 0, '1 year') ORDER BY 1"),
		"created\nnot dropped 55P03", 'maintain says so, and makes partitions');
	is_vacuumed_by($vacuumed, $worker, 'the vacuum goes on');
}

$node->stop;
done_testing();
