-- Partitions: the plan
--
-- A plan is a list of steps.  It is made from the catalogs and from which periods have rows.  A
-- dry run returns the plan, and the executor runs the same plan, so the two can differ only by
-- what other sessions do meanwhile.  The steps of one group succeed or fail together.

CREATE TYPE uidext_internal.partition_step AS (
	group_number int, action text, parent regclass, schema regnamespace, name text, partition regclass,
	period uidext_internal.partition_period, model regclass, template regclass, leader regclass,
	counterpart regclass, foreign_keys uidext_internal.partition_foreign_key[], column_name name, tables int, rows bigint, bytes bigint, problem text, hint text, max_rows int
);
COMMENT ON TYPE uidext_internal.partition_step IS 'one step of a plan';
COMMENT ON COLUMN uidext_internal.partition_step.group_number IS 'the number of its group, in the order in which these are run';
COMMENT ON COLUMN uidext_internal.partition_step.action IS
	'create, drain, drop, detach, or leave, for one that is left for the next call';
COMMENT ON COLUMN uidext_internal.partition_step.parent IS 'the partitioned table';
COMMENT ON COLUMN uidext_internal.partition_step.schema IS 'the schema of the partition';
COMMENT ON COLUMN uidext_internal.partition_step.name IS 'its name there';
COMMENT ON COLUMN uidext_internal.partition_step.partition IS 'the partition; NULL until it is made';
COMMENT ON COLUMN uidext_internal.partition_step.period IS 'its bounds';
COMMENT ON COLUMN uidext_internal.partition_step.model IS
	'the partition that it is to be like, and partitioned like; NULL for the parent';
COMMENT ON COLUMN uidext_internal.partition_step.template IS
	'the table that it, or what is beneath it, is to be stored like; NULL for the model';
COMMENT ON COLUMN uidext_internal.partition_step.leader IS 'the table whose partition it belongs to; NULL for none';
COMMENT ON COLUMN uidext_internal.partition_step.counterpart IS 'that partition; NULL until it is made';
COMMENT ON COLUMN uidext_internal.partition_step.foreign_keys IS
	'those that it gets; NULL for none';
COMMENT ON COLUMN uidext_internal.partition_step.column_name IS 'the column that the parent is partitioned by';
COMMENT ON COLUMN uidext_internal.partition_step.tables IS
	'how many tables it concerns, the partition and those beneath it, of which a call removes no more than so many; NULL for one '
	'that was left before they were counted';
COMMENT ON COLUMN uidext_internal.partition_step.rows IS
	'its rows: as estimated for uuid_partition_drop(), or how many uuid_partition_drain() has moved; NULL for other calls';
COMMENT ON COLUMN uidext_internal.partition_step.bytes IS
	'its size with indexes and TOAST for uuid_partition_drop(); NULL for other calls';
COMMENT ON COLUMN uidext_internal.partition_step.problem IS
	'SQLSTATE and message of what keeps, or kept, it from being done; NULL for nothing';
COMMENT ON COLUMN uidext_internal.partition_step.hint IS 'what to do about the problem; NULL for nothing';
COMMENT ON COLUMN uidext_internal.partition_step.max_rows IS
	'how many rows uuid_partition_drain() may move; NULL for other calls';

CREATE FUNCTION uidext_internal.partition_is_creation(action text) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN action IN ('create', 'drain');
COMMENT ON FUNCTION uidext_internal.partition_is_creation(text) IS
	'whether an action makes a partition';

CREATE FUNCTION uidext_internal.partition_is_removal(action text) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN action IN ('drop', 'detach');
COMMENT ON FUNCTION uidext_internal.partition_is_removal(text) IS
	'whether an action removes a partition';

-- Fills in what follows from the table.  partition_examine_creation() looks for problems.
-- If two periods would get the same name, the second is named by its start in UTC, with milliseconds.
CREATE FUNCTION uidext_internal.partition_new_step(
	t uidext_internal.partitioned_table, period uidext_internal.partition_period, suffix text, taken name[]
) RETURNS uidext_internal.partition_step
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	step partition_step;
	prefix text := (SELECT relname || '_' FROM pg_class WHERE oid = t.relation);
