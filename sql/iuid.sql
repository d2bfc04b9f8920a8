-- iUID

-- To uuid what varchar is to text: the same bytes, of which input takes some only.

CREATE TYPE iuid;

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
	'an iUID, or a boundary value (low 80 bits zero, or all bits one); a uuid wherever one is asked for. Other text raises 22P02';

CREATE CAST (iuid AS uuid) WITHOUT FUNCTION AS IMPLICIT;
COMMENT ON CAST (iuid AS uuid) IS 'the same value';

CREATE FUNCTION uidext_internal.uuid_to_iuid(id uuid) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_iuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.uuid_to_iuid(uuid) IS
	'the same value; raises 22023 for what is neither an iUID nor a boundary value';

CREATE CAST (uuid AS iuid) WITH FUNCTION uidext_internal.uuid_to_iuid(uuid) AS ASSIGNMENT;
COMMENT ON CAST (uuid AS iuid) IS 'the same value; raises 22023 for what is neither an iUID nor a boundary value';

CREATE FUNCTION gen_iuid(country int, service_entity int) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_iuid(int, int) IS
	'new iUID: Unix milliseconds, country, service entity, 6 bits of the milliseconds'' fraction, 48 random bits; greater than every earlier one of the session with the same country and entity; raises 22003 for ids outside 0 to 255';

CREATE FUNCTION gen_iuid(country text, service_entity text) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_names'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_iuid(text, text) IS
	'new iUID with ids from the registry: country by code or name in iuid_countries, entity by name in iuid_service_entities; raises 22023 for a name that is not there';

CREATE FUNCTION gen_iuid(service_entity int) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_own'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_iuid(int) IS
	'new iUID with the country of the setting uidext.country; raises 22023 when that is unset, 22003 for an id outside 0 to 255';

CREATE FUNCTION gen_iuid(service_entity text) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_own_name'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_iuid(text) IS
	'new iUID with the country of the setting uidext.country and the entity''s id from the registry; raises 22023 when the setting is unset or the name is not there';

CREATE FUNCTION gen_iuid_at(at timestamptz, country int, service_entity int) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_iuid_at(timestamptz, int, int) IS
	'new iUID of the given time with 54 random bits; no order within a millisecond; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities, 22003 for ids outside 0 to 255';

