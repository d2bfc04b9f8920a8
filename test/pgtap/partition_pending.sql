-- A partition that waits to be detached takes no rows: it counts as missing, nothing comes in its place, it does not go,
-- and nothing is made like it.  DETACH PARTITION CONCURRENTLY leaves such a one where it is interrupted.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(13);

CREATE TABLE orders (id uuid PRIMARY KEY, note text) PARTITION BY RANGE (id);
CREATE TABLE items (order_id uuid) PARTITION BY RANGE (order_id);
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
SELECT uuid_boundary(date_trunc('month', now(), 'UTC')) AS start,
	uuid_boundary(date_trunc('month', now(), 'UTC') + interval '1 month') AS stop \gset
CREATE TABLE orders_now PARTITION OF orders FOR VALUES FROM (:'start') TO (:'stop');
ALTER TABLE orders_2020_02 SET (fillfactor = 71);
ALTER TABLE orders_now SET (fillfactor = 72);
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid IN ('orders_2020_01'::regclass, 'orders_now'::regclass);

SELECT is((
		SELECT string_agg(partition::text, ', ' ORDER BY from_time)
		FROM uuid_partition_list('orders')
		WHERE note = 'detach pending'),
	'orders_2020_01, orders_now', 'the list notes it');
SELECT is((SELECT string_agg(message, '; ') FROM uuid_partition_check('orders') WHERE severity = 2),
	'no partition for the present: call uuid_partition_maintain()',
	'the check misses the present');
SELECT is(
	pg_temp.outcome($$
			SELECT action, problem
			FROM uuid_partition_maintain('orders', '1 year', 0)
			WHERE problem IS NOT NULL$$, undo => true),
	'("not created","55006: partition public.orders_now waits to be detached")', 'maintain says why the present gets none');
SELECT is(pg_temp.outcome($$SELECT uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month')$$),
	'55006: partition public.orders_2020_01 waits to be detached', 'so does create of a month that is past');
SELECT is(pg_temp.outcome($$SELECT uuid_partition_drop('orders', '2020-02-01 00:00+00')$$),
	'55006: partition public.orders_2020_01 waits to be detached', 'a drop refuses it');
SELECT is(
	pg_temp.outcome($$
		SELECT action, left(problem, 5)
		FROM uuid_partition_maintain('orders', '1 year', 0, '1 year', dry_run => true)
		WHERE partition = 'public.orders_2020_01'$$),
	'("not dropped",55006)', 'and maintain tells that it stays');
SELECT is((uidext_internal.partition_read('orders', now())).newest, 'orders_2020_02'::regclass, 'the newest is another');
SELECT is(pg_temp.outcome($$
		SELECT partition
		FROM uuid_partition_create('orders', '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month')$$),
	'(orders_2020_03)',
	'the next month is made');
SELECT is((SELECT reloptions FROM pg_class WHERE relname = 'orders_2020_03'), '{fillfactor=71}', 'like the newest of the others');
SELECT is((
		SELECT string_agg(concat_ws(' ', action, partition), ', ' ORDER BY partition)
		FROM uuid_partition_follow('items', 'orders', foreign_keys => false)),
	'created public.items_2020_02, created public.items_2020_03', 'a follower gets no counterpart of it');

-- The same of a part of a partition.
CREATE TABLE visits (id uuid, country text) PARTITION BY RANGE (id);
CREATE TABLE visits_2020_01 PARTITION OF visits
FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('2020-02-01 00:00+00'))
PARTITION BY LIST (country);
CREATE TABLE visits_2020_01_fr PARTITION OF visits_2020_01 FOR VALUES IN ('fr');
CREATE TABLE visits_2020_01_kz PARTITION OF visits_2020_01 FOR VALUES IN ('kz');
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'visits_2020_01_fr'::regclass;
SELECT count(*) AS made FROM uuid_partition_create('visits', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
SELECT is((
		SELECT string_agg(inhrelid::regclass::text, ', ')
		FROM pg_inherits
		WHERE inhparent = 'visits_2020_02'::regclass), 'visits_2020_02_kz',
	'a new partition gets no part like it');
SELECT is((SELECT count(*) FROM uidext_internal.partition_childless('visits_2020_01')), 0::bigint,
	'beside another part it leaves the partition one that takes rows');
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'visits_2020_01_kz'::regclass;
SELECT is((SELECT count(*) FROM uidext_internal.partition_childless('visits_2020_01')), 1::bigint, 'alone it does not');

SELECT * FROM finish();
ROLLBACK;