BEGIN
	step.action := 'create';
	step.parent := t.relation;
	step.schema := coalesce(partition_schema(t.newest), partition_schema(t.relation));
	step.name := prefix || CASE WHEN (prefix || suffix)::name = ANY (taken) AND NOT period.is_default
		THEN to_char(period.from_time AT TIME ZONE 'UTC', 'YYYY_MM_DD_HH24MISS_MS') || 'z' ELSE suffix END;
	step.period := period;
	-- a foreign table is no model: the new one is made like the template, or in a drain like the parent
	step.model := (SELECT oid FROM pg_class WHERE oid = t.newest AND relkind <> 'f');
	step.template := t.template;
	step.leader := t.leader;
	step.foreign_keys := t.foreign_keys;
	step.column_name := t.column_name;
	step.tables := 1;
	RETURN step;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_new_step(
	uidext_internal.partitioned_table, uidext_internal.partition_period, text, name[]) IS
	'the step that makes the partition of a period, with a name that is not among some others';

CREATE FUNCTION uidext_internal.partition_old_step(
	parent regclass, column_name name, period uidext_internal.partition_period, action text
) RETURNS uidext_internal.partition_step
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	step partition_step;
BEGIN
	step.action := action;
	step.parent := parent;
	step.partition := period.partition;
	SELECT c.relnamespace, c.relname INTO step.schema, step.name FROM pg_class c WHERE c.oid = period.partition;
	step.period := period;
	step.column_name := column_name;
	RETURN step;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_old_step(regclass, name, uidext_internal.partition_period, text) IS
	'the step that removes a partition (drop or detach), or leaves it for the next call';

-- Looks for what would make a step fail.  The obstacle that is passed concerns all new partitions
-- of the table, and was looked for once.  Steps that are planned before this one will have been done.
CREATE FUNCTION uidext_internal.partition_examine_creation(
	t uidext_internal.partitioned_table, step uidext_internal.partition_step, obstacle uidext_internal.partition_obstacle,
	planned uidext_internal.partition_step[]
) RETURNS uidext_internal.partition_step
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	made text;
	taken text[] := '{}';
BEGIN
	IF obstacle.problem IS NULL AND (step.period).from_id = (step.period).to_id THEN
		obstacle := ROW('22023: the step is shorter than the unit of time in ids',
			'Pass a multiple of the unit as step. The unit is a millisecond for a uuid, and the tick of its scheme for a bigint.')::partition_obstacle;
	END IF;
	-- before names: one that waits to be detached has the name of its period, and must not be renamed or dropped
	IF obstacle.problem IS NULL THEN
		obstacle := partition_overlap_obstacle(t, step.period);
	END IF;
	FOR made IN SELECT n.made_name FROM partition_tree_like(step.model, step.name) n LOOP
		EXIT WHEN obstacle.problem IS NOT NULL;
		obstacle := partition_name_obstacle(step.schema, made);
		IF made = ANY (taken) THEN
			obstacle := ROW(format('42P07: two parts of partition %s would be named "%s"', step.name, made),
				'Rename one of the parts of the newest partition from which they would have their names.')::partition_obstacle;
		END IF;
		taken := taken || made;
	END LOOP;
	IF obstacle.problem IS NULL AND step.action = 'create' THEN
		obstacle := partition_default_obstacle(t, step.period);
	END IF;
	IF obstacle.problem IS NULL AND step.action = 'create' AND NOT (step.period).is_default THEN
		obstacle := partition_foreign_table_obstacle(t);
	END IF;
	IF obstacle.problem IS NULL AND step.foreign_keys IS NOT NULL AND NOT (step.period).is_default THEN
		obstacle := partition_foreign_keys_obstacle(t.relation, format('%s.%I', step.schema, step.name), step.leader, step.counterpart, step.period,
			step.foreign_keys, ARRAY(
				-- one that is partitioned itself is like the newest, also beside a template
				SELECT ARRAY[s.parent, coalesce((SELECT c.oid::regclass FROM pg_class c WHERE c.oid = s.model AND c.relkind = 'p'),
					s.template, s.model, s.parent)]
				FROM unnest(planned || step) s
				WHERE s.action = 'create' AND s.problem IS NULL AND partition_same_bounds(
					(s.period).from_id, (s.period).to_id, (step.period).from_id, (step.period).to_id)));
	END IF;
	step.problem := obstacle.problem;
	step.hint := obstacle.hint;
	RETURN step;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_examine_creation(
	uidext_internal.partitioned_table, uidext_internal.partition_step, uidext_internal.partition_obstacle,
	uidext_internal.partition_step[]) IS
	'a step with what is in its way, which was found before or is looked for';

