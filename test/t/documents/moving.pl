# doc/moving.md under load: the copy is killed, the server crashes, writers
# insert, update and delete throughout, and no row is lost or doubled.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $document = slurp_file(dirname(__FILE__) . '/../../../doc/moving.md');
my ($keep, $split, $copy) = map {
	my ($chapter) = $document =~ /^## $_\n(.*?)(?=^## |\z)/ms;
	[ $chapter =~ /^```sql\n(.*?)^```$/gms ]
} 'Keep the table as the first partition', 'Split the first partition', 'Copy in batches behind a trigger';

my $node = PostgreSQL::Test::Cluster->new('moving');
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
	return IPC::Run::start([ 'pgbench', '-n', '-c', 2, '-R', 200, '-T', 36000, '-f', $file, '-h', $node->host, '-p', $node->port, 'postgres' ],
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

	foreach my $attempt (1 .. 100)
	{
		my ($status, $stdout, $stderr) = $node->psql('postgres', $commands, on_error_stop => 1);
		return $stdout if $status == 0;
		die $stderr unless $stderr =~ /lock timeout/;
	}
	die 'the locks are never free';
}

#
# Copy in batches behind a trigger.
#

my ($table, $function, $times, $new_table, $follow, $trigger, $copier, $compare, $refer, $switch, $afterwards) = @$copy;
my ($procedure, $call) = $copier =~ /^(.*)(^ANALYZE .*)$/ms or die;

$node->safe_psql('postgres', $table);
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE ledger (reference bigint, change numeric, deleted bool);
CREATE SEQUENCE references_given START 1000000;
INSERT INTO payments VALUES (uuid_boundary('-infinity'), now(), -1, 0), (uuid_boundary('infinity'), now(), -2, 0);
INSERT INTO ledger SELECT reference, amount, false FROM payments;
SQL
my $writers = <<'SQL';
\set victim random(101, 2000)
\set action random(1, 10)
BEGIN;
WITH made AS (INSERT INTO payments (reference, amount) VALUES (nextval('references_given'), 1) RETURNING reference, amount)
INSERT INTO ledger SELECT reference, amount, false FROM made;
\if :action <= 6
WITH changed AS (UPDATE payments SET amount = amount + 1 WHERE reference = :victim RETURNING reference)
INSERT INTO ledger SELECT reference, 1, false FROM changed;
\elif :action <= 7
WITH gone AS (DELETE FROM payments WHERE reference = :victim RETURNING reference)
INSERT INTO ledger SELECT reference, 0, true FROM gone;
\endif
COMMIT;
SQL

my $check = <<'SQL';
WITH expected AS (
	SELECT reference, sum(change) AS amount FROM ledger GROUP BY reference HAVING NOT bool_or(deleted)
)
SELECT count(*) FILTER (WHERE p.reference IS NULL), count(*) FILTER (WHERE e.reference IS NULL), count(*) - count(DISTINCT coalesce(e.reference, p.reference))
FROM expected e FULL JOIN payments p ON p.reference = e.reference AND p.amount = e.amount;
SQL

my $running = start_writers('payments', $writers);
wait_for_rows('ledger', 100);
$node->safe_psql('postgres', $function);
when_free($times);
$node->safe_psql('postgres', $_) foreach $new_table, $follow;
when_free($trigger);
$node->safe_psql('postgres', $procedure);

# In its own application name, to be found and killed.
sub copy_in_background
{
	return IPC::Run::start([ 'psql', '-qX', '-d', $node->connstr('postgres') . ' application_name=copier', '-c', 'CALL payments_copy(10)' ],
		'>', \my $stdout, '2>', \my $stderr);
}

# A session that holds a row further on: none that refunds refer to, so that it
# can be deleted.
sub hold_row
{
	my ($delete) = @_;
	my $session = $node->background_psql('postgres');

	$session->query_safe('BEGIN');
	my $id = $session->query_safe(q(
		SELECT id FROM payments
		WHERE id >= (SELECT id FROM payments WHERE id >= (SELECT next_id FROM payments_progress) ORDER BY id OFFSET 300 LIMIT 1)
			AND reference > 100
		ORDER BY id LIMIT 1 FOR UPDATE));
	$session->query_safe("WITH gone AS (DELETE FROM payments WHERE id = '$id' RETURNING reference) INSERT INTO ledger SELECT reference, 0, true FROM gone")
	  if $delete;
	return $session;
}

