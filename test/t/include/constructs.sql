-- Whatever PostgreSQL can print of a comparison, an order or a type, with columns of
-- type :type.  The list follows get_rule_expr(), get_query_def() and what calls them
-- in ruleutils.c, and after that the objects whose definitions have expressions.
--
-- They go into schema :shop.  :sample is an id, :make makes one, and :bloom is the
-- operator class of brin that is not the default one.  What not every type can have is
-- between \if and \endif, and fails where it is left out (Constructs.pm): :ordered says
-- whether < of the type is an operator of btree, :beside_uuid whether an id is compared
-- with a uuid, and :checked_domain whether a domain over it compares its values.

CREATE SCHEMA :shop;
CREATE TABLE :shop.orders (id :type PRIMARY KEY DEFAULT :make, parent :type, other :type, n int, several :type[]);
INSERT INTO :shop.orders (n) SELECT n FROM generate_series(1, 10) AS n;
UPDATE :shop.orders SET parent = id, other = (SELECT max(id) FROM :shop.orders), several = ARRAY[id, NULL];
CREATE TABLE :shop.lines (id :type REFERENCES :shop.orders, n int, line int);
INSERT INTO :shop.lines SELECT id, n, 1 FROM :shop.orders;

-- operators that are printed by name
CREATE VIEW :shop.equal AS SELECT n FROM :shop.orders WHERE id = parent AND id <> other;
CREATE VIEW :shop.literal AS SELECT n FROM :shop.orders WHERE id <> :'sample';
CREATE VIEW :shop.less AS SELECT n FROM :shop.orders WHERE id < other AND id <= other AND other >= id AND other > id;
CREATE VIEW :shop.between AS
SELECT n
FROM :shop.orders
WHERE id BETWEEN parent AND other AND id NOT BETWEEN SYMMETRIC other AND other;
CREATE VIEW :shop.any_of AS
SELECT n
FROM :shop.orders
WHERE id = ANY (several) AND other <> ALL (ARRAY[:'sample':::type, NULL]) IS NOT TRUE;
CREATE VIEW :shop.in_list AS SELECT n FROM :shop.orders WHERE id IN (parent, other) AND id NOT IN (:'sample', :'sample');
CREATE VIEW :shop.contains AS
SELECT n
FROM :shop.orders
WHERE several @> ARRAY[id] AND several && ARRAY[parent] AND several <> ARRAY[other];

-- operators whose place in the syntax has no name
CREATE VIEW :shop.distinct_from AS
SELECT n, id IS DISTINCT FROM other AS differs
FROM :shop.orders
WHERE id IS NOT DISTINCT FROM parent;
CREATE VIEW :shop.distinct_null AS
SELECT n
FROM :shop.orders
WHERE NOT (id IS DISTINCT FROM NULL) OR id IS DISTINCT FROM :'sample';
CREATE VIEW :shop.null_if AS SELECT n, nullif(id, other) AS changed FROM :shop.orders;
CREATE VIEW :shop.simple_case AS
SELECT CASE id WHEN other THEN 1 WHEN :'sample' THEN 2 ELSE 3 END AS result,
	CASE WHEN id = other THEN id ELSE parent END AS chosen
FROM :shop.orders;
CREATE VIEW :shop.extremes AS
SELECT greatest(id, other) AS greatest, least(id, parent) AS least, coalesce(parent, id) AS first
FROM :shop.orders;

-- rows, whose columns share one name
CREATE VIEW :shop.row_equal AS
SELECT n
FROM :shop.orders
WHERE (id, n) = (parent, n) AND (id, n) <> (other, 0) AND (n, id) IN ((n, parent), (0, other));
CREATE VIEW :shop.row_distinct AS
SELECT n
FROM :shop.orders
WHERE (id, n) IS DISTINCT FROM (other, n) OR (n, id) IS NOT DISTINCT FROM (n, parent);
CREATE VIEW :shop.row_sublink AS SELECT n FROM :shop.orders WHERE (id, n) <= (SELECT max(id), 1 FROM :shop.lines);
CREATE VIEW :shop.row_is_sublink AS
SELECT n
FROM :shop.orders
WHERE (id, n) = (SELECT max(id), 10 FROM :shop.lines)
	OR (n, id) <> ALL (SELECT o.n, other FROM :shop.orders AS o);
\if :ordered
CREATE VIEW :shop.row_less AS SELECT n FROM :shop.orders WHERE (id, n) < (other, n) OR (n, id) >= (n, other);
CREATE VIEW :shop.row_less_all AS
SELECT n
FROM :shop.orders
WHERE (id, n) < ALL (SELECT other, o.n FROM :shop.orders AS o WHERE o.n = 3);
\endif

