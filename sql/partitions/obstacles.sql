-- Partitions: obstacles
--
-- Each function looks for one kind of obstacle that would make a step fail.  A plan asks all of
-- them, for a dry run and for a real call alike.  An obstacle is a problem, which begins with its
-- SQLSTATE, and a hint.

CREATE TYPE uidext_internal.partition_obstacle AS (problem text, hint text);
COMMENT ON TYPE uidext_internal.partition_obstacle IS 'what is in the way of a step, and what to do first';
COMMENT ON COLUMN uidext_internal.partition_obstacle.problem IS 'SQLSTATE and message';
COMMENT ON COLUMN uidext_internal.partition_obstacle.hint IS 'what to do first; NULL where the problem says it';

CREATE FUNCTION uidext_internal.partition_raise(problem text, hint text) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF hint IS NOT NULL THEN
		RAISE EXCEPTION '%', substr(problem, 8) USING ERRCODE = left(problem, 5), HINT = hint;
	ELSIF problem IS NOT NULL THEN
		RAISE EXCEPTION '%', substr(problem, 8) USING ERRCODE = left(problem, 5);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_raise(text, text) IS
	'raises a problem, unless it is NULL, with its own SQLSTATE';

-- If two sessions change the same row of a catalog, for example by GRANT, the second one waits and then gets this XX000.
-- Its message is an elog(), which is never translated.
CREATE FUNCTION uidext_internal.partition_is_lock(problem text) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN left(problem, 5) IN ('55P03', '40P01') OR starts_with(problem, 'XX000: tuple concurrently ');
COMMENT ON FUNCTION uidext_internal.partition_is_lock(text) IS
	'whether a problem, or an SQLSTATE alone, says that a lock was not to be had';

