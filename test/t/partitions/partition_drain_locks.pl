# A drain locks the table and its default partition while rows move, and no other
# partition: how long that takes does not grow with the number of partitions, nor with
# the rows that stay in the default partition.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('drain_locks');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nmax_locks_per_transaction = 1024\nfsync = off");
$node->start;
my ($partitions, $rows) = $ENV{UIDEXT_LONG} ? (400, 300_000) : (100, 90_000);
my $pause = 600_000 / $rows;
my $most = $rows / 6;

$node->safe_psql(
	'postgres', qq(
	CREATE EXTENSION uidext;
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), customer int) PARTITION BY RANGE (id);
	SELECT count(*)
	FROM uuid_partition_create('orders', '2020-01-01 00:00+00',
		timestamptz '2020-01-01 00:00+00' + interval '$partitions days', '1 day');
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	INSERT INTO orders
	SELECT gen_uuidv7_at(timestamptz '2019-12-01 00:00+00' + n * interval '$pause s'), n
	FROM generate_series(0, $rows - 1) n;
	-- one row of the day that the drain makes first
	INSERT INTO orders SELECT gen_uuidv7_at('2019-11-05 00:00+00'), -1 FROM generate_series(1, 3);
	ANALYZE orders_rest;

	-- what is locked at the end of each of the drain's transactions, by itself
	CREATE TABLE held (relation regclass, mode text, transaction bigint);
	CREATE FUNCTION note_locks() RETURNS event_trigger LANGUAGE plpgsql AS \$\$
	BEGIN
		INSERT INTO public.held SELECT relation, mode, txid_current() FROM pg_locks
		WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted
			AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
			AND relation IN (SELECT relid FROM pg_partition_tree('public.orders'));
	END \$\$;
	CREATE EVENT TRIGGER note_locks ON ddl_command_end EXECUTE FUNCTION note_locks();
));

# A session that reads the locks all the while finds the same, also between commands.
$node->safe_psql('postgres', q(
	CREATE TABLE seen (relation oid, mode text);
	CREATE PROCEDURE watch() LANGUAGE plpgsql AS $$
	BEGIN
		WHILE NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 2) LOOP
			INSERT INTO public.seen
			SELECT l.relation, l.mode
			FROM pg_locks l
			JOIN pg_inherits i ON i.inhrelid = l.relation AND i.inhparent = 'public.orders'::regclass
				JOIN pg_stat_activity a USING (pid)
			WHERE a.query ~ '^CALL uuid_partition_drain' AND l.granted AND l.mode = 'AccessExclusiveLock'
			UNION SELECT l.relation, l.mode FROM pg_locks l JOIN pg_stat_activity a USING (pid)
			WHERE a.query ~ '^CALL uuid_partition_drain'
				AND l.granted
				AND l.mode = 'AccessExclusiveLock'
				AND l.relation = 'public.orders'::regclass;
			COMMIT;
		END LOOP;
	END $$;
));
my $drain = $node->background_psql('postgres', on_error_stop => 0);
my $watch = $node->background_psql('postgres', on_error_stop => 0);

$watch->query_until(qr/watching/, "\\echo watching\nCALL watch();\n");
my ($status, $stdout, $stderr) = $node->psql('postgres', "CALL uuid_partition_drain('orders', '1 day', max_rows => $most)");
$drain->query_safe('SELECT pg_advisory_lock(2)');
$watch->query_safe('SELECT 1');

unlike($stderr, qr/WARNING|ERROR/, 'the drain has nothing to complain of');
is($node->safe_psql('postgres', 'SELECT count(*) FROM orders'), $rows + 3, 'no row is lost');
is($node->safe_psql('postgres', 'SELECT count(*) FROM orders_rest'), 0, 'the default partition is empty');
cmp_ok($node->safe_psql('postgres',
		q(SELECT count(*) FROM uuid_partition_list('orders') WHERE kind = 'partition')), '>', $partitions + 6,
	'its days have partitions');

# new ones are nobody else's yet
my $others = q(relation <> 'orders_rest'::regclass
	AND relation NOT IN (
		SELECT partition
		FROM uuid_partition_list('orders')
		WHERE from_time < '2020-01-01 00:00+00')
	AND relation NOT IN (SELECT partition FROM uuid_partition_list('orders') WHERE kind = 'default'));
is($node->safe_psql('postgres', qq(
		SELECT count(DISTINCT relation) || coalesce(', the first is ' || min(relation::text), '')
		FROM held
		WHERE $others AND relation <> 'orders'::regclass)), '0',
	'no lock that keeps writers out is held on another partition after any command');
