-- How many rows the planner expects of a range of ids: as many as of created_at.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
SET max_parallel_workers_per_gather = 0;

CREATE SCHEMA estimates;
SET search_path = estimates, public;

-- VACUUM keeps rows that another session may still see, and autovacuum is one.
CREATE PROCEDURE await_others() LANGUAGE plpgsql AS $$
BEGIN
	WHILE EXISTS (
		SELECT FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL) LOOP
		PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
	END LOOP;
END $$;

-- Tables that ANALYZE reads whole, so that their statistics are the same each time.
-- An id is a second's boundary.
CREATE FUNCTION id_at(n int) RETURNS uuid IMMUTABLE PARALLEL SAFE
	RETURN uuid_boundary(timestamptz '2026-01-01' + n * interval '1 second');
CREATE FUNCTION time_at(n int) RETURNS timestamptz IMMUTABLE PARALLEL SAFE
	RETURN timestamptz '2026-01-01' + n * interval '1 second';

CREATE TABLE orders (id uuid PRIMARY KEY, created_at timestamptz UNIQUE, customer int, n int) WITH (autovacuum_enabled = off);
INSERT INTO orders SELECT id_at(n), time_at(n), n * 7 % 100, n FROM generate_series(1, 20000) AS n;
VACUUM ANALYZE orders;

