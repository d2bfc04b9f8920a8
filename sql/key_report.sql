-- What the keys of a database cost

CREATE FUNCTION uidext_internal.uuid_leaf_density(index regclass, exact bool, estimate numeric) RETURNS numeric
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	schema name;
	density float8;
BEGIN
	IF NOT exact THEN
		RETURN round(estimate, 1);
	END IF;
	SELECT n.nspname INTO schema
	FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
	WHERE e.extname = 'pgstattuple';
	IF schema IS NULL THEN
		RAISE EXCEPTION 'pgstattuple is not installed'
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'CREATE EXTENSION pgstattuple';
	END IF;
	EXECUTE format('SELECT avg_leaf_density FROM %I.pgstatindex($1)', schema) INTO density USING index;
	RETURN round(nullif(density, 'NaN')::numeric, 1);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_leaf_density(regclass, bool, numeric) IS
	'how full an index''s leaf pages are, in percent: the estimate, or what pgstattuple reads; raises 55000 without pgstattuple';

-- An entry of a btree on one uuid takes 28 bytes of a leaf page; entries that
-- are equal share 31.5 (24, a line pointer, and what rounds them up to 8) and
-- take 6 each.  A page holds 40 bytes less than its size; ordered inserts leave
-- 10 % of it free.
-- 143 bytes of WAL are the difference between random and ordered keys in
-- bench/run index: ten batches of 100,000 rows, a checkpoint before each.
CREATE FUNCTION uuid_key_report(exact bool DEFAULT false) RETURNS TABLE (
	table_name regclass, column_name name, index_name regclass, layout text, correlation real,
	index_bytes bigint, leaf_density numeric, inserts bigint,
	index_bytes_saved bigint, wal_bytes_saved bigint, note text
)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH keys AS (
		SELECT i.indrelid, i.indexrelid, a.attname, s.correlation, x.relpages::float8 AS pages,
			pg_catalog.pg_relation_size(i.indexrelid::regclass) AS bytes,
			CASE WHEN u.is_ulid THEN v.ids::ulid[]::uuid[] ELSE v.ids::uuid[] END AS sample, u.is_ulid,
			CASE WHEN i.indnatts = 1::smallint AND x.reltuples > 0::real THEN x.reltuples::float8 END AS entries,
			CASE WHEN i.indisunique OR s.n_distinct IS NULL THEN 1::float8
				WHEN s.n_distinct < 0::real THEN -s.n_distinct::float8
				ELSE s.n_distinct::float8 / greatest(x.reltuples::float8, 1::float8) END AS different
		FROM pg_index i
			JOIN pg_class x ON x.oid = i.indexrelid AND x.relkind = 'i'
			JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
			JOIN pg_class t ON t.oid = i.indrelid AND t.relkind <> 't'
			JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema')
			JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
			-- of 16 bytes: a ulid of the SQL edition is a text
			JOIN pg_type y ON y.oid = a.atttypid AND y.typlen = 16::smallint
			CROSS JOIN LATERAL (SELECT uidext_internal.uuid_partition_layout(y.oid::regtype) = 'ulid') AS u(is_ulid)
			LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = t.relname AND s.attname = a.attname AND NOT s.inherited
			CROSS JOIN LATERAL (SELECT coalesce(s.histogram_bounds, s.most_common_vals)::text) AS v(ids)
		WHERE u.is_ulid IS NOT NULL
			-- which pgstattuple would refuse
			AND i.indisvalid AND NOT pg_is_other_temp_schema(n.oid)
	), kinds AS (
		SELECT k.indexrelid, d.kind, count(*)::numeric / (sum(count(*)) OVER (PARTITION BY k.indexrelid)) AS share,
			pg_catalog.array_agg(DISTINCT u.country) FILTER (WHERE d.kind = 'iUID' AND NOT EXISTS (SELECT FROM iuid_countries c WHERE c.id = u.country)) AS strangers
		FROM keys k, pg_catalog.unnest(k.sample) AS v(id), uuid_inspect(v.id) AS u,
			LATERAL (SELECT CASE WHEN k.is_ulid THEN 'ULID' WHEN u.version IS DISTINCT FROM 4 THEN u.layout
				WHEN u.comb_time BETWEEN '2000-01-01 00:00+00' AND now() + interval '1 year' THEN 'COMB'
				WHEN u.suffix_comb_time BETWEEN '2000-01-01 00:00+00' AND now() + interval '1 year' THEN 'suffix COMB'
				ELSE 'UUIDv4' END) AS d(kind)
		GROUP BY k.indexrelid, d.kind
	), layouts AS (
		SELECT indexrelid,
			CASE WHEN count(*) = 1 THEN max(kind)
				ELSE string_agg(pg_catalog.format('%s %s %%', kind, round(share * 100.0)), ', ' ORDER BY share DESC, kind) END AS layout,
			bool_or(kind NOT IN ('UUIDv6', 'UUIDv7', 'COMB', 'iUID', 'Lambert v13', 'ULID')) AS random,
			max(pg_catalog.array_to_string(pg_catalog.array_remove(strangers, NULL), ', ')) AS strangers
		FROM kinds
		-- by chance one random id in 300 looks like a COMB
		WHERE share >= 0.05
		GROUP BY indexrelid
	), costs AS (
		SELECT k.*, l.layout, nullif(l.strangers, '') AS strangers, pg_stat_get_tuples_inserted(k.indrelid) AS inserts,
			l.random AND abs(k.correlation) < 0.9::real AS random,
			uidext_internal.uuid_leaf_density(k.indexrelid::regclass, exact,
				(100::float8 * k.entries * least(28::float8, 6::float8 + 31.5::float8 * k.different)
					/ (k.pages * (current_setting('block_size')::float8 - 40::float8)))::numeric) AS density
		FROM keys k LEFT JOIN layouts l ON l.indexrelid = k.indexrelid
	)
	SELECT c.indrelid::regclass, c.attname, c.indexrelid::regclass, c.layout, c.correlation, c.bytes, c.density, c.inserts,
		CASE WHEN c.random THEN greatest(0::numeric, c.bytes::numeric * (1::numeric - c.density / 90::numeric))::bigint ELSE 0 END,
		CASE WHEN c.random THEN c.inserts * 143 ELSE 0 END,
		CASE WHEN c.layout IS NULL THEN 'no statistics: ANALYZE, or no right to read the column'
			WHEN c.strangers IS NOT NULL THEN 'countries that iuid_countries does not have: ' || c.strangers
			WHEN c.random THEN 'random: time-ordered keys would be cheaper'
			ELSE 'in order' END
	FROM costs c
	ORDER BY c.random DESC NULLS LAST, c.bytes DESC, c.indexrelid::regclass::text;
END;
COMMENT ON FUNCTION uuid_key_report(bool) IS
	'each valid btree index that a uuid, iuid or ulid leads: layout and order from pg_stats, size, density (read by pgstattuple when exact), and what ordered keys would save; raises 55000 without pgstattuple';
