-- Partitions: rows out of the default partition

-- The period of a time for which there is no partition, cut where others begin and end.
CREATE FUNCTION uidext_internal.uuid_partition_gap(
	parent regclass, layout text, at timestamptz, step interval, tz text,
	OUT from_time timestamptz, OUT to_time timestamptz, OUT suffix text
)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	period record;
BEGIN
	SELECT b.from_time, b.to_time INTO period
	FROM @extschema@.uuid_partition_bounds(uidext_internal.uuid_partition_origin(at, step, tz), at + interval '1 microsecond', step, tz) b
	ORDER BY b.from_time DESC
	LIMIT 1;
	SELECT greatest(period.from_time, max(p.to_time) FILTER (WHERE p.to_time <= at)),
		least(period.to_time, min(p.from_time) FILTER (WHERE p.from_time > at))
	INTO from_time, to_time
	FROM uidext_internal.uuid_partition_periods(parent, layout) p;
	suffix := uidext_internal.uuid_partition_suffix(from_time,
		CASE WHEN (from_time, to_time) = (period.from_time, period.to_time) THEN step ELSE to_time - from_time END, tz);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_gap(regclass, text, timestamptz, interval, text) IS
	'the period of one step around a time that no partition holds, and the end of its partition''s name';

CREATE FUNCTION uidext_internal.uuid_partition_default(parent regclass) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT nullif(p.partdefid, 0::oid)::regclass FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = parent::oid;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_default(regclass) IS
	'the default partition of a table, or NULL';

