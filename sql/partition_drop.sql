-- Partitions: retention

-- What a wrong sign would do here cannot be undone.
CREATE FUNCTION uidext_internal.uuid_partition_check_age(older_than timestamptz) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF NOT isfinite(older_than) OR older_than > now() THEN
		RAISE EXCEPTION 'older_than must be finite and not in the future'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('older_than is %s.', older_than);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_age(timestamptz) IS
	'raises 22023 for a time up to which nothing shall be removed: one in the future, or infinite';

CREATE FUNCTION uidext_internal.uuid_partition_remove(parent regclass, partition regclass, detach_only bool) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	pending bool := (SELECT inhdetachpending FROM pg_inherits WHERE inhrelid = partition AND inhparent = parent);
	kind text := (SELECT CASE relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END FROM pg_class WHERE oid = partition);
BEGIN
	-- detached first, because then foreign keys to the parent are checked rather than in the way
	PERFORM uidext_internal.uuid_partition_as_owner(parent,
		format('ALTER TABLE %s DETACH PARTITION %s %s', parent, partition, CASE WHEN pending THEN 'FINALIZE' END));
	IF NOT detach_only THEN
		EXECUTE format('DROP %s %s', kind, partition);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_remove(regclass, regclass, bool) IS
	'drops one partition, or only detaches it';

CREATE FUNCTION uuid_partition_drop(
	parent regclass, older_than timestamptz, detach_only bool DEFAULT false,
	OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint, OUT bytes bigint
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	period record;
BEGIN
	IF num_nulls(parent, older_than, detach_only) > 0 THEN
		RAISE EXCEPTION 'no argument may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_age(older_than);
	key := uidext_internal.uuid_partition_key(parent);
	PERFORM uidext_internal.uuid_partition_lock(parent);

	FOR period IN
		SELECT p.partition, p.partition::text AS name, p.from_time, p.to_time, p.detach_pending, s.rows, s.bytes
		FROM uidext_internal.uuid_partition_periods(parent, key.layout) p, uidext_internal.uuid_partition_size(p.partition) s
		WHERE p.to_time <= older_than
		ORDER BY p.from_time, p.to_time
	LOOP
		IF period.detach_pending AND NOT uidext_internal.uuid_partition_lock_detachments(parent) THEN
			PERFORM uidext_internal.uuid_partition_warn(period.name,
				CASE WHEN detach_only THEN 'not detached' ELSE 'not dropped' END, '55006', 'another session is detaching it');
			CONTINUE;
		END IF;
		PERFORM uidext_internal.uuid_partition_remove(parent, period.partition, detach_only);
		partition := period.name;
		from_time := period.from_time;
		to_time := period.to_time;
		rows := period.rows;
		bytes := period.bytes;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_drop(regclass, timestamptz, bool) IS
	'drops the range partitions that end at or before a time, or only detaches them, and returns what went; never the default partition; raises 22023 for a time in the future';
