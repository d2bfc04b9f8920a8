-- gen_ulid() and gen_ulid_at(): do order, uniqueness, time and structure hold for very
-- many ids?

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

-- Whether an id comes after the one before it: in SQL as far as microseconds differ,
-- which the first 12 digits have.
\if :sql_edition
CREATE FUNCTION pg_temp.follows(id ulid, last ulid)
RETURNS bool
LANGUAGE sql AS 'SELECT left(id, 12) COLLATE "C" >= left(last, 12)';
\else
CREATE FUNCTION pg_temp.follows(id ulid, last ulid) RETURNS bool LANGUAGE sql AS 'SELECT id > last';
\endif

CREATE TEMP TABLE series AS SELECT n, gen_ulid() AS id FROM generate_series(1, :ids) AS n;
CREATE TEMP TABLE pairs AS SELECT id, lag(id) OVER (ORDER BY n) AS last FROM series;
SELECT is(count(DISTINCT id)::int, :ids, 'all ids of a series are different') FROM series;
SELECT is(count(*)::int, 0, 'each id is greater than the one before') FROM pairs WHERE NOT pg_temp.follows(id, last);
SELECT is(count(*)::int, 0, 'and so is its text') FROM pairs WHERE (id > last) <> (id::text COLLATE "C" > last::text);
SELECT ok(bool_and(ulid_time(id) BETWEEN now() - interval '1 hour' AND now() + interval '1 hour'),
	'their time is the present')
FROM series;

-- The last 6 bits are drawn for each.
SELECT is(array_agg(bit || ': ' || ones), NULL, 'the last bits are fair coins, within 6 sigma')
FROM (
	SELECT bit, sum(get_byte(uuid_send(ulid_to_uuid(id::text)), 15) >> bit & 1) AS ones
	FROM series, generate_series(0, 5) AS bit
	GROUP BY bit) AS b
WHERE abs(ones - :ids / 2.0) > 6 * sqrt(:ids) / 2;

-- Of a given time: 48 bits of milliseconds, 12 of their fraction, 68 that are fair
-- coins; in SQL 10 and 70, of which two are the end of what v stands for.
\set first 008
\set second 808
\if :sql_edition
	\set first 00v
	\set second 80v
\endif
SELECT pg_temp.bits_are($$ulid_to_uuid(gen_ulid_at('2023-12-01 00:00:00.000002+00')::text)$$,
	'018c22ac-d000-' || :'first' || 'x-xxxx-xxxxxxxxxxxx');
SELECT pg_temp.bits_are($$ulid_to_uuid(gen_ulid_at('2023-12-01 00:00:00.000502+00')::text)$$,
	'018c22ac-d000-' || :'second' || 'x-xxxx-xxxxxxxxxxxx');

\if :sql_edition
-- So has one of the present, whose fraction is that of the clock.
CREATE TEMP TABLE timed AS
SELECT us_before, us_after, ('x' || left(id, 15))::bit(60)::bigint >> 2 AS tick
FROM (SELECT extract(epoch FROM clock_timestamp()) * 1000000 AS us_before,
		replace(ulid_to_uuid(gen_ulid())::text, '-', '') AS id,
		extract(epoch FROM clock_timestamp()) * 1000000 AS us_after
	FROM generate_series(1, 10000) OFFSET 0) AS t;
SELECT is(count(*)::int, 0, 'gen_ulid() has the time of the clock in 48 bits of milliseconds and 10 of their fraction')
FROM timed WHERE us_before <= us_after AND tick NOT BETWEEN div(us_before * 128, 125) AND div(us_after * 128, 125);
SELECT pg_temp.bits_are('ulid_to_uuid(gen_ulid())', '........-....-...x-xxxx-xxxxxxxxxxxx');
SELECT is(array_agg(bit || ': ' || ones), NULL, 'so are the two bits before')
FROM (
	SELECT bit, sum(get_byte(uuid_send(ulid_to_uuid(id)), 7) >> bit & 1) AS ones
	FROM series, generate_series(4, 5) AS bit
	GROUP BY bit) AS b
WHERE abs(ones - :ids / 2.0) > 6 * sqrt(:ids) / 2;
\endif

