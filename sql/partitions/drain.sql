-- Partitions: uuid_partition_drain()
--
-- Moves the rows of a period from the default partition into a partition that is made for them.
-- All rows of the period move or none, because PostgreSQL attaches no partition while the default
-- partition has rows of its range.

-- The period around a time that no partition holds.  It ends where a neighbouring partition begins.
CREATE FUNCTION uidext_internal.partition_gap(
	t uidext_internal.partitioned_table, at timestamptz, step interval, tz text
) RETURNS uidext_internal.partition_period
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	epoch CONSTANT timestamptz := '1970-01-01 00:00:00+00';
	-- the week or month of the first time that an id can hold begins before that time
	earliest timestamptz := partition_earliest(t.layout);
	whole record;
	result partition_period;
BEGIN
	at := greatest(at, earliest, epoch);
	SELECT b.from_time, b.to_time INTO whole
	FROM @extschema@.uuid_partition_bounds(greatest(partition_origin(at, step, tz), epoch),
		at + interval '1 microsecond', step, tz) b
	ORDER BY b.from_time DESC
	LIMIT 1;
	-- a bound that was made by hand can be in the millisecond of the row, which is on the other side of it
	SELECT greatest(whole.from_time, earliest, max(p.to_time) FILTER (WHERE p.to_time <= at)),
		least(whole.to_time, min(p.from_time) FILTER (WHERE p.from_time >= at AND p.to_time > at))
	INTO whole.from_time, whole.to_time
	FROM unnest(t.periods) p;
	result := partition_snap(t, whole.from_time, whole.to_time);
	-- An id holds a whole number of units.  If the end of the period is rounded down to one, the row
	-- can lie behind it.
	IF partition_boundary_time(t.layout, result.to_id) <= at AND result.to_time > at THEN
		RAISE EXCEPTION 'step must be a multiple of the unit of time in ids'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('step is %s.', step),
				HINT = 'The unit is a millisecond for a uuid, and the tick of its scheme for a bigint.';
	END IF;
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_gap(uidext_internal.partitioned_table, timestamptz, interval, text) IS
	'the period of one step around a time that no partition holds, no earlier than ids are; raises 22023 for a step that is '
	'no multiple of the ids'' unit of time, and as uuid_partition_bounds()';

