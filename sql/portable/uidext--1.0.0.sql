-- What nobody calls by hand: implementations of operators, planner support,
-- what the other functions share.

CREATE SCHEMA uidext_internal;
COMMENT ON SCHEMA uidext_internal IS 'machinery of the extension uidext; not for use by hand';
GRANT USAGE ON SCHEMA uidext_internal TO PUBLIC;

-- What the functions of this edition share

-- For expressions.  The value depends on the argument that is wrong: a call with
-- nothing but constants would raise when the query is planned.
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

-- Time, as src/clock.c has it.  An argument that a body uses twice has to be
-- cheap, or the call stays a call: so what comes from the clock is used once.

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

-- In a parallel plan two equal calls below Gather are one, and give the same id
-- twice.  What contains pg_backend_pid() is not parallel safe, also when inlined.
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

-- Intervals of fixed length, as src/interval.c has them.  Infinite ones (17 and
-- later) have infinite years.

CREATE FUNCTION uidext_internal.interval_to_us(given interval) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN date_part(text 'year', given) <> 0::float8 OR date_part(text 'month', given) <> 0::float8
			THEN uidext_internal.fail(date_part(text 'year', given), '22023', 'interval must not contain months or years',
				hint => 'Use days, hours or smaller units, whose length is fixed.')::bigint
		WHEN abs(date_part(text 'day', given)) > 106751991::float8
				OR EXTRACT(epoch FROM given) NOT BETWEEN -9223372036854.775808 AND 281474976710.655
			THEN uidext_internal.fail(date_part(text 'day', given), '22023', 'interval is too long')::bigint
		ELSE (EXTRACT(epoch FROM given) * 1000000::numeric)::bigint
	END;
COMMENT ON FUNCTION uidext_internal.interval_to_us(interval) IS
	'microseconds of an interval, a day being 24 hours; raises 22023 for months, and for more than a UUID''s range of times';

CREATE FUNCTION uidext_internal.interval_to_tolerance_us(given interval) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN uidext_internal.interval_to_us(given) < 0
			THEN uidext_internal.fail(uidext_internal.interval_to_us(given), '22023', 'interval must not be negative')
		ELSE uidext_internal.interval_to_us(given)
	END;
COMMENT ON FUNCTION uidext_internal.interval_to_tolerance_us(interval) IS
	'microseconds of a tolerance; raises 22023 for a negative one, and as interval_to_us()';

CREATE FUNCTION uidext_internal.interval_to_length_ms(given interval) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN uidext_internal.interval_to_us(given) <= 0
			THEN uidext_internal.fail(uidext_internal.interval_to_us(given), '22023', 'interval must be greater than zero')
		WHEN uidext_internal.interval_to_us(given) % 1000::bigint <> 0
			THEN uidext_internal.fail(uidext_internal.interval_to_us(given), '22023', 'interval must be a whole number of milliseconds')
		ELSE uidext_internal.interval_to_us(given) / 1000
	END;
COMMENT ON FUNCTION uidext_internal.interval_to_length_ms(interval) IS
	'milliseconds of a length; raises 22023 for what is no whole, positive number of them, and as interval_to_us()';

-- Bit layouts, as src/layout.h has them: 48 bits of head, 4 of version, 12 of
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

-- STRICT for those who ask with NULL
CREATE FUNCTION uidext_internal.fail_version(id uuid, version int) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.fail(id, '22023', 'UUID is not version ' || version::text,
		CASE get_byte(uuid_send(id), 8) >> 6
			WHEN 2 THEN 'It is version ' || (get_byte(uuid_send(id), 6) >> 4)::text || '.'
			ELSE 'Its variant is not that of RFC 9562.'
		END);
COMMENT ON FUNCTION uidext_internal.fail_version(uuid, int) IS
	'raises 22023: the id does not have that version';

-- UUIDv7: in the SQL edition in order within a session as far as the clock tells
-- ids apart, 1 us

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
COMMENT ON FUNCTION gen_uuidv7() IS
	'new UUIDv7: Unix milliseconds, 12 bits of their fraction, 62 random bits; in the session''s order as far as microseconds differ, where it was made on 18 or later always';

CREATE FUNCTION gen_uuidv7_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(7,
		CASE
			WHEN at BETWEEN timestamptz '1970-01-01 00:00+00' AND timestamptz '2500-01-01 00:00+00'
				THEN uidext_internal.timestamptz_us(at) * 512 / 125
			-- later ones would not fit while they are multiplied
			ELSE (uidext_internal.timestamptz_to_unix_us(at) / 1000 << 12) + uidext_internal.timestamptz_to_unix_us(at) % 1000::bigint * 512 / 125
		END,
		uidext_internal.random_bytes());
COMMENT ON FUNCTION gen_uuidv7_at(timestamptz) IS
	'new UUIDv7 of the given time (microseconds count); no order within 1/4096 ms; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

-- The call of gen_uuidv7_at() checks its argument, and costs more than the rest:
-- it is for what a look at the clock beforehand cannot say is well within range.
CREATE FUNCTION gen_uuidv7(shift interval) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE
		WHEN (statement_timestamp() AT TIME ZONE interval '0') + shift BETWEEN timestamp '1971-01-01 00:00' AND timestamp '2500-01-01 00:00'
			THEN uidext_internal.uuid_pack(7,
				uidext_internal.timestamptz_us(((clock_timestamp() AT TIME ZONE interval '0') + shift) AT TIME ZONE interval '0') * 512 / 125,
				uidext_internal.random_bytes())
		ELSE gen_uuidv7_at(((clock_timestamp() AT TIME ZONE interval '0') + shift) AT TIME ZONE interval '0')
	END;
COMMENT ON FUNCTION gen_uuidv7(interval) IS
	'new UUIDv7 of the current time plus shift, by the calendar of UTC; in the session''s order as far as microseconds differ; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uuidv7_is_valid(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_is(id, 7);
COMMENT ON FUNCTION uuidv7_is_valid(uuid) IS
	'whether version and variant are those of a UUIDv7';

-- COMB and suffix COMB

CREATE FUNCTION gen_comb() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(4, uidext_internal.clock_us() * 512 / 125, uidext_internal.random_bytes());
COMMENT ON FUNCTION gen_comb() IS
	'new COMB: a version 4 with Unix milliseconds in its first 48 bits, 12 bits of their fraction, and 62 random bits; in the session''s order as far as microseconds differ';

CREATE FUNCTION gen_comb_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_v4(substr(int8send(uidext_internal.timestamptz_to_unix_us(at) / 1000), 3), 1);
COMMENT ON FUNCTION gen_comb_at(timestamptz) IS
	'new COMB of the given time; no order within a millisecond; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

CREATE FUNCTION gen_suffix_comb() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_v4(substr(int8send(uidext_internal.clock_us() / 1000), 3), 11);
COMMENT ON FUNCTION gen_suffix_comb() IS
	'new suffix COMB: a version 4 with Unix milliseconds in its last 48 bits, where SQL Server sorts first, and 74 random bits; no order within a millisecond';

CREATE FUNCTION gen_suffix_comb_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_v4(substr(int8send(uidext_internal.timestamptz_to_unix_us(at) / 1000), 3), 11);
COMMENT ON FUNCTION gen_suffix_comb_at(timestamptz) IS
	'new suffix COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

CREATE FUNCTION comb_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN uidext_internal.unix_ms_to_timestamptz(uidext_internal.uuid_unix_ms(id))
	END;
COMMENT ON FUNCTION comb_time(uuid) IS
	'time of a COMB: first 48 bits of a version 4 as Unix milliseconds; NULL for other versions; any version 4 gives a time, only its maker knows whether it is a COMB';

CREATE FUNCTION suffix_comb_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN uidext_internal.unix_ms_to_timestamptz(('x' || encode(substr(uuid_send(id), 11), 'hex'))::bit(48)::bigint)
	END;
COMMENT ON FUNCTION suffix_comb_time(uuid) IS
	'time of a suffix COMB: last 48 bits of a version 4 as Unix milliseconds; NULL for other versions';

