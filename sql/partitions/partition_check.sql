-- Partitions: alarm

-- Up to when there is a partition for every time from now on; NULL when there is none for now.
CREATE FUNCTION uidext_internal.partition_covered(periods uidext_internal.partition_period[]) RETURNS timestamptz
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	period record;
	covered timestamptz;
BEGIN
	FOR period IN
		SELECT p.from_time, p.to_time FROM unnest(periods) p
		WHERE p.to_time > now() AND NOT p.detach_pending
		ORDER BY p.from_time, p.to_time
	LOOP
		EXIT WHEN period.from_time > coalesce(covered, now());
		covered := greatest(covered, period.to_time);
	END LOOP;
	RETURN covered;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_covered(uidext_internal.partition_period[]) IS
	'up to when there is a partition for every time from now on; NULL when there is none for now';

-- Of a domain, as iuid is in the SQL edition, the default class is core's.
CREATE FUNCTION uidext_internal.partition_hashed_by_core(parent regclass, OUT relation regclass, OUT message text)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partrelid::regclass,
		pg_catalog.format('table %s is partitioned by core''s own hash of an iuid, which knows no country',
			p.partrelid::regclass)
	FROM pg_catalog.pg_partitioned_table p
		JOIN pg_catalog.pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_catalog.pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partstrat = 'h' AND p.partnatts = 1::smallint
		AND a.atttypid = '@extschema@.iuid'::regtype::oid AND o.opcnamespace = 'pg_catalog'::regnamespace::oid
		AND (p.partrelid = parent::oid
			OR EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = parent::oid AND i.inhrelid = p.partrelid));
END;
COMMENT ON FUNCTION uidext_internal.partition_hashed_by_core(regclass) IS
	'the table and those of its partitions that core''s own hash of an iuid partitions, with what uuid_partition_check() '
	'says of it';

-- Partitions are made from one millisecond, or longer tick, to another.
CREATE FUNCTION uidext_internal.partition_broken_bounds(job uidext_internal.partition_job) RETURNS SETOF regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partition
	FROM (
		SELECT n.*, pg_catalog.lag(n.to_id) OVER w AS previous_id, pg_catalog.lead(n.from_id) OVER w AS next_id
		FROM pg_catalog.unnest((job).periods) n
		WINDOW w AS (ORDER BY n.from_time, n.to_time)
	) p
	WHERE CASE WHEN p.previous_id IS DISTINCT FROM p.from_id
			THEN uidext_internal.partition_boundary((job).layout, p.from_time) <> p.from_id END
		OR CASE WHEN p.next_id IS DISTINCT FROM p.to_id
			THEN uidext_internal.partition_boundary((job).layout, p.to_time) <> p.to_id END
	ORDER BY p.from_time, p.to_time;
END;
COMMENT ON FUNCTION uidext_internal.partition_broken_bounds(uidext_internal.partition_job) IS
	'the partitions beside which there is a gap that begins or ends where uuid_partition_maintain() makes none; raises as '
	'partition_boundary()';

