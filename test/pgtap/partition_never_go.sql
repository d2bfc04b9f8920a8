-- Months that can never go are told of before it matters, with the way out.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(11);

CREATE FUNCTION pg_temp.said(parent regclass, what text) RETURNS bigint LANGUAGE sql AS $$
SELECT count(*) FROM uuid_partition_check(parent, keep => '1 year') WHERE severity = 1 AND message ~ what
$$;

-- A last partition without an end.
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-04-01 00:00+00', '1 month') \gset
SELECT uuid_boundary('2020-04-01 00:00+00') AS april \gset
SELECT is(pg_temp.said('orders', 'MAXVALUE'), 0::bigint, 'check says nothing of MAXVALUE where no partition ends with it');
CREATE TABLE orders_rest PARTITION OF orders FOR VALUES FROM (:'april') TO (MAXVALUE);
SELECT is(pg_temp.said('orders', 'orders_rest.*MAXVALUE|MAXVALUE.*orders_rest'), 1::bigint,
	'check names a last partition that ends with MAXVALUE, which takes all rows to come and never goes');
SELECT is(pg_temp.said('orders', 'older than'), 1::bigint, 'and still tells of the old ones');
DROP TABLE orders;

-- Rows that refer to others of the same table.
CREATE TABLE messages (id uuid PRIMARY KEY, answers uuid CONSTRAINT messages_answers REFERENCES messages) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('messages', '2020-01-01 00:00+00', '2020-05-01 00:00+00', '1 month') \gset
SELECT is(pg_temp.said('messages', 'messages_answers'), 1::bigint, 'check names a key of the table to itself');
-- January and February answer themselves, April answers March
INSERT INTO messages SELECT uuid_boundary(at), NULL FROM unnest('{2020-01-05 00:00+00, 2020-02-05 00:00+00, 2020-03-05 00:00+00}'::timestamptz[]) at;
INSERT INTO messages VALUES (uuid_boundary('2020-01-06 00:00+00'), uuid_boundary('2020-01-05 00:00+00')),
	(uuid_boundary('2020-02-06 00:00+00'), uuid_boundary('2020-02-05 00:00+00')),
	(uuid_boundary('2020-04-06 00:00+00'), uuid_boundary('2020-03-05 00:00+00'));

SELECT is(
	pg_temp.outcome($$SELECT action, partition, problem FROM uuid_partition_drop('messages', '2020-02-01 00:00+00', dry_run => true)$$),
	'("to be dropped",public.messages_2020_01,)', 'a dry run drops a month to which only its own rows refer');
SELECT is(
	pg_temp.outcome($$SELECT action, partition, problem FROM uuid_partition_drop('messages', '2020-02-01 00:00+00')$$),
	'(dropped,public.messages_2020_01,)', 'and so does a drop');
SELECT is(
	pg_temp.outcome($$SELECT action, partition, left(problem, 5) FROM uuid_partition_maintain('messages', '1 month', 0, '1 year', dry_run => true)
		WHERE partition ~ '2020'$$),
	E'("to be dropped",public.messages_2020_02,)\n("not dropped",public.messages_2020_03,23503)\n("to be dropped",public.messages_2020_04,)',
	'a dry run of maintain drops such a month, and keeps one to which rows of a later month refer');
SELECT is(
	pg_temp.outcome($$SELECT action, partition, left(problem, 5) FROM uuid_partition_maintain('messages', '1 month', 0, '1 year')
		WHERE partition ~ '2020'$$, undo => true),
	E'(dropped,public.messages_2020_02,)\n("not dropped",public.messages_2020_03,23503)\n(dropped,public.messages_2020_04,)',
	'and so does maintain');
SELECT is(
	pg_temp.outcome($$SELECT action, partition, left(problem, 5) FROM uuid_partition_maintain('messages', '1 month', 0, '1 year', detach_only => true)
		WHERE partition ~ '2020_03'$$, undo => true),
	'("not detached",public.messages_2020_03,23503)', 'it cannot be detached, either');

-- A month whose rows refer to an earlier one can go, and then that can.
SELECT is(
	(SELECT string_agg(left(problem, 5), ' ') FROM uuid_partition_drop('messages', '2020-05-01 00:00+00', dry_run => true)), '23503',
	'a dry run of a drop says which month cannot go');
SELECT throws_ok($$SELECT count(*) FROM uuid_partition_drop('messages', '2020-04-01 00:00+00')$$, '23503', NULL,
	'a drop that meets it is an error');

SELECT * FROM finish();
ROLLBACK;
