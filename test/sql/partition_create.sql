-- Helpers that make partitions: uuid_partition_bounds() and
-- uuid_partition_create().
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/partition_bounds.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

-- Periods: calendar months, from the start each time, until the end is covered.
SELECT * FROM uuid_partition_bounds('2025-12-01', '2026-03-01', '1 month');
SELECT from_time, to_time FROM uuid_partition_bounds('2024-01-31', '2024-06-15', '1 month');
SELECT from_time, to_time FROM uuid_partition_bounds('2023-12-31', '2024-05-01', '2 months');
SELECT from_time, to_time FROM uuid_partition_bounds('2024-02-29', '2028-03-01', '1 year');
SELECT from_time, to_time FROM uuid_partition_bounds('2026-01-30 12:00', '2026-03-02', '1 month 1 day');
SELECT from_time, to_time FROM uuid_partition_bounds('2026-02-26', '2026-03-02 00:00:00.000001', '1 day');
SELECT from_time, to_time FROM uuid_partition_bounds('2026-01-01', '2026-01-01 00:00:00.000001', '1 week');
SELECT * FROM uuid_partition_bounds('1970-01-01', '1970-01-01 00:00:00.002', '1 millisecond');

-- Days as the zone has them: 23 and 25 hours in Berlin, 23.5 and 24.5 on Lord Howe Island.
SELECT from_time, to_time, to_time - from_time AS length
FROM uuid_partition_bounds('2024-03-30 00:00 Europe/Berlin', '2024-04-02 00:00 Europe/Berlin', '1 day', 'Europe/Berlin');
SELECT from_time, to_time, to_time - from_time AS length
FROM uuid_partition_bounds('2024-10-26 00:00 Europe/Berlin', '2024-10-29 00:00 Europe/Berlin', '1 day', 'Europe/Berlin');
SELECT from_time, to_time, to_time - from_time AS length
FROM uuid_partition_bounds('2024-03-01 00:00 Europe/Berlin', '2024-12-01 00:00 Europe/Berlin', '3 months', 'Europe/Berlin');
SELECT from_time, to_time, to_time - from_time AS length
FROM uuid_partition_bounds('2024-04-06 00:00 Australia/Lord_Howe', '2024-04-09 00:00 Australia/Lord_Howe', '1 day', 'Australia/Lord_Howe');
SELECT from_time, to_time, to_time - from_time AS length
FROM uuid_partition_bounds('2024-10-05 00:00 Australia/Lord_Howe', '2024-10-08 00:00 Australia/Lord_Howe', '1 day', 'Australia/Lord_Howe');
SELECT from_time, to_time FROM uuid_partition_bounds('2026-01-01 00:00 Asia/Kathmandu', '2026-03-01 00:00 Asia/Kathmandu', '1 month', 'Asia/Kathmandu');
SELECT from_time, to_time FROM uuid_partition_bounds('2026-01-01 00:00+05:45', '2026-02-01 00:00+05:45', '1 month', '-05:45');
-- a day that the zone left out
SELECT from_time, to_time, to_time - from_time AS length
FROM uuid_partition_bounds('2011-12-29 00:00 Pacific/Apia', '2012-01-01 00:00 Pacific/Apia', '1 day', 'Pacific/Apia');

-- Hours: one is missing in spring; in autumn two share the name of one, and are one period.
SELECT from_time, to_time FROM uuid_partition_bounds('2024-03-31 00:00+01', '2024-03-31 04:00+02', '1 hour', 'Europe/Berlin');
SELECT from_time, to_time FROM uuid_partition_bounds('2024-10-27 00:00+02', '2024-10-27 04:00+01', '1 hour', 'Europe/Berlin');
-- shorter than the hour that changes
SELECT from_time, to_time FROM uuid_partition_bounds('2024-03-31 01:00+01', '2024-03-31 04:00+02', '30 minutes', 'Europe/Berlin');
SELECT from_time, to_time FROM uuid_partition_bounds('2024-10-27 02:00+02', '2024-10-27 04:00+01', '30 minutes', 'Europe/Berlin');
-- elapsed time is that of UTC
SELECT count(*) AS periods, min(to_time - from_time), max(to_time - from_time)
FROM uuid_partition_bounds('2024-01-01', '2025-01-01', '1 hour');

