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
				HINT = uidext_internal.uuid_partition_key_hint(column_type, 'uuid_boundary() gives the bounds to count another column by.');
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_time_key(regclass) IS
	'the column whose ids tell when the rows of a table were made, and their layout; raises 42809 for a table without';

-- An id has whole milliseconds, or longer ticks: those of a period begin with the
-- first that is not before it.  Bits below the time are 0 in a boundary.
CREATE FUNCTION uidext_internal.uuid_time_boundary(layout text, at timestamptz) RETURNS text
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE
		WHEN layout IN ('uuid', 'ulid')
			THEN uidext_internal.uuid_partition_boundary(layout, date_trunc('milliseconds', at + interval '999 microseconds'))
		WHEN at = timestamptz 'infinity' OR uid_time(uid_boundary(at, layout), layout) >= at THEN uid_boundary(at, layout)::text
		ELSE (
			SELECT min(uid_boundary(at, layout) + (1::bigint << bit))
			FROM generate_series(0, 62) AS bit
			WHERE uid_time(uid_boundary(at, layout) + (1::bigint << bit), layout) >= at
		)::text
	END;
COMMENT ON FUNCTION uidext_internal.uuid_time_boundary(text, timestamptz) IS
	'the least id as text of the first tick that is not before a time; raises as uuid_partition_boundary()';

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
	FROM uidext_internal.uuid_partition_ranges(parent, layout) p
		-- which knows what has been detached since the snapshot was taken
		JOIN pg_partition_tree(parent) t ON t.relid::oid = p.partition::oid
		JOIN pg_catalog.pg_class c ON c.oid = p.partition::oid
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE NOT p.detach_pending
	WINDOW ordered AS (ORDER BY p.from_time, p.to_time);
END;
COMMENT ON FUNCTION uidext_internal.uuid_time_partitions(regclass, text) IS
	'the range partitions of a table with their place, whether one follows that before it without a gap, and the name, which is NULL where the caller may count its rows in the parent only; raises as uuid_partition_boundary_time()';

-- More than a year of days are left to the parent, which no length of a query limits.
CREATE FUNCTION uidext_internal.uuid_time_periods(
	relation regclass, layout text, by_range bool, start timestamptz, stop timestamptz, step interval, tz text,
	OUT n bigint, OUT from_time timestamptz, OUT to_time timestamptz, OUT from_id text, OUT to_id text, OUT sources text[]
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH period AS (
		SELECT p.ordinality AS n, p.from_time, least(p.to_time, stop) AS to_time,
			uidext_internal.uuid_time_boundary(layout, p.from_time) AS from_id,
			uidext_internal.uuid_time_boundary(layout, least(p.to_time, stop)) AS to_id
		FROM uuid_partition_bounds(start, stop, step, tz) WITH ORDINALITY AS p
	), partition AS MATERIALIZED (
		SELECT t.* FROM uidext_internal.uuid_time_partitions(relation, layout) AS t WHERE by_range
	), whole AS (
		SELECT b.n, pg_catalog.array_agg(p.source ORDER BY p.place) AS sources
		FROM period AS b
			JOIN partition AS first ON first.from_id = b.from_id
			JOIN partition AS last ON last.to_id = b.to_id AND last.place - first.place < 400,
			LATERAL pg_catalog.generate_series(first.place, last.place) AS places (place)
			JOIN partition AS p ON p.place = places.place
		GROUP BY b.n, first.place
		HAVING pg_catalog.bool_and(p.source IS NOT NULL AND (p.follows OR p.place = first.place))
	)
	SELECT b.n, b.from_time, b.to_time, b.from_id, b.to_id, w.sources
	FROM period AS b LEFT JOIN whole AS w ON w.n = b.n
	ORDER BY b.n;
END;
COMMENT ON FUNCTION uidext_internal.uuid_time_periods(regclass, text, bool, timestamptz, timestamptz, interval, text) IS
	'the periods of uuid_time_buckets() with their least ids and, of those that whole partitions make up, the names of these; raises as uuid_time_buckets()';

-- Bounds are literals, so that the planner never looks at other partitions; all names
-- are qualified, because the query runs where the caller's search_path holds, which
-- row security may depend on.
CREATE FUNCTION uidext_internal.uuid_time_count(
	n bigint, sources text[], relation_name text, column_name name, bound_type text, operators name, from_id text, to_id text
) RETURNS text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF sources IS NOT NULL THEN
		RETURN (SELECT string_agg(format('SELECT %s, pg_catalog.count(*) FROM %s', n, source), ' UNION ALL ') FROM unnest(sources) AS source);
	END IF;
	RETURN format('SELECT %1$s, pg_catalog.count(*) FROM %2$s WHERE %3$I OPERATOR(%4$I.>=) %6$L::%5$s AND %3$I OPERATOR(%4$I.<) %7$L::%5$s',
		n, relation_name, column_name, operators, bound_type, from_id, to_id);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_time_count(bigint, text[], text, name, text, name, text, text) IS
	'a query of the number of a period and its rows: all of its partitions, else those of the table between two ids of a type, whose operators are in this schema; raises 22004';

-- A count for each period, some hundred counts in a query, which may share them
-- among workers.
CREATE FUNCTION uidext_internal.uuid_time_bucket_queries(
	relation regclass, start timestamptz, stop timestamptz, step interval, tz text,
	OUT from_times timestamptz[], OUT to_times timestamptz[], OUT query text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record := uidext_internal.uuid_time_key(relation);
	relation_name text := uidext_internal.uuid_partition_qualified(relation);
	bound_type text := CASE key.layout WHEN 'uuid' THEN 'pg_catalog.uuid' WHEN 'ulid' THEN '@extschema@.ulid' ELSE 'pg_catalog.int8' END;
	operators name := uidext_internal.uuid_partition_operators(bound_type::regtype);
BEGIN
	-- an error for those who may not read it; from now on no partition goes
	EXECUTE format('SELECT %I FROM %s WHERE false', key.column_name, relation_name);

	RETURN QUERY
		WITH batch AS (
			SELECT p.*, (sum(coalesce(cardinality(p.sources), 1)) OVER (ORDER BY p.n) - 1) / 100 AS number
			FROM uidext_internal.uuid_time_periods(relation, key.layout, key.by_range, start, stop, step, tz) p
		), counted AS (
			SELECT b.*, row_number() OVER (PARTITION BY b.number ORDER BY b.n) AS place
			FROM batch b
		)
		SELECT array_agg(c.from_time ORDER BY c.place), array_agg(c.to_time ORDER BY c.place),
			format('SELECT $1[counted.n], $2[counted.n], pg_catalog.sum(rows)::pg_catalog.int8 FROM (%s) AS counted(n, rows) GROUP BY n ORDER BY n',
				string_agg(uidext_internal.uuid_time_count(c.place, c.sources, relation_name, key.column_name, bound_type, operators,
					c.from_id, c.to_id), ' UNION ALL '))
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
	relation regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET jit = off
AS $$
DECLARE
	counts pg_catalog.record;
BEGIN
	FOR counts IN
		SELECT q.* FROM uidext_internal.uuid_time_bucket_queries(relation, start, stop, step, tz) q
	LOOP
		RETURN QUERY EXECUTE counts.query USING counts.from_times, counts.to_times;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_time_buckets(regclass, timestamptz, timestamptz, interval, text) IS
	'rows of each period of one step from start until stop, also of empty ones, by the times in the key; raises 42809 for a table without such a key, 22023 and 22008 as uuid_partition_bounds()';
