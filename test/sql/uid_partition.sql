-- Time partitions of 64-bit ids: by which CHECK is a bigint key known as ids of a scheme, and where are its bounds?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

CREATE TABLE messages (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'discord')), body text) PARTITION BY RANGE (id);
SELECT uuid_partition_create('messages', '2026-01-01', '2026-04-01', '1 month');
SELECT uuid_partition_create('messages', '2026-01-01', '2026-05-01', '1 month');
SELECT relname, pg_get_expr(relpartbound, oid) FROM pg_class WHERE relname ~ '^messages_2026_..$' ORDER BY relname;
INSERT INTO messages
SELECT uid_boundary(at, 'discord') + 7, at
FROM generate_series(timestamptz '2026-01-01', '2026-04-30', '1 day') AS at;
SELECT tableoid::regclass, count(*) AS rows, min(uid_time(id, 'discord')), max(uid_time(id, 'discord'))
FROM messages
GROUP BY 1
ORDER BY 1;
SELECT partition, kind, from_time, to_time, note FROM uuid_partition_list('messages');
INSERT INTO messages VALUES (-1);
SELECT partition, from_time, to_time FROM uuid_partition_drop('messages', '2026-02-15');

-- Gaps, a default partition, and ends that are none
DROP TABLE messages_2026_03;
CREATE TABLE messages_rest PARTITION OF messages DEFAULT;
CREATE TABLE messages_old PARTITION OF messages FOR VALUES FROM (MINVALUE) TO (0);
INSERT INTO messages VALUES (uid_boundary('2026-03-15', 'discord'));
SELECT partition, kind, from_time, to_time, note FROM uuid_partition_list('messages');
DROP TABLE messages;

-- An epoch and a split of one's own, a tick of 10 ms; the check may have any name, and the column, too
CREATE TABLE ours (body text,
	"Id,x'" bigint CHECK ("Id,x'" > 5) CONSTRAINT made CHECK (uid_is_valid("Id,x'",
	'snowflake:epoch=1577836800000,tick=10,node=8,sequence=16'))) PARTITION BY RANGE ("Id,x'");
SELECT uuid_partition_create('ours', '2026-01-01', '2026-01-03', '1 day');
INSERT INTO ours SELECT '', uid_boundary(at, 'snowflake:epoch=1577836800000,tick=10,node=8,sequence=16')
	FROM generate_series(timestamptz '2026-01-01', '2026-01-02 23:59:59.99', '6 hours') AS at;
SELECT tableoid::regclass, count(*) AS rows FROM ours GROUP BY 1 ORDER BY 1;
SELECT partition, from_time, to_time FROM uuid_partition_list('ours');
SET quote_all_identifiers = on;
SELECT count(*) AS listed FROM uuid_partition_list('ours');
RESET quote_all_identifiers;
DROP TABLE ours;
-- but it has to say what every row is
CREATE TABLE ours (
	id bigint CHECK (NOT uid_is_valid(id, 'snowflake') OR true), n bigint CHECK (uid_is_valid(n, 'snowflake')))
PARTITION BY RANGE (id);
SELECT count(*) AS listed FROM uuid_partition_list('ours');
DROP TABLE ours;

-- From today on
CREATE TABLE tweets (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
BEGIN;
SELECT action, count(*) AS steps, count(problem) AS problems
FROM uuid_partition_maintain('tweets', '1 day', ahead => 3)
GROUP BY action;
SELECT count(*) AS steps FROM uuid_partition_maintain('tweets', '1 day', ahead => 3);
SELECT min(from_time) <= now() AND max(to_time) > now() + interval '3 days' AS covered FROM uuid_partition_list('tweets');
COMMIT;
DROP TABLE tweets;

-- Times that the scheme does not have, and keys that name none
CREATE TABLE tweets (id bigint CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
SELECT uuid_partition_create('tweets', '2010-01-01', '2011-01-01', '1 year');
SELECT uuid_partition_create('tweets', '2080-01-01', '2081-01-01', '1 year');
DROP TABLE tweets;
CREATE TABLE numbers (id bigint) PARTITION BY RANGE (id);
SELECT uuid_partition_create('numbers', '2026-01-01', '2026-04-01', '1 month');
ALTER TABLE numbers ADD CHECK (id > 0);
SELECT uuid_partition_create('numbers', '2026-01-01', '2026-04-01', '1 month');
ALTER TABLE numbers ADD CHECK (uid_is_valid(id, 'nothing'));
SELECT uuid_partition_create('numbers', '2026-01-01', '2026-04-01', '1 month');
-- of two schemes neither tells the time
ALTER TABLE numbers ADD CHECK (uid_is_valid(id, 'snowflake'));
SELECT uuid_partition_create('numbers', '2026-01-01', '2026-04-01', '1 month');
SELECT FROM uuid_partition_list('numbers');
DROP TABLE numbers;
-- a domain over bigint is one
CREATE DOMAIN number AS bigint;
CREATE TABLE numbers (id number) PARTITION BY RANGE (id);
SELECT uuid_partition_create('numbers', '2026-01-01', '2026-04-01', '1 month');
ALTER TABLE numbers ADD CHECK (uid_is_valid(id, 'snowflake'));
SELECT uuid_partition_create('numbers', '2026-01-01', '2026-03-01', '1 month');
CREATE TABLE numbers_rest PARTITION OF numbers DEFAULT;
INSERT INTO numbers SELECT uid_boundary(at, 'snowflake') FROM unnest('{2026-02-01,2026-03-01}'::timestamptz[]) AS at;
SELECT kind, from_time, to_time, note FROM uuid_partition_list('numbers');
DROP TABLE numbers;
DROP DOMAIN number;
CREATE TABLE numbers (id bigint CHECK (uid_is_valid(other, 'snowflake')), other bigint) PARTITION BY RANGE (id);
SELECT uuid_partition_create('numbers', '2026-01-01', '2026-04-01', '1 month');
DROP TABLE numbers;
-- the first ids of a scheme, such as numbers of a serial, are of a month that began before its epoch
CREATE TABLE numbers (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
CREATE TABLE numbers_rest PARTITION OF numbers DEFAULT;
INSERT INTO numbers
VALUES (uid_boundary('2010-11-05', 'snowflake')),
	(uid_boundary('2010-11-06', 'snowflake')),
	(uid_boundary('2020-01-15', 'snowflake'));
CALL uuid_partition_drain('numbers', '1 month');
SELECT partition, from_time, to_time FROM uuid_partition_list('numbers') WHERE kind = 'partition';
SELECT tableoid::regclass, count(*) AS rows FROM numbers GROUP BY 1 ORDER BY 1;
DROP TABLE numbers;

-- Of partitions that divide a millisecond ids are compared as numbers.
SELECT uidext_internal.partition_overlaps(one, two) AS before_it, uidext_internal.partition_overlaps(two, one) AS after_it,
	uidext_internal.partition_overlaps(one, one) AS itself
FROM CAST(ROW(NULL, '0', '900', '2010-11-04', '2010-11-04', false, false) AS uidext_internal.partition_period) AS one,
	CAST(ROW(NULL, '1000', '2000', '2010-11-04', '2010-11-04', false, false) AS uidext_internal.partition_period) AS two;
-- A bound below all ids of a scheme has no time, either.
SELECT bound, uidext_internal.partition_boundary_time('snowflake', bound) AS time FROM unnest('{-5,0,4194304}'::text[]) AS bound;
