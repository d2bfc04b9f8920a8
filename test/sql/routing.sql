-- Routing by country (iuid_country_ops, uuid_country_ops): which partitions, plans and
-- errors does a user see?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
\i :test/include/how_read.sql
\i :test/include/scans.sql
SET max_parallel_workers_per_gather = 0;

-- One column is primary key, partition key and sharding key.
CREATE TABLE orders (id iuid PRIMARY KEY, item text) PARTITION BY HASH (id iuid_country_ops);
CREATE TABLE orders_br PARTITION OF orders FOR VALUES WITH (MODULUS 257, REMAINDER 76) PARTITION BY RANGE (id);
CREATE TABLE orders_br_2026_01 PARTITION OF orders_br
FOR VALUES FROM (iuid_boundary('2026-01-01')) TO (iuid_boundary('2026-02-01'));
CREATE TABLE orders_br_2026_02 PARTITION OF orders_br
FOR VALUES FROM (iuid_boundary('2026-02-01')) TO (iuid_boundary('2026-03-01'));
CREATE TABLE orders_kz PARTITION OF orders FOR VALUES WITH (MODULUS 257, REMAINDER 82) PARTITION BY RANGE (id);
CREATE TABLE orders_kz_2026_01 PARTITION OF orders_kz
FOR VALUES FROM (iuid_boundary('2026-01-01')) TO (iuid_boundary('2026-02-01'));
CREATE TABLE orders_kz_2026_02 PARTITION OF orders_kz
FOR VALUES FROM (iuid_boundary('2026-02-01')) TO (iuid_boundary('2026-03-01'));
CREATE TABLE orders_zero PARTITION OF orders FOR VALUES WITH (MODULUS 257, REMAINDER 0);
CREATE TABLE orders_last PARTITION OF orders FOR VALUES WITH (MODULUS 257, REMAINDER 255);
SELECT pg_get_partkeydef('orders'::regclass) AS partition_key;

-- Each id finds its country and its month; the unknown ones have no partition.
INSERT INTO orders VALUES
	('019b76da-a800-804c-8000-000000000000', 'first of January, Brazil'),
	('019c167f-cbff-804c-bfff-ffffffffffff', 'last of January, Brazil'),
	('019c167f-cc00-804c-8000-000000000000', 'first of February, Brazil'),
	('019b76da-a800-8052-8000-000000000000', 'first of January, Kazakhstan'),
	('019c167f-cc00-8052-8000-000000000000', 'first of February, Kazakhstan'),
	('019b76da-a800-8000-8000-000000000000', 'country 0'),
	('00000000-0000-8000-8000-000000000000', 'country 0, the least iUID'),
	('ffffffff-ffff-80ff-bfff-ffffffffffff', 'country 255, the greatest iUID');
INSERT INTO orders SELECT gen_iuid_at('2026-01-15', country, entity), 'any'
FROM unnest(ARRAY[0, 76, 82, 255]) AS country, generate_series(0, 255) AS entity;
SELECT tableoid::regclass, iuid_country(id), count(*) AS rows FROM orders GROUP BY 1, 2 ORDER BY 1, 2;
SELECT tableoid::regclass, id, item FROM orders WHERE item <> 'any' ORDER BY id;
ANALYZE orders;
SELECT error_of($$INSERT INTO orders VALUES ('019b76da-a800-804d-8000-000000000000', 'country 77')$$) :unaligned
SELECT error_of($$INSERT INTO orders VALUES ('019ca6b1-dc00-804c-8000-000000000000', 'Brazil, March')$$) :unaligned
SELECT error_of($$INSERT INTO orders VALUES ('019b76da-a800-704c-8000-000000000000', 'v7')$$) :unaligned
SELECT error_of($$INSERT INTO orders_kz VALUES ('019b76da-a800-804c-8000-000000000000', 'Brazil into Kazakhstan')$$) :unaligned
SELECT error_of($$INSERT INTO orders VALUES ('019b76da-a800-804c-8000-000000000000', 'again')$$) :unaligned

