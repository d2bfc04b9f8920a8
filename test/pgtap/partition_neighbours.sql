-- A new partition begins where its neighbour ends, to the bit: also beside one made by
-- hand, or by another extension, whose bound is no boundary of a time.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(21);

CREATE FUNCTION pg_temp.bound_of(partition regclass) RETURNS text LANGUAGE sql AS $$
SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE oid = partition
$$;

CREATE FUNCTION pg_temp.newest() RETURNS regclass LANGUAGE sql AS $$
SELECT partition FROM uuid_partition_list(to_regclass('orders')) WHERE kind = 'partition' ORDER BY from_time DESC LIMIT 1
$$;

-- Ids inside the first millisecond of a month, and of the one after the next.
CREATE FUNCTION pg_temp.id_within(at timestamptz, tail text) RETURNS uuid LANGUAGE sql AS $$
SELECT (left(uuid_boundary(at)::text, 15) || tail)::uuid
$$;
SELECT date_trunc('month', now(), 'UTC') AS month, date_trunc('month', now(), 'UTC') + interval '1 month' AS next,
	date_trunc('month', now(), 'UTC') + interval '2 months' AS last \gset
SELECT pg_temp.id_within(:'next', '3a5-9000-00000000abcd') AS odd, pg_temp.id_within(:'last', '123-8000-000000000001') AS later,
	uuid_boundary(:'month') AS begin, uuid_boundary(:'next') AS "end", uuid_boundary(:'last') AS last_id \gset

-- The neighbour before ends inside a millisecond.
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE orders_first PARTITION OF orders FOR VALUES FROM (:'begin') TO (:'odd');
SELECT is(pg_temp.outcome($$SELECT action, problem FROM uuid_partition_maintain('orders', '1 month', 1, dry_run => true)$$),
	'("to be created",)', 'a dry run makes the month after one that ends inside a millisecond');
SELECT is(pg_temp.outcome($$SELECT action, problem FROM uuid_partition_maintain('orders', '1 month', 1)$$),
	'(created,)', 'and so does maintain');
SELECT alike(pg_temp.bound_of(pg_temp.newest()), format('FOR VALUES FROM (''%s'') TO (%%', :'odd'),
	'which begins exactly where that ends');
SELECT lives_ok(format('INSERT INTO orders VALUES (%L)', :'odd'), 'an id of that bound finds a partition');
SELECT is(count(*), 0::bigint, 'check has nothing to say of it') FROM uuid_partition_check('orders', '1 day') WHERE severity > 0;

-- Both neighbours have such bounds.
CREATE TABLE orders_last PARTITION OF orders FOR VALUES FROM (:'later') TO (MAXVALUE);
DELETE FROM orders;
SELECT format('DROP TABLE %s', partition) FROM uuid_partition_list('orders')
	WHERE partition NOT IN ('orders_first', 'orders_last') AND kind = 'partition' \gexec
SELECT is(pg_temp.outcome($$SELECT action, problem FROM uuid_partition_maintain('orders', '1 month', 1, dry_run => true)$$),
	'("to be created",)', 'a dry run fills a hole whose bounds are both inside a millisecond');
SELECT is(pg_temp.outcome($$SELECT action, problem FROM uuid_partition_maintain('orders', '1 month', 1)$$),
	'(created,)', 'and so does maintain');
SELECT is(string_agg(pg_temp.bound_of(partition), ', '), format('FOR VALUES FROM (''%s'') TO (''%s'')', :'odd', :'later'),
	'which is the hole, to the bit')
FROM uuid_partition_list('orders') WHERE kind = 'partition' AND partition NOT IN ('orders_first', 'orders_last');
DROP TABLE orders;

-- Of two partitions that begin within one millisecond the first one counts.
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT pg_temp.id_within(:'next', '3a5-9000-00000000abce') AS odd_too \gset
CREATE TABLE orders_sliver PARTITION OF orders FOR VALUES FROM (:'odd') TO (:'odd_too');
CREATE TABLE orders_after PARTITION OF orders FOR VALUES FROM (:'odd_too') TO (:'last_id');
SELECT partition AS before FROM uuid_partition_create('orders', :'month', :'next', '1 month') \gset
SELECT is(pg_temp.bound_of(:'before'), format('FOR VALUES FROM (''%s'') TO (''%s'')', :'begin', :'odd'),
	'a month ends where the first of two slivers begins');
DROP TABLE orders;

