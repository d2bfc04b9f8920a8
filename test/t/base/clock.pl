# Ids by a clock that the test sets: one that stands still, steps back or
# forward, and one outside of the time that a UUID can hold.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($libfaketime) = grep { -e } glob('/usr{,/local}/lib{,64}{,/*}/faketime/libfaketime.so.1');
plan skip_all => 'libfaketime is not installed' unless $libfaketime;

# The server reads its clock's offset from this file.  psql replaces it: programs
# of the server would load libfaketime, too, and sometimes fail at it.
my $clock = PostgreSQL::Test::Utils::tempdir . '/clock';
append_to_file($clock, "+0\n");

my $node = PostgreSQL::Test::Cluster->new('clock');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\n");
sub start
{
	local %ENV = (
		%ENV,
		LD_PRELOAD => $libfaketime,
		FAKETIME_TIMESTAMP_FILE => $clock,
		FAKETIME_NO_CACHE => 1,
		FAKETIME_DISABLE_SHM => 1,
		DONT_FAKE_MONOTONIC => 1);
	$node->start;
	return;
}

start();

sub set_clock
{
	my ($offset) = @_;
	return "\\! echo '$offset' >$clock.new && mv $clock.new $clock\n";
}

$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION uidext;
	CREATE TABLE ids (n int GENERATED ALWAYS AS IDENTITY, phase text, family text, id uuid, at timestamptz);

	CREATE FUNCTION make(phase text, count int) RETURNS void BEGIN ATOMIC
		INSERT INTO ids (phase, family, id, at)
		SELECT make.phase, 'UUIDv7', gen_uuidv7(), clock_timestamp() FROM generate_series(1, count);
		INSERT INTO ids (phase, family, id, at)
		SELECT make.phase, 'COMB', gen_comb(), clock_timestamp() FROM generate_series(1, count);
		INSERT INTO ids (phase, family, id, at)
		SELECT make.phase, 'iUID', gen_iuid(76, 1), clock_timestamp() FROM generate_series(1, count);
	END;

	CREATE VIEW phases AS
	SELECT family, phase, min(n) AS n, max(uuid_boundary_time(id)) AS latest,
		max(greatest(uuid_boundary_time(id) - at, at - uuid_boundary_time(id))) AS distance
	FROM ids GROUP BY family, phase;

	-- The SQLSTATE of a call.
	CREATE FUNCTION outcome(call text) RETURNS text LANGUAGE plpgsql AS $$
	BEGIN
		EXECUTE 'SELECT ' || call;
		RETURN 'ok';
	EXCEPTION WHEN OTHERS THEN
		RETURN SQLSTATE;
	END $$;
});

my $here = $node->safe_psql('postgres', 'SELECT extract(epoch FROM clock_timestamp())');
my $there = $node->safe_psql('postgres',
	set_clock('+1000d') . 'SELECT extract(epoch FROM clock_timestamp())');
cmp_ok($there - $here, '>', 999 * 86400, 'the server\'s clock can be set');

