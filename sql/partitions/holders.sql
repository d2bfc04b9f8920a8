-- Partitions: who holds a lock
--
-- PostgreSQL's errors do not say it, and pg_locks does.

-- A prepared transaction has no process.
CREATE FUNCTION uidext_internal.partition_described_session(pid int, virtual_transaction text) RETURNS text
	LANGUAGE sql STABLE
	RETURN CASE WHEN pid IS NOT NULL THEN pg_catalog.format('process %s', pid) ELSE coalesce((
		-- it has a lock on its own id; its virtual id is still that of the session that prepared it
		SELECT pg_catalog.format('prepared transaction %L', p.gid)
		FROM pg_locks x JOIN pg_prepared_xacts p ON p.transaction = x.transactionid
		WHERE x.locktype = 'transactionid' AND x.granted AND x.pid IS NULL AND x.virtualtransaction = virtual_transaction
		LIMIT 1), 'a prepared transaction') END;
COMMENT ON FUNCTION uidext_internal.partition_described_session(int, text) IS
	'who has a lock of pg_locks, for a message';

-- A command that changes the catalogs' row of a table waits for one that has changed it and has not ended.  Before 18,
-- GRANT changes that row, or one of a column, and locks no table.  Its transaction is in the row.  One that has a
-- savepoint released since is no longer in pg_locks by that number.
CREATE FUNCTION uidext_internal.partition_lock_holder(tables oid[], modes text[], OUT described text, OUT pid int)
	RETURNS record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	WITH needed AS (
		SELECT n.* FROM ROWS FROM (pg_catalog.unnest(tables), pg_catalog.unnest(modes)) WITH ORDINALITY n(relation, mode, place)
	), held AS MATERIALIZED (
		SELECT l.* FROM pg_locks l WHERE l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
	), holder(described, pid, by_row, place) AS (
		SELECT pg_catalog.format('table %s is in use by %s', l.relation::regclass,
			uidext_internal.partition_described_session(l.pid, l.virtualtransaction)), l.pid, false, n.place
		FROM needed n
			JOIN held l ON l.relation = n.relation AND l.locktype = 'relation'
				AND l.mode ~ CASE n.mode
					WHEN 'ACCESS SHARE' THEN '^AccessExclusiveLock$'
					WHEN 'SHARE UPDATE EXCLUSIVE' THEN '^(ShareUpdate|ShareRow|Access|)ExclusiveLock$|^ShareLock$'
					WHEN 'SHARE ROW EXCLUSIVE' THEN '^(Row|ShareUpdate|ShareRow|Access|)ExclusiveLock$|^ShareLock$'
					-- but not that of a serializable transaction, for which nobody waits
					ELSE '(Share|Exclusive)Lock$' END
		WHERE l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())
		UNION ALL
		SELECT pg_catalog.format('%s has changed table %s, for example by GRANT, and its transaction has not ended',
			uidext_internal.partition_described_session(l.pid, l.virtualtransaction), n.relation::regclass), NULL, true, n.place
		FROM needed n
			CROSS JOIN LATERAL (
				SELECT c.xmax FROM pg_catalog.pg_class c WHERE c.oid = n.relation
				UNION
				SELECT a.xmax FROM pg_catalog.pg_attribute a WHERE a.attrelid = n.relation
			) r(changer)
			JOIN held l ON l.transactionid = r.changer AND l.locktype = 'transactionid'
	)
	SELECT h.described, h.pid FROM holder h ORDER BY h.by_row, h.pid IS NULL, h.place LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_lock_holder(oid[], text[]) IS
	'the first of some tables on which another session, or else a prepared transaction, has a lock that a lock of the mode '
	'beside it would wait for, with who has it, and the process, if it is one; or one that such a transaction has changed in the '
	'catalogs, without the process; NULL for none';

CREATE FUNCTION uidext_internal.partition_busy_obstacle(
	family uidext_internal.partitioned_table[],
	message text DEFAULT 'a table that has rows of this period, or refers to them, is locked'
)
	RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT ROW(coalesce((
			SELECT pg_catalog.format(CASE WHEN l.granted THEN '55P03: table %s is locked by %s' ELSE '55P03: a lock of table %s is waited for by %s' END,
				l.relation::regclass, uidext_internal.partition_described_session(l.pid, l.virtualtransaction))
			FROM pg_locks l
			WHERE l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock' AND l.pid IS DISTINCT FROM pg_backend_pid()
				AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())
				AND l.relation IN (
					SELECT uidext_internal.partition_tree(r.relation::regclass)
					FROM uidext_internal.partition_related(ARRAY(SELECT m.relation FROM pg_catalog.unnest(family) m)) r
					UNION ALL
					SELECT uidext_internal.partition_tree(m.relation) FROM pg_catalog.unnest(family) m)
			ORDER BY l.granted DESC
			LIMIT 1), '55P03: ' || message),
		'The next call tries again.')::uidext_internal.partition_obstacle;
END;
COMMENT ON FUNCTION uidext_internal.partition_busy_obstacle(uidext_internal.partitioned_table[], text) IS
	'which table of a family, or beyond its foreign keys, others keep locked, so that nobody can read it; a message if it is '
	'not found';

CREATE FUNCTION uidext_internal.partition_raise_busy(family uidext_internal.partitioned_table[], message text) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	PERFORM partition_raise((partition_busy_obstacle(family, message)).problem, 'Call it again when that transaction has ended.');
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_raise_busy(uidext_internal.partitioned_table[], text) IS
	'an error 55P03 that names such a table, or has a message if it is not found';