-- Periods meet, for every step and zone, and are as their boundaries say.  The 26,000 of
-- 20 minutes where clocks change, by an hour and by half an hour.
SELECT tz, step, count(*) AS periods,
	count(*) FILTER (WHERE from_time >= to_time) AS not_forward,
	count(*) FILTER (WHERE from_time <> previous) AS not_adjacent,
	count(*) FILTER (WHERE from_id <> uuid_boundary(from_time) OR to_id <> uuid_boundary(to_time)) AS wrong_ids,
	min(from_time) = '2024-01-31 00:00' AND max(to_time) >= '2025-01-31 00:00' AND max(from_time) < '2025-01-31 00:00' AS covered
FROM unnest(ARRAY['UTC', 'Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu']) AS tz,
	unnest('{20 minutes,1 hour,12 hours,1 day,1 month,1 month 1 day}'::interval[]) AS step,
	LATERAL (SELECT *, lag(to_time) OVER (ORDER BY n) AS previous
		FROM uuid_partition_bounds('2024-01-31', '2025-01-31', step, tz) WITH ORDINALITY AS b(from_time, to_time, from_id, to_id, n)) AS bounds
WHERE step > '20 minutes' OR tz IN ('Europe/Berlin', 'Australia/Lord_Howe')
GROUP BY tz, step ORDER BY tz, step;

-- Errors of the periods
SELECT command || E'\n' || error_of('SELECT uuid_partition_bounds(' || command || ')') AS "arguments and error"
FROM unnest(ARRAY[$$'2026-02-01', '2026-01-01', '1 month'$$, $$'2026-01-01', '2026-01-01', '1 month'$$,
	$$'-infinity', '2026-01-01', '1 month'$$, $$'2026-01-01', 'infinity', '1 month'$$,
	$$'2026-01-01', '2026-01-05', '0'$$, $$'2026-01-01', '2026-01-05', '-1 day'$$, $$'2026-01-01', '2026-01-05', '-1 month'$$,
	$$'2026-01-01', '2026-01-05', '1 month -30 days'$$, $$'2026-01-01', '2026-01-05', '2 months -45 days'$$, $$'2026-01-01', '2026-01-05', '-1 month 60 days'$$,
	$$'2026-01-01', '2026-01-05', '1 day -1 second'$$, $$'2026-01-01', '2026-01-01 00:00:01', '999 microseconds'$$,
	$$'2026-01-01', '2026-02-01', '1 month', 'Europe/Atlantis'$$, $$'2026-01-01', '2026-02-01', '1 month', ''$$,
	$$'1969-12-01', '1970-02-01', '1 month'$$, $$'10889-08-01', '10889-08-03', '1 day'$$, $$'10889-07-30', '10889-08-02', '1 day'$$]) AS command :unaligned
SELECT (SELECT count(*) FROM uuid_partition_bounds(NULL, '2026-01-01', '1 day')) AS no_start,
	(SELECT count(*) FROM uuid_partition_bounds('2026-01-01', '2026-02-01', NULL)) AS no_step;

-- Partitions: made once, gaps filled, those of another name left alone.
CREATE TABLE orders (id uuid PRIMARY KEY, item text) PARTITION BY RANGE (id);
CREATE TABLE may PARTITION OF orders FOR VALUES FROM (uuid_boundary('2026-05-01')) TO (uuid_boundary('2026-06-01'));
SELECT uuid_partition_create('orders', '2026-01-01', '2026-02-15', '1 month');
SELECT uuid_partition_create('orders', '2026-04-01', '2026-05-01', '1 month');
SELECT uuid_partition_create('orders', '2026-01-01', '2026-07-01', '1 month');
SELECT uuid_partition_create('orders', '2026-01-01', '2026-07-01', '1 month');
SELECT partition, bound FROM partitions WHERE parent = 'orders'::regclass ORDER BY bound;
INSERT INTO orders SELECT gen_uuidv7_at(at) FROM unnest(ARRAY['2026-01-31 23:59:59.999999', '2026-02-01', '2026-05-31', '2026-06-30']::timestamptz[]) AS at;
SELECT tableoid::regclass, uuid_time(id)::date FROM orders ORDER BY id;

