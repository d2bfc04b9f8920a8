-- A partition that waits to be detached takes no rows: it counts as missing, nothing comes in its place, it does not go,
-- and nothing is made like it.  DETACH PARTITION CONCURRENTLY leaves such a one where it is interrupted.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(25);

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

-- A later one that waits does not count as a newer partition: the newest of the others stays, and no call tries to drop it.
CREATE TABLE trips (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('trips', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
CREATE TABLE trips_since PARTITION OF trips FOR VALUES FROM (uuid_boundary('2020-03-01 00:00+00')) TO (MAXVALUE);
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'trips_since'::regclass;
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition
		FROM uuid_partition_maintain('trips', '1 month', 0, '1 month', dry_run => true)
		WHERE action <> 'not created'$$),
	'("to be dropped",public.trips_2020_01)', 'the newest that takes rows stays beside a later one that waits');

-- Nor does it say which foreign keys others get, or get one itself.
CREATE TABLE customers (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE accounts (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE invoices (customer_id uuid) PARTITION BY RANGE (customer_id);
SELECT count(*) AS made FROM uuid_partition_create('customers', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_create('accounts', '2020-01-01 00:00+00', '2020-05-01 00:00+00', '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_follow('invoices', 'customers') \gset
ALTER TABLE invoices_2020_02 DROP CONSTRAINT invoices_2020_02_customer_id_fkey,
	ADD CONSTRAINT to_customers FOREIGN KEY (customer_id) REFERENCES customers_2020_02 ON DELETE CASCADE;
UPDATE pg_inherits SET inhdetachpending = true
WHERE inhrelid IN ('customers_2020_02'::regclass, 'accounts_2020_04'::regclass);
SELECT count(*) AS made FROM uuid_partition_create('customers', '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_follow('invoices', 'customers') \gset
SELECT is((
		SELECT pg_get_constraintdef(oid)
		FROM pg_constraint
		WHERE conrelid = to_regclass('invoices_2020_03') AND contype = 'f'),
	'FOREIGN KEY (customer_id) REFERENCES customers_2020_03(id)',
	'a new foreign key is like that of the newest pair of which neither waits');
ALTER TABLE invoices_2020_03 ADD FOREIGN KEY (customer_id) REFERENCES accounts_2020_03;
SELECT count(*) AS made FROM uuid_partition_create('customers', '2020-04-01 00:00+00', '2020-05-01 00:00+00', '1 month') \gset
SELECT is(
	pg_temp.outcome($$SELECT action, problem FROM uuid_partition_follow('invoices', 'customers', dry_run => true)$$),
	'("not created","55000: table public.accounts has no partition with the bounds of public.invoices_2020_04, '
	'to which a foreign key would refer")',
	'no foreign key leads to one that waits');

-- Nor is it a counterpart, or does it lack one, or a foreign key.
ALTER TABLE invoices_2020_01 DROP CONSTRAINT invoices_2020_01_customer_id_fkey;
ALTER TABLE invoices_2020_02 DROP CONSTRAINT to_customers;
ALTER TABLE invoices_2020_03 DROP CONSTRAINT invoices_2020_03_customer_id_fkey1;
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'invoices_2020_01'::regclass;
SELECT is((
		SELECT string_agg(substring(message FROM '[^;]*'), E'\n' ORDER BY message COLLATE "C")
		FROM uuid_partition_check('customers', '0', followers => '{invoices}')
		WHERE message ~ '^partitions of follower|^follower .* lacks'),
	E'follower public.invoices lacks partitions: 2, the first is the counterpart of public.customers_2020_01\n'
	'partitions of follower public.invoices with bounds that no partition of table public.customers has: 1, '
	'the first is public.invoices_2020_02',
	'the check compares a follower without those that wait');
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition, problem
		FROM uuid_partition_follow('invoices', 'customers', dry_run => true)$$),
	E'("not created",public.invoices_2020_01,"55006: partition public.invoices_2020_01 waits to be detached")\n'
	'("to be created",public.invoices_2020_04,)',
	'a follower is told which of its own waits');

-- A gap ends with no such partition.
CREATE TABLE shifts (id uuid) PARTITION BY RANGE (id);
SELECT date_trunc('month', now(), 'UTC') AS month \gset
SELECT count(*) AS made
FROM unnest('{0 months,5 months}'::interval[]) later,
	uuid_partition_create(
		'shifts', :'month'::timestamptz + later, :'month'::timestamptz + later + interval '1 month', '1 month') \gset
CREATE FUNCTION pg_temp.gaps_told() RETURNS bigint LANGUAGE sql AS
	$$SELECT count(*) FROM uuid_partition_check('shifts', '0') WHERE message ~ '^no partition from'$$;
SELECT is(pg_temp.gaps_told(), 1::bigint, 'a gap before a later partition is told');
UPDATE pg_inherits SET inhdetachpending = true
WHERE inhrelid = (SELECT partition FROM uuid_partition_list('shifts') ORDER BY from_time DESC LIMIT 1);
SELECT is(pg_temp.gaps_told(), 0::bigint, 'before one that waits there is none');

-- A bound of it within a millisecond is the beginning of no other partition.
CREATE TABLE visits_by_hand (id uuid) PARTITION BY RANGE (id);
CREATE TABLE visits_january PARTITION OF visits_by_hand
FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00'))
TO (overlay(uuid_boundary('2020-02-01 00:00+00')::text PLACING '1' FROM 36)::uuid);
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'visits_january'::regclass;
SELECT is(
	pg_temp.outcome($$
		SELECT uuid_partition_create('visits_by_hand', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$),
	'55006: partition public.visits_january waits to be detached', 'a month begins with its own first millisecond');

-- An old month stays while a follower's partition of other bounds waits, as nobody knows which rows that one keeps.
CREATE TABLE lots (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE bids (lot_id uuid) PARTITION BY RANGE (lot_id);
SELECT count(*) AS made FROM uuid_partition_create('lots', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_create('lots', :'month', :'month'::timestamptz + interval '1 month', '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_create('bids', '2020-01-01 00:00+00', '2020-04-01 00:00+00', '3 months') \gset
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'bids_2020_01'::regclass;
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition, problem
		FROM uuid_partition_maintain('lots', '1 month', 0, '1 year', followers => '{bids}', dry_run => true)
		WHERE action ~ 'dropped'$$),
	'("not dropped",public.lots_2020_01,"55006: partition public.bids_2020_01 waits to be detached")',
	'a month stays beside such a partition of a follower');

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
SELECT is((SELECT count(*) FROM uidext_internal.partition_parts_without_table('visits_2020_01')), 0::bigint,
	'beside another part it leaves the partition one that takes rows');
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'visits_2020_01_kz'::regclass;
SELECT is((SELECT count(*) FROM uidext_internal.partition_parts_without_table('visits_2020_01')), 1::bigint, 'alone it does not');

-- Whether the present has a table does not depend on a part that waits, unless it leaves a hole in a hash.
CREATE FUNCTION pg_temp.present_lacks(t regclass) RETURNS text LANGUAGE sql AS
	$$SELECT message FROM uuid_partition_check(t) WHERE severity = 2$$;
CREATE TABLE rides (id uuid, country text) PARTITION BY RANGE (id);
CREATE TABLE rides_all PARTITION OF rides FOR VALUES FROM (MINVALUE) TO (MAXVALUE) PARTITION BY LIST (country);
CREATE TABLE rides_kz PARTITION OF rides_all FOR VALUES IN ('kz');
CREATE TABLE rides_de PARTITION OF rides_all FOR VALUES IN ('de') PARTITION BY LIST (country);
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'rides_de'::regclass;
SELECT is(pg_temp.present_lacks('rides'), NULL, 'the present has a table beside a country that waits');
CREATE TABLE calls (id uuid, n int) PARTITION BY RANGE (id);
CREATE TABLE calls_all PARTITION OF calls FOR VALUES FROM (MINVALUE) TO (MAXVALUE) PARTITION BY HASH (n);
CREATE TABLE calls_0 PARTITION OF calls_all FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE calls_1 PARTITION OF calls_all FOR VALUES WITH (MODULUS 2, REMAINDER 1);
SELECT is(pg_temp.present_lacks('calls'), NULL, 'it has one where all parts of a hash are there');
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'calls_1'::regclass;
SELECT is(pg_temp.present_lacks('calls'),
	'no partition for the present beneath partition public.calls_all, which is partitioned itself: make it there',
	'and none where one of them waits');

SELECT * FROM finish();
ROLLBACK;
