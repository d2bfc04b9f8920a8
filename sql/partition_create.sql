-- Partitions: bounds and creation

CREATE FUNCTION uuid_partition_bounds(
	start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	OUT from_time timestamptz, OUT to_time timestamptz, OUT from_id uuid, OUT to_id uuid
) RETURNS SETOF record
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- local time, so that a day is a day and a month a month also when clocks change
	local_start timestamp := start AT TIME ZONE tz;
	next_time timestamptz := start;
	i int := 0;
BEGIN
	IF NOT isfinite(start) OR NOT isfinite(stop) OR start >= stop THEN
		RAISE EXCEPTION 'start must be before stop, and both finite'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('start is %s, stop is %s.', start, stop);
	END IF;
	-- each unit by itself, because months less days may go either way
	IF NOT isfinite(step) OR step < '1 ms'
		OR least(date_part('year', step), date_part('month', step), date_part('day', step),
			date_part('hour', step), date_part('minute', step), date_part('second', step)) < 0
	THEN
		RAISE EXCEPTION 'step must be finite, a millisecond or more, and no unit of it negative'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('step is %s.', step);
	END IF;

	WHILE next_time < stop LOOP
		to_time := next_time;
		LOOP
			i := i + 1;
			-- from the start each time: adding to a sum would turn January 31 into the 28th for good
			next_time := (local_start + step * i) AT TIME ZONE tz;
			-- local times that a change to summer time leaves out are not later
			EXIT WHEN next_time > to_time;
		END LOOP;
		from_time := to_time;
		to_time := next_time;
		from_id := @extschema@.uuid_boundary(from_time);
		to_id := @extschema@.uuid_boundary(to_time);
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_bounds(timestamptz, timestamptz, interval, text) IS
	'successive periods of one step from start until stop is covered, in local time of a time zone, with their boundaries; raises 22023 for a bad step, 22008 for times that no id holds';

CREATE FUNCTION uidext_internal.uuid_partition_make(
	parent regclass, layout text, from_time timestamptz, to_time timestamptz, suffix text, template regclass
) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bound text := format('FOR VALUES FROM (%L) TO (%L)',
		uidext_internal.uuid_partition_boundary(layout, from_time),
		uidext_internal.uuid_partition_boundary(layout, to_time));
	partition regclass;
BEGIN
	IF uidext_internal.uuid_partition_with_bound(parent, bound) IS NOT NULL THEN
		RETURN NULL;
	END IF;
	-- made apart and then attached, which leaves the parent open for reading and writing
	partition := uidext_internal.uuid_partition_table(parent, uidext_internal.uuid_partition_name(parent, suffix), NULL::name, template);
	PERFORM uidext_internal.uuid_partition_run(parent,
		ARRAY(SELECT uidext_internal.uuid_partition_storage_commands(parent, partition, template)));
	PERFORM uidext_internal.uuid_partition_as_owner(parent,
		format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bound));
	PERFORM uidext_internal.uuid_partition_run(parent,
		ARRAY(SELECT uidext_internal.uuid_partition_access_commands(partition, template)));
	RETURN partition;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_make(regclass, text, timestamptz, timestamptz, text, regclass) IS
	'makes the partition of one period, like a template unless that is NULL, and returns it, NULL when it is there; raises as uuid_partition_create()';

CREATE FUNCTION uuid_partition_create(
	parent regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC', template regclass DEFAULT NULL
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	period record;
	partition regclass;
BEGIN
	IF num_nulls(parent, start, stop, step, tz) > 0 THEN
		RAISE EXCEPTION 'no argument but template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	key := uidext_internal.uuid_partition_key(parent);
	PERFORM uidext_internal.uuid_partition_check_template(parent, template);
	PERFORM uidext_internal.uuid_partition_lock(parent);

	FOR period IN SELECT * FROM @extschema@.uuid_partition_bounds(start, stop, step, tz) LOOP
		partition := uidext_internal.uuid_partition_make(parent, key.layout, period.from_time, period.to_time,
			uidext_internal.uuid_partition_suffix(period.from_time, step, tz), template);
		IF partition IS NOT NULL THEN
			RETURN NEXT partition;
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_create(regclass, timestamptz, timestamptz, interval, text, regclass) IS
	'makes the range partitions of one step from start until stop that are not there yet, with what a template has besides, and returns them; raises 42809 for a table that is not partitioned by range on one uuid column';
