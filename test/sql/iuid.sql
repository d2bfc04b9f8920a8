-- iUID: fields, generators, the type, the setting uidext.country.
\set SHOW_CONTEXT never

SET timezone = 'UTC';
SET datestyle = ISO;

\set unaligned '\\g (format=unaligned tuples_only=on)'

\getenv test PG_ABS_SRCDIR
\set error_of :test '/include/error_of.sql'
\i :error_of

-- Fields: the example of the layout, the extremes, and each bit beside them.
SELECT id, iuid_is_valid(id) AS valid, iuid_version(id) AS version, iuid_country(id) AS country,
	iuid_service_entity(id) AS entity, uuid_time(id) AS "time"
FROM unnest(ARRAY[
	'018c22ac-d000-8037-a940-000000000000', '018c22ac-d000-8037-a97f-ffffffffffff',
	'018c22ac-d000-8037-a93f-ffffffffffff', '018c22ac-d000-8037-a980-000000000000',
	'018c22ac-d000-8000-8000-000000000000', '018c22ac-d000-80ff-bfff-ffffffffffff',
	'018c22ac-d000-8001-8040-000000000000', '018c22ac-d000-8080-a000-000000000000',
	'018c22ac-d000-8010-8100-000000000000', '018c22ac-d000-8008-8080-000000000000',
	'00000000-0000-8037-a940-000000000000', 'ffffffff-ffff-8037-a940-000000000000',
	'00000000-0001-8037-a940-000000000000']::uuid[]) AS id;

-- No iUID: another layout version, version or variant, nil, max, a boundary.
SELECT id, iuid_is_valid(id) AS valid, iuid_version(id) AS version, iuid_country(id) AS country,
	iuid_service_entity(id) AS entity
FROM unnest(ARRAY[
	'018c22ac-d000-8137-a940-000000000000', '018c22ac-d000-8837-a940-000000000000',
	'018c22ac-d000-8f37-a940-000000000000',
	'018c22ac-d000-0037-a940-000000000000', '018c22ac-d000-4037-a940-000000000000',
	'018c22ac-d000-7037-a940-000000000000', '018c22ac-d000-9037-a940-000000000000',
	'018c22ac-d000-c037-a940-000000000000',
	'018c22ac-d000-8037-2940-000000000000', '018c22ac-d000-8037-6940-000000000000',
	'018c22ac-d000-8037-e940-000000000000', '018c22ac-d000-8037-c940-000000000000',
	'2489e9ad-2ee2-8e00-8ec9-32d5f69181c0',
	'00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff',
	'018c22ac-d000-0000-0000-000000000000']::uuid[]) AS id;

-- A generator sets what it is told: head and tail lie in the span of time, country and entity.
SELECT country, entity, iuid_version(id) AS version, iuid_country(id) AS country_back,
	iuid_service_entity(id) AS entity_back, uuid_is_recent(id, '1 minute', '1 minute', clock_timestamp()) AS recent
FROM (VALUES (0, 0), (0, 255), (255, 0), (255, 255), (55, 165), (76, 1), (1, 76)) AS v(country, entity), gen_iuid(country, entity) AS id;
SELECT count(*) FILTER (WHERE id BETWEEN '018c22ac-d000-8037-a940-000000000000' AND '018c22ac-d000-8037-a97f-ffffffffffff') AS in_span,
	count(DISTINCT id) AS ids
FROM (SELECT gen_iuid_at('2023-12-01', 55, 165) AS id FROM generate_series(1, 1000)) AS made;
SELECT left(id::text, 21) AS id, uuid_time(id) AS "time"
FROM (VALUES (1, timestamptz '1970-01-01'), (2, '1970-01-01 00:00:00.000999'), (3, '2023-12-01 00:00:00.000999'),
	(4, '2023-12-01 00:00:00.001'), (5, '10889-08-02 05:31:50.655999')) AS v(n, at), gen_iuid_at(at, 55, 160) AS id
