# What uuid_partition_check() says while others keep default partitions locked: all else, and
# that it could not look there.  And which locks a list keeps.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('check_locked');
my ($other, $caller) = (session(), session());

# Orders and items have rows in their default partitions, and so has the month of now.
$node->safe_psql(
	'postgres', q(
	CREATE ROLE monitor;
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	CREATE TABLE items (order_id uuid NOT NULL) PARTITION BY RANGE (order_id);
	CREATE TABLE items_rest PARTITION OF items DEFAULT;
	CREATE TABLE visits (id uuid NOT NULL, day int) PARTITION BY RANGE (id);
	SELECT from_id, to_id FROM uuid_partition_bounds(date_trunc('month', now(), 'UTC'), now(), '1 month') \gset
	CREATE TABLE visits_now PARTITION OF visits FOR VALUES FROM (:'from_id') TO (:'to_id') PARTITION BY RANGE (day);
	CREATE TABLE visits_now_rest PARTITION OF visits_now DEFAULT;
	INSERT INTO orders VALUES (gen_uuidv7_at('2020-01-05 00:00+00'));
	INSERT INTO items VALUES (gen_uuidv7_at('2020-01-05 00:00+00'));
	INSERT INTO visits VALUES (gen_uuidv7(), 1);
	ANALYZE;
));

# What it says of no lock, and of what it could not look into.
sub findings
{
	my ($who, $call, $timeouts) = @_;
	my (undef, $stdout, $stderr) = $node->psql('postgres', qq(
		$who $timeouts;
		SELECT string_agg(
			substring(message FROM '^no partition for the present|^.*locked.*: 1, the first is .*?;'), ' '
			ORDER BY message)
		FROM $call));

	return "$stdout$stderr" =~ s/public\.//gr;
}

my $wanted = 'no partition for the present';
my $locked = 'partitions that could not be looked into, because others keep them locked: 1, the first is';
foreach my $who ('', 'SET ROLE monitor;')
{
	my $name = $who ? 'a monitor' : 'the owner';

	foreach my $case (
		[ 'orders_rest', q(uuid_partition_check('orders')), "$wanted $locked orders_rest;", 'the default partition' ],
		[ 'items_rest', q(uuid_partition_check('orders', followers => '{items}')),
			"follower items: $locked items_rest; $wanted", 'that of a follower' ],
		[ 'visits_now_rest', q(uuid_partition_check('visits', '0')),
			"$locked visits_now_rest;", 'that of a month' ])
	{
		my ($table, $call, $said, $what) = @$case;

		$other->query_safe("BEGIN; LOCK TABLE $table IN ACCESS EXCLUSIVE MODE");
		is(findings($who, $call, q(SET lock_timeout = '300ms')), $said,
			"$name is told that $what could not be looked into, and all else");
		is(with_timeout(4, qr/\A\Q$said\E\z/,
				sub { return findings($who, $call, "SET statement_timeout = '$_[0]s'") }), $said,
			'before statement_timeout is over')
		  if $who;
		$other->query_safe('ROLLBACK');
	}
}

# So it is where indexes could not be compared, which are printed under a lock of their table.
$node->safe_psql('postgres', 'CREATE INDEX ON visits (day)');
$other->query_safe('BEGIN; LOCK TABLE ONLY visits_now IN ACCESS EXCLUSIVE MODE');
like($node->safe_psql('postgres',
	q(SET lock_timeout = '300ms'; SELECT string_agg(message, ' ') FROM uuid_partition_check('visits', '0'))),
	qr/partitions could not be compared, because others keep one of them locked/,
	'the owner is told that a month that is locked could not be compared');
$other->query_safe('ROLLBACK');

$other->query_safe('BEGIN; LOCK TABLE orders_rest IN ACCESS EXCLUSIVE MODE');
$caller->query_safe(q(SET lock_timeout = '10min'));
send_off($caller, q(SELECT message FROM uuid_partition_check('orders') WHERE message ~ 'default partition'));
wait_until(q(EXISTS (
	SELECT FROM pg_stat_activity
	WHERE query ~ '^SELECT message' AND wait_event IN ('PgSleep', 'Extension', 'relation'))));
$other->query_safe('ROLLBACK');
is(result($caller), 'rows in the default partition public.orders_rest; uuid_partition_drain() moves them',
	'check waits for a lock that ends in time, and says what is there');

# Once its time is over, the check tries each of the others once more, so that thousands of them do not keep it.
$other->query_safe('BEGIN; LOCK TABLE orders_rest IN ACCESS EXCLUSIVE MODE');
my $looks = q(SELECT bool_and(l.is_locked), extract(epoch FROM clock_timestamp() - statement_timestamp()) < 2
	FROM uidext_internal.partition_read('orders', now()) t,
		generate_series(1, 100) n,
		uidext_internal.partition_look_into(t, 'orders_rest', now() - n * interval '1 s') l);
is($caller->query_safe($looks), 't|t', 'a hundred looks after the deadline take less than two seconds');
$other->query_safe('ROLLBACK');

# The sizes of what is beneath a partition are read from its files, and the locks for that do not stay.
$caller->query_safe(q(BEGIN; SELECT * FROM uuid_partition_list('visits')));
is($caller->query_safe(q(
	SELECT string_agg(DISTINCT relation::regclass::text, ' ')
	FROM pg_locks
	WHERE pid = pg_backend_pid() AND relation::regclass::text ~ '^visits')),
	'', 'a list keeps no lock on what it has read');
$caller->query_safe('ROLLBACK');

$_->quit foreach $other, $caller;
$node->stop;
done_testing();
