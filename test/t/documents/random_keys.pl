# The way of doc/moving.md from random keys to partitions, as the page has it,
# beside an application that is not changed: it makes no ids.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $documents = dirname(__FILE__) . '/../../../doc';
my ($chapter) = slurp_file("$documents/moving.md") =~ /^## From random keys to partitions\n(.*?)(?=^## )/ms;
my %stage = $chapter =~ /^### (Stage \d): [^\n]+\n(.*?)(?=^### )/gms;
is(join(', ', sort keys %stage), 'Stage 1, Stage 2, Stage 3, Stage 4', 'the page has four stages');

my $node = OneSession->new('random_keys');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nmax_prepared_transactions = 1\n"
	# the time that this takes decides on no checkpoint, of which each makes more WAL
	. "checkpoint_timeout = '1h'\nmax_wal_size = '8GB'");
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION uidext;
CREATE TABLE orders (
	id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	created_at timestamptz NOT NULL DEFAULT now(),
	reference bigint NOT NULL,
	note text NOT NULL DEFAULT repeat('note ', 40)
);
CREATE TABLE items (
	id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	order_id uuid REFERENCES orders ON DELETE CASCADE,
	item text NOT NULL DEFAULT repeat('tea ', 20)
);
CREATE INDEX ON items (order_id);
INSERT INTO orders (created_at, reference) SELECT now() - n * interval '25 minutes', n FROM generate_series(1, 4000) AS n;
INSERT INTO items (order_id) SELECT id FROM orders, generate_series(1, 2);
CREATE TABLE notes (order_id uuid NOT NULL REFERENCES orders, n int, PRIMARY KEY (order_id, n));
INSERT INTO notes SELECT id, 1 FROM orders LIMIT 1000;
CREATE TABLE ledger AS SELECT reference, id FROM orders;
CREATE SEQUENCE references_given START 1000000;
CREATE ROLE app LOGIN;
GRANT SELECT, INSERT ON orders, items, ledger TO app;
GRANT USAGE ON SEQUENCE references_given TO app;
VACUUM ANALYZE;
SQL
my $tables = q(
	SELECT sum(pg_relation_size(oid))
	FROM pg_class
	WHERE relkind IN ('r', 'i', 't') AND relname ~ '^(pg_toast_.*|(orders|items).*)$');
my $size = $node->safe_psql('postgres', q(SELECT pg_total_relation_size('orders') + pg_total_relation_size('items')));
my $largest = $size;
my $began = $node->safe_psql('postgres', 'SELECT pg_current_wal_lsn()');

# The commands of a block in a shell, at the server; what they say.
sub shell
{
	my ($block) = @_;
	my $said;
	$block =~ s/DATABASE shop/DATABASE postgres/;
	$block =~ s/^sudo -u postgres psql -d shop/psql/m;
	my $script = join "\n", 'set -e', "cd '$documents/recipes'", $block;

	local @ENV{qw(PGHOST PGPORT PGDATABASE PGTZ HOME)} = ($node->host, $node->port, 'postgres', 'UTC', $node->basedir);
	my $done = IPC::Run::run([ 'sh', '-c', $script ], '>', \$said, '2>&1');
	return ($done, $said);
}

# While the application runs, some of what it writes comes after each command.
my $application;

sub wait_for_application
{
	my $more = $node->safe_psql('postgres', 'SELECT count(*) + 5 FROM ledger');
	return $node->poll_query_until('postgres', "SELECT count(*) >= $more FROM ledger");
}

# A command waits no longer for its lock than the page says, and can be typed again.
sub shell_until_locked
{
	my $end = time + $PostgreSQL::Test::Utils::timeout_default;
	my ($done, $said);

	do
	{
		($done, $said) = shell(@_);
	} until $done || $said !~ /canceling statement due to lock timeout/ || time > $end;
	return ($done, $said);
}

