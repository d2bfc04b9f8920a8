-- Citus, where it is: nothing here needs it

CREATE FUNCTION uidext_internal.uuid_distributed_size(relation regclass, OUT rows bigint, OUT bytes bigint)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	is_distributed bool := false;
BEGIN
	IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
		EXECUTE 'SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = $1)'
			INTO is_distributed USING relation;
	END IF;
	IF NOT is_distributed THEN
		RETURN;
	END IF;
	-- a shard that no node has counted yet leaves the whole unknown; on the nodes the search_path is anybody's
	EXECUTE 'SELECT pg_catalog.citus_total_relation_size($1),
			CASE WHEN bool_and(n.success AND n.result <> '''') THEN sum(nullif(n.result, '''')::bigint) END
		FROM pg_catalog.run_command_on_all_nodes($2) n'
		INTO bytes, rows
		USING relation, format('SELECT CASE WHEN count(*) = pg_catalog.count(s.rows) THEN coalesce(sum(s.rows), 0) END
			FROM (
				SELECT CASE WHEN pg_catalog.pg_relation_size(c.oid) = 0 THEN 0
						ELSE coalesce(nullif(pg_catalog.pg_stat_get_live_tuples(c.oid), 0), nullif(c.reltuples, (-1)::real)::bigint)
					END AS rows
				FROM pg_catalog.pg_dist_shard d
					JOIN pg_catalog.pg_dist_placement p USING (shardid)
					JOIN pg_catalog.pg_dist_local_group g USING (groupid)
					JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(pg_catalog.shard_name(d.logicalrelid, d.shardid))::oid
				WHERE d.logicalrelid::oid = %L::regclass::oid
			) s', (
				SELECT format('%I.%I', n.nspname, t.relname)
				FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
				WHERE t.oid = relation
			));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_distributed_size(regclass) IS
	'rows of a table that Citus distributes, as its nodes last estimated them, and its bytes on all nodes; NULL for any other table; raises what Citus does when a node is down';
