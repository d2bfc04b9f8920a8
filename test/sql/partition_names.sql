-- What are partitions called, also where names of tables, schemas and partitions need quotes or are too
-- long, or a search_path leads elsewhere?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/partition_bounds.sql
\i :test/include/partitions_of.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

-- Names sort and say the period, as fine as the step, in the zone's local time.
CREATE TABLE meetings (id uuid) PARTITION BY RANGE (id);
BEGIN;
SELECT step, tz,
	(
		SELECT string_agg(partition::text, ' ')
		FROM uuid_partition_create('meetings', start, stop, step, tz) AS partition) AS partitions
FROM (VALUES (timestamptz '2024-01-01', timestamptz '2026-01-01', interval '1 year', 'UTC'),
	('2026-01-01', '2026-07-01', '3 months', 'UTC'),
	('2026-07-01', '2026-07-15', '1 week', 'UTC'),
	('2026-08-01', '2026-08-03', '1 day', 'UTC'),
	('2026-08-03', '2026-08-04', '12 hours', 'UTC'),
	('2026-08-04', '2026-08-04 00:30', '15 minutes', 'UTC'),
	('2026-08-05', '2026-08-05 00:00:01', '500 milliseconds', 'UTC'),
	('2026-09-01 00:00 Asia/Kathmandu', '2026-10-01 00:00 Asia/Kathmandu', '1 month', 'Asia/Kathmandu'),
	('2023-10-29 00:00+02', '2023-10-29 04:00+01', '1 hour', 'Europe/Berlin'),
	('2023-03-26 01:30+01', '2023-03-26 04:00+02', '30 minutes', 'Europe/Berlin')) AS asked(start, stop, step, tz);
SELECT bool_and(partition::text COLLATE "C" > previous) AS sorted_names
FROM (SELECT partition, lag(partition::text) OVER (ORDER BY bound) AS previous FROM partitions WHERE parent = 'meetings'::regclass
	AND partition::text !~ '^meetings_20[0-9]*$') AS neighbours;
ROLLBACK;
DROP TABLE meetings;

-- Odd names are quoted, of new partitions
CREATE SCHEMA "My ""Schema";
CREATE TABLE "My ""Schema"."Order Items'%s" ("The Id" uuid PRIMARY KEY, "a""b" int) PARTITION BY RANGE ("The Id");
SELECT uuid_partition_create('"My ""Schema"."Order Items''%s"', '2026-01-01', '2026-02-01', '1 month');
SELECT count(*) AS made FROM uuid_partition_create('"My ""Schema"."Order Items''%s"', '2026-01-01', '2026-02-01', '1 month');
SELECT partition FROM partitions WHERE parent = '"My ""Schema"."Order Items''%s"'::regclass;
-- and nothing depends on the caller's search_path
SET search_path = "My ""Schema", public;
SELECT uuid_partition_create('"Order Items''%s"', '2026-02-01', '2026-03-01', '1 month');
RESET search_path;
DROP SCHEMA "My ""Schema" CASCADE;
CREATE TEMP TABLE passing (id uuid) PARTITION BY RANGE (id);
SELECT uuid_partition_create('passing', '2026-01-01', '2026-02-01', '1 month');
DROP TABLE passing;

-- and of those that are listed, detached and made by upkeep
CREATE SCHEMA "a.b ""c";
CREATE TABLE "a.b ""c"."The 'Orders' %s" ("The Id" uuid PRIMARY KEY) PARTITION BY RANGE ("The Id");
CREATE TABLE "a.b ""c"."$x$ JANUARY; -- abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuv" PARTITION OF "a.b ""c"."The 'Orders' %s"
	FOR VALUES FROM (uuid_boundary('2020-01-01')) TO (uuid_boundary('2020-02-01'));
