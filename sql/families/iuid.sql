-- iUID. In the SQL edition, the ids of a session are in order to the microsecond of the clock.
--
-- iuid is to uuid what varchar is to text: the same bytes, but input accepts only some of them.

-- [c]
CREATE TYPE iuid;

-- [sql]
CREATE DOMAIN iuid AS uuid CONSTRAINT iuid_or_boundary CHECK (
	get_byte(uuid_send(VALUE), 6) = 128 AND get_byte(uuid_send(VALUE), 8) >> 6 = 2
	OR substr(uuid_send(VALUE), 7) = decode('00000000000000000000', 'hex')
	OR VALUE = uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff');

-- [c]
CREATE FUNCTION uidext_internal.iuid_in(cstring) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_iuid_in'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.iuid_in(cstring) IS
	'input of type iuid; raises 22P02 for text that is neither an iUID nor a boundary value';

CREATE FUNCTION uidext_internal.iuid_out(iuid) RETURNS cstring
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_out'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_out(iuid) IS 'output of type iuid, as that of uuid';

CREATE FUNCTION uidext_internal.iuid_recv(internal) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_iuid_recv'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.iuid_recv(internal) IS
	'binary input of type iuid; raises 22P03 for what is neither an iUID nor a boundary value';

CREATE FUNCTION uidext_internal.iuid_send(iuid) RETURNS bytea
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_send'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_send(iuid) IS 'binary output of type iuid, as that of uuid';

CREATE TYPE iuid (
	INPUT = uidext_internal.iuid_in, OUTPUT = uidext_internal.iuid_out,
	RECEIVE = uidext_internal.iuid_recv, SEND = uidext_internal.iuid_send,
	LIKE = uuid
);
COMMENT ON TYPE iuid IS
	'an iUID of layout version 0, or a boundary value (low 80 bits zero, or all bits one); accepted wherever a '
	'uuid is. Other text raises 22P02';
-- [sql]
COMMENT ON TYPE iuid IS
	'an iUID of layout version 0, or a boundary value (low 80 bits zero, or all bits one); accepted wherever a '
	'uuid is. Other values raise 23514';

-- [c]
CREATE CAST (iuid AS uuid) WITHOUT FUNCTION AS IMPLICIT;
COMMENT ON CAST (iuid AS uuid) IS 'the same value';

CREATE FUNCTION uidext_internal.uuid_as_iuid(id uuid) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_as_iuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.uuid_as_iuid(uuid) IS
	'the same value; raises 22023 for what is neither an iUID nor a boundary value';

CREATE CAST (uuid AS iuid) WITH FUNCTION uidext_internal.uuid_as_iuid(uuid) AS ASSIGNMENT;
COMMENT ON CAST (uuid AS iuid) IS 'the same value; raises 22023 for what is neither an iUID nor a boundary value';

-- [sql]
CREATE FUNCTION uidext_internal.iuid_field(field text, value int) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN value < 0 OR value > 255
			THEN uidext_internal.fail(value, '22003', field || ' id ' || value::text || ' is out of range', 'An iUID holds ids from 0 to 255, as in tables iuid.countries and iuid.service_entities.')
		ELSE value
	END;
COMMENT ON FUNCTION uidext_internal.iuid_field(text, int) IS
	'the value; raises 22003 when it is not from 0 to 255';

-- After the milliseconds come 26 bits: 1000 0000, the country, 10, the service entity. The tail has
-- 10 bits for the fraction of the millisecond, which are enough for a microsecond, then 4 zero bits
-- up to the next byte, and 40 random bits.
CREATE FUNCTION uidext_internal.iuid_new(country int, service_entity int) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN encode(overlay(uidext_internal.random_bytes()
		PLACING substr(bit_send(overlay((uidext_internal.clock_us() * 128 / 125 << 4)::bit(62)
			PLACING (33554944 + (country << 10) + service_entity)::bit(26) FROM 49 FOR 0)), 5)
		FROM 1 FOR 11), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.iuid_new(int, int) IS
	'an iUID of the current time; fields from 0 to 255';

-- [c]
CREATE FUNCTION gen_iuid(country int, service_entity int) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_iuid(country int, service_entity int) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN country IS NOT NULL AND service_entity IS NOT NULL
		THEN uidext_internal.iuid_new(uidext_internal.iuid_field('country', country), uidext_internal.iuid_field('service entity', service_entity))
	END;
-- [c]
COMMENT ON FUNCTION gen_iuid(int, int) IS
	'new iUID: Unix milliseconds, country, service entity, 6 bits of the milliseconds'' fraction, 48 random bits; greater than every earlier one of the session with the same country and entity; the registry need not have the ids; raises 22003 for ids outside 0 to 255';
-- [sql]
COMMENT ON FUNCTION gen_iuid(int, int) IS
	'new iUID: Unix milliseconds, country, service entity, 10 bits of the milliseconds'' fraction, 40 random '
	'bits; in order within a session for a country and entity, to the microsecond; the registry need not have the '
	'ids; raises 22003 for ids outside 0 to 255';

-- [c]
CREATE FUNCTION gen_iuid(country text, service_entity text) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_names'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_iuid(country text, service_entity text) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN country IS NOT NULL AND service_entity IS NOT NULL
		THEN uidext_internal.iuid_new(uidext_internal.registry_country_id(country), uidext_internal.registry_service_entity_id(service_entity))
	END;
-- [both]
COMMENT ON FUNCTION gen_iuid(text, text) IS
	'new iUID with ids from the registry: country by code or name in iuid.countries, entity by name in iuid.service_entities; raises 22023 for a name that is not there';

-- [c]
CREATE FUNCTION gen_iuid(service_entity int) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_own'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
-- If the service entity is out of range, or the setting is not a plain id, own_country() looks up
-- the country or raises the error.
CREATE FUNCTION gen_iuid(service_entity int) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE
		WHEN service_entity BETWEEN 0 AND 255
				AND current_setting('uidext.country', true) ~ '^([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$'
			THEN uidext_internal.iuid_new(current_setting('uidext.country', true)::int, service_entity)
		WHEN service_entity IS NOT NULL THEN gen_iuid(uidext_internal.own_country(), service_entity)
	END;
-- [both]
COMMENT ON FUNCTION gen_iuid(int) IS
	'new iUID with the country of the setting uidext.country; raises 22023 when that is unset, 22003 for an id outside 0 to 255';

-- [c]
CREATE FUNCTION gen_iuid(service_entity text) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_own_name'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_iuid(service_entity text) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN gen_iuid(uidext_internal.registry_service_entity_id(service_entity));
-- [both]
COMMENT ON FUNCTION gen_iuid(text) IS
	'new iUID of a named entity with the country of the setting uidext.country; the entity''s id from the registry; raises 22023 when the setting is unset or the name is not there';

-- [sql]
-- The first 9 bytes are written, and the first two bits of the next.
CREATE FUNCTION uidext_internal.iuid_new_at(unix_ms bigint, country int, service_entity int) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN encode(overlay(
		set_bit(set_bit(uidext_internal.random_bytes(), 79::bigint, (service_entity >> 1) & 1), 78::bigint, service_entity & 1)
		PLACING substr(int8send(unix_ms), 3) || substr(int4send(8388736 + (country << 8) + (service_entity >> 2)), 2)
		FROM 1 FOR 9), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.iuid_new_at(bigint, int, int) IS
	'an iUID of the given time; fields from 0 to 255';

-- [c]
CREATE FUNCTION gen_iuid_at(at timestamptz, country int, service_entity int) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_iuid_at(at timestamptz, country int, service_entity int) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN at IS NOT NULL AND country IS NOT NULL AND service_entity IS NOT NULL
		THEN uidext_internal.iuid_new_at(uidext_internal.timestamptz_to_unix_us(at) / 1000,
			uidext_internal.iuid_field('country', country), uidext_internal.iuid_field('service entity', service_entity))
	END;
-- [both]
COMMENT ON FUNCTION gen_iuid_at(timestamptz, int, int) IS
	'new iUID of the given time; 54 random bits; no order within a millisecond; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities, 22003 for ids outside 0 to 255';

-- [c]
CREATE FUNCTION gen_iuid_at(at timestamptz, country text, service_entity text) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_at_names'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_iuid_at(at timestamptz, country text, service_entity text) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN at IS NOT NULL AND country IS NOT NULL AND service_entity IS NOT NULL
		THEN gen_iuid_at(at, uidext_internal.registry_country_id(country), uidext_internal.registry_service_entity_id(service_entity))
	END;
-- [both]
COMMENT ON FUNCTION gen_iuid_at(timestamptz, text, text) IS
	'new iUID of the given time; ids from the registry, as gen_iuid(country, service_entity); raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities, 22023 for a name that is not there';

-- [c]
CREATE FUNCTION uuid_to_iuid(id uuid, country int, service_entity int) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_iuid_ids'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
-- The tail is the 16 bits after the milliseconds and the last 38.
CREATE FUNCTION uidext_internal.iuid_from(country int, service_entity int, id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN encode(substr(pg_catalog.varbit_send(
		('x' || encode(substr(uuid_send(id), 1, 6), 'hex'))::bit(48) OPERATOR(pg_catalog.||) B'10000000' OPERATOR(pg_catalog.||) country::bit(8)
			OPERATOR(pg_catalog.||) B'10' OPERATOR(pg_catalog.||) service_entity::bit(8)
			OPERATOR(pg_catalog.||) ('x' || encode(substr(uuid_send(id), 7, 2), 'hex'))::bit(16)
			OPERATOR(pg_catalog.||) ('x' || encode(substr(uuid_send(id), 11, 6), 'hex'))::bit(48)::bigint::bit(38)), 5), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.iuid_from(int, int, uuid) IS
	'the iUID of an id that begins with milliseconds; fields from 0 to 255';

CREATE FUNCTION uuid_to_iuid(id uuid, country int, service_entity int) RETURNS iuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN id IS NOT NULL AND country IS NOT NULL AND service_entity IS NOT NULL
		THEN uidext_internal.iuid_from(
			uidext_internal.iuid_field('country', country),
			uidext_internal.iuid_field('service entity', service_entity),
			CASE
				WHEN uidext_internal.uuid_is(id, 7) OR get_byte(uuid_send(id), 0) < 4 THEN id
				ELSE uidext_internal.fail(id, '22023', 'UUID ' || id::text || ' does not begin with a time',
					'It is not a UUIDv7, and its first 48 bits, read as Unix milliseconds, are a time after 2109-05-15.',
					'Only a UUIDv7, a COMB or a ULID can be converted. For other ids, make an iUID from the time of the row with gen_iuid_at().')
			END)
	END;
-- [both]
COMMENT ON FUNCTION uuid_to_iuid(uuid, int, int) IS
	'iUID of a UUIDv7, COMB or ULID, always the same: its milliseconds, the 16 bits after them, which hold its '
	'fraction, and its last 38 random bits; raises 22003 for ids outside 0 to 255, 22023 for an id that is not a UUIDv7 and has a time '
	'after 2109-05-15';

-- [c]
CREATE FUNCTION uuid_to_iuid(id uuid, country text, service_entity text) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_iuid_names'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uuid_to_iuid(id uuid, country text, service_entity text) RETURNS iuid
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE WHEN id IS NOT NULL AND country IS NOT NULL AND service_entity IS NOT NULL
		THEN uuid_to_iuid(id, uidext_internal.registry_country_id(country), uidext_internal.registry_service_entity_id(service_entity))
	END;
-- [both]
COMMENT ON FUNCTION uuid_to_iuid(uuid, text, text) IS
	'iUID of a UUIDv7, COMB or ULID with ids from the registry; raises 22023 for a name that is not there, and for an id that does not begin with a time';

-- [c]
CREATE FUNCTION iuid_is_valid(id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_iuid_is_valid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION iuid_is_valid(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN get_byte(uuid_send(id), 6) = 128 AND get_byte(uuid_send(id), 8) >> 6 = 2;
-- [both]
COMMENT ON FUNCTION iuid_is_valid(uuid) IS
	'whether an id is an iUID that type iuid accepts: version 8, RFC 9562 variant, layout version 0';

-- [c]
CREATE FUNCTION iuid_version(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_iuid_version'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION iuid_version(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 8) AND (get_byte(uuid_send(id), 6) = 128 OR get_byte(uuid_send(id), 0) < 4)
		THEN get_byte(uuid_send(id), 6) & 15
	END;
-- [both]
COMMENT ON FUNCTION iuid_version(uuid) IS
	'layout version of an iUID: 0, or 1 to 15 for a later layout: a version 8 with a time before 2109-05-15; NULL '
	'for other ids';

-- [c]
CREATE FUNCTION iuid_country(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_iuid_country'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION iuid_country(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN iuid_is_valid(id) THEN get_byte(uuid_send(id), 7) END;
-- [both]
COMMENT ON FUNCTION iuid_country(uuid) IS
	'country id of an iUID, 0 to 255; NULL for other ids';

-- [c]
CREATE FUNCTION iuid_service_entity(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_iuid_service_entity'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION iuid_service_entity(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN iuid_is_valid(id)
		THEN (get_byte(uuid_send(id), 8) & 63) << 2 | (get_byte(uuid_send(id), 9) >> 6)
	END;
-- [both]
COMMENT ON FUNCTION iuid_service_entity(uuid) IS
	'service entity id of an iUID, 0 to 255; NULL for other ids';