-- sub-selects
CREATE VIEW :shop.in_select AS
SELECT n
FROM :shop.orders
WHERE id IN (SELECT id FROM :shop.lines) AND other NOT IN (SELECT id FROM :shop.lines WHERE line = 2);
CREATE VIEW :shop.rows_in_select AS
SELECT n
FROM :shop.orders
WHERE (id, n) IN (SELECT id, n FROM :shop.lines)
	AND (n, id) NOT IN (SELECT line + 1, id FROM :shop.lines WHERE line = 2);
CREATE VIEW :shop.any_select AS
SELECT n
FROM :shop.orders
WHERE id <> ANY (SELECT id FROM :shop.lines) AND id >= ALL (SELECT id FROM :shop.lines WHERE line = 2);
CREATE VIEW :shop.scalar AS
SELECT n, (SELECT max(l.id) FROM :shop.lines AS l) = id AS last, ARRAY(SELECT id FROM :shop.lines) AS list
FROM :shop.orders AS o
WHERE EXISTS (SELECT FROM :shop.lines AS l WHERE l.id = o.id);

-- joins
CREATE VIEW :shop.using AS
SELECT id, o.n
FROM :shop.orders AS o
JOIN :shop.lines AS l USING (id)
LEFT JOIN :shop.orders AS r USING (id);
CREATE VIEW :shop.using_as AS SELECT j.id FROM :shop.orders AS o JOIN :shop.lines AS l USING (id) AS j;
CREATE VIEW :shop.full_using AS SELECT id FROM :shop.orders AS o FULL JOIN :shop.lines AS l USING (id, n);
CREATE VIEW :shop.naturally AS SELECT id FROM :shop.orders AS o NATURAL JOIN :shop.lines AS l;
CREATE VIEW :shop.on_equal AS
SELECT o.n
FROM :shop.orders AS o
JOIN :shop.lines AS l ON o.id = l.id AND o.id IS DISTINCT FROM o.other;

-- orders and groups
CREATE VIEW :shop.sorted AS SELECT id FROM :shop.orders ORDER BY id DESC, other NULLS FIRST;
\if :ordered
CREATE VIEW :shop.sorted_using AS SELECT id FROM :shop.orders ORDER BY id USING >, other USING <;
CREATE VIEW :shop.aggregated_using AS SELECT array_agg(n ORDER BY id USING >) AS list FROM :shop.orders;
\endif
CREATE VIEW :shop.sorted_as_text AS
SELECT id
FROM :shop.orders
WHERE (id::text, n) < (other::text, n)
ORDER BY id::text USING >, other::text USING <;
CREATE VIEW :shop.distinct_rows AS SELECT DISTINCT other FROM :shop.orders;
CREATE VIEW :shop.distinct_on AS SELECT DISTINCT ON (other) other, id FROM :shop.orders ORDER BY other, id DESC;
CREATE VIEW :shop.grouped AS SELECT other, count(*) AS n FROM :shop.orders GROUP BY other HAVING max(id) = other;
CREATE VIEW :shop.grouping_sets AS
SELECT id, other, grouping(id) AS g
FROM :shop.orders
GROUP BY GROUPING SETS ((id), (other), CUBE (id, other));
CREATE VIEW :shop.aggregates AS
SELECT min(id) AS min, max(id) AS max, count(DISTINCT other) AS others, array_agg(id ORDER BY id DESC) AS list,
	count(*) FILTER (WHERE id = other) AS last,
	mode() WITHIN GROUP (ORDER BY other) AS mode,
	percentile_disc(0.5) WITHIN GROUP (ORDER BY id) AS median FROM :shop.orders;
CREATE VIEW :shop.windows AS
SELECT rank() OVER w AS rank, lag(id) OVER w AS last,
	count(*) OVER (PARTITION BY other ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS peers,
	max(id) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) AS next FROM :shop.orders
	WINDOW w AS (PARTITION BY other ORDER BY id DESC);
CREATE VIEW :shop.set_operations AS
(SELECT id FROM :shop.orders UNION SELECT id FROM :shop.lines)
INTERSECT SELECT parent FROM :shop.orders
EXCEPT SELECT other FROM :shop.orders;
CREATE VIEW :shop.recursive AS
WITH RECURSIVE tree (id, n) AS (
	SELECT id, n FROM :shop.orders WHERE n = 1
	UNION SELECT o.id, o.n FROM :shop.orders AS o
	JOIN tree ON o.parent = tree.id)
	SEARCH BREADTH FIRST BY id SET place CYCLE id SET again USING path