-- WHERE id = finds one partition when the query is planned.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
BEGIN;
SELECT query, planned, scans
FROM unnest(ARRAY[
	$$SELECT * FROM orders WHERE id = '019b76da-a800-804c-8000-000000000000'$$,
	$$SELECT * FROM orders WHERE id = '019b76da-a800-804c-8000-000000000000'::iuid$$,
	$$SELECT * FROM orders WHERE id = '019b76da-a800-8000-8000-000000000000'$$,
	$$SELECT * FROM orders WHERE id IN ('019b76da-a800-804c-8000-000000000000', '019b76da-a800-80ff-8000-000000000000')$$,
	-- a country without a partition
	$$SELECT * FROM orders WHERE id = '019b76da-a800-804d-8000-000000000000'$$,
	$$UPDATE orders SET item = 'x' WHERE id = '019b76da-a800-8052-8000-000000000000'$$,
	$$DELETE FROM orders WHERE id = '019b76da-a800-80ff-8000-000000000000'$$]) AS query, how_read(query);
ROLLBACK;

-- It finds one in a generic plan when that starts.
SET plan_cache_mode = force_generic_plan;
PREPARE one(uuid) AS SELECT item FROM orders WHERE id = $1;
PREPARE one_iuid(iuid) AS SELECT item FROM orders WHERE id = $1;
PREPARE several(uuid[]) AS SELECT item FROM orders WHERE id = ANY ($1);
SELECT command, planned, removed_at_start, scans
FROM unnest(ARRAY[
	$$EXECUTE one('019b76da-a800-804c-8000-000000000000')$$,
	$$EXECUTE one_iuid('019b76da-a800-8052-8000-000000000000')$$,
	$$EXECUTE one('019b76da-a800-804d-8000-000000000000')$$]) AS command, how_read(command);
EXECUTE one('019b76da-a800-8052-8000-000000000000');
EXECUTE one_iuid('019b76da-a800-8000-8000-000000000000');
EXECUTE one('019b76da-a800-804d-8000-000000000000');
EXECUTE one(NULL);
-- PostgreSQL looks into an array parameter when it plans, not later
\set both 'EXECUTE several(''{019b76da-a800-80ff-8000-000000000000,019b76da-a800-804d-8000-000000000000}'')'
SELECT removed_at_start, read AS read_by_generic_plan FROM how_read(:'both');
SET plan_cache_mode = force_custom_plan;
SELECT removed_at_start, read AS read_by_custom_plan FROM how_read(:'both');
RESET plan_cache_mode;

-- A nested loop looks into one partition for each outer row.
CREATE TABLE wanted (id uuid PRIMARY KEY);
INSERT INTO wanted VALUES ('019b76da-a800-804c-8000-000000000000'), ('019b76da-a800-8000-8000-000000000000');
ANALYZE wanted;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SELECT item FROM wanted JOIN orders USING (id) ORDER BY id;
SELECT planned, read, scans FROM how_read('SELECT item FROM wanted JOIN orders USING (id)');
SELECT planned, read FROM how_read('SELECT * FROM orders WHERE id = (SELECT id FROM wanted ORDER BY id DESC LIMIT 1)');
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET enable_material;
RESET enable_memoize;

-- Time prunes beneath each country, id and time together on both levels.
SELECT query, read, scans
FROM unnest(ARRAY[
	$$orders WHERE id < timestamptz '2026-02-01'$$,
	$$orders WHERE id >= timestamptz '2026-02-01' AND id < timestamptz '2026-03-01'$$,
	$$orders WHERE id >= timestamptz '2026-02-01 12:00' AND id < timestamptz '2026-02-02'$$,
	$$orders WHERE id = '019b76da-a800-804c-8000-000000000000' AND id < timestamptz '2026-02-01'$$,
	$$orders WHERE id = '019b76da-a800-804c-8000-000000000000' AND id >= timestamptz '2026-02-01'$$,
	$$orders_br WHERE id <@ tstzrange '[2026-01-31,2026-02-01)'$$,
	$$orders_br WHERE id <@ tstzrange '[2026-02-01,2026-02-02)'$$]) AS query, how_read('SELECT * FROM ' || query);
