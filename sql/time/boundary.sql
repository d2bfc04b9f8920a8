-- Boundaries in time
--
-- Functions that read a boundary are inlined. Functions that make one are not, so that plans show
-- their names, and an index condition calls them once. They are in PL/pgSQL, because an SQL
-- function that is not inlined is planned again for each call from another such function.

-- [sql]
CREATE FUNCTION uidext_internal.uuid_boundary_of(bits bigint) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN rpad(lpad(to_hex(bits), 12, '0'), 32, '0')::uuid;
COMMENT ON FUNCTION uidext_internal.uuid_boundary_of(bigint) IS
	'48 bits and 80 zeros';

-- [c]
CREATE FUNCTION uuid_boundary(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
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
-- [both]
COMMENT ON FUNCTION uuid_boundary(timestamptz) IS
	'boundary below every v4, v7 and v8 id of that millisecond: Unix milliseconds (floor) and 80 zero bits; nil UUID for -infinity, max UUID for infinity; raises 22008 for times outside 1970-01-01 to 10889-08-02';

-- [c]
CREATE FUNCTION uuid_boundary_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uuid_boundary_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.unix_ms_to_timestamptz(uidext_internal.uuid_unix_ms(id));
-- [both]
COMMENT ON FUNCTION uuid_boundary_time(uuid) IS
	'first 48 bits read as Unix milliseconds, whatever the version; 1970-01-01 to 10889-08-02';

-- [c]
CREATE FUNCTION iuid_boundary(at timestamptz) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION iuid_boundary(at timestamptz) RETURNS iuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uuid_boundary(at)::iuid;
-- [both]
COMMENT ON FUNCTION iuid_boundary(timestamptz) IS
	'uuid_boundary() as an iuid; raises 22008 for times outside 1970-01-01 to 10889-08-02';

-- [c]
CREATE FUNCTION uuidv6_boundary(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuidv6_boundary'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- [sql]
CREATE FUNCTION uuidv6_boundary(at timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN at = timestamptz '-infinity' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at = timestamptz 'infinity' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.uuid_boundary_of(uidext_internal.timestamptz_to_gregorian(at) >> 12)
	END;
-- [both]
COMMENT ON FUNCTION uuidv6_boundary(timestamptz) IS
	'boundary below every v6 and v13 id of that time: top 48 bits of the Gregorian timestamp (floor, 409.6 us) and 80 zero bits; read it with uuidv6_boundary_time(); raises 22008 for times outside 1970-01-01 to 5236-03-31';

-- [c]
CREATE FUNCTION uuidv6_boundary_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuidv6_boundary_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
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
-- [both]
COMMENT ON FUNCTION uuidv6_boundary_time(uuid) IS
	'inverse of uuidv6_boundary() for whole milliseconds; of other values the first microsecond of the 409.6 us that the first 48 bits stand for, 1582-10-15 to 5236-03-31, whatever the version';

-- [c]
CREATE FUNCTION uidext_internal.uuid_boundary_at_or_after(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary_at_or_after'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
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
-- [both]
COMMENT ON FUNCTION uidext_internal.uuid_boundary_at_or_after(timestamptz) IS
	'boundary of the first millisecond not before a time: time >= at is id >= this; nil UUID before 1970, max UUID after 10889';

-- [c]
CREATE FUNCTION uidext_internal.uuid_boundary_after(at timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_boundary_after'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
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
-- [both]
COMMENT ON FUNCTION uidext_internal.uuid_boundary_after(timestamptz) IS
	'boundary of the first millisecond after a time: time > at is id >= this; nil UUID before 1970, max UUID after 10889';

-- [c]
CREATE FUNCTION uidext_internal.uuid_range_lower(period tstzrange) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_range_lower'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
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
-- [both]
COMMENT ON FUNCTION uidext_internal.uuid_range_lower(tstzrange) IS
	'lower bound of a period: time in period is id >= this and id < uidext_internal.uuid_range_upper(period); max UUID for an empty range';

-- [c]
CREATE FUNCTION uidext_internal.uuid_range_upper(period tstzrange) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_range_upper'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
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
-- [both]
COMMENT ON FUNCTION uidext_internal.uuid_range_upper(tstzrange) IS
	'upper bound of a period, not included: see uidext_internal.uuid_range_lower(); nil UUID for an empty range';

-- [c]
CREATE CAST (uuid AS timestamptz) WITH FUNCTION uuid_time(uuid);
COMMENT ON CAST (uuid AS timestamptz) IS 'uuid_time()';

CREATE CAST (timestamptz AS uuid) WITH FUNCTION uuid_boundary(timestamptz);
COMMENT ON CAST (timestamptz AS uuid) IS 'uuid_boundary()';

-- not uuid_time(uuid), because pg_upgrade creates this cast before the one from iuid to uuid
CREATE FUNCTION uidext_internal.iuid_time(id iuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuid_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_time(iuid) IS 'uuid_time() of an iuid, for the cast';
CREATE CAST (iuid AS timestamptz) WITH FUNCTION uidext_internal.iuid_time(iuid);
COMMENT ON CAST (iuid AS timestamptz) IS 'uuid_time()';

CREATE CAST (timestamptz AS iuid) WITH FUNCTION iuid_boundary(timestamptz);
COMMENT ON CAST (timestamptz AS iuid) IS 'iuid_boundary()';
