# Which rows uuid_partition_drain() takes for rows of a time: those whose id has the
# layout that the key's DEFAULT makes, and a time that the clock has reached.  All
# others stay in the default partition, and no partition is made for them.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('drain_strangers');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION uidext;
	-- an id whose first 48 bits are those of a time, with the rest of a random one
	CREATE FUNCTION random_id_like(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS
		'SELECT (left(uuid_boundary(at)::text, 13) || substr(gen_random_uuid()::text, 14))::uuid'));

sub new_orders
{
	my ($default) = @_;

	$node->safe_psql(
		'postgres', qq(
		SET client_min_messages = error;
		DROP TABLE IF EXISTS orders;
		CREATE TABLE orders (id uuid PRIMARY KEY @{[ $default ? "DEFAULT $default" : '' ]}, what text) PARTITION BY RANGE (id);
		CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	));
	return;
}

sub drain
{
	my ($more) = @_;
	my ($status, $stdout, $stderr) = $node->psql('postgres', "CALL uuid_partition_drain('orders', '1 month'" . ($more // '') . ')');
	return $stderr;
}

sub value { return $node->safe_psql('postgres', $_[0]) }

# Whether check says that so many ids of the default partition are of no time.
sub strangers
{
	return value(q(SELECT count(*) FROM uuid_partition_check('orders', '0') WHERE severity = 1 AND message ~ '\m) . $_[0]
		. q(\M' AND message ~* 'layout|clock'));
}

# Which layouts are whose.
my %own = (
	'gen_uuidv7()' => [7],
	'gen_iuid(76, 1)' => [8],
	'gen_comb()' => [4],
	'' => [ 7, 8 ],
);
my %ids = (
	4 => 'random_id_like(at)',
	7 => 'gen_uuidv7_at(at)',
	8 => 'gen_iuid_at(at, 76, 1)',
	1 => q(overlay(gen_uuidv7_at(at)::text PLACING '1' FROM 15)::uuid),
	none => q(overlay(gen_uuidv7_at(at)::text PLACING '0' FROM 20)::uuid),
);
foreach my $default (sort keys %own)
{
	my $name = $default ? "a key whose DEFAULT is $default" : 'a key without a DEFAULT';
	my %is_own = map { $_ => 1 } @{ $own{$default} };
	my @others = grep { !$is_own{$_} } sort keys %ids;

	new_orders($default);
	# each layout in a month of its own, and in one that all share
	my $month = 0;
	foreach my $version (sort keys %ids)
	{
		$month++;
		$node->safe_psql('postgres', qq(
			INSERT INTO orders
			SELECT $ids{$version}, '$version'
			FROM (VALUES (timestamptz '2020-0$month-05 00:00+00'), ('2020-08-05 00:00+00')) t(at)));
	}
	my $said = drain();
	is(value(q(
			SELECT string_agg(what, ', ' ORDER BY what)
			FROM orders_rest
			WHERE id < uuid_boundary('2020-08-01 00:00+00'))), join(', ', @others),
		"$name: ids of other layouts stay");
	is(value(q(SELECT count(*) FROM orders_rest WHERE id >= uuid_boundary('2020-08-01 00:00+00'))), 5,
		"$name: and with them the others of such a month");
	is(value("SELECT count(*) FROM orders"), 10, "$name: no row is lost");
	is( value(qq(
		SELECT string_agg(partition::text, ' ' ORDER BY from_time)
		FROM uuid_partition_list('orders')
		WHERE kind = 'partition')),
		join(' ', map { "orders_2020_0$_" } grep { $is_own{ (sort keys %ids)[ $_ - 1 ] } } 1 .. 5),
		"$name: there is a partition for each month that has only its own layout, and for no other");
	like($said, qr/WARNING:.*2020_08.*\b@{[ scalar @others ]}\b/s, "$name: a warning says how many ids keep August from having one");
	is(strangers(2 * @others), 1, "$name: check counts the ids of other layouts");
}

# A row whose id is all zeros stands for "unknown", and was not made in 1970, or when a scheme begins.
foreach my $case (
	[ 'uuid', q('00000000-0000-0000-0000-000000000000'), q(gen_uuidv7_at('2020-01-05 00:00+00')) ],
	[ 'iuid', q('00000000-0000-0000-0000-000000000000'), q(gen_iuid_at('2020-01-05 00:00+00', 76, 1)) ],
	[ 'ulid', q('00000000000000000000000000'), q(gen_ulid_at('2020-01-05 00:00+00')) ],
	[ q(bigint CHECK (uid_is_valid(id, 'snowflake'))), '0', q(uid_boundary(timestamptz '2020-01-05 00:00+00', 'snowflake')) ])
{
	my ($type, $zero, $other) = @$case;

	$node->safe_psql('postgres', qq(
		DROP TABLE orders;
		CREATE TABLE orders (id $type PRIMARY KEY, what text) PARTITION BY RANGE (id);
		CREATE TABLE orders_rest PARTITION OF orders DEFAULT; )
		. "INSERT INTO orders VALUES ($zero, 'unknown'), ($other, 'known')");
	drain();
	is(value('SELECT what FROM orders_rest'), 'unknown', "$type: a row whose id is all zeros stays");
	is(strangers(1), 1, "$type: and check counts it");
	drain(q(, start => '-infinity'));
	is(value('SELECT what FROM orders_rest'), 'unknown', "$type: also if a caller names its time");
}

# Beyond the clock.
new_orders('gen_uuidv7()');
$node->safe_psql('postgres', q(INSERT INTO orders
	SELECT gen_uuidv7_at(now() + after), what
	FROM (VALUES (interval '-400 days', 'old'), ('-1 minute', 'just now'),
		('1 minute', 'by a clock that is a little fast'),
		('1 day', 'tomorrow'), ('3 years', 'far'), ('70 years', 'farther')) t(after, what)));
drain();
is(value(q(
		SELECT string_agg(what, ', ' ORDER BY what) FROM orders_rest WHERE what IN ('old', 'far', 'farther'))),
	'far, farther', 'ids of a time far beyond the clock stay, and old ones go');
is(strangers(3), 1, 'check counts the three ids beyond the clock, but none within five minutes of it');
is(value(q(
		SELECT count(*)
		FROM uuid_partition_list('orders')
		WHERE kind = 'partition' AND from_time > now() + interval '1 month')), 0,
	'no partition is made for them');

# Random ids: some seem old, most seem to come.
new_orders('gen_uuidv7()');
$node->safe_psql('postgres', q(
	SELECT count(*) FROM uuid_partition_create('orders', date_trunc('month', now(), 'UTC'), now(), '1 month');
	-- none of them is of a month that shall come
	INSERT INTO orders SELECT id, 'random' FROM (SELECT gen_random_uuid() FROM generate_series(1, 21000)) r(id)
		WHERE id NOT BETWEEN uuid_boundary(now() - interval '1 year') AND uuid_boundary(now() + interval '1 year') LIMIT 20000;
	INSERT INTO orders
	SELECT random_id_like(timestamptz '2016-02-01 00:00+00' + n * interval '30 days'), 'random'
	FROM generate_series(1, 40) n;
	INSERT INTO orders SELECT gen_uuidv7_at('2017-05-05 00:00+00'), 'old'));
drain();
is(value(q(SELECT count(*) FROM orders WHERE what = 'random')), 20040, 'no random id is lost');
is(value(q(SELECT count(*) FROM orders_rest WHERE what = 'random')), 20040, 'all stay in the default partition');
is(strangers(20040), 1, 'check counts them');
is(value(q(
		SELECT string_agg(action || coalesce(problem, ''), ', ')
		FROM uuid_partition_maintain('orders', '1 month', 1))), 'created', 'maintain goes on afterwards');
$node->safe_psql('postgres', q(SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', 1, '2 years')));
is(value(q(SELECT count(*) FROM orders WHERE what = 'random')), 20040, 'and keep drops none of them');

# Ids of the right layout that lie ahead in every month: what a drain makes does not let
# it go on further.
new_orders('');
$node->safe_psql('postgres', q(
	SELECT count(*) FROM uuid_partition_create('orders', date_trunc('month', now(), 'UTC'), now(), '1 month');
	INSERT INTO orders SELECT gen_uuidv7_at(now() + n * interval '25 days'), 'to come' FROM generate_series(1, 40) n));
my $last = value(q(SELECT max(to_time) FROM uuid_partition_list('orders') WHERE kind = 'partition'));
foreach my $call ('a drain', 'the next')
{
	drain();
	is(value(qq(
			SELECT count(*)
			FROM uuid_partition_list('orders')
			WHERE kind = 'partition' AND to_time > greatest(now(), '$last') + interval '1 month')), 0,
		"$call makes no partition beyond one step after the last that there was");
	is(value(q(SELECT count(*) FROM orders)), 40, "$call loses no row");
}
# nor where the caller names the time
drain(q(, stop => now() + interval '10 years'));
is(value(q(
		SELECT string_agg(DISTINCT action || coalesce(problem, ''), ', ')
		FROM uuid_partition_maintain('orders', '1 month', 1, dry_run => true)
		WHERE problem ~ '22023')), '', 'and no call refuses the table afterwards');

# What is past has no such limit.
new_orders('gen_uuidv7()');
$node->safe_psql('postgres', q(
	SELECT count(*) FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
	INSERT INTO orders
	SELECT gen_uuidv7_at(timestamptz '2020-02-05 00:00+00' + n * interval '31 days'), 'past'
	FROM generate_series(0, 5) n));
drain();
is(value(q(SELECT count(*) FROM orders_rest)), 0,
	'all months of the past are drained in one call, as the clock has reached them');

$node->stop;
done_testing();