CREATE FUNCTION uidext_internal.partition_detach_hint(parent regclass, partition regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
	RETURN pg_catalog.format('If no session is detaching it now: ALTER TABLE %s DETACH PARTITION %s FINALIZE', parent, partition);
COMMENT ON FUNCTION uidext_internal.partition_detach_hint(regclass, regclass) IS
	'the hint for a partition that waits to be detached';

-- An owner can lack privileges: they can be revoked from the owner, and types and functions can
-- belong to others.
CREATE FUNCTION uidext_internal.partition_right_obstacle(t uidext_internal.partitioned_table)
	RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE
BEGIN ATOMIC
	WITH source AS (
		SELECT c.* FROM uidext_internal.partition_sources(t) s(oid) JOIN pg_catalog.pg_class c ON c.oid = s.oid
	), index AS (
		SELECT c.reltablespace, x.indpred, x.indexrelid
		FROM source s JOIN pg_catalog.pg_index x ON x.indrelid = s.oid JOIN pg_catalog.pg_class c ON c.oid = x.indexrelid
	), trigger AS (
		SELECT g.tgfoid FROM pg_catalog.pg_trigger g
		WHERE g.tgrelid = (t).relation::oid AND NOT g.tgisinternal AND (g.tgtype & 1::smallint) <> 0::smallint
	), missing("right", object) AS (
		-- the new partition, and the newest one, which it is partitioned like, are named there
		SELECT r."right", pg_catalog.format('SCHEMA %s', n.oid::regnamespace)
		FROM pg_catalog.pg_namespace n CROSS JOIN (VALUES ('CREATE'), ('USAGE')) r("right")
		WHERE n.oid = uidext_internal.partition_schema(coalesce((t).newest, (t).relation))::oid
			AND NOT has_schema_privilege(n.oid, r."right")
		UNION ALL
		SELECT 'USAGE', pg_catalog.format('SCHEMA %s', s.relnamespace::regnamespace) FROM source s
		WHERE NOT has_schema_privilege(s.relnamespace, 'USAGE')
		UNION ALL
		-- PostgreSQL checks the foreign keys of the new partition, by the names of the tables
		SELECT 'USAGE', pg_catalog.format('SCHEMA %s', c.relnamespace::regnamespace)
		FROM pg_catalog.unnest(uidext_internal.partition_tables_to_name((t).relation, (t).relation)) n(oid)
			JOIN pg_catalog.pg_class c ON c.oid = n.oid
		WHERE NOT has_schema_privilege(c.relnamespace, 'USAGE')
-- [sql]
		UNION ALL
		-- the SQL edition locks the default partition by its name
		SELECT 'USAGE', pg_catalog.format('SCHEMA %s', d.schema)
		FROM uidext_internal.partition_schema((t).default_partition) d(schema)
		WHERE NOT has_schema_privilege(d.schema::oid, 'USAGE')
-- [both]
		UNION ALL
		SELECT 'SELECT', pg_catalog.format('TABLE %s', s.oid::regclass) FROM source s
		WHERE NOT has_table_privilege(s.oid, 'SELECT')
		UNION ALL
		SELECT 'CREATE', pg_catalog.format('TABLESPACE %I', p.spcname)
		FROM (SELECT s.reltablespace FROM source s UNION SELECT i.reltablespace FROM index i) used
			JOIN pg_catalog.pg_tablespace p ON p.oid = used.reltablespace
		WHERE NOT has_tablespace_privilege(p.oid, 'CREATE')
		UNION ALL
		SELECT 'USAGE', pg_catalog.format('TYPE %s', CASE WHEN y.typcategory = 'A' THEN y.typelem ELSE y.oid END::regtype)
		FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
		WHERE a.attrelid = (t).relation::oid AND a.attnum > 0 AND NOT a.attisdropped AND NOT has_type_privilege(y.oid, 'USAGE')
		UNION ALL
		-- PostgreSQL creates the parent's row triggers again for the new partition
		SELECT 'EXECUTE', pg_catalog.format('FUNCTION %s', g.tgfoid::regprocedure) FROM trigger g
		WHERE NOT has_function_privilege(g.tgfoid, 'EXECUTE')
		UNION ALL
		SELECT 'TRIGGER', pg_catalog.format('TABLE %s', s.oid::regclass) FROM source s
		WHERE s.oid <> (t).relation::oid AND NOT has_table_privilege(s.oid, 'TRIGGER') AND EXISTS (SELECT FROM trigger)
		UNION ALL
		-- PostgreSQL checks the right to call functions of an index predicate even for an empty table
		SELECT 'EXECUTE', pg_catalog.format('FUNCTION %s', f.oid::regprocedure)
		FROM index i
			JOIN pg_catalog.pg_depend d ON d.classid = 'pg_class'::regclass::oid AND d.objid = i.indexrelid
				AND d.refclassid = 'pg_proc'::regclass::oid
			JOIN pg_catalog.pg_proc f ON f.oid = d.refobjid
		WHERE i.indpred::text ~ pg_catalog.format(':(func|opfunc)id %s ', f.oid) AND NOT has_function_privilege(f.oid, 'EXECUTE')
	)
	SELECT ROW(pg_catalog.format('42501: %s on %s is needed for a new partition', m."right", lower(split_part(m.object, ' ', 1))
			|| substr(m.object, strpos(m.object, ' '))),
		pg_catalog.format('Run: GRANT %s ON %s TO %I', m."right", m.object, current_user))::uidext_internal.partition_obstacle
	FROM missing m
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_right_obstacle(uidext_internal.partitioned_table) IS
	'a privilege that the caller has not, and that the commands which make a partition need; NULL for none';

CREATE FUNCTION uidext_internal.partition_name_obstacle(schema regnamespace, name text)
	RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT ROW(o.problem, o.hint)::uidext_internal.partition_obstacle
	FROM (
		-- PostgreSQL would truncate the name, and two periods could then get the same one
		SELECT pg_catalog.format('42622: partition name "%s" is longer than %s bytes', name,
				current_setting('max_identifier_length')),
			'The name of a partition begins with that of its table. Give the table a shorter name: ALTER TABLE ... RENAME TO ...'
		WHERE octet_length(name) > current_setting('max_identifier_length')::int
		UNION ALL
		SELECT pg_catalog.format('42P07: relation "%s.%s" already exists', schema, quote_ident(name)),
			pg_catalog.format('If it is the partition of this period, and somebody detached it, attach it again. Otherwise rename it: ALTER %s %s.%I RENAME TO ...',
				CASE c.relkind WHEN 'c' THEN 'TYPE' ELSE 'TABLE' END, schema, name)
		FROM pg_catalog.pg_class c WHERE c.relnamespace = schema::oid AND c.relname = name
		UNION ALL
		SELECT pg_catalog.format('42710: type "%s.%s" already exists', schema, quote_ident(name)),
			pg_catalog.format('PostgreSQL gives each table a type of the same name. Drop that type, or rename it: ALTER %s %s.%I RENAME TO ...',
				CASE y.typtype WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END, schema, name)
		FROM pg_catalog.pg_type y
		-- an array type of that name is renamed by PostgreSQL
		WHERE y.typnamespace = schema::oid AND y.typname = name AND y.typelem = 0::oid
	) o(problem, hint)
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_name_obstacle(regnamespace, text) IS
	'what keeps a table from getting a name in a schema; NULL for nothing';

-- If the default partition is a foreign table, PostgreSQL attaches partitions without reading it.
CREATE FUNCTION uidext_internal.partition_unread_obstacle(partition regclass, visible_rows text)
	RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT CASE visible_rows
		WHEN 'foreign' THEN ROW(
			pg_catalog.format('42809: partition %s is a foreign table, or has one beneath it', partition),
			(SELECT pg_catalog.format('PostgreSQL does not look into it for rows of this period, and queries would no longer find such rows. '
					'Run: ALTER TABLE %s DETACH PARTITION %s', i.inhparent::regclass, partition)
				FROM pg_catalog.pg_inherits i WHERE i.inhrelid = partition::oid)
			)::uidext_internal.partition_obstacle
		WHEN 'hidden' THEN ROW(pg_catalog.format('42501: not all rows of partition %s are visible', partition), (
			SELECT h.hint
			FROM uidext_internal.partition_tree(partition) b(oid)
				CROSS JOIN LATERAL (SELECT coalesce(uidext_internal.partition_unreadable_hint(b.oid::regclass),
					CASE WHEN row_security_active(b.oid) THEN uidext_internal.partition_row_security_hint(b.oid::regclass) END)) h(hint)
			WHERE h.hint IS NOT NULL
			LIMIT 1))::uidext_internal.partition_obstacle
	END;
END;
COMMENT ON FUNCTION uidext_internal.partition_unread_obstacle(regclass, text) IS
	'what keeps the caller from looking into a partition of which partition_visible_rows() says this; NULL for nothing';

-- If the newest partition is a foreign table, its rows are on another server, and the rows of the next partition
-- probably belong there, too.  Whoever wants them on this server passes a template.
CREATE FUNCTION uidext_internal.partition_foreign_table_obstacle(t uidext_internal.partitioned_table)
	RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE
	RETURN (
		SELECT ROW(pg_catalog.format('0A000: partition %s is a foreign table', c.oid::regclass),
			'Rows of the new partition would be stored on this server. Make it on the other server first, then a foreign partition '
			'here with iuid_partition_create() or by hand. If the rows shall be on this server, pass a template.'
			)::uidext_internal.partition_obstacle
		FROM pg_catalog.pg_class c
		WHERE c.oid = (t).newest::oid AND c.relkind = 'f' AND (t).template IS NULL);
COMMENT ON FUNCTION uidext_internal.partition_foreign_table_obstacle(uidext_internal.partitioned_table) IS
	'what keeps a partition from being made on this server if the newest one of its table is on another; NULL for nothing';

-- PostgreSQL converts each bound to the type of the column.  If that is a domain, its CHECK constraint may refuse
-- boundary values.  This tries the boundary value of now.  If the CHECK accepts this one, but not those of other times,
-- or raises another error, it is left to PostgreSQL to raise the error.
CREATE FUNCTION uidext_internal.partition_domain_obstacle(t uidext_internal.partitioned_table)
	RETURNS uidext_internal.partition_obstacle
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	type oid := (
		SELECT a.atttypid FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid AND y.typtype = 'd'
		WHERE a.attrelid = t.relation AND a.attname = t.column_name);
BEGIN
	PERFORM domain_in(partition_boundary(t.layout, now())::cstring, type, -1) WHERE type IS NOT NULL;
	RETURN NULL;
EXCEPTION
	WHEN check_violation THEN
		RETURN ROW(format('%s: %s', SQLSTATE, SQLERRM),
			format('Bounds of partitions are boundary values. Let the CHECK of domain %s accept these, too.', type::regtype)
			)::partition_obstacle;
	WHEN lock_not_available THEN
		RAISE;
	WHEN OTHERS THEN
		RETURN NULL;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_domain_obstacle(uidext_internal.partitioned_table) IS
	'what keeps a table from getting any new partition because the domain of its key refuses boundary values; NULL for nothing';

-- A new partition has what its template has.  ATTACH PARTITION wants of it each CHECK and NOT NULL of the tables above it: of the
-- partitioned table, and if the newest partition is partitioned itself, of those beneath it that are.
CREATE FUNCTION uidext_internal.partition_template_obstacle(t uidext_internal.partitioned_table)
	RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE
BEGIN ATOMIC
	WITH above AS (
		SELECT (t).relation AS relation
		UNION ALL
		SELECT p.partrelid::regclass
		FROM uidext_internal.partition_tree((t).newest) b(oid) JOIN pg_catalog.pg_partitioned_table p ON p.partrelid = b.oid
	), lack(problem, command, is_of_table) AS (
		SELECT pg_catalog.format(CASE WHEN own.oid IS NULL THEN 'template %1$s lacks check constraint "%2$s" of table %3$s'
				ELSE 'check constraint "%2$s" is not the same in template %1$s and in table %3$s' END, (t).template, c.conname, a.relation),
			pg_catalog.format(CASE WHEN own.oid IS NULL THEN 'ADD CONSTRAINT %1$I %2$s'
				ELSE 'DROP CONSTRAINT %1$I, ADD CONSTRAINT %1$I %2$s' END, c.conname, wanted.definition),
			a.relation::oid = (t).relation::oid
		FROM above a
			JOIN pg_catalog.pg_constraint c ON c.conrelid = a.relation::oid AND c.contype = 'c' AND NOT c.connoinherit
			LEFT JOIN pg_catalog.pg_constraint own ON own.conrelid = (t).template::oid AND own.contype = 'c' AND own.conname = c.conname
			CROSS JOIN LATERAL (SELECT regexp_replace(pg_get_constraintdef(c.oid), ' NOT VALID$', ''),
				regexp_replace(pg_get_constraintdef(own.oid), ' NOT VALID$', '')) wanted(definition, own)
		WHERE (own.oid IS NULL OR wanted.own <> wanted.definition AND wanted.own || ' NOT ENFORCED' <> wanted.definition)
			-- those of a period are dropped
			AND c.conname NOT IN (SELECT uidext_internal.partition_own_checks(a.relation, (t).column_name, (t).relation))
		UNION ALL
		SELECT pg_catalog.format('column "%s" is NOT NULL in table %s, but not in template %s', c.attname, a.relation, (t).template),
			pg_catalog.format('ALTER COLUMN %I SET NOT NULL', c.attname), a.relation::oid = (t).relation::oid
		FROM above a
			JOIN pg_catalog.pg_attribute c ON c.attrelid = a.relation::oid AND c.attnotnull AND NOT c.attisdropped
			JOIN pg_catalog.pg_attribute own ON own.attrelid = (t).template::oid AND own.attname = c.attname AND NOT own.attnotnull
		WHERE c.attnum > 0
	)
	SELECT ROW('42804: ' || l.problem, CASE WHEN l.is_of_table
			THEN pg_catalog.format('Pass a partition as template, or run: ALTER TABLE %s %s', (t).template, l.command)
			-- all parts of a new partition would get it from the template
			ELSE 'Pass no template. The new partition and its parts are then like the newest one.' END)::uidext_internal.partition_obstacle
	FROM lack l
	WHERE (t).template IS NOT NULL
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_template_obstacle(uidext_internal.partitioned_table) IS
	'what keeps a table from getting any new partition because the template lacks a CHECK or NOT NULL of a table above it; NULL for nothing';

-- A partition of a follower gets its foreign key when it is made beside that of the leader.  Where both refer to each other, none
-- could come first.
CREATE FUNCTION uidext_internal.partition_unpaired_obstacle(
	t uidext_internal.partitioned_table, keys uidext_internal.partition_foreign_key[]
) RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT ROW(pg_catalog.format('55000: partitions of table %s have foreign keys to those of table %s, and this one would have none',
			(t).relation, k.referred),
		pg_catalog.format('Let table %2$s have a partition of this period, and then make this one with its foreign key: '
			'SELECT * FROM uuid_partition_follow(%1$L, %2$L). If new partitions shall have none, pass foreign_keys => false there',
			(t).relation, k.referred))::uidext_internal.partition_obstacle
	FROM pg_catalog.unnest(keys) k
	WHERE k.referred::oid <> (t).relation::oid
		-- older partitions may have keys that nobody wants any more
		AND EXISTS (
			SELECT FROM pg_catalog.pg_constraint c JOIN pg_catalog.pg_inherits i ON i.inhrelid = c.confrelid
			WHERE c.conrelid = (t).newest::oid AND c.contype = 'f' AND c.conparentid = 0::oid AND i.inhparent = k.referred::oid)
		AND NOT EXISTS (
			SELECT FROM pg_catalog.unnest(uidext_internal.partition_newest_foreign_keys(k.referred)) b
			WHERE b.referred::oid = (t).relation::oid)
	ORDER BY k.referred::text COLLATE "C"
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_unpaired_obstacle(
	uidext_internal.partitioned_table, uidext_internal.partition_foreign_key[]) IS
	'what keeps a table from getting a partition by itself, because its newest one has a foreign key to another table''s, of some '
	'keys; NULL for nothing';

-- Obstacles that concern all new partitions of a table.  A plan asks for them once.
CREATE FUNCTION uidext_internal.partition_table_obstacle(t uidext_internal.partitioned_table)
	RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT ROW(o.problem, o.hint)::uidext_internal.partition_obstacle
	FROM (
		-- The relation cache shows the partitions that exist now, but queries of catalogs show what the snapshot of the
		-- transaction shows.  Above READ COMMITTED, the newest partition may be missing there.
		SELECT pg_catalog.format('40001: partition %s was made after this transaction began', (t).newest), 'Call it again, in a new transaction.'
		WHERE (t).newest IS NOT NULL AND NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = (t).newest::oid)
		UNION ALL
		SELECT pg_catalog.format('42501: must be owner of table %s', c.oid::regclass),
			pg_catalog.format('New partitions are made like this one, and only its owner may do that. Pass a template, or run: ALTER TABLE %s OWNER TO %I',
				c.oid::regclass, current_user)
		FROM uidext_internal.partition_tree(coalesce((t).newest, (t).template)) b(oid)
			JOIN pg_catalog.pg_class c ON c.oid = b.oid
		-- nothing is made like a foreign table
		WHERE pg_get_userbyid(c.relowner) <> current_user
			AND (c.oid <> (t).newest::oid OR c.relkind = 'p' OR c.relkind <> 'f' AND (t).template IS NULL)
		UNION ALL
		SELECT pg_catalog.format('0A000: partition %s is a foreign table', c.oid::regclass),
			'New partitions are made like the newest, and this one is on another server. '
			'Make the partition on that server first, then a foreign partition here with iuid_partition_create() or by hand.'
		FROM uidext_internal.partition_tree((t).newest) b(oid) JOIN pg_catalog.pg_class c ON c.oid = b.oid
		WHERE c.relkind = 'f' AND c.oid <> (t).newest::oid
		UNION ALL
		SELECT pg_catalog.format('0A000: partition %s is partitioned by range of the same column', d.relation),
			'New partitions are made like the newest, but the partitions beneath this one fit its own period only. '
			'Make the partition by hand, and those beneath it with uuid_partition_create().'
		FROM uidext_internal.partition_tables_divided_by((t).newest, (t).column_name) d(relation)
		UNION ALL
		SELECT pg_catalog.format('55000: partition %s is partitioned itself and has no partition', c.relation),
			'New partitions are made like the newest, and this one takes no rows. Give it partitions first.'
		FROM uidext_internal.partition_parts_without_table((t).newest) c(relation)
		UNION ALL
		SELECT pg_catalog.format('0A000: %s of table %s refers to the whole row', w.described, w.relation),
			'New partitions are made like this table, and PostgreSQL cannot copy that. Name the columns there in place of the row.'
		FROM uidext_internal.partition_whole_rows(ARRAY(SELECT uidext_internal.partition_sources(t))) w
		UNION ALL
		SELECT d.problem, d.hint FROM uidext_internal.partition_domain_obstacle(t) d WHERE d.problem IS NOT NULL
		UNION ALL
		SELECT m.problem, m.hint FROM uidext_internal.partition_template_obstacle(t) m WHERE m.problem IS NOT NULL
		UNION ALL
		SELECT r.problem, r.hint FROM uidext_internal.partition_right_obstacle(t) r WHERE r.problem IS NOT NULL
-- [sql]
		UNION ALL
		SELECT '42501: ' || s.problem, s.hint FROM uidext_internal.schemas_of_others(
			uidext_internal.partition_tables_to_name((t).relation, (t).relation) OPERATOR(pg_catalog.||) ARRAY(SELECT uidext_internal.partition_sources(t))
				OPERATOR(pg_catalog.||) (t).newest::oid) s
-- [both]
		UNION ALL
		-- before PostgreSQL looks for rows of the new period there, it evaluates what it can of the CHECKs
		SELECT pg_catalog.format('42501: must be owner of table %s', c.oid::regclass),
			pg_catalog.format('Making a partition runs CHECK constraints of the default partition with your privileges. Run: ALTER TABLE %s OWNER TO %I',
				c.oid::regclass, current_user)
		FROM uidext_internal.partition_tree((t).default_partition) b(oid) JOIN pg_catalog.pg_class c ON c.oid = b.oid
		WHERE c.relkind <> 'f' AND pg_get_userbyid(c.relowner) <> current_user
		UNION ALL
		SELECT h.problem, h.hint
		FROM uidext_internal.partition_unread_obstacle((t).default_partition,
			uidext_internal.partition_visible_rows((t).default_partition)) h
		WHERE h.problem IS NOT NULL
	) o(problem, hint)
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_table_obstacle(uidext_internal.partitioned_table) IS
	'what keeps a table from getting any new partition: of its newest one, of rights, of the default partition; NULL for '
	'nothing';

