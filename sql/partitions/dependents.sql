-- Partitions: what a partition depends on, and what depends on it
--
-- Lists from the catalogs for one that is to be made or to go.  obstacles.sql says which of them are in
-- the way, and locks.sql which are locked.

-- The tables that CREATE TABLE (LIKE ...) reads for a new partition and its sub-partitions.
CREATE FUNCTION uidext_internal.partition_sources(t uidext_internal.partitioned_table) RETURNS SETOF oid
	LANGUAGE sql STABLE ROWS 10
BEGIN ATOMIC
	WITH model AS (
		SELECT c.oid, c.relkind FROM uidext_internal.partition_tree((t).newest) b(oid) JOIN pg_catalog.pg_class c ON c.oid = b.oid
		WHERE c.relkind <> 'f'
	)
	SELECT m.oid FROM model m WHERE m.relkind = 'p' OR (t).template IS NULL
	UNION ALL
	SELECT (t).template::oid WHERE (t).template IS NOT NULL
	UNION ALL
	SELECT (t).relation::oid WHERE (t).template IS NULL AND NOT EXISTS (SELECT FROM model);
END;
COMMENT ON FUNCTION uidext_internal.partition_sources(uidext_internal.partitioned_table) IS
	'the tables that a new partition and what is beneath it are made like';

CREATE FUNCTION uidext_internal.partition_written_foreign_key(key oid) RETURNS oid
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	above oid := key;
BEGIN
	WHILE above <> 0 LOOP
		key := above;
		SELECT c.conparentid INTO above FROM pg_constraint c WHERE c.oid = key;
	END LOOP;
	RETURN key;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_written_foreign_key(oid) IS
	'the foreign key, as it was written, of which partitions have a part';

