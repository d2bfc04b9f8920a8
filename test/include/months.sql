\set ECHO none
-- Months before and after the present one.
CREATE FUNCTION month(n int) RETURNS timestamptz LANGUAGE sql STABLE
	RETURN (date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month') AT TIME ZONE 'UTC';
CREATE FUNCTION month_of(at timestamptz) RETURNS text LANGUAGE sql STABLE
	RETURN CASE WHEN isfinite(at) THEN round(extract(epoch FROM at - month(0)) / 2629746)::text ELSE at::text END;
\set ECHO all
