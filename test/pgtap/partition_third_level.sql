-- A family of three levels: notes of items, items of orders.  The months of all three come and go together.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(7);

CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE items (order_id uuid, id uuid, PRIMARY KEY (order_id, id)) PARTITION BY RANGE (order_id);
CREATE TABLE item_notes (order_id uuid NOT NULL, item_id uuid NOT NULL, note text) PARTITION BY RANGE (order_id);
SELECT count(*)
FROM uuid_partition_create('orders', date_trunc('month', now(), 'UTC') - interval '3 months',
	date_trunc('month', now(), 'UTC') - interval '1 month', '1 month') \g /dev/null
SELECT count(*) FROM uuid_partition_follow('items', 'orders') \g /dev/null
CREATE TABLE model (LIKE item_notes, FOREIGN KEY (order_id, item_id) REFERENCES items (order_id, id) ON DELETE CASCADE);
SELECT is((SELECT count(*) FROM uuid_partition_follow('item_notes', 'items', template => 'model')), 2::bigint,
	'a follower follows a follower');
DROP TABLE model;

CREATE FUNCTION pg_temp.months(parent regclass) RETURNS text LANGUAGE sql AS $$
SELECT string_agg(right(c.relname::text, 7), ' ' ORDER BY c.relname) FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
WHERE inhparent = parent
$$;

SELECT is((SELECT count(*)
	FROM uuid_partition_maintain('orders', '1 month', 1, followers => '{items,item_notes}') WHERE problem IS NOT NULL), 0::bigint,
	'maintenance makes the months of all three');
SELECT is(concat_ws(' / ', pg_temp.months('items') = pg_temp.months('orders'), pg_temp.months('item_notes') = pg_temp.months('orders')),
	't / t', 'the same for each');
SELECT is((SELECT count(*) FROM pg_constraint
		WHERE contype = 'f' AND conparentid = 0 AND conrelid::regclass::text ~ '^item_notes_'
			AND pg_get_constraintdef(oid) = format('FOREIGN KEY (order_id, item_id) REFERENCES %s(order_id, id) ON DELETE CASCADE',
				replace(conrelid::regclass::text, 'item_notes', 'items'))),
	(SELECT count(*) FROM pg_inherits WHERE inhparent = 'item_notes'::regclass),
	'each month of the notes has a key to that of the items');

-- an order of the oldest month, with an item and a note of a month later
SELECT gen_uuidv7_at(date_trunc('month', now(), 'UTC') - interval '75 days') AS old, gen_uuidv7_at(now() - interval '40 days') AS later \gset
INSERT INTO orders VALUES (:'old');
INSERT INTO items VALUES (:'old', :'later');
INSERT INTO item_notes VALUES (:'old', :'later', 'later');
SELECT is((SELECT count(*)
	FROM item_notes n JOIN uuid_partition_list('item_notes') l ON l.partition = n.tableoid
	WHERE uuid_time(:'old') >= from_time AND uuid_time(:'old') < to_time), 1::bigint, 'a note is in the month of the order');
SELECT is((SELECT string_agg(DISTINCT tables::text, ' ') || ' ' || count(*)
	FROM (SELECT right(partition, 7), count(*) AS tables
		FROM uuid_partition_maintain('orders', '1 month', 1, '1 month', followers => '{items,item_notes}') WHERE action = 'dropped'
		GROUP BY 1) AS months), '3 2', 'the old months go from all three');
CREATE TABLE photos (item_id uuid NOT NULL) PARTITION BY RANGE (item_id);
SELECT is(left(pg_temp.outcome($$SELECT uuid_partition_follow('photos', 'items')$$), 5), '42830', 'a table without the id of the order is refused');

SELECT * FROM finish();
ROLLBACK;
