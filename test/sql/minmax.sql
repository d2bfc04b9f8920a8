-- min(uuid) and max(uuid): what do they answer, by one entry of an index, by workers, and beside those of a server?
\getenv test PG_ABS_SRCDIR
\i :test/include/scans.sql
SET max_parallel_workers_per_gather = 0;

CREATE TABLE ids (id uuid, n int);
INSERT INTO ids SELECT md5(n::text)::uuid, n % 10 FROM generate_series(1, 10000) AS n;
INSERT INTO ids VALUES (NULL, 10);
SELECT min(id) = (SELECT id FROM ids ORDER BY id LIMIT 1) AS min,
	max(id) = (SELECT id FROM ids WHERE id IS NOT NULL ORDER BY id DESC LIMIT 1) AS max
FROM ids;
SELECT n, min(id), max(id) FROM ids GROUP BY n ORDER BY n LIMIT 2;
SELECT min(id), max(id) FROM ids WHERE n = 10;
SELECT min(id) OVER one_row = max(id) OVER one_row AS min_is_max
FROM ids
WINDOW one_row AS (ORDER BY id ROWS CURRENT ROW)
LIMIT 1;

-- One entry of the index answers, of each partition where there are some
CREATE INDEX ON ids (id);
ANALYZE ids;
SELECT scans('SELECT max(id) FROM ids');
SELECT max(id) FROM ids;
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE orders_01 PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2026-01-01 00:00+00')) TO (uuid_boundary('2026-02-01 00:00+00'));
CREATE TABLE orders_02 PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2026-02-01 00:00+00')) TO (uuid_boundary('2026-03-01 00:00+00'));
SELECT scans('SELECT max(id) FROM orders');
DROP TABLE orders;

-- Workers find their own, and the leader the least of these
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SET enable_indexonlyscan = off;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT min(id), max(id) FROM ids;
SELECT min(id), max(id) FROM ids;

-- A server that has them goes first, also for a view that was made before
CREATE VIEW newest AS SELECT max(id) FROM ids;
BEGIN;
CREATE FUNCTION pg_temp.first(uuid, uuid) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT RETURN $1;
DO $$
BEGIN
	IF to_regprocedure('pg_catalog.max(uuid)') IS NULL THEN		-- before 20
		CREATE AGGREGATE pg_catalog.max(uuid) (SFUNC = pg_temp.first, STYPE = uuid);
	END IF;
END $$;
SELECT to_regprocedure('max(uuid)')::oid = to_regprocedure('pg_catalog.max(uuid)')::oid AS the_servers_own;
SELECT * FROM newest;
ROLLBACK;
DROP VIEW newest;
DROP TABLE ids;
DROP FUNCTION scans, scans_by;
