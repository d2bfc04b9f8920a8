-- uuid_partition_list(): bounds, gaps, rows and bytes of each partition, for whom, and of which tables.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

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
SELECT sum(bytes) = (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits
	WHERE inhparent = 'orders'::regclass) AS all_bytes FROM uuid_partition_list('orders');
-- a default partition: empty, with rows in a gap, with others
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
SELECT partition, kind, from_time, to_time, rows, has_bytes, note
FROM listed
WHERE parent = 'orders'::regclass AND kind <> 'partition';
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
-- all rows that ANALYZE counted have been deleted since
CREATE TABLE orders (id uuid) PARTITION BY RANGE (id);
CREATE TABLE rest PARTITION OF orders DEFAULT WITH (autovacuum_enabled = off);
INSERT INTO orders SELECT gen_uuidv7_at(timestamptz '2021-01-01' + n * interval '1 day') FROM generate_series(0, 40) AS n;
SELECT pg_stat_force_next_flush();
ANALYZE orders;
DELETE FROM orders;
SELECT pg_stat_force_next_flush();
SELECT partition, rows, has_bytes FROM listed WHERE parent = 'orders'::regclass;
DROP TABLE orders;

-- Partitions of partitions count as one; one of them that nobody has estimated makes the sum unknown.
CREATE TABLE orders (id uuid, kind int) PARTITION BY RANGE (id);
CREATE TABLE january PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2021-01-01')) TO (uuid_boundary('2021-02-01'))
PARTITION BY LIST (kind);
CREATE TABLE february PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2021-02-01')) TO (uuid_boundary('2021-03-01'))
PARTITION BY LIST (kind);
CREATE TABLE january_1 PARTITION OF january FOR VALUES IN (1);
CREATE TABLE january_2 PARTITION OF january FOR VALUES IN (2) PARTITION BY RANGE (id);
CREATE TABLE january_2_rest PARTITION OF january_2 DEFAULT;
INSERT INTO orders
SELECT gen_uuidv7_at(timestamptz '2021-01-01' + n * interval '1 hour'), 1 + n % 2
FROM generate_series(0, 98) AS n;
SELECT pg_stat_force_next_flush();
ANALYZE orders;
SELECT partition, rows, has_bytes FROM listed WHERE parent = 'orders'::regclass;
SELECT bytes = pg_total_relation_size('january_1') + pg_total_relation_size('january_2_rest') AS leaves
FROM uuid_partition_list('orders')
LIMIT 1;
SELECT bytes FROM uuid_partition_list('orders') OFFSET 1;
SELECT partition, kind, rows, note FROM listed WHERE parent = 'january_2'::regclass;
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER archive FOREIGN DATA WRAPPER nowhere;
CREATE FOREIGN TABLE january_3 PARTITION OF january FOR VALUES IN (3) SERVER archive;
CREATE FOREIGN TABLE old PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2020-01-01')) TO (uuid_boundary('2021-01-01')) SERVER archive;
SELECT partition, kind, from_time, to_time, rows, has_bytes, note FROM listed WHERE parent = 'orders'::regclass;
DROP TABLE orders;
DROP SERVER archive;
DROP FOREIGN DATA WRAPPER nowhere;

-- Every column type, in the order of time
CREATE DOMAIN own_id AS uuid;
CREATE TABLE uuid_orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE iuid_orders (id iuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE own_orders (id own_id PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made
FROM unnest('{uuid_orders,iuid_orders,own_orders}'::regclass[]) AS parent,
	unnest('{2021-04-01,2021-01-01}'::timestamptz[]) AS at,
	uuid_partition_create(parent, at, at + interval '1 day', '1 month');
CREATE TABLE uuid_orders_old PARTITION OF uuid_orders FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2020-01-01'));
CREATE TABLE iuid_orders_new PARTITION OF iuid_orders FOR VALUES FROM (iuid_boundary('2022-01-01')) TO (MAXVALUE);
SELECT parent, partition, kind, from_time, to_time, note
FROM listed
WHERE parent::text ~ '_orders$'
ORDER BY parent::text, from_time;
SELECT d.partition, d.from_time, d.to_time FROM unnest('{uuid_orders,iuid_orders,own_orders}'::regclass[]) AS parent,
	uuid_partition_drop(parent, '2021-02-01') AS d;
DROP TABLE uuid_orders, iuid_orders, own_orders;
DROP DOMAIN own_id;

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
CREATE TABLE unfit_none (id uuid);
CREATE TABLE unfit_text (id text) PARTITION BY RANGE (id);
CREATE TABLE unfit_two (id uuid, n int) PARTITION BY RANGE (id, n);
CREATE TABLE unfit_expression (id uuid) PARTITION BY RANGE ((id::text));
CREATE TABLE unfit_list (id uuid) PARTITION BY LIST (id);
CREATE TABLE unfit_hash (id uuid) PARTITION BY HASH (id);
CREATE VIEW unfit_view AS SELECT * FROM unfit_none;
SELECT parent, left(error_of(format('SELECT uuid_partition_list(%L)', parent)), 5) AS list,
	left(error_of(format('SELECT uuid_partition_drop(%L, ''2021-01-01'')', parent)), 5) AS drop,
	left(error_of(format('SELECT uuid_partition_maintain(%L, ''1 month'')', parent)), 5) AS maintain
FROM unnest(
	'{unfit_none,unfit_text,unfit_two,unfit_expression,unfit_list,unfit_hash,unfit_view,unfit_missing}'::text[])
	AS parent;
SELECT error_of($$SELECT uuid_partition_list('unfit_none')$$) :unaligned
SELECT error_of($$SELECT * FROM uuid_partition_list('pg_class_oid_index')$$) :unaligned
DROP VIEW unfit_view;
DROP TABLE unfit_none, unfit_text, unfit_two, unfit_expression, unfit_list, unfit_hash;

DROP VIEW listed;
DROP FUNCTION error_of;
