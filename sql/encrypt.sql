-- Ids in public: encrypted

CREATE FUNCTION uuid_encrypt(id uuid, key bytea, label text DEFAULT '') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_encrypt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_encrypt(uuid, bytea, text) IS
	'the id as a version 4 that shows nothing of it; key of 16 to 64 bytes, equal ids under two labels share nothing; raises 22023 for another key or variant';

CREATE FUNCTION uuid_decrypt(id uuid, key bytea, label text DEFAULT '', version int DEFAULT 7) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_decrypt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_decrypt(uuid, bytea, text, int) IS
	'inverse of uuid_encrypt() for ids of that version, 0 to 15; a forged id gives some id that nobody has; raises 22023 for another key, or an id that is not version 4';
