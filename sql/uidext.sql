-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION uidext" to load this file. \quit

-- Types

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
COMMENT ON COLUMN uuid_info.random_bits IS 'bits that are neither time, nor a field, nor version and variant: what an outsider has to guess at the most (54 in an iUID, of which gen_iuid() fills 6 from the clock); NULL where the layout does not say';

-- UUIDv7

CREATE FUNCTION gen_uuidv7() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv7'
	LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION gen_uuidv7() IS
	'new UUIDv7: Unix milliseconds, 12 bits of their fraction, 62 random bits; greater than every earlier one of the session';

CREATE FUNCTION gen_uuidv7(shift interval) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv7_shift'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_uuidv7(interval) IS
	'new UUIDv7 of the current time plus shift; keeps the session''s order among ids of one shift without months or days; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION gen_uuidv7_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv7_at'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_uuidv7_at(timestamptz) IS
	'new UUIDv7 of the given time (microseconds count); no order within 1/4096 ms; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

CREATE FUNCTION uuidv7_is_valid(id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuidv7_is_valid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuidv7_is_valid(uuid) IS
	'whether version and variant are those of a UUIDv7';

CREATE DOMAIN uuid_v7 AS uuid
	CONSTRAINT uuid_v7_check CHECK (uuidv7_is_valid(VALUE));
COMMENT ON DOMAIN uuid_v7 IS
	'a uuid that is a valid UUIDv7; another value raises 23514. Partition bounds: uuidv7_boundary()';

-- COMB

CREATE FUNCTION gen_comb() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_comb'
	LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION gen_comb() IS
	'new COMB: a version 4 with Unix milliseconds in its first 48 bits, 12 bits of their fraction, and 62 random bits; greater than every earlier one of the session';

CREATE FUNCTION gen_comb_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_comb_at(timestamptz) IS
	'new COMB of the given time; no order within a millisecond; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

CREATE FUNCTION gen_suffix_comb() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_suffix_comb'
	LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION gen_suffix_comb() IS
	'new suffix COMB: a version 4 with Unix milliseconds in its last 48 bits, where SQL Server sorts first, and 74 random bits; no order within a millisecond';

CREATE FUNCTION gen_suffix_comb_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_suffix_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_suffix_comb_at(timestamptz) IS
	'new suffix COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

-- Short COMB and sequence COMB

CREATE FUNCTION gen_short_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_comb'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_short_comb(interval) IS
	'new short COMB: a version 4 whose first 16 bits count intervals since 1970, modulo 65536 (45.5 days of minutes), and 106 random bits; raises 22023 for an interval that is not positive, has months, or is no whole number of milliseconds';

CREATE FUNCTION gen_short_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_short_comb_at(timestamptz, interval) IS
	'new short COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities; 22023 as gen_short_comb()';

CREATE FUNCTION gen_short_suffix_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_suffix_comb'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_short_suffix_comb(interval) IS
	'new short suffix COMB: as gen_short_comb(), with the counter in b10 and b11, where SQL Server sorts first; raises 22023 as gen_short_comb()';

CREATE FUNCTION gen_short_suffix_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_suffix_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_short_suffix_comb_at(timestamptz, interval) IS
	'new short suffix COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities; 22023 as gen_short_comb()';

CREATE FUNCTION gen_sequence_comb(sequence regclass, block_size int DEFAULT 65536) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_sequence_comb'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION gen_sequence_comb(regclass, int) IS
	'new sequence COMB: a version 4 whose first 16 bits are nextval(sequence) / block_size, modulo 65536, and 106 random bits; raises 22023 for a block_size below 1, and as nextval() 42809 for what is no sequence, 2200H at its end';

-- iUID

CREATE FUNCTION gen_iuid(country int, service_entity int) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_iuid(int, int) IS
	'new iUID: a version 8 of Unix milliseconds, country, service entity, 6 bits of the milliseconds'' fraction, and 48 random bits; greater than every earlier one of the session with the same country and entity; raises 22003 for ids outside 0 to 255';

CREATE FUNCTION gen_iuid(country text, service_entity text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_names'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_iuid(text, text) IS
	'new iUID with ids from the registry: country by code or name in iuid_countries, entity by name in iuid_service_entities; raises 22023 for a name that is not there';

CREATE FUNCTION gen_iuid(service_entity int) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_own'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_iuid(int) IS
	'new iUID with the country of the setting uidext.country; raises 22023 when that is unset, 22003 for an id outside 0 to 255';

CREATE FUNCTION gen_iuid(service_entity text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_own_name'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_iuid(text) IS
	'new iUID with the country of the setting uidext.country and the entity''s id from the registry; raises 22023 when the setting is unset or the name is not there';

CREATE FUNCTION gen_iuid_at(at timestamptz, country int, service_entity int) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_at'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
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

-- UUIDv1, UUIDv6 and Lambert's v13

CREATE FUNCTION gen_uuidv1() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv1'
	LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION gen_uuidv1() IS
	'new UUIDv1: Gregorian time in 100 ns, random clock sequence and node (61 bits); its time never steps back within a session';

CREATE FUNCTION gen_uuidv1_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv1_at'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_uuidv1_at(timestamptz) IS
	'new UUIDv1 of the given time; no order within a microsecond; raises 22008 for times outside 1970-01-01 to 5236-03-31 and infinities';

CREATE FUNCTION gen_uuidv6() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv6'
	LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION gen_uuidv6() IS
	'new UUIDv6: Gregorian time in 100 ns, random clock sequence and node (61 bits); greater than every earlier one of the session';

CREATE FUNCTION gen_uuidv6_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv6_at'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_uuidv6_at(timestamptz) IS
	'new UUIDv6 of the given time; no order within a microsecond; raises 22008 for times outside 1970-01-01 to 5236-03-31 and infinities';

CREATE FUNCTION gen_uuidv13() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv13'
	LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION gen_uuidv13() IS
	'new Lambert v13 (a UUIDv1 with its timestamp in order): Gregorian time in 100 ns, random clock sequence and node (61 bits); greater than every earlier one of the session';

CREATE FUNCTION gen_uuidv13_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv13_at'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_uuidv13_at(timestamptz) IS
	'new Lambert v13 (a UUIDv1 with its timestamp in order) of the given time; no order within a microsecond; raises 22008 for times outside 1970-01-01 to 5236-03-31 and infinities';

-- Readers

CREATE FUNCTION uuid_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuid_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_time(uuid) IS
	'creation time in a v1, v6, v7, v13 or iUID, and the time of a boundary value; floored to 1 us (v1, v6, v13) or 1 ms; NULL for every other layout';

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
	'start of the interval with the block of a short COMB, nearest to near (of two, the earlier); NULL for versions other than 4, and when no interval of the range has that block; raises 22008 for times outside 1970-01-01 to 10889-08-02, 22023 as gen_short_comb()';

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
	'whether a short COMB made from at - past to at + future has this block, also across the wrap; false for versions other than 4; raises 22023 for a window of 65536 blocks or more, which would accept everything; raises 22023 for a negative tolerance or months, 22008 for an at outside 1970-01-01 to 10889-08-02';

-- Conversions

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

-- Byte orders of SQL Server and MySQL, and ULIDs

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

CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_ulid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_to_ulid(uuid) IS
	'the 128 bits as a ULID: 26 digits of Crockford''s base 32 in upper case; sorts as the uuid does in the collation "C"';

CREATE FUNCTION ulid_to_uuid(ulid text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_ulid_to_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_to_uuid(text) IS
	'inverse of uuid_to_ulid(), in upper or lower case, with I and L for 1 and O for 0; read its time with uuid_boundary_time(), because a ULID has no version; raises 22P02 for text that is no ULID';

CREATE FUNCTION uuid_sqlserver_cmp(a uuid, b uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_sqlserver_cmp(uuid, uuid) IS
	'below, equal to or above 0 as SQL Server sorts a before, with or after b';

CREATE FUNCTION uuid_sqlserver_lt(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_sqlserver_lt(uuid, uuid) IS
	'implementation of ~<~: whether SQL Server sorts a before b';

CREATE FUNCTION uuid_sqlserver_le(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_sqlserver_le(uuid, uuid) IS
	'implementation of ~<=~: whether SQL Server sorts a before or with b';

CREATE FUNCTION uuid_sqlserver_ge(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_sqlserver_ge(uuid, uuid) IS
	'implementation of ~>=~: whether SQL Server sorts a after or with b';

CREATE FUNCTION uuid_sqlserver_gt(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_sqlserver_gt(uuid, uuid) IS
	'implementation of ~>~: whether SQL Server sorts a after b';

CREATE FUNCTION uuid_sqlserver_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_sortsupport'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_sqlserver_sortsupport(internal) IS
	'sort support of uuid_sqlserver_ops';

CREATE OPERATOR ~<~ (
	LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_sqlserver_lt,
	COMMUTATOR = ~>~, NEGATOR = ~>=~,
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR ~<~ (uuid, uuid) IS 'SQL Server sorts it before the other';

CREATE OPERATOR ~<=~ (
	LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_sqlserver_le,
	COMMUTATOR = ~>=~, NEGATOR = ~>~,
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR ~<=~ (uuid, uuid) IS 'SQL Server sorts it before or with the other';

CREATE OPERATOR ~>=~ (
	LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_sqlserver_ge,
	COMMUTATOR = ~<=~, NEGATOR = ~<~,
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR ~>=~ (uuid, uuid) IS 'SQL Server sorts it after or with the other';

CREATE OPERATOR ~>~ (
	LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_sqlserver_gt,
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
	FUNCTION 1 uuid_sqlserver_cmp(uuid, uuid),
	FUNCTION 2 uuid_sqlserver_sortsupport(internal),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS uuid_sqlserver_ops USING btree IS
	'the order in which SQL Server sorts the bytes it stores: b10-b15, b8-b9, b6-b7, b4-b5, b0-b3; for a column that holds what it prints, index uuid_from_sqlserver(id)';
COMMENT ON OPERATOR FAMILY uuid_sqlserver_ops USING btree IS
	'the order in which SQL Server sorts the bytes it stores';

-- Boundaries

CREATE FUNCTION uuid_boundary(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_boundary(timestamptz) IS
	'boundary of a millisecond: 48 bits of Unix milliseconds (floor), then 80 zero bits; sorts below every id of that millisecond with a Unix-time layout; nil UUID for -infinity, max UUID for infinity; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uuid_boundary_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_boundary_time(uuid) IS
	'first 48 bits read as Unix milliseconds, whatever the version; 1970-01-01 to 10889-08-02';

CREATE FUNCTION uuidv7_boundary(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv7_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_boundary(timestamptz) IS
	'least valid UUIDv7 of a millisecond, for partition bounds of uuid_v7 columns; least and greatest valid UUIDv7 for the infinities; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION iuid_boundary(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_iuid_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION iuid_boundary(timestamptz) IS
	'least valid iUID of a millisecond, for partition bounds of iuid columns; least and greatest valid iUID for the infinities; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uuidv6_boundary(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv6_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv6_boundary(timestamptz) IS
	'boundary for v6 and v13: top 48 bits of the Gregorian timestamp (floor, steps of 409.6 us), then 80 zero bits; nil UUID for -infinity, max UUID for infinity; raises 22008 for times outside 1970-01-01 to 5236-03-31. Do not read it with uuid_time()';

CREATE FUNCTION uuidv6_boundary_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuidv6_boundary_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuidv6_boundary_time(uuid) IS
	'inverse of uuidv6_boundary() for whole milliseconds; of other values the first microsecond of the 409.6 us that the first 48 bits stand for, 1582-10-15 to 5236-03-31, whatever the version';

CREATE FUNCTION uuid_boundary_at_or_after(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary_at_or_after'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_boundary_at_or_after(timestamptz) IS
	'boundary of the first millisecond not before a time: time >= at is id >= this; nil UUID before 1970, max UUID after 10889';

CREATE FUNCTION uuid_boundary_after(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary_after'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_boundary_after(timestamptz) IS
	'boundary of the first millisecond after a time: time > at is id >= this; nil UUID before 1970, max UUID after 10889';

CREATE FUNCTION uuid_range_lower(period tstzrange) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_range_lower'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_range_lower(tstzrange) IS
	'lower bound of a period: time in period is id >= this and id < uuid_range_upper(period); max UUID for an empty range';

CREATE FUNCTION uuid_range_upper(period tstzrange) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_range_upper'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_range_upper(tstzrange) IS
	'upper bound of a period, not included: see uuid_range_lower(); nil UUID for an empty range';

CREATE FUNCTION uuidv7_ceiling(boundary uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv7_ceiling'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuidv7_ceiling(uuid) IS
	'least valid UUIDv7 at or above a boundary: the first of its millisecond; max UUID for the max UUID';

CREATE FUNCTION iuid_ceiling(boundary uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_iuid_ceiling'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION iuid_ceiling(uuid) IS
	'least valid iUID at or above a boundary: the first of its millisecond; max UUID for the max UUID';

CREATE CAST (uuid AS timestamptz) WITH FUNCTION uuid_time(uuid);
COMMENT ON CAST (uuid AS timestamptz) IS 'uuid_time()';

CREATE CAST (timestamptz AS uuid) WITH FUNCTION uuid_boundary(timestamptz);
COMMENT ON CAST (timestamptz AS uuid) IS 'uuid_boundary()';

-- A set, so that WHERE refuses it: a statement's own snapshot is too old.
CREATE FUNCTION uuid_safe_boundary() RETURNS SETOF uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_safe_boundary'
	LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 1;
COMMENT ON FUNCTION uuid_safe_boundary() IS
	'one row: the newest boundary below which no open transaction of this database can add an id made by this server; a later statement sees all ids below it that will ever be. Holds for ids that the inserting transaction makes with the clock (v7, COMB, iUID; for v6 and v13 give its uuid_boundary_time() to uuidv6_boundary()), not for ids of clients, of _at or of a negative shift, nor while the clock steps back. Nil UUID while a prepared transaction is open; a transaction of a session without track_activities counts from the session''s start. Raises 55000 on a standby and above READ COMMITTED, 0A000 in a statement that reads a table';

-- Time predicates
--
-- The planner asks uuid_predicate_support() what a call of one of these functions
-- stands for, and gets a plain comparison of uuids: index conditions and partition
-- pruning follow.  The functions themselves run where it is told nothing, as with
-- a period that comes from a sub-select.

CREATE FUNCTION uuid_predicate_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'uidext_uuid_predicate_support'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_predicate_support(internal) IS
	'for the planner: the comparison of uuids that a time predicate stands for';

CREATE FUNCTION uuid_lt_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_lt_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uuid_predicate_support;
COMMENT ON FUNCTION uuid_lt_timestamptz(uuid, timestamptz) IS
	'implementation of uuid < timestamptz: whether the id''s millisecond is before the time';

CREATE FUNCTION uuid_le_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_le_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uuid_predicate_support;
COMMENT ON FUNCTION uuid_le_timestamptz(uuid, timestamptz) IS
	'implementation of uuid <= timestamptz: whether the id''s millisecond is at or before the time';

CREATE FUNCTION uuid_ge_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_ge_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uuid_predicate_support;
COMMENT ON FUNCTION uuid_ge_timestamptz(uuid, timestamptz) IS
	'implementation of uuid >= timestamptz: whether the id''s millisecond is at or after the time';

CREATE FUNCTION uuid_gt_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_gt_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uuid_predicate_support;
COMMENT ON FUNCTION uuid_gt_timestamptz(uuid, timestamptz) IS
	'implementation of uuid > timestamptz: whether the id''s millisecond is after the time';

CREATE FUNCTION uuid_in_tstzrange(id uuid, period tstzrange) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_in_tstzrange'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uuid_predicate_support;
COMMENT ON FUNCTION uuid_in_tstzrange(uuid, tstzrange) IS
	'implementation of uuid <@ tstzrange: whether the id''s millisecond lies in the period';

CREATE FUNCTION timestamptz_lt_uuid(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_lt_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uuid_predicate_support;
COMMENT ON FUNCTION timestamptz_lt_uuid(timestamptz, uuid) IS
	'implementation of timestamptz < uuid: whether the time is before the id''s millisecond';

CREATE FUNCTION timestamptz_le_uuid(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_le_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uuid_predicate_support;
COMMENT ON FUNCTION timestamptz_le_uuid(timestamptz, uuid) IS
	'implementation of timestamptz <= uuid: whether the time is at or before the id''s millisecond';

CREATE FUNCTION timestamptz_ge_uuid(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_ge_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uuid_predicate_support;
COMMENT ON FUNCTION timestamptz_ge_uuid(timestamptz, uuid) IS
	'implementation of timestamptz >= uuid: whether the time is at or after the id''s millisecond';

CREATE FUNCTION timestamptz_gt_uuid(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_gt_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uuid_predicate_support;
COMMENT ON FUNCTION timestamptz_gt_uuid(timestamptz, uuid) IS
	'implementation of timestamptz > uuid: whether the time is after the id''s millisecond';

CREATE FUNCTION tstzrange_contains_uuid(period tstzrange, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_tstzrange_contains_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uuid_predicate_support;
COMMENT ON FUNCTION tstzrange_contains_uuid(tstzrange, uuid) IS
	'implementation of tstzrange @> uuid: whether the id''s millisecond lies in the period';

CREATE OPERATOR < (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_lt_timestamptz,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (uuid, timestamptz) IS
	'id made before the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <= (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_le_timestamptz,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (uuid, timestamptz) IS
	'id made at or before the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR >= (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_ge_timestamptz,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (uuid, timestamptz) IS
	'id made at or after the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR > (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_gt_timestamptz,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (uuid, timestamptz) IS
	'id made after the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR < (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_lt_uuid,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (timestamptz, uuid) IS
	'time before that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <= (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_le_uuid,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (timestamptz, uuid) IS
	'time at or before that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR >= (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_ge_uuid,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (timestamptz, uuid) IS
	'time at or after that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR > (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_gt_uuid,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (timestamptz, uuid) IS
	'time after that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <@ (
	LEFTARG = uuid, RIGHTARG = tstzrange, FUNCTION = uuid_in_tstzrange,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (uuid, tstzrange) IS
	'id made within the period (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR @> (
	LEFTARG = tstzrange, RIGHTARG = uuid, FUNCTION = tstzrange_contains_uuid,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (tstzrange, uuid) IS
	'period contains the time of the id (Unix-time layouts: v7, iUID, COMB)';

-- pg_partman
--
-- It calls the decoder with text: an id, a partition's bound as the catalog
-- shows it, or NULL where it finds neither.

CREATE FUNCTION uuid_time_encoder(at timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uuid_boundary(at);
COMMENT ON FUNCTION uuid_time_encoder(timestamptz) IS
	'uuid_boundary() as p_time_encoder of pg_partman 5.2 or later; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uuid_time_decoder(id text) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uuid_boundary_time(nullif(id, '')::uuid);
COMMENT ON FUNCTION uuid_time_decoder(text) IS
	'uuid_boundary_time() as p_time_decoder of pg_partman 5.2 or later; NULL for an empty string; raises 22P02 for text that is no uuid';

CREATE FUNCTION uuid_time_decoder(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uuid_boundary_time(id);
COMMENT ON FUNCTION uuid_time_decoder(uuid) IS
	'the same for an id that is a uuid already';

-- Routing by country
--
-- Equality and the plain hash are core's own, so that this family serves as
-- well as core's wherever the planner should meet it.

CREATE FUNCTION iuid_country_hash_extended(id uuid, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_iuid_country_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION iuid_country_hash_extended(uuid, bigint) IS
	'partition hash of iuid_country_ops: with MODULUS 256 the REMAINDER is the country; raises 22023 for an id that is no iUID, also where a query only looks for it';

CREATE OPERATOR CLASS iuid_country_ops FOR TYPE uuid USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 uuid_hash(uuid),
	FUNCTION 2 iuid_country_hash_extended(uuid, bigint);
COMMENT ON OPERATOR CLASS iuid_country_ops USING hash IS
	'PARTITION BY HASH (id iuid_country_ops): with MODULUS 256 the REMAINDER is the country of the iUID; another id raises 22023, in look-ups too';
COMMENT ON OPERATOR FAMILY iuid_country_ops USING hash IS
	'hash partitioning of iUIDs by country';

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
-- a trusted extension's tables belong to the bootstrap superuser
GRANT INSERT, UPDATE, DELETE, TRUNCATE ON iuid_countries, iuid_service_entities, iuid_routes
	TO @extowner@ WITH GRANT OPTION;

CREATE FUNCTION iuid_registry_changed() RETURNS trigger
	AS 'MODULE_PATHNAME', 'uidext_iuid_registry_changed'
	LANGUAGE C;
COMMENT ON FUNCTION iuid_registry_changed() IS
	'trigger of the registry tables: sessions read them anew once the change commits, at their next transaction at the latest; raises 39P01 when called otherwise';

-- For each row, because logical replication fires no other triggers, and ALWAYS
-- for its sake; TRUNCATE has none for rows.
CREATE TRIGGER iuid_registry_changed
	AFTER INSERT OR UPDATE OR DELETE ON iuid_countries
	FOR EACH ROW EXECUTE FUNCTION iuid_registry_changed();
CREATE TRIGGER iuid_registry_truncated
	AFTER TRUNCATE ON iuid_countries
	FOR EACH STATEMENT EXECUTE FUNCTION iuid_registry_changed();
CREATE TRIGGER iuid_registry_changed
	AFTER INSERT OR UPDATE OR DELETE ON iuid_service_entities
	FOR EACH ROW EXECUTE FUNCTION iuid_registry_changed();
CREATE TRIGGER iuid_registry_truncated
	AFTER TRUNCATE ON iuid_service_entities
	FOR EACH STATEMENT EXECUTE FUNCTION iuid_registry_changed();

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
	'adds the 249 countries of ISO 3166-1 to iuid_countries and returns how many were new; a numeric code below 256 is the id (Brazil 76), the others have ids of their own that never change; raises 23505 when an id, code or name is taken by another country';

-- Partitions

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
	'successive periods of one step from start until stop is covered, in local time of a time zone (calendar months, days of 23 to 25 hours), with their boundaries; give start with its offset; raises 22023 for start >= stop, infinities, or a step under 1 ms or with a negative unit, 22008 for times outside 1970-01-01 to 10889-08-02';

-- The single column by which a table is partitioned, and how it is bounded.
CREATE FUNCTION uuid_partition_key(
	parent regclass, strategy "char", gregorian bool,
	OUT column_name name, OUT boundary text
)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
BEGIN
	SELECT a.attname, a.attnum, a.atttypid
	INTO key
	FROM pg_partitioned_table p
		JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_type t ON t.oid = a.atttypid
		JOIN pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partrelid = parent AND p.partstrat = strategy AND p.partnatts = 1
		AND 'uuid'::regtype IN (t.oid, t.typbasetype)
		AND (strategy = 'r' AND o.opcdefault
			OR strategy = 'h' AND o.opcname = 'iuid_country_ops' AND o.opcnamespace = '@extschema@'::regnamespace);
	IF NOT FOUND THEN
		RAISE EXCEPTION 'table % is not partitioned by %', parent,
				CASE strategy WHEN 'r' THEN 'range on one uuid column' ELSE 'country' END
			USING ERRCODE = 'wrong_object_type',
				HINT = CASE strategy
					WHEN 'r' THEN 'Create it with PARTITION BY RANGE (id).'
					ELSE 'Create it with PARTITION BY HASH (id iuid_country_ops).'
				END;
	END IF;
	IF gregorian AND key.atttypid IN ('@extschema@.iuid'::regtype, '@extschema@.uuid_v7'::regtype) THEN
		RAISE EXCEPTION 'column "%" of table % cannot hold UUIDv6 or v13', key.attname, parent
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('Its type is %s.', key.atttypid::regtype);
	END IF;
	-- no id would ever meet the partitions
	IF strategy = 'r' AND NOT gregorian AND EXISTS (
		SELECT FROM pg_attrdef d
			JOIN pg_depend u ON u.classid = 'pg_attrdef'::regclass AND u.objid = d.oid AND u.refclassid = 'pg_proc'::regclass
		WHERE d.adrelid = parent AND d.adnum = key.attnum
			AND u.refobjid IN (
				'@extschema@.gen_uuidv6()'::regprocedure, '@extschema@.uuidv1_to_v6(uuid)'::regprocedure,
				'@extschema@.gen_uuidv13()'::regprocedure, '@extschema@.uuidv1_to_v13(uuid)'::regprocedure
			)
	) THEN
		RAISE EXCEPTION 'column "%" of table % holds UUIDv6 or v13', key.attname, parent
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = 'Its default makes them, and their time is Gregorian.',
				HINT = 'Pass gregorian => true.';
	END IF;

	column_name := key.attname;
	boundary := '@extschema@.' || CASE
		WHEN key.atttypid = '@extschema@.iuid'::regtype THEN 'iuid_boundary'
		WHEN key.atttypid = '@extschema@.uuid_v7'::regtype THEN 'uuidv7_boundary'
		WHEN gregorian THEN 'uuidv6_boundary'
		ELSE 'uuid_boundary'
	END;
END
$$;
COMMENT ON FUNCTION uuid_partition_key(regclass, "char", bool) IS
	'the one uuid column by which a table is partitioned, by range (r) or by country (h), and the qualified name of the function that bounds it in time; raises 42809 for other tables, 22023 for gregorian and a domain of other ids, or a default of v6 or v13 without it';

CREATE FUNCTION uuid_partition_suffix(from_time timestamptz, step interval, tz text) RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN to_char(from_time AT TIME ZONE tz, CASE
		WHEN step >= interval '1 year' AND step = date_trunc('year', step) THEN 'YYYY'
		WHEN step = date_trunc('month', step) THEN 'YYYY_MM'
		WHEN step = date_trunc('day', step) THEN 'YYYY_MM_DD'
		WHEN step = date_trunc('minute', step) THEN 'YYYY_MM_DD_HH24MI'
		ELSE 'YYYY_MM_DD_HH24MISS_MS'
	END);
COMMENT ON FUNCTION uuid_partition_suffix(timestamptz, interval, text) IS
	'start of a period as the end of a partition''s name, as fine as the step needs: 2026, 2026_01, 2026_01_31, 2026_01_31_1200; raises 22023 for an unknown time zone, 22008 for a time that timestamp cannot hold there';

-- A table beside the parent that can be attached to it, as PARTITION OF would
-- make it, but without locking the parent.
CREATE FUNCTION uuid_partition_table(parent regclass, suffix text, range_key name) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	partition text := @extschema@.uuid_partition_name(parent, suffix);
BEGIN
	IF partition IS NULL THEN
		RAISE EXCEPTION 'parent and suffix may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	EXECUTE (
		SELECT concat_ws(' ',
			format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING INDEXES EXCLUDING IDENTITY)', partition, parent),
			'PARTITION BY RANGE (' || quote_ident(range_key) || ')',
			'USING ' || quote_ident(a.amname),
			'TABLESPACE ' || quote_ident(t.spcname))
		FROM pg_class c
			LEFT JOIN pg_am a ON a.oid = c.relam
			LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace
		WHERE c.oid = parent
	);
	-- whoever keeps the partitions, the parent's owner owns them
	EXECUTE (
		SELECT format('ALTER TABLE %s OWNER TO %I', partition, r.rolname)
		FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
		WHERE c.oid = parent
	);
	RETURN partition::regclass;
END
$$;
COMMENT ON FUNCTION uuid_partition_table(regclass, text, name) IS
	'makes a table like the parent, of its owner and in its schema, tablespace and access method, ready to be attached, and partitioned by range of the given column unless that is NULL; raises 42622 and 42P07 for its name, 42703 or 42601 for the column, 42809 for a parent that is no table, 22004 for NULL or a parent that is not there, 0A000 before 17 for a column with a parent that is not partitioned, 42501 without the right to create it';

CREATE FUNCTION uuid_partition_name(parent regclass, suffix text) RETURNS text
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
COMMENT ON FUNCTION uuid_partition_name(regclass, text) IS
	'qualified and quoted name of a partition: schema of the parent, then its name, underscore, suffix; raises 42622 for a name that the server would cut, 22004 for a parent that is not there';

-- The partition of a parent with exactly this bound, or NULL.
CREATE FUNCTION uuid_partition_with_bound(parent regclass, bound text) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass
	FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
	WHERE i.inhparent = parent::oid AND NOT i.inhdetachpending
		AND pg_get_expr(c.relpartbound, c.oid) = bound;
END;
COMMENT ON FUNCTION uuid_partition_with_bound(regclass, text) IS
	'the partition of a parent that has exactly this bound, as pg_get_expr(relpartbound) shows it; NULL when there is none';

CREATE FUNCTION uuid_partition_periods(
	parent regclass, gregorian bool,
	OUT partition regclass, OUT from_id uuid, OUT to_id uuid,
	OUT from_time timestamptz, OUT to_time timestamptz, OUT detach_pending bool
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass, b.from_id, b.to_id,
		CASE
			WHEN b.from_id = uuid_boundary(timestamptz '-infinity') THEN '-infinity'
			WHEN gregorian THEN uuidv6_boundary_time(b.from_id)
			ELSE uuid_boundary_time(b.from_id)
		END,
		CASE
			WHEN b.to_id = uuid_boundary(timestamptz 'infinity') THEN 'infinity'
			WHEN gregorian THEN uuidv6_boundary_time(b.to_id)
			ELSE uuid_boundary_time(b.to_id)
		END,
		i.inhdetachpending
	FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid,
		regexp_match(pg_get_expr(c.relpartbound, c.oid),
			'^FOR VALUES FROM \((?:MINVALUE|''(.*)'')\) TO \((?:MAXVALUE|''(.*)'')\)$') bound,
		LATERAL (SELECT coalesce(bound[1]::uuid, uuid_boundary(timestamptz '-infinity')),
			coalesce(bound[2]::uuid, uuid_boundary(timestamptz 'infinity'))) b(from_id, to_id)
	WHERE i.inhparent = parent::oid AND bound IS NOT NULL;
END;
COMMENT ON FUNCTION uuid_partition_periods(regclass, bool) IS
	'the range partitions of a parent with their bounds as ids and as times, to the millisecond; -infinity for MINVALUE, infinity for MAXVALUE; the default partition is not among them';

CREATE FUNCTION uuid_partition_size(partition regclass, OUT rows bigint, OUT bytes bigint)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT CASE WHEN count(*) = pg_catalog.count(leaf.rows) THEN coalesce(sum(leaf.rows), 0)::bigint END, coalesce(sum(leaf.bytes), 0)::bigint
	FROM (
		SELECT pg_total_relation_size(c.oid::regclass) AS bytes,
			CASE WHEN c.relkind <> 'f' AND pg_relation_size(c.oid::regclass) = 0 THEN 0
				ELSE coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), nullif(c.reltuples, (-1)::real)::bigint)
			END AS rows
		FROM pg_partition_tree(partition) t JOIN pg_catalog.pg_class c ON c.oid = t.relid::oid
		WHERE t.isleaf
	) leaf;
END;
COMMENT ON FUNCTION uuid_partition_size(regclass) IS
	'rows of a partition as the server last estimated them (NULL when it has not) and bytes with indexes and TOAST, sub-partitions included';

CREATE FUNCTION uuid_partition_create(
	parent regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	gregorian bool DEFAULT false
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	boundary text;
	period record;
	bound text;
	partition regclass;
BEGIN
	IF num_nulls(parent, start, stop, step, tz, gregorian) > 0 THEN
		RAISE EXCEPTION 'no argument may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	SELECT key.boundary INTO boundary FROM @extschema@.uuid_partition_key(parent, 'r'::"char", gregorian) key;

	-- two callers at once: the second waits here and then finds the first's partitions
	EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);

	FOR period IN SELECT * FROM @extschema@.uuid_partition_bounds(start, stop, step, tz) LOOP
		EXECUTE format('SELECT format(''FOR VALUES FROM (%%L) TO (%%L)'', %1$s($1), %1$s($2))', boundary)
			INTO bound USING period.from_time, period.to_time;
		CONTINUE WHEN @extschema@.uuid_partition_with_bound(parent, bound) IS NOT NULL;

		-- made apart and then attached, which leaves the parent open for reading and writing
		partition := @extschema@.uuid_partition_table(parent,
			@extschema@.uuid_partition_suffix(period.from_time, step, tz), NULL::name);
		EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bound);
		RETURN NEXT partition;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_create(regclass, timestamptz, timestamptz, interval, text, bool) IS
	'makes the range partitions of one step from start until stop that are not there yet and returns them; the bounds suit columns of type uuid (v7, iUID, COMB), uuid_v7 and iuid, and with gregorian those that hold v6 or v13. The parent''s owner owns them. Locks the parent SHARE UPDATE EXCLUSIVE (it stays open for reading and writing), a default partition ACCESS EXCLUSIVE, and tables at the other end of foreign keys SHARE ROW EXCLUSIVE. Raises 42809 for a table that is not partitioned by range on one uuid column, 42622 for a name that the server would cut, 42P17 for an overlap, 23514 when a default partition holds rows of the period, 42501 for a caller who does not own the parent, 22004 for NULL, 22023 for a default of v6 or v13 without gregorian, 22023 and 22008 as uuid_partition_bounds()';

CREATE FUNCTION uuid_partition_edge(partition regclass, column_name name, from_id uuid, to_id uuid, newest bool) RETURNS uuid
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	id uuid;
BEGIN
	-- the list of partitions is for everyone, their rows are not
	IF has_column_privilege(partition, column_name, 'SELECT') THEN
		EXECUTE format('SELECT %1$I FROM %2$s WHERE %1$I >= $1 AND %1$I < $2 ORDER BY %1$I %3$s LIMIT 1',
				column_name, partition, CASE WHEN newest THEN 'DESC' END)
			INTO id USING from_id, to_id;
	END IF;
	RETURN id;
END
$$;
COMMENT ON FUNCTION uuid_partition_edge(regclass, name, uuid, uuid, bool) IS
	'least or greatest id of a partition between two bounds; NULL when there is none or the caller may not read it; raises 42703 for a column that is not there';

CREATE FUNCTION uuid_partition_list(
	parent regclass, gregorian bool DEFAULT false,
	OUT partition regclass, OUT from_time timestamptz, OUT to_time timestamptz,
	OUT rows bigint, OUT bytes bigint, OUT note text
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH key AS (
		-- not a join: that could find no row of the table before asking for its key
		SELECT k.column_name, (
			SELECT nullif(p.partdefid, 0::oid)::regclass FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = parent::oid
		) AS default_partition
		FROM uuid_partition_key(parent, 'r'::"char", gregorian) k
	), period AS (
		SELECT p.*, pg_catalog.lag(p.to_id) OVER w AS previous_id, pg_catalog.lag(p.to_time) OVER w AS previous_time
		FROM key, uuid_partition_periods(parent, gregorian) p
		WINDOW w AS (ORDER BY p.from_id)
	)
	SELECT line.*
	FROM (
		SELECT p.partition, p.from_time, p.to_time, s.rows, s.bytes, CASE WHEN p.detach_pending THEN 'detach pending' END
		FROM period p, uuid_partition_size(p.partition) s
		UNION ALL
		SELECT NULL, p.previous_time, p.from_time, 0, 0,
			CASE WHEN uuid_partition_edge(k.default_partition, k.column_name, p.previous_id, p.from_id, false) IS NULL
				THEN 'gap'
				ELSE 'gap, with rows in the default partition'
			END
		FROM key k, period p
		WHERE p.previous_id < p.from_id
		UNION ALL
		SELECT k.default_partition,
			CASE WHEN gregorian THEN uuidv6_boundary_time(ids.oldest) ELSE uuid_boundary_time(ids.oldest) END,
			CASE WHEN gregorian THEN uuidv6_boundary_time(ids.newest) ELSE uuid_boundary_time(ids.newest) END,
			s.rows, s.bytes, 'default'
		FROM key k, uuid_partition_size(k.default_partition) s,
			LATERAL (SELECT
				uuid_partition_edge(k.default_partition, k.column_name, uuid_boundary(timestamptz '-infinity'), uuid_boundary(timestamptz 'infinity'), false),
				uuid_partition_edge(k.default_partition, k.column_name, uuid_boundary(timestamptz '-infinity'), uuid_boundary(timestamptz 'infinity'), true)
			) ids(oldest, newest)
		WHERE k.default_partition IS NOT NULL
	) line(partition, from_time, to_time, rows, bytes, note)
	ORDER BY line.note IS NOT DISTINCT FROM 'default', line.from_time;
END;
COMMENT ON FUNCTION uuid_partition_list(regclass, bool) IS
	'the range partitions of a table in the order of time, with estimated rows (NULL when the server has not estimated them) and bytes; also each gap between two of them (partition NULL, note gap), and at the end the default partition with the times of its first and last id (note default). Times are to the millisecond; give gregorian for v6 and v13. Locks nothing but for reading; the default partition is looked into only when the caller may read it. Raises 42809 for a table that is not partitioned by range on one uuid column, 22023 for gregorian and a domain of other ids, or a default of v6 or v13 without it';

CREATE FUNCTION uuid_partition_drop(
	parent regclass, older_than timestamptz, detach_only bool DEFAULT false, gregorian bool DEFAULT false,
	OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint, OUT bytes bigint
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	period record;
BEGIN
	IF num_nulls(parent, older_than, detach_only, gregorian) > 0 THEN
		RAISE EXCEPTION 'no argument may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	-- what a wrong sign would do here cannot be undone
	IF NOT isfinite(older_than) OR older_than > now() THEN
		RAISE EXCEPTION 'older_than must be finite and not in the future'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('older_than is %s.', older_than);
	END IF;
	PERFORM @extschema@.uuid_partition_key(parent, 'r'::"char", gregorian);

	-- two callers at once: the second waits here and then finds the first's work done
	EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);

	FOR period IN
		SELECT p.*, c.relkind, c.oid::regclass::text AS name
		FROM @extschema@.uuid_partition_periods(parent, gregorian) p JOIN pg_class c ON c.oid = p.partition
		WHERE p.to_time <= older_than
		ORDER BY p.from_id
	LOOP
		-- Unix milliseconds read as Gregorian time would all be before 1970
		IF gregorian AND period.to_time < '1970-01-01 00:00:00+00' THEN
			RAISE EXCEPTION 'bounds of partition % are not those of UUIDv6 or v13', period.name
				USING ERRCODE = 'invalid_parameter_value',
					HINT = 'Leave out gregorian.';
		END IF;

		partition := period.name;
		from_time := period.from_time;
		to_time := period.to_time;
		SELECT s.rows, s.bytes INTO rows, bytes FROM @extschema@.uuid_partition_size(period.partition) s;
		-- detached first, because then foreign keys to the parent are checked rather than in the way
		EXECUTE format('ALTER TABLE %s DETACH PARTITION %s %s', parent, partition,
			CASE WHEN period.detach_pending THEN 'FINALIZE' END);
		IF NOT detach_only THEN
			EXECUTE format('DROP %s %s', CASE period.relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, partition);
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_drop(regclass, timestamptz, bool, bool) IS
	'drops the range partitions that end at or before a time, or only detaches them, and returns what went; never the default partition, of a foreign table only what is here; give gregorian for v6 and v13. Locks the parent SHARE UPDATE EXCLUSIVE, and when there is something to drop ACCESS EXCLUSIVE until the transaction ends, with the partition, a default partition, tables that reference the parent and, unless only detached, those that it references (set lock_timeout; DETACH ... CONCURRENTLY locks less, but not inside a function). Raises 42809 for a table that is not partitioned by range on one uuid column, 22023 for a time that is infinite or in the future or for gregorian where the bounds are of Unix time, or for a default of v6 or v13 without it, 42501 for a caller who does not own the tables, 23503 when rows are still referenced, 2BP01 when a view needs the partition, 22004 for NULL';

CREATE FUNCTION uuid_partition_origin(at timestamptz, step interval, tz text) RETURNS timestamptz
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
COMMENT ON FUNCTION uuid_partition_origin(timestamptz, interval, text) IS
	'start of the first period of a table without partitions: the year, quarter, month, Monday or midnight before a time, or a whole number of steps after midnight; raises 22023 for a time zone that is not known, 22008 for a step or times that do not fit, 0A000 for a step of months less days';

CREATE FUNCTION uuid_partition_add(at timestamptz, length interval, tz text) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN CASE
		-- of a local time that comes twice AT TIME ZONE takes the second: hours go without it
		WHEN date_trunc('day', length) = '0' THEN at + length
		ELSE (at AT TIME ZONE tz + date_trunc('day', length)) AT TIME ZONE tz + (length - date_trunc('day', length))
	END;
COMMENT ON FUNCTION uuid_partition_add(timestamptz, interval, text) IS
	'a time plus months and days as they are in a time zone, and hours as they pass; raises 22023 for a time zone that is not known, 22008 for times that do not fit';

CREATE FUNCTION uuid_partition_maintain(
	parent regclass, step interval, ahead int DEFAULT 3, keep interval DEFAULT NULL,
	detach_only bool DEFAULT false, tz text DEFAULT 'UTC', gregorian bool DEFAULT false,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- up to where there is a partition for every time, and up to where there shall be
	covered timestamptz;
	target timestamptz;
	horizon timestamptz;
	last_start timestamptz;
	last_stop timestamptz;
	made regclass[] := '{}';
BEGIN
	IF num_nulls(parent, step, ahead, detach_only, tz, gregorian) > 0 THEN
		RAISE EXCEPTION 'no argument but keep may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF ahead < 0 OR keep < '0' OR NOT isfinite(keep) THEN
		RAISE EXCEPTION 'ahead and keep must not be negative, nor keep infinite'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('ahead is %s, keep is %s.', ahead, coalesce(keep::text, 'NULL'));
	END IF;
	PERFORM @extschema@.uuid_partition_key(parent, 'r'::"char", gregorian);
	-- step and tz, also when there is nothing to make
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
	EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);

	horizon := @extschema@.uuid_partition_add(now(), -keep, tz);
	-- dropping will lock the parent, and then has to before a default partition is locked, as every
	-- reader does: the other way round they would wait for each other
	IF EXISTS (SELECT FROM @extschema@.uuid_partition_periods(parent, gregorian) p WHERE p.to_time <= horizon) THEN
		EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent);
	END IF;

	-- the period of today: a partition's, or the one to come after the last
	SELECT p.to_time, p.to_time INTO covered, target
	FROM @extschema@.uuid_partition_periods(parent, gregorian) p
	WHERE p.from_time <= now() AND p.to_time > now();
	IF covered IS NULL THEN
		-- after a long outage nothing is made that would be dropped at once
		SELECT CASE WHEN count(*) = 0 THEN @extschema@.uuid_partition_origin(now(), step, tz)
				ELSE greatest(max(p.to_time), @extschema@.uuid_partition_origin(horizon, step, tz)) END
		INTO covered
		FROM @extschema@.uuid_partition_periods(parent, gregorian) p
		WHERE p.to_time <= now();
		SELECT max(b.to_time) INTO target
		FROM @extschema@.uuid_partition_bounds(covered, now() + interval '1 microsecond', step, tz) b;
	END IF;
	target := @extschema@.uuid_partition_add(target, step * ahead, tz);

	-- gap by gap, because the partitions that are there may be of any length
	WHILE covered < target LOOP
		SELECT p.from_time, p.to_time INTO from_time, to_time
		FROM @extschema@.uuid_partition_periods(parent, gregorian) p
		WHERE p.to_time > covered
		ORDER BY p.from_time
		LIMIT 1;
		IF from_time <= covered THEN
			covered := to_time;
			CONTINUE;
		END IF;

		SELECT b.from_time, b.to_time INTO last_start, last_stop
		FROM @extschema@.uuid_partition_bounds(covered, least(from_time, target), step, tz) b
		ORDER BY b.from_time DESC
		LIMIT 1;
		IF last_stop > from_time THEN
			-- shorter than a step, so as to end where the next partition begins
			made := made || ARRAY(
				SELECT @extschema@.uuid_partition_create(parent, last_start, from_time, from_time - last_start, tz, gregorian)
			);
			last_stop := last_start;
		END IF;
		IF covered < last_stop THEN
			made := made || ARRAY(
				SELECT @extschema@.uuid_partition_create(parent, covered, last_stop, step, tz, gregorian)
			);
		END IF;
		covered := least(from_time, target);
	END LOOP;
	RETURN QUERY
		SELECT 'created', p.partition::text, p.from_time, p.to_time
		FROM @extschema@.uuid_partition_periods(parent, gregorian) p
		WHERE p.partition = ANY (made)
		ORDER BY p.from_id;

	IF keep IS NOT NULL THEN
		RETURN QUERY
			SELECT CASE WHEN detach_only THEN 'detached' ELSE 'dropped' END, d.partition, d.from_time, d.to_time
			FROM @extschema@.uuid_partition_drop(parent, horizon, detach_only, gregorian) d;
	END IF;
END
$$;
COMMENT ON FUNCTION uuid_partition_maintain(regclass, interval, int, interval, bool, text, bool) IS
	'routine maintenance in one call: makes the partitions that are missing up to so many steps after the present one, then drops (or detaches) those that ended longer than keep ago; returns what it did. The first partition starts with the year, quarter, month, Monday or day, later ones where the last one ends; partitions already there may be of another step, and the last one before them is cut short where it has to be. Of two calls at once the second waits and finds nothing to do. Locks as uuid_partition_create() and uuid_partition_drop(). Raises 22023 for a negative ahead, a negative or infinite keep, 22004 for NULL, 42809 for a table that is not partitioned by range on one uuid column, and what it meets as uuid_partition_create(), as uuid_partition_drop()';

CREATE FUNCTION iuid_partition_create(
	parent regclass, countries int[], server name DEFAULT NULL,
	start timestamptz DEFAULT NULL, stop timestamptz DEFAULT NULL,
	step interval DEFAULT NULL, tz text DEFAULT 'UTC'
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	by_time boolean := num_nonnulls(start, stop, step) > 0;
	key name;
	country int;
	suffix text;
	bound text;
	partition regclass;
	remote record;
BEGIN
	IF num_nulls(parent, countries) > 0 THEN
		RAISE EXCEPTION 'parent and countries may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF by_time AND (num_nulls(start, stop, step, tz) > 0 OR server IS NOT NULL) THEN
		RAISE EXCEPTION 'time partitions need start, stop, step and tz, and no server'
			USING ERRCODE = 'invalid_parameter_value',
				HINT = 'Partition by time on the server that holds the rows.';
	END IF;

	SELECT column_name INTO key FROM @extschema@.uuid_partition_key(parent, 'h'::"char", false);
	IF NOT (SELECT attnotnull FROM pg_attribute WHERE attrelid = parent AND attname = key) THEN
		RAISE EXCEPTION 'column "%" of table % may be NULL', key, parent
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'Hash partitioning puts NULL where REMAINDER is 0, which is a country.',
				HINT = format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL', parent, key);
	END IF;
	EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
	SELECT n.nspname AS schema_name, c.relname AS table_name INTO remote
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = parent;

	FOREACH country IN ARRAY countries LOOP
		IF country IS NULL OR country NOT BETWEEN 0 AND 255 THEN
			RAISE EXCEPTION 'country id % is out of range', coalesce(country::text, 'NULL')
				USING ERRCODE = 'numeric_value_out_of_range',
					DETAIL = 'An iUID holds ids from 0 to 255.';
		END IF;
		suffix := coalesce((SELECT lower(c.code) FROM @extschema@.iuid_countries c WHERE c.id = country),
			country::text);
		bound := format('FOR VALUES WITH (modulus 256, remainder %s)', country);
		partition := @extschema@.uuid_partition_with_bound(parent, bound);

		IF partition IS NULL AND server IS NOT NULL THEN
			SELECT f.ftrelid::regclass INTO partition
			FROM pg_inherits i
				JOIN pg_foreign_table f ON f.ftrelid = i.inhrelid
				JOIN pg_foreign_server s ON s.oid = f.ftserver
			WHERE i.inhparent = parent AND s.srvname = server
				AND f.ftoptions @> ARRAY['schema_name=' || remote.schema_name, 'table_name=' || remote.table_name];
			IF FOUND THEN
				RAISE EXCEPTION 'partition % already reads table % of server "%"', partition,
						format('%I.%I', remote.schema_name, remote.table_name), server
					USING ERRCODE = 'object_not_in_prerequisite_state',
						DETAIL = 'A second partition that reads it would show every row twice.',
						HINT = format('First have it read its own country alone: ALTER FOREIGN TABLE %s OPTIONS (SET table_name ...)', partition);
			END IF;
			EXECUTE format('CREATE FOREIGN TABLE %s PARTITION OF %s %s SERVER %I OPTIONS (schema_name %L, table_name %L)',
				@extschema@.uuid_partition_name(parent, suffix), parent, bound, server, remote.schema_name, remote.table_name);
			RETURN NEXT @extschema@.uuid_partition_with_bound(parent, bound);
		ELSIF partition IS NULL THEN
			partition := @extschema@.uuid_partition_table(parent, suffix,
				CASE WHEN by_time THEN key END);
			EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bound);
			RETURN NEXT partition;
		END IF;

		IF by_time THEN
			RETURN QUERY SELECT * FROM @extschema@.uuid_partition_create(partition, start, stop, step, tz);
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION iuid_partition_create(regclass, int[], name, timestamptz, timestamptz, interval, text) IS
	'makes the partitions of the given countries that are not there yet and returns them: local tables; local tables partitioned by time when start, stop and step are given; or foreign tables on a server, of the parent''s schema and name there. Locks as uuid_partition_create(); a foreign partition locks the parent ACCESS EXCLUSIVE. Raises 42809 for a table not partitioned by iuid_country_ops, 55000 when its column may be NULL, or when another foreign partition reads that table already (ALTER FOREIGN TABLE ... OPTIONS (SET table_name ...) first), 22003 for ids outside 0 to 255, 22004 for NULL, 22023 for half of the time arguments or for time arguments with a server, 42704 or 42601 for the server, and as uuid_partition_create()';
