-- gen_ulid() and gen_ulid_at(): order, uniqueness, time, structure.

BEGIN;
\ir include/settings.sql
SELECT plan(14);
SET LOCAL work_mem = '256MB';
\ir include/bits.sql

\set ids 200000

CREATE TEMP TABLE series AS SELECT n, gen_ulid() AS id FROM generate_series(1, :ids) AS n;
CREATE TEMP TABLE pairs AS SELECT id, lag(id) OVER (ORDER BY n) AS last FROM series;
SELECT is(count(DISTINCT id)::int, :ids, 'all ids of a series are different') FROM series;
SELECT is(count(*)::int, 0, 'each id is greater than the one before') FROM pairs WHERE id <= last;
SELECT is(count(*)::int, 0, 'and so is its text') FROM pairs WHERE id::text COLLATE "C" <= last::text;
SELECT ok(bool_and(ulid_time(id) BETWEEN now() - interval '1 hour' AND now() + interval '1 hour'), 'their time is the present') FROM series;

-- The last 6 bits are drawn for each.
SELECT is(array_agg(bit || ': ' || ones), NULL, 'the last bits are fair coins, within 6 sigma')
FROM (SELECT bit, sum(get_byte(id::bytea, 15) >> bit & 1) AS ones FROM series, generate_series(0, 5) AS bit GROUP BY bit) AS b
WHERE abs(ones - :ids / 2.0) > 6 * sqrt(:ids) / 2;

-- Of a given time: 48 bits of milliseconds, 12 of their fraction, 68 that are fair coins.
SELECT pg_temp.bits_are($$gen_ulid_at('2023-12-01 00:00+00')::uuid$$, '018c22ac-d000-000x-xxxx-xxxxxxxxxxxx', :ids);
SELECT pg_temp.bits_are($$gen_ulid_at('2023-12-01 00:00:00.000500+00')::uuid$$, '018c22ac-d000-800x-xxxx-xxxxxxxxxxxx', :ids);

-- Nothing else that is made in between disturbs the series, nor does an error or a rollback.
CREATE TEMP TABLE mixed AS
SELECT n, gen_ulid() AS a, gen_ulid_at('2500-01-01 00:00+00') AS other, gen_uuidv7() AS v7, gen_ulid() AS b FROM generate_series(1, 10000) AS n;
SELECT is(count(*)::int, 0, 'gen_ulid_at() does not disturb the order')
FROM (SELECT a, b, lag(b) OVER (ORDER BY n) AS last FROM mixed) AS m WHERE NOT (a < b AND (last < a OR last IS NULL));
SELECT throws_ok($$SELECT gen_ulid_at('10900-01-01 00:00+00')$$, '22008');
SAVEPOINT s;
SELECT max(gen_ulid()) AS lost FROM generate_series(1, 1000) \gset
ROLLBACK TO s;
SELECT ok(gen_ulid() > :'lost', 'ids of a rolled back transaction are not made again');
SELECT ok(gen_ulid() > max(id) AND ulid_time(gen_ulid()) < now() + interval '1 hour', 'the series goes on') FROM series;

-- Beside a UUIDv7.
SELECT ok(abs(extract(epoch FROM ulid_time(a) - uuid_time(v7))) < 60, 'its time is that of a UUIDv7') FROM mixed LIMIT 1;

SELECT * FROM finish();
ROLLBACK;
