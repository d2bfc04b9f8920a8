# Ids of nodes that stay: uid_next() and uidext.node in many sessions, over a
# restart, the death of the postmaster, and by a clock that is set back.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time usleep);

my $sessions = 16;
my $count = $ENV{UIDEXT_LONG} ? 1_000_000 : 5_000;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init;
$node->append_conf('postgresql.conf', join "\n", 'max_connections = 40', 'autovacuum = off', q(work_mem = '256MB'),
	'log_statement = none', q(shared_preload_libraries = ''));
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

if ($node->safe_psql('postgres', 'SHOW server_version_num') < 170000)
{
	foreach (
		[ 'uid_next()', q{SELECT uid_next('snowflake', 1)} ],
		[ 'a shared uidext.node', q{SET uidext.node = server; SELECT gen_uuidv1()} ])
	{
		my ($user, $call) = @$_;
		my $stderr;

		$node->psql('postgres', $call, stderr => \$stderr, extra_params => [ '-v', 'VERBOSITY=verbose' ]);
		like($stderr, qr/ERROR:  55000: \Q$user\E has no shared memory.*HINT:  Add uidext to shared_preload_libraries/s,
			"$user is refused without shared_preload_libraries");
	}
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'uidext'");
	$node->restart;
}

sub query { return $node->safe_psql('postgres', shift) }

# Runs a statement in each of 16 sessions, so many times.
sub in_16_sessions
{
	my ($name, $statement, $times) = @_;
	my $script = PostgreSQL::Test::Utils::tempdir . '/script';

	append_to_file($script, "$statement;\n");
	$node->command_ok([ 'pgbench', '-n', '-c', $sessions, '-j', 2, '-t', $times // 1, '-f', $script,
			$node->connstr('postgres') ], $name);
	return;
}

# Whether a process lives until the end of the time that tests have.
sub stays
{
	my ($pid) = @_;
	my $end = time + $PostgreSQL::Test::Utils::timeout_default;

	usleep(20_000) while kill(0, $pid) && time < $end;
	return kill(0, $pid);
}

#
# Every 64-bit scheme: its fields, the clock, the order of a session.
#

query(q{
	CREATE FUNCTION node_of(scheme text, fields jsonb) RETURNS int LANGUAGE sql RETURN CASE split_part(scheme, ':', 1)
		WHEN 'instagram' THEN fields -> 'shard' WHEN 'pgedge' THEN fields -> 'node' WHEN 'snowflake' THEN fields -> 'node'
		WHEN 'discord' THEN to_jsonb((fields -> 'worker')::int * 32 + (fields -> 'process')::int)
		WHEN 'flakeid' THEN to_jsonb((fields -> 'datacenter')::int * 32 + (fields -> 'worker')::int)
		WHEN 'tsid' THEN to_jsonb((fields -> 'random')::int / 4096)
		ELSE fields -> 'machine' END::int;
});
foreach my $scheme (qw(snowflake discord instagram sonyflake sonyflake2 pgedge flakeid tsid))
{
	is( query(qq{
			SELECT count(DISTINCT id),
				count(*) FILTER (WHERE id <= previous),
				count(*) FILTER (WHERE uid_time(id, '$scheme') > at + interval '1 ms'),
				count(*) FILTER (WHERE uid_time(id, '$scheme') < at - interval '1 hour'),
				string_agg(DISTINCT node_of('$scheme', i.fields)::text, ' ')
			FROM (SELECT id, lag(id) OVER () AS previous, at
				FROM (SELECT uid_next('$scheme', 678) AS id, clock_timestamp() AS at FROM generate_series(1, 1000) OFFSET 0) AS ids) AS pairs,
				LATERAL (SELECT * FROM uid_inspect(id::text) WHERE scheme = '$scheme') AS i}),
		'1000|0|0|0|678', "$scheme: 1000 ids, in order, of now, of the node");
}

