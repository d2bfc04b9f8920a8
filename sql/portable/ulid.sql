-- ULID, in order within a session as far as the clock tells ids apart: 1 us

CREATE FUNCTION uidext_internal.is_ulid(digits text) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN octet_length(digits) = 26 AND digits COLLATE "C" < '8' AND digits COLLATE "C" !~ '[^0-9A-HJKMNP-TV-Z]';
COMMENT ON FUNCTION uidext_internal.is_ulid(text) IS
	'whether a text is what the type ulid prints';

-- What the type of the C edition prints, which sorts as its bytes do.
CREATE DOMAIN ulid AS text COLLATE "C" CHECK (uidext_internal.is_ulid(VALUE));

CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.base32_encode(id);

CREATE FUNCTION uidext_internal.ulid_fault(digits text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN length(digits) <> 26 THEN 'A ULID has 26 characters, not ' || length(digits)::text || '.'
		WHEN digits COLLATE "C" ~ '[^0-9A-HJKMNP-TV-Z]'
			THEN 'Character ' || (length(substring(digits COLLATE "C" FROM '^[0-9A-HJKMNP-TV-Z]*')) + 1)::text || ' is not a digit of Crockford''s base 32.'
		ELSE 'A ULID begins with a digit from 0 to 7, because it has 128 bits.'
	END;
COMMENT ON FUNCTION uidext_internal.ulid_fault(text) IS
	'what is wrong with a text that is no ULID';

-- I and L are read as 1, O as 0, in upper and lower case.
CREATE FUNCTION ulid_to_uuid(ulid text) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	digits pg_catalog.text := uidext_internal.crockford_fold(ulid);
BEGIN
	IF uidext_internal.is_ulid(digits) THEN
		RETURN uidext_internal.base32_decode(digits);
	END IF;
	RAISE EXCEPTION 'invalid input syntax for type %: "%"', 'ulid', ulid
		USING ERRCODE = 'invalid_text_representation', DETAIL = uidext_internal.ulid_fault(digits);
END
$$;

-- Behind the time go the last 70 bits of a version 4 but for what is not random.
CREATE FUNCTION uidext_internal.ulid_text(ticks bigint, random bytea, middle bigint) RETURNS ulid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.base32_text(ticks, middle, (get_byte(random, 0) << 8 | get_byte(random, 1))::bigint)::ulid;
COMMENT ON FUNCTION uidext_internal.ulid_text(bigint, bytea, bigint) IS
	'a ULID of 58 bits of time, 60 bits in the middle and 10 of the first two random bytes';

-- Apart from the clock and chance: a parallel plan takes no VOLATILE function in PL/pgSQL.
CREATE FUNCTION uidext_internal.ulid_of_ticks(ticks bigint, random bytea) RETURNS ulid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	middle bigint := uidext_internal.bytes_half(random, 9);
BEGIN
	RETURN uidext_internal.ulid_text(ticks, random, middle);
END
$$;
COMMENT ON FUNCTION uidext_internal.ulid_of_ticks(bigint, bytea) IS
	'ULID of a time in 1/1024 ms since 1970, with 70 of the random bits';

CREATE FUNCTION gen_ulid() RETURNS ulid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.ulid_of_ticks(uidext_internal.clock_us() * 128::bigint / 125::bigint, uidext_internal.random_bytes());
COMMENT ON FUNCTION gen_ulid() IS
	'new ULID: Unix milliseconds, 10 bits of their fraction, 70 random bits; in the session''s order as far as microseconds differ';

CREATE FUNCTION gen_ulid_at(at timestamptz) RETURNS ulid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.ulid_of_ticks((uidext_internal.timestamptz_to_unix_us(at) / 1000::bigint << 10)
		+ uidext_internal.timestamptz_to_unix_us(at) % 1000::bigint * 128::bigint / 125::bigint, uidext_internal.random_bytes());

CREATE FUNCTION ulid_time(id ulid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.unix_ms_to_timestamptz(uidext_internal.base32_bits(decode(id, 'escape'), 0) >> 10);

CREATE FUNCTION ulid_boundary(at timestamptz) RETURNS ulid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uuid_to_ulid(uuid_boundary(at))::ulid;
