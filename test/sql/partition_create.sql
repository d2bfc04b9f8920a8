-- uuid_partition_create(): which partitions does a call make, of which tables, and what are they like?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/partition_bounds.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

-- Partitions: made once, gaps filled, those of another name left alone.
CREATE TABLE orders (id uuid PRIMARY KEY, item text) PARTITION BY RANGE (id);
CREATE TABLE may PARTITION OF orders FOR VALUES FROM (uuid_boundary('2026-05-01')) TO (uuid_boundary('2026-06-01'));
SELECT uuid_partition_create('orders', '2026-01-01', '2026-02-15', '1 month');
SELECT uuid_partition_create('orders', '2026-04-01', '2026-05-01', '1 month');
SELECT uuid_partition_create('orders', '2026-01-01', '2026-07-01', '1 month');
SELECT uuid_partition_create('orders', '2026-01-01', '2026-07-01', '1 month');
SELECT partition, bound FROM partitions WHERE parent = 'orders'::regclass ORDER BY bound;
INSERT INTO orders
SELECT gen_uuidv7_at(at)
FROM unnest(ARRAY['2026-01-31 23:59:59.999999', '2026-02-01', '2026-05-31', '2026-06-30']::timestamptz[]) AS at;
SELECT tableoid::regclass AS partition, uuid_time(id)::date AS day FROM orders ORDER BY id;

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
SELECT error_of($$
	SELECT uuid_partition_create(
		'orders', '2026-02-01 00:00+01', '2026-03-01 00:00+01', '1 month', 'Europe/Berlin')$$) :unaligned
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
SELECT relation::regclass AS locked, mode FROM pg_locks
WHERE pid = pg_backend_pid() AND relation IN ('orders'::regclass, 'orders_rest'::regclass)
	AND mode NOT IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock', 'SIReadLock')
ORDER BY relation, mode;
ROLLBACK;
DROP TABLE orders;

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
UNION ALL SELECT conrelid::regclass, 'constraint ' || contype::text,
	concat_ws(' ', pg_get_constraintdef(oid), coninhcount, conislocal)
