# detach_partitions.psql: old partitions of a family go while others read and write,
# what was interrupted is finished, and what cannot go stays and is told.

use strict;
use warnings;

use File::Basename qw(dirname);
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = dirname(__FILE__) . '/../../../doc/recipes/detach_partitions.psql';
my $months = q(date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC');
my $shops = 0;

# Orders of five months, with lines that follow them by keys of pairs, and customers.
sub shop_of_months
{
	my (%how) = @_;
	my $database = 'months' . ++$shops;
	my $customers = $how{customers} ? ', customer int NOT NULL DEFAULT 1 REFERENCES customers' : '';

	sql('postgres', "CREATE DATABASE $database");
	sql('postgres', "GRANT ALL ON DATABASE $database TO keeper");
	sql($database, 'GRANT CREATE ON SCHEMA public TO keeper');
	sql($database, "SET ROLE keeper; $_") foreach (
		'CREATE TABLE customers (id int PRIMARY KEY); INSERT INTO customers VALUES (1), (2)',
		"CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7()$customers) PARTITION BY RANGE (id)",
		'CREATE TABLE lines (order_id uuid NOT NULL, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id)',
		"SELECT uuid_partition_create('orders', $months - interval '4 months', $months + interval '1 month', '1 month')",
		"SELECT uuid_partition_follow('lines', 'orders')",
		"INSERT INTO orders SELECT gen_uuidv7_at($months - n * interval '1 month' + interval '1 hour') FROM generate_series(0, 4) n",
		'INSERT INTO lines SELECT id, n FROM orders, generate_series(1, 3) n');
	return $database;
}

sub command
{
	my ($database, $do, %told) = @_;

	%told = (table => 'orders', followers => 'lines', keep => '2 months', do => $do, %told);
	return ('psql', '-qd', $node->connstr($database) . ' user=keeper',
		(map { ('-v', "$_=$told{$_}") } sort keys %told), '-f', $recipe);
}

# Its status, and all that it says; psqlrc turns off what a recipe relies on.
sub play_recipe
{
	my $said = '';

	local $ENV{PSQLRC} = Recipes::settings_of_a_person();
	IPC::Run::run([ command(@_) ], '>', \$said, '2>&1');
	return ($? >> 8, $said);
}

sub start_recipe
{
	my ($database, $said, %told) = @_;

	local $ENV{PSQLRC} = Recipes::settings_of_a_person();
	return IPC::Run::start([ command($database, 'detach', %told) ], '>', $said, '2>&1');
}

sub attached
{
	return sql($_[0], q(
		SELECT string_agg(relname || $$ $$ || n, $$, $$ ORDER BY relname)
		FROM (
			SELECT inhparent::regclass::text, count(*)
			FROM pg_inherits
			JOIN pg_class ON oid = inhparent AND relkind = $$p$$
			GROUP BY 1) AS p (relname, n)));
}

sub old
{
	my ($table, $back) = @_;
	return "SELECT '${table}_' || to_char($months AT TIME ZONE 'UTC' - interval '$back months', 'YYYY_MM')";
}
my $pending = q(SELECT count(*) FROM pg_inherits WHERE inhdetachpending);
my $one_pending = $pending =~ s/count\(\*\)/count(*) = 1/r;
sub wait_for { my ($database, $query) = @_; return $node->poll_query_until($database, $query) || die "$query: never" }

# The plan, and that it changes nothing; then the way to the end, twice.
{
	my $database = shop_of_months();
	my ($status, $said) = play_recipe($database, 'plan');
	my @old = map { my $back = $_; map { 'public.' . sql($database, old($_, $back)) } qw(lines orders) } 4, 3;

	is($status, 0, 'a plan is made');
	is(join(' ', $said =~ /to be detached: (\S+)$/mg), join(' ', @old),
		'it names what is old, the oldest first, lines before their orders')
		or diag($said);
	is(attached($database), 'lines 5, orders 5', 'and changes nothing');

	($status, $said) = play_recipe($database, 'plan', keep => '1 year -1 day');
	like("$status $said", qr/^0 .*there is nothing to detach/s, 'a time that is no step of a calendar is as good');

	($status, $said) = play_recipe($database, 'detach');
	is($status, 0, 'old months are detached') or diag($said);
	is(join(' ', $said =~ /detached: (\S+)$/mg), join(' ', @old), 'those of the plan, in its order') or diag($said);
	is(attached($database), 'lines 3, orders 3', 'the others stay');
	is(sql($database, "SELECT count(*) FROM $old[1]") . sql($database, "SELECT count(*) FROM $old[0]"), '13',
		'detached tables have their rows');

	($status, $said) = play_recipe($database, 'detach');
	like("$status $said", qr/^0 .*there is nothing to detach/s, 'a second time there is nothing to do');
}

# A reader of the table keeps the recipe waiting, and the recipe keeps nobody.
{
	my $database = shop_of_months();
	my $reader = $node->background_psql($database);
	my ($status, $said) = (0, '');

	$reader->query_safe('BEGIN; SELECT count(*) FROM lines');
	my $run = start_recipe($database, \$said);
	wait_for($database, $one_pending);
	is(sql($database, q(SET lock_timeout = '5s'; INSERT INTO orders DEFAULT VALUES; SELECT count(*) FROM orders)), 6,
		'others read and write while it waits for a reader');
	is(sql($database, 'SELECT count(*) FROM lines'), 12, 'rows of the month that goes are hidden already');

	# the run is ended in the midst
	sql('postgres', q(SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'keeper'));
	$run->finish;
	isnt($run->result(0), 0, 'the run is ended in the midst');
	wait_for($database, q(SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'keeper')));
	($status, $said) = play_recipe($database, 'plan');
	like($said, qr/begun and not ended: public\.lines_\d+_\d+$/m, 'a plan tells what has begun and not ended');

	$reader->query_safe('COMMIT');
	($status, $said) = play_recipe($database, 'detach');
	is($status, 0, 'the next run goes on') or diag($said);
	like($said, qr/finished: \S*lines_/, 'it ends what has begun');
	is(attached($database), 'lines 3, orders 3', 'and detaches the rest');
	$reader->quit;
}

