# A hot standby makes ids and answers time predicates as its primary does, and
# goes on as a primary.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->start;
$primary->backup('base');

my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;

$primary->safe_psql(
	'postgres', q{
	CREATE EXTENSION uidext;
	CREATE TABLE events (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), note text) PARTITION BY RANGE (id);
	CREATE TABLE events_01 PARTITION OF events FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2026-02-01'));
	CREATE TABLE events_02 PARTITION OF events FOR VALUES FROM (uuid_boundary('2026-02-01')) TO (uuid_boundary('2026-03-01'));
	CREATE TABLE events_rest PARTITION OF events DEFAULT;
	INSERT INTO events SELECT gen_uuidv7_at(at), at::text
	FROM generate_series('2026-01-01'::timestamptz, '2026-02-28 23:59', '1 minute') AS at;
	INSERT INTO events (note) VALUES ('by default');
	ANALYZE events;
});
$primary->wait_for_catchup($standby);

is($standby->safe_psql('postgres', 'SELECT pg_is_in_recovery()'), 't', 'the standby is one');

my $query = q{
	SET timezone = 'UTC';
	SELECT count(*), md5(string_agg(id::text, ',' ORDER BY id)) FROM events
	WHERE id >= '2026-01-31 12:00+00'::timestamptz AND id < '2026-02-01 12:00:30+00'::timestamptz;
	SELECT count(*) FROM events WHERE id <@ tstzrange('2026-02-10', '2026-02-10 01:00', '[]');
	SELECT note FROM events WHERE id > now() - interval '1 hour' AND id <= now();
};
my $answer = $primary->safe_psql('postgres', $query);
like($answer, qr/^1441\|\w+\n61\nby default$/, 'the primary\'s answers');
is($standby->safe_psql('postgres', $query), $answer, 'the standby gives the same');

my $plan = $standby->safe_psql(
	'postgres', q{
	SET timezone = 'UTC';
	EXPLAIN (COSTS OFF) SELECT count(*) FROM events
	WHERE id <@ tstzrange('2026-02-10 00:00+00', '2026-02-10 01:00+00')});
like($plan, qr/Index Cond: \(\(id >= '019c44d9-0800-/, 'through the index there, too');
unlike($plan, qr/events_01/, 'with other partitions left out');

is( $standby->safe_psql(
		'postgres', q{
		SELECT count(*), count(DISTINCT id), bool_and(id > previous), bool_and(uuid_time(id) <= clock_timestamp())
		FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous
			FROM (SELECT n, gen_uuidv7() AS id FROM generate_series(1, 10000) AS n) AS s) AS i}),
	'10000|10000|t|t',
	'gen_uuidv7() on the standby');
is( $standby->safe_psql(
		'postgres', q{
		SELECT uuidv7_is_valid(gen_uuidv7('1 day')), uuid_time(gen_uuidv7_at('2026-01-01')) = '2026-01-01'::timestamptz,
			(uuid_inspect(gen_uuidv7())).layout}),
	't|t|UUIDv7',
	'the other functions on the standby');

# Promotion; the session's series and the primary's ids do not meet.
my ($last) = $primary->safe_psql('postgres', q{INSERT INTO events (note) VALUES ('last of the primary') RETURNING id});
$primary->wait_for_catchup($standby);
$primary->stop;
$standby->promote;
my ($first) = $standby->safe_psql('postgres', q{INSERT INTO events (note) VALUES ('first of the standby') RETURNING id});
cmp_ok($first, 'gt', $last, 'ids go on after promotion');
is( $standby->safe_psql('postgres', q{SELECT count(*) FROM events WHERE id > now() - interval '1 hour'}),
	'3', 'and are found');

$standby->stop;
done_testing();
