# move_table.psql and foreign keys that are NOT VALID: prepare refuses them.  One that comes between the steps is proved, and
# back says which row violates it, and leaves it NOT VALID.  From 18 on that of a partitioned table can be so, too.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'move_table.psql');
my $shop = empty_shop();

sub keeper { return sql('shop', "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	my ($step) = @_;

	return step($recipe, $shop, $step,
		variables => { table => 'shop.orders', $step eq 'prepare' ? (into => 'partitions', step => '1 day') : () });
}

sub plays { return each_succeeds(\&play_step, @_) }

# The tables that have the key, and those where it is valid.
sub keys_are
{
	return keeper(q(
		SELECT string_agg(
			concat_ws(' ', conrelid::regclass, CASE WHEN NOT convalidated THEN 'not valid' END), ', '
			ORDER BY conrelid::regclass::text)
		FROM pg_constraint
		WHERE conname = 'ordered' AND confrelid = 'orders'::regclass));
}

my $key = 'ADD CONSTRAINT ordered FOREIGN KEY (order_id) REFERENCES orders';
my %kinds = ('a table' => '');
$kinds{'a partitioned table'} = 'PARTITION BY HASH (n);
	CREATE TABLE items_0 PARTITION OF items FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE items_1 PARTITION OF items FOR VALUES WITH (MODULUS 2, REMAINDER 1)'
	if sql('shop', q(SELECT current_setting('server_version_num')::int >= 180000)) eq 't';

foreach my $kind (sort keys %kinds)
{
	keeper(qq(
		DROP TABLE IF EXISTS items, orders;
		CREATE TABLE orders (id uuid PRIMARY KEY);
		INSERT INTO orders SELECT gen_uuidv7_at(now() - n * interval '8 hours') FROM generate_series(0, 27) n;
		CREATE TABLE items (order_id uuid, n int) $kinds{$kind};
		INSERT INTO items SELECT id, row_number() OVER () FROM orders;
		ALTER TABLE items $key NOT VALID));
	my $not_valid = keys_are();
	my $valid = $not_valid =~ s/ not valid//gr;
	isnt($valid, $not_valid, "$kind: a key that is NOT VALID");
	like(play_step('prepare')->{said}, qr/WARNING:  constraint ordered of table shop\.items is not valid/, 'is refused by prepare');
	keeper('ALTER TABLE items VALIDATE CONSTRAINT ordered');
	plays($kind, qw(prepare fill switch));
	is(keys_are(), $valid, 'after switch it is valid');
	keeper("
		ALTER TABLE items DROP CONSTRAINT ordered;
		INSERT INTO items VALUES ('00000000-0000-7000-8000-000000000000', 1000);
		ALTER TABLE items $key NOT VALID");
	my $result = play_step('back');
	is($result->{status}, 0, 'back, where one with a row that violates it has come') or diag($result->{said});
	like($result->{said},
		qr/WARNING:  [^\n]*violates foreign key constraint "ordered": it stays NOT VALID\. Key \(order_id\)=\(0{8}-0000-7/,
		'says which row this is');
	is(keys_are(), $not_valid, 'and the key is as it was');
	keeper('DELETE FROM items WHERE n = 1000');
	plays("$kind, without this row", 'switch');
	is(keys_are(), $valid, 'which proves the key');
	keeper("ALTER TABLE items DROP CONSTRAINT ordered, $key NOT VALID");
	plays("$kind, where one has come that no row violates", 'back');
	is(keys_are(), $valid, 'and is proved');
	plays($kind, 'back');
}

done_testing();
