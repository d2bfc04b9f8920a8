-- Random queries about orders and their items, to compare what the planner expects
-- with uidext's estimates, without, and of the same tables by timestamptz.  Begin
-- with setseed() and the psql variable "orders", which are spread over 30 days.

-- A set of tables is of one kind of key (id, at), one shape and one state.
CREATE TABLE differential_set (shape text, state text, analyzed_days int);
INSERT INTO differential_set VALUES
	('plain', 'fresh', 30), ('plain', 'day_old', 29), ('plain', 'old', 10), ('plain', 'none', 0),
	('parts', 'fresh', 30), ('parts', 'day_old', 29), ('parts', 'old', 10), ('parts', 'none', 0), ('parts', 'leaves', 0), ('parts', 'parents', 29),
	('heirs', 'fresh', 30), ('heirs', 'day_old', 29), ('heirs', 'old', 10), ('heirs', 'none', 0), ('heirs', 'leaves', 0), ('heirs', 'parents', 29);

-- One in fifty comes late.  Items are few for most orders and many for some.
CREATE TABLE differential_order AS
	SELECT date_trunc('milliseconds', timestamptz '2026-01-01Z' + n * interval '30 days' / :orders) AS at, floor(power(random(), 3) * 200)::int AS customer,
		CASE WHEN random() < 0.02 THEN 30 * random() ELSE 0 END AS late,
		CASE WHEN n % 2000 = 1 THEN 100 ELSE floor(power(random(), 2) * 5)::int END AS items
	FROM generate_series(0, :orders - 1) AS n;

CREATE FUNCTION differential_bound(kind text, day int) RETURNS text
	RETURN CASE kind WHEN 'id' THEN uuid_boundary(timestamptz '2026-01-01Z' + day * interval '1 day')::text ELSE (timestamptz '2026-01-01Z' + day * interval '1 day')::text END;

CREATE PROCEDURE differential_fill(of_kind text, of_set text, first float8, last float8) LANGUAGE plpgsql AS $$
DECLARE
	key text := CASE of_kind WHEN 'id' THEN 'uuid_boundary(at)' ELSE 'at' END;
	child text := CASE WHEN of_set LIKE 'heirs%' THEN '_3' ELSE '' END;
	day text := 'extract(epoch FROM at - timestamptz ''2026-01-01Z'') / 86400 + late';
BEGIN
	EXECUTE format('INSERT INTO %I SELECT %s, customer, 0 FROM differential_order WHERE %s >= %s AND %3$s < %5$s', format('orders_%s_%s%s', of_kind, of_set, child), key, day, first, last);
	EXECUTE format('INSERT INTO %I SELECT %s, customer, n FROM differential_order, generate_series(1, items) AS n WHERE %s >= %s AND %3$s < %5$s', format('items_%s_%s%s', of_kind, of_set, child), key, day, first, last);
END $$;

CREATE PROCEDURE differential_create(of_kind text, shape text, name text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %I (k %s NOT NULL, customer int, n int) %s', name, CASE of_kind WHEN 'id' THEN 'uuid' ELSE 'timestamptz' END,
		CASE shape WHEN 'parts' THEN 'PARTITION BY RANGE (k)' ELSE 'WITH (autovacuum_enabled = off)' END);
	FOR n IN 0 .. CASE shape WHEN 'parts' THEN 9 WHEN 'heirs' THEN 3 ELSE -1 END LOOP
		EXECUTE format('CREATE TABLE %I %s %s WITH (autovacuum_enabled = off)', name || '_' || n, CASE shape WHEN 'parts' THEN 'PARTITION OF ' || name ELSE '() INHERITS (' || name || ')' END,
			CASE shape WHEN 'parts' THEN format('FOR VALUES FROM (%L) TO (%L)', differential_bound(of_kind, 6 * n), differential_bound(of_kind, 6 * n + 6)) ELSE '' END);
		IF shape = 'heirs' THEN
			EXECUTE format('CREATE INDEX ON %I (k)', name || '_' || n);
		END IF;
	END LOOP;
	EXECUTE format('CREATE INDEX ON %I (k)', name);
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

DO $$
DECLARE
	made record;
	kind text;
	name text;
BEGIN
	FOR made IN SELECT *, shape || '_' || state AS set FROM differential_set LOOP
		FOREACH kind IN ARRAY '{id, at}'::text[] LOOP
			FOREACH name IN ARRAY ARRAY[format('orders_%s_%s', kind, made.set), format('items_%s_%s', kind, made.set)] LOOP
				CALL differential_create(kind, made.shape, name);
			END LOOP;
			CALL differential_fill(kind, made.set, 0, made.analyzed_days);
			FOREACH name IN ARRAY ARRAY[format('orders_%s_%s', kind, made.set), format('items_%s_%s', kind, made.set)] LOOP
				CALL differential_analyze(name, made.state);
			END LOOP;
			CALL differential_fill(kind, made.set, made.analyzed_days, 100);
			-- autovacuum comes to partitions, not to their parent
			CONTINUE WHEN made.state NOT IN ('day_old', 'old', 'leaves') OR made.shape = 'plain';
			FOREACH name IN ARRAY ARRAY[format('orders_%s_%s', kind, made.set), format('items_%s_%s', kind, made.set)] LOOP
				CALL differential_analyze(name, 'leaves');
			END LOOP;
		END LOOP;
	END LOOP;
END $$;

