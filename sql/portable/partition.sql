-- Partitions: what the functions of the following files share

CREATE FUNCTION uidext_internal.uuid_partition_check_owner(relation regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	table_name name;
	owner name;
	is_foreign bool;
BEGIN
	SELECT c.relname, r.rolname, c.relkind = 'f' INTO table_name, owner, is_foreign
	FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
	WHERE c.oid = relation;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'relation with OID % does not exist', relation::oid USING ERRCODE = 'undefined_table';
	END IF;
	IF NOT pg_has_role(owner, 'USAGE') THEN
		RAISE EXCEPTION 'must be owner of % %', CASE WHEN is_foreign THEN 'foreign table' ELSE 'table' END, table_name
			USING ERRCODE = 'insufficient_privilege';
	END IF;
	-- without it the partitions that it makes could not be given to the owner
	IF current_setting('server_version_num')::int >= 160000 AND NOT pg_has_role(owner, 'SET') THEN
		RAISE EXCEPTION 'must be able to SET ROLE "%"', owner USING ERRCODE = 'insufficient_privilege';
	END IF;
END
$$;

-- As the caller: SQL has no way to run a command as the owner that the owner's
-- code cannot get out of.
CREATE FUNCTION uidext_internal.uuid_partition_as_owner(relation regclass, command text) RETURNS text
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	result text;
BEGIN
	PERFORM uidext_internal.uuid_partition_check_owner(relation);
	IF command ~ '^(SELECT|WITH) ' THEN
		EXECUTE command INTO result;
	ELSE
		EXECUTE command;
	END IF;
	RETURN result;
END
$$;

CREATE FUNCTION uidext_internal.uuid_partition_readable(partition regclass, column_name name) RETURNS text
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	schema name;
	table_name name;
BEGIN
	SELECT n.nspname, c.relname INTO schema, table_name
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = partition;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = partition AND attname = column_name AND NOT attisdropped) THEN
		RAISE EXCEPTION 'column % does not exist', quote_ident(column_name) USING ERRCODE = 'undefined_column';
	END IF;
	IF NOT has_schema_privilege(schema, 'USAGE') OR NOT has_column_privilege(partition, column_name, 'SELECT')
		OR row_security_active(partition)
	THEN
		RETURN NULL;
	END IF;
	RETURN format('%I.%I', schema, table_name);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_readable(regclass, name) IS
	'qualified and quoted name of a table of which the caller may see every row of a column, else NULL; raises 42703';

CREATE FUNCTION uidext_internal.uuid_partition_edge(partition regclass, column_name name, from_id text, to_id text, newest bool) RETURNS text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	readable text := uidext_internal.uuid_partition_readable(partition, column_name);
	result text;
BEGIN
	IF num_nulls(readable, newest) > 0 THEN
		RETURN NULL;
	END IF;
	EXECUTE format('SELECT %1$I FROM %2$s WHERE %1$I IS NOT NULL', column_name, readable)
		|| CASE WHEN from_id IS NOT NULL THEN format(' AND %I >= %L', column_name, from_id) ELSE '' END
		|| CASE WHEN to_id IS NOT NULL THEN format(' AND %I < %L', column_name, to_id) ELSE '' END
		|| format(' ORDER BY %I %s LIMIT 1', column_name, CASE WHEN newest THEN 'DESC' ELSE 'ASC' END)
		INTO result;
	RETURN result;
END
$$;

CREATE FUNCTION uidext_internal.uuid_partition_has_rows(partition regclass, column_name name) RETURNS bool
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	readable text := uidext_internal.uuid_partition_readable(partition, column_name);
	result bool;
BEGIN
	IF readable IS NOT NULL THEN
		EXECUTE format('SELECT EXISTS (SELECT FROM %s)', readable) INTO result;
	END IF;
	RETURN result;
END
$$;
