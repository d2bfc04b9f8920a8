-- Where a month is partitioned itself, the bounds of its parts in the next month are
-- the same, whatever the caller's session makes of dates, intervals and numbers.

BEGIN;
\ir include/settings.sql
SELECT plan(12);

CREATE FUNCTION pg_temp.bounds_of(month text) RETURNS text[] LANGUAGE sql
	SET timezone = 'UTC' SET datestyle = 'ISO, YMD' SET intervalstyle = 'iso_8601' SET extra_float_digits = 3 AS $$
SELECT array_agg(pg_get_expr(relpartbound, c.oid) ORDER BY c.relname)
FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = to_regclass(month)
$$;

-- Each table is partitioned by month, and January in three by a column of another type.
CREATE FUNCTION pg_temp.make_trips(type text, first text, second text) RETURNS void LANGUAGE plpgsql
	SET timezone = 'Asia/Kolkata' SET datestyle = 'ISO, YMD' SET intervalstyle = 'postgres' AS $$
DECLARE
	january record;
BEGIN
	DROP TABLE IF EXISTS trips;
	EXECUTE format('CREATE TABLE trips (id uuid NOT NULL, part %s) PARTITION BY RANGE (id)', type);
	SELECT * INTO january FROM uuid_partition_bounds('2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
	EXECUTE format(
		'CREATE TABLE trips_2020_01 PARTITION OF trips FOR VALUES FROM (%L) TO (%L) PARTITION BY RANGE (part)',
		january.from_id, january.to_id);
	EXECUTE format('CREATE TABLE trips_2020_01_a PARTITION OF trips_2020_01 FOR VALUES FROM (MINVALUE) TO (%L)', first);
	EXECUTE format('CREATE TABLE trips_2020_01_b PARTITION OF trips_2020_01 FOR VALUES FROM (%L) TO (%L)', first, second);
	EXECUTE format('CREATE TABLE trips_2020_01_c PARTITION OF trips_2020_01 FOR VALUES FROM (%L) TO (MAXVALUE)', second);
END $$;

CREATE FUNCTION pg_temp.are_copied(type text, first text, second text, settings text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	setting text;
	problem text := '';
BEGIN
	PERFORM pg_temp.make_trips(type, first, second);
	FOREACH setting IN ARRAY string_to_array(settings, '; ') LOOP
		EXECUTE 'SET LOCAL ' || setting;
	END LOOP;
	BEGIN
		PERFORM uuid_partition_create('trips', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month');
	EXCEPTION WHEN OTHERS THEN
		problem := format(' (%s: %s)', SQLSTATE, SQLERRM);
	END;
	RETURN NEXT is(pg_temp.bounds_of('trips_2020_02'), pg_temp.bounds_of('trips_2020_01'),
		format('bounds of type %s are the same where a session has SET %s', type, settings) || problem);
	SET LOCAL timezone = 'UTC';
	SET LOCAL datestyle = 'ISO, MDY';
	SET LOCAL intervalstyle = 'postgres';
	SET LOCAL extra_float_digits = 1;
END $$;

SELECT pg_temp.are_copied(type, first, second, settings)
FROM (VALUES
	('timestamptz', '2020-02-01 00:00+05:30', '2020-03-04 00:00+05:30', 'datestyle = ''SQL, DMY''; timezone = ''Asia/Kolkata'''),
	('timestamptz', '2020-02-01 00:00+05:30', '2020-03-04 00:00+05:30', 'datestyle = ''SQL, MDY''; timezone = ''America/St_Johns'''),
	('timestamptz', '2020-02-01 00:00+00', '2020-03-04 00:00+00', 'datestyle = German; timezone = ''Asia/Kolkata'''),
	('timestamptz', '2020-02-01 00:00+00', '2020-03-04 00:00+00', 'datestyle = ''Postgres, DMY''; timezone = ''Australia/Sydney'''),
	('timestamp', '2020-02-01 00:00', '2020-03-04 00:00', 'datestyle = ''SQL, DMY'''),
	('timestamp', '2020-02-01 00:00', '2020-03-04 00:00', 'datestyle = ''Postgres, DMY'''),
	('date', '2020-02-01', '2020-03-04', 'datestyle = ''SQL, DMY'''),
	('date', '2020-02-01', '2020-03-04', 'datestyle = ''Postgres, DMY'''),
	('float8', '0.1', '0.30000000000000004', 'extra_float_digits = 0'),
	('float4', '0.1', '0.123456791', 'extra_float_digits = -3'),
	('interval', '-1 day +02:03:04', '1 year 2 months -3 days', 'intervalstyle = ''sql_standard'''),
	('interval', '-1 day +02:03:04', '1 year 2 months -3 days', 'intervalstyle = ''postgres_verbose''')
) AS tables(type, first, second, settings);

SELECT * FROM finish();
ROLLBACK;
