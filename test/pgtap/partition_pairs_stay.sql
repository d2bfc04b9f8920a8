-- Months of two tables that belong together stay pairs: a follower's month is not made without its foreign key,
-- and drains of both tables make the same periods, whichever rows they have.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(16);

-- A follower gets no month without the foreign key that the others have.
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', 0) \gset
SELECT count(*) FROM uuid_partition_follow('items', 'orders') \gset
SELECT is(pg_temp.outcome($$SELECT left(problem, 5) FROM uuid_partition_maintain('items', '1 month', 1, dry_run => true)$$), '(55000)',
	'a dry run refuses the month of a follower');
SELECT is(pg_temp.outcome($$SELECT left(problem, 5) FROM uuid_partition_maintain('items', '1 month', 1)$$), '(55000)', 'and so does the call');
SELECT throws_ok($$SELECT uuid_partition_create('items', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month')$$, '55000',
	'partitions of table public.items have foreign keys to those of table public.orders, and this one would have none',
	'the function that makes chosen months refuses it, too');
SELECT count(*) FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
SELECT count(*) FROM uuid_partition_follow('items', 'orders') \gset
SELECT throws_ok($$INSERT INTO items VALUES (gen_uuidv7_at('2020-01-10 00:00+00'), 1)$$, '23503', NULL,
	'made as the hint says, the month has the foreign key');
-- whoever gave the keys up gets months without them
DO $$BEGIN EXECUTE (SELECT string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname), '; ')
	FROM pg_constraint JOIN uuid_partition_list('items') ON partition = conrelid WHERE contype = 'f' AND from_time > '2020-02-01 00:00+00'); END$$;
SELECT is(pg_temp.outcome($$SELECT DISTINCT action FROM uuid_partition_maintain('items', '1 month', 1)$$, true), '(created)',
	'a follower whose newest month has no foreign key gets months by itself');
-- nor could one of two tables that refer to each other come first
CREATE TABLE guests (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE hosts (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) FROM uuid_partition_create('guests', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
SELECT count(*) FROM uuid_partition_create('hosts', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
ALTER TABLE guests_2020_01 ADD FOREIGN KEY (id) REFERENCES hosts_2020_01 DEFERRABLE;
ALTER TABLE hosts_2020_01 ADD FOREIGN KEY (id) REFERENCES guests_2020_01 DEFERRABLE;
SELECT lives_ok($$SELECT uuid_partition_create('guests', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$,
	'of two tables whose months refer to each other each gets new ones');
-- keys within one partition go on
CREATE TABLE comments (id uuid PRIMARY KEY, answers uuid) PARTITION BY RANGE (id);
SELECT count(*) FROM uuid_partition_create('comments', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
ALTER TABLE comments_2020_01 ADD FOREIGN KEY (answers) REFERENCES comments_2020_01;
SELECT is(pg_temp.outcome($$
		SELECT m.partition FROM uuid_partition_create('comments', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month') AS m$$),
	'(comments_2020_02)', 'a table whose months refer to themselves gets new ones');
-- rows are not moved under a key of which nobody knows whether it holds
CREATE TABLE items_rest PARTITION OF items DEFAULT;
INSERT INTO items VALUES (gen_uuidv7_at('2020-03-10 00:00+00'), 1);
SELECT is(pg_temp.outcome($$SELECT done FROM uidext_internal.partition_drain_next('items', '1 month', 'UTC', NULL, NULL, 10, false, NULL, NULL)$$),
	'("1 rows moved")', 'a drain of a follower goes on, as check tells of the key that is missing then');
DROP TABLE items, orders;

-- Periods of a drain.
CREATE FUNCTION pg_temp.periods_of(step interval, VARIADIC days date[]) RETURNS text LANGUAGE plpgsql AS $$
-- The periods that a drain makes for rows of some days.
DECLARE
	done text := '';
	next_id text;
	planned uidext_internal.partition_step[] := '{}';
	made text := '';
BEGIN
	DROP TABLE IF EXISTS drained;
	CREATE TABLE drained (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE drained_rest PARTITION OF drained DEFAULT;
	INSERT INTO drained SELECT gen_uuidv7_at(day AT TIME ZONE 'UTC') FROM unnest(days) AS day;
	LOOP
		SELECT d.next_id, d.done INTO next_id, done
		FROM uidext_internal.partition_drain_next('drained', step, 'UTC', NULL, NULL, 10, false, NULL, next_id) AS d;
		EXIT WHEN next_id IS NULL;
	END LOOP;
	RETURN (SELECT string_agg(format('%s-%s', from_time AT TIME ZONE 'UTC', to_time AT TIME ZONE 'UTC'), ' ' ORDER BY from_time)
		FROM uuid_partition_list('drained') WHERE kind = 'partition');
END $$;
CREATE FUNCTION pg_temp.fit(step interval, one date, other date) RETURNS text LANGUAGE sql AS $$
-- Two tables, of which one has a row more.
SELECT CASE WHEN right(pg_temp.periods_of(step, one, other), length(pg_temp.periods_of(step, other))) = pg_temp.periods_of(step, other)
	THEN 'the same' ELSE pg_temp.periods_of(step, one, other) || ' and ' || pg_temp.periods_of(step, other) END
$$;
SELECT is(pg_temp.fit(step, '2020-03-10', '2020-04-10'), 'the same', format('with a step of %s two tables get the same periods', step))
FROM unnest(ARRAY['2 months', '6 months', '2 years', '10 days', '14 days', '1 month']::interval[]) AS step;

-- A bound that was made by hand can be in the millisecond of a row.
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE visits_rest PARTITION OF visits DEFAULT;
CREATE TABLE visits_later PARTITION OF visits
	FOR VALUES FROM ('016f8f20-0600-7800-8000-000000000000') TO ('016f9999-0000-7000-8000-000000000000');
INSERT INTO visits VALUES ('016f8f20-0600-7700-8000-000000000000');
SELECT is(pg_temp.outcome($$SELECT done FROM uidext_internal.partition_drain_next('visits', '1 month', 'UTC', NULL, NULL, 10, false, NULL, NULL)$$),
	'("1 rows moved")', 'a row before a bound that is in its millisecond is moved');

DELETE FROM visits;
CREATE TABLE visits_tiny PARTITION OF visits
	FOR VALUES FROM ('018cc251-f400-7200-8000-000000000000') TO ('018cc251-f400-7400-8000-000000000000');
INSERT INTO visits VALUES ('018cc251-f400-7700-8000-000000000000');
SELECT is(pg_temp.outcome($$SELECT done FROM uidext_internal.partition_drain_next('visits', '1 month', 'UTC', NULL, NULL, 10, false, NULL, NULL)$$),
	'("1 rows moved")', 'and so is one behind a partition of less than its millisecond');

SELECT * FROM finish();
ROLLBACK;
