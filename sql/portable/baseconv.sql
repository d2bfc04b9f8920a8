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

-- Crockford's base 32. Functions that are called for every row have no SET clause, because it costs
-- more than everything else in them. Their PL/pgSQL only holds values that are used twice, and has
-- no operator and no name that search_path could find elsewhere.

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
COMMENT ON FUNCTION uidext_internal.base32_decode(text) IS
	'inverse of uidext_internal.base32_encode(), for 26 such digits of 128 bits';

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
COMMENT ON FUNCTION uidext_internal.number_decode(text, text, int) IS
	'inverse of uidext_internal.number_encode(), as so many bits; NULL if a character is not a digit, or if the '
	'number has more bits';

CREATE FUNCTION uidext_internal.bad_digit(digits text, alphabet text) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN ltrim(digits, alphabet) <> '' THEN length(digits) - length(ltrim(digits, alphabet)) + 1 ELSE 0 END;
COMMENT ON FUNCTION uidext_internal.bad_digit(text, text) IS
	'place of the first character that is not a digit of the alphabet, from 1; 0 if all are';

CREATE FUNCTION uidext_internal.crockford_fold(digits text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN translate(upper(digits COLLATE "C"), 'ILO', '110');
COMMENT ON FUNCTION uidext_internal.crockford_fold(text) IS 'the text with those letters in place that Crockford''s base 32 reads as digits: upper case, 1 for I and L, 0 for O';

CREATE FUNCTION uidext_internal.byte_by_byte(characters text) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	-- no id is so long
	IF length(characters) = octet_length(characters) OR length(characters) > 1000 THEN
		RETURN characters;
	END IF;
	RETURN (SELECT string_agg(CASE WHEN octet_length(c) = 1 THEN c ELSE repeat('?', octet_length(c)) END, '' ORDER BY n)
		FROM string_to_table(characters, NULL) WITH ORDINALITY AS t (c, n));
END
$$;
COMMENT ON FUNCTION uidext_internal.byte_by_byte(text) IS 'as many characters as the text has bytes, with ? for each byte of one that is not ASCII';
