-- What bench/huge notes, in the database that it fills.

CREATE TABLE huge (rows bigint, slices int, tables text);
CREATE TABLE filled (position int PRIMARY KEY, label text, place text);
CREATE TABLE slice (position int, number int, rows bigint, per_second float8, wal numeric, fpi bigint, hit bigint, read bigint, checkpoint_ms float8);
CREATE TABLE looked (position int, tenth int, vacuum_ms float8, bytes bigint, density float8);
CREATE TABLE looked_up (position int, tenth int, which text, hit bigint, read bigint, ms float8);
CREATE TABLE period (position int, tenth int, length interval, expected float8, actual float8, ms float8, hit bigint, read bigint);
CREATE TABLE rebuilt (position int, ms float8, bytes bigint);

-- A relation or, of a partitioned one, its partitions.
CREATE FUNCTION leaves(relation regclass) RETURNS SETOF regclass LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT relid FROM pg_partition_tree(relation) WHERE isleaf
	UNION ALL
	SELECT relation WHERE NOT EXISTS (SELECT FROM pg_partition_tree(relation));
END;

-- Of a table's primary key: bytes, and how full its leaf pages are.
CREATE FUNCTION fullness(relation regclass, OUT bytes bigint, OUT density float8) LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT sum(i.index_size), sum(i.avg_leaf_density * i.leaf_pages) FILTER (WHERE i.leaf_pages > 0) / sum(i.leaf_pages)
	FROM leaves((relation || '_pkey')::regclass) leaf, pgstatindex(leaf) i;
END;

-- Looks up the second half of a sample, after the first has warmed the cache.
CREATE FUNCTION look_up(n int, tenth int, which text, lookups int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	keys regclass := 'keys_' || n;
	blocks bigint := (SELECT sum(pg_relation_size(leaf)) / 8192 FROM leaves(keys) leaf);
	-- a hundredth of all rows are in
	newest regclass := (SELECT leaf FROM leaves(keys) leaf WHERE pg_relation_size(leaf) / 8192 > blocks / 100 ORDER BY leaf::oid DESC LIMIT 1);
	-- a block has a hundred rows and more
	share float8 := least(100, 100.0 * lookups / 10 / blocks);
	source text;
	plan json;
BEGIN
	source := CASE which
		WHEN 'recent' THEN format('%s WHERE ctid >= %L::tid', newest,
			format('(%s,0)', greatest(pg_relation_size(newest) / 8192 - greatest(blocks / 100, 1), 0)))
		ELSE format('%s TABLESAMPLE SYSTEM (%s)', keys, share)
	END;
	EXECUTE format('CREATE TEMPORARY TABLE sample AS
		SELECT row_number() OVER () AS nth, id FROM (SELECT id FROM %s ORDER BY random() LIMIT %s) AS shuffled', source, 2 * lookups);
	ANALYZE sample;
	FOR half IN 0 .. 1 LOOP
		EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON)
			SELECT count(payload) FROM sample JOIN %s USING (id) WHERE nth > %s AND nth <= %s',
			keys, half * lookups, (half + 1) * lookups) INTO plan;
	END LOOP;
	DROP TABLE sample;
	INSERT INTO looked_up VALUES (n, tenth, which,
		(plan->0->'Plan'->>'Shared Hit Blocks')::bigint, (plan->0->'Plan'->>'Shared Read Blocks')::bigint,
		(plan->0->>'Execution Time')::float8);
END
$$;

-- Counts the rows of periods anywhere in the time that has been filled, as the
-- planner expects them and as they are.
CREATE FUNCTION look_at_periods(n int, tenth int, timed text, length interval, periods int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	start timestamptz;
	condition text;
	expected json;
	plan json;
BEGIN
	FOR i IN 1 .. CASE WHEN timed <> '' THEN periods ELSE 0 END LOOP
		start := timestamptz '2023-01-01Z' + random() * (tenth * interval '100 days' - length);
		condition := format(CASE timed WHEN 'id' THEN 'id >= %L AND id < %L' ELSE 'created_at >= %L AND created_at < %L' END,
			CASE timed WHEN 'id' THEN uuid_boundary(start)::text ELSE start::text END,
			CASE timed WHEN 'id' THEN uuid_boundary(start + length)::text ELSE (start + length)::text END);
		EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM keys_%s WHERE %s', n, condition) INTO expected;
		EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) SELECT FROM keys_%s WHERE %s', n, condition) INTO plan;
		INSERT INTO period VALUES (n, tenth, length,
			(expected->0->'Plan'->>'Plan Rows')::float8, (plan->0->'Plan'->>'Actual Rows')::float8,
			(plan->0->>'Execution Time')::float8,
			(plan->0->'Plan'->>'Shared Hit Blocks')::bigint, (plan->0->'Plan'->>'Shared Read Blocks')::bigint);
	END LOOP;
END
$$;