-- The first partition is no likeness of its parent, whose statistics targets are for the whole.
CREATE TABLE readings (id uuid, n int) PARTITION BY RANGE (id);
ALTER TABLE readings ALTER n SET STATISTICS 77;
SELECT count(*) AS made FROM uuid_partition_create('readings', '2026-01-01', '2026-02-01', '1 month');
SELECT nullif(attstattarget, -1) AS target FROM pg_attribute WHERE attrelid = 'readings_2026_01'::regclass AND attname = 'n';
DROP TABLE readings;

-- NULL is an error, not nothing to do.
SELECT error_of(format('SELECT uuid_partition_create(%s)', arguments))
FROM unnest(ARRAY[$$NULL, '2026-01-01', '2026-02-01', '1 month'$$, $$'orders', NULL, '2026-02-01', '1 month'$$,
	$$'orders', '2026-01-01', NULL, '1 month'$$, $$'orders', '2026-01-01', '2026-02-01', NULL$$,
	$$'orders', '2026-01-01', '2026-02-01', '1 month', NULL$$]) AS arguments :unaligned

-- Nothing half done: an overlap or a name that is taken undoes the whole call.
CREATE TABLE orders_2026_09 (id uuid);
SELECT error_of($$SELECT uuid_partition_create('orders', '2026-07-01', '2026-12-01', '1 month')$$) :unaligned
DROP TABLE orders_2026_09;
SELECT error_of($$SELECT uuid_partition_create('orders', '2026-06-15', '2026-08-15', '1 month')$$) :unaligned
SELECT error_of($$SELECT uuid_partition_create('orders', '2025-01-01', '2028-01-01', '1 year')$$) :unaligned
SELECT error_of($$SELECT uuid_partition_create('orders', '2026-02-01 00:00+01', '2026-03-01 00:00+01', '1 month', 'Europe/Berlin')$$) :unaligned
\set VERBOSITY sqlstate
SELECT uuid_partition_create('orders', '2025-01-01', '2028-01-01', '1 year');
\set VERBOSITY default
SELECT count(*) AS partitions, (SELECT count(*) FROM pg_class WHERE relname ~ '^orders' AND relkind = 'r') AS tables
FROM partitions WHERE parent = 'orders'::regclass;

-- A default partition: rows in the way are an error, other rows are not.
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
INSERT INTO orders VALUES (gen_uuidv7_at('2026-08-15'));
SELECT error_of($$SELECT uuid_partition_create('orders', '2026-07-01', '2026-10-01', '1 month')$$) :unaligned
SELECT uuid_partition_create('orders', '2026-07-01', '2026-08-01', '1 month');
SELECT uuid_partition_create('orders', '2026-09-01', '2026-10-01', '1 month');
DELETE FROM orders_rest;
SELECT uuid_partition_create('orders', '2026-07-01', '2026-10-01', '1 month');

-- The parent stays open for reading and writing.
BEGIN;
SELECT uuid_partition_create('orders', '2026-10-01', '2026-11-01', '1 month');
SELECT relation::regclass, mode FROM pg_locks
WHERE pid = pg_backend_pid() AND relation IN ('orders'::regclass, 'orders_rest'::regclass)
	AND mode NOT IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock', 'SIReadLock')
ORDER BY relation, mode;
ROLLBACK;
DROP TABLE orders;

