-- Whatever PostgreSQL can print of a comparison, an order or a type, with columns of
-- type :type.  The list follows get_rule_expr(), get_query_def() and what calls them
-- in ruleutils.c, and after that the objects whose definitions have expressions.
--
-- They go into schema :shop.  :sample is an id, :make makes one, :ordered says whether
-- < of the type is an operator of btree, :checked_domain whether a domain over it
-- compares its values, and :row_functions whether rows are compared in BEGIN ATOMIC.

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
CREATE VIEW :shop.between AS SELECT n FROM :shop.orders WHERE id BETWEEN parent AND other AND id NOT BETWEEN SYMMETRIC other AND other;
CREATE VIEW :shop.any_of AS SELECT n FROM :shop.orders WHERE id = ANY (several) AND other <> ALL (ARRAY[:'sample':::type, NULL]) IS NOT TRUE;
CREATE VIEW :shop.in_list AS SELECT n FROM :shop.orders WHERE id IN (parent, other) AND id NOT IN (:'sample', :'sample');
CREATE VIEW :shop.contains AS SELECT n FROM :shop.orders WHERE several @> ARRAY[id] AND several && ARRAY[parent] AND several <> ARRAY[other];

-- operators whose place in the syntax has no name
CREATE VIEW :shop.distinct_from AS SELECT n, id IS DISTINCT FROM other AS differs FROM :shop.orders WHERE id IS NOT DISTINCT FROM parent;
CREATE VIEW :shop.distinct_null AS SELECT n FROM :shop.orders WHERE NOT (id IS DISTINCT FROM NULL) OR id IS DISTINCT FROM :'sample';
CREATE VIEW :shop.null_if AS SELECT n, nullif(id, other) AS changed FROM :shop.orders;
CREATE VIEW :shop.simple_case AS SELECT CASE id WHEN other THEN 1 WHEN :'sample' THEN 2 ELSE 3 END AS result, CASE WHEN id = other THEN id ELSE parent END AS chosen FROM :shop.orders;
CREATE VIEW :shop.extremes AS SELECT greatest(id, other) AS greatest, least(id, parent) AS least, coalesce(parent, id) AS first FROM :shop.orders;

-- rows, whose columns share one name
CREATE VIEW :shop.row_equal AS SELECT n FROM :shop.orders WHERE (id, n) = (parent, n) AND (id, n) <> (other, 0) AND (n, id) IN ((n, parent), (0, other));
CREATE VIEW :shop.row_distinct AS SELECT n FROM :shop.orders WHERE (id, n) IS DISTINCT FROM (other, n) OR (n, id) IS NOT DISTINCT FROM (n, parent);
\if :ordered
CREATE VIEW :shop.row_less AS SELECT n FROM :shop.orders WHERE (id, n) < (other, n) OR (n, id) >= (n, other);
CREATE VIEW :shop.row_sublink AS SELECT n FROM :shop.orders WHERE (id, n) <= (SELECT max(id), 1 FROM :shop.lines);
CREATE VIEW :shop.row_less_all AS SELECT n FROM :shop.orders WHERE (id, n) < ALL (SELECT other, o.n FROM :shop.orders AS o WHERE o.n = 3);
\endif

-- sub-selects
CREATE VIEW :shop.in_select AS SELECT n FROM :shop.orders WHERE id IN (SELECT id FROM :shop.lines) AND other NOT IN (SELECT id FROM :shop.lines WHERE line = 2);
CREATE VIEW :shop.rows_in_select AS SELECT n FROM :shop.orders WHERE (id, n) IN (SELECT id, n FROM :shop.lines) AND (n, id) NOT IN (SELECT line + 1, id FROM :shop.lines WHERE line = 2);
CREATE VIEW :shop.any_select AS SELECT n FROM :shop.orders WHERE id <> ANY (SELECT id FROM :shop.lines) AND id >= ALL (SELECT id FROM :shop.lines WHERE line = 2);
CREATE VIEW :shop.scalar AS SELECT n, (SELECT max(l.id) FROM :shop.lines AS l) = id AS last, ARRAY(SELECT id FROM :shop.lines) AS list FROM :shop.orders AS o WHERE EXISTS (SELECT FROM :shop.lines AS l WHERE l.id = o.id);

-- joins
CREATE VIEW :shop.using AS SELECT id, o.n FROM :shop.orders AS o JOIN :shop.lines AS l USING (id) LEFT JOIN :shop.orders AS r USING (id);
CREATE VIEW :shop.using_as AS SELECT j.id FROM :shop.orders AS o JOIN :shop.lines AS l USING (id) AS j;
CREATE VIEW :shop.full_using AS SELECT id FROM :shop.orders AS o FULL JOIN :shop.lines AS l USING (id, n);
CREATE VIEW :shop.naturally AS SELECT id FROM :shop.orders AS o NATURAL JOIN :shop.lines AS l;
CREATE VIEW :shop.on_equal AS SELECT o.n FROM :shop.orders AS o JOIN :shop.lines AS l ON o.id = l.id AND o.id IS DISTINCT FROM o.other;

