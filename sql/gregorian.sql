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
