-- Where periods begin and end in a time zone, also while its clocks change, and what partitions of them are called.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

-- Periods: calendar months, from the start each time, until the end is covered.
SELECT * FROM uuid_partition_bounds('2025-12-01', '2026-03-01', '1 month');
SELECT from_time, to_time FROM uuid_partition_bounds('2024-01-31', '2024-06-15', '1 month');
SELECT from_time, to_time FROM uuid_partition_bounds('2023-12-31', '2024-05-01', '2 months');
SELECT from_time, to_time FROM uuid_partition_bounds('2024-02-29', '2028-03-01', '1 year');
SELECT from_time, to_time FROM uuid_partition_bounds('2026-01-30 12:00', '2026-03-02', '1 month 1 day');
SELECT from_time, to_time FROM uuid_partition_bounds('2026-02-26', '2026-03-02 00:00:00.000001', '1 day');
SELECT from_time, to_time FROM uuid_partition_bounds('2026-01-01', '2026-01-01 00:00:00.000001', '1 week');
SELECT * FROM uuid_partition_bounds('1970-01-01', '1970-01-01 00:00:00.002', '1 millisecond');

-- Days as the zone has them: 23 and 25 hours in Berlin, 23.5 and 24.5 on Lord Howe Island.
SELECT from_time, to_time, to_time - from_time AS length
FROM uuid_partition_bounds('2024-03-30 00:00 Europe/Berlin', '2024-04-02 00:00 Europe/Berlin', '1 day', 'Europe/Berlin');
SELECT from_time, to_time, to_time - from_time AS length
FROM uuid_partition_bounds('2024-10-26 00:00 Europe/Berlin', '2024-10-29 00:00 Europe/Berlin', '1 day', 'Europe/Berlin');
SELECT from_time, to_time, to_time - from_time AS length
FROM uuid_partition_bounds('2024-03-01 00:00 Europe/Berlin', '2024-12-01 00:00 Europe/Berlin', '3 months', 'Europe/Berlin');
SELECT from_time, to_time, to_time - from_time AS length
FROM uuid_partition_bounds('2024-04-06 00:00 Australia/Lord_Howe', '2024-04-09 00:00 Australia/Lord_Howe',
	'1 day', 'Australia/Lord_Howe');
SELECT from_time, to_time, to_time - from_time AS length
FROM uuid_partition_bounds('2024-10-05 00:00 Australia/Lord_Howe', '2024-10-08 00:00 Australia/Lord_Howe',
	'1 day', 'Australia/Lord_Howe');
SELECT from_time, to_time
FROM uuid_partition_bounds(
	'2026-01-01 00:00 Asia/Kathmandu', '2026-03-01 00:00 Asia/Kathmandu', '1 month', 'Asia/Kathmandu');
SELECT from_time, to_time FROM uuid_partition_bounds('2026-01-01 00:00+05:45', '2026-02-01 00:00+05:45', '1 month', '-05:45');
-- a day that the zone left out
SELECT from_time, to_time, to_time - from_time AS length
FROM uuid_partition_bounds('2011-12-29 00:00 Pacific/Apia', '2012-01-01 00:00 Pacific/Apia', '1 day', 'Pacific/Apia');

-- Hours: one is missing in spring; in autumn two share the name of one, and are one period.
SELECT from_time, to_time FROM uuid_partition_bounds('2024-03-31 00:00+01', '2024-03-31 04:00+02', '1 hour', 'Europe/Berlin');
SELECT from_time, to_time FROM uuid_partition_bounds('2024-10-27 00:00+02', '2024-10-27 04:00+01', '1 hour', 'Europe/Berlin');
-- shorter than the hour that changes
SELECT from_time, to_time FROM uuid_partition_bounds('2024-03-31 01:00+01', '2024-03-31 04:00+02', '30 minutes', 'Europe/Berlin');
SELECT from_time, to_time FROM uuid_partition_bounds('2024-10-27 02:00+02', '2024-10-27 04:00+01', '30 minutes', 'Europe/Berlin');
-- elapsed time is that of UTC
SELECT count(*) AS periods, min(to_time - from_time) AS shortest, max(to_time - from_time) AS longest
FROM uuid_partition_bounds('2024-01-01', '2025-01-01', '1 hour');

