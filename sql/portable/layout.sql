-- What the functions of this edition share

-- Raises an error in an expression. The first argument depends on the wrong value, because a call
-- with nothing but constants would raise the error when the query is planned.
CREATE FUNCTION uidext_internal.fail(
	value anyelement, sqlstate text, message text, detail text DEFAULT NULL, hint text DEFAULT NULL
) RETURNS anyelement
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	-- an option of RAISE may be left out, but not NULL
	IF detail IS NULL AND hint IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = sqlstate, MESSAGE = message;
	ELSIF hint IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = sqlstate, MESSAGE = message, DETAIL = detail;
	ELSIF detail IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = sqlstate, MESSAGE = message, HINT = hint;
	END IF;
	RAISE EXCEPTION USING ERRCODE = sqlstate, MESSAGE = message, DETAIL = detail, HINT = hint;
END
$$;
COMMENT ON FUNCTION uidext_internal.fail(anyelement, text, text, text, text) IS
	'raises an error and returns nothing; value gives the call its type, and depends on what is wrong';

-- Time, as src/base/clock.c has it. If a body uses an argument twice, it is inlined only if the
-- argument is cheap. Readings of the clock are therefore used once.

CREATE FUNCTION uidext_internal.clock_us() RETURNS bigint
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN (date_part(text 'epoch', clock_timestamp()) * 1000000::float8)::bigint;
COMMENT ON FUNCTION uidext_internal.clock_us() IS
	'the clock in microseconds since 1970';