CREATE FUNCTION iuid_is_valid(id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_iuid_is_valid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION iuid_is_valid(uuid) IS
	'whether an id is an iUID: version 8, RFC 9562 variant, layout version 0';

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

-- Order and equality
--
-- Expressions find the operators of uuid.  The ones here are out of their sight,
-- in uidext_internal: the server wants a type whose default hash operator class
-- is not uuid's (routing.sql) to have an equality of its own, which a default
-- btree operator class shares; without, it could not group ids by hash.  The
-- btree family holds uuid's operators as well, so that they use the index.

CREATE FUNCTION uidext_internal.iuid_lt(iuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_lt(iuid, iuid) IS '< of two iUIDs';

CREATE FUNCTION uidext_internal.iuid_le(iuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_le(iuid, iuid) IS '<= of two iUIDs';

CREATE FUNCTION uidext_internal.iuid_eq(iuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_eq(iuid, iuid) IS '= of two iUIDs';

CREATE FUNCTION uidext_internal.iuid_ge(iuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_ge(iuid, iuid) IS '>= of two iUIDs';

CREATE FUNCTION uidext_internal.iuid_gt(iuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_gt(iuid, iuid) IS '> of two iUIDs';

CREATE FUNCTION uidext_internal.iuid_eq_uuid(iuid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_eq_uuid(iuid, uuid) IS '= of an iuid and a uuid, for foreign keys';

CREATE FUNCTION uidext_internal.uuid_eq_iuid(uuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_eq_iuid(uuid, iuid) IS '= of a uuid and an iuid, for foreign keys';

CREATE FUNCTION uidext_internal.iuid_cmp(iuid, iuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_cmp(iuid, iuid) IS 'below, equal to or above 0';

CREATE FUNCTION uidext_internal.iuid_cmp_uuid(iuid, uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_cmp_uuid(iuid, uuid) IS 'below, equal to or above 0';

CREATE FUNCTION uidext_internal.uuid_cmp_iuid(uuid, iuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_cmp_iuid(uuid, iuid) IS 'below, equal to or above 0';

CREATE OPERATOR uidext_internal.< (
	LEFTARG = iuid, RIGHTARG = iuid, FUNCTION = uidext_internal.iuid_lt,
	COMMUTATOR = OPERATOR(uidext_internal.>), NEGATOR = OPERATOR(uidext_internal.>=),
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR uidext_internal.< (iuid, iuid) IS 'as uuid < uuid';

CREATE OPERATOR uidext_internal.<= (
	LEFTARG = iuid, RIGHTARG = iuid, FUNCTION = uidext_internal.iuid_le,
	COMMUTATOR = OPERATOR(uidext_internal.>=), NEGATOR = OPERATOR(uidext_internal.>),
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR uidext_internal.<= (iuid, iuid) IS 'as uuid <= uuid';

CREATE OPERATOR uidext_internal.= (
	LEFTARG = iuid, RIGHTARG = iuid, FUNCTION = uidext_internal.iuid_eq,
	COMMUTATOR = OPERATOR(uidext_internal.=),
	RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR uidext_internal.= (iuid, iuid) IS 'as uuid = uuid';

CREATE OPERATOR uidext_internal.>= (
	LEFTARG = iuid, RIGHTARG = iuid, FUNCTION = uidext_internal.iuid_ge,
	COMMUTATOR = OPERATOR(uidext_internal.<=), NEGATOR = OPERATOR(uidext_internal.<),
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR uidext_internal.>= (iuid, iuid) IS 'as uuid >= uuid';

CREATE OPERATOR uidext_internal.> (
	LEFTARG = iuid, RIGHTARG = iuid, FUNCTION = uidext_internal.iuid_gt,
	COMMUTATOR = OPERATOR(uidext_internal.<), NEGATOR = OPERATOR(uidext_internal.<=),
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR uidext_internal.> (iuid, iuid) IS 'as uuid > uuid';

CREATE OPERATOR uidext_internal.= (
	LEFTARG = iuid, RIGHTARG = uuid, FUNCTION = uidext_internal.iuid_eq_uuid,
	COMMUTATOR = OPERATOR(uidext_internal.=), RESTRICT = eqsel, JOIN = eqjoinsel, MERGES
);
COMMENT ON OPERATOR uidext_internal.= (iuid, uuid) IS 'as uuid = uuid';

CREATE OPERATOR uidext_internal.= (
	LEFTARG = uuid, RIGHTARG = iuid, FUNCTION = uidext_internal.uuid_eq_iuid,
	COMMUTATOR = OPERATOR(uidext_internal.=), RESTRICT = eqsel, JOIN = eqjoinsel, MERGES
);
COMMENT ON OPERATOR uidext_internal.= (uuid, iuid) IS 'as uuid = uuid';

CREATE OPERATOR CLASS uidext_internal.iuid_ops DEFAULT FOR TYPE iuid USING btree AS
	OPERATOR 1 uidext_internal.<,
	OPERATOR 2 uidext_internal.<=,
	OPERATOR 3 uidext_internal.=,
	OPERATOR 4 uidext_internal.>=,
	OPERATOR 5 uidext_internal.>,
	FUNCTION 1 uidext_internal.iuid_cmp(iuid, iuid),
	FUNCTION 2 (iuid, iuid) uuid_sortsupport(internal),
	FUNCTION 4 (iuid, iuid) btequalimage(oid);
COMMENT ON OPERATOR CLASS uidext_internal.iuid_ops USING btree IS 'default of iuid: the order of uuid';
COMMENT ON OPERATOR FAMILY uidext_internal.iuid_ops USING btree IS 'the order of uuid, for iuid';

ALTER OPERATOR FAMILY uidext_internal.iuid_ops USING btree ADD
	OPERATOR 1 < (uuid, uuid),
	OPERATOR 2 <= (uuid, uuid),
	OPERATOR 3 = (uuid, uuid),
	OPERATOR 4 >= (uuid, uuid),
	OPERATOR 5 > (uuid, uuid),
	OPERATOR 3 uidext_internal.= (iuid, uuid),
	OPERATOR 3 uidext_internal.= (uuid, iuid),
	FUNCTION 1 (uuid, uuid) uuid_cmp(uuid, uuid),
	FUNCTION 1 (iuid, uuid) uidext_internal.iuid_cmp_uuid(iuid, uuid),
	FUNCTION 1 (uuid, iuid) uidext_internal.uuid_cmp_iuid(uuid, iuid),
	FUNCTION 2 (uuid, uuid) uuid_sortsupport(internal),
	FUNCTION 4 (uuid, uuid) btequalimage(oid);
