# uuid_partition_drain() runs no trigger of the default partition, whatever kind it
# is, and leaves all of them as they were.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('drain_triggers');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

my $month = "'2020-01-01 00:00+00'";
my $states = qq(
	SELECT string_agg(format('%s %s %s', tgrelid::regclass, tgname, tgenabled), ', ' ORDER BY tgrelid, tgname)
	FROM pg_trigger
	WHERE NOT tgisinternal AND tgrelid IN ('orders'::regclass, 'orders_rest'::regclass));

# Orders with a default partition that has rows of two months.
sub new_orders
{
	$node->safe_psql(
		'postgres', qq(
		SET client_min_messages = error;
		DROP TABLE IF EXISTS orders, seen;
		CREATE TABLE seen (trigger_name text, operation text);
		CREATE OR REPLACE FUNCTION note()
		RETURNS trigger
		LANGUAGE plpgsql AS '
			BEGIN INSERT INTO public.seen VALUES (TG_NAME, TG_OP); RETURN coalesce(NEW, OLD); END';
		CREATE OR REPLACE FUNCTION forbid() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''orders are never deleted''; END';
		CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int) PARTITION BY RANGE (id);
		CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
		INSERT INTO orders SELECT gen_uuidv7_at(timestamptz $month + n * interval '20 days'), n FROM generate_series(1, 3) n;
	));
	return;
}

# Drains, and says what came of it.
sub drains
{
	my ($name, $role) = @_;
	my $before = $node->safe_psql('postgres', $states);
	$role //= 'origin';
	# a statement by itself, as a drain commits
	my ($status, $stdout, $stderr) = $node->psql('postgres',
		"SET session_replication_role = $role;\nCALL uuid_partition_drain('orders', '1 month');");

	unlike($stderr, qr/WARNING|ERROR/, "$name: the drain has nothing to complain of");
	is($node->safe_psql('postgres', 'SELECT count(*), sum(n) FROM orders'), '3|6', "$name: all rows are there");
	is($node->safe_psql('postgres', 'SELECT count(*) FROM orders_rest'), '0', "$name: none is in the default partition");
	is($node->safe_psql('postgres', 'SELECT string_agg(DISTINCT trigger_name, $$, $$) FROM seen'), '', "$name: no trigger has run");
	is($node->safe_psql('postgres', $states), $before, "$name: the triggers are enabled or disabled as before");
	return;
}

my @kinds = map { my $time = $_; map { my $event = $_; map { [ $time, $event, $_ ] } $event eq 'TRUNCATE' ? ('STATEMENT')
	: ('ROW', 'STATEMENT') } qw(INSERT UPDATE DELETE TRUNCATE) } qw(BEFORE AFTER);

