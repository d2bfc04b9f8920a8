-- Tables that belong together grow old together: which partitions of a leader and its followers come, go and stay?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
\i :test/include/partition_pairs.sql
SET default_transaction_isolation = 'read committed';

-- Retention and upkeep of a family: what refers goes first, and comes last.
BEGIN;
CREATE TABLE jobs (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int) PARTITION BY RANGE (id);
CREATE TABLE steps (job uuid, n int, PRIMARY KEY (job, n)) PARTITION BY RANGE (job);
CREATE TABLE logs (job uuid, step int, line text) PARTITION BY RANGE (job);
CREATE TABLE log (LIKE logs, FOREIGN KEY (job, step) REFERENCES steps);
SELECT count(*) AS made
	FROM uuid_partition_create('jobs', date_trunc('year', now()) - interval '3 years',
		date_trunc('year', now()) + interval '1 year', '1 year');
SELECT count(*) AS made FROM uuid_partition_follow('steps', 'jobs');
SELECT count(*) AS made FROM uuid_partition_follow('logs', 'steps', 'log');
INSERT INTO jobs SELECT gen_uuidv7_at(now() - n * interval '1 year'), n FROM generate_series(0, 3) AS n;
INSERT INTO steps SELECT id, 1 FROM jobs;
INSERT INTO logs SELECT job, n FROM steps;
DROP TABLE log;
CREATE VIEW upkeep AS
SELECT n, action,
	regexp_replace(partition, '20\d\d',
	(left(regexp_replace(partition, '\D', '', 'g'), 4)::int - extract(year FROM now()))::text) AS partition,
	left(problem, 5) AS problem
FROM uuid_partition_maintain('jobs', '1 year', 1, '1 year', followers => '{steps,logs}',
	dry_run => true) WITH ORDINALITY AS m(action, partition, from_time, to_time, problem, n);
SELECT action, partition, problem FROM upkeep ORDER BY n;
-- a view keeps one: its family stays whole, the others go
DO $$ BEGIN EXECUTE format('CREATE VIEW kept AS SELECT n FROM jobs_%s', extract(year FROM now()) - 3); END $$;
SET client_min_messages = error;
SELECT action, partition, problem FROM upkeep ORDER BY n;
SELECT action, count(*) AS steps, string_agg(DISTINCT left(problem, 5), ' ') AS problems
	FROM uuid_partition_maintain('jobs', '1 year', 1, '1 year', followers => '{steps,logs}') GROUP BY action ORDER BY action;
SELECT parent, count(*) AS pairs
FROM pairs
WHERE parent IN ('jobs'::regclass, 'steps'::regclass, 'logs'::regclass)
GROUP BY parent
ORDER BY parent::text;
DROP VIEW kept;
SELECT action, count(*) AS steps
	FROM uuid_partition_maintain(
		'jobs', '1 year', 1, '1 year', detach_only => true, followers => '{steps,logs}')
	GROUP BY action
	ORDER BY action;
SELECT parent, count(*) AS pairs
FROM pairs
WHERE parent IN ('jobs'::regclass, 'steps'::regclass, 'logs'::regclass)
GROUP BY parent
ORDER BY parent::text;
SELECT count(*) AS nothing_more FROM uuid_partition_maintain('jobs', '1 year', 1, '1 year', followers => '{steps,logs}');
-- behind, or without the one in the middle, their keys would be lost
SELECT command || E'\n' || error_of(command) AS "command and error"
FROM unnest(ARRAY[$$SELECT uuid_partition_maintain('jobs', '1 year', 2, followers => '{logs,steps}')$$,
	$$SELECT uuid_partition_maintain('jobs', '1 year', 2, followers => '{logs}', dry_run => true)$$,
	$$SELECT uuid_partition_check('jobs', followers => '{logs,steps}')$$]) AS command :unaligned
RESET client_min_messages;
-- new pairs have the newest's keys, of a follower of a follower to the parent of its own
SELECT regexp_replace(key, '\d+', 'YEAR') AS key
FROM pairs
WHERE partition::text = format('logs_%s', extract(year FROM now()) + 1);
DO $$ BEGIN EXECUTE format('DROP TABLE logs_%1$s, steps_%1$s, jobs_%1$s', extract(year FROM now()) - 3); END $$;
COMMIT;
DROP VIEW upkeep;
DROP TABLE logs, steps, jobs;

