-- uuid_time_buckets(): rows by period.
\set SHOW_CONTEXT never

SET timezone = 'UTC';
SET datestyle = ISO;
SET client_min_messages = warning;

\set unaligned '\\g (format=unaligned tuples_only=on)'

\getenv test PG_ABS_SRCDIR
\set error_of :test '/include/error_of.sql'
\i :error_of

CREATE SCHEMA time_buckets;
SET search_path = time_buckets, public;

-- The same by reading every row.
CREATE FUNCTION counted_by_hand(parent regclass, start timestamptz, stop timestamptz, step interval, tz text, time_of text DEFAULT 'uuid_time(id)')
	RETURNS TABLE (from_time timestamptz, to_time timestamptz, rows bigint) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('WITH moment AS MATERIALIZED (SELECT %s AS at FROM %s)
		SELECT from_time, least(to_time, $2), (SELECT count(*) FROM moment WHERE at >= from_time AND at < least(to_time, $2))
		FROM uuid_partition_bounds($1, $2, $3, $4)', time_of, parent) USING start, stop, step, tz;
END $$;
CREATE FUNCTION differences(parent regclass, start timestamptz, stop timestamptz, step interval, tz text, time_of text DEFAULT 'uuid_time(id)')
	RETURNS TABLE (periods bigint, rows numeric, wrong bigint) LANGUAGE sql AS $$
	SELECT count(*), sum(b.rows), count(*) FILTER (WHERE b IS DISTINCT FROM h)
	FROM uuid_time_buckets(parent, start, stop, step, tz) b FULL JOIN counted_by_hand(parent, start, stop, step, tz, time_of) h USING (from_time)
$$;

-- Periods as long as a partition, shorter, longer, across its ends and beyond the last.
CREATE TABLE orders (id uuid PRIMARY KEY, item int) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('orders', '2024-02-01', '2024-08-01', '1 month');
INSERT INTO orders SELECT gen_uuidv7_at(timestamptz '2024-02-10' + n * interval '4 hours 7 minutes 0.0305 seconds') FROM generate_series(0, 799) AS n;
SELECT * FROM uuid_time_buckets('orders', '2024-02-01', '2024-05-15', '1 month');
SELECT * FROM uuid_time_buckets('orders', '2024-06-20', '2024-06-22 12:00', '12 hours');
SELECT * FROM differences('orders', '2024-02-01', '2024-08-01', '1 month', 'UTC');
SELECT * FROM differences('orders', '2024-01-01', '2024-12-31', '1 year', 'UTC');
SELECT * FROM differences('orders', '2024-02-01', '2024-08-01', '2 months', 'UTC');
SELECT * FROM differences('orders', '2024-02-05 00:00:00.0005', '2024-07-07 07:07:07.777777', '1 month', 'UTC');
SELECT * FROM differences('orders', '2024-02-01', '2024-06-30', '1 day 5 hours 30 minutes', 'UTC');
-- from less than a millisecond before a partition
SELECT * FROM differences('orders', '2024-03-31 23:59:59.9995', '2024-05-01', '2 months', 'UTC');
SELECT * FROM differences('orders', '2024-03-31 23:59:59.9995', '2024-06-30 23:59:59.9995', '3 months', 'UTC');
-- an id's millisecond counts, not the microseconds of a bound
CREATE TABLE ends (id uuid PRIMARY KEY);
INSERT INTO ends VALUES (gen_uuidv7_at('2024-01-01 00:00:00.001')), (gen_uuidv7_at('2024-01-01 00:00:00.001999')), (gen_uuidv7_at('2024-01-01 00:00:00.002'));
SELECT * FROM uuid_time_buckets('ends', '2024-01-01 00:00:00.0005', '2024-01-01 00:00:00.0035', '0.001 s');
SELECT rows FROM uuid_time_buckets('ends', '2024-01-01 00:00:00.001001', '2024-01-01 00:00:00.002', '1 s');
SELECT rows FROM uuid_time_buckets('ends', '2024-01-01 00:00:00.001', '2024-01-01 00:00:00.002001', '1 s');

-- Days of 23, 24 and 25 hours, in partitions of these days and of others.
CREATE TABLE berlin (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('berlin', '2024-03-29 00:00 Europe/Berlin', '2024-04-02 00:00 Europe/Berlin', '1 day', 'Europe/Berlin');
SELECT count(*) AS made FROM uuid_partition_create('berlin', '2024-10-25 00:00 UTC', '2024-10-30 00:00 UTC', '1 day');
INSERT INTO berlin SELECT gen_uuidv7_at(at) FROM generate_series(timestamptz '2024-03-29 00:30 Europe/Berlin', '2024-04-01 22:00', '1 hour') AS at;
INSERT INTO berlin SELECT gen_uuidv7_at(at) FROM generate_series(timestamptz '2024-10-25 22:30', '2024-10-29 22:00', '1 hour') AS at;
SELECT from_time, rows FROM uuid_time_buckets('berlin', '2024-03-30 00:00 Europe/Berlin', '2024-04-02 00:00 Europe/Berlin', '1 day', 'Europe/Berlin');
SELECT from_time, rows FROM uuid_time_buckets('berlin', '2024-10-26 00:00 Europe/Berlin', '2024-10-29 00:00 Europe/Berlin', '1 day', 'Europe/Berlin');
SET timezone = 'Pacific/Apia';
SELECT rows FROM uuid_time_buckets('berlin', '2024-03-30 00:00 Europe/Berlin', '2024-04-02 00:00 Europe/Berlin', '1 day', 'Europe/Berlin');
SET timezone = 'UTC';
SELECT * FROM differences('berlin', '2024-03-28', '2024-04-03', '1 hour', 'America/St_Johns');

-- A default partition, gaps, ends that are open or no whole milliseconds, partitions of partitions
CREATE TABLE mixed (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE mixed_old PARTITION OF mixed FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2024-01-02'));
CREATE TABLE mixed_2 PARTITION OF mixed FOR VALUES FROM (uuid_boundary('2024-01-02')) TO (uuid_boundary('2024-01-03')) PARTITION BY HASH (id);
CREATE TABLE mixed_2_even PARTITION OF mixed_2 FOR VALUES WITH (modulus 2, remainder 0);
CREATE TABLE mixed_2_odd PARTITION OF mixed_2 FOR VALUES WITH (modulus 2, remainder 1);
CREATE TABLE mixed_3 PARTITION OF mixed FOR VALUES FROM (uuid_boundary('2024-01-03')) TO ('018cd25a-9c00-7000-8000-000000000000');
CREATE TABLE mixed_4 PARTITION OF mixed FOR VALUES FROM ('018cd25a-9c00-7000-8000-000000000000') TO (uuid_boundary('2024-01-05'));
CREATE TABLE mixed_6 PARTITION OF mixed FOR VALUES FROM (uuid_boundary('2024-01-06')) TO (MAXVALUE);
CREATE TABLE mixed_rest PARTITION OF mixed DEFAULT;
INSERT INTO mixed SELECT gen_uuidv7_at(timestamptz '2024-01-01' + n * interval '10 minutes') FROM generate_series(0, 1000) AS n;
INSERT INTO mixed VALUES ('018cd25a-9c00-4000-8000-000000000000'), ('018cd25a-9c00-7000-7fff-000000000000');
SELECT * FROM uuid_time_buckets('mixed', '2024-01-01', '2024-01-09', '1 day');
SELECT rows FROM uuid_time_buckets('mixed', '2024-01-02', '2024-01-05', '3 days');
-- several in one millisecond
CREATE TABLE splinters (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE splinters_2 PARTITION OF splinters FOR VALUES FROM (uuid_boundary('2024-01-02')) TO (uuid_boundary('2024-01-03'));
CREATE TABLE splinters_3 PARTITION OF splinters FOR VALUES FROM (uuid_boundary('2024-01-03')) TO ('018ccc9e-ac00-7000-8000-000000000000');
CREATE TABLE splinters_4 PARTITION OF splinters FOR VALUES FROM ('018ccc9e-ac00-7000-8000-000000000000') TO ('018ccc9e-ac00-7000-8fff-000000000000');
CREATE TABLE splinters_5 PARTITION OF splinters FOR VALUES FROM ('018ccc9e-ac00-7000-8fff-000000000000') TO (uuid_boundary('2024-01-04'));
INSERT INTO splinters VALUES ('018ccc9e-ac00-7000-7fff-000000000000'), ('018ccc9e-ac00-7000-8000-000000000000'), ('018ccc9e-ac00-7000-8fff-000000000000');
INSERT INTO splinters SELECT gen_uuidv7_at(timestamptz '2024-01-02 00:05' + n * interval '10 minutes') FROM generate_series(0, 287) AS n;
SELECT * FROM uuid_time_buckets('splinters', '2024-01-02', '2024-01-04', '1 day');

-- Keys of every type, in tables with and without partitions
CREATE DOMAIN an_id AS uuid;
CREATE DOMAIN own_id AS an_id;
CREATE TABLE k_iuid (id iuid PRIMARY KEY);
CREATE TABLE k_own (id own_id PRIMARY KEY);
CREATE TABLE k_ulid (id ulid PRIMARY KEY);
CREATE TABLE k_snowflake (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'snowflake')));
CREATE TABLE p_iuid (id iuid) PARTITION BY RANGE (id);
CREATE TABLE p_own (id own_id) PARTITION BY RANGE (id);
CREATE TABLE p_ulid (id ulid) PARTITION BY RANGE (id);
CREATE TABLE p_ulid_1 PARTITION OF p_ulid FOR VALUES FROM (ulid_boundary('2024-01-01')) TO (ulid_boundary('2024-01-02'));
CREATE TABLE p_ulid_2 PARTITION OF p_ulid FOR VALUES FROM (ulid_boundary('2024-01-02')) TO (ulid_boundary('2024-01-05'));
CREATE TABLE p_snowflake (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM unnest('{p_iuid,p_own,p_snowflake}'::regclass[]) AS parent, uuid_partition_create(parent, '2024-01-01', '2024-01-05', '1 day');
CREATE TEMP TABLE moments AS SELECT at, gen_iuid_at(at, 1, 1) AS iuid FROM generate_series(timestamptz '2024-01-01', '2024-01-04 12:00', '7 minutes') AS at;
INSERT INTO k_iuid SELECT iuid FROM moments;
INSERT INTO k_own SELECT gen_uuidv7_at(at) FROM moments;
INSERT INTO k_ulid SELECT gen_ulid_at(at) FROM moments;
INSERT INTO k_snowflake SELECT uid_boundary(at, 'snowflake') FROM moments;
INSERT INTO p_iuid TABLE k_iuid;
INSERT INTO p_own TABLE k_own;
INSERT INTO p_ulid TABLE k_ulid;
INSERT INTO p_snowflake TABLE k_snowflake;
SELECT t, b.rows, h.rows FROM unnest('{k_iuid,k_own,k_ulid,k_snowflake,p_iuid,p_own,p_ulid,p_snowflake}'::regclass[]) AS t,
	LATERAL (SELECT array_agg(rows ORDER BY from_time) AS rows FROM uuid_time_buckets(t, '2024-01-01', '2024-01-06', '1 day')) AS b,
	LATERAL (SELECT array_agg(rows ORDER BY from_time) AS rows FROM uuid_time_buckets(t, '2024-01-02 12:00', '2024-01-03', '6 hours')) AS h;

-- Plans: whole partitions are counted whole, of others only those of the period are there; by the index alone.
CREATE FUNCTION plan_of(parent regclass, start timestamptz, stop timestamptz, step interval) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	counts record;
BEGIN
	FOR counts IN SELECT * FROM uidext_internal.uuid_time_bucket_queries(parent, start, stop, step, 'UTC') LOOP
		RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) ' || counts.query USING counts.from_times, counts.to_times;
	END LOOP;
END $$;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET max_parallel_workers_per_gather = 0;
VACUUM ANALYZE orders;
SELECT plan_of FROM plan_of('orders', '2024-03-01', '2024-05-01', '1 month') WHERE plan_of ~ 'Scan|Cond|Filter';
SELECT plan_of FROM plan_of('orders', '2024-04-03', '2024-04-05', '1 day') WHERE plan_of ~ 'Scan|Cond|Filter';
RESET enable_seqscan;
RESET enable_bitmapscan;
RESET max_parallel_workers_per_gather;
-- more periods than one query takes
SELECT * FROM differences('orders', '2024-02-09', '2024-02-19', '1 hour', 'UTC');
-- and more partitions
CREATE TABLE many (id uuid) PARTITION BY RANGE (id);
DO $$
DECLARE
	hour record;
BEGIN
	FOR hour IN SELECT * FROM uuid_partition_bounds('2024-01-01', '2024-01-17 20:00', '1 hour') WITH ORDINALITY LOOP
		EXECUTE format('CREATE TABLE many_%s PARTITION OF many FOR VALUES FROM (%L) TO (%L)', hour.ordinality, hour.from_id, hour.to_id);
	END LOOP;
END $$;
INSERT INTO many SELECT gen_uuidv7_at(timestamptz '2024-01-01 00:05' + n * interval '10 minutes') FROM generate_series(0, 2423) AS n;
SELECT cardinality(from_times) AS periods, regexp_count(query, ' FROM time_buckets.many_') AS partitions, regexp_count(query, ' FROM time_buckets.many ') AS parents
FROM uidext_internal.uuid_time_bucket_queries('many', '2024-01-01', '2024-01-17 20:00', '50 hours', 'UTC');
SELECT regexp_count(query, ' FROM time_buckets.many_') AS partitions, regexp_count(query, ' FROM time_buckets.many ') AS parents
FROM uidext_internal.uuid_time_bucket_queries('many', '2024-01-01', '2024-01-17 20:00', '404 hours', 'UTC');
SELECT from_time, rows FROM uuid_time_buckets('many', '2024-01-01', '2024-01-17 20:00', '50 hours');
SELECT rows FROM uuid_time_buckets('many', '2024-01-01', '2024-01-17 20:00', '404 hours');

-- Odd names, and nobody's search_path matters.
CREATE SCHEMA "a.b ""c";
CREATE TABLE "a.b ""c"."The 'Orders' %s" ("The %s ""Id""" uuid PRIMARY KEY) PARTITION BY RANGE ("The %s ""Id""");
SELECT count(*) AS made FROM uuid_partition_create('"a.b ""c"."The ''Orders'' %s"', '2024-01-01', '2024-03-01', '1 month');
INSERT INTO "a.b ""c"."The 'Orders' %s" SELECT gen_uuidv7_at(at) FROM moments;
CREATE TABLE "a.b ""c".orders (id uuid PRIMARY KEY);
CREATE FUNCTION "a.b ""c".count() RETURNS bigint LANGUAGE sql RETURN 1 / 0;
CREATE FUNCTION "a.b ""c".ge(uuid, uuid) RETURNS bool LANGUAGE sql RETURN 1 / 0 = 1;
CREATE OPERATOR "a.b ""c".>= (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = "a.b ""c".ge);
SET search_path = "a.b ""c", pg_temp, pg_catalog;
SELECT rows FROM public.uuid_time_buckets('"The ''Orders'' %s"', '2024-01-01', '2024-02-02', '1 month');
SELECT rows FROM public.uuid_time_buckets('"The ''Orders'' %s"', '2024-01-02', '2024-01-03', '12 hours');
SELECT sum(rows) FROM public.uuid_time_buckets('time_buckets.orders', '2024-02-01', '2024-08-01', '1 month');
SET search_path = '';
SELECT sum(rows) FROM public.uuid_time_buckets('time_buckets.orders', '2024-02-01', '2024-08-01', '1 month');
SET search_path = time_buckets, public;
-- a temporary table is found whatever else has its name
CREATE TEMP TABLE ends (id uuid PRIMARY KEY);
SELECT t, sum(rows) FROM unnest('{time_buckets.ends,pg_temp.ends}'::regclass[]) AS t, uuid_time_buckets(t, '2024-01-01', '2024-01-02', '1 day') GROUP BY t ORDER BY t::text;

-- Rights and row security are those of a SELECT from the table itself.
CREATE TABLE tenants (id uuid PRIMARY KEY, tenant name) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('tenants', '2024-01-01', '2024-01-03', '1 day');
INSERT INTO tenants SELECT gen_uuidv7_at(at), CASE WHEN extract(minute FROM at) < 30 THEN 'regress_uidext_tenant' END FROM moments WHERE at < '2024-01-03';
CREATE ROLE regress_uidext_tenant;
GRANT USAGE ON SCHEMA time_buckets TO regress_uidext_tenant;
SET ROLE regress_uidext_tenant;
SELECT error_of($$SELECT * FROM uuid_time_buckets('tenants', '2024-01-01', '2024-01-03', '1 day')$$) :unaligned
RESET ROLE;
GRANT SELECT (tenant) ON tenants TO regress_uidext_tenant;
SET ROLE regress_uidext_tenant;
SELECT error_of($$SELECT * FROM uuid_time_buckets('tenants', '2024-01-01', '2024-01-03', '1 day')$$) :unaligned
RESET ROLE;
GRANT SELECT (id) ON tenants TO regress_uidext_tenant;
SET ROLE regress_uidext_tenant;
SELECT rows FROM uuid_time_buckets('tenants', '2024-01-01', '2024-01-03', '1 day');
RESET ROLE;
-- a policy of a partition holds there, not in the parent
GRANT SELECT ON tenants_2024_01_01 TO regress_uidext_tenant;
ALTER TABLE tenants_2024_01_01 ENABLE ROW LEVEL SECURITY;
SET ROLE regress_uidext_tenant;
SELECT count(*) FROM tenants_2024_01_01;
SELECT rows FROM uuid_time_buckets('tenants', '2024-01-01', '2024-01-03', '1 day');
RESET ROLE;
-- one of the parent does, with the caller's search_path
ALTER TABLE tenants_2024_01_01 DISABLE ROW LEVEL SECURITY;
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
CREATE FUNCTION my_name() RETURNS name LANGUAGE sql STABLE AS 'SELECT current_user';
CREATE FUNCTION my_tenant() RETURNS name LANGUAGE plpgsql STABLE AS 'BEGIN RETURN my_name(); END';
CREATE POLICY own ON tenants USING (tenant = my_tenant());
SET ROLE regress_uidext_tenant;
SELECT (SELECT count(*) FROM tenants WHERE id < uuid_boundary('2024-01-02')) AS by_hand, array_agg(rows) FROM uuid_time_buckets('tenants', '2024-01-01', '2024-01-03', '1 day');
SET row_security = off;
SELECT error_of($$SELECT * FROM uuid_time_buckets('tenants', '2024-01-01', '2024-01-03', '1 day')$$) :unaligned
RESET row_security;
RESET ROLE;
SELECT rows FROM uuid_time_buckets('tenants', '2024-01-01', '2024-01-03', '1 day');

-- Every period as of one snapshot, and nothing is written
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT sum(rows) FROM uuid_time_buckets('tenants', '2024-01-01', '2024-01-03', '1 hour');
COMMIT;

-- Tables and arguments that cannot be served
CREATE TABLE n_none (id uuid);
CREATE TABLE n_two (tenant uuid, id uuid, PRIMARY KEY (tenant, id));
CREATE TABLE n_list (tenant uuid, id uuid, PRIMARY KEY (tenant, id)) PARTITION BY LIST (tenant);
CREATE TABLE n_text (id text PRIMARY KEY);
CREATE TABLE n_bigint (id bigint PRIMARY KEY);
CREATE TABLE n_v6 (id uuid PRIMARY KEY DEFAULT gen_uuidv6());
CREATE VIEW n_view AS TABLE orders;
SELECT t, left(error_of(format('SELECT uuid_time_buckets(%L, ''2024-01-01'', ''2024-01-02'', ''1 day'')', t)), 5)
FROM unnest('{n_none,n_two,n_list,n_text,n_bigint,n_v6,n_view,n_missing,pg_class_oid_index}'::text[]) AS t;
SELECT error_of($$SELECT uuid_time_buckets('n_two', '2024-01-01', '2024-01-02', '1 day')$$) :unaligned
SELECT error_of($$SELECT uuid_time_buckets('n_bigint', '2024-01-01', '2024-01-02', '1 day')$$) :unaligned
SELECT arguments, left(error_of(format('SELECT uuid_time_buckets(''orders'', %s)', arguments)), 5)
FROM unnest(ARRAY[$$'2024-01-02', '2024-01-02', '1 day'$$, $$'2024-01-02', '2024-01-03', '0'$$, $$'2024-01-02', '2024-01-03', '-1 day'$$,
	$$'-infinity', '2024-01-03', '1 day'$$, $$'1969-12-31', '1970-01-02', '1 day'$$, $$'2024-01-02', '2024-01-03', '1 day', 'Mars/Olympus'$$]) AS arguments;
SELECT count(*) AS nothing FROM uuid_time_buckets(NULL, '2024-01-01', '2024-01-02', '1 day');

-- Ticks of 10 ms, longer than the periods: an id counts where its time is.
CREATE TABLE ticks (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'sonyflake')));
INSERT INTO ticks SELECT uid_boundary(timestamptz '2024-01-01 00:00:00' + n * interval '10 ms', 'sonyflake') + n FROM generate_series(0, 5) AS n;
SELECT from_time, rows, (SELECT count(*) FROM ticks WHERE uid_time(id, 'sonyflake') >= from_time AND uid_time(id, 'sonyflake') < to_time) AS counted
FROM uuid_time_buckets('ticks', '2024-01-01 00:00:00', '2024-01-01 00:00:00.04', '5 ms');

-- Beyond all ids there is no later tick.
SELECT uidext_internal.uuid_time_boundary('snowflake', 'infinity');
DROP SCHEMA "a.b ""c" CASCADE;
DROP SCHEMA time_buckets CASCADE;
DROP ROLE regress_uidext_tenant;
RESET search_path;
DROP FUNCTION error_of;
