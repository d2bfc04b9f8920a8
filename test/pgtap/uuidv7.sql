-- gen_uuidv7() and gen_uuidv7_at(): do order, uniqueness, time and structure hold for
-- very many ids?
--
-- UIDEXT_LONG=1 in the environment makes the loops 100 times as long.

\getenv long UIDEXT_LONG
\if :{?long}
	\set ids 5000000
\else
	-- in half of all runs, so many notice a bit that is off by 1.3 %: include/bits.sql
	\set ids 50000
\endif

BEGIN;
\ir include/settings.sql
SELECT no_plan();
SET LOCAL work_mem = '256MB';
-- in SQL each takes longer
\if :sql_edition
	\set ids 10000
\endif

-- The 60 bits around the version, and the 62 behind the variant.
CREATE FUNCTION pg_temp.tick(id uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
	SELECT ('x' || left(id::text, 8) || substr(id::text, 10, 4) || substr(id::text, 16, 3))::bit(60)::bigint
$$;
CREATE FUNCTION pg_temp.tail(id uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
	SELECT ('x' || substr(id::text, 20, 4) || right(id::text, 12))::bit(64)::bigint & 4611686018427387903
$$;

--
-- A series of one session.
--

CREATE TEMP TABLE series AS SELECT n, gen_uuidv7() AS id FROM generate_series(1, :ids) AS n;

CREATE TEMP TABLE pairs AS
SELECT id, tail, lag(tail) OVER w AS last_tail, tick > lag(tick) OVER w OR :'sql_edition' AS is_fresh
FROM (SELECT n, id, pg_temp.tick(id) AS tick, pg_temp.tail(id) AS tail FROM series WHERE n <= 100000 OFFSET 0) AS s
WINDOW w AS (ORDER BY n);

SELECT is(count(DISTINCT id)::int, :ids, 'all ids of a series are different') FROM series;
SELECT is(count(*)::int, 0, 'each id is greater than the one before')
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last_id FROM series) AS s WHERE NOT pg_temp.is_next(id, last_id);
SELECT is(count(*)::int, 0, 'version 7 and variant 10 in each id') FROM series
WHERE substr(id::text, 15, 1) <> '7' OR substr(id::text, 20, 1) NOT IN ('8', '9', 'a', 'b');
SELECT is(count(*)::int, 0, 'their time is the present') FROM series WHERE NOT uuid_is_recent(id, '1 hour', '1 hour');

-- In SQL each id has a new tail.  How many ids share a tick, or whether any do, is
-- the machine's affair: base/clock.pl stops the clock.
SELECT is(count(*)::int, 0, 'within a tick the tail grows by 1 to 2^32') FROM pairs
WHERE NOT is_fresh AND tail - last_tail NOT BETWEEN 1 AND 4294967296;
SELECT is(count(DISTINCT tail), count(*), 'tails that begin a tick do not repeat') FROM pairs WHERE is_fresh;
SELECT is(array_agg(bit || ': ' || ones || ' of ' || tails), NULL, 'each of their 62 bits is a fair coin, within 6 sigma')
FROM (SELECT bit, count(*) AS tails, sum(tail >> bit & 1) AS ones
	FROM (SELECT tail FROM pairs WHERE is_fresh) AS t, generate_series(0, 61) AS bit GROUP BY bit) AS b
WHERE abs(ones - tails / 2.0) > 6 * sqrt(tails) / 2;

-- Nothing else that is made in between disturbs the series, of which an id without
-- a shift is one; not in SQL from 18 on, where only gen_uuidv7() is core's.
\set unshifted 'gen_uuidv7(interval ''0'')'
\if :sql_edition
	\set unshifted 'gen_uuidv7()'
\endif
CREATE TEMP TABLE mixed AS
SELECT n, gen_uuidv7() AS a, gen_uuidv7_at('2500-01-01') AS other, gen_uuidv7('1 year') AS shifted,
	:unshifted AS b, gen_uuidv7_at('1970-01-01') AS another, gen_uuidv7() AS c
FROM generate_series(1, 10000) AS n;
SELECT is(count(*)::int, 0, 'gen_uuidv7_at() and a shift do not disturb the order') FROM (
	SELECT a, b, c, lag(c) OVER (ORDER BY n) AS last_c FROM mixed) AS m
WHERE NOT (pg_temp.is_next(b, a) AND pg_temp.is_next(c, b) AND (pg_temp.is_next(a, last_c) OR last_c IS NULL));
SELECT ok(bool_and(uuid_is_recent(c, '1 hour', '1 hour')), 'nor the time') FROM mixed;

CREATE TEMP TABLE kept AS SELECT gen_uuidv7() AS id;
SAVEPOINT s;
CREATE TEMP TABLE lost AS SELECT max(gen_uuidv7()::text)::uuid AS id FROM generate_series(1, 1000);
SELECT id AS lost_id FROM lost \gset
ROLLBACK TO s;
SELECT ok(pg_temp.is_next(gen_uuidv7(), :'lost_id'), 'ids of a rolled back transaction are not made again');
SELECT throws_ok($$SELECT gen_uuidv7('10000 years')$$, '22008');
SELECT ok(pg_temp.is_next(gen_uuidv7(), id) AND uuid_is_recent(gen_uuidv7(), '1 hour', '1 hour'),
	'the series goes on after an error')
FROM kept;

--
-- Ids of given times.
--

CREATE FUNCTION pg_temp.expected_tick(at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
	SELECT div(us, 1000)::bigint * 4096 + div(mod(us, 1000) * 4096, 1000)::bigint
	FROM (SELECT extract(epoch FROM at) * 1000000) AS t(us)
$$;

CREATE TEMP TABLE stamped AS
SELECT at, gen_uuidv7_at(at) AS id
FROM (
	SELECT '2026-01-01'::timestamptz + us * interval '1 us' FROM generate_series(0, 1000) AS us
	UNION ALL
	SELECT '1970-01-01'::timestamptz + us * interval '1 us' FROM generate_series(0, 1000) AS us
	UNION ALL
	SELECT '10889-08-02 05:31:50.655999'::timestamptz - us * interval '1 us' FROM generate_series(0, 1000) AS us
	UNION ALL
	SELECT '1970-01-01'::timestamptz + random() * interval '8000 years' FROM generate_series(1, 10000)
) AS t(at);
SELECT is(count(*)::int, 0, 'gen_uuidv7_at() stamps the millisecond and floor(us * 4096 / 1000)') FROM stamped
WHERE pg_temp.tick(id) <> pg_temp.expected_tick(at);
SELECT is(count(*)::int, 0, 'uuid_time() reads the millisecond back') FROM stamped
WHERE uuid_time(id) <> date_trunc('milliseconds', at);
SELECT is(count(*)::int, 0, 'version 7 and variant 10 in each id') FROM stamped WHERE NOT uuidv7_is_valid(id);

SELECT throws_ok(format('SELECT gen_uuidv7_at(%L)', at), '22008', NULL, 'gen_uuidv7_at(' || at || ') is an error')
FROM (VALUES ('1969-12-31 23:59:59.999999+00'), ('10889-08-02 05:31:50.656+00'), ('infinity'), ('-infinity'),
	('294276-12-31 23:59:59.999999+00')) AS v(at);

SELECT * FROM finish();
ROLLBACK;
