-- gen_uuidv7(shift): the clock plus an interval, by the calendar of UTC.

BEGIN;
\ir include/settings.sql
SELECT no_plan();

CREATE FUNCTION pg_temp.off_by(zone text, shift interval) RETURNS interval LANGUAGE plpgsql AS $$
-- How far the id's time lies outside of what the interval makes of the times of
-- the session's ids before and after, which cannot step back.  Times are floored
-- to milliseconds, the fraction and that of the shift to 1/4096 of them.
DECLARE
	before timestamp;
	shifted timestamp;
	after timestamp;
BEGIN
	PERFORM set_config('timezone', zone, true);
	LOOP
		before := uuid_time(gen_uuidv7()) AT TIME ZONE 'UTC';
		shifted := uuid_time(gen_uuidv7(shift)) AT TIME ZONE 'UTC';
		after := uuid_time(gen_uuidv7()) AT TIME ZONE 'UTC';
		-- at midnight the month that is added may have other days
		EXIT WHEN before::date = after::date;
	END LOOP;
	RETURN greatest(date_trunc('milliseconds', before + shift - interval '1 us') - shifted,
		shifted - (after + shift + interval '999 us'), '0');
END $$;

SELECT is(pg_temp.off_by(zone, shift), '0', format('shift of %s under TimeZone %s', shift, zone))
FROM unnest('{UTC,America/New_York,America/St_Johns,Asia/Kathmandu,Pacific/Apia}'::text[]) AS zone,
	unnest(
		'{0,1 ms,-1 ms,1 us,-1 us,999 us,1 day,-1 day,1 month,-1 month,-8 months,100 years,-40 years,
			8000 years,1 mon -30 days 12:00}'::interval[])
		AS shift;

-- Days of 24 hours, though the session's zone changes its clock on the way.
SET LOCAL timezone = 'America/New_York';
SELECT d AS days FROM generate_series(1, 366) AS d
WHERE now() + d * interval '24 hours' <> now() + d * interval '1 day' LIMIT 1 \gset
SELECT is(pg_temp.off_by('America/New_York', :days * interval '1 day'), '0', 'days across a change of daylight saving time');
SET LOCAL timezone = 'UTC';

-- A fixed shift keeps the series' order, resolution and uniqueness; base/clock.pl knows the fraction.
SELECT is(count(*)::int, 0, 'ids of one shift increase')
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last_id
	FROM (SELECT n, gen_uuidv7('-1 day 250 us') AS id FROM generate_series(1, 20000) AS n) AS s) AS p
WHERE NOT pg_temp.is_next(id, last_id);
SELECT is(count(*)::int, 0, 'version 7 and variant 10 in each id')
FROM (SELECT gen_uuidv7('1 day') AS id FROM generate_series(1, 1000)) AS s WHERE id::text !~ '^.{14}7.{4}[89ab]';

-- Times that no id can hold.
SELECT is(gen_uuidv7(NULL), NULL, 'no shift, no id');
SELECT throws_ok(format('SELECT gen_uuidv7(%L::interval)', shift), '22008', NULL, 'a shift of ' || shift || ' is an error')
FROM unnest('{-1000 years,10000 years,1000000 years}'::text[]) AS shift;
SELECT CASE WHEN current_setting('server_version_num')::int >= 170000
	THEN throws_ok(format('SELECT gen_uuidv7(%L::interval)', shift), '22008', NULL, 'a shift of ' || shift || ' is an error')
	ELSE skip('there are no infinite intervals before 17') END
FROM unnest('{infinity,-infinity}'::text[]) AS shift;

SELECT * FROM finish();
ROLLBACK;
