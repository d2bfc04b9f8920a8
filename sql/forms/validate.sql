-- Is this an id of the agreed form?

-- [c]
CREATE FUNCTION uuidv4_is_valid(id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuidv4_is_valid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uuidv4_is_valid(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_is(id, 4);
-- [both]
COMMENT ON FUNCTION uuidv4_is_valid(uuid) IS
	'whether version and variant are those of a UUIDv4, which COMBs have, too';

-- [c]
CREATE FUNCTION uuid_is_canonical(id text) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_is_canonical'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uuid_is_canonical(id text) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id COLLATE "C" ~ '^[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$';
-- [both]
COMMENT ON FUNCTION uuid_is_canonical(text) IS
	'whether a text is a canonical UUID: 32 hex digits of either case, with hyphens between groups of 8, 4, 4, 4 and 12';
