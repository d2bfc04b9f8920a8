-- Helpers that look after partitions: uuid_partition_list(),
-- uuid_partition_drop(), uuid_partition_maintain(), and what they read bounds
-- with.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

CREATE FUNCTION partitions_of(parent regclass) RETURNS text LANGUAGE sql AS
$$SELECT coalesce(string_agg(inhrelid::regclass::text, ' ' ORDER BY inhrelid::regclass::text COLLATE "C"), 'none') FROM pg_inherits WHERE inhparent = parent$$;

-- Times of bounds of v6 and v13: whole milliseconds come back, any bound is found again.
SELECT count(*) AS times, count(*) FILTER (WHERE uuidv6_boundary_time(uuidv6_boundary(at)) <> at) AS wrong
FROM (SELECT timestamptz '1970-01-01' + n * interval '28 hours 37.001 seconds' FROM generate_series(0, 200000) AS n
	UNION ALL SELECT timestamptz '2021-01-01' + n * interval '1 millisecond' FROM generate_series(0, 9999) AS n
	UNION ALL SELECT timestamptz '5236-03-31 21:21:00.684' - n * interval '1 millisecond' FROM generate_series(0, 9999) AS n) AS t(at);
WITH b AS MATERIALIZED (
	SELECT overlay(overlay(gen_random_uuid()::text placing '0000' from 15 for 4) placing '0000-000000000000' from 20)::uuid AS b FROM generate_series(1, 100000)
)
SELECT count(*) FILTER (WHERE uuidv6_boundary(uuidv6_boundary_time(b)) <> b) AS wrong,
	count(*) FILTER (WHERE uuidv6_boundary(uuidv6_boundary_time(b) - interval '1 microsecond') >= b
		AND uuidv6_boundary_time(b) <> date_trunc('millisecond', uuidv6_boundary_time(b))) AS not_first,
	count(*) > 80000 AS many
FROM b WHERE b > uuidv6_boundary('1970-01-01 00:00:00.001+00');
SELECT uuidv6_boundary_time(b) FROM unnest('{00000000-0000-0000-0000-000000000000,00000000-0001-0000-0000-000000000000,
	1b21dd21-3814-0000-0000-000000000000,ffffffff-ffff-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff}'::uuid[]) AS b;
SELECT uuidv6_boundary(uuidv6_boundary_time('ffffffff-ffff-ffff-ffff-ffffffffffff'));
-- of ids too, whatever their version and the bits behind the first 48
SELECT count(*) FILTER (WHERE uuidv6_boundary_time(id) NOT BETWEEN at - interval '410 us' AND at + interval '410 us'
	OR uuidv6_boundary_time(id) <> uuidv6_boundary_time(uuidv6_boundary(at))) AS wrong
FROM generate_series(timestamptz '2021-01-01', '2021-01-02', '7.654321 seconds') AS at, LATERAL (VALUES (gen_uuidv6_at(at)), (gen_uuidv13_at(at))) AS i(id);
SELECT count(*) FILTER (WHERE uuidv6_boundary_time(id) NOT BETWEEN uuid_time(id) - interval '410 us' AND uuid_time(id) + interval '410 us') AS wrong
FROM (SELECT gen_uuidv6() FROM generate_series(1, 1000)) AS i(id);
SELECT uuidv6_boundary_time('1f0e6a70-b9c4-6000-8000-000000000000') = uuidv6_boundary_time('1f0e6a70-b9c4-ffff-ffff-ffffffffffff') AS first_48_bits,
	uuidv6_boundary_time(NULL) AS "null";

--
-- uuid_partition_list
--

CREATE VIEW listed AS
SELECT c.oid::regclass AS parent, l.partition, l.kind, l.from_time, l.to_time, l.rows, l.bytes > 0 AS has_bytes, l.note
FROM pg_class c, uuid_partition_list(c.oid) WITH ORDINALITY AS l(partition, kind, from_time, to_time, rows, bytes, note, n)
WHERE c.relkind = 'p' ORDER BY n;

CREATE TABLE orders (id uuid PRIMARY KEY, item text) PARTITION BY RANGE (id);
SELECT * FROM uuid_partition_list('orders');
SELECT count(*) AS no_table FROM uuid_partition_list(NULL);
SELECT count(*) AS made FROM uuid_partition_create('orders', '2021-01-01', '2021-04-01', '1 month');
SELECT count(*) AS made FROM uuid_partition_create('orders', '2021-05-01', '2021-06-01', '1 month');
INSERT INTO orders SELECT gen_uuidv7_at(timestamptz '2021-01-01' + n * interval '1 day') FROM generate_series(0, 40) AS n;
SELECT pg_stat_force_next_flush();
ANALYZE orders;
SELECT partition, kind, from_time, to_time, rows, has_bytes, note FROM listed WHERE parent = 'orders'::regclass;
SELECT sum(bytes) = (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'orders'::regclass) AS all_bytes FROM uuid_partition_list('orders');
-- a default partition: empty, with rows in a gap, with others
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
SELECT partition, kind, from_time, to_time, rows, has_bytes, note FROM listed WHERE parent = 'orders'::regclass AND kind <> 'partition';
INSERT INTO orders VALUES (gen_uuidv7_at('2022-07-07')), (gen_uuidv7_at('2020-05-05')), (gen_uuidv7_at('2021-06-01'));
SELECT partition, kind, from_time, to_time, note FROM listed WHERE parent = 'orders'::regclass AND kind <> 'partition';
INSERT INTO orders VALUES (gen_uuidv7_at('2021-04-30 23:59:59.999'));
SELECT partition, kind, from_time, to_time, note FROM listed WHERE parent = 'orders'::regclass AND kind <> 'partition';
DELETE FROM orders;
INSERT INTO orders VALUES (uuid_boundary('-infinity'));
SELECT partition, kind, from_time, to_time, note FROM listed WHERE parent = 'orders'::regclass AND kind <> 'partition';
-- both ends open
DELETE FROM orders;
CREATE TABLE old PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2020-12-01'));
CREATE TABLE new PARTITION OF orders FOR VALUES FROM (uuid_boundary('2021-06-01')) TO (MAXVALUE);
SELECT partition, kind, from_time, to_time, note FROM listed WHERE parent = 'orders'::regclass;
DROP TABLE orders;
CREATE TABLE orders (id uuid) PARTITION BY RANGE (id);
CREATE TABLE all_of_them PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
SELECT partition, kind, from_time, to_time, note FROM listed WHERE parent = 'orders'::regclass;
DROP TABLE orders;
CREATE TABLE orders (id uuid) PARTITION BY RANGE (id);
CREATE TABLE rest PARTITION OF orders DEFAULT;
SELECT partition, kind, from_time, to_time, note FROM listed WHERE parent = 'orders'::regclass;
DROP TABLE orders;

