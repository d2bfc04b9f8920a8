-- Partitions: retention

CREATE FUNCTION uuid_partition_drop(
	parent regclass, older_than timestamptz, detach_only bool DEFAULT false, gregorian bool DEFAULT false,
	OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint, OUT bytes bigint
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	period record;
BEGIN
	IF num_nulls(parent, older_than, detach_only, gregorian) > 0 THEN
		RAISE EXCEPTION 'no argument may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	-- what a wrong sign would do here cannot be undone
	IF NOT isfinite(older_than) OR older_than > now() THEN
		RAISE EXCEPTION 'older_than must be finite and not in the future'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('older_than is %s.', older_than);
	END IF;
	PERFORM uidext_internal.uuid_partition_key(parent, 'r'::"char", gregorian);

	-- two callers at once: the second waits here and then finds the first's work done
	EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);

	FOR period IN
		SELECT p.*, c.relkind, c.oid::regclass::text AS name
		FROM uidext_internal.uuid_partition_periods(parent, gregorian) p JOIN pg_class c ON c.oid = p.partition
		WHERE p.to_time <= older_than
		ORDER BY p.from_id
	LOOP
		-- Unix milliseconds read as Gregorian time would all be before 1970
		IF gregorian AND period.to_time < '1970-01-01 00:00:00+00' THEN
			RAISE EXCEPTION 'bounds of partition % are not those of UUIDv6 or v13', period.name
				USING ERRCODE = 'invalid_parameter_value',
					HINT = 'Leave out gregorian.';
		END IF;

		partition := period.name;
		from_time := period.from_time;
		to_time := period.to_time;
		SELECT s.rows, s.bytes INTO rows, bytes FROM uidext_internal.uuid_partition_size(period.partition) s;
		-- detached first, because then foreign keys to the parent are checked rather than in the way
		EXECUTE format('ALTER TABLE %s DETACH PARTITION %s %s', parent, partition,
			CASE WHEN period.detach_pending THEN 'FINALIZE' END);
		IF NOT detach_only THEN
			EXECUTE format('DROP %s %s', CASE period.relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, partition);
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_drop(regclass, timestamptz, bool, bool) IS
	'drops the range partitions that end at or before a time, or only detaches them, and returns what went; never the default partition, of a foreign table only what is here; give gregorian for v6 and v13. Locks the parent SHARE UPDATE EXCLUSIVE, and when there is something to drop ACCESS EXCLUSIVE until the transaction ends, with the partition, a default partition, tables that reference the parent and, unless only detached, those that it references (set lock_timeout; DETACH ... CONCURRENTLY locks less, but not inside a function). Raises 42809 for a table that is not partitioned by range on one uuid column, 22023 for a time that is infinite or in the future or for gregorian where the bounds are of Unix time, or for a default of v6 or v13 without it, 42501 for a caller who does not own the tables, 23503 when rows are still referenced, 2BP01 when a view needs the partition, 22004 for NULL';
