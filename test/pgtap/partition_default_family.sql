-- A family that began with nothing but a default partition gets its foreign keys for
-- every partition that comes later.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SET check_function_bodies = off;
SELECT plan(11);

CREATE FUNCTION pg_temp.new_family() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS items, orders;
	CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
	PERFORM uuid_partition_follow('items', 'orders');
END $$;

CREATE FUNCTION pg_temp.without_key() RETURNS text LANGUAGE sql AS $$
SELECT string_agg(c.inhrelid::regclass::text, ' ' ORDER BY c.inhrelid::regclass::text)
FROM pg_inherits c JOIN pg_class p ON p.oid = c.inhrelid
WHERE c.inhparent = 'items'::regclass AND pg_get_expr(p.relpartbound, 0) <> 'DEFAULT'
	AND NOT EXISTS (SELECT FROM pg_constraint k JOIN pg_inherits o ON o.inhrelid = k.confrelid AND o.inhparent = 'orders'::regclass
		WHERE k.conrelid = c.inhrelid AND k.contype = 'f')
$$;

SELECT pg_temp.new_family();
SELECT is((SELECT string_agg(inhrelid::regclass::text, ' ') FROM pg_inherits WHERE inhparent = 'items'::regclass), 'items_rest',
	'the follower has a default partition alone');
SELECT is(
	pg_temp.outcome($$
		SELECT DISTINCT action, problem
		FROM uuid_partition_maintain('orders', '1 month', 2, followers => '{items}', dry_run => true)$$),
	'("to be created",)', 'a dry run makes months of both');
SELECT is(
	pg_temp.outcome($$
		SELECT DISTINCT action, problem
		FROM uuid_partition_maintain('orders', '1 month', 2, followers => '{items}')$$),
	'(created,)', 'and so does maintain');
SELECT is((SELECT count(*) FROM pg_inherits WHERE inhparent = 'items'::regclass), 4::bigint,
	'three of each beside the default partition');
SELECT is(pg_temp.without_key(), NULL, 'maintain gives each month of the follower its foreign key');
SELECT throws_ok('INSERT INTO items VALUES (gen_uuidv7(), 1)', '23503', NULL, 'and no item is without its order');
SELECT is(count(*), 0::bigint, 'check misses no key')
FROM uuid_partition_check('orders', '0', followers => '{items}')
WHERE message ~ 'foreign key';
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month', 4, followers => '{items}') \gset
SELECT is(pg_temp.without_key(), NULL, 'nor does a later call leave it out');

SELECT pg_temp.new_family();
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month', 2) \gset
SELECT is(pg_temp.outcome($$SELECT DISTINCT action, problem FROM uuid_partition_follow('items', 'orders')$$), '(created,)',
	'follow makes the months that a follower lacks');
SELECT is(pg_temp.without_key(), NULL, 'with their foreign keys');

-- No such key can lead to a primary key of two columns.
DROP TABLE items, orders;
CREATE TABLE orders (id uuid, kind int, PRIMARY KEY (id, kind)) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
CREATE TABLE items_rest PARTITION OF items DEFAULT;
SELECT is(pg_temp.outcome($$
		SELECT action, problem FROM uuid_partition_maintain('orders', '1 month', 0, followers => '{items}')$$),
	E'(created,)\n(created,)',
	'beside a primary key of two columns months of both are made without');

SELECT * FROM finish();
ROLLBACK;
