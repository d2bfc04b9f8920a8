-- For bench/differential: says which of the queries of
-- test/include/planner_differential.sql are planned in another way with the
-- estimates, which of these are slower, and why.

CREATE TABLE error AS TABLE differential_errors;
CREATE VIEW result AS
	SELECT coalesce(form, 'all') AS form, coalesce(shape, 'all') AS shape, coalesce(state, 'all') AS state,
		coalesce(period, 'all') AS period,
		count(*) AS queries,
		percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY "on")::numeric(12, 2)[] AS "on",
		percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY tables)::numeric(12, 2)[] AS tables,
		percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY off)::numeric(12, 2)[] AS off,
		percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY by_time)::numeric(12, 2)[] AS by_time
	FROM error GROUP BY GROUPING SETS ((), (period), (form), (shape, state))
	ORDER BY GROUPING(form, shape, period) DESC, 1, 2, 3, 4;
CREATE VIEW wrong AS
	SELECT position AS query, form, shape, state, period, come, wrong FROM error WHERE wrong <> '{}' ORDER BY position;

-- A way is what differential_use() takes, or "time" for the table by timestamptz,
-- "cached" behind it if PostgreSQL shall know that all pages are in memory.
CREATE FUNCTION explain(query differential_query, way text, options text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	PERFORM differential_use(CASE WHEN way = 'time' THEN 'off' ELSE split_part(way, ' ', 1) END);
	PERFORM set_config('random_page_cost', CASE WHEN way LIKE '% cached' THEN '1.1' ELSE '4' END, true);
	EXECUTE format('EXPLAIN (%s, FORMAT JSON) %s', options,
		CASE way WHEN 'time' THEN query.by_at ELSE query.by_id END) INTO plan;
	RETURN plan -> 0;
END $$;

--
-- Which queries have another plan: the others cannot be slower
--

CREATE TABLE plans AS
	SELECT position, explain(query, 'on', 'COSTS OFF')::text AS "on", explain(query, 'tables', 'COSTS OFF')::text AS tables,
		explain(query, 'off', 'COSTS OFF')::text AS off
	FROM differential_query AS query;
CREATE VIEW other_plans AS
	SELECT count(*) AS queries, count(*) FILTER (WHERE tables <> off) AS "tables beside off",
		count(*) FILTER (WHERE "on" <> off) AS "on beside off", count(*) FILTER (WHERE "on" <> tables) AS "on beside tables"
	FROM plans;

--
-- Milliseconds of those
--

CREATE FUNCTION run_ms(query differential_query, way text) RETURNS float8
	RETURN (explain(query, way, 'ANALYZE, TIMING OFF') ->> 'Execution Time')::float8;
-- Pages that a query asks for, the same each time.
CREATE FUNCTION run_pages(query differential_query, way text) RETURNS int
	RETURN (SELECT (plan ->> 'Shared Hit Blocks')::int + (plan ->> 'Shared Read Blocks')::int
		FROM (SELECT explain(query, way, 'ANALYZE, TIMING OFF, BUFFERS') -> 'Plan') AS explained(plan));
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

CREATE TABLE first_runs AS
	SELECT position, (ms ->> 'on')::float8 AS "on", (ms ->> 'tables')::float8 AS tables, (ms ->> 'off')::float8 AS off
	FROM differential_query AS query JOIN plans USING (position), LATERAL run_ways(query, '{on, tables, off}', 3) AS ms
	WHERE plans."on" <> plans.off OR plans.tables <> plans.off;
CREATE VIEW times AS
	SELECT way AS estimates, sum(ms)::numeric(12, 0) AS ms, count(*) FILTER (WHERE off > 1.5 * ms) AS "faster than off",
		count(*) FILTER (WHERE ms > 1.5 * off) AS "slower than off"
	FROM first_runs, LATERAL (VALUES ('on', "on"), ('tables', tables), ('off', off)) AS of_way(way, ms)
	GROUP BY way ORDER BY ms;

-- Is it so again?  Below a tenth of a millisecond, all is noise.
CREATE TABLE again AS
	SELECT position, (ms ->> 'on')::float8 AS "on", (ms ->> 'tables')::float8 AS tables, (ms ->> 'off')::float8 AS off,
		(ms ->> 'time')::float8 AS by_time, (ms ->> 'on cached')::float8 AS on_cached,
		(ms ->> 'tables cached')::float8 AS tables_cached, (ms ->> 'off cached')::float8 AS off_cached,
		run_pages(query, 'on') AS on_pages, run_pages(query, 'tables') AS tables_pages, run_pages(query, 'off') AS off_pages
	FROM first_runs JOIN differential_query AS query USING (position), LATERAL run_ways(query, :'ways', 15) AS ms
	WHERE greatest("on", tables) > 0.1 AND greatest("on" / tables, "on" / off, tables / off) > 1.3;

--
-- What was slower, with what speaks for its reason
--

CREATE VIEW comparison AS
	SELECT query.*, compared.*, again."on" AS on_ms, again.by_time AS at_ms
	FROM again JOIN plans USING (position) JOIN differential_query AS query USING (position) JOIN error USING (position),
		LATERAL (VALUES
			('tables beside off', plans.tables <> plans.off, again.tables, again.off, tables_cached, off_cached,
				tables_pages, off_pages, error.tables, error.off),
			('on beside off', plans."on" <> plans.off, again."on", again.off, on_cached, off_cached,
				on_pages, off_pages, error."on", error.off),
			('on beside tables', plans."on" <> plans.tables, again."on", again.tables, on_cached, tables_cached,
				on_pages, tables_pages, error."on", error.tables))
			AS compared(compared, is_other, ms, other_ms, cached, other_cached, pages, other_pages, error_here, error_there)
	WHERE is_other;
CREATE VIEW slower AS
	SELECT *, CASE WHEN at_ms > 1.3 * other_ms THEN 'PostgreSQL takes as long by timestamptz'
			WHEN error_here > 1.1 * error_there AND on_ms < 1.3 * other_ms THEN 'not with uidext.join_estimates'
			WHEN cached < 1.5 * other_cached THEN 'not with random_page_cost = 1.1'
			WHEN error_here <= 1.1 * error_there THEN 'expected rows are no worse'
			ELSE 'expected rows are worse' END AS reason
	FROM comparison WHERE ms > 0.1 AND ms > 1.5 * other_ms;
CREATE VIEW slower_by_reason AS
	SELECT compared, reason, count(*) AS queries, max(ms / other_ms)::numeric(12, 1) AS "times, at most",
		max(ms - other_ms)::numeric(12, 2) AS "ms more, at most", sum(ms - other_ms)::numeric(12, 2) AS "ms more, in all"
	FROM slower GROUP BY compared, reason ORDER BY compared DESC, reason;
CREATE VIEW slower_queries AS
	SELECT compared, position AS query, form, shape, state, period,
		ms::numeric(12, 2), other_ms::numeric(12, 2) AS "other ms", at_ms::numeric(12, 2) AS "by time",
		cached::numeric(12, 2), other_cached::numeric(12, 2) AS "other cached", pages, other_pages AS "other pages",
		error_here::numeric(12, 1) AS error, error_there::numeric(12, 1) AS "other error", reason
	FROM slower ORDER BY compared DESC, reason, ms - other_ms DESC;
CREATE VIEW slower_texts AS
	SELECT slower_queries.*, regexp_replace(by_id, '\s+', ' ', 'g') AS text
	FROM slower_queries JOIN differential_query ON position = query;
