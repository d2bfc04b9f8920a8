# change_key.psql, of a table with many partitions: with four times as many, fill does about four times as much, and
# does not read all of them again for each.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server(plans => 1);
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('parts', 'bigint', q(nextval('play.n')), identity => 1);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

# How many partitions were looked up, as the server counts.
sub looked_up
{
	Recipes::no_session($shop);
	sql($shop->{database}, 'SELECT pg_stat_force_next_flush()');
	return sql($shop->{database}, q(SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_sys_tables WHERE relname = 'pg_inherits'));
}

sub looked_up_by_fill
{
	my ($parts) = @_;
	my $count;

	keeper("DROP TABLE IF EXISTS items, sales CASCADE; CREATE TABLE sales (id bigint PRIMARY KEY);
		CREATE TABLE items (
			sale_id bigint REFERENCES sales, n int, a int, b int, c int, PRIMARY KEY (sale_id, n))
		PARTITION BY HASH (n);
		CREATE INDEX ON items (a, b, c, sale_id); CREATE INDEX ON items (c, b, a, sale_id); CREATE INDEX ON items (sale_id, a, b, c)");
	keeper("CREATE TABLE items_$_ PARTITION OF items FOR VALUES WITH (MODULUS $parts, REMAINDER $_)") foreach 0 .. $parts - 1;
	foreach my $step (qw(prepare fill back))
	{
		my $before = looked_up();
		my $result = step($recipe, $shop, $step, variables => { table => 'shop.sales', $step eq 'prepare' ? (from => 'number') : () });

		is($result->{status}, 0, "$parts partitions: $step") or diag($result->{said});
		$count = looked_up() - $before if $step eq 'fill';
	}
	return $count;
}

my ($few, $many) = map { looked_up_by_fill($_) } 10, 40;
cmp_ok($many, '<', 8 * $few, 'fill looks up partitions as much more often as there are more');
note("$few, then $many");

done_testing();
