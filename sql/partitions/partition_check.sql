-- Partitions: alarm

-- Up to when there is a partition for every time from now on; NULL when there is none for now.
CREATE FUNCTION uidext_internal.uuid_partition_covered(periods uidext_internal.uuid_partition_period[]) RETURNS timestamptz
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
		covered := period.to_time;
	END LOOP;
	RETURN covered;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_covered(uidext_internal.uuid_partition_period[]) IS
	'up to when there is a partition for every time from now on; NULL when there is none for now';

-- Of a domain, as iuid is in the SQL edition, the default class is core's.
CREATE FUNCTION uidext_internal.uuid_partition_hashed_by_core(parent regclass, OUT relation regclass, OUT message text) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partrelid::regclass,
		pg_catalog.format('table %s is partitioned by core''s own hash of an iuid, which knows no country', p.partrelid::regclass)
	FROM pg_catalog.pg_partitioned_table p
		JOIN pg_catalog.pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_catalog.pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partstrat = 'h' AND p.partnatts = 1::smallint
		AND a.atttypid = '@extschema@.iuid'::regtype::oid AND o.opcnamespace = 'pg_catalog'::regnamespace::oid
		AND (p.partrelid = parent::oid
			OR EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = parent::oid AND i.inhrelid = p.partrelid));
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_hashed_by_core(regclass) IS
	'the table and those of its partitions that core''s own hash of an iuid partitions, with what uuid_partition_check() says of it';

-- Partitions are made from one millisecond, or longer tick, to another.
CREATE FUNCTION uidext_internal.uuid_partition_broken_bounds(periods uidext_internal.uuid_partition_period[], layout text) RETURNS SETOF regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partition
	FROM (
		SELECT n.*, pg_catalog.lag(n.to_id) OVER w AS previous_id, pg_catalog.lead(n.from_id) OVER w AS next_id
		FROM pg_catalog.unnest(periods) n
		WINDOW w AS (ORDER BY n.from_time, n.to_time)
	) p
	WHERE CASE WHEN p.previous_id IS DISTINCT FROM p.from_id THEN uidext_internal.uuid_partition_boundary(layout, p.from_time) <> p.from_id END
		OR CASE WHEN p.next_id IS DISTINCT FROM p.to_id THEN uidext_internal.uuid_partition_boundary(layout, p.to_time) <> p.to_id END
	ORDER BY p.from_time, p.to_time;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_broken_bounds(uidext_internal.uuid_partition_period[], text) IS
	'the partitions beside which there is a gap that begins or ends where uuid_partition_maintain() makes none; raises as uuid_partition_boundary()';

CREATE FUNCTION uidext_internal.uuid_partition_problems(
	parent regclass, column_name name, layout text, periods uidext_internal.uuid_partition_period[]
) RETURNS SETOF text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	rest regclass := uidext_internal.uuid_partition_default(parent);
BEGIN
	RETURN QUERY
		SELECT format('rows in the default partition %s', rest)
		WHERE uidext_internal.uuid_partition_edge(rest, column_name, NULL::text, NULL::text, true) IS NOT NULL
		UNION ALL
		SELECT format('rows in the default partition %s, by the statistics', rest)
		FROM uidext_internal.uuid_partition_sizes(ARRAY[rest]) s
		WHERE s.rows > 0 AND NOT uidext_internal.uuid_partition_may_look(rest)
		UNION ALL
		SELECT format('partition %s waits to be detached', p.partition)
		FROM unnest(periods) p
		WHERE p.detach_pending
		UNION ALL
		SELECT h.message FROM uidext_internal.uuid_partition_hashed_by_core(parent) h
		UNION ALL
		SELECT format('the gap beside partition %s begins or ends inside a millisecond, for which no partition is made', b.partition)
		FROM uidext_internal.uuid_partition_broken_bounds(periods, layout) b(partition);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_problems(regclass, name, text, uidext_internal.uuid_partition_period[]) IS
	'what uuid_partition_check() warns of in partitions of any age; raises as uuid_partition_edge()';

CREATE FUNCTION uuid_partition_check(
	parent regclass, ahead interval DEFAULT NULL, keep interval DEFAULT NULL,
	OUT severity int, OUT status text, OUT message text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	kept_since timestamptz;
	periods uidext_internal.uuid_partition_period[];
	covered timestamptz;
BEGIN
	IF parent IS NULL THEN
		RAISE EXCEPTION 'parent may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	-- an alarm that never comes is seen by nobody
	IF ahead < '1 minute' AND ahead <> '0' THEN
		RAISE EXCEPTION 'ahead must be 0, or a minute or more'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('ahead is %s.', ahead),
				HINT = 'A number without a unit counts seconds: write ''30 days''.';
	END IF;
	RETURN QUERY
		SELECT 1, 'WARNING', h.message FROM uidext_internal.uuid_partition_hashed_by_core(parent) h WHERE h.relation = parent;
	IF FOUND THEN
		RETURN;
	END IF;
	key := uidext_internal.uuid_partition_key(parent);
	kept_since := uidext_internal.uuid_partition_kept_since(keep, 'UTC');
	periods := ARRAY(SELECT p FROM uidext_internal.uuid_partition_ranges(parent, key.layout) p);
	covered := uidext_internal.uuid_partition_covered(periods);
	-- no time can be taken from infinity before 17
	ahead := coalesce(ahead, least('7 days', (
		SELECT CASE WHEN isfinite(p.from_time) AND isfinite(p.to_time) THEN p.to_time - p.from_time END
		FROM unnest(periods) p
		WHERE NOT p.detach_pending
		ORDER BY p.from_time DESC
		LIMIT 1)));

	RETURN QUERY
		WITH found(severity, message) AS (
			SELECT 2, 'no partition for the present' WHERE covered IS NULL
			UNION ALL
			SELECT 1, format('no partition from %s on', covered)
			WHERE covered < uidext_internal.uuid_partition_add(now(), ahead, 'UTC')
			UNION ALL
			SELECT 1, format('partitions older than %s: %s, the first is of %s', keep, count(*), min(p.from_time))
			FROM unnest(periods) p
			WHERE p.to_time <= kept_since
			HAVING count(*) > 0
			UNION ALL
			SELECT 1, p FROM uidext_internal.uuid_partition_problems(parent, key.column_name, key.layout, periods) p
		), problem AS (
			SELECT * FROM found
			UNION ALL
			SELECT 0, format('partitions up to %s', covered) WHERE NOT EXISTS (SELECT FROM found)
		)
		SELECT p.severity, (ARRAY['OK', 'WARNING', 'CRITICAL'])[p.severity + 1], p.message
		FROM problem p
		ORDER BY p.severity DESC, p.message;
END
$$;
COMMENT ON FUNCTION uuid_partition_check(regclass, interval, interval) IS
	'what is wrong with a table''s partitions, worst first, else one line OK: 0 OK, 1 WARNING, 2 CRITICAL, when nothing is there for the present; of a table partitioned by hash only whether it is an iuid''s by core''s class, which knows no country; ahead is, unless given, the length of the newest range partition, at most 7 days; reads, of others'' tables catalogs and statistics only; raises 42809 for other tables, 22023 for a keep below 0 or above 5,000 years, or an ahead below a minute that is not 0';