ORDER BY n;

-- One row, one id; always upwards.
CREATE TABLE trips (id iuid PRIMARY KEY DEFAULT gen_iuid(76, 7), n int);
INSERT INTO trips (n) SELECT generate_series(1, 5000);
SELECT count(*) AS trips, count(*) FILTER (WHERE id > previous) AS above_the_previous
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM trips) AS t;

-- Errors, and whichever comes first.
SELECT command || E'\n' || error_of('SELECT ' || command) AS "command and error"
FROM unnest(ARRAY['gen_iuid(256, 1)', 'gen_iuid(-1, 1)', 'gen_iuid(1, 256)', 'gen_iuid(1, -1)',
	'gen_iuid(2147483647, -2147483648)',
	$$gen_iuid_at('2023-12-01', 256, 1)$$, $$gen_iuid_at('2023-12-01', 1, -1)$$,
	$$gen_iuid_at('1969-12-31 23:59:59.999999', 1, 1)$$, $$gen_iuid_at('10889-08-02 05:31:50.656', 1, 1)$$,
	$$gen_iuid_at('-infinity', 1, 1)$$, $$gen_iuid_at('infinity', 1, 1)$$,
	'gen_iuid(1)', 'gen_iuid(256)', $$gen_iuid('Trip')$$, $$gen_iuid('BR', 'Trip')$$]) AS command :unaligned

-- NULL gives NULL, before anything else is looked at.
SELECT gen_iuid(NULL, 1) IS NULL, gen_iuid(1, NULL) IS NULL, gen_iuid(NULL, 256) IS NULL, gen_iuid(NULL::int) IS NULL,
	gen_iuid(NULL::text) IS NULL, gen_iuid('BR', NULL) IS NULL, gen_iuid(NULL, 'Trip') IS NULL,
	gen_iuid_at(NULL, 1, 1) IS NULL, gen_iuid_at('infinity', NULL, 1) IS NULL, gen_iuid_at(now(), 1, NULL) IS NULL,
	iuid_is_valid(NULL) IS NULL, iuid_version(NULL) IS NULL, iuid_country(NULL) IS NULL, iuid_service_entity(NULL) IS NULL,
	iuid_boundary(NULL) IS NULL;

