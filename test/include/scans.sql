\set ECHO none
-- How a query reads its tables, in words that are the same in all majors
CREATE FUNCTION scans(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line ~ ' Scan ' THEN
			RETURN NEXT substring(line FROM '[A-Z].*');
		END IF;
	END LOOP;
END $$;
\set ECHO all
