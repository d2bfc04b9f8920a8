-- What the server resolves by itself it resolves no differently where the
-- extension's schema is on the search_path: operators and functions with an
-- argument whose type is not known.

BEGIN;
\ir include/settings.sql
SELECT plan(25);

DROP EXTENSION uidext CASCADE;
CREATE SCHEMA ids;
CREATE EXTENSION uidext SCHEMA ids;

CREATE TYPE pg_temp.mood AS ENUM ('good');
CREATE TYPE pg_temp.pair AS (a int, b text);
CREATE DOMAIN pg_temp.stay AS tstzrange;
CREATE DOMAIN pg_temp.stays AS tstzmultirange;
CREATE DOMAIN pg_temp.label AS text;
CREATE DOMAIN pg_temp.moment AS timestamptz;

-- All of core but pseudo-types, arrays of a few, and what users make of them.
CREATE TEMP TABLE types AS
SELECT oid::regtype AS type FROM pg_type
WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype IN ('b', 'r', 'm') AND (typelem = 0 OR typcategory <> 'A')
UNION ALL
SELECT unnest(ARRAY['int[]', 'text[]', 'uuid[]', 'timestamptz[]', 'tstzrange[]', 'pg_class',
	'pg_temp.mood', 'pg_temp.pair', 'pg_temp.stay', 'pg_temp.stays', 'pg_temp.label', 'pg_temp.moment']::regtype[]);

CREATE TEMP VIEW own AS
SELECT classid, objid FROM pg_depend
WHERE deptype = 'e'
	AND (refclassid, refobjid) = (
		'pg_extension'::regclass, (SELECT oid FROM pg_extension WHERE extname = 'uidext'));

-- comparisons of ULIDs are among core's own
CREATE TEMP TABLE operators AS
SELECT DISTINCT oprname AS name FROM pg_operator AS o JOIN own ON (classid, objid) = ('pg_operator'::regclass, o.oid)
WHERE oprnamespace IN ('ids'::regnamespace, 'pg_catalog'::regnamespace)
	AND EXISTS (
		SELECT FROM pg_operator AS c
		WHERE c.oid < 16384 AND c.oprnamespace = 'pg_catalog'::regnamespace AND c.oprname = o.oprname);

CREATE TEMP TABLE functions AS
SELECT DISTINCT proname AS name, pronargs FROM pg_proc AS p JOIN own ON (classid, objid) = ('pg_proc'::regclass, p.oid)
WHERE pronamespace = 'ids'::regnamespace
	AND EXISTS (SELECT FROM pg_proc AS c WHERE c.pronamespace = 'pg_catalog'::regnamespace AND c.proname = p.proname);

CREATE TEMP TABLE expressions AS
SELECT type, format(side, type, name) AS expression
FROM operators, types, unnest(ARRAY['NULL::%1$s %2$s ?', '? %2$s NULL::%1$s']) AS side
UNION ALL
SELECT type, format('%s(NULL::%s)', name, type) FROM functions, types
UNION ALL
SELECT NULL, format('%s(?)', name) FROM functions
UNION ALL
SELECT NULL, format('? %s ?', name) FROM operators;

