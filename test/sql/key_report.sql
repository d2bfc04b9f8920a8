-- What the keys of a database cost: what does uuid_key_report() tell from statistics?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

-- random to the index, but the same each time
CREATE FUNCTION seeded_uuidv4(seed text)
RETURNS uuid RETURN overlay(overlay(md5(seed) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid;
-- batches, which find the pages of the earlier ones
CREATE TABLE random_keys (id uuid PRIMARY KEY, n int);
CREATE INDEX random_keys_behind ON random_keys (n, id);
INSERT INTO random_keys SELECT seeded_uuidv4('first ' || n), n FROM generate_series(1, 10000) AS n;
INSERT INTO random_keys SELECT seeded_uuidv4('second ' || n), n FROM generate_series(1, 10000) AS n;
CREATE TABLE ordered_keys (id uuid PRIMARY KEY, customer uuid, note text);
INSERT INTO ordered_keys SELECT gen_uuidv7(), r.id FROM random_keys AS r, generate_series(1, 2) WHERE n <= 5000;
CREATE INDEX ordered_keys_customer ON ordered_keys (customer);
CREATE INDEX ordered_keys_note ON ordered_keys (note, id);
CREATE INDEX ordered_keys_both ON ordered_keys (id, note);
CREATE TABLE combs (id uuid PRIMARY KEY);
INSERT INTO combs SELECT gen_comb() FROM generate_series(1, 2000);
CREATE TABLE suffix_combs (id uuid PRIMARY KEY);
INSERT INTO suffix_combs SELECT gen_suffix_comb() FROM generate_series(1, 2000);
CREATE TABLE mixed (id uuid PRIMARY KEY);
INSERT INTO mixed SELECT CASE n % 4 WHEN 0 THEN gen_random_uuid() ELSE gen_uuidv7() END FROM generate_series(1, 4000) AS n;
INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil');
CREATE TABLE rides (id iuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE rides_2026 PARTITION OF rides FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
INSERT INTO rides SELECT gen_iuid(country, 1) FROM generate_series(1, 1000), unnest('{76,82,83}'::int[]) AS country;
CREATE TABLE notes (id ulid PRIMARY KEY);
INSERT INTO notes SELECT gen_ulid() FROM generate_series(1, 2000);
-- most rows have one of a few values, which the bounds of the histogram do not show
CREATE TABLE visits (customer uuid);
CREATE INDEX visits_customer ON visits (customer);
INSERT INTO visits
SELECT CASE WHEN n % 10 > 0 THEN seeded_uuidv4('customer ' || n % 10) ELSE gen_uuidv7() END
FROM generate_series(1, 10000) AS n;
-- no UUIDv7 as RFC 9562 has them
CREATE TABLE drafts (id uuid PRIMARY KEY);
INSERT INTO drafts
	SELECT overlay(overlay(md5(n::text) PLACING '065e5a' || lpad(to_hex(n), 6, '0') || '7' FROM 1 FOR 13) PLACING '8'
	FROM 17)::uuid FROM generate_series(1, 2000) AS n;
CREATE TABLE ducks (id uuid PRIMARY KEY);
INSERT INTO ducks SELECT CASE WHEN n < 1500 THEN overlay(id::text PLACING '8' FROM 1) ELSE id::text END::uuid
	FROM (SELECT n, gen_uuidv7() AS id FROM generate_series(1, 2000) AS n) AS i;
-- behind other columns
CREATE TABLE orders (tenant bigint, shop uuid, id uuid, made timestamptz DEFAULT now());
CREATE INDEX orders_narrow ON orders (tenant, id);
CREATE INDEX orders_wide ON orders (shop, id);
CREATE INDEX orders_time ON orders (tenant, uuid_time(id));
CREATE INDEX orders_made ON orders (id, tenant) INCLUDE (made);
INSERT INTO orders SELECT n % 10, md5((n % 7)::text)::uuid, gen_uuidv7() FROM generate_series(1, 10000) AS n;
-- uuids that are no uuid columns, and what only looks like them
CREATE TABLE texts (id varchar(36) PRIMARY KEY, parent text, plain char(32), raw bytea, hash bytea, digest text, word text);
CREATE INDEX texts_raw ON texts (raw);
INSERT INTO texts
SELECT gen_uuidv7()::text,
	upper(seeded_uuidv4('parent ' || n)::text),
	replace(seeded_uuidv4('plain ' || n)::text, '-', ''),
	uuid_send(gen_uuidv7()),
	decode(md5(n::text), 'hex'), md5(n::text), repeat(n::text, 7)
FROM generate_series(1, 5000) AS n;
CREATE DOMAIN any_id AS uuid;
CREATE DOMAIN order_id AS any_id;
CREATE TABLE never_analyzed (id order_id PRIMARY KEY) WITH (autovacuum_enabled = off);
CREATE TABLE empty (id uuid PRIMARY KEY);
CREATE TABLE other (id bigint PRIMARY KEY, hashed uuid);
CREATE INDEX other_hashed ON other USING hash (hashed);
ANALYZE visits, drafts, ducks, orders, texts, random_keys, ordered_keys, combs, suffix_combs, mixed, rides,
	rides_2026, notes, empty;
SELECT pg_stat_force_next_flush();
-- one that is not finished
\set VERBOSITY terse
CREATE UNIQUE INDEX CONCURRENTLY ordered_keys_unique ON ordered_keys (customer);
\set VERBOSITY default

-- read once, until something changes
CREATE TEMP TABLE report AS SELECT * FROM uuid_key_report();
-- of mixed keys the sample says only about how many; a ulid of the SQL edition is a text
SELECT table_name, column_name, index_name, kind, regexp_replace(layout, '(\d)\d %', '\1. %', 'g') AS layout,
	CASE WHEN layout NOT LIKE '%,%' THEN round(abs(correlation)) END AS correlation, note
FROM report WHERE table_name <> 'notes'::regclass ORDER BY 1, 3, 2;
-- dearest first
SELECT count(*) > 10 AS lines,
	array_agg(bytes_saved + wal_bytes_saved) = array_agg(bytes_saved + wal_bytes_saved
	ORDER BY bytes_saved + wal_bytes_saved DESC) AS sorted FROM report;
-- of 32 bits an entry with a NULL is 4 bytes less than the estimate takes it for
SELECT index_name, bytes = pg_relation_size(index_name) AS size,
	CASE
		WHEN leaf_density BETWEEN 55 AND 80 THEN 'as random'
		WHEN leaf_density BETWEEN 85 AND 99 THEN 'as ordered'
		ELSE leaf_density::text
		END AS density,
	inserts, bytes_saved > bytes / 20 AS saves_much, wal_bytes_saved
FROM report
	WHERE index_name IN ('random_keys_pkey'::regclass, 'random_keys_behind'::regclass,
		'ordered_keys_pkey'::regclass, 'ordered_keys_both'::regclass)
	ORDER BY 1;
-- A third of the rows of a text is what it is longer than a uuid; less than half of an index is left.
SELECT index_name, column_name, bytes_saved > bytes * 0.4 AS saves_much FROM report
WHERE index_name IN ('texts_pkey'::regclass, 'orders_narrow'::regclass)
	OR table_name = 'texts'::regclass AND index_name IS NULL
ORDER BY 1, 2;
-- what was is still in the statistics
TRUNCATE texts;
SELECT count(*) AS keys, sum(bytes) AS bytes FROM uuid_key_report() WHERE table_name = 'texts'::regclass AND index_name IS NULL;
-- from 18 on the owner of a table may set its statistics to any number
UPDATE pg_class SET reltuples = 'Infinity' WHERE oid = 'texts'::regclass;
SELECT min(bytes) AS bytes FROM uuid_key_report() WHERE table_name = 'texts'::regclass AND index_name IS NULL;
UPDATE pg_class SET reltuples = -1 WHERE oid = 'texts'::regclass;
BEGIN;
UPDATE pg_class SET relpages = 0, reltuples = 1000 WHERE oid = 'random_keys_pkey'::regclass;
SELECT count(*) AS keys FROM uuid_key_report() WHERE index_name = 'random_keys_pkey'::regclass;
ROLLBACK;

-- Exact, where pgstattuple is.
\set VERBOSITY terse
SELECT count(*) AS keys FROM uuid_key_report(exact => true);
\set VERBOSITY default
SELECT * FROM uuid_key_report(NULL);

-- Somebody who may not read a column learns nothing of it.
CREATE ROLE regress_uidext_stranger;
SET ROLE regress_uidext_stranger;
SELECT kind, layout, correlation, bytes_saved, note
FROM uuid_key_report()
WHERE table_name IN ('random_keys'::regclass, 'texts'::regclass);
RESET ROLE;
DROP ROLE regress_uidext_stranger;

DROP TABLE report, visits, drafts, ducks, orders, texts, random_keys, ordered_keys, combs, suffix_combs, mixed,
	rides, notes, never_analyzed, empty, other;
DROP DOMAIN order_id, any_id;
DROP FUNCTION seeded_uuidv4;
DELETE FROM iuid.countries;
