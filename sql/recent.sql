-- Validation of ids made elsewhere

CREATE FUNCTION uuid_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_is_recent'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_is_recent(uuid, interval, interval, timestamptz) IS
	'whether uuid_time(id) lies from at - past to at + future; false for an id without a time; raises 22023 for a negative tolerance or months, 22008 for an at outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION comb_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_comb_is_recent'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_is_recent(uuid, interval, interval, timestamptz) IS
	'whether comb_time(id) lies from at - past to at + future; false for versions other than 4; raises 22023 for a negative tolerance or months, 22008 for an at outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION short_comb_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', interval_length interval DEFAULT '1 minute', at timestamptz DEFAULT now()) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_short_comb_is_recent'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION short_comb_is_recent(uuid, interval, interval, interval, timestamptz) IS
	'whether a short COMB made from at - past to at + future has this block, also across the wrap; false for other versions than 4; raises 22023 for a window of 65536 blocks or more, 22023 and 22008 as comb_is_recent()';
