-- Bits as digits of an alphabet, and back

CREATE FUNCTION uidext_internal.uuid_to_bits(id uuid) RETURNS bit
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN ('x' || translate(id::text, '-', ''))::bit(128);

CREATE FUNCTION uidext_internal.bits_to_uuid(bits bit) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (lpad(to_hex(substring(bits, 1, 32)::bigint), 8, '0') || lpad(to_hex(substring(bits, 33, 32)::bigint), 8, '0')
		|| lpad(to_hex(substring(bits, 65, 32)::bigint), 8, '0') || lpad(to_hex(substring(bits, 97, 32)::bigint), 8, '0'))::uuid;

-- Five digits are less than 2^30 in every base up to 64, ten are less than 2^60.
CREATE FUNCTION uidext_internal.five_digits(number bigint, base bigint, alphabet text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN substr(alphabet, (number / (base * base * base * base))::int + 1, 1)
		|| substr(alphabet, (number / (base * base * base) % base)::int + 1, 1)
		|| substr(alphabet, (number / (base * base) % base)::int + 1, 1)
		|| substr(alphabet, (number / base % base)::int + 1, 1)
		|| substr(alphabet, (number % base)::int + 1, 1);

CREATE FUNCTION uidext_internal.five_digits_value(digits text, base bigint, alphabet text) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (((strpos(alphabet, substr(digits, 1, 1)) - 1) * base
		+ strpos(alphabet, substr(digits, 2, 1)) - 1) * base
		+ strpos(alphabet, substr(digits, 3, 1)) - 1) * base * base
		+ (strpos(alphabet, substr(digits, 4, 1)) - 1) * base
		+ strpos(alphabet, substr(digits, 5, 1)) - 1;

-- Bits as a number of so many digits, with leading zeros.  An alphabet is its
-- digits in the order of their values.
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

-- The inverse; NULL when a digit is none, or when the number has more bits.
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

-- Where the first character stands that is no digit, from 1; 0 when all are.
CREATE FUNCTION uidext_internal.bad_digit(digits text, alphabet text) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN ltrim(digits, alphabet) <> '' THEN length(digits) - length(ltrim(digits, alphabet)) + 1 ELSE 0 END;

-- Letters that Crockford's base 32 reads as digits.
CREATE FUNCTION uidext_internal.crockford_fold(digits text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN translate(upper(digits COLLATE "C"), 'ILO', '110');

-- As many characters as the text has bytes, with ? for each that is not ASCII.
CREATE FUNCTION uidext_internal.byte_by_byte(characters text) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF length(characters) = octet_length(characters) THEN
		RETURN characters;
	END IF;
	RETURN (SELECT string_agg(CASE WHEN octet_length(c) = 1 THEN c ELSE repeat('?', octet_length(c)) END, '' ORDER BY n)
		FROM string_to_table(characters, NULL) WITH ORDINALITY AS t (c, n));
END
$$;
