-- DROP EXTENSION: refused while something depends on it; what CASCADE takes along
\set SHOW_CONTEXT never

CREATE TABLE sales (
	id uuid PRIMARY KEY DEFAULT gen_uuidv7(),
	typed iuid DEFAULT gen_iuid(76, 1),
	day date GENERATED ALWAYS AS ((uuid_time(id) AT TIME ZONE 'UTC')::date) STORED,
	amount int CHECK (amount > 0)
);
CREATE INDEX sales_recent ON sales (id) WHERE id >= timestamptz '2026-01-01 00:00+00';
ALTER TABLE sales ADD CONSTRAINT sales_made CHECK (id > timestamptz '2020-01-01 00:00+00');
CREATE VIEW january AS SELECT amount FROM sales WHERE id <@ tstzrange('2026-01-01 00:00+00', '2026-02-01 00:00+00');
CREATE FUNCTION sold_before(at timestamptz) RETURNS bigint RETURN (SELECT count(*) FROM sales WHERE id < at);
-- with no hold on the extension: constants, and text that is parsed when it runs
CREATE TABLE months (id uuid, amount int) PARTITION BY RANGE (id);
CREATE TABLE months_01 PARTITION OF months
FOR VALUES FROM (uuid_boundary('2026-01-01 00:00+00')) TO (uuid_boundary('2026-02-01 00:00+00'));
CREATE FUNCTION loose() RETURNS uuid LANGUAGE plpgsql AS $$ BEGIN RETURN gen_uuidv7(); END $$;

INSERT INTO sales (id, amount) SELECT gen_uuidv7_at('2026-01-15 00:00+00'), n FROM generate_series(1, 100) AS n;
INSERT INTO months SELECT id, amount FROM sales;

DROP EXTENSION uidext;
\echo :SQLSTATE

BEGIN;
DROP EXTENSION uidext CASCADE;
\d sales
SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE oid = 'months_01'::regclass;
SELECT count(*) AS sales, count(DISTINCT id) AS different_ids, sum(amount) AS amount FROM sales;
SELECT count(*) AS months FROM months WHERE id >= '019b7642-d000-0000-0000-000000000000';
SELECT to_regclass('january') AS view, to_regprocedure('sold_before(timestamptz)') AS function,
	to_regclass('iuid.countries') AS registry;
-- ids go on with another generator
ALTER TABLE sales ALTER id SET DEFAULT gen_random_uuid();
INSERT INTO sales (amount) VALUES (101) RETURNING amount;
\set VERBOSITY sqlstate
SELECT loose();
\set VERBOSITY default
ROLLBACK;

SELECT count(*) AS rows FROM january;
DROP TABLE sales, months CASCADE;
DROP FUNCTION loose;
