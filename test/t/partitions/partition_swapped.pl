# Two schemas change their names while an owner looks at his partitions or drains them.
# What has the name then, a view of another role's, is never run with his rights.

use strict;
use warnings;

use IPC::Run ();
use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('swapped');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;

# The owner works in schemas that another role has given to him; that one has views of
# the same names, and a function that notes who runs it.
$node->safe_psql(
	'postgres', q(
	CREATE EXTENSION uidext;
	CREATE ROLE mallory LOGIN;
	CREATE ROLE victim LOGIN;
	GRANT CREATE ON DATABASE postgres TO mallory;
	CREATE TABLE ran (whose name);
	GRANT ALL ON ran TO PUBLIC;
	SET ROLE mallory;
	CREATE SCHEMA hers;
	GRANT ALL ON SCHEMA hers TO victim;
	CREATE SCHEMA others;
	GRANT ALL ON SCHEMA others TO PUBLIC;
	CREATE SCHEMA mischief;
	GRANT USAGE ON SCHEMA mischief TO PUBLIC;
	CREATE FUNCTION mischief.id() RETURNS uuid LANGUAGE plpgsql AS
		$$ BEGIN INSERT INTO public.ran VALUES (current_user); RETURN gen_random_uuid(); END $$;
	CREATE VIEW others.orders_rest AS SELECT mischief.id() AS id, 1 AS customer;
	CREATE VIEW others.orders_2020_01 AS SELECT mischief.id() AS id, 1 AS customer;
	CREATE VIEW others.orders AS SELECT mischief.id() AS id, 1 AS customer;
	CREATE VIEW others.items AS SELECT mischief.id() AS order_id;
	GRANT ALL ON ALL TABLES IN SCHEMA others TO PUBLIC;
	RESET ROLE;
));
sub new_orders
{
	$node->safe_psql('postgres', q(
		SELECT format('ALTER SCHEMA %s RENAME TO others', 'hers')
		WHERE EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('hers.orders') AND relkind = 'v') \gexec
		SELECT format('ALTER SCHEMA %s RENAME TO hers', 'aside') WHERE to_regnamespace('aside') IS NOT NULL \gexec
		SELECT format('ALTER SCHEMA %s RENAME TO hers', 'others') WHERE to_regnamespace('hers') IS NULL \gexec
		SET client_min_messages = error;
		DROP TABLE IF EXISTS hers.items, hers.orders CASCADE;
		SELECT format('DROP TABLE %s', oid::regclass) FROM pg_class WHERE relnamespace = 'hers'::regnamespace AND relkind = 'r' \gexec
		SET ROLE victim;
		CREATE TABLE hers.orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), customer int) PARTITION BY RANGE (id);
		SELECT uuid_partition_create('hers.orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
		CREATE TABLE hers.orders_rest PARTITION OF hers.orders DEFAULT;
		CREATE TABLE hers.items (order_id uuid REFERENCES hers.orders);
		INSERT INTO hers.orders
		SELECT gen_uuidv7_at(timestamptz '2020-02-05 00:00+00' + n * interval '31 days')
		FROM generate_series(0, 4) n;
		INSERT INTO hers.orders VALUES (uuid_boundary('2020-01-05 00:00+00'), 1)));
	$node->safe_psql('postgres', 'TRUNCATE ran');
	return $node->safe_psql('postgres', q(SELECT 'hers.orders'::regclass::oid));
}

my $calls = $ENV{UIDEXT_LONG} ? 1000 : 20;
my @calls = (
	[ 'uuid_partition_check', 'SELECT count(*) FROM uuid_partition_check(ORDERS)', 'victim' ],
	[ 'uuid_partition_check of a superuser', 'SELECT count(*) FROM uuid_partition_check(ORDERS)', 'postgres' ],
	[ 'uuid_partition_list', 'SELECT count(*) FROM uuid_partition_list(ORDERS)', 'victim' ],
	[ 'uuid_partition_list of a superuser', 'SELECT count(*) FROM uuid_partition_list(ORDERS)', 'postgres' ],
	[ 'a dry run of uuid_partition_drop',
		q(SELECT count(*) FROM uuid_partition_drop(ORDERS, '2020-02-01 00:00+00', dry_run => true)), 'victim' ],
	[ 'uuid_partition_drop', q(SELECT count(*) FROM uuid_partition_drop(ORDERS, '2020-02-01 00:00+00')), 'victim' ],
	[ 'a dry run of uuid_partition_maintain', q(
			SELECT count(*)
			FROM uuid_partition_maintain(ORDERS, '1 month', 0, keep => '1 year', dry_run => true)), 'victim' ],
	[ 'uuid_partition_drain', q(CALL uuid_partition_drain(ORDERS, '1 month')), 'victim' ]);

foreach (@calls)
{
	my ($name, $call, $who) = @$_;
	my $orders = new_orders();
	my $file = PostgreSQL::Test::Utils::tempdir() . '/calls.sql';
	my $swaps = PostgreSQL::Test::Utils::tempdir() . '/swaps.sql';

	$call =~ s/ORDERS/$orders/;
	append_to_file($file, "SET client_min_messages = fatal;\n" . "$call;\n" x $calls);
	append_to_file($swaps, q(
BEGIN; ALTER SCHEMA hers RENAME TO aside; ALTER SCHEMA others RENAME TO hers; COMMIT;
BEGIN; ALTER SCHEMA hers RENAME TO others; ALTER SCHEMA aside RENAME TO hers; COMMIT;
\\echo swapped
) x 20000);
	my ($out, $said) = ('', '');
	# mallory owns the schemas
	my $swapping = IPC::Run::start(
		[ 'psql', '-qXAt', '-d', $node->connstr('postgres') . ' user=mallory', '-f', $swaps ], '>', \$out, '2>',
		\$out);
	$swapping->pump until $out =~ /swapped/;
	$out = '';
	my $calling = IPC::Run::start(
		[ 'psql', '-qXAt', '-d', $node->connstr('postgres') . " user=$who", '-f', $file ], '>', \$said, '2>',
		\$said);
	$calling->finish;
	$swapping->pump_nb;
	like($out, qr/swapped/, "$name: names have been swapped meanwhile");
	$swapping->kill_kill;
	is($node->safe_psql('postgres',
			q(SELECT string_agg(DISTINCT whose, ', ') FROM ran WHERE whose <> 'mallory')), '',
		"$name: nothing of another role's view has run");
}

$node->stop;
done_testing();
