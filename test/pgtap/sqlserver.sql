-- uuid_sqlserver_ops: does it order any ids as comparators that know nothing of it?

BEGIN;
\ir include/settings.sql
SELECT no_plan();

-- As System.Data.SqlTypes.SqlGuid compares: byte by byte, in this order.
CREATE FUNCTION pg_temp.sqlguid_order() RETURNS int[] LANGUAGE sql IMMUTABLE
	RETURN ARRAY[10, 11, 12, 13, 14, 15, 8, 9, 6, 7, 4, 5, 0, 1, 2, 3];
CREATE FUNCTION pg_temp.sqlguid_compare(a uuid, b uuid) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	a_bytes bytea := uuid_send(a);
	b_bytes bytea := uuid_send(b);
	place int;
BEGIN
	FOREACH place IN ARRAY pg_temp.sqlguid_order() LOOP
		IF get_byte(a_bytes, place) <> get_byte(b_bytes, place) THEN
			RETURN sign(get_byte(a_bytes, place) - get_byte(b_bytes, place));
		END IF;
	END LOOP;
	RETURN 0;
END $$;

-- By groups: the bytes of a key that sorts as bytea.
CREATE FUNCTION pg_temp.sqlguid_key(id uuid) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT substr(bytes, 11, 6) || substr(bytes, 9, 2) || substr(bytes, 7, 2) || substr(bytes, 5, 2) || substr(bytes, 1, 4)
	FROM (SELECT uuid_send(id)) AS b(bytes)
$$;

CREATE FUNCTION pg_temp.with_byte(id uuid, place int, value int) RETURNS uuid LANGUAGE sql IMMUTABLE
	RETURN encode(set_byte(uuid_send(id), place, value), 'hex')::uuid;

CREATE TEMP TABLE pairs (kind text, a uuid, b uuid);
INSERT INTO pairs SELECT 'random', gen_random_uuid(), gen_random_uuid() FROM generate_series(1, 20000);
INSERT INTO pairs SELECT 'equal', id, id FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 100)) AS ids;
INSERT INTO pairs
SELECT 'one byte', pg_temp.with_byte(id, place, a), pg_temp.with_byte(id, place, b)
FROM (SELECT gen_random_uuid() AS id, place FROM generate_series(1, 2), generate_series(0, 15) AS place) AS ids,
	unnest(ARRAY[0, 1, 127, 128, 254, 255]) AS a, unnest(ARRAY[0, 1, 127, 128, 254, 255]) AS b
WHERE a <> b;
INSERT INTO pairs
SELECT 'two bytes',
	pg_temp.with_byte(pg_temp.with_byte(id, one, a), other, b),
	pg_temp.with_byte(pg_temp.with_byte(id, one, b), other, a)
FROM (
	SELECT gen_random_uuid() AS id, one, other
	FROM generate_series(0, 15) AS one, generate_series(0, 15) AS other
	WHERE one <> other) AS ids,
	(VALUES (0, 255), (127, 128), (1, 0), (0, 128)) AS v(a, b);
INSERT INTO pairs
SELECT 'same start', a,
	(
		SELECT encode(
			string_agg(
				CASE
					WHEN array_position(
						pg_temp.sqlguid_order(), place) <= same THEN substr(uuid_send(a), place + 1, 1)
		ELSE substr(uuid_send(b), place + 1, 1) END, '' ORDER BY place), 'hex')::uuid FROM generate_series(0, 15) AS place)
FROM (
	SELECT gen_random_uuid() AS a, gen_random_uuid() AS b, same
	FROM generate_series(0, 15) AS same, generate_series(1, 50)) AS ids;

CREATE TEMP TABLE compared AS
SELECT kind, a, b, pg_temp.sqlguid_compare(a, b) AS expected, sign(uidext_internal.uuid_sqlserver_cmp(a, b)) AS cmp FROM pairs;
SELECT is(count(*) FILTER (WHERE cmp = expected AND expected = sign(uidext_internal.uuid_sqlserver_cmp(b, a)) * -1), count(*),
	'uidext_internal.uuid_sqlserver_cmp() of pairs: ' || kind)
FROM compared GROUP BY kind ORDER BY kind;
SELECT is(array_agg(DISTINCT kind ORDER BY kind),
	ARRAY['equal', 'one byte', 'random', 'same start', 'two bytes'], 'all kinds of pairs')
FROM compared;
SELECT cmp_ok(count(*), '>=', 20000::bigint, 'twenty thousand pairs') FROM compared;
SELECT ok(count(*) FILTER (WHERE expected = (a < b)::int - (a > b)::int) BETWEEN 9000 AND 11000,
	'the ordinary order agrees by chance only')
