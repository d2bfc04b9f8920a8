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
my ($clients, $inserts) = (4, 400);

$node->safe_psql('postgres', <<'SQL');
CREATE TABLE visits (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), client int) PARTITION BY RANGE (id);
CREATE TABLE visits_rest PARTITION OF visits DEFAULT;
SELECT uuid_partition_maintain('visits', '1 month', 1);
SQL

my $script = PostgreSQL::Test::Utils::tempdir() . '/insert.sql';
append_to_file($script, "INSERT INTO visits (client) VALUES (:client_id);\n");
my $log = '';
my $pgbench = IPC::Run::start(
	[ 'pgbench', '-n', '-f', $script, '-c', $clients, '-t', $inserts, $node->connstr('postgres') ], '>', \$log,
	'2>&1');

my ($rounds, $complete) = (0, 0);
do
{
	$rounds++;
	my $actions = $node->safe_psql('postgres', <<"SQL");
SET lock_timeout = '10min';
SELECT FROM uuid_partition_create('visits', '2020-01-01', '2020-03-01', '1 month');
SELECT string_agg(action, ' ' ORDER BY action) FROM uuid_partition_maintain('visits', '1 month', 1 + $rounds, '1 year');
SQL
	# one is made a round, and another where a month ends meanwhile
	$complete++ if $actions =~ /^\s*(created )+dropped dropped$/;
	$pgbench->pump_nb;
} while ($pgbench->pumpable && $rounds < 12);

ok($pgbench->finish, 'all inserts succeed') or diag($log);
is($complete, $rounds, 'each round makes and drops what is due');
is( $node->safe_psql('postgres', 'SELECT client, count(*) FROM visits GROUP BY client ORDER BY client'),
	join("\n", map { "$_|$inserts" } 0 .. $clients - 1),
	'every row of each client is there');

$node->stop;
done_testing();
