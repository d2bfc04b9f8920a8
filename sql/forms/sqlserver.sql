-- SQL Server's byte order

-- [c]
CREATE FUNCTION uuid_to_sqlserver(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uuid_to_sqlserver(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN encode(substr(uuid_send(id), 4, 1) || substr(uuid_send(id), 3, 1) || substr(uuid_send(id), 2, 1) || substr(uuid_send(id), 1, 1)
		|| substr(uuid_send(id), 6, 1) || substr(uuid_send(id), 5, 1)
		|| substr(uuid_send(id), 8, 1) || substr(uuid_send(id), 7, 1)
		|| substr(uuid_send(id), 9), 'hex')::uuid;
-- [both]
COMMENT ON FUNCTION uuid_to_sqlserver(uuid) IS
	'the text that SQL Server prints for the same 16 bytes: b0-b3, b4-b5 and b6-b7 each reversed';

-- [c]
CREATE FUNCTION uuid_from_sqlserver(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_swap'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uuid_from_sqlserver(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uuid_to_sqlserver(id);
-- [both]
COMMENT ON FUNCTION uuid_from_sqlserver(uuid) IS
	'inverse of uuid_to_sqlserver(): the bytes that SQL Server stores for what it prints';

-- [sql]
-- The bytes in the order in which SQL Server compares them.  An index on this
-- expression serves the operators, and ORDER BY it is their order.
CREATE FUNCTION uidext_internal.uuid_sqlserver_key(id uuid) RETURNS bytea
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN substr(uuid_send(id), 11) || substr(uuid_send(id), 9, 2) || substr(uuid_send(id), 7, 2)
		|| substr(uuid_send(id), 5, 2) || substr(uuid_send(id), 1, 4);
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_key(uuid) IS
	'16 bytes that sort as SQL Server sorts the id: an index on this expression serves ~<~ and its kin';

-- [c]
CREATE FUNCTION uidext_internal.uuid_sqlserver_cmp(a uuid, b uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uidext_internal.uuid_sqlserver_cmp(a uuid, b uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN byteacmp(uidext_internal.uuid_sqlserver_key(a), uidext_internal.uuid_sqlserver_key(b));
-- [both]
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_cmp(uuid, uuid) IS
	'below, equal to or above 0 as SQL Server sorts a before, with or after b';

-- [c]
CREATE FUNCTION uidext_internal.uuid_sqlserver_lt(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uidext_internal.uuid_sqlserver_lt(a uuid, b uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_sqlserver_key(a) < uidext_internal.uuid_sqlserver_key(b);
-- [both]
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_lt(uuid, uuid) IS
	'implementation of ~<~: whether SQL Server sorts a before b';

-- [c]
CREATE FUNCTION uidext_internal.uuid_sqlserver_le(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uidext_internal.uuid_sqlserver_le(a uuid, b uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_sqlserver_key(a) <= uidext_internal.uuid_sqlserver_key(b);
-- [both]
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_le(uuid, uuid) IS
	'implementation of ~<=~: whether SQL Server sorts a before or with b';

-- [c]
CREATE FUNCTION uidext_internal.uuid_sqlserver_ge(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uidext_internal.uuid_sqlserver_ge(a uuid, b uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_sqlserver_key(a) >= uidext_internal.uuid_sqlserver_key(b);
-- [both]
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_ge(uuid, uuid) IS
	'implementation of ~>=~: whether SQL Server sorts a after or with b';

-- [c]
CREATE FUNCTION uidext_internal.uuid_sqlserver_gt(a uuid, b uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uidext_internal.uuid_sqlserver_gt(a uuid, b uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_sqlserver_key(a) > uidext_internal.uuid_sqlserver_key(b);
-- [both]
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_gt(uuid, uuid) IS
	'implementation of ~>~: whether SQL Server sorts a after b';

-- [c]
CREATE FUNCTION uidext_internal.uuid_sqlserver_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME', 'uidext_uuid_sqlserver_sortsupport'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_sortsupport(internal) IS
	'sort support of uuid_sqlserver_ops';

-- [both]
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

-- [c]
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
