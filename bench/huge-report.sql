-- The tables of bench/huge's report.  Again after each run.

DROP VIEW IF EXISTS tenths, ends, look_ups, by_time, rebuilding, sized, beside;

-- A slice's speed beside that of bigint, its neighbour in time.
CREATE VIEW beside AS
SELECT slice.*, (number - 1) / :slices + 1 AS tenth, per_second / max(per_second) FILTER (WHERE label = 'bigint' AND place = 'plain') OVER (PARTITION BY number) AS x_bigint
FROM slice JOIN filled USING (position)
WHERE per_second IS NOT NULL;

CREATE VIEW sized AS
SELECT position, label, place, tenth, t.rows, rate, x_bigint, wal, fpi, hit, read, checkpoint_ms,
	bytes::numeric / t.rows AS bytes, density::numeric AS density, vacuum_ms
FROM (SELECT position, tenth, median(per_second) AS rate, median(x_bigint) AS x_bigint, sum(wal) / sum(rows) AS wal,
		sum(fpi) * 1000 / sum(rows) AS fpi, sum(hit) AS hit, sum(read) AS read, median(checkpoint_ms) AS checkpoint_ms
	FROM beside GROUP BY position, tenth) AS grown
	JOIN (SELECT position, tenth, (SELECT sum(s.rows) FROM slice s WHERE s.position = looked.position AND s.number <= looked.tenth * :slices) AS rows, bytes, density, vacuum_ms
		FROM looked) AS t USING (position, tenth)
	JOIN filled USING (position);

CREATE VIEW tenths AS
SELECT label AS key, place, round(rows / 1e6, 3) AS "million rows",
	round(rate, 0) AS "rows/s", round(x_bigint, 2) AS "x bigint",
	round(wal, 1) AS "WAL bytes/row", round(fpi, 2) AS "full pages/1000 rows",
	round(bytes, 1) AS "index bytes/row", round(density, 1) AS "leaf density %",
	round(100.0 * hit / (hit + read), 2) AS "index found in memory %",
	round(read * 1000.0 / (rows / tenth), 2) AS "index reads/1000 rows",
	round(checkpoint_ms, 0) AS "checkpoint, ms", round(vacuum_ms::numeric, 0) AS "VACUUM, ms"
FROM sized
ORDER BY place DESC, position, tenth;

CREATE VIEW ends AS
SELECT a.label AS key, a.place, round(z.rows / 1e6, 1) AS "million rows",
	round(z.rate / a.rate, 2) AS "rows/s, last / first", round(z.x_bigint / a.x_bigint, 2) AS "x bigint, last / first",
	round(z.wal / a.wal, 3) AS "WAL, last / first",
	round(a.wal, 1) AS "WAL bytes/row first", round(z.wal, 1) AS "last",
	round(z.bytes, 1) AS "index bytes/row", round(z.density, 1) AS "leaf density %"
FROM sized a JOIN sized z USING (position)
WHERE a.tenth = 1 AND z.tenth = (SELECT max(tenth) FROM sized)
ORDER BY a.place DESC, position;

CREATE VIEW look_ups AS
SELECT label AS key, place, tenth,
	round(recent.hit::numeric / :lookups, 2) AS "recent: buffers hit/row", round(recent.read::numeric / :lookups, 2) AS "recent: read/row",
	round((recent.ms * 1000 / :lookups)::numeric, 1) AS "recent: us/row",
	round(anywhere.hit::numeric / :lookups, 2) AS "any: buffers hit/row", round(anywhere.read::numeric / :lookups, 2) AS "any: read/row",
	round((anywhere.ms * 1000 / :lookups)::numeric, 1) AS "any: us/row"
FROM looked_up recent JOIN looked_up anywhere USING (position, tenth) JOIN filled USING (position)
WHERE recent.which = 'recent' AND anywhere.which = 'any'
ORDER BY place DESC, position, tenth;

CREATE VIEW by_time AS
SELECT label AS key, place, tenth, CASE length WHEN '1 day' THEN 'day' ELSE 'hour' END AS period,
	round(median(actual), 0) AS rows, round(median(ms), 2) AS ms, round(median(hit + read), 0) AS buffers,
	round(median(q_error), 2) AS "q-error, median", round(max(q_error)::numeric, 2) AS "q-error, most"
FROM (SELECT *, greatest(greatest(expected, 1) / greatest(actual, 1), greatest(actual, 1) / greatest(expected, 1)) AS q_error FROM period) AS p
	JOIN filled USING (position)
GROUP BY label, place, position, tenth, length
ORDER BY place DESC, position, length DESC, tenth;

CREATE VIEW rebuilding AS
SELECT label AS key, place, round(r.ms::numeric, 0) AS ms, round(r.bytes / 1048576.0, 1) AS "MB", round(l.bytes / 1048576.0, 1) AS "MB before"
FROM rebuilt r JOIN looked l USING (position) JOIN filled USING (position)
WHERE l.tenth = (SELECT max(tenth) FROM looked)
ORDER BY place DESC, position;
