# On minors whose server can lose foreign keys when partitions are attached or detached, move_table.psql and
# merge_partitions.psql refuse tables that have any to a table that is or becomes partitioned.

use strict;
use warnings;

use File::Basename qw(basename dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
plan skip_all => 'no minor of this major has the fault'
	if sql('postgres', q(SELECT current_setting('server_version_num')::int / 10000)) > 17;

my $directory = PostgreSQL::Test::Utils::tempdir() . '/mended_later';
my $later = 0;

# the recipes, as if the fault had been mended in minors that have yet to come
mkdir $directory or die;
foreach my $file (glob(dirname(__FILE__) . '/../../../doc/recipes/*.psql'))
{
	my $text = slurp_file($file);

	$later += $text =~ s/ARRAY\[150009, 160005, 170001\]/ARRAY[150999, 160999, 170999]/;
	append_to_file("$directory/" . basename($file), $text);
}
is($later, 1, 'one place has the minors');

empty_shop();
sql('shop', q(
	SET ROLE keeper;
	CREATE TABLE shop.sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7());
	CREATE TABLE shop.items (sale_id uuid REFERENCES shop.sales);
	CREATE TABLE shop.visits (id uuid PRIMARY KEY, sale_id uuid REFERENCES shop.sales) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_create('shop.visits', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day');
	CREATE TABLE shop.looks (visit_id uuid REFERENCES shop.visits);
	CREATE TABLE shop.lists (id uuid PRIMARY KEY, sale_id uuid REFERENCES shop.sales) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_create('shop.lists', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day');
	CREATE TABLE shop.notes (id uuid PRIMARY KEY DEFAULT gen_uuidv7())));

foreach (
	[ 1, move_table => 'sales', into => 'partitions' ],
	[ 0, move_table => 'sales', into => 'table' ],
	[ 1, move_table => 'visits', into => 'table' ],
	[ 0, move_table => 'notes', into => 'partitions' ],
	[ 0, move_table => 'lists', into => 'table' ],
	[ 0, merge_partitions => 'lists', start => '2026-01-01 00:00+00', step => '4 days' ],
	[ 1, merge_partitions => 'visits', start => '2026-01-01 00:00+00', step => '4 days' ])
{
	my ($refused, $recipe, $table, %told) = @$_;
	my $play = sub {
		return step(new_recipe(file => "$recipe.psql", directory => $_[1]), { database => 'shop' }, $_[0],
			variables => { table => "shop.$table", $_[0] eq 'prepare' ? %told : () })
	};
	my $said = $play->('prepare', $directory)->{said};

	if ($refused)
	{
		like($said, pattern(
			qr/WARNING:  PostgreSQL \d+\.\d+\S* [^\n]*can lose foreign keys when partitions are attached /s,
			qr/or detached: first update the server to \d+\.999 or later\n/s,
			qr/.*ERROR:  the rows cannot be moved like this/s),
			"$recipe of $table is refused");
		is($play->('prepare', undef)->{status}, 0, 'and not on a minor without the fault');
	}
	else
	{
		like($said, qr/^prepare is done\.$/m, "$recipe of $table is not refused");
	}
	is($play->('back', $directory)->{status}, 0, 'undone');
}

# What another minor has begun has its way back.
sub moved
{
	return step(new_recipe(file => 'move_table.psql', directory => $_[1]), { database => 'shop' }, $_[0],
		variables => { table => 'shop.sales', $_[0] eq 'prepare' ? (into => 'partitions') : () });
}
each_succeeds(sub { moved($_[0], undef) }, 'a minor without the fault', qw(prepare fill switch));
each_succeeds(sub { moved($_[0], $directory) }, 'one with it', qw(back back));

done_testing();
