-- Generators as defaults: one call a row, in whatever way rows are written and
-- plans are kept

CREATE TABLE written (
	id uuid PRIMARY KEY DEFAULT gen_uuidv7(),
	comb uuid UNIQUE DEFAULT gen_comb(),
	iuid uuid UNIQUE DEFAULT gen_iuid(76, 1),
	short_comb uuid UNIQUE DEFAULT gen_short_comb(),
	v6 uuid UNIQUE DEFAULT gen_uuidv6(),
	n int GENERATED ALWAYS AS IDENTITY,
	way text NOT NULL,
	key int UNIQUE
);
CREATE TABLE ten AS SELECT generate_series(1, 10) AS key;

-- Prepared, with one generic plan
SET plan_cache_mode = force_generic_plan;
PREPARE insert_default (text) AS INSERT INTO written (way) VALUES ($1);
PREPARE insert_call (text) AS INSERT INTO written (id, way) VALUES (gen_uuidv7(), $1);
PREPARE insert_ids (text, interval) AS INSERT INTO written (id, way) SELECT gen_uuidv7($2), $1 FROM ten;
DO $$
BEGIN
	FOR i IN 1..50 LOOP
		EXECUTE 'EXECUTE insert_default (''prepared, default'')';
		EXECUTE 'EXECUTE insert_call (''prepared, call'')';
	END LOOP;
END $$;
EXECUTE insert_ids ('prepared, shift', '-1 hour');
EXECUTE insert_ids ('prepared, shift', '-1 hour');
SELECT name, generic_plans, custom_plans FROM pg_prepared_statements ORDER BY name;
PREPARE one_id AS SELECT gen_uuidv7() AS id;
EXECUTE one_id \gset first_
EXECUTE one_id \gset second_
SELECT :'second_id'::uuid > :'first_id'::uuid AS increasing;
RESET plan_cache_mode;

-- Every way to write rows
INSERT INTO written (way) VALUES ('values'), ('values'), ('values');
INSERT INTO written (id, way) VALUES (DEFAULT, 'values'), (DEFAULT, 'values');
INSERT INTO written (way) SELECT 'select' FROM ten;
INSERT INTO written (id, way) SELECT gen_uuidv7(), 'select, call' FROM ten;
INSERT INTO written (way) SELECT 'select, ordered' FROM ten ORDER BY key DESC;
COPY written (way) FROM stdin;
copy
copy
copy
\.
INSERT INTO written (way, key) SELECT 'on conflict', key FROM ten;
INSERT INTO written (way, key) SELECT 'on conflict', key FROM ten ON CONFLICT (key) DO NOTHING;
INSERT INTO written (way, key) SELECT 'on conflict', key + 5 FROM ten
	ON CONFLICT (key) DO UPDATE SET id = DEFAULT, comb = excluded.comb, way = 'on conflict, update';
MERGE INTO written AS w USING (SELECT key + 10 AS key FROM ten) AS t ON w.key = t.key
	WHEN MATCHED THEN UPDATE SET id = gen_uuidv7(), way = 'merge, update'
	WHEN NOT MATCHED THEN INSERT (way, key) VALUES ('merge, insert', t.key);
WITH added AS (INSERT INTO written (way) SELECT 'with' FROM ten RETURNING id)
	INSERT INTO written (id, way) SELECT gen_uuidv7(), 'with, twice' FROM added;
UPDATE written SET id = gen_uuidv7(), v6 = DEFAULT, way = 'update' WHERE way = 'select';
ALTER TABLE written ADD added uuid UNIQUE DEFAULT gen_uuidv7();

-- PL/pgSQL keeps plans, too
DO $$
DECLARE
	own uuid;
	row record;
	ids CURSOR FOR SELECT gen_uuidv7() AS id FROM ten;
BEGIN
	FOR i IN 1..10 LOOP
		INSERT INTO written (way) VALUES ('plpgsql, default');
		own := gen_uuidv7();
		INSERT INTO written (id, way) VALUES (own, 'plpgsql, variable');
	END LOOP;
	FOR row IN ids LOOP
		INSERT INTO written (id, way) VALUES (row.id, 'plpgsql, cursor');
	END LOOP;
