-- SQL Server: which text does it show for a UUID, and which plans and errors does a user
-- see of operator class uuid_sqlserver_ops?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/scans.sql

-- NEWSEQUENTIALID() of four rows, as SQL Server prints it: version 1 in disguise
CREATE TABLE sequential (sequence int, printed uuid);
INSERT INTO sequential VALUES
	(2, 'BA586BD7-2062-E111-B36C-CC52AFC9F2ED'), (0, 'B8586BD7-2062-E111-B36C-CC52AFC9F2ED'),
	(3, 'BB586BD7-2062-E111-B36C-CC52AFC9F2ED'), (1, 'B9586BD7-2062-E111-B36C-CC52AFC9F2ED');
SELECT sequence, uuid_from_sqlserver(printed) AS id, uuid_time(uuid_from_sqlserver(printed)) AT TIME ZONE 'UTC' AS time,
	uuid_to_sqlserver(uuid_from_sqlserver(printed)) = printed AS and_back
FROM sequential ORDER BY uuid_from_sqlserver(printed) USING ~<~;

-- A UUIDv1 as SQL Server stores and prints it
SELECT uuid_to_sqlserver('626215fe-6226-11e1-837f-1b41e62f9422') AS printed;

-- Made 2.9 seconds apart: SQL Server has the stored bytes in order, which the printed ones are not
SELECT printed, uuid_from_sqlserver(printed) AS stored, uuid_time(uuid_from_sqlserver(printed)) AT TIME ZONE 'UTC' AS time
FROM (VALUES (uuid '0001a3db-3f62-e111-b305-0fce8c655371'), ('0001abd9-3f62-e111-b305-0fce8c655371')) AS ids(printed)
ORDER BY uuid_from_sqlserver(printed) USING ~<~;
SELECT '0001abd9-3f62-e111-b305-0fce8c655371'::uuid ~>~ '0001a3db-3f62-e111-b305-0fce8c655371' AS as_printed,
	uuid_from_sqlserver(
		'0001abd9-3f62-e111-b305-0fce8c655371')
		~>~ uuid_from_sqlserver('0001a3db-3f62-e111-b305-0fce8c655371') AS as_stored;

-- SqlGuid's example: not the order of Guid
SELECT id FROM unnest(ARRAY[
	'3aaaaaaa-bbbb-cccc-dddd-2eeeeeeeeeee',
	'2aaaaaaa-bbbb-cccc-dddd-1eeeeeeeeeee',
	'1aaaaaaa-bbbb-cccc-dddd-3eeeeeeeeeee']::uuid[]) AS id
ORDER BY id USING ~<~;

-- What each byte weighs, from the least to the most: a one at every place of the stored bytes
CREATE TABLE places (id uuid);
INSERT INTO places SELECT encode(set_byte(decode(repeat('00', 16), 'hex'), place, 1), 'hex')::uuid
	FROM generate_series(0, 15) AS place;
SELECT id FROM places ORDER BY id USING ~<~;

-- The same places in the printed form, the list by which the order is commonly shown
SELECT printed FROM (SELECT uuid_to_sqlserver(id) AS printed FROM places) AS places
ORDER BY uuid_from_sqlserver(printed) USING ~>~;

-- The names are shared with text, whose operators still win for plain literals
SELECT 'b' ~<~ 'a' AS text, 'b'::varchar ~<~ 'a' AS varchar;

-- Suffix COMBs sort by time, short suffix COMBs by block
SELECT array_agg(n ORDER BY suffix USING ~<~) AS suffix, array_agg(n ORDER BY converted USING ~<~) AS converted,
	array_agg(n ORDER BY short_suffix USING ~<~) AS short_suffix
FROM (SELECT n, gen_suffix_comb_at(at) AS suffix, comb_to_suffix(gen_comb_at(at)) AS converted,
		gen_short_suffix_comb_at(at) AS short_suffix
	FROM unnest(ARRAY['2026-03-04 12:00', '2026-03-04 12:01', '2026-03-04 12:02', '2026-03-04 12:03',
		'2026-03-05', '2026-03-06', '2026-03-13']::timestamptz[]) WITH ORDINALITY AS moments(at, n)) AS ids;

