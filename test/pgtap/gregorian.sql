-- UUIDv1, UUIDv6 and Lambert's v13: do order, uniqueness, time, structure, randomness
-- and boundaries hold for very many ids?

BEGIN;
\ir include/settings.sql
SELECT no_plan();
SET LOCAL work_mem = '256MB';
\ir include/bits.sql
-- in half of all runs, so many notice a bit that is off by 1.3 %: include/bits.sql
\set ids 50000
-- in SQL each takes longer
\if :sql_edition
	\set ids 10000
\endif

-- 15 hexadecimal digits: the timestamp, 100 ns since 1582-10-15.
CREATE FUNCTION pg_temp.ticks(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE
	RETURN lpad(to_hex(122192928000000000 + (extract(epoch FROM at) * 10000000)::bigint), 15, '0');

-- How v1 (RFC 9562, 5.1) and the others (5.6) write them.
CREATE FUNCTION pg_temp.v1_text(ticks text) RETURNS text LANGUAGE sql IMMUTABLE
	RETURN substr(ticks, 8, 8) || '-' || substr(ticks, 4, 4) || '-1' || left(ticks, 3);
CREATE FUNCTION pg_temp.ordered_text(ticks text, version text) RETURNS text LANGUAGE sql IMMUTABLE
	RETURN left(ticks, 8) || '-' || substr(ticks, 9, 4) || '-' || version || right(ticks, 3);

DO $$ BEGIN PERFORM setseed(0.5); END $$;

--
-- Series of one session.
--

CREATE TEMP TABLE v1 AS SELECT n, gen_uuidv1() AS id FROM generate_series(1, :ids) AS n;
CREATE TEMP TABLE v6 AS SELECT n, gen_uuidv6() AS id FROM generate_series(1, :ids) AS n;
CREATE TEMP TABLE v13 AS SELECT n, gen_uuidv13() AS id FROM generate_series(1, :ids) AS n;

SELECT is(count(*)::int, :ids - 1, 'v1: each has a later timestamp or a greater tail than the one before')
FROM (
	SELECT key, lag(key) OVER (ORDER BY n) AS last_key
	FROM (SELECT n, substr(text, 16, 3) || substr(text, 10, 4) || left(text, 8) || substr(text, 20) COLLATE "C" AS key
		FROM (SELECT n, id::text AS text FROM v1 OFFSET 0) AS texts) AS keys
) AS s WHERE CASE WHEN :'sql_edition' THEN left(key, 15) >= left(last_key, 15) ELSE key > last_key END;
SELECT is(count(*)::int, :ids - 1, 'v1: each as v6 greater than the one before')
FROM (
	SELECT id, lag(id) OVER (ORDER BY n) AS last_id FROM (SELECT n, uuidv1_to_v6(id) AS id FROM v1) AS v6) AS s
WHERE pg_temp.is_next(id, last_id);
SELECT is(count(*)::int, :ids - 1, 'v6: each id is greater than the one before')
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last_id FROM v6) AS s WHERE pg_temp.is_next(id, last_id);
SELECT is(count(*)::int, :ids - 1, 'v13: each is greater than the one before')
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last_id FROM v13) AS s WHERE pg_temp.is_next(id, last_id);

SELECT is(count(*), 0::bigint, 'their time is the present')
FROM (SELECT id FROM v1 UNION ALL SELECT id FROM v6 UNION ALL SELECT id FROM v13) AS ids
WHERE NOT uuid_is_recent(id, '1 hour', '1 hour');
SELECT is(count(*)::int, :ids, 'version ' || version || ', variant 10 and a node with its multicast bit in each')
FROM (
	SELECT '1' AS version, n, id::text
	FROM v1
	UNION ALL SELECT '6', n, id::text FROM v6
	UNION ALL SELECT 'd', n, id::text FROM v13) AS ids
WHERE substr(id, 15, 1) = version AND substr(id, 20, 1) IN ('8', '9', 'a', 'b')
	AND substr(id, 26, 1) IN ('1', '3', '5', '7', '9', 'b', 'd', 'f')
GROUP BY version;

-- Clock sequence and node together, without the multicast bit, are a number of
-- 61 bits.  In a new tick it is new, in SQL always, within one it grows by a random
-- step.  How many ids share their 100 ns, or whether any do, is the machine's
-- affair: base/clock.pl stops the clock.
CREATE TEMP TABLE pairs AS
SELECT *, lag(tail) OVER w AS last_tail, tick > lag(tick) OVER w OR :'sql_edition' AS is_fresh
FROM (
	SELECT n, left(text, 18) AS tick, (('x' || substr(text, 20, 4) || substr(text, 25))::bit(64) & x'3ffffe0000000000')::bigint / 2
		+ (('x' || right(text, 10))::bit(40))::bigint AS tail
	FROM (SELECT n, id::text AS text FROM v6 OFFSET 0) AS texts) AS parts