CREATE TABLE "a.b ""c"."Rest" PARTITION OF "a.b ""c"."The 'Orders' %s" DEFAULT;
INSERT INTO "a.b ""c"."The 'Orders' %s" VALUES (gen_uuidv7_at('2019-12-31'));
SELECT octet_length(relname) AS bytes_of_name, partition, kind, from_time, to_time, note
FROM uuid_partition_list('"a.b ""c"."The ''Orders'' %s"') JOIN pg_class ON oid = partition ORDER BY kind DESC;
SELECT partition, from_time FROM uuid_partition_drop('"a.b ""c"."The ''Orders'' %s"', '2020-02-01', true);
SELECT partition, action
FROM uuid_partition_maintain(
	'"a.b ""c"."The ''Orders'' %s"', '10 years', 0) AS m(action, partition, from_time, to_time, problem)
WHERE partition ~ '^"a.b ""c"."The ''Orders'' %s_20\d\d"$' IS NOT true;
DROP SCHEMA "a.b ""c" CASCADE;

-- 63 bytes are the limit of a name, also for letters of several bytes.
CREATE TABLE a123456789012345678901234567890123456789012345678901234 (id uuid) PARTITION BY RANGE (id);
SELECT uuid_partition_create('a123456789012345678901234567890123456789012345678901234', '2026-01-01', '2026-02-01', '1 month');
SELECT error_of($$
	SELECT uuid_partition_create(
		'a123456789012345678901234567890123456789012345678901234', '2026-02-01', '2026-02-02', '1 day')$$)
	AS error :unaligned
CREATE TABLE ääääääääääääääääääääääääääääa (id uuid) PARTITION BY RANGE (id);
SELECT error_of($$
	SELECT uuid_partition_create('ääääääääääääääääääääääääääääa', '2026-01-01', '2026-02-01', '1 month')$$)
	AS error :unaligned
SELECT uuid_partition_create('ääääääääääääääääääääääääääääa', '2026-01-01', '2027-01-01', '1 year');
DROP TABLE a123456789012345678901234567890123456789012345678901234, ääääääääääääääääääääääääääääa;

-- upkeep makes no name that the server would cut
CREATE TABLE a12345678901234567890123456789012345678901234567890123456 (id uuid) PARTITION BY RANGE (id);
SET client_min_messages = error;
SELECT action, partition ~ '^public\.a\d+_\d{4}_\d\d$' AS in_full, left(problem, 5) AS problem
	FROM uuid_partition_maintain('a12345678901234567890123456789012345678901234567890123456', '1 month', 0);
SET client_min_messages = warning;
SELECT count(*) AS steps FROM uuid_partition_maintain('a12345678901234567890123456789012345678901234567890123456', '1 year');
DROP TABLE a12345678901234567890123456789012345678901234567890123456;

-- Nobody's search_path matters.
CREATE TABLE orders (id uuid) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE SCHEMA evil;
CREATE TABLE evil.orders (id uuid) PARTITION BY RANGE (id);
CREATE TABLE evil.pg_class (oid oid, relname name);
CREATE TABLE evil.pg_inherits (inhparent oid, inhrelid oid);
CREATE FUNCTION evil.now() RETURNS timestamptz LANGUAGE sql RETURN timestamptz '2000-01-01';
CREATE FUNCTION evil.uuid_boundary(timestamptz) RETURNS uuid LANGUAGE sql RETURN uuid 'ffffffff-ffff-0000-0000-000000000000';
CREATE FUNCTION evil.partition_ranges(regclass, text) RETURNS void LANGUAGE sql RETURN 1 / 0;
CREATE FUNCTION evil.isfinite(timestamptz) RETURNS bool LANGUAGE sql RETURN true;
SET search_path = evil, pg_temp, pg_catalog;
SELECT public.uuid_partition_create('public.orders', '2020-01-01', '2020-03-01', '1 month');
SELECT partition, kind, from_time, to_time, note FROM public.uuid_partition_list('public.orders');
SELECT partition FROM public.uuid_partition_drop('public.orders', '2020-02-01');
SET search_path = '';
SELECT partition, kind, from_time, to_time, note FROM public.uuid_partition_list('public.orders');
SELECT count(*) > 0 AS made FROM public.uuid_partition_maintain('public.orders', '1 year', 0);
RESET search_path;
SELECT partitions_of('evil.orders') AS partitions_of_evil_orders;
DROP SCHEMA evil CASCADE;
DROP TABLE orders;

DROP VIEW partitions;
DROP FUNCTION error_of, partitions_of;
