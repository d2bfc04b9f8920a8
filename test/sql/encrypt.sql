-- Encrypted ids: which value does a known id become, and what is refused?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\set key '''\\x000102030405060708090a0b0c0d0e0f''::bytea'

-- What an outsider sees is a version 4, and the same one every time
SELECT uuid_encrypt('019535d9-3df7-79fb-b466-fa907fa17f9e', :key),
	uuid_decrypt('c8a69b42-bcf2-4c52-843e-110c2057711c', :key);

-- Neighbours have nothing in common, and neither has one id under two labels or two keys
SELECT uuid_encrypt(id, :key) AS plain, uuid_encrypt(id, :key, 'orders') AS orders, uuid_encrypt(id, :key || '\x10') AS other_key
FROM unnest(ARRAY['018c22ac-d000-7037-a940-000000000001', '018c22ac-d000-7037-a940-000000000002']::uuid[]) AS id;

-- The version is said when it is not 7: an iUID, a v6, a random v4
SELECT id, uuid_decrypt(uuid_encrypt(id, :key, 'rides'), :key, 'rides', version) = id AS back
FROM (VALUES (8, '018c22ac-d000-8037-a940-000000000000'::uuid), (6, '1ec9414c-232a-6b00-b3c8-9f6bdeced846'),
	(4, '919108f7-52d1-4320-9bac-f847db4148a8'),
	(0, '00000000-0000-0000-8000-000000000000'),
	(15, 'ffffffff-ffff-ffff-bfff-ffffffffffff')) AS v(version, id);
SELECT uuid_decrypt(uuid_encrypt('018c22ac-d000-8037-a940-000000000000', :key), :key) AS read_as_version_7;

-- Keys from 16 to 64 bytes, each of whose bytes counts
SELECT count(
	DISTINCT uuid_encrypt('018c22ac-d000-7037-a940-000000000001', decode(repeat('ab', n), 'hex'))) AS different
FROM generate_series(16, 64) AS n;
SELECT count(DISTINCT uuid_encrypt('018c22ac-d000-7037-a940-000000000001', set_byte(bytes, n, 1))) AS different
	FROM generate_series(0, 63) AS n, decode(repeat('00', 64), 'hex') AS bytes;
-- but HMAC fills up a short key with zero bytes
SELECT uuid_encrypt('018c22ac-d000-7037-a940-000000000001', :key)
	= uuid_encrypt('018c22ac-d000-7037-a940-000000000001', :key || '\x00') AS same;

-- A key ends where it ends: what follows is the label
SELECT uuid_encrypt(id, convert_to('0123456789abcdef', 'UTF8'), 'g')
	<> uuid_encrypt(id, convert_to('0123456789abcdefg', 'UTF8'), '') AS differ
FROM gen_uuidv7() AS id;

-- The session remembers one key at a time
SELECT count(*) AS encrypted,
	count(
		DISTINCT uuid_encrypt(
			'018c22ac-d000-7037-a940-000000000001', decode(md5((n % 7)::text), 'hex'), (n % 3)::text))
		AS secrets
FROM generate_series(1, 1000) AS n;

-- Stored keys and labels of every kind: short header, compressed, out of line
CREATE TABLE secrets (key bytea, label text);
INSERT INTO secrets VALUES (decode(repeat('ab', 64), 'hex'), repeat('label', 1000));
SELECT uuid_encrypt('018c22ac-d000-7037-a940-000000000001', key, label) AS compressed FROM secrets;
ALTER TABLE secrets ALTER key SET STORAGE EXTERNAL, ALTER label SET STORAGE EXTERNAL;
UPDATE secrets SET key = key || ''::bytea, label = label || '';
SELECT uuid_encrypt('018c22ac-d000-7037-a940-000000000001', key, label) AS out_of_line FROM secrets;
SELECT uuid_encrypt('018c22ac-d000-7037-a940-000000000001', decode(repeat('ab', 64), 'hex'), repeat('label', 1000)) AS plain;
UPDATE secrets SET key = decode(repeat('ab', 10000), 'hex');
SELECT uuid_encrypt('018c22ac-d000-7037-a940-000000000001', key) FROM secrets;
DROP TABLE secrets;

-- A label is hashed in UTF-8 whatever the database's encoding is
SELECT uuid_encrypt('018c22ac-d000-7037-a940-000000000001', :key, 'Aufträge €');

-- What is refused, without a word of the key
SELECT uuid_encrypt('018c22ac-d000-7037-a940-000000000001', '');
SELECT uuid_encrypt('018c22ac-d000-7037-a940-000000000001', substr(:key, 1, 15));
SELECT uuid_decrypt('c8a69b42-bcf2-4c52-843e-110c2057711c', decode(repeat('ab', 65), 'hex'));
SELECT uuid_encrypt('00000000-0000-0000-0000-000000000000', :key);
SELECT uuid_encrypt('018c22ac-d000-7037-e940-000000000001', :key);
SELECT uuid_decrypt('018c22ac-d000-7037-a940-000000000001', :key);
SELECT uuid_decrypt('c8a69b42-bcf2-4c52-443e-110c2057711c', :key);
SELECT uuid_decrypt('c8a69b42-bcf2-4c52-843e-110c2057711c', :key, '', 16);
SELECT uuid_decrypt('c8a69b42-bcf2-4c52-843e-110c2057711c', :key, version => -1);
SELECT uuid_encrypt(NULL, :key) IS NULL AS null_of_no_uuid, uuid_encrypt(gen_uuidv7(), NULL) IS NULL AS null_of_no_key,
	uuid_encrypt(gen_uuidv7(), :key, NULL) IS NULL AS null_of_no_context,
	uuid_decrypt(gen_random_uuid(), :key, '', NULL) IS NULL AS null_of_no_version;

-- A look-up by the public id uses the primary key
CREATE TABLE orders (id uuid PRIMARY KEY, n int);
INSERT INTO orders SELECT gen_uuidv7(), n FROM generate_series(1, 1000) AS n;
ANALYZE orders;
SELECT id, uuid_encrypt(id, :key, 'orders') AS public FROM orders WHERE n = 500 \gset
PREPARE by_public_id (uuid) AS SELECT n FROM orders WHERE id = uuid_decrypt($1, :key, 'orders');
EXECUTE by_public_id (:'public');
EXPLAIN (COSTS OFF) SELECT n FROM orders WHERE id = uuid_decrypt('c8a69b42-bcf2-4c52-843e-110c2057711c', :key, 'no orders');
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE by_public_id ('c8a69b42-bcf2-4c52-843e-110c2057711c');
EXECUTE by_public_id (:'public');
RESET plan_cache_mode;
DROP TABLE orders;

-- What costs so much is left until the rows are chosen.
CREATE TABLE told (id uuid, n int);
EXPLAIN (COSTS OFF) SELECT uuid_encrypt(id, 'sixteen bytes or') FROM told ORDER BY n LIMIT 5;
EXPLAIN (COSTS OFF) SELECT uuid_decrypt(id, 'sixteen bytes or') FROM told ORDER BY n LIMIT 5;
DROP TABLE told;
