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
	IF s.written = 'uid_groups' AND id ~ '^c.{24}$' THEN
		RETURN ARRAY[(2, 8, s.alphabet, NULL, 42), (10, 4, s.alphabet, NULL, 21), (14, 4, s.alphabet, NULL, 21), (18, 8, s.alphabet, NULL, 42)]::uidext_internal.uid_digits[];
	ELSIF s.written = 'uid_halves' AND half_alphabet IS NOT NULL AND substr(id, half + 1, 1) = '-' THEN
		RETURN ARRAY[(1, half, half_alphabet, NULL, 64), (half + 2, half, half_alphabet, NULL, 64)]::uidext_internal.uid_digits[];
	ELSIF s.written IN ('uid_groups', 'uid_halves') THEN
		RETURN NULL;
	ELSIF length(id) = 2 + s.bits / 4 AND left(id, 2) IN ('0x', chr(92) || 'x') THEN
		RETURN ARRAY[(3, s.bits / 4, hex, 'hex_fold', s.bits)]::uidext_internal.uid_digits[];
	ELSIF s.written = 'uid_or_decimal' AND length(id) <> s.digits AND length(id) BETWEEN 1 AND 20 THEN
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
	RETURN CASE fold WHEN 'base32_canonical' THEN uidext_internal.crockford_fold(digits) WHEN 'hex_fold' THEN lower(digits COLLATE "C") ELSE digits END;
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
	IF s.written = 'uid_uuid' THEN
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
	IF s.time = 'uid_datetime' THEN
		ticks := substring(bits, 97, 32)::bigint;
		unix_us := (substring(bits, 81, 16)::bigint - 25567) * 86400000000 + ticks * 10000 / 3;
		RETURN CASE WHEN ticks < 24 * 60 * 60 * 300 AND substring(bits, 81, 16)::bigint >= 25567 THEN unix_us END;
	ELSIF s.time = 'uid_dotnet_ticks' THEN
		ticks := (substring(bits, 81, 48) || substring(bits, 65, 16))::bit(64)::bigint;
		unix_us := ticks / 10 - 62135596800000000;
		RETURN CASE WHEN ticks >= 0 AND unix_us BETWEEN 0 AND unix_us_max THEN unix_us END;
	ELSIF s.time = 'uid_draft_seconds' THEN
		ticks := substring(bits, 1, 36)::bigint;
		unix_us := ticks * 1000000 + ((substring(bits, 37, 12) || substring(bits, 53, 12))::bit(24)::bigint * 1000000 >> 24);
		RETURN CASE WHEN ticks >= 1609459200 THEN unix_us END;
	END IF;

	ticks := substring(bits, s.time_at + 1, s.time_bits)::bigint;
	IF s.tick_ns = 1 THEN
		unix_us := ticks / 1000;
	-- 64 bits may be a negative number
	ELSIF ticks BETWEEN 0 AND unix_us_max / (s.tick_ns / 1000) THEN
		unix_us := ticks * (s.tick_ns / 1000) + s.epoch_ms * 1000;
	END IF;
	RETURN CASE WHEN unix_us BETWEEN 0 AND unix_us_max THEN unix_us END;
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
	no_time text := 'It has no time, or one before ids of this scheme were made or after 10889-08-02.';
	field uidext_internal.uid_field;
