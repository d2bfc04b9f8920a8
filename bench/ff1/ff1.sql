-- FF1 of NIST SP 800-38G by the AES of pgcrypto: what uuid_encrypt() of the SQL edition would
-- cost if it were this.  bench/encryption plays it.
--
-- The names of variables are those of the standard.  The blocks that are the same in all rounds
-- are encrypted once, and so a call takes one AES for each of the ten rounds, and two or more.
CREATE EXTENSION pgcrypto SCHEMA public;

CREATE FUNCTION xor_block(x bytea, y bytea) RETURNS bytea
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN int8send((('x' || encode(substr(x, 1, 8), 'hex'))::bit(64) # ('x' || encode(substr(y, 1, 8), 'hex'))::bit(64))::bigint)
		|| int8send((('x' || encode(substr(x, 9), 'hex'))::bit(64) # ('x' || encode(substr(y, 9), 'hex'))::bit(64))::bigint);

-- The 122 bits that uuid_encrypt() takes, in the same order: those that are not version and variant.
CREATE FUNCTION ff1_uuid(id uuid, key bytea, tweak bytea) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
	bits bit varying := uidext_internal.uuid_to_bits(id);
	a bigint := (substring(bits, 1, 48) || substring(bits, 53, 12) || substring(bits, 67, 1))::bit(61)::bigint;
	b bigint := substring(bits, 68)::bigint;
	mask CONSTANT bigint := (1::bigint << 61) - 1;
	-- 1, 2, 1, radix, rounds, u, n and t; then the tweak and zeros, up to the number of the round
	p CONSTANT bytea := decode('0102010000020a3d0000007a', 'hex') || int4send(length(tweak));
	q CONSTANT bytea := tweak || decode(repeat('00', (23 - length(tweak) % 16) % 16), 'hex');
	chained bytea := encrypt(p, key, 'aes-ecb/pad:none');
	high bigint;
	low bigint;
	r bytea;
	c bigint;
BEGIN
	FOR block IN 0 .. length(q) / 16 - 1 LOOP
		chained := encrypt(xor_block(chained, substr(q, 16 * block + 1, 16)), key, 'aes-ecb/pad:none');
	END LOOP;
	high := (('x' || encode(substr(q, length(q) - 6) || decode('00', 'hex') , 'hex'))::bit(64)
		# ('x' || encode(substr(chained, 1, 8), 'hex'))::bit(64))::bigint;
	low := ('x' || encode(substr(chained, 9), 'hex'))::bit(64)::bigint;
	FOR round IN 0 .. 9 LOOP
		r := encrypt(int8send(high # round) || int8send(low # b), key, 'aes-ecb/pad:none');
		c := (a + (('x' || encode(substr(r, 5, 8), 'hex'))::bit(64)::bigint & mask)) & mask;
		a := b;
		b := c;
	END LOOP;
	bits := a::bit(61) || b::bit(61);
	RETURN uidext_internal.bits_to_uuid(
		substring(bits, 1, 48) || 4::bit(4) || substring(bits, 49, 12) || b'10' || substring(bits, 61, 62));
END
$$;
