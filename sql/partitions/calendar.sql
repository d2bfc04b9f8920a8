-- Partitions: the calendar
--
-- Periods of steps in a time zone, their names, and the ids at which they begin.
-- Nothing here reads a table.

CREATE FUNCTION uuid_partition_bounds(
	start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	OUT from_time timestamptz, OUT to_time timestamptz, OUT from_id uuid, OUT to_id uuid
) RETURNS SETOF record
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	-- with the default estimate of 1,000 rows, the planner would use JIT for short queries
	ROWS 12
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- Steps are added to local time, so that a day and a month keep their length in local time when
	-- clocks change.  Where a change of clocks skips midnight, the day begins at 01:00, which counts
	-- as its midnight here.
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
	-- each unit is checked by itself, because '1 month -31 days' may be positive or negative
	IF NOT isfinite(step) OR step < '1 ms'
		OR least(date_part('year', step), date_part('month', step), date_part('day', step),
			date_part('hour', step), date_part('minute', step), date_part('second', step)) < 0
	THEN
		RAISE EXCEPTION 'step must be finite, at least one millisecond, and have no negative units'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('step is %s.', step);
	END IF;

	WHILE next_time < stop LOOP
		to_time := next_time;
		LOOP
			i := i + 1;
			-- always counted from the start: 31 January plus a month is 28 February, and adding another
			-- month to that would give 28 March
			next_time := (local_start + step * i) AT TIME ZONE tz;
			-- two local times in the hour that a change of clocks skips can be the same instant
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
	'Successive periods of one step each, with their boundary ids. They cover the time from start until stop. Steps '
	'are counted in the local time of tz, hours as well as days and months. When clocks go back, the hour that comes '
	'twice lengthens the period before it: in Berlin, an hour from 01:00 then lasts until the second 02:00. Raises '
	'22023 for a step that is not positive, 22008 for times that no id holds.';

-- Not STRICT, because PostgreSQL could not inline it then.
CREATE FUNCTION uidext_internal.partition_boundary(layout text, at timestamptz) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE layout
		WHEN 'uuid' THEN uuid_boundary(at)::text
		WHEN 'ulid' THEN ulid_boundary(at)::text
		ELSE uid_boundary(at, layout)::text
	END;
COMMENT ON FUNCTION uidext_internal.partition_boundary(text, timestamptz) IS
	'the bound of a time as text; raises 22008 for a time outside 1970-01-01 to 10889-08-02 or the scheme''s own, 22023 '
	'for an unknown scheme';

CREATE FUNCTION uidext_internal.partition_boundary_time(layout text, bound text) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN layout NOT IN ('uuid', 'ulid') THEN CASE
			WHEN bound::bigint <= uid_boundary(timestamptz '-infinity', layout) THEN '-infinity'
			WHEN bound::bigint = uid_boundary(timestamptz 'infinity', layout) THEN 'infinity'
			ELSE uid_time(bound::bigint, layout)
		END
		WHEN bound = uidext_internal.partition_boundary(layout, timestamptz '-infinity') THEN '-infinity'
		WHEN bound = uidext_internal.partition_boundary(layout, timestamptz 'infinity') THEN 'infinity'
		WHEN layout = 'ulid' THEN uuid_boundary_time(ulid_to_uuid(bound))
		ELSE uuid_boundary_time(bound::uuid)
	END;
COMMENT ON FUNCTION uidext_internal.partition_boundary_time(text, text) IS
	'the time of a bound, to the millisecond; raises 22P02 for what is no id, 22003 for what is beyond bigint, 22023 for '
	'an unknown scheme';

CREATE FUNCTION uidext_internal.partition_earliest(layout text) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE WHEN layout IN ('uuid', 'ulid') THEN timestamptz '1970-01-01 00:00:00+00'
		ELSE uid_time(uid_boundary(timestamptz '-infinity', layout), layout) END;
COMMENT ON FUNCTION uidext_internal.partition_earliest(text) IS
	'the first time that ids hold; raises 22023 for an unknown scheme';