-- The type: what text, casts and assignments take.
INSERT INTO trips VALUES ('018c22ac-d000-8037-a940-000000000000', 0), ('{018C22ACD00080FFBFFFFFFFFFFFFFFF}', 0);
SELECT value || E'\n' || error_of(format('SELECT %L::iuid', value)) AS "text and error"
FROM unnest(ARRAY['018c22ac-d000-8137-a940-000000000000', '018c22ac-d000-7037-a940-000000000000',
	'018c22ac-d000-8037-2940-000000000000', '018c22ac-d000-0000-0000-000000000001', '018c22ac-d000-0001-0000-000000000000',
	'018c22ac-d000-0000-8000-000000000000', 'ffffffff-ffff-ffff-ffff-fffffffffffe', 'x', '', '018c22ac-d000-8037-a940-00000000000',
	'018c22ac-d000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) AS value :unaligned
SELECT command || E'\n' || error_of(command) AS "command and error"
FROM unnest(ARRAY[$$INSERT INTO trips VALUES (uuid '919108f7-52d1-4320-9bac-f847db4148a8')$$,
	'INSERT INTO trips VALUES (NULL)', $$UPDATE trips SET id = '018c22ac-d000-4037-a940-000000000000' WHERE n = 0$$,
	$$SELECT uuid '918108f7-52d1-8320-9bac-f847db4148a8'::iuid$$, $$SELECT uuid '018c22ac-d000-0000-0000-000000000000'::iuid$$,
	'SELECT NULL::iuid', 'SELECT NULL::uuid::iuid', 'SELECT gen_iuid(1, 2)::iuid', $$SELECT gen_iuid(1, 2)::text::iuid$$,
	$$SELECT '{018c22ac-d000-8037-a940-000000000000,018c22ac-d000-4037-a940-000000000000}'::iuid[]$$,
	$$SELECT '{018c22ac-d000-4037-a940-000000000000}'::uuid[]::iuid[]$$, $$SELECT now()::iuid$$, $$SELECT timestamptz '1969-01-01'::iuid$$,
	$$SELECT timestamptz 'infinity'::iuid$$]) AS command :unaligned
COPY trips (id) FROM stdin;
018c22ac-d000-4037-a940-000000000000
\.

-- It is a uuid wherever one is asked for.
SELECT pg_typeof(id) AS type, pg_typeof(id::uuid) AS uuid, id = id::uuid AS same, id, id::timestamptz, id::text, id || '' AS text, to_json(id), ARRAY[id] AS ids
FROM trips WHERE n = 0 ORDER BY trips.id;
SELECT iuid_country(id), iuid_service_entity(id), iuid_version(id), iuid_is_valid(id), uuid_time(id), (uuid_inspect(id)).layout, (iuid_describe(id)).country,
	uuid_boundary_time(id), uuid_to_sqlserver(id), uuid_send(id) = decode(replace(id::text, '-', ''), 'hex') AS sent
FROM trips WHERE n = 0 ORDER BY trips.id;
SELECT id::uuid = ANY (ids) AS uuids, ARRAY[id] = ids AS arrays, id = ANY (ids::uuid[]) AS as_uuids, ids && ARRAY[id] AS overlap
FROM (SELECT id, array_agg(id) OVER () AS ids FROM trips WHERE n = 0) AS t;
SELECT * FROM json_populate_record(NULL::trips, '{"id": "018c22ac-d000-8037-a940-000000000000", "n": 7}');
SELECT error_of($$SELECT * FROM jsonb_populate_record(NULL::trips, '{"id": "018c22ac-d000-4037-a940-000000000000"}')$$) :unaligned
SELECT pg_typeof(coalesce(id, id)) AS iuids, pg_typeof(coalesce(id, gen_uuidv7())) AS with_uuid, pg_typeof(CASE WHEN true THEN id ELSE '018c22ac-d000-8037-a940-000000000000' END) AS with_text,
	pg_typeof(greatest(id, id::uuid)) AS greatest
FROM trips LIMIT 1;
SELECT id FROM trips WHERE n = 0 UNION SELECT id::uuid FROM trips WHERE n = 0 EXCEPT SELECT '018c22ac-d000-80ff-bfff-ffffffffffff'::iuid;
-- a literal beside it is a uuid, one of several is an iuid
SELECT count(*) FROM trips WHERE id = '919108f7-52d1-4320-9bac-f847db4148a8';
SELECT error_of($$SELECT FROM trips WHERE id IN ('919108f7-52d1-4320-9bac-f847db4148a8', '018c22ac-d000-8037-a940-000000000000')$$) :unaligned
SELECT count(*) FROM trips WHERE id = ANY ('{919108f7-52d1-4320-9bac-f847db4148a8,018c22ac-d000-8037-a940-000000000000}'::uuid[]);
PREPARE parameters AS SELECT FROM trips WHERE id = $1 OR id > $2::timestamptz OR n = $3;
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'parameters';
DEALLOCATE parameters;

-- Binary: the 16 bytes, checked as text is.
CREATE TEMP TABLE read_back (id iuid);
\copy (SELECT id FROM trips WHERE n = 0 UNION ALL SELECT iuid_boundary('infinity')) TO 'test/results/iuid.bin' (FORMAT binary)
\copy read_back FROM 'test/results/iuid.bin' (FORMAT binary)
SELECT id FROM read_back ORDER BY id;
\copy (SELECT '919108f7-52d1-4320-9bac-f847db4148a8'::uuid) TO 'test/results/iuid.bin' (FORMAT binary)
\copy read_back FROM 'test/results/iuid.bin' (FORMAT binary)
\set VERBOSITY sqlstate
\copy read_back FROM 'test/results/iuid.bin' (FORMAT binary)
\set VERBOSITY default
DROP TABLE read_back, trips;

-- uidext.country: unset, set, for a while, out of range.
SHOW uidext.country;
SELECT setting, vartype, context FROM pg_settings WHERE name = 'uidext.country';
SELECT error_of('SELECT gen_iuid(1)') :unaligned
SET uidext.country = 76;
SELECT iuid_country(id), iuid_service_entity(id) FROM gen_iuid(3) AS id;
BEGIN;
SET LOCAL uidext.country = 82;
SELECT iuid_country(gen_iuid(3));
SAVEPOINT s;
SET uidext.country = 0;
SELECT iuid_country(gen_iuid(3));
ROLLBACK TO s;
SELECT iuid_country(gen_iuid(3));
COMMIT;
SELECT iuid_country(gen_iuid(3)), iuid_country(gen_iuid(255, 3)) AS as_told;
CREATE FUNCTION gen_abroad(entity int) RETURNS uuid LANGUAGE sql SET uidext.country = 255 RETURN gen_iuid(entity);
SELECT iuid_country(gen_abroad(3)), iuid_country(gen_iuid(3));
DROP FUNCTION gen_abroad;
SELECT command || E'\n' || error_of(command) AS "command and error"
FROM unnest(ARRAY['SET uidext.country = 256', 'SET uidext.country = -2', 'SET uidext.country = ''BR''',
	'SET uidext.country = -1', 'SET uidext.country = 0', 'SET uidext.country = 255', 'SET uidext.region = 1']) AS command :unaligned
SELECT error_of('SELECT gen_iuid(256)') :unaligned
SET uidext.country = -1;
SELECT error_of('SELECT gen_iuid(1)') :unaligned
RESET uidext.country;
SELECT error_of('SELECT gen_iuid(1)') :unaligned

-- Anyone may set it.
CREATE ROLE regress_uidext_driver;
SET ROLE regress_uidext_driver;
SET uidext.country = 9;
SELECT iuid_country(gen_iuid(3));
RESET ROLE;
DROP ROLE regress_uidext_driver;

-- A region's schema does not name its country: the database does, or a role.
SELECT current_database() AS db \gset
ALTER DATABASE :"db" SET uidext.country = 82;
\c
SELECT iuid_country(gen_iuid(3));
SET uidext.country = 5;
SELECT iuid_country(gen_iuid(3));
RESET uidext.country;
SELECT iuid_country(gen_iuid(3));
ALTER ROLE CURRENT_USER SET uidext.country = 76;
\c
SELECT iuid_country(gen_iuid(3));
ALTER ROLE CURRENT_USER IN DATABASE :"db" SET uidext.country = 56;
\c
SHOW uidext.country;
SELECT iuid_country(gen_iuid(3));
SELECT error_of(format('ALTER DATABASE %I SET uidext.country = 256', current_database())) :unaligned
ALTER ROLE CURRENT_USER IN DATABASE :"db" RESET uidext.country;
ALTER ROLE CURRENT_USER RESET uidext.country;
ALTER DATABASE :"db" RESET uidext.country;
\c
SELECT error_of('SELECT gen_iuid(3)') :unaligned

-- Set before the library is there to check it: heeded, or complained about.
\c
SET uidext.country = 76;
SELECT iuid_country(gen_iuid(3));
\c
SET uidext.country = 256;
SELECT error_of('SELECT gen_iuid(3)') :unaligned
\c
SET uidext.contry = 76;
SELECT error_of('SELECT gen_iuid(3)') :unaligned
\c
ALTER DATABASE :"db" SET uidext.country = 256;
\c
SELECT error_of('SELECT gen_iuid(3)') :unaligned
ALTER DATABASE :"db" RESET uidext.country;

DROP FUNCTION error_of;
