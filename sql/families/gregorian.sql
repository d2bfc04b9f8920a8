-- UUIDv1, UUIDv6 and Lambert's v13

-- [sql]
CREATE FUNCTION uidext_internal.clock_gregorian() RETURNS bigint
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.clock_us() * 10 + 122192928000000000;
COMMENT ON FUNCTION uidext_internal.clock_gregorian() IS
	'the clock in 100 ns since 1582-10-15, in whole microseconds';

-- 61 random bits of clock sequence and node, and the multicast bit
CREATE FUNCTION uidext_internal.gregorian_tail() RETURNS bytea
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN set_bit(uidext_internal.random_bytes(), 80::bigint, 1);
COMMENT ON FUNCTION uidext_internal.gregorian_tail() IS
	'16 random bytes, the last 8 as those of a UUIDv1: variant, clock sequence, node';

-- The 60-bit count with the version 1 in front of it has the bytes h1 h2 m1 m2 l1 l2
-- l3 l4.  A UUIDv1 has them in the order l1 l2 l3 l4 m1 m2 h1 h2.  We write the bytes
-- three times in a row and cut out what lies between these parts.  In this way the
-- argument count is used only once, so that the clock is read only once when the
-- function is inlined.
CREATE FUNCTION uidext_internal.uuidv1_pack(count bigint, tail bytea) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN encode(overlay(overlay(
			substr(decode(repeat(encode(int8send(count + 1152921504606846976), 'hex'), 3), 'hex'), 5, 14)
			PLACING decode('', 'hex') FROM 9 FOR 4)
			PLACING decode('', 'hex') FROM 5 FOR 2) || substr(tail, 9), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.uuidv1_pack(bigint, bytea) IS
	'the UUIDv1 of a count of 100 ns since 1582-10-15 that ends as the 16 bytes of tail do';

-- [c]
CREATE FUNCTION gen_uuidv1() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv1'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_uuidv1() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuidv1_pack(uidext_internal.clock_gregorian(), uidext_internal.gregorian_tail());
-- [c]
COMMENT ON FUNCTION gen_uuidv1() IS
	'new UUIDv1: Gregorian time in 100 ns, random clock sequence and node (61 bits), or those of the setting uidext.node; its time never steps back within a session, unless with uidext.node the clock does';
-- [sql]
COMMENT ON FUNCTION gen_uuidv1() IS
	'new UUIDv1: Gregorian time in microseconds, random clock sequence and node (61 bits)';

-- [c]
CREATE FUNCTION gen_uuidv1_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv1_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_uuidv1_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuidv1_pack(uidext_internal.timestamptz_to_gregorian(at), uidext_internal.gregorian_tail());
-- [both]
COMMENT ON FUNCTION gen_uuidv1_at(timestamptz) IS
	'new UUIDv1 of the given time; no order within a microsecond; raises 22008 for times outside 1970-01-01 to 5236-03-31 and infinities';

-- [c]
CREATE FUNCTION gen_uuidv6() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv6'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_uuidv6() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(6, uidext_internal.clock_gregorian(), uidext_internal.gregorian_tail());
-- [c]
COMMENT ON FUNCTION gen_uuidv6() IS
	'new UUIDv6: Gregorian time in 100 ns, random clock sequence and node (61 bits), or those of the setting uidext.node; greater than every earlier one of the session, unless with uidext.node the clock steps back';
-- [sql]
COMMENT ON FUNCTION gen_uuidv6() IS
	'new UUIDv6: Gregorian time in microseconds, random clock sequence and node (61 bits); in order within a '
	'session, to the microsecond';

-- [c]
CREATE FUNCTION gen_uuidv6_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv6_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_uuidv6_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(6, uidext_internal.timestamptz_to_gregorian(at), uidext_internal.gregorian_tail());
-- [both]
COMMENT ON FUNCTION gen_uuidv6_at(timestamptz) IS
	'new UUIDv6 of the given time; no order within a microsecond; raises 22008 for times outside 1970-01-01 to 5236-03-31 and infinities';

-- [c]
CREATE FUNCTION gen_uuidv13() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv13'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_uuidv13() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(13, uidext_internal.clock_gregorian(), uidext_internal.gregorian_tail());
-- [c]
COMMENT ON FUNCTION gen_uuidv13() IS
	'new Lambert v13 (a UUIDv1 with its timestamp in order): Gregorian time in 100 ns, random clock sequence and node (61 bits), or those of the setting uidext.node; greater than every earlier one of the session, unless with uidext.node the clock steps back';
-- [sql]
COMMENT ON FUNCTION gen_uuidv13() IS
	'new Lambert v13 (a UUIDv1 with its timestamp in order): Gregorian time in microseconds, random clock '
	'sequence and node (61 bits); in order within a session, to the microsecond';

-- [c]
CREATE FUNCTION gen_uuidv13_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv13_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_uuidv13_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(13, uidext_internal.timestamptz_to_gregorian(at), uidext_internal.gregorian_tail());
-- [both]
COMMENT ON FUNCTION gen_uuidv13_at(timestamptz) IS
	'new Lambert v13 of the given time: a UUIDv1 with its timestamp in order; no order within a microsecond; raises 22008 for times outside 1970-01-01 to 5236-03-31 and infinities';

-- [sql]
-- In v6 and v13 the count is the head. A v1 begins with the last digits of the count.
CREATE FUNCTION uidext_internal.uuid_gregorian(id uuid) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE get_byte(uuid_send(id), 6) >> 4
		WHEN 1 THEN ('x' || substr(encode(substr(uuid_send(id), 7, 2) || substr(uuid_send(id), 5, 2) || substr(uuid_send(id), 1, 4), 'hex'), 2))::bit(60)::bigint
		ELSE overlay(('x' || encode(substr(uuid_send(id), 1, 8), 'hex'))::bit(64) PLACING B'' FROM 49 FOR 4)::bigint
	END;
COMMENT ON FUNCTION uidext_internal.uuid_gregorian(uuid) IS
	'100 ns since 1582-10-15 of a v1, v6 or v13';

CREATE FUNCTION uidext_internal.uuid_gregorian_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (timestamp '1582-10-15 00:00'
		+ (uidext_internal.uuid_gregorian(id) / 864000000000)::float8 * interval '1 day'
		+ (uidext_internal.uuid_gregorian(id) % 864000000000 / 10)::float8 * interval '0.000001 s') AT TIME ZONE interval '0';
COMMENT ON FUNCTION uidext_internal.uuid_gregorian_time(uuid) IS
	'time of a v1, v6 or v13, floored to microseconds';

-- [c]
CREATE FUNCTION uuidv1_to_v6(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv1_to_v6'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uuidv1_to_v6(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 1)
		THEN uidext_internal.uuid_pack(6, uidext_internal.uuid_gregorian(id), uuid_send(id))
		ELSE uidext_internal.fail_version(id, 1)
	END;
-- [both]
COMMENT ON FUNCTION uuidv1_to_v6(uuid) IS
	'UUIDv6 with the timestamp, clock sequence and node of a UUIDv1; raises 22023 for other versions';

-- [c]
CREATE FUNCTION uuidv6_to_v1(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv6_to_v1'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uuidv6_to_v1(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 6)
		THEN uidext_internal.uuidv1_pack(uidext_internal.uuid_gregorian(id), uuid_send(id))
		ELSE uidext_internal.fail_version(id, 6)
	END;
-- [both]
COMMENT ON FUNCTION uuidv6_to_v1(uuid) IS
	'inverse of uuidv1_to_v6(); raises 22023 for other versions';

-- [c]
CREATE FUNCTION uuidv1_to_v13(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv1_to_v13'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uuidv1_to_v13(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 1)
		THEN uidext_internal.uuid_pack(13, uidext_internal.uuid_gregorian(id), uuid_send(id))
		ELSE uidext_internal.fail_version(id, 1)
	END;
-- [both]
COMMENT ON FUNCTION uuidv1_to_v13(uuid) IS
	'Lambert v13 with the timestamp, clock sequence and node of a UUIDv1; raises 22023 for other versions';

-- [c]
CREATE FUNCTION uuidv13_to_v1(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv13_to_v1'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uuidv13_to_v1(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 13)
		THEN uidext_internal.uuidv1_pack(uidext_internal.uuid_gregorian(id), uuid_send(id))
		ELSE uidext_internal.fail_version(id, 13)
	END;
-- [both]
COMMENT ON FUNCTION uuidv13_to_v1(uuid) IS
	'inverse of uuidv1_to_v13(); raises 22023 for other versions';
