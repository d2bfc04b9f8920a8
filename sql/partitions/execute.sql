-- Partitions: the executor
--
-- Runs the steps of a plan so that other sessions wait as little as possible.  First it makes the new
-- tables, which others do not see.  Then come attempts: one takes its locks (locks.sql), attaches, moves
-- and removes.  It waits for a lock at most 100 ms, or a tenth of deadlock_timeout if that is less.  If it
-- cannot have one, it gives up its locks, lets others go first, and tries again until a deadline.

CREATE FUNCTION uidext_internal.partition_concerns_one_group(code text) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN left(code, 2) NOT IN ('53', '57', '58', 'XX') AND NOT uidext_internal.partition_is_lock(code);
COMMENT ON FUNCTION uidext_internal.partition_concerns_one_group(text) IS
	'whether an SQLSTATE concerns one partition: no lack of resources, no stop, no failure of the server, no lock';

CREATE FUNCTION uidext_internal.partition_create_one(step uidext_internal.partition_step) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	node record;
	source regclass;
	made regclass[] := '{}';
	names text[] := '{}';
BEGIN
	PERFORM hold_names(ARRAY[step.parent, step.model]);
	FOR node IN SELECT * FROM partition_tree_like(step.model, step.name) LOOP
		source := CASE WHEN node.key IS NULL THEN coalesce(step.template, node.like_table, step.parent) ELSE node.like_table END;
		made := made || partition_make_table(step.schema, node.made_name, source, node.key);
		names := names || node.made_name;
		PERFORM partition_run(ARRAY(
			SELECT partition_storage_commands(made[cardinality(made)], source) WHERE source <> step.parent
			UNION ALL
			SELECT partition_index_mark_commands(made[cardinality(made)], source) WHERE source <> step.parent
			UNION ALL
			SELECT partition_access_commands(made[cardinality(made)], coalesce(step.template, node.like_table))
			UNION ALL
			-- made for the period of the model
			SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', made[cardinality(made)], o.name)
			FROM partition_own_checks(made[cardinality(made)], step.column_name, step.parent) o(name)));
		PERFORM partition_assert(made[cardinality(made)], NOT EXISTS (
			SELECT partition_privileges(coalesce(step.template, node.like_table))
			EXCEPT SELECT partition_privileges(made[cardinality(made)])));
		IF node.above IS NOT NULL THEN
			PERFORM partition_attach(made[array_position(names, node.above)], made[cardinality(made)], node.bound);
		END IF;
	END LOOP;
	RETURN made[1];
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_create_one(uidext_internal.partition_step) IS
	'makes the table of a step, and what is beneath it, ready to be attached; raises as partition_make_table() and '
	'partition_attach(), and 40001 where a role has not got the privileges that it has on the model';

CREATE FUNCTION uidext_internal.partition_find_counterpart(step uidext_internal.partition_step) RETURNS regclass
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	-- the one that was there when the plan was made, or has been made since
	counterpart regclass := coalesce((SELECT inhrelid FROM pg_inherits WHERE inhrelid = step.counterpart AND inhparent = step.leader),
		partition_of_period(step.leader, step.period));
BEGIN
	IF step.leader IS NOT NULL AND counterpart IS NULL THEN
		RAISE EXCEPTION 'leader % has no partition of this period', step.leader
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = format('Remove the problem that is reported for table %s, and call the function again.', step.leader);
	END IF;
	RETURN counterpart;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_find_counterpart(uidext_internal.partition_step) IS
	'the partition of the leader to which the partition of a step belongs; NULL for a table without a leader; raises 55000 '
	'where the leader has none of this period';

-- The commands of steps whose tables have been made.  Errors go to the caller, who decides what they
-- end.
CREATE FUNCTION uidext_internal.partition_run_steps(steps uidext_internal.partition_step[])
	RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	refused_by text;
