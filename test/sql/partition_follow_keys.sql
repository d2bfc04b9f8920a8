-- Which foreign keys do partitions of a follower get: of a template, of the newest pair, or none?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
\i :test/include/partition_pairs.sql
SET default_transaction_isolation = 'read committed';

-- Keys: as the template's, as the newest pair's, none, the child's own.
CREATE TABLE rules (id iuid, region int, PRIMARY KEY (id, region)) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('rules', '2021-01-01', '2021-02-01', '1 month');
CREATE TABLE cases ("the % rule" iuid, region int DEFAULT 0, note text) PARTITION BY RANGE ("the % rule");
SELECT error_of($$SELECT uuid_partition_follow('cases', 'rules')$$) AS without_template :unaligned
CREATE TABLE template (LIKE cases INCLUDING ALL,
	FOREIGN KEY (
		"the % rule", region)
		REFERENCES rules MATCH FULL ON UPDATE CASCADE ON DELETE SET DEFAULT (
			"the % rule") DEFERRABLE INITIALLY DEFERRED);
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
SELECT severity, message FROM uuid_partition_check('rules', '0', followers => '{cases,other_cases,root_cases}') :unaligned
-- a key by another column than the partition key is no pair's, the child's own or the template's
CREATE TABLE swaps ("the % rule" iuid, region int, other iuid, FOREIGN KEY (other, region) REFERENCES rules)
PARTITION BY RANGE ("the % rule");
CREATE TABLE swap (gone int, LIKE swaps, FOREIGN KEY (other, region) REFERENCES rules,
	FOREIGN KEY ("the % rule", region) REFERENCES rules);
ALTER TABLE swap DROP COLUMN gone;
SELECT action, partition FROM uuid_partition_follow('swaps', 'rules', 'swap');
SELECT partition, key FROM pairs WHERE parent = 'swaps'::regclass ORDER BY bound;
SELECT count(*) AS findings FROM uuid_partition_check('rules', '0', followers => '{swaps}') WHERE message ~ 'follower public';
DROP TABLE swaps, swap, root_cases, other_cases, cases, template, rules;

-- Every key is carried on, each to the table of its own: of a template, of the newest pair, of a row to its own table.
CREATE TABLE sales (id uuid PRIMARY KEY, alt int, UNIQUE (id, alt)) PARTITION BY RANGE (id);
CREATE TABLE payments (sale_id uuid, alt int, n int, UNIQUE (sale_id, n)) PARTITION BY RANGE (sale_id);
CREATE TABLE refunds (sale_id uuid, n int, id int, above int, UNIQUE (sale_id, id)) PARTITION BY RANGE (sale_id);
SELECT count(*) AS made FROM uuid_partition_create('sales', '2021-01-01', '2021-02-01', '1 month');
CREATE TABLE payment (LIKE payments, FOREIGN KEY (sale_id) REFERENCES sales,
	FOREIGN KEY (sale_id, alt) REFERENCES sales (id, alt));
SELECT count(*) AS made FROM uuid_partition_follow('payments', 'sales', 'payment');
CREATE TABLE refund (LIKE refunds, FOREIGN KEY (sale_id) REFERENCES sales ON DELETE CASCADE,
	FOREIGN KEY (sale_id, n) REFERENCES payments (sale_id, n), FOREIGN KEY (sale_id, above) REFERENCES refunds (sale_id, id));
SELECT count(*) AS made FROM uuid_partition_follow('refunds', 'sales', 'refund');
SELECT count(*) AS made FROM uuid_partition_create('sales', '2021-02-01', '2021-03-01', '1 month');
-- the table in the middle goes first
SELECT action, problem FROM uuid_partition_follow('refunds', 'sales') :unaligned
SELECT count(*) AS made FROM uuid_partition_follow('payments', 'sales');
SELECT count(*) AS made FROM uuid_partition_follow('refunds', 'payments');
-- of two tables to which it refers it follows the later one
SELECT uidext_internal.partition_leader(
	'refunds', uidext_internal.partition_newest_foreign_keys('refunds'), '{sales,payments}') AS leader_of_refunds;
SELECT partition, key FROM pairs WHERE parent IN ('payments'::regclass, 'refunds'::regclass) ORDER BY partition::text :unaligned
SET client_min_messages = error;
SELECT severity, message
FROM uuid_partition_check('sales', '0', followers => '{payments,refunds}')
WHERE message ~ 'public.(payments|refunds)';
SELECT DISTINCT action, problem FROM uuid_partition_maintain('sales', '10 years', 0, followers => '{payments,refunds}');
RESET client_min_messages;
SELECT DISTINCT parent::text, regexp_replace(key, '_[_\d]+', '_NEW', 'g') AS key FROM pairs
WHERE parent IN ('payments'::regclass, 'refunds'::regclass) AND partition::text !~ '2021_0[12]' ORDER BY 1 :unaligned
ALTER TABLE refunds_2021_01 DROP CONSTRAINT refunds_2021_01_sale_id_n_fkey;
ALTER TABLE refunds_2021_02 DROP CONSTRAINT refunds_2021_02_sale_id_fkey;
SELECT severity, message FROM uuid_partition_check('sales', '0', followers => '{payments,refunds}') WHERE message ~ 'foreign key';
DROP TABLE payment, refund, refunds, payments, sales;

