-- Partitions: owners, and who may look at rows
--
-- Whoever changes a table is its owner, a superuser too, and all runs with the
-- caller's rights: what stands in predicates, defaults, checks and triggers of
-- a table runs as nobody but its owner.

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
				HINT = format('Connect as %1$I. If you trust this role, you can also use SET ROLE %1$I.', owner);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_owner(regclass) IS
	'raises 42501 for callers who are not the owner of a table, superusers too, 42P01 for no table';

-- Everybody sees statistics; rows are for their owner, whose code a look may run.
CREATE FUNCTION uidext_internal.partition_may_look(partition regclass) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT coalesce(bool_and(pg_get_userbyid(c.relowner) = current_user AND has_schema_privilege(c.relnamespace, 'USAGE')
		AND has_table_privilege(c.oid, 'SELECT') AND NOT row_security_active(c.oid)
		-- not foreign tables, and of temporary ones those of this session
		AND c.relkind IN ('r', 'p') AND (c.relpersistence <> 't' OR c.relnamespace = pg_my_temp_schema())), false)
	FROM uidext_internal.partition_beneath(partition) b(oid) JOIN pg_catalog.pg_class c ON c.oid = b.oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_may_look(regclass) IS
	'whether the caller owns a partition and sees every row of it, none of which is on another server or in another session''s '
	'temporary table';