# All kinds at once, in each of the four states.
foreach my $state ('ENABLE', 'ENABLE ALWAYS', 'ENABLE REPLICA', 'DISABLE')
{
	foreach my $role (qw(origin replica))
	{
		new_orders();
		foreach my $kind (@kinds)
		{
			my ($time, $event, $each) = @$kind;
			my $trigger = lc "${time}_${event}_$each";

			$node->safe_psql('postgres', "CREATE TRIGGER $trigger $time $event ON orders_rest FOR EACH $each EXECUTE FUNCTION note();
				ALTER TABLE orders_rest $state TRIGGER $trigger");
		}
		drains("triggers of the default partition, $state, session_replication_role $role", $role);
	}
}

# What the table's own triggers have made of the default partition.
foreach my $state ('ENABLE', 'ENABLE ALWAYS')
{
	new_orders();
	foreach my $kind (grep { $_->[2] eq 'ROW' } @kinds)
	{
		my ($time, $event) = @$kind;
		my $trigger = lc "${time}_$event";

		$node->safe_psql('postgres',
			qq(
				CREATE TRIGGER $trigger $time $event ON orders FOR EACH ROW EXECUTE FUNCTION note();
				ALTER TABLE orders $state TRIGGER $trigger));
	}
	drains("triggers of the table, $state");
	$node->safe_psql('postgres', "INSERT INTO orders VALUES (gen_uuidv7_at($month), 0)");
	is($node->safe_psql('postgres', "SELECT string_agg(trigger_name, ', ' ORDER BY trigger_name) FROM seen"),
		'after_insert, before_insert',
		"triggers of the table, $state: they run for rows that come afterwards");
}

# Old rows as a table.
new_orders();
$node->safe_psql(
	'postgres', q(
	CREATE FUNCTION note_all()
	RETURNS trigger
	LANGUAGE plpgsql AS 'BEGIN INSERT INTO public.seen SELECT TG_NAME, TG_OP FROM gone; RETURN NULL; END';
	CREATE TRIGGER with_rows AFTER DELETE ON orders_rest REFERENCING OLD TABLE AS gone
	FOR EACH STATEMENT
	EXECUTE FUNCTION note_all();
	CREATE CONSTRAINT TRIGGER at_the_end AFTER DELETE ON orders_rest DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW
	EXECUTE FUNCTION note()));
drains('triggers with the old rows, and at the end of the transaction');

# One that forbids what a drain does.
foreach my $kind ('BEFORE DELETE ON orders_rest FOR EACH ROW', 'BEFORE DELETE ON orders_rest FOR EACH STATEMENT',
	'BEFORE TRUNCATE ON orders_rest FOR EACH STATEMENT')
{
	new_orders();
	$node->safe_psql('postgres', "CREATE TRIGGER forbid $kind EXECUTE FUNCTION forbid()");
	drains("a trigger that forbids it, $kind");
	my ($status, $stdout, $stderr) = $node->psql('postgres', $kind =~ /TRUNCATE/ ? 'TRUNCATE orders_rest'
		: "INSERT INTO orders VALUES (gen_uuidv7_at('2040-01-01 00:00+00')); DELETE FROM orders_rest");
	like($stderr, qr/orders are never deleted/, "a trigger that forbids it, $kind: it does so afterwards");
}

# A drain that fails leaves them as they were, too.
new_orders();
$node->safe_psql('postgres', q(CREATE TRIGGER keep BEFORE DELETE ON orders_rest FOR EACH STATEMENT EXECUTE FUNCTION note();
	ALTER TABLE orders_rest ENABLE ALWAYS TRIGGER keep; CREATE TABLE orders_2020_01 ()));
my $before = $node->safe_psql('postgres', $states);
$node->psql('postgres', "CALL uuid_partition_drain('orders', '1 month')");
is($node->safe_psql('postgres', $states), $before, 'after a drain that fails in part triggers are enabled as before');
$node->safe_psql('postgres', 'DROP TABLE orders_2020_01');

# What a partition has of its own holds for rows that come to it, also where it waits for
# the end of the transaction otherwise.
foreach my $when ('IMMEDIATE', 'DEFERRED')
{
	new_orders();
	$node->safe_psql('postgres', "SELECT uuid_partition_create('orders', '2026-01-01 00:00+00', '2026-02-01 00:00+00', '1 month');
		ALTER TABLE orders_2026_01 ADD UNIQUE (n) DEFERRABLE INITIALLY $when;
		INSERT INTO orders VALUES (gen_uuidv7_at($month), 4), (gen_uuidv7_at($month), 4)");
	my ($status, $stdout, $stderr) = $node->psql('postgres', "CALL uuid_partition_drain('orders', '1 month')");
	like($stderr, qr/23505: duplicate key value/, "a deferrable constraint, INITIALLY $when: it holds for rows that move");
	is($node->safe_psql('postgres', 'SELECT count(*) FROM orders_rest'), '3',
		"a deferrable constraint, INITIALLY $when: rows that break it stay");
}

# A CHECK of the key that the newest partition alone has is for its own period.
new_orders();
$node->safe_psql('postgres', "SELECT uuid_partition_create('orders', '2026-01-01 00:00+00', '2026-02-01 00:00+00', '1 month');
	ALTER TABLE orders_2026_01 ADD CONSTRAINT own CHECK (
		id >= uuid_boundary('2026-01-01 00:00+00') AND id < uuid_boundary('2026-02-01 00:00+00'))");
drains('the newest partition has a CHECK of the key for its own period');

# Rows that a transaction has just inserted are looked at when it ends.
new_orders();
$node->safe_psql('postgres', 'CREATE TABLE customers (n int PRIMARY KEY); INSERT INTO customers VALUES (1), (2), (3);
	ALTER TABLE orders ADD FOREIGN KEY (n) REFERENCES customers DEFERRABLE INITIALLY DEFERRED');
my ($status, $stdout, $stderr) = $node->psql('postgres',
	"DO \$\$ BEGIN INSERT INTO orders VALUES (gen_uuidv7_at($month), 99); CALL uuid_partition_drain('orders', '1 month'); END \$\$");
isnt($status, 0, 'a row without what it refers to, and a drain in one transaction: it is refused');
is($node->safe_psql('postgres', 'SELECT count(*) FROM orders WHERE n = 99'), '0', 'and the row is not there');
$node->safe_psql('postgres', 'DROP TABLE orders, customers');

new_orders();
($status, $stdout, $stderr) = $node->psql('postgres',
	"SET default_transaction_isolation = 'repeatable read';\nCALL uuid_partition_drain('orders', '1 month')");
is($node->safe_psql('postgres', 'SELECT count(*) FROM orders_rest'), '0',
	'a drain moves rows whatever isolation level transactions have by default');

# Below a divided partition columns may have another order.
new_orders();
$node->safe_psql(
	'postgres', q(
	ALTER TABLE orders DROP CONSTRAINT orders_pkey;
	CREATE TABLE orders_2026_01 PARTITION OF orders
	FOR VALUES FROM (uuid_boundary('2026-01-01 00:00+00')) TO (uuid_boundary('2026-02-01 00:00+00'))
	PARTITION BY LIST (n);
	CREATE TABLE orders_2026_01_all (n int, gone int, id uuid NOT NULL);
	ALTER TABLE orders_2026_01_all DROP COLUMN gone;
	ALTER TABLE orders_2026_01 ATTACH PARTITION orders_2026_01_all DEFAULT));
drains('columns in another order');

$node->stop;
done_testing();
