-- Partitions: creation

-- What a dry run can see of what would keep a partition from being made.
CREATE FUNCTION uidext_internal.partition_check_creation(parent regclass, partition text, from_id text, to_id text, neighbour regclass) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	rest regclass := partition_default(parent);
BEGIN
	PERFORM partition_check_neighbour(parent, neighbour);
	-- from 16 on to_regclass() takes what is no name for a name of nothing
	IF parse_ident(partition) IS NOT NULL AND to_regclass(partition) IS NOT NULL THEN
		RAISE EXCEPTION 'relation "%" already exists', partition USING ERRCODE = 'duplicate_table';
	END IF;
	IF partition_edge(rest, (partition_column(parent)).column_name, from_id, to_id, false) IS NOT NULL THEN
		RAISE EXCEPTION 'default partition % has rows of this period', rest USING ERRCODE = 'check_violation';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_creation(regclass, text, text, text, regclass) IS
	'raises 42P07 where the name of a partition to be made is taken, 22023 for what is no name, 23514 where the default partition has rows of it, 22P02 for bounds that are no ids, and as partition_check_neighbour()';

CREATE FUNCTION uidext_internal.partition_create_once(
	parent regclass, layout text, start timestamptz, stop timestamptz, step interval, tz text, template regclass
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '200ms'
AS $$
DECLARE
	neighbour regclass := partition_newest(parent, layout);
	missing record;
BEGIN
	PERFORM partition_brief();
	FOR missing IN
		SELECT b.from_time, b.to_time
		FROM @extschema@.uuid_partition_bounds(start, stop, step, tz) b
			LEFT JOIN partition_ranges(parent, layout) p ON NOT p.detach_pending
				AND p.from_id = partition_boundary(layout, b.from_time)
				AND p.to_id = partition_boundary(layout, b.to_time)
		WHERE p.partition IS NULL
		ORDER BY b.from_time
	LOOP
		RETURN NEXT partition_make(parent, layout, missing.from_time, missing.to_time,
			partition_suffix(missing.from_time, step, tz), template, neighbour);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_create_once(regclass, text, timestamptz, timestamptz, interval, text, regclass) IS
	'one attempt of uuid_partition_create(), with 55P03 when others keep it waiting';

CREATE FUNCTION uuid_partition_create(
	parent regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC', template regclass DEFAULT NULL
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	key record;
	deadline timestamptz := partition_deadline();
BEGIN
	IF num_nulls(parent, start, stop, step, tz) > 0 THEN
		RAISE EXCEPTION 'no argument but template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	key := partition_key(parent);
	PERFORM partition_check_start(start, stop, step, tz);
	PERFORM partition_lock(parent);
	PERFORM partition_check_template(parent, template);
	LOOP
		BEGIN
			RETURN QUERY SELECT * FROM partition_create_once(parent, key.layout, start, stop, step, tz, template);
			RETURN;
		EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
			IF NOT partition_again(deadline) THEN
				RAISE;
			END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_create(regclass, timestamptz, timestamptz, interval, text, regclass) IS
	'makes the missing range partitions of one step from start until stop and returns them; they are like a template and the newest partition; 55P03 when others keep it waiting; raises 42809 for a table that is not partitioned by range on one uuid column, 42501 for callers who are not its owner, 22023 for more than 10,000 partitions, a step of days or longer from a start that is no midnight in tz, or a table that is not partitioned by time, 22008 for times that no id holds';
