-- Names of tables, schemas and partitions that need quotes or are too long, and a search_path that leads elsewhere.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/partitions_of.sql
SET client_min_messages = warning;

-- Odd names
CREATE SCHEMA "a.b ""c";
CREATE TABLE "a.b ""c"."The 'Orders' %s" ("The Id" uuid PRIMARY KEY) PARTITION BY RANGE ("The Id");
CREATE TABLE "a.b ""c"."$x$ JANUARY; -- abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuv" PARTITION OF "a.b ""c"."The 'Orders' %s"
	FOR VALUES FROM (uuid_boundary('2020-01-01')) TO (uuid_boundary('2020-02-01'));
CREATE TABLE "a.b ""c"."Rest" PARTITION OF "a.b ""c"."The 'Orders' %s" DEFAULT;
INSERT INTO "a.b ""c"."The 'Orders' %s" VALUES (gen_uuidv7_at('2019-12-31'));
SELECT octet_length(relname), partition, kind, from_time, to_time, note
FROM uuid_partition_list('"a.b ""c"."The ''Orders'' %s"') JOIN pg_class ON oid = partition ORDER BY kind DESC;
SELECT partition, from_time FROM uuid_partition_drop('"a.b ""c"."The ''Orders'' %s"', '2020-02-01', true);
SELECT partition, action FROM uuid_partition_maintain('"a.b ""c"."The ''Orders'' %s"', '200 years', 0) AS m(action, partition, from_time, to_time, problem)
WHERE partition ~ '^"a.b ""c"."The ''Orders'' %s_20\d\d"$' IS NOT true;
DROP SCHEMA "a.b ""c" CASCADE;

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
SELECT partitions_of('evil.orders');
DROP SCHEMA evil CASCADE;
DROP TABLE orders;

-- Names that the server would cut
CREATE TABLE a12345678901234567890123456789012345678901234567890123456 (id uuid) PARTITION BY RANGE (id);
SET client_min_messages = error;
SELECT action, partition ~ '^public\.a\d+_\d{4}_\d\d$' AS in_full, left(problem, 5)
	FROM uuid_partition_maintain('a12345678901234567890123456789012345678901234567890123456', '1 month', 0);
SET client_min_messages = warning;
SELECT count(*) AS steps FROM uuid_partition_maintain('a12345678901234567890123456789012345678901234567890123456', '1 year');
DROP TABLE a12345678901234567890123456789012345678901234567890123456;

DROP FUNCTION partitions_of;
