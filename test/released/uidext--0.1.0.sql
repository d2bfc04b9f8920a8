-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION uidext" to load this file. \quit

-- What nobody calls by hand: implementations of operators, planner support,
-- what the other functions share.

CREATE SCHEMA uidext_internal;
COMMENT ON SCHEMA uidext_internal IS 'machinery of the extension uidext; not for use by hand';
GRANT USAGE ON SCHEMA uidext_internal TO PUBLIC;

-- UUIDv7

CREATE FUNCTION gen_uuidv7() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv7'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv7() IS
	'new UUIDv7: Unix milliseconds, 12 bits of their fraction, 62 random bits; greater than every earlier one of the session';

CREATE FUNCTION gen_uuidv7(shift interval) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv7_shift'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv7(interval) IS
	'new UUIDv7 of the current time plus shift, by the calendar of UTC; keeps the session''s order among ids of one shift without months; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION gen_uuidv7_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv7_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv7_at(timestamptz) IS
	'new UUIDv7 of the given time (microseconds count); no order within 1/4096 ms; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

CREATE FUNCTION gen_ordered_uuidv7() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_ordered_uuidv7'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_ordered_uuidv7() IS
	'new UUIDv7 greater than every earlier one of all sessions of the server: Unix time to 1/65536 ms, 58 random bits; raises 55000 before PostgreSQL 17 without shared_preload_libraries';

