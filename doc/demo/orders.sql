-- The main job: an id that is the primary key, the partition key and the time.
\set QUIET on
\set ON_ERROR_STOP on
\pset footer off
\pset null ''
SET timezone = 'UTC';
CREATE EXTENSION uidext;
CREATE EXTENSION pgstattuple;
SELECT date_trunc('month', now()) - interval '1 month' AS last_month,
	date_trunc('month', now()) AS this_month,
	date_trunc('month', now()) + interval '1 month' AS next_month,
	date_trunc('month', now()) + interval '2 months' AS month_after \gset
\set ECHO queries

\echo
\echo '== 1. A table partitioned by time through its primary key: no created_at column'
\echo
CREATE TABLE orders (
	id uuid PRIMARY KEY DEFAULT gen_uuidv7(),
	customer int NOT NULL,
	total numeric NOT NULL
) PARTITION BY RANGE (id);
CREATE TABLE orders_last_month PARTITION OF orders
	FOR VALUES FROM (uuid_boundary(:'last_month')) TO (uuid_boundary(:'this_month'));
CREATE TABLE orders_this_month PARTITION OF orders
	FOR VALUES FROM (uuid_boundary(:'this_month')) TO (uuid_boundary(:'next_month'));
CREATE TABLE orders_next_month PARTITION OF orders
	FOR VALUES FROM (uuid_boundary(:'next_month')) TO (uuid_boundary(:'month_after'));

\echo
\echo '== 2. A million orders now, and a hundred thousand imported with the time they were made'
\echo
\timing on
INSERT INTO orders (customer, total)
SELECT i % 5000, i % 300 FROM generate_series(1, 1000000) i;
\timing off
INSERT INTO orders (id, customer, total)
SELECT gen_uuidv7_at(timestamptz :'last_month' + i * interval '20 seconds'), i % 5000, i % 300
FROM generate_series(1, 100000) i;
ANALYZE orders;
SELECT tableoid::regclass AS partition, count(*), min(uuid_time(id)), max(uuid_time(id))
FROM orders GROUP BY 1 ORDER BY 1;
\echo '-> Each row went to the partition of its time, which is read from the id: there is no other column for it.'

\echo
\echo '== 3. Look at an id'
\echo
SELECT id, id::timestamptz AS made FROM orders ORDER BY id DESC LIMIT 3;
SELECT id AS newest, now() AS until, now() - interval '1 minute' AS since
FROM orders ORDER BY id DESC LIMIT 1 \gset
SELECT version, layout, "time", random_bits FROM uuid_inspect(:'newest');
\echo '-> The newest ids are the last in the index. Each says when it was made, and its random bits keep the next from being guessed.'

\echo
\echo '== 4. Ask by time: one partition, and an index condition on the primary key'
\echo
EXPLAIN (COSTS OFF)
SELECT * FROM orders
WHERE id <@ tstzrange(:'since', :'until') ORDER BY id DESC LIMIT 10;
\timing on
SELECT count(*) FROM orders WHERE id <@ tstzrange(:'since', :'until');
\timing off
\echo '-> Of three partitions the plan names one, and the time is a condition on its primary key: no index on a timestamp is needed.'

\echo
\echo '== 5. The same orders under random keys'
\echo
CREATE TABLE orders_random (
	id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	customer int NOT NULL,
	total numeric NOT NULL
);
\timing on
INSERT INTO orders_random (customer, total)
SELECT i % 5000, i % 300 FROM generate_series(1, 1000000) i;
\timing off
SELECT key, pg_size_pretty(index_size) AS index_size, avg_leaf_density, leaf_fragmentation
FROM (VALUES ('gen_uuidv7()', 'orders_this_month_pkey'),
	('gen_random_uuid()', 'orders_random_pkey')) t(key, index),
	pgstatindex(index);
\set ECHO none
\echo '-> The same rows: ordered ids fill the pages of the index, random ones leave more than a quarter of each empty, and write to all of them.'
\echo '   Compare the time of this insert with that of step 2.'
