-- Partitions: ownership, and which rows the caller may read
--
-- Only the owner may call functions that change a table, and superusers are no exception.  All
-- functions run with the caller's rights.  So the code that an owner has put into predicates,
-- defaults, checks and triggers of a table never runs with the rights of somebody else.

CREATE FUNCTION uidext_internal.partition_check_owner(relation regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	owner name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = relation);
BEGIN
	PERFORM partition_check_exists(relation);
	IF owner <> current_user THEN
		RAISE EXCEPTION 'must be owner of table %', relation
			USING ERRCODE = 'insufficient_privilege',
				DETAIL = 'The call runs triggers, defaults and other code that the owner has put into the table. This code would run with your privileges.',
				HINT = format('Connect as %1$I. If you trust the code of this role, you can also run: SET ROLE %1$I', owner);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_owner(regclass) IS
	'raises 42501 for callers who are not the owner of a table, superusers too, 42P01 for no table';

CREATE FUNCTION uidext_internal.partition_row_security_hint(relation regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT CASE WHEN pg_get_userbyid(c.relowner) = current_user
		THEN pg_catalog.format('Row security is forced on table %1$s, so not even its owner %2$I sees all rows. If an application connects as %2$I, first give '
			'the table another owner. After the call, force row security again. Run: ALTER TABLE %1$s NO FORCE ROW LEVEL SECURITY',
			relation, current_user)
		ELSE pg_catalog.format('If no application connects as this role, run: ALTER ROLE %I BYPASSRLS', current_user) END
	FROM pg_catalog.pg_class c WHERE c.oid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_row_security_hint(regclass) IS
	'the hint for a table of which row security hides rows from the caller';

CREATE FUNCTION uidext_internal.partition_unreadable_hint(relation regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT CASE
		WHEN pg_get_userbyid(c.relowner) <> current_user
			THEN pg_catalog.format('Table %1$s belongs to role %2$I, and only its owner may have its rows read. Run: ALTER TABLE %1$s OWNER TO %3$I',
				relation, pg_get_userbyid(c.relowner), current_user)
		WHEN NOT has_schema_privilege(c.relnamespace, 'USAGE')
			THEN pg_catalog.format('Run: GRANT USAGE ON SCHEMA %s TO %I', c.relnamespace::regnamespace, current_user)
		WHEN NOT has_table_privilege(c.oid, 'SELECT')
			THEN pg_catalog.format('Run: GRANT SELECT ON %s TO %I', relation, current_user)
		END
	FROM pg_catalog.pg_class c WHERE c.oid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_unreadable_hint(regclass) IS
	'the hint for a table that the caller does not own or may not read; NULL for other tables';

-- Anyone may see statistics.  Rows are for the owner of the table, because reading them may run
-- code that the owner has put there.
CREATE FUNCTION uidext_internal.partition_visible_rows(partition regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH part AS (
		SELECT c.oid, c.relkind, pg_get_userbyid(c.relowner) = current_user AND has_schema_privilege(c.relnamespace, 'USAGE')
			AND has_table_privilege(c.oid, 'SELECT') AND NOT row_security_active(c.oid)
			-- neither foreign tables nor temporary tables of other sessions
			AND c.relkind IN ('r', 'p') AND (c.relpersistence <> 't' OR c.relnamespace = pg_my_temp_schema()) AS is_seen
		FROM uidext_internal.partition_tree(partition) b(oid) JOIN pg_catalog.pg_class c ON c.oid = b.oid
	)
	SELECT CASE
		WHEN (SELECT bool_and(p.is_seen) FROM part p) THEN 'all'
		WHEN EXISTS (SELECT FROM part p WHERE p.relkind = 'f') THEN 'foreign'
		WHEN EXISTS (SELECT FROM part p WHERE p.relkind <> 'p' AND pg_relation_size(p.oid::regclass) > 0::bigint) THEN 'hidden'
		ELSE 'empty'
	END;
END;
COMMENT ON FUNCTION uidext_internal.partition_visible_rows(regclass) IS
	'what the caller sees of the rows of a partition and of what is beneath it: all, if the caller owns it and may read it; '
	'else foreign, if rows are on another server; hidden, if there may be rows; empty, if its files hold none';
