# The functions that lock tables and move rows by OID, beside other sessions.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('by_oid');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION uidext;
	CREATE TABLE orders (id uuid PRIMARY KEY, what text) PARTITION BY RANGE (id);
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	CREATE TABLE orders_2020_01 (LIKE orders INCLUDING ALL);
	INSERT INTO orders VALUES (uuid_boundary('2020-01-10 00:00+00'), 'tea')));

# Who has written to a partition by its name before locks the parent no more.
my $writer = $node->background_psql('postgres');
my $mover = $node->background_psql('postgres');
$writer->query_safe(q(UPDATE orders_rest SET what = 'milk'));
$writer->query_safe(q(BEGIN; UPDATE orders_rest SET what = 'coffee'));
$mover->query_until(qr/begins/, q(\echo begins
	SELECT uidext_internal.move_ids('orders_rest', 'orders_2020_01', 'id', uuid_boundary('2020-01-01 00:00+00')::text,
		uuid_boundary('2020-02-01 00:00+00')::text, 10);
));
ok($node->poll_query_until('postgres', q(SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted))),
	'rows that others write are not moved');
$writer->query_safe('COMMIT');
$mover->query_safe('SELECT 1');
$mover->quit;
is($node->safe_psql('postgres', 'SELECT tableoid::regclass, what FROM orders'), 'orders_2020_01|coffee',
	'until they are written');

