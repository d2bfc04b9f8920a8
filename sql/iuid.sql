-- iUID

CREATE FUNCTION gen_iuid(country int, service_entity int) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_iuid(int, int) IS
	'new iUID: a version 8 of Unix milliseconds, country, service entity, 6 bits of the milliseconds'' fraction, and 48 random bits; greater than every earlier one of the session with the same country and entity; raises 22003 for ids outside 0 to 255';

CREATE FUNCTION gen_iuid(country text, service_entity text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_names'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_iuid(text, text) IS
	'new iUID with ids from the registry: country by code or name in iuid_countries, entity by name in iuid_service_entities; raises 22023 for a name that is not there';

CREATE FUNCTION gen_iuid(service_entity int) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_own'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_iuid(int) IS
	'new iUID with the country of the setting uidext.country; raises 22023 when that is unset, 22003 for an id outside 0 to 255';

CREATE FUNCTION gen_iuid(service_entity text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_own_name'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_iuid(text) IS
	'new iUID with the country of the setting uidext.country and the entity''s id from the registry; raises 22023 when the setting is unset or the name is not there';

CREATE FUNCTION gen_iuid_at(at timestamptz, country int, service_entity int) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_iuid_at(timestamptz, int, int) IS
	'new iUID of the given time with 54 random bits; no order within a millisecond; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities, 22003 for ids outside 0 to 255';

CREATE FUNCTION iuid_is_valid(id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_iuid_is_valid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION iuid_is_valid(uuid) IS
	'whether an id is an iUID: version 8, RFC 9562 variant, layout version 0';

CREATE DOMAIN iuid AS uuid
	CONSTRAINT iuid_check CHECK (iuid_is_valid(VALUE));
COMMENT ON DOMAIN iuid IS
	'a uuid that is a valid iUID; another value raises 23514. Partition bounds: iuid_boundary()';

CREATE FUNCTION iuid_version(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_iuid_version'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION iuid_version(uuid) IS
	'layout version of an iUID, always 0 so far; NULL for other ids';

CREATE FUNCTION iuid_country(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_iuid_country'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION iuid_country(uuid) IS
	'country id of an iUID, 0 to 255; NULL for other ids';

CREATE FUNCTION iuid_service_entity(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_iuid_service_entity'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION iuid_service_entity(uuid) IS
	'service entity id of an iUID, 0 to 255; NULL for other ids';