# A foreign key of the whole table: its other end is locked when the partition goes.
{
	my $database = shop_of_months(customers => 1);
	my $writer = $node->background_psql($database);
	my $said = '';

	$writer->query_safe('BEGIN; UPDATE customers SET id = 2 WHERE id = 2');
	my $run = start_recipe($database, \$said, wait => '200ms');
	wait_for($database, $one_pending);
	is(sql($database, q(SET lock_timeout = '60s'; UPDATE customers SET id = 1 WHERE id = 1 RETURNING id)), 1,
		'a writer there is let in while an earlier one keeps the recipe waiting');
	is(sql($database, $pending), 1, 'which waits still');
	$writer->query_safe('COMMIT');
	$run->finish;
	is($run->result(0), 0, 'then it comes to its end') or diag($said);
	is(attached($database), 'lines 3, orders 3', 'and has detached all that is old');
	$writer->quit;
}

# Who keeps it from its first lock, as a VACUUM does, ends nothing: it tries again.
{
	my $database = shop_of_months(customers => 1);
	my $vacuum = $node->background_psql($database);
	my $said = '';

	$vacuum->query_safe('BEGIN; LOCK TABLE ' . sql($database, old('orders', 4)) . ' IN SHARE UPDATE EXCLUSIVE MODE');
	my $run = start_recipe($database, \$said, wait => '200ms');
	$run->pump until $said =~ /(?:lock timeout.*){2}|could not be detached/s;
	$vacuum->query_safe('COMMIT');
	$run->finish;
	is($run->result(0), 0, 'beside one who keeps it from its first lock it comes to its end, too') or diag($said);
	is(attached($database), 'lines 3, orders 3', 'and has detached all that is old');
	$vacuum->quit;
}

