-- Partitions: how one is made

-- Commands go by names, which lead elsewhere when somebody renames a schema, and a
-- snapshot may be older than what others have done to a table.
CREATE FUNCTION uidext_internal.partition_confirm(partition regclass, holds bool) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF holds IS NOT TRUE THEN
		RAISE EXCEPTION 'could not serialize access: partition % has changed', partition
			USING ERRCODE = 'serialization_failure', HINT = 'Call it again, in a new transaction.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_confirm(regclass, bool) IS
	'raises 40001 unless what has to hold of a table does';

CREATE FUNCTION uidext_internal.partition_schema(relation regclass) RETURNS regnamespace
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT c.relnamespace::regnamespace FROM pg_catalog.pg_class c WHERE c.oid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_schema(regclass) IS 'the schema of a table; NULL when it is not there';

CREATE FUNCTION uidext_internal.partition_name(parent regclass, suffix text, schema regnamespace) RETURNS text
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	partition text;
BEGIN
	SELECT c.relname || '_' || suffix INTO partition FROM pg_class c WHERE c.oid = parent;
	-- the server would cut it, and then two periods could meet in one name
	IF octet_length(partition) > current_setting('max_identifier_length')::int THEN
		RAISE EXCEPTION 'partition name "%" is longer than % bytes',
				partition, current_setting('max_identifier_length')
			USING ERRCODE = 'name_too_long';
	END IF;
	RETURN format('%s.%I', schema, partition);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_name(regclass, text, regnamespace) IS
	'qualified and quoted name of a partition: the parent''s, underscore, suffix; raises 42622 for a name that the server '
	'would cut, 22004';

CREATE FUNCTION uidext_internal.partition_label(parent regclass, suffix text, schema regnamespace) RETURNS text
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	RETURN partition_name(parent, suffix, schema);
EXCEPTION WHEN name_too_long THEN
	RETURN suffix;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_label(regclass, text, regnamespace) IS
	'partition_name(), or the suffix alone where the server would cut it; raises 22004';

-- For a command that runs where the search_path is anybody's, or after a change of name.
CREATE FUNCTION uidext_internal.partition_qualified(relation regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('%I.%I', n.nspname, c.relname)
	FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_qualified(regclass) IS
	'qualified and quoted name of a table, whatever the search_path; NULL when it is not there';

CREATE FUNCTION uidext_internal.partition_bound_of(partition regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_get_expr(c.relpartbound, 0::oid) FROM pg_catalog.pg_class c WHERE c.oid = partition::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_bound_of(regclass) IS
	'the bound of a partition as pg_get_expr(relpartbound) shows it; NULL for none';

-- The partition of a parent with exactly this bound, or NULL.
CREATE FUNCTION uidext_internal.partition_with_bound(parent regclass, bound text) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass
	FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
	WHERE i.inhparent = parent::oid AND NOT i.inhdetachpending
		AND pg_get_expr(c.relpartbound, 0::oid) = bound;
END;
COMMENT ON FUNCTION uidext_internal.partition_with_bound(regclass, text) IS
	'the partition of a parent that has exactly this bound, as pg_get_expr(relpartbound) shows it; NULL when there is '
	'none';

-- A table beside the parent that can be attached to it, as PARTITION OF would
-- make it, but without a lock on the parent: with indexes, because those that
-- are missing would be built under the locks of ATTACH.
CREATE FUNCTION uidext_internal.partition_table(parent regclass, partition text, partition_key text, template regclass)
	RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	storage text;
	schema regnamespace := quote_ident((parse_ident(partition))[1]);
	made regclass;
BEGIN
	IF num_nulls(parent, partition) > 0 THEN
		RAISE EXCEPTION 'parent and partition may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	-- the parent has an access method from 17 on
	SELECT concat_ws(' ', 'PARTITION BY ' || partition_key, 'USING ' || quote_ident(a.amname),
		'TABLESPACE ' || quote_ident(t.spcname)) INTO storage
	FROM pg_class c
		LEFT JOIN pg_am a ON a.oid = c.relam
		LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace
	WHERE c.oid = coalesce(template, parent);
	EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY) %s',
		partition, CASE WHEN partition_key IS NULL THEN coalesce(template, parent) ELSE parent END, storage);
	-- a schema that is renamed meanwhile may have another table of this name, somebody else's or older than this transaction
	made := partition;
	PERFORM partition_check_owner(made);
	PERFORM partition_confirm(made,
		EXISTS (SELECT FROM pg_class WHERE oid = made AND relnamespace = schema AND age(xmin) <= 0));
	RETURN made;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_table(regclass, text, text, regclass) IS
	'makes a table of a qualified and quoted name like the parent or a template, ready to be attached to the parent, '
	'partitioned itself unless its key is NULL, and then like a template only in where it is stored; raises 22004, 40001 '
	'where the name has come to be another table''s, and what the server does';

