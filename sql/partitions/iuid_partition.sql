-- Partitions by country, here or on another server

-- [c]
-- postgres_fdw identifies the rows of an UPDATE or DELETE by ctid, which is unique only within one
-- ordinary table.  Therefore each foreign partition stands for one leaf of the other server, and
-- this view tells other servers which leaves this one has.  Servers with other versions of uidext
-- use both views, so new columns may only be appended, and a query must not ask for a column that
-- an earlier version lacks.
CREATE VIEW uidext_internal.iuid_leaves AS
SELECT n.nspname AS parent_schema, p.relname AS parent_table, hash.bound[2]::int % 257 AS country,
	hash.bound[1]::int AS modulus, hash.bound[2]::int AS remainder, c.relname AS partition, c.relkind = 'p' AS by_time,
	ln.nspname AS leaf_schema, l.relname AS leaf_table, leaf.bound = 'DEFAULT' AS is_default,
	period.bound[1]::uuid AS from_id, period.bound[2]::uuid AS to_id,
	l.relkind = 'r' AND (c.relkind = 'r' OR (leaf.bound = 'DEFAULT' OR period.bound IS NOT NULL) AND EXISTS (
		-- bounds of another column, or in another operator class, look the same
		SELECT FROM pg_catalog.pg_partitioned_table d
			JOIN pg_catalog.pg_opclass s ON s.oid = d.partclass[0] AND s.opcdefault
			JOIN pg_catalog.pg_attribute a ON a.attrelid = d.partrelid AND a.attnum = d.partattrs[0]
			JOIN pg_catalog.pg_attribute id ON id.attrelid = p.oid AND id.attnum = k.partattrs[0] AND id.attname = a.attname
		WHERE d.partrelid = c.oid AND d.partstrat = 'r' AND d.partnatts = 1::smallint)) AS is_plain
FROM pg_catalog.pg_partitioned_table k
	JOIN pg_catalog.pg_opclass o ON o.oid = k.partclass[0] AND o.opcname IN ('iuid_country_ops', 'uuid_country_ops')
	JOIN pg_catalog.pg_class p ON p.oid = k.partrelid
	JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace
	JOIN pg_catalog.pg_inherits i ON i.inhparent = p.oid
	JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
	CROSS JOIN regexp_match(pg_get_expr(c.relpartbound, 0::oid), '^FOR VALUES WITH [(]modulus ([0-9]+), remainder ([0-9]+)[)]$') hash(bound)
	CROSS JOIN pg_partition_tree(c.oid::regclass) t
	JOIN pg_catalog.pg_class l ON l.oid = t.relid::oid
	JOIN pg_catalog.pg_namespace ln ON ln.oid = l.relnamespace
	CROSS JOIN pg_get_expr(l.relpartbound, 0::oid) leaf(bound)
	CROSS JOIN regexp_match(leaf.bound,
		-- a table that is partitioned by another type has other bounds
		'^FOR VALUES FROM [(](?:MINVALUE|''([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'')[)] TO [(](?:MAXVALUE|''([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'')[)]$') period(bound)
WHERE hash.bound[1]::int % 257 = 0 AND t.level = CASE c.relkind WHEN 'p' THEN 1 ELSE 0 END;
COMMENT ON VIEW uidext_internal.iuid_leaves IS
	'the tables in which rows of tables partitioned by iuid_country_ops are, with their bounds; iuid_partition_create() '
	'of another server reads it';
GRANT SELECT ON uidext_internal.iuid_leaves TO PUBLIC;

CREATE VIEW uidext_internal.iuid_partition_requests AS
SELECT NULL::name AS parent_schema, NULL::name AS parent_table, NULL::int AS country,
	NULL::timestamptz AS start, NULL::timestamptz AS stop, NULL::interval AS step, NULL::text AS tz
WHERE false;
COMMENT ON VIEW uidext_internal.iuid_partition_requests IS
	'a row inserted here is a call of iuid_partition_create(); iuid_partition_create() of another server inserts it';
GRANT INSERT ON uidext_internal.iuid_partition_requests TO PUBLIC;

CREATE FUNCTION uidext_internal.iuid_partition_request() RETURNS trigger
	LANGUAGE plpgsql
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM @extschema@.iuid_partition_create(format('%I.%I', new.parent_schema, new.parent_table)::regclass,
		ARRAY[new.country], NULL::name, new.start, new.stop, new.step, new.tz);
	RETURN new;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_request() IS
	'trigger of iuid_partition_requests: makes the partitions asked for, with the rights of who inserts';