-- An index in this order: plain, unique, for equality, ranges and sorts, in both directions
CREATE TABLE items (id uuid, n int);
INSERT INTO items SELECT md5(n::text)::uuid, n FROM generate_series(1, 10000) AS n;
CREATE UNIQUE INDEX items_id ON items (id uuid_sqlserver_ops);
VACUUM ANALYZE items;
SELECT opcdefault FROM pg_opclass WHERE opcname = 'uuid_sqlserver_ops';
SELECT query || E'\n  ' || array_to_string(array(SELECT scans_by(query)), E'\n  ') AS "query and scans"
FROM unnest(ARRAY[
	'SELECT id FROM items ORDER BY id USING ~<~ LIMIT 3',
	'SELECT id FROM items ORDER BY id USING ~>~ LIMIT 3',
	$$SELECT n FROM items WHERE id = 'c4ca4238-a0b9-2382-0dcc-509a6f75849b'$$,
	$$SELECT id FROM items WHERE id ~>=~ '00000000-0000-0000-0000-400000000000' AND id ~<~ '00000000-0000-0000-0000-401000000000'$$
]) AS query :unaligned
SELECT id AS first_of_sqlserver FROM items ORDER BY id USING ~<~ LIMIT 3;
SELECT id AS last_of_sqlserver FROM items ORDER BY id USING ~>~ LIMIT 3;
SELECT n FROM items WHERE id = 'c4ca4238-a0b9-2382-0dcc-509a6f75849b';
SELECT id AS within_range FROM items
	WHERE id ~>=~ '00000000-0000-0000-0000-400000000000' AND id ~<~ '00000000-0000-0000-0000-401000000000' ORDER BY id USING ~<~;
INSERT INTO items VALUES ('c4ca4238-a0b9-2382-0dcc-509a6f75849b');
\echo :SQLSTATE
INSERT INTO items VALUES ('c4ca4238-a0b9-2382-0dcc-509a6f75849b', 0) ON CONFLICT (id) DO UPDATE SET n = 0 RETURNING id, items.n;

-- Same result by sort, by index forwards and by index backwards
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET enable_bitmapscan = off;
SELECT scans('SELECT id FROM items ORDER BY id USING ~<~') AS sorted_scan;
CREATE TABLE sorted AS SELECT row_number() OVER () AS n, id FROM (SELECT id FROM items ORDER BY id USING ~<~) AS items;
RESET enable_indexscan;
RESET enable_indexonlyscan;
RESET enable_bitmapscan;
SET enable_seqscan = off;
SET enable_sort = off;
SELECT count(*) AS in_place
FROM (
	SELECT row_number() OVER () AS n, id FROM (SELECT id FROM items ORDER BY id USING ~<~) AS items) AS indexed
	JOIN sorted USING (n, id);
SELECT count(*) AS in_place
FROM (
	SELECT 10001 - row_number() OVER () AS n, id
	FROM (SELECT id FROM items ORDER BY id USING ~>~) AS items) AS indexed
	JOIN sorted USING (n, id);

-- A merge join of two such indexes, for the equality is the ordinary one
CREATE TABLE parts (id uuid, part int);
INSERT INTO parts SELECT md5(n::text)::uuid, n FROM generate_series(5001, 15000) AS n;
CREATE INDEX parts_id ON parts (id uuid_sqlserver_ops);
VACUUM ANALYZE parts;
SET enable_hashjoin = off;
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT items.id FROM items JOIN parts ON items.id = parts.id ORDER BY items.id USING ~<~;
SELECT count(*) AS items, count(DISTINCT id) AS different_ids
	FROM (SELECT items.id FROM items JOIN parts ON items.id = parts.id ORDER BY items.id USING ~<~) AS joined;
RESET enable_hashjoin;
RESET enable_nestloop;
RESET enable_seqscan;
RESET enable_sort;

-- A column that holds what SQL Server printed: an index on the stored form
CREATE INDEX items_printed ON items (uuid_from_sqlserver(id) uuid_sqlserver_ops);
SELECT scans('SELECT id FROM items ORDER BY uuid_from_sqlserver(id) USING ~<~ LIMIT 3') AS scan;

-- The ordinary order is untouched by it: the default operator class sorts, groups and makes keys
SELECT scans('SELECT id FROM items ORDER BY id') AS scan_of_ordinary_order;
SELECT id AS first_of_ordinary_order FROM items ORDER BY id LIMIT 1;
DROP INDEX items_id, items_printed, parts_id;
SET enable_hashjoin = off;
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT id FROM items JOIN parts USING (id);
EXPLAIN (COSTS OFF) SELECT id FROM items JOIN parts USING (id) ORDER BY id USING ~<~;
RESET enable_hashjoin;
RESET enable_nestloop;
CREATE UNIQUE INDEX items_id ON items (id uuid_sqlserver_ops);
ALTER TABLE items ADD PRIMARY KEY USING INDEX items_id;
\echo :SQLSTATE

DROP TABLE sequential, places, items, sorted, parts;
DROP FUNCTION scans, scans_by;
