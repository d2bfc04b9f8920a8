-- Partitions: uuid_partition_check()
--
-- Everyone may call it, for example a monitor.  What it says of rows, it says only to the owner.

-- In the SQL edition iuid is a domain over uuid, whose default operator class is PostgreSQL's own.
CREATE FUNCTION uidext_internal.partition_hashed_without_country(parent regclass, OUT relation regclass, OUT message text)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT p.partrelid::regclass,
		pg_catalog.format('table %s is partitioned by PostgreSQL''s own hash of an iuid, which spreads the rows of a country '
			'over all partitions: create it with iuid_country_ops, or with a column of type uuid if you want that',
			p.partrelid::regclass)
	FROM pg_catalog.pg_partitioned_table p
		JOIN pg_catalog.pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_catalog.pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partstrat = 'h' AND p.partnatts = 1::smallint
		AND a.atttypid = '@extschema@.iuid'::regtype::oid AND o.opcnamespace = 'pg_catalog'::regnamespace::oid
		AND (p.partrelid = parent::oid
			OR EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = parent::oid AND i.inhrelid = p.partrelid));
END;
COMMENT ON FUNCTION uidext_internal.partition_hashed_without_country(regclass) IS
	'the table and those of its partitions that PostgreSQL''s own hash of an iuid partitions, with what uuid_partition_check() '
	'says of it';

-- Finds gaps between neighbours by comparing ids, because a gap between two partitions that were
-- made by hand can be shorter than a millisecond.
CREATE FUNCTION uidext_internal.partition_gaps_of_ids(t uidext_internal.partitioned_table) RETURNS SETOF regclass
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT p.partition
	FROM (
		SELECT n.*, pg_catalog.lag(n.to_id) OVER w AS previous_id, pg_catalog.lag(n.to_time) OVER w AS previous_time
		FROM pg_catalog.unnest((t).periods) n
		WINDOW w AS (ORDER BY n.from_time, n.to_time)
	) p
	WHERE p.previous_id <> p.from_id AND p.previous_time = p.from_time
	ORDER BY p.from_time, p.to_time;
END;
COMMENT ON FUNCTION uidext_internal.partition_gaps_of_ids(uidext_internal.partitioned_table) IS
	'the partitions before which there is a gap of less than a unit of the ids'' time';

-- A sub-partition by range of the same key holds only its own time.  One by another column, or by
-- list or hash, holds all the time of its parent.
CREATE FUNCTION uidext_internal.partition_parts_in_time(
	relation regclass, column_name name, layout text, OUT partition regclass, OUT from_time timestamptz,
	OUT to_time timestamptz
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT i.inhrelid::regclass, coalesce(r.from_time, '-infinity'), coalesce(r.to_time, 'infinity')
	FROM pg_catalog.pg_partitioned_table d
		LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = d.partrelid AND a.attname = column_name
			AND d.partstrat = 'r' AND d.partnatts = 1::smallint AND a.attnum = d.partattrs[0]
		JOIN pg_catalog.pg_inherits i ON i.inhparent = d.partrelid AND NOT i.inhdetachpending
		LEFT JOIN LATERAL uidext_internal.partition_periods(CASE WHEN a.attnum IS NOT NULL THEN relation END, layout) r
			ON r.partition::oid = i.inhrelid
	WHERE d.partrelid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_parts_in_time(regclass, name, text) IS
	'the partitions of a partition, and the time that each can hold of it; raises as partition_periods()';

-- Sub-partitions by list or hash have the same bounds in time.  The other columns of a row choose one of them,
-- so a time counts only if all of them hold it.  Those by ranges of the key follow one another in time.
CREATE FUNCTION uidext_internal.partition_held(relation regclass, column_name name, layout text) RETURNS tstzmultirange
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = relation) THEN
		RETURN '{(,)}';
	END IF;
	-- The fractions of a hash that its parts take make one together.  Of countries a table has only those that it needs.
	IF (SELECT sum(1 / substring(pg_get_expr(c.relpartbound, 0) FROM 'modulus ([0-9]+)')::numeric) < 0.999999
		FROM pg_partitioned_table d
			JOIN pg_opclass o ON o.oid = d.partclass[0] AND o.opcname NOT IN ('iuid_country_ops', 'uuid_country_ops')
			JOIN pg_inherits i ON i.inhparent = d.partrelid AND NOT i.inhdetachpending
			JOIN pg_class c ON c.oid = i.inhrelid
		WHERE d.partrelid = relation AND d.partstrat = 'h')
	THEN
		RETURN '{}';
	END IF;
	RETURN coalesce((
		SELECT range_agg(h.held)
		FROM (
			SELECT range_intersect_agg(partition_held(p.partition, column_name, layout))
				* tstzmultirange(tstzrange(p.from_time, p.to_time))
			FROM partition_parts_in_time(relation, column_name, layout) p
			WHERE p.from_time < p.to_time
			GROUP BY p.from_time, p.to_time
		) h(held)), '{}');
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_held(regclass, name, text) IS
	'the times whose rows find a table in a partition, whatever their other columns: all times unless it is partitioned '
	'itself; raises as partition_periods()';

