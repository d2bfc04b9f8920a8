-- uuid_partition_follow(): which partitions does a table get beside those of another, and which tables does it refuse?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
\i :test/include/partition_pairs.sql

-- The parent's bounds as they are: a gap, bounds of no step, MINVALUE, a default.
CREATE TABLE orders (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE orders_old PARTITION OF orders FOR VALUES FROM (MINVALUE) TO ('01766c8a-0000-0000-0000-000000000000');
SELECT count(*) AS made FROM uuid_partition_create('orders', '2021-01-01', '2021-03-01', '1 month');
CREATE TABLE "odd Name" PARTITION OF orders
FOR VALUES FROM ('01785d34-c800-0000-0000-00000000beef') TO ('01785d34-c801-0000-0000-000000000000');
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE TABLE items (n int, order_id uuid, id uuid, PRIMARY KEY (order_id, id)) PARTITION BY RANGE (order_id);
SELECT * FROM uuid_partition_follow('items', 'orders', dry_run => true);
SELECT count(*) AS not_changed FROM pairs WHERE parent = 'items'::regclass;
SELECT action, partition FROM uuid_partition_follow('items', 'orders');
SELECT partition, bound, key FROM pairs WHERE parent = 'items'::regclass ORDER BY partition::text COLLATE "C";
SELECT count(*) AS again FROM uuid_partition_follow('items', 'orders');
-- the pairs hold
INSERT INTO orders SELECT uuid_boundary(timestamptz '2021-01-10' + n * interval '5 days'), n FROM generate_series(1, 8) AS n;
INSERT INTO items SELECT n, id, uuid_boundary(timestamptz '2021-01-01' + n * interval '1 day') FROM orders;
SELECT error_of($$
	INSERT INTO items VALUES (1, uuid_boundary('2021-01-02'), uuid_boundary('2021-01-02'))$$)
	AS item_without_order :unaligned
SELECT error_of($$DELETE FROM orders WHERE n = 1$$) AS order_with_items :unaligned
-- of a row that the pair's partition has not, the default partitions tell nothing
INSERT INTO items VALUES (9, uuid_boundary('2022-01-02'), uuid_boundary('2022-01-02'));
DELETE FROM items WHERE n = 9;

-- One that would hold rows of the default partition comes when they have left it.
INSERT INTO orders VALUES (uuid_boundary('2021-05-05'), 50);
INSERT INTO items VALUES (50, uuid_boundary('2021-05-05'), uuid_boundary('2021-05-05'));
CALL uuid_partition_drain('orders', '1 month');
SELECT action, partition, problem FROM uuid_partition_follow('items', 'orders', dry_run => true);
SELECT action, partition, problem FROM uuid_partition_follow('items', 'orders');
CALL uuid_partition_drain('items', '1 month');
SELECT count(*) AS nothing_lacks FROM uuid_partition_follow('items', 'orders');
SELECT string_agg(partition::text, ' ' ORDER BY partition::text COLLATE "C") AS pair_of_may FROM pairs WHERE bound LIKE '%0179%';
-- a bound of the child's own is in the way, and told
CREATE TABLE payments (order_id uuid PRIMARY KEY) PARTITION BY RANGE (order_id);
CREATE TABLE payments_2021 PARTITION OF payments FOR VALUES FROM (uuid_boundary('2021-01-15')) TO (uuid_boundary('2022-01-01'));
SELECT action, partition, problem FROM uuid_partition_follow('payments', 'orders') :unaligned
SET enable_partitionwise_join = on;
SELECT severity, message FROM uuid_partition_check('orders', '0', followers => '{items,payments}') :unaligned
RESET enable_partitionwise_join;
SELECT severity, message FROM uuid_partition_check('orders', '0', followers => '{items}') :unaligned
DROP TABLE payments;

-- Other families, local time, a neighbour that is partitioned itself.
CREATE TABLE notes (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made
FROM uuid_partition_create(
	'notes', '2021-01-01 Asia/Kolkata', '2021-01-29 Asia/Kolkata', '7 days', 'Asia/Kolkata');
CREATE TABLE lines (note ulid, n int, PRIMARY KEY (note, n)) PARTITION BY RANGE (note);
SELECT * FROM uuid_partition_follow('lines', 'notes');
-- a key of another column is no pair's
ALTER TABLE lines ADD reply ulid;
ALTER TABLE lines_2021_01_22 DROP CONSTRAINT lines_2021_01_22_note_fkey, ADD FOREIGN KEY (reply) REFERENCES notes_2021_01_22;
SELECT pg_get_constraintdef(key) AS newest_key FROM uidext_internal.partition_pair_foreign_keys('lines') ORDER BY place DESC LIMIT 1;
CREATE TABLE posts (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('posts', '2021-01-01', '2021-03-01', '1 month');
CREATE TABLE likes (post bigint, n int, CHECK (uid_is_valid(post, 'snowflake'))) PARTITION BY RANGE (post);
CREATE TABLE likes_first PARTITION OF likes FOR VALUES FROM (MINVALUE) TO (0) PARTITION BY HASH (n);
CREATE TABLE likes_first_0 PARTITION OF likes_first FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE likes_first_1 PARTITION OF likes_first FOR VALUES WITH (MODULUS 2, REMAINDER 1);
SELECT action, partition, from_time FROM uuid_partition_follow('likes', 'posts');
SELECT parent, partition, key FROM pairs WHERE partition::text LIKE 'likes_2021_01%' ORDER BY 2;
-- of a parent's partition that is partitioned itself the first level is followed, and its key refers to it
CREATE TABLE regions (id uuid, region int, PRIMARY KEY (id, region)) PARTITION BY RANGE (id);
CREATE TABLE regions_2021 PARTITION OF regions
FOR VALUES FROM (uuid_boundary('2021-01-01')) TO (uuid_boundary('2022-01-01'))
PARTITION BY LIST (region);
CREATE TABLE regions_2021_1 PARTITION OF regions_2021 FOR VALUES IN (1);
CREATE TABLE visits (region_id uuid, region int) PARTITION BY RANGE (region_id);
CREATE TABLE visit (LIKE visits, FOREIGN KEY (region_id, region) REFERENCES regions);
SELECT action, partition FROM uuid_partition_follow('visits', 'regions', 'visit');
SELECT conrelid::regclass AS partition, confrelid::regclass AS refers_to
FROM pg_constraint
WHERE conrelid = 'visits_2021'::regclass AND contype = 'f' AND conparentid = 0;

SET default_transaction_isolation = 'read committed';

-- What is refused, before anything is made
CREATE TABLE template (LIKE items);
CREATE TABLE jobs (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE steps (job uuid, n int, PRIMARY KEY (job, n)) PARTITION BY RANGE (job);
CREATE TABLE new_steps (LIKE steps) PARTITION BY RANGE (job);
SELECT count(*) AS made
FROM uuid_partition_create(
	'jobs', date_trunc('year', now()), date_trunc('year', now()) + interval '1 year', '1 year');
SELECT count(*) AS made FROM uuid_partition_follow('steps', 'jobs');
SELECT command || E'\n' || error_of(command) AS "command and error"
FROM unnest(ARRAY[
	$$SELECT uuid_partition_follow(NULL, 'orders')$$,
	$$SELECT uuid_partition_follow('orders', 'orders')$$,
	$$SELECT uuid_partition_follow('items', 'posts')$$,
	$$SELECT uuid_partition_follow('template', 'orders')$$,
	$$SELECT uuid_partition_maintain('jobs', '1 year', followers => '{steps,NULL}')$$,
	$$SELECT uuid_partition_maintain('jobs', '1 year', followers => '{steps,steps}')$$,
	$$SELECT uuid_partition_check('jobs', followers => '{steps,NULL}')$$,
	$$SELECT uuid_partition_check('jobs', followers => '{steps,steps}')$$,
	$$SELECT uuid_partition_maintain('jobs', '1 year', followers => '{new_steps}')$$]) AS command :unaligned
-- whose leader is another's, also to who owns the follower, and to a superuser
CREATE ROLE regress_uidext_follower;
CREATE ROLE regress_uidext_followed;
GRANT CREATE, USAGE ON SCHEMA public TO regress_uidext_follower;
GRANT REFERENCES, SELECT ON jobs TO regress_uidext_follower;
ALTER TABLE new_steps OWNER TO regress_uidext_follower;
ALTER TABLE jobs OWNER TO regress_uidext_followed;
SET ROLE regress_uidext_follower;
SELECT error_of($$SELECT uuid_partition_follow('new_steps', 'jobs')$$) AS to_owner_of_follower :unaligned
SELECT error_of($$SELECT uuid_partition_follow('new_steps', 'jobs', dry_run => true)$$) AS dry_run :unaligned
RESET ROLE;
SELECT error_of($$SELECT uuid_partition_follow('new_steps', 'jobs')$$) AS to_superuser :unaligned

SET client_min_messages = warning;
DROP OWNED BY regress_uidext_follower, regress_uidext_followed CASCADE;
DROP ROLE regress_uidext_follower, regress_uidext_followed;
DROP VIEW pairs;
DROP TABLE items, orders, template, lines, notes, likes, posts, visits, visit, regions, steps;
DROP FUNCTION error_of;
