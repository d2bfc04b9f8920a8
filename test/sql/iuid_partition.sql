-- Partitions by operator classes: of countries by iuid_partition_create(), which
-- may be partitioned by time, and of what the helpers of time refuse.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/partition_bounds.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

-- Countries: named by the registry's code, else by id; made once.
CREATE TABLE trips (id iuid PRIMARY KEY, km int) PARTITION BY HASH (id iuid_country_ops);
INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil'), (82, 'KZ', 'Kazakhstan'), (0, 'A "b"', 'Odd');
SELECT iuid_partition_create('trips', '{76,82,255}');
SELECT iuid_partition_create('trips', '{82,0,76,1,0}');
SELECT iuid_partition_create('trips', '{}');
UPDATE iuid.countries SET code = 'BRA' WHERE id = 76;
SELECT iuid_partition_create('trips', '{76}');
UPDATE iuid.countries SET code = 'BR' WHERE id = 76;
SELECT partition, bound FROM partitions WHERE parent = 'trips'::regclass ORDER BY partition::text COLLATE "C";
INSERT INTO trips SELECT gen_iuid(country, 1) FROM unnest('{0,1,76,82,255}'::int[]) AS country;
SELECT tableoid::regclass, iuid_country(id) FROM trips ORDER BY 2;

-- Errors, and nothing half done
CREATE TABLE trips_3 (id uuid);
SELECT command || E'\n' || error_of(format('SELECT iuid_partition_create(%s)', command)) AS "arguments and error"
FROM unnest(ARRAY[$$'trips', '{2,256}'$$, $$'trips', '{2,-1}'$$, $$'trips', '{2,NULL}'$$, $$'trips', '{2,3}'$$,
	$$NULL, '{2}'$$, $$'trips', NULL$$, $$'trips', '{2}', NULL, '2026-01-01'$$, $$'trips', '{2}', NULL, '2026-01-01', '2026-02-01'$$,
	$$'trips', '{2}', NULL, '2026-02-01', '2026-01-01', '1 month'$$, $$'trips', '{2}', NULL, '2026-01-01', '2026-02-01', '-1 day'$$,
	$$'trips', '{2}', NULL, '2026-01-01', '2026-02-01', '1 month', 'Europe/Atlantis'$$,
	$$'trips', '{2,76}', NULL, '2026-01-01', '2026-02-01', '1 month'$$]) AS command :unaligned
SELECT count(*) AS partitions, (SELECT count(*) FROM pg_class WHERE relname ~ '^trips' AND relkind IN ('r', 'p')) AS tables
FROM partitions WHERE parent = 'trips'::regclass;
DROP TABLE trips, trips_3;

-- Modulus 257 stands beside another modulus of another country, not of the same.
CREATE TABLE trips (id iuid PRIMARY KEY) PARTITION BY HASH (id iuid_country_ops);
CREATE TABLE trips_br_0 PARTITION OF trips FOR VALUES WITH (MODULUS 514, REMAINDER 76);
SELECT iuid_partition_create('trips', '{82}');
SELECT error_of($$SELECT iuid_partition_create('trips', '{76}')$$) :unaligned
DROP TABLE trips;

-- Time beneath the country
CREATE TABLE trips (id iuid PRIMARY KEY, km int DEFAULT 1 CHECK (km > 0)) PARTITION BY HASH (id iuid_country_ops);
CREATE INDEX ON trips (km);
SELECT iuid_partition_create('trips', '{76,82}', NULL, '2026-01-01', '2026-03-01', '1 month');
SELECT iuid_partition_create('trips', '{76,82,1}', start => '2026-02-01', stop => '2026-04-01', step => '1 month');
SELECT iuid_partition_create('trips', '{2}', start => '2023-02-01 00:00 Asia/Almaty', stop => '2023-03-01 00:00 Asia/Almaty',
	step => '1 month', tz => 'Asia/Almaty');
