-- A partitioned table is broken in five ways and mended.
\set QUIET on
\set SHOW_CONTEXT never
\pset footer off
\pset null ''
SET timezone = 'UTC';
CREATE EXTENSION uidext;
SELECT date_trunc('month', now()) AS this_month, to_char(now() - interval '14 months', 'YYYY_MM') AS oldest \gset
\set ECHO queries

\echo
\echo '== A table with a year of months, looked after by one call an hour'
\echo
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), total numeric) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('orders', :'this_month'::timestamptz - interval '14 months', now(), '1 month');
INSERT INTO orders SELECT gen_uuidv7_at(now() - i * interval '1 hour'), i FROM generate_series(0, 9000) i;
SELECT action, count(*) FROM uuid_partition_maintain('orders', '1 month', ahead => 3) GROUP BY action;
SELECT * FROM uuid_partition_check('orders', ahead => '1 month');

\echo
\echo '== 1. Maintenance did not run: the partitions end, inserts fail'
\echo
SELECT format('DROP TABLE %s', partition) FROM uuid_partition_list('orders') WHERE to_time > now()
\gexec
INSERT INTO orders (total) VALUES (1);
SELECT * FROM uuid_partition_check('orders', ahead => '1 month');
\echo '-- mended by the call that should have run'
SELECT action, count(*) FROM uuid_partition_maintain('orders', '1 month', ahead => 3) GROUP BY action;
INSERT INTO orders (total) VALUES (1);
SELECT * FROM uuid_partition_check('orders', ahead => '1 month');

\echo
\echo '== 2. A view on an old partition keeps it from going: the others go, the new ones come'
\echo
SELECT format('CREATE VIEW report AS SELECT * FROM orders_%s', :'oldest')
\gexec
SELECT action, count(*), max(problem) AS problem FROM uuid_partition_maintain('orders', '1 month', ahead => 4, keep => '12 months') GROUP BY action ORDER BY action;
SELECT * FROM uuid_partition_check('orders', ahead => '1 month', keep => '13 months');
\echo '-- mended by dropping the view; the next call does the rest'
DROP VIEW report;
SELECT action, count(*) FROM uuid_partition_maintain('orders', '1 month', ahead => 4, keep => '12 months') GROUP BY action;

\echo
\echo '== 3. A report reads the table: DETACH ... CONCURRENTLY waits for it, and interrupted leaves a partition neither in nor out'
\echo
SELECT partition AS victim FROM uuid_partition_list('orders') WHERE kind = 'partition' LIMIT 1 \gset
\! PGAPPNAME=report psql -qX -c "BEGIN; SELECT count(*) FROM orders; SELECT pg_sleep(3600)" >/dev/null 2>&1 &
\set ECHO none
DO $$
BEGIN
	WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'report' AND wait_event = 'PgSleep') LOOP
		PERFORM pg_sleep(0.1), pg_stat_clear_snapshot();
	END LOOP;
END
$$;
\set ECHO queries
SET statement_timeout = '1s';
ALTER TABLE orders DETACH PARTITION :victim CONCURRENTLY;
RESET statement_timeout;
SELECT * FROM uuid_partition_check('orders', ahead => '1 month');
\echo '-- maintenance does not get the table either: it gives up after lock_timeout, and the next call tries again'
SET lock_timeout = '1s';
SELECT action, partition, problem FROM uuid_partition_maintain('orders', '1 month', ahead => 4, keep => '10 months');
\echo '-- who is in the way?'
SELECT pid, application_name, state, mode, query FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE relation = 'orders'::regclass AND pid <> pg_backend_pid();
\echo '-- mended: the report is cancelled, what is pending is finished, the next call does the rest'
SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'report';
SELECT format('ALTER TABLE orders DETACH PARTITION %s FINALIZE', partition) FROM uuid_partition_list('orders') WHERE note = 'detach pending'
\gexec
SELECT action, partition, problem FROM uuid_partition_maintain('orders', '1 month', ahead => 4, keep => '10 months');
RESET lock_timeout;
SELECT * FROM uuid_partition_check('orders', ahead => '1 month');

\echo
\echo '== 4. Rows lie in a default partition, and no partition can be made for their month'
\echo
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
INSERT INTO orders SELECT gen_uuidv7_at(now() + interval '6 months' + i * interval '1 hour'), i FROM generate_series(1, 200) i;
SELECT action, partition, left(problem, 5) AS problem FROM uuid_partition_maintain('orders', '1 month', ahead => 7);
\echo '-- mended: few rows move, many would stay and their table become the partition'
CALL uuid_partition_drain('orders', '1 month');
SELECT * FROM uuid_partition_check('orders', ahead => '6 months');

\echo
\echo '== 5. A client with a wrong clock'
\echo
INSERT INTO orders VALUES (gen_uuidv7_at('2100-01-01'), 42);
SELECT * FROM uuid_partition_check('orders', ahead => '1 month');
SELECT uuid_time(id), total FROM orders WHERE id > now() + interval '1 year';
\echo '-- no reason for a partition: drain leaves it where it is; give the row a new id'
CALL uuid_partition_drain('orders', '1 month');
UPDATE orders SET id = gen_uuidv7() WHERE id > now() + interval '1 year';
SELECT * FROM uuid_partition_check('orders', ahead => '1 month');
