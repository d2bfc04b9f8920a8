# Rows become visible in the order of commits, not of ids: what a reader who
# remembers the last id misses, and that a reader up to uuid_safe_boundary()
# sees every row exactly once.
#
# UIDEXT_LONG=1 writes for 60 seconds instead of 5.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $nil = '00000000-0000-0000-0000-000000000000';
my $seconds = $ENV{UIDEXT_LONG} ? 60 : 5;
my $sql_edition = ($ENV{EDITION} // 'c') ne 'c';

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', "max_connections = 60\nmax_prepared_transactions = 20\nautovacuum = off");
$node->start;
$node->safe_psql('postgres', 'CREATE DATABASE other');
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION uidext;
CREATE TABLE events (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), writer text);
CREATE TABLE seen (reader text, id uuid);
CREATE ROLE nobody LOGIN;
SQL

# The boundary in relation to a time that the server told before.
sub boundary_is
{
	my ($relation, $time, $name) = @_;
	my ($holds, $reached);

	# again where the clock is set back
	do
	{
		reach($time);
		($holds, $reached) = split /\|/,
		$node->safe_psql('postgres', qq(
			SELECT uuid_safe_boundary() AS b \\gset\nSELECT :'b' $relation uuid_boundary('$time'),
				clock_timestamp() >= '$time'));
	} until $reached eq 't';
	is($holds, 't', $name);
}

# Wait for a clock that was set back.
sub reach
{
	my ($time) = @_;

	$node->poll_query_until('postgres', "SELECT clock_timestamp() > '$time'") or die "the clock does not come to $time again";
}

sub refused
{
	my ($state, $command, $name, $server) = @_;
	my ($stdout, $stderr);

	($server // $node)->psql('postgres', $command, stdout => \$stdout, stderr => \$stderr,
		extra_params => [ '-v', 'VERBOSITY=verbose' ]);
	like($stderr, qr/ERROR:  $state:/, $name);
}

# Later than whatever began before, by more than the millisecond of a boundary.
sub now
{
	reach($node->safe_psql('postgres', 'SELECT greatest(max(backend_start), max(xact_start)) FROM pg_stat_activity'));
	return $node->safe_psql('postgres', 'SELECT clock_timestamp() FROM pg_sleep(0.002)');
}

