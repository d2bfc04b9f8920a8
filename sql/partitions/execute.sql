-- Partitions: the executor
--
-- Runs the steps of a plan so that other sessions wait as little as possible.  An attempt takes
-- its locks in the same order as a query does, the parent first, and waits for each lock at most a
-- tenth of deadlock_timeout.  If it cannot have a lock, it releases all of them, lets others go
-- first, and tries again until a deadline.

CREATE FUNCTION uidext_internal.partition_deadline(share float8 DEFAULT 1) RETURNS timestamptz
	LANGUAGE sql VOLATILE
BEGIN ATOMIC
	SELECT least(
		clock_timestamp() + share * coalesce(nullif(l.setting::int, 0), 10000)::float8 * interval '1 ms',
		-- half of statement_timeout, so that the call ends before the server cancels it
		statement_timestamp() + share / 2::float8 * nullif(s.setting::int, 0)::float8 * interval '1 ms')
	FROM pg_settings l, pg_settings s
	WHERE l.name = 'lock_timeout' AND s.name = 'statement_timeout';
END;
COMMENT ON FUNCTION uidext_internal.partition_deadline(float8) IS
	'until when a call, or a share of it, tries to get its locks: as long as lock_timeout says, else 10 seconds, and no '
	'longer than half of statement_timeout';

CREATE FUNCTION uidext_internal.partition_wait() RETURNS interval
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT greatest(1, least(100, s.setting::int / 10))::float8 * interval '1 ms'
	FROM pg_settings s WHERE s.name = 'deadlock_timeout';
END;
COMMENT ON FUNCTION uidext_internal.partition_wait() IS
	'how long one lock is waited for: 100 ms, or a tenth of deadlock_timeout if that is less, so that the server never '
	'looks for a deadlock meanwhile';

-- With this lock nobody else changes the partitions until the transaction ends.  If two sessions
-- call at once, the second waits here and then sees what the first has done.  It asks again and
-- again instead of waiting for the lock, so that it can never be part of a deadlock.
CREATE FUNCTION uidext_internal.partition_lock(tables regclass[], mode text, deadline timestamptz) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	LOOP
		BEGIN
			PERFORM lock_table(t, mode, '0') FROM unnest(tables) t;
			RETURN;
		EXCEPTION WHEN lock_not_available THEN
			IF clock_timestamp() >= deadline THEN
				RAISE;
			END IF;
		END;
		PERFORM pg_sleep(0.05);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock(regclass[], text, timestamptz) IS
	'locks tables until the transaction ends; raises 55P03 where that is not to be had until a deadline, 42501 for callers '
	'who are not the owner of all, 42P01';

CREATE FUNCTION uidext_internal.partition_looked_into(partition regclass) RETURNS regclass[]
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT ARRAY(
		SELECT b.oid::regclass FROM uidext_internal.partition_beneath(partition) b(oid)
		WHERE uidext_internal.partition_sight(partition) = 'all');
END;
COMMENT ON FUNCTION uidext_internal.partition_looked_into(regclass) IS
	'a partition and what is beneath it, if the caller sees all rows of it; else nothing';

CREATE FUNCTION uidext_internal.partition_is_local(code text) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN left(code, 2) NOT IN ('53', '57', '58', 'XX') AND code NOT IN ('55P03', '40P01');
COMMENT ON FUNCTION uidext_internal.partition_is_local(text) IS
	'whether an SQLSTATE concerns one partition: no lack of resources, no stop, no failure of the server, no lock';

-- Does not wait for a lock that VACUUM or CREATE INDEX CONCURRENTLY holds, so that a deadlock never
-- ends these.
CREATE FUNCTION uidext_internal.partition_lock_quietly(tables oid[], mode text) RETURNS bool
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	-- tables of other owners are locked by the commands themselves
	PERFORM lock_table(c.oid, mode, '0')
	FROM pg_class c WHERE c.oid = ANY (tables) AND c.relkind <> 'f' AND pg_get_userbyid(c.relowner) = current_user;
	RETURN true;
EXCEPTION WHEN lock_not_available THEN
	RETURN false;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock_quietly(oid[], text) IS
	'locks tables of the caller''s, and says whether that was to be had at once; else none is locked';

