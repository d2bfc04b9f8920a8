# uuid_partition_drain() beside readers and writers, two at once, and killed at
# every step: no row is lost, doubled or out of sight.

use strict;
use warnings;

use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Crashes;
use OneSession;

my $node = OneSession->new('drain');
$node->init;
$node->append_conf('postgresql.conf',
	"autovacuum = off\nlock_timeout = '10min'\nrestart_after_crash = on\nTimeZone = 'Asia/Kathmandu'");
$node->start;

# Of a role that is no superuser, in a schema of its own, with odd names.
my $table = '"The Shop"."Big Orders"';
my $rest = '"The Shop"."The ""Rest"""';
$node->safe_psql(
	'postgres', qq(
	CREATE EXTENSION uidext;
	CREATE ROLE shop LOGIN;
	CREATE SCHEMA "The Shop" AUTHORIZATION shop;
	SET ROLE shop;
	CREATE TABLE $table (
		gone int, "The Id" uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int, twice int GENERATED ALWAYS AS (n * 2) STORED
	) PARTITION BY RANGE ("The Id");
	ALTER TABLE $table DROP COLUMN gone;
	CREATE TABLE $rest PARTITION OF $table DEFAULT;
	CREATE TABLE "The Shop".seen (what text);
	CREATE FUNCTION "The Shop".note()
	RETURNS trigger
	LANGUAGE plpgsql AS 'BEGIN INSERT INTO "The Shop".seen VALUES (TG_OP); RETURN coalesce(NEW, OLD); END';
	CREATE TRIGGER note AFTER INSERT OR DELETE ON $table FOR EACH ROW EXECUTE FUNCTION "The Shop".note();
	CREATE TABLE "The Shop".ledger (id uuid);
	WITH made AS (INSERT INTO $table ("The Id", n) SELECT gen_uuidv7_at(at), 1
		FROM generate_series('2024-02-20'::timestamptz, '2024-05-10', '1 hour') AS at RETURNING "The Id")
	INSERT INTO "The Shop".ledger SELECT "The Id" FROM made;
));

my $drain = qq(CALL uuid_partition_drain('$table', '1 month', 'Europe/Berlin'));
my $sound = qq(SELECT count(*) FILTER (WHERE t."The Id" IS NULL) AS lost, count(*) FILTER (WHERE l.id IS NULL) AS more,
	count(*) - count(DISTINCT "The Id") AS doubled FROM "The Shop".ledger l FULL JOIN $table t ON t."The Id" = l.id);
my $partitions = qq(SELECT count(*) FROM uuid_partition_list('$table') WHERE kind = 'partition');

# Stops the drain after its n-th command of DDL, where it waits for a lock of the test's.
$node->safe_psql(
	'postgres', q(
	CREATE SEQUENCE commands;
	CREATE TABLE stop_after (n bigint);
	GRANT ALL ON SEQUENCE commands TO PUBLIC;
	GRANT SELECT ON stop_after TO PUBLIC;
	CREATE FUNCTION pause() RETURNS event_trigger LANGUAGE plpgsql SET lock_timeout = 0 AS $$
	BEGIN
		IF nextval('public.commands') = (SELECT n FROM public.stop_after) THEN
			PERFORM pg_advisory_xact_lock(1);
		END IF;
	END $$;
	CREATE EVENT TRIGGER pause ON ddl_command_end WHEN TAG IN ('CREATE TABLE', 'ALTER TABLE', 'DROP TABLE') EXECUTE FUNCTION pause();
	ALTER EVENT TRIGGER pause DISABLE;

	-- what a partition lacks when it is attached is built while all others wait
	CREATE TABLE made (indexes bigint);
	GRANT INSERT ON made TO PUBLIC;
	CREATE FUNCTION note_made() RETURNS event_trigger LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO public.made SELECT (SELECT count(*) FROM pg_index WHERE indrelid = objid)
		FROM pg_event_trigger_ddl_commands() WHERE command_tag = 'CREATE TABLE' AND object_identity ~ 'Big Orders_';
	END $$;
	CREATE EVENT TRIGGER note_made ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION note_made();
));

sub drain_in_background
{
	return IPC::Run::start(
		[ 'psql', '-qX', '-d', $node->connstr('postgres') . ' user=shop application_name=drain', '-c', $drain ],
		'>', \my $stdout, '2>', \my $stderr);
}

