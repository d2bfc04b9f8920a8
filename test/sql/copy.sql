-- COPY in batches: which defaults let it insert many rows by one WAL record, and
-- that a generator stays volatile to whoever else asks
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

CREATE EXTENSION pg_walinspect;
CREATE SEQUENCE invoice_numbers;
INSERT INTO iuid.countries VALUES (76, 'KZ', 'Kazakhstan');
INSERT INTO iuid.service_entities VALUES (250, 'Parcel');
SET uidext.country = 76;
CREATE TABLE load (id_default text, xid xid, start pg_lsn, finish pg_lsn, rows bigint, ids bigint);

CREATE FUNCTION load_rows(id_type text, id_default text, options text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	start pg_lsn;
BEGIN
	EXECUTE format('CREATE TABLE orders (id %s DEFAULT %s, n int)', id_type, id_default);
	start := pg_current_wal_insert_lsn();
	EXECUTE format('COPY orders (n) FROM PROGRAM ''seq 500'' %s', options);
	EXECUTE format('
		INSERT INTO load
		SELECT %L, pg_current_xact_id()::xid, %L, pg_current_wal_insert_lsn(), count(*),
			count(DISTINCT id::text)
		FROM orders',
		concat_ws(' ', id_default, nullif(options, '')), start);
	DROP TABLE orders;
END $$;

CREATE VIEW loaded AS
	SELECT id_default, rows, ids, CASE
		WHEN batches > 0 AND singles <= 1 THEN 'in batches'
		WHEN batches = 0 AND singles >= rows THEN 'row by row'
		ELSE format('%s batches, %s rows', batches, singles) END AS inserted
	FROM load, LATERAL (
		SELECT count(*) FILTER (WHERE resource_manager = 'Heap2' AND record_type LIKE 'MULTI\_INSERT%') AS batches,
			count(*) FILTER (WHERE resource_manager = 'Heap' AND record_type LIKE 'INSERT%') AS singles
		FROM pg_get_wal_records_info(start, finish) AS r WHERE r.xid = load.xid) AS records;

-- Each volatile function that makes ids has the support function.  The boundary
-- is no new id, and looks at what others write.
CREATE VIEW generators AS
	SELECT p.oid, proname, oidvectortypes(proargtypes) AS types, pg_get_function_result(p.oid) AS result, prosupport
	FROM pg_depend JOIN pg_proc AS p ON p.oid = objid
	WHERE classid = 'pg_proc'::regclass AND deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uidext')
		AND provolatile = 'v' AND (prosupport = 'uidext_internal.generator_support'::regproc
			OR prorettype::regtype::text IN ('uuid', 'iuid', 'ulid') OR proname ~ '^(gen|uid)_');
SELECT oid::regprocedure AS without_support
FROM generators
WHERE prosupport <> 'uidext_internal.generator_support'::regproc
ORDER BY 1;

-- Each loads in batches, whatever its arguments are.  Before 17 some need a
-- preloaded module.
CREATE TABLE calls AS
	SELECT oid::regprocedure AS generator, result, proname || arguments AS call
	FROM generators LEFT JOIN (VALUES
		('', '()'), ('interval', '(interval ''1 day'')'), ('timestamp with time zone', '(now())'),
		('timestamp with time zone, interval', '(now())'), ('regclass, integer', '(''invoice_numbers'')'),
		('integer', '(1)'), ('integer, integer', '(76, 1)'), ('timestamp with time zone, integer, integer', '(now(), 76, 1)'),
		('text', '(''Parcel'')'),
		('text, text', '(''KZ'', ''Parcel'')'), ('timestamp with time zone, text, text', '(now(), ''KZ'', ''Parcel'')'),
		('text, integer', '(''snowflake'', 1)')) AS a(types, arguments) USING (types)
	WHERE prosupport = 'uidext_internal.generator_support'::regproc;
UPDATE calls SET call = 'uid_generate(''ksuid'')' WHERE generator = 'uid_generate(text)'::regprocedure;
SELECT generator AS without_a_call FROM calls WHERE call IS NULL;
DELETE FROM calls
WHERE current_setting('server_version_num')::int < 170000
	AND generator IN ('gen_ordered_uuidv7()'::regprocedure, 'uid_next(text, int)'::regprocedure);
SELECT count(load_rows(result, call)) > 0 AS called FROM calls;
SELECT * FROM loaded WHERE (rows, ids, inserted) IS DISTINCT FROM (500, 500, 'in batches') ORDER BY id_default;
TRUNCATE load;

-- So does what is made of an id; other volatile functions do not.
SELECT count(load_rows(id_type, id_default)) AS loads FROM (VALUES
	('uuid', 'gen_iuid(''Parcel'')::uuid'), ('text', 'uuid_to_typeid(gen_uuidv7(), ''order'')'),
	('text', 'upper(gen_uuidv7()::text)'), ('uuid', 'coalesce(NULL, gen_comb())'), ('uuid[]', 'ARRAY[gen_uuidv7(), gen_comb()]'),
	('uuid', 'gen_uuidv7(nullif(interval ''0'', interval ''1 day''))'),
	('bigint', 'nextval(''invoice_numbers'')'),
	('uuid', 'gen_random_uuid()'),
	('text', 'gen_uuidv7()::text || random()')) AS t(id_type, id_default);
SELECT load_rows('uuid', 'gen_uuidv7()', 'WHERE n > 0');
SELECT load_rows('uuid', 'gen_uuidv7()', 'WHERE gen_uuidv7() IS NOT NULL');
SELECT * FROM loaded ORDER BY id_default COLLATE "C";
TRUNCATE load;

-- Strict as the generator is
CREATE TABLE parcels (id uuid DEFAULT gen_uuidv7(NULL::interval), n int);
COPY parcels (n) FROM PROGRAM 'seq 3';
SELECT count(*) AS parcels, count(id) AS ids FROM parcels;
DROP TABLE parcels;

-- Partitions, a domain's default, a view with a trigger, BEFORE ROW triggers
CREATE DOMAIN order_id AS uuid DEFAULT gen_uuidv7();
CREATE TABLE orders (id order_id, n int) PARTITION BY RANGE (n);
CREATE TABLE orders_1 PARTITION OF orders FOR VALUES FROM (0) TO (200);
CREATE TABLE orders_2 PARTITION OF orders FOR VALUES FROM (200) TO (1000);
COPY orders (n) FROM PROGRAM 'seq 500';
SELECT count(*) AS orders, count(DISTINCT id) AS different_ids FROM orders;
CREATE TABLE seen (id uuid);
CREATE FUNCTION note_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO seen VALUES (NEW.id);
	RETURN NEW;
END $$;
CREATE TRIGGER note_id BEFORE INSERT ON orders_2 FOR EACH ROW EXECUTE FUNCTION note_id();
TRUNCATE orders;
COPY orders (n) FROM PROGRAM 'seq 500';
SELECT count(*) AS orders, count(DISTINCT orders.id) AS different_ids FROM orders_2 AS orders JOIN seen ON seen.id = orders.id;
TRUNCATE seen;
CREATE VIEW open_orders AS SELECT id, n FROM orders;
ALTER VIEW open_orders ALTER id SET DEFAULT gen_uuidv7();
CREATE TRIGGER note_id INSTEAD OF INSERT ON open_orders FOR EACH ROW EXECUTE FUNCTION note_id();
COPY open_orders (n) FROM PROGRAM 'seq 500';
SELECT count(*) AS ids, count(DISTINCT id) AS different_ids FROM seen;
BEGIN;
TRUNCATE orders_1;
COPY orders_1 (n) FROM PROGRAM 'seq 100' WITH (FREEZE);
COMMIT;
SELECT count(*) AS orders, count(DISTINCT id) AS different_ids FROM orders_1;
DROP VIEW open_orders;
DROP TABLE orders, seen;
DROP FUNCTION note_id;

-- A column that is added: each row gets an id of its own.
CREATE TABLE items (n) AS SELECT generate_series(1, 100);
ALTER TABLE items ADD a uuid DEFAULT gen_uuidv7(), ADD b uuid NOT NULL DEFAULT gen_comb(), ADD c order_id,
	ADD d iuid DEFAULT gen_iuid('Parcel'), ADD e text DEFAULT uuid_to_typeid(gen_uuidv7(), 'item');
SELECT count(*) AS items, count(DISTINCT a) AS a, count(DISTINCT b) AS b, count(DISTINCT c) AS c,
	count(DISTINCT d) AS d, count(DISTINCT e) AS e
FROM items;
ALTER TABLE items ALTER a TYPE uuid USING gen_uuidv7();
SELECT count(DISTINCT a) AS different FROM items;

-- Refused as before; 19 shows where, others do not
\set VERBOSITY sqlstate
CREATE INDEX ON items (gen_uuidv7());
CREATE INDEX ON items (n) WHERE gen_uuidv7() IS NOT NULL;
CREATE TABLE payments (n int, id uuid GENERATED ALWAYS AS (gen_uuidv7()) STORED);
CREATE TABLE payments (n int) PARTITION BY RANGE (gen_uuidv7());

\set VERBOSITY default
-- Shown as it is written
CREATE TABLE payments (id uuid DEFAULT gen_uuidv7('-1 day'), n int);
SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'payments'::regclass;
EXPLAIN (VERBOSE, COSTS OFF) INSERT INTO payments (n) VALUES (1);

-- CALL and EXECUTE prepare their arguments outside of a query, too.
CREATE PROCEDURE pay(id uuid, other uuid) LANGUAGE sql BEGIN ATOMIC INSERT INTO payments VALUES (id, 1), (other, 2); END;
CALL pay(gen_uuidv7(), gen_uuidv7());
CALL pay(gen_uuidv7(), gen_uuidv7());
PREPARE pay_by_id (uuid) AS INSERT INTO payments VALUES ($1, 3);
EXECUTE pay_by_id (gen_uuidv7());
EXECUTE pay_by_id (gen_uuidv7());
SELECT count(*) AS payments, count(DISTINCT id) AS different_ids FROM payments;

-- Only with the right to call the generator, and not by hand
CREATE ROLE copy_clerk;
GRANT INSERT ON payments TO copy_clerk;
REVOKE EXECUTE ON FUNCTION gen_uuidv7(interval) FROM PUBLIC;
SET ROLE copy_clerk;
COPY payments (n) FROM stdin;
1
\.
RESET ROLE;
GRANT EXECUTE ON FUNCTION gen_uuidv7(interval) TO PUBLIC;
-- who may call the generator alone inserts row by row
REVOKE EXECUTE ON FUNCTION uidext_internal.generate(internal, "any") FROM PUBLIC;
SET ROLE copy_clerk;
COPY payments (n) FROM stdin;
1
\.
RESET ROLE;
GRANT EXECUTE ON FUNCTION uidext_internal.generate(internal, "any") TO PUBLIC;
REVOKE EXECUTE ON FUNCTION nextval(regclass), pg_backend_pid() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pg_backend_pid() TO copy_clerk;
SET ROLE copy_clerk;
COPY payments (n) FROM stdin;
1
\.
RESET ROLE;
REVOKE EXECUTE ON FUNCTION pg_backend_pid() FROM copy_clerk;
GRANT EXECUTE ON FUNCTION nextval(regclass) TO copy_clerk;
SET ROLE copy_clerk;
COPY payments (n) FROM stdin;
1
\.
RESET ROLE;
REVOKE EXECUTE ON FUNCTION nextval(regclass) FROM copy_clerk;
GRANT EXECUTE ON FUNCTION nextval(regclass), pg_backend_pid() TO PUBLIC;
SELECT uidext_internal.generate(NULL::internal, 1);
SELECT uidext_internal.generate('1'::internal, 1);

-- A function of PostgreSQL that was given the same support
CREATE FUNCTION random_id() RETURNS uuid LANGUAGE internal VOLATILE STRICT PARALLEL SAFE AS 'gen_random_uuid'
	SUPPORT uidext_internal.generator_support;
SELECT load_rows('uuid', 'random_id()');
SELECT * FROM loaded;
DROP FUNCTION random_id;

-- The extension dropped and made again in one session, in another schema
DROP PROCEDURE pay;
DROP TABLE items, payments, calls;
DROP DOMAIN order_id;
DROP VIEW generators;
DELETE FROM iuid.service_entities WHERE id = 250;
DELETE FROM iuid.countries WHERE id = 76;
TRUNCATE load;
BEGIN;
SET LOCAL client_min_messages = warning;
DROP EXTENSION uidext;
CREATE SCHEMA ids;
CREATE EXTENSION uidext SCHEMA ids;
COMMIT;
SELECT load_rows('uuid', 'ids.gen_uuidv7()');
SELECT * FROM loaded;
BEGIN;
SET LOCAL client_min_messages = warning;
DROP EXTENSION uidext;
DROP SCHEMA ids;
CREATE EXTENSION uidext;
COMMIT;

DROP VIEW loaded;
DROP TABLE load;
DROP FUNCTION load_rows;
DROP ROLE copy_clerk;
DROP SEQUENCE invoice_numbers;
DROP EXTENSION pg_walinspect;
RESET uidext.country;
DEALLOCATE ALL;
