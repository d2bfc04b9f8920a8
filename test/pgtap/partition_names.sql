-- Two partitions of a table never want the same name, and no period stays without a
-- partition because of names.

BEGIN;
\ir include/settings.sql
SET client_min_messages = error;
SELECT plan(22);

CREATE FUNCTION pg_temp.new_orders() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS orders;
	CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
END $$;

-- What is between from_time and to_time and has no partition.
CREATE FUNCTION pg_temp.holes() RETURNS text LANGUAGE sql AS $$
SELECT string_agg(from_time || ' to ' || to_time, ', ' ORDER BY from_time)
FROM uuid_partition_list(to_regclass('orders'))
WHERE kind = 'gap'
$$;

CREATE FUNCTION pg_temp.problem_of(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	problems text;
BEGIN
	EXECUTE format('SELECT string_agg(problem, ''; '') FROM %s', call) INTO problems;
	RETURN problems;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END $$;

CREATE FUNCTION pg_temp.problem_of_create(arguments text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.problem_of(format('(SELECT NULL::text AS problem FROM uuid_partition_create(%s)) made', arguments))
$$;

-- Two periods of one month: somebody has split January, and left its name to the first half.
SELECT pg_temp.new_orders();
SELECT uuid_boundary('2020-01-01 00:00+00') AS first, uuid_boundary('2020-01-16 00:00+00') AS half \gset
CREATE TABLE orders_2020_01 PARTITION OF orders FOR VALUES FROM (:'first') TO (:'half');
SELECT is(pg_temp.problem_of_create($$'orders', '2020-01-16 00:00+00', '2020-02-16 00:00+00', '1 month'$$), NULL,
	'create makes the second partition of a month that begins in it');
SELECT is((SELECT count(*) FROM uuid_partition_list('orders') WHERE from_time = '2020-01-16 00:00+00'),
	1::bigint, 'and it is there');

-- The same of the present month, which maintain goes on with.  (On its last day the next begins.)
SELECT pg_temp.new_orders();
SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM') AS month, uuid_boundary(date_trunc('month', now(), 'UTC')) AS first,
	uuid_boundary(date_trunc('day', now(), 'UTC') + interval '1 day') AS tomorrow \gset
SELECT format('CREATE TABLE orders_%s PARTITION OF orders FOR VALUES FROM (%L) TO (%L)', :'month', :'first', :'tomorrow') \gexec
SELECT is(pg_temp.problem_of($$uuid_partition_maintain('orders', '1 month', 2)$$), NULL,
	'maintain makes the second partition of the present month');
SELECT is(pg_temp.holes(), NULL, 'and leaves no hole');

-- Hours of the night in which clocks go back, as somebody named them.
SELECT pg_temp.new_orders();
SELECT uuid_boundary('2026-10-25 00:00+00') AS first, uuid_boundary('2026-10-25 01:00+00') AS second \gset
CREATE TABLE orders_2026_10_25_0200 PARTITION OF orders FOR VALUES FROM (:'first') TO (:'second');
SELECT is(pg_temp.problem_of_create($$'orders', '2026-10-25 01:00+00', '2026-10-25 02:00+00', '1 hour', 'Europe/Berlin'$$), NULL,
	'create makes the second hour that begins at 02:00 of the clock');

-- PostgreSQL gives way with the name of an array type, and not with another's.
SELECT pg_temp.new_orders();
CREATE TABLE _orders (id uuid) PARTITION BY RANGE (id);
CREATE TABLE orders_2020_01 PARTITION OF orders FOR VALUES FROM (:'first') TO (:'second');
SELECT is(pg_temp.problem_of_create($$'_orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month'$$), NULL,
	'a partition may have the name of the type of arrays of another table''s rows');

-- The day of 25 hours.
SELECT pg_temp.new_orders();
SELECT is(pg_temp.problem_of_create($$'orders', '2026-10-25 00:00+02', '2026-10-26 00:00+01', '1 hour', 'Europe/Berlin'$$), NULL,
	'create makes the hours of a day that has 25');
SELECT is((
		SELECT array_agg(h ORDER BY h)
		FROM generate_series('2026-10-24 22:30+00'::timestamptz, '2026-10-25 22:30+00', '1 hour') h
	WHERE NOT EXISTS (SELECT FROM uuid_partition_list('orders') WHERE kind = 'partition' AND h >= from_time AND h < to_time)),
	NULL, 'and each of them has a partition');

-- A half hour at a time, in calls of their own, some of which begin between the two 02:00s.
SELECT pg_temp.new_orders();
SELECT is(
	(SELECT string_agg(pg_temp.problem_of_create(format(
			$$'orders', %L, %L, '30 minutes', 'Europe/Berlin'$$,
			coalesce((SELECT max(to_time) FROM uuid_partition_list('orders')), '2026-10-24 22:00+00'),
			coalesce((SELECT max(to_time) FROM uuid_partition_list('orders')), '2026-10-24 22:00+00') + interval '30 minutes')), '; ')
		FROM generate_series(1, 9)),
	NULL, 'half hours made one by one have different names when clocks go back');

-- Hours, then hours of a time zone further west.
SELECT pg_temp.new_orders();
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 hour', 5) \gset
SELECT is(pg_temp.problem_of($$uuid_partition_maintain('orders', '1 hour', 12, tz => 'America/New_York')$$), NULL,
	'maintain makes hours of a time zone further west');
SELECT is(pg_temp.holes(), NULL, 'and leaves no hole there, either');
SELECT is(pg_temp.problem_of($$uuid_partition_maintain('orders', '1 hour', 24, tz => 'Pacific/Honolulu')$$), NULL,
	'nor where it is changed again');

-- The name of another table is nothing that a call may take.
SELECT pg_temp.new_orders();
CREATE TABLE orders_2020_01 (id uuid);
SELECT alike(pg_temp.problem_of_create($$'orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month'$$),
	'42P07%', 'a name that a table has which is no partition is an error');
DROP TABLE orders_2020_01;

-- Holes.
SELECT pg_temp.new_orders();
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month', 4) \gset
SELECT partition AS hole FROM uuid_partition_list('orders') ORDER BY from_time OFFSET 2 LIMIT 1 \gset
DROP TABLE :hole;
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month', 4) \gset
SELECT is(pg_temp.holes(), NULL, 'maintain fills a hole that is still to come');
SELECT partition AS hole FROM uuid_partition_list('orders') ORDER BY from_time LIMIT 1 \gset
DROP TABLE :hole;
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month', 4) \gset
SELECT is((SELECT count(*) FROM uuid_partition_list('orders') WHERE from_time <= now() AND to_time > now()), 1::bigint,
	'maintain fills the hole that is the present');
SELECT pg_temp.new_orders();
SELECT count(*) AS made
FROM uuid_partition_create('orders', date_trunc('month', now(), 'UTC') - interval '5 months',
	date_trunc('month', now(), 'UTC') - interval '3 months', '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month', 3) \gset
SELECT is((SELECT max(severity) FROM uuid_partition_check('orders', ahead => '1 day')), 0,
	'check says OK of months without a hole');
SELECT partition AS hole FROM uuid_partition_list('orders') WHERE from_time > now() ORDER BY from_time OFFSET 1 LIMIT 1 \gset
DROP TABLE :hole;
SELECT is((
		SELECT count(*)
		FROM uuid_partition_check('orders', ahead => '1 day')
		WHERE severity = 1 AND message ~ '^no partition from .* to '), 1::bigint,
	'check tells of a hole that is further ahead than it looks');

-- Partitions of a leader that have one name in two schemas.
CREATE SCHEMA archive;
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE pages (visit_id uuid PRIMARY KEY) PARTITION BY RANGE (visit_id);
SELECT uuid_boundary('2020-01-01 00:00+00') AS first,
	uuid_boundary('2020-02-01 00:00+00') AS second,
	uuid_boundary('2020-03-01 00:00+00') AS third \gset
CREATE TABLE archive.visits_old PARTITION OF visits FOR VALUES FROM (:'first') TO (:'second');
CREATE TABLE visits_old PARTITION OF visits FOR VALUES FROM (:'second') TO (:'third');
SELECT is((
		SELECT string_agg(partition || coalesce(problem, ''), ', ' ORDER BY from_time)
		FROM uuid_partition_follow('pages', 'visits')),
	'public.pages_old, public.pages_2020_02_01_000000_000z', 'their counterparts have two names');

-- Parts at two depths whose names would be the same.
DROP TABLE orders;
CREATE TABLE orders (id uuid, country text) PARTITION BY RANGE (id);
SELECT uuid_boundary('2020-11-01 00:00+00') AS first, uuid_boundary('2020-12-01 00:00+00') AS second \gset
CREATE TABLE orders_2020_11 PARTITION OF orders FOR VALUES FROM (:'first') TO (:'second') PARTITION BY LIST (country);
CREATE TABLE orders_2020_11_eu PARTITION OF orders_2020_11 FOR VALUES IN ('fr', 'it') PARTITION BY LIST (country);
CREATE TABLE orders_2020_11_eu_fr PARTITION OF orders_2020_11_eu FOR VALUES IN ('fr');
CREATE TABLE eu_fr PARTITION OF orders_2020_11 FOR VALUES IN ('es');
SELECT is(pg_temp.problem_of_create(format($$'orders', %L, %L, '1 month'$$, at, at + interval '1 month')), NULL,
	format('create makes %s', what))
FROM (VALUES (timestamptz '2020-12-01 00:00+00', 'a partition with parts whose names would be the same'),
	('2021-01-01 00:00+00', 'the one after it')) months(at, what);
SELECT is((SELECT string_agg(c.relname || ' ' || pg_get_expr(c.relpartbound, c.oid), ', ' ORDER BY c.relname)
		FROM pg_partition_tree(to_regclass('orders_2021_01')) p JOIN pg_class c ON c.oid = p.relid WHERE c.relname ~ 'fr'),
	'orders_2021_01_eu_fr FOR VALUES IN (''es''), orders_2021_01_eu_fr_2 FOR VALUES IN (''fr'')', 'and numbers the second');

-- One of which the name is that with a number.
CREATE TABLE tours (id uuid, country text) PARTITION BY RANGE (id);
CREATE TABLE tours_2020_11 PARTITION OF tours FOR VALUES FROM (:'first') TO (:'second') PARTITION BY LIST (country);
CREATE TABLE tours_2020_11_eu PARTITION OF tours_2020_11 FOR VALUES IN ('fr', 'it') PARTITION BY LIST (country);
CREATE TABLE tours_2020_11_eu_fr PARTITION OF tours_2020_11_eu FOR VALUES IN ('fr');
ALTER TABLE eu_fr RENAME TO eu_fr_of_orders;
CREATE TABLE eu_fr PARTITION OF tours_2020_11 FOR VALUES IN ('es');
CREATE TABLE tours_2020_11_eu_fr_2 PARTITION OF tours_2020_11 FOR VALUES IN ('pt');
SELECT is(pg_temp.problem_of_create($$'tours', '2020-12-01 00:00+00', '2021-01-01 00:00+00', '1 month'$$),
	'42P07: two parts of partition tours_2020_12 would be named "tours_2020_12_eu_fr_2"',
	'create makes none with two parts of one name');

SELECT * FROM finish();
ROLLBACK;
