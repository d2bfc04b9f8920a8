-- Ids in public: short

-- [sql]
CREATE TYPE uidext_internal.uuid_encoding AS (
	encoding text,
	alphabet text,
	width int,
	behind bit varying,
	any_case bool,
	may_be_short bool,
	padding text
);
COMMENT ON TYPE uidext_internal.uuid_encoding IS 'how the 128 bits of a UUID are written';
COMMENT ON COLUMN uidext_internal.uuid_encoding.encoding IS 'its name';
COMMENT ON COLUMN uidext_internal.uuid_encoding.alphabet IS 'the digits in the order of their values';
COMMENT ON COLUMN uidext_internal.uuid_encoding.width IS 'how many there are';
COMMENT ON COLUMN uidext_internal.uuid_encoding.behind IS
	'if digits are cut from the left (RFC 4648): the zero bits at the end of the last one';
COMMENT ON COLUMN uidext_internal.uuid_encoding.any_case IS
	'accepts either case';
COMMENT ON COLUMN uidext_internal.uuid_encoding.may_be_short IS
	'accepts missing leading zeros';
COMMENT ON COLUMN uidext_internal.uuid_encoding.padding IS
	'accepts this at the end (RFC 4648)';

CREATE FUNCTION uidext_internal.uuid_encoding(name text) RETURNS uidext_internal.uuid_encoding
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	named uidext_internal.uuid_encoding;
BEGIN
	SELECT * INTO named
	FROM (VALUES
		('base32hex', '0123456789ABCDEFGHIJKLMNOPQRSTUV', 26, b'00', true, false, '======'),
		('crockford', '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 26, b'', true, false, ''),
		('base58', '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 22, b'', false, true, ''),
		('base62', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 22, b'', false, true, ''),
		('base64url', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 22, b'0000', false, false, '==')
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
		THEN format('It has %s characters, but a UUID has %s.', length(digits), e.width)
		WHEN e.behind = '' THEN 'It is a number of more than 128 bits.'
		ELSE 'The bits behind the 128 of a UUID are not zero.'
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_decode_fault(text, uidext_internal.uuid_encoding) IS
	'what is wrong with a text that is not a UUID';

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
	unpadded text := CASE WHEN encoded = left(encoded, e.width) || e.padding THEN left(encoded, e.width) ELSE encoded END;
	digits text := CASE
		WHEN e.encoding = 'crockford' THEN uidext_internal.crockford_fold(unpadded)
		WHEN e.any_case THEN upper(unpadded)
		ELSE unpadded
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

-- [c]
CREATE FUNCTION uuid_encode(id uuid, encoding text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uuid_encode'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
-- An encoding that is a constant is looked up when the query is planned.
CREATE FUNCTION uuid_encode(id uuid, encoding text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_encode(id, uidext_internal.uuid_encoding(encoding COLLATE "C"));
-- [both]
COMMENT ON FUNCTION uuid_encode(uuid, text) IS
	'the 128 bits in base32hex, crockford, base58, base62 or base64url; 26 characters by the first two, 22 by the others; all but the last sort as the id under COLLATE "C"; raises 22023 for another encoding';

-- [c]
CREATE FUNCTION uuid_decode(encoded text, encoding text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_decode'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uuid_decode(encoded text, encoding text) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.uuid_decode(encoded COLLATE "C", uidext_internal.uuid_encoding(encoding COLLATE "C"));
-- [both]
COMMENT ON FUNCTION uuid_decode(text, text) IS
	'inverse of uuid_encode(); also of base58 and base62 without leading zeros, and of base32hex and base64url with '
	'padding; raises 22P02 for text that is not a UUID in this encoding, 22023 for another encoding';