-- Partitions of partitions count as one; one of them that nobody has estimated makes the sum unknown.
CREATE TABLE orders (id uuid, kind int) PARTITION BY RANGE (id);
CREATE TABLE january PARTITION OF orders FOR VALUES FROM (uuid_boundary('2021-01-01')) TO (uuid_boundary('2021-02-01')) PARTITION BY LIST (kind);
CREATE TABLE february PARTITION OF orders FOR VALUES FROM (uuid_boundary('2021-02-01')) TO (uuid_boundary('2021-03-01')) PARTITION BY LIST (kind);
CREATE TABLE january_1 PARTITION OF january FOR VALUES IN (1);
CREATE TABLE january_2 PARTITION OF january FOR VALUES IN (2) PARTITION BY RANGE (id);
CREATE TABLE january_2_rest PARTITION OF january_2 DEFAULT;
INSERT INTO orders SELECT gen_uuidv7_at(timestamptz '2021-01-01' + n * interval '1 hour'), 1 + n % 2 FROM generate_series(0, 98) AS n;
SELECT pg_stat_force_next_flush();
ANALYZE orders;
SELECT partition, rows, has_bytes FROM listed WHERE parent = 'orders'::regclass;
SELECT bytes = pg_total_relation_size('january_1') + pg_total_relation_size('january_2_rest') AS leaves FROM uuid_partition_list('orders') LIMIT 1;
SELECT bytes FROM uuid_partition_list('orders') OFFSET 1;
SELECT partition, kind, rows, note FROM listed WHERE parent = 'january_2'::regclass;
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER archive FOREIGN DATA WRAPPER nowhere;
CREATE FOREIGN TABLE january_3 PARTITION OF january FOR VALUES IN (3) SERVER archive;
CREATE FOREIGN TABLE old PARTITION OF orders FOR VALUES FROM (uuid_boundary('2020-01-01')) TO (uuid_boundary('2021-01-01')) SERVER archive;
SELECT partition, kind, from_time, to_time, rows, has_bytes, note FROM listed WHERE parent = 'orders'::regclass;
DROP TABLE orders;

