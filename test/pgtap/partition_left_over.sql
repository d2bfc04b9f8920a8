-- A month of the leader that somebody has detached or dropped by hand leaves its
-- followers' months, which go with the old ones all the same.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SET check_function_bodies = off;
SET enable_partitionwise_join = on;
SELECT plan(23);

CREATE FUNCTION pg_temp.new_family() RETURNS void LANGUAGE plpgsql AS $$
-- Orders of four old months and of the present, items of an order, notes on an order.
DECLARE
	start timestamptz;
	month text;
	parent text;
BEGIN
	DROP TABLE IF EXISTS notes, items, orders, orders_2020_01, orders_2020_02 CASCADE;
	CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
	CREATE TABLE notes (order_id uuid, note text) PARTITION BY RANGE (order_id);
	-- in a tenth of the time of uuid_partition_create() and uuid_partition_follow()
	FOREACH start IN ARRAY ARRAY['2020-01-01 00:00+00', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '2020-04-01 00:00+00',
			date_trunc('month', now(), 'UTC'), date_trunc('month', now(), 'UTC') + interval '1 month'] LOOP
		month := to_char(start AT TIME ZONE 'UTC', 'YYYY_MM');
		FOREACH parent IN ARRAY ARRAY['orders', 'items', 'notes'] LOOP
			EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
				parent || '_' || month, parent, uuid_boundary(start), uuid_boundary(start + interval '1 month'));
			IF parent <> 'orders' THEN
				EXECUTE format('ALTER TABLE %I ADD FOREIGN KEY (order_id) REFERENCES %I', parent || '_' || month, 'orders_' || month);
			END IF;
		END LOOP;
	END LOOP;
END $$;

CREATE FUNCTION pg_temp.warnings(keep interval, what text) RETURNS bigint LANGUAGE sql AS $$
SELECT count(*)
FROM uuid_partition_check('orders', keep => keep, followers => '{items, notes}')
WHERE severity = 1 AND message ~ what
$$;

CREATE FUNCTION pg_temp.months(parent regclass) RETURNS text LANGUAGE sql AS $$
SELECT string_agg(right(c.relname::text, 7), ' ' ORDER BY c.relname) FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
WHERE inhparent = parent AND c.relname ~ '_2020_'
$$;

-- A detached month.
SELECT pg_temp.new_family();
SELECT is(pg_temp.warnings(NULL, 'items_2020_01'), 0::bigint, 'check says nothing of a month that all have');
INSERT INTO orders VALUES (uuid_boundary('2020-01-05 00:00+00'));
INSERT INTO items VALUES (uuid_boundary('2020-01-05 00:00+00'), 1);
INSERT INTO notes VALUES (uuid_boundary('2020-01-05 00:00+00'), 'late');
ALTER TABLE orders DETACH PARTITION orders_2020_01;
SELECT is(pg_temp.warnings(NULL, 'items_2020_01'), 1::bigint, 'check names a follower''s month that the leader has no longer');
SELECT is(pg_temp.warnings('1 year', 'older than.*(items|notes)'), 2::bigint, 'check counts the old partitions of followers');
SELECT is(
	pg_temp.outcome($$SELECT action, partition, problem
		FROM uuid_partition_maintain('orders', '1 month', 2, '1 year', followers => '{items, notes}', dry_run => true)
		WHERE partition ~ '2020_01'$$),
	E'("to be dropped",public.notes_2020_01,)\n("to be dropped",public.items_2020_01,)', 'a dry run drops the followers'' month');
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition, problem
		FROM uuid_partition_maintain('orders', '1 month', 2, '1 year', followers => '{items, notes}')
		WHERE partition ~ '2020_01'$$),
	E'(dropped,public.notes_2020_01,)\n(dropped,public.items_2020_01,)',
	'maintain drops the followers'' month, the last follower''s first');
SELECT is(concat_ws(', ', pg_temp.months('orders'), pg_temp.months('items'), pg_temp.months('notes')), '',
	'no old month is left anywhere');
SELECT is((SELECT count(*) FROM ONLY orders_2020_01), 1::bigint, 'the detached table itself keeps its rows');
SELECT is(pg_temp.warnings('1 year', 'older than'), 0::bigint, 'check counts none after that');

