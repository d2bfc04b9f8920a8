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
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Run: CREATE EXTENSION pgstattuple';
	END IF;
	EXECUTE format('SELECT avg_leaf_density FROM %I.pgstatindex($1)', schema) INTO density USING index;
	RETURN round(nullif(density, 'NaN')::numeric, 1);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_leaf_density(regclass, bool, numeric) IS
	'how full an index''s leaf pages are, in percent: the estimate, or what pgstattuple reads; raises 55000 without pgstattuple';

-- The values of a sample of pg_stats; NULL for a value that is not a uuid. Not STRICT, which would
-- keep it from being inlined, and have it planned for each column.
CREATE FUNCTION uidext_internal.key_sample(form text, ids text, OUT id uuid, OUT place bigint) RETURNS SETOF record
	LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT CASE WHEN form IN ('uuid', 'ulid') OR u.id COLLATE "C" ~* '^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$' THEN u.id::uuid END, u.place
	FROM (
		SELECT CASE form WHEN 'ulid' THEN ulid_to_uuid(v.v)::text ELSE btrim(v.v, '{} ') END, v.place
		FROM pg_catalog.unnest(CASE WHEN form <> 'bytea' THEN ids::text[] END) WITH ORDINALITY v(v, place)
		UNION ALL
		SELECT encode(b.b, 'hex'), b.place FROM pg_catalog.unnest(CASE form WHEN 'bytea' THEN ids::bytea[] END) WITH ORDINALITY b(b, place)
	) u(id, place);
END;
COMMENT ON FUNCTION uidext_internal.key_sample(text, text) IS
	'the values in an array of pg_stats as uuids, NULL for those that are none, and their places from 1; form is uuid, ulid, text or bytea; raises 22P02 for what is no such array';

-- A UUIDv7 with a time in the future may have been made with another layout.
CREATE FUNCTION uidext_internal.key_misread_layout(id uuid) RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT r.scheme
		FROM uidext_internal.uid_readings(id::text) r JOIN uid_schemes() s USING (scheme)
		WHERE s.layout LIKE '%version 7%' AND r."time" BETWEEN '2000-01-01 00:00+00' AND now() + interval '1 year'
	);
COMMENT ON FUNCTION uidext_internal.key_misread_layout(uuid) IS
	'the scheme of a UUIDv7 that is not one of RFC 9562, if it was made in this century; NULL for others';

-- Not STRICT, which would keep it from being inlined.
CREATE FUNCTION uidext_internal.key_id_layout(form text, id uuid, info uuid_info) RETURNS text
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE WHEN form = 'ulid' THEN 'ULID'
		WHEN (info).version = 7 AND (info)."time" > now() + interval '1 year' THEN coalesce(uidext_internal.key_misread_layout(id), (info).layout)
		WHEN (info).version IS DISTINCT FROM 4 THEN (info).layout
		WHEN (info).comb_time BETWEEN '2000-01-01 00:00+00' AND now() + interval '1 year' THEN 'COMB'
		WHEN (info).suffix_comb_time BETWEEN '2000-01-01 00:00+00' AND now() + interval '1 year' THEN 'suffix COMB'
		ELSE 'UUIDv4'
	END;
COMMENT ON FUNCTION uidext_internal.key_id_layout(text, uuid, uuid_info) IS
	'the layout of an id, a version 4 of this century''s time counting as a COMB, or the scheme of a UUIDv7 that tells a wrong time';

