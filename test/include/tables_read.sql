\set ECHO none
CREATE FUNCTION tables_read(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
-- The tables that a query read: nodes that ran at least once.
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, FORMAT JSON) ' || query INTO plan;
	RETURN QUERY SELECT DISTINCT node ->> 'Relation Name'
		FROM jsonb_path_query(plan, 'strict $.** ? (exists(@."Relation Name") && @."Actual Loops" > 0)') AS node
		ORDER BY 1;
END $$;
\set ECHO all
