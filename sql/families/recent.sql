-- Validation of ids that clients make. A wrong argument raises an error, whatever the other
-- arguments are.

-- [c]
CREATE FUNCTION uuid_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_is_recent'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
-- Both tolerances are checked before anything is compared.
CREATE FUNCTION uuid_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN id IS NULL OR past IS NULL OR future IS NULL OR at IS NULL THEN NULL
		WHEN pg_catalog.num_nulls(uidext_internal.interval_to_tolerance_us(past), uidext_internal.interval_to_tolerance_us(future)) > 0 THEN NULL
		ELSE coalesce(uidext_internal.timestamptz_to_unix_us(at) - uidext_internal.timestamptz_us(uuid_time(id))
			BETWEEN 0::bigint - uidext_internal.interval_to_tolerance_us(future) AND uidext_internal.interval_to_tolerance_us(past) + 999 - 999 * uidext_internal.uuid_is_gregorian(id)::int, false)
	END;
-- [both]
COMMENT ON FUNCTION uuid_is_recent(uuid, interval, interval, timestamptz) IS
	'whether an id was made from at - past to at + future: the tick of uuid_time(id) (1 us for v1, v6, v13, else '
	'1 ms) overlaps that span; false for an id without a time; raises 22023 for a negative tolerance or months, '
	'22008 for an at outside 1970-01-01 to 10889-08-02';

-- [c]
CREATE FUNCTION comb_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_comb_is_recent'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION comb_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN id IS NULL OR past IS NULL OR future IS NULL OR at IS NULL THEN NULL
		WHEN pg_catalog.num_nulls(uidext_internal.interval_to_tolerance_us(past), uidext_internal.interval_to_tolerance_us(future)) > 0 THEN NULL
		ELSE coalesce(uidext_internal.timestamptz_to_unix_us(at) - uidext_internal.timestamptz_us(comb_time(id))
			BETWEEN 0::bigint - uidext_internal.interval_to_tolerance_us(future) AND uidext_internal.interval_to_tolerance_us(past) + 999, false)
	END;
-- [both]
COMMENT ON FUNCTION comb_is_recent(uuid, interval, interval, timestamptz) IS
	'whether a COMB was made from at - past to at + future: the millisecond of comb_time(id) overlaps that span; '
	'false for versions other than 4; raises 22023 for a negative tolerance or months, 22008 for an at outside '
	'1970-01-01 to 10889-08-02';

-- [sql]
CREATE FUNCTION uidext_internal.short_comb_tolerance_us(tolerance interval, interval_length interval) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN tolerance IS NULL THEN 10000 * uidext_internal.interval_to_length_ms(interval_length)
		ELSE uidext_internal.interval_to_tolerance_us(tolerance)
	END;
COMMENT ON FUNCTION uidext_internal.short_comb_tolerance_us(interval, interval) IS
	'a tolerance in microseconds; ten lengths where it is NULL';

-- floor((at - past) / length). The whole lengths in past are subtracted separately, so that no
-- negative number is divided.
CREATE FUNCTION uidext_internal.short_comb_first(past interval, interval_length interval, at timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (uidext_internal.timestamptz_to_unix_us(at) + uidext_internal.interval_to_length_ms(interval_length) * 1000
			- uidext_internal.short_comb_tolerance_us(past, interval_length) % (uidext_internal.interval_to_length_ms(interval_length) * 1000))
		/ (uidext_internal.interval_to_length_ms(interval_length) * 1000)
		- uidext_internal.short_comb_tolerance_us(past, interval_length) / (uidext_internal.interval_to_length_ms(interval_length) * 1000) - 1;
COMMENT ON FUNCTION uidext_internal.short_comb_first(interval, interval, timestamptz) IS
	'number of the interval that holds at - past';

CREATE FUNCTION uidext_internal.short_comb_last(future interval, interval_length interval, at timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (uidext_internal.timestamptz_to_unix_us(at) + uidext_internal.short_comb_tolerance_us(future, interval_length))
		/ (uidext_internal.interval_to_length_ms(interval_length) * 1000);
COMMENT ON FUNCTION uidext_internal.short_comb_last(interval, interval, timestamptz) IS
	'number of the interval that holds at + future';

-- [c]
CREATE FUNCTION short_comb_is_recent(id uuid, past interval DEFAULT NULL, future interval DEFAULT NULL, interval_length interval DEFAULT '1 minute', at timestamptz DEFAULT now()) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_short_comb_is_recent'
	LANGUAGE C IMMUTABLE PARALLEL SAFE;

-- [sql]
-- The window is rounded up, so that it does not depend on where in a block at lies.
CREATE FUNCTION short_comb_is_recent(id uuid, past interval DEFAULT NULL, future interval DEFAULT NULL, interval_length interval DEFAULT '1 minute', at timestamptz DEFAULT now()) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN id IS NULL OR interval_length IS NULL OR at IS NULL THEN NULL
		WHEN pg_catalog.num_nulls(uidext_internal.interval_to_length_ms(interval_length), uidext_internal.short_comb_tolerance_us(past, interval_length),
			uidext_internal.short_comb_tolerance_us(future, interval_length), uidext_internal.timestamptz_to_unix_us(at)) > 0 THEN NULL
		WHEN (uidext_internal.short_comb_tolerance_us(past, interval_length) + uidext_internal.short_comb_tolerance_us(future, interval_length) - 1)
				/ (uidext_internal.interval_to_length_ms(interval_length) * 1000) + 2 >= 65536
			-- the value depends on all arguments of the condition, or it could raise an error
			-- during planning
			THEN uidext_internal.fail(uidext_internal.short_comb_tolerance_us(past, interval_length) + uidext_internal.short_comb_tolerance_us(future, interval_length)
					+ uidext_internal.interval_to_length_ms(interval_length), '22023',
				'tolerance covers all 65536 blocks and would accept every id',
				hint => 'Use shorter tolerances, or a longer interval_length.') IS NULL
		WHEN uidext_internal.uuid_is(id, 4)
			THEN (short_comb_block(id)::bigint - uidext_internal.short_comb_first(past, interval_length, at)) & 65535::bigint
				<= uidext_internal.short_comb_last(future, interval_length, at) - uidext_internal.short_comb_first(past, interval_length, at)
		ELSE false
	END;
-- [both]
COMMENT ON FUNCTION short_comb_is_recent(uuid, interval, interval, interval, timestamptz) IS
	'whether a short COMB can have been made from at - past to at + future: it has a block of that span, also '
	'across the wrap; so has an id that is older by a multiple of the wrap (45.5 days for minutes) and, by '
	'default, one random version 4 in 3,100; a tolerance that is left out or NULL is ten interval_lengths; false '
	'for versions other than 4; raises 22023 for a window of 65536 blocks or more, 22023 and 22008 as '
	'comb_is_recent()';