CREATE FUNCTION uidext_internal.partition_default_hint(period uidext_internal.partition_period) RETURNS text
	LANGUAGE sql STABLE
	RETURN CASE WHEN (period).from_time > now() + interval '5 minutes'
		THEN 'The period has not begun, so uuid_partition_drain() leaves these rows. Give them new ids, or wait until their times have passed.'
		ELSE 'Move them with uuid_partition_drain(), which also makes the partition.' END;
COMMENT ON FUNCTION uidext_internal.partition_default_hint(uidext_internal.partition_period) IS
	'what to do about rows of a period in the default partition';

CREATE FUNCTION uidext_internal.partition_default_obstacle(
	t uidext_internal.partitioned_table, period uidext_internal.partition_period
) RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT CASE
		WHEN (t).default_partition IS NULL OR (period).is_default THEN NULL::uidext_internal.partition_obstacle
		WHEN uidext_internal.partition_visible_rows((t).default_partition) = 'all'
			AND uidext_internal.edge_id((t).default_partition, (t).column_name, (period).from_id, (period).to_id, false,
				NULL::int[]) IS NOT NULL
			THEN ROW(pg_catalog.format('23514: default partition %s has rows of this period', (t).default_partition),
				uidext_internal.partition_default_hint(period))::uidext_internal.partition_obstacle
	END;