CREATE FUNCTION uidext_internal.partition_covered(t uidext_internal.partitioned_table) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.upper(c.covered)
	FROM (
		SELECT pg_catalog.range_agg(pg_catalog.tstzmultirange(pg_catalog.tstzrange(p.from_time, p.to_time)) OPERATOR(pg_catalog.*)
			uidext_internal.partition_held(p.partition, (t).column_name, (t).layout)) AS held
		FROM pg_catalog.unnest((t).periods) p
		WHERE p.to_time > now() AND p.from_time < p.to_time AND NOT p.detach_pending
	) h
		CROSS JOIN LATERAL pg_catalog.unnest(h.held) c(covered)
	WHERE c.covered OPERATOR(pg_catalog.@>) now();
END;
COMMENT ON FUNCTION uidext_internal.partition_covered(uidext_internal.partitioned_table) IS
	'up to when there is a table for the rows of every time from now on; NULL when there is none for now; raises as '
	'partition_periods()';

-- Partitions of random ids, of UUIDv6 or of a sequence's numbers have bounds that are no times, so that none of them holds
-- the present says nothing.  It does if there is none at all, or if one ends in the past, as those of a table do that was
-- partitioned by time until somebody gave its key another default; but not where the new default makes UUIDv6, and a partition
-- has the bounds of these.  Numbers of a sequence are as low as ids of the first day.
CREATE FUNCTION uidext_internal.partition_lacks_present(t uidext_internal.partitioned_table) RETURNS bool
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT uidext_internal.partition_covered(t) IS NULL AND (
		(uidext_internal.partition_disorder(t)).problem IS NULL
		OR (t).default_partition IS NULL AND NOT EXISTS (SELECT FROM pg_catalog.unnest((t).periods) p WHERE NOT p.detach_pending)
		OR EXISTS (
			SELECT FROM pg_catalog.unnest((t).periods) p
			WHERE NOT p.detach_pending AND p.from_id IS NOT NULL AND p.to_time <= now()
				AND p.to_time > uidext_internal.partition_earliest((t).layout) + interval '1 day')
		AND NOT EXISTS (
			SELECT FROM pg_catalog.unnest((t).periods) p CROSS JOIN pg_catalog.unnest((t).makers) m("by")
			WHERE NOT p.detach_pending
				AND m."by" IN ('@extschema@.gen_uuidv6()'::regprocedure::oid, '@extschema@.gen_uuidv6_at(timestamptz)'::regprocedure::oid)
				AND coalesce(p.from_id, '') COLLATE "C" <= @extschema@.uuidv6_boundary(now())::text
				AND @extschema@.uuidv6_boundary(now())::text < coalesce(p.to_id, 'g') COLLATE "C"));
END;
COMMENT ON FUNCTION uidext_internal.partition_lacks_present(uidext_internal.partitioned_table) IS
	'whether ids of now find no partition of their own, also in a table that is not partitioned by time, if its partitions show '
	'that; raises as partition_periods()';

-- Rows of a foreign table are on another server, and those that belong to them, too.
CREATE FUNCTION uidext_internal.partition_is_elsewhere(t uidext_internal.partitioned_table) RETURNS bool
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT EXISTS (
		SELECT FROM pg_catalog.unnest((t).periods) p JOIN pg_catalog.pg_class c ON c.oid = p.partition::oid
		WHERE c.relkind = 'f' AND p.from_time <= now() AND p.to_time > now() AND NOT p.detach_pending);
END;
COMMENT ON FUNCTION uidext_internal.partition_is_elsewhere(uidext_internal.partitioned_table) IS
	'whether the partition for the present is a foreign table, so that its rows are on another server';

CREATE FUNCTION uidext_internal.partition_hash_lacks_present(relation regclass) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT NOT uidext_internal.partition_held(relation, a.attname, 'uuid') OPERATOR(pg_catalog.@>) now()
	FROM pg_catalog.pg_partitioned_table p JOIN pg_catalog.pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
	WHERE p.partrelid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_hash_lacks_present(regclass) IS
	'whether some ids of now find no table in one that is partitioned by the hash of a uuid; NULL where it is partitioned by an '
	'expression; raises as partition_periods()';

CREATE FUNCTION uidext_internal.partition_rows_known_by(partition regclass, column_name name) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT CASE
			WHEN uidext_internal.partition_visible_rows(partition) = 'all' THEN CASE
				WHEN uidext_internal.count_ids(partition, column_name, NULL::text, NULL::text, NULL::int[], 1::bigint) > 0::bigint THEN '' END
			ELSE (
				SELECT CASE
					WHEN s.rows > 0::bigint THEN ', by the statistics'
					WHEN s.rows IS NULL AND EXISTS (
						SELECT FROM uidext_internal.partition_tree(partition) b(oid) JOIN pg_catalog.pg_class c ON c.oid = b.oid
						-- reltuples is -1 until a table is analyzed; a table whose statistics count no insert is empty
						WHERE c.reltuples < 0::real AND (c.relkind = 'f'
							OR c.relkind = 'r' AND pg_relation_size(c.oid::regclass) > 0::bigint
								AND pg_stat_get_tuples_inserted(c.oid) = 0::bigint))
					THEN pg_catalog.format(', perhaps: there are no statistics, and role "%s" cannot look', current_user)
				END
				FROM uidext_internal.partition_sizes(ARRAY[partition]) s)
		END;
END;
COMMENT ON FUNCTION uidext_internal.partition_rows_known_by(regclass, name) IS
	'how it is known that a partition has rows, for others than the owner by the statistics, and without these perhaps; NULL '
	'where it has none';

