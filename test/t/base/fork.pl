# A child that a backend forks never deals the random bytes that its parent
# drew and will deal, and counts on from none of its parent's ids.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# The module is built apart, because its sources may be read-only.
my $source = dirname(__FILE__) . '/../../modules/fork_test';
my $build = PostgreSQL::Test::Utils::tempdir;
my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
foreach my $file ('Makefile', 'fork_test.c')
{
	append_to_file("$build/$file", slurp_file("$source/$file"));
}
system_or_bail('make', '-s', '-C', $build, 'with_llvm=no', "PG_CONFIG=$pg_config");

my $node = PostgreSQL::Test::Cluster->new('fork');
$node->init;
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'uidext'");
$node->start;
$node->safe_psql(
	'postgres', qq{
	CREATE EXTENSION uidext;
	CREATE FUNCTION fork_ids(generator regprocedure, at timestamptz, count int,
		OUT process text, OUT n int, OUT id uuid) RETURNS SETOF record
		AS '$build/fork_test' LANGUAGE C VOLATILE STRICT;
});

# Ids of a given time: what differs is only what was drawn.
foreach my $generator (
	'gen_uuidv7_at(timestamptz)', 'gen_comb_at(timestamptz)',
	'gen_suffix_comb_at(timestamptz)', 'gen_uuidv7()',
	'gen_comb()', 'gen_suffix_comb()')
{
	is( $node->safe_psql(
			'postgres', qq{
			CREATE TEMP TABLE ids AS SELECT * FROM fork_ids('$generator', '2026-01-01', 3000);
			SELECT process, count(*), count(DISTINCT id) FROM ids GROUP BY process ORDER BY process;
			SELECT count(DISTINCT id) FROM ids;}),
		"before|1|1\nchild|3000|3000\nparent|3000|3000\n6001",
		"$generator: parent and child make different ids");
}

# A node that stays with a session.
is( $node->safe_psql(
		'postgres', q{
		SET uidext.node = session;
		CREATE TEMP TABLE ids AS SELECT * FROM fork_ids('gen_uuidv6()', '2026-01-01', 3000);
		SELECT process, count(DISTINCT id), count(DISTINCT right(id::text, 17)) FROM ids GROUP BY process ORDER BY process;
		SELECT count(DISTINCT id), count(DISTINCT right(id::text, 12)) FROM ids;}),
	"before|1|1\nchild|3000|1\nparent|3000|1\n6001|2",
	'uidext.node = session: the child has a node of its own');
is( $node->safe_psql(
		'postgres', q{
		SET uidext.node = server;
		CREATE TEMP TABLE ids AS SELECT * FROM fork_ids('gen_uuidv6()', '2026-01-01', 3000);
		SELECT count(DISTINCT id), count(DISTINCT right(id::text, 17)) FROM ids;}),
	"6001|1",
	'uidext.node = server: both have the same, and different ids');

# The tails alone, whatever the time.
is( $node->safe_psql(
		'postgres', q{
		CREATE TEMP TABLE ids AS SELECT * FROM fork_ids('gen_uuidv7()', 'now', 3000);
		SELECT count(DISTINCT right(id::text, 16)) FROM ids;}),
	'6001',
	'gen_uuidv7(): their tails differ, too');
is( $node->safe_psql(
		'postgres', q{
		CREATE TEMP TABLE ids AS SELECT * FROM fork_ids('gen_uuidv7()', 'now', 3000);
		SELECT process, count(*) FILTER (WHERE id <= previous)
		FROM (
			SELECT process, id,
				lag(id, 1, (SELECT id FROM ids WHERE process = 'before'))
					OVER (PARTITION BY process ORDER BY n) AS previous
			FROM ids WHERE process <> 'before') AS i
		GROUP BY process ORDER BY process;}),
	"child|0\nparent|0",
	'gen_uuidv7(): both go on in order');

$node->stop;

# While the clock stands still a process stays in one tick, where its ids are
# random steps of 32 bits apart.  A child leaves that tick at once.  This holds
# for every generator whose ids are in order.
my ($libfaketime) = grep { -e } glob('/usr{,/local}/lib{,64}{,/*}/faketime/libfaketime.so.1');
SKIP:
{
	skip 'libfaketime is not installed', 1 unless $libfaketime;
	{
		local %ENV = (
			%ENV,
			LD_PRELOAD => $libfaketime,
			FAKETIME => '2026-03-04 05:06:07',
			FAKETIME_DISABLE_SHM => 1,
			DONT_FAKE_MONOTONIC => 1);
		$node->start;
	}
	$node->safe_psql('postgres', 'CREATE FUNCTION gen_own_iuid() RETURNS uuid RETURN gen_iuid(76, 1)');

	my @generators = split /\n/,
	  $node->safe_psql(
		'postgres', q{
		SELECT proname || '()' FROM pg_proc
		WHERE proname LIKE 'gen\_%' AND pronargs = 0 AND proname NOT IN ('gen_random_uuid', 'gen_suffix_comb', 'gen_uuidv1')});
	cmp_ok(@generators, '>', 4, 'generators in order: ' . join(' ', @generators));
	foreach my $generator (@generators)
	{
		# the parent's tick is the clock's, and iUIDs have six bits of theirs further on
		my ($counts, $before, $parent, $child) = split /\n/,
		  $node->safe_psql(
			'postgres', qq{
			CREATE TEMP TABLE ids AS SELECT * FROM fork_ids('$generator', '2026-01-01', 1000);
			SELECT count(*), count(DISTINCT id) FROM ids;
			SELECT left(min(id::text), 23) FROM ids WHERE process = 'before';
			SELECT left(min(id::text), 23) FROM ids WHERE process = 'parent';
			SELECT left(min(id::text), 23) FROM ids WHERE process = 'child';});
		is($counts, '2001|2001', "$generator with a clock that stands still: different ids");
		# the server's one counter goes on by what the child made
		is(substr($parent, 0, 18), substr($before, 0, 18), "$generator with a clock that stands still: the parent stays in its tick")
		  unless $generator eq 'gen_ordered_uuidv7()';
		cmp_ok($child, 'gt', $before, "$generator with a clock that stands still: the child leaves it");
	}
	$node->stop;
}

done_testing();