FROM pg_constraint WHERE contype <> 'n'
UNION ALL SELECT indrelid::regclass, 'index',
	replace(regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \S+ ON \S+', 'INDEX ON'), '_idx', '')
FROM pg_index
UNION ALL SELECT tgrelid::regclass, 'trigger', concat_ws(' ', tgfoid::regproc, tgtype, tgenabled) FROM pg_trigger
UNION ALL
	SELECT oid::regclass, 'table',
		concat_ws(
			' ', relkind, relpersistence, relowner::regrole = current_user::regrole, reloptions, relrowsecurity)
	FROM pg_class;
SELECT kind, property, array_agg("table") AS only_in
FROM properties
WHERE "table" IN ('by_hand'::regclass, :'by_helper'::regclass)
GROUP BY kind, property HAVING count(DISTINCT "table") <> 2 ORDER BY 1, 2;
SELECT kind, count(*) AS properties FROM properties WHERE "table" = :'by_helper'::regclass GROUP BY kind ORDER BY kind;
INSERT INTO customers VALUES ('00000000-0000-4000-8000-000000000000');
INSERT INTO full_orders (id, customer)
	VALUES ('019c1680-0000-7000-8000-000000000000', '00000000-0000-4000-8000-000000000000')
	RETURNING tableoid::regclass, price, twice, touched;
SELECT command || E'\n' || error_of(command) AS "command and error"
FROM unnest(ARRAY[
	$$INSERT INTO full_orders VALUES ('019c1680-0000-7000-8000-000000000000', '00000000-0000-4000-8000-000000000000')$$,
	$$INSERT INTO full_orders VALUES ('019c1680-0000-7000-8000-000000000001', '00000000-0000-4000-8000-000000000001')$$,
	$$INSERT INTO full_orders VALUES ('019c1680-0000-7000-8000-000000000001', '00000000-0000-4000-8000-000000000000', -1)$$,
	$$INSERT INTO order_lines VALUES ('019c1680-0000-7000-8000-000000000000')$$,
	$$INSERT INTO order_lines VALUES ('019c1680-0000-7000-8000-000000000001')$$,
	$$UPDATE full_orders SET note = repeat('x', 100)$$]) AS command :unaligned
DROP VIEW properties;
DROP TABLE order_lines, full_orders, customers;
DROP FUNCTION touch;

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
CREATE TABLE calls_v1 (id uuid DEFAULT gen_uuidv1()) PARTITION BY RANGE (id);
CREATE TABLE calls_v6 (id uuid DEFAULT gen_uuidv6(), other uuid DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
CREATE TABLE calls_v13 (n int, id uuid DEFAULT uuidv1_to_v13(gen_uuidv1())) PARTITION BY RANGE (id);
CREATE TABLE calls_other (other uuid DEFAULT gen_uuidv6(), id uuid DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
SELECT error_of($$SELECT uuid_partition_create('calls_v6', '2021-01-01', '2021-02-01', '1 month')$$) :unaligned
SELECT parent, left(error_of(format('SELECT uuid_partition_list(%L)', parent)), 5) AS list,
	left(error_of(format('SELECT uuid_partition_drop(%L, ''2021-01-01'')', parent)), 5) AS drop,
	left(error_of(format('SELECT uuid_partition_create(%L, ''2021-01-01'', ''2021-02-01'', ''1 month'')', parent)), 5) AS create,
	left(error_of(format('SELECT uuid_partition_maintain(%L, ''1 month'')', parent)), 5) AS maintain
FROM unnest('{calls_v1,calls_v6,calls_v13,calls_other}'::regclass[]) AS parent;
DROP TABLE calls_v1, calls_v6, calls_v13, calls_other;

-- Parents that cannot be served
CREATE TABLE unfit_none (id uuid);
CREATE TABLE unfit_text (id text) PARTITION BY RANGE (id);
CREATE TABLE unfit_two (id uuid, n int) PARTITION BY RANGE (id, n);
CREATE TABLE unfit_second (n int, id uuid) PARTITION BY RANGE (n, id);
CREATE TABLE unfit_expression (id uuid) PARTITION BY RANGE ((id::text));
CREATE TABLE unfit_list (id uuid) PARTITION BY LIST (id);
CREATE TABLE unfit_hash (id uuid) PARTITION BY HASH (id);
CREATE VIEW unfit_view AS SELECT * FROM unfit_none;
SELECT parent
	|| E'\n'
	|| error_of(
		format(
			'SELECT uuid_partition_create(%L, ''2026-01-01'', ''2026-02-01'', ''1 month'')', parent))
		AS "parent and error"
FROM unnest(
	'{unfit_none,unfit_text,unfit_two,unfit_second,unfit_expression,unfit_list,unfit_hash,unfit_view,
		unfit_missing}'::text[])
	AS parent :unaligned
SELECT count(*) AS partitions FROM partitions WHERE parent::text ~ '^unfit_';
DROP VIEW unfit_view;
DROP TABLE unfit_none, unfit_text, unfit_two, unfit_second, unfit_expression, unfit_list, unfit_hash;

-- More than anybody wants
CREATE TABLE mine (id uuid) PARTITION BY RANGE (id);
SELECT command, error_of(format($$SELECT uuid_partition_create('mine', %s)$$, command))
FROM unnest(
	ARRAY[
		$$'2026-01-01 12:00', '2027-01-01', '1 day'$$, $$'2026-01-01', '2027-01-01', '1 minute'$$])
	AS command :unaligned
SELECT count(*) AS made FROM uuid_partition_create('mine', '2026-01-01 12:00', '2026-01-02', '1 hour');
-- bounds are whole milliseconds
SELECT count(*) AS made FROM uuid_partition_create('mine', '2027-01-01 00:00:00.0005', '2027-01-01 02:00:00.0005', '1 hour');
SELECT count(*) AS made_again FROM uuid_partition_create('mine', '2027-01-01 00:00:00.0005', '2027-01-01 02:00:00.0005', '1 hour');
DROP TABLE mine;

DROP VIEW partitions;
DROP FUNCTION error_of;
