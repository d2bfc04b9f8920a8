-- Tables that belong together: uuid_partition_follow(), and followers of
-- uuid_partition_maintain() and uuid_partition_check().
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql

-- what hangs where, and what it refers to
CREATE VIEW pairs AS
SELECT i.inhparent::regclass AS parent, c.oid::regclass AS partition, pg_get_expr(c.relpartbound, c.oid) AS bound,
	(SELECT string_agg(pg_get_constraintdef(k.oid), '; ' ORDER BY k.oid) FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f') AS key
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid;

-- The parent's bounds as they are: a gap, bounds of no step, MINVALUE, a default.
CREATE TABLE orders (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE orders_old PARTITION OF orders FOR VALUES FROM (MINVALUE) TO ('01766c8a-0000-0000-0000-000000000000');
SELECT count(*) AS made FROM uuid_partition_create('orders', '2021-01-01', '2021-03-01', '1 month');
CREATE TABLE "odd Name" PARTITION OF orders FOR VALUES FROM ('01785d34-c800-0000-0000-00000000beef') TO ('01785d34-c801-0000-0000-000000000000');
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE TABLE items (n int, order_id uuid, id uuid, PRIMARY KEY (order_id, id)) PARTITION BY RANGE (order_id);
SELECT * FROM uuid_partition_follow('items', 'orders', dry_run => true);
SELECT count(*) AS not_changed FROM pairs WHERE parent = 'items'::regclass;
SELECT action, partition FROM uuid_partition_follow('items', 'orders');
SELECT partition, bound, key FROM pairs WHERE parent = 'items'::regclass ORDER BY partition::text COLLATE "C";
SELECT count(*) AS again FROM uuid_partition_follow('items', 'orders');
-- the pairs hold
INSERT INTO orders SELECT uuid_boundary(timestamptz '2021-01-10' + n * interval '5 days'), n FROM generate_series(1, 8) AS n;
INSERT INTO items SELECT n, id, uuid_boundary(timestamptz '2021-01-01' + n * interval '1 day') FROM orders;
SELECT error_of($$INSERT INTO items VALUES (1, uuid_boundary('2021-01-02'), uuid_boundary('2021-01-02'))$$);
SELECT error_of($$DELETE FROM orders WHERE n = 1$$);
-- of a row that the pair's partition has not, the default partitions tell nothing
INSERT INTO items VALUES (9, uuid_boundary('2022-01-02'), uuid_boundary('2022-01-02'));
DELETE FROM items WHERE n = 9;

-- One that would hold rows of the default partition comes when they have left it.
INSERT INTO orders VALUES (uuid_boundary('2021-05-05'), 50);
INSERT INTO items VALUES (50, uuid_boundary('2021-05-05'), uuid_boundary('2021-05-05'));
CALL uuid_partition_drain('orders', '1 month');
SELECT action, partition, problem FROM uuid_partition_follow('items', 'orders', dry_run => true);
SELECT action, partition, problem FROM uuid_partition_follow('items', 'orders');
CALL uuid_partition_drain('items', '1 month');
SELECT count(*) AS nothing_lacks FROM uuid_partition_follow('items', 'orders');
SELECT string_agg(partition::text, ' ' ORDER BY partition::text COLLATE "C") FROM pairs WHERE bound LIKE '%0179%';
-- a bound of the child's own is in the way, and told
CREATE TABLE payments (order_id uuid PRIMARY KEY) PARTITION BY RANGE (order_id);
CREATE TABLE payments_2021 PARTITION OF payments FOR VALUES FROM (uuid_boundary('2021-01-15')) TO (uuid_boundary('2022-01-01'));
SELECT action, partition, problem FROM uuid_partition_follow('payments', 'orders');
SET enable_partitionwise_join = on;
SELECT severity, message FROM uuid_partition_check('orders', '0', followers => '{items,payments}');
RESET enable_partitionwise_join;
SELECT severity, message FROM uuid_partition_check('orders', '0', followers => '{items}');
DROP TABLE payments;

-- Keys: as the template's, as the newest pair's, none, the child's own.
CREATE TABLE rules (id iuid, region int, PRIMARY KEY (id, region)) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('rules', '2021-01-01', '2021-02-01', '1 month');
CREATE TABLE cases ("the % rule" iuid, region int DEFAULT 0, note text) PARTITION BY RANGE ("the % rule");
SELECT error_of($$SELECT uuid_partition_follow('cases', 'rules')$$);
CREATE TABLE template (LIKE cases INCLUDING ALL,
	FOREIGN KEY ("the % rule", region) REFERENCES rules MATCH FULL ON UPDATE CASCADE ON DELETE SET DEFAULT ("the % rule") DEFERRABLE INITIALLY DEFERRED);
CREATE INDEX ON template (note);
SELECT action, partition FROM uuid_partition_follow('cases', 'rules', 'template');
SELECT count(*) AS made FROM uuid_partition_create('rules', '2021-02-01', '2021-03-01', '1 month');
SELECT action, partition FROM uuid_partition_follow('cases', 'rules');
SELECT partition, key FROM pairs WHERE parent = 'cases'::regclass ORDER BY bound;
SELECT count(*) AS from_template FROM pg_indexes WHERE tablename = 'cases_2021_01' AND indexdef LIKE '%(note)';
CREATE TABLE other_cases (LIKE cases) PARTITION BY RANGE ("the % rule");
SELECT action, partition FROM uuid_partition_follow('other_cases', 'rules', foreign_keys => false);
CREATE TABLE root_cases (LIKE cases, FOREIGN KEY ("the % rule", region) REFERENCES rules) PARTITION BY RANGE ("the % rule");
SELECT action, partition FROM uuid_partition_follow('root_cases', 'rules');
SELECT partition, key FROM pairs WHERE parent IN ('other_cases'::regclass, 'root_cases'::regclass) ORDER BY parent::text, bound;
SELECT severity, message FROM uuid_partition_check('rules', '0', followers => '{cases,other_cases,root_cases}');
-- a key by another column than the partition key is no pair's, the child's own or the template's
CREATE TABLE swaps ("the % rule" iuid, region int, other iuid, FOREIGN KEY (other, region) REFERENCES rules) PARTITION BY RANGE ("the % rule");
CREATE TABLE swap (gone int, LIKE swaps, FOREIGN KEY (other, region) REFERENCES rules, FOREIGN KEY ("the % rule", region) REFERENCES rules);
ALTER TABLE swap DROP COLUMN gone;
SELECT action, partition FROM uuid_partition_follow('swaps', 'rules', 'swap');
SELECT partition, key FROM pairs WHERE parent = 'swaps'::regclass ORDER BY bound;
SELECT count(*) AS nothing_wrong FROM uuid_partition_check('rules', '0', followers => '{swaps}') WHERE message ~ 'follower public';

-- Other families, local time, a neighbour that is partitioned itself.
CREATE TABLE notes (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('notes', '2021-01-01 Asia/Kolkata', '2021-01-29 Asia/Kolkata', '7 days', 'Asia/Kolkata');
CREATE TABLE lines (note ulid, n int, PRIMARY KEY (note, n)) PARTITION BY RANGE (note);
SELECT * FROM uuid_partition_follow('lines', 'notes');
-- a key of another column is no pair's
ALTER TABLE lines ADD reply ulid;
ALTER TABLE lines_2021_01_22 DROP CONSTRAINT lines_2021_01_22_note_fkey, ADD FOREIGN KEY (reply) REFERENCES notes_2021_01_22;
SELECT pg_get_constraintdef(key) FROM uidext_internal.partition_pair_keys('lines') ORDER BY place DESC LIMIT 1;
CREATE TABLE posts (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('posts', '2021-01-01', '2021-03-01', '1 month');
CREATE TABLE likes (post bigint, n int, CHECK (uid_is_valid(post, 'snowflake'))) PARTITION BY RANGE (post);
CREATE TABLE likes_first PARTITION OF likes FOR VALUES FROM (MINVALUE) TO (0) PARTITION BY HASH (n);
CREATE TABLE likes_first_0 PARTITION OF likes_first FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE likes_first_1 PARTITION OF likes_first FOR VALUES WITH (MODULUS 2, REMAINDER 1);
SELECT action, partition, from_time FROM uuid_partition_follow('likes', 'posts');
SELECT parent, partition, key FROM pairs WHERE partition::text LIKE 'likes_2021_01%' ORDER BY 2;
-- of a parent's partition that is partitioned itself the first level is followed, and its key refers to it
CREATE TABLE regions (id uuid, region int, PRIMARY KEY (id, region)) PARTITION BY RANGE (id);
CREATE TABLE regions_2021 PARTITION OF regions FOR VALUES FROM (uuid_boundary('2021-01-01')) TO (uuid_boundary('2022-01-01')) PARTITION BY LIST (region);
CREATE TABLE regions_2021_1 PARTITION OF regions_2021 FOR VALUES IN (1);
CREATE TABLE visits (region_id uuid, region int) PARTITION BY RANGE (region_id);
CREATE TABLE visit (LIKE visits, FOREIGN KEY (region_id, region) REFERENCES regions);
SELECT action, partition FROM uuid_partition_follow('visits', 'regions', 'visit');
SELECT conrelid::regclass, confrelid::regclass FROM pg_constraint WHERE conrelid = 'visits_2021'::regclass AND contype = 'f' AND conparentid = 0;

SET default_transaction_isolation = 'read committed';
-- Every key is carried on, each to the table of its own: of a template, of the newest pair, of a row to its own table.
CREATE TABLE sales (id uuid PRIMARY KEY, alt int, UNIQUE (id, alt)) PARTITION BY RANGE (id);
CREATE TABLE payments (sale_id uuid, alt int, n int, UNIQUE (sale_id, n)) PARTITION BY RANGE (sale_id);
CREATE TABLE refunds (sale_id uuid, n int, id int, above int, UNIQUE (sale_id, id)) PARTITION BY RANGE (sale_id);
SELECT count(*) AS made FROM uuid_partition_create('sales', '2021-01-01', '2021-02-01', '1 month');
CREATE TABLE payment (LIKE payments, FOREIGN KEY (sale_id) REFERENCES sales, FOREIGN KEY (sale_id, alt) REFERENCES sales (id, alt));
SELECT count(*) AS made FROM uuid_partition_follow('payments', 'sales', 'payment');
CREATE TABLE refund (LIKE refunds, FOREIGN KEY (sale_id) REFERENCES sales ON DELETE CASCADE,
	FOREIGN KEY (sale_id, n) REFERENCES payments (sale_id, n), FOREIGN KEY (sale_id, above) REFERENCES refunds (sale_id, id));
SELECT count(*) AS made FROM uuid_partition_follow('refunds', 'sales', 'refund');
SELECT count(*) AS made FROM uuid_partition_create('sales', '2021-02-01', '2021-03-01', '1 month');
-- the table in the middle goes first
SELECT action, problem FROM uuid_partition_follow('refunds', 'sales');
SELECT count(*) AS made FROM uuid_partition_follow('payments', 'sales');
SELECT count(*) AS made FROM uuid_partition_follow('refunds', 'payments');
-- of two tables to which it refers it follows the later one
SELECT uidext_internal.partition_leader(uidext_internal.partition_newest_keys('refunds'), '{sales,payments}');
SELECT partition, key FROM pairs WHERE parent IN ('payments'::regclass, 'refunds'::regclass) ORDER BY partition::text :unaligned
SET client_min_messages = error;
SELECT severity, message FROM uuid_partition_check('sales', '0', followers => '{payments,refunds}') WHERE message ~ 'public.(payments|refunds)';
SELECT DISTINCT action, problem FROM uuid_partition_maintain('sales', '10 years', 0, followers => '{payments,refunds}');
RESET client_min_messages;
SELECT DISTINCT parent::text, regexp_replace(key, '_[_\d]+', '_NEW', 'g') FROM pairs
WHERE parent IN ('payments'::regclass, 'refunds'::regclass) AND partition::text !~ '2021_0[12]' ORDER BY 1 :unaligned
ALTER TABLE refunds_2021_01 DROP CONSTRAINT refunds_2021_01_sale_id_n_fkey;
ALTER TABLE refunds_2021_02 DROP CONSTRAINT refunds_2021_02_sale_id_fkey;
SELECT severity, message FROM uuid_partition_check('sales', '0', followers => '{payments,refunds}') WHERE message ~ 'foreign key';
DROP TABLE payment, refund, refunds, payments, sales;

-- Retention and upkeep of a family: what refers goes first, and comes last.
BEGIN;
CREATE TABLE jobs (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int) PARTITION BY RANGE (id);
CREATE TABLE steps (job uuid, n int, PRIMARY KEY (job, n)) PARTITION BY RANGE (job);
CREATE TABLE logs (job uuid, step int, line text) PARTITION BY RANGE (job);
CREATE TABLE log (LIKE logs, FOREIGN KEY (job, step) REFERENCES steps);
SELECT count(*) AS made
	FROM uuid_partition_create('jobs', date_trunc('year', now()) - interval '3 years', date_trunc('year', now()) + interval '1 year', '1 year');
SELECT count(*) AS made FROM uuid_partition_follow('steps', 'jobs');
SELECT count(*) AS made FROM uuid_partition_follow('logs', 'steps', 'log');
INSERT INTO jobs SELECT gen_uuidv7_at(now() - n * interval '1 year'), n FROM generate_series(0, 3) AS n;
INSERT INTO steps SELECT id, 1 FROM jobs;
INSERT INTO logs SELECT job, n FROM steps;
DROP TABLE log;
CREATE VIEW upkeep AS
SELECT n, action,
	regexp_replace(partition, '20\d\d',
	(left(regexp_replace(partition, '\D', '', 'g'), 4)::int - extract(year FROM now()))::text) AS partition, left(problem, 5) AS problem
FROM uuid_partition_maintain('jobs', '1 year', 1, '1 year', followers => '{steps,logs}',
	dry_run => true) WITH ORDINALITY AS m(action, partition, from_time, to_time, problem, n);
SELECT action, partition, problem FROM upkeep ORDER BY n;
-- a view keeps one: its family stays whole, the others go
DO $$ BEGIN EXECUTE format('CREATE VIEW kept AS SELECT n FROM jobs_%s', extract(year FROM now()) - 3); END $$;
SET client_min_messages = error;
SELECT action, partition, problem FROM upkeep ORDER BY n;
SELECT action, count(*) AS steps, string_agg(DISTINCT left(problem, 5), ' ')
	FROM uuid_partition_maintain('jobs', '1 year', 1, '1 year', followers => '{steps,logs}') GROUP BY action ORDER BY action;
SELECT parent, count(*) AS pairs FROM pairs WHERE parent IN ('jobs'::regclass, 'steps'::regclass, 'logs'::regclass) GROUP BY parent ORDER BY parent::text;
DROP VIEW kept;
SELECT action, count(*) AS steps
	FROM uuid_partition_maintain('jobs', '1 year', 1, '1 year', detach_only => true, followers => '{steps,logs}') GROUP BY action ORDER BY action;
SELECT parent, count(*) AS pairs FROM pairs WHERE parent IN ('jobs'::regclass, 'steps'::regclass, 'logs'::regclass) GROUP BY parent ORDER BY parent::text;
SELECT count(*) AS nothing_more FROM uuid_partition_maintain('jobs', '1 year', 1, '1 year', followers => '{steps,logs}');
-- behind, or without the one in the middle, their keys would be lost
SELECT error_of($$SELECT uuid_partition_maintain('jobs', '1 year', 2, followers => '{logs,steps}')$$);
SELECT error_of($$SELECT uuid_partition_maintain('jobs', '1 year', 2, followers => '{logs}', dry_run => true)$$);
SELECT error_of($$SELECT uuid_partition_check('jobs', followers => '{logs,steps}')$$);
RESET client_min_messages;
-- new pairs have the newest's keys, of a follower of a follower to the parent of its own
SELECT regexp_replace(key, '\d+', 'YEAR') AS key FROM pairs WHERE partition::text = format('logs_%s', extract(year FROM now()) + 1);
DO $$ BEGIN EXECUTE format('DROP TABLE logs_%1$s, steps_%1$s, jobs_%1$s', extract(year FROM now()) - 3); END $$;
COMMIT;

-- Rows of a follower that no partition of their own would take along keep the parent's partition.
CREATE TABLE trips (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('trips', '2021-01-01', '2021-04-01', '1 month');
CREATE TABLE stops (trip uuid, n int) PARTITION BY RANGE (trip);
CREATE TABLE stops_rest PARTITION OF stops DEFAULT;
CREATE TABLE stops_of_a_day PARTITION OF stops FOR VALUES FROM (uuid_boundary('2021-02-10')) TO (uuid_boundary('2021-02-11'));
INSERT INTO stops VALUES (uuid_boundary('2021-01-10'), 1), (uuid_boundary('2021-02-10'), 1);
SET client_min_messages = error;
SELECT action, partition, problem
	FROM uuid_partition_maintain('trips', '1 month', 0, '1 month', followers => '{stops}', dry_run => true) WHERE action ~ 'dropped';
-- told beforehand, and to be drained
SELECT message FROM uuid_partition_check('trips', '0', followers => '{stops}') WHERE message ~ 'rows in the default';
SELECT action, partition, problem FROM uuid_partition_maintain('trips', '1 month', 0, '1 month', followers => '{stops}') WHERE action ~ 'dropped';
ALTER TABLE stops_rest ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE ROLE regress_uidext_trips;
ALTER TABLE trips OWNER TO regress_uidext_trips;
ALTER TABLE stops OWNER TO regress_uidext_trips;
DO $$ DECLARE t regclass; BEGIN
	FOR t IN SELECT inhrelid FROM pg_inherits
		WHERE inhparent IN ('trips'::regclass, 'stops'::regclass) LOOP EXECUTE format('ALTER TABLE %s OWNER TO regress_uidext_trips', t); END LOOP; END $$;
SET ROLE regress_uidext_trips;
SELECT action, partition, problem FROM uuid_partition_maintain('trips', '1 month', 0, '1 month', followers => '{stops}') WHERE action ~ 'dropped';
ALTER TABLE stops_rest NO FORCE ROW LEVEL SECURITY;
UPDATE stops SET trip = uuid_boundary('2021-08-10') WHERE trip < uuid_boundary('2021-02-01');
-- a snapshot may be older than rows
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT error_of($$SELECT uuid_partition_maintain('trips', '1 month', 0, '1 month', followers => '{stops}', dry_run => true)$$);
SELECT error_of($$SELECT uuid_partition_maintain('trips', '1 month', 0, '1 month', followers => '{stops}')$$);
ROLLBACK;
TRUNCATE stops_of_a_day;
BEGIN;
SELECT action, partition, problem FROM uuid_partition_maintain('trips', '1 month', 0, '1 month', followers => '{stops}') WHERE action ~ 'dropped';
ROLLBACK;
TRUNCATE stops;
BEGIN;
SELECT action, partition, problem
	FROM uuid_partition_maintain('trips', '1 month', 0, '1 month', detach_only => true, followers => '{stops}') WHERE action ~ 'detached';
COMMIT;
RESET ROLE;
DROP TABLE trips, stops, trips_2021_01, trips_2021_02;
DROP ROLE regress_uidext_trips;
RESET client_min_messages;

-- A month goes only with the partitions that refer to it, and detached these refer to the whole table all the same.
CREATE TABLE bills (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE lots (bill uuid) PARTITION BY RANGE (bill);
CREATE TABLE sums (bill uuid REFERENCES bills) PARTITION BY RANGE (bill);
SELECT count(*) AS made FROM uuid_partition_create('bills', '2020-01-01', '2020-03-01', '1 month');
SELECT count(*) AS made FROM uuid_partition_follow('lots', 'bills');
SELECT error_of($$SELECT uuid_partition_drop('bills', '2020-02-01', true)$$), left(error_of($$SELECT uuid_partition_drop('bills', '2020-02-01')$$), 5) AS drop;
SET client_min_messages = error;
SELECT action, partition, problem FROM uuid_partition_drop('bills', '2020-02-01', true, true);
SELECT count(*) AS made FROM uuid_partition_follow('sums', 'bills');
INSERT INTO bills VALUES (uuid_boundary('2020-01-10'));
INSERT INTO sums SELECT id FROM bills;
-- a server before 15.9, 16.5 or 17.1 takes the keys of what is detached away
SELECT v < 150009 OR v BETWEEN 160000 AND 160004 OR v = 170000 AS is_old FROM CAST(current_setting('server_version_num') AS int) AS v \gset
SELECT dry_run, action, partition, left(problem, 5) AS problem FROM unnest('{true,false}'::bool[]) AS dry_run,
	uuid_partition_maintain('bills', '1 month', 0, '1 month', detach_only => true,
		dry_run => CASE WHEN :'is_old' THEN dry_run IS NOT NULL ELSE dry_run END, followers => '{lots,sums}') WHERE partition ~ '2020';
RESET client_min_messages;
DELETE FROM sums;
-- what is no partition may stay
SELECT partition FROM uuid_partition_drop('lots', '2020-03-01', true);
SELECT error_of($$SELECT uuid_partition_drop('bills', '2020-03-01', true)$$);
DROP TABLE lots, lots_2020_01, lots_2020_02, sums, bills;

-- What followers lack comes as well, but for what goes in the same call, and nothing that they have.
BEGIN;
CREATE TABLE tasks (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE runs (task uuid PRIMARY KEY) PARTITION BY RANGE (task);
CREATE TABLE errors (task uuid PRIMARY KEY) PARTITION BY RANGE (task);
CREATE TABLE error (LIKE errors, FOREIGN KEY (task) REFERENCES runs ON DELETE CASCADE);
CREATE VIEW years AS SELECT date_trunc('year', now(), 'UTC') + n * interval '1 year' AS at, n FROM generate_series(-9, 9) AS n;
CREATE FUNCTION relative(name text)
	RETURNS text RETURN replace(regexp_replace(name, '20\d\d',
	(regexp_replace('0' || name, '\D', '', 'g')::int - extract(year FROM now()))::text), 'public.', '');
SELECT count(*) AS made FROM uuid_partition_create('tasks', (SELECT at FROM years WHERE n = -3), (SELECT at FROM years WHERE n = 1), '1 year');
SELECT count(*) AS made FROM uuid_partition_follow('runs', 'tasks');
SELECT count(*) AS made FROM uuid_partition_follow('errors', 'runs', 'error');
DROP TABLE error;
CREATE PROCEDURE drop_years(command text, first int, last int) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE (SELECT string_agg(replace(command, 'YEAR', extract(year FROM at)::text), '; ') FROM years WHERE n BETWEEN first AND last);
END
$$;
CALL drop_years('DROP TABLE errors_YEAR', -3, -3);
CALL drop_years('DROP TABLE errors_YEAR', 0, 0);
SELECT count(*) AS made FROM uuid_partition_create('runs', (SELECT at FROM years WHERE n = 1), (SELECT at FROM years WHERE n = 2), '1 year');
CREATE TABLE tasks_rest PARTITION OF tasks DEFAULT;
CREATE TABLE errors_rest PARTITION OF errors DEFAULT;
SET client_min_messages = error;
SELECT action, relative(partition), problem FROM uuid_partition_maintain('tasks', '1 year', 2, '2 years', followers => '{runs,errors}');
SELECT relative(pg_get_constraintdef(oid)) FROM pg_constraint
	WHERE conrelid = (SELECT format('errors_%s', extract(year FROM at))::regclass FROM years WHERE n = 2) AND contype = 'f';
-- when all are old, what comes is like the newest
CALL drop_years('DROP TABLE errors_YEAR, runs_YEAR, tasks_YEAR', -1, 2);
SELECT action, relative(partition), problem FROM uuid_partition_maintain('tasks', '1 year', 0, '1 year', followers => '{runs,errors}');
SELECT relative(pg_get_constraintdef(oid)) FROM pg_constraint
	WHERE conrelid = (SELECT format('errors_%s', extract(year FROM at))::regclass FROM years WHERE n = 0) AND contype = 'f';
RESET client_min_messages;
COMMIT;
DROP TABLE errors, runs, tasks;
DROP PROCEDURE drop_years;
DROP FUNCTION relative;
DROP VIEW years;

-- A follower's newest stays until there are others like it, but for its own CHECKs.
CREATE TABLE plans (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE tasks (plan uuid, n int CONSTRAINT all_months CHECK (n > 0)) PARTITION BY RANGE (plan);
CREATE TABLE costs (plan uuid, n int CONSTRAINT all_months CHECK (n > 0)) PARTITION BY RANGE (plan);
SELECT count(*) AS made FROM uuid_partition_create('plans', '2020-01-01', '2020-03-01', '1 month');
CREATE TABLE tasks_2020_02 PARTITION OF tasks FOR VALUES FROM (uuid_boundary('2020-02-01')) TO (uuid_boundary('2020-03-01')) PARTITION BY HASH (n);
CREATE TABLE tasks_2020_02_0 PARTITION OF tasks_2020_02 FOR VALUES WITH (MODULUS 1, REMAINDER 0);
SELECT count(*) AS made FROM uuid_partition_follow('costs', 'plans');
ALTER TABLE tasks_2020_02_0 ADD CONSTRAINT february CHECK (plan < uuid_boundary('2020-03-01')), SET (fillfactor = 70);
ALTER TABLE costs_2020_02 ADD CONSTRAINT february CHECK (plan < uuid_boundary('2020-03-01'));
GRANT SELECT ON tasks_2020_02 TO PUBLIC;
GRANT UPDATE ON tasks_2020_02_0 TO PUBLIC;
ALTER DEFAULT PRIVILEGES GRANT DELETE ON TABLES TO PUBLIC;
-- from 18 on a key may be without force
DO $$ BEGIN
	IF current_setting('server_version_num')::int >= 180000 THEN
		EXECUTE 'ALTER TABLE costs_2020_02 ALTER CONSTRAINT costs_2020_02_plan_fkey NOT ENFORCED';
	END IF;
END $$;
SELECT action, partition
	FROM uuid_partition_maintain('plans', '1 month', 0, '1 month', followers => '{tasks,costs}', dry_run => true) WHERE partition ~ '_2020_';
SELECT partition FROM uuid_partition_maintain('plans', '1 month', 0, '1 month', followers => '{tasks,costs}') WHERE action = 'dropped';
SELECT partition FROM uuid_partition_maintain('plans', '1 month', 0, '1 month', followers => '{tasks,costs}') WHERE action = 'dropped';
ALTER DEFAULT PRIVILEGES REVOKE DELETE ON TABLES FROM PUBLIC;
SELECT DISTINCT level, relkind, reloptions, (SELECT string_agg(privilege_type, ' ') FROM aclexplode(relacl) WHERE grantee = 0) AS of_all,
	(SELECT string_agg(conname, ' ') FROM pg_constraint WHERE conrelid = c.oid AND contype = 'c') AS checks
FROM unnest('{tasks,costs}'::regclass[]) AS t, pg_partition_tree(t) JOIN pg_class c ON c.oid = relid
WHERE relname !~ '_2020_' AND level > 0 ORDER BY level, relkind;
SELECT bool_and(to_jsonb(c) ->> 'conenforced' IS NOT DISTINCT
	FROM CASE WHEN current_setting('server_version_num')::int >= 180000 THEN 'false' END) AS like_the_newest
FROM pg_constraint c JOIN pg_inherits ON inhrelid = conrelid WHERE inhparent = 'costs'::regclass AND contype = 'f' AND conparentid = 0;
DROP TABLE costs, tasks, plans;
-- or of periods
DO $$ BEGIN
	IF current_setting('server_version_num')::int >= 180000 THEN
		EXECUTE 'CREATE TABLE stays (id int4range, during tsrange, PRIMARY KEY (id, during WITHOUT OVERLAPS))';
		EXECUTE 'CREATE TABLE meals (stay int4range, during tsrange, FOREIGN KEY (stay, PERIOD during) REFERENCES stays (id, PERIOD during))';
		ASSERT (SELECT uidext_internal.partition_key_like(oid) FROM pg_constraint WHERE conrelid = 'meals'::regclass AND contype = 'f')
			= '(stay, PERIOD during) REFERENCES %s (id, PERIOD during) ON UPDATE NO ACTION ON DELETE NO ACTION';
		DROP TABLE meals, stays;
	END IF;
END $$;

-- Keys of a template or the newest pair that do not lead to the parent: to themselves
-- they stay, beside the plain one; to others they are of another pair.
CREATE TABLE trips (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE hotels (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE nights (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('trips', '2021-01-01', '2021-03-01', '1 month');
SELECT count(*) AS made FROM uuid_partition_create('hotels', '2021-01-01', '2021-04-01', '1 month');
CREATE TABLE night (LIKE nights INCLUDING ALL, FOREIGN KEY (id) REFERENCES nights);
SELECT action, partition, problem FROM uuid_partition_follow('nights', 'trips', template => 'night');
-- the newest pair's key to the parent rather than the template's to itself
BEGIN;
ALTER TABLE nights_2021_02 ADD FOREIGN KEY (id) REFERENCES trips_2021_02 ON DELETE CASCADE;
SELECT count(*) AS made FROM uuid_partition_create('trips', '2021-03-01', '2021-04-01', '1 month');
SELECT count(*) AS made FROM uuid_partition_follow('nights', 'trips', template => 'night');
SELECT key FROM pairs WHERE partition = 'nights_2021_03'::regclass;
ROLLBACK;
SELECT action, partition, problem FROM uuid_partition_follow('nights', 'hotels');
SELECT partition, key FROM pairs WHERE parent = 'nights'::regclass ORDER BY 1;
-- a template that is a partition refers to a partition, which is partitioned itself
CREATE TABLE rooms (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE rooms_2021_01 PARTITION OF rooms FOR VALUES FROM (uuid_boundary('2021-01-01')) TO (uuid_boundary('2021-02-01')) PARTITION BY HASH (id);
CREATE TABLE beds (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT action, partition FROM uuid_partition_follow('beds', 'rooms');
CREATE TABLE rooms_2021_02 PARTITION OF rooms FOR VALUES FROM (uuid_boundary('2021-02-01')) TO (uuid_boundary('2021-03-01'));
SELECT action, partition, problem FROM uuid_partition_follow('beds', 'rooms', template => 'beds_2021_01');
SELECT partition, key FROM pairs WHERE parent = 'beds'::regclass ORDER BY 1;
-- a key to the table of another owner is its owner's
CREATE ROLE regress_uidext_follower;
GRANT CREATE, USAGE ON SCHEMA public TO regress_uidext_follower;
ALTER TABLE hotels OWNER TO regress_uidext_follower;
ALTER TABLE beds_2021_02 ADD FOREIGN KEY (id) REFERENCES hotels_2021_02;
SELECT count(*) AS made FROM uuid_partition_create('rooms', date_trunc('month', now(), 'UTC') - interval '1 month', date_trunc('month', now(), 'UTC'), '1 month');
SELECT count(problem) AS problems FROM uuid_partition_maintain('rooms', '1 month', 0, followers => '{beds}');
SELECT count(*) FILTER (WHERE key ~ 'hotels') AS to_hotels FROM pairs WHERE parent = 'beds'::regclass;
DROP TABLE beds, rooms, night, nights, hotels, trips;

-- What is refused.
SELECT error_of($$SELECT uuid_partition_follow(NULL, 'orders')$$);
SELECT error_of($$SELECT uuid_partition_follow('orders', 'orders')$$);
SELECT error_of($$SELECT uuid_partition_follow('items', 'posts')$$);
SELECT error_of($$SELECT uuid_partition_follow('template', 'orders')$$);
SELECT error_of($$SELECT uuid_partition_maintain('jobs', '1 year', followers => '{steps,NULL}')$$);
SELECT error_of($$SELECT uuid_partition_maintain('jobs', '1 year', followers => '{steps,steps}')$$);
SELECT error_of($$SELECT uuid_partition_check('jobs', followers => '{steps,NULL}')$$);
SELECT error_of($$SELECT uuid_partition_check('jobs', followers => '{steps,steps}')$$);
CREATE TABLE new_steps (LIKE steps) PARTITION BY RANGE (job);
SELECT error_of($$SELECT uuid_partition_maintain('jobs', '1 year', followers => '{new_steps}')$$);
GRANT REFERENCES, SELECT ON jobs TO regress_uidext_follower;
ALTER TABLE new_steps OWNER TO regress_uidext_follower;
CREATE ROLE regress_uidext_followed;
ALTER TABLE jobs OWNER TO regress_uidext_followed;
SET ROLE regress_uidext_follower;
SELECT error_of($$SELECT uuid_partition_follow('new_steps', 'jobs')$$);
SELECT error_of($$SELECT uuid_partition_follow('new_steps', 'jobs', dry_run => true)$$);
RESET ROLE;
SELECT error_of($$SELECT uuid_partition_follow('new_steps', 'jobs')$$);

SET client_min_messages = warning;
DROP OWNED BY regress_uidext_follower, regress_uidext_followed CASCADE;
DROP ROLE regress_uidext_follower, regress_uidext_followed;
DROP TABLE orders, items, rules, cases, other_cases, root_cases, template, swaps, swap, notes, lines, posts, likes, regions, visits, visit, steps, logs CASCADE;
DROP FUNCTION error_of;
