-- Partitions: uuid_partition_create()

CREATE FUNCTION uidext_internal.partition_requested(
	t uidext_internal.partitioned_table, start timestamptz, stop timestamptz, step interval, tz text
) RETURNS uidext_internal.partition_period[]
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT ARRAY(
		SELECT uidext_internal.partition_snap(t, b.from_time, b.to_time)
		FROM uuid_partition_bounds(start, stop, step, tz) b
			-- bounds are whole milliseconds, or whole ticks of a scheme
			CROSS JOIN LATERAL (SELECT
				uidext_internal.partition_boundary_time((t).layout, uidext_internal.partition_boundary((t).layout, b.from_time)),
				uidext_internal.partition_boundary_time((t).layout, uidext_internal.partition_boundary((t).layout, b.to_time))
			) held(from_time, to_time)
			LEFT JOIN pg_catalog.unnest((t).periods) p
				ON NOT p.detach_pending AND (p.from_time, p.to_time) = (held.from_time, held.to_time)
		WHERE p.partition IS NULL
		ORDER BY b.from_time);
END;
COMMENT ON FUNCTION uidext_internal.partition_requested(
	uidext_internal.partitioned_table, timestamptz, timestamptz, interval, text) IS
	'the periods of one step from start until stop for which there is no partition; raises as uuid_partition_bounds()';

CREATE FUNCTION uuid_partition_create(
	parent regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	template regclass DEFAULT NULL, dry_run bool DEFAULT false, OUT partition regclass
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	-- one for all that the call waits for
	deadline CONSTANT timestamptz := partition_deadline();
	family partitioned_table[];
	steps partition_step[];
	planned record;
BEGIN
	PERFORM partition_check_null('{parent,start,stop,step,tz,dry_run}', ARRAY[parent IS NULL, start IS NULL, stop IS NULL, step IS NULL, tz IS NULL, dry_run IS NULL]);
	PERFORM partition_check_exists(parent);
	PERFORM partition_check_start(start, stop, step, tz);
	family := partition_begin(parent, '{}', template, dry_run, deadline);
	steps := partition_plan(family, partition_requested(family[1], start, stop, step, tz), step, tz, deadline);
	IF dry_run THEN
		FOR planned IN SELECT r.name FROM partition_report(steps, true) r WHERE r.problem IS NULL LOOP
			RAISE NOTICE 'partition %: would be made', planned.name;
		END LOOP;
		RETURN;
	END IF;
	RETURN QUERY SELECT r.partition FROM partition_report(partition_execute_all(family, steps, deadline), false) r;
END
$$;
COMMENT ON FUNCTION uuid_partition_create(regclass, timestamptz, timestamptz, interval, text, regclass, bool) IS
	'Makes the missing range partitions of one step from start until stop. Returns the names of those that it made. '
	'Periods that have a partition already are left alone. New partitions are like the newest partition and are made '
	'in its schema; with a template, they are stored and indexed like the template. With dry_run it only says what it '
	'would make and what would fail, and returns nothing. Waits for locks as long as lock_timeout says, else 10 '
	'seconds, and then fails with 55P03. Raises 42809 for a table that is not partitioned '
	'by range on one column of ids, 42501 for callers who are not its owner, 22023 for more than 10,000 partitions, '
	'for a step of days or longer from a start that is not midnight in tz, and for a table that is not partitioned by'
	' time, 22008 for times that no id holds.';