SELECT id, n, again FROM tree;
CREATE VIEW :shop.list AS
SELECT v.id
FROM (VALUES (:'sample':::type), (NULL)) AS v (id)
WHERE v.id IN (SELECT other FROM :shop.orders) IS NOT TRUE;
CREATE MATERIALIZED VIEW :shop.materialized AS SELECT id, nullif(id, other) IS NULL AS last FROM :shop.orders WITH DATA;
CREATE UNIQUE INDEX ON :shop.materialized (id);

-- checks, defaults, generated columns, domains
CREATE TABLE :shop.checked (
	id :type CHECK (id IS DISTINCT FROM :'sample'), old :type CHECK (old <> ALL (ARRAY[:'sample', :'sample']:::type[])), n int,
	is_new bool GENERATED ALWAYS AS (nullif(id, old) IS NOT NULL) STORED,
	kind int GENERATED ALWAYS AS (CASE id WHEN old THEN 1 WHEN :'sample' THEN 2 END) STORED,
	fixed :type DEFAULT :'sample', chosen bool DEFAULT (:'sample':::type IS DISTINCT FROM :make),
	CHECK (id IS NOT DISTINCT FROM old OR id > old),
	CHECK ((id, n) IS DISTINCT FROM (old, 0)),
	CHECK (id NOT IN (old, :'sample') OR n = 1)
);
\if :ordered
ALTER TABLE :shop.checked ADD CHECK ((id, n) >= (old, 0));
\endif
INSERT INTO :shop.checked (id, old, n) SELECT id, id, 1 FROM :shop.orders;
\if :checked_domain
CREATE DOMAIN :shop.known AS :type CHECK (
	VALUE IS DISTINCT FROM :'sample' AND nullif(VALUE, :'sample') IS NOT NULL) DEFAULT :make;
\else
CREATE DOMAIN :shop.known AS :type CHECK (
	VALUE::text::uuid IS DISTINCT FROM :'sample'
		AND nullif(VALUE::text::uuid, :'sample') IS NOT NULL) DEFAULT :make;
\endif
CREATE TYPE :shop.pair AS (id :type, known :shop.known);
CREATE TABLE :shop.typed (pair :shop.pair, known :shop.known, list :type[] DEFAULT ARRAY[:'sample']:::type[]);
CREATE TABLE :shop.of_pairs OF :shop.pair (id WITH OPTIONS DEFAULT :'sample', CHECK (id IS DISTINCT FROM known));
INSERT INTO :shop.typed SELECT ROW(id, id::text:: :shop.known):: :shop.pair, id FROM :shop.orders;

-- indexes, exclusion, statistics
CREATE INDEX ON :shop.orders (n) WHERE id IS DISTINCT FROM other;
CREATE INDEX ON :shop.orders ((nullif(id, other)), (CASE id WHEN other THEN 1 ELSE 0 END));
CREATE INDEX ON :shop.orders (other, id DESC) WHERE parent = id AND other NOT IN (:'sample');
CREATE INDEX ON :shop.orders USING hash (other);
CREATE INDEX ON :shop.orders USING brin (parent, other);
CREATE INDEX ON :shop.orders USING brin (id :bloom, (nullif(id, other)) :bloom);
CREATE INDEX ON :shop.orders USING gin (several);
CREATE TABLE :shop.excluded (id :type, n int, EXCLUDE USING btree (id WITH =) WHERE (id IS DISTINCT FROM :'sample'));
CREATE STATISTICS :shop.expected ON (id IS DISTINCT FROM other), (nullif(id, other)), n FROM :shop.orders;

-- policies, rules, triggers
ALTER TABLE :shop.lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY visible ON :shop.lines
USING (id IN (SELECT o.id FROM :shop.orders AS o WHERE o.id IS DISTINCT FROM lines.id))
WITH CHECK (nullif(id, :'sample') IS NOT NULL);
CREATE RULE changed AS ON UPDATE TO :shop.checked
WHERE new.fixed IS NOT DISTINCT FROM old.fixed AND nullif(new.id, old.id) IS NOT NULL
DO ALSO DELETE FROM :shop.lines WHERE nullif(lines.id, new.id) IS NULL;
CREATE RULE copied AS ON INSERT TO :shop.excluded
DO ALSO UPDATE :shop.checked
SET (id, n) = (SELECT o.id, o.n FROM :shop.orders AS o WHERE o.id = new.id)
WHERE id IS DISTINCT FROM new.id AND CASE id WHEN old THEN true END;
CREATE FUNCTION :shop.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
CREATE TRIGGER changes BEFORE UPDATE ON :shop.orders
FOR EACH ROW
WHEN (old.other IS DISTINCT FROM new.other OR (old.id, old.n) IS DISTINCT FROM (new.id, new.n))
EXECUTE FUNCTION :shop.nothing();
CREATE TRIGGER deletes BEFORE DELETE ON :shop.orders
FOR EACH ROW
WHEN (old.* IS DISTINCT FROM NULL AND nullif(old.id, old.other) IS NULL AND old.id IN (old.parent, :'sample'))
EXECUTE FUNCTION :shop.nothing();

