# Servers that go down at once in the middle of inserts come back with sound
# indexes, no id twice, and each session's ids in order.
use strict;
use warnings;

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $rounds = $ENV{UIDEXT_LONG} ? 25 : 3;
my $clients = 6;

# Families by table, and whether a session's ids increase.
my %families = (
	v7 => [ 'gen_uuidv7()', 1 ],
	comb => [ 'gen_comb()', 1 ],
	iuid => [ 'gen_iuid(76, 1)', 1 ],
	v6 => [ 'gen_uuidv6()', 1 ],
	v13 => [ 'gen_uuidv13()', 1 ],
	v1 => [ 'gen_uuidv1()', 0 ],
	suffix_comb => [ 'gen_suffix_comb()', 0 ],
	short_comb => [ 'gen_short_comb()', 0 ],
	short_suffix_comb => [ 'gen_short_suffix_comb()', 0 ],
	sequence_comb => [ 'gen_sequence_comb(\'numbers\', 256)', 0 ]);

my $node = PostgreSQL::Test::Cluster->new('crash');
$node->init;
# Small and busy: checkpoints and evictions happen within a round.
$node->append_conf(
	'postgresql.conf', q{
shared_buffers = 4MB
max_wal_size = 32MB
min_wal_size = 32MB
wal_level = replica
});
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext; CREATE EXTENSION amcheck; CREATE SEQUENCE numbers');

my $script = "\\set n :n + 1\nBEGIN;\n";
foreach my $family (sort keys %families)
{
	$node->safe_psql(
		'postgres', qq{
		CREATE TABLE ids_$family (id uuid PRIMARY KEY DEFAULT $families{$family}[0], round int, client int, n int);
		CREATE INDEX ON ids_$family (id uuid_sqlserver_ops);});
	$script .= "INSERT INTO ids_$family (round, client, n) VALUES (:round, :client_id, :n * 2), (:round, :client_id, :n * 2 + 1);\n";
}
my $file = PostgreSQL::Test::Utils::tempdir . '/insert.pgbench';
append_to_file($file, $script . "COMMIT;\n");

foreach my $round (1 .. $rounds)
{
	my ($stdout, $stderr) = ('', '');
	my $pgbench = IPC::Run::start(
		[
			'pgbench', '-n', '-c', $clients, '-j', 2, '-t', 1_000_000,
			'-D', "round=$round", '-D', 'n=0', '-f', $file, $node->connstr('postgres')
		],
		'>', \$stdout, '2>', \$stderr);
	$node->poll_query_until('postgres',
		"SELECT count(*) >= 2000 AND count(DISTINCT client) = $clients FROM ids_v7 WHERE round = $round")
	  or die "pgbench does not insert: $stderr";

	my $log = -s $node->logfile;
	$node->stop('immediate');
	$pgbench->finish;
	unlike($stderr, qr/duplicate key/, "round $round: no id was made twice");
	$node->start;
	like(slurp_file($node->logfile, $log), qr/redo starts at/, "round $round: the server recovers");
}

foreach my $family (sort keys %families)
{
	my ($generator, $increases) = @{ $families{$family} };

	is($node->safe_psql('postgres', qq(
		SELECT count(DISTINCT round), count(*) >= 2000 * $rounds, count(*) = count(DISTINCT id)
		FROM ids_$family)),
		"$rounds|t|t", "$generator: rows of all rounds, and no id twice");
	is( $node->safe_psql(
			'postgres', qq{
			SELECT count(*) FROM (
				SELECT id, lag(id) OVER (PARTITION BY round, client ORDER BY n) AS previous FROM ids_$family) AS i
			WHERE id <= previous}),
		'0',
		"$generator: the ids of each session increase") if $increases;
}

$node->command_ok([ 'pg_amcheck', '--parent-check', '--heapallindexed', '-d', 'postgres' ], 'tables and indexes are sound');

$node->stop;
done_testing();
