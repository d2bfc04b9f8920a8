-- Encrypted ids: is uuid_encrypt() the same as the algorithm written in SQL, and do its
-- results look random?
--
-- UIDEXT_LONG=1 takes 10 million ids.

\set ids 20000
\getenv long UIDEXT_LONG
\if :{?long}
	\set ids 10000000
\endif

BEGIN;
\ir include/settings.sql
-- in SQL each takes long
\if :{?long}
\elif :sql_edition
	\set ids 5000
\endif
SET LOCAL work_mem = '256MB';
SELECT plan(11);
\ir include/bits.sql

--
-- The algorithm, by core's sha256() alone.
--

CREATE FUNCTION pg_temp.hmac(key bytea, message bytea) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
	inner_key bytea := key || decode(repeat('00', 64 - length(key)), 'hex');
	outer_key bytea := inner_key;
BEGIN
	FOR i IN 0..63 LOOP
		outer_key := set_byte(outer_key, i, get_byte(inner_key, i) # 92);
		inner_key := set_byte(inner_key, i, get_byte(inner_key, i) # 54);
	END LOOP;
	RETURN sha256(outer_key || sha256(inner_key || message));
END $$;

CREATE FUNCTION pg_temp.encrypt(id uuid, key bytea, label text) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
	round_key bytea := pg_temp.hmac(key, 'uidext uuid_encrypt v1'::bytea || '\x00' || convert_to(label, 'UTF8'));
	bits text := (SELECT string_agg(('x' || digit)::bit(4)::text, '' ORDER BY n)
		FROM string_to_table(replace(id::text, '-', ''), NULL) WITH ORDINALITY AS digits(digit, n));
	l bigint;
	r bigint;
	made bytea;
	f bigint;
	hex text := '';
BEGIN
	bits := substr(bits, 1, 48) || substr(bits, 53, 12) || substr(bits, 67);
	l := substr(bits, 1, 61)::bit(61)::bigint;
	r := substr(bits, 62)::bit(61)::bigint;
	FOR round IN 0..9 LOOP
		made := sha256(round_key || set_byte('\x00', 0, round) || int8send(r));
		f := ('x' || encode(substr(made, 1, 8), 'hex'))::bit(64)::bit(61)::bigint;
		SELECT r, l # f INTO l, r;
	END LOOP;
	bits := l::bit(61)::text || r::bit(61)::text;
	bits := substr(bits, 1, 48) || '0100' || substr(bits, 49, 12) || '10' || substr(bits, 61);
	FOR i IN 0..31 LOOP
		hex := hex || to_hex(substr(bits, 4 * i + 1, 4)::bit(4)::int);
	END LOOP;
	RETURN hex;
END $$;

SELECT setseed(0.20220222) \g /dev/null
CREATE TEMP TABLE samples AS
SELECT overlay(md5(random()::text) PLACING '9' FROM 17)::uuid AS id,
	decode(substr(repeat(md5(random()::text), 4), 1, 2 * (16 + n % 49)), 'hex') AS key, repeat('é', n % 40) AS label
FROM generate_series(1, 500) AS n;

SELECT is(count(*)::int, 500, 'as many ids, under keys and labels of every length')
FROM samples WHERE uuid_encrypt(id, key, label) = pg_temp.encrypt(id, key, label);
SELECT is(count(*)::int, 500, 'and they come back, in their own version')
FROM samples WHERE uuid_decrypt(uuid_encrypt(id, key, label), key, label, ('x' || substr(id::text, 15, 1))::bit(4)::int) = id;

--
-- What the results look like: of ids in a row, in which an outsider would see
-- the most.
--

CREATE TEMP TABLE pairs AS
SELECT id, public, lag(public) OVER (ORDER BY id) AS last
FROM (SELECT id, uuid_encrypt(id, '\x000102030405060708090a0b0c0d0e0f', 'label') AS public
	FROM (
		SELECT ('018c22ac-d000-7037-a940-' || lpad(to_hex(n), 12, '0'))::uuid AS id
		FROM generate_series(1, :ids) AS n
		OFFSET 0) AS ids
	OFFSET 0) AS made;

SELECT is(count(*)::int, :ids, 'each decrypts to its own')
FROM pairs
WHERE uuid_decrypt(public, '\x000102030405060708090a0b0c0d0e0f', 'label') = id;
SELECT is(count(DISTINCT public)::int, :ids, 'no two are equal') FROM pairs;
SELECT pg_temp.bits_are(
	$$uuid_encrypt(('018c22ac-d000-7037-a940-' || lpad(to_hex(generate_series), 12, '0'))::uuid, $$
		|| $$'\x000102030405060708090a0b0c0d0e0f')$$,
	'xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx', :ids);

SELECT string_agg(
	format('sum(get_bit(bytes, %s) # get_bit(last_bytes, %s))', bit / 8 * 8 + 7 - bit % 8,
			bit / 8 * 8 + 7 - bit % 8), ', '
	ORDER BY bit) AS sums
FROM generate_series(0, 127) AS bit WHERE bit NOT IN (48, 49, 50, 51, 64, 65) \gset
CREATE TEMP TABLE flips AS
SELECT flips FROM (SELECT ARRAY[:sums] AS counts FROM (
		SELECT uuid_send(public) AS bytes, uuid_send(last) AS last_bytes
		FROM pairs
		WHERE last IS NOT NULL
		OFFSET 0) AS d) AS s, unnest(counts) AS u(flips);
SELECT is(count(*)::int, 122, 'there are 122 bits') FROM flips;
SELECT is(array_agg(flips), NULL, 'each differs in half of the neighbours, within 6 sigma')
FROM flips WHERE abs(flips - :ids / 2) > 6 * sqrt(:ids) / 2;
SELECT ok(abs(avg((public > last)::int) - 0.5) < 6 * 0.5 / sqrt(:ids),
	'half of them are greater than their neighbour, within 6 sigma')
FROM pairs WHERE last IS NOT NULL;

SELECT is(count(*)::int, 122, 'each bit of an id moves about half of the 122')
FROM generate_series(0, 127) AS bit,
	(
		SELECT bytes,
			uuid_send(uuid_encrypt(encode(bytes, 'hex')::uuid, '\x000102030405060708090a0b0c0d0e0f')) AS was
		FROM (VALUES (uuid_send('018c22ac-d000-7037-a940-000000000001'))) AS v(bytes) OFFSET 0) AS v,
	LATERAL (SELECT uuid_send(uuid_encrypt(encode(set_bit(bytes, bit, 1 - get_bit(bytes, bit)), 'hex')::uuid,
		'\x000102030405060708090a0b0c0d0e0f')) AS changed) AS c,
	LATERAL (SELECT count(*) FROM generate_series(0, 127) AS b
		WHERE get_bit(changed, b) <> get_bit(was, b)) AS d(differ)
WHERE bit NOT IN (52, 53, 54, 55, 70, 71) AND differ BETWEEN 61 - 34 AND 61 + 34;

SELECT is(count(*)::int, 0, 'another key or label gives another id')
FROM generate_series(1, 1000) AS n
WHERE uuid_encrypt('018c22ac-d000-7037-a940-000000000001', decode(md5(n::text), 'hex'))
	IN (uuid_encrypt('018c22ac-d000-7037-a940-000000000001', decode(md5(n::text), 'hex'), n::text),
		uuid_encrypt('018c22ac-d000-7037-a940-000000000001', decode(md5((n + 1)::text), 'hex')));

SELECT * FROM finish();
ROLLBACK;
