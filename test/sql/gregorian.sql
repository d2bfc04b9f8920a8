-- UUIDv1, UUIDv6 and Lambert's v13: which ids, times, plans and errors does a user see?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

-- Known times give the known first 64 bits (RFC 9562 A.1 and A.5; Lambert's, but for 300 ns)
SELECT left(gen_uuidv1_at('2022-02-22 19:22:22+00')::text, 18) AS v1,
	left(gen_uuidv6_at('2022-02-22 19:22:22+00')::text, 18) AS v6,
	left(gen_uuidv13_at('2022-02-22 19:22:22+00')::text, 18) AS v13;
SELECT left(gen_uuidv13_at(at)::text, 18) AS v13, left(gen_uuidv1_at(at)::text, 18) AS v1
FROM uuid_time('1e1624e7-5e1f-d27f-a11d-ed65de8970f6') AS at;

-- The range, and precision to the microsecond within it
SELECT at, left(v1::text, 18) AS v1, left(v6::text, 18) AS v6, left(v13::text, 18) AS v13,
	uuid_time(v1) = at AND uuid_time(v6) = at AND uuid_time(v13) = at AS same
FROM unnest(ARRAY['1970-01-01', '1970-01-01 00:00:00.000001', '2026-03-04 12:34:56.789012', '2026-03-04 12:34:56.789013',
		'5236-03-31 21:21:00.684696', '5236-03-31 21:21:00.684697']::timestamptz[]) AS at,
	gen_uuidv1_at(at) AS v1, gen_uuidv6_at(at) AS v6, gen_uuidv13_at(at) AS v13;

-- The time of ids made elsewhere: from 1582, and 100 ns floored to a microsecond
SELECT id, uuid_time(id) AS time
FROM unnest(ARRAY[
	'00000000-0000-1000-8000-000000000000', '00000009-0000-1000-8000-000000000000', '0000000a-0000-1000-8000-000000000000',
	'13814009-1dd2-11b2-8000-000000000000', '13814000-1dd2-11b2-8000-000000000000', '13813fff-1dd2-11b2-8000-000000000000',
	'ffffffff-ffff-1fff-bfff-ffffffffffff',
	'00000000-0000-6000-8000-000000000000', '00000000-0000-6009-8000-000000000000', '00000000-0000-600a-8000-000000000000',
	'ffffffff-ffff-6fff-bfff-ffffffffffff',
	'00000000-0000-d000-8000-000000000000', 'ffffffff-ffff-dfff-bfff-ffffffffffff',
	'1ec9414c-232a-2b00-b3c8-9f6bdeced846',
	'1ec9414c-232a-6b00-33c8-9f6bdeced846',
	'1ec9414c-232a-6b00-f3c8-9f6bdeced846']::uuid[]) AS id;

-- Version, variant, and a random node that no network card has: its multicast bit is set
SELECT version, layout, node & macaddr '01:00:00:00:00:00' AS multicast, random_bits
FROM unnest(ARRAY[gen_uuidv1(), gen_uuidv6(), gen_uuidv13()]) AS id, uuid_inspect(id);
SELECT version, count(*) AS ids,
	count(*) FILTER (WHERE substr(id::text, 15, 1) = version) AS versions,
	count(*) FILTER (WHERE substr(id::text, 20, 1) IN ('8', '9', 'a', 'b')) AS variants,
	count(*) FILTER (WHERE substr(id::text, 26, 1) IN ('1', '3', '5', '7', '9', 'b', 'd', 'f')) AS multicasts,
	count(DISTINCT substr(id::text, 25)) AS nodes
FROM (SELECT unnest(ARRAY['1', '6', 'd', '1', '6', 'd']) AS version, unnest(ARRAY[gen_uuidv1(), gen_uuidv6(), gen_uuidv13(),
		gen_uuidv1_at('2026-03-04'), gen_uuidv6_at('2026-03-04'), gen_uuidv13_at('2026-03-04')]) AS id
	FROM generate_series(1, 1000)) AS ids
GROUP BY version ORDER BY version;

-- Now is now
SELECT uuid_is_recent(gen_uuidv1(), '1 minute', '1 minute', clock_timestamp()) AS v1,
	uuid_is_recent(gen_uuidv6(), '1 minute', '1 minute', clock_timestamp()) AS v6,
	uuid_is_recent(gen_uuidv13(), '1 minute', '1 minute', clock_timestamp()) AS v13;

-- v6 and v13 sort by time, v1 does not
SELECT array_agg(n ORDER BY v6) AS v6, array_agg(n ORDER BY v13) AS v13, array_agg(n ORDER BY v1) AS v1
FROM (SELECT n, gen_uuidv1_at(at) AS v1, gen_uuidv6_at(at) AS v6, gen_uuidv13_at(at) AS v13
	FROM unnest(ARRAY['1970-01-01', '2026-03-04 12:00', '2026-03-04 12:00:00.000001', '2026-03-04 12:05',
		'2026-03-04 12:10', '2026-03-05', '5236-03-31']::timestamptz[]) WITH ORDINALITY AS moments(at, n)) AS ids;

-- Boundaries: the top 48 bits of the timestamp, below every v6 and v13 that shares them
SELECT at, uuidv6_boundary(at) AS boundary
FROM unnest(ARRAY['-infinity', '1970-01-01', '2022-02-22 19:22:22', '2012-02-28 20:54:52.253862',
	'5236-03-31 21:21:00.684697', 'infinity']::timestamptz[]) AS at;
SELECT count(*) AS moments,
	count(*) FILTER (WHERE uuidv6_boundary(at) < gen_uuidv6_at(at)) AS below_v6,
	count(*) FILTER (WHERE uuidv6_boundary(at) < gen_uuidv13_at(at)) AS below_v13,
	count(*) FILTER (WHERE uuidv6_boundary(at + interval '410 microseconds') > gen_uuidv6_at(at)) AS above_v6,
	count(*) FILTER (WHERE uuidv6_boundary(at + interval '410 microseconds') > gen_uuidv13_at(at)) AS above_v13,
	count(DISTINCT uuidv6_boundary(at)) AS boundaries
FROM generate_series(0, 1000) AS n, CAST(timestamptz '2026-03-04 12:34:56' + n * interval '41 microseconds' AS timestamptz) AS at;

-- They bound partitions and index scans
CREATE TABLE events (id uuid PRIMARY KEY DEFAULT gen_uuidv6()) PARTITION BY RANGE (id);
CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM (uuidv6_boundary('-infinity')) TO (uuidv6_boundary('2026-02-01'));
CREATE TABLE events_2 PARTITION OF events FOR VALUES FROM (uuidv6_boundary('2026-02-01')) TO (uuidv6_boundary('2026-03-01'));
CREATE TABLE events_3 PARTITION OF events FOR VALUES FROM (uuidv6_boundary('2026-03-01')) TO (uuidv6_boundary('infinity'));
INSERT INTO events SELECT gen_uuidv6_at(at) FROM generate_series(timestamptz '2026-01-01', '2026-03-31', '1 day') AS at;
INSERT INTO events SELECT gen_uuidv13_at(at) FROM generate_series(timestamptz '2026-01-01', '2026-03-31', '1 day') AS at;
SELECT tableoid::regclass AS partition, count(*) AS rows, min(uuid_time(id)), max(uuid_time(id))
FROM events
GROUP BY tableoid
ORDER BY 1;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM events WHERE id >= uuidv6_boundary('2026-02-10') AND id < uuidv6_boundary('2026-02-20');
SELECT count(*) AS events FROM events WHERE id >= uuidv6_boundary('2026-02-10') AND id < uuidv6_boundary('2026-02-20');
DROP TABLE events;

-- Errors: one message for what no UUID holds, another for what only these do not
SELECT gen_uuidv1_at('1969-12-31 23:59:59.999999');
\echo :SQLSTATE
SELECT gen_uuidv6_at('5236-03-31 21:21:00.684698');
\echo :SQLSTATE
SELECT gen_uuidv13_at('10889-08-02 05:31:50.656');
\echo :SQLSTATE
SELECT gen_uuidv1_at('infinity');
\echo :SQLSTATE
SELECT gen_uuidv6_at('-infinity');
\echo :SQLSTATE
SELECT uuidv6_boundary('1969-12-31 23:59:59.999999');
\echo :SQLSTATE
SELECT uuidv6_boundary('5236-03-31 21:21:00.684698');
\echo :SQLSTATE
SELECT gen_uuidv1_at(NULL) IS NULL AS null_v1,
	gen_uuidv6_at(NULL) IS NULL AS null_v6,
	gen_uuidv13_at(NULL) IS NULL AS null_v13,
	uuidv6_boundary(NULL) IS NULL AS null_boundary;
