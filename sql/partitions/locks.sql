-- Partitions: the locks of a plan's steps
--
-- Taken before the first step, in one attempt: SHARE UPDATE EXCLUSIVE on what may be vacuumed or
-- indexed, at once or not at all; then, if rows or partitions leave the table, ACCESS EXCLUSIVE on
-- the tables in the order in which queries lock them, the parent first.  Commands take the other
-- locks: ACCESS EXCLUSIVE on a default partition and on a partition that goes, SHARE ROW EXCLUSIVE
-- on tables that a foreign key joins.

-- Does not wait for a lock that VACUUM or CREATE INDEX CONCURRENTLY holds, so that a deadlock never
-- ends these.
CREATE FUNCTION uidext_internal.partition_lock_at_once(tables oid[], mode text) RETURNS bool
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	-- tables of other owners are locked by the commands themselves
	PERFORM lock_table(c.oid, mode, '0')
	FROM pg_class c
	WHERE c.oid = ANY (tables) AND c.relkind <> 'f' AND pg_get_userbyid(c.relowner) = current_user
		-- an old snapshot still shows tables that others have dropped; for these it is NULL
		AND has_table_privilege(c.oid, 'SELECT') IS NOT NULL;
	RETURN true;
EXCEPTION WHEN lock_not_available OR undefined_table THEN
	RETURN false;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock_at_once(oid[], text) IS
	'locks tables of the caller''s, and says whether that was to be had at once; else none is locked';

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

-- When partitions are removed or rows moved, the parent is locked against all others: a statement
-- that was planned before could otherwise look for rows where they no longer are.
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
			AND NOT partition_lock_at_once(ARRAY(SELECT partition_beneath(s.partition)), 'SHARE UPDATE EXCLUSIVE'));
BEGIN
	IF EXISTS (SELECT FROM unnest(steps) s WHERE s.action <> 'leave' AND s.problem IS NULL)
		AND NOT partition_lock_at_once(ARRAY(
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
		FROM (
				SELECT DISTINCT ON (s.place) s.period FROM unnest(steps) s WHERE s.action IN ('drop', 'detach') AND s.problem IS NULL
			) s, partition_beside(family, s.period) b, partition_beneath(b.partition) part
			JOIN pg_class c ON c.oid = part
		WHERE c.relkind <> 'f'
			AND pg_get_userbyid(c.relowner) = current_user
		ORDER BY 1, 2
	) l(place, n, relation)
	WHERE EXISTS (SELECT FROM unnest(steps) s WHERE s.action IN ('drop', 'detach', 'drain') AND s.problem IS NULL);
	-- a partition that somebody reads by its name must not keep others from being removed
	busy := ARRAY(
		SELECT s.partition FROM unnest(steps) s
		WHERE forgive AND s.action IN ('drop', 'detach') AND s.problem IS NULL
			AND NOT partition_lock_at_once(ARRAY(SELECT partition_beneath(s.partition)), 'ACCESS EXCLUSIVE'));
	RETURN partition_mark_busy(steps, busy, '55P03: others use partition %s');
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock_steps(
	uidext_internal.partitioned_table[], uidext_internal.partition_step[], bool) IS
	'locks the tables of a plan as its steps need it, and returns these: with a problem where a partition that shall go is '
	'being vacuumed, or, if that shall be forgiven, in use; raises 55P03';
