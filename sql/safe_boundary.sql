-- Reading in the order of ids

CREATE FUNCTION uidext_internal.uuid_safe_boundary_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'uidext_uuid_safe_boundary_support'
	LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION uidext_internal.uuid_safe_boundary_support(internal) IS
	'for the planner: looks at the open transactions before the statement''s snapshot is taken';

CREATE FUNCTION uuid_safe_boundary() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_safe_boundary'
	LANGUAGE C VOLATILE PARALLEL UNSAFE
	SUPPORT uidext_internal.uuid_safe_boundary_support;
COMMENT ON FUNCTION uuid_safe_boundary() IS
	'boundary below which all ids made by this server are there, seen, and no open transaction can add one; nil UUID while one is prepared; raises 55000 on a standby, and for a snapshot that is too old';