sub kill_when_it_waits
{
	my ($draining) = @_;

	$node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'drain' AND wait_event_type = 'Lock'")
	  or die 'the drain does not wait';
	my $pid = $node->safe_psql('postgres', "SELECT pid FROM pg_stat_activity WHERE application_name = 'drain'");
	kill 'KILL', $pid;
	eval { $draining->finish };
	comes_back($node, $pid);
}

# Two commands make a period: create the partition, and attach it while its rows are neither
# there nor in the default partition.
foreach my $step (1 .. 3)
{
	my $holder = $node->background_psql('postgres', on_error_stop => 0);

	$holder->query_safe('SELECT pg_advisory_lock(1)');
	$node->safe_psql('postgres',
		qq(
			DELETE FROM stop_after;
			INSERT INTO stop_after VALUES ($step);
			SELECT setval('commands', 1, false);
			ALTER EVENT TRIGGER pause ENABLE));
	kill_when_it_waits(drain_in_background());
	eval { $holder->quit };
	$node->safe_psql('postgres', 'ALTER EVENT TRIGGER pause DISABLE');
	is($node->safe_psql('postgres', $sound), '0|0|0', "killed after command $step: no row lost or doubled");
	is($node->safe_psql('postgres', $partitions), $step > 2 ? 1 : 0, 'what was committed is there, nothing else');
}

# Killed while it waits for a row, and for the lock.
foreach my $hold ('UPDATE %s SET n = n WHERE "The Id" = (SELECT max("The Id") FROM %1$s)', 'SELECT count(*) FROM ONLY %s')
{
	my $holder = $node->background_psql('postgres', on_error_stop => 0);

	$holder->query_safe('BEGIN; ' . sprintf $hold, $rest);
	my $draining = drain_in_background();
	kill_when_it_waits($draining);
	eval { $holder->quit };
	is($node->safe_psql('postgres', $sound), '0|0|0', "killed where it waits for others: no row lost or doubled");
}

# Writers, a reader who counts what is committed, and two drains.

$node->safe_psql('postgres', qq(
	SET ROLE shop;
	SELECT uuid_partition_maintain('$table', '1 month', tz => 'Europe/Berlin');
	RESET ROLE;
	DROP EVENT TRIGGER pause));
my $dir = PostgreSQL::Test::Utils::tempdir();
append_to_file("$dir/write.sql", qq(
\\set hours random(0, 2000)
WITH made AS (
	INSERT INTO $table ("The Id", n)
	VALUES (gen_uuidv7_at(timestamptz '2024-02-20' + :hours * interval '1 hour'), 1)
	RETURNING "The Id")
INSERT INTO "The Shop".ledger SELECT "The Id" FROM made;
));
append_to_file("$dir/read.sql", qq(
SELECT 1 / (count(*) = (SELECT count(*) FROM "The Shop".ledger))::int FROM $table;
));
my $log = '';
my $pgbench = IPC::Run::start(
	[ 'pgbench', '-n', '-f', "$dir/write.sql", '-f', "$dir/read.sql", '-c', 3, '-t', 300,
		$node->connstr('postgres') . ' user=shop' ],
	'>', \$log, '2>&1');
my @draining = map { drain_in_background() } 1, 2;
$_->finish foreach @draining;
ok($pgbench->finish, 'writers and readers see no error, and no row out of sight') or diag($log);
$node->safe_psql('postgres', "SET ROLE shop; $drain");
is($node->safe_psql('postgres', $sound), '0|0|0', 'two at once beside writers: no row lost or doubled');
is($node->safe_psql('postgres', "SELECT count(*) FROM $rest"), 0, 'the default partition is empty');
is( $node->safe_psql(
		'postgres',
		qq(
			SELECT string_agg(
					to_char(from_time AT TIME ZONE 'Europe/Berlin', 'YYYY-MM-DD HH24:MI'), ' '
					ORDER BY from_time), sum(bytes) > 0
		FROM uuid_partition_list('$table') WHERE from_time < '2024-05-15' AND kind = 'partition')),
	'2024-02-01 00:00 2024-03-01 00:00 2024-04-01 00:00 2024-05-01 00:00|t', 'months of Berlin, the hour of summer time included');