-- A name has only the digits that the step needs.
CREATE FUNCTION uidext_internal.partition_plan_periods(
	t uidext_internal.partitioned_table, wanted uidext_internal.partition_period[], step interval, tz text, action text,
	taken name[] DEFAULT '{}'
) RETURNS SETOF uidext_internal.partition_step
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	obstacle partition_obstacle := CASE WHEN cardinality(wanted) > 0 THEN partition_table_obstacle(t) END;
	-- of the rows that a drain moves nobody knows whether such a key holds
	keys CONSTANT partition_foreign_key[] := CASE WHEN action = 'create' AND cardinality(wanted) > 0
		THEN partition_newest_foreign_keys(t.relation) END;
	new_step partition_step;
	period partition_period;
BEGIN
	taken := taken || ARRAY(SELECT c.relname FROM unnest(t.periods) p JOIN pg_class c ON c.oid = p.partition);
	t.foreign_keys := (SELECT array_agg(ROW(k.referred, k.definition)::partition_foreign_key ORDER BY k.ordinality)
		FROM unnest(keys) WITH ORDINALITY k WHERE k.referred = t.relation);
	IF obstacle.problem IS NULL THEN
		obstacle := partition_unpaired_obstacle(t, keys);
	END IF;
	FOREACH period IN ARRAY coalesce(wanted, '{}') LOOP
		new_step := partition_new_step(t, period, partition_suffix(period.from_time, step, tz), taken);
		new_step.action := action;
		taken := taken || new_step.name::name;
		RETURN NEXT partition_examine_creation(t, new_step, obstacle, '{}');
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_plan_periods(
	uidext_internal.partitioned_table, uidext_internal.partition_period[], interval, text, text, name[]) IS
	'the steps (create or drain) that make the partitions of some periods, in their order, with what is in their way, and '
	'with names that are not taken';

-- A follower gets a counterpart of each partition of its leader, existing or planned, except for
-- those that are so old that this plan or a later call removes them.
CREATE FUNCTION uidext_internal.partition_plan_follow(
	t uidext_internal.partitioned_table, l uidext_internal.partitioned_table, planned uidext_internal.partition_step[],
	old uidext_internal.partition_period[]
) RETURNS SETOF uidext_internal.partition_step
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	obstacle partition_obstacle;
	was_asked bool := false;
	-- two tables of one name can have their partitions in one schema
	taken name[] := ARRAY(SELECT s.name::name FROM unnest(planned) s
		WHERE s.action = 'create' AND s.schema = coalesce(partition_schema(t.newest), partition_schema(t.relation)));
	counterpart record;
	new_step partition_step;
BEGIN
	-- bounds are read as they are now, all else as the snapshot of the transaction shows it
	PERFORM partition_assert(p.partition, false)
	FROM unnest(l.periods) p
	WHERE NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = p.partition)
		AND NOT EXISTS (SELECT FROM unnest(t.periods) o
			WHERE partition_same_bounds(o.from_id, o.to_id, p.from_id, p.to_id) AND NOT o.detach_pending);
	PERFORM partition_assert(l.default_partition, false)
	WHERE l.default_partition IS NOT NULL AND t.default_partition IS NULL
		AND NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = l.default_partition);
	FOR counterpart IN
		WITH theirs AS (
			SELECT p.partition, p AS period FROM unnest(l.periods) p WHERE NOT p.detach_pending
			UNION ALL
			SELECT l.default_partition, ROW(l.default_partition, NULL, NULL, NULL, NULL, true, false)::partition_period
		), standing AS (
			SELECT h.period, h.partition, CASE WHEN starts_with(c.relname, r.relname || '_')
				THEN substr(c.relname, length(r.relname) + 2) ELSE c.relname END AS suffix
			FROM theirs h JOIN pg_class c ON c.oid = h.partition JOIN pg_class r ON r.oid = l.relation
			-- rows of a foreign table are on another server, and those that belong to them, too
			WHERE (c.relkind <> 'f' OR t.template IS NOT NULL)
				-- also what cannot go now, or is left for the next call
				AND NOT EXISTS (SELECT FROM unnest(old) o
					WHERE o.is_default = (h.period).is_default
						AND partition_same_bounds(o.from_id, o.to_id, (h.period).from_id, (h.period).to_id))
			UNION ALL
			SELECT s.period, NULL, substr(s.name, length(r.relname) + 2)
			FROM unnest(planned) s JOIN pg_class r ON r.oid = l.relation
			WHERE s.parent = l.relation AND s.action = 'create' AND s.problem IS NULL
		)
		SELECT s.* FROM standing s
		WHERE NOT EXISTS (SELECT FROM unnest(t.periods) o
				WHERE partition_same_bounds(o.from_id, o.to_id, (s.period).from_id, (s.period).to_id)
					AND o.is_default = (s.period).is_default AND NOT o.detach_pending)
			AND ((s.period).is_default AND t.default_partition IS NOT NULL) IS NOT TRUE
		-- the default partition last, because attaching others would have to look for their rows in it
		ORDER BY (s.period).is_default, (s.period).from_time, (s.period).to_time
	LOOP
		IF NOT was_asked THEN
			obstacle := partition_table_obstacle(t);
			was_asked := true;
		END IF;
		new_step := partition_new_step(t, counterpart.period, counterpart.suffix, taken);
		new_step.counterpart := counterpart.partition;
		taken := taken || new_step.name::name;
		RETURN NEXT partition_examine_creation(t, new_step, obstacle, planned);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_plan_follow(
	uidext_internal.partitioned_table, uidext_internal.partitioned_table, uidext_internal.partition_step[],
	uidext_internal.partition_period[]) IS
	'the steps that give a table the partitions that it lacks of its leader''s, but for those of old periods, with what is in '
	'their way; raises 40001 where the snapshot does not show one of them';

