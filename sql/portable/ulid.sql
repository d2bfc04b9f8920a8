-- ULID

-- What the type of the C edition prints, which sorts as its bytes do.
CREATE DOMAIN ulid AS text COLLATE "C" CHECK (VALUE ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$'::text);

CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
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

-- 60 bits of time, of which 12 are the milliseconds' fraction, and 17 digits of a
-- random uuid: of its second half all but the digit with the variant, and two more.
CREATE FUNCTION uidext_internal.ulid_of_ticks(ticks bigint) RETURNS ulid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uuid_to_ulid((lpad(to_hex(ticks), 15, '0')
		|| "right"("overlay"(gen_random_uuid()::text, '', 19, 2), 18))::uuid)::ulid;
COMMENT ON FUNCTION uidext_internal.ulid_of_ticks(bigint) IS
	'new ULID of a time in 1/4096 ms since 1970, with 68 random bits';

CREATE FUNCTION gen_ulid() RETURNS ulid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.ulid_of_ticks(floor(date_part('epoch', clock_timestamp()) * 4096000::float8)::bigint);

CREATE FUNCTION gen_ulid_at(at timestamptz) RETURNS ulid
	LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED
	RETURN CASE
		WHEN at >= timestamptz '1970-01-01 00:00+00' AND at < timestamptz '10889-08-02 05:31:50.656+00'
			THEN uidext_internal.ulid_of_ticks(floor(EXTRACT(epoch FROM at - timestamptz '1970-01-01 00:00+00') * 4096000::numeric)::bigint)
		ELSE uidext_internal.fail(CASE WHEN isfinite(at) THEN ''::text END, '22008',
			'timestamp out of range for a UUID',
			'A UUID holds times from 1970-01-01 00:00:00+00 to 10889-08-02 05:31:50.655999+00.')
	END;

-- The first ten digits: 18 bits of 2^30 ms and 30 of 1 ms.
CREATE FUNCTION ulid_time(id ulid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (timestamp '1970-01-01 00:00'
		+ (((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 1, 1)) - 1) << 15)
			| ((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 2, 1)) - 1) << 10)
			| ((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 3, 1)) - 1) << 5)
			| (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 4, 1)) - 1))::float8 * interval '1073741.824 s'
		+ (((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 5, 1)) - 1) << 25)
			| ((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 6, 1)) - 1) << 20)
			| ((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 7, 1)) - 1) << 15)
			| ((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 8, 1)) - 1) << 10)
			| ((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 9, 1)) - 1) << 5)
			| (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 10, 1)) - 1))::float8 * interval '0.001 s') AT TIME ZONE interval '0';

CREATE FUNCTION ulid_boundary(at timestamptz) RETURNS ulid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uuid_to_ulid(uuid_boundary(at))::ulid;
