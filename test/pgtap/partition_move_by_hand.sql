-- uidext_internal.move_ids() by hand: whoever may call it has all rights on the tables, and
-- still breaks no foreign key of others, because rows that it takes out must come back in.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(10);

CREATE ROLE order_keeper;
CREATE ROLE invoice_keeper;
GRANT CREATE ON SCHEMA public TO order_keeper, invoice_keeper;
SET ROLE order_keeper;
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE TABLE elsewhere (id uuid PRIMARY KEY);
CREATE TABLE orders_2020_01 (id uuid PRIMARY KEY);
INSERT INTO orders VALUES (uuid_boundary('2020-01-10 00:00+00')), (uuid_boundary('2020-02-10 00:00+00'));
GRANT REFERENCES ON orders, orders_rest TO invoice_keeper;
SET ROLE invoice_keeper;
CREATE TABLE invoices (order_id uuid REFERENCES orders ON DELETE CASCADE);
RESET ROLE;
INSERT INTO invoices SELECT id FROM orders;
SET ROLE order_keeper;

CREATE FUNCTION pg_temp.moves(source regclass, target regclass, attach text, most int DEFAULT 10) RETURNS text
	LANGUAGE sql
	RETURN pg_temp.outcome(format($$SELECT uidext_internal.move_ids(%L, %L, 'id', uuid_boundary('2020-01-01 00:00+00')::text,
		uuid_boundary('2020-02-01 00:00+00')::text, %L, %L)$$, source, target, most, attach));
CREATE FUNCTION pg_temp.attach(target text) RETURNS text LANGUAGE sql
	RETURN format('ALTER TABLE public.orders ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', target,
		uuid_boundary('2020-01-01 00:00+00'), uuid_boundary('2020-02-01 00:00+00'));

SELECT matches(pg_temp.moves('orders_rest', 'elsewhere', 'SELECT'),
	'^40001: could not serialize access: table with OID \d+ is no partition of "orders"$|^40001: could not serialize access: partition elsewhere has changed$',
	'rows do not come to a table that is not attached');
SELECT matches(pg_temp.moves('orders_rest', 'elsewhere', pg_temp.attach('public.orders_2020_01')), '^40001',
	'nor to another one than that which is attached');
SELECT matches(pg_temp.moves('invoices', 'elsewhere', 'SELECT'), '^42501', 'nor out of a table of somebody else''s');
SELECT matches(pg_temp.moves('elsewhere', 'orders', 'SELECT'), '^42809: "elsewhere" is not a default partition$',
	'rows come out of default partitions alone');
SELECT is(pg_temp.moves('orders_rest', 'orders_2020_01', pg_temp.attach('public.orders_2020_01'), 0),
	'54000: more than 0 rows would be moved under a lock', 'no more rows move than shall');
RESET ROLE;
ALTER TABLE invoices DROP CONSTRAINT invoices_order_id_fkey;
SET ROLE invoice_keeper;
ALTER TABLE invoices ADD FOREIGN KEY (order_id) REFERENCES orders_rest;
SET ROLE order_keeper;
SELECT is(pg_temp.moves('orders_rest', 'orders_2020_01', pg_temp.attach('public.orders_2020_01')),
	'55000: a foreign key refers to partition "orders_rest" itself',
	'nothing moves out of a partition to which a foreign key refers by itself');
RESET ROLE;
ALTER TABLE invoices DROP CONSTRAINT invoices_order_id_fkey;
SET ROLE invoice_keeper;
ALTER TABLE invoices ADD FOREIGN KEY (order_id) REFERENCES orders ON DELETE CASCADE;
SET ROLE order_keeper;
SELECT is(pg_temp.moves('orders_rest', 'orders_2020_01', pg_temp.attach('public.orders_2020_01')), '(1)',
	'rows come to the partition that is attached');
SELECT is((SELECT string_agg(tableoid::regclass::text, ', ' ORDER BY id) FROM orders), 'orders_2020_01, orders_rest',
	'where they are of the table as before');
RESET ROLE;
SELECT is((SELECT count(*) FROM invoices), 2::bigint, 'and what refers to them is there');

SET ROLE order_keeper;
SET transaction_read_only = on;
SELECT matches(pg_temp.moves('orders_rest', 'orders_2020_01', 'SELECT'), '^25006',
	'nothing moves in a transaction that is to write nothing');

SELECT * FROM finish();
ROLLBACK;