-- partitions: bounds, keys that are expressions
CREATE TABLE :shop.ranges (id :type, n int) PARTITION BY RANGE (id, n);
CREATE TABLE :shop.ranges_1 PARTITION OF :shop.ranges FOR VALUES FROM (MINVALUE, MINVALUE) TO (:'sample', 10);
CREATE TABLE :shop.ranges_2 PARTITION OF :shop.ranges FOR VALUES FROM (:'sample', 10) TO (MAXVALUE, MAXVALUE);
INSERT INTO :shop.ranges SELECT id, n FROM :shop.orders;
CREATE TABLE :shop.hashed (id :type) PARTITION BY HASH (id);
CREATE TABLE :shop.hashed_0 PARTITION OF :shop.hashed FOR VALUES WITH (MODULUS 1, REMAINDER 0);
CREATE TABLE :shop.listed (id :type, old :type) PARTITION BY LIST ((id IS DISTINCT FROM old));
CREATE TABLE :shop.listed_true PARTITION OF :shop.listed FOR VALUES IN (true);
CREATE TABLE :shop.by_id (id :type) PARTITION BY LIST (id);
CREATE TABLE :shop.by_id_sample PARTITION OF :shop.by_id FOR VALUES IN (:'sample', NULL);

-- functions whose bodies are kept as they were parsed
CREATE FUNCTION :shop.same(a :type, b :type DEFAULT :'sample')
RETURNS bool
LANGUAGE sql RETURN a IS NOT DISTINCT FROM b OR nullif(a, b) IS NULL;
CREATE FUNCTION :shop.count_of(a :type) RETURNS bigint LANGUAGE sql BEGIN ATOMIC
	SELECT count(*)
	FROM :shop.orders AS o
	JOIN :shop.lines AS l USING (id)
	WHERE o.other IS DISTINCT FROM a AND o.id IN (SELECT id FROM :shop.lines)
	GROUP BY o.other
	ORDER BY o.other;
END;
CREATE FUNCTION :shop.replace(a :type, b :type) RETURNS void LANGUAGE sql BEGIN ATOMIC
	INSERT INTO :shop.orders (id, n)
	VALUES (a, 1)
	ON CONFLICT (id) DO UPDATE SET other = excluded.id
	WHERE orders.other IS DISTINCT FROM excluded.id;
	UPDATE :shop.orders SET (other, n) = (SELECT b, 1) WHERE CASE id WHEN a THEN true END;
	DELETE FROM :shop.lines AS l USING :shop.orders AS o WHERE l.id = o.id AND o.id IN (SELECT a);
	MERGE INTO :shop.lines AS l USING :shop.orders AS o ON o.id = l.id
	WHEN MATCHED AND o.other IS DISTINCT FROM l.id THEN UPDATE SET id = nullif(o.id, a)
	WHEN NOT MATCHED THEN DO NOTHING;
END;
\if :ordered
CREATE FUNCTION :shop.page(last :type, last_n int) RETURNS SETOF :shop.orders LANGUAGE sql BEGIN ATOMIC
	SELECT * FROM :shop.orders WHERE (id, n) > (last, last_n) AND (id, n) IN (SELECT id, n FROM :shop.lines) ORDER BY id, n LIMIT 10;
END;
CREATE FUNCTION :shop.is_later(a :type, n_of_a int, b :type, n_of_b int)
RETURNS bool
LANGUAGE sql RETURN (a, n_of_a) > (b, n_of_b);
\endif
CREATE PROCEDURE :shop.forget(a :type) LANGUAGE sql BEGIN ATOMIC
	DELETE FROM :shop.orders WHERE id = a AND id IS DISTINCT FROM other;
END;

-- parts of values: elements of arrays, fields of rows, values of domains
CREATE VIEW :shop.subscripts AS
SELECT several[1] = id AS first, several[1:2] AS slice, (ARRAY[id, other])[2] IS DISTINCT FROM id AS differs
FROM :shop.orders;
CREATE VIEW :shop.arrays AS
SELECT several = several AS same, several < several AS less, several IS DISTINCT FROM several AS differs,
	nullif(several, several) AS changed,
	array_position(several, id) AS place, array_remove(several, id) AS rest, several || id AS longer,
	ARRAY[[id], [other]] AS square FROM :shop.orders;
