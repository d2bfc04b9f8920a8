-- ULID

-- What the type of the C edition prints, which sorts as its bytes do.
CREATE DOMAIN ulid AS text COLLATE "C" CHECK (VALUE ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$'::text);

CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.base32_encode(id);

-- I and L are read as 1, O as 0, in upper and lower case.
CREATE FUNCTION ulid_to_uuid(ulid text) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	digits text COLLATE "C" := uidext_internal.crockford_fold(ulid);
BEGIN
	IF digits !~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' THEN
		RAISE EXCEPTION 'invalid input syntax for type %: "%"', 'ulid', ulid
			USING ERRCODE = 'invalid_text_representation',
				DETAIL = CASE
					WHEN length(digits) <> 26 THEN format('A ULID has 26 characters, not %s.', length(digits))
					WHEN digits ~ '[^0-9A-HJKMNP-TV-Z]'
						THEN format('Character %s is not a digit of Crockford''s base 32.', length(substring(digits FROM '^[0-9A-HJKMNP-TV-Z]*')) + 1)
					ELSE 'A ULID begins with a digit from 0 to 7, because it has 128 bits.'
				END;
	END IF;
	RETURN uidext_internal.base32_decode(digits);
END
$$;

-- 60 bits of time, of which 12 are the milliseconds' fraction, and 17 random digits
-- of 4: those at the end of a version 4 without the one that has the variant.
CREATE FUNCTION uidext_internal.ulid_of_ticks(ticks bigint) RETURNS ulid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uuid_to_ulid((lpad(to_hex(ticks), 15, '0')
		|| "right"("overlay"(encode(uidext_internal.random_bytes(), 'hex'), '', 17, 1), 17))::uuid)::ulid;
COMMENT ON FUNCTION uidext_internal.ulid_of_ticks(bigint) IS
	'new ULID of a time in 1/4096 ms since 1970, with 68 random bits';

CREATE FUNCTION gen_ulid() RETURNS ulid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.ulid_of_ticks(uidext_internal.clock_us() * 512::bigint / 125::bigint);
COMMENT ON FUNCTION gen_ulid() IS
	'new ULID: Unix milliseconds, 12 bits of their fraction, 68 random bits; in the session''s order as far as microseconds differ';

CREATE FUNCTION gen_ulid_at(at timestamptz) RETURNS ulid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.ulid_of_ticks((uidext_internal.timestamptz_to_unix_us(at) / 1000::bigint << 12)
		+ uidext_internal.timestamptz_to_unix_us(at) % 1000::bigint * 512::bigint / 125::bigint);

CREATE FUNCTION ulid_time(id ulid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.unix_ms_to_timestamptz(uidext_internal.base32_bits(id) >> 10);

CREATE FUNCTION ulid_boundary(at timestamptz) RETURNS ulid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uuid_to_ulid(uuid_boundary(at))::ulid;
