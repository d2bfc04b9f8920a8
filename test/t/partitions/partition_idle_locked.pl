# A call that has nothing to look for in a default partition ends as usual while others keep it locked.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('idle_locked');
my ($other, $caller) = (session(), session());

$node->safe_psql(
	'postgres', q(
	CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	CREATE TABLE items (order_id uuid PRIMARY KEY) PARTITION BY RANGE (order_id);
	SELECT uuid_partition_maintain('orders', '1 month', 2);
	SELECT uuid_partition_follow('items', 'orders');
));

my $maintain = q(uuid_partition_maintain('orders', '1 month', 2, keep => '1 year'));
foreach my $table (qw(orders_rest items_rest))
{
	$other->query_safe("BEGIN; LOCK TABLE $table IN ACCESS EXCLUSIVE MODE");
	foreach my $call (
		$maintain, $maintain =~ s/\)$/, dry_run => true)/r, $maintain =~ s/\)$/, followers => '{items}')/r,
		q(uuid_partition_create('orders', date_trunc('month', now(), 'UTC'), now(), '1 month')),
		q(uuid_partition_drop('orders', '2020-01-01 00:00+00')), q(uuid_partition_follow('items', 'orders')))
	{
		is(at_once("SELECT count(*) FROM $call", '300ms'), 0, "$call has nothing to do beside a locked $table");
	}
	$other->query_safe('ROLLBACK');
}

# The table is not kept from others while a follower is waited for.
$other->query_safe('BEGIN; LOCK TABLE ONLY items IN SHARE UPDATE EXCLUSIVE MODE');
$caller->query_safe(q(SET lock_timeout = '10min'));
send_and_wait($caller, 'SELECT count(*) FROM ' . ($maintain =~ s/\)$/, followers => '{items}')/r), 'ShareUpdateExclusive');
is(at_once('BEGIN; LOCK TABLE ONLY orders IN SHARE UPDATE EXCLUSIVE MODE; COMMIT'), '',
	'the table can be locked while a follower is waited for');
$other->query_safe('ROLLBACK');
is(result($caller), 0, '(and the call ends when the follower is free)');

$_->quit foreach $other, $caller;
$node->stop;
done_testing();
