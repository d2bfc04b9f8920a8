-- Ids in public: encrypted
--
-- doc/public-ids.md describes it byte by byte.

-- [sql]
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

-- Ten rounds of a Feistel network over the 122 bits that are not version and variant. The same step
-- on exchanged halves undoes a round.
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
		RAISE EXCEPTION 'key must have 16 to 64 bytes' USING ERRCODE = '22023', DETAIL = format('The key has %s bytes.', length(key));
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
COMMENT ON FUNCTION uidext_internal.uuid_permute(uuid, bytea, text, bool, int) IS
	'ten rounds of a Feistel network over the 122 bits that are not version and variant; raises 22023 for a key '
	'without 16 to 64 bytes';

-- [c]
-- The COST: twelve SHA-256 take as long as a hundred functions that read an id.
CREATE FUNCTION uuid_encrypt(id uuid, key bytea, label text DEFAULT '') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_encrypt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

-- [sql]
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
-- [both]
COMMENT ON FUNCTION uuid_encrypt(uuid, bytea, text) IS
	'the id as a version 4 that shows nothing of it; key of 16 to 64 bytes, the same id looks different under '
	'each label; raises 22023 for another key or variant';

-- [c]
CREATE FUNCTION uuid_decrypt(id uuid, key bytea, label text DEFAULT '', version int DEFAULT 7) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_decrypt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

-- [sql]
CREATE FUNCTION uuid_decrypt(id uuid, key bytea, label text DEFAULT '', version int DEFAULT 7) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF substr(id::text, 15, 6) !~ '4...-[89ab]' THEN
		RAISE EXCEPTION 'UUID cannot be decrypted' USING ERRCODE = '22023', DETAIL = 'It is not version 4, but uuid_encrypt() returns only version 4.';
	END IF;
	IF version NOT BETWEEN 0 AND 15 THEN
		RAISE EXCEPTION 'UUID version must be from 0 to 15, not %', version USING ERRCODE = '22023';
	END IF;
	RETURN uidext_internal.uuid_permute(id, key, label, true, version);
END
$$;
-- [both]
COMMENT ON FUNCTION uuid_decrypt(uuid, bytea, text, int) IS
	'inverse of uuid_encrypt() for ids of that version, 0 to 15; an id that was not encrypted gives an id that no '
	'row has; raises 22023 for another key, or an id that is not version 4';
