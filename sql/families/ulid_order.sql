-- Order and equality of ULIDs: those of uuid

-- [c]
CREATE FUNCTION uidext_internal.ulid_lt(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_lt(ulid, ulid) IS 'implementation of ulid < ulid';

CREATE FUNCTION uidext_internal.ulid_le(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_le(ulid, ulid) IS 'implementation of ulid <= ulid';

CREATE FUNCTION uidext_internal.ulid_eq(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_eq(ulid, ulid) IS 'implementation of ulid = ulid';

CREATE FUNCTION uidext_internal.ulid_ge(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_ge(ulid, ulid) IS 'implementation of ulid >= ulid';

CREATE FUNCTION uidext_internal.ulid_gt(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_gt(ulid, ulid) IS 'implementation of ulid > ulid';

CREATE FUNCTION uidext_internal.ulid_ne(a ulid, b ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ne'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_ne(ulid, ulid) IS 'implementation of ulid <> ulid';

CREATE FUNCTION uidext_internal.ulid_cmp(a ulid, b ulid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_cmp(ulid, ulid) IS
	'below, equal to or above 0 as a is less than, equal to or greater than b';

CREATE FUNCTION uidext_internal.ulid_hash(id ulid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_hash(ulid) IS 'hash of a ULID, that of the same uuid';

CREATE FUNCTION uidext_internal.ulid_hash_extended(id ulid, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_hash_extended(ulid, bigint) IS 'hash of a ULID, that of the same uuid';

-- [sql]
-- Without these operators, a literal beside the domain would be of its base type, text, in which
-- every time sorts after all ids. They are inlined, so plans have the operators of text. = is the
-- operator of text itself, because an index could not search for a list of ids otherwise.
CREATE FUNCTION uidext_internal.ulid_lt(a ulid, b ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN a::text OPERATOR(pg_catalog.<) b::text;
COMMENT ON FUNCTION uidext_internal.ulid_lt(ulid, ulid) IS 'implementation of ulid < ulid';

CREATE FUNCTION uidext_internal.ulid_le(a ulid, b ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN a::text OPERATOR(pg_catalog.<=) b::text;
COMMENT ON FUNCTION uidext_internal.ulid_le(ulid, ulid) IS 'implementation of ulid <= ulid';

CREATE FUNCTION uidext_internal.ulid_ge(a ulid, b ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN a::text OPERATOR(pg_catalog.>=) b::text;
COMMENT ON FUNCTION uidext_internal.ulid_ge(ulid, ulid) IS 'implementation of ulid >= ulid';

CREATE FUNCTION uidext_internal.ulid_gt(a ulid, b ulid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN a::text OPERATOR(pg_catalog.>) b::text;
COMMENT ON FUNCTION uidext_internal.ulid_gt(ulid, ulid) IS 'implementation of ulid > ulid';

-- [sql]
CREATE OPERATOR < (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_lt,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (ulid, ulid) IS 'less than';

CREATE OPERATOR <= (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_le,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (ulid, ulid) IS 'less than or equal';

CREATE OPERATOR >= (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_ge,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (ulid, ulid) IS 'greater than or equal';

CREATE OPERATOR > (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_gt,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (ulid, ulid) IS 'greater than';

-- [c]
-- A ulid and a uuid

CREATE FUNCTION uidext_internal.ulid_comparison_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'uidext_ulid_comparison_support'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.ulid_comparison_support(internal) IS
	'for the planner: the comparison of two uuids or two ulids that one of a uuid with a ulid stands for';

CREATE FUNCTION uidext_internal.ulid_lt_uuid(ulid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.ulid_comparison_support;
COMMENT ON FUNCTION uidext_internal.ulid_lt_uuid(ulid, uuid) IS 'implementation of ulid < uuid';

CREATE FUNCTION uidext_internal.ulid_le_uuid(ulid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.ulid_comparison_support;
COMMENT ON FUNCTION uidext_internal.ulid_le_uuid(ulid, uuid) IS 'implementation of ulid <= uuid';

CREATE FUNCTION uidext_internal.ulid_eq_uuid(ulid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.ulid_comparison_support;
COMMENT ON FUNCTION uidext_internal.ulid_eq_uuid(ulid, uuid) IS 'implementation of ulid = uuid';

CREATE FUNCTION uidext_internal.ulid_ge_uuid(ulid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.ulid_comparison_support;
COMMENT ON FUNCTION uidext_internal.ulid_ge_uuid(ulid, uuid) IS 'implementation of ulid >= uuid';

CREATE FUNCTION uidext_internal.ulid_gt_uuid(ulid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.ulid_comparison_support;
COMMENT ON FUNCTION uidext_internal.ulid_gt_uuid(ulid, uuid) IS 'implementation of ulid > uuid';

CREATE FUNCTION uidext_internal.ulid_ne_uuid(ulid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ne'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.ulid_comparison_support;
COMMENT ON FUNCTION uidext_internal.ulid_ne_uuid(ulid, uuid) IS 'implementation of ulid <> uuid';

CREATE FUNCTION uidext_internal.ulid_cmp_uuid(ulid, uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.ulid_cmp_uuid(ulid, uuid) IS 'below, equal to or above 0';

CREATE FUNCTION uidext_internal.uuid_lt_ulid(uuid, ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.ulid_comparison_support;
COMMENT ON FUNCTION uidext_internal.uuid_lt_ulid(uuid, ulid) IS 'implementation of uuid < ulid';

CREATE FUNCTION uidext_internal.uuid_le_ulid(uuid, ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.ulid_comparison_support;
COMMENT ON FUNCTION uidext_internal.uuid_le_ulid(uuid, ulid) IS 'implementation of uuid <= ulid';

CREATE FUNCTION uidext_internal.uuid_eq_ulid(uuid, ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.ulid_comparison_support;
COMMENT ON FUNCTION uidext_internal.uuid_eq_ulid(uuid, ulid) IS 'implementation of uuid = ulid';

CREATE FUNCTION uidext_internal.uuid_ge_ulid(uuid, ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.ulid_comparison_support;
COMMENT ON FUNCTION uidext_internal.uuid_ge_ulid(uuid, ulid) IS 'implementation of uuid >= ulid';

CREATE FUNCTION uidext_internal.uuid_gt_ulid(uuid, ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.ulid_comparison_support;
COMMENT ON FUNCTION uidext_internal.uuid_gt_ulid(uuid, ulid) IS 'implementation of uuid > ulid';

CREATE FUNCTION uidext_internal.uuid_ne_ulid(uuid, ulid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ne'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uidext_internal.ulid_comparison_support;
COMMENT ON FUNCTION uidext_internal.uuid_ne_ulid(uuid, ulid) IS 'implementation of uuid <> ulid';

CREATE FUNCTION uidext_internal.uuid_cmp_ulid(uuid, ulid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_cmp_ulid(uuid, ulid) IS 'below, equal to or above 0';

-- The operators are in pg_catalog, where those of uuid are, because PostgreSQL prints
-- an expression for a dump under an empty search_path.  IS DISTINCT FROM, NULLIF, CASE
-- x WHEN, IN and USING have no place for an operator's schema.  A comparison of rows
-- has one place for the operators of all columns: ROW(id, n) OPERATOR(ids.<) ROW(...)
-- would look for < of integers in that schema, too.

CREATE OPERATOR pg_catalog.< (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_lt,
	COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR pg_catalog.< (ulid, ulid) IS 'less than';

CREATE OPERATOR pg_catalog.<= (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_le,
	COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR pg_catalog.<= (ulid, ulid) IS 'less than or equal';

CREATE OPERATOR pg_catalog.= (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_eq,
	COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
	RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR pg_catalog.= (ulid, ulid) IS 'equal';

CREATE OPERATOR pg_catalog.>= (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_ge,
	COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR pg_catalog.>= (ulid, ulid) IS 'greater than or equal';

CREATE OPERATOR pg_catalog.> (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_gt,
	COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR pg_catalog.> (ulid, ulid) IS 'greater than';

CREATE OPERATOR pg_catalog.<> (
	LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = uidext_internal.ulid_ne,
	COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
	RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR pg_catalog.<> (ulid, ulid) IS 'not equal';

CREATE OPERATOR pg_catalog.< (
	LEFTARG = ulid, RIGHTARG = uuid, FUNCTION = uidext_internal.ulid_lt_uuid,
	COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR pg_catalog.< (ulid, uuid) IS 'less than';

CREATE OPERATOR pg_catalog.<= (
	LEFTARG = ulid, RIGHTARG = uuid, FUNCTION = uidext_internal.ulid_le_uuid,
	COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR pg_catalog.<= (ulid, uuid) IS 'less than or equal';

CREATE OPERATOR pg_catalog.= (
	LEFTARG = ulid, RIGHTARG = uuid, FUNCTION = uidext_internal.ulid_eq_uuid,
	COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
	RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR pg_catalog.= (ulid, uuid) IS 'equal';

CREATE OPERATOR pg_catalog.>= (
	LEFTARG = ulid, RIGHTARG = uuid, FUNCTION = uidext_internal.ulid_ge_uuid,
	COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR pg_catalog.>= (ulid, uuid) IS 'greater than or equal';

CREATE OPERATOR pg_catalog.> (
	LEFTARG = ulid, RIGHTARG = uuid, FUNCTION = uidext_internal.ulid_gt_uuid,
	COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR pg_catalog.> (ulid, uuid) IS 'greater than';

CREATE OPERATOR pg_catalog.<> (
	LEFTARG = ulid, RIGHTARG = uuid, FUNCTION = uidext_internal.ulid_ne_uuid,
	COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
	RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR pg_catalog.<> (ulid, uuid) IS 'not equal';

CREATE OPERATOR pg_catalog.< (
	LEFTARG = uuid, RIGHTARG = ulid, FUNCTION = uidext_internal.uuid_lt_ulid,
	COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR pg_catalog.< (uuid, ulid) IS 'less than';

CREATE OPERATOR pg_catalog.<= (
	LEFTARG = uuid, RIGHTARG = ulid, FUNCTION = uidext_internal.uuid_le_ulid,
	COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR pg_catalog.<= (uuid, ulid) IS 'less than or equal';

CREATE OPERATOR pg_catalog.= (
	LEFTARG = uuid, RIGHTARG = ulid, FUNCTION = uidext_internal.uuid_eq_ulid,
	COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
	RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR pg_catalog.= (uuid, ulid) IS 'equal';

CREATE OPERATOR pg_catalog.>= (
	LEFTARG = uuid, RIGHTARG = ulid, FUNCTION = uidext_internal.uuid_ge_ulid,
	COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR pg_catalog.>= (uuid, ulid) IS 'greater than or equal';

CREATE OPERATOR pg_catalog.> (
	LEFTARG = uuid, RIGHTARG = ulid, FUNCTION = uidext_internal.uuid_gt_ulid,
	COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR pg_catalog.> (uuid, ulid) IS 'greater than';

CREATE OPERATOR pg_catalog.<> (
	LEFTARG = uuid, RIGHTARG = ulid, FUNCTION = uidext_internal.uuid_ne_ulid,
	COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
	RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR pg_catalog.<> (uuid, ulid) IS 'not equal';

CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING btree AS
	OPERATOR 1 pg_catalog.<,
	OPERATOR 2 pg_catalog.<=,
	OPERATOR 3 pg_catalog.=,
	OPERATOR 4 pg_catalog.>=,
	OPERATOR 5 pg_catalog.>,
	FUNCTION 1 uidext_internal.ulid_cmp(ulid, ulid),
	FUNCTION 2 (ulid, ulid) uuid_sortsupport(internal),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS ulid_ops USING btree IS 'the order of ULIDs, by time';
COMMENT ON OPERATOR FAMILY ulid_ops USING btree IS 'the order of ULIDs, by time';

-- amvalidate() requires all pairs of the types in a family.
ALTER OPERATOR FAMILY ulid_ops USING btree ADD
	OPERATOR 1 pg_catalog.< (ulid, uuid),
	OPERATOR 2 pg_catalog.<= (ulid, uuid),
	OPERATOR 3 pg_catalog.= (ulid, uuid),
	OPERATOR 4 pg_catalog.>= (ulid, uuid),
	OPERATOR 5 pg_catalog.> (ulid, uuid),
	OPERATOR 1 pg_catalog.< (uuid, ulid),
	OPERATOR 2 pg_catalog.<= (uuid, ulid),
	OPERATOR 3 pg_catalog.= (uuid, ulid),
	OPERATOR 4 pg_catalog.>= (uuid, ulid),
	OPERATOR 5 pg_catalog.> (uuid, ulid),
	OPERATOR 1 pg_catalog.< (uuid, uuid),
	OPERATOR 2 pg_catalog.<= (uuid, uuid),
	OPERATOR 3 pg_catalog.= (uuid, uuid),
	OPERATOR 4 pg_catalog.>= (uuid, uuid),
	OPERATOR 5 pg_catalog.> (uuid, uuid),
	FUNCTION 1 (ulid, uuid) uidext_internal.ulid_cmp_uuid(ulid, uuid),
	FUNCTION 1 (uuid, ulid) uidext_internal.uuid_cmp_ulid(uuid, ulid),
	FUNCTION 1 (uuid, uuid) uuid_cmp(uuid, uuid),
	FUNCTION 2 (uuid, uuid) uuid_sortsupport(internal),
	FUNCTION 4 (uuid, uuid) btequalimage(oid);

CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING hash AS
	OPERATOR 1 pg_catalog.=,
	FUNCTION 1 uidext_internal.ulid_hash(ulid),
	FUNCTION 2 uidext_internal.ulid_hash_extended(ulid, bigint);
COMMENT ON OPERATOR CLASS ulid_ops USING hash IS 'hashes of ULIDs';
COMMENT ON OPERATOR FAMILY ulid_ops USING hash IS 'hashes of ULIDs';

ALTER OPERATOR FAMILY ulid_ops USING hash ADD
	OPERATOR 1 pg_catalog.= (ulid, uuid),
	OPERATOR 1 pg_catalog.= (uuid, ulid),
	OPERATOR 1 pg_catalog.= (uuid, uuid),
	FUNCTION 1 (uuid, uuid) uuid_hash(uuid),
	FUNCTION 2 (uuid, uuid) uuid_hash_extended(uuid, bigint);

CREATE OPERATOR CLASS ulid_minmax_ops DEFAULT FOR TYPE ulid USING brin AS
	OPERATOR 1 pg_catalog.<,
	OPERATOR 2 pg_catalog.<=,
	OPERATOR 3 pg_catalog.=,
	OPERATOR 4 pg_catalog.>=,
	OPERATOR 5 pg_catalog.>,
	FUNCTION 1 brin_minmax_opcinfo(internal),
	FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
	FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
	FUNCTION 4 brin_minmax_union(internal, internal, internal);
COMMENT ON OPERATOR CLASS ulid_minmax_ops USING brin IS 'the least and the greatest ULID of a range of pages';
COMMENT ON OPERATOR FAMILY ulid_minmax_ops USING brin IS 'the least and the greatest ULID of a range of pages';

ALTER OPERATOR FAMILY ulid_minmax_ops USING brin ADD
	OPERATOR 1 pg_catalog.< (ulid, uuid),
	OPERATOR 2 pg_catalog.<= (ulid, uuid),
	OPERATOR 3 pg_catalog.= (ulid, uuid),
	OPERATOR 4 pg_catalog.>= (ulid, uuid),
	OPERATOR 5 pg_catalog.> (ulid, uuid);

CREATE OPERATOR CLASS ulid_minmax_multi_ops FOR TYPE ulid USING brin AS
	OPERATOR 1 pg_catalog.<,
	OPERATOR 2 pg_catalog.<=,
	OPERATOR 3 pg_catalog.=,
	OPERATOR 4 pg_catalog.>=,
	OPERATOR 5 pg_catalog.>,
	FUNCTION 1 brin_minmax_multi_opcinfo(internal),
	FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
	FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, int),
	FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
	FUNCTION 5 brin_minmax_multi_options(internal),
	FUNCTION 11 brin_minmax_multi_distance_uuid(internal, internal);
COMMENT ON OPERATOR CLASS ulid_minmax_multi_ops USING brin IS 'some least and greatest ULIDs of a range of pages';
COMMENT ON OPERATOR FAMILY ulid_minmax_multi_ops USING brin IS 'some least and greatest ULIDs of a range of pages';

ALTER OPERATOR FAMILY ulid_minmax_multi_ops USING brin ADD
	OPERATOR 1 pg_catalog.< (ulid, uuid),
	OPERATOR 2 pg_catalog.<= (ulid, uuid),
	OPERATOR 3 pg_catalog.= (ulid, uuid),
	OPERATOR 4 pg_catalog.>= (ulid, uuid),
	OPERATOR 5 pg_catalog.> (ulid, uuid);

CREATE OPERATOR CLASS ulid_bloom_ops FOR TYPE ulid USING brin AS
	OPERATOR 1 pg_catalog.=,
	FUNCTION 1 brin_bloom_opcinfo(internal),
	FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
	FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
	FUNCTION 4 brin_bloom_union(internal, internal, internal),
	FUNCTION 5 brin_bloom_options(internal),
	FUNCTION 11 uidext_internal.ulid_hash(ulid);
COMMENT ON OPERATOR CLASS ulid_bloom_ops USING brin IS 'a Bloom filter of the ULIDs of a range of pages';
COMMENT ON OPERATOR FAMILY ulid_bloom_ops USING brin IS 'a Bloom filter of the ULIDs of a range of pages';

ALTER OPERATOR FAMILY ulid_bloom_ops USING brin ADD
	OPERATOR 1 pg_catalog.= (ulid, uuid);

CREATE FUNCTION uidext_internal.id_smaller(a ulid, b ulid) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_id_smaller'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.id_smaller(ulid, ulid) IS 'the least of two ids';

CREATE FUNCTION uidext_internal.id_larger(a ulid, b ulid) RETURNS ulid
	AS 'MODULE_PATHNAME', 'uidext_id_larger'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.id_larger(ulid, ulid) IS 'the greatest of two ids';

CREATE AGGREGATE min(ulid) (
	SFUNC = uidext_internal.id_smaller, STYPE = ulid, COMBINEFUNC = uidext_internal.id_smaller,
	SORTOP = OPERATOR(pg_catalog.<), PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(ulid) IS 'the least ULID; the first entry of an index answers';

CREATE AGGREGATE max(ulid) (
	SFUNC = uidext_internal.id_larger, STYPE = ulid, COMBINEFUNC = uidext_internal.id_larger,
	SORTOP = OPERATOR(pg_catalog.>), PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(ulid) IS 'the greatest ULID; the last entry of an index answers';