# What a command says that does not get its lock, because somebody else has one on a table.
sub shell_beside_lock
{
	my ($table, $block) = @_;

	$node->safe_psql('postgres', "BEGIN; LOCK TABLE $table IN ROW EXCLUSIVE MODE; PREPARE TRANSACTION 'report'");
	my ($done, $said) = shell($block);
	$node->safe_psql('postgres', q(ROLLBACK PREPARED 'report'));
	like($said, qr/canceling statement due to lock timeout/, "a command that waits for $table gives up");
	return $done;
}

# Commands of the test that lock both tables, which it locks first, in the order of the application: so neither ends the
# other with a deadlock.
sub beside_application
{
	my ($commands) = @_;

	$node->safe_psql('postgres', "BEGIN; LOCK TABLE orders, items IN ACCESS EXCLUSIVE MODE; $commands; COMMIT");
	return;
}

# Blocks of a stage, one command at a time where a line is a command.
sub play
{
	my ($name, @blocks) = @_;

	foreach my $part (map { commands($_) } @blocks)
	{
		my ($done, $said) = shell_until_locked($part);
		my ($what) = $part =~ /(do=\w+|CREATE \w+|ALTER \w+|DROP \w+|uuid_\w+)/ or next;

		ok($done, "$name, $what") or diag($said);
		like($said, qr/^$1 is done\.$/m, 'the last line says so') if $what =~ /^do=(\w+)/;
		my $now = $node->safe_psql('postgres', $tables);
		$largest = $now if $now > $largest;
		wait_for_application() if $application;
	}
	return;
}

# A block's commands, of which one with a here-document has several lines.
sub commands
{
	return grep { /\S/ } map { /<<'SQL'/ ? $_ : split /\n/ }
		$_[0] =~ /(^psql [^\n]*<<'SQL'\n.*?^SQL\n|^(?:(?!psql [^\n]*<<)[^\n]*\n)+)/gms;
}
my ($done, $said);
my %block = map { $_ => [ $stage{$_} =~ /^```sh\n(.*?)^```$/gms ] } keys %stage;

# Where one order of each item is certain, but the column is not NOT NULL.
my ($given) = $chapter =~ /^#### A column becomes NOT NULL\n.*?^```sh\n(.*?)^```$/ms;
($done, $said) = (1, '');
foreach my $command (commands($given))
{
	my ($one, $log) = shell($command =~ s/lock_timeout=500ms/lock_timeout=500ms -c client_min_messages=debug1/r);
	$done &&= $one;
	$said .= $log;
}
ok($done, 'a column becomes NOT NULL') or diag($said);
like($said, qr/existing constraints on column "items.order_id" are sufficient to prove/,
	'without a reading of its table under the lock');