-- Divided by the key of the table, parts hold their own time; divided otherwise, all of it.
CREATE FUNCTION uidext_internal.partition_parts(
	relation regclass, column_name name, layout text, OUT partition regclass, OUT from_time timestamptz,
	OUT to_time timestamptz
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass, coalesce(r.from_time, '-infinity'), coalesce(r.to_time, 'infinity')
	FROM pg_catalog.pg_partitioned_table d
		LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = d.partrelid AND a.attname = column_name
			AND d.partstrat = 'r' AND d.partnatts = 1::smallint AND a.attnum = d.partattrs[0]
		JOIN pg_catalog.pg_inherits i ON i.inhparent = d.partrelid AND NOT i.inhdetachpending
		LEFT JOIN LATERAL uidext_internal.partition_ranges(CASE WHEN a.attnum IS NOT NULL THEN relation END, layout) r
			ON r.partition::oid = i.inhrelid
	WHERE d.partrelid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_parts(regclass, name, text) IS
	'the partitions of a partition, and the time that each can hold of it; raises as partition_ranges()';

CREATE FUNCTION uidext_internal.partition_leaves(job uidext_internal.partition_job)
	RETURNS uidext_internal.partition_period[]
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH RECURSIVE beneath(partition, from_time, to_time) AS (
		SELECT p.partition::oid, p.from_time, p.to_time FROM pg_catalog.unnest((job).periods) p
		WHERE p.to_time > now() AND NOT p.detach_pending
		UNION ALL
		SELECT r.partition::oid, greatest(b.from_time, r.from_time), least(b.to_time, r.to_time)
		FROM beneath b
			JOIN pg_catalog.pg_partitioned_table d ON d.partrelid = b.partition
			CROSS JOIN LATERAL uidext_internal.partition_parts(d.partrelid::regclass, (job).column_name, (job).layout) r
	)
	SELECT ARRAY(
		SELECT ROW(b.partition::regclass, NULL, NULL, b.from_time, b.to_time, false, NULL)::uidext_internal.partition_period
		FROM beneath b
		WHERE b.from_time < b.to_time
			AND NOT EXISTS (SELECT FROM pg_catalog.pg_partitioned_table d WHERE d.partrelid = b.partition));
END;
COMMENT ON FUNCTION uidext_internal.partition_leaves(uidext_internal.partition_job) IS
	'of the partitions that end after now, and what is beneath them, the tables where rows can land, with the times of '
	'such rows; raises as partition_ranges()';

CREATE FUNCTION uidext_internal.partition_filled(
	partitions regclass[], column_name name, OUT partition regclass, OUT source text
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partition, ''
	FROM pg_catalog.unnest(partitions) p(partition)
	WHERE uidext_internal.partition_edge(p.partition, column_name, NULL::text, NULL::text, true) IS NOT NULL
	UNION ALL
	SELECT s.partition, ', by the statistics'
	FROM uidext_internal.partition_sizes(partitions) s
	WHERE s.rows > 0::bigint AND NOT uidext_internal.partition_may_look(s.partition);
END;
COMMENT ON FUNCTION uidext_internal.partition_filled(regclass[], name) IS
	'those of some partitions that have rows, for others than the owner by the statistics; raises as partition_edge()';

-- Core looks into these tables as the owner, and runs what their owners put there.
CREATE FUNCTION uidext_internal.partition_foreign_keys(parent regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('foreign key "%s" joins the table with %s of role %I, whose code runs as the owner when partitions come and go',
		c.conname, other.oid::regclass, pg_get_userbyid(other.relowner))
	FROM pg_partition_ancestors(parent) own(relation)
		JOIN pg_catalog.pg_class t ON t.oid = own.relation::oid
		JOIN pg_catalog.pg_constraint c ON t.oid IN (c.conrelid, c.confrelid) AND c.contype = 'f' AND c.conparentid = 0::oid
		JOIN pg_catalog.pg_class other ON other.oid IN (c.conrelid, c.confrelid) AND other.oid <> t.oid
	WHERE NOT pg_has_role(other.relowner, t.relowner, 'MEMBER');
END;
COMMENT ON FUNCTION uidext_internal.partition_foreign_keys(regclass) IS
	'what uuid_partition_check() says of foreign keys that join a table with one whose owner could not become its own';

CREATE FUNCTION uidext_internal.partition_problems(job uidext_internal.partition_job) RETURNS SETOF text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	divided regclass[] := ARRAY(
		SELECT p.partition FROM unnest(job.periods) p JOIN pg_partitioned_table d ON d.partrelid = p.partition);
	defaults regclass[] := ARRAY(
		SELECT d.partdefid
		FROM unnest(divided) p, partition_beneath(p) b(oid) JOIN pg_partitioned_table d ON d.partrelid = b.oid
		WHERE d.partdefid <> 0);
BEGIN
	RETURN QUERY
		SELECT format('rows in the default partition %s%s', f.partition, f.source)
		FROM partition_filled(ARRAY[partition_default(job.parent)], job.column_name) f
		UNION ALL
		SELECT format('rows in default partitions of partitions: %s, the first is %s%s',
			count(*), min(f.partition::text), max(f.source))
		FROM partition_filled(defaults, job.column_name) f
		HAVING count(*) > 0
		UNION ALL
		SELECT format('partition %s is partitioned itself and has no partition', c)
		FROM unnest(job.periods) p JOIN unnest(divided) d ON d = p.partition, partition_childless(d) c
		WHERE p.to_time > now()
		UNION ALL
		SELECT format('partition %s waits to be detached', p.partition)
		FROM unnest(job.periods) p
		WHERE p.detach_pending
		UNION ALL
		SELECT h.message FROM partition_hashed_by_core(job.parent) h
		UNION ALL
		SELECT format('the gap beside partition %s begins or ends inside a millisecond, for which no partition is made',
			b.partition)
		FROM partition_broken_bounds(job) b(partition)
		UNION ALL
		SELECT k FROM partition_foreign_keys(job.parent) k
		UNION ALL
		SELECT f FROM partition_family_problems(job) f;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_problems(uidext_internal.partition_job) IS
	'what uuid_partition_check() warns of in partitions of any age, and of followers; raises as partition_edge() and '
	'partition_check_followers()';

-- An alarm that never comes is seen by nobody.
CREATE FUNCTION uidext_internal.partition_check_ahead(ahead interval) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF ahead < '1 minute' AND ahead <> '0' THEN
		RAISE EXCEPTION 'ahead must be 0, or a minute or more'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('ahead is %s.', ahead),
				HINT = 'A number without a unit counts seconds: write ''30 days''.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_ahead(interval) IS
	'raises 22023 for a time below a minute that is not 0';

CREATE FUNCTION uidext_internal.partition_alarms(
	job uidext_internal.partition_job, ahead interval, keep interval, OUT severity int, OUT message text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	kept_since timestamptz := partition_kept_since(keep, 'UTC');
	covered timestamptz := partition_covered(partition_leaves(job));
	-- no time can be taken from infinity before 17
	until timestamptz := partition_add(now(), coalesce(ahead, least('7 days', (
		SELECT CASE WHEN isfinite(p.from_time) AND isfinite(p.to_time) THEN p.to_time - p.from_time END
		FROM unnest(job.periods) p
		WHERE NOT p.detach_pending
		ORDER BY p.from_time DESC
		LIMIT 1))), 'UTC');
BEGIN
	RETURN QUERY
		SELECT 2, 'no partition for the present' WHERE covered IS NULL
		UNION ALL
		SELECT 1, format('no partition from %s on', covered) WHERE covered < until
		UNION ALL
		SELECT 1, format('partitions older than %s: %s, the first is of %s', keep, count(*), min(p.from_time))
		FROM unnest(job.periods) p
		WHERE p.to_time <= kept_since
		HAVING count(*) > 0
		UNION ALL
		SELECT 1, p FROM partition_problems(job) p;
	IF NOT FOUND THEN
		RETURN QUERY SELECT 0, format('partitions up to %s', covered);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_alarms(uidext_internal.partition_job, interval, interval) IS
	'what uuid_partition_check() says of a table that is partitioned by time; raises 22023 for a keep below 0 or above '
	'5,000 years, and as partition_problems()';

CREATE FUNCTION uuid_partition_check(
	parent regclass, ahead interval DEFAULT NULL, keep interval DEFAULT NULL, followers regclass[] DEFAULT '{}',
	OUT severity int, OUT status text, OUT message text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	job partition_job;
	-- what is not partitioned by time has no other problem
	stranger text := (SELECT h.message FROM partition_hashed_by_core(parent) h WHERE h.relation = parent);
BEGIN
	IF num_nulls(parent, followers) > 0 THEN
		RAISE EXCEPTION 'neither parent nor followers may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM partition_check_ahead(ahead);
	IF stranger IS NULL THEN
		job := partition_column(parent);
		job.followers := followers;
		stranger := format('table %s is not partitioned by time: ', parent) || partition_disorder(job);
	END IF;
	RETURN QUERY
		SELECT a.severity, (ARRAY['OK', 'WARNING', 'CRITICAL'])[a.severity + 1], a.message
		FROM (
			SELECT 1, stranger WHERE stranger IS NOT NULL
			UNION ALL
			SELECT a.severity, a.message FROM partition_alarms(job, ahead, keep) a WHERE stranger IS NULL
		) a(severity, message)
		ORDER BY a.severity DESC, a.message;
END
$$;
COMMENT ON FUNCTION uuid_partition_check(regclass, interval, interval, regclass[]) IS
	'what is wrong with a table''s partitions, worst first, else one line OK: 0 OK, 1 WARNING, 2 CRITICAL, when no row of '
	'the present finds a partition; of a table partitioned by hash only whether it is an iuid''s by core''s class, which '
	'knows no country; of one that is not partitioned by time only that; of followers where their bounds differ, foreign '
	'keys are to the whole table or lack, default partitions have rows, and joins by partition are off; ahead is, unless '
	'given, the length of the newest range partition, at most 7 days; reads, of others'' tables catalogs and statistics '
	'only; raises 42809 for other tables, 42P01 for none, 22004 for NULL among the followers, 22023 for one named twice or '
	'before one that it refers to, a keep below 0 or above 5,000 years, or an ahead below a minute that is not 0';
