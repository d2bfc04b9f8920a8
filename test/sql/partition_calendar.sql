-- Where periods begin and end in a time zone, also while its clocks change, and what partitions of them are called.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
SET client_min_messages = warning;

-- Time with units of a zone: days of 23 to 25 hours, but 24 hours are 24 hours.
SELECT length, uidext_internal.partition_add('2026-10-31 01:30-04', length, 'America/New_York') AS "in autumn",
	uidext_internal.partition_add('2026-03-07 12:00-05', length, 'America/New_York') AS "in spring",
	uidext_internal.partition_add('2026-11-01 01:30-04', length, 'America/New_York') AS "hour that comes twice"
FROM unnest('{0,1 day,24 hours,1 month,1 day 12 hours,-1 day,-36 hours,-30 minutes}'::interval[]) AS length;

-- About how many steps lead from a time to another: none where that cannot be said.
SELECT start, stop, step, uidext_internal.partition_count_intervals(start, stop, step) AS steps
FROM (VALUES (timestamptz '2020-01-01', timestamptz '2020-03-01', interval '1 day'), ('2020-01-01', 'infinity', '1 day'), ('-infinity', '2020-01-01', '1 day'),
	('2020-01-01', '2020-03-01', '0')) AS asked(start, stop, step);

-- Where the first period begins; an hour that comes twice does not hide the present.
SELECT step, uidext_internal.partition_origin('2026-08-19 17:47:11.5+00', step, 'UTC') AS utc,
	uidext_internal.partition_origin('2026-08-19 17:47:11.5+00', step, 'Asia/Tokyo') AS tokyo
FROM unnest('{5 years,18 months,1 year,6 months,3 months,1 month,14 days,7 days,1 day,12:00,01:00,00:15,00:07,00:00:30,00:00:00.5}'::interval[]) AS step;
SELECT tz, step, at, uidext_internal.partition_origin(at, step, tz), uidext_internal.partition_origin(at, step, tz) <= at AS begun
FROM unnest('{12:00,01:00,00:50,00:15}'::interval[]) AS step,
	(VALUES ('America/New_York', timestamptz '2026-11-01 01:40-04'), ('America/New_York', '2026-11-01 01:40-05'), ('America/New_York', '2026-03-08 03:10-04'),
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
SELECT count(*) AS made FROM uuid_partition_create('ticks', now() - interval '2 hours', now() + interval '1 minute', '10 minutes');
SELECT action, count(*) AS steps, bool_and(to_time <= now() - interval '30 minutes') AS longer_ago
FROM uuid_partition_maintain('ticks', '10 minutes', 0, '30 minutes', tz => :'tz') GROUP BY action;
SELECT count(*) AS since FROM uuid_partition_list('ticks') WHERE to_time <= now();
SELECT action, count(*) AS steps FROM uuid_partition_maintain('ticks', '10 minutes', 0, '10 minutes', tz => :'tz') GROUP BY action;
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
SELECT action, count(*) AS steps, bool_and(partition ~ '_\d{4}_\d\d_\d\d_2100$') AS named_by_the_hour, bool_or(problem IS NOT NULL) AS problem
FROM uuid_partition_maintain('west', '1 month', ahead => 3, tz => 'America/Sao_Paulo') GROUP BY 1;
COMMIT;
SELECT uidext_internal.partition_suffix(t, step, tz) FROM (VALUES (timestamptz '2027-01-01 00:00+00')) AS times(t),
	(VALUES (interval '18 months'), ('1 year'), ('1 month'), ('7 days'), ('1 hour')) AS steps(step), (VALUES ('UTC'), ('America/Sao_Paulo'), ('Asia/Kolkata')) AS zones(tz)
ORDER BY step, tz;
-- a midnight that the clocks left out
SELECT uidext_internal.partition_suffix('2018-11-04 03:00+00', '1 day', 'America/Sao_Paulo');
DROP TABLE west;
