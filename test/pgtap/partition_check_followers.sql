-- uuid_partition_check() tells of a follower that cannot follow as it tells of a table that is not partitioned by
-- time, in a line, and goes on with the others.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SET enable_partitionwise_join = on;
SELECT plan(8);

CREATE FUNCTION pg_temp.said(parent text, followers text) RETURNS text LANGUAGE sql AS $$
SELECT string_agg(status || ' ' || message, E'\n' ORDER BY severity DESC, message COLLATE "C") FROM uuid_partition_check(parent::regclass, '0', followers => followers::regclass[])
$$;

CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month', 0) \gset
CREATE TABLE items (order_id uuid) PARTITION BY RANGE (order_id);
SELECT count(*) AS made FROM uuid_partition_follow('items', 'orders') \gset
SELECT alike(pg_temp.said('orders', '{items}'), 'OK %', 'a follower without a fault is no finding');

CREATE TABLE random_notes (order_id uuid DEFAULT gen_random_uuid()) PARTITION BY RANGE (order_id);
SELECT is(pg_temp.said('orders', '{random_notes}'),
	'WARNING follower public.random_notes is not partitioned by time: The default of column "order_id" is of gen_random_uuid(), whose keys are not in the order of Unix time.',
	'one whose ids are random is a finding');

CREATE TABLE numbers (id bigint CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
SELECT is(pg_temp.said('orders', '{numbers}'),
	'WARNING tables public.numbers and public.orders are partitioned by columns of different types: give both the same type',
	'one of another type is one, too');
CREATE TABLE flakes (id bigint CHECK (uid_is_valid(id, 'sonyflake'))) PARTITION BY RANGE (id);
SELECT alike(pg_temp.said('flakes', '{numbers}'),
	'%tables public.numbers and public.flakes are partitioned by ids of different schemes: one number is another time under each scheme. Give both the same CHECK (uid_is_valid(...))',
	'and one of another scheme');

CREATE TABLE notes (order_id uuid) PARTITION BY RANGE (order_id);
SELECT is(pg_temp.said('orders', '{random_notes, notes, items}'),
	'WARNING follower public.random_notes is not partitioned by time: The default of column "order_id" is of gen_random_uuid(), whose keys are not in the order of Unix time.
WARNING partitions that follower public.notes lacks: 1, the first is the counterpart of public.' || (SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'orders'::regclass)
	|| '; SELECT * FROM uuid_partition_follow(''public.notes'', ''public.orders'')', 'the others are looked at, too');
SELECT alike(pg_temp.outcome($$SELECT uuid_partition_check('orders', followers => '{random_notes, NULL}')$$), '22004%', 'NULL is refused beside such a follower');
SELECT alike(pg_temp.outcome($$SELECT uuid_partition_maintain('orders', '1 month', followers => '{random_notes}')$$), '22023%', 'maintain refuses it');

-- partitions of tags refer to those of items
CREATE TABLE tags (order_id uuid) PARTITION BY RANGE (order_id);
SELECT count(*) AS made FROM uuid_partition_follow('tags', 'items', foreign_keys => false) \gset
SELECT inhrelid::regclass AS item FROM pg_inherits WHERE inhparent = 'items'::regclass \gset
SELECT inhrelid::regclass AS tag FROM pg_inherits WHERE inhparent = 'tags'::regclass \gset
ALTER TABLE :item ADD PRIMARY KEY (order_id);
ALTER TABLE :tag ADD FOREIGN KEY (order_id) REFERENCES :item;
ALTER TABLE items ALTER order_id SET DEFAULT gen_random_uuid();
SELECT alike(pg_temp.said('orders', '{items, tags}'),
	'WARNING follower public.items is not partitioned by time:%WARNING follower public.tags refers to partitions of follower public.items, which cannot follow',
	'nor can a table follow whose partitions refer to those of such a follower');

SELECT * FROM finish();
ROLLBACK;
