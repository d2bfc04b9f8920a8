# Recipes take their locks in the order in which writers come to tables: sales before the items
# that refer to them, and the copy of a table last.  While a step waits for one, because a writer has
# been there, it holds no other that this writer may want next: else neither would get on, but
# for a timeout, and under many writers no step would ever get its locks.
#
# Whoever writes queues behind the first lock of a step, and may hold a partition that the step waits for.  So a step
# waits for all its locks together as long as for one.

use strict;
use warnings;

use File::Basename qw(basename dirname);
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $shop = new_shop('order', 'bigint', q(nextval('play.n')), identity => 1);
my $parts = q(
	CREATE TABLE shop.items (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), sale_id uuid REFERENCES shop.sales)
	PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_create('shop.items', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day');
	CREATE TABLE shop.items_default PARTITION OF shop.items DEFAULT);
my $table = 'CREATE TABLE shop.items (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), sale_id uuid REFERENCES shop.sales)';
my @recipes = (
	[ change_key => 'sales', $table, { from => 'v4', created => 'at' } ],
	[ move_table => 'items', $table, { into => 'partitions' } ],
	[ move_table => 'sales', $table, { into => 'table' } ],
	[ merge_partitions => 'items', $parts, { start => '2026-01-01 00:00+00', step => '4 days' } ]);

# A writer that has been to sales, and ends when it has seen what the waiting step holds.
my $writes = 'INSERT INTO shop.sales DEFAULT VALUES';
my $looks = q(INSERT INTO play.held SELECT NULL WHERE false;
	DO $$ BEGIN LOOP
		INSERT INTO play.held SELECT held.relation::regclass::text FROM pg_locks w
			LEFT JOIN pg_locks held ON held.pid = w.pid
				AND held.granted
				AND held.mode = 'AccessExclusiveLock'
				AND held.locktype = 'relation'
				AND (SELECT relnamespace = 'shop'::regnamespace FROM pg_class WHERE oid = held.relation)
			WHERE NOT w.granted AND w.locktype = 'relation' AND w.relation = 'shop.sales'::regclass;
		EXIT WHEN FOUND OR NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'keeper' AND datname = current_database()
			AND wait_event IS DISTINCT FROM 'virtualxid');
		PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
	END LOOP; END $$;
	COMMIT);

