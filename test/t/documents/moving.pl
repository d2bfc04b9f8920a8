# doc/moving.md under load: a step is killed, the server crashes, writers
# insert, update and delete throughout, and no row is lost or doubled.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $documents = dirname(__FILE__) . '/../../../doc';
my $recipes = "$documents/recipes";
my $document = slurp_file("$documents/moving.md");
my ($keep, $split) = map {
	my ($chapter) = $document =~ /^## $_\n(.*?)(?=^## |\z)/ms;
	[ $chapter =~ /^```sql\n(.*?)^```$/gms ]
} 'Keep the table as the first partition', 'Split the first partition';

my $node = OneSession->new('moving');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

my $sequence = 0;

# Writers who note in the same transaction what they did; no faster on a fast machine.
sub start_writers
{
	my ($table, $script) = @_;
	my $file = $node->basedir . "/$table.sql";

	open my $handle, '>', $file or die;
	print $handle $script;
	close $handle;
	return IPC::Run::start([ 'pgbench', '-n', '-c', 2, '-R', 200, '-T', 36000, '-f', $file, '-h', $node->host,
		'-p', $node->port, 'postgres' ],
		'>', \my $stdout, '2>', \my $stderr);
}

sub stop_writers
{
	my ($writers) = @_;

	$writers->signal('TERM');
	eval { $writers->finish };
}

sub wait_for_rows
{
	my ($table, $more) = @_;
	my $target = $node->safe_psql('postgres', "SELECT count(*) + $more FROM $table");

	$node->poll_query_until('postgres', "SELECT count(*) >= $target FROM $table") or die "no rows come into $table";
}

# What does not get its locks is repeated.
sub when_free
{
	my ($commands) = @_;

	my $end = time + $PostgreSQL::Test::Utils::timeout_default;

	while (time < $end)
	{
		my ($status, $stdout, $stderr) = $node->psql('postgres', $commands, on_error_stop => 1);
		return $stdout if $status == 0;
		die $stderr unless $stderr =~ /lock timeout/;
	}
	die 'the locks are never free';
}

#
# The commands of "Move the rows", in a shell as on the page: fill is killed, the
# server crashes, and the switch is undone and done again.
#
my ($move) = $document =~ /^## Move the rows\n(.*?)^## /ms or die;
my $commands = join '', $move =~ /^```sh\n(.*?)^```$/gms;
my %command = map { /do=(\w+)/ ? ($1 => $_) : () } split /\n/, $commands;
is_deeply([ sort keys %command ], [qw(drop fill prepare switch)], 'the page has a command for each step');
$command{back} = $command{switch} =~ s/switch/back/r;

$node->safe_psql('postgres', <<'SQL');
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), reference bigint NOT NULL, amount numeric NOT NULL);
CREATE INDEX ON orders (reference);
INSERT INTO orders SELECT gen_uuidv7_at(now() - i * interval '1 hour'), i, i FROM generate_series(1, 2000) i;
CREATE TABLE refunds (order_id uuid NOT NULL REFERENCES orders, refunded numeric);
INSERT INTO refunds SELECT id, amount FROM orders WHERE reference <= 100;
CREATE TABLE ledger (reference bigint, change numeric, deleted bool);
CREATE SEQUENCE references_given START 1000000;
INSERT INTO ledger SELECT reference, amount, false FROM orders;
SQL
my $writers = <<'SQL';
\set victim random(101, 2000)
\set action random(1, 10)
BEGIN;
WITH made AS (INSERT INTO orders (reference, amount) VALUES (nextval('references_given'), 1) RETURNING reference, amount)
INSERT INTO ledger SELECT reference, amount, false FROM made;
\if :action <= 6
WITH changed AS (UPDATE orders SET amount = amount + 1 WHERE reference = :victim RETURNING reference)
INSERT INTO ledger SELECT reference, 1, false FROM changed;
\elif :action <= 7
WITH gone AS (DELETE FROM orders WHERE reference = :victim RETURNING reference)
INSERT INTO ledger SELECT reference, 0, true FROM gone;
\endif
COMMIT;
SQL
my $check = <<'SQL';
WITH expected AS (
	SELECT reference, sum(change) AS amount FROM ledger GROUP BY reference HAVING NOT bool_or(deleted)
)
SELECT count(*) FILTER (WHERE o.reference IS NULL),
	count(*) FILTER (WHERE e.reference IS NULL),
	count(*) - count(DISTINCT coalesce(e.reference, o.reference)),
	(SELECT count(*) FROM refunds r JOIN orders o ON o.id = order_id AND o.reference = r.refunded)