END;
COMMENT ON FUNCTION uidext_internal.partition_default_obstacle(
	uidext_internal.partitioned_table, uidext_internal.partition_period) IS
	'what keeps a period from getting a partition because the default partition has rows of it; NULL for nothing';

CREATE FUNCTION uidext_internal.partition_overlap_obstacle(
	t uidext_internal.partitioned_table, period uidext_internal.partition_period
) RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT CASE WHEN p.detach_pending
			THEN ROW(pg_catalog.format('55006: partition %s waits to be detached', p.partition),
				uidext_internal.partition_detach_hint((t).relation, p.partition))::uidext_internal.partition_obstacle
			ELSE ROW(pg_catalog.format('42P17: the period would overlap partition %s', p.partition),
				CASE WHEN (t).leader IS NULL
					THEN 'uuid_partition_list() shows the gaps beside it. To fill a gap that is shorter than the step, pass its length as step.'
					ELSE pg_catalog.format('Table %s has no partition with the bounds of %s. Detach it, call the function again, and insert its rows into table %s.',
						(t).leader, p.partition, (t).relation)
				END)::uidext_internal.partition_obstacle
		END
	FROM pg_catalog.unnest((t).periods) p
	WHERE NOT (period).is_default AND uidext_internal.partition_overlaps(p, period)
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_overlap_obstacle(
	uidext_internal.partitioned_table, uidext_internal.partition_period) IS
	'what other partition is where a period shall be; NULL for none';

