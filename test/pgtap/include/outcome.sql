-- pg_temp.outcome(query)
--
-- The rows that a query returns, one a line with its values, or its SQLSTATE and
-- message where it fails, and then nothing that it did is left.

CREATE FUNCTION pg_temp.outcome(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	row text;
	rows text;
BEGIN
	FOR row IN EXECUTE format('SELECT q::text FROM (%s) q', query) LOOP
		rows := concat_ws(E'\n', rows, row);
	END LOOP;
	RETURN rows;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END
$$;
