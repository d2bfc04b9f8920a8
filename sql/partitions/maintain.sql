-- Partitions: uuid_partition_maintain()
--
-- Begin to read here, at the end of this file.  "How a partition is made" in src/README.md is the map of the others.
-- All of it is SQL but what reads, locks or moves by OID: range_bounds(), hold_names(), lock_table(), edge_id(),
-- count_ids(), attach_ids() and move_ids().  Their C is in src/partitions; for the SQL edition range_bounds() is in
-- key.sql, hold_names() in names.sql, and the others are in by_oid.sql.

-- The period that holds now: that of a partition, or the one that is to be made after the last.
CREATE FUNCTION uidext_internal.partition_present(
	periods uidext_internal.partition_period[], step interval, kept_since timestamptz, tz text,
	OUT covered timestamptz, OUT target timestamptz
)
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	SELECT p.to_time, p.to_time INTO covered, target
	FROM unnest(periods) p
	WHERE p.from_time <= now() AND p.to_time > now();
	IF FOUND THEN
		RETURN;
	END IF;
	-- after a long outage, no partition is made that the same call would drop
	SELECT CASE WHEN count(*) = 0 THEN partition_origin(now(), step, tz)
			ELSE greatest(max(p.to_time), partition_origin(kept_since, step, tz)) END
	INTO covered
	FROM unnest(periods) p
	WHERE p.to_time <= now();
	PERFORM partition_check_count(partition_count_intervals(covered, now(), step));
	SELECT max(b.to_time) INTO target
	FROM @extschema@.uuid_partition_bounds(covered, now() + interval '1 microsecond', step, tz) b;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_present(
	uidext_internal.partition_period[], interval, timestamptz, text) IS
	'up to when all is covered by partitions, and when the present period ends; raises 22023 for more than 10,000 '
	'partitions, and as uuid_partition_bounds()';

