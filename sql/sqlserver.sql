-- SQL Server's byte order

CREATE FUNCTION uuid_to_sqlserver(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_to_sqlserver(uuid) IS
	'what SQL Server prints for the same 16 bytes: b0-b3, b4-b5 and b6-b7 each reversed';

CREATE FUNCTION uuid_from_sqlserver(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_from_sqlserver(uuid) IS
	'inverse of uuid_to_sqlserver(): the bytes that SQL Server stores for what it prints';

CREATE FUNCTION uidext_internal.uuid_sqlserver_cmp(a uuid, b uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_cmp(uuid, uuid) IS
	'below, equal to or above 0 as SQL Server sorts a before, with or after b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_lt(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_lt(uuid, uuid) IS
	'implementation of ~<~: whether SQL Server sorts a before b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_le(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_le(uuid, uuid) IS
	'implementation of ~<=~: whether SQL Server sorts a before or with b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_ge(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_ge(uuid, uuid) IS
	'implementation of ~>=~: whether SQL Server sorts a after or with b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_gt(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_gt(uuid, uuid) IS
	'implementation of ~>~: whether SQL Server sorts a after b';

CREATE FUNCTION uidext_internal.uuid_sqlserver_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_sortsupport'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_sortsupport(internal) IS
	'sort support of uuid_sqlserver_ops';

CREATE OPERATOR ~<~ (
	LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uidext_internal.uuid_sqlserver_lt,
	COMMUTATOR = ~>~, NEGATOR = ~>=~,
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR ~<~ (uuid, uuid) IS 'SQL Server sorts it before the other';

CREATE OPERATOR ~<=~ (
	LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uidext_internal.uuid_sqlserver_le,
	COMMUTATOR = ~>=~, NEGATOR = ~>~,
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR ~<=~ (uuid, uuid) IS 'SQL Server sorts it before or with the other';

CREATE OPERATOR ~>=~ (
	LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uidext_internal.uuid_sqlserver_ge,
	COMMUTATOR = ~<=~, NEGATOR = ~<~,
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR ~>=~ (uuid, uuid) IS 'SQL Server sorts it after or with the other';

CREATE OPERATOR ~>~ (
	LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uidext_internal.uuid_sqlserver_gt,
	COMMUTATOR = ~<~, NEGATOR = ~<=~,
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR ~>~ (uuid, uuid) IS 'SQL Server sorts it after the other';

CREATE OPERATOR CLASS uuid_sqlserver_ops FOR TYPE uuid USING btree AS
	OPERATOR 1 ~<~,
	OPERATOR 2 ~<=~,
	OPERATOR 3 =,
	OPERATOR 4 ~>=~,
	OPERATOR 5 ~>~,
	FUNCTION 1 uidext_internal.uuid_sqlserver_cmp(uuid, uuid),
	FUNCTION 2 uidext_internal.uuid_sqlserver_sortsupport(internal),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS uuid_sqlserver_ops USING btree IS
	'the order in which SQL Server sorts the bytes it stores: b10-b15, b8-b9, b6-b7, b4-b5, b0-b3; for a column that holds what it prints, index uuid_from_sqlserver(id)';
COMMENT ON OPERATOR FAMILY uuid_sqlserver_ops USING btree IS
	'the order in which SQL Server sorts the bytes it stores';
