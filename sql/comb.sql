-- COMB and suffix COMB

CREATE FUNCTION gen_comb() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_comb'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_comb() IS
	'new COMB: a version 4 with Unix milliseconds in its first 48 bits, 12 bits of their fraction, and 62 random bits; greater than every earlier one of the session';

CREATE FUNCTION gen_comb_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_comb_at(timestamptz) IS
	'new COMB of the given time; no order within a millisecond; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

CREATE FUNCTION gen_suffix_comb() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_suffix_comb'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_suffix_comb() IS
	'new suffix COMB: a version 4 with Unix milliseconds in its last 48 bits, where SQL Server sorts first, and 74 random bits; no order within a millisecond';

CREATE FUNCTION gen_suffix_comb_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_suffix_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_suffix_comb_at(timestamptz) IS
	'new suffix COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

CREATE FUNCTION comb_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_comb_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION comb_time(uuid) IS
	'time of a COMB: first 48 bits of a version 4 as Unix milliseconds; NULL for other versions; any version 4 gives a time, only its maker knows whether it is a COMB';

CREATE FUNCTION suffix_comb_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_suffix_comb_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION suffix_comb_time(uuid) IS
	'time of a suffix COMB: last 48 bits of a version 4 as Unix milliseconds; NULL for other versions';

CREATE FUNCTION comb_to_suffix(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_comb_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_to_suffix(uuid) IS
	'suffix COMB from a COMB: b0-b5 and b10-b15 trade places, nothing is lost; raises 22023 for other versions than 4';

CREATE FUNCTION comb_from_suffix(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_comb_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_from_suffix(uuid) IS
	'inverse of comb_to_suffix(); raises 22023 for other versions than 4';
