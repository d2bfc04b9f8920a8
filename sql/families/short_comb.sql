-- Short COMB, short suffix COMB and sequence COMB: a random UUIDv4 with the last two bytes of a
-- counter in it

-- [c]
CREATE FUNCTION gen_short_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_comb'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_short_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_v4(substr(int8send(uidext_internal.clock_us() / 1000 / uidext_internal.interval_to_length_ms(interval_length)), 7), 1);
-- [both]
COMMENT ON FUNCTION gen_short_comb(interval) IS
	'new short COMB: a version 4 of 16 bits that count intervals since 1970 and wrap (45.5 days of minutes), and 106 random bits; its time is known to whoever knows the date to within half of a wrap, 22 days of minutes; raises 22023 for an interval that is no whole, positive number of milliseconds';

-- [c]
CREATE FUNCTION gen_short_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_short_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN at IS NOT NULL AND interval_length IS NOT NULL
		THEN uidext_internal.uuid_v4(substr(int8send(uidext_internal.timestamptz_to_unix_us(at) / 1000 / uidext_internal.interval_to_length_ms(interval_length)), 7), 1)
	END;
-- [both]
COMMENT ON FUNCTION gen_short_comb_at(timestamptz, interval) IS
	'new short COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities; 22023 as gen_short_comb()';

-- [c]
CREATE FUNCTION gen_short_suffix_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_suffix_comb'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_short_suffix_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_v4(substr(int8send(uidext_internal.clock_us() / 1000 / uidext_internal.interval_to_length_ms(interval_length)), 7), 11);
-- [both]
COMMENT ON FUNCTION gen_short_suffix_comb(interval) IS
	'new short suffix COMB: as gen_short_comb(), with the counter in b10 and b11, where SQL Server sorts first; raises 22023 as gen_short_comb()';

-- [c]
CREATE FUNCTION gen_short_suffix_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_suffix_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT uidext_internal.generator_support;

-- [sql]
CREATE FUNCTION gen_short_suffix_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN at IS NOT NULL AND interval_length IS NOT NULL
		THEN uidext_internal.uuid_v4(substr(int8send(uidext_internal.timestamptz_to_unix_us(at) / 1000 / uidext_internal.interval_to_length_ms(interval_length)), 7), 11)
	END;
-- [both]
COMMENT ON FUNCTION gen_short_suffix_comb_at(timestamptz, interval) IS
	'new short suffix COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities; 22023 as gen_short_comb()';

-- [c]
CREATE FUNCTION gen_sequence_comb(sequence regclass, block_size int DEFAULT 65536) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_sequence_comb'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
	SUPPORT uidext_internal.generator_support;

-- [sql]
-- A round more makes a negative number positive, so that it is rounded down, too.
CREATE FUNCTION gen_sequence_comb(sequence regclass, block_size int DEFAULT 65536) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL UNSAFE
	RETURN CASE
		WHEN sequence IS NULL OR block_size IS NULL THEN NULL
		WHEN block_size < 1 THEN uidext_internal.fail(lpad(block_size::text, 32, '0'), '22023', 'block size must be at least 1',
			hint => 'Pass how many ids shall share a prefix, such as 256.')::uuid
		ELSE uidext_internal.uuid_v4(substr(int8send(
				(nextval(sequence) % (block_size::bigint * 65536::bigint) + block_size::bigint * 65536::bigint) / block_size::bigint), 7), 1)
	END;
-- [both]
COMMENT ON FUNCTION gen_sequence_comb(regclass, int) IS
	'new sequence COMB: a version 4 of 16 bits, nextval(sequence) / block_size modulo 65536, and 106 random bits; raises 22023 for a block_size below 1, 42809 and 2200H as nextval()';

-- [c]
CREATE FUNCTION short_comb_block(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_short_comb_block'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION short_comb_block(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN get_byte(uuid_send(id), 0) << 8 | get_byte(uuid_send(id), 1)
	END;
-- [both]
COMMENT ON FUNCTION short_comb_block(uuid) IS
	'block of a short or sequence COMB: first 16 bits of a version 4, 0 to 65535; NULL for other versions';

-- [c]
CREATE FUNCTION short_suffix_comb_block(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_short_suffix_comb_block'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION short_suffix_comb_block(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN get_byte(uuid_send(id), 10) << 8 | get_byte(uuid_send(id), 11)
	END;
-- [both]
COMMENT ON FUNCTION short_suffix_comb_block(uuid) IS
	'block of a short suffix COMB: b10 and b11 of a version 4, 0 to 65535; NULL for other versions';

-- [sql]
-- Of the intervals half a wrap ahead and half a wrap back, the start of the one ahead is nearer,
-- unless near itself is the start of an interval.
CREATE FUNCTION uidext_internal.short_comb_counter(block bigint, near_us bigint, length_us bigint) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN near_us / length_us - 32767 - (near_us % length_us = 0)::int
		+ ((block - near_us / length_us + 32767 + (near_us % length_us = 0)::int) & 65535::bigint);
COMMENT ON FUNCTION uidext_internal.short_comb_counter(bigint, bigint, bigint) IS
	'number of the interval that has this block and is the nearest';

-- [c]
CREATE FUNCTION short_comb_time(id uuid, near timestamptz, interval_length interval DEFAULT '1 minute') RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_short_comb_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
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
-- [both]
COMMENT ON FUNCTION short_comb_time(uuid, timestamptz, interval) IS
	'time of a short COMB, nearest to near (of two, the earlier): start of the interval with its block; NULL for '
	'versions other than 4; raises 22008 for times outside 1970-01-01 to 10889-08-02, 22023 as gen_short_comb()';

-- [c]
CREATE FUNCTION short_comb_to_suffix(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_short_comb_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION short_comb_to_suffix(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN encode(overlay(overlay(uuid_send(id) PLACING substr(uuid_send(id), 1, 2) FROM 11 FOR 2)
			PLACING substr(uuid_send(id), 11, 2) FROM 1 FOR 2), 'hex')::uuid
		ELSE uidext_internal.fail_version(id, 4)
	END;
-- [both]
COMMENT ON FUNCTION short_comb_to_suffix(uuid) IS
	'short suffix COMB from a short COMB: b0-b1 and b10-b11 are exchanged, nothing is lost; raises 22023 for '
	'versions other than 4';

-- [c]
CREATE FUNCTION short_comb_from_suffix(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_short_comb_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION short_comb_from_suffix(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN short_comb_to_suffix(id);
-- [both]
COMMENT ON FUNCTION short_comb_from_suffix(uuid) IS
	'inverse of short_comb_to_suffix(); raises 22023 for versions other than 4';