FROM expected e FULL JOIN orders o ON o.reference = e.reference AND o.amount = e.amount;
SQL

sub start_step
{
	my ($step, $said) = @_;

	local @ENV{qw(PGHOST PGPORT PGDATABASE PGAPPNAME)} = ($node->host, $node->port, 'postgres', 'mover');
	return IPC::Run::start([ 'sh', '-c', "cd '$recipes' && $command{$step} 2>&1" ], '>', $said);
}

sub whole_step
{
	my ($step) = @_;
	my $said;

	ok(start_step($step, \$said)->finish, "$step, beside writers") or diag($said);
	wait_for_rows('ledger', 100);
	return;
}

my $running = start_writers('orders', $writers);
whole_step('prepare');

# A session that holds a row, without which fill does not end.
foreach my $way ('killed', 'crashed')
{
	my $holder = $node->background_psql('postgres');
	$holder->query_safe('BEGIN; SELECT FROM orders WHERE reference = 50 FOR UPDATE');
	my $filling = start_step('fill', \my $said);

	$node->poll_query_until('postgres',
		q(
			SELECT count(*) >= 1000
				AND EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'mover' AND state = 'active')
			FROM orders_move))
	  or die 'nothing is copied';
	$way eq 'killed'
	? $node->safe_psql('postgres',
		q(SELECT pg_terminate_backend(pid, 180000) FROM pg_stat_activity WHERE application_name = 'mover'))
	  : $node->stop('immediate');
	ok(!$filling->finish, "fill is $way on its way");
	$way eq 'killed' ? $holder->quit : eval { $holder->{run}->finish };
}
stop_writers($running);
$node->start;
$running = start_writers('orders', $writers);
whole_step($_) foreach qw(fill switch back switch drop);
stop_writers($running);
is($node->safe_psql('postgres', $check), '0|0|0|100', 'no row lost, changed or doubled, and each refund has its order');
is($node->safe_psql('postgres', 'SELECT count(DISTINCT tableoid) > 2 FROM orders'), 't', 'in the partitions of their months');
$node->safe_psql('postgres', 'DROP TABLE orders, refunds');

#
# Keep the table as the first partition.
#

my ($tables, $depends, $constraint, $attach, $list, @pair) = @$keep;

$node->safe_psql('postgres', $tables);
$node->safe_psql('postgres', '
	ALTER TABLE orders ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
	CREATE POLICY all_rows ON orders USING (true);
	CREATE VIEW totals AS SELECT total FROM orders; CREATE FUNCTION seen(orders[]) RETURNS int LANGUAGE sql AS $$SELECT 1$$');
is($node->safe_psql('postgres', $depends),
	join("\n", 'constraint items_order_id_fkey on table items', 'constraint orders_pkey on table orders',
		'function seen(orders[])', 'policy all_rows on table orders', 'rule _RETURN on view totals'),
		'what would go on with the old table is named');
$node->safe_psql('postgres', 'DROP VIEW totals; DROP FUNCTION seen');
$node->safe_psql('postgres', 'CREATE TABLE order_ledger AS SELECT id FROM orders');
# a month more, as this one may end meanwhile
$constraint =~ s/\+ interval '1 month'\)/+ interval '2 months')/ or die;
my ($cutover) = $constraint =~ /^(SELECT .*\\gset\n)/m or die;
my $filenode = 'SELECT pg_relation_filenode(%s)';
my $before = $node->safe_psql('postgres', sprintf $filenode, q('orders'));

$running = start_writers('orders', <<'SQL');
WITH made AS (INSERT INTO orders (total) VALUES (1) RETURNING id), item AS (INSERT INTO items SELECT id, 'pen' FROM made)
INSERT INTO order_ledger SELECT id FROM made;
SQL
wait_for_rows('order_ledger', 100);
when_free($constraint);
when_free("$cutover\n$attach");
wait_for_rows('order_ledger', 100);
like($node->safe_psql('postgres', $list), qr/^orders_before\|partition\|-infinity\|/, 'the table is the first partition');
is($node->safe_psql('postgres', sprintf $filenode, q('orders_before')), $before, 'and was not copied');
is($node->safe_psql('postgres',
		'SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = $$orders$$::regclass'), 't|t',
	'the new one has row security');
