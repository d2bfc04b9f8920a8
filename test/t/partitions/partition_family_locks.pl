# Is a family's parent locked before its followers?  Then who has read the parent gets to its
# follower, too, while maintain waits.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('family_locks');
my ($caller, $reader) = (session(), session());

# The second function returns the locks of maintain at a moment when one of them is waited for:
# in an attempt, not in the pause before the next one.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE trips (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE legs (trip_id uuid PRIMARY KEY) PARTITION BY RANGE (trip_id);
CREATE TABLE stops (trip_id uuid PRIMARY KEY) PARTITION BY RANGE (trip_id);
SELECT uuid_partition_create('trips', '2020-01-01', '2020-04-01', '1 month');
SELECT uuid_partition_follow('legs', 'trips');

CREATE FUNCTION locks_of_an_attempt() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	locks text;
BEGIN
	WHILE locks IS NULL LOOP
		PERFORM pg_sleep(0.001);
		SELECT string_agg(relation::regclass || CASE WHEN granted THEN ' has' ELSE ' waits' END, ', ' ORDER BY relation::regclass::text)
		INTO locks FROM pg_locks
		WHERE mode = 'AccessExclusiveLock' AND relation IN ('trips'::regclass, 'legs'::regclass)
		HAVING NOT bool_and(granted);
	END LOOP;
	RETURN locks;
END $$;
SQL

$caller->query_safe(q(BEGIN; SELECT uuid_partition_follow('stops', 'trips')));
is(locks($caller, qw(trips trips_2020_01 stops)),
	'stops ShareUpdateExclusive, trips ShareUpdateExclusive, trips_2020_01 ShareRowExclusive',
	'uuid_partition_follow holds these locks');
$caller->query_safe('ROLLBACK');

# If one month of a period stays because it is in use, the others stay unlocked.
my $maintain = q(
	SELECT count(*)
	FROM uuid_partition_maintain('trips', '1 month', 0, '1 year', followers => '{legs}')
	WHERE action = 'not dropped');
foreach my $case (
	[ 'read', 'ACCESS SHARE', 'legs_2020_01 ShareUpdateExclusive', 'is kept from VACUUM only' ],
	[ 'vacuumed', 'SHARE UPDATE EXCLUSIVE', '', 'is not locked' ])
{
	my ($what, $mode, $locks, $is_locked) = @$case;

	$reader->query_safe("BEGIN; LOCK TABLE ONLY trips_2020_01 IN $mode MODE");
	is(answer_of($caller, "BEGIN; SET LOCAL lock_timeout = '300ms'; $maintain"), '2',
		"(a pair stays of which one partition is $what)");
	is(locks($caller, 'legs_2020_01'), $locks, "if the parent's month is $what, the follower's $is_locked");
	$caller->query_safe('ROLLBACK');
	$reader->query_safe('ROLLBACK');
}

$reader->query_safe('BEGIN; SELECT count(*) FROM trips');
$caller->query_safe(q(SET lock_timeout = '10min'));
send_and_wait($caller, <<'SQL', 'AccessExclusive');
SELECT partition FROM uuid_partition_maintain('trips', '1 month', 0, '1 year', followers => '{legs}') WHERE action = 'dropped'
SQL
my $patience = "SET statement_timeout = '${PostgreSQL::Test::Utils::timeout_default}s'";
is($node->safe_psql('postgres', "$patience;\nSELECT locks_of_an_attempt()"),
	'trips waits', 'maintain waits for the parent before it locks the follower');
is($reader->query_safe('SELECT count(*) FROM legs'), '0', 'who has read the parent reads the follower meanwhile');
$reader->query_safe('COMMIT');
is(() = result($caller) =~ /(?:trips|legs)_2020/g, 6, 'three pairs of partitions go when the reader has ended');

# A pair of which one partition is in use stays, and keeps nobody from the other one.
$node->safe_psql('postgres', q(
	SELECT uuid_partition_create('trips', '2020-01-01', '2020-02-01', '1 month');
	SELECT uuid_partition_follow('legs', 'trips')));
$reader->query_safe('BEGIN; SELECT count(*) FROM trips_2020_01');
$caller->query_safe(q(SET lock_timeout = '1s'; BEGIN));
like(answer_of($caller, qq(
	SELECT problem
	FROM uuid_partition_maintain('trips', '1 month', 0, '1 year', followers => '{legs}')
	WHERE problem IS NOT NULL)),
	qr/55P03: others use table (public\.)?trips_2020_01/, 'a pair of which one partition is in use is left');
is(locks($caller, 'legs_2020_01') =~ /legs_2020_01 AccessExclusive/ ? 'locked' : 'free', 'free',
	'and the other one is not locked for it');
$caller->query_safe('ROLLBACK');
$reader->query_safe('COMMIT');

$_->quit foreach $caller, $reader;
$node->stop;
done_testing();