-- The nil UUID, or a key of 0, is mostly a row that stands for "unknown".  Its time is the first second of all ids, in
-- which none was made.
CREATE FUNCTION uidext_internal.partition_least_telling_id(layout text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN uidext_internal.partition_boundary(layout, uidext_internal.partition_earliest(layout) + interval '1 s');
COMMENT ON FUNCTION uidext_internal.partition_least_telling_id(text) IS
	'the id from which on ids tell when a row was made; raises as partition_earliest()';

-- Ids whose time is in the future, beyond what clocks differ, do not tell when a row was made.
CREATE FUNCTION uidext_internal.partition_clock_id(layout text) RETURNS text
	LANGUAGE sql STABLE
	RETURN uidext_internal.partition_boundary(layout, now() + interval '5 minutes');
COMMENT ON FUNCTION uidext_internal.partition_clock_id(text) IS
	'the id before which ids tell a time that has been: five minutes ahead, as clocks differ';

CREATE FUNCTION uidext_internal.partition_count_intervals(start timestamptz, stop timestamptz, step interval) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN isfinite(start) AND isfinite(stop) AND step > '0'
		THEN date_part(text 'epoch', stop - start) / date_part(text 'epoch', step)
		ELSE 0
	END;
COMMENT ON FUNCTION uidext_internal.partition_count_intervals(timestamptz, timestamptz, interval) IS
	'about how many steps lead from a time to another; 0 where that cannot be said';

CREATE FUNCTION uidext_internal.partition_check_null(names text[], are_null bool[]) RETURNS void
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF true = ANY (are_null) THEN
		RAISE EXCEPTION 'argument "%" must not be NULL', names[array_position(are_null, true)] USING ERRCODE = 'null_value_not_allowed';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_null(text[], bool[]) IS
	'raises 22004 with the name of the first of some arguments that is NULL';

CREATE FUNCTION uidext_internal.partition_check_count(partitions float8) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF partitions > 10000 THEN
		RAISE EXCEPTION 'that would be more than 10,000 partitions'
			USING ERRCODE = 'invalid_parameter_value', HINT = 'Pass a longer step, a smaller ahead, or a shorter time from start to stop.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_count(float8) IS
	'raises 22023 for more than 10,000';

-- A session in Almaty that types '2023-12-01' means 18:00 UTC of the day before.
CREATE FUNCTION uidext_internal.partition_check_start(start timestamptz, stop timestamptz, step interval, tz text)
	RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	IF step >= interval '1 day' AND date_trunc('day', start AT TIME ZONE tz) AT TIME ZONE tz <> start
		AND isfinite(start) THEN
		RAISE EXCEPTION 'start is not midnight in time zone "%"', tz
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('It is %s in "%s", and %s in "%s", the session''s.', start AT TIME ZONE tz, tz,
					start, current_setting('TimeZone')),
				HINT = 'Write the time with its zone, as in ''2026-01-01 00:00+00'', or pass the argument tz.';
	END IF;
	PERFORM partition_check_count(partition_count_intervals(start, stop, step));
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_start(timestamptz, timestamptz, interval, text) IS
	'raises 22023 for a start that is no midnight where the step is a day or longer, and for more than 10,000 steps';

-- A period that does not begin at midnight of the zone, or on the first of a month, is named in
-- full.  Otherwise two periods of the same month could get the same name.
CREATE FUNCTION uidext_internal.partition_suffix(from_time timestamptz, step interval, tz text) RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT to_char(l.local_time, CASE
			WHEN step >= interval '1 year' AND step = date_trunc('year', step)
				AND date_trunc('year', l.local_time) AT TIME ZONE tz = from_time THEN 'YYYY'
			WHEN step = date_trunc('month', step) AND date_trunc('month', l.local_time) AT TIME ZONE tz = from_time
				THEN 'YYYY_MM'
			WHEN step = date_trunc('day', step) AND date_trunc('day', l.local_time) AT TIME ZONE tz = from_time
				THEN 'YYYY_MM_DD'
			WHEN step = date_trunc('minute', step) AND date_trunc('minute', l.local_time) = l.local_time
				THEN 'YYYY_MM_DD_HH24MI'
			ELSE 'YYYY_MM_DD_HH24MISS_MS'
		END)
	FROM (SELECT from_time AT TIME ZONE tz) AS l(local_time);
END;
COMMENT ON FUNCTION uidext_internal.partition_suffix(timestamptz, interval, text) IS
	'start of a period as the end of a partition''s name, as fine as the step and the start need: 2026, 2026_01, '
	'2026_01_31, 2026_01_31_1200; raises 22023 and 22008';

CREATE FUNCTION uidext_internal.partition_add(at timestamptz, length interval, tz text) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN CASE
		-- When clocks go back, a local time occurs twice, and AT TIME ZONE takes the second.  Hours are
		-- therefore added to the instant, not to local time.  (A length has neither months nor days only if both are 0: a month
		-- less 30 days is equal to 0, too.)
		WHEN date_trunc('month', length) = '0' AND date_trunc('day', length) = '0' THEN at + length
		ELSE (at AT TIME ZONE tz + date_trunc('day', length)) AT TIME ZONE tz + (length - date_trunc('day', length))
	END;
COMMENT ON FUNCTION uidext_internal.partition_add(timestamptz, interval, text) IS
	'a time plus months and days as they are in a time zone, and hours as they pass; raises 22023 and 22008';

-- Months and days are counted from fixed ones, so that two tables get the same periods, whichever rows they have.
CREATE FUNCTION uidext_internal.partition_origin(at timestamptz, step interval, tz text) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT CASE
			WHEN s.months > 0 AND step = pg_catalog.make_interval(months => s.months)
				THEN (date_trunc('month', local_time) - pg_catalog.make_interval(months =>
					(12 * extract(year FROM local_time)::int + extract(month FROM local_time)::int - 1) % s.months)) AT TIME ZONE tz
			WHEN step >= interval '1 month' AND s.months > 0 THEN date_trunc('month', local_time) AT TIME ZONE tz
			WHEN s.days > 0 AND step = pg_catalog.make_interval(days => s.days)
				-- a Monday before all times that ids hold
				THEN (date_trunc('day', local_time) - pg_catalog.make_interval(days => (local_time::pg_catalog.date - pg_catalog.date '1900-01-01') % s.days))
					AT TIME ZONE tz
			WHEN step >= interval '1 day' THEN date_trunc('day', local_time) AT TIME ZONE tz
			ELSE date_bin(step, at, date_trunc('day', local_time) AT TIME ZONE tz)
		END
	-- When clocks go back, a local time occurs twice, and AT TIME ZONE takes the second.  This goes
	-- back by the difference, so that the result is never later than the time given.
	FROM (SELECT (at - (at AT TIME ZONE tz AT TIME ZONE tz - at)) AT TIME ZONE tz) AS l(local_time),
		(SELECT 12 * extract(year FROM step)::int + extract(month FROM step)::int, extract(day FROM step)::int) AS s(months, days);
END;
COMMENT ON FUNCTION uidext_internal.partition_origin(timestamptz, interval, text) IS
	'start of the period that holds a time: whole steps of months after the year 0, of days after a Monday, or of hours after '
	'midnight; for months and days, or days and hours, its month or midnight; raises 22023 and 22008, 0A000 for months less days';

CREATE FUNCTION uidext_internal.partition_kept_since(keep interval, tz text) RETURNS timestamptz
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	IF keep NOT BETWEEN '0' AND '5000 years' THEN
		RAISE EXCEPTION 'keep must be from 0 to 5,000 years'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('keep is %s.', keep);
	END IF;
	RETURN partition_add(now(), -keep, tz);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_kept_since(interval, text) IS
	'the time up to which partitions are no longer kept; raises 22023 for what is below 0 or beyond what times hold';

CREATE FUNCTION uidext_internal.partition_check_upkeep(step interval, ahead int, keep interval, tz text) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	IF ahead < 0 THEN
		RAISE EXCEPTION 'ahead must not be negative'
			USING ERRCODE = 'invalid_parameter_value', DETAIL = format('ahead is %s.', ahead);
	END IF;
	-- raises for a wrong step or tz, also when no partition is to be made
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
	PERFORM partition_check_count(ahead);
	IF keep < step THEN
		RAISE EXCEPTION 'keep must not be shorter than step'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('keep is %s, step is %s.', keep, step),
				HINT = CASE WHEN keep < '1 day' AND step >= '1 day' THEN 'Write ''6 months'' in full: ''6m'' is six minutes.'
					ELSE 'Pass a longer keep. If rows have to go earlier, pass a shorter step.' END;
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_upkeep(interval, int, interval, text) IS
	'raises 22023 for what would make a table''s upkeep a slip: a negative or huge ahead, a bad step or time zone, a keep '
	'that is shorter than step';

-- A wrong sign would drop partitions that are still needed, and that cannot be undone.
CREATE FUNCTION uidext_internal.partition_check_age(older_than timestamptz) RETURNS void
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
COMMENT ON FUNCTION uidext_internal.partition_check_age(timestamptz) IS
	'raises 22023 for a time up to which nothing shall be removed: one in the future, or infinite';
