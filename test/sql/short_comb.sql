-- Short COMBs, short suffix COMBs and sequence COMBs: what do generators make of a block,
-- and readers tell of it?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
SET intervalstyle = 'postgres_verbose';

-- The block counts minutes since 1970, modulo 65536
SELECT at, floor(extract(epoch FROM at) / 60) % 65536 AS expected,
	short_comb_block(gen_short_comb_at(at)) AS block,
	short_suffix_comb_block(gen_short_suffix_comb_at(at)) AS suffix_block
FROM unnest(ARRAY[
	'1970-01-01 00:00:00', '1970-01-01 00:00:59.999999', '1970-01-01 00:01:00',
	'1970-02-15 12:15:59.999999', '1970-02-15 12:16:00',
	'2022-03-18 03:43:59.999999', '2022-03-18 03:44:00',
	'2024-02-29 12:34:56.789', '10889-08-02 05:31:50.655999']::timestamptz[]) AS at;

-- Other interval lengths
SELECT length, floor(extract(epoch FROM at) * 1000 / ms) % 65536 AS expected,
	short_comb_block(gen_short_comb_at(at, length)) AS block,
	short_suffix_comb_block(gen_short_suffix_comb_at(at, length)) AS suffix_block
FROM (VALUES
	(interval '1 millisecond', 1), ('1.5 seconds', 1500), ('15 seconds', 15000), ('30 seconds', 30000),
	('1 hour', 3600000), ('1 day', 86400000), ('7 days -1 millisecond', 604799999)) AS l(length, ms),
	CAST('2026-07-14 03:14:15.926535+00' AS timestamptz) AS at;

-- The wrap of 65536 blocks of 15 seconds: 11 days, 9 hours and 4 minutes
SELECT short_comb_block(gen_short_comb_at(at, '15 s')) FROM generate_series(
	timestamptz '2026-01-04 05:51:45', '2026-01-04 05:52:15', '15 s') AS at;

-- One of now agrees with the clock
SELECT short_comb_is_recent(gen_short_comb(), '1 minute', '1 minute', at => clock_timestamp());
SELECT short_comb_is_recent(gen_short_comb('1 hour'), '1 hour', '1 hour', '1 hour', clock_timestamp());
SELECT short_comb_is_recent(short_comb_from_suffix(gen_short_suffix_comb()), '1 minute', '1 minute', at => clock_timestamp());
SELECT short_comb_is_recent(
	short_comb_from_suffix(gen_short_suffix_comb('1 hour')), '1 hour', '1 hour', '1 hour', clock_timestamp());

-- Where the bits are: 16 of block, version, variant, and no fixed bit besides
SELECT substr(gen_short_comb_at('2024-02-29 12:34:56+00')::text, 1, 4),
	substr(gen_short_comb_at('2024-02-29 12:34:56+00')::text, 15, 1),
	substr(gen_short_suffix_comb_at('2024-02-29 12:34:56+00')::text, 25, 4),
	substr(gen_short_suffix_comb_at('2024-02-29 12:34:56+00')::text, 15, 1),
	to_hex(floor(extract(epoch FROM timestamptz '2024-02-29 12:34:56+00') / 60)::bigint % 65536) AS expected;

-- Readers: version 4 only
SELECT id, short_comb_block(id), short_suffix_comb_block(id), short_comb_time(id, '2026-01-01') AS time
FROM unnest(ARRAY[
	'8992aaaa-bbbb-4ccc-9ddd-123456789abc',
	'00000000-0000-4000-8000-000000000000',
	'ffffffff-ffff-4fff-bfff-ffffffffffff',
	'8992aaaa-bbbb-1ccc-9ddd-123456789abc',
	'8992aaaa-bbbb-7ccc-9ddd-123456789abc',
	'8992aaaa-bbbb-4ccc-7ddd-123456789abc',
	'8992aaaa-bbbb-4ccc-cddd-123456789abc',
	'00000000-0000-0000-0000-000000000000',
	'ffffffff-ffff-ffff-ffff-ffffffffffff']::uuid[]) AS id;

-- Time: the start of the interval, nearest to near
SELECT near, short_comb_time(gen_short_comb_at('2026-01-23 04:05:06.789+00'), near) AS time
FROM unnest(ARRAY[
	'2026-01-23 04:05:06.789', '2026-01-23 04:05:00', '2026-01-23 04:04:59.999999', '2026-01-23 04:06:00',
	'2026-01-01 00:00:00', '2026-02-14 00:00:00',
	'2026-02-15 00:00:00', '2025-12-31 00:00:00', '2022-03-18 03:44:00']::timestamptz[]) AS near;

-- Half a wrap away (22 days, 18:08) both are as near: the earlier; a microsecond decides
SELECT near, short_comb_time(gen_short_comb_at('2026-01-23 04:05+00'), near) AS time
FROM unnest(ARRAY[
	'2026-02-14 22:12:59.999999', '2026-02-14 22:13:00', '2026-02-14 22:13:00.000001',
	'2025-12-31 09:56:59.999999', '2025-12-31 09:57:00', '2025-12-31 09:57:00.000001']::timestamptz[]) AS near;