is($node->safe_psql('postgres',
	'SELECT count(*) FROM orders o FULL JOIN order_ledger l USING (id) WHERE o.id IS NULL OR l.id IS NULL'),
	0, 'no row lost or doubled');
is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_constraint WHERE conname = 'cutover')), 0, 'the constraint has gone');
is($node->safe_psql('postgres',
	q(
		SELECT convalidated
		FROM pg_constraint
		WHERE conrelid = 'items'::regclass AND contype = 'f' AND confrelid = 'orders'::regclass)),
	't', 'the foreign key is back');
my $key = q(
	SELECT pg_get_constraintdef(oid)
	FROM pg_constraint
	WHERE conrelid = 'items'::regclass AND contype = 'f' AND conparentid = 0);
my $as_made = 'FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE';
is($node->safe_psql('postgres', $key), $as_made, 'and does what it did');

#
# Two tables become the first pair, while others write to both.
#

my ($pair_tables, $pair_keys, $pair_constraint, $pair_attach, $pair_check) = @pair;

# with an identity column, whose numbers go on
my @identity = map { s/\borders/invoices/gr =~ s/\bn\b/number/gr }
  $document =~ /^\| an identity column, [^|]*\|[^|]*?`(SELECT setval[^`]*)`[^`]*`(ALTER TABLE [^`]*)`/m or die;
$pair_attach =~ s/^(CREATE TABLE invoices .*)$/join "\n", $1, @identity/me or die;
$pair_tables =~ s/PRIMARY KEY \(invoice_id, n\)\)/PRIMARY KEY (invoice_id, n)); CREATE TABLE invoice_ledger (id uuid)/ or die;
$pair_tables =~ s/total numeric NOT NULL\)/total numeric NOT NULL, number int GENERATED ALWAYS AS IDENTITY)/ or die;
$node->safe_psql('postgres', $pair_tables);
$node->safe_psql('postgres', 'INSERT INTO invoice_ledger SELECT id FROM invoices; ALTER TABLE lines ENABLE ROW LEVEL SECURITY');
is($node->safe_psql('postgres', $pair_keys), '', 'no other foreign key is in the way');
# a month more, as this one may end meanwhile
$pair_constraint =~ s/\+ interval '1 month'\)/+ interval '2 months')/ or die;
($cutover) = $pair_constraint =~ /^(SELECT .*\\gset\n)/m or die;
my $nodes = q(SELECT string_agg(pg_relation_filenode(oid)::text, ' ' ORDER BY relname) FROM pg_class WHERE relname ~ '^(invoices|lines)%s$');
$before = $node->safe_psql('postgres', sprintf $nodes, '');

my $clerks = start_writers('invoices', <<'SQL');
WITH made AS (INSERT INTO invoices (total) VALUES (1) RETURNING id), line AS (INSERT INTO lines SELECT id, 1, 'pen' FROM made)
INSERT INTO invoice_ledger SELECT id FROM made;
SQL
wait_for_rows('invoice_ledger', 100);
when_free($pair_constraint);
my $taken = $node->safe_psql('postgres', q(SELECT to_char(now() AT TIME ZONE 'UTC' + interval '2 months', '"lines_"YYYY_MM')));
$node->safe_psql('postgres', "CREATE TABLE $taken ()");
when_free("$cutover\n$pair_attach");
is($node->safe_psql('postgres', q(SELECT relkind FROM pg_class WHERE relname = 'lines')), 'r', 'nothing changes if a month cannot be made');
$node->safe_psql('postgres', "DROP TABLE $taken");
when_free("$cutover\n$pair_attach");
wait_for_rows('invoice_ledger', 100);
stop_writers($clerks);
is($node->safe_psql('postgres', sprintf $nodes, '_before'), $before, 'neither table was copied');
my ($invoices, $lines) = map { $node->safe_psql('postgres',
		qq(SELECT string_agg(right(partition::text, 7), ' ' ORDER BY from_time) FROM uuid_partition_list('$_') WHERE to_time > now())) } qw(invoices lines);
like($invoices, qr/\d{4}_\d\d \d{4}_\d\d/, 'later months are made');
is($lines, $invoices, 'each as a pair');
is($node->safe_psql('postgres', q(
		SELECT DISTINCT pg_get_constraintdef(k.oid) ~ format('REFERENCES %I', replace(c.relname, 'lines', 'invoices')), convalidated
		FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid
		WHERE contype = 'f' AND c.relname LIKE 'lines\_%')),
	't|t', 'each with its key to its month, the first with the one that it had');
is($node->safe_psql('postgres', q(SELECT relrowsecurity FROM pg_class WHERE oid = 'lines'::regclass)), 't', 'row security stays on');
like($node->safe_psql('postgres', "SET enable_partitionwise_join = on; $pair_check"), qr/^OK\|/, 'the check is content');
is($node->safe_psql('postgres',
	'SELECT count(*) FROM invoices o FULL JOIN invoice_ledger l USING (id) WHERE o.id IS NULL OR l.id IS NULL'),
	0, 'no invoice lost or doubled');
is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_constraint WHERE conname = 'cutover')), 0, 'the constraints have gone');
is($node->safe_psql('postgres', 'SELECT count(*) - count(DISTINCT number) FROM invoices'), 0, 'no number came twice');
is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_class WHERE relkind = 'S' AND relname LIKE 'invoices%')), 1,
	'the first partition has no sequence of its own');
$node->safe_psql('postgres', 'DROP TABLE invoices, lines, invoice_ledger');

#
# Split the first partition, into which rows come all the time: it has the present month.
#

my $transaction = qr/BEGIN;.*?^COMMIT;\n/ms;
my ($definition, $detach, $drain, $end, $refer_again) = $split->[0] =~
  /^(SELECT .*)\\gset\n\\set ON_ERROR_ROLLBACK off\n($transaction)\n(CALL .*?;\n)\n($transaction)\n(BEGIN;.*)/ms
  or die;

# each part is a session of its own here
my $defined = $node->safe_psql('postgres', $definition);
$refer_again =~ s/:key/$defined/ or die;
when_free($detach);
# the month after this one, which the block held, too; rows keep the present one from coming
when_free(q(SELECT uuid_partition_maintain('orders', '1 month')));
wait_for_rows('order_ledger', 100);
like($node->safe_psql('postgres', $list), qr/^orders_before\|default\|/m, 'the block is the default partition');
when_free($end);
is($node->safe_psql('postgres', 'SELECT count(*) > 0 FROM orders_before'), 't', 'which stays as long as it has rows');
my $give_up = time + $PostgreSQL::Test::Utils::timeout_default;
do
{
	$node->psql('postgres', $drain);
} until $node->safe_psql('postgres', 'SELECT count(*) FROM orders_before') eq '0' || time > $give_up;
wait_for_rows('order_ledger', 100);
when_free($end);
is($node->safe_psql('postgres', q(SELECT to_regclass('orders_before') IS NULL)), 't', 'nothing is left in it');
# an order that was deleted while nothing guarded its items
$node->safe_psql('postgres', q(INSERT INTO items VALUES (gen_uuidv7(), 'of no order')));
eval { when_free($refer_again) };
like($@, qr/ERROR:  insert or update on table "items" violates foreign key constraint "items_order_id_fkey"/,
	'items without an order keep the key from being valid');
when_free($split->[1]);
is($node->safe_psql('postgres', q(SELECT count(*) FROM items WHERE item = 'of no order')), 0, 'until they are deleted');
wait_for_rows('order_ledger', 100);
stop_writers($running);
is($node->safe_psql('postgres',
	'SELECT count(*) FROM orders o FULL JOIN order_ledger l USING (id) WHERE o.id IS NULL OR l.id IS NULL'),
	0, 'no row lost or doubled');
is($node->safe_psql('postgres',
	'
		SELECT count(*) FILTER (WHERE uuid_time(id) < from_time OR uuid_time(id) >= to_time)
		FROM orders o
		JOIN uuid_partition_list(\'orders\') p ON p.partition = o.tableoid'),
	0, 'each in the partition of its month');
is($node->safe_psql('postgres',
	q(SELECT count(*) FROM uuid_partition_list('orders') WHERE kind <> 'partition' OR NOT isfinite(from_time))),
	0, 'which are all there');
is($node->safe_psql('postgres',
	q(
		SELECT convalidated
		FROM pg_constraint
		WHERE conrelid = 'items'::regclass AND contype = 'f' AND confrelid = 'orders'::regclass)),
	't', 'the foreign key is back once more');
is($node->safe_psql('postgres', $key), $as_made, 'and does what it did');

done_testing();
