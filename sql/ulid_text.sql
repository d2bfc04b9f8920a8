-- The 128 bits of a uuid in the 26 digits of a ULID, and back

-- [c]
CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_ulid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.base32_encode(id);
-- [both]
COMMENT ON FUNCTION uuid_to_ulid(uuid) IS
	'the 128 bits as the text of a ULID; sorts as the uuid does under COLLATE "C"';

-- [c]
CREATE FUNCTION ulid_to_uuid(ulid text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_ulid_to_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uidext_internal.is_ulid(digits text) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN octet_length(digits) = 26 AND digits COLLATE "C" < '8' AND digits COLLATE "C" !~ '[^0-9A-HJKMNP-TV-Z]';
COMMENT ON FUNCTION uidext_internal.is_ulid(text) IS
	'whether a text is what the type ulid prints';

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
-- [both]
COMMENT ON FUNCTION ulid_to_uuid(text) IS
	'inverse of uuid_to_ulid(), in upper or lower case, with I and L for 1 and O for 0; its time is ulid_time(), because a ULID has no version; raises 22P02 for text that is no ULID';
