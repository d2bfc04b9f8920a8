-- Ids in public: short

CREATE FUNCTION uuid_encode(id uuid, encoding text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uuid_encode'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_encode(uuid, text) IS
	'the 128 bits in base32hex or crockford (26 characters), base58, base62 or base64url (22); all but the last sort as the id under COLLATE "C"; raises 22023 for another encoding';

CREATE FUNCTION uuid_decode(encoded text, encoding text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_decode'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_decode(text, text) IS
	'inverse of uuid_encode(), also of base58 and base62 without leading zeros; raises 22P02 for text that is no UUID in it, 22023 for another encoding';
