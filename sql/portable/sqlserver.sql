-- SQL Server's byte order

CREATE FUNCTION uuid_to_sqlserver(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN encode(substr(uuid_send(id), 4, 1) || substr(uuid_send(id), 3, 1) || substr(uuid_send(id), 2, 1) || substr(uuid_send(id), 1, 1)
		|| substr(uuid_send(id), 6, 1) || substr(uuid_send(id), 5, 1)
		|| substr(uuid_send(id), 8, 1) || substr(uuid_send(id), 7, 1)
		|| substr(uuid_send(id), 9), 'hex')::uuid;

CREATE FUNCTION uuid_from_sqlserver(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uuid_to_sqlserver(id);

-- The bytes in the order in which SQL Server compares them.  An index on this
-- expression serves the operators, and ORDER BY it is their order.
CREATE FUNCTION uidext_internal.uuid_sqlserver_key(id uuid) RETURNS bytea
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN substr(uuid_send(id), 11) || substr(uuid_send(id), 9, 2) || substr(uuid_send(id), 7, 2)
		|| substr(uuid_send(id), 5, 2) || substr(uuid_send(id), 1, 4);
COMMENT ON FUNCTION uidext_internal.uuid_sqlserver_key(uuid) IS
	'16 bytes that sort as SQL Server sorts the id: an index on this expression serves ~<~ and its kin';

CREATE FUNCTION uidext_internal.uuid_sqlserver_cmp(a uuid, b uuid) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN byteacmp(uidext_internal.uuid_sqlserver_key(a), uidext_internal.uuid_sqlserver_key(b));

CREATE FUNCTION uidext_internal.uuid_sqlserver_lt(a uuid, b uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_sqlserver_key(a) < uidext_internal.uuid_sqlserver_key(b);

CREATE FUNCTION uidext_internal.uuid_sqlserver_le(a uuid, b uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_sqlserver_key(a) <= uidext_internal.uuid_sqlserver_key(b);

CREATE FUNCTION uidext_internal.uuid_sqlserver_ge(a uuid, b uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_sqlserver_key(a) >= uidext_internal.uuid_sqlserver_key(b);

CREATE FUNCTION uidext_internal.uuid_sqlserver_gt(a uuid, b uuid) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_sqlserver_key(a) > uidext_internal.uuid_sqlserver_key(b);
