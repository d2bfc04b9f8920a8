# There are more old partitions than the server has room for locks: does maintain make new ones, drop
# as many old ones as it can, and tell of the rest?

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('backlog', 'max_locks_per_transaction = 10');

# What a call returns and what it warns of.
sub call
{
	my ($statement) = @_;
	my $status = $node->psql('postgres', $statement, stdout => \my $stdout, stderr => \my $stderr);

	return ($status, $stdout, $stderr);
}

# Two hundred and ten old days, of which a call drops a hundred.  A transaction has no room for more than some of
# them; so each statement makes one.
$node->safe_psql('postgres', 'CREATE TABLE logs (id uuid PRIMARY KEY, line text) PARTITION BY RANGE (id)');
$node->safe_psql('postgres', <<'SQL');
SELECT format('CREATE TABLE logs_%s PARTITION OF logs FOR VALUES FROM (%L) TO (%L)',
	to_char(day AT TIME ZONE 'UTC', 'YYYY_MM_DD'), uuid_boundary(day), uuid_boundary(day + interval '24 hours'))
FROM date_trunc('day', now(), 'UTC') AS today,
	generate_series(today - interval '6240 hours', today - interval '1224 hours', '24 hours') AS day \gexec
SQL
# Of its time, which is longer here, a call uses a tenth to drop.
my $maintain = q(
	SET lock_timeout = '10min';
	SELECT action, count(*)
	FROM uuid_partition_maintain('logs', '1 day', 2, keep => '%s', dry_run => %s)
	GROUP BY action
	ORDER BY action);
my $old = q(SELECT count(*) FROM uuid_partition_list('logs') WHERE to_time < now() - interval '31 days' AND kind = 'partition');

my ($status, $actions, $warned) = call(sprintf $maintain, '30 days', 'false');
is($status, 0, 'maintenance of a backlog succeeds') or diag($warned);
like($actions, qr/^created\|\d+\ndropped\|100$/, 'a call makes what is missing and drops a hundred');
like($warned, qr/WARNING:  old partitions of table \S*logs are left for the next call: 110\n.*HINT:  /s,
	'a call tells how many old ones are left');
is($node->safe_psql('postgres', $old), 110, 'so many are left');

# a day more from now on, as this one may end meanwhile
like($node->safe_psql('postgres', q(SELECT message FROM uuid_partition_check('logs', keep => '31 days'))),
	qr/partitions older than 31 days: 110,/, 'check sees those that are left');
($status, $actions) = call(sprintf $maintain, '31 days', 'true');
like($actions, qr/^to be dropped\|100$/m, 'the next call would drop another hundred, says a dry run');
$node->safe_psql('postgres', sprintf $maintain, '31 days', 'false') foreach 1 .. 2;
is($node->safe_psql('postgres', $old), 0, 'after two calls more none is left');

# Nor does a call keep others out for long: after a second it leaves what is left to the next call.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create('visits', '2020-01-01 00:00+00', '2020-04-01 00:00+00', '1 month');
SELECT uuid_partition_create('visits', date_trunc('month', now(), 'UTC'), now() + interval '2 months', '1 month');
CREATE FUNCTION slow_drop() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN PERFORM pg_sleep(1.1); END$$;
CREATE EVENT TRIGGER slow_drop ON sql_drop WHEN tag IN ('DROP TABLE') EXECUTE FUNCTION slow_drop();
SQL
foreach my $left (2, 1, 0)
{
	($status, $actions, $warned) = call(q(
		SELECT action, count(*)
		FROM uuid_partition_maintain('visits', '1 month', 0, keep => '1 year')
		GROUP BY action));
	is($actions, 'dropped|1', 'a call whose drops take long does one');
	is(($warned =~ /left for the next call: (\d+)/)[0] // 0, $left, "and says that $left are left");
}
$node->safe_psql('postgres', 'DROP EVENT TRIGGER slow_drop');

# Another session takes all the locks that there are, but for three hundred.
my $others = session();
$others->query_safe(<<'SQL');
DO $$
DECLARE
	n int := 0;
BEGIN
	LOOP
		n := n + 1;
		PERFORM pg_advisory_lock(n);
	END LOOP;
EXCEPTION WHEN out_of_memory THEN
	PERFORM pg_advisory_unlock(number) FROM generate_series(1, 300) AS number;
END $$
SQL

# Thirty-three old months of a follower alone, with a dozen indexes each.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE notes (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE words (id uuid, word text) PARTITION BY RANGE (id);
SELECT uuid_partition_create('notes', date_trunc('month', now(), 'UTC'), now() + interval '2 months', '1 month');
SELECT uuid_partition_follow('words', 'notes', foreign_keys => false);
SQL
$node->safe_psql('postgres',
	"SELECT uuid_partition_create('words', '$_-01-01 00:00+00', '$_-12-01 00:00+00', '1 month')")
	foreach 2018 .. 2020;
$node->safe_psql('postgres', 'SELECT format($$CREATE INDEX ON words (word)$$) FROM generate_series(1, 12) \gexec');
(undef, my $dropped, $warned) = call(<<'SQL');
SELECT count(*)
FROM uuid_partition_maintain('notes', '1 month', 0, keep => '1 year', followers => '{words}')
WHERE action = 'dropped'
SQL
my ($left) = $warned =~ /WARNING:  old partitions of table \S*notes are left for the next call: (\d+)\n/;
$left //= 0;
cmp_ok($dropped, '>', 0, '(some of them are dropped)');
is($dropped + $left, 33, 'partitions that are left are counted where they are a follower\'s alone');
cmp_ok($left, '>', 0, '(some of them are left)');

# One that has no room by itself does not keep new ones from coming.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE items (id uuid, n int, PRIMARY KEY (id, n)) PARTITION BY RANGE (id);
CREATE TABLE items_old PARTITION OF items
FOR VALUES FROM (uuid_boundary('2020-01-01')) TO (uuid_boundary('2020-02-01'))
PARTITION BY LIST (n);
CREATE TABLE items_new PARTITION OF items FOR VALUES FROM (uuid_boundary('2020-02-01')) TO (uuid_boundary('2020-02-02'));
SELECT format('CREATE TABLE items_%s PARTITION OF items_old FOR VALUES IN (%s)', n, n) FROM generate_series(1, 300) n \gexec
SQL
is( $node->safe_psql('postgres', <<'SQL'),
SET client_min_messages = error;
SELECT DISTINCT action, left(problem, 5) FROM uuid_partition_maintain('items', '1 year', 2, keep => '1 year') ORDER BY 1
SQL
	"created|\nnot dropped|53200",
	'a partition whose parts have no room for their locks stays, and the rest is done');

$others->quit;
$node->stop;
done_testing();
