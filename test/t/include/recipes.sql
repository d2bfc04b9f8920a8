-- What test/t/recipes plays with: an application that writes, and books
-- in schema play of what its tables must hold.  Psql variables key_type, key (its
-- definition) and new_key_body (an expression) say which keys; partitioned, whether
-- the lines are.

CREATE SCHEMA play;
CREATE SCHEMA shop AUTHORIZATION keeper;
GRANT USAGE ON SCHEMA play, shop TO app;
CREATE SEQUENCE play.n START 1000000;
CREATE TABLE play.orders (label text PRIMARY KEY, total int, parent text);
CREATE TABLE play.lines (label text PRIMARY KEY, of_order text, other text);
GRANT ALL ON ALL TABLES IN SCHEMA play TO app;
GRANT ALL ON SEQUENCE play.n TO app;

SET ROLE keeper;
CREATE TABLE shop.orders (
	id :key PRIMARY KEY,
	label text NOT NULL,
	total int NOT NULL DEFAULT 1 CHECK (total > 0),
	twice int GENERATED ALWAYS AS (total * 2) STORED,
	touched int NOT NULL DEFAULT 0,
	parent_id :key_type REFERENCES shop.orders ON UPDATE CASCADE ON DELETE SET NULL,
	created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE shop.lines (
	order_id :key_type NOT NULL REFERENCES shop.orders ON UPDATE CASCADE ON DELETE CASCADE,
	n int,
	other_id :key_type CONSTRAINT "Other" REFERENCES shop.orders ON UPDATE CASCADE ON DELETE SET NULL,
	label text NOT NULL,
	PRIMARY KEY (order_id, n)
)
\if :partitioned
	PARTITION BY HASH (n);
	CREATE TABLE shop.lines_1 PARTITION OF shop.lines FOR VALUES WITH (MODULUS 3, REMAINDER 0) WITH (fillfactor = 40);
	-- columns in another order
	CREATE TABLE shop.lines_2 (label text NOT NULL, gone int, other_id :key_type, n int NOT NULL, order_id :key_type NOT NULL);
	ALTER TABLE shop.lines_2 DROP COLUMN gone;
	ALTER TABLE shop.lines ATTACH PARTITION shop.lines_2 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
	CREATE TABLE shop.lines_3 PARTITION OF shop.lines FOR VALUES WITH (MODULUS 3, REMAINDER 2) PARTITION BY RANGE (n);
	CREATE TABLE shop.lines_3_early PARTITION OF shop.lines_3 FOR VALUES FROM (MINVALUE) TO (1000100);
	CREATE TABLE shop.lines_3_late PARTITION OF shop.lines_3 FOR VALUES FROM (1000100) TO (2000000);
	COMMENT ON COLUMN shop.lines_1.other_id IS 'another one, in the first part';
	GRANT SELECT (other_id) ON shop.lines_2 TO reader;
\else
	WITH (fillfactor = 40);
\endif
CREATE INDEX orders_made ON shop.orders (created_at, id DESC) INCLUDE (total);
-- with constants whose text depends on settings
CREATE INDEX "Other lines" ON shop.lines (other_id)
	WHERE label <> ''
		AND '2001-02-03 04:05:06.789+00'::timestamptz <> '-infinity'
		AND 0.1::float8 * n <> '0.30000000000000004'::float8
	AND '-1 day +02:00'::interval <> '0' AND '{NULL,"NULL"}'::text[] <> '{}' AND 'x <b/>'::xml::text <> '';
ALTER TABLE shop.lines ADD CONSTRAINT lines_once UNIQUE (order_id, label, n);

CREATE FUNCTION shop.touch() RETURNS trigger LANGUAGE plpgsql AS
	$$ BEGIN NEW.touched := OLD.touched + 1; RETURN NEW; END $$;
CREATE TRIGGER touch BEFORE UPDATE ON shop.orders FOR EACH ROW WHEN (NEW.created_at > '1999-02-03 04:05:06+00'::timestamptz)
	EXECUTE FUNCTION shop.touch();
CREATE TRIGGER z_min_update BEFORE UPDATE ON shop.lines
	FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
ALTER TABLE shop.orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY mine ON shop.orders TO app USING (total > 0 AND created_at > '1999-02-03 04:05:06+00');
GRANT SELECT, INSERT, UPDATE, DELETE ON shop.orders, shop.lines TO app;
GRANT SELECT (id, label), REFERENCES (id) ON shop.orders TO reader;
GRANT UPDATE (other_id) ON shop.lines TO reader;
GRANT SELECT ON shop.orders TO reader;
COMMENT ON TABLE shop.orders IS 'orders';
COMMENT ON COLUMN shop.orders.id IS 'the key';
COMMENT ON COLUMN shop.lines.other_id IS 'another one';
COMMENT ON CONSTRAINT orders_pkey ON shop.orders IS 'primary';
COMMENT ON CONSTRAINT "Other" ON shop.lines IS 'foreign';
COMMENT ON INDEX shop."Other lines" IS 'an index';
\if :partitioned
	ALTER TABLE shop.lines_1 REPLICA IDENTITY USING INDEX lines_1_pkey;
	ALTER TABLE shop.lines_1 CLUSTER ON lines_1_pkey;
\else
	ALTER TABLE shop.lines REPLICA IDENTITY USING INDEX lines_pkey;
	ALTER TABLE shop.lines CLUSTER ON lines_pkey;
\endif
ALTER TABLE shop.orders ALTER COLUMN id SET STATISTICS 321;
ALTER TABLE shop.lines ALTER COLUMN other_id SET STATISTICS 123;
RESET ROLE;
CREATE PUBLICATION shop_orders FOR TABLE shop.orders, shop.lines;

CREATE FUNCTION play.new_key() RETURNS :key_type LANGUAGE sql AS :'new_key_body';

-- The n-th thing that an application does, by columns of these names.
CREATE FUNCTION play.act(n int, key text, of_order text, other text, parent text, make text, gives_key bool)
RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
	a text;
	b text;
	line text := (SELECT label FROM play.lines ORDER BY md5(label || act.n) LIMIT 1);
	made text := 'made ' || nextval('play.n');
	id_of text := format('(SELECT %I FROM shop.orders WHERE label = %%L)', key);
BEGIN
	-- rows of new code have no old key, and old code does not see them
	EXECUTE format('SELECT (array_agg(label ORDER BY md5(label || $1)))[1], (array_agg(label ORDER BY md5(label || -$1)))[1]
		FROM shop.orders WHERE %I IS NOT NULL', key) INTO a, b USING n;
	CASE n % 9
	WHEN 0 THEN
		EXECUTE format(CASE WHEN gives_key THEN 'INSERT INTO shop.orders (label, %1$I) VALUES (%2$L, %3$s)'
			ELSE 'INSERT INTO shop.orders (label) VALUES (%2$L)' END, key, made, make);
		INSERT INTO play.orders VALUES (made, 1);
	WHEN 1 THEN
		EXECUTE format('INSERT INTO shop.lines (%I, n, %I, label) VALUES (' || id_of || ', %s, ' || id_of || ', %L)',
			of_order, other, a, nextval('play.n'), b, made);
		INSERT INTO play.lines VALUES (made, a, b);
	WHEN 2 THEN
		EXECUTE format('UPDATE shop.orders SET %I = %s WHERE label = %L', key, make, a);
	WHEN 3 THEN
		DELETE FROM shop.orders WHERE label = a;
		DELETE FROM play.lines WHERE of_order = a;
		UPDATE play.lines SET other = NULL WHERE play.lines.other = a;
		DELETE FROM play.orders WHERE label = a;
		UPDATE play.orders SET parent = NULL WHERE play.orders.parent = a;
	WHEN 4 THEN
		EXECUTE format('UPDATE shop.lines SET %I = NULL WHERE label = %L', other, line);
		UPDATE play.lines SET other = NULL WHERE label = line;
	WHEN 5 THEN
		EXECUTE format('UPDATE shop.lines SET %I = ' || id_of || ' WHERE label = %L', other, a, line);
		UPDATE play.lines SET other = a WHERE label = line;
	WHEN 6 THEN
		EXECUTE format('UPDATE shop.lines SET %I = ' || id_of || ', n = %s WHERE label = %L',
			of_order, b, nextval('play.n'), line);
		UPDATE play.lines SET of_order = b WHERE label = line;
	WHEN 7 THEN
		EXECUTE format('UPDATE shop.orders SET total = total + 1, %I = ' || id_of || ' WHERE label = %L',
			parent, b, a);
		UPDATE play.orders SET total = total + 1, parent = b WHERE label = a;
	WHEN 8 THEN
		EXECUTE format('UPDATE shop.orders SET %I = NULL WHERE label = %L', parent, a);
		UPDATE play.orders SET parent = NULL WHERE label = a;
	END CASE;
END $$;

-- Rows and references that are not as the books have them, by columns of these names.
CREATE FUNCTION play.differences(key text, of_order text, other text, parent text)
RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH orders AS (SELECT o.label, o.total, p.label AS parent
				FROM shop.orders o LEFT JOIN shop.orders p ON p.%1$I = o.%4$I),
			lines AS (SELECT l.label, o.label AS of_order, p.label AS other
				FROM shop.lines l LEFT JOIN shop.orders o ON o.%1$I = l.%2$I LEFT JOIN shop.orders p ON p.%1$I = l.%3$I)
		(SELECT 'lost ' || o::text FROM play.orders o EXCEPT ALL SELECT 'lost ' || o::text FROM orders o)
		UNION ALL (SELECT 'extra ' || o::text FROM orders o EXCEPT ALL SELECT 'extra ' || o::text FROM play.orders o)
		UNION ALL (SELECT 'lost ' || l::text FROM play.lines l EXCEPT ALL SELECT 'lost ' || l::text FROM lines l)
		UNION ALL (SELECT 'extra ' || l::text FROM lines l EXCEPT ALL SELECT 'extra ' || l::text FROM play.lines l)$q$,
		key, of_order, other, parent);
END $$;

-- All that tables of schema shop have and are, partitions too or not.  A key's own
-- type and default are left out.
CREATE FUNCTION play.description(parts_too bool DEFAULT true) RETURNS SETOF text
LANGUAGE sql SET search_path = pg_catalog AS $$
	SELECT format('table %s %s owner %s acl %s rls %s %s replica %s options %s comment %s tablespace %s bound %s',
		c.oid::regclass, relkind, relowner::regrole, relacl, relrowsecurity, relforcerowsecurity, relreplident, reloptions,
		obj_description(c.oid, 'pg_class'), reltablespace, pg_get_expr(relpartbound, c.oid))
	FROM pg_class c WHERE relnamespace = 'shop'::regnamespace AND relkind IN ('r', 'p', 'v', 'S')
		AND (parts_too OR NOT relispartition)
		AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'i')
	UNION ALL
	SELECT format('column %s.%s %s null %s acl %s statistics %s comment %s generated %s', attrelid::regclass, attname,
		CASE WHEN attname ~ '(^|_)id$' THEN 'key'
			ELSE concat_ws(' ', format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid)) END,
		NOT attnotnull, attacl, nullif(attstattarget, -1), col_description(attrelid, attnum), attgenerated)
	FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
	WHERE relnamespace = 'shop'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
		AND (parts_too OR NOT relispartition)
	UNION ALL
	SELECT format('constraint %s of %s: %s valid %s comment %s', conname, conrelid::regclass, pg_get_constraintdef(k.oid),
		convalidated, obj_description(k.oid, 'pg_constraint'))
	FROM pg_constraint k JOIN pg_class t ON t.oid = conrelid
	WHERE connamespace = 'shop'::regnamespace AND contype IN ('c', 'f', 'p', 'u', 'x')
		AND (parts_too OR conparentid = 0 AND NOT relispartition)
	UNION ALL
	SELECT format('index %s of %s valid %s primary %s replica %s cluster %s comment %s', pg_get_indexdef(indexrelid),
		(SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = indexrelid), indisvalid, indisprimary,
		indisreplident, indisclustered, obj_description(indexrelid, 'pg_class'))
	FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_class t ON t.oid = indrelid
	WHERE c.relnamespace = 'shop'::regnamespace AND (parts_too OR NOT t.relispartition)
	UNION ALL
	SELECT format('trigger %s %s', pg_get_triggerdef(t.oid), tgenabled)
	FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
	WHERE relnamespace = 'shop'::regnamespace AND NOT tgisinternal AND tgparentid = 0
	UNION ALL
	SELECT format('policy %s of %s for %s: %s %s', polname, polrelid::regclass, polroles::regrole[],
		pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
	FROM pg_policy
	UNION ALL
	SELECT format('published %s by %s', prrelid::regclass, prpubid) FROM pg_publication_rel
	UNION ALL
	SELECT format('function %s', oid::regprocedure) FROM pg_proc WHERE pronamespace = 'shop'::regnamespace
$$;

-- The application goes on: old code, and where the new key is the primary key new code, too.
CREATE FUNCTION play.go_on(n int, make text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM play.act(n, 'id', 'order_id', 'other_id', 'parent_id', 'play.new_key()', true);
	IF EXISTS (SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
		WHERE indrelid = 'shop.orders'::regclass AND indisprimary AND attname = 'uid') THEN
		PERFORM play.act(n + 4, 'uid', 'order_uid', 'other_uid', 'parent_uid', make, false);
	END IF;
END $$;
