-- Short COMB, short suffix COMB and sequence COMB: a random UUIDv4 that takes the
-- last two bytes of a counter

CREATE FUNCTION gen_short_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN encode(overlay(uidext_internal.random_bytes()
		PLACING substr(int8send(uidext_internal.clock_us() / 1000 / uidext_internal.interval_to_length_ms(interval_length)), 7)
		FROM 1 FOR 2), 'hex')::uuid;

CREATE FUNCTION gen_short_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN at IS NOT NULL AND interval_length IS NOT NULL
		THEN encode(overlay(uidext_internal.random_bytes()
			PLACING substr(int8send(uidext_internal.timestamptz_to_unix_us(at) / 1000 / uidext_internal.interval_to_length_ms(interval_length)), 7)
			FROM 1 FOR 2), 'hex')::uuid
	END;

CREATE FUNCTION gen_short_suffix_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN encode(overlay(uidext_internal.random_bytes()
		PLACING substr(int8send(uidext_internal.clock_us() / 1000 / uidext_internal.interval_to_length_ms(interval_length)), 7)
		FROM 11 FOR 2), 'hex')::uuid;

CREATE FUNCTION gen_short_suffix_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE WHEN at IS NOT NULL AND interval_length IS NOT NULL
		THEN encode(overlay(uidext_internal.random_bytes()
			PLACING substr(int8send(uidext_internal.timestamptz_to_unix_us(at) / 1000 / uidext_internal.interval_to_length_ms(interval_length)), 7)
			FROM 11 FOR 2), 'hex')::uuid
	END;

-- A round more makes a negative number positive, so that it is rounded down, too.
CREATE FUNCTION gen_sequence_comb(sequence regclass, block_size int DEFAULT 65536) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL UNSAFE
	RETURN CASE
		WHEN sequence IS NULL OR block_size IS NULL THEN NULL
		WHEN block_size < 1 THEN uidext_internal.fail(lpad(block_size::text, 32, '0'), '22023', 'block size must be at least 1')::uuid
		ELSE encode(overlay(uidext_internal.random_bytes()
			PLACING substr(int8send(
				(nextval(sequence) % (block_size::bigint * 65536::bigint) + block_size::bigint * 65536::bigint) / block_size::bigint), 7)
			FROM 1 FOR 2), 'hex')::uuid
	END;

CREATE FUNCTION short_comb_block(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN get_byte(uuid_send(id), 0) << 8 | get_byte(uuid_send(id), 1)
	END;

CREATE FUNCTION short_suffix_comb_block(id uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN get_byte(uuid_send(id), 10) << 8 | get_byte(uuid_send(id), 11)
	END;

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

CREATE FUNCTION short_comb_to_suffix(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN encode(overlay(overlay(uuid_send(id) PLACING substr(uuid_send(id), 1, 2) FROM 11 FOR 2)
			PLACING substr(uuid_send(id), 11, 2) FROM 1 FOR 2), 'hex')::uuid
		ELSE uidext_internal.fail_version(id, 4)
	END;

CREATE FUNCTION short_comb_from_suffix(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN short_comb_to_suffix(id);
