# uuid_partition_detach() beside readers and writers, two at once, cancelled and
# killed while it waits: whatever comes, the next call brings it to its end.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('detach');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nrestart_after_crash = on\nTimeZone = 'UTC'");
$node->start;

# Of a role that is no superuser, with odd names, and a trigger of the database's.
my $table = '"The Shop"."Big Orders"';
$node->safe_psql(
	'postgres', qq(
	CREATE EXTENSION uidext;
	CREATE ROLE shop LOGIN;
	CREATE ROLE other LOGIN;
	CREATE SCHEMA "The Shop" AUTHORIZATION shop;
	GRANT USAGE ON SCHEMA "The Shop" TO other;
	CREATE TABLE commands (tag text, object text);
	GRANT INSERT ON commands TO PUBLIC;
	CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN
		INSERT INTO public.commands SELECT TG_TAG, object_identity FROM pg_event_trigger_ddl_commands(); END';
	CREATE EVENT TRIGGER note ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION note();
	SET ROLE shop;
	CREATE TABLE $table (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int) PARTITION BY RANGE (id);
	CREATE TABLE "The Shop".lines (id uuid REFERENCES $table);
	SELECT uuid_partition_create('$table', '2024-01-01', '2025-01-01', '1 month');
	INSERT INTO $table SELECT gen_uuidv7_at(at) FROM generate_series('2024-01-01'::timestamptz, '2024-12-31', '1 day') AS at;
));
my $shop = $node->connstr('postgres') . ' user=shop';

sub session
{
	return $node->background_psql('postgres', on_error_stop => 0, extra_params => [ '-U', 'shop' ]);
}

sub detach
{
	return qq(CALL uuid_partition_detach('$table', '$_[0]'));
}

# The list, as months: "1 2p 3", where p is pending.
sub months
{
	return $node->safe_psql('postgres',
		qq(SELECT string_agg(extract(month FROM from_time) || CASE note WHEN 'detach pending' THEN 'p' ELSE '' END, ' ' ORDER BY from_time)
		FROM uuid_partition_list('$table') WHERE note IS DISTINCT FROM 'gap'));
}

# Sends a call that will have to wait for a lock of this kind, and waits until it does.
sub send_and_wait
{
	my ($session, $statement, $kind) = @_;
	my $pid = $session->query_safe('SELECT pg_backend_pid()');

	$session->query_until(qr/sent\n/, "\\echo sent\n$statement;\n");
	$node->poll_query_until('postgres', "SELECT count(*) > 0 FROM pg_locks WHERE pid = $pid AND NOT granted AND locktype = '$kind'")
	  or die "$statement does not wait";
	return $pid;
}

# What a session says after what was sent has ended.
sub errors
{
	my ($session) = @_;

	$session->query('SELECT');
	my $errors = $session->{stderr};
	$session->{stderr} = '';
	return $errors;
}

# What a statement says that gets all its locks at once.
sub says
{
	my ($statement, $user) = @_;
	my $stderr;

	$user //= 'shop';
	$node->psql('postgres', "SET lock_timeout = '10s'; $statement", stderr => \$stderr, extra_params => [ '-U', $user ]);
	return $stderr;
}

# not those of a session that begins
my $locks = q(SELECT count(*) FROM pg_locks WHERE locktype = 'object' AND classid = 'pg_partitioned_table'::regclass);

# A command of its own

