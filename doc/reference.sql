-- doc/reference.md, from the comments in the catalog:
--   script/cluster psql -qXAt -c 'CREATE EXTENSION uidext' -f doc/reference.sql >doc/reference.md
-- Each comment up to its first semicolon; the rest is in \df+.
\pset format unaligned
\pset tuples_only on

\qecho '# Reference'
\qecho
\qecho 'Everything that a person calls. `\\df+ NAME` in psql shows the whole comment, errors included.'
\qecho

CREATE TEMPORARY VIEW reference AS
SELECT p.oid,
	replace(regexp_replace(format('%s(%s)', p.proname, pg_get_function_arguments(p.oid)),
		'DEFAULT ''00:(01|10):00''::interval', 'DEFAULT ''\1 min''', 'g'), '''01 min''', '''1 min''') AS signature,
	pg_get_function_result(p.oid) AS result,
	split_part(obj_description(p.oid, 'pg_proc'), ';', 1) AS description
FROM pg_proc p
	JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
	JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND e.oid = d.refobjid
WHERE e.extname = 'uidext' AND p.pronamespace = e.extnamespace;

CREATE FUNCTION pg_temp.short(text) RETURNS text LANGUAGE sql
	RETURN replace(replace(replace(replace($1, 'timestamp with time zone', 'timestamptz'),
		'::text', ''), 'boolean', 'bool'), '|', '\|');

SELECT E'| function | returns | |\n|---|---|---|';
SELECT format('| `%s` | %s | %s |', pg_temp.short(signature), pg_temp.short(result), description)
FROM reference ORDER BY oid;

SELECT E'\nOperators, casts and types:\n\n| | |\n|---|---|';
SELECT format('| `%s %s %s` | %s |', pg_temp.short(oprleft::regtype::text), oprname, pg_temp.short(oprright::regtype::text),
	obj_description(o.oid, 'pg_operator'))
FROM pg_operator o JOIN pg_depend d ON d.classid = 'pg_operator'::regclass AND d.objid = o.oid AND d.deptype = 'e'
WHERE o.oprnamespace <> 'uidext_internal'::regnamespace
ORDER BY o.oid;
SELECT format('| cast `%s` to `%s` | %s: %s |', pg_temp.short(castsource::regtype::text), pg_temp.short(casttarget::regtype::text),
	CASE castcontext WHEN 'e' THEN 'explicit only' WHEN 'a' THEN 'explicit, and in assignments' ELSE 'by itself' END,
	obj_description(c.oid, 'pg_cast'))
FROM pg_cast c JOIN pg_depend d ON d.classid = 'pg_cast'::regclass AND d.objid = c.oid AND d.deptype = 'e'
ORDER BY c.oid;
SELECT format('| operator class `%s` (%s) | %s |', opcname, amname, obj_description(c.oid, 'pg_opclass'))
FROM pg_opclass c JOIN pg_am a ON a.oid = c.opcmethod
	JOIN pg_depend d ON d.classid = 'pg_opclass'::regclass AND d.objid = c.oid AND d.deptype IN ('e', 'a', 'i')
WHERE opcname IN ('uuid_sqlserver_ops', 'iuid_country_ops', 'uuid_country_ops')
GROUP BY c.oid, opcname, amname ORDER BY c.oid;
SELECT format('| type `%s` | %s |', typname, obj_description(t.oid, 'pg_type'))
FROM pg_type t JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
WHERE t.typtype IN ('b', 'c', 'd') AND obj_description(t.oid, 'pg_type') IS NOT NULL ORDER BY t.oid;
SELECT format('| table `%s` | %s |', relname, obj_description(c.oid, 'pg_class'))
FROM pg_class c JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
WHERE c.relkind = 'r' ORDER BY c.oid;
SELECT '| setting `uidext.country` | country of `gen_iuid()` without a country: id 0 to 255, or code or name in `iuid_countries`; -1 when unset |';
