-- Ranges of a key with about as many rows each, for work in parallel

CREATE FUNCTION uidext_internal.key_position(layout text, id text) RETURNS numeric
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN (
		SELECT CASE layout WHEN 'bigint' THEN id::numeric ELSE (
			SELECT sum(('x' || lpad(substr(h.hex, n, 8), 16, '0'))::bit(64)::bigint * 4294967296::numeric ^ ((25 - n) / 8))
			FROM (SELECT replace((CASE layout WHEN 'ulid' THEN @extschema@.ulid_to_uuid(id) ELSE id::uuid END)::text, '-', '')) h(hex),
				pg_catalog.generate_series(1, 25, 8) n
		) END
	);
END
$$;
COMMENT ON FUNCTION uidext_internal.key_position(text, text) IS
	'an id as a number that sorts as it does: a bigint itself, or the 128 bits; raises 22P02 for what is no id';

CREATE FUNCTION uidext_internal.key_at(layout text, at numeric) RETURNS text
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN (
		SELECT CASE layout WHEN 'bigint' THEN floor(at)::bigint::text WHEN 'ulid' THEN @extschema@.uuid_to_ulid(u.id)::text ELSE u.id::text END
		FROM (
			SELECT string_agg(lpad(to_hex((div(at, 4294967296::numeric ^ n) % 4294967296)::bigint), 8, '0'), '' ORDER BY n DESC)::uuid
			FROM pg_catalog.generate_series(0, CASE layout WHEN 'bigint' THEN -1 ELSE 3 END) n
		) u(id)
	);
END
$$;
COMMENT ON FUNCTION uidext_internal.key_at(text, numeric) IS
	'the id at a position that key_position() gave or that lies between two of these, rounded down; raises 22003 beyond '
	'bigint, 0A000 for what is no number';

-- The first column of the primary key, else of another unique index or of the partition key, if
-- ordinary comparisons can find its ranges.
CREATE FUNCTION uidext_internal.key_range_column(relation regclass, OUT column_name name, OUT column_number smallint, OUT layout text, OUT has_nulls bool)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH key(attnum, opclass, rank) AS (
		SELECT i.indkey[0], i.indclass[0], CASE WHEN i.indisprimary THEN 1 ELSE 2 END
		FROM pg_catalog.pg_index i
		WHERE i.indrelid = relation::oid AND i.indisunique AND i.indpred IS NULL
		UNION ALL
		SELECT p.partattrs[0], p.partclass[0], 3 FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = relation::oid
	)
	SELECT a.attname, a.attnum, l.layout,
		-- tables that inherit need not be strict, and from 18 on a NOT NULL may be NOT VALID
		EXISTS (
			SELECT FROM uidext_internal.partition_tree(relation) t(oid)
				JOIN pg_catalog.pg_attribute m ON m.attrelid = t.oid AND m.attname = a.attname
				LEFT JOIN pg_catalog.pg_constraint c
					ON c.conrelid = m.attrelid AND c.contype = 'n' AND c.conkey[1] = m.attnum AND NOT c.convalidated
			WHERE NOT m.attnotnull OR c.oid IS NOT NULL)
	FROM key k
		JOIN pg_catalog.pg_opclass o ON o.oid = k.opclass AND o.opcdefault
		JOIN pg_catalog.pg_attribute a ON a.attrelid = relation::oid AND a.attnum = k.attnum,
		LATERAL (
			SELECT coalesce(uidext_internal.partition_layout(a.atttypid),
				(SELECT 'bigint' FROM uidext_internal.base_types(a.atttypid) t(type) WHERE t.type::oid = 'bigint'::regtype::oid))
		) l(layout)
	WHERE l.layout IS NOT NULL
	ORDER BY k.rank, a.attnum
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.key_range_column(regclass) IS
	'the column by which uuid_key_ranges() divides a table, how its ids are read (uuid, ulid or bigint), and whether one '
	'may be NULL';

