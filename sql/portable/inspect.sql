-- What the bits of any id tell

CREATE FUNCTION uidext_internal.uuid_is_gregorian(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_is(id, 1) OR uidext_internal.uuid_is(id, 6) OR uidext_internal.uuid_is(id, 13);
COMMENT ON FUNCTION uidext_internal.uuid_is_gregorian(uuid) IS
	'whether an id is a v1, v6 or v13';

CREATE FUNCTION uidext_internal.uuid_is_boundary(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN substr(uuid_send(id), 7) = decode('00000000000000000000', 'hex')
		AND id <> uuid '00000000-0000-0000-0000-000000000000';
COMMENT ON FUNCTION uidext_internal.uuid_is_boundary(uuid) IS
	'whether the low 80 bits of an id are zero, and not all bits';

CREATE FUNCTION uuid_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN uidext_internal.uuid_is(id, 7) OR iuid_is_valid(id) OR uidext_internal.uuid_is_boundary(id)
			THEN uidext_internal.unix_ms_to_timestamptz(uidext_internal.uuid_unix_ms(id))
		WHEN uidext_internal.uuid_is_gregorian(id)
			THEN uidext_internal.uuid_gregorian_time(id)
	END;

CREATE FUNCTION uuid_inspect(id uuid) RETURNS uuid_info
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN id IS NOT NULL THEN ROW(
		CASE WHEN get_byte(uuid_send(id), 8) >> 6 = 2 THEN get_byte(uuid_send(id), 6) >> 4 END,
		(ARRAY['NCS', 'NCS', 'NCS', 'NCS', 'RFC 9562', 'RFC 9562', 'Microsoft', 'future'])[(get_byte(uuid_send(id), 8) >> 5) + 1],
		CASE
			WHEN id = uuid '00000000-0000-0000-0000-000000000000' THEN 'nil'
			WHEN id = uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff' THEN 'max'
			WHEN uidext_internal.uuid_is_boundary(id) THEN 'boundary'
			WHEN get_byte(uuid_send(id), 8) >> 6 <> 2 THEN 'unknown'
			WHEN iuid_is_valid(id) THEN 'iUID'
			ELSE CASE get_byte(uuid_send(id), 6) >> 4
				WHEN 1 THEN 'UUIDv1'
				WHEN 2 THEN 'UUIDv2'
				WHEN 3 THEN 'UUIDv3'
				WHEN 4 THEN 'UUIDv4 or COMB'
				WHEN 5 THEN 'UUIDv5'
				WHEN 6 THEN 'UUIDv6'
				WHEN 7 THEN 'UUIDv7'
				WHEN 8 THEN 'UUIDv8'
				WHEN 13 THEN 'Lambert v13'
				ELSE 'unknown'
			END
		END,
		uuid_time(id),
		comb_time(id),
		suffix_comb_time(id),
		short_comb_block(id),
		short_suffix_comb_block(id),
		iuid_country(id),
		iuid_service_entity(id),
		CASE WHEN uidext_internal.uuid_is_gregorian(id)
			THEN (get_byte(uuid_send(id), 8) & 63) << 8 | get_byte(uuid_send(id), 9)
		END,
		CASE WHEN uidext_internal.uuid_is_gregorian(id)
			THEN encode(substr(uuid_send(id), 11), 'hex')::macaddr
		END,
		CASE
			-- without the multicast bit the node is a network card's
			WHEN uidext_internal.uuid_is_gregorian(id) THEN CASE get_bit(uuid_send(id), 80::bigint) WHEN 1 THEN 61 ELSE 14 END
			WHEN uidext_internal.uuid_is(id, 4) THEN 122
			WHEN uidext_internal.uuid_is(id, 7) THEN 62
			WHEN iuid_is_valid(id) THEN 54
		END
	)::uuid_info END;
