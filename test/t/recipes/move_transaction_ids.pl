# While move_table.psql compares all rows, which may take hours, its transaction has no id: with one, others would count it
# among those that are still writing.

use strict;
use warnings;

use File::Basename qw(basename dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $directory = PostgreSQL::Test::Utils::tempdir() . '/telling';
my $told = 0;

# the recipe with a line that says the id
mkdir $directory or die;
foreach my $file (glob(dirname(__FILE__) . '/../../../doc/recipes/*.psql'))
{
	my $text = slurp_file($file);

	my $notice = q(RAISE NOTICE 'it compares with id %', pg_current_xact_id_if_assigned());
	$told += $text =~ s/(PROCEDURE pg_temp\.demand_equal.*?\nBEGIN\n)/$1\t$notice;\n/s;
	append_to_file("$directory/" . basename($file), $text);
}
is($told, 1, 'one place compares all rows');

empty_shop();
sql('shop', '
	SET ROLE keeper;
	CREATE TABLE shop.sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n bigserial);
	CREATE VIEW shop.sold AS SELECT id FROM shop.sales; INSERT INTO shop.sales DEFAULT VALUES');
my $recipe = new_recipe(file => 'move_table.psql', directory => $directory);
foreach my $step (qw(prepare fill switch back switch drop))
{
	my $result = step($recipe, { database => 'shop' }, $step, variables => { table => 'shop.sales' });

	is($result->{status}, 0, $step) or diag($result->{said});
	like($result->{said}, qr/NOTICE:  it compares with id <NULL>\n/, "$step compares the rows without an id")
		if $step =~ /switch|back|drop/;
}

done_testing();
