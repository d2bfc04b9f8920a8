# Sixteen sessions at once make no id twice, of any family, and the ids of each
# session increase where that is promised; nor does a session make one twice whose
# plan is parallel.
#
# UIDEXT_LONG=1 makes a million ids a session and family, 16 million a family;
# it takes minutes and 3 GB of disk.
use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $sessions = 16;
my $count = $ENV{UIDEXT_LONG} ? 1_000_000 : 3_000;

# In the order of the SQL script, each with what increases within a session.
my @families = (
	[ 'gen_uuidv7()', 'id' ],
	[ 'gen_ordered_uuidv7()', 'id' ],
	[ "gen_uuidv7('-1 hour')", 'id' ],
	[ 'gen_comb()', 'id' ],
	[ 'gen_suffix_comb()', "right(id::text, 12) || substr(id::text, 20, 4) || substr(id::text, 15, 4)
		|| substr(id::text, 10, 4) || left(id::text, 8)" ],
	[ 'gen_short_comb()', undef ],
	[ 'gen_short_suffix_comb()', undef ],
	[ "gen_sequence_comb('numbers')", undef ],
	[ 'gen_iuid(76, 1)', 'id' ],
	[ 'gen_uuidv1()', 'uuid_time(id)' ],
	[ 'gen_uuidv6()', 'id' ],
	[ 'gen_uuidv13()', 'id' ],
	[ 'gen_ulid()', 'id' ],
	map { [ "md5(uid_generate('$_'))::uuid", undef ] } qw(ulid ksuid objectid xid xidjs pushid cuid sid ordereduuid));

# Preloaded, so that every backend is a fork of a process that has the module.
my $node = OneSession->new('uniqueness');
$node->init;
$node->append_conf(
	'postgresql.conf', q{
shared_preload_libraries = 'uidext'
max_worker_processes = 16
max_parallel_workers = 16
max_connections = 30
shared_buffers = 256MB
work_mem = '256MB'
max_wal_size = '4GB'
log_statement = none
});
$node->start;
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION uidext;
	CREATE SEQUENCE numbers;
	CREATE UNLOGGED TABLE ids (session int, n int, id uuid);});

my $script = PostgreSQL::Test::Utils::tempdir . '/family';
foreach my $n (0 .. $#families)
{
	my ($generator, $increases) = @{ $families[$n] };
	my $started = time;

	$node->safe_psql('postgres', 'TRUNCATE ids');
	append_to_file("$script$n", "INSERT INTO ids SELECT :client_id, n, $generator FROM generate_series(1, $count) AS n;\n");
	$node->command_ok(
		[ 'pgbench', '-n', '-c', $sessions, '-j', 2, '-t', 1, '-f', "$script$n", $node->connstr('postgres') ],
		"$generator in $sessions sessions");
	my $made = time - $started;

	my $all = $sessions * $count;
	is($node->safe_psql('postgres', 'SELECT count(DISTINCT session), count(*), count(DISTINCT id) FROM ids'),
		"$sessions|$all|$all", "$generator: none twice");
	# v1 may stay at one time, an id may not
	my $previous = ($increases // '') eq 'id' ? '<=' : '<';
	is( $node->safe_psql(
			'postgres', qq{
			SELECT count(*) FROM (
				SELECT $increases AS this, lag($increases) OVER (PARTITION BY session ORDER BY n) AS previous FROM ids) AS i
			WHERE this $previous previous}),
		'0',
		"$generator: those of each session increase") if $increases;
	is( $node->safe_psql(
			'postgres', q{
			SELECT count(DISTINCT right(id::text, 16)) FROM (SELECT DISTINCT ON (session) id FROM ids ORDER BY session, n) AS firsts}),
		$sessions,
		"$generator: no two sessions start with the same random bits") if $generator eq 'gen_uuidv7()';
	note(sprintf('%s: %d ids made in %.1f s, checked in %.1f s', $generator, $all, $made, time - $started - $made));
}

# Two equal calls in one target list are two ids, though all else is done by
# workers, where core computes equal calls but once.  All generators, as the
# catalog has them; the one of a sequence permits no parallel plan at all.
$node->safe_psql(
	'postgres', q{
	CREATE TABLE few AS SELECT generate_series(1, 2000) AS n;
	ALTER TABLE few SET (parallel_workers = 4);
	ANALYZE few;
	INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil');
	INSERT INTO iuid.service_entities VALUES (1, 'Ride');
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
my %families = map { $_->[0] =~ /^(gen_\w+)/ ? ($1 => 1) : () } @families;
is(join(' ', grep { !/_at\(/ && !$families{ s/\(.*//r } } @generators), '', 'each family was made by many sessions');
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
		'2000|2000',
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