# Meanwhile its name may go to another partition, which stays.
{
	my $database = shop_of_months(customers => 1);
	my $vacuum = $node->background_psql($database);
	my ($old, $new) = map { sql($database, old('orders', $_)) } 4, 0;
	my $said = '';
	my $wait_for_try_after = sub {
		my $try = "FROM pg_stat_activity WHERE query ~ '^ALTER TABLE \\S*orders DETACH PARTITION' AND query_start > '$_[0]'";

		wait_for($database, "SELECT EXISTS (SELECT $try)");
		return sql($database, "SELECT query_start $try");
	};

	$vacuum->query_safe('BEGIN; LOCK TABLE ONLY orders IN SHARE UPDATE EXCLUSIVE MODE');
	my $run = start_recipe($database, \$said, wait => '200ms');
	$wait_for_try_after->('-infinity');
	sql($database, "ALTER TABLE $old RENAME TO kept; ALTER TABLE $new RENAME TO $old");
	# the command of the first try after this may be older
	$wait_for_try_after->($wait_for_try_after->(sql($database, 'SELECT clock_timestamp()')));
	$vacuum->query_safe('COMMIT');
	$run->finish;
	is($run->result(0), 0, 'a partition is renamed between two tries') or diag($said);
	is(sql($database, "SELECT relname, relispartition FROM pg_class WHERE relname IN ('kept', '$old') ORDER BY 1"),
		"kept|f\n$old|t", 'it goes all the same, and the one that has got its name stays');
	$vacuum->quit;
}

# What must not go stays, and no partition goes before those that refer to it.
{
	my $database = shop_of_months();
	my $refused = sub {
		my ($what, $why, %told) = @_;
		my ($status, $said) = play_recipe($database, 'detach', %told);

		isnt($status, 0, "refused: $what");
		like($said, $why, 'with the reason and the way');
		is(attached($database), 'lines 5, orders 5', 'and all stays');
	};

	$refused->("with keep $_->[0]", pattern(
		qr/ERROR:  keep must not be shorter than a partition\n/,
		qr/DETAIL:  keep is [^\n]*, the shortest of the newest partitions has 1 mon\.\n/,
		qr/HINT:  $_->[1]/),
		keep => $_->[0])
		foreach [ '6m', q(Write '6 months' in full: '6m' is six minutes\.) ],
		[ '3 weeks', 'Pass a longer keep\.' ],
		[ '0', q(Pass how long rows are kept, as in -v keep='2 years'\.) ],
		[ '-1 year', 'Pass how long' ];
	$refused->('without how long', qr/it is not said how long partitions are kept\nHINT/, keep => '');
	$refused->('by somebody else', qr/must be owner/, table => 'pg_class');
	$refused->('a follower that is none', qr/does not exist/, followers => 'lines, nothing');

	sql($database, 'SET ROLE keeper; CREATE TABLE orders_rest PARTITION OF orders DEFAULT');
	my ($status, $said) = play_recipe($database, 'detach');
	isnt($status, 0, 'refused: beside a default partition');
	like($said, qr/table public\.orders has a default partition.*\nHINT/, 'with the reason and the way');
	sql($database, 'DROP TABLE orders_rest');

	my $today = sql($database, old('orders', 0));
	my $lines = sql($database, old('lines', 0));
	sql($database,
		qq(
			ALTER TABLE lines DETACH PARTITION $lines;
			ALTER TABLE orders DETACH PARTITION $today;
			ALTER TABLE $lines RENAME TO l;
			ALTER TABLE $today RENAME TO o));
	($status, $said) = play_recipe($database, 'detach');
	isnt($status, 0, 'refused: without a partition for today');
	like($said, qr/there is no partition \S+ for today\nHINT/, 'with the reason and the way');
	is(attached($database), 'lines 4, orders 4', 'and all stays');
}

# It makes no index and reads no row, so it needs neither CREATE nor an owner who sees all rows.
{
	my $database = shop_of_months();

	sql($database, q(
		REVOKE CREATE ON SCHEMA public FROM keeper;
		ALTER TABLE orders ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY));
	my ($status, $said) = play_recipe($database, 'detach');
	is($status, 0, 'by an owner who may not create, from a table whose row security is forced') or diag($said);
	is(attached($database), 'lines 3, orders 3', 'what is old is detached');
}

