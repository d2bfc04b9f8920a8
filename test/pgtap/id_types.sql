-- Types uuid, iuid and ulid: what PostgreSQL can do with one it can do with the others.

BEGIN;
\ir include/settings.sql
SELECT no_plan();

--
-- Operator classes
--

-- btree_gist and btree_gin, where they are installed, know uuid alone.
SELECT count(*) = 2 AS has_contrib FROM pg_available_extensions WHERE name IN ('btree_gist', 'btree_gin') \gset
\if :has_contrib
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS btree_gin;
\endif

-- The classes of uuid of which ulid has none of its own, and why.  A type that is binary
-- coercible to uuid can also have those of uuid, which iuid has, but for these of its own.
CREATE TEMP VIEW classes AS
SELECT opcintype::regtype AS type, amname AS method,
	CASE WHEN opcdefault THEN 'default' ELSE regexp_replace(opcname, '^[a-z]+_', '') END AS class
FROM pg_opclass JOIN pg_am AS m ON m.oid = opcmethod WHERE opcintype IN ('uuid'::regtype, 'iuid'::regtype, 'ulid'::regtype);
SELECT is(array_agg(concat_ws(' ', method, class, why)), NULL,
	'ulid has an operator class for each of uuid, but for some with a reason')
FROM (
	SELECT method, class
	FROM classes
	WHERE type = 'uuid'::regtype
	EXCEPT SELECT method, class FROM classes WHERE type = 'ulid'::regtype) AS missing
	FULL JOIN (VALUES
		('btree', 'sqlserver_ops', 'SQL Server knows no ULIDs'),
		('hash', 'country_ops', 'a ULID has no country'),
		('gin', 'default', 'btree_gin: an index on a ulid has the class of uuid'),
		('gist', 'default', 'btree_gist: an index on a ulid has the class of uuid'))
	AS reasons(method, class, why) USING (method, class)
WHERE (missing IS NULL OR why IS NULL) AND (method NOT IN ('gin', 'gist') OR :'has_contrib');
SELECT is(array_agg(concat_ws(' ', method, class, why)), NULL, 'iuid has a class of its own where it is not to have that of uuid')
FROM (SELECT method, class FROM classes WHERE type = 'iuid'::regtype) AS own
	FULL JOIN (VALUES
		('btree', 'default', 'the order of uuid'),
		('hash', 'aggregate_ops', 'for aggregates, by all bits'),
		('hash', 'default', 'by country, for partitions and servers of countries'))
	AS reasons(method, class, why) USING (method, class)
WHERE own IS NULL OR why IS NULL;

-- A column of type iuid has its own default order and hash; else it takes the classes of uuid.
CREATE TEMP TABLE orders (u uuid, i iuid, l ulid, several_u uuid[], several_i iuid[], several_l ulid[]);
SELECT lives_ok(
	format('CREATE INDEX ON orders USING %s (%s %s)', method, column_name,
		CASE WHEN class <> 'default' THEN prefix || class END),
	format('an index on %s by %s, class %s', column_name, method, class))
FROM classes, (VALUES ('u', 'uuid_'), ('i', 'uuid_'), ('l', 'ulid_')) AS c(column_name, prefix)
WHERE type = 'uuid'::regtype AND class !~ '^(sqlserver|country)_' AND method NOT IN ('gin', 'gist')
	ORDER BY method, class, column_name;
SELECT lives_ok(
	format('CREATE INDEX ON orders USING gin (several_%s)', c), 'an index on the elements of arrays: ' || c)
FROM unnest('{u,i,l}'::text[]) AS c;
SELECT is(array_agg(opcname || ' ' || amname), NULL, 'amvalidate() finds nothing wrong with a class of ours')
FROM pg_opclass AS o
JOIN pg_am AS m ON m.oid = opcmethod
JOIN pg_depend ON classid = 'pg_opclass'::regclass AND objid = o.oid AND deptype = 'e'
WHERE NOT amvalidate(o.oid);
SELECT is(array_agg(amopopr::regoperator), NULL, 'no family of PostgreSQL''s has an operator of ours')
FROM pg_amop WHERE amopfamily < 16384 AND amopopr >= 16384;
SELECT is(array_agg(amproc::regprocedure), NULL, 'nor a function of ours')
FROM pg_amproc WHERE amprocfamily < 16384 AND amproc >= 16384;

