# Many sessions and parallel workers at once make no id twice.
use strict;
use warnings;

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# Preloaded, so that every backend is a fork of a process that has the module.
my $node = PostgreSQL::Test::Cluster->new('parallel');
$node->init;
$node->append_conf(
	'postgresql.conf', q{
shared_preload_libraries = 'uidext'
max_worker_processes = 16
max_parallel_workers = 16
work_mem = '64MB'
max_wal_size = '2GB'
});
$node->start;
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION uidext;
	CREATE UNLOGGED TABLE ids (session int, n int, id uuid);
	CREATE UNLOGGED TABLE many AS SELECT generate_series(1, 200000) AS n;
	ALTER TABLE many SET (parallel_workers = 4);
	ANALYZE many;
});

# Sessions.
my $sessions = 8;
my @running = map {
	IPC::Run::start(
		[
			'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1',
			'-d', $node->connstr('postgres'),
			'-c', "INSERT INTO ids SELECT $_, n, gen_uuidv7() FROM generate_series(1, 100000) AS n"
		])
} 1 .. $sessions;
my @finished = grep { $_->finish } @running;
is(scalar @finished, $sessions, 'all sessions finish');

is($node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT id) FROM ids'),
	'800000|800000', '8 sessions of 100,000 ids: none twice');
is( $node->safe_psql(
		'postgres', q{
		SELECT count(*) FROM (
			SELECT id, lag(id) OVER (PARTITION BY session ORDER BY n) AS previous FROM ids) AS i
		WHERE id <= previous}),
	'0',
	'the ids of each session increase');
is( $node->safe_psql(
		'postgres', q{
		SELECT count(DISTINCT right(id::text, 16)) FROM (SELECT DISTINCT ON (session) id FROM ids ORDER BY session, n) AS firsts}),
	$sessions,
	'no two sessions start with the same random bits');

# Above Gather, where the calls of one row stay two.
my $parallel = q{
	SET parallel_setup_cost = 0;
	SET parallel_tuple_cost = 0;
	SET min_parallel_table_scan_size = 0;
	SET max_parallel_workers_per_gather = 4;
};
foreach my $generator ('gen_uuidv7()', 'gen_uuidv7(\'1 day\')', 'gen_uuidv7_at(\'2026-01-01\')')
{
	like($node->safe_psql('postgres', "$parallel EXPLAIN (COSTS OFF) SELECT $generator FROM many"), qr/Gather/, "$generator with a parallel plan");
	is( $node->safe_psql(
			'postgres', qq{
			$parallel
			CREATE TEMP TABLE made AS SELECT $generator AS a, $generator AS b FROM many;
			SELECT count(*), count(DISTINCT a), count(*) FILTER (WHERE a = b) FROM made}),
		'200000|200000|0',
		"$generator: none twice");
}

# A worker for a query that has no use for one.
my $debug_parallel = $node->pg_version >= 16 ? 'debug_parallel_query' : 'force_parallel_mode';
is( $node->safe_psql(
		'postgres', qq{
		SET $debug_parallel = on;
		SELECT count(*), count(DISTINCT id), count(*) FILTER (WHERE id < now() - interval '1 minute')
		FROM (SELECT gen_uuidv7() AS id FROM generate_series(1, 1000) OFFSET 0) AS i}),
	'1000|1000|0',
	"under $debug_parallel");

$node->stop;
done_testing();