-- A foreign key needs a unique index of exactly the columns to which it refers.  The function looks for it as PostgreSQL
-- does in transformFkeyCheckAttrs() and ATAddForeignKeyConstraint():
--
-- A new table has the indexes of the table that it is made like, and gets the other indexes of the partitioned table.  If
-- several unique indexes have the columns, PostgreSQL takes the one that was made first.
--
-- The operator class of each column of the index has to compare this column with the column of the foreign key.  Its
-- operator family has an equality operator for both types, or the types can be cast implicitly to the input type of the
-- operator class.  For arrays the types of the elements count.
--
-- A foreign key that names no columns refers to a primary key of one column.  That always fits, because both tables are
-- partitioned by the same type.
--
-- (This and the next function are in PL/pgSQL, which plans a query once for all partitions of a call.)
CREATE FUNCTION uidext_internal.partition_referred_obstacle(follower regclass, definition text, tables regclass[])
	RETURNS uidext_internal.partition_obstacle
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	RETURN (
		WITH key(names) AS (
			SELECT partition_foreign_key_names(definition, true)
		), candidate AS (
			SELECT x.indexrelid, x.indrelid, x.indimmediate, t.place
			FROM key CROSS JOIN unnest(tables) WITH ORDINALITY t(oid, place) JOIN pg_index x ON x.indrelid = t.oid::oid
			WHERE CASE WHEN strpos(definition, 'PERIOD ') > 0 THEN x.indisexclusion ELSE x.indisunique AND NOT x.indisexclusion END
				AND (x.indisprimary OR key.names IS NOT NULL)
				AND x.indpred IS NULL AND x.indexprs IS NULL AND CASE t.place WHEN 1::bigint THEN x.indisvalid ELSE x.indislive END
				AND ARRAY(SELECT k.attnum FROM unnest((x.indkey::smallint[])[:x.indnkeyatts - 1]) k(attnum) ORDER BY k.attnum)
					= ARRAY(SELECT partition_referred_columns(key.names, t.oid))
		), chosen AS (
			SELECT c.* FROM candidate c WHERE c.indimmediate ORDER BY c.place, c.indexrelid LIMIT 1
		), misfit AS (
			SELECT c.indexrelid::regclass AS index, o.opcname, a.attname, a.atttypid::regtype AS wanted, f.attname AS own,
				f.atttypid::regtype AS type, EXISTS (SELECT FROM pg_constraint n WHERE n.conindid = c.indexrelid) AS of_constraint
			FROM chosen c
				JOIN pg_index x ON x.indexrelid = c.indexrelid AND NOT x.indisexclusion
				CROSS JOIN LATERAL ROWS FROM (
					unnest(x.indkey::smallint[]), unnest(x.indclass::oid[])) k(attnum, opclass)
				JOIN pg_opclass o ON o.oid = k.opclass
				JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.attnum
				CROSS JOIN key
				JOIN LATERAL ROWS FROM (unnest(partition_foreign_key_names(definition, false)), unnest(key.names)) p(own, referred)
					ON p.referred = quote_ident(a.attname::text)
				JOIN pg_attribute f ON f.attrelid = follower::oid AND quote_ident(f.attname::text) = p.own
				CROSS JOIN LATERAL base_types(f.atttypid) b(type)
				JOIN pg_type y ON y.oid = b.type::oid AND y.typtype <> 'd'
			WHERE NOT EXISTS (
					SELECT FROM pg_amop m JOIN pg_amop n ON n.amopfamily = m.amopfamily
					WHERE m.amopfamily = o.opcfamily AND m.amopstrategy = 3::smallint AND m.amoplefttype = o.opcintype AND m.amoprighttype = y.oid
						AND n.amopstrategy = 3::smallint AND n.amoplefttype = y.oid AND n.amoprighttype = y.oid)
				AND NOT EXISTS (SELECT FROM pg_cast s
					WHERE s.castcontext = 'i' AND (s.castsource = y.oid AND s.casttarget = o.opcintype
						OR s.castsource = (SELECT e.oid FROM pg_type e WHERE e.typarray = y.oid)
							AND s.casttarget = (SELECT e.oid FROM pg_type e WHERE e.typarray = o.opcintype)))
				-- An operator class for arrays, enums or ranges compares two columns of the same type.  Domains over arrays and
				-- ranges count as that type, those over enums do not.  The operator class for rows compares all row types.
				AND NOT EXISTS (SELECT FROM pg_type i WHERE i.oid = o.opcintype AND i.typtype = 'p'
					AND CASE i.oid WHEN 'record'::regtype THEN y.typtype = 'c'
						WHEN 'anyenum'::regtype THEN f.atttypid = y.oid AND a.atttypid = y.oid
						ELSE y.oid IN (SELECT k.type::oid FROM base_types(a.atttypid) k(type)) END)
			LIMIT 1
		), target AS (
			SELECT c.oid::regclass AS relation, c.relkind, (SELECT bool_or(u.indimmediate) FROM candidate u) AS serves,
				(SELECT u.indexrelid FROM candidate u LIMIT 1) AS deferrable,
				array_to_string(key.names, ', ') AS columns,
				CASE WHEN cardinality(tables) > 1 THEN format('the new partition of table %s is like table %s, which', tables[2], tables[1])
					ELSE format('partition %s', tables[1]) END AS described
			FROM key CROSS JOIN pg_class c WHERE c.oid = tables[1]::oid
		)
		SELECT CASE
			WHEN t.relkind = 'f' THEN ROW(format('42809: partition %s is a foreign table, and no foreign key can refer to it', t.relation),
				'If the new partitions shall have no foreign keys, make them with uuid_partition_follow(..., foreign_keys => false).'
				)::partition_obstacle
			WHEN m.index IS NOT NULL THEN ROW(format('42804: operator class %s of index %s cannot compare column "%s" with column "%s" of '
					'table %s, which is of type %s', m.opcname, m.index, m.attname, m.own, follower, m.type),
				CASE WHEN m.of_constraint THEN format('Give column "%s" of table %s the type %s.', m.own, follower, m.wanted)
					ELSE 'Give this column of the index the operator class that it has in the index to which the newest foreign key refers: '
						'make such a unique index, and drop this one.' END
					|| ' If the new partitions shall have no foreign keys, make them with uuid_partition_follow(..., foreign_keys => false).'
				)::partition_obstacle
			WHEN t.deferrable IS NOT NULL THEN ROW(format('55000: constraint "%s" of table %s is DEFERRABLE, and no foreign key can refer to it',
					i.relname, (SELECT u.indrelid::regclass FROM candidate u WHERE u.indexrelid = t.deferrable)),
				'Drop the constraint, and add it again without DEFERRABLE. If the new partitions shall have no foreign keys, '
					'make them with uuid_partition_follow(..., foreign_keys => false).')::partition_obstacle
			WHEN t.columns IS NULL THEN ROW(format('42830: %s has no primary key, to which a foreign key would refer', t.described),
				format('Give table %s a primary key like that of the partitioned table.', t.relation))::partition_obstacle
			ELSE ROW(format('42830: %s has no unique index of columns (%s), to which a foreign key would refer', t.described, t.columns),
				CASE WHEN strpos(definition, 'PERIOD ') > 0
					THEN format('Run: ALTER TABLE %s ADD UNIQUE (%s WITHOUT OVERLAPS)', t.relation, replace(t.columns, 'PERIOD ', ''))
					ELSE format('Run: CREATE UNIQUE INDEX %sON %s (%s)', CASE t.relkind WHEN 'r' THEN 'CONCURRENTLY ' ELSE '' END, t.relation, t.columns)
				END)::partition_obstacle
			END
		FROM target t LEFT JOIN pg_class i ON i.oid = t.deferrable LEFT JOIN misfit m ON true
		WHERE t.serves IS NOT TRUE OR m.index IS NOT NULL);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_referred_obstacle(regclass, text, regclass[]) IS
	'what keeps a foreign key of a partition of a follower, of such a definition as partition_foreign_key_like() returns, from referring '
	'to a partition, or, of one that is not made yet, to the table that it will be like and the partitioned table; NULL for '
	'nothing';

-- A key can lead to a table beside the leader, which has to have a partition of the same bounds.
-- REFERENCES can be revoked from the owner of a table, too.
CREATE FUNCTION uidext_internal.partition_foreign_keys_obstacle(
	follower regclass, name text, leader regclass, counterpart regclass, period uidext_internal.partition_period,
	foreign_keys uidext_internal.partition_foreign_key[], made regclass[]
) RETURNS uidext_internal.partition_obstacle
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	RETURN (
		WITH key AS (
			SELECT k.referred, k.definition, CASE WHEN k.referred::oid = leader::oid THEN counterpart
				ELSE partition_of_period(k.referred, period) END AS referenced
			FROM unnest(foreign_keys) k
		), obstacle(problem, hint) AS (
			SELECT format('55000: table %s has no partition with the bounds of %s, to which a foreign key would refer', k.referred, name),
				format('Make this partition first. If table %1$s follows table %2$s, run: SELECT * FROM uuid_partition_follow(%1$L, %2$L)', k.referred, leader)
			FROM key k
			WHERE k.referenced IS NULL AND k.referred::oid <> leader::oid AND k.referred::oid <> ALL ((made::oid[])[:][:1])
			UNION ALL
			-- a new partition is permanent, also if the newest is not
			SELECT format('42P16: partition %s is unlogged, and no foreign key of a permanent table can refer to it', k.referenced),
				CASE c.relkind WHEN 'p' THEN format('Detach %s, and attach its partitions to a table of the same bounds that is not unlogged.', k.referenced)
					ELSE format('Run: ALTER TABLE %s SET LOGGED', k.referenced) END
			FROM key k JOIN pg_class c ON c.oid = k.referenced::oid AND c.relpersistence = 'u'
			UNION ALL
			-- PostgreSQL plans a query of it, which evaluates conditions of its indexes
			SELECT format('42501: must be owner of table %s', c.oid::regclass),
				format('A new foreign key would run code of this table with your privileges. Run: ALTER TABLE %s OWNER TO %I',
					c.oid::regclass, current_user)
			FROM key k
				CROSS JOIN LATERAL partition_tree(k.referenced) b(oid)
				JOIN pg_class c ON c.oid = b.oid
			WHERE pg_get_userbyid(c.relowner) <> current_user
			UNION ALL
			-- the command names it
			SELECT format('42501: USAGE on schema %s is needed for a foreign key', s.schema),
				format('Run: GRANT USAGE ON SCHEMA %s TO %I', s.schema, current_user)
			FROM key k CROSS JOIN LATERAL partition_schema(k.referenced) s(schema)
			WHERE NOT has_schema_privilege(s.schema::oid, 'USAGE')
-- [sql]
			UNION ALL
			SELECT '42501: ' || s.problem, s.hint
			FROM key k CROSS JOIN LATERAL schemas_of_others(ARRAY[k.referenced::oid]) s
-- [both]
			UNION ALL
			SELECT format('42501: no right to refer to table %s', k.referenced),
				format('Run: GRANT REFERENCES ON %s TO %I', k.referenced, current_user)
			FROM key k
				CROSS JOIN LATERAL partition_referred_columns(partition_foreign_key_names(k.definition, true), k.referenced) a(attnum)
			WHERE NOT has_column_privilege(k.referenced::oid, a.attnum, 'REFERENCES')
			UNION ALL
			SELECT o.problem, o.hint
			FROM key k
				CROSS JOIN LATERAL (
					SELECT ARRAY[k.referenced] WHERE k.referenced IS NOT NULL
					UNION ALL
					SELECT ARRAY[made[i][2], k.referred] FROM generate_subscripts(made, 1) i
					WHERE k.referenced IS NULL AND made[i][1]::oid = k.referred::oid
				) t(tables)
				CROSS JOIN LATERAL partition_referred_obstacle(follower, k.definition, t.tables) o
			WHERE o.problem IS NOT NULL
		)
		SELECT ROW(o.problem, o.hint)::partition_obstacle FROM obstacle o LIMIT 1);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_foreign_keys_obstacle(
	regclass, text, regclass, regclass, uidext_internal.partition_period, uidext_internal.partition_foreign_key[], regclass[]) IS
	'what keeps a partition of a follower from getting foreign keys to its counterpart and to other partitions of its bounds, of '
	'which some tables get one before, each named with the table that it will be like; NULL for nothing';

