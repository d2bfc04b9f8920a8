-- Partitions: what a new partition takes from its model
--
-- A new partition is made like a template, or like the newest partition.  CREATE TABLE (LIKE ...
-- INCLUDING ALL) copies most properties.  The functions here return commands for the others.
-- Triggers and policies come from the parent.

-- A CHECK of the key may hold for one period only: people add one so that ATTACH PARTITION need not scan
-- the table, and a partition that was detached can keep one.  A partition of a partition inherits it.
CREATE FUNCTION uidext_internal.partition_own_checks(relation regclass, column_name name, parent regclass) RETURNS SETOF name
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT c.conname
	FROM pg_catalog.pg_constraint c
		JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attname = column_name AND a.attnum = ANY (c.conkey)
	WHERE c.conrelid = relation::oid AND c.contype = 'c'
		AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint p
			WHERE p.conrelid = parent::oid AND p.contype = 'c' AND p.conname = c.conname);
END;
COMMENT ON FUNCTION uidext_internal.partition_own_checks(regclass, name, regclass) IS
	'the CHECKs of a column that a table has, and a partitioned table has not, by name';

CREATE FUNCTION uidext_internal.partition_check_template(parent regclass, template regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	wrong record;
	own_check name := (
		SELECT min(o.name::text)::name
		FROM pg_partitioned_table p
			JOIN pg_attribute k ON k.attrelid = p.partrelid AND k.attnum = ANY (p.partattrs)
			CROSS JOIN partition_own_checks(template, k.attname, parent) o(name)
		WHERE p.partrelid = parent);
BEGIN
	IF NOT EXISTS (SELECT FROM pg_class WHERE oid = template AND relkind = 'r') THEN
		RAISE EXCEPTION 'template % is not an ordinary table', template
			USING ERRCODE = 'wrong_object_type',
				HINT = 'Pass a partition, or an empty table that was made with CREATE TABLE ... (LIKE the partitioned table).';
	END IF;
	PERFORM partition_check_owner(template);
	-- policies are not copied, so the same grants would show more rows of the partition than of the template
	IF (SELECT relrowsecurity FROM pg_class WHERE oid = template) THEN
		RAISE EXCEPTION 'template % has row level security', template
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'PostgreSQL applies the policies of the partitioned table. Pass a template without row level security.';
	END IF;
	IF own_check IS NOT NULL THEN
		RAISE EXCEPTION 'template % has check constraint "%" on the partition key, but table % does not', template, own_check, parent
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'The constraint may accept the ids of one period only, and would then refuse those of new partitions.',
				HINT = CASE WHEN (SELECT coninhcount > 0 FROM pg_constraint WHERE conrelid = template AND contype = 'c' AND conname = own_check)
					THEN 'The template has it of the table above. Pass another template, or none.'
					ELSE format('If it accepts the ids of all periods, add it to table %s, too. Otherwise run: ALTER TABLE %s DROP CONSTRAINT %I', parent, template, own_check) END;
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
	IF EXISTS (SELECT FROM pg_attribute t JOIN pg_attribute p USING (attname, atttypid, atttypmod, attcollation)
		WHERE t.attrelid = template AND p.attrelid = parent AND t.attname = wrong.attname AND t.attgenerated = '')
	THEN
		RAISE EXCEPTION 'column "%" is generated in table %, but not in template %', wrong.attname, parent, template
			USING ERRCODE = 'datatype_mismatch',
				HINT = format('Pass a partition as template, or create another template: CREATE TABLE ... (LIKE %s INCLUDING ALL)', parent);
	ELSIF wrong.type IS NOT NULL AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = parent AND attname = wrong.attname AND NOT attisdropped) THEN
		RAISE EXCEPTION 'column "%" is not the same in template % and in table %', wrong.attname, template, parent
			USING ERRCODE = 'datatype_mismatch',
				DETAIL = format('In the template it is %s. In the table, its type or its collation is different, or it is not generated.', wrong.type),
				HINT = format('Pass a partition as template, or create another template: CREATE TABLE ... (LIKE %s INCLUDING ALL)', parent);
	ELSIF wrong.type IS NOT NULL THEN
		RAISE EXCEPTION 'template % has column "%", but table % does not', template, wrong.attname, parent
			USING ERRCODE = 'datatype_mismatch',
				HINT = format('Pass a partition as template, or run: ALTER TABLE %s DROP COLUMN %I', template, wrong.attname);
	ELSIF wrong.attname IS NOT NULL THEN
		RAISE EXCEPTION 'template % lacks column "%" of table %', template, wrong.attname, parent
			USING ERRCODE = 'datatype_mismatch', HINT = 'Add the column with ALTER TABLE ... ADD COLUMN, or pass a partition as the template.';
	END IF;
	SELECT t.attname, pg_get_expr(td.adbin, template) AS computed INTO wrong
	FROM pg_attribute t
		JOIN pg_attribute p ON p.attrelid = parent AND p.attname = t.attname
		JOIN pg_attrdef td ON td.adrelid = template AND td.adnum = t.attnum
		JOIN pg_attrdef pd ON pd.adrelid = parent AND pd.adnum = p.attnum
	WHERE t.attrelid = template AND t.attgenerated <> '' AND NOT t.attisdropped
		AND pg_get_expr(td.adbin, template) <> pg_get_expr(pd.adbin, parent)
		-- since 16 a partition may compute another value
		AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = template AND inhparent = parent)
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'generated column "%" is not the same in template % and in table %', wrong.attname, template, parent
			USING ERRCODE = 'datatype_mismatch',
				DETAIL = format('In the template it is %s.', wrong.computed),
				HINT = format('Pass a partition as template, or create another template: CREATE TABLE ... (LIKE %s INCLUDING ALL)', parent);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_template(regclass, regclass) IS
	'an error 55000 for a template with row level security, or a partition with a CHECK of the key that is not its '
	'parent''s; raises 42809 for one that is no ordinary table, 42501 for one of another owner, 42804 for columns that are '
	'not the parent''s';

