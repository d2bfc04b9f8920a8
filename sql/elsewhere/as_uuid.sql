-- Ids from elsewhere: a UUID in any spelling

-- [c]
CREATE FUNCTION uidext_internal.uid_as_uuid(id text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uid_as_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
-- A UUID as PostgreSQL's uuid input reads it, and with urn:uuid: in front (RFC 9562, section 4), or
-- as a bytea or a number in hex; NULL for any other text.
CREATE FUNCTION uidext_internal.uid_as_uuid(id text) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	digits text := CASE
		WHEN id COLLATE "C" ~* '^urn:uuid:' THEN substr(id, 10)
		WHEN id ~ '^[{].*[}]$' THEN substr(id, 2, length(id) - 2)
		WHEN length(id) = 34 AND lower(left(id, 2) COLLATE "C") IN ('0x', chr(92) || 'x') THEN substr(id, 3)
		ELSE id
	END;
BEGIN
	RETURN CASE WHEN digits ~ '^([0-9A-Fa-f]{4}-?){7}[0-9A-Fa-f]{4}$' THEN digits END;
END
$$;
-- [both]
COMMENT ON FUNCTION uidext_internal.uid_as_uuid(text) IS
	'the uuid of a text in any spelling of one; NULL for other text';
