-- The extension comes out the same whatever the settings of the session that installs it

CREATE VIEW installed AS
SELECT pg_describe_object(classid, objid, 0) AS object,
	CASE WHEN classid = 'pg_proc'::regclass THEN pg_get_functiondef(objid) END AS definition,
	obj_description(objid, classid::regclass::name) AS comment
FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass
	AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uidext') AND deptype = 'e'
	AND NOT (classid = 'pg_proc'::regclass AND (SELECT prokind = 'a' FROM pg_proc WHERE oid = objid));
CREATE TABLE here AS SELECT * FROM installed;
SELECT count(definition) > 100 AS functions FROM here;

BEGIN;
DROP EXTENSION uidext;
-- 19 has no other strings
DO $$ BEGIN
	IF current_setting('server_version_num')::int < 190000 THEN
		SET LOCAL standard_conforming_strings = off;
	END IF;
END $$;
SET LOCAL transform_null_equals = on;
SET LOCAL check_function_bodies = off;
SET LOCAL DateStyle = 'German';
SET LOCAL IntervalStyle = 'sql_standard';
SET LOCAL TimeZone = 'Asia/Kathmandu';
SET LOCAL search_path = public, pg_catalog;
CREATE EXTENSION uidext;
RESET ALL;
SELECT object FROM (SELECT * FROM installed EXCEPT SELECT * FROM here) AS differing;
SELECT object FROM here EXCEPT SELECT object FROM installed;
ROLLBACK;

-- nor does the name of its schema matter
BEGIN;
DROP EXTENSION uidext;
CREATE SCHEMA "100%ids";
CREATE EXTENSION uidext SCHEMA "100%ids";
SET LOCAL search_path = "100%ids";
SET LOCAL timezone = 'UTC';
CREATE TABLE public.orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create('public.orders', '2026-01-01', '2026-03-01', '1 month');
ROLLBACK;

DROP TABLE here;
DROP VIEW installed;
