-- What is in each table and view of the database made by everywhere.sql.
SET timezone = 'UTC';
SELECT format($$
	SELECT %1$L, count(*), md5(string_agg(t::text, ',' ORDER BY t::text COLLATE "C")) FROM %1$s AS t$$, oid::regclass)
FROM pg_class
WHERE relnamespace IN ('public'::regnamespace, 'ids'::regnamespace) AND relkind IN ('r', 'p', 'v', 'm')
ORDER BY relname \gexec
SHOW uidext.country;
