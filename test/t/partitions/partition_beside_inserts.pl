# Partitions come and go while clients insert all the time: do all inserts succeed, and is no row lost?

use strict;
use warnings;

use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('beside_inserts');

$node->safe_psql('postgres', <<'SQL');
CREATE TABLE visits (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), client int) PARTITION BY RANGE (id);
CREATE TABLE visits_rest PARTITION OF visits DEFAULT;
CREATE TABLE ledger (id uuid);
SELECT uuid_partition_maintain('visits', '1 month', 1);
SQL

my $script = PostgreSQL::Test::Utils::tempdir() . '/insert.sql';
append_to_file($script, <<'SQL');
WITH made AS (INSERT INTO visits (client) VALUES (:client_id) RETURNING id) INSERT INTO ledger SELECT id FROM made;
SQL
my $log = '';
# until it is stopped
my $pgbench = IPC::Run::start([ 'pgbench', '-n', '-f', $script, '-c', 4, '-T', 1000000, $node->connstr('postgres') ], '>', \$log, '2>&1');

sub wait_for_inserts
{
	my $count = $node->safe_psql('postgres', 'SELECT count(*) FROM ledger');

	while ($node->safe_psql('postgres', 'SELECT count(*) FROM ledger') == $count)
	{
		$pgbench->pump_nb;
		die "nobody inserts any more: $log" if !$pgbench->pumpable;
	}
	return;
}

my $complete = 0;
foreach my $round (1 .. 12)
{
	wait_for_inserts();
	my $actions = $node->safe_psql('postgres', <<"SQL");
SET lock_timeout = '10min';
SELECT FROM uuid_partition_create('visits', '2020-01-01', '2020-03-01', '1 month');
SELECT string_agg(action, ' ' ORDER BY action) FROM uuid_partition_maintain('visits', '1 month', 1 + $round, '1 year');
SQL
	# one is made a round, and another where a month ends meanwhile
	$complete++ if $actions =~ /^\s*(created )+dropped dropped$/;
}
wait_for_inserts();
$pgbench->signal('INT');
eval { $pgbench->finish };
wait_until("NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'pgbench')");

unlike($log, qr/error|aborted/i, 'all inserts succeed');
is($complete, 12, 'each round makes and drops what is due');
is( $node->safe_psql('postgres', <<'SQL'), '0|0|0', 'no row is lost or doubled');
SELECT count(*) FILTER (WHERE v.id IS NULL), count(*) FILTER (WHERE l.id IS NULL), count(*) - count(DISTINCT v.id)
FROM ledger l FULL JOIN visits v ON v.id = l.id
SQL

$node->stop;
done_testing();
