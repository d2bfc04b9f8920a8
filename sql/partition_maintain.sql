-- Partitions: maintenance in one call

CREATE FUNCTION uuid_partition_maintain(
	parent regclass, step interval, ahead int DEFAULT 3, keep interval DEFAULT NULL,
	detach_only bool DEFAULT false, tz text DEFAULT 'UTC', gregorian bool DEFAULT false,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- up to where there is a partition for every time, and up to where there shall be
	covered timestamptz;
	target timestamptz;
	horizon timestamptz;
	last_start timestamptz;
	last_stop timestamptz;
	made regclass[] := '{}';
BEGIN
	IF num_nulls(parent, step, ahead, detach_only, tz, gregorian) > 0 THEN
		RAISE EXCEPTION 'no argument but keep may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF ahead < 0 OR keep < '0' OR NOT isfinite(keep) THEN
		RAISE EXCEPTION 'ahead and keep must not be negative, nor keep infinite'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('ahead is %s, keep is %s.', ahead, coalesce(keep::text, 'NULL'));
	END IF;
	PERFORM uidext_internal.uuid_partition_key(parent, 'r'::"char", gregorian);
	-- step and tz, also when there is nothing to make
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
	EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);

	horizon := uidext_internal.uuid_partition_add(now(), -keep, tz);
	-- dropping will lock the parent, and then has to before a default partition is locked, as every
	-- reader does: the other way round they would wait for each other
	IF EXISTS (SELECT FROM uidext_internal.uuid_partition_periods(parent, gregorian) p WHERE p.to_time <= horizon) THEN
		EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent);
	END IF;

	-- the period of today: a partition's, or the one to come after the last
	SELECT p.to_time, p.to_time INTO covered, target
	FROM uidext_internal.uuid_partition_periods(parent, gregorian) p
	WHERE p.from_time <= now() AND p.to_time > now();
	IF covered IS NULL THEN
		-- after a long outage nothing is made that would be dropped at once
		SELECT CASE WHEN count(*) = 0 THEN uidext_internal.uuid_partition_origin(now(), step, tz)
				ELSE greatest(max(p.to_time), uidext_internal.uuid_partition_origin(horizon, step, tz)) END
		INTO covered
		FROM uidext_internal.uuid_partition_periods(parent, gregorian) p
		WHERE p.to_time <= now();
		SELECT max(b.to_time) INTO target
		FROM @extschema@.uuid_partition_bounds(covered, now() + interval '1 microsecond', step, tz) b;
	END IF;
	target := uidext_internal.uuid_partition_add(target, step * ahead, tz);

	-- gap by gap, because the partitions that are there may be of any length
	WHILE covered < target LOOP
		SELECT p.from_time, p.to_time INTO from_time, to_time
		FROM uidext_internal.uuid_partition_periods(parent, gregorian) p
		WHERE p.to_time > covered
		ORDER BY p.from_time
		LIMIT 1;
		IF from_time <= covered THEN
			covered := to_time;
			CONTINUE;
		END IF;

		SELECT b.from_time, b.to_time INTO last_start, last_stop
		FROM @extschema@.uuid_partition_bounds(covered, least(from_time, target), step, tz) b
		ORDER BY b.from_time DESC
		LIMIT 1;
		IF last_stop > from_time THEN
			-- shorter than a step, so as to end where the next partition begins
			made := made || ARRAY(
				SELECT @extschema@.uuid_partition_create(parent, last_start, from_time, from_time - last_start, tz, gregorian)
			);
			last_stop := last_start;
		END IF;
		IF covered < last_stop THEN
			made := made || ARRAY(
				SELECT @extschema@.uuid_partition_create(parent, covered, last_stop, step, tz, gregorian)
			);
		END IF;
		covered := least(from_time, target);
	END LOOP;
	RETURN QUERY
		SELECT 'created', p.partition::text, p.from_time, p.to_time
		FROM uidext_internal.uuid_partition_periods(parent, gregorian) p
		WHERE p.partition = ANY (made)
		ORDER BY p.from_id;

	IF keep IS NOT NULL THEN
		RETURN QUERY
			SELECT CASE WHEN detach_only THEN 'detached' ELSE 'dropped' END, d.partition, d.from_time, d.to_time
			FROM @extschema@.uuid_partition_drop(parent, horizon, detach_only, gregorian) d;
	END IF;
END
$$;
COMMENT ON FUNCTION uuid_partition_maintain(regclass, interval, int, interval, bool, text, bool) IS
	'routine maintenance in one call: makes the partitions that are missing up to so many steps after the present one, then drops (or detaches) those that ended longer than keep ago; returns what it did. The first partition starts with the year, quarter, month, Monday or day, later ones where the last one ends; partitions already there may be of another step, and the last one before them is cut short where it has to be. Of two calls at once the second waits and finds nothing to do. Locks as uuid_partition_create() and uuid_partition_drop(). Raises 22023 for a negative ahead, a negative or infinite keep, 22004 for NULL, 42809 for a table that is not partitioned by range on one uuid column, and what it meets as uuid_partition_create(), as uuid_partition_drop()';
