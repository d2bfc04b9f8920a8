-- Partitions: old ones to another schema or other disks

CREATE FUNCTION uidext_internal.uuid_partition_move_commands(partition regclass, schema name, tablespace name) RETURNS SETOF text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY
		WITH relation AS (
			SELECT c.oid, c.relkind, c.relnamespace, coalesce(nullif(c.reltablespace, 0), d.dattablespace) AS tablespace_oid
			FROM pg_class c, pg_database d
			WHERE d.datname = current_database() AND (
				c.oid IN (SELECT t.relid FROM pg_partition_tree(partition) t)
				OR c.oid IN (SELECT x.indexrelid FROM pg_partition_tree(partition) t JOIN pg_index x ON x.indrelid = t.relid))
		)
		-- tables before indexes; the schema last, because names change with it
		SELECT format('ALTER %s %s SET TABLESPACE %I', CASE WHEN r.relkind IN ('i', 'I') THEN 'INDEX' ELSE 'TABLE' END, r.oid::regclass, s.spcname)
		FROM relation r JOIN pg_tablespace s ON s.spcname = tablespace
		WHERE r.relkind <> 'f' AND r.tablespace_oid <> s.oid
		ORDER BY r.relkind IN ('i', 'I'), r.oid;
	RETURN QUERY
		SELECT format('ALTER TABLE %s SET SCHEMA %I', c.oid::regclass, n.nspname)
		FROM pg_partition_tree(partition) t JOIN pg_class c ON c.oid = t.relid JOIN pg_namespace n ON n.nspname = schema
		WHERE c.relnamespace <> n.oid
		ORDER BY t.level DESC, c.oid;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_move_commands(regclass, name, name) IS
	'commands that bring a partition with all of its indexes into a tablespace and a schema, as far as it is not there; NULL leaves either as it is';

CREATE FUNCTION uidext_internal.uuid_partition_check_place(parent regclass, schema name, tablespace name) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	owner oid := (SELECT relowner FROM pg_class WHERE oid = parent);
BEGIN
	IF schema IS NULL AND tablespace IS NULL THEN
		RAISE EXCEPTION 'schema and tablespace may not both be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF schema IS NOT NULL AND NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = schema) THEN
		RAISE EXCEPTION 'there is no schema "%"', schema USING ERRCODE = 'invalid_schema_name';
	END IF;
	IF tablespace IS NOT NULL AND NOT EXISTS (SELECT FROM pg_tablespace WHERE spcname = tablespace) THEN
		RAISE EXCEPTION 'there is no tablespace "%"', tablespace USING ERRCODE = 'undefined_object';
	END IF;
	IF NOT has_schema_privilege(owner, schema, 'CREATE')
		OR NOT (has_tablespace_privilege(owner, tablespace, 'CREATE')
			OR EXISTS (SELECT FROM pg_database d JOIN pg_tablespace s ON s.oid = d.dattablespace WHERE d.datname = current_database() AND s.spcname = tablespace))
	THEN
		RAISE EXCEPTION 'the owner of table % may not create tables there', parent
			USING ERRCODE = 'insufficient_privilege', HINT = 'GRANT CREATE ON the schema or the tablespace.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_place(regclass, name, name) IS
	'raises 22004 when there is neither schema nor tablespace, 3F000 and 42704 for unknown ones, 42501 where a table''s owner may not make tables';

-- One command in one transaction: readers wait for no more than that.
CREATE FUNCTION uidext_internal.uuid_partition_move_next(
	parent regclass, older_than timestamptz, schema name, tablespace name, after timestamptz,
	OUT partition text, OUT command text, OUT problem text, OUT next_after timestamptz
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	period record;
BEGIN
	IF num_nulls(parent, older_than) > 0 THEN
		RAISE EXCEPTION 'parent and older_than may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_age(older_than);
	key := uidext_internal.uuid_partition_key(parent);
	-- only the owner, also when there is nothing to do
	PERFORM uidext_internal.uuid_partition_check_owner(parent);
	PERFORM uidext_internal.uuid_partition_check_place(parent, schema, tablespace);

	FOR period IN
		SELECT p.partition, p.from_time
		FROM uidext_internal.uuid_partition_periods(parent, key.layout) p
		WHERE p.to_time <= older_than AND NOT p.detach_pending AND (after IS NULL OR p.from_time > after)
		ORDER BY p.from_time
	LOOP
		command := (SELECT c FROM uidext_internal.uuid_partition_move_commands(period.partition, schema, tablespace) c LIMIT 1);
		EXIT WHEN command IS NOT NULL;
	END LOOP;
	IF command IS NULL THEN
		RETURN;
	END IF;

	partition := period.partition::text;
	-- the same partition again, until nothing is left to do
	next_after := nullif(period.from_time - interval '1 microsecond', '-infinity');
	BEGIN
		PERFORM uidext_internal.uuid_partition_as_owner(parent, command);
	EXCEPTION WHEN OTHERS THEN
		-- unless another call has done it meanwhile
		IF command = (SELECT c FROM uidext_internal.uuid_partition_move_commands(period.partition, schema, tablespace) c LIMIT 1) THEN
			problem := SQLSTATE || ': ' || SQLERRM;
			next_after := period.from_time;
		END IF;
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_move_next(regclass, timestamptz, name, name, timestamptz) IS
	'does the next command of uuid_partition_move() and returns it, and after which time to look for the next one; NULL when there is none';

-- Without a SET clause, which would keep it from committing: every name is
-- spelt out, and there is no operator.
CREATE PROCEDURE uuid_partition_move(parent regclass, older_than timestamptz, schema name DEFAULT NULL, tablespace name DEFAULT NULL)
	LANGUAGE plpgsql
AS $$
DECLARE
	done pg_catalog.record;
	after pg_catalog.timestamptz;
BEGIN
	LOOP
		done := uidext_internal.uuid_partition_move_next(parent, older_than, schema, tablespace, after);
		EXIT WHEN done.command IS NULL;
		after := done.next_after;
		COMMIT;
		IF done.problem IS NULL THEN
			RAISE NOTICE '%', done.command;
		ELSE
			RAISE WARNING 'partition % is not moved', done.partition USING DETAIL = done.problem;
		END IF;
	END LOOP;
END
$$;
COMMENT ON PROCEDURE uuid_partition_move(regclass, timestamptz, name, name) IS
	'moves the range partitions that end at or before a time, with their indexes, to another schema or tablespace, one command a transaction; goes on after a failure with a warning';