-- When PostgreSQL checks a foreign key, it reads the other table as its owner, and runs what that
-- owner has put there.  Partitions on both sides are read as well.  One for each owner is named.
CREATE FUNCTION uidext_internal.partition_foreign_owner_problems(parent regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT DISTINCT ON (c.oid, t.oid, other.relowner) pg_catalog.format('foreign key "%s" reads table %s and %s of role %I: when PostgreSQL checks it, as it does when '
		'partitions are made or dropped, code of this role runs with the rights of role %I; give both tables to one owner',
		c.conname, t.oid::regclass, other.oid::regclass, pg_get_userbyid(other.relowner), pg_get_userbyid(t.relowner))
	FROM pg_partition_ancestors(parent) own(relation)
		JOIN pg_catalog.pg_class t ON t.oid = own.relation::oid
		JOIN pg_catalog.pg_constraint c ON t.oid IN (c.conrelid, c.confrelid) AND c.contype = 'f' AND c.conparentid = 0::oid
		CROSS JOIN LATERAL (
			SELECT b.oid FROM uidext_internal.partition_tree(c.conrelid::regclass) b(oid)
			UNION ALL
			SELECT b.oid FROM uidext_internal.partition_tree(c.confrelid::regclass) b(oid)
		) joined
		JOIN pg_catalog.pg_class other ON other.oid = joined.oid AND other.oid <> t.oid
	WHERE NOT pg_has_role(other.relowner, t.relowner, 'MEMBER')
	ORDER BY c.oid, t.oid, other.relowner, other.oid IN (c.conrelid, c.confrelid) DESC, other.oid::regclass::text COLLATE "C";
END;
COMMENT ON FUNCTION uidext_internal.partition_foreign_owner_problems(regclass) IS
	'what uuid_partition_check() says of foreign keys that join a table with one, or a partition of one, whose owner could '
	'not become its own';

-- uuid_partition_drain() does not move these rows.  A monitor asks often, so in a large default partition
-- no more ids are read than a limit on each side of the clock.  Ids beyond the clock are a range of their
-- own.  Below it, only the difference between all ids and those that tell time shows how many do not: where
-- there are more ids than the limit, this is the difference among the first of them.  Without an index that
-- begins with the key, ids on the other side of the clock are read as well, and not counted.
CREATE FUNCTION uidext_internal.partition_rows_that_stay(
	t uidext_internal.partitioned_table, most bigint DEFAULT 100000, OUT staying text, OUT others bool
)
	LANGUAGE sql STABLE
BEGIN ATOMIC
	-- materialized, so that each is counted once
	WITH counted AS MATERIALIZED (
		SELECT k.clock,
			uidext_internal.count_ids((t).default_partition, (t).column_name, NULL::text, k.clock, NULL::int[],
				most + 1::bigint) AS before,
			uidext_internal.count_ids((t).default_partition, (t).column_name, k.clock, NULL::text, NULL::int[],
				most + 1::bigint) AS beyond,
			f.first_id,
			uidext_internal.count_ids((t).default_partition, (t).column_name, NULL::text, f.first_id, NULL::int[],
				most + 1::bigint) AS nil
		FROM uidext_internal.partition_clock_id((t).layout) k(clock)
			CROSS JOIN uidext_internal.partition_least_telling_id((t).layout) f(first_id)
		WHERE uidext_internal.partition_visible_rows((t).default_partition) = 'all'
	), found AS MATERIALIZED (
		SELECT c.before, c.beyond, c.beyond + CASE WHEN c.beyond > most THEN 0::bigint
			ELSE c.before - uidext_internal.count_ids((t).default_partition, (t).column_name,
				c.first_id, c.clock, (t).versions, c.before - c.nil)
			END AS staying
		FROM counted c
	)
	SELECT CASE
			WHEN f.before <= most AND f.beyond <= most THEN nullif(f.staying, 0::bigint)::text
			WHEN f.staying > most THEN 'more than ' || most::text
			WHEN f.staying > 0::bigint THEN 'at least ' || f.staying::text
		END,
		f.before + f.beyond > f.staying
	FROM found f;
END;
COMMENT ON FUNCTION uidext_internal.partition_rows_that_stay(uidext_internal.partitioned_table, bigint) IS
	'how many rows of the default partition have ids of another layout than the key''s default makes, or from beyond the '
	'clock, as a text that says where there are more ids than a limit, NULL when none is found; and whether others are '
	'found; both NULL for callers who may not look';

-- The size of a file cannot be read, either, while others keep its table locked.
CREATE FUNCTION uidext_internal.partition_look_into(
	t uidext_internal.partitioned_table, partition regclass, deadline timestamptz,
	OUT source text, OUT staying text, OUT others bool, OUT is_locked bool
)
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '100ms'
AS $$
BEGIN
	-- of thousands, each would have that time
	IF clock_timestamp() >= deadline THEN
		PERFORM set_config('lock_timeout', '1', true);
	END IF;
	LOOP
		BEGIN
			source := partition_rows_known_by(partition, t.column_name);
			IF source = '' AND partition = t.default_partition THEN
				SELECT * INTO staying, others FROM partition_rows_that_stay(t);
			END IF;
			is_locked := false;
			RETURN;
		EXCEPTION WHEN lock_not_available THEN
			source := NULL;
			is_locked := true;
			IF clock_timestamp() >= deadline THEN
				RETURN;
			END IF;
		END;
		PERFORM pg_sleep(0.05);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_look_into(uidext_internal.partitioned_table, regclass, timestamptz) IS
	'what partition_rows_known_by() says of a partition and, if it is the default partition of the table, what '
	'partition_rows_that_stay() says; is_locked is true if others keep it locked until a deadline';

-- Compares present and future partitions, and names what new partitions will not get.
CREATE FUNCTION uidext_internal.partition_differences(t uidext_internal.partitioned_table) RETURNS SETOF text
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT pg_catalog.format('partitions whose replica identity differs from that of the newest, %s: %s, the first is %s; new '
		'partitions get that of the newest, so make all alike with ALTER TABLE ... REPLICA IDENTITY',
		(t).newest, pg_catalog.count(*), min(c.oid::regclass::text))
	FROM pg_catalog.unnest((t).periods) p
		JOIN pg_catalog.pg_class c ON c.oid = p.partition::oid
	WHERE p.to_time > now()
		AND uidext_internal.partition_replica_identities(p.partition) <> (SELECT uidext_internal.partition_replica_identities((t).newest))
	HAVING pg_catalog.count(*) > 0::bigint
	UNION ALL
	SELECT pg_catalog.format('the newest partition, %s, has objects of its own that new partitions do not get: %s; create them '
		'on each new partition, or on the partitioned table', (t).newest, string_agg(o.described, ', ' ORDER BY o.described COLLATE "C"))
	FROM uidext_internal.partition_own_objects((t).newest) o
	HAVING pg_catalog.count(*) > 0::bigint
	UNION ALL
	-- compared with the newest one, because new partitions are made like it
	SELECT pg_catalog.format('partition %s has objects of its own that the newest, %s, does not have: %s; if rows of newer '
		'partitions need them, create them on the partitioned table in place of these', p.partition, (t).newest, string_agg(o.described, ', ' ORDER BY o.described COLLATE "C"))
	FROM pg_catalog.unnest((t).periods) p
		CROSS JOIN LATERAL uidext_internal.partition_own_objects(p.partition) o
	WHERE p.to_time > now()
		AND NOT EXISTS (SELECT FROM uidext_internal.partition_own_objects((t).newest) n WHERE n.object = o.object)
	GROUP BY p.partition, p.from_time
	UNION ALL
	SELECT pg_catalog.format(CASE c.relkind
			WHEN 'I' THEN 'index %s of the newest partition, %s, is not on all parts of it, and new partitions do not get it: drop it, or '
				'attach an index of each part to it'
			ELSE 'index %s of the newest partition, %s, is invalid, and new partitions do not get it: drop it, or run REINDEX INDEX '
				'CONCURRENTLY %1$s' END, i.name, i.relation)
	FROM uidext_internal.partition_invalid_indexes((t).newest) i JOIN pg_catalog.pg_class c ON c.oid = i.name::oid
	WHERE NOT i.is_built
	UNION ALL
	SELECT pg_catalog.format('partition %s has grants or objects that the newest, %s, does not have, so new partitions do not get them: %s; '
		'if new partitions need them, add them to the newest', p.partition, (t).newest, string_agg(o.described, ', ' ORDER BY o.described COLLATE "C"))
	FROM pg_catalog.unnest((t).periods) p
		CROSS JOIN LATERAL uidext_internal.partition_copied_objects(p.partition) o
	WHERE p.to_time > now()
		-- none are made like a foreign table
		AND EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = (t).newest::oid AND c.relkind <> 'f')
		AND NOT EXISTS (SELECT FROM uidext_internal.partition_copied_objects((t).newest) n WHERE n.object = o.object)
	GROUP BY p.partition, p.from_time
	UNION ALL
	SELECT pg_catalog.format('the newest partition, %s, belongs to role %I, and table %s to role %I, so that none can be made '
		'like it: ALTER TABLE %1$s OWNER TO %4$I', (t).newest, pg_get_userbyid(n.relowner), (t).relation, pg_get_userbyid(p.relowner))
	FROM pg_catalog.pg_class n JOIN pg_catalog.pg_class p ON p.oid = (t).relation::oid AND p.relowner <> n.relowner
	WHERE n.oid = (t).newest::oid
	UNION ALL
	SELECT pg_catalog.format('table %s has tablespace %I, but new partitions come to that of the newest, %s: ALTER TABLE %3$s SET '
		'TABLESPACE %2$I', (t).relation, s.spcname, (t).newest)
	FROM pg_catalog.pg_class p JOIN pg_catalog.pg_tablespace s ON s.oid = p.reltablespace
		JOIN pg_catalog.pg_class n ON n.oid = (t).newest::oid AND n.relkind = 'r' AND n.reltablespace <> p.reltablespace
	WHERE p.oid = (t).relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_differences(uidext_internal.partitioned_table) IS
	'what uuid_partition_check() says of properties that differ between partitions, or will not be copied';

