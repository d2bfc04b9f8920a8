-- A call that has nothing to do writes nothing: no row of any catalog, not of the
-- table, its partitions, nor of what refers to them.

BEGIN;
\ir include/settings.sql
SET client_min_messages = error;
SET check_function_bodies = off;
SELECT plan(10);

CREATE TABLE customers (id int PRIMARY KEY);
CREATE TABLE orders (id uuid PRIMARY KEY, customer int REFERENCES customers) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
CREATE TABLE refunds (order_id uuid REFERENCES orders);
SELECT count(*) AS made
	FROM uuid_partition_create('orders', date_trunc('month', now(), 'UTC') - interval '3 months',
		now() + interval '3 months', '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_follow('items', 'orders') \gset

CREATE FUNCTION pg_temp.rows_of_catalogs() RETURNS SETOF text LANGUAGE plpgsql AS $$
-- Where each row of the catalogs about tables is, and which transaction and command wrote it.
DECLARE
	catalog regclass;
BEGIN
	FOREACH catalog IN ARRAY '{pg_class, pg_attribute, pg_attrdef, pg_index, pg_constraint, pg_trigger,
		pg_depend, pg_inherits, pg_partitioned_table, pg_type, pg_proc, pg_policy, pg_rewrite,
		pg_statistic_ext, pg_description, pg_shdepend}'::regclass[] LOOP
		RETURN QUERY EXECUTE format('SELECT %L || ctid || '' '' || xmin || '' '' || cmin FROM %1$s', catalog, catalog);
	END LOOP;
END $$;

CREATE FUNCTION pg_temp.writes(call text) RETURNS text LANGUAGE plpgsql AS $$
-- Which catalogs a call writes to, and to how many rows.
DECLARE
	before text[] := ARRAY(SELECT pg_temp.rows_of_catalogs());
	done bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM %s', call) INTO done;
	IF call !~ 'check|list' AND done > 0 THEN
		RAISE EXCEPTION '% has something to do', call;
	END IF;
	RETURN (
		SELECT string_agg(catalog || ': ' || rows, ', ' ORDER BY catalog)
		FROM (SELECT substring(r FROM '^\w+') AS catalog, count(*) AS rows
			FROM (SELECT r FROM pg_temp.rows_of_catalogs() r EXCEPT SELECT unnest(before)) new(r) GROUP BY 1) written);
END $$;

SELECT is(pg_temp.writes(call), NULL, call || ' writes nothing where there is nothing to do')
FROM (VALUES
	('uuid_partition_maintain(''orders'', ''1 month'', 1)'),
	('uuid_partition_maintain(''orders'', ''1 month'', 1, ''1 year'')'),
	('uuid_partition_maintain(''orders'', ''1 month'', 1, ''1 year'', followers => ''{items}'')'),
	('uuid_partition_maintain(''orders'', ''1 month'', 1, ''1 year'', template => ''orders_rest'')'),
	('uuid_partition_maintain(''orders'', ''1 month'', 1, ''1 year'', dry_run => true)'),
	('uuid_partition_drop(''orders'', now() - interval ''1 year'')'),
	('uuid_partition_create(''orders'', date_trunc(''month'', now(), ''UTC''), now(), ''1 month'')'),
	('uuid_partition_follow(''items'', ''orders'')'),
	('uuid_partition_list(''orders'')'),
	('uuid_partition_check(''orders'', followers => ''{items}'')')
) AS calls(call);

SELECT * FROM finish();
ROLLBACK;
