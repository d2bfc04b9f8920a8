-- Time predicates: which partitions are read, and by which conditions, when the query is
-- planned, when it starts and while it runs?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/how_read.sql
\i :test/include/plan_of.sql
\i :test/include/tables_read.sql
SET intervalstyle = postgres_verbose;
SET enable_seqscan = off;
SET enable_bitmapscan = off;

CREATE TABLE events (id uuid PRIMARY KEY, note text) PARTITION BY RANGE (id);
CREATE TABLE events_01 PARTITION OF events FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2026-02-01'));
CREATE TABLE events_02 PARTITION OF events FOR VALUES FROM (uuid_boundary('2026-02-01')) TO (uuid_boundary('2026-03-01'));
CREATE TABLE events_03 PARTITION OF events FOR VALUES FROM (uuid_boundary('2026-03-01')) TO (uuid_boundary('2026-04-01'));
INSERT INTO events SELECT gen_uuidv7_at(at), to_char(at, 'MM-DD HH24')
FROM generate_series('2026-01-01'::timestamptz, '2026-03-31 23:00', '1 hour') AS at;
ANALYZE events;

-- Literals: the planner drops partitions, the index finds the rest, and the plan is that of
-- whoever writes the bounds by hand.
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id BETWEEN timestamptz '2026-02-10' AND timestamptz '2026-02-11';
SELECT condition, plan_of(events || condition) = plan_of(events || by_hand) AS as_by_hand, planned, scans
FROM (VALUES
	($$id < timestamptz '2026-01-02'$$, $$id < uuid_boundary('2026-01-02')$$),
	($$id <= timestamptz '2026-01-31 23:59:59.9995'$$, $$id < uuid_boundary('2026-02-01')$$),
	($$id > timestamptz '2026-02-28 23:59:59.9985'$$, $$id >= uuid_boundary('2026-02-28 23:59:59.999')$$),
	($$id >= timestamptz '2026-03-01'$$, $$id >= uuid_boundary('2026-03-01')$$),
	($$id BETWEEN timestamptz '2026-02-10' AND timestamptz '2026-02-11'$$,
		$$id >= uuid_boundary('2026-02-10') AND id < uuid_boundary('2026-02-11 00:00:00.001')$$),
	($$id <@ tstzrange '[2026-02-10,2026-02-11)'$$, $$id >= uuid_boundary('2026-02-10') AND id < uuid_boundary('2026-02-11')$$),
	($$id <@ tstzrange '(2026-02-10,2026-02-11]'$$,
		$$id >= uuid_boundary('2026-02-10 00:00:00.001') AND id < uuid_boundary('2026-02-11 00:00:00.001')$$),
	($$NOT (id < timestamptz '2026-03-01')$$, $$id >= uuid_boundary('2026-03-01')$$),
	($$id < timestamptz 'infinity' AND id > timestamptz '2026-03-15'$$,
		$$id < uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff' AND id >= uuid_boundary('2026-03-15 00:00:00.001')$$),
	-- the same written the other way round
	($$timestamptz '2026-02-10' <= id AND timestamptz '2026-02-11' > id$$,
		$$id >= uuid_boundary('2026-02-10') AND id < uuid_boundary('2026-02-11')$$),
	($$tstzrange '[2026-02-10,2026-02-11)' @> id$$, $$id >= uuid_boundary('2026-02-10') AND id < uuid_boundary('2026-02-11')$$)
) AS v(condition, by_hand), CAST('SELECT * FROM events WHERE ' AS text) AS events, how_read(events || condition);
BEGIN;
SELECT planned, scans FROM how_read($$DELETE FROM events WHERE id < timestamptz '2026-01-02'$$);
ROLLBACK;
SELECT condition, planned, read
FROM unnest(ARRAY[
	$$id < timestamptz '2026-01-02' OR id >= timestamptz '2026-03-30'$$,
	$$NOT (id <@ tstzrange '[2026-02-01,2026-03-01)')$$,
	$$id <@ tstzrange 'empty'$$,
	$$id < NULL::timestamptz$$]) AS condition, how_read('SELECT * FROM events WHERE ' || condition);

-- Parameters of a custom plan are as literals.
PREPARE between_times(timestamptz, timestamptz) AS SELECT * FROM events WHERE id >= $1 AND id < $2;
PREPARE in_period(tstzrange) AS SELECT * FROM events WHERE id <@ $1;
PREPARE in_periods(tstzmultirange) AS SELECT * FROM events WHERE id <@ $1;
SET plan_cache_mode = force_custom_plan;
SELECT command,
	plan_of(command) = plan_of($$
		SELECT * FROM events WHERE id >= uuid_boundary('2026-02-10') AND id < uuid_boundary('2026-02-11')$$)
		AS as_by_hand
FROM unnest(
	ARRAY[
		$$EXECUTE between_times('2026-02-10', '2026-02-11')$$, $$EXECUTE in_period('[2026-02-10,2026-02-11)')$$])
	AS command;

-- In a generic plan the partitions are dropped when it starts.
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE between_times('2026-02-10', '2026-02-11');
SELECT command, planned, removed_at_start, read, scans
FROM unnest(ARRAY[
	$$EXECUTE between_times('2026-02-10', '2026-02-11')$$,
	$$EXECUTE in_period('[2026-02-10,2026-02-11)')$$,
	$$EXECUTE in_period('[2026-01-31,2026-02-01]')$$,
	$$EXECUTE in_period('empty')$$,
	$$EXECUTE in_periods('{[2026-02-10,2026-02-11),[2026-03-10,2026-03-11)}')$$,
	$$EXECUTE in_periods('{[2026-02-10,2026-02-11),[2026-02-20,2026-02-21)}')$$]) AS command, how_read(command);
EXECUTE between_times(NULL, '2026-02-11');

-- now() is known when the plan starts, too.
CREATE TABLE news (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE news_past PARTITION OF news FOR VALUES FROM (MINVALUE) TO (uuid_boundary(now() - interval '1 day'));
CREATE TABLE news_present PARTITION OF news
FOR VALUES FROM (uuid_boundary(now() - interval '1 day')) TO (uuid_boundary(now() + interval '1 day'));
CREATE TABLE news_future PARTITION OF news FOR VALUES FROM (uuid_boundary(now() + interval '1 day')) TO (MAXVALUE);
INSERT INTO news SELECT gen_uuidv7(shift) FROM unnest('{-2 days,0,2 days}'::interval[]) AS shift;
SELECT condition, planned, removed_at_start, scans
FROM unnest(ARRAY[
	$$id >= now() - interval '1 hour' AND id < now() + interval '1 hour'$$,
	$$id <@ tstzrange(now() - interval '1 hour', now() + interval '1 hour')$$]) AS condition,
	how_read('SELECT * FROM news WHERE ' || condition);
SELECT tableoid::regclass AS of_the_present FROM news WHERE id BETWEEN now() - interval '1 hour' AND now() + interval '1 hour';
SELECT tableoid::regclass AS of_the_past FROM news WHERE id < now() - interval '1 hour';

-- In a nested loop they are dropped for each outer row.
CREATE TABLE periods (name text, since timestamptz, until timestamptz, period tstzrange);
INSERT INTO periods SELECT name, since, until, tstzrange(since, until)
FROM (VALUES ('a', '2026-01-10 00:00+00'::timestamptz, '2026-01-10 02:00+00'::timestamptz),
	('c', '2026-03-20 00:00+00', '2026-03-20 03:00+00')) AS v(name, since, until);
ANALYZE periods;
SET enable_seqscan = on;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
EXPLAIN (COSTS OFF) SELECT note FROM periods JOIN events ON id >= since AND id < until;
SELECT name, note FROM periods JOIN events ON id >= since AND id < until ORDER BY id;
SELECT name, note FROM periods JOIN events ON id <@ period ORDER BY id;
SELECT condition, planned, read, scans
FROM unnest(ARRAY['id >= since AND id < until', 'id <@ period', $$id BETWEEN since AND until WHERE name = 'c'$$]) AS condition,
	how_read('SELECT * FROM periods JOIN events ON ' || condition);

-- Sub-selects.
SET enable_seqscan = off;
SELECT condition, planned, read
FROM unnest(ARRAY['id >= (SELECT max(since) FROM periods)', 'id < (SELECT min(until) FROM periods)']) AS condition,
	how_read('SELECT * FROM events WHERE ' || condition);

-- Columns of iuid.
CREATE TABLE rides (id iuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE rides_01 PARTITION OF rides FOR VALUES FROM (iuid_boundary('2026-01-01')) TO (iuid_boundary('2026-02-01'));
CREATE TABLE rides_02 PARTITION OF rides FOR VALUES FROM (iuid_boundary('2026-02-01')) TO (iuid_boundary('2026-03-01'));
INSERT INTO rides
SELECT gen_iuid_at(at, 76, 1)
FROM generate_series('2026-01-01'::timestamptz, '2026-02-28 23:00', '1 hour') AS at;
RESET plan_cache_mode;
SELECT condition, plan_of(rides || condition) = plan_of(rides || by_hand) AS as_by_hand, planned, scans
FROM (VALUES
	($$id >= timestamptz '2026-02-10' AND id < timestamptz '2026-02-11'$$,
		$$id >= uuid_boundary('2026-02-10') AND id < uuid_boundary('2026-02-11')$$),
	($$id <@ tstzrange '[2026-01-10,2026-01-11)'$$, $$id >= uuid_boundary('2026-01-10') AND id < uuid_boundary('2026-01-11')$$)
) AS v(condition, by_hand), CAST('SELECT * FROM rides WHERE ' AS text) AS rides, how_read(rides || condition);
SELECT tableoid::regclass AS partition, count(*) AS rows
FROM rides
WHERE id <@ tstzrange '[2026-01-31,2026-02-02)'
GROUP BY 1
ORDER BY 1;
PREPARE rides_since(timestamptz) AS SELECT * FROM rides WHERE id >= $1;
PREPARE rides_in(tstzrange) AS SELECT * FROM rides WHERE id <@ $1;
SET plan_cache_mode = force_generic_plan;
SELECT command, planned, removed_at_start, scans
FROM unnest(
		ARRAY[
			$$EXECUTE rides_since('2026-02-02')$$, $$EXECUTE rides_in('[2026-02-02,2026-02-03)')$$]) AS command,
	how_read(command);
RESET plan_cache_mode;
-- in a nested loop, too
SELECT condition, planned, read
FROM (VALUES ($$(SELECT timestamptz '2026-02-02' AS since OFFSET 0) AS s JOIN rides ON id >= since$$),
	($$(SELECT tstzrange '[2026-02-02,2026-02-03)' AS period OFFSET 0) AS s JOIN rides ON period @> id$$)) AS v(condition),
	how_read('SELECT * FROM ' || condition);
-- and joined with a column of uuid
CREATE TABLE ratings (ride uuid PRIMARY KEY);
INSERT INTO ratings SELECT id FROM rides;
SELECT count(*) AS rides
FROM rides
JOIN ratings ON id = ride
WHERE id >= timestamptz '2026-02-27' AND ride < timestamptz '2026-03-01';
DROP TABLE ratings;

-- At a partition's edge its neighbour is not read, whatever the type of the ids.
CREATE TABLE plain (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE plain_01 PARTITION OF plain FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2026-02-01'));
CREATE TABLE plain_02 PARTITION OF plain FOR VALUES FROM (uuid_boundary('2026-02-01')) TO (uuid_boundary('2026-03-01'));
CREATE TABLE ulids (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE ulids_01 PARTITION OF ulids FOR VALUES FROM (ulid_boundary('2026-01-01')) TO (ulid_boundary('2026-02-01'));
CREATE TABLE ulids_02 PARTITION OF ulids FOR VALUES FROM (ulid_boundary('2026-02-01')) TO (ulid_boundary('2026-03-01'));
-- the last and the first id of each side
INSERT INTO rides VALUES ('019c167f-cbff-80ff-bfff-ffffffffffff'), (iuid_boundary('2026-02-01'));
INSERT INTO plain SELECT id FROM rides;
INSERT INTO ulids SELECT uuid_to_ulid(id) FROM rides;
CREATE FUNCTION rows_found(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	found bigint;
BEGIN
	EXECUTE 'SELECT count(*) FROM (' || query || ') AS q' INTO found;
	RETURN found;
END $$;
SELECT predicate, string_agg(concat_ws(' ', rows_found(query), read), ', ' ORDER BY name) AS "rows and partitions read"
FROM unnest(ARRAY[
		$$id >= timestamptz '2026-02-01'$$,
		$$id > timestamptz '2026-01-31 23:59:59.999'$$,
		$$timestamptz '2026-01-31 23:59:59.999' < id$$,
		$$id <@ tstzrange '[2026-02-01,)'$$,
		$$tstzrange '(2026-01-31 23:59:59.999,2026-03-01)' @> id$$,
		$$id <@ tstzmultirange '{(,2026-01-01],[2026-02-01,)}'$$,
		$$id < timestamptz '2026-02-01'$$,
		$$id <= timestamptz '2026-01-31 23:59:59.999'$$,
		$$id <@ tstzrange '[2026-01-01,2026-02-01)'$$,
		$$NOT (id >= timestamptz '2026-02-01')$$,
		$$id >= timestamptz 'infinity'$$,
		$$id >= (SELECT timestamptz '2026-02-01' OFFSET 0)$$,
		$$id >= date '2026-02-01'$$
	]) WITH ORDINALITY AS p(predicate, n),
	unnest('{plain,rides,ulids}'::text[]) AS name,
	concat('SELECT * FROM ', name, ' WHERE ', predicate) AS query,
	nullif(array_to_string(array(SELECT tables_read(query)), ' '), '') AS read
-- a ulid has periods where it is a base type: ulid.sql
WHERE name <> 'ulids' OR predicate !~ '<@|@>'
GROUP BY predicate, n
ORDER BY n;
-- which partitions are read for a period from a sub-select depends on the edition
SELECT rows_found(format($$SELECT FROM %I WHERE id <@ (SELECT tstzrange '[2026-02-01,)' OFFSET 0)$$, name)) AS rows, name
FROM unnest('{plain,rides}'::text[]) AS name;
DROP TABLE plain, ulids;
DROP FUNCTION rows_found;

-- Comparisons with a time neither leak nor raise errors, so that they reach the
-- index through a security barrier.
CREATE VIEW own_events WITH (security_barrier) AS SELECT * FROM events WHERE note <> 'secret';
PREPARE own(timestamptz, timestamptz) AS SELECT * FROM own_events WHERE id >= $1 AND id < $2;
PREPARE own_open(timestamptz, timestamptz) AS SELECT * FROM own_events WHERE id > $1 AND id <= $2;
SET plan_cache_mode = force_generic_plan;
SELECT command, planned, removed_at_start, scans
FROM unnest(
		ARRAY[
			$$EXECUTE own('2026-02-10', '2026-02-11')$$, $$EXECUTE own_open('2026-02-10', '2026-02-11')$$])
		AS command, how_read(command);
RESET plan_cache_mode;

-- Whatever the search_path.
SET search_path = '';
SELECT planned, scans FROM public.how_read($$SELECT * FROM public.events WHERE id OPERATOR(public.<) timestamptz '2026-01-02'$$);
SELECT planned, scans
FROM public.how_read($$
	SELECT * FROM public.events WHERE id OPERATOR(public.<@) tstzrange '[2026-02-10,2026-02-11)'$$);
RESET search_path;
CREATE SCHEMA other;
SET search_path = other, public;
SELECT planned, scans FROM how_read($$SELECT * FROM events WHERE id > timestamptz '2026-03-30'$$);

DROP VIEW own_events;
DROP TABLE events, rides, news, periods;
DROP FUNCTION how_read, plan_of, tables_read;
DROP SCHEMA other;