CREATE TRIGGER iuid_partition_request
	INSTEAD OF INSERT ON uidext_internal.iuid_partition_requests
	FOR EACH ROW EXECUTE FUNCTION uidext_internal.iuid_partition_request();

CREATE FUNCTION uidext_internal.iuid_remote_leaves(server name, parent_schema name, parent_table name, country int)
	RETURNS SETOF uidext_internal.iuid_leaves
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('CREATE FOREIGN TABLE pg_temp.uidext_iuid_leaves (parent_schema name, parent_table name, country int,
			modulus int, remainder int, partition name, by_time bool,
			leaf_schema name, leaf_table name, is_default bool, from_id uuid, to_id uuid, is_plain bool)
		SERVER %I OPTIONS (schema_name ''uidext_internal'', table_name ''iuid_leaves'')', server);
	-- postgres_fdw lets the other server compare names and country.  That server must have no say in other
	-- countries, so the remainder is compared here: OFFSET keeps that condition from being sent.
	RETURN QUERY EXECUTE 'SELECT * FROM (SELECT * FROM pg_temp.uidext_iuid_leaves l
			WHERE l.parent_schema = $1 AND l.parent_table = $2 AND l.country = $3 OFFSET 0) l
		WHERE l.modulus % 257 = 0 AND l.remainder % 257 = $3 ORDER BY l.remainder, l.from_id NULLS FIRST'
		USING parent_schema, parent_table, country;
	DROP FOREIGN TABLE pg_temp.uidext_iuid_leaves;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_remote_leaves(name, name, name, int) IS
	'the rows of iuid_leaves that another server has for one table and country; errors are those of postgres_fdw';

CREATE FUNCTION uidext_internal.iuid_remote_request(
	server name, parent_schema name, parent_table name, country int,
	start timestamptz, stop timestamptz, step interval, tz text
) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('CREATE FOREIGN TABLE pg_temp.uidext_iuid_partition_requests (parent_schema name, parent_table name, country int,
			start timestamptz, stop timestamptz, step interval, tz text)
		SERVER %I OPTIONS (schema_name ''uidext_internal'', table_name ''iuid_partition_requests'')', server);
	EXECUTE 'INSERT INTO pg_temp.uidext_iuid_partition_requests VALUES ($1, $2, $3, $4, $5, $6, $7)'
		USING parent_schema, parent_table, country, start, stop, step, tz;
	DROP FOREIGN TABLE pg_temp.uidext_iuid_partition_requests;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_remote_request(name, name, name, int, timestamptz, timestamptz, interval, text) IS
	'has another server call iuid_partition_create() with these arguments, in this transaction; errors are that server''s';

CREATE TYPE uidext_internal.iuid_request AS (
	parent regclass, column_name name, countries int[], server name, start timestamptz, stop timestamptz, step interval, tz text
);
COMMENT ON TYPE uidext_internal.iuid_request IS 'what a call of iuid_partition_create() wants';
COMMENT ON COLUMN uidext_internal.iuid_request.parent IS 'the partitioned table';
COMMENT ON COLUMN uidext_internal.iuid_request.column_name IS 'the column that it is partitioned by';
COMMENT ON COLUMN uidext_internal.iuid_request.countries IS 'the countries, by their numbers';
COMMENT ON COLUMN uidext_internal.iuid_request.server IS 'the foreign server whose table has the rows; NULL for partitions here';
COMMENT ON COLUMN uidext_internal.iuid_request.start IS 'a time in the first period; NULL for no periods';
COMMENT ON COLUMN uidext_internal.iuid_request.stop IS 'up to when there are periods';
COMMENT ON COLUMN uidext_internal.iuid_request.step IS 'the length of a period';
COMMENT ON COLUMN uidext_internal.iuid_request.tz IS 'the time zone of their bounds';

-- The partition of a parent that has exactly this bound, or NULL.
CREATE FUNCTION uidext_internal.partition_of_clause(parent regclass, bound text) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass
	FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
	WHERE i.inhparent = parent::oid AND NOT i.inhdetachpending
		AND pg_get_expr(c.relpartbound, 0::oid) = bound;
END;
COMMENT ON FUNCTION uidext_internal.partition_of_clause(regclass, text) IS
	'the partition of a parent that has exactly this bound, as pg_get_expr(relpartbound) shows it; NULL when there is '
	'none';

