-- Partitions: what new ones take over from a table that serves as their template

CREATE FUNCTION uidext_internal.uuid_partition_index_definition(index regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT substr(pg_get_indexdef(i.oid), 1 + length(format('CREATE %sINDEX %I ON %s%I.%I',
		CASE WHEN x.indisunique THEN 'UNIQUE ' END, i.relname, CASE i.relkind WHEN 'I' THEN 'ONLY ' END, n.nspname, t.relname)))
	FROM pg_catalog.pg_index x
		JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
		JOIN pg_catalog.pg_class t ON t.oid = x.indrelid
		JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
	WHERE x.indexrelid = index::oid;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_index_definition(regclass) IS
	'what stands after the table in the CREATE INDEX of an index, " USING btree (id)"; NULL for what is no index';

CREATE FUNCTION uidext_internal.uuid_partition_indexes_alike(a regclass, b regclass) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT (SELECT x.indisunique FROM pg_catalog.pg_index x WHERE x.indexrelid = a::oid)
			= (SELECT x.indisunique FROM pg_catalog.pg_index x WHERE x.indexrelid = b::oid)
		AND regexp_replace(uidext_internal.uuid_partition_index_definition(a), ' WITH [(][^)]*[)]', '')
			= regexp_replace(uidext_internal.uuid_partition_index_definition(b), ' WITH [(][^)]*[)]', '');
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_indexes_alike(regclass, regclass) IS
	'whether two indexes have the same keys and predicate and are both unique or not; their settings do not count';

CREATE FUNCTION uidext_internal.uuid_partition_check_template(parent regclass, template regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	kind "char";
	owner oid;
	wrong record;
BEGIN
	SELECT relkind, relowner INTO kind, owner FROM pg_class WHERE oid = template;
	IF kind IS DISTINCT FROM 'r' THEN
		RAISE EXCEPTION 'template % is not an ordinary table', template
			USING ERRCODE = 'wrong_object_type',
				HINT = 'Take a partition, or an empty table that was made LIKE the partitioned one.';
	END IF;
	-- what stands in its indexes and triggers will run as the owner
	IF owner <> (SELECT relowner FROM pg_class WHERE oid = parent) THEN
		RAISE EXCEPTION 'template % does not belong to the owner of table %', template, parent
			USING ERRCODE = 'insufficient_privilege';
	END IF;
	SELECT t.attname, format_type(t.atttypid, t.atttypmod) AS type INTO wrong
	FROM pg_attribute t
		LEFT JOIN pg_attribute p ON p.attrelid = parent AND p.attname = t.attname AND p.attnum > 0
			AND (p.atttypid, p.atttypmod, p.attcollation) = (t.atttypid, t.atttypmod, t.attcollation)
	WHERE t.attrelid = template AND t.attnum > 0 AND NOT t.attisdropped AND p.attname IS NULL
	ORDER BY t.attnum
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'template % has a column "%" of type %, table % has none', template, wrong.attname, wrong.type, parent
			USING ERRCODE = 'datatype_mismatch';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_template(regclass, regclass) IS
	'raises 42809 for a template that is no ordinary table, 42501 for one of another owner, 42804 for a column that the parent does not have';

-- Before rows come: what decides how they are stored.
CREATE FUNCTION uidext_internal.uuid_partition_storage_commands(parent regclass, partition regclass, template regclass) RETURNS SETOF text
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY
		SELECT format('ALTER TABLE %s SET (%s%I = %L)', partition, o.namespace, split_part(o.option, '=', 1), substr(o.option, strpos(o.option, '=') + 1))
		FROM (
			SELECT '' AS namespace, unnest(c.reloptions) AS option FROM pg_class c WHERE c.oid = template
			UNION ALL
			SELECT 'toast.', unnest(t.reloptions) FROM pg_class c JOIN pg_class t ON t.oid = c.reltoastrelid WHERE c.oid = template
		) o;
	RETURN QUERY
		SELECT format('ALTER TABLE %s ALTER COLUMN %I SET %s', partition, a.attname, s.setting)
		FROM pg_attribute a CROSS JOIN LATERAL (
			SELECT 'STATISTICS ' || a.attstattarget WHERE a.attstattarget >= 0
			UNION ALL
			-- the two that people set; a server may keep others there
			SELECT format('(%I = %L)', split_part(o.option, '=', 1), split_part(o.option, '=', 2)) FROM unnest(a.attoptions) o(option)
			WHERE split_part(o.option, '=', 1) IN ('n_distinct', 'n_distinct_inherited')
		) s(setting)
		WHERE a.attrelid = template AND a.attnum > 0 AND NOT a.attisdropped;
	-- those that the parent has come with it
	RETURN QUERY
		SELECT coalesce(
			(SELECT format('ALTER TABLE %s ADD %s', partition, pg_get_constraintdef(c.oid)) FROM pg_constraint c
				WHERE c.conindid = x.indexrelid AND c.conrelid = template AND c.contype IN ('p', 'u', 'x')),
			format('CREATE %sINDEX ON %s%s', CASE WHEN x.indisunique THEN 'UNIQUE ' END, partition,
				uidext_internal.uuid_partition_index_definition(x.indexrelid)))
		FROM pg_index x
		WHERE x.indrelid = template AND x.indisvalid AND NOT EXISTS (
			SELECT FROM pg_index p
			WHERE p.indrelid = parent AND uidext_internal.uuid_partition_indexes_alike(p.indexrelid, x.indexrelid))
		ORDER BY x.indexrelid;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_storage_commands(regclass, regclass, regclass) IS
	'commands that give a new partition the storage parameters, statistics targets and further indexes of a template';

-- When it is attached, with its indexes and rows: what decides who does what with them.
CREATE FUNCTION uidext_internal.uuid_partition_access_commands(partition regclass, template regclass) RETURNS SETOF text
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY
		SELECT c.command
		FROM (
			SELECT x.indexrelid::regclass AS index, y.indexrelid AS template_index, row_number() OVER (PARTITION BY y.indexrelid ORDER BY x.indexrelid) AS n
			FROM pg_index x JOIN pg_index y ON uidext_internal.uuid_partition_indexes_alike(x.indexrelid, y.indexrelid)
			WHERE x.indrelid = partition AND y.indrelid = template
		) i CROSS JOIN LATERAL (
			SELECT format('ALTER INDEX %s SET TABLESPACE %I', i.index, s.spcname) FROM pg_class t JOIN pg_tablespace s ON s.oid = t.reltablespace
			WHERE t.oid = i.template_index
			UNION ALL
			SELECT format('ALTER INDEX %s SET (%I = %L)', i.index, split_part(o.option, '=', 1), split_part(o.option, '=', 2))
			FROM pg_class t, unnest(t.reloptions) o(option)
			WHERE t.oid = i.template_index
			UNION ALL
			SELECT format('ALTER TABLE %s REPLICA IDENTITY USING INDEX %I', partition, (SELECT relname FROM pg_class WHERE oid = i.index))
			FROM pg_index t
			WHERE t.indexrelid = i.template_index AND t.indisreplident
		) c(command)
		WHERE i.n = 1;
	RETURN QUERY
		SELECT format('ALTER TABLE %s %s', partition, s.setting)
		FROM pg_class c CROSS JOIN LATERAL (
			SELECT 'REPLICA IDENTITY ' || CASE c.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END WHERE c.relreplident IN ('f', 'n')
			UNION ALL
			SELECT 'ENABLE ROW LEVEL SECURITY' WHERE c.relrowsecurity
			UNION ALL
			SELECT 'FORCE ROW LEVEL SECURITY' WHERE c.relforcerowsecurity
		) s(setting)
		WHERE c.oid = template;
	RETURN QUERY
		SELECT format('GRANT %s%s ON %s TO %s%s', a.privilege_type, '(' || quote_ident(g.attname) || ')', partition,
			coalesce(quote_ident(r.rolname), 'PUBLIC'), CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
		FROM (
			SELECT c.relowner, NULL::name AS attname, c.relacl AS acl FROM pg_class c WHERE c.oid = template
			UNION ALL
			SELECT c.relowner, t.attname, t.attacl FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid WHERE c.oid = template
		) g, aclexplode(g.acl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
		WHERE a.grantee <> g.relowner;
	RETURN QUERY
		SELECT concat_ws(' ',
			format('CREATE POLICY %I ON %s AS %s FOR %s TO %s', p.polname, partition,
				CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
				CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
				(SELECT string_agg(coalesce(quote_ident(r.rolname), 'PUBLIC'), ', ') FROM unnest(p.polroles) u(role) LEFT JOIN pg_roles r ON r.oid = u.role)),
			'USING (' || pg_get_expr(p.polqual, p.polrelid) || ')',
			'WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')
		FROM pg_policy p
		WHERE p.polrelid = template;
	-- those of the parent come with it
	RETURN QUERY
		SELECT command
		FROM pg_trigger t
			JOIN pg_class c ON c.oid = t.tgrelid
			JOIN pg_namespace n ON n.oid = c.relnamespace
			CROSS JOIN LATERAL (
				SELECT overlay(d.definition placing partition::text from strpos(d.definition, d.place) + 4 for length(d.place) - 5)
				FROM (SELECT pg_get_triggerdef(t.oid), format(' ON %I.%I ', n.nspname, c.relname)) d(definition, place)
				UNION ALL
				SELECT format('ALTER TABLE %s %s TRIGGER %I', partition,
					CASE t.tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE REPLICA' END, t.tgname)
				WHERE t.tgenabled <> 'O'
			) s(command)
		WHERE t.tgrelid = template AND NOT t.tgisinternal AND t.tgparentid = 0;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_access_commands(regclass, regclass) IS
	'commands that give a new partition the grants, policies, triggers, replica identity and settings of indexes of a template';

CREATE FUNCTION uidext_internal.uuid_partition_run(parent regclass, commands text[]) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	command text;
BEGIN
	FOREACH command IN ARRAY commands LOOP
		PERFORM uidext_internal.uuid_partition_as_owner(parent, command);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_run(regclass, text[]) IS
	'runs commands, one after the other, with the rights of a table''s owner; raises what they raise';
