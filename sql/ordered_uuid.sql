-- Laravel's ordered UUIDs

CREATE FUNCTION ordered_uuid_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_ordered_uuid_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION ordered_uuid_time(uuid) IS
	'time of an ordered UUID of Laravel: first 48 bits of a version 4 in units of 10 µs; NULL for other versions';

CREATE FUNCTION ordered_uuid_to_v7(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_ordered_uuid_to_v7'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ordered_uuid_to_v7(uuid) IS
	'an ordered UUID of Laravel as UUIDv7 of the same time; keeps the order and 67 of 74 random bits; raises 22023 for versions other than 4';