CREATE FUNCTION uuidv7_is_valid(id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuidv7_is_valid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuidv7_is_valid(uuid) IS
	'whether version and variant are those of a UUIDv7';

-- COMB and suffix COMB

CREATE FUNCTION gen_comb() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_comb'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_comb() IS
	'new COMB: a version 4 with Unix milliseconds in its first 48 bits, 12 bits of their fraction, and 62 random bits; greater than every earlier one of the session';

CREATE FUNCTION gen_comb_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_comb_at(timestamptz) IS
	'new COMB of the given time; no order within a millisecond; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

CREATE FUNCTION gen_suffix_comb() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_suffix_comb'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_suffix_comb() IS
	'new suffix COMB: a version 4 with Unix milliseconds in its last 48 bits, where SQL Server sorts first, and 74 random bits; no order within a millisecond';

CREATE FUNCTION gen_suffix_comb_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_suffix_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_suffix_comb_at(timestamptz) IS
	'new suffix COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

CREATE FUNCTION comb_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_comb_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION comb_time(uuid) IS
	'time of a COMB: first 48 bits of a version 4 as Unix milliseconds; NULL for other versions; any version 4 gives a time, only its maker knows whether it is a COMB';

CREATE FUNCTION suffix_comb_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_suffix_comb_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION suffix_comb_time(uuid) IS
	'time of a suffix COMB: last 48 bits of a version 4 as Unix milliseconds; NULL for other versions';

CREATE FUNCTION comb_to_suffix(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_comb_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_to_suffix(uuid) IS
	'suffix COMB from a COMB: b0-b5 and b10-b15 trade places, nothing is lost; raises 22023 for other versions than 4';

CREATE FUNCTION comb_from_suffix(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_comb_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_from_suffix(uuid) IS
	'inverse of comb_to_suffix(); raises 22023 for other versions than 4';

-- Short COMB, short suffix COMB and sequence COMB

CREATE FUNCTION gen_short_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_comb'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_short_comb(interval) IS
	'new short COMB: a version 4 of 16 bits that count intervals since 1970 and wrap (45.5 days of minutes), and 106 random bits; raises 22023 for an interval that is no whole, positive number of milliseconds';

CREATE FUNCTION gen_short_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_short_comb_at(timestamptz, interval) IS
	'new short COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities; 22023 as gen_short_comb()';

CREATE FUNCTION gen_short_suffix_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_suffix_comb'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_short_suffix_comb(interval) IS
	'new short suffix COMB: as gen_short_comb(), with the counter in b10 and b11, where SQL Server sorts first; raises 22023 as gen_short_comb()';

CREATE FUNCTION gen_short_suffix_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_suffix_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_short_suffix_comb_at(timestamptz, interval) IS
	'new short suffix COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities; 22023 as gen_short_comb()';

CREATE FUNCTION gen_sequence_comb(sequence regclass, block_size int DEFAULT 65536) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_sequence_comb'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION gen_sequence_comb(regclass, int) IS
	'new sequence COMB: a version 4 of 16 bits, nextval(sequence) / block_size modulo 65536, and 106 random bits; raises 22023 for a block_size below 1, 42809 and 2200H as nextval()';

CREATE FUNCTION short_comb_block(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_short_comb_block'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION short_comb_block(uuid) IS
	'block of a short or sequence COMB: first 16 bits of a version 4, 0 to 65535; NULL for other versions';

CREATE FUNCTION short_suffix_comb_block(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_short_suffix_comb_block'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION short_suffix_comb_block(uuid) IS
	'block of a short suffix COMB: b10 and b11 of a version 4, 0 to 65535; NULL for other versions';

CREATE FUNCTION short_comb_time(id uuid, near timestamptz, interval_length interval DEFAULT '1 minute') RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_short_comb_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION short_comb_time(uuid, timestamptz, interval) IS
	'start of the interval with the block of a short COMB, nearest to near (of two, the earlier); NULL for other versions than 4; raises 22008 for times outside 1970-01-01 to 10889-08-02, 22023 as gen_short_comb()';

CREATE FUNCTION short_comb_to_suffix(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_short_comb_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION short_comb_to_suffix(uuid) IS
	'short suffix COMB from a short COMB: b0-b1 and b10-b11 trade places, nothing is lost; raises 22023 for other versions than 4';

CREATE FUNCTION short_comb_from_suffix(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_short_comb_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION short_comb_from_suffix(uuid) IS
	'inverse of short_comb_to_suffix(); raises 22023 for other versions than 4';

-- UUIDv1, UUIDv6 and Lambert's v13

CREATE FUNCTION gen_uuidv1() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv1'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv1() IS
	'new UUIDv1: Gregorian time in 100 ns, random clock sequence and node (61 bits); its time never steps back within a session';

CREATE FUNCTION gen_uuidv1_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv1_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv1_at(timestamptz) IS
	'new UUIDv1 of the given time; no order within a microsecond; raises 22008 for times outside 1970-01-01 to 5236-03-31 and infinities';

CREATE FUNCTION gen_uuidv6() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv6'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv6() IS
	'new UUIDv6: Gregorian time in 100 ns, random clock sequence and node (61 bits); greater than every earlier one of the session';

CREATE FUNCTION gen_uuidv6_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv6_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv6_at(timestamptz) IS
	'new UUIDv6 of the given time; no order within a microsecond; raises 22008 for times outside 1970-01-01 to 5236-03-31 and infinities';

CREATE FUNCTION gen_uuidv13() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv13'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv13() IS
	'new Lambert v13 (a UUIDv1 with its timestamp in order): Gregorian time in 100 ns, random clock sequence and node (61 bits); greater than every earlier one of the session';

CREATE FUNCTION gen_uuidv13_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv13_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv13_at(timestamptz) IS
	'new Lambert v13 (a UUIDv1 with its timestamp in order) of the given time; no order within a microsecond; raises 22008 for times outside 1970-01-01 to 5236-03-31 and infinities';

CREATE FUNCTION uuidv1_to_v6(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv1_to_v6'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv1_to_v6(uuid) IS
	'UUIDv6 with the timestamp, clock sequence and node of a UUIDv1; raises 22023 for other versions';

CREATE FUNCTION uuidv6_to_v1(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv6_to_v1'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv6_to_v1(uuid) IS
	'inverse of uuidv1_to_v6(); raises 22023 for other versions';

CREATE FUNCTION uuidv1_to_v13(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv1_to_v13'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv1_to_v13(uuid) IS
	'Lambert v13 with the timestamp, clock sequence and node of a UUIDv1; raises 22023 for other versions';

CREATE FUNCTION uuidv13_to_v1(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv13_to_v1'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv13_to_v1(uuid) IS
	'inverse of uuidv1_to_v13(); raises 22023 for other versions';

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

-- What the bits of any id tell

CREATE TYPE uuid_info AS (
	version int,
	variant text,
	layout text,
	"time" timestamptz,
	comb_time timestamptz,
	suffix_comb_time timestamptz,
	short_comb_block int,
	short_suffix_comb_block int,
	country int,
	service_entity int,
	clock_seq int,
	node macaddr,
	random_bits int
);
COMMENT ON TYPE uuid_info IS
	'everything that the bits of a UUID tell; a column is NULL where the layout has no such field';
COMMENT ON COLUMN uuid_info.version IS 'version, 0 to 15; NULL when the variant is not that of RFC 9562';
COMMENT ON COLUMN uuid_info.variant IS 'NCS, RFC 9562, Microsoft or future';
COMMENT ON COLUMN uuid_info.layout IS 'UUIDv1 to UUIDv8, "UUIDv4 or COMB", iUID, Lambert v13, boundary, nil, max or unknown';
COMMENT ON COLUMN uuid_info."time" IS 'as uuid_time()';
COMMENT ON COLUMN uuid_info.comb_time IS 'the creation time if this version 4 is a COMB; else meaningless';
COMMENT ON COLUMN uuid_info.suffix_comb_time IS 'the creation time if this version 4 is a suffix COMB; else meaningless';
COMMENT ON COLUMN uuid_info.short_comb_block IS 'the block, 0 to 65535, if this version 4 is a short or sequence COMB; else meaningless';
COMMENT ON COLUMN uuid_info.short_suffix_comb_block IS 'the block, 0 to 65535, if this version 4 is a short suffix COMB; else meaningless';
COMMENT ON COLUMN uuid_info.country IS 'country of an iUID, 0 to 255';
COMMENT ON COLUMN uuid_info.service_entity IS 'service entity of an iUID, 0 to 255';
COMMENT ON COLUMN uuid_info.clock_seq IS 'clock sequence of a v1, v6 or v13, 0 to 16383';
COMMENT ON COLUMN uuid_info.node IS 'node of a v1, v6 or v13; a network card''s address unless its multicast bit (01:00:00:00:00:00) is set';
COMMENT ON COLUMN uuid_info.random_bits IS 'bits that are neither time, field, version nor variant: what an outsider has to guess at the most; NULL where the layout does not say';

CREATE FUNCTION uuid_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuid_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_time(uuid) IS
	'creation time in a v1, v6, v7, v13 or iUID, and the time of a boundary value; floored to 1 us (v1, v6, v13) or 1 ms; NULL for every other layout';

CREATE FUNCTION uuid_inspect(id uuid) RETURNS uuid_info
	AS 'MODULE_PATHNAME', 'uidext_uuid_inspect'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_inspect(uuid) IS
	'everything that the bits of an id tell, one column a field; a version 4 may be a COMB, so all its readings are given';

-- Validation of ids made elsewhere

CREATE FUNCTION uuid_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_is_recent'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_is_recent(uuid, interval, interval, timestamptz) IS
	'whether uuid_time(id) lies from at - past to at + future; false for an id without a time; raises 22023 for a negative tolerance or months, 22008 for an at outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION comb_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_comb_is_recent'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_is_recent(uuid, interval, interval, timestamptz) IS
	'whether comb_time(id) lies from at - past to at + future; false for versions other than 4; raises 22023 for a negative tolerance or months, 22008 for an at outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION short_comb_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', interval_length interval DEFAULT '1 minute', at timestamptz DEFAULT now()) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_short_comb_is_recent'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION short_comb_is_recent(uuid, interval, interval, interval, timestamptz) IS
	'whether a short COMB made from at - past to at + future has this block, also across the wrap; false for other versions than 4; raises 22023 for a window of 65536 blocks or more, 22023 and 22008 as comb_is_recent()';

-- MySQL's byte order

CREATE FUNCTION uuid_to_bin(id uuid, swap bool DEFAULT false) RETURNS bytea
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_bin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_to_bin(uuid, bool) IS
	'16 bytes as UUID_TO_BIN() of MySQL 8; with swap in the order b6-b7, b4-b5, b0-b3, b8-b15';

CREATE FUNCTION bin_to_uuid(bin bytea, swap bool DEFAULT false) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_bin_to_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bin_to_uuid(bytea, bool) IS
	'inverse of uuid_to_bin(); raises 22023 for another length than 16 bytes';

-- SQL Server's byte order

CREATE FUNCTION uuid_to_sqlserver(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_to_sqlserver(uuid) IS
	'what SQL Server prints for the same 16 bytes: b0-b3, b4-b5 and b6-b7 each reversed';

CREATE FUNCTION uuid_from_sqlserver(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_from_sqlserver(uuid) IS
	'inverse of uuid_to_sqlserver(): the bytes that SQL Server stores for what it prints';

CREATE FUNCTION uidext_internal.uuid_sqlserver_cmp(a uuid, b uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_cmp(uuid, uuid) IS
	'below, equal to or above 0 as SQL Server sorts a before, with or after b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_lt(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_lt(uuid, uuid) IS
	'implementation of ~<~: whether SQL Server sorts a before b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_le(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_le(uuid, uuid) IS
	'implementation of ~<=~: whether SQL Server sorts a before or with b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_ge(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_ge(uuid, uuid) IS
	'implementation of ~>=~: whether SQL Server sorts a after or with b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_gt(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_gt(uuid, uuid) IS
	'implementation of ~>~: whether SQL Server sorts a after b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_sortsupport'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_sortsupport(internal) IS
	'sort support of uuid_sqlserver_ops';

CREATE OPERATOR ~<~ (
	LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uidext_internal.uuid_sqlserver_lt,
	COMMUTATOR = ~>~, NEGATOR = ~>=~,
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR ~<~ (uuid, uuid) IS 'SQL Server sorts it before the other';

CREATE OPERATOR ~<=~ (
	LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uidext_internal.uuid_sqlserver_le,
	COMMUTATOR = ~>=~, NEGATOR = ~>~,
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR ~<=~ (uuid, uuid) IS 'SQL Server sorts it before or with the other';

CREATE OPERATOR ~>=~ (
	LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uidext_internal.uuid_sqlserver_ge,
	COMMUTATOR = ~<=~, NEGATOR = ~<~,
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR ~>=~ (uuid, uuid) IS 'SQL Server sorts it after or with the other';

CREATE OPERATOR ~>~ (
	LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uidext_internal.uuid_sqlserver_gt,
	COMMUTATOR = ~<~, NEGATOR = ~<=~,
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR ~>~ (uuid, uuid) IS 'SQL Server sorts it after the other';

CREATE OPERATOR CLASS uuid_sqlserver_ops FOR TYPE uuid USING btree AS
	OPERATOR 1 ~<~,
	OPERATOR 2 ~<=~,
	OPERATOR 3 =,
	OPERATOR 4 ~>=~,
	OPERATOR 5 ~>~,
	FUNCTION 1 uidext_internal.uuid_sqlserver_cmp(uuid, uuid),
	FUNCTION 2 uidext_internal.uuid_sqlserver_sortsupport(internal),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS uuid_sqlserver_ops USING btree IS
	'the order in which SQL Server sorts the bytes it stores: b10-b15, b8-b9, b6-b7, b4-b5, b0-b3; for a column that holds what it prints, index uuid_from_sqlserver(id)';
COMMENT ON OPERATOR FAMILY uuid_sqlserver_ops USING btree IS
	'the order in which SQL Server sorts the bytes it stores';

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

-- Ids from elsewhere

CREATE FUNCTION uid_schemes(OUT scheme text, OUT form text, OUT bits int, OUT layout text, OUT resolution text,
		OUT epoch timestamptz, OUT reversible bool, OUT generated bool, OUT source text)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'uidext_uid_schemes'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 25;
COMMENT ON FUNCTION uid_schemes() IS
	'schemes of ids that the uid_ functions know: text, layout, and whether uid_from_uuid() and uid_generate() serve them';

CREATE FUNCTION uid_time(id text, scheme text) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uid_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_time(text, text) IS
	'creation time in an id of the scheme, floored to 1 us; raises 22P02 for text that is none, 22023 for an unknown scheme';

CREATE FUNCTION uid_time(id bigint, scheme text) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uid_time_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_time(bigint, text) IS
	'the same for a 64-bit id; raises 22003 for a negative one, 22023 for a scheme of other ids';

CREATE FUNCTION uid_is_valid(id text, scheme text) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uid_is_valid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_is_valid(text, text) IS
	'whether the text is an id of the scheme; raises 22023 for an unknown scheme';

CREATE FUNCTION uid_is_valid(id bigint, scheme text) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uid_is_valid_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_is_valid(bigint, text) IS
	'whether the 64-bit id is not negative; as CHECK it tells uuid_partition_create() and its kin the scheme of a bigint key; raises 22023 as uid_time()';

CREATE FUNCTION uid_boundary(at timestamptz, scheme text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_uid_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_boundary(timestamptz, text) IS
	'least 64-bit id of that time, for range queries and partition bounds of bigint keys; raises 22008 for times that the scheme does not have, 22023 as uid_time()';

CREATE FUNCTION uid_to_uuid(id text, scheme text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uid_to_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_to_uuid(text, text) IS
	'the id as a uuid: its own 128 bits, else a UUIDv7 of the same time and order; raises 22P02 and 22023 as uid_time()';

CREATE FUNCTION uid_to_uuid(id bigint, scheme text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uid_to_uuid_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_to_uuid(bigint, text) IS
	'the 64-bit id as a UUIDv7 of the same time and order; raises 22003 and 22023 as uid_time()';

CREATE FUNCTION uid_from_uuid(id uuid, scheme text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uid_from_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_from_uuid(uuid, text) IS
	'inverse of uid_to_uuid(); NULL for a uuid that was made of no id of the scheme; raises 22023 for schemes whose ids a uuid does not hold whole';

CREATE FUNCTION uid_to_bigint(id uuid, scheme text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_uid_to_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid_to_bigint(uuid, text) IS
	'inverse of uid_to_uuid() for 64-bit ids; NULL as uid_from_uuid(); raises 22023 for schemes of other ids, 22003 for an id beyond bigint';

CREATE FUNCTION uid_generate(scheme text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uid_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uid_generate(text) IS
	'new id of the current time, all else random; no order within a tick; raises 22023 for schemes that need the number of a node';

-- What is this id?

CREATE FUNCTION uidext_internal.uid_readings(id text, OUT scheme text, OUT "time" timestamptz, OUT fields jsonb, OUT uuid uuid)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'uidext_uid_readings'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 5;
COMMENT ON FUNCTION uidext_internal.uid_readings(text) IS
	'every scheme of uid_schemes() that the text fits';

CREATE FUNCTION uidext_internal.uid_as_uuid(id text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uid_as_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.uid_as_uuid(text) IS
	'the uuid of a text in any spelling of one; NULL for other text';

-- CASE, not WHERE, because what is refused must not be read while planning, either.
-- A time between 2000 and tomorrow comes first, then what has none, then what
-- hardly can be.  A third of all random UUIDs look like ordered ones of Laravel,
-- so that these never come first; and an id of the scheme's first day is more
-- likely none at all.
CREATE FUNCTION uid_inspect(id text, OUT scheme text, OUT "time" timestamptz, OUT fields jsonb, OUT uuid uuid)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 5
	BEGIN ATOMIC
		WITH pasted AS (
			SELECT pg_catalog.regexp_replace($1, '^[[:space:]"'']+|[[:space:]"'']+$', '', 'g') AS id
		), uuids AS (
			SELECT uidext_internal.uid_as_uuid(p.id) AS uuid, jsonb '{}' AS fields
			FROM pasted AS p
			UNION ALL
			SELECT CASE WHEN p.id ~ t.form THEN typeid_to_uuid(p.id) END,
				CASE WHEN p.id ~ t.form THEN pg_catalog.jsonb_build_object('prefix', typeid_prefix(p.id)) END
			FROM pasted AS p, (VALUES ('^[a-z]([a-z_]{0,61}[a-z])?_[0-7][0-9a-hjkmnp-tv-z]{25}$')) AS t (form)
			UNION ALL
			-- of the digits that hold 130 bits and more, those that are no more than the last uuid's
			SELECT d.uuid, pg_catalog.jsonb_build_object('encoding', e.encoding)
			FROM pasted AS p,
				(VALUES ('base58', '^[1-9A-HJ-NP-Za-km-z]{22}$'), ('base62', '^[0-9A-Za-z]{22}$'),
					('base64url', '^[-_0-9A-Za-z]{21}[AQgw]$'), ('base32hex', '^[0-9A-Va-v]{25}[048CGKOScgkos]$')) AS e (encoding, form),
				LATERAL (SELECT CASE WHEN p.id ~ e.form
						AND (p.id COLLATE "C" <= uuid_encode(uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff', e.encoding) OR e.encoding ~ '^base(64url|32hex)$')
					THEN uuid_decode(p.id, e.encoding) END) AS d (uuid)
			WHERE (uuid_inspect(d.uuid)).version BETWEEN 1 AND 8
		), readings AS (
			SELECT 0 AS place, 'uuid' AS scheme, uuid_time(u.uuid) AS "time",
				u.fields || pg_catalog.jsonb_strip_nulls(pg_catalog.to_jsonb(uuid_inspect(u.uuid))) - text 'time' AS fields, u.uuid, false AS early
			FROM uuids AS u
			WHERE u.uuid IS NOT NULL
			UNION ALL
			SELECT r.place, r.scheme, r."time", r.fields, r.uuid,
				r."time" < s.epoch + interval '1 day'
			FROM pasted AS p, ROWS FROM (uidext_internal.uid_readings(p.id)) WITH ORDINALITY AS r (scheme, "time", fields, uuid, place)
				JOIN uid_schemes() AS s ON s.scheme = r.scheme
		)
		SELECT r.scheme, r."time", r.fields, r.uuid
		FROM readings AS r
		ORDER BY CASE
				WHEN r."time" IS NULL OR r.scheme = 'ordereduuid' THEN 1
				WHEN r."time" >= timestamptz '2000-01-01 00:00:00+00' AND r."time" < pg_catalog.now() + interval '1 day' AND NOT r.early THEN 0
				ELSE 2
			END, r.place;
	END;
COMMENT ON FUNCTION uid_inspect(text) IS
	'every reading of an id of unknown origin, most plausible first: scheme, time, other fields, and the uuid that uid_to_uuid() makes of it';

-- Boundaries in time

CREATE FUNCTION uuid_boundary(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_boundary(timestamptz) IS
	'Unix milliseconds (floor) and 80 zero bits: below every v4, v7 and v8 id of that millisecond; nil UUID for -infinity, max UUID for infinity; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uuid_boundary_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_boundary_time(uuid) IS
	'first 48 bits read as Unix milliseconds, whatever the version; 1970-01-01 to 10889-08-02';

CREATE FUNCTION iuid_boundary(at timestamptz) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION iuid_boundary(timestamptz) IS
	'uuid_boundary() as an iuid; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uuidv6_boundary(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv6_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv6_boundary(timestamptz) IS
	'the same for v6 and v13: top 48 bits of the Gregorian timestamp (floor, 409.6 us) and 80 zero bits; read it with uuidv6_boundary_time(); raises 22008 for times outside 1970-01-01 to 5236-03-31';

CREATE FUNCTION uuidv6_boundary_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuidv6_boundary_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuidv6_boundary_time(uuid) IS
	'inverse of uuidv6_boundary() for whole milliseconds; of other values the first microsecond of the 409.6 us that the first 48 bits stand for, 1582-10-15 to 5236-03-31, whatever the version';

CREATE FUNCTION uidext_internal.uuid_boundary_at_or_after(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary_at_or_after'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_boundary_at_or_after(timestamptz) IS
	'boundary of the first millisecond not before a time: time >= at is id >= this; nil UUID before 1970, max UUID after 10889';

CREATE FUNCTION uidext_internal.uuid_boundary_after(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary_after'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_boundary_after(timestamptz) IS
	'boundary of the first millisecond after a time: time > at is id >= this; nil UUID before 1970, max UUID after 10889';

CREATE FUNCTION uidext_internal.uuid_range_lower(period tstzrange) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_range_lower'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_range_lower(tstzrange) IS
	'lower bound of a period: time in period is id >= this and id < uidext_internal.uuid_range_upper(period); max UUID for an empty range';

CREATE FUNCTION uidext_internal.uuid_range_upper(period tstzrange) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_range_upper'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_range_upper(tstzrange) IS
	'upper bound of a period, not included: see uidext_internal.uuid_range_lower(); nil UUID for an empty range';

CREATE CAST (uuid AS timestamptz) WITH FUNCTION uuid_time(uuid);
COMMENT ON CAST (uuid AS timestamptz) IS 'uuid_time()';

CREATE CAST (timestamptz AS uuid) WITH FUNCTION uuid_boundary(timestamptz);
COMMENT ON CAST (timestamptz AS uuid) IS 'uuid_boundary()';

CREATE CAST (iuid AS timestamptz) WITH FUNCTION uuid_time(uuid);
COMMENT ON CAST (iuid AS timestamptz) IS 'uuid_time()';

CREATE CAST (timestamptz AS iuid) WITH FUNCTION iuid_boundary(timestamptz);
COMMENT ON CAST (timestamptz AS iuid) IS 'iuid_boundary()';

-- Time predicates
--
-- The planner asks id_predicate_support() what a call of one of these functions
-- stands for, and gets plain comparisons of ids: index conditions and partition
-- pruning follow.  Another type of id, binary coercible to and from uuid, has the
-- same predicates once these functions are overloaded for it.

CREATE FUNCTION uidext_internal.id_predicate_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'uidext_id_predicate_support'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.id_predicate_support(internal) IS
	'for the planner: the comparisons of ids that a time predicate stands for';

CREATE FUNCTION uidext_internal.id_lt_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_lt_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_lt_timestamptz(uuid, timestamptz) IS
	'implementation of uuid < timestamptz: whether the id''s millisecond is before the time';

CREATE FUNCTION uidext_internal.id_le_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_le_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_le_timestamptz(uuid, timestamptz) IS
	'implementation of uuid <= timestamptz: whether the id''s millisecond is at or before the time';

CREATE FUNCTION uidext_internal.id_ge_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_ge_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_ge_timestamptz(uuid, timestamptz) IS
	'implementation of uuid >= timestamptz: whether the id''s millisecond is at or after the time';

CREATE FUNCTION uidext_internal.id_gt_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_gt_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_gt_timestamptz(uuid, timestamptz) IS
	'implementation of uuid > timestamptz: whether the id''s millisecond is after the time';

CREATE FUNCTION uidext_internal.id_in_tstzrange(id uuid, period tstzrange) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_in_tstzrange'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_in_tstzrange(uuid, tstzrange) IS
	'implementation of uuid <@ tstzrange: whether the id''s millisecond lies in the period';

CREATE FUNCTION uidext_internal.id_in_tstzmultirange(id uuid, periods tstzmultirange) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_in_tstzmultirange'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_in_tstzmultirange(uuid, tstzmultirange) IS
	'implementation of uuid <@ tstzmultirange: whether the id''s millisecond lies in one of the periods';

CREATE FUNCTION uidext_internal.timestamptz_lt_id(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_lt_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.timestamptz_lt_id(timestamptz, uuid) IS
	'implementation of timestamptz < uuid: whether the time is before the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_le_id(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_le_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.timestamptz_le_id(timestamptz, uuid) IS
	'implementation of timestamptz <= uuid: whether the time is at or before the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_ge_id(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_ge_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.timestamptz_ge_id(timestamptz, uuid) IS
	'implementation of timestamptz >= uuid: whether the time is at or after the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_gt_id(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_gt_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.timestamptz_gt_id(timestamptz, uuid) IS
	'implementation of timestamptz > uuid: whether the time is after the id''s millisecond';

CREATE FUNCTION uidext_internal.tstzrange_contains_id(period tstzrange, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_tstzrange_contains_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.tstzrange_contains_id(tstzrange, uuid) IS
	'implementation of tstzrange @> uuid: whether the id''s millisecond lies in the period';

CREATE FUNCTION uidext_internal.tstzmultirange_contains_id(periods tstzmultirange, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_tstzmultirange_contains_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.tstzmultirange_contains_id(tstzmultirange, uuid) IS
	'implementation of tstzmultirange @> uuid: whether the id''s millisecond lies in one of the periods';

CREATE FUNCTION uidext_internal.id_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_id_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.id_time(uuid) IS
	'the time that predicates compare: as uuid_boundary_time(), but infinity for the max UUID';

CREATE OPERATOR < (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_lt_timestamptz,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (uuid, timestamptz) IS
	'id made before the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <= (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_le_timestamptz,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (uuid, timestamptz) IS
	'id made at or before the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR >= (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_ge_timestamptz,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (uuid, timestamptz) IS
	'id made at or after the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR > (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_gt_timestamptz,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (uuid, timestamptz) IS
	'id made after the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR < (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uidext_internal.timestamptz_lt_id,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (timestamptz, uuid) IS
	'time before that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <= (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uidext_internal.timestamptz_le_id,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (timestamptz, uuid) IS
	'time at or before that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR >= (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uidext_internal.timestamptz_ge_id,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (timestamptz, uuid) IS
	'time at or after that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR > (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uidext_internal.timestamptz_gt_id,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (timestamptz, uuid) IS
	'time after that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <@ (
	LEFTARG = uuid, RIGHTARG = tstzrange, FUNCTION = uidext_internal.id_in_tstzrange,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (uuid, tstzrange) IS
	'id made within the period (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR @> (
	LEFTARG = tstzrange, RIGHTARG = uuid, FUNCTION = uidext_internal.tstzrange_contains_id,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (tstzrange, uuid) IS
	'period contains the time of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <@ (
	LEFTARG = uuid, RIGHTARG = tstzmultirange, FUNCTION = uidext_internal.id_in_tstzmultirange,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (uuid, tstzmultirange) IS
	'id made within one of the periods (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR @> (
	LEFTARG = tstzmultirange, RIGHTARG = uuid, FUNCTION = uidext_internal.tstzmultirange_contains_id,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (tstzmultirange, uuid) IS
	'one of the periods contains the time of the id (Unix-time layouts: v7, iUID, COMB)';

-- min(uuid), max(uuid)
--
-- Servers have them from 20 on, and there theirs go first: pg_catalog is searched
-- before any other schema.  These stay, or the views that were made with them
-- would restore no more.

CREATE FUNCTION uidext_internal.id_smaller(a uuid, b uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_id_smaller'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.id_smaller(uuid, uuid) IS 'the least of two ids';

CREATE FUNCTION uidext_internal.id_larger(a uuid, b uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_id_larger'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.id_larger(uuid, uuid) IS 'the greatest of two ids';

CREATE AGGREGATE min(uuid) (
	SFUNC = uidext_internal.id_smaller, STYPE = uuid, COMBINEFUNC = uidext_internal.id_smaller,
	SORTOP = OPERATOR(pg_catalog.<), PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(uuid) IS 'the least id; the first entry of an index answers';

CREATE AGGREGATE max(uuid) (
	SFUNC = uidext_internal.id_larger, STYPE = uuid, COMBINEFUNC = uidext_internal.id_larger,
	SORTOP = OPERATOR(pg_catalog.>), PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(uuid) IS 'the greatest id; the last entry of an index answers';

-- ULID

CREATE TYPE ulid;

CREATE FUNCTION uidext_internal.ulid_in(cstring) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_ulid_in'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.ulid_in(cstring) IS 'input of type ulid; raises 22P02 for text that is no ULID';

CREATE FUNCTION uidext_internal.ulid_out(ulid) RETURNS cstring
	AS 'MODULE_PATHNAME', 'uidext_ulid_out'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_out(ulid) IS 'output of type ulid: 26 digits in upper case';

CREATE FUNCTION uidext_internal.ulid_recv(internal) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_recv'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.ulid_recv(internal) IS 'binary input of type ulid: 16 bytes';

CREATE FUNCTION uidext_internal.ulid_send(ulid) RETURNS bytea
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_send'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_send(ulid) IS 'binary output of type ulid: 16 bytes';

CREATE TYPE ulid (
	INPUT = uidext_internal.ulid_in, OUTPUT = uidext_internal.ulid_out,
	RECEIVE = uidext_internal.ulid_recv, SEND = uidext_internal.ulid_send,
	LIKE = uuid, CATEGORY = 'U'
);
COMMENT ON TYPE ulid IS
	'ULID: the 16 bytes of a uuid, written in 26 digits of Crockford''s base 32; reads either case';

-- Generators and readers

CREATE FUNCTION gen_ulid() RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_gen_ulid'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_ulid() IS
	'new ULID: Unix milliseconds, 12 bits of their fraction, 68 random bits; greater than every earlier one of the session';

CREATE FUNCTION gen_ulid_at(at timestamptz) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_gen_ulid_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_ulid_at(timestamptz) IS
	'new ULID of the given time (microseconds count); no order within 1/4096 ms; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION ulid_time(id ulid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION ulid_time(ulid) IS 'creation time of a ULID, in milliseconds';

CREATE FUNCTION ulid_boundary(at timestamptz) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_boundary(timestamptz) IS
	'the least ULID of a millisecond, for partition bounds; the least and the greatest of all for infinities; raises 22008 for other times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_ulid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_to_ulid(uuid) IS
	'the 128 bits as the text of a ULID; sorts as the uuid does under COLLATE "C"';

CREATE FUNCTION ulid_to_uuid(ulid text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_ulid_to_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_to_uuid(text) IS
	'inverse of uuid_to_ulid(), in upper or lower case, with I and L for 1 and O for 0; its time is ulid_time(), because a ULID has no version; raises 22P02 for text that is no ULID';

-- Comparison: the order of uuid

CREATE FUNCTION uidext_internal.ulid_lt(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_lt(ulid, ulid) IS 'implementation of ulid < ulid';

CREATE FUNCTION uidext_internal.ulid_le(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_le(ulid, ulid) IS 'implementation of ulid <= ulid';

CREATE FUNCTION uidext_internal.ulid_eq(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_eq(ulid, ulid) IS 'implementation of ulid = ulid';

CREATE FUNCTION uidext_internal.ulid_ge(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_ge(ulid, ulid) IS 'implementation of ulid >= ulid';

CREATE FUNCTION uidext_internal.ulid_gt(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_gt(ulid, ulid) IS 'implementation of ulid > ulid';

CREATE FUNCTION uidext_internal.ulid_ne(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ne'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_ne(ulid, ulid) IS 'implementation of ulid <> ulid';

CREATE FUNCTION uidext_internal.ulid_cmp(a ulid, b ulid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_cmp(ulid, ulid) IS
	'below, equal to or above 0 as a is less than, equal to or greater than b';

CREATE FUNCTION uidext_internal.ulid_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_sortsupport'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.ulid_sortsupport(internal) IS 'sort support of ulid_ops';

CREATE FUNCTION uidext_internal.ulid_hash(id ulid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_hash(ulid) IS 'hash of a ULID, that of the same uuid';

CREATE FUNCTION uidext_internal.ulid_hash_extended(id ulid, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_hash_extended(ulid, bigint) IS 'hash of a ULID, that of the same uuid';

CREATE OPERATOR < (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_lt,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (ulid, ulid) IS 'less than';

CREATE OPERATOR <= (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_le,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (ulid, ulid) IS 'less than or equal';

CREATE OPERATOR = (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_eq,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR = (ulid, ulid) IS 'equal';

CREATE OPERATOR >= (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_ge,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (ulid, ulid) IS 'greater than or equal';

CREATE OPERATOR > (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_gt,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (ulid, ulid) IS 'greater than';

CREATE OPERATOR <> (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_ne,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (ulid, ulid) IS 'not equal';

CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING btree AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 uidext_internal.ulid_cmp(ulid, ulid),
	FUNCTION 2 uidext_internal.ulid_sortsupport(internal),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS ulid_ops USING btree IS 'the order of ULIDs, by time';
COMMENT ON OPERATOR FAMILY ulid_ops USING btree IS 'the order of ULIDs, by time';

CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 uidext_internal.ulid_hash(ulid),
	FUNCTION 2 uidext_internal.ulid_hash_extended(ulid, bigint);
COMMENT ON OPERATOR CLASS ulid_ops USING hash IS 'hashes of ULIDs';
COMMENT ON OPERATOR FAMILY ulid_ops USING hash IS 'hashes of ULIDs';

CREATE OPERATOR CLASS ulid_minmax_ops DEFAULT FOR TYPE ulid USING brin AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 brin_minmax_opcinfo(internal),
	FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
	FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
	FUNCTION 4 brin_minmax_union(internal, internal, internal);
COMMENT ON OPERATOR CLASS ulid_minmax_ops USING brin IS 'the least and the greatest ULID of a range of pages';
COMMENT ON OPERATOR FAMILY ulid_minmax_ops USING brin IS 'the least and the greatest ULID of a range of pages';

CREATE FUNCTION uidext_internal.id_smaller(a ulid, b ulid) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_id_smaller'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.id_smaller(ulid, ulid) IS 'the least of two ids';

CREATE FUNCTION uidext_internal.id_larger(a ulid, b ulid) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_id_larger'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.id_larger(ulid, ulid) IS 'the greatest of two ids';

CREATE AGGREGATE min(ulid) (
	SFUNC = uidext_internal.id_smaller, STYPE = ulid, COMBINEFUNC = uidext_internal.id_smaller,
	SORTOP = <, PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(ulid) IS 'the least ULID; the first entry of an index answers';

CREATE AGGREGATE max(ulid) (
	SFUNC = uidext_internal.id_larger, STYPE = ulid, COMBINEFUNC = uidext_internal.id_larger,
	SORTOP = >, PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(ulid) IS 'the greatest ULID; the last entry of an index answers';

-- Casts
--
-- A uuid is taken for a ULID wherever one is wanted.  Not the other way: readers
-- of UUIDs would take a ULID's random bits for version and variant.

CREATE CAST (uuid AS ulid) WITHOUT FUNCTION AS IMPLICIT;
COMMENT ON CAST (uuid AS ulid) IS 'the same 128 bits';

CREATE CAST (ulid AS uuid) WITHOUT FUNCTION AS ASSIGNMENT;
COMMENT ON CAST (ulid AS uuid) IS 'the same 128 bits';

CREATE CAST (ulid AS bytea) WITH FUNCTION uidext_internal.ulid_send(ulid);
COMMENT ON CAST (ulid AS bytea) IS 'the 16 bytes';

CREATE CAST (ulid AS timestamptz) WITH FUNCTION ulid_time(ulid);
COMMENT ON CAST (ulid AS timestamptz) IS 'ulid_time(id)';

CREATE CAST (timestamptz AS ulid) WITH FUNCTION ulid_boundary(timestamptz);
COMMENT ON CAST (timestamptz AS ulid) IS 'ulid_boundary(at)';

-- Time predicates on ULIDs: those of predicates.sql, overloaded

CREATE FUNCTION uidext_internal.id_lt_timestamptz(id ulid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_lt_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_lt_timestamptz(ulid, timestamptz) IS
	'implementation of ulid < timestamptz: whether the id''s millisecond is before the time';

CREATE FUNCTION uidext_internal.id_le_timestamptz(id ulid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_le_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_le_timestamptz(ulid, timestamptz) IS
	'implementation of ulid <= timestamptz: whether the id''s millisecond is at or before the time';

CREATE FUNCTION uidext_internal.id_ge_timestamptz(id ulid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_ge_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_ge_timestamptz(ulid, timestamptz) IS
	'implementation of ulid >= timestamptz: whether the id''s millisecond is at or after the time';

CREATE FUNCTION uidext_internal.id_gt_timestamptz(id ulid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_gt_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_gt_timestamptz(ulid, timestamptz) IS
	'implementation of ulid > timestamptz: whether the id''s millisecond is after the time';

CREATE FUNCTION uidext_internal.id_in_tstzrange(id ulid, period tstzrange) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_in_tstzrange'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_in_tstzrange(ulid, tstzrange) IS
	'implementation of ulid <@ tstzrange: whether the id''s millisecond lies in the period';

CREATE FUNCTION uidext_internal.id_in_tstzmultirange(id ulid, periods tstzmultirange) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_in_tstzmultirange'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_in_tstzmultirange(ulid, tstzmultirange) IS
	'implementation of ulid <@ tstzmultirange: whether the id''s millisecond lies in one of the periods';

CREATE FUNCTION uidext_internal.timestamptz_lt_id(at timestamptz, id ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_lt_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.timestamptz_lt_id(timestamptz, ulid) IS
	'implementation of timestamptz < ulid: whether the time is before the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_le_id(at timestamptz, id ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_le_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.timestamptz_le_id(timestamptz, ulid) IS
	'implementation of timestamptz <= ulid: whether the time is at or before the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_ge_id(at timestamptz, id ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_ge_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.timestamptz_ge_id(timestamptz, ulid) IS
	'implementation of timestamptz >= ulid: whether the time is at or after the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_gt_id(at timestamptz, id ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_gt_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.timestamptz_gt_id(timestamptz, ulid) IS
	'implementation of timestamptz > ulid: whether the time is after the id''s millisecond';

CREATE FUNCTION uidext_internal.tstzrange_contains_id(period tstzrange, id ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_tstzrange_contains_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.tstzrange_contains_id(tstzrange, ulid) IS
	'implementation of tstzrange @> ulid: whether the id''s millisecond lies in the period';

CREATE FUNCTION uidext_internal.tstzmultirange_contains_id(periods tstzmultirange, id ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_tstzmultirange_contains_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.tstzmultirange_contains_id(tstzmultirange, ulid) IS
	'implementation of tstzmultirange @> ulid: whether the id''s millisecond lies in one of the periods';

CREATE OPERATOR < (
	LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_lt_timestamptz,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (ulid, timestamptz) IS
	'id made before the time';

CREATE OPERATOR <= (
	LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_le_timestamptz,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (ulid, timestamptz) IS
	'id made at or before the time';

CREATE OPERATOR >= (
	LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_ge_timestamptz,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (ulid, timestamptz) IS
	'id made at or after the time';

CREATE OPERATOR > (
	LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_gt_timestamptz,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (ulid, timestamptz) IS
	'id made after the time';

CREATE OPERATOR < (
	LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = uidext_internal.timestamptz_lt_id,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (timestamptz, ulid) IS
	'time before that of the id';

CREATE OPERATOR <= (
	LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = uidext_internal.timestamptz_le_id,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (timestamptz, ulid) IS
	'time at or before that of the id';

CREATE OPERATOR >= (
	LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = uidext_internal.timestamptz_ge_id,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (timestamptz, ulid) IS
	'time at or after that of the id';

CREATE OPERATOR > (
	LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = uidext_internal.timestamptz_gt_id,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (timestamptz, ulid) IS
	'time after that of the id';

CREATE OPERATOR <@ (
	LEFTARG = ulid, RIGHTARG = tstzrange, FUNCTION = uidext_internal.id_in_tstzrange,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (ulid, tstzrange) IS
	'id made within the period';

CREATE OPERATOR @> (
	LEFTARG = tstzrange, RIGHTARG = ulid, FUNCTION = uidext_internal.tstzrange_contains_id,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (tstzrange, ulid) IS
	'period contains the time of the id';

CREATE OPERATOR <@ (
	LEFTARG = ulid, RIGHTARG = tstzmultirange, FUNCTION = uidext_internal.id_in_tstzmultirange,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (ulid, tstzmultirange) IS
	'id made within one of the periods';

CREATE OPERATOR @> (
	LEFTARG = tstzmultirange, RIGHTARG = ulid, FUNCTION = uidext_internal.tstzmultirange_contains_id,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (tstzmultirange, ulid) IS
	'one of the periods contains the time of the id';

-- Reading in the order of ids

CREATE FUNCTION uidext_internal.uuid_safe_boundary_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'uidext_uuid_safe_boundary_support'
	LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION uidext_internal.uuid_safe_boundary_support(internal) IS
	'for the planner: looks at the open transactions before the statement''s snapshot is taken';

CREATE FUNCTION uuid_safe_boundary() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_safe_boundary'
	LANGUAGE C VOLATILE PARALLEL UNSAFE
	SUPPORT uidext_internal.uuid_safe_boundary_support;
COMMENT ON FUNCTION uuid_safe_boundary() IS
	'boundary below which all ids made by this server are there, seen, and no open transaction can add one; nil UUID while one is prepared; raises 55000 on a standby, and for a snapshot that is too old';

-- pg_partman
--
-- It calls the decoder with text: an id, a partition's bound as the catalog
-- shows it, or NULL where it finds neither.

CREATE FUNCTION uuid_time_decoder(id text) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uuid_boundary_time(nullif(id, '')::uuid);
COMMENT ON FUNCTION uuid_time_decoder(text) IS
	'uuid_boundary_time() as p_time_decoder of pg_partman 5.2 or later; NULL for an empty string; raises 22P02 for text that is no uuid';

-- Routing by country
--
-- One family of two classes.  Its hashes are few on purpose: one for each
-- country.  Joins and aggregates of uuids and iUIDs hash by core's family
-- uuid_ops all the same: the server takes the family with the lowest OID.

CREATE FUNCTION uidext_internal.iuid_country_hash(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_iuid_country_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_country_hash(uuid) IS
	'where Citus places an id: one value for each country, 2^24 apart; what is no iUID hashes like country 0';

CREATE FUNCTION uidext_internal.iuid_country_hash_extended(id uuid, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_iuid_country_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_country_hash_extended(uuid, bigint) IS
	'where PARTITION BY HASH places an id: with MODULUS 257 the REMAINDER is the country, and 256 for what is no iUID';

-- The same for a class of iuid, whose functions 18 wants to have its type
CREATE FUNCTION uidext_internal.iuid_country_hash(id iuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_iuid_country_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_country_hash(iuid) IS
	'the same for type iuid';

CREATE FUNCTION uidext_internal.iuid_country_hash_extended(id iuid, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_iuid_country_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_country_hash_extended(iuid, bigint) IS
	'the same for type iuid';

-- pg_upgrade carries over what belongs to this class, which nothing optional in
-- a family of core does.
CREATE OPERATOR CLASS uidext_internal.iuid_hash_ops FOR TYPE iuid USING hash FAMILY pg_catalog.uuid_ops AS
	OPERATOR 1 uidext_internal.=,
	FUNCTION 1 (iuid, iuid) uuid_hash(uuid);
COMMENT ON OPERATOR CLASS uidext_internal.iuid_hash_ops USING hash IS
	'core''s hash of uuid, by which iUIDs are joined and grouped';

CREATE OPERATOR CLASS iuid_country_ops DEFAULT FOR TYPE iuid USING hash AS
	OPERATOR 1 uidext_internal.=,
	FUNCTION 1 uidext_internal.iuid_country_hash(iuid),
	FUNCTION 2 uidext_internal.iuid_country_hash_extended(iuid, bigint);
COMMENT ON OPERATOR CLASS iuid_country_ops USING hash IS
	'default of iuid: PARTITION BY HASH (id) with MODULUS 257 has the country as REMAINDER; Citus keeps a country in one shard';
COMMENT ON OPERATOR FAMILY iuid_country_ops USING hash IS 'placement of iUIDs by country';

CREATE OPERATOR CLASS uuid_country_ops FOR TYPE uuid USING hash FAMILY iuid_country_ops AS
	OPERATOR 1 =,
	FUNCTION 1 uidext_internal.iuid_country_hash(uuid),
	FUNCTION 2 uidext_internal.iuid_country_hash_extended(uuid, bigint);
COMMENT ON OPERATOR CLASS uuid_country_ops USING hash IS
	'PARTITION BY HASH (id uuid_country_ops) for a uuid column: with MODULUS 257 the REMAINDER is the country, and 256 for what is no iUID';

ALTER OPERATOR FAMILY iuid_country_ops USING hash ADD
	OPERATOR 1 uidext_internal.= (iuid, uuid),
	OPERATOR 1 uidext_internal.= (uuid, iuid);

-- Registry: what the ids in an iUID mean

CREATE TABLE iuid_countries (
	id int PRIMARY KEY CHECK (id BETWEEN 0 AND 255),
	code text NOT NULL UNIQUE,
	name text NOT NULL UNIQUE
);
COMMENT ON TABLE iuid_countries IS 'countries of iUIDs; dumped with the database';
COMMENT ON COLUMN iuid_countries.id IS 'the id in the iUID, 0 to 255';
COMMENT ON COLUMN iuid_countries.code IS 'short code, such as ISO 3166-1 alpha-2; gen_iuid() looks here first';
COMMENT ON COLUMN iuid_countries.name IS 'name; gen_iuid() looks here second';

CREATE TABLE iuid_service_entities (
	id int PRIMARY KEY CHECK (id BETWEEN 0 AND 255),
	name text NOT NULL UNIQUE,
	description text
);
COMMENT ON TABLE iuid_service_entities IS 'service entities of iUIDs; dumped with the database';
COMMENT ON COLUMN iuid_service_entities.id IS 'the id in the iUID, 0 to 255';
COMMENT ON COLUMN iuid_service_entities.name IS 'service and entity, such as WalletAccount; gen_iuid() looks here';
COMMENT ON COLUMN iuid_service_entities.description IS 'free text';

CREATE TABLE iuid_routes (
	country int NOT NULL CHECK (country BETWEEN 0 AND 255),
	service_entity int CHECK (service_entity BETWEEN 0 AND 255),
	node text NOT NULL,
	description text,
	UNIQUE NULLS NOT DISTINCT (country, service_entity)
);
-- has no key without NULL, and may be published all the same
ALTER TABLE iuid_routes REPLICA IDENTITY FULL;
COMMENT ON TABLE iuid_routes IS 'which node serves which ids; dumped with the database';
COMMENT ON COLUMN iuid_routes.country IS 'country id, 0 to 255';
COMMENT ON COLUMN iuid_routes.service_entity IS 'service entity id, 0 to 255; NULL for any';
COMMENT ON COLUMN iuid_routes.node IS 'where the rows are: a host, a service name, a connection string';
COMMENT ON COLUMN iuid_routes.description IS 'free text';

SELECT pg_catalog.pg_extension_config_dump('iuid_countries', '');
SELECT pg_catalog.pg_extension_config_dump('iuid_service_entities', '');
SELECT pg_catalog.pg_extension_config_dump('iuid_routes', '');

GRANT SELECT ON iuid_countries, iuid_service_entities, iuid_routes TO PUBLIC;
-- a trusted extension's tables belong to the bootstrap superuser; not TO @extowner@, a role that may go
GRANT INSERT, UPDATE, DELETE, TRUNCATE ON iuid_countries, iuid_service_entities, iuid_routes
	TO pg_database_owner WITH GRANT OPTION;

CREATE FUNCTION uidext_internal.iuid_registry_changed() RETURNS trigger
	AS 'MODULE_PATHNAME', 'uidext_iuid_registry_changed'
	LANGUAGE C;
COMMENT ON FUNCTION uidext_internal.iuid_registry_changed() IS
	'trigger of the registry tables: sessions read them anew once the change commits, at their next transaction at the latest; raises 39P01 when called otherwise';

-- For each row, because logical replication fires no other triggers, and ALWAYS
-- for its sake; TRUNCATE has none for rows.
CREATE TRIGGER iuid_registry_changed
	AFTER INSERT OR UPDATE OR DELETE ON iuid_countries
	FOR EACH ROW EXECUTE FUNCTION uidext_internal.iuid_registry_changed();
CREATE TRIGGER iuid_registry_truncated
	AFTER TRUNCATE ON iuid_countries
	FOR EACH STATEMENT EXECUTE FUNCTION uidext_internal.iuid_registry_changed();
CREATE TRIGGER iuid_registry_changed
	AFTER INSERT OR UPDATE OR DELETE ON iuid_service_entities
	FOR EACH ROW EXECUTE FUNCTION uidext_internal.iuid_registry_changed();
CREATE TRIGGER iuid_registry_truncated
	AFTER TRUNCATE ON iuid_service_entities
	FOR EACH STATEMENT EXECUTE FUNCTION uidext_internal.iuid_registry_changed();

ALTER TABLE iuid_countries ENABLE ALWAYS TRIGGER iuid_registry_changed;
ALTER TABLE iuid_countries ENABLE ALWAYS TRIGGER iuid_registry_truncated;
ALTER TABLE iuid_service_entities ENABLE ALWAYS TRIGGER iuid_registry_changed;
ALTER TABLE iuid_service_entities ENABLE ALWAYS TRIGGER iuid_registry_truncated;

CREATE FUNCTION iuid_route(id uuid) RETURNS iuid_routes
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT r.country, r.service_entity, r.node, r.description
	FROM iuid_routes r
	WHERE r.country = iuid_country(id)
		AND (r.service_entity = iuid_service_entity(id) OR r.service_entity IS NULL)
	ORDER BY r.service_entity NULLS LAST
	LIMIT 1;
END;
COMMENT ON FUNCTION iuid_route(uuid) IS
	'row of iuid_routes that serves an iUID: that of its country and entity, else that of its country, else NULL';

CREATE TYPE iuid_info AS (
	"time" timestamptz,
	country int,
	country_code text,
	country_name text,
	service_entity int,
	service_entity_name text,
	service_entity_description text,
	node text
);
COMMENT ON TYPE iuid_info IS 'what an iUID and the registry tell together';
COMMENT ON COLUMN iuid_info."time" IS 'creation time, to the millisecond';
COMMENT ON COLUMN iuid_info.country IS 'country id, 0 to 255';
COMMENT ON COLUMN iuid_info.country_code IS 'its code in iuid_countries; NULL when it is not there';
COMMENT ON COLUMN iuid_info.country_name IS 'its name in iuid_countries; NULL when it is not there';
COMMENT ON COLUMN iuid_info.service_entity IS 'service entity id, 0 to 255';
COMMENT ON COLUMN iuid_info.service_entity_name IS 'its name in iuid_service_entities; NULL when it is not there';
COMMENT ON COLUMN iuid_info.service_entity_description IS 'its description in iuid_service_entities';
COMMENT ON COLUMN iuid_info.node IS 'node of iuid_route(id)';

CREATE FUNCTION iuid_describe(id uuid) RETURNS iuid_info
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT uuid_time(given.id), iuid_country(given.id), c.code, c.name,
		iuid_service_entity(given.id), e.name, e.description, (iuid_route(given.id)).node
	FROM (SELECT iuid_describe.id) given
		LEFT JOIN iuid_countries c ON c.id = iuid_country(given.id)
		LEFT JOIN iuid_service_entities e ON e.id = iuid_service_entity(given.id)
	WHERE iuid_is_valid(given.id);
END;
COMMENT ON FUNCTION iuid_describe(uuid) IS
	'time, country, service entity and node of an iUID with the names of the registry; NULL for other ids';

CREATE FUNCTION iuid_registry_script() RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT 'DO ' || quote_literal('BEGIN ' || string_agg(
		pg_catalog.format('DELETE FROM %1$I.%2$I; INSERT INTO %1$I.%2$I SELECT * FROM pg_catalog.jsonb_populate_recordset(NULL::%1$I.%2$I, %3$L);',
			n.nspname, c.relname, coalesce(t.rows, '[]'::jsonb)), ' ' ORDER BY c.relname) || ' END')
	FROM (VALUES
			('iuid_countries'::regclass, (SELECT pg_catalog.jsonb_agg(r) FROM iuid_countries r)),
			('iuid_service_entities'::regclass, (SELECT pg_catalog.jsonb_agg(r) FROM iuid_service_entities r)),
			('iuid_routes'::regclass, (SELECT pg_catalog.jsonb_agg(r) FROM iuid_routes r))
		) t(relation, rows)
		JOIN pg_catalog.pg_class c ON c.oid = t.relation::oid
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace;
END;
COMMENT ON FUNCTION iuid_registry_script() IS
	'a statement that makes the registry of another database equal to the one here, whatever it holds';

-- The countries of ISO 3166-1

CREATE FUNCTION iuid_load_iso_3166() RETURNS int
	LANGUAGE sql VOLATILE
BEGIN ATOMIC
	WITH added AS (
		INSERT INTO iuid_countries (id, code, name)
		SELECT iso.id, iso.code, iso.name FROM (VALUES
			(1, 'AE', 'United Arab Emirates'),
			(2, 'AI', 'Anguilla'),
			(3, 'AW', 'Aruba'),
			(4, 'AF', 'Afghanistan'),
			(5, 'BF', 'Burkina Faso'),
			(6, 'BL', 'Saint Barthelemy'),
			(7, 'BQ', 'Bonaire, Sint Eustatius and Saba'),
			(8, 'AL', 'Albania'),
			(9, 'CH', 'Switzerland'),
			(10, 'AQ', 'Antarctica'),
			(11, 'CI', 'Cote d''Ivoire'),
			(12, 'DZ', 'Algeria'),
			(13, 'CW', 'Curacao'),
			(14, 'DE', 'Germany'),
			(15, 'DJ', 'Djibouti'),
			(16, 'AS', 'American Samoa'),
			(17, 'EG', 'Egypt'),
			(18, 'EH', 'Western Sahara'),
			(19, 'ES', 'Spain'),
			(20, 'AD', 'Andorra'),
			(21, 'FM', 'Micronesia, Federated States of'),
			(22, 'GA', 'Gabon'),
			(23, 'GB', 'United Kingdom'),
			(24, 'AO', 'Angola'),
			(25, 'GD', 'Grenada'),
			(26, 'GE', 'Georgia'),
			(27, 'GG', 'Guernsey'),
			(28, 'AG', 'Antigua and Barbuda'),
			(29, 'GH', 'Ghana'),
			(30, 'GI', 'Gibraltar'),
			(31, 'AZ', 'Azerbaijan'),
			(32, 'AR', 'Argentina'),
			(33, 'GL', 'Greenland'),
			(34, 'GM', 'Gambia'),
			(35, 'GN', 'Guinea'),
			(36, 'AU', 'Australia'),
			(37, 'GP', 'Guadeloupe'),
			(38, 'GR', 'Greece'),
			(39, 'GT', 'Guatemala'),
			(40, 'AT', 'Austria'),
			(41, 'GU', 'Guam'),
			(42, 'GW', 'Guinea-Bissau'),
			(43, 'GY', 'Guyana'),
			(44, 'BS', 'Bahamas'),
			(45, 'HK', 'Hong Kong'),
			(46, 'HM', 'Heard Island and McDonald Islands'),
			(47, 'HN', 'Honduras'),
			(48, 'BH', 'Bahrain'),
			(49, 'HT', 'Haiti'),
			(50, 'BD', 'Bangladesh'),
			(51, 'AM', 'Armenia'),
			(52, 'BB', 'Barbados'),
			(53, 'HU', 'Hungary'),
			(54, 'ID', 'Indonesia'),
			(55, 'IE', 'Ireland'),
			(56, 'BE', 'Belgium'),
			(57, 'IL', 'Israel'),
			(58, 'IM', 'Isle of Man'),
			(59, 'IN', 'India'),
			(60, 'BM', 'Bermuda'),
			(61, 'IQ', 'Iraq'),
			(62, 'IR', 'Iran'),
			(63, 'IS', 'Iceland'),
			(64, 'BT', 'Bhutan'),
			(65, 'IT', 'Italy'),
			(66, 'JE', 'Jersey'),
			(67, 'JM', 'Jamaica'),
			(68, 'BO', 'Bolivia'),
			(69, 'JO', 'Jordan'),
			(70, 'BA', 'Bosnia and Herzegovina'),
			(71, 'JP', 'Japan'),
			(72, 'BW', 'Botswana'),
			(73, 'KE', 'Kenya'),
			(74, 'BV', 'Bouvet Island'),
			(75, 'KG', 'Kyrgyzstan'),
			(76, 'BR', 'Brazil'),
			(77, 'KI', 'Kiribati'),
			(78, 'KN', 'Saint Kitts and Nevis'),
			(79, 'KP', 'North Korea'),
			(80, 'KR', 'South Korea'),
			(81, 'KW', 'Kuwait'),
			(82, 'KZ', 'Kazakhstan'),
			(83, 'LA', 'Laos'),
			(84, 'BZ', 'Belize'),
			(85, 'LB', 'Lebanon'),
			(86, 'IO', 'British Indian Ocean Territory'),
			(87, 'LC', 'Saint Lucia'),
			(88, 'LI', 'Liechtenstein'),
			(89, 'LR', 'Liberia'),
			(90, 'SB', 'Solomon Islands'),
			(91, 'LS', 'Lesotho'),
			(92, 'VG', 'Virgin Islands, British'),
			(93, 'LT', 'Lithuania'),
			(94, 'LU', 'Luxembourg'),
			(95, 'LV', 'Latvia'),
			(96, 'BN', 'Brunei Darussalam'),
			(97, 'LY', 'Libya'),
			(98, 'MA', 'Morocco'),
			(99, 'MC', 'Monaco'),
			(100, 'BG', 'Bulgaria'),
			(101, 'MD', 'Moldova'),
			(102, 'ME', 'Montenegro'),
			(103, 'MF', 'Saint Martin (French part)'),
			(104, 'MM', 'Myanmar'),
			(105, 'MG', 'Madagascar'),
			(106, 'MH', 'Marshall Islands'),
			(107, 'MK', 'North Macedonia'),
			(108, 'BI', 'Burundi'),
			(109, 'ML', 'Mali'),
			(110, 'MN', 'Mongolia'),
			(111, 'MO', 'Macao'),
			(112, 'BY', 'Belarus'),
			(113, 'MP', 'Northern Mariana Islands'),
			(114, 'MQ', 'Martinique'),
			(115, 'MR', 'Mauritania'),
			(116, 'KH', 'Cambodia'),
			(117, 'MS', 'Montserrat'),
			(118, 'MT', 'Malta'),
			(119, 'MU', 'Mauritius'),
			(120, 'CM', 'Cameroon'),
			(121, 'MV', 'Maldives'),
			(122, 'MW', 'Malawi'),
			(123, 'MX', 'Mexico'),
			(124, 'CA', 'Canada'),
			(125, 'MY', 'Malaysia'),
			(126, 'MZ', 'Mozambique'),
			(127, 'NA', 'Namibia'),
			(128, 'NC', 'New Caledonia'),
			(129, 'NE', 'Niger'),
			(130, 'NF', 'Norfolk Island'),
			(131, 'NG', 'Nigeria'),
			(132, 'CV', 'Cabo Verde'),
			(133, 'NI', 'Nicaragua'),
			(134, 'NL', 'Netherlands'),
			(135, 'NO', 'Norway'),
			(136, 'KY', 'Cayman Islands'),
			(137, 'NP', 'Nepal'),
			(138, 'NR', 'Nauru'),
			(139, 'NU', 'Niue'),
			(140, 'CF', 'Central African Republic'),
			(141, 'NZ', 'New Zealand'),
			(142, 'OM', 'Oman'),
			(143, 'PA', 'Panama'),
			(144, 'LK', 'Sri Lanka'),
			(145, 'PE', 'Peru'),
			(146, 'PF', 'French Polynesia'),
			(147, 'PG', 'Papua New Guinea'),
			(148, 'TD', 'Chad'),
			(149, 'PH', 'Philippines'),
			(150, 'PK', 'Pakistan'),
			(151, 'PL', 'Poland'),
			(152, 'CL', 'Chile'),
			(153, 'PM', 'Saint Pierre and Miquelon'),
			(154, 'PN', 'Pitcairn'),
			(155, 'PR', 'Puerto Rico'),
			(156, 'CN', 'China'),
			(157, 'PS', 'Palestine, State of'),
			(158, 'TW', 'Taiwan'),
			(159, 'PT', 'Portugal'),
			(160, 'PW', 'Palau'),
			(161, 'PY', 'Paraguay'),
			(162, 'CX', 'Christmas Island'),
			(163, 'QA', 'Qatar'),
			(164, 'RE', 'Reunion'),
			(165, 'RO', 'Romania'),
			(166, 'CC', 'Cocos (Keeling) Islands'),
			(167, 'RS', 'Serbia'),
			(168, 'RU', 'Russian Federation'),
			(169, 'RW', 'Rwanda'),
			(170, 'CO', 'Colombia'),
			(171, 'SA', 'Saudi Arabia'),
			(172, 'SC', 'Seychelles'),
			(173, 'SD', 'Sudan'),
			(174, 'KM', 'Comoros'),
			(175, 'YT', 'Mayotte'),
			(176, 'SE', 'Sweden'),
			(177, 'SG', 'Singapore'),
			(178, 'CG', 'Congo'),
			(179, 'SH', 'Saint Helena, Ascension and Tristan da Cunha'),
			(180, 'CD', 'Congo, The Democratic Republic of the'),
			(181, 'SI', 'Slovenia'),
			(182, 'SJ', 'Svalbard and Jan Mayen'),
			(183, 'SK', 'Slovakia'),
			(184, 'CK', 'Cook Islands'),
			(185, 'SL', 'Sierra Leone'),
			(186, 'SM', 'San Marino'),
			(187, 'SN', 'Senegal'),
			(188, 'CR', 'Costa Rica'),
			(189, 'SO', 'Somalia'),
			(190, 'SR', 'Suriname'),
			(191, 'HR', 'Croatia'),
			(192, 'CU', 'Cuba'),
			(193, 'SS', 'South Sudan'),
			(194, 'ST', 'Sao Tome and Principe'),
			(195, 'SX', 'Sint Maarten (Dutch part)'),
			(196, 'CY', 'Cyprus'),
			(197, 'SY', 'Syria'),
			(198, 'SZ', 'Eswatini'),
			(199, 'TC', 'Turks and Caicos Islands'),
			(200, 'TF', 'French Southern Territories'),
			(201, 'TG', 'Togo'),
			(202, 'TH', 'Thailand'),
			(203, 'CZ', 'Czechia'),
			(204, 'BJ', 'Benin'),
			(205, 'TJ', 'Tajikistan'),
			(206, 'TK', 'Tokelau'),
			(207, 'TL', 'Timor-Leste'),
			(208, 'DK', 'Denmark'),
			(209, 'TM', 'Turkmenistan'),
			(210, 'TN', 'Tunisia'),
			(211, 'TO', 'Tonga'),
			(212, 'DM', 'Dominica'),
			(213, 'TR', 'Turkiye'),
			(214, 'DO', 'Dominican Republic'),
			(215, 'TT', 'Trinidad and Tobago'),
			(216, 'TV', 'Tuvalu'),
			(217, 'TZ', 'Tanzania'),
			(218, 'EC', 'Ecuador'),
			(219, 'UA', 'Ukraine'),
			(220, 'UG', 'Uganda'),
			(221, 'UM', 'United States Minor Outlying Islands'),
			(222, 'SV', 'El Salvador'),
			(223, 'US', 'United States'),
			(224, 'UY', 'Uruguay'),
			(225, 'UZ', 'Uzbekistan'),
			(226, 'GQ', 'Equatorial Guinea'),
			(227, 'VA', 'Holy See (Vatican City State)'),
			(228, 'VC', 'Saint Vincent and the Grenadines'),
			(229, 'VE', 'Venezuela'),
			(230, 'VI', 'Virgin Islands, U.S.'),
			(231, 'ET', 'Ethiopia'),
			(232, 'ER', 'Eritrea'),
			(233, 'EE', 'Estonia'),
			(234, 'FO', 'Faroe Islands'),
			(235, 'VN', 'Vietnam'),
			(236, 'VU', 'Vanuatu'),
			(237, 'WF', 'Wallis and Futuna'),
			(238, 'FK', 'Falkland Islands (Malvinas)'),
			(239, 'GS', 'South Georgia and the South Sandwich Islands'),
			(240, 'WS', 'Samoa'),
			(241, 'YE', 'Yemen'),
			(242, 'FJ', 'Fiji'),
			(243, 'ZA', 'South Africa'),
			(244, 'ZM', 'Zambia'),
			(245, 'ZW', 'Zimbabwe'),
			(246, 'FI', 'Finland'),
			(248, 'AX', 'Aland Islands'),
			(250, 'FR', 'France'),
			(254, 'GF', 'French Guiana')
		) iso(id, code, name)
		WHERE NOT EXISTS (SELECT FROM iuid_countries c WHERE c.id = iso.id AND c.code = iso.code)
		RETURNING 1
	)
	SELECT count(*)::int FROM added;
END;
COMMENT ON FUNCTION iuid_load_iso_3166() IS
	'adds the 249 countries of ISO 3166-1 to iuid_countries and returns how many were new; their ids never change; raises 23505 when an id, code or name is taken by another country';

-- Citus, where it is: nothing here needs it

CREATE FUNCTION uidext_internal.uuid_distributed_size(relation regclass, OUT rows bigint, OUT bytes bigint)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	is_distributed bool := false;
BEGIN
	IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
		EXECUTE 'SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = $1)'
			INTO is_distributed USING relation;
	END IF;
	IF NOT is_distributed THEN
		RETURN;
	END IF;
	-- a shard that no node has counted yet leaves the whole unknown; on the nodes the search_path is anybody's
	EXECUTE 'SELECT pg_catalog.citus_total_relation_size($1),
			CASE WHEN bool_and(n.success AND n.result <> '''') THEN sum(nullif(n.result, '''')::bigint) END
		FROM pg_catalog.run_command_on_all_nodes($2) n'
		INTO bytes, rows
		USING relation, format('SELECT CASE WHEN count(*) = pg_catalog.count(s.rows) THEN coalesce(sum(s.rows), 0) END
			FROM (
				SELECT CASE WHEN pg_catalog.pg_relation_size(c.oid) = 0 THEN 0
						ELSE coalesce(nullif(pg_catalog.pg_stat_get_live_tuples(c.oid), 0), nullif(c.reltuples, (-1)::real)::bigint)
					END AS rows
				FROM pg_catalog.pg_dist_shard d
					JOIN pg_catalog.pg_dist_placement p USING (shardid)
					JOIN pg_catalog.pg_dist_local_group g USING (groupid)
					JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(pg_catalog.shard_name(d.logicalrelid, d.shardid))::oid
				WHERE d.logicalrelid::oid = %L::regclass::oid
			) s', (
				SELECT format('%I.%I', n.nspname, t.relname)
				FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
				WHERE t.oid = relation
			));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_distributed_size(regclass) IS
	'rows of a table that Citus distributes, as its nodes last estimated them, and its bytes on all nodes; NULL for any other table; raises what Citus does when a node is down';

-- Partitions: what the functions of the following files share

CREATE FUNCTION uidext_internal.base_types(type regtype) RETURNS SETOF regtype
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	WITH RECURSIVE base(oid) AS (
		SELECT base_types.type::oid
		UNION ALL
		SELECT t.typbasetype FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.oid WHERE t.typtype = 'd'
	)
	SELECT b.oid::regtype FROM base b;
END;
COMMENT ON FUNCTION uidext_internal.base_types(regtype) IS
	'a type and, of a domain, the types that it is over, domain over domain';

-- How the ids of a key tell time: all that depends on the type of the key stands
-- in this function and the two after it.
CREATE FUNCTION uidext_internal.uuid_partition_layout(key_type regtype) RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT CASE
			WHEN bool_or(t.type::oid IN ('uuid'::regtype::oid, '@extschema@.iuid'::regtype::oid)) THEN 'uuid'
			WHEN bool_or(t.type::oid = '@extschema@.ulid'::regtype::oid) THEN 'ulid'
		END
	FROM uidext_internal.base_types(key_type) t(type);
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_layout(regtype) IS
	'layout of the ids of a key of this type, as the functions of bounds take it; NULL when it is none of ours';

-- A bigint says nothing of its ids: CHECK (uid_is_valid(id, 'snowflake')) does.
CREATE FUNCTION uidext_internal.uuid_partition_scheme(parent regclass, column_number smallint) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	-- in quotes where quote_all_identifiers is on
	SELECT (regexp_match(pg_get_expr(c.conbin, c.conrelid), 'uid_is_valid"?[(][^,()]+, ''([a-z0-9_:=,]+)''::"?text"?[)]'))[1]
	FROM pg_catalog.pg_constraint c
		JOIN pg_catalog.pg_depend d ON d.classid = 'pg_constraint'::regclass::oid AND d.objid = c.oid
			AND d.refclassid = 'pg_proc'::regclass::oid
			AND d.refobjid = '@extschema@.uid_is_valid(bigint,text)'::regprocedure::oid
	WHERE c.conrelid = parent::oid AND c.contype = 'c' AND c.conkey OPERATOR(pg_catalog.=) ARRAY[column_number]
	ORDER BY c.conname
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_scheme(regclass, smallint) IS
	'scheme of the ids in a bigint column, which a CHECK with uid_is_valid() names; NULL without one';

-- Not STRICT, which would keep this and the next one from being inlined.
CREATE FUNCTION uidext_internal.uuid_partition_boundary(layout text, at timestamptz) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE layout
		WHEN 'uuid' THEN uuid_boundary(at)::text
		WHEN 'ulid' THEN ulid_boundary(at)::text
		ELSE uid_boundary(at, layout)::text
	END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_boundary(text, timestamptz) IS
	'the bound of a time as text; raises 22008 for a time outside 1970-01-01 to 10889-08-02 or the scheme''s own, 22023 for an unknown scheme';

CREATE FUNCTION uidext_internal.uuid_partition_boundary_time(layout text, bound text) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN layout NOT IN ('uuid', 'ulid') THEN CASE
			WHEN bound::bigint <= uid_boundary(timestamptz '-infinity', layout) THEN '-infinity'
			WHEN bound::bigint = uid_boundary(timestamptz 'infinity', layout) THEN 'infinity'
			ELSE uid_time(bound::bigint, layout)
		END
		WHEN bound = uidext_internal.uuid_partition_boundary(layout, timestamptz '-infinity') THEN '-infinity'
		WHEN bound = uidext_internal.uuid_partition_boundary(layout, timestamptz 'infinity') THEN 'infinity'
		WHEN layout = 'ulid' THEN uuid_boundary_time(ulid_to_uuid(bound))
		ELSE uuid_boundary_time(bound::uuid)
	END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_boundary_time(text, text) IS
	'the time of a bound, to the millisecond; raises 22P02 for what is no id, 22003 for what is beyond bigint, 22023 for an unknown scheme';

CREATE FUNCTION uidext_internal.uuid_partition_key(parent regclass, OUT column_name name, OUT layout text)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	column_number smallint;
	column_type regtype;
BEGIN
	SELECT a.attname, a.attnum, a.atttypid,
		coalesce(uidext_internal.uuid_partition_layout(a.atttypid), uidext_internal.uuid_partition_scheme(parent, a.attnum))
	INTO column_name, column_number, column_type, layout
	FROM pg_partitioned_table p
		JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partrelid = parent AND p.partstrat = 'r' AND p.partnatts = 1 AND o.opcdefault;
	IF layout IS NULL THEN
		RAISE EXCEPTION 'table % is not partitioned by range on one uuid column', parent
			USING ERRCODE = 'wrong_object_type',
				HINT = CASE column_type WHEN 'bigint'::regtype
					THEN 'A bigint column needs a check of its scheme, such as CHECK (uid_is_valid(id, ''snowflake'')).'
					ELSE 'Create it with PARTITION BY RANGE (id).' END;
	END IF;
	-- no id would ever meet the partitions
	IF uidext_internal.uuid_partition_default_is_gregorian(parent, column_number) THEN
		RAISE EXCEPTION 'column "%" of table % holds UUIDv1, v6 or v13', column_name, parent
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = 'Its default makes them, and their time is Gregorian.',
				HINT = 'Make partitions for v6 and v13 by hand, with bounds of uuidv6_boundary(); v1 does not sort by time.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_key(regclass) IS
	'the one column by whose range a table is partitioned, and the layout of its ids; raises 42809 for other tables, 22023 for a default of v1, v6 or v13';

CREATE FUNCTION uidext_internal.uuid_partition_default_is_gregorian(parent regclass, column_number smallint) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT EXISTS (
		SELECT FROM pg_catalog.pg_attrdef d
			JOIN pg_catalog.pg_depend u ON u.classid = 'pg_attrdef'::regclass::oid AND u.objid = d.oid
				AND u.refclassid = 'pg_proc'::regclass::oid
		WHERE d.adrelid = parent::oid AND d.adnum = column_number
			AND u.refobjid IN (
				'@extschema@.gen_uuidv1()'::regprocedure::oid, '@extschema@.uuidv6_to_v1(uuid)'::regprocedure::oid,
				'@extschema@.gen_uuidv6()'::regprocedure::oid, '@extschema@.uuidv1_to_v6(uuid)'::regprocedure::oid,
				'@extschema@.gen_uuidv13()'::regprocedure::oid, '@extschema@.uuidv1_to_v13(uuid)'::regprocedure::oid,
				'@extschema@.uuidv13_to_v1(uuid)'::regprocedure::oid
			)
	);
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_default_is_gregorian(regclass, smallint) IS
	'whether a column''s default makes UUIDv1, v6 or v13';

CREATE FUNCTION uidext_internal.uuid_partition_periods(
	parent regclass, layout text,
	OUT partition regclass, OUT from_id text, OUT to_id text,
	OUT from_time timestamptz, OUT to_time timestamptz, OUT detach_pending bool
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass, bound[1], bound[2],
		coalesce(uidext_internal.uuid_partition_boundary_time(layout, bound[1]), '-infinity'),
		coalesce(uidext_internal.uuid_partition_boundary_time(layout, bound[2]), 'infinity'),
		i.inhdetachpending
	FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid,
		-- a bound has no columns; with the partition given the server would wait for a lock on it
		regexp_match(pg_get_expr(c.relpartbound, 0::oid),
			'^FOR VALUES FROM [(](?:MINVALUE|''(.*)'')[)] TO [(](?:MAXVALUE|''(.*)'')[)]$') bound
	WHERE i.inhparent = parent::oid AND bound IS NOT NULL;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_periods(regclass, text) IS
	'the range partitions of a parent with their bounds as text (NULL for MINVALUE and MAXVALUE) and as times (infinite for these); the default partition is not among them; raises as uuid_partition_boundary_time()';

-- A superuser who looks after somebody's table does not run that owner's code.
CREATE FUNCTION uidext_internal.uuid_partition_as_owner(relation regclass, command text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_partition_as_owner'
	LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION uidext_internal.uuid_partition_as_owner(regclass, text) IS
	'runs a command with the rights of a table''s owner and returns its first value; raises 42501 for callers who do not have these rights, 42P01 for no table, and what the command raises';

CREATE FUNCTION uidext_internal.uuid_partition_check_owner(relation regclass) RETURNS void
	AS 'MODULE_PATHNAME', 'uidext_partition_check_owner'
	LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_owner(regclass) IS
	'raises 42501 for callers who do not have the rights of a table''s owner, 42P01 for no table';

-- Of two callers at once the second waits here, and then finds the work of the first.
CREATE FUNCTION uidext_internal.uuid_partition_lock(parent regclass) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM uidext_internal.uuid_partition_as_owner(parent,
		format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_lock(regclass) IS
	'keeps others from changing a table''s partitions, not from reading and writing it; raises 42501 for callers who do not have its owner''s rights, 42P01';

CREATE FUNCTION uidext_internal.uuid_partition_edge(partition regclass, column_name name, from_id text, to_id text, newest bool) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_partition_edge'
	LANGUAGE C STABLE;
COMMENT ON FUNCTION uidext_internal.uuid_partition_edge(regclass, name, text, text, bool) IS
	'least or greatest id of a partition between two bounds, NULL for none; NULL also when the caller may not read it; raises 42703 for a column that is not there, 22P02 for bounds that are no ids';

CREATE FUNCTION uidext_internal.uuid_partition_has_rows(partition regclass, column_name name) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_partition_has_rows'
	LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION uidext_internal.uuid_partition_has_rows(regclass, name) IS
	'whether a partition has rows, NULL when the caller may not read the column; raises 42703 for a column that is not there';

-- A type with operators of its own is found with them whatever the search_path.
CREATE FUNCTION uidext_internal.uuid_partition_condition(relation regclass, column_name name, from_id text, to_id text) RETURNS text
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- an operator class is where its operators are
	schema name := (
		SELECT n.nspname
		FROM pg_attribute a CROSS JOIN uidext_internal.base_types(a.atttypid) t(type)
			JOIN pg_opclass o ON o.opcintype = t.type AND o.opcdefault
			JOIN pg_am m ON m.oid = o.opcmethod AND m.amname = 'btree'
			JOIN pg_namespace n ON n.oid = o.opcnamespace
		WHERE a.attrelid = relation AND a.attname = column_name);
BEGIN
	RETURN format('%1$I OPERATOR(%2$I.>=) %3$L AND %1$I OPERATOR(%2$I.<) %4$L', column_name, coalesce(schema, 'pg_catalog'), from_id, to_id);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_condition(regclass, name, text, text) IS
	'a condition that holds for the ids of a column from one bound up to another';

CREATE FUNCTION uidext_internal.uuid_partition_suffix(from_time timestamptz, step interval, tz text) RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN to_char(from_time AT TIME ZONE tz, CASE
		WHEN step >= interval '1 year' AND step = date_trunc('year', step) THEN 'YYYY'
		WHEN step = date_trunc('month', step) THEN 'YYYY_MM'
		WHEN step = date_trunc('day', step) THEN 'YYYY_MM_DD'
		WHEN step = date_trunc('minute', step) THEN 'YYYY_MM_DD_HH24MI'
		ELSE 'YYYY_MM_DD_HH24MISS_MS'
	END);
COMMENT ON FUNCTION uidext_internal.uuid_partition_suffix(timestamptz, interval, text) IS
	'start of a period as the end of a partition''s name, as fine as the step needs: 2026, 2026_01, 2026_01_31, 2026_01_31_1200; raises 22023 and 22008';

-- A table beside the parent that can be attached to it, as PARTITION OF would
-- make it, but without locking the parent.
CREATE FUNCTION uidext_internal.uuid_partition_table(parent regclass, partition text, range_key name, template regclass) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	storage text;
BEGIN
	IF num_nulls(parent, partition) > 0 THEN
		RAISE EXCEPTION 'parent and partition may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	SELECT concat_ws(' ',
		'PARTITION BY RANGE (' || quote_ident(range_key) || ')',
		'USING ' || quote_ident(a.amname),
		'TABLESPACE ' || quote_ident(t.spcname))
	INTO storage
	FROM pg_class c
		LEFT JOIN pg_class s ON s.oid = template
		LEFT JOIN pg_am a ON a.oid = coalesce(s.relam, c.relam)
		LEFT JOIN pg_tablespace t ON t.oid = coalesce(nullif(s.reltablespace, 0), c.reltablespace)
	WHERE c.oid = parent;
	-- with indexes, because those that are missing would be built under the locks of ATTACH;
	-- as the owner, whose functions in them are run here
	BEGIN
		PERFORM uidext_internal.uuid_partition_as_owner(parent,
			format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY) %s', partition, parent, storage));
	EXCEPTION WHEN insufficient_privilege THEN
		-- an owner who may not make tables there leaves them to ATTACH, which becomes the owner
		EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY EXCLUDING INDEXES) %s', partition, parent, storage);
	END;
	-- whoever keeps the partitions, the parent's owner owns them
	EXECUTE (
		SELECT format('ALTER TABLE %s OWNER TO %I', partition, r.rolname)
		FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
		WHERE c.oid = parent
	);
	RETURN partition::regclass;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_table(regclass, text, name, regclass) IS
	'makes a table of a qualified and quoted name like the parent, ready to be attached to it, partitioned by range of a column and stored as a template is, unless these are NULL; raises 42P07, 42703, 42601, 42809, 22004, 42501, and 0A000 before 17';

CREATE FUNCTION uidext_internal.uuid_partition_name(parent regclass, suffix text) RETURNS text
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	schema name;
	partition text;
BEGIN
	SELECT n.nspname, c.relname || '_' || suffix INTO schema, partition
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = parent;
	-- the server would cut it, and then two periods could meet in one name
	IF octet_length(partition) > current_setting('max_identifier_length')::int THEN
		RAISE EXCEPTION 'partition name "%" is longer than % bytes',
				partition, current_setting('max_identifier_length')
			USING ERRCODE = 'name_too_long';
	END IF;
	RETURN format('%I.%I', schema, partition);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_name(regclass, text) IS
	'qualified and quoted name of a partition: the parent''s, underscore, suffix; raises 42622 for a name that the server would cut, 22004';

-- The partition of a parent with exactly this bound, or NULL.
CREATE FUNCTION uidext_internal.uuid_partition_with_bound(parent regclass, bound text) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass
	FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
	WHERE i.inhparent = parent::oid AND NOT i.inhdetachpending
		AND pg_get_expr(c.relpartbound, 0::oid) = bound;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_with_bound(regclass, text) IS
	'the partition of a parent that has exactly this bound, as pg_get_expr(relpartbound) shows it; NULL when there is none';

CREATE FUNCTION uidext_internal.uuid_partition_size(partition regclass, OUT rows bigint, OUT bytes bigint)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT CASE WHEN count(*) = pg_catalog.count(leaf.rows) THEN coalesce(sum(leaf.rows), 0)::bigint END, coalesce(sum(leaf.bytes), 0)::bigint
	FROM (
		SELECT coalesce(d.bytes, pg_total_relation_size(c.oid::regclass)) AS bytes,
			CASE WHEN d.bytes IS NOT NULL THEN d.rows
				WHEN c.relkind <> 'f' AND pg_relation_size(c.oid::regclass) = 0 THEN 0
				ELSE coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), nullif(c.reltuples, (-1)::real)::bigint)
			END AS rows
		FROM pg_partition_tree(partition) t JOIN pg_catalog.pg_class c ON c.oid = t.relid::oid
			CROSS JOIN LATERAL uidext_internal.uuid_distributed_size(c.oid::regclass) d
		WHERE t.isleaf
	) leaf;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_size(regclass) IS
	'rows of a partition as last estimated (NULL when they never were) and bytes with indexes and TOAST, sub-partitions included';

CREATE FUNCTION uidext_internal.uuid_partition_add(at timestamptz, length interval, tz text) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN CASE
		-- of a local time that comes twice AT TIME ZONE takes the second: hours go without it
		WHEN date_trunc('day', length) = '0' THEN at + length
		ELSE (at AT TIME ZONE tz + date_trunc('day', length)) AT TIME ZONE tz + (length - date_trunc('day', length))
	END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_add(timestamptz, interval, text) IS
	'a time plus months and days as they are in a time zone, and hours as they pass; raises 22023 and 22008';

CREATE FUNCTION uidext_internal.uuid_partition_origin(at timestamptz, step interval, tz text) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT CASE
			WHEN step >= interval '1 year' AND step = date_trunc('year', step) THEN date_trunc('year', local_time) AT TIME ZONE tz
			WHEN step = interval '3 months' THEN date_trunc('quarter', local_time) AT TIME ZONE tz
			WHEN step >= interval '1 month' THEN date_trunc('month', local_time) AT TIME ZONE tz
			WHEN step = interval '7 days' THEN date_trunc('week', local_time) AT TIME ZONE tz
			WHEN step >= interval '1 day' THEN date_trunc('day', local_time) AT TIME ZONE tz
			ELSE date_bin(step, at, date_trunc('day', local_time) AT TIME ZONE tz)
		END
	-- of a local time that comes twice AT TIME ZONE takes the second, so go back to before the first
	FROM (SELECT (at - (at AT TIME ZONE tz AT TIME ZONE tz - at)) AT TIME ZONE tz) AS l(local_time);
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_origin(timestamptz, interval, text) IS
	'start of the period that holds a time: its year, quarter, month, Monday or midnight, or whole steps after midnight; raises 22023 and 22008, 0A000 for months less days';

-- Partitions: what new ones take over from a table that serves as their template

CREATE FUNCTION uidext_internal.uuid_partition_index_definition(index regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT substr(pg_get_indexdef(i.oid), 1 + length(format('CREATE %sINDEX %I ON %s%I.%I',
		CASE WHEN x.indisunique THEN 'UNIQUE ' END, i.relname, CASE i.relkind WHEN 'I' THEN 'ONLY ' END, n.nspname, t.relname)))
	FROM pg_catalog.pg_index x
		JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
		JOIN pg_catalog.pg_class t ON t.oid = x.indrelid
		JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
	WHERE x.indexrelid = index::oid;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_index_definition(regclass) IS
	'what stands after the table in the CREATE INDEX of an index, " USING btree (id)"; NULL for what is no index';

CREATE FUNCTION uidext_internal.uuid_partition_indexes_alike(a regclass, b regclass) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT (SELECT x.indisunique FROM pg_catalog.pg_index x WHERE x.indexrelid = a::oid)
			= (SELECT x.indisunique FROM pg_catalog.pg_index x WHERE x.indexrelid = b::oid)
		AND regexp_replace(uidext_internal.uuid_partition_index_definition(a), ' WITH [(][^)]*[)]', '')
			= regexp_replace(uidext_internal.uuid_partition_index_definition(b), ' WITH [(][^)]*[)]', '');
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_indexes_alike(regclass, regclass) IS
	'whether two indexes have the same keys and predicate and are both unique or not; their settings do not count';

CREATE FUNCTION uidext_internal.uuid_partition_check_template(parent regclass, template regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	kind "char";
	owner oid;
	wrong record;
BEGIN
	SELECT relkind, relowner INTO kind, owner FROM pg_class WHERE oid = template;
	IF kind IS DISTINCT FROM 'r' THEN
		RAISE EXCEPTION 'template % is not an ordinary table', template
			USING ERRCODE = 'wrong_object_type',
				HINT = 'Take a partition, or an empty table that was made LIKE the partitioned one.';
	END IF;
	-- what stands in its indexes and triggers will run as the owner
	IF owner <> (SELECT relowner FROM pg_class WHERE oid = parent) THEN
		RAISE EXCEPTION 'template % does not belong to the owner of table %', template, parent
			USING ERRCODE = 'insufficient_privilege';
	END IF;
	SELECT t.attname, format_type(t.atttypid, t.atttypmod) AS type INTO wrong
	FROM pg_attribute t
		LEFT JOIN pg_attribute p ON p.attrelid = parent AND p.attname = t.attname AND p.attnum > 0
			AND (p.atttypid, p.atttypmod, p.attcollation) = (t.atttypid, t.atttypmod, t.attcollation)
	WHERE t.attrelid = template AND t.attnum > 0 AND NOT t.attisdropped AND p.attname IS NULL
	ORDER BY t.attnum
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'template % has a column "%" of type %, table % has none', template, wrong.attname, wrong.type, parent
			USING ERRCODE = 'datatype_mismatch';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_template(regclass, regclass) IS
	'raises 42809 for a template that is no ordinary table, 42501 for one of another owner, 42804 for a column that the parent does not have';

-- Before rows come: what decides how they are stored.
CREATE FUNCTION uidext_internal.uuid_partition_storage_commands(parent regclass, partition regclass, template regclass) RETURNS SETOF text
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY
		SELECT format('ALTER TABLE %s SET (%s%I = %L)', partition, o.namespace, split_part(o.option, '=', 1), substr(o.option, strpos(o.option, '=') + 1))
		FROM (
			SELECT '' AS namespace, unnest(c.reloptions) AS option FROM pg_class c WHERE c.oid = template
			UNION ALL
			SELECT 'toast.', unnest(t.reloptions) FROM pg_class c JOIN pg_class t ON t.oid = c.reltoastrelid WHERE c.oid = template
		) o;
	RETURN QUERY
		SELECT format('ALTER TABLE %s ALTER COLUMN %I SET %s', partition, a.attname, s.setting)
		FROM pg_attribute a CROSS JOIN LATERAL (
			SELECT 'STATISTICS ' || a.attstattarget WHERE a.attstattarget >= 0
			UNION ALL
			-- the two that people set; a server may keep others there
			SELECT format('(%I = %L)', split_part(o.option, '=', 1), split_part(o.option, '=', 2)) FROM unnest(a.attoptions) o(option)
			WHERE split_part(o.option, '=', 1) IN ('n_distinct', 'n_distinct_inherited')
		) s(setting)
		WHERE a.attrelid = template AND a.attnum > 0 AND NOT a.attisdropped;
	-- those that the parent has come with it
	RETURN QUERY
		SELECT coalesce(
			(SELECT format('ALTER TABLE %s ADD %s', partition, pg_get_constraintdef(c.oid)) FROM pg_constraint c
				WHERE c.conindid = x.indexrelid AND c.conrelid = template AND c.contype IN ('p', 'u', 'x')),
			format('CREATE %sINDEX ON %s%s', CASE WHEN x.indisunique THEN 'UNIQUE ' END, partition,
				uidext_internal.uuid_partition_index_definition(x.indexrelid)))
		FROM pg_index x
		WHERE x.indrelid = template AND x.indisvalid AND NOT EXISTS (
			SELECT FROM pg_index p
			WHERE p.indrelid = parent AND uidext_internal.uuid_partition_indexes_alike(p.indexrelid, x.indexrelid))
		ORDER BY x.indexrelid;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_storage_commands(regclass, regclass, regclass) IS
	'commands that give a new partition the storage parameters, statistics targets and further indexes of a template';

-- When it is attached, with its indexes and rows: what decides who does what with them.
CREATE FUNCTION uidext_internal.uuid_partition_access_commands(partition regclass, template regclass) RETURNS SETOF text
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY
		SELECT c.command
		FROM (
			SELECT x.indexrelid::regclass AS index, y.indexrelid AS template_index, row_number() OVER (PARTITION BY y.indexrelid ORDER BY x.indexrelid) AS n
			FROM pg_index x JOIN pg_index y ON uidext_internal.uuid_partition_indexes_alike(x.indexrelid, y.indexrelid)
			WHERE x.indrelid = partition AND y.indrelid = template
		) i CROSS JOIN LATERAL (
			SELECT format('ALTER INDEX %s SET TABLESPACE %I', i.index, s.spcname) FROM pg_class t JOIN pg_tablespace s ON s.oid = t.reltablespace
			WHERE t.oid = i.template_index
			UNION ALL
			SELECT format('ALTER INDEX %s SET (%I = %L)', i.index, split_part(o.option, '=', 1), split_part(o.option, '=', 2))
			FROM pg_class t, unnest(t.reloptions) o(option)
			WHERE t.oid = i.template_index
			UNION ALL
			SELECT format('ALTER TABLE %s REPLICA IDENTITY USING INDEX %I', partition, (SELECT relname FROM pg_class WHERE oid = i.index))
			FROM pg_index t
			WHERE t.indexrelid = i.template_index AND t.indisreplident
		) c(command)
		WHERE i.n = 1;
	RETURN QUERY
		SELECT format('ALTER TABLE %s %s', partition, s.setting)
		FROM pg_class c CROSS JOIN LATERAL (
			SELECT 'REPLICA IDENTITY ' || CASE c.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END WHERE c.relreplident IN ('f', 'n')
			UNION ALL
			SELECT 'ENABLE ROW LEVEL SECURITY' WHERE c.relrowsecurity
			UNION ALL
			SELECT 'FORCE ROW LEVEL SECURITY' WHERE c.relforcerowsecurity
		) s(setting)
		WHERE c.oid = template;
	RETURN QUERY
		SELECT format('GRANT %s%s ON %s TO %s%s', a.privilege_type, '(' || quote_ident(g.attname) || ')', partition,
			coalesce(quote_ident(r.rolname), 'PUBLIC'), CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
		FROM (
			SELECT c.relowner, NULL::name AS attname, c.relacl AS acl FROM pg_class c WHERE c.oid = template
			UNION ALL
			SELECT c.relowner, t.attname, t.attacl FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid WHERE c.oid = template
		) g, aclexplode(g.acl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
		WHERE a.grantee <> g.relowner;
	RETURN QUERY
		SELECT concat_ws(' ',
			format('CREATE POLICY %I ON %s AS %s FOR %s TO %s', p.polname, partition,
				CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
				CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
				(SELECT string_agg(coalesce(quote_ident(r.rolname), 'PUBLIC'), ', ') FROM unnest(p.polroles) u(role) LEFT JOIN pg_roles r ON r.oid = u.role)),
			'USING (' || pg_get_expr(p.polqual, p.polrelid) || ')',
			'WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')
		FROM pg_policy p
		WHERE p.polrelid = template;
	-- those of the parent come with it
	RETURN QUERY
		SELECT command
		FROM pg_trigger t
			JOIN pg_class c ON c.oid = t.tgrelid
			JOIN pg_namespace n ON n.oid = c.relnamespace
			CROSS JOIN LATERAL (
				SELECT overlay(d.definition placing partition::text from strpos(d.definition, d.place) + 4 for length(d.place) - 5)
				FROM (SELECT pg_get_triggerdef(t.oid), format(' ON %I.%I ', n.nspname, c.relname)) d(definition, place)
				UNION ALL
				SELECT format('ALTER TABLE %s %s TRIGGER %I', partition,
					CASE t.tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE REPLICA' END, t.tgname)
				WHERE t.tgenabled <> 'O'
			) s(command)
		WHERE t.tgrelid = template AND NOT t.tgisinternal AND t.tgparentid = 0;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_access_commands(regclass, regclass) IS
	'commands that give a new partition the grants, policies, triggers, replica identity and settings of indexes of a template';

CREATE FUNCTION uidext_internal.uuid_partition_run(parent regclass, commands text[]) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	command text;
BEGIN
	FOREACH command IN ARRAY commands LOOP
		PERFORM uidext_internal.uuid_partition_as_owner(parent, command);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_run(regclass, text[]) IS
	'runs commands, one after the other, with the rights of a table''s owner; raises what they raise';

-- Partitions: bounds and creation

CREATE FUNCTION uuid_partition_bounds(
	start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	OUT from_time timestamptz, OUT to_time timestamptz, OUT from_id uuid, OUT to_id uuid
) RETURNS SETOF record
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- local time, so that a day is a day and a month a month also when clocks change
	local_start timestamp := start AT TIME ZONE tz;
	next_time timestamptz := start;
	i int := 0;
BEGIN
	IF NOT isfinite(start) OR NOT isfinite(stop) OR start >= stop THEN
		RAISE EXCEPTION 'start must be before stop, and both finite'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('start is %s, stop is %s.', start, stop);
	END IF;
	-- each unit by itself, because months less days may go either way
	IF NOT isfinite(step) OR step < '1 ms'
		OR least(date_part('year', step), date_part('month', step), date_part('day', step),
			date_part('hour', step), date_part('minute', step), date_part('second', step)) < 0
	THEN
		RAISE EXCEPTION 'step must be finite, a millisecond or more, and no unit of it negative'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('step is %s.', step);
	END IF;

	WHILE next_time < stop LOOP
		to_time := next_time;
		LOOP
			i := i + 1;
			-- from the start each time: adding to a sum would turn January 31 into the 28th for good
			next_time := (local_start + step * i) AT TIME ZONE tz;
			-- local times that a change to summer time leaves out are not later
			EXIT WHEN next_time > to_time;
		END LOOP;
		from_time := to_time;
		to_time := next_time;
		from_id := @extschema@.uuid_boundary(from_time);
		to_id := @extschema@.uuid_boundary(to_time);
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_bounds(timestamptz, timestamptz, interval, text) IS
	'successive periods of one step from start until stop is covered, in local time of a time zone, with their boundaries; raises 22023 for a bad step, 22008 for times that no id holds';

CREATE FUNCTION uidext_internal.uuid_partition_make(
	parent regclass, layout text, from_time timestamptz, to_time timestamptz, suffix text, template regclass
) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bound text := format('FOR VALUES FROM (%L) TO (%L)',
		uidext_internal.uuid_partition_boundary(layout, from_time),
		uidext_internal.uuid_partition_boundary(layout, to_time));
	partition regclass;
BEGIN
	IF uidext_internal.uuid_partition_with_bound(parent, bound) IS NOT NULL THEN
		RETURN NULL;
	END IF;
	-- made apart and then attached, which leaves the parent open for reading and writing
	partition := uidext_internal.uuid_partition_table(parent, uidext_internal.uuid_partition_name(parent, suffix), NULL::name, template);
	PERFORM uidext_internal.uuid_partition_run(parent,
		ARRAY(SELECT uidext_internal.uuid_partition_storage_commands(parent, partition, template)));
	PERFORM uidext_internal.uuid_partition_as_owner(parent,
		format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bound));
	PERFORM uidext_internal.uuid_partition_run(parent,
		ARRAY(SELECT uidext_internal.uuid_partition_access_commands(partition, template)));
	RETURN partition;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_make(regclass, text, timestamptz, timestamptz, text, regclass) IS
	'makes the partition of one period, like a template unless that is NULL, and returns it, NULL when it is there; raises as uuid_partition_create()';

CREATE FUNCTION uuid_partition_create(
	parent regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC', template regclass DEFAULT NULL
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	period record;
	partition regclass;
BEGIN
	IF num_nulls(parent, start, stop, step, tz) > 0 THEN
		RAISE EXCEPTION 'no argument but template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	key := uidext_internal.uuid_partition_key(parent);
	PERFORM uidext_internal.uuid_partition_check_template(parent, template);
	PERFORM uidext_internal.uuid_partition_lock(parent);

	FOR period IN SELECT * FROM @extschema@.uuid_partition_bounds(start, stop, step, tz) LOOP
		partition := uidext_internal.uuid_partition_make(parent, key.layout, period.from_time, period.to_time,
			uidext_internal.uuid_partition_suffix(period.from_time, step, tz), template);
		IF partition IS NOT NULL THEN
			RETURN NEXT partition;
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_create(regclass, timestamptz, timestamptz, interval, text, regclass) IS
	'makes the range partitions of one step from start until stop that are not there yet, with what a template has besides, and returns them; raises 42809 for a table that is not partitioned by range on one uuid column';

-- Partitions: overview

CREATE FUNCTION uuid_partition_list(
	parent regclass,
	OUT partition regclass, OUT from_time timestamptz, OUT to_time timestamptz,
	OUT rows bigint, OUT bytes bigint, OUT note text
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH key AS (
		-- not a join: that could find no row of the table before asking for its key
		SELECT k.column_name, k.layout, (
			SELECT nullif(p.partdefid, 0::oid)::regclass FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = parent::oid
		) AS default_partition
		FROM uidext_internal.uuid_partition_key(parent) k
	), period AS (
		SELECT p.*, pg_catalog.lag(p.to_id) OVER w AS previous_id, pg_catalog.lag(p.to_time) OVER w AS previous_time
		FROM key k, uidext_internal.uuid_partition_periods(parent, k.layout) p
		WINDOW w AS (ORDER BY p.from_time, p.to_time)
	)
	SELECT line.*
	FROM (
		SELECT p.partition, p.from_time, p.to_time, s.rows, s.bytes, CASE WHEN p.detach_pending THEN 'detach pending' END
		FROM period p, uidext_internal.uuid_partition_size(p.partition) s
		UNION ALL
		SELECT NULL, p.previous_time, p.from_time, 0, 0,
			CASE WHEN uidext_internal.uuid_partition_edge(k.default_partition, k.column_name, p.previous_id, p.from_id, false) IS NULL
				THEN 'gap'
				ELSE 'gap, with rows in the default partition'
			END
		FROM key k, period p
		WHERE p.previous_id <> p.from_id
		UNION ALL
		SELECT k.default_partition,
			uidext_internal.uuid_partition_boundary_time(k.layout,
				uidext_internal.uuid_partition_edge(k.default_partition, k.column_name, NULL::text, NULL::text, false)),
			uidext_internal.uuid_partition_boundary_time(k.layout,
				uidext_internal.uuid_partition_edge(k.default_partition, k.column_name, NULL::text, NULL::text, true)),
			s.rows, s.bytes, 'default'
		FROM key k, uidext_internal.uuid_partition_size(k.default_partition) s
		WHERE k.default_partition IS NOT NULL
	) line(partition, from_time, to_time, rows, bytes, note)
	ORDER BY line.note IS NOT DISTINCT FROM 'default', line.from_time, line.to_time;
END;
COMMENT ON FUNCTION uuid_partition_list(regclass) IS
	'the range partitions in the order of time with estimated rows and bytes, the gaps between them, and the default partition with the times of its first and last id; raises 42809 as uuid_partition_create()';

-- Partitions: retention

-- What a wrong sign would do here cannot be undone.
CREATE FUNCTION uidext_internal.uuid_partition_check_age(older_than timestamptz) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF NOT isfinite(older_than) OR older_than > now() THEN
		RAISE EXCEPTION 'older_than must be finite and not in the future'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('older_than is %s.', older_than);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_age(timestamptz) IS
	'raises 22023 for a time up to which nothing shall be removed: one in the future, or infinite';

CREATE FUNCTION uidext_internal.uuid_partition_remove(parent regclass, partition regclass, detach_only bool) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	pending bool := (SELECT inhdetachpending FROM pg_inherits WHERE inhrelid = partition AND inhparent = parent);
	kind text := (SELECT CASE relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END FROM pg_class WHERE oid = partition);
BEGIN
	-- detached first, because then foreign keys to the parent are checked rather than in the way
	PERFORM uidext_internal.uuid_partition_as_owner(parent,
		format('ALTER TABLE %s DETACH PARTITION %s %s', parent, partition, CASE WHEN pending THEN 'FINALIZE' END));
	IF NOT detach_only THEN
		EXECUTE format('DROP %s %s', kind, partition);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_remove(regclass, regclass, bool) IS
	'drops one partition, or only detaches it';

CREATE FUNCTION uuid_partition_drop(
	parent regclass, older_than timestamptz, detach_only bool DEFAULT false,
	OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint, OUT bytes bigint
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	period record;
BEGIN
	IF num_nulls(parent, older_than, detach_only) > 0 THEN
		RAISE EXCEPTION 'no argument may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_age(older_than);
	key := uidext_internal.uuid_partition_key(parent);
	PERFORM uidext_internal.uuid_partition_lock(parent);

	FOR period IN
		SELECT p.partition, p.partition::text AS name, p.from_time, p.to_time, p.detach_pending, s.rows, s.bytes
		FROM uidext_internal.uuid_partition_periods(parent, key.layout) p, uidext_internal.uuid_partition_size(p.partition) s
		WHERE p.to_time <= older_than
		ORDER BY p.from_time, p.to_time
	LOOP
		IF period.detach_pending AND NOT uidext_internal.uuid_partition_lock_detachments(parent) THEN
			PERFORM uidext_internal.uuid_partition_warn(period.name,
				CASE WHEN detach_only THEN 'not detached' ELSE 'not dropped' END, '55006', 'another session is detaching it');
			CONTINUE;
		END IF;
		PERFORM uidext_internal.uuid_partition_remove(parent, period.partition, detach_only);
		partition := period.name;
		from_time := period.from_time;
		to_time := period.to_time;
		rows := period.rows;
		bytes := period.bytes;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_drop(regclass, timestamptz, bool) IS
	'drops the range partitions that end at or before a time, or only detaches them, and returns what went; never the default partition; raises 22023 for a time in the future';

-- Partitions: detached while everybody reads and writes

CREATE FUNCTION uidext_internal.uuid_partition_detach_next(
	parent regclass, older_than timestamptz, after timestamptz,
	OUT partition text, OUT command text, OUT next_after timestamptz
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
BEGIN
	PERFORM uidext_internal.uuid_partition_check_age(older_than);
	key := uidext_internal.uuid_partition_key(parent);
	-- one that is pending comes first, because the server has no second one beside it
	SELECT p.partition::text, CASE WHEN p.detach_pending THEN after ELSE p.from_time END, format('ALTER TABLE %s DETACH PARTITION %s %s', parent, p.partition,
		CASE WHEN p.detach_pending THEN 'FINALIZE' ELSE 'CONCURRENTLY' END)
	INTO partition, next_after, command
	FROM uidext_internal.uuid_partition_periods(parent, key.layout) p
	WHERE p.detach_pending OR p.to_time <= older_than AND (after IS NULL OR p.from_time > after)
	ORDER BY p.detach_pending DESC, p.from_time
	LIMIT 1;
	IF command LIKE '% CONCURRENTLY' AND uidext_internal.uuid_partition_default(parent) IS NOT NULL THEN
		RAISE EXCEPTION 'table % has a default partition', parent
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'The server detaches CONCURRENTLY only without one.',
				HINT = 'Drain and detach it, or use uuid_partition_drop() with detach_only, which locks the table for a moment.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_detach_next(regclass, timestamptz, timestamptz) IS
	'the partition that uuid_partition_detach() detaches next, the command for it, and after which time to look for the one after it; NULL when there is none';

CREATE FUNCTION uidext_internal.uuid_partition_lock_detachments(parent regclass) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_partition_lock_detachments'
	LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION uidext_internal.uuid_partition_lock_detachments(regclass) IS
	'keeps uuid_partition_detach() of other sessions waiting until the transaction ends; false, at once, when one is running; raises 42501 for callers who do not have the rights of the table''s owner, 42P01';

CREATE PROCEDURE uuid_partition_detach(parent regclass, older_than timestamptz)
	AS 'MODULE_PATHNAME', 'uidext_partition_detach'
	LANGUAGE C;
COMMENT ON PROCEDURE uuid_partition_detach(regclass, timestamptz) IS
	'detaches CONCURRENTLY, one by one, the range partitions that end at or before a time; what was interrupted is finished first; raises 25001 where it is no command of its own, 55000 with a default partition, 22004, 22023, 42501, 42809, 42P01';

-- Partitions: old ones to another schema or other disks

CREATE FUNCTION uidext_internal.uuid_partition_move_commands(partition regclass, schema name, tablespace name) RETURNS SETOF text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY
		WITH relation AS (
			SELECT c.oid, c.relkind, c.relnamespace, coalesce(nullif(c.reltablespace, 0), d.dattablespace) AS tablespace_oid
			FROM pg_class c, pg_database d
			WHERE d.datname = current_database() AND (
				c.oid IN (SELECT t.relid FROM pg_partition_tree(partition) t)
				OR c.oid IN (SELECT x.indexrelid FROM pg_partition_tree(partition) t JOIN pg_index x ON x.indrelid = t.relid))
		)
		-- tables before indexes; the schema last, because names change with it
		SELECT format('ALTER %s %s SET TABLESPACE %I', CASE WHEN r.relkind IN ('i', 'I') THEN 'INDEX' ELSE 'TABLE' END, r.oid::regclass, s.spcname)
		FROM relation r JOIN pg_tablespace s ON s.spcname = tablespace
		WHERE r.relkind <> 'f' AND r.tablespace_oid <> s.oid
		ORDER BY r.relkind IN ('i', 'I'), r.oid;
	RETURN QUERY
		SELECT format('ALTER TABLE %s SET SCHEMA %I', c.oid::regclass, n.nspname)
		FROM pg_partition_tree(partition) t JOIN pg_class c ON c.oid = t.relid JOIN pg_namespace n ON n.nspname = schema
		WHERE c.relnamespace <> n.oid
		ORDER BY t.level DESC, c.oid;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_move_commands(regclass, name, name) IS
	'commands that bring a partition with all of its indexes into a tablespace and a schema, as far as it is not there; NULL leaves either as it is';

CREATE FUNCTION uidext_internal.uuid_partition_check_place(parent regclass, schema name, tablespace name) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	owner oid := (SELECT relowner FROM pg_class WHERE oid = parent);
BEGIN
	IF schema IS NULL AND tablespace IS NULL THEN
		RAISE EXCEPTION 'schema and tablespace may not both be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF schema IS NOT NULL AND NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = schema) THEN
		RAISE EXCEPTION 'there is no schema "%"', schema USING ERRCODE = 'invalid_schema_name';
	END IF;
	IF tablespace IS NOT NULL AND NOT EXISTS (SELECT FROM pg_tablespace WHERE spcname = tablespace) THEN
		RAISE EXCEPTION 'there is no tablespace "%"', tablespace USING ERRCODE = 'undefined_object';
	END IF;
	IF NOT has_schema_privilege(owner, schema, 'CREATE')
		OR NOT (has_tablespace_privilege(owner, tablespace, 'CREATE')
			OR EXISTS (SELECT FROM pg_database d JOIN pg_tablespace s ON s.oid = d.dattablespace WHERE d.datname = current_database() AND s.spcname = tablespace))
	THEN
		RAISE EXCEPTION 'the owner of table % may not create tables there', parent
			USING ERRCODE = 'insufficient_privilege', HINT = 'GRANT CREATE ON the schema or the tablespace.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_place(regclass, name, name) IS
	'raises 22004 when there is neither schema nor tablespace, 3F000 and 42704 for unknown ones, 42501 where a table''s owner may not make tables';

-- One command in one transaction: readers wait for no more than that.
CREATE FUNCTION uidext_internal.uuid_partition_move_next(
	parent regclass, older_than timestamptz, schema name, tablespace name, after timestamptz,
	OUT partition text, OUT command text, OUT problem text, OUT next_after timestamptz
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	period record;
BEGIN
	IF num_nulls(parent, older_than) > 0 THEN
		RAISE EXCEPTION 'parent and older_than may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_age(older_than);
	key := uidext_internal.uuid_partition_key(parent);
	-- only the owner, also when there is nothing to do
	PERFORM uidext_internal.uuid_partition_check_owner(parent);
	PERFORM uidext_internal.uuid_partition_check_place(parent, schema, tablespace);

	FOR period IN
		SELECT p.partition, p.from_time
		FROM uidext_internal.uuid_partition_periods(parent, key.layout) p
		WHERE p.to_time <= older_than AND NOT p.detach_pending AND (after IS NULL OR p.from_time > after)
		ORDER BY p.from_time
	LOOP
		command := (SELECT c FROM uidext_internal.uuid_partition_move_commands(period.partition, schema, tablespace) c LIMIT 1);
		EXIT WHEN command IS NOT NULL;
	END LOOP;
	IF command IS NULL THEN
		RETURN;
	END IF;

	partition := period.partition::text;
	-- the same partition again, until nothing is left to do
	next_after := nullif(period.from_time - interval '1 microsecond', '-infinity');
	BEGIN
		PERFORM uidext_internal.uuid_partition_as_owner(parent, command);
	EXCEPTION WHEN OTHERS THEN
		-- unless another call has done it meanwhile
		IF command = (SELECT c FROM uidext_internal.uuid_partition_move_commands(period.partition, schema, tablespace) c LIMIT 1) THEN
			problem := SQLSTATE || ': ' || SQLERRM;
			next_after := period.from_time;
		END IF;
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_move_next(regclass, timestamptz, name, name, timestamptz) IS
	'does the next command of uuid_partition_move() and returns it, and after which time to look for the next one; NULL when there is none';

-- Without a SET clause, which would keep it from committing: every name is
-- spelt out, and there is no operator.
CREATE PROCEDURE uuid_partition_move(parent regclass, older_than timestamptz, schema name DEFAULT NULL, tablespace name DEFAULT NULL)
	LANGUAGE plpgsql
AS $$
DECLARE
	done pg_catalog.record;
	after pg_catalog.timestamptz;
BEGIN
	LOOP
		done := uidext_internal.uuid_partition_move_next(parent, older_than, schema, tablespace, after);
		EXIT WHEN done.command IS NULL;
		after := done.next_after;
		COMMIT;
		IF done.problem IS NULL THEN
			RAISE NOTICE '%', done.command;
		ELSE
			RAISE WARNING 'partition % is not moved', done.partition USING DETAIL = done.problem;
		END IF;
	END LOOP;
END
$$;
COMMENT ON PROCEDURE uuid_partition_move(regclass, timestamptz, name, name) IS
	'moves the range partitions that end at or before a time, with their indexes, to another schema or tablespace, one command a transaction; goes on after a failure with a warning';

-- Partitions: maintenance in one call

-- What there is no partition for yet, gap by gap, because the partitions that
-- are there may be of any length.
CREATE FUNCTION uidext_internal.uuid_partition_missing(
	parent regclass, layout text, step interval, ahead int, kept_since timestamptz, tz text,
	OUT from_time timestamptz, OUT to_time timestamptz, OUT suffix text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- up to where all is covered, and up to where it shall be
	covered timestamptz;
	target timestamptz;
BEGIN
	-- the period of today: a partition's, or the one to come after the last
	SELECT p.to_time, p.to_time INTO covered, target
	FROM uidext_internal.uuid_partition_periods(parent, layout) p
	WHERE p.from_time <= now() AND p.to_time > now();
	IF NOT FOUND THEN
		-- after a long outage nothing is made that would be dropped at once
		SELECT CASE WHEN count(*) = 0 THEN uidext_internal.uuid_partition_origin(now(), step, tz)
				ELSE greatest(max(p.to_time), uidext_internal.uuid_partition_origin(kept_since, step, tz)) END
		INTO covered
		FROM uidext_internal.uuid_partition_periods(parent, layout) p
		WHERE p.to_time <= now();
		SELECT max(b.to_time) INTO target
		FROM @extschema@.uuid_partition_bounds(covered, now() + interval '1 microsecond', step, tz) b;
	END IF;
	target := uidext_internal.uuid_partition_add(target, step * ahead, tz);

	-- what does not fit before the next partition is cut short
	RETURN QUERY
		WITH gap AS (
			SELECT coalesce(lag(p.to_time) OVER w, covered) AS start, p.from_time AS stop
			FROM uidext_internal.uuid_partition_periods(parent, layout) p
			WHERE p.to_time > covered
			WINDOW w AS (ORDER BY p.from_time, p.to_time)
			UNION ALL
			SELECT greatest(max(p.to_time), covered), 'infinity'
			FROM uidext_internal.uuid_partition_periods(parent, layout) p
		)
		SELECT b.from_time, least(b.to_time, g.stop),
			uidext_internal.uuid_partition_suffix(b.from_time, CASE WHEN b.to_time > g.stop THEN g.stop - b.from_time ELSE step END, tz)
		FROM gap g,
			@extschema@.uuid_partition_bounds(g.start, CASE WHEN g.start < least(g.stop, target) THEN least(g.stop, target) END, step, tz) b
		ORDER BY b.from_time;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_missing(regclass, text, interval, int, timestamptz, text) IS
	'the periods that uuid_partition_maintain() makes partitions for, with the ends of their names; raises as uuid_partition_bounds()';

CREATE FUNCTION uidext_internal.uuid_partition_warn(partition text, action text, code text, message text) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF code = '23514' THEN
		RAISE WARNING 'partition % is %', partition, action
			USING DETAIL = message, HINT = 'uuid_partition_drain() moves rows out of the default partition.';
	ELSE
		RAISE WARNING 'partition % is %', partition, action USING DETAIL = message;
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_warn(text, text, text, text) IS
	'warns of what uuid_partition_maintain() could not do';

-- One after the other, each for itself: what cannot go does not keep the rest.
CREATE FUNCTION uidext_internal.uuid_partition_retire(
	parent regclass, layout text, kept_since timestamptz, detach_only bool, template regclass,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	done text := CASE WHEN detach_only THEN 'detached' ELSE 'dropped' END;
	period record;
	lock_is_missing bool := false;
BEGIN
	FOR period IN
		SELECT p.*, p.partition::text AS name
		FROM uidext_internal.uuid_partition_periods(parent, layout) p
		WHERE p.to_time <= kept_since AND p.partition IS DISTINCT FROM template
		ORDER BY p.from_time, p.to_time
	LOOP
		partition := period.name;
		from_time := period.from_time;
		to_time := period.to_time;
		BEGIN
			IF period.detach_pending AND NOT uidext_internal.uuid_partition_lock_detachments(parent) THEN
				RAISE EXCEPTION 'another session is detaching it' USING ERRCODE = 'object_in_use';
			END IF;
			PERFORM uidext_internal.uuid_partition_remove(parent, period.partition, detach_only);
			action := done;
			problem := NULL;
		EXCEPTION WHEN OTHERS THEN
			action := 'not ' || done;
			problem := SQLSTATE || ': ' || SQLERRM;
			lock_is_missing := SQLSTATE = '55P03';
			PERFORM uidext_internal.uuid_partition_warn(partition, action, SQLSTATE, SQLERRM);
		END;
		RETURN NEXT;
		-- the next one would wait as long, and everyone behind it
		EXIT WHEN lock_is_missing;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_retire(regclass, text, timestamptz, bool, regclass) IS
	'drops or detaches the partitions that end at or before a time, but for the template, and says of each whether it went';

CREATE FUNCTION uidext_internal.uuid_partition_extend(
	parent regclass, layout text, from_times timestamptz[], to_times timestamptz[], suffixes text[], template regclass,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	FOR i IN 1 .. cardinality(from_times) LOOP
		from_time := from_times[i];
		to_time := to_times[i];
		BEGIN
			partition := suffixes[i];
			partition := uidext_internal.uuid_partition_name(parent, suffixes[i]);
			partition := uidext_internal.uuid_partition_make(parent, layout, from_time, to_time, suffixes[i], template)::text;
			action := 'created';
			problem := NULL;
		EXCEPTION WHEN OTHERS THEN
			action := 'not created';
			problem := SQLSTATE || ': ' || SQLERRM;
			PERFORM uidext_internal.uuid_partition_warn(partition, action, SQLSTATE, SQLERRM);
		END;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_extend(regclass, text, timestamptz[], timestamptz[], text[], regclass) IS
	'makes the partitions of some periods, and says of each whether it is there';

CREATE FUNCTION uuid_partition_maintain(
	parent regclass, step interval, ahead int DEFAULT 3, keep interval DEFAULT NULL,
	detach_only bool DEFAULT false, tz text DEFAULT 'UTC', template regclass DEFAULT NULL,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	kept_since timestamptz;
	missing record;
BEGIN
	IF num_nulls(parent, step, ahead, detach_only, tz) > 0 THEN
		RAISE EXCEPTION 'no argument but keep and template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF ahead < 0 OR keep < '0' OR NOT isfinite(keep) THEN
		RAISE EXCEPTION 'ahead and keep must not be negative, nor keep infinite'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('ahead is %s, keep is %s.', ahead, coalesce(keep::text, 'NULL'));
	END IF;
	key := uidext_internal.uuid_partition_key(parent);
	PERFORM uidext_internal.uuid_partition_check_template(parent, template);
	-- step and tz, also when there is nothing to make
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
	kept_since := uidext_internal.uuid_partition_add(now(), -keep, tz);
	PERFORM uidext_internal.uuid_partition_lock(parent);

	-- what is missing depends on what was there
	SELECT coalesce(array_agg(m.from_time), '{}') AS from_times, coalesce(array_agg(m.to_time), '{}') AS to_times,
		coalesce(array_agg(m.suffix), '{}') AS suffixes
	INTO missing
	FROM uidext_internal.uuid_partition_missing(parent, key.layout, step, ahead, kept_since, tz) m;

	-- Dropping locks the parent, and making a default partition: in the order of every reader,
	-- because the other way round they would wait for each other.
	RETURN QUERY SELECT * FROM uidext_internal.uuid_partition_retire(parent, key.layout, kept_since, detach_only, template);
	RETURN QUERY SELECT * FROM uidext_internal.uuid_partition_extend(parent, key.layout, missing.from_times, missing.to_times, missing.suffixes, template);
END
$$;
COMMENT ON FUNCTION uuid_partition_maintain(regclass, interval, int, interval, bool, text, regclass) IS
	'drops (or detaches) what ended longer than keep ago, makes what is missing up to so many steps ahead, with what a template has besides, and says what it did and, with a warning, what it could not; raises 22023 for a negative ahead or keep';

-- Partitions: rows out of the default partition

-- The period of a time for which there is no partition, cut where others begin and end.
CREATE FUNCTION uidext_internal.uuid_partition_gap(
	parent regclass, layout text, at timestamptz, step interval, tz text,
	OUT from_time timestamptz, OUT to_time timestamptz, OUT suffix text
)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	period record;
BEGIN
	SELECT b.from_time, b.to_time INTO period
	FROM @extschema@.uuid_partition_bounds(uidext_internal.uuid_partition_origin(at, step, tz), at + interval '1 microsecond', step, tz) b
	ORDER BY b.from_time DESC
	LIMIT 1;
	SELECT greatest(period.from_time, max(p.to_time) FILTER (WHERE p.to_time <= at)),
		least(period.to_time, min(p.from_time) FILTER (WHERE p.from_time > at))
	INTO from_time, to_time
	FROM uidext_internal.uuid_partition_periods(parent, layout) p;
	suffix := uidext_internal.uuid_partition_suffix(from_time,
		CASE WHEN (from_time, to_time) = (period.from_time, period.to_time) THEN step ELSE to_time - from_time END, tz);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_gap(regclass, text, timestamptz, interval, text) IS
	'the period of one step around a time that no partition holds, and the end of its partition''s name';

CREATE FUNCTION uidext_internal.uuid_partition_default(parent regclass) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT nullif(p.partdefid, 0::oid)::regclass FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = parent::oid;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_default(regclass) IS
	'the default partition of a table, or NULL';

-- Moving a row deletes it, and what hangs on that must not happen.
CREATE FUNCTION uidext_internal.uuid_partition_check_references(parent regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	reference record;
BEGIN
	SELECT c.conname, c.conrelid::regclass AS "table" INTO reference
	FROM pg_constraint c
	WHERE c.contype = 'f' AND c.confdeltype IN ('c', 'n', 'd')
		AND (c.confrelid = parent OR c.confrelid IN (
			SELECT t.relid FROM pg_partition_tree(uidext_internal.uuid_partition_default(parent)) t))
	ORDER BY c.confrelid <> parent
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'foreign key "%" of table % would act on rows that are moved', reference.conname, reference."table"
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'Drop it, move the rows, add it again NOT VALID and validate it.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_references(regclass) IS
	'raises 55000 when a foreign key to a table or its default partition deletes or changes the rows that refer to deleted ones';

CREATE FUNCTION uidext_internal.uuid_partition_delete_triggers(source regclass, OUT disable text, OUT enable text)
	RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY
		SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', t.tgrelid::regclass, t.tgname),
			format('ALTER TABLE %s ENABLE %s TRIGGER %I', t.tgrelid::regclass, CASE t.tgenabled WHEN 'A' THEN 'ALWAYS' END, t.tgname)
		FROM pg_partition_tree(source) p JOIN pg_trigger t ON t.tgrelid = p.relid
		-- row or statement, before or after; 8 is DELETE
		WHERE NOT t.tgisinternal AND t.tgtype & 8 <> 0 AND t.tgenabled IN ('O', 'A')
		ORDER BY t.tgrelid, t.tgname;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_delete_triggers(regclass) IS
	'commands that keep the triggers of a partition from firing when rows are deleted, and that let them fire again';

-- The parent too, because whoever has planned for its partitions already would
-- look for the rows where they are no more.  Nobody waits for this for long: who
-- comes meanwhile goes first, and whoever waits for this transaction gets the
-- time to end.
CREATE FUNCTION uidext_internal.uuid_partition_lock_exclusively(parent regclass, source regclass) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	wait_before text := current_setting('lock_timeout');
	wait_ms int := (SELECT setting FROM pg_settings WHERE name = 'lock_timeout');
BEGIN
	-- less than deadlock_timeout, so that of two who wait for each other this one gives in
	PERFORM set_config('lock_timeout', least(nullif(wait_ms, 0), 500)::text, true);
	FOR attempt IN 1 .. 20 LOOP
		BEGIN
			PERFORM uidext_internal.uuid_partition_as_owner(parent, format(
				'LOCK TABLE ONLY %s, %s IN ACCESS EXCLUSIVE MODE', parent, source));
			EXIT;
		EXCEPTION WHEN lock_not_available THEN
			IF attempt = 20 THEN
				RAISE;
			END IF;
			PERFORM pg_sleep(0.1);
		END;
	END LOOP;
	PERFORM set_config('lock_timeout', wait_before, true);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_lock_exclusively(regclass, regclass) IS
	'locks a table and one of its partitions, in twenty attempts of half a second';

CREATE FUNCTION uidext_internal.uuid_partition_move_rows(
	parent regclass, source regclass, target regclass, column_name name, from_id text, to_id text
) RETURNS bigint
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	columns text := (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
		WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
BEGIN
	RETURN uidext_internal.uuid_partition_as_owner(parent, format(
		'WITH gone AS (DELETE FROM %1$s WHERE %3$s RETURNING %4$s), '
		'moved AS (INSERT INTO %2$s (%4$s) SELECT %4$s FROM gone RETURNING 1) '
		'SELECT count(*) FROM moved',
		source, target, uidext_internal.uuid_partition_condition(source, column_name, from_id, to_id), columns));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_move_rows(regclass, regclass, regclass, name, text, text) IS
	'moves the rows between two bounds from one table into another and returns how many there were';

-- In one transaction: whoever reads the parent finds each row once.
CREATE FUNCTION uidext_internal.uuid_partition_carve(
	parent regclass, source regclass, column_name name, from_id text, to_id text, suffix text, template regclass,
	OUT partition regclass, OUT moved bigint
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	disable text[] := ARRAY(SELECT t.disable FROM uidext_internal.uuid_partition_delete_triggers(source) t);
	enable text[] := ARRAY(SELECT t.enable FROM uidext_internal.uuid_partition_delete_triggers(source) t);
BEGIN
	partition := uidext_internal.uuid_partition_table(parent, uidext_internal.uuid_partition_name(parent, suffix), NULL::name, template);
	PERFORM uidext_internal.uuid_partition_run(parent,
		ARRAY(SELECT uidext_internal.uuid_partition_storage_commands(parent, partition, template)) || disable);

	-- beside writers, and once more what they wrote meanwhile
	moved := uidext_internal.uuid_partition_move_rows(parent, source, partition, column_name, from_id, to_id);
	PERFORM uidext_internal.uuid_partition_lock_exclusively(parent, source);
	moved := moved + uidext_internal.uuid_partition_move_rows(parent, source, partition, column_name, from_id, to_id);

	PERFORM uidext_internal.uuid_partition_run(parent, enable);
	PERFORM uidext_internal.uuid_partition_as_owner(parent,
		format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, partition, from_id, to_id));
	PERFORM uidext_internal.uuid_partition_run(parent,
		ARRAY(SELECT uidext_internal.uuid_partition_access_commands(partition, template)));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_carve(regclass, regclass, name, text, text, text, regclass) IS
	'moves the rows between two bounds out of the default partition into a partition of their own';

CREATE FUNCTION uidext_internal.uuid_partition_drain_next(
	parent regclass, step interval, tz text, start timestamptz, stop timestamptz, after_id text, template regclass,
	OUT partition text, OUT moved bigint, OUT problem text, OUT next_id text
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	source regclass;
	at timestamptz;
	gap record;
BEGIN
	IF num_nulls(parent, step, tz) > 0 THEN
		RAISE EXCEPTION 'parent, step and tz may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	key := uidext_internal.uuid_partition_key(parent);
	PERFORM uidext_internal.uuid_partition_check_template(parent, template);
	-- of two callers at once the second finds the next period
	PERFORM uidext_internal.uuid_partition_lock(parent);
	PERFORM uidext_internal.uuid_partition_check_references(parent);
	source := uidext_internal.uuid_partition_default(parent);
	IF source IS NOT NULL AND uidext_internal.uuid_partition_has_rows(source, key.column_name) IS NULL THEN
		RAISE EXCEPTION 'not all rows of the default partition % are visible', source
			USING ERRCODE = 'insufficient_privilege', DETAIL = 'Row security hides them from its owner or from the caller, or it is a table of others.',
				HINT = 'ALTER TABLE ... NO FORCE ROW LEVEL SECURITY while rows are moved.';
	END IF;
	at := uidext_internal.uuid_partition_boundary_time(key.layout,
		uidext_internal.uuid_partition_edge(source, key.column_name, coalesce(after_id, uidext_internal.uuid_partition_boundary(key.layout, start)), NULL::text, false));
	-- what lies further ahead is a stray, and no reason for a partition
	IF at IS NULL OR at >= coalesce(stop, (
		SELECT greatest(now(), max(p.to_time) FILTER (WHERE isfinite(p.to_time))) + step
		FROM uidext_internal.uuid_partition_periods(parent, key.layout) p)) THEN
		RETURN;
	END IF;

	gap := uidext_internal.uuid_partition_gap(parent, key.layout, greatest(at, '1970-01-01 00:00:00+00'), step, tz);
	next_id := uidext_internal.uuid_partition_boundary(key.layout, gap.to_time);
	partition := gap.suffix;
	BEGIN
		partition := uidext_internal.uuid_partition_name(parent, gap.suffix);
		-- a deferred one would fail at COMMIT, where nobody goes on with the next period
		SET CONSTRAINTS ALL IMMEDIATE;
		SELECT c.moved INTO moved
		FROM uidext_internal.uuid_partition_carve(parent, source, key.column_name,
			uidext_internal.uuid_partition_boundary(key.layout, gap.from_time), next_id, gap.suffix, template) c;
	EXCEPTION WHEN OTHERS THEN
		problem := SQLSTATE || ': ' || SQLERRM;
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_drain_next(regclass, interval, text, timestamptz, timestamptz, text, regclass) IS
	'moves the rows of the first period after an id out of the default partition; next_id is where the next one begins, NULL when there are no more';

-- Without a SET clause, which would keep it from committing: every name is
-- spelt out, and there is no operator.
CREATE PROCEDURE uuid_partition_drain(
	parent regclass, step interval, tz text DEFAULT 'UTC',
	start timestamptz DEFAULT NULL, stop timestamptz DEFAULT NULL, template regclass DEFAULT NULL
)
	LANGUAGE plpgsql
AS $$
DECLARE
	done pg_catalog.record;
	next_id pg_catalog.text;
BEGIN
	LOOP
		done := uidext_internal.uuid_partition_drain_next(parent, step, tz, start, stop, next_id, template);
		EXIT WHEN done.next_id IS NULL;
		next_id := done.next_id;
		COMMIT;
		IF done.problem IS NULL THEN
			RAISE NOTICE 'partition %: % rows moved', done.partition, done.moved;
		ELSE
			RAISE WARNING 'partition % is not created', done.partition USING DETAIL = done.problem;
		END IF;
	END LOOP;
END
$$;
COMMENT ON PROCEDURE uuid_partition_drain(regclass, interval, text, timestamptz, timestamptz, regclass) IS
	'moves rows from the default partition into new partitions of their periods, with what a template has besides, one by one, and commits after each; goes on after a failure with a warning; raises 42501 where the owner or the caller does not see all rows';

-- Partitions: alarm

-- Up to when there is a partition for every time from now on; NULL when there is none for now.
CREATE FUNCTION uidext_internal.uuid_partition_covered(parent regclass, layout text) RETURNS timestamptz
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	period record;
	covered timestamptz;
BEGIN
	FOR period IN
		SELECT p.from_time, p.to_time FROM uidext_internal.uuid_partition_periods(parent, layout) p
		WHERE p.to_time > now() AND NOT p.detach_pending
		ORDER BY p.from_time, p.to_time
	LOOP
		EXIT WHEN period.from_time > coalesce(covered, now());
		covered := period.to_time;
	END LOOP;
	RETURN covered;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_covered(regclass, text) IS
	'up to when there is a partition for every time from now on; NULL when there is none for now';

CREATE FUNCTION uuid_partition_check(
	parent regclass, ahead interval DEFAULT '7 days', keep interval DEFAULT NULL,
	OUT severity int, OUT status text, OUT message text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	covered timestamptz;
	rest regclass;
BEGIN
	IF num_nulls(parent, ahead) > 0 THEN
		RAISE EXCEPTION 'parent and ahead may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	key := uidext_internal.uuid_partition_key(parent);
	covered := uidext_internal.uuid_partition_covered(parent, key.layout);
	rest := uidext_internal.uuid_partition_default(parent);

	RETURN QUERY
		WITH found(severity, message) AS (
			SELECT 2, 'no partition for the present' WHERE covered IS NULL
			UNION ALL
			SELECT 1, format('no partition from %s on', covered)
			WHERE covered < uidext_internal.uuid_partition_add(now(), ahead, 'UTC')
			UNION ALL
			SELECT 1, format('rows in the default partition %s', rest)
			-- by the statistics, which are for everyone, when the caller may not look
			WHERE coalesce(uidext_internal.uuid_partition_has_rows(rest, key.column_name),
				(SELECT s.rows > 0 FROM uidext_internal.uuid_partition_size(rest) s))
			UNION ALL
			SELECT 1, format('partition %s waits to be detached', p.partition)
			FROM uidext_internal.uuid_partition_periods(parent, key.layout) p
			WHERE p.detach_pending
			UNION ALL
			SELECT 1, format('partitions older than %s: %s, the first is of %s', keep, count(*), min(p.from_time))
			FROM uidext_internal.uuid_partition_periods(parent, key.layout) p
			WHERE p.to_time <= uidext_internal.uuid_partition_add(now(), -keep, 'UTC')
			HAVING count(*) > 0
		), problem AS (
			SELECT * FROM found
			UNION ALL
			SELECT 0, format('partitions up to %s', covered) WHERE NOT EXISTS (SELECT FROM found)
		)
		SELECT p.severity, (ARRAY['OK', 'WARNING', 'CRITICAL'])[p.severity + 1], p.message
		FROM problem p
		ORDER BY p.severity DESC, p.message;
END
$$;
COMMENT ON FUNCTION uuid_partition_check(regclass, interval, interval) IS
	'what is wrong with a table''s partitions, worst first, else one line OK: 0 OK, 1 WARNING, 2 CRITICAL, when nothing is there for the present; reads only';

-- Partitions by country, here or on another server

-- postgres_fdw finds the rows of an UPDATE or DELETE again by ctid, which only
-- one plain table keeps unique: foreign partitions stand for leaves, and a
-- server tells others through this view which ones it has.
CREATE VIEW uidext_internal.iuid_leaves AS
SELECT n.nspname AS parent_schema, p.relname AS parent_table, hash.bound[2]::int % 257 AS country,
	hash.bound[1]::int AS modulus, hash.bound[2]::int AS remainder, c.relname AS partition, c.relkind = 'p' AS by_time,
	ln.nspname AS leaf_schema, l.relname AS leaf_table, leaf.bound = 'DEFAULT' AS is_default,
	period.bound[1]::uuid AS from_id, period.bound[2]::uuid AS to_id,
	l.relkind = 'r' AND (c.relkind = 'r' OR leaf.bound = 'DEFAULT' OR period.bound IS NOT NULL) AS is_plain
FROM pg_catalog.pg_partitioned_table k
	JOIN pg_catalog.pg_opclass o ON o.oid = k.partclass[0] AND o.opcname IN ('iuid_country_ops', 'uuid_country_ops')
	JOIN pg_catalog.pg_class p ON p.oid = k.partrelid
	JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace
	JOIN pg_catalog.pg_inherits i ON i.inhparent = p.oid
	JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
	CROSS JOIN regexp_match(pg_get_expr(c.relpartbound, 0::oid), 'modulus ([0-9]+), remainder ([0-9]+)') hash(bound)
	CROSS JOIN pg_partition_tree(c.oid::regclass) t
	JOIN pg_catalog.pg_class l ON l.oid = t.relid::oid
	JOIN pg_catalog.pg_namespace ln ON ln.oid = l.relnamespace
	CROSS JOIN pg_get_expr(l.relpartbound, 0::oid) leaf(bound)
	CROSS JOIN regexp_match(leaf.bound, '^FOR VALUES FROM [(](?:MINVALUE|''(.*)'')[)] TO [(](?:MAXVALUE|''(.*)'')[)]$') period(bound)
WHERE hash.bound[1]::int % 257 = 0 AND t.level = CASE c.relkind WHEN 'p' THEN 1 ELSE 0 END;
COMMENT ON VIEW uidext_internal.iuid_leaves IS
	'the tables in which rows of tables partitioned by iuid_country_ops are, with their bounds; iuid_partition_create() of another server reads it';
GRANT SELECT ON uidext_internal.iuid_leaves TO PUBLIC;

CREATE VIEW uidext_internal.iuid_partition_requests AS
SELECT NULL::name AS parent_schema, NULL::name AS parent_table, NULL::int AS country,
	NULL::timestamptz AS start, NULL::timestamptz AS stop, NULL::interval AS step, NULL::text AS tz
WHERE false;
COMMENT ON VIEW uidext_internal.iuid_partition_requests IS
	'a row inserted here is a call of iuid_partition_create(); iuid_partition_create() of another server inserts it';
GRANT INSERT ON uidext_internal.iuid_partition_requests TO PUBLIC;

CREATE FUNCTION uidext_internal.iuid_partition_request() RETURNS trigger
	LANGUAGE plpgsql
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM @extschema@.iuid_partition_create(format('%I.%I', new.parent_schema, new.parent_table)::regclass,
		ARRAY[new.country], NULL::name, new.start, new.stop, new.step, new.tz);
	RETURN new;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_request() IS
	'trigger of iuid_partition_requests: makes the partitions asked for, with the rights of who inserts';

CREATE TRIGGER iuid_partition_request
	INSTEAD OF INSERT ON uidext_internal.iuid_partition_requests
	FOR EACH ROW EXECUTE FUNCTION uidext_internal.iuid_partition_request();

CREATE FUNCTION uidext_internal.iuid_remote_leaves(server name, parent_schema name, parent_table name, country int)
	RETURNS SETOF uidext_internal.iuid_leaves
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('CREATE FOREIGN TABLE pg_temp.uidext_iuid_leaves (parent_schema name, parent_table name, country int,
			modulus int, remainder int, partition name, by_time bool,
			leaf_schema name, leaf_table name, is_default bool, from_id uuid, to_id uuid, is_plain bool)
		SERVER %I OPTIONS (schema_name ''uidext_internal'', table_name ''iuid_leaves'')', server);
	RETURN QUERY EXECUTE 'SELECT * FROM pg_temp.uidext_iuid_leaves l
		WHERE l.parent_schema = $1 AND l.parent_table = $2 AND l.country = $3 ORDER BY l.remainder, l.from_id NULLS FIRST'
		USING parent_schema, parent_table, country;
	DROP FOREIGN TABLE pg_temp.uidext_iuid_leaves;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_remote_leaves(name, name, name, int) IS
	'the rows of iuid_leaves that another server has for one table and country; errors are those of postgres_fdw';

CREATE FUNCTION uidext_internal.iuid_remote_request(
	server name, parent_schema name, parent_table name, country int,
	start timestamptz, stop timestamptz, step interval, tz text
) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('CREATE FOREIGN TABLE pg_temp.uidext_iuid_partition_requests (parent_schema name, parent_table name, country int,
			start timestamptz, stop timestamptz, step interval, tz text)
		SERVER %I OPTIONS (schema_name ''uidext_internal'', table_name ''iuid_partition_requests'')', server);
	EXECUTE 'INSERT INTO pg_temp.uidext_iuid_partition_requests VALUES ($1, $2, $3, $4, $5, $6, $7)'
		USING parent_schema, parent_table, country, start, stop, step, tz;
	DROP FOREIGN TABLE pg_temp.uidext_iuid_partition_requests;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_remote_request(name, name, name, int, timestamptz, timestamptz, interval, text) IS
	'has another server call iuid_partition_create() with these arguments, in this transaction; errors are that server''s';

CREATE FUNCTION uidext_internal.iuid_partition_make(parent regclass, partition text, range_key name, bound text) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM uidext_internal.uuid_partition_table(parent, partition, range_key, NULL::regclass);
	PERFORM uidext_internal.uuid_partition_as_owner(parent,
		format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bound));
	RETURN partition::regclass;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_make(regclass, text, name, text) IS
	'makes a partition of a qualified and quoted name, partitioned by range of a column unless that is NULL, and returns it; raises as uuid_partition_create()';

-- The country's partition here, partitioned by time when a step is given.
CREATE FUNCTION uidext_internal.iuid_partition_local(
	parent regclass, key name, country int, start timestamptz, stop timestamptz, step interval, tz text
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bound text := format('FOR VALUES WITH (modulus 257, remainder %s)', country);
	partition regclass := uidext_internal.uuid_partition_with_bound(parent, bound);
BEGIN
	IF partition IS NULL THEN
		partition := uidext_internal.iuid_partition_make(parent,
			uidext_internal.uuid_partition_name(parent,
				coalesce((SELECT lower(c.code) FROM @extschema@.iuid_countries c WHERE c.id = country), country::text)),
			CASE WHEN step IS NOT NULL THEN key END, bound);
		RETURN NEXT partition;
	END IF;
	IF step IS NOT NULL THEN
		RETURN QUERY SELECT * FROM @extschema@.uuid_partition_create(partition, start, stop, step, tz);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_local(regclass, name, int, timestamptz, timestamptz, interval, text) IS
	'makes the partition of one country here, with time partitions when step is given; returns what it made';

-- A foreign table for each leaf that the country has on its server, with the
-- same names and bounds.  Nothing but values of that server enters the DDL.
CREATE FUNCTION uidext_internal.iuid_partition_foreign(parent regclass, key name, country int, server name) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	parent_schema name;
	parent_table name;
	leaf record;
	attach_to regclass;
	bound text;
BEGIN
	SELECT n.nspname, c.relname INTO parent_schema, parent_table
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = parent;

	FOR leaf IN SELECT * FROM uidext_internal.iuid_remote_leaves(server, parent_schema, parent_table, country) LOOP
		IF NOT leaf.is_plain THEN
			RAISE EXCEPTION 'a foreign partition cannot stand for table % of server "%"',
					format('%I.%I', leaf.leaf_schema, leaf.leaf_table), server
				USING ERRCODE = 'wrong_object_type',
					DETAIL = 'It is partitioned itself, foreign, or not bounded by ids, and an UPDATE through it could change rows of other ids.',
					HINT = 'Partition by country, and by range of the id beneath, with plain tables as leaves.';
		END IF;

		attach_to := parent;
		bound := format('FOR VALUES WITH (modulus %s, remainder %s)', leaf.modulus, leaf.remainder);
		IF leaf.by_time THEN
			attach_to := uidext_internal.uuid_partition_with_bound(parent, bound);
			IF attach_to IS NULL THEN
				attach_to := uidext_internal.iuid_partition_make(parent, format('%I.%I', parent_schema, leaf.partition), key, bound);
				RETURN NEXT attach_to;
			END IF;
			bound := CASE WHEN leaf.is_default THEN 'DEFAULT'
				ELSE format('FOR VALUES FROM (%s) TO (%s)',
					coalesce(quote_literal(leaf.from_id), 'MINVALUE'), coalesce(quote_literal(leaf.to_id), 'MAXVALUE'))
			END;
		END IF;

		CONTINUE WHEN uidext_internal.uuid_partition_with_bound(attach_to, bound) IS NOT NULL;
		-- as the owner, because the server may have to run what stands in checks of a default partition
		PERFORM uidext_internal.uuid_partition_as_owner(attach_to,
			format('CREATE FOREIGN TABLE %I.%I PARTITION OF %s %s SERVER %I OPTIONS (schema_name %L, table_name %L)',
				parent_schema, leaf.leaf_table, attach_to, bound, server, leaf.leaf_schema, leaf.leaf_table));
		RETURN NEXT uidext_internal.uuid_partition_with_bound(attach_to, bound);
	END LOOP;
	IF leaf IS NULL THEN
		RAISE EXCEPTION 'table % of server "%" has no partition of country %',
				format('%I.%I', parent_schema, parent_table), server, country
			USING ERRCODE = 'undefined_table',
				HINT = 'Call iuid_partition_create() there first.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_foreign(regclass, name, int, name) IS
	'makes the foreign partitions for the leaves of one country on its server that are not there yet; returns what it made';

CREATE FUNCTION uidext_internal.iuid_partition_key(parent regclass) RETURNS name
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	column_name name;
BEGIN
	SELECT a.attname INTO column_name
	FROM pg_partitioned_table p
		JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partrelid = parent AND p.partstrat = 'h' AND p.partnatts = 1
		AND o.opcname IN ('iuid_country_ops', 'uuid_country_ops') AND o.opcnamespace = '@extschema@'::regnamespace;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'table % is not partitioned by country', parent
			USING ERRCODE = 'wrong_object_type',
				HINT = 'Create it with PARTITION BY HASH (id iuid_country_ops).';
	END IF;
	RETURN column_name;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_key(regclass) IS
	'the one column by which a table is partitioned by country; raises 42809 for other tables';

CREATE FUNCTION iuid_partition_create(
	parent regclass, countries int[], server name DEFAULT NULL,
	start timestamptz DEFAULT NULL, stop timestamptz DEFAULT NULL,
	step interval DEFAULT NULL, tz text DEFAULT 'UTC'
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key name;
	country int;
BEGIN
	IF num_nulls(parent, countries) > 0 THEN
		RAISE EXCEPTION 'parent and countries may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF num_nonnulls(start, stop, step) > 0 AND num_nulls(start, stop, step, tz) > 0 THEN
		RAISE EXCEPTION 'time partitions need start, stop, step and tz' USING ERRCODE = 'invalid_parameter_value';
	END IF;

	key := uidext_internal.iuid_partition_key(parent);
	IF NOT (SELECT attnotnull FROM pg_attribute WHERE attrelid = parent AND attname = key) THEN
		RAISE EXCEPTION 'column "%" of table % may be NULL', key, parent
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'Hash partitioning puts NULL where REMAINDER is 0, which is a country.',
				HINT = format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL', parent, key);
	END IF;
	PERFORM uidext_internal.uuid_partition_lock(parent);

	FOREACH country IN ARRAY countries LOOP
		IF country IS NULL OR country NOT BETWEEN 0 AND 255 THEN
			RAISE EXCEPTION 'country id % is out of range', coalesce(country::text, 'NULL')
				USING ERRCODE = 'numeric_value_out_of_range',
					DETAIL = 'An iUID holds ids from 0 to 255.';
		END IF;
		IF server IS NULL THEN
			RETURN QUERY SELECT * FROM uidext_internal.iuid_partition_local(parent, key, country, start, stop, step, tz);
			CONTINUE;
		END IF;
		IF step IS NOT NULL THEN
			PERFORM uidext_internal.iuid_remote_request(server, n.nspname, c.relname, country, start, stop, step, tz)
			FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
			WHERE c.oid = parent;
		END IF;
		RETURN QUERY SELECT * FROM uidext_internal.iuid_partition_foreign(parent, key, country, server);
	END LOOP;
END
$$;
COMMENT ON FUNCTION iuid_partition_create(regclass, int[], name, timestamptz, timestamptz, interval, text) IS
	'makes the missing partitions of countries (with a step by time beneath) and returns them; with a server, foreign tables for its leaves; raises 42809, 55000, 22003, 22004, 22023, 42704, 42601, and as uuid_partition_create()';

-- Rows by period

-- The column by whose range a table is partitioned, else its primary key.
CREATE FUNCTION uidext_internal.uuid_time_key(relation regclass, OUT column_name name, OUT layout text, OUT by_range bool)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	column_number smallint;
	column_type regtype;
BEGIN
	SELECT a.attname, a.attnum, a.atttypid, key.by_range,
		coalesce(uidext_internal.uuid_partition_layout(a.atttypid), uidext_internal.uuid_partition_scheme(relation, a.attnum))
	INTO column_name, column_number, column_type, by_range, layout
	FROM (
		SELECT true, p.partattrs[0]
		FROM pg_partitioned_table p JOIN pg_opclass o ON o.oid = p.partclass[0]
		WHERE p.partrelid = relation AND p.partstrat = 'r' AND p.partnatts = 1 AND o.opcdefault
		UNION ALL
		SELECT false, i.indkey[0] FROM pg_index i
		WHERE i.indrelid = relation AND i.indisprimary AND i.indnkeyatts = 1
	) key(by_range, column_number)
		JOIN pg_attribute a ON a.attrelid = relation AND a.attnum = key.column_number
	ORDER BY key.by_range DESC
	LIMIT 1;
	IF layout IS NULL THEN
		RAISE EXCEPTION 'table % has no key that holds the time', relation
			USING ERRCODE = 'wrong_object_type',
				DETAIL = 'Neither is it partitioned by range of one column of type uuid, iuid or ulid, nor is one its primary key.',
				HINT = CASE column_type WHEN 'bigint'::regtype
					THEN 'A bigint column needs a check of its scheme, such as CHECK (uid_is_valid(id, ''snowflake'')).'
					ELSE 'uuid_boundary() gives the bounds to count another column by.' END;
	END IF;
	IF uidext_internal.uuid_partition_default_is_gregorian(relation, column_number) THEN
		RAISE EXCEPTION 'column "%" of table % holds UUIDv1, v6 or v13', column_name, relation
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = 'Its default makes them, and their time is Gregorian.',
				HINT = 'Count those of v6 and v13 between bounds of uuidv6_boundary(); v1 does not sort by time.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_time_key(regclass) IS
	'the column whose ids tell when the rows of a table were made, and their layout; raises 42809 for a table without, 22023 for a default of v1, v6 or v13';

-- An id has whole milliseconds: those of a period begin with the first that is not before it.
CREATE FUNCTION uidext_internal.uuid_time_boundary(layout text, at timestamptz) RETURNS text
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_partition_boundary(layout, date_trunc('milliseconds', at + interval '999 microseconds'));
COMMENT ON FUNCTION uidext_internal.uuid_time_boundary(text, timestamptz) IS
	'the least id as text of the first millisecond that is not before a time; raises as uuid_partition_boundary()';

-- What is counted whole is counted without comparing ids, but only where this
-- gives what a SELECT from the parent would: rights and row security are those
-- of the parent there.
CREATE FUNCTION uidext_internal.uuid_time_partitions(
	parent regclass, layout text,
	OUT from_id text, OUT to_id text, OUT place bigint, OUT follows bool, OUT source text
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.from_id, p.to_id, row_number() OVER ordered, p.from_id = pg_catalog.lag(p.to_id) OVER ordered,
		CASE WHEN has_schema_privilege(c.relnamespace, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
				AND NOT row_security_active(c.oid) AND NOT row_security_active(parent::oid)
			THEN format('%I.%I', n.nspname, c.relname) END
	FROM uidext_internal.uuid_partition_periods(parent, layout) p
		-- which knows what has been detached since the snapshot was taken
		JOIN pg_partition_tree(parent) t ON t.relid::oid = p.partition::oid
		JOIN pg_catalog.pg_class c ON c.oid = p.partition::oid
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE NOT p.detach_pending
	WINDOW ordered AS (ORDER BY p.from_time, p.to_time);
END;
COMMENT ON FUNCTION uidext_internal.uuid_time_partitions(regclass, text) IS
	'the range partitions of a table with their place, whether one follows that before it without a gap, and the name, which is NULL where the caller may count its rows in the parent only; raises as uuid_partition_boundary_time()';

-- A count for each period, some hundred counts in a query, which may share them
-- among workers.  Bounds are literals, so that the planner never looks at other
-- partitions; all names are qualified, because the query runs where the caller's
-- search_path holds, which row security may depend on.
CREATE FUNCTION uidext_internal.uuid_time_bucket_queries(
	relation regclass, start timestamptz, stop timestamptz, step interval, tz text,
	OUT from_times timestamptz[], OUT to_times timestamptz[], OUT query text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record := uidext_internal.uuid_time_key(relation);
	bound_type text := CASE key.layout WHEN 'uuid' THEN 'pg_catalog.uuid' WHEN 'ulid' THEN '@extschema@.ulid' ELSE 'pg_catalog.int8' END;
	-- where the type has operators of its own: a ulid of the SQL edition has those of text
	operators text := CASE WHEN to_regoperator(format('%1$s.>=(%2$s,%2$s)', '@extschema@', bound_type)) IS NULL THEN 'pg_catalog' ELSE '@extschema@' END;
	relation_name text := (
		SELECT format('%I.%I', n.nspname, c.relname)
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.oid = relation);
BEGIN
	-- an error for those who may not read it; from now on no partition goes
	EXECUTE format('SELECT %I FROM %s WHERE false', key.column_name, relation_name);

	RETURN QUERY
		WITH period AS (
			SELECT p.ordinality, p.from_time, least(p.to_time, stop) AS to_time,
				uidext_internal.uuid_time_boundary(key.layout, p.from_time) AS from_id,
				uidext_internal.uuid_time_boundary(key.layout, least(p.to_time, stop)) AS to_id
			FROM @extschema@.uuid_partition_bounds(start, stop, step, tz) WITH ORDINALITY p
		), partition AS MATERIALIZED (
			SELECT * FROM uidext_internal.uuid_time_partitions(relation, key.layout) WHERE key.by_range
		), whole AS (
			-- the partitions that a period is made of; more than a year of days are
			-- left to the parent, which no length of a query limits
			SELECT b.ordinality, array_agg(p.source ORDER BY p.place) AS sources
			FROM period b
				JOIN partition first ON first.from_id = b.from_id
				JOIN partition last ON last.to_id = b.to_id AND last.place - first.place < 400,
				LATERAL generate_series(first.place, last.place) AS places(place)
				JOIN partition p USING (place)
			GROUP BY b.ordinality, first.place
			HAVING bool_and(p.source IS NOT NULL AND (p.follows OR p.place = first.place))
		), batch AS (
			SELECT b.*, w.sources, (sum(coalesce(cardinality(w.sources), 1)) OVER (ORDER BY b.ordinality) - 1) / 100 AS number
			FROM period b LEFT JOIN whole w USING (ordinality)
		), counted AS (
			SELECT b.*, row_number() OVER (PARTITION BY b.number ORDER BY b.ordinality) AS n
			FROM batch b
		)
		SELECT array_agg(c.from_time ORDER BY c.n), array_agg(c.to_time ORDER BY c.n),
			format('SELECT $1[counted.n], $2[counted.n], pg_catalog.sum(rows)::pg_catalog.int8 FROM (%s) AS counted(n, rows) GROUP BY n ORDER BY n',
				string_agg(coalesce(
					(SELECT string_agg(format('SELECT %s, pg_catalog.count(*) FROM %s', c.n, s.source), ' UNION ALL ') FROM unnest(c.sources) AS s(source)),
					format('SELECT %1$s, pg_catalog.count(*) FROM %2$s WHERE %3$I OPERATOR(%4$s.>=) %6$L::%5$s AND %3$I OPERATOR(%4$s.<) %7$L::%5$s',
						c.n, relation_name, key.column_name, operators, bound_type, c.from_id, c.to_id)), ' UNION ALL '))
		FROM counted c
		GROUP BY c.number
		ORDER BY c.number;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_time_bucket_queries(regclass, timestamptz, timestamptz, interval, text) IS
	'the queries of uuid_time_buckets(), with the periods that each takes as parameters; raises as uuid_time_buckets()';

-- STABLE, so that all queries see the caller's snapshot.  There is too little to
-- compile in a count.
CREATE FUNCTION uuid_time_buckets(
	parent regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET jit = off
AS $$
DECLARE
	counts pg_catalog.record;
BEGIN
	FOR counts IN
		SELECT q.* FROM uidext_internal.uuid_time_bucket_queries(parent, start, stop, step, tz) q
	LOOP
		RETURN QUERY EXECUTE counts.query USING counts.from_times, counts.to_times;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_time_buckets(regclass, timestamptz, timestamptz, interval, text) IS
	'rows of each period of one step from start until stop, also of empty ones, by the times in the key; raises 42809 for a table without such a key, 22023 and 22008 as uuid_partition_bounds()';

-- What the keys of a database cost

CREATE FUNCTION uidext_internal.uuid_leaf_density(index regclass, exact bool, estimate numeric) RETURNS numeric
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	schema name;
	density float8;
BEGIN
	IF NOT exact THEN
		RETURN round(estimate, 1);
	END IF;
	SELECT n.nspname INTO schema
	FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
	WHERE e.extname = 'pgstattuple';
	IF schema IS NULL THEN
		RAISE EXCEPTION 'pgstattuple is not installed'
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'CREATE EXTENSION pgstattuple';
	END IF;
	EXECUTE format('SELECT avg_leaf_density FROM %I.pgstatindex($1)', schema) INTO density USING index;
	RETURN round(nullif(density, 'NaN')::numeric, 1);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_leaf_density(regclass, bool, numeric) IS
	'how full an index''s leaf pages are, in percent: the estimate, or what pgstattuple reads; raises 55000 without pgstattuple';

-- An entry of a btree on one uuid takes 28 bytes of a leaf page; entries that
-- are equal share 31.5 (24, a line pointer, and what rounds them up to 8) and
-- take 6 each.  A page holds 40 bytes less than its size; ordered inserts leave
-- 10 % of it free.
-- 143 bytes of WAL are the difference between random and ordered keys in
-- bench/run index: ten batches of 100,000 rows, a checkpoint before each.
CREATE FUNCTION uuid_key_report(exact bool DEFAULT false) RETURNS TABLE (
	table_name regclass, column_name name, index_name regclass, layout text, correlation real,
	index_bytes bigint, leaf_density numeric, inserts bigint,
	index_bytes_saved bigint, wal_bytes_saved bigint, note text
)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH keys AS (
		SELECT i.indrelid, i.indexrelid, a.attname, s.correlation, x.relpages::float8 AS pages,
			pg_catalog.pg_relation_size(i.indexrelid::regclass) AS bytes,
			CASE WHEN u.is_ulid THEN v.ids::ulid[]::uuid[] ELSE v.ids::uuid[] END AS sample, u.is_ulid,
			CASE WHEN i.indnatts = 1::smallint AND x.reltuples > 0::real THEN x.reltuples::float8 END AS entries,
			CASE WHEN i.indisunique OR s.n_distinct IS NULL THEN 1::float8
				WHEN s.n_distinct < 0::real THEN -s.n_distinct::float8
				ELSE s.n_distinct::float8 / greatest(x.reltuples::float8, 1::float8) END AS different
		FROM pg_index i
			JOIN pg_class x ON x.oid = i.indexrelid AND x.relkind = 'i'
			JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
			JOIN pg_class t ON t.oid = i.indrelid AND t.relkind <> 't'
			JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema')
			JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
			-- of 16 bytes: a ulid of the SQL edition is a text
			JOIN pg_type y ON y.oid = a.atttypid AND y.typlen = 16::smallint
			CROSS JOIN LATERAL (SELECT uidext_internal.uuid_partition_layout(y.oid::regtype) = 'ulid') AS u(is_ulid)
			LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = t.relname AND s.attname = a.attname AND NOT s.inherited
			CROSS JOIN LATERAL (SELECT coalesce(s.histogram_bounds, s.most_common_vals)::text) AS v(ids)
		WHERE u.is_ulid IS NOT NULL
			-- which pgstattuple would refuse
			AND i.indisvalid AND NOT pg_is_other_temp_schema(n.oid)
	), kinds AS (
		SELECT k.indexrelid, d.kind, count(*)::numeric / (sum(count(*)) OVER (PARTITION BY k.indexrelid)) AS share,
			pg_catalog.array_agg(DISTINCT u.country) FILTER (WHERE d.kind = 'iUID' AND NOT EXISTS (SELECT FROM iuid_countries c WHERE c.id = u.country)) AS strangers
		FROM keys k, pg_catalog.unnest(k.sample) AS v(id), uuid_inspect(v.id) AS u,
			LATERAL (SELECT CASE WHEN k.is_ulid THEN 'ULID' WHEN u.version IS DISTINCT FROM 4 THEN u.layout
				WHEN u.comb_time BETWEEN '2000-01-01 00:00+00' AND now() + interval '1 year' THEN 'COMB'
				WHEN u.suffix_comb_time BETWEEN '2000-01-01 00:00+00' AND now() + interval '1 year' THEN 'suffix COMB'
				ELSE 'UUIDv4' END) AS d(kind)
		GROUP BY k.indexrelid, d.kind
	), layouts AS (
		SELECT indexrelid,
			CASE WHEN count(*) = 1 THEN max(kind)
				ELSE string_agg(pg_catalog.format('%s %s %%', kind, round(share * 100.0)), ', ' ORDER BY share DESC, kind) END AS layout,
			bool_or(kind NOT IN ('UUIDv6', 'UUIDv7', 'COMB', 'iUID', 'Lambert v13', 'ULID')) AS random,
			max(pg_catalog.array_to_string(pg_catalog.array_remove(strangers, NULL), ', ')) AS strangers
		FROM kinds
		-- by chance one random id in 300 looks like a COMB
		WHERE share >= 0.05
		GROUP BY indexrelid
	), costs AS (
		SELECT k.*, l.layout, nullif(l.strangers, '') AS strangers, pg_stat_get_tuples_inserted(k.indrelid) AS inserts,
			l.random AND abs(k.correlation) < 0.9::real AS random,
			uidext_internal.uuid_leaf_density(k.indexrelid::regclass, exact,
				(100::float8 * k.entries * least(28::float8, 6::float8 + 31.5::float8 * k.different)
					/ (k.pages * (current_setting('block_size')::float8 - 40::float8)))::numeric) AS density
		FROM keys k LEFT JOIN layouts l ON l.indexrelid = k.indexrelid
	)
	SELECT c.indrelid::regclass, c.attname, c.indexrelid::regclass, c.layout, c.correlation, c.bytes, c.density, c.inserts,
		CASE WHEN c.random THEN greatest(0::numeric, c.bytes::numeric * (1::numeric - c.density / 90::numeric))::bigint ELSE 0 END,
		CASE WHEN c.random THEN c.inserts * 143 ELSE 0 END,
		CASE WHEN c.layout IS NULL THEN 'no statistics: ANALYZE, or no right to read the column'
			WHEN c.strangers IS NOT NULL THEN 'countries that iuid_countries does not have: ' || c.strangers
			WHEN c.random THEN 'random: time-ordered keys would be cheaper'
			ELSE 'in order' END
	FROM costs c
	ORDER BY c.random DESC NULLS LAST, c.bytes DESC, c.indexrelid::regclass::text;
END;
COMMENT ON FUNCTION uuid_key_report(bool) IS
	'each valid btree index that a uuid, iuid or ulid leads: layout and order from pg_stats, size, density (read by pgstattuple when exact), and what ordered keys would save; raises 55000 without pgstattuple';
