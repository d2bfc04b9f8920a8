-- Range partitions that people make by themselves with uuid_boundary(): into which does a row go, and do
-- keys, CHECKs and ATTACH work as they do without uidext?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), item text NOT NULL) PARTITION BY RANGE (id);
CREATE TABLE orders_2026_01 PARTITION OF orders FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2026-02-01'));
CREATE TABLE orders_2026_02 PARTITION OF orders FOR VALUES FROM (uuid_boundary('2026-02-01')) TO (uuid_boundary('2026-03-01'));

-- So do MINVALUE and the boundary of -infinity.
CREATE TABLE orders_2026_03 PARTITION OF orders FOR VALUES FROM (uuid_boundary('2026-03-01')) TO (uuid_boundary('2026-04-01'));
CREATE TABLE orders_old PARTITION OF orders FOR VALUES FROM (uuid_boundary('-infinity')) TO (uuid_boundary('2026-01-01'));
SELECT relname, pg_get_expr(relpartbound, oid) FROM pg_class
WHERE relname ~ '^orders_' AND relispartition AND relkind = 'r' ORDER BY relname;

-- Ranges meet without a gap and without an overlap.
CREATE TABLE orders_2026_02b PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2026-02-28 23:59:59.999+00')) TO (uuid_boundary('2026-03-01'));
INSERT INTO orders
SELECT gen_uuidv7_at(at), to_char(at, 'YYYY-MM-DD HH24:MI:SS.US')
FROM unnest(ARRAY['1970-01-01 00:00:00+00', '2025-12-31 23:59:59.999999+00', '2026-01-01 00:00:00+00',
	'2026-01-31 23:59:59.999999+00', '2026-02-01 00:00:00+00', '2026-02-28 23:59:59.999999+00',
	'2026-03-01 00:00:00+00', '2026-03-31 23:59:59.999999+00']::timestamptz[]) AS at;
SELECT tableoid::regclass, item FROM orders ORDER BY id;

-- Ids of other versions go where their first 48 bits tell.
INSERT INTO orders VALUES ('019b76da-a800-4000-8000-000000000000', 'COMB'), ('019b76da-a800-8037-a940-000000000000', 'iUID');
SELECT tableoid::regclass, item FROM orders WHERE item IN ('COMB', 'iUID') ORDER BY id;

-- No partition yet, and a default one.
INSERT INTO orders VALUES ('019d4669-c400-7000-8000-000000000000', 'April');
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
INSERT INTO orders VALUES ('019d4669-c400-7000-8000-000000000000', 'April');
SELECT tableoid::regclass, item FROM orders WHERE id >= timestamptz '2026-04-01';
CREATE TABLE orders_2026_04 PARTITION OF orders FOR VALUES FROM (uuid_boundary('2026-04-01')) TO (uuid_boundary('2026-05-01'));

-- The primary key holds, alone and as the target of a foreign key.
INSERT INTO orders VALUES ('019b76da-a800-4000-8000-000000000000', 'again');
CREATE TABLE lines (order_id uuid REFERENCES orders, line int, PRIMARY KEY (order_id, line));
INSERT INTO lines VALUES ('019b76da-a800-4000-8000-000000000000', 1);
INSERT INTO lines VALUES ('019b76da-a800-4000-8000-000000000001', 1);
\set VERBOSITY sqlstate
DELETE FROM orders WHERE id = '019b76da-a800-4000-8000-000000000000';
\set VERBOSITY default

-- Detach a month and attach it again, its range proven by a constraint.
ALTER TABLE orders DETACH PARTITION orders_2026_02;
ALTER TABLE orders_2026_02 ADD CHECK (id >= uuid_boundary('2026-02-01') AND id < uuid_boundary('2026-03-01'));
ALTER TABLE orders ATTACH PARTITION orders_2026_02 FOR VALUES FROM (uuid_boundary('2026-02-01')) TO (uuid_boundary('2026-03-01'));
ALTER TABLE orders DETACH PARTITION orders_2026_02;
ALTER TABLE orders ATTACH PARTITION orders_2026_02 FOR VALUES FROM (uuid_boundary('2026-02-02')) TO (uuid_boundary('2026-03-01'));
ALTER TABLE orders_2026_02 ADD CHECK (id < timestamptz '2026-03-01 00:00:00+00');

-- An iuid column takes the same bounds, from either function, and a column that checks its ids does.
CREATE TABLE strict_orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7() CHECK (uuidv7_is_valid(id))) PARTITION BY RANGE (id);
CREATE TABLE strict_orders_01 PARTITION OF strict_orders
FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2026-02-01'));
CREATE TABLE strict_orders_02 PARTITION OF strict_orders
FOR VALUES FROM (uuid_boundary('2026-02-01')) TO (uuid_boundary('2026-03-01'));
CREATE TABLE strict_orders_old PARTITION OF strict_orders FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01'));
CREATE TABLE strict_orders_new PARTITION OF strict_orders FOR VALUES FROM (uuid_boundary('2026-03-01')) TO (MAXVALUE);
INSERT INTO strict_orders
SELECT gen_uuidv7_at(at)
FROM unnest(ARRAY['2025-12-31 23:59:59.999999+00', '2026-01-01 00:00:00+00', '2026-01-31 23:59:59.999999+00',
	'2026-02-01 00:00:00+00', '2026-03-01 00:00:00+00']::timestamptz[]) AS at;
SELECT tableoid::regclass, uuid_time(id) FROM strict_orders ORDER BY id;
INSERT INTO strict_orders VALUES ('019b76da-a800-4000-8000-000000000000');

CREATE TABLE rides (id iuid PRIMARY KEY DEFAULT gen_iuid(76, 1)) PARTITION BY RANGE (id);
CREATE TABLE rides_01 PARTITION OF rides FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (iuid_boundary('2026-02-01'));
CREATE TABLE rides_02 PARTITION OF rides
FOR VALUES FROM (iuid_boundary('2026-02-01')) TO ('019ca6b1-dc00-0000-0000-000000000000');
CREATE TABLE rides_old PARTITION OF rides FOR VALUES FROM (iuid_boundary('-infinity')) TO (iuid_boundary('2026-01-01'));
CREATE TABLE rides_new PARTITION OF rides FOR VALUES FROM (iuid_boundary('2026-03-01')) TO (iuid_boundary('infinity'));
SELECT relname, pg_get_expr(relpartbound, oid)
FROM pg_class
WHERE relname ~ '^rides_' AND relispartition AND relkind = 'r'
ORDER BY relname;
INSERT INTO rides
SELECT gen_iuid_at(at, 76, 1)
FROM unnest(ARRAY['2025-12-31 23:59:59.999999+00', '2026-01-01 00:00:00+00', '2026-01-31 23:59:59.999999+00',
	'2026-02-01 00:00:00+00', '2026-03-01 00:00:00+00']::timestamptz[]) AS at;
SELECT tableoid::regclass, uuid_time(id) FROM rides ORDER BY id;
SELECT tableoid::regclass, count(*) AS rows FROM rides WHERE id <@ tstzrange '[2026-01-31,2026-03-01)' GROUP BY 1 ORDER BY 1;

DROP TABLE lines, orders, orders_2026_02, strict_orders, rides;
