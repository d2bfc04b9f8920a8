-- Partitions: retention

-- What a wrong sign would do here cannot be undone.
CREATE FUNCTION uidext_internal.partition_check_age(older_than timestamptz) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF NOT isfinite(older_than) OR older_than > now() THEN
		RAISE EXCEPTION 'older_than must be finite and not in the future'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('older_than is %s.', older_than);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_age(timestamptz) IS
	'raises 22023 for a time up to which nothing shall be removed: one in the future, or infinite';

-- Before rows leave, the server looks for others that refer to them, with the caller's rights.
-- Not STRICT, so that it becomes part of its caller's plan, which is kept.
CREATE FUNCTION uidext_internal.partition_references(
	partition regclass, OUT name name, OUT relation regclass, OUT condition text, OUT readable bool, OUT hidden regclass
) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT c.conname, c.conrelid::regclass, pg_catalog.string_agg(
			pg_catalog.format('p.%I OPERATOR(%I.%s) f.%I', p.attname, n.nspname, o.oprname, f.attname), ' AND ' ORDER BY k.n),
		bool_and(has_schema_privilege(t.relnamespace, 'USAGE') AND has_column_privilege(t.oid, f.attnum, 'SELECT')),
		CASE WHEN row_security_active(c.conrelid) THEN c.conrelid::regclass
			WHEN row_security_active(partition::oid) THEN partition END
	FROM pg_catalog.pg_constraint c
		JOIN pg_catalog.pg_class t ON t.oid = c.conrelid
		CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(c.conkey), pg_catalog.unnest(c.confkey), pg_catalog.unnest(c.conpfeqop))
			WITH ORDINALITY k(f, p, operator, n)
		JOIN pg_catalog.pg_attribute f ON f.attrelid = c.conrelid AND f.attnum = k.f
		JOIN pg_catalog.pg_attribute p ON p.attrelid = c.confrelid AND p.attnum = k.p
		JOIN pg_catalog.pg_operator o ON o.oid = k.operator
		JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
	WHERE c.contype = 'f' AND c.confrelid = partition::oid AND c.conparentid <> 0::oid
	GROUP BY c.oid, c.conname, c.conrelid;
END;
COMMENT ON FUNCTION uidext_internal.partition_references(regclass) IS
	'foreign keys to a partition that are its parent''s: their tables, f, the condition under which a row of these refers '
	'to one of the partition, p, whether the caller may read that, and which of both row security hides rows of';