-- Moving a row deletes it, and what hangs on that must not happen.
CREATE FUNCTION uidext_internal.uuid_partition_check_references(parent regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	reference record;
BEGIN
	SELECT c.conname, c.conrelid::regclass AS "table" INTO reference
	FROM pg_constraint c
	WHERE c.contype = 'f' AND c.confdeltype IN ('c', 'n', 'd')
		AND (c.confrelid = parent OR c.confrelid IN (
			SELECT t.relid FROM pg_partition_tree(uidext_internal.uuid_partition_default(parent)) t))
	ORDER BY c.confrelid <> parent
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'foreign key "%" of table % would act on rows that are moved', reference.conname, reference."table"
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'Drop it, move the rows, add it again NOT VALID and validate it.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_references(regclass) IS
	'raises 55000 when a foreign key to a table or its default partition deletes or changes the rows that refer to deleted ones';

CREATE FUNCTION uidext_internal.uuid_partition_delete_triggers(source regclass, OUT disable text, OUT enable text)
	RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY
		SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', t.tgrelid::regclass, t.tgname),
			format('ALTER TABLE %s ENABLE %s TRIGGER %I', t.tgrelid::regclass, CASE t.tgenabled WHEN 'A' THEN 'ALWAYS' END, t.tgname)
		FROM pg_partition_tree(source) p JOIN pg_trigger t ON t.tgrelid = p.relid
		-- row or statement, before or after; 8 is DELETE
		WHERE NOT t.tgisinternal AND t.tgtype & 8 <> 0 AND t.tgenabled IN ('O', 'A')
		ORDER BY t.tgrelid, t.tgname;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_delete_triggers(regclass) IS
	'commands that keep the triggers of a partition from firing when rows are deleted, and that let them fire again';

-- The parent too, because whoever has planned for its partitions already would
-- look for the rows where they are no more.  Nobody waits for this for long: who
-- comes meanwhile goes first, and whoever waits for this transaction gets the
-- time to end.
CREATE FUNCTION uidext_internal.uuid_partition_lock_exclusively(parent regclass, source regclass) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	wait_before text := current_setting('lock_timeout');
	wait_ms int := (SELECT setting FROM pg_settings WHERE name = 'lock_timeout');
BEGIN
	-- less than deadlock_timeout, so that of two who wait for each other this one gives in
	PERFORM set_config('lock_timeout', least(nullif(wait_ms, 0), 500)::text, true);
	FOR attempt IN 1 .. 20 LOOP
		BEGIN
			PERFORM uidext_internal.uuid_partition_as_owner(parent, format(
				'LOCK TABLE ONLY %s, %s IN ACCESS EXCLUSIVE MODE', parent, source));
			EXIT;
		EXCEPTION WHEN lock_not_available THEN
			IF attempt = 20 THEN
				RAISE;
			END IF;
			PERFORM pg_sleep(0.1);
		END;
	END LOOP;
	PERFORM set_config('lock_timeout', wait_before, true);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_lock_exclusively(regclass, regclass) IS
	'locks a table and one of its partitions, in twenty attempts of half a second';

CREATE FUNCTION uidext_internal.uuid_partition_move_rows(
	parent regclass, source regclass, target regclass, column_name name, from_id text, to_id text
) RETURNS bigint
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	columns text := (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
		WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
BEGIN
	RETURN uidext_internal.uuid_partition_as_owner(parent, format(
		'WITH gone AS (DELETE FROM %1$s WHERE %3$s RETURNING %4$s), '
		'moved AS (INSERT INTO %2$s (%4$s) SELECT %4$s FROM gone RETURNING 1) '
		'SELECT count(*) FROM moved',
		source, target, uidext_internal.uuid_partition_condition(source, column_name, from_id, to_id), columns));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_move_rows(regclass, regclass, regclass, name, text, text) IS
	'moves the rows between two bounds from one table into another and returns how many there were';

-- In one transaction: whoever reads the parent finds each row once.
CREATE FUNCTION uidext_internal.uuid_partition_carve(
	parent regclass, source regclass, column_name name, from_id text, to_id text, suffix text, template regclass,
	OUT partition regclass, OUT moved bigint
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	disable text[] := ARRAY(SELECT t.disable FROM uidext_internal.uuid_partition_delete_triggers(source) t);
	enable text[] := ARRAY(SELECT t.enable FROM uidext_internal.uuid_partition_delete_triggers(source) t);
BEGIN
	partition := uidext_internal.uuid_partition_table(parent, uidext_internal.uuid_partition_name(parent, suffix), NULL::name, template);
	PERFORM uidext_internal.uuid_partition_run(parent,
		ARRAY(SELECT uidext_internal.uuid_partition_storage_commands(parent, partition, template)) || disable);

	-- beside writers, and once more what they wrote meanwhile
	moved := uidext_internal.uuid_partition_move_rows(parent, source, partition, column_name, from_id, to_id);
	PERFORM uidext_internal.uuid_partition_lock_exclusively(parent, source);
	moved := moved + uidext_internal.uuid_partition_move_rows(parent, source, partition, column_name, from_id, to_id);

	PERFORM uidext_internal.uuid_partition_run(parent, enable);
	PERFORM uidext_internal.uuid_partition_as_owner(parent,
		format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, partition, from_id, to_id));
	PERFORM uidext_internal.uuid_partition_run(parent,
		ARRAY(SELECT uidext_internal.uuid_partition_access_commands(partition, template)));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_carve(regclass, regclass, name, text, text, text, regclass) IS
	'moves the rows between two bounds out of the default partition into a partition of their own';

CREATE FUNCTION uidext_internal.uuid_partition_drain_next(
	parent regclass, step interval, tz text, start timestamptz, stop timestamptz, after_id text, template regclass,
	OUT partition text, OUT moved bigint, OUT problem text, OUT next_id text
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	source regclass;
	at timestamptz;
	gap record;
BEGIN
	IF num_nulls(parent, step, tz) > 0 THEN
		RAISE EXCEPTION 'parent, step and tz may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	key := uidext_internal.uuid_partition_key(parent);
	PERFORM uidext_internal.uuid_partition_check_template(parent, template);
	-- of two callers at once the second finds the next period
	PERFORM uidext_internal.uuid_partition_lock(parent);
	PERFORM uidext_internal.uuid_partition_check_references(parent);
	source := uidext_internal.uuid_partition_default(parent);
	IF source IS NOT NULL AND uidext_internal.uuid_partition_has_rows(source, key.column_name) IS NULL THEN
		RAISE EXCEPTION 'not all rows of the default partition % are visible', source
			USING ERRCODE = 'insufficient_privilege', DETAIL = 'Row security hides them from its owner or from the caller, or it is a table of others.',
				HINT = 'ALTER TABLE ... NO FORCE ROW LEVEL SECURITY while rows are moved.';
	END IF;
	at := uidext_internal.uuid_partition_boundary_time(key.layout,
		uidext_internal.uuid_partition_edge(source, key.column_name, coalesce(after_id, uidext_internal.uuid_partition_boundary(key.layout, start)), NULL::text, false));
	-- what lies further ahead is a stray, and no reason for a partition
	IF at IS NULL OR at >= coalesce(stop, (
		SELECT greatest(now(), max(p.to_time) FILTER (WHERE isfinite(p.to_time))) + step
		FROM uidext_internal.uuid_partition_periods(parent, key.layout) p)) THEN
		RETURN;
	END IF;

	gap := uidext_internal.uuid_partition_gap(parent, key.layout, greatest(at, '1970-01-01 00:00:00+00'), step, tz);
	next_id := uidext_internal.uuid_partition_boundary(key.layout, gap.to_time);
	partition := gap.suffix;
	BEGIN
		partition := uidext_internal.uuid_partition_name(parent, gap.suffix);
		-- a deferred one would fail at COMMIT, where nobody goes on with the next period
		SET CONSTRAINTS ALL IMMEDIATE;
		SELECT c.moved INTO moved
		FROM uidext_internal.uuid_partition_carve(parent, source, key.column_name,
			uidext_internal.uuid_partition_boundary(key.layout, gap.from_time), next_id, gap.suffix, template) c;
	EXCEPTION WHEN OTHERS THEN
		problem := SQLSTATE || ': ' || SQLERRM;
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_drain_next(regclass, interval, text, timestamptz, timestamptz, text, regclass) IS
	'moves the rows of the first period after an id out of the default partition; next_id is where the next one begins, NULL when there are no more';

-- Without a SET clause, which would keep it from committing: every name is
-- spelt out, and there is no operator.
CREATE PROCEDURE uuid_partition_drain(
	parent regclass, step interval, tz text DEFAULT 'UTC',
	start timestamptz DEFAULT NULL, stop timestamptz DEFAULT NULL, template regclass DEFAULT NULL
)
	LANGUAGE plpgsql
AS $$
DECLARE
	done pg_catalog.record;
	next_id pg_catalog.text;
BEGIN
	LOOP
		done := uidext_internal.uuid_partition_drain_next(parent, step, tz, start, stop, next_id, template);
		EXIT WHEN done.next_id IS NULL;
		next_id := done.next_id;
		COMMIT;
		IF done.problem IS NULL THEN
			RAISE NOTICE 'partition %: % rows moved', done.partition, done.moved;
		ELSE
			RAISE WARNING 'partition % is not created', done.partition USING DETAIL = done.problem;
		END IF;
	END LOOP;
END
$$;
COMMENT ON PROCEDURE uuid_partition_drain(regclass, interval, text, timestamptz, timestamptz, regclass) IS
	'moves rows from the default partition into new partitions of their periods, with what a template has besides, one by one, and commits after each; goes on after a failure with a warning; raises 42501 where the owner or the caller does not see all rows';