-- By chance one random id in 300 looks like a COMB. A most common value stands for the rows that
-- have it. The histogram bounds together stand for all other rows.
CREATE FUNCTION uidext_internal.key_layout(
	form text, bounds text, common text, frequencies real[], nulls real,
	OUT layout text, OUT ordered bool, OUT random bool, OUT remark text
)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH sample AS MATERIALIZED (
		SELECT v.id, greatest(1::float8 - nulls::float8 - coalesce((SELECT sum(f)::float8 FROM pg_catalog.unnest(frequencies) f), 0::float8), 0::float8) / (count(*) OVER ())::float8 AS part
		FROM uidext_internal.key_sample(form, bounds) v
		UNION ALL
		SELECT v.id, frequencies[v.place]::float8
		FROM uidext_internal.key_sample(form, common) v
	), kind AS (
		SELECT k.layout, k.layout IN ('UUIDv6', 'UUIDv7', 'COMB', 'iUID', 'Lambert v13', 'ULID') OR m.misread AS ordered, m.misread,
			sum(v.part) / nullif(sum(sum(v.part)) OVER (), 0::float8) AS share,
			pg_catalog.array_to_string(pg_catalog.array_agg(DISTINCT i.country) FILTER (
				WHERE k.layout = 'iUID' AND NOT EXISTS (SELECT FROM iuid.countries c WHERE c.id = i.country)), ', ') AS strangers
		FROM sample v CROSS JOIN LATERAL uuid_inspect(v.id) i
			CROSS JOIN LATERAL (SELECT CASE WHEN v.id IS NOT NULL THEN uidext_internal.key_id_layout(form, v.id, i) END) k(layout)
			CROSS JOIN LATERAL (SELECT k.layout IN (SELECT s.scheme FROM uid_schemes() s)) m(misread)
		GROUP BY k.layout, m.misread
	)
	SELECT CASE WHEN count(*) = 1 THEN max(k.layout)
			ELSE string_agg(pg_catalog.format('%s %s %%', k.layout, round((k.share * 100::float8)::numeric)), ', ' ORDER BY k.share DESC, k.layout) END,
		-- hashes in the form of a uuid have all versions
		bool_or(k.ordered) AND NOT bool_or(k.layout = 'unknown'), bool_or(NOT k.ordered), nullif(pg_catalog.concat_ws('; ', 'countries that iuid.countries does not have: ' || max(k.strangers),
			string_agg(pg_catalog.format('times are wrong: uid_to_uuid(id::text, %L) makes right ids', k.layout), '; ' ORDER BY k.layout)
				FILTER (WHERE k.misread)), '')
	FROM kind k
	-- a value that is not a uuid in this form
	WHERE k.share >= 0.05::float8 AND NOT EXISTS (SELECT FROM kind n WHERE n.share >= 0.05::float8
			AND (n.layout IS NULL OR n.layout = 'unknown' AND form IN ('text', 'bytea')));
END;
COMMENT ON FUNCTION uidext_internal.key_layout(text, text, text, real[], real) IS
	'layouts of the ids in the bounds and the most common values of pg_stats, with their shares of the rows where '
	'there are several; whether some come in order and some do not; what else the report says of them; NULL when '
	'not nearly all are uuids; raises as key_sample()';

-- Columns of text are read if the values are as long as a uuid. 16 bytes are a uuid if their
-- version and variant say so.
CREATE FUNCTION uidext_internal.key_columns(
	OUT relation oid, OUT number smallint, OUT name name, OUT form text, OUT width int, OUT correlation real, OUT n_distinct real,
	OUT layout text, OUT ordered bool, OUT random bool, OUT remark text
) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT t.oid, a.attnum, a.attname, f.form, s.avg_width, s.correlation, s.n_distinct, l.layout, l.ordered, l.random, l.remark
	FROM pg_class t
		JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema')
		JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
		JOIN pg_type y ON y.oid = a.atttypid
		CROSS JOIN LATERAL (SELECT CASE
				WHEN y.oid IN ('text'::regtype::oid, 'varchar'::regtype::oid, 'bpchar'::regtype::oid) THEN 'text'
				WHEN y.oid = 'bytea'::regtype::oid THEN 'bytea'
				-- a ulid of the SQL edition is a text
				WHEN y.typlen = 16::smallint THEN uidext_internal.partition_layout(y.oid::regtype)
			END) f(form)
		LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = t.relname AND s.attname = a.attname AND NOT s.inherited
		LEFT JOIN LATERAL uidext_internal.key_layout(f.form, coalesce(s.histogram_bounds::text, '{}'), coalesce(s.most_common_vals::text, '{}'),
				coalesce(s.most_common_freqs, '{}'::real[]), coalesce(s.null_frac, 0::real)) l
			ON f.form IN ('uuid', 'ulid') OR f.form = 'text' AND s.avg_width BETWEEN 33 AND 39 OR f.form = 'bytea' AND s.avg_width = 17
	WHERE t.relkind IN ('r', 'm') AND NOT pg_is_other_temp_schema(n.oid)
		AND (f.form IN ('uuid', 'ulid') OR l.layout IS NOT NULL);
