-- min(uuid), max(uuid)
--
-- From 20 on, PostgreSQL has aggregates of these names, and calls find those first, because
-- pg_catalog is searched before any other schema. Ours stay, because otherwise views that use them
-- could not be restored from a dump.

-- [c]
CREATE FUNCTION uidext_internal.id_smaller(a uuid, b uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_id_smaller'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uidext_internal.id_smaller(a uuid, b uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN least(a, b);
-- [both]
COMMENT ON FUNCTION uidext_internal.id_smaller(uuid, uuid) IS 'the least of two ids';

-- [c]
CREATE FUNCTION uidext_internal.id_larger(a uuid, b uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_id_larger'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- [sql]
CREATE FUNCTION uidext_internal.id_larger(a uuid, b uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN greatest(a, b);
-- [both]
COMMENT ON FUNCTION uidext_internal.id_larger(uuid, uuid) IS 'the greatest of two ids';

CREATE AGGREGATE min(uuid) (
	SFUNC = uidext_internal.id_smaller, STYPE = uuid, COMBINEFUNC = uidext_internal.id_smaller,
	SORTOP = OPERATOR(pg_catalog.<), PARALLEL = SAFE
);
COMMENT ON AGGREGATE @extschema@.min(uuid) IS 'the least id; the first entry of an index answers';

CREATE AGGREGATE max(uuid) (
	SFUNC = uidext_internal.id_larger, STYPE = uuid, COMBINEFUNC = uidext_internal.id_larger,
	SORTOP = OPERATOR(pg_catalog.>), PARALLEL = SAFE
);
COMMENT ON AGGREGATE @extschema@.max(uuid) IS 'the greatest id; the last entry of an index answers';
