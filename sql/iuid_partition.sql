-- Partitions by country

CREATE FUNCTION iuid_partition_create(
	parent regclass, countries int[], server name DEFAULT NULL,
	start timestamptz DEFAULT NULL, stop timestamptz DEFAULT NULL,
	step interval DEFAULT NULL, tz text DEFAULT 'UTC'
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	by_time boolean := num_nonnulls(start, stop, step) > 0;
	key name;
	country int;
	suffix text;
	bound text;
	partition regclass;
	remote record;
BEGIN
	IF num_nulls(parent, countries) > 0 THEN
		RAISE EXCEPTION 'parent and countries may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF by_time AND (num_nulls(start, stop, step, tz) > 0 OR server IS NOT NULL) THEN
		RAISE EXCEPTION 'time partitions need start, stop, step and tz, and no server'
			USING ERRCODE = 'invalid_parameter_value',
				HINT = 'Partition by time on the server that holds the rows.';
	END IF;

	SELECT column_name INTO key FROM uidext_internal.uuid_partition_key(parent, 'h'::"char", false);
	IF NOT (SELECT attnotnull FROM pg_attribute WHERE attrelid = parent AND attname = key) THEN
		RAISE EXCEPTION 'column "%" of table % may be NULL', key, parent
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'Hash partitioning puts NULL where REMAINDER is 0, which is a country.',
				HINT = format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL', parent, key);
	END IF;
	EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
	SELECT n.nspname AS schema_name, c.relname AS table_name INTO remote
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = parent;

	FOREACH country IN ARRAY countries LOOP
		IF country IS NULL OR country NOT BETWEEN 0 AND 255 THEN
			RAISE EXCEPTION 'country id % is out of range', coalesce(country::text, 'NULL')
				USING ERRCODE = 'numeric_value_out_of_range',
					DETAIL = 'An iUID holds ids from 0 to 255.';
		END IF;
		suffix := coalesce((SELECT lower(c.code) FROM @extschema@.iuid_countries c WHERE c.id = country),
			country::text);
		bound := format('FOR VALUES WITH (modulus 256, remainder %s)', country);
		partition := uidext_internal.uuid_partition_with_bound(parent, bound);

		IF partition IS NULL AND server IS NOT NULL THEN
			SELECT f.ftrelid::regclass INTO partition
			FROM pg_inherits i
				JOIN pg_foreign_table f ON f.ftrelid = i.inhrelid
				JOIN pg_foreign_server s ON s.oid = f.ftserver
			WHERE i.inhparent = parent AND s.srvname = server
				AND f.ftoptions @> ARRAY['schema_name=' || remote.schema_name, 'table_name=' || remote.table_name];
			IF FOUND THEN
				RAISE EXCEPTION 'partition % already reads table % of server "%"', partition,
						format('%I.%I', remote.schema_name, remote.table_name), server
					USING ERRCODE = 'object_not_in_prerequisite_state',
						DETAIL = 'A second partition that reads it would show every row twice.',
						HINT = format('First have it read its own country alone: ALTER FOREIGN TABLE %s OPTIONS (SET table_name ...)', partition);
			END IF;
			EXECUTE format('CREATE FOREIGN TABLE %s PARTITION OF %s %s SERVER %I OPTIONS (schema_name %L, table_name %L)',
				uidext_internal.uuid_partition_name(parent, suffix), parent, bound, server, remote.schema_name, remote.table_name);
			RETURN NEXT uidext_internal.uuid_partition_with_bound(parent, bound);
		ELSIF partition IS NULL THEN
			partition := uidext_internal.uuid_partition_table(parent, suffix,
				CASE WHEN by_time THEN key END);
			EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bound);
			RETURN NEXT partition;
		END IF;

		IF by_time THEN
			RETURN QUERY SELECT * FROM @extschema@.uuid_partition_create(partition, start, stop, step, tz);
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION iuid_partition_create(regclass, int[], name, timestamptz, timestamptz, interval, text) IS
	'makes the partitions of the given countries that are not there yet and returns them: local tables; local tables partitioned by time when start, stop and step are given; or foreign tables on a server, of the parent''s schema and name there. Locks as uuid_partition_create(); a foreign partition locks the parent ACCESS EXCLUSIVE. Raises 42809 for a table not partitioned by iuid_country_ops, 55000 when its column may be NULL, or when another foreign partition reads that table already (ALTER FOREIGN TABLE ... OPTIONS (SET table_name ...) first), 22003 for ids outside 0 to 255, 22004 for NULL, 22023 for half of the time arguments or for time arguments with a server, 42704 or 42601 for the server, and as uuid_partition_create()';
