# move_table.psql and merge_partitions.psql, when columns of both tables are altered while
# rows are moved: no step goes on with a trigger that does not know a column, and
# do=prepare and do=fill are the way on, before a switch and after it.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $shop = new_shop('columns', 'bigint', q(nextval('play.n')), identity => 1);
my %variables = (
	move_table => { into => 'partitions', step => '1 day' },
	merge_partitions => { start => '2026-01-01 00:00+00', step => '4 days' });
my $recipe;

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	my ($step, %how) = @_;
	return step(new_recipe(file => "$recipe.psql"), $shop, $step,
		variables => { table => 'shop.sales', $step eq 'prepare' ? %{ $variables{$recipe} } : () }, %how);
}

sub plays { return each_succeeds(\&play_step, $recipe, @_) }

sub refuses
{
	my ($copy, @steps) = @_;

	foreach my $step (@steps)
	{
		like(play_step($step)->{said}, pattern(
			qr/ERROR:  nothing has been changed, because columns of table shop\.sales have changed since /,
			qr/do=prepare\n/,
			qr/HINT:  Alter table shop\.$copy in the same way, and run do=prepare and do=fill again\./),
			"$recipe: $step is refused");
	}
	return;
}

sub sales
{
	($recipe) = @_;
	return new_sales($shop, 'n int, old int', $recipe eq 'merge_partitions');
}

sub notes { return keeper(q(SELECT string_agg(n || note, ' ' ORDER BY n) FROM sales)) }

# Also beside the comparison of a switch.
foreach ([ move_table => 'sales_move', qr/exchange_tables/ ], [ merge_partitions => 'sales_merge', qr/attach_merged/ ])
{
	my ($name, $copy, $switches) = @$_;

	sales($name);
	plays(qw(prepare fill));
	keeper('ALTER TABLE sales ADD note text');
	unlike(play_step($_)->{said}, qr/is done/, "$name: $_, when one table alone has the column, is refused")
		foreach qw(prepare fill switch);
	keeper(q(UPDATE sales SET note = 'a' WHERE n = 1));
	is(notes(), '1a', 'and the table is written to');
	keeper("ALTER TABLE $copy ADD note text");
	refuses($copy, qw(fill switch));
	plays('prepare');
	keeper(q(UPDATE sales SET note = 'b' WHERE n = 2));
	plays('fill');
	my $written = 0;
	is(play_step('switch', between => sub {
			keeper(q(UPDATE sales SET note = 'c' WHERE n = 3)) if $_[0] =~ $switches && !$written++; return
		})->{status}, 0,
		"$name: switch, beside writes to the column");
	is($written, 1, 'of which there is one');
	is(notes(), '1a 2b 3c', 'has all values');
	next if $name eq 'merge_partitions';
	keeper('ALTER TABLE sales ADD late text; ALTER TABLE sales_move ADD late text');
	keeper(q(UPDATE sales SET late = 'd' WHERE n = 4));
	refuses($copy, qw(fill drop back));
	plays(qw(prepare fill back));
	is(keeper(q(SELECT string_agg(n || late, ' ') FROM sales)), '4d', 'and the way back has what came after the switch');
	keeper('ALTER TABLE sales DROP old; ALTER TABLE sales_move DROP old');
	refuses($copy, qw(fill switch));
	plays('prepare');
	keeper(q(UPDATE sales SET note = 'e' WHERE n = 5));
	plays(qw(fill switch));
	is(notes(), '1a 2b 3c 5e', 'without a column that is gone rows are written');
	keeper('ALTER TABLE sales DROP late');
	refuses($copy, qw(fill drop));
	keeper('ALTER TABLE sales_move DROP late');
	plays(qw(prepare fill));
	keeper('ALTER TABLE sales ADD latest text');
	keeper(q(UPDATE sales SET latest = 'f' WHERE n = 6));
	plays('drop');
	is(notes(), '1a 2b 3c 5e', 'and kept');
	is(keeper(q(SELECT string_agg(n || latest, ' ') FROM sales)), '6f',
		'with a column that came to the table alone after the switch');
}
plays('drop');
is(notes(), '1a 2b 3c', 'all values are in the partition');
is(keeper('SELECT count(*) FROM sales'), 90, 'and all rows');

# A function by which generated columns were computed has been replaced: their values stay, or somebody
# says that they shall not.
{
	my $vat = sub { return "CREATE OR REPLACE FUNCTION vat() RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT $_[0]'" };
	my $sums = sub { return keeper('SELECT sum(tax) FROM sales') };
	my $way = pattern(
		qr/HINT:  [^\n]*To keep the values, (?:run do=back, )?make tax a plain column, which a trigger /,
		qr/fills, with ALTER TABLE shop.sales ALTER COLUMN tax DROP EXPRESSION\. Or give the rows their /,
		qr/new values: (UPDATE [^\n]*)\n/);

	$recipe = 'move_table';
	keeper($vat->('0.19'));
	new_sales($shop, 'n int, tax numeric GENERATED ALWAYS AS (n * shop.vat()) STORED, twice int GENERATED ALWAYS AS '
			. '(n * 2) STORED, '
		. 'rounded numeric(10,2) GENERATED ALWAYS AS (n * 1.1177) STORED, wide bigint GENERATED ALWAYS '
				. 'AS (n * shop.vat()::int) STORED');
	keeper($vat->('0.21'));
	my $before = $sums->();
	my $result = play_step('prepare');
	like($result->{said}, pattern(
		qr/ERROR:  90 rows of table shop\.sales have another value in the generated column tax than they /,
		qr/would get today\n/),
		'prepare refuses to compute values anew');
	ok($result->{said} =~ $way, 'and says what to do') or diag($result->{said});
	keeper($1);
	is(keeper('SELECT sum(tax) = sum(n * 0.21) FROM sales'), 't', 'which gives the rows their new values');
	plays('prepare', 'fill');
	keeper($vat->('0.25') . '; UPDATE sales_move SET n = n WHERE n < 5');
	$result = play_step('switch');
	like($result->{said}, pattern(
		qr/ERROR:  nothing has been changed, because generated columns of 4 rows of tables shop\.sales and /,
		qr/shop\.sales_move differ\n/),
		'switch compares computed values');
	ok($result->{said} =~ $way, 'and says what to do') or diag($result->{said});
	keeper($1);
	plays('switch', 'drop');
	is(keeper('SELECT sum(tax) = sum(n * CASE WHEN n < 5 THEN 0.25 ELSE 0.21 END) FROM sales'), 't',
		'all values are as they were before switch');
	new_sales($shop, 'n int, tax numeric');
	keeper('UPDATE sales SET tax = n');
	plays('prepare', 'fill', 'switch', 'drop');
}

done_testing();