-- Storage parameters and statistics targets.
CREATE FUNCTION uidext_internal.partition_storage_commands(partition regclass, model regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT pg_catalog.format('ALTER TABLE %s SET (%s%I = %L)', partition, o.namespace, split_part(o.option, '=', 1),
		substr(o.option, strpos(o.option, '=') + 1))
	FROM (
		SELECT '' AS namespace, pg_catalog.unnest(c.reloptions) AS option
		FROM pg_catalog.pg_class c
		WHERE c.oid = model::oid
		UNION ALL
		SELECT 'toast.', pg_catalog.unnest(t.reloptions)
		FROM pg_catalog.pg_class c JOIN pg_catalog.pg_class t ON t.oid = c.reltoastrelid
		WHERE c.oid = model::oid
	) o
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s ALTER COLUMN %I SET %s', partition, a.attname, s.setting)
	FROM pg_catalog.pg_attribute a CROSS JOIN LATERAL (
		SELECT 'STATISTICS ' || a.attstattarget::text WHERE a.attstattarget >= 0
		UNION ALL
		-- Citus and others keep options of their own here, which are not copied
		SELECT pg_catalog.format('(%I = %L)', split_part(o.option, '=', 1), split_part(o.option, '=', 2))
		FROM pg_catalog.unnest(a.attoptions) o(option)
		WHERE split_part(o.option, '=', 1) IN ('n_distinct', 'n_distinct_inherited')
	) s(setting)
	WHERE a.attrelid = model::oid AND a.attnum > 0 AND NOT a.attisdropped;
END;
COMMENT ON FUNCTION uidext_internal.partition_storage_commands(regclass, regclass) IS
	'commands that give a new partition the storage parameters and statistics targets of a model';

-- Privileges, replica identity and row security.  Default privileges are revoked first, so that the
-- partition has exactly the privileges of its model.
CREATE FUNCTION uidext_internal.partition_access_commands(partition regclass, model regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT DISTINCT pg_catalog.format('REVOKE ALL ON %s FROM %s', partition,
		CASE a.grantee WHEN 0::oid THEN 'PUBLIC' ELSE quote_ident(r.rolname::text) END)
	FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
		LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
	WHERE c.oid = partition::oid AND a.grantee <> c.relowner AND (a.grantee = 0::oid OR r.oid IS NOT NULL)
	UNION ALL
	-- the owner may have given up privileges in the model, or by ALTER DEFAULT PRIVILEGES
	SELECT pg_catalog.format(CASE WHEN own.is_wanted THEN 'GRANT %s ON %s TO %I' ELSE 'REVOKE %s ON %s FROM %I' END,
		own.privilege, partition, pg_get_userbyid(own.owner))
	FROM (
		SELECT a.privilege_type, c.relowner, bool_or(c.oid = model::oid)
		FROM pg_catalog.pg_class c
			CROSS JOIN LATERAL aclexplode(coalesce(c.relacl, pg_catalog.acldefault('r', c.relowner))) a
		WHERE c.oid IN (partition::oid, model::oid) AND a.grantee = c.relowner
		GROUP BY a.privilege_type, c.relowner
		HAVING pg_catalog.count(DISTINCT c.oid) = 1::bigint
	) own(privilege, owner, is_wanted)
	UNION ALL
	SELECT pg_catalog.format('GRANT %s%s ON %s TO %s%s', a.privilege_type, '(' || quote_ident(g.attname::text) || ')',
		partition, CASE a.grantee WHEN 0::oid THEN 'PUBLIC' ELSE quote_ident(r.rolname::text) END,
		CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
	FROM (
		SELECT c.relowner, NULL::name AS attname, c.relacl AS acl FROM pg_catalog.pg_class c WHERE c.oid = model::oid
		UNION ALL
		-- a dropped column keeps its privileges
		SELECT c.relowner, t.attname, t.attacl
		FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid AND NOT t.attisdropped
		WHERE c.oid = model::oid
	) g CROSS JOIN LATERAL aclexplode(g.acl) a LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
	WHERE (a.grantee <> g.relowner OR g.attname IS NOT NULL) AND (a.grantee = 0::oid OR r.oid IS NOT NULL)
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s REPLICA IDENTITY %s', partition,
		CASE c.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END)
	FROM pg_catalog.pg_class c
	WHERE c.oid = model::oid AND c.relreplident IN ('f', 'n')
	UNION ALL
	-- Policies of the model are not copied.  Without them no row can be read but through the parent,
	-- which is safe, and uuid_partition_check() reports it.
	SELECT pg_catalog.format('ALTER TABLE %s %s ROW LEVEL SECURITY', partition, security.command)
	FROM pg_catalog.pg_class c
		CROSS JOIN LATERAL (VALUES ('ENABLE', c.relrowsecurity), ('FORCE', c.relforcerowsecurity)) security(command, is_on)
	WHERE c.oid = model::oid AND security.is_on;
END;
COMMENT ON FUNCTION uidext_internal.partition_access_commands(regclass, regclass) IS
	'commands that give a new partition the grants, the replica identity, but for one by an index, and the switches of row '
	'security of a model';

-- GRANT names roles, and a name can come to be another role's.
CREATE FUNCTION uidext_internal.partition_privileges(
	relation regclass, OUT column_name name, OUT grantee oid, OUT privilege text, OUT is_grantable bool
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	-- the owner may grant them in any case
	SELECT g.attname, a.grantee, a.privilege_type, bool_or(a.is_grantable AND a.grantee IS DISTINCT FROM g.owner)
	FROM (
		SELECT NULL::name, c.relowner, coalesce(c.relacl, pg_catalog.acldefault('r', c.relowner))
		FROM pg_catalog.pg_class c WHERE c.oid = relation::oid
		UNION ALL
		SELECT t.attname, NULL::oid, t.attacl FROM pg_catalog.pg_attribute t WHERE t.attrelid = relation::oid AND NOT t.attisdropped
	) g(attname, owner, acl) CROSS JOIN LATERAL aclexplode(g.acl) a
	WHERE a.grantee = 0::oid OR EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE r.oid = a.grantee)
	GROUP BY g.attname, a.grantee, a.privilege_type;
END;
COMMENT ON FUNCTION uidext_internal.partition_privileges(regclass) IS
	'which roles have which privileges on a table, or on a column of it';

CREATE FUNCTION uidext_internal.partition_index_definition(index oid) RETURNS text
	LANGUAGE sql STABLE STRICT
	RETURN substring(pg_get_indexdef(index) FROM ' USING .*');
COMMENT ON FUNCTION uidext_internal.partition_index_definition(oid) IS
	'the definition of an index without its name, its table and UNIQUE';

-- LIKE copies indexes and extended statistics in the order of their OIDs, so the n-th of the new
-- table belongs to the n-th of the model.  As OIDs can begin again from below meanwhile, those of the
-- new table are counted from its own.
CREATE FUNCTION uidext_internal.oid_distance(first oid, later oid) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (later::bigint - first::bigint + 4294967296) % 4294967296;
COMMENT ON FUNCTION uidext_internal.oid_distance(oid, oid) IS
	'how many OIDs after one another one was given out, where they begin again after 4294967295';

-- CREATE INDEX CONCURRENTLY and REINDEX CONCURRENTLY leave such an index behind if they fail.  LIKE would make a valid one
-- of it, which can refuse rows that the invalid one let in.  One that is being built will be valid, but what
-- REINDEX CONCURRENTLY builds takes the place of another one, and a unique one can still fail.
CREATE FUNCTION uidext_internal.partition_invalid_indexes(
	partition regclass, OUT name regclass, OUT relation regclass, OUT is_built bool
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT x.indexrelid::regclass, x.indrelid::regclass, built.is_built
	FROM uidext_internal.partition_tree(partition) b(oid)
		JOIN pg_catalog.pg_class c ON c.oid = b.oid AND c.relkind IN ('r', 'p')
		JOIN pg_catalog.pg_index x ON x.indrelid = b.oid AND NOT x.indisvalid AND x.indislive
		-- ATTACH PARTITION makes one that belongs to an index of the whole table
		JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid AND NOT i.relispartition
		-- of sessions of others the view shows no more than the process
		CROSS JOIN LATERAL (SELECT EXISTS (
			SELECT FROM pg_locks l JOIN pg_catalog.pg_stat_progress_create_index s ON s.pid = l.pid
			WHERE l.locktype = 'relation' AND l.relation = b.oid AND l.mode = 'ShareUpdateExclusiveLock' AND l.granted
				AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database()))) built(is_built)
	WHERE NOT built.is_built OR x.indisunique OR x.indisexclusion OR EXISTS (
		SELECT FROM pg_catalog.pg_index o
		WHERE o.indrelid = x.indrelid AND o.indisvalid
			AND uidext_internal.partition_index_definition(o.indexrelid) = uidext_internal.partition_index_definition(x.indexrelid));
END;
COMMENT ON FUNCTION uidext_internal.partition_invalid_indexes(regclass) IS
	'the indexes of a partition, or of a part of it, that are not valid and that new partitions do not get, with their tables, '
	'and whether somebody builds them';

CREATE FUNCTION uidext_internal.partition_index_mark_commands(partition regclass, model regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	WITH index AS (
		SELECT x.indrelid, x.indexrelid, x.indisreplident, x.indisclustered,
			pg_catalog.row_number() OVER (PARTITION BY x.indrelid ORDER BY CASE x.indrelid
				WHEN partition::oid THEN uidext_internal.oid_distance(x.indrelid, x.indexrelid) ELSE x.indexrelid::bigint END) AS n
		-- LIKE leaves out what DROP INDEX CONCURRENTLY has left behind
		FROM pg_catalog.pg_index x WHERE x.indrelid IN (partition::oid, model::oid) AND x.indislive
	), statistic AS (
		SELECT e.stxrelid, e.stxname, e.stxnamespace, e.stxstattarget,
			pg_catalog.row_number() OVER (PARTITION BY e.stxrelid ORDER BY CASE e.stxrelid
				WHEN partition::oid THEN uidext_internal.oid_distance(e.stxrelid, e.oid) ELSE e.oid::bigint END) AS n
		FROM pg_catalog.pg_statistic_ext e WHERE e.stxrelid IN (partition::oid, model::oid)
	)
	SELECT pg_catalog.format('ALTER TABLE %s %s %I', partition, mark.command, i.relname)
	FROM index t
		JOIN index x ON x.n = t.n AND x.indrelid = partition::oid
		JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
		JOIN (VALUES (true, 'REPLICA IDENTITY USING INDEX'), (false, 'CLUSTER ON')) mark(is_identity, command)
			ON CASE WHEN mark.is_identity THEN t.indisreplident ELSE t.indisclustered END
	WHERE t.indrelid = model::oid
	UNION ALL
	-- statistics targets of expressions in an index
	SELECT pg_catalog.format('ALTER INDEX %s ALTER COLUMN %s SET STATISTICS %s', x.indexrelid::regclass, a.attnum, a.attstattarget)
	FROM index t
		JOIN index x ON x.n = t.n AND x.indrelid = partition::oid
		JOIN pg_catalog.pg_attribute a ON a.attrelid = t.indexrelid AND a.attstattarget >= 0
	WHERE t.indrelid = model::oid
	UNION ALL
	SELECT pg_catalog.format('ALTER STATISTICS %I.%I SET STATISTICS %s', s.nspname, x.stxname, t.stxstattarget)
	FROM statistic t
		JOIN statistic x ON x.n = t.n AND x.stxrelid = partition::oid
		JOIN pg_catalog.pg_namespace s ON s.oid = x.stxnamespace
	WHERE t.stxrelid = model::oid AND t.stxstattarget >= 0
	UNION ALL
	SELECT pg_catalog.format('DROP INDEX %s', x.indexrelid::regclass)
	FROM index t
		JOIN index x ON x.n = t.n AND x.indrelid = partition::oid
		JOIN uidext_internal.partition_invalid_indexes(model) v ON v.name::oid = t.indexrelid
	WHERE t.indrelid = model::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_index_mark_commands(regclass, regclass) IS
	'commands that give indexes and extended statistics of a new partition, before more come to it, the marks for '
	'replication and CLUSTER and the statistics targets that a model''s have, and drop those of invalid indexes';

-- The sub-partitions of a partition, in the order in which copies of them are made.
CREATE FUNCTION uidext_internal.partition_parts_to_copy(
	partition regclass, OUT child regclass, OUT suffix text, OUT bound text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	-- with the default estimate of 1,000 rows, the planner would use JIT for partition_tree_like()
	ROWS 3
	SET search_path = pg_catalog, uidext_internal, pg_temp
	-- with these settings, bounds that are dates, intervals or floats are read back exactly as printed
	SET datestyle = 'ISO, MDY'
	SET intervalstyle = 'postgres'
	SET timezone = 'UTC'
	SET extra_float_digits = 3
AS $$
BEGIN
	RETURN QUERY
		WITH found AS (
			SELECT c.oid, c.relname, row_number() OVER (ORDER BY c.relname)::text AS n,
				CASE WHEN starts_with(c.relname, p.relname || '_')
					THEN substr(c.relname, length(p.relname) + 2)
					-- digits in the name may be the period of the model, so they are not copied
					WHEN c.relname ~ '[0-9]' THEN (row_number() OVER (ORDER BY c.relname))::text
					ELSE c.relname::text END AS suffix,
				pg_get_expr(c.relpartbound, 0::oid) AS bound
			FROM pg_inherits i
				JOIN pg_class c ON c.oid = i.inhrelid
				JOIN pg_class p ON p.oid = i.inhparent
			WHERE i.inhparent = partition AND NOT i.inhdetachpending
		)
		-- all are numbered if two would get one name
		SELECT f.oid::regclass, CASE WHEN (SELECT count(DISTINCT o.suffix) < count(*) FROM found o) THEN f.n ELSE f.suffix END, f.bound
		FROM found f
		ORDER BY f.relname;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_parts_to_copy(regclass) IS
	'the partitions of a partition with the ends of their names and their bounds, which mean the same in any session; not '
	'those that wait to be detached';

-- A parent comes before its children.  Without a model the result is one table, like the parent.
-- Tables at different places can get one name: "eu" with a child "de" beside "eu_de".  All but the first are numbered.
CREATE FUNCTION uidext_internal.partition_tree_like(
	model regclass, name text, OUT like_table regclass, OUT made_name text, OUT above text, OUT bound text, OUT key text
) RETURNS SETOF record
	LANGUAGE sql STABLE ROWS 10
BEGIN ATOMIC
	WITH RECURSIVE node AS (
		SELECT model AS relation, name AS whole, NULL::regclass AS above, NULL::text AS bound, 1 AS level
		UNION ALL
		SELECT c.child, n.whole || '_' || c.suffix, n.relation, c.bound, n.level + 1
		FROM node n CROSS JOIN LATERAL uidext_internal.partition_parts_to_copy(n.relation) c
	), named AS (
		SELECT n.relation, n.above, n.bound, n.level, n.whole || CASE WHEN n.place > 1::bigint THEN '_' || n.place::text ELSE '' END AS made_name
		FROM (
			SELECT o.*, pg_catalog.row_number() OVER (PARTITION BY o.whole ORDER BY o.level, o.relation::oid) AS place
			FROM node o
		) n
	)
	SELECT n.relation, n.made_name, a.made_name, n.bound, pg_get_partkeydef(n.relation::oid)
	FROM named n LEFT JOIN named a ON a.relation::oid = n.above::oid
	ORDER BY n.level, n.made_name COLLATE "C";
END;
COMMENT ON FUNCTION uidext_internal.partition_tree_like(regclass, text) IS
	'the tables to be made for a partition of a name that is divided like another one: each with the table that it is like, '
	'its name, that of the table above it, its bound there, and the key that it is divided by';

CREATE FUNCTION uidext_internal.partition_parts_without_table(partition regclass) RETURNS SETOF regclass
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT d.partrelid::regclass
	FROM uidext_internal.partition_tree(partition) b(oid) JOIN pg_catalog.pg_partitioned_table d ON d.partrelid = b.oid
	WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = d.partrelid AND NOT i.inhdetachpending);
END;
COMMENT ON FUNCTION uidext_internal.partition_parts_without_table(regclass) IS
	'of a partition and what is beneath it those that are partitioned and take no row, because they have no partition';

-- Sub-partitions by country can be copied into each new month.  Sub-partitions by day cannot.
CREATE FUNCTION uidext_internal.partition_tables_divided_by(partition regclass, column_name name) RETURNS SETOF regclass
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT d.partrelid::regclass
	FROM uidext_internal.partition_tree(partition) b(oid)
		JOIN pg_catalog.pg_partitioned_table d ON d.partrelid = b.oid AND d.partstrat = 'r'
		JOIN pg_catalog.pg_attribute a ON a.attrelid = d.partrelid AND a.attnum = ANY (d.partattrs)
			AND a.attname = column_name
	-- one that has only a default partition takes rows of any time
	WHERE d.partdefid = 0::oid
		OR EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = d.partrelid AND i.inhrelid <> d.partdefid);
END;
COMMENT ON FUNCTION uidext_internal.partition_tables_divided_by(regclass, name) IS
	'of a partition and what is beneath it those that are divided by ranges of a column';

-- What somebody has made while a new partition was made, that one does not have, and neither have later ones.
CREATE FUNCTION uidext_internal.partition_copied_objects(partition regclass, OUT object text, OUT described text) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT CASE WHEN x.indisexclusion THEN 'EXCLUDE ' WHEN x.indisunique THEN 'UNIQUE ' ELSE '' END || uidext_internal.partition_index_definition(x.indexrelid),
		pg_catalog.format('index %s', x.indexrelid::regclass)
	FROM pg_catalog.pg_index x
	WHERE x.indrelid = partition::oid AND x.indisvalid
	UNION ALL
	SELECT e.stxkind::text || pg_get_statisticsobjdef_columns(e.oid), pg_catalog.format('statistics object %I.%I', n.nspname, e.stxname)
	FROM pg_catalog.pg_statistic_ext e JOIN pg_catalog.pg_namespace n ON n.oid = e.stxnamespace
	WHERE e.stxrelid = partition::oid
	UNION ALL
	SELECT pg_catalog.concat_ws(' ', p.privilege, p.column_name, p.grantee),
		pg_catalog.concat_ws(' ', p.privilege, '(' || p.column_name::text || ')', 'for',
		CASE p.grantee WHEN 0::oid THEN 'PUBLIC' ELSE pg_get_userbyid(p.grantee)::text END)
	FROM uidext_internal.partition_privileges(partition) p
	WHERE p.grantee <> (SELECT c.relowner FROM pg_catalog.pg_class c WHERE c.oid = partition::oid);
END;
COMMENT ON FUNCTION uidext_internal.partition_copied_objects(regclass) IS
	'the indexes, statistics objects and privileges that new partitions get from a partition that they are like: what is the '
	'same in two partitions, and how to call it';

-- Objects of the newest partition, and of what is beneath it, that are not copied.
CREATE FUNCTION uidext_internal.partition_own_objects(partition regclass, OUT object text, OUT described text) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT o.object, o.object || CASE WHEN b.oid <> partition::oid THEN ' of part ' || b.oid::regclass::text ELSE '' END
	FROM uidext_internal.partition_tree(partition) b(oid)
		CROSS JOIN LATERAL (
			SELECT pg_catalog.format('trigger "%s"', t.tgname)
			FROM pg_catalog.pg_trigger t
			WHERE t.tgrelid = b.oid AND NOT t.tgisinternal AND t.tgparentid = 0::oid
			UNION ALL
			SELECT pg_catalog.format('policy "%s"', p.polname) FROM pg_catalog.pg_policy p WHERE p.polrelid = b.oid
			UNION ALL
			SELECT pg_catalog.format('rule "%s"', r.rulename) FROM pg_catalog.pg_rewrite r WHERE r.ev_class = b.oid
			UNION ALL
			SELECT pg_catalog.format('publication "%s"', p.pubname)
			FROM pg_catalog.pg_publication_rel r JOIN pg_catalog.pg_publication p ON p.oid = r.prpubid
			WHERE r.prrelid = b.oid
			UNION ALL
			SELECT 'being unlogged' FROM pg_catalog.pg_class c WHERE c.oid = b.oid AND c.relpersistence = 'u'
			UNION ALL
			-- since 17 a partition has those of the table alone
			SELECT pg_catalog.format('identity of column "%s"', a.attname)
			FROM pg_catalog.pg_attribute a
			WHERE a.attrelid = b.oid AND a.attidentity <> '' AND NOT a.attisdropped AND current_setting('server_version_num')::int < 170000
			UNION ALL
			SELECT pg_catalog.format('foreign key "%s"', k.conname)
			FROM pg_catalog.pg_constraint k
			WHERE k.conrelid = b.oid AND k.contype = 'f' AND k.conparentid = 0::oid
				-- to a partition of the same bounds a new one gets such a key, too: see partition_pair_foreign_keys()
				AND NOT EXISTS (
					SELECT FROM pg_catalog.pg_inherits i
						JOIN pg_catalog.pg_partitioned_table d ON d.partrelid = i.inhparent
						JOIN pg_catalog.pg_attribute p ON p.attrelid = d.partrelid AND p.attnum = d.partattrs[0]
						JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attname = p.attname
						JOIN pg_catalog.pg_class own ON own.oid = k.conrelid
						JOIN pg_catalog.pg_class other ON other.oid = k.confrelid
							AND pg_get_expr(other.relpartbound, other.oid) = pg_get_expr(own.relpartbound, own.oid)
					WHERE i.inhrelid = k.conrelid AND (k.confrelid = k.conrelid OR a.attnum = ANY (k.conkey)))
		) o(object);
END;
COMMENT ON FUNCTION uidext_internal.partition_own_objects(regclass) IS
	'what a partition, or a part of it, has that new partitions do not get: triggers, policies, rules and identity columns of its '
	'own, publications that name it, being unlogged, and foreign keys that are no pair''s; described with the part';

CREATE FUNCTION uidext_internal.partition_replica_identities(partition regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT string_agg(DISTINCT c.relreplident::text, '' ORDER BY c.relreplident::text)
	FROM uidext_internal.partition_tree(partition) b(oid) JOIN pg_catalog.pg_class c ON c.oid = b.oid
	WHERE c.relkind = 'r';
END;
COMMENT ON FUNCTION uidext_internal.partition_replica_identities(regclass) IS
	'the kinds of replica identity, as pg_class has them, of the tables of this server in which rows of a partition are; NULL '
	'for none';