SELECT parent, partition, bound FROM partitions WHERE parent::text ~ '^trips' ORDER BY partition::text COLLATE "C";
INSERT INTO trips SELECT gen_iuid_at(at, country, 1) FROM unnest('{76,82}'::int[]) AS country,
	unnest('{2026-01-01 00:00,2026-01-31 23:59:59.999,2026-02-01 00:00}'::timestamptz[]) AS at;
SELECT tableoid::regclass, iuid_country(id), uuid_time(id), km FROM trips ORDER BY 2, 3;
SELECT count(*) AS indexes FROM pg_index WHERE indrelid = 'trips_br_2026_01'::regclass;
DROP TABLE trips;
DELETE FROM iuid.countries;
CREATE TABLE "Odd Trips" ("The Id" iuid PRIMARY KEY) PARTITION BY HASH ("The Id" iuid_country_ops);
SELECT iuid_partition_create('"Odd Trips"', '{76}', NULL, '2026-01-01', '2026-02-01', '1 month');
DROP TABLE "Odd Trips";

-- A dry run says what would be made, and of what would fail why, and makes nothing.
INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil'), (82, 'KZ', 'Kazakhstan');
CREATE TABLE trips (id iuid PRIMARY KEY, km int) PARTITION BY HASH (id iuid_country_ops);
SET client_min_messages = notice;
SELECT iuid_partition_create('trips', '{76,1,76}', dry_run => true);
SELECT iuid_partition_create('trips', '{76}', NULL, '2026-01-01', '2026-03-01', '1 month', dry_run => true);
SET client_min_messages = warning;
SELECT iuid_partition_create('trips', '{76}', NULL, '2026-01-01', '2026-03-01', '1 month');
SET client_min_messages = notice;
CREATE TABLE trips_kz (id uuid);
CREATE TABLE trips_1_2026_02 (id uuid);
CREATE TABLE trips_3_0 PARTITION OF trips FOR VALUES WITH (MODULUS 514, REMAINDER 3);
-- what is there with its months, what is there in part, whose name is taken, one of whose months is, and what overlaps
SELECT iuid_partition_create('trips', '{76,82,1,3}', NULL, '2026-02-01', '2026-04-01', '1 month', dry_run => true);
SELECT error_of($$SELECT iuid_partition_create('trips', '{82}', NULL, '2026-02-01', '2026-04-01', '1 month')$$) :unaligned
SELECT error_of($$SELECT iuid_partition_create('trips', '{1}', NULL, '2026-02-01', '2026-04-01', '1 month')$$) :unaligned
SELECT error_of($$SELECT iuid_partition_create('trips', '{3}', NULL, '2026-02-01', '2026-04-01', '1 month')$$) :unaligned
SELECT iuid_partition_create('trips', '{76,2}', dry_run => true);
SELECT error_of($$SELECT iuid_partition_create('trips', '{256}', dry_run => true)$$) :unaligned
SELECT error_of($$SELECT iuid_partition_create('trips', '{2}', dry_run => NULL)$$) :unaligned
SELECT iuid_partition_create('trips', '{4}', NULL, '1900-01-01', '1900-02-01', '1 month', dry_run => true);
SELECT iuid_partition_create('trips', '{4}', NULL, '1900-01-01', '1900-02-01', '1 month');
SET client_min_messages = warning;
SELECT count(*) AS partitions FROM partitions WHERE parent = 'trips'::regclass;
-- nor beside a partition of which the modulus is no factor, or one of the country that waits to be detached
CREATE TABLE rides (id iuid PRIMARY KEY) PARTITION BY HASH (id iuid_country_ops);
CREATE TABLE rides_half PARTITION OF rides FOR VALUES WITH (MODULUS 2, REMAINDER 0);
SELECT iuid_partition_create('rides', '{76}', dry_run => true);
SELECT error_of($$SELECT iuid_partition_create('rides', '{76}')$$) :unaligned
DROP TABLE rides_half;
SELECT iuid_partition_create('rides', '{76}');
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'rides_br'::regclass;
SELECT iuid_partition_create('rides', '{76}', dry_run => true);
DROP TABLE rides;
-- rights that the owner lacks
CREATE ROLE regress_uidext_owner;
ALTER TABLE trips OWNER TO regress_uidext_owner;
GRANT USAGE ON SCHEMA public TO regress_uidext_owner;
SET ROLE regress_uidext_owner;
SELECT iuid_partition_create('trips', '{5}', dry_run => true);
SELECT error_of($$SELECT iuid_partition_create('trips', '{5}')$$) :unaligned
RESET ROLE;
DROP TABLE trips, trips_kz, trips_1_2026_02;
REVOKE USAGE ON SCHEMA public FROM regress_uidext_owner;
DROP ROLE regress_uidext_owner;
DELETE FROM iuid.countries;

