-- doc/reference.md, from the comments in the catalog:
--   script/cluster psql -qXAt -c 'CREATE EXTENSION uidext' -f doc/reference.sql |
--     sed '/^\(Creating\|Dropping\) /d' >doc/reference.md
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

-- A function is under the heading of the first pattern that its name matches;
-- headings come in the order of place.
CREATE TEMPORARY TABLE subject (n int GENERATED ALWAYS AS IDENTITY, place int, heading text, pattern text);
INSERT INTO subject (place, heading, pattern) VALUES
	(8, 'Partitions', '^(uu|iu)id_partition_|^uuid_time_(buckets|decoder)$'),
	(9, 'Reading in order, ranges, cost', '^uuid_safe_boundary$|^uuid_key_'),
	(7, 'Boundaries and extremes', '_boundary(_time)?$|^(min|max)$'),
	(3, 'iUIDs and countries', 'iuid'),
	(12, 'SQL Server and MySQL', 'sqlserver|_bin$|^bin_'),
	(10, 'Ids in public', 'crypt$|typeid|^uuid_(en|de)code$'),
	(5, 'ULIDs', 'ulid'),
	(11, 'Ids of other systems', '^uid_|^laravel_uuid'),
	(6, 'Reading and checking an id', '^uuid_(time|inspect)$|_is_(recent|valid|canonical)$'),
	(1, 'UUIDv7', 'uuidv7'),
	(2, 'COMBs', 'comb'),
	(4, 'Versions 1, 6 and 13', 'uuidv(1|6|13)'),
	(13, 'Other', '');

\qecho '| I want | call |'
\qecho '|---|---|'
\qecho '| a sortable id for a primary key | `gen_uuidv7()` |'
\qecho '| one order for all sessions of the server | `gen_ordered_uuidv7()` |'
\qecho '| an id of a given time, for rows from elsewhere | `gen_uuidv7_at(at)` |'
\qecho '| an id that says its country and kind of entity | `gen_iuid(country, service_entity)` |'
\qecho '| an id that does not show when it was made | `gen_short_comb()`, or `uuid_encrypt(id, key)` of another |'
\qecho '| to know when an id was made | `uuid_time(id)`; `comb_time(id)` of a COMB, `ulid_time(id)` of a ULID |'
\qecho '| to know everything in an id | `uuid_inspect(id)` |'
\qecho '| to know what an unknown id is | `uid_inspect(id)` |'
\qecho '| the rows of a period | `WHERE id >= timestamptz ''…'' AND id < timestamptz ''…''`, or `WHERE id <@ tstzrange(…)` |'
\qecho '| bounds of a range partition | `uuid_boundary(at)` |'
\qecho '| partitions made ahead and dropped when old | `uuid_partition_maintain(parent, step, ahead, keep)` |'
\qecho '| partitions for a span of time, once | `uuid_partition_create(parent, start, stop, step)` |'
\qecho '| to see the partitions | `uuid_partition_list(parent)` |'
\qecho '| an alarm when a partition is missing | `uuid_partition_check(parent)` |'
\qecho '| a table partitioned like its parent | [`uuid_partition_follow(child, parent)`](families.md) |'
\qecho '| an empty default partition | `CALL uuid_partition_drain(parent, step)` |'
\qecho '| to read each new row exactly once | `uuid_safe_boundary()` |'
\qecho '| rows for each hour or day | `GROUP BY` of [`date_bin(''1 hour'', uuid_time(id), …)`](partitions.md#count-by-period) |'
\qecho '| a table in ranges, for work in parallel | `uuid_key_ranges(relation, n)` |'
\qecho '| to know what random keys cost here | `uuid_key_report()` |'
\qecho '| partitions by country | `iuid_partition_create(parent, countries)` |'
\qecho '| the server of an iUID | `iuid_route(id)` |'
\qecho '| to accept only new ids from clients | `uuid_is_recent(id)`, `comb_is_recent(id)`, `short_comb_is_recent(id)` |'
\qecho '| a short or prefixed form | `uuid_encode(id, encoding)`, `uuid_to_typeid(id, prefix)` |'
\qecho '| an id of another system as a uuid | `uid_to_uuid(id, scheme)` |'
\qecho '| a unique 64-bit id | `uid_next(scheme, node)` |'
\qecho '| v1 ids in the order of time | `uuidv1_to_v6(id)` |'
\qecho '| the bytes of SQL Server or MySQL | `uuid_to_sqlserver(id)`, `uuid_to_bin(id)` |'