-- A dropped one.  Here the leader's other months are young enough.
SELECT pg_temp.new_family();
DROP TABLE orders_2020_01, orders_2020_02 CASCADE;
SELECT is(pg_temp.warnings(NULL, 'items_2020_01'), 1::bigint,
	'check names the followers'' months where the leader''s was dropped');
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition, problem
		FROM uuid_partition_maintain('orders', '1 month', 2, '1 year', followers => '{items, notes}')
		WHERE partition ~ '2020_0[12]'$$),
	E'(dropped,public.notes_2020_01,)\n(dropped,public.items_2020_01,)\n'
	'(dropped,public.notes_2020_02,)\n(dropped,public.items_2020_02,)',
	'maintain drops those that are older than keep');
SELECT pg_temp.new_family();
DROP TABLE orders_2020_01 CASCADE;
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition, problem
		FROM uuid_partition_maintain('orders', '1 month', 2, '1 year', followers => '{items, notes}')
		WHERE partition ~ '2020_01'$$),
	E'(dropped,public.notes_2020_01,)\n(dropped,public.items_2020_01,)',
	'also beside a default partition of the leader that has no rows of them');
SELECT pg_temp.new_family();
DROP TABLE orders_2020_01 CASCADE;
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
INSERT INTO orders VALUES (uuid_boundary('2020-01-05 00:00+00'));
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition, problem
		FROM uuid_partition_maintain('orders', '1 month', 2, '1 year', followers => '{items, notes}')
		WHERE partition ~ '2020_01'$$),
	E'("not dropped",public.notes_2020_01,"55000: partition public.orders_rest of table public.orders has rows of this period")\n'
	'("not dropped",public.items_2020_01,"55000: partition public.orders_rest of table public.orders has rows of this period")',
	'beside one that has such rows they stay, and maintain says why');
SELECT is((SELECT (uidext_internal.partition_orphan_obstacle(
		uidext_internal.partition_find_leaders(
			ARRAY[
				uidext_internal.partition_read('orders', now()), uidext_internal.partition_read('items', now())]),
		p)).hint
	FROM unnest((uidext_internal.partition_read('items', now())).periods) p WHERE p.partition = 'items_2020_01'::regclass),
	'These rows would stay, without the rows that belong to them. '
	'Move them out of the default partition first, with uuid_partition_drain().',
	'and what to do first');
SELECT pg_temp.new_family();
DROP TABLE orders_2020_01 CASCADE;
SELECT is(
	pg_temp.outcome($$SELECT action, partition, problem
		FROM uuid_partition_maintain('orders', '1 month', 2, '1 year', detach_only => true, followers => '{items, notes}')
		WHERE partition ~ '2020_01'$$, undo => true),
	E'(detached,public.notes_2020_01,)\n(detached,public.items_2020_01,)', 'or detaches them');
SELECT pg_temp.new_family();
DROP TABLE orders_2020_01 CASCADE;
SELECT count(*) AS done FROM uuid_partition_maintain('orders', '1 month', 2, '100 years', followers => '{items, notes}') \gset
SELECT is(concat_ws(', ', pg_temp.months('items'), pg_temp.months('notes')),
	'2020_01 2020_02 2020_03 2020_04, 2020_01 2020_02 2020_03 2020_04', 'and keeps those that are to be kept');
SELECT is(pg_temp.warnings('100 years', 'older than'), 0::bigint, 'of which check counts none');

-- More old periods than a call removes: those that are left for the next one get no counterparts.
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE pages (visit_id uuid PRIMARY KEY) PARTITION BY RANGE (visit_id);
SELECT format('CREATE TABLE visits_hour_%s PARTITION OF visits FOR VALUES FROM (%L) TO (%L)', n,
	uuid_boundary('2020-01-01 00:00+00'::timestamptz + n * interval '1 hour'),
	uuid_boundary('2020-01-01 01:00+00'::timestamptz + n * interval '1 hour'))
FROM generate_series(0, 101) AS n \gexec
SELECT count(*) FROM uuid_partition_create('visits', date_trunc('hour', now()), now() + interval '1 hour', '1 hour') \gset
SELECT count(*) FROM uuid_partition_create('pages', date_trunc('hour', now()), now() + interval '1 hour', '1 hour') \gset
SELECT is((
		SELECT string_agg(DISTINCT action, ', ')
		FROM uuid_partition_maintain('visits', '1 hour', 0, '1 year', followers => '{pages}', dry_run => true)
		WHERE to_time < now()),
	'to be dropped', 'no partition of a period that the next calls remove is made for a follower');