END;
COMMENT ON FUNCTION uidext_internal.key_columns() IS
	'every column of uuids, and of texts or bytes whose sampled values are uuids, with what the caller may see of '
	'it in pg_stats';

-- For all indexes at once, because pg_stats would be read as a whole for each index.
CREATE FUNCTION uidext_internal.key_index_widths(OUT index oid, OUT bytes float8) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	-- a NULL needs a bitmap, 8 bytes more
	SELECT i.indexrelid, CASE WHEN count(*) = pg_catalog.count(w.bytes) THEN sum(w.bytes * (1::float8 - w.nulls)) + 8::float8 * max(w.nulls) END
	FROM pg_index i
		JOIN pg_class t ON t.oid = i.indrelid
		JOIN pg_class x ON x.oid = i.indexrelid AND x.relkind = 'i'
		JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
		CROSS JOIN LATERAL pg_catalog.unnest(i.indkey::smallint[]) WITH ORDINALITY k(number, place)
		JOIN pg_attribute a ON a.attrelid = i.indexrelid AND a.attnum = k.place
		LEFT JOIN pg_attribute c ON c.attrelid = i.indrelid AND c.attnum = k.number AND k.number > 0
		-- an expression has statistics of its own
		LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND NOT s.inherited
			AND s.tablename = CASE WHEN k.number > 0 THEN t.relname ELSE x.relname END
			AND s.attname = CASE WHEN k.number > 0 THEN c.attname ELSE a.attname END
		CROSS JOIN LATERAL (SELECT CASE WHEN a.attlen > 0::smallint THEN a.attlen::float8 ELSE s.avg_width::float8 END, coalesce(s.null_frac::float8, 0::float8)) w(bytes, nulls)
	GROUP BY i.indexrelid;
END;
COMMENT ON FUNCTION uidext_internal.key_index_widths() IS
	'bytes of the values of each index''s entries on average, NULL if the caller may not see them in pg_stats';

CREATE FUNCTION uidext_internal.key_indexes(
	OUT relation oid, OUT number smallint, OUT index oid, OUT place bigint, OUT by_sqlserver bool, OUT equals bool,
	OUT pages float8, OUT entries float8, OUT width float8
) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT i.indrelid, k.number, x.oid, k.place, o.opcintype = 'uuid'::regtype::oid AND NOT o.opcdefault, NOT i.indisunique AND i.indnatts = 1::smallint,
		nullif(x.relpages, 0), nullif(greatest(x.reltuples, 0::real), 0::real), w.bytes
	FROM pg_index i
		CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(i.indkey::smallint[]), pg_catalog.unnest(i.indclass::oid[])) WITH ORDINALITY k(number, opclass, place)
		JOIN pg_opclass o ON o.oid = k.opclass
		JOIN pg_class x ON x.oid = i.indexrelid AND x.relkind = 'i'
		JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
		JOIN uidext_internal.key_index_widths() w ON w.index = x.oid
	-- pgstattuple raises an error for an invalid index
	WHERE i.indisvalid;
END;
COMMENT ON FUNCTION uidext_internal.key_indexes() IS
	'each key column of each valid btree index: its place, whether entries may be equal, pages and entries when last counted, and the width of an entry''s values';

