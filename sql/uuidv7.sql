-- UUIDv7

CREATE FUNCTION gen_uuidv7() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv7'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv7() IS
	'new UUIDv7: Unix milliseconds, 12 bits of their fraction, 62 random bits; greater than every earlier one of the session';

CREATE FUNCTION gen_uuidv7(shift interval) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv7_shift'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv7(interval) IS
	'new UUIDv7 of the current time plus shift, by the calendar of UTC; keeps the session''s order among ids of one shift without months; raises 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION gen_uuidv7_at(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_uuidv7_at'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv7_at(timestamptz) IS
	'new UUIDv7 of the given time (microseconds count); no order within 1/4096 ms; raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities';

CREATE FUNCTION gen_ordered_uuidv7() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_gen_ordered_uuidv7'
	LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_ordered_uuidv7() IS
	'new UUIDv7 greater than every earlier one of all sessions of the server: Unix time to 1/65536 ms, 58 random bits; raises 55000 before PostgreSQL 17 without shared_preload_libraries';

CREATE FUNCTION uuidv7_is_valid(id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuidv7_is_valid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuidv7_is_valid(uuid) IS
	'whether version and variant are those of a UUIDv7';
