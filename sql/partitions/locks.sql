-- Partitions: locks
--
-- A call locks its tables until it ends, so that nobody else changes their partitions.  Each attempt to run the plan
-- then has two steps:
--
-- 1. It takes SHARE UPDATE EXCLUSIVE on all tables that the commands will lock, because VACUUM or CREATE INDEX
--    CONCURRENTLY may be at work there.  It does not wait for these locks.
-- 2. If rows or partitions leave a table, it takes the locks of the commands before the first command runs.  Their
--    order is: tables to which the family refers, the tables of the family, tables that refer to them, default
--    partitions, other partitions.  Most transactions write in this order, so deadlocks are rare.  The attempt waits
--    for all these locks together no longer than partition_patience().
--
-- If a call only makes partitions, the commands take their locks themselves, and so they do on tables of other owners.

CREATE FUNCTION uidext_internal.partition_deadline(share float8 DEFAULT 1) RETURNS timestamptz
	LANGUAGE sql VOLATILE
BEGIN ATOMIC
	SELECT least(
		clock_timestamp() + share * coalesce(nullif(current_setting('lock_timeout')::interval, '0'), '10 s'),
		-- half of what is left of statement_timeout, so that the call ends before the server cancels it
		clock_timestamp() + share / 2::float8 * (
			statement_timestamp() + nullif(current_setting('statement_timeout')::interval, '0') - clock_timestamp()));
END;
COMMENT ON FUNCTION uidext_internal.partition_deadline(float8) IS
	'until when a call, or a share of it, tries to get its locks: as long as lock_timeout says, else 10 seconds, and no '
	'longer than half of what is left of statement_timeout';

CREATE FUNCTION uidext_internal.partition_patience() RETURNS interval
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT greatest('1 ms', least('100 ms', current_setting('deadlock_timeout')::interval / 10::float8));
END;
COMMENT ON FUNCTION uidext_internal.partition_patience() IS
	'how long one lock is waited for, or all locks that an attempt takes before its commands together: 100 ms, or a tenth of '
	'deadlock_timeout if that is less, so that this session never looks for a deadlock meanwhile';

-- Tries to take the locks again and again, and never waits for one, so that this call cannot be part of a deadlock.
--
-- A foreign key may join these tables with another partitioned table, which another call has locked.  That call may
-- need locks on these tables, too.  Therefore this call first lets the other one end.  It waits for that up to half of
-- the time that is left, and holds no lock on its tables meanwhile.  It need not do so for VACUUM, which does not lock
-- partitioned tables, or for a prepared transaction, which takes no new locks.
CREATE FUNCTION uidext_internal.partition_lock_family(tables regclass[], deadline timestamptz) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	mode CONSTANT text := 'SHARE UPDATE EXCLUSIVE';
	-- at random, so that of two calls one still yields when the other begins to work
	yields_until CONSTANT timestamptz := clock_timestamp() + (deadline - clock_timestamp()) * (0.2 + 0.3 * random());
	related oid[];
	modes text[];
BEGIN
	IF current_setting('transaction_read_only')::bool THEN
		RAISE EXCEPTION 'cannot change partitions in a read-only transaction'
			USING ERRCODE = 'read_only_sql_transaction', HINT = 'Call it on the primary server, in a transaction that may write.';
	END IF;
	LOOP
		related := ARRAY(
			SELECT r.oid FROM partition_related(tables) r(oid) JOIN pg_class c ON c.oid = r.oid AND c.relkind = 'p');
		modes := array_fill(mode, ARRAY[cardinality(related)]);
		BEGIN
			-- Asked before the locks, too: calls that hold them only while they ask would meet each other again and again.
			IF clock_timestamp() >= yields_until OR (partition_lock_holder(related, modes)).pid IS NULL THEN
				PERFORM lock_table(t, mode, '0') FROM unnest(tables) t;
				IF clock_timestamp() >= yields_until OR (partition_lock_holder(related, modes)).pid IS NULL THEN
					RETURN;
				END IF;
				-- gives the locks back
				RAISE SQLSTATE 'UI001';
			END IF;
		EXCEPTION
			WHEN SQLSTATE 'UI001' THEN
			WHEN lock_not_available THEN
				IF clock_timestamp() >= deadline THEN
					RAISE;
				END IF;
		END;
		-- at random, so that two calls do not meet again and again
		PERFORM pg_sleep(0.03 + random() * 0.04);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock_family(regclass[], timestamptz) IS
	'keeps others from changing tables, not from reading and writing them, until the transaction ends; raises 55P03 where '
	'that is not to be had until a deadline, 42501 for callers who are not the owner of all, 42P01, 25006';

