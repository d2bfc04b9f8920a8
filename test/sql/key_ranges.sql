-- Ranges of a key with about as many rows each.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

CREATE TABLE orders (id uuid PRIMARY KEY, n int) WITH (autovacuum_enabled = off);
INSERT INTO orders
SELECT gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 minute'), n
FROM generate_series(0, 9999) AS n;
CREATE TABLE random_keys (id uuid PRIMARY KEY) WITH (autovacuum_enabled = off);
INSERT INTO random_keys SELECT gen_random_uuid() FROM generate_series(1, 10000);
CREATE TABLE mixed (id uuid PRIMARY KEY) WITH (autovacuum_enabled = off);
INSERT INTO mixed SELECT CASE n % 2 WHEN 0 THEN gen_random_uuid() ELSE gen_uuidv7() END FROM generate_series(1, 10000) AS n;
CREATE TABLE "Odd ""names" ("a key" bigint PRIMARY KEY) WITH (autovacuum_enabled = off);
INSERT INTO "Odd ""names" SELECT n * n - 5000 FROM generate_series(1, 10000) AS n;
CREATE TABLE notes (id ulid PRIMARY KEY) WITH (autovacuum_enabled = off);
INSERT INTO notes SELECT gen_ulid() FROM generate_series(1, 2000);
CREATE TABLE rides (id iuid PRIMARY KEY) WITH (autovacuum_enabled = off);
INSERT INTO rides SELECT gen_iuid(76, 1) FROM generate_series(1, 2000);
CREATE TABLE lines (tenant uuid, n int, PRIMARY KEY (tenant, n)) WITH (autovacuum_enabled = off);
INSERT INTO lines SELECT uuid_boundary('2026-01-01') , n FROM generate_series(1, 100) AS n;
INSERT INTO lines SELECT gen_uuidv7_at('2026-01-02'), n FROM generate_series(1, 100) AS n;
CREATE TABLE one (id uuid PRIMARY KEY) WITH (autovacuum_enabled = off);
INSERT INTO one VALUES (gen_uuidv7());
CREATE TABLE empty (id uuid PRIMARY KEY) WITH (autovacuum_enabled = off);
-- partitions of different sizes
CREATE TABLE days (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('days', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day');
INSERT INTO days
SELECT gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + (n * n / 10000.0) * interval '0.4 minute')
FROM generate_series(0, 9999) AS n;
CREATE TABLE parts (id uuid PRIMARY KEY) PARTITION BY HASH (id);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT id FROM orders;
CREATE TABLE messages (id bigint, body text, CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
CREATE TABLE messages_1 PARTITION OF messages
FOR VALUES FROM (uid_boundary('2026-01-01', 'snowflake')) TO (uid_boundary('2026-01-02', 'snowflake'));
CREATE TABLE messages_2 PARTITION OF messages
FOR VALUES FROM (uid_boundary('2026-01-02', 'snowflake')) TO (uid_boundary('2026-01-04', 'snowflake'));
INSERT INTO messages
SELECT uid_boundary(timestamptz '2026-01-01 00:00+00' + n * interval '20 seconds', 'snowflake')
FROM generate_series(0, 9999) AS n;
CREATE TABLE logged (id int PRIMARY KEY, uid uuid);
CREATE UNIQUE INDEX logged_some ON logged (uid) WHERE id > 5;
ANALYZE orders, random_keys, mixed, "Odd ""names", notes, rides, lines, one, empty, days, parts, messages, logged;

SELECT number, uuid_time(from_id::uuid), uuid_time(to_id::uuid), rows,
	replace(replace(condition, coalesce(from_id, '?'), 'from_id'), coalesce(to_id, '?'),
		'to_id') AS condition FROM uuid_key_ranges('orders', 4);
SELECT condition FROM uuid_key_ranges('"Odd ""names"', 3);
SELECT * FROM uuid_key_ranges('orders', 1);
SELECT * FROM uuid_key_ranges('one', 3);
SELECT * FROM uuid_key_ranges('empty', 3);
SELECT * FROM uuid_key_ranges('orders', NULL);

-- The conditions hold each row once, and about as many of each table.
CREATE FUNCTION counted(relation regclass, n int)
RETURNS TABLE (ranges bigint, fewest bigint, most bigint, total numeric, off bigint, expected numeric)
LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE (
		SELECT format('SELECT count(*), min(c), max(c), sum(c), max(abs(c - rows)), sum(rows) FROM (%s) AS x',
			string_agg(format('SELECT %s::bigint AS rows, count(*) AS c FROM %s WHERE %s', r.rows, relation, condition), ' UNION ALL '))
		FROM uuid_key_ranges(relation, n) AS r);
END $$;
SELECT name, n, ranges = n AS all_ranges, total, off < greatest(total / n * 0.2, 12) AS as_estimated,
	abs(expected - total) < n AS together
FROM (VALUES ('orders', 7), ('orders', 500), ('random_keys', 8), ('mixed', 6), ('"Odd ""names"', 10), ('notes', 4), ('rides', 5),
	('days', 8), ('parts', 9), ('messages', 6)) AS t(name, n), counted(name::regclass, n);
-- what is equal is not divided; with an odd number no cut falls on its edge, where rounding would decide
SELECT ranges, fewest, most, total FROM counted('lines', 41);

-- Rows without a key are in the first range, and counted there; where none can be, nothing asks for them.
CREATE TABLE loose (id uuid UNIQUE, n int) WITH (autovacuum_enabled = off);
INSERT INTO loose SELECT CASE WHEN n >= 4000 THEN gen_uuidv7() END, n FROM generate_series(0, 9999) AS n;
CREATE TABLE strict (id uuid NOT NULL UNIQUE) WITH (autovacuum_enabled = off);
INSERT INTO strict SELECT id FROM orders;
CREATE TABLE unknown (id uuid UNIQUE) WITH (autovacuum_enabled = off);
INSERT INTO unknown SELECT NULL FROM generate_series(1, 10);
CREATE TABLE promised (id uuid UNIQUE) WITH (autovacuum_enabled = off);
INSERT INTO promised SELECT id FROM loose;
DO $$
BEGIN
	IF current_setting('server_version_num')::int >= 180000 THEN
		EXECUTE 'ALTER TABLE promised ADD CONSTRAINT later NOT NULL id NOT VALID';
	END IF;
END $$;
CREATE TABLE by_id (id uuid) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('by_id', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day');
CREATE TABLE by_id_rest PARTITION OF by_id DEFAULT;
INSERT INTO by_id SELECT id FROM days UNION ALL SELECT NULL FROM generate_series(1, 100);
ANALYZE loose, strict, unknown, promised, by_id;
SELECT name, n, ranges, total, off < 100 AS as_estimated, expected
FROM (
		VALUES ('loose', 1), ('loose', 2), ('loose', 10), ('strict', 4), ('unknown', 3),
			('by_id', 4)) AS t(name, n), counted(name::regclass, n);
SELECT number, replace(condition, to_id, 'to_id') AS condition, rows
	FROM unnest('{loose,strict,promised,by_id}'::regclass[]) AS t, uuid_key_ranges(t, 10) WHERE number = 1;
-- of tables that inherit, too
CREATE TABLE heirs_of (id uuid UNIQUE) WITH (autovacuum_enabled = off);
CREATE TABLE heirs () INHERITS (heirs_of) WITH (autovacuum_enabled = off);
DO $$
BEGIN
	EXECUTE CASE
		WHEN current_setting('server_version_num')::int
			>= 180000 THEN 'ALTER TABLE heirs_of ADD CONSTRAINT own NOT NULL id NO INHERIT'
		ELSE 'ALTER TABLE ONLY heirs_of ALTER id SET NOT NULL' END;
END $$;
INSERT INTO heirs_of SELECT id FROM strict;
INSERT INTO heirs SELECT id FROM loose WHERE n < 4010;
ANALYZE heirs_of, heirs;
SELECT total FROM counted('heirs_of', 4);
-- by the index, and in the partitions that have them
CREATE FUNCTION plan_of_first(relation regclass, n int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE (
		SELECT format('EXPLAIN (COSTS OFF) SELECT * FROM %s WHERE %s', relation, condition) FROM uuid_key_ranges(relation, n) LIMIT 1
	) LOOP
		RETURN NEXT regexp_replace(line, '''[-0-9a-f]{36}''', '''…''', 'g');
	END LOOP;
END $$;
SET enable_seqscan = off;
SELECT * FROM plan_of_first('loose', 200);
RESET enable_seqscan;
SELECT line FROM plan_of_first('by_id', 8) AS line WHERE line ~ 'Scan';
DROP FUNCTION plan_of_first;

-- Partitions by ranges of another column say nothing of the key.
CREATE TABLE sites (id uuid, site text, PRIMARY KEY (id, site)) PARTITION BY RANGE (site);
CREATE TABLE sites_a PARTITION OF sites FOR VALUES FROM ('a') TO ('b');
CREATE TABLE sites_rest PARTITION OF sites DEFAULT;
INSERT INTO sites SELECT id, chr(97 + n % 2) FROM orders;
ANALYZE sites;
SELECT ranges, total, off < 12 AS as_estimated FROM counted('sites', 4);

-- Bounds and members are read once, however many partitions there are.
SELECT pg_stat_force_next_flush() \g /dev/null
BEGIN;
SET LOCAL track_functions = 'all';
SELECT count(*) AS ranges FROM uuid_key_ranges('days', 8);
SELECT funcname, calls
FROM pg_stat_xact_user_functions
WHERE funcname IN ('partition_ranges', 'key_range_members', 'key_range_steps')
ORDER BY 1;
COMMIT;

-- By a partition's bounds alone, for somebody who sees no statistics.
CREATE ROLE regress_uidext_stranger;
SET ROLE regress_uidext_stranger;
SELECT number, date_trunc('minute', uuid_boundary_time(to_id::uuid) + interval '30 s') AS until, rows
FROM uuid_key_ranges('days', 4);
SELECT number, date_trunc('minute', uid_time(to_id::bigint, 'snowflake') + interval '30 s') AS until, rows
FROM uuid_key_ranges('messages', 3);
SELECT * FROM uuid_key_ranges('orders', 4);
RESET ROLE;
DROP ROLE regress_uidext_stranger;

SELECT * FROM uuid_key_ranges('orders', 0);
SELECT * FROM uuid_key_ranges('orders', 10001);
SELECT * FROM uuid_key_ranges('logged', 4);
SELECT * FROM uuid_key_ranges(0::regclass, 4);

DROP FUNCTION counted;
DROP TABLE orders, random_keys, mixed, "Odd ""names", notes, rides, lines, one, empty, days, parts, messages, logged, sites,
	loose, strict, unknown, promised, by_id, heirs_of, heirs;