CREATE FUNCTION uidext_internal.partition_referring_obstacle(
	partition regclass, period uidext_internal.partition_period, key_name name, gone oid[], action text
) RETURNS uidext_internal.partition_obstacle
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	reference record;
	is_referred bool;
BEGIN
	FOR reference IN SELECT * FROM partition_references(partition, key_name) LOOP
		-- A foreign key to this partition alone is dropped together with the partition of the follower.  If that one
		-- stays, partition_pair_obstacle() or partition_dependent_obstacle() reports the key.
		CONTINUE WHEN reference.pair IS NOT NULL AND action = 'drop' AND NOT reference.is_own;
		IF NOT reference.is_readable THEN
			RETURN ROW(format('42501: table %s, which refers to partition %s, cannot be read', reference.relation, partition),
				format('Before a partition is dropped or detached, PostgreSQL looks there for rows that refer to it. '
					'You need USAGE on its schema and SELECT. Run: GRANT SELECT ON %s TO %I', reference.relation, current_user))::partition_obstacle;
		ELSIF reference.hidden IS NOT NULL THEN
			RETURN ROW(format('42501: row security hides rows of table %s from role "%s"', reference.hidden, current_user),
				format('Before a partition is dropped or detached, PostgreSQL looks for rows of table %s that refer to it. %s',
					reference.relation, partition_row_security_hint(reference.hidden)))::partition_obstacle;
		END IF;
		-- An id in the range of this partition refers to this partition.  Tables that the caller cannot read are left to
		-- PostgreSQL.  The conditions on pg_class are in sub-selects of b: in a join, the planner could evaluate the
		-- CASE for each row of pg_class.
		is_referred := EXISTS (
			SELECT FROM partition_tree(reference.relation) b(oid)
			-- rows of a detached follower's partition would still refer to the table
			WHERE CASE WHEN (reference.is_own OR action = 'detach' OR b.oid <> ALL (gone))
					AND EXISTS (SELECT FROM pg_class l WHERE l.oid = b.oid AND l.relkind = 'r')
					AND pg_relation_size(b.oid) > 0 AND partition_visible_rows(b.oid) = 'all'
				THEN edge_id(b.oid, reference.column_name, period.from_id, period.to_id, false, NULL, reference.columns) IS NOT NULL END);
		IF is_referred AND reference.is_own AND reference.pair IS NULL THEN
			RETURN ROW(format('23503: rows of table %s refer to rows of its partition %s', reference.relation, partition),
				'PostgreSQL does not drop or detach a partition while rows refer to its rows by a foreign key of the whole table. '
				'Give each partition a foreign key to itself, and drop that of the whole table.')::partition_obstacle;
		ELSIF is_referred AND reference.pair IS NOT NULL THEN
			RETURN (
				SELECT ROW(format('23503: rows of table %s refer to rows of partition %s', reference.relation, partition),
					format('Table %1$s is partitioned itself, and its partitions have copies of its foreign key "%2$s". PostgreSQL checks a copy as if the key '
						'referred to the whole table. %3$sRun: ALTER TABLE %1$s DROP CONSTRAINT %2$I', c.conrelid::regclass, c.conname,
						CASE WHEN action = 'detach' AND c.conrelid = ANY (gone) THEN 'When all partitions are detached, add the key again. ' END)
					)::partition_obstacle
				FROM pg_constraint c WHERE c.oid = reference.pair);
		ELSIF is_referred AND EXISTS (SELECT FROM partition_tree(reference.relation) b(oid) WHERE b.oid = ANY (gone)) THEN
			RETURN ROW(format('23503: rows of table %s refer to rows of partition %s', reference.relation, partition),
				'PostgreSQL does not detach a partition while rows refer to its rows by a foreign key of the whole table. '
				'Give each pair of partitions a foreign key, and drop that of the whole table.')::partition_obstacle;
		ELSIF is_referred THEN
			RETURN ROW(format('23503: rows of table %s refer to rows of partition %s', reference.relation, partition),
				'Delete the rows that refer to it, or drop the foreign key. If the other table follows this one, name it among the followers of uuid_partition_maintain().')::partition_obstacle;
		END IF;
	END LOOP;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_referring_obstacle(
	regclass, uidext_internal.partition_period, name, oid[], text) IS
	'what keeps a partition from going because of foreign keys to its table, but for rows of partitions that are dropped, too; '
	'NULL for nothing that the caller can see';

-- A partition of a follower refers to this partition by a key of its own, and has to go first.
CREATE FUNCTION uidext_internal.partition_pair_obstacle(gone oid[]) RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT ROW(pg_catalog.format('23503: partition %s refers to partition %s', k.conrelid::regclass, k.confrelid::regclass),
		'Drop the partition that refers to it first, or name its table among the followers of uuid_partition_maintain().'
		)::uidext_internal.partition_obstacle
	FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid AND c.relispartition
	WHERE k.contype = 'f' AND k.conparentid = 0::oid AND k.confrelid = ANY (gone) AND k.conrelid <> ALL (gone)
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_pair_obstacle(oid[]) IS
	'what keeps partitions from going because a partition that stays has a foreign key to one of them; NULL for nothing';

