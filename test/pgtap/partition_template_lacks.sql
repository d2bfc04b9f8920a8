-- A template that lacks a rule of the table, or of a partition that is partitioned itself, is told in a dry
-- run, with the command that mends it; and a rule of one month does not come to the next.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(24);

CREATE FUNCTION pg_temp.way_out(template text) RETURNS text LANGUAGE plpgsql AS $$
-- What a dry run foretells of a template, and the command at the end of the hint of the call.
DECLARE
	hint text;
	foretold text;
BEGIN
	EXECUTE format('SELECT DISTINCT left(problem, 5) FROM uuid_partition_maintain(''orders'', ''1 month'', 0, template => %L, dry_run => true)', template)
	INTO foretold;
	EXECUTE format('SELECT uuid_partition_create(''orders'', ''2027-08-01 00:00+00'', ''2027-09-01 00:00+00'', ''1 month'', template => %L)', template);
	RETURN 'made';
EXCEPTION WHEN datatype_mismatch THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' ', foretold, substring(hint FROM 'ALTER TABLE .*'));
END $$;

CREATE FUNCTION pg_temp.hint_of(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	EXECUTE command;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN hint;
END $$;

CREATE FUNCTION pg_temp.id_of(at timestamptz) RETURNS uuid LANGUAGE sql AS 'SELECT gen_uuidv7_at(at)';

-- An undivided table.
CREATE TABLE orders (id uuid PRIMARY KEY, total int, net int GENERATED ALWAYS AS (total - 1) STORED) PARTITION BY RANGE (id);
CREATE TABLE plain (LIKE orders INCLUDING ALL);
SELECT lives_ok($$SELECT uuid_partition_create('orders', '2020-12-01 00:00+00', '2021-01-01 00:00+00', '1 month', template => 'plain')$$,
	'a template that was made like the table serves');
ALTER TABLE orders ADD CONSTRAINT positive CHECK (total > 0);
SELECT is(pg_temp.way_out('plain'), '42804 ALTER TABLE public.plain ADD CONSTRAINT positive CHECK ((total > 0))',
	'a template without a CHECK of the table is told what to be given');
ALTER TABLE public.plain ADD CONSTRAINT positive CHECK (total > 1);
SELECT is(pg_temp.way_out('plain'),
	'42804 ALTER TABLE public.plain DROP CONSTRAINT positive, ADD CONSTRAINT positive CHECK ((total > 0))', 'so is one with another CHECK of that name');
ALTER TABLE public.plain DROP CONSTRAINT positive, ADD CONSTRAINT positive CHECK (total > 0) NOT VALID;
ALTER TABLE orders ALTER total SET NOT NULL;
SELECT is(pg_temp.way_out('plain'), '42804 ALTER TABLE public.plain ALTER COLUMN total SET NOT NULL', 'and one whose column may be NULL');
ALTER TABLE public.plain ALTER COLUMN total SET NOT NULL;
SELECT lives_ok($$SELECT uuid_partition_create('orders', '2027-01-01 00:00+00', '2027-02-01 00:00+00', '1 month', template => 'plain')$$,
	'with them it serves, also if the CHECK was never validated');
CREATE TABLE computes (id uuid PRIMARY KEY, total int NOT NULL, net int GENERATED ALWAYS AS (total - 2) STORED,
	CONSTRAINT positive CHECK (total > 0));
SELECT is(pg_temp.outcome($$SELECT * FROM uuid_partition_maintain('orders', '1 month', template => 'computes', dry_run => true)$$),
	'42804: generated column "net" is not the same in template public.computes and in table public.orders',
	'a template that computes another value is refused');
DROP TABLE orders, plain, computes;

-- The newest month is partitioned, and has rules of its own.
CREATE TABLE orders (id uuid PRIMARY KEY, country text, total int) PARTITION BY RANGE (id);
SELECT uuid_boundary('2026-12-01 00:00+00') AS december, uuid_boundary('2027-01-01 00:00+00') AS january \gset
CREATE TABLE orders_2026_12 (LIKE orders INCLUDING ALL,
	CONSTRAINT month CHECK (id >= :'december' AND id < :'january')) PARTITION BY HASH (id);
CREATE TABLE orders_2026_12_a PARTITION OF orders_2026_12 FOR VALUES WITH (MODULUS 1, REMAINDER 0);
SELECT format('ALTER TABLE orders ATTACH PARTITION orders_2026_12 FOR VALUES FROM (%L) TO (%L)', :'december', :'january') \gexec
CREATE TABLE plain (LIKE orders INCLUDING ALL);
SELECT is(pg_temp.outcome($$
		SELECT problem FROM uuid_partition_maintain('orders', '1 month', template => 'orders_2026_12_a', dry_run => true)$$),
	'55000: template public.orders_2026_12_a has check constraint "month" on the partition key, but table public.orders does not',
	'a part of a month that has a CHECK of its month is no template for others');
SELECT is(pg_temp.hint_of($$
		SELECT uuid_partition_create('orders', '2027-01-01 00:00+00', '2027-02-01 00:00+00', '1 month', template => 'orders_2026_12_a')$$),
	'The template has it of the table above. Pass another template, or none.', 'which cannot lose it alone');
SELECT lives_ok($$SELECT uuid_partition_create('orders', '2027-01-01 00:00+00', '2027-02-01 00:00+00', '1 month', template => 'plain')$$,
	'a template without that CHECK serves');
SELECT lives_ok($$SELECT uuid_partition_create('orders', '2027-02-01 00:00+00', '2027-03-01 00:00+00', '1 month')$$,
	'and so does the newest month itself');
SELECT lives_ok($$
		INSERT INTO orders SELECT pg_temp.id_of(at), 'FR', 1
		FROM unnest(ARRAY['2026-12-10 00:00+00', '2027-01-10 00:00+00', '2027-02-10 00:00+00']::timestamptz[]) AS at$$,
	'each month takes its rows');
SELECT is((SELECT string_agg(conrelid::regclass::text, ' ' ORDER BY conrelid::regclass::text) FROM pg_constraint WHERE conname = 'month'),
	'orders_2026_12 orders_2026_12_a', 'only the month that was made by hand has the CHECK');
ALTER TABLE orders_2027_02 ADD CONSTRAINT paid CHECK (total > 0), ALTER country SET NOT NULL;
SELECT is(pg_temp.outcome($$
		SELECT problem FROM uuid_partition_create('orders', '2027-03-01 00:00+00', '2027-04-01 00:00+00', '1 month', template => 'plain') AS problem$$),
	'42804: template public.plain lacks check constraint "paid" of table public.orders_2027_02',
	'a template without a CHECK of the newest month is refused');
SELECT is(pg_temp.hint_of($$
		SELECT uuid_partition_create('orders', '2027-03-01 00:00+00', '2027-04-01 00:00+00', '1 month', template => 'plain')$$),
	'Pass no template. The new partition and its parts are then like the newest one.', 'and not told to have what all parts would get');
ALTER TABLE plain ADD CONSTRAINT paid CHECK (total > 0);
SELECT is(pg_temp.outcome($$
		SELECT problem FROM uuid_partition_create('orders', '2027-03-01 00:00+00', '2027-04-01 00:00+00', '1 month', template => 'plain') AS problem$$),
	'42804: column "country" is NOT NULL in table public.orders_2027_02, but not in template public.plain', 'so is one without its NOT NULL');
ALTER TABLE plain ALTER COLUMN country SET NOT NULL;
SELECT lives_ok($$SELECT uuid_partition_create('orders', '2027-03-01 00:00+00', '2027-04-01 00:00+00', '1 month', template => 'plain')$$,
	'with both it serves');
SELECT throws_ok($$INSERT INTO orders VALUES (pg_temp.id_of('2027-03-10 00:00+00'), NULL, 1)$$, '23502', NULL, 'the new month has the NOT NULL');
SELECT throws_ok($$INSERT INTO orders VALUES (pg_temp.id_of('2027-03-10 00:00+00'), 'FR', 0)$$, '23514', NULL, 'and the CHECK');

-- Statistics of a month that is partitioned.
ALTER TABLE orders_2027_03 ALTER total SET STATISTICS 900, ALTER total SET (n_distinct_inherited = -0.5);
ALTER TABLE orders_2027_03_a ALTER total SET STATISTICS 700;
SELECT count(*) FROM uuid_partition_create('orders', '2027-04-01 00:00+00', '2027-05-01 00:00+00', '1 month') \gset
SELECT is((SELECT string_agg(concat_ws(' ', attrelid::regclass, attstattarget, substring(attoptions::text FROM 'n_dist[^,}]*')), ', ' ORDER BY attrelid::regclass::text)
		FROM pg_attribute WHERE attname = 'total' AND attrelid IN ('orders_2027_04'::regclass, 'orders_2027_04_a'::regclass)),
	'orders_2027_04 900 n_distinct_inherited=-0.5, orders_2027_04_a 700',
	'the new month and its part have the statistics targets of the newest and of its part');
DROP TABLE orders;

-- A column that had privileges of its own is gone.
CREATE ROLE partition_reader;
CREATE TABLE orders (id uuid PRIMARY KEY, note text, total int) PARTITION BY RANGE (id);
SELECT count(*) FROM uuid_partition_create('orders', '2026-12-01 00:00+00', '2027-01-01 00:00+00', '1 month') \gset
GRANT SELECT (note), SELECT (total) ON orders_2026_12 TO partition_reader;
ALTER TABLE orders DROP COLUMN note;
SELECT lives_ok($$SELECT uuid_partition_create('orders', '2027-01-01 00:00+00', '2027-02-01 00:00+00', '1 month')$$,
	'a month is made after a column with privileges was dropped');
SELECT ok(has_column_privilege('partition_reader', 'orders_2027_01', 'total', 'SELECT'), 'and has those of the other columns');
DROP TABLE orders;

-- A step that is shorter than the tick of a scheme.
CREATE TABLE orders (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'sonyflake'))) PARTITION BY RANGE (id);
SELECT is(pg_temp.outcome($$SELECT DISTINCT left(problem, 5) FROM uuid_partition_maintain('orders', '5 ms', 1, dry_run => true) WHERE problem IS NOT NULL$$),
	'(22023)', 'a period without an id is foretold');
SELECT throws_ok($$SELECT uuid_partition_create('orders', '2027-01-01 00:00+00', '2027-01-01 00:00:00.02+00', '5 ms')$$, '22023',
	'the step is shorter than the unit of time in ids', 'and refused');

-- Before 17 an identity column can belong to a partition alone.
CREATE TABLE tickets (id uuid PRIMARY KEY, number int NOT NULL) PARTITION BY RANGE (id);
SELECT count(*) FROM uuid_partition_maintain('tickets', '1 month') \gset
SELECT current_setting('server_version_num')::int < 170000 AS old \gset
\if :old
SELECT format('ALTER TABLE %s ALTER number ADD GENERATED BY DEFAULT AS IDENTITY', partition)
FROM uuid_partition_list('tickets') ORDER BY from_time DESC LIMIT 1 \gexec
SELECT matches((SELECT string_agg(message, ' ') FROM uuid_partition_check('tickets')), 'identity of column "number"',
	'check tells that new partitions do not get an identity column of the newest');
\else
SELECT pass('since 17 all partitions have the identity columns of the table');
\endif

SELECT * FROM finish();
ROLLBACK;