# Most statements look anew when a move is over for which they have waited.  PostgreSQL's EXECUTE, COPY of a query and REFRESH
# do not, and doc/partitions.md says so.
$node->safe_psql('postgres', q(
	CREATE TABLE sales (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE sales_rest PARTITION OF sales DEFAULT;
	CREATE TABLE sales_2020_01 (id uuid PRIMARY KEY);
	INSERT INTO sales VALUES (uuid_boundary('2020-01-10 00:00+00'))));
my $find = q(SELECT count(*) FROM sales WHERE id = uuid_boundary('2020-01-10 00:00+00'));
my %seen = (
	$find => 1,
	'EXECUTE find' => 0,
	"COPY ($find) TO STDOUT" => 0,
	'REFRESH MATERIALIZED VIEW found' => 0);
$node->safe_psql('postgres', "CREATE MATERIALIZED VIEW found AS $find");
my %reader = map { $_ => $node->background_psql('postgres') } keys %seen;
$_->query_safe("PREPARE find AS $find") foreach values %reader;
$mover = $node->background_psql('postgres');
$mover->query_safe(q(
	BEGIN;
	SELECT uidext_internal.move_ids('sales_rest', 'sales_2020_01', 'id', uuid_boundary('2020-01-01 00:00+00')::text,
		uuid_boundary('2020-02-01 00:00+00')::text, 10)));
$reader{$_}->query_until(qr/begins/, "\\echo begins\n$_;\n") foreach keys %reader;
ok($node->poll_query_until('postgres', q(SELECT count(*) = 4 FROM pg_locks WHERE NOT granted)), 'four statements wait for a move');
$mover->query_safe('COMMIT');
$mover->quit;
foreach my $statement (sort keys %reader)
{
	# what REFRESH has found is in the view
	my $end = $statement =~ /^REFRESH/ ? q(SELECT count || E'\nends' FROM found) : q(SELECT 'ends');

	like($reader{$statement}->query_safe($end), qr/^$seen{$statement}\nends/m, "$statement finds $seen{$statement} afterwards");
	$reader{$statement}->quit;
}

# A wait is over however far before its beginning it ends.
$writer->query_safe('BEGIN; LOCK TABLE orders_rest');
foreach my $wait ('-1 s', '-100 days -2562047788:00:54.775807')
{
	my ($status, $out, $said) = $node->psql('postgres', qq(
		SET statement_timeout = '60s';
		SELECT uidext_internal.lock_table('orders_rest', 'ACCESS SHARE', '$wait')));
	like($said, qr/could not obtain lock on relation "orders_rest"/, "a wait of $wait is none");
}
$writer->quit;

# What others commit before a look gets its lock is seen by it.
my $looker = $node->background_psql('postgres');
$writer = $node->background_psql('postgres');
$writer->query_safe(q(
	BEGIN;
	LOCK TABLE orders_rest;
	INSERT INTO orders_rest VALUES (uuid_boundary('2020-03-10 00:00+00'), 'cake')));
$looker->query_until(qr/begins/, q(\echo begins
	SELECT 'found ' || uidext_internal.edge_id('orders_rest', 'id', NULL, NULL, true, NULL);
));
ok($node->poll_query_until('postgres', q(
	SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Extension' AND query LIKE '%edge_id%'))),
	'a look waits for who has locked the table');
$writer->query_safe('COMMIT');
$writer->quit;
like($looker->query_safe('SELECT 1'), qr/found 0170c1bd/, 'and sees what has been committed meanwhile');
$looker->quit;

is($node->safe_psql('postgres', q(
		SELECT uidext_internal.count_ids('orders_rest', 'id', NULL, NULL, NULL, 10),
			uidext_internal.count_ids('orders_rest', 'id', NULL, NULL, '{}', 10),
			uidext_internal.edge_id('orders_rest', 'id', NULL, NULL, true, '{}') IS NULL)),
	'1|0|t', 'ids of no version are none');

# What others attach beneath a default partition while a look waits for one of its parts is looked into.
my $locker = $node->background_psql('postgres');
foreach my $look ([ 'edge_id', 'true, NULL', '0170c1bd' ], [ 'count_ids', 'NULL, 10', '1' ])
{
	my ($function, $arguments, $found) = @$look;

	$node->safe_psql('postgres', qq(
		CREATE TABLE walks (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
		CREATE TABLE walks_rest PARTITION OF walks DEFAULT PARTITION BY RANGE (id);
		CREATE TABLE walks_late PARTITION OF walks_rest FOR VALUES FROM ('40000000-0000-0000-0000-000000000000') TO (MAXVALUE);
		CREATE TABLE walks_early (id uuid PRIMARY KEY);
		INSERT INTO walks_early VALUES (uuid_boundary('2020-03-10 00:00+00'))));
	$looker = $node->background_psql('postgres');
	$locker->query_safe('BEGIN; LOCK TABLE walks_late');
	$looker->query_until(qr/begins/, qq(\\echo begins
		SELECT 'found ' || uidext_internal.$function('walks_rest', 'id', NULL, NULL, $arguments);
	));
	ok($node->poll_query_until('postgres', qq(
		SELECT EXISTS (
			SELECT FROM pg_stat_activity WHERE wait_event_type = 'Extension' AND query LIKE '%$function%'))),
		"$function() waits for a part");
	$node->safe_psql('postgres', q(
		ALTER TABLE walks_rest ATTACH PARTITION walks_early
		FOR VALUES FROM (MINVALUE) TO ('40000000-0000-0000-0000-000000000000')));
	$locker->query_safe('COMMIT');
	like($looker->query_safe('SELECT 1'), qr/found $found/, 'and sees the rows of another one that has been attached meanwhile');
	$looker->quit;
	$node->safe_psql('postgres', 'DROP TABLE walks');
}
$locker->quit;

# What is beneath a default partition can change until that which is above it is locked.
$node->safe_psql('postgres', q(
	CREATE TABLE trips (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE trips_rest PARTITION OF trips DEFAULT PARTITION BY RANGE (id);
	CREATE TABLE trips_part PARTITION OF trips_rest DEFAULT PARTITION BY RANGE (id);
	CREATE TABLE trips_early PARTITION OF trips_part FOR VALUES FROM (MINVALUE) TO ('40000000-0000-0000-0000-000000000000');
	CREATE TABLE trips_late PARTITION OF trips_part DEFAULT;
	CREATE TABLE trips_new (id uuid PRIMARY KEY);
	INSERT INTO trips VALUES (uuid_boundary('2020-03-10 00:00+00'))));
my $dropper = $node->background_psql('postgres');
$mover = $node->background_psql('postgres');
$dropper->query_safe('BEGIN; DROP TABLE trips_late');
$mover->query_until(qr/begins/, q(\echo begins
	SELECT 'moved '
		|| uidext_internal.move_ids('trips_rest', 'trips_new', 'id', uuid_boundary('2020-03-01 00:00+00')::text,
			uuid_boundary('2020-04-01 00:00+00')::text, 10);
));
ok($node->poll_query_until('postgres',
	q(SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'trips_part'::regclass))),
	'a move waits for a part of the default partition');
$dropper->query_safe('COMMIT');
like($mover->query_safe('SELECT 1'), qr/moved 1/, 'and does without what has been dropped beneath it meanwhile');
$_->quit foreach $dropper, $mover;

# Who has given rights on a schema, and then changes its name, is waited for.
$node->safe_psql('postgres', 'CREATE SCHEMA shop; CREATE TABLE shop.tills ()');
my $renamer = $node->background_psql('postgres');
$renamer->query_safe('BEGIN; GRANT USAGE ON SCHEMA shop TO PUBLIC; ALTER SCHEMA shop RENAME TO store');
my ($state, $tills, $complaint) = $node->psql('postgres',
	q(SET lock_timeout = '50ms'; SELECT uidext_internal.hold_names(ARRAY['shop.tills'::regclass])));
like($complaint,
	qr/ERROR:  schema "shop" is being altered\n.*HINT:  Call it again when that command has ended/s,
	'a wait for a schema that is over names it');
$renamer->quit;

# An old snapshot shows foreign keys of tables that others have dropped since.
$node->safe_psql('postgres', q(
	CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT uuid_partition_create('visits', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month');
	CREATE TABLE steps (visit_id uuid REFERENCES visits)));
my $upkeep = $node->background_psql('postgres');
$upkeep->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
$node->safe_psql('postgres', 'DROP TABLE steps');
is($upkeep->query_safe(q(
		SELECT string_agg(concat(action, problem), ', ')
		FROM uuid_partition_drop('visits', '2020-02-01 00:00+00'))), 'dropped',
	'they keep no partition');
$upkeep->quit;

$node->stop;
done_testing();
