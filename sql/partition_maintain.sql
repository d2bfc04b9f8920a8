-- Partitions: maintenance in one call

-- What there is no partition for yet, gap by gap, because the partitions that
-- are there may be of any length.
CREATE FUNCTION uidext_internal.uuid_partition_missing(
	periods uidext_internal.uuid_partition_period[], step interval, ahead int, kept_since timestamptz, tz text,
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
	FROM unnest(periods) p
	WHERE p.from_time <= now() AND p.to_time > now();
	IF NOT FOUND THEN
		-- after a long outage nothing is made that would be dropped at once
		SELECT CASE WHEN count(*) = 0 THEN uidext_internal.uuid_partition_origin(now(), step, tz)
				ELSE greatest(max(p.to_time), uidext_internal.uuid_partition_origin(kept_since, step, tz)) END
		INTO covered
		FROM unnest(periods) p
		WHERE p.to_time <= now();
		PERFORM uidext_internal.uuid_partition_check_number(uidext_internal.uuid_partition_steps(covered, now(), step));
		SELECT max(b.to_time) INTO target
		FROM @extschema@.uuid_partition_bounds(covered, now() + interval '1 microsecond', step, tz) b;
	END IF;
	target := uidext_internal.uuid_partition_add(target, step * ahead, tz);
	PERFORM uidext_internal.uuid_partition_check_number(uidext_internal.uuid_partition_steps(covered, target, step));

	-- what does not fit before the next partition is cut short
	RETURN QUERY
		WITH gap AS (
			SELECT coalesce(lag(p.to_time) OVER w, covered) AS start, p.from_time AS stop
			FROM unnest(periods) p
			WHERE p.to_time > covered
			WINDOW w AS (ORDER BY p.from_time, p.to_time)
			UNION ALL
			SELECT greatest(max(p.to_time), covered), 'infinity'
			FROM unnest(periods) p
		)
		SELECT b.from_time, least(b.to_time, g.stop),
			uidext_internal.uuid_partition_suffix(b.from_time, CASE WHEN b.to_time > g.stop THEN g.stop - b.from_time ELSE step END, tz)
		FROM gap g,
			@extschema@.uuid_partition_bounds(g.start, CASE WHEN g.start < least(g.stop, target) THEN least(g.stop, target) END, step, tz) b
		ORDER BY b.from_time;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_missing(uidext_internal.uuid_partition_period[], interval, int, timestamptz, text) IS
	'the periods that uuid_partition_maintain() makes partitions for, with the ends of their names; raises as uuid_partition_bounds()';

CREATE FUNCTION uidext_internal.uuid_partition_warn(partition text, action text, problem text) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF starts_with(problem, '23514') AND strpos(problem, 'default partition') > 0 THEN
		RAISE WARNING 'partition % is %', partition, action
			USING DETAIL = problem, HINT = 'uuid_partition_drain() brings rows out of the default partition.';
	ELSIF starts_with(problem, '23503') THEN
		RAISE WARNING 'partition % is %', partition, action
			USING DETAIL = problem, HINT = 'Rows to which a foreign key refers cannot leave while it is there.';
	ELSE
		RAISE WARNING 'partition % is %', partition, action USING DETAIL = problem;
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_warn(text, text, text) IS
	'warns of what uuid_partition_maintain() could not do';

-- One after the other, each for itself: what cannot go does not keep the rest.
CREATE FUNCTION uidext_internal.uuid_partition_retire(
	parent regclass, periods uidext_internal.uuid_partition_period[], kept_since timestamptz, detach_only bool, template regclass, removes bool,
	dry_run bool,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	period record;
BEGIN
	FOR period IN
		SELECT p.*, p.partition::text AS name
		FROM unnest(periods) p
		WHERE p.to_time <= kept_since AND p.partition IS DISTINCT FROM template
		ORDER BY p.from_time, p.to_time
	LOOP
		action := CASE WHEN detach_only THEN 'detached' ELSE 'dropped' END;
		partition := period.name;
		from_time := period.from_time;
		to_time := period.to_time;
		problem := CASE WHEN NOT removes THEN '55P03: others keep the table locked' END;
		BEGIN
			IF removes AND NOT dry_run THEN
				PERFORM uidext_internal.uuid_partition_remove(parent, period.partition, detach_only);
			END IF;
		EXCEPTION WHEN OTHERS THEN
			IF NOT uidext_internal.uuid_partition_goes_on(SQLSTATE) THEN
				RAISE;
			END IF;
			problem := SQLSTATE || ': ' || SQLERRM;
		END;
		action := CASE WHEN problem IS NOT NULL THEN 'not ' WHEN dry_run THEN 'to be ' ELSE '' END || action;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_retire(regclass, uidext_internal.uuid_partition_period[], timestamptz, bool, regclass, bool, bool) IS
	'drops or detaches the partitions that end at or before a time, but for the template, and says of each whether it went; raises what concerns more than a partition';

CREATE FUNCTION uidext_internal.uuid_partition_extend(
	parent regclass, layout text, from_times timestamptz[], to_times timestamptz[], suffixes text[], template regclass, dry_run bool,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	neighbour regclass := CASE WHEN cardinality(from_times) > 0 THEN uidext_internal.uuid_partition_newest(parent, layout) END;
BEGIN
	FOR i IN 1 .. cardinality(from_times) LOOP
		partition := suffixes[i];
		from_time := from_times[i];
		to_time := to_times[i];
		problem := NULL;
		BEGIN
			partition := uidext_internal.uuid_partition_name(parent, suffixes[i]);
			IF NOT dry_run THEN
				partition := uidext_internal.uuid_partition_make(parent, layout, from_time, to_time, suffixes[i], template, neighbour)::text;
			END IF;
		EXCEPTION WHEN OTHERS THEN
			IF NOT uidext_internal.uuid_partition_goes_on(SQLSTATE) THEN
				RAISE;
			END IF;
			problem := SQLSTATE || ': ' || SQLERRM;
		END;
		action := CASE WHEN problem IS NOT NULL THEN 'not created' WHEN dry_run THEN 'to be created' ELSE 'created' END;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_extend(regclass, text, timestamptz[], timestamptz[], text[], regclass, bool) IS
	'makes the partitions of some periods, and says of each whether it is there; raises what concerns more than a partition';

CREATE FUNCTION uidext_internal.uuid_partition_maintain_once(
	parent regclass, layout text, periods uidext_internal.uuid_partition_period[], step interval, ahead int, kept_since timestamptz,
	detach_only bool, tz text, template regclass, removes bool, dry_run bool,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '200ms'
AS $$
DECLARE
	missing record;
BEGIN
	PERFORM uidext_internal.uuid_partition_brief();
	-- what is missing depends on what was there
	SELECT coalesce(array_agg(m.from_time), '{}') AS from_times, coalesce(array_agg(m.to_time), '{}') AS to_times,
		coalesce(array_agg(m.suffix), '{}') AS suffixes
	INTO missing
	FROM uidext_internal.uuid_partition_missing(periods, step, ahead, kept_since, tz) m;

	-- Dropping locks the parent, and making a default partition: in the order of every reader,
	-- because the other way round they would wait for each other.
	RETURN QUERY SELECT * FROM uidext_internal.uuid_partition_retire(parent, periods, kept_since, detach_only, template, removes, dry_run);
	RETURN QUERY SELECT * FROM uidext_internal.uuid_partition_extend(parent, layout,
		missing.from_times, missing.to_times, missing.suffixes, template, dry_run);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_maintain_once(regclass, text, uidext_internal.uuid_partition_period[], interval, int, timestamptz, bool, text, regclass, bool, bool) IS
	'one attempt of uuid_partition_maintain(), with 55P03 when others keep it waiting';

CREATE FUNCTION uidext_internal.uuid_partition_kept_since(keep interval, tz text) RETURNS timestamptz
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF keep NOT BETWEEN '0' AND '5000 years' THEN
		RAISE EXCEPTION 'keep must be from 0 to 5,000 years'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('keep is %s.', keep);
	END IF;
	RETURN uidext_internal.uuid_partition_add(now(), -keep, tz);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_kept_since(interval, text) IS
	'the time up to which partitions are no longer kept; raises 22023 for what is below 0 or beyond what times hold';

CREATE FUNCTION uidext_internal.uuid_partition_check_plan(step interval, ahead int, keep interval, tz text) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF ahead < 0 OR NOT isfinite(keep) THEN
		RAISE EXCEPTION 'ahead must not be negative, nor keep infinite'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('ahead is %s, keep is %s.', ahead, coalesce(keep::text, 'NULL'));
	END IF;
	-- step and tz, also when there is nothing to make
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
	PERFORM uidext_internal.uuid_partition_check_number(ahead);
	IF keep < step THEN
		RAISE EXCEPTION 'keep must not be shorter than step'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('keep is %s, step is %s.', keep, step),
				HINT = 'Write ''6 months'' in full: ''6m'' is six minutes.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_plan(interval, int, interval, text) IS
	'raises 22023 for what would make a table''s upkeep a slip: a negative or huge ahead, a bad step or time zone, a keep that is infinite or shorter than step';

CREATE FUNCTION uuid_partition_maintain(
	parent regclass, step interval, ahead int DEFAULT 3, keep interval DEFAULT NULL,
	detach_only bool DEFAULT false, tz text DEFAULT 'UTC', template regclass DEFAULT NULL,
	dry_run bool DEFAULT false, strict bool DEFAULT false,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	kept_since timestamptz;
	periods uidext_internal.uuid_partition_period[];
	deadline timestamptz := uidext_internal.uuid_partition_deadline();
	removes bool := true;
	problems text;
BEGIN
	IF num_nulls(parent, step, ahead, detach_only, tz, dry_run, strict) > 0 THEN
		RAISE EXCEPTION 'no argument but keep and template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_plan(step, ahead, keep, tz);
	kept_since := uidext_internal.uuid_partition_kept_since(keep, tz);
	key := uidext_internal.uuid_partition_key(parent);
	periods := uidext_internal.uuid_partition_begin(parent, key.layout, kept_since, dry_run);
	PERFORM uidext_internal.uuid_partition_check_template(parent, template);

	LOOP
		BEGIN
			FOR action, partition, from_time, to_time, problem IN
				SELECT * FROM uidext_internal.uuid_partition_maintain_once(parent, key.layout, periods, step, ahead,
					kept_since, detach_only, tz, template, removes, dry_run)
			LOOP
				IF problem IS NOT NULL THEN
					PERFORM uidext_internal.uuid_partition_warn(partition, action, problem);
					problems := concat_ws(chr(10), problems, format('partition %s is %s: %s', partition, action, problem));
				ELSIF NOT dry_run THEN
					RAISE LOG 'partition % of table % is %', partition, parent, action;
				END IF;
				RETURN NEXT;
			END LOOP;
			EXIT;
		EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
			IF NOT uidext_internal.uuid_partition_again(deadline) THEN
				IF NOT removes THEN
					RAISE;
				END IF;
				-- who keeps old partitions from going does not keep new ones from coming
				removes := false;
				deadline := uidext_internal.uuid_partition_deadline();
			END IF;
		END;
	END LOOP;
	IF strict AND problems IS NOT NULL THEN
		RAISE EXCEPTION 'not all partitions of table % could be maintained', parent
			USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = problems,
				HINT = 'Nothing has been changed. Without strict, all else is done.';
	END IF;
END
$$;
COMMENT ON FUNCTION uuid_partition_maintain(regclass, interval, int, interval, bool, text, regclass, bool, bool) IS
	'drops or detaches partitions that ended longer than keep ago, and makes the missing ones up to so many steps ahead; new ones are like a template and the newest partition; returns what it did, or with dry_run what it would do; warns of what it could not, or where strict ends with an error 55000; 55P03 when others keep it waiting; raises 22023 for a keep shorter than step, 42501 for callers who are not the owner';