WINDOW w AS (ORDER BY n);
SELECT is(count(*), 0::bigint, 'within a tick the tail grows by 1 to 2^32')
FROM pairs WHERE NOT is_fresh AND tail - last_tail NOT BETWEEN 1 AND 4294967296;
SELECT is(count(DISTINCT tail), count(*), 'tails that begin a tick do not repeat') FROM pairs WHERE is_fresh;
SELECT is(array_agg(bit || ': ' || ones || ' of ' || tails), NULL, 'each of their 61 bits is a fair coin, within 6 sigma')
FROM (
	SELECT bit, count(*) AS tails, sum(tail >> bit & 1) AS ones
	FROM pairs, generate_series(0, 60) AS bit
	WHERE is_fresh
	GROUP BY bit) AS b
WHERE abs(ones - tails / 2.0) > 6 * sqrt(tails) / 2;

-- Nothing else that is made in between disturbs a series.
CREATE TEMP TABLE mixed AS
SELECT n, gen_uuidv6() AS v6, gen_uuidv6_at('2500-01-01') AS later, gen_uuidv13() AS v13, gen_uuidv1() AS v1,
	gen_uuidv13_at('1970-01-01') AS earlier, gen_comb() AS comb, gen_uuidv6() AS v6_again,
	gen_uuidv13() AS v13_again, gen_uuidv1() AS v1_again
FROM generate_series(1, 10000) AS n;
SELECT is(count(*), 0::bigint, 'neither ids of other times nor of other families disturb the order') FROM (
	SELECT *, lag(v6_again) OVER w AS last_v6, lag(v13_again) OVER w AS last_v13,
		lag(v1_again) OVER w AS last_v1
	FROM mixed
	WINDOW w AS (ORDER BY n)) AS m
WHERE NOT pg_temp.is_next(v6_again, v6) OR NOT pg_temp.is_next(v13_again, v13) OR uuid_time(v1) > uuid_time(v1_again)
	OR NOT pg_temp.is_next(v6, last_v6) OR NOT pg_temp.is_next(v13, last_v13) OR uuid_time(v1) < uuid_time(last_v1);
SELECT ok(bool_and(uuid_is_recent(id, '1 hour', '1 hour')), 'nor the time')
FROM mixed, unnest(ARRAY[v6_again, v13_again, v1_again]) AS id;
SELECT is(count(DISTINCT id), 60000::bigint, 'and none repeats but for its version')
FROM mixed, unnest(ARRAY[v6, v13, v1, v6_again, v13_again, v1_again]) AS id;

SAVEPOINT s;
SELECT max(gen_uuidv6()::text) AS lost_id FROM generate_series(1, 1000) \gset
ROLLBACK TO s;
SELECT ok(pg_temp.is_next(gen_uuidv6(), :'lost_id'), 'the series goes on after a rollback');

--
-- Ids of given times.
--

CREATE TEMP TABLE stamped AS
SELECT at, pg_temp.ticks(at) AS ticks, gen_uuidv1_at(at) AS v1, gen_uuidv6_at(at) AS v6, gen_uuidv13_at(at) AS v13
FROM (
	SELECT '2026-01-01'::timestamptz + us * interval '1 us' FROM generate_series(0, 2000) AS us
	UNION ALL
	SELECT '1970-01-01'::timestamptz + us * interval '1 us' FROM generate_series(0, 2000) AS us
	UNION ALL
	SELECT '5236-03-31 21:21:00.684697'::timestamptz - us * interval '1 us' FROM generate_series(0, 2000) AS us
	UNION ALL
	SELECT '1970-01-01'::timestamptz + random() * interval '3200 years' FROM generate_series(1, 10000)
) AS t(at);
SELECT is(count(*), 0::bigint, 'gen_uuidv1_at() writes the timestamp as RFC 9562 says')
FROM stamped WHERE left(v1::text, 18) <> pg_temp.v1_text(ticks);
SELECT is(count(*), 0::bigint, 'gen_uuidv6_at() writes the timestamp as RFC 9562 says')
FROM stamped WHERE left(v6::text, 18) <> pg_temp.ordered_text(ticks, '6');
SELECT is(count(*), 0::bigint, 'gen_uuidv13_at() writes it in the same order')
FROM stamped WHERE left(v13::text, 18) <> pg_temp.ordered_text(ticks, 'd');
SELECT is(count(*), 0::bigint, 'uuid_time() reads the microsecond back')
FROM stamped WHERE uuid_time(v1) <> at OR uuid_time(v6) <> at OR uuid_time(v13) <> at;

