-- Time predicates: what the planner makes of each, and when it leaves them alone.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/how_read.sql
\i :test/include/plan_of.sql
\i :test/include/scans.sql
SET intervalstyle = postgres_verbose;
SET max_parallel_workers_per_gather = 0;

CREATE TABLE seen (id uuid, iuid iuid, at timestamptz, period tstzrange, periods tstzmultirange);

-- The condition that a query is left with.  From 19 on sub-plans have names.
CREATE FUNCTION filter_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (COSTS OFF, FORMAT JSON) ' || query INTO plan;
	RETURN regexp_replace(plan #>> '{0,Plan,Filter}', 'SubPlan \w+', 'SubPlan');
END $$;
CREATE FUNCTION planned(condition text) RETURNS text RETURN filter_of('SELECT FROM seen WHERE ' || condition);
-- with the boundaries' zeros left out, and each of its comparisons on a line
CREATE FUNCTION planned_by_line(condition text) RETURNS text
	RETURN regexp_replace(regexp_replace(planned(condition), '-\d{4}-0{4}-0{12}', '-…', 'g'), ' (AND|OR) ', E'\n\\1 ', 'g');

-- Each function that asks for support, with a constant and with a column.
SELECT proname, planned_by_line(format('uidext_internal.%s(%s, %s)', proname, arguments[1], arguments[2])) AS constant,
	planned_by_line(format('uidext_internal.%s(%s, %s)', proname, columns[1], columns[2])) AS "column"
FROM pg_proc,
	LATERAL (SELECT array_agg(CASE type
			WHEN 'timestamptz'::regtype THEN $$timestamptz '2026-01-01 00:00:00.001'$$
			WHEN 'uidext_internal.period'::regtype THEN $$tstzrange '[2026-01-01,2026-02-01)'$$
			WHEN 'uidext_internal.periods'::regtype THEN $$tstzmultirange '{[2026-01-01,2026-02-01),(2026-03-01,)}'$$
			ELSE column_name END ORDER BY n),
		array_agg(column_name ORDER BY n)
	FROM unnest(proargtypes) WITH ORDINALITY AS a(type, n)
		JOIN (VALUES ('uuid'::regtype, 'id'), ('timestamptz'::regtype, 'at'), ('uidext_internal.period'::regtype, 'period'),
			('uidext_internal.periods'::regtype, 'periods')) AS c(of_type, column_name)
			ON of_type = type) AS v(arguments, columns)
WHERE prosupport = 'uidext_internal.id_predicate_support'::regproc AND 'uuid'::regtype = ANY (proargtypes::regtype[])
ORDER BY proname COLLATE "C";

-- Ids of type iuid and of domains are compared as uuids.
CREATE DOMAIN trip_id AS iuid;
CREATE DOMAIN other_id AS uuid;
ALTER TABLE seen ADD trip trip_id, ADD other other_id, ADD day date;
SELECT condition, planned_by_line(condition) AS planned FROM unnest(ARRAY[
	'iuid >= at', 'at > iuid', 'NOT iuid < at', 'iuid <@ period', 'period @> iuid', 'periods @> iuid',
	'trip >= at', 'other >= at', 'iuid >= day',
	'id >= day::timestamp', 'trip <@ period'
]) AS condition;

-- Periods of domains, with a check or without, are read as what these are made of.
CREATE DOMAIN stay AS tstzrange;
CREATE DOMAIN finite_stay AS stay CHECK (NOT upper_inf(VALUE));
CREATE DOMAIN stays AS tstzmultirange;
ALTER TABLE seen ADD stay stay, ADD finite finite_stay, ADD stays stays;
SELECT condition, planned_by_line(condition) AS planned FROM unnest(ARRAY[
	'id <@ stay', 'finite @> iuid', 'id <@ stays', $$id <@ stay '[2026-01-01,2026-02-01)'$$,
	$$id <@ finite_stay '[2026-01-01,2026-02-01)'$$,
	$$stays '{[2026-01-01,2026-02-01),(2026-03-01,)}' @> iuid$$,
	$$id <@ period::finite_stay::stay::tstzrange$$,
	'id <@ period::finite_stay'
]) AS condition;
SELECT count(*) AS within FROM (VALUES (uuid_boundary('2026-01-01'))) AS v(id) WHERE id <@ finite_stay '[2026-01-01,)';
SET plan_cache_mode = force_generic_plan;
PREPARE stays (stay, finite_stay, stays) AS SELECT FROM seen WHERE id <@ $1 AND id <@ $2 AND $3 @> id;
SELECT regexp_split_to_table(
	filter_of($$EXECUTE stays('[2026-01-01,)', '[2026-01-01,2026-02-01)', '{[2026-01-01,)}')$$),
	' AND ') AS comparisons;
RESET plan_cache_mode;
DEALLOCATE stays;

-- Several periods.
SELECT condition, planned_by_line(condition) AS planned FROM unnest(ARRAY[
	$$id <@ tstzmultirange '{[2026-01-01,2026-02-01)}'$$,
	$$id <@ tstzmultirange '{}'$$,
	$$NOT id <@ tstzmultirange '{[2026-01-01,2026-02-01),[2026-03-01,2026-04-01)}'$$,
	$$uuid_from_sqlserver(id) <@ tstzmultirange '{[2026-01-01,2026-02-01),(2026-03-01,)}'$$,
	$$id <@ NULL::tstzmultirange$$,
	$$id <@ multirange(tstzrange(now(), NULL))$$,
	$$uuid '019b76da-a800-7000-8000-000000000000' <@ periods$$
]) AS condition;
-- What is checked beside the comparisons is one value of each row, also beside a function that returns several.
CREATE FUNCTION nodes_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (COSTS OFF, FORMAT JSON) ' || query INTO plan;
	RETURN (SELECT string_agg(node #>> '{}', ', ') FROM jsonb_path_query(plan, 'strict $.**."Node Type"') AS node);
END $$;
SELECT nodes_of('SELECT generate_series(1, 2), id <@ periods FROM seen') AS one_node_beside_the_scan;
DROP FUNCTION nodes_of;
-- With more than a hundred of them the row is not compared with each.
SELECT n,
	planned(format('id <@ %L::tstzmultirange', range_agg(tstzrange(day, day + interval '1 hour'))))
		~ ' OR ' AS compared_with_each
FROM unnest('{100,101}'::int[]) AS n,
	generate_series(
		'2026-01-01'::timestamptz, '2026-01-01'::timestamptz + (n - 1) * interval '1 day', '1 day') AS day
GROUP BY n ORDER BY n;

-- Whoever writes the bounds by hand gets the same plan.
CREATE TABLE events (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE events_01 PARTITION OF events FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2026-02-01'));
CREATE TABLE events_02 PARTITION OF events FOR VALUES FROM (uuid_boundary('2026-02-01')) TO (uuid_boundary('2026-03-01'));
CREATE TABLE rides (id iuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE rides_01 PARTITION OF rides FOR VALUES FROM (iuid_boundary('2026-01-01')) TO (iuid_boundary('2026-02-01'));
CREATE TABLE rides_02 PARTITION OF rides FOR VALUES FROM (iuid_boundary('2026-02-01')) TO (iuid_boundary('2026-03-01'));
INSERT INTO events SELECT gen_uuidv7_at(at) FROM generate_series('2026-01-01'::timestamptz, '2026-02-28', '1 hour') AS at;
INSERT INTO rides SELECT gen_iuid_at(at, 76, 1) FROM generate_series('2026-01-01'::timestamptz, '2026-02-28', '1 hour') AS at;
ANALYZE events, rides;
SELECT predicate, plan_of(from_where || predicate) = plan_of(from_where || by_hand) AS same,
	plan_of(from_where || predicate) ~ '_01 .*_02 ' AS both_partitions
FROM (VALUES
	('events', $$id >= timestamptz '2026-01-10' AND id < timestamptz '2026-01-11'$$,
		$$id >= uuid_boundary('2026-01-10') AND id < uuid_boundary('2026-01-11')$$),
	('events', $$id <@ tstzrange '[2026-01-10,2026-01-11)'$$,
		$$id >= uuid_boundary('2026-01-10') AND id < uuid_boundary('2026-01-11')$$),
	('events', $$id <= timestamptz '2026-01-31 23:59:59.9995'$$, $$id < uuid_boundary('2026-02-01')$$),
	('events', $$timestamptz '2026-01-10' <= id AND NOT (id >= timestamptz '2026-01-11')$$,
		$$id >= uuid_boundary('2026-01-10') AND id < uuid_boundary('2026-01-11')$$),
	('events', $$id < timestamptz '2026-01-02' OR id > timestamptz '2026-02-27'$$,
		$$id < uuid_boundary('2026-01-02') OR id >= uuid_boundary('2026-02-27 00:00:00.001')$$),
	('events', $$id <@ tstzmultirange '{[2026-01-10,2026-01-11),[2026-01-12,2026-01-13)}'$$,
		$$
			id >= uuid_boundary('2026-01-10') AND id < uuid_boundary('2026-01-11')
				OR id >= uuid_boundary('2026-01-12') AND id < uuid_boundary('2026-01-13')$$),
	('rides', $$id >= timestamptz '2026-02-02' AND id < timestamptz '2026-02-03'$$,
		$$id >= uuid_boundary('2026-02-02') AND id < uuid_boundary('2026-02-03')$$),
	('rides', $$NOT (id < timestamptz '2026-02-02') AND NOT (timestamptz '2026-02-03' <= id)$$,
		$$id >= uuid_boundary('2026-02-02') AND id < uuid_boundary('2026-02-03')$$),
	('rides', $$tstzrange '[2026-02-02,2026-02-03)' @> id$$,
		$$id >= uuid_boundary('2026-02-02') AND id < uuid_boundary('2026-02-03')$$)
) AS v(name, predicate, by_hand), LATERAL (SELECT 'SELECT * FROM ' || name || ' WHERE ') AS q(from_where);

-- Known periods are apart, so that what lies between them is not read.
SET enable_seqscan = off;
SELECT scans_by($$SELECT * FROM events WHERE id <@ tstzmultirange '{[2026-01-10,2026-01-11),[2026-02-10,2026-02-11)}'$$) AS scan;
SET enable_bitmapscan = off;
SELECT scans_by($$SELECT * FROM events WHERE tstzmultirange '{(,2026-01-11)}' @> id$$) AS scan;

-- Comparisons with a time neither leak nor raise errors, so that they reach the
-- index through row security also with a time from elsewhere.
CREATE ROLE regress_uidext_reader;
GRANT SELECT ON rides TO regress_uidext_reader;
ALTER TABLE rides ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON rides USING (left(id::text, 1) = '0');
SET ROLE regress_uidext_reader;
SELECT condition, planned, read, scans
FROM unnest('{id >= since AND id < until,id > since AND id <= until}'::text[]) AS condition,
	how_read(
		'
			SELECT id
			FROM unnest(''{2026-01-10}''::timestamptz[], ''{2026-01-11}''::timestamptz[]) AS periods(since, until)
			JOIN rides ON '
			|| condition);
RESET ROLE;
ALTER TABLE rides DISABLE ROW LEVEL SECURITY;
REVOKE ALL ON rides FROM regress_uidext_reader;
DROP ROLE regress_uidext_reader;
RESET enable_seqscan;
RESET enable_bitmapscan;

-- Where both are known the result is, too.
SELECT planned($$id IS NULL AND uuid '019b76da-a800-7000-8000-000000000000' < timestamptz '2026-01-01 00:00:00.0005'$$) AS "true",
	planned($$id IS NULL AND (uuid '019b76da-a800-7000-8000-000000000000' <@ tstzrange 'empty' OR id IS NULL)$$) AS "false",
	planned('id < NULL::timestamptz OR id IS NULL') AS "null";

-- A period is used twice, so one that is volatile, expensive or a sub-select is left
-- alone, and evaluated once a row; so is such an id.  A time is used once in any case.
CREATE SEQUENCE calls;
CREATE FUNCTION volatile_time() RETURNS timestamptz LANGUAGE plpgsql VOLATILE
AS $$ BEGIN PERFORM nextval('calls'); RETURN timestamptz '2026-02-01'; END $$;
CREATE FUNCTION volatile_period() RETURNS tstzrange LANGUAGE plpgsql VOLATILE
AS $$ BEGIN PERFORM nextval('calls'); RETURN tstzrange '[2026-02-01,2026-02-02)'; END $$;
CREATE FUNCTION volatile_id(id uuid) RETURNS uuid LANGUAGE plpgsql VOLATILE
AS $$ BEGIN PERFORM nextval('calls'); RETURN id; END $$;
CREATE FUNCTION stable_period() RETURNS tstzrange LANGUAGE plpgsql STABLE
AS $$ BEGIN RETURN tstzrange '[2026-02-01,2026-02-02)'; END $$;
CREATE FUNCTION stable_day(at timestamptz) RETURNS tstzrange LANGUAGE plpgsql STABLE
AS $$ BEGIN RETURN tstzrange(at, at + interval '1 day'); END $$;
CREATE FUNCTION volatile_periods() RETURNS tstzmultirange LANGUAGE plpgsql VOLATILE
AS $$ BEGIN PERFORM nextval('calls'); RETURN tstzmultirange '{[2026-02-01,2026-02-02),[2026-02-03,2026-02-04)}'; END $$;
CREATE FUNCTION stable_periods() RETURNS tstzmultirange LANGUAGE plpgsql STABLE
AS $$ BEGIN RETURN tstzmultirange '{[2026-02-01,2026-02-02),[2026-02-03,2026-02-04)}'; END $$;
SELECT condition, planned_by_line(condition) AS planned FROM unnest(ARRAY[
	'id >= volatile_time()',
	'id <@ volatile_period()',
	'volatile_period() @> iuid',
	'volatile_id(id) <@ period',
	'volatile_id(id) < at',
	'id <@ stable_period()',
	'id <@ stable_day(at)',
	'id <@ (SELECT period)',
	'(SELECT id) <@ period',
	'(SELECT period) @> iuid',
	'id <@ tstzrange(at, at + interval ''1 hour'')',
	'id <@ volatile_periods()',
	'id <@ stable_periods()',
	'id >= (SELECT at)'
]) AS condition;
CREATE FUNCTION calls_of(query text, OUT rows bigint, OUT calls bigint) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM setval('calls', 1, false);
	EXECUTE 'SELECT count(*) FROM ' || query INTO rows;
	calls := currval('calls');
END $$;
SELECT (SELECT count(*) FROM events) AS all_events, (SELECT count(*) FROM rides) AS all_rides;
SELECT query, rows, calls FROM unnest(ARRAY[
	'events WHERE id >= volatile_time()',
	'events WHERE id <@ volatile_period()',
	'rides WHERE volatile_period() @> id',
	'events WHERE id <@ volatile_periods()',
	$$events WHERE volatile_id(id) <@ tstzrange '[2026-02-01,2026-02-02)'$$,
	$$events WHERE volatile_id(id) <@ tstzmultirange '{[2026-02-01,2026-02-02),[2026-02-03,2026-02-04)}'$$,
	$$rides WHERE volatile_id(id) >= timestamptz '2026-02-01'$$
]) AS query, calls_of(query);
SELECT count(*) AS events FROM events WHERE id <@ (SELECT tstzrange '[2026-02-01,2026-02-02)' OFFSET 0);
SELECT count(*) AS rides FROM rides WHERE (SELECT tstzrange '[2026-02-01,2026-02-02)' OFFSET 0) @> id;
SELECT count(*) AS events FROM events WHERE id <@ stable_period();
SELECT count(*) AS events FROM events WHERE id <@ stable_periods();

-- What is left alone uses the index all the same, wherever that is on the id or on the
-- time, if it is of the ordinary order.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
CREATE TABLE logged (id uuid, at timestamptz);
CREATE INDEX logged_id ON logged (id);
CREATE INDEX logged_at ON logged (at);
INSERT INTO logged SELECT gen_uuidv7_at(at), at FROM generate_series('2026-02-01'::timestamptz, '2026-02-08', '1 hour') AS at;
ANALYZE logged;
CREATE FUNCTION access_of(condition text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	-- majors name the sub-select differently
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) SELECT count(*) FROM logged WHERE ' || condition LOOP
		CONTINUE WHEN line ~ 'Aggregate|InitPlan [^)]*( .returns|$)|Result';
		RETURN NEXT trim(regexp_replace(line, '\$0|\(InitPlan \w+\)\.col1', '(sub-select)', 'g'));
	END LOOP;
END $$;
CREATE FUNCTION rows_of(condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	found bigint;
BEGIN
	EXECUTE 'SELECT count(*) FROM logged WHERE ' || condition INTO found;
	RETURN found;
END $$;
SELECT condition, rows_of(condition),
	(
		SELECT string_agg(line, E'\n' ORDER BY n)
		FROM access_of(condition) WITH ORDINALITY AS a(line, n)) AS access
FROM unnest(ARRAY[
	$$id <@ (SELECT tstzrange '[2026-02-02,2026-02-03)')$$,
	$$(SELECT tstzrange '(,2026-02-02]') @> id$$,
	$$id <@ (SELECT tstzmultirange '{[2026-02-01,2026-02-02),[2026-02-03,2026-02-04)}')$$,
	$$(SELECT tstzmultirange '{}') @> id$$,
	'id <@ stable_period()',
	'stable_periods() @> id',
	'uidext_internal.id_in_tstzrange(id, stable_period())',
	$$at > uuid '019c195c-fc00-7000-8000-000000000001'$$,
	$$at >= uuid '019c195c-fc00-7000-8000-000000000001'$$,
	$$at < uuid '019c195c-fc00-7000-8000-000000000001'$$,
	$$at <= uuid '019c195c-fc00-7000-8000-000000000001'$$,
	$$uuid '019c195c-fc00-7000-8000-000000000001' < at$$,
	$$uuid '019c195c-fc00-7000-8000-000000000001' >= at$$,
	$$at > (SELECT uuid '019c195c-fc00-7000-8000-000000000001')$$,
	$$at >= iuid_boundary('2026-02-07')$$,
	$$at >= uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'$$,
	$$at <= uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'$$,
	$$at > uuid '00000000-0000-0000-0000-000000000000'$$
]) AS condition;
PREPARE since(uuid) AS SELECT count(*) AS rows FROM logged WHERE at >= $1;
SET plan_cache_mode = force_generic_plan;
SELECT scans_by($$EXECUTE since('019c195c-fc00-7000-8000-000000000001')$$) AS scan;
EXECUTE since('019c195c-fc00-7000-8000-000000000001');
RESET plan_cache_mode;
-- the last of all times, and the id above all
INSERT INTO logged VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'infinity');
SELECT condition, rows_of(condition) FROM unnest(ARRAY[
	$$at >= uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'$$,
	$$at < uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'$$,
	$$id <@ (SELECT tstzrange '(,)')$$,
	$$id <@ (SELECT tstzmultirange '{(,)}')$$,
	$$id <@ tstzmultirange '{(,)}'$$
]) AS condition;
-- an index that sorts otherwise, and one of BRIN
DROP INDEX logged_id;
CREATE INDEX logged_sqlserver ON logged (id uuid_sqlserver_ops);
SELECT access_of('id <@ stable_period()');
DROP INDEX logged_sqlserver;
CREATE INDEX logged_brin ON logged USING brin (id) WITH (pages_per_range = 1);
SET enable_bitmapscan = on;
SELECT access_of('id <@ stable_period()');
RESET enable_seqscan;
RESET enable_bitmapscan;
DROP TABLE logged;

-- A view keeps the operator, and so does a constraint.
CREATE VIEW january AS SELECT id FROM events WHERE id <@ tstzrange '[2026-01-01 00:00+00,2026-02-01 00:00+00)';
SELECT pg_get_viewdef('january') ~ 'id <@ ' AS kept;
SELECT plan_of('SELECT * FROM january')
	= plan_of($$
		SELECT * FROM events WHERE id >= uuid_boundary('2026-01-01') AND id < uuid_boundary('2026-02-01')$$)
		AS same;
CREATE TABLE checked (id uuid CHECK (id >= timestamptz '2026-01-01 00:00+00'));
INSERT INTO checked VALUES (uuid_boundary('2026-01-01 00:00+00')), (NULL);
INSERT INTO checked VALUES (uuid_boundary('2025-12-31 23:59:59.999+00'));
SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'checked'::regclass;

-- The planner changes the two comparisons of a period separately when it pulls up
-- a sub-select.
INSERT INTO seen (id, period)
VALUES (uuid_boundary('2026-01-10'), '[2026-01-10,2026-01-11)'),
	(uuid_boundary('2026-01-12'), '[2026-01-10,2026-01-11)');
SELECT n, id, inside
FROM generate_series(1, 2) AS n, (SELECT id, inside FROM seen, generate_series(1, (id <@ period)::int) AS inside) AS s
ORDER BY n;

-- Without the functions that make the bounds, the predicate itself answers.
BEGIN;
ALTER FUNCTION uidext_internal.uuid_boundary_after(timestamptz) RENAME TO renamed;
ALTER FUNCTION uidext_internal.uuid_range_upper(tstzrange) RENAME TO renamed;
SELECT condition, planned_by_line(condition) AS planned
FROM unnest('{id > at,id <@ period,id <@ periods,id >= at}'::text[]) AS condition;
SELECT (SELECT count(*) FROM events WHERE id > timestamptz '2026-02-27') AS events,
	(SELECT count(*) FROM rides WHERE id >= timestamptz '2026-02-27') AS rides;
ROLLBACK;

DROP VIEW january;
DROP TABLE seen, events, rides, checked;
DROP DOMAIN trip_id, other_id, stays, finite_stay, stay;
DROP SEQUENCE calls;
DROP FUNCTION planned, planned_by_line, filter_of, plan_of, how_read, scans, scans_by, calls_of, volatile_time,
	volatile_period, volatile_id, stable_period, stable_day, volatile_periods, stable_periods, access_of,
	rows_of;
