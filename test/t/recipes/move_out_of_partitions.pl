# move_table.psql from partitions into one table: the old partitions, which follow, have a place
# for rows of after their last period, and what one partition has alone is refused.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $major = sql('postgres', q(SELECT current_setting('server_version_num')::int / 10000));
my $shop = new_shop('out', 'bigint', q(nextval('play.n')), identity => 1);
my $recipe = new_recipe(file => 'move_table.psql');

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	my ($step) = @_;
	return step($recipe, $shop, $step, variables => { table => 'shop.sales', $step eq 'prepare' ? (into => 'table') : () });
}

sub plays { return each_succeeds(\&play_step, 'move_table', @_) }

# What one partition has alone; before 17 the server gives none a generation expression of its own.
my @alone = (
	[ 'ALTER n SET NOT NULL', 'ALTER n DROP NOT NULL', 'NOT NULL of column n is of partition shop\.sales_2026_01_02 alone' ],
	[ 'DISABLE TRIGGER seen', 'ENABLE TRIGGER seen',
		'trigger seen of partition shop\.sales_2026_01_02 is enabled otherwise than that of the table' ],
	$major < 17 ? () : [ 'ALTER twice SET EXPRESSION AS (n * 3)', 'ALTER twice SET EXPRESSION AS (n * 2)',
		'column twice of partition shop\.sales_2026_01_02 is generated otherwise than that of the table' ]);

new_sales($shop, 'n int, twice int GENERATED ALWAYS AS (n * 2) STORED', 1);
keeper(q(
	CREATE FUNCTION seen() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
	CREATE TRIGGER seen BEFORE INSERT ON sales FOR EACH ROW EXECUTE FUNCTION seen()));
foreach (@alone)
{
	my ($made, $unmade, $says) = @$_;

	keeper("ALTER TABLE sales_2026_01_02 $made");
	like(play_step('prepare')->{said}, qr/WARNING:  $says\n.*ERROR:  the rows cannot be moved like this/s,
		"$made in one partition is refused");
	keeper("ALTER TABLE sales_2026_01_02 $unmade");
	is(keeper(q(SELECT to_regclass('sales_move'))), '', 'and nothing stays');
}

# What the new table does not get, and no row needs, is told.
keeper(q(
	CREATE STATISTICS of_all ON n, id FROM sales;
	CREATE STATISTICS like_all ON n, id FROM sales_2026_01_01;
	CREATE STATISTICS of_one ON n, twice FROM sales_2026_01_01;
	CREATE STATISTICS of_two ON n, twice FROM sales_2026_01_02;
	ALTER TABLE sales_2026_01_01 ALTER n SET DEFAULT 7;
	ALTER TABLE sales_2026_01_02 ALTER n SET DEFAULT 7;
	ALTER TABLE sales_2026_01_03 ALTER n SET DEFAULT 8));
sql($shop->{database}, 'CREATE INDEX sales_n ON shop.sales (n); ALTER INDEX shop.sales_n DEPENDS ON EXTENSION uidext;
	ALTER INDEX shop.sales_2026_01_01_n_idx DEPENDS ON EXTENSION uidext;
	ALTER INDEX shop.sales_2026_01_02_n_idx DEPENDS ON EXTENSION uidext;
	ALTER TRIGGER seen ON shop.sales DEPENDS ON EXTENSION uidext');
my $told = play_step('prepare');
is($told->{status}, 0, 'prepare') or diag($told->{said});
is(join("\n", $told->{said} =~ /NOTICE:  the new table will not have this, which goes at do=drop: (.*)$/mg), join("\n",
	'default 7 of column n in partition shop.sales_2026_01_01 and 1 others',
	'default 8 of column n in partition shop.sales_2026_01_03',
	'index shop.sales_2026_01_01_n_idx and 1 others of partitions DEPENDS ON EXTENSION uidext',
	'index shop.sales_n DEPENDS ON EXTENSION uidext',
	'statistics shop.of_one of partition shop.sales_2026_01_01 and 1 others',
	'trigger seen on table shop.sales DEPENDS ON EXTENSION uidext'), 'what the new table does not get is told');
plays('back');
keeper('
	ALTER TABLE sales_2026_01_01 ALTER n DROP DEFAULT;
	ALTER TABLE sales_2026_01_02 ALTER n DROP DEFAULT;
	ALTER TABLE sales_2026_01_03 ALTER n DROP DEFAULT;
	DROP STATISTICS of_all, like_all, of_one; DROP INDEX sales_n');

# Rows of after the last partition.
sub sell
{
	return keeper(qq(
		INSERT INTO sales VALUES (gen_uuidv7_at('2026-03-0$_[0] 00:00+00'), $_[0]); SELECT count(*) FROM sales));
}

sub default_partition
{
	return keeper(q(
		SELECT string_agg(inhrelid::regclass::text, ' ')
		FROM pg_inherits
		JOIN pg_class ON oid = inhrelid
		WHERE pg_get_expr(relpartbound, oid) = 'DEFAULT' AND relkind = 'r'));
}

plays(qw(prepare fill switch));
is(default_partition(), 'sales_move_default', 'after the switch the old table has a default partition');
plays('back');
is(default_partition(), '', 'which goes with back, if it is empty');
plays('switch');
is(sell(1), 91, 'a row of after the last period');
my $back = play_step('back');
is($back->{status}, 0, 'back') or diag($back->{said});
like($back->{said}, pattern(
	qr/NOTICE:  table shop\.sales has a default partition now, shop\.sales_default, with rows that fit no /,
	qr/other/),
	'which keeps it, and says so');
is(keeper('SELECT count(*), (SELECT count(*) FROM sales_default) FROM sales'), '91|1', 'with its row');
keeper('DELETE FROM sales_default');
plays(qw(switch back));
is(default_partition(), 'sales_default', 'one that the table had before stays, even if it is empty');
plays('switch');
is(sell(2), 91, 'a row of after the last period');
plays('drop');
is(keeper(q(SELECT count(*), to_regclass('sales_move_default') FROM sales)), '91|', 'and drop drops it with the old table');

done_testing();
