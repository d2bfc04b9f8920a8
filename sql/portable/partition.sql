-- Partitions: what the functions of the following files share

-- As the caller: SQL has no way to run a command as the owner that the owner's
-- code cannot get out of.
CREATE FUNCTION uidext_internal.uuid_partition_as_owner(relation regclass, command text) RETURNS text
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	table_name name;
	owner name;
	is_foreign bool;
	result text;
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

	IF command ~ '^(SELECT|WITH) ' THEN
		EXECUTE command INTO result;
	ELSE
		EXECUTE command;
	END IF;
	RETURN result;
END
$$;

CREATE FUNCTION uidext_internal.uuid_partition_edge(partition regclass, column_name name, from_id text, to_id text, newest bool) RETURNS text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	schema name;
	table_name name;
	result text;
BEGIN
	SELECT n.nspname, c.relname INTO schema, table_name
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = partition;
	IF NOT FOUND OR num_nulls(column_name, newest) > 0 THEN
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
	EXECUTE format('SELECT %1$I FROM %2$I.%3$I WHERE true', column_name, schema, table_name)
		|| CASE WHEN from_id IS NOT NULL THEN format(' AND %I >= %L', column_name, from_id) ELSE '' END
		|| CASE WHEN to_id IS NOT NULL THEN format(' AND %I < %L', column_name, to_id) ELSE '' END
		|| format(' ORDER BY %I %s LIMIT 1', column_name, CASE WHEN newest THEN 'DESC' ELSE 'ASC' END)
		INTO result;
	RETURN result;
END
$$;
