-- Time predicates on ULIDs: those of predicates.sql, overloaded

CREATE FUNCTION uidext_internal.id_lt_timestamptz(id ulid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id < uuid_to_ulid(uidext_internal.uuid_boundary_at_or_after(at));

CREATE FUNCTION uidext_internal.id_le_timestamptz(id ulid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id < uuid_to_ulid(uidext_internal.uuid_boundary_after(at));

CREATE FUNCTION uidext_internal.id_ge_timestamptz(id ulid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_to_ulid(uidext_internal.uuid_boundary_at_or_after(at));

CREATE FUNCTION uidext_internal.id_gt_timestamptz(id ulid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_to_ulid(uidext_internal.uuid_boundary_after(at));

CREATE FUNCTION uidext_internal.id_in_tstzrange(id ulid, period tstzrange) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_to_ulid(uidext_internal.uuid_range_lower(period)) AND id < uuid_to_ulid(uidext_internal.uuid_range_upper(period));

CREATE FUNCTION uidext_internal.id_in_tstzmultirange(id ulid, periods tstzmultirange) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_to_ulid(uidext_internal.uuid_range_lower(pg_catalog.range_merge(periods))) AND id < uuid_to_ulid(uidext_internal.uuid_range_upper(pg_catalog.range_merge(periods)))
		AND periods OPERATOR(pg_catalog.@>) uidext_internal.id_time(ulid_to_uuid(id));

CREATE FUNCTION uidext_internal.timestamptz_lt_id(at timestamptz, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_to_ulid(uidext_internal.uuid_boundary_after(at));

CREATE FUNCTION uidext_internal.timestamptz_le_id(at timestamptz, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_to_ulid(uidext_internal.uuid_boundary_at_or_after(at));

CREATE FUNCTION uidext_internal.timestamptz_ge_id(at timestamptz, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id < uuid_to_ulid(uidext_internal.uuid_boundary_after(at));

CREATE FUNCTION uidext_internal.timestamptz_gt_id(at timestamptz, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id < uuid_to_ulid(uidext_internal.uuid_boundary_at_or_after(at));

CREATE FUNCTION uidext_internal.tstzrange_contains_id(period tstzrange, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_to_ulid(uidext_internal.uuid_range_lower(period)) AND id < uuid_to_ulid(uidext_internal.uuid_range_upper(period));

CREATE FUNCTION uidext_internal.tstzmultirange_contains_id(periods tstzmultirange, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_to_ulid(uidext_internal.uuid_range_lower(pg_catalog.range_merge(periods))) AND id < uuid_to_ulid(uidext_internal.uuid_range_upper(pg_catalog.range_merge(periods)))
		AND periods OPERATOR(pg_catalog.@>) uidext_internal.id_time(ulid_to_uuid(id));