is($node->safe_psql('postgres',
		"SELECT count(DISTINCT relation::oid) FROM seen WHERE relation <> 'orders'::regclass AND $others"), '0',
	'another session never sees ACCESS EXCLUSIVE on them, either');
is($node->safe_psql('postgres', "SELECT count(*) > 0 FROM held WHERE relation = 'orders_rest'::regclass"), 't',
	'(the default partition is locked)');

# A statement that is planned already would look for the rows where they no longer are: so a drain
# waits for who uses the table, and gives up with all left as it was.
$node->safe_psql('postgres', q(DROP EVENT TRIGGER note_locks; INSERT INTO orders SELECT gen_uuidv7_at('2019-10-05 00:00+00')));
my $reader = $node->background_psql('postgres');
$reader->query_safe('BEGIN; SELECT count(*) FROM ONLY orders;');
($status, $stdout, $stderr) = $node->psql('postgres', "SET lock_timeout = '1s';\nCALL uuid_partition_drain('orders', '1 day');");
like($stderr, qr/ERROR:.*could not obtain lock on table/, 'a drain gives up before a reader of the table');
is($node->safe_psql('postgres', 'SELECT count(*) FROM orders_rest'), 1, 'with all left as it was');
$reader->query_safe('COMMIT');
($status, $stdout, $stderr) = $node->psql('postgres', "CALL uuid_partition_drain('orders', '1 day');");
like($stderr, qr/NOTICE:.*orders_2019_10_05/, 'and succeeds when it has ended');

# Before a row moves, the tables that foreign keys join with the table are locked, too.  A row that was deleted,
# and is there again as that was undone, has an xmax.
$node->safe_psql('postgres', q(
	CREATE TABLE customers (id int PRIMARY KEY);
	CREATE TABLE items (id uuid PRIMARY KEY, customer int REFERENCES customers) PARTITION BY RANGE (id);
	CREATE TABLE items_rest PARTITION OF items DEFAULT;
	INSERT INTO items SELECT gen_uuidv7_at('2019-10-05 00:00+00')));
my $untouched = 'SELECT count(*) FROM items_rest WHERE xmax = 0';
$reader->query_safe('BEGIN; LOCK TABLE customers IN ROW EXCLUSIVE MODE');
($status, $stdout, $stderr) = $node->psql('postgres',
	"SET lock_timeout = '300ms';\nCALL uuid_partition_drain('items', '1 month');");
like($stderr, qr/DETAIL:  55P03[^\n]*\bcustomers is in use/,
	'a drain gives up before a writer of a table to which the table refers');
is($node->safe_psql('postgres', $untouched), 1, 'and has moved no row by then');

# While it waits for that table, others use this one.
$drain->query_until(qr/called/, "SET lock_timeout = '1h';\n\\echo called\nCALL uuid_partition_drain('items', '1 month');\n");
my $is_locked = '';
$is_locked = $node->safe_psql('postgres', q(
	SELECT bool_or(relation = 'items'::regclass AND mode = 'AccessExclusiveLock') FROM pg_locks
	GROUP BY pid HAVING bool_or(relation = 'customers'::regclass AND NOT granted))) while $is_locked eq '';
is($is_locked, 'f', 'meanwhile the table is not locked');
$reader->query_safe('ROLLBACK');
$drain->query('SELECT 1');
is($node->safe_psql('postgres', 'SELECT count(*) FROM items_2019_10'), 1, 'it moves the row when the writer has ended');

SKIP:
{
	skip 'the SQL edition moves no rows out of a table that others refer to', 2
		if $node->safe_psql('postgres', q(SELECT count(*) FROM pg_proc WHERE probin ~ 'uidext')) eq '0';
	$node->safe_psql('postgres', q(
		CREATE TABLE returns (item uuid REFERENCES items);
		INSERT INTO items SELECT gen_uuidv7_at('2019-11-05 00:00+00')));
	$reader->query_safe('BEGIN; LOCK TABLE returns IN ROW EXCLUSIVE MODE');
	($status, $stdout, $stderr) = $node->psql('postgres',
		"SET lock_timeout = '300ms';\nCALL uuid_partition_drain('items', '1 month');");
	like($stderr, qr/DETAIL:  55P03[^\n]*\breturns is in use/, 'so it does before a writer of a table that refers to the table');
	is($node->safe_psql('postgres', $untouched), 1, 'and has moved no row by then');
	$reader->query_safe('ROLLBACK');
}
$_->quit foreach $reader, $drain, $watch;

$node->stop;
done_testing();
