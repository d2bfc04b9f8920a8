-- Partitions: detached while everybody reads and writes

CREATE FUNCTION uidext_internal.uuid_partition_detach_next(
	parent regclass, older_than timestamptz, after timestamptz,
	OUT partition text, OUT command text, OUT next_after timestamptz
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
BEGIN
	PERFORM uidext_internal.uuid_partition_check_age(older_than);
	key := uidext_internal.uuid_partition_key(parent);
	-- one that is pending comes first, because the server has no second one beside it
	SELECT p.partition::text, CASE WHEN p.detach_pending THEN after ELSE p.from_time END, format('ALTER TABLE %s DETACH PARTITION %s %s', parent, p.partition,
		CASE WHEN p.detach_pending THEN 'FINALIZE' ELSE 'CONCURRENTLY' END)
	INTO partition, next_after, command
	FROM uidext_internal.uuid_partition_periods(parent, key.layout) p
	WHERE p.detach_pending OR p.to_time <= older_than AND (after IS NULL OR p.from_time > after)
	ORDER BY p.detach_pending DESC, p.from_time
	LIMIT 1;
	IF command LIKE '% CONCURRENTLY' AND uidext_internal.uuid_partition_default(parent) IS NOT NULL THEN
		RAISE EXCEPTION 'table % has a default partition', parent
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'The server detaches CONCURRENTLY only without one.',
				HINT = 'Drain and detach it, or use uuid_partition_drop() with detach_only, which locks the table for a moment.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_detach_next(regclass, timestamptz, timestamptz) IS
	'the partition that uuid_partition_detach() detaches next, the command for it, and after which time to look for the one after it; NULL when there is none';

CREATE FUNCTION uidext_internal.uuid_partition_lock_detachments(parent regclass) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_partition_lock_detachments'
	LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION uidext_internal.uuid_partition_lock_detachments(regclass) IS
	'keeps uuid_partition_detach() of other sessions waiting until the transaction ends; false, at once, when one is running; raises 42501 for callers who do not have the rights of the table''s owner, 42P01';

CREATE PROCEDURE uuid_partition_detach(parent regclass, older_than timestamptz)
	AS 'MODULE_PATHNAME', 'uidext_partition_detach'
	LANGUAGE C;
COMMENT ON PROCEDURE uuid_partition_detach(regclass, timestamptz) IS
	'detaches CONCURRENTLY, one by one, the range partitions that end at or before a time; what was interrupted is finished first; raises 25001 where it is no command of its own, 55000 with a default partition, 22004, 22023, 42501, 42809, 42P01';
