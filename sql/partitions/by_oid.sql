-- Partitions: reading, locking and moving by OID
--
-- If somebody renames a schema during a call, the name of a table can come to mean another
-- table, and reading that one would run its views and policies.  Therefore C functions
-- (src/partitions) address tables by OID.  The SQL edition has to use names, and refuses
-- tables in a schema that belongs to somebody else.

-- [c]
CREATE FUNCTION uidext_internal.lock_table(relation regclass, mode text, wait interval) RETURNS void
	AS 'MODULE_PATHNAME', 'uidext_lock_table'
	LANGUAGE C VOLATILE STRICT;

CREATE FUNCTION uidext_internal.edge_id(
	partition regclass, column_name name, from_id text, to_id text, descending bool, versions int[], filled name[] DEFAULT NULL
) RETURNS text
	AS 'MODULE_PATHNAME', 'uidext_edge_id'
	LANGUAGE C VOLATILE;

CREATE FUNCTION uidext_internal.count_ids(
	partition regclass, column_name name, from_id text, to_id text, versions int[], scan_limit bigint
) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_count_ids'
	LANGUAGE C STABLE;

CREATE FUNCTION uidext_internal.move_ids(
	source regclass, target regclass, column_name name, from_id text, to_id text, max_rows bigint
) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_move_ids'
	LANGUAGE C VOLATILE STRICT;

CREATE FUNCTION uidext_internal.attach_ids(parent regclass, partition regclass, from_id text, to_id text) RETURNS void
	AS 'MODULE_PATHNAME', 'uidext_attach_ids'
	LANGUAGE C VOLATILE;

-- [sql]
CREATE FUNCTION uidext_internal.lock_table(relation regclass, mode text, wait interval) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '100ms'
AS $$
BEGIN
	PERFORM partition_check_owner(relation);
	-- milliseconds; a month counts as 30 days, as when PostgreSQL compares intervals
	PERFORM set_config('lock_timeout', greatest(1, least(2147483647, 1000 * (
		extract(epoch FROM wait - date_trunc('month', wait)) + 2592000 * (12 * extract(year FROM wait) + extract(month FROM wait))
		)))::int::text, true);
	-- LOCK TABLE needs UPDATE, DELETE or TRUNCATE, which the owner may have given up.  An ALTER TABLE that
	-- changes nothing takes the same lock, or in place of SHARE ROW EXCLUSIVE a stronger one, but it also updates
	-- the table's row in pg_class.  No table has a storage parameter of the name uidext, which it could lose.
	IF has_table_privilege(relation, 'UPDATE, DELETE, TRUNCATE') OR mode = 'ACCESS SHARE' THEN
		EXECUTE format('LOCK TABLE ONLY %s IN %s MODE %s', relation, mode, CASE WHEN wait = '0' THEN 'NOWAIT' ELSE '' END);
	ELSE
		EXECUTE format('ALTER TABLE ONLY %s %s', relation,
			CASE mode WHEN 'SHARE UPDATE EXCLUSIVE' THEN 'RESET (uidext)' ELSE 'SET WITHOUT OIDS' END);
	END IF;
	PERFORM partition_check_owner(relation);
EXCEPTION WHEN lock_not_available THEN
	RAISE EXCEPTION 'could not obtain lock on relation "%"', (SELECT relname FROM pg_class WHERE oid = relation)
		USING ERRCODE = 'lock_not_available', TABLE = (SELECT relname FROM pg_class WHERE oid = relation),
			HINT = 'Call it again when the transactions that use the table have ended.';
END
$$;

