# gen_ordered_uuidv7(): one order for all sessions of a server, its end at a
# restart, and where it needs shared_preload_libraries.
#
# UIDEXT_LONG=1 makes a million ids in each of 16 sessions.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Crashes;

my $sessions = 16;
my $count = $ENV{UIDEXT_LONG} ? 1_000_000 : 20_000;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', "max_connections = 40\nwork_mem = '256MB'\nlog_statement = none\nrestart_after_crash = on");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

my $preload = $node->safe_psql('postgres', 'SHOW server_version_num') < 170000;
if ($preload)
{
	my ($stdout, $stderr);

	$node->psql('postgres', 'SELECT gen_ordered_uuidv7()', stdout => \$stdout, stderr => \$stderr,
		extra_params => [ '-v', 'VERBOSITY=verbose' ]);
	like($stderr, qr/ERROR:  55000: .*HINT:  Add uidext to shared_preload_libraries/s, 'refused without shared_preload_libraries');
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'uidext'");
	$node->restart;
}

sub id { return $_[0]->safe_psql($_[1] // 'postgres', 'SELECT gen_ordered_uuidv7()') }

# A session that asks begins after the one before has its answer.
sub increase
{
	my ($name, @ids) = @_;

	is(join(' ', sort @ids), join(' ', @ids), $name);
}

$node->safe_psql('postgres', 'CREATE DATABASE other');
$node->safe_psql('other', 'CREATE EXTENSION uidext');
my @pair = map { $node->background_psql($_) } qw(postgres other);
increase('two sessions in turn, of two databases', map { $pair[ $_ % 2 ]->query_safe('SELECT gen_ordered_uuidv7()') } 1 .. 200);
$_->quit foreach @pair;

# What it is: a UUIDv7 of the present.
is( $node->safe_psql('postgres', q{
		SELECT id, now FROM (SELECT gen_ordered_uuidv7() AS id, clock_timestamp() AS now) AS i
		WHERE NOT uuidv7_is_valid(id) OR uuid_time(id) < now - interval '1 minute' OR uuid_time(id) > now + interval '1 minute'}),
	'', 'a UUIDv7 of the present');

# Its 60 bits of time are ms and 1/4096 ms.
is( $node->safe_psql('postgres', q{
		CREATE FUNCTION made_between(OUT before timestamptz, OUT id uuid, OUT after timestamptz) VOLATILE LANGUAGE plpgsql AS
			'BEGIN before := clock_timestamp(); id := gen_ordered_uuidv7(); after := clock_timestamp(); END';
		SELECT before, id, after
		FROM generate_series(1, 1000), made_between(),
			LATERAL (SELECT (get_byte(uuid_send(id), 6) & 15) * 256 + get_byte(uuid_send(id), 7)) AS fraction(of_ms),
			LATERAL (SELECT date_trunc('milliseconds', uuid_time(id)) + of_ms / 4096.0 * interval '1 ms') AS made(at)
		WHERE at NOT BETWEEN before - interval '1 us' AND after + interval '1 us' LIMIT 1}),
	'', 'its time is the clock\'s, to the microsecond');

#
# Sixteen sessions at once.
#

$node->safe_psql('postgres', 'CREATE UNLOGGED TABLE ids (session int, n int, id uuid)');
my $script = PostgreSQL::Test::Utils::tempdir . '/script';
append_to_file($script, "INSERT INTO ids SELECT :client_id, n, gen_ordered_uuidv7() FROM generate_series(1, $count) AS n;\n");
$node->command_ok([ 'pgbench', '-n', '-c', $sessions, '-j', 2, '-t', 1, '-f', $script, $node->connstr('postgres') ],
	"$sessions sessions make $count ids each");
my $all = $sessions * $count;
is($node->safe_psql('postgres', qq(
	SELECT count(DISTINCT session), count(*), count(DISTINCT ('x' || replace(id::text, '-', ''))::bit(70))
	FROM ids)),
	"$sessions|$all|$all", 'no two have the same count of time');
is( $node->safe_psql('postgres', q{
		SELECT count(*)
		FROM (SELECT id, lag(id) OVER (PARTITION BY session ORDER BY n) AS previous FROM ids) AS i
		WHERE id <= previous}),
	0, 'those of each session increase');

#
# What ends the order: only what takes the shared memory with it.
#

my $before = id($node);
$node->restart;
increase('on after a restart, as the clock goes on', $before, id($node));

$before = id($node);
my $victim = $node->background_psql('postgres');
my $pid = $victim->query_safe('SELECT pg_backend_pid()');
kill 'KILL', $pid;
comes_back($node, $pid);
eval { $victim->quit };
increase('and after the crash of a session', $before, id($node));

# A standby counts for itself, and goes on when it is promoted.
$node->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->start;
my @ids = (id($standby), id($standby));
$standby->promote;
$standby->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()') or die 'no promotion';
increase('on a standby, across its promotion', @ids, id($standby));
$standby->stop;
$node->stop;

#
# The clock steps back: the counter counts on.
#

SKIP:
{
	my ($libfaketime) = grep { -e } glob('/usr{,/local}/lib{,64}{,/*}/faketime/libfaketime.so.1');
	my $clock = PostgreSQL::Test::Utils::tempdir . '/clock';

	skip 'libfaketime is not installed', 3 unless $libfaketime;
	my $start = sub {
		local %ENV = (%ENV, LD_PRELOAD => $libfaketime, FAKETIME_TIMESTAMP_FILE => $clock,
			FAKETIME_NO_CACHE => 1, FAKETIME_DISABLE_SHM => 1, DONT_FAKE_MONOTONIC => 1);
		$node->start;
	};
	# programs of the server would load libfaketime, too: its psql sets the clock
	my $set_clock = sub { return "\\! echo '$_[0]' >$clock.new && mv $clock.new $clock\n" };

	append_to_file($clock, "+0\n");
	$start->();
	my $session = $node->background_psql('postgres');
	my $present = $session->query_safe('SELECT gen_ordered_uuidv7()');
	$session->query_safe($set_clock->('-30d') . 'SELECT 1');
	my $after = $session->query_safe('SELECT gen_ordered_uuidv7()');
	increase('a step back of a month', $present, $after, id($node));
	is($node->safe_psql('postgres', "SELECT uuid_time('$after') - uuid_time('$present') < '1 ms'"), 't', 'keeps the time of before');
	$session->quit;
	$node->stop;
	$start->();
	cmp_ok(id($node), 'lt', $present, 'until a restart, after which the clock counts');
	$node->stop;
}

done_testing();
