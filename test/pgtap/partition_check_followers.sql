-- uuid_partition_check() tells of a follower that cannot follow as it tells of a table that is not partitioned by
-- time, in a line, and goes on with the others.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SET enable_partitionwise_join = on;
SELECT plan(28);

CREATE FUNCTION pg_temp.said(parent text, followers text) RETURNS text LANGUAGE sql AS $$
SELECT string_agg(status || ' ' || message, E'\n' ORDER BY severity DESC, message COLLATE "C")
FROM uuid_partition_check(parent::regclass, '0', followers => followers::regclass[])
$$;

CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month', 0) \gset
CREATE TABLE items (order_id uuid) PARTITION BY RANGE (order_id);
SELECT count(*) AS made FROM uuid_partition_follow('items', 'orders') \gset
SELECT alike(pg_temp.said('orders', '{items}'), 'OK %', 'a follower without a fault is no finding');

CREATE TABLE random_notes (order_id uuid DEFAULT gen_random_uuid()) PARTITION BY RANGE (order_id);
SELECT is(pg_temp.said('orders', '{random_notes}'),
	E'CRITICAL follower public.random_notes has no partition for the present, and uuid_partition_maintain() refuses it: '
	'first remove the problem that another line reports for this table\n'
	'WARNING follower public.random_notes is not partitioned by time: The default of column "order_id" '
	'is of gen_random_uuid(), whose keys are not in the order of Unix time.',
	'one whose ids are random is a finding, and more so that it has no partition');