-- Made elsewhere: any timestamp of 60 bits, floored to the microsecond.
CREATE TEMP TABLE others AS
SELECT lpad(to_hex(tick), 15, '0') AS ticks,
	'1582-10-15'::timestamptz + (tick / 864000000000) * interval '1 day' + (tick % 864000000000 / 10) * interval '1 us' AS at
FROM (
	SELECT trunc(random() * 2::float8 ^ 60)::bigint FROM generate_series(1, 10000)
	UNION ALL
	SELECT edge + offs
	FROM unnest(ARRAY[20, 122192928000000000, x'0ffffffffffffff0'::bigint - 20]) AS edge,
		generate_series(-20, 20) AS offs
	UNION ALL
	SELECT 1152921504606846975
) AS t(tick);
SELECT is(string_agg(others::text, E'\n'), NULL, 'uuid_time() floors 100 ns to a microsecond, from 1582 to 5236') FROM others
WHERE uuid_time((pg_temp.v1_text(ticks) || '-8000-010000000000')::uuid) <> at
	OR uuid_time((pg_temp.ordered_text(ticks, '6') || '-8000-010000000000')::uuid) <> at
	OR uuid_time((pg_temp.ordered_text(ticks, 'd') || '-bfff-ffffffffffff')::uuid) <> at;
SELECT is(max(at), '5236-03-31 21:21:00.684697', 'the last microsecond') FROM others;

SELECT throws_ok(format('SELECT %s(%L)', generator, at), '22008', NULL, format('%s(%L) is an error', generator, at))
FROM unnest(ARRAY['gen_uuidv1_at', 'gen_uuidv6_at', 'gen_uuidv13_at']) AS generator,
	unnest(
		ARRAY['1969-12-31 23:59:59.999999+00', '5236-03-31 21:21:00.684698+00', '10889-08-02 05:31:50.656+00',
			'infinity', '-infinity',
		'294276-12-31 23:59:59.999999+00', '4713-01-01 00:00:00+00 BC']) AS at;
SELECT throws_ok(format('SELECT uuidv6_boundary(%L)', at), '22008', NULL, format('uuidv6_boundary(%L) is an error', at))
FROM unnest(ARRAY['1969-12-31 23:59:59.999999+00', '5236-03-31 21:21:00.684698+00', '294276-12-31 23:59:59.999999+00']) AS at;

--
-- Boundaries: below every id of the moment and of later ones, above all that
-- are 409.6 us older.
--

SELECT is(count(*), 0::bigint, 'uuidv6_boundary() is the top 48 bits of the timestamp and 80 zero bits')
FROM stamped WHERE uuidv6_boundary(at)::text <> left(ticks, 8) || '-' || substr(ticks, 9, 4) || '-0000-0000-000000000000';
SELECT is(count(*), 0::bigint, 'below the ids of its moment')
FROM stamped
WHERE uuidv6_boundary(at) >= v6 OR uuidv6_boundary(at) >= v13;
SELECT is(count(*), 0::bigint, 'above those of 410 us before')
FROM stamped
WHERE at < '5236-03-31'
	AND (uuidv6_boundary(at + interval '410 us') <= v6 OR uuidv6_boundary(at + interval '410 us') <= v13);
SELECT is(ARRAY[uuidv6_boundary('-infinity'), uuidv6_boundary('infinity')],
	ARRAY['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']::uuid[],
	'infinities are the least and the greatest uuid');

--
-- Fields.
--

SELECT is(count(*), 0::bigint, 'uuid_inspect() reads version, time, clock sequence and node')
-- in SQL it takes long
FROM (SELECT * FROM stamped WHERE NOT :'sql_edition' OR random() < 0.1 OFFSET 0) AS stamped,
	unnest(ARRAY[v1, v6, v13], ARRAY[1, 6, 13]) AS ids(id, number), uuid_inspect(id) AS info
WHERE right(ticks, 1) = '0' AND (info.version <> number OR info.time <> at OR info.random_bits <> 61
	OR info.count_100ns <> (extract(epoch FROM at) * 10000000 + 122192928000000000)::bigint
	OR info.clock_seq <> ('x' || substr(id::text, 20, 4))::bit(16)::int % 16384
	OR info.node <> right(id::text, 12)::macaddr);

--
-- Bits.
--

SELECT pg_temp.bits_are($$gen_uuidv1_at('2022-02-22 19:22:22')$$, 'c232ab00-9414-11ec-vxxx-xmxxxxxxxxxx');
SELECT pg_temp.bits_are($$gen_uuidv6_at('2022-02-22 19:22:22')$$, '1ec9414c-232a-6b00-vxxx-xmxxxxxxxxxx');
SELECT pg_temp.bits_are($$gen_uuidv13_at('2022-02-22 19:22:22')$$, '1ec9414c-232a-db00-vxxx-xmxxxxxxxxxx');

SELECT * FROM finish();
ROLLBACK;
