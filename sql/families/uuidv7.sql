-- UUIDv7. In the SQL edition, the ids of a session are in order to the microsecond of the clock.

-- [c]
CREATE FUNCTION gen_uuidv7() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv7'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
DO $do$
BEGIN
	IF current_setting('server_version_num')::int >= 180000 THEN
		CREATE FUNCTION gen_uuidv7() RETURNS uuid
			LANGUAGE sql VOLATILE PARALLEL RESTRICTED
			RETURN CASE WHEN pg_backend_pid() IS NOT NULL THEN uuidv7() END;
	ELSE
		CREATE FUNCTION gen_uuidv7() RETURNS uuid
			LANGUAGE sql VOLATILE PARALLEL RESTRICTED
			RETURN uidext_internal.uuid_pack(7, uidext_internal.clock_us() * 512 / 125, uidext_internal.random_bytes());
	END IF;
END $do$;
-- [c]
COMMENT ON FUNCTION gen_uuidv7() IS
	'new UUIDv7: Unix milliseconds, 12 bits of their fraction, 62 random bits; greater than every earlier one of the session';
-- [sql]
COMMENT ON FUNCTION gen_uuidv7() IS
	'new UUIDv7: Unix milliseconds, 12 bits of their fraction, 62 random bits; in order within a session to the '
	'microsecond, and always if the edition was installed on 18 or later';

-- [c]
CREATE FUNCTION gen_uuidv7_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv7_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_uuidv7_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(7,
		CASE
			WHEN at BETWEEN timestamptz '1970-01-01 00:00+00' AND timestamptz '2500-01-01 00:00+00'
				THEN uidext_internal.timestamptz_us(at) * 512 / 125
			-- a later time would overflow in the multiplication
			ELSE (uidext_internal.timestamptz_to_unix_us(at) / 1000 << 12) + uidext_internal.timestamptz_to_unix_us(at) % 1000::bigint * 512 / 125
		END,
		uidext_internal.random_bytes());
-- [both]
COMMENT ON FUNCTION gen_uuidv7_at(timestamptz) IS
	'new UUIDv7 of the given time (microseconds count); no order within 1/4096 ms; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

-- [c]
CREATE FUNCTION gen_uuidv7(shift interval) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv7_shift'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
-- gen_uuidv7_at() checks its argument, and costs more than everything else here. It is called only
-- if the shifted time may be out of range.
CREATE FUNCTION gen_uuidv7(shift interval) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE
		WHEN (statement_timestamp() AT TIME ZONE interval '0') + shift BETWEEN timestamp '1971-01-01 00:00' AND timestamp '2500-01-01 00:00'
			THEN uidext_internal.uuid_pack(7,
				uidext_internal.timestamptz_us(((clock_timestamp() AT TIME ZONE interval '0') + shift) AT TIME ZONE interval '0') * 512 / 125,
				uidext_internal.random_bytes())
		ELSE gen_uuidv7_at(((clock_timestamp() AT TIME ZONE interval '0') + shift) AT TIME ZONE interval '0')
	END;
-- [c]
COMMENT ON FUNCTION gen_uuidv7(interval) IS
	'new UUIDv7 of the current time plus shift, by the calendar of UTC; ids of one shift without months are in '
	'order within a session; raises 22008 for times outside 1970-01-01 to 10889-08-02';
-- [sql]
COMMENT ON FUNCTION gen_uuidv7(interval) IS
	'new UUIDv7 of the current time plus shift, by the calendar of UTC; in order within a session, to the '
	'microsecond; raises 22008 for times outside 1970-01-01 to 10889-08-02';

-- [c]
CREATE FUNCTION gen_ordered_uuidv7() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_ordered_uuidv7'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;
COMMENT ON FUNCTION gen_ordered_uuidv7() IS
	'new UUIDv7 greater than every earlier one of all sessions of the server: Unix time to 1/65536 ms, 58 random bits; raises 55000 before PostgreSQL 17 without shared_preload_libraries';

CREATE FUNCTION uuidv7_is_valid(id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuidv7_is_valid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uuidv7_is_valid(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_is(id, 7);
-- [both]
COMMENT ON FUNCTION uuidv7_is_valid(uuid) IS
	'whether version and variant are those of a UUIDv7';
