-- The planner is never made worse: predicates keep pruning and indexes however
-- the time is written, and joins are estimated by the rows that are there, not
-- by those of a parent's last ANALYZE.

BEGIN;
\ir include/settings.sql
\ir include/expected.sql
\if :sql_edition
SELECT plan(1);
SELECT pass('the SQL edition leaves the planner alone');
SELECT * FROM finish();
ROLLBACK;
\quit
\endif
SELECT * FROM no_plan();
SET LOCAL max_parallel_workers_per_gather = 0;
SET LOCAL search_path = pg_temp, public;
LOAD 'uidext';

CREATE FUNCTION pg_temp.plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) ' || query;
END $$;
CREATE FUNCTION pg_temp.executed(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query;
END $$;
CREATE FUNCTION pg_temp.expected(query text, setting text, value text) RETURNS float8 LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config(setting, value, true);
	RETURN pg_temp.expected(query);
END $$;
-- Expected rows within a factor of two of those that come, or a hundred rows.
CREATE FUNCTION pg_temp.is_near(query text, says text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	come float8;
	expected float8 := pg_temp.expected(query);
BEGIN
	EXECUTE 'SELECT count(*) FROM (' || query || ') AS rows' INTO come;
	RETURN ok(expected BETWEEN come / 2 - 100 AND come * 2 + 100, format('%s: %s rows expected, %s come', says, expected, come));
END $$;

--
-- However a period is written, other partitions are not read
--

-- a partition a month, from two years ago to a month ahead
CREATE TEMP TABLE orders (id uuid PRIMARY KEY, customer int) PARTITION BY RANGE (id);
CREATE FUNCTION pg_temp.month(n int) RETURNS timestamptz STABLE
	RETURN (date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month') AT TIME ZONE 'UTC';
DO $$
BEGIN
	FOR n IN -24 .. 1 LOOP
		EXECUTE format('CREATE TEMP TABLE orders_%s PARTITION OF orders FOR VALUES FROM (%L) TO (%L)', n + 24,
			uuid_boundary(pg_temp.month(n)), uuid_boundary(pg_temp.month(n + 1)));
	END LOOP;
END $$;
CREATE FUNCTION pg_temp.read_partitions(condition text) RETURNS bigint
	RETURN (SELECT count(*) FROM pg_temp.executed('SELECT FROM orders WHERE ' || condition) AS line WHERE line ~ ' on orders_\d+ '
		AND line !~ 'never executed');

SELECT is(
	pg_temp.read_partitions(
		$$id <@ tstzrange(
			(date_trunc('month', now() AT TIME ZONE 'UTC') - interval '12 months') AT TIME ZONE 'UTC',
	(date_trunc('month', now() AT TIME ZONE 'UTC') - interval '11 months') AT TIME ZONE 'UTC')$$),
	1::bigint, 'a period of more than ten function calls is read from its partition alone');

CREATE FUNCTION pg_temp.months_ago(n int) RETURNS tstzrange STABLE LANGUAGE plpgsql AS $$
BEGIN
	RETURN tstzrange(pg_temp.month(-n), pg_temp.month(1 - n));
END $$;
SELECT is(pg_temp.read_partitions('id <@ pg_temp.months_ago(12)'), 1::bigint,
	'a period made by a function in PL/pgSQL is read from its partition alone');
SELECT is(pg_temp.read_partitions('pg_temp.months_ago(12) @> id'), 1::bigint,
	'the same with the period first');
SELECT is(pg_temp.read_partitions('id >= (SELECT pg_temp.month(-12)) AND id < (SELECT pg_temp.month(-11))'), 1::bigint,
	'ends from sub-selects, compared one by one, are read from their partition alone');
SELECT isnt_empty(
	$$
		SELECT FROM pg_temp.plan_of('SELECT FROM orders WHERE id <@ (SELECT pg_temp.months_ago(12))') AS line
		WHERE line ~ 'Index Cond'$$,
	'a period from a sub-select is read from indexes');

SELECT is(pg_temp.read_partitions('id <@ (SELECT pg_temp.months_ago(12))'), 1::bigint,
	'a period from a sub-select is read from its partition alone');
SELECT is(pg_temp.read_partitions('(SELECT tstzmultirange(pg_temp.months_ago(12), pg_temp.months_ago(11))) @> id'), 2::bigint,
	'two periods from a sub-select are read from their partitions alone');
SELECT is(pg_temp.read_partitions('id <@ (SELECT pg_temp.months_ago(n) FROM generate_series(12, 11) AS n)'), 0::bigint,
	'a sub-select without a row reads no partition');

SELECT is(pg_temp.read_partitions('id <@ (SELECT pg_temp.months_ago(12)) OR id <@ (SELECT pg_temp.months_ago(2))'), 26::bigint,
	'periods from sub-selects that are joined by OR are read from all partitions');
SELECT is(
	pg_temp.read_partitions('
		id >= (SELECT pg_temp.month(-12)) AND id < (SELECT pg_temp.month(-11))
		OR id >= (SELECT pg_temp.month(-2)) AND id < (SELECT pg_temp.month(-1))'),
	2::bigint, 'and their ends, compared one by one, from their partitions alone');

-- A view of all orders, whose tables have their columns in another order, and one
-- without partitions.
CREATE TEMP TABLE archive (customer int, gone text, id uuid PRIMARY KEY) PARTITION BY RANGE (id);
ALTER TABLE archive DROP gone;
CREATE TEMP TABLE archive_years (id uuid PRIMARY KEY, customer int) PARTITION BY RANGE (id);
DO $$
BEGIN
	EXECUTE format('ALTER TABLE archive ATTACH PARTITION archive_years FOR VALUES FROM (%L) TO (%L)',
		uuid_boundary(pg_temp.month(-60)), uuid_boundary(pg_temp.month(-24)));
	FOR n IN -60 .. -25 LOOP
		EXECUTE format('CREATE TEMP TABLE archive_%s PARTITION OF archive_years FOR VALUES FROM (%L) TO (%L)', n + 60,
			uuid_boundary(pg_temp.month(n)), uuid_boundary(pg_temp.month(n + 1)));
	END LOOP;
END $$;
CREATE TEMP TABLE imported (id uuid PRIMARY KEY, customer int);
INSERT INTO archive (id, customer) SELECT uuid_boundary(pg_temp.month(n)), n FROM generate_series(-60, -25) AS n;
INSERT INTO imported SELECT id, customer FROM archive;
CREATE TEMP VIEW all_orders AS
SELECT id, customer
FROM orders
UNION ALL SELECT id, customer FROM archive
UNION ALL TABLE imported;
CREATE TEMP VIEW some_orders WITH (security_barrier) AS SELECT * FROM all_orders WHERE customer <> 7;
CREATE TEMP VIEW later_orders AS
SELECT uuid_boundary(uuid_time(id) + interval '40 days') AS id
FROM archive
UNION ALL SELECT id FROM orders;
-- The tables that a query reads, and how many rows it finds.
CREATE FUNCTION pg_temp.tables_read(query text) RETURNS SETOF text
BEGIN ATOMIC
	SELECT substring(line FROM ' on (\w+)') FROM pg_temp.executed(query) AS line
		WHERE line ~ ' on ' AND line !~ 'never executed|(Bitmap Index|Function|Subquery) Scan';
END;
CREATE FUNCTION pg_temp.tables_and_rows(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	rows bigint;
BEGIN
	EXECUTE 'SELECT count(*) FROM (' || query || ') AS found' INTO rows;
	RETURN concat_ws(' ', (SELECT string_agg(name, ' ' ORDER BY name) FROM pg_temp.tables_read(query) AS name), rows);
END $$;
SELECT is(pg_temp.tables_and_rows('SELECT FROM all_orders WHERE id <@ (SELECT pg_temp.months_ago(30))'), 'archive_30 imported 2',
	'of a view of UNION ALL the partition of the period is read, and what has no partitions');
SELECT is(pg_temp.tables_and_rows('SELECT FROM all_orders WHERE id <@ (SELECT pg_temp.months_ago(61))'), 'imported 0',
	'and no partition where the period is before them all');
SELECT is(pg_temp.tables_and_rows('
		SELECT FROM all_orders WHERE id <@ (SELECT pg_temp.months_ago(n) FROM generate_series(12, 11) AS n)'),
	'imported 0',
	'nor where the sub-select has no row');
SELECT is(pg_temp.tables_and_rows('SELECT FROM some_orders WHERE id <@ (SELECT pg_temp.months_ago(30))'), 'archive_30 imported 2',
	'the same through a view with a security barrier');
SELECT is(pg_temp.tables_and_rows('SELECT FROM later_orders WHERE id <@ (SELECT pg_temp.months_ago(30))'),
	concat_ws(' ', (SELECT string_agg('archive_' || n, ' ' ORDER BY 'archive_' || n) FROM generate_series(0, 35) AS n), 1),
	'an id that a view makes is not the key of the partitions');
CREATE TEMP VIEW nested AS SELECT id, customer FROM all_orders UNION ALL SELECT id, customer FROM orders;
SELECT is(count(*), 26 + 36 + 1::bigint, format('such a view within another is read from all its partitions where %s', condition))
	FROM unnest(
		'{id <@ (SELECT pg_temp.months_ago(30)),
			id >= (SELECT pg_temp.month(-30)) AND id < (SELECT pg_temp.month(-29))}'::text[])
		AS condition,
		pg_temp.tables_read('SELECT FROM nested WHERE ' || condition) GROUP BY condition ORDER BY condition DESC;
PREPARE all_of(int) AS SELECT FROM all_orders WHERE id <@ (SELECT pg_temp.months_ago($1));
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT set_eq($$SELECT pg_temp.tables_read('EXECUTE all_of(40)')$$, '{archive_20, imported}'::text[],
	'a generic plan reads the partition of its parameter');
ALTER TABLE archive_years DETACH PARTITION archive_20;
SELECT set_eq($$SELECT pg_temp.tables_read('EXECUTE all_of(40)')$$, '{imported}'::text[],
	'no partition when that has been detached');
DO $$
BEGIN
	EXECUTE format('ALTER TABLE archive_years ATTACH PARTITION archive_20 FOR VALUES FROM (%L) TO (%L)',
		uuid_boundary(pg_temp.month(-40)), uuid_boundary(pg_temp.month(-39)));
END $$;
SELECT set_eq($$SELECT pg_temp.tables_read('EXECUTE all_of(40)')$$, '{archive_20, imported}'::text[],
	'and the partition again when it is attached again');
SET LOCAL plan_cache_mode = auto;

-- A function of somebody else's that has the name of a predicate is none.
CREATE FUNCTION pg_temp.id_lt_timestamptz() RETURNS bool VOLATILE LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
CREATE FUNCTION pg_temp.id_ge_timestamptz(uuid, timestamptz) RETURNS bool VOLATILE LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
CREATE FUNCTION pg_temp.uuid_boundary_at_or_after(timestamptz) RETURNS uuid IMMUTABLE LANGUAGE sql
	RETURN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid;
SELECT is(pg_temp.read_partitions('pg_temp.id_lt_timestamptz()'), 26::bigint, 'one without arguments prunes nothing');
SELECT is(pg_temp.read_partitions('pg_temp.id_ge_timestamptz(id, (SELECT pg_temp.month(-2)))'), 26::bigint,
	'nor does one with a function beside it that has the name of a boundary');
-- Nor is one of other arguments, to which a superuser gave the planner support.
CREATE FUNCTION uidext_internal.id_lt_timestamptz() RETURNS bool LANGUAGE plpgsql
	SUPPORT uidext_internal.id_predicate_support AS 'BEGIN RETURN true; END';
CREATE FUNCTION uidext_internal.id_lt_timestamptz(int, timestamptz) RETURNS bool LANGUAGE plpgsql
	SUPPORT uidext_internal.id_predicate_support AS 'BEGIN RETURN true; END';
SELECT is(pg_temp.read_partitions('uidext_internal.id_lt_timestamptz()'), 26::bigint,
	'one with the support, but without arguments, is called');
SELECT is(pg_temp.tables_and_rows('SELECT FROM imported WHERE uidext_internal.id_lt_timestamptz(customer, now())'), 'imported 36',
	'so is one about a number instead of an id');
DROP FUNCTION uidext_internal.id_lt_timestamptz(), uidext_internal.id_lt_timestamptz(int, timestamptz);
CREATE FUNCTION pg_temp.id_in_periods(int, int) RETURNS bool LANGUAGE plpgsql
	SUPPORT uidext_internal.id_in_periods_support AS 'BEGIN RETURN $2 = 0; END';
SELECT is(pg_temp.tables_and_rows('SELECT FROM imported WHERE pg_temp.id_in_periods(customer, 0)'), 'imported 36',
	'and one of numbers that has the support of the check for several periods');
CREATE FUNCTION pg_temp.ulid_lt_uuid(int) RETURNS bool LANGUAGE plpgsql
	SUPPORT uidext_internal.ulid_comparison_support AS 'BEGIN RETURN $1 > 0; END';
SELECT ok(pg_temp.ulid_lt_uuid(1), 'and one of a number that has the name of a comparison with a ulid');

-- What is evaluated for each row is not evaluated twice.
CREATE TEMP SEQUENCE calls;
CREATE FUNCTION pg_temp.counted(customer int) RETURNS tstzrange VOLATILE LANGUAGE plpgsql AS $$
BEGIN
	PERFORM nextval('calls');
	RETURN pg_temp.months_ago(customer);
END $$;
INSERT INTO orders VALUES (uuid_boundary(pg_temp.month(-12)), 12);
SELECT is(count(*), 1::bigint, 'a volatile function finds the order') FROM orders WHERE id <@ pg_temp.counted(customer);
SELECT is(nextval('calls'), 2::bigint, 'and is called once for it');
SELECT is(count(*), 1::bigint, 'a sub-select finds the order') FROM orders WHERE id <@ (SELECT pg_temp.counted(12));
SELECT is(nextval('calls'), 4::bigint, 'and is evaluated once for all partitions');

-- Nor is what uidext evaluates for itself evaluated for each partition.
CREATE FUNCTION pg_temp.slow() RETURNS timestamptz STABLE LANGUAGE plpgsql AS $$
BEGIN
	PERFORM nextval('calls');
	RETURN pg_temp.month(-24);
END $$;
INSERT INTO orders
SELECT uuid_boundary(pg_temp.month(month) + n * interval '1 minute'), n
FROM generate_series(-24, 1) AS month, generate_series(1, 20) AS n;
ANALYZE orders;
CREATE FUNCTION pg_temp.calls_of_planning(setting text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('uidext.estimates', setting, true), setval('calls', 1, false);
	PERFORM pg_temp.plan_of('SELECT FROM orders WHERE id >= pg_temp.slow()');
	RETURN nextval('calls') - 1;
END $$;
SELECT cmp_ok(pg_temp.calls_of_planning('on'), '<=', pg_temp.calls_of_planning('off') + 1,
	'planning calls a stable function once more at most with the estimates');
SET LOCAL uidext.estimates = on;

-- In a join the id has to stand on the left.
CREATE TEMP TABLE campaigns AS SELECT pg_temp.month(-12) AS since, pg_temp.month(-11) AS until;
ANALYZE campaigns;
SET LOCAL enable_seqscan = off;
SELECT is(pg_temp.tables_and_rows('SELECT FROM campaigns JOIN orders ON id >= since AND id < until'), 'campaigns orders_12 21',
	'a join by id >= since and id < until reads the partition between the two times alone');
SELECT is(count(*) FILTER (WHERE name LIKE 'orders%'), 26::bigint, 'by since <= id and until > id it reads all partitions')
	FROM pg_temp.tables_read('SELECT FROM campaigns JOIN orders ON since <= id AND until > id') AS name;
SET LOCAL enable_seqscan = on;

-- An order a minute, of which ten minutes are less than a bin of the histogram.
CREATE TEMP TABLE old_orders (id uuid);
INSERT INTO old_orders SELECT uuid_boundary(pg_temp.month(-12) + n * interval '1 minute') FROM generate_series(1, 5000) AS n;
ANALYZE old_orders;
CREATE FUNCTION pg_temp.ten_minutes() RETURNS tstzrange STABLE LANGUAGE plpgsql AS $$
BEGIN
	RETURN tstzrange(pg_temp.month(-12) + interval '7 hours 10 minutes', pg_temp.month(-12) + interval '7 hours 20 minutes');
END $$;
SELECT cmp_ok(abs(pg_temp.expected('SELECT FROM old_orders WHERE id <@ ' || period) - 10), '<', 3::float8,
	'rows are expected of a period made by ' || says)
	FROM (VALUES ('a function in PL/pgSQL', 'pg_temp.ten_minutes()'), ('more than ten function calls',
		$$tstzrange((
				date_trunc(
					'month', now() AT TIME ZONE 'UTC')
					- interval '12 months' + interval '7 hours 10 minutes') AT TIME ZONE 'UTC',
			(
				date_trunc(
					'month', now() AT TIME ZONE 'UTC')
					- interval '12 months' + interval '7 hours 20 minutes')
				AT TIME ZONE 'UTC')$$)) AS v (says, period);

--
-- "created_at >= id" between columns is answered by the index on created_at
--

CREATE TEMP TABLE visits (created_at timestamptz, page int);
INSERT INTO visits SELECT timestamptz '2026-01-01' + n * interval '1 minute', n FROM generate_series(1, 5000) AS n;
CREATE INDEX visits_created_at ON visits (created_at);
CREATE TEMP TABLE carts (id uuid, customer int);
INSERT INTO carts SELECT uuid_boundary(timestamptz '2026-01-01' + n * interval '1 minute'), n FROM generate_series(1, 5000) AS n;
CREATE INDEX carts_id ON carts (id);
CREATE TEMP TABLE weeks (period tstzrange);
INSERT INTO weeks SELECT tstzrange('2026-01-02', '2026-01-03') FROM generate_series(1, 3);
ANALYZE visits, carts, weeks;

CREATE FUNCTION pg_temp.index_conditions(query text) RETURNS text
	RETURN (SELECT string_agg(substring(line FROM 'Index Cond: (.*)'), ' ') FROM pg_temp.plan_of(query) AS line);
SELECT matches(pg_temp.index_conditions(format(
		'
			SELECT FROM carts,
				LATERAL (SELECT FROM visits WHERE created_at %s carts.id ORDER BY created_at LIMIT 1) AS first
			WHERE customer = 7', operator)),
	'created_at [<>]= ', format('created_at %s id searches the index on created_at', operator))
	FROM unnest('{<,<=,>,>=}'::text[]) AS operator;
SELECT matches(pg_temp.index_conditions(format(
		'
			SELECT FROM visits,
				LATERAL (SELECT FROM carts WHERE id %s visits.created_at ORDER BY id LIMIT 1) AS first
			WHERE page = 7', operator)),
	'id (<|>=) ', format('id %s created_at searches the index on id', operator))
	FROM unnest('{<,<=,>,>=}'::text[]) AS operator;
SELECT matches(
	pg_temp.index_conditions(
		format('SELECT FROM carts JOIN visits ON created_at %s carts.id AND created_at %s WHERE customer = 7',
			operator, other_end)),
	format('created_at %s= uidext_internal.id_time', left(operator, 1)),
	format('created_at %s id of a joined table searches the index on created_at', operator))
	FROM (VALUES ('<', '> uuid_time(carts.id) - interval ''1 minute'''), ('<=', '> uuid_time(carts.id) - interval ''1 minute'''),
		('>', '< uuid_time(carts.id) + interval ''1 minute'''),
		('>=', '< uuid_time(carts.id) + interval ''1 minute''')) AS v (operator, other_end);
SELECT matches(pg_temp.index_conditions('SELECT FROM weeks JOIN carts ON carts.id <@ weeks.period'),
	'id >= .* AND .*id < ', 'id <@ period of another table searches the index on id');
SELECT is(pg_temp.expected(query, 'uidext.estimates', 'on'), pg_temp.expected(query, 'uidext.estimates', 'off'),
	'a join by a period of another table is expected to have as many rows as without the estimates: ' || query)
	FROM unnest(ARRAY[
		'SELECT FROM weeks JOIN carts ON carts.id <@ weeks.period',
		'SELECT FROM carts LEFT JOIN weeks ON weeks.period @> carts.id',
		'SELECT FROM carts WHERE EXISTS (SELECT FROM weeks WHERE carts.id <@ weeks.period)',
		'SELECT FROM weeks JOIN carts ON carts.id <@ tstzmultirange(weeks.period)',
		'SELECT FROM visits JOIN weeks ON visits.page = 7 '
		'JOIN carts ON carts.id <@ weeks.period AND carts.customer = visits.page']) AS query;
SET LOCAL uidext.estimates = on;
SELECT is(count(*),
	(
		SELECT count(*)
		FROM carts, visits
		WHERE visits.created_at >= uuid_time(carts.id) AND page < 40 AND customer < 30),
	'created_at >= id finds the rows that the times find')
	FROM carts, visits WHERE visits.created_at >= carts.id AND page < 40 AND customer < 30;

--
-- What stays a call is expected to find what its comparisons would
--

SELECT is(pg_temp.expected('SELECT FROM carts WHERE id <@ (SELECT period FROM weeks LIMIT 1)'),
	pg_temp.expected('
		SELECT FROM carts
		WHERE id >= (SELECT uuid_boundary(lower(period)) FROM weeks LIMIT 1)
			AND id < (SELECT uuid_boundary(upper(period)) FROM weeks LIMIT 1)'),
	'a period that is known when the query runs is estimated as two comparisons are');
SELECT is(
	round(
		pg_temp.expected('
			SELECT FROM carts WHERE NOT id <@ (SELECT period FROM weeks LIMIT 1)')
			+ pg_temp.expected('SELECT FROM carts WHERE id <@ (SELECT period FROM weeks LIMIT 1)')),
	5000::float8, 'and the others are expected where it is negated');

-- One arm of this view has nulls in place of columns.  The planner puts them into join
-- clauses, and does not simplify these again: strict functions have nulls as arguments.
CREATE TEMP TABLE offers (product int, id uuid, at timestamptz, period tstzrange, periods tstzmultirange);
CREATE TEMP TABLE standing_offers (product int);
CREATE INDEX offers_product ON offers (product);
CREATE INDEX standing_offers_product ON standing_offers (product);
CREATE TEMP TABLE sales AS SELECT 1 AS product, 1 AS n;
INSERT INTO standing_offers SELECT n % 10 FROM generate_series(1, 1000) AS n;
ANALYZE standing_offers, sales;
CREATE TEMP VIEW all_offers AS
	SELECT product, id, id::iuid AS iuid, uuid_to_ulid(id) AS ulid, at, period, periods FROM offers
	UNION ALL SELECT product, NULL, NULL, NULL, NULL, NULL, NULL FROM standing_offers;
-- of a sale, by functions that are not simplified
CREATE FUNCTION pg_temp.at_of(n int) RETURNS timestamptz IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN to_timestamp(n); END';
CREATE FUNCTION pg_temp.id_of(n int)
RETURNS uuid IMMUTABLE
LANGUAGE plpgsql AS 'BEGIN RETURN uuid_boundary(to_timestamp(n)); END';
CREATE FUNCTION pg_temp.ulid_of(n int)
RETURNS ulid IMMUTABLE
LANGUAGE plpgsql AS 'BEGIN RETURN uuid_to_ulid(pg_temp.id_of(n)); END';
CREATE FUNCTION pg_temp.period_of(n int)
RETURNS tstzrange IMMUTABLE
LANGUAGE plpgsql AS 'BEGIN RETURN tstzrange(to_timestamp(n), NULL); END';
CREATE FUNCTION pg_temp.periods_of(n int)
RETURNS tstzmultirange IMMUTABLE
LANGUAGE plpgsql AS 'BEGIN RETURN tstzmultirange(pg_temp.period_of(n)); END';
CREATE TEMP TABLE arguments (type regtype, of_offer text, of_sale text);
INSERT INTO arguments
VALUES ('uuid', 'id', 'pg_temp.id_of(n)'),
	('uuid', 'iuid', 'pg_temp.id_of(n)'),
	('ulid', 'ulid', 'pg_temp.ulid_of(n)'),
	('timestamptz', 'at', 'pg_temp.at_of(n)'), ('uidext_internal.period', 'period', 'pg_temp.period_of(n)'),
	('uidext_internal.periods', 'periods', 'pg_temp.periods_of(n)');
-- How many standing offers are expected, and by which condition: of an index scan for each sale.
CREATE FUNCTION pg_temp.standing_expected(call text, OUT rows int, OUT condition text) LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) SELECT FROM sales JOIN all_offers USING (product) WHERE ' || call INTO plan;
	SELECT node -> 'Plan Rows', node ->> 'Filter' INTO rows, condition
		FROM jsonb_path_query(plan, '$.**.Plans[*] ? (@."Relation Name" == "standing_offers")') AS node;
END $$;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
CREATE TEMP TABLE calls_with_null AS
	SELECT p.oid AS predicate, call, rows, condition
		FROM pg_proc AS p
		JOIN arguments AS first ON first.type = proargtypes[0]
		JOIN arguments AS second ON second.type = proargtypes[1],
			LATERAL (
				VALUES (first.of_offer, second.of_sale), (first.of_sale, second.of_offer),
					(first.of_offer, second.of_offer)) AS v (a, b),
			format('uidext_internal.%I(%s, %s)', proname, a, b) AS call, pg_temp.standing_expected(call)
		WHERE prosupport = 'uidext_internal.id_predicate_support'::regproc;
SELECT is(count(DISTINCT predicate),
	(SELECT count(*) FROM pg_proc WHERE prosupport = 'uidext_internal.id_predicate_support'::regproc),
	'each predicate is planned with a null as either argument, and as both') FROM calls_with_null;
SELECT is(max(rows), 1, 'a call with a null is expected to find nothing')
FROM calls_with_null
WHERE condition LIKE 'uidext\_internal.%';
SET LOCAL enable_seqscan = on;
SET LOCAL enable_hashjoin = on;
SET LOCAL enable_mergejoin = on;

--
-- Statistics that were made or set in another way
--

-- The last hundred came after ANALYZE, which is less than a bin of the histogram.
CREATE TEMP TABLE arrivals (id uuid PRIMARY KEY);
CREATE TEMP TABLE moments (at timestamptz PRIMARY KEY);
CREATE FUNCTION pg_temp.arrive(first int, last int) RETURNS void BEGIN ATOMIC
	INSERT INTO arrivals
	SELECT uuid_boundary(timestamptz '2026-01-01' + n * interval '1 second')
	FROM generate_series(first, last) AS n;
	INSERT INTO moments SELECT timestamptz '2026-01-01' + n * interval '1 second' FROM generate_series(first, last) AS n;
END;
SELECT pg_temp.arrive(1, 20000);
ANALYZE arrivals, moments;
SELECT pg_temp.arrive(20001, 20100);
SELECT cmp_ok(
	abs(
		pg_temp.expected('SELECT FROM arrivals WHERE ' || period) - pg_temp.expected(
			'SELECT FROM moments WHERE ' || replace(period, 'id', 'at'))),
	'<', 10::float8, 'a period that begins in one bin and ends in the last one is estimated as by created_at')
	FROM (SELECT $$id >= timestamptz '2026-01-01 05:30' AND id < timestamptz '2026-01-01 05:34'$$) AS p(period);

-- a number of values below that of the common ones cannot be
CREATE TEMP TABLE shipments (order_id uuid);
ALTER TABLE shipments ALTER order_id SET (n_distinct = 5);
INSERT INTO shipments
SELECT uuid_boundary(timestamptz '2026-01-01' + n * interval '1 minute')
FROM generate_series(1, 60) AS n, generate_series(1, 20);
INSERT INTO shipments
SELECT uuid_boundary(timestamptz '2026-01-01' + n * interval '17 seconds')
FROM generate_series(1, 4000) AS n;
ANALYZE shipments;
SELECT is(pg_temp.expected(query, 'uidext.estimates', 'on'), pg_temp.expected(query, 'uidext.estimates', 'off'),
	'where the statistics contradict each other, the estimate is PostgreSQL''s')
	FROM (SELECT $$SELECT FROM shipments WHERE order_id <@ tstzrange('2026-01-01 00:30', '2026-01-01 01:30')$$) AS q(query);
SET LOCAL uidext.estimates = on;

--
-- Joins, whatever statistics the parents have
--

SELECT is(current_setting('uidext.join_estimates'), 'off', 'estimates of joins are off unless somebody wants them');
SET LOCAL uidext.join_estimates = on;

-- An order every ten minutes in days of their own, with three items each.
CREATE TEMP TABLE purchases (id uuid PRIMARY KEY, customer int) PARTITION BY RANGE (id);
CREATE TEMP TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
CREATE TEMP TABLE lines (order_id uuid, n int, customer int) PARTITION BY RANGE (order_id);
DO $$
DECLARE
	name text;
BEGIN
	FOREACH name IN ARRAY '{purchases, items, lines}'::text[] LOOP
		FOR n IN 0 .. 29 LOOP
			EXECUTE format('CREATE TEMP TABLE %1$s_%2$s PARTITION OF %1$s FOR VALUES FROM (%3$L) TO (%4$L)', name, n,
				uuid_boundary(timestamptz '2026-01-01' + n * interval '1 day'),
				uuid_boundary(timestamptz '2026-01-02' + n * interval '1 day'));
		END LOOP;
	END LOOP;
END $$;
CREATE FUNCTION pg_temp.fill(first int, last int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO purchases SELECT uuid_boundary(timestamptz '2026-01-01' + n * interval '1 minute'), n % 100
		FROM generate_series(first * 1440, last * 1440 - 1) AS n;
	INSERT INTO items SELECT id, n FROM purchases, generate_series(1, 3) AS n
		WHERE id >= timestamptz '2026-01-01' + first * interval '1 day' AND id < timestamptz '2026-01-01' + last * interval '1 day';
	INSERT INTO lines SELECT id, n, customer FROM purchases, generate_series(1, 12) AS n
		WHERE id >= timestamptz '2026-01-01' + first * interval '1 day' AND id < timestamptz '2026-01-01' + last * interval '1 day';
END $$;
CREATE FUNCTION pg_temp.analyze_leaves() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	leaf regclass;
BEGIN
	FOR leaf IN
	SELECT inhrelid
	FROM pg_inherits
	WHERE inhparent IN ('purchases'::regclass, 'items'::regclass, 'lines'::regclass) LOOP
		EXECUTE 'ANALYZE ' || leaf;
	END LOOP;
END $$;
-- Joins of purchases with each of the others, on a day and on a week of days.
CREATE FUNCTION pg_temp.joins_of(first int, state text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	other text;
	days int;
	day_of text;
BEGIN
	FOREACH other IN ARRAY '{items, lines}'::text[] LOOP
		FOREACH days IN ARRAY '{1, 5}'::int[] LOOP
			day_of := format('<@ tstzrange(%L, %L)', timestamptz '2026-01-01' + first * interval '1 day',
				timestamptz '2026-01-01' + (first + days) * interval '1 day');
			RETURN NEXT pg_temp.is_near(
				format('
						SELECT FROM purchases AS p
						JOIN %1$s AS i ON i.order_id = p.id
						WHERE p.id %2$s AND i.order_id %2$s', other, day_of),
				format('%s, %s of %s days', state, other, days));
			RETURN NEXT pg_temp.is_near(
				format('
						SELECT FROM purchases AS p
						WHERE p.id %2$s
							AND EXISTS (SELECT FROM %1$s AS i WHERE i.order_id = p.id AND i.order_id %2$s)',
					other, day_of),
				format('%s, orders of %s days with %s', state, days, other));
			RETURN NEXT pg_temp.is_near(
				format('
						SELECT FROM purchases AS p
						WHERE p.id %2$s
							AND NOT EXISTS (SELECT FROM %1$s AS i WHERE i.order_id = p.id AND i.order_id %2$s)',
					other, day_of),
				format('%s, orders of %s days without %s', state, days, other));
		END LOOP;
	END LOOP;
END $$;

SELECT pg_temp.fill(0, 10);
SELECT pg_temp.analyze_leaves();
SELECT pg_temp.joins_of(3, 'parents never analyzed');
ANALYZE purchases, items, lines;
SELECT pg_temp.joins_of(3, 'parents just analyzed');
SELECT pg_temp.fill(10, 20);
SELECT pg_temp.analyze_leaves();
SELECT pg_temp.joins_of(12, 'days after the ANALYZE of the parents');
SELECT pg_temp.joins_of(8, 'days around the ANALYZE of the parents');

-- Groups of single partitions are counted by the true statistics: two columns of a table
-- are not taken for those of two tables, which have a group for each row of the join.
SET LOCAL enable_partitionwise_join = on;
SET LOCAL enable_partitionwise_aggregate = on;
SELECT cmp_ok(pg_temp.expected('SELECT order_id, l.customer' || joined || 'GROUP BY order_id, l.customer'),
	'<', pg_temp.expected('SELECT' || joined) / 2, 'groups by two columns of a partition are fewer than its rows')
	FROM (
		SELECT $$
		FROM purchases AS p
		JOIN lines AS l ON order_id = id
		WHERE id <@ tstzrange('2026-01-03 18:00', '2026-01-04 06:00')
		AND order_id <@ tstzrange('2026-01-03 18:00', '2026-01-04 06:00') $$) AS q (joined);
SET LOCAL enable_partitionwise_join = off;
SET LOCAL enable_partitionwise_aggregate = off;

-- An old table with children: most rows are theirs.
CREATE TEMP TABLE letters (id uuid, customer int);
CREATE TEMP TABLE letters_2026 () INHERITS (letters);
CREATE TEMP TABLE stamps (letter_id uuid);
INSERT INTO letters SELECT uuid_boundary(timestamptz '2025-12-31' + n * interval '1 minute'), n FROM generate_series(1, 10) AS n;
INSERT INTO letters_2026
SELECT uuid_boundary(timestamptz '2026-01-01' + n * interval '1 minute'), n
FROM generate_series(1, 20000) AS n;
INSERT INTO stamps SELECT id FROM letters WHERE customer % 2 = 0;
ANALYZE letters, letters_2026, stamps;
SELECT pg_temp.is_near($$SELECT FROM letters AS l WHERE l.id <@ tstzrange('2026-01-03', '2026-01-05')
		AND NOT EXISTS (SELECT FROM stamps AS s WHERE s.letter_id = l.id AND s.letter_id <@ tstzrange('2026-01-03', '2026-01-05'))$$,
	'letters without a stamp');
SELECT pg_temp.is_near($$SELECT FROM letters AS l JOIN stamps AS s ON s.letter_id = l.id
		WHERE l.id <@ tstzrange('2026-01-03', '2026-01-05') AND s.letter_id <@ tstzrange('2026-01-03', '2026-01-05')$$,
	'letters with stamps');
-- Values of another column than the partition key may be in every partition.
CREATE TEMP TABLE refunds (id uuid, order_id uuid) PARTITION BY RANGE (id);
CREATE TEMP TABLE refunds_1 PARTITION OF refunds FOR VALUES FROM (MINVALUE) TO ('80000000-0000-0000-0000-000000000000');
CREATE TEMP TABLE refunds_2 PARTITION OF refunds FOR VALUES FROM ('80000000-0000-0000-0000-000000000000') TO (MAXVALUE);
INSERT INTO refunds SELECT uuid, uuid_boundary(timestamptz '2026-01-01' + n * interval '1 minute')
	FROM generate_series(1, 2000) AS n,
		unnest('{11111111-1111-1111-1111-111111111111, cccccccc-cccc-cccc-cccc-cccccccccccc}'::uuid[]) AS uuid;
ANALYZE refunds_1, refunds_2;
SELECT is(pg_temp.expected(query, 'uidext.join_estimates', 'on'), pg_temp.expected(query, 'uidext.join_estimates', 'off'),
	'a join by another column than the partition key is PostgreSQL''s where the parent was never analyzed')
	FROM (
		SELECT $$
			SELECT FROM refunds AS a
			JOIN refunds AS b USING (order_id)
			WHERE a.order_id <@ tstzrange('2026-01-01 03:00', '2026-01-01 08:00')
		AND b.order_id <@ tstzrange('2026-01-01 03:00', '2026-01-01 08:00')$$) AS q(query);
SET LOCAL uidext.join_estimates = on;

-- Of each child PostgreSQL expects one row at least, also where the period has none.
CREATE TEMP TABLE notes (id uuid);
DO $$
BEGIN
	FOR n IN 1 .. 30 LOOP
		EXECUTE format('CREATE TEMP TABLE notes_%s () INHERITS (notes)', n);
		EXECUTE format(
			'
				INSERT INTO notes_%s
				SELECT uuid_boundary(%L::timestamptz + n * interval ''10 minutes'')
				FROM generate_series(1, 144) AS n',
			n, timestamptz '2026-01-01' + n * interval '1 day');
		EXECUTE format('ANALYZE notes_%s', n);
	END LOOP;
END $$;
ANALYZE notes;
SELECT pg_temp.is_near($$SELECT FROM notes AS a JOIN notes AS b USING (id)
		WHERE a.id <@ tstzrange('2026-01-10 10:00', '2026-01-10 10:30') AND b.id <@ tstzrange('2026-01-10 10:00', '2026-01-10 10:30')$$,
	'half an hour of a table with thirty children');
-- A child that cannot have rows of the query is not counted.
CREATE TEMP TABLE parcels (id uuid, customer int);
CREATE TEMP TABLE parcels_1 (CHECK (customer = 1)) INHERITS (parcels);
CREATE TEMP TABLE parcels_2 (CHECK (customer = 2)) INHERITS (parcels);
INSERT INTO parcels_1
SELECT uuid_boundary(timestamptz '2026-01-01' + n * interval '10 minutes'), 1
FROM generate_series(1, 2000) AS n;
INSERT INTO parcels_2
SELECT uuid_boundary(timestamptz '2026-01-01' + n * interval '10 seconds'), 2
FROM generate_series(1, 120000) AS n;
ANALYZE parcels, parcels_1, parcels_2;
SELECT pg_temp.is_near($$SELECT FROM parcels AS a JOIN parcels AS b USING (id) WHERE a.customer = 1 AND b.customer = 1
		AND a.id <@ tstzrange('2026-01-03', '2026-01-07') AND b.id <@ tstzrange('2026-01-03', '2026-01-07')$$,
	'a join within one of two children');

--
-- Random queries: expected rows are as near as PostgreSQL's
--

CREATE SCHEMA differential;
SET LOCAL search_path = differential, public;
SELECT setseed(0.42);
\set orders 3000
\ir ../include/planner_differential.sql
SELECT setseed(0.17);
CALL differential_queries(150);
CREATE TABLE error AS TABLE differential_errors;
SELECT is_empty($$SELECT by_id, wrong FROM error WHERE wrong <> '{}'$$,
	'random queries find the rows that they find by timestamptz');
SELECT cmp_ok(percentile_cont(share) WITHIN GROUP (ORDER BY tables), '<=',
	percentile_cont(share) WITHIN GROUP (ORDER BY off),
	format('expected rows are wrong by no greater factor with the estimates than without, quantile %s', share))
	FROM error, unnest('{0.5, 0.9, 0.99}'::float8[]) AS share GROUP BY share ORDER BY share;
SELECT cmp_ok(percentile_cont(share) WITHIN GROUP (ORDER BY "on"), '<=',
	percentile_cont(share) WITHIN GROUP (ORDER BY tables),
	format('nor by a greater one with those of joins, quantile %s', share))
	FROM error, unnest('{0.5, 0.9, 0.99}'::float8[]) AS share GROUP BY share ORDER BY share;

SELECT is_empty($$SELECT by_id FROM error WHERE shape = 'both' AND "on" <> tables$$,
	'PostgreSQL estimates joins of views of UNION ALL');

SET LOCAL search_path = pg_temp, public;
SET LOCAL uidext.estimates = on;
CREATE TEMP TABLE joined AS
	SELECT format('SELECT FROM carts AS a JOIN carts AS b USING (id) WHERE a.id <@ %1$s AND b.id <@ %1$s',
	$$tstzrange('2026-01-02', '2026-01-02 06:00')$$) AS query;
SELECT cmp_ok(abs(pg_temp.expected(query, 'uidext.join_estimates', 'on') - 360), '<', 10::float8,
	'a join of a period on both sides has a row for each id') FROM joined;
SELECT cmp_ok(pg_temp.expected(query, 'uidext.join_estimates', 'off'), '<', 60::float8,
	'uidext.join_estimates leaves joins to PostgreSQL')
FROM joined;
-- Of the 5000 minutes of the carts 2250 and 2750, which are less and more than half.
CREATE FUNCTION pg_temp.carts_joined(until timestamptz, setting text) RETURNS float8
	RETURN pg_temp.expected(format('SELECT FROM carts AS a JOIN carts AS b USING (id) WHERE a.id <@ %1$s AND b.id <@ %1$s',
		format('tstzrange(''2026-01-01'', %L)', until)), 'uidext.join_estimates', setting);
SELECT cmp_ok(abs(pg_temp.carts_joined('2026-01-02 13:30', 'on') - 2250), '<', 50::float8,
	'a join of a period of less than half of a table has a row for each id');
SELECT is(pg_temp.carts_joined('2026-01-02 21:50', 'on'), pg_temp.carts_joined('2026-01-02 21:50', 'off'),
	'a join of a period of more than half of a table is PostgreSQL''s');

--
-- Memory: the common values of a column are not copied for each period
--

CREATE TEMP TABLE lots (order_id uuid, n int);
ALTER TABLE lots ALTER order_id SET STATISTICS 400;
-- 200 hours are in it twenty times, other times once
INSERT INTO lots SELECT uuid_boundary(timestamptz '2026-01-01' + n * interval '1 hour'), n
	FROM generate_series(0, 199) AS n, generate_series(1, 20);
INSERT INTO lots SELECT uuid_boundary(timestamptz '2026-01-01' + n * interval '3 minutes 7 seconds'), n
	FROM generate_series(1, 4000) AS n;
ANALYZE lots;
CREATE FUNCTION pg_temp.memory(estimates text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	line text;
	many text := (SELECT string_agg(format('order_id <@ tstzrange(%L, %L)', first, first + interval '5 minutes'), ' OR ')
		FROM generate_series(timestamptz '2026-01-01', '2026-01-13 11:00', '1 hour') AS first);
BEGIN
	PERFORM set_config('uidext.estimates', estimates, true);
	FOR line IN EXECUTE 'EXPLAIN (MEMORY) SELECT FROM lots WHERE ' || many LOOP
		EXIT WHEN line ~ 'Memory: used=';
	END LOOP;
	RETURN substring(line FROM 'used=(\d+)kB');
END $$;
SELECT CASE WHEN current_setting('server_version_num')::int < 170000 THEN
		skip('EXPLAIN (MEMORY) came with PostgreSQL 17')
	ELSE cmp_ok(pg_temp.memory('on'), '<=', 2 * pg_temp.memory('off'),
		'300 periods of a column with 200 common values are planned within twice the memory')
	END;

-- For a column of a subquery PostgreSQL asks with the subquery's planner and the
-- relation of the query around it, whose number the subquery may not have.
CREATE TABLE invoices AS SELECT gen_uuidv7() AS id, n AS customer FROM generate_series(1, 100) AS n;
CREATE TABLE invoice_lines AS SELECT id AS invoice FROM invoices;
ANALYZE invoices, invoice_lines;
SET LOCAL join_collapse_limit = 1;
SELECT lives_ok(format('SELECT count(*) FROM generate_series(1, 1) AS c (customer) %s JOIN (
		SELECT id, customer FROM invoices JOIN invoice_lines ON invoice = id LIMIT 10
	) AS few ON few.id = i1.id OR few.customer = i2.customer',
		(SELECT string_agg(format('JOIN invoices AS i%s USING (customer)', n), ' ') FROM generate_series(1, last) AS n)),
		format('a subquery is joined after %s tables', last))
	FROM generate_series(10, 60, 10) AS last;
RESET join_collapse_limit;

SELECT * FROM finish();
ROLLBACK;
