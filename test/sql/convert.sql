-- Conversions between versions, prefix and suffix COMBs, and MySQL's byte order: which
-- value does a known id become, and what is refused?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

-- Known pairs: RFC 9562 A.1 and A.5, Lambert
SELECT uuidv1_to_v6('c232ab00-9414-11ec-b3c8-9f6bdeced846') AS v6, uuidv6_to_v1('1ec9414c-232a-6b00-b3c8-9f6bdeced846') AS v1;
SELECT uuidv1_to_v13('75e1f27f-624e-11e1-a11d-ed65de8970f6') AS v13, uuidv13_to_v1('1e1624e7-5e1f-d27f-a11d-ed65de8970f6') AS v1;

-- Where each byte goes
SELECT uuidv1_to_v6('01234567-89ab-1cde-8f01-23456789abcd') AS v6,
	uuidv1_to_v13('01234567-89ab-1cde-8f01-23456789abcd') AS v13;
SELECT uuidv6_to_v1('01234567-89ab-6cde-8f01-23456789abcd') AS from_v6,
	uuidv13_to_v1('01234567-89ab-dcde-8f01-23456789abcd') AS from_v13;
SELECT comb_to_suffix('00010203-0405-4607-8809-0a0b0c0d0e0f') AS suffix,
	comb_from_suffix('00010203-0405-4607-8809-0a0b0c0d0e0f') AS prefix;
SELECT short_comb_to_suffix('00010203-0405-4607-8809-0a0b0c0d0e0f') AS suffix,
	short_comb_from_suffix('00010203-0405-4607-8809-0a0b0c0d0e0f') AS prefix;
SELECT uuid_to_sqlserver('00010203-0405-0607-0809-0a0b0c0d0e0f') AS printed,
	uuid_from_sqlserver('00010203-0405-0607-0809-0a0b0c0d0e0f') AS stored;
SELECT uuid_to_bin('00010203-0405-0607-0809-0a0b0c0d0e0f') AS plain,
	uuid_to_bin('00010203-0405-0607-0809-0a0b0c0d0e0f', true) AS swapped,
	bin_to_uuid('\x000102030405060708090a0b0c0d0e0f') AS plain_back,
	bin_to_uuid('\x000102030405060708090a0b0c0d0e0f', true) AS swapped_back;

-- What they preserve: time, or block
SELECT uuid_time(id) AS v1, uuid_time(uuidv1_to_v6(id)) AS v6, uuid_time(uuidv1_to_v13(id)) AS v13
FROM gen_uuidv1_at('2026-03-04 12:34:56.789012+00') AS id;
SELECT comb_time(id) AS prefix, suffix_comb_time(comb_to_suffix(id)) AS suffix
FROM gen_comb_at('2026-03-04 12:34:56.789012+00') AS id;
SELECT short_comb_block(id) AS prefix, short_suffix_comb_block(short_comb_to_suffix(id)) AS suffix
FROM gen_short_comb_at('2026-03-04 12:34:56.789012+00') AS id;

-- Round trips on a thousand ids of every version and variant that converts
CREATE VIEW sample AS
	SELECT to_hex(version) AS version, overlay(overlay(md5(n::text) PLACING to_hex(version) FROM 13)
		PLACING substr('89ab', n % 4 + 1, 1) FROM 17)::uuid AS id
	FROM generate_series(0, 15) AS version, generate_series(1, 1000) AS n;
SELECT
	count(*) FILTER (WHERE version = '1' AND uuidv6_to_v1(uuidv1_to_v6(id)) = id) AS v1_v6,
	count(*) FILTER (WHERE version = '6' AND uuidv1_to_v6(uuidv6_to_v1(id)) = id) AS v6_v1,
	count(*) FILTER (WHERE version = '1' AND uuidv13_to_v1(uuidv1_to_v13(id)) = id) AS v1_v13,
	count(*) FILTER (WHERE version = 'd' AND uuidv1_to_v13(uuidv13_to_v1(id)) = id) AS v13_v1,
	count(*) FILTER (WHERE version = '4' AND comb_from_suffix(comb_to_suffix(id)) = id) AS comb,
	count(*) FILTER (WHERE version = '4' AND short_comb_from_suffix(short_comb_to_suffix(id)) = id) AS short_comb,
	count(*) FILTER (WHERE uuid_from_sqlserver(uuid_to_sqlserver(id)) = id) AS sqlserver,
	count(*) FILTER (WHERE bin_to_uuid(uuid_to_bin(id)) = id) AS bin,
	count(*) FILTER (WHERE bin_to_uuid(uuid_to_bin(id, true), true) = id) AS bin_swapped
FROM sample;

-- Order: v6 and v13 sort as the time of the v1 does, and so do MySQL's swapped bytes
SELECT array_agg(n ORDER BY uuidv1_to_v6(id)) AS v6, array_agg(n ORDER BY uuidv1_to_v13(id)) AS v13,
	array_agg(n ORDER BY uuid_to_bin(id, true)) AS mysql, array_agg(n ORDER BY id) AS v1