CREATE FUNCTION uidext_internal.partition_dependent_obstacle(gone oid[]) RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT ROW(pg_catalog.format('2BP01: %s depends on partition %s', d.described, d.relation::regclass),
		coalesce('Pass detach_only => true, or run: ' || d.command, 'Drop it or change it first, or pass: detach_only => true')
		)::uidext_internal.partition_obstacle
	FROM uidext_internal.partition_dependents(gone) d
	WHERE d.home IS NULL OR d.home <> ALL (gone)
		-- of two tables that need each other, the one that goes first is still needed by the other
		OR pg_catalog.array_position(gone, d.home) > pg_catalog.array_position(gone, d.relation)
			AND pg_partition_root(d.home::regclass)::oid <> pg_partition_root(d.relation::regclass)::oid
	UNION ALL
	SELECT ROW(pg_catalog.format('2BP01: extension %s requires partition %s', e.extname, d.objid::regclass),
		pg_catalog.format('Run: ALTER EXTENSION %I DROP %s %s', e.extname,
			CASE (SELECT c.relkind FROM pg_catalog.pg_class c WHERE c.oid = d.objid) WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END,
			d.objid::regclass))::uidext_internal.partition_obstacle
	FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
	WHERE d.classid = 'pg_catalog.pg_class'::regclass::oid AND d.objid = ANY (gone) AND d.deptype = 'e'
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_dependent_obstacle(oid[]) IS
	'what needs tables themselves and keeps them from being dropped, in this order; NULL for nothing';

CREATE FUNCTION uidext_internal.partition_removal_obstacle(
	parent regclass, partition regclass, action text
) RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT CASE WHEN i.inhdetachpending
			THEN ROW(pg_catalog.format('55006: partition %s waits to be detached', partition),
				uidext_internal.partition_detach_hint(parent, partition))::uidext_internal.partition_obstacle
			WHEN NOT has_schema_privilege(c.relnamespace, 'USAGE')
			THEN ROW(pg_catalog.format('42501: permission denied for schema %s', c.relnamespace::regnamespace),
				pg_catalog.format('Run: GRANT USAGE ON SCHEMA %s TO %I', c.relnamespace::regnamespace, current_user)
				)::uidext_internal.partition_obstacle
			ELSE ROW(pg_catalog.format('42501: must be owner of table %s', other.relation),
				pg_catalog.format('Run: ALTER TABLE %s OWNER TO %I', other.relation, current_user))::uidext_internal.partition_obstacle
		END
	FROM pg_catalog.pg_inherits i
		JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
		LEFT JOIN LATERAL (
			SELECT o.oid::regclass
			FROM uidext_internal.partition_tree(partition) b(oid) JOIN pg_catalog.pg_class o ON o.oid = b.oid
			-- PostgreSQL looks for rows that refer to it by a query with the caller's rights, and plans all that is beneath it
			WHERE pg_get_userbyid(o.relowner) <> current_user AND (o.oid = c.oid AND action = 'drop' OR EXISTS (
				SELECT FROM pg_catalog.pg_constraint k
				WHERE k.contype = 'f' AND k.confrelid = c.oid AND k.conparentid <> 0::oid))
			LIMIT 1
		) other(relation) ON true
	WHERE i.inhrelid = partition::oid AND (i.inhdetachpending OR NOT has_schema_privilege(c.relnamespace, 'USAGE')
		OR other.relation IS NOT NULL)
-- [sql]
	UNION ALL
	SELECT ROW('42501: ' || s.problem, s.hint)::uidext_internal.partition_obstacle
	FROM uidext_internal.schemas_of_others(ARRAY[parent::oid, partition::oid] OPERATOR(pg_catalog.||) ARRAY(
		SELECT k.conrelid FROM pg_catalog.pg_constraint k
		WHERE k.contype = 'f' AND k.confrelid = partition::oid AND k.conparentid <> 0::oid)) s
-- [both]
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_removal_obstacle(regclass, regclass, text) IS
	'what keeps a partition itself from going (drop or detach); NULL for nothing';

CREATE FUNCTION uidext_internal.partition_orphan_obstacle(
	family uidext_internal.partitioned_table[], period uidext_internal.partition_period
) RETURNS uidext_internal.partition_obstacle
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	RETURN (
		SELECT CASE
			WHEN p.detach_pending THEN ROW(format('55006: partition %s waits to be detached', p.partition),
				partition_detach_hint(p.parent, p.partition))::partition_obstacle
			WHEN p.visible_rows <> 'all' THEN partition_unread_obstacle(p.partition, p.visible_rows)
			WHEN p.parent::oid = (family[1]).relation::oid
			THEN ROW(format('55000: partition %s of table %s has rows of this period', p.partition, p.parent),
				'These rows would stay, without the rows that belong to them. ' || CASE WHEN p.is_default
					THEN 'Move them out of the default partition first, with uuid_partition_drain().'
					ELSE 'Call it again to see what is in the way.' END)::partition_obstacle
			ELSE ROW(format('55000: partition %s of a follower has rows of %s', p.partition,
					coalesce('the same period as ' || (period).partition::text, 'this period')),
				'These rows would stay, without the rows to which they refer. ' || CASE WHEN p.is_default
					THEN 'Move them out of the default partition first, with uuid_partition_drain().'
					ELSE format('That partition has other bounds. Drop it first, once all of its period is old: '
						'SELECT * FROM uuid_partition_drop(%L, %L)', p.parent, p.to_time) END)::partition_obstacle
			END
		FROM (
			SELECT b.*, partition_visible_rows(b.partition) AS visible_rows
			FROM partition_overlapping(family, period) b
		) p
		-- an empty file has no row of a transaction that has not ended, either
		WHERE p.detach_pending OR CASE p.visible_rows
			WHEN 'all' THEN
				edge_id(p.partition, p.column_name, (period).from_id, (period).to_id, false, NULL::int[]) IS NOT NULL
			ELSE p.visible_rows <> 'empty' END
		LIMIT 1);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_orphan_obstacle(
	uidext_internal.partitioned_table[], uidext_internal.partition_period) IS
	'what keeps a period from going because rows of it would be left in other partitions of the family; NULL for nothing';

