-- Beside a default partition with many rows a new partition is attached without reading these,
-- where an index shows that none of them belongs there.  Whatever the index does not
-- show is read, and no row is ever left where queries do not find it.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(21);

CREATE FUNCTION pg_temp.attach(parent regclass, from_time timestamptz DEFAULT '2020-01-01 00:00+00') RETURNS text
	LANGUAGE plpgsql
AS $$
-- Attaches a new table for the month from a time on, and says what came of it.
BEGIN
	EXECUTE format('CREATE TABLE new_month (LIKE %s)', parent);
	RETURN pg_temp.outcome(format('SELECT uidext_internal.attach_ids(%L, %L, %L, %L)', parent, 'new_month',
		uuid_boundary(from_time), uuid_boundary(from_time + interval '1 month')));
END
$$;

CREATE FUNCTION pg_temp.scans(relation regclass) RETURNS bigint
	LANGUAGE sql
	RETURN (SELECT seq_scan FROM pg_stat_xact_user_tables WHERE relid = relation);

CREATE FUNCTION pg_temp.checks(relation regclass) RETURNS text
	LANGUAGE sql
	RETURN (
		SELECT format('%s counted, %s there', c.relchecks,
			(SELECT count(*) FROM pg_constraint WHERE conrelid = relation AND contype = 'c'))
		FROM pg_class c WHERE c.oid = relation);

-- A table of a few pages is read all the same.
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), note text DEFAULT repeat('x', 800)) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
INSERT INTO orders
SELECT gen_uuidv7_at(timestamptz '2020-06-01 00:00+00' + n * interval '1 hour')
FROM generate_series(1, 1000) n;
SELECT pg_temp.scans('orders_rest') AS scans \gset
SAVEPOINT ready;

SELECT is(count(*), 3::bigint, '(three partitions are made)')
FROM uuid_partition_create('orders', '2020-03-01 00:00+00', '2020-06-01 00:00+00', '1 month');
SELECT is(pg_temp.scans('orders_rest') - :scans, 0::bigint, 'create does not read the default partition');
SELECT is(pg_temp.checks('orders_rest'), '0 counted, 0 there', 'and leaves no constraint there');

SELECT is(count(*) FILTER (WHERE action = 'created') > 0 AND count(*) FILTER (WHERE action = 'dropped') > 0, true,
	'(maintain makes partitions and drops old ones)')
FROM uuid_partition_maintain('orders', '1 month', keep => '1 month');
SELECT is(pg_temp.scans('orders_rest') - :scans, 0::bigint, 'maintain does not read it, either');

SELECT is(done, '719 rows moved', '(a drain moves a month)')
FROM uidext_internal.partition_drain_next('orders', '1 month', 'UTC', NULL, NULL, 10000, false, NULL, NULL);
SELECT is(pg_temp.scans('orders_rest') - :scans, 0::bigint, 'nor does a drain');
SELECT is(pg_temp.checks('orders_rest'), '0 counted, 0 there', 'and none of them leaves a constraint');
SELECT is(count(*), 1000::bigint, 'no row is lost') FROM orders;
ROLLBACK TO ready;

SELECT matches(pg_temp.attach('orders', '2020-06-01 00:00+00'), '^23514', 'rows of the period are seen by the index');
ROLLBACK TO ready;

-- As a command that is not over yet has written them.
CREATE TABLE new_month (LIKE orders);
PREPARE attach_while_writing AS
	WITH new AS (INSERT INTO orders_rest VALUES (uuid_boundary('2020-01-10 00:00+00')) RETURNING id)
	SELECT uidext_internal.attach_ids('orders', 'new_month', uuid_boundary('2020-01-01 00:00+00')::text,
		uuid_boundary('2020-02-01 00:00+00')::text)
	FROM new;
SELECT throws_ok('attach_while_writing', '23514', NULL, 'so are those that the same statement has inserted');
ROLLBACK TO ready;

CREATE TABLE new_month (LIKE orders);
CREATE FUNCTION order_at(at timestamptz) RETURNS void LANGUAGE sql AS 'INSERT INTO orders_rest VALUES (uuid_boundary(at))';
SELECT throws_ok($$SELECT order_at('2020-01-10 00:00+00'), uidext_internal.attach_ids('orders', 'new_month',
	uuid_boundary('2020-01-01 00:00+00')::text, uuid_boundary('2020-02-01 00:00+00')::text)$$, '23514', NULL,
	'and those that a function of the same statement has inserted');
ROLLBACK TO ready;

UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'orders_rest_pkey'::regclass;
INSERT INTO orders VALUES (uuid_boundary('2020-01-10 00:00+00'));
SELECT matches(pg_temp.attach('orders'), '^23514', 'an index that is not valid proves nothing');
ROLLBACK TO ready;

