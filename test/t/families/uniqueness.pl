# Sixteen sessions at once make no id twice, of any family, and the ids of each
# session increase where that is promised.
#
# UIDEXT_LONG=1 makes a million ids a session and family, 16 million a family;
# it takes minutes and 3 GB of disk.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);

my $sessions = 16;
my $count = $ENV{UIDEXT_LONG} ? 1_000_000 : 10_000;

# In the order of the SQL script, each with what increases within a session.
my @families = (
	[ 'gen_uuidv7()', 'id' ],
	[ "gen_uuidv7('-1 hour')", 'id' ],
	[ 'gen_comb()', 'id' ],
	[ 'gen_suffix_comb()', undef ],
	[ 'gen_short_comb()', undef ],
	[ 'gen_short_suffix_comb()', undef ],
	[ "gen_sequence_comb('numbers')", undef ],
	[ 'gen_iuid(76, 1)', 'id' ],
	[ 'gen_uuidv1()', 'uuid_time(id)' ],
	[ 'gen_uuidv6()', 'id' ],
	[ 'gen_uuidv13()', 'id' ],
	[ 'gen_ulid()', 'id' ],
	map { [ "md5(uid_generate('$_'))::uuid", undef ] } qw(ulid ksuid objectid xid xidjs pushid cuid sid ordereduuid));

my $node = PostgreSQL::Test::Cluster->new('uniqueness');
$node->init;
$node->append_conf(
	'postgresql.conf', q{
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
	note(sprintf('%s: %d ids made in %.1f s, checked in %.1f s', $generator, $all, $made, time - $started - $made));
}

$node->stop;
done_testing();
