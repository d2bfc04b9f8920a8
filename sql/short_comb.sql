-- Short COMB, short suffix COMB and sequence COMB

CREATE FUNCTION gen_short_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_comb'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_short_comb(interval) IS
	'new short COMB: a version 4 of 16 bits that count intervals since 1970 and wrap (45.5 days of minutes), and 106 random bits; raises 22023 for an interval that is no whole, positive number of milliseconds';

CREATE FUNCTION gen_short_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_short_comb_at(timestamptz, interval) IS
	'new short COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities; 22023 as gen_short_comb()';

CREATE FUNCTION gen_short_suffix_comb(interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_suffix_comb'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_short_suffix_comb(interval) IS
	'new short suffix COMB: as gen_short_comb(), with the counter in b10 and b11, where SQL Server sorts first; raises 22023 as gen_short_comb()';

CREATE FUNCTION gen_short_suffix_comb_at(at timestamptz, interval_length interval DEFAULT '1 minute') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_short_suffix_comb_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_short_suffix_comb_at(timestamptz, interval) IS
	'new short suffix COMB of the given time; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities; 22023 as gen_short_comb()';

CREATE FUNCTION gen_sequence_comb(sequence regclass, block_size int DEFAULT 65536) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_sequence_comb'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION gen_sequence_comb(regclass, int) IS
	'new sequence COMB: a version 4 of 16 bits, nextval(sequence) / block_size modulo 65536, and 106 random bits; raises 22023 for a block_size below 1, 42809 and 2200H as nextval()';

CREATE FUNCTION short_comb_block(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_short_comb_block'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION short_comb_block(uuid) IS
	'block of a short or sequence COMB: first 16 bits of a version 4, 0 to 65535; NULL for other versions';

CREATE FUNCTION short_suffix_comb_block(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_short_suffix_comb_block'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION short_suffix_comb_block(uuid) IS
	'block of a short suffix COMB: b10 and b11 of a version 4, 0 to 65535; NULL for other versions';

CREATE FUNCTION short_comb_time(id uuid, near timestamptz, interval_length interval DEFAULT '1 minute') RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_short_comb_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION short_comb_time(uuid, timestamptz, interval) IS
	'start of the interval with the block of a short COMB, nearest to near (of two, the earlier); NULL for other versions than 4; raises 22008 for times outside 1970-01-01 to 10889-08-02, 22023 as gen_short_comb()';

CREATE FUNCTION short_comb_to_suffix(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_short_comb_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION short_comb_to_suffix(uuid) IS
	'short suffix COMB from a short COMB: b0-b1 and b10-b11 trade places, nothing is lost; raises 22023 for other versions than 4';

CREATE FUNCTION short_comb_from_suffix(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_short_comb_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION short_comb_from_suffix(uuid) IS
	'inverse of short_comb_to_suffix(); raises 22023 for other versions than 4';
