-- Partitions: maintenance in one call

-- What there is no partition for yet, gap by gap, because the partitions that
-- are there may be of any length.
CREATE FUNCTION uidext_internal.uuid_partition_missing(
	parent regclass, layout text, step interval, ahead int, kept_since timestamptz, tz text,
	OUT from_time timestamptz, OUT to_time timestamptz, OUT suffix text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- up to where all is covered, and up to where it shall be
	covered timestamptz;
	target timestamptz;
BEGIN
	-- the period of today: a partition's, or the one to come after the last
	SELECT p.to_time, p.to_time INTO covered, target
	FROM uidext_internal.uuid_partition_periods(parent, layout) p
	WHERE p.from_time <= now() AND p.to_time > now();
	IF NOT FOUND THEN
		-- after a long outage nothing is made that would be dropped at once
		SELECT CASE WHEN count(*) = 0 THEN uidext_internal.uuid_partition_origin(now(), step, tz)
				ELSE greatest(max(p.to_time), uidext_internal.uuid_partition_origin(kept_since, step, tz)) END
		INTO covered
		FROM uidext_internal.uuid_partition_periods(parent, layout) p
		WHERE p.to_time <= now();
		SELECT max(b.to_time) INTO target
		FROM @extschema@.uuid_partition_bounds(covered, now() + interval '1 microsecond', step, tz) b;
	END IF;
	target := uidext_internal.uuid_partition_add(target, step * ahead, tz);

	-- what does not fit before the next partition is cut short
	RETURN QUERY
		WITH gap AS (
			SELECT coalesce(lag(p.to_time) OVER w, covered) AS start, p.from_time AS stop
			FROM uidext_internal.uuid_partition_periods(parent, layout) p
			WHERE p.to_time > covered
			WINDOW w AS (ORDER BY p.from_time, p.to_time)
			UNION ALL
			SELECT greatest(max(p.to_time), covered), 'infinity'
			FROM uidext_internal.uuid_partition_periods(parent, layout) p
		)
		SELECT b.from_time, least(b.to_time, g.stop),
			uidext_internal.uuid_partition_suffix(b.from_time, CASE WHEN b.to_time > g.stop THEN g.stop - b.from_time ELSE step END, tz)
		FROM gap g,
			@extschema@.uuid_partition_bounds(g.start, CASE WHEN g.start < least(g.stop, target) THEN least(g.stop, target) END, step, tz) b
		ORDER BY b.from_time;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_missing(regclass, text, interval, int, timestamptz, text) IS
	'the periods that uuid_partition_maintain() makes partitions for, with the ends of their names; raises as uuid_partition_bounds()';

CREATE FUNCTION uidext_internal.uuid_partition_warn(partition text, action text, code text, message text) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF code = '23514' THEN
		RAISE WARNING 'partition % is %', partition, action
			USING DETAIL = message, HINT = 'uuid_partition_drain() moves rows out of the default partition.';
	ELSE
		RAISE WARNING 'partition % is %', partition, action USING DETAIL = message;
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_warn(text, text, text, text) IS
	'warns of what uuid_partition_maintain() could not do';

-- One after the other, each for itself: what cannot go does not keep the rest.
CREATE FUNCTION uidext_internal.uuid_partition_retire(
	parent regclass, layout text, kept_since timestamptz, detach_only bool, template regclass,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	done text := CASE WHEN detach_only THEN 'detached' ELSE 'dropped' END;
	period record;
	lock_is_missing bool := false;
BEGIN
	FOR period IN
		SELECT p.*, p.partition::text AS name
		FROM uidext_internal.uuid_partition_periods(parent, layout) p
		WHERE p.to_time <= kept_since AND p.partition IS DISTINCT FROM template
		ORDER BY p.from_time, p.to_time
	LOOP
		partition := period.name;
		from_time := period.from_time;
		to_time := period.to_time;
		BEGIN
			IF period.detach_pending AND NOT uidext_internal.uuid_partition_lock_detachments(parent) THEN
				RAISE EXCEPTION 'another session is detaching it' USING ERRCODE = 'object_in_use';
			END IF;
			PERFORM uidext_internal.uuid_partition_remove(parent, period.partition, detach_only);
			action := done;
			problem := NULL;
		EXCEPTION WHEN OTHERS THEN
			action := 'not ' || done;
			problem := SQLSTATE || ': ' || SQLERRM;
			lock_is_missing := SQLSTATE = '55P03';
			PERFORM uidext_internal.uuid_partition_warn(partition, action, SQLSTATE, SQLERRM);
		END;
		RETURN NEXT;
		-- the next one would wait as long, and everyone behind it
		EXIT WHEN lock_is_missing;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_retire(regclass, text, timestamptz, bool, regclass) IS
	'drops or detaches the partitions that end at or before a time, but for the template, and says of each whether it went';

CREATE FUNCTION uidext_internal.uuid_partition_extend(
	parent regclass, layout text, from_times timestamptz[], to_times timestamptz[], suffixes text[], template regclass,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	FOR i IN 1 .. cardinality(from_times) LOOP
		from_time := from_times[i];
		to_time := to_times[i];
		BEGIN
			partition := suffixes[i];
			partition := uidext_internal.uuid_partition_name(parent, suffixes[i]);
			partition := uidext_internal.uuid_partition_make(parent, layout, from_time, to_time, suffixes[i], template)::text;
			action := 'created';
			problem := NULL;
		EXCEPTION WHEN OTHERS THEN
			action := 'not created';
			problem := SQLSTATE || ': ' || SQLERRM;
			PERFORM uidext_internal.uuid_partition_warn(partition, action, SQLSTATE, SQLERRM);
		END;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_extend(regclass, text, timestamptz[], timestamptz[], text[], regclass) IS
	'makes the partitions of some periods, and says of each whether it is there';

CREATE FUNCTION uuid_partition_maintain(
	parent regclass, step interval, ahead int DEFAULT 3, keep interval DEFAULT NULL,
	detach_only bool DEFAULT false, tz text DEFAULT 'UTC', template regclass DEFAULT NULL,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	kept_since timestamptz;
	missing record;
BEGIN
	IF num_nulls(parent, step, ahead, detach_only, tz) > 0 THEN
		RAISE EXCEPTION 'no argument but keep and template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF ahead < 0 OR keep < '0' OR NOT isfinite(keep) THEN
		RAISE EXCEPTION 'ahead and keep must not be negative, nor keep infinite'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('ahead is %s, keep is %s.', ahead, coalesce(keep::text, 'NULL'));
	END IF;
	key := uidext_internal.uuid_partition_key(parent);
	PERFORM uidext_internal.uuid_partition_check_template(parent, template);
	-- step and tz, also when there is nothing to make
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
	kept_since := uidext_internal.uuid_partition_add(now(), -keep, tz);
	PERFORM uidext_internal.uuid_partition_lock(parent);

	-- what is missing depends on what was there
	SELECT coalesce(array_agg(m.from_time), '{}') AS from_times, coalesce(array_agg(m.to_time), '{}') AS to_times,
		coalesce(array_agg(m.suffix), '{}') AS suffixes
	INTO missing
	FROM uidext_internal.uuid_partition_missing(parent, key.layout, step, ahead, kept_since, tz) m;

	-- Dropping locks the parent, and making a default partition: in the order of every reader,
	-- because the other way round they would wait for each other.
	RETURN QUERY SELECT * FROM uidext_internal.uuid_partition_retire(parent, key.layout, kept_since, detach_only, template);
	RETURN QUERY SELECT * FROM uidext_internal.uuid_partition_extend(parent, key.layout, missing.from_times, missing.to_times, missing.suffixes, template);
END
$$;
COMMENT ON FUNCTION uuid_partition_maintain(regclass, interval, int, interval, bool, text, regclass) IS
	'drops (or detaches) what ended longer than keep ago, makes what is missing up to so many steps ahead, with what a template has besides, and says what it did and, with a warning, what it could not; raises 22023 for a negative ahead or keep';
