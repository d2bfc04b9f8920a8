-- MySQL's byte order

CREATE FUNCTION uuid_to_bin(id uuid, swap bool DEFAULT false) RETURNS bytea
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_bin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_to_bin(uuid, bool) IS
	'16 bytes as UUID_TO_BIN() of MySQL 8; with swap in the order b6-b7, b4-b5, b0-b3, b8-b15';

CREATE FUNCTION bin_to_uuid(bin bytea, swap bool DEFAULT false) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_bin_to_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bin_to_uuid(bytea, bool) IS
	'inverse of uuid_to_bin(); raises 22023 for another length than 16 bytes';