# A split of one's own: the sequence where its name is, else at the end.
foreach (
	[ 'instagram:shard=4,sequence=18', 15, 'id >> 18 & 15' ],
	[ 'snowflake:epoch=1700000000000,machine=8,seq=14', 255, 'id >> 14 & 255' ],
	[ 'snowflake:counter=16,host=6', 63, 'id & 63' ],
	[ 'snowflake:node=6,counter=10,host=6', 4095, '((id >> 16 & 63) << 6) | (id & 63)' ],
	[ 'snowflake:sequence=22', 0, '0' ])
{
	my ($scheme, $number, $place) = @$_;
	is( query(qq{
			SELECT count(DISTINCT id), count(*) FILTER (WHERE id <= previous), string_agg(DISTINCT ($place)::text, ' '),
				bool_and(uid_time(id, '$scheme') BETWEEN clock_timestamp() - interval '1 hour' AND clock_timestamp() + interval '1 ms')
			FROM (
				SELECT id, lag(id) OVER () AS previous
				FROM (
					SELECT uid_next('$scheme', $number) AS id FROM generate_series(1, 1000) OFFSET 0)
					AS ids) AS pairs}),
		"1000|0|$number|t", "$scheme: of node $number");
}

# Outside the times of a scheme.
foreach my $scheme ('snowflake:epoch=7258118400000', 'snowflake:epoch=0,node=21,sequence=12')
{
	my $stderr;
	$node->psql('postgres', "SELECT uid_next('$scheme', 1)", stderr => \$stderr, extra_params => [ '-v', 'VERBOSITY=verbose' ]);
	like($stderr, qr/ERROR:  22008: timestamp out of range for id scheme "snowflake"/, "$scheme has no such time");
}

#
# Sixteen sessions at once.
#

query(q{
	CREATE UNLOGGED TABLE numbers (
		id bigint PRIMARY KEY DEFAULT uid_next('snowflake:node=6,sequence=16', 5), session int, n int)});
in_16_sessions("$sessions sessions make $count bigint keys each",
	"INSERT INTO numbers (session, n) SELECT :client_id, n FROM generate_series(1, $count) AS n");
is( query(q{
		SELECT count(*), count(DISTINCT session), count(*) FILTER (WHERE id <= previous)
		FROM (SELECT id, session, lag(id) OVER (PARTITION BY session ORDER BY n) AS previous FROM numbers) AS i}),
	$sessions * $count . "|$sessions|0", 'no two are equal, those of each session increase');

# More than the layout has room for: they wait.
query(q{CREATE UNLOGGED TABLE few (id bigint PRIMARY KEY, at timestamptz)});
in_16_sessions('sessions that want more than 256 ids in 10 ms',
	q{INSERT INTO few SELECT uid_next('sonyflake', 7), clock_timestamp() FROM generate_series(1, 500)});
is(query(q{SELECT count(*), count(*) FILTER (WHERE uid_time(id, 'sonyflake') > at + interval '1 ms') FROM few}),
	$sessions * 500 . '|0', 'wait for the clock');

# One node and one clock for all v1.
query(q{CREATE UNLOGGED TABLE ids (session int, n int, id uuid, at timestamptz)});
in_16_sessions("$sessions sessions make $count v1 of one node",
	qq(
		SET uidext.node = server;
		INSERT INTO ids
		SELECT :client_id, n, gen_uuidv1(), clock_timestamp()
		FROM generate_series(1, $count) AS n));
is( query(q{
		SELECT count(*),
			count(DISTINCT uuidv1_to_v6(id)),
			count(DISTINCT substr(uuid_send(id), 9)),
			count(*) FILTER (WHERE NOT previous ~<~ id),
			count(*) FILTER (WHERE uuid_time(id) > at + interval '1 us')
		FROM (SELECT id, at, lag(id) OVER (PARTITION BY session ORDER BY n) AS previous FROM ids) AS i}),
	$sessions * $count . '|' . $sessions * $count . '|1|0|0',
	'no two are equal, all of one node and clock sequence, in SQL Server\'s order, none ahead of the clock by more than 100 ns');

# What NEWSEQUENTIALID() is for: an index by SQL Server's order only grows at its end.
query(q{
	CREATE EXTENSION pgstattuple;
	CREATE UNLOGGED TABLE sequential (id uuid);
	CREATE INDEX ON sequential (id uuid_sqlserver_ops)});
query(q{SET uidext.node = server; INSERT INTO sequential SELECT gen_uuidv1() FROM generate_series(1, 20000)}) foreach 1 .. 2;
cmp_ok(query(q{SELECT avg_leaf_density FROM pgstatindex('sequential_id_idx')}), '>', 89,
	'an index of v1 of one node, from several sessions, is 90 % full');

