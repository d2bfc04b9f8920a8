-- Laravel's ordered UUIDs

-- [c]
CREATE FUNCTION laravel_uuid_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_laravel_uuid_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION laravel_uuid_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN (timestamp '1970-01-01 00:00'
			+ (uidext_internal.uuid_unix_ms(id) / 100)::float8 * interval '0.001 s'
			+ (uidext_internal.uuid_unix_ms(id) % 100::bigint)::float8 * interval '0.00001 s') AT TIME ZONE interval '0'
	END;
-- [both]
COMMENT ON FUNCTION laravel_uuid_time(uuid) IS
	'time of an ordered UUID of Laravel: first 48 bits of a version 4 in units of 10 us; NULL for other versions';

-- [c]
CREATE FUNCTION laravel_uuid_to_v7(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_laravel_uuid_to_v7'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
-- The first 5 of the 12 bits after the version go to the head. The other 7 become the first of the
-- tail, whose last 7 bits are dropped.
CREATE FUNCTION laravel_uuid_to_v7(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN uidext_internal.uuid_pack(7,
			(uidext_internal.uuid_unix_ms(id) / 100 << 12)
				+ (uidext_internal.uuid_unix_ms(id) % 100::bigint * 4096 + 99) / 100
				+ ((get_byte(uuid_send(id), 6) & 15) << 1 | (get_byte(uuid_send(id), 7) >> 7)),
			pg_catalog.bit_send(repeat('0', 32)::bit(32) OPERATOR(pg_catalog.||) B'10' OPERATOR(pg_catalog.||) get_byte(uuid_send(id), 7)::bit(7)
				OPERATOR(pg_catalog.||) (('x' || encode(substr(uuid_send(id), 9), 'hex'))::bit(64) << 2)::bit(55)))
		ELSE uidext_internal.fail_version(id, 4)
	END;
-- [both]
COMMENT ON FUNCTION laravel_uuid_to_v7(uuid) IS
	'an ordered UUID of Laravel as UUIDv7 of the same time; keeps the order and 67 of 74 random bits; raises 22023 for versions other than 4';