PREPARE since(timestamptz) AS SELECT count(*) AS orders FROM orders WHERE id >= $1 AND id < timestamptz '2026-03-01';
SET plan_cache_mode = force_generic_plan;
SELECT planned, removed_at_start, scans FROM how_read($$EXECUTE since('2026-02-10')$$);
EXECUTE since('2026-02-01');
RESET plan_cache_mode;
SELECT tableoid::regclass, item FROM orders WHERE id <@ tstzrange '[2026-02-01,2026-03-01)' ORDER BY id;
EXPLAIN (COSTS OFF) SELECT * FROM orders WHERE id < timestamptz '2026-03-01' ORDER BY id DESC LIMIT 3;

-- A country in another condition prunes by a check of the partition.
ALTER TABLE orders_br ADD CHECK (iuid_country(id) = 76);
ALTER TABLE orders_kz ADD CHECK (iuid_country(id) = 82);
SELECT planned FROM how_read('SELECT * FROM orders WHERE iuid_country(id) = 76');
RESET enable_seqscan;
RESET enable_bitmapscan;

-- Foreign keys: to the parent, from another table by country, with its errors.
CREATE TABLE lines (order_id iuid REFERENCES orders ON UPDATE CASCADE, line int, PRIMARY KEY (order_id, line))
	PARTITION BY HASH (order_id iuid_country_ops);
CREATE TABLE lines_br PARTITION OF lines FOR VALUES WITH (MODULUS 257, REMAINDER 76);
CREATE TABLE lines_kz PARTITION OF lines FOR VALUES WITH (MODULUS 257, REMAINDER 82);
CREATE TABLE notes (order_id uuid REFERENCES orders);
INSERT INTO lines SELECT id, line FROM orders, generate_series(1, 2) AS line WHERE iuid_country(id) IN (76, 82);
INSERT INTO notes VALUES ('019b76da-a800-8000-8000-000000000000'), (NULL);
SELECT error_of($$INSERT INTO lines VALUES ('019b76da-a800-804c-8000-000000000001', 1)$$) :unaligned
SELECT error_of($$INSERT INTO notes VALUES ('019b76da-a800-804c-8000-000000000001')$$) :unaligned
SELECT error_of($$INSERT INTO notes VALUES ('019b76da-a800-704c-8000-000000000001')$$) :unaligned
\set VERBOSITY sqlstate
DELETE FROM orders WHERE id = '019b76da-a800-8000-8000-000000000000';
DELETE FROM orders WHERE id = '019b76da-a800-804c-8000-000000000000';
\set VERBOSITY default

-- Tables by country join and aggregate country by country.
SET enable_partitionwise_join = on;
SET enable_partitionwise_aggregate = on;
CREATE TABLE trips (id iuid, km int) PARTITION BY HASH (id iuid_country_ops);
CREATE TABLE trips_br PARTITION OF trips FOR VALUES WITH (MODULUS 257, REMAINDER 76);
CREATE TABLE trips_kz PARTITION OF trips FOR VALUES WITH (MODULUS 257, REMAINDER 82);
INSERT INTO trips SELECT order_id, line FROM lines WHERE line = 1;
ANALYZE trips;
ANALYZE lines;
SET enable_nestloop = off;
SET enable_mergejoin = off;
EXPLAIN (COSTS OFF) SELECT km, line FROM trips JOIN lines ON order_id = id;
SELECT count(*) AS trips, count(DISTINCT id) AS different_ids FROM trips JOIN lines ON order_id = id;
RESET enable_nestloop;
RESET enable_mergejoin;
RESET enable_partitionwise_join;
RESET enable_partitionwise_aggregate;
DROP TABLE trips;

-- An update of the id moves the row to its country; an unknown country stays where it was.
UPDATE orders SET id = '019c167f-cc00-8052-8000-000000000001' WHERE id = '019b76da-a800-804c-8000-000000000000'
	RETURNING tableoid::regclass, *;
