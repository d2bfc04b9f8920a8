# Does dropping wait for readers as long as lock_timeout lets it, and leave alone what it cannot lock?

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('drop_waits');
my ($caller, $reader) = (session(), session());

$node->safe_psql('postgres', <<'SQL');
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
-- more than below, as these years may end meanwhile
SELECT uuid_partition_maintain('orders', '2 years', 3);
SELECT uuid_partition_create('orders', '2020-02-01', '2020-06-01', '1 month');
SELECT uuid_partition_create('orders', '2021-01-01', '2021-03-01', '1 month');
SQL
my $there = partitions('orders');
$reader->query_safe('BEGIN; SELECT count(*) FROM ONLY orders');

has_to_wait("SELECT uuid_partition_drop('orders', '2020-04-01')", 'drop waits for a reader until lock_timeout ends the wait');
is(partitions('orders'), $there, 'drop that has waited in vain drops nothing');
is( at_once(<<'SQL', '50ms'),
SELECT action || ' ' || coalesce(partition, '') || ' ' || left(problem, 5)
FROM uuid_partition_maintain('orders', '2 years', 2, '2 years')
SQL
	join("\n", map { "not dropped public.orders_$_ 55P03" } qw(2020_02 2020_03 2020_04 2020_05 2021_01 2021_02)),
	'maintain gives up, and says so of each partition');
is(partitions('orders'), $there, 'maintain that has given up drops nothing');

$caller->query_safe(q(SET lock_timeout = '10min'));
send_and_wait($caller, "SELECT partition FROM uuid_partition_drop('orders', '2020-04-01')", 'AccessExclusive');
$reader->query_safe('COMMIT');
is(result($caller), "public.orders_2020_02\npublic.orders_2020_03", 'drop that has the time drops when the reader has ended');

# One partition, of which a part is locked.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create('visits', '2020-02-01', '2020-03-01', '1 month');
CREATE TABLE visits_old PARTITION OF visits FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2020-02-01')) PARTITION BY HASH (id);
CREATE TABLE visits_old_0 PARTITION OF visits_old FOR VALUES WITH (MODULUS 1, REMAINDER 0);
SQL
my $actions = q(
	SELECT string_agg(DISTINCT action, ', ')
	FROM uuid_partition_maintain('visits', '1 year', 2, '1 year', dry_run => %s));
$reader->query_safe('BEGIN; LOCK TABLE visits_old_0');
is(at_once(sprintf($actions, 'true'), '50ms'), 'to be created, to be dropped',
	'a dry run plans for other partitions than one that is locked');
is(at_once(sprintf($actions, 'false'), '4s'),
	'created, dropped, not dropped', 'a partition that is locked keeps no others from being made or dropped');
$reader->query_safe('ROLLBACK');

$_->quit foreach $caller, $reader;
$node->stop;
done_testing();
