# Is what the server log says of a partition true whatever becomes of the call's transaction?

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('server_log');

# Maintain makes months and drops one; the other old one it cannot drop, as a view reads it.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE visits_rest PARTITION OF visits DEFAULT;
SELECT uuid_partition_create('visits', '2020-01-01', '2020-03-01', '1 month');
CREATE VIEW recent_visits AS SELECT * FROM visits_2020_02;
SQL
my $before = -s $node->logfile;
$node->psql('postgres', q(BEGIN; SELECT uuid_partition_maintain('visits', '1 month', 1, '1 year'); ROLLBACK));

my @told = slurp_file($node->logfile, $before) =~ /LOG:  (partition .*)/g;
isnt(scalar @told, 0, 'the log tells of partitions');
is(join("\n", grep { !/ unless this is rolled back$/ } @told), '', 'the log tells of nothing as certain that a rollback undoes');

$node->stop;
done_testing();