-- orders and groups
CREATE VIEW :shop.sorted AS SELECT id FROM :shop.orders ORDER BY id DESC, other NULLS FIRST;
\if :ordered
CREATE VIEW :shop.sorted_using AS SELECT id FROM :shop.orders ORDER BY id USING >, other USING <;
CREATE VIEW :shop.aggregated_using AS SELECT array_agg(n ORDER BY id USING >) AS list FROM :shop.orders;
\endif
CREATE VIEW :shop.distinct_rows AS SELECT DISTINCT other FROM :shop.orders;
CREATE VIEW :shop.distinct_on AS SELECT DISTINCT ON (other) other, id FROM :shop.orders ORDER BY other, id DESC;
CREATE VIEW :shop.grouped AS SELECT other, count(*) AS n FROM :shop.orders GROUP BY other HAVING max(id) = other;
CREATE VIEW :shop.grouping_sets AS SELECT id, other, grouping(id) AS g FROM :shop.orders GROUP BY GROUPING SETS ((id), (other), CUBE (id, other));
CREATE VIEW :shop.aggregates AS SELECT min(id) AS min, max(id) AS max, count(DISTINCT other) AS others, array_agg(id ORDER BY id DESC) AS list,
	count(*) FILTER (WHERE id = other) AS last, mode() WITHIN GROUP (ORDER BY other) AS mode, percentile_disc(0.5) WITHIN GROUP (ORDER BY id) AS median FROM :shop.orders;
CREATE VIEW :shop.windows AS SELECT rank() OVER w AS rank, lag(id) OVER w AS last, count(*) OVER (PARTITION BY other ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS peers,
	max(id) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) AS next FROM :shop.orders WINDOW w AS (PARTITION BY other ORDER BY id DESC);
CREATE VIEW :shop.set_operations AS (SELECT id FROM :shop.orders UNION SELECT id FROM :shop.lines) INTERSECT SELECT parent FROM :shop.orders EXCEPT SELECT other FROM :shop.orders;
CREATE VIEW :shop.recursive AS WITH RECURSIVE tree (id, n) AS (SELECT id, n FROM :shop.orders WHERE n = 1 UNION SELECT o.id, o.n FROM :shop.orders AS o JOIN tree ON o.parent = tree.id)
	SEARCH BREADTH FIRST BY id SET place CYCLE id SET again USING path SELECT id, n, again FROM tree;
CREATE VIEW :shop.list AS SELECT v.id FROM (VALUES (:'sample':::type), (NULL)) AS v (id) WHERE v.id IN (SELECT other FROM :shop.orders) IS NOT TRUE;
CREATE MATERIALIZED VIEW :shop.materialized AS SELECT id, nullif(id, other) IS NULL AS last FROM :shop.orders WITH DATA;
CREATE UNIQUE INDEX ON :shop.materialized (id);

-- checks, defaults, generated columns, domains
CREATE TABLE :shop.checked (
	id :type CHECK (id IS DISTINCT FROM :'sample'), old :type CHECK (old <> ALL (ARRAY[:'sample', :'sample']:::type[])), n int,
	is_new bool GENERATED ALWAYS AS (nullif(id, old) IS NOT NULL) STORED,
	kind int GENERATED ALWAYS AS (CASE id WHEN old THEN 1 WHEN :'sample' THEN 2 END) STORED,
	fixed :type DEFAULT :'sample', chosen bool DEFAULT (:'sample':::type IS DISTINCT FROM :make),
	CHECK (id IS NOT DISTINCT FROM old OR id > old), CHECK ((id, n) IS DISTINCT FROM (old, 0)), CHECK (id NOT IN (old, :'sample') OR n = 1)
\if :ordered
	, CHECK ((id, n) >= (old, 0))
\endif
);
INSERT INTO :shop.checked (id, old, n) SELECT id, id, 1 FROM :shop.orders;
\if :checked_domain
CREATE DOMAIN :shop.known AS :type CHECK (VALUE IS DISTINCT FROM :'sample' AND nullif(VALUE, :'sample') IS NOT NULL) DEFAULT :make;
\else
CREATE DOMAIN :shop.known AS :type DEFAULT :make;
\endif
CREATE TYPE :shop.pair AS (id :type, known :shop.known);
CREATE TABLE :shop.typed (pair :shop.pair, known :shop.known, list :type[] DEFAULT ARRAY[:'sample']:::type[]);
INSERT INTO :shop.typed SELECT ROW(id, id::text:: :shop.known):: :shop.pair, id FROM :shop.orders;

