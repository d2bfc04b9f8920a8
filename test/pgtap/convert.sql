-- Conversions: does any id become what the same done with text makes of it, and come
-- back, and what do they keep?

BEGIN;
\ir include/settings.sql
SELECT no_plan();

-- SQLSTATE of a statement.
CREATE FUNCTION pg_temp.state(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN '00000';
EXCEPTION
	WHEN OTHERS THEN RETURN SQLSTATE;
END $$;

-- Two thousand ids of each version that converts, and of none in particular.
CREATE TEMP TABLE ids AS
SELECT version, replace(id::text, '-', '') AS hex, id
FROM (
	SELECT version, overlay(gen_random_uuid()::text PLACING version FROM 15 FOR 1)::uuid AS id
	FROM generate_series(1, 2000), unnest(ARRAY['1', '4', '6', 'd']) AS version
	UNION ALL
	SELECT 'any', (md5(random()::text))::uuid FROM generate_series(1, 2000)
	UNION ALL
	SELECT version, overlay(overlay(repeat(digit, 32) PLACING version FROM 13) PLACING variant FROM 17)::uuid
	FROM unnest(ARRAY['1', '4', '6', 'd']) AS version,
		unnest(ARRAY['0', 'f', '5', 'a']) AS digit,
		unnest(ARRAY['8', '9', 'a', 'b']) AS variant
	UNION ALL
	SELECT 'any', repeat(digit, 32)::uuid FROM unnest(ARRAY['0', 'f', '5', 'a']) AS digit
) AS made;

-- RFC 9562, 5.1: time_low, time_mid, version and time_high; 5.6: from the most significant.
SELECT is(count(*), 0::bigint, 'uuidv1_to_v6()') FROM ids WHERE version = '1'
	AND uuidv1_to_v6(id) <> (
		substr(hex, 14, 3) || substr(hex, 9, 4) || left(hex, 5) || '6' || substr(hex, 6, 3)
			|| substr(hex, 17))::uuid;
SELECT is(count(*), 0::bigint, 'uuidv1_to_v13()') FROM ids WHERE version = '1'
	AND uuidv1_to_v13(id) <> (
		substr(hex, 14, 3) || substr(hex, 9, 4) || left(hex, 5) || 'd' || substr(hex, 6, 3)
			|| substr(hex, 17))::uuid;
SELECT is(count(*), 0::bigint, 'uuidv6_to_v1()') FROM ids WHERE version = '6'
	AND uuidv6_to_v1(id) <> (
		substr(hex, 8, 5) || substr(hex, 14, 3) || substr(hex, 4, 4) || '1' || left(hex, 3)
			|| substr(hex, 17))::uuid;
SELECT is(count(*), 0::bigint, 'uuidv13_to_v1()') FROM ids WHERE version = 'd'
	AND uuidv13_to_v1(id) <> (
		substr(hex, 8, 5) || substr(hex, 14, 3) || substr(hex, 4, 4) || '1' || left(hex, 3)
			|| substr(hex, 17))::uuid;
SELECT is(count(*), 0::bigint, 'comb_to_suffix() and comb_from_suffix() exchange b0 to b5 and b10 to b15') FROM ids,
	CAST(right(hex, 12) || substr(hex, 13, 8) || left(hex, 12) AS uuid) AS expected
WHERE version = '4' AND (comb_to_suffix(id) <> expected OR comb_from_suffix(id) <> expected);
SELECT is(count(*), 0::bigint, 'short_comb_to_suffix() and short_comb_from_suffix() exchange b0, b1 and b10, b11') FROM ids,
	CAST(substr(hex, 21, 4) || substr(hex, 5, 16) || left(hex, 4) || right(hex, 8) AS uuid) AS expected
WHERE version = '4' AND (short_comb_to_suffix(id) <> expected OR short_comb_from_suffix(id) <> expected);
SELECT is(count(*), 0::bigint, 'uuid_to_sqlserver() and uuid_from_sqlserver() reverse b0 to b3, b4 and b5, b6 and b7') FROM ids,
	CAST(substr(hex, 7, 2) || substr(hex, 5, 2) || substr(hex, 3, 2) || left(hex, 2) || substr(hex, 11, 2) || substr(hex, 9, 2)
		|| substr(hex, 15, 2) || substr(hex, 13, 2) || substr(hex, 17) AS uuid) AS expected
WHERE uuid_to_sqlserver(id) <> expected OR uuid_from_sqlserver(id) <> expected;
SELECT is(count(*), 0::bigint, 'uuid_to_bin() gives the bytes') FROM ids
WHERE uuid_to_bin(id) <> decode(hex, 'hex') OR uuid_to_bin(id, false) <> decode(hex, 'hex');
SELECT is(count(*), 0::bigint, 'swapped: time_high, time_mid, time_low') FROM ids
WHERE uuid_to_bin(id, true) <> decode(substr(hex, 13, 4) || substr(hex, 9, 4) || left(hex, 8) || substr(hex, 17), 'hex');

SELECT is(count(*) FILTER (WHERE back), count(*), converters || ' and back')
FROM (
	SELECT 'v1 to v6', uuidv6_to_v1(uuidv1_to_v6(id)) = id FROM ids WHERE version = '1'
	UNION ALL SELECT 'v6 to v1', uuidv1_to_v6(uuidv6_to_v1(id)) = id FROM ids WHERE version = '6'
	UNION ALL SELECT 'v1 to v13', uuidv13_to_v1(uuidv1_to_v13(id)) = id FROM ids WHERE version = '1'
	UNION ALL SELECT 'v13 to v1', uuidv1_to_v13(uuidv13_to_v1(id)) = id FROM ids WHERE version = 'd'
	UNION ALL SELECT 'COMB to suffix COMB', comb_from_suffix(comb_to_suffix(id)) = id FROM ids WHERE version = '4'
	UNION ALL SELECT 'suffix COMB to COMB', comb_to_suffix(comb_from_suffix(id)) = id FROM ids WHERE version = '4'
	UNION ALL SELECT 'short COMB to suffix', short_comb_from_suffix(short_comb_to_suffix(id)) = id FROM ids WHERE version = '4'
	UNION ALL SELECT 'short suffix COMB to prefix', short_comb_to_suffix(short_comb_from_suffix(id)) = id
	FROM ids
	WHERE version = '4'
	UNION ALL SELECT 'to SQL Server', uuid_from_sqlserver(uuid_to_sqlserver(id)) = id FROM ids
	UNION ALL SELECT 'from SQL Server', uuid_to_sqlserver(uuid_from_sqlserver(id)) = id FROM ids
	UNION ALL SELECT 'to bin', bin_to_uuid(uuid_to_bin(id)) = id FROM ids
	UNION ALL SELECT 'to swapped bin', bin_to_uuid(uuid_to_bin(id, true), true) = id FROM ids
	UNION ALL SELECT 'from swapped bin', uuid_to_bin(bin_to_uuid(decode(hex, 'hex'), true), true) = decode(hex, 'hex') FROM ids
) AS trips(converters, back) GROUP BY converters ORDER BY converters;

-- MySQL 8, UUID_TO_BIN(): SET @uuid = '6ccd780c-baba-1026-9564-5b8c656024db'.
SELECT is(uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db'), '\x6CCD780CBABA102695645B8C656024DB', 'UUID_TO_BIN(@uuid)');
SELECT is(uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db', false), '\x6CCD780CBABA102695645B8C656024DB',
	'UUID_TO_BIN(@uuid, 0)');
SELECT is(uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db', true), '\x1026BABA6CCD780C95645B8C656024DB',
	'UUID_TO_BIN(@uuid, 1)');
SELECT is(bin_to_uuid(uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db')),
	'6ccd780c-baba-1026-9564-5b8c656024db', 'BIN_TO_UUID(UUID_TO_BIN(@uuid))');
SELECT is(bin_to_uuid(uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db', true), true), '6ccd780c-baba-1026-9564-5b8c656024db',
	'BIN_TO_UUID(UUID_TO_BIN(@uuid, 1), 1)');
SELECT is(bin_to_uuid(uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db', true)),
	'1026baba-6ccd-780c-9564-5b8c656024db', 'BIN_TO_UUID(UUID_TO_BIN(@uuid, 1))');

--
-- What a conversion keeps.
--

CREATE TEMP TABLE made AS
SELECT at, gen_uuidv1_at(at) AS v1, gen_comb_at(at) AS comb, gen_short_comb_at(at) AS short_comb
FROM (
	SELECT '2026-01-01'::timestamptz + n * interval '977.001 ms'
	FROM generate_series(1, 10000) AS n
	ORDER BY random()) AS t(at);
SELECT is(count(*), 0::bigint, 'v1, v6 and v13 have the same time, clock sequence and node') FROM made
WHERE uuid_time(uuidv1_to_v6(v1)) <> at OR uuid_time(uuidv1_to_v13(v1)) <> at
	OR right(uuidv1_to_v6(v1)::text, 17) <> right(v1::text, 17) OR right(uuidv1_to_v13(v1)::text, 17) <> right(v1::text, 17);
SELECT is(count(*), 0::bigint, 'v6 and v13 differ by their version only') FROM made
WHERE overlay(uuidv1_to_v6(v1)::text PLACING 'd' FROM 15) <> uuidv1_to_v13(v1)::text;
SELECT ok(array_agg(at ORDER BY at) = array_agg(at ORDER BY uuidv1_to_v6(v1))
		AND array_agg(at ORDER BY at) = array_agg(at ORDER BY uuidv1_to_v13(v1))
		AND array_agg(at ORDER BY at) = array_agg(at ORDER BY uuid_to_bin(v1, true)),
	'a v1 sorts by time as v6, as v13, and as MySQL''s swapped bytes') FROM made;
SELECT ok(array_agg(at ORDER BY at) <> array_agg(at ORDER BY v1), 'as it is it does not') FROM made;
SELECT is(count(*), 0::bigint, 'a COMB keeps its time, a short COMB its block') FROM made
WHERE suffix_comb_time(comb_to_suffix(comb)) <> comb_time(comb)
	OR short_suffix_comb_block(short_comb_to_suffix(short_comb)) <> short_comb_block(short_comb);

--
-- What is refused.
--

SELECT is(string_agg(to_hex(version), '' ORDER BY version) FILTER (WHERE state = '22023'),
	replace('0123456789abcdef', accepted, ''),
	converter || '() refuses versions other than ' || accepted)
FROM (
	VALUES ('uuidv1_to_v6', '1'), ('uuidv1_to_v13', '1'), ('uuidv6_to_v1', '6'), ('uuidv13_to_v1', 'd'),
		('comb_to_suffix', '4'),
		('comb_from_suffix', '4'), ('short_comb_to_suffix', '4'), ('short_comb_from_suffix', '4')) AS v(converter, accepted),
	generate_series(0, 15) AS version,
	pg_temp.state(format('SELECT %s(%L)', converter, format('01234567-89ab-%scde-8123-456789abcdef', to_hex(version)))) AS state
GROUP BY converter, accepted;
SELECT is(string_agg(to_hex(variant), '' ORDER BY variant) FILTER (WHERE state = '22023'), '01234567cdef',
	converter || '() refuses other variants')
FROM (
	VALUES ('uuidv1_to_v6', '1'), ('uuidv1_to_v13', '1'), ('uuidv6_to_v1', '6'), ('uuidv13_to_v1', 'd'),
		('comb_to_suffix', '4'),
		('comb_from_suffix', '4'), ('short_comb_to_suffix', '4'), ('short_comb_from_suffix', '4')) AS v(converter, version),
	generate_series(0, 15) AS variant,
	pg_temp.state(
		format('SELECT %s(%L)', converter,
			format('01234567-89ab-%scde-%s123-456789abcdef', version, to_hex(variant)))) AS state
GROUP BY converter;
SELECT is(array_agg(DISTINCT length ORDER BY length) FILTER (WHERE state = '00000'), ARRAY[16], 'bin_to_uuid() takes 16 bytes')
FROM generate_series(0, 200) AS length, unnest(ARRAY['true', 'false']) AS swap,
	pg_temp.state(format('SELECT bin_to_uuid(decode(repeat(''61'', %s), ''hex''), %s)', length, swap)) AS state;
SELECT is(array_agg(DISTINCT state) FILTER (WHERE state <> '00000'), ARRAY['22023'], 'and raises 22023 for another length')
FROM generate_series(0, 200) AS length, unnest(ARRAY['true', 'false']) AS swap,
	pg_temp.state(format('SELECT bin_to_uuid(decode(repeat(''61'', %s), ''hex''), %s)', length, swap)) AS state;

SELECT * FROM finish();
ROLLBACK;
