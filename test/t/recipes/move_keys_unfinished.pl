# move_table.psql between the exchange of the tables and the end of switch, when before 18 each partition has foreign keys
# of its own: a partition that comes then, rows that violate a key, and a server without room for the locks of the rest.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $shop = new_shop('unfinished', 'bigint', q(nextval('play.n')), identity => 1);
my %recipes = map { ($_ => new_recipe(file => "$_.psql")) } qw(move_table merge_partitions);
my $old_server = sql($shop->{database}, q(SELECT current_setting('server_version_num')::int < 180000)) eq 't';
sql($shop->{database}, 'CREATE SCHEMA trade AUTHORIZATION keeper');

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = trade, public; $_[0]") }

sub play_step
{
	my ($step, %how) = @_;
	my %begin = $step eq 'prepare' ? (into => 'partitions', step => '1 day', ahead => 1) : ();
	return step($recipes{move_table}, $shop, $step, variables => { table => 'trade.items', %begin }, %how);
}

sub plays { return each_succeeds(\&play_step, 'move_table', @_) }

# Stopped when it has exchanged the tables.
sub stops_halfway
{
	my $exchanged;

	isnt(play_step('switch', between => sub {
			my $stop = $exchanged; $exchanged ||= $_[0] =~ /exchange_tables/; return $stop ? 'x' : undef
		})->{status}, 0,
		'switch stops when it has exchanged the tables');
	return;
}

# Partitions of the items by what is their key to the orders.
sub keys_are
{
	return keeper(q(SELECT string_agg(format('%s %s', how, n), ', ' ORDER BY how) FROM (
		SELECT CASE
				WHEN c.oid IS NULL THEN 'none'
				WHEN NOT convalidated THEN 'not valid'
				WHEN conparentid > 0 THEN 'of all'
				ELSE 'of one'
				END AS how, count(*) AS n
		FROM pg_partition_tree('items')
		LEFT JOIN pg_constraint c ON conrelid = relid
			AND conname = 'ordered'
			AND contype = 'f'
			AND confrelid = 'orders'::regclass
		WHERE isleaf GROUP BY 1) AS found));
}

keeper(q(CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_create('orders', date_trunc('day', now() - interval '9 days', 'UTC'), now(), '1 day');
	INSERT INTO orders SELECT gen_uuidv7_at(now() - n * interval '8 hours') FROM generate_series(0, 27) n;
	CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)); INSERT INTO items SELECT id, 1 FROM orders;
	ALTER TABLE items ADD CONSTRAINT ordered FOREIGN KEY (order_id) REFERENCES orders ON DELETE CASCADE;
	COMMENT ON CONSTRAINT ordered ON items IS 'no item alone'));
my $new_day = q(
	SELECT count(*)
	FROM uuid_partition_create(
		'items', date_trunc('day', now() + interval '3 days', 'UTC'), now() + interval '3 days', '1 day'));
my $orphan = q(gen_uuidv7_at(date_trunc('day', now() + interval '3 days', 'UTC') + interval '1 hour'));
my $parts = 11;

SKIP:
{
	skip 'a partitioned table takes keys that are not valid', 1 unless $old_server;

	# Commands that alter partitions with the key, also those that are undone.
	sql($shop->{database}, q(
		CREATE SEQUENCE public.altered;
		GRANT USAGE ON SEQUENCE public.altered TO PUBLIC;
		CREATE FUNCTION public.count_altered() RETURNS event_trigger LANGUAGE plpgsql AS '
			BEGIN
				PERFORM nextval($$public.altered$$)
				FROM pg_event_trigger_ddl_commands()
				JOIN pg_class c ON c.oid = objid
				JOIN pg_constraint ON conrelid = c.oid AND conname = $$ordered$$
				WHERE relispartition;
			END';
		CREATE EVENT TRIGGER altered ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION public.count_altered()));
	plays('prepare');
	cmp_ok(sql($shop->{database}, 'DROP EVENT TRIGGER altered; SELECT last_value FROM public.altered'), '<',
		$parts, 'the trial of prepare makes the key of one partition');
	plays('fill');

	# A partition that came.
	stops_halfway();
	keeper($new_day);
	is(keys_are(), "none 1, not valid $parts", 'a partition that comes then has no key');
	plays('switch');
	is(keys_are(), "of all @{[ $parts + 1 ]}", 'switch gives it the key');
	is(keeper(q(
			SELECT obj_description(oid)
			FROM pg_constraint
			WHERE conrelid = 'items'::regclass AND conname = 'ordered')), 'no item alone',
		'which has its comment');
	plays(qw(back back));

	# One with rows that violate the key.
	plays(qw(prepare fill));
	stops_halfway();
	keeper("$new_day; INSERT INTO items VALUES ($orphan, 7)");
	my $violated = pattern(
		qr/ERROR:  insert or update on table "items_\d+_\d+_\d+" violates foreign key constraint /,
		qr/"ordered"\n/,
		qr/DETAIL:  Key \(order_id\)=\(\S+\) is not present in table "orders".\n/,
		qr/HINT:  The row came while foreign keys were not checked. Delete it/);
	like(play_step('switch')->{said}, $violated, 'switch says which row violates the key') foreach 1, 2;
	like(play_step('drop')->{said},
		qr/ERROR:  nothing has been changed, because the tables are not switched, or foreign keys not proved/,
		'drop refuses');
	my $result = play_step('back');
	is($result->{status}, 0, 'back goes back') or diag($result->{said});
	like($result->{said},
		qr/WARNING:.*violates foreign key constraint "ordered": it stays NOT VALID. Key \(order_id\)/,
		'and warns');
	is(keeper(q(
			SELECT convalidated, count(*) OVER ()
			FROM pg_constraint
			WHERE conrelid = 'items'::regclass AND contype = 'f' AND conparentid = 0)), 'f|1',
		'the key is not valid');
	keeper('DELETE FROM items WHERE n = 7; ALTER TABLE items VALIDATE CONSTRAINT ordered');
	plays('back');
}