# The copy that waits for that session, or for a writer who does, but not for
# one who only holds it up on its way.
sub copy_until_it_waits
{
	my ($holder) = @_;
	my $pid = $holder->query_safe('SELECT pg_backend_pid()');
	my $copying = copy_in_background();

	$node->poll_query_until('postgres', <<"SQL") or die 'the copy does not wait';
WITH RECURSIVE waits (pid) AS (
	SELECT pid FROM pg_stat_activity WHERE application_name = 'copier'
	UNION
	SELECT unnest(pg_blocking_pids(pid)) FROM waits
)
SELECT next_id IS NULL OR EXISTS (SELECT FROM waits WHERE pid = $pid) FROM payments_progress
SQL
	return $copying;
}

foreach my $round (1, 2)
{
	my $holder = hold_row();
	my $before = $node->safe_psql('postgres', 'SELECT next_id FROM payments_progress');
	my $copying = copy_until_it_waits($holder);

	$node->safe_psql('postgres', q(SELECT pg_terminate_backend(pid, 180000) FROM pg_stat_activity WHERE application_name = 'copier'));
	eval { $copying->finish };
	$holder->quit;
	is($node->safe_psql('postgres', "SELECT next_id > '$before' FROM payments_progress"), 't', "the copy is killed on its way: $round");
}

my $holder = hold_row();
my $copying = copy_until_it_waits($holder);
$node->stop('immediate');
eval { $_->finish } foreach $copying, $holder->{run};
stop_writers($running);
$node->start;
is($node->safe_psql('postgres', 'SELECT next_id IS NOT NULL FROM payments_progress'), 't', 'the server crashes later on');
$running = start_writers('payments', $writers);
wait_for_rows('ledger', 100);

# A row that is about to be deleted holds the copy up, or it would come back.
$holder = hold_row('and delete it');
$copying = copy_until_it_waits($holder);
is($node->safe_psql('postgres', 'SELECT next_id IS NOT NULL FROM payments_progress'), 't', 'the copy waits for a row that is being deleted');
$holder->query_safe('COMMIT');
$holder->quit;
$node->safe_psql('postgres', $call);
eval { $copying->finish };
is($node->safe_psql('postgres', 'SELECT next_id IS NULL FROM payments_progress'), 't', 'two at once finish the copy');
$node->safe_psql('postgres', $call);

my ($status, $stdout, $stderr) = $node->psql('postgres', q(BEGIN ISOLATION LEVEL REPEATABLE READ; DELETE FROM payments WHERE reference = -1;));
like($stderr, qr/write to it in READ COMMITTED/, 'a writer whose snapshot is kept is refused');

when_free($refer);
# a reference that changes afterwards is followed, too
$node->safe_psql('postgres', 'UPDATE refunds SET payment_id = p.id, refunded = 6 FROM payments p WHERE p.reference = 6 AND refunded = 5');

# Names change under the writers, who wait and go on.
my $switched = when_free($switch =~ s/^LOCK TABLE .*\n/$&$compare/mr);
is($switched, '0|0', 'old and new table are equal at the switch');
$node->safe_psql('postgres', $afterwards);
wait_for_rows('ledger', 100);
stop_writers($running);

is($node->safe_psql('postgres', $check), '0|0|0', 'no row lost, changed or doubled');
is($node->safe_psql('postgres', 'SELECT count(*) FROM payments WHERE NOT uuidv7_is_valid(id) AND reference > 0'), 0, 'all ids are v7');
is($node->safe_psql('postgres', q(SELECT count(*) FROM payments WHERE uuid_time(id) NOT BETWEEN created_at - interval '10 minutes' AND created_at + interval '10 minutes')),
	0, 'of the time when the rows were created');
