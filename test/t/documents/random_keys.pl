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
$node->append_conf('postgresql.conf', 'autovacuum = off');
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
CREATE TABLE ledger AS SELECT reference FROM orders;
CREATE SEQUENCE references_given START 1000000;
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
	my $script = join "\n", 'set -e', "cd '$documents/recipes'", grep { !/^(?:cd|export) / } split /\n/, $block;

	local @ENV{qw(PGHOST PGPORT PGDATABASE PGTZ)} = ($node->host, $node->port, 'postgres', 'UTC');
	my $done = IPC::Run::run([ 'sh', '-c', $script ], '>', \$said, '2>&1');
	return ($done, $said);
}

# Blocks of a stage, one command at a time where a line is a command.
sub play
{
	my ($name, @blocks) = @_;

	foreach my $part (map { commands($_) } @blocks)
	{
		my ($done, $said) = shell($part);
		my ($what) = $part =~ /(do=\w+|CREATE \w+|ALTER \w+|uuid_\w+)/ or next;

		ok($done, "$name, $what") or diag($said);
		my $now = $node->safe_psql('postgres', $tables);
		$largest = $now if $now > $largest;
	}
	return;
}

# A block's commands, of which one with a here-document has several lines.
sub commands { return grep { /\S/ } map { /<<'SQL'/ ? $_ : split /\n/ } $_[0] =~ /(^psql <<'SQL'\n.*?^SQL\n|^(?:(?!psql <<)[^\n]*\n)+)/gms }
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
INSERT INTO ledger SELECT reference FROM made;
COMMIT;
SQL
my $application = IPC::Run::start([ 'pgbench', '-n', '-c', 2, '-R', 20, '-T', 36000, '-f', $script, '-h', $node->host, '-p', $node->port, 'postgres' ],
	'>', \my $stdout, '2>', \my $stderr);

play('Stage 1', @{ $block{'Stage 1'} });
is($node->safe_psql('postgres', q(SELECT count(*) FROM orders_old_ids FULL JOIN orders USING (id) WHERE old_id IS NULL AND reference <= 10000 OR note IS NULL)),
	0, 'each order has a new key, and its old one is known');
is($node->safe_psql('postgres', q(SELECT count(*) FROM orders
		WHERE reference <= 10000 AND date_trunc('milliseconds', created_at) <> date_trunc('milliseconds', uuid_time(id)))),
	0, 'which has the time of the order');
play($_, @{ $block{$_} }) foreach 'Stage 2', 'Stage 3', 'Stage 4';

my $more = $node->safe_psql('postgres', 'SELECT count(*) + 100 FROM ledger');
ok($node->poll_query_until('postgres', "SELECT count(*) >= $more FROM ledger"), 'the application goes on');
$application->signal('TERM');
eval { $application->finish };
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
is($node->safe_psql('postgres', q(SELECT message FROM uuid_partition_check('orders', followers => '{items}')
		WHERE message !~ 'partitionwise|never analyzed|ANALYZE')), '',
	'and nothing is wrong');

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
is($node->safe_psql('postgres', q(SELECT conname, confrelid::regclass, convalidated FROM pg_constraint WHERE conrelid = 'items'::regclass AND contype = 'f')),
	'items_order_id_fkey|orders|t', 'with the foreign key');

done_testing();
