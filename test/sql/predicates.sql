-- Time predicates: what do they mean, and what do they refuse?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

-- Ids of three consecutive milliseconds: the least and the greatest of each.
CREATE TABLE ids (ms int, id uuid);
INSERT INTO ids VALUES
	(0, '019b76da-a800-4000-8000-000000000000'), (0, '019b76da-a800-8fff-bfff-ffffffffffff'),
	(1, '019b76da-a801-4000-8000-000000000000'), (1, '019b76da-a801-8fff-bfff-ffffffffffff'),
	(2, '019b76da-a802-4000-8000-000000000000'), (2, '019b76da-a802-8fff-bfff-ffffffffffff');

-- The id's millisecond is compared with the exact time: the milliseconds taken
-- around an edge, microsecond by microsecond.
SELECT to_char(at, 'SS.US') AS at,
	array(SELECT DISTINCT ms FROM ids WHERE id < at ORDER BY ms) AS "<",
	array(SELECT DISTINCT ms FROM ids WHERE id <= at ORDER BY ms) AS "<=",
	array(SELECT DISTINCT ms FROM ids WHERE id >= at ORDER BY ms) AS ">=",
	array(SELECT DISTINCT ms FROM ids WHERE id > at ORDER BY ms) AS ">"
FROM (VALUES
	('2026-01-01 00:00:00+00'::timestamptz),
	('2026-01-01 00:00:00.000001+00'),
	('2026-01-01 00:00:00.0005+00'),
	('2026-01-01 00:00:00.000999+00'),
	('2026-01-01 00:00:00.001+00'),
	('2026-01-01 00:00:00.001001+00'),
	('2026-01-01 00:00:00.001999+00'),
	('2026-01-01 00:00:00.002+00'),
	('2026-01-01 00:00:00.002001+00')) AS v(at);

-- Both ids of a millisecond are always taken together.
SELECT count(*) AS ids FROM ids WHERE id < timestamptz '2026-01-01 00:00:00.0005+00';

-- Periods, with every kind of bound.
SELECT period, array(SELECT DISTINCT ms FROM ids WHERE id <@ period ORDER BY ms) AS "<@"
FROM (VALUES
	('[2026-01-01 00:00:00+00,2026-01-01 00:00:00.001+00)'::tstzrange),
	('[2026-01-01 00:00:00+00,2026-01-01 00:00:00.001+00]'),
	('(2026-01-01 00:00:00+00,2026-01-01 00:00:00.001+00)'),
	('(2026-01-01 00:00:00+00,2026-01-01 00:00:00.001+00]'),
	('[2026-01-01 00:00:00.000001+00,2026-01-01 00:00:00.001999+00]'),
	('(2026-01-01 00:00:00.000999+00,2026-01-01 00:00:00.001001+00)'),
	('[2026-01-01 00:00:00.001+00,2026-01-01 00:00:00.001+00]'),
	('[2026-01-01 00:00:00.0005+00,2026-01-01 00:00:00.0005+00]'),
	('[2026-01-01 00:00:00.001+00,)'),
	('(2026-01-01 00:00:00.001+00,)'),
	('(,2026-01-01 00:00:00.001+00)'),
	('(,2026-01-01 00:00:00.001+00]'),
	('(,)'),
	('[-infinity,infinity]'),
	('(-infinity,infinity)'),
	('[2026-01-02,infinity)'),
	('empty')) AS v(period);

-- Several periods.
SELECT periods, array(SELECT DISTINCT ms FROM ids WHERE id <@ periods ORDER BY ms) AS "<@",
	array(SELECT DISTINCT ms FROM ids WHERE NOT periods @> id ORDER BY ms) AS "NOT @>"
FROM (VALUES
	('{[2026-01-01 00:00:00+00,2026-01-01 00:00:00.001+00)}'::tstzmultirange),
	('{[2026-01-01 00:00:00+00,2026-01-01 00:00:00.001+00),[2026-01-01 00:00:00.0015+00,2026-01-01 00:00:00.002+00]}'),
	('{(,2026-01-01 00:00:00+00],(2026-01-01 00:00:00.001+00,)}'),
	('{(,2025-01-01),(2027-01-01,)}'),
	('{(,)}'),
	('{}')) AS v(periods);

-- Any time can be compared, also one that no id can have.
SELECT at, count(*) FILTER (WHERE id < at) AS "<", count(*) FILTER (WHERE id <= at) AS "<=",
	count(*) FILTER (WHERE id >= at) AS ">=", count(*) FILTER (WHERE id > at) AS ">"
FROM ids, (VALUES
	('-infinity'::timestamptz),
	('4713-01-01 BC'),
	('1969-12-31 23:59:59.999999+00'),
	('1970-01-01 00:00:00+00'),
	('10889-08-02 05:31:50.655999+00'),
	('10889-08-02 05:31:50.656+00'),
	('294276-12-31 23:59:59.999999+00'),
	('infinity')) AS v(at)
GROUP BY at
ORDER BY at;

-- At both ends of the time that ids can have.
SELECT at, id, id < at AS "<", id <= at AS "<=", id >= at AS ">=", id > at AS ">"
FROM (VALUES
	('1969-12-31 23:59:59.999999+00'::timestamptz, '00000000-0000-7000-8000-000000000000'::uuid),
	('1970-01-01 00:00:00+00', '00000000-0000-7000-8000-000000000000'),
	('1970-01-01 00:00:00.000001+00', '00000000-0000-7000-8000-000000000000'),
	('10889-08-02 05:31:50.654999+00', 'ffffffff-ffff-7fff-bfff-ffffffffffff'),
	('10889-08-02 05:31:50.655+00', 'ffffffff-ffff-7fff-bfff-ffffffffffff'),
	('10889-08-02 05:31:50.655001+00', 'ffffffff-ffff-7fff-bfff-ffffffffffff'),
	('10889-08-02 05:31:50.656+00', 'ffffffff-ffff-7fff-bfff-ffffffffffff')) AS v(at, id);

