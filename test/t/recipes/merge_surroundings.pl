# move_table.psql and merge_partitions.psql refuse what is only known above the table, or beside it: a table that is a
# partition itself, and a publication of the schema in which partitions are.

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

# A table that is a partition itself, and then is none for the time being.
keeper(q(
	CREATE TABLE all_sales (id uuid NOT NULL, n int) PARTITION BY RANGE (id);
	ALTER TABLE all_sales ATTACH PARTITION sales FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-02-01 00:00+00'))));
is_refused_by(player('merge_partitions'), 'a table that is a partition itself', 'prepare', pattern(
	qr/WARNING:  table shop\.sales is itself a partition, and keys, bounds and publications of table shop\.all_sales would /,
	qr/get lost; detach it until after do=drop: ALTER TABLE shop\.all_sales DETACH PARTITION shop\.sales\n/));
keeper('ALTER TABLE all_sales DETACH PARTITION sales');
each_succeeds(player('merge_partitions'), 'detached', qw(prepare fill));
keeper(q(ALTER TABLE all_sales ATTACH PARTITION sales FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-02-01 00:00+00'))));
is_refused_by(player('merge_partitions'), 'attached too early', 'switch', qr/WARNING:  table shop\.sales is itself a partition/);
keeper('ALTER TABLE all_sales DETACH PARTITION sales');
each_succeeds(player('merge_partitions'), 'detached again', qw(switch drop));

done_testing();
