-- Time predicates on ULIDs: those of predicates.sql, overloaded

-- [c]
CREATE FUNCTION uidext_internal.id_lt_timestamptz(id ulid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_lt_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.id_lt_timestamptz(id ulid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id < uidext_internal.base32_encode(uidext_internal.uuid_boundary_at_or_after(at));
-- [both]
COMMENT ON FUNCTION uidext_internal.id_lt_timestamptz(ulid, timestamptz) IS
	'implementation of ulid < timestamptz: whether the id''s millisecond is before the time';

-- [c]
CREATE FUNCTION uidext_internal.id_le_timestamptz(id ulid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_le_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.id_le_timestamptz(id ulid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id < uidext_internal.base32_encode(uidext_internal.uuid_boundary_after(at));
-- [both]
COMMENT ON FUNCTION uidext_internal.id_le_timestamptz(ulid, timestamptz) IS
	'implementation of ulid <= timestamptz: whether the id''s millisecond is at or before the time';

-- [c]
CREATE FUNCTION uidext_internal.id_ge_timestamptz(id ulid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_ge_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.id_ge_timestamptz(id ulid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.base32_encode(uidext_internal.uuid_boundary_at_or_after(at));
-- [both]
COMMENT ON FUNCTION uidext_internal.id_ge_timestamptz(ulid, timestamptz) IS
	'implementation of ulid >= timestamptz: whether the id''s millisecond is at or after the time';

-- [c]
CREATE FUNCTION uidext_internal.id_gt_timestamptz(id ulid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_gt_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.id_gt_timestamptz(id ulid, at timestamptz) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.base32_encode(uidext_internal.uuid_boundary_after(at));
-- [both]
COMMENT ON FUNCTION uidext_internal.id_gt_timestamptz(ulid, timestamptz) IS
	'implementation of ulid > timestamptz: whether the id''s millisecond is after the time';

-- [c]
CREATE FUNCTION uidext_internal.id_in_tstzrange(id ulid, period uidext_internal.period) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_in_tstzrange'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_in_tstzrange(ulid, uidext_internal.period) IS
	'implementation of ulid <@ tstzrange: whether the id''s millisecond lies in the period';

-- [c]
CREATE FUNCTION uidext_internal.id_in_tstzmultirange(id ulid, periods uidext_internal.periods) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_id_in_tstzmultirange'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.id_in_tstzmultirange(ulid, uidext_internal.periods) IS
	'implementation of ulid <@ tstzmultirange: whether the id''s millisecond lies in one of the periods';

-- [c]
CREATE FUNCTION uidext_internal.timestamptz_lt_id(at timestamptz, id ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_lt_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.timestamptz_lt_id(at timestamptz, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.base32_encode(uidext_internal.uuid_boundary_after(at));
-- [both]
COMMENT ON FUNCTION uidext_internal.timestamptz_lt_id(timestamptz, ulid) IS
	'implementation of timestamptz < ulid: whether the time is before the id''s millisecond';

-- [c]
CREATE FUNCTION uidext_internal.timestamptz_le_id(at timestamptz, id ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_le_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.timestamptz_le_id(at timestamptz, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uidext_internal.base32_encode(uidext_internal.uuid_boundary_at_or_after(at));
-- [both]
COMMENT ON FUNCTION uidext_internal.timestamptz_le_id(timestamptz, ulid) IS
	'implementation of timestamptz <= ulid: whether the time is at or before the id''s millisecond';

-- [c]
CREATE FUNCTION uidext_internal.timestamptz_ge_id(at timestamptz, id ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_ge_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.timestamptz_ge_id(at timestamptz, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id < uidext_internal.base32_encode(uidext_internal.uuid_boundary_after(at));
-- [both]
COMMENT ON FUNCTION uidext_internal.timestamptz_ge_id(timestamptz, ulid) IS
	'implementation of timestamptz >= ulid: whether the time is at or after the id''s millisecond';

-- [c]
CREATE FUNCTION uidext_internal.timestamptz_gt_id(at timestamptz, id ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_gt_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;

-- [sql]
CREATE FUNCTION uidext_internal.timestamptz_gt_id(at timestamptz, id ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id < uidext_internal.base32_encode(uidext_internal.uuid_boundary_at_or_after(at));
-- [both]
COMMENT ON FUNCTION uidext_internal.timestamptz_gt_id(timestamptz, ulid) IS
	'implementation of timestamptz > ulid: whether the time is after the id''s millisecond';

-- [c]
CREATE FUNCTION uidext_internal.tstzrange_contains_id(period uidext_internal.period, id ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_tstzrange_contains_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.tstzrange_contains_id(uidext_internal.period, ulid) IS
	'implementation of tstzrange @> ulid: whether the id''s millisecond lies in the period';

-- [c]
CREATE FUNCTION uidext_internal.tstzmultirange_contains_id(periods uidext_internal.periods, id ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_tstzmultirange_contains_id'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.id_predicate_support;
COMMENT ON FUNCTION uidext_internal.tstzmultirange_contains_id(uidext_internal.periods, ulid) IS
	'implementation of tstzmultirange @> ulid: whether the id''s millisecond lies in one of the periods';

-- [both]
CREATE OPERATOR < (
	LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_lt_timestamptz,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (ulid, timestamptz) IS
	'id made before the time';

CREATE OPERATOR <= (
	LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_le_timestamptz,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (ulid, timestamptz) IS
	'id made at or before the time';

CREATE OPERATOR >= (
	LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_ge_timestamptz,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (ulid, timestamptz) IS
	'id made at or after the time';

CREATE OPERATOR > (
	LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.id_gt_timestamptz,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (ulid, timestamptz) IS
	'id made after the time';

CREATE OPERATOR < (
	LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = uidext_internal.timestamptz_lt_id,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (timestamptz, ulid) IS
	'time before that of the id';

CREATE OPERATOR <= (
	LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = uidext_internal.timestamptz_le_id,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (timestamptz, ulid) IS
	'time at or before that of the id';

CREATE OPERATOR >= (
	LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = uidext_internal.timestamptz_ge_id,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (timestamptz, ulid) IS
	'time at or after that of the id';

CREATE OPERATOR > (
	LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = uidext_internal.timestamptz_gt_id,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (timestamptz, ulid) IS
	'time after that of the id';

-- [c]
-- Only in the C edition: with a domain over text, PostgreSQL would take the literal in tstzrange @>
-- '...' for that domain.

CREATE OPERATOR <@ (
	LEFTARG = ulid, RIGHTARG = uidext_internal.period, FUNCTION = uidext_internal.id_in_tstzrange,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (ulid, uidext_internal.period) IS
	'id made within the period';

CREATE OPERATOR @> (
	LEFTARG = uidext_internal.period, RIGHTARG = ulid, FUNCTION = uidext_internal.tstzrange_contains_id,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (uidext_internal.period, ulid) IS
	'period contains the time of the id';

CREATE OPERATOR <@ (
	LEFTARG = ulid, RIGHTARG = uidext_internal.periods, FUNCTION = uidext_internal.id_in_tstzmultirange,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (ulid, uidext_internal.periods) IS
	'id made within one of the periods';

CREATE OPERATOR @> (
	LEFTARG = uidext_internal.periods, RIGHTARG = ulid, FUNCTION = uidext_internal.tstzmultirange_contains_id,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (uidext_internal.periods, ulid) IS
	'one of the periods contains the time of the id';
