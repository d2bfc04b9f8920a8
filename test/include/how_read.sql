\set ECHO none
CREATE FUNCTION how_read(query text, OUT planned text, OUT removed_at_start int, OUT read text, OUT scans text)
LANGUAGE plpgsql AS $$
-- Which tables a query reads, and how: those of its plan, how many more the executor
-- dropped when it started, those of nodes that ran at least once, and the kinds of scan.
-- What no index condition finds is left to a filter, which then removes rows.
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, FORMAT JSON) ' || query INTO plan;
	SELECT sum(removed::int) INTO removed_at_start FROM jsonb_path_query(plan, 'strict $.**."Subplans Removed"') AS removed;
	SELECT string_agg(DISTINCT (node ->> 'Relation Name') COLLATE "C", ' '),
		string_agg(DISTINCT (node ->> 'Relation Name') COLLATE "C", ' ') FILTER (WHERE node ->> 'Actual Loops' <> '0'),
		string_agg(DISTINCT concat_ws(', ', node ->> 'Node Type', substring(node::text FROM 'Index Cond'),
			CASE
				WHEN node ->> 'Rows Removed by Filter' = '0' THEN 'Filter'
				WHEN node ? 'Filter' THEN 'Filter that removes rows'
			END) COLLATE "C", '; ')
	INTO planned, read, scans
	FROM jsonb_path_query(plan, 'strict $.** ? (exists(@."Relation Name") && @."Node Type" like_regex "Scan")') AS node;
END $$;
\set ECHO all
