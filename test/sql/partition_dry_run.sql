-- A dry run says what would then fail.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;
SET check_function_bodies = off;

CREATE FUNCTION tried(dry_run bool, detach_only bool DEFAULT false, OUT action text, OUT partition text, OUT sqlstate text)
	RETURNS SETOF record LANGUAGE sql AS $$
SELECT action, partition, left(problem, 5)
FROM uuid_partition_maintain(
	'orders', '20 years', 0, keep => '20 years', detach_only => detach_only, dry_run => dry_run)
ORDER BY from_time
$$;

-- 23514: rows of the period in the default partition; 42P07: the name is taken
CREATE TABLE orders (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
BEGIN;
INSERT INTO orders VALUES (gen_uuidv7_at(now()), 1), (gen_uuidv7_at('1970-01-01 00:00+00'), 2);
-- which would name the month
SET client_min_messages = error;
SELECT action, problem FROM uuid_partition_maintain('orders', '1 month', 0, dry_run => true);
SELECT action, left(problem, 5) AS problem FROM uuid_partition_maintain('orders', '1 month', 0);
DELETE FROM orders WHERE n = 1;
SELECT action, problem FROM uuid_partition_maintain('orders', '1 month', 0, dry_run => true);
DO $$BEGIN EXECUTE format('CREATE TABLE orders_%s ()', to_char(now(), 'YYYY_MM')); END$$;
SELECT action, left(problem, 5) AS problem FROM uuid_partition_maintain('orders', '1 month', 0, dry_run => true);
DO $$BEGIN EXECUTE format('DROP TABLE orders_%s', to_char(now(), 'YYYY_MM')); END$$;
COMMIT;

-- create says the same of a call that would fail, and makes nothing
SET client_min_messages = notice;
INSERT INTO orders VALUES (gen_uuidv7_at('2020-02-01 00:00+00'), 2);
CREATE TABLE orders_2020_03 ();
SELECT uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-05-01 00:00+00', '1 month', dry_run => true);
SELECT uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-05-01 00:00+00', '1 month');
SELECT partition, kind FROM uuid_partition_list('orders');
SET client_min_messages = warning;
DROP TABLE orders, orders_2020_03;

-- 23503: rows that others refer to; 2BP01: what needs the partition itself; 55006 and views in partition_drop
CREATE TABLE orders (id uuid, kind int, PRIMARY KEY (id, kind)) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('orders', '1980-01-01 00:00+00', '1981-01-01 00:00+00', '1 month');
SELECT count(*) > 2 AS made FROM uuid_partition_maintain('orders', '20 years', 0);
CREATE TABLE items (kind int NOT NULL, order_id uuid, FOREIGN KEY (order_id, kind) REFERENCES orders);
INSERT INTO orders
SELECT uuid_boundary(timestamptz '1980-01-01 00:00+00' + n * interval '1 month'), n
FROM generate_series(0, 11) n;
INSERT INTO items SELECT kind, id FROM orders WHERE kind IN (1, 5);
CREATE TABLE notes (id uuid, kind int, FOREIGN KEY (id, kind) REFERENCES orders_1980_03);
CREATE VIEW april AS SELECT * FROM orders_1980_04;
CREATE FUNCTION may() RETURNS bigint BEGIN ATOMIC SELECT count(*) FROM orders_1980_05; END;
-- none of these is in the way
CREATE VIEW all_of_them AS SELECT * FROM orders;
CREATE RULE kept AS ON DELETE TO orders_1980_07 DO INSTEAD NOTHING;
SELECT * FROM tried(true) WHERE sqlstate IS NOT NULL;
SELECT * FROM tried(true, true) WHERE sqlstate IS NOT NULL;
-- drop says the same
SELECT action, partition, problem FROM uuid_partition_drop('orders', '1980-03-01 00:00+00', dry_run => true);
SELECT action, partition, problem FROM uuid_partition_drop('orders', '1980-03-01 00:00+00', true, true);
-- what really happens, of each
SET client_min_messages = error;
CREATE TABLE foretold AS SELECT * FROM tried(true);
BEGIN;
CREATE TEMP TABLE happened ON COMMIT DROP AS SELECT * FROM tried(false);
SELECT f.partition, f.action, h.action AS happened, f.sqlstate, h.sqlstate AS happened
FROM foretold f
JOIN happened h ON h.partition = f.partition
WHERE (f.sqlstate IS NULL) <> (h.sqlstate IS NULL) OR f.sqlstate <> h.sqlstate;
SELECT count(*) > 12 AS happened FROM happened;
ROLLBACK;
-- and of detaching
BEGIN;
TRUNCATE foretold;
INSERT INTO foretold SELECT * FROM tried(true, true);
CREATE TEMP TABLE happened ON COMMIT DROP AS SELECT * FROM tried(false, true);
SELECT f.partition, f.action, h.action AS happened, f.sqlstate, h.sqlstate AS happened
FROM foretold f
JOIN happened h ON h.partition = f.partition
WHERE (f.sqlstate IS NULL) <> (h.sqlstate IS NULL) OR f.sqlstate <> h.sqlstate;
SELECT count(*) > 12 AS happened FROM happened;
ROLLBACK;
DROP FUNCTION may;
DROP VIEW april, all_of_them;
DROP TABLE items, notes, orders, foretold;
DROP FUNCTION tried, error_of;

-- A drain of steps that do not divide a day: a period begins where the one before it, which is only planned, ends.
CREATE TABLE rides (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
CREATE TABLE rides_rest PARTITION OF rides DEFAULT;
INSERT INTO rides
SELECT gen_uuidv7_at(at)
FROM generate_series(timestamptz '2020-10-23 00:30+00', '2020-10-26 07:30+00', '1 hour') at;
SET client_min_messages = notice;
CALL uuid_partition_drain('rides', '36 hours', stop => '2020-10-25 00:00+00', dry_run => true);
CALL uuid_partition_drain('rides', '36 hours', stop => '2020-10-25 00:00+00');
CALL uuid_partition_drain('rides', '5 hours', dry_run => true);
CALL uuid_partition_drain('rides', '5 hours');
SET client_min_messages = warning;
DROP TABLE rides;