-- On another server: test/t/countries/regions.pl has servers
CREATE TABLE trips (id iuid NOT NULL) PARTITION BY HASH (id iuid_country_ops);
CREATE INDEX ON trips (id);
SELECT error_of($$SELECT iuid_partition_create('trips', '{84}', 'no_such_server')$$) :unaligned
SELECT error_of($$
	SELECT iuid_partition_create('trips', '{84}', 'no_such_server', '2026-01-01', '2026-02-01', '1 month')$$)
	:unaligned
SELECT error_of($$INSERT INTO uidext_internal.iuid_partition_requests VALUES ('public', 'nothing', 76)$$) :unaligned
-- PostgreSQL makes no foreign partition of a table with a unique index.
CREATE TABLE keyed (id iuid PRIMARY KEY) PARTITION BY HASH (id iuid_country_ops);
SELECT error_of($$SELECT iuid_partition_create('keyed', '{84}', 'no_such_server')$$) :unaligned
DROP TABLE keyed;
-- What another server is told
SELECT iuid_partition_create('trips', '{1}');
SELECT iuid_partition_create('trips', '{2}', NULL, '2026-01-01', '2026-02-01', '1 month');
INSERT INTO uidext_internal.iuid_partition_requests VALUES ('public', 'trips', 2, '2026-01-01', '2026-03-01', '1 month', 'UTC');
CREATE TABLE trips_2_rest PARTITION OF trips_2 DEFAULT;
CREATE TABLE trips_2_old PARTITION OF trips_2 FOR VALUES FROM (MINVALUE) TO (iuid_boundary('2025-01-01'));
CREATE TABLE trips_3_0 PARTITION OF trips FOR VALUES WITH (MODULUS 514, REMAINDER 3);
CREATE TABLE trips_3_1 PARTITION OF trips FOR VALUES WITH (MODULUS 514, REMAINDER 260) PARTITION BY LIST (id);
CREATE TABLE trips_3_one PARTITION OF trips_3_1 FOR VALUES IN ('018c22ac-d000-8037-a940-000000000000');
SELECT * FROM uidext_internal.iuid_leaves WHERE parent_table = 'trips' ORDER BY remainder, from_id NULLS FIRST, leaf_table;
DROP TABLE trips;
-- bounds of another column, in another order, or of the id among others, are not the id's
CREATE TABLE rides (id uuid NOT NULL, trip uuid) PARTITION BY HASH (id uuid_country_ops);
CREATE TABLE rides_1 PARTITION OF rides FOR VALUES WITH (MODULUS 257, REMAINDER 1) PARTITION BY RANGE (trip);
CREATE TABLE rides_1_old PARTITION OF rides_1 FOR VALUES FROM (MINVALUE) TO (iuid_boundary('2025-01-01'));
CREATE TABLE rides_2 PARTITION OF rides FOR VALUES WITH (MODULUS 257, REMAINDER 2) PARTITION BY RANGE (id uuid_sqlserver_ops);
CREATE TABLE rides_2_old PARTITION OF rides_2 FOR VALUES FROM (MINVALUE) TO (iuid_boundary('2025-01-01'));
CREATE TABLE rides_3 PARTITION OF rides FOR VALUES WITH (MODULUS 257, REMAINDER 3) PARTITION BY RANGE (id, trip);
CREATE TABLE rides_3_rest PARTITION OF rides_3 DEFAULT;
CREATE TABLE rides_4 PARTITION OF rides FOR VALUES WITH (MODULUS 257, REMAINDER 4) PARTITION BY RANGE (id);
CREATE TABLE rides_4_old PARTITION OF rides_4 FOR VALUES FROM (MINVALUE) TO (iuid_boundary('2025-01-01'));
SELECT leaf_table, is_plain FROM uidext_internal.iuid_leaves WHERE parent_table = 'rides' ORDER BY leaf_table;
DROP TABLE rides;
-- nothing of a text that looks like a bound
CREATE SCHEMA other;
CREATE OPERATOR CLASS other.iuid_country_ops FOR TYPE text USING btree AS
	OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 bttextcmp(text, text);
