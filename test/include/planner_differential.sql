-- Random queries about orders, their items and customers, to compare what the planner
-- expects with uidext's estimates, with those of single tables only, without any, and
-- of the same tables by timestamptz.  Begin with setseed() and the psql variable
-- "orders", which are spread over 90 days.

-- A set of tables is of one kind of key (id, at), one shape and one state.  "both"
-- are views, UNION ALL of parts and heirs.
CREATE TABLE differential_set (shape text, state text, analyzed_days int);
INSERT INTO differential_set
	SELECT shape, state, analyzed_days
	FROM unnest('{plain, parts, heirs, both}'::text[]) AS shape,
		(VALUES ('fresh', 90), ('day_old', 89), ('months_old', 30), ('none', 0), ('leaves', 0), ('parents', 89))
			AS of_state(state, analyzed_days)
	WHERE shape <> 'plain' OR state NOT IN ('leaves', 'parents');

-- Of a hundred orders two come late, some of them never, and one up to five days early.
-- Items are few for most orders and many for some; some customers have most orders.
CREATE TABLE differential_order AS
	SELECT at, day, greatest(day + late, 0) AS comes, customer, items
	FROM (SELECT date_trunc('milliseconds', timestamptz '2026-01-01Z' + n * interval '90 days' / :orders) AS at,
			n * 90.0 / :orders AS day,
			CASE WHEN chance < 0.02 THEN 90 * random() WHEN chance < 0.03 THEN -5 * random() ELSE 0 END AS late,
			floor(power(random(), 3) * 200)::int AS customer,
			CASE WHEN n % 2000 = 1 THEN 100 ELSE floor(power(random(), 2) * 5)::int END AS items
		FROM (SELECT n, random() AS chance FROM generate_series(0, :orders - 1) AS n) AS drawn) AS dated;
CREATE TABLE differential_customer (customer int PRIMARY KEY, name text, address text);
INSERT INTO differential_customer
	SELECT n, 'customer ' || n, repeat('x', 100) FROM generate_series(0, :orders / 2) AS n;
CREATE TABLE differential_visit AS SELECT n % 200 AS customer, n AS page FROM generate_series(1, :orders / 10) AS n;
ANALYZE differential_customer, differential_visit;

CREATE FUNCTION differential_bound(kind text, day int) RETURNS text
	RETURN (SELECT CASE kind WHEN 'id' THEN uuid_boundary(at)::text ELSE at::text END
		FROM (SELECT timestamptz '2026-01-01Z' + day * interval '1 day') AS moment(at));

-- The orders of some days, and their items, that come within others.
CREATE PROCEDURE differential_insert(kind text, of_set text, days numrange, within numrange) LANGUAGE plpgsql AS $$
DECLARE
	key text := CASE kind WHEN 'id' THEN 'uuid_boundary(at)' ELSE 'at' END;
	condition text := format('day <@ %L::numrange AND comes::numeric <@ %L::numrange', days, within);
BEGIN
	EXECUTE format('INSERT INTO %I SELECT %s, customer, 0 FROM differential_order WHERE %s',
		format('orders_%s_%s', kind, of_set), key, condition);
	EXECUTE format('INSERT INTO %I
		SELECT %s, customer, n FROM differential_order, generate_series(1, items) AS n WHERE %s',
		format('items_%s_%s', kind, of_set), key, condition);
END $$;
-- A table with children has the first 18 days itself, and each child the next 18.
CREATE PROCEDURE differential_fill(kind text, of_set text, first int, last int) LANGUAGE plpgsql AS $$
DECLARE
	within numrange := numrange(first, last);
BEGIN
	IF of_set NOT LIKE 'heirs%' THEN
		CALL differential_insert(kind, of_set, '(,)', within);
		RETURN;
	END IF;
	CALL differential_insert(kind, of_set, '(,18)', within);
	FOR n IN 1 .. 4 LOOP
		CALL differential_insert(kind, format('%s_%s', of_set, n), numrange(18 * n, 18 * n + 18), within);
	END LOOP;
END $$;

-- The keys of orders and of items.
CREATE FUNCTION differential_key(name text) RETURNS text
	RETURN CASE WHEN name LIKE 'orders%' THEN 'k' ELSE 'k, n' END;