\if :has_contrib
SELECT lives_ok(format('CREATE INDEX ON orders USING %s (%s)', method, c), format('an index on %s by %s', c, method))
FROM unnest('{gist,gin}'::text[]) AS method, unnest('{u,i,l}'::text[]) AS c;
SELECT lives_ok(format('
		CREATE TEMP TABLE rooms_%s (
			id %1$s, during tstzrange, EXCLUDE USING gist ((id::uuid) WITH =, during WITH &&))', type),
	'an exclusion constraint of ' || type)
FROM unnest('{uuid,iuid,ulid}'::text[]) AS type;
SELECT throws_ok('CREATE TEMP TABLE rooms (id ulid, EXCLUDE USING gist (id WITH =))', '42809', NULL,
	'which has to say id::uuid, where the type is ulid');
\endif

-- Each index answers.
INSERT INTO orders (u, l, several_u, several_l) SELECT id, id, ARRAY[id], ARRAY[id]::ulid[]
	FROM (SELECT gen_ulid()::uuid AS id FROM generate_series(1, 2000)) AS o;
CREATE FUNCTION pg_temp.found_by(class text, condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
	plan text;
BEGIN
	CREATE TEMP TABLE tickets AS SELECT l AS id, several_l AS several FROM orders;
	EXECUTE 'CREATE INDEX ON tickets USING ' || class;
	FOR plan IN EXECUTE 'EXPLAIN (COSTS OFF) SELECT count(*) FROM tickets WHERE ' || condition LOOP
		IF plan ~ 'Index Cond' THEN
			EXECUTE 'SELECT count(*) FROM tickets WHERE ' || condition INTO result;
		END IF;
	END LOOP;
	DROP TABLE tickets;
	RETURN result;
END $$;
SET LOCAL enable_seqscan = off;
SELECT is(pg_temp.found_by(class, condition), 1::bigint, format('%s finds %s', class, condition))
FROM unnest('{btree (id),hash (id),brin (id),brin (id ulid_minmax_multi_ops),
	brin (id ulid_bloom_ops)}'::text[]) AS class,
	(SELECT l, u FROM orders OFFSET 1000 LIMIT 1) AS o,
	unnest(
		ARRAY[format('id = %L', l), format('id = %L::ulid', l), format('id = %L::uuid', u),
			format('%L::uuid = id', u)]) AS condition;
SELECT is(pg_temp.found_by('gin (several)', format('several @> ARRAY[%L]::ulid[]', l)), 1::bigint, 'gin finds an element')
	FROM (SELECT l FROM orders OFFSET 1000 LIMIT 1) AS o;
\if :has_contrib
SELECT is(pg_temp.found_by(method || ' (id)', format('id::uuid = %L::ulid', l)), 1::bigint, method || ' finds a ulid as a uuid')
FROM unnest('{gist,gin}'::text[]) AS method, (SELECT l FROM orders OFFSET 1000 LIMIT 1) AS o;
SELECT is(pg_temp.found_by(method || ' (id)', format('id = %L', l)), NULL, method || ' does not find it as a ulid')
FROM unnest('{gist,gin}'::text[]) AS method, (SELECT l FROM orders OFFSET 1000 LIMIT 1) AS o;
\endif

--
-- Readers: what takes a uuid takes a ulid as well, by the cast
--

CREATE TEMP TABLE takers AS
SELECT p.oid::regprocedure::text AS signature, p.proname AS name
FROM pg_proc AS p JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
	AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uidext')
WHERE pronamespace <> 'uidext_internal'::regnamespace AND '{uuid,uuid[]}'::regtype[] && proargtypes::oid[]::regtype[];

-- All of them, and what they make of a ulid:
--   ulid    an overload for ulid, or an own function, gives the answer of a ULID
--   bits    the answer of the same 128 bits is the right one
--   layout  whoever asks names a layout, of which a column of type ulid can have ids,
--           too; of another id the answer is NULL, false or 22023
--   bound   reads any id as a bound of a layout
CREATE TEMP TABLE expected AS
SELECT answer, trim(name) AS name FROM (VALUES
	('ulid', 'uuid_time, uuid_inspect, uuid_is_recent, min, max'),
	('bound', 'uuidv6_boundary_time'),
	('bits', 'uuid_boundary_time, uuid_to_ulid, uuid_to_bin, uuid_to_sqlserver, uuid_from_sqlserver, uuid_to_typeid, uuid_encode,
		uid_from_uuid, uid_bigint_from_uuid, uuid_to_iuid'),
	('layout', 'uuidv4_is_valid, uuidv7_is_valid, iuid_is_valid, iuid_version, iuid_country,
		iuid_service_entity, iuid_route, iuid_describe,
		comb_time, suffix_comb_time, comb_is_recent, comb_to_suffix, comb_from_suffix,
		short_comb_block, short_suffix_comb_block, short_comb_time, short_comb_is_recent, short_comb_to_suffix, short_comb_from_suffix,
		uuidv1_to_v6, uuidv6_to_v1, uuidv1_to_v13, uuidv13_to_v1, laravel_uuid_time, laravel_uuid_to_v7, uuid_encrypt, uuid_decrypt')
) AS e(answer, names), regexp_split_to_table(names, ',') AS name;
UPDATE expected SET name = regexp_replace(name, '\s', '', 'g');
SELECT is(array_agg(DISTINCT t.name), NULL, 'of each function that takes a uuid it is known what it makes of a ulid')
FROM takers AS t LEFT JOIN expected AS e USING (name) WHERE e.name IS NULL;
SELECT is(array_agg(e.name), NULL, 'and none is named that is no more')
FROM expected AS e
LEFT JOIN takers AS t USING (name)
WHERE t.name IS NULL;
SELECT is(array_agg(name), NULL, 'those with an answer for ulid have an overload')
FROM expected AS e WHERE answer = 'ulid' AND NOT EXISTS (
	SELECT FROM pg_proc WHERE proname = e.name AND 'ulid'::regtype = proargtypes[0]);


-- A question about a layout: what it answers of an id of the layout, and that it
-- answers of no other.  Whether version and variant are those of the layout is left to
-- chance in a ULID: they are in one of 64, and the variant alone, by which
-- uuid_encrypt() goes, in one of four.
CREATE TEMP TABLE questions AS
SELECT name, coalesce(call, name || '(%s)') AS call, coalesce(of, 'gen_iuid(76, 1)') AS of, name = 'uuid_encrypt' AS by_variant
FROM expected LEFT JOIN (VALUES
	('uuidv4_is_valid', NULL, 'gen_random_uuid()'), ('uuidv7_is_valid', NULL, 'gen_uuidv7()'),
	('comb_time', NULL, 'gen_comb()'), ('suffix_comb_time', NULL, 'gen_suffix_comb()'),
	('comb_is_recent', 'comb_is_recent(%s, ''1 hour'', ''1 hour'')', 'gen_comb()'),
	('comb_to_suffix', NULL, 'gen_comb()'), ('comb_from_suffix', NULL, 'gen_suffix_comb()'),
	('short_comb_block', NULL, 'gen_short_comb()'), ('short_suffix_comb_block', NULL, 'gen_short_suffix_comb()'),
	('short_comb_time', 'short_comb_time(%s, now())', 'gen_short_comb()'),
	('short_comb_is_recent', 'short_comb_is_recent(%s, ''1 hour'', ''1 hour'')', 'gen_short_comb()'),
	('short_comb_to_suffix', NULL, 'gen_short_comb()'), ('short_comb_from_suffix', NULL, 'gen_short_suffix_comb()'),
	('uuidv1_to_v6', NULL, 'gen_uuidv1()'), ('uuidv6_to_v1', NULL, 'gen_uuidv6()'),
	('uuidv1_to_v13', NULL, 'gen_uuidv1()'), ('uuidv13_to_v1', NULL, 'gen_uuidv13()'),
	('laravel_uuid_time', NULL, 'gen_comb()'), ('laravel_uuid_to_v7', NULL, 'gen_comb()'),
	('uuid_encrypt', 'uuid_encrypt(%s, ''0123456789abcdef'')', 'gen_uuidv7()'),
	('uuid_decrypt', 'uuid_decrypt(%s, ''0123456789abcdef'')', 'gen_random_uuid()')) AS q(name, call, of) USING (name)
WHERE answer = 'layout';
CREATE FUNCTION pg_temp.answers(call text, id ulid) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
	answer text;
BEGIN
	EXECUTE format('SELECT ' || call, '$1') USING id INTO answer;
	RETURN coalesce(answer <> 'false', false);
EXCEPTION WHEN invalid_parameter_value THEN
	RETURN false;
END $$;
INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil');
INSERT INTO iuid.routes (country, node) VALUES (76, 'brazil');
CREATE TEMP TABLE ulids AS
SELECT gen_ulid_at(timestamptz '2026-01-01 00:00+00' + n * interval '1.000137 s') AS id
FROM generate_series(1, 500) AS n;
CREATE FUNCTION pg_temp.own_answer(call text, of text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
	id ulid;
BEGIN
	EXECUTE format('SELECT (%s)::uuid', of) INTO id;
	RETURN pg_temp.answers(call, id);
END $$;
SELECT is(array_agg(name), NULL, 'a question about a layout has an answer where a column of type ulid has an id of it')
	FROM questions WHERE NOT pg_temp.own_answer(call, of);
SELECT is(array_agg(name), NULL, 'and none for a ULID of another variant')
FROM questions
WHERE pg_temp.answers(call, '01ARZ3NDEKTSV4RRFFQ69G5FAV');
-- of 500 that is less than one in twenty, or 38 % where the variant is all that it goes by
SELECT is(array_agg(name || ': ' || answered), NULL, 'an answer for a ULID is chance, within 6 sigma')
FROM (SELECT name, count(*) FILTER (WHERE pg_temp.answers(call, id)) AS answered,
	500 * CASE WHEN by_variant THEN 0.25 ELSE 1 / 64.0 END AS chance FROM questions, ulids GROUP BY name, by_variant) AS q
WHERE answered > chance + 6 * sqrt(chance);

-- What PostgreSQL itself reads of a uuid cannot know better.
SELECT is(array_agg(DISTINCT proname::text),
	CASE WHEN current_setting('server_version_num')::int >= 170000 THEN '{uuid_extract_timestamp,uuid_extract_version}'::text[] END,
	'of PostgreSQL''s own functions those read a layout')
FROM pg_proc WHERE oid < 16384 AND 'uuid'::regtype = ANY (proargtypes)
	AND proname !~ '^uuid_(lt|le|eq|ge|gt|ne|cmp|hash|hash_extended|out|send|bytea)$';

-- A literal, or a parameter whose type is not given, is no ambiguity.
SELECT lives_ok(format('SELECT %s(%L)', name, '018c22ac-d000-7037-a940-000000000001'), name || '() takes a literal uuid')
FROM expected WHERE answer = 'ulid' AND name NOT IN ('min', 'max');
SELECT is(array_agg(a.oid::regoperator), NULL, 'each time predicate of uuid has one of ulid')
FROM pg_operator AS a JOIN pg_depend ON classid = 'pg_operator'::regclass AND objid = a.oid AND deptype = 'e'
WHERE 'uuid'::regtype IN (oprleft, oprright)
	AND '{timestamptz,uidext_internal.period,uidext_internal.periods}'::regtype[] && ARRAY[oprleft, oprright]::regtype[]
	AND NOT EXISTS (SELECT FROM pg_operator AS b WHERE b.oprname = a.oprname AND b.oprnamespace = a.oprnamespace
		AND b.oprleft = CASE a.oprleft WHEN 'uuid'::regtype THEN 'ulid'::regtype ELSE a.oprleft END
		AND b.oprright = CASE a.oprright WHEN 'uuid'::regtype THEN 'ulid'::regtype ELSE a.oprright END);
-- ids of all kinds of bits in the places of version and variant
SELECT is(array_agg(id), NULL, 'readers with an answer for ulid never look for a version, nor does uuid_boundary_time()')
FROM (SELECT gen_ulid() AS id FROM generate_series(1, 1000)) AS o
WHERE uuid_time(id) <> ulid_time(id) OR (uuid_inspect(id)).layout <> 'ULID' OR (uuid_inspect(id)).time <> ulid_time(id)
	OR NOT uuid_is_recent(id, '1 hour', '1 hour') OR uuid_boundary_time(id) <> ulid_time(id);

--
-- Moving from one type to the other
--

-- An order has lines and a parent; the columns change their types one by one, in any
-- order, while all keys stay.
CREATE TEMP TABLE moves AS
WITH RECURSIVE columns(name) AS (VALUES ('shop.id'), ('shop.parent'), ('item.shop')),
orders_of AS (
	SELECT ARRAY[name] AS names FROM columns
	UNION ALL SELECT names || name FROM orders_of JOIN columns ON name <> ALL (names))
SELECT names, from_type, to_type
FROM orders_of, (VALUES ('uuid', 'ulid'), ('ulid', 'uuid')) AS t(from_type, to_type)
WHERE cardinality(names) = 3;

CREATE FUNCTION pg_temp.moved(names text[], from_type text, to_type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	name text;
	lost bool;
BEGIN
	EXECUTE format('CREATE TEMP TABLE shop (id %s PRIMARY KEY, parent %1$s REFERENCES shop ON DELETE CASCADE, n int)', from_type);
	EXECUTE format('CREATE TEMP TABLE item (shop %s REFERENCES shop ON UPDATE CASCADE ON DELETE CASCADE)', from_type);
	INSERT INTO shop SELECT id, id, n FROM (SELECT gen_ulid() AS id, n FROM generate_series(1, 10) AS n) AS s;
	INSERT INTO item SELECT id FROM shop;
	FOREACH name IN ARRAY names LOOP
		EXECUTE format('ALTER TABLE %I ALTER %I TYPE %s', split_part(name, '.', 1), split_part(name, '.', 2), to_type);
		BEGIN
			INSERT INTO item VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid);
			RETURN 'takes a stranger after ' || name;
		EXCEPTION WHEN foreign_key_violation THEN NULL;
		END;
		DELETE FROM shop WHERE n = (SELECT min(s.n) FROM shop AS s);
		UPDATE shop SET id = gen_ulid(), parent = NULL WHERE n = (SELECT max(s.n) FROM shop AS s);
		SELECT count(*) <> (SELECT count(*) FROM shop) INTO lost FROM shop JOIN item ON item.shop = shop.id;
		IF lost THEN
			RETURN 'rows lost after ' || name;
		END IF;
	END LOOP;
	RETURN format('%s keys, %s orders',
		(SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND confrelid = 'pg_temp.shop'::regclass), (SELECT count(*) FROM shop));
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
CREATE FUNCTION pg_temp.move(names text[], from_type text, to_type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := pg_temp.moved(names, from_type, to_type);
BEGIN
	DROP TABLE IF EXISTS pg_temp.item, pg_temp.shop;
	RETURN result;
END $$;
SELECT is(pg_temp.move(names, from_type, to_type), '2 keys, 7 orders',
	format('from %s to %s: %s', from_type, to_type, array_to_string(names, ', then '))) FROM moves;
SELECT is(count(*)::int, 12, 'each order of three columns, both ways') FROM moves;

-- A partition key keeps its type, whatever the types; what refers to it may change.
CREATE TEMP TABLE shipments (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TEMP TABLE shipments_all PARTITION OF shipments DEFAULT;
CREATE TEMP TABLE parcels (shipment uuid REFERENCES shipments);
SELECT throws_ok('ALTER TABLE shipments ALTER id TYPE ulid', '42P16', NULL, 'the key of a partitioned table keeps its type');
SELECT lives_ok('ALTER TABLE parcels ALTER shipment TYPE ulid', 'a column that refers to it does not');
INSERT INTO shipments VALUES ('018c22ac-d000-7037-a940-000000000001');
SELECT lives_ok($$INSERT INTO parcels SELECT id FROM shipments$$, 'and finds the rows of the partitions');
SELECT throws_ok($$INSERT INTO parcels VALUES (gen_ulid())$$, '23503', NULL, 'and no others');
CREATE TEMP TABLE letters (id uuid, other uuid, made timestamptz GENERATED ALWAYS AS (uuid_time(id)) STORED);
CREATE TEMP VIEW others AS SELECT other FROM letters;
SELECT throws_ok(format('ALTER TABLE letters ALTER %I TYPE ulid', name), '0A000', NULL,
	'nor does a column change its type that a view or a generated column uses: ' || name)
FROM unnest('{id,other}'::text[]) AS name;

-- An expression of both has one type.
SELECT is(expression, type, type || ' is the type of both in ' || place)
FROM (SELECT '018c22ac-d000-7037-a940-000000000001'::uuid AS u, '01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid AS l) AS o,
	LATERAL (
		SELECT pg_typeof(coalesce(u, l))::text,
			pg_typeof(coalesce(l, u))::text,
			pg_typeof(CASE WHEN true THEN u ELSE l END)::text) AS t(a, b, c),
	LATERAL (
		VALUES (a, 'uuid', 'coalesce(uuid, ulid)'), (b, 'ulid', 'coalesce(ulid, uuid)'),
			(c, 'ulid', 'CASE … ELSE ulid')) AS v(expression, type, place);

SELECT * FROM finish();
ROLLBACK;
