-- For bench/differential: runs the queries of test/include/planner_differential.sql,
-- and says which were slower, and why.

CREATE TABLE error AS TABLE differential_errors;
CREATE VIEW result AS
	SELECT coalesce(form, 'all') AS form, coalesce(shape, 'all') AS shape, coalesce(state, 'all') AS state,
		count(*) AS queries,
		percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY "on")::numeric(12, 2)[] AS "on",
		percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY tables)::numeric(12, 2)[] AS tables,
		percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY off)::numeric(12, 2)[] AS off,
		percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY by_time)::numeric(12, 2)[] AS by_time
	FROM error GROUP BY GROUPING SETS ((), (form), (shape, state))
	ORDER BY GROUPING(form, shape) DESC, 1, 2, 3;

--
-- Milliseconds
--

-- A way is what differential_use() takes, or "time" for the table by timestamptz,
-- "cached" behind it if PostgreSQL shall know that all pages are in memory.
CREATE FUNCTION run_ms(query differential_query, way text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	PERFORM differential_use(CASE WHEN way = 'time' THEN 'off' ELSE split_part(way, ' ', 1) END);
	PERFORM set_config('random_page_cost', CASE WHEN way LIKE '% cached' THEN '1.1' ELSE '4' END, true);
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) '
		|| CASE way WHEN 'time' THEN query.by_at ELSE query.by_id END INTO plan;
	RETURN (plan -> 0 ->> 'Execution Time')::float8;
END $$;
-- The least of so many runs, in random order: other processes interrupt some of them.
CREATE FUNCTION run_ways(query differential_query, ways text[], times int) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	way text;
	ms jsonb := '{}';
BEGIN
	FOR way IN SELECT each FROM unnest(ways) AS each, generate_series(1, times) ORDER BY random() LOOP
		ms := ms || jsonb_build_object(way, least((ms ->> way)::float8, run_ms(query, way)));
	END LOOP;
	RETURN ms;
END $$;

CREATE TABLE once AS
	SELECT position, (ms ->> 'on')::float8 AS "on", (ms ->> 'tables')::float8 AS tables, (ms ->> 'off')::float8 AS off
	FROM differential_query AS query, LATERAL run_ways(query, '{on, tables, off}', 1) AS ms;
CREATE VIEW times AS
	SELECT way AS estimates, round(sum(ms)) AS ms, count(*) FILTER (WHERE off > 1.5 * ms) AS "faster than off",
		count(*) FILTER (WHERE ms > 1.5 * off) AS "slower than off"
	FROM once, LATERAL (VALUES ('on', "on"), ('tables', tables), ('off', off)) AS of_way(way, ms)
	GROUP BY way ORDER BY ms;

-- Is it so again?  Below a fifth of a millisecond, all is noise.
CREATE FUNCTION differs("on" float8, tables float8, off float8) RETURNS bool IMMUTABLE
	RETURN greatest("on", tables) > 0.2
		AND (greatest("on", tables) > 1.3 * off OR greatest("on", tables) > 1.3 * least("on", tables));
CREATE TABLE twice AS
	SELECT position, (ms ->> 'on')::float8 AS "on", (ms ->> 'tables')::float8 AS tables, (ms ->> 'off')::float8 AS off
	FROM once JOIN differential_query AS query USING (position), LATERAL run_ways(query, '{on, tables, off}', 3) AS ms
	WHERE differs("on", tables, off);
CREATE TABLE again AS
	SELECT position, (ms ->> 'on')::float8 AS "on", (ms ->> 'tables')::float8 AS tables, (ms ->> 'off')::float8 AS off,
		(ms ->> 'time')::float8 AS by_time, (ms ->> 'on cached')::float8 AS on_cached,
		(ms ->> 'tables cached')::float8 AS tables_cached, (ms ->> 'off cached')::float8 AS off_cached
	FROM twice JOIN differential_query AS query USING (position), LATERAL run_ways(query, :'ways', 15) AS ms
	WHERE differs("on", tables, off);

--
-- What was slower, with what speaks for its reason
--