SELECT tableoid::regclass, * FROM lines
WHERE order_id IN ('019b76da-a800-804c-8000-000000000000', '019c167f-cc00-8052-8000-000000000001') ORDER BY line;
SELECT error_of($$
	UPDATE orders
	SET id = '019b76da-a800-804d-8000-000000000000'
	WHERE id = '019c167f-cc00-804c-8000-000000000000'$$) :unaligned
SELECT tableoid::regclass, item FROM orders WHERE id = '019c167f-cc00-804c-8000-000000000000';

-- COPY, upsert and MERGE route as well.
COPY orders FROM stdin (DELIMITER ',');
019b76da-a800-804c-8000-000000000002,copied to Brazil
019b76da-a800-8052-8000-000000000002,copied to Kazakhstan
\.
INSERT INTO orders VALUES ('019b76da-a800-8052-8000-000000000002', '') ON CONFLICT (id) DO UPDATE SET item = 'upserted'
	RETURNING tableoid::regclass, item;
MERGE INTO orders USING (
	VALUES ('019b76da-a800-804c-8000-000000000002'::iuid),
		('019b76da-a800-80ff-8000-000000000002')) AS v(id) ON orders.id = v.id
WHEN MATCHED THEN UPDATE SET item = 'merged, matched' WHEN NOT MATCHED THEN INSERT VALUES (v.id, 'merged');
SELECT tableoid::regclass, item FROM orders WHERE item ~ 'merged|upserted|copied' ORDER BY id;

-- A table that held one country becomes its partition, when it holds that country only.
CREATE TABLE orders_cn (LIKE orders INCLUDING ALL);
INSERT INTO orders_cn SELECT gen_iuid_at('2026-01-01', 156, 1) FROM generate_series(1, 100);
ALTER TABLE orders ATTACH PARTITION orders_cn FOR VALUES WITH (MODULUS 257, REMAINDER 157);
ALTER TABLE orders ATTACH PARTITION orders_cn FOR VALUES WITH (MODULUS 257, REMAINDER 156);
SELECT tableoid::regclass, count(*) AS rows FROM orders WHERE iuid_country(id) = 156 GROUP BY 1;
DROP TABLE notes, lines, orders, wanted;

-- A uuid column: what is no iUID has no partition, unless there is one for it.
CREATE TABLE plain (id uuid, item text) PARTITION BY HASH (id uuid_country_ops);
CREATE TABLE plain_0 PARTITION OF plain FOR VALUES WITH (MODULUS 257, REMAINDER 0);
CREATE TABLE plain_76 PARTITION OF plain FOR VALUES WITH (MODULUS 257, REMAINDER 76);
CREATE TABLE plain_255 PARTITION OF plain FOR VALUES WITH (MODULUS 257, REMAINDER 255);
CREATE TEMP TABLE strangers AS SELECT unnest(ARRAY['018c22ac-d000-814c-a940-000000000000', '018c22ac-d000-704c-a940-000000000000',
	'018c22ac-d000-404c-a940-000000000000', '018c22ac-d000-804c-2940-000000000000',
	'00000000-0000-0000-0000-000000000000',
	'ffffffff-ffff-ffff-ffff-ffffffffffff',
	'018c22ac-d000-0000-0000-000000000000']::uuid[]) AS id;
SELECT id || E'\n' || error_of(format('INSERT INTO plain VALUES (%L)', id)) AS "id and error"
FROM (TABLE strangers UNION ALL SELECT '018c22ac-d000-804c-a940-000000000000') AS i :unaligned
SELECT error_of($$INSERT INTO plain_76 VALUES ('018c22ac-d000-404c-a940-000000000000')$$) :unaligned
SELECT error_of($$INSERT INTO plain_76 VALUES ('018c22ac-d000-804d-a940-000000000000')$$) :unaligned
INSERT INTO plain SELECT gen_iuid(country, 1) FROM unnest('{0,76,255}'::int[]) AS country, generate_series(1, 10);
SELECT error_of($$UPDATE plain SET id = '018c22ac-d000-404c-a940-000000000000'$$) :unaligned
COPY plain (id) FROM stdin;
018c22ac-d000-404c-a940-000000000000
\.

