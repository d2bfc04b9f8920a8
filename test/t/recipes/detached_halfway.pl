# A partition whose DETACH CONCURRENTLY did not end keeps its rows, and queries of its table do not see them:
# move_table.psql would drop them with the old table, merge_partitions.psql cannot merge them, and change_key.psql would
# give them no new key.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $shop = empty_shop();

sub keeper { return sql('shop', "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub refuses_until_finalized
{
	my ($play, $what, $step, $table, $partition) = @_;
	my $command = "ALTER TABLE shop.$table DETACH PARTITION shop.$partition FINALIZE";

	detach_halfway($shop, "shop.$table", "shop.$partition");
	my $said = is_refused_by($play, $what, $step, pattern(
		qr/partition shop\.$partition waits to be detached, and its table does not show its rows: /,
		qr/$command\n/));
	keeper($command);
	return $said;
}

# of the table that is in use, and of the old one
{
	my $play = sub {
		return step(new_recipe(file => 'move_table.psql'), $shop, $_[0],
			variables => { table => 'shop.sales', $_[0] eq 'prepare' ? (into => 'table') : () });
	};
	my $rows = sub { return keeper("SELECT count(*) FROM $_[0]") };

	new_sales($shop, 'n int', 1);
	refuses_until_finalized($play, 'move_table', 'prepare', 'sales', 'sales_2026_01_01');
	is($rows->('sales') . ' ' . $rows->('sales_2026_01_01'), '67 23', 'no row is lost');
	each_succeeds($play, 'move_table', qw(prepare fill));
	refuses_until_finalized($play, 'move_table', 'switch', 'sales', 'sales_2026_01_02');
	is($rows->('sales') . ' ' . $rows->('sales_2026_01_02'), '43 24', 'nor then');
	keeper('DELETE FROM sales_move c WHERE NOT EXISTS (SELECT FROM sales t WHERE t.id = c.id)');
	each_succeeds($play, 'move_table', 'switch');
	# beside a default partition, which switch has made, the server detaches none like this
	keeper('DROP TABLE sales_move_default');
	detach_halfway($shop, 'shop.sales_move', 'shop.sales_2026_01_03');
	foreach my $step (qw(drop back))
	{
		is_refused_by($play, 'move_table', $step, qr/WARNING:  partition shop\.sales_2026_01_03 waits to be detached/);
	}
	is($rows->('sales') . ' ' . $rows->('sales_2026_01_03'), '43 24', 'nor of the old table');
	keeper('ALTER TABLE sales_move DETACH PARTITION sales_2026_01_03 FINALIZE');
}

# of the table whose partitions are merged
{
	my $play = sub {
		return step(new_recipe(file => 'merge_partitions.psql'), $shop, $_[0],
			variables => { table => 'shop.sales', $_[0] eq 'prepare' ? (start => '2026-01-01 00:00+00', step => '4 days') : () });
	};

	keeper('DROP TABLE sales_move, sales_2026_01_01, sales_2026_01_02, sales_2026_01_03');
	new_sales($shop, 'n int', 1);
	refuses_until_finalized($play, 'merge_partitions', 'prepare', 'sales', 'sales_2026_01_01');
	keeper('DROP TABLE sales_2026_01_01');
	each_succeeds($play, 'merge_partitions', qw(prepare fill));
	my $said = refuses_until_finalized($play, 'merge_partitions', 'switch', 'sales', 'sales_2026_01_02');
	unlike($said, qr/alone has this/, 'and nothing else');
}

# of a table that refers to the key
{
	my $play = sub {
		return step(new_recipe(file => 'change_key.psql'), $shop, $_[0],
			variables => { table => 'shop.orders', $_[0] eq 'prepare' ? (from => 'number') : () });
	};

	keeper(q(
		CREATE TABLE orders (id bigint PRIMARY KEY);
		CREATE TABLE items (order_id bigint REFERENCES orders, n int) PARTITION BY LIST (n);
		CREATE TABLE items_0 PARTITION OF items FOR VALUES IN (0);
		CREATE TABLE items_1 PARTITION OF items FOR VALUES IN (1);
		INSERT INTO orders SELECT generate_series(1, 9);
		INSERT INTO items SELECT id, id % 2 FROM orders));
	refuses_until_finalized($play, 'change_key', 'prepare', 'items', 'items_0');
	each_succeeds($play, 'change_key', 'prepare');
}

done_testing();