ALTER TABLE orders DROP CONSTRAINT orders_pkey;
CREATE INDEX ON orders_rest (id) WHERE id > uuid_boundary('2020-02-01 00:00+00');
INSERT INTO orders VALUES (uuid_boundary('2020-01-10 00:00+00'));
SELECT matches(pg_temp.attach('orders'), '^23514', 'nor does one of some rows');
ROLLBACK TO ready;

-- In the order of this class a period begins with its last id.
CREATE FUNCTION compare_downwards(a uuid, b uuid) RETURNS int LANGUAGE sql IMMUTABLE STRICT RETURN uuid_cmp(b, a);
CREATE OPERATOR CLASS downwards FOR TYPE uuid USING btree AS OPERATOR 1 >, OPERATOR 2 >=, OPERATOR 3 =,
	OPERATOR 4 <=, OPERATOR 5 <,
	FUNCTION 1 compare_downwards(uuid, uuid);
CREATE TABLE refunds (id uuid, note text DEFAULT repeat('x', 800)) PARTITION BY RANGE (id downwards);
CREATE TABLE refunds_rest PARTITION OF refunds DEFAULT;
CREATE INDEX ON refunds_rest (id);
CREATE TABLE refunds_2020_01 (LIKE refunds);
INSERT INTO refunds SELECT gen_uuidv7_at('2020-06-01 00:00+00') FROM generate_series(1, 1000);
INSERT INTO refunds VALUES (uuid_boundary('2020-01-10 00:00+00'));
SELECT matches(pg_temp.outcome(format('SELECT uidext_internal.attach_ids(%L, %L, %L, %L)', 'refunds', 'refunds_2020_01',
	uuid_boundary('2020-02-01 00:00+00'), uuid_boundary('2020-01-01 00:00+00'))), '^23514', 'nor does one of another order');
ROLLBACK TO ready;

CREATE TABLE payments (id uuid, method text, slip text DEFAULT repeat('x', 800)) PARTITION BY RANGE (id);
CREATE TABLE payments_rest PARTITION OF payments DEFAULT PARTITION BY LIST (method);
CREATE TABLE payments_card (method text, note text, slip text, id uuid);
CREATE INDEX ON payments_card (id);
ALTER TABLE payments_card DROP note;
ALTER TABLE payments_rest ATTACH PARTITION payments_card FOR VALUES IN ('card');
CREATE TABLE payments_cash PARTITION OF payments_rest FOR VALUES IN ('cash');
INSERT INTO payments
SELECT gen_uuidv7_at('2020-06-10 00:00+00'), m
FROM unnest('{card, cash}'::text[]) m, generate_series(1, 1000);
INSERT INTO payments VALUES (NULL, 'card');
SELECT pg_temp.scans('payments_card') AS card_scans, pg_temp.scans('payments_cash') AS cash_scans \gset
SELECT is(pg_temp.attach('payments'), '("")', 'rows without an id are in no partition''s way');
SELECT is(ARRAY[pg_temp.scans('payments_card') > :card_scans, pg_temp.scans('payments_cash') > :cash_scans], '{f,t}',
	'of a default partition that is divided, what has an index is not read, and what has none is');
SELECT is(pg_temp.checks('payments_rest') || ', ' || pg_temp.checks('payments_card'), '0 counted, 0 there, 0 counted, 0 there',
	'no constraint is left beneath it');
ROLLBACK TO ready;

CREATE TABLE notes (k text COLLATE "C" PRIMARY KEY, note text DEFAULT repeat('x', 800)) PARTITION BY RANGE (k);
CREATE TABLE notes_rest PARTITION OF notes DEFAULT;
CREATE TABLE notes_a (LIKE notes);
INSERT INTO notes SELECT 'z' || n FROM generate_series(1, 1000) n;
SELECT is(pg_temp.outcome($$SELECT uidext_internal.attach_ids('notes', 'notes_a', 'a', 'b')$$), '("")',
	'a key with a collation is left to PostgreSQL');
ROLLBACK TO ready;

CREATE ROLE accountant;
ALTER TABLE orders_rest OWNER TO accountant;
INSERT INTO orders VALUES (uuid_boundary('2020-01-10 00:00+00'));
SELECT matches(pg_temp.attach('orders'), '^23514', 'a default partition of another role''s is read by the server');
SELECT matches(pg_temp.outcome($$SELECT uidext_internal.attach_ids('orders_rest', 'orders_rest', NULL, NULL)$$), '^42501',
	'and no table of his gets a partition');

SELECT * FROM finish();
ROLLBACK;