-- An entry takes 8 bytes, its values in units of 8, and a line pointer of 4.
-- Entries that are equal share all but 6 bytes, and 3.5 more.
CREATE FUNCTION uidext_internal.key_entry(
	width float8, column_width int, equals bool, n_distinct real, entries float8,
	OUT entry float8, OUT entry_with_time float8, OUT entry_of_uuid float8, OUT bytes_each float8
)
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT e.entry, 12::float8 + 8::float8 * ceil((width - 8::float8) / 8::float8),
		12::float8 + 8::float8 * ceil((width - coalesce(column_width, 16)::float8 + 16::float8) / 8::float8),
		least(e.entry, 6::float8 + (e.entry + 3.5::float8) * CASE
			WHEN NOT equals OR n_distinct IS NULL THEN 1::float8
			WHEN n_distinct < 0::real THEN (-n_distinct)::float8
			ELSE n_distinct::float8 / greatest(entries, 1::float8)
		END)
	FROM (SELECT 12::float8 + 8::float8 * ceil(width / 8::float8)) e(entry);
END;
COMMENT ON FUNCTION uidext_internal.key_entry(float8, int, bool, real, float8) IS
	'bytes of an index''s entry: with all its values, with a time in a uuid''s place, with a uuid in a text''s, and as it is where equal ones are kept together';

CREATE FUNCTION uidext_internal.key_kind(form text, layout text, ordered bool, random bool, place bigint, density numeric, narrow bool) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN layout IS NULL THEN 'unknown'
		WHEN form IN ('text', 'bytea') THEN form
		WHEN ordered AND random THEN 'mixed'
		WHEN random AND place = 1 THEN 'random'
		-- a random id has no time that could take its place
		WHEN random THEN 'wide'
		WHEN place > 1 AND coalesce(density, 50::numeric) < 80::numeric THEN CASE WHEN narrow THEN 'composite' ELSE 'wide' END
		ELSE 'in order'
	END;
COMMENT ON FUNCTION uidext_internal.key_kind(text, text, bool, bool, bigint, numeric, bool) IS
	'the kind of a key: unknown, text, bytea, mixed, random, composite, wide or in order';

