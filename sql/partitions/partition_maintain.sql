-- Partitions: maintenance in one call

-- The period of today: a partition's, or the one to come after the last.
CREATE FUNCTION uidext_internal.partition_today(
	job uidext_internal.partition_job, kept_since timestamptz, OUT covered timestamptz, OUT target timestamptz
)
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	SELECT p.to_time, p.to_time INTO covered, target
	FROM unnest(job.periods) p
	WHERE p.from_time <= now() AND p.to_time > now();
	IF FOUND THEN
		RETURN;
	END IF;
	-- after a long outage nothing is made that would be dropped at once
	SELECT CASE WHEN count(*) = 0 THEN partition_origin(now(), job.step, job.tz)
			ELSE greatest(max(p.to_time), partition_origin(kept_since, job.step, job.tz)) END
	INTO covered
	FROM unnest(job.periods) p
	WHERE p.to_time <= now();
	PERFORM partition_check_number(partition_steps(covered, now(), job.step));
	SELECT max(b.to_time) INTO target
	FROM @extschema@.uuid_partition_bounds(covered, now() + interval '1 microsecond', job.step, job.tz) b;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_today(uidext_internal.partition_job, timestamptz) IS
	'up to when all is covered by the partitions of a job, and when the period of today ends; raises 22023 for more than '
	'10,000 partitions, and as uuid_partition_bounds()';

-- What there is no partition for yet, gap by gap, because the partitions that
-- are there may be of any length.
CREATE FUNCTION uidext_internal.partition_missing(job uidext_internal.partition_job, ahead int, kept_since timestamptz)
	RETURNS uidext_internal.partition_period[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	today record := partition_today(job, kept_since);
	target timestamptz := partition_add(today.target, job.step * ahead, job.tz);
BEGIN
	PERFORM partition_check_number(partition_steps(today.covered, target, job.step));
	RETURN ARRAY(
		WITH gap AS (
			SELECT coalesce(lag(p.to_time) OVER w, today.covered) AS start, p.from_time AS stop
			FROM unnest(job.periods) p
			WHERE p.to_time > today.covered
			WINDOW w AS (ORDER BY p.from_time, p.to_time)
			UNION ALL
			SELECT greatest(max(p.to_time), today.covered), 'infinity'
			FROM unnest(job.periods) p
		)
		-- what does not fit before the next partition is cut short
		SELECT ROW(NULL, NULL, NULL, b.from_time, least(b.to_time, g.stop), false, partition_suffix(b.from_time,
			CASE WHEN b.to_time > g.stop THEN g.stop - b.from_time ELSE job.step END, job.tz))::partition_period
		FROM gap g, @extschema@.uuid_partition_bounds(
			g.start, CASE WHEN g.start < least(g.stop, target) THEN least(g.stop, target) END, job.step, job.tz) b
		ORDER BY b.from_time);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_missing(uidext_internal.partition_job, int, timestamptz) IS
	'the periods that uuid_partition_maintain() makes partitions for, with the ends of their names; raises 22023 for more '
	'than 10,000 partitions, and as uuid_partition_bounds()';

CREATE FUNCTION uidext_internal.partition_report(parent regclass, partition text, action text, problem text)
	RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	-- by the SQLSTATE, because the words are in the language of the server
	hint text := CASE left(problem, 5)
		WHEN '23514' THEN 'uuid_partition_drain() brings rows out of the default partition.'
		WHEN '42501' THEN CASE WHEN action ~ '(dropped|detached)$'
			THEN 'Who drops partitions owns them, and sees all rows of tables that refer to theirs.' END
		WHEN '23503' THEN 'Rows to which a foreign key refers cannot leave while it is there.'
		WHEN '55006' THEN format('Unless a session is at it: ALTER TABLE %s DETACH PARTITION %s FINALIZE', parent, partition)
	END;
BEGIN
	IF problem IS NULL THEN
		RAISE LOG 'partition % of table % is % unless this is rolled back', partition, parent, action;
	ELSIF hint IS NULL
		OR starts_with(problem, '23514') AND partition_default(parent) IS NULL
		OR starts_with(problem, '55006')
			AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(partition) AND inhparent = parent
				AND inhdetachpending)
	THEN
		RAISE WARNING 'partition % is %', partition, action USING DETAIL = problem;
	ELSE
		RAISE WARNING 'partition % is %', partition, action USING DETAIL = problem, HINT = hint;
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_report(regclass, text, text, text) IS
	'tells the server''s log what was done about a partition, or warns of the problem that kept it from being done; '
	'uuid_partition_drain() gives no table';