-- A follower's partition is removed before the partition that it refers to.
CREATE FUNCTION uidext_internal.partition_plan_old_period(
	family uidext_internal.partitioned_table[], period uidext_internal.partition_period, action text,
	obstacle uidext_internal.partition_obstacle
) RETURNS SETOF uidext_internal.partition_step
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	steps partition_step[] := ARRAY(
		SELECT partition_old_step((family[i]).relation, (family[i]).column_name, p, action)
		FROM generate_subscripts(family, 1) i
			CROSS JOIN LATERAL unnest((family[i]).periods) p
			JOIN pg_class c ON c.oid = p.partition
		WHERE partition_same_bounds(p.from_id, p.to_id, period.from_id, period.to_id)
		ORDER BY i DESC);
	gone oid[] := ARRAY(SELECT b FROM unnest(steps) s, partition_tree(s.partition) b);
	step partition_step;
BEGIN
	BEGIN
		FOREACH step IN ARRAY steps LOOP
			EXIT WHEN obstacle.problem IS NOT NULL;
			obstacle := partition_removal_obstacle(step.parent, step.partition, action);
			IF obstacle.problem IS NULL THEN
				obstacle := partition_referring_obstacle(step.partition, step.period, step.column_name, gone, action);
			END IF;
		END LOOP;
		IF obstacle.problem IS NULL THEN
			obstacle := partition_pair_obstacle(gone);
		END IF;
		IF obstacle.problem IS NULL THEN
			obstacle := partition_orphan_obstacle(family, period);
		END IF;
		IF obstacle.problem IS NULL AND action = 'drop' THEN
			obstacle := partition_dependent_obstacle(gone);
		END IF;
	EXCEPTION WHEN lock_not_available THEN
		-- a table that the questions read is locked: the other steps are planned all the same
		obstacle := partition_busy_obstacle(family);
	END;
	FOREACH step IN ARRAY steps LOOP
		step.tables := (SELECT count(*) FROM partition_tree(step.partition));
		step.problem := obstacle.problem;
		step.hint := obstacle.hint;
		RETURN NEXT step;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_plan_old_period(
	uidext_internal.partitioned_table[], uidext_internal.partition_period, text, uidext_internal.partition_obstacle) IS
	'the steps that remove the partitions of one period from a family, the last follower''s first, with what is in their '
	'way, which was found before or is looked for';

-- A period can be old in any table of the family.  If the leader has no partition of it any more,
-- the follower's partition is removed alone.  It waits as long as the leader has a partition with
-- other bounds there.
CREATE FUNCTION uidext_internal.partition_old_periods(
	family uidext_internal.partitioned_table[], older_than timestamptz, kept regclass[]
) RETURNS SETOF uidext_internal.partition_period
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT ROW(min(o.partition::oid) FILTER (WHERE o.member = 1), o.from_id, o.to_id, o.from_time, o.to_time, false, false
		)::uidext_internal.partition_period
	FROM (
		SELECT m.ordinality AS member, p.*
		FROM pg_catalog.unnest(family) WITH ORDINALITY m CROSS JOIN LATERAL pg_catalog.unnest(m.periods) p
		WHERE p.to_time <= older_than
	) o
	GROUP BY o.from_id, o.to_id, o.from_time, o.to_time
	HAVING bool_and((o.partition::oid = ANY (kept::oid[])) IS NOT TRUE)
		AND (min(o.member) = 1 OR NOT EXISTS (
			SELECT FROM pg_catalog.unnest((family[1]).periods) l
			WHERE uidext_internal.partition_overlaps(l,
				ROW(NULL, o.from_id, o.to_id, o.from_time, o.to_time, false, false)::uidext_internal.partition_period)))
	ORDER BY o.from_time, o.to_time;