is(says(detach('2024-02-01')), 'psql:<stdin>:1: NOTICE:  partition "The Shop"."Big Orders_2024_01" is detached', 'a partition is detached');
is(months(), '2 3 4 5 6 7 8 9 10 11 12', 'and no longer in the table');
is($node->safe_psql('postgres', 'SELECT count(*) FROM "The Shop"."Big Orders_2024_01"'), 31, 'but has its rows');
is(says(detach('2024-02-01')), '', 'again, there is nothing to do');
is($node->safe_psql('postgres', 'SELECT DISTINCT tag FROM commands WHERE object ~ \'Big Orders"$\''), 'ALTER TABLE', 'event triggers have seen it');
is($node->safe_psql('postgres', $locks), 0, 'no lock is left');
foreach my $inside (
	[ 'BEGIN; ' . detach('2024-03-01'), 'uuid_partition_detach\(\) cannot run inside a transaction block' ],
	[ 'SELECT 1 \; ' . detach('2024-03-01'), 'uuid_partition_detach\(\) cannot run inside a transaction block' ],
	[ 'DO $$ BEGIN ' . detach('2024-03-01') . '; END $$', 'cannot be called from a function or procedure\n.*HINT: ' ],
	[ 'DO $$ BEGIN COMMIT; ' . detach('2024-03-01') . '; END $$', 'cannot be called from a function or procedure\n.*HINT: ' ],
	[ 'CREATE FUNCTION "The Shop".f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ' . detach('2024-03-01') . '; END $$; SELECT "The Shop".f()',
		'cannot be called from a function or procedure\n.*HINT: ' ],
	[ 'CREATE PROCEDURE "The Shop".p() LANGUAGE sql AS $$ ' . detach('2024-03-01') . ' $$; CALL "The Shop".p()',
		'cannot be called from a function or procedure\n.*HINT: ' ])
{
	like(says("\\set VERBOSITY verbose\n$inside->[0]"), qr/ERROR:  25001: (?:uuid_partition_detach\(\) )?$inside->[1]/, "not $inside->[0]");
}
like(says(detach('infinity')), qr/ERROR:  older_than must be finite and not in the future/, 'nothing to come');
like(says("CALL uuid_partition_detach('$table', NULL)"), qr/ERROR:  no argument may be NULL/, 'NULL is nothing');
like(says(detach('2023-01-01'), 'other'), qr/ERROR:  must be owner of table Big Orders/, 'only its owner, also when there is nothing to do');
like(says("SELECT uidext_internal.uuid_partition_lock_detachments('$table')", 'other'), qr/ERROR:  must be owner of table Big Orders/, 'nobody else keeps it waiting');
is(months(), '2 3 4 5 6 7 8 9 10 11 12', 'nothing has happened');

# Beside a reader, who is waited for while the others read, write and make partitions.

my ($one, $two, $reader) = (session(), session(), session());
$reader->query_safe("BEGIN; SELECT count(*) FROM $table");
my $pid = send_and_wait($one, detach('2024-04-01'), 'virtualxid');
is(months(), '2p 3 4 5 6 7 8 9 10 11 12', 'the first one waits for a reader');
is($node->safe_psql('postgres', "SET lock_timeout = '10s'; SELECT count(*) FROM $table"), 306, 'and is gone for those who come');
is(says("INSERT INTO $table VALUES (gen_uuidv7_at('2024-12-05'))"), '', 'who can write');
is(says("SELECT uuid_partition_create('$table', '2025-01-01', '2025-02-01', '1 month')"), '', 'and make partitions');
is($node->safe_psql('postgres', "SELECT backend_xmin IS NULL FROM pg_stat_activity WHERE pid = $pid"), 't', 'it keeps nothing from being vacuumed');
like($node->safe_psql('postgres', "SELECT message FROM uuid_partition_check('$table')"), qr/waits to be detached/, 'the alarm knows');
like(says("SELECT uuid_partition_drop('$table', '2024-03-01')"), qr/^\S* WARNING:  partition "The Shop"\."Big Orders_2024_02" is not dropped\nDETAIL:  another session is detaching it$/,
	'which uuid_partition_drop() leaves to it');
like(says("SELECT uidext_internal.uuid_partition_retire('$table', 'uuid', '2024-03-01', true, NULL)"),
	qr/^\S* WARNING:  partition "The Shop"\."Big Orders_2024_02" is not detached\nDETAIL:  another session is detaching it$/, 'and so does maintenance');

