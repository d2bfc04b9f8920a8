# Do two calls on one table follow each other?  The second waits, and then finds the table as the
# first has left it.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('calls_in_turn');
my ($one, $two) = (session(), session());

$node->safe_psql('postgres', 'CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id)');

# Two ahead, of two years each, as this one may end meanwhile.
my $maintain = "SELECT count(*) FROM uuid_partition_maintain('orders', '2 years', 2)";
$one->query_safe('BEGIN');
is($one->query_safe($maintain), '3', 'the first call of maintain makes three partitions');
send_and_wait($two, $maintain, 'ShareUpdateExclusive');
$one->query_safe('COMMIT');
is(result($two), '0', 'the second call of maintain has waited and finds nothing to do');
is(() = partitions('orders') =~ /orders_\d{4}\b/g, 3, 'there are three partitions');

$node->safe_psql('postgres', "SELECT uuid_partition_create('orders', '2020-01-01', '2020-06-01', '1 month')");
my $drop = "SELECT count(*) FROM uuid_partition_drop('orders', '2020-02-01')";
$one->query_safe('BEGIN');
is($one->query_safe($drop), '1', 'the first call of drop drops a partition');
send_and_wait($two, $drop, 'ShareUpdateExclusive');
$one->query_safe('ROLLBACK');
is(result($two), '1', 'the first call is rolled back, so the second, which has waited, drops the partition');

$_->quit foreach $one, $two;
$node->stop;
done_testing();
