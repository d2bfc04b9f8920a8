-- Whatever the search_path holds, the extension's own code means what it meant.

BEGIN;
\ir include/settings.sql
SELECT plan(16);

-- Look-alikes of what the install script and the function bodies mention, in
-- the schema that the extension goes into and in one before all others.  Types
-- are looked for in the temporary schema first, where they can hide those of
-- core.
DROP EXTENSION uidext CASCADE;
CREATE SCHEMA ids;
CREATE SCHEMA evil;

CREATE FUNCTION public.plant(schema name) RETURNS void LANGUAGE plpgsql AS $plant$
DECLARE
	function text;
	operator text;
BEGIN
	FOREACH function IN ARRAY '{
		"now() RETURNS timestamptz", "clock_timestamp() RETURNS timestamptz", "isfinite(timestamptz) RETURNS bool",
		"uuid_lt(uuid, uuid) RETURNS bool", "timestamptz_lt(timestamptz, timestamptz) RETURNS bool",
		"timestamptz_pl_interval(timestamptz, interval) RETURNS timestamptz", "add(timestamp, interval) RETURNS timestamp",
		"uuid_boundary(text) RETURNS uuid", "uuid_boundary_at_or_after(text) RETURNS uuid",
		"uuid_range_lower(anyrange) RETURNS uuid", "uuidv7_is_valid(text) RETURNS bool", "gen_uuidv7(text) RETURNS uuid"
	}'::text[] LOOP
		EXECUTE format('CREATE FUNCTION %I.%s LANGUAGE plpgsql AS $$BEGIN RAISE ''planted function called''; END$$', schema, function);
	END LOOP;
	FOREACH operator IN ARRAY '{<,<=,>=,>,=,<>}'::text[] LOOP
		EXECUTE format('CREATE OPERATOR %I.%s (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = %1$I.uuid_lt)', schema, operator);
		EXECUTE format('
				CREATE OPERATOR %I.%s (
					LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = %1$I.timestamptz_lt)', schema,
			operator);
	END LOOP;
	EXECUTE format('CREATE OPERATOR %I.+ (LEFTARG = timestamp, RIGHTARG = interval, FUNCTION = %1$I.add)', schema);
END $plant$;
SELECT public.plant('ids'), public.plant('evil') \g /dev/null

CREATE FUNCTION public.under(path text, command text) RETURNS text LANGUAGE plpgsql AS $$
-- What the command returns while the search_path is this and core's types are hidden.
DECLARE
	result text;
	type text;
BEGIN
	FOREACH type IN ARRAY '{uuid,bool,timestamptz,tstzrange,regclass,bytea,text,name}'::text[] LOOP
		EXECUTE 'CREATE DOMAIN pg_temp.' || type || ' AS pg_catalog.int4 CHECK (false)';
	END LOOP;
	PERFORM pg_catalog.set_config('search_path', path, true);
	IF command ~ '^CREATE' THEN
		EXECUTE command;
	ELSE
		EXECUTE command INTO result;
	END IF;
	PERFORM pg_catalog.set_config('search_path', 'public', true);
	FOREACH type IN ARRAY '{uuid,bool,timestamptz,tstzrange,regclass,bytea,text,name}'::pg_catalog.text[] LOOP
		EXECUTE 'DROP DOMAIN pg_temp.' || type;
	END LOOP;
	RETURN result;
END $$;

SELECT lives_ok($$SELECT public.under('evil, pg_temp, pg_catalog, public', 'CREATE EXTENSION uidext SCHEMA ids')$$,
	'the install script does not mind');

SELECT is(oidvectortypes(proargtypes) || ' -> ' || prorettype::regtype, signature, 'types of ' || proname)
FROM (VALUES
	('uuid_time', 'uuid -> timestamp with time zone'),
	('uuid_boundary_at_or_after', 'timestamp with time zone -> uuid'),
	('id_lt_timestamptz', 'uuid, timestamp with time zone -> boolean'),
	('id_in_tstzrange', 'uuid, uidext_internal.period -> boolean')) AS v(name, signature)
