-- What a user has to do is told in words that are true: of templates, names of parts,
-- followers of other bounds, columns of narrower types and missing keys.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(24);

CREATE FUNCTION pg_temp.hint_of(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	EXECUTE command;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN SQLSTATE || ': ' || SQLERRM || ' ' || hint;
END $$;

-- Generated columns.
CREATE TABLE orders (id uuid PRIMARY KEY, net int, gross int GENERATED ALWAYS AS (net * 2) STORED) PARTITION BY RANGE (id);
CREATE TABLE plain_template (LIKE orders);
SELECT is(pg_temp.hint_of($$SELECT uuid_partition_maintain('orders', '1 month', template => 'plain_template')$$),
	'42804: column "gross" is generated in table public.orders, but not in template public.plain_template '
	'Pass a partition as template, or create another template: CREATE TABLE ... (LIKE public.orders INCLUDING ALL)',
	'a template without a generated column is told what to be made with');
CREATE TABLE generated_template (LIKE orders INCLUDING GENERATED);
SELECT lives_ok($$SELECT uuid_partition_maintain('orders', '1 month', template => 'generated_template')$$,
	'and so made it serves');
DROP TABLE orders;

-- Names of what is beneath a partition.
CREATE TABLE trips (id uuid, country text) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE trips_first PARTITION OF trips FOR VALUES FROM (%L) TO (%L) PARTITION BY LIST (country)',
	uuid_boundary(date_trunc('month', now(), 'UTC')), uuid_boundary(date_trunc('month', now(), 'UTC') + interval '1 month')) \gexec
CREATE TABLE trips_first_fr PARTITION OF trips_first FOR VALUES IN ('fr');
CREATE TABLE other PARTITION OF trips_first FOR VALUES IN ('ch');
CREATE TABLE trips_2026_01_kz PARTITION OF trips_first FOR VALUES IN ('kz');
CREATE TABLE trips_2026_01_ru PARTITION OF trips_first DEFAULT;
SELECT count(*) AS made FROM uuid_partition_maintain('trips', '1 month', 2) \gset
SELECT is((
		SELECT string_agg(
			regexp_replace(c.relname, '^trips_\d{4}_\d\d_?', ''), ' '
			ORDER BY i.inhparent, c.relname COLLATE "C")
	FROM pg_partition_tree('trips') t JOIN pg_class c ON c.oid = t.relid JOIN pg_inherits i ON i.inhrelid = c.oid WHERE level = 2
		AND parentrelid <> 'trips_first'::regclass),
	'2 3 fr other 2 3 fr other', 'parts whose names do not begin with that of their partition do not keep the name of an old month');
DROP TABLE trips;

-- A follower of other bounds.
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE items (order_id uuid, n int) PARTITION BY RANGE (order_id);
SELECT count(*) FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-07-01 00:00+00', '1 month') \gset
SELECT count(*) FROM uuid_partition_create('items', '2020-01-01 00:00+00', '2020-07-01 00:00+00', '3 months') \gset
SELECT count(*)
FROM uuid_partition_create(
	'orders', date_trunc('month', now(), 'UTC'), now() + interval '1 month', '1 month') \gset
SELECT count(*) FROM uuid_partition_follow('items', 'orders') \gset
INSERT INTO orders SELECT uuid_boundary(t) FROM unnest(ARRAY['2020-01-05 00:00+00', '2020-02-05 00:00+00']::timestamptz[]) t;
INSERT INTO items SELECT id, 1 FROM orders;
CREATE TEMP TABLE said AS SELECT * FROM uuid_partition_maintain('orders', '1 month', 1, keep => '1 year', followers => '{items}');
SELECT is((
		SELECT string_agg(right(partition, 7) || ' ' || left(problem, 5), ', ' ORDER BY partition)
		FROM said
		WHERE action = 'not dropped'),
	'2020_01 55000, 2020_02 55000', 'months of which a follower has rows in a partition of other bounds stay');
SELECT is((SELECT count(*) FROM said WHERE action = 'dropped' AND partition ~ 'orders_2020_0[3-6]'), 4::bigint,
	'and those of which it has none go');
CREATE FUNCTION pg_temp.way_out() RETURNS text LANGUAGE sql AS $$
	SELECT substring(o.hint FROM 'SELECT .*')
	FROM uidext_internal.partition_orphan_obstacle(
		uidext_internal.partition_find_leaders(
			ARRAY[
				uidext_internal.partition_read('orders', now()), uidext_internal.partition_read('items', now())]),
		(SELECT p FROM unnest((uidext_internal.partition_read('orders', now())).periods) p ORDER BY p.from_time LIMIT 1)) o
$$;
SELECT is(pg_temp.way_out(), $$SELECT * FROM uuid_partition_drop('public.items', '2020-04-01 00:00:00+00')$$,
	'the hint drops the follower''s partition first');
