-- Partitions: creation

-- What a dry run can see of what would keep a partition from being made.
CREATE FUNCTION uidext_internal.partition_check_creation(
	job uidext_internal.partition_job, partition text, from_id text, to_id text
) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	default_partition regclass := partition_default(job.parent);
BEGIN
	PERFORM partition_check_neighbour(job.parent, job.neighbour);
	PERFORM partition_model(b) FROM partition_beneath(job.template) b;
	-- from 16 on to_regclass() takes what is no name for a name of nothing
	IF parse_ident(partition) IS NOT NULL AND to_regclass(partition) IS NOT NULL THEN
		RAISE EXCEPTION 'relation "%" already exists', partition USING ERRCODE = 'duplicate_table';
	END IF;
	PERFORM partition_check_visible(default_partition);
	IF partition_edge(default_partition, job.column_name, from_id, to_id, false) IS NOT NULL THEN
		RAISE EXCEPTION 'default partition % has rows of this period', default_partition USING ERRCODE = 'check_violation';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_creation(uidext_internal.partition_job, text, text, text) IS
	'raises 42P07 where the name of a partition to be made is taken, 22023 for what is no name, 23514 where the default '
	'partition has rows of it, 42501 where the caller does not see all of these, 22P02 for bounds that are no ids, and as '
	'partition_check_neighbour() and partition_model()';

CREATE FUNCTION uidext_internal.partition_attempt(job uidext_internal.partition_job)
	RETURNS SETOF uidext_internal.partition_result
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	jobs partition_job[] := partition_follow_jobs(job);
	gone partition_result[];
	made partition_result[];
BEGIN
	-- Dropping locks the parent, and making a default partition: in the order of every reader,
	-- because the other way round they would wait for each other.
	gone := ARRAY(SELECT r FROM partition_retire(job) r);
	made := ARRAY(SELECT r FROM partition_extend(job) r);
	RETURN QUERY SELECT * FROM unnest(gone || made);
	RETURN QUERY SELECT * FROM partition_extend_followers(jobs, gone || made);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_attempt(uidext_internal.partition_job) IS
	'one attempt to do a job: old partitions go, and missing ones come, then those of followers; raises as partition_try()';

CREATE FUNCTION uidext_internal.partition_requested(job uidext_internal.partition_job)
	RETURNS uidext_internal.partition_period[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	RETURN ARRAY(
		SELECT ROW(NULL, w.from_id, w.to_id, b.from_time, b.to_time, false,
			partition_suffix(b.from_time, job.step, job.tz))::partition_period
		FROM @extschema@.uuid_partition_bounds(job.start, job.stop, job.step, job.tz) b
			CROSS JOIN LATERAL (SELECT partition_boundary(job.layout, b.from_time), partition_boundary(job.layout, b.to_time)
			) w(from_id, to_id)
			LEFT JOIN unnest(job.periods) p ON NOT p.detach_pending AND p.from_id = w.from_id AND p.to_id = w.to_id
		WHERE p.partition IS NULL
		ORDER BY b.from_time);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_requested(uidext_internal.partition_job) IS
	'the periods of one step from start until stop for which there is no partition; raises as uuid_partition_bounds()';

CREATE FUNCTION uuid_partition_create(
	parent regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	template regclass DEFAULT NULL, OUT partition regclass
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	job partition_job;
BEGIN
	IF num_nulls(parent, start, stop, step, tz) > 0 THEN
		RAISE EXCEPTION 'no argument but template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	job := partition_key(parent);
	PERFORM partition_check_start(start, stop, step, tz);
	job.start := start;
	job.stop := stop;
	job.step := step;
	job.tz := tz;
	job.template := template;
	job := partition_begin(job);
	job.missing := partition_requested(job);
	RETURN QUERY SELECT r.made FROM partition_retry('partition_attempt', job) r;
END
$$;
COMMENT ON FUNCTION uuid_partition_create(regclass, timestamptz, timestamptz, interval, text, regclass) IS
	'makes the missing range partitions of one step from start until stop; returns them; they are like a template and the '
	'newest partition, and in its schema; 55P03 when others keep it waiting; raises 42809 for a table that is not '
	'partitioned by range on one uuid column, 42501 for callers who are not its owner, 22023 for more than 10,000 '
	'partitions, a step of days or longer from a start that is no midnight in tz, or a table that is not partitioned by '
	'time, 22008 for times that no id holds';