-- Commands also lock the tables that foreign keys join with the family.
CREATE FUNCTION uidext_internal.partition_related(family uidext_internal.partitioned_table[]) RETURNS SETOF oid
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT DISTINCT b.oid
	FROM pg_catalog.unnest(family) m
		JOIN pg_catalog.pg_constraint c ON c.contype = 'f' AND m.relation::oid IN (c.conrelid, c.confrelid)
		CROSS JOIN LATERAL (VALUES (c.conrelid), (c.confrelid)) r(oid)
		CROSS JOIN LATERAL uidext_internal.partition_beneath(r.oid::regclass) b(oid)
		JOIN pg_catalog.pg_class t ON t.oid = b.oid AND t.relkind IN ('r', 'p')
	WHERE r.oid <> ALL (SELECT f.relation::oid FROM pg_catalog.unnest(family) f);
END;
COMMENT ON FUNCTION uidext_internal.partition_related(uidext_internal.partitioned_table[]) IS
	'the tables, and what is beneath them, that foreign keys join with some tables';

CREATE FUNCTION uidext_internal.partition_mark_busy(
	steps uidext_internal.partition_step[], busy regclass[], problem text
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql IMMUTABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	first record;
BEGIN
	FOR first IN
		SELECT DISTINCT ON (s.place) s.place, s.partition FROM unnest(steps) s WHERE s.partition = ANY (busy)
	LOOP
		FOR i IN 1 .. cardinality(steps) LOOP
			CONTINUE WHEN steps[i].place <> first.place;
			steps[i].problem := format(problem, first.partition);
			steps[i].hint := 'The next call tries again.';
		END LOOP;
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_mark_busy(uidext_internal.partition_step[], regclass[], text) IS
	'steps with a problem, in which %s stands for the partition, in the groups that cannot have their locks';

-- A command may need locks on several tables, and PostgreSQL's error names none of them.  When it
-- has failed, pg_locks still shows which table another session has locked.
CREATE FUNCTION uidext_internal.partition_lock_message(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[], message text, waited_for text
) RETURNS text
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT message || coalesce((
		SELECT pg_catalog.format(': table %s is in use by process %s', l.relation::regclass, l.pid)
		FROM (
			-- commands that make a partition lock the parent so that others can read and write
			SELECT m.relation::oid, EXISTS (SELECT FROM pg_catalog.unnest(steps) s WHERE s.action <> 'create')
			FROM pg_catalog.unnest(family) m
			UNION ALL
			SELECT b.oid, true
			FROM pg_catalog.unnest(family) m CROSS JOIN LATERAL uidext_internal.partition_beneath(m.default_partition) b(oid)
			UNION ALL
			SELECT b.oid, true
			FROM pg_catalog.unnest(steps) s CROSS JOIN LATERAL uidext_internal.partition_beneath(s.partition) b(oid)
			UNION ALL
			SELECT r.oid, EXISTS (SELECT FROM pg_catalog.unnest(steps) s WHERE s.action IN ('drop', 'detach'))
			FROM uidext_internal.partition_related(family) r(oid)
			UNION ALL
			SELECT s.counterpart::oid, false FROM pg_catalog.unnest(steps) s
		) needed(relation, alone)
			JOIN pg_locks l ON l.relation = needed.relation AND l.locktype = 'relation' AND l.granted
				AND l.pid <> pg_backend_pid() AND (needed.alone OR l.mode NOT IN ('AccessShareLock', 'RowShareLock'))
		WHERE l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())
		ORDER BY needed.alone DESC
		LIMIT 1), '')
	WHERE waited_for = ''
	UNION ALL
	SELECT message WHERE waited_for <> '';
END;
COMMENT ON FUNCTION uidext_internal.partition_lock_message(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[], text, text) IS
	'the message of an error 55P03, with the table that others have locked, unless the error has named one';

