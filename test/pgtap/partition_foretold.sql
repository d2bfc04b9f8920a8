-- A dry run tells of each thing that is in the way of the real run, with the same
-- SQLSTATE, and of nothing else.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SET check_function_bodies = off;
SELECT plan(CASE :share WHEN 1 THEN 97 ELSE 73 END);

CREATE ROLE partition_owner;
CREATE ROLE partition_other;
CREATE ROLE partition_reader;
CREATE SCHEMA shop;
SET search_path = shop, public;

CREATE FUNCTION pg_temp.new_shop() RETURNS void LANGUAGE plpgsql AS $$
-- Orders of three old months and the present, made by DDL, which takes less
-- time than uuid_partition_create(); customers of all.
DECLARE
	month timestamptz;
BEGIN
	DROP SCHEMA shop CASCADE;
	CREATE SCHEMA shop AUTHORIZATION partition_owner;
	GRANT USAGE, CREATE ON SCHEMA shop TO partition_other;
	SET LOCAL ROLE partition_owner;
	CREATE TABLE shop.customers (id int PRIMARY KEY);
	CREATE TABLE shop.orders (id uuid PRIMARY KEY, customer int REFERENCES shop.customers, note text) PARTITION BY RANGE (id);
	FOREACH month IN ARRAY ARRAY['2020-01-01 00:00+00', '2020-02-01 00:00+00', '2020-03-01 00:00+00',
		date_trunc('month', now(), 'UTC')] LOOP
		EXECUTE format('CREATE TABLE shop.%I PARTITION OF shop.orders FOR VALUES FROM (%L) TO (%L)',
			to_char(month AT TIME ZONE 'UTC', '"orders_"YYYY_MM'), uuid_boundary(month), uuid_boundary(month + interval '1 month'));
	END LOOP;
	RESET ROLE;
END $$;
SELECT to_char(date_trunc('month', now(), 'UTC') + interval '1 month', '"orders_"YYYY_MM') AS next_month \gset

CREATE FUNCTION pg_temp.said(call text, dry_run bool) RETURNS text LANGUAGE plpgsql AS $$
-- What a call of the owner's says of each partition: done, or the SQLSTATE.
DECLARE
	said text;
BEGIN
	SET LOCAL ROLE partition_owner;
	said := pg_temp.outcome(format(
		$query$SELECT string_agg(partition || ' ' || coalesce(left(problem, 5), 'done'), ', ' ORDER BY partition) FROM %s$query$,
		replace(call, 'DRY', dry_run::text)), undo => true);
	RESET ROLE;
	RETURN coalesce(nullif(said, '()'), 'nothing');
END $$;

CREATE FUNCTION pg_temp.are_foretold(what text, setting text, calls text[], undo text DEFAULT NULL)
RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
	call text;
	really text;
BEGIN
	PERFORM pg_temp.new_shop();
	SET LOCAL ROLE partition_owner;
	EXECUTE setting;
	RESET ROLE;
	FOREACH call IN ARRAY calls LOOP
		really := pg_temp.said(call, false);
		IF really = 'nothing' THEN
			RAISE EXCEPTION '% has nothing to do', call;
		END IF;
		IF what ~ '^nothing' THEN
			really := regexp_replace(really, ' [0-9A-Z]{5}(,|$)', ' done\1', 'g');
		END IF;
		RETURN NEXT is(pg_temp.said(call, true), really, format('a dry run foretells %s%s', what,
			CASE WHEN call ~ 'detach_only' THEN ', where partitions are only detached' ELSE '' END));
	END LOOP;
	EXECUTE coalesce(undo, 'SELECT');
END $$;

\set maintain 'uuid_partition_maintain(''shop.orders'', ''1 month'', 0, ''1 year'', '
\set drop '{"' :maintain 'dry_run => DRY)", "' :maintain 'detach_only => true, dry_run => DRY)"}'
\set make '{"uuid_partition_maintain(''shop.orders'', ''1 month'', 1, dry_run => DRY)"}'

-- In the way of old months: what depends on one of them, for each of three months another.
SELECT pg_temp.are_foretold(
	string_agg(what, ', ' ORDER BY n),
	string_agg(
		replace(setting, 'MONTH', '2020_0' || n % 3 + 1) || '; RESET ROLE; SET ROLE partition_owner', '; '
		ORDER BY n), :'drop')