-- Keys of a template or of the newest pair that do not lead to the parent: to themselves
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
-- a template whose key leads to one partition of the leader has it as an example
CREATE TABLE dinners (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE dinner (LIKE dinners INCLUDING ALL, FOREIGN KEY (id) REFERENCES trips_2021_01 ON DELETE CASCADE);
SELECT action, partition, problem FROM uuid_partition_follow('dinners', 'trips', template => 'dinner');
SELECT partition, key FROM pairs WHERE parent = 'dinners'::regclass ORDER BY 1;
DROP TABLE dinner, dinners;
-- one whose key leads to another table that is partitioned alike is of another pair
CREATE TABLE picnics (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE picnic_in_hotel (LIKE picnics INCLUDING ALL, FOREIGN KEY (id) REFERENCES hotels);
SELECT error_of($$SELECT uuid_partition_follow('picnics', 'trips', template => 'picnic_in_hotel')$$) :unaligned
DROP TABLE picnic_in_hotel;
-- keys of one to a partition of another table, or to a table that is partitioned in another way, are not for new partitions
CREATE TABLE parks (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE parks_2021 PARTITION OF parks
FOR VALUES FROM (uuid_boundary('2021-01-01')) TO (uuid_boundary('2022-01-01'))
PARTITION BY RANGE (id);
CREATE TABLE guests (id uuid PRIMARY KEY) PARTITION BY HASH (id);
CREATE TABLE picnic (LIKE picnics INCLUDING ALL, FOREIGN KEY (id) REFERENCES parks_2021, FOREIGN KEY (id) REFERENCES guests);
SELECT action, partition, problem FROM uuid_partition_follow('picnics', 'trips', template => 'picnic');
SELECT partition, key FROM pairs WHERE parent = 'picnics'::regclass ORDER BY 1;
-- nor beside one that leads to the parent
SELECT count(*) AS made FROM uuid_partition_create('trips', '2021-03-01', '2021-04-01', '1 month');
ALTER TABLE picnic DROP CONSTRAINT picnic_id_fkey1, ADD FOREIGN KEY (id) REFERENCES trips ON DELETE CASCADE;
SELECT action, partition, problem FROM uuid_partition_follow('picnics', 'trips', template => 'picnic');
SELECT key FROM pairs WHERE partition = to_regclass('picnics_2021_03');
DROP TABLE picnic, picnics, guests, parks, trips_2021_03;
-- a template that is a partition refers to a partition, which is partitioned itself
CREATE TABLE rooms (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE rooms_2021_01 PARTITION OF rooms
FOR VALUES FROM (uuid_boundary('2021-01-01')) TO (uuid_boundary('2021-02-01'))
PARTITION BY HASH (id);
CREATE TABLE beds (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT action, partition FROM uuid_partition_follow('beds', 'rooms');
CREATE TABLE rooms_2021_02 PARTITION OF rooms FOR VALUES FROM (uuid_boundary('2021-02-01')) TO (uuid_boundary('2021-03-01'));
SELECT action, partition, problem FROM uuid_partition_follow('beds', 'rooms', template => 'beds_2021_01');
SELECT partition, key FROM pairs WHERE parent = 'beds'::regclass ORDER BY 1;
-- a key to the table of another owner is its owner's
CREATE ROLE regress_uidext_follower;
GRANT CREATE, USAGE ON SCHEMA public TO regress_uidext_follower;
ALTER TABLE hotels OWNER TO regress_uidext_follower;
CREATE TABLE teas (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE tea (LIKE teas INCLUDING ALL, FOREIGN KEY (id) REFERENCES trips, FOREIGN KEY (id) REFERENCES hotels);
SELECT action, partition, problem FROM uuid_partition_follow('teas', 'trips', template => 'tea');
SELECT partition, key FROM pairs WHERE parent = 'teas'::regclass ORDER BY 1;
DROP TABLE tea, teas;
ALTER TABLE beds_2021_02 ADD FOREIGN KEY (id) REFERENCES hotels_2021_02;
SELECT count(*) AS made
FROM uuid_partition_create('rooms', date_trunc('month', now(), 'UTC') - interval '1 month',
	date_trunc('month', now(), 'UTC'), '1 month');
SELECT count(problem) AS problems FROM uuid_partition_maintain('rooms', '1 month', 0, followers => '{beds}');
SELECT count(*) FILTER (WHERE key ~ 'hotels') AS to_hotels FROM pairs WHERE parent = 'beds'::regclass;
DROP TABLE beds, rooms, night, nights, hotels, trips;
DROP OWNED BY regress_uidext_follower;
DROP ROLE regress_uidext_follower;
DROP VIEW pairs;
DROP FUNCTION error_of;
