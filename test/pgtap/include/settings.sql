-- What the suites take for granted, whatever the server's own settings are.
-- First after BEGIN, for the level of isolation cannot be changed later.

SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCAL timezone = 'UTC';
SET LOCAL datestyle = 'ISO, MDY';
SET LOCAL intervalstyle = 'postgres';
SET LOCAL bytea_output = 'hex';
SET LOCAL standard_conforming_strings = on;
SET LOCAL client_min_messages = 'warning';
SET LOCAL jit = off;

-- the edition in the database, for what can only hold in one of them
SELECT to_regprocedure('uidext_internal.fail(anyelement,text,text,text,text)') IS NOT NULL AS sql_edition \gset