JOIN pg_proc ON proname = name AND NOT '{ids.ulid,text}'::regtype[] && proargtypes::oid[]::regtype[]
JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e';

CREATE TABLE public.events (id uuid PRIMARY KEY, strict ids.iuid);
INSERT INTO public.events
SELECT ids.gen_uuidv7_at(at), ids.gen_iuid_at(at, 76, 1)
	FROM (SELECT '2026-01-01'::timestamptz + n * interval '1 hour' FROM generate_series(0, 23) AS n) AS t(at);
CREATE TABLE public.months (id uuid PRIMARY KEY) PARTITION BY RANGE (id);

-- Every name spelt out, but for those inside the extension.
SELECT is(public.under(path, $$
		SELECT pg_catalog.concat_ws(' ',
			(SELECT pg_catalog.count(*) FROM public.events WHERE id OPERATOR(ids.<) timestamp with time zone '2026-01-01 06:00+00'),
			(SELECT pg_catalog.count(*) FROM public.events WHERE id OPERATOR(ids.<=) timestamp with time zone '2026-01-01 06:00+00'),
			(SELECT pg_catalog.count(*) FROM public.events WHERE id OPERATOR(ids.>=) timestamp with time zone '2026-01-01 06:00+00'),
			(SELECT pg_catalog.count(*) FROM public.events WHERE id OPERATOR(ids.>) timestamp with time zone '2026-01-01 06:00+00'),
			(
				SELECT pg_catalog.count(*)
				FROM public.events
				WHERE id OPERATOR(ids.<@) pg_catalog.tstzrange '[2026-01-01 06:00+00,2026-01-01 07:00+00]'),
			ids.uuid_boundary(timestamp with time zone '2023-12-01 00:00+00'),
			ids.uuid_time(pg_catalog.uuid '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'),
			(ids.uuid_inspect(pg_catalog.uuid '017f22e2-79b0-7cc3-98c4-dc0c0c07398f')).layout,
			ids.gen_iuid(76, 1)::pg_catalog.uuid::ids.iuid IS NOT NULL,
			(SELECT pg_catalog.count(DISTINCT strict) OPERATOR(pg_catalog.=) 24 FROM public.events))
	$$),
		'6 7 18 17 2 018c22ac-d000-0000-0000-000000000000 2022-02-22 19:22:22+00 UUIDv7 t t',
		'search_path = ' || quote_literal(path))
FROM unnest(
	ARRAY['', 'public', 'ids, public', 'evil, ids, public', 'evil, pg_temp, pg_catalog, ids',
		'pg_temp, evil, ids, pg_catalog']) AS path;

SELECT is(public.under('evil, pg_temp, pg_catalog', $$
		SELECT pg_catalog.count(*) FROM ids.uuid_partition_create(pg_catalog.regclass 'public.months',
			timestamp with time zone '2026-01-01 00:00+00', timestamp with time zone '2026-04-01 00:00+00', interval '1 month')
	$$), '3', 'partitions under a hostile search_path');

-- A table's default, check, generated column and index mean the same to all who write into it.
CREATE TABLE public.users (
	id ids.iuid PRIMARY KEY DEFAULT ids.gen_iuid(76, 1),
	made timestamptz GENERATED ALWAYS AS (ids.uuid_time(id)) STORED,
	CHECK (id OPERATOR(ids.>) '2020-01-01 00:00+00'::timestamptz AND id OPERATOR(ids.<@) '[2020-01-01 00:00+00,)'::tstzrange));
CREATE INDEX ON public.users (ids.uuid_boundary_time(id));
SELECT is(public.under(path, 'INSERT INTO public.users DEFAULT VALUES RETURNING made IS NOT NULL'), 'true',
	'a row made with search_path = ' || quote_literal(path))
FROM unnest(ARRAY['', 'ids, public', 'evil, ids, public', 'evil, pg_temp, pg_catalog, ids']) AS path;

SELECT * FROM finish();
ROLLBACK;
