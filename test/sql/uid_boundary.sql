-- Which number of a scheme stands for a moment, and do indexes, partitions and generated columns take it?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
\i :test/include/how_read.sql

-- The least id of a moment; of both infinities the least and the greatest number
SELECT uid_boundary('-infinity', 'snowflake') AS of_minus_infinity, uid_boundary('infinity', 'snowflake') AS of_infinity,
	uid_boundary('2010-11-04 01:42:54.657', 'snowflake') AS of_the_epoch;
SELECT uid_boundary('2026-01-01 00:00:00.000999', 'discord') = uid_boundary('2026-01-01', 'discord') AS within_a_millisecond,
	uid_boundary('2026-01-01 00:00:00.009999', 'sonyflake') = uid_boundary('2026-01-01', 'sonyflake') AS within_10_milliseconds,
	uid_boundary('2026-01-01 00:00:00.01', 'sonyflake') - uid_boundary('2026-01-01', 'sonyflake') AS ids_of_a_tick;
SELECT scheme, uid_time(uid_boundary('2026-07-03 12:34:56.789', scheme), scheme) AS time_of_boundary
FROM uid_schemes()
WHERE bits <= 64;
-- times that a scheme does not have
SELECT scheme, at, error_of(format('SELECT uid_boundary(%L, %L)', at, scheme)) AS error
FROM (VALUES ('snowflake', '2010-11-04 01:42:54.656999'),
	('snowflake', '2080-07-10 17:30:30.209'),
	('snowflake', '2100-01-01'),
	('discord', '2100-01-01'),
	('flakeid', '1969-12-31'), ('flakeid', '20000-01-01')) AS out_of_range(scheme, at);

-- A range of time on a bigint key: the index is used, and partitions are pruned by the
-- planner, or of a generic plan when it starts
CREATE TABLE messages (id bigint PRIMARY KEY, body text) PARTITION BY RANGE (id);
DO $$
BEGIN
	FOR month IN 1 .. 6 LOOP
		EXECUTE format('CREATE TABLE messages_2026_0%s PARTITION OF messages FOR VALUES FROM (%s) TO (%s)', month,
			uid_boundary(make_timestamptz(2026, month, 1, 0, 0, 0), 'discord'),
			uid_boundary(make_timestamptz(2026, month + 1, 1, 0, 0, 0), 'discord'));
	END LOOP;
END $$;
INSERT INTO messages
SELECT uid_boundary(timestamptz '2026-01-01' + n * interval '1 hour', 'discord') + n
FROM generate_series(0, 4000) AS n;
ANALYZE messages;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
\set days 'id >= uid_boundary(''2026-02-27'', ''discord'') AND id < uid_boundary(''2026-03-02'', ''discord'')'
SELECT * FROM how_read($$SELECT * FROM messages WHERE $$ || :'days');
SELECT count(*) AS messages, min(uid_time(id, 'discord')) AS first, max(uid_time(id, 'discord')) AS last
FROM messages
WHERE :days;
SET plan_cache_mode = force_generic_plan;
PREPARE between_times(timestamptz, timestamptz) AS
SELECT *
FROM messages
WHERE id >= uid_boundary($1, 'discord') AND id < uid_boundary($2, 'discord');
SELECT * FROM how_read($$EXECUTE between_times('2026-02-27', '2026-03-02')$$);
PREPARE count_between(timestamptz, timestamptz) AS
	SELECT count(*) AS messages FROM messages WHERE id >= uid_boundary($1, 'discord') AND id < uid_boundary($2, 'discord');
EXECUTE count_between('2026-02-27', '2026-03-02');
RESET plan_cache_mode;
RESET enable_seqscan;
RESET enable_bitmapscan;
DROP TABLE messages;

-- Generated columns and expression indexes take them
CREATE TABLE orders (id bigint PRIMARY KEY, uid uuid GENERATED ALWAYS AS (uid_to_uuid(id, 'snowflake')) STORED UNIQUE,
	made timestamptz GENERATED ALWAYS AS (uid_time(id, 'snowflake')) STORED);
CREATE INDEX ON orders (uid_time(id, 'snowflake'));
INSERT INTO orders VALUES (1541815603606036480);
SELECT * FROM orders;
DROP TABLE orders;
DROP FUNCTION error_of;
DROP FUNCTION how_read;
