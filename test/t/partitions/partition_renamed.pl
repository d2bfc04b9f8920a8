# Before each command of an owner's upkeep, the owner of the schemas tries to give their names
# to others.  A name means the same table until the call has ended, and the call does its work.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('renamed');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
plan skip_all => 'dblink is not installed'
  if $node->safe_psql('postgres', q(SELECT count(*) FROM pg_available_extensions WHERE name = 'dblink')) eq '0';

# An event trigger is where a command has its names, and has not yet looked for them.
my $mallory = $node->connstr('postgres') =~ s{'}{''}gr . ' user=mallory';
$node->safe_psql(
	'postgres', qq(
	CREATE EXTENSION uidext;
	CREATE EXTENSION dblink;
	CREATE ROLE mallory LOGIN;
	CREATE ROLE victim LOGIN;
	GRANT CREATE ON DATABASE postgres TO mallory;
	CREATE TABLE tried (tag text, how text);
	CREATE TABLE swapped (schema name);
	CREATE FUNCTION swap() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS \$\$
	DECLARE
		answer text := 'none';
		schema name;
	BEGIN
		IF session_user <> 'victim' THEN RETURN; END IF;
		PERFORM dblink_connect('swapper', '$mallory');
		PERFORM dblink_exec('swapper', 'SET lock_timeout = ''20ms''');
		FOR schema IN SELECT s.schema FROM swapped s LOOP
			answer := dblink_exec('swapper', format('BEGIN; ALTER SCHEMA %1\$I RENAME TO aside;
				ALTER SCHEMA fake_%1\$I RENAME TO %1\$I; ALTER SCHEMA aside RENAME TO fake_%1\$I; COMMIT', schema), false);
			PERFORM dblink_exec('swapper', 'ROLLBACK', false);
			-- what the transaction notes goes with it when it fails
			PERFORM dblink_exec('swapper', format('INSERT INTO tried VALUES (%L, %L)', tg_tag || ' ' || schema, answer));
		END LOOP;
		PERFORM dblink_disconnect('swapper');
	END \$\$;
	GRANT ALL ON tried TO mallory;
	SET ROLE mallory;
));
sub new_tables
{
	my (@swapped) = @_;

	$node->safe_psql('postgres', q(
		SET client_min_messages = error;
		DROP EVENT TRIGGER IF EXISTS swap;
		DROP SCHEMA IF EXISTS sales, fake_sales, models, fake_models CASCADE;
		TRUNCATE tried;
		SET ROLE mallory;
		CREATE SCHEMA sales;
		CREATE SCHEMA fake_sales;
		CREATE SCHEMA models;
		CREATE SCHEMA fake_models;
		GRANT ALL ON SCHEMA sales, fake_sales, models, fake_models TO victim;
		CREATE TABLE fake_models.order_model (id uuid PRIMARY KEY, customer int CONSTRAINT planted CHECK (customer > 0));
		CREATE TABLE fake_sales.orders_2020_02 (id uuid PRIMARY KEY, customer int);
		CREATE TABLE fake_sales.orders_2020_03 (id uuid PRIMARY KEY, customer int);
		CREATE TABLE fake_sales.orders (id uuid PRIMARY KEY, customer int) PARTITION BY RANGE (id);
		GRANT ALL ON ALL TABLES IN SCHEMA fake_sales, fake_models TO victim;
		RESET ROLE;
		SET ROLE victim;
		CREATE TABLE models.order_model (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), customer int);
		GRANT SELECT ON models.order_model TO PUBLIC;
		CREATE TABLE sales.orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), customer int) PARTITION BY RANGE (id);
		SELECT uuid_partition_create('sales.orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
		CREATE TABLE sales.orders_rest PARTITION OF sales.orders DEFAULT;
		CREATE TABLE models.items (order_id uuid, item int, PRIMARY KEY (order_id, item)) PARTITION BY RANGE (order_id);
		SELECT count(*) FROM uuid_partition_follow('models.items', 'sales.orders');
		CREATE TABLE models.payments (order_id uuid REFERENCES sales.orders);
		INSERT INTO sales.orders VALUES (uuid_boundary('2020-02-05 00:00+00'), 1);
		RESET ROLE;
		CREATE EVENT TRIGGER swap ON ddl_command_start EXECUTE FUNCTION swap()));
	$node->safe_psql('postgres', "TRUNCATE swapped; INSERT INTO swapped SELECT unnest(string_to_array('@swapped', ' '))");
	return $node->safe_psql('postgres', q(SELECT 'sales.orders'::regclass::oid));
}

sub as_victim
{
	my ($sql) = @_;
	my ($status, $out, $said) = $node->psql('postgres', "SET client_min_messages = error;\n$sql",
		connstr => $node->connstr('postgres') . ' user=victim');
	return $out . $said;
}

new_tables('sales', 'models');
as_victim('CREATE TABLE sales.plain (LIKE models.order_model)');
is($node->safe_psql('postgres', q(SELECT count(*) FROM tried WHERE how = 'COMMIT')), 2,
	'before a CREATE TABLE of his own both schemas change their names');

my @calls = (
	[ 'create', q(
			SELECT count(*)
			FROM uuid_partition_create(ORDERS, '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month')), '1' ],
	[ 'create by a template', q(
		SELECT count(*)
		FROM uuid_partition_create(ORDERS, '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month',
		template => (SELECT oid FROM pg_class WHERE relname = 'order_model' AND relowner = 'victim'::regrole))), '1' ],
	[ 'follow', q(
		SELECT string_agg(action || coalesce(problem, ''), ', ')
		FROM uuid_partition_follow(
			(SELECT oid FROM pg_class WHERE relname = 'items' AND relkind = 'p'), ORDERS)),
		'created', q(
		ALTER EVENT TRIGGER swap DISABLE;
		SET ROLE victim;
		SELECT uuid_partition_create('sales.orders', '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month');
		RESET ROLE;
		ALTER EVENT TRIGGER swap ENABLE) ],
	[ 'drop', q(
		SELECT string_agg(action || coalesce(problem, ''), ', ')
		FROM uuid_partition_maintain(ORDERS, '1 month', 0, keep => '1 year',
		followers => ARRAY[(SELECT oid FROM pg_class WHERE relname = 'items' AND relkind = 'p')])), 'created, dropped, dropped' ],
	[ 'drain', q(CALL uuid_partition_drain(ORDERS, '1 month'); SELECT count(*) FROM sales.orders_2020_02), '1' ]);

foreach (@calls)
{
	my ($name, $call, $wanted, $before) = @$_;
	my $orders = new_tables($name =~ /template/ ? 'models' : ('sales', 'models'));

	$node->safe_psql('postgres', $before) if $before;
	$call =~ s/ORDERS/$orders/;
	like(as_victim($call), qr/^(created, )*\Q$wanted\E$/, "$name: the call does its work");
	is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_constraint c JOIN pg_class t ON t.oid = conrelid
		WHERE conname = 'planted' AND pg_get_userbyid(t.relowner) = 'victim')), 0, "$name: nothing of another table is copied");
	is($node->safe_psql('postgres', q(
			SELECT count(*)
			FROM pg_constraint c
			JOIN pg_class t ON t.oid = confrelid
			WHERE pg_get_userbyid(t.relowner) = 'mallory')), 0,
		"$name: no key refers to another table");
	isnt($node->safe_psql('postgres', 'SELECT count(*) FROM tried'), 0, "$name: there were commands before which they could have");
}

# A GRANT that has not committed has made a newer row of the schema.
new_tables();
my ($granting, $holding) = map { $node->background_psql('postgres') } 1 .. 2;
$granting->query_safe('BEGIN; GRANT USAGE ON SCHEMA sales TO pg_monitor');
$holding->query_safe(q(SET ROLE victim; BEGIN; SELECT uidext_internal.hold_names(ARRAY['sales.orders'::regclass])));
$granting->query_safe('COMMIT');
isnt($node->psql('postgres', q(SET lock_timeout = '20ms'; ALTER SCHEMA sales RENAME TO aside)), 0,
	'beside a GRANT on the schema its name is held, too');
$_->quit foreach $granting, $holding;

$node->stop;
done_testing();
