-- Order and equality of iUIDs

-- [c]
-- Expressions use the operators of uuid. The operators here are in uidext_internal, so that
-- expressions do not find them. They exist because the default hash operator class of iuid is not
-- that of uuid (routing.sql). PostgreSQL then requires that iuid has an equality of its own, which
-- is also in a default btree operator class. Otherwise it could not group ids by hash. The btree
-- family also contains the operators of uuid, so that these use the index, and those of iuid and
-- uuid, because amvalidate() requires all pairs of its types.

CREATE FUNCTION uidext_internal.iuid_lt(iuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_lt(iuid, iuid) IS '< of two iUIDs';

CREATE FUNCTION uidext_internal.iuid_le(iuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_le(iuid, iuid) IS '<= of two iUIDs';

CREATE FUNCTION uidext_internal.iuid_eq(iuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_eq(iuid, iuid) IS '= of two iUIDs';

CREATE FUNCTION uidext_internal.iuid_ge(iuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_ge(iuid, iuid) IS '>= of two iUIDs';

CREATE FUNCTION uidext_internal.iuid_gt(iuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_gt(iuid, iuid) IS '> of two iUIDs';

CREATE FUNCTION uidext_internal.iuid_cmp(iuid, iuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_cmp(iuid, iuid) IS 'below, equal to or above 0';

CREATE FUNCTION uidext_internal.iuid_lt_uuid(iuid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_lt_uuid(iuid, uuid) IS '< of an iuid and a uuid';

CREATE FUNCTION uidext_internal.iuid_le_uuid(iuid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_le_uuid(iuid, uuid) IS '<= of an iuid and a uuid';

CREATE FUNCTION uidext_internal.iuid_eq_uuid(iuid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_eq_uuid(iuid, uuid) IS '= of an iuid and a uuid';

CREATE FUNCTION uidext_internal.iuid_ge_uuid(iuid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_ge_uuid(iuid, uuid) IS '>= of an iuid and a uuid';

CREATE FUNCTION uidext_internal.iuid_gt_uuid(iuid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_gt_uuid(iuid, uuid) IS '> of an iuid and a uuid';

CREATE FUNCTION uidext_internal.iuid_cmp_uuid(iuid, uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_cmp_uuid(iuid, uuid) IS 'below, equal to or above 0';

CREATE FUNCTION uidext_internal.uuid_lt_iuid(uuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_lt_iuid(uuid, iuid) IS '< of a uuid and an iuid';

CREATE FUNCTION uidext_internal.uuid_le_iuid(uuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_le_iuid(uuid, iuid) IS '<= of a uuid and an iuid';

CREATE FUNCTION uidext_internal.uuid_eq_iuid(uuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_eq_iuid(uuid, iuid) IS '= of a uuid and an iuid';

CREATE FUNCTION uidext_internal.uuid_ge_iuid(uuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_ge_iuid(uuid, iuid) IS '>= of a uuid and an iuid';

CREATE FUNCTION uidext_internal.uuid_gt_iuid(uuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_gt_iuid(uuid, iuid) IS '> of a uuid and an iuid';

CREATE FUNCTION uidext_internal.uuid_cmp_iuid(uuid, iuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_cmp_iuid(uuid, iuid) IS 'below, equal to or above 0';

CREATE OPERATOR uidext_internal.< (
	LEFTARG = iuid, RIGHTARG = iuid, FUNCTION = uidext_internal.iuid_lt,
	COMMUTATOR = OPERATOR(uidext_internal.>), NEGATOR = OPERATOR(uidext_internal.>=),
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR uidext_internal.< (iuid, iuid) IS 'as uuid < uuid';

CREATE OPERATOR uidext_internal.<= (
	LEFTARG = iuid, RIGHTARG = iuid, FUNCTION = uidext_internal.iuid_le,
	COMMUTATOR = OPERATOR(uidext_internal.>=), NEGATOR = OPERATOR(uidext_internal.>),
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR uidext_internal.<= (iuid, iuid) IS 'as uuid <= uuid';

CREATE OPERATOR uidext_internal.= (
	LEFTARG = iuid, RIGHTARG = iuid, FUNCTION = uidext_internal.iuid_eq,
	COMMUTATOR = OPERATOR(uidext_internal.=),
	RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR uidext_internal.= (iuid, iuid) IS 'as uuid = uuid';

CREATE OPERATOR uidext_internal.>= (
	LEFTARG = iuid, RIGHTARG = iuid, FUNCTION = uidext_internal.iuid_ge,
	COMMUTATOR = OPERATOR(uidext_internal.<=), NEGATOR = OPERATOR(uidext_internal.<),
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR uidext_internal.>= (iuid, iuid) IS 'as uuid >= uuid';

CREATE OPERATOR uidext_internal.> (
	LEFTARG = iuid, RIGHTARG = iuid, FUNCTION = uidext_internal.iuid_gt,
	COMMUTATOR = OPERATOR(uidext_internal.<), NEGATOR = OPERATOR(uidext_internal.<=),
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR uidext_internal.> (iuid, iuid) IS 'as uuid > uuid';

CREATE OPERATOR uidext_internal.< (
	LEFTARG = iuid, RIGHTARG = uuid, FUNCTION = uidext_internal.iuid_lt_uuid,
	COMMUTATOR = OPERATOR(uidext_internal.>), NEGATOR = OPERATOR(uidext_internal.>=),
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR uidext_internal.< (iuid, uuid) IS 'as uuid < uuid';

CREATE OPERATOR uidext_internal.<= (
	LEFTARG = iuid, RIGHTARG = uuid, FUNCTION = uidext_internal.iuid_le_uuid,
	COMMUTATOR = OPERATOR(uidext_internal.>=), NEGATOR = OPERATOR(uidext_internal.>),
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR uidext_internal.<= (iuid, uuid) IS 'as uuid <= uuid';

CREATE OPERATOR uidext_internal.= (
	LEFTARG = iuid, RIGHTARG = uuid, FUNCTION = uidext_internal.iuid_eq_uuid,
	COMMUTATOR = OPERATOR(uidext_internal.=),
	RESTRICT = eqsel, JOIN = eqjoinsel, MERGES
);
COMMENT ON OPERATOR uidext_internal.= (iuid, uuid) IS 'as uuid = uuid';

CREATE OPERATOR uidext_internal.>= (
	LEFTARG = iuid, RIGHTARG = uuid, FUNCTION = uidext_internal.iuid_ge_uuid,
	COMMUTATOR = OPERATOR(uidext_internal.<=), NEGATOR = OPERATOR(uidext_internal.<),
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR uidext_internal.>= (iuid, uuid) IS 'as uuid >= uuid';

CREATE OPERATOR uidext_internal.> (
	LEFTARG = iuid, RIGHTARG = uuid, FUNCTION = uidext_internal.iuid_gt_uuid,
	COMMUTATOR = OPERATOR(uidext_internal.<), NEGATOR = OPERATOR(uidext_internal.<=),
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR uidext_internal.> (iuid, uuid) IS 'as uuid > uuid';

CREATE OPERATOR uidext_internal.< (
	LEFTARG = uuid, RIGHTARG = iuid, FUNCTION = uidext_internal.uuid_lt_iuid,
	COMMUTATOR = OPERATOR(uidext_internal.>), NEGATOR = OPERATOR(uidext_internal.>=),
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR uidext_internal.< (uuid, iuid) IS 'as uuid < uuid';

CREATE OPERATOR uidext_internal.<= (
	LEFTARG = uuid, RIGHTARG = iuid, FUNCTION = uidext_internal.uuid_le_iuid,
	COMMUTATOR = OPERATOR(uidext_internal.>=), NEGATOR = OPERATOR(uidext_internal.>),
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR uidext_internal.<= (uuid, iuid) IS 'as uuid <= uuid';

CREATE OPERATOR uidext_internal.= (
	LEFTARG = uuid, RIGHTARG = iuid, FUNCTION = uidext_internal.uuid_eq_iuid,
	COMMUTATOR = OPERATOR(uidext_internal.=),
	RESTRICT = eqsel, JOIN = eqjoinsel, MERGES
);
COMMENT ON OPERATOR uidext_internal.= (uuid, iuid) IS 'as uuid = uuid';

CREATE OPERATOR uidext_internal.>= (
	LEFTARG = uuid, RIGHTARG = iuid, FUNCTION = uidext_internal.uuid_ge_iuid,
	COMMUTATOR = OPERATOR(uidext_internal.<=), NEGATOR = OPERATOR(uidext_internal.<),
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR uidext_internal.>= (uuid, iuid) IS 'as uuid >= uuid';

CREATE OPERATOR uidext_internal.> (
	LEFTARG = uuid, RIGHTARG = iuid, FUNCTION = uidext_internal.uuid_gt_iuid,
	COMMUTATOR = OPERATOR(uidext_internal.<), NEGATOR = OPERATOR(uidext_internal.<=),
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR uidext_internal.> (uuid, iuid) IS 'as uuid > uuid';

CREATE OPERATOR CLASS uidext_internal.iuid_ops DEFAULT FOR TYPE iuid USING btree AS
	OPERATOR 1 uidext_internal.<,
	OPERATOR 2 uidext_internal.<=,
	OPERATOR 3 uidext_internal.=,
	OPERATOR 4 uidext_internal.>=,
	OPERATOR 5 uidext_internal.>,
	FUNCTION 1 uidext_internal.iuid_cmp(iuid, iuid),
	FUNCTION 2 (iuid, iuid) uuid_sortsupport(internal),
	FUNCTION 4 (iuid, iuid) btequalimage(oid);
COMMENT ON OPERATOR CLASS uidext_internal.iuid_ops USING btree IS 'default of iuid: the order of uuid';
COMMENT ON OPERATOR FAMILY uidext_internal.iuid_ops USING btree IS 'the order of uuid, for iuid';

ALTER OPERATOR FAMILY uidext_internal.iuid_ops USING btree ADD
	OPERATOR 1 < (uuid, uuid),
	OPERATOR 2 <= (uuid, uuid),
	OPERATOR 3 = (uuid, uuid),
	OPERATOR 4 >= (uuid, uuid),
	OPERATOR 5 > (uuid, uuid),
	OPERATOR 1 uidext_internal.< (iuid, uuid),
	OPERATOR 2 uidext_internal.<= (iuid, uuid),
	OPERATOR 3 uidext_internal.= (iuid, uuid),
	OPERATOR 4 uidext_internal.>= (iuid, uuid),
	OPERATOR 5 uidext_internal.> (iuid, uuid),
	OPERATOR 1 uidext_internal.< (uuid, iuid),
	OPERATOR 2 uidext_internal.<= (uuid, iuid),
	OPERATOR 3 uidext_internal.= (uuid, iuid),
	OPERATOR 4 uidext_internal.>= (uuid, iuid),
	OPERATOR 5 uidext_internal.> (uuid, iuid),
	FUNCTION 1 (uuid, uuid) uuid_cmp(uuid, uuid),
	FUNCTION 1 (iuid, uuid) uidext_internal.iuid_cmp_uuid(iuid, uuid),
	FUNCTION 1 (uuid, iuid) uidext_internal.uuid_cmp_iuid(uuid, iuid),
	FUNCTION 2 (uuid, uuid) uuid_sortsupport(internal),
	FUNCTION 4 (uuid, uuid) btequalimage(oid);