-- Other interval lengths
SELECT length,
	short_comb_time(
		gen_short_comb_at('2026-07-14 03:14:15.926535+00', length), '2026-07-14 03:14:20+00', length) AS time
FROM unnest(ARRAY['1 ms', '1.5 s', '15 s', '1 hour', '1 day']::interval[]) AS length;

-- At either end of time only one side is left
SELECT block, short_comb_time((lpad(to_hex(block), 4, '0') || '0000-0000-4000-8000-000000000000')::uuid, near) AS time
FROM (VALUES
	(0, timestamptz '1970-01-01 00:00:00'), (1, '1970-01-01 00:00:00'), (65535, '1970-01-01 00:00:00'),
	(40000, '1970-01-01 00:00:59'), (65535, '1970-01-20 00:00:00'), (65535, '1970-01-23 18:07:30'),
	(65535, '1970-02-15 12:15:00'), (0, '1970-01-23 18:08:00'), (0, '1970-01-23 18:08:00.000001')) AS v(block, near);
SELECT block, short_comb_time((lpad(to_hex(block), 4, '0') || '0000-0000-4000-8000-000000000000')::uuid,
	'10889-08-02 05:31:50.655999') AS time
FROM unnest(ARRAY[51659, 51660, 65535, 0]) AS block;

-- With fewer intervals than blocks in all of time, some blocks have none
SELECT block, short_comb_time((lpad(to_hex(block), 4, '0') || '0000-0000-4000-8000-000000000000')::uuid,
	'2026-01-01', '100 days') AS time
FROM unnest(ARRAY[0, 204, 32577, 32578, 65535]) AS block;

-- Sequence COMB: nextval / block_size, rounded down, modulo 65536
CREATE SEQUENCE ids;
SELECT short_comb_block(gen_sequence_comb('ids', 3)) AS block FROM generate_series(1, 9);
SELECT last_value FROM ids;
SELECT setval('ids', 65535), short_comb_block(gen_sequence_comb('ids')), short_comb_block(gen_sequence_comb('ids'));
SELECT setval('ids', 65536 * 2 - 1, false),
	short_comb_block(gen_sequence_comb('ids', 2)),
	short_comb_block(gen_sequence_comb('ids', 2));
SELECT setval('ids', 9223372036854775807, false), short_comb_block(gen_sequence_comb('ids', 2147483647)), 2 AS expected;
SELECT gen_sequence_comb('ids', 2147483647);
\echo :SQLSTATE
CREATE SEQUENCE down INCREMENT -1 MAXVALUE 3 MINVALUE -9223372036854775808;
SELECT short_comb_block(gen_sequence_comb('down', 2)) AS block FROM generate_series(1, 8);
SELECT setval('down', -9223372036854775808, false), short_comb_block(gen_sequence_comb('down', 3)), 21845 AS expected;
SELECT short_comb_block(gen_sequence_comb(sequence => 'ids', block_size => NULL)) AS null;

-- Errors
\set id '\'8992aaaa-bbbb-4ccc-9ddd-123456789abc\''
SELECT gen_short_comb('0');
\echo :SQLSTATE
SELECT gen_short_comb('-1 minute');
\echo :SQLSTATE
SELECT gen_short_comb('1 month');
\echo :SQLSTATE
-- also after one of as many minutes, which a session remembers
SELECT gen_short_comb('1 minute') IS NOT NULL AS made;
SELECT gen_short_comb('1 month 1 minute');
\echo :SQLSTATE
SELECT gen_short_suffix_comb('1 year');
\echo :SQLSTATE
SELECT gen_short_suffix_comb('0.5 milliseconds');
\echo :SQLSTATE
SELECT gen_short_comb_at('2026-01-01', '1 day -24 hours');
\echo :SQLSTATE
SELECT gen_short_comb_at('2026-01-01', '3257813 days');
\echo :SQLSTATE
SELECT gen_short_comb_at('1969-12-31 23:59:59.999999+00');
\echo :SQLSTATE
SELECT gen_short_suffix_comb_at('10889-08-02 05:31:50.656+00');
\echo :SQLSTATE
SELECT gen_short_comb_at('infinity');
\echo :SQLSTATE
SELECT gen_short_suffix_comb_at('-infinity');
\echo :SQLSTATE
SELECT short_comb_time(:id, '1969-12-31 23:59:59.999999+00');
\echo :SQLSTATE
SELECT short_comb_time(:id, 'infinity');
\echo :SQLSTATE
SELECT short_comb_time(:id, '2026-01-01', '0');
\echo :SQLSTATE
SELECT short_comb_time(:id, '2026-01-01', '1 month');
\echo :SQLSTATE
SELECT gen_sequence_comb('ids', 0);
\echo :SQLSTATE
SELECT gen_sequence_comb('ids', -1);
\echo :SQLSTATE
SELECT gen_sequence_comb('no_such_sequence');
\echo :SQLSTATE
-- also as the first length of a session
\c -
SELECT gen_short_comb('0');
\echo :SQLSTATE

-- A default by a sequence keeps the sequence from being dropped
CREATE TABLE bookings (id uuid PRIMARY KEY DEFAULT gen_sequence_comb('ids'));
DROP SEQUENCE ids;
\echo :SQLSTATE

DROP TABLE bookings;
DROP SEQUENCE ids, down;