BEGIN
	FOR i IN 1 .. cardinality(steps) LOOP
		PERFORM hold_names(partition_tables_to_name(steps[i].parent, steps[i].partition)) WHERE partition_is_creation(steps[i].action);
		CASE steps[i].action
			WHEN 'create' THEN
				steps[i].counterpart := partition_find_counterpart(steps[i]);
				IF (steps[i].period).is_default THEN
					PERFORM partition_attach(steps[i].parent, steps[i].partition, 'DEFAULT');
				ELSE
					BEGIN
						PERFORM attach_ids(steps[i].parent, steps[i].partition, (steps[i].period).from_id, (steps[i].period).to_id);
					EXCEPTION WHEN check_violation THEN
						GET STACKED DIAGNOSTICS refused_by = TABLE_NAME;
						IF NOT EXISTS (
							SELECT FROM pg_partitioned_table p CROSS JOIN partition_tree(p.partdefid) b(oid) JOIN pg_class c ON c.oid = b.oid
							WHERE p.partrelid = steps[i].parent AND c.relname = refused_by)
						THEN
							RAISE;
						END IF;
						-- rows have come to the default partition since the plan was made
						RAISE EXCEPTION '%', SQLERRM USING ERRCODE = 'check_violation', HINT = partition_default_hint(steps[i].period);
					END;
				END IF;
				PERFORM partition_add_foreign_keys(steps[i].partition, steps[i].leader, steps[i].counterpart, steps[i].period,
					steps[i].foreign_keys);
			WHEN 'drain' THEN
				steps[i].rows := move_ids(
					(SELECT partdefid FROM pg_partitioned_table WHERE partrelid = steps[i].parent), steps[i].partition,
					steps[i].column_name, (steps[i].period).from_id, (steps[i].period).to_id, steps[i].max_rows);
			WHEN 'drop', 'detach' THEN
				PERFORM partition_remove(steps[i].parent, steps[i].partition, steps[i].action = 'detach');
		END CASE;
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_run_steps(uidext_internal.partition_step[]) IS
	'does some steps, one after the other, and returns them with the rows moved; raises what the commands raise';