-- A drain deletes rows, which PostgreSQL refuses if a subscriber could not find them, and inserts them into another table.
-- A subscriber that gets the INSERT only would have them twice.
CREATE FUNCTION uidext_internal.partition_publication_obstacle(partition regclass, new_schema regnamespace)
	RETURNS uidext_internal.partition_obstacle
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	RETURN (
		SELECT ROW((o.obstacle).problem, concat_ws(' ', (
				SELECT format('The publication belongs to role "%s".', pg_get_userbyid(u.pubowner)) FROM pg_publication u
				WHERE u.pubname = p.publication AND NOT pg_has_role(u.pubowner, 'USAGE')), (o.obstacle).hint))::partition_obstacle
		FROM partition_tree(partition) b(oid)
			JOIN pg_class c ON c.oid = b.oid AND c.relkind = 'r' AND c.relpersistence = 'p'
			CROSS JOIN LATERAL (SELECT c.oid::regclass) t(relation)
			CROSS JOIN LATERAL partition_replica_columns(t.relation) i(columns)
			CROSS JOIN LATERAL partition_publications(t.relation) p
			LEFT JOIN LATERAL (SELECT a.attname, a.attgenerated FROM pg_attribute a
				WHERE a.attrelid = c.oid AND a.attname = ANY (i.columns) AND a.attgenerated = ANY (p.hides) LIMIT 1) hidden ON true
			CROSS JOIN LATERAL (SELECT CASE
				-- one of the default partition alone does not publish the INSERT
				WHEN p.inserts AND NOT p.deletes AND p.publication IN (
					SELECT partition_new_publications(h.inhparent, new_schema) FROM pg_inherits h WHERE h.inhrelid = partition)
				THEN ROW(format('55000: publication "%s" publishes the INSERT of a row that moves, and not its DELETE', p.publication),
					(SELECT format('Subscribers would get rows that they have already. Take the table out of the publication, or let it publish DELETE until '
							'the drain has ended: ALTER PUBLICATION %I SET (publish = %L)', u.pubname,
							concat_ws(', ', 'insert', CASE WHEN u.pubupdate THEN 'update' END, 'delete', CASE WHEN u.pubtruncate THEN 'truncate' END))
						FROM pg_publication u WHERE u.pubname = p.publication))::partition_obstacle
				WHEN NOT p.deletes THEN NULL
				WHEN i.columns IS NULL
				THEN ROW(format('55000: rows cannot be moved out of table %s, because it is published and has no replica identity', t.relation),
					format('Take the table out of the publication, or run: ALTER TABLE %s REPLICA IDENTITY %s', t.relation,
						CASE WHEN EXISTS (SELECT FROM pg_index x WHERE x.indrelid = c.oid AND x.indisprimary AND x.indimmediate)
							THEN 'DEFAULT' ELSE 'FULL' END))::partition_obstacle
				WHEN c.relreplident = 'f' AND p.listed IS NOT NULL
				THEN ROW(format('42P10: publication "%s" has a list of columns, and table %s REPLICA IDENTITY FULL', p.publication, t.relation),
					format('PostgreSQL refuses to delete rows of such a table. Publish the table without a list of columns, or run: ALTER TABLE %s REPLICA IDENTITY %s',
						t.relation, CASE WHEN EXISTS (SELECT FROM pg_index x WHERE x.indrelid = c.oid AND x.indisprimary AND x.indimmediate)
							THEN 'DEFAULT' ELSE 'USING INDEX ...' END))::partition_obstacle
				WHEN p.listed IS NULL AND hidden.attname IS NOT NULL
				THEN ROW(format('42P10: publication "%s" lacks generated column "%s" of the replica identity of table %s', p.publication, hidden.attname, t.relation),
					'PostgreSQL refuses to delete rows of such a table. ' || CASE hidden.attgenerated
						WHEN 's' THEN format('Let the publication publish the column: ALTER PUBLICATION %I SET (publish_generated_columns = stored)', p.publication)
						ELSE format('Choose a replica identity without the column: ALTER TABLE %s REPLICA IDENTITY USING INDEX ...', t.relation) END)::partition_obstacle
				WHEN NOT p.filtered_by <@ i.columns
				THEN ROW(format('42P10: the row filter of publication "%s" reads a column that is not in the replica identity of table %s', p.publication, t.relation),
					format('PostgreSQL refuses to delete rows of such a table. Change the row filter, or run: ALTER TABLE %s REPLICA IDENTITY FULL', t.relation))::partition_obstacle
				WHEN NOT i.columns <@ p.listed
				THEN ROW(format('42P10: publication "%s" lacks a column of the replica identity of table %s', p.publication, t.relation),
					'PostgreSQL refuses to delete rows of such a table. Add the column to the list of the publication.')::partition_obstacle
				END) o(obstacle)
		WHERE o.obstacle IS NOT NULL
		LIMIT 1);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_publication_obstacle(regclass, regnamespace) IS
	'what keeps rows of a default partition from moving into a new one in a schema, because a publication has it; NULL for nothing';

CREATE FUNCTION uidext_internal.partition_drain_obstacle(
	t uidext_internal.partitioned_table, period uidext_internal.partition_period, max_rows int
) RETURNS uidext_internal.partition_obstacle
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	rows bigint := count_ids(t.default_partition, t.column_name, period.from_id, period.to_id, NULL, max_rows + 1::bigint);
	staying bigint;
	published CONSTANT partition_obstacle := partition_publication_obstacle(t.default_partition,
		coalesce(partition_schema(t.newest), partition_schema(t.relation)));
-- [sql]
	-- beside a foreign table a drain makes partitions like the parent
	model regclass := coalesce(t.template, (SELECT oid FROM pg_class WHERE oid = t.newest AND relkind <> 'f'));
-- [both]
BEGIN
-- [sql]
	IF NOT has_schema_privilege(partition_schema(t.default_partition), 'CREATE') THEN
		RETURN ROW(format('42501: CREATE on schema %s is needed for a table that holds the rows during the call', partition_schema(t.default_partition)),
			format('Run: GRANT CREATE ON SCHEMA %s TO %I', partition_schema(t.default_partition), current_user))::partition_obstacle;
	ELSIF NOT has_table_privilege(t.default_partition, 'DELETE') THEN
		RETURN ROW(format('42501: DELETE on table %s is needed to move rows out of it', t.default_partition),
			format('Run: GRANT DELETE ON TABLE %s TO %I', t.default_partition, current_user))::partition_obstacle;
	ELSIF NOT has_table_privilege(model, 'INSERT') THEN
		RETURN ROW(format('42501: INSERT on table %s is needed, because rows are inserted into a new partition with the same privileges', model),
			format('Run: GRANT INSERT ON TABLE %s TO %I', model, current_user))::partition_obstacle;
	ELSIF t.template IS NULL AND EXISTS (SELECT FROM partition_tree(t.newest) b WHERE row_security_active(b)) THEN
		RETURN ROW(format('42501: row security, which a new partition gets like table %s, would keep rows from being inserted', t.newest),
			(partition_unread_obstacle(t.newest, 'hidden')).hint)::partition_obstacle;
	ELSIF EXISTS (SELECT FROM pg_rewrite WHERE ev_class = t.default_partition AND ev_type = '4') THEN
		RETURN ROW(format('0A000: a rule ON DELETE of table %s would act on rows that are only moved', t.default_partition),
			'The SQL edition moves rows by DELETE and INSERT. Drop the rule, and create it again after the call.')::partition_obstacle;
	ELSIF is_referred_to(t.default_partition) THEN
		RETURN ROW(format('0A000: a foreign key refers to table %s', t.relation),
			'The SQL edition moves rows by DELETE and INSERT, and the foreign key would act on the DELETE. Drop the foreign key, and add it again after the call.')::partition_obstacle;
	END IF;
-- [both]
	IF published IS NOT NULL THEN
		RETURN published;
	END IF;
	IF rows > max_rows THEN
		RETURN ROW(format('54000: more than %s rows would be moved under a lock', max_rows),
			'Pass a larger max_rows to move them at a quiet time, because other sessions wait meanwhile. Or detach the default partition, and attach it as the partition of this period.')::partition_obstacle;
	END IF;
	staying := rows - count_ids(t.default_partition, t.column_name,
		CASE WHEN period.from_time <= partition_earliest(t.layout) THEN partition_least_telling_id(t.layout) ELSE period.from_id END,
		CASE WHEN period.to_time > now() + interval '5 minutes' THEN partition_clock_id(t.layout) ELSE period.to_id END, t.versions, NULL);
	IF staying > 0 THEN
		RETURN ROW(format('55000: rows of this period whose ids have another layout or a time in the future: %s', staying),
			'While they are there, all rows of this period stay in the default partition. Give these rows new ids, like those that the default of the key makes.')::partition_obstacle;
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_drain_obstacle(
	uidext_internal.partitioned_table, uidext_internal.partition_period, int) IS
	'what keeps the rows of a period in the default partition; NULL for nothing';