CREATE FUNCTION uidext_internal.iuid_hash_clause(modulus int, remainder int) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN pg_catalog.format('FOR VALUES WITH (modulus %s, remainder %s)', modulus, remainder);
COMMENT ON FUNCTION uidext_internal.iuid_hash_clause(int, int) IS
	'the bound of a partition by hash, as pg_get_expr(relpartbound) shows it';

CREATE FUNCTION uidext_internal.iuid_partition_make(
	parent regclass, schema regnamespace, name text, range_key name, bound text
) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	obstacle partition_obstacle := partition_name_obstacle(schema, name);
	made regclass;
BEGIN
	PERFORM partition_raise(obstacle.problem, obstacle.hint);
	made := partition_make_table(schema, name, parent, 'RANGE (' || quote_ident(range_key) || ')');
	PERFORM partition_attach(parent, made, bound);
	-- Default privileges are for tables that have rows.  A foreign table for one that is divided could change rows
	-- with other ids, so nobody gets more rights on it than on the parent.
	IF range_key IS NOT NULL THEN
		PERFORM partition_run(ARRAY(SELECT partition_access_commands(made, parent)));
		PERFORM partition_assert(made, NOT EXISTS (SELECT partition_privileges(made) EXCEPT SELECT partition_privileges(parent)));
	END IF;
	RETURN made;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_make(regclass, regnamespace, text, name, text) IS
	'makes a partition, partitioned by range of a column and with the privileges, the replica identity and the switches of '
	'row security of its parent unless that is NULL, and returns it; raises as uuid_partition_create()';

CREATE FUNCTION uidext_internal.iuid_partition_name(parent regclass, country int) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT c.relname::text || '_' || coalesce((SELECT lower(n.code) FROM iuid.countries n WHERE n.id = country), country::text)
	FROM pg_catalog.pg_class c WHERE c.oid = parent::oid;
END;
COMMENT ON FUNCTION uidext_internal.iuid_partition_name(regclass, int) IS
	'the name of the partition of a country, after its code, or its number if it has none';

-- Makes the partition of a country on this server.  With a step, it is partitioned by time.
CREATE FUNCTION uidext_internal.iuid_partition_local(request uidext_internal.iuid_request, country int)
	RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	bound text := iuid_hash_clause(257, country);
	partition regclass := partition_of_clause(request.parent, bound);
BEGIN
	IF partition IS NULL THEN
		partition := iuid_partition_make(request.parent, partition_schema(request.parent),
			iuid_partition_name(request.parent, country),
			CASE WHEN request.step IS NOT NULL THEN request.column_name END, bound);
		RETURN NEXT partition;
	END IF;
	IF request.step IS NOT NULL THEN
		RETURN QUERY SELECT * FROM @extschema@.uuid_partition_create(partition, request.start, request.stop, request.step, request.tz);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_local(uidext_internal.iuid_request, int) IS
	'makes the partition of one country here, with time partitions when step is given; returns what it made';

-- Asks the other server for everything that is needed.  This takes no lock here.
CREATE FUNCTION uidext_internal.iuid_partition_leaves(request uidext_internal.iuid_request, dry_run bool)
	RETURNS SETOF uidext_internal.iuid_leaves
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	parent_schema name;
	parent_table name;
	country int;
BEGIN
	SELECT n.nspname, c.relname INTO parent_schema, parent_table
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = request.parent;

	FOREACH country IN ARRAY request.countries LOOP
		IF request.step IS NOT NULL AND NOT dry_run THEN
			PERFORM iuid_remote_request(request.server, parent_schema, parent_table, country, request.start, request.stop, request.step, request.tz);
		END IF;
		RETURN QUERY SELECT * FROM iuid_remote_leaves(request.server, parent_schema, parent_table, country);
		IF NOT FOUND AND NOT (request.step IS NOT NULL AND dry_run) THEN
			RAISE EXCEPTION 'table % of server "%" has no partition of country %',
					format('%I.%I', parent_schema, parent_table), request.server, country
				USING ERRCODE = 'undefined_table',
					HINT = 'Call iuid_partition_create() on that server first.';
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_leaves(uidext_internal.iuid_request, bool) IS
	'has another server make what is missing of the countries when a step is given, and returns their leaves there; a dry run '
	'returns those that are there; raises 42P01 for a country without any, and what that server does';

