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
-- and by which conditions
CREATE FUNCTION scans_by(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	scan text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line ~ ' Scan ' THEN
			RETURN QUERY SELECT scan WHERE scan IS NOT NULL;
			scan := substring(line FROM '[A-Z].*');
		ELSIF line ~ '^ *Index Cond: ' THEN
			scan := scan || ' by ' || substring(line FROM 'Index Cond: (.*)');
		ELSIF line ~ '^ *Filter: ' THEN
			scan := scan || ', filter ' || substring(line FROM 'Filter: (.*)');
		END IF;
	END LOOP;
	RETURN QUERY SELECT scan WHERE scan IS NOT NULL;
END $$;
\set ECHO all