-- What an error means for a group.  If it concerns more than that, the caller raises it.
CREATE FUNCTION uidext_internal.partition_blame(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[], code text, message text,
	detail text, hint text, waited_for text, forgive_locks bool
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	holder text;
	unknown text := '';
BEGIN
	message := concat_ws(': ', message, nullif(detail, ''));
	hint := nullif(hint, '');
	code := CASE WHEN code = 'XX000' AND partition_is_lock(code || ': ' || message) THEN '55P03' ELSE code END;
	IF code = '55P03' THEN
		-- A command may need locks on several tables, and PostgreSQL's error names none of them, or without its schema.
		-- pg_locks still shows which one another session has locked.  Errors of locks.sql have said it, and name it in full.
		holder := (
			SELECT h.described
			FROM (
					SELECT array_agg(l.relation ORDER BY l.mode <> 'ACCESS EXCLUSIVE', l.relation, l.mode),
						array_agg(l.mode ORDER BY l.mode <> 'ACCESS EXCLUSIVE', l.relation, l.mode)
					FROM (
							SELECT n.relation, n.mode FROM partition_needed_locks(family, steps) n
							UNION ALL
							-- rows that refer to a partition are looked for in each partition of a referring table
							SELECT b.oid, 'ACCESS SHARE'
							FROM partition_related(ARRAY(SELECT m.relation FROM unnest(family) m)) r
								CROSS JOIN LATERAL partition_tree(r.relation::regclass) b(oid)
						) l
						JOIN pg_class c ON c.oid = l.relation AND waited_for IN ('', c.relname)
				) needed(tables, modes), partition_lock_holder(needed.tables, needed.modes) h);
		message := concat_ws(': ', message, holder);
		-- one that others have changed meanwhile is not in use any more
		IF holder IS NULL AND NOT starts_with(message, 'tuple concurrently ') THEN
			unknown := ' Where no process is named, an open transaction may have changed the table after a savepoint, for example by '
				'GRANT. pg_stat_activity shows open transactions.';
		END IF;
	END IF;
	IF code = '55P03' AND NOT forgive_locks THEN
		RAISE EXCEPTION '%', message USING ERRCODE = 'lock_not_available', TABLE = waited_for,
			HINT = coalesce(hint, 'Call it again when the transactions that use the table have ended.' || unknown);
	ELSIF NOT (partition_concerns_one_group(code) OR forgive_locks AND partition_is_lock(code)) THEN
		RETURN NULL;
	END IF;
	FOR i IN 1 .. cardinality(steps) LOOP
		steps[i].problem := code || ': ' || message;
		steps[i].hint := coalesce(hint, CASE WHEN partition_is_lock(code) THEN 'The next call tries again.' || unknown END);
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_blame(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[], text, text, text, text, text, bool) IS
	'the steps of a group with the error that ended it as their problem; NULL for one that concerns more than the group; '
	'raises 55P03 again, unless locks shall be forgiven, with the table that others have locked';

-- Each step that makes a partition is a group of its own.
CREATE FUNCTION uidext_internal.partition_make_tables(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[], deadline timestamptz
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	failed partition_step[];
	hint text;
	detail text;
	waited_for text;
BEGIN
	FOR i IN 1 .. cardinality(steps) LOOP
		CONTINUE WHEN NOT partition_is_creation(steps[i].action);
		-- a model that is locked is not waited for again
		IF steps[i].problem IS NULL AND partition_is_lock(failed[1].problem)
			AND (failed[1].parent, failed[1].model, failed[1].template) IS NOT DISTINCT FROM (steps[i].parent, steps[i].model, steps[i].template)
		THEN
			steps[i].problem := failed[1].problem;
			steps[i].hint := failed[1].hint;
		END IF;
		WHILE steps[i].problem IS NULL LOOP
			BEGIN
				steps[i].partition := partition_create_one(steps[i]);
				EXIT;
			EXCEPTION WHEN OTHERS OR assert_failure THEN
				IF NOT partition_is_lock(SQLSTATE || ': ' || SQLERRM) OR clock_timestamp() >= deadline THEN
					GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT, detail = PG_EXCEPTION_DETAIL, waited_for = TABLE_NAME;
					failed := partition_blame(family, steps[i:i], SQLSTATE, SQLERRM, detail, hint, waited_for, true);
					IF failed IS NULL THEN
						RAISE;
					END IF;
					steps[i] := failed[1];
					EXIT;
				END IF;
			END;
			PERFORM pg_sleep(0.2);
		END LOOP;
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_make_tables(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[], timestamptz) IS
	'steps whose tables have been made, to be attached later, with a problem where that failed; raises errors that concern '
	'more than one step';

CREATE FUNCTION uidext_internal.partition_group_at(steps uidext_internal.partition_step[], first int)
	RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql IMMUTABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	last int := first;
BEGIN
	WHILE steps[last + 1].group_number = steps[first].group_number LOOP
		last := last + 1;
	END LOOP;
	RETURN steps[first:last];
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_group_at(uidext_internal.partition_step[], int) IS
	'the steps of the group that begins at an index of a plan';

-- Steps that cannot have their locks are left for the next call.
CREATE FUNCTION uidext_internal.partition_postpone(
	steps uidext_internal.partition_step[], problem text, removal bool, parent regclass DEFAULT NULL
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	FOR i IN 1 .. cardinality(steps) LOOP
		IF steps[i].problem IS NULL AND steps[i].action <> 'leave' AND partition_is_removal(steps[i].action) = removal
			AND (parent IS NULL OR steps[i].parent = parent)
		THEN
			steps[i].problem := problem;
			steps[i].hint := 'The next call tries again.';
		END IF;
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_postpone(uidext_internal.partition_step[], text, bool, regclass) IS
	'steps with a problem where there was none: those that remove partitions or those that make some, of one table or of all';

CREATE FUNCTION uidext_internal.partition_drop_unattached(steps uidext_internal.partition_step[], forgive_locks bool) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	step partition_step;
BEGIN
	FOREACH step IN ARRAY coalesce(steps, '{}') LOOP
		CONTINUE WHEN NOT partition_is_creation(step.action) OR step.problem IS NULL OR step.partition IS NULL;
		BEGIN
			EXECUTE format('DROP TABLE %s', step.partition);
		EXCEPTION WHEN OTHERS OR assert_failure THEN
			IF NOT (partition_concerns_one_group(SQLSTATE) OR forgive_locks AND partition_is_lock(SQLSTATE || ': ' || SQLERRM)) THEN
				RAISE;
			END IF;
			IF partition_is_lock(SQLSTATE || ': ' || SQLERRM) THEN
				-- is hardly waited for again
				PERFORM set_config('lock_timeout', '1', true);
			END IF;
			-- an event trigger can forbid it, or want a table that others have locked
			RAISE WARNING 'table % has been made, but not attached, and cannot be dropped', step.partition
				USING DETAIL = format('%s: %s', SQLSTATE, SQLERRM), HINT = 'Drop it by hand before the next call.';
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_drop_unattached(uidext_internal.partition_step[], bool) IS
	'drops the tables that were made for steps that then failed, and warns of those that cannot be dropped; raises errors of '
	'locks unless these are forgiven';

-- When the server's lock table has no room for all locks, this call removes half of the tables, the oldest
-- periods first and at least one, and the next calls remove the rest.  A period for which there is no room when
-- it is alone is reported.  Periods with fewer tables, which were left to make room for it, are then tried again.
CREATE FUNCTION uidext_internal.partition_take_fewer(steps uidext_internal.partition_step[], problem text, hint text)
	RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	removed record;
	room bigint;
	group_number int := 0;
	size bigint;
BEGIN
	SELECT min(s.group_number) AS first, max(s.group_number) AS last, sum(s.tables) AS tables, min(s.action) AS action INTO removed
	FROM unnest(steps) s WHERE partition_is_removal(s.action) AND s.problem IS NULL;
	room := removed.tables / 2;
	FOR i IN 1 .. cardinality(steps) LOOP
		IF removed.first = removed.last THEN
			IF steps[i].group_number = removed.first THEN
				steps[i].problem := problem;
				-- PostgreSQL names the setting if it is locks that have no room; a true lack of memory has no hint
				steps[i].hint := CASE WHEN hint ~ 'max_locks_per_transaction' THEN 'Increase max_locks_per_transaction and restart the server.'
					ELSE coalesce(nullif(hint, ''), 'The server lacks memory. See its log, and call again when it has some.') END;
			ELSIF steps[i].action = 'leave' AND removed.tables
				> (SELECT sum(s.tables) FROM unnest(steps) s WHERE s.group_number = steps[i].group_number)
			THEN
				steps[i].action := removed.action;
			END IF;
			CONTINUE;
		END IF;
		CONTINUE WHEN steps[i].problem IS NOT NULL OR NOT partition_is_removal(steps[i].action);
		IF steps[i].group_number <> group_number THEN
			group_number := steps[i].group_number;
			size := (SELECT sum(s.tables) FROM unnest(steps) s WHERE s.group_number = steps[i].group_number);
			room := room - size;
		END IF;
		IF room < 0 AND group_number > removed.first THEN
			steps[i].action := 'leave';
		END IF;
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_take_fewer(uidext_internal.partition_step[], text, text) IS
	'steps of which half of those that remove something is left, the first ones; where these are of one period, that has the '
	'problem, and those with fewer tables that were left before are back';

-- For calls that promise all or nothing.  It tries again as long as others keep a table
-- locked, until the deadline.
CREATE FUNCTION uidext_internal.partition_execute_all(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[],
	deadline timestamptz
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '100ms'
AS $$
DECLARE
	are_made bool := false;
	hint text;
	waited_for text;
BEGIN
	-- nothing is left for a next call
	PERFORM partition_raise(s.problem, CASE WHEN partition_is_lock(s.problem)
		THEN 'Call it again when the transactions that use the table have ended.' ELSE s.hint END)
	FROM unnest(steps) s;
	PERFORM set_config('lock_timeout', extract(milliseconds FROM partition_patience())::text, true);
	LOOP
		BEGIN
			IF NOT are_made THEN
				FOR i IN 1 .. cardinality(steps) LOOP
					IF partition_is_creation(steps[i].action) THEN
						steps[i].partition := partition_create_one(steps[i]);
					END IF;
				END LOOP;
				are_made := true;
				CONTINUE;
			END IF;
			PERFORM partition_keep_vacuum_out(family, steps, false, false);
			RETURN partition_run_steps(partition_lock_steps(family, steps, false));
		EXCEPTION WHEN lock_not_available OR deadlock_detected OR internal_error THEN
			GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT, waited_for = TABLE_NAME;
			IF clock_timestamp() >= deadline OR NOT partition_is_lock(SQLSTATE || ': ' || SQLERRM) THEN
				PERFORM partition_blame(family, steps, SQLSTATE, SQLERRM, '', hint, waited_for, false);
				RAISE;
			END IF;
		END;
		-- others go first
		PERFORM pg_sleep(0.2);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_execute_all(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[], timestamptz) IS
	'does all steps of a plan, and returns them; raises the problem of a step that cannot be done, and 55P03 or 40P01 when '
	'others keep a table locked until the deadline';

-- What is removed is removed for a time, as nobody uses the tables meanwhile.
CREATE FUNCTION uidext_internal.partition_attempt(
	family uidext_internal.partitioned_table[], INOUT steps uidext_internal.partition_step[], makes int, are_made bool,
	forgive_removal bool, forgive_creation bool, removes_for interval, OUT problem text, OUT hint text, OUT made_for regclass
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	removes CONSTANT bool := EXISTS (SELECT FROM unnest(steps) s WHERE partition_is_removal(s.action) AND s.problem IS NULL);
	steps_of_group partition_step[];
	failed partition_step[];
	obstacle partition_obstacle;
	error_hint text;
	error_detail text;
	waited_for text;
	done int := CASE WHEN are_made THEN makes ELSE 0 END;
	removes_until timestamptz;
	has_removed bool := false;
	is_removal bool;
	is_left bool;
BEGIN
	-- those that were done before have their locks
	steps := steps[:done]
		|| partition_lock_steps(family, partition_keep_vacuum_out(family, steps[done + 1:], forgive_creation, true), forgive_removal);
	removes_until := clock_timestamp() + removes_for;
	WHILE done < cardinality(steps) LOOP
		-- new partitions stand before old ones: one that is not made by now is not made
		IF done = makes THEN
			steps := partition_keep_models(family, steps);
		END IF;
		steps_of_group := partition_group_at(steps, done + 1);
		is_removal := done >= makes;
		is_left := has_removed AND clock_timestamp() >= removes_until AND steps_of_group[1].problem IS NULL;
		IF steps_of_group[1].problem IS NULL AND steps_of_group[1].action <> 'leave' AND NOT is_left THEN
			made_for := CASE WHEN NOT is_removal THEN steps_of_group[1].parent END;
			-- all steps of a group succeed, or none does and each says why
			BEGIN
				-- asked again, because nobody else writes to the tables now; the last step is the leader's, if it has one
				obstacle := CASE
					WHEN is_removal THEN partition_orphan_obstacle(family, steps_of_group[cardinality(steps_of_group)].period)
					WHEN steps_of_group[1].action = 'drain'
					THEN partition_drain_obstacle(family[1], steps_of_group[1].period, steps_of_group[1].max_rows) END;
				PERFORM partition_raise(obstacle.problem, obstacle.hint);
				steps_of_group := partition_run_steps(steps_of_group);
			EXCEPTION WHEN OTHERS OR assert_failure THEN
				GET STACKED DIAGNOSTICS error_hint = PG_EXCEPTION_HINT, error_detail = PG_EXCEPTION_DETAIL, waited_for = TABLE_NAME;
				failed := partition_blame(family, steps_of_group, SQLSTATE, SQLERRM, error_detail, error_hint, waited_for,
					is_removal AND (forgive_removal OR has_removed));
				IF failed IS NULL THEN
					RAISE;
				END IF;
				steps_of_group := failed;
			END;
			has_removed := has_removed OR is_removal AND steps_of_group[1].problem IS NULL;
			IF partition_is_lock(steps_of_group[1].problem) THEN
				-- no lock is waited for as long again
				PERFORM set_config('lock_timeout', '1', true);
			END IF;
		END IF;
		FOR i IN 1 .. cardinality(steps_of_group) LOOP
			done := done + 1;
			steps[done] := steps_of_group[i];
			steps[done].action := CASE WHEN is_left THEN 'leave' ELSE steps[done].action END;
		END LOOP;
	END LOOP;
	IF NOT are_made THEN
		PERFORM partition_drop_unattached(steps, forgive_creation);
	END IF;
EXCEPTION
	WHEN lock_not_available OR deadlock_detected THEN
		problem := SQLSTATE || ': ' || SQLERRM;
	WHEN out_of_memory THEN
		IF NOT removes THEN
			RAISE;
		END IF;
		GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
		problem := SQLSTATE || ': ' || SQLERRM;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_attempt(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[], int, bool, bool, bool, interval) IS
	'tries to do steps, of which the first so many make partitions and may have been done before, and returns them; or undoes '
	'all, and returns the problem: a lock (55P03 or 40P01), with the table whose new partition needed it if that is known, or a '
	'lack of memory of steps that remove something (53200); raises errors that concern more than one group';

-- For calls that do what they can and report the rest.  An attempt that meets a lock is given up
-- whole, so that nobody waits behind it.  From the deadline of removal on it does without what cannot be
-- removed.  If it lacks a lock all the same, it makes the new partitions alone, so that nobody waits for what
-- goes meanwhile, and tries to remove the rest when these are made: once, or until the deadline of removal if that is not
-- over.  From the other deadline on it does without the new partitions of a table that cannot have its locks.
-- Locks last until the transaction ends, and a function cannot commit.  So what is made and what goes are done in one attempt:
-- otherwise others would have to wait for what new partitions lock, such as the default partition, as long as a lock for what
-- goes is missing.  But if what new partitions lock keeps nobody from reading and writing, they are made first and alone: then
-- the table is not locked ACCESS EXCLUSIVE meanwhile, however many they are.
CREATE FUNCTION uidext_internal.partition_execute_possible(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[],
	deadline timestamptz, removal_deadline timestamptz DEFAULT NULL
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '100ms'
AS $$
DECLARE
	-- those that make partitions stand before those that remove some
	makes CONSTANT int := (SELECT count(*) FROM unnest(steps) s WHERE partition_is_creation(s.action));
	-- a second, or if that is more, a tenth of the call's time; removal_deadline is at half of it, and a fifth of this half
	-- is a tenth of the whole
	removes_for CONSTANT interval := greatest('1 s', (deadline - removal_deadline) / 5);
	attempt record;
	forgives bool;
	late bool;
	-- what goes is held back until the new partitions are made
	makes_alone bool;
	are_made bool := false;
	is_last bool := false;
BEGIN
	-- most calls have nothing to do
	IF NOT EXISTS (SELECT FROM unnest(steps) s WHERE s.action <> 'leave' AND s.problem IS NULL) THEN
		RETURN steps;
	END IF;
	PERFORM set_config('lock_timeout', extract(milliseconds FROM partition_patience())::text, true);
	steps := partition_make_tables(family, steps, deadline);
	makes_alone := EXISTS (SELECT FROM unnest(steps) s WHERE partition_is_creation(s.action) AND s.problem IS NULL)
		AND EXISTS (SELECT FROM unnest(steps) s WHERE partition_is_removal(s.action) AND s.problem IS NULL)
		AND partition_makes_unnoticed(family, steps[:makes]);
	LOOP
		forgives := clock_timestamp() >= coalesce(removal_deadline, deadline);
		late := clock_timestamp() >= deadline;
		attempt := partition_attempt(family, CASE WHEN makes_alone AND NOT late THEN steps[:makes] ELSE steps END, makes, are_made,
			forgives, late, removes_for);
		IF attempt.problem IS NULL AND cardinality(attempt.steps) = cardinality(steps) THEN
			RETURN attempt.steps;
		ELSIF attempt.problem IS NULL THEN
			-- what has been held back is tried now
			steps := attempt.steps || steps[makes + 1:];
			are_made := true;
			makes_alone := false;
		ELSIF NOT partition_is_lock(attempt.problem) THEN
			steps := partition_take_fewer(steps, attempt.problem, attempt.hint);
		ELSIF are_made AND forgives THEN
			RETURN partition_postpone(steps, attempt.problem, true);
		ELSIF NOT late THEN
			makes_alone := NOT are_made AND (makes_alone OR forgives);
		ELSE
			-- However late it is, new partitions are tried once without what goes.  If one fails, those of its table are given
			-- up, and then, whichever table it is, those of all.
			steps := partition_postpone(steps, attempt.problem,
				attempt.made_for IS NULL AND EXISTS (SELECT FROM unnest(steps) s WHERE partition_is_removal(s.action) AND s.problem IS NULL),
				CASE WHEN NOT is_last THEN attempt.made_for END);
			is_last := is_last OR attempt.made_for IS NOT NULL;
		END IF;
		-- others go first
		PERFORM pg_sleep(0.2) WHERE NOT are_made OR partition_is_lock(attempt.problem);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_execute_possible(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[], timestamptz, timestamptz) IS
	'does what it can of a plan, and returns its steps with what kept others from being done, which is 55P03 or 40P01 where '
	'other sessions keep tables locked until the deadline; raises errors that concern more than one group';

-- Those of what is left for the next call are not told one by one.
CREATE FUNCTION uidext_internal.partition_report(steps uidext_internal.partition_step[], dry_run bool)
	RETURNS SETOF uidext_internal.partition_step
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	step partition_step;
BEGIN
	FOREACH step IN ARRAY coalesce(steps, '{}') LOOP
		CONTINUE WHEN step.action = 'leave';
		step.action := CASE WHEN step.problem IS NOT NULL THEN 'not ' WHEN dry_run THEN 'to be ' ELSE '' END
			|| CASE step.action WHEN 'drop' THEN 'dropped' WHEN 'detach' THEN 'detached' ELSE 'created' END;
		step.name := format('%s.%I', step.schema, step.name);
		IF step.hint IS NOT NULL THEN
			RAISE WARNING 'partition % is %', step.name, step.action USING DETAIL = step.problem, HINT = step.hint;
		ELSIF step.problem IS NOT NULL THEN
			RAISE WARNING 'partition % is %', step.name, step.action USING DETAIL = step.problem;
		ELSIF NOT dry_run THEN
			RAISE LOG 'partition % of table % is % unless this is rolled back', step.name, step.parent, step.action;
		END IF;
		RETURN NEXT step;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_report(uidext_internal.partition_step[], bool) IS
	'steps of a plan as a call returns them, with what was done, was not, or is to be done, and qualified names; tells the '
	'server''s log what was done, and warns of problems';
