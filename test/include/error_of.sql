\set ECHO none
CREATE FUNCTION error_of(command text) RETURNS text LANGUAGE plpgsql AS $$
-- Runs a command and undoes it; its error with DETAIL and HINT, or "none".
-- A moment that is now's is left out of DETAIL.
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE command;
	RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN CASE WHEN SQLSTATE = 'ZZZZZ' THEN 'none' ELSE SQLSTATE || ' ' || SQLERRM END
		|| coalesce(E'\n  DETAIL: ' || nullif(regexp_replace(detail, 'older_than is \d.*', 'older_than is ...'), ''), '')
		|| coalesce(E'\n  HINT: ' || nullif(hint, ''), '');
END $$;
\set ECHO all