BEGIN
	FOREACH field IN ARRAY s.fields LOOP
		IF substring(bits, field.at + 1, field.bits) <> uidext_internal.uid_fixed_bits(field) THEN
			RETURN CASE field.kind
				WHEN 'zero' THEN uidext_internal.uid_too_great(s)
				WHEN 'one' THEN no_time
				ELSE format('Ids of this scheme are UUIDs of version %s.', substring(s.layout FROM 'version([0-9])'))
			END;
		END IF;
	END LOOP;
	RETURN CASE WHEN uidext_internal.uid_unix_us(bits, s) IS NULL THEN no_time END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_bits_fault(bit, uidext_internal.uid_scheme) IS
	'what is wrong with bits that are not an id of the scheme, or NULL';

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
	IF s.written = 'uid_uuid' OR parts IS NULL AND (s.written = 'uid_groups' AND length(bytes) = s.digits OR s.written = 'uid_halves' AND length(bytes) IN (23, 27, 33, 39)) THEN
		RETURN format('Its form is: %s.', s.form);
	ELSIF parts IS NULL THEN
		RETURN format('Its form is: %s. The text has %s characters.', s.form, length(id));
	END IF;

	FOREACH part IN ARRAY parts LOOP
		digits := uidext_internal.uid_fold(substr(bytes, part.at, part.digits), part.fold);
		IF uidext_internal.bad_digit(digits, part.alphabet) > 0 THEN
			RETURN format('Its form is: %s. Character %s is not such a digit.', s.form, part.at - 1 + uidext_internal.bad_digit(digits, part.alphabet));
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
COMMENT ON FUNCTION uidext_internal.uid_bits(text, uidext_internal.uid_scheme) IS
	'the bits of a text; raises 22P02 for text that is not an id of the scheme';

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
	IF s.written = 'uid_uuid' THEN
		RETURN uidext_internal.bits_to_uuid(bits);
	ELSIF s.written = 'uid_groups' THEN
		RETURN 'c' || uidext_internal.number_encode(substring(bits, 1, 42), s.alphabet, 8) || uidext_internal.number_encode(substring(bits, 43, 21), s.alphabet, 4)
			|| uidext_internal.number_encode(substring(bits, 64, 21), s.alphabet, 4) || uidext_internal.number_encode(substring(bits, 85, 42), s.alphabet, 8);
	ELSIF s.written = 'uid_halves' THEN
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
-- 74 bits are those that follow the id's time, without those that all ids of the
-- scheme have, and zeros after them.
CREATE FUNCTION uidext_internal.uid_bits_to_uuid(bits bit, s uidext_internal.uid_scheme) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	field uidext_internal.uid_field;
	others bit varying := '';
BEGIN
	IF s.same_bits THEN
		RETURN uidext_internal.bits_to_uuid(bits);
	END IF;
	FOREACH field IN ARRAY s.fields LOOP
		IF field.at > s.time_at AND uidext_internal.uid_fixed_bits(field) IS NULL THEN
			others := others || substring(bits, field.at + 1, field.bits);
		END IF;
	END LOOP;
	others := others || 0::bit(74);
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
	others bit varying := substring(id_bits, 53, 12) || substring(id_bits, 67);
	bits bit varying;
	field uidext_internal.uid_field;
	taken int := 0;
BEGIN
	IF s.same_bits THEN
		RETURN CASE WHEN uidext_internal.uid_bits_fault(id_bits, s) IS NULL THEN id_bits END;
	ELSIF s.other_bits > 74 THEN
		RAISE EXCEPTION 'a UUID cannot be converted back to ids of scheme "%"', s.scheme
			USING ERRCODE = '22023', DETAIL = format('Such ids have %s bits, and a UUIDv7 can hold only the time and 74 more bits.', s.own_bits);
	ELSIF substring(id_bits, 49, 4) <> b'0111' OR substring(id_bits, 65, 2) <> b'10' THEN
		RETURN NULL;
	END IF;

	bits := uidext_internal.uid_boundary_bits(substring(id_bits, 1, 48)::bigint * 1000, s);
	FOREACH field IN ARRAY s.fields LOOP
		IF uidext_internal.uid_fixed_bits(field) IS NOT NULL THEN
			bits := overlay(bits PLACING uidext_internal.uid_fixed_bits(field) FROM field.at + 1);
		ELSIF field.at > s.time_at THEN
			bits := overlay(bits PLACING substring(others, taken + 1, field.bits) FROM field.at + 1);
			taken := taken + field.bits;
		END IF;
	END LOOP;
	RETURN CASE WHEN uidext_internal.uid_bits_to_uuid(bits, s) = id THEN bits END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uid_uuid_bits(uuid, uidext_internal.uid_scheme) IS
	'the id of which uid_to_uuid() makes a uuid; NULL if there is none; raises 22023 for schemes whose ids do not '
	'fit into a uuid';