# A session that leaves a transaction open, and the time before it began.
sub open_transaction
{
	my ($connection, $begin, @commands) = @_;
	my ($before, $session);

	do
	{
		$session->quit if $session;
		$before = now();
		$session = $node->background_psql($connection->{database} // 'postgres', %{ $connection->{options} // {} });
		$session->query_safe($begin);
	} until $session->query_safe("SELECT now() >= '$before'") eq 't';
	$session->query_safe($_) foreach @commands;
	return ($session, $before);
}

#
# What a cursor misses.
#

my ($early) = open_transaction({}, 'BEGIN', "INSERT INTO events (writer) VALUES ('early')");
$node->safe_psql('postgres', "INSERT INTO events (writer) VALUES ('late')");
my $last = $node->safe_psql('postgres', 'SELECT id FROM events ORDER BY id DESC LIMIT 1');
my $safe = $node->safe_psql('postgres', 'SELECT uuid_safe_boundary()');
is($node->safe_psql('postgres', "SELECT string_agg(writer, ',') FROM events WHERE id < '$safe'"),
	'', 'below the boundary nothing is there yet');
$early->query_safe('COMMIT');
is($node->safe_psql('postgres', "SELECT count(*) FROM events WHERE id > '$last'"),
	0, 'a cursor at the last id misses a row that commits later');
$safe = $node->safe_psql('postgres', 'SELECT uuid_safe_boundary()');
is($node->safe_psql('postgres', "SELECT string_agg(writer, ',' ORDER BY id) FROM events WHERE id < '$safe'"),
	'early,late', 'below the next boundary both are');
$early->quit;

#
# Which transactions hold the boundary back.
#

my $start = now();
boundary_is('>=', $start, 'without other transactions the boundary is the present');

my ($reader, $before) = open_transaction({}, 'BEGIN', 'SELECT count(*) FROM events');
boundary_is('>=', $before, 'an open transaction holds it, not before its start');
my $after = now();
boundary_is('<', $after, 'nor after');
$reader->query_safe('ROLLBACK');
boundary_is('>=', $after, 'its end frees it');
$reader->quit;

my ($stranger) = open_transaction({ database => 'other' }, 'BEGIN', 'SELECT 1');
$after = now();
boundary_is('>=', $after, 'a transaction of another database does not matter');
$stranger->quit;

my ($idle) = open_transaction({ options => { on_error_stop => 0 } }, 'SET track_activities = off', 'SELECT 1');
$after = now();
boundary_is('>=', $after, 'nor does an idle session without track_activities');
$idle->query_safe('BEGIN');
$idle->query_safe('SELECT 1');
boundary_is('<', $after, 'but its transaction counts from the start of the session');
$idle->query_safe('COMMIT');
boundary_is('>=', $after, 'until it ends');
$idle->query_safe('BEGIN');
$idle->query_safe('SET track_activities = on');
boundary_is('<', $after, 'also when the setting changes within the transaction');
$idle->query_safe('SAVEPOINT s');
$idle->query('SELECT 1 / 0');
boundary_is('<', $after, 'and when a statement fails there');
my $sleeper = $node->background_psql('postgres');
$sleeper->query_safe('SET track_activities = off');
$sleeper->query_until(qr/started\n/, "\\echo started\nBEGIN;\nSET track_activities = on;\nSELECT pg_sleep(36000);\n");
$node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
	or die 'nobody sleeps';
$idle->quit;
$after = now();
boundary_is('<', $after, 'and while a statement runs there');
$node->safe_psql('postgres', "SELECT pg_terminate_backend(pid, 180000) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
eval { $sleeper->quit };
is($node->safe_psql('postgres',
	"SET track_activities = off; SELECT pg_sleep(0.1); SELECT uuid_safe_boundary() >= uuid_boundary(now())"),
	"\nt", 'a reader without track_activities gets the present');

my ($prepared) = open_transaction({}, 'BEGIN', "INSERT INTO events (writer) VALUES ('prepared')", q(PREPARE TRANSACTION 'p'));
$prepared->quit;
boundary_is('=', '-infinity', 'nothing is safe while a transaction is prepared');
isnt($node->safe_psql('other', 'CREATE EXTENSION uidext; SELECT uuid_safe_boundary()'), $nil, 'in its database only');
$node->safe_psql('postgres', q(COMMIT PREPARED 'p'));
boundary_is('>=', $after, 'until it ends');

# The activity that others may not read holds it for everyone.  SQL may not read it either.
($reader) = open_transaction({}, 'BEGIN', 'SELECT 1');
if ($sql_edition)
{
	refused('42501', 'SET ROLE nobody; SELECT uuid_safe_boundary()', 'refused to a role without rights');
	$node->safe_psql('postgres', 'GRANT pg_read_all_stats TO nobody');
}
$after = now();
is($node->safe_psql('postgres', "SET ROLE nobody; SELECT uuid_safe_boundary() < uuid_boundary('$after')"),
	't', 'a role without rights sees the same boundary');

# One view of the activity is kept for a transaction; the boundary is not.
is($node->safe_psql('postgres', <<SQL), 't', 'a long transaction gets new boundaries');
BEGIN;
SELECT count(*) > 0 AS viewed FROM pg_stat_activity \\gset
SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction' AND pid <> pg_backend_pid() \\gset
SELECT uuid_safe_boundary() AS held \\gset
SELECT pg_terminate_backend(:pid, 180000) \\gset
SELECT uuid_safe_boundary() > :'held';
SQL
eval { $reader->quit };

#
# One statement that asks and reads.  A transaction that ends between its
# snapshot and the look is not lost: an earlier look serves, or there is an error.
#

$node->safe_psql('postgres', <<'SQL');
CREATE FUNCTION wait_for_lock()
RETURNS void
LANGUAGE plpgsql STABLE AS $$
	BEGIN PERFORM pg_advisory_lock_shared(1); PERFORM pg_advisory_unlock_shared(1); END $$;
CREATE FUNCTION late_boundary()
RETURNS uuid
LANGUAGE plpgsql STABLE AS $$ BEGIN PERFORM wait_for_lock(); RETURN uuid_safe_boundary(); END $$;
CREATE FUNCTION wrapped_boundary() RETURNS uuid LANGUAGE sql AS 'SELECT uuid_safe_boundary()';
CREATE TABLE checkpoints (done uuid);
SQL

# What a session gets from its last command, in which a writer's transaction ends
# after the snapshot was taken and before the boundary is asked for.  The writer
# begins before the session's other commands.
my $another_follows = 0;
sub reads_while_one_commits
{
	my ($query, @before) = @_;
	my $gate = $node->background_psql('postgres');
	my ($writer) = open_transaction({}, 'BEGIN', "INSERT INTO events (writer) VALUES ('commits meanwhile')");
	# so that its number is below those of which the snapshot says nothing
	$node->safe_psql('postgres', 'SELECT pg_current_xact_id()') if $another_follows;
	my $session = $node->background_psql('postgres', on_error_stop => 0);
	my ($stdout, $stderr);

	$gate->query_safe('SELECT pg_advisory_lock(1)');
	$session->query_safe('\\set VERBOSITY verbose');
	ref $_ ? $_->() : $session->query_safe($_) foreach @before;
	$session->query_until(qr/asked\n/, "\\echo asked\n$query;\n\\echo done\n\\warn done\n");
	$node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
		or die 'nobody waits';
	$writer->query_safe('COMMIT');
	$writer->quit;
	$gate->quit;
	$session->{run}->pump until $session->{stdout} =~ /^done\n/m && $session->{stderr} =~ /^done\n/m;
	($stdout, $stderr) = map { s/^done\n//mr } ($session->{stdout}, $session->{stderr});
	$stdout =~ s/^\s+|\s+$//g;
	($session->{stdout}, $session->{stderr}) = ('', '');
	$session->quit;
	return ($stdout, $stderr);
}

my $lost = "SELECT count(*) FROM events WHERE writer = 'commits meanwhile' AND id < '%s'";
my ($out, $error);
foreach (0, 1)
{
	$another_follows = $_;
	($out, $error) = reads_while_one_commits("SELECT count(*) FROM events WHERE id < late_boundary()");
	like($error, qr/ERROR:  55000: the snapshot is too old for uuid_safe_boundary\(\)/, 'a STABLE function that sleeps: refused');
	is($out, '', 'and nothing is read');
	$node->safe_psql('postgres', "DELETE FROM events WHERE writer = 'commits meanwhile'");
}

($out, $error) = reads_while_one_commits('SELECT late_boundary()', 'SELECT uuid_safe_boundary()');
is($node->safe_psql('postgres', sprintf($lost, $out)), 0, 'after an earlier look that serves');
is($error, '', 'without an error');
$node->safe_psql('postgres', "DELETE FROM events WHERE writer = 'commits meanwhile'");

foreach my $call ('uuid_safe_boundary()', 'wrapped_boundary()')
{
	($out, $error) = reads_while_one_commits(
		qq(
			SELECT max(b::text)
			FROM events
			RIGHT JOIN (
				SELECT $call
				FROM (SELECT wait_for_lock() OFFSET 0) AS w (done)
				WHERE done IS NOT NULL
				OFFSET 0) AS s (b) ON id < b));
	is($error, '', "$call in a join");
	is($node->safe_psql('postgres', sprintf($lost, $out)), 0, 'is the boundary of when it was planned');
	$node->safe_psql('postgres', "DELETE FROM events WHERE writer = 'commits meanwhile'");
}

# A plan that is kept, with what was seen when it was made, does not keep the boundary.
my ($old) = open_transaction({}, 'BEGIN', 'SELECT 1');
my $planned = now();
($out, $error) = reads_while_one_commits(
	'EXECUTE kept',
	'PREPARE kept AS SELECT uuid_safe_boundary() FROM (SELECT wait_for_lock() OFFSET 0) AS w (done) WHERE done IS NOT NULL',
	'EXPLAIN EXECUTE kept',
	sub { $old->query_safe('COMMIT') },
	'SELECT uuid_safe_boundary()');
is($error, '', 'in a prepared statement');
is($node->safe_psql('postgres', sprintf($lost, $out)), 0, 'nothing is lost');
is($node->safe_psql('postgres', "SELECT '$out' >= uuid_boundary('$planned')"), 't', 'and the boundary is later than the plan');
$old->quit;
$node->safe_psql('postgres', "DELETE FROM events WHERE writer = 'commits meanwhile'");

# An earlier look is not asked of who could have made it up.
if ($sql_edition)
{
	$node->safe_psql('postgres', q(
		CREATE FUNCTION owners_boundary()
		RETURNS uuid
		LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN RETURN late_boundary(); END $$));
	($out, $error) = reads_while_one_commits('SELECT owners_boundary()', 'GRANT EXECUTE ON FUNCTION owners_boundary() TO nobody',
		'SET SESSION AUTHORIZATION nobody',
		q(SET uidext_internal.safe_look = '(ffffffff-ffff-ffff-ffff-ffffffffffff,1:1:)'));
	like($error, qr/ERROR:  55000: the snapshot is too old/, 'nor is a setting that the caller has made');
	$node->safe_psql('postgres', "DELETE FROM events WHERE writer = 'commits meanwhile'");
}

is($node->safe_psql('postgres',
		'INSERT INTO checkpoints SELECT uuid_safe_boundary(); SELECT done IS NOT NULL FROM checkpoints'), 't',
	'a boundary is stored');
is($node->safe_psql('postgres', 'SELECT count(*) FROM events WHERE id < uuid_safe_boundary()'),
	$node->safe_psql('postgres', 'SELECT count(*) FROM events'), 'in WHERE');
foreach my $level ('REPEATABLE READ', 'SERIALIZABLE')
{
	($out, $error) = reads_while_one_commits('SELECT wait_for_lock(); SELECT uuid_safe_boundary()',
		"BEGIN ISOLATION LEVEL $level", 'SELECT 1');
	like($error, qr/ERROR:  55000: the snapshot is too old/, "refused in $level after a transaction has ended");
	is($node->safe_psql('postgres',
			"BEGIN ISOLATION LEVEL $level; SELECT uuid_safe_boundary() >= uuid_boundary(now()); COMMIT"), 't',
		'else not');
}

#
# Writers that commit late, and readers that poll.
#

my $writers = $node->basedir . '/writer.sql';
append_to_file($writers, <<'SQL');
\set delay random(0, 100) * random(0, 1)
\set between random(0, 20)
\set outcome random(1, 10)
BEGIN;
INSERT INTO events (writer) VALUES (:client_id);
\sleep :between ms
INSERT INTO events (id, writer) SELECT gen_comb(), :client_id FROM generate_series(1, 3);
INSERT INTO events (id, writer) VALUES (gen_iuid(:client_id, 1), :client_id);
\sleep :delay ms
\if :outcome = 1
ROLLBACK;
\else
COMMIT;
\endif
SQL
my $two_phase = $node->basedir . '/two_phase.sql';
append_to_file($two_phase, <<'SQL');
BEGIN;
INSERT INTO events (writer) VALUES (:client_id);
\sleep 10 ms
PREPARE TRANSACTION 'p:client_id';
\sleep 10 ms
COMMIT PREPARED 'p:client_id';
SQL

$node->safe_psql('postgres', <<'SQL');
TRUNCATE events;
-- an id of the time when all writers had ended
CREATE TABLE writers_ended (id uuid);
CREATE PROCEDURE read_events(reader text, pause float8) LANGUAGE plpgsql AS $$
DECLARE
	done uuid := uuid_boundary('-infinity');
	safe uuid;
BEGIN
	WHILE NOT EXISTS (SELECT FROM writers_ended WHERE id < done) LOOP
		safe := uuid_safe_boundary();
		INSERT INTO seen SELECT reader, id FROM events WHERE id >= done AND id < safe;
		done := greatest(done, safe);
		COMMIT;
		PERFORM pg_sleep(pause);
	END LOOP;
END $$;
CREATE PROCEDURE read_events_naively(pause float8) LANGUAGE plpgsql AS $$
DECLARE
	done uuid := uuid_boundary('-infinity');
BEGIN
	WHILE NOT EXISTS (SELECT FROM writers_ended) LOOP
		INSERT INTO seen SELECT 'naive', id FROM events WHERE id > done;
		done := greatest(done, (SELECT id FROM seen WHERE seen.reader = 'naive' ORDER BY id DESC LIMIT 1));
		COMMIT;
		PERFORM pg_sleep(pause);
	END LOOP;
END $$;
CREATE INDEX ON seen (reader, id);
SQL

my %pause = (eager => 0.002, steady => 0.05, lazy => 0.7);
my @runs;
foreach my $call (
	(map { "CALL read_events('$_', $pause{$_})" } sort keys %pause),
	'CALL read_events_naively(0.02)')
{
	push @runs, IPC::Run::start([ 'psql', '-qX', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'), '-c', $call ]);
}
# one row is committed when the naive reader is past it
my ($held) = open_transaction({}, 'BEGIN', "INSERT INTO events (writer) VALUES ('held')");
my $held_id = $held->query_safe("SELECT id FROM events WHERE writer = 'held'");
my $is_past = "SELECT count(*) > 0 FROM seen WHERE reader = 'naive' AND id > '$held_id'";
$node->poll_query_until('postgres', "WITH passes AS (INSERT INTO events (writer) VALUES ('passes')) $is_past")
	or die 'the naive reader does not pass';
$held->query_safe('COMMIT');
$held->quit;
$node->command_ok([ 'pgbench', '-n', '-c', 16, '-T', $seconds, '-f', "$writers\@40", '-f', "$two_phase\@1", 'postgres' ],
	"16 writers for $seconds seconds");
$node->safe_psql('postgres', 'INSERT INTO writers_ended VALUES (gen_uuidv7())');
ok($_->finish, 'reader ends well') foreach @runs;
$node->safe_psql('postgres', "CALL read_events('eager again', 0)");

my $count = $node->safe_psql('postgres', 'SELECT count(*) FROM events');
cmp_ok($count, '>', 0, 'rows were written');
foreach my $name (sort keys %pause)
{
	is($node->safe_psql('postgres', qq(
		SELECT count(*)
		FROM events e
		WHERE NOT EXISTS (SELECT FROM seen s WHERE s.reader = '$name' AND s.id = e.id))),
		0, "$name reader: no row skipped");
	is($node->safe_psql('postgres', "SELECT count(*) - count(DISTINCT id) FROM seen WHERE reader = '$name'"),
		0, "$name reader: none twice");
}
is($node->safe_psql('postgres', "SELECT count(*) FROM seen WHERE reader = 'eager again'"), $count,
	'a late reader finds them all');
my $missed = q(SELECT count(*) FROM events e WHERE NOT EXISTS (SELECT FROM seen s WHERE s.reader = 'naive' AND s.id = e.id));
is($node->safe_psql('postgres', "$missed AND writer = 'held'"), 1, 'a cursor at the last id misses the row that was held');
note("$count rows; it missed " . $node->safe_psql('postgres', $missed) . ' of them');

#
# A standby does not know, but can be read up to a boundary of the primary.
#

$node->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->start;
$count = $node->safe_psql('postgres', "INSERT INTO events (writer) VALUES ('last'); SELECT count(*) FROM events");
$safe = $node->safe_psql('postgres', 'SELECT uuid_safe_boundary()');
my $lsn = $node->safe_psql('postgres', 'SELECT pg_current_wal_insert_lsn()');
$standby->poll_query_until('postgres', "SELECT pg_last_wal_replay_lsn() >= '$lsn'") or die 'the standby does not follow';
refused('55000', 'SELECT uuid_safe_boundary()', 'refused on a standby', $standby);
is($standby->safe_psql('postgres', "SELECT count(*) FROM events WHERE id < '$safe'"), $count,
	'a standby that has replayed what was there shows all rows below');

done_testing();