SKIP:
{
	skip 'a partitioned table takes keys that are not valid', 1 unless $old_server;
	my $no_room = 'a step locks \d+ relations, more than the server has room for: set max_locks_per_transaction to '
			. '(\d+), and restart it';

	with_locks(10);
	my $said = play_step('prepare')->{said};
	like($said, qr/WARNING:  $no_room\n.*Nothing has been changed/s,
		'prepare foretells the locks for the key of all partitions to all partitions');
	my ($enough) = $said =~ /$no_room/;
	with_locks($enough);
	plays(qw(prepare fill));
	with_locks(10);
	like(play_step('switch')->{said}, qr/WARNING:  $no_room\n.*Nothing has been changed/s, 'so does switch');
	with_locks($enough);
	stops_halfway();
	with_locks(10);
	like(play_step('switch')->{said}, pattern(
		qr/ERROR:  $no_room\n.*HINT:  The tables are exchanged already. Run this step again when the /s,
		qr/server has room/s),
		'a switch that has exchanged the tables says what it needs');
	is(keys_are(), "of one $parts", 'and each partition has its key');

	# What keeps it from going back is known before it takes keys off, or they come back.
	my $other = keeper(q(
		DELETE FROM items_move
		WHERE n = 1 AND order_id = (SELECT order_id FROM items_move LIMIT 1)
		RETURNING order_id));
	my $said_back = play_step('back')->{said};
	like($said_back, pattern(
		qr/ERROR:  nothing has been changed, because 1 rows of tables trade\.items and trade\.items_move /,
		qr/differ/),
		'a back that finds rows that differ fails');
	unlike($said_back, qr/they go one after the other/, 'before it has taken off a key');
	is(keys_are(), "of one $parts", 'and each partition has its key');
	keeper("INSERT INTO items_move VALUES ('$other', 1); CREATE MATERIALIZED VIEW late AS SELECT n FROM items");
	$said_back = play_step('back')->{said};
	like($said_back, pattern(
		qr/NOTICE:  the server has no room.*ERROR:  the rows cannot be moved like this.*/s,
		qr/ERROR:  back has failed: the error before this one says why/s),
		'one that fails when keys are off');
	is(keys_are(), "of one $parts", 'gives them back');
	keeper('DROP MATERIALIZED VIEW late');
	my $result = play_step('back');
	is($result->{status}, 0, 'back needs no more locks than there are') or diag($result->{said});
	like($result->{said},
		qr/NOTICE:  the server has no room to take off foreign keys of all partitions at once/,
		'and says how it goes');
	is(keeper(q(
			SELECT convalidated, obj_description(oid)
			FROM pg_constraint
			WHERE conrelid = 'items'::regclass AND contype = 'f' AND conparentid = 0)), 't|no item alone',
		'the table has its key');
	with_locks($enough);
	plays(qw(fill switch drop));
	is(keys_are(), "of all $parts", 'with as much room as was said all goes');

	# The other recipe.
	with_locks(10);
	my %told = (variables => { table => 'trade.orders',
		start => keeper(q(SELECT date_trunc('day', now() - interval '3 days', 'UTC'))), step => '2 days' });
	like(step($recipes{merge_partitions}, $shop, 'prepare', %told)->{said},
		qr/WARNING:  $no_room\n.*ERROR:  the rows cannot/s, 'merge_partitions foretells them, too');
	with_locks($enough);
	is(step($recipes{merge_partitions}, $shop, $_, %told)->{status}, 0, "with so much room it goes: $_")
		foreach qw(prepare fill switch drop);
	is(keys_are(), "of all $parts", 'and the items have their key');
}

done_testing();
