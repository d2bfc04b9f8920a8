# move_table.psql and merge_partitions.psql refuse a publication of the schema in which partitions are: it would
# lose their rows.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $shop = empty_shop();
my %variables = (
	move_table => [ into => 'table' ],
	merge_partitions => [ start => '2026-01-01 00:00+00', step => '4 days' ]);

sub keeper { return sql('shop', "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub player
{
	my ($recipe) = @_;
	return sub {
		return step(new_recipe(file => "$recipe.psql"), $shop, $_[0],
			variables => { table => 'shop.sales', $_[0] eq 'prepare' ? @{ $variables{$recipe} } : () });
	};
}

# Changes of these partitions are published because of where they are; the tables that the recipes make are elsewhere.
new_sales($shop, 'n int', 1);
sql('shop', q(
	CREATE SCHEMA archive AUTHORIZATION keeper;
	SELECT format('ALTER TABLE %s SET SCHEMA archive', partition) FROM uuid_partition_list('shop.sales') \gexec
	CREATE PUBLICATION archived FOR TABLES IN SCHEMA archive));
foreach my $recipe (sort keys %variables)
{
	is_refused_by(player($recipe), "$recipe, partitions in a schema that is published", 'prepare', pattern(
		qr/WARNING:  partition archive\.sales_2026_01_01 is published with its schema: publish the table itself, /,
		qr/and ALTER PUBLICATION archived DROP TABLES IN SCHEMA archive\n/));
}
sql('shop', 'ALTER PUBLICATION archived DROP TABLES IN SCHEMA archive');
each_succeeds(player('merge_partitions'), 'then', qw(prepare back));

done_testing();