-- What becomes of an expression under a path: the type of its parameter, and
-- how a view of it reads where nothing but core is on the path.
CREATE FUNCTION pg_temp.resolved(expression text, path text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	parameter text;
	definition text;
BEGIN
	PERFORM set_config('search_path', path, true);
	BEGIN
		EXECUTE 'PREPARE resolved AS SELECT ' || replace(expression, '?', '$1');
		SELECT parameter_types::oid[]::text INTO parameter FROM pg_prepared_statements WHERE name = 'resolved';
		DEALLOCATE resolved;
	EXCEPTION WHEN OTHERS THEN
		parameter := SQLSTATE;
		-- without an unknown argument a view fails likewise
		IF position('?' IN expression) = 0 THEN
			PERFORM set_config('search_path', 'public', true);
			RETURN parameter || ': ' || parameter;
		END IF;
	END;
	BEGIN
		EXECUTE 'CREATE VIEW pg_temp.resolved AS SELECT ' || replace(expression, '?', 'NULL');
		PERFORM set_config('search_path', '', true);
		-- which takes the view back, and its locks
		RAISE EXCEPTION '%', pg_get_viewdef('pg_temp.resolved'::regclass);
	EXCEPTION WHEN raise_exception THEN
		definition := SQLERRM;
	WHEN OTHERS THEN
		definition := SQLSTATE;
	END;
	PERFORM set_config('search_path', 'public', true);
	RETURN parameter || ': ' || definition;
END $$;

CREATE TEMP TABLE given AS
SELECT unnest('{uuid,timestamptz,timestamp,date,time,text,varchar,bpchar,name,"\"char\"",bytea,bigint,tstzrange,tsrange,daterange,
	tstzmultirange,tsmultirange,"timestamptz[]","tstzrange[]",pg_temp.stay,pg_temp.stays,pg_temp.label,
	pg_temp.moment}'::regtype[]) AS type;
CREATE TEMP TABLE pairs AS
SELECT format('NULL::%s %s NULL::%s', a.type, name, b.type) AS expression FROM operators, given AS a, given AS b;

-- without the extension, and along with it
DROP EXTENSION uidext;
CREATE TEMP TABLE alone AS
SELECT expression, pg_temp.resolved(expression, '') AS alone FROM (TABLE pairs UNION SELECT expression FROM expressions) AS e;
CREATE EXTENSION uidext SCHEMA ids;
CREATE TEMP TABLE resolutions AS
SELECT type, expression, alone, pg_temp.resolved(expression, 'ids') AS along FROM expressions JOIN alone USING (expression);

-- What only the extension has, by design: the order of SQL Server, where core has
-- none of uuids, and the extremes of uuids, where core has none of these.
CREATE TEMP TABLE additions AS
SELECT format(side, name) AS expression
FROM unnest('{~<~,~<=~,~>=~,~>~}'::text[]) AS name, unnest('{NULL::uuid %s ?,? %s NULL::uuid}'::text[]) AS side
UNION ALL
SELECT format('%s(NULL::uuid)', name) FROM unnest('{min,max}'::text[]) AS name
WHERE to_regprocedure(format('pg_catalog.%s(uuid)', name)) IS NULL;

SELECT is(string_agg(DISTINCT name || ' ' || pronargs, ', '), 'max 1, min 1', 'functions that core has, too') FROM functions;
SELECT cmp_ok((SELECT count(*) FROM resolutions WHERE alone LIKE '{%'), '>', 800::bigint, 'there is something to resolve');
SELECT is(string_agg(format('%s: %s, was %s', expression, along, alone), E'\n'), NULL,
	'an unknown argument is what it is without the extension')
FROM resolutions WHERE along <> alone AND expression NOT IN (SELECT expression FROM additions);
SELECT is(string_agg(format('%s: %s, was %s', expression, along, alone), E'\n'), NULL,
	'but where core has nothing, and the extension alone answers')
FROM additions LEFT JOIN resolutions USING (expression)
WHERE (alone LIKE '42883:%' AND along ~ '^\{(2950)?\}:.*ids\.') IS NOT TRUE;

-- Arguments of known types: whatever core takes stays core's.
CREATE TEMP TABLE resolved_pairs AS
SELECT expression, alone, pg_temp.resolved(expression, 'ids') AS along
FROM pairs
JOIN alone USING (expression)
WHERE alone LIKE '{%';
SELECT cmp_ok((SELECT count(*) FROM resolved_pairs WHERE alone LIKE '{%'), '>', 200::bigint, 'there are operators of core');
SELECT is(string_agg(format('%s: %s, was %s', expression, along, alone), E'\n'), NULL, 'arguments of known types stay core''s')
FROM resolved_pairs WHERE alone LIKE '{%' AND along <> alone;

--
-- What people write, with the extension's schema on the path.
--

SET LOCAL search_path = public, ids;

SELECT ok(tstzrange('2024-01-01', '2025-01-01') @> '[2024-02-01,2024-03-01)', 'a range and a literal');
SELECT ok('[2024-02-01,2024-03-01)' <@ tstzrange('2024-01-01', '2025-01-01'), 'the other way round');
SELECT ok(tstzmultirange '{[2024-01-01,2025-01-01)}' @> '{[2024-02-01,2024-03-01)}', 'a multirange and a literal');
SELECT ok('{[2024-02-01,2024-03-01)}' <@ tstzmultirange '{[2024-01-01,2025-01-01)}', 'the other way round');
SELECT is(tstzrange '(,)' @> NULL, NULL, 'a range and NULL');
SELECT is(NULL <@ tstzmultirange '{(,)}', NULL, 'NULL and a multirange');
SELECT throws_ok($$SELECT tstzrange '(,)' @> '2024-02-01'$$, '22P02', NULL, 'a time is no range, as without the extension');

-- ids in periods, of domains, too
CREATE TEMP VIEW answers AS
SELECT id <@ period AS in_period, period @> id AS contains, id <@ periods AS in_periods, periods @> id AS contain,
	id <@ period::pg_temp.stay AS in_domain, periods::pg_temp.stays @> id AS domain_contains
FROM (VALUES (uuid_boundary('2024-02-01')), (uuid_boundary('2025-02-01'))) AS i(id),
	(VALUES (tstzrange '[2024-01-01,2025-01-01)', tstzmultirange '{[2024-01-01,2025-01-01)}')) AS p(period, periods);
SELECT results_eq('SELECT DISTINCT a::text FROM answers AS a ORDER BY 1',
	ARRAY['(f,f,f,f,f,f)', '(t,t,t,t,t,t)'], 'an id and its period');
\if :sql_edition
SELECT throws_ok('SELECT gen_ulid() <@ tstzrange ''(,)''', '42883', NULL, 'a ULID that is a domain over text is in no period');
\else
SELECT results_eq('SELECT DISTINCT concat_ws('' '', id <@ period, periods @> id)
	FROM (VALUES (uuid_to_ulid(uuid_boundary(''2024-02-01'')))) AS i(id),
		(VALUES (pg_temp.stay ''[2024-01-01,2025-01-01)'', tstzmultirange ''{[2024-01-01,2025-01-01)}'')) AS p(period, periods)',
	ARRAY['t t'], 'a ULID, too');
\endif

-- what a view says can be said again
DO $$
BEGIN
	EXECUTE 'CREATE TEMP VIEW again AS ' || pg_get_viewdef('answers'::regclass);
	EXECUTE 'SET LOCAL search_path = pg_catalog';
	EXECUTE 'CREATE VIEW pg_temp.from_afar AS ' || pg_get_viewdef('pg_temp.answers'::regclass);
	EXECUTE 'SET LOCAL search_path = public, ids';
END $$;
SELECT is(pg_get_viewdef('again'::regclass), pg_get_viewdef('answers'::regclass), 'a view''s definition is one of the same view');
SELECT results_eq('TABLE from_afar', 'TABLE answers', 'under another path, too');

-- Indexes of core on periods serve core's operators.
CREATE TABLE stays (during tstzrange, several tstzmultirange);
INSERT INTO stays
SELECT tstzrange(day, day + interval '1 day'), tstzmultirange(tstzrange(day, day + interval '1 day'))
FROM generate_series(timestamptz '2024-01-01', '2024-12-31', '1 day') AS day;
CREATE INDEX ON stays USING gist (during);
CREATE INDEX ON stays USING gist (several);
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;
PREPARE during AS SELECT count(*) FROM stays WHERE during @> $1;
PREPARE within AS SELECT count(*) FROM stays WHERE $1 <@ during;
CREATE FUNCTION pg_temp.plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	plan text := '';
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		plan := plan || line;
	END LOOP;
	RETURN plan;
END $$;
SELECT matches(pg_temp.plan_of(query), 'Index (Only )?Scan using stays_.*Index Cond: \((during|several) @> ', query)
FROM unnest(ARRAY[
	$$SELECT FROM stays WHERE during @> '[2024-02-01,2024-02-01 12:00)'$$,
	$$SELECT FROM stays WHERE '[2024-02-01,2024-02-01 12:00)' <@ during$$,
	$$SELECT FROM stays WHERE several @> '{[2024-02-01,2024-02-01 12:00)}'$$,
	$$EXECUTE during('[2024-02-01,2024-02-01 12:00)')$$,
	$$EXECUTE within('[2024-02-01,2024-02-01 12:00)')$$]) AS query;
SELECT is((SELECT count(*) FROM stays WHERE during @> '[2024-02-01,2024-02-01 12:00)'), 1::bigint, 'rows that contain a period');
SELECT is((SELECT count(*) FROM stays WHERE '{[2024-02-01,2024-02-01 12:00)}' <@ several), 1::bigint, 'of several, too');
SELECT is((SELECT count(*) FROM stays WHERE during @> NULL), 0::bigint, 'none contain NULL');

SELECT * FROM finish();
ROLLBACK;
