-- Does retention go on where ids in another table only look as if their rows referred to an old month,
-- and say beforehand where they do?

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(11);

CREATE FUNCTION pg_temp.drop_january(setting text, dry_run bool) RETURNS text LANGUAGE plpgsql AS $$
-- What becomes of January, with an item of its 5th beside whatever the setting adds.
BEGIN
	CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
	PERFORM uuid_partition_create('items', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
	INSERT INTO items VALUES (uuid_boundary('2020-01-05 00:00+00'), 1);
	CREATE TABLE payments (order_id uuid DEFAULT uuid_boundary('2020-01-05 00:00+00'), n int);
	EXECUTE setting;
	RETURN pg_temp.outcome(format($query$
		SELECT concat_ws(' ', action, left(problem, 5)) FROM uuid_partition_maintain('items', '1 month', 0, '1 year', dry_run => %L)
		WHERE partition ~ '2020_01'$query$, dry_run), undo => true);
END $$;
SAVEPOINT ready;

\set key 'ALTER TABLE payments ADD FOREIGN KEY (order_id, n) REFERENCES items '
\set refers 'INSERT INTO payments VALUES (DEFAULT, 1);'
\set lacks_n 'INSERT INTO payments VALUES (DEFAULT, NULL);'
\set dangles 'INSERT INTO payments VALUES (DEFAULT, 2);'

SELECT is(pg_temp.drop_january(:'lacks_n' || :'key', false), '(dropped)',
	'a month goes beside a row with its id, and NULL in another column of the key');
ROLLBACK TO ready;
SELECT is(pg_temp.drop_january(:'dangles' || :'key' || 'NOT VALID', false), '(dropped)',
	'it goes beside a row that a NOT VALID key has not checked');
ROLLBACK TO ready;
SELECT is(pg_temp.drop_january(:'refers' || :'key' || 'NOT VALID', false), '("not dropped 23503")',
	'it stays beside one that refers to it by a NOT VALID key');
ROLLBACK TO ready;
SELECT is(pg_temp.drop_january(:'refers' || :'key', false), '("not dropped 23503")', 'it stays beside a row that refers to it');
ROLLBACK TO ready;

SELECT is(pg_temp.drop_january(:'refers' || :'lacks_n' || :'key', true), '("not dropped 23503")',
	'a dry run foretells a row that refers to it');
ROLLBACK TO ready;
SELECT is(pg_temp.drop_january(:'lacks_n' || :'key', true), '("to be dropped")',
	'and that a row with its id and NULL in another column does not');
ROLLBACK TO ready;
SELECT is(pg_temp.drop_january(:'refers' || :'key' || 'MATCH FULL', true), '("not dropped 23503")',
	'it foretells one by a key with MATCH FULL');
ROLLBACK TO ready;
SELECT is(pg_temp.drop_january(
		:'refers' || :'key' || 'NOT VALID; ALTER TABLE payments VALIDATE CONSTRAINT payments_order_id_n_fkey',
		true), '("not dropped 23503")',
	'and by a key that has been validated');
ROLLBACK TO ready;

-- Bounds of a ulid are printed as no uuid can be written.
CREATE TABLE orders (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
CREATE TABLE lines (order_id uuid REFERENCES orders);
INSERT INTO orders VALUES (uuid_boundary('2020-01-05 00:00+00')::ulid);
INSERT INTO lines SELECT id FROM orders;
SELECT is(pg_temp.outcome($$SELECT string_agg(concat_ws(' ', action, left(problem, 5)), ', ' ORDER BY action, partition)
		FROM uuid_partition_maintain('orders', '1 month', 0, '1 month')$$), '("created, created, dropped, not dropped 23503")',
	'a uuid that refers to a ulid keeps its own month, and no other one from going or from being made');
SELECT is(
	pg_temp.outcome($$
		SELECT string_agg(action, ', ')
		FROM uuid_partition_maintain('orders', '1 month', 0, '1 month', detach_only => true, dry_run => true)$$),
	'("to be detached")', 'and a dry run ends');

-- Names of columns are read as PostgreSQL quotes them.
CREATE TABLE stops (a int, b int, "x, b, y" int, "PERIOD" int, period int);
SELECT is(ARRAY(SELECT uidext_internal.partition_referred_columns(
	uidext_internal.partition_foreign_key_names('(a, b, c) REFERENCES %s (a, "x, b, y", PERIOD period) ON UPDATE NO ACTION', true), 'stops')), '{1,3,5}',
	'a column is not taken for a part of the name of another');

SELECT * FROM finish();
ROLLBACK;
