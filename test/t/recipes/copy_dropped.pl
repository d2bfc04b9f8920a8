# move_table.psql and merge_partitions.psql, when somebody has dropped the other table by
# hand: the server leaves the triggers that write to it, so nobody can write.  Every step
# names the one that helps, and after that one the table is as if there had been no recipe.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $shop = new_shop('dropped', 'bigint', q(nextval('play.n')), identity => 1);
my @moves = qw(prepare fill switch drop);
my %variables = (
	move_table => { into => 'partitions', step => '1 day' },
	merge_partitions => { start => '2026-01-01 00:00+00', step => '4 days' });

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	my ($recipe, $step) = @_;
	return step(new_recipe(file => "$recipe.psql"), $shop, $step,
		variables => { table => 'shop.sales', $step eq 'prepare' ? %{ $variables{$recipe} } : () });
}

# Sales at a stage of a recipe.
sub at_stage
{
	my ($recipe, @steps) = @_;

	keeper('DROP TABLE IF EXISTS sales; CREATE TABLE sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int)'
		. ($recipe eq 'merge_partitions' ? 'PARTITION BY RANGE (id)' : ''));
	keeper(q(
		SELECT count(*)
		FROM uuid_partition_create('sales', '2026-01-01 00:00+00', '2026-01-10 00:00+00', '1 day')))
		if $recipe eq 'merge_partitions';
	keeper(q(
		INSERT INTO sales
		SELECT gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 hour'), n
		FROM generate_series(1, 90) n));
	foreach my $step (@steps)
	{
		my $result = play_step($recipe, $step);
		is($result->{status}, 0, "$recipe: $step") or diag($result->{said});
	}
	return;
}

sub error_of_writing
{
	my (undef, undef, $error) = $node->psql($shop->{database},
		q(
			SET ROLE keeper;
			INSERT INTO shop.sales VALUES (gen_uuidv7_at('2026-01-02 00:00+00'), 0);
			DELETE FROM shop.sales WHERE n = 0));
	return $error;
}

foreach ([ move_table => 'sales_move', 'back', [qw(prepare)] ], [ move_table => 'sales_move', 'back', [qw(prepare fill)] ],
	[ move_table => 'sales_move', 'drop', [qw(prepare fill switch)] ],
	[ merge_partitions => 'sales_merge', 'back', [qw(prepare)] ], [ merge_partitions => 'sales_merge', 'back', [qw(prepare fill)] ])
{
	my ($recipe, $copy, $way, $steps) = @$_;
	my $what = "$recipe after $steps->[-1], $copy dropped";

	at_stage($recipe, @$steps);
	keeper("DROP TABLE $copy");
	like(error_of_writing(), qr/ERROR:  relation "shop\.\w+" does not exist/, "$what: nobody can write");
	foreach my $step (grep { $_ ne $way } @moves, 'back')
	{
		my $result = play_step($recipe, $step);
		isnt($result->{status}, 0, "$what: $step is refused");
		like($result->{said},
			pattern(
				qr/ERROR:  table shop\.$copy, to which each write to table shop\.sales goes, too, is gone\n/,
				qr/HINT:  Nobody can write to table shop\.sales until you run do=$way\./),
			'and says which step helps');
	}
	my $result = play_step($recipe, $way);
	is($result->{status}, 0, "$what: $way") or diag($result->{said});
	unlike($result->{said}, qr/NOTICE/, 'tells nothing of what was not there');
	is(error_of_writing(), '', 'and rows are written');
	is(keeper(q(SELECT count(*) FROM sales)), 90, 'all rows are there');
	is(keeper(q(
			SELECT count(*)
			FROM pg_proc
			WHERE pronamespace = 'shop'::regnamespace AND proname ~ '^(move_table|merge_partitions)_')), 0,
		'no function is left');
}

# The small partitions after a merge: one by one, and all.
at_stage('merge_partitions', qw(prepare fill switch));
my @small = split /\n/, keeper(q(SELECT tgrelid::regclass FROM pg_trigger WHERE tgname = '00_merge_partitions' ORDER BY 1));
is(scalar(@small), 4, 'four partitions have been merged');
keeper('DROP TABLE ' . shift @small);
my $result = play_step('merge_partitions', 'drop');
like($result->{said}, pattern(
	qr/ERROR:  nothing has been changed.*DETAIL:  The small partitions are .*/s,
	qr/HINT:  Compare their rows with those of table \S+ yourself, drop them, and run do=drop again/s),
	'with one of them gone drop says how to go on');
keeper('DROP TABLE ' . join ', ', @small);
$result = play_step('merge_partitions', 'drop');
is($result->{status}, 0, 'with all of them gone drop takes the function away') or diag($result->{said});
is(keeper(q(SELECT count(*) FROM pg_proc WHERE proname ~ '^merge_partitions_sales')), 0, 'none is left');
is(error_of_writing(), '', 'and rows are written');
is(keeper(q(SELECT count(*) FROM sales)), 90, 'all rows are there');

done_testing();