# Sessions in turn are in one order, of two databases, too.
$node->safe_psql('postgres', 'CREATE DATABASE other');
$node->safe_psql('other', 'CREATE EXTENSION uidext');
my @pair = map { $node->background_psql($_) } qw(postgres other);
$_->query_safe("SET uidext.node = '08:00:2b:01:02:03'") foreach @pair;
my @ids = map { $pair[ $_ % 2 ]->query_safe('SELECT gen_uuidv13()') } 1 .. 100;
is(join(' ', sort @ids), join(' ', @ids), 'two sessions in turn, of two databases');
is(join(' ', grep { !/-08002b010203$/ } @ids), '', 'have the address that is given');
my @numbers = map { $pair[ $_ % 2 ]->query_safe(q{SELECT uid_next('snowflake', 1)}) } 1 .. 100;
is(join(' ', sort { $a <=> $b } @numbers), join(' ', @numbers), 'and so have 64-bit ids');
$_->quit foreach @pair;

#
# A restart: what was made before is not made again.
#

my $one = q{SET uidext.node = server; SELECT encode(substr(uuid_send(gen_uuidv1()), 9), 'hex'), uid_next('sonyflake', 7)};
my ($old_node, $old_number) = split /\|/, query($one);
$node->restart;
my ($new_node, $new_number) = split /\|/, query($one);
isnt($new_node, $old_node, 'another node and clock sequence after a restart');
cmp_ok($new_number, '>', $old_number, 'and greater 64-bit ids');

#
# The postmaster is killed: nobody waits on.
#

my %waits = (
	'for half a day' => q{SELECT uid_next('snowflake:tick=86400000,node=42,sequence=1', 7)},
	'a bit for each id' => q{SELECT count(uid_next('sonyflake', 7)) FROM (SELECT generate_series(1, 1000000000)) AS g});
my %waiting = map { $_ => $node->background_psql('postgres', on_error_stop => 0) } keys %waits;
my %pid = map { $_ => $waiting{$_}->query_safe('SELECT pg_backend_pid()') } keys %waits;
my $event = $node->safe_psql('postgres', 'SHOW server_version_num') < 170000 ? 'Extension' : 'UidextClock';
foreach my $wait (sort keys %waits)
{
	$waiting{$wait}->query_until(qr/started\n/, "\\echo started\n$waits{$wait};\n");
	ok($node->poll_query_until('postgres', qq(
		SELECT wait_event_type = 'Extension' AND wait_event = '$event'
		FROM pg_stat_activity
		WHERE pid = $pid{$wait})),
		"a session that waits $wait says so");
}
my @others = split /\n/, $node->safe_psql('postgres', "SELECT pid FROM pg_stat_activity WHERE backend_type <> 'client backend'");
$node->kill9;
my $killed = time;
foreach my $wait (sort keys %waits)
{
	is(stays($pid{$wait}), 0, 'goes with the postmaster');
	note(sprintf("%.2f s after it", time - $killed));
}
eval { $_->quit } foreach values %waiting;
stays($_) foreach @others;
$node->start;
pass('which starts again at once');
$node->stop;

#
# The clock is set back.
#

