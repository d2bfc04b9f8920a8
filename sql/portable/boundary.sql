-- Boundaries in time
--
-- What makes a boundary is STRICT around a CASE, so that it stays a call: plans
-- show its name, and an index condition asks it once.  Readers are inlined.

-- By way of intervals, because sums with a timestamptz are not IMMUTABLE.  Cut to
-- milliseconds first: so many a float8 holds exactly.
CREATE FUNCTION uidext_internal.uuid_boundary_of(since_1970 interval) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN rpad(lpad(to_hex((date_part('epoch', date_trunc('milliseconds', since_1970)) * 1000::float8)::bigint), 12, '0'), 32, '0')::uuid;
COMMENT ON FUNCTION uidext_internal.uuid_boundary_of(interval) IS
	'boundary of a time since 1970-01-01, which it must not be before, nor after 10889-08-02';

CREATE FUNCTION uuid_boundary(at timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN at >= timestamptz '1970-01-01 00:00+00' AND at < timestamptz '10889-08-02 05:31:50.656+00'
			THEN uidext_internal.uuid_boundary_of(at - timestamptz '1970-01-01 00:00+00')
		WHEN at = timestamptz '-infinity' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at = timestamptz 'infinity' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.fail(CASE WHEN isfinite(at) THEN uuid '00000000-0000-0000-0000-000000000000' END, '22008',
			'timestamp out of range for a UUID',
			'A UUID holds times from 1970-01-01 00:00:00+00 to 10889-08-02 05:31:50.655999+00.')
	END;

-- The factors are powers of two times a whole millisecond: nothing is rounded.
CREATE FUNCTION uuid_boundary_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (timestamp '1970-01-01 00:00'
		+ ('x' || "left"(id::text, 8))::bit(32)::bigint::float8 * interval '65.536 s'
		+ ('x' || substr(id::text, 10, 4))::bit(16)::int::float8 * interval '0.001 s') AT TIME ZONE interval '0';

CREATE FUNCTION iuid_boundary(at timestamptz) RETURNS iuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uuid_boundary(at)::iuid;

CREATE FUNCTION uuidv6_boundary(at timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN at >= timestamptz '1970-01-01 00:00+00' AND at <= timestamptz '5236-03-31 21:21:00.684697+00'
			THEN rpad(lpad(to_hex((122192928000000000
				+ (EXTRACT(epoch FROM at - timestamptz '1970-01-01 00:00+00') * 10000000::numeric)::bigint) >> 12), 12, '0'), 32, '0')::uuid
		WHEN at = timestamptz '-infinity' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at = timestamptz 'infinity' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.fail(CASE WHEN isfinite(at) THEN uuid '00000000-0000-0000-0000-000000000000' END, '22008',
			'timestamp out of range for a UUID',
			'UUID versions 1, 6 and 13 hold times from 1970-01-01 00:00:00+00 to 5236-03-31 21:21:00.684697+00.')
	END;

-- Of the 4096 counts that share the first 48 bits the one on a whole millisecond,
-- if there is one, else the first on a whole microsecond.
CREATE FUNCTION uuidv6_boundary_time(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT (timestamp '1582-10-15 00:00' + pg_catalog.make_interval(
			days => (t.us / 86400000000)::int, secs => (t.us % 86400000000)::float8 / 1000000::float8)) AT TIME ZONE interval '0'
	FROM (SELECT ('x' || "left"(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint * 4096::bigint) f(first),
		LATERAL (SELECT CASE
			WHEN (f.first + 9999::bigint) / 10000::bigint * 10000::bigint < f.first + 4096::bigint
				THEN (f.first + 9999::bigint) / 10000::bigint * 1000::bigint
			ELSE (f.first + 9::bigint) / 10::bigint
		END) t(us);
END;

CREATE FUNCTION uidext_internal.uuid_boundary_at_or_after(at timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN at <= timestamptz '1970-01-01 00:00+00' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at > timestamptz '10889-08-02 05:31:50.655+00' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.uuid_boundary_of(at - timestamptz '1970-01-01 00:00+00' + interval '0.000999 s')
	END;

CREATE FUNCTION uidext_internal.uuid_boundary_after(at timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN at < timestamptz '1970-01-01 00:00+00' THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN at >= timestamptz '10889-08-02 05:31:50.655+00' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		ELSE uidext_internal.uuid_boundary_of(at - timestamptz '1970-01-01 00:00+00' + interval '0.001 s')
	END;

CREATE FUNCTION uidext_internal.uuid_range_lower(period tstzrange) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN pg_catalog.isempty(period) THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		WHEN pg_catalog.lower_inf(period) THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN pg_catalog.lower_inc(period) THEN uidext_internal.uuid_boundary_at_or_after(pg_catalog.lower(period))
		ELSE uidext_internal.uuid_boundary_after(pg_catalog.lower(period))
	END;

CREATE FUNCTION uidext_internal.uuid_range_upper(period tstzrange) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN pg_catalog.isempty(period) THEN uuid '00000000-0000-0000-0000-000000000000'
		WHEN pg_catalog.upper_inf(period) THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
		WHEN pg_catalog.upper_inc(period) THEN uidext_internal.uuid_boundary_after(pg_catalog.upper(period))
		ELSE uidext_internal.uuid_boundary_at_or_after(pg_catalog.upper(period))
	END;