-- An index is printed under a lock of its table.
CREATE FUNCTION uidext_internal.partition_differences_if_readable(t uidext_internal.partitioned_table, deadline timestamptz) RETURNS SETOF text
	LANGUAGE plpgsql STABLE ROWS 10
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '100ms'
AS $$
BEGIN
	LOOP
		BEGIN
			RETURN QUERY SELECT d FROM unnest(ARRAY(SELECT partition_differences(t))) d;
			RETURN;
		EXCEPTION WHEN lock_not_available THEN
			IF clock_timestamp() >= deadline THEN
				RETURN NEXT 'partitions could not be compared, because others keep one of them locked; call the check again';
				RETURN;
			END IF;
		END;
		PERFORM pg_sleep(0.05);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_differences_if_readable(uidext_internal.partitioned_table, timestamptz) IS
	'what partition_differences() says, or that others keep a partition locked until a deadline';

-- Partitions that retention never removes, however old they are.
CREATE FUNCTION uidext_internal.partition_kept_for_ever(t uidext_internal.partitioned_table) RETURNS SETOF text
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT pg_catalog.format('partition %s ends with %s, so no partition can be made after it, and it is never dropped: '
		'detach it, and attach it again with a time as its end', p.partition, coalesce(p.to_id, 'MAXVALUE'))
	FROM pg_catalog.unnest((t).periods) p WHERE p.to_time = 'infinity'
	UNION ALL
	SELECT pg_catalog.format('foreign key "%1$s" of table %2$s refers to the table itself, so PostgreSQL does not drop a partition while '
		'any row refers to its rows, even a row of the same partition; give each partition a foreign key to itself, then: '
		'ALTER TABLE %2$s DROP CONSTRAINT %1$I', c.conname, (t).relation)
	FROM pg_catalog.pg_constraint c
	WHERE c.conrelid = (t).relation::oid AND c.confrelid = (t).relation::oid AND c.contype = 'f' AND c.conparentid = 0::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_kept_for_ever(uidext_internal.partitioned_table) IS
	'what uuid_partition_check() says of partitions that retention cannot drop';