SELECT format('%s| `%s` | %s | %s |',
	CASE WHEN row_number() OVER (PARTITION BY place ORDER BY oid) = 1
		THEN format(E'\n## %s\n\n| function | returns | |\n|---|---|---|\n', heading) END,
	pg_temp.short(signature), pg_temp.short(result), description)
FROM reference, LATERAL (SELECT place, heading FROM subject WHERE split_part(signature, '(', 1) ~ pattern ORDER BY n LIMIT 1) s
ORDER BY place, oid;

-- An operator takes what its domain is made of.
CREATE FUNCTION pg_temp.operand(oid) RETURNS text LANGUAGE sql
	RETURN (SELECT pg_temp.short(CASE typtype WHEN 'd' THEN typbasetype ELSE oid END::regtype::text) FROM pg_type WHERE oid = $1);

SELECT E'\n## Operators\n\n| | |\n|---|---|';
SELECT format('| `%s %s %s` | %s |', pg_temp.operand(oprleft), oprname, pg_temp.operand(oprright),
	obj_description(o.oid, 'pg_operator'))
FROM pg_operator o JOIN pg_depend d ON d.classid = 'pg_operator'::regclass AND d.objid = o.oid AND d.deptype = 'e'
WHERE o.oprnamespace <> 'uidext_internal'::regnamespace
ORDER BY o.oid;
SELECT E'\n## Casts\n\n| | |\n|---|---|';
SELECT format('| cast `%s` to `%s` | %s: %s |', pg_temp.short(castsource::regtype::text), pg_temp.short(casttarget::regtype::text),
	CASE castcontext WHEN 'e' THEN 'explicit only' WHEN 'a' THEN 'explicit, and in assignments' ELSE 'by itself' END,
	obj_description(c.oid, 'pg_cast'))
FROM pg_cast c JOIN pg_depend d ON d.classid = 'pg_cast'::regclass AND d.objid = c.oid AND d.deptype = 'e'
ORDER BY c.oid;
SELECT E'\n## Operator classes, types, tables, settings\n\n| | |\n|---|---|';
SELECT format('| operator class `%s` (%s) | %s |', opcname, amname, obj_description(c.oid, 'pg_opclass'))
FROM pg_opclass c JOIN pg_am a ON a.oid = c.opcmethod
	JOIN pg_depend d ON d.classid = 'pg_opclass'::regclass AND d.objid = c.oid AND d.deptype IN ('e', 'a', 'i')
WHERE opcname IN ('uuid_sqlserver_ops', 'iuid_country_ops', 'uuid_country_ops')
GROUP BY c.oid, opcname, amname ORDER BY c.oid;
SELECT format('| type `%s` | %s |', typname, obj_description(t.oid, 'pg_type'))
FROM pg_type t JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
WHERE t.typtype IN ('b', 'c', 'd') AND t.typnamespace <> 'uidext_internal'::regnamespace AND obj_description(t.oid, 'pg_type') IS NOT NULL ORDER BY t.oid;
SELECT format('| table `%s` | %s |', c.oid::regclass, obj_description(c.oid, 'pg_class'))
FROM pg_class c JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
WHERE c.relkind = 'r' ORDER BY c.oid;
SELECT '| setting `uidext.country` | country of `gen_iuid()` without a country: id 0 to 255, or code or name in `iuid.countries`; -1 when unset |';
SELECT '| setting `uidext.node` | node of new v1, v6, v13, flake, elasticflake and lexicaluuid: `session`, `server` or a MAC address; empty, the default, for a random one in every id |';
SELECT '| setting `uidext.estimates` | on, the default, to tell the planner how many rows a range of ids has |';
