-- [c]
-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION uidext" to load this file. \quit

-- [both]
-- Functions that users do not call: implementations of operators, planner support, and what other
-- functions share.

-- Functions have this schema in their search_path, and call each other by short names. The schema
-- must therefore be created here, and only its owner may create objects in it.
CREATE SCHEMA uidext_internal;
COMMENT ON SCHEMA uidext_internal IS
	'internal functions of the extension uidext, which users do not call';
GRANT USAGE ON SCHEMA uidext_internal TO PUBLIC;

-- The registry has a schema of its own. In a schema of the user, every tool that compares or dumps
-- schemas would find its tables.
DO $$
BEGIN
	IF pg_catalog.to_regnamespace('iuid') IS NOT NULL THEN
		RAISE EXCEPTION 'schema "iuid" already exists'
			USING ERRCODE = 'duplicate_schema', DETAIL = 'uidext makes a schema of that name for its registry.',
				HINT = 'Rename the schema that is there, or drop it.';
	END IF;
END $$;

CREATE SCHEMA iuid;
COMMENT ON SCHEMA iuid IS 'registry of the extension uidext: countries, service entities, routes';
GRANT USAGE ON SCHEMA iuid TO PUBLIC;
