-- What keeps a partition from coming or going is told in full.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SET check_function_bodies = off;
SELECT plan(7);

-- What PostgreSQL, or a trigger, has said beside its message.
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'tables are frozen' USING DETAIL = 'No table goes before Monday.';
END $$;
CREATE EVENT TRIGGER refuse ON sql_drop WHEN TAG IN ('DROP TABLE') EXECUTE FUNCTION refuse();
SELECT is((SELECT problem FROM uuid_partition_maintain('orders', '1 month', 1, keep => '1 year') WHERE action = 'not dropped'),
	'P0001: tables are frozen: No table goes before Monday.', 'a problem has the detail of the error');
DROP EVENT TRIGGER refuse;

-- A period of which the leader has no partition any more.
CREATE TABLE items (order_id uuid PRIMARY KEY) PARTITION BY RANGE (order_id);
CREATE TABLE notes (order_id uuid) PARTITION BY RANGE (order_id);
SELECT count(*) AS made FROM uuid_partition_follow('items', 'orders') \gset
CREATE TABLE notes_rest PARTITION OF notes DEFAULT;
ALTER TABLE items DROP CONSTRAINT items_pkey CASCADE;
ALTER TABLE orders DETACH PARTITION orders_2020_01;
INSERT INTO notes VALUES (uuid_boundary('2020-01-10 00:00+00'));
SELECT is((SELECT problem FROM uuid_partition_maintain('orders', '1 month', 1, keep => '1 year', followers => '{items, notes}')
		WHERE partition = 'public.items_2020_01'),
	'55000: partition public.notes_rest of a follower has rows of this period',
	'a problem of followers alone names no partition of the leader');
SELECT alike(
	(SELECT o.hint FROM uidext_internal.partition_orphan_obstacle(
		uidext_internal.partition_find_leaders(
			ARRAY[
				uidext_internal.partition_read('orders', now()), uidext_internal.partition_read('notes', now())]),
		ROW(NULL, uuid_boundary('2020-01-01 00:00+00'), uuid_boundary('2020-02-01 00:00+00'),
			'2020-01-01 00:00+00', '2020-02-01 00:00+00', false, false)::uidext_internal.partition_period) o),
	'%uuid_partition_drain()%', 'rows of a default partition are to be drained');

-- Rows that have come since the plan was made are told of as by a plan.
CREATE TABLE sales (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE lines (sale_id uuid PRIMARY KEY) PARTITION BY RANGE (sale_id);
CREATE TABLE remarks (sale_id uuid) PARTITION BY RANGE (sale_id);
SELECT count(*) AS made FROM uuid_partition_create('sales', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_follow('lines', 'sales') \gset
CREATE TABLE remarks_rest PARTITION OF remarks DEFAULT;
INSERT INTO remarks VALUES (uuid_boundary('2020-01-10 00:00+00'));
WITH family AS (
	SELECT uidext_internal.partition_find_leaders(ARRAY(SELECT uidext_internal.partition_read(t::regclass, now())
		FROM unnest('{sales,lines,remarks}'::text[]) WITH ORDINALITY t(t, n) ORDER BY n)) AS family
), plan AS (
	SELECT family,
		ARRAY(
			SELECT s
			FROM uidext_internal.partition_plan_old_period(
				family, family[1].periods[1], 'drop', NULL) s) AS steps
	FROM family
)
SELECT is(string_agg(DISTINCT s.problem, '; '),
	'55000: partition public.remarks_rest of a follower has rows of the same period as public.sales_2020_01',
	'what has come since the plan was made is told as by a plan')
FROM plan, unnest(steps || (uidext_internal.partition_attempt(family, steps, 0, true, false, false, '1 s')).steps) s;

-- PostgreSQL, which has no hint, says so by an empty text.
SELECT is((SELECT hint FROM unnest(uidext_internal.partition_blame(NULL,
		ARRAY[jsonb_populate_record(NULL::uidext_internal.partition_step, '{"group_number": 1}')], '40P01',
		'deadlock detected', '', '', '', true))),
	'The next call tries again.', 'an error without a hint gets one');

-- A read-only transaction is refused once, before anything is planned, and may look.
SAVEPOINT writes;
SET TRANSACTION READ ONLY;
SELECT pg_temp.outcome($$SELECT uuid_partition_maintain('orders', '1 month')$$) AS run,
	pg_temp.outcome($$
		SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', dry_run => true)$$) AS dry_run \gset
-- with it go the numbers of tests
ROLLBACK TO writes;
SELECT is(:'run'::text, '25006: cannot change partitions in a read-only transaction', 'a read-only transaction is refused once');
SELECT matches(:'dry_run'::text, '^\(\d+\)$', 'a dry run may be read-only');

SELECT * FROM finish();
ROLLBACK;