SKIP:
{
	my ($libfaketime) = grep { -e } glob('/usr{,/local}/lib{,64}{,/*}/faketime/libfaketime.so.1');
	my $clock = PostgreSQL::Test::Utils::tempdir . '/clock';

	skip 'libfaketime is not installed', 1 unless $libfaketime;
	append_to_file($clock, "+0\n");
	{
		local %ENV = (%ENV, LD_PRELOAD => $libfaketime, FAKETIME_TIMESTAMP_FILE => $clock,
			FAKETIME_NO_CACHE => 1, FAKETIME_DISABLE_SHM => 1, DONT_FAKE_MONOTONIC => 1);
		$node->start;
	}
	# programs of the server would load libfaketime, too: its psql sets the clock
	my $set_clock = sub { return "\\! echo '$_[0]' >$clock.new && mv $clock.new $clock\n" };
	my $v1 = q{
		SELECT id, (uuid_inspect(id)).clock_seq,
			uuid_time(id) - clock_timestamp() BETWEEN '-1 minute' AND '1 ms'
		FROM (SELECT gen_uuidv1() AS id OFFSET 0) AS i};

	foreach my $kind (qw(session server))
	{
		my $session = $node->background_psql('postgres');
		$session->query_safe($set_clock->('+0') . "SET uidext.node = $kind");
		my ($before, $sequence, $now) = split /\|/, $session->query_safe($v1);
		is($now, 't', "$kind: a v1 of now");
		my ($after, $next, $still) = split /\|/, $session->query_safe($set_clock->('-30d') . $v1);
		is($still, 't', "$kind: a step back of a month: a v1 of then");
		is($next, ($sequence + 1) % 16384, "$kind: with the next clock sequence");
		my ($third, $same) = split /\|/, $session->query_safe($v1);
		is($same, $next, "$kind: which stays");
		is(substr($third, -12), substr($before, -12), "$kind: and so does the node");

		# a clock that stands still: the timestamp counts on
		is( $session->query_safe($set_clock->('2026-03-04 05:06:07.123456789')
			. 'SELECT count(DISTINCT uuidv1_to_v6(id)) FROM (SELECT gen_uuidv1() AS id FROM generate_series(1, 1000)) AS i'),
			'1000', "$kind: a clock that stands still");
		$session->quit;
	}

	# The server's clock is never ahead of ours: neither are ids, but for a tick.
	my $are_of_now = sub { return sprintf('<= to_timestamp(%.6f) + interval \'1 ms\'', time) };
	my $session = $node->background_psql('postgres');
	my $before = $session->query_safe($set_clock->('+0') . q{SELECT uid_next('snowflake', 1)});
	my $after = $session->query_safe($set_clock->('-30d')
		. q{SELECT array_agg(id) FROM (SELECT uid_next('snowflake', 1) AS id FROM generate_series(1, 3)) AS i});
	is($session->query_safe(qq(
		SELECT $before < ALL ('$after'::bigint[]),
			uid_time(('$after'::bigint[])[3], 'snowflake') ) . $are_of_now->()),
		't|t', 'uid_next() goes on from before a step back');

	# A step back at the end of each of the first session's turns.
	my $steps = "$clock.steps";
	append_to_file($steps, join("\n", qw(-0.001s +0 -0.2s -0.5s +0 -1.5s -3s -60s -3600s -1d -2s -1d)) . "\n");
	append_to_file("$clock.sh", "sed -n 1p $steps >$clock.new && sed -i 1d $steps && mv $clock.new $clock\n");
	my @schemes = (qw(snowflake discord instagram sonyflake sonyflake2 pgedge flakeid tsid),
		'sonyflake:epoch=1700000000000', 'snowflake:tick=3,node=20,sequence=3',
		'snowflake:epoch=0,tick=4,node=20,sequence=1', 'flakeid:node=6,sequence=16');
	$session->query_safe($set_clock->('+0')
		. q(
			CREATE UNLOGGED TABLE kept (
				n bigserial, session int, scheme text, id bigint, PRIMARY KEY (scheme, id))));
	in_16_sessions(
		"$sessions sessions whose clock is set back by 1 ms to a day",
		'INSERT INTO kept (session, scheme, id) SELECT :client_id, scheme, uid_next(scheme, 9) FROM unnest('
		  . q{string_to_array('} . join(' ', @schemes) . q{', ' ')) AS scheme, generate_series(1, 20);} . "\n"
		  . "\\if :client_id = 0\n\\shell sh $clock.sh\n\\endif\nSELECT 1",
		12);
	is(-s $steps, 0, 'all steps were made');
	is( $session->query_safe('
		SELECT count(*), count(*) FILTER (WHERE id <= previous),
			bool_and(uid_time(id, scheme) ' . $are_of_now->()
			  . ') FROM (SELECT *, lag(id) OVER (PARTITION BY scheme, session ORDER BY n) AS previous FROM kept) AS k'),
		$sessions * 12 * 20 * @schemes . '|0|t', 'make no id twice, each in order, none ahead of the clock');

	# A clock that is set back by two seconds catches up with an id that is always asked for ...
	my $caught_up = q{DO $$ BEGIN
		WHILE uid_time(uid_next('snowflake', 2), 'snowflake') > clock_timestamp() + interval '1.5 ms' LOOP END LOOP;
	END $$};
	$session->query_safe($set_clock->('+0') . q{SELECT uid_next('snowflake', 2)});
	ok($session->query_safe($set_clock->('-0.2s')
		. qq(
			SET statement_timeout = '${PostgreSQL::Test::Utils::timeout_default}s';\n$caught_up;\nRESET statement_timeout;
			SELECT true)),
		'ids that are made without a pause come back to a clock that was set back');

	# ... and what it was set back by is forgotten then: here by two seconds, then by 0.1 s.
	$session->query_safe($set_clock->('+0') . q{SELECT uid_next('snowflake', 3)});
	$session->query_safe($set_clock->('-2s') . q{SELECT uid_next('snowflake', 3)});
	usleep(100_000) until $session->query_safe(q{
		SELECT uid_time(uid_next('snowflake', 3), 'snowflake') <= clock_timestamp() + interval '1.5 ms'})
		eq 't';
	my $later = $session->query_safe($set_clock->('-2.1s') . q{SELECT uid_next('snowflake', 3)});
	is($session->query_safe(sprintf(q{SELECT uid_time(%s, 'snowflake') < to_timestamp(%.6f) - interval '1 s'}, $later, time)),
		't', 'a short step back does not bring back a longer one before it');

	# Whoever makes up a scheme moves no other's: an hour's unit, that begins in half a minute.
	$session->query_safe($set_clock->('+0') . q{SELECT uid_next('snowflake', 1)} . ";\n" . $set_clock->('-60s') . 'SELECT 1');
	$node->psql('postgres', q{
		SET statement_timeout = '2s';
		SELECT 'snowflake:tick=7246197,node=40,sequence=1,epoch='
			|| floor(extract(epoch FROM clock_timestamp() + '30 s') * 1000 - 7246197 / 2) AS far \gset
		SELECT count(uid_next(:'far', 1)) FROM generate_series(1, 20000)});
	my $next = $session->query_safe(q{SELECT uid_next('snowflake', 1)});
	is($session->query_safe("SELECT uid_time($next, 'snowflake') " . $are_of_now->()), 't',
		'a scheme that somebody makes up does not move another');

	# What is refused takes nothing from the counter: else the next id waits for half a day.
	my $daily = q{'snowflake:tick=86400000,node=42,sequence=1'};
	$session->query_safe($set_clock->('+1d') . "SELECT uid_next($daily, 1)");
	is($node->psql('postgres', $set_clock->('+2d') . q{SELECT uid_next('snowflake:tick=86400000,node=50,sequence=1', 1)}), 3,
		'a scheme whose times are over is refused');
	ok($session->query_safe("SET statement_timeout = '${PostgreSQL::Test::Utils::timeout_default}s'; SELECT uid_next($daily, 1)"),
		'and its counter has not moved');

	# Ids that wait take a millisecond of a clock that is a thousand times slower than
	# the machine.  Others need none: they are made while it stands still.
	my $ids_of = sub { return "SELECT count(DISTINCT (node, id)) FROM $_[0] AS ids (node, id)" };
	$session->query_safe($set_clock->('@2030-01-01 00:00:00 x0.001')
		. q{SELECT uid_next('snowflake', node) FROM generate_series(1, 5) AS node});
	my $waited = $session->query_safe("SELECT clock_timestamp() AS began \\gset\n"
		  . "SELECT extract(epoch FROM clock_timestamp() - :'began') * 1000 FROM ("
		  . $ids_of->(q{(SELECT 1, uid_next('snowflake', 1) FROM generate_series(1, 16384))}) . ') AS made (n) WHERE n = 16384');
	cmp_ok($waited, '>', 2.5, 'four times as many ids as fit in a millisecond wait for the clock');
	$session->query_safe($set_clock->('2030-01-02 00:00:00') . 'SELECT 1');
	is($session->query_safe($ids_of->(q{(
			SELECT node, uid_next('snowflake', node)
			FROM generate_series(2, 5) AS node, generate_series(1, 4096))})),
		'16384', 'each of four nodes has room for as many');
	is($session->query_safe($ids_of->(q{(
			SELECT n, uid_next((ARRAY['snowflake', 'discord', 'pgedge', 'discord:1'])[n], 6)
			FROM generate_series(1, 4) AS n, generate_series(1, 4096))})),
		'16384', 'each of four schemes, too');
	$session->quit;
	$node->stop;
}

done_testing();
