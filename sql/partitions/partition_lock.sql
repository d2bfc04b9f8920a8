-- Partitions: locks, and for how long others wait

CREATE FUNCTION uidext_internal.partition_check_owner(relation regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	owner name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = relation);
BEGIN
	IF owner IS NULL THEN
		RAISE EXCEPTION 'relation with OID % does not exist', relation::oid USING ERRCODE = 'undefined_table';
	END IF;
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
	'keeps others from changing a table''s partitions, not from reading and writing it; raises 42501 for callers who are not its owner, 42P01';

-- Nobody waits for upkeep.  What locks others out is tried again and again, each
-- time given up whole before anybody has waited for long: sooner than the server
-- would look for a deadlock, and end somebody's statement.

CREATE FUNCTION uidext_internal.partition_deadline() RETURNS timestamptz
	LANGUAGE sql VOLATILE
BEGIN ATOMIC
	SELECT clock_timestamp() + coalesce(nullif(s.setting::int, 0), 10000)::float8 * interval '1 ms' FROM pg_settings s WHERE s.name = 'lock_timeout';
END;
COMMENT ON FUNCTION uidext_internal.partition_deadline() IS
	'until when a call tries to get its locks: as long as lock_timeout says, else 10 seconds';

CREATE FUNCTION uidext_internal.partition_brief() RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM set_config('lock_timeout', greatest(1, least(100, setting::int / 10))::text, true) FROM pg_settings WHERE name = 'deadlock_timeout';
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_brief() IS
	'sets lock_timeout for one attempt, 100 ms or a tenth of deadlock_timeout for each of its locks; the caller''s SET clause ends that';

-- A vacuum of the server's own ends for who has waited as long as deadlock_timeout:
-- not for an attempt, but for this lock, for which nobody else has to wait.  Then
-- none begins, either.  The option is none that a table could have.
CREATE FUNCTION uidext_internal.partition_calm(partitions regclass[]) RETURNS void
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
				IF NOT partition_goes_on(SQLSTATE) THEN
					RAISE;
				END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_calm(regclass[]) IS
	'ends vacuums of partitions and keeps new ones away; does nothing where that takes longer than 3 seconds';

-- What drop and maintain begin with: from now on nobody else changes the
-- partitions, and those that may go are not being vacuumed.
CREATE FUNCTION uidext_internal.partition_begin(parent regclass, layout text, old_until timestamptz, most int, dry_run bool)
	RETURNS uidext_internal.partition_period[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	periods partition_period[];
BEGIN
	IF dry_run THEN
		PERFORM partition_check_owner(parent);
	ELSE
		PERFORM partition_lock(parent);
	END IF;
	periods := ARRAY(SELECT p FROM partition_ranges(parent, layout) p);
	IF NOT dry_run THEN
		PERFORM partition_calm(ARRAY(
			SELECT p.partition FROM unnest(periods) p WHERE p.to_time <= old_until ORDER BY p.from_time, p.to_time LIMIT most));
	END IF;
	RETURN periods;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_begin(regclass, text, timestamptz, int, bool) IS
	'the range partitions of a table, which stay as they are until the transaction ends, and so many of the oldest are calm, unless this is a dry run; raises 2201W for fewer than none, 42501 for callers who are not its owner, 42P01, and as partition_ranges()';

CREATE FUNCTION uidext_internal.partition_again(deadline timestamptz) RETURNS bool
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF clock_timestamp() >= deadline THEN
		RETURN false;
	END IF;
	PERFORM pg_sleep(0.2);
	RETURN true;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_again(timestamptz) IS
	'whether there is time for another attempt, after a pause in which others go first';

-- What concerns one partition must not keep the others; what concerns the
-- server, or whoever stops the call, ends it.
CREATE FUNCTION uidext_internal.partition_goes_on(code text) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN left(code, 2) NOT IN ('53', '57', '58', 'XX') AND code NOT IN ('55P03', '40P01');
COMMENT ON FUNCTION uidext_internal.partition_goes_on(text) IS
	'whether an SQLSTATE concerns one partition: no lack of resources, no stop, no failure of the server, no lock';
