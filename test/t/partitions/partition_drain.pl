# uuid_partition_drain() beside readers and writers, two at once, and killed at
# every step: no row is lost, doubled or out of sight.

use strict;
use warnings;

use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Crashes;

my $node = PostgreSQL::Test::Cluster->new('drain');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nlock_timeout = '10min'\nrestart_after_crash = on\nTimeZone = 'Asia/Kathmandu'");
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
	CREATE FUNCTION "The Shop".note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO "The Shop".seen VALUES (TG_OP); RETURN coalesce(NEW, OLD); END';
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
	CREATE EVENT TRIGGER pause ON ddl_command_end WHEN TAG IN ('CREATE TABLE', 'ALTER TABLE') EXECUTE FUNCTION pause();
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

# Six commands make a period: two locks, detach the default, create, attach both.
foreach my $step (1 .. 7)
{
	my $holder = $node->background_psql('postgres', on_error_stop => 0);

	$holder->query_safe('SELECT pg_advisory_lock(1)');
	$node->safe_psql('postgres',
		"DELETE FROM stop_after; INSERT INTO stop_after VALUES ($step); SELECT setval('commands', 1, false); ALTER EVENT TRIGGER pause ENABLE");
	kill_when_it_waits(drain_in_background());
	eval { $holder->quit };
	$node->safe_psql('postgres', 'ALTER EVENT TRIGGER pause DISABLE');
	is($node->safe_psql('postgres', $sound), '0|0|0', "killed after command $step: no row lost or doubled");
	is($node->safe_psql('postgres', $partitions), $step > 6 ? 1 : 0, 'what was committed is there, nothing else');
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

$node->safe_psql('postgres', qq(SET ROLE shop; SELECT uuid_partition_maintain('$table', '1 month', tz => 'Europe/Berlin'); RESET ROLE; DROP EVENT TRIGGER pause));
my $dir = PostgreSQL::Test::Utils::tempdir();
append_to_file("$dir/write.sql", qq(
\\set hours random(0, 2000)
WITH made AS (INSERT INTO $table ("The Id", n) VALUES (gen_uuidv7_at(timestamptz '2024-02-20' + :hours * interval '1 hour'), 1) RETURNING "The Id")
INSERT INTO "The Shop".ledger SELECT "The Id" FROM made;
));
append_to_file("$dir/read.sql", qq(
SELECT 1 / (count(*) = (SELECT count(*) FROM "The Shop".ledger))::int FROM $table;
));
my $log = '';
my $pgbench = IPC::Run::start(
	[ 'pgbench', '-n', '-f', "$dir/write.sql", '-f', "$dir/read.sql", '-c', 3, '-t', 300, $node->connstr('postgres') . ' user=shop' ],
	'>', \$log, '2>&1');
my @draining = map { drain_in_background() } 1, 2;
$_->finish foreach @draining;
ok($pgbench->finish, 'writers and readers see no error, and no row out of sight') or diag($log);
$node->safe_psql('postgres', "SET ROLE shop; $drain");
is($node->safe_psql('postgres', $sound), '0|0|0', 'two at once beside writers: no row lost or doubled');
is($node->safe_psql('postgres', "SELECT count(*) FROM $rest"), 0, 'the default partition is empty');
is( $node->safe_psql(
		'postgres',
		qq(SELECT string_agg(to_char(from_time AT TIME ZONE 'Europe/Berlin', 'YYYY-MM-DD HH24:MI'), ' ' ORDER BY from_time), sum(bytes) > 0
		FROM uuid_partition_list('$table') WHERE from_time < '2024-05-15' AND kind = 'partition')),
	'2024-02-01 00:00 2024-03-01 00:00 2024-04-01 00:00 2024-05-01 00:00|t', 'months of Berlin, the hour of summer time included');
is($node->safe_psql('postgres', q(SELECT DISTINCT what FROM "The Shop".seen)), 'INSERT', 'no trigger took a move for a deletion');
is($node->safe_psql('postgres', q(SELECT count(DISTINCT tgenabled), min(tgenabled) FROM pg_trigger WHERE tgname = 'note')), '1|O', 'and all are enabled');

is($node->safe_psql('postgres', 'SELECT DISTINCT indexes FROM made'), 1, 'partitions have their index before they are attached');

# What cannot be moved is said, and the rest is moved.

$node->safe_psql(
	'postgres', qq(
	SET ROLE shop;
	INSERT INTO $table ("The Id", n) SELECT gen_uuidv7_at(at), 1 FROM generate_series('2023-01-05'::timestamptz, '2023-03-05', '1 month') AS at;
	CREATE TABLE "The Shop".lines (id uuid REFERENCES $table DEFERRABLE INITIALLY DEFERRED);
	INSERT INTO "The Shop".lines SELECT "The Id" FROM $rest WHERE "The Id" < timestamptz '2023-02-01' AND "The Id" > timestamptz '2023-01-02';
));
my ($status, $stdout, $stderr) = $node->psql('postgres', "SET ROLE shop; $drain");
is($status, 0, 'the call goes on');
like($stderr, qr/WARNING:  partition "The Shop"\."Big Orders_2023_0$_" is not created\nDETAIL:  23503: .*\nHINT:  Rows to which a foreign key refers/, 'rows that are referenced stay')
  foreach 1, 3;
is($node->safe_psql('postgres', "SELECT count(*) FROM $rest"), 3, 'the rows are where they were');
$node->safe_psql('postgres', qq(DELETE FROM "The Shop".lines; ALTER TABLE "The Shop".lines DROP CONSTRAINT lines_id_fkey, ADD FOREIGN KEY (id) REFERENCES $rest ON DELETE SET NULL));
($status, $stdout, $stderr) = $node->psql('postgres', "SET ROLE shop; $drain");
like($stderr, qr/ERROR:  foreign key "lines_id_fkey" of table "The Shop"\.lines refers to the default partition itself/, 'a key that would not see where they are');
foreach my $other ('pg_monitor', 'NONE')    # none: the superuser, whatever the name
{
	($status, $stdout, $stderr) = $node->psql('postgres', qq(GRANT USAGE ON SCHEMA "The Shop" TO pg_monitor; SET ROLE $other; $drain));
	like($stderr, qr/ERROR:  must be owner of table "The Shop"\."Big Orders"/, "only the owner moves rows, not $other");
}
$node->safe_psql('postgres', qq(ALTER TABLE "The Shop".lines DROP CONSTRAINT lines_id_fkey, ADD FOREIGN KEY (id) REFERENCES $table ON DELETE CASCADE));
($status, $stdout, $stderr) = $node->psql('postgres', qq(SET ROLE shop; BEGIN; $drain));
like($stderr, qr/ERROR:  invalid transaction termination/, 'it cannot commit inside a transaction block');
is($node->safe_psql('postgres', "SELECT count(*) FROM $rest"), 3, 'and then moves nothing');
$node->safe_psql('postgres', "SET ROLE shop; $drain");
is($node->safe_psql('postgres', "SELECT count(*) FROM $rest"), 0, 'a key to the table is no obstacle where no row is referenced');

# Ids from far ahead are strays, unless one asks for them.
$node->safe_psql('postgres', qq(INSERT INTO $table VALUES (gen_uuidv7_at('4000-01-01'))));
$node->safe_psql('postgres', "SET ROLE shop; $drain");
is($node->safe_psql('postgres', "SELECT count(*) FROM $rest"), 1, 'a stray stays');
$node->safe_psql('postgres', qq(SET ROLE shop; CALL uuid_partition_drain('$table', '1 year', start => '3999-01-01', stop => '4001-01-01')));
is($node->safe_psql('postgres', "SELECT count(*) FROM $rest"), 0, 'or goes');

# Who holds the default partition for longer than one attempt waits does not end the call.
$node->safe_psql('postgres', qq(INSERT INTO $table VALUES (gen_uuidv7_at('1999-01-05'))));
my $holder = $node->background_psql('postgres');
$holder->query_safe("BEGIN; LOCK TABLE $rest IN ACCESS EXCLUSIVE MODE");
my $held = drain_in_background();
my $waits = sprintf q(FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE application_name = 'drain' AND relation = '%s'::regclass AND waitstart %%s), $rest =~ s/'/''/gr;
$node->poll_query_until('postgres', 'SELECT count(*) = 1 ' . sprintf $waits, 'IS NOT NULL') or die 'the drain does not wait';
my $waitstart = '';
# between two attempts it waits for nothing
$waitstart = $node->safe_psql('postgres', 'SELECT waitstart ' . sprintf $waits, 'IS NOT NULL') while $waitstart eq '';
$node->poll_query_until('postgres', "SELECT (SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'drain') OR (SELECT count(*) = 1 "
	. sprintf($waits, "> '$waitstart'") . ')') or die 'the drain waits once and for all';
$holder->quit;
ok($held->finish, 'a drain waits longer than one attempt');
is($node->safe_psql('postgres', "SELECT count(*) FROM $rest"), 0, 'and then drains');

# Sixteen writers and a large default: the table stays; a few rows of another
# month move.  Writers insert, change and delete, with a trigger that counts
# deletions and keys to a table at work.  A reader keeps the drain from its lock
# until the writers have done so much beside it, however fast the machine is.

$node->safe_psql(
	'postgres', q(
	SET ROLE shop;
	CREATE TABLE "The Shop".customers (id int PRIMARY KEY, n int);
	INSERT INTO "The Shop".customers SELECT n, 0 FROM generate_series(0, 16) AS n;
	CREATE TABLE "The Shop".busy (id uuid PRIMARY KEY, v int, n int DEFAULT 0, customer int DEFAULT 0 REFERENCES "The Shop".customers) PARTITION BY RANGE (id);
	CREATE INDEX ON "The Shop".busy (v);
	CREATE TABLE "The Shop".busy_rest PARTITION OF "The Shop".busy DEFAULT;
	CREATE TABLE "The Shop".deeds (id uuid, made int, changed int);
	CREATE SEQUENCE "The Shop".statements;
	CREATE TABLE "The Shop".deletions (id uuid);
	CREATE FUNCTION "The Shop".count_deletion() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO "The Shop".deletions VALUES (OLD.id); RETURN OLD; END';
	CREATE TRIGGER count_deletion AFTER DELETE ON "The Shop".busy FOR EACH ROW EXECUTE FUNCTION "The Shop".count_deletion();
));
append_to_file("$dir/busy.sql", q(
\set v random(1, 2000)
\set customer random(1, 16)
WITH made AS (INSERT INTO "The Shop".busy (id, v, customer) VALUES (gen_uuidv7_at(timestamptz '2025-01-01Z' + :v * interval '1 hour'), :v, :customer) RETURNING id)
INSERT INTO "The Shop".deeds SELECT id, 1, 0 FROM made;
WITH changed AS (UPDATE "The Shop".busy SET n = n + 1 WHERE id = (SELECT id FROM "The Shop".busy WHERE v = :v LIMIT 1) RETURNING id)
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
			'-c', q(CALL uuid_partition_drain('"The Shop".busy', '1 month', max_rows => 500)) ],
		'>', \my $stdout, '2>', \my $stderr);
	$node->poll_query_until('postgres',
		q(SELECT count(*) = 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE application_name = 'drain' AND NOT l.granted AND l.relation = '"The Shop".busy_rest'::regclass))
	  or die 'the drain does not wait';
	my $done = $node->safe_psql('postgres', 'SELECT last_value FROM "The Shop".statements');
	ok($node->poll_query_until('postgres', qq(SELECT last_value > $done + 100 FROM "The Shop".statements)), 'writers go on beside the drain');
	$reader->quit;
	ok($draining->finish, 'which succeeds, too') or diag($stderr);
	$said .= $stderr;
}
like($said, qr/it was the default partition, and ends/, 'a large default became a partition');
like($said, qr/busy_2005_01: \d+ rows moved/, 'a few rows moved');
unlike($said, qr/WARNING/, 'nothing was left undone');
$busy->signal('TERM');
eval { $busy->finish };
unlike($busy_log, qr/ERROR|error|aborted/, 'no writer had an error');
$node->poll_query_until('postgres', "SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'pgbench'") or die 'writers stay';
is($node->safe_psql('postgres', 'SELECT count(*) FROM "The Shop".busy_rest'), 0, 'the default ends empty');
is($node->safe_psql('postgres', 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()'), 0, 'no deadlock');
is( $node->safe_psql(
		'postgres', q(
		SELECT count(*) FILTER (WHERE b.id IS NULL), count(*) FILTER (WHERE d.id IS NULL), count(*) FILTER (WHERE b.n <> d.n), count(*) - count(DISTINCT coalesce(b.id, d.id))
		FROM (SELECT id, sum(changed) AS n FROM "The Shop".deeds GROUP BY id HAVING sum(made) = 1) AS d FULL JOIN "The Shop".busy AS b USING (id))),
	'0|0|0|0', 'no row is lost, doubled or without its changes');
is( $node->safe_psql('postgres', q(SELECT count(*) = (SELECT count(*) FROM "The Shop".deeds WHERE made = -1) FROM "The Shop".deletions)),
	't', 'and the trigger has seen the deletions of writers alone');

# On a logical subscriber the state of the subscription is the default's own: it
# stays, and what reaches the publisher's default arrives.

my $publisher = PostgreSQL::Test::Cluster->new('publisher');
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
	$node->safe_psql('postgres', "$events; CREATE SUBSCRIPTION events CONNECTION '${\$publisher->connstr} dbname=postgres' PUBLICATION events");
	$node->wait_for_subscription_sync($publisher, 'events');

	$node->safe_psql('postgres', 'ALTER SUBSCRIPTION events DISABLE');
	$publisher->safe_psql('postgres', sprintf $drain_events, $what =~ /ALL/ ? 20 : 10);
	($status, $stdout, $stderr) = $node->psql('postgres', sprintf $drain_events, 10);
	like($stderr, qr/54000: more than 10 rows would be moved under a lock/, 'the default of a subscription does not become a partition');
	($status, $stdout, $stderr) = $node->psql('postgres', sprintf $drain_events, 20);
	like($stderr, qr/events_2026_01: 20 rows moved/, 'its rows move');
	$node->safe_psql('postgres', 'ALTER SUBSCRIPTION events ENABLE');
	$publisher->safe_psql('postgres', "INSERT INTO events VALUES (gen_uuidv7_at('2026-03-15'), 21), (gen_uuidv7_at('2026-01-20'), 22)");
	$publisher->wait_for_catchup('events');
	is($node->safe_psql('postgres', 'SELECT tableoid::regclass, count(*) FROM events GROUP BY 1 ORDER BY 1'), "events_rest|1\nevents_2026_01|20",
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
	$publisher->safe_psql('postgres', 'DROP TABLE events') if $what =~ /ALL/;
}

# Through the root only the table is published. What covers partitions by themselves
# would publish the rows that move, which a subscriber without partitions cannot apply.
foreach my $what ('FOR ALL TABLES', 'FOR TABLES IN SCHEMA public', 'FOR TABLE events, events_rest')
{
	$publisher->safe_psql('postgres', "CREATE PUBLICATION events $what WITH (publish_via_partition_root = true)");
	($status, $stdout, $stderr) = $publisher->psql('postgres', sprintf($drain_events, 10), extra_params => ['-v', 'VERBOSITY=verbose']);
	like($stderr, qr/ERROR:  55000: publication "events" would publish rows that move as those of partitions/, "no drain beside $what");
	$publisher->safe_psql('postgres', 'DROP PUBLICATION events');
}
# beneath the default, too; an unlogged one has partitions that are not
$publisher->safe_psql('postgres', "CREATE SCHEMA leaves;
	CREATE TABLE parted (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE parted_rest PARTITION OF parted DEFAULT PARTITION BY HASH (id);
	CREATE TABLE leaves.leaf PARTITION OF parted_rest FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	INSERT INTO parted VALUES (gen_uuidv7_at('2026-01-15'));
	CREATE TABLE quick (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE UNLOGGED TABLE quick_rest PARTITION OF quick DEFAULT;
	INSERT INTO quick VALUES (gen_uuidv7_at('2026-01-15'))");
my $drain_all = q(CALL uuid_partition_drain('%s', '1 month'));
foreach my $what ('FOR TABLES IN SCHEMA leaves', 'FOR TABLE leaves.leaf')
{
	$publisher->safe_psql('postgres', "CREATE PUBLICATION leaves $what WITH (publish_via_partition_root = true)");
	($status, $stdout, $stderr) = $publisher->psql('postgres', sprintf $drain_all, 'parted');
	like($stderr, qr/ERROR:  publication "leaves" would publish rows that move as those of partitions/, "no drain beside $what");
	$publisher->safe_psql('postgres', 'DROP PUBLICATION leaves');
}
# where the new partition comes
$publisher->safe_psql('postgres', "CREATE SCHEMA months; CREATE TABLE apart (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE apart_rest PARTITION OF apart DEFAULT;
	SELECT uuid_partition_create('apart', '2026-02-01', '2026-03-01', '1 month');
	ALTER TABLE apart_2026_02 SET SCHEMA months;
	INSERT INTO apart VALUES (gen_uuidv7_at('2026-01-15'));
	CREATE PUBLICATION parts FOR TABLES IN SCHEMA months WITH (publish_via_partition_root = true);
	CREATE PUBLICATION root FOR TABLE apart WITH (publish_via_partition_root = true)");
($status, $stdout, $stderr) = $publisher->psql('postgres', sprintf $drain_all, 'apart');
like($stderr, qr/ERROR:  publication "parts" would publish rows that move as those of partitions/, 'no drain into a schema that is published');
$publisher->safe_psql('postgres', 'DROP PUBLICATION root');
($status, $stdout, $stderr) = $publisher->psql('postgres', sprintf $drain_all, 'apart');
like($stderr, qr/months.apart_2026_01: 1 rows moved/, 'but by the partitions\' own names');
$publisher->safe_psql('postgres', 'DROP PUBLICATION parts; DROP TABLE apart; DROP SCHEMA months');
$publisher->safe_psql('postgres', 'CREATE PUBLICATION everything FOR ALL TABLES WITH (publish_via_partition_root = true)');
($status, $stdout, $stderr) = $publisher->psql('postgres', sprintf $drain_all, 'quick');
like($stderr, qr/ERROR:  publication "everything" would publish rows/, 'nor of an unlogged default, whose rows become logged ones');
$publisher->safe_psql('postgres', 'DROP PUBLICATION everything; DROP TABLE parted, quick; DROP SCHEMA leaves');
$publisher->safe_psql('postgres', 'CREATE PUBLICATION events FOR TABLE events WITH (publish_via_partition_root = true)');
$node->safe_psql('postgres', "CREATE TABLE events (id uuid PRIMARY KEY, n int);
	CREATE SUBSCRIPTION events CONNECTION '${\$publisher->connstr} dbname=postgres' PUBLICATION events");
$node->wait_for_subscription_sync($publisher, 'events');
my $count = $node->safe_psql('postgres', 'SELECT count(*) FROM events');
($status, $stdout, $stderr) = $publisher->psql('postgres', sprintf $drain_events, 10);
like($stderr, qr/events_2026_03: 1 rows moved/, 'the table alone is published: rows move');
$publisher->safe_psql('postgres', "INSERT INTO events VALUES (gen_uuidv7_at('2026-03-16'), 24)");
$publisher->wait_for_catchup('events');
is($node->safe_psql('postgres', 'SELECT count(*) FROM events'), $count + 1, 'and the subscriber sees no move, but all that comes after');
$node->safe_psql('postgres', 'DROP SUBSCRIPTION events');

# Until 15 a partition may generate a column that its parent does not.
SKIP:
{
	skip 'the server refuses such partitions', 1 if $node->pg_version >= 16;
	$node->safe_psql('postgres', q(CREATE TABLE mixed (id uuid, n int, tenfold int) PARTITION BY RANGE (id);
		CREATE TABLE mixed_rest (id uuid, n int, tenfold int GENERATED ALWAYS AS (n * 10) STORED);
		ALTER TABLE mixed ATTACH PARTITION mixed_rest DEFAULT;
		INSERT INTO mixed (id, n) VALUES (gen_uuidv7_at('2026-01-15'), 7)));
	$node->safe_psql('postgres', sprintf $drain_all, 'mixed');
	is($node->safe_psql('postgres', 'SELECT tableoid::regclass, n, tenfold FROM mixed'), 'mixed_2026_01|7|70', 'what the default alone generates is kept');
}

$publisher->stop;
$node->stop;
done_testing();
