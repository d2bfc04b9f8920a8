-- Partitions: uuid_partition_list()
--
-- Everyone may call it.  Rows are read only for the owner, because reading them may run code that
-- the owner has put into the table.

CREATE FUNCTION uuid_partition_list(
	parent regclass,
	OUT partition regclass, OUT kind text, OUT from_time timestamptz, OUT to_time timestamptz,
	OUT rows bigint, OUT bytes bigint, OUT note text
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH key AS (
		-- a sub-select of its own, so that it is always evaluated and raises its errors
		SELECT k.* FROM uidext_internal.partition_require_time(uidext_internal.partition_read(parent,
			uidext_internal.partition_deadline())) k
	), default_partition AS (
		SELECT k.*, uidext_internal.partition_visible_rows(k.default_partition) = 'all' AS may_look FROM key k
		WHERE k.default_partition IS NOT NULL
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
			CASE d.may_look
				WHEN false THEN 'default partition not looked into'
				WHEN true THEN CASE WHEN uidext_internal.edge_id(d.default_partition, d.column_name, p.previous_id, p.from_id,
					false, NULL::int[]) IS NOT NULL THEN 'rows in the default partition' END
			END
		FROM period p LEFT JOIN default_partition d ON true
		WHERE p.previous_id <> p.from_id
		UNION ALL
		SELECT d.default_partition, 'default',
			uidext_internal.partition_boundary_time(d.layout, CASE WHEN d.may_look
				THEN uidext_internal.edge_id(d.default_partition, d.column_name, NULL::text, NULL::text, false, NULL::int[]) END),
			uidext_internal.partition_boundary_time(d.layout, CASE WHEN d.may_look
				THEN uidext_internal.edge_id(d.default_partition, d.column_name, NULL::text, NULL::text, true, NULL::int[]) END),
			s.rows, s.bytes, CASE WHEN NOT d.may_look THEN 'not looked into' END
		FROM default_partition d JOIN size s ON s.partition::oid = d.default_partition::oid
	) line(partition, kind, from_time, to_time, rows, bytes, note)
	ORDER BY line.kind = 'default', line.from_time, line.to_time;
END;
COMMENT ON FUNCTION uuid_partition_list(regclass) IS
	'The partitions of a table and the gaps between them. Each has its times, estimated rows and bytes. Those by '
	'range come in the order of time, then the default partition. kind is partition, gap or default. The owner also '
	'sees the times of the first and the last id in the default partition; for others it reads catalogs and '
	'statistics only, and the note says so. Raises 42809 as uuid_partition_create(), 22023 for a table that is not '
	'partitioned by time.';
