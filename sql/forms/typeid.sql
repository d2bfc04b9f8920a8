-- Ids in public: with a prefix
--
-- TypeID 0.3 (https://github.com/jetify-com/typeid/tree/main/spec).

-- [sql]
CREATE FUNCTION uidext_internal.typeid_prefix_fault(prefix text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN prefix COLLATE "C" ~ '[^a-z_]' THEN 'The prefix has other characters than a to z and underscore.'
		WHEN length(prefix) > 63 THEN 'The prefix has more than 63 characters.'
		WHEN prefix COLLATE "C" ~ '^_|_$' THEN 'The prefix begins or ends with an underscore.'
	END;
COMMENT ON FUNCTION uidext_internal.typeid_prefix_fault(text) IS
	'what is wrong with a prefix, or NULL; an empty one means that there is none';

-- [c]
CREATE FUNCTION uuid_to_typeid(id uuid, prefix text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_typeid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uuid_to_typeid(id uuid, prefix text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN uidext_internal.typeid_prefix_fault(prefix) IS NULL OR id IS NULL
		THEN prefix || left('_', length(prefix))
			|| lower(uidext_internal.base32_encode(id) COLLATE "C")
		ELSE uidext_internal.fail(id::text, '22023',
			'invalid prefix of a TypeID: "' || prefix || '"', uidext_internal.typeid_prefix_fault(prefix))
	END;
-- [both]
COMMENT ON FUNCTION uuid_to_typeid(uuid, text) IS
	'the id as TypeID: a prefix (up to 63 of a to z and inner underscores, or none), an underscore, 26 digits; raises 22023 for another prefix';

-- [sql]
CREATE FUNCTION uidext_internal.typeid_fault(typeid text) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bytes text := uidext_internal.byte_by_byte(typeid);
	prefix text := left(bytes, greatest(length(bytes) - 27, 0));
BEGIN
	RETURN CASE
		WHEN length(bytes) < 26 THEN 'It is shorter than 26 characters.'
		WHEN length(bytes) > 26 AND substr(bytes, length(bytes) - 26, 1) <> '_' THEN 'There is no underscore before its last 26 characters.'
		WHEN length(bytes) = 27 THEN 'It begins with an underscore, but has no prefix.'
		WHEN uidext_internal.typeid_prefix_fault(prefix) IS NOT NULL THEN uidext_internal.typeid_prefix_fault(prefix)
		WHEN right(bytes, 26) ~ '[^0-9a-hjkmnp-tv-z]' THEN 'Its last 26 characters are not all digits of Crockford''s base 32 in lower case.'
		ELSE 'The first of its last 26 characters is greater than 7, which is more than 128 bits.'
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.typeid_fault(text) IS
	'what is wrong with a text that is not a TypeID';

-- [c]
CREATE FUNCTION typeid_to_uuid(typeid text, prefix text DEFAULT NULL) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_typeid_to_uuid'
	LANGUAGE C IMMUTABLE PARALLEL SAFE;

-- [sql]
CREATE FUNCTION typeid_to_uuid(typeid text, prefix text DEFAULT NULL) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	its_prefix text := @extschema@.typeid_prefix(typeid);
BEGIN
	IF its_prefix COLLATE "C" <> prefix THEN
		RAISE EXCEPTION 'TypeID has prefix "%", not "%"', its_prefix, prefix USING ERRCODE = '22023';
	END IF;
	RETURN uidext_internal.base32_decode(upper(right(typeid, 26) COLLATE "C"));
END
$$;
-- [both]
COMMENT ON FUNCTION typeid_to_uuid(text, text) IS
	'inverse of uuid_to_typeid(); raises 22P02 for text that is not a TypeID, 22023 if it has a prefix other than '
	'the one given';

-- [c]
CREATE FUNCTION typeid_prefix(typeid text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_typeid_prefix'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION typeid_prefix(typeid text) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF typeid COLLATE "C" !~ '^([a-z]([a-z_]{0,61}[a-z])?_)?[0-7][0-9a-hjkmnp-tv-z]{25}$' THEN
		RAISE EXCEPTION 'invalid TypeID: "%"', typeid
			USING ERRCODE = '22P02', DETAIL = uidext_internal.typeid_fault(typeid COLLATE "C");
	END IF;
	RETURN left(typeid, greatest(length(typeid) - 27, 0));
END
$$;
-- [both]
COMMENT ON FUNCTION typeid_prefix(text) IS
	'the prefix of a TypeID, empty when there is none; raises 22P02 for text that is not a TypeID';