CREATE FUNCTION uidext_internal.iuid_check_leaf(request uidext_internal.iuid_request, leaf uidext_internal.iuid_leaves) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF NOT leaf.is_plain THEN
		RAISE EXCEPTION 'cannot make a foreign partition for table % of server "%"',
				format('%I.%I', leaf.leaf_schema, leaf.leaf_table), request.server
			USING ERRCODE = 'wrong_object_type',
				DETAIL = 'The table is partitioned, is a foreign table, or has no bounds of ids. An UPDATE through a foreign partition could then change rows with other ids.',
				HINT = 'On that server, partition the table by country, and each country by range of the id, so that every leaf is an ordinary table.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_check_leaf(uidext_internal.iuid_request, uidext_internal.iuid_leaves) IS
	'raises 42809 for a leaf of another server that no foreign partition can stand for';

-- Makes a foreign table for each leaf of the other server, with the same names and bounds.  Names
-- and bounds from the other server are quoted as values, never run as DDL.
CREATE FUNCTION uidext_internal.iuid_partition_foreign(request uidext_internal.iuid_request, leaves uidext_internal.iuid_leaves[])
	RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	leaf iuid_leaves;
	attach_to regclass;
	bound text;
BEGIN
	FOREACH leaf IN ARRAY leaves LOOP
		PERFORM iuid_check_leaf(request, leaf);
		attach_to := request.parent;
		bound := iuid_hash_clause(leaf.modulus, leaf.remainder);
		IF leaf.by_time THEN
			attach_to := partition_of_clause(request.parent, bound);
			IF attach_to IS NULL THEN
				attach_to := iuid_partition_make(
					request.parent, partition_schema(request.parent), leaf.partition, request.column_name, bound);
				RETURN NEXT attach_to;
			END IF;
			PERFORM partition_check_owner(attach_to);
			-- PostgreSQL evaluates its CHECKs
			PERFORM partition_check_owner(b.oid::regclass)
			FROM pg_partitioned_table p, partition_tree(p.partdefid) b(oid)
			WHERE p.partrelid = attach_to AND p.partdefid <> 0;
			bound := CASE WHEN leaf.is_default THEN 'DEFAULT'
				ELSE partition_range_clause(leaf.from_id::text, leaf.to_id::text) END;
		END IF;

		CONTINUE WHEN partition_of_clause(attach_to, bound) IS NOT NULL;
		PERFORM hold_names(ARRAY[attach_to]);
		EXECUTE format('CREATE FOREIGN TABLE %s.%I PARTITION OF %s %s SERVER %I OPTIONS (schema_name %L, table_name %L)',
			partition_schema(request.parent), leaf.leaf_table, attach_to, bound, request.server, leaf.leaf_schema, leaf.leaf_table);
		PERFORM partition_assert(attach_to, partition_of_clause(attach_to, bound) IS NOT NULL);
		RETURN NEXT partition_of_clause(attach_to, bound);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_foreign(uidext_internal.iuid_request, uidext_internal.iuid_leaves[]) IS
	'makes the foreign partitions for leaves of another server that are not there yet; returns what it made; raises 42501 '
	'where somebody else owns the partition of a country';

CREATE FUNCTION uidext_internal.iuid_partition_key(parent regclass) RETURNS name
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	column_name name;
BEGIN
	SELECT a.attname INTO column_name
	FROM pg_partitioned_table p
		JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partrelid = parent AND p.partstrat = 'h' AND p.partnatts = 1
		AND o.opcname IN ('iuid_country_ops', 'uuid_country_ops') AND o.opcnamespace = '@extschema@'::regnamespace;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'table % is not partitioned by country', parent
			USING ERRCODE = 'wrong_object_type',
				HINT = 'Create it with PARTITION BY HASH (id iuid_country_ops).';
	END IF;
	RETURN column_name;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_key(regclass) IS
	'the one column by which a table is partitioned by country; raises 42809 for other tables';