-- Those that new partitions are like stay until there are some: the table's own newest
-- if it is partitioned, and with their periods the newest of followers.
CREATE FUNCTION uidext_internal.partition_old(job uidext_internal.partition_job, kept_since timestamptz)
	RETURNS uidext_internal.partition_period[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	is_divided bool := EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = job.neighbour);
	models regclass[] := ARRAY(
		SELECT partition_with_bound(job.parent, partition_bound_of(newest))
		FROM unnest(CASE WHEN kept_since IS NOT NULL THEN job.followers END) f,
			partition_newest(ARRAY(SELECT r FROM partition_ranges(f, job.layout) r)) newest);
BEGIN
	RETURN ARRAY(
		SELECT p FROM unnest(job.periods) p
		WHERE p.to_time <= kept_since AND p.partition IS DISTINCT FROM job.template
			AND NOT (is_divided AND p.partition = job.neighbour)
			AND (p.partition = ANY (models)) IS NOT TRUE
		ORDER BY p.from_time, p.to_time);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_old(uidext_internal.partition_job, timestamptz) IS
	'the partitions that end at or before a time, but for the template, the newest if it is partitioned itself, and those '
	'of the bounds of followers'' newest; raises as partition_ranges()';

-- One that is being detached takes no rows, and keeps others from its period.
CREATE FUNCTION uidext_internal.partition_waiting(job uidext_internal.partition_job, ahead int)
	RETURNS SETOF uidext_internal.partition_result
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	RETURN QUERY
		SELECT 'not created', p.partition::text, NULL::regclass, p.from_time, p.to_time, NULL::bigint, NULL::bigint,
			format('55006: partition %s waits to be detached', p.partition)
		FROM unnest(job.periods) p
		WHERE p.detach_pending AND p.to_time > now() AND p.from_time <= partition_add(now(), job.step * ahead, job.tz)
		ORDER BY p.from_time;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_waiting(uidext_internal.partition_job, int) IS
	'what uuid_partition_maintain() says of partitions in whose period none can be made; raises as partition_add()';

CREATE FUNCTION uidext_internal.partition_upkeep(job uidext_internal.partition_job, ahead int)
	RETURNS SETOF uidext_internal.partition_result
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	result partition_result;
	left_over bigint := cardinality(job.old);
	names text[] := ARRAY(SELECT p.partition::text FROM unnest(job.old) p);
	-- before others wait
	waiting partition_result[] := ARRAY(SELECT w FROM partition_waiting(job, ahead) w);
BEGIN
	LOOP
		BEGIN
			FOR result IN
				SELECT * FROM partition_retry('partition_attempt', job)
				UNION ALL
				SELECT * FROM unnest(waiting)
			LOOP
				IF result.problem IS NOT NULL OR NOT job.dry_run THEN
					PERFORM partition_report(job.parent, result.partition, result.action, result.problem);
				END IF;
				left_over := left_over - (result.action ~ '(dropped|detached)$' AND result.partition = ANY (names))::int;
				RETURN NEXT result;
			END LOOP;
			EXIT;
		EXCEPTION
			-- what keeps old partitions from going does not keep new ones from coming
			WHEN lock_not_available OR deadlock_detected THEN
				IF job.obstacle IS NOT NULL THEN
					RAISE;
				END IF;
				job.obstacle := '55P03: others keep the table locked';
			-- fewer tables, until it is one of so many that their locks have no room
			WHEN out_of_memory THEN
				IF job.obstacle IS NOT NULL THEN
					RAISE;
				ELSIF job.most > 1 THEN
					job.most := job.most / 10;
				ELSE
					job.obstacle := SQLSTATE || ': ' || SQLERRM;
				END IF;
		END;
	END LOOP;
	IF left_over > 0 THEN
		RAISE WARNING 'old partitions of table % are left for the next call: %', job.parent, left_over
			USING HINT = format('A call removes the oldest, until these were %s tables, '
				'because all of their locks are held at once.', job.most);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_upkeep(uidext_internal.partition_job, int) IS
	'what uuid_partition_maintain() does, and tells; with 55P03 or 40P01 when others keep it waiting, though no old '
	'partition goes; raises 53200 where the locks of a new one have no room';

