-- UUIDs in fewer characters: which text has an id in each encoding, is it read back, and what is refused?
\set SHOW_CONTEXT never

-- Known answers: of RFC 9562's examples and the ends of the range
SELECT encoding, uuid_encode(id, encoding), uuid_decode(uuid_encode(id, encoding), encoding) = id AS back
FROM unnest(ARRAY['base32hex', 'crockford', 'base58', 'base62', 'base64url']) AS encoding,
	unnest(ARRAY['017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '919108f7-52d1-4320-9bac-f847db4148a8',
		'00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']::uuid[]) AS id
ORDER BY encoding, id;

-- The three forms of 26 characters that look alike
SELECT uuid_encode(id, 'base32hex') AS base32hex,
	uuid_to_ulid(id) AS ulid,
	uuid_encode(id, 'crockford') AS crockford,
	uuid_to_typeid(id, '') AS typeid
FROM (VALUES ('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid)) AS v(id);

-- Every id goes there and back, is as wide as the others, and sorts as they do
CREATE TABLE ids AS
	SELECT md5(n::text)::uuid AS id FROM generate_series(1, 5000) AS n
	UNION ALL SELECT uuid_boundary(timestamptz '2026-01-01 00:00+00' + n * interval '1 ms') FROM generate_series(1, 1000) AS n
	UNION ALL SELECT lpad(to_hex(n), 32, '0')::uuid FROM generate_series(1, 1000) AS n;
SELECT encoding, count(*) AS ids, count(*) FILTER (WHERE uuid_decode(text, encoding) = id) AS back, min(length(text)),
	max(length(text)), count(DISTINCT text) = count(DISTINCT id) AS distinct,
	array_agg(id ORDER BY id) = array_agg(id ORDER BY text COLLATE "C") AS same_order
FROM ids, unnest(ARRAY['base32hex', 'crockford', 'base58', 'base62', 'base64url']) AS encoding, uuid_encode(id, encoding) AS text
GROUP BY encoding ORDER BY encoding;

-- base64url is core's base64 in other letters, without padding
SELECT count(*) AS wrong
FROM ids
WHERE uuid_encode(id, 'base64url') <> rtrim(translate(encode(uuid_send(id), 'base64'), '+/', '-_'), '=');
DROP TABLE ids;

-- Read in the other case, with look-alikes, without leading zeros
SELECT uuid_decode('06h005fkd1tin4ek38s1dr5294', 'base32hex')
	= uuid_decode('06H005FKD1TIN4EK38S1DR5294', 'base32hex') AS base32hex,
	uuid_decode('ol000000000000000000000000', 'crockford') = uuid_decode('01000000000000000000000000', 'crockford') AS crockford,
	uuid_decode('z', 'base58'), uuid_decode('1111111111111111', 'base58') AS sixteen_ones, uuid_decode('z', 'base62');
SELECT uuid_encode('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', 'BASE58');

-- Read with the padding of RFC 4648
SELECT uuid_decode('05VI5OJPM1UC7664RG60O1PPHS======', 'base32hex') AS base32hex,
	uuid_decode('05vi5ojpm1uc7664rg60o1pphs======', 'base32hex') AS lower_case,
	uuid_decode('AX8i4nmwfMOYxNwMDAc5jw==', 'base64url') AS base64url;

-- What is refused
CREATE FUNCTION outcome(encoded text, encoding text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	RETURN uuid_decode(encoded, encoding);
EXCEPTION
	WHEN invalid_text_representation THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
		RETURN detail;
END
$$;
SELECT encoding, encoded, outcome(encoded, encoding)
FROM (VALUES
	('base32hex', ''), ('base32hex', '0'), ('base32hex', '06H005FKD1TIN4EK38S1DR529W'), ('base32hex', '06H005FKD1TIN4EK38S1DR5295'),
	('base32hex', '06H005FKD1TIN4EK38S1DR5294====='), ('base32hex', '06H005FKD1TIN4EK38S1DR5295======'),
	('base32hex', '06H005FKD1TIN4EK38S1DR529======='), ('base32hex', '======'), ('crockford', '01ARZ3NDEKTSV4RRFFQ69G5FAV======'),
	('base32hex', '06H005FKD1TIN4EK38S1DR529é'), ('base32hex', repeat('é', 26)),
	('crockford', '8ZZZZZZZZZZZZZZZZZZZZZZZZZ'),
	('crockford', '01ARZ3NDEKTSV4RRFFQ69G5FAU'),
	('crockford', '01ARZ3NDEKTSV4RRFFQ69G5FA'),
	('base58', ''), ('base58', '0'), ('base58', 'YcVfxkQb6JRzqk5kF2tNLw'), ('base58', 'zzzzzzzzzzzzzzzzzzzzzz'),
	('base58', '11111111111111111111111'), ('base58', 'I'), ('base58', 'ü'),
	('base62', ''), ('base62', '7n42DGM5Tflk9n8mt7Fhc8'), ('base62', 'zzzzzzzzzzzzzzzzzzzzzz'), ('base62', '-'), ('base62', ' z'),
	('base64url', 'AX8i4nmwfMOYxNwMDAc5jw'), ('base64url', 'AX8i4nmwfMOYxNwMDAc5jx'),
	('base64url', 'AX8i4nmwfMOYxNwMDAc5jw='), ('base64url', 'AX8i4nmwfMOYxNwMDAc5jx=='), ('base58', 'YcVfxkQb6JRzqk5kF2tNL=='),
	('base64url', 'AX8i4nmwfMOYxNwMDAc5j+'), ('base64url', 'AX8i4nmwfMOYxNwMDAc5j')
) AS v(encoding, encoded);
DROP FUNCTION outcome;
SELECT uuid_decode('u', 'base62-');
SELECT uuid_encode(gen_uuidv7(), '');
SELECT uuid_decode('!', 'base62');
\set VERBOSITY sqlstate
SELECT uuid_decode('!', 'base62');
SELECT uuid_decode('u', 'hex');
\set VERBOSITY default
SELECT uuid_encode(NULL, 'base58') IS NULL AS null_of_no_uuid,
	uuid_encode(gen_uuidv7(), NULL) IS NULL AS null_of_no_encoding,
	uuid_decode(NULL, 'base58') IS NULL AS null_of_no_text;

-- A look-up uses the primary key
CREATE TABLE orders (id uuid PRIMARY KEY);
EXPLAIN (COSTS OFF) SELECT FROM orders WHERE id = uuid_decode('1BoatSLRHtKNngkdXEeobR', 'base58');
DROP TABLE orders;