-- A query with [o], [i] for the tables and [a.k] for "a.k in the period".
CREATE FUNCTION differential_form(OUT form text, OUT query text) LANGUAGE plpgsql AS $$
DECLARE
	filter text := (ARRAY['', '', ' AND o.customer = 3', ' AND o.customer < 20', ' AND o.customer > 150'])[ceil(random() * 5)];
	forms text[] := ARRAY[
		'one', 'SELECT FROM [o] o WHERE [o.k]',
		'one', 'SELECT FROM [i] o WHERE [o.k]',
		'two', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k WHERE [o.k] AND [i.k]',
		'two', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k WHERE [o.k] AND [i.k] AND i.n < 3',
		'one side', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k WHERE [i.k]',
		'left', 'SELECT FROM [o] o LEFT JOIN [i] i ON i.k = o.k AND [i.k] WHERE [o.k]',
		'three', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k JOIN [o] p ON p.k = i.k WHERE [o.k] AND [i.k] AND [p.k]',
		'four', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k JOIN [o] p ON p.k = o.k JOIN [o] q ON q.k = p.k WHERE [o.k] AND [i.k] AND [p.k] AND [q.k]',
		'five', 'SELECT FROM [o] o JOIN [i] i ON i.k = o.k JOIN [o] p ON p.k = o.k JOIN [o] q ON q.k = p.k JOIN [o] r ON r.k = i.k WHERE [o.k] AND [i.k] AND [p.k] AND [q.k] AND [r.k]',
		'semi', 'SELECT FROM [o] o WHERE [o.k] AND EXISTS (SELECT FROM [i] i WHERE i.k = o.k AND [i.k])',
		'semi', 'SELECT FROM [o] o WHERE [o.k] AND EXISTS (SELECT FROM [i] i WHERE i.k = o.k AND i.n = 4 AND [i.k])',
		'anti', 'SELECT FROM [o] o WHERE [o.k] AND NOT EXISTS (SELECT FROM [i] i WHERE i.k = o.k AND [i.k])',
		'anti and join', 'SELECT FROM [o] o JOIN [o] p ON p.k = o.k WHERE [o.k] AND [p.k] AND NOT EXISTS (SELECT FROM [i] i WHERE i.k = o.k AND [i.k])',
		'group', 'SELECT o.customer, count(*) FROM [o] o JOIN [i] i ON i.k = o.k WHERE [o.k] AND [i.k] {} GROUP BY 1',
		'group', 'SELECT o.k, count(*) FROM [o] o JOIN [i] i ON i.k = o.k WHERE [o.k] AND [i.k] {} GROUP BY 1'];
	at int := floor(random() * array_length(forms, 1) / 2);
BEGIN
	form := forms[2 * at + 1];
	query := forms[2 * at + 2];
	query := CASE WHEN query LIKE '%{}%' THEN replace(query, '{}', filter) ELSE query || filter END;
END $$;

CREATE FUNCTION differential_render(query text, kind text, set text, first timestamptz, last timestamptz) RETURNS text
	RETURN regexp_replace(replace(replace(query, '[o]', format('orders_%s_%s', kind, set)), '[i]', format('items_%s_%s', kind, set)),
		'\[(..k)\]', CASE kind WHEN 'id' THEN format('\1 <@ tstzrange(%L, %L)', first, last) ELSE format('(\1 >= %L AND \1 < %L)', first, last) END, 'g');

CREATE TABLE differential_query (position serial, form text, shape text, state text, by_id text, by_at text);
CREATE PROCEDURE differential_queries(queries int) LANGUAGE plpgsql AS $$
DECLARE
	made differential_set;
	form text;
	query text;
	first timestamptz;
	last timestamptz;
	day float8;
BEGIN
	FOR n IN 1 .. queries LOOP
		SELECT * INTO made FROM differential_set ORDER BY random() LIMIT 1;
		SELECT * INTO form, query FROM differential_form();
		-- half of the queries are about the last days
		day := CASE WHEN random() < 0.5 THEN 30 - 3 * random() ELSE 29 * random() END;
		first := date_trunc('milliseconds', timestamptz '2026-01-01Z' + day * interval '1 day');
		last := date_trunc('milliseconds', first + exp(random() * ln(500)) * interval '20 minutes');
		INSERT INTO differential_query (form, shape, state, by_id, by_at) VALUES (form, made.shape, made.state,
			differential_render(query, 'id', made.shape || '_' || made.state, first, last), differential_render(query, 'at', made.shape || '_' || made.state, first, last));
	END LOOP;
END $$;

-- What is expected of each, on ("with"), off ("without") and by timestamptz.
CREATE FUNCTION differential_expected(query text, setting text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	PERFORM set_config('uidext.estimates', setting, true);
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan #>> '{0,Plan,Plan Rows}';
END $$;
CREATE FUNCTION differential_come(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	come float8;
BEGIN
	PERFORM set_config('uidext.estimates', 'on', true);
	EXECUTE format('SELECT count(*) FROM (%s) AS rows', query) INTO come;
	RETURN come;
END $$;
CREATE FUNCTION differential_off(expected float8, come float8) RETURNS float8 IMMUTABLE
	RETURN greatest(greatest(expected, 1) / greatest(come, 1), greatest(come, 1) / greatest(expected, 1));
CREATE VIEW differential_error AS
	SELECT query.*, come, expected_with, expected_without, differential_off(expected_with, come) AS "with", differential_off(expected_without, come) AS without, differential_off(expected_at, come) AS by_time
	FROM differential_query AS query,
		LATERAL (SELECT differential_come(by_id) AS come, differential_expected(by_id, 'off') AS expected_without,
			differential_expected(by_id, 'on') AS expected_with, differential_expected(by_at, 'off') AS expected_at OFFSET 0) AS expected;
