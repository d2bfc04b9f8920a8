-- Which right does an owner lack for a new partition?  The error names it, and the GRANT of its
-- hint is enough.

BEGIN;
\ir include/settings.sql
SET client_min_messages = error;
SELECT plan(27);

CREATE ROLE partition_owner;
CREATE ROLE partition_other;
CREATE SCHEMA shop;

CREATE FUNCTION pg_temp.new_shop() RETURNS void LANGUAGE plpgsql AS $$
-- Orders of January that refer to customers.
BEGIN
	DROP SCHEMA shop CASCADE;
	CREATE SCHEMA shop AUTHORIZATION partition_owner;
	SET LOCAL ROLE partition_owner;
	CREATE TABLE shop.customers (id int PRIMARY KEY);
	CREATE TYPE shop.state AS ENUM ('new');
	CREATE FUNCTION shop.is_new(uuid) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
	CREATE FUNCTION shop.tell() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
	CREATE TABLE shop.orders (id uuid PRIMARY KEY, customer int REFERENCES shop.customers, note text) PARTITION BY RANGE (id);
	PERFORM uuid_partition_create('shop.orders', '2020-01-01', '2020-02-01', '1 month');
	RESET ROLE;
END $$;

CREATE FUNCTION pg_temp.obstacle() RETURNS text LANGUAGE plpgsql AS $$
-- What keeps the owner from a partition of February, and the hint.
DECLARE
	hint text;
BEGIN
	SET LOCAL ROLE partition_owner;
	PERFORM uuid_partition_create('shop.orders', '2020-02-01', '2020-03-01', '1 month');
	RESET ROLE;
	RETURN 'nothing';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN SQLSTATE || ': ' || SQLERRM || '; ' || hint;
END $$;

