-- Rows by period

-- The column by whose range a table is partitioned, else its primary key.
CREATE FUNCTION uidext_internal.uuid_time_key(relation regclass, OUT column_name name, OUT layout text, OUT by_range bool)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	column_number smallint;
	column_type regtype;
BEGIN
	SELECT a.attname, a.attnum, a.atttypid, key.by_range,
		coalesce(uidext_internal.uuid_partition_layout(a.atttypid), uidext_internal.uuid_partition_scheme(relation, a.attnum))
	INTO column_name, column_number, column_type, by_range, layout
	FROM (
		SELECT true, p.partattrs[0]
		FROM pg_partitioned_table p JOIN pg_opclass o ON o.oid = p.partclass[0]
		WHERE p.partrelid = relation AND p.partstrat = 'r' AND p.partnatts = 1 AND o.opcdefault
		UNION ALL
		SELECT false, i.indkey[0] FROM pg_index i
		WHERE i.indrelid = relation AND i.indisprimary AND i.indnkeyatts = 1
	) key(by_range, column_number)
		JOIN pg_attribute a ON a.attrelid = relation AND a.attnum = key.column_number
	ORDER BY key.by_range DESC
	LIMIT 1;
	IF layout IS NULL THEN
		RAISE EXCEPTION 'table % has no key that holds the time', relation
			USING ERRCODE = 'wrong_object_type',
				DETAIL = 'Neither is it partitioned by range of one column of type uuid, iuid or ulid, nor is one its primary key.',
				HINT = CASE column_type WHEN 'bigint'::regtype
					THEN 'A bigint column needs a check of its scheme, such as CHECK (uid_is_valid(id, ''snowflake'')).'
					ELSE 'uuid_boundary() gives the bounds to count another column by.' END;
	END IF;
	IF uidext_internal.uuid_partition_default_is_gregorian(relation, column_number) THEN
		RAISE EXCEPTION 'column "%" of table % holds UUIDv1, v6 or v13', column_name, relation
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = 'Its default makes them, and their time is Gregorian.',
				HINT = 'Count those of v6 and v13 between bounds of uuidv6_boundary(); v1 does not sort by time.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_time_key(regclass) IS
	'the column whose ids tell when the rows of a table were made, and their layout; raises 42809 for a table without, 22023 for a default of v1, v6 or v13';

-- An id has whole milliseconds: those of a period begin with the first that is not before it.
CREATE FUNCTION uidext_internal.uuid_time_boundary(layout text, at timestamptz) RETURNS text
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN uidext_internal.uuid_partition_boundary(layout, date_trunc('milliseconds', at + interval '999 microseconds'));
COMMENT ON FUNCTION uidext_internal.uuid_time_boundary(text, timestamptz) IS
	'the least id as text of the first millisecond that is not before a time; raises as uuid_partition_boundary()';

