-- What of iUIDs only the module has: a type of their own, a setting that is checked, a cache of the registry.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql

CREATE TABLE trips (id iuid PRIMARY KEY, n int);
-- The type: what text, casts and assignments take.
INSERT INTO trips VALUES ('018c22ac-d000-8037-a940-000000000000', 0), ('{018C22ACD00080FFBFFFFFFFFFFFFFFF}', 0);
SELECT value || E'\n' || error_of(format('SELECT %L::iuid', value)) AS "text and error"
FROM unnest(ARRAY['018c22ac-d000-8137-a940-000000000000', '018c22ac-d000-7037-a940-000000000000',
	'018c22ac-d000-8037-2940-000000000000', '018c22ac-d000-0000-0000-000000000001', '018c22ac-d000-0001-0000-000000000000',
	'018c22ac-d000-0000-8000-000000000000', 'ffffffff-ffff-ffff-ffff-fffffffffffe', 'x', '', '018c22ac-d000-8037-a940-00000000000',
	'018c22ac-d000-0000-0000-000000000000',
	'00000000-0000-0000-0000-000000000000',
	'ffffffff-ffff-ffff-ffff-ffffffffffff']) AS value :unaligned
SELECT command || E'\n' || error_of(command) AS "command and error"
FROM unnest(ARRAY[$$INSERT INTO trips VALUES (uuid '919108f7-52d1-4320-9bac-f847db4148a8')$$,
	'INSERT INTO trips VALUES (NULL)', $$UPDATE trips SET id = '018c22ac-d000-4037-a940-000000000000' WHERE n = 0$$,
	$$SELECT uuid '918108f7-52d1-8320-9bac-f847db4148a8'::iuid$$, $$SELECT uuid '018c22ac-d000-0000-0000-000000000000'::iuid$$,
	'SELECT NULL::iuid', 'SELECT NULL::uuid::iuid', 'SELECT gen_iuid(1, 2)::iuid', $$SELECT gen_iuid(1, 2)::text::iuid$$,
	$$SELECT '{018c22ac-d000-8037-a940-000000000000,018c22ac-d000-4037-a940-000000000000}'::iuid[]$$,
	$$SELECT '{018c22ac-d000-4037-a940-000000000000}'::uuid[]::iuid[]$$,
	$$SELECT now()::iuid$$,
	$$SELECT timestamptz '1969-01-01'::iuid$$,
	$$SELECT timestamptz 'infinity'::iuid$$]) AS command :unaligned
COPY trips (id) FROM stdin;
018c22ac-d000-4037-a940-000000000000
\.

-- It is a uuid wherever one is asked for.
SELECT pg_typeof(id) AS type, pg_typeof(id::uuid) AS uuid, id = id::uuid AS same, id, id::timestamptz, id::text,
	id || '' AS text, to_json(id), ARRAY[id] AS ids
FROM trips WHERE n = 0 ORDER BY trips.id;
SELECT iuid_country(id), iuid_service_entity(id), iuid_version(id), iuid_is_valid(id), uuid_time(id),
	(uuid_inspect(id)).layout, (iuid_describe(id)).country,
	uuid_boundary_time(id), uuid_to_sqlserver(id), uuid_send(id) = decode(replace(id::text, '-', ''), 'hex') AS sent
FROM trips WHERE n = 0 ORDER BY trips.id;
SELECT id::uuid = ANY (ids) AS uuids, ARRAY[id] = ids AS arrays, id = ANY (ids::uuid[]) AS as_uuids, ids && ARRAY[id] AS overlap
FROM (SELECT id, array_agg(id) OVER () AS ids FROM trips WHERE n = 0) AS t;
SELECT * FROM json_populate_record(NULL::trips, '{"id": "018c22ac-d000-8037-a940-000000000000", "n": 7}');
SELECT error_of($$SELECT * FROM jsonb_populate_record(NULL::trips, '{"id": "018c22ac-d000-4037-a940-000000000000"}')$$) :unaligned
SELECT pg_typeof(coalesce(id, id)) AS iuids, pg_typeof(coalesce(id, gen_uuidv7())) AS with_uuid,
	pg_typeof(CASE WHEN true THEN id ELSE '018c22ac-d000-8037-a940-000000000000' END) AS with_text,
	pg_typeof(greatest(id, id::uuid)) AS greatest
FROM trips LIMIT 1;
SELECT id FROM trips WHERE n = 0
UNION SELECT id::uuid FROM trips WHERE n = 0
EXCEPT SELECT '018c22ac-d000-80ff-bfff-ffffffffffff'::iuid;
-- a literal beside it is a uuid, one of several is an iuid
SELECT count(*) AS trips FROM trips WHERE id = '919108f7-52d1-4320-9bac-f847db4148a8';
SELECT error_of($$
	SELECT FROM trips
	WHERE id IN ('919108f7-52d1-4320-9bac-f847db4148a8', '018c22ac-d000-8037-a940-000000000000')$$) :unaligned
SELECT count(*) AS trips
FROM trips
WHERE id = ANY ('{919108f7-52d1-4320-9bac-f847db4148a8,018c22ac-d000-8037-a940-000000000000}'::uuid[]);
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

-- uidext.country is checked when it is set.
SHOW uidext.country;
SELECT setting, vartype, context FROM pg_settings WHERE name = 'uidext.country';
SELECT command || E'\n' || error_of(command) AS "command and error"
FROM unnest(ARRAY['SET uidext.country = 256', 'SET uidext.country = -2', 'SET uidext.country = ''BR''',
	'SET uidext.country = ''076''', 'SET uidext.country = ''-0''', 'SET uidext.country = ''0x4C''', 'SET uidext.country = ''75.5''',
	'SET uidext.country = ''99999999999''',
	'SET uidext.country = -1', 'SET uidext.country = 0', 'SET uidext.country = 255', 'SET uidext.region = 1']) AS command :unaligned
RESET uidext.country;
SELECT error_of(format('ALTER DATABASE %I SET uidext.country = 256', current_database())) :unaligned

-- The trigger by which sessions read the registry anew.
SELECT error_of('SELECT uidext_internal.iuid_registry_changed()') :unaligned

DROP FUNCTION error_of;