-- Names sort and say the period, as fine as the step, in the zone's local time.
CREATE TABLE meetings (id uuid) PARTITION BY RANGE (id);
BEGIN;
SELECT uuid_partition_create('meetings', '2024-01-01', '2026-01-01', '1 year');
SELECT uuid_partition_create('meetings', '2026-01-01', '2026-07-01', '3 months');
SELECT uuid_partition_create('meetings', '2026-07-01', '2026-07-15', '1 week');
SELECT uuid_partition_create('meetings', '2026-08-01', '2026-08-03', '1 day');
SELECT uuid_partition_create('meetings', '2026-08-03', '2026-08-04', '12 hours');
SELECT uuid_partition_create('meetings', '2026-08-04', '2026-08-04 00:30', '15 minutes');
SELECT uuid_partition_create('meetings', '2026-08-05', '2026-08-05 00:00:01', '500 milliseconds');
SELECT uuid_partition_create('meetings', '2026-09-01 00:00 Asia/Kathmandu', '2026-10-01 00:00 Asia/Kathmandu', '1 month', 'Asia/Kathmandu');
SELECT uuid_partition_create('meetings', '2023-10-29 00:00+02', '2023-10-29 04:00+01', '1 hour', 'Europe/Berlin');
SELECT uuid_partition_create('meetings', '2023-03-26 01:30+01', '2023-03-26 04:00+02', '30 minutes', 'Europe/Berlin');
SELECT bool_and(partition::text COLLATE "C" > previous) AS sorted_names
FROM (SELECT partition, lag(partition::text) OVER (ORDER BY bound) AS previous FROM partitions WHERE parent = 'meetings'::regclass
	AND partition::text !~ '^meetings_20[0-9]*$') AS p;
ROLLBACK;
DROP TABLE meetings;