-- Periods meet, for every step and zone, and are as their boundaries say.  The 26,000 of
-- 20 minutes where clocks change, by an hour and by half an hour.
SELECT tz, step, count(*) AS periods,
	count(*) FILTER (WHERE from_time >= to_time) AS not_forward,
	count(*) FILTER (WHERE from_time <> previous) AS not_adjacent,
	count(*) FILTER (WHERE from_id <> uuid_boundary(from_time) OR to_id <> uuid_boundary(to_time)) AS wrong_ids,
	min(from_time) = '2024-01-31 00:00' AND max(to_time) >= '2025-01-31 00:00' AND max(from_time) < '2025-01-31 00:00' AS covered
FROM unnest(ARRAY['UTC', 'Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu']) AS tz,
	unnest('{20 minutes,1 hour,12 hours,1 day,1 month,1 month 1 day}'::interval[]) AS step,
	LATERAL (SELECT *, lag(to_time) OVER (ORDER BY n) AS previous
		FROM uuid_partition_bounds('2024-01-31', '2025-01-31', step, tz) WITH ORDINALITY AS b(
			from_time, to_time, from_id, to_id, n)) AS bounds
WHERE step > '20 minutes' OR tz IN ('Europe/Berlin', 'Australia/Lord_Howe')
GROUP BY tz, step ORDER BY tz, step;

-- A midnight that the clocks leave out
SELECT from_time AT TIME ZONE 'America/Santiago' AS "from", to_time - from_time AS length
FROM uuid_partition_bounds('2026-09-05 00:00 America/Santiago', '2026-09-08 00:00 America/Santiago', '1 day', 'America/Santiago');
SELECT from_time AT TIME ZONE 'America/Santiago' AS "from", to_time - from_time AS length
FROM uuid_partition_bounds('2026-09-06 00:00 America/Santiago', '2026-09-08 00:00 America/Santiago', '1 day', 'America/Santiago');
CREATE TABLE santiago (id uuid) PARTITION BY RANGE (id);
SELECT uuid_partition_create('santiago', '2026-09-06 00:00 America/Santiago',
	'2026-09-08 00:00 America/Santiago', '1 day', 'America/Santiago');
DROP TABLE santiago;

-- A midnight of another zone
CREATE TABLE mine (id uuid) PARTITION BY RANGE (id);
SET timezone = 'Asia/Almaty';
SELECT error_of($$SELECT uuid_partition_create('mine', '2023-12-01', '2024-01-01', '1 month')$$) :unaligned
-- the last day of all, which is in the next year in this zone
SELECT error_of($$SELECT uuid_partition_create('mine', '294276-12-31 22:00+00', 'infinity', '1 month')$$) :unaligned
SELECT uuid_partition_create('mine', '2023-12-01', '2024-01-01', '1 month', 'Asia/Almaty');
SELECT error_of($$SELECT uuid_partition_create('mine', '2023-12-01 00:00Z', '2024-01-01 00:00Z', '12 hours') LIMIT 1$$) :unaligned
SET timezone = 'UTC';
DROP TABLE mine;

