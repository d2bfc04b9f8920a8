-- Time predicates
--
-- The planner asks uidext_internal.uuid_predicate_support() what a call of one of these functions
-- stands for, and gets a plain comparison of uuids: index conditions and partition
-- pruning follow.  The functions themselves run where it is told nothing, as with
-- a period that comes from a sub-select.

CREATE FUNCTION uidext_internal.uuid_predicate_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'uidext_uuid_predicate_support'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.uuid_predicate_support(internal) IS
	'for the planner: the comparison of uuids that a time predicate stands for';

CREATE FUNCTION uidext_internal.uuid_lt_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_lt_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.uuid_predicate_support;
COMMENT ON FUNCTION uidext_internal.uuid_lt_timestamptz(uuid, timestamptz) IS
	'implementation of uuid < timestamptz: whether the id''s millisecond is before the time';

CREATE FUNCTION uidext_internal.uuid_le_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_le_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.uuid_predicate_support;
COMMENT ON FUNCTION uidext_internal.uuid_le_timestamptz(uuid, timestamptz) IS
	'implementation of uuid <= timestamptz: whether the id''s millisecond is at or before the time';

CREATE FUNCTION uidext_internal.uuid_ge_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_ge_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.uuid_predicate_support;
COMMENT ON FUNCTION uidext_internal.uuid_ge_timestamptz(uuid, timestamptz) IS
	'implementation of uuid >= timestamptz: whether the id''s millisecond is at or after the time';

CREATE FUNCTION uidext_internal.uuid_gt_timestamptz(id uuid, at timestamptz) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_gt_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.uuid_predicate_support;
COMMENT ON FUNCTION uidext_internal.uuid_gt_timestamptz(uuid, timestamptz) IS
	'implementation of uuid > timestamptz: whether the id''s millisecond is after the time';

CREATE FUNCTION uidext_internal.uuid_in_tstzrange(id uuid, period tstzrange) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_in_tstzrange'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.uuid_predicate_support;
COMMENT ON FUNCTION uidext_internal.uuid_in_tstzrange(uuid, tstzrange) IS
	'implementation of uuid <@ tstzrange: whether the id''s millisecond lies in the period';

CREATE FUNCTION uidext_internal.timestamptz_lt_uuid(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_lt_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.uuid_predicate_support;
COMMENT ON FUNCTION uidext_internal.timestamptz_lt_uuid(timestamptz, uuid) IS
	'implementation of timestamptz < uuid: whether the time is before the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_le_uuid(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_le_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.uuid_predicate_support;
COMMENT ON FUNCTION uidext_internal.timestamptz_le_uuid(timestamptz, uuid) IS
	'implementation of timestamptz <= uuid: whether the time is at or before the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_ge_uuid(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_ge_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.uuid_predicate_support;
COMMENT ON FUNCTION uidext_internal.timestamptz_ge_uuid(timestamptz, uuid) IS
	'implementation of timestamptz >= uuid: whether the time is at or after the id''s millisecond';

CREATE FUNCTION uidext_internal.timestamptz_gt_uuid(at timestamptz, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_timestamptz_gt_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.uuid_predicate_support;
COMMENT ON FUNCTION uidext_internal.timestamptz_gt_uuid(timestamptz, uuid) IS
	'implementation of timestamptz > uuid: whether the time is after the id''s millisecond';

CREATE FUNCTION uidext_internal.tstzrange_contains_uuid(period tstzrange, id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_tstzrange_contains_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.uuid_predicate_support;
COMMENT ON FUNCTION uidext_internal.tstzrange_contains_uuid(tstzrange, uuid) IS
	'implementation of tstzrange @> uuid: whether the id''s millisecond lies in the period';

CREATE OPERATOR < (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.uuid_lt_timestamptz,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (uuid, timestamptz) IS
	'id made before the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <= (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.uuid_le_timestamptz,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (uuid, timestamptz) IS
	'id made at or before the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR >= (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.uuid_ge_timestamptz,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (uuid, timestamptz) IS
	'id made at or after the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR > (
	LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uidext_internal.uuid_gt_timestamptz,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (uuid, timestamptz) IS
	'id made after the time (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR < (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uidext_internal.timestamptz_lt_uuid,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (timestamptz, uuid) IS
	'time before that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <= (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uidext_internal.timestamptz_le_uuid,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (timestamptz, uuid) IS
	'time at or before that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR >= (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uidext_internal.timestamptz_ge_uuid,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (timestamptz, uuid) IS
	'time at or after that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR > (
	LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uidext_internal.timestamptz_gt_uuid,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (timestamptz, uuid) IS
	'time after that of the id (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR <@ (
	LEFTARG = uuid, RIGHTARG = tstzrange, FUNCTION = uidext_internal.uuid_in_tstzrange,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (uuid, tstzrange) IS
	'id made within the period (Unix-time layouts: v7, iUID, COMB)';

CREATE OPERATOR @> (
	LEFTARG = tstzrange, RIGHTARG = uuid, FUNCTION = uidext_internal.tstzrange_contains_uuid,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (tstzrange, uuid) IS
	'period contains the time of the id (Unix-time layouts: v7, iUID, COMB)';