CREATE FUNCTION uidext_internal.key_note(kind text, remark text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN pg_catalog.concat_ws('; ',
		remark,
		CASE kind
			WHEN 'unknown' THEN 'no statistics: ANALYZE, or no right to read the column'
			WHEN 'text' THEN 'a uuid as text: ALTER COLUMN ... TYPE uuid, or move'
			WHEN 'bytea' THEN 'a uuid as bytes: ALTER COLUMN ... TYPE uuid, or move'
			WHEN 'mixed' THEN 'random ids among ordered ones, predicates by time are wrong: REINDEX CONCURRENTLY, then partition or move'
			WHEN 'random' THEN 'random: move to time-ordered ids, or leave it'
			WHEN 'composite' THEN 'behind other columns: the time of the id in its place (8 bytes), or leave it'
			WHEN 'wide' THEN 'behind other columns, and too wide to be packed: leave it'
			ELSE CASE WHEN remark IS NULL THEN 'in order' END
		END);
COMMENT ON FUNCTION uidext_internal.key_note(text, text) IS 'what to do about a kind of key';

-- How much more WAL a kind of key writes than the other, measured with bench/run index: ten batches
-- of 100,000 rows, a checkpoint before each.
CREATE FUNCTION uidext_internal.key_wal(kind text, random bool) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE kind WHEN 'text' THEN 51 WHEN 'bytea' THEN 9 WHEN 'composite' THEN 39 ELSE 0 END
		+ CASE WHEN random AND kind <> 'mixed' THEN 143 ELSE 0 END;
COMMENT ON FUNCTION uidext_internal.key_wal(text, bool) IS 'bytes of WAL a row that another key would have saved';

-- Full pages of ordered ids are 90 % full. If the id comes after other columns, only entries of up
-- to 28 bytes are packed. A wider key would not be smaller there than a random one.
CREATE FUNCTION uidext_internal.key_lines(
	exact bool, OUT relation oid, OUT name name, OUT index oid, OUT kind text, OUT layout text, OUT correlation real,
	OUT bytes bigint, OUT density numeric, OUT part_left float8, OUT wal int, OUT remark text
) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	WITH col AS MATERIALIZED (
		SELECT c.*, c.random AND (c.ordered OR coalesce(abs(c.correlation), 0::real) < 0.9::real) AS scattered FROM uidext_internal.key_columns() c
	), key AS (
		-- the first column whose values are nearly all different decides where an entry goes
		SELECT DISTINCT ON (i.index) c.*, i.index, i.place, i.pages, i.entries, i.by_sqlserver,
			CASE WHEN i.by_sqlserver THEN c.layout <> 'suffix COMB' ELSE c.scattered END AS out_of_order, e.*
		FROM col c JOIN uidext_internal.key_indexes() i ON i.relation = c.relation AND i.number = c.number,
			LATERAL uidext_internal.key_entry(i.width, c.width, i.equals, c.n_distinct, i.entries) e
		ORDER BY i.index, c.n_distinct IS NULL OR c.n_distinct < 0::real DESC, i.place
	), measured AS (
		SELECT k.*, pg_catalog.pg_relation_size(k.index::regclass) AS bytes, uidext_internal.uuid_leaf_density(k.index::regclass, exact,
				(100::float8 * k.entries * k.bytes_each / (k.pages * (current_setting('block_size')::float8 - 40::float8)))::numeric) AS density
		FROM key k
	)
	SELECT m.relation, m.name, m.index, d.kind, m.layout, CASE WHEN NOT m.by_sqlserver THEN m.correlation END, m.bytes, m.density,
		CASE WHEN d.kind = 'composite' OR m.out_of_order AND m.place = 1 THEN least(1::float8, coalesce(m.density::float8 / 90::float8, 1::float8)) ELSE 1::float8 END
			* CASE WHEN d.kind = 'composite' THEN m.entry_with_time / m.entry
				WHEN d.kind IN ('text', 'bytea') THEN coalesce(m.entry_of_uuid / m.entry, 1::float8) ELSE 1::float8 END,
		uidext_internal.key_wal(d.kind, m.out_of_order AND m.place = 1), m.remark
	FROM measured m,
		LATERAL uidext_internal.key_kind(m.form, m.layout, m.ordered AND NOT m.by_sqlserver, m.out_of_order, m.place, m.density, m.entry_with_time <= 28::float8) d(kind)
	UNION ALL
	-- from 18 on the owner of a table may set its statistics to any number
	SELECT c.relation, c.name, NULL, c.form, c.layout, c.correlation, round(least(c.width::float8 * greatest(t.reltuples, 0::real)::float8, 9e18::float8))::bigint, NULL, 16::float8 / c.width::float8, 0, NULL
	FROM col c JOIN pg_class t ON t.oid = c.relation
	WHERE c.form IN ('text', 'bytea');
END;
COMMENT ON FUNCTION uidext_internal.key_lines(bool) IS
	'the lines of uuid_key_report(): indexes, and texts and bytes as they lie in the table; part_left is what would be left of bytes; raises 55000 without pgstattuple';

CREATE FUNCTION uuid_key_report(exact bool DEFAULT false) RETURNS TABLE (
	table_name regclass, column_name name, index_name regclass, kind text, layout text, correlation real,
	bytes bigint, leaf_density numeric, inserts bigint, bytes_saved bigint, wal_bytes_saved bigint, note text
)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT l.relation::regclass, l.name, l.index::regclass, l.kind, l.layout, l.correlation, l.bytes, l.density, s.inserts,
		s.saved, s.inserts * l.wal, uidext_internal.key_note(l.kind, l.remark)
	FROM uidext_internal.key_lines(exact) l,
		LATERAL (SELECT pg_stat_get_tuples_inserted(l.relation), greatest(0::float8, l.bytes::float8 * (1::float8 - l.part_left))::bigint) s(inserts, saved)
	ORDER BY s.saved + s.inserts * l.wal DESC NULLS LAST, l.bytes DESC, l.relation::regclass::text, l.index::regclass::text;
END;
COMMENT ON FUNCTION uuid_key_report(bool) IS
	'what the uuid keys of a database cost, the greatest saving first; a row for each valid btree index with a '
	'uuid, iuid or ulid among its keys, and for each column of text or bytea that holds uuids; kind and order are '
	'from pg_stats, the density from pgstattuple if exact; bytes_saved is what could be saved, note what to do; '
	'raises 55000 without pgstattuple';