# A follower that another recipe works on.
{
	my $database = shop_of_months();
	my $move = sub {
		my $told;

		IPC::Run::run([ 'psql', '-qXd', $node->connstr($database) . ' user=keeper', '-v', 'table=lines', '-v', "do=$_[0]",
				'-f', dirname($recipe) . '/move_table.psql' ], '>', \$told, '2>&1') or die $told;
	};
	my $other = $node->background_psql($database);

	$other->query_safe(q(
		SELECT pg_advisory_lock(
			'pg_class'::regclass::oid::int, ('lines'::regclass::oid::bigint - 2147483648)::int)));
	my ($status, $said) = play_recipe($database, 'detach');
	like($said, pattern(
		qr/ERROR:  another session works on table public.lines\n/,
		qr/DETAIL:  Process \d+ of role [^\n]* has its lock.\nHINT/),
		'refused: while another session works on a follower');
	$other->quit;
	# a table with a key for each pair cannot be moved
	sql($database, q(SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) FROM pg_constraint
		WHERE contype = 'f' AND conrelid::regclass::text ~ 'lines' AND conparentid = 0 \gexec));
	$move->('prepare');
	($status, $said) = play_recipe($database, 'detach');
	like($said, pattern(
		qr/ERROR:  table public.lines is being moved, or partitions of it are being merged\n/,
		qr/HINT:  Finish that recipe/),
		'refused: while a follower is being moved');
	is(attached($database), 'lines 5, orders 5', 'and all stays');
	$move->('back');
	($status, $said) = play_recipe($database, 'detach');
	is($status, 0, 'and not afterwards') or diag($said);
	is(attached($database), 'lines 3, orders 3', 'what is old is detached');
}

{
	my $database = shop_of_months();

	sql($database, qq(
		SET ROLE keeper;
		CREATE TABLE notes (id uuid REFERENCES orders);
		INSERT INTO notes SELECT id FROM orders ORDER BY id LIMIT 1));
	my ($status, $said) = play_recipe($database, 'detach');
	is($status, 0, 'beside a month to which rows refer') or diag($said);
	like($said, qr/23503: rows of table public.notes refer/, 'that is told');
	is(attached($database), 'lines 4, orders 4', 'the month stays in both tables, and the others go');
}

# Rows that refer to lines by a key of which another column may be NULL: lines must not go without their orders.
{
	my $database = shop_of_months();

	sql($database, $_) foreach ('SET ROLE keeper; CREATE TABLE parcels (line uuid, n int, FOREIGN KEY (line, n) REFERENCES lines)',
		'INSERT INTO parcels SELECT order_id, n FROM lines ORDER BY 1, 2 LIMIT 1',
		'INSERT INTO parcels SELECT order_id, NULL FROM lines');
	my ($status, $said) = play_recipe($database, 'detach');
	is($status, 0, 'beside lines to which rows refer') or diag($said);
	like($said, qr/23503: rows of table public.parcels refer/, 'that is told');
	is(attached($database), 'lines 4, orders 4', 'their month stays in both tables, and the others go');
}

# By the ids of such a key no plan can tell which rows refer to what is old.
{
	my $database = shop_of_months();
	my $refused = sub {
		my ($key, $why) = @_;

		sql($database, "SET ROLE keeper; $key");
		foreach my $do ('plan', 'detach')
		{
			my ($status, $said) = play_recipe($database, $do);
			is($status, 3, "$do is refused: $key");
			like($said, $why, 'with the reason and the way');
		}
		is(attached($database), 'lines 5, orders 5', 'and all stays');
	};

	$refused->('CREATE TABLE parcels (line iuid, n int, FOREIGN KEY (line, n) REFERENCES lines)',
		pattern(
			qr/rows of table public.parcels refer to an old partition.*\n/,
			qr/DETAIL:  Foreign key "parcels_line_n_fkey" has another type of ids.\n/,
			qr/HINT:  Call uuid_partition_maintain\(\)/));
	sql($database, 'DROP TABLE parcels');
	$refused->('CREATE TABLE parcels (line uuid, n int); ALTER TABLE parcels ADD FOREIGN KEY (line, n) REFERENCES lines NOT VALID',
		qr/was never validated.\nHINT:  Run: ALTER TABLE public.parcels VALIDATE CONSTRAINT parcels_line_n_fkey\n/);
	sql($database, 'ALTER TABLE parcels VALIDATE CONSTRAINT parcels_line_n_fkey');
	is((play_recipe($database, 'detach'))[0], 0, 'a key that has been validated is in no way');
	is(attached($database), 'lines 3, orders 3', 'and what is old goes');
}

done_testing();
