-- Partitions: estimated rows and bytes, also of tables that Citus distributes

CREATE FUNCTION uidext_internal.partition_citus_size(relation regclass, OUT is_distributed bool, OUT rows bigint, OUT bytes bigint)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	is_distributed := false;
	IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
		EXECUTE 'SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = $1)'
			INTO is_distributed USING relation;
	END IF;
	IF NOT is_distributed THEN
		RETURN;
	END IF;
	-- If a shard was never counted, the number of rows is unknown.  If a node does not answer, bytes are
	-- unknown, too.  Citus's own size functions refuse to run in a transaction that has changed the table.
	-- lock_timeout keeps the nodes from waiting for locks of this transaction.  On the nodes the
	-- search_path is not known, so all names have their schema.
	EXECUTE 'SELECT CASE WHEN bool_and(n.success AND n.counts[1] IS NOT NULL) THEN least(sum(n.counts[1]), 9e18) END,
			CASE WHEN bool_and(n.success) THEN sum(n.counts[2]) END
		FROM (SELECT success, CASE WHEN success THEN result::bigint[] END AS counts FROM pg_catalog.run_command_on_all_nodes($1)) n'
		INTO rows, bytes
		USING format('SELECT ARRAY[CASE WHEN count(*) = pg_catalog.count(s.rows) THEN least(coalesce(pg_catalog.sum(s.rows), 0), 9e18) END,
				coalesce(pg_catalog.sum(s.bytes), 0)]
			FROM (
				SELECT pg_catalog.pg_total_relation_size(c.oid) AS bytes,
					CASE WHEN pg_catalog.pg_relation_size(c.oid) = 0 THEN 0
						ELSE coalesce(nullif(pg_catalog.pg_stat_get_live_tuples(c.oid), 0),
							CASE WHEN c.reltuples >= 0::real THEN least(c.reltuples, 9e18::real)::bigint END)
					END AS rows
				FROM pg_catalog.pg_dist_shard d
					JOIN pg_catalog.pg_dist_placement p USING (shardid)
					JOIN pg_catalog.pg_dist_local_group g USING (groupid)
					JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(pg_catalog.shard_name(d.logicalrelid, d.shardid))::oid
				WHERE d.logicalrelid::oid = %L::regclass::oid AND pg_catalog.set_config(''lock_timeout'', ''1s'', true) IS NOT NULL
			) s', relation::text);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_citus_size(regclass) IS
	'whether Citus distributes a table, and then its rows, as its nodes last estimated them, and its bytes on all nodes; '
	'NULL while a node does not answer';

-- Takes all partitions at once, because for each one PostgreSQL might read a whole catalog.
CREATE FUNCTION uidext_internal.partition_sizes(
	partitions regclass[], OUT partition regclass, OUT rows bigint, OUT bytes bigint
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.oid::regclass,
		CASE WHEN pg_catalog.count(leaf.relid) = pg_catalog.count(size.rows) THEN least(coalesce(sum(size.rows), 0), 9e18)::bigint END,
		CASE WHEN pg_catalog.count(leaf.relid) = pg_catalog.count(size.bytes) THEN coalesce(sum(size.bytes), 0)::bigint END
	FROM pg_catalog.pg_class p
		LEFT JOIN LATERAL (
			SELECT p.oid WHERE p.relkind <> 'p'
			UNION ALL
			SELECT b.oid
			FROM uidext_internal.partition_tree(CASE p.relkind WHEN 'p' THEN p.oid::regclass END) b(oid)
				JOIN pg_catalog.pg_class l ON l.oid = b.oid AND l.relkind <> 'p'
		) leaf(relid) ON true
		LEFT JOIN pg_catalog.pg_class c ON c.oid = leaf.relid
		LEFT JOIN LATERAL uidext_internal.partition_citus_size(
			CASE WHEN (SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL) THEN c.oid::regclass END) d ON true
		LEFT JOIN LATERAL (SELECT
			CASE WHEN d.is_distributed THEN d.rows
				WHEN c.relkind <> 'f' AND pg_relation_size(c.oid::regclass) = 0 THEN 0
				-- the owner can have set any number
				ELSE coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), CASE
					-- all that were counted have been deleted since
					WHEN c.reltuples >= 0::real AND pg_stat_get_tuples_deleted(c.oid)::float8 >= c.reltuples::float8 THEN 0::bigint
					WHEN c.reltuples >= 0::real THEN least(c.reltuples, 9e18::real)::bigint END)
			END,
			CASE WHEN d.is_distributed THEN d.bytes ELSE pg_total_relation_size(c.oid::regclass) END
		) size(rows, bytes) ON true
	WHERE p.oid = ANY (partitions::oid[])
	GROUP BY p.oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_sizes(regclass[]) IS
	'rows of partitions as last estimated (NULL when they never were) and bytes with indexes and TOAST, sub-partitions '
	'included; both NULL while a node of Citus does not answer';
