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

-- Detached first, because then foreign keys to the parent are checked rather
-- than in the way.
CREATE FUNCTION uidext_internal.uuid_partition_remove(parent regclass, partition regclass, detach_only bool) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- an older snapshot may show a row twice: as it was, and as this transaction has changed it since
	kind text := (SELECT DISTINCT CASE relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END FROM pg_class WHERE oid = partition);
BEGIN
	IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = partition AND inhparent = parent AND inhdetachpending) THEN
		RAISE EXCEPTION 'partition % waits to be detached', partition
			USING ERRCODE = 'object_in_use',
				HINT = format('Unless a session is at it: ALTER TABLE %s DETACH PARTITION %s FINALIZE', parent, partition);
	END IF;
	-- what is no longer there cannot be detached
	PERFORM uidext_internal.uuid_partition_confirm(partition,
		EXISTS (SELECT FROM pg_partition_ancestors(partition) a WHERE a.relid = parent));
	EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, partition);
	-- A snapshot shows a row as it was while others have changed it since: bounds, which
	-- it then knows of before, too.  What this transaction alone has changed it shows as
	-- it is, and that is a partition no longer.
	PERFORM uidext_internal.uuid_partition_confirm(partition,
		NOT EXISTS (SELECT FROM pg_class WHERE oid = partition AND relispartition));
	IF NOT detach_only THEN
		EXECUTE format('DROP %s %s', kind, partition);
		PERFORM uidext_internal.uuid_partition_confirm(partition, NOT EXISTS (SELECT FROM pg_class WHERE oid = partition));
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_remove(regclass, regclass, bool) IS
	'drops one partition, or only detaches it; 55006 where that has begun, 40001 where others have changed it since the transaction''s snapshot; raises what the server does';

CREATE FUNCTION uidext_internal.uuid_partition_drop_once(
	parent regclass, old uidext_internal.uuid_partition_period[], detach_only bool, dry_run bool,
	OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint, OUT bytes bigint
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '200ms'
AS $$
DECLARE
	period record;
BEGIN
	PERFORM uidext_internal.uuid_partition_brief();
	FOR period IN
		SELECT p.partition, p.from_time, p.to_time, s.rows, s.bytes
		FROM unnest(old) p JOIN uidext_internal.uuid_partition_sizes(ARRAY(SELECT o.partition FROM unnest(old) o)) s ON s.partition = p.partition
		ORDER BY p.from_time, p.to_time
	LOOP
		partition := period.partition::text;
		from_time := period.from_time;
		to_time := period.to_time;
		rows := period.rows;
		bytes := period.bytes;
		IF NOT dry_run THEN
			PERFORM uidext_internal.uuid_partition_remove(parent, period.partition, detach_only);
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_drop_once(regclass, uidext_internal.uuid_partition_period[], bool, bool) IS
	'one attempt of uuid_partition_drop(), with 55P03 when others keep it waiting';

CREATE FUNCTION uuid_partition_drop(
	parent regclass, older_than timestamptz, detach_only bool DEFAULT false, dry_run bool DEFAULT false,
	OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint, OUT bytes bigint
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	periods uidext_internal.uuid_partition_period[];
	deadline timestamptz := uidext_internal.uuid_partition_deadline();
BEGIN
	IF num_nulls(parent, older_than, detach_only, dry_run) > 0 THEN
		RAISE EXCEPTION 'no argument may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_age(older_than);
	periods := uidext_internal.uuid_partition_begin(parent, (uidext_internal.uuid_partition_key(parent)).layout, older_than, NULL::int, dry_run);
	LOOP
		BEGIN
			FOR partition, from_time, to_time, rows, bytes IN
				SELECT * FROM uidext_internal.uuid_partition_drop_once(parent,
					ARRAY(SELECT p FROM unnest(periods) p WHERE p.to_time <= older_than), detach_only, dry_run)
			LOOP
				IF NOT dry_run THEN
					RAISE LOG 'partition % of table % is % unless this is rolled back', partition, parent, CASE WHEN detach_only THEN 'detached' ELSE 'dropped' END;
				END IF;
				RETURN NEXT;
			END LOOP;
			RETURN;
		EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
			IF NOT uidext_internal.uuid_partition_again(deadline) THEN
				RAISE;
			END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_drop(regclass, timestamptz, bool, bool) IS
	'drops the range partitions that end at or before a time, or only detaches them, and returns what went, or with dry_run what would go; never the default partition; 55006 for one that waits to be detached, 40001 for one that others have changed since the transaction''s snapshot, 55P03 when others keep it waiting; raises 22023 for a time in the future, 42501 for callers who are not the owner';