foreach (@recipes)
{
	my ($name, $moved, $items, $told) = @$_;
	my $recipe = new_recipe(file => "$name.psql");
	my $waited = 0;

	sql($shop->{database}, "DROP TABLE IF EXISTS shop.items, shop.sales, play.held; CREATE TABLE play.held (relation text);
		SET ROLE keeper;
		CREATE TABLE shop.sales (
			id uuid PRIMARY KEY DEFAULT gen_uuidv7(), at timestamptz NOT NULL DEFAULT now());
		$items;
		GRANT ALL ON shop.sales, shop.items TO app; INSERT INTO shop.sales DEFAULT VALUES");
	foreach my $step (qw(prepare fill switch drop))
	{
		sql($shop->{database}, 'TRUNCATE play.held');
		my $result = while_waiting(
			{ %$recipe, variables => sub { (table => "shop.$moved", $step eq 'prepare' ? %$told : ()) } },
			$shop, $step,
			qr/CALL pg_temp.(?:prepare|fill|exchange_tables|add_constraints|switch|drop\()/, $writes, $looks);

		is($result->{status}, 0, "$name of $moved: $step beside a writer") or diag($result->{said});
		is(sql($shop->{database}, q(SELECT string_agg(relation, ' ') FROM play.held)), '',
			'holds no table while it waits for that where writers begin');
		$waited += sql($shop->{database}, 'SELECT count(*) > 0 FROM play.held') eq 't';
	}
	cmp_ok($waited, '>', 0, "$name of $moved: a step has waited");
}

# What a client reaches before the table: a view, which its readers lock first, and a sequence, where it takes a value
# first and then inserts a row with it.
my $moves = new_recipe(file => 'move_table.psql',
	variables => sub { (table => 'shop.sales', $_[1] eq 'prepare' ? (into => 'table') : ()) });
foreach ([ 'shop.totals' => q(
	SET LOCAL ROLE keeper;
	COMMENT ON VIEW shop.totals IS $$as a reader who queues for sales locks it, but longer$$) ],
	[ 'shop.sales_n_seq' => q(SELECT nextval('shop.sales_n_seq')) ])
{
	my ($first, $holds) = @$_;

	sql($shop->{database}, "DROP TABLE IF EXISTS shop.items, shop.sales CASCADE; SET ROLE keeper;
		CREATE TABLE shop.sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n bigserial);
		CREATE VIEW shop.sold AS SELECT id FROM shop.sales;
		CREATE VIEW shop.totals AS SELECT count(*), (SELECT count(*) FROM shop.sold) AS sold FROM shop.sales;
		GRANT ALL ON shop.sales, shop.totals TO app;
		GRANT ALL ON SEQUENCE shop.sales_n_seq TO app;
		INSERT INTO shop.sales DEFAULT VALUES");
	foreach my $step (qw(prepare fill switch back switch drop))
	{
		sql($shop->{database}, 'TRUNCATE play.held');
		my $result = while_waiting($moves, $shop, $step, qr/CALL pg_temp.(?:prepare|fill|exchange_tables|drop\()/, $holds,
			$looks =~ s/shop\.sales'::regclass/$first'::regclass/r =~ s/COMMIT$/INSERT INTO shop.sales DEFAULT VALUES; COMMIT/r);

		is($result->{status}, 0, "move_table: $step beside a client that has been to $first") or diag($result->{said});
		is(sql($shop->{database}, q(SELECT string_agg(relation, ' ') FROM play.held)), '', "holds no table while it waits for $first");
		cmp_ok(sql($shop->{database}, 'SELECT count(*) FROM play.held'), '>', 0, "$step waits for $first") if $step =~ /switch|back/;
	}
	is(sql($shop->{database}, q(SELECT pg_get_serial_sequence('shop.sales', 'n'))), 'shop.sales_n_seq',
		'the table has its sequence');
}

# The recipes with twenty seconds in place of a tenth of one, so that a slow machine can tell.
my $directory = PostgreSQL::Test::Utils::tempdir() . '/slow';
my $slower = 0;
mkdir $directory or die;
foreach my $file (glob(dirname(__FILE__) . '/../../../doc/recipes/*.psql'))
{
	my $text = slurp_file($file);

	$slower += $text =~ s/SELECT greatest\(1, least\(100, setting::int \/ 10\)\) \|\| 'ms'/SELECT '20s'/;
	append_to_file("$directory/" . basename($file), $text);
}
is($slower, 1, 'one place says how long locks are waited for');

sql($shop->{database}, '
	DROP TABLE IF EXISTS shop.items, shop.sales CASCADE;
	SET ROLE keeper;
	CREATE TABLE shop.sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_create(\'shop.sales\', \'2026-01-01 00:00+00\', \'2026-01-05 00:00+00\', \'1 day\')');
my %writer;
foreach my $part (qw(shop.sales_2026_01_01 shop.sales_2026_01_02))
{
	$writer{$part} = $node->background_psql($shop->{database});
	$writer{$part}->query_safe("BEGIN; LOCK TABLE ONLY $part IN ROW EXCLUSIVE MODE");
}

# Waits until the step waits for a partition, and then until it has done so for some time, or no longer
# does; how long it has.
sub waits_for
{
	my ($part, $seconds) = @_;
	my $waits = "FROM pg_locks WHERE NOT granted AND relation = '$part'::regclass AND waitstart IS NOT NULL";

	$node->poll_query_until($shop->{database}, "SELECT EXISTS (SELECT $waits)") or die;
	return sql($shop->{database}, "CREATE TEMP TABLE waited ON COMMIT DROP AS SELECT waitstart $waits" =~ s/^/BEGIN; /r
		  . ";
		DO \$\$
		BEGIN
			WHILE EXISTS (
				SELECT $waits
					AND waitstart = (SELECT min(w.waitstart) FROM waited w)
					AND waitstart > clock_timestamp() - interval '$seconds s') LOOP
				PERFORM pg_sleep(0.05);
			END LOOP;
		END \$\$;
		SELECT extract(epoch FROM clock_timestamp() - min(waitstart)) FROM waited; COMMIT");
}

my ($in, $said) = ('', '');
my $psql = IPC::Run::start([ 'psql', '-qXd', $node->connstr($shop->{database}) . ' user=keeper', '-v',
	'table=shop.sales', '-v', 'do=prepare', '-f', "$directory/move_table.psql" ],
	'<', \$in, '>', \$said, '2>&1');
cmp_ok(waits_for('shop.sales_2026_01_01', 15), '>=', 15, 'a step waits for a partition, here for 15 seconds');
$writer{'shop.sales_2026_01_01'}->query_safe('COMMIT');
cmp_ok(waits_for('shop.sales_2026_01_02', 60), '<', 15,
	'and for the next one for the rest of its time, before it gives up all its locks');
$writer{'shop.sales_2026_01_02'}->query_safe('COMMIT');
$psql->finish;
like($said, qr/^prepare is done\.$/m, 'and then gets them');
$_->quit foreach values %writer;

done_testing();
