-- iUIDs: do structure, order and randomness hold over the whole space of fields?

BEGIN;
\ir include/settings.sql
SELECT no_plan();
SET LOCAL work_mem = '256MB';
-- each country and entity twice; in the SQL edition a sample of them
\set ids 140000
-- in SQL each takes longer
\if :sql_edition
	\set ids 10000
\endif

-- Fields as the layout says, from the text alone.
CREATE FUNCTION pg_temp.country(id uuid) RETURNS int LANGUAGE sql IMMUTABLE AS $$
	SELECT ('x' || substr(id::text, 17, 2))::bit(8)::int
$$;
CREATE FUNCTION pg_temp.entity(id uuid) RETURNS int LANGUAGE sql IMMUTABLE AS $$
	SELECT ('x' || substr(id::text, 20, 4))::bit(16)::int >> 6 & 255
$$;
CREATE FUNCTION pg_temp.tail(id uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
	SELECT ('x' || substr(id::text, 20, 4) || right(id::text, 12))::bit(64)::bigint & 18014398509481983
$$;

--
-- All 256 countries times 256 entities.
--

CREATE TEMP TABLE fields AS
SELECT country, entity, gen_iuid(country, entity) AS made, gen_iuid_at('2023-12-01', country, entity) AS made_at
FROM generate_series(0, 255) AS country, generate_series(0, 255) AS entity;

SELECT is(count(*)::int, 65536, 'an iUID for each country and entity') FROM fields;
SELECT is(count(*)::int, 0, 'gen_iuid(): both fields round trip')
FROM fields WHERE (iuid_country(made), iuid_service_entity(made)) IS DISTINCT FROM (country, entity);
SELECT is(count(*)::int, 0, 'gen_iuid_at(): both fields round trip')
FROM fields WHERE (iuid_country(made_at), iuid_service_entity(made_at)) IS DISTINCT FROM (country, entity);
SELECT is(count(*)::int, 0, 'the fields are where the layout puts them')
FROM fields WHERE (pg_temp.country(made), pg_temp.entity(made), pg_temp.country(made_at), pg_temp.entity(made_at))
	<> (country, entity, country, entity);
SELECT is(count(*)::int, 0, 'version 8, layout version 0 and variant 10')
FROM fields, unnest(ARRAY[made, made_at]) AS id
WHERE substr(id::text, 15, 2) <> '80' OR substr(id::text, 20, 1) NOT IN ('8', '9', 'a', 'b')
	OR NOT iuid_is_valid(id) OR iuid_version(id) IS DISTINCT FROM 0;
SELECT is(count(*)::int, 0, 'the 48 bits of time are the millisecond given')
FROM fields WHERE left(made_at::text, 13) <> '018c22ac-d000' OR uuid_time(made_at) IS DISTINCT FROM '2023-12-01';
SELECT is(
	count(made::uuid::iuid)::int + count(made_at::uuid::iuid)::int, 131072, 'the cast from uuid takes them all')
FROM fields;

-- From here on one in sixteen, in which each country and each entity occurs.
DELETE FROM fields WHERE entity % 16 <> country % 16;
SELECT is(count(*)::int, 0, 'uuid_inspect() tells the same')
FROM fields AS f, uuid_inspect(made) AS i
WHERE (i.layout, i.country, i.service_entity) IS DISTINCT FROM ('iUID', f.country, f.entity);
SELECT is(count(*)::int, 0, 'iuid_describe() tells the same')
FROM fields AS f, iuid_describe(made) AS d
WHERE (d.country, d.service_entity) IS DISTINCT FROM (f.country, f.entity) OR d."time" <> uuid_time(made);
SELECT is(count(*)::int, 0, 'no bit of the layout version but 0 makes an iUID')
FROM fields, LATERAL (SELECT overlay(made::text PLACING to_hex(1 + country % 15) FROM 16 FOR 1)::uuid AS id) AS other
WHERE iuid_is_valid(id)
	OR iuid_country(id) IS NOT NULL
	OR iuid_service_entity(id) IS NOT NULL
	OR iuid_version(id) IS DISTINCT FROM 1 + country % 15
	OR uuid_time(id) IS DISTINCT FROM uuid_time(made)
		OR (uuid_inspect(id)).layout IS DISTINCT FROM 'iUID, layout ' || 1 + country % 15;

--
-- One country and entity, while all others are made in between.
--

CREATE TEMP TABLE series AS
SELECT n, gen_iuid(76, 7) AS id, gen_iuid(n & 255, n >> 8 & 255) AS other FROM generate_series(1, :ids) AS n;

SELECT is(count(*)::int, 0, 'each iUID of a country and entity is greater than the one before')
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last_id FROM series) AS s WHERE NOT pg_temp.is_next(id, last_id);
SELECT is(count(*)::int, 0, 'that holds for every country and entity of 65,536')
FROM (SELECT other, lag(other) OVER (PARTITION BY n & 65535 ORDER BY n) AS last FROM series) AS s
WHERE NOT pg_temp.is_next(other, last);
SELECT is(count(DISTINCT id)::int, 2 * :ids, 'no iUID repeats, whatever its country and entity')
FROM (SELECT id FROM series UNION ALL SELECT other FROM series) AS made;
SELECT is(count(*)::int, 0, 'the fields are those asked for, one after another') FROM series
WHERE (iuid_country(id), iuid_service_entity(id), iuid_country(other),
	iuid_service_entity(other)) IS DISTINCT FROM (76, 7, n & 255, n >> 8 & 255);