-- A bound of another extension: the version and variant are not set.
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT overlay(:'end' PLACING '0000-0000-' FROM 15 FOR 10) AS plain \gset
CREATE TABLE orders_first PARTITION OF orders FOR VALUES FROM (:'begin') TO (:'plain');
SELECT is(pg_temp.outcome($$SELECT action, problem FROM uuid_partition_maintain('orders', '1 month', 1)$$), '(created,)',
	'maintain makes the month after one whose bound has no version');
SELECT alike(pg_temp.bound_of(pg_temp.newest()), format('FOR VALUES FROM (''%s'') TO (%%', :'plain'),
	'which begins exactly there');
DROP TABLE orders;

-- Create: where the months asked for begin inside the millisecond in which a neighbour ends.
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT pg_temp.id_within('2020-02-01 00:00+00', '3a5-9000-00000000abcd') AS odd,
	uuid_boundary('2020-01-01 00:00+00') AS begin \gset
CREATE TABLE orders_2020_01 PARTITION OF orders FOR VALUES FROM (:'begin') TO (:'odd');
SELECT lives_ok($$SELECT uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$,
	'create makes a month beside a neighbour that ends inside its first millisecond');
SELECT is(pg_temp.bound_of(to_regclass('orders_2020_02')),
	format('FOR VALUES FROM (''%s'') TO (''%s'')', :'odd', uuid_boundary('2020-03-01 00:00+00')), 'from the neighbour''s end on');
DROP TABLE orders;

-- A neighbour that ends before the millisecond leaves no id without a partition, either.
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT pg_temp.id_within(:'next'::timestamptz - interval '1 ms', '3a5-9000-00000000abcd') AS odd \gset
SELECT uuid_boundary(:'month') AS begin \gset
CREATE TABLE orders_first PARTITION OF orders FOR VALUES FROM (:'begin') TO (:'odd');
SELECT is(pg_temp.outcome($$SELECT action, problem FROM uuid_partition_maintain('orders', '1 month', 1)$$), '(created,)',
	'maintain makes the month after one that ends in the last millisecond before it');
SELECT lives_ok(format('INSERT INTO orders VALUES (%L)', :'odd'), 'an id of that bound finds a partition, too');
SELECT is(count(*), 0::bigint, 'and check tells of no gap') FROM uuid_partition_check('orders', '1 day') WHERE severity > 0;
DROP TABLE orders;

-- A dry run tells partitions that overlap by less than a millisecond from those that only touch.
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE items (order_id uuid) PARTITION BY RANGE (order_id);
SELECT pg_temp.id_within('2020-02-01 00:00+00', '3a5-9000-00000000abcd') AS begin,
	pg_temp.id_within('2020-03-01 00:00+00', '3a5-9000-00000000abcd') AS "end" \gset
CREATE TABLE orders_2020_02 PARTITION OF orders FOR VALUES FROM (:'begin') TO (:'end');
CREATE FUNCTION pg_temp.foretold(first text, last text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE items_before PARTITION OF items FOR VALUES FROM (MINVALUE) TO (%L)', first);
	EXECUTE format('CREATE TABLE items_after PARTITION OF items FOR VALUES FROM (%L) TO (MAXVALUE)', last);
	RETURN pg_temp.outcome('
		SELECT action, problem
		FROM uuid_partition_follow(''items'', ''orders'', foreign_keys => false, dry_run => true)');
END $$;
SELECT is(pg_temp.foretold(:'begin', :'end'), '("to be created",)',
	'a dry run makes a month whose neighbours touch it inside a millisecond');
DROP TABLE items_before, items_after;
SELECT is(pg_temp.foretold(pg_temp.id_within('2020-02-01 00:00+00', '001-9000-00000000abcd')::text,
		pg_temp.id_within('2020-03-01 00:00+00', 'fff-9000-00000000abcd')::text),
	'("to be created",)', 'nor do neighbours keep it away that end and begin a part of a millisecond beside it');
SELECT is(pg_temp.outcome('
		SELECT action, problem FROM uuid_partition_follow(''items'', ''orders'', foreign_keys => false)'),
	'(created,)', 'and it is made');
DROP TABLE items_2020_02;
DROP TABLE items_before, items_after;
SELECT is(pg_temp.foretold(pg_temp.id_within('2020-02-01 00:00+00', 'fff-9000-00000000abcd')::text, :'end'),
	'("not created","42P17: the period would overlap partition public.items_before")',
	'none where the one before ends later in that millisecond');
DROP TABLE items_before, items_after;
SELECT is(pg_temp.foretold(:'begin', pg_temp.id_within('2020-03-01 00:00+00', '001-9000-00000000abcd')::text),
	'("not created","42P17: the period would overlap partition public.items_after")',
	'nor where the one after begins earlier in that millisecond');
DROP TABLE items, orders;

SELECT * FROM finish();
ROLLBACK;
