-- doc/reference.md, from the catalog:
--   script/cluster psql -qXAt -c 'CREATE EXTENSION uidext' -f doc/reference.sql |
--     sed '/^\(Creating\|Dropping\) /d' >doc/reference.md
-- A comment's first sentence, or its first clause up to ; : or (, is the function's line.
\pset format unaligned
\pset tuples_only on

\qecho '# Reference'
\qecho
\qecho 'Here you find the function to call, by what you want to do. In psql, `\\x` and then `\\df+ NAME` show the types, units and errors of a function.'
\qecho

CREATE FUNCTION pg_temp.short(text) RETURNS text LANGUAGE sql
	RETURN replace(replace($1, 'timestamp with time zone', 'timestamptz'), 'boolean', 'bool');

-- A sentence becomes an entry of the table; a name stays as it is written.
CREATE FUNCTION pg_temp.uncapitalized(text) RETURNS text LANGUAGE sql
	RETURN CASE WHEN $1 ~ '^[A-Z][a-z]* .*\.$' THEN lower(left($1, 1)) || substr($1, 2) ELSE $1 END;

-- What a caller gives: the names, types only where they tell functions apart.
CREATE FUNCTION pg_temp.arguments(function oid) RETURNS text LANGUAGE sql
	RETURN (SELECT string_agg(
			CASE WHEN name IS NULL THEN type
				WHEN (SELECT count(*) FROM pg_proc q WHERE q.proname = p.proname AND q.pronamespace = p.pronamespace) > 1 THEN name || ' ' || type
				ELSE name END
			|| coalesce(' = ' || regexp_replace(replace(replace(pg_get_function_arg_default(p.oid, n::int), '''00:01:00''', '''1 min'''), '''00:10:00''', '''10 min'''), '::[a-z ]+(\[\])?$', ''), ''), ', ' ORDER BY n)
		FROM pg_proc p, unnest(coalesce(proallargtypes, proargtypes::oid[])) WITH ORDINALITY AS argument(type_oid, n),
			LATERAL (SELECT nullif(proargnames[n], '') AS name, pg_temp.short(format_type(type_oid, NULL)) AS type) a
		WHERE p.oid = function AND coalesce(proargmodes[n], 'i') IN ('i', 'b', 'v'));

CREATE TEMPORARY VIEW reference AS
SELECT p.oid, p.proname,
	format('%s(%s)', p.proname, pg_temp.arguments(p.oid)) AS signature,
	CASE WHEN p.proargmodes IS NOT NULL AND p.prokind <> 'p' THEN 'rows' ELSE regexp_replace(pg_temp.short(pg_get_function_result(p.oid)), '^SETOF ', '') END AS result,
	regexp_replace(regexp_replace(pg_temp.uncapitalized(obj_description(p.oid, 'pg_proc')), '(;|:| \(|\. |\.$).*', ''), '^new .* of the given time$', 'of the given time') AS description
FROM pg_proc p
	JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
	JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND e.oid = d.refobjid
WHERE e.extname = 'uidext' AND p.pronamespace = e.extnamespace;

-- A function is under the heading of the first pattern that its name matches;
-- headings come in the order of place.
CREATE TEMPORARY TABLE subject (n int GENERATED ALWAYS AS IDENTITY, place int, heading text, pattern text);
INSERT INTO subject (place, heading, pattern) VALUES
	(8, 'Partitions', '^(uu|iu)id_partition_|^uuid_time_decoder$'),
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
\qecho '| one order of ids for all sessions of a server | `gen_ordered_uuidv7()` |'
\qecho '| an id of a given time | `gen_uuidv7_at(at)` |'
\qecho '| an id with its country and kind of entity | `gen_iuid(country, service_entity)` |'
\qecho '| a random-looking id that keeps inserts close together in the index, and [tells its time to people who know the date to within 22 days](choosing.md#what-a-short-comb-tells) | `gen_short_comb()` |'
\qecho '| to show clients an id that tells nothing | `uuid_encrypt(id, key)` |'
\qecho '| the time of an id | `uuid_time(id)`; `comb_time(id)` of a COMB, `ulid_time(id)` of a ULID |'
\qecho '| all fields of an id | `uuid_inspect(id)`; `iuid_describe(id)` of an iUID, with names |'
\qecho '| the country of an iUID | `iuid_country(id)`. To query the rows of a country, write its partition after `FROM` |'
\qecho '| to know what an unknown id is | `uid_inspect(id)` |'
\qecho '| the rows of a period | `WHERE id >= timestamptz ''…'' AND id < timestamptz ''…''`, or `WHERE id <@ tstzrange(…)` |'
\qecho '| bounds of a range partition | `uuid_boundary(at)` |'
\qecho '| partitions made ahead and dropped when old | `uuid_partition_maintain(parent, step, ahead, keep)` |'
\qecho '| partitions of a span of time | `uuid_partition_create(parent, start, stop, step)` |'
\qecho '| a list of partitions | `uuid_partition_list(parent)` |'
\qecho '| an alarm when a partition is missing | `uuid_partition_check(parent)` |'
\qecho '| a table partitioned like its leader | [`uuid_partition_follow(follower, leader)`](families.md) |'
\qecho '| to move rows out of the default partition | `CALL uuid_partition_drain(parent, step)` |'
\qecho '| to read each new row exactly once | [`uuid_safe_boundary()`](ordering.md) |'
\qecho '| rows for each hour or day | `GROUP BY` of [`date_bin(''1 hour'', uuid_time(id), …)`](partitions.md#count-by-period) |'
\qecho '| ranges of a table, to work on it in parallel | `uuid_key_ranges(relation, n)` |'
\qecho '| to know what the keys of this database cost | `uuid_key_report()` |'
\qecho '| partitions by country | `iuid_partition_create(parent, countries)` |'
\qecho '| the server that has the row of an iUID | `iuid_route(id)` |'
\qecho '| to accept only new ids from clients | `uuid_is_recent(id)`, `comb_is_recent(id)`, `short_comb_is_recent(id)` |'
\qecho '| a short text for an id, or one with a prefix | `uuid_encode(id, encoding)`, `uuid_to_typeid(id, prefix)` |'
\qecho '| an id of another system as a uuid | `uid_to_uuid(id, scheme)` |'
\qecho '| a unique 64-bit id | `uid_next(scheme, node)` |'
\qecho '| ids of version 1 in the order of time | `uuidv1_to_v6(id)` |'
\qecho '| the bytes of SQL Server or MySQL | `uuid_to_sqlserver(id)`, `uuid_to_bin(id)` |'