SELECT is(count(*)::int, 0, 'time never steps back')
FROM (SELECT id, other, lag(other) OVER (ORDER BY n) AS last FROM series) AS s
WHERE uuid_time(other) < uuid_time(id) OR uuid_time(id) < uuid_time(last);
SELECT is(count(*)::int, 0, 'the time is the present') FROM series
WHERE NOT uuid_is_recent(id, '1 hour', '1 hour') OR NOT uuid_is_recent(other, '1 hour', '1 hour');

\if :sql_edition
-- A tick is a microsecond, and the tail 10 bits of these, 4 of zero and 40 random ones.
SELECT is(count(*)::int, 0, 'the 4 bits between the time and what is random are zero') FROM series
WHERE pg_temp.tail(id) >> 40 & 15 <> 0 OR pg_temp.tail(other) >> 40 & 15 <> 0;
SELECT is(array_agg(bit || ': ' || ones), NULL, 'each of the last 40 bits is a fair coin, within 6 sigma')
FROM (SELECT bit, sum(pg_temp.tail(other) >> bit & 1) AS ones
	FROM series, generate_series(0, 39) AS bit GROUP BY bit) AS b
WHERE abs(ones - :ids / 2) > 6 * sqrt(:ids) / 2;
\else
-- Within a tick, 1/64 ms, the tail counts on by a random step, in the next one
-- it is drawn afresh.  How many ids share a tick is the machine's affair:
-- base/clock.pl stops the clock.
CREATE FUNCTION pg_temp.fraction(id uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
	SELECT pg_temp.tail(id) >> 48
$$;
CREATE TEMP TABLE pairs AS
SELECT id, other,
	(left(id::text, 13), pg_temp.fraction(id)) = (left(other::text, 13), pg_temp.fraction(other)) AS same_tick
FROM series;
SELECT is(count(*)::int, 0, 'within a tick the tail grows by 1 to 2^32')
FROM pairs WHERE same_tick AND pg_temp.tail(other) - pg_temp.tail(id) NOT BETWEEN 1 AND 4294967296;
SELECT is(array_agg(bit || ': ' || ones || ' of ' || tails), NULL,
	'each of the last 48 bits of a new tick is a fair coin, within 6 sigma')
FROM (SELECT bit, count(*) AS tails, sum(pg_temp.tail(other) >> bit & 1) AS ones
	FROM (SELECT other FROM pairs WHERE NOT same_tick) AS fresh, generate_series(0, 47) AS bit GROUP BY bit) AS b
WHERE abs(ones - tails / 2.0) > 6 * sqrt(tails) / 2;
\endif

-- The forms of gen_iuid() are one series, and gen_iuid_at() is none of it.
SELECT iuid_load_iso_3166() AS countries \gset
SELECT is(:countries, 249, 'countries by name');
INSERT INTO iuid.service_entities VALUES (7, 'Trip');
SET LOCAL uidext.country = 76;
CREATE TEMP TABLE forms AS
SELECT n, ARRAY[gen_iuid(76, 7), gen_iuid(7), gen_iuid('BR', 'Trip'), gen_iuid('Trip'), gen_iuid('Brazil', 'Trip')] AS ids,
	gen_iuid_at('10889-08-01', 76, 7) AS future FROM generate_series(1, :ids / 10) AS n;
SELECT is(count(*)::int, 0, 'iUIDs by id, by name and by the setting increase together')
FROM (SELECT id, lag(id) OVER (ORDER BY n, place) AS last_id FROM forms, unnest(ids) WITH ORDINALITY AS i(id, place)) AS f
	WHERE NOT pg_temp.is_next(id, last_id);
SELECT is(count(*)::int, 0, 'each has country 76 and entity 7')
FROM forms, unnest(ids) AS id WHERE (pg_temp.country(id), pg_temp.entity(id)) <> (76, 7);
SELECT ok(uuid_is_recent(gen_iuid(76, 7), '1 hour', '1 hour'), 'those of a future time leave the series where it is');

-- Nor does anything that rolls back turn it back.
CREATE FUNCTION pg_temp.rolled_back() RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
	last uuid;
BEGIN
	last := gen_iuid(76, 7);
	RAISE 'never mind';
EXCEPTION WHEN raise_exception THEN
	RETURN last;
END $$;
SELECT is(count(*)::int, 0, 'the series goes on after a rollback')
FROM (SELECT pg_temp.rolled_back() AS earlier, gen_iuid(76, 7) AS later FROM generate_series(1, 1000)) AS r
WHERE NOT pg_temp.is_next(later, earlier);
SELECT throws_ok('SELECT gen_iuid(76, 256)', '22003');
SELECT ok(pg_temp.is_next(gen_iuid(76, 7), id), 'and after an error') FROM series ORDER BY n DESC LIMIT 1;

--
-- Bits of iUIDs of one time.
--

CREATE TEMP TABLE draws AS
SELECT n, gen_iuid_at('2026-01-01', 165, 90) AS id FROM generate_series(1, :ids) AS n;

-- How often each bit is set, bit 0 being the first that is sent.  get_bit()
-- counts from the other end of each byte.
SELECT string_agg(format('sum(get_bit(bytes, %s))', bit / 8 * 8 + 7 - bit % 8), ', ' ORDER BY bit) AS sums
FROM generate_series(0, 127) AS bit \gset
CREATE TEMP TABLE counts AS
SELECT ordinality::int - 1 AS bit, ones
FROM (SELECT ARRAY[:sums] AS counts FROM (SELECT uuid_send(id) AS bytes FROM draws OFFSET 0) AS d) AS s,
	unnest(counts) WITH ORDINALITY AS u(ones);

SELECT is(string_agg((ones / :ids)::text, '' ORDER BY bit),
	lpad('000110011011' || '0111011011011010' || '10101000' || '00000000', 48, '0')
		|| '1000'
		|| '0000'
		|| '10100101'
		|| '10'
		|| '01011010',
	'74 bits are the time, version 8, layout version 0, the country, variant 10 and the entity, in every iUID')
FROM counts WHERE bit < 74 AND ones IN (0, :ids);
SELECT is(count(*)::int, 54, '54 bits are left') FROM counts WHERE bit >= 74;
SELECT is(array_agg(bit || ': ' || ones), NULL, 'each of them is set in half of the iUIDs, within 6 sigma')
FROM counts WHERE bit >= 74 AND abs(ones - :ids / 2) > 6 * sqrt(:ids) / 2;
-- of more, two may be equal by chance
SELECT is(count(DISTINCT id)::int, 6000, 'no iUID of one millisecond, country and entity repeats') FROM draws WHERE n <= 6000;
SELECT is(count(*)::int, 0, 'no 32 bits of a tail repeat more often than chance allows')
FROM (SELECT 1 FROM draws GROUP BY right(id::text, 8) HAVING count(*) > 5) AS repeated;
SELECT cmp_ok(abs(count(*) FILTER (WHERE id > last_id) - :ids / 2), '<', 6 * sqrt(:ids / 12.0)::bigint,
	'their order is none: as many go up as down')
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last_id FROM draws) AS d;
SELECT is(random_bits, 48, 'uuid_inspect() says 48 random bits, as gen_iuid() makes them')
FROM uuid_inspect('018c22ac-d000-8037-a940-000000000000');

--
-- The span of a millisecond, country and entity, and of a millisecond.
--

SELECT is(count(*)::int, 0, 'they lie in the span of their fields') FROM draws
WHERE id NOT BETWEEN '019b76da-a800-80a5-9680-000000000000' AND '019b76da-a800-80a5-96bf-ffffffffffff';
SELECT is(count(*)::int, 0, 'iuid_boundary() and the next one enclose all of a millisecond') FROM fields
WHERE made_at < iuid_boundary('2023-12-01') OR made_at >= iuid_boundary('2023-12-01 00:00:00.001');
SELECT is(count(*)::int, 0, 'uuid_boundary() encloses them as well') FROM fields
WHERE made_at < uuid_boundary('2023-12-01') OR made_at >= uuid_boundary('2023-12-01 00:00:00.001');
SELECT is(ARRAY[iuid_boundary('-infinity'), iuid_boundary('infinity')],
	'{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff}', 'those of the infinities enclose all iUIDs');
SELECT is(count(*)::int, 4096, 'k-sortable: iUIDs of a later millisecond come after all of an earlier one')
FROM fields WHERE gen_iuid_at('2023-12-01 00:00:00.001', 255 - country, 255 - entity) > made_at;

SELECT * FROM finish();
ROLLBACK;
