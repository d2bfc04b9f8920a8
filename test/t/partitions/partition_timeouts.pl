# A reader that stays, and statement_timeout: the months that are due come first, and
# a call ends well before the server would end it.

use strict;
use warnings;

use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions qw(with_timeout);

my $node = PostgreSQL::Test::Cluster->new('timeouts');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

# All that a call says.
sub says
{
	my (undef, $stdout, $stderr) = $node->psql('postgres', "SET client_min_messages = error;\n$_[0]");
	return $stdout . $stderr;
}

# What a call says that waits for the follower for most of lock_timeout, and
# then for the default partition, and how long it took.
sub waits_twice
{
	my ($timeout) = @_;
	my $changes_items = $node->background_psql('postgres');
	my $locks_rest = $node->background_psql('postgres');
	my $begin = time;

	$changes_items->query_safe('BEGIN; LOCK TABLE ONLY items IN SHARE UPDATE EXCLUSIVE MODE');
	my $call = IPC::Run::start([ 'psql', '-qXAt', '-d', $node->connstr('postgres') . ' application_name=upkeep',
		'-c', "SET lock_timeout = '${timeout}s'",
		'-c', q(SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', 2, followers => '{items}')) ],
		'>', \my $out, '2>', \my $said);
	$node->poll_query_until('postgres', q(
		SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'upkeep' AND wait_event = 'PgSleep'))
	  or die 'the call does not wait for the follower';
	$locks_rest->query_safe('BEGIN; LOCK TABLE orders_rest IN ACCESS EXCLUSIVE MODE');
	sleep(1) while time - $begin < $timeout * 0.7;
	$changes_items->query_safe('COMMIT');
	$call->finish;
	my $took = time - $begin;
	$_->quit foreach $changes_items, $locks_rest;
	return ($took < $timeout * 1.5 ? 'in time: ' : "after $took s of $timeout: ") . $said;
}

# Orders of three old months and the last; the present and two more are due.
sub new_orders
{
	$node->safe_psql(
		'postgres', q(
		SET client_min_messages = error;
		DROP TABLE IF EXISTS orders, orders_2020_01, orders_2020_02, orders_2020_03;
		SELECT format('DROP TABLE %s', oid::regclass) FROM pg_class WHERE relname ~ '^orders_' AND relkind = 'r' \gexec
		CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
		SELECT uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-04-01 00:00+00', '1 month');
		SELECT uuid_partition_create('orders', date_trunc('month', now(), 'UTC') - interval '1 month',
			date_trunc('month', now(), 'UTC'), '1 month')));
	return;
}

# no other timeout ends a wait earlier
my $of_statement = q(SET lock_timeout = '1h'; SET statement_timeout =);
my $made = q(SELECT count(*) FROM uuid_partition_list('orders') WHERE kind = 'partition' AND to_time > now());

foreach my $timeout (5, 9)
{
	foreach my $what ('dropped', 'detached')
	{
		my $how = "keep => '1 year', detach_only => " . ($what eq 'detached' ? 'true' : 'false');
		my $case = "statement_timeout $timeout s, old months to be $what";

		new_orders();
		my $reader = $node->background_psql('postgres');
		$reader->query_safe('BEGIN; SELECT count(*) FROM orders');
		is( with_timeout($timeout, qr/^3/, sub {
				return says(qq($of_statement '$_[0]s';
					SELECT count(*) FILTER (WHERE action = 'created'),
						count(*) FILTER (WHERE action ~ '^not $what' AND problem ~ '^55P03'),
						count(*)
					FROM uuid_partition_maintain('orders', '1 month', 2, $how)));
			}),
			'3|3|6', "$case: the call ends by itself, has made what is due, and says 55P03 of each old month");
		is($node->safe_psql('postgres', $made), 3, "$case: the months are there");
		$reader->query_safe('COMMIT');
		$reader->quit;
		is($node->safe_psql('postgres', qq(
				SELECT string_agg(DISTINCT action, ', ')
				FROM uuid_partition_maintain('orders', '1 month', 2, $how))), $what,
			"statement_timeout $timeout s, old months to be $what: the next call does the rest");
	}
}

# As the waits are counted from the start, half of statement_timeout is enough for all: a
# call that takes longer has been given twice of it here.
new_orders();
my $reader = $node->background_psql('postgres');
$reader->query_safe('BEGIN; SELECT count(*) FROM orders');
my $took = q(SELECT clock_timestamp() AS begin \gset
	SELECT FROM uuid_partition_maintain('orders', '1 month', 2, keep => '1 year') \g /dev/null
	SELECT clock_timestamp() - :'begin' < interval);
is(with_timeout(20, qr/^t/, sub { return says("$of_statement '$_[0]s';\n$took '$_[0] s' / 2") }), 't',
	'a call waits for at most half of statement_timeout');
$reader->query_safe('COMMIT');

# What a call waits for first, another one that changes the table, counts as well.
new_orders();
$reader->query_safe('BEGIN; SELECT count(*) FROM orders');
my $changer = $node->background_psql('postgres', on_error_stop => 0);
is( with_timeout(12, qr/^t/, sub {
		$changer->query_safe('BEGIN; LOCK TABLE ONLY orders IN SHARE UPDATE EXCLUSIVE MODE');
		$changer->query_until(qr/waits/, "\\echo waits\nSELECT pg_sleep($_[0] * 0.9); COMMIT;\n");
		return says("SET lock_timeout = '$_[0]s';\n$took '$_[0] s' * 1.2");
	}),
	't', 'a call waits for all that it waits for no longer than lock_timeout');
$changer->quit;
$reader->query_safe('COMMIT');

# So does what its plan waits for: a default partition that is locked only after the call has
# found it free, while it waits for a follower.
new_orders();
$node->safe_psql('postgres', q(
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	CREATE TABLE items (order_id uuid) PARTITION BY RANGE (order_id);
	SELECT FROM uuid_partition_follow('items', 'orders')));
like(with_timeout(6, qr/^in time: (?!.*relation "items")/s, \&waits_twice), qr/^in time: .*orders_rest/s,
	'a plan waits no longer than what is left of lock_timeout, and says what it has waited for');
$node->safe_psql('postgres', 'DROP TABLE items, orders_rest');

# A single reader of one old month keeps the other old ones from nothing.
new_orders();
$reader->query_safe('BEGIN; SELECT count(*) FROM orders_2020_02');
is(with_timeout(5, qr/^not/, sub {
		return says(qq($of_statement '$_[0]s';
			SELECT string_agg(action || ' ' || left(problem, 5), ', ')
			FROM uuid_partition_maintain('orders', '1 month', 2, keep => '1 year')
			WHERE partition ~ '2020_02'));
	}),
	'not dropped 55P03', 'a month that is read is told of');
is($node->safe_psql('postgres', $made), 3, 'and what is due is there');
$reader->quit;

# What a new partition needs is waited for to the end, also when the time for old ones is over.
$node->safe_psql('postgres', q(SET client_min_messages = error;
	CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE steps (visit_id uuid) PARTITION BY RANGE (visit_id);
	SELECT uuid_partition_create('visits', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
	SELECT FROM uuid_partition_follow('steps', 'visits');
	SELECT uuid_partition_create('visits', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')));
$changer = $node->background_psql('postgres', on_error_stop => 0);
is( with_timeout(20, qr/^created/, sub {
		$changer->query_safe('BEGIN; LOCK TABLE visits_2020_02 IN SHARE UPDATE EXCLUSIVE MODE');
		$changer->query_until(qr/waits/, "\\echo waits\nSELECT pg_sleep($_[0] * 0.55); COMMIT;\n");
		return says(qq(
			SET lock_timeout = '$_[0]s';
			SELECT string_agg(concat(action, ' ', partition, problem), ', ')
			FROM uuid_partition_follow('steps', 'visits')));
	}),
	'created public.steps_2020_02', 'what a new partition refers to is waited for');
$changer->quit;

# What is held back, while new partitions wait for a lock, is tried again once they are made, and so is what has
# failed for a lock that all need.  Where new partitions wait for nobody, it is tried for half of the time.
my $needed = q(
	CREATE TABLE IF NOT EXISTS customers (id int PRIMARY KEY);
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	ALTER TABLE orders ADD COLUMN customer int REFERENCES customers);
foreach my $case (
	[ 'made that have waited for a default partition that is read', 'SELECT FROM orders_rest', 0.6, $needed ],
	[ 'made that have waited for a table that is written to', 'LOCK TABLE customers IN ROW EXCLUSIVE MODE', 0.6, $needed ],
	[ 'made, and nobody reads the table any more', 'SELECT FROM orders', 0.3, '' ])
{
	my ($what, $lock, $held, $needed) = @$case;

	$changer = $node->background_psql('postgres', on_error_stop => 0);
	is( with_timeout(6, qr/^created, dropped in time$/, sub {
			new_orders();
			$node->safe_psql('postgres', "SET client_min_messages = error; $needed");
			$changer->query_safe("BEGIN; $lock");
			$changer->query_until(qr/waits/, "\\echo waits\nSELECT pg_sleep($_[0] * $held); COMMIT;\n");
			my $said = says(qq(
				SET lock_timeout = '$_[0]s';
				SELECT clock_timestamp() AS begin \\gset
				SELECT concat(string_agg(DISTINCT concat_ws(' ', action, problem), ', '),
					CASE WHEN clock_timestamp() - :'begin' < interval '$_[0]s' THEN ' in time' ELSE ' late' END)
				FROM uuid_partition_maintain('orders', '1 month', 2, keep => '1 year')));
			$changer->query_safe('SELECT 1');
			chomp $said;
			return $said;
		}),
		'created, dropped in time', "old months go as soon as new ones are $what");
	$changer->quit;
}

# To read a table is no wait without an end, either: neither a CHECK nor the scheme of its numbers is waited for in a queue.
new_orders();
$node->safe_psql('postgres', q(
	ALTER TABLE orders ADD CHECK (id IS NOT NULL);
	CREATE TABLE items (order_id uuid, n int CHECK (n > 0)) PARTITION BY RANGE (order_id);
	SELECT FROM uuid_partition_follow('items', 'orders');
	CREATE TABLE numbers (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
	CREATE TABLE numbers_rest PARTITION OF numbers DEFAULT));
my @waits = (
	[ items => q(SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', 2, followers => '{items}')),
		'could not obtain lock on relation "items"' ],
	[ orders => q(SELECT count(*) FROM uuid_partition_follow('items', 'orders')), 'could not obtain lock on relation "orders"' ],
	[ numbers => q(SELECT count(*) FROM uuid_partition_maintain('numbers', '1 month', dry_run => true)), 'lock timeout' ],
	[ numbers => q(CALL uuid_partition_drain('numbers', '1 month', dry_run => true)), 'lock timeout' ],
	map { [ numbers => "SELECT count(*) FROM uuid_partition_$_('numbers')", 'lock timeout' ] } qw(list check));
foreach my $wait (@waits)
{
	my ($table, $call, $error) = @$wait;

	$reader->query_safe("BEGIN; LOCK TABLE $table IN ACCESS EXCLUSIVE MODE");
	like(with_timeout(2, qr/$error/, sub { return says("$of_statement '$_[0]s';\n$call") }), qr/$error/,
		"a call that cannot read table $table ends by itself: $call");
	$reader->query_safe('COMMIT');
}
$reader->query_safe('BEGIN; LOCK TABLE ONLY orders IN ACCESS EXCLUSIVE MODE');
is(says(q(
		SET statement_timeout = '60s';
		SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', 2, dry_run => true))), '3',
	'a dry run does not wait for a table that it need not read');
$reader->quit;
$node->safe_psql('postgres', 'DROP TABLE items, numbers');

# A template that is locked is waited for once, not for each new partition, also if there is no other.
$node->safe_psql('postgres', q(
	CREATE TABLE hours (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE hour (LIKE hours INCLUDING ALL)));
$reader = $node->background_psql('postgres');
$reader->query_safe('BEGIN; LOCK TABLE hour IN ACCESS EXCLUSIVE MODE');
like(with_timeout(4, qr/^99|^100/, sub { return says("$of_statement '$_[0]s';
		SELECT count(*) FILTER (WHERE problem ~ '^55P03') FROM uuid_partition_maintain('hours', '1 hour', 99, template => 'hour')") }),
	qr/^99|^100/, 'a locked template is waited for once');
$reader->quit;

# Without a timeout of the statement, lock_timeout counts, as ever.  One millisecond is over
# before the first lock is refused, as half a second is on a machine that has other things to do.
foreach my $timeout ('500ms', '1ms')
{
	new_orders();
	$reader = $node->background_psql('postgres');
	$reader->query_safe('BEGIN; SELECT count(*) FROM orders');
	is($node->safe_psql('postgres', qq(SET client_min_messages = error; SET lock_timeout = '$timeout';
		SELECT count(*) FILTER (WHERE action = 'created') FROM uuid_partition_maintain('orders', '1 month', 2, keep => '1 year'))),
		3, "lock_timeout of $timeout alone: what is due is made");
	$reader->quit;
}

$node->stop;
done_testing();
