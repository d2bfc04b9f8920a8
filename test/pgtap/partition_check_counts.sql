-- uuid_partition_check() says how many rows of a default partition have ids that do not tell when the rows
-- were made.  The number is exact up to a limit, and in a larger table it does not read all rows again and again.

BEGIN;
\ir include/settings.sql
SET client_min_messages = error;
SELECT plan(16);

CREATE FUNCTION pg_temp.rows_read(relation regclass) RETURNS bigint
	LANGUAGE sql
	RETURN (SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables WHERE relid = relation);

CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
INSERT INTO orders SELECT gen_uuidv7_at(timestamptz '2020-06-01 00:00+00' + n * interval '1 s') FROM generate_series(1, 150000) n;
INSERT INTO orders VALUES (gen_uuidv7_at('2094-06-01 00:00+00'));
-- the SQL edition reads as the planner thinks best
ANALYZE orders_rest;
SELECT pg_temp.rows_read('orders_rest') AS before \gset
SELECT is((SELECT message FROM uuid_partition_check('orders') WHERE message ~ 'future'),
	'rows in the default partition whose ids have another layout or a time in the future: at least 1; '
	'a drain leaves them there until they have new ids',
	'the message says that there may be more');
SELECT cmp_ok(pg_temp.rows_read('orders_rest') - :before, '<', 250000::bigint, '150,000 rows are not read twice');
TRUNCATE orders;

-- The same with smaller limits.
CREATE FUNCTION pg_temp.staying(most bigint) RETURNS text
	LANGUAGE sql
	RETURN (uidext_internal.partition_rows_that_stay(uidext_internal.partition_read('orders', now()), most)).staying;

INSERT INTO orders SELECT gen_uuidv7_at(timestamptz '2020-06-01 00:00+00' + n * interval '1 hour') FROM generate_series(1, 20) n;
SELECT is(pg_temp.staying(20), NULL, 'rows whose ids tell time are no finding');
SELECT is(pg_temp.staying(10), NULL, 'nor are more than the limit');
INSERT INTO orders SELECT gen_uuidv7_at(timestamptz '2094-06-01 00:00+00' + n * interval '1 hour') FROM generate_series(1, 3) n;
SELECT is(pg_temp.staying(20), '3', 'ids from the future are counted');
SELECT is(pg_temp.staying(10), 'at least 3', 'among more ids than the limit, too');
-- version 4, and as low as ids of 1970
INSERT INTO orders SELECT format('0000000%s-0000-4000-8000-000000000000', to_hex(n))::uuid FROM generate_series(1, 9) n;
SELECT is(pg_temp.staying(40), '12', 'with ids of another layout all are counted');
SELECT is(pg_temp.staying(2), 'more than 2', 'but no more than the limit');
DELETE FROM orders WHERE id >= uuid_boundary('2020-01-01 00:00+00') AND id < uuid_boundary('2021-01-01 00:00+00');
SELECT is(pg_temp.staying(8), 'more than 8', 'the same where all ids are such');

-- Clocks differ by minutes.
TRUNCATE orders;
INSERT INTO orders VALUES (gen_uuidv7_at(now() + interval '4 minutes'));
SELECT is(pg_temp.staying(8), NULL, 'an id of a clock that is four minutes fast tells time');
INSERT INTO orders VALUES (gen_uuidv7_at(now() + interval '6 minutes'));
SELECT is(pg_temp.staying(8), '1', 'one of six minutes ahead does not');

-- Of a key without a default nobody knows which ids it has.
CREATE TABLE trips (id uuid) PARTITION BY RANGE (id);
CREATE TABLE trips_rest PARTITION OF trips DEFAULT;
INSERT INTO trips
VALUES (gen_uuidv7_at('2020-06-01 00:00+00')),
	(gen_iuid_at('2020-06-01 00:00+00', 1, 1)::uuid),
	('01700000-0000-4000-8000-000000000000');
SELECT is((uidext_internal.partition_rows_that_stay(uidext_internal.partition_read('trips', now()))).staying, '1',
	'ids of versions 7 and 8 tell time, one of version 4 does not');

-- A default partition of ids that tell no time at all: COMBs, beside a default that makes UUIDv7.
TRUNCATE orders;
INSERT INTO orders
SELECT format('01700000-%s-4000-8000-000000000000', lpad(to_hex(n), 4, '0'))::uuid
FROM generate_series(1, 5000) n;
ANALYZE orders_rest;
SELECT pg_temp.rows_read('orders_rest') AS before \gset
SELECT is(pg_temp.staying(100), 'more than 100', 'of many ids that tell no time, more than the limit are found');
SELECT cmp_ok(pg_temp.rows_read('orders_rest') - :before, '<', 1000::bigint, 'and few more than the limit are read');
-- the first row tells that there are rows, also where no index gives their order
ALTER TABLE orders DROP CONSTRAINT orders_pkey;
SELECT pg_temp.rows_read('orders_rest') AS before \gset
SELECT is(uidext_internal.partition_rows_known_by('orders_rest', 'id'), '', 'that there are rows is seen');
SELECT cmp_ok(pg_temp.rows_read('orders_rest') - :before, '<', 1000::bigint, 'from a few of them');

SELECT * FROM finish();
ROLLBACK;
