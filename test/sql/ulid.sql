-- Type ulid: which text, casts, plans and errors does a user see?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
\i :test/include/scans.sql
SET max_parallel_workers_per_gather = 0;

-- Text in either case, with look-alikes; bytes; uuid and back, which costs nothing
SELECT id, lower(id::text)::ulid = id AS lower, id::uuid, id::uuid::ulid = id AS back, id::bytea,
	ulid_time(id) AS "time", id::timestamptz = ulid_time(id) AS cast
FROM unnest('{01ARZ3NDEKTSV4RRFFQ69G5FAV,00000000000000000000000000,7ZZZZZZZZZZZZZZZZZZZZZZZZZ}'::ulid[]) AS id;
SELECT 'ILOilo00000000000000000000'::ulid AS look_alikes,
	to_json('01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid) AS json,
	ARRAY['01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid] AS array,
	ROW('01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid) AS row;
SELECT typlen, typbyval, typalign, typstorage, typcategory, typispreferred FROM pg_type WHERE oid = 'ulid'::regtype;

-- What is no ULID
SELECT error_of(format('SELECT %L::ulid', id)) AS error
FROM unnest(
	'{"",01ARZ3NDEKTSV4RRFFQ69G5FA,"01ARZ3NDEKTSV4RRFFQ69G5FA ",01ARZ3NDEKTSV4RRFFQ69G5FAU,
		8ZZZZZZZZZZZZZZZZZZZZZZZZZ,01563e3a-b5d3-d676-4c61-efb99302bd5b}'::text[])
	AS id :unaligned

-- Binary form: the 16 bytes, and not another number of them
SELECT uidext_internal.ulid_send('01ARZ3NDEKTSV4RRFFQ69G5FAV') AS bytes_sent;
CREATE TEMP TABLE read_back (id ulid);
\copy (SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid) TO 'test/results/ulid.bin' (FORMAT binary)
\copy read_back FROM 'test/results/ulid.bin' (FORMAT binary)
\copy (SELECT bigint '1') TO 'test/results/ulid.bin' (FORMAT binary)
\copy read_back FROM 'test/results/ulid.bin' (FORMAT binary)
TABLE read_back;

-- The order of the session, of its text, and of uuid are one; the time is the clock's
CREATE TABLE ids (n serial, id ulid DEFAULT gen_ulid(), made timestamptz DEFAULT clock_timestamp());
INSERT INTO ids SELECT FROM generate_series(1, 10000);
SELECT count(DISTINCT id) AS different_ids, array_agg(id ORDER BY id) = array_agg(id ORDER BY n) AS session,
	array_agg(id ORDER BY id) = array_agg(id ORDER BY id::text COLLATE "C") AS text,
	array_agg(id ORDER BY id) = array_agg(id ORDER BY id::uuid) AS uuid,
	bool_and(ulid_time(id) BETWEEN made - interval '1 hour' AND made + interval '1 hour') AS time,
	min(id) = (array_agg(id ORDER BY n))[1] AS min, max(id) = (array_agg(id ORDER BY n DESC))[1] AS max
FROM ids;
SELECT ulid_time(gen_ulid_at('2026-01-01 00:00:00.123456+00')) AS "time",
	gen_ulid_at('2026-01-01 00:00:00.123456+00') > gen_ulid_at('2026-01-01 00:00:00.123455+00') AS microseconds_count;
SELECT gen_ulid_at(NULL) IS NULL AND ulid_time(NULL) IS NULL AND ulid_boundary(NULL) IS NULL AS null_of_null;

-- Comparison with uuids; where both types meet, the first decides
SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid = '01563e3a-b5d3-d676-4c61-efb99302bd5b'::uuid AS equal,
	ulid_time('018c22ac-d000-7037-a940-000000000001'::uuid) AS time_of_uuid,
	pg_typeof(coalesce(gen_random_uuid(), gen_ulid())) AS uuid_first,
	pg_typeof(coalesce(gen_ulid(), gen_random_uuid())) AS ulid_first,
	uuid_boundary('2026-01-01 00:00+00') = ulid_boundary('2026-01-01 00:00+00') AS boundary;
SELECT a < b AS lt, a <= b AS le, a = b AS eq, a <> b AS ne, a >= b AS ge, a > b AS gt, b < a AS lt, b <= a AS le, b = a AS eq,
	b <> a AS ne, b >= a AS ge, b > a AS gt
FROM (VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid, '01563e3a-b5d3-d676-4c61-efb99302bd5a'::uuid),
	('01ARZ3NDEKTSV4RRFFQ69G5FAV', '01563e3a-b5d3-d676-4c61-efb99302bd5b'),
	('01ARZ3NDEKTSV4RRFFQ69G5FAV', '01563e3a-b5d3-d676-4c61-efb99302bd5c')) AS v (a, b);

-- Readers that find a layout out know a ulid, and the text of one
SELECT uuid_time(id) = ulid_time(id) AS time, uuid_time(id::text) = ulid_time(id) AS time_of_text, uuid_inspect(id) AS inspected,
	uuid_inspect(id::text) = uuid_inspect(id) AS text_inspected
FROM CAST('01ARZ3NDEKTSV4RRFFQ69G5FAV' AS ulid) AS id;
SELECT uuid_time('018c22ac-d000-7037-a940-000000000001') AS time_of_uuid, uuid_time('01ARZ3NDEKTSV4RRFFQ69G5FAV') AS time_of_ulid,
	(uuid_inspect('018c22ac-d000-7037-a940-000000000001')).layout;
SELECT uuid_is_recent(gen_ulid()) AS ulid, uuid_is_recent(gen_ulid()::text) AS text, uuid_is_recent(gen_uuidv7()::text) AS uuid,
	uuid_is_recent('01ARZ3NDEKTSV4RRFFQ69G5FAV') AS old,
	uuid_is_recent('01ARZ3NDEKTSV4RRFFQ69G5FAV', at => '2016-07-30 23:55+00') AS then, uuid_is_recent(NULL::ulid) IS NULL AS null;
SELECT id,
	bool_and(
		uuid_is_recent(id::ulid, at => '1970-01-01 00:05+00')
			AND uuid_is_recent(id, at => '1970-01-01 00:05+00')) AS then,
	bool_or(uuid_is_recent(id::ulid) OR uuid_is_recent(id)) AS now
FROM unnest(
	'{00000000000000000000000000, 0000000000ZZZZZZZZZZZZZZZZ, 0000000001ZZZZZZZZZZZZZZZZ}'::text[]) AS id
GROUP BY id
ORDER BY id;

-- Boundaries
SELECT at, ulid_boundary(at), at::ulid = ulid_boundary(at) AS cast
	FROM unnest('{2026-01-01 00:00+00,2026-01-01 00:00:00.000999+00,-infinity,infinity}'::timestamptz[]) AS at;

-- Times that a ULID does not have, and text that is none
SELECT command, error_of(command) AS error
FROM unnest(ARRAY[
	$$SELECT gen_ulid_at('1969-12-31 23:59:59.999+00')$$,
	$$SELECT gen_ulid_at('infinity')$$,
	$$SELECT ulid_boundary('1969-12-31 23:59:59.999+00')$$,
	$$SELECT uuid_time('01ARZ3NDEKTSV4RRFFQ69G5FA')$$]) AS command :unaligned

-- Keys, foreign keys from uuid columns, indexes of all kinds
CREATE TABLE orders (id ulid PRIMARY KEY DEFAULT gen_ulid(), n int);
CREATE TABLE lines (order_id uuid REFERENCES orders, item text);
INSERT INTO orders
SELECT gen_ulid_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 minute'), n
FROM generate_series(1, 10000) AS n;
INSERT INTO lines SELECT id, 'tea' FROM orders LIMIT 10;
INSERT INTO lines VALUES ('01563e3a-b5d3-d676-4c61-efb99302bd5b');
ANALYZE orders;
SELECT scans('SELECT min(id), max(id) FROM orders');
SELECT min(id) = (SELECT id FROM orders WHERE n = 1) AS min, max(id) = (SELECT id FROM orders WHERE n = 10000) AS max FROM orders;
SELECT min(id), max(id) FROM orders WHERE false;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SET enable_indexonlyscan = off;
SELECT min(id) = (SELECT id FROM orders WHERE n = 1) AS min, max(id) = (SELECT id FROM orders WHERE n = 10000) AS max FROM orders;
RESET enable_indexscan;
RESET enable_bitmapscan;
RESET enable_indexonlyscan;
SELECT condition
	|| E'\n  '
	|| array_to_string(
		array(SELECT scans_by('SELECT n FROM orders WHERE ' || condition)), E'\n  ') AS "condition and scans"
FROM unnest(ARRAY[
	$$id = '01563e3a-b5d3-d676-4c61-efb99302bd5b'::uuid$$,
	$$id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid$$,
	$$id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'$$,
	$$id = ANY ('{01ARZ3NDEKTSV4RRFFQ69G5FAV,7ZZZZZZZZZZZZZZZZZZZZZZZZZ}')$$]) AS condition :unaligned
PREPARE by_uuid (uuid) AS SELECT n FROM orders WHERE id = $1;
PREPARE by_ulid (ulid) AS SELECT n FROM orders WHERE id = $1;
PREPARE by_id AS SELECT n FROM orders WHERE id = $1;
SELECT name, parameter_types FROM pg_prepared_statements ORDER BY name;
SET plan_cache_mode = force_generic_plan;
SELECT command || E'\n  ' || array_to_string(array(SELECT scans_by(command)), E'\n  ') AS "command and scans"
FROM unnest(ARRAY[
	$$EXECUTE by_uuid('01563e3a-b5d3-d676-4c61-efb99302bd5b')$$,
	$$EXECUTE by_ulid('01ARZ3NDEKTSV4RRFFQ69G5FAV')$$,
	$$EXECUTE by_id('01ARZ3NDEKTSV4RRFFQ69G5FAV')$$]) AS command :unaligned
RESET plan_cache_mode;
DEALLOCATE ALL;

-- So does the index of a uuid, by a ulid and in joins either way
CREATE INDEX lines_order ON lines (order_id);
INSERT INTO lines SELECT id, 'cake' FROM orders;
ANALYZE lines;
SELECT query || E'\n  ' || array_to_string(array(SELECT scans_by('SELECT * FROM ' || query)), E'\n  ') AS "query and scans"
FROM unnest(ARRAY[
	$$lines WHERE order_id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid$$,
	$$lines WHERE '01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid <= order_id $$
		|| $$AND order_id <> '01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid ORDER BY order_id LIMIT 1$$,
	$$orders JOIN lines ON id = order_id WHERE n = 5$$,
	$$lines JOIN orders ON order_id = id WHERE item = 'sugar'$$]) AS query :unaligned

-- Arrays and rows: an index on a ulid serves both types, one on a uuid its own.
SELECT scan, condition
FROM (VALUES ('orders', 'id = ANY (''{01563e3a-b5d3-d676-4c61-efb99302bd5b}''::uuid[])'),
	('orders', '(id, n) < (''01563e3a-b5d3-d676-4c61-efb99302bd5b''::uuid, 1)'),
	('lines', 'order_id = ANY (''{01ARZ3NDEKTSV4RRFFQ69G5FAV}''::ulid[])'),
	('lines', '(order_id, item) < (''01ARZ3NDEKTSV4RRFFQ69G5FAV''::ulid, ''tea'')'),
	('lines', 'order_id = ANY (''{01ARZ3NDEKTSV4RRFFQ69G5FAV}''::ulid[]::uuid[])'),
	('lines', '(order_id, item) < (''01ARZ3NDEKTSV4RRFFQ69G5FAV''::ulid::uuid, ''tea'')')) AS q(name, condition),
	scans(format('SELECT * FROM %s WHERE %s', name, condition)) AS scan;
SELECT split_part(error_of('DELETE FROM orders WHERE n = 5'), E'\n', 1) AS order_with_lines;

ALTER TABLE orders DROP CONSTRAINT orders_pkey CASCADE;
CREATE INDEX orders_hash ON orders USING hash (id);
SELECT scans_by($$SELECT n FROM orders WHERE id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'$$) AS scan;
SELECT count(*) AS orders FROM orders AS first JOIN orders AS second USING (id);
SELECT count(*) AS lines_of_orders FROM orders JOIN lines ON id = order_id;
DROP INDEX orders_hash;
CREATE INDEX orders_brin ON orders USING brin (id) WITH (pages_per_range = 1);
SET enable_seqscan = off;
SELECT scans_by($$SELECT count(*) FROM orders WHERE id < timestamptz '2026-01-01 01:00+00'$$) AS scan;
SELECT count(*) AS orders FROM orders WHERE id < timestamptz '2026-01-01 01:00+00';
RESET enable_seqscan;
SELECT opcname, amname, amvalidate(c.oid) AS valid
FROM pg_opclass AS c
JOIN pg_am AS a ON a.oid = opcmethod
WHERE opcintype = 'ulid'::regtype
ORDER BY 1, 2;
DROP TABLE lines, orders;

-- Time predicates, and partitions by time
CREATE TABLE events (id ulid PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE events_01 PARTITION OF events
FOR VALUES FROM (ulid_boundary('2026-01-01 00:00+00')) TO (ulid_boundary('2026-02-01 00:00+00'));
CREATE TABLE events_02 PARTITION OF events
FOR VALUES FROM (uuid_boundary('2026-02-01 00:00+00')) TO (uuid_boundary('2026-03-01 00:00+00'));
INSERT INTO events
SELECT gen_ulid_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 hour'), n
FROM generate_series(0, 59 * 24 - 1) AS n;
ANALYZE events, events_01;
SELECT index_name, layout, note FROM uuid_key_report() WHERE table_name = 'events_01'::regclass;
SELECT tableoid::regclass AS partition, count(*) AS rows, min(n), max(n) FROM events GROUP BY 1 ORDER BY 1;
SELECT condition
	|| E'\n  '
	|| array_to_string(
		array(SELECT scans_by('SELECT * FROM events WHERE ' || condition)), E'\n  ') AS "condition and scans"
FROM unnest(ARRAY[
	$$id >= timestamptz '2026-02-01 00:00+00' AND id < timestamptz '2026-02-01 12:00+00'$$,
	$$id <@ tstzrange('2026-01-05 00:00+00', '2026-01-05 12:00+00')$$,
	$$tstzrange('2026-01-05 00:00+00', '2026-01-05 12:00+00') @> id$$,
	$$id <@ tstzmultirange(tstzrange('2026-01-05 00:00+00', '2026-01-05 12:00+00'))$$]) AS condition :unaligned
PREPARE since (timestamptz) AS SELECT count(*) AS events FROM events WHERE id > $1;
SET plan_cache_mode = force_generic_plan;
EXECUTE since ('2026-02-28 12:00+00');
SELECT bool_and((id < at) = (ulid_time(id) < at)) AS lt, bool_and((id <= at) = (ulid_time(id) <= at)) AS le,
	bool_and((id >= at) = (ulid_time(id) >= at)) AS ge, bool_and((id > at) = (ulid_time(id) > at)) AS gt,
	bool_and((at < id) = (at < ulid_time(id))) AS lt_id, bool_and((at <= id) = (at <= ulid_time(id))) AS le_id,
	bool_and((at >= id) = (at >= ulid_time(id))) AS ge_id, bool_and((at > id) = (at > ulid_time(id))) AS gt_id,
	bool_and((id <@ period) = (ulid_time(id) <@ period)) AS range,
	bool_and((period @> id) = (period @> ulid_time(id))) AS range_contains,
	bool_and((id <@ multirange(period)) = (ulid_time(id) <@ period)) AS multirange,
	bool_and((multirange(period) @> id) = (period @> ulid_time(id))) AS multirange_contains
FROM (SELECT id, timestamptz '2026-01-01 00:00+00' + (n * 7919 % 1416) * interval '1 hour' AS at FROM events) AS e,
	tstzrange(at, at + interval '3 days') AS period;
DROP TABLE events, ids;

-- Between uuid and ulid by function: as good as the casts, which cost nothing
CREATE TABLE links (id ulid PRIMARY KEY, of uuid);
EXPLAIN (VERBOSE, COSTS OFF) SELECT uuid_to_ulid(of), ulid_to_uuid(id) FROM links;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT condition
	|| E'\n  '
	|| array_to_string(
		array(SELECT scans_by('SELECT of FROM links WHERE ' || condition)), E'\n  ') AS "condition and scans"
FROM unnest(
	ARRAY[$$id = uuid_to_ulid('01563e3a-b5d3-d676-4c61-efb99302bd5b')$$,
		$$ulid_to_uuid(id)::ulid = '01ARZ3NDEKTSV4RRFFQ69G5FAV'$$]) AS condition :unaligned
RESET enable_seqscan;
RESET enable_bitmapscan;
SELECT ulid_to_uuid('01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid) AS of_ulid,
	ulid_to_uuid('01arz3ndektsv4rrffq69g5fav'::text) AS of_text,
	ulid_to_uuid(NULL::ulid) IS NULL AS null_of_null;
DROP TABLE links;

-- Partitions by hash are where a uuid's would be
CREATE TABLE hashed (id ulid PRIMARY KEY) PARTITION BY HASH (id);
CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hashed_1 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE hashed_uuid (id uuid) PARTITION BY HASH (id);
INSERT INTO hashed SELECT gen_ulid() FROM generate_series(1, 1000);
SELECT bool_and(
	satisfies_hash_partition(
		'hashed_uuid'::regclass, 2, right(tableoid::regclass::text, 1)::int, id::uuid)) AS where_a_uuid_would_be
FROM hashed;
DROP TABLE hashed, hashed_uuid;
DROP FUNCTION error_of, scans, scans_by;