CREATE TABLE notes (note text) PARTITION BY LIST (note other.iuid_country_ops);
CREATE TABLE notes_1 PARTITION OF notes FOR VALUES IN ('modulus 257, remainder 76');
SELECT parent_table, country, modulus, remainder FROM uidext_internal.iuid_leaves;
DROP TABLE notes;
DROP OPERATOR FAMILY other.iuid_country_ops USING btree;
DROP SCHEMA other;

-- A parent that is a partition: one country of many.
CREATE TABLE trips (id iuid PRIMARY KEY) PARTITION BY HASH (id iuid_country_ops);
SELECT count(*) AS made FROM iuid_partition_create('trips', '{76,82}', NULL, '2021-01-01', '2021-03-01', '1 month');
SELECT partition, kind, from_time, to_time, note FROM uuid_partition_list('trips_76');
SELECT partition, from_time, to_time FROM uuid_partition_drop('trips_76', '2021-02-01');
SELECT action, partition, from_time, to_time > now() AS to_the_future FROM uuid_partition_maintain('trips_76', '200 years', 0);
SELECT parent, partition FROM partitions WHERE parent::text ~ '^trips' ORDER BY partition::text COLLATE "C";
DROP TABLE trips;

-- A country, and its months, are stored where the parent is.
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_uidext_place LOCATION '';
CREATE TABLE trips (id iuid PRIMARY KEY) PARTITION BY HASH (id iuid_country_ops) TABLESPACE regress_uidext_place;
SELECT count(*) AS made FROM iuid_partition_create('trips', '{76}', NULL, '2021-01-01', '2021-02-01', '1 month');
SELECT relname, spcname
FROM pg_class
JOIN pg_tablespace t ON t.oid = reltablespace
WHERE relname ~ '^trips' AND relkind IN ('r', 'p')
ORDER BY relname;
DROP TABLE trips;
DROP TABLESPACE regress_uidext_place;

-- Parents that cannot be served
CREATE TABLE unfit_none (id uuid);
CREATE TABLE unfit_text (id text) PARTITION BY RANGE (id);
CREATE TABLE unfit_two (id uuid, n int) PARTITION BY RANGE (id, n);
CREATE TABLE unfit_order (id uuid) PARTITION BY RANGE (id uuid_sqlserver_ops);
CREATE TABLE unfit_null (id iuid) PARTITION BY HASH (id iuid_country_ops);
CREATE TABLE unfit_list (id uuid) PARTITION BY LIST (id);
CREATE TABLE unfit_hash (id uuid) PARTITION BY HASH (id);
CREATE VIEW unfit_view AS SELECT * FROM unfit_none;
SELECT parent || E'\n' || error_of(format('SELECT iuid_partition_create(%L, ''{76}'')', parent)) AS "parent and error"
FROM unnest(
	'{unfit_none,unfit_text,unfit_two,unfit_order,unfit_null,unfit_list,unfit_hash,unfit_view,unfit_missing}'::text[])
	AS parent :unaligned
