-- uuid_partition_move(): old partitions to another schema or tablespace.

\set SHOW_CONTEXT never
SET timezone = 'UTC';
SET datestyle = ISO;
SET client_min_messages = notice;
SET jit = off;

\set unaligned '\\g (format=unaligned tuples_only=on)'

\getenv test PG_ABS_SRCDIR
\set error_of :test '/include/error_of.sql'
\i :error_of

SET allow_in_place_tablespaces = on;
CREATE TABLESPACE "regress uidext Cold" LOCATION '';
CREATE ROLE regress_uidext_owner;
CREATE SCHEMA shop AUTHORIZATION regress_uidext_owner;
CREATE SCHEMA "The Archive" AUTHORIZATION regress_uidext_owner;
CREATE SCHEMA closed;

SET ROLE regress_uidext_owner;
CREATE TABLE shop."Big Orders" (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int, note text) PARTITION BY RANGE (id);
CREATE INDEX ON shop."Big Orders" (n);
CREATE TABLE shop.lines (id uuid REFERENCES shop."Big Orders");
CREATE TABLE shop.before PARTITION OF shop."Big Orders" FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2024-12-01'));
CREATE TABLE shop.december PARTITION OF shop."Big Orders" FOR VALUES FROM (uuid_boundary('2024-12-01')) TO (uuid_boundary('2025-01-01')) PARTITION BY RANGE (id);
CREATE TABLE shop.christmas PARTITION OF shop.december FOR VALUES FROM (uuid_boundary('2024-12-24')) TO (uuid_boundary('2024-12-26'));
SELECT count(*) FROM uuid_partition_create('shop."Big Orders"', '2025-01-01', '2025-04-01', '1 month');
INSERT INTO shop."Big Orders" SELECT gen_uuidv7_at(at), 1, repeat('x', 10000) FROM unnest('{2024-11-11,2024-12-25,2025-01-05,2025-03-05}'::timestamptz[]) AS at;
INSERT INTO shop.lines SELECT id FROM shop."Big Orders";
RESET ROLE;
CREATE VIEW places AS
SELECT n.nspname AS schema, c.relname, c.relkind, coalesce(s.spcname, 'default') AS tablespace
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace
WHERE n.nspname IN ('shop', 'The Archive') AND relname <> 'lines';

-- Errors, before anything is moved
SELECT arguments, error_of(format('SELECT uidext_internal.uuid_partition_move_next(%s, NULL)', arguments))
FROM unnest(ARRAY[$$NULL, '2025-02-01', 'closed', NULL$$, $$'shop."Big Orders"', NULL, 'closed', NULL$$, $$'shop."Big Orders"', '2025-02-01', NULL, NULL$$,
	$$'shop."Big Orders"', 'infinity', 'closed', NULL$$, $$'shop.lines', '2025-02-01', 'closed', NULL$$,
	$$'shop."Big Orders"', '2025-02-01', 'nowhere', NULL$$, $$'shop."Big Orders"', '2025-02-01', NULL, 'nowhere'$$,
	$$'shop."Big Orders"', '2025-02-01', 'closed', NULL$$, $$'shop."Big Orders"', '2025-02-01', NULL, 'regress uidext Cold'$$]) AS arguments :unaligned
CREATE ROLE regress_uidext_other;
GRANT USAGE ON SCHEMA shop TO regress_uidext_other;
SET ROLE regress_uidext_other;
CALL uuid_partition_move('shop."Big Orders"', '2020-01-01', 'The Archive');
RESET ROLE;
BEGIN;
CALL uuid_partition_move('shop."Big Orders"', '2025-02-01', 'The Archive');
ROLLBACK;
SELECT DISTINCT schema, tablespace FROM places;

-- To other disks, with indexes and what is beneath; then nothing is left to do.
GRANT CREATE ON TABLESPACE "regress uidext Cold" TO regress_uidext_owner;
CALL uuid_partition_move('shop."Big Orders"', '2025-02-01', tablespace => 'regress uidext Cold');
CALL uuid_partition_move('shop."Big Orders"', '2025-02-01', tablespace => 'regress uidext Cold');
SELECT tablespace, string_agg(relname, ' ' ORDER BY relname) FROM places GROUP BY 1 ORDER BY 1;

-- To another schema, still a part of the table; what is in the way is said, and the others go.
CREATE TABLE "The Archive".before ();
CALL uuid_partition_move('shop."Big Orders"', '2025-03-01', 'The Archive', 'regress uidext Cold');
DROP TABLE "The Archive".before;
CALL uuid_partition_move('shop."Big Orders"', '2025-03-01', 'The Archive', 'regress uidext Cold');
SELECT schema, tablespace, string_agg(relname, ' ' ORDER BY relname) FROM places GROUP BY 1, 2 ORDER BY 1, 2;
SELECT tableoid::regclass, length(note) FROM shop."Big Orders" ORDER BY id;
SELECT partition, note FROM uuid_partition_list('shop."Big Orders"');
-- where retention still finds it, and nothing is made twice
SELECT count(*) FROM uuid_partition_create('shop."Big Orders"', '2025-01-01', '2025-04-01', '1 month');
DELETE FROM shop.lines;
SELECT partition FROM uuid_partition_drop('shop."Big Orders"', '2025-02-01');

-- and back, to the database's own
SELECT spcname AS own FROM pg_database JOIN pg_tablespace s ON s.oid = dattablespace WHERE datname = current_database() \gset
CALL uuid_partition_move('shop."Big Orders"', '2025-03-01', 'shop', :'own');
SELECT schema, tablespace, count(*) FROM places GROUP BY 1, 2;

SET client_min_messages = error;
DROP SCHEMA shop, "The Archive", closed CASCADE;
DROP VIEW places;
DROP TABLESPACE "regress uidext Cold";
DROP ROLE regress_uidext_owner, regress_uidext_other;
DROP FUNCTION error_of;