CREATE FUNCTION uidext_internal.partition_may_lock(relation oid) RETURNS bool
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT EXISTS (
		SELECT FROM pg_catalog.pg_class c
		WHERE c.oid = relation AND c.relkind <> 'f' AND pg_get_userbyid(c.relowner) = current_user
			-- an old snapshot still shows tables that others have dropped; for these it is NULL
			AND has_table_privilege(c.oid, 'SELECT') IS NOT NULL
-- [sql]
			-- this edition locks by name, and LOCK TABLE takes neither TOAST tables nor sequences
			AND has_schema_privilege(c.relnamespace, 'USAGE') AND c.relkind NOT IN ('t', 'S')
-- [both]
		);
END;
COMMENT ON FUNCTION uidext_internal.partition_may_lock(oid) IS
	'whether lock_table() can lock a table; those of other owners are locked by the commands themselves';

-- Does not wait for a lock that VACUUM or CREATE INDEX CONCURRENTLY holds, so that a deadlock never
-- ends these.
CREATE FUNCTION uidext_internal.partition_lock_at_once(tables oid[], mode text) RETURNS regclass
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	tried oid;
BEGIN
	FOR tried IN SELECT DISTINCT t FROM unnest(tables) t WHERE partition_may_lock(t) LOOP
		PERFORM lock_table(tried, mode, '0');
	END LOOP;
	RETURN NULL;
EXCEPTION WHEN lock_not_available OR undefined_table THEN
	RETURN tried;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock_at_once(oid[], text) IS
	'locks tables of the caller''s, and returns NULL if that was to be had at once; else it locks none, and returns one that '
	'was not to be had';

