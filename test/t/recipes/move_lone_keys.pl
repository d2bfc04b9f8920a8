# move_table.psql when, after its switch, somebody gives foreign keys to partitions alone: each
# month of items one to that month of sales, or a month one to another table.  No step gives
# such a key to a whole table, and drop does not wait for it.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $shop = new_shop('lone', 'bigint', q(nextval('play.n')), identity => 1);
my $recipe = new_recipe(file => 'move_table.psql');

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	my ($step) = @_;
	return step($recipe, $shop, $step, variables => { table => 'shop.items',
		$step eq 'prepare' ? (into => 'partitions', step => '1 day') : () });
}

sub plays { return each_succeeds(\&play_step, 'move_table', @_) }

sub keys_of
{
	return keeper(qq(
		SELECT string_agg(conrelid::regclass || ' ' || confrelid::regclass, ', ' ORDER BY conrelid)
		FROM pg_constraint
		WHERE conparentid = 0 AND contype = 'f' AND conname = '$_[0]'));
}

keeper(q(
	CREATE TABLE sales (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE kinds (id int PRIMARY KEY);
	INSERT INTO kinds VALUES (1);
	SELECT count(*) FROM uuid_partition_create('sales', '2026-01-01 00:00+00', '2026-01-04 00:00+00', '1 day');
	INSERT INTO sales SELECT gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 hour') FROM generate_series(1, 70) n;
	CREATE TABLE items (order_id uuid REFERENCES sales, n int REFERENCES kinds, PRIMARY KEY (order_id, n));
	INSERT INTO items SELECT id, 1 FROM sales;
	CREATE TABLE gifts (order_id uuid, n int) PARTITION BY LIST (n); CREATE TABLE gifts_1 PARTITION OF gifts FOR VALUES IN (1);
	CREATE TABLE gifts_2 PARTITION OF gifts FOR VALUES IN (2); INSERT INTO gifts SELECT id, 1 FROM sales;
	ALTER TABLE gifts ADD CONSTRAINT kept FOREIGN KEY (order_id, n) REFERENCES items));
my $pair = 'items_2026_01_01 sales_2026_01_01, items_2026_01_02 sales_2026_01_02';
my $more = 'gifts_1 items';

keeper(q(
	ALTER TABLE gifts_1 ADD CONSTRAINT each FOREIGN KEY (order_id, n) REFERENCES items ON DELETE CASCADE;
	ALTER TABLE gifts_2 ADD CONSTRAINT each FOREIGN KEY (order_id, n) REFERENCES items));
like(play_step('prepare')->{said}, pattern(
	qr/WARNING:  foreign key each, which leads to the table, is of partition shop\.gifts_1 alone: .*/s,
	qr/WARNING:  foreign key each, which leads to the table, is of partition shop\.gifts_2 alone: /,
	qr/.*ERROR:  the rows cannot/s),
	'keys of one name that differ do not become one');
keeper('ALTER TABLE gifts_1 DROP CONSTRAINT each; ALTER TABLE gifts_2 DROP CONSTRAINT each');

# A key that each partition has by itself does not hold for those that come later.
keeper(q(
	ALTER TABLE gifts_1 ADD CONSTRAINT each FOREIGN KEY (order_id, n) REFERENCES items ON DELETE CASCADE;
	ALTER TABLE gifts_2 ADD CONSTRAINT each FOREIGN KEY (order_id, n) REFERENCES items ON DELETE CASCADE));
my ($whole) = is_refused_by(\&play_step, 'a key of each partition', 'prepare', pattern(
	qr/WARNING:  foreign key each, which leads to the table, is of partition shop\.gifts_1 and 1 others alone: /,
	qr/drop it until after do=drop, or give it to table shop\.gifts: ALTER TABLE shop\.gifts ADD CONSTRAINT each [^\n]*\n/))
	=~ /shop\.gifts: (.*)/;
keeper($whole);
is(keys_of('each'), 'gifts items', 'the command makes it one of all');
keeper('ALTER TABLE gifts DROP CONSTRAINT each');
plays(qw(prepare fill switch));
keeper(q(ALTER TABLE items_2026_01_01 ADD CONSTRAINT pair FOREIGN KEY (order_id) REFERENCES sales_2026_01_01;
	ALTER TABLE items_2026_01_02 ADD CONSTRAINT pair FOREIGN KEY (order_id) REFERENCES sales_2026_01_02;
	ALTER TABLE items_2026_01_03 ADD CONSTRAINT alone FOREIGN KEY (n) REFERENCES kinds;
	ALTER TABLE gifts_1 ADD CONSTRAINT more FOREIGN KEY (order_id, n) REFERENCES items));
like(play_step('back')->{said}, pattern(
	qr/WARNING:  foreign key more, which leads to the table, is of partition shop\.gifts_1 alone.*/s,
	qr/ERROR:  the rows cannot/s),
	'back does not give a key to a whole table');
plays(qw(switch));
is(keys_of('pair'), $pair, 'the keys of the months are as they were');
is(keys_of('alone'), 'items_2026_01_03 kinds', 'as is that of one month');
is(keys_of('more'), $more, 'and of one partition of another table');
is(keys_of('kept'), 'gifts items', 'whose own key is one of all');
plays('drop');
is(keys_of('pair'), $pair, 'drop keeps them, too');
is(keys_of('more'), $more, 'and the other');
is(keeper(q(SELECT count(*), to_regclass('items_move') FROM items)), '70|', 'all rows are there, and the old table is gone');

done_testing();
