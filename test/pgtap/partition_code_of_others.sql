-- Does code that another role has put into a partition, or beneath one, run with the rights of who calls?

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(13);

CREATE ROLE partition_alice;
CREATE ROLE partition_bob;
CREATE SCHEMA shop AUTHORIZATION partition_alice;
CREATE SCHEMA bobs AUTHORIZATION partition_bob;
GRANT USAGE ON SCHEMA bobs TO PUBLIC;
GRANT USAGE, CREATE ON SCHEMA shop TO partition_bob;

-- bobs.always() is IMMUTABLE, so that the planner calls it; what it calls in turn may do anything.
CREATE TABLE bobs.ran (role name);
GRANT INSERT ON bobs.ran TO PUBLIC;
CREATE FUNCTION bobs.note() RETURNS bool LANGUAGE sql VOLATILE AS 'INSERT INTO bobs.ran VALUES (current_user) RETURNING true';
CREATE FUNCTION bobs.always(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN bobs.note(); END';

SET LOCAL ROLE partition_alice;
CREATE TABLE shop.orders (id uuid, n int, PRIMARY KEY (id, n)) PARTITION BY RANGE (id);
CREATE TABLE shop.items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
SELECT count(*) AS made FROM uuid_partition_create('shop.orders', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
RESET ROLE;

CREATE FUNCTION pg_temp.is_refused(setting text, call text, dry_call text, what text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	said text;
BEGIN
	EXECUTE setting;
	DELETE FROM bobs.ran;
	SET LOCAL ROLE partition_alice;
	said := pg_temp.outcome(call);
	RESET ROLE;
	RETURN NEXT is((SELECT count(*) FROM bobs.ran WHERE role = 'partition_alice'), 0::bigint,
		what || ' runs nothing of his with her rights');
	RETURN NEXT matches(said, '42501: must be owner of table shop\.\w*(rest|2020_01)', 'and says whose table is in the way');
	SET LOCAL ROLE partition_alice;
	said := pg_temp.outcome(dry_call);
	RESET ROLE;
	RETURN NEXT matches(said, '42501: must be owner of table shop\.\w*(rest|2020_01)', 'beforehand as well');
END $$;
SAVEPOINT ready;

\set call 'uuid_partition_maintain(''shop.orders'', ''1 month'', 0, ''1 year'', dry_run => true)'
\set maintain 'SELECT problem FROM ' :call ' WHERE problem IS NOT NULL LIMIT 1'
\set create 'SELECT uuid_partition_create(''shop.orders'', ''2020-03-01 00:00+00'', ''2020-04-01 00:00+00'', ''1 month'')'
SELECT pg_temp.is_refused('
	CREATE TABLE shop.orders_rest PARTITION OF shop.orders DEFAULT;
	ALTER TABLE shop.orders_rest ADD CHECK (bobs.always(1)); '
	|| 'ALTER TABLE shop.orders_rest OWNER TO partition_bob',
	:'create',
	:'maintain',
	'a month that is made beside his default partition');
ROLLBACK TO ready;
SELECT pg_temp.is_refused('CREATE TABLE shop.orders_rest PARTITION OF shop.orders DEFAULT PARTITION BY HASH (id); '
	|| 'ALTER TABLE shop.orders_rest OWNER TO partition_alice; '
	|| 'CREATE TABLE shop.part_of_rest PARTITION OF shop.orders_rest FOR VALUES WITH (MODULUS 1, REMAINDER 0); '
	|| 'ALTER TABLE shop.part_of_rest ADD CHECK (bobs.always(1)), OWNER TO partition_bob',
	:'create',
	:'maintain',
	'one that is made beside a default partition with a part of his');
ROLLBACK TO ready;
SELECT pg_temp.is_refused('
	CREATE TABLE shop.refunds (id uuid, n int, FOREIGN KEY (id, n) REFERENCES shop.orders);
	ALTER TABLE shop.refunds OWNER TO partition_alice; '
	|| 'CREATE INDEX ON shop.orders_2020_01 (n) WHERE bobs.always(1); ALTER TABLE shop.orders_2020_01 OWNER TO partition_bob; '
	|| 'GRANT SELECT ON shop.orders_2020_01 TO partition_alice',
	'
		SELECT problem
		FROM uuid_partition_maintain(''shop.orders'', ''1 month'', 0, ''1 year'', detach_only => true)
		WHERE problem IS NOT NULL',
	'
		SELECT problem
		FROM uuid_partition_maintain(
			''shop.orders'', ''1 month'', 0, ''1 year'', detach_only => true, dry_run => true)
		WHERE problem IS NOT NULL',
	'his month of a table to which a key refers, which is detached,');
SELECT is(count(*), 1::bigint, 'uuid_partition_check() names such a month')
FROM uuid_partition_check('shop.orders', '0')
WHERE message ~ 'reads table shop.orders and shop.orders_2020_01 of role partition_bob';
ROLLBACK TO ready;
SELECT pg_temp.is_refused('
	CREATE TABLE shop.items_2019_12 PARTITION OF shop.items
	FOR VALUES FROM (uuid_boundary(''2019-12-01 00:00+00'')) TO (uuid_boundary(''2020-01-01 00:00+00'')); '
	|| '
		CREATE TABLE shop.orders_2019_12 PARTITION OF shop.orders
		FOR VALUES FROM (uuid_boundary(''2019-12-01 00:00+00'')) TO (uuid_boundary(''2020-01-01 00:00+00'')); '
	|| 'ALTER TABLE shop.items_2019_12 ADD FOREIGN KEY (order_id, n) REFERENCES shop.orders_2019_12; '
	|| 'ALTER TABLE shop.items_2019_12 OWNER TO partition_alice; ALTER TABLE shop.orders_2019_12 OWNER TO partition_alice; '
	|| 'CREATE INDEX ON shop.orders_2020_01 (n) WHERE bobs.always(1); ALTER TABLE shop.orders_2020_01 OWNER TO partition_bob; '
	|| 'GRANT REFERENCES, SELECT ON shop.orders_2020_01 TO partition_alice',
	'SELECT problem FROM uuid_partition_follow(''shop.items'', ''shop.orders'') WHERE problem IS NOT NULL',
	'SELECT problem FROM uuid_partition_follow(''shop.items'', ''shop.orders'', dry_run => true) WHERE problem IS NOT NULL',
	'a follower''s month that would refer to his');

SELECT * FROM finish();
ROLLBACK;