-- Every column type, in the order of time
CREATE DOMAIN own_id AS uuid;
CREATE TABLE t_uuid (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE t_iuid (id iuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE t_own (id own_id PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM unnest('{t_uuid,t_iuid,t_own}'::regclass[]) AS parent, unnest('{2021-04-01,2021-01-01}'::timestamptz[]) AS at,
	uuid_partition_create(parent, at, at + interval '1 day', '1 month');
CREATE TABLE t_uuid_old PARTITION OF t_uuid FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2020-01-01'));
CREATE TABLE t_iuid_new PARTITION OF t_iuid FOR VALUES FROM (iuid_boundary('2022-01-01')) TO (MAXVALUE);
SELECT parent, partition, kind, from_time, to_time, note FROM listed WHERE parent::text ~ '^t_' ORDER BY parent::text, from_time;
SELECT d.partition, d.from_time, d.to_time FROM unnest('{t_uuid,t_iuid,t_own}'::regclass[]) AS parent, uuid_partition_drop(parent, '2021-02-01') AS d;
DROP TABLE t_uuid, t_iuid, t_own;
DROP DOMAIN own_id;

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

-- The list is for everyone; rows are looked at by those who may read them.
CREATE TABLE orders (id uuid PRIMARY KEY, item text) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
SELECT uuid_partition_create('orders', '2021-01-01', '2021-01-02', '1 month');
SELECT uuid_partition_create('orders', '2021-03-01', '2021-03-02', '1 month');
INSERT INTO orders VALUES (gen_uuidv7_at('2021-02-01'));
CREATE ROLE regress_uidext_guest;
SET ROLE regress_uidext_guest;
SELECT partition, kind, from_time, to_time, bytes > 0 AS has_bytes, note FROM uuid_partition_list('orders');
RESET ROLE;
GRANT SELECT (id) ON orders_rest TO regress_uidext_guest;
SET ROLE regress_uidext_guest;
SELECT partition, kind, from_time, to_time, note FROM uuid_partition_list('orders') WHERE kind <> 'partition';
RESET ROLE;
DROP TABLE orders;
DROP ROLE regress_uidext_guest;

-- Tables that cannot be served
CREATE TABLE p_none (id uuid);
CREATE TABLE p_text (id text) PARTITION BY RANGE (id);
CREATE TABLE p_two (id uuid, n int) PARTITION BY RANGE (id, n);
CREATE TABLE p_expression (id uuid) PARTITION BY RANGE ((id::text));
CREATE TABLE p_list (id uuid) PARTITION BY LIST (id);
CREATE TABLE p_hash (id uuid) PARTITION BY HASH (id);
CREATE VIEW p_view AS SELECT * FROM p_none;
SELECT parent, left(error_of(format('SELECT uuid_partition_list(%L)', parent)), 5) AS list,
	left(error_of(format('SELECT uuid_partition_drop(%L, ''2021-01-01'')', parent)), 5) AS drop,
	left(error_of(format('SELECT uuid_partition_maintain(%L, ''1 month'')', parent)), 5) AS maintain
FROM unnest('{p_none,p_text,p_two,p_expression,p_list,p_hash,p_view,p_missing}'::text[]) AS parent;
SELECT error_of($$SELECT uuid_partition_list('p_none')$$) :unaligned
SELECT error_of($$SELECT * FROM uuid_partition_list('pg_class_oid_index')$$) :unaligned
DROP VIEW p_view;
DROP TABLE p_none, p_text, p_two, p_expression, p_list, p_hash;

--
-- uuid_partition_drop
--

-- Those that end at or before the time, to the millisecond, whatever they are called.
CREATE TABLE orders (id uuid PRIMARY KEY, item text) PARTITION BY RANGE (id);
CREATE TABLE the_old PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2020-01-01'));
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-01-01', '2020-07-01', '1 month');
CREATE TABLE the_new PARTITION OF orders FOR VALUES FROM (uuid_boundary('2020-07-01')) TO (MAXVALUE);
INSERT INTO orders SELECT gen_uuidv7_at(timestamptz '2019-12-01' + n * interval '1 day') FROM generate_series(0, 211) AS n;
SELECT pg_stat_force_next_flush();
ANALYZE orders;
SELECT count(*) FROM uuid_partition_drop('orders', '2019-12-31 23:59:59.999999');
SELECT action, partition, from_time, to_time, rows, bytes > 0 AS has_bytes, problem FROM uuid_partition_drop('orders', '2020-02-28 23:59:59.999');
SELECT count(*), to_regclass('the_old') AS gone, to_regclass('orders_2020_01') AS gone_too FROM orders;
-- once
SELECT count(*) AS again FROM uuid_partition_drop('orders', '2020-02-28 23:59:59.999');
SELECT partition, from_time, to_time FROM uuid_partition_drop('orders', '2020-03-01');
-- only detached: the table is there with its rows, for another day
SELECT action, partition, from_time, to_time, rows, problem FROM uuid_partition_drop('orders', '2020-05-01', detach_only => true);
SELECT count(*) AS in_orders, (SELECT count(*) FROM orders_2020_03) AS in_march, (SELECT count(*) FROM orders_2020_04) AS in_april,
	(SELECT relispartition FROM pg_class WHERE oid = 'orders_2020_03'::regclass) AS is_partition FROM orders;
-- never the default or what has no end
INSERT INTO orders VALUES (gen_uuidv7_at('2020-04-01'));
SELECT count(*) FROM uuid_partition_drop('orders', now());
SELECT partitions_of('orders'), count(*) FROM orders;

-- Arguments
SELECT command || E'\n' || error_of(format('SELECT uuid_partition_drop(%s)', command)) AS "arguments and error"
FROM unnest(ARRAY[$$NULL, '2020-01-01'$$, $$'orders', NULL$$, $$'orders', '2020-01-01', NULL$$,
	$$'orders', 'infinity'$$, $$'orders', '-infinity'$$, $$'orders', now() + interval '1 microsecond'$$, $$'orders', now()$$, $$'orders', '0001-01-01 BC'$$]) AS command :unaligned
DROP TABLE orders, orders_2020_03, orders_2020_04;

-- Foreign tables and partitions of partitions, gone with all that is here of them
CREATE TABLE orders (id uuid, kind int) PARTITION BY RANGE (id);
CREATE FOREIGN TABLE abroad PARTITION OF orders FOR VALUES FROM (uuid_boundary('2020-01-01')) TO (uuid_boundary('2020-02-01')) SERVER archive;
CREATE TABLE february PARTITION OF orders FOR VALUES FROM (uuid_boundary('2020-02-01')) TO (uuid_boundary('2020-03-01')) PARTITION BY LIST (kind);
CREATE TABLE february_1 PARTITION OF february FOR VALUES IN (1);
CREATE FOREIGN TABLE february_2 PARTITION OF february FOR VALUES IN (2) SERVER archive;
CREATE TABLE march PARTITION OF orders FOR VALUES FROM (uuid_boundary('2020-03-01')) TO (uuid_boundary('2020-04-01')) PARTITION BY LIST (kind);
CREATE TABLE march_1 PARTITION OF march FOR VALUES IN (1);
CREATE FOREIGN TABLE abroad_too PARTITION OF orders FOR VALUES FROM (uuid_boundary('2020-04-01')) TO (uuid_boundary('2020-05-01')) SERVER archive;
SELECT partition, rows, bytes FROM uuid_partition_drop('orders', '2020-03-01');
SELECT partition FROM uuid_partition_drop('orders', '2020-05-01', true);
SELECT relname, relkind, relispartition FROM pg_class WHERE relname ~ '^(abroad|february|march)' ORDER BY relname COLLATE "C";
DROP TABLE orders, march;
DROP FOREIGN TABLE abroad_too;
DROP SERVER archive;
DROP FOREIGN DATA WRAPPER nowhere;

-- Rows that are referenced, and views, keep their partition and all the others.
CREATE TABLE customers (id uuid PRIMARY KEY);
CREATE TABLE orders (id uuid PRIMARY KEY, customer uuid REFERENCES customers) PARTITION BY RANGE (id);
CREATE TABLE lines (order_id uuid REFERENCES orders, line int);
SELECT count(*) FROM uuid_partition_create('orders', '2020-01-01', '2020-05-01', '1 month');
INSERT INTO orders SELECT gen_uuidv7_at(at) FROM generate_series(timestamptz '2020-01-15', '2020-04-15', '1 month') AS at;
INSERT INTO lines SELECT id, 1 FROM orders_2020_02;
CREATE VIEW march AS SELECT * FROM orders_2020_03;
SELECT error_of($$SELECT uuid_partition_drop('orders', '2020-03-01')$$) ~ '^23503 rows of table public.lines refer to rows of partition public.orders_2020_02' AS referenced,
	error_of($$SELECT uuid_partition_drop('orders', '2020-03-01', true)$$) ~ '^23503 ' AS detach_too;
\set VERBOSITY sqlstate
SELECT uuid_partition_drop('orders', '2020-03-01');
\set VERBOSITY default
SELECT partitions_of('orders');
DELETE FROM lines;
SELECT error_of($$SELECT uuid_partition_drop('orders', '2020-05-01')$$) ~ '^2BP01 rule _RETURN on view public.march depends on partition public.orders_2020_03' AS viewed;
\set VERBOSITY sqlstate
SELECT uuid_partition_drop('orders', '2020-05-01');
\set VERBOSITY default
SELECT partitions_of('orders'), count(*) FROM orders;
SELECT partition FROM uuid_partition_drop('orders', '2020-05-01', true);
SELECT count(*) FROM march;
DROP VIEW march;
DROP TABLE lines, orders, orders_2020_01, orders_2020_02, orders_2020_03, orders_2020_04, customers;

--
-- uuid_partition_maintain
--

-- What a first call makes: periods as the zone has them, the present one and so many more.
CREATE FUNCTION first_call(step interval, tz text, ahead int, unit text,
	OUT made int, OUT aligned bool, OUT present bool, OUT adjacent bool, OUT one_step bool, OUT reaches bool, OUT listed bool, OUT again int)
LANGUAGE plpgsql AS $$
DECLARE
	present_end timestamptz;
BEGIN
	CREATE TABLE first_call (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TEMP TABLE p AS SELECT * FROM uuid_partition_maintain('first_call', step, ahead, tz => tz);
	SELECT count(*), count(*) FILTER (WHERE action <> 'created') = 0 AND bool_and(previous = from_time) IS NOT false,
		bool_and(to_time = (from_time AT TIME ZONE tz + step) AT TIME ZONE tz)
	INTO made, adjacent, one_step
	FROM (SELECT *, lag(to_time) OVER (ORDER BY from_time) AS previous FROM p) AS t;
	SELECT min(from_time) <= now() AND min(to_time) > now(), min(to_time),
		min(from_time) AT TIME ZONE tz = date_trunc(unit, min(from_time) AT TIME ZONE tz)
	INTO present, present_end, aligned FROM p;
	present_end := uidext_internal.partition_add(present_end, ahead * step, tz);
	SELECT max(to_time) >= present_end AND (ahead = 0 OR max(from_time) < present_end) INTO reaches FROM p;
	SELECT array_agg((l.partition, l.kind, l.from_time, l.to_time, l.note)::text) = array_agg((p.partition::regclass, 'partition', p.from_time, p.to_time, NULL::text)::text)
	INTO listed FROM uuid_partition_list('first_call') AS l FULL JOIN p USING (from_time);
	SELECT count(*) INTO again FROM uuid_partition_maintain('first_call', step, ahead, NULL, false, tz);
	DROP TABLE p, first_call;
END $$;
SELECT tz, step, f.*
FROM unnest(ARRAY['UTC', 'America/New_York', 'Australia/Lord_Howe']) WITH ORDINALITY AS z(tz, i),
	(VALUES (interval '1 year', 'year'), ('3 months', 'quarter'), ('1 month', 'month'), ('1 week', 'week'), ('1 day', 'day')) AS s(step, unit),
	first_call(step, tz, 3, unit) AS f
ORDER BY i, step DESC;
-- of hours and less the number depends on whether clocks change, and the length on whether by half an hour
SELECT tz, step, present, adjacent, one_step OR tz = 'Australia/Lord_Howe' AND step = '1 hour' AS one_step, reaches, listed, again, aligned, tz <> 'UTC' OR made = 4 AS made
FROM unnest(ARRAY['UTC', 'America/New_York', 'Australia/Lord_Howe']) WITH ORDINALITY AS z(tz, i),
	(VALUES (interval '1 hour', 'minute'), ('15 minutes', 'minute')) AS s(step, unit),
	first_call(step, tz, 3, unit) AS f
ORDER BY i, step DESC;
SELECT ahead, f.made, f.present, f.reaches FROM unnest('{0,1,12,40}'::int[]) AS ahead, first_call('1 month', 'UTC', ahead, 'month') AS f;
SELECT f.* FROM first_call('10 years', 'UTC', 1, 'year') AS f;
SELECT f.* FROM first_call('2 months', 'UTC', 1, 'month') AS f;
DROP FUNCTION first_call;

-- Time with units of a zone: days of 23 to 25 hours, but 24 hours are 24 hours.
SELECT length, uidext_internal.partition_add('2026-10-31 01:30-04', length, 'America/New_York') AS "in autumn", uidext_internal.partition_add('2026-03-07 12:00-05', length, 'America/New_York') AS "in spring",
	uidext_internal.partition_add('2026-11-01 01:30-04', length, 'America/New_York') AS "hour that comes twice"
FROM unnest('{0,1 day,24 hours,1 month,1 day 12 hours,-1 day,-36 hours,-30 minutes}'::interval[]) AS length;

-- Where the first period begins; an hour that comes twice does not hide the present.
SELECT step, uidext_internal.partition_origin('2026-08-19 17:47:11.5+00', step, 'UTC') AS utc,
	uidext_internal.partition_origin('2026-08-19 17:47:11.5+00', step, 'Asia/Tokyo') AS tokyo
FROM unnest('{5 years,1 year,6 months,3 months,1 month,14 days,7 days,1 day,12:00,01:00,00:15,00:07,00:00:30,00:00:00.5}'::interval[]) AS step;
SELECT tz, step, at, uidext_internal.partition_origin(at, step, tz), uidext_internal.partition_origin(at, step, tz) <= at AS begun
FROM unnest('{12:00,01:00,00:50,00:15}'::interval[]) AS step,
	(VALUES ('America/New_York', timestamptz '2026-11-01 01:40-04'), ('America/New_York', '2026-11-01 01:40-05'), ('America/New_York', '2026-03-08 03:10-04'),
		('Australia/Lord_Howe', '2026-04-05 01:45+11')) AS v(tz, at);
-- and a midnight that does
\set zone 'CST5CDT,M3.2.0/0,M11.1.0/1'
SELECT step, uidext_internal.partition_origin('2026-11-01 00:30-04', step, :'zone') AT TIME ZONE :'zone' AS first_midnight,
	uidext_internal.partition_origin('2026-11-01 00:30-05', step, :'zone') AT TIME ZONE :'zone' AS second_midnight
FROM unnest('{1 month,7 days,1 day,06:00}'::interval[]) AS step;

-- The rest is played at a moment of its own: now() is that of the transaction.
CREATE TABLE orders (id uuid PRIMARY KEY, item text) PARTITION BY RANGE (id);
CREATE FUNCTION month(n int) RETURNS timestamptz LANGUAGE sql STABLE
	RETURN (date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month') AT TIME ZONE 'UTC';
CREATE FUNCTION month_of(at timestamptz) RETURNS text LANGUAGE sql STABLE
	RETURN CASE WHEN isfinite(at) THEN round(extract(epoch FROM at - month(0)) / 2629746)::text ELSE at::text END;
CREATE VIEW months AS
SELECT kind AS what,
	month_of(from_time) AS from_month, month_of(to_time) AS to_month
FROM uuid_partition_list('orders');
CREATE FUNCTION maintain(keep interval DEFAULT NULL, step interval DEFAULT '1 month', ahead int DEFAULT 2, detach_only bool DEFAULT false,
	OUT action text, OUT partition text, OUT from_month text, OUT to_month text, OUT problem text) RETURNS SETOF record LANGUAGE sql
AS $$
	SELECT action, regexp_replace(partition, '\d{4}_\d\d$', 'YYYY_MM'), month_of(from_time), month_of(to_time), left(problem, 5)
	FROM uuid_partition_maintain('orders', step, ahead, keep, detach_only)
$$;

-- first, then nothing, then further ahead
BEGIN;
SELECT * FROM maintain();
SELECT * FROM maintain();
SELECT * FROM maintain(ahead => 4);
SELECT * FROM maintain(ahead => 0);
INSERT INTO orders VALUES (gen_uuidv7()), (gen_uuidv7_at(month(5) - interval '1 millisecond'));
SELECT count(DISTINCT tableoid) FROM orders;
ROLLBACK;
-- after an outage: all that is missing since, then what is too old
BEGIN;
SELECT count(*) FROM uuid_partition_create('orders', month(-9), month(-4), '1 month');
SELECT * FROM maintain(keep => '6 months');
SELECT * FROM months;
SELECT * FROM maintain(keep => '6 months');
ROLLBACK;
-- a hole in what is to come is filled, one in the past is not
BEGIN;
SELECT count(*) FROM (VALUES (-3), (-1), (0), (2), (3)) AS v(n), uuid_partition_create('orders', month(n), month(n) + interval '1 ms', '1 month');
SELECT * FROM maintain(ahead => 4);
SELECT * FROM months;
ROLLBACK;
-- the present is the hole
BEGIN;
SELECT count(*) FROM (VALUES (-3), (1), (2)) AS v(n), uuid_partition_create('orders', month(n), month(n) + interval '1 ms', '1 month');
SELECT * FROM maintain();
SELECT * FROM months;
ROLLBACK;
-- only later ones are there
BEGIN;
SELECT count(*) FROM uuid_partition_create('orders', month(2), month(4), '1 month');
SELECT * FROM maintain(ahead => 3);
ROLLBACK;
-- another step: days after months, months after days, around what is there
BEGIN;
SELECT count(*) FROM uuid_partition_create('orders', month(-1), month(1), '1 month');
SELECT count(*) FROM maintain(step => '1 day', ahead => 0);
SELECT action, from_time - month(1) AS "from", to_time - month(1) AS "to" FROM uuid_partition_maintain('orders', '1 day', 3);
SELECT * FROM maintain(ahead => 0);
SELECT round(extract(epoch FROM max(to_time) - min(from_time)) / 2629746) AS months, max(to_time) = (month(1) AT TIME ZONE 'UTC' + interval '3 days 2 months') AT TIME ZONE 'UTC' AS after_the_days
FROM uuid_partition_maintain('orders', '1 month', 2);
ROLLBACK;
BEGIN;
SELECT count(*) FROM (VALUES (0), (2)) AS v(n), uuid_partition_create('orders', month(n), month(n) + interval '1 ms', '1 month');
SELECT count(*) = extract(day FROM month(2) - month(1)) AS days_of_a_month, min(from_time) = month(1) AS "from", max(to_time) = month(2) AS "to"
FROM uuid_partition_maintain('orders', '1 day', 45);
SELECT count(*) AS gaps FROM uuid_partition_list('orders') WHERE kind = 'gap';
ROLLBACK;
-- a partition without an end
BEGIN;
CREATE TABLE the_new PARTITION OF orders FOR VALUES FROM (uuid_boundary(month(-1))) TO (MAXVALUE);
SELECT * FROM maintain(keep => '1 month');
ROLLBACK;
BEGIN;
CREATE TABLE the_new PARTITION OF orders FOR VALUES FROM (uuid_boundary(month(2))) TO (MAXVALUE);
SELECT * FROM maintain(ahead => 5);
ROLLBACK;
-- one that is shorter than a millisecond is in the way of one partition, not a way without end
BEGIN;
SELECT count(*) FROM uuid_partition_create('orders', month(0), month(1), '1 month');
CREATE TABLE sliver PARTITION OF orders FOR VALUES FROM (uuid_boundary(month(1))) TO (overlay(uuid_boundary(month(1))::text placing '1' from 36)::uuid);
SET LOCAL client_min_messages = error;
SELECT * FROM maintain();
ROLLBACK;
-- one without a beginning
BEGIN;
CREATE TABLE the_old PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (uuid_boundary(month(-1)));
SELECT * FROM maintain(ahead => 0);
SELECT * FROM maintain('1 month', ahead => 0);
ROLLBACK;
-- what is kept: the period that holds now - keep, and all after it; it may be a table of its own then
BEGIN;
SELECT count(*) FROM uuid_partition_create('orders', month(-4), month(1), '1 month');
INSERT INTO orders VALUES (gen_uuidv7_at(month(-4)));
SELECT count(*) FROM maintain(keep => '5 years');
SELECT * FROM maintain(keep => '3 months', detach_only => true);
SELECT (SELECT count(*) FROM orders) AS in_orders, partitions_of('orders') ~ '^(orders_\d{4}_\d\d ){5}orders_\d{4}_\d\d$' AS six,
	(SELECT count(*) FROM pg_class WHERE relname ~ '^orders_\d{4}_\d\d$' AND NOT relispartition) AS detached;
SELECT * FROM maintain(keep => '1 month');
SELECT * FROM maintain(keep => '1 month');
ROLLBACK;

-- Keeping hours, and beginning with them, while clocks go back: in this zone they do half an hour from now.
SELECT 'STD0DST,' || (day + 180) % 365 || ',' || day - 1 || '/' || to_char(back, 'HH24:MI:SS') AS tz
FROM (SELECT now() + interval '90 minutes' AS back) AS b, CAST(extract(doy FROM back) AS int) AS day \gset
CREATE TABLE ticks (id uuid) PARTITION BY RANGE (id);
BEGIN;
SELECT now() AT TIME ZONE :'tz' AT TIME ZONE :'tz' - now() AS twice;
SELECT count(*) FROM uuid_partition_create('ticks', now() - interval '2 hours', now() + interval '1 minute', '10 minutes');
SELECT action, count(*), bool_and(to_time <= now() - interval '30 minutes') AS longer_ago
FROM uuid_partition_maintain('ticks', '10 minutes', 0, '30 minutes', tz => :'tz') GROUP BY action;
SELECT count(*) AS since FROM uuid_partition_list('ticks') WHERE to_time <= now();
SELECT action, count(*) FROM uuid_partition_maintain('ticks', '10 minutes', 0, '10 minutes', tz => :'tz') GROUP BY action;
SELECT count(*) FROM uuid_partition_list('ticks');
ROLLBACK;
BEGIN;
SELECT min(from_time) <= now() AS begun, bool_or(from_time <= now() AND to_time > now()) AS present FROM uuid_partition_maintain('ticks', '15 minutes', 2, tz => :'tz');
ROLLBACK;
-- days are the zone's, hours are hours
BEGIN;
SELECT count(*) FROM uuid_partition_create('ticks', now() - interval '30 hours', now() + interval '1 minute', '1 hour');
SELECT count(*) FROM uuid_partition_maintain('ticks', '1 hour', 0, '25 hours', tz => :'tz');
SELECT count(*) FROM uuid_partition_maintain('ticks', '1 hour', 0, '1 day', tz => :'tz');
ROLLBACK;
DROP TABLE ticks;

-- Rows of a period in the default partition: all others are made, the old ones go.
BEGIN;
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
SELECT count(*) FROM uuid_partition_create('orders', month(-4), month(-2), '1 month');
INSERT INTO orders VALUES (gen_uuidv7_at(month(1)));
SET LOCAL client_min_messages = error;
SELECT * FROM maintain('3 months');
SELECT * FROM months WHERE what <> 'default';
DELETE FROM orders_rest;
SELECT * FROM maintain('3 months');
ROLLBACK;

-- So are they when a partition cannot go, and it is said.
BEGIN;
SELECT count(*) FROM uuid_partition_create('orders', month(-5), month(-2), '1 month');
DO $$ BEGIN EXECUTE format('CREATE VIEW dependent AS SELECT * FROM orders_%s', to_char(month(-4) AT TIME ZONE 'UTC', 'YYYY_MM')); END $$;
SET LOCAL client_min_messages = error;
SELECT * FROM maintain('1 month');
SELECT * FROM maintain('1 month');
SELECT * FROM months;
SELECT * FROM maintain('1 month', detach_only => true);
ROLLBACK;
-- for those who watch as a warning
CREATE TABLE watched (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE watched_new PARTITION OF watched FOR VALUES FROM (uuid_boundary('2021-02-01')) TO (MAXVALUE);
SELECT count(*) FROM uuid_partition_create('watched', '2021-01-01', '2021-02-01', '1 month');
CREATE VIEW dependent AS SELECT * FROM watched_2021_01;
SELECT * FROM uuid_partition_maintain('watched', '1 day', 0, '1 day');
DROP TABLE watched CASCADE;
-- What would be done, and nothing is
BEGIN;
SELECT count(*) FROM uuid_partition_create('orders', month(-4), month(-1), '1 month');
SELECT action, regexp_replace(d.partition, '\d{4}_\d\d$', 'YYYY_MM') AS partition, month_of(from_time), problem FROM uuid_partition_drop('orders', month(-2), dry_run => true) AS d;
SELECT action, month_of(from_time), problem FROM uuid_partition_maintain('orders', '1 month', 1, '2 months', dry_run => true);
SELECT action, month_of(from_time) FROM uuid_partition_maintain('orders', '1 month', 1, '2 months', true, dry_run => true) LIMIT 1;
SELECT count(*) FROM pg_inherits WHERE inhparent = 'orders'::regclass;
ROLLBACK;

-- New partitions are partitioned as the newest is; names go on.
CREATE TABLE tree (id uuid, kind int, PRIMARY KEY (id, kind)) PARTITION BY RANGE (id);
BEGIN;
CREATE TABLE tree_first PARTITION OF tree FOR VALUES FROM (uuid_boundary(month(-1))) TO (uuid_boundary(month(0))) PARTITION BY LIST (kind);
CREATE TABLE tree_first_one PARTITION OF tree_first FOR VALUES IN (1);
CREATE TABLE "Other" PARTITION OF tree_first DEFAULT PARTITION BY HASH (id);
CREATE TABLE "Other_0" PARTITION OF "Other" FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE "Other_1" PARTITION OF "Other" FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE tree_template (LIKE tree) WITH (fillfactor = 90);
SELECT action, problem FROM uuid_partition_maintain('tree', '1 month', 0, template => 'tree_template');
SELECT regexp_replace(relid::text, '\d{4}_\d\d', 'YYYY_MM') AS relation, level, isleaf, reloptions, pg_get_partkeydef(relid) AS key,
	CASE WHEN level > 1 THEN pg_get_expr(relpartbound, relid) END AS bound
FROM pg_partition_tree('tree') JOIN pg_class ON oid = relid WHERE relid::text ~ '\d{4}_\d\d' ORDER BY relid::text COLLATE "C";
INSERT INTO tree VALUES (gen_uuidv7_at(month(0)), 1), (gen_uuidv7_at(month(0)), 2);
-- rows that come out of the default partition find their place beneath
CREATE TABLE tree_rest PARTITION OF tree DEFAULT;
INSERT INTO tree SELECT gen_uuidv7_at(month(-3)), n % 2 + 1 FROM generate_series(1, 10) AS n;
SELECT done FROM uidext_internal.partition_drain_next('tree', '1 month', 'UTC', NULL, NULL, 10, false, NULL, NULL);
SELECT bool_and((tableoid::regclass::text ~ '_one') = (kind = 1)) AS beneath, count(*) FROM tree WHERE id < uuid_boundary(month(-2));
INSERT INTO tree SELECT gen_uuidv7_at(month(-5)), n % 2 + 1 FROM generate_series(1, 11) AS n;
SELECT done FROM uidext_internal.partition_drain_next('tree', '1 month', 'UTC', NULL, NULL, 10, false, NULL, NULL);
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER elsewhere FOREIGN DATA WRAPPER nowhere;
CREATE TABLE far (id uuid, kind int) PARTITION BY RANGE (id);
CREATE TABLE far_now PARTITION OF far FOR VALUES FROM (uuid_boundary(month(-1))) TO (uuid_boundary(month(0))) PARTITION BY LIST (kind);
CREATE FOREIGN TABLE far_now_1 PARTITION OF far_now FOR VALUES IN (1) SERVER elsewhere;
SET LOCAL client_min_messages = error;
SELECT action, problem FROM uuid_partition_maintain('far', '1 month', 0);
ROLLBACK;
DROP TABLE tree;

-- Names that the server would cut
CREATE TABLE a12345678901234567890123456789012345678901234567890123456 (id uuid) PARTITION BY RANGE (id);
SET client_min_messages = error;
SELECT action, partition ~ '^public\.a\d+_\d{4}_\d\d$' AS in_full, left(problem, 5) FROM uuid_partition_maintain('a12345678901234567890123456789012345678901234567890123456', '1 month', 0);
SET client_min_messages = warning;
SELECT count(*) FROM uuid_partition_maintain('a12345678901234567890123456789012345678901234567890123456', '1 year');
DROP TABLE a12345678901234567890123456789012345678901234567890123456;

-- Arguments
SELECT command || E'\n' || error_of(format('SELECT uuid_partition_maintain(%s)', command)) AS "arguments and error"
FROM unnest(ARRAY[$$NULL, '1 month'$$, $$'orders', NULL$$, $$'orders', '1 month', NULL$$, $$'orders', '1 month', 3, NULL, NULL$$,
	$$'orders', '1 month', tz => NULL$$,
	$$'orders', '1 month', -1$$, $$'orders', '1 month', 3, '-1 day'$$, $$'orders', '0'$$, $$'orders', '-1 month'$$, $$'orders', '1 month -1 day'$$,
	$$'orders', '999 us'$$, $$'orders', '1 month', tz => 'Europe/Atlantis'$$, $$'orders', '1 month', 2147483647$$,
	$$'orders', '1 month', dry_run => NULL$$,
	-- six minutes, none at all, and a day less than a step
	$$'orders', '1 month', keep => '6m'$$, $$'orders', '1 month', keep => '0'$$, $$'orders', '1 month', keep => '29 days'$$]) AS command :unaligned
-- infinite intervals, which are no intervals before 17
SELECT DISTINCT left(error_of(format('SELECT uuid_partition_maintain(%s)', command)), 5) = CASE WHEN current_setting('server_version_num')::int < 170000 THEN '22007' ELSE '22023' END AS refused
FROM unnest(ARRAY[$$'orders', 'infinity'$$, $$'orders', '1 month', 3, 'infinity'$$, $$'orders', '1 month', 3, '-infinity'$$]) AS command;
-- step and tz are read also when there is nothing to make
BEGIN;
CREATE TABLE the_new PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
SELECT left(error_of($$SELECT uuid_partition_maintain('orders', '0')$$), 5), left(error_of($$SELECT uuid_partition_maintain('orders', '1 day', tz => 'Europe/Atlantis')$$), 5);
ROLLBACK;
SELECT partitions_of('orders');
DROP FUNCTION maintain;
DROP VIEW months;
DROP TABLE orders;

--
-- Who may
--

CREATE ROLE regress_uidext_owner;
CREATE ROLE regress_uidext_member IN ROLE regress_uidext_owner;
CREATE ROLE regress_uidext_writer;
CREATE SCHEMA workshop;
GRANT ALL ON SCHEMA workshop TO regress_uidext_owner;
GRANT USAGE ON SCHEMA workshop TO regress_uidext_writer;
SET ROLE regress_uidext_owner;
CREATE TABLE workshop.orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
GRANT ALL ON workshop.orders TO regress_uidext_writer;
RESET ROLE;
CREATE VIEW owners AS
SELECT c.relowner::regrole AS owner, count(*) FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = 'workshop.orders'::regclass GROUP BY 1 ORDER BY 1;

-- only the owner, whose code would run with the rights of who calls: no superuser and no member
GRANT SELECT ON owners TO PUBLIC;
CREATE VIEW commands AS
SELECT unnest(ARRAY[$$SELECT uuid_partition_create('workshop.orders', '2020-01-01 00:00Z', '2020-04-01 00:00Z', '1 month')$$,
	$$SELECT uuid_partition_maintain('workshop.orders', '1 month')$$, $$SELECT uuid_partition_maintain('workshop.orders', '1 month', dry_run => true)$$,
	$$SELECT uuid_partition_drop('workshop.orders', '2020-02-01')$$, $$SELECT uuid_partition_drop('workshop.orders', '2020-02-01', dry_run => true)$$,
	$$SELECT uidext_internal.partition_drain_next('workshop.orders', '1 month', 'UTC', NULL, NULL, 1, false, NULL, NULL)$$]) AS command;
GRANT SELECT ON commands TO PUBLIC;
SELECT DISTINCT error_of(command) AS to_superuser FROM commands :unaligned
SET ROLE regress_uidext_member;
SELECT DISTINCT left(error_of(command), 5) AS to_member FROM commands;
SET ROLE regress_uidext_owner;
BEGIN;
SELECT count(*) AS by_owner FROM uuid_partition_maintain('workshop.orders', '1 month', 2);
SELECT count(*) FROM uuid_partition_create('workshop.orders', '2020-01-01', '2020-04-01', '1 month');
SELECT count(*) FROM uuid_partition_drop('workshop.orders', '2020-03-01');
SELECT * FROM owners;
-- who has taken from himself what would change rows
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON workshop.orders FROM regress_uidext_owner;
SELECT count(*) FROM uuid_partition_create('workshop.orders', '2019-01-01', '2019-02-01', '1 month');
SELECT action, count(*) FROM uuid_partition_maintain('workshop.orders', '1 month', 3) GROUP BY action ORDER BY action;
COMMIT;
SELECT count(*) FROM uuid_partition_check('workshop.orders');
GRANT ALL ON workshop.orders TO regress_uidext_owner;
-- nothing is left behind in silence where the owner himself does not see it
CREATE TABLE workshop.orders_rest PARTITION OF workshop.orders DEFAULT;
INSERT INTO workshop.orders VALUES ('018c22ac-d000-7000-8000-000000000001');
ALTER TABLE workshop.orders_rest ENABLE ROW LEVEL SECURITY;
CALL uuid_partition_drain('workshop.orders', '1 month');
SELECT tableoid::regclass FROM workshop.orders;
INSERT INTO workshop.orders_rest VALUES ('018dd22a-d000-7000-8000-000000000001');
ALTER TABLE workshop.orders_rest FORCE ROW LEVEL SECURITY;
CALL uuid_partition_drain('workshop.orders', '1 month');
-- nor foretold what it does not see
SET client_min_messages = error;
SELECT DISTINCT action, problem FROM uuid_partition_maintain('workshop.orders', '1 month', 5, dry_run => true);
SET client_min_messages = warning;
DROP TABLE workshop.orders_rest, workshop.orders_2023_12;
-- a writer may do neither
SET ROLE regress_uidext_writer;
SELECT left(error_of($$SELECT uuid_partition_drop('workshop.orders', '2020-04-01')$$), 5) AS drop,
	left(error_of($$SELECT uuid_partition_drop('workshop.orders', '2020-04-01', true)$$), 5) AS detach,
	left(error_of($$SELECT uuid_partition_maintain('workshop.orders', '1 month', 3)$$), 5) AS make,
	left(error_of($$SELECT uuid_partition_maintain('workshop.orders', '1 month', 0, '1 month')$$), 5) AS keep;
RESET ROLE;
REVOKE ALL ON workshop.orders FROM regress_uidext_writer;
SET ROLE regress_uidext_writer;
SELECT left(error_of($$SELECT uuid_partition_drop('workshop.orders', '2019-01-01')$$), 5) AS nothing_to_drop;
SELECT kind, note, count(*) FROM uuid_partition_list('workshop.orders') GROUP BY kind, note ORDER BY kind;
RESET ROLE;
SELECT * FROM owners;
-- nor may an owner of the parent drop what is somebody else's
ALTER TABLE workshop.orders_2020_03 OWNER TO regress_uidext_writer;
SET ROLE regress_uidext_owner;
SELECT left(error_of($$SELECT uuid_partition_drop('workshop.orders', '2020-04-01')$$), 5) AS drop,
	left(error_of($$SELECT uuid_partition_drop('workshop.orders', '2020-04-01', true)$$), 5) AS detach;
RESET ROLE;
SELECT * FROM owners;

-- A gap that is no whole number of steps: the last partition in it is shorter.
CREATE TABLE uneven (id uuid) PARTITION BY RANGE (id);
BEGIN;
CREATE TEMP TABLE weeks AS SELECT date_trunc('week', now(), 'UTC') AS monday;
SELECT count(*) FROM weeks, uuid_partition_create('uneven', monday, monday + interval '7 days', '7 days');
SELECT count(*) FROM weeks, uuid_partition_create('uneven', monday + interval '17 days', monday + interval '47 days', '30 days');
SELECT action, from_time - monday AS start, to_time - monday AS stop FROM weeks, uuid_partition_maintain('uneven', '7 days', 3);
SELECT count(*) FROM uuid_partition_maintain('uneven', '7 days', 3);
DROP TABLE uneven, weeks;
COMMIT;

-- After an outage longer than what is kept, nothing is made that would be dropped at once.
CREATE TABLE outage (id uuid) PARTITION BY RANGE (id);
CREATE TEMP TABLE days AS SELECT date_trunc('day', now(), 'UTC') AS today;
SELECT count(*) AS old FROM days, uuid_partition_create('outage', today - interval '90 days', today - interval '88 days', '1 day');
CREATE TEMP TABLE done AS SELECT * FROM uuid_partition_maintain('outage', '1 day', 2, '5 days');
SELECT action, count(*) FILTER (WHERE action = 'created') IN (0, 8, 9) AS kept_today_ahead, min(from_time) < now() - interval '5 days' AS covers_what_is_kept
FROM done GROUP BY action ORDER BY action;
SELECT count(*) FROM done JOIN done AS again USING (partition) WHERE done.action <> again.action;
DROP TABLE outage, days, done;

-- So it is with partitions that are partitioned themselves: the last one goes when there are new ones like it.
CREATE TABLE paused (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT from_id, to_id FROM uuid_partition_bounds('2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
CREATE TABLE paused_2020_01 PARTITION OF paused FOR VALUES FROM (:'from_id') TO (:'to_id') PARTITION BY HASH (id);
CREATE TABLE paused_2020_01_0 PARTITION OF paused_2020_01 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE paused_2020_01_1 PARTITION OF paused_2020_01 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
BEGIN;
SELECT action, count(*) FROM uuid_partition_maintain('paused', '1 month', 1, '3 months', dry_run => true) GROUP BY action;
SELECT action, count(*) FROM uuid_partition_maintain('paused', '1 month', 1, '3 months') GROUP BY action;
SELECT level, isleaf, count(*) FROM pg_partition_tree('paused') GROUP BY level, isleaf ORDER BY level;
SELECT action, partition FROM uuid_partition_maintain('paused', '1 month', 1, '3 months');
COMMIT;

-- Days of one month are not those of another.
CREATE TABLE divided (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE divided_2020_01 PARTITION OF divided FOR VALUES FROM (:'from_id') TO (:'to_id') PARTITION BY RANGE (id);
SELECT count(*) FROM uuid_partition_create('divided_2020_01', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 day');
SELECT DISTINCT action, left(problem, 5) AS problem FROM uuid_partition_maintain('divided', '10 years', 0, dry_run => true);
SELECT error_of($$SELECT uuid_partition_create('divided', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$);
-- also with countries, as it were, between them
CREATE TABLE thrice (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE thrice_2020_01 PARTITION OF thrice FOR VALUES FROM (:'from_id') TO (:'to_id') PARTITION BY HASH (id);
CREATE TABLE thrice_2020_01_0 PARTITION OF thrice_2020_01 FOR VALUES WITH (MODULUS 1, REMAINDER 0) PARTITION BY RANGE (id);
SELECT count(*) FROM uuid_partition_create('thrice_2020_01_0', '2020-01-01 00:00+00', '2020-01-03 00:00+00', '1 day');
CREATE TABLE thrice_rest PARTITION OF thrice DEFAULT;
SELECT left(error_of($$SELECT uuid_partition_create('thrice', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$), 5) AS make;
INSERT INTO thrice VALUES (uuid_boundary('2020-02-02 00:00+00'));
CALL uuid_partition_drain('thrice', '1 month');
-- and where the column is not the first; a default partition alone holds all time
CREATE TABLE tenants (tenant int, id uuid) PARTITION BY RANGE (id);
CREATE TABLE tenants_2020_01 PARTITION OF tenants FOR VALUES FROM (:'from_id') TO (:'to_id') PARTITION BY RANGE (tenant, id);
SELECT left(error_of($$SELECT uuid_partition_create('tenants', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$), 5) AS make;
CREATE TABLE tenants_2020_01_rest PARTITION OF tenants_2020_01 DEFAULT;
SELECT count(*) FROM uuid_partition_create('tenants', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month');
INSERT INTO tenants VALUES (1, uuid_boundary('2020-02-02 00:00+00'));
SELECT tableoid::regclass FROM tenants;
CREATE TABLE tenants_2020_02_1 PARTITION OF tenants_2020_02
	FOR VALUES FROM (2, uuid_boundary('2020-02-01 00:00+00')) TO (2, uuid_boundary('2020-03-01 00:00+00'));
SELECT left(error_of($$SELECT uuid_partition_create('tenants', '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month')$$), 5) AS make;
DROP TABLE paused, divided, thrice, tenants;

-- A drain moves rows: the default partition stays what it is, with all that is its own or means it by name.
CREATE TABLE customers (n int PRIMARY KEY);
CREATE TABLE named (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE named_rest PARTITION OF named DEFAULT;
INSERT INTO named SELECT gen_uuidv7_at('2020-01-05 00:00+00') FROM generate_series(1, 30);
CREATE VIEW of_rest AS SELECT id FROM named_rest;
ALTER TABLE named_rest ADD CONSTRAINT own FOREIGN KEY (n) REFERENCES customers;
CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE NOTICE ''% on %'', TG_NAME, TG_RELID::regclass; RETURN NEW; END';
CREATE TRIGGER idle BEFORE INSERT OR DELETE ON named FOR EACH ROW EXECUTE FUNCTION noted();
CREATE TRIGGER always BEFORE INSERT OR DELETE ON named FOR EACH ROW EXECUTE FUNCTION noted();
ALTER TABLE named_rest DISABLE TRIGGER idle;
ALTER TABLE named_rest ENABLE ALWAYS TRIGGER always;
COMMENT ON TABLE named_rest IS 'to be empty';
GRANT SELECT (n) ON named_rest TO regress_uidext_writer;
CREATE VIEW kept AS
SELECT c.oid::regclass AS partition, obj_description(c.oid, 'pg_class') AS comment, array_agg(t.tgname || ' ' || t.tgenabled::text ORDER BY t.tgname) AS triggers,
	has_column_privilege('regress_uidext_writer', c.oid, 'n', 'SELECT') AS may_read
FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_trigger t ON t.tgrelid = c.oid AND NOT t.tgisinternal
WHERE i.inhparent = 'named'::regclass
GROUP BY c.oid;
CALL uuid_partition_drain('named', '1 month', max_rows => 10);
CALL uuid_partition_drain('named', '1 month', dry_run => true);
CALL uuid_partition_drain('named', '1 month');
SELECT tableoid::regclass, count(*) FROM named GROUP BY 1;
SELECT * FROM kept ORDER BY 1;
SELECT count(*) AS left_over FROM pg_class WHERE relname ~ '^uidext_moving';
DROP VIEW kept, of_rest;
DROP TABLE named, customers;
-- also one that is partitioned, each table's own state of a trigger
CREATE TABLE parted (id uuid, n int) PARTITION BY RANGE (id);
CREATE TABLE parted_rest PARTITION OF parted DEFAULT PARTITION BY LIST (n);
CREATE TABLE parted_rest_1 PARTITION OF parted_rest FOR VALUES IN (1);
CREATE TABLE parted_rest_2 PARTITION OF parted_rest DEFAULT;
CREATE TRIGGER noted BEFORE INSERT ON parted FOR EACH ROW EXECUTE FUNCTION noted();
ALTER TABLE ONLY parted_rest DISABLE TRIGGER noted;
ALTER TABLE parted_rest_1 ENABLE REPLICA TRIGGER noted;
CREATE TRIGGER noted_too BEFORE DELETE ON parted_rest FOR EACH ROW EXECUTE FUNCTION noted();
ALTER TABLE parted_rest_1 DISABLE TRIGGER noted_too;
INSERT INTO parted VALUES (gen_uuidv7_at('2020-01-05 00:00+00'), 1), (gen_uuidv7_at('2020-01-06 00:00+00'), 2);
CALL uuid_partition_drain('parted', '1 month');
SELECT tgrelid::regclass, tgname, tgenabled FROM pg_trigger WHERE tgrelid::regclass::text ~ '^parted_rest' ORDER BY 1, 2;
SELECT tableoid::regclass, n FROM parted ORDER BY n;
DROP TABLE parted;
DROP FUNCTION noted;

-- A time zone west of the one before begins periods within days, and names them so.
CREATE TABLE west (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
BEGIN;
SELECT count(*) FROM uuid_partition_create('west', date_trunc('month', now(), 'UTC'), now(), '1 month');
SELECT action, count(*), bool_and(partition ~ '_\d{4}_\d\d_\d\d_2100$') AS named_by_the_hour, bool_or(problem IS NOT NULL) AS problem
FROM uuid_partition_maintain('west', '1 month', ahead => 3, tz => 'America/Sao_Paulo') GROUP BY 1;
COMMIT;
SELECT uidext_internal.partition_suffix(t, step, tz) FROM (VALUES (timestamptz '2027-01-01 00:00+00')) AS times(t),
	(VALUES (interval '1 year'), ('1 month'), ('7 days'), ('1 hour')) AS steps(step), (VALUES ('UTC'), ('America/Sao_Paulo'), ('Asia/Kolkata')) AS zones(tz)
ORDER BY step, tz;
-- a midnight that the clocks left out
SELECT uidext_internal.partition_suffix('2018-11-04 03:00+00', '1 day', 'America/Sao_Paulo');
DROP TABLE west;

-- Step and time zone count, also where there is nothing to drain.
CREATE TABLE nothing (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE nothing_rest PARTITION OF nothing DEFAULT;
CALL uuid_partition_drain('nothing', '0');
CALL uuid_partition_drain('nothing', '1 month', 'Nowhere/X');
DROP TABLE nothing;

-- The first ids are of a week, and in the west of a month, that began before there were any.
CREATE TABLE nil (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE nil_rest PARTITION OF nil DEFAULT;
INSERT INTO nil VALUES ('00000000-0000-0000-0000-000000000000'), (uuid_boundary('2020-01-15 00:00+00'));
CALL uuid_partition_drain('nil', '7 days');
SELECT partition, from_time, to_time FROM uuid_partition_list('nil') WHERE kind = 'partition';
DROP TABLE nil_1970_01_01;
INSERT INTO nil VALUES ('00000000-0000-0000-0000-000000000000');
CALL uuid_partition_drain('nil', '1 month', 'America/New_York');
SELECT tableoid::regclass, id FROM nil ORDER BY id;
-- a step that no millisecond ends never gets past the id
INSERT INTO nil VALUES (uuid_boundary('2021-01-01 00:00:00.001+00'));
CALL uuid_partition_drain('nil', '1.5 ms');
SELECT tableoid::regclass, id FROM nil WHERE id >= timestamptz '2021-01-01 00:00+00';
-- an end within the millisecond of the first id
INSERT INTO nil VALUES (uuid_boundary('2021-02-01 00:00:00.001+00'));
CALL uuid_partition_drain('nil', '1 month', start => '2021-01-01 00:00+00', stop => '2021-01-01 00:00:00.0015+00', max_rows => 0);
-- the last month would end after the last id
INSERT INTO nil VALUES (uuid_boundary('10889-08-01 12:00+00'));
CALL uuid_partition_drain('nil', '1 month', start => '10889-07-01 00:00+00', stop => 'infinity');
DROP TABLE nil;

DROP VIEW owners;
DROP VIEW commands;
DROP TABLE workshop.orders;
DROP SCHEMA workshop;
DROP ROLE regress_uidext_owner, regress_uidext_member, regress_uidext_writer;
DROP FUNCTION month_of;
DROP FUNCTION month;
DROP VIEW listed;
DROP FUNCTION partitions_of;
DROP FUNCTION error_of;
