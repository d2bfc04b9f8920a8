-- Tables whose key is a ULID: are partitions made, drained, checked and dropped as of any other?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
SET client_min_messages = warning;

CREATE TABLE notes (id ulid PRIMARY KEY DEFAULT gen_ulid(), n int) PARTITION BY RANGE (id);
CREATE TABLE notes_rest PARTITION OF notes DEFAULT;
SELECT uuid_partition_create('notes', '2020-01-01', '2020-03-01', '1 month');
SELECT uuid_partition_create('notes', '2020-01-01', '2020-04-01', '1 month');
SELECT pg_get_expr(relpartbound, oid) AS bound FROM pg_class WHERE oid = 'notes_2020_01'::regclass;

-- Each goes where its time is, and out of the default partition.
INSERT INTO notes SELECT gen_ulid_at(at), 1 FROM generate_series(timestamptz '2020-01-15', '2020-05-10', '1 day') AS at;
SELECT partition, kind, from_time, to_time, note FROM uuid_partition_list('notes');
SET client_min_messages = notice;
CALL uuid_partition_drain('notes', '1 month');
SET client_min_messages = warning;
SELECT partition, kind, note, (SELECT count(*) FROM notes WHERE tableoid = partition) AS rows,
	(SELECT count(*) FROM notes WHERE tableoid = partition AND (ulid_time(id) < from_time OR ulid_time(id) >= to_time)) AS strays
FROM uuid_partition_list('notes');

-- Maintained, checked and dropped as any other.
SELECT action, count(*) > 0 AS some FROM uuid_partition_maintain('notes', '1 year', 1, '1 year') GROUP BY action ORDER BY action;
SELECT severity, status FROM uuid_partition_check('notes', '1 day');
DROP TABLE notes_rest;
SELECT uuid_partition_create('notes', '2019-01-01', '2019-03-01', '1 month');
SELECT partition FROM uuid_partition_drop('notes', '2019-02-01');
DROP TABLE notes;

-- A domain over a domain over ulid, too.
CREATE DOMAIN note_id AS ulid;
CREATE DOMAIN urgent_note_id AS note_id;
CREATE TABLE notes (id urgent_note_id PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE notes_rest PARTITION OF notes DEFAULT;
INSERT INTO notes VALUES (gen_ulid_at('2020-01-15'));
CALL uuid_partition_drain('notes', '1 month');
SELECT tableoid::regclass FROM notes;
DROP TABLE notes;
DROP DOMAIN urgent_note_id, note_id;
