-- iUID, in order within a session as far as the clock tells ids apart: 1 us

CREATE DOMAIN iuid AS uuid CONSTRAINT iuid_or_boundary CHECK (
	get_byte(uuid_send(VALUE), 6) = 128 AND get_byte(uuid_send(VALUE), 8) >> 6 = 2
	OR substr(uuid_send(VALUE), 7) = decode('00000000000000000000', 'hex')
	OR VALUE = uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff');
COMMENT ON TYPE iuid IS
	'an iUID, or a boundary value (low 80 bits zero, or all bits one); a uuid wherever one is asked for. Other values raise 23514';

CREATE FUNCTION uidext_internal.iuid_field(field text, value int) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN value < 0 OR value > 255
			THEN uidext_internal.fail(value, '22003', field || ' id ' || value::text || ' is out of range', 'An iUID holds ids from 0 to 255.')
		ELSE value
	END;
COMMENT ON FUNCTION uidext_internal.iuid_field(text, int) IS
	'the value; raises 22003 when it is not from 0 to 255';

-- Behind the milliseconds go 26 bits: 1000 0000, the country, 10, the service entity.
-- The tail has 10 bits of the milliseconds' fraction, so that a microsecond counts,
-- 4 of zero up to the next byte, and 40 random ones.
CREATE FUNCTION uidext_internal.iuid_new(country int, service_entity int) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN encode(overlay(uidext_internal.random_bytes()
		PLACING substr(bit_send(overlay((uidext_internal.clock_us() * 128 / 125 << 4)::bit(62)
			PLACING (33554944 + (country << 10) + service_entity)::bit(26) FROM 49 FOR 0)), 5)
		FROM 1 FOR 11), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.iuid_new(int, int) IS
	'an iUID of the current time; fields from 0 to 255';

CREATE FUNCTION gen_iuid(country int, service_entity int) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN country IS NOT NULL AND service_entity IS NOT NULL
		THEN uidext_internal.iuid_new(uidext_internal.iuid_field('country', country), uidext_internal.iuid_field('service entity', service_entity))
	END;
COMMENT ON FUNCTION gen_iuid(int, int) IS
	'new iUID: Unix milliseconds, country, service entity, 10 bits of the milliseconds'' fraction, 40 random bits; in the session''s order for a country and entity as far as microseconds differ; raises 22003 for ids outside 0 to 255';

-- The registry's tables come later: these look for them when they are called.
-- Without a SET clause, which costs as much as the search.

CREATE FUNCTION uidext_internal.registry_hint(name text, otherwise text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN name ~ '^[0-9]+$' THEN 'Ids are integers, without quotes: gen_iuid(76, 1).' ELSE otherwise END;
COMMENT ON FUNCTION uidext_internal.registry_hint(text, text) IS
	'the hint for a name that is not there: whoever writes ''76'' in quotes means the id';

CREATE FUNCTION uidext_internal.registry_country_id(country text) RETURNS int
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	found_id int;
BEGIN
	SELECT c.id INTO found_id FROM @extschema@.iuid_countries c WHERE c.code OPERATOR(pg_catalog.=) country;
	IF found_id IS NULL THEN
		SELECT c.id INTO found_id FROM @extschema@.iuid_countries c WHERE c.name OPERATOR(pg_catalog.=) country;
	END IF;
	IF found_id IS NULL THEN
		RAISE EXCEPTION 'country "%" is not in the registry', country
			USING ERRCODE = 'invalid_parameter_value',
				HINT = uidext_internal.registry_hint(country, 'Add it to table iuid_countries, or load ISO 3166-1 with iuid_load_iso_3166().');
	END IF;
	RETURN found_id;
END
$$;
COMMENT ON FUNCTION uidext_internal.registry_country_id(text) IS
	'id of a country by its code, else by its name; raises 22023 when it is not in the registry';

CREATE FUNCTION uidext_internal.registry_service_entity_id(service_entity text) RETURNS int
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	found_id int;
BEGIN
	SELECT e.id INTO found_id FROM @extschema@.iuid_service_entities e WHERE e.name OPERATOR(pg_catalog.=) service_entity;
	IF found_id IS NULL THEN
		RAISE EXCEPTION 'service entity "%" is not in the registry', service_entity
			USING ERRCODE = 'invalid_parameter_value',
				HINT = uidext_internal.registry_hint(service_entity, 'Add it to table iuid_service_entities.');
	END IF;
	RETURN found_id;
END
$$;
COMMENT ON FUNCTION uidext_internal.registry_service_entity_id(text) IS
	'id of a service entity by its name; raises 22023 when it is not in the registry';

-- Without the module nobody checks the setting when it is made: this does.
CREATE FUNCTION uidext_internal.own_country() RETURNS int
	LANGUAGE plpgsql STABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	setting text := coalesce(current_setting('uidext.country', true), '');
	id numeric;
BEGIN
	IF setting !~ '^[[:space:]]*([-+]?(0|[1-9][0-9]*)[[:space:]]*)?$' THEN
		RETURN uidext_internal.registry_country_id(setting);
	END IF;
	id := nullif(regexp_replace(setting, '[[:space:]]', '', 'g'), '');
	IF id NOT BETWEEN -1 AND 255 THEN
		RAISE EXCEPTION 'invalid value for parameter "uidext.country": "%"', setting
			USING ERRCODE = 'invalid_parameter_value', DETAIL = 'An iUID holds country ids from 0 to 255; -1 means none.';
	ELSIF id = -1 OR id IS NULL THEN
		RAISE EXCEPTION 'uidext.country is not set'
			USING ERRCODE = 'invalid_parameter_value',
				HINT = 'Set it once for this region with ALTER DATABASE ... SET uidext.country, or name the country in the call.';
	END IF;
	RETURN id;
END
$$;
COMMENT ON FUNCTION uidext_internal.own_country() IS
	'country of the setting uidext.country; raises 22023 when that is unset, out of range or not in the registry';

CREATE FUNCTION gen_iuid(country text, service_entity text) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN country IS NOT NULL AND service_entity IS NOT NULL
		THEN uidext_internal.iuid_new(uidext_internal.registry_country_id(country), uidext_internal.registry_service_entity_id(service_entity))
	END;

-- What is no plain pair of ids goes the long way: a call that asks for the country first.
CREATE FUNCTION gen_iuid(service_entity int) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE
		WHEN service_entity BETWEEN 0 AND 255
				AND current_setting('uidext.country', true) ~ '^([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$'
			THEN uidext_internal.iuid_new(current_setting('uidext.country', true)::int, service_entity)
		WHEN service_entity IS NOT NULL THEN gen_iuid(uidext_internal.own_country(), service_entity)
	END;

CREATE FUNCTION gen_iuid(service_entity text) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN gen_iuid(uidext_internal.registry_service_entity_id(service_entity));

-- The first 9 bytes are written, and the first two bits of the next.
CREATE FUNCTION uidext_internal.iuid_new_at(unix_ms bigint, country int, service_entity int) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN encode(overlay(
		set_bit(set_bit(uidext_internal.random_bytes(), 79::bigint, (service_entity >> 1) & 1), 78::bigint, service_entity & 1)
		PLACING substr(int8send(unix_ms), 3) || substr(int4send(8388736 + (country << 8) + (service_entity >> 2)), 2)
		FROM 1 FOR 9), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.iuid_new_at(bigint, int, int) IS
	'an iUID of the given time; fields from 0 to 255';

CREATE FUNCTION gen_iuid_at(at timestamptz, country int, service_entity int) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN at IS NOT NULL AND country IS NOT NULL AND service_entity IS NOT NULL
		THEN uidext_internal.iuid_new_at(uidext_internal.timestamptz_to_unix_us(at) / 1000,
			uidext_internal.iuid_field('country', country), uidext_internal.iuid_field('service entity', service_entity))
	END;

CREATE FUNCTION iuid_is_valid(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN get_byte(uuid_send(id), 6) = 128 AND get_byte(uuid_send(id), 8) >> 6 = 2;

CREATE FUNCTION iuid_version(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN iuid_is_valid(id) THEN get_byte(uuid_send(id), 6) & 15 END;

CREATE FUNCTION iuid_country(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN iuid_is_valid(id) THEN get_byte(uuid_send(id), 7) END;

CREATE FUNCTION iuid_service_entity(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN iuid_is_valid(id)
		THEN (get_byte(uuid_send(id), 8) & 63) << 2 | (get_byte(uuid_send(id), 9) >> 6)
	END;
