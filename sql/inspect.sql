-- What the bits of any id tell

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
	random_bits int
);
COMMENT ON TYPE uuid_info IS
	'everything that the bits of a UUID tell; a column is NULL where the layout has no such field';
COMMENT ON COLUMN uuid_info.version IS 'version, 0 to 15; NULL when the variant is not that of RFC 9562';
COMMENT ON COLUMN uuid_info.variant IS 'NCS, RFC 9562, Microsoft or future';
COMMENT ON COLUMN uuid_info.layout IS 'UUIDv1 to UUIDv8, "UUIDv4 or COMB", iUID, Lambert v13, boundary, nil, max or unknown';
COMMENT ON COLUMN uuid_info."time" IS 'as uuid_time()';
COMMENT ON COLUMN uuid_info.comb_time IS 'the creation time if this version 4 is a COMB; else meaningless';
COMMENT ON COLUMN uuid_info.suffix_comb_time IS 'the creation time if this version 4 is a suffix COMB; else meaningless';
COMMENT ON COLUMN uuid_info.short_comb_block IS 'the block, 0 to 65535, if this version 4 is a short or sequence COMB; else meaningless';
COMMENT ON COLUMN uuid_info.short_suffix_comb_block IS 'the block, 0 to 65535, if this version 4 is a short suffix COMB; else meaningless';
COMMENT ON COLUMN uuid_info.country IS 'country of an iUID, 0 to 255';
COMMENT ON COLUMN uuid_info.service_entity IS 'service entity of an iUID, 0 to 255';
COMMENT ON COLUMN uuid_info.clock_seq IS 'clock sequence of a v1, v6 or v13, 0 to 16383';
COMMENT ON COLUMN uuid_info.node IS 'node of a v1, v6 or v13; a network card''s address unless its multicast bit (01:00:00:00:00:00) is set';
COMMENT ON COLUMN uuid_info.random_bits IS 'bits that are neither time, field, version nor variant: what an outsider has to guess at the most; NULL where the layout does not say';

CREATE FUNCTION uuid_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuid_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_time(uuid) IS
	'creation time in a v1, v6, v7, v13 or iUID, and the time of a boundary value; floored to 1 us (v1, v6, v13) or 1 ms; NULL for every other layout';

CREATE FUNCTION uuid_inspect(id uuid) RETURNS uuid_info
	AS 'MODULE_PATHNAME', 'uidext_uuid_inspect'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_inspect(uuid) IS
	'everything that the bits of an id tell, one column a field; a version 4 may be a COMB, so all its readings are given';