-- Only ANALYZE of the partitioned table makes statistics of the whole.  Autovacuum analyzes
-- partitions, never their parent.
CREATE FUNCTION uidext_internal.partition_unanalyzed(parent regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT pg_catalog.format('table %s was never analyzed as a whole, and autovacuum analyzes its partitions only: schedule '
		'ANALYZE %s', parent, parent)
	FROM pg_catalog.pg_class p
	WHERE p.oid = parent::oid AND p.reltuples < 0::real
		AND EXISTS (
			SELECT FROM uidext_internal.partition_tree(parent) b(oid) JOIN pg_catalog.pg_class c ON c.oid = b.oid
			WHERE c.relkind = 'r' AND c.reltuples > 0::real);
END;
COMMENT ON FUNCTION uidext_internal.partition_unanalyzed(regclass) IS
	'what uuid_partition_check() says of a table whose partitions have statistics and that has none';

-- Partitionwise joins need the same bounds in both tables.
CREATE FUNCTION uidext_internal.partition_pair_problems(follower regclass, leader regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT pg_catalog.format(
			CASE WHEN pair.partition IS NULL THEN 'follower %1$s lacks partitions: %2$s, the first is the counterpart of %3$s; '
				'SELECT * FROM uuid_partition_follow(%1$L, %4$L)'
				ELSE 'partitions of follower %1$s with bounds that no partition of table %4$s has: %2$s, the first is %3$s; '
				'make such partitions of the table, or detach those of the follower' END,
			follower, pg_catalog.count(*), min(coalesce(pair.partition, pair.counterpart)::text), leader)
	FROM (
		SELECT c.partition, p.partition
		FROM (SELECT * FROM uidext_internal.range_bounds(follower) f WHERE NOT f.detach_pending) c
			FULL JOIN (SELECT * FROM uidext_internal.range_bounds(leader) l WHERE NOT l.detach_pending) p
				ON uidext_internal.partition_same_bounds(p.from_id, p.to_id, c.from_id, c.to_id)
					AND p.is_default = c.is_default
	) pair(partition, counterpart)
	WHERE pair.counterpart IS NULL
		-- a foreign table needs no counterpart on this server
		OR pair.partition IS NULL AND (SELECT c.relkind FROM pg_catalog.pg_class c WHERE c.oid = pair.counterpart::oid) <> 'f'
	GROUP BY pair.partition IS NULL;
END;
COMMENT ON FUNCTION uidext_internal.partition_pair_problems(regclass, regclass) IS
	'what uuid_partition_check() says of a follower''s bounds that differ';

-- The key that uuid_partition_follow() would give to a new pair without a template.
CREATE FUNCTION uidext_internal.partition_usual_foreign_key(follower regclass, leader regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT k.definition FROM pg_catalog.unnest(uidext_internal.partition_newest_foreign_keys(follower)) k WHERE k.referred::oid = leader::oid
	UNION ALL
	SELECT uidext_internal.partition_plain_foreign_key(follower, leader)
	WHERE EXISTS (SELECT FROM pg_catalog.pg_index x WHERE x.indrelid = leader::oid AND x.indisprimary AND x.indnkeyatts = 1::smallint)
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_usual_foreign_key(regclass, regclass) IS
	'what follows FOREIGN KEY for a pair of tables without a key: as the newest pair''s, else to the leader''s primary key; '
	'NULL where that is of several columns, or none';

CREATE FUNCTION uidext_internal.partition_foreign_key_problems(follower regclass, leader regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT pg_catalog.format('foreign key "%s" of follower %s refers to the whole table, so each check searches all partitions of '
		'%s: give each pair of partitions a foreign key, and drop this one', c.conname, follower, leader)
	FROM uidext_internal.partition_foreign_keys_by_id(follower, leader, follower) k(oid)
		JOIN pg_catalog.pg_constraint c ON c.oid = k.oid
	UNION ALL
	SELECT pg_catalog.format('partitions of follower %s without a foreign key to those of table %s: %s, the first is %s%s',
		follower, leader, m.n, m.partition, ': ALTER TABLE ' || m.partition::text || ' ADD FOREIGN KEY '
			|| pg_catalog.format(uidext_internal.partition_usual_foreign_key(follower, leader), m.counterpart)
			-- before 18, PostgreSQL takes no NOT VALID for one that is divided
			|| CASE WHEN current_setting('server_version_num')::int < 180000
					AND EXISTS (SELECT FROM pg_catalog.pg_partitioned_table d WHERE d.partrelid = m.partition::oid)
				THEN '' ELSE ' NOT VALID' END)
	FROM (
		SELECT c.partition, p.partition, pg_catalog.count(*) OVER ()
		FROM uidext_internal.range_bounds(follower) c
			JOIN uidext_internal.range_bounds(leader) p
				ON uidext_internal.partition_same_bounds(p.from_id, p.to_id, c.from_id, c.to_id)
					AND NOT p.is_default AND NOT p.detach_pending
		WHERE NOT c.is_default AND NOT c.detach_pending AND NOT EXISTS (
			SELECT FROM uidext_internal.partition_foreign_keys_by_id(c.partition, p.partition, follower))
			AND NOT EXISTS (SELECT FROM uidext_internal.partition_foreign_keys_by_id(follower, leader, follower))
		ORDER BY c.partition::text
		LIMIT 1
	) m(partition, counterpart, n)
	UNION ALL
	SELECT pg_catalog.format('partitions of follower %s whose foreign key to those of table %s was never validated: %s, the first is %s: '
		'ALTER TABLE %4$s VALIDATE CONSTRAINT %I', follower, leader, m.n, m.partition, m.conname)
	FROM (
		SELECT k.partition, c.conname, pg_catalog.count(*) OVER ()
		FROM uidext_internal.partition_pair_foreign_keys(follower) k
			JOIN pg_catalog.pg_constraint c ON c.oid = k.key AND NOT c.convalidated
				-- from 18 on, one that is NOT ENFORCED is not validated either
				AND (pg_catalog.to_jsonb(c) OPERATOR(pg_catalog.->>) 'conenforced' = 'false') IS NOT TRUE
		WHERE k.leader::oid = partition_foreign_key_problems.leader::oid
		ORDER BY k.place
		LIMIT 1
	) m(partition, conname, n);
END;
COMMENT ON FUNCTION uidext_internal.partition_foreign_key_problems(regclass, regclass) IS
	'what uuid_partition_check() says of a follower''s foreign keys to a table: one to all of it, and partitions without '
	'one, or with one that was never validated';

CREATE FUNCTION uidext_internal.partition_family_problems(
	family uidext_internal.partitioned_table[]
) RETURNS SETOF text
	LANGUAGE plpgsql STABLE ROWS 10
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	RETURN QUERY
		SELECT 'enable_partitionwise_join is off, so PostgreSQL does not join followers partition by partition: '
			'set it on with ALTER DATABASE'
		WHERE cardinality(family) > 1 AND NOT current_setting('enable_partitionwise_join')::bool
		UNION ALL
		SELECT p
		FROM unnest(family[2:]) f,
			LATERAL (
				SELECT partition_pair_problems(f.relation, f.leader)
				UNION
				SELECT partition_foreign_key_problems(f.relation, t)
				FROM (SELECT f.leader UNION SELECT k.leader FROM partition_pair_foreign_keys(f.relation) k WHERE k.leader <> f.relation) t(t)
			) p(p);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_family_problems(uidext_internal.partitioned_table[]) IS
	'what uuid_partition_check() says of followers beside their leaders';

CREATE FUNCTION uidext_internal.partition_table_problems(t uidext_internal.partitioned_table, deadline timestamptz)
	RETURNS SETOF text
	LANGUAGE plpgsql STABLE ROWS 10
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	divided regclass[] := ARRAY(
		SELECT p.partition FROM unnest(t.periods) p JOIN pg_partitioned_table d ON d.partrelid = p.partition);
	defaults regclass[] := ARRAY(
		SELECT d.partdefid
		FROM unnest(divided) p, partition_tree(p) b(oid) JOIN pg_partitioned_table d ON d.partrelid = b.oid
		-- that of a list is meant for all other values
		WHERE d.partdefid <> 0 AND d.partstrat = 'r');
BEGIN
	RETURN QUERY
		WITH rest AS MATERIALIZED (
			SELECT d AS partition, d = t.default_partition AS is_own, l.*
			FROM unnest(t.default_partition || defaults) d, partition_look_into(t, d, deadline) l
		)
		SELECT format('rows in the default partition %s%s; uuid_partition_drain() moves %s', r.partition, r.source,
			CASE WHEN r.staying IS NULL THEN 'them' ELSE 'the periods whose ids all tell their time' END)
		FROM rest r WHERE r.is_own AND r.source IS NOT NULL AND r.others IS NOT FALSE
		UNION ALL
		SELECT format('rows in the default partition whose ids have another layout or a time in the future: %s; a drain leaves '
			'them there until they have new ids', r.staying)
		FROM rest r WHERE r.staying IS NOT NULL
		UNION ALL
		SELECT format('rows in default partitions of partitions: %s, the first is %s%s; make the partitions that these '
			'rows need, and move the rows by hand', count(*), min(r.partition::text), max(r.source))
		FROM rest r WHERE r.is_own IS NOT TRUE AND r.source IS NOT NULL
		HAVING count(*) > 0
		UNION ALL
		SELECT format('partitions that could not be looked into, because others keep them locked: %s, the first is %s; call '
			'the check again', count(*), min(r.partition::text))
		FROM rest r WHERE r.is_locked
		HAVING count(*) > 0
		UNION ALL
		SELECT format('partition %s is partitioned itself and has no partition, so that it takes no rows: give it one', c)
		FROM unnest(t.periods) p JOIN unnest(divided) d ON d = p.partition, partition_parts_without_table(d) c
		WHERE p.to_time > now()
		UNION ALL
		SELECT format('partition %s waits to be detached: %s', p.partition, partition_detach_hint(t.relation, p.partition))
		FROM unnest(t.periods) p
		WHERE p.detach_pending
		UNION ALL
		SELECT h.message FROM partition_hashed_without_country(t.relation) h
		UNION ALL
		SELECT format('there is a gap of less than a millisecond before partition %s, for which no partition is made: detach it, '
			'and attach it again from the end of the partition before', b.partition)
		FROM partition_gaps_of_ids(t) b(partition)
		UNION ALL
		SELECT k FROM partition_foreign_owner_problems(t.relation) k
		UNION ALL
		SELECT k FROM partition_kept_for_ever(t) k
		UNION ALL
		SELECT d FROM partition_differences_if_readable(t, deadline) d
		UNION ALL
		SELECT u FROM partition_unanalyzed(t.relation) u;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_table_problems(uidext_internal.partitioned_table, timestamptz) IS
	'what uuid_partition_check() warns of in partitions of any age';

-- That a follower is not partitioned by time, or by other ids, is a finding, as it is of the table.
CREATE FUNCTION uidext_internal.partition_follower_fault(
	follower uidext_internal.partitioned_table, leader uidext_internal.partitioned_table
) RETURNS text
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT coalesce(
		f.problem || ': ' || lower(left(f.hint, 1)) || rtrim(substr(f.hint, 2), '.'),
		pg_catalog.format('follower %s is not partitioned by time: ', (follower).relation) || (uidext_internal.partition_disorder(follower)).problem)
	FROM uidext_internal.partition_pair_fault(follower, leader) f;
END;
COMMENT ON FUNCTION uidext_internal.partition_follower_fault(
	uidext_internal.partitioned_table, uidext_internal.partitioned_table) IS
	'what uuid_partition_check() says of a table that cannot follow another: that it is partitioned by other ids, or not by '
	'time; NULL for nothing';

-- A wrong ahead would keep this function from ever reporting anything.
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

CREATE FUNCTION uidext_internal.partition_findings(
	family uidext_internal.partitioned_table[], ahead interval, keep interval, deadline timestamptz,
	OUT severity int, OUT message text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE ROWS 10
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	t partitioned_table := family[1];
	kept_since timestamptz := partition_kept_since(keep, 'UTC');
	covered timestamptz := partition_covered(t);
	-- the partition within which this ends, so that what is missing is beneath it
	divided regclass := (
		SELECT p.partition FROM unnest(t.periods) p
		WHERE coalesce(covered, now()) >= p.from_time AND coalesce(covered, now()) < p.to_time AND NOT p.detach_pending);
	-- A step without its unit makes partitions of seconds, which end before cron calls again.
	until timestamptz := partition_add(now(), coalesce(ahead, least('7 days', greatest('1 hour', (
		-- before 17, subtracting from infinity raises an error
		SELECT max(CASE WHEN isfinite(p.from_time) AND isfinite(p.to_time) THEN p.to_time - p.from_time
			WHEN p.partition = t.newest THEN '7 days' END)
		FROM unnest(t.periods) p
		WHERE p.partition = t.newest OR p.from_time <= now() AND p.to_time > now())))), 'UTC');
BEGIN
	RETURN QUERY
		SELECT 2, CASE WHEN divided IS NULL THEN 'no partition for the present: call uuid_partition_maintain()'
			ELSE format('no partition for the present beneath partition %s, which is partitioned itself: make it there', divided) END
		WHERE covered IS NULL
		UNION ALL
		SELECT 2, format('follower %s has no partition for the present: call uuid_partition_maintain() with followers', family[i].relation)
		FROM generate_subscripts(family, 1) i
		WHERE i > 1 AND covered IS NOT NULL AND partition_covered(family[i]) IS NULL AND NOT partition_is_elsewhere(t)
		UNION ALL
		SELECT 1, CASE WHEN divided IS NULL
			THEN format('no partition from %s on: call uuid_partition_maintain(), with a larger ahead if it is scheduled', covered)
			ELSE format('no partition from %s on beneath partition %s, which is partitioned itself: make it there', covered, divided) END
		WHERE covered < until
		UNION ALL
		SELECT 1, format('no partition from %s to %s: uuid_partition_maintain() makes it when it is due, and uuid_partition_create() '
			'at once', covered, min(p.from_time))
		FROM unnest(t.periods) p
		WHERE p.from_time > covered AND covered >= until AND divided IS NULL AND NOT p.detach_pending
		HAVING count(*) > 0
		UNION ALL
		SELECT 1, format('partitions older than %s%s: %s, the first is of %s; pass keep to uuid_partition_maintain(), and read '
			'its column problem', keep,
			CASE WHEN m.ordinality > 1 THEN ' of follower ' || m.relation::text ELSE '' END, count(*), min(p.from_time))
		FROM unnest(family) WITH ORDINALITY m, unnest(m.periods) p
		WHERE p.to_time <= kept_since
		GROUP BY m.ordinality, m.relation
		UNION ALL
		SELECT 1, CASE WHEN i > 1 THEN format('follower %s: ', family[i].relation) ELSE '' END || p
		FROM generate_subscripts(family, 1) i, partition_table_problems(family[i], deadline) p
		UNION ALL
		SELECT 1, p FROM partition_family_problems(family) p;
	IF NOT FOUND THEN
		RETURN QUERY SELECT 0, format('partitions up to %s', covered);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_findings(
	uidext_internal.partitioned_table[], interval, interval, timestamptz) IS
	'what uuid_partition_check() says of a table that is partitioned by time, and of its followers; raises 22023 for a keep '
	'below 0 or above 5,000 years, and as partition_table_problems()';

CREATE FUNCTION uuid_partition_check(
	parent regclass, ahead interval DEFAULT NULL, keep interval DEFAULT NULL, followers regclass[] DEFAULT '{}',
	OUT severity int, OUT status text, OUT message text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	-- one for all that the call waits for
	deadline CONSTANT timestamptz := partition_deadline();
	family partitioned_table[] := '{}';
	follower regclass;
	read partitioned_table;
	lacks_present bool;
	covered bool;
	fault text;
	faults text[] := '{}';
	unsound regclass[] := '{}';
	lacking text[] := '{}';
	-- of a table that is not partitioned by time, nothing else is said but that it has no partition for the present
	not_by_time text := (SELECT h.message FROM partition_hashed_without_country(parent) h WHERE h.relation = parent);
BEGIN
	PERFORM partition_check_null('{parent,followers}', ARRAY[parent IS NULL, followers IS NULL]);
	PERFORM partition_check_ahead(ahead);
	IF not_by_time IS NULL THEN
		family := ARRAY[partition_read(parent, deadline)];
		not_by_time := format('table %s is not partitioned by time: ', parent) || (partition_disorder(family[1])).problem;
		lacks_present := CASE WHEN not_by_time IS NOT NULL THEN partition_lacks_present(family[1]) END;
	ELSE
		lacks_present := partition_hash_lacks_present(parent);
	END IF;
	IF lacks_present THEN
		lacking := ARRAY[CASE WHEN family = '{}'
			THEN format('some ids of the present find no partition in table %s: make the partitions of the hash that are missing, or '
				'those for the present beneath one', parent)
			ELSE format('no partition for the present, and uuid_partition_maintain() refuses table %s: first remove the problem '
				'that another line reports for this table', parent) END];
	END IF;
	IF not_by_time IS NULL THEN
		PERFORM partition_check_followers(parent, followers);
		covered := partition_covered(family[1]) IS NOT NULL AND NOT partition_is_elsewhere(family[1]);
		FOREACH follower IN ARRAY followers LOOP
			fault := (SELECT h.message FROM partition_hashed_without_country(follower) h WHERE h.relation = follower);
			IF fault IS NULL THEN
				read := partition_read(follower, deadline);
				fault := partition_follower_fault(read, family[1]);
			ELSE
				read := NULL;
			END IF;
			IF fault IS NULL THEN
				SELECT format('follower %s refers to partitions of follower %s, which cannot follow', follower, k.leader) INTO fault
				FROM partition_pair_foreign_keys(follower) k WHERE k.leader = ANY (unsound) LIMIT 1;
			END IF;
			IF fault IS NULL THEN
				family := family || read;
			ELSE
				unsound := unsound || follower;
				faults := faults || fault;
				lacks_present := CASE WHEN read IS NULL THEN partition_hash_lacks_present(follower) ELSE partition_lacks_present(read) END;
				-- if the table itself has none, that is said of the table alone
				IF lacks_present AND covered THEN
					lacking := lacking || format('follower %s has no partition for the present, and uuid_partition_maintain() refuses it: first '
						'remove the problem that another line reports for this table', follower);
				END IF;
			END IF;
		END LOOP;
		family := partition_find_leaders(family);
	END IF;
	RETURN QUERY
		SELECT a.severity, (ARRAY['OK', 'WARNING', 'CRITICAL'])[a.severity + 1], a.message
		FROM (
			SELECT 2, l FROM unnest(lacking) l
			UNION ALL
			SELECT 1, not_by_time WHERE not_by_time IS NOT NULL
			UNION ALL
			SELECT 1, f FROM unnest(faults) f
			UNION ALL
			SELECT a.severity, a.message FROM partition_findings(family, ahead, keep, deadline) a
			WHERE not_by_time IS NULL AND (a.severity > 0 OR faults = '{}')
		) a(severity, message)
		ORDER BY a.severity DESC, a.message;
END
$$;
COMMENT ON FUNCTION uuid_partition_check(regclass, interval, interval, regclass[]) IS
	'What is wrong with the partitions of a table, for a monitor. One row per finding, the worst first: level 0 is '
	'OK, 1 WARNING, 2 CRITICAL, which means that the present has no partition of its own. Without findings there is one'
	' row with level 0. ahead is how long partitions must exist from now on; unless given, it is the length of the '
	'present partition or of the newest, whichever is longer, at least an hour and at most 7 days. Of a table that is not '
	'partitioned by time it says only that, and if the present has no partition. With keep, old '
	'partitions that have stayed are findings; with followers, the same is found of these, and what differs between '
	'them and the table. What others keep locked is a finding, too, because nobody can look there. '
	'Anyone may call it; of tables of others it reads catalogs and statistics only. Raises 42809 for a relation that '
	'is not partitioned, 42P01 for none, 22004 for NULL among the followers, '
	'22023 for a follower named twice or before one that it refers to, for a keep below 0 or above 5,000 years, and '
	'for an ahead below a minute other than 0.';
