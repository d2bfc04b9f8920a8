-- Time predicates
--
-- The planner puts the body of each in its place: plain comparisons of ids, which
-- index conditions and partition pruning are made of.  Those that use an argument
-- twice are not STRICT, or they would stay calls, and stay calls where the
-- argument is a sub-select, volatile or costly.

-- before the predicates of several periods, whose bodies call it
CREATE FUNCTION uidext_internal.id_time(id uuid) RETURNS timestamptz
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE
		WHEN id = uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff' THEN timestamptz 'infinity'
		ELSE @extschema@.uuid_boundary_time(id)
	END;
END
$$;

CREATE FUNCTION uidext_internal.id_lt_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uidext_internal.uuid_boundary_at_or_after(at);

CREATE FUNCTION uidext_internal.id_le_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uidext_internal.uuid_boundary_after(at);

CREATE FUNCTION uidext_internal.id_ge_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_boundary_at_or_after(at);

CREATE FUNCTION uidext_internal.id_gt_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_boundary_after(at);

CREATE FUNCTION uidext_internal.id_in_tstzrange(id uuid, period tstzrange) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_range_lower(period) AND id < uidext_internal.uuid_range_upper(period);

CREATE FUNCTION uidext_internal.id_in_tstzmultirange(id uuid, periods tstzmultirange) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_range_lower(pg_catalog.range_merge(periods)) AND id < uidext_internal.uuid_range_upper(pg_catalog.range_merge(periods))
		AND periods OPERATOR(pg_catalog.@>) uidext_internal.id_time(id);

CREATE FUNCTION uidext_internal.timestamptz_lt_id(at timestamptz, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_boundary_after(at);

CREATE FUNCTION uidext_internal.timestamptz_le_id(at timestamptz, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_boundary_at_or_after(at);

CREATE FUNCTION uidext_internal.timestamptz_ge_id(at timestamptz, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uidext_internal.uuid_boundary_after(at);

CREATE FUNCTION uidext_internal.timestamptz_gt_id(at timestamptz, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uidext_internal.uuid_boundary_at_or_after(at);

CREATE FUNCTION uidext_internal.tstzrange_contains_id(period tstzrange, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_range_lower(period) AND id < uidext_internal.uuid_range_upper(period);

CREATE FUNCTION uidext_internal.tstzmultirange_contains_id(periods tstzmultirange, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_range_lower(pg_catalog.range_merge(periods)) AND id < uidext_internal.uuid_range_upper(pg_catalog.range_merge(periods))
		AND periods OPERATOR(pg_catalog.@>) uidext_internal.id_time(id);
