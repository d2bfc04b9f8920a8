-- [c]
-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION uidext" to load this file. \quit

-- [both]
-- What nobody calls by hand: implementations of operators, planner support,
-- what the other functions share.

-- With it in their search_path functions call each other by short names: it is made
-- here or not at all, and nobody but its owner creates in it.
CREATE SCHEMA uidext_internal;
COMMENT ON SCHEMA uidext_internal IS 'machinery of the extension uidext; not for use by hand';
GRANT USAGE ON SCHEMA uidext_internal TO PUBLIC;

-- The registry's own: a table among the user's would be one more for every tool
-- that compares or dumps a schema.
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
