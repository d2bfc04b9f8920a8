-- Partitions: rows out of the default partition
--
-- What the default partition holds of a period becomes a partition.  Few rows
-- move into a new table.  A table of many rows moves not at all: it becomes the
-- partition, and a new default takes its place, with the few that it held besides.
-- Either way in one transaction, and all locks come first and at once, or not.

-- The period of a time for which there is no partition, cut where others begin and end.
CREATE FUNCTION uidext_internal.partition_gap(
	job uidext_internal.partition_job, at timestamptz, OUT period uidext_internal.partition_period,
	OUT free_until timestamptz
)
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	epoch CONSTANT timestamptz := '1970-01-01 00:00:00+00';
	-- the week of the epoch began before it, and so did the month of a scheme's own
	earliest timestamptz := CASE WHEN job.layout IN ('uuid', 'ulid') THEN epoch
		ELSE @extschema@.uid_time(@extschema@.uid_boundary(timestamptz '-infinity', job.layout), job.layout) END;
	whole record;
BEGIN
	at := greatest(at, earliest, epoch);
	SELECT b.from_time, b.to_time INTO whole
	FROM @extschema@.uuid_partition_bounds(greatest(partition_origin(at, job.step, job.tz), epoch),
		at + interval '1 microsecond', job.step, job.tz) b
	ORDER BY b.from_time DESC
	LIMIT 1;
	SELECT greatest(whole.from_time, earliest, max(p.to_time) FILTER (WHERE p.to_time <= at)),
		coalesce(min(p.from_time) FILTER (WHERE p.from_time > at), 'infinity')
	INTO period.from_time, free_until
	FROM unnest(job.periods) p;
	period.to_time := least(whole.to_time, free_until);
	period.from_id := partition_boundary(job.layout, period.from_time);
	period.to_id := partition_boundary(job.layout, period.to_time);
	period.suffix := partition_suffix(period.from_time, CASE
		WHEN (period.from_time, period.to_time) = (whole.from_time, whole.to_time) THEN job.step
		ELSE period.to_time - period.from_time
	END, job.tz);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_gap(uidext_internal.partition_job, timestamptz) IS
	'the period of one step around a time that no partition holds, no earlier than ids are, and when the next partition '
	'begins; raises as uuid_partition_bounds()';

CREATE FUNCTION uidext_internal.partition_default(parent regclass) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT nullif(p.partdefid, 0::oid)::regclass FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = parent::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_default(regclass) IS
	'the default partition of a table, or NULL';

