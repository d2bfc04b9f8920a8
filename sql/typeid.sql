-- Ids in public: with a prefix

CREATE FUNCTION uuid_to_typeid(id uuid, prefix text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_typeid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_typeid(uuid, text) IS
	'the id as TypeID: a prefix (up to 63 of a to z and inner underscores, or none), an underscore, 26 digits; raises 22023 for another prefix';

CREATE FUNCTION typeid_to_uuid(typeid text, prefix text DEFAULT NULL) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_typeid_to_uuid'
	LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION typeid_to_uuid(text, text) IS
	'inverse of uuid_to_typeid(); raises 22P02 for text that is no TypeID, 22023 when it has another prefix than asked for';

CREATE FUNCTION typeid_prefix(typeid text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_typeid_prefix'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION typeid_prefix(text) IS
	'the prefix of a TypeID, empty when there is none; raises 22P02 for text that is no TypeID';
