-- What the keys have done to their indexes and to the WAL:
--   psql -f bench/pgbench/report.sql
CREATE EXTENSION IF NOT EXISTS pgstattuple;
SELECT c.relname AS key, counted.rows,
	round(pg_relation_size(i.indexrelid)::numeric / counted.rows, 1) AS "index bytes/row",
	round(stats.avg_leaf_density::numeric, 1) AS "leaf density %", round(written.bytes, 1) AS "WAL bytes/row"
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid AND c.relnamespace = 'uidext_bench'::regnamespace
	CROSS JOIN LATERAL (SELECT (xpath('//n/text()', query_to_xml(format('SELECT count(*) AS n FROM %s', i.indrelid::regclass),
		false, true, '')))[1]::text::bigint AS rows) AS counted
	CROSS JOIN LATERAL pgstatindex(i.indexrelid::regclass) AS stats
	LEFT JOIN LATERAL (SELECT sum(bytes) / sum(w.rows) AS bytes FROM uidext_bench.wal w WHERE w.key = c.relname) AS written ON true
WHERE counted.rows > 0
ORDER BY stats.avg_leaf_density DESC, c.relname;
