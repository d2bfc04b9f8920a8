-- Partitions: commands
--
-- The DDL of a step.  DDL addresses tables by name, and so do the queries by which PostgreSQL checks
-- foreign keys.  If somebody renames a schema meanwhile, a name can come to mean another table.
-- Therefore the names are held before a command (hold_names()), and afterwards it is checked by OID
-- that the command had its effect on the right table.  Nothing is tried again here: the executor does
-- that.

-- Above READ COMMITTED, the snapshot may be older than what others have done to a table.
CREATE FUNCTION uidext_internal.partition_assert(partition regclass, holds bool) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF holds IS NOT TRUE THEN
		RAISE EXCEPTION 'could not serialize access: partition % has changed', partition
			USING ERRCODE = 'serialization_failure', HINT = 'Call it again, in a new transaction.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_assert(regclass, bool) IS
	'raises 40001 unless what has to hold of a table does';

CREATE FUNCTION uidext_internal.partition_run(commands text[]) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	command text;
BEGIN
	FOREACH command IN ARRAY commands LOOP
		EXECUTE command;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_run(text[]) IS
	'runs commands, one after the other; raises what they raise';

-- CREATE TABLE ... PARTITION OF would lock the parent.  A table that is made beside it, like
-- another one, and attached later does not.  It gets its indexes here, because ATTACH PARTITION
-- would build missing indexes under its locks.
CREATE FUNCTION uidext_internal.partition_make_table(
	schema regnamespace, name text, source regclass, partition_key text
) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	-- a table in the database's default tablespace gets a partition there, whatever the session prefers
	SET default_tablespace = ''
AS $$
DECLARE
	qualified text;
	-- since 17 a partitioned table can have an access method
	storage text := (
		SELECT concat_ws(' ', 'PARTITION BY ' || partition_key,
			'USING ' || quote_ident(a.amname), 'TABLESPACE ' || quote_ident(t.spcname))
		FROM pg_class c
			LEFT JOIN pg_am a ON a.oid = c.relam
			LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace
		WHERE c.oid = source);
BEGIN
	PERFORM hold_names(ARRAY[source]);
	qualified := format('%s.%I', schema, name);
	EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY) %s', qualified, source, storage);
	-- If the schema was renamed meanwhile, the name can mean another table.  One that is in this schema and
	-- belongs to the caller is no other role's.  The age leaves out tables older than this transaction.
	PERFORM partition_assert(qualified, EXISTS (SELECT FROM pg_class
		WHERE oid = qualified::regclass AND relnamespace = schema AND age(xmin) <= 0
			AND pg_get_userbyid(relowner) = current_user));
	PERFORM hold_names(ARRAY[qualified::regclass]);
	RETURN qualified;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_make_table(regnamespace, text, regclass, text) IS
	'makes a table like another one, partitioned by a key unless that is NULL, and returns it; raises 40001 where the name '
	'has come to be another table''s, and what the server does';

CREATE FUNCTION uidext_internal.partition_attach(parent regclass, partition regclass, bound text) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
	-- the settings with which partition_parts_to_copy() prints bounds
	SET datestyle = 'ISO, MDY'
	SET intervalstyle = 'postgres'
	SET timezone = 'UTC'
	SET extra_float_digits = 3
AS $$
BEGIN
	PERFORM hold_names(partition_tables_to_name(parent, partition));
	EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bound);
	PERFORM partition_assert(partition,
		EXISTS (SELECT FROM pg_inherits WHERE inhrelid = partition AND inhparent = parent));
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_attach(regclass, regclass, text) IS
	'attaches a table to a parent with a bound as pg_get_expr(relpartbound) shows it; raises 40001 where their names have '
	'come to be other tables'', and what the server does';

CREATE FUNCTION uidext_internal.partition_range_clause(from_id text, to_id text) RETURNS text
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN pg_catalog.format('FOR VALUES FROM (%s) TO (%s)',
		coalesce(quote_literal(from_id), 'MINVALUE'), coalesce(quote_literal(to_id), 'MAXVALUE'));
COMMENT ON FUNCTION uidext_internal.partition_range_clause(text, text) IS
	'the bound of ids from one up to another for ATTACH PARTITION, NULL for none';

-- A default partition gets no key: rows come to it and leave it, in each table at another time.
CREATE FUNCTION uidext_internal.partition_add_foreign_keys(
	partition regclass, leader regclass, counterpart regclass, period uidext_internal.partition_period,
	foreign_keys uidext_internal.partition_foreign_key[]
) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	key partition_foreign_key;
	referenced regclass;
	older_keys oid[];
	lacks_right bool;
