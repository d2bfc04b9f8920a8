# The SQL edition where pg_tle is, by the SQL of doc/managed.md: a role with
# pgtle_admin and without superuser registers, makes, updates and drops the
# extension, and a dump restores it.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};

$ENV{PGTZ} = 'UTC';
$ENV{PGDATABASE} = 'postgres';

my $root = dirname(__FILE__) . '/../../..';
my $describe = dirname(__FILE__) . '/../include/describe_extension.sql';
my ($version) = slurp_file("$root/uidext.control") =~ /^default_version = '(.*)'/m;
my $dist = "$ENV{UIDEXT_BUILD}/dist/uidext-$version-portable";
my ($prepare, $create, $name, $remove) = slurp_file("$root/doc/managed.md") =~ /^```sql pg_tle\n(.*?)^```$/gms;

my $node = PostgreSQL::Test::Cluster->new('tle');
{
	# pg_tle takes no extension of which the server has files
	delete local $ENV{TEMP_CONFIG};
	$node->init;
}
# plans are compared
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
if ($node->safe_psql('postgres', "SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_tle'") eq '0')
{
	$node->stop;
	plan skip_all => 'pg_tle is not installed';
}
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'pg_tle'");
$node->restart;
note('pg_tle ' . $node->safe_psql('postgres', "SELECT default_version FROM pg_available_extensions WHERE name = 'pg_tle'"));
system_or_bail 'make', '-s', '-C', $ENV{UIDEXT_BUILD}, "PG_CONFIG=$ENV{PG_CONFIG}", 'portable';

# What the administrator of a service has done for whoever owns the database.
sub create_database
{
	my ($database) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $database OWNER keeper");
	$node->safe_psql($database, qq(
		GRANT CREATE, TEMP ON DATABASE $database TO installer;
		GRANT CREATE ON SCHEMA public TO installer;
		$prepare));
}

# As the role that installs, and does not own the database.
sub query
{
	my ($database, $sql) = @_;
	my ($status, $stdout, $stderr) = $node->psql($database, $sql, extra_params => [ '-U', 'installer' ], on_error_stop => 1);
	die "$stderr\n$sql" if $status;
	return $stdout;
}

sub run_file
{
	my ($database, $file, @variables) = @_;
	return [ 'psql', '-X', '-q', '-h', $node->host, '-p', $node->port, '-U', 'installer', '-d', $database, @variables, '-f', $file ];
}

# What the catalogs say after these statements, which leave nothing behind.
sub description
{
	my ($statements) = @_;
	return query('updated', "BEGIN;\n$statements;\n" . slurp_file($describe) . 'ROLLBACK');
}

$node->safe_psql('postgres', 'CREATE ROLE keeper LOGIN; CREATE ROLE installer LOGIN');
create_database('shop');
is(query('shop', 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user'), 'f', 'the installer is no superuser');

# Install.

$node->command_ok(run_file('shop', "$dist.sql"), 'the script registers the extension');
is(query('shop', q(SELECT name, default_version FROM pgtle.available_extensions() WHERE name = 'uidext')),
	"uidext|$version", 'which is there then');
query('shop', $create);
$node->safe_psql('shop', $name, extra_params => [ '-U', 'keeper' ]);
is($node->safe_psql('shop', 'CREATE ROLE reader; SET ROLE reader; SELECT uuidv7_is_valid(gen_uuidv7())'), 't',
	'for everybody, by its bare name');
is(query('shop', q(SELECT extversion, extowner::regrole FROM pg_extension WHERE extname = 'uidext')),
	"$version|installer", 'and is made by its owner');

# Ids, partitions, predicates.

is(query('shop', '
	SELECT uuid_time(gen_uuidv7()) BETWEEN now() - interval \'1 minute\' AND clock_timestamp(),
		uuidv7_is_valid(gen_uuidv7())'),
	't|t', 'an id of now');
query('shop', <<'SQL');
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), total int) PARTITION BY RANGE (id);
SELECT uuid_partition_create('orders', '2026-01-01 00:00+00', '2026-04-01 00:00+00', '1 month');
SELECT uuid_partition_maintain('orders', '1 month', ahead => 1);
INSERT INTO orders
SELECT gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + i * interval '1 hour'), i
FROM generate_series(0, 1999) AS i;
INSERT INTO orders (total) VALUES (1);
INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil');
INSERT INTO iuid.service_entities VALUES (1, 'Ride', NULL);
CREATE TABLE rides (id iuid PRIMARY KEY DEFAULT gen_iuid('BR', 'Ride'), ticket ulid UNIQUE DEFAULT gen_ulid());
INSERT INTO rides DEFAULT VALUES;
SQL
my $counts = q(SELECT (SELECT count(*) FROM orders WHERE id <@ tstzrange('2026-02-01 00:00+00', '2026-03-01 00:00+00')),
	(SELECT count(*) FROM orders), (SELECT country_code FROM rides, iuid_describe(id)));