CREATE FUNCTION uidext_internal.timestamptz_us(at timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN ('x' || encode(timestamptz_send(at), 'hex'))::bit(64)::bigint + 946684800000000;
COMMENT ON FUNCTION uidext_internal.timestamptz_us(timestamptz) IS
	'exact microseconds since 1970 of a time that is finite';

CREATE FUNCTION uidext_internal.timestamptz_to_unix_us(at timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN at < timestamptz '1970-01-01 00:00:00+00' OR at > timestamptz '10889-08-02 05:31:50.655999+00'
			THEN uidext_internal.fail(('x' || encode(timestamptz_send(at), 'hex'))::bit(64)::bigint, '22008',
				'timestamp out of range for a UUID',
				'A UUID holds times from 1970-01-01 00:00:00+00 to 10889-08-02 05:31:50.655999+00.')
		ELSE uidext_internal.timestamptz_us(at)
	END;
COMMENT ON FUNCTION uidext_internal.timestamptz_to_unix_us(timestamptz) IS
	'microseconds since 1970; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uidext_internal.timestamptz_to_gregorian(at timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN at < timestamptz '1970-01-01 00:00:00+00' OR at > timestamptz '5236-03-31 21:21:00.684697+00'
			THEN uidext_internal.fail(('x' || encode(timestamptz_send(at), 'hex'))::bit(64)::bigint, '22008',
				'timestamp out of range for a UUID',
				'UUID versions 1, 6 and 13 hold times from 1970-01-01 00:00:00+00 to 5236-03-31 21:21:00.684697+00.')
		ELSE uidext_internal.timestamptz_us(at) * 10 + 122192928000000000
	END;
COMMENT ON FUNCTION uidext_internal.timestamptz_to_gregorian(timestamptz) IS
	'100 ns since 1582-10-15; raises 22008 for times outside 1970-01-01 to 5236-03-31';

-- a float8 cannot hold the microseconds of far times: half a millisecond more,
-- then cut to whole ones
CREATE FUNCTION uidext_internal.unix_ms_to_timestamptz(ms bigint) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN date_trunc(text 'milliseconds', timestamp '1970-01-01 00:00:00.0005' + ms::float8 * interval '0.001 s')
		AT TIME ZONE interval '0';
COMMENT ON FUNCTION uidext_internal.unix_ms_to_timestamptz(bigint) IS
	'the time of Unix milliseconds of 48 bits, exact';

-- In a parallel plan, two equal calls below Gather are evaluated once, and would give the same id
-- twice. An expression that contains pg_backend_pid() is not parallel safe, even after it was
-- inlined.
CREATE FUNCTION uidext_internal.random_bytes() RETURNS bytea
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN pg_backend_pid() IS NOT NULL THEN uuid_send(gen_random_uuid()) END;
COMMENT ON FUNCTION uidext_internal.random_bytes() IS
	'the 16 bytes of a version 4; 122 bits of them are random';

CREATE FUNCTION uidext_internal.uuid_v4(bytes bytea, place int) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN encode(overlay(uidext_internal.random_bytes() PLACING bytes FROM place), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.uuid_v4(bytea, int) IS
	'new version 4 that has these bytes from a place on, counted from 1';

-- Intervals of fixed length, as src/base/interval.c has them.  Infinite ones (17 and
-- later) have infinite years.  Less than the least bigint is that number.

CREATE FUNCTION uidext_internal.interval_to_us(given interval) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN abs(date_part(text 'year', given)) = 'Infinity'::float8
			THEN uidext_internal.fail(date_part(text 'year', given), '22023', 'interval must be finite',
				hint => 'Use days, hours or smaller units, whose length is fixed.')::bigint
		WHEN date_part(text 'year', given) <> 0::float8 OR date_part(text 'month', given) <> 0::float8
			THEN uidext_internal.fail(date_part(text 'year', given), '22023', 'interval must not contain months or years',
				hint => 'Use days, hours or smaller units, whose length is fixed.')::bigint
		WHEN EXTRACT(epoch FROM given) < -9223372036854.775808 THEN -9223372036854775808
		WHEN date_part(text 'day', given) > 106751991::float8 OR EXTRACT(epoch FROM given) > 281474976710.655
			THEN uidext_internal.fail(date_part(text 'day', given), '22023', 'interval is too long',
				detail => 'The limit is 3257812 days, or 8919 years, the range of times in a UUID.')::bigint
		ELSE (EXTRACT(epoch FROM given) * 1000000::numeric)::bigint
	END;
COMMENT ON FUNCTION uidext_internal.interval_to_us(interval) IS
	'microseconds of an interval, a day being 24 hours; raises 22023 for months, and for more than a UUID''s range of times';

CREATE FUNCTION uidext_internal.interval_to_tolerance_us(given interval) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN uidext_internal.interval_to_us(given) < 0
			THEN uidext_internal.fail(uidext_internal.interval_to_us(given), '22023', 'interval must not be negative',
				hint => 'Write a length of time without a minus, such as ''5 minutes'', or ''0''.')
		ELSE uidext_internal.interval_to_us(given)
	END;
COMMENT ON FUNCTION uidext_internal.interval_to_tolerance_us(interval) IS
	'microseconds of a tolerance; raises 22023 for a negative one, and as interval_to_us()';

CREATE FUNCTION uidext_internal.interval_to_length_ms(given interval) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN uidext_internal.interval_to_us(given) <= 0
			THEN uidext_internal.fail(uidext_internal.interval_to_us(given), '22023', 'interval must be greater than zero',
				hint => 'Write one millisecond or more, such as ''15 seconds''.')
		WHEN uidext_internal.interval_to_us(given) % 1000::bigint <> 0
			THEN uidext_internal.fail(uidext_internal.interval_to_us(given), '22023', 'interval must be a whole number of milliseconds',
				hint => 'Write a length without microseconds, such as ''15 seconds'' or ''100 milliseconds''.')
		ELSE uidext_internal.interval_to_us(given) / 1000
	END;
COMMENT ON FUNCTION uidext_internal.interval_to_length_ms(interval) IS
	'milliseconds of a length; raises 22023 for what is no whole, positive number of them, and as interval_to_us()';

-- Bit layouts, as src/pure/layout.h has them: 48 bits of head, 4 of version, 12 of
-- head, 2 of variant, 62 of tail.  By way of bytea, which costs half of what
-- text does.

CREATE FUNCTION uidext_internal.uuid_is(id uuid, version int) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN get_byte(uuid_send(id), 6) >> 4 = version AND get_byte(uuid_send(id), 8) >> 6 = 2;
COMMENT ON FUNCTION uidext_internal.uuid_is(uuid, int) IS
	'whether an id has that version and the variant of RFC 9562';

CREATE FUNCTION uidext_internal.uuid_unix_ms(id uuid) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN ('x' || encode(substr(uuid_send(id), 1, 6), 'hex'))::bit(48)::bigint;
COMMENT ON FUNCTION uidext_internal.uuid_unix_ms(uuid) IS
	'the first 48 bits of an id';

CREATE FUNCTION uidext_internal.uuid_pack(version int, head bigint, tail bytea) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN encode(int8send(overlay(head::bit(60) PLACING version::bit(4) FROM 49 FOR 0)::bigint) || substr(tail, 9), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.uuid_pack(int, bigint, bytea) IS
	'the id of a version and a head of 60 bits that ends as the 16 bytes of tail do';

-- STRICT, because some callers pass NULL
CREATE FUNCTION uidext_internal.fail_version(id uuid, version int) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.fail(id, '22023', 'UUID is not version ' || version::text,
		CASE get_byte(uuid_send(id), 8) >> 6
			WHEN 2 THEN 'It is version ' || (get_byte(uuid_send(id), 6) >> 4)::text || '.'
			ELSE 'Its variant is not that of RFC 9562.'
		END);
COMMENT ON FUNCTION uidext_internal.fail_version(uuid, int) IS
	'raises 22023: the id does not have that version';