END $$;
BEGIN;
DECLARE ids CURSOR WITH HOLD FOR SELECT gen_uuidv7() AS id FROM ten;
FETCH 1 FROM ids \gset first_
FETCH 1 FROM ids \gset second_
COMMIT;
FETCH 1 FROM ids \gset third_
SELECT :'first_id'::uuid < :'second_id' AND :'second_id'::uuid < :'third_id' AS increasing;
CLOSE ids;

-- No id was made twice, and each way went on from the one before.
SELECT way, count(*) AS rows FROM written GROUP BY way ORDER BY way;
SELECT count(*) AS rows, count(DISTINCT id) AS different_ids, count(DISTINCT comb) AS different_combs,
	count(DISTINCT iuid) AS different_iuids, count(DISTINCT short_comb) AS different_short_combs,
	count(DISTINCT v6) AS different_v6s, count(DISTINCT added) AS different_added
FROM written;
SELECT count(*) AS steps_back
FROM (SELECT comb, lag(comb) OVER (ORDER BY n) AS previous_comb, iuid, lag(iuid) OVER (ORDER BY n) AS previous_iuid FROM written
	WHERE way NOT LIKE '%update') AS w
WHERE comb <= previous_comb OR iuid <= previous_iuid;

-- Calls in one query: per row, and not shared by columns, joins or sub-selects
-- that depend on the row
SELECT count(DISTINCT id) AS different_ids, count(DISTINCT other) AS different_others, count(*) FILTER (WHERE id = other) AS equal
FROM (SELECT gen_uuidv7() AS id, gen_uuidv7() AS other FROM generate_series(1, 1000)) AS s;
SELECT count(DISTINCT id) AS different_ids FROM ten, LATERAL (SELECT gen_comb() AS id WHERE ten.key > 0) AS s;
SELECT count(DISTINCT (SELECT gen_comb() WHERE ten.key > 0)) AS correlated, count(DISTINCT (SELECT gen_comb())) AS once FROM ten;

-- Above a parallel plan, where two equal calls stay two
CREATE TABLE many AS SELECT generate_series(1, 5000) AS n;
ALTER TABLE many SET (parallel_workers = 2);
ANALYZE many;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
-- what a node has to compute, but not how: the SQL edition has expressions
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF, VERBOSE) ' || query LOOP
		RETURN NEXT regexp_replace(line, 'Output: .*', 'Output');
	END LOOP;
END $$;
SELECT plan_of('SELECT gen_uuidv7() AS a, gen_uuidv7() AS b FROM many');
CREATE FUNCTION equal_calls(call text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	equal bigint;
BEGIN
	EXECUTE format('CREATE TABLE twice AS SELECT %1$s AS a, %1$s AS b FROM many', call);
	EXECUTE 'SELECT count(*) FROM twice WHERE a::text = b::text' INTO equal;
	DROP TABLE twice;
	RETURN equal;
END $$;
SELECT call, equal_calls(call)
FROM unnest('{gen_uuidv7(),gen_uuidv7(''1 day''),gen_uuidv7_at(now()),gen_comb(),gen_comb_at(now()),
	gen_suffix_comb(),gen_suffix_comb_at(now()),gen_short_comb(),gen_short_comb_at(now()),gen_short_suffix_comb(),
	gen_uuidv1(),gen_uuidv6(),gen_uuidv6_at(now()),gen_uuidv13(),gen_ulid(),gen_ulid_at(now())}'::text[]) AS call
UNION ALL SELECT call, equal_calls(call)
FROM unnest(ARRAY['gen_iuid(76, 1)', 'gen_iuid_at(now(), 76, 1)', $$uid_generate('ksuid')$$]) AS call;
DROP FUNCTION equal_calls;
CREATE TABLE made AS
SELECT gen_uuidv7() AS id, gen_uuidv7() AS other, gen_comb() AS comb, gen_iuid(76, 1) AS iuid,
	gen_short_comb() AS short_comb
FROM many;
SELECT count(*) AS made, count(*) FILTER (WHERE id = other) AS equal, count(DISTINCT id) AS different_ids,
	count(DISTINCT comb) AS different_combs,
	count(DISTINCT iuid) AS different_iuids,
	count(DISTINCT short_comb) AS different_short_combs FROM made;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

DROP TABLE written, ten, many, made;
DROP FUNCTION plan_of;
DEALLOCATE ALL;
