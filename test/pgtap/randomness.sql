-- Fresh bits of UUIDv7 are fair coins, and fixed bits never move.
--
-- The ids are of one given time, because ids of the session's series that
-- share a tick are steps and not draws.

BEGIN;
\ir include/settings.sql
SET LOCAL work_mem = '256MB';
\set ids 50000

CREATE TEMP TABLE draws AS
SELECT n, gen_uuidv7_at('2026-01-01 00:00:00+00') AS id FROM generate_series(1, :ids) AS n;

-- How often each bit is set, bit 0 being the first that is sent: in each id,
-- and in the exclusive or of each id with the one before.  get_bit() counts
-- from the other end of each byte.
SELECT string_agg(format('sum(get_bit(bytes, %s))', bit / 8 * 8 + 7 - bit % 8), ', ' ORDER BY bit) AS sums
FROM generate_series(0, 127) AS bit \gset

CREATE TEMP TABLE counts AS
SELECT ordinality::int - 1 AS bit, ones
FROM (SELECT ARRAY[:sums] AS counts FROM (SELECT uuid_send(id) AS bytes FROM draws OFFSET 0) AS d) AS s,
	unnest(counts) WITH ORDINALITY AS u(ones);

SELECT string_agg(
	format('sum(get_bit(bytes, %s) # get_bit(last_bytes, %s))', bit / 8 * 8 + 7 - bit % 8,
			bit / 8 * 8 + 7 - bit % 8), ', '
	ORDER BY bit) AS sums
FROM generate_series(66, 127) AS bit \gset

CREATE TEMP TABLE flips AS
SELECT ordinality::int + 65 AS bit, ones
FROM (SELECT ARRAY[:sums] AS counts FROM (
		SELECT uuid_send(id) AS bytes, uuid_send(lag(id) OVER (ORDER BY n)) AS last_bytes FROM draws OFFSET 1) AS d) AS s,
	unnest(counts) WITH ORDINALITY AS u(ones);

SELECT plan(6);

SELECT is(string_agg((ones / :ids)::text, '' ORDER BY bit),
	lpad('000110011011' || '0111011011011010' || '10101000' || '00000000', 48, '0') || '0111' || '000000000000' || '10',
	'the first 66 bits are the time, version 7, the fraction and variant 10')
FROM counts WHERE bit < 66 AND ones IN (0, :ids);

SELECT is(count(*)::int, (SELECT random_bits FROM uuid_inspect(gen_uuidv7())),
	'there are as many other bits as uuid_inspect() says') FROM counts WHERE bit >= 66;
SELECT is(array_agg(bit || ': ' || ones), NULL, 'each of them is set in half of the ids, within 6 sigma')
FROM counts WHERE bit >= 66 AND abs(ones - :ids / 2) > 6 * sqrt(:ids) / 2;
SELECT is(array_agg(bit || ': ' || ones), NULL,
	'each of them changes from one id to the next in half of the cases, within 6 sigma')
FROM flips WHERE abs(ones - :ids / 2) > 6 * sqrt(:ids) / 2;

SELECT is(count(DISTINCT id)::int, :ids, 'no id repeats') FROM draws;
SELECT is(count(*)::int, 0, 'no half of a tail repeats more often than chance allows')
FROM (SELECT 1 FROM draws GROUP BY right(id::text, 8) HAVING count(*) > 5) AS repeated;

SELECT * FROM finish();
ROLLBACK;
