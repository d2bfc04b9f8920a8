# The way of doc/moving.md from random keys to partitions, as the page has it,
# beside an application that is not changed: it makes no ids.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $documents = dirname(__FILE__) . '/../../../doc';
my ($chapter) = slurp_file("$documents/moving.md") =~ /^## From random keys to partitions\n(.*?)(?=^## )/ms;
my %stage = $chapter =~ /^### (Stage \d): [^\n]+\n(.*?)(?=^### )/gms;
is(join(', ', sort keys %stage), 'Stage 1, Stage 2, Stage 3, Stage 4', 'the page has four stages');

my $node = PostgreSQL::Test::Cluster->new('random_keys');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nmax_prepared_transactions = 1");
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
	order_id uuid NOT NULL REFERENCES orders,
	item text NOT NULL DEFAULT repeat('tea ', 20)
);
CREATE INDEX ON items (order_id);
INSERT INTO orders (created_at, reference) SELECT now() - n * interval '10 minutes', n FROM generate_series(1, 10000) AS n;
INSERT INTO items (order_id) SELECT id FROM orders, generate_series(1, 2);
CREATE TABLE ledger AS SELECT reference, id FROM orders;
CREATE SEQUENCE references_given START 1000000;
CREATE ROLE app LOGIN;
GRANT SELECT, INSERT ON orders, items, ledger TO app;
GRANT USAGE ON SEQUENCE references_given TO app;
VACUUM ANALYZE;
SQL
my $tables = q(SELECT sum(pg_relation_size(oid)) FROM pg_class WHERE relkind IN ('r', 'i', 't') AND relname ~ '^(pg_toast_.*|(orders|items).*)$');
my $size = $node->safe_psql('postgres', q(SELECT pg_total_relation_size('orders') + pg_total_relation_size('items')));
my $largest = $size;
my $began = $node->safe_psql('postgres', 'SELECT pg_current_wal_lsn()');

