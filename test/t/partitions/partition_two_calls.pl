# Two calls at once on tables that a foreign key joins: neither keeps the other from its locks.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('two_calls');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nlock_timeout = '60s'");
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION uidext;
	CREATE TABLE customers (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), customer uuid REFERENCES customers) PARTITION BY RANGE (id);
	SELECT FROM uuid_partition_maintain('customers', '1 month', ahead => 0);
	SELECT FROM uuid_partition_maintain('orders', '1 month', ahead => 0)));

my $lock = q(SELECT uidext_internal.lock_table('%s', 'SHARE UPDATE EXCLUSIVE', '0'));

# The other call has locked its table, and wants this one's later on.
my $other = $node->background_psql('postgres');
my $call = $node->background_psql('postgres');
$other->query_safe('BEGIN; ' . sprintf($lock, 'customers'));
$call->query_until(qr/begins/, q(\echo begins
	SELECT 'made ' || count(*) FROM uuid_partition_maintain('orders', '1 month', ahead => 3);
));
ok($node->poll_query_until('postgres', q(SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE '%maintain%'))),
	'a call waits for one on a table that a foreign key joins');
my $got = 0;
foreach my $try (1 .. 200)
{
	my ($status) = $node->psql('postgres', sprintf($lock, 'orders'));
	last if $got = $status == 0;
}
ok($got, 'meanwhile the other one gets a lock on its table');
$other->query_safe('COMMIT');
like($call->query_safe('SELECT 1'), qr/made 3/, 'then it does its work');
$_->quit foreach $other, $call;

# VACUUM wants nothing of the table, and is not waited for where there is nothing to do.
my $vacuum = $node->background_psql('postgres');
$vacuum->query_safe(q(DO $$BEGIN EXECUTE (SELECT format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE', min(inhrelid)::regclass)
	FROM pg_inherits WHERE inhparent = 'customers'::regclass); END$$) =~ s/^/BEGIN; /r);
my $started = time;
is($node->safe_psql('postgres', q(SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', ahead => 3))), '0',
	'a call with nothing to do');
cmp_ok(time - $started, '<', 6, 'does not wait for VACUUM of a partition to which its rows refer');
$vacuum->quit;

# The process that is named is one that is in the way.
my $writer = $node->background_psql('postgres');
my $holder = $node->background_psql('postgres');
$writer->query_safe('BEGIN; INSERT INTO orders DEFAULT VALUES');
$holder->query_safe('BEGIN; INSERT INTO customers DEFAULT VALUES');
my $pid = $holder->query_safe('SELECT pg_backend_pid()');
my ($status, $out, $said) = $node->psql('postgres',
	q(SET lock_timeout = '1s'; SELECT uuid_partition_create('orders', '2030-01-01 00:00+00', '2030-02-01 00:00+00', '1 month')));
like($said, qr/table public\.customers is in use by process $pid$/m, 'a writer of the table is not blamed, but one of the table to which its key leads');
$holder->query_safe('ROLLBACK; BEGIN; SELECT count(*) FROM orders');
($status, $out, $said) = $node->psql('postgres',
	q(SET lock_timeout = '1s'; SELECT uuid_partition_create('orders', '2030-01-01 00:00+00', '2030-02-01 00:00+00', '1 month')));
is($said, '', 'nor do readers and writers of the table keep a call from its work');
$_->quit foreach $writer, $holder;

# A transaction that began before does not see the partition after which a new one is to be made.
my $old = $node->background_psql('postgres');
$old->query_safe('SET client_min_messages = error; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
$node->safe_psql('postgres', q(SELECT uuid_partition_create('orders', '2031-01-01 00:00+00', '2031-02-01 00:00+00', '1 month')));
is($old->query_safe(q(SELECT left(problem, 5) FROM uuid_partition_maintain('orders', '1 year', ahead => 10, dry_run => true) WHERE from_time > '2031-01-15 00:00+00' LIMIT 1)),
	'40001', 'it is told to begin a new transaction');
$old->quit;

$node->stop;
done_testing();
