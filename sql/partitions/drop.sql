-- Partitions: uuid_partition_drop()

CREATE FUNCTION uidext_internal.partition_measure(steps uidext_internal.partition_step[])
	RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	size record;
BEGIN
	-- for all partitions at once, because for each one PostgreSQL might read a whole catalog
	FOR size IN
		SELECT s.ordinality AS n, m.rows, m.bytes
		FROM unnest(steps) WITH ORDINALITY s
			JOIN partition_sizes(ARRAY(SELECT o.partition FROM unnest(steps) o)) m ON m.partition = s.partition
	LOOP
		steps[size.n].rows := size.rows;
		steps[size.n].bytes := size.bytes;
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_measure(uidext_internal.partition_step[]) IS
	'steps with the rows, as estimated, and the bytes of their partitions';

-- Leaves nothing for a next call: also the newest partition goes, and what cannot be removed because of a lock is
-- looked at again.
CREATE FUNCTION uidext_internal.partition_plan_drop(
	family uidext_internal.partitioned_table[], older_than timestamptz, removal text, deadline timestamptz
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '100ms'
AS $$
DECLARE
	steps partition_step[];
BEGIN
	LOOP
		BEGIN
			steps := partition_measure(partition_with_group_numbers(ARRAY(
				SELECT s FROM partition_plan_removal(family, ARRAY(SELECT p FROM partition_old_periods(family, older_than, '{}') p),
					removal, NULL, NULL, NULL) s)));
			IF clock_timestamp() >= deadline OR NOT EXISTS (SELECT FROM unnest(steps) s WHERE partition_is_lock(s.problem)) THEN
				RETURN steps;
			END IF;
		EXCEPTION WHEN lock_not_available THEN
			IF clock_timestamp() >= deadline THEN
				PERFORM partition_raise_busy(family, SQLERRM);
			END IF;
		END;
		PERFORM pg_sleep(0.2);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_plan_drop(uidext_internal.partitioned_table[], timestamptz, text, timestamptz) IS
	'the steps that remove (drop or detach) all that ends at or before a time, with its size; raises 55P03 where a partition '
	'cannot be read until a deadline';

CREATE FUNCTION uuid_partition_drop(
	parent regclass, older_than timestamptz, detach_only bool DEFAULT false, dry_run bool DEFAULT false,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint,
	OUT bytes bigint, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	-- one for all that the call waits for
	deadline CONSTANT timestamptz := partition_deadline();
	family partitioned_table[];
	steps partition_step[];
	model text;
BEGIN
	PERFORM partition_check_null('{parent,older_than,detach_only,dry_run}', ARRAY[parent IS NULL, older_than IS NULL, detach_only IS NULL, dry_run IS NULL]);
	PERFORM partition_check_age(older_than);
	family := partition_begin(parent, '{}', NULL, dry_run, deadline);
	steps := partition_plan_drop(family, older_than, CASE WHEN detach_only THEN 'detach' ELSE 'drop' END, deadline);
	-- a foreign table is no model
	SELECT s.partition INTO model FROM unnest(steps) s JOIN pg_class c ON c.oid = s.partition AND c.relkind <> 'f'
	WHERE s.partition = family[1].newest AND s.problem IS NULL;
	IF NOT dry_run THEN
		steps := partition_execute_all(family, steps, deadline);
	END IF;
	IF model IS NOT NULL AND detach_only THEN
		RAISE WARNING 'partition % is the newest of table %, and later ones will not be made like it', model, parent
			USING HINT = format('If it has indexes or grants that the table does not have, pass it when you make the next ones: template => %L', model);
	ELSIF model IS NOT NULL AND dry_run THEN
		RAISE WARNING 'partition % is the newest of table %, and later ones will not be made like it', model, parent
			USING HINT = format('If it has indexes or grants that the table does not have, pass it as template when you make the next ones. To keep it for that, only detach it: '
				'SELECT * FROM uuid_partition_drop(%L, %L, detach_only => true)', parent, older_than);
	ELSIF model IS NOT NULL THEN
		RAISE WARNING 'partition % was the newest of table %, and later ones will not be made like it', model, parent
			USING HINT = 'If it had indexes or grants that the table does not have, create them on the table or on the next partition. '
				'If you have not committed yet, you can still keep it: ROLLBACK';
	END IF;
	RETURN QUERY
		SELECT r.action, r.name, (r.period).from_time, (r.period).to_time, r.rows, r.bytes, r.problem
		FROM partition_report(steps, dry_run) r;
END
$$;
COMMENT ON FUNCTION uuid_partition_drop(regclass, timestamptz, bool, bool) IS
	'Drops the range partitions that end at or before a time. With detach_only it detaches them, and they stay as '
	'tables. Never touches the default partition. Returns the partitions that it removed; with dry_run those that it '
	'would remove, and warns of what would fail. Warns of the newest partition, which later ones are made like. Fails '
	'with 55006 for a partition that waits to be detached, with '
	'40001 for one that others have changed since the snapshot of the transaction, with 55P03 when others keep it '
	'waiting. Raises 22023 for a time in the future and for a table that is not partitioned by time, 42501 for '
	'callers who are not the owner or do not see all rows of a table that refers to it.';
