-- Reading in the order of ids

-- [c]
CREATE FUNCTION uidext_internal.uuid_safe_boundary_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'uidext_uuid_safe_boundary_support'
	LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION uidext_internal.uuid_safe_boundary_support(internal) IS
	'for the planner: looks at the open transactions before the statement''s snapshot is taken';

-- [sql]
-- src/time/safe_boundary.c says why a boundary is safe for a snapshot that sees every transaction
-- as ended that was no longer open at the look. As there, there are two looks. One is at the call.
-- The other is from when the statement was planned, before its snapshot was taken: the planner
-- calls a function that is declared IMMUTABLE for this purpose. Because a plan may be kept for a
-- long time, the session keeps its last look, too.

CREATE TYPE uidext_internal.uuid_safe_look AS (
	boundary uuid,
	seen pg_snapshot
);
COMMENT ON TYPE uidext_internal.uuid_safe_look IS
	'a boundary, and a snapshot from right after it was found';
COMMENT ON COLUMN uidext_internal.uuid_safe_look.boundary IS
	'no transaction could add an id below it';
COMMENT ON COLUMN uidext_internal.uuid_safe_look.seen IS
	'snapshot taken after it; NULL in REPEATABLE READ and SERIALIZABLE, where there is no new snapshot';

-- Others that may add rows to this database; not autovacuum, nor replication.
CREATE FUNCTION uidext_internal.uuid_safe_oldest_transaction(OUT started timestamptz, OUT all_reported bool, OUT hidden bool)
	LANGUAGE sql VOLATILE
BEGIN ATOMIC
	SELECT least(now(), min(CASE
			WHEN a.xact_start IS NOT NULL THEN a.xact_start
			WHEN s.is_silent THEN a.backend_start
		END)),
		bool_and(NOT s.is_silent OR a.state = 'disabled'),
		coalesce(bool_or(a.backend_type IS NULL), false)
	FROM pg_catalog.pg_stat_activity a,
		-- in a transaction without a known start: the backend does not report its activity, or did
		-- not when the transaction began, or has not yet
		LATERAL (SELECT a.xact_start IS NULL AND a.state IS DISTINCT FROM 'idle' AND EXISTS (
			SELECT FROM pg_catalog.pg_locks l WHERE l.pid = a.pid AND l.locktype = 'virtualxid' AND l.mode = 'ExclusiveLock'
		)) s(is_silent)
	WHERE a.datid = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())
		AND a.pid <> pg_backend_pid()
		AND (a.backend_type NOT IN ('autovacuum worker', 'walsender', 'slotsync worker') OR a.backend_type IS NULL);
END;
COMMENT ON FUNCTION uidext_internal.uuid_safe_oldest_transaction() IS
	'start of the oldest open transaction of this database, or an earlier time; whether all starts are known, and '
	'whether the caller may not see one';

CREATE FUNCTION uidext_internal.uuid_safe_look() RETURNS uidext_internal.uuid_safe_look
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	oldest record;
	look uidext_internal.uuid_safe_look;
BEGIN
	-- For a moment, a backend is in a transaction whose start it has not reported yet: look again.
	-- A transaction whose start is never reported counts as old as its session.
	FOR attempt IN 1 .. 10 LOOP
		-- otherwise pg_stat_activity would show the same for the whole transaction
		PERFORM pg_stat_clear_snapshot();
		oldest := uidext_internal.uuid_safe_oldest_transaction();
		EXIT WHEN coalesce(oldest.all_reported, true);
	END LOOP;
	IF oldest.hidden OR NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
		RAISE EXCEPTION 'permission denied for the open transactions of others'
			USING ERRCODE = 'insufficient_privilege',
				DETAIL = 'This role may not see when the transactions of other roles began.',
				HINT = format('Run: GRANT pg_read_all_stats TO %I', current_user);
	END IF;

	-- In this order, because a transaction is prepared before its backend leaves it. Nothing says
	-- when a prepared transaction began.
	look.boundary := CASE WHEN EXISTS (SELECT FROM pg_prepared_xacts WHERE database = current_database())
		THEN '00000000-0000-0000-0000-000000000000'
		ELSE @extschema@.uuid_boundary(oldest.started)
	END;
	look.seen := CASE WHEN current_setting('transaction_isolation') LIKE 'read %' THEN pg_current_snapshot() END;
	RETURN look;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_safe_look() IS
	'a look at the open transactions of this database; raises 42501 for a caller who may not see all of them';

CREATE FUNCTION uidext_internal.uuid_safe_planned_look() RETURNS uidext_internal.uuid_safe_look
	LANGUAGE plpgsql IMMUTABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN CASE WHEN NOT pg_is_in_recovery() THEN uidext_internal.uuid_safe_look() END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_safe_planned_look() IS
	'the look of when the statement was planned: IMMUTABLE, so that the planner calls it; NULL on a standby';