-- Existing partitions may have any length, so missing periods are found gap by gap.  A partition
-- that waits to be detached takes no rows, and counts as missing.
CREATE FUNCTION uidext_internal.partition_missing(
	t uidext_internal.partitioned_table, step interval, ahead int, kept_since timestamptz, tz text
) RETURNS uidext_internal.partition_period[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	periods partition_period[] := ARRAY(SELECT p FROM unnest(t.periods) p WHERE NOT p.detach_pending);
	present record := partition_present(periods, step, kept_since, tz);
	target timestamptz := partition_add(present.target, step * ahead, tz);
BEGIN
	PERFORM partition_check_count(partition_count_intervals(present.covered, target, step));
	RETURN ARRAY(
		WITH gap AS (
			SELECT coalesce(lag(p.to_time) OVER w, present.covered) AS start, p.from_time AS stop
			FROM unnest(periods) p
			WHERE p.to_time > present.covered
			WINDOW w AS (ORDER BY p.from_time, p.to_time)
			UNION ALL
			SELECT greatest(max(p.to_time), present.covered), 'infinity'
			FROM unnest(periods) p
		)
		-- the last period of a gap ends where the next partition begins
		SELECT partition_snap(t, b.from_time, least(b.to_time, g.stop))
		FROM gap g, @extschema@.uuid_partition_bounds(
			g.start, CASE WHEN g.start < least(g.stop, target) THEN least(g.stop, target) END, step, tz) b
		ORDER BY b.from_time);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_missing(
	uidext_internal.partitioned_table, interval, int, timestamptz, text) IS
	'the periods that uuid_partition_maintain() makes partitions for; raises 22023 for more than 10,000, and as '
	'uuid_partition_bounds()';

-- '3' is three seconds, and '1m' a minute.  New partitions of such a step would stand between those of months
-- for ever.
CREATE FUNCTION uidext_internal.partition_check_step(t uidext_internal.partitioned_table, step interval) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	newest partition_period;
BEGIN
	SELECT p.* INTO newest FROM unnest(t.periods) p WHERE p.partition = t.newest;
	-- before 17, subtracting from infinity raises an error
	IF isfinite(newest.from_time) AND isfinite(newest.to_time) AND 1000 * step < newest.to_time - newest.from_time THEN
		RAISE EXCEPTION 'step is less than a thousandth of the newest partition of table %', t.relation
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('step is %s, and partition %s is from %s to %s.', step, t.newest, newest.from_time, newest.to_time),
				HINT = 'Write ''1 month'' in full: ''1m'' is a minute. If the periods shall be so short from now on, make the first with uuid_partition_create().';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_step(uidext_internal.partitioned_table, interval) IS
	'raises 22023 for a step that is a slip, because the newest partition is a thousand times as long';

CREATE FUNCTION uuid_partition_maintain(
	parent regclass, step interval, ahead int DEFAULT 3, keep interval DEFAULT NULL,
	detach_only bool DEFAULT false, tz text DEFAULT 'UTC', template regclass DEFAULT NULL,
	dry_run bool DEFAULT false, followers regclass[] DEFAULT '{}',
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	-- a server with PostgreSQL's own settings has room for the locks of so many tables
	most CONSTANT int := 100;
	-- for all that the call waits for
	removal_deadline CONSTANT timestamptz := partition_deadline(0.5);
	deadline CONSTANT timestamptz := partition_deadline();
	family partitioned_table[];
	kept_since timestamptz;
	missing partition_period[];
	steps partition_step[];
	left_over bigint;
BEGIN
	PERFORM partition_check_null('{parent,step,ahead,detach_only,tz,dry_run,followers}', ARRAY[parent IS NULL, step IS NULL, ahead IS NULL, detach_only IS NULL, tz IS NULL, dry_run IS NULL, followers IS NULL]);
	kept_since := partition_kept_since(keep, tz);
	PERFORM partition_check_upkeep(step, ahead, keep, tz);
	family := partition_begin(parent, followers, template, dry_run, deadline);
	missing := partition_missing(family[1], step, ahead, kept_since, tz);
	IF cardinality(missing) > 0 THEN
		PERFORM partition_check_step(family[1], step);
	END IF;
	steps := partition_plan(family, missing, step, tz, deadline,
		kept_since, CASE WHEN detach_only THEN 'detach' ELSE 'drop' END, most);
	IF NOT dry_run THEN
		steps := partition_execute_possible(family, steps, deadline, removal_deadline);
	END IF;
	RETURN QUERY
		SELECT r.action, r.name, (r.period).from_time, (r.period).to_time, r.problem FROM partition_report(steps, dry_run) r;
	left_over := (SELECT count(DISTINCT s.group_number) FROM unnest(steps) s WHERE s.action = 'leave');
	IF left_over > 0 THEN
		RAISE WARNING 'old partitions of table % are left for the next call: %', parent, left_over
			USING HINT = format('Call again to remove more. One call removes up to %s tables, the oldest first, and fewer if the lock table is full, '
				'or if it takes long to look at partitions that cannot go, or to remove those that can.', most);
	END IF;
END
$$;
COMMENT ON FUNCTION uuid_partition_maintain(regclass, interval, int, interval, bool, text, regclass, bool, regclass[]) IS
	'The periodic upkeep of a partitioned table, to be called by cron. First it makes the missing partitions of one '
	'step each, up to so many steps ahead of now, as uuid_partition_create() does. Then, with keep, it drops the '
	'partitions that ended longer than keep ago, or with detach_only detaches them: the oldest first, up to 100 '
	'tables a call, with a warning when some are left for the next call. The newest partition stays as long as no '
	'newer one is there, because new ones are made like it. Followers are tables that belong to this one: they get '
	'the partitions that it gets, and what they hold of an old period goes together with that of the table, or both '
	'stay. Returns what it did, with dry_run what it would do; problem says why a step was not or would not be done. '
	'Fails with 55P03 when others keep the table locked. Raises 22023 for a keep shorter than step, '
	'for new partitions less than a thousandth of the newest one, for a table that is not partitioned by time, and '
	'for a follower named twice or before one that it refers to, 42501 for callers who are not the owner of all, 55000 '
	'for a follower without a partition and for followers above READ COMMITTED, 42804 for a follower partitioned by '
	'another type.';
