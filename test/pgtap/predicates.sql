-- Time predicates: do they agree with plain arithmetic, for thousands of ids and times
-- around the edges of milliseconds and in all of the years that ids can have?

BEGIN;
\ir include/settings.sql
\ir include/expected.sql
SELECT plan(20 - 2 * :'sql_edition'::bool::int);

-- The id's millisecond, read from its text.
CREATE FUNCTION pg_temp.time_of(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
	SELECT '1970-01-01'::timestamptz + make_interval(days => (ms / 86400000)::int, secs => ms % 86400000 / 1000.0)
	FROM (SELECT ('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint) AS t(ms)
$$;

CREATE TEMP TABLE ids AS
SELECT id, pg_temp.time_of(id) AS made
FROM (
	-- First and last id of some milliseconds, of the versions that have them.
	SELECT (lpad(to_hex(ms), 12, '0') || rest)::uuid
	FROM (VALUES (0), (1), (2), (999), (1000), (1767225600000), (1767225600001), (1767225600002), (1767225600003),
			(281474976710653), (281474976710654), (281474976710655)) AS m(ms),
		(VALUES ('00000000000000000001'), ('40008000000000000000'), ('70008000000000000000'), ('7fffbfffffffffffffff'),
			('80008000000000000000'), ('80ffbfffffffffffffff'), ('8fffbfffffffffffffff')) AS r(rest)
	UNION ALL
	SELECT gen_random_uuid() FROM generate_series(1, CASE WHEN :'sql_edition' THEN 10 ELSE 40 END)
) AS i(id);

CREATE TEMP TABLE times AS
SELECT DISTINCT at
FROM (
	SELECT made + us * interval '1 us' FROM ids, unnest('{-1001,-1000,-999,-500,-1,0,1,500,999,1000,1001}'::int[]) AS us
	UNION ALL
	SELECT unnest(
		'{-infinity,4713-01-01 BC,1969-12-31 23:59:59.999,10889-08-02 05:31:50.656,
			294276-12-31 23:59:59.999999,infinity}'::timestamptz[])
) AS t(at);

SELECT is(array_agg(DISTINCT id), NULL, 'the test reads the same time as uuid_boundary_time()') FROM ids
WHERE made <> uuid_boundary_time(id);

-- Each operator, over all pairs.
CREATE TEMP TABLE compared AS
SELECT id, made, at, id < at AS lt, id <= at AS le, id >= at AS ge, id > at AS gt FROM ids, times;

SELECT cmp_ok(count(*)::int, '>', CASE WHEN :'sql_edition' THEN 15000 ELSE 50000 END, 'there are many pairs') FROM compared;
SELECT is(max(id::text || ' ' || at), NULL, 'id < time') FROM compared WHERE lt <> (made < at);
SELECT is(max(id::text || ' ' || at), NULL, 'id <= time') FROM compared WHERE le <> (made <= at);
SELECT is(max(id::text || ' ' || at), NULL, 'id >= time') FROM compared WHERE ge <> (made >= at);
SELECT is(max(id::text || ' ' || at), NULL, 'id > time') FROM compared WHERE gt <> (made > at);

-- The same written the other way round.
SELECT is(max(id::text || ' ' || at), NULL, 'time < id') FROM compared WHERE (at < id) <> (at < made);
SELECT is(max(id::text || ' ' || at), NULL, 'time <= id') FROM compared WHERE (at <= id) <> (at <= made);
SELECT is(max(id::text || ' ' || at), NULL, 'time >= id') FROM compared WHERE (at >= id) <> (at >= made);
SELECT is(max(id::text || ' ' || at), NULL, 'time > id') FROM compared WHERE (at > id) <> (at > made);

-- Periods with every kind of bound; the range type itself knows what they hold.
CREATE TEMP TABLE edges AS
SELECT unnest('{-infinity,1969-12-31 23:59:59.999,1970-01-01,1970-01-01 00:00:00.000001,1970-01-01 00:00:00.001,
	2026-01-01,2026-01-01 00:00:00.0005,2026-01-01 00:00:00.000999,2026-01-01 00:00:00.001,
	2026-01-01 00:00:00.001001,2026-01-01 00:00:00.002,
	10889-08-02 05:31:50.654,10889-08-02 05:31:50.654001,10889-08-02 05:31:50.655,
	10889-08-02 05:31:50.655001,10889-08-02 05:31:50.656,
	infinity,NULL}'::timestamptz[]) AS edge;

CREATE TEMP TABLE periods AS
SELECT tstzrange(a.edge, b.edge, bounds) AS period
FROM edges AS a, edges AS b, unnest('{[],[),(],()}'::text[]) AS bounds
WHERE a.edge <= b.edge OR a.edge IS NULL OR b.edge IS NULL
UNION ALL SELECT 'empty';

SELECT cmp_ok(count(*)::int, '>', 500, 'there are many periods') FROM periods;
SELECT is(max(id::text || ' ' || period), NULL, 'id <@ period, period @> id') FROM ids, periods
WHERE (id <@ period) <> (made <@ period) OR (period @> id) <> (made <@ period);
SELECT is(max(id::text || ' ' || period), NULL, 'NOT (id <@ period)') FROM ids, periods
WHERE (NOT id <@ period) <> (NOT made <@ period);

-- Several periods, as columns, which are spanned and checked again, and as constants,
-- which become one comparison after the other.
CREATE TEMP TABLE several AS
SELECT a.period::tstzmultirange + b.period::tstzmultirange AS periods
FROM (SELECT period FROM periods ORDER BY md5(period::text) LIMIT 40) AS a,
	(SELECT period FROM periods ORDER BY md5(period::text || 'b') LIMIT 25) AS b
UNION SELECT '{}';
SELECT cmp_ok(count(*)::int, '>', 300, 'there are many of several periods') FROM several;
SELECT is(max(id::text || ' ' || periods), NULL, 'id <@ periods, periods @> id') FROM ids, several
WHERE (id <@ periods) <> (made <@ periods) OR (periods @> id) <> (made <@ periods);
CREATE FUNCTION pg_temp.wrong_constants() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	constant tstzmultirange;
	wrong bigint;
BEGIN
	FOR constant IN SELECT periods FROM several LOOP
		EXECUTE format(
			'SELECT count(*) FROM ids WHERE (id <@ %1$L::tstzmultirange) <> (made <@ %1$L::tstzmultirange)',
			constant) INTO wrong;
		IF wrong > 0 THEN
			RETURN NEXT constant::text;
		END IF;
	END LOOP;
END $$;
SELECT is(max(w), NULL, 'id <@ constant periods') FROM pg_temp.wrong_constants() AS w;

-- Periods that end now, by which the planner cannot compare with each of them.
CREATE TEMP TABLE orders AS SELECT uuid_boundary(now() - n * interval '1 minute') AS id FROM generate_series(1, 1000) AS n;
ANALYZE orders;
SELECT cmp_ok(pg_temp.expected($$SELECT FROM orders WHERE id <@ multirange(tstzrange(timestamptz '2020-01-01', now()))$$), '>', 250::float8,
	'of a thousand ids, all of a period that ends now, at least a quarter is expected');

SELECT is(count(*)::int, 0, 'NULL in, NULL out') FROM ids
WHERE id <@ NULL::tstzrange IS NOT NULL OR NULL::uuid <@ tstzrange('2026-01-01', '2026-01-02') IS NOT NULL
	OR id <@ NULL::tstzmultirange IS NOT NULL OR NULL::uuid <@ tstzmultirange '{[2026-01-01,2026-01-02)}' IS NOT NULL
	OR NULL::uuid <@ tstzmultirange '{}' IS NOT NULL
	OR id < NULL::timestamptz IS NOT NULL OR NULL::uuid < now() IS NOT NULL
	OR id <= NULL::timestamptz IS NOT NULL OR NULL::uuid <= now() IS NOT NULL
	OR id >= NULL::timestamptz IS NOT NULL OR NULL::uuid >= now() IS NOT NULL
	OR id > NULL::timestamptz IS NOT NULL OR NULL::uuid > now() IS NOT NULL;

-- Above the planner turned all of it into comparisons of uuids.  The same C
-- functions without its support, with every pair, the nil and the max UUID and NULL.
INSERT INTO ids VALUES ('00000000-0000-0000-0000-000000000000'), ('ffffffff-ffff-ffff-ffff-ffffffffffff'), (NULL);
INSERT INTO times VALUES (NULL);
INSERT INTO periods VALUES (NULL);
INSERT INTO several VALUES (NULL);
-- a support function is C
\if :sql_edition
\else
CREATE FUNCTION pg_temp.disagreements()
RETURNS TABLE (name name, of_type regtype, pairs bigint, differ bigint)
LANGUAGE plpgsql AS $$
DECLARE
	function oid;
	argument regtype;
	arguments text;
BEGIN
	-- what takes a uuid takes an iuid
	FOR function, name, of_type, argument, arguments IN
		SELECT p.oid, p.proname, t.id_type, (SELECT a FROM unnest(p.proargtypes) AS a WHERE a::regtype NOT IN ('uuid', 'ulid')),
		concat_ws(', ', p.proargnames[1], p.proargnames[2])
		FROM pg_proc AS p
			JOIN (
				VALUES ('uuid'::regtype, 'uuid'::regtype), ('uuid', 'iuid'),
					('ulid', 'ulid')) AS t(of_function, id_type) ON of_function = ANY (p.proargtypes)
		WHERE p.prosupport = 'uidext_internal.id_predicate_support'::regproc
	LOOP
		EXECUTE (
			SELECT format('CREATE FUNCTION pg_temp.bare(%s) RETURNS bool AS %L, %L LANGUAGE C STRICT',
				oidvectortypes(p.proargtypes), p.probin, p.prosrc)
			FROM pg_proc AS p WHERE p.oid = function);
		EXECUTE format('SELECT count(*), count(*) FILTER (WHERE uidext_internal.%1$s(%2$s) IS DISTINCT FROM pg_temp.bare(%2$s))
				FROM (SELECT id::%3$s FROM ids WHERE %4$s) AS i, %5$s',
				name, arguments, of_type,
				CASE of_type WHEN 'iuid'::regtype THEN 'iuid_is_valid(id) IS NOT FALSE' ELSE 'true' END,
				CASE argument
					WHEN 'uidext_internal.period'::regtype THEN 'periods'
					WHEN 'uidext_internal.periods'::regtype THEN 'several'
					ELSE 'times'
					END)
			INTO pairs, differ;
		RETURN NEXT;
		EXECUTE (SELECT 'DROP FUNCTION ' || p.oid::regprocedure FROM pg_proc AS p WHERE p.proname = 'bare');
	END LOOP;
END $$;
CREATE TEMP TABLE disagreements AS SELECT * FROM pg_temp.disagreements();
SELECT is(count(*)::int, 36,
	'all predicates run without the planner''s support, too, on columns of uuid, iuid and ulid')
FROM disagreements
WHERE pairs > 3000;
SELECT is(array_agg(concat_ws(' ', name, of_type, differ)), NULL, 'and agree with it') FROM disagreements WHERE differ > 0;
\endif

SELECT * FROM finish();
ROLLBACK;