FROM compared WHERE kind = 'random';
SELECT is(count(*) FILTER (WHERE (a ~<~ b) = (expected < 0)), count(*), '~<~') FROM compared;
SELECT is(count(*) FILTER (WHERE (a ~<=~ b) = (expected <= 0)), count(*), '~<=~') FROM compared;
SELECT is(count(*) FILTER (WHERE (a ~>=~ b) = (expected >= 0)), count(*), '~>=~') FROM compared;
SELECT is(count(*) FILTER (WHERE (a ~>~ b) = (expected > 0)), count(*), '~>~') FROM compared;
SELECT is(count(*) FILTER (WHERE (a = b) = (expected = 0)), count(*), '=') FROM compared;

-- an operator class is a superuser's
\if :sql_edition
\else

--
-- Sorts: in memory, on disk, the first few, backwards, by an index.
--

CREATE TABLE ids AS SELECT a AS id FROM pairs UNION ALL SELECT b FROM pairs;
CREATE TEMP TABLE sorted AS
SELECT row_number() OVER (ORDER BY key) AS n, id, key FROM (SELECT id, pg_temp.sqlguid_key(id) AS key FROM ids) AS keys;
SELECT is(count(*), 0::bigint, 'both comparators agree')
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last_id FROM sorted) AS s WHERE pg_temp.sqlguid_compare(last_id, id) > 0;