END;
COMMENT ON FUNCTION uidext_internal.partition_old_periods(
	uidext_internal.partitioned_table[], timestamptz, regclass[]) IS
	'the periods that end at or before a time, in the order of time, but for those of partitions that are kept';

-- The locks of all partitions that are removed are held at once.  Therefore a call removes only so
-- many, the oldest first, and leaves the others for the next call.  If some cannot go, they count for nothing
-- there, and what refers to each may be in thousands of tables.  So there is also a limit of time, once there is
-- something that can go: if there were one before, the same partitions would use it up in each call.  If new partitions
-- are to be made, which come first, half of the time is the limit in any case.
CREATE FUNCTION uidext_internal.partition_plan_removal(
	family uidext_internal.partitioned_table[], old uidext_internal.partition_period[], action text, most int,
	deadline timestamptz, makes_new bool
) RETURNS SETOF uidext_internal.partition_step
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	period partition_period;
	steps_of_group partition_step[];
	-- a partition that cannot be removed takes no lock
	tables_of_group bigint;
	tables bigint := 0;
	is_full bool := false;
	-- a lock that keeps one period from being looked at is not waited for again
	busy partition_obstacle;
	quarter CONSTANT interval := (deadline - clock_timestamp()) / 4;
	began CONSTANT timestamptz := clock_timestamp();
BEGIN
	FOREACH period IN ARRAY coalesce(old, '{}') LOOP
		IF NOT is_full THEN
			steps_of_group := ARRAY(SELECT s FROM partition_plan_old_period(family, period, action, busy) s);
			IF partition_is_lock(steps_of_group[1].problem) THEN
				busy := ROW(steps_of_group[1].problem, steps_of_group[1].hint);
			END IF;
			tables_of_group := (SELECT coalesce(sum(s.tables), 0) FROM unnest(steps_of_group) s WHERE s.problem IS NULL);
			-- a single period with more tables than that is removed all the same
			is_full := coalesce(tables > 0 AND tables + tables_of_group > most, false);
		END IF;
		IF is_full THEN
			RETURN NEXT partition_old_step(family[1].relation, family[1].column_name, period, 'leave');
			CONTINUE;
		END IF;
		tables := tables + tables_of_group;
		RETURN QUERY SELECT s.* FROM unnest(steps_of_group) s;
		is_full := coalesce(CASE WHEN clock_timestamp() >= began + 2 * quarter
			THEN makes_new OR tables > 0 AND steps_of_group[1].problem IS NOT NULL
			ELSE clock_timestamp() >= began + quarter AND makes_new AND tables > 0 END, false);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_plan_removal(
	uidext_internal.partitioned_table[], uidext_internal.partition_period[], text, int, timestamptz, bool) IS
	'the steps that remove what a family has of old periods, up to so many tables; if there are some, no more after one that cannot '
	'go when half of the time until a deadline is over; if new partitions are to be made, no more after half of it, and if there '
	'are some, after a quarter; NULL for no limit';

-- New partitions are made like the newest one.  It stays until there is a newer one.
CREATE FUNCTION uidext_internal.partition_models_to_keep(
	family uidext_internal.partitioned_table[], planned uidext_internal.partition_step[]
) RETURNS regclass[]
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT ARRAY(
		SELECT m.newest FROM pg_catalog.unnest(family) m
		WHERE NOT EXISTS (
			SELECT FROM (
				SELECT (s.period).from_time FROM pg_catalog.unnest(planned) s
				WHERE s.problem IS NULL AND s.parent::oid = (family[1]).relation::oid
				UNION ALL
				SELECT p.from_time FROM pg_catalog.unnest((family[1]).periods) p WHERE NOT p.detach_pending
			) newer(from_time)
			JOIN pg_catalog.unnest(m.periods) own ON own.partition::oid = m.newest::oid AND newer.from_time > own.from_time)
		UNION ALL
		SELECT (family[1]).template);