is($node->safe_psql('postgres', 'SELECT count(DISTINCT tableoid) > 2 FROM payments'), 't', 'in the partitions of their months');
is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_inherits WHERE inhparent = 'payments'::regclass AND inhrelid::regclass::text !~ '^payments_[0-9]{4}_[0-9]{2}$')),
	0, 'which are named as those to come will be');
is( $node->safe_psql(
		'postgres', q{
		SELECT string_agg(name, ' ')
		FROM (SELECT relname::text, relnamespace FROM pg_class UNION ALL SELECT conname, connamespace FROM pg_constraint) named(name, namespace)
		WHERE namespace = 'public'::regnamespace AND name ~ '^(payments|refunds)' AND name ~ '_(new|old|incoming)_'
			AND name <> 'payments_old_id_idx' AND name !~ '^payments_[0-9]{4}_[0-9]{2}_old_id_idx$'}),
	'', 'and so are indexes and constraints');
is($node->safe_psql('postgres', 'SELECT count(*) FROM refunds r JOIN payments p ON p.id = payment_id AND p.reference = r.refunded'), 100, 'the table that refers to them follows');

#
# Keep the table as the first partition.
#

my ($tables, $constraint, $attach, $list) = @$keep;

$node->safe_psql('postgres', $tables);
$node->safe_psql('postgres', 'CREATE TABLE order_ledger AS SELECT id FROM orders');
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
is($node->safe_psql('postgres', 'SELECT count(*) FROM orders o FULL JOIN order_ledger l USING (id) WHERE o.id IS NULL OR l.id IS NULL'),
	0, 'no row lost or doubled');
is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_constraint WHERE conname = 'cutover')), 0, 'the constraint has gone');
is($node->safe_psql('postgres', q(SELECT convalidated FROM pg_constraint WHERE conrelid = 'items'::regclass AND contype = 'f' AND confrelid = 'orders'::regclass)),
	't', 'the foreign key is back');

#
# Split the first partition, into which rows come all the time: it has the present month.
#

my ($detach, $drain, $end, $refer_again) = $split->[0] =~ /^(BEGIN;.*?^COMMIT;\n)\n(CALL .*?;\n)\n(BEGIN;.*?^COMMIT;\n)\n(BEGIN;.*)/ms or die;

when_free($detach);
wait_for_rows('order_ledger', 100);
like($node->safe_psql('postgres', $list), qr/^orders_before\|default\|/m, 'the block is the default partition');
when_free($end);
is($node->safe_psql('postgres', 'SELECT count(*) > 0 FROM orders_before'), 't', 'which stays as long as it has rows');
foreach my $call (1 .. 20)
{
	$node->psql('postgres', $drain);
	last if $node->safe_psql('postgres', 'SELECT count(*) FROM orders_before') eq '0';
}
wait_for_rows('order_ledger', 100);
when_free($end);
is($node->safe_psql('postgres', q(SELECT to_regclass('orders_before') IS NULL)), 't', 'nothing is left in it');
when_free($refer_again);
wait_for_rows('order_ledger', 100);
stop_writers($running);
is($node->safe_psql('postgres', 'SELECT count(*) FROM orders o FULL JOIN order_ledger l USING (id) WHERE o.id IS NULL OR l.id IS NULL'),
	0, 'no row lost or doubled');
is($node->safe_psql('postgres', 'SELECT count(*) FILTER (WHERE uuid_time(id) < from_time OR uuid_time(id) >= to_time) FROM orders o JOIN uuid_partition_list(\'orders\') p ON p.partition = o.tableoid'),
	0, 'each in the partition of its month');
is($node->safe_psql('postgres', q(SELECT count(*) FROM uuid_partition_list('orders') WHERE kind <> 'partition' OR NOT isfinite(from_time))), 0, 'which are all there');
is($node->safe_psql('postgres', q(SELECT convalidated FROM pg_constraint WHERE conrelid = 'items'::regclass AND contype = 'f' AND confrelid = 'orders'::regclass)),
	't', 'the foreign key is back once more');

done_testing();