-- A look-up finds nothing, under every plan, and reads nothing where it can tell.
SELECT planned FROM how_read($$SELECT * FROM plain WHERE id = '018c22ac-d000-404c-a940-000000000000'$$);
SELECT count(*) AS rows FROM plain WHERE id IN (SELECT id FROM strangers);
PREPARE from_outside(uuid) AS SELECT count(*) AS rows FROM plain WHERE id = $1;
SET plan_cache_mode = force_generic_plan;
EXECUTE from_outside('018c22ac-d000-404c-a940-000000000000');
EXECUTE from_outside('018c22ac-d000-804c-a940-000000000000');
SELECT command, planned, removed_at_start
FROM unnest(
	ARRAY[$$EXECUTE from_outside('018c22ac-d000-404c-a940-000000000000')$$,
		$$EXECUTE from_outside('018c22ac-d000-804c-a940-000000000000')$$]) AS command,
	how_read(command);
RESET plan_cache_mode;
CREATE INDEX ON plain (id);
INSERT INTO plain VALUES ('018c22ac-d000-804c-a940-0000000000ff');
INSERT INTO strangers VALUES ('018c22ac-d000-804c-a940-0000000000ff');
ANALYZE plain;
ANALYZE strangers;
CREATE FUNCTION rows_by(method text) RETURNS text LANGUAGE plpgsql AS $$
-- What a join by one method finds, and what the plan says of it.
DECLARE
	found text;
	plan jsonb;
