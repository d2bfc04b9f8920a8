# Many sessions at once make no id twice, nor does a session whose plan is
# parallel.
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

# Two equal calls in one target list are two ids, though all else is done by
# workers, where core computes equal calls but once.  All generators, as the
# catalog has them; the one of a sequence permits no parallel plan at all.
$node->safe_psql(
	'postgres', q{
	CREATE TABLE few AS SELECT n FROM many WHERE n <= 10000;
	ALTER TABLE few SET (parallel_workers = 4);
	ANALYZE few;
	INSERT INTO iuid_countries VALUES (76, 'BR', 'Brazil');
	INSERT INTO iuid_service_entities VALUES (1, 'Ride');
	ALTER DATABASE postgres SET uidext.country = 76;
});
my @generators = split /\n/, $node->safe_psql(
	'postgres', q{
	SELECT format('%s(%s)', proname, (
		SELECT string_agg(format('%L::%s', CASE format_type(type, NULL)
				WHEN 'interval' THEN '1 day' WHEN 'timestamp with time zone' THEN '2026-01-01 00:00+00' WHEN 'integer' THEN '1'
				WHEN 'text' THEN CASE proargnames[n] WHEN 'country' THEN 'BR' WHEN 'service_entity' THEN 'Ride' END END,
			format_type(type, NULL)), ', ' ORDER BY n)
		FROM unnest(proargtypes) WITH ORDINALITY AS a(type, n)))
	FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
	WHERE d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uidext')
		AND proname LIKE 'gen\_%' AND proname <> 'gen_sequence_comb'
	ORDER BY 1});
cmp_ok(scalar @generators, '>=', 22, 'generators found');
my $parallel = q{
	SET parallel_setup_cost = 0;
	SET parallel_tuple_cost = 0;
	SET min_parallel_table_scan_size = 0;
	SET max_parallel_workers_per_gather = 4;
};
foreach my $generator (@generators)
{
	my $make = "CREATE TEMP TABLE made AS SELECT $generator AS a, $generator AS b FROM few WHERE n % 2 = 0";

	like($node->safe_psql('postgres', "$parallel EXPLAIN (COSTS OFF) $make"),
		qr/^Gather\n.*Parallel Seq Scan on few\n/s, "$generator with a parallel plan");
	is( $node->safe_psql(
			'postgres', qq{
			$parallel $make;
			SELECT count(*), count(DISTINCT id) FROM made, LATERAL (VALUES (a), (b)) AS v(id)}),
		'10000|10000',
		"$generator: called twice, no id twice");
}

# A worker for a query that has no use for one.
my $debug_parallel = $node->pg_version >= 16 ? 'debug_parallel_query' : 'force_parallel_mode';
is( $node->safe_psql(
		'postgres', qq{
		SET $debug_parallel = on;
		SELECT count(*), count(DISTINCT id), count(*) FILTER (WHERE id < now() - interval '1 hour')
		FROM (SELECT gen_uuidv7() AS id FROM generate_series(1, 1000) OFFSET 0) AS i}),
	'1000|1000|0',
	"under $debug_parallel");

$node->stop;
done_testing();
