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
	-- and a midnight that the clocks leave out is 01:00, and begins the day all the same
	local_start timestamp := CASE WHEN date_trunc('day', start AT TIME ZONE tz) AT TIME ZONE tz = start
		THEN date_trunc('day', start AT TIME ZONE tz) ELSE start AT TIME ZONE tz END;
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

CREATE FUNCTION uidext_internal.partition_steps(start timestamptz, stop timestamptz, step interval) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN isfinite(start) AND isfinite(stop) AND step > '0'
		THEN date_part(text 'epoch', stop - start) / date_part(text 'epoch', step)
		ELSE 0
	END;
COMMENT ON FUNCTION uidext_internal.partition_steps(timestamptz, timestamptz, interval) IS
	'about how many steps lead from a time to another; 0 where that cannot be said';

-- '2023-12-01' means 18:00 of the day before in UTC where it was typed in Almaty.
CREATE FUNCTION uidext_internal.partition_check_start(start timestamptz, stop timestamptz, step interval, tz text) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	IF step >= interval '1 day' AND date_trunc('day', start AT TIME ZONE tz) AT TIME ZONE tz <> start AND isfinite(start) THEN
		RAISE EXCEPTION 'start is no midnight in time zone "%"', tz
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('It is %s in "%s", and %s in "%s", the session''s.', start AT TIME ZONE tz, tz,
					start AT TIME ZONE current_setting('TimeZone'), current_setting('TimeZone')),
				HINT = 'Write the zone with the time (''2026-01-01 00:00+00''), or give tz.';
	END IF;
	PERFORM partition_check_number(partition_steps(start, stop, step));
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_start(timestamptz, timestamptz, interval, text) IS
	'raises 22023 for a start that is no midnight where the step is a day or longer, and for more than 10,000 steps';

CREATE FUNCTION uidext_internal.partition_check_number(partitions float8) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF partitions > 10000 THEN
		RAISE EXCEPTION 'that would be more than 10,000 partitions'
			USING ERRCODE = 'invalid_parameter_value', HINT = 'Take a longer step, or make them in several calls.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_number(float8) IS
	'raises 22023 for more than 10,000';

-- New partitions are like the newest.
CREATE FUNCTION uidext_internal.partition_newest(parent regclass, layout text) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partition FROM uidext_internal.partition_ranges(parent, layout) p
	WHERE NOT p.detach_pending
	ORDER BY p.from_time DESC
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_newest(regclass, text) IS
	'the range partition that begins last, or NULL';

CREATE FUNCTION uidext_internal.partition_make(
	parent regclass, layout text, from_time timestamptz, to_time timestamptz, suffix text, template regclass, neighbour regclass
) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	bound text := format('FOR VALUES FROM (%L) TO (%L)',
		partition_boundary(layout, from_time),
		partition_boundary(layout, to_time));
	partition regclass;
BEGIN
	PERFORM partition_check_neighbour(parent, neighbour);
	-- made apart and then attached, which leaves the parent open for reading and writing
	partition := partition_like(parent, partition_name(parent, suffix), template, neighbour);
	PERFORM partition_attach(parent, partition, bound);
	RETURN partition;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_make(regclass, text, timestamptz, timestamptz, text, regclass, regclass) IS
	'makes the partition of one period, like a template and a neighbour unless these are NULL, and returns it; raises as uuid_partition_create()';

-- What a dry run can see of what would keep a partition from being made.
CREATE FUNCTION uidext_internal.partition_check_creation(parent regclass, partition text, from_id text, to_id text, neighbour regclass) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	rest regclass := partition_default(parent);
BEGIN
	PERFORM partition_check_neighbour(parent, neighbour);
	-- from 16 on to_regclass() takes what is no name for a name of nothing
	IF parse_ident(partition) IS NOT NULL AND to_regclass(partition) IS NOT NULL THEN
		RAISE EXCEPTION 'relation "%" already exists', partition USING ERRCODE = 'duplicate_table';
	END IF;
	IF partition_edge(rest, (partition_column(parent)).column_name, from_id, to_id, false) IS NOT NULL THEN
		RAISE EXCEPTION 'default partition % has rows of this period', rest USING ERRCODE = 'check_violation';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_creation(regclass, text, text, text, regclass) IS
	'raises 42P07 where the name of a partition to be made is taken, 22023 for what is no name, 23514 where the default partition has rows of it, 22P02 for bounds that are no ids, and as partition_check_neighbour()';

CREATE FUNCTION uidext_internal.partition_create_once(
	parent regclass, layout text, start timestamptz, stop timestamptz, step interval, tz text, template regclass
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '200ms'
AS $$
DECLARE
	neighbour regclass := partition_newest(parent, layout);
	missing record;
BEGIN
	PERFORM partition_brief();
	FOR missing IN
		SELECT b.from_time, b.to_time
		FROM @extschema@.uuid_partition_bounds(start, stop, step, tz) b
			LEFT JOIN partition_ranges(parent, layout) p ON NOT p.detach_pending
				AND p.from_id = partition_boundary(layout, b.from_time)
				AND p.to_id = partition_boundary(layout, b.to_time)
		WHERE p.partition IS NULL
		ORDER BY b.from_time
	LOOP
		RETURN NEXT partition_make(parent, layout, missing.from_time, missing.to_time,
			partition_suffix(missing.from_time, step, tz), template, neighbour);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_create_once(regclass, text, timestamptz, timestamptz, interval, text, regclass) IS
	'one attempt of uuid_partition_create(), with 55P03 when others keep it waiting';

CREATE FUNCTION uuid_partition_create(
	parent regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC', template regclass DEFAULT NULL
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	key record;
	deadline timestamptz := partition_deadline();
BEGIN
	IF num_nulls(parent, start, stop, step, tz) > 0 THEN
		RAISE EXCEPTION 'no argument but template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	key := partition_key(parent);
	PERFORM partition_check_start(start, stop, step, tz);
	PERFORM partition_lock(parent);
	PERFORM partition_check_template(parent, template);
	LOOP
		BEGIN
			RETURN QUERY SELECT * FROM partition_create_once(parent, key.layout, start, stop, step, tz, template);
			RETURN;
		EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
			IF NOT partition_again(deadline) THEN
				RAISE;
			END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_create(regclass, timestamptz, timestamptz, interval, text, regclass) IS
	'makes the missing range partitions of one step from start until stop and returns them; they are like a template and the newest partition; 55P03 when others keep it waiting; raises 42809 for a table that is not partitioned by range on one uuid column, 42501 for callers who are not its owner, 22023 for more than 10,000 partitions, a step of days or longer from a start that is no midnight in tz, or a table that is not partitioned by time, 22008 for times that no id holds';