# The commands of a block in a shell, at the server; what they say.
sub shell
{
	my ($block) = @_;
	my $said;
	my $script = join "\n", 'set -e', "cd '$documents/recipes'", grep { !/^(?:cd|export) / } split /\n/, $block =~ s/DATABASE shop/DATABASE postgres/r;

	local @ENV{qw(PGHOST PGPORT PGDATABASE PGTZ)} = ($node->host, $node->port, 'postgres', 'UTC');
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
	my ($done, $said);

	for (1 .. 100)
	{
		($done, $said) = shell(@_);
		last if $done || $said !~ /canceling statement due to lock timeout/;
	}
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

# Blocks of a stage, one command at a time where a line is a command.
sub play
{
	my ($name, @blocks) = @_;

	foreach my $part (map { commands($_) } @blocks)
	{
		my ($done, $said) = shell_until_locked($part);
		my ($what) = $part =~ /(do=\w+|CREATE \w+|ALTER \w+|DROP \w+|uuid_\w+)/ or next;

		ok($done, "$name, $what") or diag($said);
		my $now = $node->safe_psql('postgres', $tables);
		$largest = $now if $now > $largest;
		wait_for_application() if $application;
	}
	return;
}

# A block's commands, of which one with a here-document has several lines.
sub commands { return grep { /\S/ } map { /<<'SQL'/ ? $_ : split /\n/ } $_[0] =~ /(^psql [^\n]*<<'SQL'\n.*?^SQL\n|^(?:(?!psql [^\n]*<<)[^\n]*\n)+)/gms }
my %block = map { $_ => [ $stage{$_} =~ /^```sh\n(.*?)^```$/gms ] } keys %stage;

# What goes wrong.
my ($told) = $chapter =~ /^### What goes wrong\n.*?^```\nERROR:  table public\.orders has keys of [^:]+:\d\d:[^:]+: (.*?)\n```$/ms;
my ($done, $said) = shell($block{'Stage 2'}[0] =~ /^(.*prepare.*)$/m);
ok(!$done, 'stage 2 does not begin with random keys');
like($said, qr/\Q$told\E/, 'and says what the page shows');
($done, $said) = shell($block{'Stage 1'}[0] =~ s/ -v created=created_at//r =~ s/\n.*do=(?:fill|switch).*//gr);
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
$application = IPC::Run::start([ 'pgbench', '-n', '-U', 'app', '-c', 2, '-R', 20, '-T', 36000, '-f', $script, '-h', $node->host, '-p', $node->port, 'postgres' ],
	'>', \my $stdout, '2>', \my $stderr);

play('Stage 1', @{ $block{'Stage 1'} });
my ($look_up) = $chapter =~ /^```\nSELECT … (FROM orders WHERE .*orders_old_ids.*)\n```$/m;
$node->safe_psql('postgres', 'GRANT SELECT ON orders_old_ids TO app');
is($node->safe_psql('postgres', 'SET ROLE app; SELECT count(*) FROM ledger WHERE reference IS DISTINCT FROM (SELECT reference '
		  . ($look_up =~ s/\$1/ledger.id/gr) . ')'),
	0, 'each order is found by the id that the application got, old or new');
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM orders_old_ids JOIN ledger ON ledger.id = old_id WHERE reference >= 1000000'),
	'>', 5, 'also those that were written while their old ids were kept');
is($node->safe_psql('postgres', q(SELECT count(*) FROM orders
		WHERE reference <= 10000 AND date_trunc('milliseconds', created_at) <> date_trunc('milliseconds', uuid_time(id)))),
	0, 'which has the time of the order');
play('Stage 2', @{ $block{'Stage 2'} });

# Stage 3, with what can keep it from going on.
my ($pairs) = grep { /\\gexec/ } @{ $block{'Stage 3'} };
my ($index, $swap) = $block{'Stage 3'}[0] =~ /^(psql .*items_new ON.*\n)(.*DROP CONSTRAINT items_pkey.*\n)/m;
my ($referred) = $chapter =~ /fails with `(cannot drop constraint [^`]+)`/;
shell($index);
$node->safe_psql('postgres', 'CREATE TABLE refunds (item_id uuid REFERENCES items (id))');
(undef, $said) = shell_until_locked($swap);
like($said, qr/ERROR:  \Q$referred\E/, 'a table that refers to an item keeps the key of the items');
$node->safe_psql('postgres', 'DROP TABLE refunds');
ok(!shell_beside_lock('items', $swap), 'and so does a lock');
$node->safe_psql('postgres', 'DROP INDEX items_new');
play('Stage 3', grep { $_ ne $pairs } @{ $block{'Stage 3'} });

my $keys = q(SELECT count(*) FROM pg_constraint WHERE conrelid = 'items'::regclass AND conname = 'items_order_id_fkey');
my $month = $node->safe_psql('postgres', q(SELECT partition FROM uuid_partition_list('orders') WHERE to_time < now() ORDER BY to_time DESC LIMIT 1));
my $items = $month =~ s/orders/items/r;
$node->safe_psql('postgres', "ALTER TABLE $items ADD CONSTRAINT pair CHECK (true)");
($done, $said) = shell_until_locked($pairs);
ok(!$done, 'if one month gets no key, the block ends') or diag($said);
is($node->safe_psql('postgres', $keys), 1, 'before it drops the key to all orders');
$node->safe_psql('postgres', "ALTER TABLE $items DROP CONSTRAINT pair");
ok(!shell_beside_lock($month, $pairs), 'as when one month is in use');
is($node->safe_psql('postgres', $keys), 1, 'and the key to all orders is still there');
play('Stage 3', $pairs);
is($node->safe_psql('postgres', $keys), 0, 'typed again, the block goes on to its end');
play('Stage 4', @{ $block{'Stage 4'} });

my ($cron) = $stage{'Stage 4'} =~ /^[\d* ]+ postgres (psql .*)$/m;
($done, $said) = shell($cron =~ s/ -h localhost -d shop -U shop_owner//r);
ok($done, 'what cron calls runs') or diag($said);
is($said, '', 'and says nothing that cron would mail, as no month is due');

my ($shown) = $stage{'Stage 4'} =~ /^```\n status.*?^ (OK[^\n]+?) [0-9: +-]+\n```$/ms;
is($node->safe_psql('postgres', q(SELECT status || '     | ' || message FROM uuid_partition_check('orders', followers => '{items}'))) =~ s/ [0-9: +-]+$//r,
	$shown, 'the check says what the page shows');

ok(wait_for_application(), 'the application goes on');
$application->signal('TERM');
eval { $application->finish };
undef $application;
unlike($stderr, qr/ERROR/, 'and has seen no error') or diag($stderr);

is($node->safe_psql('postgres', 'SELECT count(*) FROM orders FULL JOIN ledger USING (reference) WHERE orders.id IS NULL OR ledger.reference IS NULL'),
	0, 'no order is lost or doubled');
is($node->safe_psql('postgres', q(SELECT count(*) FROM (
		SELECT orders.id FROM orders LEFT JOIN items ON order_id = orders.id
		GROUP BY orders.id, reference HAVING count(item) <> CASE WHEN reference < 1000000 THEN 2 ELSE 1 END) AS wrong)),
	0, 'nor an item');
is($node->safe_psql('postgres', q(SELECT count(DISTINCT tableoid) >= 3 FROM orders)), 't', 'they are in partitions');
is($node->safe_psql('postgres', q(SELECT count(*) FROM items
		JOIN pg_constraint ON conrelid = items.tableoid AND contype = 'f' AND conparentid = 0 AND convalidated)),
	$node->safe_psql('postgres', 'SELECT count(*) FROM items'), 'each item in one with a foreign key of its own');
# What it takes, as the page says.
like($chapter, qr/^\| free disk for the tables \| up to twice the size/m, 'the page says how much disk');
cmp_ok($largest - $size, '<', 2 * $size, 'which is enough: ' . sprintf('%.1f', ($largest - $size) / $size));
my $written = $node->safe_psql('postgres', "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '$began')");
like($chapter, qr/^\| WAL[^|]*\| up to eight times the size/m, 'and how much WAL');
cmp_ok($written, '<', 8 * $size, 'which is enough: ' . sprintf('%.1f', $written / $size));

# Back from partitions.
my ($back) = $chapter =~ /^### How to go back\n.*?^```sh\n(.*?)^```$/ms;
play('back', $back);
is($node->safe_psql('postgres', q(SELECT string_agg(relkind::text, '') FROM pg_class WHERE oid IN ('orders'::regclass, 'items'::regclass))),
	'rr', 'each is one table again');
my $whole_key = q(SELECT conname, confrelid::regclass, convalidated FROM pg_constraint WHERE conrelid = 'items'::regclass AND contype = 'f');
is($node->safe_psql('postgres', $whole_key), 'items_order_id_fkey|orders|t', 'with the foreign key');
play('back', map { s/\(order_id, id\)/(id)/r } $index . $swap);
is($node->safe_psql('postgres', q(SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'items_pkey')),
	'PRIMARY KEY (id)', 'and the items can have their old primary key');

# Back from the end of stage 2, when the items have not been touched.
play('Stage 2 again', @{ $block{'Stage 2'} });
play('back from stage 2', $back =~ s/^psql -v table=items .*\n//gmr);
is($node->safe_psql('postgres', q(SELECT relkind FROM pg_class WHERE oid = 'orders'::regclass)), 'r', 'the orders are one table');
is($node->safe_psql('postgres', $whole_key), 'items_order_id_fkey|orders|t', 'to which the items refer');

done_testing();
