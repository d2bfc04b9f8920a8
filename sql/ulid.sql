-- ULID

CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_ulid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_to_ulid(uuid) IS
	'the 128 bits as a ULID: 26 digits of Crockford''s base 32 in upper case; sorts as the uuid does in the collation "C"';

CREATE FUNCTION ulid_to_uuid(ulid text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_ulid_to_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_to_uuid(text) IS
	'inverse of uuid_to_ulid(), in upper or lower case, with I and L for 1 and O for 0; read its time with uuid_boundary_time(), because a ULID has no version; raises 22P02 for text that is no ULID';