# A foreign key that stage 3 would refuse.
my ($bare) = $chapter =~ /^#### A foreign key without its actions\n.*?^```sh\n(.*?)^```$/ms;
my $refers = sub {
	return $node->safe_psql('postgres', q(
		SELECT pg_get_constraintdef(oid), convalidated, obj_description(oid)
		FROM pg_constraint
		WHERE conrelid = 'items'::regclass AND contype = 'f'));
};
my $as_made = $refers->();
foreach my $case (
	[ ' ON UPDATE CASCADE ON DELETE CASCADE', ' ON DELETE CASCADE' ],
	[ ' MATCH FULL ON UPDATE SET NULL ON DELETE SET NULL (order_id) DEFERRABLE INITIALLY DEFERRED',
		' MATCH FULL DEFERRABLE INITIALLY DEFERRED' ])
{
	my ($has, $keeps) = @$case;

	$node->safe_psql('postgres', "
		ALTER TABLE items DROP CONSTRAINT items_order_id_fkey,
			ADD CONSTRAINT items_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders$has;
		COMMENT ON CONSTRAINT items_order_id_fkey ON items IS 'the order''s key'");
	($done, $said) = shell($bare);
	ok($done, "a key without the actions of$has") or diag($said);
	is($refers->(), "FOREIGN KEY (order_id) REFERENCES orders(id)$keeps|t|the order's key", 'keeps all else');
}
$node->safe_psql('postgres', q(
	ALTER TABLE items DROP CONSTRAINT items_order_id_fkey,
		ADD CONSTRAINT items_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders ON DELETE CASCADE));
is($refers->(), $as_made, 'the key is as it was');

# What goes wrong.
my ($told)
	= $chapter =~ /^### What goes wrong\n.*?^```\nERROR:  table public\.orders has keys of [^:]+:\d\d:[^:]+: (.*?)\n```$/ms;
($done, $said) = shell($block{'Stage 2'}[0] =~ /^(.*prepare.*)$/m);
ok(!$done, 'stage 2 does not begin with random keys');
like($said, qr/\Q$told\E/, 'and says what the page shows');
($done, $said) = shell($block{'Stage 1'}[0] =~ s/ -v created=created_at//r);
ok(!$done, 'stage 1 does not begin without a time');
my ($no_time) = $chapter =~ /If stage 1 says `([^`]+)`/;
like($said, qr/ERROR:  \Q$no_time\E/, 'and says what the page shows');

my $script = $node->basedir . '/application.sql';
append_to_file($script, <<'SQL');
BEGIN;
WITH made AS (INSERT INTO orders (reference) VALUES (nextval('references_given')) RETURNING id, reference),
	item AS (INSERT INTO items (order_id) SELECT id FROM made)
INSERT INTO ledger SELECT reference, id FROM made;
COMMIT;
SQL
$application = IPC::Run::start([ 'pgbench', '-n', '-U', 'app', '-c', 2, '-R', 20, '-T', 36000, '-f', $script,
	'-h', $node->host, '-p', $node->port, 'postgres' ],
	'>', \my $stdout, '2>', \my $stderr);

my ($look_up) = $chapter =~ /^```\nSELECT … (FROM orders WHERE .*orders_old_ids.*)\n```$/m;
my $of_ledger = $look_up =~ s/\$1/ledger.id/gr;
my $not_found = "SET ROLE app;
	SELECT count(*) FROM ledger WHERE reference IS DISTINCT FROM (SELECT reference $of_ledger)";
my ($prepare, $switch, $keep, $drop, $forget) = @{ $block{'Stage 1'} };
play('Stage 1', $prepare, $switch);
my ($shows) = $chapter =~ /^Both keys are there now: .* `\\d orders` shows `([^`]+)`/m;
like((shell(q(psql -c '\d orders')))[1], qr/\Q$shows\E/, 'the new column is the primary key');
play('Stage 1', $keep);
is($node->safe_psql('postgres', q(SELECT has_function_privilege('app', 'keep_old_id()', 'EXECUTE'))), 'f',
	'nobody else can write old ids by a trigger of his own');
is($node->safe_psql('postgres', q(SELECT proconfig FROM pg_proc WHERE proname = 'keep_old_id')),
	'{"search_path=pg_catalog, pg_temp"}',
	'and it finds nothing that others make in the schema');
$node->safe_psql('postgres', 'GRANT SELECT ON orders_old_ids TO app');
is($node->safe_psql('postgres', $not_found), 0, 'before drop, the query of the page finds each order');
play('Stage 1', $drop, $forget);
is($node->safe_psql('postgres', $not_found), 0, 'each order is found by the id that the application got, old or new');
cmp_ok($node->safe_psql('postgres',
	'SELECT count(*) FROM orders_old_ids JOIN ledger ON ledger.id = old_id WHERE reference >= 1000000'),
	'>', 5, 'also those that were written while their old ids were kept');
is($node->safe_psql('postgres', q(SELECT count(*) FROM orders
		WHERE reference <= 4000 AND date_trunc('milliseconds', created_at) <> date_trunc('milliseconds', uuid_time(id)))),
	0, 'which has the time of the order');
play('Stage 2', @{ $block{'Stage 2'} });

# Stage 3, with what can keep it from going on.
my ($pairs) = grep { /\\gexec/ } @{ $block{'Stage 3'} };
my ($index, $swap) = $block{'Stage 3'}[0] =~ /^(psql .*items_new ON.*\n)(.*DROP CONSTRAINT items_pkey.*\n)/m;
my ($referred) = $chapter =~ /fails with `(cannot drop constraint [^`]+)`/;

$node->safe_psql('postgres', q(BEGIN; LOCK TABLE items IN ROW EXCLUSIVE MODE; PREPARE TRANSACTION 'report'));
($done, $said) = shell("export PGOPTIONS='-c lock_timeout=100ms'\n$index");
$node->safe_psql('postgres', q(ROLLBACK PREPARED 'report'));
ok(!$done, 'an index that is stopped on its way');
my ($again) = $stage{'Stage 3'} =~ /^If a `CREATE INDEX` .*`(psql [^`]+)`/m;
($done, $said) = shell($again);
ok($done, 'is dropped') or diag($said);
($done, $said) = shell($index);
ok($done, 'and built again') or diag($said);
$node->safe_psql('postgres', 'CREATE TABLE refunds (item_id uuid REFERENCES items (id))');
(undef, $said) = shell_until_locked($swap);
like($said, qr/ERROR:  \Q$referred\E/, 'a table that refers to an item keeps the key of the items');
$node->safe_psql('postgres', 'DROP TABLE refunds');
ok(!shell_beside_lock('items', $swap), 'and so does a lock');
$node->safe_psql('postgres', 'DROP INDEX items_new');
my ($key_of_items, @to_months) = grep { $_ ne $pairs } @{ $block{'Stage 3'} };
play('Stage 3', $key_of_items, @to_months);

my $keys = q(SELECT count(*) FROM pg_constraint WHERE conrelid = 'items'::regclass AND conname = 'items_order_id_fkey');
my $month = $node->safe_psql('postgres',
	q(SELECT partition FROM uuid_partition_list('orders') WHERE to_time < now() ORDER BY to_time DESC LIMIT 1));
my $items = $month =~ s/orders/items/r;
$node->safe_psql('postgres', "ALTER TABLE $items ADD CONSTRAINT pair CHECK (true)");
($done, $said) = shell_until_locked($pairs);
ok(!$done, 'if one month gets no key, the block ends') or diag($said);
is($node->safe_psql('postgres', $keys), 1, 'before it drops the key to all orders');
$node->safe_psql('postgres', "ALTER TABLE $items DROP CONSTRAINT pair");
ok(!shell_beside_lock($month, $pairs), 'as when one month is in use');
is($node->safe_psql('postgres', $keys), 1, 'and the key to all orders is still there');

# Partitions of the items that would have no key.
my ($alone) = $chapter =~ /^```\n(ERROR:  the foreign key to all of orders stays.*?)\n```$/ms;
my $no_pair = sub {
	my ($partition, $what) = @_;
	my $wanted = $alone =~ s/items_\w+/$partition/r;
	my ($child) = $partition =~ /^([a-z]+)/;

	($done, $said) = shell_until_locked($pairs =~ s/\bitems\b/$child/r =~ s/items_order/${child}_order/r);
	ok(!$done, "$what: the block ends");
	like($said, qr/^\Q$wanted\E/m, 'with the error that the page shows');
	is($node->safe_psql('postgres', $keys =~ s/items/$child/gr), 1, 'and the key to all orders is still there');
	return;
};
$node->safe_psql('postgres', q(
	CREATE TABLE trips (order_id uuid NOT NULL REFERENCES orders, n int, PRIMARY KEY (order_id, n))
	PARTITION BY RANGE (order_id);
	SELECT count(*) FROM uuid_partition_create('trips', '2026-01-01 00:00+09', '2026-02-01 00:00+09', '1 month', 'Asia/Tokyo');
	INSERT INTO trips SELECT uuid_boundary('2026-01-01 00:00+09'), 1 WHERE false));
$no_pair->('trips_2026_01', 'months of another time zone');
$node->safe_psql('postgres', 'DROP TABLE trips');

my ($from, $to) = split /\|/, $node->safe_psql('postgres',
	q(SELECT max(to_time), max(to_time) + interval '1 month' FROM uuid_partition_list('items')));
$node->safe_psql('postgres', qq(
	DO \$\$BEGIN EXECUTE format('CREATE TABLE items_more PARTITION OF items FOR VALUES FROM (%L) TO (%L)',
		uuid_boundary('$from'), uuid_boundary('$to')); END\$\$));
$no_pair->('items_more', 'one month more than the orders have');
my ($make) = $chapter =~ /\| make it: `(psql [^`]+)`/;
($done, $said) = shell($make =~ s/2027-04-01 00:00\+00/$from/r =~ s/2027-05-01 00:00\+00/$to/r);
ok($done, 'the orders get it') or diag($said);

beside_application(q(
	CREATE TABLE orders_default PARTITION OF orders DEFAULT;
	CREATE TABLE items_default PARTITION OF items DEFAULT));
$node->safe_psql('postgres', q(
	INSERT INTO orders (id, reference) VALUES (gen_uuidv7_at(now() + interval '3 years'), -1);
	INSERT INTO items (order_id) SELECT id FROM orders WHERE reference = -1));
$no_pair->('items_default', 'an item in the default partition');
$node->safe_psql('postgres', q(
	DELETE FROM items USING orders WHERE reference = -1 AND order_id = orders.id;
	DELETE FROM orders WHERE reference = -1));

play('Stage 3', $pairs);
beside_application('ALTER TABLE orders DETACH PARTITION orders_default; DROP TABLE items_default, orders_default');
is($node->safe_psql('postgres', $keys), 0, 'typed again, the block goes on to its end');

# Another table that refers to the orders, whose key begins with that of the order.
play('Stage 3 of the notes', map { s/items/notes/gr } @to_months, $pairs);
my ($several) = $chapter =~ /^\| several tables refer [^|]*\|[^|]*`followers => '([^`']+)'`/m;
my @maintenance = map { s/\{items\}/$several/gr } @{ $block{'Stage 4'} };
play('Stage 4', @maintenance);

