-- Time predicates

-- [c]
-- The planner calls id_predicate_support() for each call of one of these functions, and gets plain
-- comparisons of ids, which serve index conditions and partition pruning. Another type of id,
-- binary coercible to and from uuid, has the same predicates once these functions are overloaded
-- for it.

CREATE FUNCTION uidext_internal.id_predicate_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'uidext_id_predicate_support'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.id_predicate_support(internal) IS
	'for the planner: the comparisons of ids that a time predicate stands for';

-- [sql]
-- The planner inlines the body of each function: plain comparisons of ids, which serve index
-- conditions and partition pruning. Functions that use an argument twice are not STRICT, because
-- otherwise they would not be inlined. They are not inlined either if the argument is a sub-select,
-- volatile or costly.
--
-- multirange_contains_elem() is the function of PostgreSQL's operator @>. Of what a function passes,
-- PostgreSQL expects a third, and of what the operator passes, as the id's time is no column, a
-- hundredth.

-- [both]
-- An operator on tstzrange itself would be the best match for tstzrange @> '...', before PostgreSQL
-- decides that the literal is a tstzrange.

CREATE DOMAIN uidext_internal.period AS tstzrange;
COMMENT ON DOMAIN uidext_internal.period IS
	'a tstzrange in operators: a domain is not an exact match, so that PostgreSQL still resolves tstzrange @> '
	'''...'' as before';

CREATE DOMAIN uidext_internal.periods AS tstzmultirange;
COMMENT ON DOMAIN uidext_internal.periods IS
	'a tstzmultirange in operators: a domain is not an exact match, so that PostgreSQL still resolves '
	'tstzmultirange @> ''...'' as before';

-- [c]
CREATE FUNCTION uidext_internal.id_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_id_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
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
-- [both]
COMMENT ON FUNCTION uidext_internal.id_time(uuid) IS
	'the time that predicates compare: as uuid_boundary_time(), but infinity for the max UUID, which counts as '
	'later: it is not <= infinity, and not in any period';

-- [c]
CREATE FUNCTION uidext_internal.id_lt_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_lt_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.id_lt_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uidext_internal.uuid_boundary_at_or_after(at);
-- [both]
COMMENT ON FUNCTION uidext_internal.id_lt_timestamptz(uuid, timestamptz) IS
	'implementation of uuid < timestamptz: whether the id''s millisecond is before the time';

-- [c]
CREATE FUNCTION uidext_internal.id_le_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_le_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.id_le_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uidext_internal.uuid_boundary_after(at);
-- [both]
COMMENT ON FUNCTION uidext_internal.id_le_timestamptz(uuid, timestamptz) IS
	'implementation of uuid <= timestamptz: whether the id''s millisecond is at or before the time';

-- [c]
CREATE FUNCTION uidext_internal.id_ge_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_ge_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.id_ge_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_boundary_at_or_after(at);
-- [both]
COMMENT ON FUNCTION uidext_internal.id_ge_timestamptz(uuid, timestamptz) IS
	'implementation of uuid >= timestamptz: whether the id''s millisecond is at or after the time';

-- [c]
CREATE FUNCTION uidext_internal.id_gt_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_gt_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.id_gt_timestamptz(id uuid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_boundary_after(at);
-- [both]
COMMENT ON FUNCTION uidext_internal.id_gt_timestamptz(uuid, timestamptz) IS
	'implementation of uuid > timestamptz: whether the id''s millisecond is after the time';

-- [c]
CREATE FUNCTION uidext_internal.id_in_tstzrange(id uuid, period uidext_internal.period) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_in_tstzrange'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.id_in_tstzrange(id uuid, period uidext_internal.period) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_range_lower(period) AND id < uidext_internal.uuid_range_upper(period);
-- [both]
COMMENT ON FUNCTION uidext_internal.id_in_tstzrange(uuid, uidext_internal.period) IS
	'implementation of uuid <@ tstzrange: whether the id''s millisecond lies in the period';

-- [c]
CREATE FUNCTION uidext_internal.id_in_tstzmultirange(id uuid, periods uidext_internal.periods) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_in_tstzmultirange'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.id_in_tstzmultirange(id uuid, periods uidext_internal.periods) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_range_lower(pg_catalog.range_merge(periods)) AND id < uidext_internal.uuid_range_upper(pg_catalog.range_merge(periods))
		AND pg_catalog.multirange_contains_elem(periods, uidext_internal.id_time(id));
-- [both]
COMMENT ON FUNCTION uidext_internal.id_in_tstzmultirange(uuid, uidext_internal.periods) IS
	'implementation of uuid <@ tstzmultirange: whether the id''s millisecond lies in one of the periods';

-- [c]
CREATE FUNCTION uidext_internal.id_in_periods_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'uidext_id_in_periods_support'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.id_in_periods_support(internal) IS
	'for the planner: how many ids between the first period and the last lie in a period';

-- The same C function under another name, because the planner must not replace it again.
CREATE FUNCTION uidext_internal.id_in_periods(id uuid, periods tstzmultirange) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_in_tstzmultirange'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_in_periods_support;
COMMENT ON FUNCTION uidext_internal.id_in_periods(uuid, tstzmultirange) IS
	'what the planner checks of id <@ periods beyond the first start and the last end';

-- [c]
CREATE FUNCTION uidext_internal.timestamptz_lt_id(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_lt_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.timestamptz_lt_id(at timestamptz, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_boundary_after(at);
-- [both]
COMMENT ON FUNCTION uidext_internal.timestamptz_lt_id(timestamptz, uuid) IS
	'implementation of timestamptz < uuid: whether the time is before the id''s millisecond';

-- [c]
CREATE FUNCTION uidext_internal.timestamptz_le_id(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_le_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.timestamptz_le_id(at timestamptz, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_boundary_at_or_after(at);
-- [both]
COMMENT ON FUNCTION uidext_internal.timestamptz_le_id(timestamptz, uuid) IS
	'implementation of timestamptz <= uuid: whether the time is at or before the id''s millisecond';

-- [c]
CREATE FUNCTION uidext_internal.timestamptz_ge_id(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_ge_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.timestamptz_ge_id(at timestamptz, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uidext_internal.uuid_boundary_after(at);
-- [both]
COMMENT ON FUNCTION uidext_internal.timestamptz_ge_id(timestamptz, uuid) IS
	'implementation of timestamptz >= uuid: whether the time is at or after the id''s millisecond';

-- [c]
CREATE FUNCTION uidext_internal.timestamptz_gt_id(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_gt_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.timestamptz_gt_id(at timestamptz, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id < uidext_internal.uuid_boundary_at_or_after(at);
-- [both]
COMMENT ON FUNCTION uidext_internal.timestamptz_gt_id(timestamptz, uuid) IS
	'implementation of timestamptz > uuid: whether the time is after the id''s millisecond';

-- [c]
CREATE FUNCTION uidext_internal.tstzrange_contains_id(period uidext_internal.period, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_tstzrange_contains_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.tstzrange_contains_id(period uidext_internal.period, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_range_lower(period) AND id < uidext_internal.uuid_range_upper(period);
-- [both]
COMMENT ON FUNCTION uidext_internal.tstzrange_contains_id(uidext_internal.period, uuid) IS
	'implementation of tstzrange @> uuid: whether the id''s millisecond lies in the period';

-- [c]
CREATE FUNCTION uidext_internal.tstzmultirange_contains_id(periods uidext_internal.periods, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_tstzmultirange_contains_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.tstzmultirange_contains_id(periods uidext_internal.periods, id uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.uuid_range_lower(pg_catalog.range_merge(periods)) AND id < uidext_internal.uuid_range_upper(pg_catalog.range_merge(periods))
		AND pg_catalog.multirange_contains_elem(periods, uidext_internal.id_time(id));
-- [both]
COMMENT ON FUNCTION uidext_internal.tstzmultirange_contains_id(uidext_internal.periods, uuid) IS
	'implementation of tstzmultirange @> uuid: whether the id''s millisecond lies in one of the periods';

CREATE OPERATOR < (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_lt_timestamptz,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (uuid, timestamptz) IS
	'id made before the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <= (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_le_timestamptz,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (uuid, timestamptz) IS
	'id made at or before the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR >= (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_ge_timestamptz,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (uuid, timestamptz) IS
	'id made at or after the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR > (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_gt_timestamptz,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (uuid, timestamptz) IS
	'id made after the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR < (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uidext_internal.timestamptz_lt_id,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (timestamptz, uuid) IS
	'time before that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <= (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uidext_internal.timestamptz_le_id,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (timestamptz, uuid) IS
	'time at or before that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR >= (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uidext_internal.timestamptz_ge_id,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (timestamptz, uuid) IS
	'time at or after that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR > (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uidext_internal.timestamptz_gt_id,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (timestamptz, uuid) IS
	'time after that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <@ (
	LEFTARG = uuid, RIGHTARG = uidext_internal.period, FUNCTION = uidext_internal.id_in_tstzrange,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (uuid, uidext_internal.period) IS
	'id made within the period (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR @> (
	LEFTARG = uidext_internal.period, RIGHTARG = uuid, FUNCTION = uidext_internal.tstzrange_contains_id,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (uidext_internal.period, uuid) IS
	'period contains the time of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <@ (
	LEFTARG = uuid, RIGHTARG = uidext_internal.periods, FUNCTION = uidext_internal.id_in_tstzmultirange,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (uuid, uidext_internal.periods) IS
	'id made within one of the periods (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR @> (
	LEFTARG = uidext_internal.periods, RIGHTARG = uuid, FUNCTION = uidext_internal.tstzmultirange_contains_id,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (uidext_internal.periods, uuid) IS
	'one of the periods contains the time of the id (Unix-time layouts: v7, iUID, COMB)';