CREATE FUNCTION uidext_internal.partition_kept_since(keep interval, tz text) RETURNS timestamptz
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	IF keep NOT BETWEEN '0' AND '5000 years' THEN
		RAISE EXCEPTION 'keep must be from 0 to 5,000 years'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('keep is %s.', keep);
	END IF;
	RETURN partition_add(now(), -keep, tz);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_kept_since(interval, text) IS
	'the time up to which partitions are no longer kept; raises 22023 for what is below 0 or beyond what times hold';

CREATE FUNCTION uidext_internal.partition_check_plan(step interval, ahead int, keep interval, tz text) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	IF ahead < 0 THEN
		RAISE EXCEPTION 'ahead must not be negative'
			USING ERRCODE = 'invalid_parameter_value', DETAIL = format('ahead is %s.', ahead);
	END IF;
	-- step and tz, also when there is nothing to make
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
	PERFORM partition_check_number(ahead);
	IF keep < step THEN
		RAISE EXCEPTION 'keep must not be shorter than step'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('keep is %s, step is %s.', keep, step),
				HINT = 'Write ''6 months'' in full: ''6m'' is six minutes.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_plan(interval, int, interval, text) IS
	'raises 22023 for what would make a table''s upkeep a slip: a negative or huge ahead, a bad step or time zone, a keep '
	'that is shorter than step';

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
	job partition_job;
	kept_since timestamptz;
BEGIN
	IF num_nulls(parent, step, ahead, detach_only, tz, dry_run, followers) > 0 THEN
		RAISE EXCEPTION 'no argument but keep and template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	-- a negative keep is no slip of its unit
	kept_since := partition_kept_since(keep, tz);
	PERFORM partition_check_plan(step, ahead, keep, tz);
	job := partition_key(parent);
	job.step := step;
	job.tz := tz;
	job.template := template;
	job.detach_only := detach_only;
	job.dry_run := dry_run;
	job.tolerant := true;
	-- tables, whose locks have room in any server
	job.most := 100;
	job.followers := followers;
	PERFORM partition_check_followers(job);
	job := partition_begin(job);
	PERFORM partition_lock_followers(job);
	job.old := partition_old(job, kept_since);
	job.missing := partition_missing(job, ahead, kept_since);
	IF NOT dry_run THEN
		PERFORM partition_end_vacuums(ARRAY(
			SELECT m FROM unnest(job.old[:job.most]) p, unnest(partition_family(followers, p.partition)) m));
	END IF;
	RETURN QUERY SELECT u.action, u.partition, u.from_time, u.to_time, u.problem FROM partition_upkeep(job, ahead) u;
END
$$;
COMMENT ON FUNCTION uuid_partition_maintain(regclass, interval, int, interval, bool, text, regclass, bool, regclass[]) IS
	'drops or detaches old partitions and makes new ones ahead; old ones ended longer than keep ago, but for the newest '
	'if it is partitioned itself, or a follower''s newest has its bounds; the oldest 100 tables of them go, or fewer '
	'where their locks have no room, leaving the rest to the next call with a warning; makes the missing ones up to so '
	'many steps ahead; new ones are like a template and the newest partition, and in its schema; of followers, tables '
	'that belong to this one, the partitions of the same bounds go before it, all or none, and come after it, like the '
	'follower''s newest and with its foreign keys; returns what it did, or with dry_run what it would do, and what would '
	'fail; warns of what it could not; 55P03 when others keep it waiting; raises 22023 for a keep shorter than step, a '
	'table that is not partitioned by time, or a follower named twice or before one that it refers to, 42501 for callers '
	'who are not the owner of all, 55000 for a follower without a partition, or for followers above READ COMMITTED, 42804 '
	'for one by another type';
