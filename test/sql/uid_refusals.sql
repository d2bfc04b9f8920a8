-- Ids that are almost right: why does a scheme refuse them?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql

-- Text: the DETAIL, where the message is "invalid input syntax for id scheme"
SELECT scheme, id, replace(error_of(format('SELECT uid_time(%L, %L)', id, scheme)),
	format(E'22P02 invalid input syntax for id scheme "%s": "%s"\n  DETAIL: ', scheme, id), '') AS refused_because
FROM (VALUES
	('ksuid', ''),
	('ksuid', '0ujtsYcgvSTl8PAuAdqWYSMnLO'),
	('ksuid', '0ujtsYcgvSTl8PAuAdqWYSMnLOvv'),
	('ksuid', '0ujtsYcgvSTl8PAuAdqWYSMnLO-'),
	('ksuid', '0ujtsYcgvSTl8é8PAuAdqWYSMn'),
	('ksuid', 'aWgEPTl1tmebfsQzFP4bxwgy80W'),
	('ulid', '8ZZZZZZZZZZZZZZZZZZZZZZZZZ'),
	('ulid', '01ARZ3NDEKTSV4RRFFQ69G5FAU'),
	('objectid', '507f1f77bcf86cd79943901'),
	('objectid', '507f1f77bcf86cd79943901g'),
	('xid', '9M4E2MR0UI3E8A215N4G'),
	('xid', '9m4e2mr0ui3e8a215n4h'),
	('pushid', '-JhLeOlGIEjaIOFHR0x~'),
	('pushid', '-JhLeOlGIEjaIOFHR0x'),
	('elasticflake', 'AZU12T33ABEiM0RVqrv='),
	('cuid', 'dh72gsb320000udocl363eofy'),
	('cuid', 'ch72gsb320000udocl363eofY'),
	('cuid', 'ch72gsb320000udocl363eof'),
	('sid', '1IeSBAWW9kK_0cDG64GQgGJ'),
	('sid', '1IeSBAWW9kK-0cDG64GQg.J'),
	('sid', '~~~~~~~~~~~-0cDG64GQgGJ'),
	('sid', '1IeSBAWW9kK-8cDG64GQgGJ'),
	('flake', 'zzzzzzzzzzzzzzzzzzzzzz'),
	('flake', '7n42DGM5Tflk9n8mt7Fhc7'),
	('flake', '8HFaR8qWtR'),
	('snowflake', '-1'),
	('snowflake', '9223372036854775808'),
	('discord', '18446744073709551616'),
	('discord', '175928847299117063.0'),
	('discord', ''),
	('discord', '123456789012345678901'),
	('discord', '0x123'),
	('discord', '0x123456789abcdefg'),
	('tsid', 'GZZZZZZZZZZZZ'),
	('tsid', '01226N0640J7U'),
	('tsid', '01226N0640J7'),
	('lexicaluuid', '00000000-00ff-9281-ffffffffa009199'),
	('lexicaluuid', 'ffffffff-00ff-9281-ffffffffa0091991'),
	('ordereduuid', '9009ebcc-cd99-7b5f-90cf-9155607d2de9'),
	('ordereduuid', '9009ebcc-cd99-4b5f-c0cf-9155607d2de9'),
	('combguid', 'E25AFE33-DB2D-4502-9BF0-9190018B8200'),
	('combguid', 'E25AFE33-DB2D-4502-9BF0-63DE00000000'),
	('draftuuidv7', '05fee65f-ffff-7fff-bfff-ffffffffffff'),
	('draftuuidv7', '065e5a96-172c-471e-8000-bbac546447e1'),
	('duckdbuuidv7', '0196f946-5678-7ac0-a594-fe51da68ec69'),
	('efguid', '1f3c9b2e-5d6a-5b7c-563e-08dc3c2a1b2c'),
	('efguid', '1f3c9b2e-5d6a-4b7c-7fff-089f7ff5f7b5'),
	('efguid', '1f3c9b2e-5d6a-4b7c-8000-2faf7ff5f7b5'),
	('efguid', '1f3c9b2e-5d6a-4b7c-0000-ffffffffffff'),
	('abpguid', '3883122c-d7ff-ffff-ffff-ffffffffffff')) AS almost(scheme, id);

-- Numbers that are none, and schemes that have no numbers
SELECT command, error_of(command) AS error
FROM unnest(ARRAY[
	$$SELECT uid_time(-1, 'snowflake')$$,
	$$SELECT uid_to_uuid(-9223372036854775808, 'discord')$$,
	$$SELECT uid_time(1, 'ksuid')$$,
	$$SELECT uid_boundary(now(), 'ulid')$$,
	$$SELECT uid_bigint_from_uuid(gen_uuidv7(), 'xid')$$]) AS command :unaligned

-- UUIDs that were made of no id become none: NULL
SELECT scheme, uuid, uid_from_uuid(uuid, scheme) AS id
FROM (VALUES
	('snowflake', uuid '00000000-0000-0000-0000-000000000000'),
	('snowflake', '0135d8a6-6ec5-4080-8070-000000000000'),
	('snowflake', '0135d8a6-6ec5-7080-8070-000000000001'),
	('snowflake', '00000000-0001-7000-8000-000000000000'),
	('snowflake', 'ffffffff-ffff-7000-8000-000000000000'),
	('sonyflake', '0135d8a6-6ec6-7080-8070-000000000000'),
	('sid', 'ffffffff-ffff-7fff-8000-000000000000')) AS of_no_id(scheme, uuid);
SELECT uid_bigint_from_uuid('ffffffff-ffff-7fff-8000-000000000000', 'discord') AS number_of_no_id;
-- UUIDs of ids that a UUID, or a bigint, cannot hold
SELECT command, error_of(command) AS error
FROM unnest(ARRAY[
	$$SELECT uid_from_uuid('015f0471-2d98-7b5a-8734-d2d7e6744553', 'ksuid')$$,
	$$SELECT uid_bigint_from_uuid(uid_to_uuid('18446744073709551615', 'discord'), 'discord')$$]) AS command :unaligned
DROP FUNCTION error_of;