-- Errors of the periods
SELECT command || E'\n' || error_of('SELECT uuid_partition_bounds(' || command || ')') AS "arguments and error"
FROM unnest(ARRAY[$$'2026-02-01', '2026-01-01', '1 month'$$, $$'2026-01-01', '2026-01-01', '1 month'$$,
	$$'-infinity', '2026-01-01', '1 month'$$, $$'2026-01-01', 'infinity', '1 month'$$,
	$$'2026-01-01', '2026-01-05', '0'$$, $$'2026-01-01', '2026-01-05', '-1 day'$$, $$'2026-01-01', '2026-01-05', '-1 month'$$,
	$$'2026-01-01', '2026-01-05', '1 month -30 days'$$,
	$$'2026-01-01', '2026-01-05', '2 months -45 days'$$,
	$$'2026-01-01', '2026-01-05', '-1 month 60 days'$$,
	$$'2026-01-01', '2026-01-05', '1 day -1 second'$$, $$'2026-01-01', '2026-01-01 00:00:01', '999 microseconds'$$,
	$$'2026-01-01', '2026-02-01', '1 month', 'Europe/Atlantis'$$, $$'2026-01-01', '2026-02-01', '1 month', ''$$,
	$$'1969-12-01', '1970-02-01', '1 month'$$,
	$$'10889-08-01', '10889-08-03', '1 day'$$,
	$$'10889-07-30', '10889-08-02', '1 day'$$]) AS command :unaligned
SELECT (SELECT count(*) FROM uuid_partition_bounds(NULL, '2026-01-01', '1 day')) AS no_start,
	(SELECT count(*) FROM uuid_partition_bounds('2026-01-01', '2026-02-01', NULL)) AS no_step;

-- Time with units of a zone: days of 23 to 25 hours, but 24 hours are 24 hours.
SELECT length, uidext_internal.partition_add('2026-10-31 01:30-04', length, 'America/New_York') AS "in autumn",
	uidext_internal.partition_add('2026-03-07 12:00-05', length, 'America/New_York') AS "in spring",
	uidext_internal.partition_add('2026-11-01 01:30-04', length, 'America/New_York') AS "hour that comes twice"
FROM unnest('{0,1 day,24 hours,1 month,1 day 12 hours,-1 day,-36 hours,-30 minutes}'::interval[]) AS length;
-- also months less days that are equal to nothing
BEGIN;
SET LOCAL timezone = 'Pacific/Apia';
SELECT uidext_internal.partition_add('2026-11-30 17:00+00', '-1 month 30 days', 'UTC') = '2026-11-29 17:00+00' AS in_utc;
ROLLBACK;

-- About how many steps lead from a time to another: none where that cannot be said.
SELECT start, stop, step, uidext_internal.partition_count_intervals(start, stop, step) AS steps
FROM (VALUES (timestamptz '2020-01-01', timestamptz '2020-03-01', interval '1 day'),
	('2020-01-01', 'infinity', '1 day'), ('-infinity', '2020-01-01', '1 day'),
	('2020-01-01', '2020-03-01', '0')) AS asked(start, stop, step);

-- Ten thousand partitions are not too many.
SELECT error_of('SELECT uidext_internal.partition_check_count(10000)') AS ten_thousand,
	left(error_of('SELECT uidext_internal.partition_check_count(10001)'), 5) AS one_more;

-- Where the first period begins; an hour that comes twice does not hide the present.
SELECT step, uidext_internal.partition_origin('2026-08-19 17:47:11.5+00', step, 'UTC') AS utc,
	uidext_internal.partition_origin('2026-08-19 17:47:11.5+00', step, 'Asia/Tokyo') AS tokyo
FROM unnest(
	'{5 years,18 months,1 year,6 months,3 months,1 month,14 days,7 days,1 day,12:00,01:00,00:15,00:07,
		00:00:30,00:00:00.5}'::interval[])
	AS step;
SELECT tz, step, at, uidext_internal.partition_origin(at, step, tz) AS begins,
	uidext_internal.partition_origin(at, step, tz) <= at AS begun
FROM unnest('{12:00,01:00,00:50,00:15}'::interval[]) AS step,
	(
		VALUES ('America/New_York', timestamptz '2026-11-01 01:40-04'),
			('America/New_York', '2026-11-01 01:40-05'),
			('America/New_York', '2026-03-08 03:10-04'),
		('Australia/Lord_Howe', '2026-04-05 01:45+11')) AS v(tz, at);