FROM (SELECT *, row_number() OVER () - 1 AS n FROM (VALUES
	('a view', 'CREATE VIEW shop.of_MONTH AS SELECT * FROM shop.orders_MONTH'),
	('a view of the whole row', 'CREATE VIEW shop.of_MONTH AS SELECT o FROM shop.orders_MONTH o'),
	('a materialized view', 'CREATE MATERIALIZED VIEW shop.of_MONTH AS SELECT * FROM shop.orders_MONTH'),
	('a function in SQL', 'CREATE FUNCTION shop.of_MONTH() RETURNS bigint BEGIN ATOMIC SELECT count(*) FROM shop.orders_MONTH; END'),
	('a function that takes a row', 'CREATE FUNCTION shop.of_MONTH(shop.orders_MONTH) RETURNS int LANGUAGE sql AS ''SELECT 1'''),
	('a function that returns a row', 'CREATE FUNCTION shop.of_MONTH() RETURNS shop.orders_MONTH LANGUAGE plpgsql AS ''BEGIN END'''),
	('a policy of another table', 'CREATE POLICY known_MONTH ON shop.customers USING (EXISTS (SELECT FROM shop.orders_MONTH))'),
	('a column of the row''s type', 'CREATE TABLE shop.kept_MONTH (month shop.orders_MONTH)'),
	('a column of an array of the type', 'CREATE TABLE shop.kept_MONTH (month shop.orders_MONTH[])'),
	('a domain of the type', 'CREATE DOMAIN shop.kept_MONTH AS shop.orders_MONTH'),
	('a rule of another table',
		'
			CREATE RULE kept_MONTH AS ON INSERT TO shop.customers
			DO INSERT INTO shop.orders_MONTH VALUES (gen_uuidv7(), NEW.id)'),
	('a trigger''s condition on another table',
		'CREATE FUNCTION shop.is_known_MONTH(shop.orders_MONTH) RETURNS bool LANGUAGE sql AS ''SELECT true''; '
		'
			CREATE TRIGGER kept_MONTH BEFORE UPDATE ON shop.customers
			FOR EACH ROW
			WHEN (shop.is_known_MONTH(NULL))
			EXECUTE FUNCTION suppress_redundant_updates_trigger()'),
	('a default of another table',
		'
			CREATE FUNCTION shop.latest_MONTH() RETURNS uuid BEGIN ATOMIC
				SELECT max(id::text)::uuid FROM shop.orders_MONTH;
			END; '
		'CREATE TABLE shop.kept_MONTH (id uuid DEFAULT shop.latest_MONTH())'),
	('an inheriting foreign key of another table', 'CREATE TABLE shop.kept_MONTH (id uuid REFERENCES shop.orders_MONTH)'),
	('a default that uses a sequence of the partition', 'CREATE SEQUENCE shop.numbers_MONTH OWNED BY shop.orders_MONTH.customer; '
		'ALTER TABLE shop.orders ALTER customer SET DEFAULT nextval(''shop.numbers_MONTH'')'),
	('another owner''s partition', 'RESET ROLE; ALTER TABLE shop.orders_MONTH OWNER TO partition_other'),
	('a publication of the partition', 'RESET ROLE; CREATE PUBLICATION kept_MONTH FOR TABLE shop.orders_MONTH')
) AS obstacles(what, setting)) AS numbered
WHERE n / 3 % :share = 0
GROUP BY n / 3;

SELECT pg_temp.are_foretold('an extension that has the partition',
	'RESET ROLE; ALTER EXTENSION uidext ADD TABLE shop.orders_2020_01', :'drop',
	'ALTER EXTENSION uidext DROP TABLE shop.orders_2020_01');

-- What the SQL edition does with schemas, rights and foreign keys is its own.
SELECT pg_temp.are_foretold(what, setting, :'drop')
FROM (VALUES
	('a schema of the partition that the owner may not use',
		'RESET ROLE; CREATE SCHEMA archive; ALTER TABLE shop.orders_2020_01 SET SCHEMA archive; '
		'DROP SCHEMA IF EXISTS old_archive CASCADE; ALTER SCHEMA archive RENAME TO old_archive'),
	('rows of a table of which the owner may read one column of the key', 'ALTER TABLE shop.orders ADD UNIQUE (id, customer); '
		'CREATE TABLE shop.kept (id uuid, customer int, FOREIGN KEY (id, customer) REFERENCES shop.orders (id, customer)); '
		'RESET ROLE; ALTER TABLE shop.kept OWNER TO partition_other; GRANT SELECT (id) ON shop.kept TO partition_owner'),
	('rows that refer to it', 'CREATE TABLE shop.kept (id uuid REFERENCES shop.orders); '
		'INSERT INTO shop.orders VALUES (uuid_boundary(''2020-01-05 00:00+00'')); INSERT INTO shop.kept SELECT id FROM shop.orders')
) AS obstacles(what, setting);

SELECT pg_temp.are_foretold('what depends on a partition of a partition', 'DROP TABLE shop.orders_2020_01; '
	|| format('CREATE TABLE shop.orders_2020_01 PARTITION OF shop.orders FOR VALUES FROM (%L) TO (%L) PARTITION BY HASH (id)',
		uuid_boundary('2020-01-01 00:00+00'), uuid_boundary('2020-02-01 00:00+00'))
	|| '; CREATE TABLE shop.orders_2020_01_a PARTITION OF shop.orders_2020_01 FOR VALUES WITH (MODULUS 1, REMAINDER 0); '
	|| 'CREATE TABLE shop.kept (january shop.orders_2020_01_a)', :'drop');

-- The SQL edition goes by names, and refuses that of a table in a schema of others.
SELECT pg_temp.are_foretold('a table that refers to it in another owner''s schema',
	'
		RESET ROLE;
		CREATE SCHEMA crm AUTHORIZATION partition_other;
		GRANT USAGE, CREATE ON SCHEMA crm TO partition_owner;
		SET ROLE partition_owner; '
	'CREATE TABLE crm.kept (id uuid REFERENCES shop.orders)', :'drop', 'DROP SCHEMA crm CASCADE');

-- In the way of new ones: names that are taken, of each month another kind.
SELECT pg_temp.are_foretold(string_agg(what, ', ' ORDER BY n),
	string_agg(
		replace(setting, 'NEXT',
			to_char(date_trunc('month', now(), 'UTC') + n * interval '1 month', '"orders_"YYYY_MM')), '; '
		ORDER BY n),
	'{"uuid_partition_maintain(''shop.orders'', ''1 month'', 6, dry_run => DRY)"}')
FROM (VALUES
	(1, 'an enum of the name', 'CREATE TYPE shop.NEXT AS ENUM (''a'')'),
	(2, 'a composite type of the name', 'CREATE TYPE shop.NEXT AS (a int)'),
	(3, 'a domain of the name', 'CREATE DOMAIN shop.NEXT AS int'),
	(4, 'a sequence of the name', 'CREATE SEQUENCE shop.NEXT'),
	(5, 'an index of the name', 'CREATE INDEX NEXT ON shop.customers (id)')
) AS obstacles(n, what, setting);

-- Others.
\set function 'CREATE FUNCTION shop.told() RETURNS trigger LANGUAGE plpgsql AS ''BEGIN RETURN NEW; END'''
\set trigger 'CREATE TRIGGER told BEFORE INSERT ON shop.orders FOR EACH ROW EXECUTE FUNCTION shop.told()'
\set with_trigger :function '; ' :trigger
SELECT pg_temp.are_foretold(what, setting, :'make', undo)
FROM (SELECT *, row_number() OVER () AS n FROM (VALUES
	('a schema in which the owner may not create',
		'RESET ROLE; ALTER SCHEMA shop OWNER TO CURRENT_USER; GRANT USAGE ON SCHEMA shop TO partition_owner',
		NULL),
	('a referenced table without REFERENCES',
		'RESET ROLE; ALTER TABLE shop.customers OWNER TO partition_other; REVOKE ALL ON shop.customers FROM partition_owner', NULL),
	('a default partition with rows', 'CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT; '
		|| 'INSERT INTO shop.orders VALUES (gen_uuidv7_at(date_trunc(''month'', now(), ''UTC'') + interval ''40 days''))', NULL),
	('a default partition that the owner may not read, with rows', 'CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT; '
		|| '
			INSERT INTO shop.orders
			VALUES (gen_uuidv7_at(date_trunc(''month'', now(), ''UTC'') + interval ''40 days''));
			REVOKE SELECT ON shop.rest FROM partition_owner', NULL),
	('an empty default partition that the owner may not read', 'CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT; '
		|| 'REVOKE SELECT ON shop.rest FROM partition_owner', NULL),
	('an empty default partition of another owner',
		'CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT; RESET ROLE; ALTER TABLE shop.rest OWNER TO partition_other', NULL),
	('a newest partition that the owner may not read',
		format('REVOKE SELECT ON shop.%s FROM partition_owner', to_char(now() AT TIME ZONE 'UTC', '"orders_"YYYY_MM')), NULL),
	('a newest partition in a schema that the owner may not use',
		format('
			RESET ROLE;
			CREATE SCHEMA archive;
			ALTER TABLE shop.%s SET SCHEMA archive;
			GRANT CREATE ON SCHEMA archive TO partition_owner',
		to_char(now() AT TIME ZONE 'UTC', '"orders_"YYYY_MM')), 'DROP SCHEMA archive CASCADE'),
	('a type of a column that the owner may not use',
		'CREATE TYPE shop.state AS ENUM (''new''); ALTER TABLE shop.orders ADD state shop.state; RESET ROLE; '
		|| 'ALTER TYPE shop.state OWNER TO partition_other; REVOKE USAGE ON TYPE shop.state FROM PUBLIC', NULL),
	('an array of such a type',
		'CREATE TYPE shop.state AS ENUM (''new''); ALTER TABLE shop.orders ADD states shop.state[]; RESET ROLE; '
		|| 'ALTER TYPE shop.state OWNER TO partition_other; REVOKE USAGE ON TYPE shop.state FROM PUBLIC', NULL),
	('a trigger whose function the owner may not execute',
		:'with_trigger' || '; RESET ROLE; ALTER FUNCTION shop.told() OWNER TO partition_other; '
			|| 'REVOKE EXECUTE ON FUNCTION shop.told() FROM PUBLIC', NULL),
	('a trigger where the owner may not make triggers',
		:'with_trigger'
			|| format('; REVOKE TRIGGER ON shop.%s FROM partition_owner',
				to_char(now() AT TIME ZONE 'UTC', '"orders_"YYYY_MM')), NULL),
	('nothing where the trigger is disabled', :'with_trigger' || '; ALTER TABLE shop.orders DISABLE TRIGGER told', NULL),
	('an index whose condition the owner may not execute',
		'
			CREATE FUNCTION shop.is_new(uuid)
			RETURNS bool
			LANGUAGE plpgsql IMMUTABLE AS ''BEGIN RETURN true; END'';
			CREATE INDEX ON shop.orders (customer) WHERE shop.is_new(id); '
		|| '
			RESET ROLE;
			ALTER FUNCTION shop.is_new(uuid) OWNER TO partition_other;
			REVOKE EXECUTE ON FUNCTION shop.is_new(uuid) FROM PUBLIC', NULL),
	('an index of what the owner may not execute',
		'
			CREATE FUNCTION shop.is_new(uuid)
			RETURNS bool
			LANGUAGE plpgsql IMMUTABLE AS ''BEGIN RETURN true; END'';
			CREATE INDEX ON shop.orders (customer, shop.is_new(id)); '
		|| '
			RESET ROLE;
			ALTER FUNCTION shop.is_new(uuid) OWNER TO partition_other;
			REVOKE EXECUTE ON FUNCTION shop.is_new(uuid) FROM PUBLIC', NULL),
	('a check and a default of what the owner may not execute',
		'
			CREATE FUNCTION shop.is_new(uuid)
			RETURNS bool
			LANGUAGE plpgsql IMMUTABLE AS ''BEGIN RETURN true; END'';
			ALTER TABLE shop.orders ADD CHECK (shop.is_new(id)), ADD fresh bool DEFAULT shop.is_new(NULL); '
		|| '
			RESET ROLE;
			ALTER FUNCTION shop.is_new(uuid) OWNER TO partition_other;
			REVOKE EXECUTE ON FUNCTION shop.is_new(uuid) FROM PUBLIC', NULL),
	('a default partition in a schema that the owner may not use',
		'
			CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT;
			RESET ROLE;
			CREATE SCHEMA archive;
			ALTER TABLE shop.rest SET SCHEMA archive', 'DROP SCHEMA archive CASCADE'),
	('a table to which the partitioned one refers, in a schema that the owner may not use',
		'RESET ROLE; CREATE SCHEMA crm; ALTER TABLE shop.customers SET SCHEMA crm', 'DROP SCHEMA crm CASCADE'),
	('a check of the whole row',
		format('ALTER TABLE shop.%1$s ADD CHECK (%1$s.* IS DISTINCT FROM NULL)',
			to_char(now() AT TIME ZONE 'UTC', '"orders_"YYYY_MM')), NULL),
	('an index of the whole row of the newest partition',
		format('CREATE INDEX ON shop.%1$s ((%1$s.* IS NULL))',
			to_char(now() AT TIME ZONE 'UTC', '"orders_"YYYY_MM')), NULL),
	('a domain of the key that refuses boundary values',
		'DROP TABLE shop.orders; CREATE DOMAIN shop.v7 AS uuid CHECK (VALUE::text ~ ''^.{14}7''); '
		|| 'CREATE TABLE shop.orders (id shop.v7 PRIMARY KEY) PARTITION BY RANGE (id); '
		|| '
			CREATE TABLE shop.orders_first PARTITION OF shop.orders
			FOR VALUES FROM (''01000000-0000-7000-8000-000000000000'') TO (''01100000-0000-7000-8000-000000000000'')',
		NULL),
	('nothing where the domain of the key takes them',
		'DROP TABLE shop.orders; CREATE DOMAIN shop.v7 AS uuid CHECK (VALUE::text ~ ''^.{14}[07]''); '
		|| 'CREATE TABLE shop.orders (id shop.v7 PRIMARY KEY) PARTITION BY RANGE (id)', NULL),
	('a newest partition of another owner',
		format('RESET ROLE; ALTER TABLE shop.%s OWNER TO partition_other', to_char(now() AT TIME ZONE 'UTC', '"orders_"YYYY_MM')), NULL)
) AS obstacles(what, setting, undo)) AS numbered
WHERE n % :share = 0 OR what ~ 'schema|default partition|whole row|domain';

-- In the way of a follower's.
SELECT pg_temp.are_foretold(what, 'CREATE TABLE shop.items (order_id uuid, n int) PARTITION BY RANGE (order_id); ' || setting,
	'{"uuid_partition_follow(''shop.items'', ''shop.orders'', dry_run => DRY)"}')
FROM (SELECT *, row_number() OVER () AS n FROM (VALUES
	('nothing where a follower is to be made', 'SELECT'),
	('a month to which the owner may not let others refer',
		'REVOKE REFERENCES ON shop.orders, shop.orders_2020_02 FROM partition_owner'),
	('a month of whose key no column may be referred to',
		'
			ALTER TABLE shop.orders ADD n int;
			REVOKE REFERENCES ON shop.orders_2020_02 FROM partition_owner;
			GRANT REFERENCES (n) ON shop.orders_2020_02 TO partition_owner'),
	('nothing where the column of the key may be referred to, and no other',
		'
			REVOKE REFERENCES ON shop.orders_2020_02 FROM partition_owner;
			GRANT REFERENCES (id) ON shop.orders_2020_02 TO partition_owner'),
	('a view of the name of a follower''s month', 'CREATE VIEW shop.items_2020_02 AS SELECT'),
	('a type of the name of a follower''s month', 'CREATE TYPE shop.items_2020_02 AS ENUM (''a'')')
) AS obstacles(what, setting)) AS numbered
WHERE n % :share = 0;

SELECT pg_temp.are_foretold(what,
	'CREATE TABLE shop.items (order_id uuid, n int) PARTITION BY RANGE (order_id); RESET ROLE; ' || setting,
	'{"uuid_partition_follow(''shop.items'', ''shop.orders'', dry_run => DRY)"}', 'DROP SCHEMA archive CASCADE')
FROM (VALUES
	('a month in a schema that the owner may not use', 'CREATE SCHEMA archive; ALTER TABLE shop.orders_2020_02 SET SCHEMA archive'),
	('a month in another owner''s schema', 'CREATE SCHEMA archive AUTHORIZATION partition_other; '
		'GRANT USAGE ON SCHEMA archive TO partition_owner; ALTER TABLE shop.orders_2020_02 SET SCHEMA archive')
) AS obstacles(what, setting);

-- With a template.
SELECT pg_temp.are_foretold('a newest partition in a schema that the owner may not use, beside a template',
	'CREATE TABLE shop.like_this (LIKE shop.orders INCLUDING ALL); '
	|| format('
		RESET ROLE;
		CREATE SCHEMA archive;
		ALTER TABLE shop.%s SET SCHEMA archive;
		GRANT CREATE ON SCHEMA archive TO partition_owner',
		to_char(now() AT TIME ZONE 'UTC', '"orders_"YYYY_MM')),
	'{"uuid_partition_maintain(''shop.orders'', ''1 month'', 1, template => ''shop.like_this'', dry_run => DRY)"}',
	'DROP SCHEMA archive CASCADE');

SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM') AS month \gset
-- The key of a pair refers to what not all months have, nor a template.
SELECT pg_temp.are_foretold('a key of the leader that is DEFERRABLE',
	'
		ALTER TABLE shop.orders DROP CONSTRAINT orders_pkey, ADD PRIMARY KEY (id) DEFERRABLE;
		CREATE TABLE shop.items (order_id uuid, n int) PARTITION BY RANGE (order_id)',
	'{"uuid_partition_follow(''shop.items'', ''shop.orders'', dry_run => DRY)"}');
\set by_template 'uuid_partition_maintain(''shop.orders'', ''1 month'', 1, template => ''shop.like_this'', '
\set by_template :by_template 'followers => ''{shop.items}'', dry_run => DRY)'
-- Items of the newest month, whose key has a column more, of a type, which a unique key of that month serves.
CREATE FUNCTION pg_temp.newest_items(month text, customer text, unique_key text) RETURNS text LANGUAGE sql AS $$
SELECT format('
	CREATE TABLE shop.items (order_id uuid, customer %4$s) PARTITION BY RANGE (order_id);
	CREATE TABLE shop.items_%1$s PARTITION OF shop.items FOR VALUES FROM (%2$L) TO (%3$L);
	%5$s;
	ALTER TABLE shop.items_%1$s ADD FOREIGN KEY (customer, order_id) REFERENCES shop.orders_%1$s (customer, id);',
	month, uuid_boundary(date_trunc('month', now(), 'UTC')), uuid_boundary(date_trunc('month', now(), 'UTC') + interval '1 month'),
	customer, replace(unique_key, 'MONTH', month))
$$;
SELECT pg_temp.are_foretold(what, pg_temp.newest_items(:'month', 'int', 'ALTER TABLE shop.orders_MONTH ADD UNIQUE (id, customer)')
	|| replace(setting, 'MONTH', :'month'), ARRAY[call])
FROM (VALUES
	('months without the unique columns of the newest pair''s key', 'CREATE UNIQUE INDEX ON shop.orders_2020_01 (customer, id)',
		'uuid_partition_follow(''shop.items'', ''shop.orders'', dry_run => DRY)'),
	('months where such an index is of fewer rows, of other columns, or of a constraint that is DEFERRABLE',
		'
			CREATE UNIQUE INDEX ON shop.orders_2020_01 (id, customer) WHERE customer > 0;
			CREATE UNIQUE INDEX ON shop.orders_2020_02 (id, customer, note); '
		'ALTER TABLE shop.orders_2020_03 ADD UNIQUE (id, customer) DEFERRABLE',
		'uuid_partition_follow(''shop.items'', ''shop.orders'', dry_run => DRY)'),
	('a template without them', 'CREATE TABLE shop.like_this (LIKE shop.orders INCLUDING ALL)',
		:'by_template'),
	('which months lack them where the template has them', 'CREATE TABLE shop.like_this (LIKE shop.orders_MONTH INCLUDING ALL)',
		:'by_template'),
	('that the newest month has them', 'SELECT',
		'uuid_partition_maintain(''shop.orders'', ''1 month'', 1, followers => ''{shop.items}'', dry_run => DRY)'),
	('that the whole table has them',
		'ALTER TABLE shop.orders ADD UNIQUE (id, customer); CREATE TABLE shop.like_this (LIKE shop.orders)',
		:'by_template')
) AS obstacles(what, setting, call);
-- A type of the leader's column can be compared with that of the follower's by one operator class, and not by another one.
SELECT pg_temp.are_foretold(what,
	pg_temp.newest_items(:'month', 'oid', 'CREATE UNIQUE INDEX ON shop.orders_MONTH (id, customer oid_ops)')
	|| replace(setting, 'MONTH', :'month'), ARRAY[call])
FROM (VALUES
	('months whose unique index, or the first of two, has an operator class that cannot compare the columns',
		'
			CREATE UNIQUE INDEX ON shop.orders_2020_01 (id, customer);
			CREATE UNIQUE INDEX ON shop.orders_2020_02 (customer oid_ops, id);
			CREATE UNIQUE INDEX ON shop.orders_2020_03 (id, customer);
			CREATE UNIQUE INDEX ON shop.orders_2020_03 (id, customer oid_ops)',
		'uuid_partition_follow(''shop.items'', ''shop.orders'', dry_run => DRY)'),
	('a template with such an index', 'CREATE TABLE shop.like_this (LIKE shop.orders INCLUDING ALL, UNIQUE (id, customer))',
		:'by_template'),
	('that the newest month has one that can',
		'ALTER TABLE shop.orders_MONTH ADD UNIQUE (id, customer)',
		'uuid_partition_maintain(''shop.orders'', ''1 month'', 1, followers => ''{shop.items}'', dry_run => DRY)')
) AS obstacles(what, setting, call);
SELECT pg_temp.are_foretold('a month of the leader that is unlogged',
	'ALTER TABLE shop.orders_2020_02 SET UNLOGGED; CREATE TABLE shop.items (order_id uuid, n int) PARTITION BY RANGE (order_id)',
	'{"uuid_partition_follow(''shop.items'', ''shop.orders'', dry_run => DRY)"}');
-- A month that refers to itself by such a key.
SELECT pg_temp.are_foretold('a template without what months refer to in themselves',
	format('
		ALTER TABLE shop.orders_%1$s ADD UNIQUE (customer, id),
			ADD FOREIGN KEY (customer, id) REFERENCES shop.orders_%1$s (customer, id); '
		'CREATE TABLE shop.like_this (LIKE shop.orders INCLUDING ALL)', :'month'),
	'{"uuid_partition_maintain(''shop.orders'', ''1 month'', 1, template => ''shop.like_this'', dry_run => DRY)"}');

-- A follower whose newest partition refers to those of two tables.
SELECT pg_temp.are_foretold(what, format('CREATE TABLE shop.parcels (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE shop.items (order_id uuid, n int) PARTITION BY RANGE (order_id);
	CREATE TABLE shop.parcels_%1$s PARTITION OF shop.parcels FOR VALUES FROM (%2$L) TO (%3$L);
	CREATE TABLE shop.items_%1$s PARTITION OF shop.items FOR VALUES FROM (%2$L) TO (%3$L);
	ALTER TABLE shop.items_%1$s ADD FOREIGN KEY (order_id) REFERENCES shop.parcels_%1$s,
		ADD FOREIGN KEY (order_id) REFERENCES shop.orders_%1$s;',
	:'month',
	uuid_boundary(date_trunc('month', now(), 'UTC')),
	uuid_boundary(date_trunc('month', now(), 'UTC') + interval '1 month')) || setting,
	calls)
FROM (SELECT *, row_number() OVER () AS n FROM (VALUES
	('another table that lacks months of the leader', 'SELECT',
		'{"uuid_partition_follow(''shop.items'', ''shop.orders'', dry_run => DRY)"}'::text[]),
	('another table that has the months of the leader',
		'SELECT uuid_partition_create(''shop.parcels'', ''2020-01-01 00:00+00'', ''2020-04-01 00:00+00'', ''1 month'')',
		'{"uuid_partition_follow(''shop.items'', ''shop.orders'', dry_run => DRY)"}'),
	('a month of another table to which the owner may not let others refer',
		'SELECT uuid_partition_create(''shop.parcels'', ''2020-01-01 00:00+00'', ''2020-04-01 00:00+00'', ''1 month''); '
		|| 'REVOKE REFERENCES ON shop.parcels_2020_02 FROM partition_owner',
		'{"uuid_partition_follow(''shop.items'', ''shop.orders'', dry_run => DRY)"}'),
	('another table that gets its month in the same call', 'SELECT',
		'{"uuid_partition_maintain(''shop.orders'', ''1 month'', 1, followers => ''{shop.parcels,shop.items}'', dry_run => DRY)"}'),
	('another table that cannot get its month in the same call',
		format('CREATE VIEW shop.%s AS SELECT', replace(:'next_month', 'orders', 'parcels')),
		'{"uuid_partition_maintain(''shop.orders'', ''1 month'', 1, followers => ''{shop.parcels,shop.items}'', dry_run => DRY)"}')
) AS obstacles(what, setting, calls)) AS numbered
WHERE n % :share = 0;

-- Beside an old month.
SELECT pg_temp.are_foretold('another owner''s empty partition of a follower that is longer than a month',
	'CREATE TABLE shop.items (order_id uuid, n int) PARTITION BY RANGE (order_id); '
	'
		CREATE TABLE shop.items_2020 PARTITION OF shop.items
		FOR VALUES FROM (uuid_boundary(''2020-01-01 00:00+00'')) TO (uuid_boundary(''2021-01-01 00:00+00'')); '
	'RESET ROLE; ALTER TABLE shop.items_2020 OWNER TO partition_other',
	'{"uuid_partition_maintain(''shop.orders'', ''1 month'', 0, ''1 year'', followers => ''{shop.items}'', dry_run => DRY)"}');
SELECT pg_temp.are_foretold('rows of a divided month that refer to one another', 'DROP TABLE shop.orders_2020_01; '
	|| format('CREATE TABLE shop.orders_2020_01 PARTITION OF shop.orders FOR VALUES FROM (%L) TO (%L) PARTITION BY HASH (id)',
		uuid_boundary('2020-01-01 00:00+00'), uuid_boundary('2020-02-01 00:00+00'))
	|| '; CREATE TABLE shop.orders_2020_01_a PARTITION OF shop.orders_2020_01 FOR VALUES WITH (MODULUS 1, REMAINDER 0); '
	|| '
		ALTER TABLE shop.orders_2020_01 ADD FOREIGN KEY (id) REFERENCES shop.orders_2020_01;
		INSERT INTO shop.orders VALUES (uuid_boundary(''2020-01-05 00:00+00''))',
	:'drop');
SELECT pg_temp.are_foretold('rows of a divided follower, where its month shall only be detached',
	'CREATE TABLE shop.items (order_id uuid, n int) PARTITION BY RANGE (order_id); '
	'
		CREATE TABLE shop.items_2020_01 PARTITION OF shop.items
		FOR VALUES FROM (uuid_boundary(''2020-01-01 00:00+00'')) TO (uuid_boundary(''2020-02-01 00:00+00''))
		PARTITION BY LIST (n); '
	'
		CREATE TABLE shop.items_2020_01_all PARTITION OF shop.items_2020_01 DEFAULT;
		ALTER TABLE shop.items_2020_01 ADD FOREIGN KEY (order_id) REFERENCES shop.orders_2020_01; '
	'INSERT INTO shop.orders VALUES (uuid_boundary(''2020-01-05 00:00+00'')); INSERT INTO shop.items SELECT id, 1 FROM shop.orders',
	ARRAY[:'maintain' || 'detach_only => true, followers => ''{shop.items}'', dry_run => DRY)',
		:'maintain' || 'followers => ''{shop.items}'', dry_run => DRY)']);
-- In the way of a drain.
\set next 'uidext_internal.partition_drain_next(%L, ''1 month'', ''UTC'', NULL, NULL, 10, DRY, NULL, NULL)'
\set drain '(SELECT partition, CASE WHEN done IS NULL THEN ''not done'' END AS problem FROM ' :next ') drained'
SELECT pg_temp.are_foretold(
	'nothing where a published default partition has a primary key, and neither where inserts are not published',
	'
		CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT;
		INSERT INTO shop.orders VALUES (uuid_boundary(''2020-05-05 00:00+00'')); '
	'
		CREATE TABLE shop.notes (id uuid) PARTITION BY RANGE (id);
		CREATE TABLE shop.notes_rest PARTITION OF shop.notes DEFAULT;
		INSERT INTO shop.notes VALUES (uuid_boundary(''2020-05-05 00:00+00'')); '
	'
		RESET ROLE;
		CREATE PUBLICATION of_keyed FOR TABLE shop.orders;
		CREATE PUBLICATION of_notes FOR TABLE shop.notes WITH (publish = ''update'')',
	ARRAY(
		SELECT format(:'drain', t) FROM unnest('{shop.orders,shop.notes}'::text[]) t));
SELECT pg_temp.are_foretold('a published default partition without a replica identity',
	'
		DROP TABLE shop.orders;
		CREATE TABLE shop.orders (id uuid) PARTITION BY RANGE (id);
		CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT; '
	'
		INSERT INTO shop.orders VALUES (uuid_boundary(''2020-05-05 00:00+00''));
		RESET ROLE;
		CREATE PUBLICATION of_orders FOR TABLE shop.orders',
	ARRAY[format(:'drain', 'shop.orders')]);
SELECT pg_temp.are_foretold('that the default partition is published ' || how,
	'
		CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT;
		INSERT INTO shop.orders VALUES (uuid_boundary(''2020-05-05 00:00+00'')); '
	'RESET ROLE; CREATE PUBLICATION of_rest FOR TABLE shop.' || orders || ' WITH (publish_via_partition_root)',
	ARRAY[format(:'drain', 'shop.orders')],
	'DROP PUBLICATION of_rest')
FROM (VALUES ('with a filter that reads another column than the replica identity', 'orders WHERE (note IS NOT NULL)'),
	('without a column of the replica identity', 'orders (note)'),
	('with nothing else than the replica identity in list and filter',
		'orders (id) WHERE (id IS NOT NULL)')) AS published(how, orders);
SELECT pg_temp.new_shop();
CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT;
CREATE PUBLICATION of_rest FOR TABLE shop.orders WITH (publish = 'insert, update');
CREATE FUNCTION pg_temp.of_publication(new_schema text DEFAULT 'shop') RETURNS text LANGUAGE sql AS $$
SELECT coalesce(o.problem, 'nothing') FROM uidext_internal.partition_publication_obstacle('shop.rest', new_schema::regnamespace) o
$$;
SELECT is(pg_temp.of_publication(), '55000: publication "of_rest" publishes the INSERT of a row that moves, and not its DELETE',
	'a drain of which subscribers would get rows a second time is refused');
SET ROLE partition_owner;
SELECT matches((uidext_internal.partition_publication_obstacle('shop.rest', 'shop')).hint,
	format('^The publication belongs to role "%s"[.] .*: ALTER PUBLICATION of_rest SET [(]publish = ''insert, update, delete''[)]$', session_user),
	'and whoever may not alter the publication is told whose it is');
RESET ROLE;
ALTER PUBLICATION of_rest SET TABLE shop.rest;
SELECT is(pg_temp.of_publication(), 'nothing', 'that is not so where it has the default partition, and not the new one');
CREATE SCHEMA months;
ALTER PUBLICATION of_rest ADD TABLES IN SCHEMA months;
SELECT is(pg_temp.of_publication(), 'nothing', 'nor where it has a schema in which the new one is not');
SELECT is(pg_temp.of_publication('months'),
	'55000: publication "of_rest" publishes the INSERT of a row that moves, and not its DELETE',
	'but it is where the new one is in a schema that it publishes');
DROP PUBLICATION of_rest;
DROP SCHEMA months;

-- Since 18, PostgreSQL refuses a generated column in the replica identity that is not published.
SELECT pg_temp.are_foretold('what PostgreSQL does where the default partition has REPLICA IDENTITY FULL and is published ' || how,
	'
		ALTER TABLE shop.orders ADD n int, ADD twice int GENERATED ALWAYS AS (n * 2) STORED;
		CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT; '
	'ALTER TABLE shop.rest REPLICA IDENTITY FULL; INSERT INTO shop.orders VALUES (uuid_boundary(''2020-05-05 00:00+00'')); '
	'RESET ROLE; CREATE PUBLICATION of_rest ' || what,
	ARRAY[format(:'drain', 'shop.orders')],
	'DROP PUBLICATION of_rest')
FROM (VALUES ('with a generated column', 'FOR TABLE shop.orders'),
	('for UPDATE alone', 'FOR TABLE shop.orders WITH (publish = ''update'')'),
	('alone, with a list of all columns', 'FOR TABLE shop.rest (id, customer, note, n)'),
	('through the root with a list',
		'FOR TABLE shop.orders (id), shop.rest WITH (publish_via_partition_root)')) AS published(how, what)
UNION ALL
SELECT pg_temp.are_foretold('that the default partition has REPLICA IDENTITY FULL and is published alone, with a row filter',
	'
		CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT;
		ALTER TABLE shop.rest REPLICA IDENTITY FULL;
		INSERT INTO shop.orders VALUES (uuid_boundary(''2020-05-05 00:00+00'')); '
	'RESET ROLE; CREATE PUBLICATION of_rest FOR TABLE shop.rest WHERE (note IS NULL)',
	ARRAY[format(:'drain', 'shop.orders')],
	'DROP PUBLICATION of_rest');
SELECT pg_temp.are_foretold('row security that is forced on the owner of the newest partition',
	format('
		CREATE TABLE shop.rest PARTITION OF shop.orders DEFAULT;
		INSERT INTO shop.orders VALUES (uuid_boundary(''2020-05-05 00:00+00'')); '
		'ALTER TABLE shop.orders_%s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', :'month'),
	ARRAY[format(:'drain', 'shop.orders')]);

-- No obstacle: PostgreSQL checks a foreign key by the name of the whole table, not by those of its partitions.
RESET ROLE;
CREATE SCHEMA archive;
SET ROLE partition_owner;
CREATE TABLE shop.replies (id uuid PRIMARY KEY, reply_to uuid REFERENCES shop.replies) PARTITION BY RANGE (id);
SELECT uuid_partition_create('shop.replies', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month') \g /dev/null
RESET ROLE;
ALTER TABLE shop.replies_2020_01 SET SCHEMA archive;
SET ROLE partition_owner;
SELECT is((
		SELECT count(*)
		FROM uuid_partition_create('shop.replies', '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month')),
	1::bigint,
	'a partition of a referenced table may be in a schema that the owner may not use');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