-- A role that may not read the partitions can still see their bounds.
CREATE FUNCTION uidext_internal.key_range_members(
	relation regclass, column_name name, column_number smallint, layout text,
	OUT rows float8, OUT nulls_share float8, OUT bounds text[], OUT bounds_share float8, OUT common text[], OUT common_shares real[]
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
	WITH RECURSIVE tree(relid, parent) AS (
		SELECT relation::oid, NULL::oid
		UNION
		SELECT i.inhrelid, i.inhparent FROM tree t JOIN pg_catalog.pg_inherits i ON i.inhparent = t.relid
	), parent AS (
		SELECT k.partrelid::regclass AS relid
		FROM pg_catalog.pg_partitioned_table k JOIN pg_catalog.pg_attribute a ON a.attrelid = k.partrelid AND a.attnum = k.partattrs[0]
		WHERE k.partrelid IN (SELECT t.parent FROM tree t) AND k.partnatts = 1::smallint AND a.attname = key_range_members.column_name
	), range AS MATERIALIZED (
		-- once for a parent, not for each of its partitions
		SELECT p.partition, p.from_id, p.to_id
		FROM parent, range_bounds(parent.relid) p
		WHERE NOT p.is_default
	)
	SELECT r.rows, coalesce(s.null_frac, 0)::float8,
		coalesce(s.histogram_bounds::text::text[], pg_catalog.array_remove(ARRAY[p.from_id, p.to_id], NULL)),
		CASE WHEN s.histogram_bounds IS NULL AND s.most_common_freqs IS NOT NULL THEN 0
			ELSE 1 - coalesce(s.null_frac, 0)::float8 - coalesce((SELECT sum(f) FROM pg_catalog.unnest(s.most_common_freqs) f), 0) END,
		s.most_common_vals::text::text[], s.most_common_freqs
	FROM tree t
		JOIN pg_catalog.pg_class c ON c.oid = t.relid AND c.relkind <> 'p'
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
		LEFT JOIN pg_catalog.pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname
			AND s.attname = key_range_members.column_name AND NOT s.inherited
		LEFT JOIN range p ON p.partition::oid = t.relid,
		LATERAL (SELECT CASE WHEN c.reltuples >= 0::real THEN c.reltuples::float8
			WHEN c.relkind <> 'f' AND pg_catalog.pg_relation_size(c.oid::regclass) = 0 THEN 0
			ELSE nullif(pg_catalog.pg_stat_get_live_tuples(c.oid), 0)::float8
		END) r(rows)
$$;
COMMENT ON FUNCTION uidext_internal.key_range_members(regclass, name, smallint, text) IS
	'a table, or each of its leaves: rows (NULL when they were never counted), the share without an id, a histogram of '
	'the ids or the partition''s bounds with the share of rows that they hold, and common values';

-- The number of rows below an id is known at some ids, and is taken to grow evenly between them.
-- Rows without an id come before the first.
CREATE FUNCTION uidext_internal.key_range_steps(
	relation regclass, column_name name, column_number smallint, layout text,
	OUT from_position numeric, OUT to_position numeric, OUT rows_before float8, OUT rows_after float8
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
	WITH member AS (
		SELECT * FROM key_range_members(relation, column_name, column_number, layout) m WHERE m.rows > 0
	), point(at, weight) AS (
		SELECT key_position(layout, b.id),
			CASE WHEN b.number > 1 OR cardinality(m.bounds) = 1 THEN m.rows * m.bounds_share / greatest(cardinality(m.bounds) - 1, 1) ELSE 0 END
		FROM member m, pg_catalog.unnest(m.bounds) WITH ORDINALITY b(id, number)
		UNION ALL
		-- all rows of one id between it and the next
		SELECT key_position(layout, v.id) + e.next, m.rows * v.share * e.next
		FROM member m, ROWS FROM (pg_catalog.unnest(m.common), pg_catalog.unnest(m.common_shares)) v(id, share), pg_catalog.generate_series(0, 1) e(next)
	), placed AS (
		SELECT p.at, sum(sum(p.weight)) OVER (ORDER BY p.at) AS rows FROM point p GROUP BY p.at
	), without(rows) AS (
		SELECT sum(m.rows * m.nulls_share) FROM member m
	)
	SELECT coalesce(pg_catalog.lag(p.at) OVER w, p.at), p.at, n.rows + coalesce(pg_catalog.lag(p.rows) OVER w, 0), n.rows + p.rows
	FROM placed p, without n
	WINDOW w AS (ORDER BY p.at)
$$;
COMMENT ON FUNCTION uidext_internal.key_range_steps(regclass, name, smallint, text) IS
	'the distribution of a table''s ids as pieces: from a position of key_position() to another, with the rows before and '
	'after; raises 22P02 for ids of another layout';

-- Cuts at the same id count as one.
CREATE FUNCTION uidext_internal.key_range_cuts(
	relation regclass, column_name name, column_number smallint, layout text, n int,
	OUT number int, OUT from_id text, OUT to_id text, OUT rows bigint
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
	WITH step AS (
		SELECT s.*, max(s.rows_after) OVER () AS total
		FROM key_range_steps(relation, column_name, column_number, layout) s
	), cut AS (
		SELECT 0 AS k, NULL AS id, coalesce((SELECT max(s.total) FROM step s), (
			SELECT coalesce(sum(m.rows), 0)
			FROM key_range_members(relation, column_name, column_number, layout) m
			-- two rows need statistics
			HAVING count(*) = count(*) FILTER (WHERE m.rows <= 1 OR m.nulls_share = 1))) AS total
		UNION ALL
		SELECT min(g.k), c.id, max(s.total)
		FROM step s,
			-- a few too many; the condition keeps those that lie in the step
			LATERAL pg_catalog.generate_series(greatest(floor(s.rows_before * n / nullif(s.total, 0))::int, 1),
				least(ceil(s.rows_after * n / nullif(s.total, 0))::int, n - 1)) g(k),
			LATERAL (SELECT key_at(layout, s.from_position + (s.to_position - s.from_position)
				* ((s.total * g.k / n - s.rows_before) / (s.rows_after - s.rows_before))::numeric)) c(id)
		WHERE s.rows_before < s.total * g.k / n AND s.rows_after >= s.total * g.k / n
		GROUP BY c.id
	)
	SELECT pg_catalog.row_number() OVER w, c.id, pg_catalog.lead(c.id) OVER w,
		round(c.total * (coalesce(pg_catalog.lead(c.k) OVER w, n) - c.k) / n)::bigint
	FROM cut c
	WINDOW w AS (ORDER BY c.k)
$$;
COMMENT ON FUNCTION uidext_internal.key_range_cuts(regclass, name, smallint, text, int) IS
	'at most n ranges of a table''s ids with about as many rows each, the first and the last open; rows are NULL without '
	'statistics; raises 22P02 for ids of another layout';

CREATE FUNCTION uuid_key_ranges(
	relation regclass, n int, OUT number int, OUT from_id text, OUT to_id text, OUT rows bigint, OUT condition text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	key record;
BEGIN
	IF n NOT BETWEEN 1 AND 10000 THEN
		RAISE EXCEPTION 'number of ranges out of range: %', n
			USING ERRCODE = 'invalid_parameter_value', HINT = 'It must be from 1 to 10000.';
	END IF;
	SELECT * INTO key FROM key_range_column(relation);
	IF key.layout IS NULL THEN
		RAISE EXCEPTION 'table % has no key that begins with a uuid, iuid, ulid or bigint', relation
			USING ERRCODE = 'wrong_object_type', HINT = 'The table needs a primary key, a unique index or a partition key whose first column has one of these types.';
	END IF;
	FOR number, from_id, to_id, rows IN
		SELECT r.* FROM key_range_cuts(relation, key.column_name, key.column_number, key.layout, n) r
	LOOP
		IF rows IS NULL THEN
			RAISE EXCEPTION 'table % has no statistics of column "%"', relation, key.column_name
				USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Run ANALYZE on the table. You need the privilege SELECT on the column to see its statistics.';
		END IF;
		condition := coalesce(nullif(concat_ws(' AND ',
			CASE WHEN from_id IS NOT NULL THEN format('%I >= %L', key.column_name, from_id) END,
			CASE WHEN to_id IS NOT NULL THEN format('%I < %L', key.column_name, to_id) END), ''), 'true');
		IF key.has_nulls AND from_id IS NULL AND to_id IS NOT NULL THEN
			condition := format('(%s OR %I IS NULL)', condition, key.column_name);
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_key_ranges(regclass, int) IS
	'at most n ranges of a table''s key with about as many rows each; for work in parallel; computed from '
	'statistics and the bounds of partitions; from_id and to_id are text, NULL at the open ends; rows is an '
	'estimate; condition is for a query; every row is in one range, rows with a NULL key in the first; raises '
	'22023 unless n is from 1 to 10000, 42809 without such a key, 55000 without statistics';
