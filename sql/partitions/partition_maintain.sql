-- Partitions: maintenance in one call

-- What there is no partition for yet, gap by gap, because the partitions that
-- are there may be of any length.
CREATE FUNCTION uidext_internal.partition_missing(
	periods uidext_internal.partition_period[], step interval, ahead int, kept_since timestamptz, tz text,
	OUT from_time timestamptz, OUT to_time timestamptz, OUT suffix text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	-- up to where all is covered, and up to where it shall be
	covered timestamptz;
	target timestamptz;
BEGIN
	-- the period of today: a partition's, or the one to come after the last
	SELECT p.to_time, p.to_time INTO covered, target
	FROM unnest(periods) p
	WHERE p.from_time <= now() AND p.to_time > now();
	IF NOT FOUND THEN
		-- after a long outage nothing is made that would be dropped at once
		SELECT CASE WHEN count(*) = 0 THEN partition_origin(now(), step, tz)
				ELSE greatest(max(p.to_time), partition_origin(kept_since, step, tz)) END
		INTO covered
		FROM unnest(periods) p
		WHERE p.to_time <= now();
		PERFORM partition_check_number(partition_steps(covered, now(), step));
		SELECT max(b.to_time) INTO target
		FROM @extschema@.uuid_partition_bounds(covered, now() + interval '1 microsecond', step, tz) b;
	END IF;
	target := partition_add(target, step * ahead, tz);
	PERFORM partition_check_number(partition_steps(covered, target, step));

	-- what does not fit before the next partition is cut short
	RETURN QUERY
		WITH gap AS (
			SELECT coalesce(lag(p.to_time) OVER w, covered) AS start, p.from_time AS stop
			FROM unnest(periods) p
			WHERE p.to_time > covered
			WINDOW w AS (ORDER BY p.from_time, p.to_time)
			UNION ALL
			SELECT greatest(max(p.to_time), covered), 'infinity'
			FROM unnest(periods) p
		)
		SELECT b.from_time, least(b.to_time, g.stop),
			partition_suffix(b.from_time, CASE WHEN b.to_time > g.stop THEN g.stop - b.from_time ELSE step END, tz)
		FROM gap g,
			@extschema@.uuid_partition_bounds(g.start, CASE WHEN g.start < least(g.stop, target) THEN least(g.stop, target) END, step, tz) b
		ORDER BY b.from_time;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_missing(uidext_internal.partition_period[], interval, int, timestamptz, text) IS
	'the periods that uuid_partition_maintain() makes partitions for, with the ends of their names; raises as uuid_partition_bounds()';

CREATE FUNCTION uidext_internal.partition_warn(parent regclass, partition text, action text, problem text) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	-- by the SQLSTATE, because the words are in the language of the server
	hint text := CASE left(problem, 5)
		WHEN '23514' THEN 'uuid_partition_drain() brings rows out of the default partition.'
		WHEN '42501' THEN CASE WHEN action ~ '(dropped|detached)$' THEN 'Who drops partitions owns them, and needs SELECT on tables that refer to their rows.' END
		WHEN '23503' THEN 'Rows to which a foreign key refers cannot leave while it is there.'
		WHEN '55006' THEN format('Unless a session is at it: ALTER TABLE %s DETACH PARTITION %s FINALIZE', parent, partition)
	END;
BEGIN
	IF hint IS NULL
		OR starts_with(problem, '23514') AND partition_default(parent) IS NULL
		OR starts_with(problem, '55006')
			AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(partition) AND inhparent = parent AND inhdetachpending)
	THEN
		RAISE WARNING 'partition % is %', partition, action USING DETAIL = problem;
	ELSE
		RAISE WARNING 'partition % is %', partition, action USING DETAIL = problem, HINT = hint;
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_warn(regclass, text, text, text) IS
	'warns of what uuid_partition_maintain() could not do with a table, or uuid_partition_drain(), which gives no table';