is(query('shop', $counts), '672|2001|BR', 'partitions, predicates and the registry');
my $explain = q(
	EXPLAIN (COSTS OFF)
	SELECT *
	FROM orders
	WHERE id >= timestamptz '2026-02-10 00:00+00' AND id < timestamptz '2026-02-11 00:00+00');
my $plan = query('shop', $explain);
like($plan, qr/Index Cond: \(\(id >= '019c44d9-0800-0000-0000-000000000000'::uuid\)/, 'a predicate is a condition of the index');
is(join(' ', $plan =~ /on (orders_\w+?)(?:_pkey)?\b/g), 'orders_2026_02 orders_2026_02', 'and prunes partitions') or diag($plan);

# A dump restores where pg_tle is, too.

my $file = PostgreSQL::Test::Utils::tempdir . '/shop.sql';
$node->command_ok([ 'pg_dump', '--no-sync', '-f', $file, '-d', 'shop' ], 'dump');
$node->safe_psql('postgres', 'CREATE DATABASE restored OWNER installer');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', $file, '-d', 'restored' ], 'restore');
query('restored', 'ALTER DATABASE restored SET search_path = "$user", public, uidext');
is(query('restored', $counts), '672|2001|BR', 'the same rows');
is(query('restored', $explain), $plan, 'and the same plan');

# Update: to this version from one that lacks a part of it, and on to a next one.

create_database('updated');
$node->command_ok(run_file('updated', "$dist.sql"), 'the script registers it in another database');
my $fresh = description('CREATE EXTENSION uidext');
my $script = query('updated', qq(SELECT pgtle."uidext--$version.sql"()));
my ($part) = $script =~ /^(CREATE FUNCTION uuid_to_bin\(.*?^COMMENT ON FUNCTION uuid_to_bin\(.*?;\n)/ms
	or BAIL_OUT('no part to leave out');
my $older = $script =~ s/\Q$part\E//r;
query('updated', <<"SQL");
SELECT pgtle.install_extension_version_sql('uidext', 'older', \$older\$$older\$older\$);
SELECT pgtle.install_update_path('uidext', 'older', '$version', \$part\$$part\$part\$);
SELECT pgtle.install_update_path('uidext', '$version', 'next', \$next\$
	CREATE FUNCTION uuid_next(id uuid) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN uuid_to_bin(id);
	COMMENT ON FUNCTION uuid_next(uuid) IS 'only in the next version';\$next\$);
SQL
is(description("CREATE EXTENSION uidext VERSION 'older'; ALTER EXTENSION uidext UPDATE"), $fresh,
	'an update leaves what the version itself makes');
isnt(description("CREATE EXTENSION uidext VERSION 'older'"), $fresh, 'which the older one does not');
query('updated', q(CREATE EXTENSION uidext; CREATE TABLE kept (id uuid DEFAULT gen_uuidv7()); INSERT INTO kept DEFAULT VALUES;
	SELECT pgtle.set_default_version('uidext', 'next'); ALTER EXTENSION uidext UPDATE));
is(query('updated',
		q(SELECT extversion, bin_to_uuid(uuid_next(id)) = id FROM pg_extension, kept WHERE extname = 'uidext')),
	'next|t', 'the next version');

# Uninstall.

my ($status, $stdout, $stderr) = $node->psql('updated', $remove, extra_params => [ '-U', 'installer' ], on_error_stop => 1);
like($stderr, qr/cannot drop extension uidext because other objects depend on it/, 'not while it is used');
query('updated', "DROP TABLE kept; $remove");
is( query('updated', q(
		SELECT (SELECT count(*) FROM pgtle.available_extensions() WHERE name = 'uidext'),
			(SELECT count(*) FROM pg_proc WHERE proowner = current_user::regrole) + (
				SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole)
			+ (SELECT count(*) FROM pg_type WHERE typowner = current_user::regrole) + (
				SELECT count(*) FROM pg_operator WHERE oprowner = current_user::regrole)
			+ (SELECT count(*) FROM pg_namespace WHERE nspowner = current_user::regrole))),
	'0|0', 'nothing is left');

# Tests of the SQL edition on the extension that pg_tle makes; all of them are run
# by script/test portable.

create_database('suites');
$node->command_ok(run_file('suites', "$dist.sql"), 'the script registers it for the suites');
$node->safe_psql('suites', 'CREATE EXTENSION uidext');
$node->command_ok(
	[ 'make', '-s', '-C', $ENV{UIDEXT_BUILD}, "PG_CONFIG=$ENV{PG_CONFIG}", 'EDITION=portable', 'with_llvm=no',
		'CONTRIB_TESTDB=suites',
		'EXTRA_REGRESS_OPTS=--use-existing',
		'REGRESS=' . join(' ', qw(boundary pruning partitions partition_list partition_maintain partition_drop
			partition_drain partition_nested uuidv7 gregorian convert inspect encrypt encode typeid uid ulid_text)),
		'installcheck' ],
	'regress');
diag(slurp_file("$ENV{UIDEXT_BUILD}/test/regression.diffs")) if -s "$ENV{UIDEXT_BUILD}/test/regression.diffs";

$node->stop;
done_testing();