CREATE PROCEDURE differential_create_child(kind text, shape text, parent text, n int) LANGUAGE plpgsql AS $$
DECLARE
	name text := parent || '_' || n;
BEGIN
	IF shape = 'parts' THEN
		EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L) WITH (autovacuum_enabled = off)',
			name, parent, differential_bound(kind, 9 * n - 9), differential_bound(kind, 9 * n));
	ELSE
		EXECUTE format('CREATE TABLE %I (PRIMARY KEY (%s)) INHERITS (%I) WITH (autovacuum_enabled = off)',
			name, differential_key(name), parent);
	END IF;
END $$;
-- Partitions of nine days, of which the last two are to come.
CREATE PROCEDURE differential_create(kind text, shape text, name text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %I (k %s NOT NULL, customer int, n int, PRIMARY KEY (%s)) %s', name,
		CASE kind WHEN 'id' THEN 'uuid' ELSE 'timestamptz' END, differential_key(name),
		CASE shape WHEN 'parts' THEN 'PARTITION BY RANGE (k)' ELSE 'WITH (autovacuum_enabled = off)' END);
	FOR n IN 1 .. CASE shape WHEN 'parts' THEN 12 WHEN 'heirs' THEN 4 ELSE 0 END LOOP
		CALL differential_create_child(kind, shape, name, n);
	END LOOP;
	IF shape = 'plain' AND name LIKE 'items%' THEN
		EXECUTE format('ALTER TABLE %I ADD FOREIGN KEY (k) REFERENCES %I', name, replace(name, 'items', 'orders'));
	END IF;
END $$;

CREATE PROCEDURE differential_analyze(name text, state text) LANGUAGE plpgsql AS $$
DECLARE
	leaf regclass;
BEGIN
	IF state = 'none' THEN
		RETURN;
	ELSIF state <> 'leaves' THEN
		EXECUTE format('ANALYZE %I', name);
	END IF;
	FOR leaf IN SELECT inhrelid FROM pg_inherits WHERE inhparent = name::regclass LOOP
		IF state = 'parents' THEN
			DELETE FROM pg_statistic WHERE starelid = leaf;
		ELSE
			EXECUTE 'ANALYZE ' || leaf;
		END IF;
	END LOOP;
END $$;

CREATE PROCEDURE differential_create_set(kind text, made differential_set) LANGUAGE plpgsql AS $$
DECLARE
	set text := made.shape || '_' || made.state;
	tables text[] := ARRAY[format('orders_%s_%s', kind, set), format('items_%s_%s', kind, set)];
	name text;
BEGIN
	FOREACH name IN ARRAY tables LOOP
		CALL differential_create(kind, made.shape, name);
	END LOOP;
	CALL differential_fill(kind, set, 0, made.analyzed_days);
	FOREACH name IN ARRAY tables LOOP
		CALL differential_analyze(name, made.state);
	END LOOP;
	CALL differential_fill(kind, set, made.analyzed_days, 90);
	-- autovacuum comes to partitions, not to their parent
	IF made.state NOT IN ('day_old', 'months_old', 'leaves') OR made.shape = 'plain' THEN
		RETURN;
	END IF;
	FOREACH name IN ARRAY tables LOOP
		CALL differential_analyze(name, 'leaves');
	END LOOP;
END $$;

CREATE PROCEDURE differential_create_views(kind text, made differential_set) LANGUAGE plpgsql AS $$
DECLARE
	name text;
BEGIN
	FOREACH name IN ARRAY '{orders, items}'::text[] LOOP
		EXECUTE format('CREATE VIEW %I AS TABLE %I UNION ALL TABLE %I', format('%s_%s_both_%s', name, kind, made.state),
			format('%s_%s_parts_%s', name, kind, made.state), format('%s_%s_heirs_%s', name, kind, made.state));
	END LOOP;
END $$;

DO $$
DECLARE
	made differential_set;
	kind text;
BEGIN
	FOR made IN SELECT * FROM differential_set ORDER BY shape = 'both' LOOP
		FOREACH kind IN ARRAY '{id, at}'::text[] LOOP
			IF made.shape = 'both' THEN
				CALL differential_create_views(kind, made);
			ELSE
				CALL differential_create_set(kind, made);
			END IF;
		END LOOP;
	END LOOP;
