-- Known answers, from standards and from the systems that made the ids.

BEGIN;
\ir include/settings.sql

CREATE TEMP TABLE vectors (n serial, expression text, expected text, source text) ON COMMIT DROP;
INSERT INTO vectors (expression, expected, source) VALUES
	($$uuid_time('c232ab00-9414-11ec-b3c8-9f6bdeced846')$$, '2022-02-22 19:22:22+00', 'RFC 9562 A.1'),
	($$uuid_time('1ec9414c-232a-6b00-b3c8-9f6bdeced846')$$, '2022-02-22 19:22:22+00', 'RFC 9562 A.5'),
	($$uuid_time('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')$$, '2022-02-22 19:22:22+00', 'RFC 9562 A.6'),
	($$uuid_time('2489e9ad-2ee2-8e00-8ec9-32d5f69181c0')$$, NULL, 'RFC 9562 B.1: version 8, not an iUID'),
	($$uuid_time('919108f7-52d1-4320-9bac-f847db4148a8')$$, NULL, 'RFC 9562 A.3: version 4'),
	($$uuid_time('d76b58b9-6220-11e1-b36c-cc52afc9f2ed')$$, '2012-02-28 15:28:19.043756+00', 'Lambert'),
	($$uuid_time('1e1624e7-5e1f-d27f-a11d-ed65de8970f6')$$, '2012-02-28 20:54:52.253862+00', 'Lambert, version 13'),
	($$uuid_time('018a9b13-8277-716a-9e51-f0da4e4d494e')$$, '2023-09-15 23:01:01.687+00', 'inDrive primary keys'),
	($$uuid_time('018c22ac-d000-0000-0000-000000000000')$$, '2023-12-01 00:00:00+00', 'a boundary value'),
	($$uuid_time('00000000-0000-0000-0000-000000000000')$$, NULL, 'nil'),
	($$uuid_time('ffffffff-ffff-ffff-ffff-ffffffffffff')$$, NULL, 'max'),
	($$uuid_boundary('2023-12-01 00:00:00+00')$$, '018c22ac-d000-0000-0000-000000000000', 'inDrive primary keys'),
	($$uuid_boundary('2023-06-01 00:00:00+00')$$, '01887441-0c00-0000-0000-000000000000', 'inDrive primary keys'),
	($$uuid_boundary('-infinity')$$, '00000000-0000-0000-0000-000000000000', ''),
	($$uuid_boundary('infinity')$$, 'ffffffff-ffff-ffff-ffff-ffffffffffff', ''),
	($$uuid_boundary('2026-01-01 00:00:00.000999+00')$$, '019b76da-a800-0000-0000-000000000000', 'floor'),
	($$uuid_boundary_time('01887441-0c00-0000-0000-000000000000')$$, '2023-06-01 00:00:00+00', ''),
	($$uuidv1_to_v6('c232ab00-9414-11ec-b3c8-9f6bdeced846')$$, '1ec9414c-232a-6b00-b3c8-9f6bdeced846', 'RFC 9562 A.1 and A.5'),
	($$uuidv6_to_v1('1ec9414c-232a-6b00-b3c8-9f6bdeced846')$$, 'c232ab00-9414-11ec-b3c8-9f6bdeced846', 'RFC 9562 A.1 and A.5'),
	($$uuidv1_to_v13('75e1f27f-624e-11e1-a11d-ed65de8970f6')$$, '1e1624e7-5e1f-d27f-a11d-ed65de8970f6', 'Lambert'),
	($$uuidv13_to_v1('1e1624e7-5e1f-d27f-a11d-ed65de8970f6')$$, '75e1f27f-624e-11e1-a11d-ed65de8970f6', 'Lambert'),
	($$uuid_from_sqlserver('b9586bd7-2062-e111-b36c-cc52afc9f2ed')$$, 'd76b58b9-6220-11e1-b36c-cc52afc9f2ed', 'Lambert'),
	($$uuid_to_sqlserver('626215fe-6226-11e1-837f-1b41e62f9422')$$, 'fe156262-2662-e111-837f-1b41e62f9422', 'Lambert'),
	($$uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db', true)$$, '\x1026baba6ccd780c95645b8c656024db',
		'MySQL 8 reference manual'),
	($$uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db')$$, '\x6ccd780cbaba102695645b8c656024db', 'MySQL 8 reference manual'),
	($$bin_to_uuid('\x1026baba6ccd780c95645b8c656024db', true)$$, '6ccd780c-baba-1026-9564-5b8c656024db',
		'MySQL 8 reference manual'),
	($$iuid_country('018c22ac-d000-8037-a940-000000000000')$$, '55', 'iUID layout'),
	($$iuid_service_entity('018c22ac-d000-8037-a940-000000000000')$$, '165', 'iUID layout'),
	($$iuid_service_entity('018c22ac-d000-8037-a97f-ffffffffffff')$$, '165', 'iUID layout'),
	($$iuid_version('018c22ac-d000-8037-a940-000000000000')$$, '0', 'iUID layout'),
	($$iuid_country('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')$$, NULL, 'not an iUID'),
	($$iuid_is_valid('018c22ac-d000-8137-a940-000000000000')$$, 'false', 'ver1 is 1'),
	($$uuid_time('018c22ac-d000-8037-a940-000000000000')$$, '2023-12-01 00:00:00+00', 'iUID layout'),
	($$short_comb_block(gen_short_comb_at('2022-03-18 03:44+00'))$$, '0', 'klokwrk: the prefix wraps to 0 here'),
	($$short_comb_block(gen_short_comb_at('2022-03-18 03:43:59.999+00'))$$, '65535', 'klokwrk'),
	($$short_comb_is_recent('fff6aaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', '10 min', '10 min', '1 min', '2022-03-18 03:44+00')$$,
		'true', 'klokwrk'),
	($$short_comb_is_recent('000aaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', '10 min', '10 min', '1 min', '2022-03-18 03:44+00')$$,
		'true', 'klokwrk'),
	($$short_comb_is_recent('fff5aaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', '10 min', '10 min', '1 min', '2022-03-18 03:44+00')$$,
		'false', 'klokwrk'),
	($$short_comb_is_recent('000baaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', '10 min', '10 min', '1 min', '2022-03-18 03:44+00')$$,
		'false', 'klokwrk'),
	($$comb_to_suffix('018c22ac-d000-4abc-9def-0123456789ab')$$, '01234567-89ab-4abc-9def-018c22acd000',
		'bytes 0 to 5 and 10 to 15 change places'),
	($$short_comb_to_suffix('8992aaaa-bbbb-4ccc-9ddd-123456789abc')$$, '1234aaaa-bbbb-4ccc-9ddd-899256789abc',
		'bytes 0 to 1 and 10 to 11 change places'),
	($$iuid_boundary('2023-12-01 00:00:00+00')$$, '018c22ac-d000-0000-0000-000000000000', 'uuid_boundary() as an iuid'),
	($$uuid_encrypt('019535d9-3df7-79fb-b466-fa907fa17f9e', '\x000102030405060708090a0b0c0d0e0f', '')$$,
		'c8a69b42-bcf2-4c52-843e-110c2057711c', 'uuid_encrypt by another program'),
	($$uuid_encrypt('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '\x000102030405060708090a0b0c0d0e0f', '')$$,
		'db3607fd-314e-404c-8f91-37ef1eaa1014', 'uuid_encrypt by another program'),
	($$uuid_encrypt('00000000-0000-7000-8000-000000000000', '\x000102030405060708090a0b0c0d0e0f', '')$$,
		'b3ec2842-1593-4f66-ba6a-bca984af10c9', 'uuid_encrypt by another program'),
	($$uuid_encrypt('ffffffff-ffff-7fff-bfff-ffffffffffff', '\x000102030405060708090a0b0c0d0e0f', '')$$,
		'd0cd172a-533b-4055-a6fe-ddd5ff74b344', 'uuid_encrypt by another program'),
	($$uuid_encrypt('018c22ac-d000-7037-a940-000000000001', '\x000102030405060708090a0b0c0d0e0f', '')$$,
		'77f0952c-b5c8-4c0f-8d4d-3f633c1d7e3f', 'uuid_encrypt by another program');

SELECT plan(count(*)::int) FROM vectors;

CREATE FUNCTION pg_temp.evaluate(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE 'SELECT (' || expression || ')::text' INTO result;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN format('%s: %s', SQLSTATE, SQLERRM);
END $$;

SELECT is(pg_temp.evaluate(expression), expected, expression || coalesce(' -- ' || nullif(source, ''), ''))
FROM vectors ORDER BY n;

SELECT * FROM finish();
ROLLBACK;
