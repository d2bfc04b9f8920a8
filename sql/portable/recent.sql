-- Validation of ids made elsewhere
--
-- As in C, what is wrong with an argument raises whatever the others are: both
-- tolerances are asked for before anything is compared.

CREATE FUNCTION uuid_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN id IS NULL OR past IS NULL OR future IS NULL OR at IS NULL THEN NULL
		WHEN pg_catalog.num_nulls(uidext_internal.interval_to_tolerance_us(past), uidext_internal.interval_to_tolerance_us(future)) > 0 THEN NULL
		ELSE coalesce(uidext_internal.timestamptz_to_unix_us(at) - uidext_internal.timestamptz_us(uuid_time(id))
			BETWEEN 0::bigint - uidext_internal.interval_to_tolerance_us(future) AND uidext_internal.interval_to_tolerance_us(past), false)
	END;

CREATE FUNCTION comb_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', at timestamptz DEFAULT now()) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN id IS NULL OR past IS NULL OR future IS NULL OR at IS NULL THEN NULL
		WHEN pg_catalog.num_nulls(uidext_internal.interval_to_tolerance_us(past), uidext_internal.interval_to_tolerance_us(future)) > 0 THEN NULL
		ELSE coalesce(uidext_internal.timestamptz_to_unix_us(at) - uidext_internal.timestamptz_us(comb_time(id))
			BETWEEN 0::bigint - uidext_internal.interval_to_tolerance_us(future) AND uidext_internal.interval_to_tolerance_us(past), false)
	END;

-- first = floor((at - past) / length), last = floor((at + future) / length), with
-- the past's whole lengths apart, so that nothing divided is negative.
CREATE FUNCTION short_comb_is_recent(id uuid, past interval DEFAULT '10 minutes', future interval DEFAULT '10 minutes', interval_length interval DEFAULT '1 minute', at timestamptz DEFAULT now()) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT CASE
		-- rounded up, so that it does not depend on where in a block at lies
		WHEN (g.past_us + g.future_us + g.length_us - 1) / g.length_us + 1 >= 65536
			THEN uidext_internal.fail(g.at_us, '22023', 'tolerance covers all 65536 blocks and would accept every id',
				hint => 'Use shorter tolerances, or a longer interval_length.') IS NULL
		WHEN uidext_internal.uuid_is(id, 4)
			THEN (short_comb_block(id)::bigint - b.first_block) & 65535::bigint <= b.last_block - b.first_block
		ELSE false
	END
	FROM (SELECT uidext_internal.interval_to_tolerance_us(past), uidext_internal.interval_to_tolerance_us(future),
			uidext_internal.interval_to_length_ms(interval_length) * 1000, uidext_internal.timestamptz_to_unix_us(at)
		OFFSET 0) g(past_us, future_us, length_us, at_us),
		LATERAL (SELECT (g.at_us + g.length_us - g.past_us % g.length_us) / g.length_us - g.past_us / g.length_us - 1,
			(g.at_us + g.future_us) / g.length_us
		) b(first_block, last_block);
END;
