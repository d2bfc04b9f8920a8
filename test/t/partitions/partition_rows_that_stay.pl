# Does maintain find the rows of a follower that would stay when it drops their month, also those
# that others are writing?

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('rows_that_stay');
my ($caller, $other) = (session(), session());

# Rows of stays in January 2020 have no partition of that month, and are in a part of the default partition.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE tours (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE stays (tour uuid) PARTITION BY RANGE (tour);
SELECT uuid_partition_create('tours', '2020-01-01', '2020-02-01', '1 month');
CREATE TABLE tours_later PARTITION OF tours FOR VALUES FROM (uuid_boundary('2020-02-01')) TO (MAXVALUE);
CREATE TABLE stays_later PARTITION OF stays FOR VALUES FROM (uuid_boundary('2020-02-01')) TO (MAXVALUE);
CREATE TABLE stays_rest PARTITION OF stays DEFAULT PARTITION BY LIST (tour);
CREATE TABLE stays_all PARTITION OF stays_rest DEFAULT;
INSERT INTO stays VALUES (uuid_boundary('2020-01-10'));
SQL
my $keep_none = <<'SQL';
SELECT action, left(problem, 5)
FROM uuid_partition_maintain('tours', '1 month', 0, keep => '1 month', followers => '{stays}')
WHERE action ~ 'dropped'
SQL

# Rows that are there are found before anybody waits.
$caller->query_safe(q(SET lock_timeout = '50ms'));
$other->query_safe('BEGIN; SELECT count(*) FROM tours');
is(answer_of($caller, $keep_none), 'not dropped|55000', 'a month with rows that would stay is left without a lock');
$other->query_safe('COMMIT');

# A session that writes them by the name of a partition for the second time locks that one alone.
$other->query_safe(q(TRUNCATE stays; INSERT INTO stays_all VALUES (uuid_boundary('2020-01-10')); DELETE FROM stays_all));
$other->query_safe(q(BEGIN; INSERT INTO stays_all VALUES (uuid_boundary('2020-01-10'))));
is(answer_of($caller, $keep_none), 'not dropped|55P03', 'no month goes while a follower is written');
$other->query_safe('COMMIT');
is(answer_of($caller, $keep_none), 'not dropped|55000', 'no month goes when the row has been written');

# An old snapshot would not show them.
$caller->query_safe('RESET lock_timeout');
foreach my $isolation ('REPEATABLE READ', 'SERIALIZABLE')
{
	$caller->query_safe("BEGIN ISOLATION LEVEL $isolation");
	is($caller->query($keep_none), '', "$isolation: no month goes");
	like(said($caller), qr/need a transaction that is READ COMMITTED/, "$isolation: the call says which isolation it needs");
	$caller->query_safe('ROLLBACK');
}

$_->quit foreach $caller, $other;
$node->stop;
done_testing();
