-- MySQL's byte order

-- [c]
CREATE FUNCTION uuid_to_bin(id uuid, swap bool DEFAULT false) RETURNS bytea
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_bin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uuid_to_bin(id uuid, swap bool DEFAULT false) RETURNS bytea
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE swap
		WHEN true THEN substr(uuid_send(id), 7, 2) || substr(uuid_send(id), 5, 2) || substr(uuid_send(id), 1, 4) || substr(uuid_send(id), 9)
		WHEN false THEN uuid_send(id)
	END;
-- [both]
COMMENT ON FUNCTION uuid_to_bin(uuid, bool) IS
	'16 bytes as UUID_TO_BIN() of MySQL 8; with swap in the order b6-b7, b4-b5, b0-b3, b8-b15';

-- [c]
CREATE FUNCTION bin_to_uuid(bin bytea, swap bool DEFAULT false) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_bin_to_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION bin_to_uuid(bin bytea, swap bool DEFAULT false) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN bin IS NULL OR swap IS NULL THEN NULL
		WHEN length(bin) <> 16
			THEN uidext_internal.fail(encode(bin, 'hex'), '22023', 'a UUID has 16 bytes, not ' || length(bin)::text,
				hint => 'To convert text to a UUID, use a cast.')::uuid
		WHEN swap THEN encode(substr(bin, 5, 4) || substr(bin, 3, 2) || substr(bin, 1, 2) || substr(bin, 9), 'hex')::uuid
		ELSE encode(bin, 'hex')::uuid
	END;
-- [both]
COMMENT ON FUNCTION bin_to_uuid(bytea, bool) IS
	'inverse of uuid_to_bin(); raises 22023 for a length other than 16 bytes';
