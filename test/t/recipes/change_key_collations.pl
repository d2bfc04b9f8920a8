# change_key.psql, of keys that are texts, where a reference has another collation than its key: the server can compare
# neither with the other by itself, as a foreign key does by the collation of the key.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('collations', 'bigint', q(nextval('play.n')), identity => 1);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub error_of
{
	my (undef, undef, $error) = $node->psql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]");
	return $error;
}

my $code = 0;

# Rows of old code: a sale, and one that refers to it and whose item does so, too.
sub sells
{
	my ($what) = @_;
	my ($one, $two) = map { sprintf "'507f1f77bcf86cd7%08x'", ++$code } 1 .. 2;

	is(error_of("INSERT INTO sales VALUES ($one, $one), ($two, $one); INSERT INTO items VALUES ($two, 1);
		UPDATE items SET sale_id = $one WHERE sale_id = $two;
		UPDATE sales SET part_id = $two WHERE id = $two"), '', "$what rows are written");
	return;
}

foreach my $case ([ '"C"', '"POSIX"' ], [ '"POSIX"', '"default"' ], [ '"default"', '"C"' ])
{
	my ($key, $reference) = @$case;
	my $wrong = q(
		SELECT (SELECT count(*) FROM items JOIN sales ON uid = sale_uid WHERE id COLLATE "C" <> sale_id),
			(
				SELECT count(*)
				FROM sales s
				JOIN sales o ON o.uid = s.part_uid
				WHERE o.id COLLATE "C" <> s.part_id));

	keeper("
		DROP TABLE IF EXISTS items, sales;
		CREATE TABLE sales (id text COLLATE $key PRIMARY KEY,
			part_id text COLLATE $reference CONSTRAINT whole REFERENCES sales);
		CREATE TABLE items (sale_id text COLLATE $reference REFERENCES sales, n int)");
	keeper(q(
		INSERT INTO sales SELECT v, v FROM (VALUES ('507f191e810c19729de860ea')) AS k (v);
		INSERT INTO items SELECT id, 1 FROM sales));
	foreach my $step (qw(prepare fill switch drop))
	{
		my $result = step($recipe, $shop, $step,
			variables => { table => 'shop.sales', $step eq 'prepare' ? (from => 'objectid') : () });

		is($result->{status}, 0, "$key and $reference: $step") or diag($result->{said});
		last if $step eq 'drop';
		sells("after $step");
		is(keeper($wrong), '0|0', 'and lead to the right rows');
	}
	is(keeper('SELECT count(*), count(sale_uid) FROM items'), '4|4', 'no reference is lost');
}

done_testing();