-- Rows that refer to others go before these.
CREATE FUNCTION uidext_internal.partition_family(followers regclass[], partition regclass) RETURNS regclass[]
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT ARRAY(
		SELECT uidext_internal.partition_with_bound(f.relation, pg_get_expr(c.relpartbound, 0::oid))
		FROM pg_catalog.unnest(followers) WITH ORDINALITY f(relation, n) JOIN pg_catalog.pg_class c ON c.oid = partition::oid
		WHERE uidext_internal.partition_with_bound(f.relation, pg_get_expr(c.relpartbound, 0::oid)) IS NOT NULL
		ORDER BY f.n DESC
	) || partition;
END;
COMMENT ON FUNCTION uidext_internal.partition_family(regclass[], regclass) IS
	'a partition after those of its parent''s followers that have its bounds, the last follower''s first';

CREATE FUNCTION uidext_internal.partition_retire_family(family regclass[], detach_only bool, dry_run bool) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	member regclass;
	parent regclass;
	gone regclass[] := '{}';
BEGIN
	FOREACH member IN ARRAY family LOOP
		parent := (SELECT inhparent FROM pg_inherits WHERE inhrelid = member);
		IF dry_run THEN
			PERFORM partition_check_removal(parent, member, detach_only, gone);
		ELSE
			PERFORM partition_remove(parent, member, detach_only);
		END IF;
		gone := gone || member;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_retire_family(regclass[], bool, bool) IS
	'drops or detaches partitions, one after the other, or looks what would keep them; raises as partition_remove(), and in a dry run as partition_check_removal()';