SELECT format('%s- `%s`%s: %s',
	CASE WHEN row_number() OVER (PARTITION BY place ORDER BY oid) = 1 THEN format(E'\n## %s\n\n', heading) END,
	signature, ' ' || result, description)
FROM reference, LATERAL (SELECT place, heading FROM subject WHERE proname ~ pattern ORDER BY n LIMIT 1) s
ORDER BY place, oid;

-- An operator takes what its domain is made of.
CREATE FUNCTION pg_temp.operand(oid) RETURNS text LANGUAGE sql
	RETURN (SELECT pg_temp.short(CASE typtype WHEN 'd' THEN typbasetype ELSE oid END::regtype::text) FROM pg_type WHERE oid = $1);

SELECT E'\n## Operators\n\nA comparison of a `uuid` with a time is right for UUIDv7, iUID and COMB. Operators with `~` compare in the order of SQL Server.\n';
SELECT format('- `%s %s %s`', l, string_agg(oprname, ' ' ORDER BY length(replace(oprname, '~', '')), oprname), r)
FROM (SELECT DISTINCT pg_temp.operand(oprleft) AS l, oprname, pg_temp.operand(oprright) AS r, oprname ~ '~' AS other
	FROM pg_operator o JOIN pg_depend d ON d.classid = 'pg_operator'::regclass AND d.objid = o.oid AND d.deptype = 'e'
	WHERE o.oprnamespace <> 'uidext_internal'::regnamespace) o
GROUP BY l, r, other
ORDER BY l LIKE 'ulid' OR r LIKE 'ulid', l, r, other;
SELECT E'\n## Casts\n';
SELECT format('- %s: %s', CASE castcontext WHEN 'i' THEN 'By itself' WHEN 'a' THEN 'Explicit, and in assignments' ELSE 'Explicit only' END,
	string_agg(format('`%s` to `%s`', pg_temp.short(castsource::regtype::text), pg_temp.short(casttarget::regtype::text)), ', ' ORDER BY c.oid))
FROM pg_cast c JOIN pg_depend d ON d.classid = 'pg_cast'::regclass AND d.objid = c.oid AND d.deptype = 'e'
GROUP BY castcontext ORDER BY castcontext = 'e', castcontext = 'a';
SELECT E'\n## Operator classes, types, tables, settings\n';
SELECT format('- operator class `%s` (%s): %s', opcname, amname, regexp_replace(regexp_replace(obj_description(c.oid, 'pg_opclass'), '^default of iuid: ', ''), '[:;].*', ''))
FROM pg_opclass c JOIN pg_am a ON a.oid = c.opcmethod
	JOIN pg_depend d ON d.classid = 'pg_opclass'::regclass AND d.objid = c.oid AND d.deptype IN ('e', 'a', 'i')
WHERE opcname IN ('uuid_sqlserver_ops', 'iuid_country_ops', 'uuid_country_ops')
GROUP BY c.oid, opcname, amname ORDER BY c.oid;
SELECT format('- type `%s`: %s', typname, regexp_replace(obj_description(t.oid, 'pg_type'), ';.*| \(.*', ''))
FROM pg_type t JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
WHERE t.typtype IN ('b', 'c', 'd') AND t.typnamespace <> 'uidext_internal'::regnamespace AND obj_description(t.oid, 'pg_type') IS NOT NULL ORDER BY t.oid;
SELECT format('- table `%s(%s)`: %s', c.oid::regclass,
	(SELECT string_agg(attname || coalesce(' = ' || substring(pg_get_expr(adbin, adrelid), '-?\d+'), ''), ', ' ORDER BY attnum)
		FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped),
	split_part(obj_description(c.oid, 'pg_class'), ';', 1))
FROM pg_class c JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
WHERE c.relkind = 'r' ORDER BY c.oid;
SELECT '- setting `uidext.country`: country of `gen_iuid()`: id 0 to 255, or code or name in `iuid.countries`; -1 for none';
SELECT '- setting `uidext.node`: node of new v1, v6, v13, flake, elasticflake and lexicaluuid: `session`, `server`, a MAC address, or empty for a random one in every id';
SELECT '- setting `uidext.estimates`: on to tell the planner how many rows a range of ids has';
SELECT '- setting `uidext.join_estimates`: on to tell it also how many rows a join of ids has, of which both sides have a range; off by default';