SELECT pg_temp.way_out() AS way_out \gset
SELECT is((SELECT count(*) FROM (:way_out) dropped), 1::bigint, 'which works');
SELECT is((SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', 1, keep => '1 year', followers => '{items}')
	WHERE action = 'dropped' AND partition ~ 'orders_2020_0[12]'),
	2::bigint, 'and then the months go');
DROP TABLE items, orders;

-- A late order comes into the default partition, while the month of its items shall go.
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE TABLE items (order_id uuid, n int) PARTITION BY RANGE (order_id);
SELECT count(*) FROM uuid_partition_create('items', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
INSERT INTO orders VALUES (uuid_boundary('2020-01-05 00:00+00'));
SELECT is((SELECT replace(o.problem, 'public.', '') FROM uidext_internal.partition_orphan_obstacle(
		uidext_internal.partition_find_leaders(
			ARRAY[
				uidext_internal.partition_read('orders', now()), uidext_internal.partition_read('items', now())]),
		(SELECT p FROM unnest((uidext_internal.partition_read('items', now())).periods) p)) o),
	'55000: partition orders_rest of table orders has rows of this period',
	'items do not go while an order of their month is there');
DROP TABLE items, orders;

-- A drained pair.
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE items (order_id uuid, n int) PARTITION BY RANGE (order_id);
SELECT count(*) FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
SELECT count(*) FROM uuid_partition_follow('items', 'orders') \gset
SELECT count(*) FROM uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
SELECT uuid_boundary('2020-02-01 00:00+00') AS february, uuid_boundary('2020-03-01 00:00+00') AS march \gset
CREATE TABLE items_2020_02 PARTITION OF items FOR VALUES FROM (:'february') TO (:'march');
CREATE FUNCTION pg_temp.lacking() RETURNS text LANGUAGE sql AS $$
	SELECT substring(message FROM 'ALTER TABLE .*')
	FROM uuid_partition_check('orders', '0', followers => '{items}')
	WHERE message ~ 'without a foreign key'
$$;
SELECT is(pg_temp.lacking(),
	'ALTER TABLE public.items_2020_02 ADD FOREIGN KEY (order_id) REFERENCES public.orders_2020_02 (id) '
	'ON UPDATE NO ACTION ON DELETE NO ACTION NOT VALID',
	'check has the command that gives a pair its key');
SELECT pg_temp.lacking() AS command \gset
:command;
SELECT is(pg_temp.lacking(), NULL, 'which does');
ALTER TABLE items_2020_01 DROP CONSTRAINT items_2020_01_order_id_fkey;
ALTER TABLE items_2020_02 DROP CONSTRAINT items_2020_02_order_id_fkey;
SELECT is(pg_temp.lacking(),
	'ALTER TABLE public.items_2020_01 ADD FOREIGN KEY (order_id) REFERENCES public.orders_2020_01 NOT VALID',
	'and that is the plain one where no pair has any');
DROP TABLE items, orders;

-- A month without the unique index to which the key of the newest pair refers.
CREATE TABLE orders (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE items (order_id uuid, n int) PARTITION BY RANGE (order_id);
SELECT count(*) FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
SELECT count(*) FROM uuid_partition_create('items', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
ALTER TABLE orders_2020_02 ADD UNIQUE (id, n);
ALTER TABLE items_2020_02 ADD FOREIGN KEY (order_id, n) REFERENCES orders_2020_02 (id, n);
SELECT is(pg_temp.outcome($$SELECT action, partition, problem FROM uuid_partition_follow('items', 'orders', dry_run => true)$$),
	'("not created",public.items_2020_01,"42830: partition public.orders_2020_01 has no unique index '
	'of columns (id, n), to which a foreign key would refer")',
	'a dry run names the month and the columns');
SELECT substring(o.hint FROM 'CREATE .*') AS way_out
FROM uidext_internal.partition_referred_obstacle('items',
	(uidext_internal.partition_newest_foreign_keys('items'))[1].definition, '{orders_2020_01}') o \gset
SELECT is(:'way_out'::text, 'CREATE UNIQUE INDEX CONCURRENTLY ON public.orders_2020_01 (id, n)', 'the hint has the command');
SELECT replace(:'way_out', 'CONCURRENTLY ', '') AS way_out \gset
:way_out;
SELECT is(pg_temp.outcome($$SELECT action, partition, problem FROM uuid_partition_follow('items', 'orders')$$),
	'(created,public.items_2020_01,)', 'with which the pair is made');
DROP TABLE items, orders;

-- A month whose unique index cannot compare the columns, because its operator class is another one.
CREATE TABLE orders (id uuid PRIMARY KEY, "the % one" int) PARTITION BY RANGE (id);
CREATE TABLE items (order_id uuid, "an, ""other""" oid) PARTITION BY RANGE (order_id);
SELECT count(*) FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
SELECT count(*) FROM uuid_partition_create('items', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
CREATE UNIQUE INDEX by_int ON orders_2020_01 (id, "the % one");
CREATE UNIQUE INDEX by_oid ON orders_2020_02 (id, "the % one" oid_ops);
ALTER TABLE items_2020_02 ADD FOREIGN KEY (order_id, "an, ""other""") REFERENCES orders_2020_02 (id, "the % one");
SELECT is(pg_temp.outcome($$SELECT problem FROM uuid_partition_follow('items', 'orders', dry_run => true)$$),
	E'("42804: operator class int4_ops of index public.by_int cannot compare column ""the % one"" with column ""an, ""other"""" of table '
	'public.items, which is of type oid")',
	'a dry run names the index, its operator class and the columns');
SELECT substring(o.hint FROM '^[^:]*') AS way_out
FROM uidext_internal.partition_referred_obstacle('items',
	(uidext_internal.partition_newest_foreign_keys('items'))[1].definition, '{orders_2020_01}') o \gset
SELECT is(:'way_out'::text, 'Give this column of the index the operator class that it has in the index to which the newest foreign key refers',
	'the hint says which one it needs');
CREATE UNIQUE INDEX ON orders_2020_01 (id, "the % one" oid_ops);
DROP INDEX by_int;
SELECT is(pg_temp.outcome($$SELECT action, partition, problem FROM uuid_partition_follow('items', 'orders')$$),
	'(created,public.items_2020_01,)', 'with which the pair is made');
DROP TABLE items, orders;

-- A newest partition of another owner that is partitioned itself: what is beneath is made like it, with a template, too.
CREATE ROLE partition_other;
CREATE TABLE visits (id uuid, country text) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE visits_2020_01 PARTITION OF visits FOR VALUES FROM (%L) TO (%L) PARTITION BY LIST (country)',
	uuid_boundary('2020-01-01 00:00+00'), uuid_boundary('2020-02-01 00:00+00')) \gexec
ALTER TABLE visits_2020_01 OWNER TO partition_other;
CREATE TABLE visit (LIKE visits);
CREATE ROLE partition_owner;
SELECT format('GRANT CREATE, USAGE ON SCHEMA %I TO partition_owner', relnamespace::regnamespace)
FROM pg_class
WHERE oid = 'visits'::regclass \gexec
ALTER TABLE visits OWNER TO partition_owner;
ALTER TABLE visit OWNER TO partition_owner;
SET ROLE partition_owner;
SELECT throws_ok(
	$$
		SELECT uuid_partition_create(
			'visits', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month', template => 'visit')$$,
	'42501',
	'must be owner of table public.visits_2020_01',
	'the newest partition has to be the caller''s even with a template, where it is partitioned itself');
RESET ROLE;
DROP TABLE visit, visits;

-- A column of int that refers to a Snowflake.
CREATE TABLE messages (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'snowflake')), body text) PARTITION BY RANGE (id);
CREATE TABLE stars (message int REFERENCES messages);
SELECT count(*) FROM uuid_partition_create('messages', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
SELECT is(
	pg_temp.outcome($$
		SELECT action, problem FROM uuid_partition_drop('messages', '2020-03-01 00:00+00', dry_run => true)$$),
	E'("to be dropped",)\n("to be dropped",)', 'an int cannot refer to an id of a month, and is in no dry run''s way');
SELECT is(pg_temp.outcome($$SELECT action, problem FROM uuid_partition_drop('messages', '2020-03-01 00:00+00')$$),
	E'(dropped,)\n(dropped,)', 'nor in that of a real run');

-- Two months that need each other: whichever is dropped first, the other one still refers to it.
CREATE TABLE orders (id uuid PRIMARY KEY, main_item int) PARTITION BY RANGE (id);
SELECT count(*) FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
SELECT count(*) FROM uuid_partition_follow('items', 'orders') \gset
ALTER TABLE orders_2020_01 ADD CONSTRAINT main FOREIGN KEY (id, main_item) REFERENCES items_2020_01;
SELECT set_eq($$SELECT left(problem, 5) FROM uuid_partition_maintain('orders', '1 month', 0, '1 year', followers => '{items}', dry_run => true)
		WHERE partition ~ '2020_01'$$, ARRAY['2BP01'], 'a dry run says that two months need each other');
SELECT set_eq($$SELECT left(problem, 5) FROM uuid_partition_maintain('orders', '1 month', 0, '1 year', followers => '{items}')
		WHERE partition ~ '2020_01'$$, ARRAY['2BP01'], 'and so does the call');
SELECT set_eq($$SELECT problem FROM uuid_partition_maintain('orders', '1 month', 0, '1 year', true, followers => '{items}')
		WHERE partition ~ '2020_01'$$, ARRAY[NULL], 'they can be detached, as the hint says');
DROP TABLE items, orders CASCADE;

SELECT * FROM finish();
ROLLBACK;