is($node->safe_psql('postgres', q(SELECT DISTINCT what FROM "The Shop".seen)), 'INSERT', 'no trigger took a move for a deletion');
is($node->safe_psql('postgres',
		q(SELECT count(DISTINCT tgenabled), min(tgenabled) FROM pg_trigger WHERE tgname = 'note')), '1|O',
	'and all are enabled');

is($node->safe_psql('postgres', 'SELECT DISTINCT indexes FROM made'), 1, 'partitions have their index before they are attached');

# Rows to which others refer move, and nothing becomes of those; a key to the default
# partition itself is in the way.

my $more = qq(
	INSERT INTO $table ("The Id", n)
	SELECT gen_uuidv7_at(at), 1
	FROM generate_series('%s-01-05'::timestamptz, '%s-03-05', '1 month') AS at);
my ($status, $stdout, $stderr);
$node->safe_psql('postgres', qq(SET ROLE shop; CREATE TABLE "The Shop".lines (id uuid)));
my $year = 2020;
foreach my $key ('DEFERRABLE INITIALLY DEFERRED', 'ON DELETE RESTRICT', 'ON DELETE CASCADE', 'ON DELETE SET NULL')
{
	$node->safe_psql(
		'postgres', qq(
		SET ROLE shop;
		ALTER TABLE "The Shop".lines DROP CONSTRAINT IF EXISTS lines_id_fkey, ADD FOREIGN KEY (id) REFERENCES $table $key;
		@{[ sprintf $more, $year, $year ]};
		TRUNCATE "The Shop".lines;
		INSERT INTO "The Shop".lines SELECT "The Id" FROM $rest;
	));
	($status, $stdout, $stderr) = $node->psql('postgres', "SET ROLE shop; $drain");
	is(() = $stderr =~ /NOTICE:  partition .*_${year}_0[123]": 1 rows moved/g, 3, "referred to, $key: rows move") or diag($stderr);
	is($node->safe_psql('postgres', qq(
		SELECT (SELECT count(*) FROM $rest), count(*), count(l.id), count(t."The Id")
		FROM "The Shop".lines AS l
		LEFT JOIN $table AS t ON t."The Id" = l.id)),
		'0|3|3|3', 'and the rows that refer to them are as before');
	$year++;
}
($status, $stdout, $stderr) = $node->psql('postgres', qq(
	SET ROLE shop;
	ALTER TABLE "The Shop".lines DROP CONSTRAINT lines_id_fkey, ADD FOREIGN KEY (id) REFERENCES $table;
	DELETE FROM $table WHERE "The Id" IN (TABLE "The Shop".lines)));
like($stderr, qr/violates foreign key constraint/, 'keys hold afterwards');
$node->safe_psql('postgres', "SET ROLE shop; " . sprintf $more, 2019, 2019);
$node->safe_psql('postgres', qq(
	DELETE FROM "The Shop".lines;
	ALTER TABLE "The Shop".lines DROP CONSTRAINT lines_id_fkey,
		ADD FOREIGN KEY (id) REFERENCES $rest ON DELETE SET NULL));
($status, $stdout, $stderr) = $node->psql('postgres', "SET ROLE shop; $drain");
like($stderr,
	qr/ERROR:  foreign key "lines_id_fkey" of table "The Shop"\.lines refers to the default partition itself/,
	'a key that would not see where they are');
foreach my $other ('pg_monitor', 'NONE')    # none: the superuser, whatever the name
{
	($status, $stdout, $stderr) = $node->psql('postgres',
		qq(GRANT USAGE ON SCHEMA "The Shop" TO pg_monitor; SET ROLE $other; $drain));
	like($stderr, qr/ERROR:  must be owner of table "The Shop"\."Big Orders"/, "only the owner moves rows, not $other");
}
$node->safe_psql('postgres', qq(
	ALTER TABLE "The Shop".lines DROP CONSTRAINT lines_id_fkey,
		ADD FOREIGN KEY (id) REFERENCES $table ON DELETE CASCADE));
($status, $stdout, $stderr) = $node->psql('postgres', qq(SET ROLE shop; BEGIN; $drain));
like($stderr, qr/ERROR:  invalid transaction termination/, 'it cannot commit inside a transaction block');
is($node->safe_psql('postgres', "SELECT count(*) FROM $rest"), 3, 'and then moves nothing');
$node->safe_psql('postgres', "SET ROLE shop; $drain");
is($node->safe_psql('postgres', "SELECT count(*) FROM $rest"), 0, 'with the key to the table they go');

# Ids from far ahead are strays, even if one asks for them.
$node->safe_psql('postgres', qq(INSERT INTO $table VALUES (gen_uuidv7_at('4000-01-01'))));
$node->safe_psql('postgres', "SET ROLE shop; $_")
  foreach $drain, "CALL uuid_partition_drain('$table', '1 year', start => '3999-01-01', stop => '4001-01-01')";
is($node->safe_psql('postgres', "SELECT count(*) FROM $rest"), 1, 'a stray stays');
$node->safe_psql('postgres', "DELETE FROM $rest");

# Who holds the default partition for longer than one attempt waits does not end the call.
$node->safe_psql('postgres', qq(INSERT INTO $table VALUES (gen_uuidv7_at('1999-01-05'))));
my $holder = $node->background_psql('postgres');
$holder->query_safe("BEGIN; LOCK TABLE $rest IN ROW EXCLUSIVE MODE");
my $held = drain_in_background();
my $waits = sprintf q(
	FROM pg_locks l
	JOIN pg_stat_activity a USING (pid)
	WHERE application_name = 'drain' AND relation = '%s'::regclass AND waitstart %%s),
	$rest =~ s/'/''/gr;
$node->poll_query_until('postgres', 'SELECT count(*) = 1 ' . sprintf $waits, 'IS NOT NULL') or die 'the drain does not wait';
my $waitstart = '';
# between two attempts it waits for nothing
$waitstart = $node->safe_psql('postgres', 'SELECT waitstart ' . sprintf $waits, 'IS NOT NULL') while $waitstart eq '';
$node->poll_query_until('postgres', "
	SELECT (SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'drain')
		OR (SELECT count(*) = 1 "
	. sprintf($waits, "> '$waitstart'") . ')') or die 'the drain waits once and for all';
$holder->quit;
ok($held->finish, 'a drain waits longer than one attempt');
is($node->safe_psql('postgres', "SELECT count(*) FROM $rest"), 0, 'and then drains');

# Sixteen writers and many rows, or few.  Writers insert, change and delete, with a trigger that counts
# deletions and keys to a table at work.  A reader keeps the drain from its lock
# until the writers have done so much beside it, however fast the machine is.

$node->safe_psql(
	'postgres', q(
	SET ROLE shop;
	CREATE TABLE "The Shop".customers (id int PRIMARY KEY, n int);
	INSERT INTO "The Shop".customers SELECT n, 0 FROM generate_series(0, 16) AS n;
	CREATE TABLE "The Shop".busy (
		id uuid PRIMARY KEY, v int, n int DEFAULT 0, customer int DEFAULT 0 REFERENCES "The Shop".customers)
	PARTITION BY RANGE (id);
	CREATE INDEX ON "The Shop".busy (v);
	CREATE TABLE "The Shop".busy_rest PARTITION OF "The Shop".busy DEFAULT;
	CREATE TABLE "The Shop".deeds (id uuid, made int, changed int);
	CREATE SEQUENCE "The Shop".statements;
	CREATE TABLE "The Shop".deletions (id uuid);
	CREATE FUNCTION "The Shop".count_deletion()
	RETURNS trigger
	LANGUAGE plpgsql AS 'BEGIN INSERT INTO "The Shop".deletions VALUES (OLD.id); RETURN OLD; END';
	CREATE TRIGGER count_deletion AFTER DELETE ON "The Shop".busy FOR EACH ROW EXECUTE FUNCTION "The Shop".count_deletion();
));
append_to_file("$dir/busy.sql", q(
\set v random(1, 2000)
\set customer random(1, 16)
WITH made AS (
	INSERT INTO "The Shop".busy (id, v, customer)
	VALUES (gen_uuidv7_at(timestamptz '2025-01-01Z' + :v * interval '1 hour'), :v, :customer)
	RETURNING id)
INSERT INTO "The Shop".deeds SELECT id, 1, 0 FROM made;
WITH changed AS (
	UPDATE "The Shop".busy
	SET n = n + 1
	WHERE id = (SELECT id FROM "The Shop".busy WHERE v = :v LIMIT 1)
	RETURNING id)
INSERT INTO "The Shop".deeds SELECT id, 0, 1 FROM changed;
WITH gone AS (DELETE FROM "The Shop".busy WHERE id = (SELECT id FROM "The Shop".busy WHERE v = :v + 1 LIMIT 1) RETURNING id)
INSERT INTO "The Shop".deeds SELECT id, -1, 0 FROM gone;
UPDATE "The Shop".customers SET n = n + 1 WHERE id = :customer;
SELECT nextval('"The Shop".statements');
));
my $busy = IPC::Run::start(
	[ 'pgbench', '-n', '-f', "$dir/busy.sql", '-c', 16, '-T', 36000, $node->connstr('postgres') . ' user=shop' ],
	'>', \(my $busy_log = ''), '2>&1');
my $fill = q(
	WITH made AS (INSERT INTO "The Shop".busy (id, v) SELECT gen_uuidv7_at(at), 1 + n %% 2000
		FROM generate_series(1, %s) AS n, LATERAL (SELECT timestamptz '%s' + n * interval '5 min') AS t(at) RETURNING id)
	INSERT INTO "The Shop".deeds SELECT id, 1, 0 FROM made;);
my $said = '';
foreach my $round ([ [ 5000, '2010-03-01Z' ] ], [ [ 20, '2005-01-05Z' ], [ 5000, '2008-03-01Z' ] ])
{
	my $reader = $node->background_psql('postgres');

	$node->safe_psql('postgres', sprintf $fill, @$_) foreach @$round;
	$reader->query_safe('BEGIN; SELECT count(*) FROM "The Shop".busy_rest');
	my $draining = IPC::Run::start(
		[ 'psql', '-qX', '-d', $node->connstr('postgres') . ' user=shop application_name=drain',
			'-c', q(CALL uuid_partition_drain('"The Shop".busy', '1 month')) ],
		'>', \my $stdout, '2>', \my $stderr);
	$node->poll_query_until('postgres',
		q(
			SELECT count(*) = 1
			FROM pg_locks l
			JOIN pg_stat_activity a USING (pid)
			WHERE application_name = 'drain'
				AND NOT l.granted
				AND l.relation IN ('"The Shop".busy'::regclass, '"The Shop".busy_rest'::regclass)))
	  or die 'the drain does not wait';
	my $done = $node->safe_psql('postgres', 'SELECT last_value FROM "The Shop".statements');
	ok($node->poll_query_until('postgres', qq(SELECT last_value > $done + 100 FROM "The Shop".statements)),
		'writers go on beside the drain');
	$reader->quit;
	ok($draining->finish, 'which succeeds, too') or diag($stderr);
	$said .= $stderr;
}
like($said, qr/busy_$_: \d+ rows moved/, "the rows of $_ moved") foreach qw(2010_03 2005_01 2008_03);
unlike($said, qr/WARNING/, 'nothing was left undone');
$busy->signal('TERM');
eval { $busy->finish };
unlike($busy_log, qr/ERROR|error|aborted/, 'no writer had an error');
$node->poll_query_until('postgres',
	"SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'pgbench'")
	or die 'writers stay';
is($node->safe_psql('postgres', 'SELECT count(*) FROM "The Shop".busy_rest'), 0, 'the default ends empty');
is($node->safe_psql('postgres', 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()'), 0, 'no deadlock');
is( $node->safe_psql(
		'postgres', q(
		SELECT count(*) FILTER (WHERE b.id IS NULL),
			count(*) FILTER (WHERE d.id IS NULL),
			count(*) FILTER (WHERE b.n <> d.n),
			count(*) - count(DISTINCT coalesce(b.id, d.id))
		FROM (SELECT id, sum(changed) AS n FROM "The Shop".deeds GROUP BY id HAVING sum(made) = 1) AS d
		FULL JOIN "The Shop".busy AS b USING (id))),
	'0|0|0|0', 'no row is lost, doubled or without its changes');
is( $node->safe_psql('postgres',
	q(SELECT count(*) = (SELECT count(*) FROM "The Shop".deeds WHERE made = -1) FROM "The Shop".deletions)),
	't', 'and the trigger has seen the deletions of writers alone');

# On a logical subscriber a table is known to the subscription or not: what reaches the
# publisher's default partition arrives, what is in a new one with a refresh.

my $publisher = OneSession->new('publisher');
$publisher->init(allows_streaming => 'logical');
$publisher->start;
my $events = q(
	CREATE TABLE events (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
	CREATE TABLE events_rest PARTITION OF events DEFAULT;
	ALTER TABLE events OWNER TO shop;
	ALTER TABLE events_rest OWNER TO shop;
	GRANT CREATE ON SCHEMA public TO shop;
);
my $drain_events = q(SET ROLE shop; CALL uuid_partition_drain('events', '1 month', max_rows => %d));
$publisher->safe_psql('postgres', 'CREATE EXTENSION uidext; CREATE ROLE shop');
foreach my $what ('FOR ALL TABLES', 'FOR TABLE events')
{
	$publisher->safe_psql('postgres', "$events; CREATE PUBLICATION events $what;
		INSERT INTO events SELECT gen_uuidv7_at('2026-01-15'), n FROM generate_series(1, 20) AS n");
	$node->safe_psql('postgres', qq(
		$events;
		CREATE SUBSCRIPTION events CONNECTION '${\$publisher->connstr} dbname=postgres' PUBLICATION events));
	$node->wait_for_subscription_sync($publisher, 'events');

	$node->safe_psql('postgres', 'ALTER SUBSCRIPTION events DISABLE');
	$publisher->safe_psql('postgres', sprintf $drain_events, 20);
	($status, $stdout, $stderr) = $node->psql('postgres', sprintf $drain_events, 10);
	like($stderr, qr/54000: more than 10 rows would be moved under a lock/, 'too many rows stay');
	($status, $stdout, $stderr) = $node->psql('postgres', sprintf $drain_events, 20);
	like($stderr, qr/events_2026_01: 20 rows moved/, 'its rows move');
	$node->safe_psql('postgres', 'ALTER SUBSCRIPTION events ENABLE');
	$publisher->safe_psql('postgres',
		"INSERT INTO events VALUES (gen_uuidv7_at('2026-03-15'), 21), (gen_uuidv7_at('2026-01-20'), 22)");
	$publisher->wait_for_catchup('events');
	is($node->safe_psql('postgres', 'SELECT tableoid::regclass, count(*) FROM events GROUP BY 1 ORDER BY 1'),
		"events_rest|1\nevents_2026_01|20",
		'rows of the default arrive');

	# Of the partition the subscription does not know yet.
	$node->safe_psql('postgres', 'TRUNCATE events_2026_01');
	$node->safe_psql('postgres', 'ALTER SUBSCRIPTION events REFRESH PUBLICATION');
	$node->wait_for_subscription_sync($publisher, 'events');
	$publisher->safe_psql('postgres', "INSERT INTO events VALUES (gen_uuidv7_at('2026-01-21'), 23)");
	$publisher->wait_for_catchup('events');
	is($node->safe_psql('postgres', 'SELECT count(*) FROM events_2026_01'), 22, 'those of the partition with a refresh');
	$node->safe_psql('postgres', 'DROP SUBSCRIPTION events');
	$node->safe_psql('postgres', 'DROP TABLE events');
	$publisher->safe_psql('postgres', 'DROP PUBLICATION events');
	$publisher->safe_psql('postgres', 'DROP TABLE events');
}

# Published through the root, to a subscriber that has no partitions: each row that moves
# is deleted there and comes again, whether the publication names the table, partitions
# or neither, and wherever the default's parts are and the new partition comes.
my $root = 'WITH (publish_via_partition_root = true)';
my @published = ('FOR ALL TABLES', 'FOR TABLE events', 'FOR TABLE events, events_rest',
	'FOR TABLE events, leaves.leaf', 'FOR TABLES IN SCHEMA public',
	'FOR TABLES IN SCHEMA public, months, leaves');
# since 19 a publication of all tables can have exceptions
push @published, 'FOR ALL TABLES EXCEPT (TABLE secrets)' if $node->pg_version->major >= 19;
foreach my $what (@published)
{
	$publisher->safe_psql('postgres', q(
		CREATE TABLE secrets (id uuid) PARTITION BY RANGE (id);
		CREATE TABLE secrets_rest PARTITION OF secrets DEFAULT))
	  if $what =~ /secrets/;
	$publisher->safe_psql('postgres', qq(
		CREATE SCHEMA leaves;
		CREATE SCHEMA months;
		CREATE TABLE events (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
		CREATE TABLE events_rest PARTITION OF events DEFAULT PARTITION BY HASH (id);
		CREATE TABLE leaves.leaf PARTITION OF events_rest FOR VALUES WITH (MODULUS 1, REMAINDER 0);
		SELECT uuid_partition_create('events', '2026-02-01', '2026-03-01', '1 month');
		ALTER TABLE events_2026_02 SET SCHEMA months;
		INSERT INTO events SELECT gen_uuidv7_at('2026-01-15'), n FROM generate_series(1, 10) AS n;
		CREATE PUBLICATION events $what $root));
	$node->safe_psql('postgres', "CREATE TABLE events (id uuid PRIMARY KEY, n int);
		CREATE SUBSCRIPTION events CONNECTION '${\$publisher->connstr} dbname=postgres' PUBLICATION events");
	$node->wait_for_subscription_sync($publisher, 'events');
	($status, $stdout, $stderr) = $publisher->psql('postgres', q(CALL uuid_partition_drain('events', '1 month')));
	like($stderr, qr/months\.events_2026_01: 10 rows moved/, "published $what: rows move");
	$publisher->safe_psql('postgres', "INSERT INTO events VALUES (gen_uuidv7_at('2026-01-16'), 24)");
	$publisher->wait_for_catchup('events');
	is($node->safe_psql('postgres', 'SELECT id, n FROM events ORDER BY id'),
		$publisher->safe_psql('postgres', 'SELECT id, n FROM events ORDER BY id'),
		'and the subscriber has them all, and what comes after');
	$node->safe_psql('postgres', 'DROP SUBSCRIPTION events; DROP TABLE events');
	$publisher->safe_psql('postgres', q(
		SET client_min_messages = error; DROP PUBLICATION events; DROP TABLE events; DROP SCHEMA leaves, months));
}

# A table that is excepted needs no replica identity.
SKIP:
{
	skip 'the server has no exceptions', 3 if $node->pg_version->major < 19;
	my $drain_secrets = qq(
		INSERT INTO secrets VALUES (gen_uuidv7_at('2026-01-15'));
		CALL uuid_partition_drain('secrets', '1 month', dry_run => true);
		CALL uuid_partition_drain('secrets', '1 month'));
	$publisher->safe_psql('postgres', 'CREATE PUBLICATION everything FOR ALL TABLES');
	($status, $stdout, $stderr) = $publisher->psql('postgres', $drain_secrets);
	is(() = $stderr =~ /DETAIL:  55000: rows cannot be moved out of table public\.secrets_rest/g, 2,
		'a table without a replica identity keeps its rows where all tables are published, as a dry run says');
	$publisher->safe_psql('postgres',
		'DROP PUBLICATION everything; CREATE PUBLICATION everything FOR ALL TABLES EXCEPT (TABLE secrets)');
	($status, $stdout, $stderr) = $publisher->psql('postgres', $drain_secrets);
	like($stderr, qr/secrets_2026_01: would be made\n.*secrets_2026_01: 2 rows moved/s,
		'not where it is excepted, as a dry run says');
	unlike($stderr, qr/WARNING/, 'and nothing is warned of');
	$publisher->safe_psql('postgres', 'DROP PUBLICATION everything; DROP TABLE secrets');
}

# A publication of the default partition alone has the DELETE of rows that move, and not the INSERT.
$publisher->safe_psql('postgres', "$events; CREATE PUBLICATION events FOR TABLE events_rest;
	INSERT INTO events SELECT gen_uuidv7_at('2026-01-15'), n FROM generate_series(1, 20) AS n");
$node->safe_psql('postgres', qq(
	$events; CREATE SUBSCRIPTION events CONNECTION '${\$publisher->connstr} dbname=postgres' PUBLICATION events));
$node->wait_for_subscription_sync($publisher, 'events');
($status, $stdout, $stderr) = $publisher->psql('postgres', sprintf($drain_events, 20) =~ s/20\)/20, dry_run => true)/r);
my $has = qr/publication "events" has default partition (public\.)?events_rest/;
my $unpublished = qr/WARNING:  $has, and not new partition public\.events_2026_01\n/;
like($stderr, $unpublished, 'a dry run warns of a publication that has not the new partition');
($status, $stdout, $stderr) = $publisher->psql('postgres', sprintf $drain_events, 20);
like($stderr, $unpublished, 'and so does a drain');
$publisher->wait_for_catchup('events');
is($node->safe_psql('postgres', 'SELECT count(*) FROM events'), 0, 'the subscriber has none of the rows then');
my ($add) = $stderr =~ /run: (ALTER PUBLICATION .*)/;
$publisher->safe_psql('postgres', $add // 'no command');
$node->safe_psql('postgres', qq(
	SET ROLE shop;
	SELECT uuid_partition_create('events', '2026-01-01 00:00+00', '2026-02-01 00:00+00', '1 month')));
$node->safe_psql('postgres', 'ALTER SUBSCRIPTION events REFRESH PUBLICATION');
$node->wait_for_subscription_sync($publisher, 'events');
is($node->safe_psql('postgres', 'SELECT tableoid::regclass, count(*) FROM events GROUP BY 1'),
	'events_2026_01|20', 'and has them again when it has done what the hint says');
$node->safe_psql('postgres', 'DROP SUBSCRIPTION events; DROP TABLE events');
$publisher->safe_psql('postgres', 'DROP PUBLICATION events; DROP TABLE events');

# Rows of an unlogged default partition come to the subscriber when they come into one that is logged.
$publisher->safe_psql('postgres', "CREATE TABLE quick (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE UNLOGGED TABLE quick_rest PARTITION OF quick DEFAULT;
	INSERT INTO quick VALUES (gen_uuidv7_at('2026-01-15'));
	CREATE PUBLICATION quick FOR ALL TABLES $root");
$node->safe_psql('postgres', "CREATE TABLE quick (id uuid PRIMARY KEY);
	CREATE SUBSCRIPTION quick CONNECTION '${\$publisher->connstr} dbname=postgres' PUBLICATION quick WITH (copy_data = false)");
$node->wait_for_subscription_sync($publisher, 'quick');
$publisher->safe_psql('postgres', q(CALL uuid_partition_drain('quick', '1 month')));
$publisher->wait_for_catchup('quick');
is($node->safe_psql('postgres', 'SELECT id FROM quick'),
	$publisher->safe_psql('postgres', 'SELECT id FROM quick_2026_01'), 'rows that become logged are published');
$node->safe_psql('postgres', 'DROP SUBSCRIPTION quick');

# Until 15 a partition may generate a column that its parent does not.
SKIP:
{
	skip 'the server refuses such partitions', 1 if $node->pg_version >= 16;
	$node->safe_psql('postgres', q(CREATE TABLE mixed (id uuid, n int, tenfold int) PARTITION BY RANGE (id);
		CREATE TABLE mixed_rest (id uuid, n int, tenfold int GENERATED ALWAYS AS (n * 10) STORED);
		ALTER TABLE mixed ATTACH PARTITION mixed_rest DEFAULT;
		INSERT INTO mixed (id, n) VALUES (gen_uuidv7_at('2026-01-15'), 7)));
	$node->safe_psql('postgres', q(CALL uuid_partition_drain('mixed', '1 month')));
	is($node->safe_psql('postgres', 'SELECT tableoid::regclass, n, tenfold FROM mixed'), 'mixed_2026_01|7|70',
		'what the default alone generates is kept');
}


# From 16 on it may generate a column in another way.
SKIP:
{
	skip 'the server refuses such partitions', 2 if $node->pg_version < 16;
	$node->safe_psql('postgres', q(
		CREATE TABLE priced (id uuid, n int, price int GENERATED ALWAYS AS (n * 10) STORED)
		PARTITION BY RANGE (id);
		CREATE TABLE priced_rest (id uuid, n int, price int GENERATED ALWAYS AS (n * 12) STORED);
		ALTER TABLE priced ATTACH PARTITION priced_rest DEFAULT;
		INSERT INTO priced (id, n) VALUES (gen_uuidv7_at('2026-01-15'), 7)));
	($status, $stdout, $stderr) = $node->psql('postgres', q(CALL uuid_partition_drain('priced', '1 month')));
	like($stderr, qr/generated column "price" of a row would change/, 'a period is left if a generated value would change');
	is($node->safe_psql('postgres', 'SELECT tableoid::regclass, n, price FROM priced'), 'priced_rest|7|84',
		'and its rows are as they were');
}

$publisher->stop;
$node->stop;
done_testing();