SELECT concat(parent, ' ', error_of(format(command, parent))) AS "parent and error"
FROM unnest('{unfit_order,unfit_null}'::text[]) AS parent,
	unnest(ARRAY['SELECT uuid_partition_create(%L, ''2026-01-01'', ''2026-02-01'', ''1 month'')',
	'SELECT uuid_partition_list(%L)', 'SELECT uuid_partition_drop(%L, ''2021-01-01'')',
	'SELECT uuid_partition_maintain(%L, ''1 month'')']) AS command :unaligned
SELECT count(*) AS partitions FROM partitions WHERE parent::text ~ '^unfit_';
DROP VIEW unfit_view;
DROP TABLE unfit_none, unfit_text, unfit_two, unfit_order, unfit_null, unfit_list, unfit_hash;

-- A table that is not there.
SELECT iuid_partition_create(1::regclass, '{76}');

-- Only the owner makes partitions.
CREATE TABLE mine (id iuid NOT NULL) PARTITION BY HASH (id iuid_country_ops);
CREATE SCHEMA workshop;
CREATE ROLE regress_uidext_writer;
CREATE ROLE regress_uidext_owner;
GRANT ALL ON mine TO regress_uidext_writer;
GRANT ALL ON SCHEMA workshop TO regress_uidext_owner;
\set VERBOSITY sqlstate
SET ROLE regress_uidext_writer;
SELECT iuid_partition_create('mine', '{76}');
SET ROLE regress_uidext_owner;
SELECT iuid_partition_create('mine', '{76}');
\set VERBOSITY default
CREATE TABLE workshop.mine (id iuid NOT NULL) PARTITION BY HASH (id iuid_country_ops);
GRANT INSERT ON workshop.mine TO regress_uidext_writer;
SELECT iuid_partition_create('workshop.mine', '{76}', NULL, '2026-01-01', '2026-02-01', '1 month');
SELECT iuid_partition_create('workshop.mine', '{77}');
RESET ROLE;
SELECT relnamespace::regnamespace AS schema, relname, relowner = 'regress_uidext_owner'::regrole AS owned
FROM pg_class WHERE relname ~ '^mine' ORDER BY relnamespace::regnamespace::text, relname;
-- who may write to all countries may write to one that is divided, and to no table that has rows
SELECT t AS "table", has_table_privilege('regress_uidext_writer', t, 'INSERT') AS may_insert
FROM unnest('{workshop.mine,workshop.mine_76,workshop.mine_76_2026_01,workshop.mine_77}'::text[]) AS t;
-- Nor beside a default partition of another role, whose CHECKs PostgreSQL would evaluate.  That of another table is in nobody's way.
CREATE FUNCTION make_february() RETURNS SETOF regclass LANGUAGE sql AS $$
SELECT uidext_internal.iuid_partition_foreign(
	ROW('workshop.mine', 'id', '{76}', 'nowhere', '2026-02-01', '2026-03-01', '1 month', 'UTC'),
	ARRAY[ROW('workshop', 'mine', 76, 257, 76, 'mine_76', true, 'workshop', 'mine_76_2026_02', false,
		iuid_boundary('2026-02-01'), iuid_boundary('2026-03-01'), true)::uidext_internal.iuid_leaves])
$$;
CREATE TABLE others (id iuid) PARTITION BY RANGE (id);
CREATE TABLE others_rest PARTITION OF others DEFAULT;
SET ROLE regress_uidext_owner;
SELECT error_of('SELECT make_february()') AS beside_another_table :unaligned
RESET ROLE;
CREATE TABLE workshop.rest PARTITION OF workshop.mine_76 DEFAULT;
ALTER TABLE workshop.rest OWNER TO regress_uidext_writer;
SET ROLE regress_uidext_owner;
SELECT error_of('SELECT make_february()') AS beside_that_of_another_role :unaligned
RESET ROLE;
DROP FUNCTION make_february;
DROP TABLE others, mine, workshop.mine;
DROP SCHEMA workshop;
DROP ROLE regress_uidext_writer, regress_uidext_owner;

DROP VIEW partitions;
DROP FUNCTION error_of;