-- Rows of a follower that no partition of their own would take along keep the parent's partition.
CREATE TABLE trips (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('trips', '2021-01-01', '2021-04-01', '1 month');
CREATE TABLE stops (trip uuid, n int) PARTITION BY RANGE (trip);
CREATE TABLE stops_rest PARTITION OF stops DEFAULT;
CREATE TABLE stops_of_a_day PARTITION OF stops FOR VALUES FROM (uuid_boundary('2021-02-10')) TO (uuid_boundary('2021-02-11'));
INSERT INTO stops VALUES (uuid_boundary('2021-01-10'), 1), (uuid_boundary('2021-02-10'), 1);
SET client_min_messages = error;
SELECT action, partition, problem
	FROM uuid_partition_maintain('trips', '1 month', 0, '1 month', followers => '{stops}', dry_run => true) WHERE action ~ 'dropped';
-- told beforehand, and to be drained
SELECT message FROM uuid_partition_check('trips', '0', followers => '{stops}') WHERE message ~ 'rows in the default';
SELECT action, partition, problem
FROM uuid_partition_maintain('trips', '1 month', 0, '1 month', followers => '{stops}')
WHERE action ~ 'dropped';
ALTER TABLE stops_rest ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE ROLE regress_uidext_trips;
ALTER TABLE trips OWNER TO regress_uidext_trips;
ALTER TABLE stops OWNER TO regress_uidext_trips;
DO $$ DECLARE t regclass; BEGIN
	FOR t IN SELECT inhrelid FROM pg_inherits
		WHERE inhparent IN ('trips'::regclass, 'stops'::regclass) LOOP EXECUTE format(
			'ALTER TABLE %s OWNER TO regress_uidext_trips', t);
		END LOOP;
		END $$;
SET ROLE regress_uidext_trips;
SELECT action, partition, problem
FROM uuid_partition_maintain('trips', '1 month', 0, '1 month', followers => '{stops}')
WHERE action ~ 'dropped';
ALTER TABLE stops_rest NO FORCE ROW LEVEL SECURITY;
UPDATE stops SET trip = uuid_boundary('2021-08-10') WHERE trip < uuid_boundary('2021-02-01');
-- a snapshot may be older than rows
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT error_of($$
	SELECT uuid_partition_maintain('trips', '1 month', 0, '1 month', followers => '{stops}', dry_run => true)$$)
	AS dry_run :unaligned
SELECT error_of($$
	SELECT uuid_partition_maintain('trips', '1 month', 0, '1 month', followers => '{stops}')$$)
	AS real_run :unaligned
ROLLBACK;
TRUNCATE stops_of_a_day;
BEGIN;
SELECT action, partition, problem
FROM uuid_partition_maintain('trips', '1 month', 0, '1 month', followers => '{stops}')
WHERE action ~ 'dropped';
ROLLBACK;
TRUNCATE stops;
BEGIN;
SELECT action, partition, problem
	FROM uuid_partition_maintain('trips', '1 month', 0, '1 month', detach_only => true, followers => '{stops}')
	WHERE action ~ 'detached';
COMMIT;
RESET ROLE;
DROP TABLE trips, stops, trips_2021_01, trips_2021_02;
DROP ROLE regress_uidext_trips;
RESET client_min_messages;

-- A month goes only with the partitions that refer to it, and detached these refer to the whole table all the same.
CREATE TABLE bills (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE lots (bill uuid) PARTITION BY RANGE (bill);
CREATE TABLE sums (bill uuid REFERENCES bills) PARTITION BY RANGE (bill);
SELECT count(*) AS made FROM uuid_partition_create('bills', '2020-01-01', '2020-03-01', '1 month');
SELECT count(*) AS made FROM uuid_partition_follow('lots', 'bills');
SELECT error_of($$SELECT uuid_partition_drop('bills', '2020-02-01', true)$$) AS detach,
	left(error_of($$SELECT uuid_partition_drop('bills', '2020-02-01')$$), 5) AS drop;
SET client_min_messages = error;
SELECT action, partition, problem FROM uuid_partition_drop('bills', '2020-02-01', true, true);
SELECT count(*) AS made FROM uuid_partition_follow('sums', 'bills');
INSERT INTO bills VALUES (uuid_boundary('2020-01-10'));
INSERT INTO sums SELECT id FROM bills;
-- a server before 15.9, 16.5 or 17.1 takes the keys of what is detached away
SELECT v < 150009 OR v BETWEEN 160000 AND 160004 OR v = 170000 AS is_old
FROM CAST(current_setting('server_version_num') AS int) AS v \gset
SELECT dry_run, action, partition, left(problem, 5) AS problem FROM unnest('{true,false}'::bool[]) AS dry_run,
	uuid_partition_maintain('bills', '1 month', 0, '1 month', detach_only => true,
		dry_run => CASE WHEN :'is_old' THEN dry_run IS NOT NULL ELSE dry_run END, followers => '{lots,sums}') WHERE partition ~ '2020';
RESET client_min_messages;
DELETE FROM sums;
-- what is no partition may stay
SELECT partition FROM uuid_partition_drop('lots', '2020-03-01', true);
SELECT error_of($$SELECT uuid_partition_drop('bills', '2020-03-01', true)$$) AS detach :unaligned
-- the partition that was detached refers to the whole table still
SELECT count(*) AS keys_to_all_bills
FROM pg_constraint
WHERE conrelid = 'sums_2020_02'::regclass AND confrelid = 'bills'::regclass;
SET client_min_messages = warning;
DROP TABLE lots, lots_2020_01, lots_2020_02, sums, sums_2020_02, bills, bills_2020_02;
RESET client_min_messages;

-- What followers lack comes as well, but for what goes in the same call, and nothing that they have.
BEGIN;
CREATE TABLE tasks (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE runs (task uuid PRIMARY KEY) PARTITION BY RANGE (task);
CREATE TABLE errors (task uuid PRIMARY KEY) PARTITION BY RANGE (task);
CREATE TABLE error (LIKE errors, FOREIGN KEY (task) REFERENCES runs ON DELETE CASCADE);
CREATE VIEW years AS SELECT date_trunc('year', now(), 'UTC') + n * interval '1 year' AS at, n FROM generate_series(-9, 9) AS n;
CREATE FUNCTION relative(name text)
	RETURNS text RETURN replace(regexp_replace(name, '20\d\d',
	(regexp_replace('0' || name, '\D', '', 'g')::int - extract(year FROM now()))::text), 'public.', '');
SELECT count(*) AS made
FROM uuid_partition_create(
	'tasks', (SELECT at FROM years WHERE n = -3), (SELECT at FROM years WHERE n = 1), '1 year');
SELECT count(*) AS made FROM uuid_partition_follow('runs', 'tasks');
SELECT count(*) AS made FROM uuid_partition_follow('errors', 'runs', 'error');
DROP TABLE error;
CREATE PROCEDURE run_for_years(command text, first int, last int) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE (
		SELECT string_agg(replace(command, 'YEAR', extract(year FROM at)::text), '; ')
		FROM years
		WHERE n BETWEEN first AND last);
END
$$;
CALL run_for_years('DROP TABLE errors_YEAR', -3, -3);
CALL run_for_years('DROP TABLE errors_YEAR', 0, 0);
CALL run_for_years('CREATE TABLE runs_YEAR PARTITION OF runs FOR VALUES FROM (uuid_boundary(''YEAR-01-01 00:00+00'')) '
	'TO (uuid_boundary(timestamptz ''YEAR-01-01 00:00+00'' + interval ''1 year''))', 1, 1);
CREATE TABLE tasks_rest PARTITION OF tasks DEFAULT;
CREATE TABLE errors_rest PARTITION OF errors DEFAULT;
SET client_min_messages = error;
SELECT action, relative(partition) AS partition, problem
FROM uuid_partition_maintain('tasks', '1 year', 2, '2 years', followers => '{runs,errors}');
SELECT relative(pg_get_constraintdef(oid)) AS key FROM pg_constraint
	WHERE conrelid = (SELECT format('errors_%s', extract(year FROM at))::regclass FROM years WHERE n = 2) AND contype = 'f';
-- when all are old, what comes is like the newest
CALL run_for_years('DROP TABLE errors_YEAR, runs_YEAR, tasks_YEAR', -1, 2);
SELECT action, relative(partition) AS partition, problem
FROM uuid_partition_maintain('tasks', '1 year', 0, '1 year', followers => '{runs,errors}');
SELECT relative(pg_get_constraintdef(oid)) AS key FROM pg_constraint
	WHERE conrelid = (SELECT format('errors_%s', extract(year FROM at))::regclass FROM years WHERE n = 0) AND contype = 'f';
RESET client_min_messages;
COMMIT;
DROP TABLE errors, runs, tasks;
DROP PROCEDURE run_for_years;
DROP FUNCTION relative;
DROP VIEW years;
DROP VIEW pairs;
DROP FUNCTION error_of;