-- NULL on either side.
SELECT id < NULL::timestamptz AS "<", NULL::uuid >= timestamptz '2026-01-01' AS ">=",
	id <@ NULL::tstzrange AS "<@", NULL::uuid <@ tstzrange '(,)' AS "<@", id <@ NULL::tstzmultirange AS "<@",
	NULL::uuid <@ tstzmultirange '{}' AS "<@", NULL::uuid <@ tstzmultirange '{(,2026-01-01),(2026-01-02,)}' AS "<@"
FROM ids LIMIT 1;

-- BETWEEN and negation.
SELECT array_agg(DISTINCT ms) AS ms_found FROM ids
WHERE id BETWEEN timestamptz '2026-01-01 00:00:00.0005+00' AND timestamptz '2026-01-01 00:00:00.0015+00';
SELECT array_agg(DISTINCT ms) AS ms_found FROM ids WHERE NOT (id < timestamptz '2026-01-01 00:00:00.0005+00');
SELECT array_agg(DISTINCT ms) AS ms_found FROM ids WHERE NOT (id <= timestamptz '2026-01-01 00:00:00.001+00');
SELECT array_agg(DISTINCT ms) AS ms_found FROM ids WHERE NOT (id >= timestamptz '2026-01-01 00:00:00.0005+00');
SELECT array_agg(DISTINCT ms) AS ms_found FROM ids WHERE NOT (id > timestamptz '2026-01-01 00:00:00.001+00');
SELECT array_agg(DISTINCT ms) AS ms_found FROM ids
WHERE NOT (id <@ tstzrange '[2026-01-01 00:00:00.001+00,2026-01-01 00:00:00.002+00)');

-- Which operator a comparison takes.
CREATE DOMAIN order_id AS uuid;
CREATE TABLE columns (id uuid, other order_id, iuid iuid, at timestamptz);
CREATE FUNCTION operator_of(comparison text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	operator text;
BEGIN
	EXECUTE format('CREATE TEMP VIEW compared AS SELECT %s AS result FROM columns', comparison);
	SELECT refobjid::regoperator INTO operator
	FROM pg_depend JOIN pg_rewrite AS r ON classid = 'pg_rewrite'::regclass AND r.oid = objid
	WHERE ev_class = 'compared'::regclass AND refclassid = 'pg_operator'::regclass;
	DROP VIEW compared;
	RETURN coalesce(operator, 'one of core');
EXCEPTION WHEN undefined_function OR ambiguous_function OR undefined_object THEN
	RETURN SQLERRM;
END $$;
SELECT comparison, operator_of(comparison) FROM unnest(ARRAY[
	'id >= at', 'id < at', 'at <= id', $$id >= date '2026-01-01'$$, $$id >= timestamp '2026-01-01'$$, $$date '2026-01-01' < id$$,
	$$id >= '019b76da-a800-4000-8000-000000000000'$$, 'id >= NULL', 'NULL < id', 'id >= id',
	$$id <@ tstzrange '(,)'$$, $$tstzrange '(,)' @> id$$,
	$$id <@ '(,)'$$, 'iuid >= at', 'iuid > at', 'iuid < at', 'iuid <= at', 'at < iuid', 'at <= iuid', 'at > iuid', 'at >= iuid',
	$$iuid <@ tstzrange '(,)'$$, $$tstzrange '(,)' @> iuid$$, $$iuid <@ '(,)'$$, $$id <@ tstzmultirange '{}'$$,
	$$tstzmultirange '{}' @> iuid$$, $$at <@ tstzmultirange '{}'$$, $$iuid >= date '2026-01-01'$$,
	$$iuid >= timestamp '2026-01-01'$$,
	$$iuid >= '019b76da-a800-8000-8000-000000000000'$$, 'iuid >= NULL', 'NULL < iuid', 'iuid >= id',
	'id >= iuid', 'iuid >= other', 'iuid = id',
	'iuid >= iuid', 'iuid = iuid', 'id = iuid', $$iuid = '019b76da-a800-4000-8000-000000000000'$$, 'iuid IS DISTINCT FROM iuid',
	'iuid = ANY (NULL::iuid[])', 'iuid = ANY (NULL::uuid[])', 'other >= at', 'at < other',
	$$other > date '2026-01-01'$$, $$other <@ tstzrange '(,)'$$,
	$$'019b76da-a800-8000-8000-000000000000'::iuid >= at$$,
	'at >= NULL', $$at >= '2026-01-01'$$, $$at >= date '2026-01-01'$$, $$'2026-01-01' <= at$$, 'iuid >= 1', 'iuid = at'
]) AS comparison;
PREPARE unknowns AS SELECT id >= $1, iuid >= $2, $3 < other, at >= $4, id <@ $5::tstzrange, iuid > $6::timestamptz FROM columns;
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'unknowns';
DROP TABLE columns;
DROP DOMAIN order_id;
DROP FUNCTION operator_of;

-- Dates and plain timestamps are taken in the session's time zone, as everywhere.
SET timezone = 'America/New_York';
SELECT count(*) AS ids FROM ids WHERE id >= date '2026-01-01';
SELECT count(*) AS ids FROM ids WHERE id >= timestamp '2025-12-31 19:00:00.001';

DROP TABLE ids;
