-- gen_uuidv7(shift): the clock plus an interval.

BEGIN;
SELECT plan(26);
SET LOCAL timezone = 'UTC';

CREATE FUNCTION pg_temp.off_by(shift interval) RETURNS interval LANGUAGE plpgsql AS $$
-- How far the id's time lies outside of what timestamptz + interval says for
-- the time in which it was made.  An id's time is floored to milliseconds, its
-- fraction and that of the shift to 1/4096 of them.
DECLARE
	before timestamptz := clock_timestamp();
	id uuid := gen_uuidv7(shift);
	after timestamptz := clock_timestamp();
BEGIN
	RETURN greatest(date_trunc('milliseconds', before + shift - interval '1 us') - uuid_time(id), uuid_time(id) - (after + shift), '0');
END $$;

SELECT is(pg_temp.off_by(shift), '0', 'shift of ' || shift)
FROM unnest('{0,1 ms,-1 ms,1 us,-1 us,999 us,1 day,-1 day,1 month,-1 month,100 years,-40 years,8000 years,1 mon -30 days 12:00}'::interval[]) AS shift;

-- Days and months are the session's calendar's, as in timestamptz + interval.
SET LOCAL timezone = 'America/New_York';
SELECT d AS days FROM generate_series(1, 366) AS d
WHERE now() + d * interval '24 hours' <> now() + d * interval '1 day' LIMIT 1 \gset
SELECT is(pg_temp.off_by(:days * interval '1 day'), '0', 'days across a change of daylight saving time');
SELECT is(pg_temp.off_by(:days * interval '24 hours'), '0', 'hours across a change of daylight saving time');
SELECT is(date_trunc('hour', abs_difference + interval '1 second'), '1 hour', 'the two differ by that hour')
FROM (SELECT greatest(d, -d) AS abs_difference
	FROM (SELECT uuid_time(gen_uuidv7(:days * interval '1 day')) - uuid_time(gen_uuidv7(:days * interval '24 hours'))) AS t(d)) AS t;
SET LOCAL timezone = 'UTC';

-- A fixed shift keeps the series' order, resolution and uniqueness.
SELECT is(count(*)::int, 0, 'ids of one shift increase')
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last_id
	FROM (SELECT n, gen_uuidv7('-1 day 250 us') AS id FROM generate_series(1, 200000) AS n) AS s) AS p
WHERE id <= last_id;
SELECT cmp_ok(count(DISTINCT substr(id::text, 16, 3))::int, '>', 3000, 'and they keep the fraction of the millisecond')
FROM (SELECT gen_uuidv7('-1 day') AS id FROM generate_series(1, 200000)) AS s;
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