CREATE FUNCTION uidext_internal.partition_mark_busy(
	steps uidext_internal.partition_step[], busy regclass[], problem text, mode text
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	described regclass;
	description text;
BEGIN
	FOR i IN 1 .. cardinality(busy) LOOP
		CONTINUE WHEN busy[i] IS NULL OR steps[i].problem IS NOT NULL;
		-- most often it is one table for many steps
		IF described IS DISTINCT FROM busy[i] THEN
			described := busy[i];
			description := concat_ws(': ', format(problem, described), (partition_lock_holder(ARRAY[described::oid], ARRAY[mode])).described);
		END IF;
		steps[i].problem := description;
		steps[i].hint := 'The next call tries again.';
	END LOOP;
	RETURN steps;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_mark_busy(uidext_internal.partition_step[], regclass[], text, text) IS
	'steps with a problem where they cannot have their locks: busy has, for each step, the table of its group that was not to '
	'be had in a mode, or NULL; %s in the problem stands for it, and who has it is added';

-- The one list of what the commands of a plan lock, but for what new partitions are made like and for ACCESS SHARE.
-- When rows or partitions leave a table, all of it that keeps others from writing is locked before the commands, in
-- a certain order, so that no command has to wait, and to be undone, when much is done already.
CREATE FUNCTION uidext_internal.partition_needed_locks(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[],
	OUT group_number int, OUT relation oid, OUT mode text, OUT place bigint[]
) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	WITH todo AS (
		SELECT s.*, uidext_internal.partition_is_removal(s.action) AS removes FROM pg_catalog.unnest(steps) s
		WHERE s.action <> 'leave' AND s.problem IS NULL
	), member AS (
		SELECT m.relation::oid AS oid, m.default_partition, m.ordinality FROM pg_catalog.unnest(family) WITH ORDINALITY m
	), whole AS (
		SELECT bool_or(t.action = 'drop') AS drops, bool_or(t.removes) AS removes, bool_or(t.removes OR t.action = 'drain') AS takes_rows FROM todo t
		HAVING pg_catalog.count(*) > 0::bigint
	), related AS (
		SELECT r.* FROM uidext_internal.partition_related(ARRAY(SELECT m.oid::regclass FROM member m)) r(oid, refers)
	)
	-- The tables themselves.  A statement that was planned before a drain could otherwise run after it, and would look
	-- for the rows in the partitions where they were.
	SELECT NULL::int, m.oid, CASE WHEN w.takes_rows THEN 'ACCESS EXCLUSIVE' ELSE 'SHARE UPDATE EXCLUSIVE' END,
		CASE WHEN w.takes_rows THEN ARRAY[1, m.ordinality, 0] END
	FROM member m CROSS JOIN whole w
	UNION ALL
	-- Tables that refer to the family, or to which it refers.  DROP TABLE removes triggers of foreign keys from both.
	-- DETACH PARTITION keeps the foreign keys of the partition, so the tables to which it refers need a weaker lock.
	SELECT NULL, r.oid, CASE WHEN w.drops OR w.removes AND r.refers THEN 'ACCESS EXCLUSIVE' ELSE 'SHARE ROW EXCLUSIVE' END,
		CASE WHEN w.takes_rows THEN ARRAY[CASE WHEN r.refers THEN 2 ELSE 0 END, r.oid::bigint, 0] END
	FROM related r CROSS JOIN whole w
	UNION ALL
	-- Default partitions.  ATTACH PARTITION reads the default partition and all partitions beneath it, to see whether it
	-- has rows of the new partition.  A drain deletes rows there.  If a partition is removed, the default partitions of
	-- the whole family are locked.
	SELECT t.group_number, b.oid, 'ACCESS EXCLUSIVE', CASE WHEN t.action <> 'create' THEN ARRAY[3, m.ordinality, b.n] END
	FROM todo t
		JOIN member m ON t.removes OR m.oid = t.parent::oid
		CROSS JOIN LATERAL uidext_internal.partition_tree(m.default_partition) WITH ORDINALITY b(oid, n)
	WHERE NOT t.removes OR b.oid = m.default_partition::oid
	UNION ALL
	-- partitions to which the foreign keys of new partitions refer
	SELECT t.group_number, b.oid, 'SHARE ROW EXCLUSIVE', NULL
	FROM todo t
		CROSS JOIN LATERAL pg_catalog.unnest(t.foreign_keys) f
		-- for the leader the counterpart is known, so only for a third table its bounds are read
		CROSS JOIN LATERAL (SELECT CASE f.referred::oid
			WHEN t.leader::oid THEN t.counterpart
			WHEN t.parent::oid THEN NULL
			ELSE uidext_internal.partition_of_period(f.referred, t.period) END) k(partition)
		CROSS JOIN LATERAL uidext_internal.partition_tree(k.partition) b(oid)
	WHERE NOT (t.period).is_default
	UNION ALL
	-- Partitions of the family that overlap an old period.  A session may be writing rows of the period to them by their
	-- own names, and such a session has no lock on the partitioned table.  A partition is locked before the partitions
	-- beneath it, as LOCK TABLE does.
	SELECT o.group_number, b.oid, 'ACCESS EXCLUSIVE', ARRAY[4, p.partition::oid::bigint, b.n]
	FROM (SELECT DISTINCT ON (t.group_number) t.group_number, t.period FROM todo t WHERE t.removes) o
		CROSS JOIN LATERAL uidext_internal.partition_overlapping(family, o.period) p
		CROSS JOIN LATERAL uidext_internal.partition_tree(p.partition) WITH ORDINALITY b(oid, n)
	UNION ALL
	-- the partitions that are removed, with all beneath them
	SELECT t.group_number, b.oid, 'ACCESS EXCLUSIVE', ARRAY[5, t.partition::oid::bigint, b.n]
	FROM todo t CROSS JOIN LATERAL uidext_internal.partition_tree(t.partition) WITH ORDINALITY b(oid, n)
	WHERE t.removes
	UNION ALL
	-- DROP TABLE also drops the TOAST table, which VACUUM processes separately, and the sequences that the columns own
	SELECT t.group_number, c.oid, 'ACCESS EXCLUSIVE', ARRAY[5, t.partition::oid::bigint, b.n]
	FROM todo t
		CROSS JOIN LATERAL uidext_internal.partition_tree(t.partition) WITH ORDINALITY b(oid, n)
		JOIN pg_catalog.pg_depend d ON d.refobjid = b.oid AND d.refclassid = 'pg_catalog.pg_class'::regclass::oid
			AND d.classid = d.refclassid AND d.deptype IN ('a', 'i')
		JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relkind IN ('t', 'S')
	WHERE t.action = 'drop'
	UNION ALL
	-- If the partition has a foreign key of its own, DROP TABLE also drops the triggers of this key on the table to which
	-- it refers.
	SELECT t.group_number, b.oid, 'ACCESS EXCLUSIVE', ARRAY[5, c.confrelid::bigint, b.n]
	FROM todo t
		CROSS JOIN LATERAL uidext_internal.partition_tree(t.partition) p(oid)
		JOIN pg_catalog.pg_constraint c ON c.contype = 'f' AND c.conrelid = p.oid AND c.conparentid = 0::oid
		CROSS JOIN LATERAL uidext_internal.partition_tree(c.confrelid::regclass) WITH ORDINALITY b(oid, n)
	WHERE t.action = 'drop';
END;
COMMENT ON FUNCTION uidext_internal.partition_needed_locks(uidext_internal.partitioned_table[], uidext_internal.partition_step[]) IS
	'the locks that the commands of the steps of a plan need: the group of steps that needs the lock, or NULL if all steps do, '
	'the table and the mode; locks with a place are taken before the commands, in the order of places, the commands take the '
	'others; if others use a table whose place begins with 4 or more, only the steps of its group are left out';

-- If a partitioned table has a foreign key, ATTACH PARTITION locks both tables of the key against writers.
-- partition_needed_locks() lists such a lock only for tables outside the family.  For a key between two tables of the
-- family, or from a table to itself, it lists SHARE UPDATE EXCLUSIVE, so such keys are looked for here.
CREATE FUNCTION uidext_internal.partition_makes_unnoticed(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[]
) RETURNS bool
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT NOT EXISTS (
			SELECT FROM uidext_internal.partition_needed_locks(family, steps) l WHERE l.mode <> 'SHARE UPDATE EXCLUSIVE')
		AND NOT EXISTS (
			SELECT FROM pg_catalog.unnest(family) m
				JOIN pg_catalog.pg_constraint c ON c.contype = 'f' AND m.relation::oid IN (c.conrelid, c.confrelid));
END;
COMMENT ON FUNCTION uidext_internal.partition_makes_unnoticed(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[]) IS
	'whether the steps of a plan, which only make partitions, take no lock that keeps others from reading or writing';

CREATE FUNCTION uidext_internal.partition_lock_groups(
	steps uidext_internal.partition_step[], groups int[], tables oid[], mode text
) RETURNS regclass[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	RETURN ARRAY(
		WITH tried AS MATERIALIZED (
			SELECT g.group_number, partition_lock_at_once(g.tables, mode) AS busy
			FROM (
				SELECT n.group_number, array_agg(n.relation) FROM unnest(groups, tables) n(group_number, relation) GROUP BY n.group_number
			) g(group_number, tables)
		)
		SELECT t.busy FROM unnest(steps) WITH ORDINALITY s LEFT JOIN tried t ON t.group_number = s.group_number
		ORDER BY s.ordinality);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock_groups(uidext_internal.partition_step[], int[], oid[], text) IS
	'locks the tables of each group of steps, all of a group or none, because the steps of a group are done together; returns '
	'for each step a table of its group that could not be locked, NULL if all were';

-- The first locks of an attempt, on all tables that the commands lock later.  It does not wait for them.
--
-- uuid_partition_maintain() does what it can.  A partition that should be removed can be left for the next call, so a
-- lock that is missing there becomes the problem of its step.  A partition that is to be made is needed now, and a
-- locked default partition keeps all old partitions from being removed.  For these, the error lets the caller try
-- again.
CREATE FUNCTION uidext_internal.partition_keep_vacuum_out(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[], forgive_creation bool,
	forgive_removal bool
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	mode CONSTANT text := 'SHARE UPDATE EXCLUSIVE';
	problem CONSTANT text := 'table %s is being vacuumed, indexed or altered';
	common oid[];
	groups int[];
	tables oid[];
	busy regclass[];
	awaited regclass;
	-- every step that removes a partition looks for rows in all of these
	defaults CONSTANT regclass[] := ARRAY(SELECT m.default_partition FROM unnest(family) m WHERE m.default_partition IS NOT NULL);
BEGIN
	SELECT array_agg(l.relation) FILTER (WHERE l.group_number IS NULL),
		array_agg(l.group_number) FILTER (WHERE l.group_number IS NOT NULL),
		array_agg(l.relation) FILTER (WHERE l.group_number IS NOT NULL)
	INTO common, groups, tables
	FROM partition_needed_locks(family, steps) l;
	awaited := partition_lock_at_once(common, mode);
	IF awaited IS NULL THEN
		-- if partition_lock_steps() finds a table of a group in use, the locks of the group that are taken here stay
		busy := partition_lock_groups(steps, groups, tables, mode);
		awaited := (SELECT busy[i] FROM generate_subscripts(busy, 1) i
			WHERE busy[i] IS NOT NULL
				AND NOT CASE
					WHEN NOT partition_is_removal(steps[i].action) OR busy[i] = ANY (defaults) THEN forgive_creation
					ELSE forgive_removal END
			LIMIT 1);
	END IF;
	IF awaited IS NOT NULL THEN
		RAISE EXCEPTION '%', concat_ws(': ', format(problem, awaited), (partition_lock_holder(ARRAY[awaited::oid], ARRAY[mode])).described)
			USING ERRCODE = 'lock_not_available', TABLE = awaited, HINT = 'Call it again when that command has ended.';
	END IF;
	RETURN partition_mark_busy(steps, busy, '55P03: ' || problem, mode);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_keep_vacuum_out(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[], bool, bool) IS
	'locks the tables that the steps of a plan need against VACUUM and CREATE INDEX CONCURRENTLY; returns the steps, with a '
	'problem for those whose tables could not be locked; raises 55P03 if all steps need such a table, and if a step needs it that '
	'makes or removes a partition, unless forgive_creation or forgive_removal is true';

CREATE FUNCTION uidext_internal.partition_lock_steps(
	family uidext_internal.partitioned_table[], steps uidext_internal.partition_step[], forgive_removal bool
) RETURNS uidext_internal.partition_step[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	deadline timestamptz;
	wanted record;
	groups int[] := '{}';
	tables oid[] := '{}';
BEGIN
	FOR wanted IN
		SELECT l.* FROM partition_needed_locks(family, steps) l
		WHERE l.place IS NOT NULL AND partition_may_lock(l.relation)
		ORDER BY l.place
	LOOP
		-- a partition that somebody reads by its name must not keep others from being removed
		IF forgive_removal AND wanted.place[1] >= 4 THEN
			groups := groups || wanted.group_number;
			tables := tables || wanted.relation;
		ELSE
			-- counts from the first lock, not from the list
			deadline := coalesce(deadline, clock_timestamp() + partition_patience());
			PERFORM lock_table(wanted.relation, wanted.mode, deadline - clock_timestamp());
		END IF;
	END LOOP;
	RETURN partition_mark_busy(steps, partition_lock_groups(steps, groups, tables, 'ACCESS EXCLUSIVE'), '55P03: others use table %s',
		'ACCESS EXCLUSIVE');
EXCEPTION WHEN lock_not_available THEN
	RAISE EXCEPTION '%', concat_ws(': ', SQLERRM, (partition_lock_holder(ARRAY[wanted.relation], ARRAY[wanted.mode])).described)
		USING ERRCODE = 'lock_not_available', TABLE = wanted.relation::regclass,
			HINT = 'Call it again when the transactions that use the table have ended.';
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock_steps(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[], bool) IS
	'locks what the steps of a plan need if rows or partitions go, and returns the steps: with a problem where what one group '
	'needs is in use, if that shall be forgiven; raises 55P03';
