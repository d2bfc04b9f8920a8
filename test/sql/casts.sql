-- The casts between uuid and timestamptz are explicit, and only that.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\set VERBOSITY terse

SELECT '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid::timestamptz, timestamptz '2023-12-01'::uuid;
SELECT CAST('1ec9414c-232a-6b00-b3c8-9f6bdeced846'::uuid AS timestamptz), CAST(timestamptz '-infinity' AS uuid);
SELECT '919108f7-52d1-4320-9bac-f847db4148a8'::uuid::timestamptz IS NULL AS "no time in it";
SELECT NULL::uuid::timestamptz IS NULL AS "null", NULL::timestamptz::uuid IS NULL AS "null";
SELECT timestamptz '1900-01-01'::uuid;
SELECT timestamptz '2023-12-01'::iuid, iuid_boundary('2023-12-01')::timestamptz;

-- In partition bounds, of which an iuid's has to be one.
CREATE TABLE orders (id uuid) PARTITION BY RANGE (id);
CREATE TABLE orders_01 PARTITION OF orders FOR VALUES FROM ('2026-01-01'::timestamptz::uuid) TO ('2026-02-01'::timestamptz::uuid);
CREATE TABLE rides (id iuid) PARTITION BY RANGE (id);
CREATE TABLE rides_01 PARTITION OF rides
FOR VALUES FROM ('2026-01-01'::timestamptz::iuid) TO ('019c167f-cc00-0000-0000-000000000000');
CREATE TABLE rides_foreign PARTITION OF rides FOR VALUES FROM ('01a3f8f0-0000-7000-8000-000000000000') TO (MAXVALUE);
SELECT relname, pg_get_expr(relpartbound, oid)
FROM pg_class
WHERE relname ~ '^(orders|rides)_' AND relispartition
ORDER BY relname;
DROP TABLE orders, rides;

SELECT castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext
FROM pg_cast
WHERE (castsource, casttarget) IN (('uuid'::regtype, 'timestamptz'::regtype), ('timestamptz'::regtype, 'uuid'::regtype))
ORDER BY 1;

-- No assignment.
CREATE TABLE moments (id uuid, at timestamptz);
INSERT INTO moments (at) VALUES ('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid);
INSERT INTO moments (id) VALUES (now());
UPDATE moments SET id = at;

-- No implicit conversion.
SELECT '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid = timestamptz '2022-02-22 19:22:22+00';
SELECT coalesce('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid, now());
SELECT date_trunc('day', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid);
SELECT uuid_send(now());

-- Literals and untyped parameters beside a uuid still are uuids.
SELECT '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid < '018c22ac-d000-0000-0000-000000000000' AS lt;
SELECT '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid < '2026-01-01';
PREPARE untyped AS SELECT id FROM moments WHERE id >= $1 AND id < $2;
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'untyped';

DROP TABLE moments;
