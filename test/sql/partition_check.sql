-- uuid_partition_check(): what a monitor asks.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

CREATE TABLE orders (id uuid PRIMARY KEY, item text) PARTITION BY RANGE (id);
CREATE FUNCTION checked(ahead interval DEFAULT '7 days', keep interval DEFAULT NULL, OUT severity int, OUT status text,
	OUT message text) RETURNS SETOF record LANGUAGE sql
AS $$
	SELECT severity, status, regexp_replace(message, '\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00', '(time)', 'g')
	FROM uuid_partition_check('orders', ahead, keep)$$;

SELECT * FROM checked();
BEGIN;
SELECT count(*) > 0 AS made FROM uuid_partition_maintain('orders', '1 day', 3);
SELECT * FROM checked();
SELECT * FROM checked('1 day');
-- the end of what there is, though there is more behind a gap
SELECT count(*) > 0 AS made
	FROM uuid_partition_create('orders', date_trunc('day', now(), 'UTC') + interval '5 days',
		date_trunc('day', now(), 'UTC') + interval '40 days', '1 month');
SELECT * FROM checked();
SELECT starts_with(message,
	format('no partition from %s on:', date_trunc('day', now(), 'UTC') + interval '4 days')) AS says_when
FROM uuid_partition_check('orders');
COMMIT;
-- rows that nobody has moved, what is too old, and all at once
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE ROLE regress_uidext_monitor;
SELECT * FROM checked('1 day');
SET ROLE regress_uidext_monitor;
SELECT * FROM checked('1 day');
RESET ROLE;
INSERT INTO orders VALUES (gen_uuidv7_at('2020-01-01'));
SELECT * FROM checked('1 day');
SELECT count(*) AS made FROM uuid_partition_create('orders', '2021-01-01', '2021-03-01', '1 month');
SELECT * FROM checked('1 day', '1000 years');
SELECT * FROM checked('7 days', '1 year');
-- for others than the owner, by the statistics
SELECT pg_stat_force_next_flush();
SET ROLE regress_uidext_monitor;
SELECT * FROM checked('1 day');
RESET ROLE;
DELETE FROM orders;
SELECT pg_stat_force_next_flush();
SET ROLE regress_uidext_monitor;
SELECT * FROM checked('1 day');
RESET ROLE;
-- nor of a schema of which he may not use anything, or by rows of which he may see some
INSERT INTO orders VALUES (gen_uuidv7_at('2020-01-01'));
SELECT pg_stat_force_next_flush();
CREATE SCHEMA regress_uidext_attic;
ALTER TABLE orders_rest SET SCHEMA regress_uidext_attic;
GRANT SELECT ON regress_uidext_attic.orders_rest TO regress_uidext_monitor;
SET ROLE regress_uidext_monitor;
SELECT severity, left(message, 29) AS message FROM checked('1 day');
SELECT from_time, to_time FROM uuid_partition_list('orders') WHERE kind = 'default';
RESET ROLE;
ALTER TABLE regress_uidext_attic.orders_rest SET SCHEMA public;
ALTER TABLE orders_rest ENABLE ROW LEVEL SECURITY;
SET ROLE regress_uidext_monitor;
SELECT * FROM checked('1 day');
SELECT from_time, to_time FROM uuid_partition_list('orders') WHERE kind = 'default';
RESET ROLE;
ALTER TABLE orders_rest DISABLE ROW LEVEL SECURITY;
SET ROLE regress_uidext_monitor;
SELECT * FROM checked('1 day');
SELECT from_time, to_time FROM uuid_partition_list('orders') WHERE kind = 'default';
RESET ROLE;
DROP TABLE orders;
DROP SCHEMA regress_uidext_attic;
DROP ROLE regress_uidext_monitor;
-- a key that is NULL has no time, and hides none
CREATE TABLE orders (id uuid) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
INSERT INTO orders VALUES (NULL);
SELECT * FROM checked();
SELECT from_time, to_time FROM uuid_partition_list('orders');
INSERT INTO orders SELECT gen_uuidv7_at(at) FROM unnest('{2020-01-01,2020-02-01}'::timestamptz[]) AS at;
SELECT from_time, to_time FROM uuid_partition_list('orders');
DROP TABLE orders;
-- no end, no beginning
CREATE TABLE orders (id iuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE orders_all PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
SELECT * FROM checked('100 years', '1 day');
SELECT error_of($$SELECT uuid_partition_check(NULL)$$) :unaligned
SELECT left(error_of($$SELECT uuid_partition_check('pg_class')$$), 5) :unaligned
SELECT error_of($$SELECT uuid_partition_check('orders', ahead => '30')$$),
	error_of($$SELECT uuid_partition_check('orders', ahead => '-1 day')$$) :unaligned
SELECT a.status, b.status
FROM uuid_partition_check('orders', ahead => '0') a, uuid_partition_check('orders', ahead => '1 minute') b;
SELECT error_of($$SELECT uuid_partition_check('orders', keep => '-1 day')$$),
	error_of($$SELECT uuid_partition_check('orders', keep => '6000 years')$$) :unaligned
-- a bound inside a millisecond leaves a gap that nobody fills, unless there is a partition beside it
DROP TABLE orders;
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE orders_past PARTITION OF orders FOR VALUES FROM (MINVALUE) TO ('018c22ac-d000-7000-8000-000000000001');
CREATE TABLE orders_next PARTITION OF orders
FOR VALUES FROM ('018c22ac-d000-7000-8000-000000000001') TO ('018c22ac-d001-0000-0000-000000000000');
CREATE TABLE orders_rest PARTITION OF orders FOR VALUES FROM ('018c22ac-d001-8000-8000-000000000000') TO (MAXVALUE);
SELECT * FROM checked();
DROP TABLE orders_next;
SELECT * FROM checked();
SELECT * FROM uuid_partition_list('orders') WHERE kind = 'gap';

-- By default as far ahead as the longer of the newest partition and the present one: what maintenance makes by default is enough.
CREATE TABLE by_hour (id uuid) PARTITION BY RANGE (id);
CREATE TABLE by_day (id iuid) PARTITION BY RANGE (id);
CREATE TABLE by_month (id uuid) PARTITION BY RANGE (id);
CREATE TABLE steps AS VALUES ('by_hour'::regclass, interval '1 hour'), ('by_day', '1 day'), ('by_month', '1 month');
SELECT column2 AS step, (SELECT count(*) > 0 FROM uuid_partition_maintain(column1, column2)) AS made FROM steps;
SELECT column2 AS step, severity, status FROM steps, uuid_partition_check(column1);
DROP TABLE by_hour, by_day, by_month, steps;
-- less is too little, and a week is enough; an end left open is as long as any; seconds and minutes, as of a step
-- without its unit, are too little in any case
CREATE FUNCTION checked_by_default(bounds text[], OUT severity int, OUT status text, OUT message text)
RETURNS SETOF record
LANGUAGE plpgsql
AS $$
BEGIN
	CREATE TABLE spans (id uuid) PARTITION BY RANGE (id);
	SELECT array_agg(CASE WHEN bound ~ 'VALUE' THEN bound ELSE quote_literal(uuid_boundary(now() + bound::interval)) END ORDER BY n)
	INTO bounds FROM unnest(bounds) WITH ORDINALITY AS b(bound, n);
	FOR i IN 2 .. cardinality(bounds) LOOP
		EXECUTE format('CREATE TABLE spans_%s PARTITION OF spans FOR VALUES FROM (%s) TO (%s)', i, bounds[i - 1], bounds[i]);
	END LOOP;
	RETURN QUERY
	SELECT c.severity, c.status, regexp_replace(c.message, '\d{4}-\d\d-\d\d [\d:.]+\+00', '(time)')
	FROM uuid_partition_check('spans') c;
	DROP TABLE spans;
END
$$;
SELECT bounds, c.*
FROM unnest(
	ARRAY['{-20 h,20 h}', '{-20 h,20 h,21 h}', '{-20 h,20 h,41 h}', '{-20 h,2 h,23 h}', '{-3 s,30 min,40 min}',
		'{-3 s,50 min,61 min}',
		'{MINVALUE,30 min,90 min}', '{-1 day,19 days,39 days}', '{-60 days,6 days}', '{-60 days,8 days}',
		'{MINVALUE,6 days}', '{MINVALUE,8 days}', '{-1 day,MAXVALUE}', '{-2 days,-1 day}', '{1 day,MAXVALUE}',
		'{MINVALUE,MAXVALUE}', '{MINVALUE}']) WITH ORDINALITY AS b(bounds, n),
	checked_by_default(bounds::text[]) c
ORDER BY n;
DROP FUNCTION checked_by_default;

-- For a dashboard, one row for each table.
SELECT c.oid::regclass AS parent, (SELECT max(severity) FROM uuid_partition_check(c.oid)) AS severity
FROM pg_class c WHERE relname = 'orders';
DROP TABLE orders;

-- Core's hash of an iuid, which the SQL edition takes by itself, of the table and of its partitions.
CREATE TABLE orders (id iuid) PARTITION BY HASH (id uuid_ops);
SELECT * FROM checked();
DROP TABLE orders;
CREATE TABLE orders (id iuid) PARTITION BY RANGE (id);
CREATE TABLE orders_all PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (MAXVALUE) PARTITION BY HASH (id uuid_ops);
CREATE TABLE orders_one PARTITION OF orders_all FOR VALUES WITH (MODULUS 1, REMAINDER 0);
SELECT * FROM checked();
DROP TABLE orders;
-- of a uuid it is meant
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE orders_all PARTITION OF orders FOR VALUES FROM (MINVALUE) TO (MAXVALUE) PARTITION BY HASH (id);
CREATE TABLE orders_one PARTITION OF orders_all FOR VALUES WITH (MODULUS 1, REMAINDER 0);
SELECT * FROM checked();
DROP TABLE orders;
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY HASH (id);
SELECT left(error_of($$SELECT uuid_partition_check('orders')$$), 5) :unaligned
DROP TABLE orders;

-- Of partitions that are partitioned themselves it is the time for which there is a table.
CREATE TABLE orders (id uuid DEFAULT gen_uuidv7(), kind int) PARTITION BY RANGE (id);
-- with two days of the present, as the first may end meanwhile
SELECT uuid_boundary(date_trunc('day', now()) - interval '1 day') AS before, uuid_boundary(date_trunc('day', now())) AS today,
	uuid_boundary(date_trunc('day', now()) + interval '2 days') AS tomorrow,
	uuid_boundary(date_trunc('day', now()) + interval '30 days') AS end \gset
CREATE TABLE orders_now PARTITION OF orders FOR VALUES FROM (:'before') TO (:'end') PARTITION BY LIST (kind);
SELECT * FROM checked('10 days');
INSERT INTO orders VALUES (DEFAULT, 1);
-- nor are more made like it
SET client_min_messages = error;
SELECT DISTINCT action, problem FROM uuid_partition_maintain('orders', '1 month', 3);
SET client_min_messages = warning;
CREATE TABLE orders_now_1 PARTITION OF orders_now FOR VALUES IN (1);
SELECT * FROM checked('10 days');
INSERT INTO orders VALUES (DEFAULT, 1);
-- a table two levels down, and no table there
CREATE TABLE orders_now_2 PARTITION OF orders_now FOR VALUES IN (2) PARTITION BY LIST (kind);
SELECT * FROM checked('10 days');
DROP TABLE orders_now_1;
SELECT * FROM checked('10 days');
CREATE TABLE orders_now_2_2 PARTITION OF orders_now_2 FOR VALUES IN (2);
SELECT * FROM checked('10 days');
-- a default partition of a list is meant for all other values
CREATE TABLE orders_now_rest PARTITION OF orders_now DEFAULT;
INSERT INTO orders VALUES (DEFAULT, 3);
SELECT * FROM checked('10 days');
DROP TABLE orders_now;
-- divided by the same key: days of a month
CREATE TABLE orders_now PARTITION OF orders FOR VALUES FROM (:'before') TO (:'end') PARTITION BY RANGE (id);
CREATE TABLE orders_before PARTITION OF orders_now FOR VALUES FROM (:'before') TO (:'today');
SELECT * FROM checked('10 days');
CREATE TABLE orders_today PARTITION OF orders_now FOR VALUES FROM (:'today') TO (:'tomorrow');
SELECT * FROM checked('10 days');
CREATE TABLE orders_rest PARTITION OF orders_now DEFAULT;
SELECT * FROM checked('10 days');
-- rows of a day that has no partition, for the owner and for others
INSERT INTO orders VALUES (:'tomorrow');
SELECT pg_stat_force_next_flush();
SELECT * FROM checked('10 days');
CREATE ROLE regress_uidext_monitor;
SET ROLE regress_uidext_monitor;
SELECT * FROM checked('10 days');
RESET ROLE;
DROP ROLE regress_uidext_monitor;
DROP TABLE orders_rest;
CREATE TABLE orders_all PARTITION OF orders_now FOR VALUES FROM (:'tomorrow') TO (:'end');
SELECT * FROM checked('10 days');
DROP TABLE orders_now;
-- divided by country, and one country by days: all countries need a table
CREATE TABLE orders_now PARTITION OF orders FOR VALUES FROM (:'before') TO (:'end') PARTITION BY LIST (kind);
CREATE TABLE orders_now_1 PARTITION OF orders_now FOR VALUES IN (1);
CREATE TABLE orders_now_2 PARTITION OF orders_now FOR VALUES IN (2) PARTITION BY RANGE (id);
CREATE TABLE orders_now_2_before PARTITION OF orders_now_2 FOR VALUES FROM (:'before') TO (:'today');
SELECT * FROM checked('10 days');
CREATE TABLE orders_now_2_today PARTITION OF orders_now_2 FOR VALUES FROM (:'today') TO (:'tomorrow');
SELECT * FROM checked('10 days');
SELECT * FROM checked('1 minute');
CREATE TABLE orders_next PARTITION OF orders FOR VALUES FROM (:'end') TO (MAXVALUE);
SELECT * FROM checked('1 minute') WHERE message !~ 'MAXVALUE';
CREATE TABLE orders_now_2_all PARTITION OF orders_now_2 FOR VALUES FROM (:'tomorrow') TO (MAXVALUE);
SELECT * FROM checked('10 days') WHERE message !~ 'MAXVALUE';
DROP TABLE orders;

-- Code of others runs as the owner when partitions come and go: so core looks into
-- tables that foreign keys join.
CREATE ROLE regress_uidext_owner;
CREATE ROLE regress_uidext_other;
CREATE SCHEMA regress_uidext_own AUTHORIZATION regress_uidext_owner;
CREATE SCHEMA regress_uidext_others AUTHORIZATION regress_uidext_other;
GRANT USAGE ON SCHEMA regress_uidext_own, regress_uidext_others TO regress_uidext_owner, regress_uidext_other;
SET ROLE regress_uidext_other;
CREATE TABLE regress_uidext_others.seen (by_whom text);
GRANT INSERT ON regress_uidext_others.seen TO PUBLIC;
CREATE FUNCTION regress_uidext_others.see() RETURNS bool
	LANGUAGE plpgsql AS $$BEGIN INSERT INTO regress_uidext_others.seen VALUES (current_user); RETURN true; END$$;
CREATE FUNCTION regress_uidext_others.is_seen()
RETURNS bool
LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RETURN regress_uidext_others.see(); END$$;
CREATE TABLE regress_uidext_others.customers (id int PRIMARY KEY, n int);
CREATE INDEX ON regress_uidext_others.customers (n) WHERE regress_uidext_others.is_seen();
TRUNCATE regress_uidext_others.seen;
GRANT SELECT, REFERENCES ON regress_uidext_others.customers TO regress_uidext_owner;
SET ROLE regress_uidext_owner;
CREATE TABLE regress_uidext_own.customers (id int PRIMARY KEY);
CREATE TABLE regress_uidext_own.orders (
	id uuid PRIMARY KEY DEFAULT gen_uuidv7(), customer int REFERENCES regress_uidext_others.customers,
	own_customer int REFERENCES regress_uidext_own.customers) PARTITION BY RANGE (id);
GRANT REFERENCES ON regress_uidext_own.orders TO regress_uidext_other;
SELECT count(*) AS made
FROM uuid_partition_create(
	'regress_uidext_own.orders', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month');
INSERT INTO regress_uidext_own.orders VALUES ('016f8000-0000-7000-8000-000000000000'), ('01705000-0000-7000-8000-000000000000');
SET ROLE regress_uidext_other;
SELECT DISTINCT by_whom FROM regress_uidext_others.seen;
TRUNCATE regress_uidext_others.seen;
CREATE TABLE regress_uidext_others.items (n int, order_id uuid REFERENCES regress_uidext_own.orders);
INSERT INTO regress_uidext_others.items VALUES (1, '01705000-0000-7000-8000-000000000000');
ALTER TABLE regress_uidext_others.items ENABLE ROW LEVEL SECURITY;
CREATE POLICY looked_at ON regress_uidext_others.items USING (regress_uidext_others.see());
SET ROLE regress_uidext_owner;
SELECT message FROM uuid_partition_check('regress_uidext_own.orders', '0') WHERE message ~ 'foreign key';
-- without the right to read it nothing goes, and the hint says why
SELECT error_of($$SELECT uuid_partition_drop('regress_uidext_own.orders', '2020-02-01 00:00+00')$$) :unaligned
SELECT action, left(problem, 5) AS problem
FROM uuid_partition_drop('regress_uidext_own.orders', '2020-02-01 00:00+00', dry_run => true);
SELECT *
	FROM uuid_partition_maintain(
		'regress_uidext_own.orders', '1 month', 0, keep => '1 month', detach_only => true, dry_run => true)
	WHERE problem IS NOT NULL;
SELECT action, partition, left(problem, 5) AS problem
	FROM uuid_partition_maintain('regress_uidext_own.orders', '1 month', 0, keep => '1 month') WHERE problem IS NOT NULL;
RESET ROLE;
GRANT SELECT ON regress_uidext_others.items TO regress_uidext_owner;
SET ROLE regress_uidext_owner;
-- nor where row security may hide rows that refer to it
SELECT error_of($$SELECT uuid_partition_drop('regress_uidext_own.orders', '2020-02-01 00:00+00')$$) :unaligned
SELECT action, left(problem, 5) AS problem
FROM uuid_partition_drop('regress_uidext_own.orders', '2020-02-01 00:00+00', dry_run => true);
SELECT action, partition, left(problem, 5) AS problem
	FROM uuid_partition_maintain('regress_uidext_own.orders', '1 month', 0, keep => '1 month') WHERE problem IS NOT NULL;
-- nor is it detached to be drained: a policy's code does not run
CREATE TABLE regress_uidext_own.orders_rest PARTITION OF regress_uidext_own.orders DEFAULT;
CALL uuid_partition_drain('regress_uidext_own.orders', '1 month');
INSERT INTO regress_uidext_own.orders VALUES ('0178fa59-2c00-7000-8000-000000000000');
-- which the SQL edition does not do beside a foreign key
SET client_min_messages = error;
CALL uuid_partition_drain('regress_uidext_own.orders', '1 month');
SET client_min_messages = warning;
RESET ROLE;
ALTER TABLE regress_uidext_own.orders DETACH PARTITION regress_uidext_own.orders_rest;
DROP TABLE regress_uidext_own.orders_rest;
SELECT DISTINCT by_whom FROM regress_uidext_others.seen;
TRUNCATE regress_uidext_others.seen;
-- the partition's own policies hide as much
SET ROLE regress_uidext_other;
ALTER TABLE regress_uidext_others.items DISABLE ROW LEVEL SECURITY;
SET ROLE regress_uidext_owner;
ALTER TABLE regress_uidext_own.orders_2020_01 ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
SELECT error_of($$SELECT uuid_partition_drop('regress_uidext_own.orders', '2020-02-01 00:00+00')$$) :unaligned
SELECT action, problem FROM uuid_partition_drop('regress_uidext_own.orders', '2020-02-01 00:00+00', dry_run => true);
ALTER TABLE regress_uidext_own.orders_2020_01 DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY;
SET ROLE regress_uidext_other;
ALTER TABLE regress_uidext_others.items ENABLE ROW LEVEL SECURITY;
RESET ROLE;
ALTER ROLE regress_uidext_owner BYPASSRLS;
SET ROLE regress_uidext_owner;
SELECT count(*) AS dropped FROM uuid_partition_drop('regress_uidext_own.orders', '2020-02-01 00:00+00');
RESET ROLE;
SELECT DISTINCT by_whom FROM regress_uidext_others.seen;
-- the remedy
ALTER TABLE regress_uidext_others.items OWNER TO regress_uidext_owner;
ALTER TABLE regress_uidext_others.customers OWNER TO regress_uidext_owner;
SELECT message FROM uuid_partition_check('regress_uidext_own.orders', '0') WHERE message ~ 'foreign key';
SET client_min_messages = error;
DROP SCHEMA regress_uidext_own, regress_uidext_others CASCADE;
DROP ROLE regress_uidext_owner, regress_uidext_other;
-- what nobody copies is told before newer partitions are made, and when they are without it
CREATE TABLE watched (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('watched', '2090-01-01 00:00+00', '2090-03-01 00:00+00', '1 month');
CREATE TRIGGER of_all BEFORE UPDATE ON watched FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
CREATE TRIGGER spare BEFORE UPDATE ON watched_2090_02 FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
CREATE POLICY hidden ON watched_2090_02;
CREATE RULE quiet AS ON DELETE TO watched_2090_02 DO ALSO NOTHING;
-- which warns where wal_level is low
SET client_min_messages = error;
CREATE PUBLICATION regress_uidext_watched FOR TABLE watched_2090_02;
SET client_min_messages = warning;
SELECT message FROM uuid_partition_check('watched', '0') WHERE message ~ 'of its own';
SELECT count(*) AS made FROM uuid_partition_create('watched', '2090-03-01 00:00+00', '2090-04-01 00:00+00', '1 month');
SELECT message FROM uuid_partition_check('watched', '0') WHERE message ~ 'of its own';
CREATE TRIGGER spare BEFORE UPDATE ON watched_2090_03 FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
CREATE POLICY hidden ON watched_2090_03;
ALTER TABLE watched_2090_03 SET UNLOGGED;
SELECT message FROM uuid_partition_check('watched', '0') WHERE message ~ 'of its own';
-- what a partition of the past has, no rows to come need
CREATE TABLE watched_2020_01 PARTITION OF watched
FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('2020-02-01 00:00+00'));
CREATE RULE kept AS ON DELETE TO watched_2020_01 DO ALSO NOTHING;
CREATE INDEX ON watched_2020_01 ((id::text));
CREATE TABLE watched_2020_02 PARTITION OF watched
FOR VALUES FROM (uuid_boundary('2020-02-01 00:00+00')) TO (uuid_boundary('2020-03-01 00:00+00'))
PARTITION BY HASH (id);
SELECT count(*) AS of_the_past FROM uuid_partition_check('watched', '0') WHERE message ~ 'watched_2020';
DROP PUBLICATION regress_uidext_watched;
DROP TABLE watched;
-- a partition that waits to be detached takes no rows
CREATE TABLE watched (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_maintain('watched', '1 month', 0);
UPDATE pg_inherits SET inhdetachpending = true WHERE inhparent = 'watched'::regclass;
SELECT severity, regexp_replace(message, 'watched_\d{4}_\d\d', '(partition)', 'g') AS message
FROM uuid_partition_check('watched');
DROP TABLE watched;
DROP FUNCTION checked;
DROP FUNCTION error_of;
