-- Tables of every kind that PostgreSQL takes as a partition, ordinary, partitioned,
-- foreign, temporary and unlogged, may be the default partition: whoever looks, checks
-- and maintains gets an answer.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(26);

CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER archive FOREIGN DATA WRAPPER nowhere;

-- Orders of an old month and the present, with a gap between, and such a default partition.
CREATE FUNCTION pg_temp.new_orders(persistence text, default_partition text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS orders;
	EXECUTE format('CREATE %s TABLE orders (id uuid, note text) PARTITION BY RANGE (id)', persistence);
	PERFORM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
	PERFORM uuid_partition_create('orders', date_trunc('month', now(), 'UTC'), now(), '1 month');
	EXECUTE default_partition;
END $$;

CREATE FUNCTION pg_temp.answers(kind text) RETURNS SETOF text LANGUAGE plpgsql AS $$
-- What list, check and the dry runs of maintain and drop say.
BEGIN
	RETURN NEXT is(
		pg_temp.outcome($q$
			SELECT kind, coalesce(note, '') FROM uuid_partition_list('orders') WHERE kind <> 'partition'$q$),
		CASE kind
			WHEN 'foreign' THEN E'(gap,"default partition not looked into")\n(default,"not looked into")'
			ELSE E'(gap,"")\n(default,"")'
			END,
		format('list answers beside a default partition that is %s', kind));
	RETURN NEXT is(
		pg_temp.outcome($q$
			SELECT status, regexp_replace(message, '"[^"]*"', 'R') FROM uuid_partition_check('orders', '0')$q$)
			~ '^\((OK|WARNING)',
		true, format('check answers beside one that is %s', kind));
	RETURN NEXT is(
		pg_temp.outcome($q$
			SELECT string_agg(DISTINCT concat_ws(' ', action, left(problem, 5)), ', ')
			FROM uuid_partition_maintain('orders', '1 month', 1, keep => '1 year', dry_run => true)$q$),
		CASE kind WHEN 'foreign' THEN '("not created 42809, to be dropped")' ELSE '("to be created, to be dropped")' END,
		format('a dry run of maintain answers beside one that is %s', kind));
	RETURN NEXT is(
		pg_temp.outcome($q$
			SELECT string_agg(DISTINCT concat_ws(' ', action, left(problem, 5)), ', ')
			FROM uuid_partition_maintain('orders', '1 month', 1, keep => '1 year')$q$),
		CASE kind WHEN 'foreign' THEN '("dropped, not created 42809")' ELSE '("created, dropped")' END,
		format('maintain does what the dry run has said beside one that is %s', kind));
END $$;

SELECT pg_temp.new_orders('', 'CREATE TABLE orders_rest PARTITION OF orders DEFAULT');
SELECT pg_temp.answers('ordinary');
SELECT pg_temp.new_orders('', 'CREATE UNLOGGED TABLE orders_rest PARTITION OF orders DEFAULT');
SELECT pg_temp.answers('unlogged');
SELECT pg_temp.new_orders('',
	'
		CREATE TABLE orders_rest PARTITION OF orders DEFAULT PARTITION BY LIST (note);
		CREATE TABLE orders_rest_all PARTITION OF orders_rest DEFAULT');
SELECT pg_temp.answers('partitioned');
SELECT pg_temp.new_orders('', 'CREATE FOREIGN TABLE orders_rest PARTITION OF orders DEFAULT SERVER archive');
SELECT is(
	pg_temp.outcome($$
		SELECT message FROM uuid_partition_check('orders', '0')$$)
		~ 'rows in the default partition public.orders_rest, perhaps',
	true, 'check says that it does not know of rows in a foreign table');
SELECT alike(pg_temp.outcome($$SELECT uidext_internal.partition_check_drainable('orders_rest')$$),
	'42809: partition public.orders_rest is a foreign table%',
	'a drain of a foreign table says what it is');
SELECT pg_temp.answers('foreign');
SELECT pg_temp.new_orders('',
	'
		CREATE TABLE orders_rest PARTITION OF orders DEFAULT PARTITION BY LIST (note);
		CREATE FOREIGN TABLE orders_rest_all PARTITION OF orders_rest DEFAULT SERVER archive');
SELECT pg_temp.answers('foreign');

DROP TABLE orders;
CREATE TEMP TABLE orders (id uuid, note text) PARTITION BY RANGE (id);
CREATE TEMP TABLE orders_rest PARTITION OF orders DEFAULT;
SELECT is(pg_temp.outcome($$SELECT kind, note FROM uuid_partition_list('orders')$$), '(default,)',
	'list looks into a temporary table of this session');

-- Whoever may not look says so, where no statistics say that there is nothing.
CREATE ROLE partition_reader;
SELECT pg_temp.new_orders('', 'CREATE TABLE orders_rest PARTITION OF orders DEFAULT');
INSERT INTO orders SELECT gen_uuidv7_at(now() - interval '2 years');
SELECT pg_stat_force_next_flush();
SET ROLE partition_reader;
SELECT is(pg_temp.outcome($$SELECT status, message FROM uuid_partition_check('orders', '0') WHERE message ~ 'default'$$),
	'(WARNING,"rows in the default partition public.orders_rest, perhaps: there are no statistics, '
	'and role ""partition_reader"" cannot look; uuid_partition_drain() moves them")',
	'check does not say OK of a default partition that it knows nothing of');
RESET ROLE;

-- The kinds, from the server.
SELECT throws_ok(
	'
		CREATE VIEW fewer AS SELECT gen_uuidv7() AS id, '''' AS note;
		ALTER TABLE orders ATTACH PARTITION fewer
		FOR VALUES FROM (MINVALUE) TO (''00000000-0000-0000-0000-000000000000'')',
	'42809', NULL, 'no view is a partition');
CREATE MATERIALIZED VIEW few AS SELECT gen_uuidv7() AS id, ''::text AS note;
SELECT throws_ok(
	'
		ALTER TABLE orders ATTACH PARTITION few
		FOR VALUES FROM (MINVALUE) TO (''00000000-0000-0000-0000-000000000000'')',
	'42809', NULL, 'nor is a materialized view');

SELECT * FROM finish();
ROLLBACK;