-- Keys of type uuid and iuid, and of domains over domains over them.
CREATE DOMAIN an_id AS uuid;
CREATE DOMAIN own_id AS an_id;
CREATE TABLE uuid_orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE iuid_orders (id iuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE own_orders (id own_id PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create(parent, '2023-12-01', '2024-01-01', '1 month')
FROM unnest('{uuid_orders,iuid_orders,own_orders}'::regclass[]) AS parent;
SELECT count(*) AS made FROM unnest('{uuid_orders,iuid_orders,own_orders}'::regclass[]) AS parent,
	uuid_partition_create(parent, '2023-12-01', '2024-01-01', '1 month');
SELECT * FROM partitions WHERE parent::text ~ '_orders$' ORDER BY 1;
INSERT INTO iuid_orders VALUES (gen_iuid_at('2023-12-01', 0, 0)), (gen_iuid_at('2023-12-31 23:59:59.999', 255, 255));
SELECT error_of($$INSERT INTO iuid_orders VALUES (gen_iuid_at('2024-01-01', 0, 0))$$) ~ 'no partition of relation' AS iuid;
DROP TABLE uuid_orders, iuid_orders, own_orders;
DROP DOMAIN own_id, an_id;

-- Odd names are quoted.
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

-- 63 bytes are the limit of a name, also for letters of several bytes.
CREATE TABLE a123456789012345678901234567890123456789012345678901234 (id uuid) PARTITION BY RANGE (id);
SELECT uuid_partition_create('a123456789012345678901234567890123456789012345678901234', '2026-01-01', '2026-02-01', '1 month');
SELECT error_of($$SELECT uuid_partition_create('a123456789012345678901234567890123456789012345678901234', '2026-02-01', '2026-02-02', '1 day')$$) :unaligned
CREATE TABLE ääääääääääääääääääääääääääääa (id uuid) PARTITION BY RANGE (id);
SELECT error_of($$SELECT uuid_partition_create('ääääääääääääääääääääääääääääa', '2026-01-01', '2026-02-01', '1 month')$$) :unaligned
SELECT uuid_partition_create('ääääääääääääääääääääääääääääa', '2026-01-01', '2027-01-01', '1 year');
DROP TABLE a123456789012345678901234567890123456789012345678901234, ääääääääääääääääääääääääääääa;

-- A partition is as CREATE TABLE ... PARTITION OF would make it.
CREATE TABLE customers (id uuid PRIMARY KEY);
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.touched := true; RETURN NEW; END';
CREATE TABLE full_orders (
	gone int,
	id uuid DEFAULT gen_uuidv7() PRIMARY KEY,
	customer uuid NOT NULL REFERENCES customers,
	price numeric DEFAULT 1 CHECK (price > 0),
	twice numeric GENERATED ALWAYS AS (price * 2) STORED,
	note text COLLATE "C",
	touched bool,
	CONSTRAINT note_is_short CHECK (length(note) < 100)
) PARTITION BY RANGE (id);
ALTER TABLE full_orders DROP COLUMN gone;
ALTER TABLE full_orders ALTER note SET STORAGE EXTERNAL;
CREATE INDEX ON full_orders (customer);
CREATE UNIQUE INDEX ON full_orders (id, customer) INCLUDE (price);
CREATE INDEX ON full_orders (lower(note)) WHERE price > 10;
CREATE TRIGGER touch BEFORE INSERT ON full_orders FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TABLE order_lines (order_id uuid REFERENCES full_orders, line int);
CREATE TABLE by_hand PARTITION OF full_orders FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2026-02-01'));
SELECT uuid_partition_create('full_orders', '2026-02-01', '2026-03-01', '1 month') AS by_helper \gset
CREATE VIEW properties AS
SELECT attrelid::regclass AS "table", 'column' AS kind,
	concat_ws(' ', attname, format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull, attstorage, attgenerated,
		pg_get_expr(adbin, adrelid)) AS property
FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE attnum > 0 AND NOT attisdropped
UNION ALL SELECT conrelid::regclass, 'constraint ' || contype::text, concat_ws(' ', pg_get_constraintdef(oid), coninhcount, conislocal)
FROM pg_constraint WHERE contype <> 'n'
UNION ALL SELECT indrelid::regclass, 'index', replace(regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \S+ ON \S+', 'INDEX ON'), '_idx', '')
FROM pg_index
UNION ALL SELECT tgrelid::regclass, 'trigger', concat_ws(' ', tgfoid::regproc, tgtype, tgenabled) FROM pg_trigger
UNION ALL
	SELECT oid::regclass, 'table', concat_ws(' ', relkind, relpersistence, relowner::regrole = current_user::regrole, reloptions, relrowsecurity) FROM pg_class;
SELECT kind, property, array_agg("table") AS only_in FROM properties WHERE "table" IN ('by_hand'::regclass, :'by_helper'::regclass)
GROUP BY kind, property HAVING count(DISTINCT "table") <> 2 ORDER BY 1, 2;
SELECT kind, count(*) AS properties FROM properties WHERE "table" = :'by_helper'::regclass GROUP BY kind ORDER BY kind;
INSERT INTO customers VALUES ('00000000-0000-4000-8000-000000000000');
INSERT INTO full_orders (id, customer)
	VALUES ('019c1680-0000-7000-8000-000000000000', '00000000-0000-4000-8000-000000000000') RETURNING tableoid::regclass, price, twice, touched;
SELECT command || E'\n' || error_of(command) AS "command and error"
FROM unnest(ARRAY[$$INSERT INTO full_orders VALUES ('019c1680-0000-7000-8000-000000000000', '00000000-0000-4000-8000-000000000000')$$,
	$$INSERT INTO full_orders VALUES ('019c1680-0000-7000-8000-000000000001', '00000000-0000-4000-8000-000000000001')$$,
	$$INSERT INTO full_orders VALUES ('019c1680-0000-7000-8000-000000000001', '00000000-0000-4000-8000-000000000000', -1)$$,
	$$INSERT INTO order_lines VALUES ('019c1680-0000-7000-8000-000000000000')$$,
	$$INSERT INTO order_lines VALUES ('019c1680-0000-7000-8000-000000000001')$$,
	$$UPDATE full_orders SET note = repeat('x', 100)$$]) AS command :unaligned
DROP VIEW properties;
DROP TABLE order_lines, full_orders, customers;
DROP FUNCTION touch;

-- It is stored where its parent is.
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_uidext_space LOCATION '';
CREATE TABLE spaced (id uuid PRIMARY KEY USING INDEX TABLESPACE regress_uidext_space) PARTITION BY RANGE (id) TABLESPACE regress_uidext_space;
SELECT uuid_partition_create('spaced', '2026-01-01', '2026-02-01', '1 month');
SELECT relname, spcname FROM pg_class LEFT JOIN pg_tablespace t ON t.oid = reltablespace WHERE relname ~ '^spaced' ORDER BY relname;
DROP TABLE spaced;
-- also where it is partitioned itself: like the parent, or like a follower's newest
CREATE TABLE spaced (id uuid, n int) PARTITION BY RANGE (id) TABLESPACE regress_uidext_space;
CREATE TABLE spaced_first PARTITION OF spaced FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01')) PARTITION BY HASH (n);
CREATE TABLE spaced_first_0 PARTITION OF spaced_first FOR VALUES WITH (MODULUS 1, REMAINDER 0);
CREATE TABLE spaced_too (id uuid, n int) PARTITION BY RANGE (id);
CREATE TABLE spaced_too_first PARTITION OF spaced_too FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01'))
	PARTITION BY HASH (n) TABLESPACE regress_uidext_space;
CREATE TABLE spaced_too_first_0 PARTITION OF spaced_too_first FOR VALUES WITH (MODULUS 1, REMAINDER 0) TABLESPACE pg_default;
BEGIN ISOLATION LEVEL READ COMMITTED;
SELECT DISTINCT action FROM uuid_partition_maintain('spaced', '200 years', 0, followers => '{spaced_too}');
COMMIT;
SELECT relname, spcname FROM pg_class LEFT JOIN pg_tablespace t ON t.oid = reltablespace WHERE relname ~ '^spaced' ORDER BY relname COLLATE "C";
DROP TABLE spaced, spaced_too;
-- which takes the right to store something there
CREATE ROLE regress_uidext_tenant;
GRANT CREATE ON SCHEMA public TO regress_uidext_tenant;
CREATE TABLE spaced (id uuid PRIMARY KEY USING INDEX TABLESPACE regress_uidext_space) PARTITION BY RANGE (id);
ALTER TABLE spaced OWNER TO regress_uidext_tenant;
SET ROLE regress_uidext_tenant;
SELECT error_of($$SELECT uuid_partition_create('spaced', '2026-01-01', '2026-02-01', '1 month')$$) AS without_right :unaligned
RESET ROLE;
GRANT CREATE ON TABLESPACE regress_uidext_space TO regress_uidext_tenant;
SET ROLE regress_uidext_tenant;
SELECT error_of($$SELECT uuid_partition_create('spaced', '2026-01-01', '2026-02-01', '1 month')$$) AS with_right :unaligned
RESET ROLE;
DROP TABLE spaced;
DROP OWNED BY regress_uidext_tenant;
DROP ROLE regress_uidext_tenant;
-- from 17 on it may have an access method
CREATE ACCESS METHOD regress_uidext_heap TYPE TABLE HANDLER heap_tableam_handler;
CREATE TABLE methodical (id uuid, n int) PARTITION BY RANGE (id);
DO $$ BEGIN
	IF current_setting('server_version_num')::int >= 170000 THEN
		ALTER TABLE methodical SET ACCESS METHOD regress_uidext_heap;
		CREATE TABLE methodical_first PARTITION OF methodical FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01')) PARTITION BY HASH (n);
		CREATE TABLE methodical_first_0 PARTITION OF methodical_first FOR VALUES WITH (MODULUS 1, REMAINDER 0);
		PERFORM uuid_partition_create('methodical', '2026-01-01', '2026-02-01', '1 month');
		ASSERT (SELECT count(*) FROM pg_class c JOIN pg_am a ON a.oid = relam WHERE relname ~ '^methodical' AND amname = 'regress_uidext_heap') = 5;
	END IF;
END $$;
DROP TABLE methodical;
DROP ACCESS METHOD regress_uidext_heap;
DROP TABLESPACE regress_uidext_space;

-- Identity columns keep counting.
CREATE TABLE numbered (id uuid DEFAULT gen_uuidv7(), n int GENERATED ALWAYS AS IDENTITY) PARTITION BY RANGE (id);
SELECT uuid_partition_create('numbered', '2020-01-01', '2200-01-01', '180 years');
INSERT INTO numbered DEFAULT VALUES;
INSERT INTO numbered DEFAULT VALUES RETURNING tableoid::regclass, n;
DROP TABLE numbered;

-- Beneath a partition: by list, then by time.
CREATE TABLE tenants (tenant int, id uuid, PRIMARY KEY (tenant, id)) PARTITION BY LIST (tenant);
CREATE TABLE tenants_1 PARTITION OF tenants FOR VALUES IN (1) PARTITION BY RANGE (id);
SELECT uuid_partition_create('tenants_1', '2026-01-01', '2026-02-01', '1 month');
INSERT INTO tenants VALUES (1, gen_uuidv7_at('2026-01-31')) RETURNING tableoid::regclass;
DROP TABLE tenants;

-- Keys whose ids have Gregorian time
CREATE TABLE g_v1 (id uuid DEFAULT gen_uuidv1()) PARTITION BY RANGE (id);
CREATE TABLE g_v6 (id uuid DEFAULT gen_uuidv6(), other uuid DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
CREATE TABLE g_v13 (n int, id uuid DEFAULT uuidv1_to_v13(gen_uuidv1())) PARTITION BY RANGE (id);
CREATE TABLE g_other (other uuid DEFAULT gen_uuidv6(), id uuid DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
SELECT error_of($$SELECT uuid_partition_create('g_v6', '2021-01-01', '2021-02-01', '1 month')$$) :unaligned
SELECT parent, left(error_of(format('SELECT uuid_partition_list(%L)', parent)), 5) AS list,
	left(error_of(format('SELECT uuid_partition_drop(%L, ''2021-01-01'')', parent)), 5) AS drop,
	left(error_of(format('SELECT uuid_partition_create(%L, ''2021-01-01'', ''2021-02-01'', ''1 month'')', parent)), 5) AS create,
	left(error_of(format('SELECT uuid_partition_maintain(%L, ''1 month'')', parent)), 5) AS maintain
FROM unnest('{g_v1,g_v6,g_v13,g_other}'::regclass[]) AS parent;
DROP TABLE g_v1, g_v6, g_v13, g_other;

-- Parents that cannot be served
CREATE TABLE unfit_none (id uuid);
CREATE TABLE unfit_text (id text) PARTITION BY RANGE (id);
CREATE TABLE unfit_two (id uuid, n int) PARTITION BY RANGE (id, n);
CREATE TABLE unfit_second (n int, id uuid) PARTITION BY RANGE (n, id);
CREATE TABLE unfit_expression (id uuid) PARTITION BY RANGE ((id::text));
CREATE TABLE unfit_list (id uuid) PARTITION BY LIST (id);
CREATE TABLE unfit_hash (id uuid) PARTITION BY HASH (id);
CREATE VIEW unfit_view AS SELECT * FROM unfit_none;
SELECT parent || E'\n' || error_of(format('SELECT uuid_partition_create(%L, ''2026-01-01'', ''2026-02-01'', ''1 month'')', parent)) AS "parent and error"
FROM unnest('{unfit_none,unfit_text,unfit_two,unfit_second,unfit_expression,unfit_list,unfit_hash,unfit_view,unfit_missing}'::text[]) AS parent :unaligned
SELECT count(*) AS partitions FROM partitions WHERE parent::text ~ '^unfit_';
DROP VIEW unfit_view;
DROP TABLE unfit_none, unfit_text, unfit_two, unfit_second, unfit_expression, unfit_list, unfit_hash;

-- A midnight that the clocks leave out
SELECT from_time AT TIME ZONE 'America/Santiago' AS "from", to_time - from_time AS length
FROM uuid_partition_bounds('2026-09-05 00:00 America/Santiago', '2026-09-08 00:00 America/Santiago', '1 day', 'America/Santiago');
SELECT from_time AT TIME ZONE 'America/Santiago' AS "from", to_time - from_time AS length
FROM uuid_partition_bounds('2026-09-06 00:00 America/Santiago', '2026-09-08 00:00 America/Santiago', '1 day', 'America/Santiago');
CREATE TABLE santiago (id uuid) PARTITION BY RANGE (id);
SELECT uuid_partition_create('santiago', '2026-09-06 00:00 America/Santiago', '2026-09-08 00:00 America/Santiago', '1 day', 'America/Santiago');
DROP TABLE santiago;

-- A midnight of another zone, and more than anybody wants
CREATE TABLE mine (id uuid) PARTITION BY RANGE (id);
SET timezone = 'Asia/Almaty';
SELECT error_of($$SELECT uuid_partition_create('mine', '2023-12-01', '2024-01-01', '1 month')$$) :unaligned
SELECT uuid_partition_create('mine', '2023-12-01', '2024-01-01', '1 month', 'Asia/Almaty');
SELECT uuid_partition_create('mine', '2023-12-01 00:00Z', '2024-01-01 00:00Z', '12 hours') LIMIT 1;
SET timezone = 'UTC';
SELECT command, error_of(format($$SELECT uuid_partition_create('mine', %s)$$, command))
FROM unnest(ARRAY[$$'2026-01-01 12:00', '2027-01-01', '1 day'$$, $$'2026-01-01', '2027-01-01', '1 minute'$$]) AS command :unaligned
SELECT count(*) AS made FROM uuid_partition_create('mine', '2026-01-01 12:00', '2026-01-02', '1 hour');
DROP TABLE mine;

-- New ones come where the newest is, whoever makes them.
CREATE TABLE mine (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE of_mine (mine_id uuid) PARTITION BY RANGE (mine_id);
CREATE SCHEMA workshop;
SELECT uuid_partition_create('mine', '2026-01-01', '2026-03-01', '1 month');
SELECT partition FROM uuid_partition_follow('of_mine', 'mine');
ALTER TABLE mine_2026_02 SET SCHEMA workshop;
ALTER TABLE of_mine_2026_02 SET SCHEMA workshop;
SELECT uuid_partition_create('mine', '2026-03-01', '2026-05-01', '1 month');
SELECT partition FROM uuid_partition_follow('of_mine', 'mine');
CREATE TABLE mine_default PARTITION OF mine DEFAULT;
INSERT INTO mine SELECT gen_uuidv7_at(timestamptz '2026-05-01' + n * interval '1 day') FROM generate_series(0, 60) AS n;
CALL uuid_partition_drain('mine', '1 month');
SELECT partition FROM uuid_partition_list('mine') WHERE from_time >= '2026-05-01';
SET default_transaction_isolation = 'read committed';
SELECT DISTINCT action, split_part(partition, '.', 1) AS schema
FROM uuid_partition_maintain('mine', '1 month', keep => '1 month', followers => '{of_mine}', dry_run => true) ORDER BY 1, 2;
SELECT DISTINCT action, split_part(partition, '.', 1) AS schema
FROM uuid_partition_maintain('mine', '1 month', followers => '{of_mine}') ORDER BY 1, 2;
RESET default_transaction_isolation;
DROP TABLE of_mine, mine;
DROP SCHEMA workshop;

-- Only the owner makes partitions.
CREATE TABLE mine (id uuid) PARTITION BY RANGE (id);
CREATE SCHEMA workshop;
CREATE ROLE regress_uidext_writer;
CREATE ROLE regress_uidext_owner;
GRANT ALL ON mine TO regress_uidext_writer;
GRANT ALL ON SCHEMA workshop TO regress_uidext_owner;
\set VERBOSITY sqlstate
SET ROLE regress_uidext_writer;
SELECT uuid_partition_create('mine', '2026-01-01', '2026-02-01', '1 month');
SET ROLE regress_uidext_owner;
SELECT uuid_partition_create('mine', '2026-01-01', '2026-02-01', '1 month');
\set VERBOSITY default
CREATE TABLE workshop.mine (id uuid) PARTITION BY RANGE (id);
SELECT uuid_partition_create('workshop.mine', '2026-01-01', '2026-02-01', '1 month');
RESET ROLE;
SELECT relnamespace::regnamespace AS schema, relname, relowner = 'regress_uidext_owner'::regrole AS owned
FROM pg_class WHERE relname ~ '^mine' ORDER BY relnamespace::regnamespace::text, relname;
DROP TABLE mine, workshop.mine;
DROP SCHEMA workshop;
DROP ROLE regress_uidext_writer, regress_uidext_owner;

DROP VIEW partitions;
DROP FUNCTION error_of;
