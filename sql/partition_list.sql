-- Partitions: overview

CREATE FUNCTION uidext_internal.uuid_partition_edge(partition regclass, column_name name, from_id uuid, to_id uuid, newest bool) RETURNS uuid
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	id uuid;
BEGIN
	-- the list of partitions is for everyone, their rows are not
	IF has_column_privilege(partition, column_name, 'SELECT') THEN
		EXECUTE format('SELECT %1$I FROM %2$s WHERE %1$I >= $1 AND %1$I < $2 ORDER BY %1$I %3$s LIMIT 1',
				column_name, partition, CASE WHEN newest THEN 'DESC' END)
			INTO id USING from_id, to_id;
	END IF;
	RETURN id;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_edge(regclass, name, uuid, uuid, bool) IS
	'least or greatest id of a partition between two bounds; NULL when there is none or the caller may not read it; raises 42703 for a column that is not there';

CREATE FUNCTION uuid_partition_list(
	parent regclass, gregorian bool DEFAULT false,
	OUT partition regclass, OUT from_time timestamptz, OUT to_time timestamptz,
	OUT rows bigint, OUT bytes bigint, OUT note text
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH key AS (
		-- not a join: that could find no row of the table before asking for its key
		SELECT k.column_name, (
			SELECT nullif(p.partdefid, 0::oid)::regclass FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = parent::oid
		) AS default_partition
		FROM uidext_internal.uuid_partition_key(parent, 'r'::"char", gregorian) k
	), period AS (
		SELECT p.*, pg_catalog.lag(p.to_id) OVER w AS previous_id, pg_catalog.lag(p.to_time) OVER w AS previous_time
		FROM key, uidext_internal.uuid_partition_periods(parent, gregorian) p
		WINDOW w AS (ORDER BY p.from_id)
	)
	SELECT line.*
	FROM (
		SELECT p.partition, p.from_time, p.to_time, s.rows, s.bytes, CASE WHEN p.detach_pending THEN 'detach pending' END
		FROM period p, uidext_internal.uuid_partition_size(p.partition) s
		UNION ALL
		SELECT NULL, p.previous_time, p.from_time, 0, 0,
			CASE WHEN uidext_internal.uuid_partition_edge(k.default_partition, k.column_name, p.previous_id, p.from_id, false) IS NULL
				THEN 'gap'
				ELSE 'gap, with rows in the default partition'
			END
		FROM key k, period p
		WHERE p.previous_id < p.from_id
		UNION ALL
		SELECT k.default_partition,
			CASE WHEN gregorian THEN uuidv6_boundary_time(ids.oldest) ELSE uuid_boundary_time(ids.oldest) END,
			CASE WHEN gregorian THEN uuidv6_boundary_time(ids.newest) ELSE uuid_boundary_time(ids.newest) END,
			s.rows, s.bytes, 'default'
		FROM key k, uidext_internal.uuid_partition_size(k.default_partition) s,
			LATERAL (SELECT
				uidext_internal.uuid_partition_edge(k.default_partition, k.column_name, uuid_boundary(timestamptz '-infinity'), uuid_boundary(timestamptz 'infinity'), false),
				uidext_internal.uuid_partition_edge(k.default_partition, k.column_name, uuid_boundary(timestamptz '-infinity'), uuid_boundary(timestamptz 'infinity'), true)
			) ids(oldest, newest)
		WHERE k.default_partition IS NOT NULL
	) line(partition, from_time, to_time, rows, bytes, note)
	ORDER BY line.note IS NOT DISTINCT FROM 'default', line.from_time;
END;
COMMENT ON FUNCTION uuid_partition_list(regclass, bool) IS
	'the range partitions of a table in the order of time, with estimated rows (NULL when the server has not estimated them) and bytes; also each gap between two of them (partition NULL, note gap), and at the end the default partition with the times of its first and last id (note default). Times are to the millisecond; give gregorian for v6 and v13. Locks nothing but for reading; the default partition is looked into only when the caller may read it. Raises 42809 for a table that is not partitioned by range on one uuid column, 22023 for gregorian and a domain of other ids, or a default of v6 or v13 without it';
