-- Months that can never go are told of before it matters, with the way out.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(13);

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
DROP TABLE orders_rest;
SELECT uuid_boundary('infinity') AS infinity \gset
CREATE TABLE orders_rest PARTITION OF orders FOR VALUES FROM (:'april') TO (:'infinity');
SELECT is(pg_temp.said('orders', 'orders_rest ends with ' || :'infinity'), 1::bigint, 'as it does of one that ends with infinity');
DROP TABLE orders;

-- Rows that refer to others of the same table.
CREATE TABLE messages (id uuid PRIMARY KEY, answers uuid CONSTRAINT messages_answers REFERENCES messages) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('messages', '2020-01-01 00:00+00', '2020-05-01 00:00+00', '1 month') \gset
SELECT is(pg_temp.said('messages', 'messages_answers'), 1::bigint, 'check names a key of the table to itself');
CREATE TABLE stars (message uuid REFERENCES messages);
SELECT is(pg_temp.said('messages', 'refers to the table itself'), 1::bigint, 'and no key of another table');
DROP TABLE stars;
-- January and February answer themselves, April answers March
INSERT INTO messages
SELECT uuid_boundary(at), NULL
FROM unnest('{2020-01-05 00:00+00, 2020-02-05 00:00+00, 2020-03-05 00:00+00}'::timestamptz[]) at;
INSERT INTO messages VALUES (uuid_boundary('2020-01-06 00:00+00'), uuid_boundary('2020-01-05 00:00+00')),
	(uuid_boundary('2020-02-06 00:00+00'), uuid_boundary('2020-02-05 00:00+00')),
	(uuid_boundary('2020-04-06 00:00+00'), uuid_boundary('2020-03-05 00:00+00'));

-- PostgreSQL detaches no partition to whose rows others refer, not even its own.
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition, left(problem, 5)
		FROM uuid_partition_drop('messages', '2020-02-01 00:00+00', dry_run => true)$$),
	'("not dropped",public.messages_2020_01,23503)', 'a dry run keeps a month to which its own rows refer');
SELECT is(
	pg_temp.outcome($$SELECT count(*) FROM uuid_partition_drop('messages', '2020-02-01 00:00+00')$$),
	'23503: rows of table public.messages refer to rows of its partition public.messages_2020_01',
	'and so does a drop, which says why');
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition, left(problem, 5)
		FROM uuid_partition_maintain('messages', '1 month', 0, '1 year', dry_run => true)
		WHERE partition ~ '2020'$$),
	E'("not dropped",public.messages_2020_01,23503)\n("not dropped",public.messages_2020_02,23503)\n'
	'("not dropped",public.messages_2020_03,23503)\n("to be dropped",public.messages_2020_04,)',
	'a dry run of maintain keeps such months, and one to which rows of a later month refer');
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition, left(problem, 5)
		FROM uuid_partition_maintain('messages', '1 month', 0, '1 year')
		WHERE partition ~ '2020'$$, undo => true),
	E'("not dropped",public.messages_2020_01,23503)\n("not dropped",public.messages_2020_02,23503)\n'
	'("not dropped",public.messages_2020_03,23503)\n(dropped,public.messages_2020_04,)',
	'and so does maintain');
SELECT is(
	pg_temp.outcome($$
		SELECT action, partition, left(problem, 5)
		FROM uuid_partition_maintain('messages', '1 month', 0, '1 year', detach_only => true)
		WHERE partition ~ '2020_03'$$, undo => true),
	'("not detached",public.messages_2020_03,23503)', 'it cannot be detached, either');
-- The way out: each partition has a key of its own, and the table none.
ALTER TABLE messages DROP CONSTRAINT messages_answers;
ALTER TABLE messages_2020_01 ADD FOREIGN KEY (answers) REFERENCES messages_2020_01;
SELECT is(
	pg_temp.outcome($$SELECT action, partition, problem FROM uuid_partition_drop('messages', '2020-02-01 00:00+00')$$, undo => true),
	'(dropped,public.messages_2020_01,)', 'a month whose rows refer to it by a key of its own goes');
ALTER TABLE messages_2020_01 DROP CONSTRAINT messages_2020_01_answers_fkey;
ALTER TABLE messages ADD FOREIGN KEY (answers) REFERENCES messages;

SELECT throws_ok($$SELECT count(*) FROM uuid_partition_drop('messages', '2020-04-01 00:00+00')$$, '23503', NULL,
	'a drop that meets it is an error');

SELECT * FROM finish();
ROLLBACK;