# A clock that stands still.  Each id is of the very moment, and those of a
# series are random steps apart.  A tail that is full takes the next tick: among
# 500 iUIDs, whose tails have 48 bits, once in one of 256 series, five times in
# one of 10^14; among others, of 61 bits and more, twice in one of 10^13.
$node->safe_psql(
	'postgres', q{
	CREATE SEQUENCE numbers;
	CREATE TABLE still (n int GENERATED ALWAYS AS IDENTITY, moment text, family text, id uuid);

	CREATE FUNCTION number(digits text) RETURNS bigint LANGUAGE sql RETURN ('x' || lpad(digits, 16, '0'))::bit(64)::bigint;
	CREATE FUNCTION tick(family text, id uuid) RETURNS bigint LANGUAGE sql RETURN (
		SELECT CASE family
			WHEN 'UUIDv1' THEN number(substr(t, 16, 3) || substr(t, 10, 4) || left(t, 8))
			WHEN 'iUID' THEN number(left(t, 8) || substr(t, 10, 4)) * 64 + (number(substr(t, 20, 4)) & 63)
			WHEN 'suffix COMB' THEN number(right(t, 12)) * 4096 + (number(substr(t, 20, 4)) >> 2 & 4095)
			ELSE number(left(t, 8) || substr(t, 10, 4) || substr(t, 16, 3)) END
		FROM CAST(id AS text) AS t);
	CREATE FUNCTION tail(family text, id uuid) RETURNS bigint LANGUAGE sql RETURN (
		SELECT CASE
			WHEN family = 'iUID' THEN number(substr(t, 20, 4) || right(t, 12)) & ((1::bigint << 48) - 1)
			WHEN family = 'suffix COMB' THEN
				(number(substr(t, 20, 4)) & 3) << 60 | number(substr(t, 16, 3) || substr(t, 10, 4) || left(t, 8))
			-- but for the multicast bit of the node
			WHEN family IN ('UUIDv1', 'UUIDv6', 'Lambert v13') THEN
				(number(substr(t, 20, 4) || right(t, 12)) & ((1::bigint << 62) - 1)) >> 41 << 40 | number(right(t, 10))
			ELSE number(substr(t, 20, 4) || right(t, 12)) & ((1::bigint << 62) - 1) END
		FROM CAST(id AS text) AS t);
});
my %series = (
	'UUIDv7' => 'gen_uuidv7()',
	'UUIDv7 of yesterday' => "gen_uuidv7('-1 day')",
	'COMB' => 'gen_comb()',
	'suffix COMB' => 'gen_suffix_comb()',
	'iUID' => 'gen_iuid(76, 1)',
	'UUIDv1' => 'gen_uuidv1()',
	'UUIDv6' => 'gen_uuidv6()',
	'Lambert v13' => 'gen_uuidv13()');
