# Two calls at once on tables that a foreign key joins: neither keeps the other from its locks,
# and the process that is named is one that is in the way.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('two_calls', q(lock_timeout = '60s'));

$node->safe_psql('postgres', <<'SQL');
CREATE TABLE customers (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), customer uuid REFERENCES customers) PARTITION BY RANGE (id);
SELECT FROM uuid_partition_maintain('customers', '1 month', ahead => 0);
SELECT FROM uuid_partition_maintain('orders', '1 month', ahead => 0);
SQL

sub lock_at_once
{
	my ($table) = @_;
	return "SELECT uidext_internal.lock_table('$table', 'SHARE UPDATE EXCLUSIVE', '0')";
}

# The other call has locked its table, and wants this one's later on.
my ($other, $call) = (session(), session());
$other->query_safe('BEGIN; ' . lock_at_once('customers'));
send_and_wait($call, "SELECT 'made ' || count(*) FROM uuid_partition_maintain('orders', '1 month', ahead => 3)",
	'ShareUpdateExclusive');
is(at_once(lock_at_once('orders')), '', 'while a call waits for one on a joined table, that one gets a lock on its table');
$other->query_safe('COMMIT');
is(result($call), 'made 3', 'then it does its work');

# VACUUM wants nothing of the table.  A call that waited for it would do so for ten minutes or longer.
$other->query_safe(<<'SQL');
BEGIN;
DO $$BEGIN
	EXECUTE (SELECT format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE', min(inhrelid)::regclass)
		FROM pg_inherits WHERE inhparent = 'customers'::regclass);
END$$;
SQL
my $started = time;
is(at_once("SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', ahead => 3)", '1h'), '0',
	'a call with nothing to do');
cmp_ok(time - $started, '<', 600, 'does not wait for VACUUM of a partition to which its rows refer');
$other->query_safe('ROLLBACK');

my ($writer, $holder) = (session(), session());
my $create = "SELECT uuid_partition_create('orders', '2030-01-01 00:00+00', '2030-02-01 00:00+00', '1 month')";
$writer->query_safe('BEGIN; INSERT INTO orders DEFAULT VALUES');
$holder->query_safe('BEGIN; INSERT INTO customers DEFAULT VALUES');
my $pid = $holder->query_safe('SELECT pg_backend_pid()');
like(at_once($create, '1s'), qr/table public\.customers is in use by process $pid$/,
	'a writer of the table is not blamed, but one of the table to which its key leads');
$holder->query_safe('ROLLBACK; BEGIN; SELECT count(*) FROM orders');
is(at_once($create, '1s'), 'orders_2030_01', 'readers and writers of the table do not keep a call from its work');
$_->query_safe('ROLLBACK') foreach $writer, $holder;

# A transaction that began before does not see the partition after which a new one is to be made.
$call->query_safe('SET client_min_messages = error; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
$node->safe_psql('postgres', "SELECT uuid_partition_create('orders', '2031-01-01 00:00+00', '2031-02-01 00:00+00', '1 month')");
is($call->query_safe(<<'SQL'), '40001', 'it is told to begin a new transaction');
SELECT left(problem, 5) FROM uuid_partition_maintain('orders', '1 year', ahead => 10, dry_run => true)
WHERE from_time > '2031-01-15 00:00+00' LIMIT 1
SQL

$_->quit foreach $other, $call, $writer, $holder;
$node->stop;
done_testing();
