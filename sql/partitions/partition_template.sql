-- Partitions: what new ones take over from a table that serves as their template
--
-- CREATE TABLE (LIKE template INCLUDING ALL) does most of it; here is what LIKE
-- leaves out and belongs to each table.  Triggers and policies are the parent's.

CREATE FUNCTION uidext_internal.partition_check_template(parent regclass, template regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	wrong record;
	-- as one that spares ATTACH a scan
	own_check name := (
		SELECT c.conname
		FROM pg_partitioned_table p
			JOIN pg_attribute k ON k.attrelid = p.partrelid AND k.attnum = ANY (p.partattrs)
			JOIN pg_attribute a ON a.attrelid = template AND a.attname = k.attname
			JOIN pg_constraint c ON c.conrelid = a.attrelid AND a.attnum = ANY (c.conkey)
			JOIN pg_class t ON t.oid = c.conrelid AND t.relispartition
		WHERE p.partrelid = parent AND c.contype = 'c' AND c.coninhcount = 0
		LIMIT 1);
BEGIN
	IF NOT EXISTS (SELECT FROM pg_class WHERE oid = template AND relkind = 'r') THEN
		RAISE EXCEPTION 'template % is not an ordinary table', template
			USING ERRCODE = 'wrong_object_type',
				HINT = 'Take a partition, or an empty table that was made LIKE the partitioned one.';
	END IF;
	PERFORM partition_check_owner(template);
	-- or its grants would give more than it does
	IF (SELECT relrowsecurity FROM pg_class WHERE oid = template) THEN
		RAISE EXCEPTION 'template % has row level security', template
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'Policies are those of the partitioned table: take a template without.';
	END IF;
	IF own_check IS NOT NULL THEN
		RAISE EXCEPTION 'check constraint "%" of template % may hold for its own period alone', own_check, template
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'Drop it, or take an empty table as the template.';
	END IF;
	SELECT coalesce(t.attname, p.attname) AS attname,
		format_type(t.atttypid, t.atttypmod) || CASE WHEN t.attgenerated <> '' THEN ' GENERATED ALWAYS' ELSE '' END AS type
	INTO wrong
	FROM (SELECT * FROM pg_attribute WHERE attrelid = template AND attnum > 0 AND NOT attisdropped) t
		FULL JOIN (SELECT * FROM pg_attribute WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped) p
			ON (p.attname, p.atttypid, p.atttypmod, p.attcollation, p.attgenerated)
				= (t.attname, t.atttypid, t.atttypmod, t.attcollation, t.attgenerated)
	WHERE p.attname IS NULL OR t.attname IS NULL
	ORDER BY t.attnum NULLS LAST, p.attnum
	LIMIT 1;
	IF wrong.type IS NOT NULL THEN
		RAISE EXCEPTION 'template % has a column "%" of type %, table % has none', template, wrong.attname, wrong.type, parent
			USING ERRCODE = 'datatype_mismatch';
	ELSIF wrong.attname IS NOT NULL THEN
		RAISE EXCEPTION 'template % lacks column "%" of table %', template, wrong.attname, parent
			USING ERRCODE = 'datatype_mismatch', HINT = 'ALTER TABLE ... ADD COLUMN, or take a partition as the template.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_template(regclass, regclass) IS
	'an error 55000 for a template with row level security, or a partition with a CHECK of the key that is not its '
	'parent''s; raises 42809 for one that is no ordinary table, 42501 for one of another owner, 42804 for columns that are '
	'not the parent''s';

-- Policies are not copied, without which its grants would give more than they do.
CREATE FUNCTION uidext_internal.partition_model(partition regclass) RETURNS regclass
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	model regclass := (SELECT c.oid FROM pg_class c
		WHERE c.oid = partition AND c.relkind IN ('r', 'p') AND NOT c.relrowsecurity);
BEGIN
	PERFORM partition_check_owner(model);
	RETURN model;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_model(regclass) IS
	'a partition, if others can be like it: NULL for a foreign table, or one with row level security; raises 42501 for one '
	'of another owner';

-- Before rows come: what decides how they are stored.
CREATE FUNCTION uidext_internal.partition_storage_commands(partition regclass, template regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('ALTER TABLE %s SET (%s%I = %L)', partition, o.namespace, split_part(o.option, '=', 1),
		substr(o.option, strpos(o.option, '=') + 1))
	FROM (
		SELECT '' AS namespace, pg_catalog.unnest(c.reloptions) AS option
		FROM pg_catalog.pg_class c
		WHERE c.oid = template::oid
		UNION ALL
		SELECT 'toast.', pg_catalog.unnest(t.reloptions)
		FROM pg_catalog.pg_class c JOIN pg_catalog.pg_class t ON t.oid = c.reltoastrelid
		WHERE c.oid = template::oid
	) o
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s ALTER COLUMN %I SET %s', partition, a.attname, s.setting)
	FROM pg_catalog.pg_attribute a CROSS JOIN LATERAL (
		SELECT 'STATISTICS ' || a.attstattarget::text WHERE a.attstattarget >= 0
		UNION ALL
		-- the two that people set; a server may keep others there
		SELECT pg_catalog.format('(%I = %L)', split_part(o.option, '=', 1), split_part(o.option, '=', 2))
		FROM pg_catalog.unnest(a.attoptions) o(option)
		WHERE split_part(o.option, '=', 1) IN ('n_distinct', 'n_distinct_inherited')
	) s(setting)
	WHERE a.attrelid = template::oid AND a.attnum > 0 AND NOT a.attisdropped;
END;
COMMENT ON FUNCTION uidext_internal.partition_storage_commands(regclass, regclass) IS
	'commands that give a new partition the storage parameters and statistics targets of a template';

-- What decides who does what with them, default privileges taken back.
CREATE FUNCTION uidext_internal.partition_access_commands(partition regclass, template regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT DISTINCT pg_catalog.format('REVOKE ALL ON %s FROM %s', partition,
		CASE a.grantee WHEN 0::oid THEN 'PUBLIC' ELSE quote_ident(r.rolname::text) END)
	FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
		LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
	WHERE c.oid = partition::oid AND a.grantee <> c.relowner AND (a.grantee = 0::oid OR r.oid IS NOT NULL)
	UNION ALL
	-- the owner may have given up rights in the template, or by default
	SELECT pg_catalog.format(CASE WHEN own.is_wanted THEN 'GRANT %s ON %s TO %I' ELSE 'REVOKE %s ON %s FROM %I' END,
		own.privilege, partition, pg_get_userbyid(own.owner))
	FROM (
		SELECT a.privilege_type, c.relowner, bool_or(c.oid = template::oid)
		FROM pg_catalog.pg_class c
			CROSS JOIN LATERAL aclexplode(coalesce(c.relacl, pg_catalog.acldefault('r', c.relowner))) a
		WHERE c.oid IN (partition::oid, template::oid) AND a.grantee = c.relowner
		GROUP BY a.privilege_type, c.relowner
		HAVING pg_catalog.count(DISTINCT c.oid) = 1::bigint
	) own(privilege, owner, is_wanted)
	UNION ALL
	SELECT pg_catalog.format('GRANT %s%s ON %s TO %s%s', a.privilege_type, '(' || quote_ident(g.attname::text) || ')',
		partition, CASE a.grantee WHEN 0::oid THEN 'PUBLIC' ELSE quote_ident(r.rolname::text) END,
		CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
	FROM (
		SELECT c.relowner, NULL::name AS attname, c.relacl AS acl FROM pg_catalog.pg_class c WHERE c.oid = template::oid
		UNION ALL
		SELECT c.relowner, t.attname, t.attacl FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid
		WHERE c.oid = template::oid
	) g CROSS JOIN LATERAL aclexplode(g.acl) a LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
	WHERE (a.grantee <> g.relowner OR g.attname IS NOT NULL) AND (a.grantee = 0::oid OR r.oid IS NOT NULL)
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s REPLICA IDENTITY %s', partition,
		CASE c.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END)
	FROM pg_catalog.pg_class c
	WHERE c.oid = template::oid AND c.relreplident IN ('f', 'n');
END;
COMMENT ON FUNCTION uidext_internal.partition_access_commands(regclass, regclass) IS
	'commands that give a new partition the grants and the replica identity of a template, but for one by an index';

-- LIKE makes indexes and extended statistics in their order.
CREATE FUNCTION uidext_internal.partition_twin_commands(partition regclass, template regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH index AS (
		SELECT x.indrelid, x.indexrelid, x.indisreplident, x.indisclustered,
			pg_catalog.row_number() OVER (PARTITION BY x.indrelid ORDER BY x.indexrelid) AS n
		FROM pg_catalog.pg_index x WHERE x.indrelid IN (partition::oid, template::oid)
	), statistic AS (
		SELECT e.stxrelid, e.stxname, e.stxnamespace, e.stxstattarget,
			pg_catalog.row_number() OVER (PARTITION BY e.stxrelid ORDER BY e.oid) AS n
		FROM pg_catalog.pg_statistic_ext e WHERE e.stxrelid IN (partition::oid, template::oid)
	)
	SELECT pg_catalog.format('ALTER TABLE %s %s %I', partition, mark.command, i.relname)
	FROM index t
		JOIN index x ON x.n = t.n AND x.indrelid = partition::oid
		JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
		JOIN (VALUES (true, 'REPLICA IDENTITY USING INDEX'), (false, 'CLUSTER ON')) mark(is_identity, command)
			ON CASE WHEN mark.is_identity THEN t.indisreplident ELSE t.indisclustered END
	WHERE t.indrelid = template::oid
	UNION ALL
	SELECT pg_catalog.format('ALTER STATISTICS %I.%I SET STATISTICS %s', s.nspname, x.stxname, t.stxstattarget)
	FROM statistic t
		JOIN statistic x ON x.n = t.n AND x.stxrelid = partition::oid
		JOIN pg_catalog.pg_namespace s ON s.oid = x.stxnamespace
	WHERE t.stxrelid = template::oid AND t.stxstattarget >= 0;
END;
COMMENT ON FUNCTION uidext_internal.partition_twin_commands(regclass, regclass) IS
	'commands that give indexes and extended statistics of a new partition, before more come to it, the marks for '
	'replication and CLUSTER and the targets that a template''s have';

CREATE FUNCTION uidext_internal.partition_run(commands text[]) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	command text;
BEGIN
	FOREACH command IN ARRAY commands LOOP
		EXECUTE command;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_run(text[]) IS
	'runs commands, one after the other; raises what they raise';

CREATE FUNCTION uidext_internal.partition_childless(partition regclass) RETURNS SETOF regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT d.partrelid::regclass
	FROM uidext_internal.partition_beneath(partition) b(oid) JOIN pg_catalog.pg_partitioned_table d ON d.partrelid = b.oid
	WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = d.partrelid);
END;
COMMENT ON FUNCTION uidext_internal.partition_childless(regclass) IS
	'of a partition and what is beneath it those that are partitioned and take no row, because they have no partition';

-- Countries are the same in every month; days are not.
CREATE FUNCTION uidext_internal.partition_check_neighbour(parent regclass, neighbour regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	childless regclass := (SELECT c FROM partition_childless(neighbour) c LIMIT 1);
	divided regclass := (
		SELECT d.partrelid
		FROM partition_beneath(neighbour) b(oid)
			JOIN pg_partitioned_table d ON d.partrelid = b.oid AND d.partstrat = 'r'
			JOIN pg_attribute a ON a.attrelid = d.partrelid AND a.attnum = ANY (d.partattrs)
			JOIN pg_partitioned_table p ON p.partrelid = parent
			JOIN pg_attribute k ON k.attrelid = p.partrelid AND k.attnum = p.partattrs[0] AND k.attname = a.attname
		-- a default partition alone holds all time
		WHERE d.partdefid = 0
			OR EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = d.partrelid AND i.inhrelid <> d.partdefid)
		LIMIT 1);
BEGIN
	IF divided IS NOT NULL THEN
		RAISE EXCEPTION 'partition % is partitioned by range of the same column', divided
			USING ERRCODE = 'feature_not_supported',
				DETAIL = 'New partitions are like their neighbours, and what is beneath this one holds its own time alone.',
				HINT = 'Make the period by hand, and what is beneath it by uuid_partition_create().';
	END IF;
	IF childless IS NOT NULL THEN
		RAISE EXCEPTION 'partition % is partitioned itself and has no partition', childless
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'New partitions are like their neighbours, and this one takes no row.',
				HINT = 'Make the partitions beneath it first.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_neighbour(regclass, regclass) IS
	'an error 55000 for a neighbour beneath which a table has no partition; raises 0A000 for one that is divided by the '
	'column that divides the table, into periods that are not those of a new partition';

-- A partition beneath a partitioned neighbour's is partitioned like it.  A follower's
-- newest, its own template, may be partitioned: each level is then like its counterpart.
CREATE FUNCTION uidext_internal.partition_like(parent regclass, partition text, template regclass, neighbour regclass)
	RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	made regclass;
	beneath record;
BEGIN
	IF (SELECT relkind FROM pg_class WHERE oid = neighbour) IS DISTINCT FROM 'p' THEN
		made := partition_table(parent, partition, NULL::text, template);
		PERFORM partition_run(ARRAY(
			SELECT partition_storage_commands(made, template)
			UNION ALL
			SELECT partition_access_commands(made, template)
			UNION ALL
			SELECT partition_twin_commands(made, template)));
		RETURN made;
	END IF;

	made := partition_table(parent, partition, pg_get_partkeydef(neighbour), CASE WHEN template = neighbour THEN template END);
	PERFORM partition_run(ARRAY(SELECT partition_access_commands(made, template)));
	FOR beneath IN
		SELECT c.oid::regclass AS partition, c.relkind, pg_get_expr(c.relpartbound, 0::oid) AS bound,
			CASE WHEN template = neighbour THEN partition_model(c.oid) ELSE template END AS template,
			CASE WHEN starts_with(c.relname, n.relname || '_')
				THEN substr(c.relname, length(n.relname) + 2) ELSE c.relname END AS suffix
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class n ON n.oid = i.inhparent
		WHERE i.inhparent = neighbour
		ORDER BY c.relname
	LOOP
		IF beneath.relkind = 'f' THEN
			RAISE EXCEPTION 'partition % is a foreign table', beneath.partition
				USING ERRCODE = 'feature_not_supported',
					DETAIL = 'New partitions are like their neighbours, and this one is on another server.',
					HINT = 'Make the period there, and here by iuid_partition_create() or by hand.';
		END IF;
		PERFORM partition_attach(made, partition_like(made,
			partition_name(made, beneath.suffix, partition_schema(made)), beneath.template, beneath.partition), beneath.bound);
	END LOOP;
	RETURN made;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_like(regclass, text, regclass, regclass) IS
	'makes a table like the parent, or a template, and partitioned as a neighbour is, and returns it; 0A000 where a '
	'partition of the neighbour is a foreign table; raises as partition_table() and partition_model()';
