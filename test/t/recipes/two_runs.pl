# Two runs on one table: the second waits until the first has ended, and stops if that takes long. If the
# first has exchanged the table meanwhile, the second does not work on the one that it found before.

use strict;
use warnings;

use File::Basename qw(dirname);
use IPC::Run;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $recipe = dirname(__FILE__) . '/../../../doc/recipes/move_table.psql';
my $node = server();
my $database = 'runs';
my $shape = q(
	SELECT string_agg(relname, ',' ORDER BY relname)
	FROM pg_class
	WHERE relnamespace = 'shop'::regnamespace AND relkind = 'r');
my $of_first = q(pg_advisory_%s('pg_class'::regclass::oid::int, ('%s'::regclass::oid::bigint - 2147483648)::int));

sql('postgres', "CREATE DATABASE $database");
sql('postgres', "GRANT ALL ON DATABASE $database TO keeper");
sql($database, q(
	CREATE SCHEMA shop AUTHORIZATION keeper;
	SET ROLE keeper;
	CREATE TABLE shop.sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7())));

# What the second run says, and how the tables are then, while the first does something.
sub second_run
{
	my ($does) = @_;
	my ($in, $said) = ('', '');
	my $first = $node->background_psql($database);

	$first->query_safe('SELECT ' . sprintf $of_first, 'lock', 'shop.sales');
	my $second = IPC::Run::start([ 'psql', '-qXd', $node->connstr($database) . ' user=keeper', '-v',
		'table=shop.sales', '-v', 'do=prepare', '-f', $recipe ],
		'<', \$in, '>', \$said, '2>&1');
	ok($node->poll_query_until($database, q(
			SELECT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'keeper' AND wait_event = 'PgSleep'))),
		'the second run waits');
	$first->query_safe($does) if $does;
	$second->finish;
	$first->quit;
	return ($said, sql($database, $shape));
}

my ($said, $tables) = second_run();
like($said, pattern(
	qr/ERROR:  another session works on table shop.sales\n/,
	qr/DETAIL:  Process \d+ of role \S+ has its lock\.\n/,
	qr/HINT:  It runs a recipe on this table. Run this step again when it has ended/),
	'and stops');
is($tables, 'sales', 'nothing is made');

($said, $tables) = second_run('
	BEGIN;
	ALTER TABLE shop.sales RENAME TO sales_move;
	CREATE TABLE shop.sales (LIKE shop.sales_move INCLUDING ALL);
	ALTER TABLE shop.sales OWNER TO keeper; COMMIT; SELECT ' . sprintf $of_first, 'unlock', 'shop.sales_move');
like($said, qr/ERROR:  a run that has just ended gave the name of table shop.sales to another\nHINT:  Run this step again/,
	'and stops, if the table was exchanged');
is($tables, 'sales,sales_move', 'nothing is made');

done_testing();
