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
	'successive periods of one step from start until stop is covered, in local time of a time zone (calendar months, days of 23 to 25 hours), with their boundaries; give start with its offset; raises 22023 for start >= stop, infinities, or a step under 1 ms or with a negative unit, 22008 for times outside 1970-01-01 to 10889-08-02';

CREATE FUNCTION uuid_partition_create(
	parent regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	gregorian bool DEFAULT false
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	boundary text;
	period record;
	bound text;
	partition regclass;
BEGIN
	IF num_nulls(parent, start, stop, step, tz, gregorian) > 0 THEN
		RAISE EXCEPTION 'no argument may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	SELECT key.boundary INTO boundary FROM uidext_internal.uuid_partition_key(parent, 'r'::"char", gregorian) key;

	-- two callers at once: the second waits here and then finds the first's partitions
	EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);

	FOR period IN SELECT * FROM @extschema@.uuid_partition_bounds(start, stop, step, tz) LOOP
		EXECUTE format('SELECT format(''FOR VALUES FROM (%%L) TO (%%L)'', %1$s($1), %1$s($2))', boundary)
			INTO bound USING period.from_time, period.to_time;
		CONTINUE WHEN uidext_internal.uuid_partition_with_bound(parent, bound) IS NOT NULL;

		-- made apart and then attached, which leaves the parent open for reading and writing
		partition := uidext_internal.uuid_partition_table(parent,
			uidext_internal.uuid_partition_suffix(period.from_time, step, tz), NULL::name);
		EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bound);
		RETURN NEXT partition;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_create(regclass, timestamptz, timestamptz, interval, text, bool) IS
	'makes the range partitions of one step from start until stop that are not there yet and returns them; the bounds suit columns of type uuid (v7, iUID, COMB), uuid_v7 and iuid, and with gregorian those that hold v6 or v13. The parent''s owner owns them. Locks the parent SHARE UPDATE EXCLUSIVE (it stays open for reading and writing), a default partition ACCESS EXCLUSIVE, and tables at the other end of foreign keys SHARE ROW EXCLUSIVE. Raises 42809 for a table that is not partitioned by range on one uuid column, 42622 for a name that the server would cut, 42P17 for an overlap, 23514 when a default partition holds rows of the period, 42501 for a caller who does not own the parent, 22004 for NULL, 22023 for a default of v6 or v13 without gregorian, 22023 and 22008 as uuid_partition_bounds()';
