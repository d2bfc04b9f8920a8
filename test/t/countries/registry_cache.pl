# The registry of names: cached by each session, read anew by all of them when
# a change of it commits, and kept by dump and restore.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->append_conf('postgresql.conf', 'autovacuum = off');
$primary->start;
$primary->backup('base');

my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;

$primary->safe_psql('postgres', 'CREATE DATABASE registry');
$primary->safe_psql(
	'registry', q(
	CREATE EXTENSION uidext;
	SELECT iuid_load_iso_3166();
	INSERT INTO iuid.service_entities (id, name) VALUES (1, 'Order'), (2, 'Ride');
	CREATE FUNCTION entity(name text) RETURNS text LANGUAGE plpgsql AS $$
	BEGIN
		RETURN iuid_service_entity(gen_iuid('BR', name));
	EXCEPTION
		WHEN invalid_parameter_value THEN RETURN 'unknown';
		WHEN undefined_function THEN RETURN 'no function';
	END
	$$;
));

sub session
{
	my ($node) = @_;
	return $node->background_psql('registry');
}

# The entity that a session makes ids of under a name.
sub entity
{
	my ($session, $name) = @_;
	return $session->query_safe("SELECT entity('$name')");
}

# Both names at once, which is what most tests change.
sub entities
{
	my ($session) = @_;
	return join ' ', map { entity($session, $_) } 'Order', 'Trip';
}

my $order_is_1 = '1 unknown';
my $trip_is_1 = 'unknown 1';
my $rename = "UPDATE iuid.service_entities SET name = 'Trip' WHERE name = 'Order'";
my $undo = "UPDATE iuid.service_entities SET name = 'Order' WHERE name = 'Trip'";

$primary->wait_for_catchup($standby);
my $one = session($primary);
my $two = session($primary);
my $reader = session($standby);

# A look-up reads the tables once.

my $look_up = q(
	BEGIN;
	SELECT pg_stat_get_xact_numscans('iuid.service_entities'::regclass) AS before \gset
	SELECT count(gen_iuid('BR', 'Order')) FROM generate_series(1, 1000);
	SELECT pg_stat_get_xact_numscans('iuid.service_entities'::regclass) - :before;
	COMMIT);
is($one->query_safe($look_up), "1000\n1", 'the first look-up of a session reads the registry');
is($one->query_safe($look_up), "1000\n0", 'later ones do not');

# A name that was set before the library is there does not keep it from being
# loaded, whoever has locked the registry.

$one->query_safe('BEGIN; LOCK iuid.countries');
my ($status, $stdout, $stderr) = $primary->psql('registry', q(
	SET uidext.country = 'BR'; SET lock_timeout = '50ms';
	SELECT gen_uuidv7() IS NULL;
	SELECT gen_iuid(1);
	SELECT gen_uuidv7() IS NULL; SHOW uidext.country), on_error_stop => 0);
is($stdout, "f\nf\nBR", 'others than gen_iuid() do without the registry');
is(() = $stderr =~ /ERROR/g, 1, 'which alone waits for it');
$one->query_safe('ROLLBACK');

# A change is seen by others when it commits, by its own session at once.

is(entities($two), $order_is_1, 'another session has the names cached');

$one->query_safe("BEGIN; $rename");
is(entities($one), $trip_is_1, 'own uncommitted change is seen');
is(entities($two), $order_is_1, 'uncommitted change is not seen elsewhere');
$one->query_safe('COMMIT');
is(entities($two), $trip_is_1, 'committed change is seen elsewhere');
is(entities($one), $trip_is_1, 'committed change stays');
$one->query_safe($undo);
is(entities($two), $order_is_1, 'so is the next one');

# One that is rolled back is forgotten.

$one->query_safe("BEGIN; $rename");
is(entities($one), $trip_is_1, 'own change before ROLLBACK');
$one->query_safe('ROLLBACK');
is(entities($one), $order_is_1, 'own change after ROLLBACK');
is(entities($two), $order_is_1, 'rolled back change is not seen elsewhere');

$one->query_safe("BEGIN; SAVEPOINT s; $rename");
is(entities($one), $trip_is_1, 'own change within a subtransaction');
$one->query_safe('ROLLBACK TO s');
is(entities($one), $order_is_1, 'own change after ROLLBACK TO');
$one->query_safe('COMMIT');
is(entities($one), $order_is_1, 'and after the COMMIT that follows');
is(entities($two), $order_is_1, 'change rolled back to a savepoint is not seen elsewhere');

