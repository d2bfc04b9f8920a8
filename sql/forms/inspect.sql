-- The fields of any id

CREATE TYPE uuid_info AS (
	version int,
	variant text,
	layout text,
	"time" timestamptz,
	comb_time timestamptz,
	suffix_comb_time timestamptz,
	short_comb_block int,
	short_suffix_comb_block int,
	country int,
	service_entity int,
	clock_seq int,
	node macaddr,
	random_bits int,
	count_100ns bigint,
	swapped_by text,
	unswapped uuid
);
COMMENT ON TYPE uuid_info IS
	'all fields of a UUID; a column is NULL if the layout has no such field';
COMMENT ON COLUMN uuid_info.version IS 'version, 0 to 15; NULL when the variant is not that of RFC 9562';
COMMENT ON COLUMN uuid_info.variant IS 'NCS, RFC 9562, Microsoft or future';
COMMENT ON COLUMN uuid_info.layout IS 'UUIDv1 to UUIDv8, "UUIDv4 or COMB", ULID, iUID, "iUID, layout 1" and so on, of which no more than the time is known, Lambert v13, boundary, nil, max or unknown';
COMMENT ON COLUMN uuid_info."time" IS 'as uuid_time()';
COMMENT ON COLUMN uuid_info.comb_time IS 'the creation time if this version 4 is a COMB; else meaningless';
COMMENT ON COLUMN uuid_info.suffix_comb_time IS 'the creation time if this version 4 is a suffix COMB; else meaningless';
COMMENT ON COLUMN uuid_info.short_comb_block IS 'the block, 0 to 65535, if this version 4 is a short or sequence COMB; else meaningless';
COMMENT ON COLUMN uuid_info.short_suffix_comb_block IS 'the block, 0 to 65535, if this version 4 is a short suffix COMB; else meaningless';
COMMENT ON COLUMN uuid_info.country IS 'country of an iUID, 0 to 255';
COMMENT ON COLUMN uuid_info.service_entity IS 'service entity of an iUID, 0 to 255';
COMMENT ON COLUMN uuid_info.clock_seq IS 'clock sequence of a v1, v6 or v13, 0 to 16383';
COMMENT ON COLUMN uuid_info.node IS 'node of a v1, v6 or v13; a network card''s address unless its multicast bit (01:00:00:00:00:00) is set';
COMMENT ON COLUMN uuid_info.random_bits IS
	'how many bits are random in an id of this layout, as the C edition makes it in a new tick, or '
	'gen_random_uuid() a version 4; ids of other programs may have more, up to 54 in an iUID and 74 in a UUIDv7; '
	'NULL if the layout does not say';
COMMENT ON COLUMN uuid_info.count_100ns IS 'the timestamp of a v1, v6 or v13 as it is: 100 ns since 1582-10-15';
COMMENT ON COLUMN uuid_info.swapped_by IS 'SQL Server or MySQL, whose byte order gives the id a time between 2000 and 2049; NULL for an id that has such a time as it is, and for versions 3, 4 and 5';
COMMENT ON COLUMN uuid_info.unswapped IS
	'the id with its bytes in the usual order, if swapped_by is known; pass it to uuid_inspect()';

-- [sql]
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

-- [c]
CREATE FUNCTION uuid_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuid_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uuid_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN uidext_internal.uuid_is(id, 7) OR iuid_version(id) IS NOT NULL OR uidext_internal.uuid_is_boundary(id)
			THEN uidext_internal.unix_ms_to_timestamptz(uidext_internal.uuid_unix_ms(id))
		WHEN uidext_internal.uuid_is_gregorian(id)
			THEN uidext_internal.uuid_gregorian_time(id)
	END;
-- [both]
COMMENT ON FUNCTION uuid_time(uuid) IS
	'creation time in a v1, v6, v7, v13 or iUID (also of later layouts), and the time of a boundary value; '
	'floored to 1 us (v1, v6, v13) or 1 ms; NULL for every other layout';

-- [sql]
CREATE FUNCTION uidext_internal.uuid_has_plausible_time(id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN get_byte(uuid_send(id), 8) >> 6 = 2
		AND coalesce(uuid_time(id) >= timestamptz '2000-01-01 00:00:00+00' AND uuid_time(id) < timestamptz '2050-01-01 00:00:00+00', false);
COMMENT ON FUNCTION uidext_internal.uuid_has_plausible_time(uuid) IS
	'whether the time in an id is a plausible one, from 2000 to 2049';

CREATE FUNCTION uidext_internal.uuid_swapped_by(id uuid) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN uidext_internal.uuid_is(id, 3) OR uidext_internal.uuid_is(id, 4) OR uidext_internal.uuid_is(id, 5)
			OR uidext_internal.uuid_has_plausible_time(id) THEN NULL
		WHEN uidext_internal.uuid_has_plausible_time(uuid_from_sqlserver(id)) THEN 'SQL Server'
		WHEN uidext_internal.uuid_has_plausible_time(bin_to_uuid(uuid_send(id), true)) THEN 'MySQL'
	END;
COMMENT ON FUNCTION uidext_internal.uuid_swapped_by(uuid) IS
	'the database in whose order the bytes of an id are';

CREATE FUNCTION uidext_internal.uuid_layout(id uuid) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN id = uuid '00000000-0000-0000-0000-000000000000' THEN 'nil'
		WHEN id = uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff' THEN 'max'
		WHEN uidext_internal.uuid_is_boundary(id) THEN 'boundary'
		WHEN get_byte(uuid_send(id), 8) >> 6 <> 2 THEN 'unknown'
		WHEN iuid_is_valid(id) THEN 'iUID'
		WHEN iuid_version(id) IS NOT NULL THEN 'iUID, layout ' || iuid_version(id)::text
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
	END;
COMMENT ON FUNCTION uidext_internal.uuid_layout(uuid) IS
	'the name of an id''s layout, as uuid_inspect() has it';

-- [c]
CREATE FUNCTION uuid_inspect(id uuid) RETURNS uuid_info
	AS 'MODULE_PATHNAME', 'uidext_uuid_inspect'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uuid_inspect(id uuid) RETURNS uuid_info
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN id IS NOT NULL THEN ROW(
		CASE WHEN get_byte(uuid_send(id), 8) >> 6 = 2 THEN get_byte(uuid_send(id), 6) >> 4 END,
		(ARRAY['NCS', 'NCS', 'NCS', 'NCS', 'RFC 9562', 'RFC 9562', 'Microsoft', 'future'])[(get_byte(uuid_send(id), 8) >> 5) + 1],
		uidext_internal.uuid_layout(id),
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
			WHEN iuid_is_valid(id) THEN 48
		END,
		CASE WHEN uidext_internal.uuid_is_gregorian(id) THEN uidext_internal.uuid_gregorian(id) END,
		uidext_internal.uuid_swapped_by(id),
		CASE uidext_internal.uuid_swapped_by(id)
			WHEN 'SQL Server' THEN uuid_from_sqlserver(id)
			WHEN 'MySQL' THEN bin_to_uuid(uuid_send(id), true)
		END
	)::uuid_info END;
-- [both]
COMMENT ON FUNCTION uuid_inspect(uuid) IS
	'all fields of an id, one column for each; a version 4 may be a COMB, so there are columns for each kind of '
	'COMB';
