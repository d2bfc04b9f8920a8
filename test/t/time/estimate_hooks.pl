# Other extensions that answer for statistics are asked too, whichever was
# loaded first; and a session that preloads the library has its estimates
# without calling anything of it.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# The module is built apart, because its sources may be read-only.
my $source = dirname(__FILE__) . '/../../modules/statistics_test';
my $build = PostgreSQL::Test::Utils::tempdir;
my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
foreach my $file ('Makefile', 'statistics_test.c')
{
	append_to_file("$build/$file", slurp_file("$source/$file"));
}
system_or_bail('make', '-s', '-C', $build, 'with_llvm=no', "PG_CONFIG=$pg_config");

my $node = PostgreSQL::Test::Cluster->new('hooks');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nshared_preload_libraries = ''");
$node->start;
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION uidext;
	CREATE TABLE orders AS SELECT uuid_boundary(timestamptz '2026-01-01 00:00+00' + n * interval '1 second') AS id
		FROM generate_series(1, 20000) AS n;
	ANALYZE orders;
});

# Rows expected of a hundred seconds, within one bin of the histogram.
sub expected
{
	my ($setup) = @_;
	my $plan = $node->safe_psql('postgres', $setup . q{
		EXPLAIN SELECT FROM orders
		WHERE id >= '019b7727-1a50-0000-0000-000000000000' AND id < '019b7728-a0f0-0000-0000-000000000000';});

	return $plan =~ /rows=(\d+)/ ? $1 : die $plan;
}

my $module = "LOAD '$build/statistics_test';";
my $none = 'SET statistics_test.none = on;';
my $of_none = expected("$module $none");

is(expected(''), 1, 'a session that has loaded nothing');
cmp_ok(abs(expected("LOAD 'uidext';") - 100), '<', 5, 'one that has loaded uidext');
isnt($of_none, 1, 'the other extension answers');
foreach my $order ("$module LOAD 'uidext';", "LOAD 'uidext'; $module")
{
	cmp_ok(abs(expected($order) - 100), '<', 5, "silent: $order");
	is(expected("$order $none"), $of_none, "answers: $order");
}

$node->append_conf('postgresql.conf', "session_preload_libraries = 'uidext'");
$node->restart;
cmp_ok(abs(expected('') - 100), '<', 5, 'session_preload_libraries');
is(expected('SET uidext.estimates = off;'), 1, 'switched off');

# BRIN's estimator calls the hook with memory that it has not written, here after
# another relation has been proved empty.  What stands in that memory differs.
$node->safe_psql(
	'postgres', q{
	CREATE TABLE logs AS SELECT timestamptz '2024-01-01' + n * interval '1 minute' AS at, n FROM generate_series(1, 5000) AS n;
	CREATE INDEX ON logs USING brin (at);
	CREATE TABLE no_partition (n int, at timestamptz) PARTITION BY RANGE (at);
	VACUUM ANALYZE logs});
foreach my $what ('n', '*', 'count(*)')
{
	my $query = "SELECT $what FROM logs LEFT JOIN no_partition USING (n) WHERE logs.at > '2024-01-03'";
	like($node->safe_psql('postgres', "SELECT gen_uuidv7(); EXPLAIN $query"), qr/Seq Scan on logs.*Result/s,
		"BRIN beside an empty relation: $what");
}

# Another module may have paths priced while joins are searched.
foreach my $joins ('off', 'on')
{
	like($node->safe_psql('postgres',
		"$module SET statistics_test.prices = on; SET uidext.join_estimates = $joins; SELECT gen_uuidv7();
			EXPLAIN SELECT FROM orders AS a
			JOIN orders AS b USING (id)
			WHERE a.id < '019b7727-1a50-0000-0000-000000000000'
				AND b.id < '019b7727-1a50-0000-0000-000000000000'"),
		qr/Join|Nested/, "paths that are priced among joins, uidext.join_estimates = $joins");
}

done_testing();
