-- Who may call what: the owner of the table, and nobody else.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

CREATE ROLE regress_uidext_owner;
CREATE ROLE regress_uidext_member IN ROLE regress_uidext_owner;
CREATE ROLE regress_uidext_writer;
CREATE SCHEMA workshop;
GRANT ALL ON SCHEMA workshop TO regress_uidext_owner;
GRANT USAGE ON SCHEMA workshop TO regress_uidext_writer;
SET ROLE regress_uidext_owner;
CREATE TABLE workshop.orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
GRANT ALL ON workshop.orders TO regress_uidext_writer;
RESET ROLE;
CREATE VIEW owners AS
SELECT c.relowner::regrole AS owner, count(*) AS partitions FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
	WHERE inhparent = 'workshop.orders'::regclass GROUP BY 1 ORDER BY 1;

-- only the owner, whose code would run with the rights of who calls: no superuser and no member
GRANT SELECT ON owners TO PUBLIC;
CREATE VIEW commands AS
SELECT unnest(ARRAY[$$SELECT uuid_partition_create('workshop.orders', '2020-01-01 00:00Z', '2020-04-01 00:00Z', '1 month')$$,
	$$SELECT uuid_partition_maintain('workshop.orders', '1 month')$$,
	$$SELECT uuid_partition_maintain('workshop.orders', '1 month', dry_run => true)$$,
	$$SELECT uuid_partition_drop('workshop.orders', '2020-02-01')$$,
	$$SELECT uuid_partition_drop('workshop.orders', '2020-02-01', dry_run => true)$$,
	$$
		SELECT uidext_internal.partition_drain_next(
			'workshop.orders', '1 month', 'UTC', NULL, NULL, 1, false, NULL, NULL)$$]) AS command;
GRANT SELECT ON commands TO PUBLIC;
SELECT DISTINCT error_of(command) AS to_superuser FROM commands :unaligned
SET ROLE regress_uidext_member;
SELECT DISTINCT left(error_of(command), 5) AS to_member FROM commands;
SET ROLE regress_uidext_owner;
BEGIN;
SELECT count(*) AS by_owner FROM uuid_partition_maintain('workshop.orders', '1 month', 2);
SELECT count(*) AS made FROM uuid_partition_create('workshop.orders', '2020-01-01', '2020-04-01', '1 month');
SELECT count(*) AS dropped FROM uuid_partition_drop('workshop.orders', '2020-03-01');
SELECT * FROM owners;
-- who has taken from himself what would change rows
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON workshop.orders FROM regress_uidext_owner;
SELECT count(*) AS made FROM uuid_partition_create('workshop.orders', '2019-01-01', '2019-02-01', '1 month');
SELECT action, count(*) AS steps FROM uuid_partition_maintain('workshop.orders', '1 month', 3) GROUP BY action ORDER BY action;
-- a table that refers to it, of which he has taken the same, keeps its settings
SAVEPOINT refers;
CREATE TABLE workshop.notes (order_id uuid REFERENCES workshop.orders) WITH (fillfactor = 70);
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON workshop.notes FROM regress_uidext_owner;
SELECT count(*) AS made FROM uuid_partition_create('workshop.orders', '2018-12-01', '2019-01-01', '1 month');
SELECT reloptions FROM pg_class WHERE oid = 'workshop.notes'::regclass;
ROLLBACK TO refers;
COMMIT;
SELECT count(*) AS findings FROM uuid_partition_check('workshop.orders');
GRANT ALL ON workshop.orders TO regress_uidext_owner;
-- nothing is left behind in silence where the owner himself does not see it
CREATE TABLE workshop.orders_rest PARTITION OF workshop.orders DEFAULT;
INSERT INTO workshop.orders VALUES ('018c22ac-d000-7000-8000-000000000001');
ALTER TABLE workshop.orders_rest ENABLE ROW LEVEL SECURITY;
CALL uuid_partition_drain('workshop.orders', '1 month');
SELECT tableoid::regclass FROM workshop.orders;
INSERT INTO workshop.orders_rest VALUES ('018dd22a-d000-7000-8000-000000000001');
ALTER TABLE workshop.orders_rest FORCE ROW LEVEL SECURITY;
CALL uuid_partition_drain('workshop.orders', '1 month');
-- nor foretold what it does not see
SET client_min_messages = error;
SELECT DISTINCT action, problem FROM uuid_partition_maintain('workshop.orders', '1 month', 5, dry_run => true);
SET client_min_messages = warning;
DROP TABLE workshop.orders_rest, workshop.orders_2023_12;
-- a writer may do neither
SET ROLE regress_uidext_writer;
SELECT left(error_of($$SELECT uuid_partition_create('workshop.orders', '2026-01-01', '2026-02-01', '1 month')$$), 5) AS create,
	left(error_of($$SELECT uuid_partition_drop('workshop.orders', '2020-04-01')$$), 5) AS drop,
	left(error_of($$SELECT uuid_partition_drop('workshop.orders', '2020-04-01', true)$$), 5) AS detach,
	left(error_of($$SELECT uuid_partition_maintain('workshop.orders', '1 month', 3)$$), 5) AS make,
	left(error_of($$SELECT uuid_partition_maintain('workshop.orders', '1 month', 0, '1 month')$$), 5) AS keep;
RESET ROLE;
REVOKE ALL ON workshop.orders FROM regress_uidext_writer;
SET ROLE regress_uidext_writer;
SELECT left(error_of($$SELECT uuid_partition_drop('workshop.orders', '2019-01-01')$$), 5) AS nothing_to_drop,
	left(error_of($$SELECT uuid_partition_create('workshop.orders', '2026-01-01', '2026-02-01', '1 month')$$), 5) AS create;
SELECT kind, note, count(*) AS listed FROM uuid_partition_list('workshop.orders') GROUP BY kind, note ORDER BY kind;
RESET ROLE;
SELECT * FROM owners;
-- nor may an owner of the parent drop what is somebody else's
ALTER TABLE workshop.orders_2020_03 OWNER TO regress_uidext_writer;
SET ROLE regress_uidext_owner;
SELECT left(error_of($$SELECT uuid_partition_drop('workshop.orders', '2020-04-01')$$), 5) AS drop,
	left(error_of($$SELECT uuid_partition_drop('workshop.orders', '2020-04-01', true)$$), 5) AS detach;
RESET ROLE;
SELECT * FROM owners;
-- nor may an owner of one table have it followed by what is somebody else's
SET default_transaction_isolation = 'read committed';
CREATE TABLE invoices (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT DISTINCT error_of(command) AS with_follower_of_another
FROM unnest(ARRAY[$$SELECT uuid_partition_maintain('invoices', '1 month', followers => '{workshop.orders}')$$,
	$$
		SELECT uuid_partition_maintain(
			'invoices', '1 month', followers => '{workshop.orders}', dry_run => true)$$]) AS command :unaligned

RESET default_transaction_isolation;
DROP VIEW owners;
DROP VIEW commands;
DROP TABLE invoices, workshop.orders;
DROP SCHEMA workshop;
DROP ROLE regress_uidext_owner, regress_uidext_member, regress_uidext_writer;
DROP FUNCTION error_of;
