-- The newest partition is what new ones are like: it does not go while these cannot come.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(8);

CREATE ROLE partition_keeper;
CREATE ROLE partition_stranger;
GRANT CREATE ON SCHEMA public TO partition_keeper, partition_stranger;
CREATE TYPE kind AS ENUM ('a');

-- What an event trigger does nobody can tell before it has fired.
SET ROLE partition_keeper;
CREATE TABLE orders (id uuid, kind kind) PARTITION BY RANGE (id);
CREATE TABLE orders_old PARTITION OF orders FOR
	VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('2020-02-01 00:00+00')) PARTITION BY LIST (kind);
CREATE TABLE orders_old_all PARTITION OF orders_old DEFAULT;
RESET ROLE;
CREATE FUNCTION forbid() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'no table today'; END$$;
CREATE EVENT TRIGGER no_table ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION forbid();
SET ROLE partition_keeper;
SELECT is(
	pg_temp.outcome($$
		SELECT DISTINCT action, problem
		FROM uuid_partition_maintain('orders', '1 month', 0, '1 month')
		WHERE partition ~ 'old'$$),
	'("not dropped","55000: partition public.orders_old is the newest of table public.orders, and no newer one is made")',
	'the newest one stays where no newer one could be made');
RESET ROLE;
DROP EVENT TRIGGER no_table;
SET ROLE partition_keeper;
SELECT is(
	pg_temp.outcome($$
		SELECT action FROM uuid_partition_maintain('orders', '1 month', 0, '1 month') WHERE partition ~ 'old'$$),
	'(dropped)',
	'and goes once there are newer ones');
SELECT is((
		SELECT bool_and(c.relkind = 'p')
		FROM pg_inherits
		JOIN pg_class c ON c.oid = inhrelid
		WHERE inhparent = 'orders'::regclass), true,
	'which are divided like it');

-- Where it is known beforehand that none can come, the newest is not even tried, and the others go.
CREATE TABLE trips (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create('trips', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \g /dev/null
SELECT format('CREATE TABLE %I ()',
	to_char(n * interval '1 month' + date_trunc('month', now() AT TIME ZONE 'UTC'), '"trips_"YYYY_MM'))
FROM generate_series(-1, 0) n \gexec
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition
		FROM uuid_partition_maintain('trips', '1 month', 0, '1 month')
		WHERE action <> 'not created'$$),
	'(dropped,public.trips_2020_01)', 'the newest is left alone where no newer one can be made');

-- A follower's, which a name that is taken keeps from getting newer ones.
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE steps (visit_id uuid NOT NULL) PARTITION BY RANGE (visit_id);
SELECT uuid_partition_create('visits', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \g /dev/null
SELECT uuid_partition_follow('steps', 'visits') \g /dev/null
SELECT uuid_partition_create('visits', date_trunc('month', now() - interval '1 month', 'UTC'), now(), '1 month') \g /dev/null
SELECT format('CREATE TABLE %I ()', replace(relname, 'visits', 'steps')) FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
WHERE inhparent = 'visits'::regclass AND relname !~ '2020_0[12]' \gexec
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition
		FROM uuid_partition_maintain('visits', '1 month', 0, '1 month', followers => '{steps}', dry_run => true)
		WHERE partition ~ '2020_0[12]'$$),
	E'("to be dropped",public.steps_2020_01)\n("to be dropped",public.visits_2020_01)\n'
	'("not dropped",public.steps_2020_02)\n("not dropped",public.visits_2020_02)',
	'a dry run tells that a follower''s newest stays, and what goes with it');
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition
		FROM uuid_partition_maintain('visits', '1 month', 0, '1 month', followers => '{steps}')
		WHERE partition ~ '2020_0[12]'$$),
	E'(dropped,public.steps_2020_01)\n(dropped,public.visits_2020_01)\n'
	'("not dropped",public.steps_2020_02)\n("not dropped",public.visits_2020_02)',
	'and so it does');

-- An empty part of somebody else's holds no row that would stay, and needs no lock.
DROP TABLE visits, steps CASCADE;
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE steps (visit_id uuid NOT NULL) PARTITION BY RANGE (visit_id);
SELECT uuid_partition_create('visits', '2019-01-01 00:00+00', '2019-03-01 00:00+00', '1 month') \g /dev/null
SELECT uuid_partition_follow('steps', 'visits') \g /dev/null
DROP TABLE steps_2019_01;
CREATE TABLE steps_rest PARTITION OF steps DEFAULT;
RESET ROLE;
ALTER TABLE steps_rest OWNER TO partition_stranger;
SET ROLE partition_keeper;
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition
		FROM uuid_partition_maintain('visits', '1 year', 0, '1 year', followers => '{steps}', dry_run => true)
		WHERE partition ~ '2019_01'$$),
			'("to be dropped",public.visits_2019_01)',
			'a dry run drops what others have an empty part beside');
SELECT is(
	pg_temp.outcome($$SELECT action, partition FROM uuid_partition_maintain('visits', '1 year', 0, '1 year', followers => '{steps}')
		WHERE partition ~ '2019_01'$$), '(dropped,public.visits_2019_01)', 'and so does the call');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