-- and a midnight that does
\set zone 'CST5CDT,M3.2.0/0,M11.1.0/1'
SELECT step, uidext_internal.partition_origin('2026-11-01 00:30-04', step, :'zone') AT TIME ZONE :'zone' AS first_midnight,
	uidext_internal.partition_origin('2026-11-01 00:30-05', step, :'zone') AT TIME ZONE :'zone' AS second_midnight
FROM unnest('{1 month,7 days,1 day,06:00}'::interval[]) AS step;

-- Keeping hours, and beginning with them, while clocks go back: in this zone they do half an hour from now.
SELECT 'STD0DST,' || (day + 180) % 365 || ',' || day - 1 || '/' || to_char(back, 'HH24:MI:SS') AS tz
FROM (SELECT now() + interval '90 minutes' AS back) AS b, CAST(extract(doy FROM back) AS int) AS day \gset
CREATE TABLE ticks (id uuid) PARTITION BY RANGE (id);
BEGIN;
SELECT now() AT TIME ZONE :'tz' AT TIME ZONE :'tz' - now() AS twice;
SELECT count(*) AS made
FROM uuid_partition_create('ticks', now() - interval '2 hours', now() + interval '1 minute', '10 minutes');
SELECT action, count(*) AS steps, bool_and(to_time <= now() - interval '30 minutes') AS longer_ago
FROM uuid_partition_maintain('ticks', '10 minutes', 0, '30 minutes', tz => :'tz') GROUP BY action;
SELECT count(*) AS since FROM uuid_partition_list('ticks') WHERE to_time <= now();
SELECT action, count(*) AS steps
FROM uuid_partition_maintain('ticks', '10 minutes', 0, '10 minutes', tz => :'tz')
GROUP BY action;
SELECT count(*) AS listed FROM uuid_partition_list('ticks');
ROLLBACK;
BEGIN;
SELECT min(from_time) <= now() AS begun, bool_or(from_time <= now() AND to_time > now()) AS present
	FROM uuid_partition_maintain('ticks', '15 minutes', 2, tz => :'tz');
ROLLBACK;
-- days are the zone's, hours are hours
BEGIN;
SELECT count(*) AS made FROM uuid_partition_create('ticks', now() - interval '30 hours', now() + interval '1 minute', '1 hour');
SELECT count(*) AS steps FROM uuid_partition_maintain('ticks', '1 hour', 0, '25 hours', tz => :'tz');
SELECT count(*) AS steps FROM uuid_partition_maintain('ticks', '1 hour', 0, '1 day', tz => :'tz');
ROLLBACK;
DROP TABLE ticks;

-- A time zone west of the one before begins periods within days, and names them so.
CREATE TABLE west (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
BEGIN;
SELECT count(*) AS made FROM uuid_partition_create('west', date_trunc('month', now(), 'UTC'), now(), '1 month');
SELECT action,
	count(*) AS steps,
	bool_and(partition ~ '_\d{4}_\d\d_\d\d_2100$') AS named_by_the_hour,
	bool_or(problem IS NOT NULL) AS problem
FROM uuid_partition_maintain('west', '1 month', ahead => 3, tz => 'America/Sao_Paulo') GROUP BY 1;
COMMIT;
SELECT step, tz, uidext_internal.partition_suffix(t, step, tz) AS name_ends
FROM (VALUES (timestamptz '2027-01-01 00:00+00')) AS times(t),
	(VALUES (interval '18 months'), ('1 year'), ('1 month'), ('7 days'), ('1 hour')) AS steps(step),
	(VALUES ('UTC'), ('America/Sao_Paulo'), ('Asia/Kolkata')) AS zones(tz)
ORDER BY step, tz;
-- a midnight that the clocks left out
SELECT uidext_internal.partition_suffix('2018-11-04 03:00+00', '1 day', 'America/Sao_Paulo') AS name_ends;
DROP TABLE west;
DROP FUNCTION error_of;
