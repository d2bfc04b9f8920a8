-- uid_generate(): do new ids of each scheme differ, have the present time and one length?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql

SELECT scheme, count(DISTINCT id) AS different_ids,
	every(
		uid_time(id, scheme) BETWEEN now() - interval '1 hour' AND now() + interval '1 hour') AS of_the_present,
	count(DISTINCT length(id)) AS lengths
FROM uid_schemes(), generate_series(1, 100) AS n, LATERAL (SELECT uid_generate(scheme || repeat('', n)) AS id) AS g
WHERE generated GROUP BY scheme ORDER BY scheme COLLATE "C";
-- those of others are made by a node, or by a function of their own
SELECT scheme, split_part(error_of(format('SELECT uid_generate(%L)', scheme)), E'\n  DETAIL', 1) AS error
FROM unnest('{snowflake,flake,comb}'::text[]) AS scheme :unaligned
DROP FUNCTION error_of;
