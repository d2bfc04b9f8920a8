-- COMB and suffix COMB

-- [c]
CREATE FUNCTION gen_comb() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_comb'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_comb() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(4, uidext_internal.clock_us() * 512 / 125, uidext_internal.random_bytes());
-- [c]
COMMENT ON FUNCTION gen_comb() IS
	'new COMB: a version 4 with Unix milliseconds in its first 48 bits, 12 bits of their fraction, and 62 random bits; greater than every earlier one of the session';
-- [sql]
COMMENT ON FUNCTION gen_comb() IS
	'new COMB: a version 4 with Unix milliseconds in its first 48 bits, 12 bits of their fraction, and 62 random '
	'bits; in order within a session, to the microsecond';

-- [c]
CREATE FUNCTION gen_comb_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_comb_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_v4(substr(int8send(uidext_internal.timestamptz_to_unix_us(at) / 1000), 3), 1);
-- [both]
COMMENT ON FUNCTION gen_comb_at(timestamptz) IS
	'new COMB of the given time; no order within a millisecond; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

-- [c]
CREATE FUNCTION gen_suffix_comb() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_suffix_comb'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION uidext_internal.suffix_comb_pack(ticks bigint, random bytea) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN encode(substr(random, 1, 8)
		|| int8send((1::bigint << 63) | ((ticks & 4095::bigint) << 50) | ((get_byte(random, 8) & 3)::bigint << 48) | (ticks >> 12)), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.suffix_comb_pack(bigint, bytea) IS
	'suffix COMB of 1/4096 ms since 1970, whose fraction stands behind the variant, and of 62 random bits of a version 4';

CREATE FUNCTION gen_suffix_comb() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.suffix_comb_pack(uidext_internal.clock_us() * 512 / 125, uidext_internal.random_bytes());
-- [c]
COMMENT ON FUNCTION gen_suffix_comb() IS
	'new suffix COMB: a version 4 with Unix milliseconds in its last 48 bits, where SQL Server sorts first, 12 bits of their fraction, which it sorts next, and 62 random bits; SQL Server sorts it behind every earlier one of the session';
-- [sql]
COMMENT ON FUNCTION gen_suffix_comb() IS
	'new suffix COMB: a version 4 with Unix milliseconds in its last 48 bits, where SQL Server sorts first, 12 '
	'bits of their fraction, which it sorts next, and 62 random bits; in order within a session, to the '
	'microsecond';

-- [c]
CREATE FUNCTION gen_suffix_comb_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_suffix_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_suffix_comb_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_v4(substr(int8send(uidext_internal.timestamptz_to_unix_us(at) / 1000), 3), 11);
-- [both]
COMMENT ON FUNCTION gen_suffix_comb_at(timestamptz) IS
	'new suffix COMB of the given time; no order within a millisecond; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

-- [c]
CREATE FUNCTION comb_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_comb_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION comb_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN uidext_internal.unix_ms_to_timestamptz(uidext_internal.uuid_unix_ms(id))
	END;
-- [both]
COMMENT ON FUNCTION comb_time(uuid) IS
	'time of a COMB: first 48 bits of a version 4 as Unix milliseconds; NULL for other versions; any version 4 gives a time, only its maker knows whether it is a COMB';

-- [c]
CREATE FUNCTION suffix_comb_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_suffix_comb_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION suffix_comb_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN uidext_internal.unix_ms_to_timestamptz(('x' || encode(substr(uuid_send(id), 11), 'hex'))::bit(48)::bigint)
	END;
-- [both]
COMMENT ON FUNCTION suffix_comb_time(uuid) IS
	'time of a suffix COMB: last 48 bits of a version 4 as Unix milliseconds; NULL for other versions';

-- [c]
CREATE FUNCTION comb_to_suffix(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_comb_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION comb_to_suffix(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN encode(substr(uuid_send(id), 11) || substr(uuid_send(id), 7, 4) || substr(uuid_send(id), 1, 6), 'hex')::uuid
		ELSE uidext_internal.fail_version(id, 4)
	END;
-- [both]
COMMENT ON FUNCTION comb_to_suffix(uuid) IS
	'suffix COMB from a COMB: b0-b5 and b10-b15 are exchanged, nothing is lost; raises 22023 for versions other '
	'than 4';

-- [c]
CREATE FUNCTION comb_from_suffix(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_comb_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION comb_from_suffix(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN comb_to_suffix(id);
-- [both]
COMMENT ON FUNCTION comb_from_suffix(uuid) IS
	'inverse of comb_to_suffix(); raises 22023 for versions other than 4';