BEGIN
	IF foreign_keys IS NULL OR period.is_default THEN
		RETURN;
	END IF;
	FOREACH key IN ARRAY foreign_keys LOOP
		PERFORM partition_check_owner(key.referred);
		referenced := CASE WHEN key.referred = leader THEN counterpart
			ELSE partition_of_period(key.referred, period) END;
		IF referenced IS NULL THEN
			RAISE EXCEPTION 'table % has no partition with the bounds of %, to which a foreign key would refer', key.referred, partition
				USING ERRCODE = 'object_not_in_prerequisite_state',
					HINT = format('Make this partition first. If table %1$s follows table %2$s, run: SELECT * FROM uuid_partition_follow(%1$L, %2$L)',
						key.referred, leader);
		END IF;
		-- the key is checked by a query that plans all of it
		PERFORM partition_check_owner(b::regclass) FROM partition_tree(referenced) b;
		PERFORM hold_names(ARRAY[partition, referenced]);
		older_keys := ARRAY(SELECT oid FROM pg_constraint WHERE conrelid = partition);
		-- an owner may have given up the right to refer to the model, and so to this partition itself
		lacks_right := referenced = partition AND NOT has_any_column_privilege(partition, 'REFERENCES');
		PERFORM partition_run(ARRAY[format('GRANT REFERENCES ON %s TO CURRENT_USER', partition)]) WHERE lacks_right;
		EXECUTE format('ALTER TABLE %s ADD FOREIGN KEY ', partition) || format(key.definition, referenced);
		PERFORM partition_run(ARRAY[format('REVOKE REFERENCES ON %s FROM CURRENT_USER', partition)]) WHERE lacks_right;
		PERFORM partition_assert(partition, (SELECT bool_and(confrelid = referenced) FROM pg_constraint
			WHERE contype = 'f' AND conrelid = partition AND conparentid = 0 AND oid <> ALL (older_keys)));
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_add_foreign_keys(
	regclass, regclass, regclass, uidext_internal.partition_period, uidext_internal.partition_foreign_key[]) IS
	'gives a partition its foreign keys to its counterpart, and to other partitions of the same bounds; '
	'a default partition gets none; raises 55000 where a table has no partition of these '
	'bounds, 42501 where that is not the caller''s, 40001 where their names have come to be other tables'', and what the '
	'server does';

CREATE FUNCTION uidext_internal.partition_assert_visible_rows(partition regclass, referring oid[]) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	hidden regclass;
BEGIN
	SELECT r INTO hidden FROM unnest(referring || partition::oid) r WHERE referring <> '{}' AND row_security_active(r) LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'row security hides rows of table % from role "%"', hidden, current_user
			USING ERRCODE = 'insufficient_privilege',
				DETAIL = format('Before partition %s is dropped or detached, PostgreSQL looks for rows that refer to it.', partition),
				HINT = partition_row_security_hint(hidden);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_assert_visible_rows(regclass, oid[]) IS
	'raises 42501 if policies hide rows of a partition, or of those tables that refer to it, from the caller';

-- A partition is detached before it is dropped.  DROP TABLE would fail because of foreign keys to
-- the parent; DETACH PARTITION checks that no row refers to the partition.  The check is a query of
-- the caller's, and would miss rows that policies hide.  They are asked for before, so that none runs,
-- and afterwards, because an event trigger may have made some.  row_security = off would concern event
-- triggers as well.
CREATE FUNCTION uidext_internal.partition_remove(parent regclass, partition regclass, detach_only bool) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	referring oid[];
	row_security text := current_setting('row_security');
	-- an older snapshot may show two versions of the row: the old one, and the one that this transaction made
	kind text := (SELECT DISTINCT CASE relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END FROM pg_class
		WHERE oid = partition);
BEGIN
	-- another session may have detached it
	PERFORM partition_assert(partition,
		EXISTS (SELECT FROM pg_partition_ancestors(partition) a WHERE a.relid = parent));
	referring := ARRAY(
		SELECT conrelid FROM pg_constraint WHERE contype = 'f' AND confrelid = partition AND conparentid <> 0
			-- an old snapshot still shows tables that others have dropped; for these it is NULL
			AND has_table_privilege(conrelid, 'SELECT') IS NOT NULL);
	PERFORM hold_names(ARRAY[parent, partition] || referring::regclass[]);
	IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
		-- an old snapshot may not show all tables that refer to it
		PERFORM set_config('row_security', 'off', true);
	END IF;
	PERFORM partition_assert_visible_rows(partition, referring);
	EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, partition);
	PERFORM set_config('row_security', row_security, true);
	PERFORM partition_assert_visible_rows(partition, referring);
	-- An old snapshot still shows the version of the pg_class row that others have replaced: it is a
	-- partition there.  If this transaction alone has changed the row, the snapshot shows its change.
	PERFORM partition_assert(partition,
		NOT EXISTS (SELECT FROM pg_class WHERE oid = partition AND relispartition));
	IF NOT detach_only THEN
		EXECUTE format('DROP %s %s', kind, partition);
		PERFORM partition_assert(partition, NOT EXISTS (SELECT FROM pg_class WHERE oid = partition));
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_remove(regclass, regclass, bool) IS
	'drops one partition, or only detaches it; raises 40001 where others have changed it since the transaction''s snapshot, '
	'and what the server does';