CREATE FUNCTION uidext_internal.partition_check_attached(partition regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	parent regclass := (SELECT inhparent FROM pg_inherits WHERE inhrelid = partition AND inhdetachpending);
BEGIN
	IF parent IS NOT NULL THEN
		RAISE EXCEPTION 'partition % waits to be detached', partition
			USING ERRCODE = 'object_in_use',
				HINT = format('Unless a session is at it: ALTER TABLE %s DETACH PARTITION %s FINALIZE', parent, partition);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_attached(regclass) IS
	'an error 55006 for a partition that waits to be detached';

CREATE FUNCTION uidext_internal.partition_check_removable(parent regclass, partition regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	unread record;
BEGIN
	PERFORM partition_check_attached(partition);
	SELECT * INTO unread FROM partition_references(partition) r WHERE NOT r.readable OR r.hidden IS NOT NULL LIMIT 1;
	IF NOT unread.readable THEN
		RAISE EXCEPTION 'table % refers to table % and cannot be read', unread.relation, parent
			USING ERRCODE = 'insufficient_privilege',
				DETAIL = 'Before a partition is detached, the server looks there for rows that refer to it.',
				HINT = format('GRANT SELECT ON %s TO %I, and USAGE on its schema.', unread.relation, current_user);
	ELSIF unread.hidden IS NOT NULL THEN
		RAISE EXCEPTION 'row security hides rows of table % from role "%"', unread.hidden, current_user
			USING ERRCODE = 'insufficient_privilege',
				DETAIL = format('Before partition %s is detached, the server looks for rows of table %s that refer to it.',
					partition, unread.relation),
				HINT = format('ALTER ROLE %I BYPASSRLS, or, where it owns it, ALTER TABLE %s NO FORCE ROW LEVEL SECURITY.',
					current_user, unread.hidden);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_removable(regclass, regclass) IS
	'an error 55006 for a partition that waits to be detached; raises 42501 where the caller may not read a table that '
	'refers to it, or row security hides rows of either';

-- What a dry run can see of what would keep a partition from going.
CREATE FUNCTION uidext_internal.partition_check_removal(
	partition regclass, detach_only bool, gone regclass[]
) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET row_security = off
AS $$
DECLARE
	reference record;
	is_referred bool;
	dependent text;
	-- detached, they refer to rows of the table all the same
	leaves oid[] := CASE WHEN detach_only THEN '{}' ELSE ARRAY(SELECT partition_beneath(g) FROM unnest(gone) g) END;
BEGIN
	FOR reference IN SELECT * FROM partition_references(partition) LOOP
		EXECUTE format('SELECT EXISTS (SELECT FROM %s f JOIN %s p ON %s WHERE f.tableoid <> ALL ($1))',
			reference.relation, partition, reference.condition)
			INTO is_referred USING leaves;
		IF is_referred THEN
			RAISE EXCEPTION 'rows of table % refer to rows of partition %', reference.relation, partition
				USING ERRCODE = 'foreign_key_violation';
		END IF;
	END LOOP;
	SELECT pg_describe_object(d.classid, d.objid, d.objsubid) INTO dependent
	FROM partition_beneath(partition) b(oid)
		JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = b.oid AND d.deptype = 'n'
		LEFT JOIN pg_constraint c ON d.classid = 'pg_constraint'::regclass AND c.oid = d.objid
		LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
	WHERE NOT detach_only
		AND (d.classid = 'pg_proc'::regclass OR c.contype = 'f' AND c.conparentid = 0 AND c.confrelid = b.oid
				AND c.conrelid <> ALL (leaves)
		OR r.ev_class NOT IN (SELECT partition_beneath(partition)))
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION '% depends on partition %', dependent, partition USING ERRCODE = 'dependent_objects_still_exist';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_removal(regclass, bool, regclass[]) IS
	'raises 23503 where rows refer to those of a partition, but for rows of tables that will be gone, 2BP01 where a view, '
	'function or foreign key to it alone keeps it from being dropped';

-- Detached first, because then foreign keys to the parent are checked rather
-- than in the way: by a query of the caller's, from which policies would hide rows.
CREATE FUNCTION uidext_internal.partition_remove(parent regclass, partition regclass, detach_only bool) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET row_security = off
AS $$
DECLARE
	-- an older snapshot may show a row twice: as it was, and as this transaction has changed it since
	kind text := (SELECT DISTINCT CASE relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END FROM pg_class
		WHERE oid = partition);
BEGIN
	-- what is no longer there cannot be detached
	PERFORM partition_confirm(partition,
		EXISTS (SELECT FROM pg_partition_ancestors(partition) a WHERE a.relid = parent));
	EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, partition);
	-- A snapshot shows a row as it was while others have changed it since: bounds, which
	-- it then knows of before, too.  What this transaction alone has changed it shows as
	-- it is, and that is a partition no longer.
	PERFORM partition_confirm(partition,
		NOT EXISTS (SELECT FROM pg_class WHERE oid = partition AND relispartition));
	IF NOT detach_only THEN
		EXECUTE format('DROP %s %s', kind, partition);
		PERFORM partition_confirm(partition, NOT EXISTS (SELECT FROM pg_class WHERE oid = partition));
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_remove(regclass, regclass, bool) IS
	'drops one partition, or only detaches it; 40001 where others have changed it since the transaction''s snapshot; '
	'raises what the server does';

-- Rows that refer to others go before these.
CREATE FUNCTION uidext_internal.partition_family(followers regclass[], partition regclass) RETURNS regclass[]
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT ARRAY(
		SELECT i.inhrelid::regclass
		FROM pg_catalog.unnest(followers) WITH ORDINALITY f(relation, n)
			JOIN pg_catalog.pg_inherits i ON i.inhrelid = uidext_internal.partition_with_bound(
				f.relation, uidext_internal.partition_bound_of(partition))::oid
		ORDER BY f.n DESC
	) OPERATOR(pg_catalog.||) partition;
END;
COMMENT ON FUNCTION uidext_internal.partition_family(regclass[], regclass) IS
	'the partitions of followers that have the bounds of one, the last follower''s first, and that one';

-- Where else rows of a period may be: a follower with a partition of its bounds has none.
CREATE FUNCTION uidext_internal.partition_beside(
	followers regclass[], layout text, period uidext_internal.partition_period
) RETURNS regclass[]
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT ARRAY(
		SELECT r.partition
		FROM pg_catalog.unnest(followers) f(relation)
			CROSS JOIN LATERAL uidext_internal.partition_ranges(f.relation, layout) r
		-- two that touch share an id; times are too coarse to tell
		WHERE r.from_time <= (period).to_time AND r.to_time >= (period).from_time
			AND (r.from_id = (period).to_id) IS NOT TRUE AND (r.to_id = (period).from_id) IS NOT TRUE
		UNION ALL
		SELECT t.partdefid::regclass FROM pg_catalog.pg_partitioned_table t
		WHERE t.partrelid = ANY (followers::oid[]) AND t.partdefid <> 0::oid);
END;
COMMENT ON FUNCTION uidext_internal.partition_beside(regclass[], text, uidext_internal.partition_period) IS
	'partitions of followers that overlap a period, and their default partitions; raises as partition_ranges()';

CREATE FUNCTION uidext_internal.partition_check_left(
	partition regclass, period uidext_internal.partition_period
) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	column_name name := (
		SELECT a.attname
		FROM pg_inherits i
			JOIN pg_partitioned_table t ON t.partrelid = i.inhparent
			JOIN pg_attribute a ON a.attrelid = t.partrelid AND a.attnum = t.partattrs[0]
		WHERE i.inhrelid = partition);
BEGIN
	PERFORM partition_check_attached(partition);
	PERFORM partition_check_visible(partition);
	IF partition_edge(partition, column_name, period.from_id, period.to_id, false) IS NOT NULL THEN
		RAISE EXCEPTION 'follower''s partition % has rows like those of %', partition, period.partition
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'They would stay without the rows to which they refer.',
				HINT = 'uuid_partition_drain() brings rows out of a default partition.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_left(regclass, uidext_internal.partition_period) IS
	'an error 55006 for a follower''s partition that waits to be detached; raises 55000 for one that has rows of a period, '
	'42501 for one whose rows the caller does not all see';

-- Detached, it would leave the rows that refer to its own.
CREATE FUNCTION uidext_internal.partition_check_pairs(family regclass[]) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	leaves oid[] := ARRAY(SELECT partition_beneath(m) FROM unnest(family) m);
	pair record;
BEGIN
	SELECT k.conrelid::regclass AS child, k.confrelid::regclass AS parent INTO pair
	FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid AND c.relispartition
	WHERE k.contype = 'f' AND k.conparentid = 0 AND k.confrelid = ANY (leaves) AND k.conrelid <> ALL (leaves)
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'partition % refers to partition %', pair.child, pair.parent
			USING ERRCODE = 'foreign_key_violation',
				HINT = 'It goes first: name its table among the followers of uuid_partition_maintain().';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_pairs(regclass[]) IS
	'raises 23503 where a foreign key leads to partitions, or what is beneath them, from a partition that is not among them';

CREATE FUNCTION uidext_internal.partition_remove_period(
	job uidext_internal.partition_job, period uidext_internal.partition_period
) RETURNS uidext_internal.partition_result
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	result partition_result;
	-- before others wait
	family regclass[] := partition_family(job.followers, period.partition);
	parents regclass[] := ARRAY(SELECT coalesce(i.inhparent, job.parent) FROM unnest(family) WITH ORDINALITY f(relation, n)
		LEFT JOIN pg_inherits i ON i.inhrelid = f.relation ORDER BY f.n);
	beside regclass[] := partition_beside(ARRAY(SELECT f FROM unnest(job.followers) f WHERE f <> ALL (parents)),
		job.layout, period);
	locked regclass[] := job.parent || job.followers || ARRAY(SELECT partition_beneath(b)::regclass FROM unnest(beside) b);
BEGIN
	result.partition := period.partition::text;
	PERFORM partition_check_removable(f.parent, f.member) FROM unnest(parents, family) f(parent, member);
	PERFORM partition_check_pairs(family);
	PERFORM partition_check_left(b, period) FROM unnest(beside) b;
	-- All at once and the parent first, as those lock them who join them: whoever has the
	-- parent already would else wait here for a follower, and this call for the parent.
	-- The command never has another effect.
	IF cardinality(job.followers) > 0 AND NOT job.dry_run THEN
		PERFORM partition_run(ARRAY(
			SELECT format('ALTER TABLE ONLY %s SET WITHOUT OIDS', l.relation)
			FROM unnest(locked) WITH ORDINALITY l(relation, n)
			ORDER BY l.n));
		PERFORM partition_check_left(b, period) FROM unnest(beside) b;
	END IF;
	FOR i IN 1 .. cardinality(family) LOOP
		IF job.dry_run THEN
			PERFORM partition_check_removal(family[i], job.detach_only, family[: i - 1]);
		ELSE
			PERFORM partition_remove(parents[i], family[i], job.detach_only);
		END IF;
	END LOOP;
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_remove_period(uidext_internal.partition_job,
	uidext_internal.partition_period) IS
	'drops or detaches the partition of one period, after those of followers, or in a dry run looks for what would keep '
	'them from going; raises as partition_check_removable(), partition_check_pairs(), partition_check_left(), '
	'partition_remove() and partition_check_removal()';

-- One after the other.  Those of a backlog take their turn, because whoever drops
-- them holds all their locks.
CREATE FUNCTION uidext_internal.partition_retire(job uidext_internal.partition_job)
	RETURNS SETOF uidext_internal.partition_result
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	old record;
	-- without the lists, which would be copied for each of their members
	each partition_job := job;
	result partition_result;
	names text[];
	tables bigint := 0;
	size bigint;
BEGIN
	each.periods := NULL;
	each.old := NULL;
	each.missing := NULL;
	-- Detaching looks up every partition, which is quicker the second time.
	IF cardinality(job.old) > 0 AND NOT job.dry_run THEN
		PERFORM pg_relation_is_publishable(i.inhrelid)
		FROM pg_inherits i
		WHERE i.inhparent = ANY (job.parent || job.followers);
	END IF;
	FOR old IN
		SELECT p AS period, partition_family(job.followers, p.partition) AS family, s.rows, s.bytes
		FROM unnest(job.old) p
			LEFT JOIN partition_sizes(CASE WHEN job.sizes THEN ARRAY(SELECT o.partition FROM unnest(job.old) o) END) s
				ON s.partition = p.partition
		ORDER BY p.from_time, p.to_time
	LOOP
		EXIT WHEN tables >= job.most;
		size := (SELECT count(*) FROM unnest(old.family) m, partition_beneath(m));
		names := old.family::text[];
		IF job.obstacle IS NULL THEN
			result := partition_try('partition_remove_period', each, old.period);
		ELSE
			result.problem := job.obstacle;
		END IF;
		-- not of what cannot go, which keeps no locks
		IF result.problem IS NULL OR job.obstacle IS NOT NULL THEN
			tables := tables + size;
		END IF;
		result.action := CASE WHEN result.problem IS NOT NULL THEN 'not ' WHEN job.dry_run THEN 'to be ' ELSE '' END
			|| CASE WHEN job.detach_only THEN 'detached' ELSE 'dropped' END;
		result.from_time := (old.period).from_time;
		result.to_time := (old.period).to_time;
		result.rows := old.rows;
		result.bytes := old.bytes;
		FOREACH result.partition IN ARRAY names LOOP
			RETURN NEXT result;
		END LOOP;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_retire(uidext_internal.partition_job) IS
	'drops or detaches the old partitions of a job, until these were so many tables, and says of each whether it went, or '
	'of an obstacle that keeps them all; raises as partition_try()';

CREATE FUNCTION uuid_partition_drop(
	parent regclass, older_than timestamptz, detach_only bool DEFAULT false, dry_run bool DEFAULT false,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint,
	OUT bytes bigint, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	job partition_job;
BEGIN
	IF num_nulls(parent, older_than, detach_only, dry_run) > 0 THEN
		RAISE EXCEPTION 'no argument may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM partition_check_age(older_than);
	job := partition_key(parent);
	job.detach_only := detach_only;
	job.sizes := true;
	job.dry_run := dry_run;
	job.tolerant := dry_run;
	job := partition_begin(job);
	job.old := ARRAY(SELECT p FROM unnest(job.periods) p WHERE p.to_time <= older_than ORDER BY p.from_time, p.to_time);
	IF NOT dry_run THEN
		PERFORM partition_end_vacuums(ARRAY(SELECT p.partition FROM unnest(job.old) p));
	END IF;
	FOR action, partition, from_time, to_time, rows, bytes, problem IN
		SELECT r.action, r.partition, r.from_time, r.to_time, r.rows, r.bytes, r.problem
		FROM partition_retry('partition_attempt', job) r
	LOOP
		IF NOT dry_run OR problem IS NOT NULL THEN
			PERFORM partition_report(parent, partition, action, problem);
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_drop(regclass, timestamptz, bool, bool) IS
	'drops the range partitions that end at or before a time, or only detaches them; returns what went, or with '
	'dry_run what would go, and what would fail, with a warning; never the default partition; 55006 for one that '
	'waits to be detached, 40001 for one that others have changed since the transaction''s snapshot, 55P03 when others '
	'keep it waiting; raises 22023 for a time in the future, or a table that is not partitioned by time, 42501 for '
	'callers who are not the owner, or do not see all rows of a table that refers to it';