-- Before a partition is dropped or detached, PostgreSQL looks for rows that refer to it, with the
-- caller's rights.  The id in a row shows whether it refers to the partition only if all rows have been
-- checked (NOT VALID keys are not), and no column of the key is NULL in this row.  Bounds can be compared
-- only with a column of the key's own type.  All else is left to PostgreSQL.
CREATE FUNCTION uidext_internal.partition_references(
	partition regclass, key_name name,
	OUT relation regclass, OUT column_name name, OUT columns name[], OUT is_readable bool, OUT hidden regclass, OUT is_own bool,
	OUT pair oid
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT ROWS 10
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	RETURN QUERY
		SELECT c.conrelid::regclass,
			-- VALIDATE CONSTRAINT marks the key as it was written, and not what partitions have of it
			CASE WHEN bool_and(w.convalidated)
				THEN min(f.attname::text) FILTER (WHERE p.attname = key_name AND EXISTS (
					SELECT FROM base_types(f.atttypid) own(type)
						JOIN pg_type y ON y.oid = own.type::oid AND y.typtype <> 'd'
					WHERE own.type::oid IN (SELECT b.type::oid FROM base_types(p.atttypid) b(type)))) END::name,
			array_agg(f.attname),
			bool_and(has_schema_privilege(r.relnamespace, 'USAGE') AND has_column_privilege(r.oid, f.attnum, 'SELECT')),
			CASE WHEN row_security_active(c.conrelid) THEN c.conrelid::regclass
				WHEN row_security_active(partition::oid) THEN partition END,
			c.conrelid IN (SELECT a.relid::oid FROM pg_partition_ancestors(partition) a UNION ALL SELECT partition_tree(partition)),
			(SELECT w.oid WHERE w.confrelid = partition::oid)
		FROM pg_constraint c
			JOIN pg_constraint w ON w.oid = partition_written_foreign_key(c.oid)
			JOIN pg_class r ON r.oid = c.conrelid
			CROSS JOIN LATERAL ROWS FROM (unnest(c.conkey), unnest(c.confkey)) k(f, p)
			JOIN pg_attribute f ON f.attrelid = c.conrelid AND f.attnum = k.f
			JOIN pg_attribute p ON p.attrelid = c.confrelid AND p.attnum = k.p
		WHERE c.contype = 'f' AND c.confrelid = partition::oid AND c.conparentid <> 0::oid
		GROUP BY c.oid, c.conrelid, w.oid, w.confrelid;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_references(regclass, name) IS
	'foreign keys to a partition that are its parent''s: their tables, the column there whose ids show what refers to it, or '
	'NULL, all columns of the key, whether the caller may read that, which of both tables row security hides rows of, whether '
	'the table refers to itself, and the key of a divided table that refers to this partition alone, NULL for others';

-- Returns the table to which each dependent object belongs, because an object of a table that is
-- dropped by the same step is no obstacle.
CREATE FUNCTION uidext_internal.partition_dependents(
	gone oid[], OUT relation oid, OUT home oid, OUT described text, OUT command text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT ROWS 10
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	RETURN QUERY
		-- What goes with a table: indexes, the row type, sequences that its columns own.  A foreign key depends on
		-- the index of the key that it refers to.
		WITH RECURSIVE own(relation, class, object) AS (
			SELECT g.oid, 'pg_class'::regclass::oid, g.oid FROM unnest(gone) g(oid)
			UNION
			SELECT o.relation, d.classid, d.objid
			FROM own o JOIN pg_depend d ON d.refclassid = o.class AND d.refobjid = o.object AND d.deptype IN ('a', 'i', 'P', 'S')
		)
		SELECT t.relation,
			CASE d.classid
				WHEN 'pg_class'::regclass THEN coalesce((SELECT x.indrelid FROM pg_index x WHERE x.indexrelid = d.objid), d.objid)
				WHEN 'pg_rewrite'::regclass THEN (SELECT r.ev_class FROM pg_rewrite r WHERE r.oid = d.objid)
				WHEN 'pg_constraint'::regclass THEN (SELECT f.conrelid FROM pg_constraint f WHERE f.oid = d.objid)
				WHEN 'pg_policy'::regclass THEN (SELECT p.polrelid FROM pg_policy p WHERE p.oid = d.objid)
				WHEN 'pg_trigger'::regclass THEN (SELECT g.tgrelid FROM pg_trigger g WHERE g.oid = d.objid)
				WHEN 'pg_attrdef'::regclass THEN (SELECT a.adrelid FROM pg_attrdef a WHERE a.oid = d.objid)
				WHEN 'pg_statistic_ext'::regclass THEN (SELECT s.stxrelid FROM pg_statistic_ext s WHERE s.oid = d.objid)
				WHEN 'pg_publication_rel'::regclass THEN (SELECT b.prrelid FROM pg_publication_rel b WHERE b.oid = d.objid)
			END,
			pg_describe_object(d.classid, d.objid, d.objsubid) || CASE
				WHEN t.class = 'pg_class'::regclass AND EXISTS (SELECT FROM pg_class q WHERE q.oid = t.object AND q.relkind = 'S')
				THEN format(', which uses sequence %s,', t.object::regclass) ELSE '' END,
			(SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', f.conrelid::regclass, f.conname)
				FROM pg_constraint f WHERE d.classid = 'pg_constraint'::regclass AND f.oid = d.objid AND f.conrelid <> 0)
		FROM own t JOIN pg_depend d ON d.refclassid = t.class AND d.refobjid = t.object AND d.deptype = 'n'
		-- DETACH PARTITION removes the partition's part of a foreign key to the whole table
		WHERE NOT (d.classid = 'pg_constraint'::regclass
			AND EXISTS (SELECT FROM pg_constraint f WHERE f.oid = d.objid AND f.conparentid <> 0));
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_dependents(oid[]) IS
	'what keeps tables from being dropped without CASCADE: each object that depends on one, and the table that it belongs '
	'to, or NULL; of a constraint also the command that drops it';

-- CREATE TABLE (LIKE ...) raises an error for these.
CREATE FUNCTION uidext_internal.partition_whole_rows(tables oid[], OUT relation regclass, OUT described text) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT c.conrelid::regclass, pg_catalog.format('check constraint "%s"', c.conname)
	FROM pg_catalog.pg_constraint c
	WHERE c.conrelid = ANY (tables) AND c.contype = 'c' AND c.conbin::text ~ '[{]VAR :varno 1 :varattno 0 '
	UNION ALL
	SELECT x.indrelid::regclass, pg_catalog.format('index "%s"', i.relname)
	FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
	WHERE x.indrelid = ANY (tables) AND x.indislive
		AND (x.indexprs::text ~ '[{]VAR :varno 1 :varattno 0 ' OR x.indpred::text ~ '[{]VAR :varno 1 :varattno 0 ');
END;
COMMENT ON FUNCTION uidext_internal.partition_whole_rows(oid[]) IS
	'what refers to the whole row of a table, so that PostgreSQL cannot make a table like it';

-- By the column's name, as a publication can have the partition or a table above it.
CREATE FUNCTION uidext_internal.partition_replica_columns(relation regclass) RETURNS name[]
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT CASE WHEN c.relreplident = 'f' THEN ARRAY(
			SELECT a.attname FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
		ELSE (
			SELECT pg_catalog.array_agg(a.attname)
			FROM pg_catalog.pg_index x JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
				AND a.attnum = ANY ((x.indkey::smallint[])[:x.indnkeyatts - 1])
			WHERE x.indrelid = c.oid AND x.indisvalid AND x.indimmediate
				AND CASE c.relreplident WHEN 'd' THEN x.indisprimary WHEN 'i' THEN x.indisreplident END) END
	FROM pg_catalog.pg_class c WHERE c.oid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_replica_columns(regclass) IS
	'the columns by which a subscriber finds a row of a table; NULL for a table without a replica identity';

CREATE FUNCTION uidext_internal.partition_publications(
	relation regclass, OUT publication name, OUT inserts bool, OUT deletes bool, OUT listed name[], OUT filtered_by name[], OUT hides "char"[]
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT DISTINCT ON (u.oid) u.pubname, u.pubinsert, u.pubdelete,
		(SELECT pg_catalog.array_agg(a.attname) FROM pg_catalog.pg_attribute a
			WHERE a.attrelid = r.prrelid AND a.attnum = ANY (r.prattrs::smallint[])),
		(SELECT pg_catalog.array_agg(a.attname)
			FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
			WHERE r.prqual IS NOT NULL AND d.classid = 'pg_catalog.pg_publication_rel'::regclass::oid AND d.objid = r.oid
				AND d.refclassid = 'pg_catalog.pg_class'::regclass::oid AND d.refobjid = r.prrelid AND d.refobjsubid > 0
				-- where there is a list, its columns stand there, too
				AND (r.prattrs IS NULL OR strpos(r.prqual::text, pg_catalog.format(':varattno %s ', d.refobjsubid)) > 0)),
		-- since 18 it can publish stored ones, hence to_jsonb(); before, PostgreSQL takes no notice
		CASE pg_catalog.to_jsonb(u) OPERATOR(pg_catalog.->>) 'pubgencols' WHEN 's' THEN '{v}'::"char"[] WHEN 'n' THEN '{s,v}' END
	FROM pg_partition_ancestors(relation) WITH ORDINALITY a(relid, height)
		JOIN pg_catalog.pg_class t ON t.oid = a.relid::oid
		CROSS JOIN pg_catalog.pg_publication u
		LEFT JOIN pg_catalog.pg_publication_rel r ON r.prpubid = u.oid AND r.prrelid = t.oid
		LEFT JOIN pg_catalog.pg_publication_namespace n ON n.pnpubid = u.oid AND n.pnnspid = t.relnamespace
	-- since 19, one for all tables can have exceptions, hence to_jsonb()
	WHERE CASE WHEN u.puballtables THEN NOT EXISTS (
			SELECT FROM pg_partition_ancestors(relation) x JOIN pg_catalog.pg_publication_rel e ON e.prrelid = x.relid::oid
			WHERE e.prpubid = u.oid AND (pg_catalog.to_jsonb(e) OPERATOR(pg_catalog.->>) 'prexcept') = 'true')
		ELSE r.oid IS NOT NULL OR n.oid IS NOT NULL END
	-- list and filter are those of the topmost table that is published, or of the partition itself
	ORDER BY u.oid, CASE WHEN u.pubviaroot THEN - a.height ELSE a.height END;
END;
COMMENT ON FUNCTION uidext_internal.partition_publications(regclass) IS
	'the publications that a table or one above it belongs to: whether they publish INSERT and DELETE, their list of columns, '
	'NULL for all, the columns that their row filter reads, NULL for none, and which generated columns they leave out, by '
	'attgenerated, although these must not be in the replica identity; NULL for none';

-- What publishes a whole table, or all of a schema, publishes a new partition there, too.
CREATE FUNCTION uidext_internal.partition_new_publications(parent regclass, schema regnamespace) RETURNS SETOF name
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT p.publication FROM uidext_internal.partition_publications(parent) p
	UNION
	SELECT u.pubname
	FROM pg_catalog.pg_publication_namespace n JOIN pg_catalog.pg_publication u ON u.oid = n.pnpubid
	WHERE n.pnnspid = schema::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_new_publications(regclass, regnamespace) IS
	'the publications that a new partition of a table belongs to in a schema';

-- If a table has no partition of exactly this period, its rows of the period can be in partitions
-- with other bounds, or in its default partition.
CREATE FUNCTION uidext_internal.partition_overlapping(
	family uidext_internal.partitioned_table[], period uidext_internal.partition_period,
	OUT parent regclass, OUT column_name name, OUT partition regclass, OUT is_default bool, OUT to_time timestamptz,
	OUT detach_pending bool
) RETURNS SETOF record
	LANGUAGE sql STABLE ROWS 10
BEGIN ATOMIC
	SELECT f.relation, f.column_name, p.partition, p.is_default, p.to_time, p.detach_pending
	FROM pg_catalog.unnest(family) f
		CROSS JOIN LATERAL (
			SELECT o.partition, o.is_default, o.to_time, o.detach_pending FROM pg_catalog.unnest(f.periods) o
			WHERE uidext_internal.partition_overlaps(o, period)
			UNION ALL
			SELECT f.default_partition, true, NULL, false WHERE f.default_partition IS NOT NULL
		) p
	WHERE NOT EXISTS (SELECT FROM pg_catalog.unnest(f.periods) s
		WHERE uidext_internal.partition_same_bounds(s.from_id, s.to_id, (period).from_id, (period).to_id));
END;
COMMENT ON FUNCTION uidext_internal.partition_overlapping(
	uidext_internal.partitioned_table[], uidext_internal.partition_period) IS
	'of tables that have no partition with the bounds of a period those partitions that may hold rows of it';

-- Commands also lock the tables that foreign keys join with theirs.  Of one to which these refer they
-- lock each partition, but no partition of one that refers to these.
CREATE FUNCTION uidext_internal.partition_related(tables regclass[], OUT relation oid, OUT refers bool) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT t.oid, bool_or(r.refers)
	FROM pg_catalog.unnest(tables) m(relation)
		JOIN pg_catalog.pg_constraint c ON c.contype = 'f' AND m.relation::oid IN (c.conrelid, c.confrelid)
		-- a key to a partitioned table has a copy for each partition, and most of these have nothing beneath them
		CROSS JOIN LATERAL (VALUES (c.conrelid, true, false),
			(c.confrelid, false, (SELECT k.relkind = 'p' FROM pg_catalog.pg_class k WHERE k.oid = c.confrelid))) r(oid, refers, with_partitions)
		CROSS JOIN LATERAL (
			SELECT r.oid
			UNION ALL
			SELECT b.oid FROM uidext_internal.partition_tree(r.oid::regclass) b(oid) WHERE r.with_partitions
		) l(oid)
		JOIN pg_catalog.pg_class t ON t.oid = l.oid AND t.relkind IN ('r', 'p')
	WHERE r.oid <> ALL (tables::oid[])
		-- a partition of a referring table has a copy of its foreign key
		AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint p WHERE p.oid = c.conparentid AND p.confrelid = c.confrelid
			AND c.conrelid <> m.relation::oid)
	GROUP BY t.oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_related(regclass[]) IS
	'the tables that foreign keys join with some tables, and the partitions of those to which these refer; refers is true for '
	'those that refer to them';
