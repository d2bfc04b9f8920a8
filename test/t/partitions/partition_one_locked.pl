# What a table or a follower that cannot have its lock keeps from being done: what needs this
# lock, and nothing else.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('one_locked');
my $other = session();

# Orders and items with default partitions: an old month goes, and one of the future is due.
$node->safe_psql(
	'postgres', q(
	CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE items (order_id uuid PRIMARY KEY) PARTITION BY RANGE (order_id);
	SELECT uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
	SELECT uuid_partition_create('orders', date_trunc('month', now(), 'UTC'), now(), '1 month');
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	SELECT uuid_partition_follow('items', 'orders');
));

# What a call of maintenance does with each table: made, gone, or left.  Nothing of it stays.
sub outcome
{
	my ($timeout) = @_;

	return $node->safe_psql(
		'postgres', qq(
		SET client_min_messages = error;
		SET lock_timeout = '$timeout';
		BEGIN;
		SELECT string_agg(format('%s %s', substring(partition FROM 'orders|items'), action), ', ' ORDER BY to_time DESC, partition DESC)
		FROM uuid_partition_maintain('orders', '1 month', 1, keep => '1 year', followers => '{items}');
		ROLLBACK;
	));
}

is(outcome('300ms'), 'orders created, items created, orders dropped, items dropped', '(all is done beside nobody)');
foreach my $case (
	[ 'items_rest', 'SHARE UPDATE EXCLUSIVE', 'orders created, items not created, orders not dropped, items not dropped', q(a follower's default partition is vacuumed) ],
	[ 'orders_rest', 'SHARE UPDATE EXCLUSIVE', 'orders not created, items not created, orders not dropped, items not dropped', q(the table's default partition is vacuumed) ])
{
	my ($table, $mode, $wanted, $what) = @$case;

	$other->query_safe("BEGIN; LOCK TABLE $table IN $mode MODE");
	is(outcome('300ms'), $wanted, "what is done while $what");
	$other->query_safe('ROLLBACK');
}

# A vacuum that ends in time keeps nothing from being done.
my $caller = session();
$other->query_safe('BEGIN; LOCK TABLE items_rest IN SHARE UPDATE EXCLUSIVE MODE');
$caller->query_until(qr/called/, q(
SET lock_timeout = '1h';
BEGIN;
\\echo called
SELECT string_agg(format('%s %s', substring(partition FROM 'orders|items'), action), ', ' ORDER BY to_time DESC, partition DESC)
FROM uuid_partition_maintain('orders', '1 month', 1, keep => '1 year', followers => '{items}');
));
$node->poll_query_until('postgres', q(SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep')));
$other->query_safe('ROLLBACK');
is($caller->query('ROLLBACK'), 'orders created, items created, orders dropped, items dropped', 'a vacuum of a default partition is waited for');
$caller->quit;

# The orders have their month already, and that of the items is to refer to it.
$node->safe_psql('postgres', q(SELECT FROM uuid_partition_maintain('orders', '1 month', 1)));
my $month = $node->safe_psql('postgres', q(SELECT partition FROM uuid_partition_list('orders') WHERE from_time > now()));
foreach my $case ([ 'vacuumed', 'SHARE UPDATE EXCLUSIVE' ], [ 'written to', 'ROW EXCLUSIVE' ])
{
	my ($what, $mode) = @$case;

	$other->query_safe("BEGIN; LOCK TABLE $month IN $mode MODE");
	is(outcome('600ms'), 'items not created, orders dropped, items dropped', "old months go while that to which a new one shall refer is $what");
	$other->query_safe('ROLLBACK');
}

$other->quit;
$node->stop;
done_testing();