CREATE FUNCTION pg_temp.is_named(what text, setting text, "right" text, object text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	command text := format('GRANT %s ON %s TO partition_owner', "right", object);
	kind text := split_part(object, ' ', 1);
BEGIN
	PERFORM pg_temp.new_shop();
	EXECUTE setting;
	RETURN NEXT is(pg_temp.obstacle(),
		format('42501: %s on %s%s is needed for a new partition; Run: %s', "right", lower(kind),
			substr(object, length(kind) + 1), command),
		format('an owner who may not %s is told of the right', what));
	EXECUTE command;
	RETURN NEXT is(pg_temp.obstacle(), 'nothing', format('an owner who is then granted to %s makes the partition', what));
END $$;

SELECT pg_temp.is_named(what, setting, "right", object)
FROM (VALUES
	('create in the schema of the partitions', 'REVOKE CREATE ON SCHEMA shop FROM partition_owner', 'CREATE', 'SCHEMA shop'),
	('use the schema of the newest partition',
		'
			CREATE SCHEMA archive;
			GRANT CREATE ON SCHEMA archive TO partition_owner;
			ALTER TABLE shop.orders_2020_01 SET SCHEMA archive', 'USAGE', 'SCHEMA archive'),
	('use the schema of a table to which orders refer',
		'CREATE SCHEMA crm; ALTER TABLE shop.customers SET SCHEMA crm', 'USAGE', 'SCHEMA crm'),
	('use the schema of a table to which all countries'' orders refer',
		'CREATE SCHEMA registry; CREATE TABLE registry.customers (id int PRIMARY KEY); '
		'GRANT SELECT ON registry.customers TO partition_owner; '
		'CREATE TABLE shop.all_orders (LIKE shop.orders, FOREIGN KEY (customer) REFERENCES registry.customers) '
		'PARTITION BY LIST (customer); '
		'ALTER TABLE shop.all_orders OWNER TO partition_owner; '
		'ALTER TABLE shop.orders DROP CONSTRAINT orders_pkey; ALTER TABLE shop.all_orders ATTACH PARTITION shop.orders DEFAULT',
		'USAGE', 'SCHEMA registry'),
	('read the newest partition', 'REVOKE SELECT ON shop.orders_2020_01 FROM partition_owner', 'SELECT',
		'TABLE shop.orders_2020_01'),
	('use the type of a column', 'ALTER TABLE shop.orders ADD state shop.state; ALTER TYPE shop.state OWNER TO partition_other; '
		'REVOKE USAGE ON TYPE shop.state FROM PUBLIC', 'USAGE', 'TYPE shop.state'),
	('use the type of what an array has',
		'ALTER TABLE shop.orders ADD states shop.state[]; ALTER TYPE shop.state OWNER TO partition_other; '
		'REVOKE USAGE ON TYPE shop.state FROM PUBLIC', 'USAGE', 'TYPE shop.state'),
	('execute the function of a trigger',
		'CREATE TRIGGER tell BEFORE INSERT ON shop.orders FOR EACH ROW EXECUTE FUNCTION shop.tell(); '
		'
				ALTER FUNCTION shop.tell() OWNER TO partition_other;
				REVOKE EXECUTE ON FUNCTION shop.tell() FROM PUBLIC', 'EXECUTE', 'FUNCTION shop.tell()'),
	('make the triggers of a table', 'CREATE TRIGGER tell AFTER INSERT ON shop.orders FOR EACH ROW EXECUTE FUNCTION shop.tell(); '
		'REVOKE TRIGGER ON shop.orders_2020_01 FROM partition_owner', 'TRIGGER', 'TABLE shop.orders_2020_01'),
	('execute the condition of an index', 'CREATE INDEX ON shop.orders (customer) WHERE shop.is_new(id); '
		'ALTER FUNCTION shop.is_new(uuid) OWNER TO partition_other; REVOKE EXECUTE ON FUNCTION shop.is_new(uuid) FROM PUBLIC',
		'EXECUTE', 'FUNCTION shop.is_new(uuid)')
) AS rights(what, setting, "right", object);

-- Rights that no new partition needs.
CREATE FUNCTION pg_temp.is_unneeded(what text, setting text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_temp.new_shop();
	ALTER FUNCTION shop.tell() OWNER TO partition_other;
	ALTER FUNCTION shop.is_new(uuid) OWNER TO partition_other;
	ALTER TYPE shop.state OWNER TO partition_other;
	EXECUTE setting;
	REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA shop FROM PUBLIC;
	REVOKE USAGE ON TYPE shop.state FROM PUBLIC;
	RETURN is(pg_temp.obstacle(), 'nothing', format('an owner who may not %s makes the partition', what));
END $$;
SELECT pg_temp.is_unneeded(what, setting)
FROM (VALUES
	('execute the trigger of another table',
		'CREATE TRIGGER tell BEFORE INSERT ON shop.customers FOR EACH ROW EXECUTE FUNCTION shop.tell()'),
	('execute a trigger for statements', 'CREATE TRIGGER tell BEFORE INSERT ON shop.orders EXECUTE FUNCTION shop.tell()'),
	('execute the condition of another table''s index',
		'CREATE TABLE shop.strangers (id uuid); CREATE INDEX ON shop.strangers (id) WHERE shop.is_new(id)'),
	('use the type of a column that was dropped',
		'ALTER TABLE shop.orders ADD state shop.state; ALTER TABLE shop.orders DROP state'),
	('use the schema of a partition of a table to which orders refer',
		'CREATE SCHEMA depot; CREATE TABLE shop.regions (id int PRIMARY KEY) PARTITION BY RANGE (id); '
		'CREATE TABLE depot.regions PARTITION OF shop.regions DEFAULT; '
		'ALTER TABLE shop.orders ADD region int REFERENCES shop.regions; '
		'ALTER TABLE shop.regions OWNER TO partition_owner; ALTER TABLE depot.regions OWNER TO partition_owner'),
	('read a partition before the newest',
		'CREATE TABLE shop.first PARTITION OF shop.orders FOR VALUES FROM (MINVALUE) TO (uuid_boundary(''2020-01-01'')); '
		'ALTER TABLE shop.first OWNER TO partition_owner; REVOKE SELECT ON shop.first FROM partition_owner')
) AS rights(what, setting);

-- The owner of a schema could put another table in the place of one.  The database's owner can do so anyway.
CREATE ROLE regress_uidext_host;
CREATE SCHEMA hosted AUTHORIZATION regress_uidext_host;
GRANT ALL ON SCHEMA hosted TO partition_owner;
CREATE TABLE hosted.orders (id uuid) PARTITION BY RANGE (id);
ALTER TABLE hosted.orders OWNER TO partition_owner;
SELECT format('ALTER DATABASE %I OWNER TO regress_uidext_host', current_database()) \gexec
SET ROLE partition_owner;
SELECT lives_ok($$SELECT uuid_partition_create('hosted.orders', '2020-01-01', '2020-02-01', '1 month')$$,
	'a table may be in a schema of the owner of the database');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