-- What is counted whole is counted without comparing ids, but only where this
-- gives what a SELECT from the parent would: rights and row security are those
-- of the parent there.
CREATE FUNCTION uidext_internal.uuid_time_partitions(
	parent regclass, layout text,
	OUT from_id text, OUT to_id text, OUT place bigint, OUT follows bool, OUT source text
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.from_id, p.to_id, row_number() OVER ordered, p.from_id = pg_catalog.lag(p.to_id) OVER ordered,
		CASE WHEN has_schema_privilege(c.relnamespace, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
				AND NOT row_security_active(c.oid) AND NOT row_security_active(parent::oid)
			THEN format('%I.%I', n.nspname, c.relname) END
	FROM uidext_internal.uuid_partition_periods(parent, layout) p
		-- which knows what has been detached since the snapshot was taken
		JOIN pg_partition_tree(parent) t ON t.relid::oid = p.partition::oid
		JOIN pg_catalog.pg_class c ON c.oid = p.partition::oid
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE NOT p.detach_pending
	WINDOW ordered AS (ORDER BY p.from_time, p.to_time);
END;
COMMENT ON FUNCTION uidext_internal.uuid_time_partitions(regclass, text) IS
	'the range partitions of a table with their place, whether one follows that before it without a gap, and the name, which is NULL where the caller may count its rows in the parent only; raises as uuid_partition_boundary_time()';

-- A count for each period, some hundred counts in a query, which may share them
-- among workers.  Bounds are literals, so that the planner never looks at other
-- partitions; all names are qualified, because the query runs where the caller's
-- search_path holds, which row security may depend on.
CREATE FUNCTION uidext_internal.uuid_time_bucket_queries(
	relation regclass, start timestamptz, stop timestamptz, step interval, tz text,
	OUT from_times timestamptz[], OUT to_times timestamptz[], OUT query text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record := uidext_internal.uuid_time_key(relation);
	bound_type text := CASE key.layout WHEN 'uuid' THEN 'pg_catalog.uuid' WHEN 'ulid' THEN '@extschema@.ulid' ELSE 'pg_catalog.int8' END;
	-- where the type has operators of its own: a ulid of the SQL edition has those of text
	operators text := CASE WHEN to_regoperator(format('%1$s.>=(%2$s,%2$s)', '@extschema@', bound_type)) IS NULL THEN 'pg_catalog' ELSE '@extschema@' END;
	relation_name text := (
		SELECT format('%I.%I', n.nspname, c.relname)
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.oid = relation);
BEGIN
	-- an error for those who may not read it; from now on no partition goes
	EXECUTE format('SELECT %I FROM %s WHERE false', key.column_name, relation_name);

	RETURN QUERY
		WITH period AS (
			SELECT p.ordinality, p.from_time, least(p.to_time, stop) AS to_time,
				uidext_internal.uuid_time_boundary(key.layout, p.from_time) AS from_id,
				uidext_internal.uuid_time_boundary(key.layout, least(p.to_time, stop)) AS to_id
			FROM @extschema@.uuid_partition_bounds(start, stop, step, tz) WITH ORDINALITY p
		), partition AS MATERIALIZED (
			SELECT * FROM uidext_internal.uuid_time_partitions(relation, key.layout) WHERE key.by_range
		), whole AS (
			-- the partitions that a period is made of; more than a year of days are
			-- left to the parent, which no length of a query limits
			SELECT b.ordinality, array_agg(p.source ORDER BY p.place) AS sources
			FROM period b
				JOIN partition first ON first.from_id = b.from_id
				JOIN partition last ON last.to_id = b.to_id AND last.place - first.place < 400,
				LATERAL generate_series(first.place, last.place) AS places(place)
				JOIN partition p USING (place)
			GROUP BY b.ordinality, first.place
			HAVING bool_and(p.source IS NOT NULL AND (p.follows OR p.place = first.place))
		), batch AS (
			SELECT b.*, w.sources, (sum(coalesce(cardinality(w.sources), 1)) OVER (ORDER BY b.ordinality) - 1) / 100 AS number
			FROM period b LEFT JOIN whole w USING (ordinality)
		), counted AS (
			SELECT b.*, row_number() OVER (PARTITION BY b.number ORDER BY b.ordinality) AS n
			FROM batch b
		)
		SELECT array_agg(c.from_time ORDER BY c.n), array_agg(c.to_time ORDER BY c.n),
			format('SELECT $1[counted.n], $2[counted.n], pg_catalog.sum(rows)::pg_catalog.int8 FROM (%s) AS counted(n, rows) GROUP BY n ORDER BY n',
				string_agg(coalesce(
					(SELECT string_agg(format('SELECT %s, pg_catalog.count(*) FROM %s', c.n, s.source), ' UNION ALL ') FROM unnest(c.sources) AS s(source)),
					format('SELECT %1$s, pg_catalog.count(*) FROM %2$s WHERE %3$I OPERATOR(%4$s.>=) %6$L::%5$s AND %3$I OPERATOR(%4$s.<) %7$L::%5$s',
						c.n, relation_name, key.column_name, operators, bound_type, c.from_id, c.to_id)), ' UNION ALL '))
		FROM counted c
		GROUP BY c.number
		ORDER BY c.number;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_time_bucket_queries(regclass, timestamptz, timestamptz, interval, text) IS
	'the queries of uuid_time_buckets(), with the periods that each takes as parameters; raises as uuid_time_buckets()';

-- STABLE, so that all queries see the caller's snapshot.  There is too little to
-- compile in a count.
CREATE FUNCTION uuid_time_buckets(
	parent regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET jit = off
AS $$
DECLARE
	counts pg_catalog.record;
BEGIN
	FOR counts IN
		SELECT q.* FROM uidext_internal.uuid_time_bucket_queries(parent, start, stop, step, tz) q
	LOOP
		RETURN QUERY EXECUTE counts.query USING counts.from_times, counts.to_times;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_time_buckets(regclass, timestamptz, timestamptz, interval, text) IS
	'rows of each period of one step from start until stop, also of empty ones, by the times in the key; raises 42809 for a table without such a key, 22023 and 22008 as uuid_partition_bounds()';