CREATE FUNCTION comb_to_suffix(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN encode(substr(uuid_send(id), 11) || substr(uuid_send(id), 7, 4) || substr(uuid_send(id), 1, 6), 'hex')::uuid
		ELSE uidext_internal.fail_version(id, 4)
	END;
COMMENT ON FUNCTION comb_to_suffix(uuid) IS
	'suffix COMB from a COMB: b0-b5 and b10-b15 trade places, nothing is lost; raises 22023 for other versions than 4';

CREATE FUNCTION comb_from_suffix(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN comb_to_suffix(id);
COMMENT ON FUNCTION comb_from_suffix(uuid) IS
	'inverse of comb_to_suffix(); raises 22023 for other versions than 4';

-- Short COMB, short suffix COMB and sequence COMB: a random UUIDv4 that takes the
-- last two bytes of a counter

CREATE FUNCTION gen_short_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_v4(substr(int8send(uidext_internal.clock_us() / 1000 / uidext_internal.interval_to_length_ms(interval_length)), 7), 1);
COMMENT ON FUNCTION gen_short_comb(interval) IS
	'new short COMB: a version 4 of 16 bits that count intervals since 1970 and wrap (45.5 days of minutes), and 106 random bits; raises 22023 for an interval that is no whole, positive number of milliseconds';

CREATE FUNCTION gen_short_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN at IS NOT NULL AND interval_length IS NOT NULL
		THEN uidext_internal.uuid_v4(substr(int8send(uidext_internal.timestamptz_to_unix_us(at) / 1000 / uidext_internal.interval_to_length_ms(interval_length)), 7), 1)
	END;
COMMENT ON FUNCTION gen_short_comb_at(timestamptz, interval) IS
	'new short COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities; 22023 as gen_short_comb()';

CREATE FUNCTION gen_short_suffix_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_v4(substr(int8send(uidext_internal.clock_us() / 1000 / uidext_internal.interval_to_length_ms(interval_length)), 7), 11);
COMMENT ON FUNCTION gen_short_suffix_comb(interval) IS
	'new short suffix COMB: as gen_short_comb(), with the counter in b10 and b11, where SQL Server sorts first; raises 22023 as gen_short_comb()';

CREATE FUNCTION gen_short_suffix_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN at IS NOT NULL AND interval_length IS NOT NULL
		THEN uidext_internal.uuid_v4(substr(int8send(uidext_internal.timestamptz_to_unix_us(at) / 1000 / uidext_internal.interval_to_length_ms(interval_length)), 7), 11)
	END;
COMMENT ON FUNCTION gen_short_suffix_comb_at(timestamptz, interval) IS
	'new short suffix COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities; 22023 as gen_short_comb()';

-- A round more makes a negative number positive, so that it is rounded down, too.
CREATE FUNCTION gen_sequence_comb(sequence regclass, block_size int DEFAULT 65536) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL UNSAFE
	RETURN CASE
		WHEN sequence IS NULL OR block_size IS NULL THEN NULL
		WHEN block_size < 1 THEN uidext_internal.fail(lpad(block_size::text, 32, '0'), '22023', 'block size must be at least 1')::uuid
		ELSE uidext_internal.uuid_v4(substr(int8send(
				(nextval(sequence) % (block_size::bigint * 65536::bigint) + block_size::bigint * 65536::bigint) / block_size::bigint), 7), 1)
	END;
COMMENT ON FUNCTION gen_sequence_comb(regclass, int) IS
	'new sequence COMB: a version 4 of 16 bits, nextval(sequence) / block_size modulo 65536, and 106 random bits; raises 22023 for a block_size below 1, 42809 and 2200H as nextval()';

CREATE FUNCTION short_comb_block(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN get_byte(uuid_send(id), 0) << 8 | get_byte(uuid_send(id), 1)
	END;
COMMENT ON FUNCTION short_comb_block(uuid) IS
	'block of a short or sequence COMB: first 16 bits of a version 4, 0 to 65535; NULL for other versions';

CREATE FUNCTION short_suffix_comb_block(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN get_byte(uuid_send(id), 10) << 8 | get_byte(uuid_send(id), 11)
	END;
COMMENT ON FUNCTION short_suffix_comb_block(uuid) IS
	'block of a short suffix COMB: b10 and b11 of a version 4, 0 to 65535; NULL for other versions';

-- Half a wrap ahead is nearer than half a wrap back, unless near is a start.
CREATE FUNCTION uidext_internal.short_comb_counter(block bigint, near_us bigint, length_us bigint) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN near_us / length_us - 32767 - (near_us % length_us = 0)::int
		+ ((block - near_us / length_us + 32767 + (near_us % length_us = 0)::int) & 65535::bigint);
COMMENT ON FUNCTION uidext_internal.short_comb_counter(bigint, bigint, bigint) IS
	'number of the interval that has this block and is the nearest';

CREATE FUNCTION short_comb_time(id uuid, near timestamptz, interval_length interval DEFAULT '1 minute') RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT uidext_internal.unix_ms_to_timestamptz(given.length_ms * CASE
		WHEN nearest.counter < 0 AND nearest.counter + 65536 <= 281474976710655 / given.length_ms THEN nearest.counter + 65536
		WHEN nearest.counter < 0 THEN NULL
		WHEN nearest.counter <= 281474976710655 / given.length_ms THEN nearest.counter
		WHEN nearest.counter >= 65536 THEN nearest.counter - 65536
	END)
	FROM (SELECT uidext_internal.timestamptz_to_unix_us(near), uidext_internal.interval_to_length_ms(interval_length),
			short_comb_block(id)::bigint OFFSET 0) given(near_us, length_ms, block),
		LATERAL (SELECT uidext_internal.short_comb_counter(given.block, given.near_us, given.length_ms * 1000)
			OFFSET 0) nearest(counter);
END;
COMMENT ON FUNCTION short_comb_time(uuid, timestamptz, interval) IS
	'start of the interval with the block of a short COMB, nearest to near (of two, the earlier); NULL for other versions than 4; raises 22008 for times outside 1970-01-01 to 10889-08-02, 22023 as gen_short_comb()';

CREATE FUNCTION short_comb_to_suffix(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN encode(overlay(overlay(uuid_send(id) PLACING substr(uuid_send(id), 1, 2) FROM 11 FOR 2)
			PLACING substr(uuid_send(id), 11, 2) FROM 1 FOR 2), 'hex')::uuid
		ELSE uidext_internal.fail_version(id, 4)
	END;
COMMENT ON FUNCTION short_comb_to_suffix(uuid) IS
	'short suffix COMB from a short COMB: b0-b1 and b10-b11 trade places, nothing is lost; raises 22023 for other versions than 4';

CREATE FUNCTION short_comb_from_suffix(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN short_comb_to_suffix(id);
COMMENT ON FUNCTION short_comb_from_suffix(uuid) IS
	'inverse of short_comb_to_suffix(); raises 22023 for other versions than 4';

-- UUIDv1, UUIDv6 and Lambert's v13

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

-- The timestamp with version 1 in front of it: bytes h1 h2 m1 m2 l1 l2 l3 l4, which
-- an id has as l, m, h.  Written three times in a row, what is between these is
-- cut out: so it is used once, and the clock is read once.
CREATE FUNCTION uidext_internal.uuidv1_pack(count bigint, tail bytea) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN encode(overlay(overlay(
			substr(decode(repeat(encode(int8send(count + 1152921504606846976), 'hex'), 3), 'hex'), 5, 14)
			PLACING decode('', 'hex') FROM 9 FOR 4)
			PLACING decode('', 'hex') FROM 5 FOR 2) || substr(tail, 9), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.uuidv1_pack(bigint, bytea) IS
	'the UUIDv1 of a count of 100 ns since 1582-10-15 that ends as the 16 bytes of tail do';

CREATE FUNCTION gen_uuidv1() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuidv1_pack(uidext_internal.clock_gregorian(), uidext_internal.gregorian_tail());
COMMENT ON FUNCTION gen_uuidv1() IS
	'new UUIDv1: Gregorian time in microseconds, random clock sequence and node (61 bits)';

CREATE FUNCTION gen_uuidv1_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuidv1_pack(uidext_internal.timestamptz_to_gregorian(at), uidext_internal.gregorian_tail());
COMMENT ON FUNCTION gen_uuidv1_at(timestamptz) IS
	'new UUIDv1 of the given time; no order within a microsecond; raises 22008 for times outside 1970-01-01 to 5236-03-31 and infinities';

CREATE FUNCTION gen_uuidv6() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(6, uidext_internal.clock_gregorian(), uidext_internal.gregorian_tail());
COMMENT ON FUNCTION gen_uuidv6() IS
	'new UUIDv6: Gregorian time in microseconds, random clock sequence and node (61 bits); in the session''s order as far as microseconds differ';

CREATE FUNCTION gen_uuidv6_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(6, uidext_internal.timestamptz_to_gregorian(at), uidext_internal.gregorian_tail());
COMMENT ON FUNCTION gen_uuidv6_at(timestamptz) IS
	'new UUIDv6 of the given time; no order within a microsecond; raises 22008 for times outside 1970-01-01 to 5236-03-31 and infinities';

CREATE FUNCTION gen_uuidv13() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(13, uidext_internal.clock_gregorian(), uidext_internal.gregorian_tail());
COMMENT ON FUNCTION gen_uuidv13() IS
	'new Lambert v13 (a UUIDv1 with its timestamp in order): Gregorian time in microseconds, random clock sequence and node (61 bits); in the session''s order as far as microseconds differ';

CREATE FUNCTION gen_uuidv13_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(13, uidext_internal.timestamptz_to_gregorian(at), uidext_internal.gregorian_tail());
COMMENT ON FUNCTION gen_uuidv13_at(timestamptz) IS
	'new Lambert v13 (a UUIDv1 with its timestamp in order) of the given time; no order within a microsecond; raises 22008 for times outside 1970-01-01 to 5236-03-31 and infinities';

-- The count of a v6 or v13 is its head, that of a v1 begins with its last digits.
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

CREATE FUNCTION uuidv1_to_v6(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 1)
		THEN uidext_internal.uuid_pack(6, uidext_internal.uuid_gregorian(id), uuid_send(id))
		ELSE uidext_internal.fail_version(id, 1)
	END;
COMMENT ON FUNCTION uuidv1_to_v6(uuid) IS
	'UUIDv6 with the timestamp, clock sequence and node of a UUIDv1; raises 22023 for other versions';

CREATE FUNCTION uuidv6_to_v1(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 6)
		THEN uidext_internal.uuidv1_pack(uidext_internal.uuid_gregorian(id), uuid_send(id))
		ELSE uidext_internal.fail_version(id, 6)
	END;
COMMENT ON FUNCTION uuidv6_to_v1(uuid) IS
	'inverse of uuidv1_to_v6(); raises 22023 for other versions';

CREATE FUNCTION uuidv1_to_v13(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 1)
		THEN uidext_internal.uuid_pack(13, uidext_internal.uuid_gregorian(id), uuid_send(id))
		ELSE uidext_internal.fail_version(id, 1)
	END;
COMMENT ON FUNCTION uuidv1_to_v13(uuid) IS
	'Lambert v13 with the timestamp, clock sequence and node of a UUIDv1; raises 22023 for other versions';

CREATE FUNCTION uuidv13_to_v1(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 13)
		THEN uidext_internal.uuidv1_pack(uidext_internal.uuid_gregorian(id), uuid_send(id))
		ELSE uidext_internal.fail_version(id, 13)
	END;
COMMENT ON FUNCTION uuidv13_to_v1(uuid) IS
	'inverse of uuidv1_to_v13(); raises 22023 for other versions';

-- Ids of countries and service entities by name, and the setting uidext.country
--
-- The registry's tables come later: these look for them when they are called.
-- Without a SET clause, which costs as much as the search.

CREATE FUNCTION uidext_internal.registry_hint(name text, otherwise text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN name ~ '^[0-9]+$' THEN 'Ids are integers, without quotes: gen_iuid(76, 1).' ELSE otherwise END;
COMMENT ON FUNCTION uidext_internal.registry_hint(text, text) IS
	'the hint for a name that is not there: whoever writes ''76'' in quotes means the id';

CREATE FUNCTION uidext_internal.registry_country_id(country text) RETURNS int
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	found_id int;
BEGIN
	SELECT c.id INTO found_id FROM @extschema@.iuid_countries c WHERE c.code OPERATOR(pg_catalog.=) country;
	IF found_id IS NULL THEN
		SELECT c.id INTO found_id FROM @extschema@.iuid_countries c WHERE c.name OPERATOR(pg_catalog.=) country;
	END IF;
	IF found_id IS NULL THEN
		RAISE EXCEPTION 'country "%" is not in the registry', country
			USING ERRCODE = 'invalid_parameter_value',
				HINT = uidext_internal.registry_hint(country, 'Add it to table iuid_countries, or load ISO 3166-1 with iuid_load_iso_3166().');
	END IF;
	RETURN found_id;
END
$$;
COMMENT ON FUNCTION uidext_internal.registry_country_id(text) IS
	'id of a country by its code, else by its name; raises 22023 when it is not in the registry';

CREATE FUNCTION uidext_internal.registry_service_entity_id(service_entity text) RETURNS int
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	found_id int;
BEGIN
	SELECT e.id INTO found_id FROM @extschema@.iuid_service_entities e WHERE e.name OPERATOR(pg_catalog.=) service_entity;
	IF found_id IS NULL THEN
		RAISE EXCEPTION 'service entity "%" is not in the registry', service_entity
			USING ERRCODE = 'invalid_parameter_value',
				HINT = uidext_internal.registry_hint(service_entity, 'Add it to table iuid_service_entities.');
	END IF;
	RETURN found_id;
END
$$;
COMMENT ON FUNCTION uidext_internal.registry_service_entity_id(text) IS
	'id of a service entity by its name; raises 22023 when it is not in the registry';

-- Without the module nobody checks the setting when it is made: this does.
CREATE FUNCTION uidext_internal.own_country() RETURNS int
	LANGUAGE plpgsql STABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	setting text := coalesce(current_setting('uidext.country', true), '');
	id numeric;
BEGIN
	IF setting !~ '^(-?(0|[1-9][0-9]*))?$' THEN
		RETURN uidext_internal.registry_country_id(setting);
	END IF;
	id := nullif(setting, '');
	IF id NOT BETWEEN -1 AND 255 THEN
		RAISE EXCEPTION 'invalid value for parameter "uidext.country": "%"', setting
			USING ERRCODE = 'invalid_parameter_value', DETAIL = 'An iUID holds country ids from 0 to 255; -1 means none.';
	ELSIF id = -1 OR id IS NULL THEN
		RAISE EXCEPTION 'uidext.country is not set'
			USING ERRCODE = 'invalid_parameter_value',
				HINT = 'Set it once for this region with ALTER DATABASE ... SET uidext.country, or name the country in the call.';
	END IF;
	RETURN id;
END
$$;
COMMENT ON FUNCTION uidext_internal.own_country() IS
	'country of the setting uidext.country; raises 22023 when that is unset, out of range or not in the registry';

-- iUID: in the SQL edition in order within a session as far as the clock tells ids
-- apart, 1 us
--
-- To uuid what varchar is to text: the same bytes, of which input takes some only.

CREATE DOMAIN iuid AS uuid CONSTRAINT iuid_or_boundary CHECK (
	get_byte(uuid_send(VALUE), 6) = 128 AND get_byte(uuid_send(VALUE), 8) >> 6 = 2
	OR substr(uuid_send(VALUE), 7) = decode('00000000000000000000', 'hex')
	OR VALUE = uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff');

COMMENT ON TYPE iuid IS
	'an iUID of layout version 0, or a boundary value (low 80 bits zero, or all bits one); a uuid wherever one is asked for. Other values raise 23514';

CREATE FUNCTION uidext_internal.iuid_field(field text, value int) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN value < 0 OR value > 255
			THEN uidext_internal.fail(value, '22003', field || ' id ' || value::text || ' is out of range', 'An iUID holds ids from 0 to 255.')
		ELSE value
	END;
COMMENT ON FUNCTION uidext_internal.iuid_field(text, int) IS
	'the value; raises 22003 when it is not from 0 to 255';

-- Behind the milliseconds go 26 bits: 1000 0000, the country, 10, the service entity.
-- The tail has 10 bits of the milliseconds' fraction, so that a microsecond counts,
-- 4 of zero up to the next byte, and 40 random ones.
CREATE FUNCTION uidext_internal.iuid_new(country int, service_entity int) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN encode(overlay(uidext_internal.random_bytes()
		PLACING substr(bit_send(overlay((uidext_internal.clock_us() * 128 / 125 << 4)::bit(62)
			PLACING (33554944 + (country << 10) + service_entity)::bit(26) FROM 49 FOR 0)), 5)
		FROM 1 FOR 11), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.iuid_new(int, int) IS
	'an iUID of the current time; fields from 0 to 255';

CREATE FUNCTION gen_iuid(country int, service_entity int) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN country IS NOT NULL AND service_entity IS NOT NULL
		THEN uidext_internal.iuid_new(uidext_internal.iuid_field('country', country), uidext_internal.iuid_field('service entity', service_entity))
	END;
COMMENT ON FUNCTION gen_iuid(int, int) IS
	'new iUID: Unix milliseconds, country, service entity, 10 bits of the milliseconds'' fraction, 40 random bits; in the session''s order for a country and entity as far as microseconds differ; raises 22003 for ids outside 0 to 255';

CREATE FUNCTION gen_iuid(country text, service_entity text) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN country IS NOT NULL AND service_entity IS NOT NULL
		THEN uidext_internal.iuid_new(uidext_internal.registry_country_id(country), uidext_internal.registry_service_entity_id(service_entity))
	END;
COMMENT ON FUNCTION gen_iuid(text, text) IS
	'new iUID with ids from the registry: country by code or name in iuid_countries, entity by name in iuid_service_entities; raises 22023 for a name that is not there';

-- What is no plain pair of ids goes the long way: a call that asks for the country first.
CREATE FUNCTION gen_iuid(service_entity int) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE
		WHEN service_entity BETWEEN 0 AND 255
				AND current_setting('uidext.country', true) ~ '^([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$'
			THEN uidext_internal.iuid_new(current_setting('uidext.country', true)::int, service_entity)
		WHEN service_entity IS NOT NULL THEN gen_iuid(uidext_internal.own_country(), service_entity)
	END;
COMMENT ON FUNCTION gen_iuid(int) IS
	'new iUID with the country of the setting uidext.country; raises 22023 when that is unset, 22003 for an id outside 0 to 255';

CREATE FUNCTION gen_iuid(service_entity text) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN gen_iuid(uidext_internal.registry_service_entity_id(service_entity));
COMMENT ON FUNCTION gen_iuid(text) IS
	'new iUID with the country of the setting uidext.country and the entity''s id from the registry; raises 22023 when the setting is unset or the name is not there';

-- The first 9 bytes are written, and the first two bits of the next.
CREATE FUNCTION uidext_internal.iuid_new_at(unix_ms bigint, country int, service_entity int) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN encode(overlay(
		set_bit(set_bit(uidext_internal.random_bytes(), 79::bigint, (service_entity >> 1) & 1), 78::bigint, service_entity & 1)
		PLACING substr(int8send(unix_ms), 3) || substr(int4send(8388736 + (country << 8) + (service_entity >> 2)), 2)
		FROM 1 FOR 9), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.iuid_new_at(bigint, int, int) IS
	'an iUID of the given time; fields from 0 to 255';

CREATE FUNCTION gen_iuid_at(at timestamptz, country int, service_entity int) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN at IS NOT NULL AND country IS NOT NULL AND service_entity IS NOT NULL
		THEN uidext_internal.iuid_new_at(uidext_internal.timestamptz_to_unix_us(at) / 1000,
			uidext_internal.iuid_field('country', country), uidext_internal.iuid_field('service entity', service_entity))
	END;
COMMENT ON FUNCTION gen_iuid_at(timestamptz, int, int) IS
	'new iUID of the given time with 54 random bits; no order within a millisecond; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities, 22003 for ids outside 0 to 255';

CREATE FUNCTION gen_iuid_at(at timestamptz, country text, service_entity text) RETURNS iuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN at IS NOT NULL AND country IS NOT NULL AND service_entity IS NOT NULL
		THEN gen_iuid_at(at, uidext_internal.registry_country_id(country), uidext_internal.registry_service_entity_id(service_entity))
	END;
COMMENT ON FUNCTION gen_iuid_at(timestamptz, text, text) IS
	'new iUID of the given time with ids from the registry, as gen_iuid(country, service_entity); raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities, 22023 for a name that is not there';

-- The tail is the 12 bits behind the version and the last 42.
CREATE FUNCTION uidext_internal.iuid_from(country int, service_entity int, id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN encode(substr(pg_catalog.varbit_send(
		('x' || encode(substr(uuid_send(id), 1, 6), 'hex'))::bit(48) OPERATOR(pg_catalog.||) B'10000000' OPERATOR(pg_catalog.||) country::bit(8)
			OPERATOR(pg_catalog.||) B'10' OPERATOR(pg_catalog.||) service_entity::bit(8)
			OPERATOR(pg_catalog.||) ('x' || encode(substr(uuid_send(id), 7, 2), 'hex'))::bit(16)::bigint::bit(12)
			OPERATOR(pg_catalog.||) ('x' || encode(substr(uuid_send(id), 11, 6), 'hex'))::bit(48)::bigint::bit(42)), 5), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.iuid_from(int, int, uuid) IS
	'the iUID of an id that begins with milliseconds; fields from 0 to 255';

CREATE FUNCTION uuid_to_iuid(id uuid, country int, service_entity int) RETURNS iuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN id IS NOT NULL AND country IS NOT NULL AND service_entity IS NOT NULL
		THEN uidext_internal.iuid_from(
			uidext_internal.iuid_field('country', country),
			uidext_internal.iuid_field('service entity', service_entity),
			CASE
				WHEN uidext_internal.uuid_is(id, 7) OR get_byte(uuid_send(id), 0) < 4 THEN id
				ELSE uidext_internal.fail(id, '22023', 'UUID ' || id::text || ' does not begin with a time',
					'It is no UUIDv7, and as Unix milliseconds its first 48 bits are after 2109-05-15.',
					'UUIDv7, COMBs and ULIDs have an iUID of the same time. Give other ids the time of their row with gen_iuid_at().')
			END)
	END;
COMMENT ON FUNCTION uuid_to_iuid(uuid, int, int) IS
	'iUID of a UUIDv7, COMB or ULID, always the same: its milliseconds, the 12 bits of its fraction, its last 42 random bits; raises 22003 for ids outside 0 to 255, 22023 for an id that does not begin with a time: no UUIDv7, and after 2109-05-15';

CREATE FUNCTION uuid_to_iuid(id uuid, country text, service_entity text) RETURNS iuid
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE WHEN id IS NOT NULL AND country IS NOT NULL AND service_entity IS NOT NULL
		THEN uuid_to_iuid(id, uidext_internal.registry_country_id(country), uidext_internal.registry_service_entity_id(service_entity))
	END;
COMMENT ON FUNCTION uuid_to_iuid(uuid, text, text) IS
	'iUID of a UUIDv7, COMB or ULID with ids from the registry; raises 22023 for a name that is not there, and for an id that does not begin with a time';

CREATE FUNCTION iuid_is_valid(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN get_byte(uuid_send(id), 6) = 128 AND get_byte(uuid_send(id), 8) >> 6 = 2;
COMMENT ON FUNCTION iuid_is_valid(uuid) IS
	'whether an id is an iUID that type iuid takes: version 8, RFC 9562 variant, layout version 0';

CREATE FUNCTION iuid_version(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 8) AND (get_byte(uuid_send(id), 6) = 128 OR get_byte(uuid_send(id), 0) < 4)
		THEN get_byte(uuid_send(id), 6) & 15
	END;
COMMENT ON FUNCTION iuid_version(uuid) IS
	'layout version of an iUID: 0, or 1 to 15 for a layout to come, of a version 8 whose time is before 2109-05-15; NULL for other ids';

CREATE FUNCTION iuid_country(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN iuid_is_valid(id) THEN get_byte(uuid_send(id), 7) END;
COMMENT ON FUNCTION iuid_country(uuid) IS
	'country id of an iUID, 0 to 255; NULL for other ids';

CREATE FUNCTION iuid_service_entity(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN iuid_is_valid(id)
		THEN (get_byte(uuid_send(id), 8) & 63) << 2 | (get_byte(uuid_send(id), 9) >> 6)
	END;
COMMENT ON FUNCTION iuid_service_entity(uuid) IS
	'service entity id of an iUID, 0 to 255; NULL for other ids';

-- Order and equality of iUIDs

-- MySQL's byte order

CREATE FUNCTION uuid_to_bin(id uuid, swap bool DEFAULT false) RETURNS bytea
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE swap
		WHEN true THEN substr(uuid_send(id), 7, 2) || substr(uuid_send(id), 5, 2) || substr(uuid_send(id), 1, 4) || substr(uuid_send(id), 9)
		WHEN false THEN uuid_send(id)
	END;
COMMENT ON FUNCTION uuid_to_bin(uuid, bool) IS
	'16 bytes as UUID_TO_BIN() of MySQL 8; with swap in the order b6-b7, b4-b5, b0-b3, b8-b15';

CREATE FUNCTION bin_to_uuid(bin bytea, swap bool DEFAULT false) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN bin IS NULL OR swap IS NULL THEN NULL
		WHEN length(bin) <> 16
			THEN uidext_internal.fail(encode(bin, 'hex'), '22023', 'a UUID has 16 bytes, not ' || length(bin)::text,
				hint => 'Text becomes a UUID by a cast.')::uuid
		WHEN swap THEN encode(substr(bin, 5, 4) || substr(bin, 3, 2) || substr(bin, 1, 2) || substr(bin, 9), 'hex')::uuid
		ELSE encode(bin, 'hex')::uuid
	END;
COMMENT ON FUNCTION bin_to_uuid(bytea, bool) IS
	'inverse of uuid_to_bin(); raises 22023 for another length than 16 bytes';

-- SQL Server's byte order

CREATE FUNCTION uuid_to_sqlserver(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN encode(substr(uuid_send(id), 4, 1) || substr(uuid_send(id), 3, 1) || substr(uuid_send(id), 2, 1) || substr(uuid_send(id), 1, 1)
		|| substr(uuid_send(id), 6, 1) || substr(uuid_send(id), 5, 1)
		|| substr(uuid_send(id), 8, 1) || substr(uuid_send(id), 7, 1)
		|| substr(uuid_send(id), 9), 'hex')::uuid;
COMMENT ON FUNCTION uuid_to_sqlserver(uuid) IS
	'what SQL Server prints for the same 16 bytes: b0-b3, b4-b5 and b6-b7 each reversed';

CREATE FUNCTION uuid_from_sqlserver(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uuid_to_sqlserver(id);
COMMENT ON FUNCTION uuid_from_sqlserver(uuid) IS
	'inverse of uuid_to_sqlserver(): the bytes that SQL Server stores for what it prints';

-- The bytes in the order in which SQL Server compares them.  An index on this
-- expression serves the operators, and ORDER BY it is their order.
CREATE FUNCTION uidext_internal.uuid_sqlserver_key(id uuid) RETURNS bytea
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN substr(uuid_send(id), 11) || substr(uuid_send(id), 9, 2) || substr(uuid_send(id), 7, 2)
		|| substr(uuid_send(id), 5, 2) || substr(uuid_send(id), 1, 4);
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_key(uuid) IS
	'16 bytes that sort as SQL Server sorts the id: an index on this expression serves ~<~ and its kin';

CREATE FUNCTION uidext_internal.uuid_sqlserver_cmp(a uuid, b uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN byteacmp(uidext_internal.uuid_sqlserver_key(a), uidext_internal.uuid_sqlserver_key(b));
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_cmp(uuid, uuid) IS
	'below, equal to or above 0 as SQL Server sorts a before, with or after b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_lt(a uuid, b uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_sqlserver_key(a) < uidext_internal.uuid_sqlserver_key(b);
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_lt(uuid, uuid) IS
	'implementation of ~<~: whether SQL Server sorts a before b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_le(a uuid, b uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_sqlserver_key(a) <= uidext_internal.uuid_sqlserver_key(b);
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_le(uuid, uuid) IS
	'implementation of ~<=~: whether SQL Server sorts a before or with b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_ge(a uuid, b uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_sqlserver_key(a) >= uidext_internal.uuid_sqlserver_key(b);
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_ge(uuid, uuid) IS
	'implementation of ~>=~: whether SQL Server sorts a after or with b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_gt(a uuid, b uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_sqlserver_key(a) > uidext_internal.uuid_sqlserver_key(b);
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_gt(uuid, uuid) IS
	'implementation of ~>~: whether SQL Server sorts a after b';

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
	random_bits int,
	count_100ns bigint,
	swapped_by text,
	unswapped uuid
);
COMMENT ON TYPE uuid_info IS
	'everything that the bits of a UUID tell; a column is NULL where the layout has no such field';
COMMENT ON COLUMN uuid_info.version IS 'version, 0 to 15; NULL when the variant is not that of RFC 9562';
COMMENT ON COLUMN uuid_info.variant IS 'NCS, RFC 9562, Microsoft or future';
COMMENT ON COLUMN uuid_info.layout IS 'UUIDv1 to UUIDv8, "UUIDv4 or COMB", iUID, "iUID, layout 1" and so on, of which no more than the time is known, Lambert v13, boundary, nil, max or unknown';
COMMENT ON COLUMN uuid_info."time" IS 'as uuid_time()';
COMMENT ON COLUMN uuid_info.comb_time IS 'the creation time if this version 4 is a COMB; else meaningless';
COMMENT ON COLUMN uuid_info.suffix_comb_time IS 'the creation time if this version 4 is a suffix COMB; else meaningless';
COMMENT ON COLUMN uuid_info.short_comb_block IS 'the block, 0 to 65535, if this version 4 is a short or sequence COMB; else meaningless';
COMMENT ON COLUMN uuid_info.short_suffix_comb_block IS 'the block, 0 to 65535, if this version 4 is a short suffix COMB; else meaningless';
COMMENT ON COLUMN uuid_info.country IS 'country of an iUID, 0 to 255';
COMMENT ON COLUMN uuid_info.service_entity IS 'service entity of an iUID, 0 to 255';
COMMENT ON COLUMN uuid_info.clock_seq IS 'clock sequence of a v1, v6 or v13, 0 to 16383';
COMMENT ON COLUMN uuid_info.node IS 'node of a v1, v6 or v13; a network card''s address unless its multicast bit (01:00:00:00:00:00) is set';
COMMENT ON COLUMN uuid_info.random_bits IS 'random bits of an id of this layout as the C edition makes it in a new tick, or of a version 4 as gen_random_uuid() makes it; an outsider has to guess no more; NULL where the layout does not say';
COMMENT ON COLUMN uuid_info.count_100ns IS 'the timestamp of a v1, v6 or v13 as it is: 100 ns since 1582-10-15';
COMMENT ON COLUMN uuid_info.swapped_by IS 'SQL Server or MySQL, whose byte order gives the id a time between 2000 and 2049; NULL for an id that has such a time as it is, and for versions 3, 4 and 5';
COMMENT ON COLUMN uuid_info.unswapped IS 'the id with its bytes in place, where swapped_by is known: uuid_inspect() reads it';

CREATE FUNCTION uidext_internal.uuid_is_gregorian(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_is(id, 1) OR uidext_internal.uuid_is(id, 6) OR uidext_internal.uuid_is(id, 13);
COMMENT ON FUNCTION uidext_internal.uuid_is_gregorian(uuid) IS
	'whether an id is a v1, v6 or v13';

CREATE FUNCTION uidext_internal.uuid_is_boundary(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN substr(uuid_send(id), 7) = decode('00000000000000000000', 'hex')
		AND id <> uuid '00000000-0000-0000-0000-000000000000';
COMMENT ON FUNCTION uidext_internal.uuid_is_boundary(uuid) IS
	'whether the low 80 bits of an id are zero, and not all bits';

CREATE FUNCTION uuid_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN uidext_internal.uuid_is(id, 7) OR iuid_version(id) IS NOT NULL OR uidext_internal.uuid_is_boundary(id)
			THEN uidext_internal.unix_ms_to_timestamptz(uidext_internal.uuid_unix_ms(id))
		WHEN uidext_internal.uuid_is_gregorian(id)
			THEN uidext_internal.uuid_gregorian_time(id)
	END;
COMMENT ON FUNCTION uuid_time(uuid) IS
	'creation time in a v1, v6, v7, v13 or iUID (of layouts to come, too), and the time of a boundary value; floored to 1 us (v1, v6, v13) or 1 ms; NULL for every other layout';

CREATE FUNCTION uidext_internal.uuid_has_plausible_time(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN get_byte(uuid_send(id), 8) >> 6 = 2
		AND coalesce(uuid_time(id) >= timestamptz '2000-01-01 00:00:00+00' AND uuid_time(id) < timestamptz '2050-01-01 00:00:00+00', false);
COMMENT ON FUNCTION uidext_internal.uuid_has_plausible_time(uuid) IS
	'whether an id tells a time that it may have been made at, 2000 to 2049';

CREATE FUNCTION uidext_internal.uuid_swapped_by(id uuid) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN uidext_internal.uuid_is(id, 3) OR uidext_internal.uuid_is(id, 4) OR uidext_internal.uuid_is(id, 5)
			OR uidext_internal.uuid_has_plausible_time(id) THEN NULL
		WHEN uidext_internal.uuid_has_plausible_time(uuid_from_sqlserver(id)) THEN 'SQL Server'
		WHEN uidext_internal.uuid_has_plausible_time(bin_to_uuid(uuid_send(id), true)) THEN 'MySQL'
	END;
COMMENT ON FUNCTION uidext_internal.uuid_swapped_by(uuid) IS
	'the database in whose order the bytes of an id are';

CREATE FUNCTION uidext_internal.uuid_layout(id uuid) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN id = uuid '00000000-0000-0000-0000-000000000000' THEN 'nil'
		WHEN id = uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff' THEN 'max'
		WHEN uidext_internal.uuid_is_boundary(id) THEN 'boundary'
		WHEN get_byte(uuid_send(id), 8) >> 6 <> 2 THEN 'unknown'
		WHEN iuid_is_valid(id) THEN 'iUID'
		WHEN iuid_version(id) IS NOT NULL THEN 'iUID, layout ' || iuid_version(id)::text
		ELSE CASE get_byte(uuid_send(id), 6) >> 4
			WHEN 1 THEN 'UUIDv1'
			WHEN 2 THEN 'UUIDv2'
			WHEN 3 THEN 'UUIDv3'
			WHEN 4 THEN 'UUIDv4 or COMB'
			WHEN 5 THEN 'UUIDv5'
			WHEN 6 THEN 'UUIDv6'
			WHEN 7 THEN 'UUIDv7'
			WHEN 8 THEN 'UUIDv8'
			WHEN 13 THEN 'Lambert v13'
			ELSE 'unknown'
		END
	END;
COMMENT ON FUNCTION uidext_internal.uuid_layout(uuid) IS
	'the name of an id''s layout, as uuid_inspect() has it';

CREATE FUNCTION uuid_inspect(id uuid) RETURNS uuid_info
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN id IS NOT NULL THEN ROW(
		CASE WHEN get_byte(uuid_send(id), 8) >> 6 = 2 THEN get_byte(uuid_send(id), 6) >> 4 END,
		(ARRAY['NCS', 'NCS', 'NCS', 'NCS', 'RFC 9562', 'RFC 9562', 'Microsoft', 'future'])[(get_byte(uuid_send(id), 8) >> 5) + 1],
		uidext_internal.uuid_layout(id),
		uuid_time(id),
		comb_time(id),
		suffix_comb_time(id),
		short_comb_block(id),
		short_suffix_comb_block(id),
		iuid_country(id),
		iuid_service_entity(id),
		CASE WHEN uidext_internal.uuid_is_gregorian(id)
			THEN (get_byte(uuid_send(id), 8) & 63) << 8 | get_byte(uuid_send(id), 9)
		END,
		CASE WHEN uidext_internal.uuid_is_gregorian(id)
			THEN encode(substr(uuid_send(id), 11), 'hex')::macaddr
		END,
		CASE
			-- without the multicast bit the node is a network card's
			WHEN uidext_internal.uuid_is_gregorian(id) THEN CASE get_bit(uuid_send(id), 80::bigint) WHEN 1 THEN 61 ELSE 14 END
			WHEN uidext_internal.uuid_is(id, 4) THEN 122
			WHEN uidext_internal.uuid_is(id, 7) THEN 62
			WHEN iuid_is_valid(id) THEN 48
		END,
		CASE WHEN uidext_internal.uuid_is_gregorian(id) THEN uidext_internal.uuid_gregorian(id) END,
		uidext_internal.uuid_swapped_by(id),
		CASE uidext_internal.uuid_swapped_by(id)
			WHEN 'SQL Server' THEN uuid_from_sqlserver(id)
			WHEN 'MySQL' THEN bin_to_uuid(uuid_send(id), true)
		END
	)::uuid_info END;
COMMENT ON FUNCTION uuid_inspect(uuid) IS
	'everything that the bits of an id tell, one column a field; a version 4 may be a COMB, so all its readings are given';

-- Is this an id of the agreed form?

CREATE FUNCTION uuidv4_is_valid(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_is(id, 4);
COMMENT ON FUNCTION uuidv4_is_valid(uuid) IS
	'whether version and variant are those of a UUIDv4, which COMBs have, too';

CREATE FUNCTION uuid_is_canonical(id text) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id COLLATE "C" ~ '^[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$';
COMMENT ON FUNCTION uuid_is_canonical(text) IS
	'whether a text is a canonical UUID: 32 hex digits of either case, with hyphens between groups of 8, 4, 4, 4 and 12';

-- Validation of ids made elsewhere: what is wrong with an argument raises
-- whatever the others are

-- Both tolerances are asked for before anything is compared.
CREATE FUNCTION uuid_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN id IS NULL OR past IS NULL OR future IS NULL OR at IS NULL THEN NULL
		WHEN pg_catalog.num_nulls(uidext_internal.interval_to_tolerance_us(past), uidext_internal.interval_to_tolerance_us(future)) > 0 THEN NULL
		ELSE coalesce(uidext_internal.timestamptz_to_unix_us(at) - uidext_internal.timestamptz_us(uuid_time(id))
			BETWEEN 0::bigint - uidext_internal.interval_to_tolerance_us(future) AND uidext_internal.interval_to_tolerance_us(past) + 999 - 999 * uidext_internal.uuid_is_gregorian(id)::int, false)
	END;
COMMENT ON FUNCTION uuid_is_recent(uuid, interval, interval, timestamptz) IS
	'whether the tick of uuid_time(id) (1 us of v1, v6, v13, else 1 ms) meets at - past to at + future; false for an id without a time; raises 22023 for a negative tolerance or months, 22008 for an at outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION comb_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN id IS NULL OR past IS NULL OR future IS NULL OR at IS NULL THEN NULL
		WHEN pg_catalog.num_nulls(uidext_internal.interval_to_tolerance_us(past), uidext_internal.interval_to_tolerance_us(future)) > 0 THEN NULL
		ELSE coalesce(uidext_internal.timestamptz_to_unix_us(at) - uidext_internal.timestamptz_us(comb_time(id))
			BETWEEN 0::bigint - uidext_internal.interval_to_tolerance_us(future) AND uidext_internal.interval_to_tolerance_us(past) + 999, false)
	END;
COMMENT ON FUNCTION comb_is_recent(uuid, interval, interval, timestamptz) IS
	'whether the millisecond of comb_time(id) meets at - past to at + future; false for versions other than 4; raises 22023 for a negative tolerance or months, 22008 for an at outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uidext_internal.short_comb_tolerance_us(tolerance interval, interval_length interval) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN tolerance IS NULL THEN 10000 * uidext_internal.interval_to_length_ms(interval_length)
		ELSE uidext_internal.interval_to_tolerance_us(tolerance)
	END;
COMMENT ON FUNCTION uidext_internal.short_comb_tolerance_us(interval, interval) IS
	'a tolerance in microseconds; ten lengths where it is NULL';

-- floor((at - past) / length), with the past's whole lengths apart, so that nothing
-- divided is negative
CREATE FUNCTION uidext_internal.short_comb_first(past interval, interval_length interval, at timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (uidext_internal.timestamptz_to_unix_us(at) + uidext_internal.interval_to_length_ms(interval_length) * 1000
			- uidext_internal.short_comb_tolerance_us(past, interval_length) % (uidext_internal.interval_to_length_ms(interval_length) * 1000))
		/ (uidext_internal.interval_to_length_ms(interval_length) * 1000)
		- uidext_internal.short_comb_tolerance_us(past, interval_length) / (uidext_internal.interval_to_length_ms(interval_length) * 1000) - 1;
COMMENT ON FUNCTION uidext_internal.short_comb_first(interval, interval, timestamptz) IS
	'number of the interval that holds at - past';

CREATE FUNCTION uidext_internal.short_comb_last(future interval, interval_length interval, at timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (uidext_internal.timestamptz_to_unix_us(at) + uidext_internal.short_comb_tolerance_us(future, interval_length))
		/ (uidext_internal.interval_to_length_ms(interval_length) * 1000);
COMMENT ON FUNCTION uidext_internal.short_comb_last(interval, interval, timestamptz) IS
	'number of the interval that holds at + future';

-- The window is rounded up, so that it does not depend on where in a block at lies.
CREATE FUNCTION short_comb_is_recent(id uuid, past interval DEFAULT NULL, future interval DEFAULT NULL, interval_length interval DEFAULT '1 minute', at timestamptz DEFAULT now()) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN id IS NULL OR interval_length IS NULL OR at IS NULL THEN NULL
		WHEN pg_catalog.num_nulls(uidext_internal.interval_to_length_ms(interval_length), uidext_internal.short_comb_tolerance_us(past, interval_length),
			uidext_internal.short_comb_tolerance_us(future, interval_length), uidext_internal.timestamptz_to_unix_us(at)) > 0 THEN NULL
		WHEN (uidext_internal.short_comb_tolerance_us(past, interval_length) + uidext_internal.short_comb_tolerance_us(future, interval_length) - 1)
				/ (uidext_internal.interval_to_length_ms(interval_length) * 1000) + 2 >= 65536
			-- of all that the condition is of, or it could raise while planning
			THEN uidext_internal.fail(uidext_internal.short_comb_tolerance_us(past, interval_length) + uidext_internal.short_comb_tolerance_us(future, interval_length)
					+ uidext_internal.interval_to_length_ms(interval_length), '22023',
				'tolerance covers all 65536 blocks and would accept every id',
				hint => 'Use shorter tolerances, or a longer interval_length.') IS NULL
		WHEN uidext_internal.uuid_is(id, 4)
			THEN (short_comb_block(id)::bigint - uidext_internal.short_comb_first(past, interval_length, at)) & 65535::bigint
				<= uidext_internal.short_comb_last(future, interval_length, at) - uidext_internal.short_comb_first(past, interval_length, at)
		ELSE false
	END;
COMMENT ON FUNCTION short_comb_is_recent(uuid, interval, interval, interval, timestamptz) IS
	'whether a short COMB made from at - past to at + future has this block, also across the wrap; a tolerance left out or NULL is ten interval_lengths; false for other versions than 4; raises 22023 for a window of 65536 blocks or more, 22023 and 22008 as comb_is_recent()';

-- Laravel's ordered UUIDs

CREATE FUNCTION laravel_uuid_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN (timestamp '1970-01-01 00:00'
			+ (uidext_internal.uuid_unix_ms(id) / 100)::float8 * interval '0.001 s'
			+ (uidext_internal.uuid_unix_ms(id) % 100::bigint)::float8 * interval '0.00001 s') AT TIME ZONE interval '0'
	END;
COMMENT ON FUNCTION laravel_uuid_time(uuid) IS
	'time of an ordered UUID of Laravel: first 48 bits of a version 4 in units of 10 us; NULL for other versions';

-- The first 5 of the 12 bits behind the version go to the head, the other 7 begin
-- the tail, which loses its last 7.
CREATE FUNCTION laravel_uuid_to_v7(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN uidext_internal.uuid_pack(7,
			(uidext_internal.uuid_unix_ms(id) / 100 << 12)
				+ (uidext_internal.uuid_unix_ms(id) % 100::bigint * 4096 + 99) / 100
				+ ((get_byte(uuid_send(id), 6) & 15) << 1 | (get_byte(uuid_send(id), 7) >> 7)),
			pg_catalog.bit_send(repeat('0', 32)::bit(32) OPERATOR(pg_catalog.||) B'10' OPERATOR(pg_catalog.||) get_byte(uuid_send(id), 7)::bit(7)
				OPERATOR(pg_catalog.||) (('x' || encode(substr(uuid_send(id), 9), 'hex'))::bit(64) << 2)::bit(55)))
		ELSE uidext_internal.fail_version(id, 4)
	END;
COMMENT ON FUNCTION laravel_uuid_to_v7(uuid) IS
	'an ordered UUID of Laravel as UUIDv7 of the same time; keeps the order and 67 of 74 random bits; raises 22023 for versions other than 4';

-- Bits as digits of an alphabet, and back

CREATE FUNCTION uidext_internal.uuid_to_bits(id uuid) RETURNS bit
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN ('x' || translate(id::text, '-', ''))::bit(128);
COMMENT ON FUNCTION uidext_internal.uuid_to_bits(uuid) IS 'the 128 bits of a uuid';

CREATE FUNCTION uidext_internal.bits_to_uuid(bits bit) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (lpad(to_hex(substring(bits, 1, 32)::bigint), 8, '0') || lpad(to_hex(substring(bits, 33, 32)::bigint), 8, '0')
		|| lpad(to_hex(substring(bits, 65, 32)::bigint), 8, '0') || lpad(to_hex(substring(bits, 97, 32)::bigint), 8, '0'))::uuid;
COMMENT ON FUNCTION uidext_internal.bits_to_uuid(bit) IS 'inverse of uidext_internal.uuid_to_bits()';

-- Crockford's base 32.  What is called for every row has no SET clause, which
-- costs more than all the rest: PL/pgSQL only holds values that are used twice,
-- and names no operator and nothing that search_path could find elsewhere.

DO $do$
BEGIN
	EXECUTE pg_catalog.format('CREATE FUNCTION uidext_internal.base32_pairs() RETURNS bytea
		LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN %L::bytea',
		(SELECT string_agg(a || b, ''::text ORDER BY a COLLATE "C", b COLLATE "C")
		FROM string_to_table('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::text, NULL::text) AS a, string_to_table('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::text, NULL::text) AS b));
END $do$;
COMMENT ON FUNCTION uidext_internal.base32_pairs() IS 'the 1,024 pairs of digits of Crockford''s base 32, in order; in bytes, because a piece of a text is counted for';

DO $do$
BEGIN
	EXECUTE pg_catalog.format('CREATE FUNCTION uidext_internal.base32_values() RETURNS bytea
		LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN decode(%L, ''hex'')',
		(SELECT string_agg(lpad(to_hex(greatest(strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::text, CASE WHEN code > 0 THEN chr(code) ELSE '?' END) - 1, 0)), 2, '0'::text), ''::text ORDER BY code)
		FROM generate_series(0, ascii('Z'::text)) AS code));
END $do$;
COMMENT ON FUNCTION uidext_internal.base32_values() IS 'the values of these digits by their codes in ASCII';

CREATE FUNCTION uidext_internal.base32_pair(bits bigint) RETURNS bytea
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN substr(uidext_internal.base32_pairs(), ((bits << 1) & 2046::bigint)::int + 1, 2);
COMMENT ON FUNCTION uidext_internal.base32_pair(bigint) IS 'the low 10 bits as 2 digits of Crockford''s base 32';

CREATE FUNCTION uidext_internal.base32_digits(bits bigint) RETURNS bytea
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.base32_pair(bits >> 50)
		|| uidext_internal.base32_pair(bits >> 40)
		|| uidext_internal.base32_pair(bits >> 30)
		|| uidext_internal.base32_pair(bits >> 20)
		|| uidext_internal.base32_pair(bits >> 10)
		|| uidext_internal.base32_pair(bits);
COMMENT ON FUNCTION uidext_internal.base32_digits(bigint) IS 'the low 60 bits as 12 digits';

CREATE FUNCTION uidext_internal.base32_text(head bigint, middle bigint, tail bigint) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN encode(uidext_internal.base32_digits(head) || uidext_internal.base32_digits(middle)
		|| uidext_internal.base32_pair(tail), 'escape');
COMMENT ON FUNCTION uidext_internal.base32_text(bigint, bigint, bigint) IS 'the low 60, 60 and 10 bits as 26 digits';

CREATE FUNCTION uidext_internal.base32_value(digits bytea, place int) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN get_byte(uidext_internal.base32_values(), get_byte(digits, place))::bigint;
COMMENT ON FUNCTION uidext_internal.base32_value(bytea, int) IS 'the value of a digit, counted from 0';

CREATE FUNCTION uidext_internal.base32_bits(digits bytea, first int) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (uidext_internal.base32_value(digits, first) << 55)
		| (uidext_internal.base32_value(digits, first + 1) << 50)
		| (uidext_internal.base32_value(digits, first + 2) << 45)
		| (uidext_internal.base32_value(digits, first + 3) << 40)
		| (uidext_internal.base32_value(digits, first + 4) << 35)
		| (uidext_internal.base32_value(digits, first + 5) << 30)
		| (uidext_internal.base32_value(digits, first + 6) << 25)
		| (uidext_internal.base32_value(digits, first + 7) << 20)
		| (uidext_internal.base32_value(digits, first + 8) << 15)
		| (uidext_internal.base32_value(digits, first + 9) << 10)
		| (uidext_internal.base32_value(digits, first + 10) << 5)
		| uidext_internal.base32_value(digits, first + 11);
COMMENT ON FUNCTION uidext_internal.base32_bits(bytea, int) IS '60 bits of 12 digits from the first one on, counted from 0';

CREATE FUNCTION uidext_internal.bytes_half(bytes bytea, first int) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN ('x' || encode(substr(bytes, first, 8), 'hex'))::bit(64)::bigint;
COMMENT ON FUNCTION uidext_internal.bytes_half(bytea, int) IS '8 bytes as bits, from the first one on';

-- two zeros and 58 bits, 60 bits, 10 bits
CREATE FUNCTION uidext_internal.base32_head(high bigint) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (high >> 6) & 288230376151711743;
COMMENT ON FUNCTION uidext_internal.base32_head(bigint) IS 'what the first 12 digits hold of the high half of a uuid';

CREATE FUNCTION uidext_internal.base32_middle(high bigint, low bigint) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (high << 54) | ((low >> 10) & 18014398509481983);
COMMENT ON FUNCTION uidext_internal.base32_middle(bigint, bigint) IS 'what the next 12 digits hold of both halves, in the low 60 bits';

CREATE FUNCTION uidext_internal.base32_encode(id uuid) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	bytes pg_catalog.bytea := pg_catalog.uuid_send(id);
	high bigint := uidext_internal.bytes_half(bytes, 1);
	low bigint := uidext_internal.bytes_half(bytes, 9);
	middle bigint := uidext_internal.base32_middle(high, low);
BEGIN
	RETURN uidext_internal.base32_text(uidext_internal.base32_head(high), middle, low);
END
$$;
COMMENT ON FUNCTION uidext_internal.base32_encode(uuid) IS 'the 128 bits as 26 digits of Crockford''s base 32, the text of a ULID';

CREATE FUNCTION uidext_internal.base32_uuid(head bigint, middle bigint, tail bigint) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN encode(int8send((head << 6) | (middle >> 54)) || int8send((middle << 10) | (tail & 1023::bigint)), 'hex')::uuid;
COMMENT ON FUNCTION uidext_internal.base32_uuid(bigint, bigint, bigint) IS 'the uuid of the low 58, 60 and 10 bits';

CREATE FUNCTION uidext_internal.base32_decode(digits text) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	bytes pg_catalog.bytea := pg_catalog.decode(digits, 'escape');
	head bigint := uidext_internal.base32_bits(bytes, 0);
	middle bigint := uidext_internal.base32_bits(bytes, 12);
	tail bigint := uidext_internal.base32_bits(bytes, 14);
BEGIN
	RETURN uidext_internal.base32_uuid(head, middle, tail);
END
$$;
COMMENT ON FUNCTION uidext_internal.base32_decode(text) IS 'inverse of uidext_internal.base32_encode(), of what are 26 such digits for 128 bits';

-- Five digits are less than 2^30 in every base up to 64, ten are less than 2^60.
CREATE FUNCTION uidext_internal.five_digits(number bigint, base bigint, alphabet text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN substr(alphabet, (number / (base * base * base * base))::int + 1, 1)
		|| substr(alphabet, (number / (base * base * base) % base)::int + 1, 1)
		|| substr(alphabet, (number / (base * base) % base)::int + 1, 1)
		|| substr(alphabet, (number / base % base)::int + 1, 1)
		|| substr(alphabet, (number % base)::int + 1, 1);
COMMENT ON FUNCTION uidext_internal.five_digits(bigint, bigint, text) IS 'a number as five digits of an alphabet, whose length is the base';

CREATE FUNCTION uidext_internal.five_digits_value(digits text, base bigint, alphabet text) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (((strpos(alphabet, substr(digits, 1, 1)) - 1) * base
		+ strpos(alphabet, substr(digits, 2, 1)) - 1) * base
		+ strpos(alphabet, substr(digits, 3, 1)) - 1) * base * base
		+ (strpos(alphabet, substr(digits, 4, 1)) - 1) * base
		+ strpos(alphabet, substr(digits, 5, 1)) - 1;
COMMENT ON FUNCTION uidext_internal.five_digits_value(text, bigint, text) IS 'inverse of uidext_internal.five_digits()';

CREATE FUNCTION uidext_internal.number_encode(bits bit, alphabet text, width int) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	base bigint := length(alphabet);
	five bigint := base * base * base * base * base;
	ten bigint := five * five;
	padded bit varying := substring(0::bit(60), 1, (60 - length(bits) % 60) % 60) || bits;
	number numeric := 0;
	piece bigint;
	digits text := '';
BEGIN
	FOR at IN 1 .. length(padded) BY 60 LOOP
		number := number * 1152921504606846976 + substring(padded, at, 60)::bigint;
	END LOOP;
	WHILE length(digits) < width LOOP
		piece := number % ten;
		number := div(number, ten);
		digits := uidext_internal.five_digits(piece / five, base, alphabet)
			|| uidext_internal.five_digits(piece % five, base, alphabet) || digits;
	END LOOP;
	RETURN right(digits, width);
END
$$;
COMMENT ON FUNCTION uidext_internal.number_encode(bit, text, int) IS 'bits as a number of so many digits, with leading zeros; an alphabet is its digits in the order of their values';

CREATE FUNCTION uidext_internal.number_decode(digits text, alphabet text, width int) RETURNS bit
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	base bigint := length(alphabet);
	five bigint := base * base * base * base * base;
	padded text := repeat(left(alphabet, 1), (10 - length(digits) % 10) % 10) || digits;
	number numeric := 0;
	bits bit varying := '';
BEGIN
	IF ltrim(digits, alphabet) <> '' THEN
		RETURN NULL;
	END IF;
	FOR at IN 1 .. length(padded) BY 10 LOOP
		number := number * (five * five)
			+ (uidext_internal.five_digits_value(substr(padded, at, 5), base, alphabet) * five
				+ uidext_internal.five_digits_value(substr(padded, at + 5, 5), base, alphabet));
	END LOOP;
	WHILE length(bits) < width LOOP
		bits := (number % 1152921504606846976)::bigint::bit(60) || bits;
		number := div(number, 1152921504606846976);
	END LOOP;
	IF number > 0 OR substring(bits, 1, length(bits) - width)::bigint > 0 THEN
		RETURN NULL;
	END IF;
	RETURN substring(bits, length(bits) - width + 1);
END
$$;
COMMENT ON FUNCTION uidext_internal.number_decode(text, text, int) IS 'inverse of uidext_internal.number_encode(), as so many bits; NULL when a digit is none, or when the number has more';

CREATE FUNCTION uidext_internal.bad_digit(digits text, alphabet text) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN ltrim(digits, alphabet) <> '' THEN length(digits) - length(ltrim(digits, alphabet)) + 1 ELSE 0 END;
COMMENT ON FUNCTION uidext_internal.bad_digit(text, text) IS 'place of the first character that is no digit of the alphabet, from 1; 0 when all are';

CREATE FUNCTION uidext_internal.crockford_fold(digits text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN translate(upper(digits COLLATE "C"), 'ILO', '110');
COMMENT ON FUNCTION uidext_internal.crockford_fold(text) IS 'the text with those letters in place that Crockford''s base 32 reads as digits: upper case, 1 for I and L, 0 for O';

CREATE FUNCTION uidext_internal.byte_by_byte(characters text) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	-- nothing so long is an id
	IF length(characters) = octet_length(characters) OR length(characters) > 1000 THEN
		RETURN characters;
	END IF;
	RETURN (SELECT string_agg(CASE WHEN octet_length(c) = 1 THEN c ELSE repeat('?', octet_length(c)) END, '' ORDER BY n)
		FROM string_to_table(characters, NULL) WITH ORDINALITY AS t (c, n));
END
$$;
COMMENT ON FUNCTION uidext_internal.byte_by_byte(text) IS 'as many characters as the text has bytes, with ? for each byte of one that is not ASCII';

-- Ids in public: encrypted
--
-- doc/public-ids.md describes it byte by byte.

CREATE FUNCTION uidext_internal.hmac_sha256(message bytea, key bytea) RETURNS bytea
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	hex text := rpad(encode(key, 'hex'), 128, '0');
	word bit(64);
	inner_key bytea := '';
	outer_key bytea := '';
BEGIN
	FOR at IN 1 .. 128 BY 16 LOOP
		word := ('x' || substr(hex, at, 16))::bit(64);
		inner_key := inner_key || int8send((word # x'3636363636363636')::bigint);
		outer_key := outer_key || int8send((word # x'5c5c5c5c5c5c5c5c')::bigint);
	END LOOP;
	RETURN sha256(outer_key || sha256(inner_key || message));
END
$$;
COMMENT ON FUNCTION uidext_internal.hmac_sha256(bytea, bytea) IS 'HMAC-SHA-256 (RFC 2104) of a message under a key of up to 64 bytes';

-- Ten rounds of a Feistel network over the 122 bits that are not version and
-- variant.  A round is undone by the same step on swapped halves.
CREATE FUNCTION uidext_internal.uuid_permute(id uuid, key bytea, label text, backwards bool, version int) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bits bit varying := uidext_internal.uuid_to_bits(id);
	"left" bigint := (substring(bits, 1, 48) || substring(bits, 53, 12) || substring(bits, 67, 1))::bit(61)::bigint;
	"right" bigint := substring(bits, 68)::bigint;
	round_key bytea;
	round_hash bytea;
	step bigint;
BEGIN
	IF length(key) NOT BETWEEN 16 AND 64 THEN
		RAISE EXCEPTION 'key must have 16 to 64 bytes' USING ERRCODE = '22023', DETAIL = format('It has %s.', length(key));
	END IF;

	round_key := uidext_internal.hmac_sha256(
		convert_to('uidext uuid_encrypt v1', 'UTF8') || decode('00', 'hex') || convert_to(label, 'UTF8'), key);
	IF backwards THEN
		SELECT "right", "left" INTO "left", "right";
	END IF;
	FOR round IN 0 .. 9 LOOP
		round_hash := sha256(round_key || set_byte(decode('00', 'hex'), 0, CASE WHEN backwards THEN 9 - round ELSE round END) || int8send("right"));
		step := "left" # ('x' || encode(substr(round_hash, 1, 8), 'hex'))::bit(61)::bigint;
		"left" := "right";
		"right" := step;
	END LOOP;
	IF backwards THEN
		SELECT "right", "left" INTO "left", "right";
	END IF;

	bits := "left"::bit(61) || "right"::bit(61);
	RETURN uidext_internal.bits_to_uuid(
		substring(bits, 1, 48) || version::bit(4) || substring(bits, 49, 12) || b'10' || substring(bits, 61, 62));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_permute(uuid, bytea, text, bool, int) IS 'ten rounds of a Feistel network over the 122 bits that are not version and variant; raises 22023 for a key that has not 16 to 64 bytes';

CREATE FUNCTION uuid_encrypt(id uuid, key bytea, label text DEFAULT '') RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF substr(id::text, 20, 1) !~ '[89ab]' THEN
		RAISE EXCEPTION 'UUID cannot be encrypted' USING ERRCODE = '22023', DETAIL = 'Its variant is not that of RFC 9562.';
	END IF;
	RETURN uidext_internal.uuid_permute(id, key, label, false, 4);
END
$$;
COMMENT ON FUNCTION uuid_encrypt(uuid, bytea, text) IS
	'the id as a version 4 that shows nothing of it; key of 16 to 64 bytes, equal ids under two labels share nothing; raises 22023 for another key or variant';

CREATE FUNCTION uuid_decrypt(id uuid, key bytea, label text DEFAULT '', version int DEFAULT 7) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF substr(id::text, 15, 6) !~ '4...-[89ab]' THEN
		RAISE EXCEPTION 'UUID cannot be decrypted' USING ERRCODE = '22023', DETAIL = 'uuid_encrypt() returns version 4 only.';
	END IF;
	IF version NOT BETWEEN 0 AND 15 THEN
		RAISE EXCEPTION 'UUID version must be from 0 to 15, not %', version USING ERRCODE = '22023';
	END IF;
	RETURN uidext_internal.uuid_permute(id, key, label, true, version);
END
$$;
COMMENT ON FUNCTION uuid_decrypt(uuid, bytea, text, int) IS
	'inverse of uuid_encrypt() for ids of that version, 0 to 15; a forged id gives some id that nobody has; raises 22023 for another key, or an id that is not version 4';

-- Ids in public: with a prefix
--
-- TypeID 0.3 (https://github.com/jetify-com/typeid/tree/main/spec).

CREATE FUNCTION uidext_internal.typeid_prefix_fault(prefix text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN prefix COLLATE "C" ~ '[^a-z_]' THEN 'The prefix has other characters than a to z and underscore.'
		WHEN length(prefix) > 63 THEN 'The prefix has more than 63 characters.'
		WHEN prefix COLLATE "C" ~ '^_|_$' THEN 'The prefix begins or ends with an underscore.'
	END;
COMMENT ON FUNCTION uidext_internal.typeid_prefix_fault(text) IS 'what is wrong with a prefix, or NULL; the empty one is none';

CREATE FUNCTION uuid_to_typeid(id uuid, prefix text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN uidext_internal.typeid_prefix_fault(prefix) IS NULL OR id IS NULL
		THEN prefix || left('_', length(prefix))
			|| lower(uidext_internal.base32_encode(id) COLLATE "C")
		ELSE uidext_internal.fail(id::text, '22023',
			'invalid prefix of a TypeID: "' || prefix || '"', uidext_internal.typeid_prefix_fault(prefix))
	END;
COMMENT ON FUNCTION uuid_to_typeid(uuid, text) IS
	'the id as TypeID: a prefix (up to 63 of a to z and inner underscores, or none), an underscore, 26 digits; raises 22023 for another prefix';

CREATE FUNCTION uidext_internal.typeid_fault(typeid text) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bytes text := uidext_internal.byte_by_byte(typeid);
	prefix text := left(bytes, greatest(length(bytes) - 27, 0));
BEGIN
	RETURN CASE
		WHEN length(bytes) < 26 THEN 'It is shorter than 26 characters.'
		WHEN length(bytes) > 26 AND substr(bytes, length(bytes) - 26, 1) <> '_' THEN 'There is no underscore before its last 26 characters.'
		WHEN length(bytes) = 27 THEN 'It begins with an underscore, but has no prefix.'
		WHEN uidext_internal.typeid_prefix_fault(prefix) IS NOT NULL THEN uidext_internal.typeid_prefix_fault(prefix)
		WHEN right(bytes, 26) ~ '[^0-9a-hjkmnp-tv-z]' THEN 'Its last 26 characters are not all digits of Crockford''s base 32 in lower case.'
		ELSE 'The first of its last 26 characters is greater than 7, which is more than 128 bits.'
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.typeid_fault(text) IS 'what is wrong with a text that is no TypeID';

CREATE FUNCTION typeid_to_uuid(typeid text, prefix text DEFAULT NULL) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	its_prefix text := @extschema@.typeid_prefix(typeid);
BEGIN
	IF its_prefix COLLATE "C" <> prefix THEN
		RAISE EXCEPTION 'TypeID has prefix "%", not "%"', its_prefix, prefix USING ERRCODE = '22023';
	END IF;
	RETURN uidext_internal.base32_decode(upper(right(typeid, 26) COLLATE "C"));
END
$$;
COMMENT ON FUNCTION typeid_to_uuid(text, text) IS
	'inverse of uuid_to_typeid(); raises 22P02 for text that is no TypeID, 22023 when it has another prefix than asked for';

CREATE FUNCTION typeid_prefix(typeid text) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF typeid COLLATE "C" !~ '^([a-z]([a-z_]{0,61}[a-z])?_)?[0-7][0-9a-hjkmnp-tv-z]{25}$' THEN
		RAISE EXCEPTION 'invalid TypeID: "%"', typeid
			USING ERRCODE = '22P02', DETAIL = uidext_internal.typeid_fault(typeid COLLATE "C");
	END IF;
	RETURN left(typeid, greatest(length(typeid) - 27, 0));
END
$$;
COMMENT ON FUNCTION typeid_prefix(text) IS
	'the prefix of a TypeID, empty when there is none; raises 22P02 for text that is no TypeID';

-- Ids in public: short

CREATE TYPE uidext_internal.uuid_encoding AS (
	encoding text,
	alphabet text,
	width int,
	behind bit varying,
	any_case bool,
	may_be_short bool
);
COMMENT ON TYPE uidext_internal.uuid_encoding IS 'how the 128 bits of a UUID are written';
COMMENT ON COLUMN uidext_internal.uuid_encoding.encoding IS 'its name';
COMMENT ON COLUMN uidext_internal.uuid_encoding.alphabet IS 'the digits in the order of their values';
COMMENT ON COLUMN uidext_internal.uuid_encoding.width IS 'how many there are';
COMMENT ON COLUMN uidext_internal.uuid_encoding.behind IS 'where digits are cut from the left (RFC 4648), zeros that fill up the last one';
COMMENT ON COLUMN uidext_internal.uuid_encoding.any_case IS 'reads the other case, too';
COMMENT ON COLUMN uidext_internal.uuid_encoding.may_be_short IS 'reads what lacks leading zeros';

CREATE FUNCTION uidext_internal.uuid_encoding(name text) RETURNS uidext_internal.uuid_encoding
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	named uidext_internal.uuid_encoding;
BEGIN
	SELECT * INTO named
	FROM (VALUES
		('base32hex', '0123456789ABCDEFGHIJKLMNOPQRSTUV', 26, b'00', true, false),
		('crockford', '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 26, b'', true, false),
		('base58', '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 22, b'', false, true),
		('base62', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 22, b'', false, true),
		('base64url', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 22, b'0000', false, false)
	) AS e (encoding)
	WHERE e.encoding = lower(name);
	IF NOT FOUND THEN
		RAISE EXCEPTION 'unrecognized encoding: "%"', name
			USING ERRCODE = '22023', HINT = 'Encodings of a UUID are base32hex, crockford, base58, base62 and base64url.';
	END IF;
	RETURN named;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_encoding(text) IS 'the encoding of a name, in any case; raises 22023 for another';

CREATE FUNCTION uidext_internal.uuid_decode_fault(digits text, e uidext_internal.uuid_encoding) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bad int := uidext_internal.bad_digit(digits, e.alphabet);
BEGIN
	RETURN CASE
		WHEN bad > 0 THEN format('Character %s is not a digit of %s.', bad, e.encoding)
		WHEN length(digits) <> e.width AND NOT (e.may_be_short AND length(digits) BETWEEN 1 AND e.width)
		THEN format('It has %s characters, a UUID %s.', length(digits), e.width)
		WHEN e.behind = '' THEN 'It is a number of more than 128 bits.'
		ELSE 'The bits behind the 128 of a UUID are not zero.'
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_decode_fault(text, uidext_internal.uuid_encoding) IS 'what is wrong with a text that is no UUID';

CREATE FUNCTION uidext_internal.uuid_encode(id uuid, e uidext_internal.uuid_encoding) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE (e).encoding
		WHEN 'crockford' THEN uidext_internal.base32_encode(id)
		WHEN 'base64url' THEN translate(rtrim(encode(uuid_send(id), 'base64'), '='), '+/', '-_')
		ELSE uidext_internal.number_encode(pg_catalog.bitcat(uidext_internal.uuid_to_bits(id), (e).behind), (e).alphabet, (e).width)
	END;
COMMENT ON FUNCTION uidext_internal.uuid_encode(uuid, uidext_internal.uuid_encoding) IS 'implementation of uuid_encode(uuid, text)';

CREATE FUNCTION uidext_internal.uuid_decode(encoded text, e uidext_internal.uuid_encoding) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	digits text := CASE
		WHEN e.encoding = 'crockford' THEN uidext_internal.crockford_fold(encoded)
		WHEN e.any_case THEN upper(encoded)
		ELSE encoded
	END;
	bits bit varying;
BEGIN
	IF length(digits) = e.width OR (e.may_be_short AND length(digits) BETWEEN 1 AND e.width) THEN
		bits := uidext_internal.number_decode(digits, e.alphabet, 128 + length(e.behind));
	END IF;
	IF bits IS NULL OR substring(bits, 129) <> e.behind THEN
		RAISE EXCEPTION 'not a UUID in %: "%"', e.encoding, encoded
			USING ERRCODE = '22P02', DETAIL = uidext_internal.uuid_decode_fault(digits, e);
	END IF;
	RETURN uidext_internal.bits_to_uuid(bits);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_decode(text, uidext_internal.uuid_encoding) IS 'implementation of uuid_decode(text, text)';

-- An encoding that is a constant is looked up when the query is planned.
CREATE FUNCTION uuid_encode(id uuid, encoding text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_encode(id, uidext_internal.uuid_encoding(encoding COLLATE "C"));
COMMENT ON FUNCTION uuid_encode(uuid, text) IS
	'the 128 bits in base32hex or crockford (26 characters), base58, base62 or base64url (22); all but the last sort as the id under COLLATE "C"; raises 22023 for another encoding';

CREATE FUNCTION uuid_decode(encoded text, encoding text) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.uuid_decode(encoded COLLATE "C", uidext_internal.uuid_encoding(encoding COLLATE "C"));
COMMENT ON FUNCTION uuid_decode(text, text) IS
	'inverse of uuid_encode(), also of base58 and base62 without leading zeros; raises 22P02 for text that is no UUID in it, 22023 for another encoding';

-- Schemes of ids from elsewhere: what each looks like, as data
--
-- An id is a row of bit fields, most significant first, one of which is the time
-- as a count of ticks since an epoch, and a text of digits.

CREATE TYPE uidext_internal.uid_field AS (
	kind text,
	name text,
	at int,
	bits int
);
COMMENT ON TYPE uidext_internal.uid_field IS 'a field of bits';
COMMENT ON COLUMN uidext_internal.uid_field.kind IS 'time, number, hex, base36, random, zero, version or variant';
COMMENT ON COLUMN uidext_internal.uid_field.name IS 'in layouts and readings';
COMMENT ON COLUMN uidext_internal.uid_field.at IS 'the bits before it';
COMMENT ON COLUMN uidext_internal.uid_field.bits IS 'of the field';

CREATE TYPE uidext_internal.uid_scheme AS (
	scheme text,
	form text,
	source text,
	alphabet text,
	fold text,
	digits int,
	digits_min int,
	behind bit varying,
	bits int,
	same_bits bool,
	generated bool,
	epoch_ms bigint,
	tick_ns bigint,
	layout text,
	fields uidext_internal.uid_field[],
	own_bits int,
	time_at int,
	time_bits int,
	other_bits int
);
COMMENT ON TYPE uidext_internal.uid_scheme IS 'what ids of a scheme look like';
COMMENT ON COLUMN uidext_internal.uid_scheme.scheme IS 'its name';
COMMENT ON COLUMN uidext_internal.uid_scheme.form IS 'the text, in words';
COMMENT ON COLUMN uidext_internal.uid_scheme.source IS 'where it is described';
COMMENT ON COLUMN uidext_internal.uid_scheme.alphabet IS 'the digits in the order of their values';
COMMENT ON COLUMN uidext_internal.uid_scheme.fold IS 'how other spellings of a digit are read';
COMMENT ON COLUMN uidext_internal.uid_scheme.digits IS 'of the text';
COMMENT ON COLUMN uidext_internal.uid_scheme.digits_min IS 'where leading zeros are left out';
COMMENT ON COLUMN uidext_internal.uid_scheme.behind IS 'where digits are cut from the left (RFC 4648), zeros that fill up the last one';
COMMENT ON COLUMN uidext_internal.uid_scheme.bits IS 'of whole bytes';
COMMENT ON COLUMN uidext_internal.uid_scheme.same_bits IS 'a uuid holds them as they are';
COMMENT ON COLUMN uidext_internal.uid_scheme.generated IS 'needs no number of a node';
COMMENT ON COLUMN uidext_internal.uid_scheme.epoch_ms IS 'Unix time of tick 0';
COMMENT ON COLUMN uidext_internal.uid_scheme.tick_ns IS 'a tick of the time';
COMMENT ON COLUMN uidext_internal.uid_scheme.layout IS 'the fields: bits, name, and a kind that is not told by these';
COMMENT ON COLUMN uidext_internal.uid_scheme.fields IS 'those of the layout';
COMMENT ON COLUMN uidext_internal.uid_scheme.own_bits IS 'of the fields that are part of the id';
COMMENT ON COLUMN uidext_internal.uid_scheme.time_at IS 'the bits before the time';
COMMENT ON COLUMN uidext_internal.uid_scheme.time_bits IS 'of the time';
COMMENT ON COLUMN uidext_internal.uid_scheme.other_bits IS 'behind the time';

-- Schemes of a text of their own.
CREATE FUNCTION uidext_internal.uid_text_schemes() RETURNS TABLE (
		scheme text, form text, source text, alphabet text, fold text, digits int, digits_min int, behind bit varying,
		bits int, same_bits bool, generated bool, epoch_ms bigint, tick_ns bigint, layout text)
	LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 10
BEGIN ATOMIC
	SELECT t.*
	FROM (VALUES
		('ulid', '26 digits of Crockford''s base 32', 'ulid/spec',
			'0123456789ABCDEFGHJKMNPQRSTVWXYZ', 'crockford', 26, NULL::int, b'', 128, true, true,
			0, 1000000, '48 time, 80 randomness hex'),
		('ksuid', '27 digits of base 62', 'segmentio/ksuid, ksuid.go',
			'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', NULL, 27, NULL, b'', 160, false, true,
			1400000000000, 1000000000, '32 time, 128 payload hex'),
		('objectid', '24 digits of hex', 'MongoDB specifications, ObjectID',
			'0123456789abcdef', 'lower', 24, NULL, b'', 96, false, true,
			0, 1000000000, '32 time, 40 random hex, 24 counter'),
		('xid', '20 digits of base32hex in lower case', 'rs/xid, id.go',
			'0123456789abcdefghijklmnopqrstuv', NULL, 20, NULL, b'0000', 96, false, true,
			0, 1000000000, '32 time, 24 machine hex, 16 pid, 24 counter'),
		('xidjs', '20 digits of Crockford''s base 32 in lower case, from the left', 'npm package xid-js, lib/base32.js',
			'0123456789abcdefghjkmnpqrstvwxyz', NULL, 20, NULL, b'0000', 96, false, true,
			0, 1000000000, '32 time, 24 machine hex, 16 pid, 24 counter'),
		('pushid', '20 digits of -0-9A-Z_a-z', 'Firebase Blog, The 2^120 Ways to Ensure Unique Identifiers (2015)',
			'-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz', NULL, 20, NULL, b'', 120, false, true,
			0, 1000000, '48 time, 72 random hex'),
		('elasticflake', '20 digits of base64url', 'ppearcy/elasticflake, TimeBasedUUIDGenerator.java',
			'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', NULL, 20, NULL, b'', 120, false, false,
			0, 1000000, '48 time, 48 node hex, 24 sequence'),
		('cuid', 'the letter c and 24 digits of base 36', 'paralleldrive/cuid, index.js',
			'0123456789abcdefghijklmnopqrstuvwxyz', NULL, 25, NULL, b'', 128, false, true,
			0, 1000000, '42 time, 21 counter base36, 21 fingerprint base36, 42 random base36, 2 zero'),
		('sid', 'twice 11 digits of 0-9A-Z_a-z~, a hyphen between; or so in base 32, hex or decimal', 'chilts/sid, sid.go',
			'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', NULL, 23, NULL, b'', 128, true, true,
			0, 1, '1 zero, 63 time, 1 zero, 63 random number'),
		('flake', 'up to 22 digits of base 62', 'boundary/flake, flake_util.erl',
			'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', NULL, 22, 11, b'', 128, true, false,
			0, 1000000, '64 time, 48 worker hex, 16 sequence')
	) AS t;
END;
COMMENT ON FUNCTION uidext_internal.uid_text_schemes() IS 'schemes whose ids are a text of digits, more plausible readings first';

-- The first bit is a field of its own where it is kept zero; the others run out of
-- positive numbers half-way.
CREATE FUNCTION uidext_internal.uid_number_schemes() RETURNS TABLE (
		scheme text, source text, epoch_ms bigint, tick_ns bigint, layout text)
	LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 7
BEGIN ATOMIC
	SELECT n.*
	FROM (VALUES
		('snowflake', 'twitter-archive/snowflake, IdWorker.scala', 1288834974657, 1000000, '1 zero, 41 time, 10 node, 12 sequence'),
		('discord', 'Discord developer documentation, Reference: Snowflakes', 1420070400000, 1000000, '42 time, 5 worker, 5 process, 12 increment'),
		('instagram', 'Instagram Engineering, Sharding & IDs at Instagram (2012)', 1314220021721, 1000000, '41 time, 13 shard, 10 sequence'),
		('sonyflake', 'sony/sonyflake, sonyflake.go', 1409529600000, 10000000, '1 zero, 39 time, 8 sequence, 16 machine'),
		('sonyflake2', 'sony/sonyflake, v2/sonyflake.go', 1735689600000, 10000000, '1 zero, 39 time, 8 sequence, 16 machine'),
		('pgedge', 'pgEdge/snowflake, snowflake.c', 1672531200000, 1000000, '1 zero, 41 time, 10 node, 12 count'),
		('flakeid', 'T-PWK/flake-idgen, flake-id-gen.js', 0, 1000000, '42 time, 5 datacenter, 5 worker, 12 counter')
	) AS n;
END;
COMMENT ON FUNCTION uidext_internal.uid_number_schemes() IS 'schemes whose ids are decimal numbers of 64 bits, more plausible readings first';

CREATE FUNCTION uidext_internal.uid_uuid_schemes() RETURNS TABLE (
		scheme text, source text, generated bool, epoch_ms bigint, tick_ns bigint, layout text)
	LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 5
BEGIN ATOMIC
	SELECT u.*
	FROM (VALUES
		('lexicaluuid', 'twitter-archive/cassie, LexicalUUID.scala', false,
			0::bigint, 1000::bigint, '64 time, 64 worker hex'),
		('comb', 'ramsey/uuid, TimestampFirstCombCodec.php; richardtallent/RT.Comb, UnixDateTimeStrategy.cs', false,
			0, 1000000, '48 time, 4 version, 12 random, 2 variant, 62 random'),
		('suffixcomb', 'richardtallent/RT.Comb, SqlCombProvider.cs with UnixDateTimeStrategy.cs', false,
			0, 1000000, '48 random, 4 version, 12 random, 2 variant, 14 random, 48 time'),
		-- days since 1900-01-01 and 1/300 s of the day, as SQL Server's datetime has them
		('combguid', 'richardtallent/RT.Comb, SqlDateTimeStrategy.cs', false,
			-2208988800000, 3333333, '48 random, 4 version, 12 random, 2 variant, 14 random, 16 days, 32 ticks'),
		('ordereduuid', 'ramsey/uuid, CombGenerator.php with TimestampFirstCombCodec.php; Laravel to 11, Str::orderedUuid()', true,
			0, 10000, '48 time, 4 version, 12 random, 2 variant, 62 random')
	) AS u;
END;
COMMENT ON FUNCTION uidext_internal.uid_uuid_schemes() IS 'schemes whose ids are written as a uuid is, more plausible readings first';

CREATE FUNCTION uidext_internal.uid_scheme_list() RETURNS TABLE (
		scheme text, form text, source text, alphabet text, fold text, digits int, digits_min int, behind bit varying,
		bits int, same_bits bool, generated bool, epoch_ms bigint, tick_ns bigint, layout text)
	LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 25
BEGIN ATOMIC
	SELECT t.* FROM uidext_internal.uid_text_schemes() AS t
	UNION ALL
	SELECT n.scheme, 'decimal', n.source, '0123456789', NULL, 20, 1, b'', 64, false, false, n.epoch_ms, n.tick_ns, n.layout
	FROM uidext_internal.uid_number_schemes() AS n
	UNION ALL
	SELECT 'tsid', '13 digits of Crockford''s base 32, or decimal', 'vladmihalcea/hypersistence-tsid, TSID.java',
		'0123456789ABCDEFGHJKMNPQRSTVWXYZ', 'crockford', 13, NULL, b'', 64, false, false, 1577836800000, 1000000, '42 time, 22 random number'
	UNION ALL
	SELECT u.scheme, 'uuid', u.source, NULL, NULL, 36, NULL, b'', 128, true, u.generated, u.epoch_ms, u.tick_ns, u.layout
	FROM uidext_internal.uid_uuid_schemes() AS u;
END;
COMMENT ON FUNCTION uidext_internal.uid_scheme_list() IS 'schemes of ids, more plausible readings of a text first';

CREATE FUNCTION uidext_internal.uid_with_fields(s uidext_internal.uid_scheme) RETURNS uidext_internal.uid_scheme
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	words text[];
	item text;
	field uidext_internal.uid_field;
	at int := 0;
BEGIN
	s.fields := '{}';
	s.own_bits := 0;
	FOREACH item IN ARRAY string_to_array(s.layout, ', ') LOOP
		words := string_to_array(item, ' ');
		field.name := words[2];
		field.kind := coalesce(words[3], CASE WHEN field.name IN ('time', 'random', 'zero', 'version', 'variant') THEN field.name ELSE 'number' END);
		field.at := at;
		field.bits := words[1];
		s.fields := s.fields || field;
		at := at + field.bits;
		IF field.kind = 'time' THEN
			s.time_at := field.at;
			s.time_bits := field.bits;
			s.other_bits := 0;
		END IF;
		IF field.kind <> 'zero' THEN
			s.own_bits := s.own_bits + field.bits;
			s.other_bits := at - s.time_at - s.time_bits;
		END IF;
	END LOOP;
	RETURN s;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_with_fields(uidext_internal.uid_scheme) IS 'the scheme with the fields of its layout';

-- An expression of PL/pgSQL without arguments: computed once a session.
CREATE FUNCTION uidext_internal.uid_all_schemes() RETURNS uidext_internal.uid_scheme[]
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme;
	schemes uidext_internal.uid_scheme[] := '{}';
BEGIN
	FOR s IN SELECT * FROM uidext_internal.uid_scheme_list() LOOP
		schemes := schemes || uidext_internal.uid_with_fields(s);
	END LOOP;
	RETURN schemes;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_all_schemes() IS 'all schemes, with their fields';

-- Names with parameters: "name:epoch" or "name:key=number,..." where the keys are
-- epoch and tick, both in milliseconds, or names of fields with their bits.

CREATE FUNCTION uidext_internal.uid_bad_parameters(s uidext_internal.uid_scheme, name text, fault text) RETURNS uidext_internal.uid_scheme
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.fail(s, '22023', pg_catalog.format('invalid parameters of id scheme "%s"', name), fault);
COMMENT ON FUNCTION uidext_internal.uid_bad_parameters(uidext_internal.uid_scheme, text, text) IS 'raises 22023: what is wrong with the parameters of a name';

CREATE FUNCTION uidext_internal.uid_pair_fault(pair text[], fields_left int, taken text[]) RETURNS text
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	no_pairs text := 'Parameters are an epoch, or pairs NAME=NUMBER with commas between them.';
	number numeric := pair[2];
	is_field bool := pair[1] NOT IN ('epoch', 'tick');
BEGIN
	RETURN CASE
		WHEN number IS NULL OR number > 281474976710655 THEN no_pairs
		WHEN pair[1] = ANY (taken) THEN 'Each name is given once, and "time" not at all: it gets the bits that are left.'
		WHEN pair[1] = 'tick' AND number NOT BETWEEN 1 AND 86400000 THEN 'A tick is 1 to 86400000 milliseconds.'
		WHEN is_field AND fields_left = 0 THEN 'There are too many fields.'
		WHEN is_field AND length(pair[1]) > 23 THEN 'The name of a field has at most 23 letters.'
		WHEN is_field AND number NOT BETWEEN 1 AND 62 THEN 'A field has 1 to 62 bits.'
		WHEN pair[3] <> '' THEN no_pairs
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_pair_fault(text[], int, text[]) IS 'what is wrong with a name, its number and what follows, or NULL';

-- Fields replace those of the scheme, and the time gets the bits that they leave.
CREATE FUNCTION uidext_internal.uid_with_own_fields(s uidext_internal.uid_scheme, own text[]) RETURNS uidext_internal.uid_scheme
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	s.layout := regexp_replace(s.layout, 'time, .*', 'time, ' || array_to_string(own, ', '));
	s := uidext_internal.uid_with_fields(s);
	s.time_bits := 64 - s.time_at - (SELECT sum(f.bits) FROM unnest(s.fields) AS f WHERE f.kind = 'number');
	IF s.time_bits < 1 THEN
		RETURN s;
	END IF;
	s.layout := regexp_replace(s.layout, '[0-9]+ time', s.time_bits || ' time');
	RETURN uidext_internal.uid_with_fields(s);
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_with_own_fields(uidext_internal.uid_scheme, text[]) IS 'the scheme with other fields behind the time; time_bits is below 1 where they leave none';

CREATE FUNCTION uidext_internal.uid_with_pairs(s uidext_internal.uid_scheme, name text, pairs text) RETURNS uidext_internal.uid_scheme
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	pair text[];
	fault text;
	own text[] := '{}';
	taken text[] := '{time}';
BEGIN
	FOR pair IN SELECT regexp_match(p, '^([a-z_]+)=([0-9]+)(.*)$') FROM regexp_split_to_table(pairs, ',') AS p LOOP
		fault := uidext_internal.uid_pair_fault(pair, 6 - s.time_at - cardinality(own), taken);
		IF fault IS NOT NULL THEN
			RETURN uidext_internal.uid_bad_parameters(s, name, fault);
		ELSIF pair[1] = 'epoch' THEN
			s.epoch_ms := pair[2];
		ELSIF pair[1] = 'tick' THEN
			s.tick_ns := pair[2]::bigint * 1000000;
		ELSE
			own := own || format('%s %s number', pair[2]::int, pair[1]);
		END IF;
		taken := taken || pair[1];
	END LOOP;

	IF own <> '{}' THEN
		s := uidext_internal.uid_with_own_fields(s, own);
	END IF;
	RETURN CASE WHEN s.time_bits < 1 THEN uidext_internal.uid_bad_parameters(s, name, 'The fields leave no bits for the time.') ELSE s END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_with_pairs(uidext_internal.uid_scheme, text, text) IS 'the scheme with the pairs behind a name; raises 22023 for those that are none';

CREATE FUNCTION uidext_internal.uid_with_parameters(s uidext_internal.uid_scheme, name text) RETURNS uidext_internal.uid_scheme
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	number_max bigint := 281474976710655;
	parameters text := substr(name, strpos(name, ':') + 1);
BEGIN
	IF s.bits <> 64 THEN
		RETURN uidext_internal.uid_bad_parameters(s, name, 'Only schemes of 64 bits take parameters.');
	ELSIF parameters !~ '^[^a-z_]' THEN
		s := uidext_internal.uid_with_pairs(s, name, parameters);
	ELSIF parameters ~ '^[0-9]+$' AND parameters::numeric <= number_max THEN
		s.epoch_ms := parameters;
	ELSE
		RETURN uidext_internal.uid_bad_parameters(s, name, 'An epoch is a number of milliseconds since 1970-01-01, up to 281474976710655.');
	END IF;

	-- all times of a layout have to fit into a UUID
	IF 2 ^ s.time_bits - 1 > (number_max - s.epoch_ms) / (s.tick_ns / 1000000) THEN
		RETURN uidext_internal.uid_bad_parameters(s, name, 'Its times would reach beyond the year 10889: give more bits to the fields.');
	END IF;
	RETURN s;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_with_parameters(uidext_internal.uid_scheme, text) IS 'the scheme with the parameters of a name, "name:epoch" or "name:key=number,..."; raises 22023 for those that are none';

CREATE FUNCTION uidext_internal.uid_scheme(name text) RETURNS uidext_internal.uid_scheme
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme;
BEGIN
	IF octet_length(name) > 255 THEN
		RETURN uidext_internal.uid_bad_parameters(s, name, 'A name with its parameters has at most 255 bytes.');
	END IF;
	FOREACH s IN ARRAY uidext_internal.uid_all_schemes() LOOP
		IF s.scheme = split_part(name, ':', 1) THEN
			RETURN CASE WHEN strpos(name, ':') > 0 THEN uidext_internal.uid_with_parameters(s, name) ELSE s END;
		END IF;
	END LOOP;
	RAISE EXCEPTION 'unknown id scheme "%"', name
		USING ERRCODE = '22023', HINT = 'uid_schemes() lists those that there are.';
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_scheme(text) IS 'the scheme of a name, with its parameters; raises 22023 for an unknown one';

CREATE FUNCTION uidext_internal.uid_bigint_scheme(name text) RETURNS uidext_internal.uid_scheme
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme := uidext_internal.uid_scheme(name);
BEGIN
	IF s.bits <> 64 THEN
		RAISE EXCEPTION 'ids of scheme "%" are not 64-bit numbers', s.scheme
			USING ERRCODE = '22023', HINT = 'In uid_schemes() those have 63 or 64 bits.';
	END IF;
	RETURN s;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_bigint_scheme(text) IS 'the same of a scheme of 64-bit numbers; raises 22023 for another';

-- Ids from elsewhere as bits, from the first field to the last

CREATE FUNCTION uidext_internal.unix_us_to_timestamptz(unix_us bigint) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN timezone(interval '0', timestamp '1970-01-01 00:00:00'
		+ (unix_us / 1000000)::float8 * interval '1 second' + (unix_us % 1000000::bigint)::float8 * interval '1 microsecond');
COMMENT ON FUNCTION uidext_internal.unix_us_to_timestamptz(bigint) IS 'time of a count of microseconds since 1970';

CREATE TYPE uidext_internal.uid_digits AS (
	at int,
	digits int,
	alphabet text,
	fold text,
	bits int
);
COMMENT ON TYPE uidext_internal.uid_digits IS 'digits of a text and what they mean';
COMMENT ON COLUMN uidext_internal.uid_digits.at IS 'place of the first, from 1';
COMMENT ON COLUMN uidext_internal.uid_digits.digits IS 'how many there are';
COMMENT ON COLUMN uidext_internal.uid_digits.alphabet IS 'the digits in the order of their values';
COMMENT ON COLUMN uidext_internal.uid_digits.fold IS 'how other spellings of a digit are read';
COMMENT ON COLUMN uidext_internal.uid_digits.bits IS 'of the number';

-- The digits of a text, or NULL when it is too long, too short or otherwise of
-- another form.  psql shows a bytea in hex, with which other texts may begin.
CREATE FUNCTION uidext_internal.uid_text_digits(id text, s uidext_internal.uid_scheme) RETURNS uidext_internal.uid_digits[]
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	hex text := '0123456789abcdef';
	half int := length(id) / 2;
	half_alphabet text := CASE length(id)
		WHEN 23 THEN s.alphabet WHEN 27 THEN '0123456789abcdefghijklmnopqrstuv' WHEN 33 THEN hex WHEN 39 THEN '0123456789' END;
BEGIN
	IF s.scheme = 'cuid' AND id ~ '^c.{24}$' THEN
		RETURN ARRAY[(2, 8, s.alphabet, NULL, 42), (10, 4, s.alphabet, NULL, 21), (14, 4, s.alphabet, NULL, 21), (18, 8, s.alphabet, NULL, 42)]::uidext_internal.uid_digits[];
	ELSIF s.scheme = 'sid' AND half_alphabet IS NOT NULL AND substr(id, half + 1, 1) = '-' THEN
		RETURN ARRAY[(1, half, half_alphabet, NULL, 64), (half + 2, half, half_alphabet, NULL, 64)]::uidext_internal.uid_digits[];
	ELSIF s.scheme IN ('cuid', 'sid') THEN
		RETURN NULL;
	ELSIF length(id) = 2 + s.bits / 4 AND left(id, 2) IN ('0x', chr(92) || 'x') THEN
		RETURN ARRAY[(3, s.bits / 4, hex, 'lower', s.bits)]::uidext_internal.uid_digits[];
	ELSIF s.scheme = 'tsid' AND length(id) <> 13 AND length(id) BETWEEN 1 AND 20 THEN
		RETURN ARRAY[(1, length(id), '0123456789', NULL, s.bits)]::uidext_internal.uid_digits[];
	ELSIF length(id) BETWEEN coalesce(s.digits_min, s.digits) AND s.digits THEN
		RETURN ARRAY[(1, length(id), s.alphabet, s.fold, s.bits + length(s.behind))]::uidext_internal.uid_digits[];
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_text_digits(text, uidext_internal.uid_scheme) IS 'the digits of a text; NULL when it is too long, too short or otherwise of another form';

CREATE FUNCTION uidext_internal.uid_fold(digits text, fold text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE fold WHEN 'crockford' THEN uidext_internal.crockford_fold(digits) WHEN 'lower' THEN lower(digits COLLATE "C") ELSE digits END;
COMMENT ON FUNCTION uidext_internal.uid_fold(text, text) IS 'other spellings of digits as those of the alphabet';

CREATE FUNCTION uidext_internal.uid_text_bits(id text, s uidext_internal.uid_scheme) RETURNS bit
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	part uidext_internal.uid_digits;
	parts uidext_internal.uid_digits[] := uidext_internal.uid_text_digits(id, s);
	bits bit varying := '';
BEGIN
	IF s.form = 'uuid' THEN
		RETURN uidext_internal.uuid_to_bits(uidext_internal.uid_as_uuid(id));
	ELSIF parts IS NULL THEN
		RETURN NULL;
	END IF;

	FOREACH part IN ARRAY parts LOOP
		bits := bits || uidext_internal.number_decode(
			uidext_internal.uid_fold(substr(id, part.at, part.digits), part.fold), part.alphabet, part.bits);
	END LOOP;
	IF length(bits) > s.bits AND substring(bits, s.bits + 1) <> s.behind THEN
		RETURN NULL;
	END IF;
	-- a CUID's are some bits short of whole bytes
	RETURN substring(bits || 0::bit(8), 1, s.bits);
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_text_bits(text, uidext_internal.uid_scheme) IS 'the bits of a text; NULL for one that is not written as ids of the scheme are';

CREATE FUNCTION uidext_internal.uid_unix_us(bits bit, s uidext_internal.uid_scheme) RETURNS bigint
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	unix_us_max bigint := 281474976710655999;
	ticks bigint;
	unix_us bigint;
BEGIN
	IF s.scheme = 'combguid' THEN
		ticks := substring(bits, 97, 32)::bigint;
		unix_us := (substring(bits, 81, 16)::bigint - 25567) * 86400000000 + ticks * 10000 / 3;
		RETURN CASE WHEN ticks < 24 * 60 * 60 * 300 AND substring(bits, 81, 16)::bigint >= 25567 THEN unix_us END;
	END IF;

	ticks := substring(bits, s.time_at + 1, s.time_bits)::bigint;
	IF s.tick_ns = 1 THEN
		unix_us := ticks / 1000;
	-- 64 bits may be a negative number
	ELSIF ticks BETWEEN 0 AND unix_us_max / (s.tick_ns / 1000) THEN
		unix_us := ticks * (s.tick_ns / 1000) + s.epoch_ms * 1000;
	END IF;
	RETURN CASE WHEN unix_us <= unix_us_max THEN unix_us END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_unix_us(bit, uidext_internal.uid_scheme) IS 'the time in microseconds since 1970, floored; NULL when a UUID cannot have it';

CREATE FUNCTION uidext_internal.uid_too_great(s uidext_internal.uid_scheme) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN pg_catalog.format('The number is greater than %s bits hold.', (s).own_bits);
COMMENT ON FUNCTION uidext_internal.uid_too_great(uidext_internal.uid_scheme) IS 'what is wrong with a number that is too great';

CREATE FUNCTION uidext_internal.uid_bits_fault(bits bit, s uidext_internal.uid_scheme) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	field uidext_internal.uid_field;
BEGIN
	FOREACH field IN ARRAY s.fields LOOP
		IF field.kind = 'zero' AND substring(bits, field.at + 1, field.bits)::int <> 0 THEN
			RETURN uidext_internal.uid_too_great(s);
		ELSIF field.kind = 'version' AND substring(bits, field.at + 1, field.bits) <> b'0100'
			OR field.kind = 'variant' AND substring(bits, field.at + 1, field.bits) <> b'10' THEN
			RETURN 'Ids of this scheme are UUIDs of version 4.';
		END IF;
	END LOOP;
	IF uidext_internal.uid_unix_us(bits, s) IS NULL THEN
		RETURN 'Its time is none, or not between 1970-01-01 and 10889-08-02.';
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_bits_fault(bit, uidext_internal.uid_scheme) IS 'what is wrong with bits that are no id of the scheme, or NULL';

CREATE FUNCTION uidext_internal.uid_text_fault(id text, s uidext_internal.uid_scheme) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bytes text := uidext_internal.byte_by_byte(id);
	parts uidext_internal.uid_digits[] := uidext_internal.uid_text_digits(bytes, s);
	part uidext_internal.uid_digits;
	digits text;
BEGIN
	IF s.form = 'uuid' OR parts IS NULL AND (s.scheme = 'cuid' AND length(bytes) = 25 OR s.scheme = 'sid' AND length(bytes) IN (23, 27, 33, 39)) THEN
		RETURN format('Its form is: %s.', s.form);
	ELSIF parts IS NULL THEN
		RETURN format('Its form is: %s. The text has %s characters.', s.form, length(id));
	END IF;

	FOREACH part IN ARRAY parts LOOP
		digits := uidext_internal.uid_fold(substr(bytes, part.at, part.digits), part.fold);
		IF uidext_internal.bad_digit(digits, part.alphabet) > 0 THEN
			RETURN format('Its form is: %s. Character %s is no such digit.', s.form, part.at - 1 + uidext_internal.bad_digit(digits, part.alphabet));
		END IF;
		EXIT WHEN uidext_internal.number_decode(digits, part.alphabet, part.bits) IS NULL;
	END LOOP;
	RETURN uidext_internal.uid_too_great(s);
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_text_fault(text, uidext_internal.uid_scheme) IS 'what is wrong with a text that has no bits';

CREATE FUNCTION uidext_internal.uid_bits(id text, s uidext_internal.uid_scheme) RETURNS bit
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bits bit varying := uidext_internal.uid_text_bits(id, s);
	fault text := CASE WHEN bits IS NULL THEN uidext_internal.uid_text_fault(id, s) ELSE uidext_internal.uid_bits_fault(bits, s) END;
BEGIN
	IF fault IS NOT NULL THEN
		RAISE EXCEPTION 'invalid input syntax for id scheme "%": "%"', s.scheme, id USING ERRCODE = '22P02', DETAIL = fault;
	END IF;
	RETURN bits;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_bits(text, uidext_internal.uid_scheme) IS 'the bits of a text; raises 22P02 for text that is no id of the scheme';

CREATE FUNCTION uidext_internal.uid_bits(id bigint, s uidext_internal.uid_scheme) RETURNS bit
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF id < 0 THEN
		RAISE EXCEPTION 'id % is out of range for id scheme "%"', id, s.scheme USING ERRCODE = '22003', DETAIL = 'Ids are not negative.';
	END IF;
	RETURN id::bit(64);
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_bits(bigint, uidext_internal.uid_scheme) IS 'the bits of a number; raises 22003 for a negative one';

CREATE FUNCTION uidext_internal.uid_format(bits bit, s uidext_internal.uid_scheme) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	digits text;
BEGIN
	IF s.form = 'uuid' THEN
		RETURN uidext_internal.bits_to_uuid(bits);
	ELSIF s.scheme = 'cuid' THEN
		RETURN 'c' || uidext_internal.number_encode(substring(bits, 1, 42), s.alphabet, 8) || uidext_internal.number_encode(substring(bits, 43, 21), s.alphabet, 4)
			|| uidext_internal.number_encode(substring(bits, 64, 21), s.alphabet, 4) || uidext_internal.number_encode(substring(bits, 85, 42), s.alphabet, 8);
	ELSIF s.scheme = 'sid' THEN
		RETURN uidext_internal.number_encode(substring(bits, 1, 64), s.alphabet, 11)
			|| '-' || uidext_internal.number_encode(substring(bits, 65), s.alphabet, 11);
	END IF;

	digits := uidext_internal.number_encode(bits || s.behind, s.alphabet, s.digits);
	IF s.digits_min IS NOT NULL THEN
		digits := right(digits, greatest(length(ltrim(digits, left(s.alphabet, 1))), s.digits_min));
	END IF;
	RETURN digits;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_format(bit, uidext_internal.uid_scheme) IS 'the text of an id, in its usual form';

-- Ids that are not of 128 bits become a UUIDv7 of the same millisecond, whose other
-- 74 bits are those that follow the id's time, and zeros after them.
CREATE FUNCTION uidext_internal.uid_bits_to_uuid(bits bit, s uidext_internal.uid_scheme) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	others bit varying := substring(bits, s.time_at + s.time_bits + 1, s.other_bits) || 0::bit(74);
BEGIN
	IF s.same_bits THEN
		RETURN uidext_internal.bits_to_uuid(bits);
	END IF;
	RETURN uidext_internal.bits_to_uuid((uidext_internal.uid_unix_us(bits, s) / 1000)::bit(48)
		|| b'0111' || substring(others, 1, 12) || b'10' || substring(others, 13, 62));
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_bits_to_uuid(bit, uidext_internal.uid_scheme) IS 'the id as a uuid: its own 128 bits, else a UUIDv7 of the same time and order';

CREATE FUNCTION uidext_internal.uid_boundary_bits(unix_us bigint, s uidext_internal.uid_scheme) RETURNS bit
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ticks bigint := (unix_us - s.epoch_ms * 1000) / (s.tick_ns / 1000);
BEGIN
	IF unix_us < s.epoch_ms * 1000 OR s.time_bits < 63 AND ticks >> s.time_bits > 0 THEN
		RETURN NULL;
	END IF;
	RETURN substring(0::bit(8), 1, s.time_at) || substring(ticks::bit(64), 65 - s.time_bits)
		|| substring(0::bit(128), 1, s.bits - s.time_at - s.time_bits);
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_boundary_bits(bigint, uidext_internal.uid_scheme) IS 'the least id of a time''s tick; NULL when the scheme has no such tick';

CREATE FUNCTION uidext_internal.uid_uuid_bits(id uuid, s uidext_internal.uid_scheme) RETURNS bit
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	id_bits bit varying := uidext_internal.uuid_to_bits(id);
	bits bit varying;
BEGIN
	IF s.same_bits THEN
		RETURN CASE WHEN uidext_internal.uid_bits_fault(id_bits, s) IS NULL THEN id_bits END;
	ELSIF s.other_bits > 74 THEN
		RAISE EXCEPTION 'a UUID does not give back ids of scheme "%"', s.scheme
			USING ERRCODE = '22023', DETAIL = format('They have %s bits, of which a UUIDv7 holds the time and 74.', s.own_bits);
	ELSIF substring(id_bits, 49, 4) <> b'0111' OR substring(id_bits, 65, 2) <> b'10' THEN
		RETURN NULL;
	END IF;

	bits := uidext_internal.uid_boundary_bits(substring(id_bits, 1, 48)::bigint * 1000, s);
	bits := overlay(bits PLACING substring(substring(id_bits, 53, 12) || substring(id_bits, 67), 1, s.other_bits) FROM s.time_at + s.time_bits + 1);
	RETURN CASE WHEN uidext_internal.uid_bits_to_uuid(bits, s) = id THEN bits END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_uuid_bits(uuid, uidext_internal.uid_scheme) IS 'the id that a uuid was made of; NULL for one that was made of none; raises 22023 for schemes whose ids a uuid does not hold whole';

-- Ids from elsewhere
--
-- A scheme that is a constant is looked up once, in the SQL edition when the query is
-- planned.

CREATE FUNCTION uid_schemes(OUT scheme text, OUT form text, OUT bits int, OUT layout text, OUT resolution text,
		OUT epoch timestamptz, OUT reversible bool, OUT generated bool, OUT source text)
	RETURNS SETOF record
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 25
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme;
BEGIN
	FOREACH s IN ARRAY uidext_internal.uid_all_schemes() LOOP
		scheme := s.scheme;
		form := s.form;
		bits := s.own_bits;
		layout := (SELECT string_agg(f.bits || ' ' || CASE f.kind WHEN 'version' THEN 'version 4' ELSE f.name END, ', ' ORDER BY f.at)
			FROM unnest(s.fields) AS f WHERE f.kind <> 'zero');
		resolution := CASE
			WHEN s.scheme = 'combguid' THEN '1/300 s'
			WHEN s.tick_ns % 1000000000 = 0 THEN s.tick_ns / 1000000000 || ' s'
			WHEN s.tick_ns % 1000000 = 0 THEN s.tick_ns / 1000000 || ' ms'
			WHEN s.tick_ns % 1000 = 0 THEN s.tick_ns / 1000 || ' us'
			ELSE s.tick_ns || ' ns'
		END;
		epoch := uidext_internal.unix_us_to_timestamptz(s.epoch_ms * 1000);
		reversible := s.same_bits OR s.other_bits <= 74;
		generated := s.generated;
		source := s.source;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uid_schemes() IS
	'schemes of ids that the uid_ functions know: text, layout, whether uid_from_uuid() gives them back, and whether uid_generate() makes them without a node';

CREATE FUNCTION uid_time(id text, scheme text) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.unix_us_to_timestamptz(uidext_internal.uid_unix_us(
		uidext_internal.uid_bits(id COLLATE "C", uidext_internal.uid_scheme(scheme COLLATE "C")),
		uidext_internal.uid_scheme(scheme COLLATE "C")));
COMMENT ON FUNCTION uid_time(text, text) IS
	'creation time in an id of the scheme, floored to 1 us; raises 22P02 for text that is none, 22023 for an unknown scheme';

-- Every number that is not negative has a time.
CREATE FUNCTION uidext_internal.uid_time(id bigint, s uidext_internal.uid_scheme) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN id < 0 THEN uidext_internal.unix_us_to_timestamptz(uidext_internal.uid_bits(id, s)::bigint)
		ELSE uidext_internal.unix_us_to_timestamptz(
			(s).epoch_ms * 1000 + (id >> (64 - (s).time_at - (s).time_bits)) * ((s).tick_ns / 1000))
	END;
COMMENT ON FUNCTION uidext_internal.uid_time(bigint, uidext_internal.uid_scheme) IS 'implementation of uid_time(bigint, text)';

CREATE FUNCTION uid_time(id bigint, scheme text) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uid_time(id, uidext_internal.uid_bigint_scheme(scheme COLLATE "C"));
COMMENT ON FUNCTION uid_time(bigint, text) IS
	'the same for a 64-bit id; raises 22003 for a negative one, 22023 for a scheme of other ids';

CREATE FUNCTION uidext_internal.uid_is_valid(id text, s uidext_internal.uid_scheme) RETURNS bool
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bits bit varying := uidext_internal.uid_text_bits(id, s);
BEGIN
	RETURN bits IS NOT NULL AND uidext_internal.uid_bits_fault(bits, s) IS NULL;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_is_valid(text, uidext_internal.uid_scheme) IS 'implementation of uid_is_valid(text, text)';

CREATE FUNCTION uid_is_valid(id text, scheme text) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.uid_is_valid(id COLLATE "C", uidext_internal.uid_scheme(scheme COLLATE "C"));
COMMENT ON FUNCTION uid_is_valid(text, text) IS
	'whether the text is an id of the scheme; raises 22023 for an unknown scheme';

CREATE FUNCTION uid_is_valid(id bigint, scheme text) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN (uidext_internal.uid_bigint_scheme(scheme COLLATE "C")).bits = 64 THEN id >= 0 END;
COMMENT ON FUNCTION uid_is_valid(bigint, text) IS
	'whether the 64-bit id is not negative; as CHECK it tells uuid_partition_create() and its kin the scheme of a bigint key; raises 22023 as uid_time()';

CREATE FUNCTION uid_boundary(at timestamptz, scheme text) RETURNS bigint
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme := uidext_internal.uid_bigint_scheme(scheme COLLATE "C");
	id bigint;
BEGIN
	IF at = '-infinity' THEN
		RETURN 0;
	ELSIF at = 'infinity' THEN
		RETURN 9223372036854775807;
	ELSIF at BETWEEN '1970-01-01 00:00:00+00' AND '10889-08-02 05:31:50.655999+00' THEN
		id := uidext_internal.uid_boundary_bits(uidext_internal.timestamptz_us(at), s)::bigint;
	END IF;
	IF id >= 0 THEN
		RETURN id;
	END IF;
	RAISE EXCEPTION 'timestamp out of range for id scheme "%"', s.scheme USING ERRCODE = '22008';
END
$$;
COMMENT ON FUNCTION uid_boundary(timestamptz, text) IS
	'least 64-bit id of that time, for range queries and partition bounds of bigint keys; raises 22008 for times that the scheme does not have, 22023 as uid_time()';

CREATE FUNCTION uidext_internal.random_bits(a bytea, b bytea) RETURNS bit
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN pg_catalog.bitcat(
		overlay(overlay(('x' || encode(a, 'hex'))::bit(128) PLACING B'' FROM 65 FOR 2) PLACING B'' FROM 49 FOR 4),
		overlay(overlay(('x' || encode(b, 'hex'))::bit(128) PLACING B'' FROM 65 FOR 2) PLACING B'' FROM 49 FOR 4));
COMMENT ON FUNCTION uidext_internal.random_bits(bytea, bytea) IS '244 random bits, of the bytes of two version 4';

-- Apart from the clock and chance: a parallel plan takes no VOLATILE function in PL/pgSQL.
CREATE FUNCTION uidext_internal.uid_generate(scheme text, unix_us bigint, random bit) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme := uidext_internal.uid_scheme(scheme COLLATE "C");
	ticks bigint := CASE WHEN s.tick_ns = 1 THEN unix_us * 1000 ELSE (unix_us - s.epoch_ms * 1000) / (s.tick_ns / 1000) END;
	field uidext_internal.uid_field;
	bits bit varying := '';
BEGIN
	IF s.scheme IN ('comb', 'suffixcomb', 'combguid') THEN
		RAISE EXCEPTION 'ids of scheme "%" cannot be generated', s.scheme
			USING ERRCODE = '22023', HINT = 'gen_comb() and gen_suffix_comb() make COMBs.';
	ELSIF NOT s.generated THEN
		RAISE EXCEPTION 'ids of scheme "%" cannot be generated', s.scheme
			USING ERRCODE = '22023', DETAIL = 'They hold the number of a node, or too few random bits to do without.';
	ELSIF ticks < 0 OR s.time_bits < 63 AND ticks >> s.time_bits > 0
		-- its eight digits of time hold less than 42 bits
		OR s.scheme = 'cuid' AND ticks >= (36 ^ 8)::bigint
	THEN
		RAISE EXCEPTION 'timestamp out of range for id scheme "%"', s.scheme USING ERRCODE = '22008';
	END IF;

	FOREACH field IN ARRAY s.fields LOOP
		bits := bits || CASE field.kind
			WHEN 'time' THEN substring(ticks::bit(64), 65 - field.bits)
			WHEN 'zero' THEN substring(0::bit(64), 1, field.bits)
			WHEN 'version' THEN b'0100'
			WHEN 'variant' THEN b'10'
			-- digits of base 36 are no whole bits
			WHEN 'base36' THEN substring((substring(random, field.at + 1, field.bits)::bigint % (36 ^ (field.bits / 5))::bigint)::bit(64), 65 - field.bits)
			ELSE substring(random, field.at + 1, field.bits)
		END;
	END LOOP;
	RETURN uidext_internal.uid_format(bits, s);
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_generate(text, bigint, bit) IS 'new id of a scheme, of a time and random bits; raises as uid_generate()';

CREATE FUNCTION uid_generate(scheme text) RETURNS text
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uid_generate(scheme, uidext_internal.clock_us(),
		uidext_internal.random_bits(uidext_internal.random_bytes(), uidext_internal.random_bytes()));
COMMENT ON FUNCTION uid_generate(text) IS
	'new id of the current time, all else random; no order within a tick; raises 22023 for schemes that need the number of a node, and for COMBs';
CREATE FUNCTION uidext_internal.uid_readings(id text, OUT scheme text, OUT "time" timestamptz, OUT fields jsonb, OUT uuid uuid)
	RETURNS SETOF record
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 5
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	s uidext_internal.uid_scheme;
	id_bits bit varying;
BEGIN
	FOREACH s IN ARRAY uidext_internal.uid_all_schemes() LOOP
		id_bits := uidext_internal.uid_text_bits(id COLLATE "C", s);
		CONTINUE WHEN id_bits IS NULL OR uidext_internal.uid_bits_fault(id_bits, s) IS NOT NULL;
		scheme := s.scheme;
		"time" := uidext_internal.unix_us_to_timestamptz(uidext_internal.uid_unix_us(id_bits, s));
		uuid := uidext_internal.uid_bits_to_uuid(id_bits, s);
		fields := (SELECT coalesce(jsonb_object_agg(f.name, CASE f.kind
				WHEN 'number' THEN to_jsonb(f.part::bigint)
				WHEN 'base36' THEN to_jsonb(uidext_internal.number_encode(f.part, '0123456789abcdefghijklmnopqrstuvwxyz', f.bits / 5))
				ELSE to_jsonb(uidext_internal.number_encode(f.part, '0123456789abcdef', f.bits / 4))
			END), '{}')
			FROM (SELECT u.*, substring(id_bits, u.at + 1, u.bits) AS part FROM unnest(s.fields) AS u) AS f
			WHERE f.kind IN ('number', 'hex', 'base36'));
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_readings(text) IS
	'every scheme of uid_schemes() that the text fits';

-- A UUID as the server's own input takes it, and with urn:uuid: in front (RFC 9562,
-- section 4), or as a bytea or a number in hex; NULL for any other text.
CREATE FUNCTION uidext_internal.uid_as_uuid(id text) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	digits text := CASE
		WHEN id ~ '^urn:uuid:' THEN substr(id, 10)
		WHEN id ~ '^[{].*[}]$' THEN substr(id, 2, length(id) - 2)
		WHEN length(id) = 34 AND left(id, 2) IN ('0x', chr(92) || 'x') THEN substr(id, 3)
		ELSE id
	END;
BEGIN
	RETURN CASE WHEN digits ~ '^([0-9A-Fa-f]{4}-?){7}[0-9A-Fa-f]{4}$' THEN digits END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_as_uuid(text) IS
	'the uuid of a text in any spelling of one; NULL for other text';

-- Ids from elsewhere as uuids, and back

CREATE FUNCTION uid_to_uuid(id text, scheme text) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.uid_bits_to_uuid(
		uidext_internal.uid_bits(id COLLATE "C", uidext_internal.uid_scheme(scheme COLLATE "C")),
		uidext_internal.uid_scheme(scheme COLLATE "C"));
COMMENT ON FUNCTION uid_to_uuid(text, text) IS
	'the id as a uuid: its own 128 bits, else a UUIDv7 of the same time and order; raises 22P02 and 22023 as uid_time()';

CREATE FUNCTION uid_to_uuid(id bigint, scheme text) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.uid_bits_to_uuid(
		uidext_internal.uid_bits(id, uidext_internal.uid_bigint_scheme(scheme COLLATE "C")),
		uidext_internal.uid_bigint_scheme(scheme COLLATE "C"));
COMMENT ON FUNCTION uid_to_uuid(bigint, text) IS
	'the 64-bit id as a UUIDv7 of the same time and order; raises 22003 and 22023 as uid_time()';

CREATE FUNCTION uid_from_uuid(id uuid, scheme text) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.uid_format(
		uidext_internal.uid_uuid_bits(id, uidext_internal.uid_scheme(scheme COLLATE "C")),
		uidext_internal.uid_scheme(scheme COLLATE "C"));
COMMENT ON FUNCTION uid_from_uuid(uuid, text) IS
	'inverse of uid_to_uuid(); NULL for a uuid that was made of no id of the scheme; raises 22023 for schemes whose ids a uuid does not hold whole';

CREATE FUNCTION uid_bigint_from_uuid(id uuid, scheme text) RETURNS bigint
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	number bigint := uidext_internal.uid_uuid_bits(id, uidext_internal.uid_bigint_scheme(scheme COLLATE "C"))::bigint;
BEGIN
	IF number < 0 THEN
		RAISE EXCEPTION 'id % is out of range for type bigint', number + 18446744073709551616 USING ERRCODE = '22003';
	END IF;
	RETURN number;
END
$$;
COMMENT ON FUNCTION uid_bigint_from_uuid(uuid, text) IS
	'inverse of uid_to_uuid() for 64-bit ids; NULL as uid_from_uuid(); raises 22023 for schemes of other ids, 22003 for an id beyond bigint';

-- What is this id?

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
			SELECT -1 AS place, 'uuid' AS scheme, uuid_time(u.uuid) AS "time",
				u.fields || pg_catalog.jsonb_strip_nulls(pg_catalog.to_jsonb(uuid_inspect(u.uuid))) - '{time,swapped_by,unswapped}'::text[] AS fields, u.uuid, false AS unlikely
			FROM uuids AS u
			WHERE u.uuid IS NOT NULL
			UNION ALL
			-- as another database prints or stores it; in a version 4, which has no time, any may be found
			SELECT 0, 'uuid', uuid_time(w.uuid),
				u.fields || pg_catalog.jsonb_strip_nulls(pg_catalog.to_jsonb(uuid_inspect(w.uuid))) - '{time}'::text[] || pg_catalog.jsonb_build_object('swapped_by', w.swapped_by), w.uuid,
				(uuid_inspect(u.uuid)).version = 4
			FROM uuids AS u,
				LATERAL (VALUES ('SQL Server', uuid_from_sqlserver(u.uuid)), ('MySQL', bin_to_uuid(pg_catalog.uuid_send(u.uuid), true))) AS w (swapped_by, uuid)
			WHERE w.uuid <> u.uuid AND (uuid_inspect(w.uuid)).version IS NOT NULL
				AND uuid_time(w.uuid) >= timestamptz '2000-01-01 00:00:00+00' AND uuid_time(w.uuid) < pg_catalog.now() + interval '1 day'
			UNION ALL
			SELECT r.place, r.scheme, r."time", r.fields, r.uuid,
				r."time" < s.epoch + interval '1 day'
			FROM pasted AS p, ROWS FROM (uidext_internal.uid_readings(p.id)) WITH ORDINALITY AS r (scheme, "time", fields, uuid, place)
				JOIN uid_schemes() AS s ON s.scheme = r.scheme
		)
		SELECT r.scheme, r."time", r.fields, r.uuid
		FROM readings AS r
		ORDER BY CASE
				WHEN r."time" IS NULL OR r.scheme = 'ordereduuid' OR r.place = 0 AND r.unlikely THEN 1
				WHEN r."time" >= timestamptz '2000-01-01 00:00:00+00' AND r."time" < pg_catalog.now() + interval '1 day' AND NOT r.unlikely THEN 0
				ELSE 2
			END, r.place;
	END;
COMMENT ON FUNCTION uid_inspect(text) IS
	'every reading of an id of unknown origin, most plausible first: scheme, time, other fields, and the uuid that uid_to_uuid() makes of it; also as SQL Server prints and MySQL stores it';

-- Boundaries in time
--
-- Readers are inlined.  What makes a boundary stays a call: plans show its name, and
-- an index condition asks it once.  In PL/pgSQL, because SQL that is not inlined is
-- planned again for each call from other such SQL.

CREATE FUNCTION uidext_internal.uuid_boundary_of(bits bigint) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN rpad(lpad(to_hex(bits), 12, '0'), 32, '0')::uuid;
COMMENT ON FUNCTION uidext_internal.uuid_boundary_of(bigint) IS
	'48 bits and 80 zeros';

CREATE FUNCTION uuid_boundary(at timestamptz) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE
		WHEN at = timestamptz '-infinity' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at = timestamptz 'infinity' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.uuid_boundary_of(uidext_internal.timestamptz_to_unix_us(at) / 1000::bigint)
	END;
END
$$;
COMMENT ON FUNCTION uuid_boundary(timestamptz) IS
	'Unix milliseconds (floor) and 80 zero bits: below every v4, v7 and v8 id of that millisecond; nil UUID for -infinity, max UUID for infinity; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uuid_boundary_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.unix_ms_to_timestamptz(uidext_internal.uuid_unix_ms(id));
COMMENT ON FUNCTION uuid_boundary_time(uuid) IS
	'first 48 bits read as Unix milliseconds, whatever the version; 1970-01-01 to 10889-08-02';

CREATE FUNCTION iuid_boundary(at timestamptz) RETURNS iuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uuid_boundary(at)::iuid;
COMMENT ON FUNCTION iuid_boundary(timestamptz) IS
	'uuid_boundary() as an iuid; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uuidv6_boundary(at timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN at = timestamptz '-infinity' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at = timestamptz 'infinity' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.uuid_boundary_of(uidext_internal.timestamptz_to_gregorian(at) >> 12)
	END;
COMMENT ON FUNCTION uuidv6_boundary(timestamptz) IS
	'the same for v6 and v13: top 48 bits of the Gregorian timestamp (floor, 409.6 us) and 80 zero bits; read it with uuidv6_boundary_time(); raises 22008 for times outside 1970-01-01 to 5236-03-31';

-- Of the 4096 counts that share the first 48 bits the one on a whole millisecond,
-- if there is one, else the first on a whole microsecond.
CREATE FUNCTION uuidv6_boundary_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT (timestamp '1582-10-15 00:00' + pg_catalog.make_interval(
			days => (t.us / 86400000000)::int, secs => (t.us % 86400000000)::float8 / 1000000::float8)) AT TIME ZONE interval '0'
	FROM (SELECT uidext_internal.uuid_unix_ms(id) * 4096::bigint) f(first),
		LATERAL (SELECT CASE
			WHEN (f.first + 9999::bigint) / 10000::bigint * 10000::bigint < f.first + 4096::bigint
				THEN (f.first + 9999::bigint) / 10000::bigint * 1000::bigint
			ELSE (f.first + 9::bigint) / 10::bigint
		END) t(us);
END;
COMMENT ON FUNCTION uuidv6_boundary_time(uuid) IS
	'inverse of uuidv6_boundary() for whole milliseconds; of other values the first microsecond of the 409.6 us that the first 48 bits stand for, 1582-10-15 to 5236-03-31, whatever the version';

CREATE FUNCTION uidext_internal.uuid_boundary_at_or_after(at timestamptz) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE
		WHEN at <= timestamptz '1970-01-01 00:00+00' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at > timestamptz '10889-08-02 05:31:50.655+00' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.uuid_boundary_of((uidext_internal.timestamptz_us(at) + 999::bigint) / 1000::bigint)
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_boundary_at_or_after(timestamptz) IS
	'boundary of the first millisecond not before a time: time >= at is id >= this; nil UUID before 1970, max UUID after 10889';

CREATE FUNCTION uidext_internal.uuid_boundary_after(at timestamptz) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE
		WHEN at < timestamptz '1970-01-01 00:00+00' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at >= timestamptz '10889-08-02 05:31:50.655+00' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.uuid_boundary_of(uidext_internal.timestamptz_us(at) / 1000::bigint + 1::bigint)
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_boundary_after(timestamptz) IS
	'boundary of the first millisecond after a time: time > at is id >= this; nil UUID before 1970, max UUID after 10889';

CREATE FUNCTION uidext_internal.uuid_range_lower(period tstzrange) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE
		WHEN pg_catalog.isempty(period) THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		WHEN pg_catalog.lower_inf(period) THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN pg_catalog.lower_inc(period) THEN uidext_internal.uuid_boundary_at_or_after(pg_catalog.lower(period))
		ELSE uidext_internal.uuid_boundary_after(pg_catalog.lower(period))
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_range_lower(tstzrange) IS
	'lower bound of a period: time in period is id >= this and id < uidext_internal.uuid_range_upper(period); max UUID for an empty range';

CREATE FUNCTION uidext_internal.uuid_range_upper(period tstzrange) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE
		WHEN pg_catalog.isempty(period) THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN pg_catalog.upper_inf(period) THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		WHEN pg_catalog.upper_inc(period) THEN uidext_internal.uuid_boundary_after(pg_catalog.upper(period))
		ELSE uidext_internal.uuid_boundary_at_or_after(pg_catalog.upper(period))
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_range_upper(tstzrange) IS
	'upper bound of a period, not included: see uidext_internal.uuid_range_lower(); nil UUID for an empty range';

-- Time predicates

-- The planner puts the body of each in its place: plain comparisons of ids, which
-- index conditions and partition pruning are made of.  Those that use an argument
-- twice are not STRICT, or they would stay calls, and stay calls where the
-- argument is a sub-select, volatile or costly.

-- An operator that names tstzrange itself would be the best match of
-- tstzrange @> '...', before the server has taken what stands there for a tstzrange.

CREATE DOMAIN uidext_internal.period AS tstzrange;
COMMENT ON DOMAIN uidext_internal.period IS
	'a tstzrange in operators: a domain is no exact match, so that tstzrange @> ''...'' stays what the server makes of it';

CREATE DOMAIN uidext_internal.periods AS tstzmultirange;
COMMENT ON DOMAIN uidext_internal.periods IS
	'a tstzmultirange in operators: a domain is no exact match, so that tstzmultirange @> ''...'' stays what the server makes of it';

CREATE FUNCTION uidext_internal.id_time(id uuid) RETURNS timestamptz
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE
		WHEN id = uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff' THEN timestamptz 'infinity'
		ELSE @extschema@.uuid_boundary_time(id)
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.id_time(uuid) IS
	'the time that predicates compare: as uuid_boundary_time(), but infinity for the max UUID';

CREATE FUNCTION uidext_internal.id_lt_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uidext_internal.uuid_boundary_at_or_after(at);
COMMENT ON FUNCTION uidext_internal.id_lt_timestamptz(uuid, timestamptz) IS
	'implementation of uuid < timestamptz: whether the id''s millisecond is before the time';

CREATE FUNCTION uidext_internal.id_le_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uidext_internal.uuid_boundary_after(at);
COMMENT ON FUNCTION uidext_internal.id_le_timestamptz(uuid, timestamptz) IS
	'implementation of uuid <= timestamptz: whether the id''s millisecond is at or before the time';

CREATE FUNCTION uidext_internal.id_ge_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_boundary_at_or_after(at);
COMMENT ON FUNCTION uidext_internal.id_ge_timestamptz(uuid, timestamptz) IS
	'implementation of uuid >= timestamptz: whether the id''s millisecond is at or after the time';

CREATE FUNCTION uidext_internal.id_gt_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_boundary_after(at);
COMMENT ON FUNCTION uidext_internal.id_gt_timestamptz(uuid, timestamptz) IS
	'implementation of uuid > timestamptz: whether the id''s millisecond is after the time';

CREATE FUNCTION uidext_internal.id_in_tstzrange(id uuid, period uidext_internal.period) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_range_lower(period) AND id < uidext_internal.uuid_range_upper(period);
COMMENT ON FUNCTION uidext_internal.id_in_tstzrange(uuid, uidext_internal.period) IS
	'implementation of uuid <@ tstzrange: whether the id''s millisecond lies in the period';

CREATE FUNCTION uidext_internal.id_in_tstzmultirange(id uuid, periods uidext_internal.periods) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_range_lower(pg_catalog.range_merge(periods)) AND id < uidext_internal.uuid_range_upper(pg_catalog.range_merge(periods))
		AND periods OPERATOR(pg_catalog.@>) uidext_internal.id_time(id);
COMMENT ON FUNCTION uidext_internal.id_in_tstzmultirange(uuid, uidext_internal.periods) IS
	'implementation of uuid <@ tstzmultirange: whether the id''s millisecond lies in one of the periods';

CREATE FUNCTION uidext_internal.timestamptz_lt_id(at timestamptz, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_boundary_after(at);
COMMENT ON FUNCTION uidext_internal.timestamptz_lt_id(timestamptz, uuid) IS
	'implementation of timestamptz < uuid: whether the time is before the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_le_id(at timestamptz, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_boundary_at_or_after(at);
COMMENT ON FUNCTION uidext_internal.timestamptz_le_id(timestamptz, uuid) IS
	'implementation of timestamptz <= uuid: whether the time is at or before the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_ge_id(at timestamptz, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uidext_internal.uuid_boundary_after(at);
COMMENT ON FUNCTION uidext_internal.timestamptz_ge_id(timestamptz, uuid) IS
	'implementation of timestamptz >= uuid: whether the time is at or after the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_gt_id(at timestamptz, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uidext_internal.uuid_boundary_at_or_after(at);
COMMENT ON FUNCTION uidext_internal.timestamptz_gt_id(timestamptz, uuid) IS
	'implementation of timestamptz > uuid: whether the time is after the id''s millisecond';

CREATE FUNCTION uidext_internal.tstzrange_contains_id(period uidext_internal.period, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_range_lower(period) AND id < uidext_internal.uuid_range_upper(period);
COMMENT ON FUNCTION uidext_internal.tstzrange_contains_id(uidext_internal.period, uuid) IS
	'implementation of tstzrange @> uuid: whether the id''s millisecond lies in the period';

CREATE FUNCTION uidext_internal.tstzmultirange_contains_id(periods uidext_internal.periods, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_range_lower(pg_catalog.range_merge(periods)) AND id < uidext_internal.uuid_range_upper(pg_catalog.range_merge(periods))
		AND periods OPERATOR(pg_catalog.@>) uidext_internal.id_time(id);
COMMENT ON FUNCTION uidext_internal.tstzmultirange_contains_id(uidext_internal.periods, uuid) IS
	'implementation of tstzmultirange @> uuid: whether the id''s millisecond lies in one of the periods';

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
	LEFTARG = uuid, RIGHTARG = uidext_internal.period, FUNCTION = uidext_internal.id_in_tstzrange,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (uuid, uidext_internal.period) IS
	'id made within the period (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR @> (
	LEFTARG = uidext_internal.period, RIGHTARG = uuid, FUNCTION = uidext_internal.tstzrange_contains_id,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (uidext_internal.period, uuid) IS
	'period contains the time of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <@ (
	LEFTARG = uuid, RIGHTARG = uidext_internal.periods, FUNCTION = uidext_internal.id_in_tstzmultirange,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (uuid, uidext_internal.periods) IS
	'id made within one of the periods (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR @> (
	LEFTARG = uidext_internal.periods, RIGHTARG = uuid, FUNCTION = uidext_internal.tstzmultirange_contains_id,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (uidext_internal.periods, uuid) IS
	'one of the periods contains the time of the id (Unix-time layouts: v7, iUID, COMB)';

-- min(uuid), max(uuid)
--
-- Servers have them from 20 on, and there theirs go first: pg_catalog is searched
-- before any other schema.  These stay, or the views that were made with them
-- would restore no more.

CREATE FUNCTION uidext_internal.id_smaller(a uuid, b uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN least(a, b);
COMMENT ON FUNCTION uidext_internal.id_smaller(uuid, uuid) IS 'the least of two ids';

CREATE FUNCTION uidext_internal.id_larger(a uuid, b uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN greatest(a, b);
COMMENT ON FUNCTION uidext_internal.id_larger(uuid, uuid) IS 'the greatest of two ids';

CREATE AGGREGATE min(uuid) (
	SFUNC = uidext_internal.id_smaller, STYPE = uuid, COMBINEFUNC = uidext_internal.id_smaller,
	SORTOP = OPERATOR(pg_catalog.<), PARALLEL = SAFE
);
COMMENT ON AGGREGATE @extschema@.min(uuid) IS 'the least id; the first entry of an index answers';

CREATE AGGREGATE max(uuid) (
	SFUNC = uidext_internal.id_larger, STYPE = uuid, COMBINEFUNC = uidext_internal.id_larger,
	SORTOP = OPERATOR(pg_catalog.>), PARALLEL = SAFE
);
COMMENT ON AGGREGATE @extschema@.max(uuid) IS 'the greatest id; the last entry of an index answers';

-- ULID: in the SQL edition in order within a session as far as the clock tells ids
-- apart, 1 us

CREATE FUNCTION uidext_internal.is_ulid(digits text) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN octet_length(digits) = 26 AND digits COLLATE "C" < '8' AND digits COLLATE "C" !~ '[^0-9A-HJKMNP-TV-Z]';
COMMENT ON FUNCTION uidext_internal.is_ulid(text) IS
	'whether a text is what the type ulid prints';

CREATE FUNCTION uidext_internal.ulid_fault(digits text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN length(digits) <> 26 THEN 'A ULID has 26 characters, not ' || length(digits)::text || '.'
		WHEN digits COLLATE "C" ~ '[^0-9A-HJKMNP-TV-Z]'
			THEN 'Character ' || (length(substring(digits COLLATE "C" FROM '^[0-9A-HJKMNP-TV-Z]*')) + 1)::text || ' is not a digit of Crockford''s base 32.'
		ELSE 'A ULID begins with a digit from 0 to 7, because it has 128 bits.'
	END;
COMMENT ON FUNCTION uidext_internal.ulid_fault(text) IS
	'what is wrong with a text that is no ULID';

-- What the type of the C edition prints, which sorts as its bytes do.
CREATE DOMAIN ulid AS text COLLATE "C" CHECK (uidext_internal.is_ulid(VALUE));

COMMENT ON TYPE ulid IS
	'ULID: the bits of a uuid, written in 26 digits of Crockford''s base 32';

-- Behind the time go the last 70 bits of a version 4 but for what is not random.
CREATE FUNCTION uidext_internal.ulid_text(ticks bigint, random bytea, middle bigint) RETURNS ulid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.base32_text(ticks, middle, (get_byte(random, 0) << 8 | get_byte(random, 1))::bigint)::ulid;
COMMENT ON FUNCTION uidext_internal.ulid_text(bigint, bytea, bigint) IS
	'a ULID of 58 bits of time, 60 bits in the middle and 10 of the first two random bytes';

-- Apart from the clock and chance: a parallel plan takes no VOLATILE function in PL/pgSQL.
CREATE FUNCTION uidext_internal.ulid_of_ticks(ticks bigint, random bytea) RETURNS ulid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	middle bigint := uidext_internal.bytes_half(random, 9);
BEGIN
	RETURN uidext_internal.ulid_text(ticks, random, middle);
END
$$;
COMMENT ON FUNCTION uidext_internal.ulid_of_ticks(bigint, bytea) IS
	'ULID of a time in 1/1024 ms since 1970, with 70 of the random bits';

CREATE FUNCTION gen_ulid() RETURNS ulid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.ulid_of_ticks(uidext_internal.clock_us() * 128::bigint / 125::bigint, uidext_internal.random_bytes());
COMMENT ON FUNCTION gen_ulid() IS
	'new ULID: Unix milliseconds, 10 bits of their fraction, 70 random bits; in the session''s order as far as microseconds differ';

CREATE FUNCTION gen_ulid_at(at timestamptz) RETURNS ulid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.ulid_of_ticks((uidext_internal.timestamptz_to_unix_us(at) / 1000::bigint << 10)
		+ uidext_internal.timestamptz_to_unix_us(at) % 1000::bigint * 128::bigint / 125::bigint, uidext_internal.random_bytes());
COMMENT ON FUNCTION gen_ulid_at(timestamptz) IS
	'new ULID of the given time (microseconds count); no order within a microsecond; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION ulid_time(id ulid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.unix_ms_to_timestamptz(uidext_internal.base32_bits(decode(id, 'escape'), 0) >> 10);
COMMENT ON FUNCTION ulid_time(ulid) IS 'creation time of a ULID, in milliseconds';

CREATE FUNCTION ulid_boundary(at timestamptz) RETURNS ulid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.base32_encode(uuid_boundary(at))::ulid;
COMMENT ON FUNCTION ulid_boundary(timestamptz) IS
	'the least ULID of a millisecond, for partition bounds; the least and the greatest of all for infinities; raises 22008 for other times outside 1970-01-01 to 10889-08-02';

-- The same 128 bits as a uuid, and back

CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS ulid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.base32_encode(id)::ulid;

-- I and L are read as 1, O as 0, in upper and lower case.
CREATE FUNCTION ulid_to_uuid(ulid text) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
	digits pg_catalog.text := uidext_internal.crockford_fold(ulid);
BEGIN
	IF uidext_internal.is_ulid(digits) THEN
		RETURN uidext_internal.base32_decode(digits);
	END IF;
	RAISE EXCEPTION 'invalid input syntax for type %: "%"', 'ulid', ulid
		USING ERRCODE = 'invalid_text_representation', DETAIL = uidext_internal.ulid_fault(digits);
END
$$;
COMMENT ON FUNCTION uuid_to_ulid(uuid) IS
	'the 128 bits as a ULID; sorts as the uuid does';
COMMENT ON FUNCTION ulid_to_uuid(text) IS
	'inverse of uuid_to_ulid(), in upper or lower case, with I and L for 1 and O for 0; its time is ulid_time(), because a ULID has no version; raises 22P02 for text that is no ULID';

-- Time predicates on ULIDs: those of predicates.sql, overloaded

CREATE FUNCTION uidext_internal.id_lt_timestamptz(id ulid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id < uidext_internal.base32_encode(uidext_internal.uuid_boundary_at_or_after(at));
COMMENT ON FUNCTION uidext_internal.id_lt_timestamptz(ulid, timestamptz) IS
	'implementation of ulid < timestamptz: whether the id''s millisecond is before the time';

CREATE FUNCTION uidext_internal.id_le_timestamptz(id ulid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id < uidext_internal.base32_encode(uidext_internal.uuid_boundary_after(at));
COMMENT ON FUNCTION uidext_internal.id_le_timestamptz(ulid, timestamptz) IS
	'implementation of ulid <= timestamptz: whether the id''s millisecond is at or before the time';

CREATE FUNCTION uidext_internal.id_ge_timestamptz(id ulid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.base32_encode(uidext_internal.uuid_boundary_at_or_after(at));
COMMENT ON FUNCTION uidext_internal.id_ge_timestamptz(ulid, timestamptz) IS
	'implementation of ulid >= timestamptz: whether the id''s millisecond is at or after the time';

CREATE FUNCTION uidext_internal.id_gt_timestamptz(id ulid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.base32_encode(uidext_internal.uuid_boundary_after(at));
COMMENT ON FUNCTION uidext_internal.id_gt_timestamptz(ulid, timestamptz) IS
	'implementation of ulid > timestamptz: whether the id''s millisecond is after the time';

CREATE FUNCTION uidext_internal.timestamptz_lt_id(at timestamptz, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.base32_encode(uidext_internal.uuid_boundary_after(at));
COMMENT ON FUNCTION uidext_internal.timestamptz_lt_id(timestamptz, ulid) IS
	'implementation of timestamptz < ulid: whether the time is before the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_le_id(at timestamptz, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.base32_encode(uidext_internal.uuid_boundary_at_or_after(at));
COMMENT ON FUNCTION uidext_internal.timestamptz_le_id(timestamptz, ulid) IS
	'implementation of timestamptz <= ulid: whether the time is at or before the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_ge_id(at timestamptz, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id < uidext_internal.base32_encode(uidext_internal.uuid_boundary_after(at));
COMMENT ON FUNCTION uidext_internal.timestamptz_ge_id(timestamptz, ulid) IS
	'implementation of timestamptz >= ulid: whether the time is at or after the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_gt_id(at timestamptz, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id < uidext_internal.base32_encode(uidext_internal.uuid_boundary_at_or_after(at));
COMMENT ON FUNCTION uidext_internal.timestamptz_gt_id(timestamptz, ulid) IS
	'implementation of timestamptz > ulid: whether the time is after the id''s millisecond';

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

-- Reading in the order of ids

-- src/safe_boundary.c says why a boundary is safe for a snapshot that sees every
-- transaction as ended that was no longer open at the look.  Here, too, there are
-- two looks: one at the call, and one from when the statement was planned, before
-- its snapshot was taken, because then a function is called that says it is
-- IMMUTABLE.  A plan may be kept for long: so the session keeps its last look, too.

CREATE TYPE uidext_internal.uuid_safe_look AS (
	boundary uuid,
	seen pg_snapshot
);
COMMENT ON TYPE uidext_internal.uuid_safe_look IS
	'a boundary, and what had ended right after it was found, NULL where SQL cannot tell';
COMMENT ON COLUMN uidext_internal.uuid_safe_look.boundary IS 'below which no transaction could add an id';
COMMENT ON COLUMN uidext_internal.uuid_safe_look.seen IS
	'snapshot taken behind it; NULL in REPEATABLE READ and SERIALIZABLE, where no new one is to be had';

-- Others that may add rows to this database; not autovacuum, nor replication.
CREATE FUNCTION uidext_internal.uuid_safe_oldest_transaction(OUT started timestamptz, OUT all_reported bool, OUT hidden bool)
	LANGUAGE sql VOLATILE
BEGIN ATOMIC
	SELECT least(now(), min(CASE
			WHEN a.xact_start IS NOT NULL THEN a.xact_start
			WHEN s.is_silent THEN a.backend_start
		END)),
		bool_and(NOT s.is_silent OR a.state = 'disabled'),
		coalesce(bool_or(a.backend_type IS NULL), false)
	FROM pg_catalog.pg_stat_activity a,
		-- in a transaction, but telling no start: it tells nothing at all, or did not when it began, or not yet
		LATERAL (SELECT a.xact_start IS NULL AND a.state IS DISTINCT FROM 'idle' AND EXISTS (
			SELECT FROM pg_catalog.pg_locks l WHERE l.pid = a.pid AND l.locktype = 'virtualxid' AND l.mode = 'ExclusiveLock'
		)) s(is_silent)
	WHERE a.datid = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())
		AND a.pid <> pg_backend_pid()
		AND (a.backend_type NOT IN ('autovacuum worker', 'walsender', 'slotsync worker') OR a.backend_type IS NULL);
END;
COMMENT ON FUNCTION uidext_internal.uuid_safe_oldest_transaction() IS
	'start of the oldest open transaction of this database, or a time before; whether all told theirs, and whether the caller may not see one';

CREATE FUNCTION uidext_internal.uuid_safe_look() RETURNS uidext_internal.uuid_safe_look
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	oldest record;
	look uidext_internal.uuid_safe_look;
BEGIN
	-- A backend is in a transaction for a moment before it tells when that began:
	-- look again.  One that does not tell is taken for as old as its session.
	FOR attempt IN 1 .. 10 LOOP
		-- the view of the backends is kept for a transaction unless told
		PERFORM pg_stat_clear_snapshot();
		oldest := uidext_internal.uuid_safe_oldest_transaction();
		EXIT WHEN coalesce(oldest.all_reported, true);
	END LOOP;
	IF oldest.hidden OR NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
		RAISE EXCEPTION 'permission denied for the open transactions of others'
			USING ERRCODE = 'insufficient_privilege',
				DETAIL = 'Their start, before which all ids are there, is hidden from this role.',
				HINT = format('GRANT pg_read_all_stats TO %I', current_user);
	END IF;

	-- In this order: a transaction is prepared before its backend lets go of it, and
	-- nothing tells when a prepared one began.
	look.boundary := CASE WHEN EXISTS (SELECT FROM pg_prepared_xacts WHERE database = current_database())
		THEN '00000000-0000-0000-0000-000000000000'
		ELSE @extschema@.uuid_boundary(oldest.started)
	END;
	look.seen := CASE WHEN current_setting('transaction_isolation') LIKE 'read %' THEN pg_current_snapshot() END;
	RETURN look;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_safe_look() IS
	'a look at the open transactions of this database; raises 42501 for a caller who may not see all of them';

CREATE FUNCTION uidext_internal.uuid_safe_planned_look() RETURNS uidext_internal.uuid_safe_look
	LANGUAGE plpgsql IMMUTABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE WHEN NOT pg_is_in_recovery() THEN uidext_internal.uuid_safe_look() END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_safe_planned_look() IS
	'the look of when the statement was planned: IMMUTABLE, so that the planner calls it; NULL on a standby';

-- Not "all that it takes for running is running": what has failed in between
-- leaves no rows.
CREATE FUNCTION uidext_internal.uuid_safe_is_current(snapshot pg_snapshot) RETURNS bool
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	transaction xid8 := pg_snapshot_xmax(snapshot);
BEGIN
	IF EXISTS (SELECT FROM pg_snapshot_xip(snapshot) AS x (id) WHERE coalesce(pg_xact_status(x.id), 'committed') = 'committed') THEN
		RETURN false;
	END IF;
	WHILE coalesce(pg_xact_status(transaction), 'committed') <> 'committed' LOOP
		transaction := (transaction::text::numeric + 1)::text::xid8;
	END LOOP;
	RETURN false;
EXCEPTION WHEN invalid_parameter_value THEN
	-- none of those that have a number: the next is of the future
	RETURN true;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_safe_is_current(pg_snapshot) IS
	'whether no transaction has committed since a snapshot was taken';

-- In a setting, which anyone may change for his own session: not for functions
-- that run with the rights of others.  Names that begin with uidext belong to the
-- library, which the server may have loaded.
CREATE FUNCTION uidext_internal.uuid_safe_remembered_look() RETURNS uidext_internal.uuid_safe_look
	LANGUAGE sql STABLE
	RETURN CASE WHEN current_user = session_user THEN nullif(current_setting('uidext_internal.safe_look', true), '')::uidext_internal.uuid_safe_look END;
COMMENT ON FUNCTION uidext_internal.uuid_safe_remembered_look() IS
	'the last look of the session; NULL when there is none, and for another role than has logged in';

CREATE FUNCTION uidext_internal.uuid_safe_remember(look uidext_internal.uuid_safe_look) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF look.seen IS NOT NULL AND current_user = session_user THEN
		PERFORM set_config('uidext_internal.safe_look', look::text, false);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_safe_remember(uidext_internal.uuid_safe_look) IS
	'keeps a look for the session''s next call';

CREATE FUNCTION uidext_internal.uuid_safe_suits(look uidext_internal.uuid_safe_look, snapshot pg_snapshot) RETURNS bool
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN pg_snapshot_xmax(snapshot) >= pg_snapshot_xmax(look.seen)
		AND NOT EXISTS (SELECT FROM pg_snapshot_xip(snapshot) AS x (id) WHERE pg_visible_in_snapshot(x.id, look.seen));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_safe_suits(uidext_internal.uuid_safe_look, pg_snapshot) IS
	'whether a snapshot sees all that had ended at a look';

CREATE FUNCTION uidext_internal.uuid_safe_boundary(snapshot pg_snapshot, planned uidext_internal.uuid_safe_look) RETURNS uuid
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	remembered uidext_internal.uuid_safe_look;
	look uidext_internal.uuid_safe_look;
	earlier uuid;
BEGIN
	IF pg_is_in_recovery() THEN
		RAISE EXCEPTION 'recovery is in progress'
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'A standby does not know which transactions are open on the primary.',
				HINT = 'Call uuid_safe_boundary() on the primary.';
	END IF;

	remembered := uidext_internal.uuid_safe_remembered_look();
	look := uidext_internal.uuid_safe_look();
	PERFORM uidext_internal.uuid_safe_remember(look);
	IF uidext_internal.uuid_safe_is_current(snapshot) THEN
		RETURN look.boundary;
	END IF;
	earlier := greatest(
		CASE WHEN uidext_internal.uuid_safe_suits(remembered, snapshot) THEN remembered.boundary END,
		CASE WHEN uidext_internal.uuid_safe_suits(planned, snapshot) THEN planned.boundary END);
	IF earlier IS NOT NULL THEN
		-- no later than now, should the clock have been set back since that look
		RETURN least(earlier, look.boundary);
	END IF;
	RAISE EXCEPTION 'the snapshot is too old for uuid_safe_boundary()'
		USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'A transaction has ended since the snapshot was taken, and its rows would be missed.',
			HINT = 'Call it in a READ COMMITTED transaction, in a statement of its own, and read in the next.';
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_safe_boundary(pg_snapshot, uidext_internal.uuid_safe_look) IS
	'the newest boundary that is safe for a snapshot, of a look now and those of before; raises as uuid_safe_boundary()';

-- Inlined, so that the snapshot is that of the statement.
CREATE FUNCTION uuid_safe_boundary() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL UNSAFE
	RETURN uidext_internal.uuid_safe_boundary(pg_current_snapshot(), uidext_internal.uuid_safe_planned_look());
COMMENT ON FUNCTION uuid_safe_boundary() IS
	'boundary below which all ids that transactions of this server made of its clock and inserted themselves are there, seen, and no open transaction can add one; not for ids of _at, of a negative shift, or after a clock that was set back; nil UUID while one is prepared; raises 55000 on a standby, and for a snapshot that is too old';

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
-- One family of two classes, for which = of two uuids is core's own.  Joins and
-- aggregates of uuids hash by core's family uuid_ops all the same: the server
-- takes the family with the lowest OID.

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
	description text,
	service text,
	entity text,
	UNIQUE (service, entity)
);
COMMENT ON TABLE iuid_service_entities IS 'service entities of iUIDs; dumped with the database';
COMMENT ON COLUMN iuid_service_entities.id IS 'the id in the iUID, 0 to 255';
COMMENT ON COLUMN iuid_service_entities.name IS 'service and entity, such as WalletAccount; gen_iuid() looks here';
COMMENT ON COLUMN iuid_service_entities.description IS 'free text';
COMMENT ON COLUMN iuid_service_entities.service IS 'the service, such as Wallet; NULL if the name says enough';
COMMENT ON COLUMN iuid_service_entities.entity IS 'the entity in it, such as Account; NULL if the name says enough';

CREATE TABLE iuid_routes (
	country int NOT NULL CHECK (country BETWEEN 0 AND 255),
	service_entity int CHECK (service_entity BETWEEN 0 AND 255),
	node text NOT NULL,
	description text,
	region text,
	UNIQUE NULLS NOT DISTINCT (country, service_entity)
);

-- has no key without NULL, and may be published all the same
ALTER TABLE iuid_routes REPLICA IDENTITY FULL;
COMMENT ON TABLE iuid_routes IS 'which node serves which ids; dumped with the database';
COMMENT ON COLUMN iuid_routes.country IS 'country id, 0 to 255';
COMMENT ON COLUMN iuid_routes.service_entity IS 'service entity id, 0 to 255; NULL for any';
COMMENT ON COLUMN iuid_routes.node IS 'where the rows are: a host, a service name, a connection string';
COMMENT ON COLUMN iuid_routes.description IS 'free text';
COMMENT ON COLUMN iuid_routes.region IS 'the region of the node, such as sa-east-1; NULL where nobody asks';

SELECT pg_catalog.pg_extension_config_dump('iuid_countries', '');

SELECT pg_catalog.pg_extension_config_dump('iuid_service_entities', '');

SELECT pg_catalog.pg_extension_config_dump('iuid_routes', '');
GRANT SELECT ON iuid_countries, iuid_service_entities, iuid_routes TO PUBLIC;

-- a trusted extension's tables belong to the bootstrap superuser; not TO @extowner@, a role that may go
GRANT INSERT, UPDATE, DELETE, TRUNCATE ON iuid_countries, iuid_service_entities, iuid_routes
	TO pg_database_owner WITH GRANT OPTION;

CREATE FUNCTION iuid_route(id uuid) RETURNS iuid_routes
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT r.country, r.service_entity, r.node, r.description, r.region
	FROM iuid_routes r
	WHERE r.country = iuid_country(id)
		AND (r.service_entity = iuid_service_entity(id) OR r.service_entity IS NULL)
	ORDER BY r.service_entity NULLS LAST
	LIMIT 1;
END;
COMMENT ON FUNCTION iuid_route(uuid) IS
	'row of iuid_routes that serves an iUID, with node and region: that of its country and entity, else that of its country, else NULL; the one way to go by country in the SQL edition, where PARTITION BY HASH of an iuid is core''s own hash and knows no country';

CREATE TYPE iuid_info AS (
	"time" timestamptz,
	country int,
	country_code text,
	country_name text,
	service_entity int,
	service_entity_name text,
	service_entity_description text,
	node text,
	service text,
	entity text,
	region text
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
COMMENT ON COLUMN iuid_info.service IS 'its service in iuid_service_entities';
COMMENT ON COLUMN iuid_info.entity IS 'its entity in iuid_service_entities';
COMMENT ON COLUMN iuid_info.region IS 'region of iuid_route(id)';

CREATE FUNCTION iuid_describe(id uuid) RETURNS iuid_info
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT uuid_time(given.id), iuid_country(given.id), c.code, c.name,
		iuid_service_entity(given.id), e.name, e.description, r.node, e.service, e.entity, r.region
	FROM (SELECT iuid_describe.id) given
		CROSS JOIN LATERAL iuid_route(given.id) r
		LEFT JOIN iuid_countries c ON c.id = iuid_country(given.id)
		LEFT JOIN iuid_service_entities e ON e.id = iuid_service_entity(given.id)
	WHERE iuid_is_valid(given.id);
END;
COMMENT ON FUNCTION iuid_describe(uuid) IS
	'time, country, service entity, node and region of an iUID with the names of the registry; NULL for other ids';

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
	'a statement that makes the registry of another database, with the extension in the same schema, equal to the one here, whatever it holds';

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
	'adds the 249 countries of ISO 3166-1 to iuid_countries and returns how many were new; those whose ISO number is at most 255 have that for an id, the others one of ours, because an iUID has 8 bits for it: Kazakhstan, ISO 398, is 82; their ids never change; a list of your own is inserted into iuid_countries instead; raises 23505 when an id, code or name is taken by another country';

-- Citus, where it is: nothing here needs it

CREATE FUNCTION uidext_internal.uuid_citus_size(relation regclass, OUT is_distributed bool, OUT rows bigint, OUT bytes bigint)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	is_distributed := false;
	IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
		EXECUTE 'SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = $1)'
			INTO is_distributed USING relation;
	END IF;
	IF NOT is_distributed THEN
		RETURN;
	END IF;
	-- a shard that no node has counted yet leaves the rows unknown, a node that does not answer both; on the nodes
	-- the search_path is anybody's.  Citus's own sizes are refused where the transaction has changed a table, and
	-- what it has locked must not keep it waiting for ever
	EXECUTE 'SELECT CASE WHEN bool_and(n.success AND n.counts[1] IS NOT NULL) THEN sum(n.counts[1]) END,
			CASE WHEN bool_and(n.success) THEN sum(n.counts[2]) END
		FROM (SELECT success, CASE WHEN success THEN result::bigint[] END AS counts FROM pg_catalog.run_command_on_all_nodes($1)) n'
		INTO rows, bytes
		USING format('SELECT ARRAY[CASE WHEN count(*) = pg_catalog.count(s.rows) THEN coalesce(pg_catalog.sum(s.rows), 0) END,
				coalesce(pg_catalog.sum(s.bytes), 0)]
			FROM (
				SELECT pg_catalog.pg_total_relation_size(c.oid) AS bytes,
					CASE WHEN pg_catalog.pg_relation_size(c.oid) = 0 THEN 0
						ELSE coalesce(nullif(pg_catalog.pg_stat_get_live_tuples(c.oid), 0), nullif(c.reltuples, (-1)::real)::bigint)
					END AS rows
				FROM pg_catalog.pg_dist_shard d
					JOIN pg_catalog.pg_dist_placement p USING (shardid)
					JOIN pg_catalog.pg_dist_local_group g USING (groupid)
					JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(pg_catalog.shard_name(d.logicalrelid, d.shardid))::oid
				WHERE d.logicalrelid::oid = %L::regclass::oid AND pg_catalog.set_config(''lock_timeout'', ''1s'', true) IS NOT NULL
			) s', uidext_internal.uuid_partition_qualified(relation));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_citus_size(regclass) IS
	'whether Citus distributes a table, and then its rows, as its nodes last estimated them, and its bytes on all nodes; NULL while a node does not answer';

-- Partitions: what the functions of the following files share
--
-- Whoever changes a table is its owner, a superuser too, and all runs with the
-- caller's rights: what stands in predicates, defaults, checks and triggers of
-- a table runs as nobody but its owner.

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
-- What the server shows of the check has to be this, whole, for some scheme.
CREATE FUNCTION uidext_internal.uuid_partition_scheme(parent regclass, column_number smallint) RETURNS text
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
	SET quote_all_identifiers = off
BEGIN ATOMIC
	SELECT named.scheme
	FROM pg_catalog.pg_constraint c
		JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = column_number
		JOIN pg_catalog.pg_proc f ON f.oid = '@extschema@.uid_is_valid(bigint,text)'::regprocedure::oid
		JOIN pg_catalog.pg_namespace n ON n.oid = f.pronamespace
		CROSS JOIN LATERAL pg_get_expr(c.conbin, c.conrelid) shown(expression)
		CROSS JOIN LATERAL split_part(shown.expression, '''', -2) named(scheme)
	WHERE c.conrelid = parent::oid AND c.contype = 'c'
		AND shown.expression = pg_catalog.format(
			CASE a.atttypid WHEN 'bigint'::regtype::oid THEN '%I.%I(%I, %L::text)' ELSE '%I.%I((%I)::bigint, %L::text)' END,
			n.nspname, f.proname, a.attname, named.scheme)
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

CREATE FUNCTION uidext_internal.uuid_partition_key_hint(column_type regtype, otherwise text) RETURNS text
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT CASE WHEN EXISTS (SELECT FROM uidext_internal.base_types(column_type) t(type) WHERE t.type::oid = 'bigint'::regtype::oid)
		THEN 'A bigint column needs a check of its scheme, such as CHECK (uid_is_valid(id, ''snowflake'')).'
		ELSE otherwise
	END;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_key_hint(regtype, text) IS
	'the hint for a table whose key has no time: where that is a bigint, what it lacks';

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
				HINT = uidext_internal.uuid_partition_key_hint(column_type, 'Create it with PARTITION BY RANGE (id).');
	END IF;
	-- no id would ever meet the partitions
	PERFORM uidext_internal.uuid_partition_check_default(parent, column_number,
		'Make partitions for v6 and v13 by hand, with bounds of uuidv6_boundary(); v1 does not sort by time.');
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

CREATE FUNCTION uidext_internal.uuid_partition_check_default(relation regclass, column_number smallint, hint text) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF uidext_internal.uuid_partition_default_is_gregorian(relation, column_number) THEN
		RAISE EXCEPTION 'column "%" of table % holds UUIDv1, v6 or v13',
				(SELECT attname FROM pg_attribute WHERE attrelid = relation AND attnum = column_number), relation
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = 'Its default makes them, and their time is Gregorian.',
				HINT = hint;
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_default(regclass, smallint, text) IS
	'raises 22023 for a column whose default makes UUIDv1, v6 or v13';

CREATE TYPE uidext_internal.uuid_partition_period AS (
	partition regclass, from_id text, to_id text, from_time timestamptz, to_time timestamptz, detach_pending bool
);
COMMENT ON TYPE uidext_internal.uuid_partition_period IS
	'a range partition with its bounds as text and as times';
COMMENT ON COLUMN uidext_internal.uuid_partition_period.partition IS 'the partition, a leaf or partitioned itself';
COMMENT ON COLUMN uidext_internal.uuid_partition_period.from_id IS 'its lower bound; NULL for MINVALUE';
COMMENT ON COLUMN uidext_internal.uuid_partition_period.to_id IS 'its upper bound; NULL for MAXVALUE';
COMMENT ON COLUMN uidext_internal.uuid_partition_period.from_time IS 'the time of from_id, -infinity for NULL';
COMMENT ON COLUMN uidext_internal.uuid_partition_period.to_time IS 'the time of to_id, infinity for NULL';
COMMENT ON COLUMN uidext_internal.uuid_partition_period.detach_pending IS 'whether its detachment has begun and not ended';

-- What the server shows of a bound has to be this, whole.  A caller who has locked
-- the parent reads it once and passes it on: of thousands it takes a while.
CREATE FUNCTION uidext_internal.uuid_partition_ranges(parent regclass, layout text) RETURNS SETOF uidext_internal.uuid_partition_period
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass, id.lower, id.upper,
		coalesce(uidext_internal.uuid_partition_boundary_time(layout, id.lower), '-infinity'),
		coalesce(uidext_internal.uuid_partition_boundary_time(layout, id.upper), 'infinity'),
		i.inhdetachpending
	FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
		-- a bound has no columns; with the partition given the server would wait for a lock on it
		CROSS JOIN LATERAL pg_get_expr(c.relpartbound, 0::oid) shown(bound)
		CROSS JOIN LATERAL (SELECT
			CASE WHEN starts_with(shown.bound, 'FOR VALUES FROM (''') THEN split_part(shown.bound, '''', 2) END,
			CASE WHEN right(shown.bound, 2) = ''')' THEN split_part(shown.bound, '''', -2) END
		) id(lower, upper)
	WHERE i.inhparent = parent::oid
		AND shown.bound = pg_catalog.format('FOR VALUES FROM (%s) TO (%s)',
			coalesce(quote_literal(id.lower), 'MINVALUE'), coalesce(quote_literal(id.upper), 'MAXVALUE'));
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_ranges(regclass, text) IS
	'the range partitions of a parent; the default partition is not among them; raises as uuid_partition_boundary_time()';

CREATE FUNCTION uidext_internal.uuid_partition_check_owner(relation regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	owner name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = relation);
BEGIN
	IF owner IS NULL THEN
		RAISE EXCEPTION 'relation with OID % does not exist', relation::oid USING ERRCODE = 'undefined_table';
	END IF;
	IF owner <> current_user THEN
		RAISE EXCEPTION 'must be owner of table %', relation
			USING ERRCODE = 'insufficient_privilege',
				DETAIL = 'What its owner has put into it would run with your rights.',
				HINT = format('Connect as %1$I, or SET ROLE %1$I where you trust it.', owner);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_owner(regclass) IS
	'raises 42501 for callers who are not the owner of a table, superusers too, 42P01 for no table';

-- Of two callers at once the second waits here, and then finds the work of the
-- first.  The command changes nothing and takes SHARE UPDATE EXCLUSIVE; LOCK
-- wants rights that the owner of an append-only table has not.
CREATE FUNCTION uidext_internal.uuid_partition_lock(parent regclass) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM uidext_internal.uuid_partition_check_owner(parent);
	EXECUTE format('ALTER TABLE ONLY %s RESET (fillfactor)', parent);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_lock(regclass) IS
	'keeps others from changing a table''s partitions, not from reading and writing it; raises 42501 for callers who are not its owner, 42P01';

-- Nobody waits for upkeep.  What locks others out is tried again and again, each
-- time given up whole before anybody has waited for long: sooner than the server
-- would look for a deadlock, and end somebody's statement.

CREATE FUNCTION uidext_internal.uuid_partition_deadline() RETURNS timestamptz
	LANGUAGE sql VOLATILE
BEGIN ATOMIC
	SELECT clock_timestamp() + coalesce(nullif(s.setting::int, 0), 10000)::float8 * interval '1 ms' FROM pg_settings s WHERE s.name = 'lock_timeout';
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_deadline() IS
	'until when a call tries to get its locks: as long as lock_timeout says, else 10 seconds';

CREATE FUNCTION uidext_internal.uuid_partition_brief() RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM set_config('lock_timeout', greatest(1, least(100, setting::int / 10))::text, true) FROM pg_settings WHERE name = 'deadlock_timeout';
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_brief() IS
	'sets lock_timeout for one attempt, 100 ms or a tenth of deadlock_timeout for each of its locks; the caller''s SET clause ends that';

-- A vacuum of the server's own ends for who has waited as long as deadlock_timeout:
-- not for an attempt, but for this lock, for which nobody else has to wait.  Then
-- none begins, either.  The option is none that a table could have.
CREATE FUNCTION uidext_internal.uuid_partition_calm(partitions regclass[]) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '3s'
AS $$
DECLARE
	partition regclass;
BEGIN
	FOR partition IN SELECT c.oid FROM pg_class c WHERE c.oid = ANY (partitions) AND c.relkind = 'r' LOOP
		BEGIN
			EXECUTE format('ALTER TABLE %s RESET (uidext)', partition);
		EXCEPTION
			-- the attempt says what is in its way
			WHEN lock_not_available OR deadlock_detected THEN
				NULL;
			WHEN OTHERS THEN
				IF NOT uidext_internal.uuid_partition_goes_on(SQLSTATE) THEN
					RAISE;
				END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_calm(regclass[]) IS
	'ends vacuums of partitions and keeps new ones away; does nothing where that takes longer than 3 seconds';

-- What drop and maintain begin with: from now on nobody else changes the
-- partitions, and those that may go are not being vacuumed.
CREATE FUNCTION uidext_internal.uuid_partition_begin(parent regclass, layout text, old_until timestamptz, most int, dry_run bool)
	RETURNS uidext_internal.uuid_partition_period[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	periods uidext_internal.uuid_partition_period[];
BEGIN
	IF dry_run THEN
		PERFORM uidext_internal.uuid_partition_check_owner(parent);
	ELSE
		PERFORM uidext_internal.uuid_partition_lock(parent);
	END IF;
	periods := ARRAY(SELECT p FROM uidext_internal.uuid_partition_ranges(parent, layout) p);
	IF NOT dry_run THEN
		PERFORM uidext_internal.uuid_partition_calm(ARRAY(
			SELECT p.partition FROM unnest(periods) p WHERE p.to_time <= old_until ORDER BY p.from_time, p.to_time LIMIT most));
	END IF;
	RETURN periods;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_begin(regclass, text, timestamptz, int, bool) IS
	'the range partitions of a table, which stay as they are until the transaction ends, and so many of the oldest are calm, unless this is a dry run; raises 2201W for fewer than none, 42501 for callers who are not its owner, 42P01, and as uuid_partition_ranges()';

CREATE FUNCTION uidext_internal.uuid_partition_again(deadline timestamptz) RETURNS bool
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF clock_timestamp() >= deadline THEN
		RETURN false;
	END IF;
	PERFORM pg_sleep(0.2);
	RETURN true;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_again(timestamptz) IS
	'whether there is time for another attempt, after a pause in which others go first';

-- What concerns one partition must not keep the others; what concerns the
-- server, or whoever stops the call, ends it.
CREATE FUNCTION uidext_internal.uuid_partition_goes_on(code text) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN left(code, 2) NOT IN ('53', '57', '58', 'XX') AND code NOT IN ('55P03', '40P01');
COMMENT ON FUNCTION uidext_internal.uuid_partition_goes_on(text) IS
	'whether an SQLSTATE concerns one partition: no lack of resources, no stop, no failure of the server, no lock';

-- Everybody sees statistics; rows are for their owner, whose code a look may run.
CREATE FUNCTION uidext_internal.uuid_partition_may_look(partition regclass) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT coalesce(bool_and(pg_get_userbyid(c.relowner) = current_user AND has_schema_privilege(c.relnamespace, 'USAGE')
		AND has_table_privilege(c.oid, 'SELECT') AND NOT row_security_active(c.oid)), false)
	FROM pg_partition_tree(partition) t JOIN pg_catalog.pg_class c ON c.oid = t.relid::oid;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_may_look(regclass) IS
	'whether the caller owns a partition and sees every row of it';

CREATE FUNCTION uidext_internal.uuid_partition_edge(partition regclass, column_name name, from_id text, to_id text, newest bool) RETURNS text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	result text;
BEGIN
	IF num_nulls(column_name, newest) > 0 OR uidext_internal.uuid_partition_may_look(partition) IS NOT TRUE THEN
		RETURN NULL;
	END IF;
	EXECUTE format('SELECT %1$I FROM %2$s WHERE %3$s AND %4$s AND %1$I IS NOT NULL ORDER BY %1$I %5$s LIMIT 1', column_name, partition,
		coalesce(uidext_internal.uuid_partition_comparison(partition, column_name, '>=', from_id), 'true'),
		coalesce(uidext_internal.uuid_partition_comparison(partition, column_name, '<', to_id), 'true'),
		CASE WHEN newest THEN 'DESC' ELSE 'ASC' END)
		INTO result;
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_edge(regclass, name, text, text, bool) IS
	'least or greatest id of a partition between two bounds, NULL for none; NULL also when the caller may not look; raises 42703 for a column that is not there, 22P02 for bounds that are no ids';

-- A type with operators of its own is found with them whatever the search_path,
-- and whoever has put others of the same name beside the extension.
CREATE FUNCTION uidext_internal.uuid_partition_operators(type regtype) RETURNS name
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT coalesce((
		-- an operator class is where its operators are
		SELECT n.nspname
		FROM uidext_internal.base_types(type) t(type)
			JOIN pg_catalog.pg_opclass o ON o.opcintype = t.type::oid AND o.opcdefault
			JOIN pg_catalog.pg_am m ON m.oid = o.opcmethod AND m.amname = 'btree'
			JOIN pg_catalog.pg_namespace n ON n.oid = o.opcnamespace
	), 'pg_catalog');
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_operators(regtype) IS
	'the schema of the operators that order a type';

CREATE FUNCTION uidext_internal.uuid_partition_comparison(relation regclass, column_name name, operator text, id text) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('%I OPERATOR(%I.%s) %L', column_name, coalesce((
		SELECT uidext_internal.uuid_partition_operators(a.atttypid::regtype)
		FROM pg_catalog.pg_attribute a
		WHERE a.attrelid = relation::oid AND a.attname = column_name
	), 'pg_catalog'), operator, id);
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_comparison(regclass, name, text, text) IS
	'a condition that compares a column with an id by an operator of its type; NULL without an id';

CREATE FUNCTION uidext_internal.uuid_partition_suffix(from_time timestamptz, step interval, tz text) RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN to_char(from_time AT TIME ZONE tz, CASE
		-- begun by another time zone, it would have the name of the period before
		WHEN step = date_trunc('day', step) AND date_trunc('day', from_time AT TIME ZONE tz) AT TIME ZONE tz <> from_time THEN 'YYYY_MM_DD_HH24MI'
		WHEN step >= interval '1 year' AND step = date_trunc('year', step) THEN 'YYYY'
		WHEN step = date_trunc('month', step) THEN 'YYYY_MM'
		WHEN step = date_trunc('day', step) THEN 'YYYY_MM_DD'
		WHEN step = date_trunc('minute', step) THEN 'YYYY_MM_DD_HH24MI'
		ELSE 'YYYY_MM_DD_HH24MISS_MS'
	END);
COMMENT ON FUNCTION uidext_internal.uuid_partition_suffix(timestamptz, interval, text) IS
	'start of a period as the end of a partition''s name, as fine as the step and the start need: 2026, 2026_01, 2026_01_31, 2026_01_31_1200; raises 22023 and 22008';

-- Commands go by names, which lead elsewhere when somebody renames a schema, and a
-- snapshot may be older than what others have done to a table.
CREATE FUNCTION uidext_internal.uuid_partition_confirm(partition regclass, holds bool) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF holds IS NOT TRUE THEN
		RAISE EXCEPTION 'could not serialize access: partition % has changed', partition
			USING ERRCODE = 'serialization_failure', HINT = 'Call it again, in a new transaction.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_confirm(regclass, bool) IS
	'raises 40001 unless what has to hold of a table does';

-- A table beside the parent that can be attached to it, as PARTITION OF would
-- make it, but without a lock on the parent: with indexes, because those that
-- are missing would be built under the locks of ATTACH.
CREATE FUNCTION uidext_internal.uuid_partition_table(parent regclass, partition text, partition_key text, template regclass) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	storage text := 'PARTITION BY ' || partition_key;
	schema regnamespace := quote_ident((parse_ident(partition))[1]);
	made regclass;
BEGIN
	IF num_nulls(parent, partition) > 0 THEN
		RAISE EXCEPTION 'parent and partition may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF storage IS NULL THEN
		SELECT concat_ws(' ', 'USING ' || quote_ident(a.amname), 'TABLESPACE ' || quote_ident(t.spcname)) INTO storage
		FROM pg_class c
			LEFT JOIN pg_am a ON a.oid = c.relam
			LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace
		WHERE c.oid = coalesce(template, parent);
	END IF;
	EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY) %s',
		partition, CASE WHEN partition_key IS NULL THEN coalesce(template, parent) ELSE parent END, storage);
	-- a schema that is renamed meanwhile may have another table of this name, somebody else's or older than this transaction
	made := partition;
	PERFORM uidext_internal.uuid_partition_check_owner(made);
	PERFORM uidext_internal.uuid_partition_confirm(made,
		EXISTS (SELECT FROM pg_class WHERE oid = made AND relnamespace = schema AND age(xmin) <= 0));
	RETURN made;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_table(regclass, text, text, regclass) IS
	'makes a table of a qualified and quoted name like the parent or a template, ready to be attached to the parent, partitioned itself unless its key is NULL; raises 22004, 40001 where the name has come to be another table''s, and what the server does';

CREATE FUNCTION uidext_internal.uuid_partition_attach(parent regclass, partition regclass, bound text) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bound);
	PERFORM uidext_internal.uuid_partition_confirm(partition,
		EXISTS (SELECT FROM pg_inherits WHERE inhrelid = partition AND inhparent = parent));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_attach(regclass, regclass, text) IS
	'attaches a table to a parent with a bound as pg_get_expr(relpartbound) shows it; raises 40001 where their names have come to be other tables'', and what the server does';

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

-- For a command that runs where the search_path is anybody's, or after a change of name.
CREATE FUNCTION uidext_internal.uuid_partition_qualified(relation regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('%I.%I', n.nspname, c.relname)
	FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_qualified(regclass) IS
	'qualified and quoted name of a table, whatever the search_path; NULL when it is not there';

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

-- A set of them at once: for each by itself the server might read all of its catalog.
CREATE FUNCTION uidext_internal.uuid_partition_sizes(partitions regclass[], OUT partition regclass, OUT rows bigint, OUT bytes bigint) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.oid::regclass,
		CASE WHEN pg_catalog.count(leaf.relid) = pg_catalog.count(size.rows) THEN coalesce(sum(size.rows), 0)::bigint END,
		CASE WHEN pg_catalog.count(leaf.relid) = pg_catalog.count(size.bytes) THEN coalesce(sum(size.bytes), 0)::bigint END
	FROM pg_catalog.pg_class p
		LEFT JOIN LATERAL (
			SELECT p.oid WHERE p.relkind <> 'p'
			UNION ALL
			SELECT t.relid::oid FROM pg_partition_tree(CASE p.relkind WHEN 'p' THEN p.oid::regclass END) t WHERE t.isleaf
		) leaf(relid) ON true
		LEFT JOIN pg_catalog.pg_class c ON c.oid = leaf.relid
		LEFT JOIN LATERAL uidext_internal.uuid_citus_size(
			CASE WHEN (SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL) THEN c.oid::regclass END) d ON true
		LEFT JOIN LATERAL (SELECT
			CASE WHEN d.is_distributed THEN d.rows
				WHEN c.relkind <> 'f' AND pg_relation_size(c.oid::regclass) = 0 THEN 0
				ELSE coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), nullif(c.reltuples, (-1)::real)::bigint)
			END,
			CASE WHEN d.is_distributed THEN d.bytes ELSE pg_total_relation_size(c.oid::regclass) END
		) size(rows, bytes) ON true
	WHERE p.oid = ANY (partitions::oid[])
	GROUP BY p.oid;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_sizes(regclass[]) IS
	'rows of partitions as last estimated (NULL when they never were) and bytes with indexes and TOAST, sub-partitions included; both NULL while a node of Citus does not answer';

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
--
-- CREATE TABLE (LIKE template INCLUDING ALL) does most of it; here is what LIKE
-- leaves out and belongs to each table.  Triggers and policies are the parent's.

CREATE FUNCTION uidext_internal.uuid_partition_check_template(parent regclass, template regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	wrong record;
BEGIN
	IF NOT EXISTS (SELECT FROM pg_class WHERE oid = template AND relkind = 'r') THEN
		RAISE EXCEPTION 'template % is not an ordinary table', template
			USING ERRCODE = 'wrong_object_type',
				HINT = 'Take a partition, or an empty table that was made LIKE the partitioned one.';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_owner(template);
	-- or its grants would give more than it does
	IF (SELECT relrowsecurity FROM pg_class WHERE oid = template) THEN
		RAISE EXCEPTION 'template % has row level security', template
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'Policies are those of the partitioned table: take a template without.';
	END IF;
	SELECT coalesce(t.attname, p.attname) AS attname,
		format_type(t.atttypid, t.atttypmod) || CASE WHEN t.attgenerated <> '' THEN ' GENERATED ALWAYS' ELSE '' END AS type
	INTO wrong
	FROM (SELECT * FROM pg_attribute WHERE attrelid = template AND attnum > 0 AND NOT attisdropped) t
		FULL JOIN (SELECT * FROM pg_attribute WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped) p
			ON (p.attname, p.atttypid, p.atttypmod, p.attcollation, p.attgenerated)
				= (t.attname, t.atttypid, t.atttypmod, t.attcollation, t.attgenerated)
	WHERE p.attname IS NULL OR t.attname IS NULL
	ORDER BY t.attnum NULLS LAST, p.attnum
	LIMIT 1;
	IF wrong.type IS NOT NULL THEN
		RAISE EXCEPTION 'template % has a column "%" of type %, table % has none', template, wrong.attname, wrong.type, parent
			USING ERRCODE = 'datatype_mismatch';
	ELSIF wrong.attname IS NOT NULL THEN
		RAISE EXCEPTION 'template % lacks column "%" of table %', template, wrong.attname, parent
			USING ERRCODE = 'datatype_mismatch', HINT = 'ALTER TABLE ... ADD COLUMN, or take a partition as the template.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_template(regclass, regclass) IS
	'an error 55000 for a template with row level security; raises 42809 for one that is no ordinary table, 42501 for one of another owner, 42804 for columns that are not the parent''s';

-- Before rows come: what decides how they are stored.
CREATE FUNCTION uidext_internal.uuid_partition_storage_commands(partition regclass, template regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('ALTER TABLE %s SET (%s%I = %L)', partition, o.namespace, split_part(o.option, '=', 1), substr(o.option, strpos(o.option, '=') + 1))
	FROM (
		SELECT '' AS namespace, pg_catalog.unnest(c.reloptions) AS option FROM pg_catalog.pg_class c WHERE c.oid = template::oid
		UNION ALL
		SELECT 'toast.', pg_catalog.unnest(t.reloptions) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_class t ON t.oid = c.reltoastrelid
		WHERE c.oid = template::oid
	) o
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s ALTER COLUMN %I SET %s', partition, a.attname, s.setting)
	FROM pg_catalog.pg_attribute a CROSS JOIN LATERAL (
		SELECT 'STATISTICS ' || a.attstattarget::text WHERE a.attstattarget >= 0
		UNION ALL
		-- the two that people set; a server may keep others there
		SELECT pg_catalog.format('(%I = %L)', split_part(o.option, '=', 1), split_part(o.option, '=', 2)) FROM pg_catalog.unnest(a.attoptions) o(option)
		WHERE split_part(o.option, '=', 1) IN ('n_distinct', 'n_distinct_inherited')
	) s(setting)
	WHERE a.attrelid = template::oid AND a.attnum > 0 AND NOT a.attisdropped;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_storage_commands(regclass, regclass) IS
	'commands that give a new partition the storage parameters and statistics targets of a template';

-- What decides who does what with them, default privileges taken back.  LIKE makes
-- the indexes in their order.
CREATE FUNCTION uidext_internal.uuid_partition_access_commands(partition regclass, template regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT DISTINCT pg_catalog.format('REVOKE ALL ON %s FROM %s', partition, CASE a.grantee WHEN 0::oid THEN 'PUBLIC' ELSE quote_ident(r.rolname::text) END)
	FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
	WHERE c.oid = partition::oid AND a.grantee <> c.relowner AND (a.grantee = 0::oid OR r.oid IS NOT NULL)
	UNION ALL
	SELECT pg_catalog.format('GRANT %s%s ON %s TO %s%s', a.privilege_type, '(' || quote_ident(g.attname::text) || ')', partition,
		CASE a.grantee WHEN 0::oid THEN 'PUBLIC' ELSE quote_ident(r.rolname::text) END, CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
	FROM (
		SELECT c.relowner, NULL::name AS attname, c.relacl AS acl FROM pg_catalog.pg_class c WHERE c.oid = template::oid
		UNION ALL
		SELECT c.relowner, t.attname, t.attacl FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid
		WHERE c.oid = template::oid
	) g CROSS JOIN LATERAL aclexplode(g.acl) a LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
	WHERE a.grantee <> g.relowner AND (a.grantee = 0::oid OR r.oid IS NOT NULL)
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s REPLICA IDENTITY %s', partition, CASE c.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END)
	FROM pg_catalog.pg_class c
	WHERE c.oid = template::oid AND c.relreplident IN ('f', 'n')
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s REPLICA IDENTITY USING INDEX %I', partition, i.relname)
	FROM pg_catalog.pg_index t
		JOIN pg_catalog.pg_index x ON x.indrelid = partition::oid
			AND (SELECT count(*) FROM pg_catalog.pg_index y WHERE y.indrelid = x.indrelid AND y.indexrelid < x.indexrelid)
				= (SELECT count(*) FROM pg_catalog.pg_index y WHERE y.indrelid = t.indrelid AND y.indexrelid < t.indexrelid)
		JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
	WHERE t.indrelid = template::oid AND t.indisreplident;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_access_commands(regclass, regclass) IS
	'commands that give a new partition the grants and the replica identity of a template, before more indexes come to it';

CREATE FUNCTION uidext_internal.uuid_partition_run(commands text[]) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	command text;
BEGIN
	FOREACH command IN ARRAY commands LOOP
		EXECUTE command;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_run(text[]) IS
	'runs commands, one after the other; raises what they raise';

-- Countries are the same in every month; days are not.
CREATE FUNCTION uidext_internal.uuid_partition_check_neighbour(parent regclass, neighbour regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	divided regclass := (
		WITH RECURSIVE beneath(oid) AS (
			SELECT neighbour::oid
			UNION ALL
			SELECT i.inhrelid FROM beneath b JOIN pg_inherits i ON i.inhparent = b.oid
		)
		SELECT d.partrelid
		FROM beneath b
			JOIN pg_partitioned_table d ON d.partrelid = b.oid AND d.partstrat = 'r'
			JOIN pg_attribute a ON a.attrelid = d.partrelid AND a.attnum = ANY (d.partattrs)
			JOIN pg_partitioned_table p ON p.partrelid = parent
			JOIN pg_attribute k ON k.attrelid = p.partrelid AND k.attnum = p.partattrs[0] AND k.attname = a.attname
		-- a default partition alone holds all time
		WHERE d.partdefid = 0 OR EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = d.partrelid AND i.inhrelid <> d.partdefid)
		LIMIT 1);
BEGIN
	IF divided IS NOT NULL THEN
		RAISE EXCEPTION 'partition % is partitioned by range of the same column', divided
			USING ERRCODE = 'feature_not_supported',
				DETAIL = 'New partitions are like their neighbours, and what is beneath this one holds its own time alone.',
				HINT = 'Make the period by hand, and what is beneath it by uuid_partition_create().';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_neighbour(regclass, regclass) IS
	'raises 0A000 for a neighbour that is divided by the column that divides the table, into periods that are not those of a new partition';

-- A partition beneath a partitioned neighbour's is partitioned like it.
CREATE FUNCTION uidext_internal.uuid_partition_like(parent regclass, partition text, template regclass, neighbour regclass) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	made regclass;
	beneath record;
BEGIN
	IF (SELECT relkind FROM pg_class WHERE oid = neighbour) IS DISTINCT FROM 'p' THEN
		made := uidext_internal.uuid_partition_table(parent, partition, NULL::text, template);
		PERFORM uidext_internal.uuid_partition_run(ARRAY(
			SELECT uidext_internal.uuid_partition_storage_commands(made, template)
			UNION ALL
			SELECT uidext_internal.uuid_partition_access_commands(made, template)));
		RETURN made;
	END IF;

	made := uidext_internal.uuid_partition_table(parent, partition, pg_get_partkeydef(neighbour), NULL::regclass);
	FOR beneath IN
		SELECT c.oid::regclass AS partition, c.relkind, pg_get_expr(c.relpartbound, 0::oid) AS bound,
			CASE WHEN starts_with(c.relname, n.relname || '_') THEN substr(c.relname, length(n.relname) + 2) ELSE c.relname END AS suffix
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class n ON n.oid = i.inhparent
		WHERE i.inhparent = neighbour
		ORDER BY c.relname
	LOOP
		IF beneath.relkind = 'f' THEN
			RAISE EXCEPTION 'partition % is a foreign table', beneath.partition
				USING ERRCODE = 'feature_not_supported',
					DETAIL = 'New partitions are like their neighbours, and this one is on another server.',
					HINT = 'Make the period there, and here by iuid_partition_create() or by hand.';
		END IF;
		PERFORM uidext_internal.uuid_partition_attach(made, uidext_internal.uuid_partition_like(made,
			uidext_internal.uuid_partition_name(made, beneath.suffix), template, beneath.partition), beneath.bound);
	END LOOP;
	RETURN made;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_like(regclass, text, regclass, regclass) IS
	'makes a table like the parent, or a template, and partitioned as a neighbour is, and returns it; 0A000 where a partition of the neighbour is a foreign table; raises as uuid_partition_table()';

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
	-- and a midnight that the clocks leave out is 01:00, and begins the day all the same
	local_start timestamp := CASE WHEN date_trunc('day', start AT TIME ZONE tz) AT TIME ZONE tz = start
		THEN date_trunc('day', start AT TIME ZONE tz) ELSE start AT TIME ZONE tz END;
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

CREATE FUNCTION uidext_internal.uuid_partition_steps(start timestamptz, stop timestamptz, step interval) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN isfinite(start) AND isfinite(stop) AND step > '0'
		THEN date_part(text 'epoch', stop - start) / date_part(text 'epoch', step)
		ELSE 0
	END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_steps(timestamptz, timestamptz, interval) IS
	'about how many steps lead from a time to another; 0 where that cannot be said';

-- '2023-12-01' means 18:00 of the day before in UTC where it was typed in Almaty.
CREATE FUNCTION uidext_internal.uuid_partition_check_start(start timestamptz, stop timestamptz, step interval, tz text) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF step >= interval '1 day' AND date_trunc('day', start AT TIME ZONE tz) AT TIME ZONE tz <> start AND isfinite(start) THEN
		RAISE EXCEPTION 'start is no midnight in time zone "%"', tz
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('It is %s in "%s", and %s in "%s", the session''s.', start AT TIME ZONE tz, tz,
					start AT TIME ZONE current_setting('TimeZone'), current_setting('TimeZone')),
				HINT = 'Write the zone with the time (''2026-01-01 00:00+00''), or give tz.';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_number(uidext_internal.uuid_partition_steps(start, stop, step));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_start(timestamptz, timestamptz, interval, text) IS
	'raises 22023 for a start that is no midnight where the step is a day or longer, and for more than 10,000 steps';

CREATE FUNCTION uidext_internal.uuid_partition_check_number(partitions float8) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF partitions > 10000 THEN
		RAISE EXCEPTION 'that would be more than 10,000 partitions'
			USING ERRCODE = 'invalid_parameter_value', HINT = 'Take a longer step, or make them in several calls.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_number(float8) IS
	'raises 22023 for more than 10,000';

-- New partitions are like the newest.
CREATE FUNCTION uidext_internal.uuid_partition_newest(parent regclass, layout text) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partition FROM uidext_internal.uuid_partition_ranges(parent, layout) p
	WHERE NOT p.detach_pending
	ORDER BY p.from_time DESC
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_newest(regclass, text) IS
	'the range partition that begins last, or NULL';

CREATE FUNCTION uidext_internal.uuid_partition_make(
	parent regclass, layout text, from_time timestamptz, to_time timestamptz, suffix text, template regclass, neighbour regclass
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
	PERFORM uidext_internal.uuid_partition_check_neighbour(parent, neighbour);
	-- made apart and then attached, which leaves the parent open for reading and writing
	partition := uidext_internal.uuid_partition_like(parent, uidext_internal.uuid_partition_name(parent, suffix), template, neighbour);
	PERFORM uidext_internal.uuid_partition_attach(parent, partition, bound);
	RETURN partition;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_make(regclass, text, timestamptz, timestamptz, text, regclass, regclass) IS
	'makes the partition of one period, like a template and a neighbour unless these are NULL, and returns it; raises as uuid_partition_create()';

CREATE FUNCTION uidext_internal.uuid_partition_create_once(
	parent regclass, layout text, start timestamptz, stop timestamptz, step interval, tz text, template regclass
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '200ms'
AS $$
DECLARE
	neighbour regclass := uidext_internal.uuid_partition_newest(parent, layout);
	missing record;
BEGIN
	PERFORM uidext_internal.uuid_partition_brief();
	FOR missing IN
		SELECT b.from_time, b.to_time
		FROM @extschema@.uuid_partition_bounds(start, stop, step, tz) b
			LEFT JOIN uidext_internal.uuid_partition_ranges(parent, layout) p ON NOT p.detach_pending
				AND p.from_id = uidext_internal.uuid_partition_boundary(layout, b.from_time)
				AND p.to_id = uidext_internal.uuid_partition_boundary(layout, b.to_time)
		WHERE p.partition IS NULL
		ORDER BY b.from_time
	LOOP
		RETURN NEXT uidext_internal.uuid_partition_make(parent, layout, missing.from_time, missing.to_time,
			uidext_internal.uuid_partition_suffix(missing.from_time, step, tz), template, neighbour);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_create_once(regclass, text, timestamptz, timestamptz, interval, text, regclass) IS
	'one attempt of uuid_partition_create(), with 55P03 when others keep it waiting';

CREATE FUNCTION uuid_partition_create(
	parent regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC', template regclass DEFAULT NULL
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	deadline timestamptz := uidext_internal.uuid_partition_deadline();
BEGIN
	IF num_nulls(parent, start, stop, step, tz) > 0 THEN
		RAISE EXCEPTION 'no argument but template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	key := uidext_internal.uuid_partition_key(parent);
	PERFORM uidext_internal.uuid_partition_check_start(start, stop, step, tz);
	PERFORM uidext_internal.uuid_partition_lock(parent);
	PERFORM uidext_internal.uuid_partition_check_template(parent, template);
	LOOP
		BEGIN
			RETURN QUERY SELECT * FROM uidext_internal.uuid_partition_create_once(parent, key.layout, start, stop, step, tz, template);
			RETURN;
		EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
			IF NOT uidext_internal.uuid_partition_again(deadline) THEN
				RAISE;
			END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_create(regclass, timestamptz, timestamptz, interval, text, regclass) IS
	'makes the missing range partitions of one step from start until stop and returns them; they are like a template and the newest partition; 55P03 when others keep it waiting; raises 42809 for a table that is not partitioned by range on one uuid column, 42501 for callers who are not its owner, 22023 for more than 10,000 partitions, or a step of days or longer from a start that is no midnight in tz, 22008 for times that no id holds';

-- Partitions: overview
--
-- For everyone: of rows the owner alone is told, whose code a look may run.

CREATE FUNCTION uuid_partition_list(
	parent regclass,
	OUT partition regclass, OUT kind text, OUT from_time timestamptz, OUT to_time timestamptz,
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
		FROM key k, uidext_internal.uuid_partition_ranges(parent, k.layout) p
		WINDOW w AS (ORDER BY p.from_time, p.to_time)
	), size AS (
		SELECT s.*
		FROM key k, uidext_internal.uuid_partition_sizes(ARRAY(SELECT p.partition FROM period p UNION ALL SELECT k.default_partition)) s
	)
	SELECT line.*
	FROM (
		SELECT p.partition, 'partition', p.from_time, p.to_time, s.rows, s.bytes, CASE WHEN p.detach_pending THEN 'detach pending' END
		FROM period p JOIN size s ON s.partition::oid = p.partition::oid
		UNION ALL
		SELECT NULL, 'gap', p.previous_time, p.from_time, 0, 0,
			CASE WHEN uidext_internal.uuid_partition_may_look(k.default_partition) IS FALSE
				THEN 'default partition not looked into'
				WHEN uidext_internal.uuid_partition_edge(k.default_partition, k.column_name, p.previous_id, p.from_id, false) IS NOT NULL
				THEN 'rows in the default partition'
			END
		FROM key k, period p
		WHERE p.previous_id <> p.from_id
		UNION ALL
		SELECT k.default_partition, 'default',
			uidext_internal.uuid_partition_boundary_time(k.layout,
				uidext_internal.uuid_partition_edge(k.default_partition, k.column_name, NULL::text, NULL::text, false)),
			uidext_internal.uuid_partition_boundary_time(k.layout,
				uidext_internal.uuid_partition_edge(k.default_partition, k.column_name, NULL::text, NULL::text, true)),
			s.rows, s.bytes, CASE WHEN NOT uidext_internal.uuid_partition_may_look(k.default_partition) THEN 'not looked into' END
		FROM key k JOIN size s ON s.partition::oid = k.default_partition::oid
	) line(partition, kind, from_time, to_time, rows, bytes, note)
	ORDER BY line.kind = 'default', line.from_time, line.to_time;
END;
COMMENT ON FUNCTION uuid_partition_list(regclass) IS
	'the range partitions in the order of time with estimated rows and bytes, the gaps between them, and the default partition; kind is partition, gap or default; for its owner with the times of the default partition''s first and last id; reads only catalogs and statistics for others, and says so; raises 42809 as uuid_partition_create()';

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

-- Detached first, because then foreign keys to the parent are checked rather
-- than in the way.
CREATE FUNCTION uidext_internal.uuid_partition_remove(parent regclass, partition regclass, detach_only bool) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- an older snapshot may show a row twice: as it was, and as this transaction has changed it since
	kind text := (SELECT DISTINCT CASE relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END FROM pg_class WHERE oid = partition);
BEGIN
	IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = partition AND inhparent = parent AND inhdetachpending) THEN
		RAISE EXCEPTION 'partition % waits to be detached', partition
			USING ERRCODE = 'object_in_use',
				HINT = format('Unless a session is at it: ALTER TABLE %s DETACH PARTITION %s FINALIZE', parent, partition);
	END IF;
	-- what is no longer there cannot be detached
	PERFORM uidext_internal.uuid_partition_confirm(partition,
		EXISTS (SELECT FROM pg_partition_ancestors(partition) a WHERE a.relid = parent));
	EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, partition);
	-- A snapshot shows a row as it was while others have changed it since: bounds, which
	-- it then knows of before, too.  What this transaction alone has changed it shows as
	-- it is, and that is a partition no longer.
	PERFORM uidext_internal.uuid_partition_confirm(partition,
		NOT EXISTS (SELECT FROM pg_class WHERE oid = partition AND relispartition));
	IF NOT detach_only THEN
		EXECUTE format('DROP %s %s', kind, partition);
		PERFORM uidext_internal.uuid_partition_confirm(partition, NOT EXISTS (SELECT FROM pg_class WHERE oid = partition));
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_remove(regclass, regclass, bool) IS
	'drops one partition, or only detaches it; 55006 where that has begun, 40001 where others have changed it since the transaction''s snapshot; raises what the server does';

CREATE FUNCTION uidext_internal.uuid_partition_drop_once(
	parent regclass, old uidext_internal.uuid_partition_period[], detach_only bool, dry_run bool,
	OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint, OUT bytes bigint
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '200ms'
AS $$
DECLARE
	period record;
BEGIN
	PERFORM uidext_internal.uuid_partition_brief();
	FOR period IN
		SELECT p.partition, p.from_time, p.to_time, s.rows, s.bytes
		FROM unnest(old) p JOIN uidext_internal.uuid_partition_sizes(ARRAY(SELECT o.partition FROM unnest(old) o)) s ON s.partition = p.partition
		ORDER BY p.from_time, p.to_time
	LOOP
		partition := period.partition::text;
		from_time := period.from_time;
		to_time := period.to_time;
		rows := period.rows;
		bytes := period.bytes;
		IF NOT dry_run THEN
			PERFORM uidext_internal.uuid_partition_remove(parent, period.partition, detach_only);
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_drop_once(regclass, uidext_internal.uuid_partition_period[], bool, bool) IS
	'one attempt of uuid_partition_drop(), with 55P03 when others keep it waiting';

CREATE FUNCTION uuid_partition_drop(
	parent regclass, older_than timestamptz, detach_only bool DEFAULT false, dry_run bool DEFAULT false,
	OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint, OUT bytes bigint
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	periods uidext_internal.uuid_partition_period[];
	deadline timestamptz := uidext_internal.uuid_partition_deadline();
BEGIN
	IF num_nulls(parent, older_than, detach_only, dry_run) > 0 THEN
		RAISE EXCEPTION 'no argument may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_age(older_than);
	periods := uidext_internal.uuid_partition_begin(parent, (uidext_internal.uuid_partition_key(parent)).layout, older_than, NULL::int, dry_run);
	LOOP
		BEGIN
			FOR partition, from_time, to_time, rows, bytes IN
				SELECT * FROM uidext_internal.uuid_partition_drop_once(parent,
					ARRAY(SELECT p FROM unnest(periods) p WHERE p.to_time <= older_than), detach_only, dry_run)
			LOOP
				IF NOT dry_run THEN
					RAISE LOG 'partition % of table % is % unless this is rolled back', partition, parent, CASE WHEN detach_only THEN 'detached' ELSE 'dropped' END;
				END IF;
				RETURN NEXT;
			END LOOP;
			RETURN;
		EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
			IF NOT uidext_internal.uuid_partition_again(deadline) THEN
				RAISE;
			END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_drop(regclass, timestamptz, bool, bool) IS
	'drops the range partitions that end at or before a time, or only detaches them, and returns what went, or with dry_run what would go; never the default partition; 55006 for one that waits to be detached, 40001 for one that others have changed since the transaction''s snapshot, 55P03 when others keep it waiting; raises 22023 for a time in the future, 42501 for callers who are not the owner';

-- Partitions: maintenance in one call

-- What there is no partition for yet, gap by gap, because the partitions that
-- are there may be of any length.
CREATE FUNCTION uidext_internal.uuid_partition_missing(
	periods uidext_internal.uuid_partition_period[], step interval, ahead int, kept_since timestamptz, tz text,
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
	FROM unnest(periods) p
	WHERE p.from_time <= now() AND p.to_time > now();
	IF NOT FOUND THEN
		-- after a long outage nothing is made that would be dropped at once
		SELECT CASE WHEN count(*) = 0 THEN uidext_internal.uuid_partition_origin(now(), step, tz)
				ELSE greatest(max(p.to_time), uidext_internal.uuid_partition_origin(kept_since, step, tz)) END
		INTO covered
		FROM unnest(periods) p
		WHERE p.to_time <= now();
		PERFORM uidext_internal.uuid_partition_check_number(uidext_internal.uuid_partition_steps(covered, now(), step));
		SELECT max(b.to_time) INTO target
		FROM @extschema@.uuid_partition_bounds(covered, now() + interval '1 microsecond', step, tz) b;
	END IF;
	target := uidext_internal.uuid_partition_add(target, step * ahead, tz);
	PERFORM uidext_internal.uuid_partition_check_number(uidext_internal.uuid_partition_steps(covered, target, step));

	-- what does not fit before the next partition is cut short
	RETURN QUERY
		WITH gap AS (
			SELECT coalesce(lag(p.to_time) OVER w, covered) AS start, p.from_time AS stop
			FROM unnest(periods) p
			WHERE p.to_time > covered
			WINDOW w AS (ORDER BY p.from_time, p.to_time)
			UNION ALL
			SELECT greatest(max(p.to_time), covered), 'infinity'
			FROM unnest(periods) p
		)
		SELECT b.from_time, least(b.to_time, g.stop),
			uidext_internal.uuid_partition_suffix(b.from_time, CASE WHEN b.to_time > g.stop THEN g.stop - b.from_time ELSE step END, tz)
		FROM gap g,
			@extschema@.uuid_partition_bounds(g.start, CASE WHEN g.start < least(g.stop, target) THEN least(g.stop, target) END, step, tz) b
		ORDER BY b.from_time;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_missing(uidext_internal.uuid_partition_period[], interval, int, timestamptz, text) IS
	'the periods that uuid_partition_maintain() makes partitions for, with the ends of their names; raises as uuid_partition_bounds()';

CREATE FUNCTION uidext_internal.uuid_partition_warn(parent regclass, partition text, action text, problem text) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- by the SQLSTATE, because the words are in the language of the server
	hint text := CASE left(problem, 5)
		WHEN '23514' THEN 'uuid_partition_drain() brings rows out of the default partition.'
		WHEN '23503' THEN 'Rows to which a foreign key refers cannot leave while it is there.'
		WHEN '55006' THEN format('Unless a session is at it: ALTER TABLE %s DETACH PARTITION %s FINALIZE', parent, partition)
	END;
BEGIN
	IF hint IS NULL
		OR starts_with(problem, '23514') AND uidext_internal.uuid_partition_default(parent) IS NULL
		OR starts_with(problem, '55006')
			AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(partition) AND inhparent = parent AND inhdetachpending)
	THEN
		RAISE WARNING 'partition % is %', partition, action USING DETAIL = problem;
	ELSE
		RAISE WARNING 'partition % is %', partition, action USING DETAIL = problem, HINT = hint;
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_warn(regclass, text, text, text) IS
	'warns of what uuid_partition_maintain() could not do with a table, or uuid_partition_drain(), which gives no table';

-- One after the other, each for itself: what cannot go does not keep the rest.  Those
-- of a backlog take their turn, because whoever drops them holds all their locks.
CREATE FUNCTION uidext_internal.uuid_partition_retire(
	parent regclass, old uidext_internal.uuid_partition_period[], detach_only bool, most int, obstacle text, dry_run bool,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	period record;
	tables bigint := 0;
	size bigint;
BEGIN
	FOR period IN
		SELECT p.*, p.partition::text AS name
		FROM unnest(old) p
		ORDER BY p.from_time, p.to_time
	LOOP
		EXIT WHEN tables >= most;
		action := CASE WHEN detach_only THEN 'detached' ELSE 'dropped' END;
		partition := period.name;
		from_time := period.from_time;
		to_time := period.to_time;
		problem := obstacle;
		BEGIN
			-- pg_partition_tree() would lock them, and wait
			size := (
				WITH RECURSIVE beneath(oid) AS (
					SELECT period.partition::oid
					UNION ALL
					SELECT i.inhrelid FROM beneath b JOIN pg_inherits i ON i.inhparent = b.oid
				)
				SELECT count(*) FROM beneath);
			IF obstacle IS NULL AND NOT dry_run THEN
				PERFORM uidext_internal.uuid_partition_remove(parent, period.partition, detach_only);
			END IF;
			-- not of what cannot go, which keeps no locks
			tables := tables + size;
		EXCEPTION WHEN OTHERS THEN
			IF NOT uidext_internal.uuid_partition_goes_on(SQLSTATE) THEN
				RAISE;
			END IF;
			problem := SQLSTATE || ': ' || SQLERRM;
		END;
		action := CASE WHEN problem IS NOT NULL THEN 'not ' WHEN dry_run THEN 'to be ' ELSE '' END || action;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_retire(regclass, uidext_internal.uuid_partition_period[], bool, int, text, bool) IS
	'drops or detaches some partitions, the oldest first, until these were so many tables, and says of each whether it went, or of an obstacle that keeps them all; raises what concerns more than a partition';

-- The one that new partitions are partitioned like stays until there are some.
CREATE FUNCTION uidext_internal.uuid_partition_old(
	periods uidext_internal.uuid_partition_period[], kept_since timestamptz, template regclass
) RETURNS uidext_internal.uuid_partition_period[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	neighbour regclass := (SELECT p.partition FROM unnest(periods) p WHERE NOT p.detach_pending ORDER BY p.from_time DESC LIMIT 1);
	is_divided bool := EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = neighbour);
BEGIN
	RETURN ARRAY(
		SELECT p FROM unnest(periods) p
		WHERE p.to_time <= kept_since AND p.partition IS DISTINCT FROM template AND NOT (is_divided AND p.partition = neighbour));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_old(uidext_internal.uuid_partition_period[], timestamptz, regclass) IS
	'of some partitions those that end at or before a time, but for a template, and for the newest if it is partitioned itself';

CREATE FUNCTION uidext_internal.uuid_partition_extend(
	parent regclass, layout text, from_times timestamptz[], to_times timestamptz[], suffixes text[], template regclass, dry_run bool,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	neighbour regclass := CASE WHEN cardinality(from_times) > 0 THEN uidext_internal.uuid_partition_newest(parent, layout) END;
BEGIN
	FOR i IN 1 .. cardinality(from_times) LOOP
		partition := suffixes[i];
		from_time := from_times[i];
		to_time := to_times[i];
		problem := NULL;
		BEGIN
			partition := uidext_internal.uuid_partition_name(parent, suffixes[i]);
			IF dry_run THEN
				PERFORM uidext_internal.uuid_partition_check_neighbour(parent, neighbour);
			ELSE
				partition := uidext_internal.uuid_partition_make(parent, layout, from_time, to_time, suffixes[i], template, neighbour)::text;
			END IF;
		EXCEPTION WHEN OTHERS THEN
			IF NOT uidext_internal.uuid_partition_goes_on(SQLSTATE) THEN
				RAISE;
			END IF;
			problem := SQLSTATE || ': ' || SQLERRM;
		END;
		action := CASE WHEN problem IS NOT NULL THEN 'not created' WHEN dry_run THEN 'to be created' ELSE 'created' END;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_extend(regclass, text, timestamptz[], timestamptz[], text[], regclass, bool) IS
	'makes the partitions of some periods, and says of each whether it is there; raises what concerns more than a partition';

CREATE FUNCTION uidext_internal.uuid_partition_maintain_once(
	parent regclass, layout text, periods uidext_internal.uuid_partition_period[], old uidext_internal.uuid_partition_period[],
	step interval, ahead int, kept_since timestamptz,
	detach_only bool, tz text, template regclass, most int, obstacle text, dry_run bool,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '200ms'
AS $$
DECLARE
	missing record;
BEGIN
	PERFORM uidext_internal.uuid_partition_brief();
	-- what is missing depends on what was there
	SELECT coalesce(array_agg(m.from_time), '{}') AS from_times, coalesce(array_agg(m.to_time), '{}') AS to_times,
		coalesce(array_agg(m.suffix), '{}') AS suffixes
	INTO missing
	FROM uidext_internal.uuid_partition_missing(periods, step, ahead, kept_since, tz) m;

	-- Dropping locks the parent, and making a default partition: in the order of every reader,
	-- because the other way round they would wait for each other.
	RETURN QUERY SELECT * FROM uidext_internal.uuid_partition_retire(parent, old, detach_only, most, obstacle, dry_run);
	RETURN QUERY SELECT * FROM uidext_internal.uuid_partition_extend(parent, layout,
		missing.from_times, missing.to_times, missing.suffixes, template, dry_run);
	-- one that is being detached takes no rows, and keeps others from its period
	RETURN QUERY
		SELECT 'not created', p.partition::text, p.from_time, p.to_time, format('55006: partition %s waits to be detached', p.partition)
		FROM unnest(periods) p
		WHERE p.detach_pending AND p.to_time > now() AND p.from_time <= uidext_internal.uuid_partition_add(now(), step * ahead, tz)
		ORDER BY p.from_time;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_maintain_once(regclass, text, uidext_internal.uuid_partition_period[], uidext_internal.uuid_partition_period[], interval, int, timestamptz, bool, text, regclass, int, text, bool) IS
	'one attempt of uuid_partition_maintain(), with 55P03 when others keep it waiting';

CREATE FUNCTION uidext_internal.uuid_partition_kept_since(keep interval, tz text) RETURNS timestamptz
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF keep NOT BETWEEN '0' AND '5000 years' THEN
		RAISE EXCEPTION 'keep must be from 0 to 5,000 years'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('keep is %s.', keep);
	END IF;
	RETURN uidext_internal.uuid_partition_add(now(), -keep, tz);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_kept_since(interval, text) IS
	'the time up to which partitions are no longer kept; raises 22023 for what is below 0 or beyond what times hold';

CREATE FUNCTION uidext_internal.uuid_partition_check_plan(step interval, ahead int, keep interval, tz text) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF ahead < 0 OR NOT isfinite(keep) THEN
		RAISE EXCEPTION 'ahead must not be negative, nor keep infinite'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('ahead is %s, keep is %s.', ahead, coalesce(keep::text, 'NULL'));
	END IF;
	-- step and tz, also when there is nothing to make
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
	PERFORM uidext_internal.uuid_partition_check_number(ahead);
	IF keep < step THEN
		RAISE EXCEPTION 'keep must not be shorter than step'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('keep is %s, step is %s.', keep, step),
				HINT = 'Write ''6 months'' in full: ''6m'' is six minutes.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_plan(interval, int, interval, text) IS
	'raises 22023 for what would make a table''s upkeep a slip: a negative or huge ahead, a bad step or time zone, a keep that is infinite or shorter than step';

CREATE FUNCTION uuid_partition_maintain(
	parent regclass, step interval, ahead int DEFAULT 3, keep interval DEFAULT NULL,
	detach_only bool DEFAULT false, tz text DEFAULT 'UTC', template regclass DEFAULT NULL,
	dry_run bool DEFAULT false, strict bool DEFAULT false,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	kept_since timestamptz;
	periods uidext_internal.uuid_partition_period[];
	old uidext_internal.uuid_partition_period[];
	deadline timestamptz := uidext_internal.uuid_partition_deadline();
	-- tables, whose locks have room in any server
	most int := 100;
	obstacle text;
	problems text;
	left_over bigint;
BEGIN
	IF num_nulls(parent, step, ahead, detach_only, tz, dry_run, strict) > 0 THEN
		RAISE EXCEPTION 'no argument but keep and template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_plan(step, ahead, keep, tz);
	kept_since := uidext_internal.uuid_partition_kept_since(keep, tz);
	key := uidext_internal.uuid_partition_key(parent);
	periods := uidext_internal.uuid_partition_begin(parent, key.layout, kept_since, most, dry_run);
	PERFORM uidext_internal.uuid_partition_check_template(parent, template);
	old := uidext_internal.uuid_partition_old(periods, kept_since, template);
	left_over := cardinality(old);

	LOOP
		BEGIN
			FOR action, partition, from_time, to_time, problem IN
				SELECT * FROM uidext_internal.uuid_partition_maintain_once(parent, key.layout, periods, old, step, ahead,
					kept_since, detach_only, tz, template, most, obstacle, dry_run)
			LOOP
				IF problem IS NOT NULL THEN
					PERFORM uidext_internal.uuid_partition_warn(parent, partition, action, problem);
					problems := concat_ws(chr(10), problems, format('partition %s is %s: %s', partition, action, problem));
				ELSIF NOT dry_run THEN
					RAISE LOG 'partition % of table % is % unless this is rolled back', partition, parent, action;
				END IF;
				left_over := left_over - (action ~ '(dropped|detached)$')::int;
				RETURN NEXT;
			END LOOP;
			EXIT;
		EXCEPTION
			-- what keeps old partitions from going does not keep new ones from coming
			WHEN lock_not_available OR deadlock_detected THEN
				IF NOT uidext_internal.uuid_partition_again(deadline) THEN
					IF obstacle IS NOT NULL THEN
						RAISE;
					END IF;
					obstacle := '55P03: others keep the table locked';
					deadline := uidext_internal.uuid_partition_deadline();
				END IF;
			-- fewer tables, until it is one of so many that their locks have no room
			WHEN out_of_memory THEN
				IF obstacle IS NOT NULL THEN
					RAISE;
				ELSIF most > 1 THEN
					most := most / 10;
				ELSE
					obstacle := SQLSTATE || ': ' || SQLERRM;
				END IF;
		END;
	END LOOP;
	IF left_over > 0 THEN
		RAISE WARNING 'old partitions of table % are left for the next call: %', parent, left_over
			USING HINT = format('A call removes the oldest, until these were %s tables, because all of their locks are held at once.', most);
	END IF;
	IF strict AND problems IS NOT NULL THEN
		RAISE EXCEPTION 'not all partitions of table % could be maintained', parent
			USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = problems,
				HINT = 'Nothing has been changed. Without strict, all else is done.';
	END IF;
END
$$;
COMMENT ON FUNCTION uuid_partition_maintain(regclass, interval, int, interval, bool, text, regclass, bool, bool) IS
	'drops or detaches partitions that ended longer than keep ago, but for the newest if it is partitioned itself, the oldest 100 tables of them, or fewer where their locks have no room, leaving the rest to the next call with a warning, and makes the missing ones up to so many steps ahead; new ones are like a template and the newest partition; returns what it did, or with dry_run what it would do; warns of what it could not, or where strict ends with an error 55000; 55P03 when others keep it waiting; raises 22023 for a keep shorter than step, 42501 for callers who are not the owner';

-- Partitions: rows out of the default partition
--
-- What the default partition holds of a period becomes a partition.  Few rows
-- move into a new table.  A table of many rows moves not at all: it becomes the
-- partition, and a new default takes its place, with the few that it held besides.
-- Either way in one transaction, and all locks come first and at once, or not.

-- The period of a time for which there is no partition, cut where others begin and end.
CREATE FUNCTION uidext_internal.uuid_partition_gap(
	parent regclass, layout text, at timestamptz, step interval, tz text,
	OUT from_time timestamptz, OUT to_time timestamptz, OUT free_until timestamptz, OUT suffix text
)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	epoch CONSTANT timestamptz := '1970-01-01 00:00:00+00';
	-- the week of the epoch began before it, and so did the month of a scheme's own
	earliest timestamptz := CASE WHEN layout IN ('uuid', 'ulid') THEN epoch
		ELSE @extschema@.uid_time(@extschema@.uid_boundary(timestamptz '-infinity', layout), layout) END;
	period record;
BEGIN
	at := greatest(at, earliest, epoch);
	SELECT b.from_time, b.to_time INTO period
	FROM @extschema@.uuid_partition_bounds(greatest(uidext_internal.uuid_partition_origin(at, step, tz), epoch),
		at + interval '1 microsecond', step, tz) b
	ORDER BY b.from_time DESC
	LIMIT 1;
	SELECT greatest(period.from_time, earliest, max(p.to_time) FILTER (WHERE p.to_time <= at)),
		coalesce(min(p.from_time) FILTER (WHERE p.from_time > at), 'infinity')
	INTO from_time, free_until
	FROM uidext_internal.uuid_partition_ranges(parent, layout) p;
	to_time := least(period.to_time, free_until);
	suffix := uidext_internal.uuid_partition_suffix(from_time,
		CASE WHEN (from_time, to_time) = (period.from_time, period.to_time) THEN step ELSE to_time - from_time END, tz);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_gap(regclass, text, timestamptz, interval, text) IS
	'the period of one step around a time that no partition holds, no earlier than ids are, when the next partition begins, and the end of its own one''s name';

CREATE FUNCTION uidext_internal.uuid_partition_default(parent regclass) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT nullif(p.partdefid, 0::oid)::regclass FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = parent::oid;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_default(regclass) IS
	'the default partition of a table, or NULL';

-- A key to the default partition itself does not see that its rows stay in the table.
CREATE FUNCTION uidext_internal.uuid_partition_check_references(rest regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	reference record;
BEGIN
	SELECT c.conname, c.conrelid::regclass AS "table" INTO reference
	FROM pg_constraint c
	WHERE c.contype = 'f' AND c.conparentid = 0 AND c.confrelid IN (SELECT t.relid FROM pg_partition_tree(rest) t)
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'foreign key "%" of table % refers to the default partition itself', reference.conname, reference."table"
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Let it refer to the partitioned table.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_references(regclass) IS
	'an error 55000 when a foreign key refers to a partition rather than to the partitioned table';

CREATE FUNCTION uidext_internal.uuid_partition_delete_triggers(source regclass, OUT disable text, OUT enable text)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('ALTER TABLE ONLY %s DISABLE TRIGGER %I', t.tgrelid::regclass, t.tgname),
		pg_catalog.format('ALTER TABLE ONLY %s ENABLE %s TRIGGER %I', t.tgrelid::regclass,
			CASE t.tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' END, t.tgname)
	FROM pg_partition_tree(source) p JOIN pg_catalog.pg_trigger t ON t.tgrelid = p.relid::oid
	-- row or statement, before or after; 8 is DELETE
	WHERE NOT t.tgisinternal AND t.tgtype::int & 8 <> 0 AND t.tgenabled <> 'D';
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_delete_triggers(regclass) IS
	'commands that keep the triggers of a table from firing when rows are deleted, and that let them fire again';

CREATE FUNCTION uidext_internal.uuid_partition_move_rows(source regclass, target regclass, condition text) RETURNS bigint
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	disable text[] := ARRAY(SELECT t.disable FROM uidext_internal.uuid_partition_delete_triggers(source) t);
	enable text[] := ARRAY(SELECT t.enable FROM uidext_internal.uuid_partition_delete_triggers(source) t);
	-- a column that the source alone generates keeps its values
	columns text := (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
		WHERE attrelid = target AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
	moved bigint;
BEGIN
	PERFORM uidext_internal.uuid_partition_run(disable);
	EXECUTE format(
		'WITH gone AS (DELETE FROM %1$s WHERE %3$s RETURNING %4$s), '
		'moved AS (INSERT INTO %2$s (%4$s) SELECT %4$s FROM gone RETURNING 1) '
		'SELECT count(*) FROM moved',
		source, target, condition, columns) INTO moved;
	PERFORM uidext_internal.uuid_partition_run(enable);
	RETURN moved;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_move_rows(regclass, regclass, text) IS
	'moves the rows that meet a condition from one table into another, no trigger noticing, and returns how many there were';

CREATE FUNCTION uidext_internal.uuid_partition_inside(relation regclass, column_name name, from_id text, to_id text) RETURNS text
	LANGUAGE sql STABLE STRICT
	RETURN uidext_internal.uuid_partition_comparison(relation, column_name, '>=', from_id) || ' AND '
		|| uidext_internal.uuid_partition_comparison(relation, column_name, '<', to_id);
COMMENT ON FUNCTION uidext_internal.uuid_partition_inside(regclass, name, text, text) IS
	'a condition that holds for the ids of a column from one bound up to another';

CREATE FUNCTION uidext_internal.uuid_partition_outside(relation regclass, column_name name, from_id text, to_id text) RETURNS text
	LANGUAGE sql STABLE STRICT
	RETURN uidext_internal.uuid_partition_comparison(relation, column_name, '<', from_id) || ' OR '
		|| uidext_internal.uuid_partition_comparison(relation, column_name, '>=', to_id) || ' OR ' || quote_ident(column_name::text) || ' IS NULL';
COMMENT ON FUNCTION uidext_internal.uuid_partition_outside(regclass, name, text, text) IS
	'a condition that holds for all ids of a column but those from one bound up to another, and for NULL';

CREATE FUNCTION uidext_internal.uuid_partition_is_small(relation regclass, condition text, most int) RETURNS bool
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	rows bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM (SELECT FROM %s WHERE %s LIMIT %s) few', relation, condition, most::bigint + 1) INTO rows;
	RETURN rows <= most;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_is_small(regclass, text, int) IS
	'whether a condition holds for no more than so many rows';

-- As if it had been made with its new name: indexes, too, and the constraints that they are for.
CREATE FUNCTION uidext_internal.uuid_partition_rename_commands(relation regclass, name text) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('ALTER INDEX %s RENAME TO %I', i.oid::regclass, renamed.relname)
	FROM pg_catalog.pg_index x
		JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
		JOIN pg_catalog.pg_class c ON c.oid = x.indrelid
		CROSS JOIN LATERAL (SELECT name || substr(i.relname::text, length(c.relname::text) + 1)) renamed(relname)
	WHERE x.indrelid = relation::oid AND starts_with(i.relname::text, c.relname::text || '_')
		AND octet_length(renamed.relname) <= current_setting('max_identifier_length')::int
		AND NOT EXISTS (SELECT FROM pg_catalog.pg_class o WHERE o.relnamespace = i.relnamespace AND o.relname = renamed.relname)
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s RENAME TO %I', relation, name);
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_rename_commands(regclass, text) IS
	'commands that give a table another name, and the indexes that are named after it';

-- Attached again, a table has the triggers of its parent as they are there.
CREATE FUNCTION uidext_internal.uuid_partition_trigger_states(partition regclass, OUT relation regclass, OUT state text) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT t.tgrelid::regclass, pg_catalog.format('%s TRIGGER %I',
		CASE t.tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE' END, t.tgname)
	FROM pg_catalog.pg_inherits i
		JOIN pg_catalog.pg_trigger parents ON parents.tgrelid = i.inhparent
		CROSS JOIN pg_partition_tree(partition) p
		JOIN pg_catalog.pg_trigger t ON t.tgrelid = p.relid::oid AND t.tgname = parents.tgname
	WHERE i.inhrelid = partition::oid AND t.tgparentid <> 0::oid AND NOT t.tgisinternal AND t.tgenabled <> parents.tgenabled;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_trigger_states(regclass) IS
	'what ALTER TABLE ONLY needs to give the triggers that a partition and what is beneath it have of its parent the states that they have, where these are not the parent''s';

-- Detached, the default partition is this transaction's own, and so is all that
-- attaching wants to lock.
CREATE FUNCTION uidext_internal.uuid_partition_carve(
	parent regclass, rest regclass, column_name name, from_id text, to_id text, suffix text,
	template regclass, neighbour regclass, moves_in bool, OUT partition regclass, OUT moved bigint
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bound text := format('FOR VALUES FROM (%L) TO (%L)', from_id, to_id);
	rest_name text := uidext_internal.uuid_partition_qualified(rest);
	relations regclass[];
	states text[];
	others regclass;
BEGIN
	PERFORM uidext_internal.uuid_partition_check_neighbour(parent, neighbour);
	SELECT array_agg(t.relation), array_agg(t.state) INTO relations, states FROM uidext_internal.uuid_partition_trigger_states(rest) t;
	EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, rest);
	IF moves_in THEN
		partition := uidext_internal.uuid_partition_like(parent, uidext_internal.uuid_partition_name(parent, suffix), template, neighbour);
		moved := uidext_internal.uuid_partition_move_rows(rest, partition,
			uidext_internal.uuid_partition_inside(rest, column_name, from_id, to_id));
		PERFORM uidext_internal.uuid_partition_attach(parent, partition, bound);
		PERFORM uidext_internal.uuid_partition_attach(parent, rest, 'DEFAULT');
		PERFORM uidext_internal.uuid_partition_run(ARRAY(SELECT format('ALTER TABLE ONLY %s %s', r, s) FROM unnest(relations, states) AS t(r, s)));
		RETURN;
	END IF;

	PERFORM uidext_internal.uuid_partition_run(ARRAY(SELECT uidext_internal.uuid_partition_rename_commands(rest, c.relname || '_' || suffix)))
	FROM pg_class c
	WHERE c.oid = parent;
	partition := rest;
	others := uidext_internal.uuid_partition_like(parent, rest_name, rest, NULL::regclass);
	-- whatever the owner's default privileges
	PERFORM uidext_internal.uuid_partition_run(ARRAY[format('GRANT ALL ON %s TO %I', others, pg_get_userbyid(c.relowner))])
	FROM pg_class c
	WHERE c.oid = others AND c.relacl IS NOT NULL;
	moved := uidext_internal.uuid_partition_move_rows(partition, others,
		uidext_internal.uuid_partition_outside(partition, column_name, from_id, to_id));
	PERFORM uidext_internal.uuid_partition_attach(parent, partition, bound);
	PERFORM uidext_internal.uuid_partition_attach(parent, others, 'DEFAULT');
	PERFORM uidext_internal.uuid_partition_run(ARRAY(
		SELECT format('ALTER TABLE ONLY %s %s', r, s) FROM unnest(ARRAY[partition, others]) r, unnest(states) s
		UNION ALL
		SELECT format('COMMENT ON TABLE %s IS %L', r.relation, r.comment)
		FROM obj_description(partition, 'pg_class') d, LATERAL (VALUES (others, d), (partition, NULL)) r(relation, comment)
		WHERE d IS NOT NULL));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_carve(regclass, regclass, name, text, text, text, regclass, regclass, bool) IS
	'makes a partition of the rows between two bounds that the default partition holds: moves them, or else all others';

-- Its name stands for what a new table of that name would not have, or others mean
-- the table by it.
CREATE FUNCTION uidext_internal.uuid_partition_is_replaceable(rest regclass) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT NOT (
		EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = rest::oid AND c.relrowsecurity)
		-- rights that the owner has given up
		OR EXISTS (
			SELECT FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(pg_catalog.acldefault('r', c.relowner)) a
			WHERE c.oid = rest::oid AND NOT pg_catalog.has_table_privilege(c.relowner, c.oid, a.privilege_type))
		OR EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = rest::oid AND NOT t.tgisinternal AND t.tgparentid = 0::oid)
		OR EXISTS (SELECT FROM pg_catalog.pg_constraint f WHERE f.conrelid = rest::oid AND f.contype = 'f' AND f.conparentid = 0::oid)
		OR EXISTS (SELECT FROM pg_catalog.pg_subscription_rel s WHERE s.srrelid = rest::oid)
		-- functions and columns of its row type
		OR EXISTS (
			SELECT FROM pg_catalog.pg_type t JOIN pg_catalog.pg_depend d ON d.refobjid IN (t.oid, t.typarray)
			WHERE t.typrelid = rest::oid AND d.refclassid = 'pg_type'::regclass::oid AND d.deptype = 'n')
		-- rules and views, functions, policies, publications; sequences of its columns
		OR EXISTS (
			SELECT FROM pg_catalog.pg_depend d
			WHERE d.refclassid = 'pg_class'::regclass::oid AND d.refobjid = rest::oid
				AND (d.classid IN ('pg_rewrite'::regclass::oid, 'pg_proc'::regclass::oid, 'pg_policy'::regclass::oid, 'pg_publication_rel'::regclass::oid)
					OR d.classid = 'pg_class'::regclass::oid
						AND EXISTS (SELECT FROM pg_catalog.pg_class s WHERE s.oid = d.objid AND s.relkind = 'S')))
	);
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_is_replaceable(regclass) IS
	'whether a new table may take the name of a default partition: nothing is the table''s own, or made for it by name, that the new one would not have';

-- What is to be done about the first rows after an id, and which of the two ways.
CREATE FUNCTION uidext_internal.uuid_partition_drain_plan(
	parent regclass, rest regclass, neighbour regclass, column_name name, layout text, step interval, tz text,
	at timestamptz, stop timestamptz, max_rows int,
	OUT from_id text, OUT to_id text, OUT next_id text, OUT suffix text, OUT until timestamptz, OUT moves_in bool, OUT possible bool
)
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	gap record := uidext_internal.uuid_partition_gap(parent, layout, at, step, tz);
	last_id text;
BEGIN
	from_id := uidext_internal.uuid_partition_boundary(layout, gap.from_time);
	to_id := uidext_internal.uuid_partition_boundary(layout, gap.to_time);
	-- ids count whole units of time: rounded down to these, a period may end before its rows
	IF uidext_internal.uuid_partition_boundary_time(layout, to_id) <= at THEN
		RAISE EXCEPTION 'step must be a multiple of the unit of time in ids'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('step is %s.', step),
				HINT = 'That is a millisecond, or the tick of a scheme.';
	END IF;
	next_id := to_id;
	suffix := gap.suffix;
	until := gap.to_time;
	moves_in := uidext_internal.uuid_partition_is_small(rest, uidext_internal.uuid_partition_inside(rest, column_name, from_id, to_id), max_rows);
	possible := moves_in;
	-- a table that is or ought to be partitioned itself cannot stay as it is
	IF moves_in OR EXISTS (SELECT FROM pg_class WHERE oid IN (rest, neighbour) AND relkind <> 'r')
		OR NOT uidext_internal.uuid_partition_is_replaceable(rest)
	THEN
		RETURN;
	END IF;

	-- the rows of several periods: all that come before the next partition
	IF NOT uidext_internal.uuid_partition_is_small(rest, uidext_internal.uuid_partition_outside(rest, column_name, from_id, to_id), max_rows) THEN
		last_id := uidext_internal.uuid_partition_edge(rest, column_name, from_id,
			uidext_internal.uuid_partition_boundary(layout, least(gap.free_until, stop)), true);
		-- no id lies between where stop falls within a unit of the ids' time
		gap := uidext_internal.uuid_partition_gap(parent, layout,
			greatest(at, uidext_internal.uuid_partition_boundary_time(layout, last_id)), step, tz);
		until := gap.to_time;
		to_id := uidext_internal.uuid_partition_boundary(layout, until);
	END IF;
	possible := uidext_internal.uuid_partition_is_small(rest, uidext_internal.uuid_partition_outside(rest, column_name, from_id, to_id), max_rows);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_drain_plan(regclass, regclass, regclass, name, text, interval, text, timestamptz, timestamptz, int) IS
	'the bounds of the partition to be made of the rows around a time in the default partition, the end of its name, whether they are few enough to be moved, or else the others; raises 22023 for a step that is no multiple of the ids'' unit of time';

-- Who is kept from a lock tries again; what else goes wrong concerns this period.
CREATE FUNCTION uidext_internal.uuid_partition_drain_period(
	parent regclass, rest regclass, column_name name, layout text, step interval, tz text,
	at timestamptz, stop timestamptz, template regclass, max_rows int,
	OUT partition text, OUT done text, OUT problem text, OUT next_id text, OUT busy bool
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	neighbour regclass := uidext_internal.uuid_partition_newest(parent, layout);
	plan record;
	made record;
BEGIN
	busy := false;
	plan := uidext_internal.uuid_partition_drain_plan(parent, rest, neighbour, column_name, layout, step, tz, at, stop, max_rows);
	next_id := plan.next_id;
	partition := plan.suffix;
	partition := uidext_internal.uuid_partition_name(parent, plan.suffix);
	IF NOT plan.possible THEN
		RAISE EXCEPTION 'more than % rows would be moved under a lock', max_rows USING ERRCODE = 'program_limit_exceeded';
	END IF;
	-- a deferred constraint would fail at COMMIT, where nobody goes on with the next period
	SET CONSTRAINTS ALL IMMEDIATE;
	made := uidext_internal.uuid_partition_carve(parent, rest, column_name, plan.from_id, plan.to_id, plan.suffix,
		template, neighbour, plan.moves_in);
	partition := made.partition::text;
	done := CASE WHEN plan.moves_in THEN format('%s rows moved', made.moved)
		ELSE format('it was the default partition, and ends %s; %s rows moved', plan.until, made.moved) END;
EXCEPTION
	WHEN lock_not_available OR deadlock_detected THEN
		busy := true;
	WHEN OTHERS THEN
		-- without a plan there is no next period
		IF next_id IS NULL OR NOT uidext_internal.uuid_partition_goes_on(SQLSTATE) THEN
			RAISE;
		END IF;
		problem := SQLSTATE || ': ' || SQLERRM;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_drain_period(regclass, regclass, name, text, interval, text, timestamptz, timestamptz, regclass, int) IS
	'makes a partition of the rows around a time in the default partition, and says what it did or what kept it from that; next_id is where the next one begins; raises what concerns more than a partition';

CREATE FUNCTION uidext_internal.uuid_partition_drain_next(
	parent regclass, step interval, tz text, start timestamptz, stop timestamptz, after_id text, template regclass, max_rows int,
	OUT partition text, OUT done text, OUT problem text, OUT next_id text, OUT busy bool
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '3s'
AS $$
DECLARE
	key record;
	rest regclass;
	at timestamptz;
BEGIN
	IF num_nulls(parent, step, tz, max_rows) > 0 THEN
		RAISE EXCEPTION 'parent, step, tz and max_rows may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF max_rows < 0 THEN
		RAISE EXCEPTION 'max_rows must not be negative' USING ERRCODE = 'invalid_parameter_value';
	END IF;
	-- step and tz, also when there is nothing to drain
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
	key := uidext_internal.uuid_partition_key(parent);
	busy := false;
	BEGIN
		-- of two callers at once the second finds the next period
		PERFORM uidext_internal.uuid_partition_lock(parent);
		PERFORM uidext_internal.uuid_partition_check_template(parent, template);
		rest := uidext_internal.uuid_partition_default(parent);
		PERFORM uidext_internal.uuid_partition_check_rest(rest);
		PERFORM uidext_internal.uuid_partition_check_publications(parent, rest);
		PERFORM uidext_internal.uuid_partition_calm(ARRAY[rest]);
		PERFORM uidext_internal.uuid_partition_brief();
		at := uidext_internal.uuid_partition_boundary_time(key.layout, uidext_internal.uuid_partition_edge(rest, key.column_name,
			coalesce(after_id, uidext_internal.uuid_partition_boundary(key.layout, start)), NULL::text, false));
	EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
		busy := true;
		RETURN;
	END;
	-- what lies further ahead is a stray, and no reason for a partition
	stop := coalesce(stop, (
		SELECT greatest(now(), max(p.to_time) FILTER (WHERE isfinite(p.to_time))) + step
		FROM uidext_internal.uuid_partition_ranges(parent, key.layout) p));
	IF at IS NULL OR at >= stop THEN
		RETURN;
	END IF;

	SELECT d.* INTO partition, done, problem, next_id, busy
	FROM uidext_internal.uuid_partition_drain_period(parent, rest, key.column_name, key.layout, step, tz, at, stop, template, max_rows) d;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_drain_next(regclass, interval, text, timestamptz, timestamptz, text, regclass, int) IS
	'makes a partition of the first rows after an id in the default partition; next_id is where the next one begins, NULL when there are no more; busy when others kept it from its locks';

CREATE FUNCTION uidext_internal.uuid_partition_check_rest(rest regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF NOT uidext_internal.uuid_partition_may_look(rest) THEN
		RAISE EXCEPTION 'not all rows of the default partition % are visible', rest
			USING ERRCODE = 'insufficient_privilege', DETAIL = 'Row security hides them from the owner, or it belongs to somebody else.',
				HINT = 'ALTER TABLE ... NO FORCE ROW LEVEL SECURITY while rows are moved.';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_references(rest);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_rest(regclass) IS
	'an error 55000 for a default partition that foreign keys refer to; raises 42501 for one whose rows the caller does not see';

-- While rows move, no partition is part of the table, and what is published of them
-- bears their own names, which a subscriber that knows the table alone cannot apply.
CREATE FUNCTION uidext_internal.uuid_partition_check_publications(parent regclass, rest regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	moving regclass[] := ARRAY(SELECT t.relid FROM pg_partition_tree(rest) t);
	publication name := (
		SELECT p.pubname
		FROM pg_publication p
		WHERE p.pubviaroot AND (p.puballtables
			OR EXISTS (SELECT FROM pg_publication_rel r WHERE r.prpubid = p.oid AND r.prrelid = ANY (moving))
			OR EXISTS (
				SELECT FROM pg_publication_namespace n JOIN pg_class c ON c.relnamespace = n.pnnspid
				WHERE n.pnpubid = p.oid AND c.oid = ANY (parent || moving)))
		ORDER BY p.pubname
		LIMIT 1);
BEGIN
	IF publication IS NOT NULL AND EXISTS (SELECT FROM pg_class WHERE oid = rest AND relpersistence <> 't') THEN
		RAISE EXCEPTION 'publication "%" would publish rows that move as those of partitions', publication
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'It publishes through the partitioned table, whose subscribers need not know partitions.',
				HINT = 'A publication FOR TABLE, of the partitioned table, publishes no moves.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_publications(regclass, regclass) IS
	'an error 55000 for a publication through the root that covers partitions by themselves: FOR ALL TABLES, FOR TABLES IN SCHEMA, or of the default partition';

-- Without a SET clause, which would keep it from committing: every name is
-- spelt out, and there is no operator.
CREATE PROCEDURE uuid_partition_drain(
	parent regclass, step interval, tz text DEFAULT 'UTC',
	start timestamptz DEFAULT NULL, stop timestamptz DEFAULT NULL, template regclass DEFAULT NULL, max_rows int DEFAULT 10000
)
	LANGUAGE plpgsql
AS $$
DECLARE
	made pg_catalog.record;
	next_id pg_catalog.text;
	deadline pg_catalog.timestamptz;
BEGIN
	LOOP
		deadline := uidext_internal.uuid_partition_deadline();
		LOOP
			made := uidext_internal.uuid_partition_drain_next(parent, step, tz, start, stop, next_id, template, max_rows);
			-- an attempt that failed gives up all that it had
			COMMIT;
			EXIT WHEN NOT made.busy;
			IF NOT uidext_internal.uuid_partition_again(deadline) THEN
				RAISE EXCEPTION 'others keep table % locked', parent
					USING ERRCODE = 'lock_not_available', HINT = 'What has been drained is. Call again when they have ended.';
			END IF;
		END LOOP;
		EXIT WHEN made.next_id IS NULL;
		next_id := made.next_id;
		IF made.problem IS NULL THEN
			RAISE NOTICE 'partition %: %', made.partition, made.done;
		ELSE
			PERFORM uidext_internal.uuid_partition_warn(NULL, made.partition, 'not created', made.problem);
		END IF;
	END LOOP;
END
$$;
COMMENT ON PROCEDURE uuid_partition_drain(regclass, interval, text, timestamptz, timestamptz, regclass, int) IS
	'makes partitions of what the default partition holds, one by one, and commits after each; moves up to max_rows rows of a period, or makes the default partition the partition of the time that it holds; goes on after a failure with a warning; raises 42501 for callers who are not the owner or do not see all rows, 22023 for a step that is no multiple of the unit of time in ids, 55000 where a foreign key refers to the default partition or a publication through the root covers it by itself, 55P03, 2D000 in a transaction block';

-- Partitions: alarm

-- Up to when there is a partition for every time from now on; NULL when there is none for now.
CREATE FUNCTION uidext_internal.uuid_partition_covered(periods uidext_internal.uuid_partition_period[]) RETURNS timestamptz
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	period record;
	covered timestamptz;
BEGIN
	FOR period IN
		SELECT p.from_time, p.to_time FROM unnest(periods) p
		WHERE p.to_time > now() AND NOT p.detach_pending
		ORDER BY p.from_time, p.to_time
	LOOP
		EXIT WHEN period.from_time > coalesce(covered, now());
		covered := period.to_time;
	END LOOP;
	RETURN covered;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_covered(uidext_internal.uuid_partition_period[]) IS
	'up to when there is a partition for every time from now on; NULL when there is none for now';

-- Of a domain, as iuid is in the SQL edition, the default class is core's.
CREATE FUNCTION uidext_internal.uuid_partition_hashed_by_core(parent regclass, OUT relation regclass, OUT message text) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partrelid::regclass,
		pg_catalog.format('table %s is partitioned by core''s own hash of an iuid, which knows no country', p.partrelid::regclass)
	FROM pg_catalog.pg_partitioned_table p
		JOIN pg_catalog.pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_catalog.pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partstrat = 'h' AND p.partnatts = 1::smallint
		AND a.atttypid = '@extschema@.iuid'::regtype::oid AND o.opcnamespace = 'pg_catalog'::regnamespace::oid
		AND (p.partrelid = parent::oid
			OR EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = parent::oid AND i.inhrelid = p.partrelid));
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_hashed_by_core(regclass) IS
	'the table and those of its partitions that core''s own hash of an iuid partitions, with what uuid_partition_check() says of it';

-- Partitions are made from one millisecond, or longer tick, to another.
CREATE FUNCTION uidext_internal.uuid_partition_broken_bounds(periods uidext_internal.uuid_partition_period[], layout text) RETURNS SETOF regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partition
	FROM (
		SELECT n.*, pg_catalog.lag(n.to_id) OVER w AS previous_id, pg_catalog.lead(n.from_id) OVER w AS next_id
		FROM pg_catalog.unnest(periods) n
		WINDOW w AS (ORDER BY n.from_time, n.to_time)
	) p
	WHERE CASE WHEN p.previous_id IS DISTINCT FROM p.from_id THEN uidext_internal.uuid_partition_boundary(layout, p.from_time) <> p.from_id END
		OR CASE WHEN p.next_id IS DISTINCT FROM p.to_id THEN uidext_internal.uuid_partition_boundary(layout, p.to_time) <> p.to_id END
	ORDER BY p.from_time, p.to_time;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_broken_bounds(uidext_internal.uuid_partition_period[], text) IS
	'the partitions beside which there is a gap that begins or ends where uuid_partition_maintain() makes none; raises as uuid_partition_boundary()';

CREATE FUNCTION uidext_internal.uuid_partition_problems(
	parent regclass, column_name name, layout text, periods uidext_internal.uuid_partition_period[]
) RETURNS SETOF text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	rest regclass := uidext_internal.uuid_partition_default(parent);
BEGIN
	RETURN QUERY
		SELECT format('rows in the default partition %s', rest)
		WHERE uidext_internal.uuid_partition_edge(rest, column_name, NULL::text, NULL::text, true) IS NOT NULL
		UNION ALL
		SELECT format('rows in the default partition %s, by the statistics', rest)
		FROM uidext_internal.uuid_partition_sizes(ARRAY[rest]) s
		WHERE s.rows > 0 AND NOT uidext_internal.uuid_partition_may_look(rest)
		UNION ALL
		SELECT format('partition %s waits to be detached', p.partition)
		FROM unnest(periods) p
		WHERE p.detach_pending
		UNION ALL
		SELECT h.message FROM uidext_internal.uuid_partition_hashed_by_core(parent) h
		UNION ALL
		SELECT format('the gap beside partition %s begins or ends inside a millisecond, for which no partition is made', b.partition)
		FROM uidext_internal.uuid_partition_broken_bounds(periods, layout) b(partition);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_problems(regclass, name, text, uidext_internal.uuid_partition_period[]) IS
	'what uuid_partition_check() warns of in partitions of any age; raises as uuid_partition_edge()';

CREATE FUNCTION uuid_partition_check(
	parent regclass, ahead interval DEFAULT NULL, keep interval DEFAULT NULL,
	OUT severity int, OUT status text, OUT message text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	kept_since timestamptz;
	periods uidext_internal.uuid_partition_period[];
	covered timestamptz;
BEGIN
	IF parent IS NULL THEN
		RAISE EXCEPTION 'parent may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	-- an alarm that never comes is seen by nobody
	IF ahead < '1 minute' AND ahead <> '0' THEN
		RAISE EXCEPTION 'ahead must be 0, or a minute or more'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('ahead is %s.', ahead),
				HINT = 'A number without a unit counts seconds: write ''30 days''.';
	END IF;
	RETURN QUERY
		SELECT 1, 'WARNING', h.message FROM uidext_internal.uuid_partition_hashed_by_core(parent) h WHERE h.relation = parent;
	IF FOUND THEN
		RETURN;
	END IF;
	key := uidext_internal.uuid_partition_key(parent);
	kept_since := uidext_internal.uuid_partition_kept_since(keep, 'UTC');
	periods := ARRAY(SELECT p FROM uidext_internal.uuid_partition_ranges(parent, key.layout) p);
	covered := uidext_internal.uuid_partition_covered(periods);
	-- no time can be taken from infinity before 17
	ahead := coalesce(ahead, least('7 days', (
		SELECT CASE WHEN isfinite(p.from_time) AND isfinite(p.to_time) THEN p.to_time - p.from_time END
		FROM unnest(periods) p
		WHERE NOT p.detach_pending
		ORDER BY p.from_time DESC
		LIMIT 1)));

	RETURN QUERY
		WITH found(severity, message) AS (
			SELECT 2, 'no partition for the present' WHERE covered IS NULL
			UNION ALL
			SELECT 1, format('no partition from %s on', covered)
			WHERE covered < uidext_internal.uuid_partition_add(now(), ahead, 'UTC')
			UNION ALL
			SELECT 1, format('partitions older than %s: %s, the first is of %s', keep, count(*), min(p.from_time))
			FROM unnest(periods) p
			WHERE p.to_time <= kept_since
			HAVING count(*) > 0
			UNION ALL
			SELECT 1, p FROM uidext_internal.uuid_partition_problems(parent, key.column_name, key.layout, periods) p
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
	'what is wrong with a table''s partitions, worst first, else one line OK: 0 OK, 1 WARNING, 2 CRITICAL, when nothing is there for the present; of a table partitioned by hash only whether it is an iuid''s by core''s class, which knows no country; ahead is, unless given, the length of the newest range partition, at most 7 days; reads, of others'' tables catalogs and statistics only; raises 42809 for other tables, 22023 for a keep below 0 or above 5,000 years, or an ahead below a minute that is not 0';

-- Partitions by country, here or on another server

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
				HINT = uidext_internal.uuid_partition_key_hint(column_type, 'uuid_boundary() gives the bounds to count another column by.');
	END IF;
	PERFORM uidext_internal.uuid_partition_check_default(relation, column_number,
		'Count those of v6 and v13 between bounds of uuidv6_boundary(); v1 does not sort by time.');
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_time_key(regclass) IS
	'the column whose ids tell when the rows of a table were made, and their layout; raises 42809 for a table without, 22023 for a default of v1, v6 or v13';

-- An id has whole milliseconds, or longer ticks: those of a period begin with the
-- first that is not before it.  Bits below the time are 0 in a boundary.
CREATE FUNCTION uidext_internal.uuid_time_boundary(layout text, at timestamptz) RETURNS text
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE
		WHEN layout IN ('uuid', 'ulid')
			THEN uidext_internal.uuid_partition_boundary(layout, date_trunc('milliseconds', at + interval '999 microseconds'))
		WHEN at = timestamptz 'infinity' OR uid_time(uid_boundary(at, layout), layout) >= at THEN uid_boundary(at, layout)::text
		ELSE (
			SELECT min(uid_boundary(at, layout) + (1::bigint << bit))
			FROM generate_series(0, 62) AS bit
			WHERE uid_time(uid_boundary(at, layout) + (1::bigint << bit), layout) >= at
		)::text
	END;
COMMENT ON FUNCTION uidext_internal.uuid_time_boundary(text, timestamptz) IS
	'the least id as text of the first tick that is not before a time; raises as uuid_partition_boundary()';

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
	FROM uidext_internal.uuid_partition_ranges(parent, layout) p
		-- which knows what has been detached since the snapshot was taken
		JOIN pg_partition_tree(parent) t ON t.relid::oid = p.partition::oid
		JOIN pg_catalog.pg_class c ON c.oid = p.partition::oid
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE NOT p.detach_pending
	WINDOW ordered AS (ORDER BY p.from_time, p.to_time);
END;
COMMENT ON FUNCTION uidext_internal.uuid_time_partitions(regclass, text) IS
	'the range partitions of a table with their place, whether one follows that before it without a gap, and the name, which is NULL where the caller may count its rows in the parent only; raises as uuid_partition_boundary_time()';

-- More than a year of days are left to the parent, which no length of a query limits.
CREATE FUNCTION uidext_internal.uuid_time_periods(
	relation regclass, layout text, by_range bool, start timestamptz, stop timestamptz, step interval, tz text,
	OUT n bigint, OUT from_time timestamptz, OUT to_time timestamptz, OUT from_id text, OUT to_id text, OUT sources text[]
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH period AS (
		SELECT p.ordinality AS n, p.from_time, least(p.to_time, stop) AS to_time,
			uidext_internal.uuid_time_boundary(layout, p.from_time) AS from_id,
			uidext_internal.uuid_time_boundary(layout, least(p.to_time, stop)) AS to_id
		FROM uuid_partition_bounds(start, stop, step, tz) WITH ORDINALITY AS p
	), partition AS MATERIALIZED (
		SELECT t.* FROM uidext_internal.uuid_time_partitions(relation, layout) AS t WHERE by_range
	), whole AS (
		SELECT b.n, pg_catalog.array_agg(p.source ORDER BY p.place) AS sources
		FROM period AS b
			JOIN partition AS first ON first.from_id = b.from_id
			JOIN partition AS last ON last.to_id = b.to_id AND last.place - first.place < 400,
			LATERAL pg_catalog.generate_series(first.place, last.place) AS places (place)
			JOIN partition AS p ON p.place = places.place
		GROUP BY b.n, first.place
		HAVING pg_catalog.bool_and(p.source IS NOT NULL AND (p.follows OR p.place = first.place))
	)
	SELECT b.n, b.from_time, b.to_time, b.from_id, b.to_id, w.sources
	FROM period AS b LEFT JOIN whole AS w ON w.n = b.n
	ORDER BY b.n;
END;
COMMENT ON FUNCTION uidext_internal.uuid_time_periods(regclass, text, bool, timestamptz, timestamptz, interval, text) IS
	'the periods of uuid_time_buckets() with their least ids and, of those that whole partitions make up, the names of these; raises as uuid_time_buckets()';

-- Bounds are literals, so that the planner never looks at other partitions; all names
-- are qualified, because the query runs where the caller's search_path holds, which
-- row security may depend on.
CREATE FUNCTION uidext_internal.uuid_time_count(
	n bigint, sources text[], relation_name text, column_name name, bound_type text, operators name, from_id text, to_id text
) RETURNS text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF sources IS NOT NULL THEN
		RETURN (SELECT string_agg(format('SELECT %s, pg_catalog.count(*) FROM %s', n, source), ' UNION ALL ') FROM unnest(sources) AS source);
	END IF;
	RETURN format('SELECT %1$s, pg_catalog.count(*) FROM %2$s WHERE %3$I OPERATOR(%4$I.>=) %6$L::%5$s AND %3$I OPERATOR(%4$I.<) %7$L::%5$s',
		n, relation_name, column_name, operators, bound_type, from_id, to_id);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_time_count(bigint, text[], text, name, text, name, text, text) IS
	'a query of the number of a period and its rows: all of its partitions, else those of the table between two ids of a type, whose operators are in this schema; raises 22004';

-- A count for each period, some hundred counts in a query, which may share them
-- among workers.
CREATE FUNCTION uidext_internal.uuid_time_bucket_queries(
	relation regclass, start timestamptz, stop timestamptz, step interval, tz text,
	OUT from_times timestamptz[], OUT to_times timestamptz[], OUT query text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record := uidext_internal.uuid_time_key(relation);
	relation_name text := uidext_internal.uuid_partition_qualified(relation);
	bound_type text := CASE key.layout WHEN 'uuid' THEN 'pg_catalog.uuid' WHEN 'ulid' THEN '@extschema@.ulid' ELSE 'pg_catalog.int8' END;
	operators name := uidext_internal.uuid_partition_operators(bound_type::regtype);
BEGIN
	-- an error for those who may not read it; from now on no partition goes
	EXECUTE format('SELECT %I FROM %s WHERE false', key.column_name, relation_name);

	RETURN QUERY
		WITH batch AS (
			SELECT p.*, (sum(coalesce(cardinality(p.sources), 1)) OVER (ORDER BY p.n) - 1) / 100 AS number
			FROM uidext_internal.uuid_time_periods(relation, key.layout, key.by_range, start, stop, step, tz) p
		), counted AS (
			SELECT b.*, row_number() OVER (PARTITION BY b.number ORDER BY b.n) AS place
			FROM batch b
		)
		SELECT array_agg(c.from_time ORDER BY c.place), array_agg(c.to_time ORDER BY c.place),
			format('SELECT $1[counted.n], $2[counted.n], pg_catalog.sum(rows)::pg_catalog.int8 FROM (%s) AS counted(n, rows) GROUP BY n ORDER BY n',
				string_agg(uidext_internal.uuid_time_count(c.place, c.sources, relation_name, key.column_name, bound_type, operators,
					c.from_id, c.to_id), ' UNION ALL '))
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
	relation regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET jit = off
AS $$
DECLARE
	counts pg_catalog.record;
BEGIN
	FOR counts IN
		SELECT q.* FROM uidext_internal.uuid_time_bucket_queries(relation, start, stop, step, tz) q
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

-- The values of a sample of pg_stats, NULL where one is no uuid.  Not STRICT,
-- which would keep it from being inlined, and have it planned for each column.
CREATE FUNCTION uidext_internal.key_sample(form text, ids text) RETURNS SETOF uuid
	LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT CASE WHEN form IN ('uuid', 'ulid') OR u.id COLLATE "C" ~* '^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$' THEN u.id::uuid END
	FROM (
		SELECT CASE form WHEN 'ulid' THEN ulid_to_uuid(v)::text ELSE btrim(v, '{} ') END
		FROM pg_catalog.unnest(CASE WHEN form <> 'bytea' THEN ids::text[] END) v
		UNION ALL
		SELECT encode(b, 'hex') FROM pg_catalog.unnest(CASE form WHEN 'bytea' THEN ids::bytea[] END) b
	) u(id);
END;
COMMENT ON FUNCTION uidext_internal.key_sample(text, text) IS
	'the values in an array of pg_stats as uuids, NULL for those that are none; form is uuid, ulid, text or bytea; raises 22P02 for what is no such array';

-- Not STRICT, which would keep it from being inlined.
CREATE FUNCTION uidext_internal.key_id_layout(form text, info uuid_info) RETURNS text
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE WHEN form = 'ulid' THEN 'ULID'
		WHEN (info).version IS DISTINCT FROM 4 THEN (info).layout
		WHEN (info).comb_time BETWEEN '2000-01-01 00:00+00' AND now() + interval '1 year' THEN 'COMB'
		WHEN (info).suffix_comb_time BETWEEN '2000-01-01 00:00+00' AND now() + interval '1 year' THEN 'suffix COMB'
		ELSE 'UUIDv4'
	END;
COMMENT ON FUNCTION uidext_internal.key_id_layout(text, uuid_info) IS
	'the layout of an id, a version 4 of this century''s time counting as a COMB';

-- By chance one random id in 300 looks like a COMB.
CREATE FUNCTION uidext_internal.key_layout(form text, ids text, OUT layout text, OUT ordered bool, OUT random bool, OUT strangers text)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH sample AS MATERIALIZED (
		SELECT v.id FROM uidext_internal.key_sample(form, ids) v(id)
	), kind AS (
		SELECT k.layout, k.layout IN ('UUIDv6', 'UUIDv7', 'COMB', 'iUID', 'Lambert v13', 'ULID') AS ordered,
			count(*)::numeric / sum(count(*)) OVER () AS share,
			pg_catalog.array_to_string(pg_catalog.array_agg(DISTINCT i.country) FILTER (
				WHERE k.layout = 'iUID' AND NOT EXISTS (SELECT FROM iuid_countries c WHERE c.id = i.country)), ', ') AS strangers
		FROM sample v CROSS JOIN LATERAL uuid_inspect(v.id) i
			CROSS JOIN LATERAL (SELECT CASE WHEN v.id IS NOT NULL THEN uidext_internal.key_id_layout(form, i) END) k(layout)
		GROUP BY k.layout
	)
	SELECT CASE WHEN count(*) = 1 THEN max(k.layout)
			ELSE string_agg(pg_catalog.format('%s %s %%', k.layout, round(k.share * 100.0)), ', ' ORDER BY k.share DESC, k.layout) END,
		-- hashes in the form of a uuid have all versions
		bool_or(k.ordered) AND NOT bool_or(k.layout = 'unknown'), bool_or(NOT k.ordered), max(k.strangers)
	FROM kind k
	-- what is no uuid in this form
	WHERE k.share >= 0.05 AND NOT EXISTS (SELECT FROM kind n WHERE n.share >= 0.05
			AND (n.layout IS NULL OR n.layout = 'unknown' AND form IN ('text', 'bytea')));
END;
COMMENT ON FUNCTION uidext_internal.key_layout(text, text) IS
	'layouts of the ids in a sample of pg_stats, with their shares where there are several; whether some come in order and some do not; NULL when not nearly all are uuids; raises as key_sample()';

-- A text that is as long as a uuid is looked at; 16 bytes are a uuid when their
-- version and variant say so.
CREATE FUNCTION uidext_internal.key_columns(
	OUT relation oid, OUT number smallint, OUT name name, OUT form text, OUT width int, OUT correlation real, OUT n_distinct real,
	OUT layout text, OUT ordered bool, OUT random bool, OUT strangers text
) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT t.oid, a.attnum, a.attname, f.form, s.avg_width, s.correlation, s.n_distinct, l.layout, l.ordered, l.random, l.strangers
	FROM pg_class t
		JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema')
		JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
		JOIN pg_type y ON y.oid = a.atttypid
		CROSS JOIN LATERAL (SELECT CASE
				WHEN y.oid IN ('text'::regtype::oid, 'varchar'::regtype::oid, 'bpchar'::regtype::oid) THEN 'text'
				WHEN y.oid = 'bytea'::regtype::oid THEN 'bytea'
				-- a ulid of the SQL edition is a text
				WHEN y.typlen = 16::smallint THEN uidext_internal.uuid_partition_layout(y.oid::regtype)
			END) f(form)
		LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = t.relname AND s.attname = a.attname AND NOT s.inherited
		LEFT JOIN LATERAL uidext_internal.key_layout(f.form, coalesce(s.histogram_bounds, s.most_common_vals)::text) l
			ON f.form IN ('uuid', 'ulid') OR f.form = 'text' AND s.avg_width BETWEEN 33 AND 39 OR f.form = 'bytea' AND s.avg_width = 17
	WHERE t.relkind IN ('r', 'm') AND NOT pg_is_other_temp_schema(n.oid)
		AND (f.form IN ('uuid', 'ulid') OR l.layout IS NOT NULL);
END;
COMMENT ON FUNCTION uidext_internal.key_columns() IS
	'every column of uuids, and of texts or bytes whose sampled values are uuids, with what pg_stats tells the caller about it';

-- All at once: a look at pg_stats for each index would read all of it each time.
CREATE FUNCTION uidext_internal.key_index_widths(OUT index oid, OUT bytes float8) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	-- a NULL makes room for a bitmap, 8 bytes more
	SELECT i.indexrelid, CASE WHEN count(*) = pg_catalog.count(w.bytes) THEN sum(w.bytes * (1::float8 - w.nulls)) + 8::float8 * max(w.nulls) END
	FROM pg_index i
		JOIN pg_class t ON t.oid = i.indrelid
		JOIN pg_class x ON x.oid = i.indexrelid AND x.relkind = 'i'
		JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
		CROSS JOIN LATERAL pg_catalog.unnest(i.indkey::smallint[]) WITH ORDINALITY k(number, place)
		JOIN pg_attribute a ON a.attrelid = i.indexrelid AND a.attnum = k.place
		LEFT JOIN pg_attribute c ON c.attrelid = i.indrelid AND c.attnum = k.number AND k.number > 0
		-- an expression has statistics of its own
		LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND NOT s.inherited
			AND s.tablename = CASE WHEN k.number > 0 THEN t.relname ELSE x.relname END
			AND s.attname = CASE WHEN k.number > 0 THEN c.attname ELSE a.attname END
		CROSS JOIN LATERAL (SELECT CASE WHEN a.attlen > 0::smallint THEN a.attlen::float8 ELSE s.avg_width::float8 END, coalesce(s.null_frac::float8, 0::float8)) w(bytes, nulls)
	GROUP BY i.indexrelid;
END;
COMMENT ON FUNCTION uidext_internal.key_index_widths() IS
	'bytes of the values of each index''s entries on average, NULL where pg_stats does not tell the caller';

CREATE FUNCTION uidext_internal.key_indexes(
	OUT relation oid, OUT number smallint, OUT index oid, OUT place bigint, OUT by_sqlserver bool, OUT equals bool,
	OUT pages float8, OUT entries float8, OUT width float8
) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT i.indrelid, k.number, x.oid, k.place, o.opcintype = 'uuid'::regtype::oid AND NOT o.opcdefault, NOT i.indisunique AND i.indnatts = 1::smallint,
		x.relpages, nullif(greatest(x.reltuples, 0::real), 0::real), w.bytes
	FROM pg_index i
		CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(i.indkey::smallint[]), pg_catalog.unnest(i.indclass::oid[])) WITH ORDINALITY k(number, opclass, place)
		JOIN pg_opclass o ON o.oid = k.opclass
		JOIN pg_class x ON x.oid = i.indexrelid AND x.relkind = 'i'
		JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
		JOIN uidext_internal.key_index_widths() w ON w.index = x.oid
	-- which pgstattuple would refuse
	WHERE i.indisvalid;
END;
COMMENT ON FUNCTION uidext_internal.key_indexes() IS
	'each key column of each valid btree index: its place, whether entries may be equal, pages and entries when last counted, and the width of an entry''s values';

-- An entry takes 8 bytes, its values in units of 8, and a line pointer of 4.
-- Entries that are equal share all but 6 bytes, and 3.5 more.
CREATE FUNCTION uidext_internal.key_entry(
	width float8, column_width int, equals bool, n_distinct real, entries float8,
	OUT entry float8, OUT entry_with_time float8, OUT entry_of_uuid float8, OUT bytes_each float8
)
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT e.entry, 12::float8 + 8::float8 * ceil((width - 8::float8) / 8::float8),
		12::float8 + 8::float8 * ceil((width - coalesce(column_width, 16)::float8 + 16::float8) / 8::float8),
		least(e.entry, 6::float8 + (e.entry + 3.5::float8) * CASE
			WHEN NOT equals OR n_distinct IS NULL THEN 1::float8
			WHEN n_distinct < 0::real THEN (-n_distinct)::float8
			ELSE n_distinct::float8 / greatest(entries, 1::float8)
		END)
	FROM (SELECT 12::float8 + 8::float8 * ceil(width / 8::float8)) e(entry);
END;
COMMENT ON FUNCTION uidext_internal.key_entry(float8, int, bool, real, float8) IS
	'bytes of an index''s entry: with all its values, with a time in a uuid''s place, with a uuid in a text''s, and as it is where equal ones are kept together';

CREATE FUNCTION uidext_internal.key_kind(form text, layout text, ordered bool, random bool, place bigint, density numeric, narrow bool) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN layout IS NULL THEN 'unknown'
		WHEN form IN ('text', 'bytea') THEN form
		WHEN ordered AND random THEN 'mixed'
		WHEN random THEN 'random'
		WHEN place > 1 AND coalesce(density, 50::numeric) < 80::numeric THEN CASE WHEN narrow THEN 'composite' ELSE 'wide' END
		ELSE 'in order'
	END;
COMMENT ON FUNCTION uidext_internal.key_kind(text, text, bool, bool, bigint, numeric, bool) IS
	'what is to be said of a key: unknown, text, bytea, mixed, random, composite, wide or in order';

CREATE FUNCTION uidext_internal.key_note(kind text, strangers text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN concat_ws('; ',
		'countries that iuid_countries does not have: ' || strangers,
		CASE kind
			WHEN 'unknown' THEN 'no statistics: ANALYZE, or no right to read the column'
			WHEN 'text' THEN 'a uuid as text: ALTER COLUMN ... TYPE uuid, or move'
			WHEN 'bytea' THEN 'a uuid as bytes: ALTER COLUMN ... TYPE uuid, or move'
			WHEN 'mixed' THEN 'random ids among ordered ones, predicates by time are wrong: REINDEX CONCURRENTLY, then partition or move'
			WHEN 'random' THEN 'random: move to time-ordered ids, or leave it'
			WHEN 'composite' THEN 'behind other columns: the time of the id in its place (8 bytes), or leave it'
			WHEN 'wide' THEN 'behind other columns, and too wide to be packed: leave it'
			ELSE CASE WHEN strangers IS NULL THEN 'in order' END
		END);
COMMENT ON FUNCTION uidext_internal.key_note(text, text) IS 'what to do about a kind of key';

-- What a kind of key writes more than the other one, in bench/run index: ten
-- batches of 100,000 rows, a checkpoint before each.
CREATE FUNCTION uidext_internal.key_wal(kind text, random bool) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE kind WHEN 'text' THEN 51 WHEN 'bytea' THEN 9 WHEN 'composite' THEN 39 ELSE 0 END
		+ CASE WHEN random AND kind <> 'mixed' THEN 143 ELSE 0 END;
COMMENT ON FUNCTION uidext_internal.key_wal(text, bool) IS 'bytes of WAL a row that another key would have saved';

-- Full pages of ordered ids are 90 % full; entries of up to 28 bytes are packed
-- behind other columns, too.
CREATE FUNCTION uidext_internal.key_lines(
	exact bool, OUT relation oid, OUT name name, OUT index oid, OUT kind text, OUT layout text, OUT correlation real,
	OUT bytes bigint, OUT density numeric, OUT part_left float8, OUT wal int, OUT strangers text
) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	WITH col AS MATERIALIZED (
		SELECT c.*, c.random AND (c.ordered OR coalesce(abs(c.correlation), 0::real) < 0.9::real) AS scattered FROM uidext_internal.key_columns() c
	), key AS (
		-- the first whose values are nearly all different decides where an entry goes
		SELECT DISTINCT ON (i.index) c.*, i.index, i.place, i.pages, i.entries, i.by_sqlserver,
			CASE WHEN i.by_sqlserver THEN c.layout <> 'suffix COMB' ELSE c.scattered END AS out_of_order, e.*
		FROM col c JOIN uidext_internal.key_indexes() i ON i.relation = c.relation AND i.number = c.number,
			LATERAL uidext_internal.key_entry(i.width, c.width, i.equals, c.n_distinct, i.entries) e
		ORDER BY i.index, c.n_distinct IS NULL OR c.n_distinct < 0::real DESC, i.place
	), measured AS (
		SELECT k.*, pg_catalog.pg_relation_size(k.index::regclass) AS bytes, uidext_internal.uuid_leaf_density(k.index::regclass, exact,
				(100::float8 * k.entries * k.bytes_each / (k.pages * (current_setting('block_size')::float8 - 40::float8)))::numeric) AS density
		FROM key k
	)
	SELECT m.relation, m.name, m.index, d.kind, m.layout, CASE WHEN NOT m.by_sqlserver THEN m.correlation END, m.bytes, m.density,
		CASE WHEN d.kind = 'composite' OR m.out_of_order THEN least(1::float8, coalesce(m.density::float8 / 90::float8, 1::float8)) ELSE 1::float8 END
			* CASE WHEN d.kind = 'composite' THEN m.entry_with_time / m.entry
				WHEN d.kind IN ('text', 'bytea') THEN coalesce(m.entry_of_uuid / m.entry, 1::float8) ELSE 1::float8 END,
		uidext_internal.key_wal(d.kind, m.out_of_order), m.strangers
	FROM measured m,
		LATERAL uidext_internal.key_kind(m.form, m.layout, m.ordered AND NOT m.by_sqlserver, m.out_of_order, m.place, m.density, m.entry_with_time <= 28::float8) d(kind)
	UNION ALL
	SELECT c.relation, c.name, NULL, c.form, c.layout, c.correlation, round(c.width::float8 * t.reltuples::float8)::bigint, NULL, 16::float8 / c.width::float8, 0, NULL
	FROM col c JOIN pg_class t ON t.oid = c.relation
	WHERE c.form IN ('text', 'bytea');
END;
COMMENT ON FUNCTION uidext_internal.key_lines(bool) IS
	'the lines of uuid_key_report(): indexes, and texts and bytes as they lie in the table; part_left is what would be left of bytes; raises 55000 without pgstattuple';

CREATE FUNCTION uuid_key_report(exact bool DEFAULT false) RETURNS TABLE (
	table_name regclass, column_name name, index_name regclass, kind text, layout text, correlation real,
	bytes bigint, leaf_density numeric, inserts bigint, bytes_saved bigint, wal_bytes_saved bigint, note text
)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT l.relation::regclass, l.name, l.index::regclass, l.kind, l.layout, l.correlation, l.bytes, l.density, s.inserts,
		s.saved, s.inserts * l.wal, uidext_internal.key_note(l.kind, l.strangers)
	FROM uidext_internal.key_lines(exact) l,
		LATERAL (SELECT pg_stat_get_tuples_inserted(l.relation), greatest(0::float8, l.bytes::float8 * (1::float8 - l.part_left))::bigint) s(inserts, saved)
	ORDER BY s.saved + s.inserts * l.wal DESC NULLS LAST, l.bytes DESC, l.relation::regclass::text, l.index::regclass::text;
END;
COMMENT ON FUNCTION uuid_key_report(bool) IS
	'what the uuid keys of a database cost, the dearest first; valid btree indexes with a uuid, iuid or ulid among their keys, and texts and bytes that are uuids; kind and order from pg_stats, size, density (read by pgstattuple when exact), what could be saved, and what to do; raises 55000 without pgstattuple';

-- Ranges of a key with about as many rows each, for work in parallel

CREATE FUNCTION uidext_internal.key_position(layout text, id text) RETURNS numeric
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN (
		SELECT CASE layout WHEN 'bigint' THEN id::numeric ELSE (
			SELECT sum(('x' || lpad(substr(h.hex, n, 8), 16, '0'))::bit(64)::bigint * 4294967296::numeric ^ ((25 - n) / 8))
			FROM (SELECT replace((CASE layout WHEN 'ulid' THEN @extschema@.ulid_to_uuid(id) ELSE id::uuid END)::text, '-', '')) h(hex),
				pg_catalog.generate_series(1, 25, 8) n
		) END
	);
END
$$;
COMMENT ON FUNCTION uidext_internal.key_position(text, text) IS
	'an id as a number that sorts as it does: a bigint itself, or the 128 bits; raises 22P02 for what is no id';

CREATE FUNCTION uidext_internal.key_at(layout text, at numeric) RETURNS text
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN (
		SELECT CASE layout WHEN 'bigint' THEN floor(at)::bigint::text WHEN 'ulid' THEN @extschema@.uuid_to_ulid(u.id)::text ELSE u.id::text END
		FROM (
			SELECT string_agg(lpad(to_hex((div(at, 4294967296::numeric ^ n) % 4294967296)::bigint), 8, '0'), '' ORDER BY n DESC)::uuid
			FROM pg_catalog.generate_series(0, CASE layout WHEN 'bigint' THEN -1 ELSE 3 END) n
		) u(id)
	);
END
$$;
COMMENT ON FUNCTION uidext_internal.key_at(text, numeric) IS
	'the id at a position that key_position() gave or that lies between two of these, rounded down; raises 22003 beyond bigint, 0A000 for what is no number';

-- The first column of the primary key, else of another unique index or of the
-- partition key, where the ordinary comparisons find its ranges.
CREATE FUNCTION uidext_internal.key_range_column(relation regclass, OUT column_name name, OUT column_number smallint, OUT layout text)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH key(attnum, opclass, rank) AS (
		SELECT i.indkey[0], i.indclass[0], CASE WHEN i.indisprimary THEN 1 ELSE 2 END
		FROM pg_catalog.pg_index i
		WHERE i.indrelid = relation::oid AND i.indisunique AND i.indpred IS NULL
		UNION ALL
		SELECT p.partattrs[0], p.partclass[0], 3 FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = relation::oid
	)
	SELECT a.attname, a.attnum, l.layout
	FROM key k
		JOIN pg_catalog.pg_opclass o ON o.oid = k.opclass AND o.opcdefault
		JOIN pg_catalog.pg_attribute a ON a.attrelid = relation::oid AND a.attnum = k.attnum,
		LATERAL (
			SELECT coalesce(uidext_internal.uuid_partition_layout(a.atttypid),
				(SELECT 'bigint' FROM uidext_internal.base_types(a.atttypid) t(type) WHERE t.type::oid = 'bigint'::regtype::oid))
		) l(layout)
	WHERE l.layout IS NOT NULL
	ORDER BY k.rank, a.attnum
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.key_range_column(regclass) IS
	'the column by which uuid_key_ranges() divides a table, and how its ids are read: uuid, ulid or bigint';

-- Who may read no partition sees their bounds all the same.
CREATE FUNCTION uidext_internal.key_range_members(
	relation regclass, column_name name, column_number smallint, layout text,
	OUT rows float8, OUT bounds text[], OUT bounds_share float8, OUT common text[], OUT common_shares real[]
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
	WITH RECURSIVE tree(relid, parent) AS (
		SELECT relation::oid, NULL::oid
		UNION
		SELECT i.inhrelid, i.inhparent FROM tree t JOIN pg_catalog.pg_inherits i ON i.inhparent = t.relid
	), parent AS (
		SELECT k.partrelid::regclass AS relid
		FROM pg_catalog.pg_partitioned_table k JOIN pg_catalog.pg_attribute a ON a.attrelid = k.partrelid AND a.attnum = k.partattrs[0]
		WHERE k.partrelid IN (SELECT t.parent FROM tree t) AND k.partnatts = 1::smallint AND a.attname = key_range_members.column_name
	), range AS MATERIALIZED (
		-- once for a parent, not for each of its partitions
		SELECT p.partition, p.from_id, p.to_id
		FROM parent, uidext_internal.uuid_partition_ranges(parent.relid,
			CASE WHEN key_range_members.layout = 'bigint' THEN uidext_internal.uuid_partition_scheme(relation, column_number) ELSE key_range_members.layout END
		) p
	)
	SELECT r.rows,
		coalesce(s.histogram_bounds::text::text[], pg_catalog.array_remove(ARRAY[p.from_id, p.to_id], NULL)),
		CASE WHEN s.histogram_bounds IS NULL AND s.most_common_freqs IS NOT NULL THEN 0
			ELSE 1 - coalesce((SELECT sum(f) FROM pg_catalog.unnest(s.most_common_freqs) f), 0) END,
		s.most_common_vals::text::text[], s.most_common_freqs
	FROM tree t
		JOIN pg_catalog.pg_class c ON c.oid = t.relid AND c.relkind <> 'p'
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
		LEFT JOIN pg_catalog.pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname
			AND s.attname = key_range_members.column_name AND NOT s.inherited
		LEFT JOIN range p ON p.partition::oid = t.relid,
		LATERAL (SELECT CASE WHEN c.reltuples >= 0::real THEN c.reltuples::float8
			WHEN c.relkind <> 'f' AND pg_catalog.pg_relation_size(c.oid::regclass) = 0 THEN 0
			ELSE nullif(pg_catalog.pg_stat_get_live_tuples(c.oid), 0)::float8
		END) r(rows)
$$;
COMMENT ON FUNCTION uidext_internal.key_range_members(regclass, name, smallint, text) IS
	'a table, or each of its leaves: rows (NULL when they were never counted), a histogram of the ids or the partition''s bounds with the share of rows that they hold, and common values';

-- The number of rows below an id, known at some ids; between them it grows evenly.
CREATE FUNCTION uidext_internal.key_range_steps(
	relation regclass, column_name name, column_number smallint, layout text,
	OUT from_position numeric, OUT to_position numeric, OUT rows_before float8, OUT rows_after float8
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
	WITH member AS (
		SELECT * FROM uidext_internal.key_range_members(relation, column_name, column_number, layout) m WHERE m.rows > 0
	), point(at, weight) AS (
		SELECT uidext_internal.key_position(layout, b.id),
			CASE WHEN b.number > 1 OR cardinality(m.bounds) = 1 THEN m.rows * m.bounds_share / greatest(cardinality(m.bounds) - 1, 1) ELSE 0 END
		FROM member m, pg_catalog.unnest(m.bounds) WITH ORDINALITY b(id, number)
		UNION ALL
		-- all rows of one id between it and the next
		SELECT uidext_internal.key_position(layout, v.id) + e.next, m.rows * v.share * e.next
		FROM member m, ROWS FROM (pg_catalog.unnest(m.common), pg_catalog.unnest(m.common_shares)) v(id, share), pg_catalog.generate_series(0, 1) e(next)
	), placed AS (
		SELECT p.at, sum(sum(p.weight)) OVER (ORDER BY p.at) AS rows FROM point p GROUP BY p.at
	)
	SELECT coalesce(pg_catalog.lag(p.at) OVER w, p.at), p.at, coalesce(pg_catalog.lag(p.rows) OVER w, 0), p.rows
	FROM placed p
	WINDOW w AS (ORDER BY p.at)
$$;
COMMENT ON FUNCTION uidext_internal.key_range_steps(regclass, name, smallint, text) IS
	'the distribution of a table''s ids as pieces: from a position of key_position() to another, with the rows before and after; raises 22P02 for ids of another layout';

-- Cuts that fall on one id are one.
CREATE FUNCTION uidext_internal.key_range_cuts(
	relation regclass, column_name name, column_number smallint, layout text, n int,
	OUT number int, OUT from_id text, OUT to_id text, OUT rows bigint
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
	WITH step AS (
		SELECT s.*, max(s.rows_after) OVER () AS total
		FROM uidext_internal.key_range_steps(relation, column_name, column_number, layout) s
	), cut AS (
		SELECT 0 AS k, NULL AS id, coalesce((SELECT max(s.total) FROM step s), (
			SELECT coalesce(sum(m.rows), 0)
			FROM uidext_internal.key_range_members(relation, column_name, column_number, layout) m
			-- two rows need statistics
			HAVING count(*) = count(*) FILTER (WHERE m.rows <= 1))) AS total
		UNION ALL
		SELECT min(g.k), c.id, max(s.total)
		FROM step s,
			-- a few too many: which are in the step, the condition says
			LATERAL pg_catalog.generate_series(greatest(floor(s.rows_before * n / nullif(s.total, 0))::int, 1),
				least(ceil(s.rows_after * n / nullif(s.total, 0))::int, n - 1)) g(k),
			LATERAL (SELECT uidext_internal.key_at(layout, s.from_position + (s.to_position - s.from_position)
				* ((s.total * g.k / n - s.rows_before) / (s.rows_after - s.rows_before))::numeric)) c(id)
		WHERE s.rows_before < s.total * g.k / n AND s.rows_after >= s.total * g.k / n
		GROUP BY c.id
	)
	SELECT pg_catalog.row_number() OVER w, c.id, pg_catalog.lead(c.id) OVER w,
		round(c.total * (coalesce(pg_catalog.lead(c.k) OVER w, n) - c.k) / n)::bigint
	FROM cut c
	WINDOW w AS (ORDER BY c.k)
$$;
COMMENT ON FUNCTION uidext_internal.key_range_cuts(regclass, name, smallint, text, int) IS
	'at most n ranges of a table''s ids with about as many rows each, the first and the last open; rows are NULL without statistics; raises 22P02 for ids of another layout';

CREATE FUNCTION uuid_key_ranges(
	relation regclass, n int, OUT number int, OUT from_id text, OUT to_id text, OUT rows bigint, OUT condition text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
BEGIN
	IF n NOT BETWEEN 1 AND 10000 THEN
		RAISE EXCEPTION 'number of ranges out of range: %', n
			USING ERRCODE = 'invalid_parameter_value', HINT = 'It must be from 1 to 10000.';
	END IF;
	SELECT * INTO key FROM uidext_internal.key_range_column(relation);
	IF key.layout IS NULL THEN
		RAISE EXCEPTION 'table % has no key that begins with a uuid, iuid, ulid or bigint', relation
			USING ERRCODE = 'wrong_object_type', HINT = 'The ranges are those of a primary key, a unique index or a partition key.';
	END IF;
	FOR number, from_id, to_id, rows IN
		SELECT r.* FROM uidext_internal.key_range_cuts(relation, key.column_name, key.column_number, key.layout, n) r
	LOOP
		IF rows IS NULL THEN
			RAISE EXCEPTION 'table % has no statistics of column "%"', relation, key.column_name
				USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'ANALYZE it; of a column that you may not SELECT you see none.';
		END IF;
		condition := CASE WHEN num_nonnulls(from_id, to_id) = 0 THEN 'true' ELSE concat_ws(' AND ',
			CASE WHEN from_id IS NOT NULL THEN format('%I >= %L', key.column_name, from_id) END,
			CASE WHEN to_id IS NOT NULL THEN format('%I < %L', key.column_name, to_id) END) END;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_key_ranges(regclass, int) IS
	'at most n ranges of a table''s key with about as many rows each, for work in parallel; from statistics and the bounds of partitions; ids as text, NULL at the open ends, estimated rows, and a condition for a query; together they hold every row whose key is not null; raises 22023 unless n is from 1 to 10000, 42809 without such a key, 55000 without statistics';
