-- Partitions: names, and how they stay
--
-- Commands address tables by name, and so do the queries by which PostgreSQL checks foreign keys.
-- Names are held until the transaction ends, so that nobody can give them to other tables.

-- [c]
CREATE FUNCTION uidext_internal.hold_names(tables oid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'uidext_hold_names'
	LANGUAGE C VOLATILE STRICT;

-- [sql]
-- The owner of a schema can rename a table in it, and give its name to another table.
CREATE FUNCTION uidext_internal.schemas_of_others(
	tables oid[], OUT problem text, OUT detail text, OUT hint text
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('schema %s belongs to role "%s", who could put another table in the place of %s',
			n.oid::regnamespace, pg_get_userbyid(n.nspowner), c.oid::regclass),
		'The SQL edition goes by the names of tables, and the owner of the schema could give this name to another table.',
		pg_catalog.format('Run: ALTER SCHEMA %s OWNER TO %I', n.oid::regnamespace, pg_get_userbyid(c.relowner))
	FROM pg_catalog.pg_class c
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
		JOIN pg_catalog.pg_roles o ON o.oid = n.nspowner
	WHERE c.oid = ANY (tables) AND NOT o.rolsuper AND o.rolname <> 'pg_database_owner'
		-- who is the database's owner is a member of pg_database_owner
		AND n.nspowner <> (SELECT d.datdba FROM pg_catalog.pg_database d WHERE d.datname = current_database())
		AND NOT pg_has_role(c.relowner, n.nspowner, 'MEMBER');
END;
COMMENT ON FUNCTION uidext_internal.schemas_of_others(oid[]) IS
	'the message, detail and hint of an error 42501 for each table whose schema belongs to somebody else, unless that is the '
	'owner of the database or a superuser';

CREATE FUNCTION uidext_internal.hold_names(tables oid[]) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	other record;
BEGIN
	SELECT * INTO other FROM schemas_of_others(tables) LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION '%', other.problem
			USING ERRCODE = 'insufficient_privilege', DETAIL = other.detail, HINT = other.hint;
	END IF;
END
$$;

-- [both]
COMMENT ON FUNCTION uidext_internal.hold_names(oid[]) IS
	'keeps the names of tables and of their schemas until the transaction ends, because commands, and the queries by which '
	'PostgreSQL checks foreign keys, go by name; raises 42501 for callers who own none of them or may not read one, 55P03 where '
	'a schema is being altered, 42P01; the SQL edition raises 42501 where somebody else could give the name to another table';

-- PostgreSQL checks a foreign key with a query that has the name of the other table.  It runs the query with the caller's
-- rights only if the caller may read that table.  Otherwise the name need not be held.
CREATE FUNCTION uidext_internal.partition_tables_to_name(parent regclass, partition regclass) RETURNS oid[]
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT ARRAY[parent::oid, partition::oid] OPERATOR(pg_catalog.||) ARRAY(
		SELECT c.confrelid FROM pg_catalog.pg_constraint c
		WHERE c.contype = 'f' AND c.conrelid IN (parent::oid, partition::oid)
			-- a key to a partitioned table has a copy for each of its partitions, whose names are not used
			AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.oid = c.conparentid AND k.conrelid = c.conrelid)
			AND (SELECT bool_and(has_column_privilege(c.confrelid, k.attnum, 'SELECT'))
				FROM pg_catalog.unnest(c.confkey) k(attnum)));
END;
COMMENT ON FUNCTION uidext_internal.partition_tables_to_name(regclass, regclass) IS
	'the tables whose names PostgreSQL uses to attach a partition: a table, its partition, and those to which they refer';

CREATE FUNCTION uidext_internal.partition_schema(relation regclass) RETURNS regnamespace
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT c.relnamespace::regnamespace FROM pg_catalog.pg_class c WHERE c.oid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_schema(regclass) IS 'the schema of a table; NULL when it is not there';