CREATE FUNCTION expected(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan #>> '{0,Plan,Plan Rows}';
END $$;

CREATE FUNCTION expected(query text, enabled bool) RETURNS float8 LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('uidext.estimates', enabled::text, true);
	RETURN expected(query);
END $$;

-- Whether two numbers of rows are about the same: within 2 % and two rows.
CREATE FUNCTION about(a float8, b float8) RETURNS bool
	RETURN abs(a - b) <= greatest(a, b) * 0.02 + 2;

SHOW uidext.estimates;

-- A range within one bin of the histogram, which core takes for empty.
SELECT expected($$SELECT FROM orders WHERE id >= time_at(5010) AND id < time_at(5110)$$, false) AS core,
	about(expected($$SELECT FROM orders WHERE id >= time_at(5010) AND id < time_at(5110)$$, true), 100) AS uidext;

-- All ways to compare an id with constants, each beside the same with created_at.
-- an inlined function mentions the same column twice
CREATE FUNCTION is_between(id uuid, first uuid, ends uuid[]) RETURNS bool IMMUTABLE RETURN id < ANY (ends) AND id > first;
CREATE FUNCTION is_between(at timestamptz, first timestamptz, ends timestamptz[])
RETURNS bool IMMUTABLE RETURN at < ANY (ends) AND at > first;
CREATE TABLE compared (position serial, by_id text, by_column text);
INSERT INTO compared (by_id, by_column) VALUES
	('id < id_at(5010)', 'created_at < time_at(5010)'),
	('id <= id_at(5010)', 'created_at <= time_at(5010)'),
	('id > id_at(5010)', 'created_at > time_at(5010)'),
	('id >= id_at(5010)', 'created_at >= time_at(5010)'),
	('id_at(5010) <= id AND id_at(5110) > id', 'time_at(5010) <= created_at AND time_at(5110) > created_at'),
	('id BETWEEN id_at(5010) AND id_at(5110)', 'created_at BETWEEN time_at(5010) AND time_at(5110)'),
	('id < time_at(30)', 'created_at < time_at(30)'),
	('id > time_at(19970)', 'created_at > time_at(19970)'),
	('id < time_at(-100)', 'created_at < time_at(-100)'),
	('id > time_at(30000)', 'created_at > time_at(30000)'),
	('id <= time_at(5010)', 'created_at <= time_at(5010)'),
	('time_at(5010) <= id AND time_at(5110) > id', 'time_at(5010) <= created_at AND time_at(5110) > created_at'),
	('id <@ tstzrange(time_at(5010), time_at(5110))', 'created_at >= time_at(5010) AND created_at < time_at(5110)'),
	('tstzrange(time_at(5010), time_at(5110)) @> id', 'created_at >= time_at(5010) AND created_at < time_at(5110)'),
	('id <@ tstzmultirange(tstzrange(time_at(10), time_at(20)), tstzrange(time_at(5010), time_at(5110)))',
		'created_at >= time_at(10) AND created_at < time_at(20) OR created_at >= time_at(5010) AND created_at < time_at(5110)'),
	('id >= time_at(5010) + (now() - now()) AND id < time_at(5110) + (now() - now())',
		'created_at >= time_at(5010) AND created_at < time_at(5110)'),
	('NOT id < id_at(19000)', 'NOT created_at < time_at(19000)'),
	('NOT (id < id_at(5010) OR id > id_at(5110))', 'NOT (created_at < time_at(5010) OR created_at > time_at(5110))'),
	('(id < id_at(5010)) IS NOT TRUE', '(created_at < time_at(5010)) IS NOT TRUE'),
	('id < id_at(110) OR id > id_at(19990)', 'created_at < time_at(110) OR created_at > time_at(19990)'),
	('id > id_at(5010) AND (id < id_at(5110) OR n = 3)', 'created_at > time_at(5010) AND (created_at < time_at(5110) OR n = 3)'),
	('id < ANY (ARRAY[id_at(20), id_at(50)])', 'created_at < ANY (ARRAY[time_at(20), time_at(50)])'),
	('id > ALL (ARRAY[id_at(5010), id_at(19980)])', 'created_at > ALL (ARRAY[time_at(5010), time_at(19980)])'),
	('id < ANY (ARRAY[id_at(20), id_at(50), id_at(5010)])', 'created_at < ANY (ARRAY[time_at(20), time_at(50), time_at(5010)])'),
	('id > ALL (ARRAY[id_at(20), id_at(5010), id_at(19980)])',
		'created_at > ALL (ARRAY[time_at(20), time_at(5010), time_at(19980)])'),
	('is_between(id, id_at(10), ARRAY[id_at(20), id_at(50)])',
		'is_between(created_at, time_at(10), ARRAY[time_at(20), time_at(50)])'),
	('id < ANY (array_fill(id_at(20), ARRAY[100]))', 'created_at < ANY (array_fill(time_at(20), ARRAY[100]))'),
	('id > ALL (ARRAY[id_at(19980), (SELECT id_at(5))])', 'created_at > ALL (ARRAY[time_at(19980), (SELECT time_at(5))])'),
	('id < ANY (''{019b7660-9c80-0000-0000-000000000000, NULL}'')',
		'created_at < ANY (ARRAY[uuid_boundary_time(''019b7660-9c80-0000-0000-000000000000''), NULL])'),
	('(id, n) > (id_at(19950), 3)', '(created_at, n) > (time_at(19950), 3)'),
	('(id_at(19950), 3) < (id, n)', '(time_at(19950), 3) < (created_at, n)'),
	('id >= id_at(5010) AND id < id_at(5110) AND id <> id_at(5050)',
		'created_at >= time_at(5010) AND created_at < time_at(5110) AND created_at <> time_at(5050)'),
	('id >= id_at(5010) AND id < id_at(5110) AND customer = 5',
		'created_at >= time_at(5010) AND created_at < time_at(5110) AND customer = 5'),
	('id >= id_at(5010) AND id < id_at(5110) AND uuid_time(id) IS NULL',
		'created_at >= time_at(5010) AND created_at < time_at(5110) AND uuid_time(id) IS NULL');
SELECT by_id AS not_as_created_at,
	expected('SELECT FROM orders WHERE ' || by_id),
	expected('SELECT FROM orders WHERE ' || by_column)
FROM compared
WHERE NOT about(expected('SELECT FROM orders WHERE ' || by_id), expected('SELECT FROM orders WHERE ' || by_column))
ORDER BY position;

-- Several periods that are no short constant: of the rows between the first and the last, the share of the
-- time that is in one of them.
CREATE FUNCTION costly(id uuid) RETURNS uuid IMMUTABLE COST 1000 LANGUAGE plpgsql AS 'BEGIN RETURN id; END';
CREATE FUNCTION day_before(at timestamptz) RETURNS tstzmultirange STABLE LANGUAGE plpgsql
AS $$ BEGIN RETURN multirange(tstzrange(at - interval '1 day', at)); END $$;
CREATE FUNCTION no_periods() RETURNS tstzmultirange STABLE LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
SELECT what AS wrong, rows, expected('SELECT FROM orders WHERE ' || condition)
FROM (VALUES
	('one that ends now', 20000, 'id <@ tstzmultirange(tstzrange(time_at(0), now() + (time_at(20001) - now())))'),
	('one that a stable function tells', 5010, 'day_before(time_at(5010)) @> id'),
	('a hundred and one', 5050,
		format('id <@ %L::tstzmultirange',
			(SELECT range_agg(tstzrange(time_at(100 * n), time_at(100 * n + 50))) FROM generate_series(0, 100) AS n))),
	('a fiftieth of what is between', 200,
		'id <@ tstzmultirange(tstzrange(time_at(5000), now() + (time_at(5100) - now())), '
		'tstzrange(time_at(14900), time_at(15000)))'),
	('the others', 19800,
		'NOT id <@ tstzmultirange(tstzrange(time_at(5000), now() + (time_at(5100) - now())), '
		'tstzrange(time_at(14900), time_at(15000)))'),
	('none', 0, 'id <@ multirange(tstzrange(now(), now()))'),
	('NULL', 0, 'id <@ no_periods()'),
	('one of a moment', 1, 'id <@ multirange(tstzrange(now() + (time_at(5000) - now()), time_at(5000), ''[]''))'),
	('without a start and an end', 20000,
		'id <@ tstzmultirange(tstzrange(NULL, now() + (time_at(5000) - now())), tstzrange(time_at(5100), NULL))'),
	-- of any period of a function's results PostgreSQL expects 100 rows
	('of ids that are evaluated once a row', 50,
		'costly(id) <@ tstzmultirange ''{[2026-01-01 00:00,2026-01-01 01:00),[2026-01-01 03:00,2026-01-01 04:00)}''')
) AS v(what, rows, condition)
WHERE NOT about(expected('SELECT FROM orders WHERE ' || condition), rows);
SET plan_cache_mode = force_generic_plan;
PREPARE in_period(tstzrange) AS SELECT FROM orders WHERE id <@ $1;
PREPARE in_periods(tstzmultirange) AS SELECT FROM orders WHERE id <@ $1;
SELECT expected($$EXECUTE in_periods('{(,)}')$$) = expected($$EXECUTE in_period('(,)')$$) AS unknown_ones_as_one_period;
DEALLOCATE in_period;
DEALLOCATE in_periods;
RESET plan_cache_mode;

-- The same of a table, of its partitions and of children, of a view, for updates, through a sub-select.
CREATE TABLE partitioned (LIKE orders, PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE partitioned_1 PARTITION OF partitioned
FOR VALUES FROM (MINVALUE) TO ('019b76fe-0000-0000-0000-000000000000') WITH (autovacuum_enabled = off);
CREATE TABLE partitioned_2 PARTITION OF partitioned
FOR VALUES FROM ('019b76fe-0000-0000-0000-000000000000') TO (MAXVALUE) WITH (autovacuum_enabled = off);
INSERT INTO partitioned TABLE orders;
CREATE TABLE parent (LIKE orders) WITH (autovacuum_enabled = off);
CREATE TABLE child (PRIMARY KEY (id)) INHERITS (parent) WITH (autovacuum_enabled = off);
INSERT INTO child TABLE orders;
CALL await_others();
VACUUM ANALYZE partitioned, parent, child;
CREATE VIEW recent AS SELECT * FROM orders WHERE id >= id_at(5010);
SELECT query, about(expected(query), rows) AS as_many
FROM (VALUES ('SELECT FROM partitioned WHERE id >= id_at(2000) AND id < id_at(2100)', 100),
	('SELECT FROM partitioned WHERE id >= id_at(100) AND id < id_at(19900)', 19800),
	('SELECT FROM parent WHERE id >= id_at(5010) AND id < id_at(5110)', 100),
	('SELECT FROM recent WHERE id < id_at(5110)', 100),
	('SELECT FROM (SELECT * FROM orders WHERE id >= id_at(5010) AND id < id_at(5110) OFFSET 0) AS s', 100),
	('WITH s AS MATERIALIZED (SELECT * FROM orders WHERE id >= id_at(5010) AND id < id_at(5110)) SELECT FROM s', 100),
	('SELECT FROM orders AS a JOIN orders AS b USING (id) WHERE a.id >= id_at(5010) AND a.id < id_at(5110)', 100),
	('(SELECT id FROM orders UNION ALL SELECT id FROM partitioned_1) ORDER BY id', 20000 + (SELECT count(*) FROM partitioned_1)),
	('SELECT FROM (SELECT id FROM orders UNION ALL SELECT id FROM child) AS s WHERE id >= id_at(5010) AND id < id_at(5110)', 200),
	('UPDATE orders SET n = 0 WHERE id >= id_at(5010) AND id < id_at(5110) RETURNING n', 100),
	('DELETE FROM partitioned WHERE id >= id_at(5010) AND id < id_at(5110) RETURNING n', 100)) AS v(query, rows);

-- Types over uuid, with random ids too.
CREATE DOMAIN order_id AS uuid;
CREATE DOMAIN trip_id AS iuid;
CREATE TABLE kinds (id order_id, iuid iuid, trip trip_id, ulid ulid, random uuid) WITH (autovacuum_enabled = off);
INSERT INTO kinds SELECT id, id::iuid, id::iuid, id::ulid, md5(n::text)::uuid FROM orders;
ANALYZE kinds;
SELECT condition, about(expected('SELECT FROM kinds WHERE ' || condition), 100) AS as_many
FROM unnest(ARRAY['id >= id_at(5010) AND id < id_at(5110)', 'iuid >= id_at(5010) AND iuid < id_at(5110)',
	'iuid >= iuid_boundary(time_at(5010)) AND iuid < iuid_boundary(time_at(5110))',
	'iuid <@ tstzrange(time_at(5010), time_at(5110))', 'trip >= time_at(5010) AND trip < time_at(5110)',
	'ulid >= id_at(5010)::ulid AND ulid < id_at(5110)::ulid', 'ulid <@ tstzrange(time_at(5010), time_at(5110))',
	-- a two hundredth of all there are
	$$random >= '40000000-0000-0000-0000-000000000000' AND random < '4147ae14-0000-0000-0000-000000000000'$$]) AS condition;

-- Parameters of plans for these values; a plan for any values is core's.
PREPARE period(uuid, timestamptz) AS SELECT FROM orders WHERE id >= $1 AND id < $2;
SET plan_cache_mode = force_custom_plan;
SELECT about(expected('
		EXECUTE period(
			''019b7745-8c90-0000-0000-000000000000'', uuid_boundary_time(''019b7747-1330-0000-0000-000000000000''))'),
	100) AS custom;
SET plan_cache_mode = force_generic_plan;
SELECT expected('
	EXECUTE period(
		''019b7745-8c90-0000-0000-000000000000'', uuid_boundary_time(''019b7747-1330-0000-0000-000000000000''))')
	AS generic;
RESET plan_cache_mode;

-- What core knows stays as it is: common values, NULLs, "=" and the like, also beside a range.
CREATE TABLE owned (owner uuid, n int) WITH (autovacuum_enabled = off);
INSERT INTO owned
	SELECT CASE WHEN n % 10 = 0 THEN NULL WHEN n % 10 < 5 THEN md5('common' || n % 7)::uuid ELSE md5((n % 3000)::text)::uuid END,
	n FROM generate_series(1, 20000) AS n;
ANALYZE owned;
SELECT condition AS not_as_before,
	expected('SELECT FROM owned WHERE ' || condition, false),
	expected('SELECT FROM owned WHERE ' || condition, true)
FROM (SELECT replace(replace(condition, 'COMMON', md5('common1')::uuid::text), 'RARE', md5('77')::uuid::text) AS condition
	FROM unnest(ARRAY[$$owner = 'COMMON'$$, $$owner = 'RARE'$$, $$owner <> 'COMMON'$$, $$owner IN ('COMMON', 'RARE')$$,
		'owner IS NULL', 'owner IS NOT NULL', $$owner IS DISTINCT FROM 'RARE'$$,
		$$owner > '00000000-0000-0000-0000-000000000000' AND owner = 'COMMON'$$,
		$$owner > '00000000-0000-0000-0000-000000000000' AND owner = 'RARE'$$,
		$$owner > '00000000-0000-0000-0000-000000000000' AND owner = (SELECT owner FROM owned LIMIT 1)$$,
		$$owner < NULL$$]) AS condition) AS conditions
WHERE abs(expected('SELECT FROM owned WHERE ' || condition, false) - expected('SELECT FROM owned WHERE ' || condition, true)) > 3;
-- and a range counts them
SELECT condition,
	expected('SELECT FROM owned WHERE ' || condition) / (SELECT count(*) FROM owned
	WHERE owner < '40000000-0000-0000-0000-000000000000') BETWEEN 0.8 AND 1.25 AS as_many
FROM unnest(ARRAY[$$owner < '40000000-0000-0000-0000-000000000000'$$,
	$$owner >= '00000000-0000-0000-0000-000000000000' AND owner < '40000000-0000-0000-0000-000000000000'$$,
	$$owner IS NOT NULL AND NOT owner >= '40000000-0000-0000-0000-000000000000'$$]) AS condition;

-- What is not understood is core's: another order, constants beyond number, the column in an array.
SELECT condition AS not_as_before,
	expected('SELECT FROM orders WHERE ' || condition, false),
	expected('SELECT FROM orders WHERE ' || condition, true)
FROM unnest(ARRAY['id ~<~ id_at(3)', 'id > ANY (array_fill(id_at(3), ARRAY[600]))',
	'id > ANY (ARRAY[' || repeat('uuid_boundary(time_at(3) + (now() - now())), ', 100) || 'id_at(3)])', 'id_at(3) < ANY (ARRAY[id, id_at(5)])',
	'id_at(3) < ALL (ARRAY[id, id_at(5)])', 'id > id', 'id > (SELECT id FROM orders LIMIT 1)']) AS condition
WHERE expected('SELECT FROM orders WHERE ' || condition, false) <> expected('SELECT FROM orders WHERE ' || condition, true);
-- What stands beside it is estimated.
SELECT about(expected('
		SELECT FROM orders
		WHERE id >= id_at(5010) AND id < id_at(5110) AND id <> ALL (array_fill(id_at(3), ARRAY[600]))'),
	100) AS as_many,
	about(expected('
			SELECT FROM orders
			WHERE id >= id_at(5010)
				AND id < id_at(5110)
				AND (id > id_at(5200) OR id_at(3) < ANY (ARRAY[id_at(5)]))'), 100) AS as_many_too;

-- Growth since ANALYZE.
INSERT INTO orders SELECT id_at(n), time_at(n), n * 7 % 100, n FROM generate_series(20001, 24000) AS n;
SELECT part, expected('SELECT FROM orders WHERE ' || condition, false) / rows BETWEEN 0.8 AND 1.25 AS as_many_by_core,
	expected('SELECT FROM orders WHERE ' || condition, true) / rows BETWEEN 0.8 AND 1.25 AS as_many
FROM (VALUES ('newest hour', 'id >= time_at(20400)', 3600),
	('ten minutes of it', 'id >= time_at(22000) AND id < time_at(22600)', 600),
	('half of all', 'id < time_at(12000)', 12000), ('across', 'id > time_at(19000)', 5000)) AS v(part, condition, rows);
DELETE FROM orders WHERE n > 20000;
-- A beginning that is gone, and one that is new.
DELETE FROM orders WHERE n <= 150;
CALL await_others();
VACUUM orders;
SELECT expected('SELECT FROM orders WHERE id < time_at(100)') AS gone,
	expected('SELECT FROM orders WHERE id < time_at(170)') < 40 AS begun;
INSERT INTO orders SELECT id_at(n), time_at(n), n * 7 % 100, n FROM generate_series(-50, 150) AS n;
SELECT expected('SELECT FROM orders WHERE id < time_at(0)') BETWEEN 30 AND 60 AS begun;
DELETE FROM orders WHERE n < 1;
VACUUM ANALYZE orders;

-- A few rows of very many, within 200 us and 20 us: 2 ^ 80 ids are a millisecond.
BEGIN;
UPDATE pg_class SET reltuples = 1e9 WHERE oid = 'orders'::regclass;
SELECT round(
	expected($$
		SELECT FROM orders
		WHERE created_at >= time_at(15000) AND created_at < time_at(15000) + interval '200 us'$$))
	AS ten_by_created_at,
	expected($$
		SELECT FROM orders
		WHERE id >= '019b77bf-8740-0000-0000-000000000000' AND id < '019b77bf-8740-3333-0000-000000000000'$$)
		AS ten,
	expected($$
		SELECT FROM orders
		WHERE id >= '019b77bf-8740-0000-0000-000000000000' AND id < '019b77bf-8740-051e-0000-000000000000'$$)
		AS one,
	expected($$
		SELECT FROM orders
		WHERE id BETWEEN '019b77bf-8740-0000-0000-000000000000' AND '019b77bf-8740-3333-0000-000000000000'
			AND n > 0$$) AS ten_too;
ROLLBACK;

-- Operands whose functions plan for themselves: the same table, or until an error.
CREATE FUNCTION first_of_period() RETURNS uuid STABLE LANGUAGE plpgsql AS $$
DECLARE
	first uuid;
BEGIN
	EXECUTE 'SELECT id FROM orders WHERE id >= id_at(5010) AND id < id_at(5110) ORDER BY id LIMIT 1' INTO first;
	IF current_setting('estimates.fails', true) = 'on' THEN
		RAISE EXCEPTION 'not now';
	END IF;
	RETURN first;
END $$;
SELECT about(expected('SELECT FROM orders WHERE id >= first_of_period() AND id < id_at(5110)'), 100) AS nested;
DO $$
BEGIN
	SET LOCAL estimates.fails = on;
	FOR i IN 1 .. 3 LOOP
		BEGIN
			PERFORM expected('SELECT FROM orders WHERE id >= first_of_period() AND id < id_at(5110)');
		EXCEPTION WHEN raise_exception THEN
			RAISE NOTICE '%', SQLERRM;
		END;
	END LOOP;
	SET LOCAL estimates.fails = off;
	RAISE NOTICE 'after errors: %', about(expected('SELECT FROM orders WHERE id >= first_of_period() AND id < id_at(5110)'), 100);
END $$;

-- An operand that is a little greater each time that the planner asks for it.
CREATE SEQUENCE later;
CREATE FUNCTION later() RETURNS uuid STABLE
	LANGUAGE sql AS $$SELECT uuid_boundary(timestamptz '2026-01-01 01:00+00' + nextval('later') * interval '1 millisecond')$$;
SELECT about(expected('SELECT FROM orders WHERE id >= later()'), 16400) AS above,
	about(expected('SELECT FROM orders WHERE id < later()'), 3600) AS below,
	about(expected('SELECT FROM orders WHERE id >= later() AND id < id_at(3700)'), 100) AS range;

-- Plans: a period of two tables is not joined row by row.
CREATE TABLE clicks AS SELECT id, created_at, n * 3 % 100 AS customer FROM orders;
CREATE UNIQUE INDEX ON clicks (id);
CALL await_others();
VACUUM ANALYZE clicks;
SET uidext.estimates = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM orders o JOIN clicks c USING (customer) WHERE o.id >= id_at(5010) AND o.id < id_at(5110)
	AND c.id >= id_at(5010) AND c.id < id_at(5110);
SET uidext.estimates = on;
EXPLAIN (COSTS OFF) SELECT count(*) FROM orders o JOIN clicks c USING (customer) WHERE o.id >= id_at(5010) AND o.id < id_at(5110)
	AND c.id >= id_at(5010) AND c.id < id_at(5110);

-- EXPLAIN (SETTINGS) says when it is off.
CREATE FUNCTION shown_by_explain() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (SETTINGS, COSTS OFF, FORMAT JSON) SELECT FROM orders' INTO plan;
	RETURN plan #>> '{0,Settings,uidext.estimates}';
END $$;
SELECT shown_by_explain() AS shown_on;
SET uidext.estimates = off;
SELECT shown_by_explain() AS shown_off;
SET uidext.estimates = on;

-- BRIN, whose estimator calls the hook with memory that it has not written.
CREATE TABLE brin AS SELECT id, repeat('x', 200) AS payload FROM orders;
CREATE INDEX ON brin USING brin (id) WITH (pages_per_range = 4);
VACUUM ANALYZE brin;
EXPLAIN (COSTS OFF) SELECT * FROM brin WHERE id >= id_at(5010) AND id < id_at(5110);

-- Also where another relation is proved empty before, whatever the types.
CREATE TABLE logs AS SELECT timestamptz '2024-01-01' + n * interval '1 minute' AS at, n FROM generate_series(1, 5000) AS n;
CREATE INDEX ON logs USING brin (at);
VACUUM ANALYZE logs;
CREATE TABLE no_partition (n int, at timestamptz) PARTITION BY RANGE (at);
SELECT count(*) AS logs FROM logs LEFT JOIN no_partition USING (n) WHERE logs.at > '2024-01-03';

-- A partial index, at its border too.
CREATE TABLE partial AS SELECT id, n, repeat('x', 200) AS payload FROM orders;
SELECT id_at(19000) AS start, id_at(19100) AS stop \gset
CREATE INDEX partial_recent ON partial (id) WHERE id >= :'start';
VACUUM ANALYZE partial;
EXPLAIN (COSTS OFF) SELECT * FROM partial WHERE id >= :'start' AND id < :'stop';
SELECT about(expected(format('SELECT FROM partial WHERE id >= %L AND id < %L', :'start', :'stop')), 100) AS as_many;

-- OR over a join: what is drawn out of it for one table is estimated before any.
EXPLAIN (COSTS OFF) SELECT count(*) FROM orders o JOIN clicks c ON o.id = c.id AND o.id < id_at(110) OR o.id = c.id AND o.n = 5
	WHERE o.id > id_at(10) AND o.id < id_at(500);

-- Also where there is no index, and of both tables.
CREATE TABLE plain AS TABLE orders;
ANALYZE plain;
SELECT expected('
		SELECT FROM plain a, plain b
		WHERE (a.n = 1 AND b.id < id_at(110) OR a.n = 2 AND b.id > id_at(19900)) AND a.n < 3 AND b.n > 0',
	false) AS core,
	about(
		expected('
				SELECT FROM plain a, plain b
				WHERE (a.n = 1 AND b.id < id_at(110) OR a.n = 2 AND b.id > id_at(19900))
					AND a.n < 3
					AND b.n > 0', true),
		expected('
			SELECT FROM plain a, plain b
			WHERE (a.n = 1 AND b.created_at < time_at(110) OR a.n = 2 AND b.created_at > time_at(19900))
				AND a.n < 3
				AND b.n > 0')) AS as_created_at;
SELECT about(expected('SELECT FROM plain a, plain b WHERE a.n = 1 AND b.id < id_at(110) OR a.n = 2 AND b.id > id_at(19900)'),
	expected('
		SELECT FROM plain a, plain b
		WHERE a.n = 1 AND b.created_at < time_at(110) OR a.n = 2 AND b.created_at > time_at(19900)'))
		AS without_clauses_of_its_own;
SELECT about(
	expected('SELECT FROM plain JOIN clicks USING (id) WHERE plain.id < id_at(500) AND clicks.customer = 3'),
	5) AS joined;

-- Behind an outer join, in a sub-select.
SELECT expected('
	SELECT FROM plain
	LEFT JOIN (
		SELECT customer, n + 1 AS m
		FROM orders
		WHERE id >= id_at(5010) AND id < id_at(6010)) AS s USING (customer)') /
		expected('
			SELECT FROM plain
			LEFT JOIN (
				SELECT customer, n + 1 AS m
				FROM orders
				WHERE created_at >= time_at(5010) AND created_at < time_at(6010)) AS s USING (customer)')
			BETWEEN 0.9 AND 1.1 AS as_created_at,
	expected('
		SELECT FROM plain
		LEFT JOIN (
			SELECT customer FROM orders WHERE id >= id_at(5010) AND id < id_at(6010)) AS s USING (customer)')
		> 100000 AS many;

-- CLUSTER plans by itself, here for no rows.
CREATE TABLE nobody (id uuid PRIMARY KEY);
CLUSTER nobody USING nobody_pkey;

-- GEQO
SET geqo_threshold = 2;
EXPLAIN (COSTS OFF)
SELECT count(*)
FROM orders o
JOIN clicks c USING (id)
JOIN brin b USING (id)
WHERE id >= id_at(5010) AND id < id_at(5110);
RESET geqo_threshold;

-- MERGE, ON CONFLICT, TABLESAMPLE
-- minors differ in whether MERGE reads the index alone
SET enable_indexonlyscan = off;
EXPLAIN (COSTS OFF) MERGE INTO clicks
	USING (SELECT id FROM orders WHERE id >= id_at(5010)
	AND id < id_at(5110)) AS o ON clicks.id = o.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id) VALUES (o.id);
RESET enable_indexonlyscan;
EXPLAIN (COSTS OFF) INSERT INTO clicks (id) SELECT id FROM orders WHERE id >= id_at(5010)
	AND id < id_at(5110) ON CONFLICT (id) DO UPDATE SET customer = 0 WHERE clicks.id > id_at(5050);
EXPLAIN (COSTS OFF) SELECT * FROM orders TABLESAMPLE SYSTEM (50) WHERE id >= id_at(5010) AND id < id_at(5110);
SELECT about(
	expected('SELECT FROM orders TABLESAMPLE BERNOULLI (50) WHERE id >= id_at(5010) AND id < id_at(5110)'),
	50) AS as_many;

-- A foreign table, whose wrapper sizes it by the statistics of ANALYZE.
CREATE EXTENSION file_fdw;
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
-- in the database's own directory, with which it goes
SELECT current_setting('data_directory') || '/base/' || oid || '/uidext' AS file
FROM pg_database
WHERE datname = current_database() \gset
COPY orders (id, created_at) TO :'file' (FORMAT csv);
CREATE FOREIGN TABLE kept (id uuid, created_at timestamptz) SERVER files OPTIONS (filename :'file', format 'csv');
ANALYZE kept;
SELECT expected('SELECT FROM kept WHERE id >= id_at(5010) AND id < id_at(5110)')
	/ expected('SELECT FROM kept WHERE created_at >= time_at(5010) AND created_at < time_at(5110)')
	BETWEEN 0.9 AND 1.1 AS as_created_at;
SELECT expected('
	SELECT FROM plain a, kept b
	WHERE a.n = 1 AND b.id >= id_at(5010) AND b.id < id_at(5110) OR a.n = 2 AND b.id > id_at(19900)') /
	expected('
		SELECT FROM plain a, kept b
		WHERE a.n = 1 AND b.created_at >= time_at(5010) AND b.created_at < time_at(5110)
			OR a.n = 2 AND b.created_at > time_at(19900)')
		BETWEEN 0.8 AND 1.25 AS drawn_out_of_or;
COPY (SELECT WHERE false) TO :'file';

-- Inheritance, and partitions joined one by one.
EXPLAIN (COSTS OFF) SELECT * FROM parent WHERE id >= id_at(5010) AND id < id_at(5110);
SET enable_partitionwise_join = on;
EXPLAIN (COSTS OFF)
SELECT count(*)
FROM partitioned a
JOIN partitioned b USING (id)
WHERE a.id >= id_at(5010) AND a.id < id_at(5110);
RESET enable_partitionwise_join;

SET uidext.join_estimates = on;
-- Joins of orders of 200 seconds, which the query says of one table or of both.
CREATE TABLE items (order_id uuid, position int, PRIMARY KEY (order_id, position)) WITH (autovacuum_enabled = off);
INSERT INTO items SELECT id_at(n), position FROM generate_series(1, 20000) AS n, generate_series(1, 1 + n * 31 % 7) AS position;
CREATE TABLE keyed (LIKE items, FOREIGN KEY (order_id) REFERENCES orders,
	PRIMARY KEY (order_id, position)) WITH (autovacuum_enabled = off);
INSERT INTO keyed TABLE items;
CREATE TABLE wide (n int, id uuid, PRIMARY KEY (n, id)) WITH (autovacuum_enabled = off);
INSERT INTO wide SELECT n, id FROM orders;
CREATE TABLE payments (n int, order_id uuid UNIQUE,
	FOREIGN KEY (n, order_id) REFERENCES wide (n, id)) WITH (autovacuum_enabled = off);
INSERT INTO payments SELECT n, id_at(n) FROM generate_series(1, 20000) AS n WHERE n % 3 > 0;
-- partitions have their columns in another order; of "many" ANALYZE counts the orders, not their share of the rows
CREATE TABLE parts (position int, order_id uuid, PRIMARY KEY (order_id, position)) PARTITION BY RANGE (order_id);
CREATE TABLE parts_1 (LIKE items INCLUDING ALL) WITH (autovacuum_enabled = off);
CREATE TABLE parts_2 (LIKE items INCLUDING ALL) WITH (autovacuum_enabled = off);
ALTER TABLE parts ATTACH PARTITION parts_1 FOR VALUES FROM (MINVALUE) TO ('019b76fe-0000-0000-0000-000000000000');
ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES FROM ('019b76fe-0000-0000-0000-000000000000') TO (MAXVALUE);
CREATE TABLE many (LIKE items) PARTITION BY RANGE (order_id);
CREATE TABLE many_1 PARTITION OF many FOR VALUES FROM (MINVALUE) TO (MAXVALUE) WITH (autovacuum_enabled = off);
ALTER TABLE many ALTER order_id SET (n_distinct_inherited = 20000);
ALTER TABLE many_1 ALTER order_id SET (n_distinct = 20000);
-- so that ANALYZE reads every row, and core's guesses are the same each time
ALTER TABLE items ALTER position SET STATISTICS 1000;
ALTER TABLE keyed ALTER position SET STATISTICS 1000;
ALTER TABLE parts ALTER position SET STATISTICS 1000;
ALTER TABLE many ALTER position SET STATISTICS 1000;
INSERT INTO parts (order_id, position) TABLE items;
INSERT INTO many TABLE items;
VACUUM ANALYZE items, wide, payments, keyed, parts, many;

CREATE FUNCTION off(query text, enabled bool) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	rows float8;
	expected float8;
BEGIN
	query := replace(query, 'PERIOD', 'BETWEEN id_at(5010) AND id_at(5209)');
	EXECUTE format('SELECT count(*) FROM (%s) AS q', query) INTO rows;
	expected := expected(query, enabled);
	RETURN greatest(rows / expected, expected / greatest(rows, 1));
END $$;
CREATE TABLE joins (position serial, query text);
INSERT INTO joins (query) VALUES
	('SELECT FROM orders o JOIN items i ON i.order_id = o.id WHERE o.id PERIOD'),
	('SELECT FROM orders o JOIN items i ON i.order_id = o.id WHERE i.order_id PERIOD'),
	('SELECT FROM orders o JOIN keyed i ON i.order_id = o.id WHERE o.id PERIOD'),
	('SELECT FROM orders o JOIN keyed i ON i.order_id = o.id WHERE i.order_id PERIOD'),
	('SELECT FROM partitioned o JOIN parts i ON i.order_id = o.id WHERE o.id PERIOD'),
	('SELECT FROM orders o JOIN items i ON i.order_id = o.id WHERE o.id PERIOD AND i.order_id > id_at(4000)'),
	('SELECT FROM orders o JOIN items i ON i.order_id = o.id WHERE o.id PERIOD AND i.order_id PERIOD'),
	('SELECT FROM orders o JOIN items i ON i.order_id = o.id WHERE o.id < id_at(350) AND i.order_id < id_at(350)'),
	('SELECT FROM orders o JOIN keyed i ON i.order_id = o.id WHERE o.id PERIOD AND i.order_id PERIOD'),
	('SELECT FROM keyed i JOIN keyed j USING (order_id) WHERE i.order_id PERIOD AND j.order_id PERIOD'),
	('SELECT FROM partitioned o JOIN parts i ON i.order_id = o.id WHERE o.id PERIOD AND i.order_id PERIOD'),
	('SELECT FROM partitioned_2 o JOIN parts_2 i ON i.order_id = o.id WHERE o.id PERIOD AND i.order_id PERIOD'),
	('SELECT FROM partitioned o JOIN many i ON i.order_id = o.id WHERE o.id PERIOD AND i.order_id PERIOD'),
	('SELECT FROM orders o JOIN many_1 i ON i.order_id = o.id WHERE o.id PERIOD AND i.order_id PERIOD'),
	('SELECT FROM orders o LEFT JOIN items i ON i.order_id = o.id AND i.order_id PERIOD WHERE o.id PERIOD'),
	('SELECT FROM orders o WHERE id PERIOD AND EXISTS (SELECT FROM items i WHERE i.order_id = o.id AND i.order_id PERIOD)'),
	('SELECT FROM orders o WHERE id PERIOD AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = o.id AND p.order_id PERIOD)'),
	('SELECT FROM items i WHERE order_id PERIOD AND order_id IN (SELECT id FROM orders o WHERE id PERIOD)'),
	('SELECT FROM orders o JOIN items i ON i.order_id = o.id JOIN payments p ON p.order_id = o.id '
	'WHERE o.id PERIOD AND i.order_id PERIOD'),
	('SELECT FROM orders o JOIN items i ON i.order_id = o.id JOIN payments p ON p.order_id = o.id '
	'WHERE o.id PERIOD AND i.order_id PERIOD AND p.order_id PERIOD');
-- majors differ in what they know of partitioned tables
SELECT off(query, false) > 10 AS core_is_off, query FROM joins WHERE query NOT LIKE '% parts i %' ORDER BY position;
SELECT query AS off_by_2, off(query, true) FROM joins WHERE off(query, true) > 2 ORDER BY position;
-- Partition by partition, of which core asks while it searches, also in GEQO's own order.
SET enable_partitionwise_join = on;
SELECT query AS off_by_2, off(query, true) FROM joins WHERE off(query, true) > 2 ORDER BY position;
SET geqo_threshold = 2;
SELECT query AS off_by_2, off(query, true) FROM joins WHERE off(query, true) > 2 ORDER BY position;
RESET geqo_threshold;
-- A foreign key that is sometimes NULL.
CREATE TABLE gifts AS SELECT CASE WHEN n % 10 = 0 THEN id_at(n) END AS order_id FROM generate_series(1, 20000) AS n;
ANALYZE gifts;
SELECT off('SELECT FROM orders o JOIN gifts g ON g.order_id = o.id WHERE o.id PERIOD AND g.order_id PERIOD', true) < 2 AS near;
-- A period of one order, which has as many items as others have on average.
SELECT off('
	SELECT FROM items i
	JOIN items j USING (order_id)
	JOIN items k USING (order_id)
	WHERE i.order_id >= id_at(5013) AND i.order_id < id_at(5014)
		AND j.order_id >= id_at(5013) AND j.order_id < id_at(5014)
		AND k.order_id >= id_at(5013) AND k.order_id < id_at(5014)', true) < 2 AS near;
-- With a period on one side PostgreSQL joins the single partitions as well by itself.
SELECT query AS other_than_core, expected(query, false), expected(query, true)
FROM (SELECT replace($$SELECT FROM partitioned o JOIN parts i ON i.order_id = o.id WHERE o.id PERIOD$$, 'PERIOD',
	'BETWEEN id_at(5010) AND id_at(5209)')) AS q(query)
WHERE expected(query, true) NOT BETWEEN expected(query, false) * 0.5 AND expected(query, false) * 2;
RESET enable_partitionwise_join;
-- A period shorter than a bin of the parents' histograms, whose share core may ask for before it joins.
SELECT n, off(query, true) AS off_by_2
FROM unnest('{5010,5095,5190,5395}'::int[]) AS n, replace('
	SELECT FROM partitioned o
	JOIN parts i ON i.order_id = o.id
	WHERE o.id BETWEEN id_at(?) AND id_at(? + 9) AND i.order_id BETWEEN id_at(?) AND id_at(? + 9)',
	'?', n::text) AS query
WHERE off(query, true) > 2;
SET geqo_threshold = 2;
SELECT query AS off_by_2, off(query, true) FROM joins WHERE off(query, true) > 2 ORDER BY position;
RESET geqo_threshold;
-- Core's: a key of several columns, a period of one of two columns, values of which a few are most rows.
CREATE TABLE tags AS SELECT id_at(n % 20 + 1) AS order_id FROM generate_series(1, 20000) AS n;
ANALYZE tags;
SELECT query AS not_as_before, expected(query, false), expected(query, true)
FROM (SELECT replace(query, 'PERIOD', 'BETWEEN id_at(5010) AND id_at(5209)')
	FROM unnest(
		ARRAY['
			SELECT FROM wide w
			JOIN payments p ON p.order_id = w.id AND p.n = w.n
			WHERE w.id PERIOD AND p.order_id PERIOD',
		'SELECT FROM orders o JOIN tags t ON t.order_id = o.id WHERE o.id PERIOD',
		'SELECT FROM orders o LEFT JOIN tags t ON t.order_id = o.id WHERE o.id PERIOD',
		$$
			SELECT FROM owned a
			JOIN owned b USING (owner)
			WHERE a.owner > '01000000-0000-0000-0000-000000000000'
				AND b.owner > '01000000-0000-0000-0000-000000000000'$$]) AS query) AS q(query)
WHERE abs(expected(query, false) - expected(query, true)) > 0.05 * expected(query, false);
-- Who may not read a table is not told of its values: neither by a plan nor by an
-- operator of his own, which sees no statistics where he has no right to.
CREATE FUNCTION peek(a uuid, b uuid) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	RAISE NOTICE 'seen: %', a;
	RETURN a > b;
END $$;
CREATE OPERATOR >>>> (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = peek, RESTRICT = scalargtsel);
CREATE VIEW guarded WITH (security_barrier) AS SELECT * FROM clicks WHERE customer = 1;
CREATE TABLE rowwise AS SELECT id, customer FROM clicks;
CREATE UNIQUE INDEX ON rowwise (id);
VACUUM ANALYZE rowwise;
ALTER TABLE rowwise ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON rowwise USING (customer = 1);
CREATE ROLE regress_uidext_reader;
GRANT USAGE ON SCHEMA estimates TO regress_uidext_reader;
GRANT SELECT ON guarded, rowwise TO regress_uidext_reader;
SET ROLE regress_uidext_reader;
EXPLAIN (COSTS OFF) SELECT * FROM clicks WHERE id >= id_at(5010) AND id < id_at(5110);
EXPLAIN (COSTS OFF) SELECT * FROM guarded WHERE id >= id_at(5010) AND id < id_at(5110);
EXPLAIN (COSTS OFF) SELECT * FROM guarded WHERE id >>>> id_at(19999) AND id >= id_at(5010) AND id < id_at(5110);
EXPLAIN (COSTS OFF) SELECT * FROM rowwise WHERE id >= id_at(5010) AND id < id_at(5110);
EXPLAIN (COSTS OFF) SELECT * FROM rowwise WHERE id >>>> id_at(19999) AND id >= id_at(5010) AND id < id_at(5110);
-- What leaks nothing is estimated through both.
SELECT about(expected('SELECT FROM guarded WHERE id >= id_at(5000) AND id < id_at(6000)'), 10) AS guarded,
	about(expected('SELECT FROM rowwise WHERE id >= id_at(5000) AND id < id_at(6000)'), 10) AS rowwise;
RESET ROLE;
DROP OWNED BY regress_uidext_reader;
DROP ROLE regress_uidext_reader;

SET client_min_messages = warning;
DROP EXTENSION file_fdw CASCADE;
DROP SCHEMA estimates CASCADE;
