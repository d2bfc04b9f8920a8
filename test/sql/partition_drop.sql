-- uuid_partition_drop(): which partitions go, dropped or detached, and which stay.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/partitions_of.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

-- Those that end at or before the time, to the millisecond, whatever they are called.
CREATE TABLE orders (id uuid PRIMARY KEY, item text) PARTITION BY RANGE (id);
CREATE TABLE the_old PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2020-01-01'));
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-01-01', '2020-07-01', '1 month');
CREATE TABLE the_new PARTITION OF orders FOR VALUES FROM (uuid_boundary('2020-07-01')) TO (MAXVALUE);
INSERT INTO orders SELECT gen_uuidv7_at(timestamptz '2019-12-01' + n * interval '1 day') FROM generate_series(0, 211) AS n;
SELECT pg_stat_force_next_flush();
ANALYZE orders;
SELECT count(*) AS dropped FROM uuid_partition_drop('orders', '2019-12-31 23:59:59.999999');
SELECT action, partition, from_time, to_time, rows, bytes > 0 AS has_bytes, problem
FROM uuid_partition_drop('orders', '2020-02-28 23:59:59.999');
SELECT count(*) AS orders, to_regclass('the_old') AS gone, to_regclass('orders_2020_01') AS gone_too FROM orders;
-- once
SELECT count(*) AS again FROM uuid_partition_drop('orders', '2020-02-28 23:59:59.999');
SELECT partition, from_time, to_time FROM uuid_partition_drop('orders', '2020-03-01');
-- only detached: the table is there with its rows, for another day
SELECT action, partition, from_time, to_time, rows, problem FROM uuid_partition_drop('orders', '2020-05-01', detach_only => true);
SELECT count(*) AS in_orders,
	(SELECT count(*) FROM orders_2020_03) AS in_march,
	(SELECT count(*) FROM orders_2020_04) AS in_april,
	(SELECT relispartition FROM pg_class WHERE oid = 'orders_2020_03'::regclass) AS is_partition FROM orders;
-- never the default or what has no end
INSERT INTO orders VALUES (gen_uuidv7_at('2020-04-01'));
SELECT count(*) AS dropped FROM uuid_partition_drop('orders', now());
SELECT partitions_of('orders'), count(*) AS orders FROM orders;

-- Arguments
SELECT command || E'\n' || error_of(format('SELECT uuid_partition_drop(%s)', command)) AS "arguments and error"
FROM unnest(ARRAY[$$NULL, '2020-01-01'$$, $$'orders', NULL$$, $$'orders', '2020-01-01', NULL$$,
	$$'orders', 'infinity'$$, $$'orders', '-infinity'$$, $$'orders', now() + interval '1 microsecond'$$, $$'orders', now()$$,
	$$'orders', '0001-01-01 BC'$$]) AS command :unaligned
DROP TABLE orders, orders_2020_03, orders_2020_04;

-- Foreign tables and partitions of partitions, gone with all that is here of them
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER archive FOREIGN DATA WRAPPER nowhere;
CREATE TABLE orders (id uuid, kind int) PARTITION BY RANGE (id);
CREATE FOREIGN TABLE abroad PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2020-01-01')) TO (uuid_boundary('2020-02-01')) SERVER archive;
CREATE TABLE february PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2020-02-01')) TO (uuid_boundary('2020-03-01'))
PARTITION BY LIST (kind);
CREATE TABLE february_1 PARTITION OF february FOR VALUES IN (1);
CREATE FOREIGN TABLE february_2 PARTITION OF february FOR VALUES IN (2) SERVER archive;
CREATE TABLE march PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2020-03-01')) TO (uuid_boundary('2020-04-01'))
PARTITION BY LIST (kind);
CREATE TABLE march_1 PARTITION OF march FOR VALUES IN (1);
CREATE FOREIGN TABLE abroad_too PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2020-04-01')) TO (uuid_boundary('2020-05-01')) SERVER archive;
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
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-01-01', '2020-05-01', '1 month');
INSERT INTO orders SELECT gen_uuidv7_at(at) FROM generate_series(timestamptz '2020-01-15', '2020-04-15', '1 month') AS at;
INSERT INTO lines SELECT id, 1 FROM orders_2020_02;
CREATE VIEW march AS SELECT * FROM orders_2020_03;
SELECT error_of($$SELECT uuid_partition_drop('orders', '2020-03-01')$$)
	~ '^23503 rows of table public.lines refer to rows of partition public.orders_2020_02' AS referenced,
	error_of($$SELECT uuid_partition_drop('orders', '2020-03-01', true)$$) ~ '^23503 ' AS detach_too;
\set VERBOSITY sqlstate
SELECT uuid_partition_drop('orders', '2020-03-01');
\set VERBOSITY default
SELECT partitions_of('orders');
DELETE FROM lines;
SELECT error_of($$SELECT uuid_partition_drop('orders', '2020-05-01')$$)
	~ '^2BP01 rule _RETURN on view public.march depends on partition public.orders_2020_03' AS viewed;
\set VERBOSITY sqlstate
SELECT uuid_partition_drop('orders', '2020-05-01');
\set VERBOSITY default
SELECT partitions_of('orders'), count(*) AS orders FROM orders;
SELECT partition FROM uuid_partition_drop('orders', '2020-05-01', true);
SELECT count(*) AS rows FROM march;
DROP VIEW march;
DROP TABLE lines, orders, orders_2020_01, orders_2020_02, orders_2020_03, orders_2020_04, customers;

-- Later partitions lack their model only where the newest one goes: not where a dry run tells that it cannot.
CREATE TABLE invoices (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('invoices', '2020-01-01', '2020-02-01', '1 month');
SELECT action, partition, problem FROM uuid_partition_drop('invoices', '2020-02-01', dry_run => true);
CREATE VIEW reminders AS SELECT * FROM invoices_2020_01;
SELECT action, partition, problem FROM uuid_partition_drop('invoices', '2020-02-01', dry_run => true);
DROP VIEW reminders;
-- After the drop, only ROLLBACK helps.
BEGIN;
SELECT action, partition, problem FROM uuid_partition_drop('invoices', '2020-02-01');
ROLLBACK;
DROP TABLE invoices;

DROP FUNCTION partitions_of;
DROP FUNCTION error_of;
