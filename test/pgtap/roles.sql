-- A database's owner installs the extension, into a schema of any name, and
-- everyone uses it.

BEGIN;
\ir include/settings.sql
SELECT plan(46);

DROP EXTENSION uidext CASCADE;
CREATE ROLE uidext_owner NOSUPERUSER;
CREATE ROLE uidext_user NOSUPERUSER;
SELECT current_database() AS database \gset
ALTER DATABASE :"database" OWNER TO uidext_owner;
CREATE SCHEMA "My ids" AUTHORIZATION uidext_owner;
GRANT USAGE ON SCHEMA "My ids" TO uidext_user;

CREATE FUNCTION pg_temp.as_role(role name, command text) RETURNS text LANGUAGE plpgsql AS $$
-- The first value that the command returns to that role, or its error.
DECLARE
	result text := 'done';
BEGIN
	PERFORM set_config('role', role, true);
	IF command ~ '^SELECT' THEN
		EXECUTE command INTO result;
	ELSE
		EXECUTE command;
	END IF;
	PERFORM set_config('role', 'none', true);
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END $$;

SELECT alike(pg_temp.as_role('uidext_user', 'CREATE EXTENSION uidext SCHEMA "My ids"'), '42501:%',
	'a role without rights in the database cannot install it');
SELECT is(pg_temp.as_role('uidext_owner', 'CREATE EXTENSION uidext SCHEMA "My ids"'), 'done',
	'the database''s owner, no superuser, can');
SELECT is(extowner::regrole::text, 'uidext_owner', 'and owns it') FROM pg_extension WHERE extname = 'uidext';

SELECT is(pg_temp.as_role('uidext_user', command), result, command)
FROM (VALUES
	('SELECT "My ids".uuidv7_is_valid("My ids".gen_uuidv7())', 'true'),
	('SELECT "My ids".uuidv7_is_valid("My ids".gen_uuidv7(''1 day''))', 'true'),
	('SELECT "My ids".uuid_time("My ids".gen_uuidv7_at(''2026-01-01''))', '2026-01-01 00:00:00+00'),
	('SELECT "My ids".uuid_boundary(''2023-12-01'')', '018c22ac-d000-0000-0000-000000000000'),
	('SELECT layout FROM "My ids".uuid_inspect(''017f22e2-79b0-7cc3-98c4-dc0c0c07398f'')', 'UUIDv7'),
	('SELECT "My ids".gen_uuidv7() OPERATOR("My ids".<@) tstzrange(now() - interval ''1 day'', now() + interval ''1 day'')', 'true'),
	('SELECT "My ids".uuid_time("My ids".gen_uuidv7()) <= now() + interval ''1 hour''', 'true'),
	('SELECT "My ids".gen_iuid(76, 1)::uuid::"My ids".iuid IS NULL', 'false')
) AS c(command, result);

-- Whoever installs a trusted extension does not own what is in it, and so cannot change what others run.
SELECT is(array_agg(pg_describe_object(d.classid, d.objid, 0)), NULL,
	'functions, types, operators, tables and schemas belong to the bootstrap superuser')
FROM pg_depend AS d LEFT JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
	LEFT JOIN pg_type AS t ON d.classid = 'pg_type'::regclass AND t.oid = d.objid
	LEFT JOIN pg_operator AS o ON d.classid = 'pg_operator'::regclass AND o.oid = d.objid
	LEFT JOIN pg_opclass AS c ON d.classid = 'pg_opclass'::regclass AND c.oid = d.objid
	LEFT JOIN pg_class AS r ON d.classid = 'pg_class'::regclass AND r.oid = d.objid
	LEFT JOIN pg_namespace AS n ON d.classid = 'pg_namespace'::regclass AND n.oid = d.objid
WHERE d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uidext')
	AND 10 <> coalesce(p.proowner, t.typowner, o.oprowner, c.opcowner, r.relowner, n.nspowner);
SELECT alike(pg_temp.as_role('uidext_owner', command), '42501:%', 'the installer cannot: ' || command)
FROM (VALUES
	('CREATE OR REPLACE FUNCTION "My ids".uuid_time(id uuid) RETURNS timestamptz LANGUAGE sql AS ''SELECT now()'''),
	('ALTER FUNCTION "My ids".uuid_time(uuid) SECURITY DEFINER'),
	('ALTER TABLE iuid.countries ADD CHECK (false)'),
	('ALTER TABLE iuid.countries DISABLE TRIGGER ALL'),
	('CREATE TRIGGER t BEFORE INSERT ON iuid.countries FOR EACH ROW EXECUTE FUNCTION "My ids".iuid_registry_changed()'),
	('ALTER TYPE "My ids".iuid RENAME TO id')
) AS c(command);

