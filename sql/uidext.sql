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

-- Readers

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