SELECT format('CREATE TABLE %s PARTITION OF pages %s', replace(relname, 'visits', 'pages'), pg_get_expr(relpartbound, c.oid))
FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid WHERE inhparent = 'visits'::regclass AND relname ~ 'hour' \gexec
CREATE TABLE clicks (visit_id uuid PRIMARY KEY) PARTITION BY RANGE (visit_id);
SELECT count(*) FROM uuid_partition_create('clicks', date_trunc('hour', now()), now() + interval '1 hour', '1 hour') \gset
SELECT format('ALTER TABLE %s ADD FOREIGN KEY (visit_id) REFERENCES %s', c.partition, p.partition)
FROM uuid_partition_list('clicks') c JOIN uuid_partition_list('pages') p USING (from_time) \gexec
SELECT is((
		SELECT string_agg(DISTINCT action, ', ')
		FROM uuid_partition_maintain(
			'visits', '1 hour', 0, '1 year', followers => '{pages,clicks}', dry_run => true)
		WHERE to_time < now()),
	'to be dropped', 'nor for a follower of a follower');

-- A plan does not look for obstacles without an end: once something can go, what it has not looked at in time is left.
SELECT format('CREATE VIEW visits_%s AS SELECT * FROM %s', n, partition)
FROM (SELECT partition, row_number() OVER (ORDER BY from_time) AS n FROM uuid_partition_list('visits')) p WHERE n IN (1, 3) \gexec
CREATE FUNCTION pg_temp.steps_in_no_time(makes_new bool) RETURNS TABLE (action text, n bigint) LANGUAGE sql AS $$
-- The steps of a plan to remove, when the time to look is over from the beginning.
SELECT r.action, row_number() OVER ()
FROM (SELECT ARRAY[uidext_internal.partition_read('visits', now())]) f(family),
	uidext_internal.partition_plan_removal(f.family, ARRAY(SELECT uidext_internal.partition_old_periods(f.family, now(), '{}')),
		'drop', 100, clock_timestamp(), makes_new) r
$$;
SELECT is((SELECT string_agg(DISTINCT concat_ws(' ', s.action, s.n <= 3), ', ') FROM pg_temp.steps_in_no_time(false) s),
	'drop t, leave f', 'when the time to look is over, an old partition that cannot go is the last, but not before one that can');
SELECT is((SELECT string_agg(DISTINCT concat_ws(' ', s.action, s.n <= 1), ', ') FROM pg_temp.steps_in_no_time(true) s),
	'drop t, leave f', 'and no look is longer than that where new partitions wait for it');

-- They wait also where only a follower gets some.
CREATE TABLE stays (visit_id uuid PRIMARY KEY) PARTITION BY RANGE (visit_id);
CREATE FUNCTION pg_temp.planned_in_no_time() RETURNS text LANGUAGE sql AS $$
SELECT string_agg(DISTINCT concat_ws(' ', s.action, s.parent::text), ', ' ORDER BY concat_ws(' ', s.action, s.parent::text))
FROM unnest(uidext_internal.partition_plan(
	uidext_internal.partition_find_leaders(
		ARRAY[uidext_internal.partition_read('visits', now()), uidext_internal.partition_read('stays', now())]),
	'{}', '1 hour', 'UTC', clock_timestamp(), date_trunc('hour', now()), 'drop', 100)) s
WHERE s.problem IS NULL
$$;
SELECT is(pg_temp.planned_in_no_time(), 'create stays, leave visits',
	'where a follower lacks a partition, the look at old ones of its leader ends in time');
SELECT count(*) FROM uuid_partition_create('stays', date_trunc('hour', now()), now() + interval '1 hour', '1 hour') \gset
SELECT is(pg_temp.planned_in_no_time(), 'drop visits, leave visits', '(where it lacks none, the look goes on to one that can go)');

-- New partitions of a follower are for what is kept.
CREATE TABLE taps (visit_id uuid PRIMARY KEY) PARTITION BY RANGE (visit_id);
SELECT count(*) FROM uuid_partition_create('taps', date_trunc('hour', now()), now() + interval '1 hour', '1 hour') \gset
SELECT is((
		SELECT string_agg(DISTINCT action, ', ')
		FROM uuid_partition_maintain('visits', '1 hour', 0, '1 year', followers => '{taps}', dry_run => true)
		WHERE to_time < now()),
	'not dropped, to be dropped',
	'no partition of an old period is made for a follower, also where that of the leader cannot go now');

SELECT * FROM finish();
ROLLBACK;
