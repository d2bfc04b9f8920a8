-- Partitions that are partitioned themselves: new ones are partitioned as the newest is.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

\i :test/include/months.sql

-- New partitions are partitioned as the newest is; names go on.
CREATE TABLE stock (id uuid, kind int, PRIMARY KEY (id, kind)) PARTITION BY RANGE (id);
BEGIN;
CREATE TABLE stock_first PARTITION OF stock
FOR VALUES FROM (uuid_boundary(month(-1))) TO (uuid_boundary(month(0)))
PARTITION BY LIST (kind);
CREATE TABLE stock_first_one PARTITION OF stock_first FOR VALUES IN (1);
CREATE TABLE "Other" PARTITION OF stock_first DEFAULT PARTITION BY HASH (id);
CREATE TABLE "Other_0" PARTITION OF "Other" FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE "Other_1" PARTITION OF "Other" FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE stock_template (LIKE stock) WITH (fillfactor = 90);
SELECT action, problem FROM uuid_partition_maintain('stock', '1 month', 0, template => 'stock_template');
SELECT regexp_replace(relid::text, '\d{4}_\d\d', 'YYYY_MM') AS relation, level, isleaf, reloptions,
	pg_get_partkeydef(relid) AS key,
	CASE WHEN level > 1 THEN pg_get_expr(relpartbound, relid) END AS bound
FROM pg_partition_tree('stock') JOIN pg_class ON oid = relid WHERE relid::text ~ '\d{4}_\d\d' ORDER BY relid::text COLLATE "C";
INSERT INTO stock VALUES (gen_uuidv7_at(month(0)), 1), (gen_uuidv7_at(month(0)), 2);
-- rows that come out of the default partition find their place beneath
CREATE TABLE stock_rest PARTITION OF stock DEFAULT;
INSERT INTO stock SELECT gen_uuidv7_at(month(-3)), n % 2 + 1 FROM generate_series(1, 10) AS n;
SELECT done FROM uidext_internal.partition_drain_next('stock', '1 month', 'UTC', NULL, NULL, 10, false, NULL, NULL);
SELECT bool_and((tableoid::regclass::text ~ '_one') = (kind = 1)) AS beneath, count(*) AS rows
FROM stock
WHERE id < uuid_boundary(month(-2));
INSERT INTO stock SELECT gen_uuidv7_at(timestamptz '2020-05-15 00:00+00'), n % 2 + 1 FROM generate_series(1, 11) AS n;
SELECT done FROM uidext_internal.partition_drain_next('stock', '1 month', 'UTC', NULL, NULL, 10, false, NULL, NULL);
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER elsewhere FOREIGN DATA WRAPPER nowhere;
CREATE TABLE archive (id uuid, kind int) PARTITION BY RANGE (id);
CREATE TABLE archive_now PARTITION OF archive
FOR VALUES FROM (uuid_boundary(month(-1))) TO (uuid_boundary(month(0)))
PARTITION BY LIST (kind);
CREATE FOREIGN TABLE archive_now_1 PARTITION OF archive_now FOR VALUES IN (1) SERVER elsewhere;
SET LOCAL client_min_messages = error;
SELECT action, problem FROM uuid_partition_maintain('archive', '1 month', 0);
ROLLBACK;
DROP TABLE stock;

-- After an outage the last one goes, because there are new ones like it.
CREATE TABLE tickets (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT from_id, to_id FROM uuid_partition_bounds('2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
CREATE TABLE tickets_2020_01 PARTITION OF tickets FOR VALUES FROM (:'from_id') TO (:'to_id') PARTITION BY HASH (id);
CREATE TABLE tickets_2020_01_0 PARTITION OF tickets_2020_01 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE tickets_2020_01_1 PARTITION OF tickets_2020_01 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
BEGIN;
SELECT action, count(*) AS steps
FROM uuid_partition_maintain('tickets', '1 month', 1, '3 months', dry_run => true)
GROUP BY action;
SELECT action, count(*) AS steps FROM uuid_partition_maintain('tickets', '1 month', 1, '3 months') GROUP BY action;
SELECT level, isleaf, count(*) AS partitions FROM pg_partition_tree('tickets') GROUP BY level, isleaf ORDER BY level;
SELECT action, partition FROM uuid_partition_maintain('tickets', '1 month', 1, '3 months');
COMMIT;

-- Days of one month are not those of another.
CREATE TABLE readings (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE readings_2020_01 PARTITION OF readings FOR VALUES FROM (:'from_id') TO (:'to_id') PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('readings_2020_01', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 day');
SELECT DISTINCT action, left(problem, 5) AS problem FROM uuid_partition_maintain('readings', '10 years', 0, dry_run => true);
SELECT error_of($$SELECT uuid_partition_create('readings', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$) :unaligned
-- also with countries, as it were, between them
CREATE TABLE parcels (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE parcels_2020_01 PARTITION OF parcels FOR VALUES FROM (:'from_id') TO (:'to_id') PARTITION BY HASH (id);
CREATE TABLE parcels_2020_01_0 PARTITION OF parcels_2020_01 FOR VALUES WITH (MODULUS 1, REMAINDER 0) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('parcels_2020_01_0', '2020-01-01 00:00+00', '2020-01-03 00:00+00', '1 day');
CREATE TABLE parcels_rest PARTITION OF parcels DEFAULT;
SELECT left(error_of($$
		SELECT uuid_partition_create('parcels', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$),
	5) AS make;
INSERT INTO parcels VALUES (uuid_boundary('2020-02-02 00:00+00'));
CALL uuid_partition_drain('parcels', '1 month');
-- and where the column is not the first; a default partition alone holds all time
CREATE TABLE tenants (tenant int, id uuid) PARTITION BY RANGE (id);
CREATE TABLE tenants_2020_01 PARTITION OF tenants FOR VALUES FROM (:'from_id') TO (:'to_id') PARTITION BY RANGE (tenant, id);
SELECT left(error_of($$
		SELECT uuid_partition_create('tenants', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$),
	5) AS make;
CREATE TABLE tenants_2020_01_rest PARTITION OF tenants_2020_01 DEFAULT;
SELECT count(*) AS made FROM uuid_partition_create('tenants', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month');
INSERT INTO tenants VALUES (1, uuid_boundary('2020-02-02 00:00+00'));
SELECT tableoid::regclass FROM tenants;
CREATE TABLE tenants_2020_02_1 PARTITION OF tenants_2020_02
	FOR VALUES FROM (2, uuid_boundary('2020-02-01 00:00+00')) TO (2, uuid_boundary('2020-03-01 00:00+00'));
SELECT left(error_of($$
		SELECT uuid_partition_create('tenants', '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month')$$),
	5) AS make;
DROP TABLE tickets, readings, parcels, tenants;

DROP FUNCTION month_of;
DROP FUNCTION month;
DROP FUNCTION error_of;