CREATE TABLE numbers (id bigint CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
SELECT is(pg_temp.said('orders', '{numbers}'),
	E'CRITICAL follower public.numbers has no partition for the present, and uuid_partition_maintain() refuses it: '
	'first remove the problem that another line reports for this table\n'
	'WARNING tables public.numbers and public.orders are partitioned by columns of different types: '
	'give both the same type',
	'one of another type is one, too');
CREATE TABLE flakes (id bigint CHECK (uid_is_valid(id, 'sonyflake'))) PARTITION BY RANGE (id);
SELECT alike(pg_temp.said('flakes', '{numbers}'),
	'%tables public.numbers and public.flakes are partitioned by ids of different schemes: '
	'one number is another time under each scheme. Give both the same CHECK (uid_is_valid(...))',
	'and one of another scheme');

CREATE TABLE notes (order_id uuid) PARTITION BY RANGE (order_id);
SELECT is(pg_temp.said('orders', '{random_notes, notes, items}'),
	E'CRITICAL follower public.notes has no partition for the present: call uuid_partition_maintain() with followers\n'
	'CRITICAL follower public.random_notes has no partition for the present, and uuid_partition_maintain() refuses it: '
	'first remove the problem that another line reports for this table\n'
	'WARNING follower public.notes lacks partitions: 1, the first is the counterpart of public.'
	|| (SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'orders'::regclass)
	|| E'; SELECT * FROM uuid_partition_follow(''public.notes'', ''public.orders'')\n'
	'WARNING follower public.random_notes is not partitioned by time: The default of column "order_id" '
	'is of gen_random_uuid(), whose keys are not in the order of Unix time.',
	'the others are looked at, too');
SELECT alike(pg_temp.outcome($$SELECT uuid_partition_check('orders', followers => '{random_notes, NULL}')$$),
	'22004%', 'NULL is refused beside such a follower');
SELECT alike(
	pg_temp.outcome($$SELECT uuid_partition_maintain('orders', '1 month', followers => '{random_notes}')$$),
	'22023%', 'maintain refuses it');

-- partitions of tags refer to those of items
CREATE TABLE tags (order_id uuid) PARTITION BY RANGE (order_id);
SELECT count(*) AS made FROM uuid_partition_follow('tags', 'items', foreign_keys => false) \gset
SELECT inhrelid::regclass AS item FROM pg_inherits WHERE inhparent = 'items'::regclass \gset
SELECT inhrelid::regclass AS tag FROM pg_inherits WHERE inhparent = 'tags'::regclass \gset
ALTER TABLE :item ADD PRIMARY KEY (order_id);
ALTER TABLE :tag ADD FOREIGN KEY (order_id) REFERENCES :item;
ALTER TABLE items ALTER order_id SET DEFAULT gen_random_uuid();
SELECT alike(pg_temp.said('orders', '{items, tags}'),
	'WARNING follower public.items is not partitioned by time:%'
	'WARNING follower public.tags refers to partitions of follower public.items, which cannot follow',
	'nor can a table follow whose partitions refer to those of such a follower');

-- What is said of a table is said of its followers, too, with their names.
DROP TABLE orders, items, notes, tags;
CREATE FUNCTION pg_temp.of_items(pattern text) RETURNS text LANGUAGE sql AS $$
SELECT string_agg(replace(message, 'public.', ''), E'\n' ORDER BY message COLLATE "C")
FROM uuid_partition_check(to_regclass('orders'), '0', followers => ARRAY[to_regclass('items')])
WHERE message ~ pattern
$$;
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
CREATE TABLE items (order_id uuid DEFAULT gen_uuidv7()) PARTITION BY RANGE (order_id);
SELECT count(*) AS made FROM uuid_partition_create('orders', date_trunc('month', now(), 'UTC'), now(), '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_follow('items', 'orders') \gset
SELECT inhrelid::regclass AS item FROM pg_inherits WHERE inhparent = 'items'::regclass \gset
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE TABLE items_rest PARTITION OF items DEFAULT;
SELECT is(pg_temp.of_items('.'),
	'partitions up to ' || (date_trunc('month', now(), 'UTC') + interval '1 month'),
	'default partitions without rows are no finding');

INSERT INTO items VALUES (gen_uuidv7_at('2020-01-05 00:00+00'));
SELECT is(pg_temp.of_items('default'),
	'follower items: rows in the default partition items_rest; uuid_partition_drain() moves them',
	'a row that a drain moves is named');
INSERT INTO items VALUES ('01700000-0000-4000-8000-000000000000');
SELECT is(pg_temp.of_items('default'),
	E'follower items: rows in the default partition items_rest; '
	'uuid_partition_drain() moves the periods whose ids all tell their time\n'
	'follower items: rows in the default partition whose ids have another layout or a time in the future: 1; '
	'a drain leaves them there until they have new ids',
	'so is one that it leaves, beside that');
TRUNCATE items_rest;
INSERT INTO items VALUES (gen_random_uuid());
SELECT is(pg_temp.of_items('default'),
	'follower items: rows in the default partition whose ids have another layout or a time in the future: 1; '
	'a drain leaves them there until they have new ids',
	'of one that it leaves nobody says that it moves');
TRUNCATE items_rest;
INSERT INTO orders VALUES ('01700000-0000-4000-8000-000000000000');
SELECT is(pg_temp.of_items('default'),
	'rows in the default partition whose ids have another layout or a time in the future: 1; '
	'a drain leaves them there until they have new ids',
	'nor in the table itself');
TRUNCATE orders, items;

CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
SELECT format('CREATE TRIGGER seen BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION see()', :'item') \gexec
SELECT alike(pg_temp.of_items('trigger'), 'follower items: the newest partition,%has objects of its own%',
	'what new partitions of it do not get is named');
SELECT format('DROP TRIGGER seen ON %s', :'item') \gexec

ALTER TABLE items ADD PRIMARY KEY (order_id), ADD FOREIGN KEY (order_id) REFERENCES items;
SELECT alike(pg_temp.of_items('itself'),
	'follower items: foreign key "items_order_id_fkey" of table items refers to the table itself%',
	'what keeps its partitions for ever is named');
ALTER TABLE items DROP CONSTRAINT items_order_id_fkey;

-- A key to all of the table counts if it is by the column that items are partitioned by, whatever other tables have in that place.
CREATE TABLE gifts (former_id uuid);
ALTER TABLE items ADD former_id uuid REFERENCES orders;
SELECT is(pg_temp.of_items('whole table'), NULL, 'a key by another column is no finding');
ALTER TABLE items DROP former_id;

CREATE ROLE other_owner;
CREATE TABLE prices (id int PRIMARY KEY);
ALTER TABLE items ADD price int REFERENCES prices;
ALTER TABLE prices OWNER TO other_owner;
SELECT alike(pg_temp.of_items('other_owner'),
	'follower items: foreign key "items_price_fkey" reads table items and prices of role other_owner%',
	'code of others that runs when its partitions come and go is named');
ALTER TABLE items DROP price;

SELECT from_id, to_id FROM uuid_partition_bounds('2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
CREATE TABLE orders_2020_01 PARTITION OF orders FOR VALUES FROM (:'from_id') TO (:'to_id');
CREATE TABLE items_2020_01 PARTITION OF items FOR VALUES FROM (:'from_id') TO (:'to_id') PARTITION BY HASH (order_id);
CREATE TABLE items_2020_01_0 PARTITION OF items_2020_01 FOR VALUES WITH (MODULUS 1, REMAINDER 0) PARTITION BY RANGE (order_id);
CREATE TABLE items_2020_01_rest PARTITION OF items_2020_01_0 DEFAULT;
INSERT INTO items VALUES (:'from_id');
SELECT alike(pg_temp.of_items('default'),
	'follower items: rows in default partitions of partitions: 1, the first is items_2020_01_rest;%',
	'rows in default partitions of its partitions are named');
DROP TABLE items_2020_01, orders_2020_01;

-- A default partition is no counterpart of a partition without bounds.
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE visits_all PARTITION OF visits FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE TABLE pages (visit_id uuid) PARTITION BY RANGE (visit_id);
CREATE TABLE pages_rest PARTITION OF pages DEFAULT;
SELECT matches(pg_temp.said('visits', '{pages}'),
	'follower public.pages lacks partitions: 1, the first is the counterpart of public.visits_all',
	'beside a default partition a follower lacks one for all time');
SELECT doesnt_match(pg_temp.said('visits', '{pages}'), 'without a foreign key', 'and the default partition lacks no key');

-- by the statistics, as it is of the table
UPDATE pg_class SET reltuples = 1000 WHERE oid = :'item'::regclass;
UPDATE pg_class SET reltuples = -1 WHERE oid = 'items'::regclass;
SELECT is(pg_temp.of_items('analyzed'),
	'follower items: table items was never analyzed as a whole, '
	'and autovacuum analyzes its partitions only: schedule ANALYZE items',
	'that it was never analyzed is said once');
SELECT is(pg_temp.of_items('^[^f]'), NULL, 'nothing is said of the table itself');

-- A key that new months do not get is told, and so is one of a pair that was never validated.
CREATE TABLE bills (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_maintain('bills', '1 month', 1) \gset
CREATE TABLE posts (bill_id uuid PRIMARY KEY, replaces uuid) PARTITION BY RANGE (bill_id);
SELECT count(*) AS made FROM uuid_partition_follow('posts', 'bills') \gset
SELECT min(partition::text) AS month, replace(min(partition::text), 'posts', 'bills') AS bills_of_month
FROM uuid_partition_list('posts') WHERE kind = 'partition' \gset
SELECT alike(pg_temp.said('bills', '{posts}'), 'OK %', 'keys of pairs are no objects of one month alone');
ALTER TABLE :month ADD CONSTRAINT replaced FOREIGN KEY (replaces) REFERENCES :bills_of_month;
SELECT matches(pg_temp.said('bills', '{posts}'),
	'partition public.' || :'month' || ' has objects of its own .*: foreign key "replaced"; if rows of newer partitions need them, create them on the partitioned table',
	'a key by another column is');
ALTER TABLE :month DROP CONSTRAINT replaced;
SELECT conname AS of_pair FROM pg_constraint WHERE conrelid = :'month'::regclass AND contype = 'f' \gset
ALTER TABLE :month DROP CONSTRAINT :"of_pair", ADD CONSTRAINT :"of_pair" FOREIGN KEY (bill_id) REFERENCES :bills_of_month NOT VALID;
SELECT matches(pg_temp.said('bills', '{posts}'),
	'was never validated: 1, the first is public.' || :'month' || ': ALTER TABLE public.' || :'month' || ' VALIDATE CONSTRAINT ' || :'of_pair' || '$',
	'a key of a pair that was never validated is told, with the command');

-- Keys of a table to itself are no keys to a leader.
CREATE TABLE sales (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_maintain('sales', '1 month', 0) \gset
CREATE TABLE refunds (sale_id uuid PRIMARY KEY, corrects uuid) PARTITION BY RANGE (sale_id);
SELECT count(*) AS made FROM uuid_partition_follow('refunds', 'sales') \gset
SELECT partition AS month FROM uuid_partition_list('refunds') WHERE kind = 'partition' \gset
ALTER TABLE :month ADD FOREIGN KEY (corrects) REFERENCES :month;
SELECT alike(pg_temp.said('sales', '{refunds}'), 'OK %', 'no key is asked for that a table has to itself');
CREATE TABLE receipts (sale_id uuid PRIMARY KEY, corrects uuid) PARTITION BY RANGE (sale_id);
SELECT count(*) AS made FROM uuid_partition_follow('receipts', 'sales', foreign_keys => false) \gset
SELECT partition AS month FROM uuid_partition_list('receipts') WHERE kind = 'partition' \gset
ALTER TABLE :month ADD FOREIGN KEY (corrects) REFERENCES :month;
ALTER TABLE receipts ADD CONSTRAINT of_refund FOREIGN KEY (sale_id) REFERENCES refunds;
SELECT matches(pg_temp.said('sales', '{refunds,receipts}'),
	'"of_refund" of follower public.receipts refers to the whole table, so each check searches all partitions of public.refunds',
	'nor does one hide whom the table follows');
SELECT doesnt_match(pg_temp.said('sales', '{refunds,receipts}'), 'without a foreign key', 'and no key to another table is asked for');

SELECT * FROM finish();
ROLLBACK;
