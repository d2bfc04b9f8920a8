-- uuid_partition_maintain(): which partitions a call makes, drops and leaves alone, at which moment.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/partitions_of.sql
\i :test/include/error_of.sql
\i :test/include/months.sql
SET client_min_messages = warning;

-- What a first call makes: periods as the zone has them, the present one and so many more.
CREATE FUNCTION first_call(step interval, tz text, ahead int, unit text,
	OUT made int, OUT aligned bool, OUT present bool, OUT adjacent bool, OUT one_step bool, OUT reaches bool,
	OUT listed bool, OUT again int)
LANGUAGE plpgsql AS $$
DECLARE
	present_end timestamptz;
BEGIN
	CREATE TABLE first_call (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TEMP TABLE call AS SELECT * FROM uuid_partition_maintain('first_call', step, ahead, tz => tz);
	SELECT count(*), count(*) FILTER (WHERE action <> 'created') = 0 AND bool_and(previous = from_time) IS NOT false,
		bool_and(to_time = (from_time AT TIME ZONE tz + step) AT TIME ZONE tz)
	INTO made, adjacent, one_step
	FROM (SELECT *, lag(to_time) OVER (ORDER BY from_time) AS previous FROM call) AS neighbours;
	SELECT min(from_time) <= now() AND min(to_time) > now(), min(to_time),
		min(from_time) AT TIME ZONE tz = date_trunc(unit, min(from_time) AT TIME ZONE tz)
	INTO present, present_end, aligned FROM call;
	present_end := uidext_internal.partition_add(present_end, ahead * step, tz);
	SELECT max(to_time) >= present_end AND (ahead = 0 OR max(from_time) < present_end) INTO reaches FROM call;
	SELECT array_agg((list.partition, list.kind, list.from_time, list.to_time, list.note)::text)
		= array_agg((call.partition::regclass, 'partition',
		call.from_time, call.to_time, NULL::text)::text)
	INTO listed FROM uuid_partition_list('first_call') AS list FULL JOIN call USING (from_time);
	SELECT count(*) INTO again FROM uuid_partition_maintain('first_call', step, ahead, NULL, false, tz);
	DROP TABLE call, first_call;
END $$;
SELECT tz, step, f.*
FROM unnest(ARRAY['UTC', 'America/New_York', 'Australia/Lord_Howe']) WITH ORDINALITY AS z(tz, i),
	(
		VALUES (interval '1 year', 'year'), ('3 months', 'quarter'), ('1 month', 'month'), ('1 week', 'week'),
			('1 day', 'day')) AS s(step, unit),
	first_call(step, tz, 3, unit) AS f
ORDER BY i, step DESC;
-- of hours and less the number depends on whether clocks change, and the length on whether by half an hour
SELECT tz, step, present, adjacent, one_step OR tz = 'Australia/Lord_Howe' AND step = '1 hour' AS one_step, reaches, listed,
	again, aligned, tz <> 'UTC' OR made = 4 AS made
FROM unnest(ARRAY['UTC', 'America/New_York', 'Australia/Lord_Howe']) WITH ORDINALITY AS z(tz, i),
	(VALUES (interval '1 hour', 'minute'), ('15 minutes', 'minute')) AS s(step, unit),
	first_call(step, tz, 3, unit) AS f
ORDER BY i, step DESC;
SELECT ahead, f.made, f.present, f.reaches
FROM unnest('{0,1,12,40}'::int[]) AS ahead, first_call('1 month', 'UTC', ahead, 'month') AS f;
SELECT f.* FROM first_call('10 years', 'UTC', 1, 'year') AS f;
SELECT f.* FROM first_call('2 months', 'UTC', 1, 'month') AS f;
DROP FUNCTION first_call;

-- The rest is played at a moment of its own: now() is that of the transaction.
CREATE TABLE orders (id uuid PRIMARY KEY, item text) PARTITION BY RANGE (id);

CREATE VIEW months AS
SELECT kind AS what,
	month_of(from_time) AS from_month, month_of(to_time) AS to_month
FROM uuid_partition_list('orders');
CREATE FUNCTION maintain(keep interval DEFAULT NULL, step interval DEFAULT '1 month', ahead int DEFAULT 2,
	detach_only bool DEFAULT false,
	OUT action text, OUT partition text, OUT from_month text, OUT to_month text, OUT problem text) RETURNS SETOF record LANGUAGE sql
AS $$
	SELECT action, regexp_replace(partition, '\d{4}_\d\d$', 'YYYY_MM'), month_of(from_time), month_of(to_time), left(problem, 5)
	FROM uuid_partition_maintain('orders', step, ahead, keep, detach_only)
$$;

-- by default the present and three more
BEGIN;
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month');
ROLLBACK;
-- first, then nothing, then further ahead
BEGIN;
SELECT * FROM maintain();
SELECT * FROM maintain();
SELECT * FROM maintain(ahead => 4);
SELECT * FROM maintain(ahead => 0);
INSERT INTO orders VALUES (gen_uuidv7()), (gen_uuidv7_at(month(5) - interval '1 millisecond'));
SELECT count(DISTINCT tableoid) AS partitions FROM orders;
ROLLBACK;
-- after an outage: all that is missing since, then what is too old
BEGIN;
SELECT count(*) AS made FROM uuid_partition_create('orders', month(-9), month(-4), '1 month');
SELECT * FROM maintain(keep => '6 months');
SELECT * FROM months;
SELECT * FROM maintain(keep => '6 months');
ROLLBACK;
-- a hole in what is to come is filled, one in the past is not
BEGIN;
SELECT count(*) AS made
FROM (VALUES (-3), (-1), (0), (2), (3)) AS v(n),
	uuid_partition_create('orders', month(n), month(n) + interval '1 ms', '1 month');
SELECT * FROM maintain(ahead => 4);
SELECT * FROM months;
ROLLBACK;
-- the present is the hole
BEGIN;
SELECT count(*) AS made
FROM (VALUES (-3), (1), (2)) AS v(n),
	uuid_partition_create('orders', month(n), month(n) + interval '1 ms', '1 month');
SELECT * FROM maintain();
SELECT * FROM months;
ROLLBACK;
-- only later ones are there
BEGIN;
SELECT count(*) AS made FROM uuid_partition_create('orders', month(2), month(4), '1 month');
SELECT * FROM maintain(ahead => 3);
ROLLBACK;
-- another step: days after months, months after days, around what is there
BEGIN;
SELECT count(*) AS made FROM uuid_partition_create('orders', month(-1), month(1), '1 month');
SELECT count(*) AS steps FROM maintain(step => '1 day', ahead => 0);
SELECT action, from_time - month(1) AS "from", to_time - month(1) AS "to" FROM uuid_partition_maintain('orders', '1 day', 3);
SELECT * FROM maintain(ahead => 0);
SELECT round(extract(epoch FROM max(to_time) - min(from_time)) / 2629746) AS months,
	max(to_time) = (month(1) AT TIME ZONE 'UTC' + interval '3 days 2 months') AT TIME ZONE 'UTC' AS after_the_days
FROM uuid_partition_maintain('orders', '1 month', 2);
ROLLBACK;
BEGIN;
SELECT count(*) AS made
FROM (VALUES (0), (2)) AS v(n),
	uuid_partition_create('orders', month(n), month(n) + interval '1 ms', '1 month');
SELECT count(*) = extract(day FROM month(2) - month(1)) AS days_of_a_month, min(from_time) = month(1) AS "from",
	max(to_time) = month(2) AS "to"
FROM uuid_partition_maintain('orders', '1 day', 45);
SELECT count(*) AS gaps FROM uuid_partition_list('orders') WHERE kind = 'gap';
ROLLBACK;
-- a partition without an end
BEGIN;
CREATE TABLE the_new PARTITION OF orders FOR VALUES FROM (uuid_boundary(month(-1))) TO (MAXVALUE);
SELECT * FROM maintain(keep => '1 month');
ROLLBACK;
BEGIN;
CREATE TABLE the_new PARTITION OF orders FOR VALUES FROM (uuid_boundary(month(2))) TO (MAXVALUE);
SELECT * FROM maintain(ahead => 5);
ROLLBACK;
-- one that is shorter than a millisecond: the next begins where it ends
BEGIN;
SELECT count(*) AS made FROM uuid_partition_create('orders', month(0), month(1), '1 month');
CREATE TABLE sliver PARTITION OF orders
FOR VALUES FROM (uuid_boundary(month(1))) TO (overlay(uuid_boundary(month(1))::text placing '1' from 36)::uuid);
SET LOCAL client_min_messages = error;
SELECT * FROM maintain();
ROLLBACK;
-- one without a beginning
BEGIN;
CREATE TABLE the_old PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (uuid_boundary(month(-1)));
SELECT * FROM maintain(ahead => 0);
SELECT * FROM maintain('1 month', ahead => 0);
ROLLBACK;
-- what is kept: the period that holds now - keep, and all after it; it may be a table of its own then
BEGIN;
SELECT count(*) AS made FROM uuid_partition_create('orders', month(-4), month(1), '1 month');
INSERT INTO orders VALUES (gen_uuidv7_at(month(-4)));
SELECT count(*) AS steps FROM maintain(keep => '5 years');
SELECT * FROM maintain(keep => '3 months', detach_only => true);
SELECT (SELECT count(*) FROM orders) AS in_orders, partitions_of('orders') ~ '^(orders_\d{4}_\d\d ){5}orders_\d{4}_\d\d$' AS six,
	(SELECT count(*) FROM pg_class WHERE relname ~ '^orders_\d{4}_\d\d$' AND NOT relispartition) AS detached;
SELECT * FROM maintain(keep => '1 month');
SELECT * FROM maintain(keep => '1 month');
ROLLBACK;

-- Rows of a period in the default partition: all others are made, the old ones go.
BEGIN;
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
SELECT count(*) AS made FROM uuid_partition_create('orders', month(-4), month(-2), '1 month');
INSERT INTO orders VALUES (gen_uuidv7_at(month(1)));
SET LOCAL client_min_messages = error;
SELECT * FROM maintain('3 months');
SELECT * FROM months WHERE what <> 'default';
DELETE FROM orders_rest;
SELECT * FROM maintain('3 months');
ROLLBACK;

-- So are they when a partition cannot go, and it is said.
BEGIN;
SELECT count(*) AS made FROM uuid_partition_create('orders', month(-5), month(-2), '1 month');
DO $$
	BEGIN EXECUTE format(
		'CREATE VIEW dependent AS SELECT * FROM orders_%s', to_char(month(-4) AT TIME ZONE 'UTC', 'YYYY_MM'));
	END $$;
SET LOCAL client_min_messages = error;
SELECT * FROM maintain('1 month');
SELECT * FROM maintain('1 month');
SELECT * FROM months;
SELECT * FROM maintain('1 month', detach_only => true);
ROLLBACK;
-- for those who watch as a warning
CREATE TABLE watched (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE watched_new PARTITION OF watched FOR VALUES FROM (uuid_boundary('2021-02-01')) TO (MAXVALUE);
SELECT count(*) AS made FROM uuid_partition_create('watched', '2021-01-01', '2021-02-01', '1 month');
CREATE VIEW dependent AS SELECT * FROM watched_2021_01;
SELECT * FROM uuid_partition_maintain('watched', '1 day', 0, '1 day');
DROP TABLE watched CASCADE;
-- What would be done, and nothing is
BEGIN;
SELECT count(*) AS made FROM uuid_partition_create('orders', month(-4), month(-1), '1 month');
SELECT action, regexp_replace(d.partition, '\d{4}_\d\d$', 'YYYY_MM') AS partition, month_of(from_time), problem
	FROM uuid_partition_drop('orders', month(-2), dry_run => true) AS d;
SELECT action, month_of(from_time), problem FROM uuid_partition_maintain('orders', '1 month', 1, '2 months', dry_run => true);
SELECT action, month_of(from_time)
FROM uuid_partition_maintain('orders', '1 month', 1, '2 months', true, dry_run => true)
LIMIT 1;
SELECT count(*) AS partitions FROM pg_inherits WHERE inhparent = 'orders'::regclass;
ROLLBACK;

-- Arguments
SELECT command || E'\n' || error_of(format('SELECT uuid_partition_maintain(%s)', command)) AS "arguments and error"
FROM unnest(ARRAY[$$NULL, '1 month'$$, $$'orders', NULL$$, $$'orders', '1 month', NULL$$, $$'orders', '1 month', 3, NULL, NULL$$,
	$$'orders', '1 month', tz => NULL$$,
	$$'orders', '1 month', -1$$, $$'orders', '1 month', 3, '-1 day'$$, $$'orders', '0'$$,
	$$'orders', '-1 month'$$, $$'orders', '1 month -1 day'$$,
	$$'orders', '999 us'$$, $$'orders', '1 month', tz => 'Europe/Atlantis'$$, $$'orders', '1 month', 2147483647$$,
	$$'orders', '1 month', dry_run => NULL$$,
	-- six minutes, none at all, and a day less than a step
	$$'orders', '1 month', keep => '6m'$$, $$'orders', '1 month', keep => '0'$$, $$'orders', '1 month', keep => '29 days'$$,
	-- an hour that is meant
	$$'orders', '2 hours', keep => '1 hour'$$]) AS command :unaligned
-- what was missed counts beside what is to come
CREATE TABLE minutes (id uuid) PARTITION BY RANGE (id);
CREATE TABLE minutes_past PARTITION OF minutes FOR VALUES FROM (MINVALUE) TO (uuid_boundary(now() - interval '10 minutes'));
SELECT error_of($$SELECT uuid_partition_maintain('minutes', '1 minute', 9995, dry_run => true)$$) :unaligned
DROP TABLE minutes;
-- infinite intervals, which are no intervals before 17
SELECT DISTINCT left(error_of(format('SELECT uuid_partition_maintain(%s)', command)),
	5) = CASE WHEN current_setting('server_version_num')::int < 170000 THEN '22007' ELSE '22023' END AS refused
FROM unnest(
	ARRAY[$$'orders', 'infinity'$$, $$'orders', '1 month', 3, 'infinity'$$,
		$$'orders', '1 month', 3, '-infinity'$$]) AS command;
-- step and tz are read also when there is nothing to make
BEGIN;
CREATE TABLE the_new PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
SELECT left(error_of($$SELECT uuid_partition_maintain('orders', '0')$$), 5) AS no_step,
	left(error_of($$SELECT uuid_partition_maintain('orders', '1 day', tz => 'Europe/Atlantis')$$), 5) AS no_zone;
ROLLBACK;
-- a minute, three seconds, and an hour that is meant, beside months
BEGIN;
SELECT count(*) AS made FROM uuid_partition_create('orders', month(0), month(1), '1 month');
SELECT step,
	split_part(error_of(format('SELECT uuid_partition_maintain(%L, %L, dry_run => true)', 'orders', step)),
		E'\n', 1) AS error
FROM unnest('{1m,3,1 hour}'::text[]) AS step;
-- a slip is what is less than a thousandth, and a thousandth is none
CREATE TABLE hours (id uuid) PARTITION BY RANGE (id);
CREATE TABLE hours_1000 PARTITION OF hours
FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('2020-02-11 16:00+00'));
SELECT error_of($$
	SELECT uidext_internal.partition_check_step(uidext_internal.partition_read('hours', now()), '1 hour')$$)
	AS a_thousandth;
CREATE TABLE hours_1001 PARTITION OF hours
FOR VALUES FROM (uuid_boundary('2020-02-11 16:00+00')) TO (uuid_boundary('2020-03-24 09:00+00'));
SELECT left(error_of($$
		SELECT uidext_internal.partition_check_step(uidext_internal.partition_read('hours', now()), '1 hour')$$),
	5) AS less;
DROP TABLE hours;
-- where nothing is to be made the step does not matter
CREATE TABLE the_rest PARTITION OF orders FOR VALUES FROM (uuid_boundary(month(1))) TO ('ffffffff-ffff-ffff-ffff-ffffffffffff');
SELECT action, problem FROM uuid_partition_maintain('orders', '1 month', keep => '1 year', dry_run => true);
ROLLBACK;
SELECT partitions_of('orders');
DROP FUNCTION maintain;
DROP VIEW months;
DROP TABLE orders;

-- A gap that is no whole number of steps: the last partition in it is shorter.
CREATE TABLE uneven (id uuid) PARTITION BY RANGE (id);
BEGIN;
CREATE TEMP TABLE weeks AS SELECT date_trunc('week', now(), 'UTC') AS monday;
SELECT count(*) AS made FROM weeks, uuid_partition_create('uneven', monday, monday + interval '7 days', '7 days');
SELECT count(*) AS made
FROM weeks,
	uuid_partition_create('uneven', monday + interval '17 days', monday + interval '47 days', '30 days');
SELECT action, from_time - monday AS start, to_time - monday AS stop FROM weeks, uuid_partition_maintain('uneven', '7 days', 3);
SELECT count(*) AS steps FROM uuid_partition_maintain('uneven', '7 days', 3);
DROP TABLE uneven, weeks;
COMMIT;

-- After an outage longer than what is kept, nothing is made that would be dropped at once.
CREATE TABLE outage (id uuid) PARTITION BY RANGE (id);
CREATE TEMP TABLE days AS SELECT date_trunc('day', now(), 'UTC') AS today;
SELECT count(*) AS old
FROM days, uuid_partition_create('outage', today - interval '90 days', today - interval '88 days', '1 day');
CREATE TEMP TABLE done AS SELECT * FROM uuid_partition_maintain('outage', '1 day', 2, '5 days');
SELECT action,
	count(*) FILTER (WHERE action = 'created') IN (0, 8, 9) AS kept_today_ahead,
	min(from_time) < now() - interval '5 days' AS covers_what_is_kept
FROM done GROUP BY action ORDER BY action;
SELECT count(*) AS contradictory FROM done JOIN done AS again USING (partition) WHERE done.action <> again.action;
DROP TABLE outage, days, done;

-- A call removes a hundred tables, the oldest first, and says nothing of each that it leaves.
CREATE TABLE logs (id uuid) PARTITION BY RANGE (id);
DO $$
DECLARE
	day timestamptz;
BEGIN
	FOR day IN SELECT generate_series(timestamptz '2020-01-01 00:00+00', '2020-07-19 00:00+00', '1 day') LOOP
		EXECUTE format('CREATE TABLE %I PARTITION OF logs FOR VALUES FROM (%L) TO (%L)',
			to_char(day AT TIME ZONE 'UTC', '"logs_"YYYY_MM_DD'), uuid_boundary(day), uuid_boundary(day + interval '1 day'));
	END LOOP;
END $$;
SELECT count(*) > 0 AS made
FROM uuid_partition_create('logs', date_trunc('day', now(), 'UTC'), now() + interval '3 days', '1 day');
-- a call that may take longer, also on a slow server
SET lock_timeout = '10min';
SELECT action, count(*) AS partitions, min(from_time) AS first, max(to_time) AS last
FROM uuid_partition_maintain('logs', '1 day', 0, '1 year')
GROUP BY action;
SELECT action, count(*) AS partitions, min(from_time) AS first, max(to_time) AS last
FROM uuid_partition_maintain('logs', '1 day', 0, '1 year')
GROUP BY action;
SELECT action, count(*) AS partitions, min(from_time) AS first, max(to_time) AS last
FROM uuid_partition_maintain('logs', '1 day', 0, '1 year')
GROUP BY action;
RESET lock_timeout;
DROP TABLE logs;

DROP FUNCTION month_of;
DROP FUNCTION month;
DROP FUNCTION partitions_of;
DROP FUNCTION error_of;
