-- Partitions: tables that belong together
--
-- A child whose key carries its parent's id is partitioned as its parent is: by
-- the same bounds, so that the server joins pairs of partitions, and with foreign
-- keys from one partition of a pair to the other, so that no key searches all.

CREATE FUNCTION uidext_internal.partition_check_pair(child regclass, parent regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	IF child = parent THEN
		RAISE EXCEPTION 'table % cannot follow itself', child USING ERRCODE = 'invalid_parameter_value';
	END IF;
	PERFORM partition_key(child);
	IF NOT EXISTS (
		SELECT FROM pg_partitioned_table c
			JOIN pg_partitioned_table p ON p.partrelid = parent AND p.partclass::oid[] = c.partclass::oid[]
		WHERE c.partrelid = child)
	THEN
		RAISE EXCEPTION 'tables % and % are partitioned by columns of different types', child, parent
			USING ERRCODE = 'datatype_mismatch', HINT = 'The child''s key has the type of the parent''s.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_pair(regclass, regclass) IS
	'raises 42804 for two tables that are partitioned by different types, 22023 for one table, and as partition_key() for '
	'the child; whoever calls this has the key of the parent';

-- What the server shows of a bound makes another one of it.
CREATE FUNCTION uidext_internal.partition_bounds_of(
	parent regclass, OUT partition regclass, OUT bound text, OUT suffix text
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT c.oid::regclass, pg_get_expr(c.relpartbound, 0::oid),
		CASE WHEN starts_with(c.relname::text, p.relname::text || '_')
			THEN substr(c.relname::text, length(p.relname::text) + 2)
			ELSE c.relname::text END
	FROM pg_catalog.pg_inherits i
		JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
		JOIN pg_catalog.pg_class p ON p.oid = i.inhparent
	WHERE i.inhparent = parent::oid AND NOT i.inhdetachpending;
END;
COMMENT ON FUNCTION uidext_internal.partition_bounds_of(regclass) IS
	'the partitions of a table, the default one too, with their bounds as pg_get_expr(relpartbound) shows them and '
	'the ends of their names; but for those that wait to be detached';

-- The default partition last: it keeps others from coming while it has rows of theirs.
CREATE FUNCTION uidext_internal.partition_unfollowed(child regclass, parent regclass, layout text)
	RETURNS uidext_internal.partition_period[]
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT ARRAY(
		SELECT ROW(p.partition, r.from_id, r.to_id, r.from_time, r.to_time, false, p.suffix)::uidext_internal.partition_period
		FROM uidext_internal.partition_bounds_of(parent) p
			LEFT JOIN uidext_internal.partition_ranges(parent, layout) r ON r.partition::oid = p.partition::oid
			LEFT JOIN uidext_internal.partition_bounds_of(child) c ON c.bound = p.bound
		WHERE c.partition IS NULL
		ORDER BY r.from_time, r.to_time);
END;
COMMENT ON FUNCTION uidext_internal.partition_unfollowed(regclass, regclass, text) IS
	'the partitions of a parent with whose bounds a child has none, in the order of time, the default partition last; '
	'raises as partition_ranges()';

-- Rows that refer by another column may do so to any month.  By name, as columns of
-- templates and partitions may have other numbers.
CREATE FUNCTION uidext_internal.partition_root_keys(relation regclass, parent regclass, child regclass)
	RETURNS SETOF oid
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT c.oid
	FROM pg_catalog.pg_partitioned_table t
		JOIN pg_catalog.pg_attribute k ON k.attrelid = t.partrelid AND k.attnum = t.partattrs[0]
		JOIN pg_catalog.pg_attribute a ON a.attrelid = relation::oid AND a.attname = k.attname
		JOIN pg_catalog.pg_constraint c ON c.conrelid = a.attrelid AND a.attnum = ANY (c.conkey)
	WHERE t.partrelid = child::oid AND c.contype = 'f' AND c.confrelid = parent::oid AND c.conparentid = 0::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_root_keys(regclass, regclass, regclass) IS
	'the foreign keys from a table to another, as they were written, that hold the column by which a child is partitioned';

CREATE FUNCTION uidext_internal.partition_pair_keys(
	child regclass, OUT partition regclass, OUT leader regclass, OUT key oid
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT c.inhrelid::regclass, p.inhparent::regclass, k.oid
	FROM pg_catalog.pg_inherits c
		JOIN pg_catalog.pg_constraint k ON k.conrelid = c.inhrelid AND k.contype = 'f' AND k.conparentid = 0::oid
		JOIN pg_catalog.pg_inherits p ON p.inhrelid = k.confrelid AND NOT p.inhdetachpending
		JOIN pg_catalog.pg_class l ON l.oid = p.inhparent
	WHERE c.inhparent = child::oid
		AND l.relowner = (SELECT o.relowner FROM pg_catalog.pg_class o WHERE o.oid = child::oid)
		AND uidext_internal.partition_bound_of(c.inhrelid::regclass) = uidext_internal.partition_bound_of(p.inhrelid::regclass)
		AND k.oid IN (SELECT uidext_internal.partition_root_keys(c.inhrelid::regclass, k.confrelid::regclass, child));
END;
COMMENT ON FUNCTION uidext_internal.partition_pair_keys(regclass) IS
	'the foreign keys by the partition column from a child''s partitions to those of the same bounds of its owner''s tables, '
	'or to themselves';

-- Those that a drain has made have none.
CREATE FUNCTION uidext_internal.partition_newest_keys(child regclass, layout text, OUT leader regclass, OUT key oid)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT k.leader, k.key
	FROM uidext_internal.partition_pair_keys(child) k
		JOIN uidext_internal.partition_ranges(child, layout) r ON r.partition::oid = k.partition::oid
	ORDER BY r.from_time DESC
	FETCH FIRST ROW WITH TIES;
END;
COMMENT ON FUNCTION uidext_internal.partition_newest_keys(regclass, text) IS
	'the keys of partition_pair_keys() that the newest partition with any has; raises as partition_ranges()';

CREATE FUNCTION uidext_internal.partition_key_columns(relation oid, numbers smallint[], last_is text) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.replace(string_agg(
			CASE WHEN k.n = pg_catalog.cardinality(numbers) THEN last_is ELSE '' END || quote_ident(a.attname::text), ', '
			ORDER BY k.n), '%', '%%')
	FROM pg_catalog.unnest(numbers) WITH ORDINALITY k(attnum, n)
		JOIN pg_catalog.pg_attribute a ON a.attrelid = relation AND a.attnum = k.attnum;
END;
COMMENT ON FUNCTION uidext_internal.partition_key_columns(oid, smallint[], text) IS
	'columns of a foreign key, the last one after a word, for format(); NULL for no column';

-- As a key is written, from the catalogs: names alone are put into it.  Before 18
-- they lack two columns.
CREATE FUNCTION uidext_internal.partition_key_like(model oid) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('(%s) REFERENCES %%s (%s)%s ON UPDATE %s ON DELETE %s%s%s%s',
		uidext_internal.partition_key_columns(c.conrelid, c.conkey, period.word),
		uidext_internal.partition_key_columns(c.confrelid, c.confkey, period.word),
		CASE c.confmatchtype WHEN 'f' THEN ' MATCH FULL' END, act.on_update, act.on_delete,
		' (' || uidext_internal.partition_key_columns(c.conrelid, c.confdelsetcols, '') || ')',
		CASE WHEN c.condeferrable
			THEN CASE WHEN c.condeferred THEN ' DEFERRABLE INITIALLY DEFERRED' ELSE ' DEFERRABLE' END END,
		CASE pg_catalog.to_jsonb(c) OPERATOR(pg_catalog.->>) 'conenforced' WHEN 'false' THEN ' NOT ENFORCED' END)
	FROM pg_catalog.pg_constraint c
		CROSS JOIN LATERAL (SELECT
			CASE pg_catalog.to_jsonb(c) OPERATOR(pg_catalog.->>) 'conperiod' WHEN 'true' THEN 'PERIOD ' ELSE '' END) period(word)
		CROSS JOIN LATERAL (SELECT
			CASE c.confupdtype WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL'
				WHEN 'd' THEN 'SET DEFAULT' ELSE 'NO ACTION' END,
			CASE c.confdeltype WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL'
				WHEN 'd' THEN 'SET DEFAULT' ELSE 'NO ACTION' END
		) act(on_update, on_delete)
	WHERE c.oid = model;
END;
COMMENT ON FUNCTION uidext_internal.partition_key_like(oid) IS
	'what follows FOREIGN KEY for one with the columns, actions and options of another, with %s for the table '
	'that it refers to';

CREATE FUNCTION uidext_internal.partition_key_by_default(child regclass, parent regclass) RETURNS text
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	key text := quote_ident((partition_column(child)).column_name);
BEGIN
	IF (SELECT count(*) FROM pg_index WHERE indrelid = parent AND indisprimary AND indnkeyatts = 1) = 0 THEN
		RAISE EXCEPTION 'no key to the partitions of table % can be made of column % alone', parent, key
			USING ERRCODE = 'invalid_foreign_key',
				DETAIL = 'The parent has no primary key of one column.',
				HINT = 'Give a template, a table like the child with the foreign key to the parent, or foreign_keys => false.';
	END IF;
	RETURN format('(%s) REFERENCES %%s', replace(key, '%', '%%'));
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_key_by_default(regclass, regclass) IS
	'what follows FOREIGN KEY for one from the partition key of a child to the parent''s primary key; raises 42830 '
	'where that is of several columns, or none';

-- Of each the table whose partition it refers to, and what follows FOREIGN KEY.
CREATE FUNCTION uidext_internal.partition_newest_keys_like(child regclass, layout text) RETURNS text[]
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT nullif(ARRAY(
		SELECT ARRAY[k.leader::oid::text, uidext_internal.partition_key_like(k.key)]
		FROM uidext_internal.partition_newest_keys(child, layout) k
		ORDER BY k.key), '{}');
END;
COMMENT ON FUNCTION uidext_internal.partition_newest_keys_like(regclass, text) IS
	'the keys of partition_newest_keys() for a job; NULL for none; raises as partition_ranges()';

-- Which keys the partitions to come get: the template's, else the newest pair's, if one
-- leads to the parent, else the plain one beside those to the child itself; none where
-- the child itself has one, which they inherit.
CREATE FUNCTION uidext_internal.partition_key_wanted(child regclass, parent regclass, layout text, template regclass)
	RETURNS text[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	keys text[];
	to_parent bool;
BEGIN
	IF EXISTS (SELECT FROM partition_root_keys(child, parent, child)) THEN
		RETURN NULL;
	END IF;
	WITH found(place, leader, key) AS (
		SELECT 1, l.oid, c.oid
		FROM pg_constraint c JOIN pg_class l ON l.oid = c.confrelid AND l.relkind = 'p'
		WHERE c.conrelid = template AND c.oid IN (SELECT partition_root_keys(template, l.oid, child))
			AND (l.oid = parent OR NOT l.relispartition)
			AND l.relowner = (SELECT o.relowner FROM pg_class o WHERE o.oid = child)
		UNION ALL
		SELECT 2, k.leader, k.key FROM partition_newest_keys(child, layout) k
	)
	SELECT array_agg(ARRAY[f.leader::text, partition_key_like(f.key)] ORDER BY f.key), f.leads INTO keys, to_parent
	FROM (SELECT k.*, bool_or(k.leader = parent) OVER (PARTITION BY k.place) AS leads FROM found k) f
	WHERE f.leads OR f.leader = child
	GROUP BY f.place, f.leads ORDER BY f.leads DESC, f.place LIMIT 1;
	IF to_parent THEN
		RETURN keys;
	END IF;
	RETURN keys || ARRAY[ARRAY[parent::oid::text, partition_key_by_default(child, parent)]];
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_key_wanted(regclass, regclass, text, regclass) IS
	'the foreign keys for the partitions that a child gets, as partition_newest_keys_like() shows them; NULL where the '
	'child''s own partition key refers to the parent; raises as partition_key_by_default()';

-- Rows come to default partitions and leave them, each table's at its own time: no key.
CREATE FUNCTION uidext_internal.partition_refer(partition regclass, counterpart regclass, foreign_keys text[]) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	key text[];
	bound text := partition_bound_of(counterpart);
	leader regclass;
	referenced regclass;
BEGIN
	IF bound = 'DEFAULT' THEN
		RETURN;
	END IF;
	FOREACH key SLICE 1 IN ARRAY foreign_keys LOOP
		leader := key[1]::oid;
		PERFORM partition_check_owner(leader);
		referenced := partition_with_bound(leader, bound);
		IF referenced IS NULL THEN
			RAISE EXCEPTION 'table % has no partition like %, to which a foreign key would refer', leader, counterpart
				USING ERRCODE = 'object_not_in_prerequisite_state',
					HINT = format('Give it one first, by uuid_partition_follow(%L, ...).', leader);
		END IF;
		EXECUTE format('ALTER TABLE %s ADD FOREIGN KEY ', partition) || format(key[2], referenced);
		PERFORM partition_confirm(partition, (SELECT confrelid = referenced FROM pg_constraint
			WHERE contype = 'f' AND conrelid = partition AND conparentid = 0 ORDER BY oid DESC LIMIT 1));
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_refer(regclass, regclass, text[]) IS
	'gives a new partition its foreign keys, as partition_newest_keys_like() shows them, unless the one that it follows is '
	'a default partition; raises 55000 where a table has none of these bounds, 42501 where that is not the caller''s, '
	'40001 where their names have come to be other tables'', and what the server does';

CREATE FUNCTION uidext_internal.partition_follow_job(
	child regclass, parent regclass, template regclass, foreign_keys text[], dry_run bool
) RETURNS uidext_internal.partition_job
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	job partition_job := partition_key(child);
BEGIN
	job.leader := parent;
	job.template := template;
	job.foreign_keys := foreign_keys;
	job.dry_run := dry_run;
	job.tolerant := true;
	job := partition_begin(job);
	job.missing := partition_unfollowed(child, parent, job.layout);
	RETURN job;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_follow_job(regclass, regclass, regclass, text[], bool) IS
	'the job to make the partitions that a child lacks; raises as partition_key() and partition_begin()';

-- A follower of a follower refers to that one.
CREATE FUNCTION uidext_internal.partition_leader(foreign_keys text[], members regclass[]) RETURNS regclass
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT coalesce((
		SELECT m.relation
		FROM pg_catalog.unnest(members) WITH ORDINALITY m(relation, n)
		WHERE m.relation::oid::text = ANY (foreign_keys[:][:1])
		ORDER BY m.n DESC
		LIMIT 1), members[1]);
END;
COMMENT ON FUNCTION uidext_internal.partition_leader(text[], regclass[]) IS
	'of the members of a family the last to which keys lead, as partition_newest_keys_like() shows them, else the first';

-- Upkeep goes on with what the newest pair shows.  Missing is what the leader has and
-- gets: read before others wait, because it takes a while of thousands.
CREATE FUNCTION uidext_internal.partition_follow_jobs(job uidext_internal.partition_job)
	RETURNS uidext_internal.partition_job[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	jobs partition_job[] := '{}';
	each partition_job;
	keys text[];
BEGIN
	FOR i IN 1 .. coalesce(cardinality(job.followers), 0) LOOP
		keys := partition_newest_keys_like(job.followers[i], job.layout);
		each := partition_follow_job(job.followers[i], partition_leader(keys, job.parent || job.followers[: i - 1]), NULL, keys, job.dry_run);
		each.template := partition_model(each.neighbour);
		each.missing := each.missing || ARRAY(
			SELECT ROW(NULL, m.from_id, m.to_id, m.from_time, m.to_time, false, m.suffix)::partition_period
			FROM unnest(job || jobs) l, unnest(l.missing) m
			WHERE l.parent = each.leader AND NOT EXISTS (
				SELECT FROM unnest(each.periods) p WHERE (p.from_time, p.to_time) = (m.from_time, m.to_time)
				UNION ALL
				SELECT WHERE m.from_time IS NULL AND partition_default(each.parent) IS NOT NULL));
		each.periods := NULL;
		jobs := jobs || each;
	END LOOP;
	RETURN jobs;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_follow_jobs(uidext_internal.partition_job) IS
	'jobs to make the partitions that the followers of a job will lack, each like its table''s newest; raises as '
	'partition_follow_job()';

-- Some may have gone meanwhile.
CREATE FUNCTION uidext_internal.partition_extend_followers(
	jobs uidext_internal.partition_job[], done uidext_internal.partition_result[]
) RETURNS SETOF uidext_internal.partition_result
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	each partition_job;
	results partition_result[];
BEGIN
	FOREACH each IN ARRAY jobs LOOP
		each.missing := ARRAY(
			SELECT ROW(i.inhrelid, m.from_id, m.to_id, m.from_time, m.to_time, false, m.suffix)::partition_period
			FROM unnest(each.missing) m
				LEFT JOIN unnest(done) r ON m.partition IS NULL AND r.made IS NOT NULL
					AND (r.from_time, r.to_time) IS NOT DISTINCT FROM (m.from_time, m.to_time)
				LEFT JOIN pg_inherits i ON i.inhrelid = coalesce(m.partition, r.made) AND i.inhparent = each.leader
			WHERE CASE WHEN each.dry_run
				THEN NOT EXISTS (SELECT FROM unnest(done) g WHERE g.action ~ '^to be (dropped|detached)$'
					AND (g.from_time, g.to_time) = (m.from_time, m.to_time))
				ELSE i.inhrelid IS NOT NULL END
			ORDER BY m.from_time, m.to_time);
		results := ARRAY(SELECT r FROM partition_extend(each) r);
		-- a CHECK that is not the parent's may hold for the newest's period alone
		PERFORM partition_run(ARRAY(
			SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname)
			FROM unnest(results) r, partition_beneath(r.made) b(oid) JOIN pg_constraint c ON c.conrelid = b.oid
			WHERE c.contype = 'c' AND c.coninhcount = 0));
		done := done || results;
		RETURN QUERY SELECT * FROM unnest(results);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_extend_followers(
	uidext_internal.partition_job[], uidext_internal.partition_result[]) IS
	'makes the partitions that followers lack, with no CHECK but their parents'', if those that they follow are there, of '
	'which some have just gone or come, and says of each whether it is there; raises as partition_extend()';

CREATE FUNCTION uidext_internal.partition_check_followers(job uidext_internal.partition_job) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	follower regclass;
	leader regclass;
BEGIN
	FOREACH follower IN ARRAY coalesce(job.followers, '{}') LOOP
		IF follower IS NULL THEN
			RAISE EXCEPTION 'no follower may be NULL' USING ERRCODE = 'null_value_not_allowed';
		END IF;
		IF cardinality(array_positions(job.followers, follower)) > 1 THEN
			RAISE EXCEPTION 'follower % is named twice', follower USING ERRCODE = 'invalid_parameter_value';
		END IF;
		PERFORM partition_check_pair(follower, job.parent);
		-- new partitions would come before those that they refer to, and old ones go after them
		leader := (
			SELECT k.leader FROM partition_pair_keys(follower) k
			WHERE k.leader <> ALL (job.parent || job.followers[: array_position(job.followers, follower)])
			LIMIT 1);
		IF leader IS NOT NULL THEN
			RAISE EXCEPTION 'partitions of follower % refer to those of table %, which is not before it', follower, leader
				USING ERRCODE = 'invalid_parameter_value',
					HINT = format('Let table %s be the parent, or list it before %s.', leader, follower);
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_followers(uidext_internal.partition_job) IS
	'raises 22004 for NULL among the followers of a job, 22023 for one that is named twice, or not after all to which its '
	'partitions refer, and as partition_check_pair()';

-- After the parent, whose rows come first.  Partitions and rows that an older snapshot
-- does not show would stay without those to which they refer.
CREATE FUNCTION uidext_internal.partition_lock_followers(job uidext_internal.partition_job) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	follower regclass;
BEGIN
	IF cardinality(job.followers) > 0
		AND current_setting('transaction_isolation') IN ('repeatable read', 'serializable')
	THEN
		RAISE EXCEPTION 'tables with followers need a transaction that is READ COMMITTED'
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'BEGIN ISOLATION LEVEL READ COMMITTED, and call it there.';
	END IF;
	FOREACH follower IN ARRAY job.followers LOOP
		IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = follower) THEN
			RAISE EXCEPTION 'follower % has no partition', follower
				USING ERRCODE = 'object_not_in_prerequisite_state',
					HINT = format('SELECT * FROM uuid_partition_follow(%L, %L), which decides on foreign keys.',
						follower, job.parent);
		END IF;
		IF job.dry_run THEN
			PERFORM partition_check_owner(follower);
		ELSE
			PERFORM partition_lock(follower);
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock_followers(uidext_internal.partition_job) IS
	'an error 55000 for a follower without a partition, or above READ COMMITTED; else as partition_lock(), or in a dry '
	'run partition_check_owner()';

CREATE FUNCTION uuid_partition_follow(
	child regclass, parent regclass, template regclass DEFAULT NULL, foreign_keys bool DEFAULT true,
	dry_run bool DEFAULT false,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	job partition_job;
	keys text[];
BEGIN
	IF num_nulls(child, parent, foreign_keys, dry_run) > 0 THEN
		RAISE EXCEPTION 'no argument but template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	job := partition_key(parent);
	PERFORM partition_check_pair(child, parent);
	job.dry_run := dry_run;
	job := partition_begin(job);
	IF foreign_keys THEN
		keys := partition_key_wanted(child, parent, job.layout, template);
	END IF;
	IF foreign_keys AND keys IS NULL THEN
		RAISE WARNING 'table % has a foreign key to all of table %, and its partitions get none of their own', child, parent
			USING HINT = 'It searches all partitions. Give each pair a key of its own, NOT VALID and then validated, '
				'and drop it.';
	END IF;
	job := partition_follow_job(child, parent, template, keys, dry_run);
	FOR action, partition, from_time, to_time, problem IN
		SELECT r.action, r.partition, r.from_time, r.to_time, r.problem FROM partition_retry('partition_attempt', job) r
	LOOP
		IF problem IS NOT NULL OR NOT dry_run THEN
			PERFORM partition_report(child, partition, action, problem);
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_follow(regclass, regclass, regclass, bool, bool) IS
	'makes a child''s missing partitions like the parent''s; with exactly their bounds, the default partition too; '
	'never drops; each refers to its counterpart, but for the default one, unless foreign_keys is false or the '
	'child''s own partition key refers to the parent: as a template''s foreign keys of pairs, else the newest pair''s, '
	'if one is to the parent, else the partition key to the parent''s primary key; new ones are like a template and '
	'the newest partition; returns what it made, or with dry_run what it would make, and what would fail; warns of '
	'what it could not; 55P03 when others keep it waiting; raises 42501 for callers who do not own both tables, 42804 '
	'for keys of different types, 42830 for a parent without a primary key of one column, 42809 for tables that are '
	'not partitioned by range on one uuid column, 22023 for those that are not partitioned by time';

-- Where a pair is none the server joins all with all.
CREATE FUNCTION uidext_internal.partition_pair_problems(follower regclass, parent regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format(
			CASE WHEN pair.child IS NULL THEN 'partitions that follower %s lacks: %s, the first is like %s'
				ELSE 'partitions of follower %s with bounds that the table has not: %s, the first is %s' END,
			follower, pg_catalog.count(*), min(coalesce(pair.child, pair.own)::text))
	FROM (
		SELECT c.partition, p.partition
		FROM uidext_internal.partition_bounds_of(follower) c
			FULL JOIN uidext_internal.partition_bounds_of(parent) p ON p.bound = c.bound
	) pair(child, own)
	WHERE pair.child IS NULL OR pair.own IS NULL
	GROUP BY pair.child IS NULL;
END;
COMMENT ON FUNCTION uidext_internal.partition_pair_problems(regclass, regclass) IS
	'what uuid_partition_check() says of a follower''s bounds that differ';

CREATE FUNCTION uidext_internal.partition_key_problems(follower regclass, parent regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('foreign key "%s" of follower %s is to the whole table, and searches all of its partitions',
		c.conname, follower)
	FROM uidext_internal.partition_root_keys(follower, parent, follower) k(oid)
		JOIN pg_catalog.pg_constraint c ON c.oid = k.oid
	UNION ALL
	SELECT pg_catalog.format('partitions of follower %s without a foreign key to those of table %s: %s, the first is %s',
		follower, parent, pg_catalog.count(*), min(c.partition::text))
	FROM uidext_internal.partition_bounds_of(follower) c
		JOIN uidext_internal.partition_bounds_of(parent) p ON p.bound = c.bound
	WHERE c.bound <> 'DEFAULT' AND NOT EXISTS (
		SELECT FROM uidext_internal.partition_root_keys(c.partition, p.partition, follower))
		AND NOT EXISTS (SELECT FROM uidext_internal.partition_root_keys(follower, parent, follower))
	HAVING pg_catalog.count(*) > 0::bigint;
END;
COMMENT ON FUNCTION uidext_internal.partition_key_problems(regclass, regclass) IS
	'what uuid_partition_check() says of a follower''s foreign keys to a table: one to all of it, and partitions without '
	'one';

CREATE FUNCTION uidext_internal.partition_family_problems(job uidext_internal.partition_job) RETURNS SETOF text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	PERFORM partition_check_followers(job);
	RETURN QUERY
		SELECT 'enable_partitionwise_join is off, so that followers are not joined partition by partition'
		WHERE cardinality(job.followers) > 0 AND NOT current_setting('enable_partitionwise_join')::bool
		UNION ALL
		SELECT p
		FROM unnest(job.followers) WITH ORDINALITY f(relation, n),
			partition_leader(partition_newest_keys_like(f.relation, job.layout), job.parent || job.followers[: f.n - 1]) l,
			LATERAL (
				SELECT partition_pair_problems(f.relation, l)
				UNION
				SELECT partition_key_problems(f.relation, t)
				FROM (SELECT l UNION SELECT k.leader FROM partition_pair_keys(f.relation) k) t(t)
			) p(p)
		UNION ALL
		SELECT format('rows in the default partition %s of follower %s%s', p.partition, k.parent, p.source)
		FROM unnest(job.followers) f, partition_column(f) k,
			partition_filled(ARRAY[partition_default(k.parent)], k.column_name) p;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_family_problems(uidext_internal.partition_job) IS
	'what uuid_partition_check() says of the followers of a job; raises as partition_check_followers()';
