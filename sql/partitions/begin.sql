-- Partitions: how a call begins
--
-- Locks the tables, so that nobody else changes their partitions, and reads what a plan needs of
-- them.  These locks let others read and write.

-- A plan looks into partitions.  This waits until that is possible without standing in a queue.  It
-- keeps no lock: others could not have theirs, and whoever comes after them would wait as well.
CREATE FUNCTION uidext_internal.partition_await_readable(partition regclass, deadline timestamptz) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	-- to see whether a partition of another owner has rows takes a lock, too
	SET lock_timeout = '100ms'
AS $$
BEGIN
	LOOP
		BEGIN
			PERFORM lock_table(b, 'ACCESS SHARE', '0') FROM partition_beneath(partition) b
			-- NULL where others have dropped it meanwhile
			WHERE partition_sight(partition) = 'all' AND has_table_privilege(b, 'SELECT') IS NOT NULL;
			-- gives the locks back
			RAISE SQLSTATE 'UI001';
		EXCEPTION
			WHEN SQLSTATE 'UI001' THEN
				RETURN;
			WHEN lock_not_available THEN
				IF clock_timestamp() >= deadline THEN
					RAISE;
				END IF;
		END;
		PERFORM pg_sleep(0.05);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_await_readable(regclass, timestamptz) IS
	'waits until nobody keeps a partition of which the caller sees all rows, or what is beneath it, from being read; raises '
	'55P03 where that is not so until a deadline';

-- Reads a table for a plan.  The lock on the table keeps others from changing its partitions until
-- the transaction ends: if two sessions call at once, the second waits here and then sees what the
-- first has done.
CREATE FUNCTION uidext_internal.partition_lock_and_read(
	parent regclass, template regclass, dry_run bool, deadline timestamptz
) RETURNS uidext_internal.partitioned_table
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	result partitioned_table;
BEGIN
	IF dry_run THEN
		PERFORM partition_check_owner(parent);
	ELSE
		PERFORM partition_lock_tables(ARRAY[parent], deadline);
	END IF;
	result := partition_require_time(partition_read(parent, deadline));
	PERFORM partition_await_readable(result.default_partition, deadline);
	PERFORM partition_check_template(parent, template);
	result.template := template;
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock_and_read(regclass, regclass, bool, timestamptz) IS
	'a table as it is read for a plan, which others do not change until the transaction ends, unless this is a dry run; '
	'raises as partition_read(), partition_require_time(), partition_check_owner(), partition_check_template() and '
	'partition_lock_tables()';

-- Above READ COMMITTED, an older snapshot does not show new partitions and rows of followers.  They
-- would stay without the rows to which they refer.
CREATE FUNCTION uidext_internal.partition_lock_and_read_family(
	parent regclass, followers regclass[], template regclass, dry_run bool, deadline timestamptz
) RETURNS uidext_internal.partitioned_table[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	family partitioned_table[];
	follower regclass;
BEGIN
	family := ARRAY[partition_lock_and_read(parent, template, dry_run, deadline)];
	PERFORM partition_check_followers(family[1], followers, deadline);
	IF cardinality(followers) > 0
		AND current_setting('transaction_isolation') IN ('repeatable read', 'serializable')
	THEN
		RAISE EXCEPTION 'tables with followers need a transaction that is READ COMMITTED'
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Call it in a transaction that was started with BEGIN ISOLATION LEVEL READ COMMITTED.';
	END IF;
	PERFORM partition_check_owner(f) FROM unnest(followers) f;
	IF NOT dry_run THEN
		PERFORM partition_lock_tables(followers, deadline);
	END IF;
	FOREACH follower IN ARRAY followers LOOP
		IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = follower) THEN
			RAISE EXCEPTION 'follower % has no partition', follower
				USING ERRCODE = 'object_not_in_prerequisite_state',
					HINT = format('Make its first partitions, and decide on foreign keys: SELECT * FROM uuid_partition_follow(%L, %L)',
						follower, parent);
		END IF;
		family := family || partition_read_follower(follower, ARRAY(SELECT m.relation FROM unnest(family) m), deadline);
		PERFORM partition_await_readable((family[cardinality(family)]).default_partition, deadline);
	END LOOP;
	RETURN family;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock_and_read_family(regclass, regclass[], regclass, bool, timestamptz) IS
	'a table and its followers as they are read for a plan, the table first; raises 55000 for a follower without a '
	'partition, or above READ COMMITTED, and as partition_lock_and_read(), partition_check_followers() and partition_lock_tables()';