CREATE FUNCTION pg_temp.is_sorted(query text, description text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	same bigint;
BEGIN
	EXECUTE format('
			SELECT count(*)
			FROM (SELECT row_number() OVER () AS n, id FROM (%s) AS q) AS rows
			JOIN sorted USING (n, id)', query) INTO same;
	RETURN is(same, (SELECT count(*) FROM sorted), description);
END $$;
SET LOCAL work_mem = '64MB';
SELECT pg_temp.is_sorted('SELECT id FROM ids ORDER BY id USING ~<~', 'a sort in memory');
SELECT ok(array_agg(id) = (SELECT array_agg(id ORDER BY n DESC) FROM sorted), 'a sort backwards')
FROM (SELECT id FROM ids ORDER BY id USING ~>~) AS s;
SELECT ok(array_agg(id) = (SELECT array_agg(id ORDER BY n) FROM sorted WHERE n <= 1000), 'the first thousand')
	FROM (SELECT id FROM ids ORDER BY id USING ~<~ LIMIT 1000) AS s;
SET LOCAL work_mem = '64kB';
SELECT pg_temp.is_sorted('SELECT id FROM ids ORDER BY id USING ~<~', 'a sort on disk');
SET LOCAL work_mem = '64MB';
SELECT pg_temp.is_sorted('SELECT unnest(array_agg(id ORDER BY id USING ~<~)) AS id FROM ids', 'a sort in an aggregate');
SELECT ok(array_agg(id) = (SELECT array_agg(id ORDER BY n) FROM (SELECT id, min(n) AS n FROM sorted GROUP BY id) AS s), 'groups')
FROM (SELECT id FROM ids GROUP BY id ORDER BY id USING ~<~) AS s;

-- Ids of one server share what comes first in this order; keys abbreviated to that tell nothing, and the sort goes on without.
CREATE TEMP TABLE one_node AS
SELECT (left(gen_random_uuid()::text, 19) || 'b36c-cc52afc9f2ed')::uuid AS id FROM generate_series(1, 50000);
SELECT ok(array_agg(id ORDER BY id USING ~<~) = array_agg(id ORDER BY pg_temp.sqlguid_key(id)), 'fifty thousand ids of one node')
FROM one_node;

CREATE INDEX ids_sqlserver ON ids (id uuid_sqlserver_ops);
ANALYZE ids;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_sort = off;
SET LOCAL enable_bitmapscan = off;
SELECT pg_temp.is_sorted('SELECT id FROM ids ORDER BY id USING ~<~', 'an index, sorted at once');
SELECT is(count(*) FILTER (WHERE found = expected), count(*), 'equality by the index')
FROM (
	SELECT (SELECT count(*) FROM ids WHERE ids.id = pairs.a) AS found,
		(SELECT count(*) FROM sorted WHERE sorted.id = pairs.a) AS expected
	FROM pairs WHERE kind = 'equal') AS counts;
SELECT ok(count(*) FILTER (WHERE found = expected) = 20 AND sum(found) > 10000, 'ranges by the index')
FROM (SELECT (SELECT count(*) FROM ids WHERE ids.id ~>=~ least AND ids.id ~<~ greatest) AS found,
		(SELECT count(*) FROM ids WHERE ids.id ~>~ least AND ids.id ~<=~ greatest) AS also_found,
		(SELECT count(*) FROM sorted WHERE key >= least_key AND key < greatest_key) AS expected
	FROM (SELECT *, pg_temp.sqlguid_key(least) AS least_key, pg_temp.sqlguid_key(greatest) AS greatest_key
		FROM (SELECT CASE WHEN expected < 0 THEN a ELSE b END AS least, CASE WHEN expected < 0 THEN b ELSE a END AS greatest
		FROM compared WHERE kind = 'random' LIMIT 20) AS chosen OFFSET 0) AS bounds) AS counts
WHERE found = also_found;

-- An index that grows row by row, with duplicates; amcheck compares all neighbours.
CREATE TABLE grown (id uuid);
CREATE INDEX grown_sqlserver ON grown (id uuid_sqlserver_ops);
INSERT INTO grown SELECT id FROM ids ORDER BY random();
INSERT INTO grown SELECT id FROM ids WHERE id < '80000000-0000-0000-0000-000000000000';
DELETE FROM grown WHERE id < '20000000-0000-0000-0000-000000000000';
INSERT INTO grown SELECT id FROM ids WHERE id < '20000000-0000-0000-0000-000000000000';
SELECT ok(array_agg(id) = (SELECT array_agg(id ORDER BY pg_temp.sqlguid_key(id)) FROM grown), 'an index that grew')
FROM (SELECT id FROM grown ORDER BY id USING ~<~) AS s;
SELECT count(*) > 0 AS amcheck FROM pg_available_extensions WHERE name = 'amcheck' \gset
\if :amcheck
CREATE EXTENSION IF NOT EXISTS amcheck;
SELECT lives_ok(format('SELECT bt_index_parent_check(%L, true, true)', index), index || ' is sound')
FROM unnest(ARRAY['ids_sqlserver', 'grown_sqlserver']) AS index;
\else
SELECT skip('no amcheck here', 2);
\endif
RESET enable_seqscan;
RESET enable_sort;
RESET enable_bitmapscan;

-- Unique indexes.
CREATE TABLE singles (id uuid);
CREATE UNIQUE INDEX singles_sqlserver ON singles (id uuid_sqlserver_ops);
INSERT INTO singles SELECT DISTINCT id FROM ids;
SELECT throws_ok('INSERT INTO singles SELECT id FROM ids LIMIT 1', '23505');
SELECT is(count(*), (SELECT count(DISTINCT id) FROM ids), 'no id is lost or taken for another') FROM singles;
SELECT lives_ok('INSERT INTO singles SELECT id FROM ids ON CONFLICT (id) DO NOTHING', 'ON CONFLICT (id) finds it');
SELECT lives_ok('INSERT INTO singles SELECT id FROM ids ON CONFLICT (id uuid_sqlserver_ops) DO NOTHING',
	'so does ON CONFLICT (id uuid_sqlserver_ops)');

--
-- What it is for.
--

CREATE TEMP TABLE made AS
SELECT at,
	gen_suffix_comb_at(at) AS suffix,
	comb_to_suffix(gen_comb_at(at)) AS converted,
	gen_short_suffix_comb_at(at) AS short_suffix,
	overlay(gen_uuidv1_at(at)::text PLACING '8000-010000000000' FROM 20)::uuid AS v1
FROM (SELECT '2026-01-01'::timestamptz + n * interval '977 ms' FROM generate_series(1, 10000) AS n ORDER BY random()) AS t(at);
SELECT ok(array_agg(at ORDER BY suffix USING ~<~) = array_agg(at ORDER BY at), 'suffix COMBs sort by time') FROM made;
SELECT ok(array_agg(at ORDER BY converted USING ~<~) = array_agg(at ORDER BY at),
	'so do COMBs turned into suffix COMBs')
FROM made;
SELECT ok(array_agg(date_trunc('minute', at) ORDER BY short_suffix USING ~<~) = array_agg(date_trunc('minute', at) ORDER BY at),
	'short suffix COMBs sort by minute') FROM made;
SELECT ok(array_agg(at ORDER BY v1 USING ~<~) = array_agg(at ORDER BY at),
	'ids of NEWSEQUENTIALID(), v1 of one node, sort by time')
FROM made;
SELECT ok(array_agg(at ORDER BY uuid_from_sqlserver(printed) USING ~<~) = array_agg(at ORDER BY at),
	'also when they come as SQL Server prints them')
FROM made, uuid_to_sqlserver(v1) AS printed;
SELECT ok(array_agg(at ORDER BY printed USING ~<~) <> array_agg(at ORDER BY at), 'but not as printed')
FROM made, uuid_to_sqlserver(v1) AS printed;

\endif

SELECT * FROM finish();
ROLLBACK;