-- For a foreign key to the default partition itself, moved rows would be gone, although they stay in
-- the table.
CREATE FUNCTION uidext_internal.partition_check_default_unreferenced(default_partition regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	reference record;
BEGIN
	SELECT c.conname, c.conrelid::regclass AS "table" INTO reference
	FROM pg_constraint c
	WHERE c.contype = 'f' AND c.conparentid = 0
		AND c.confrelid IN (SELECT partition_tree(default_partition))
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'foreign key "%" of table % refers to the default partition itself',
				reference.conname, reference."table"
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Let the foreign key refer to the partitioned table.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_default_unreferenced(regclass) IS
	'an error 55000 when a foreign key refers to a partition rather than to the partitioned table';

CREATE FUNCTION uidext_internal.partition_check_drain(
	parent regclass, step interval, tz text, max_rows int, dry_run bool
) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM uidext_internal.partition_check_null('{parent,step,tz,max_rows,dry_run}', ARRAY[parent IS NULL, step IS NULL, tz IS NULL, max_rows IS NULL, dry_run IS NULL]);
	IF max_rows < 0 THEN
		RAISE EXCEPTION 'max_rows must not be negative' USING ERRCODE = 'invalid_parameter_value';
	END IF;
	PERFORM uidext_internal.partition_require_time(uidext_internal.partition_read(parent,
		uidext_internal.partition_deadline()));
	-- raises for a wrong step or tz, also when nothing is to be drained
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_drain(regclass, interval, text, int, bool) IS
	'raises 22004 and 22023 for arguments with which nothing can be drained, and as partition_read() and '
	'partition_require_time()';

CREATE FUNCTION uidext_internal.partition_check_drainable(default_partition regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	foreign_table regclass := (
		SELECT c.oid FROM partition_tree(default_partition) b(oid) JOIN pg_class c ON c.oid = b.oid
		WHERE c.relkind = 'f' LIMIT 1);
	obstacle partition_obstacle;
BEGIN
	IF foreign_table IS NOT NULL THEN
		RAISE EXCEPTION 'partition % is a foreign table', foreign_table
			USING ERRCODE = 'wrong_object_type', HINT = 'Move its rows by hand, because a drain can move rows between ordinary tables only.';
	END IF;
	obstacle := partition_unread_obstacle(default_partition, partition_visible_rows(default_partition));
	PERFORM partition_raise(obstacle.problem, obstacle.hint);
	PERFORM partition_check_default_unreferenced(default_partition);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_drainable(regclass) IS
	'raises 42501 where the caller does not see all rows of a default partition, 42809 for a foreign table, and as '
	'partition_check_default_unreferenced()';

-- A subscriber follows the DELETE, and does not know the new partition.
CREATE FUNCTION uidext_internal.partition_warn_unpublished(default_partition regclass, step uidext_internal.partition_step)
	RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	partition CONSTANT text := format('%s.%I', step.schema, step.name);
	unpublished name;
BEGIN
	FOR unpublished IN
		SELECT DISTINCT p.publication
		FROM partition_tree(default_partition) b(oid) CROSS JOIN LATERAL partition_publications(b.oid::regclass) p
		WHERE p.deletes AND p.publication NOT IN (SELECT partition_new_publications(step.parent, step.schema))
	LOOP
		RAISE WARNING 'publication "%" has default partition %, and not new partition %', unpublished, default_partition, partition
			USING HINT = format('Subscribers lose the rows that move, until the new partition is published, too. After that, run ALTER SUBSCRIPTION ... REFRESH PUBLICATION '
				'on each subscriber. Here run: ALTER PUBLICATION %I ADD TABLE %s', unpublished, partition);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_warn_unpublished(regclass, uidext_internal.partition_step) IS
	'warns of each publication that publishes the DELETE of rows that move into the partition of a step, and not their INSERT';

-- One period of a drain.  Like a plan, what is found is looked for again if a partition is locked.
CREATE FUNCTION uidext_internal.partition_drain_next(
	parent regclass, step interval, tz text, start timestamptz, template regclass, max_rows int, dry_run bool,
	stop timestamptz, INOUT next_id text, OUT partition text, OUT done text,
	-- one for all that one period waits for
	deadline timestamptz DEFAULT uidext_internal.partition_deadline(),
	INOUT planned uidext_internal.partition_step[] DEFAULT '{}'
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '100ms'
AS $$
DECLARE
	t partitioned_table;
	first_id text;
	period partition_period;
	steps partition_step[];
	obstacle partition_obstacle;
BEGIN
	t := (partition_begin(parent, '{}', template, dry_run, deadline))[1];
	-- what a dry run would have made ends or begins the periods beside it, and has its name
	t.periods := t.periods || ARRAY(SELECT s.period FROM unnest(planned) s);
	LOOP
		BEGIN
			PERFORM partition_check_drainable(t.default_partition);
			first_id := CASE WHEN t.default_partition IS NOT NULL THEN
				edge_id(t.default_partition, t.column_name,
					coalesce(next_id, partition_boundary(t.layout, start), partition_least_telling_id(t.layout)),
					-- an id further ahead than the clock has a wrong time, and gets no partition
					CASE WHEN stop < now() + interval '5 minutes' THEN partition_boundary(t.layout, stop) ELSE partition_clock_id(t.layout) END,
					false, t.versions) END;
			IF first_id IS NULL THEN
				next_id := NULL;
				RETURN;
			END IF;
			period := partition_gap(t, partition_boundary_time(t.layout, first_id), step, tz);
			steps := partition_with_group_numbers(ARRAY(
				SELECT s FROM partition_plan_periods(t, ARRAY[period], step, tz, 'drain',
					ARRAY(SELECT o.name::name FROM unnest(planned) o)) s));
			obstacle := partition_drain_obstacle(t, period, max_rows);
			EXIT;
		EXCEPTION WHEN lock_not_available THEN
			IF clock_timestamp() >= deadline THEN
				PERFORM partition_raise_busy(ARRAY[t], SQLERRM);
			END IF;
		END;
		PERFORM pg_sleep(0.05);
	END LOOP;
	next_id := period.to_id;
	steps[1].problem := coalesce(steps[1].problem, obstacle.problem);
	steps[1].hint := coalesce(steps[1].hint, obstacle.hint);
	steps[1].max_rows := max_rows;
	IF NOT dry_run THEN
		steps := partition_execute_possible(ARRAY[t], steps, deadline);
		IF partition_is_lock(steps[1].problem) THEN
			RAISE EXCEPTION 'could not obtain lock on table %', parent
				USING ERRCODE = 'lock_not_available', DETAIL = steps[1].problem, HINT = 'Periods that were drained stay drained. Call it again when the transactions that use the table have ended.';
		END IF;
	ELSIF steps[1].problem IS NULL THEN
		planned := planned || steps[1];
	END IF;
	PERFORM partition_warn_unpublished(t.default_partition, steps[1]) WHERE steps[1].problem IS NULL;
	SELECT r.name, CASE WHEN r.problem IS NULL AND dry_run THEN 'would be made'
		WHEN r.problem IS NULL THEN format('%s rows moved', r.rows) END
	INTO partition, done
	FROM partition_report(steps, dry_run) r;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_drain_next(
	regclass, interval, text, timestamptz, regclass, int, bool, timestamptz, text, timestamptz,
	uidext_internal.partition_step[]) IS
	'makes a partition of the first rows after an id in the default partition that tell time, and says what it did, or '
	'warns of what kept it from that; next_id is where the next one begins, NULL when there are no more, and '
	'planned what a dry run would have made by then; 55P03 when others keep it waiting';

-- A procedure with a SET clause could not commit.  Therefore each name here has its schema, and no
-- operator is used.
CREATE PROCEDURE uuid_partition_drain(
	parent regclass, step interval, tz text DEFAULT 'UTC',
	start timestamptz DEFAULT NULL, stop timestamptz DEFAULT NULL, template regclass DEFAULT NULL,
	max_rows int DEFAULT 10000, dry_run bool DEFAULT false
)
	LANGUAGE plpgsql
AS $$
DECLARE
	made pg_catalog.record;
	next_id pg_catalog.text;
	planned uidext_internal.partition_step[] := '{}';
BEGIN
	PERFORM uidext_internal.partition_check_drain(parent, step, tz, max_rows, dry_run);
	-- in a transaction block this fails, before anything is done
	COMMIT;
	-- Who may insert rows decides how many periods there are.
	FOR n IN 1 .. 1000 LOOP
		made := uidext_internal.partition_drain_next(parent, step, tz, start, template, max_rows, dry_run, stop, next_id,
			planned => planned);
		COMMIT;
		IF made.next_id IS NULL THEN
			RETURN;
		END IF;
		next_id := made.next_id;
		planned := made.planned;
		IF made.done IS NOT NULL THEN
			RAISE NOTICE 'partition %: %', made.partition, made.done;
		END IF;
	END LOOP;
	RAISE WARNING 'uuid_partition_drain() stops after 1000 periods, and rows of later periods may be left'
		USING HINT = 'If you want so many partitions, call it again with a later start, because periods whose rows stay count, too. If you want fewer, pass a longer step.';
END
$$;
COMMENT ON PROCEDURE uuid_partition_drain(regclass, interval, text, timestamptz, timestamptz, regclass, int, bool) IS
	'Moves rows of the default partition into partitions made for them. It goes from one period to the next, and '
	'commits after each. Only ids of the layout that the default of the key makes are moved, and only those whose '
	'time is not in the future. A period with more than max_rows rows is left, with a warning, and after 1000 periods the rest is. No trigger fires. With'
	' dry_run it only says what it would do. A period that fails is reported by a warning, and the next ones go on. '
	'Raises 42501 for callers who are not the owner or do not see all rows, 22023 for a step that is not a multiple '
	'of the unit of time in ids and for a table that is not partitioned by time, 55000 where a foreign key refers to '
	'the default partition itself, 55P03 when others keep the table locked, 2D000 in a transaction block.';
