-- uuid_partition_drain(): which rows move, where, and what stays of the default partition.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
SET client_min_messages = warning;

-- A drain moves rows: the default partition stays what it is, with all that is its own or means it by name.
CREATE TABLE customers (n int PRIMARY KEY);
CREATE TABLE parcels (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE parcels_rest PARTITION OF parcels DEFAULT;
INSERT INTO parcels SELECT gen_uuidv7_at('2020-01-05 00:00+00') FROM generate_series(1, 30);
CREATE VIEW of_rest AS SELECT id FROM parcels_rest;
ALTER TABLE parcels_rest ADD CONSTRAINT own FOREIGN KEY (n) REFERENCES customers;
CREATE FUNCTION noted()
RETURNS trigger
LANGUAGE plpgsql AS 'BEGIN RAISE NOTICE ''% on %'', TG_NAME, TG_RELID::regclass; RETURN NEW; END';
CREATE TRIGGER idle BEFORE INSERT OR DELETE ON parcels FOR EACH ROW EXECUTE FUNCTION noted();
CREATE TRIGGER always BEFORE INSERT OR DELETE ON parcels FOR EACH ROW EXECUTE FUNCTION noted();
ALTER TABLE parcels_rest DISABLE TRIGGER idle;
ALTER TABLE parcels_rest ENABLE ALWAYS TRIGGER always;
COMMENT ON TABLE parcels_rest IS 'to be empty';
CREATE ROLE regress_uidext_writer;
GRANT SELECT (n) ON parcels_rest TO regress_uidext_writer;
CREATE VIEW kept AS
SELECT c.oid::regclass AS partition, obj_description(c.oid, 'pg_class') AS comment,
	array_agg(t.tgname || ' ' || t.tgenabled::text ORDER BY t.tgname) AS triggers,
	has_column_privilege('regress_uidext_writer', c.oid, 'n', 'SELECT') AS may_read
FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_trigger t ON t.tgrelid = c.oid AND NOT t.tgisinternal
WHERE i.inhparent = 'parcels'::regclass
GROUP BY c.oid;
CALL uuid_partition_drain('parcels', '1 month', max_rows => 29);
CALL uuid_partition_drain('parcels', '1 month', dry_run => true);
CALL uuid_partition_drain('parcels', '1 month', max_rows => 30);
SELECT tableoid::regclass, count(*) AS rows FROM parcels GROUP BY 1;
SELECT * FROM kept ORDER BY 1;
SELECT count(*) AS left_over FROM pg_class WHERE relname ~ '^uidext_moving';
DROP VIEW kept, of_rest;
DROP TABLE parcels, customers;
DROP ROLE regress_uidext_writer;
-- a row trigger beside a key that is checked at the commit
CREATE TABLE senders (n int PRIMARY KEY);
CREATE TABLE postcards (id uuid NOT NULL, n int REFERENCES senders DEFERRABLE INITIALLY DEFERRED) PARTITION BY RANGE (id);
CREATE TABLE postcards_rest PARTITION OF postcards DEFAULT;
CREATE TRIGGER noted BEFORE INSERT ON postcards FOR EACH ROW EXECUTE FUNCTION noted();
SET client_min_messages = error;
INSERT INTO senders VALUES (1);
INSERT INTO postcards VALUES (gen_uuidv7_at('2020-01-05 00:00+00'), 1);
SET client_min_messages = warning;
CALL uuid_partition_drain('postcards', '1 month');
SELECT tableoid::regclass, count(*) AS rows FROM postcards GROUP BY 1;
DROP TABLE postcards, senders;
-- also one that is partitioned, each table's own state of a trigger
CREATE TABLE letters (id uuid, n int) PARTITION BY RANGE (id);
CREATE TABLE letters_rest PARTITION OF letters DEFAULT PARTITION BY LIST (n);
CREATE TABLE letters_rest_1 PARTITION OF letters_rest FOR VALUES IN (1);
CREATE TABLE letters_rest_2 PARTITION OF letters_rest DEFAULT;
CREATE TRIGGER noted BEFORE INSERT ON letters FOR EACH ROW EXECUTE FUNCTION noted();
ALTER TABLE ONLY letters_rest DISABLE TRIGGER noted;
ALTER TABLE letters_rest_1 ENABLE REPLICA TRIGGER noted;
CREATE TRIGGER noted_too BEFORE DELETE ON letters_rest FOR EACH ROW EXECUTE FUNCTION noted();
ALTER TABLE letters_rest_1 DISABLE TRIGGER noted_too;
INSERT INTO letters VALUES (gen_uuidv7_at('2020-01-05 00:00+00'), 1), (gen_uuidv7_at('2020-01-06 00:00+00'), 2);
CALL uuid_partition_drain('letters', '1 month');
SELECT tgrelid::regclass, tgname, tgenabled FROM pg_trigger WHERE tgrelid::regclass::text ~ '^letters_rest' ORDER BY 1, 2;
SELECT tableoid::regclass, n FROM letters ORDER BY n;
DROP TABLE letters;
DROP FUNCTION noted;
-- also one whose columns are in another order
CREATE TABLE books (id uuid PRIMARY KEY, title text, pages int) PARTITION BY RANGE (id);
CREATE TABLE books_rest (pages int, author text, title text, id uuid NOT NULL);
ALTER TABLE books_rest DROP COLUMN author;
ALTER TABLE books ATTACH PARTITION books_rest DEFAULT;
INSERT INTO books VALUES (gen_uuidv7_at('2020-01-05 00:00+00'), 'one', 1), (gen_uuidv7_at('2020-02-05 00:00+00'), 'two', 2);
CALL uuid_partition_drain('books', '1 month');
SELECT tableoid::regclass, title, pages FROM books ORDER BY pages;
DROP TABLE books;

-- By default a call moves no more than 10,000 rows of a period.
CREATE TABLE scans (id uuid) PARTITION BY RANGE (id);
CREATE TABLE scans_rest PARTITION OF scans DEFAULT;
INSERT INTO scans SELECT uuid_boundary('2020-01-05 00:00+00') FROM generate_series(1, 10000);
SET client_min_messages = notice;
CALL uuid_partition_drain('scans', '1 month', dry_run => true);
INSERT INTO scans VALUES (uuid_boundary('2020-01-06 00:00+00'));
CALL uuid_partition_drain('scans', '1 month', dry_run => true);
-- what is in the way of the partition is told with its own way out
CREATE TABLE scans_2020_01 ();
CALL uuid_partition_drain('scans', '1 month', max_rows => 20000);
SET client_min_messages = warning;
DROP TABLE scans, scans_2020_01;
-- A period that has an id of another time stays whole: one that lies in the future, or is the first of all.
CREATE TABLE flights (id uuid) PARTITION BY RANGE (id);
CREATE TABLE flights_rest PARTITION OF flights DEFAULT;
INSERT INTO flights VALUES (gen_uuidv7_at(now())), (gen_uuidv7_at(now() + interval '1 hour'));
-- warnings name the year
SET client_min_messages = error;
CALL uuid_partition_drain('flights', '10 years');
SELECT count(*) AS left_beside_the_future FROM flights_rest;
TRUNCATE flights;
INSERT INTO flights VALUES ('00000000-0000-0000-0000-000000000000'), (uuid_boundary('1970-01-05 00:00+00'));
CALL uuid_partition_drain('flights', '1 year');
SELECT count(*) AS left_beside_the_first FROM flights_rest;
DELETE FROM flights WHERE id < uuid_boundary('1970-01-02 00:00+00');
CALL uuid_partition_drain('flights', '1 year');
SELECT count(*) AS left_without FROM flights_rest;
SET client_min_messages = warning;
DROP TABLE flights;

-- No argument may be NULL but a beginning and an end.
CALL uuid_partition_drain(NULL, '1 month');
CALL uuid_partition_drain('pg_class', NULL);
CALL uuid_partition_drain('pg_class', '1 month', NULL);
CALL uuid_partition_drain('pg_class', '1 month', max_rows => NULL);
CALL uuid_partition_drain('pg_class', '1 month', dry_run => NULL);

-- Step and time zone count, also where there is nothing to drain.
CREATE TABLE returns (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE returns_rest PARTITION OF returns DEFAULT;
CALL uuid_partition_drain('returns', '0');
CALL uuid_partition_drain('returns', '1 month', 'Nowhere/X');
DROP TABLE returns;

-- A period begins with the end of the partition before it.
CREATE TABLE ends (id uuid) PARTITION BY RANGE (id);
CREATE TABLE ends_rest PARTITION OF ends DEFAULT;
SELECT uuid_partition_create('ends', '2020-01-01 00:00+00', '2020-01-15 00:00+00', '14 days');
INSERT INTO ends VALUES (uuid_boundary('2020-01-15 00:00+00'));
CALL uuid_partition_drain('ends', '1 month');
SELECT partition, from_time, to_time FROM uuid_partition_list('ends') WHERE kind = 'partition';
SELECT count(*) AS rows_left FROM ends_rest;
DROP TABLE ends;

-- A row of the very millisecond in which a partition begins is moved, if it is before that bound.
CREATE TABLE tickets (id uuid) PARTITION BY RANGE (id);
CREATE TABLE tickets_rest PARTITION OF tickets DEFAULT;
CREATE TABLE tickets_late PARTITION OF tickets
FOR VALUES FROM (overlay(uuid_boundary('2020-01-15 00:00+00')::text PLACING '1' FROM 36)::uuid)
TO (uuid_boundary('2020-02-01 00:00+00'));
INSERT INTO tickets VALUES (uuid_boundary('2020-01-15 00:00+00')), (uuid_boundary('2020-05-05 00:00+00'));
CALL uuid_partition_drain('tickets', '1 month');
SELECT tableoid::regclass, id FROM tickets ORDER BY id;
DROP TABLE tickets;

-- A row of a minute ago stays where the drain ends before it.
CREATE TABLE calls (id uuid) PARTITION BY RANGE (id);
CREATE TABLE calls_rest PARTITION OF calls DEFAULT;
SELECT now() - interval '2 minutes' AS stop, now() - interval '1 minute' AS called \gset
INSERT INTO calls VALUES (uuid_boundary(:'called'));
CALL uuid_partition_drain('calls', '10 years', stop => :'stop');
SELECT count(*) AS rows_left FROM calls_rest;
CALL uuid_partition_drain('calls', '10 years', stop => 'infinity');
SELECT count(*) AS rows_left FROM calls_rest;
DROP TABLE calls;

-- A row of a clock that is three minutes ahead does not stay, however short the periods are.
CREATE TABLE taps (id uuid) PARTITION BY RANGE (id);
CREATE TABLE taps_rest PARTITION OF taps DEFAULT;
INSERT INTO taps VALUES (uuid_boundary(now() + interval '3 minutes'));
CALL uuid_partition_drain('taps', '1 minute');
SELECT count(*) AS rows_left FROM taps_rest;
DROP TABLE taps;

-- The first ids are of a week, and in the west of a month, that began before there were any.
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE visits_rest PARTITION OF visits DEFAULT;
INSERT INTO visits VALUES (uuid_boundary('1970-01-01 00:00:01+00')), (uuid_boundary('2020-01-15 00:00+00'));
CALL uuid_partition_drain('visits', '7 days');
SELECT partition, from_time, to_time FROM uuid_partition_list('visits') WHERE kind = 'partition';
DROP TABLE visits_1970_01_01;
INSERT INTO visits VALUES (uuid_boundary('1970-01-01 00:00:01+00'));
CALL uuid_partition_drain('visits', '1 month', 'America/New_York');
SELECT tableoid::regclass, id FROM visits ORDER BY id;
-- a step that no millisecond ends never gets past the id
INSERT INTO visits VALUES (uuid_boundary('2021-01-01 00:00:00.001+00'));
CALL uuid_partition_drain('visits', '1.5 ms');
SELECT tableoid::regclass, id FROM visits WHERE id >= timestamptz '2021-01-01 00:00+00';
-- an end within the millisecond of the first id
INSERT INTO visits VALUES (uuid_boundary('2021-02-01 00:00:00.001+00'));
CALL uuid_partition_drain(
	'visits', '1 month', start => '2021-01-01 00:00+00', stop => '2021-01-01 00:00:00.0015+00', max_rows => 0);
-- the last month would end after the last id
INSERT INTO visits VALUES (uuid_boundary('10889-08-01 12:00+00'));
CALL uuid_partition_drain('visits', '1 month', start => '10889-07-01 00:00+00', stop => 'infinity');
DROP TABLE visits;