CREATE FUNCTION uidext_internal.partition_attach(parent regclass, partition regclass, bound text) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bound);
	PERFORM partition_confirm(partition,
		EXISTS (SELECT FROM pg_inherits WHERE inhrelid = partition AND inhparent = parent));
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_attach(regclass, regclass, text) IS
	'attaches a table to a parent with a bound as pg_get_expr(relpartbound) shows it; raises 40001 where their names have '
	'come to be other tables'', and what the server does';

-- New partitions are like the newest.
CREATE FUNCTION uidext_internal.partition_newest(periods uidext_internal.partition_period[]) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partition FROM pg_catalog.unnest(periods) p
	WHERE NOT p.detach_pending
	ORDER BY p.from_time DESC
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_newest(uidext_internal.partition_period[]) IS
	'of some range partitions the one that begins last, or NULL';

-- From now on nobody else changes the partitions.
CREATE FUNCTION uidext_internal.partition_begin(job uidext_internal.partition_job) RETURNS uidext_internal.partition_job
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	IF job.dry_run THEN
		PERFORM partition_check_owner(job.parent);
	ELSE
		PERFORM partition_lock(job.parent);
		job.periods := ARRAY(SELECT p FROM partition_ranges(job.parent, job.layout) p);
	END IF;
	PERFORM partition_check_template(job.parent, job.template);
	job.neighbour := partition_newest(job.periods);
	job.schema := partition_schema(coalesce(job.neighbour, job.parent));
	RETURN job;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_begin(uidext_internal.partition_job) IS
	'locks the table of a job, unless it is a dry run, and reads its ranges; raises as partition_lock(), '
	'partition_check_template() and partition_ranges()';

-- Made apart and then attached, which leaves the parent open for reading and writing.
CREATE FUNCTION uidext_internal.partition_make(
	parent regclass, partition text, bound text, template regclass, neighbour regclass
) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	made regclass;
BEGIN
	PERFORM partition_check_neighbour(parent, neighbour);
	made := partition_like(parent, partition, template, neighbour);
	PERFORM partition_attach(parent, made, bound);
	RETURN made;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_make(regclass, text, text, regclass, regclass) IS
	'makes a partition of a qualified and quoted name and a bound, like a template and a neighbour unless these are NULL, '
	'and returns it; raises as uuid_partition_create()';

CREATE FUNCTION uidext_internal.partition_make_period(
	job uidext_internal.partition_job, period uidext_internal.partition_period
) RETURNS uidext_internal.partition_result
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	from_id text := coalesce(period.from_id, partition_boundary(job.layout, nullif(period.from_time, '-infinity')));
	to_id text := coalesce(period.to_id, partition_boundary(job.layout, nullif(period.to_time, 'infinity')));
	result partition_result;
BEGIN
	result.partition := partition_name(job.parent, period.suffix, job.schema);
	IF job.dry_run THEN
		PERFORM partition_check_creation(job, result.partition, from_id, to_id);
	ELSE
		result.made := partition_make(job.parent, result.partition,
			coalesce(partition_bound_of(period.partition), partition_bound(from_id, to_id)), job.template, job.neighbour);
		PERFORM partition_refer(result.made, period.partition, job.foreign_keys);
		result.partition := result.made::text;
	END IF;
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_make_period(uidext_internal.partition_job,
	uidext_internal.partition_period) IS
	'makes the partition of one period, or in a dry run looks for what would keep it from being made; raises as '
	'uuid_partition_create()';

CREATE FUNCTION uidext_internal.partition_extend(job uidext_internal.partition_job)
	RETURNS SETOF uidext_internal.partition_result
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	period partition_period;
	missing partition_period[] := job.missing;
	result partition_result;
BEGIN
	-- the lists would be copied for each of their members
	job.periods := NULL;
	job.missing := NULL;
	job.old := NULL;
	FOREACH period IN ARRAY coalesce(missing, '{}') LOOP
		result := partition_try('partition_make_period', job, period);
		result.partition := coalesce(result.partition, partition_label(job.parent, period.suffix, job.schema));
		result.from_time := period.from_time;
		result.to_time := period.to_time;
		result.action := CASE WHEN result.problem IS NOT NULL THEN 'not created'
			WHEN job.dry_run THEN 'to be created' ELSE 'created' END;
		RETURN NEXT result;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_extend(uidext_internal.partition_job) IS
	'makes the missing partitions of a job, and says of each whether it is there; raises as partition_try()';
