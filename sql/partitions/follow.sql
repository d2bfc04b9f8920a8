-- Partitions: uuid_partition_follow()

CREATE FUNCTION uuid_partition_follow(
	follower regclass, leader regclass, template regclass DEFAULT NULL, foreign_keys bool DEFAULT true,
	dry_run bool DEFAULT false,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	-- one for all that the call waits for
	deadline CONSTANT timestamptz := partition_deadline();
	family partitioned_table[];
	steps partition_step[];
BEGIN
	PERFORM partition_check_null('{follower,leader,foreign_keys,dry_run}', ARRAY[follower IS NULL, leader IS NULL, foreign_keys IS NULL, dry_run IS NULL]);
	PERFORM partition_check_followers(leader, ARRAY[follower]);
	family := partition_lock_and_read(ARRAY[leader, follower], dry_run, deadline);
	PERFORM partition_check_pair(family[2], family[1]);
	PERFORM partition_check_template(follower, template);
	family[2].template := template;
	family[2].leader := leader;
	IF foreign_keys THEN
		family[2].foreign_keys := partition_wanted_foreign_keys(follower, leader, template);
	END IF;
	IF foreign_keys AND family[2].foreign_keys IS NULL THEN
		RAISE WARNING 'new partitions of table % get no foreign keys of their own, because the table itself has one to table %', follower, leader
			USING HINT = format('To check a foreign key of the whole table, PostgreSQL searches all partitions. Give each pair of partitions a foreign key of its own: '
				'add it NOT VALID, then validate it. Then run: ALTER TABLE %s DROP CONSTRAINT %I', follower, (
					SELECT c.conname FROM partition_foreign_keys_by_id(follower, leader, follower) k(oid) JOIN pg_constraint c ON c.oid = k.oid
					ORDER BY c.oid LIMIT 1));
	END IF;
	steps := partition_plan(family, '{}', NULL, NULL, deadline);
	IF NOT dry_run THEN
		steps := partition_execute_possible(family[2:], steps, deadline);
	END IF;
	RETURN QUERY
		SELECT r.action, r.name, (r.period).from_time, (r.period).to_time, r.problem FROM partition_report(steps, dry_run) r;
END
$$;
COMMENT ON FUNCTION uuid_partition_follow(regclass, regclass, regclass, bool, bool) IS
	'Gives a follower the partitions of its leader that it lacks. They have exactly the bounds of the '
	'leader''s, and the default partition is among them. Never drops one. Each new partition gets a foreign key to '
	'its counterpart, the leader''s partition of the same bounds, except for the default partition, and unless '
	'foreign_keys is false or the partition key of the follower refers to the leader already. The key is like that of '
	'the template, else like that of the newest pair, else from the partition key to the primary key of the leader. '
	'Returns what it made, with dry_run what it would make, and why something failed or would fail. Fails with 55P03 '
	'when others keep the tables locked, with 40001 when the leader has got a partition that the snapshot of the '
	'transaction does not show. Raises 42501 for callers who do not own both tables, 42804 for partition keys of '
	'different types, 42830 for a leader without a primary key of one column and for a template whose key leads to '
	'another table, 42809 for tables that are not '
	'partitioned by range on one column of ids, 22023 for those that are not partitioned by time.';
