# Ids when the clock is wrong: stepped back, stepped forward, and outside of
# the time that a UUID can hold.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($libfaketime) = grep { -e } glob('/usr{,/local}/lib{,64}{,/*}/faketime/libfaketime.so.1');
plan skip_all => 'libfaketime is not installed' unless $libfaketime;

# The server reads its clock's offset from this file, and can replace it.
my $clock = PostgreSQL::Test::Utils::tempdir . '/clock';
append_to_file($clock, "+0\n");

my $node = PostgreSQL::Test::Cluster->new('clock');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\n");
{
	local %ENV = (
		%ENV,
		LD_PRELOAD => $libfaketime,
		FAKETIME_TIMESTAMP_FILE => $clock,
		FAKETIME_NO_CACHE => 1,
		FAKETIME_DISABLE_SHM => 1,
		DONT_FAKE_MONOTONIC => 1);
	$node->start;
}

sub set_clock
{
	my ($offset) = @_;
	return "COPY (SELECT '$offset') TO PROGRAM 'cat >$clock.new && mv $clock.new $clock';\n";
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

# One session, whose clock goes wrong twice.
$node->safe_psql('postgres',
		set_clock('+0')
	  . "SELECT make('before', 2000);\n"
	  . set_clock('-1h')
	  . "SELECT make('an hour back', 2000);\n"
	  . set_clock('+0')
	  . "SELECT make('right again', 2000);\n"
	  . set_clock('+1h')
	  . "SELECT make('an hour ahead', 2000);\n"
	  . set_clock('+0')
	  . "SELECT make('an hour back from there', 2000);\n");

foreach my $family ('UUIDv7', 'COMB', 'iUID')
{
	is( $node->safe_psql(
			'postgres', qq{
			SELECT count(*), count(DISTINCT id), count(*) FILTER (WHERE id <= previous)
			FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM ids WHERE family = '$family') AS i}),
		'10000|10000|0',
		"$family: unique and strictly increasing whatever the clock does");

	is( $node->safe_psql(
			'postgres', qq{
			SELECT phase, distance < '1 second' FROM phases
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
		  . q{SELECT abs(extract(epoch FROM uuid_time(gen_uuidv7()) - clock_timestamp())) < 1}),
	't',
	'another session is not bound by it');

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
		  . "SELECT outcome('gen_uuidv7()'), outcome('gen_comb()'), outcome('gen_suffix_comb()'), outcome('gen_iuid(76, 1)'), outcome('gen_short_comb()');\n"
		  . "SELECT outcome('gen_uuidv7(''0'')'), outcome('gen_uuidv7_at(''2026-01-01'')');\n"
		  . set_clock('+0')
		  . "SELECT gen_uuidv7();\n");
	my ($first, $reading, $outcomes, $others, $last) = split /\n/, $ids;
  SKIP:
	{
		skip "faketime cannot set the clock $name", 4 if $reading ne 'reached';
		is($outcomes, '22008|22008|22008|22008|22008', "clock $name: generators raise 22008");
		is($others, '22008|ok', "clock $name: so does a shift, but not a given time");
		cmp_ok($last, 'gt', $first, "clock $name: the session goes on afterwards");
		is($node->safe_psql('postgres', "SELECT abs(extract(epoch FROM uuid_time('$last') - clock_timestamp())) < 10"),
			't', "clock $name: and its time is right");
	}
}

$node->stop;
done_testing();
