-- Without a template a new partition is like the newest one, in all that people set
-- on a partition by itself.

BEGIN;
\ir include/settings.sql
SELECT plan(60);

CREATE ROLE partition_reader;
CREATE ROLE partition_writer;
CREATE ACCESS METHOD second_heap TYPE TABLE HANDLER heap_tableam_handler;

CREATE PROCEDURE pg_temp.make_orders() LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS orders;
	CREATE TABLE orders (id uuid PRIMARY KEY, customer int, total numeric, body text, parent uuid) PARTITION BY RANGE (id);
	-- takes less time than uuid_partition_create()
	CREATE TABLE orders_2020_01 PARTITION OF orders
		FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('2020-02-01 00:00+00'));
END $$;

CREATE FUNCTION pg_temp.value_of(query text, partition text) RETURNS text LANGUAGE plpgsql AS $$
-- What a query says of a partition, which it calls PARTITION.
DECLARE
	value text;
BEGIN
	EXECUTE replace(query, 'PARTITION', quote_literal(partition) || '::regclass') INTO value;
	RETURN replace(value, partition, 'PARTITION');
END $$;

CREATE FUNCTION pg_temp.are_handed_on(properties text[], settings text[], queries text[])
RETURNS SETOF text
LANGUAGE plpgsql AS $$
-- January gets properties that do not touch one another, and then February comes.
DECLARE
	plain text[];
	wanted text[];
BEGIN
	CALL pg_temp.make_orders();
	FOR i IN 1 .. cardinality(queries) LOOP
		plain[i] := pg_temp.value_of(queries[i], 'orders_2020_01');
	END LOOP;
	FOR i IN 1 .. cardinality(queries) LOOP
		EXECUTE replace(settings[i], 'PARTITION', 'orders_2020_01');
	END LOOP;
	FOR i IN 1 .. cardinality(queries) LOOP
		wanted[i] := pg_temp.value_of(queries[i], 'orders_2020_01');
		IF wanted[i] IS NOT DISTINCT FROM plain[i] THEN
			RAISE EXCEPTION '% changes nothing', settings[i];
		END IF;
	END LOOP;
	PERFORM uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month');
	FOR i IN 1 .. cardinality(queries) LOOP
		RETURN NEXT is(pg_temp.value_of(queries[i], 'orders_2020_02'), wanted[i],
			'a new partition has the newest one''s ' || properties[i]);
	END LOOP;
END $$;

