-- Partitions: overview
--
-- For everyone: of rows the owner alone is told, whose code a look may run.

-- A set of them at once: for each by itself the server might read all of its catalog.
CREATE FUNCTION uidext_internal.partition_sizes(
	partitions regclass[], OUT partition regclass, OUT rows bigint, OUT bytes bigint
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.oid::regclass,
		CASE WHEN pg_catalog.count(leaf.relid) = pg_catalog.count(size.rows) THEN coalesce(sum(size.rows), 0)::bigint END,
		CASE WHEN pg_catalog.count(leaf.relid) = pg_catalog.count(size.bytes) THEN coalesce(sum(size.bytes), 0)::bigint END
	FROM pg_catalog.pg_class p
		LEFT JOIN LATERAL (
			SELECT p.oid WHERE p.relkind <> 'p'
			UNION ALL
			SELECT t.relid::oid FROM pg_partition_tree(CASE p.relkind WHEN 'p' THEN p.oid::regclass END) t WHERE t.isleaf
		) leaf(relid) ON true
		LEFT JOIN pg_catalog.pg_class c ON c.oid = leaf.relid
		LEFT JOIN LATERAL uidext_internal.uuid_citus_size(
			CASE WHEN (SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL) THEN c.oid::regclass END) d ON true
		LEFT JOIN LATERAL (SELECT
			CASE WHEN d.is_distributed THEN d.rows
				WHEN c.relkind <> 'f' AND pg_relation_size(c.oid::regclass) = 0 THEN 0
				ELSE coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), nullif(c.reltuples, (-1)::real)::bigint)
			END,
			CASE WHEN d.is_distributed THEN d.bytes ELSE pg_total_relation_size(c.oid::regclass) END
		) size(rows, bytes) ON true
	WHERE p.oid = ANY (partitions::oid[])
	GROUP BY p.oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_sizes(regclass[]) IS
	'rows of partitions as last estimated (NULL when they never were) and bytes with indexes and TOAST, sub-partitions '
	'included; both NULL while a node of Citus does not answer';

CREATE FUNCTION uuid_partition_list(
	parent regclass,
	OUT partition regclass, OUT kind text, OUT from_time timestamptz, OUT to_time timestamptz,
	OUT rows bigint, OUT bytes bigint, OUT note text
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH key AS (
		-- not a join: that could find no row of the table before asking for its key
		SELECT k.column_name, k.layout, k.periods, (
			SELECT nullif(p.partdefid, 0::oid)::regclass FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = parent::oid
		) AS default_partition
		FROM uidext_internal.partition_key(parent) k
	), period AS (
		SELECT p.*, pg_catalog.lag(p.to_id) OVER w AS previous_id, pg_catalog.lag(p.to_time) OVER w AS previous_time
		FROM key k, pg_catalog.unnest(k.periods) p
		WINDOW w AS (ORDER BY p.from_time, p.to_time)
	), size AS (
		SELECT s.*
		FROM key k,
			uidext_internal.partition_sizes(ARRAY(SELECT p.partition FROM period p UNION ALL SELECT k.default_partition)) s
	)
	SELECT line.*
	FROM (
		SELECT p.partition, 'partition', p.from_time, p.to_time, s.rows, s.bytes,
			CASE WHEN p.detach_pending THEN 'detach pending' END
		FROM period p JOIN size s ON s.partition::oid = p.partition::oid
		UNION ALL
		SELECT NULL, 'gap', p.previous_time, p.from_time, 0, 0,
			CASE WHEN uidext_internal.partition_may_look(k.default_partition) IS FALSE
				THEN 'default partition not looked into'
				WHEN uidext_internal.partition_edge(k.default_partition, k.column_name, p.previous_id, p.from_id, false) IS NOT NULL
				THEN 'rows in the default partition'
			END
		FROM key k, period p
		WHERE p.previous_id <> p.from_id
		UNION ALL
		SELECT k.default_partition, 'default',
			uidext_internal.partition_boundary_time(k.layout,
				uidext_internal.partition_edge(k.default_partition, k.column_name, NULL::text, NULL::text, false)),
			uidext_internal.partition_boundary_time(k.layout,
				uidext_internal.partition_edge(k.default_partition, k.column_name, NULL::text, NULL::text, true)),
			s.rows, s.bytes, CASE WHEN NOT uidext_internal.partition_may_look(k.default_partition) THEN 'not looked into' END
		FROM key k JOIN size s ON s.partition::oid = k.default_partition::oid
	) line(partition, kind, from_time, to_time, rows, bytes, note)
	ORDER BY line.kind = 'default', line.from_time, line.to_time;
END;
COMMENT ON FUNCTION uuid_partition_list(regclass) IS
	'partitions with estimated rows and bytes, and the gaps between them; range partitions in the order of time, then '
	'the default partition; kind is partition, gap or default; for its owner with the times of the default partition''s '
	'first and last id; reads only catalogs and statistics for others, and says so; raises 42809 as '
	'uuid_partition_create(), 22023 for a table that is not partitioned by time';
