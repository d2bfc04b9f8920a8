-- COMB and suffix COMB

CREATE FUNCTION gen_comb() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN uidext_internal.uuid_pack(4, uidext_internal.clock_us() * 512 / 125, uidext_internal.random_bytes());
COMMENT ON FUNCTION gen_comb() IS
	'new COMB: a version 4 with Unix milliseconds in its first 48 bits, 12 bits of their fraction, and 62 random bits; in the session''s order as far as microseconds differ';

CREATE FUNCTION gen_comb_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN encode(overlay(uidext_internal.random_bytes()
		PLACING substr(int8send(uidext_internal.timestamptz_to_unix_us(at) / 1000), 3) FROM 1 FOR 6), 'hex')::uuid;

CREATE FUNCTION gen_suffix_comb() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN encode(overlay(uidext_internal.random_bytes()
		PLACING substr(int8send(uidext_internal.clock_us() / 1000), 3) FROM 11 FOR 6), 'hex')::uuid;

CREATE FUNCTION gen_suffix_comb_at(at timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN encode(overlay(uidext_internal.random_bytes()
		PLACING substr(int8send(uidext_internal.timestamptz_to_unix_us(at) / 1000), 3) FROM 11 FOR 6), 'hex')::uuid;

CREATE FUNCTION comb_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN uidext_internal.unix_ms_to_timestamptz(uidext_internal.uuid_unix_ms(id))
	END;

CREATE FUNCTION suffix_comb_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN uidext_internal.unix_ms_to_timestamptz(('x' || encode(substr(uuid_send(id), 11), 'hex'))::bit(48)::bigint)
	END;

CREATE FUNCTION comb_to_suffix(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN uidext_internal.uuid_is(id, 4)
		THEN encode(substr(uuid_send(id), 11) || substr(uuid_send(id), 7, 4) || substr(uuid_send(id), 1, 6), 'hex')::uuid
		ELSE uidext_internal.fail_version(id, 4)
	END;

CREATE FUNCTION comb_from_suffix(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN comb_to_suffix(id);
