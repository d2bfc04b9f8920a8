-- Tables that belong together read their keys by one scheme: under another one the present
-- is long ago.  And a call drops no more than a hundred tables.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(5);

CREATE TABLE orders (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'snowflake:1577836800000'))) PARTITION BY RANGE (id);
CREATE TABLE items (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
SELECT uuid_partition_create('orders', date_trunc('month', now(), 'UTC'), now() + interval '1 month', '1 month') \g /dev/null
SELECT is(pg_temp.outcome($$SELECT * FROM uuid_partition_follow('items', 'orders')$$),
	'42804: tables public.items and public.orders are partitioned by ids of different schemes',
	'a table follows no other one by another scheme');
SELECT is(
	pg_temp.outcome($$
		SELECT * FROM uuid_partition_maintain('orders', '1 month', keep => '1 year', followers => '{items}')$$),
	'42804: tables public.items and public.orders are partitioned by ids of different schemes', 'nor do its partitions go with it');

-- Three old days of 40 tables each.
CREATE TABLE visits (id uuid NOT NULL, n int) PARTITION BY RANGE (id);
SELECT uuid_partition_create('visits', '2020-01-01 00:00+00', '2020-01-02 00:00+00', '1 day') \g /dev/null
DROP TABLE visits_2020_01_01;
CREATE TABLE visits_2020_01_01 PARTITION OF visits
	FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('2020-01-02 00:00+00')) PARTITION BY HASH (n);
SELECT format('CREATE TABLE visits_2020_01_01_%s PARTITION OF visits_2020_01_01 FOR VALUES WITH (MODULUS 39, REMAINDER %s)', n, n)
FROM generate_series(0, 38) n \gexec
SELECT uuid_partition_create('visits', '2020-01-02 00:00+00', '2020-01-04 00:00+00', '1 day') \g /dev/null
SELECT uuid_partition_create('visits', date_trunc('day', now(), 'UTC'), now() + interval '1 day', '1 day') \g /dev/null
SELECT is(
	pg_temp.outcome($$
		SELECT count(*) FILTER (WHERE action = 'to be dropped')
		FROM uuid_partition_maintain('visits', '1 day', 1, '1 year', dry_run => true)$$),
	'(2)', 'two days of 40 tables are less than a hundred, and three are more');
SELECT is(
	pg_temp.outcome($$
		SELECT count(*) FILTER (WHERE action = 'dropped')
		FROM uuid_partition_maintain('visits', '1 day', 1, '1 year')$$),
	'(2)', 'so two days go');
SELECT is(
	pg_temp.outcome($$
		SELECT count(*) FILTER (WHERE action = 'dropped')
		FROM uuid_partition_maintain('visits', '1 day', 1, '1 year')$$),
	'(1)', 'and the third with the next call');

SELECT * FROM finish();
ROLLBACK;