-- Takes all locks before the first step, the parent's before its followers'.  When partitions are
-- removed or rows moved, the parent is locked against all others: a statement that was planned
-- before could otherwise look for rows where they no longer are.
CREATE FUNCTION uidext_internal.partition_lock_steps(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[], forgive bool
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	busy regclass[] := ARRAY(
		SELECT s.partition FROM unnest(steps) s
		WHERE s.action IN ('drop', 'detach') AND s.problem IS NULL
			AND NOT partition_lock_quietly(ARRAY(SELECT partition_beneath(s.partition)), 'SHARE UPDATE EXCLUSIVE'));
BEGIN
	IF EXISTS (SELECT FROM unnest(steps) s WHERE s.action <> 'leave' AND s.problem IS NULL)
		AND NOT partition_lock_quietly(ARRAY(
			SELECT m.default_partition::oid FROM unnest(family) m UNION ALL SELECT partition_related(family)),
			'SHARE UPDATE EXCLUSIVE')
	THEN
		RAISE EXCEPTION '%', partition_lock_message(family, steps, format('a default partition of table %s, or a table that a '
				'foreign key joins with it, is being vacuumed, indexed or altered', (family[1]).relation), '')
			USING ERRCODE = 'lock_not_available', TABLE = (family[1]).relation, HINT = 'Call it again when that command has ended.';
	END IF;
	steps := partition_mark_busy(steps, busy, '55P03: partition %s is being vacuumed, indexed or altered');
	PERFORM lock_table(l.relation, 'ACCESS EXCLUSIVE', partition_wait())
	FROM (
		SELECT 0, m.ordinality, m.relation FROM unnest(family) WITH ORDINALITY m
		UNION
		SELECT 1, d.n, d.oid::regclass
		FROM partition_beneath((family[1]).default_partition) WITH ORDINALITY d(oid, n)
		WHERE EXISTS (SELECT FROM unnest(steps) s WHERE s.action = 'drain' AND s.problem IS NULL)
		UNION
		-- A session that writes to a partition by its name holds no lock on the parent.  Tables of other
		-- owners cannot be locked here.
		SELECT 1, 0, part
		FROM unnest(steps) s, partition_beside(family[2:], s.period) b, partition_beneath(b.partition) part
			JOIN pg_class c ON c.oid = part
		WHERE s.action IN ('drop', 'detach') AND s.problem IS NULL AND s.parent = (family[1]).relation
			AND pg_get_userbyid(c.relowner) = current_user AND c.relkind <> 'f'
		ORDER BY 1, 2
	) l(place, n, relation)
	WHERE EXISTS (SELECT FROM unnest(steps) s WHERE s.action IN ('drop', 'detach', 'drain') AND s.problem IS NULL);
	-- a partition that somebody reads by its name must not keep others from being removed
	busy := ARRAY(
		SELECT s.partition FROM unnest(steps) s
		WHERE forgive AND s.action IN ('drop', 'detach') AND s.problem IS NULL
			AND NOT partition_lock_quietly(ARRAY(SELECT partition_beneath(s.partition)), 'ACCESS EXCLUSIVE'));
	RETURN partition_mark_busy(steps, busy, '55P03: others use partition %s');
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock_steps(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[], bool) IS
	'locks the tables of a plan as its steps need it, and returns these: with a problem where a partition that shall go is '
	'being vacuumed, or, if that shall be forgiven, in use; raises 55P03';

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
	FOR node IN SELECT * FROM partition_tree_like(step.model, step.name) LOOP
		source := CASE WHEN node.key IS NULL THEN coalesce(step.template, node.like_table, step.parent) ELSE node.like_table END;
		made := made || partition_make_table(step.schema, node.made_name, source, node.key);
		names := names || node.made_name;
		PERFORM partition_run(ARRAY(
			SELECT partition_storage_commands(made[cardinality(made)], source) WHERE source <> step.parent AND node.key IS NULL
			UNION ALL
			SELECT partition_twin_commands(made[cardinality(made)], source) WHERE source <> step.parent
			UNION ALL
			SELECT partition_access_commands(made[cardinality(made)], coalesce(step.template, node.like_table))));
		IF node.above IS NOT NULL THEN
			PERFORM partition_attach(made[array_position(names, node.above)], made[cardinality(made)], node.bound);
		END IF;
	END LOOP;
	-- a CHECK of the key that the newest partition has holds for that one's period only
	PERFORM partition_run(ARRAY(
		SELECT partition_check_commands(b::regclass, step.column_name, step.parent)
		FROM partition_beneath(made[1]) b WHERE step.template IS NULL));
	RETURN made[1];
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_create_one(uidext_internal.partition_step) IS
	'makes the table of a step, and what is beneath it, ready to be attached; raises as partition_make_table() and '
	'partition_attach()';

CREATE FUNCTION uidext_internal.partition_counterpart(step uidext_internal.partition_step) RETURNS regclass
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	-- the one that was there when the plan was made, or has been made since
	counterpart regclass := coalesce((SELECT inhrelid FROM pg_inherits WHERE inhrelid = step.counterpart AND inhparent = step.leader),
		partition_with_bounds(step.leader, (step.period).from_id, (step.period).to_id, (step.period).is_default));
BEGIN
	IF step.leader IS NOT NULL AND counterpart IS NULL THEN
		RAISE EXCEPTION 'table % has no partition of this period, to which this one would belong', step.leader
			USING ERRCODE = 'object_not_in_prerequisite_state';
	END IF;
	RETURN counterpart;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_counterpart(uidext_internal.partition_step) IS
	'the partition of the leader to which the partition of a step belongs; NULL for a table without a leader; raises 55000 '
	'where the leader has none of this period';

-- The commands of some steps.  Errors go to the caller, who decides what they end.
CREATE FUNCTION uidext_internal.partition_run_steps(steps uidext_internal.partition_step[])
	RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	FOR i IN 1 .. cardinality(steps) LOOP
		CASE steps[i].action
			WHEN 'create' THEN
				steps[i].partition := partition_create_one(steps[i]);
				steps[i].counterpart := partition_counterpart(steps[i]);
				IF (steps[i].period).is_default THEN
					PERFORM partition_attach(steps[i].parent, steps[i].partition, 'DEFAULT');
				ELSE
					PERFORM attach_ids(steps[i].parent, steps[i].partition, (steps[i].period).from_id, (steps[i].period).to_id);
				END IF;
				PERFORM partition_refer(steps[i].partition, steps[i].leader, steps[i].counterpart, steps[i].period,
					steps[i].foreign_keys);
			WHEN 'drain' THEN
				steps[i].partition := partition_create_one(steps[i]);
				steps[i].rows := move_ids(
					(SELECT partdefid FROM pg_partitioned_table WHERE partrelid = steps[i].parent), steps[i].partition,
					steps[i].column_name, (steps[i].period).from_id, (steps[i].period).to_id, steps[i].rows);
			ELSE
				PERFORM partition_remove(steps[i].parent, steps[i].partition, steps[i].action = 'detach');
		END CASE;
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_run_steps(uidext_internal.partition_step[]) IS
	'does some steps, one after the other, and returns them with the partitions made and the rows moved; raises what the '
	'commands raise';

-- All steps of a group succeed, or none does and each says why.
CREATE FUNCTION uidext_internal.partition_run_group(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[], forgive_locks bool
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	-- asked again, because nobody else writes to the tables now
	obstacle partition_obstacle := CASE
		WHEN steps[1].action IN ('drop', 'detach') THEN partition_left_obstacle(family[2:], steps[1].period)
		WHEN steps[1].action = 'drain' THEN partition_drain_obstacle(family[1], steps[1].period, steps[1].rows::int) END;
	detail text;
	waited_for text;
BEGIN
	PERFORM partition_raise(obstacle.problem, obstacle.hint);
	RETURN partition_run_steps(steps);
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS obstacle.hint = PG_EXCEPTION_HINT, detail = PG_EXCEPTION_DETAIL, waited_for = TABLE_NAME;
	obstacle.problem := CASE SQLSTATE WHEN '55P03' THEN partition_lock_message(family, steps, SQLERRM, waited_for)
		ELSE concat_ws(': ', SQLERRM, nullif(detail, '')) END;
	IF SQLSTATE = '55P03' AND NOT forgive_locks THEN
		RAISE EXCEPTION '%', obstacle.problem USING ERRCODE = 'lock_not_available', TABLE = waited_for,
			HINT = coalesce(nullif(obstacle.hint, ''), 'Call it again when the transactions that use the table have ended.');
	ELSIF NOT (partition_is_local(SQLSTATE) OR forgive_locks AND SQLSTATE IN ('55P03', '40P01')) THEN
		RAISE;
	END IF;
	FOR i IN 1 .. cardinality(steps) LOOP
		steps[i].problem := SQLSTATE || ': ' || obstacle.problem;
		steps[i].hint := coalesce(nullif(obstacle.hint, ''),
			CASE WHEN SQLSTATE IN ('55P03', '40P01') THEN 'The next call tries again.' END);
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_run_group(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[], bool) IS
	'does all steps of a group, or none and says why; raises errors that concern more than this group, and those of locks '
	'unless they shall be forgiven';

CREATE FUNCTION uidext_internal.partition_group_at(steps uidext_internal.partition_step[], first int)
	RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql IMMUTABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	last int := first;
BEGIN
	WHILE steps[last + 1].place = steps[first].place LOOP
		last := last + 1;
	END LOOP;
	RETURN steps[first:last];
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_group_at(uidext_internal.partition_step[], int) IS
	'the steps of the group that begins at a place of a plan';

-- Steps that cannot have their locks are left for the next call.
CREATE FUNCTION uidext_internal.partition_postpone(
	steps uidext_internal.partition_step[], problem text, removal_only bool
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	FOR i IN 1 .. cardinality(steps) LOOP
		IF steps[i].problem IS NULL AND (steps[i].action IN ('drop', 'detach') OR NOT removal_only) THEN
			steps[i].problem := problem;
			steps[i].hint := 'The next call tries again.';
		END IF;
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_postpone(uidext_internal.partition_step[], text, bool) IS
	'steps with a problem where there was none, those that remove something, or all';

-- When the server's lock table has no room for all locks, this call removes half of the
-- partitions, and the next calls remove the rest.  One period that has more than half of them is
-- reported, and does not keep others from being removed.
CREATE FUNCTION uidext_internal.partition_take_fewer(steps uidext_internal.partition_step[], problem text)
	RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	half CONSTANT bigint := (
		SELECT sum(s.tables) / 2 FROM unnest(steps) s WHERE s.action IN ('drop', 'detach') AND s.problem IS NULL);
	room bigint := half;
	place int := 0;
	size bigint;
BEGIN
	FOR i IN 1 .. cardinality(steps) LOOP
		CONTINUE WHEN steps[i].problem IS NOT NULL OR steps[i].action NOT IN ('drop', 'detach');
		IF steps[i].place <> place THEN
			place := steps[i].place;
			size := (SELECT sum(s.tables) FROM unnest(steps) s WHERE s.place = steps[i].place);
			room := room - CASE WHEN size <= half THEN size ELSE 0 END;
		END IF;
		IF size > half THEN
			steps[i].problem := problem;
			steps[i].hint := 'Increase max_locks_per_transaction and restart the server.';
		ELSIF room < 0 THEN
			steps[i].action := 'leave';
		END IF;
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_take_fewer(uidext_internal.partition_step[], text) IS
	'steps of which half of those that remove something is left, the first ones; with a problem where one period is more';

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
	hint text;
	waited_for text;
BEGIN
	PERFORM partition_raise(s.problem, s.hint) FROM unnest(steps) s;
	PERFORM set_config('lock_timeout', extract(milliseconds FROM partition_wait())::text, true);
	LOOP
		BEGIN
			PERFORM partition_raise(s.problem, s.hint) FROM unnest(partition_lock_steps(family, steps, false)) s;
			RETURN partition_run_steps(steps);
		EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
			GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT, waited_for = TABLE_NAME;
			IF clock_timestamp() < deadline THEN
				NULL;
			ELSIF SQLSTATE = '40P01' THEN
				RAISE;
			ELSE
				RAISE EXCEPTION '%', partition_lock_message(family, steps, SQLERRM, waited_for)
					USING ERRCODE = 'lock_not_available', TABLE = waited_for,
						HINT = coalesce(nullif(hint, ''), 'Call it again when the transactions that use the table have ended.');
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

-- For calls that do what they can and report the rest.  An attempt that meets a lock is given up
-- whole, so that nobody waits behind it.  From the first deadline on it does without what cannot be
-- removed, from the second on without anything that cannot have its locks.
CREATE FUNCTION uidext_internal.partition_execute(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[],
	removal_deadline timestamptz, deadline timestamptz
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '100ms'
AS $$
DECLARE
	todo partition_step[];
	steps_of_group partition_step[];
	done int;
	forgives bool;
	late bool;
	removes bool;
	given_up text;
BEGIN
	PERFORM set_config('lock_timeout', extract(milliseconds FROM partition_wait())::text, true);
	LOOP
		BEGIN
			forgives := clock_timestamp() >= removal_deadline;
			todo := partition_lock_steps(family, steps, forgives);
			done := 0;
			given_up := NULL;
			WHILE done < cardinality(todo) LOOP
				-- new partitions stand before old ones: one that is not made by now is not made
				IF todo[done + 1].action IN ('drop', 'detach')
					AND (done = 0 OR todo[done].action NOT IN ('drop', 'detach'))
				THEN
					todo := partition_keep_models(family, todo);
				END IF;
				steps_of_group := partition_group_at(todo, done + 1);
				IF given_up IS NOT NULL THEN
					-- others have waited for the locks of this attempt: no more of it
					steps_of_group := partition_postpone(steps_of_group, given_up, false);
				ELSIF steps_of_group[1].problem IS NULL AND steps_of_group[1].action <> 'leave' THEN
					steps_of_group := partition_run_group(family, steps_of_group, clock_timestamp() >= deadline);
					given_up := substring(steps_of_group[1].problem FROM '^(?:55P03|40P01).*');
				END IF;
				FOR i IN 1 .. cardinality(steps_of_group) LOOP
					done := done + 1;
					todo[done] := steps_of_group[i];
				END LOOP;
			END LOOP;
			RETURN todo;
		EXCEPTION
			WHEN lock_not_available OR deadlock_detected THEN
				late := clock_timestamp() >= deadline;
				removes := EXISTS (SELECT FROM unnest(steps) s WHERE s.action IN ('drop', 'detach') AND s.problem IS NULL);
				IF forgives AND (removes OR late) THEN
					-- however late it is, new partitions are tried once without what goes
					steps := partition_postpone(steps, SQLSTATE || ': ' || SQLERRM, removes);
				END IF;
			WHEN out_of_memory THEN
				IF NOT EXISTS (SELECT FROM unnest(steps) s WHERE s.action IN ('drop', 'detach') AND s.problem IS NULL) THEN
					RAISE;
				END IF;
				steps := partition_take_fewer(steps, SQLSTATE || ': ' || SQLERRM);
		END;
		-- others go first
		PERFORM pg_sleep(0.2);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_execute(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[], timestamptz, timestamptz) IS
	'does what it can of a plan, and returns its steps with what kept others from being done; raises errors that concern '
	'more than one group, and 55P03 or 40P01 when others keep the tables locked until the deadline';

-- Reads a table for a plan.  A plan looks into the default partition: so that this waits no longer
-- than the call may, and in no queue, the default partition is locked beforehand.
CREATE FUNCTION uidext_internal.partition_begin(
	parent regclass, template regclass, dry_run bool, deadline timestamptz DEFAULT uidext_internal.partition_deadline()
) RETURNS uidext_internal.partitioned_table
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	result partitioned_table;
BEGIN
	IF dry_run THEN
		PERFORM partition_check_owner(parent);
	ELSE
		PERFORM partition_lock(ARRAY[parent], 'SHARE UPDATE EXCLUSIVE', deadline);
	END IF;
	result := partition_by_time(partition_read(parent));
	PERFORM partition_lock(partition_looked_into(result.default_partition), 'ACCESS SHARE', deadline);
	PERFORM partition_check_template(parent, template);
	result.template := template;
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_begin(regclass, regclass, bool, timestamptz) IS
	'a table as it is read for a plan, which others do not change until the transaction ends, unless this is a dry run; '
	'raises as partition_read(), partition_by_time(), partition_check_owner(), partition_check_template() and '
	'partition_lock()';

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