END;
COMMENT ON FUNCTION uidext_internal.partition_models_to_keep(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[]) IS
	'the partitions that others are to be like, which stay; and NULL for a table without any';

-- All partitions of a period that are removed are one group.  Each new partition is a group of its
-- own, so that a table gets its partition even if a follower cannot get the counterpart.
CREATE FUNCTION uidext_internal.partition_with_group_numbers(steps uidext_internal.partition_step[])
	RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql IMMUTABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	group_number int := 0;
BEGIN
	FOR i IN 1 .. cardinality(steps) LOOP
		IF i = 1 OR partition_is_creation(steps[i].action) OR partition_is_creation(steps[i - 1].action)
			OR NOT partition_same_bounds((steps[i].period).from_id, (steps[i].period).to_id,
				(steps[i - 1].period).from_id, (steps[i - 1].period).to_id)
		THEN
			group_number := group_number + 1;
		END IF;
		steps[i].group_number := group_number;
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_with_group_numbers(uidext_internal.partition_step[]) IS
	'steps in their order with the numbers of their groups';

-- If the newer partition could not be made, a later call will make it, like the newest one.  So the
-- newest one must not be removed now.
CREATE FUNCTION uidext_internal.partition_keep_models(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[]
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	model record;
BEGIN
	FOR model IN
		SELECT s.group_number, s.partition, s.parent
		FROM unnest(steps) s JOIN unnest(family) m ON m.newest = s.partition
		WHERE partition_is_removal(s.action) AND s.problem IS NULL AND NOT EXISTS (
			SELECT FROM unnest(steps) n
			WHERE n.parent = s.parent AND n.action = 'create' AND n.problem IS NULL
				AND (n.period).from_time > (s.period).from_time)
	LOOP
		FOR i IN 1 .. cardinality(steps) LOOP
			IF steps[i].group_number = model.group_number THEN
				steps[i].problem := format('55000: partition %s is the newest of table %s, and no newer one is made',
					model.partition, model.parent);
				steps[i].hint := 'New partitions are made like it, so it stays until there is a newer partition.';
			END IF;
		END LOOP;
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_keep_models(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[]) IS
	'steps of a plan with a problem where the newest partition of a table would go and no newer one is made';

-- The order of a plan: new partitions of the first table, new partitions of its followers, removal
-- of old partitions.  Old partitions are looked at last, because that can take long, and the time for it depends on whether
-- any table gets a new partition.  If a partition that the plan looks into is locked, the plan is made again, so that no
-- look waits longer than the call does.
CREATE FUNCTION uidext_internal.partition_plan(
	family uidext_internal.partitioned_table[], wanted uidext_internal.partition_period[], step interval, tz text,
	deadline timestamptz, older_than timestamptz DEFAULT NULL, removal text DEFAULT NULL, most int DEFAULT NULL
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '100ms'
AS $$
DECLARE
	made partition_step[];
	old partition_period[];
	gone partition_step[];
	leader partitioned_table;
BEGIN
	LOOP
		BEGIN
			made := ARRAY(SELECT s FROM partition_plan_periods(family[1], wanted, step, tz, 'create') s);
			old := ARRAY(SELECT p FROM partition_old_periods(family, older_than, partition_models_to_keep(family, made)) p);
			FOR i IN 2 .. cardinality(family) LOOP
				SELECT m.* INTO leader FROM unnest(family) m WHERE m.relation = (family[i]).leader;
				made := made || ARRAY(SELECT s FROM partition_plan_follow(family[i], leader, made, old) s);
			END LOOP;
			gone := ARRAY(SELECT s FROM partition_plan_removal(family, old, removal, most, deadline,
				EXISTS (SELECT FROM unnest(made) m WHERE m.problem IS NULL)) s);
			RETURN partition_keep_models(family, partition_with_group_numbers(made || gone));
		EXCEPTION WHEN lock_not_available THEN
			IF clock_timestamp() >= deadline THEN
				PERFORM partition_raise_busy(family, SQLERRM);
			END IF;
		END;
		PERFORM pg_sleep(0.05);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_plan(
	uidext_internal.partitioned_table[], uidext_internal.partition_period[], interval, text, timestamptz, timestamptz, text, int) IS
	'the steps for a table and its followers: partitions of the periods that are wanted come, with those of followers, and '
	'what ends at or before a time, if one is passed, goes (drop or detach), up to so many tables; raises 55P03 where a '
	'partition cannot be read until a deadline';