CREATE FUNCTION uidext_internal.iuid_partition_check_foreign(parent regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	unique_index regclass := (SELECT indexrelid FROM pg_index WHERE indrelid = parent AND indisunique ORDER BY indexrelid LIMIT 1);
BEGIN
	IF unique_index IS NOT NULL THEN
		RAISE EXCEPTION 'table % with a unique index cannot have foreign partitions', parent
			USING ERRCODE = 'wrong_object_type',
				DETAIL = format('It has index %s.', unique_index),
				HINT = format('Give each partition on this server a primary key of its own, and drop the index of the whole table: %s', coalesce(
					(SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', parent, conname) FROM pg_constraint WHERE conindid = unique_index AND conrelid = parent),
					format('DROP INDEX %s', unique_index)));
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_check_foreign(regclass) IS
	'raises 42809 for a table with a unique index, of which PostgreSQL makes no foreign partitions';

-- ATTACH PARTITION locks the tables that foreign keys join with the parent against writers.  CREATE FOREIGN TABLE ...
-- PARTITION OF locks the partitioned tables and their default partitions against readers, too.
CREATE FUNCTION uidext_internal.iuid_lock_holder(request uidext_internal.iuid_request) RETURNS text
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT h.described
	FROM (
		SELECT pg_catalog.array_agg(n.oid ORDER BY n.oid = (request).parent::oid, n.oid),
			pg_catalog.array_agg(CASE WHEN (request).server IS NULL THEN 'SHARE ROW EXCLUSIVE' ELSE 'ACCESS EXCLUSIVE' END)
		FROM (
			SELECT r.oid FROM uidext_internal.partition_related(ARRAY[(request).parent]) r(oid) WHERE (request).server IS NULL
			UNION ALL
			SELECT c.oid
			FROM uidext_internal.partition_tree((request).parent) b(oid) JOIN pg_catalog.pg_class c ON c.oid = b.oid
			WHERE (request).server IS NOT NULL
				AND (c.relkind = 'p' OR EXISTS (SELECT FROM pg_catalog.pg_partitioned_table d WHERE d.partdefid = c.oid))
		) n
	) l(tables, modes)
		CROSS JOIN LATERAL uidext_internal.partition_lock_holder(l.tables, l.modes) h;
END;
COMMENT ON FUNCTION uidext_internal.iuid_lock_holder(uidext_internal.iuid_request) IS
	'which of the tables that iuid_partition_create() locks here another session has locked; NULL for none';

CREATE FUNCTION uidext_internal.iuid_partition_execute(
	request uidext_internal.iuid_request, deadline timestamptz
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '100ms'
AS $$
DECLARE
	made regclass[];
	leaves iuid_leaves[];
	hint text;
	waited_for text;
BEGIN
	-- postgres_fdw runs all its queries of a transaction on the other server with one snapshot, that of the first query.
	-- If another call is at work here now, it may still change what is there.  Therefore this waits for the lock before
	-- the first query.  Then it gives the lock back, so that nothing is locked here while the other server is asked.
	BEGIN
		PERFORM partition_lock_family(ARRAY[request.parent], deadline);
		IF request.server IS NOT NULL THEN
			RAISE SQLSTATE 'UI001';
		END IF;
	EXCEPTION WHEN SQLSTATE 'UI001' THEN
	END;
	PERFORM set_config('lock_timeout', extract(milliseconds FROM partition_patience())::text, true);
	LOOP
		BEGIN
			IF request.server IS NOT NULL THEN
				leaves := NULL;
				leaves := ARRAY(SELECT l FROM iuid_partition_leaves(request, false) l);
				-- This does not wait for the lock, because the other server keeps the locks of this attempt until the attempt
				-- ends.  If that server asks this one at the same time, each would wait for the other.
				PERFORM partition_lock_family(ARRAY[request.parent], clock_timestamp());
			END IF;
			made := ARRAY(
				SELECT m.made FROM unnest(request.countries) c(country), iuid_partition_local(request, c.country) m(made)
				WHERE request.server IS NULL
				UNION ALL
				SELECT * FROM iuid_partition_foreign(request, leaves) WHERE request.server IS NOT NULL);
			RETURN QUERY SELECT * FROM unnest(made);
			RETURN;
		EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
			IF clock_timestamp() >= deadline THEN
				GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT, waited_for = TABLE_NAME;
				-- the other server, and what is called here, say it themselves
				IF hint <> '' OR waited_for <> '' OR request.server IS NOT NULL AND leaves IS NULL THEN
					RAISE;
				END IF;
				RAISE EXCEPTION '%', concat_ws(': ', SQLERRM, iuid_lock_holder(request))
					USING ERRCODE = SQLSTATE, HINT = 'Call it again when the transactions that use the table have ended.';
			END IF;
		END;
		-- The pause lets other calls go first.  It is random, so that two servers which ask each other do not fail at the
		-- same moment again and again.
		PERFORM pg_sleep(0.1 + random() * 0.2);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_execute(uidext_internal.iuid_request, timestamptz) IS
	'what iuid_partition_create() does, tried again until it gets its locks or until a deadline; raises 55P03 with the table '
	'that others have locked, and 40P01';

-- The functions from here on plan a dry run.  It locks nothing.  It asks the other server which partitions it has, and
-- does not let it make any.
CREATE FUNCTION uidext_internal.iuid_bound_obstacle(parent regclass, modulus int, remainder int)
	RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT ROW(pg_catalog.format('42P17: a partition with modulus %s and remainder %s cannot stand beside partition %s',
			wanted.modulus, wanted.remainder, h.partition),
		CASE WHEN h.detach_pending THEN uidext_internal.partition_detach_hint(parent, h.partition)
			ELSE 'Its rows can be of the same country. Detach it, call the function again, and insert its rows into the table.' END
		)::uidext_internal.partition_obstacle
	FROM (
		SELECT i.inhrelid::regclass, i.inhdetachpending, b.bound[1]::int, b.bound[2]::int
		FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
			CROSS JOIN regexp_match(pg_get_expr(c.relpartbound, 0::oid), '^FOR VALUES WITH [(]modulus ([0-9]+), remainder ([0-9]+)[)]$') b(bound)
		WHERE i.inhparent = parent::oid
	) h(partition, detach_pending, modulus, remainder)
		CROSS JOIN (SELECT iuid_bound_obstacle.modulus, iuid_bound_obstacle.remainder) wanted
	WHERE (h.remainder - wanted.remainder) % gcd(h.modulus, wanted.modulus) = 0
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.iuid_bound_obstacle(regclass, int, int) IS
	'the partition that keeps a table from getting one of this modulus and remainder, as a problem; NULL for none';

CREATE FUNCTION uidext_internal.iuid_partition_step(parent regclass, name text, obstacle uidext_internal.partition_obstacle)
	RETURNS uidext_internal.partition_step
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	step partition_step;
BEGIN
	step.action := 'create';
	step.parent := parent;
	step.schema := partition_schema(parent);
	step.name := name;
	IF obstacle.problem IS NULL AND NOT has_schema_privilege(step.schema, 'CREATE') THEN
		obstacle := ROW(format('42501: CREATE on schema %s is needed for a new partition', step.schema),
			format('Run: GRANT CREATE ON SCHEMA %s TO %I', step.schema, current_user))::partition_obstacle;
	END IF;
	IF obstacle.problem IS NULL THEN
		obstacle := partition_name_obstacle(step.schema, name);
	END IF;
	step.problem := obstacle.problem;
	step.hint := obstacle.hint;
	RETURN step;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_step(regclass, text, uidext_internal.partition_obstacle) IS
	'the step that makes a partition of a name, with what is in its way, which was found before or is looked for';

-- The partition of a country is made like its parent, with CREATE TABLE (LIKE ...).  partition_table_obstacle() looks at
-- the parent alone if it gets no newest partition and no template.
CREATE FUNCTION uidext_internal.iuid_country_step(parent regclass, name text, modulus int, remainder int)
	RETURNS uidext_internal.partition_step
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	t partitioned_table;
	obstacle partition_obstacle := iuid_bound_obstacle(parent, modulus, remainder);
BEGIN
	t.relation := parent;
	IF obstacle.problem IS NULL THEN
		obstacle := partition_table_obstacle(t);
	END IF;
	RETURN iuid_partition_step(parent, name, obstacle);
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_country_step(regclass, text, int, int) IS
	'the step that makes a partition by hash like its table, with what is in its way';

CREATE FUNCTION uidext_internal.iuid_plan_local(request uidext_internal.iuid_request) RETURNS SETOF uidext_internal.partition_step
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	t partitioned_table;
	country int;
	step partition_step;
BEGIN
	t.layout := 'uuid';
	FOREACH country IN ARRAY request.countries LOOP
		CONTINUE WHEN partition_of_clause(request.parent, iuid_hash_clause(257, country)) IS NOT NULL;
		step := iuid_country_step(request.parent, iuid_partition_name(request.parent, country), 257, country);
		RETURN NEXT step;
		CONTINUE WHEN step.problem IS NOT NULL OR request.step IS NULL;
		RETURN QUERY
			SELECT p.*
			FROM @extschema@.uuid_partition_bounds(request.start, request.stop, request.step, request.tz) b
				CROSS JOIN LATERAL iuid_partition_step(request.parent,
					step.name || '_' || partition_suffix(b.from_time, request.step, request.tz), NULL) p
			-- raises for a time that no id holds
			WHERE partition_snap(t, b.from_time, b.to_time) IS DISTINCT FROM NULL
			ORDER BY b.from_time;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_plan_local(uidext_internal.iuid_request) IS
	'the steps that make the partitions of countries here, and of their periods, but for those of countries that are there';

CREATE FUNCTION uidext_internal.iuid_leaf_obstacle(country_partition regclass, leaf uidext_internal.iuid_leaves)
	RETURNS uidext_internal.partition_obstacle
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT ROW(o.problem, o.hint)::uidext_internal.partition_obstacle
	FROM (
		-- PostgreSQL evaluates the CHECKs of its default partition
		SELECT pg_catalog.format('42501: must be owner of table %s', c.oid::regclass),
			pg_catalog.format('Run: ALTER TABLE %s OWNER TO %I', c.oid::regclass, current_user)
		FROM pg_catalog.pg_class c
		WHERE pg_get_userbyid(c.relowner) <> current_user AND (c.oid = country_partition::oid OR c.oid IN (
			SELECT b.oid
			FROM pg_catalog.pg_partitioned_table p CROSS JOIN LATERAL uidext_internal.partition_tree(p.partdefid::regclass) b(oid)
			WHERE p.partrelid = country_partition::oid AND p.partdefid <> 0::oid))
		UNION ALL
		SELECT v.problem, v.hint
		FROM uidext_internal.partition_overlap_obstacle(uidext_internal.partition_read(country_partition, clock_timestamp()),
			ROW(NULL, (leaf).from_id::text, (leaf).to_id::text,
				coalesce(uidext_internal.partition_boundary_time('uuid', (leaf).from_id::text), '-infinity'),
				coalesce(uidext_internal.partition_boundary_time('uuid', (leaf).to_id::text), 'infinity'),
				false, false)::uidext_internal.partition_period) v
		WHERE NOT (leaf).is_default AND v.problem IS NOT NULL
	) o(problem, hint)
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.iuid_leaf_obstacle(regclass, uidext_internal.iuid_leaves) IS
	'what keeps the partition of a country from getting a foreign partition for a leaf of another server; NULL for nothing';

CREATE FUNCTION uidext_internal.iuid_plan_foreign(request uidext_internal.iuid_request) RETURNS SETOF uidext_internal.partition_step
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	leaf iuid_leaves;
	above regclass;
	planned text[] := '{}';
	step partition_step;
BEGIN
	FOR leaf IN SELECT l.* FROM iuid_partition_leaves(request, true) l LOOP
		PERFORM iuid_check_leaf(request, leaf);
		above := partition_of_clause(request.parent, iuid_hash_clause(leaf.modulus, leaf.remainder));
		IF above IS NULL AND leaf.by_time AND leaf.partition <> ALL (planned) THEN
			planned := planned || leaf.partition::text;
			step := iuid_country_step(request.parent, leaf.partition, leaf.modulus, leaf.remainder);
			RETURN NEXT step;
		END IF;
		-- if the partition of the country cannot be made, the partitions beneath it are not listed
		CONTINUE WHEN CASE WHEN above IS NULL THEN leaf.by_time AND step.problem IS NOT NULL
			ELSE NOT leaf.by_time OR partition_of_clause(above, CASE WHEN leaf.is_default THEN 'DEFAULT'
				ELSE partition_range_clause(leaf.from_id::text, leaf.to_id::text) END) IS NOT NULL END;
		RETURN NEXT iuid_partition_step(request.parent, leaf.leaf_table, CASE WHEN above IS NOT NULL THEN iuid_leaf_obstacle(above, leaf)
			WHEN NOT leaf.by_time THEN iuid_bound_obstacle(request.parent, leaf.modulus, leaf.remainder) END);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_plan_foreign(uidext_internal.iuid_request) IS
	'the steps that make foreign partitions for what another server has of countries now; raises as iuid_partition_leaves() and '
	'iuid_check_leaf()';

CREATE FUNCTION uidext_internal.iuid_partition_foretell(request uidext_internal.iuid_request) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	steps partition_step[];
	there regclass;
	planned record;
BEGIN
	-- a country that is named twice is listed once
	request.countries := ARRAY(SELECT c.id FROM unnest(request.countries) WITH ORDINALITY c(id, n) GROUP BY c.id ORDER BY min(c.n));
	IF request.server IS NULL THEN
		steps := ARRAY(SELECT s FROM iuid_plan_local(request) s);
	ELSE
		steps := ARRAY(SELECT s FROM iuid_plan_foreign(request) s);
	END IF;
	FOR planned IN SELECT r.name FROM partition_report(steps, true) r WHERE r.problem IS NULL LOOP
		RAISE NOTICE 'partition %: would be made', planned.name;
	END LOOP;
	IF request.server IS NOT NULL AND request.step IS NOT NULL THEN
		RAISE NOTICE 'server "%" would be asked to make its missing partitions', request.server
			USING DETAIL = 'A dry run does not ask the server, so it does not show the foreign partitions for them.';
	ELSIF request.step IS NOT NULL THEN
		FOR there IN
			SELECT p.there FROM unnest(request.countries) c(id)
				CROSS JOIN LATERAL partition_of_clause(request.parent, iuid_hash_clause(257, c.id)) p(there)
			WHERE p.there IS NOT NULL ORDER BY p.there
		LOOP
			PERFORM @extschema@.uuid_partition_create(there, request.start, request.stop, request.step, request.tz, dry_run => true);
		END LOOP;
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_foretell(uidext_internal.iuid_request) IS
	'tells what iuid_partition_create() would make, and warns of what would fail; raises as uuid_partition_create() and '
	'iuid_plan_foreign()';

CREATE FUNCTION iuid_partition_create(
	parent regclass, countries int[], server name DEFAULT NULL,
	start timestamptz DEFAULT NULL, stop timestamptz DEFAULT NULL,
	step interval DEFAULT NULL, tz text DEFAULT 'UTC', dry_run bool DEFAULT false,
	OUT partition regclass
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	-- one for all that the call waits for
	deadline CONSTANT timestamptz := partition_deadline();
	request iuid_request;
	wrong text;
BEGIN
	PERFORM partition_check_null('{parent,countries,dry_run}', ARRAY[parent IS NULL, countries IS NULL, dry_run IS NULL]);
	IF num_nonnulls(start, stop, step) > 0 AND num_nulls(start, stop, step, tz) > 0 THEN
		RAISE EXCEPTION 'time partitions need start, stop, step and tz' USING ERRCODE = 'invalid_parameter_value';
	END IF;
	PERFORM partition_check_start(start, stop, step, tz);
	SELECT coalesce(c::text, 'NULL') INTO wrong FROM unnest(countries) c WHERE (c BETWEEN 0 AND 255) IS NOT TRUE LIMIT 1;
	IF wrong IS NOT NULL THEN
		RAISE EXCEPTION 'country id % is out of range', wrong
			USING ERRCODE = 'numeric_value_out_of_range',
				DETAIL = 'An iUID holds ids from 0 to 255, as in tables iuid.countries and iuid.service_entities.';
	END IF;

	PERFORM partition_check_exists(parent);
	request.parent := parent;
	request.column_name := iuid_partition_key(parent);
	IF NOT (SELECT attnotnull FROM pg_attribute WHERE attrelid = parent AND attname = request.column_name) THEN
		RAISE EXCEPTION 'column "%" of table % may be NULL', request.column_name, parent
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'PostgreSQL puts rows with NULL into the hash partition with REMAINDER 0, which belongs to a country.',
				HINT = format('Run: ALTER TABLE %s ALTER COLUMN %I SET NOT NULL', parent, request.column_name);
	END IF;
	IF server IS NOT NULL THEN
		PERFORM iuid_partition_check_foreign(parent);
	END IF;
	PERFORM partition_check_owner(parent);
	request.countries := countries;
	request.server := server;
	request.start := start;
	request.stop := stop;
	request.step := step;
	request.tz := tz;
	IF dry_run THEN
		PERFORM iuid_partition_foretell(request);
		RETURN;
	END IF;
	RETURN QUERY SELECT * FROM iuid_partition_execute(request, deadline);
END
$$;
COMMENT ON FUNCTION iuid_partition_create(regclass, int[], name, timestamptz, timestamptz, interval, text, bool) IS
	'Makes the missing partitions of countries, and returns them. With start, stop and step, each new partition is '
	'partitioned by time. With a server, it makes foreign partitions for the partitions that the countries have there. '
	'With dry_run it only says what it would make and what would fail, returns nothing, and has no other server make any. '
	'Raises 42501 for callers who are not the owner, 42809 for a table that is not partitioned by country, 42P01, 55000 for a '
	'key that may be NULL, 22003 for a country outside 0 to 255, 22004 for NULL, 22023 for start, stop or step without '
	'the other two, 42704 for an unknown server, also 42601, and as uuid_partition_create().';
