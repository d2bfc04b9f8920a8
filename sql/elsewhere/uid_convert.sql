-- Ids from elsewhere as uuids, and back

-- [c]
CREATE FUNCTION uid_to_uuid(id text, scheme text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uid_to_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uid_to_uuid(id text, scheme text) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.uid_bits_to_uuid(
		uidext_internal.uid_bits(id COLLATE "C", uidext_internal.uid_scheme(scheme COLLATE "C")),
		uidext_internal.uid_scheme(scheme COLLATE "C"));
-- [both]
COMMENT ON FUNCTION uid_to_uuid(text, text) IS
	'the id as a uuid: its own 128 bits, else a UUIDv7 of the same time and order; raises 22P02 and 22023 as uid_time()';

-- [c]
CREATE FUNCTION uid_to_uuid(id bigint, scheme text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uid_to_uuid_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uid_to_uuid(id bigint, scheme text) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.uid_bits_to_uuid(
		uidext_internal.uid_bits(id, uidext_internal.uid_bigint_scheme(scheme COLLATE "C")),
		uidext_internal.uid_bigint_scheme(scheme COLLATE "C"));
-- [both]
COMMENT ON FUNCTION uid_to_uuid(bigint, text) IS
	'the 64-bit id as a UUIDv7 of the same time and order; raises 22003 and 22023 as uid_time()';

-- [c]
CREATE FUNCTION uid_from_uuid(id uuid, scheme text) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_uid_from_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uid_from_uuid(id uuid, scheme text) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uidext_internal.uid_format(
		uidext_internal.uid_uuid_bits(id, uidext_internal.uid_scheme(scheme COLLATE "C")),
		uidext_internal.uid_scheme(scheme COLLATE "C"));
-- [both]
COMMENT ON FUNCTION uid_from_uuid(uuid, text) IS
	'inverse of uid_to_uuid(); NULL for a uuid that uid_to_uuid() does not make; raises 22023 for schemes whose '
	'ids do not fit into a uuid';

-- [c]
CREATE FUNCTION uid_bigint_from_uuid(id uuid, scheme text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_uid_bigint_from_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
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
-- [both]
COMMENT ON FUNCTION uid_bigint_from_uuid(uuid, text) IS
	'inverse of uid_to_uuid() for 64-bit ids; NULL as uid_from_uuid(); raises 22023 for schemes of other ids, 22003 for an id beyond bigint';