-- Transactions that the snapshot takes for running may have failed since, because these leave no
-- rows.
CREATE FUNCTION uidext_internal.uuid_safe_is_current(snapshot pg_snapshot) RETURNS bool
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	transaction xid8 := pg_snapshot_xmax(snapshot);
BEGIN
	IF EXISTS (SELECT FROM pg_snapshot_xip(snapshot) AS x (id) WHERE coalesce(pg_xact_status(x.id), 'committed') = 'committed') THEN
		RETURN false;
	END IF;
	WHILE coalesce(pg_xact_status(transaction), 'committed') <> 'committed' LOOP
		transaction := (transaction::text::numeric + 1)::text::xid8;
	END LOOP;
	RETURN false;
EXCEPTION WHEN invalid_parameter_value THEN
	-- no transaction with a number has committed: the next number is in the future
	RETURN true;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_safe_is_current(pg_snapshot) IS
	'whether no transaction has committed since a snapshot was taken';

-- The look is kept in a setting, which any user can change for the session. Functions that run with
-- the rights of another role must not use it. Its name does not begin with uidext, because such
-- names belong to the library, which the server may have loaded.
CREATE FUNCTION uidext_internal.uuid_safe_remembered_look() RETURNS uidext_internal.uuid_safe_look
	LANGUAGE sql STABLE
	RETURN CASE WHEN current_user = session_user THEN nullif(current_setting('uidext_internal.safe_look', true), '')::uidext_internal.uuid_safe_look END;
COMMENT ON FUNCTION uidext_internal.uuid_safe_remembered_look() IS
	'the last look of the session; NULL when there is none, and for another role than has logged in';

CREATE FUNCTION uidext_internal.uuid_safe_remember(look uidext_internal.uuid_safe_look) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF look.seen IS NOT NULL AND current_user = session_user THEN
		PERFORM set_config('uidext_internal.safe_look', look::text, false);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_safe_remember(uidext_internal.uuid_safe_look) IS
	'keeps a look for the session''s next call';

CREATE FUNCTION uidext_internal.uuid_safe_suits(look uidext_internal.uuid_safe_look, snapshot pg_snapshot) RETURNS bool
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN pg_snapshot_xmax(snapshot) >= pg_snapshot_xmax(look.seen)
		AND NOT EXISTS (SELECT FROM pg_snapshot_xip(snapshot) AS x (id) WHERE pg_visible_in_snapshot(x.id, look.seen));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_safe_suits(uidext_internal.uuid_safe_look, pg_snapshot) IS
	'whether a snapshot sees all that had ended at a look';

CREATE FUNCTION uidext_internal.uuid_safe_boundary(snapshot pg_snapshot, planned uidext_internal.uuid_safe_look) RETURNS uuid
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	remembered uidext_internal.uuid_safe_look;
	look uidext_internal.uuid_safe_look;
	earlier uuid;
BEGIN
	IF pg_is_in_recovery() THEN
		RAISE EXCEPTION 'recovery is in progress'
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'A standby does not know which transactions are open on the primary.',
				HINT = 'Call uuid_safe_boundary() on the primary.';
	END IF;

	remembered := uidext_internal.uuid_safe_remembered_look();
	look := uidext_internal.uuid_safe_look();
	PERFORM uidext_internal.uuid_safe_remember(look);
	IF uidext_internal.uuid_safe_is_current(snapshot) THEN
		RETURN look.boundary;
	END IF;
	earlier := greatest(
		CASE WHEN uidext_internal.uuid_safe_suits(remembered, snapshot) THEN remembered.boundary END,
		CASE WHEN uidext_internal.uuid_safe_suits(planned, snapshot) THEN planned.boundary END);
	IF earlier IS NOT NULL THEN
		-- not later than now, in case the clock was set back since that look
		RETURN least(earlier, look.boundary);
	END IF;
	RAISE EXCEPTION 'the snapshot is too old for uuid_safe_boundary()'
		USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'A transaction has ended since the snapshot of this statement was taken, so this statement would not see its rows.',
			HINT = 'In a READ COMMITTED transaction, call it in a statement of its own, and read the rows in the next statement.';
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_safe_boundary(pg_snapshot, uidext_internal.uuid_safe_look) IS
	'the newest boundary that is safe for a snapshot, of a look now and those of before; raises as uuid_safe_boundary()';

-- [c]
CREATE FUNCTION uuid_safe_boundary() RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_safe_boundary'
	LANGUAGE C VOLATILE PARALLEL UNSAFE
	SUPPORT uidext_internal.uuid_safe_boundary_support;

-- [sql]
-- Inlined, so that the snapshot is that of the statement.
CREATE FUNCTION uuid_safe_boundary() RETURNS uuid
	LANGUAGE sql VOLATILE PARALLEL UNSAFE
	RETURN uidext_internal.uuid_safe_boundary(pg_current_snapshot(), uidext_internal.uuid_safe_planned_look());
-- [both]
COMMENT ON FUNCTION uuid_safe_boundary() IS
	'boundary below which a reader misses no row: no open transaction can add a lower id that this server makes '
	'from its clock; this does not hold for ids of the _at functions, ids with a negative shift, ids that one '
	'transaction made and a later one inserts, or after the clock was set back; nil UUID while a transaction is '
	'prepared; it tells every caller when the oldest open transaction of any role began, but in the SQL edition only '
	'members of pg_read_all_stats (42501); raises 55000 on a standby, and for a snapshot that is '
	'too old';