BEGIN
	PERFORM set_config('enable_' || m, (m = method)::text, true) FROM unnest('{hashjoin,mergejoin,nestloop}'::text[]) AS m;
	EXECUTE 'EXPLAIN (FORMAT JSON) SELECT FROM strangers JOIN plain USING (id)' INTO plan;
	EXECUTE 'SELECT string_agg(id::text, '' '') FROM strangers JOIN plain USING (id)' INTO found;
	RETURN found || ' by ' || (plan #>> '{0,Plan,Node Type}');
END $$;
BEGIN;
SELECT method, rows_by(method) AS found FROM unnest('{hashjoin,mergejoin,nestloop}'::text[]) AS method;
-- a nested loop looks into one partition for the one iUID of eight
SET LOCAL enable_seqscan = off;
SET LOCAL enable_material = off;
SET LOCAL enable_memoize = off;
SELECT planned, read FROM how_read('SELECT FROM strangers JOIN plain USING (id)');
ROLLBACK;
DELETE FROM strangers WHERE iuid_is_valid(id);
DROP FUNCTION rows_by;

-- A foreign key to such a table says that the row is not there.
CREATE TABLE orders (id iuid PRIMARY KEY) PARTITION BY HASH (id);
CREATE TABLE orders_br PARTITION OF orders FOR VALUES WITH (MODULUS 257, REMAINDER 76);
CREATE TABLE notes (order_id uuid REFERENCES orders);
SELECT error_of($$INSERT INTO notes VALUES ('018c22ac-d000-404c-a940-000000000000')$$) :unaligned
INSERT INTO orders VALUES ('018c22ac-d000-804c-a940-000000000000');
INSERT INTO notes VALUES ('018c22ac-d000-804c-a940-000000000000');
DROP TABLE notes, orders;

-- Remainder 256 takes strangers, and a table that has some.
CREATE TABLE plain_old (id uuid, item text);
INSERT INTO plain_old SELECT id FROM strangers;
ALTER TABLE plain DETACH PARTITION plain_76;
ALTER TABLE plain ATTACH PARTITION plain_old FOR VALUES WITH (MODULUS 257, REMAINDER 76);
ALTER TABLE plain ATTACH PARTITION plain_old FOR VALUES WITH (MODULUS 257, REMAINDER 256);
INSERT INTO plain VALUES ('919108f7-52d1-4320-9bac-f847db4148a8') RETURNING tableoid::regclass;
SELECT tableoid::regclass, count(*) AS rows FROM plain WHERE id IN (SELECT id FROM strangers) GROUP BY 1;
SELECT planned FROM how_read($$SELECT * FROM plain WHERE id = '018c22ac-d000-404c-a940-000000000000'$$);

-- PostgreSQL puts NULL where a hash of 0 goes, that is country 0: a primary key or NOT NULL keeps it out.
INSERT INTO plain VALUES (NULL, 'nobody''s') RETURNING tableoid::regclass, *;
SELECT condition, planned
FROM unnest('{id IS NULL,id = NULL}'::text[]) AS condition, how_read('SELECT * FROM plain WHERE ' || condition);
DROP TABLE plain, plain_76, strangers;

-- Multiples of 257 split a country by its random bits; other countries stay whole.
CREATE TABLE split (id iuid PRIMARY KEY) PARTITION BY HASH (id iuid_country_ops);
CREATE TABLE split_br_0 PARTITION OF split FOR VALUES WITH (MODULUS 514, REMAINDER 76);
CREATE TABLE split_br_1 PARTITION OF split FOR VALUES WITH (MODULUS 1028, REMAINDER 333);
CREATE TABLE split_br_2 PARTITION OF split FOR VALUES WITH (MODULUS 1028, REMAINDER 847);
CREATE TABLE split_kz PARTITION OF split FOR VALUES WITH (MODULUS 257, REMAINDER 82);
CREATE TABLE split_again PARTITION OF split FOR VALUES WITH (MODULUS 257, REMAINDER 76);
INSERT INTO split SELECT gen_iuid(country, 1) FROM generate_series(1, 4000), unnest('{76,82}'::int[]) AS country;
SELECT tableoid::regclass AS partition, iuid_country(id) AS country, CASE WHEN count(*) BETWEEN 800 AND 1200 THEN '1000 +- 20 %'
	WHEN count(*) BETWEEN 1800 AND 2200 THEN '2000 +- 10 %' ELSE count(*)::text END AS rows
FROM split GROUP BY 1, iuid_country(id) ORDER BY 1;
INSERT INTO split VALUES ('018c22ac-d000-804c-a940-000000000000'), ('018c22ac-d000-804c-a940-000000000001'),
	('018c22ac-d000-804c-a940-000000000002'), ('018c22ac-d000-804c-a940-000000000003'), ('018c22ac-d000-8052-a940-000000000003')
	RETURNING tableoid::regclass, id;
SELECT planned FROM how_read($$SELECT * FROM split WHERE id = '018c22ac-d000-804c-a940-000000000003'$$);
DROP TABLE split;

-- Fewer partitions than countries spread each country evenly.
CREATE TABLE shared (id iuid PRIMARY KEY) PARTITION BY HASH (id iuid_country_ops);
CREATE TABLE shared_0 PARTITION OF shared FOR VALUES WITH (MODULUS 4, REMAINDER 0);
CREATE TABLE shared_1 PARTITION OF shared FOR VALUES WITH (MODULUS 4, REMAINDER 1);
CREATE TABLE shared_2 PARTITION OF shared FOR VALUES WITH (MODULUS 4, REMAINDER 2);
CREATE TABLE shared_3 PARTITION OF shared FOR VALUES WITH (MODULUS 4, REMAINDER 3);
INSERT INTO shared SELECT gen_iuid(76, 1) FROM generate_series(1, 4000);
SELECT tableoid::regclass AS partition,
	CASE WHEN count(*) BETWEEN 800 AND 1200 THEN '1000 +- 20 %' ELSE count(*)::text END AS rows FROM shared GROUP BY 1 ORDER BY 1;
DROP TABLE shared;

-- The hashes of all 256 countries and of strangers, to the bit on every machine: stored state.
-- The 64 bits are what PARTITION BY HASH asks for, then what seed 0 gives.
CREATE TEMP TABLE vectors AS
SELECT country,
	format('018c22ac-d000-80%s-a940-%s', lpad(to_hex(country), 2, '0'),
		lpad(to_hex(country * 16909060), 12, '0'))::uuid AS id
FROM generate_series(0, 255::bigint) AS country
UNION ALL SELECT NULL, id
	FROM unnest(
		'{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff,
			018c22ac-d000-0000-0000-000000000000,018c22ac-d000-814c-8040-000000000001,
			018c22ac-d000-704c-8040-000000000002,018c22ac-d000-804c-0040-000000000003,
			919108f7-52d1-4320-9bac-f847db4148a8}'::uuid[])
		AS id;
CREATE TEMP VIEW hashes AS
SELECT country,
	id,
	uidext_internal.iuid_country_hash(id) AS hash,
	uidext_internal.iuid_country_hash_extended(id, 8816678312871386365) AS partition_hash,
	uidext_internal.iuid_country_hash_extended(id, 0) AS seed_0
FROM vectors;
SELECT * FROM hashes WHERE country % 50 = 0 OR country IS NULL ORDER BY country, id;
SELECT md5(string_agg(hash || ' ' || partition_hash, ',' ORDER BY country)) AS hashes_of_256_countries,
	bool_and(seed_0 = hash::bigint & 4294967295) AS seed_0
FROM hashes WHERE country IS NOT NULL;
SELECT count(*) AS differ FROM vectors WHERE iuid_is_valid(id)
	AND (uidext_internal.iuid_country_hash(id::iuid), uidext_internal.iuid_country_hash_extended(id::iuid, 8816678312871386365))
		<> (uidext_internal.iuid_country_hash(id), uidext_internal.iuid_country_hash_extended(id, 8816678312871386365));
DROP TABLE vectors CASCADE;

-- Arrays, rows and hash indexes hash by it, too: ids of one country, and boundary values.
CREATE TABLE many (id iuid, n int);
INSERT INTO many SELECT gen_iuid(76, 1), n FROM generate_series(1, 20000) AS n;
INSERT INTO many SELECT iuid_boundary('2026-01-01'::timestamptz + n * interval '1 minute'), n FROM generate_series(1, 20000) AS n;
CREATE INDEX many_hash ON many USING hash (id);
ANALYZE many;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT array[id] FROM many GROUP BY array[id];
SELECT count(*) AS ids FROM (SELECT array[id] FROM many GROUP BY array[id]) AS arrays;
SELECT count(*) AS ids FROM (SELECT DISTINCT row(id) FROM many) AS records;
SELECT count(*) AS ids FROM (SELECT id FROM many GROUP BY id) AS each_once;
RESET enable_sort;
SET enable_seqscan = off;
SELECT scans_by($$SELECT n FROM many WHERE id = '018c22ac-d000-404c-a940-000000000000'$$) AS scan;
SELECT count(*) AS ids FROM generate_series(1, 1000) AS g
	WHERE NOT EXISTS (SELECT FROM many WHERE id = iuid_boundary('2027-01-01'::timestamptz + g * interval '1 minute'));
RESET enable_seqscan;
DROP TABLE many;

DROP FUNCTION error_of, how_read, scans, scans_by;

-- A uuid has a class of its own.
CREATE TABLE trips (id uuid NOT NULL) PARTITION BY HASH (id iuid_country_ops);

-- DROP EXTENSION takes along what its operator classes serve, and no row of a plain table.
CREATE TABLE trips (id uuid NOT NULL, amount int) PARTITION BY HASH (id uuid_country_ops);
CREATE TABLE trips_br PARTITION OF trips FOR VALUES WITH (MODULUS 257, REMAINDER 76);
CREATE TABLE sales (id uuid PRIMARY KEY, amount int);
CREATE INDEX sales_sqlserver ON sales (id uuid_sqlserver_ops);
INSERT INTO trips SELECT gen_iuid(76, 1), 1;
INSERT INTO sales SELECT id, amount FROM trips;
DROP EXTENSION uidext;
BEGIN;
DROP EXTENSION uidext CASCADE;
SELECT to_regclass('trips') AS partitioned,
	to_regclass('trips_br') AS partition,
	to_regclass('sales_sqlserver') AS index,
	count(*) AS sales
FROM sales;
ROLLBACK;
DROP TABLE trips, sales;