-- The registry.
SELECT is(pg_temp.as_role('uidext_owner', command), 'done', 'the installer can: ' || command)
FROM (VALUES
	(1, 'INSERT INTO iuid.countries VALUES (77, ''BR'', ''Brasil'')'),
	(2, 'UPDATE iuid.countries SET id = 76, name = ''Brazil'''),
	(3, 'INSERT INTO iuid.service_entities VALUES (1, ''Ride'')'),
	(4, 'INSERT INTO iuid.routes VALUES (76, DEFAULT, ''node'')'),
	(5, 'GRANT INSERT ON iuid.routes TO uidext_user'),
	(6, 'REVOKE INSERT ON iuid.routes FROM uidext_user')
) AS c(n, command) ORDER BY n;
SELECT alike(pg_temp.as_role('uidext_user', format(command, registry)), '42501:%',
	'a mere user cannot: ' || format(command, registry))
FROM unnest('{countries,service_entities,routes}'::text[]) AS registry, (VALUES
	('INSERT INTO iuid.%s DEFAULT VALUES'), ('DELETE FROM iuid.%s'), ('TRUNCATE iuid.%s')) AS c(command);
SELECT alike(pg_temp.as_role('uidext_user', 'SELECT "My ids".iuid_load_iso_3166()'), '42501:%', 'nor load countries');
SELECT is(pg_temp.as_role('uidext_user', command), result, command)
FROM (VALUES
	('SELECT code FROM iuid.countries', 'BR'),
	('SELECT "My ids".iuid_country("My ids".gen_iuid(''Brazil'', ''Ride''))', '76'),
	('SELECT (d).country_code || '' '' || (d).node FROM "My ids".iuid_describe("My ids".gen_iuid(76, 1)) AS d', 'BR node')
) AS c(command, result);
SELECT is(pg_temp.as_role('uidext_owner', 'SELECT "My ids".iuid_load_iso_3166()'), '248', 'the installer can load countries');

-- The right to change the registry is the database owner's, whoever that is.
ALTER DATABASE :"database" OWNER TO CURRENT_USER;
SELECT alike(pg_temp.as_role('uidext_owner', 'DELETE FROM iuid.routes'), '42501:%',
	'who owned the database cannot change the registry any more');
ALTER DATABASE :"database" OWNER TO uidext_user;
SELECT is(pg_temp.as_role('uidext_user', 'UPDATE iuid.routes SET description = NULL'), 'done', 'who owns it can');
SELECT is(pg_temp.as_role('uidext_user', 'GRANT UPDATE ON iuid.routes TO uidext_owner'), 'done', 'and lets others');
ALTER DATABASE :"database" OWNER TO uidext_owner;

-- Names are looked up without regard to privileges on the registry (by C); the registry itself is not shown.
REVOKE SELECT ON iuid.countries FROM PUBLIC;
SELECT alike(pg_temp.as_role('uidext_user', 'SELECT "My ids".iuid_country("My ids".gen_iuid(''BR'', ''Ride''))'),
	CASE WHEN :'sql_edition' THEN '42501:%' ELSE '76' END, 'a name becomes an id without the right to read the registry');
SELECT alike(pg_temp.as_role('uidext_user', 'SELECT "My ids".iuid_describe("My ids".gen_iuid(76, 1))'),
	'42501:%', 'an id becomes no name');

REVOKE USAGE ON SCHEMA "My ids" FROM uidext_user;
SELECT alike(pg_temp.as_role('uidext_user', 'SELECT "My ids".gen_uuidv7()'), '42501:%',
	'USAGE on the schema is what a user needs');

SELECT alike(pg_temp.as_role('uidext_user', 'DROP EXTENSION uidext'), '42501:%', 'a mere user cannot drop it');
SELECT is(pg_temp.as_role('uidext_owner', 'DROP EXTENSION uidext'), 'done', 'the owner can');

SELECT * FROM finish();
ROLLBACK;
