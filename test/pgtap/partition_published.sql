-- Which publications keep rows of a default partition from moving: those whose subscribers would lose track of a row.

BEGIN;
\ir include/settings.sql
SET client_min_messages = error;
SELECT plan(16);

CREATE SCHEMA shop;

CREATE FUNCTION pg_temp.obstacle(setting text) RETURNS text LANGUAGE plpgsql AS $$
-- Orders with a default partition, and what keeps its rows from moving where they are published so.
DECLARE
	problem text;
BEGIN
	CREATE TABLE shop.orders (id uuid PRIMARY KEY, customer int NOT NULL, note text) PARTITION BY RANGE (id);
	CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT;
	EXECUTE setting;
	problem := (uidext_internal.partition_publication_obstacle('shop.rest', 'shop')).problem;
	RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
	RETURN problem;
END $$;

\set unkeyed 'ALTER TABLE shop.orders DROP CONSTRAINT orders_pkey; '
\set no_identity '55000: rows cannot be moved out of table shop.rest, because it is published and has no replica identity'
\set listed '42P10: publication "p" lacks a column of the replica identity of table shop.rest'
SELECT is(pg_temp.obstacle(setting), problem, what)
FROM (VALUES
	('rows of a table with a primary key move, whatever publishes it',
		'CREATE PUBLICATION p FOR ALL TABLES; CREATE PUBLICATION q FOR TABLES IN SCHEMA shop', NULL),
	('a publication of all tables needs a replica identity', :'unkeyed' || 'CREATE PUBLICATION p FOR ALL TABLES', :'no_identity'),
	('so does one of the schema', :'unkeyed' || 'CREATE PUBLICATION p FOR TABLES IN SCHEMA shop', :'no_identity'),
	('one of another schema does not', :'unkeyed' || 'CREATE PUBLICATION p FOR TABLES IN SCHEMA public', NULL),
	('what is unlogged is not published',
		:'unkeyed' || 'ALTER TABLE shop.rest SET UNLOGGED; CREATE PUBLICATION p FOR ALL TABLES', NULL),
	('a key that is checked at the commit is no replica identity',
		:'unkeyed'
			|| '
				ALTER TABLE shop.orders ADD PRIMARY KEY (id) DEFERRABLE;
				CREATE PUBLICATION p FOR TABLE shop.orders', :'no_identity'),
	('the whole row is one',
		:'unkeyed' || 'ALTER TABLE shop.rest REPLICA IDENTITY FULL; CREATE PUBLICATION p FOR TABLE shop.orders',
		NULL),
	('but not beside a list of columns',
		'
			ALTER TABLE shop.rest REPLICA IDENTITY FULL;
			CREATE PUBLICATION p FOR TABLE shop.rest (id, customer, note)',
		'42P10: publication "p" has a list of columns, and table shop.rest REPLICA IDENTITY FULL'),
	('a filter may read the columns of the index that is the identity',
		'
			CREATE UNIQUE INDEX own ON shop.rest (customer);
			ALTER TABLE shop.rest REPLICA IDENTITY USING INDEX own;
			CREATE PUBLICATION p FOR TABLE shop.rest WHERE (customer > 0)', NULL),
	('and no other', 'CREATE UNIQUE INDEX own ON shop.rest (customer); ALTER TABLE shop.rest REPLICA IDENTITY USING INDEX own; '
		'CREATE PUBLICATION p FOR TABLE shop.rest WHERE (id IS NOT NULL)',
		'42P10: the row filter of publication "p" reads a column that is not in the replica identity of table shop.rest'),
	('of a table and its partition the list of the table counts where that publishes',
		'CREATE PUBLICATION p FOR TABLE shop.orders (note), shop.rest WITH (publish_via_partition_root)', :'listed'),
	('and that of the partition where it does itself', 'CREATE PUBLICATION p FOR TABLE shop.orders, shop.rest (note)', :'listed'),
	('a publication of INSERT alone would give subscribers a row twice',
		'CREATE PUBLICATION p FOR TABLE shop.orders WITH (publish = ''insert'')',
		'55000: publication "p" publishes the INSERT of a row that moves, and not its DELETE'),
	('but one of the default partition alone would not',
		'CREATE PUBLICATION p FOR TABLE shop.rest WITH (publish = ''insert'')', NULL),
	('nor would one of it and of another table',
		'
			CREATE TABLE shop.notes (id uuid) PARTITION BY RANGE (id);
			CREATE TABLE shop.notes_rest PARTITION OF shop.notes DEFAULT; '
		'CREATE PUBLICATION p FOR TABLE shop.rest, shop.notes WITH (publish = ''insert'')', NULL),
	('nor does one of UPDATE alone', 'CREATE PUBLICATION p FOR TABLE shop.orders WITH (publish = ''update'')', NULL)
) AS published(what, setting, problem);

SELECT * FROM finish();
ROLLBACK;