CREATE VIEW :shop.arrays_of_arrays AS
SELECT n
FROM :shop.orders AS o
WHERE several = ANY (SELECT several FROM :shop.orders)
	AND id <> ALL (ARRAY[ARRAY[other, NULL], several[1:2]]) IS NOT TRUE;
CREATE VIEW :shop.fields AS
SELECT (pair).id IS DISTINCT FROM (pair).known AS differs, (pair).id AS id, (SELECT (t.pair).known) AS known
FROM :shop.typed AS t;
CREATE VIEW :shop.whole_rows AS
SELECT o AS o, o = o AS same, o IS DISTINCT FROM o AS differs, ROW(id, n) = ROW(other, n) AS equal,
	o IS NULL AS nothing
FROM :shop.orders AS o;
CREATE VIEW :shop.pairs AS
SELECT pair = pair AS same, pair < pair AS less,
	pair IN (ROW((pair).known, (pair).id):: :shop.pair, pair) AS among, nullif(pair, pair) AS changed
FROM :shop.typed;
CREATE VIEW :shop.of_domain AS
SELECT known IS DISTINCT FROM known AS differs,
	nullif(known, :'sample') AS changed,
	known = known AS same,
	CASE known WHEN known THEN 1 END AS kind,
	known:: :type AS base, known IN (known, known) AS among FROM :shop.typed;
CREATE VIEW :shop.domain_using AS SELECT known FROM :shop.typed AS a JOIN :shop.typed AS b USING (known);
CREATE VIEW :shop.domain_and_type AS
SELECT known = id AS same, known IS DISTINCT FROM id AS differs
FROM :shop.typed, :shop.orders;
CREATE VIEW :shop.to_domain AS SELECT id:: :shop.known AS known FROM :shop.orders;

-- casts, of values, arrays and rows
CREATE VIEW :shop.casts AS
SELECT id::text AS text, several::text[] AS texts, (id::text)::varchar(10) AS ten, id::text:: :type AS again
FROM :shop.orders;
CREATE VIEW :shop.collated AS SELECT id::text COLLATE "C" AS id FROM :shop.orders ORDER BY id::text COLLATE "C";
CREATE TABLE :shop.parent (id :type DEFAULT :make, n int, CONSTRAINT is_known CHECK (id IS DISTINCT FROM :'sample'));
CREATE TABLE :shop.child (CHECK (nullif(id, :'sample') IS NOT NULL), PRIMARY KEY (id), UNIQUE (id, n)) INHERITS (:shop.parent);
INSERT INTO :shop.child SELECT id, n FROM :shop.orders;
CREATE VIEW :shop.converted AS SELECT (c.*):: :shop.parent AS p FROM :shop.child AS c;

-- calls, and what is called
CREATE FUNCTION :shop.named(a :type, b :type DEFAULT :'sample')
RETURNS bool
LANGUAGE sql IMMUTABLE RETURN a IS NOT DISTINCT FROM b;
CREATE VIEW :shop.named_argument AS SELECT n, :shop.named(b => id, a => other) AS same FROM :shop.orders;
CREATE FUNCTION :shop.first_of(VARIADIC list :type[]) RETURNS :type LANGUAGE sql IMMUTABLE RETURN list[1];
CREATE VIEW :shop.variadic_call AS
SELECT :shop.first_of(id, other) AS listed, :shop.first_of(VARIADIC several) AS array
FROM :shop.orders;
CREATE OPERATOR :shop.=== (LEFTARG = :type, RIGHTARG = :type, FUNCTION = :shop.named);
CREATE VIEW :shop.own_operator AS SELECT id OPERATOR(:shop.===) other AS same FROM :shop.orders;
CREATE FUNCTION :shop.second_of(a :type, b :type)
RETURNS :type
LANGUAGE sql IMMUTABLE RETURN CASE WHEN b IS DISTINCT FROM a THEN b ELSE a END;
CREATE AGGREGATE :shop.last_of(:type) (SFUNC = :shop.second_of, STYPE = :type, INITCOND = :'sample');
CREATE VIEW :shop.own_aggregate AS
SELECT :shop.last_of(id ORDER BY n) AS last, :shop.last_of(id) OVER () IS NULL AS none
FROM :shop.orders
GROUP BY id;
CREATE VIEW :shop.hypothetical AS
SELECT rank(:'sample':::type) WITHIN GROUP (ORDER BY id) AS rank,
	cume_dist(:'sample':::type, 1) WITHIN GROUP (ORDER BY id DESC, n) AS part