-- Nothing else that is made in between disturbs the series, nor does an error or a rollback.
CREATE TEMP TABLE mixed AS
SELECT n, gen_ulid() AS a, gen_ulid_at('2500-01-01 00:00+00') AS other, gen_uuidv7() AS v7, gen_ulid() AS b
FROM generate_series(1, 10000) AS n;
SELECT is(count(*)::int, 0, 'gen_ulid_at() does not disturb the order')
FROM (SELECT a, b, lag(b) OVER (ORDER BY n) AS last FROM mixed) AS m
WHERE NOT (pg_temp.follows(b, a) AND (pg_temp.follows(a, last) OR last IS NULL));
SELECT throws_ok($$SELECT gen_ulid_at('10900-01-01 00:00+00')$$, '22008');
SAVEPOINT s;
SELECT max(gen_ulid()) AS lost FROM generate_series(1, 1000) \gset
ROLLBACK TO s;
SELECT ok(pg_temp.follows(gen_ulid(), :'lost'), 'ids of a rolled back transaction are not made again');
SELECT ok(pg_temp.follows(gen_ulid(), max(id)) AND ulid_time(gen_ulid()) < now() + interval '1 hour',
	'the series goes on')
FROM series;

-- Beside a UUIDv7.
SELECT ok(abs(extract(epoch FROM ulid_time(a) - uuid_time(v7))) < 60, 'its time is that of a UUIDv7') FROM mixed LIMIT 1;

-- As a uuid, by the bits in which other layouts have version, layout and variant.
CREATE TEMP TABLE unmarked AS
SELECT format(
	'019df547-b800-%s%s45-%s678-9abcdef01234', to_hex(version), to_hex(layout), to_hex(variant))::uuid AS id
FROM generate_series(0, 15) AS version, generate_series(0, 15) AS layout, generate_series(0, 15) AS variant;
SELECT is(ARRAY[
		count(*) FILTER (WHERE uuid_time(id) IS NULL),
		count(*) FILTER (WHERE abs(extract(epoch FROM uuid_time(id) - uuid_boundary_time(id))) > 1),
		count(*) FILTER (WHERE abs(extract(epoch FROM uuid_time(id) - uuid_boundary_time(id))) <= 1)],
	ARRAY[59 * 64, 3 * 64, 2 * 64]::bigint[], 'of 64 ULIDs uuid_time() is NULL for 59, wrong for 3 and right for 2') FROM unmarked;
SELECT is(ARRAY[count(*) FILTER (WHERE uuidv7_is_valid(id)), count(comb_time(id)), 16 * count(iuid_country(id))],
	ARRAY[64, 64, 64]::bigint[], 'one in 64 looks like a UUIDv7, one like a COMB, and one in 1,024 like an iUID') FROM unmarked;

--
-- Beside a ULID a literal is one, too: each time as text is greater than all ids.
--

\set state 22P02
\if :sql_edition
	\set state 23514
\endif
CREATE TEMP TABLE kept AS SELECT * FROM series LIMIT 1000;
CREATE UNIQUE INDEX ON kept (id);
SELECT throws_ok(format('DELETE FROM kept WHERE %s', condition), :'state', NULL, condition)
FROM unnest('{<,<=,>=,>}'::text[]) AS op,
	unnest(ARRAY[format('id %s ''2020-01-01''', op), format('''2020-01-01'' %s id', op)]) AS condition;
SELECT is(count(*)::int, 1000, 'none has gone') FROM kept;

SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;
CREATE FUNCTION pg_temp.plan(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) ' || query;
END $$;
SELECT matches(string_agg(line, ' '), 'Index Cond: .* ' || op || ' ', op || ' is answered by the index')
FROM unnest('{<,<=,>=,>}'::text[]) AS op,
	pg_temp.plan(format('SELECT FROM kept WHERE id %s (SELECT id FROM series LIMIT 1)', op)) AS line
GROUP BY op;

--
-- Readers: in SQL a ulid is a text, which nothing takes for a uuid by its bits.  What
-- the type of the C edition is taken for is in id_types.
--

\if :sql_edition
\ir include/outcome.sql
CREATE TEMP TABLE takers AS
SELECT proname,
	format('SELECT %I(%s)', proname,
	(SELECT string_agg('NULL::' || CASE type WHEN 'uuid'::regtype THEN 'ulid' ELSE format_type(type, NULL) END, ', ' ORDER BY n)
	FROM unnest(proargtypes) WITH ORDINALITY AS a(type, n))) AS call
FROM (SELECT proname, proargtypes FROM pg_proc
	WHERE pronamespace = (SELECT pronamespace FROM pg_proc WHERE oid = 'gen_ulid()'::regprocedure)
		AND 'uuid'::regtype = ANY (proargtypes)) AS p;
SELECT cmp_ok(count(*), '>', 40::bigint, 'many functions take a uuid') FROM takers;
SELECT is(array_agg(proname::text ORDER BY proname), '{max,min,uuid_inspect,uuid_is_recent,uuid_time}',
	'of them those take a ulid, too, as such')
FROM takers WHERE pg_temp.outcome(call) IS NULL OR pg_temp.outcome(call) NOT LIKE '42883: %';
\endif

SELECT * FROM finish();
ROLLBACK;