-- indexes, exclusion, statistics
CREATE INDEX ON :shop.orders (n) WHERE id IS DISTINCT FROM other;
CREATE INDEX ON :shop.orders ((nullif(id, other)), (CASE id WHEN other THEN 1 ELSE 0 END));
CREATE INDEX ON :shop.orders (other, id DESC) WHERE parent = id AND other NOT IN (:'sample');
CREATE INDEX ON :shop.orders USING hash (other);
CREATE INDEX ON :shop.orders USING brin (parent, other);
CREATE INDEX ON :shop.orders USING gin (several);
CREATE TABLE :shop.excluded (id :type, n int, EXCLUDE USING btree (id WITH =) WHERE (id IS DISTINCT FROM :'sample'));
CREATE STATISTICS :shop.expected ON (id IS DISTINCT FROM other), (nullif(id, other)), n FROM :shop.orders;

-- policies, rules, triggers
ALTER TABLE :shop.lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY visible ON :shop.lines USING (id IN (SELECT o.id FROM :shop.orders AS o WHERE o.id IS DISTINCT FROM lines.id)) WITH CHECK (nullif(id, :'sample') IS NOT NULL);
CREATE RULE changed AS ON UPDATE TO :shop.checked WHERE new.fixed IS NOT DISTINCT FROM old.fixed AND nullif(new.id, old.id) IS NOT NULL DO ALSO DELETE FROM :shop.lines WHERE nullif(lines.id, new.id) IS NULL;
CREATE RULE copied AS ON INSERT TO :shop.excluded DO ALSO UPDATE :shop.checked SET (id, n) = (SELECT o.id, o.n FROM :shop.orders AS o WHERE o.id = new.id) WHERE id IS DISTINCT FROM new.id AND CASE id WHEN old THEN true END;
CREATE FUNCTION :shop.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
CREATE TRIGGER changes BEFORE UPDATE ON :shop.orders FOR EACH ROW WHEN (old.other IS DISTINCT FROM new.other OR (old.id, old.n) IS DISTINCT FROM (new.id, new.n)) EXECUTE FUNCTION :shop.nothing();
CREATE TRIGGER deletes BEFORE DELETE ON :shop.orders FOR EACH ROW WHEN (old.* IS DISTINCT FROM NULL AND nullif(old.id, old.other) IS NULL AND old.id IN (old.parent, :'sample')) EXECUTE FUNCTION :shop.nothing();

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
CREATE FUNCTION :shop.same(a :type, b :type DEFAULT :'sample') RETURNS bool LANGUAGE sql RETURN a IS NOT DISTINCT FROM b OR nullif(a, b) IS NULL;
CREATE FUNCTION :shop.count_of(a :type) RETURNS bigint LANGUAGE sql BEGIN ATOMIC
	SELECT count(*) FROM :shop.orders AS o JOIN :shop.lines AS l USING (id) WHERE o.other IS DISTINCT FROM a AND o.id IN (SELECT id FROM :shop.lines) GROUP BY o.other ORDER BY o.other;
END;
CREATE FUNCTION :shop.replace(a :type, b :type) RETURNS void LANGUAGE sql BEGIN ATOMIC
	INSERT INTO :shop.orders (id, n) VALUES (a, 1) ON CONFLICT (id) DO UPDATE SET other = excluded.id WHERE orders.other IS DISTINCT FROM excluded.id;
	UPDATE :shop.orders SET (other, n) = (SELECT b, 1) WHERE CASE id WHEN a THEN true END;
	DELETE FROM :shop.lines AS l USING :shop.orders AS o WHERE l.id = o.id AND o.id IN (SELECT a);
	MERGE INTO :shop.lines AS l USING :shop.orders AS o ON o.id = l.id WHEN MATCHED AND o.other IS DISTINCT FROM l.id THEN UPDATE SET id = nullif(o.id, a) WHEN NOT MATCHED THEN DO NOTHING;
END;
\if :row_functions
CREATE FUNCTION :shop.page(last :type, last_n int) RETURNS SETOF :shop.orders LANGUAGE sql BEGIN ATOMIC
	SELECT * FROM :shop.orders WHERE (id, n) > (last, last_n) AND (id, n) IN (SELECT id, n FROM :shop.lines) ORDER BY id, n LIMIT 10;
END;
\endif
CREATE PROCEDURE :shop.forget(a :type) LANGUAGE sql BEGIN ATOMIC
	DELETE FROM :shop.orders WHERE id = a AND id IS DISTINCT FROM other;
END;