FROM :shop.orders;
CREATE VIEW :shop.unknowns AS
SELECT id IS NULL AS a, (id = other) IS NOT TRUE AS b, (id = other) IS UNKNOWN AS c, several IS NOT NULL AS d,
	num_nulls(id, other) AS e, current_user IS NULL AS f
FROM :shop.orders;
CREATE VIEW :shop.xml AS
SELECT xmlelement(name o, xmlattributes(id AS id), other)::text AS element,
	xmlforest(id, other AS o)::text AS forest
FROM :shop.orders;

-- what rows are taken from
CREATE VIEW :shop.xml_table AS
SELECT x.id, x.n
FROM xmltable(
	'/a/b' PASSING ('<a><b/></a>'::xml) COLUMNS n FOR ORDINALITY, id :type PATH '@none' DEFAULT :'sample') AS x;
CREATE VIEW :shop.sampled AS
SELECT id
FROM :shop.orders TABLESAMPLE bernoulli (CASE WHEN :'sample':::type = :'sample' THEN 100 END) REPEATABLE (1);
CREATE VIEW :shop.unnested AS
SELECT u.id, u.place
FROM :shop.orders, LATERAL unnest(several) WITH ORDINALITY AS u (id, place)
WHERE u.id IS NOT DISTINCT FROM orders.id;
CREATE VIEW :shop.rows_from AS
SELECT f.*
FROM ROWS FROM (unnest(ARRAY[:'sample':::type]), json_to_record('{"id": null}') AS (id :type)) AS f (a, b);
CREATE VIEW :shop.right_using AS
SELECT id
FROM :shop.orders AS a
RIGHT JOIN :shop.lines AS b USING (id)
JOIN (SELECT id FROM :shop.lines) AS c USING (id);
CREATE VIEW :shop.naturally_full AS SELECT * FROM :shop.orders NATURAL FULL JOIN :shop.lines;
CREATE VIEW :shop.distinct_groups AS SELECT count(*) AS n FROM :shop.orders GROUP BY DISTINCT ROLLUP (id, other), ROLLUP (id, n);
CREATE VIEW :shop.with_ties AS SELECT id FROM :shop.orders ORDER BY id FETCH FIRST 3 ROWS WITH TIES;
CREATE VIEW :shop.all_of_unions AS
SELECT id, NULL:: :type AS other FROM :shop.orders
UNION ALL SELECT :'sample', id FROM :shop.lines
UNION SELECT NULL, NULL
EXCEPT ALL SELECT parent, other FROM :shop.orders;
CREATE VIEW :shop.checked_view AS SELECT id, n FROM :shop.orders WHERE id IS DISTINCT FROM :'sample' WITH CASCADED CHECK OPTION;
ALTER VIEW :shop.checked_view ALTER id SET DEFAULT :'sample';

-- what is written
CREATE RULE fields AS ON UPDATE TO :shop.typed
WHERE (new.pair).id IS DISTINCT FROM (old.pair).id
DO ALSO INSERT INTO :shop.typed (pair.id, pair.known, list[2]) VALUES (NULL, NULL, :'sample');
CREATE RULE stored AS ON DELETE TO :shop.typed
DO ALSO UPDATE :shop.typed
SET pair.id = (old.pair).id, list[1] = (old.pair).id
WHERE (pair).id = (old.pair).id;
CREATE FUNCTION :shop.upserted(a :type) RETURNS SETOF :type LANGUAGE sql BEGIN ATOMIC
	WITH w AS (
		INSERT INTO :shop.orders AS o (id, several[1], n)
		VALUES (a, a, 0), (DEFAULT, NULL, 1)
		ON CONFLICT (id) WHERE id IS NOT NULL DO UPDATE SET several[1] = excluded.id
		WHERE nullif(o.id, excluded.other) IS NOT NULL
		RETURNING o.id, nullif(o.id, o.other) AS changed)
	SELECT id FROM w WHERE changed IS DISTINCT FROM a;
END;
CREATE FUNCTION :shop.rows_of(a :type) RETURNS TABLE (id :type, is_same bool) LANGUAGE sql BEGIN ATOMIC
	SELECT o.id, o.id IS NOT DISTINCT FROM a
	FROM :shop.orders AS o
	WHERE o.id = ANY (o.several)
	ORDER BY o.id DESC FOR UPDATE OF o SKIP LOCKED;
END;

-- more objects that have a type, or an expression
CREATE TYPE :shop.id_range AS RANGE (subtype = :type);
CREATE TABLE :shop.ranged (r :shop.id_range, EXCLUDE USING gist (r WITH &&),
	CHECK (r @> lower(r) OR isempty(r) OR lower(r) IS NULL), CHECK (NOT r @> :'sample':::type));
