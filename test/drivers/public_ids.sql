-- Cases for the programs of doc/public-ids.md: id, key, label, version, encrypted id.
-- A language's program reads them, and prints the id decrypted and the id encrypted.
CREATE EXTENSION IF NOT EXISTS uidext;
SELECT setseed(0.20220222) \g /dev/null
SELECT id, encode(key, 'hex'), label, version, uuid_encrypt(id, key, label)
FROM generate_series(1, 5000) AS n,
	LATERAL (SELECT 1 + n % 8, overlay(overlay(CASE n % 100 WHEN 0 THEN repeat('0', 32) WHEN 1 THEN repeat('f', 32) ELSE md5(random()::text) END
			PLACING (1 + n % 8)::text FROM 13) PLACING substr('89ab', 1 + n / 8 % 4, 1) FROM 17)::uuid,
		decode(substr(repeat(md5(random()::text), 4), 1, 2 * (16 + n % 49)), 'hex'),
		(ARRAY['', 'orders', 'Aufträge €', 'ids 😀', repeat('long ', 50)])[1 + n % 5]) AS v(version, id, key, label);