# A second one waits for the first, and finds the rest of the work.
$two->query_safe("SET default_transaction_isolation = 'repeatable read'");
$pid = send_and_wait($two, detach('2024-06-01'), 'object');
is($node->safe_psql('postgres', "SELECT backend_xmin IS NULL FROM pg_stat_activity WHERE pid = $pid"), 't', 'a second one waits without a snapshot');
$reader->query_safe('COMMIT');
my $both = errors($one) . errors($two);
is(join(' ', sort $both =~ /Big Orders_2024_(\d\d)" is detached/g), '02 03 04 05', 'two at once detach each partition once');
unlike($both, qr/ERROR|WARNING/, 'without an error');
is(months(), '6 7 8 9 10 11 12 1', 'that is all');

# Cancelled while it waits; the next one ends that first.
sub wait_for_reader
{
	my ($session, $until) = @_;

	$reader->query_safe("BEGIN; SELECT count(*) FROM $table");
	return send_and_wait($session, detach($until), 'virtualxid');
}
$pid = wait_for_reader($one, '2024-08-01');
$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
like(errors($one), qr/ERROR:  canceling statement due to user request/, 'cancelled');
is(months(), '6p 7 8 9 10 11 12 1', 'one is pending');
like(says("SET lock_timeout = '50ms'; " . detach('2024-07-01')), qr/ERROR:  canceling statement due to lock timeout/, 'which waits for the reader');
is($node->safe_psql('postgres', $locks), 0, 'no lock is left');
$reader->query_safe('COMMIT');
like(says(detach('2024-01-01')), qr/Big Orders_2024_06" is detached/, 'and is finished, whatever its age');
is(months(), '7 8 9 10 11 12 1', 'alone');

# Killed while it waits.
$pid = wait_for_reader($one, '2024-09-01');
kill 'KILL', $pid;
$node->poll_query_until('postgres', "SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $pid") or die 'the server does not come back';
is(months(), '7p 8 9 10 11 12 1', 'killed, one is pending');
eval { $_->quit } foreach $one, $two, $reader;
($one, $two, $reader) = (session(), session(), session());
like(says(detach('2024-09-01')), qr/_07" is detached\n.*_08" is detached/, 'the next call detaches it, and the next one');
is(months(), '9 10 11 12 1', 'both are gone');

# What somebody else has begun is finished first, and then come those before it.
$node->safe_psql('postgres', "SET ROLE shop; SELECT uuid_partition_create('$table', '2023-11-01', '2024-01-01', '1 month')");
$reader->query_safe("BEGIN; SELECT count(*) FROM $table");
$pid = send_and_wait($one, "ALTER TABLE $table DETACH PARTITION \"The Shop\".\"Big Orders_2023_12\" CONCURRENTLY", 'virtualxid');
$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
errors($one);
$reader->query_safe('COMMIT');
is(months(), '11 12p 9 10 11 12 1', 'a command by hand was cancelled');
like(says(detach('2023-12-01')), qr/_2023_12" is detached\n.*_2023_11" is detached/, 'its partition is detached, and the older one');
is(months(), '9 10 11 12 1', 'both are gone');

# A partition whose rows are referenced stays, and does not keep the others.
$node->safe_psql('postgres', qq(INSERT INTO "The Shop".lines SELECT min(id::text)::uuid FROM $table));
my $said = says("DECLARE before CURSOR WITH HOLD FOR VALUES (7); " . detach('2024-12-01') . '; FETCH before');
like($said, qr/WARNING:  partition "The Shop"\."Big Orders_2024_09" is not detached\n.*DETAIL:  23503: /, 'one that is referenced is warned of');
like($said, qr/NOTICE:  partition "The Shop"\."Big Orders_2024_11" is detached/, 'and the next one is detached');
unlike($said, qr/ERROR/, 'in a session that goes on');
is(months(), '9 12 1', 'it stays');
is($node->safe_psql('postgres', $locks), 0, 'no lock is left');

# At the strictest isolation, by a superuser, with all that is counted.
like(says("SET default_transaction_isolation = serializable; SET track_functions = 'all'; SET ROLE shop; DELETE FROM \"The Shop\".lines; " . detach('2024-12-01'),
		$node->safe_psql('postgres', 'SELECT current_user')), qr/Big Orders_2024_09" is detached/, 'serializable');

# Not beside a default partition; but what is pending is finished.
$pid = wait_for_reader($one, '2025-01-01');
$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
errors($one);
$reader->query_safe('COMMIT');
$node->safe_psql('postgres', qq(CREATE TABLE "The Shop".rest PARTITION OF $table DEFAULT));
like(says(detach('2025-02-01')),
	qr/_12" is detached\n.*ERROR:  table "The Shop"\."Big Orders" has a default partition\n.*\n.*HINT:  .*uuid_partition_drop\(\)/,
	'a default partition is an error before anything is begun');
is($node->safe_psql('postgres', qq(SELECT count(*) FROM uuid_partition_list('$table') WHERE note = 'detach pending')), 0, 'nothing is pending');

# Inserts all the time.
$node->safe_psql('postgres', qq(DROP TABLE "The Shop".lines, "The Shop".rest; SELECT uuid_partition_create('$table', '2023-01-01', '2023-11-01', '1 month')));
my $script = PostgreSQL::Test::Utils::tempdir() . '/insert.sql';
append_to_file($script, qq(INSERT INTO $table VALUES (gen_uuidv7_at('2025-01-05'), :client_id);\nSELECT count(*) FROM $table;\n));
my $log = '';
my $pgbench = IPC::Run::start([ 'pgbench', '-n', '-f', $script, '-c', 3, '-t', 200, $shop ], '>', \$log, '2>&1');
is(() = says(detach('2023-11-01')) =~ /is detached/g, 10, 'ten are detached beside writers');
ok($pgbench->finish, 'who see no error') or diag($log);
is($node->safe_psql('postgres', "SELECT count(*) FROM $table WHERE n IS NOT NULL"), 600, 'and lose no row');

$_->quit foreach $one, $two, $reader;
$node->stop;
done_testing();