CREATE TABLE :shop.like_checked (LIKE :shop.checked INCLUDING ALL);
CREATE TABLE :shop.keys (id :type DEFAULT :make, n int GENERATED BY DEFAULT AS IDENTITY,
	PRIMARY KEY (id) INCLUDE (n), CHECK (id <> :'sample') NO INHERIT);
CREATE INDEX ON :shop.keys ((id::text) text_pattern_ops) INCLUDE (id);
CREATE TABLE :shop.refers (id :type REFERENCES :shop.keys ON DELETE SET DEFAULT ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED);
ALTER TABLE :shop.orders ADD CONSTRAINT not_valid CHECK (id IS DISTINCT FROM :'sample') NOT VALID;
CREATE CONSTRAINT TRIGGER late AFTER UPDATE OF other ON :shop.orders DEFERRABLE
FOR EACH ROW
WHEN (new.other IS DISTINCT FROM old.other AND new.id = ANY (new.several))
EXECUTE FUNCTION :shop.nothing();
CREATE STATISTICS :shop.more (mcv) ON (CASE id WHEN other THEN 1 END), (id IN (other, parent)), other FROM :shop.orders;
CREATE TABLE :shop.by_changes (id :type, old :type) PARTITION BY RANGE ((nullif(id, old)), (CASE id WHEN old THEN 1 ELSE 2 END));
CREATE TABLE :shop.by_changes_1 PARTITION OF :shop.by_changes FOR VALUES FROM (MINVALUE, MINVALUE) TO (:'sample', 1);
CREATE PUBLICATION :"shop" FOR TABLE :shop.orders (id, n);
CREATE FOREIGN DATA WRAPPER :"shop";
CREATE SERVER :"shop" FOREIGN DATA WRAPPER :"shop";
CREATE FOREIGN TABLE :shop.far (id :type DEFAULT :'sample' CHECK (id IS DISTINCT FROM :'sample'),
	x bool GENERATED ALWAYS AS (nullif(id, :'sample') IS NULL) STORED) SERVER :"shop";

-- what newer majors have
SELECT v >= 160000 AS is_16, v >= 170000 AS is_17, v >= 180000 AS is_18
FROM current_setting('server_version_num') AS s, CAST(s AS int) AS v \gset
\if :is_16
CREATE VIEW :shop.json AS
SELECT JSON_OBJECT('id': id, 'same': id IS NOT DISTINCT FROM other)::text AS object,
	JSON_ARRAY(id, other)::text AS array,
	JSON_OBJECTAGG(id::text: other)::text AS objects,
	JSON_ARRAYAGG(id ORDER BY id)::text AS list,
	id::text IS JSON AS is_json,
	any_value(id) AS one
FROM :shop.orders
GROUP BY id, other;
\endif
\if :is_17
CREATE VIEW :shop.json_table AS
SELECT JSON_VALUE('{}', '$.id' RETURNING :type DEFAULT :'sample':::type ON EMPTY) AS value,
	JSON_QUERY('{}', '$.id' RETURNING :type[]) AS list,
	JSON_EXISTS('{}', '$ ? (@.id == $id)' PASSING (:'sample':::type)::text AS id) AS has, t.id
	FROM JSON_TABLE('[{}]', '$[*]' COLUMNS (id :type PATH '$.id' DEFAULT :'sample' ON EMPTY)) AS t;
CREATE FUNCTION :shop.merged(a :type) RETURNS SETOF text LANGUAGE sql BEGIN ATOMIC
	MERGE INTO :shop.lines AS l USING :shop.orders AS o ON o.id = l.id AND o.other IS DISTINCT FROM a
	WHEN NOT MATCHED BY SOURCE AND l.id IS DISTINCT FROM a THEN DELETE
		WHEN NOT MATCHED THEN INSERT (id, n) VALUES (nullif(o.id, a), 1) RETURNING merge_action() || l.id::text;
END;
\endif
\if :is_18
CREATE FUNCTION :shop.returned(a :type)
RETURNS SETOF bool
LANGUAGE sql BEGIN ATOMIC
	UPDATE :shop.orders SET other = a WHERE id = a RETURNING old.other IS DISTINCT FROM new.other;
END;
CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA public;
CREATE TABLE :shop.stays (id :type, during tstzrange, PRIMARY KEY (id, during WITHOUT OVERLAPS));
CREATE TABLE :shop.guests (id :type, during tstzrange, FOREIGN KEY (id, PERIOD during) REFERENCES :shop.stays);
INSERT INTO :shop.stays SELECT id, '[2026-01-01,2026-02-01)' FROM :shop.orders;
\endif