END $$;

-- A query with [o], [i], [c], [v] for the tables and [a.k] for "a.k in the period".
CREATE TABLE differential_form (position serial, form text, query text);
INSERT INTO differential_form (form, query) VALUES
	('one', 'SELECT FROM [o] o WHERE [o.k] {}'),
	('one', 'SELECT FROM [i] o WHERE [o.k] {}'),
	('two', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k WHERE [o.k] AND [i.k] {}'),
	('two', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k WHERE [o.k] AND [i.k] AND i.n < 3 {}'),
	('one side', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k WHERE [i.k] {}'),
	('left', 'SELECT FROM [o] o LEFT JOIN [i] i ON i.k = o.k AND [i.k] WHERE [o.k] {}'),
	('three', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k JOIN [o] p ON p.k = i.k WHERE [o.k] AND [i.k] AND [p.k] {}'),
	('four', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k JOIN [o] p ON p.k = o.k JOIN [o] q ON q.k = p.k
		WHERE [o.k] AND [i.k] AND [p.k] AND [q.k] {}'),
	('five', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k JOIN [o] p ON p.k = o.k JOIN [o] q ON q.k = p.k
		JOIN [o] r ON r.k = i.k WHERE [o.k] AND [i.k] AND [p.k] AND [q.k] AND [r.k] {}'),
	('semi', 'SELECT FROM [o] o WHERE [o.k] AND EXISTS (SELECT FROM [i] i WHERE i.k = o.k AND [i.k]) {}'),
	('semi', 'SELECT FROM [o] o WHERE [o.k] AND EXISTS (SELECT FROM [i] i WHERE i.k = o.k AND i.n = 4 AND [i.k]) {}'),
	('anti', 'SELECT FROM [o] o WHERE [o.k] AND NOT EXISTS (SELECT FROM [i] i WHERE i.k = o.k AND [i.k]) {}'),
	('anti and join', 'SELECT FROM [o] o JOIN [o] p ON p.k = o.k WHERE [o.k] AND [p.k]
		AND NOT EXISTS (SELECT FROM [i] i WHERE i.k = o.k AND [i.k]) {}'),
	('customers', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k JOIN [c] c ON c.customer = o.customer
		WHERE [o.k] AND [i.k] {}'),
	('customers', 'SELECT c.name, count(*) FROM [o] o JOIN [i] i ON i.k = o.k JOIN [c] c ON c.customer = o.customer
		WHERE [o.k] AND [i.k] {} GROUP BY 1'),
	('customers', 'SELECT c.name FROM [o] o JOIN [c] c ON c.customer = o.customer WHERE [o.k]
		AND NOT EXISTS (SELECT FROM [i] i WHERE i.k = o.k AND [i.k]) {}'),
	('visits', 'SELECT FROM [o] o JOIN [v] v ON v.customer = o.customer WHERE [o.k]
		AND EXISTS (SELECT FROM [i] i WHERE i.k = o.k AND i.n = 2 AND [i.k]) {}'),
	('visits', 'SELECT FROM [o] o JOIN [v] v ON v.customer = o.customer WHERE [o.k]
		AND NOT EXISTS (SELECT FROM [i] i WHERE i.k = o.k AND [i.k]) {}'),
	('group', 'SELECT o.customer, count(*) FROM [o] o JOIN [i] i ON i.k = o.k WHERE [o.k] AND [i.k] {} GROUP BY 1'),
	('newest', 'SELECT FROM [o] o WHERE [o.k] {} ORDER BY o.k DESC LIMIT 20'),
	('newest', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k WHERE [o.k] AND [i.k] {} ORDER BY o.k DESC LIMIT 20'),
	('group', 'SELECT o.k, count(*) FROM [o] o JOIN [i] i ON i.k = o.k WHERE [o.k] AND [i.k] {} GROUP BY 1');

-- "k in the period", which is known when the query is planned, or comes from a sub-select.
CREATE FUNCTION differential_condition(kind text, period text, first timestamptz, last timestamptz) RETURNS text
	RETURN format(CASE kind || ' ' || period
		WHEN 'id known' THEN '\1 <@ tstzrange(%L, %L)'
		WHEN 'id sub-select' THEN '\1 <@ (SELECT tstzrange(%L, %L))'
		WHEN 'at known' THEN '(\1 >= %L AND \1 < %L)'
		WHEN 'at sub-select' THEN '(\1 >= (SELECT timestamptz %L) AND \1 < (SELECT timestamptz %L))' END, first, last);
CREATE FUNCTION differential_render(query text, kind text, set text, condition text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	query := replace(query, '[o]', format('orders_%s_%s', kind, set));
	query := replace(query, '[i]', format('items_%s_%s', kind, set));
	query := replace(query, '[c]', 'differential_customer');
	query := replace(query, '[v]', 'differential_visit');
	RETURN regexp_replace(query, '\[(..k)\]', condition, 'g');
END $$;

CREATE TABLE differential_query (position serial, form text, shape text, state text, period text, by_id text, by_at text);
-- One query; half of them are about the last days.
CREATE PROCEDURE differential_add() LANGUAGE plpgsql AS $$
DECLARE
	made differential_set;
	of_form differential_form;
	day float8 := CASE WHEN random() < 0.5 THEN 90 - 5 * random() ELSE 89 * random() END;
	first timestamptz := date_trunc('milliseconds', timestamptz '2026-01-01Z' + day * interval '1 day');
	last timestamptz := date_trunc('milliseconds', first + exp(random() * ln(500)) * interval '1 hour');
	period text := CASE WHEN random() < 0.75 THEN 'known' ELSE 'sub-select' END;
	filters text[] := '{"", "", AND o.customer = 3, AND o.customer < 20, AND o.customer > 150}';
	query text;
BEGIN
	SELECT * INTO made FROM differential_set ORDER BY random() LIMIT 1;
	SELECT * INTO of_form FROM differential_form ORDER BY random() LIMIT 1;
	query := replace(of_form.query, '{}', filters[ceil(random() * 5)]);
	INSERT INTO differential_query (form, shape, state, period, by_id, by_at)
		VALUES (of_form.form, made.shape, made.state, period,
			differential_render(query, 'id', made.shape || '_' || made.state, differential_condition('id', period, first, last)),
			differential_render(query, 'at', made.shape || '_' || made.state, differential_condition('at', period, first, last)));
END $$;
CREATE PROCEDURE differential_queries(queries int) LANGUAGE plpgsql AS $$
BEGIN
	FOR n IN 1 .. queries LOOP
		CALL differential_add();
	END LOOP;
END $$;

-- "on", "tables" (without those of joins) or "off".
CREATE FUNCTION differential_use(estimates text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('uidext.estimates', CASE estimates WHEN 'off' THEN 'off' ELSE 'on' END, true);
	PERFORM set_config('uidext.join_estimates', CASE estimates WHEN 'on' THEN 'on' ELSE 'off' END, true);
END $$;
CREATE FUNCTION differential_expected(query text, estimates text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	PERFORM differential_use(estimates);
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan #>> '{0,Plan,Plan Rows}';
END $$;
CREATE FUNCTION differential_come(query text, estimates text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	come float8;
BEGIN
	PERFORM differential_use(estimates);
	EXECUTE format('SELECT count(*) FROM (%s) AS rows', query) INTO come;
	RETURN come;
END $$;
-- The factor between rows expected and rows that come.
CREATE FUNCTION differential_error(expected float8, come float8) RETURNS float8 IMMUTABLE
	RETURN greatest(greatest(expected, 1) / greatest(come, 1), greatest(come, 1) / greatest(expected, 1));
-- "wrong" has the ways in which a query finds other rows than by timestamptz.
CREATE VIEW differential_errors AS
	SELECT query.*, come, wrong, differential_error(differential_expected(by_id, 'on'), come) AS "on",
		differential_error(differential_expected(by_id, 'tables'), come) AS tables,
		differential_error(differential_expected(by_id, 'off'), come) AS off,
		differential_error(differential_expected(by_at, 'off'), come) AS by_time
	FROM differential_query AS query, LATERAL (SELECT differential_come(by_at, 'off') AS come OFFSET 0) AS known,
		LATERAL (SELECT array(SELECT way FROM unnest('{on, tables, off}'::text[]) AS way
			WHERE differential_come(by_id, way) <> come) AS wrong OFFSET 0) AS found;
