-- uuidv6_boundary_time(): the time of a bound of UUIDv6 and v13, whose first 48 bits
-- count steps of 409.6 microseconds.

BEGIN;
\ir include/settings.sql
SELECT plan(12);

SELECT is(count(*), 0::bigint, 'any whole millisecond comes back from its bound')
FROM (SELECT timestamptz '1970-01-01' + n * interval '1400 hours 37.001 seconds' FROM generate_series(0, 4000) AS n
	UNION ALL SELECT timestamptz '2021-01-01' + n * interval '1 millisecond' FROM generate_series(0, 1999) AS n
	UNION ALL SELECT timestamptz '5236-03-31 21:21:00.684' - n * interval '1 millisecond'
	FROM generate_series(0, 1999) AS n) AS t(at)
WHERE uuidv6_boundary_time(uuidv6_boundary(at)) <> at;

CREATE TEMP TABLE bounds AS
SELECT id FROM (
	SELECT overlay(overlay(gen_random_uuid()::text PLACING '0000' FROM 15) PLACING '0000-000000000000' FROM 20)::uuid
	FROM generate_series(1, 4000)) AS random(id)
WHERE id > uuidv6_boundary('1970-01-01 00:00:00.001+00');
SELECT cmp_ok(count(*), '>', 3200::bigint, 'most random bounds are of a time after 1970') FROM bounds;
SELECT is(count(*), 0::bigint, 'any bound is that of its time')
FROM bounds WHERE uuidv6_boundary(uuidv6_boundary_time(id)) <> id;
SELECT is(count(*), 0::bigint, 'the time of a bound is a whole millisecond, or the first microsecond that has this bound')
FROM bounds
WHERE uuidv6_boundary(uuidv6_boundary_time(id) - interval '1 microsecond') >= id
	AND uuidv6_boundary_time(id) <> date_trunc('millisecond', uuidv6_boundary_time(id));

SELECT results_eq(
	$$SELECT uuidv6_boundary_time(id)
	FROM unnest('{00000000-0000-0000-0000-000000000000, 00000000-0001-0000-0000-000000000000, 1b21dd21-3814-0000-0000-000000000000,
		ffffffff-ffff-0000-0000-000000000000, ffffffff-ffff-ffff-ffff-ffffffffffff}'::uuid[]) AS id$$,
	$$VALUES (timestamptz '1582-10-15 00:00:00+00'), ('1582-10-15 00:00:00.00041+00'), ('1970-01-01 00:00:00+00'),
		('5236-03-31 21:21:00.684288+00'), ('5236-03-31 21:21:00.684288+00')$$,
	'the first and the last bounds, and that of 1970, have their times');
SELECT is(uuidv6_boundary('infinity'), 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'every id is below the bound of infinity');
SELECT is(uuidv6_boundary('-infinity'), '00000000-0000-0000-0000-000000000000', 'and none below that of -infinity');

SELECT is(uuidv6_boundary(uuidv6_boundary_time('ffffffff-ffff-ffff-ffff-ffffffffffff')), 'ffffffff-ffff-0000-0000-000000000000',
	'the time of the last uuid is that of the last bound');

SELECT is(count(*), 0::bigint, 'the time of an id of v6 or v13 is that of its bound, within a step of the id''s own')
FROM generate_series(timestamptz '2021-01-01', '2021-01-02', '38.654321 seconds') AS at,
	LATERAL (VALUES (gen_uuidv6_at(at)), (gen_uuidv13_at(at))) AS made(id)
WHERE uuidv6_boundary_time(id) NOT BETWEEN at - interval '410 us' AND at + interval '410 us'
	OR uuidv6_boundary_time(id) <> uuidv6_boundary_time(uuidv6_boundary(at));
SELECT is(count(*), 0::bigint, 'so it is for ids of now')
FROM (SELECT gen_uuidv6() FROM generate_series(1, 1000)) AS made(id)
WHERE uuidv6_boundary_time(id) NOT BETWEEN uuid_time(id) - interval '410 us' AND uuid_time(id) + interval '410 us';
SELECT is(uuidv6_boundary_time('1f0e6a70-b9c4-ffff-ffff-ffffffffffff'),
	uuidv6_boundary_time('1f0e6a70-b9c4-6000-8000-000000000000'),
	'only the first 48 bits count');
SELECT is(uuidv6_boundary_time(NULL), NULL, 'NULL has no time');

SELECT * FROM finish();
ROLLBACK;
