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
