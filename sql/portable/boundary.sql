-- Boundaries in time
--
-- Readers are inlined.  What makes a boundary stays a call: plans show its name, and
-- an index condition asks it once.  In PL/pgSQL, because SQL that is not inlined is
-- planned again for each call from other such SQL.

CREATE FUNCTION uidext_internal.uuid_boundary_of(bits bigint) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN rpad(lpad(to_hex(bits), 12, '0'), 32, '0')::uuid;
COMMENT ON FUNCTION uidext_internal.uuid_boundary_of(bigint) IS
	'48 bits and 80 zeros';

CREATE FUNCTION uuid_boundary(at timestamptz) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE
		WHEN at = timestamptz '-infinity' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at = timestamptz 'infinity' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.uuid_boundary_of(uidext_internal.timestamptz_to_unix_us(at) / 1000::bigint)
	END;
END
$$;

CREATE FUNCTION uuid_boundary_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.unix_ms_to_timestamptz(uidext_internal.uuid_unix_ms(id));

CREATE FUNCTION iuid_boundary(at timestamptz) RETURNS iuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uuid_boundary(at)::iuid;

CREATE FUNCTION uuidv6_boundary(at timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN at = timestamptz '-infinity' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at = timestamptz 'infinity' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.uuid_boundary_of(uidext_internal.timestamptz_to_gregorian(at) >> 12)
	END;

-- Of the 4096 counts that share the first 48 bits the one on a whole millisecond,
-- if there is one, else the first on a whole microsecond.
CREATE FUNCTION uuidv6_boundary_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT (timestamp '1582-10-15 00:00' + pg_catalog.make_interval(
			days => (t.us / 86400000000)::int, secs => (t.us % 86400000000)::float8 / 1000000::float8)) AT TIME ZONE interval '0'
	FROM (SELECT uidext_internal.uuid_unix_ms(id) * 4096::bigint) f(first),
		LATERAL (SELECT CASE
			WHEN (f.first + 9999::bigint) / 10000::bigint * 10000::bigint < f.first + 4096::bigint
				THEN (f.first + 9999::bigint) / 10000::bigint * 1000::bigint
			ELSE (f.first + 9::bigint) / 10::bigint
		END) t(us);
END;

CREATE FUNCTION uidext_internal.uuid_boundary_at_or_after(at timestamptz) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE
		WHEN at <= timestamptz '1970-01-01 00:00+00' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at > timestamptz '10889-08-02 05:31:50.655+00' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.uuid_boundary_of((uidext_internal.timestamptz_us(at) + 999::bigint) / 1000::bigint)
	END;
END
$$;

CREATE FUNCTION uidext_internal.uuid_boundary_after(at timestamptz) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE
		WHEN at < timestamptz '1970-01-01 00:00+00' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at >= timestamptz '10889-08-02 05:31:50.655+00' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.uuid_boundary_of(uidext_internal.timestamptz_us(at) / 1000::bigint + 1::bigint)
	END;
END
$$;

CREATE FUNCTION uidext_internal.uuid_range_lower(period tstzrange) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE
		WHEN pg_catalog.isempty(period) THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		WHEN pg_catalog.lower_inf(period) THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN pg_catalog.lower_inc(period) THEN uidext_internal.uuid_boundary_at_or_after(pg_catalog.lower(period))
		ELSE uidext_internal.uuid_boundary_after(pg_catalog.lower(period))
	END;
END
$$;

CREATE FUNCTION uidext_internal.uuid_range_upper(period tstzrange) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE
		WHEN pg_catalog.isempty(period) THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN pg_catalog.upper_inf(period) THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		WHEN pg_catalog.upper_inc(period) THEN uidext_internal.uuid_boundary_after(pg_catalog.upper(period))
		ELSE uidext_internal.uuid_boundary_at_or_after(pg_catalog.upper(period))
	END;
END
$$;