foreach my $ns ('000000000', '000000099', '123456789', '999999999')
{
	my $moment = "2026-03-04 05:06:07.$ns";
	my $ms = 1772600767000 + int($ns / 1_000_000);
	my %tick = (
		'UUIDv7' => $ms * 4096 + int($ns % 1_000_000 * 4096 / 1_000_000),
		'iUID' => $ms * 64 + int($ns % 1_000_000 * 64 / 1_000_000),
		'UUIDv6' => 122_192_928_000_000_000 + 1772600767 * 10_000_000 + int($ns / 100));
	$tick{COMB} = $tick{'suffix COMB'} = $tick{UUIDv7};
	$tick{'UUIDv7 of yesterday'} = $tick{UUIDv7} - 86_400_000 * 4096;
	$tick{UUIDv1} = $tick{'Lambert v13'} = $tick{UUIDv6};

	# a session for each, so that it begins at that moment
	$node->safe_psql('postgres',
		set_clock($moment) . join '', map { "\\c
			INSERT INTO still (moment, family, id)
			SELECT '$ns', '$_', $series{$_} FROM generate_series(1, 500);\n" } sort keys %series);
	is( $node->safe_psql(
			'postgres', qq{
			SELECT family,
				(array_agg(tick(family, id) ORDER BY n))[1],
				max(tick(family, id)) - min(tick(family, id)) <= CASE family WHEN 'iUID' THEN 4 ELSE 1 END
			FROM still WHERE moment = '$ns' GROUP BY family ORDER BY family COLLATE "C"}),
		join("\n", map { "$_|$tick{$_}|t" } sort keys %series),
		"$moment: ids are of that moment");
	is( $node->safe_psql(
			'postgres',
			set_clock($moment)
			  . q{SELECT extract(epoch FROM uuid_time(gen_uuidv7('-1 hour 1 us'))) * 1000,
				short_comb_block(gen_short_comb()), short_suffix_comb_block(gen_short_suffix_comb('1 s'))}) =~ s/\.0+//gr,
		join('|', $ms - 3_600_000 + ($ns % 1_000_000 >= 999_000), int(1772600767 / 60) % 65536, 1772600767 % 65536),
		"$moment: so are ids without an order");
}
$node->safe_psql(
	'postgres', q{
	CREATE VIEW steps AS
	SELECT family, tail - previous_tail AS step
	FROM (SELECT family, tick, tail, lag(tick) OVER w AS previous_tick, lag(tail) OVER w AS previous_tail
		FROM (SELECT n, family, moment, tick(family, id), tail(family, id) FROM still OFFSET 0) AS s
		WINDOW w AS (PARTITION BY family, moment ORDER BY n)) AS s
	WHERE tick = previous_tick;
});
is( $node->safe_psql('postgres', q(
	SELECT family
	FROM steps
	GROUP BY family
	HAVING min(step) >= 1 AND max(step) <= 4294967296
	ORDER BY family COLLATE "C")),
	join("\n", sort keys %series),
	'steps are 1 to 2^32');
is( $node->safe_psql(
		'postgres', q{
		SELECT family, bit, ones, steps
		FROM (
			SELECT family, bit, count(*) AS steps, sum(step - 1 >> bit & 1) AS ones
			FROM steps, generate_series(0, 31) AS bit
			GROUP BY family, bit) AS s
		WHERE abs(ones - steps / 2.0) > 6 * sqrt(steps) / 2}),
	'',
	'each of their 32 bits is a fair coin, within 6 sigma');    # of 2,000 steps: 43 to 57 in a hundred

# One session, whose clock goes wrong twice.
$node->safe_psql('postgres',
		set_clock('+0')
	  . "SELECT make('before', 500);\n"
	  . set_clock('-1h')
	  . "SELECT make('an hour back', 500);\n"
	  . set_clock('+0')
	  . "SELECT make('right again', 500);\n"
	  . set_clock('+1h')
	  . "SELECT make('an hour ahead', 500);\n"
	  . set_clock('+0')
	  . "SELECT make('an hour back from there', 500);\n");

foreach my $family ('UUIDv7', 'COMB', 'iUID')
{
	is( $node->safe_psql(
			'postgres', qq{
			SELECT count(*), count(DISTINCT id), count(*) FILTER (WHERE id <= previous)
			FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM ids WHERE family = '$family') AS i}),
		'2500|2500|0',
		"$family: unique and strictly increasing whatever the clock does");

	is( $node->safe_psql(
			'postgres', qq{
			SELECT phase, distance < '1 minute' FROM phases
			WHERE family = '$family' AND phase IN ('before', 'right again', 'an hour ahead')
			ORDER BY n}),
		"before|t\nright again|t\nan hour ahead|t",
		"$family: time follows the clock while it goes forward");

	is( $node->safe_psql(
			'postgres', qq{
			SELECT back.phase, back.latest - stop.latest <= '1 ms'
			FROM phases AS back JOIN phases AS stop USING (family)
			WHERE family = '$family'
				AND (back.phase, stop.phase) IN (('an hour back', 'before'), ('an hour back from there', 'an hour ahead'))
			ORDER BY back.n}),
		"an hour back|t\nan hour back from there|t",
		"$family: time stands still while the clock is behind");
}

is( $node->safe_psql(
		'postgres',
		set_clock('-1h')
		  . q{SELECT abs(extract(epoch FROM uuid_time(gen_uuidv7()) - clock_timestamp())) < 60}),
	't',
	'another session is not bound by it');

# A node whose clock is set back by less than a second counts on, without a wait.
is( $node->safe_psql(
		'postgres',
		set_clock('2026-03-04 05:06:07')
		  . q{SET uidext.node = 'session';
		SELECT uuid_time(gen_uuidv6()) AS before \gset
		} . set_clock('2026-03-04 05:06:06.1')
	. q{
		SELECT uuid_time(max(id)) - :'before'
		FROM (SELECT gen_uuidv6() AS id FROM generate_series(1, 50)) AS ids}),
	'00:00:00.000005',
	'ids of a node whose clock is set back for less than a second count on');

# Several sessions while the clock goes a year ahead and back, stands still, and
# stands still at the same moment again.  New sessions come in every phase.
$node->safe_psql(
	'postgres', set_clock('+0') . q{
	CREATE TABLE made (n int GENERATED ALWAYS AS IDENTITY, session int, phase int, family text, id uuid, at timestamptz);
	CREATE FUNCTION make_all(session int, phase int) RETURNS void LANGUAGE plpgsql AS $$
	DECLARE
		generator text;
	BEGIN
		FOREACH generator IN ARRAY ARRAY['gen_uuidv7()', 'gen_uuidv7(''1 hour'')', 'gen_comb()',
			'gen_iuid(76, 1)', 'gen_uuidv6()', 'gen_uuidv13()',
			'gen_uuidv1()', 'gen_suffix_comb()', 'gen_short_comb()', 'gen_short_suffix_comb()',
			'gen_sequence_comb(''numbers'')', 'gen_ulid()']
		LOOP
			EXECUTE format('
					INSERT INTO made (session, phase, family, id, at)
					SELECT $1, $2, $3, %s, clock_timestamp()
					FROM generate_series(1, 50)', generator)
				USING session, phase, generator;
		END LOOP;
	END $$;
});
my @sessions = map { $node->background_psql('postgres') } 1 .. 4;
my @phases = ('+0', '+366d', '+0', '-1d', '2026-03-04 05:06:07', '2027-03-04 05:06:07', '2026-03-04 05:06:07', '+0');
foreach my $phase (0 .. $#phases)
{
	$node->safe_psql('postgres', set_clock($phases[$phase]));
	$sessions[ $_ - 1 ]->query_safe("SELECT make_all($_, $phase)") foreach 1 .. 4;
	$node->safe_psql('postgres', "SELECT make_all(1${phase}$_, $phase)") foreach 1 .. 2;
}
$_->quit foreach @sessions;

my $made = 50 * (4 + 2) * @phases;
is( $node->safe_psql('postgres', 'SELECT family FROM made GROUP BY family HAVING count(DISTINCT id) <> ' . $made),
	'', 'several sessions, several jumps: no id twice');
is($node->safe_psql('postgres', 'SELECT count(DISTINCT family) FROM made'), '12', 'of any family');
is( $node->safe_psql(
		'postgres', q{
		SELECT count(*), count(*) FILTER (WHERE id <= previous)
		FROM (SELECT id, lag(id) OVER (PARTITION BY family, session ORDER BY n) AS previous FROM made
			WHERE family IN ('gen_uuidv7()', 'gen_uuidv7(''1 hour'')', 'gen_comb()', 'gen_iuid(76, 1)',
				'gen_uuidv6()', 'gen_uuidv13()', 'gen_ulid()')) AS i}),
	7 * $made . '|0',
	'the ids of each session increase');
is( $node->safe_psql(
		'postgres', q{
		SELECT count(*) FROM (
			SELECT uuid_time(id) AS time, lag(uuid_time(id)) OVER (PARTITION BY session ORDER BY n) AS previous
			FROM made
			WHERE family = 'gen_uuidv1()') AS i
		WHERE time < previous}),
	'0',
	'the time of UUIDv1 never steps back');

# A year ahead and back: who saw the future stays there.
my $distance = q{SELECT bool_and(abs(extract(epoch FROM coalesce(uuid_time(id), comb_time(id)) - at)) < 60) FROM made
	WHERE family IN ('gen_uuidv7()', 'gen_comb()', 'gen_iuid(76, 1)', 'gen_uuidv1()', 'gen_uuidv6()', 'gen_uuidv13()') AND};
is($node->safe_psql('postgres', "$distance phase IN (0, 1)"), 't', 'time follows the clock a year ahead');
is($node->safe_psql('postgres', "$distance session > 4"), 't', 'new sessions follow it everywhere');
is( $node->safe_psql(
		'postgres', q{
		WITH times AS (SELECT phase, session, family, coalesce(uuid_time(id), comb_time(id)) AS time FROM made
			WHERE session <= 4
				AND family IN ('gen_uuidv7()', 'gen_comb()', 'gen_iuid(76, 1)', 'gen_uuidv1()', 'gen_uuidv6()',
					'gen_uuidv13()'))
		SELECT bool_and(stayed.time BETWEEN ahead.first AND ahead.last + '2 ms')
		FROM (SELECT session, min(time) AS first, max(time) AS last FROM times WHERE phase = 1 GROUP BY session) AS ahead
			JOIN (SELECT * FROM times WHERE phase IN (2, 3)) AS stayed USING (session)}),
	't',
	'sessions that were there keep its time until the clock has passed it');
is( $node->safe_psql(
		'postgres', q{
		SELECT count(*), count(*) FILTER (WHERE id ~<=~ previous)
		FROM (
			SELECT id, lag(id) OVER (PARTITION BY session ORDER BY n) AS previous
			FROM made
			WHERE family = 'gen_suffix_comb()') AS i}),
	"$made|0",
	'SQL Server sorts the suffix COMBs of each session in the order in which they were made');
is( $node->safe_psql(
		'postgres', q{
		SELECT bool_and(abs(extract(epoch FROM short_comb_time(id, at) - at)) < 120) FROM made WHERE family = 'gen_short_comb()'}),
	't',
	'families without an order follow the clock at once');

# Clocks that no id can hold.  The session lives on, and so does the order.
foreach my $wrong (
	[ 'before 1970', '@1969-07-20 20:17:40', 'clock_timestamp() < \'1970-01-01\'' ],
	[ 'beyond 10889', '+9000y', 'clock_timestamp() > \'10890-01-01\'' ])
{
	my ($name, $offset, $reached) = @$wrong;
	my $ids = $node->safe_psql(
		'postgres',
		set_clock('+0')
		  . "SELECT gen_uuidv7();\n"
		  . set_clock($offset)
		  . "SELECT CASE WHEN $reached THEN 'reached' ELSE 'not reached' END;\n"
		. qq(
			SELECT outcome('gen_uuidv7()'), outcome('gen_comb()'), outcome('gen_suffix_comb()'),
				outcome('gen_iuid(76, 1)'), outcome('gen_short_comb()');\n)
		  . "SELECT outcome('gen_uuidv1()'), outcome('gen_uuidv6()'), outcome('gen_uuidv13()');\n"
		  . "SELECT outcome('gen_uuidv7(''0'')'), outcome('gen_uuidv7_at(''2026-01-01'')'), outcome('uid_generate(''ulid'')');\n"
		  . set_clock('+0')
		  . "SELECT gen_uuidv7();\n");
	my ($first, $reading, $outcomes, $gregorian, $others, $last) = split /\n/, $ids;
  SKIP:
	{
		skip "faketime cannot set the clock $name", 5 if $reading ne 'reached';
		is($outcomes, '22008|22008|22008|22008|22008', "clock $name: generators raise 22008");
		is($gregorian, '22008|22008|22008', "clock $name: also those whose count begins in 1582");
		is($others, '22008|ok|22008', "clock $name: so do a shift and an id of another scheme, but not a given time");
		cmp_ok($last, 'gt', $first, "clock $name: the session goes on afterwards");
		is($node->safe_psql('postgres', "SELECT abs(extract(epoch FROM uuid_time('$last') - clock_timestamp())) < 60"),
			't', "clock $name: and its time is right");
	}
}

# A clock so slow that ids are asked for faster than it goes: a node waits for it.
# The server's clock stays slow.
is( $node->safe_psql(
		'postgres',
		set_clock('+0 x0.001')
		  . q{SET uidext.node = 'session';
		SELECT max(uid_time(uid_generate('lexicaluuid'), 'lexicaluuid')) - clock_timestamp() <= '2 us' FROM generate_series(1, 500)}),
	't',
	'ids of a node are not ahead of a slow clock, however fast they are made');

# A server that starts when uid_next() can make no ids any more.  Only uid_next() minds.
$node->stop;
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'uidext'");
append_to_file("$clock.new", "+600y\n");
rename "$clock.new", $clock or die "rename: $!";
start();
SKIP:
{
	skip 'faketime cannot set the clock to after 2527', 2 if $node->safe_psql('postgres', 'SELECT now() < \'2527-06-23\'') eq 't';
	is($node->safe_psql('postgres', q{SET uidext.node = 'server';
			SELECT outcome('gen_ordered_uuidv7()'), outcome('gen_uuidv6()'), outcome('gen_uuidv7()')}),
		'ok|ok|ok', 'after 2527 a server starts, and its sessions share nodes and an order');
	like(($node->psql('postgres', q{SELECT uid_next('snowflake:epoch=16000000000000', 1)}))[2],
		qr/ERROR:  the time of the clock is out of range for uid_next\(\)/, 'uid_next() says whose limit it is');
}

$node->stop;
done_testing();