$one->query_safe("BEGIN; SAVEPOINT s; $rename; RELEASE s");
is(entities($two), $order_is_1, 'change of a released savepoint waits for COMMIT');
$one->query_safe('COMMIT');
is(entities($two), $trip_is_1, 'and is seen then');
$one->query_safe($undo);

$one->query_safe("DO \$\$ BEGIN $rename; RAISE division_by_zero; EXCEPTION WHEN division_by_zero THEN END \$\$");
is(entities($one), $order_is_1, 'own change undone by an exception block');

# A statement that fails after it has read its own rows, before the triggers fire.

my $fails = q(WITH own AS (INSERT INTO iuid.service_entities (id, name) VALUES (7, 'Trip') RETURNING id)
	SELECT entity('Trip'), 1 / (id - 7) FROM own);
foreach my $statement ($fails, "DO \$\$ BEGIN EXECUTE \$q\$$fails\$q\$; EXCEPTION WHEN division_by_zero THEN END \$\$")
{
	my $new = $primary->background_psql('registry', on_error_stop => 0);

	$new->query($statement);
	$new->{stderr} = '';
	is(entities($new), $order_is_1, 'a statement that fails leaves nothing of its rows');
	$new->quit;
}

# Every way to write.

$one->query_safe("INSERT INTO iuid.service_entities (id, name) VALUES (7, 'Trip')");
is(entities($two), '1 7', 'INSERT');
$one->query_safe("DELETE FROM iuid.service_entities WHERE id = 7");
is(entities($two), '1 unknown', 'DELETE');
$one->query_safe("INSERT INTO iuid.service_entities (id, name) VALUES (1, 'x')
	ON CONFLICT (id) DO UPDATE SET name = 'Trip'");
is(entities($two), $trip_is_1, 'INSERT ON CONFLICT DO UPDATE');
$one->query_safe("MERGE INTO iuid.service_entities e USING (SELECT 1 AS id) s ON e.id = s.id
	WHEN MATCHED THEN UPDATE SET name = 'Order'");
is(entities($two), $order_is_1, 'MERGE');
$one->query_safe("BEGIN; TRUNCATE iuid.service_entities");
is(entities($one), 'unknown unknown', 'own uncommitted TRUNCATE');
$one->query_safe('ROLLBACK');
is(entities($one), $order_is_1, 'rolled back TRUNCATE');
is(entities($two), $order_is_1, 'rolled back TRUNCATE elsewhere');
$one->query_safe('TRUNCATE iuid.service_entities');
is(entities($two), 'unknown unknown', 'TRUNCATE');
my $file = PostgreSQL::Test::Utils::tempdir() . '/entities';
append_to_file($file, "1\tOrder\t\\N\n2\tRide\tone way\n");
$one->query_safe("COPY iuid.service_entities (id, name, description) FROM '$file'");
is(entities($two), $order_is_1, 'COPY');

my $country = "SELECT iuid_country(gen_iuid('BR', 'Order')), iuid_country(gen_iuid('Brazil', 'Order'))";
is($two->query_safe($country), '76|76', 'a country by code and by name');
$one->query_safe("UPDATE iuid.countries SET id = 0 WHERE code = 'BR'");
is($two->query_safe($country), '0|0', 'a change of a country');
$one->query_safe("UPDATE iuid.countries SET id = 76 WHERE code = 'BR'");

# A standby hears of it through the WAL.

$primary->wait_for_catchup($standby);
is(entities($reader), $order_is_1, 'a standby has the names cached');
$one->query_safe("BEGIN; $rename");
$primary->safe_psql('registry', 'SELECT pg_current_wal_insert_lsn()');
is(entities($reader), $order_is_1, 'uncommitted change is not seen on the standby');
$one->query_safe('COMMIT');
$primary->wait_for_catchup($standby);
is(entities($reader), $trip_is_1, 'committed change is seen on the standby');
$one->query_safe($undo);

# The routes need no cache.

my $route = "SELECT (iuid_route(gen_iuid(76, 1))).node";
is($two->query_safe($route), '', 'no route yet');
$one->query_safe("INSERT INTO iuid.routes (country, node) VALUES (76, 'br.example.com')");
is($two->query_safe($route), 'br.example.com', 'a route is seen once it is there');

# Dump and restore: registry, routing, partitions, domains, the country of the
# database.

$primary->safe_psql(
	'registry', q(
	INSERT INTO iuid.routes (country, service_entity, node) VALUES (76, 2, 'rides.example.com');
	ALTER DATABASE registry SET uidext.country = 76;
	CREATE TABLE orders (id iuid PRIMARY KEY, item text) PARTITION BY HASH (id iuid_country_ops);
	SELECT iuid_partition_create('orders', '{76}');
	SELECT iuid_partition_create('orders', '{82}', start => '2026-01-01', stop => '2026-03-01', step => '1 month');
	CREATE TABLE lines (order_id iuid REFERENCES orders, line int, PRIMARY KEY (order_id, line));
	INSERT INTO orders
	SELECT gen_iuid_at(timestamptz '2026-01-10' + n * interval '1 day', country, 1), n
	FROM unnest('{76,82}'::int[]) AS country, generate_series(1, 40) AS n;
	INSERT INTO lines SELECT id, 1 FROM orders;
));
my $contents = q(
	SELECT 'country', c::text FROM iuid.countries c
	UNION ALL SELECT 'entity', e::text FROM iuid.service_entities e
	UNION ALL SELECT 'route', r::text FROM iuid.routes r
	UNION ALL SELECT tableoid::regclass::text, o::text FROM orders o
	UNION ALL SELECT 'line', l::text FROM lines l
	UNION ALL SELECT 'partition', c.relname || ' ' || pg_get_expr(c.relpartbound, c.oid)
		FROM pg_class c WHERE c.relispartition AND c.relkind IN ('r', 'p')
	UNION ALL SELECT 'key', pg_get_partkeydef('orders'::regclass)
	ORDER BY 1, 2);
my $before = $primary->safe_psql('registry', $contents);
like($before, qr/^key\|HASH \(id\)$/m, 'the table is partitioned by country');

my $archive = PostgreSQL::Test::Utils::tempdir() . '/registry.dump';
$primary->command_ok([ 'pg_dump', '-Fc', '-d', $primary->connstr('registry'), '-f', $archive ], 'pg_dump');
$_->quit foreach $one, $two, $reader;
$primary->safe_psql('postgres', 'DROP DATABASE registry');
$primary->command_ok([ 'pg_restore', '-C', '-d', $primary->connstr('postgres'), $archive ], 'pg_restore');

is($primary->safe_psql('registry', $contents), $before, 'everything is back');
is($primary->safe_psql('registry', 'SHOW uidext.country'), '76', 'and the country of the database');
is( $primary->safe_psql('registry', "INSERT INTO orders VALUES (gen_iuid('Order'), 'new') RETURNING tableoid::regclass"),
	'orders_br', 'and a new row finds its partition by the names of the registry');
$primary->psql('registry', 'INSERT INTO orders VALUES (gen_random_uuid())', stderr => \$stderr);
like($stderr, qr/is not an iUID/, 'and the type checks');

# An extension of the same name in place of it, in another schema; and a schema in
# place of the registry's, where a column that is no text would be read as one.

$one = session($primary);
$two = session($primary);
is(entities($_), $order_is_1, 'cached again') foreach $one, $two;
$one->query_safe('SET client_min_messages = warning; DROP EXTENSION uidext CASCADE');
is(entity($_, 'Order'), 'no function', 'DROP EXTENSION') foreach $one, $two;

$one->query_safe(
	q(CREATE SCHEMA ids;
	CREATE EXTENSION uidext SCHEMA ids;
	INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil');
	INSERT INTO iuid.service_entities VALUES (5, 'Order')));
$_->query_safe('SET search_path = ids, public') foreach $one, $two;
is(entity($_, 'Order'), '5', 'CREATE EXTENSION in another schema') foreach $one, $two;

$one->query_safe('ALTER SCHEMA ids RENAME TO keys');
$_->query_safe('SET search_path = keys, public') foreach $one, $two;
is(entity($_, 'Order'), '5', 'the schema renamed') foreach $one, $two;
$one->query_safe('UPDATE iuid.service_entities SET id = 6');
is(entity($_, 'Order'), '6', 'a change after that') foreach $one, $two;

$one->query_safe('BEGIN; DROP EXTENSION uidext');
is(entity($one, 'Order'), 'no function', 'own uncommitted DROP EXTENSION');
$one->query_safe('ROLLBACK');
is(entity($_, 'Order'), '6', 'a rolled back DROP EXTENSION') foreach $one, $two;

$primary->psql('registry', q(
	BEGIN;
	ALTER SCHEMA iuid RENAME TO moved;
	CREATE SCHEMA iuid;
	CREATE TABLE iuid.countries (id int, code bigint, name bigint);
	CREATE TABLE iuid.service_entities (id int, name bigint);
	INSERT INTO iuid.countries VALUES (76, 76, 76);
	SELECT keys.gen_iuid('BR', 'Order')), stderr => \$stderr);
like($stderr, qr/schema "iuid" of extension uidext does not exist/, 'a schema of the name that is not the extension\'s');

$_->quit foreach $one, $two;

done_testing();