-- A key to the default partition itself does not see that its rows stay in the table.
CREATE FUNCTION uidext_internal.partition_check_references(default_partition regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	reference record;
BEGIN
	SELECT c.conname, c.conrelid::regclass AS "table" INTO reference
	FROM pg_constraint c
	WHERE c.contype = 'f' AND c.conparentid = 0
		AND c.confrelid IN (SELECT t.relid FROM pg_partition_tree(default_partition) t)
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'foreign key "%" of table % refers to the default partition itself',
				reference.conname, reference."table"
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Let it refer to the partitioned table.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_references(regclass) IS
	'an error 55000 when a foreign key refers to a partition rather than to the partitioned table';

CREATE FUNCTION uidext_internal.partition_delete_triggers(source regclass, OUT disable text, OUT enable text)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('ALTER TABLE ONLY %s DISABLE TRIGGER %I', t.tgrelid::regclass, t.tgname),
		pg_catalog.format('ALTER TABLE ONLY %s ENABLE %s TRIGGER %I', t.tgrelid::regclass,
			CASE t.tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' END, t.tgname)
	FROM pg_partition_tree(source) p JOIN pg_catalog.pg_trigger t ON t.tgrelid = p.relid::oid
	-- row or statement, before or after; 8 is DELETE
	WHERE NOT t.tgisinternal AND t.tgtype::int & 8 <> 0 AND t.tgenabled <> 'D';
END;
COMMENT ON FUNCTION uidext_internal.partition_delete_triggers(regclass) IS
	'commands that keep the triggers of a table from firing when rows are deleted, and that let them fire again';

CREATE FUNCTION uidext_internal.partition_move_rows(source regclass, target regclass, condition text) RETURNS bigint
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	disable text[] := ARRAY(SELECT t.disable FROM partition_delete_triggers(source) t);
	enable text[] := ARRAY(SELECT t.enable FROM partition_delete_triggers(source) t);
	-- a column that the source alone generates keeps its values
	columns text := (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
		WHERE attrelid = target AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
	moved bigint;
BEGIN
	PERFORM partition_run(disable);
	EXECUTE format(
		'WITH gone AS (DELETE FROM %1$s WHERE %3$s RETURNING %4$s), '
		'moved AS (INSERT INTO %2$s (%4$s) SELECT %4$s FROM gone RETURNING 1) '
		'SELECT count(*) FROM moved',
		source, target, condition, columns) INTO moved;
	PERFORM partition_run(enable);
	RETURN moved;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_move_rows(regclass, regclass, text) IS
	'moves the rows that meet a condition from one table into another, no trigger noticing, and returns how many there '
	'were';

CREATE FUNCTION uidext_internal.partition_inside(relation regclass, column_name name, from_id text, to_id text)
	RETURNS text
	LANGUAGE sql STABLE STRICT
	RETURN uidext_internal.partition_comparison(relation, column_name, '>=', from_id) || ' AND '
		|| uidext_internal.partition_comparison(relation, column_name, '<', to_id);
COMMENT ON FUNCTION uidext_internal.partition_inside(regclass, name, text, text) IS
	'a condition that holds for the ids of a column from one bound up to another';

CREATE FUNCTION uidext_internal.partition_outside(relation regclass, column_name name, from_id text, to_id text)
	RETURNS text
	LANGUAGE sql STABLE STRICT
	RETURN uidext_internal.partition_comparison(relation, column_name, '<', from_id) || ' OR '
		|| uidext_internal.partition_comparison(relation, column_name, '>=', to_id) || ' OR '
			|| quote_ident(column_name::text) || ' IS NULL';
COMMENT ON FUNCTION uidext_internal.partition_outside(regclass, name, text, text) IS
	'a condition that holds for all ids of a column but those from one bound up to another, and for NULL';

CREATE FUNCTION uidext_internal.partition_is_small(relation regclass, condition text, most int) RETURNS bool
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	rows bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM (SELECT FROM %s WHERE %s LIMIT %s) few', relation, condition, most::bigint + 1)
		INTO rows;
	RETURN rows <= most;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_is_small(regclass, text, int) IS
	'whether a condition holds for no more than so many rows';

-- As if it had been made with its new name: indexes, too, and the constraints that they are for.
CREATE FUNCTION uidext_internal.partition_rename_commands(relation regclass, name text) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('ALTER INDEX %s RENAME TO %I', i.oid::regclass, renamed.relname)
	FROM pg_catalog.pg_index x
		JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
		JOIN pg_catalog.pg_class c ON c.oid = x.indrelid
		CROSS JOIN LATERAL (SELECT name || substr(i.relname::text, length(c.relname::text) + 1)) renamed(relname)
	WHERE x.indrelid = relation::oid AND starts_with(i.relname::text, c.relname::text || '_')
		AND octet_length(renamed.relname) <= current_setting('max_identifier_length')::int
		AND NOT EXISTS (SELECT FROM pg_catalog.pg_class o WHERE o.relnamespace = i.relnamespace
			AND o.relname = renamed.relname)
	UNION ALL
	-- whatever their names: the next default partition has them
	SELECT pg_catalog.format('ALTER STATISTICS %I.%I RENAME TO %I', n.nspname, e.stxname, renamed.stxname)
	FROM pg_catalog.pg_statistic_ext e
		JOIN pg_catalog.pg_namespace n ON n.oid = e.stxnamespace
		JOIN pg_catalog.pg_class c ON c.oid = e.stxrelid
		CROSS JOIN LATERAL (SELECT name || '_' || CASE WHEN starts_with(e.stxname::text, c.relname::text || '_')
			THEN substr(e.stxname::text, length(c.relname::text) + 2) ELSE e.stxname::text END) renamed(stxname)
	WHERE e.stxrelid = relation::oid
		AND octet_length(renamed.stxname) <= current_setting('max_identifier_length')::int
		AND NOT EXISTS (SELECT FROM pg_catalog.pg_statistic_ext o WHERE o.stxnamespace = e.stxnamespace
			AND o.stxname = renamed.stxname)
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s RENAME TO %I', relation, name);
END;
COMMENT ON FUNCTION uidext_internal.partition_rename_commands(regclass, text) IS
	'commands that give a table another name, and its extended statistics, and the indexes that are named after it';

-- In the order in which LIKE makes them.
CREATE FUNCTION uidext_internal.partition_statistics(
	relation regclass, OUT place bigint, OUT schema name, OUT name name
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.row_number() OVER (ORDER BY e.oid), n.nspname, e.stxname
	FROM pg_catalog.pg_statistic_ext e JOIN pg_catalog.pg_namespace n ON n.oid = e.stxnamespace
	WHERE e.stxrelid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_statistics(regclass) IS
	'the extended statistics of a table, in the order in which they were made';

CREATE FUNCTION uidext_internal.partition_name_statistics_commands(relation regclass, schemas name[], names name[])
	RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT command.*
	FROM uidext_internal.partition_statistics(relation) made
		JOIN ROWS FROM (pg_catalog.unnest(schemas), pg_catalog.unnest(names)) WITH ORDINALITY wanted(schema, name, place)
			ON wanted.place = made.place
		CROSS JOIN LATERAL (
			SELECT pg_catalog.format('ALTER STATISTICS %I.%I RENAME TO %I', made.schema, made.name, wanted.name)
			WHERE made.name <> wanted.name
			UNION ALL
			SELECT pg_catalog.format('ALTER STATISTICS %I.%I SET SCHEMA %I', made.schema, wanted.name, wanted.schema)
			WHERE made.schema <> wanted.schema
		) command
	WHERE NOT EXISTS (
		SELECT FROM pg_catalog.pg_statistic_ext e JOIN pg_catalog.pg_namespace n ON n.oid = e.stxnamespace
		WHERE e.stxname = wanted.name AND n.nspname IN (made.schema, wanted.schema));
END;
COMMENT ON FUNCTION uidext_internal.partition_name_statistics_commands(regclass, name[], name[]) IS
	'commands that give the extended statistics of a table other schemas and names, where these are free';

-- Attached again, a table has the triggers of its parent as they are there.
CREATE FUNCTION uidext_internal.partition_trigger_states(partition regclass, OUT relation regclass, OUT state text)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT t.tgrelid::regclass, pg_catalog.format('%s TRIGGER %I',
		CASE t.tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS'
			WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE' END, t.tgname)
	FROM pg_catalog.pg_inherits i
		JOIN pg_catalog.pg_trigger parents ON parents.tgrelid = i.inhparent
		CROSS JOIN pg_partition_tree(partition) p
		JOIN pg_catalog.pg_trigger t ON t.tgrelid = p.relid::oid AND t.tgname = parents.tgname
	WHERE i.inhrelid = partition::oid AND t.tgparentid <> 0::oid AND NOT t.tgisinternal
		AND t.tgenabled <> parents.tgenabled;
END;
COMMENT ON FUNCTION uidext_internal.partition_trigger_states(regclass) IS
	'what ALTER TABLE ONLY needs to give the triggers that a partition and what is beneath it have of its parent the '
	'states that they have, where these are not the parent''s';

-- The default partition becomes the partition: all other rows leave it.
CREATE FUNCTION uidext_internal.partition_replace_default(
	job uidext_internal.partition_job, period uidext_internal.partition_period, OUT made regclass, OUT moved bigint
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	full_name text := partition_qualified(period.partition);
	schemas name[];
	names name[];
BEGIN
	SELECT array_agg(s.schema ORDER BY s.place), array_agg(s.name ORDER BY s.place) INTO schemas, names
	FROM partition_statistics(period.partition) s;
	PERFORM partition_run(ARRAY(SELECT partition_rename_commands(period.partition, c.relname || '_' || period.suffix)))
	FROM pg_class c
	WHERE c.oid = job.parent;
	made := partition_like(job.parent, full_name, period.partition, NULL::regclass);
	PERFORM partition_run(ARRAY(SELECT partition_name_statistics_commands(made, schemas, names)));
	-- whatever the owner's default privileges
	PERFORM partition_run(ARRAY[format('GRANT ALL ON %s TO %I', made, pg_get_userbyid(c.relowner))])
	FROM pg_class c
	WHERE c.oid = made AND c.relacl IS NOT NULL;
	moved := partition_move_rows(period.partition, made,
		partition_outside(period.partition, job.column_name, period.from_id, period.to_id));
	PERFORM partition_run(ARRAY(
		SELECT format('COMMENT ON TABLE %s IS %L', r.relation, r.comment)
		FROM obj_description(period.partition, 'pg_class') d,
			LATERAL (VALUES (made, d), (period.partition, NULL)) r(relation, comment)
		WHERE d IS NOT NULL));
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_replace_default(uidext_internal.partition_job,
	uidext_internal.partition_period) IS
	'renames a default partition, which is not attached, makes another one in its place, moves the rows there that are '
	'not of a period, and returns it; raises what the server does';

-- Detached, the default partition is this transaction's own, and so is all that
-- attaching wants to lock.
CREATE FUNCTION uidext_internal.partition_drain_period(
	job uidext_internal.partition_job, period uidext_internal.partition_period
) RETURNS uidext_internal.partition_result
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET row_security = off
AS $$
DECLARE
	name text := partition_name(job.parent, period.suffix, job.schema);
	source regclass := partition_default(job.parent);
	remainder regclass := source;
	relations regclass[];
	states text[];
	result partition_result;
BEGIN
	-- a deferred constraint would fail at COMMIT, where nobody goes on with the next period
	SET CONSTRAINTS ALL IMMEDIATE;
	PERFORM partition_check_neighbour(job.parent, job.neighbour);
	SELECT array_agg(t.relation), array_agg(t.state) INTO relations, states FROM partition_trigger_states(source) t;
	EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', job.parent, source);
	IF period.partition IS NULL THEN
		result.made := partition_like(job.parent, name, job.template, job.neighbour);
		result.rows := partition_move_rows(source, result.made,
			partition_inside(source, job.column_name, period.from_id, period.to_id));
	ELSE
		result.made := source;
		SELECT r.made, r.moved INTO remainder, result.rows FROM partition_replace_default(job, period) r;
	END IF;
	PERFORM partition_attach(job.parent, result.made, partition_bound(period.from_id, period.to_id));
	PERFORM partition_attach(job.parent, remainder, 'DEFAULT');
	PERFORM partition_run(ARRAY(
		SELECT format('ALTER TABLE ONLY %s %s', t.relation, t.state) FROM unnest(relations, states) t(relation, state)
		UNION ALL
		SELECT format('ALTER TABLE ONLY %s %s', remainder, s) FROM unnest(states) s WHERE remainder <> source));
	result.partition := result.made::text;
	result.action := CASE WHEN remainder <> source
		THEN format('it was the default partition, and ends %s; ', period.to_time)
		ELSE '' END || format('%s rows moved', result.rows);
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_drain_period(uidext_internal.partition_job,
	uidext_internal.partition_period) IS
	'makes a partition of the rows of a period that the default partition holds: moves them, or all others where the '
	'period names it as its partition; raises as uuid_partition_create()';

-- Its name stands for what a new table of that name would not have, or others mean
-- the table by it.
CREATE FUNCTION uidext_internal.partition_is_replaceable(default_partition regclass) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT NOT (
		EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = default_partition::oid AND c.relrowsecurity)
		-- rights that the owner has given up
		OR EXISTS (
			SELECT FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(pg_catalog.acldefault('r', c.relowner)) a
			WHERE c.oid = default_partition::oid AND NOT pg_catalog.has_table_privilege(c.relowner, c.oid, a.privilege_type))
		OR EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = default_partition::oid AND NOT t.tgisinternal
			AND t.tgparentid = 0::oid)
		OR EXISTS (SELECT FROM pg_catalog.pg_constraint f WHERE f.conrelid = default_partition::oid AND f.contype = 'f'
			AND f.conparentid = 0::oid)
		OR EXISTS (SELECT FROM pg_catalog.pg_subscription_rel s WHERE s.srrelid = default_partition::oid)
		-- functions and columns of its row type
		OR EXISTS (
			SELECT FROM pg_catalog.pg_type t JOIN pg_catalog.pg_depend d ON d.refobjid IN (t.oid, t.typarray)
			WHERE t.typrelid = default_partition::oid AND d.refclassid = 'pg_type'::regclass::oid AND d.deptype = 'n')
		-- rules and views, functions, policies, publications; sequences of its columns
		OR EXISTS (
			SELECT FROM pg_catalog.pg_depend d
			WHERE d.refclassid = 'pg_class'::regclass::oid AND d.refobjid = default_partition::oid
				AND (d.classid IN ('pg_rewrite'::regclass::oid, 'pg_proc'::regclass::oid, 'pg_policy'::regclass::oid,
					'pg_publication_rel'::regclass::oid)
					OR d.classid = 'pg_class'::regclass::oid
						AND EXISTS (SELECT FROM pg_catalog.pg_class s WHERE s.oid = d.objid AND s.relkind = 'S')))
	);
END;
COMMENT ON FUNCTION uidext_internal.partition_is_replaceable(regclass) IS
	'whether a new table may take the name of a default partition: nothing is the table''s own, or made for it by name, '
	'that the new one would not have';

-- What is to be done about the first rows after an id, and which of the two ways.
CREATE FUNCTION uidext_internal.partition_drain_plan(
	job uidext_internal.partition_job, default_partition regclass, at timestamptz, stop timestamptz,
	OUT period uidext_internal.partition_period, OUT next_time timestamptz, OUT possible bool
)
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	gap record := partition_gap(job, at);
	last_id text;
BEGIN
	period := gap.period;
	next_time := period.to_time;
	-- ids count whole units of time: rounded down to these, a period may end before its rows
	IF partition_boundary_time(job.layout, period.to_id) <= at THEN
		RAISE EXCEPTION 'step must be a multiple of the unit of time in ids'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('step is %s.', job.step),
				HINT = 'That is a millisecond, or the tick of a scheme.';
	END IF;
	possible := partition_is_small(default_partition,
		partition_inside(default_partition, job.column_name, period.from_id, period.to_id), job.max_rows);
	-- a table that is or ought to be partitioned itself cannot stay as it is
	IF possible OR EXISTS (SELECT FROM pg_class WHERE oid IN (default_partition, job.neighbour) AND relkind <> 'r')
		OR NOT partition_is_replaceable(default_partition)
	THEN
		RETURN;
	END IF;

	period.partition := default_partition;
	possible := partition_is_small(default_partition,
		partition_outside(default_partition, job.column_name, period.from_id, period.to_id), job.max_rows);
	IF possible THEN
		RETURN;
	END IF;
	-- the rows of several periods: all that come before the next partition
	last_id := partition_edge(default_partition, job.column_name, period.from_id,
		partition_boundary(job.layout, least(gap.free_until, stop)), true);
	-- no id lies between where stop falls within a unit of the ids' time
	gap := partition_gap(job, greatest(at, partition_boundary_time(job.layout, last_id)));
	period.to_time := (gap.period).to_time;
	period.to_id := (gap.period).to_id;
	possible := partition_is_small(default_partition,
		partition_outside(default_partition, job.column_name, period.from_id, period.to_id), job.max_rows);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_drain_plan(uidext_internal.partition_job, regclass, timestamptz, timestamptz) IS
	'the partition to be made of the rows around a time in the default partition, which is named where it becomes that '
	'partition itself, and whether few enough rows would be moved; next_time is when the next one begins; raises 22023 '
	'for a step that is no multiple of the ids'' unit of time';

CREATE FUNCTION uidext_internal.partition_drain_once(job uidext_internal.partition_job)
	RETURNS SETOF uidext_internal.partition_result
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	default_partition regclass;
	at timestamptz;
	stop timestamptz;
	plan record;
	result partition_result;
BEGIN
	-- of two callers at once the second finds the next period
	PERFORM set_config('lock_timeout', '3s', true);
	job := partition_begin(job);
	default_partition := partition_default(job.parent);
	PERFORM partition_check_visible(default_partition);
	PERFORM partition_check_references(default_partition);
	PERFORM partition_check_publications(job.parent, default_partition, job.schema);
	PERFORM partition_end_vacuums(ARRAY[default_partition]);
	PERFORM partition_limit_waits();
	at := partition_boundary_time(job.layout,
		partition_edge(default_partition, job.column_name, job.after_id, NULL::text, false));
	-- what lies further ahead is a stray, and no reason for a partition
	stop := coalesce(job.stop, (
		SELECT greatest(now(), max(p.to_time) FILTER (WHERE isfinite(p.to_time))) + job.step FROM unnest(job.periods) p));
	IF at IS NULL OR at >= stop THEN
		RETURN;
	END IF;
	PERFORM partition_check_removable(job.parent, default_partition);

	BEGIN
		plan := partition_drain_plan(job, default_partition, at, stop);
	EXCEPTION WHEN datetime_field_overflow THEN
		-- the last step, which ends after the last id
		result.partition := format('of the last %s', job.step);
		result.problem := SQLSTATE || ': ' || SQLERRM;
		result.to_time := 'infinity';
		RETURN NEXT result;
		RETURN;
	END;
	IF plan.possible THEN
		result := partition_try('partition_drain_period', job, plan.period);
	ELSE
		result.problem := format('54000: more than %s rows would be moved under a lock', job.max_rows);
	END IF;
	result.partition := coalesce(result.partition, partition_label(job.parent, (plan.period).suffix, job.schema));
	result.to_time := plan.next_time;
	RETURN NEXT result;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_drain_once(uidext_internal.partition_job) IS
	'one attempt to make a partition of the first rows after an id in the default partition, and what it did or what kept '
	'it from that; to_time is when the next one begins; raises what concerns more than a partition, and as '
	'partition_check_visible(), partition_check_references() and partition_check_removable()';

CREATE FUNCTION uidext_internal.partition_drain_next(
	parent regclass, step interval, tz text, start timestamptz, stop timestamptz, after_id text, template regclass,
	max_rows int,
	OUT partition text, OUT done text, OUT problem text, OUT next_id text
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	job partition_job;
BEGIN
	IF num_nulls(parent, step, tz, max_rows) > 0 THEN
		RAISE EXCEPTION 'parent, step, tz and max_rows may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF max_rows < 0 THEN
		RAISE EXCEPTION 'max_rows must not be negative' USING ERRCODE = 'invalid_parameter_value';
	END IF;
	-- step and tz, also when there is nothing to drain
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
	job := partition_key(parent);
	job.stop := stop;
	job.step := step;
	job.tz := tz;
	job.template := template;
	job.tolerant := true;
	job.after_id := coalesce(after_id, partition_boundary(job.layout, start));
	job.max_rows := max_rows;
	SELECT r.partition, r.action, r.problem, partition_boundary(job.layout, r.to_time)
	INTO partition, done, problem, next_id
	FROM partition_retry('partition_drain_once', job) r;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
	RAISE EXCEPTION 'others keep table % locked', parent
		USING ERRCODE = 'lock_not_available', HINT = 'What has been drained is. Call again when they have ended.';
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_drain_next(regclass, interval, text, timestamptz, timestamptz, text, regclass, int) IS
	'makes a partition of the first rows after an id in the default partition; next_id is where the next one begins, NULL '
	'when there are no more; 55P03 when others keep it waiting';

CREATE FUNCTION uidext_internal.partition_check_visible(partition regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	IF NOT partition_may_look(partition) THEN
		RAISE EXCEPTION 'not all rows of partition % are visible', partition
			USING ERRCODE = 'insufficient_privilege',
				DETAIL = 'Row security hides them from the owner, or it belongs to somebody else.',
				HINT = 'ALTER TABLE ... NO FORCE ROW LEVEL SECURITY meanwhile.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_visible(regclass) IS
	'raises 42501 for a partition whose rows the caller does not all see';

-- While rows move, no partition is part of the table, and what is published of them
-- bears their own names, which a subscriber that knows the table alone cannot apply.
CREATE FUNCTION uidext_internal.partition_check_publications(parent regclass, default_partition regclass, schema regnamespace)
	RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	moving regclass[] := ARRAY(SELECT t.relid FROM pg_partition_tree(default_partition) t);
	-- by any publication, as one subscriber may have several
	through_root bool := EXISTS (
		SELECT FROM pg_partition_ancestors(parent) a JOIN pg_class c ON c.oid = a.relid, pg_publication p
		WHERE p.pubviaroot AND (EXISTS (SELECT FROM pg_publication_rel r WHERE r.prpubid = p.oid AND r.prrelid = c.oid)
			OR EXISTS (SELECT FROM pg_publication_namespace n WHERE n.pnpubid = p.oid AND n.pnnspid = c.relnamespace)));
	publication name := (
		SELECT p.pubname
		FROM pg_publication p
		WHERE p.pubviaroot AND (p.puballtables
			OR EXISTS (SELECT FROM pg_publication_rel r WHERE r.prpubid = p.oid AND r.prrelid = ANY (moving))
			OR EXISTS (
				SELECT FROM pg_publication_namespace n JOIN pg_class c ON c.relnamespace = n.pnnspid
				WHERE n.pnpubid = p.oid AND c.oid = ANY (parent || moving))
			-- new partitions, until they are attached
			OR through_root AND EXISTS (SELECT FROM pg_publication_namespace n WHERE n.pnpubid = p.oid AND n.pnnspid = schema))
		ORDER BY p.pubname
		LIMIT 1);
BEGIN
	IF publication IS NOT NULL
		AND EXISTS (SELECT FROM pg_class WHERE oid = default_partition AND relpersistence <> 't') THEN
		RAISE EXCEPTION 'publication "%" would publish rows that move as those of partitions', publication
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'It publishes through the partitioned table, whose subscribers need not know partitions.',
				HINT = 'A publication FOR TABLE, of the partitioned table, publishes no moves.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_publications(regclass, regclass, regnamespace) IS
	'an error 55000 for a publication through the root that covers partitions by themselves: FOR ALL TABLES, FOR TABLES '
	'IN SCHEMA, also that of new ones, or of the default partition';

-- Without a SET clause, which would keep it from committing: every name is
-- spelt out, and there is no operator.
CREATE PROCEDURE uuid_partition_drain(
	parent regclass, step interval, tz text DEFAULT 'UTC',
	start timestamptz DEFAULT NULL, stop timestamptz DEFAULT NULL, template regclass DEFAULT NULL,
	max_rows int DEFAULT 10000
)
	LANGUAGE plpgsql
AS $$
DECLARE
	made pg_catalog.record;
	next_id pg_catalog.text;
BEGIN
	LOOP
		made := uidext_internal.partition_drain_next(parent, step, tz, start, stop, next_id, template, max_rows);
		COMMIT;
		EXIT WHEN made.next_id IS NULL;
		next_id := made.next_id;
		IF made.problem IS NULL THEN
			RAISE NOTICE 'partition %: %', made.partition, made.done;
		ELSE
			PERFORM uidext_internal.partition_report(NULL, made.partition, 'not created', made.problem);
		END IF;
	END LOOP;
END
$$;
COMMENT ON PROCEDURE uuid_partition_drain(regclass, interval, text, timestamptz, timestamptz, regclass, int) IS
	'makes partitions of what the default partition holds, one by one; commits after each; moves up to max_rows rows '
	'of a period, or makes the default partition the partition of the time that it holds; goes on after a failure with a '
	'warning; raises 42501 for callers who are not the owner or do not see all rows, 22023 for a step that is no multiple '
	'of the unit of time in ids, or a table that is not partitioned by time, 55000 where a foreign key refers to the '
	'default partition or a publication through the root covers it by itself, 55P03, 2D000 in a transaction block';