-- One after the other, each for itself: what cannot go does not keep the rest.  Those
-- of a backlog take their turn, because whoever drops them holds all their locks.
CREATE FUNCTION uidext_internal.partition_retire(
	followers regclass[], old uidext_internal.partition_period[], detach_only bool, most int, obstacle text, dry_run bool,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	period record;
	family regclass[];
	names text[];
	tables bigint := 0;
	size bigint;
BEGIN
	FOR period IN
		SELECT * FROM unnest(old) p ORDER BY p.from_time, p.to_time
	LOOP
		EXIT WHEN tables >= most;
		family := partition_family(followers, period.partition);
		names := ARRAY(SELECT m::text FROM unnest(family) WITH ORDINALITY f(m, n) ORDER BY f.n);
		from_time := period.from_time;
		to_time := period.to_time;
		problem := obstacle;
		BEGIN
			size := (SELECT count(*) FROM unnest(family) m, partition_beneath(m));
			IF obstacle IS NULL THEN
				PERFORM partition_retire_family(family, detach_only, dry_run);
			END IF;
			-- not of what cannot go, which keeps no locks
			tables := tables + size;
		EXCEPTION WHEN OTHERS THEN
			IF NOT partition_goes_on(SQLSTATE) THEN
				RAISE;
			END IF;
			problem := SQLSTATE || ': ' || SQLERRM;
		END;
		FOREACH partition IN ARRAY names LOOP
			action := CASE WHEN problem IS NOT NULL THEN 'not ' WHEN dry_run THEN 'to be ' ELSE '' END
				|| CASE WHEN detach_only THEN 'detached' ELSE 'dropped' END;
			RETURN NEXT;
		END LOOP;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_retire(regclass[], uidext_internal.partition_period[], bool, int, text, bool) IS
	'drops or detaches some partitions, the oldest first, until these were so many tables, each after its followers'', and says of each whether it went, or of an obstacle that keeps them all; raises what concerns more than a partition';

-- The one that new partitions are partitioned like stays until there are some.
CREATE FUNCTION uidext_internal.partition_old(
	periods uidext_internal.partition_period[], kept_since timestamptz, template regclass
) RETURNS uidext_internal.partition_period[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	neighbour regclass := (SELECT p.partition FROM unnest(periods) p WHERE NOT p.detach_pending ORDER BY p.from_time DESC LIMIT 1);
	is_divided bool := EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = neighbour);
BEGIN
	RETURN ARRAY(
		SELECT p FROM unnest(periods) p
		WHERE p.to_time <= kept_since AND p.partition IS DISTINCT FROM template AND NOT (is_divided AND p.partition = neighbour));
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_old(uidext_internal.partition_period[], timestamptz, regclass) IS
	'of some partitions those that end at or before a time, but for a template, and for the newest if it is partitioned itself';

CREATE FUNCTION uidext_internal.partition_extend(
	parent regclass, layout text, from_times timestamptz[], to_times timestamptz[], suffixes text[], template regclass, dry_run bool,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	neighbour regclass := CASE WHEN cardinality(from_times) > 0 THEN partition_newest(parent, layout) END;
BEGIN
	FOR i IN 1 .. cardinality(from_times) LOOP
		partition := suffixes[i];
		from_time := from_times[i];
		to_time := to_times[i];
		problem := NULL;
		BEGIN
			partition := partition_name(parent, suffixes[i]);
			IF dry_run THEN
				PERFORM partition_check_creation(parent, partition,
					partition_boundary(layout, from_time), partition_boundary(layout, to_time), neighbour);
			ELSE
				partition := partition_make(parent, layout, from_time, to_time, suffixes[i], template, neighbour)::text;
			END IF;
		EXCEPTION WHEN OTHERS THEN
			IF NOT partition_goes_on(SQLSTATE) THEN
				RAISE;
			END IF;
			problem := SQLSTATE || ': ' || SQLERRM;
		END;
		action := CASE WHEN problem IS NOT NULL THEN 'not created' WHEN dry_run THEN 'to be created' ELSE 'created' END;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_extend(regclass, text, timestamptz[], timestamptz[], text[], regclass, bool) IS
	'makes the partitions of some periods, and says of each whether it is there; raises what concerns more than a partition';

CREATE FUNCTION uidext_internal.partition_maintain_once(
	parent regclass, followers regclass[], layout text, periods uidext_internal.partition_period[], old uidext_internal.partition_period[],
	step interval, ahead int, kept_since timestamptz,
	detach_only bool, tz text, template regclass, most int, obstacle text, dry_run bool,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '200ms'
AS $$
DECLARE
	missing record;
BEGIN
	PERFORM partition_brief();
	-- what is missing depends on what was there
	SELECT coalesce(array_agg(m.from_time), '{}') AS from_times, coalesce(array_agg(m.to_time), '{}') AS to_times,
		coalesce(array_agg(m.suffix), '{}') AS suffixes
	INTO missing
	FROM partition_missing(periods, step, ahead, kept_since, tz) m;

	-- Dropping locks the parent, and making a default partition: in the order of every reader,
	-- because the other way round they would wait for each other.
	RETURN QUERY SELECT * FROM partition_retire(followers, old, detach_only, most, obstacle, dry_run);
	RETURN QUERY SELECT * FROM partition_extend(parent, layout,
		missing.from_times, missing.to_times, missing.suffixes, template, dry_run);
	FOR i IN 1 .. cardinality(followers) LOOP
		RETURN QUERY SELECT * FROM partition_follow_on(followers[i], partition_leader(followers[i], parent || followers[: i - 1], layout), layout, dry_run);
		IF dry_run THEN
			RETURN QUERY SELECT * FROM partition_extend(followers[i], layout,
				missing.from_times, missing.to_times, missing.suffixes, NULL, true);
		END IF;
	END LOOP;
	-- one that is being detached takes no rows, and keeps others from its period
	RETURN QUERY
		SELECT 'not created', p.partition::text, p.from_time, p.to_time, format('55006: partition %s waits to be detached', p.partition)
		FROM unnest(periods) p
		WHERE p.detach_pending AND p.to_time > now() AND p.from_time <= partition_add(now(), step * ahead, tz)
		ORDER BY p.from_time;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_maintain_once(regclass, regclass[], text, uidext_internal.partition_period[], uidext_internal.partition_period[], interval, int, timestamptz, bool, text, regclass, int, text, bool) IS
	'one attempt of uuid_partition_maintain(), with 55P03 when others keep it waiting';

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
	IF ahead < 0 OR NOT isfinite(keep) THEN
		RAISE EXCEPTION 'ahead must not be negative, nor keep infinite'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('ahead is %s, keep is %s.', ahead, coalesce(keep::text, 'NULL'));
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
	'raises 22023 for what would make a table''s upkeep a slip: a negative or huge ahead, a bad step or time zone, a keep that is infinite or shorter than step';

CREATE FUNCTION uuid_partition_maintain(
	parent regclass, step interval, ahead int DEFAULT 3, keep interval DEFAULT NULL,
	detach_only bool DEFAULT false, tz text DEFAULT 'UTC', template regclass DEFAULT NULL,
	dry_run bool DEFAULT false, strict bool DEFAULT false, followers regclass[] DEFAULT '{}',
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	key record;
	kept_since timestamptz;
	periods partition_period[];
	old partition_period[];
	old_names text[];
	deadline timestamptz := partition_deadline();
	-- tables, whose locks have room in any server
	most int := 100;
	obstacle text;
	problems text;
	left_over bigint;
BEGIN
	IF num_nulls(parent, step, ahead, detach_only, tz, dry_run, strict, followers) > 0 THEN
		RAISE EXCEPTION 'no argument but keep and template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM partition_check_plan(step, ahead, keep, tz);
	kept_since := partition_kept_since(keep, tz);
	key := partition_key(parent);
	PERFORM partition_check_followers(parent, followers);
	periods := partition_begin(parent, key.layout, kept_since, most, dry_run);
	PERFORM partition_begin(f, key.layout, kept_since, most, dry_run) FROM unnest(followers) f;
	PERFORM partition_check_template(parent, template);
	old := partition_old(periods, kept_since, template);
	old_names := ARRAY(SELECT p.partition::text FROM unnest(old) p);
	left_over := cardinality(old);

	LOOP
		BEGIN
			FOR action, partition, from_time, to_time, problem IN
				SELECT * FROM partition_maintain_once(parent, followers, key.layout, periods, old, step, ahead,
					kept_since, detach_only, tz, template, most, obstacle, dry_run)
			LOOP
				IF problem IS NOT NULL THEN
					PERFORM partition_warn(parent, partition, action, problem);
					problems := concat_ws(chr(10), problems, format('partition %s is %s: %s', partition, action, problem));
				ELSIF NOT dry_run THEN
					RAISE LOG 'partition % of table % is % unless this is rolled back', partition, parent, action;
				END IF;
				left_over := left_over - (action ~ '(dropped|detached)$' AND partition = ANY (old_names))::int;
				RETURN NEXT;
			END LOOP;
			EXIT;
		EXCEPTION
			-- what keeps old partitions from going does not keep new ones from coming
			WHEN lock_not_available OR deadlock_detected THEN
				IF NOT partition_again(deadline) THEN
					IF obstacle IS NOT NULL THEN
						RAISE;
					END IF;
					obstacle := '55P03: others keep the table locked';
					deadline := partition_deadline();
				END IF;
			-- fewer tables, until it is one of so many that their locks have no room
			WHEN out_of_memory THEN
				IF obstacle IS NOT NULL THEN
					RAISE;
				ELSIF most > 1 THEN
					most := most / 10;
				ELSE
					obstacle := SQLSTATE || ': ' || SQLERRM;
				END IF;
		END;
	END LOOP;
	IF left_over > 0 THEN
		RAISE WARNING 'old partitions of table % are left for the next call: %', parent, left_over
			USING HINT = format('A call removes the oldest, until these were %s tables, because all of their locks are held at once.', most);
	END IF;
	IF strict AND problems IS NOT NULL THEN
		RAISE EXCEPTION 'not all partitions of table % could be maintained', parent
			USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = problems,
				HINT = 'Nothing has been changed. Without strict, all else is done.';
	END IF;
END
$$;
COMMENT ON FUNCTION uuid_partition_maintain(regclass, interval, int, interval, bool, text, regclass, bool, bool, regclass[]) IS
	'drops or detaches partitions that ended longer than keep ago, but for the newest if it is partitioned itself, the oldest 100 tables of them, or fewer where their locks have no room, leaving the rest to the next call with a warning, and makes the missing ones up to so many steps ahead; new ones are like a template and the newest partition; of followers, tables that belong to the parent, the partitions of the same bounds go before the parent''s, all or none, and come after them, each like its table''s newest with its foreign key to the counterpart; returns what it did, or with dry_run what it would do, and what would fail; warns of what it could not, or where strict ends with an error 55000; 55P03 when others keep it waiting; raises 22023 for a keep shorter than step, a table that is not partitioned by time, or a follower that is named twice, 42501 for callers who are not the owner, 55000 for a follower without a partition';