my @cron = $stage{'Stage 4'} =~ /^[\d* ]+ postgres (psql .*)$/mg;
is(scalar @cron, 2, 'cron has two lines');
foreach my $line (@cron)
{
	($done, $said) = shell($line =~ s/ -h localhost -d shop -U shop_owner//r =~ s/\{items\}/$several/r);
	ok($done, 'what cron calls runs') or diag($said);
	is($said, '', 'and says nothing that cron would mail, as no month is due');
}

# a setting of the database is one of new sessions
$node->leave();
my ($shown) = $stage{'Stage 4'} =~ /^```\n status.*?^ (OK[^\n]+?) [0-9: +-]+\n```$/ms;
is($node->safe_psql('postgres', q(
	SELECT status || '     | ' || message FROM uuid_partition_check('orders', followers => '{items,notes}')))
	=~ s/ [0-9: +-]+$//r,
	$shown, 'the check says what the page shows');

ok(wait_for_application(), 'the application goes on');
$application->signal('TERM');
eval { $application->finish };
undef $application;
unlike($stderr, qr/ERROR/, 'and has seen no error') or diag($stderr);

is($node->safe_psql('postgres', q(
	SELECT count(*)
	FROM orders
	FULL JOIN ledger USING (reference)
	WHERE orders.id IS NULL OR ledger.reference IS NULL)),
	0, 'no order is lost or doubled');
is($node->safe_psql('postgres', q(SELECT count(*) FROM (
		SELECT orders.id FROM orders LEFT JOIN items ON order_id = orders.id
		GROUP BY orders.id, reference HAVING count(item) <> CASE WHEN reference < 1000000 THEN 2 ELSE 1 END) AS wrong)),
	0, 'nor an item');
is($node->safe_psql('postgres', q(SELECT count(DISTINCT tableoid) >= 3 FROM orders)), 't', 'they are in partitions');
is($node->safe_psql('postgres', q(SELECT count(*) FROM items
		JOIN pg_constraint ON conrelid = items.tableoid AND contype = 'f' AND conparentid = 0 AND convalidated)),
	$node->safe_psql('postgres', 'SELECT count(*) FROM items'), 'each item in one with a foreign key of its own');
is($node->safe_psql('postgres', q(
	SELECT DISTINCT split_part(conrelid::regclass::text, '_', 1),
		regexp_replace(pg_get_constraintdef(oid), 'orders_\w+', 'orders of the month')
		FROM pg_constraint
		WHERE contype = 'f' AND conparentid = 0 AND confrelid IN (SELECT relid FROM pg_partition_tree('orders'))
		ORDER BY 1)),
	join("\n", 'items|FOREIGN KEY (order_id) REFERENCES orders of the month(id) ON DELETE CASCADE',
		'notes|FOREIGN KEY (order_id) REFERENCES orders of the month(id)'),
	'with the actions that it had before');
# What it takes, as the page says, for all orders: how many the application makes meanwhile, the machine decides.
$size *= $node->safe_psql('postgres', 'SELECT count(*) / 4000.0 FROM orders');
like($chapter, qr/^\| free disk for the tables \| up to twice the size/m, 'the page says how much disk');
cmp_ok($largest - $size, '<', 2 * $size, 'which is enough: ' . sprintf('%.1f', ($largest - $size) / $size));
my $written = $node->safe_psql('postgres', "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '$began')");
like($chapter, qr/^\| WAL[^|]*\| up to eight times the size/m, 'and how much WAL');
cmp_ok($written, '<', 8 * $size, 'which is enough: ' . sprintf('%.1f', $written / $size));

# Back from partitions.
my ($way_back) = $chapter =~ /^### How to go back\n(.*?)^### /ms;
my %back = map {
	my ($heading, $text) = @$_;
	($heading => [ $text =~ /^```sh\n(.*?)^```$/gms ])
} map { [ /^([^\n]+)\n(.*)/s ] } split /^#### /m, $way_back;
my ($save, $drop_keys, @one_table) = @{ $back{'The items become one table'} };
my @orders_one_table = @{ $back{'The orders become one table'} };
my $keys_again = pop @orders_one_table;
play('back', $save, $drop_keys, $save, @one_table, (map { s/items/notes/gr } @one_table), @orders_one_table);
my $kept_keys = slurp_file($node->basedir . '/orders_keys.sql');
play('back', $keys_again);
ok(!-e $node->basedir . '/orders_keys.sql', 'the file with the keys is gone, and misleads nobody later');
is($node->safe_psql('postgres', q(
	SELECT string_agg(relkind::text, '')
	FROM pg_class
	WHERE oid IN ('orders'::regclass, 'items'::regclass, 'notes'::regclass))),
	'rrr', 'each is one table again');
my $whole_keys = q(
	SELECT conname, pg_get_constraintdef(oid)
	FROM pg_constraint
	WHERE contype = 'f' AND confrelid = 'orders'::regclass
	ORDER BY 1);
my $as_before = join "\n", 'items_order_id_fkey|FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE',
	'notes_order_id_fkey|FOREIGN KEY (order_id) REFERENCES orders(id)';
is($node->safe_psql('postgres', $whole_keys), $as_before, 'with the foreign keys as they were');
my ($shown_key) = $chapter =~ /^The file has one line [^\n]*`(ALTER TABLE [^`]+)`/m;
is($kept_keys =~ s/ ON DELETE CASCADE//r, "$shown_key\n" . ($shown_key =~ s/items/notes/r) . "\n",
	'which the file had that the page shows');
play('back', map { s/\(order_id, id\)/(id)/r } $index . $swap);
is($node->safe_psql('postgres', q(SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'items_pkey')),
	'PRIMARY KEY (id)', 'and the items can have their old primary key');

# Back from stage 2, which found an order of a month far ahead: before its end, and then after it.
my ($to_prepare, $to_switch, $look, $to_end) = @{ $block{'Stage 2'} };
my ($undo) = $way_back =~ /^\| stage 2, before [^|]*\| `(psql [^`]+)`/m;
my ($more_months) = $stage{'Stage 2'} =~ /such as `(-v ahead=\d+)` in `prepare`/;
$node->safe_psql('postgres', q(INSERT INTO orders (id, reference) VALUES (gen_uuidv7_at(now() + interval '6 months'), 0)));
play('Stage 2 again', $to_prepare, $to_switch);
like((shell($look))[1], qr/orders_default *\| default/, 'the list shows that an order is in no month');
play('back from stage 2', "$undo\n$undo\n");
play('Stage 2 with more months', $to_prepare =~ s/-v do=prepare/$more_months -v do=prepare/r, $to_switch);
unlike((shell($look))[1], qr/orders_default/, 'which a month further ahead mends');
play('to its end', $to_end);
play('back from the end of stage 2', @orders_one_table);
is($node->safe_psql('postgres', q(SELECT relkind FROM pg_class WHERE oid = 'orders'::regclass)), 'r', 'the orders are one table');
is($node->safe_psql('postgres', $whole_keys), $as_before, 'to which the others refer');

# Back from stage 1, with no wish to begin again.
$node->safe_psql('postgres', <<'SQL');
DROP TABLE notes, items, orders, orders_old_ids;
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO orders SELECT FROM generate_series(1, 10);
SQL
my $as_found = $node->safe_psql('postgres', 'SELECT * FROM orders ORDER BY id');
my ($undo_keys) = $way_back =~ /^\| stage 1, before [^|]*\| `(psql [^`]+)`/m;
my ($forget_ids) = $way_back =~ /^\| stage 1, after [^|]* you give up [^|]*\|[^|]*`(PGOPTIONS[^`]+)`/m;
play('Stage 1 of other orders', $prepare, $switch, $keep);
play('back from stage 1', "$undo_keys\n$undo_keys\n$forget_ids\n");
is($node->safe_psql('postgres', 'SELECT * FROM orders ORDER BY id'), $as_found, 'the orders are as they were');
is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_trigger WHERE tgrelid = 'orders'::regclass)), 0,
	'and nothing is left on them');

# Rows that nobody will keep, which go before all that.
my ($too_old) = $chapter =~ /^#### Rows that you will not keep\n.*?^```sh\n(.*?)^```$/ms;
$node->safe_psql('postgres', <<'SQL');
DROP TABLE orders;
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), created_at timestamptz NOT NULL,
	note text NOT NULL DEFAULT repeat('note ', 40));
CREATE TABLE items (order_id uuid NOT NULL REFERENCES orders);
CREATE INDEX ON items (order_id);
INSERT INTO orders (created_at)
SELECT timestamptz '2023-12-01 00:00+00' + n * interval '10 minutes'
FROM generate_series(1, 10000) AS n
ORDER BY random();
INSERT INTO items SELECT id FROM orders, generate_series(1, 2);
SQL
($done, $said) = shell($too_old);
ok($done, 'older rows are deleted') or diag($said);
is($node->safe_psql('postgres', q(SELECT min(created_at) = '2024-01-01 00:00+00', count(*) FROM orders)),
	't|5537', 'newer orders stay');
is($node->safe_psql('postgres', 'SELECT count(*) FROM items'), 2 * 5537, 'and so do their items');

done_testing();
