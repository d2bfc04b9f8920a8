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

-- The partition library is for the most part the same SQL in both editions.  Of many
-- cases that differ only in what a table has, the C edition plays all, and the SQL
-- edition every third (number % :share = 0), unless the case is about what it does in
-- its own way: schemas, locks, default partitions, moved rows.  UIDEXT_LONG=1 plays all.
\set share 1
\getenv long UIDEXT_LONG
\if :{?long}
\elif :sql_edition
	\set share 3
\endif

-- Whether an id comes after the one before it as it should in a session: in the SQL
-- edition as far as the clock tells microseconds apart, which an id has in its
-- first 60 bits, an iUID in its first 88.
\if :sql_edition
CREATE FUNCTION pg_temp.is_next(id uuid, last_id uuid) RETURNS bool LANGUAGE sql AS $$
	SELECT left(id::text, digits) >= left(last_id::text, digits)
	FROM (SELECT CASE WHEN iuid_is_valid(id) THEN 26 ELSE 18 END) AS time(digits)
$$;
\else
CREATE FUNCTION pg_temp.is_next(id uuid, last_id uuid) RETURNS bool LANGUAGE sql AS 'SELECT id > last_id';
\endif
