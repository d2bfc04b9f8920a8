-- What the functions of this edition share

-- For expressions.  The value depends on the argument that is wrong: a call with
-- nothing but constants would raise when the query is planned.
CREATE FUNCTION uidext_internal.fail(
	value anyelement, sqlstate text, message text, detail text DEFAULT NULL, hint text DEFAULT NULL
) RETURNS anyelement
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	-- an option of RAISE may be left out, but not NULL
	IF detail IS NULL AND hint IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = sqlstate, MESSAGE = message;
	ELSIF hint IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = sqlstate, MESSAGE = message, DETAIL = detail;
	ELSIF detail IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = sqlstate, MESSAGE = message, HINT = hint;
	END IF;
	RAISE EXCEPTION USING ERRCODE = sqlstate, MESSAGE = message, DETAIL = detail, HINT = hint;
END
$$;
COMMENT ON FUNCTION uidext_internal.fail(anyelement, text, text, text, text) IS
	'raises an error and returns nothing; value gives the call its type, and depends on what is wrong';