CREATE VIEW comparison AS
	SELECT query.*, compared.*, again.by_time AS at_ms
	FROM again JOIN differential_query AS query USING (position) JOIN error USING (position),
		LATERAL (VALUES ('tables beside off', again.tables, again.off, tables_cached, off_cached, error.tables, error.off),
			('on beside off', again."on", again.off, on_cached, off_cached, error."on", error.off),
			('on beside tables', again."on", again.tables, on_cached, tables_cached, error."on", error.tables))
			AS compared(compared, ms, other_ms, cached, other_cached, error_here, error_there);
CREATE VIEW joins AS
	SELECT count(*) FILTER (WHERE tables > 1.5 * "on") AS faster,
		(sum(tables - "on") FILTER (WHERE tables > 1.5 * "on"))::numeric(12, 1) AS "ms less",
		count(*) FILTER (WHERE "on" > 1.5 * tables) AS slower,
		(sum("on" - tables) FILTER (WHERE "on" > 1.5 * tables))::numeric(12, 1) AS "ms more",
		max("on" - tables)::numeric(12, 2) AS "ms more, at most"
	FROM again WHERE greatest("on", tables) > 0.2;
CREATE VIEW slower AS
	SELECT *, CASE WHEN at_ms > 1.3 * other_ms THEN 'PostgreSQL takes as long by timestamptz'
			WHEN cached < 1.5 * other_cached THEN 'not with random_page_cost = 1.1'
			WHEN error_here <= 1.1 * error_there THEN 'expected rows are no worse'
			ELSE 'expected rows are worse' END AS reason
	FROM comparison WHERE ms > 0.2 AND ms > 1.5 * other_ms;
CREATE VIEW slower_by_reason AS
	SELECT compared, reason, count(*) AS queries, max(ms / other_ms)::numeric(12, 1) AS "times, at most",
		max(ms - other_ms)::numeric(12, 2) AS "ms more, at most"
	FROM slower GROUP BY compared, reason ORDER BY compared DESC, reason;
CREATE VIEW slower_queries AS
	SELECT compared, form, shape, state,
		ms::numeric(12, 2), other_ms::numeric(12, 2) AS "other ms", at_ms::numeric(12, 2) AS "by time",
		cached::numeric(12, 2), other_cached::numeric(12, 2) AS "other cached", error_here::numeric(12, 1) AS error,
		error_there::numeric(12, 1) AS "other error", reason, regexp_replace(by_id, '\s+', ' ', 'g') AS query
	FROM slower ORDER BY compared DESC, reason, ms - other_ms DESC;

--
-- Planning of ten joined tables
--

CREATE FUNCTION ten_tables(period_of text) RETURNS text
	RETURN (SELECT format('SELECT FROM orders_id_plain_fresh AS o %s WHERE o.k %s',
			string_agg(format('JOIN items_id_plain_fresh AS i%s ON i%1$s.k = o.k %s', n,
				CASE period_of WHEN 'each table' THEN format('AND i%s.k %s', n, period) END), ' '), period)
		FROM generate_series(1, 9) AS n, (SELECT $$<@ tstzrange('2026-01-10Z', '2026-01-11Z')$$) AS given(period) GROUP BY period);
CREATE FUNCTION plan_ms(query text, estimates text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	PERFORM differential_use(estimates);
	FOR line IN EXECUTE 'EXPLAIN (SUMMARY) ' || query LOOP
		EXIT WHEN line LIKE 'Planning Time%';
	END LOOP;
	RETURN substring(line FROM '[\d.]+');
END $$;
SET join_collapse_limit = 10;
SET geqo = off;
CREATE TABLE planning AS
	SELECT period_of, plan_ms(ten_tables(period_of), 'on') AS "on", plan_ms(ten_tables(period_of), 'tables') AS tables,
		plan_ms(ten_tables(period_of), 'off') AS off
	FROM generate_series(1, :rounds) AS round, unnest('{each table, one table}'::text[]) AS period_of;
CREATE VIEW planning_medians AS
	SELECT period_of AS "period of", median("on")::numeric(12, 1) AS "on", median(tables)::numeric(12, 1) AS tables,
		median(off)::numeric(12, 1) AS off,
		median("on" / off)::numeric(12, 2) AS "on / off", median(tables / off)::numeric(12, 2) AS "tables / off"
	FROM planning GROUP BY period_of ORDER BY period_of;
