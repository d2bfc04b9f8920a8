\set ECHO none
-- Names of all partitions of a table.
CREATE FUNCTION partitions_of(parent regclass) RETURNS text LANGUAGE sql RETURN (
	SELECT coalesce(string_agg(inhrelid::regclass::text, ' ' ORDER BY inhrelid::regclass::text COLLATE "C"), 'none')
	FROM pg_inherits WHERE inhparent = parent
);
\set ECHO all
