-- Partitions: locks, and for how long others wait

CREATE FUNCTION uidext_internal.partition_check_exists(relation regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM pg_class WHERE oid = relation) THEN
		RAISE EXCEPTION 'relation with OID % does not exist', relation::oid USING ERRCODE = 'undefined_table';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_exists(regclass) IS 'raises 42P01 for no table';

CREATE FUNCTION uidext_internal.partition_check_owner(relation regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	owner name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = relation);
BEGIN
	PERFORM partition_check_exists(relation);
	IF owner <> current_user THEN
		RAISE EXCEPTION 'must be owner of table %', relation
			USING ERRCODE = 'insufficient_privilege',
				DETAIL = 'What its owner has put into it would run with your rights.',
				HINT = format('Connect as %1$I, or SET ROLE %1$I where you trust it.', owner);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_owner(regclass) IS
	'raises 42501 for callers who are not the owner of a table, superusers too, 42P01 for no table';

-- Of two callers at once the second waits here, and then finds the work of the
-- first.  The command changes nothing and takes SHARE UPDATE EXCLUSIVE; LOCK
-- wants rights that the owner of an append-only table has not.
CREATE FUNCTION uidext_internal.partition_lock(parent regclass) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	PERFORM partition_check_owner(parent);
	EXECUTE format('ALTER TABLE ONLY %s RESET (fillfactor)', parent);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock(regclass) IS
	'keeps others from changing a table''s partitions, not from reading and writing it; raises 42501 for callers who are '
	'not its owner, 42P01';

-- Nobody waits for upkeep.  What locks others out is tried again and again, each
-- time given up whole before anybody has waited for long: sooner than the server
-- would look for a deadlock, and end somebody's statement.

CREATE FUNCTION uidext_internal.partition_deadline() RETURNS timestamptz
	LANGUAGE sql VOLATILE
BEGIN ATOMIC
	SELECT clock_timestamp() + coalesce(nullif(s.setting::int, 0), 10000)::float8 * interval '1 ms'
	FROM pg_settings s
	WHERE s.name = 'lock_timeout';
END;
COMMENT ON FUNCTION uidext_internal.partition_deadline() IS
	'until when a call tries to get its locks: as long as lock_timeout says, else 10 seconds';

CREATE FUNCTION uidext_internal.partition_limit_waits() RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM set_config('lock_timeout', greatest(1, least(100, setting::int / 10))::text, true)
	FROM pg_settings WHERE name = 'deadlock_timeout';
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_limit_waits() IS
	'sets lock_timeout for one attempt, 100 ms or a tenth of deadlock_timeout for each of its locks; the caller''s SET '
	'clause ends that';

CREATE FUNCTION uidext_internal.partition_retry(
	attempt text, job uidext_internal.partition_job, deadline timestamptz DEFAULT uidext_internal.partition_deadline()
) RETURNS SETOF uidext_internal.partition_result
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '200ms'
AS $$
BEGIN
	PERFORM partition_limit_waits();
	LOOP
		BEGIN
			RETURN QUERY EXECUTE format('SELECT * FROM %I($1)', attempt) USING job;
			RETURN;
		EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
			IF clock_timestamp() >= deadline THEN
				RAISE;
			END IF;
		END;
		-- others go first
		PERFORM pg_sleep(0.2);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_retry(text, uidext_internal.partition_job, timestamptz) IS
	'runs an attempt, the name of a function of a job, again and again until it gets its locks, or until a deadline; '
	'55P03 or 40P01 when others keep it waiting; raises what the attempt does, 42883 for no such function';

CREATE FUNCTION uidext_internal.partition_is_local(code text) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN left(code, 2) NOT IN ('53', '57', '58', 'XX') AND code NOT IN ('55P03', '40P01');
COMMENT ON FUNCTION uidext_internal.partition_is_local(text) IS
	'whether an SQLSTATE concerns one partition: no lack of resources, no stop, no failure of the server, no lock';

-- What concerns one partition must not keep the others; what concerns the
-- server, or whoever stops the call, ends it.
CREATE FUNCTION uidext_internal.partition_try(
	task text, job uidext_internal.partition_job, period uidext_internal.partition_period
) RETURNS uidext_internal.partition_result
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	call text := format('SELECT * FROM %I($1, $2)', task);
	result partition_result;
BEGIN
	IF job.tolerant IS NOT TRUE THEN
		EXECUTE call INTO result USING job, period;
		RETURN result;
	END IF;
	BEGIN
		EXECUTE call INTO result USING job, period;
	EXCEPTION WHEN OTHERS THEN
		IF NOT partition_is_local(SQLSTATE) THEN
			RAISE;
		END IF;
		result.problem := SQLSTATE || ': ' || SQLERRM;
	END;
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_try(text, uidext_internal.partition_job, uidext_internal.partition_period) IS
	'does a task, the name of a function of a job and a period, and says what kept it from that if the job is tolerant; '
	'raises what concerns more than a partition, or else all, 42883 for no such function';

-- A vacuum of the server's own ends for who has waited as long as deadlock_timeout:
-- not for an attempt, but for this lock, for which nobody else has to wait.  Then
-- none begins, either.  The option is none that a table could have.
CREATE FUNCTION uidext_internal.partition_end_vacuums(partitions regclass[]) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '3s'
AS $$
DECLARE
	partition regclass;
BEGIN
	FOR partition IN SELECT c.oid FROM pg_class c WHERE c.oid = ANY (partitions) AND c.relkind = 'r' LOOP
		BEGIN
			EXECUTE format('ALTER TABLE %s RESET (uidext)', partition);
		EXCEPTION
			-- the attempt says what is in its way
			WHEN lock_not_available OR deadlock_detected THEN
				NULL;
			WHEN OTHERS THEN
				IF NOT partition_is_local(SQLSTATE) THEN
					RAISE;
				END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_end_vacuums(regclass[]) IS
	'ends vacuums of partitions and keeps new ones away; does nothing where that takes longer than 3 seconds';

