-- Which tables do foreign keys join with some partitioned tables?  Steps lock them, too.

BEGIN;
\ir include/settings.sql
SET client_min_messages = error;
SELECT plan(7);

CREATE FUNCTION pg_temp.related(VARIADIC family regclass[]) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(r.relation::regclass::text, ' ' ORDER BY r.relation::regclass::text COLLATE "C")
	FROM uidext_internal.partition_related(family) r
$$;

CREATE TABLE customers (id int PRIMARY KEY) PARTITION BY HASH (id);
CREATE TABLE customers_all PARTITION OF customers FOR VALUES WITH (MODULUS 1, REMAINDER 0);
CREATE TABLE orders (id uuid PRIMARY KEY, customer int) PARTITION BY RANGE (id);
CREATE TABLE orders_all PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE TABLE items (order_id uuid, n int) PARTITION BY RANGE (order_id);
CREATE TABLE items_all PARTITION OF items FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE TABLE strangers (id uuid PRIMARY KEY);
CREATE TABLE friends (id uuid REFERENCES strangers);
SELECT is(pg_temp.related('orders'), NULL, 'no table, where no foreign key joins any with it');
ALTER TABLE orders ADD FOREIGN KEY (customer) REFERENCES customers;
SELECT is(pg_temp.related('orders'), 'customers customers_all', 'a table to which it refers, with the partitions of that');
CREATE TABLE bills (order_id uuid REFERENCES orders);
CREATE TABLE reminders (order_id uuid REFERENCES orders);
SELECT is(pg_temp.related('orders'), 'bills customers customers_all reminders', 'each table that refers to it');
ALTER TABLE items ADD FOREIGN KEY (order_id) REFERENCES orders;
SELECT is(pg_temp.related('orders'), 'bills customers customers_all items reminders',
	'but no partition of a table that refers to it');
SELECT is(pg_temp.related('orders', 'items'), 'bills customers customers_all orders_all reminders',
	'of the tables that are asked for no one, but the partitions to which another of them refers');

-- A table that no foreign key joins with another.
CREATE TABLE bare (id uuid) PARTITION BY RANGE (id);
CREATE FUNCTION pg_temp.locks_of_maintenance(relation regclass) RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM pg_locks l WHERE l.pid = pg_backend_pid() AND l.relation = $1 AND l.mode = 'ShareUpdateExclusiveLock'
$$;
SELECT count(*) AS made FROM uuid_partition_create('bare', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
CREATE TABLE bare_rest PARTITION OF bare DEFAULT PARTITION BY HASH (id);
CREATE TABLE bare_rest_0 PARTITION OF bare_rest FOR VALUES WITH (MODULUS 1, REMAINDER 0);
SELECT count(*) AS dropped FROM uuid_partition_drop('bare', '2020-02-01 00:00+00') \gset
SELECT is(pg_temp.locks_of_maintenance('strangers'), 0::bigint, 'a drop locks no stranger');
SELECT is(pg_temp.locks_of_maintenance('bare_rest_0'), 0::bigint, 'nor what is beneath the default partition');

SELECT * FROM finish();
ROLLBACK;
