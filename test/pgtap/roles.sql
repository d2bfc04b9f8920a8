-- A database's owner installs the extension, into a schema of any name, and
-- everyone uses it.

BEGIN;
SELECT plan(13);
SET LOCAL client_min_messages = warning;
SET LOCAL timezone = 'UTC';

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
	('SELECT "My ids".gen_uuidv7()::timestamptz <= clock_timestamp()', 'true'),
	('SELECT "My ids".gen_uuidv7()::"My ids".uuid_v7 IS NULL', 'false')
) AS c(command, result);

SELECT alike(pg_temp.as_role('uidext_user', 'DROP EXTENSION uidext'), '42501:%', 'a mere user cannot drop it');
SELECT is(pg_temp.as_role('uidext_owner', 'DROP EXTENSION uidext'), 'done', 'the owner can');

SELECT * FROM finish();
ROLLBACK;
