-- Partitions: how a call begins
--
-- Locks the tables, so that nobody else changes their partitions, and reads what a plan needs of
-- them.  These locks let others read and write.

-- The locks keep others from changing partitions until the transaction ends: if two sessions call at
-- once, the second waits here and then sees what the first has done.
CREATE FUNCTION uidext_internal.partition_lock_and_read(
	tables regclass[], dry_run bool, deadline timestamptz
) RETURNS uidext_internal.partitioned_table[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	IF dry_run THEN
		PERFORM partition_check_owner(t) FROM unnest(tables) t;
	ELSE
		PERFORM partition_lock_family(tables, deadline);
	END IF;
	RETURN ARRAY(
		SELECT partition_require_time(partition_read(t.relation, deadline))
		FROM unnest(tables) WITH ORDINALITY t(relation, place)
		ORDER BY t.place);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock_and_read(regclass[], bool, timestamptz) IS
	'tables as they are read for a plan, which others do not change until the transaction ends, unless this is a dry run; '
	'raises as partition_read(), partition_require_time(), partition_check_owner() and partition_lock_family()';

-- Above READ COMMITTED, an older snapshot does not show new partitions and rows of followers.  They
-- would stay without the rows to which they refer.
CREATE FUNCTION uidext_internal.partition_begin(
	parent regclass, followers regclass[], template regclass, dry_run bool, deadline timestamptz
) RETURNS uidext_internal.partitioned_table[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	family partitioned_table[];
	follower regclass;
BEGIN
	PERFORM partition_check_followers(parent, followers);
	IF cardinality(followers) > 0
		AND current_setting('transaction_isolation') IN ('repeatable read', 'serializable')
	THEN
		RAISE EXCEPTION 'tables with followers need a transaction that is READ COMMITTED'
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Call it in a transaction that was started with BEGIN ISOLATION LEVEL READ COMMITTED.';
	END IF;
	family := partition_lock_and_read(parent || followers, dry_run, deadline);
	PERFORM partition_check_template(parent, template);
	family[1].template := template;
	family := partition_find_leaders(family);
	FOREACH follower IN ARRAY followers LOOP
		IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = follower) THEN
			RAISE EXCEPTION 'follower % has no partition', follower
				USING ERRCODE = 'object_not_in_prerequisite_state',
					HINT = format('Make its first partitions, and decide on foreign keys: SELECT * FROM uuid_partition_follow(%L, %L)',
						follower, parent);
		END IF;
	END LOOP;
	RETURN family;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_begin(regclass, regclass[], regclass, bool, timestamptz) IS
	'a table and its followers as they are read for a plan, the table first; raises 55000 for a follower without a '
	'partition, or above READ COMMITTED, and as partition_check_followers(), partition_lock_and_read(), '
	'partition_check_template() and partition_find_leaders()';
