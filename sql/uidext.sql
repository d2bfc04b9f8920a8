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
COMMENT ON COLUMN uuid_info.random_bits IS 'bits that are neither time, nor a field, nor version and variant: what an outsider has to guess at the most; NULL where the layout does not say';

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
	'new UUIDv7 of the current time plus shift; keeps the session''s order among ids of one fixed shift; raises 22008 for times outside 1970-01-01 to 10889-08-02';

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
	'new COMB: a version 4 with Unix milliseconds in its first 48 bits and 74 random bits; greater than every earlier one of the session';

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
	'new sequence COMB: a version 4 whose first 16 bits are nextval(sequence) / block_size, modulo 65536, and 106 random bits; raises 22023 for a block_size below 1, and what nextval() raises';

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
	'start of the interval with the block of a short COMB, nearest to near (of two, the earlier); NULL for versions other than 4; raises 22008 for times outside 1970-01-01 to 10889-08-02, 22023 as gen_short_comb()';

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

-- Byte orders of SQL Server and MySQL

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
	'the order in which SQL Server sorts the bytes it stores: b10-b15, b8-b9, b6-b7, b4-b5, b0-b3; the ordinary equality';
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

CREATE FUNCTION uuidv6_boundary(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv6_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv6_boundary(timestamptz) IS
	'boundary for v6 and v13: top 48 bits of the Gregorian timestamp (floor, steps of 409.6 us), then 80 zero bits; nil UUID for -infinity, max UUID for infinity; raises 22008 for times outside 1970-01-01 to 5236-03-31. Do not read it with uuid_time()';

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
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_range_lower(tstzrange) IS
	'lower bound of a period: time in period is id >= this and id < uuid_range_upper(period); max UUID for an empty range';

CREATE FUNCTION uuid_range_upper(period tstzrange) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_range_upper'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_range_upper(tstzrange) IS
	'upper bound of a period, not included: see uuid_range_lower(); nil UUID for an empty range';

CREATE CAST (uuid AS timestamptz) WITH FUNCTION uuid_time(uuid);
COMMENT ON CAST (uuid AS timestamptz) IS 'uuid_time()';

CREATE CAST (timestamptz AS uuid) WITH FUNCTION uuid_boundary(timestamptz);
COMMENT ON CAST (timestamptz AS uuid) IS 'uuid_boundary()';

-- Time predicates
--
-- SQL functions with a body that the planner inlines, so that it sees a plain
-- uuid comparison: index conditions and partition pruning follow.  They keep
-- to what inlining asks for: one expression, every argument used once (the
-- range, which is used twice, is cheap), and no STRICT where the body is not.

CREATE FUNCTION uuid_lt_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uuid_boundary_at_or_after(at);
COMMENT ON FUNCTION uuid_lt_timestamptz(uuid, timestamptz) IS
	'implementation of uuid < timestamptz: whether the id''s millisecond is before the time';

CREATE FUNCTION uuid_le_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uuid_boundary_after(at);
COMMENT ON FUNCTION uuid_le_timestamptz(uuid, timestamptz) IS
	'implementation of uuid <= timestamptz: whether the id''s millisecond is at or before the time';

CREATE FUNCTION uuid_ge_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uuid_boundary_at_or_after(at);
COMMENT ON FUNCTION uuid_ge_timestamptz(uuid, timestamptz) IS
	'implementation of uuid >= timestamptz: whether the id''s millisecond is at or after the time';

CREATE FUNCTION uuid_gt_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uuid_boundary_after(at);
COMMENT ON FUNCTION uuid_gt_timestamptz(uuid, timestamptz) IS
	'implementation of uuid > timestamptz: whether the id''s millisecond is after the time';

CREATE FUNCTION uuid_in_tstzrange(id uuid, period tstzrange) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_range_lower(period) AND id < uuid_range_upper(period);
COMMENT ON FUNCTION uuid_in_tstzrange(uuid, tstzrange) IS
	'implementation of uuid <@ tstzrange: whether the id''s millisecond lies in the period';

CREATE OPERATOR < (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_lt_timestamptz,
	NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (uuid, timestamptz) IS
	'id made before the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <= (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_le_timestamptz,
	NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (uuid, timestamptz) IS
	'id made at or before the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR >= (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_ge_timestamptz,
	NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (uuid, timestamptz) IS
	'id made at or after the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR > (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_gt_timestamptz,
	NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (uuid, timestamptz) IS
	'id made after the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <@ (
	LEFTARG = uuid, RIGHTARG = tstzrange, FUNCTION = uuid_in_tstzrange,
	RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (uuid, tstzrange) IS
	'id made within the period (Unix-time layouts: v7, iUID, COMB)';