CREATE FUNCTION uidext_internal.check_sees_all_rows(relation regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	foreign_table regclass := (
		SELECT c.oid FROM partition_tree(relation) b(oid) JOIN pg_class c ON c.oid = b.oid
		WHERE c.relkind NOT IN ('r', 'p') LIMIT 1);
BEGIN
	IF foreign_table IS NOT NULL THEN
		RAISE EXCEPTION '"%" is not an ordinary table', (SELECT relname FROM pg_class WHERE oid = foreign_table)
			USING ERRCODE = 'wrong_object_type', HINT = 'uidext can read the ids of ordinary tables only.';
	END IF;
	IF partition_visible_rows(relation) <> 'all' THEN
		RAISE EXCEPTION 'not all rows of table "%" are visible', (SELECT relname FROM pg_class WHERE oid = relation)
			USING ERRCODE = 'insufficient_privilege',
				DETAIL = 'The table belongs to another role, you may not read it, or row security hides rows from you.',
				HINT = coalesce((
					SELECT h.hint
					FROM partition_tree(relation) b(oid)
						CROSS JOIN LATERAL (SELECT coalesce(partition_unreadable_hint(b.oid),
							CASE WHEN row_security_active(b.oid) THEN partition_row_security_hint(b.oid) END)) h(hint)
					WHERE h.hint IS NOT NULL
					LIMIT 1), 'Connect as the owner of the table.');
	END IF;
	PERFORM hold_names(ARRAY(SELECT partition_tree(relation)));
END
$$;
COMMENT ON FUNCTION uidext_internal.check_sees_all_rows(regclass) IS
	'raises 42501 unless the caller owns a table and all beneath it, sees their rows, and has a say in their schemas, 42809 '
	'for a foreign table';

-- The schema of the operators is read from the operator class, so that neither the search_path nor
-- operators of the same name in another schema matter.
CREATE FUNCTION uidext_internal.partition_operators(type regtype) RETURNS name
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT coalesce((
		SELECT n.nspname
		FROM uidext_internal.base_types(type) t(type)
			JOIN pg_catalog.pg_opclass o ON o.opcintype = t.type::oid AND o.opcdefault
			JOIN pg_catalog.pg_am m ON m.oid = o.opcmethod AND m.amname = 'btree'
			JOIN pg_catalog.pg_amop s ON s.amopfamily = o.opcfamily AND s.amopstrategy = 1
				AND s.amoplefttype = o.opcintype AND s.amoprighttype = o.opcintype
			JOIN pg_catalog.pg_operator p ON p.oid = s.amopopr
			JOIN pg_catalog.pg_namespace n ON n.oid = p.oprnamespace
	), 'pg_catalog');
END;
COMMENT ON FUNCTION uidext_internal.partition_operators(regtype) IS
	'the schema of the operators that order a type';

-- Operators are qualified with their schema, because the search_path does not contain it.
CREATE FUNCTION uidext_internal.id_condition(
	relation regclass, column_name name, from_id text, to_id text, versions int[]
) RETURNS text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	column_type regtype := (SELECT atttypid FROM pg_attribute WHERE attrelid = relation AND attname = column_name AND attnum > 0);
	operators name := coalesce(partition_operators(column_type), 'pg_catalog');
BEGIN
	IF column_type IS NULL THEN
		RAISE EXCEPTION 'column "%" of relation "%" does not exist', column_name, relation
			USING ERRCODE = 'undefined_column', HINT = 'It may have been renamed during the call. Call it again.';
	END IF;
	RETURN concat_ws(' AND ', format('%I IS NOT NULL', column_name),
		CASE WHEN from_id IS NOT NULL THEN format('%I OPERATOR(%I.>=) %L', column_name, operators, from_id) END,
		CASE WHEN to_id IS NOT NULL THEN format('%I OPERATOR(%I.<) %L', column_name, operators, to_id) END,
		-- tests the digits of version and variant; in a boundary value both are 0
		CASE WHEN versions IS NOT NULL THEN format('%I::pg_catalog.text ~ %L', column_name,
			'^.{14}([' || (SELECT string_agg(to_hex(v), '') FROM unnest(versions) v WHERE v > 0) || '].{4}[89ab]'
			|| CASE WHEN 0 = ANY (versions) THEN '|0000-0000-000000000000$' ELSE '' END || ')') END);
END
$$;
COMMENT ON FUNCTION uidext_internal.id_condition(regclass, name, text, text, int[]) IS
	'a condition that holds for the ids of a column from one up to another, of some UUID versions; raises 42703 for no such '
	'column';

CREATE FUNCTION uidext_internal.edge_id(
	partition regclass, column_name name, from_id text, to_id text, descending bool, versions int[], filled name[] DEFAULT NULL
) RETURNS text
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	result text;
BEGIN
	IF num_nulls(partition, column_name, descending) > 0 THEN
		RETURN NULL;
	END IF;
	PERFORM check_sees_all_rows(partition);
	EXECUTE format('SELECT %1$I FROM %2$s WHERE %3$s ORDER BY %1$I %4$s LIMIT 1', column_name, partition,
		concat_ws(' AND ', id_condition(partition, column_name, from_id, to_id, versions),
			(SELECT string_agg(format('%I IS NOT NULL', f), ' AND ') FROM unnest(filled) f)),
		CASE WHEN descending THEN 'DESC' ELSE 'ASC' END)
		INTO result;
	RETURN result;
END
$$;

CREATE FUNCTION uidext_internal.count_ids(
	partition regclass, column_name name, from_id text, to_id text, versions int[], scan_limit bigint
) RETURNS bigint
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	result bigint;
BEGIN
	IF num_nulls(partition, column_name) > 0 THEN
		RETURN NULL;
	END IF;
	PERFORM check_sees_all_rows(partition);
	EXECUTE format('SELECT count(*) FROM (SELECT %1$I FROM %2$s WHERE %3$s LIMIT %4$L) counted WHERE %5$s', column_name, partition,
		id_condition(partition, column_name, from_id, to_id, NULL), scan_limit,
		id_condition(partition, column_name, NULL, NULL, versions))
		INTO result;
	RETURN result;
END
$$;

-- Triggers return to the state that they had before: enabled, ALWAYS or REPLICA.
CREATE FUNCTION uidext_internal.trigger_switches(tables oid[], OUT disable text, OUT enable text)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('ALTER TABLE ONLY %s DISABLE TRIGGER %I', t.tgrelid::regclass, t.tgname),
		pg_catalog.format('ALTER TABLE ONLY %s ENABLE %s TRIGGER %I', t.tgrelid::regclass,
			CASE t.tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' ELSE '' END, t.tgname)
	FROM pg_catalog.pg_trigger t
	WHERE t.tgrelid = ANY (tables) AND NOT t.tgisinternal AND t.tgenabled <> 'D';
END;
COMMENT ON FUNCTION uidext_internal.trigger_switches(oid[]) IS
	'commands that keep the triggers of tables from firing, and that let them fire again';

-- The table has the columns that are copied, without generated ones and without constraints.
CREATE FUNCTION uidext_internal.partition_make_holding(default_partition regclass, columns text) RETURNS regclass
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET default_tablespace = ''
AS $$
DECLARE
	qualified text := format('%s.uidext_moving_%s', partition_schema(default_partition), default_partition::oid);
	kind text := (SELECT CASE relpersistence WHEN 't' THEN '' ELSE 'UNLOGGED' END FROM pg_class WHERE oid = default_partition);
BEGIN
	EXECUTE format('CREATE %s TABLE %s AS SELECT %s FROM %s WITH NO DATA', kind, qualified, columns, default_partition);
	RETURN qualified;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_make_holding(regclass, text) IS
	'makes an unlogged table for rows that move out of a default partition; raises what the server does';

-- SQL cannot move rows without firing the triggers of foreign keys, so such a table is refused.
CREATE FUNCTION uidext_internal.is_referred_to(relation regclass) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT EXISTS (
		SELECT FROM pg_catalog.pg_constraint c
		WHERE c.contype = 'f'
			AND c.confrelid IN (SELECT uidext_internal.partition_tree(relation)));
END;
COMMENT ON FUNCTION uidext_internal.is_referred_to(regclass) IS
	'whether a foreign key refers to a table or to what is beneath it';

-- Runs a command while the triggers of a table, and of the partitions beneath it, are disabled.
CREATE FUNCTION uidext_internal.partition_run_quietly(relation regclass, command text) RETURNS bigint
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	tables oid[] := ARRAY(SELECT partition_tree(relation));
	enable text[] := ARRAY(SELECT t.enable FROM trigger_switches(tables) t);
	result bigint;
BEGIN
	PERFORM partition_run(ARRAY(SELECT t.disable FROM trigger_switches(tables) t));
	EXECUTE command;
	GET DIAGNOSTICS result = ROW_COUNT;
	-- ALTER TABLE fails while a deferred check of the table is pending; the drain commits next anyway
	PERFORM partition_run(ARRAY['SET CONSTRAINTS ALL IMMEDIATE']);
	PERFORM partition_run(enable);
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_run_quietly(regclass, text) IS
	'runs a command while no trigger of a table fires, and returns how many rows it concerned; raises what it raises';

-- The rows wait in a table that belongs to no publication.  A subscriber therefore gets the
-- DELETE of each row from the default partition, and its INSERT after the new partition is
-- attached.
CREATE FUNCTION uidext_internal.move_ids(
	source regclass, target regclass, column_name name, from_id text, to_id text, max_rows bigint
) RETURNS bigint
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	parent regclass := (SELECT inhparent FROM pg_inherits WHERE inhrelid = source);
	columns text := (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
		WHERE attrelid = target AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
	-- from 16 on, a partition may generate a column in another way
	changed name := (
		SELECT a.attname
		FROM (SELECT partition_tree(source) UNION SELECT partition_tree(target)) b(oid)
			JOIN pg_attribute a ON a.attrelid = b.oid AND a.attgenerated = 's'
			JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
		GROUP BY a.attname
		HAVING count(DISTINCT pg_get_expr(d.adbin, d.adrelid)) > 1
		LIMIT 1);
	holding regclass;
	moved bigint;
BEGIN
	PERFORM check_sees_all_rows(source);
	PERFORM check_sees_all_rows(target);
	IF is_referred_to(source) THEN
		RAISE EXCEPTION 'a foreign key refers to table %', source
			USING ERRCODE = 'feature_not_supported',
				HINT = 'The SQL edition moves rows by DELETE and INSERT, and the foreign key would act on the DELETE. Drop the foreign key, and add it again after the call.';
	END IF;
	IF changed IS NOT NULL THEN
		RAISE EXCEPTION 'generated column "%" of a row would change', changed
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = format('Table %s has another expression for it than the default partition.', target),
				HINT = 'Give both tables the same expression.';
	END IF;
	holding := partition_make_holding(source, columns);
	moved := partition_run_quietly(source, format(
		'WITH gone AS (DELETE FROM %1$s WHERE %3$s RETURNING %4$s) INSERT INTO %2$s (%4$s) SELECT %4$s FROM gone',
		source, holding, id_condition(source, column_name, from_id, to_id, NULL), columns));
	IF moved > max_rows THEN
		RAISE EXCEPTION 'more than % rows would be moved under a lock', max_rows
			USING ERRCODE = 'program_limit_exceeded', HINT = 'To move them, pass a larger max_rows. Other sessions wait while the rows move.';
	END IF;
	PERFORM partition_assert(source, parent IS NOT NULL);
	PERFORM attach_ids(parent, target, from_id, to_id);
	PERFORM partition_run_quietly(target,
		format('INSERT INTO %1$s (%3$s) OVERRIDING SYSTEM VALUE SELECT %3$s FROM %2$s', target, holding, columns));
	EXECUTE format('DROP TABLE %s', holding);
	RETURN moved;
END
$$;

CREATE FUNCTION uidext_internal.attach_ids(parent regclass, partition regclass, from_id text, to_id text) RETURNS void
	LANGUAGE sql VOLATILE
BEGIN ATOMIC
	SELECT uidext_internal.partition_attach(parent, partition, uidext_internal.partition_range_clause(from_id, to_id));
END;

-- [both]
COMMENT ON FUNCTION uidext_internal.attach_ids(regclass, regclass, text, text) IS
	'attaches a table for the ids from one up to another, NULL for no bound; where an index of the default partition shows '
	'that it has no such row, the server does not read it all (not in the SQL edition); raises 42501 for callers who are not '
	'the owner of both, 42809 for a parent that is not partitioned, 42P01, 40001 where another table was attached, and what '
	'ATTACH PARTITION does';
COMMENT ON FUNCTION uidext_internal.lock_table(regclass, text, interval) IS
	'locks a table until the transaction ends, and waits for that no longer than told: with 0 in no queue; raises 55P03, '
	'42501 for callers who are not its owner, 42P01';
COMMENT ON FUNCTION uidext_internal.edge_id(regclass, name, text, text, bool, int[], name[]) IS
	'the least or the greatest id of a table from one id up to another, of some UUID versions, NULL for all, in rows in which '
	'some columns are not NULL; NULL for none; raises 42501 for callers who do not own it or do not see all rows, 42703, 42804 '
	'for a column of no such ids, 42809 for a foreign table';
COMMENT ON FUNCTION uidext_internal.count_ids(regclass, name, text, text, int[], bigint) IS
	'how many ids of some UUID versions a table has from one id up to another, among no more of any version than a limit; '
	'raises as edge_id()';
COMMENT ON FUNCTION uidext_internal.move_ids(regclass, regclass, name, text, text, bigint) IS
	'takes the rows whose ids are from one up to another out of a default partition, attaches a table for these ids, and '
	'puts them there, without any trigger; returns how many; raises 54000 for more than a limit, 42501 for callers who do '
	'not own all of them or do not see all rows, 42809 for what is no default partition and for a foreign table, 55000 '
	'where a foreign key refers to the default partition itself or only the new one has it, or has validated it (in the SQL '
	'edition it is checked), and where a generated column would change, 55006 for a table with pending triggers or open cursors, 40001 '
	'where another table was attached, and what ATTACH PARTITION and the constraints of the table do';