-- Every sixth together: neighbours in the list are often about the same.
SELECT pg_temp.are_handed_on(array_agg(property ORDER BY n), array_agg(setting ORDER BY n), array_agg(query ORDER BY n))
FROM (SELECT *, row_number() OVER () AS n FROM (VALUES
	('replica identity FULL', 'ALTER TABLE PARTITION REPLICA IDENTITY FULL',
		'SELECT relreplident FROM pg_class WHERE oid = PARTITION'),
	('replica identity NOTHING', 'ALTER TABLE PARTITION REPLICA IDENTITY NOTHING',
		'SELECT relreplident FROM pg_class WHERE oid = PARTITION'),
	('replica identity by an index', 'ALTER TABLE PARTITION REPLICA IDENTITY USING INDEX PARTITION_pkey',
		'
			SELECT relreplident::text || indexrelid::regclass::text
			FROM pg_class c
			LEFT JOIN pg_index ON indrelid = c.oid AND indisreplident
			WHERE c.oid = PARTITION'),
	('storage parameters', 'ALTER TABLE PARTITION SET (fillfactor = 70, parallel_workers = 3)',
		'SELECT reloptions FROM pg_class WHERE oid = PARTITION'),
	('autovacuum settings', 'ALTER TABLE PARTITION SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_enabled = off)',
		'SELECT reloptions FROM pg_class WHERE oid = PARTITION'),
	('TOAST settings', 'ALTER TABLE PARTITION SET (toast.autovacuum_vacuum_threshold = 100)',
		'SELECT t.reloptions FROM pg_class c JOIN pg_class t ON t.oid = c.reltoastrelid WHERE c.oid = PARTITION'),
	('access method', 'ALTER TABLE PARTITION SET ACCESS METHOD second_heap',
		'SELECT amname FROM pg_class c JOIN pg_am a ON a.oid = relam WHERE c.oid = PARTITION'),
	('statistics targets', 'ALTER TABLE PARTITION ALTER customer SET STATISTICS 500',
		'SELECT attstattarget FROM pg_attribute WHERE attrelid = PARTITION AND attname = ''customer'''),
	('statistics target of 0', 'ALTER TABLE PARTITION ALTER body SET STATISTICS 0',
		'SELECT attstattarget FROM pg_attribute WHERE attrelid = PARTITION AND attname = ''body'''),
	('n_distinct', 'ALTER TABLE PARTITION ALTER customer SET (n_distinct = -0.5)',
		-- a server may keep other options there
		'
			SELECT substring(attoptions::text FROM ''n_distinct=[-0-9.]+'')
			FROM pg_attribute
			WHERE attrelid = PARTITION AND attname = ''customer'''),
	('storage of a column', 'ALTER TABLE PARTITION ALTER body SET STORAGE EXTERNAL',
		'SELECT attstorage FROM pg_attribute WHERE attrelid = PARTITION AND attname = ''body'''),
	('compression of a column', 'ALTER TABLE PARTITION ALTER body SET COMPRESSION pglz',
		'SELECT attcompression FROM pg_attribute WHERE attrelid = PARTITION AND attname = ''body'''),
	('grants', 'GRANT SELECT, INSERT ON PARTITION TO partition_reader WITH GRANT OPTION; GRANT DELETE ON PARTITION TO PUBLIC',
		'SELECT array_agg(acl::text ORDER BY acl::text) FROM pg_class, unnest(relacl) acl WHERE oid = PARTITION'),
	('grants on columns', 'GRANT UPDATE (total) ON PARTITION TO partition_writer',
		'SELECT attacl FROM pg_attribute WHERE attrelid = PARTITION AND attname = ''total'''),
	('rights that the owner gave up', 'REVOKE DELETE, TRUNCATE ON PARTITION FROM CURRENT_USER',
		'SELECT array_agg(acl::text ORDER BY acl::text) FROM pg_class, unnest(relacl) acl WHERE oid = PARTITION'),
	('mark of CLUSTER', 'ALTER TABLE PARTITION CLUSTER ON PARTITION_pkey',
		'SELECT indexrelid::regclass FROM pg_index WHERE indrelid = PARTITION AND indisclustered'),
	('foreign key to itself', 'ALTER TABLE PARTITION ADD FOREIGN KEY (parent) REFERENCES PARTITION ON DELETE CASCADE',
		'SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = PARTITION AND contype = ''f'''),
	('own indexes', 'CREATE INDEX ON PARTITION (lower(body)) WITH (fillfactor = 80) WHERE total > 0',
		'
			SELECT string_agg(
				regexp_replace(pg_get_indexdef(indexrelid), ''^.* USING'', ''USING''), '', '' ORDER BY indexrelid)
			FROM pg_index
			WHERE indrelid = PARTITION'),
	('settings of the primary key''s index', 'ALTER INDEX PARTITION_pkey SET (fillfactor = 95)',
		'SELECT reloptions FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indrelid = PARTITION'),
	('extended statistics', 'CREATE STATISTICS spent (ndistinct) ON customer, total FROM PARTITION',
		'SELECT stxkeys::text || stxkind::text FROM pg_statistic_ext WHERE stxrelid = PARTITION'),
	('targets of extended statistics',
		'CREATE STATISTICS spent ON customer, total FROM PARTITION; ALTER STATISTICS spent SET STATISTICS 99',
		'SELECT stxstattarget FROM pg_statistic_ext WHERE stxrelid = PARTITION'),
	('statistics target of an indexed expression',
		'CREATE INDEX lower_body ON PARTITION (lower(body)); ALTER INDEX lower_body ALTER COLUMN 1 SET STATISTICS 300',
		'SELECT max(nullif(attstattarget, -1)) FROM pg_index JOIN pg_attribute ON attrelid = indexrelid WHERE indrelid = PARTITION'),
	('statistics target of 0 of an indexed expression',
		'CREATE INDEX lower_body ON PARTITION (lower(body)); ALTER INDEX lower_body ALTER COLUMN 1 SET STATISTICS 0',
		'SELECT max(nullif(attstattarget, -1)) FROM pg_index JOIN pg_attribute ON attrelid = indexrelid WHERE indrelid = PARTITION'),
	('row security', 'ALTER TABLE PARTITION ENABLE ROW LEVEL SECURITY',
		'SELECT concat_ws('' '', relrowsecurity, relforcerowsecurity) FROM pg_class WHERE oid = PARTITION'),
	('row security for the owner', 'ALTER TABLE PARTITION FORCE ROW LEVEL SECURITY',
		'SELECT concat_ws('' '', relrowsecurity, relforcerowsecurity) FROM pg_class WHERE oid = PARTITION'),
	('n_distinct of its parts', 'ALTER TABLE PARTITION ALTER total SET (n_distinct_inherited = -0.25)',
		'
			SELECT substring(attoptions::text FROM ''n_distinct_inherited=[-0-9.]+'')
			FROM pg_attribute
			WHERE attrelid = PARTITION AND attname = ''total''')
) AS properties(property, setting, query)) AS numbered
GROUP BY n % 6;

-- A privilege that two roles have granted, one with grant option, and one without it.
CALL pg_temp.make_orders();
GRANT SELECT ON orders_2020_01 TO partition_writer WITH GRANT OPTION;
SET ROLE partition_writer;
GRANT SELECT ON orders_2020_01 TO partition_reader;
RESET ROLE;
GRANT SELECT ON orders_2020_01 TO partition_reader WITH GRANT OPTION;
SELECT lives_ok($$SELECT uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$,
	'a partition is made like one on which two roles have granted the same');

-- One that the owner has granted to himself.
CALL pg_temp.make_orders();
GRANT SELECT ON orders_2020_01 TO CURRENT_USER WITH GRANT OPTION;
SELECT lives_ok($$SELECT uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$,
	'a partition is made like one of which the owner has a grant option');

-- A column that was dropped leaves its place, with nothing to set there.
CALL pg_temp.make_orders();
ALTER TABLE orders DROP COLUMN total;
SELECT lives_ok($$SELECT uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')$$,
	'a partition is made like one that has lost a column');

-- A CHECK of the key that January alone has is January's, also in its parts; those of the table stay.
CREATE TABLE visits (id uuid, country text CHECK (country <> '')) PARTITION BY RANGE (id);
CREATE TABLE visits_2020_01 PARTITION OF visits
FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('2020-02-01 00:00+00'))
PARTITION BY LIST (country);
CREATE TABLE visits_2020_01_all PARTITION OF visits_2020_01 DEFAULT;
ALTER TABLE visits_2020_01 ADD CONSTRAINT of_january CHECK (id < uuid_boundary('2020-02-01 00:00+00'));
SELECT count(*) AS made FROM uuid_partition_create('visits', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
SELECT is((
		SELECT string_agg(conname, ', ' ORDER BY conname)
		FROM pg_constraint
		WHERE conrelid IN ('visits_2020_02'::regclass, 'visits_2020_02_all'::regclass) AND contype = 'c'),
	'visits_country_check, visits_country_check', 'a check of the key of one month is not handed on');
DROP TABLE visits;

-- The comment of a month is its own.
CALL pg_temp.make_orders();
COMMENT ON TABLE orders_2020_01 IS 'the month of the fire';
SELECT uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
SELECT is(obj_description('orders_2020_02'::regclass, 'pg_class'), NULL, 'the newest one''s comment is not handed on');

-- Which keys to itself a partition gets: those of the newest one that has any, and none of a template.
CREATE FUNCTION pg_temp.keys_to_itself(partition regclass) RETURNS bigint LANGUAGE sql AS
	'SELECT count(*) FROM pg_constraint WHERE contype = ''f'' AND conrelid = partition AND confrelid = partition';
CALL pg_temp.make_orders();
ALTER TABLE orders_2020_01 ADD FOREIGN KEY (parent) REFERENCES orders_2020_01;
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
ALTER TABLE orders_2020_02 DROP CONSTRAINT orders_2020_02_parent_fkey;
CREATE TABLE old_orders (LIKE orders INCLUDING ALL, FOREIGN KEY (parent) REFERENCES old_orders);
SELECT count(*) AS made
FROM uuid_partition_create(
	'orders', '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month', template => 'old_orders') \gset
SELECT is(pg_temp.keys_to_itself('orders_2020_03'), 1::bigint,
	'a month gets the key to itself of the newest that has one, and no other of a template');
SELECT is(relacl::text, NULL, 'and its owner all rights') FROM pg_class WHERE oid = 'orders_2020_03'::regclass;
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-04-01 00:00+00', '2020-05-01 00:00+00', '1 month') \gset
CREATE TABLE items (order_id uuid, line int, above int, PRIMARY KEY (order_id, line)) PARTITION BY RANGE (order_id);
SELECT count(*) AS made FROM uuid_partition_follow('items', 'orders', foreign_keys => false) \gset
ALTER TABLE items_2020_04 ADD FOREIGN KEY (order_id, above) REFERENCES items_2020_04;
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-05-01 00:00+00', '2020-06-01 00:00+00', '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_follow('items', 'orders', foreign_keys => false) \gset
SELECT is(pg_temp.keys_to_itself('items_2020_05'), 0::bigint, 'a follower without foreign keys gets none');
-- the month before this one, so that not all since 2020 are made
SELECT count(*) AS made
FROM uuid_partition_create('orders', date_trunc('month', now(), 'UTC') - interval '1 month',
	date_trunc('month', now(), 'UTC'), '1 month') \gset
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month', 0, followers => '{items}') \gset
SELECT is(pg_temp.keys_to_itself('items_rest'), 0::bigint, 'a default partition gets none');
SELECT is(pg_temp.keys_to_itself(
		(
			SELECT partition
			FROM uuid_partition_list('items')
			WHERE kind = 'partition'
			ORDER BY from_time DESC
			LIMIT 1)), 1::bigint,
	'a month that comes with the leader''s gets one');
-- A month that has only the key to itself does not hide the key to the leader.
ALTER TABLE items_2020_04 ADD FOREIGN KEY (order_id) REFERENCES orders_2020_04 ON DELETE CASCADE;
SELECT uuid_boundary('2019-01-01 00:00+00') AS january, uuid_boundary('2019-02-01 00:00+00') AS february \gset
CREATE TABLE items_2019_01 PARTITION OF items FOR VALUES FROM (:'january') TO (:'february');
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month', 1, followers => '{items}') \gset
SELECT is((
		SELECT count(*)
		FROM pg_constraint
		WHERE contype = 'f'
			AND conrelid = (
				SELECT partition
				FROM uuid_partition_list('items')
				WHERE kind = 'partition'
				ORDER BY from_time DESC
				LIMIT 1)::regclass),
	2::bigint, 'a month gets both its key to the leader and its key to itself');
DROP TABLE items;

-- An owner who has given up the right to refer to the newest partition gets no more of it.
CREATE ROLE partition_keeper;
SELECT format('GRANT CREATE, USAGE ON SCHEMA %I TO partition_keeper', nspname)
FROM pg_namespace
WHERE oid = (SELECT relnamespace FROM pg_class WHERE oid = 'orders'::regclass) \gexec
CALL pg_temp.make_orders();
ALTER TABLE orders_2020_01 ADD FOREIGN KEY (parent) REFERENCES orders_2020_01;
ALTER TABLE orders OWNER TO partition_keeper;
ALTER TABLE orders_2020_01 OWNER TO partition_keeper;
REVOKE REFERENCES ON orders, orders_2020_01 FROM partition_keeper;
SET LOCAL ROLE partition_keeper;
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
RESET ROLE;
SELECT is(pg_temp.keys_to_itself('orders_2020_02'), 1::bigint, 'also where the owner may not refer to the newest');
SELECT is(has_table_privilege('partition_keeper', 'orders_2020_02', 'REFERENCES'), false,
	'who has no right to refer to the new one, either');

-- Upkeep does the same, and check tells where months differ.
CALL pg_temp.make_orders();
ALTER TABLE orders_2020_01 REPLICA IDENTITY FULL;
SELECT count(*) AS made
FROM uuid_partition_create('orders', date_trunc('month', now(), 'UTC') - interval '1 month',
	date_trunc('month', now(), 'UTC'), '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month', 2) \gset
SELECT is((
		SELECT string_agg(DISTINCT relreplident::text, ' ')
		FROM pg_inherits
		JOIN pg_class c ON c.oid = inhrelid
		WHERE inhparent = 'orders'::regclass),
	'f', 'maintain makes partitions with the newest one''s replica identity');
SELECT is((SELECT count(*) FROM uuid_partition_check('orders', '0') WHERE message ~ 'replica identity'), 0::bigint,
	'check says nothing of replica identities that are all the same');
SELECT partition AS present FROM uuid_partition_list('orders') WHERE from_time <= now() AND to_time > now() \gset
ALTER TABLE :present REPLICA IDENTITY DEFAULT;
SELECT is((
		SELECT count(*)
		FROM uuid_partition_check('orders', '0')
		WHERE severity = 1 AND message ~ 'replica identity' AND position(:'present' IN message) > 0),
	1::bigint, 'check names a partition of the present whose replica identity is not the newest one''s');
ALTER TABLE :present REPLICA IDENTITY FULL;
ALTER TABLE orders_2020_01 REPLICA IDENTITY NOTHING;
SELECT is((SELECT count(*) FROM uuid_partition_check('orders', '0') WHERE message ~ 'replica identity'), 0::bigint,
	'check says nothing of one that is past');

-- DROP INDEX CONCURRENTLY that was stopped leaves an index behind that is no longer live.
DROP TABLE orders;
CREATE TABLE orders (id uuid PRIMARY KEY, number int NOT NULL, note text) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month') \gset
CREATE INDEX left_behind ON orders_2020_01 (note);
CREATE UNIQUE INDEX orders_2020_01_number ON orders_2020_01 (number);
ALTER TABLE orders_2020_01 REPLICA IDENTITY USING INDEX orders_2020_01_number;
UPDATE pg_index SET indislive = false, indisready = false, indisvalid = false WHERE indexrelid = 'left_behind'::regclass;
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
SELECT is((SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
		WHERE i.indrelid = 'orders_2020_02'::regclass AND i.indisreplident), 'number', 'a dead index is no twin of a live one');

-- One whose building has failed is there, but not valid.
CREATE UNIQUE INDEX failed ON orders_2020_02 (note);
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'failed'::regclass;
SELECT matches((SELECT string_agg(message, ' ') FROM uuid_partition_check('orders', '0')),
	'index public.failed of the newest partition, public.orders_2020_02, is invalid',
	'check names an invalid index of the newest partition');
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month') \gset
SELECT is((
		SELECT string_agg(a.attname, ', ' ORDER BY a.attname)
		FROM pg_index i
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
		WHERE i.indrelid = 'orders_2020_03'::regclass),
			'id, number',
			'a new partition does not get it, as a valid one could refuse rows');

-- What a partition got while a newer one was made, the newer one does not have.
DROP TABLE orders;
CREATE TABLE orders (id uuid PRIMARY KEY, number int NOT NULL, note text) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_maintain('orders', '1 month', 1) \gset
SELECT partition AS present FROM uuid_partition_list('orders') WHERE from_time <= now() AND to_time > now() \gset
SELECT partition AS newest FROM uuid_partition_list('orders') WHERE from_time > now() \gset
CREATE FUNCTION pg_temp.lacks() RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(substring(message FROM 'does not have, so new partitions do not get them: (.*);'), ' ')
	FROM uuid_partition_check('orders', '0')
$$;
SELECT is(pg_temp.lacks(), NULL, 'nothing is lacking where the newest is like the others');
CREATE INDEX half_built ON :present (number);
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'half_built'::regclass;
SELECT is(pg_temp.lacks(), NULL, 'an index that is not valid is nothing to lack');
CREATE INDEX late ON :present (note);
CREATE STATISTICS late_too ON number, note FROM :present;
CREATE ROLE reader;
GRANT SELECT ON :present TO reader;
GRANT UPDATE (note) ON :present TO PUBLIC;
SELECT is(pg_temp.lacks(),
	'SELECT for reader, UPDATE (note) for PUBLIC, index public.late, statistics object public.late_too',
	'check names what the newest does not have');
CREATE INDEX ON :newest (note);
CREATE STATISTICS later_too ON number, note FROM :newest;
GRANT SELECT ON :newest TO reader;
GRANT UPDATE (note) ON :newest TO PUBLIC;
SELECT is(pg_temp.lacks(), NULL, 'and nothing once the newest has it, under whatever names');
CREATE UNIQUE INDEX only_once ON :present (number);
CREATE INDEX often ON :newest (number);
SELECT is(pg_temp.lacks(), 'index public.only_once', 'a plain index is no unique one');

SELECT is((
		SELECT count(*)
		FROM uuid_partition_check('orders', '0')
		WHERE severity = 1 AND message ~ 'tablespace|belongs to role'), 0::bigint,
	'nor of tablespaces and owners that are the same');
UPDATE pg_class SET reltablespace = (SELECT oid FROM pg_tablespace WHERE spcname = 'pg_default') WHERE oid = 'orders'::regclass;
SELECT is((SELECT message FROM uuid_partition_check('orders', '0') WHERE message ~ 'tablespace'),
	format('table public.orders has tablespace pg_default, but new partitions come to that of the newest, '
		'public.%1$s: ALTER TABLE public.%1$s SET TABLESPACE pg_default', :'newest'),
	'check names the tablespace of a table to which no partition comes');
ALTER TABLE :newest OWNER TO reader;
SELECT matches((SELECT message FROM uuid_partition_check('orders', '0') WHERE message ~ 'belongs to role'),
	'belongs to role reader, and table public.orders to role .*, so that none can be made like it: '
	'ALTER TABLE .* OWNER TO',
	'and another owner of the newest');

-- An index of a divided partition that its parts do not all have is not valid.
DROP TABLE orders;
CREATE TABLE orders (id uuid, kind int) PARTITION BY RANGE (id);
CREATE TABLE orders_2020_01 PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('2020-02-01 00:00+00'))
PARTITION BY LIST (kind);
CREATE TABLE orders_2020_01_all PARTITION OF orders_2020_01 DEFAULT;
CREATE UNIQUE INDEX begun ON ONLY orders_2020_01 (kind);
SELECT is((SELECT message FROM uuid_partition_check('orders', '0') WHERE message ~ 'index'),
	'index public.begun of the newest partition, public.orders_2020_01, is not on all parts of it, and new partitions '
	'do not get it: drop it, or attach an index of each part to it',
	'check names an index that not all parts have');
SELECT count(*) AS made FROM uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month') \gset
SELECT is((
		SELECT count(*)
		FROM pg_index
		WHERE indrelid IN ('orders_2020_02'::regclass, 'orders_2020_02_all'::regclass)), 0::bigint,
	'a new partition does not get it, either');

-- Objects of parts, and their replica identities.
DROP TABLE orders;
CREATE TABLE orders (id uuid, country text, PRIMARY KEY (id, country)) PARTITION BY RANGE (id);
CREATE TABLE orders_2020_01 PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('3020-02-01 00:00+00'))
PARTITION BY LIST (country);
CREATE TABLE orders_2020_01_kz PARTITION OF orders_2020_01 FOR VALUES IN ('kz');
CREATE TABLE orders_2020_01_rest PARTITION OF orders_2020_01 DEFAULT;
CREATE RULE kept AS ON DELETE TO orders_2020_01_kz DO INSTEAD NOTHING;
SELECT matches((SELECT string_agg(message, ' ') FROM uuid_partition_check('orders', '0')),
	'newest partition, public.orders_2020_01, has objects of its own that new partitions do not get: '
	'rule "kept" of part public.orders_2020_01_kz',
	'check names what a part of the newest partition has of its own');
SELECT count(*) AS made FROM uuid_partition_create('orders', '3020-02-01 00:00+00', '3020-03-01 00:00+00', '1 month') \gset
SELECT doesnt_match((SELECT string_agg(message, ' ') FROM uuid_partition_check('orders', '0')),
	'replica identity', 'parts that are alike are no finding');
ALTER TABLE orders_2020_01_rest REPLICA IDENTITY FULL;
SELECT matches((SELECT string_agg(message, ' ') FROM uuid_partition_check('orders', '0')),
	'replica identity differs from that of the newest, public.orders_3020_02: 1, the first is public.orders_2020_01',
	'check names a partition with a part whose replica identity is not that of the newest');
ALTER TABLE orders_2020_01_kz REPLICA IDENTITY FULL;
SELECT is(uidext_internal.partition_replica_identities('orders_2020_01'), 'f',
	'that of a divided partition is that of its tables');

SELECT * FROM finish();
ROLLBACK;
