-- pg_temp.outcome(query, undo)
--
-- The rows that a query returns, one a line with its values, or its SQLSTATE and
-- message where it fails.  Nothing that it did is left where it fails, or with undo.

CREATE FUNCTION pg_temp.outcome(query text, undo bool DEFAULT false) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	row text;
	rows text;
BEGIN
	FOR row IN EXECUTE format('SELECT q::text FROM (%s) q', query) LOOP
		rows := concat_ws(E'\n', rows, row);
	END LOOP;
	IF undo THEN
		RAISE EXCEPTION 'undone' USING ERRCODE = 'ZZZZZ';
	END IF;
	RETURN rows;
EXCEPTION
	WHEN SQLSTATE 'ZZZZZ' THEN
		RETURN rows;
	WHEN OTHERS THEN
		RETURN SQLSTATE || ': ' || SQLERRM;
END
$$;