-- an id as a uuid, and beside one while columns move from one type to the other
CREATE TABLE :shop.plain (id uuid PRIMARY KEY, n int);
CREATE TABLE :shop.moving (id uuid, old :type REFERENCES :shop.orders, n int, several uuid[], pair uuid);
CREATE TABLE :shop.of_plain (id :type);
\if :beside_uuid
CREATE MATERIALIZED VIEW :shop.as_uuid AS
SELECT id::uuid AS uuid, several::uuid[] AS uuids, several::uuid[] @> ARRAY[id::uuid] AS contained,
	id::uuid:: :type AS again
FROM :shop.orders;
CREATE MATERIALIZED VIEW :shop.compared_as_uuid AS
SELECT n
FROM :shop.orders
WHERE id::uuid = other::uuid OR id::uuid IS DISTINCT FROM other::uuid OR nullif(id::uuid, other::uuid) IS NULL;
CREATE UNIQUE INDEX ON :shop.orders ((id::uuid));
ALTER TABLE :shop.moving ADD FOREIGN KEY (id) REFERENCES :shop.orders;
ALTER TABLE :shop.of_plain ADD FOREIGN KEY (id) REFERENCES :shop.plain;
INSERT INTO :shop.moving SELECT id, id, n, ARRAY[id::uuid], id FROM :shop.orders;
INSERT INTO :shop.plain SELECT id, n FROM :shop.orders;
INSERT INTO :shop.of_plain SELECT id::uuid FROM :shop.orders;
CREATE VIEW :shop.mixed_operators AS
SELECT n
FROM :shop.moving
WHERE id = old AND old = id AND id <= old AND old >= id AND NOT id < old AND NOT old > id AND NOT id <> old;
CREATE VIEW :shop.mixed_distinct AS
SELECT id IS DISTINCT FROM old AS a, old IS NOT DISTINCT FROM id AS b, nullif(id, old) AS c,
	nullif(old, id) AS d, CASE id WHEN old THEN 1 END AS e, CASE old WHEN id THEN 1 END AS f
FROM :shop.moving;
CREATE VIEW :shop.mixed_lists AS
SELECT id IN (old, pair) AS a, old IN (id, pair) AS b, id = ANY (ARRAY[old]) AS c, old = ANY (several) AS d,
	id = ALL (SELECT old FROM :shop.moving) AS e, old NOT IN (SELECT id FROM :shop.moving) AS f
FROM :shop.moving;
CREATE VIEW :shop.mixed_rows AS
SELECT (id, n) = (old, n) AS a, (id, n) < (old, n) AS b, (old, n) >= (id, n) AS c,
	(old, n) IN (SELECT id, n FROM :shop.moving) AS d, (id, n) IS DISTINCT FROM (old, n) AS e
FROM :shop.moving;
CREATE VIEW :shop.mixed_between AS SELECT n FROM :shop.moving WHERE id BETWEEN old AND pair AND old BETWEEN SYMMETRIC pair AND id;
CREATE VIEW :shop.mixed_joins AS SELECT id FROM :shop.orders JOIN :shop.plain USING (id) LEFT JOIN :shop.of_plain USING (id);
CREATE VIEW :shop.mixed_full AS SELECT id FROM :shop.plain FULL JOIN :shop.orders USING (id, n);
CREATE VIEW :shop.mixed_natural AS SELECT id FROM :shop.plain NATURAL JOIN :shop.of_plain;
CREATE VIEW :shop.mixed_types AS
SELECT coalesce(id, old) AS a, coalesce(old, id) AS b, CASE WHEN n = 1 THEN id ELSE old END AS c,
	greatest(old, id) AS d, ARRAY[id, old] AS e, several || old AS f
FROM :shop.moving;
CREATE VIEW :shop.mixed_union AS
SELECT id FROM :shop.plain
UNION SELECT id FROM :shop.orders
UNION ALL SELECT old FROM :shop.moving
EXCEPT SELECT id FROM :shop.plain;
CREATE TABLE :shop.mixed_checked (id uuid, old :type,
	same bool GENERATED ALWAYS AS (id IS NOT DISTINCT FROM old) STORED,
	CHECK (id IS DISTINCT FROM old OR nullif(old, id) IS NULL), CHECK (id IN (old)),
	CHECK ((id, 1) <= (old, 1)));
CREATE INDEX ON :shop.moving ((nullif(id, old))) WHERE id IS NOT DISTINCT FROM old;
CREATE FUNCTION :shop.mixed(a uuid, b :type)
RETURNS bool
LANGUAGE sql RETURN a IS NOT DISTINCT FROM b OR nullif(b, a) IS NULL OR CASE a WHEN b THEN true END;
\endif
