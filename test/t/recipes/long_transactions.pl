# A step that others keep from its locks says who they are: sessions and prepared transactions.  Its first lock
# waits until the server has ended an autovacuum, also where deadlock_timeout is long.

use strict;
use warnings;

use File::Basename qw(basename dirname);
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $directory = PostgreSQL::Test::Utils::tempdir() . '/impatient';
my $shorter = 0;

# the recipes with a second in place of ten minutes
mkdir $directory or die;
foreach my $file (glob(dirname(__FILE__) . '/../../../doc/recipes/*.psql'))
{
	my $text = slurp_file($file);

	$shorter += $text =~ s/(PROCEDURE pg_temp\.locked.*?)interval '10 minutes'/$1interval '1 s'/s;
	append_to_file("$directory/" . basename($file), $text);
}
is($shorter, 1, 'one place says how long a step tries');

empty_shop();
sql('shop', '
	SET ROLE keeper;
	CREATE TABLE shop.sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n bigserial);
	CREATE TABLE shop.items (sale_id uuid REFERENCES shop.sales)');
Recipes::disconnect();
$node->append_conf('postgresql.conf', "max_prepared_transactions = 2\ndeadlock_timeout = 3s");
$node->restart;

my $recipe = new_recipe(file => 'move_table.psql', directory => $directory, psqlrc => '/dev/null');
my $reader = $node->background_psql('shop');
my $pid = $reader->query_safe('SELECT pg_backend_pid()');
$reader->query_safe(q(SET application_name = 'report'; BEGIN; SELECT FROM shop.sales));
sql('shop', q(BEGIN; INSERT INTO shop.sales DEFAULT VALUES; PREPARE TRANSACTION 'Friday''s orders'));

sub played { return step($recipe, { database => 'shop' }, $_[0], variables => { table => $_[1] // 'shop.sales' })->{said} }

my $error = qr/ERROR:  table shop\.sales(?:, shop\.\w+)* is in use by long transactions\nDETAIL:  Now locks are held by: /;
my $writer = qr/prepared transaction 'Friday''s orders' since \S+ \S+ has [^;]*RowExclusiveLock on shop\.sales/;
like(played('prepare'), pattern(
	qr/$error[^\n]*process $pid has AccessShareLock on shop\.sales[^\n]*\n/,
	qr/HINT:  Run this step again when they have ended/),
	'a session is named by its process');
like(played('prepare'), qr/$error[^\n]*$writer/, 'and a prepared transaction by its name');
sql('postgres', 'GRANT pg_read_all_stats TO keeper');
like(played('prepare'),
	qr/$error[^\n]*process $pid \(client backend\) since \S+ \S+ has AccessShareLock on shop\.sales/,
	'who may read it is told what they are, and since when');
sql('shop', q(ROLLBACK PREPARED 'Friday''s orders'));
$reader->query_safe('COMMIT; BEGIN; LOCK TABLE shop.sales IN SHARE UPDATE EXCLUSIVE MODE');

# As an autovacuum has it: how long the step waits for it without a break.
my $long = 0;
my ($in, $said) = ('', '');
my $psql = IPC::Run::start([ 'psql', '-qXd', $node->connstr('shop') . ' user=keeper', '-v', 'table=shop.sales',
	'-v', 'do=prepare', '-f', dirname(__FILE__) . '/../../../doc/recipes/move_table.psql' ],
	'<', \$in, '>', \$said, '2>&1');
until ($long || !$psql->pumpable)
{
	$psql->pump_nb;
	$long = sql('shop', q(
		SELECT EXISTS (
			SELECT FROM pg_locks
			WHERE NOT granted
				AND relation = 'shop.sales'::regclass
				AND waitstart < clock_timestamp() - interval '4 s'))) eq 't';
	select undef, undef, undef, 0.1;
}
ok($long, 'a step waits longer than deadlock_timeout for a lock that autovacuum may have');
$reader->query_safe('COMMIT');
$psql->finish;
like($said, qr/^prepare is done\.$/m, 'and then gets it');

# A sequence is the last thing that is waited for.
like(played('fill'), qr/^fill is done\.$/m, 'fill');
$reader->query_safe(q(BEGIN; SELECT nextval('shop.sales_n_seq')));
like(played('switch'), pattern(
	qr/ERROR:  sequence shop\.sales_n_seq is in use by long transactions\n/,
	qr/DETAIL:  [^\n]*process $pid [^\n]*\n/,
	qr/HINT:  The tables are exchanged already\. Run this step again when/),
	'a switch that does not get a sequence');
is(sql('shop', q(SELECT bool_and(convalidated) FROM pg_constraint WHERE contype = 'f')), 't', 'has proved the foreign keys');
$reader->query_safe('COMMIT');
like(played('switch'), qr/^switch is done\.$/m, 'and then gets it');
is(sql('shop', q(SELECT pg_get_serial_sequence('shop.sales', 'n'))), 'shop.sales_n_seq', 'for the new table');

# What a command locks besides is none of the step's tables.
sql('shop', 'CREATE TABLE shop.kinds (id int PRIMARY KEY); GRANT REFERENCES ON shop.kinds TO keeper; SET ROLE keeper;
	CREATE TABLE shop.pages (id uuid PRIMARY KEY, kind int REFERENCES shop.kinds)');
$reader->query_safe('BEGIN; LOCK TABLE shop.kinds IN ROW EXCLUSIVE MODE');
like(played('prepare', 'shop.pages'), pattern(
	qr/DETAIL:  Now nobody holds a lock on it\. The last try had all locks on it, and failed for want of /,
	qr/another \(canceling[^\n]*\): ALTER TABLE shop\.pages[^\n]* pages_kind_fkey[^\n]*\.\n/,
	qr/HINT:  Run this step again/),
	'a command that does not get another lock is named');
$reader->query_safe('COMMIT');
$reader->quit;

done_testing();
