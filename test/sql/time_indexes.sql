-- Time predicates and indexes: which conditions reach a BRIN or a btree index, of several columns
-- or partial, and which part of the table is read?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/scans.sql
SET max_parallel_workers_per_gather = 0;
SET enable_seqscan = off;

-- A log of 10,000 minutes, in the order of time, as it would be written.
CREATE TABLE log (id uuid NOT NULL, note text) WITH (autovacuum_enabled = off);
INSERT INTO log
SELECT gen_uuidv7_at('2026-01-01'::timestamptz + n * interval '1 minute'), repeat('x', 100)
FROM generate_series(0, 9999) AS n;
ANALYZE log;

-- The share of a table's pages that a query read through a BRIN index.
CREATE FUNCTION pages_read(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
	pages numeric;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, FORMAT JSON) ' || query INTO plan;
	pages := jsonb_path_query_first(plan, 'strict $.**."Lossy Heap Blocks"')::numeric * current_setting('block_size')::int
		/ pg_relation_size(jsonb_path_query_first(plan, 'strict $.**."Relation Name"') #>> '{}');
	RETURN CASE WHEN pages <= 0.05 THEN 'at most 5 %' WHEN pages >= 0.9 THEN 'nearly all' ELSE 'some' END;
END $$;
CREATE FUNCTION index_used(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN coalesce(jsonb_path_query_first(plan, 'strict $.**."Index Name"') #>> '{}', 'none');
END $$;

-- BRIN: the default operator class (minmax) and minmax_multi find ranges of time.
CREATE INDEX log_brin ON log USING brin (id) WITH (pages_per_range = 4);
SELECT scans_by($$
	SELECT count(*) FROM log WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-02 02:00'$$)
	AS scan;
SELECT count(*) AS rows FROM log WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-02 02:00';
SELECT condition, pages_read('SELECT * FROM log WHERE ' || condition)
FROM unnest(
	ARRAY[$$id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-02 02:00'$$,
		$$id <@ tstzrange '[2026-01-02,2026-01-02 02:00)'$$,
	$$id >= (SELECT timestamptz '2026-01-07 21:00')$$]) AS condition;
PREPARE log_between(timestamptz, timestamptz) AS SELECT count(*) AS rows FROM log WHERE id > $1 AND id <= $2;
SET plan_cache_mode = force_generic_plan;
SELECT scans_by($$EXECUTE log_between('2026-01-02', '2026-01-02 02:00')$$) AS scan;
EXECUTE log_between('2026-01-02', '2026-01-02 02:00');
RESET plan_cache_mode;

-- What came later is found before and after it is summarised, then in few pages.
INSERT INTO log
SELECT gen_uuidv7_at('2026-02-01'::timestamptz + n * interval '1 minute'), repeat('x', 100)
FROM generate_series(0, 9999) AS n;
SELECT count(*) AS rows FROM log WHERE id >= timestamptz '2026-02-01 01:00' AND id < timestamptz '2026-02-01 02:00';
SELECT pages_read($$SELECT * FROM log WHERE id >= timestamptz '2026-02-01 01:00' AND id < timestamptz '2026-02-01 02:00'$$);
SELECT brin_summarize_new_values('log_brin') > 0 AS summarised;
SELECT count(*) AS rows FROM log WHERE id >= timestamptz '2026-02-01 01:00' AND id < timestamptz '2026-02-01 02:00';
SELECT pages_read($$SELECT * FROM log WHERE id >= timestamptz '2026-02-01 01:00' AND id < timestamptz '2026-02-01 02:00'$$);
DROP INDEX log_brin;

-- Ids of other times among them spoil nearly every range for minmax, but not for minmax_multi.
CREATE TABLE mixed (id uuid NOT NULL, note text);
INSERT INTO mixed
SELECT gen_uuidv7_at(
		CASE n % 40
			WHEN 0 THEN '1970-01-01'
			WHEN 20 THEN '2100-01-01'
			ELSE '2026-01-01'::timestamptz + n * interval '1 minute'
			END), repeat('x', 100)
FROM generate_series(0, 9999) AS n;
ANALYZE mixed;
CREATE INDEX mixed_brin ON mixed USING brin (id) WITH (pages_per_range = 4);
SELECT pages_read($$SELECT * FROM mixed WHERE id <@ tstzrange '[2026-01-02,2026-01-02 02:00)'$$);
DROP INDEX mixed_brin;
CREATE INDEX mixed_multi ON mixed USING brin (id uuid_minmax_multi_ops) WITH (pages_per_range = 4);
SELECT scans_by($$SELECT count(*) FROM mixed WHERE id <@ tstzrange '[2026-01-02,2026-01-02 02:00)'$$) AS scan;
SELECT count(*) AS rows FROM mixed WHERE id <@ tstzrange '[2026-01-02,2026-01-02 02:00)';
SELECT pages_read($$SELECT * FROM mixed WHERE id <@ tstzrange '[2026-01-02,2026-01-02 02:00)'$$);
DROP INDEX mixed_multi;

-- A bloom index knows equality only.
CREATE INDEX mixed_bloom ON mixed USING brin (id uuid_bloom_ops) WITH (pages_per_range = 4);
SELECT index_used($$SELECT FROM mixed WHERE id <@ tstzrange '[2026-01-02,2026-01-02 02:00)'$$) AS for_a_period,
	index_used($$SELECT FROM mixed WHERE id = '019b76da-a800-7000-8000-000000000000'$$) AS for_an_id;
DROP TABLE mixed;

-- A btree answers from itself: counts, the newest, the newest before a time.
ALTER TABLE log ADD PRIMARY KEY (id);
VACUUM (ANALYZE) log;
SET enable_bitmapscan = off;
SELECT query || E'\n  ' || array_to_string(array(SELECT scans_by(query)), E'\n  ') AS "query and scans"
FROM unnest(ARRAY[
	$$SELECT count(*) FROM log WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-03'$$,
	$$SELECT id FROM log WHERE id < timestamptz '2026-02-01' ORDER BY id DESC LIMIT 1$$,
	$$SELECT * FROM log WHERE id >= timestamptz '2026-01-15' ORDER BY id LIMIT 10$$]) AS query :unaligned
SELECT count(*) AS rows FROM log WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-03';
SELECT uuid_time(id) AS newest_before_february FROM log WHERE id < timestamptz '2026-02-01' ORDER BY id DESC LIMIT 1;
SELECT uuid_time(id) AS first_since FROM log WHERE id >= timestamptz '2026-01-15' ORDER BY id LIMIT 1;

-- Behind another column in an index, the time still bounds the scan.
CREATE TABLE visits (country int NOT NULL, id uuid NOT NULL, PRIMARY KEY (country, id));
INSERT INTO visits
SELECT n % 5, gen_uuidv7_at('2026-01-01'::timestamptz + n * interval '1 minute')
FROM generate_series(0, 9999) AS n;
VACUUM (ANALYZE) visits;
SELECT query || E'\n  ' || array_to_string(array(SELECT scans_by(query)), E'\n  ') AS "query and scans"
FROM unnest(ARRAY[
	$$SELECT count(*) FROM visits WHERE country = 3 AND id <@ tstzrange '[2026-01-02,2026-01-03)'$$,
	$$SELECT * FROM visits WHERE country = 3 AND id < timestamptz '2026-01-03' ORDER BY id DESC LIMIT 3$$]) AS query :unaligned
SELECT count(*) AS visits FROM visits WHERE country = 3 AND id <@ tstzrange '[2026-01-02,2026-01-03)';

-- The country may come out of the id itself.
CREATE TABLE rides (id iuid NOT NULL);
INSERT INTO rides
SELECT gen_iuid_at('2026-01-01'::timestamptz + n * interval '1 minute', n % 5, 1)
FROM generate_series(0, 9999) AS n;
CREATE INDEX rides_country ON rides (iuid_country(id), id);
VACUUM (ANALYZE) rides;
SELECT index_used($$
	SELECT id
	FROM rides
	WHERE iuid_country(id) = 3 AND id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-03'$$);
SELECT count(*) AS rides
FROM rides
WHERE iuid_country(id) = 3 AND id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-03';

-- A partial index since a moment serves what certainly lies behind it.
ALTER TABLE log DROP CONSTRAINT log_pkey;
CREATE INDEX log_february ON log (id) WHERE id >= timestamptz '2026-02-01 00:00+00';
DROP INDEX rides_country;
CREATE INDEX rides_later ON rides (id) WHERE id >= timestamptz '2026-01-05 00:00+00';
PREPARE log_since(timestamptz) AS SELECT count(*) AS rows FROM log WHERE id >= $1;
SET plan_cache_mode = force_generic_plan;
SELECT query, index_used(query) FROM unnest(ARRAY[
	$$SELECT FROM log WHERE id >= timestamptz '2026-02-01'$$,
	$$SELECT FROM log WHERE id > timestamptz '2026-02-03'$$,
	$$SELECT FROM log WHERE id <@ tstzrange '[2026-02-02,2026-02-03)'$$,
	$$SELECT FROM log WHERE tstzrange '[2026-02-02,2026-02-03)' @> id$$,
	$$SELECT FROM log WHERE id > '019c167f-cc00-7000-8000-000000000000'$$,
	$$SELECT FROM log WHERE id >= timestamptz '2026-01-31 23:59:59.999'$$,
	$$SELECT FROM log WHERE id < timestamptz '2026-03-01'$$,
	$$SELECT FROM log WHERE id > now()$$,
	$$EXECUTE log_since('2026-02-02')$$,
	$$SELECT FROM rides WHERE id >= timestamptz '2026-01-05'$$,
	$$SELECT FROM rides WHERE id <@ tstzrange '[2026-01-05,2026-01-06)'$$,
	$$SELECT FROM rides WHERE id >= timestamptz '2026-01-04 23:59:59.999'$$
]) AS query;
RESET plan_cache_mode;
-- a moment that depends on the session cannot be in an index
CREATE INDEX ON log (id) WHERE id >= date '2026-02-01';
CREATE INDEX ON log (id) WHERE id >= now();

DROP TABLE log, visits, rides;
DROP FUNCTION pages_read, index_used, scans, scans_by;