FROM (VALUES
	(1, uuid '00000000-0000-1000-8000-000000000000'),
	(2, 'ffffffff-0000-1000-8000-000000000000'),
	(3, '00000000-0001-1000-8000-000000000000'),
	(4, '00000000-ffff-1000-8000-000000000000'),
	(5, '00000000-0000-1001-8000-000000000000'),
	(6, '00000000-0000-1fff-8000-000000000000')) AS ids(n, id);

-- Every other version is refused, and so is every other variant
CREATE FUNCTION outcome(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE call INTO result;
	RETURN 'accepted';
EXCEPTION
	WHEN OTHERS THEN RETURN SQLSTATE;
END
$$;
SELECT converter, outcome, string_agg(to_hex(version), ' ' ORDER BY version) AS versions
FROM unnest(ARRAY['uuidv1_to_v6', 'uuidv6_to_v1', 'uuidv1_to_v13', 'uuidv13_to_v1',
		'comb_to_suffix', 'comb_from_suffix', 'short_comb_to_suffix', 'short_comb_from_suffix']) AS converter,
	generate_series(0, 15) AS version,
	outcome(format('SELECT %s(%L)', converter, format('01234567-89ab-%scde-8f01-23456789abcd', to_hex(version))))
GROUP BY converter, outcome ORDER BY converter COLLATE "C", outcome COLLATE "C";
SELECT converter, outcome, string_agg(to_hex(variant), ' ' ORDER BY variant) AS variants
FROM (VALUES ('uuidv1_to_v6', '1'), ('uuidv6_to_v1', '6'), ('uuidv1_to_v13', '1'), ('uuidv13_to_v1', 'd'),
		('comb_to_suffix', '4'), ('comb_from_suffix', '4'), ('short_comb_to_suffix', '4'), ('short_comb_from_suffix', '4')
	) AS converters(converter, version),
	generate_series(0, 15) AS variant,
	outcome(format('SELECT %s(%L)', converter, format('01234567-89ab-%scde-%sf01-23456789abcd', version, to_hex(variant))))
GROUP BY converter, outcome ORDER BY converter COLLATE "C", outcome COLLATE "C";
SELECT uuidv1_to_v6('1ec9414c-232a-6b00-b3c8-9f6bdeced846');
SELECT uuidv13_to_v1('1e1624e7-5e1f-d27f-c11d-ed65de8970f6');
SELECT comb_to_suffix('00000000-0000-0000-0000-000000000000');

-- So is another length than 16 bytes
SELECT length, swap, outcome
FROM unnest(ARRAY[0, 1, 15, 16, 17, 32, 4000]) AS length, unnest(ARRAY[false, true]) AS swap,
	outcome(format('SELECT bin_to_uuid(%L, %L)', decode(repeat('00', length), 'hex'), swap))
ORDER BY length, swap;
SELECT bin_to_uuid('\x1026baba6ccd780c95645b8c656024');
SELECT bin_to_uuid('6ccd780c-baba-1026-9564-5b8c656024db');

-- Stored bytes of every kind are read: short and long headers, compressed, out of line
CREATE TABLE bins (bin bytea);
INSERT INTO bins VALUES ('\x1026baba6ccd780c95645b8c656024db');
SELECT bin_to_uuid(bin, true), bin_to_uuid(bin || '', true) = bin_to_uuid(bin, true) AS same FROM bins;
INSERT INTO bins VALUES (decode(repeat('00', 100000), 'hex'));
SELECT bin_to_uuid(bin) FROM bins;

-- NULL in, NULL out
SELECT num_nonnulls(uuidv1_to_v6(NULL), comb_to_suffix(NULL), uuid_to_sqlserver(NULL)) AS not_null_between_versions,
	num_nonnulls(uuid_to_bin(NULL), uuid_to_bin('00010203-0405-0607-0809-0a0b0c0d0e0f', NULL)) AS not_null_to_bin,
	num_nonnulls(bin_to_uuid(NULL), bin_to_uuid('\x00', NULL)) AS not_null_from_bin;

DROP TABLE bins;
DROP VIEW sample;
DROP FUNCTION outcome;

-- Operators of SQL Server's order
SELECT a ~<~ b AS lt, a ~<=~ b AS le, a = b AS eq, a ~>=~ b AS ge, a ~>~ b AS gt,
	sign(uidext_internal.uuid_sqlserver_cmp(a, b)) AS cmp
FROM (VALUES
	(uuid 'ffffffff-ffff-ffff-ffff-000000000000', uuid '00000000-0000-0000-0000-000000000001'),
	('00000000-0000-0000-0000-000000000001', 'ffffffff-ffff-ffff-ffff-000000000000'),
	('01234567-89ab-cdef-0123-456789abcdef', '01234567-89ab-cdef-0123-456789abcdef'),
	('00000000-0000-0000-0000-000000000000', NULL)) AS pairs(a, b);
