-- [c]
-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION uidext" to load this file. \quit

-- [both]
-- What nobody calls by hand: implementations of operators, planner support,
-- what the other functions share.

CREATE SCHEMA uidext_internal;
COMMENT ON SCHEMA uidext_internal IS 'machinery of the extension uidext; not for use by hand';
GRANT USAGE ON SCHEMA uidext_internal TO PUBLIC;
