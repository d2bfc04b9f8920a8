-- Registry: countries, service entities and routes by name.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql

-- The extension's rows are dumped with the database.
SELECT unnest(extconfig)::regclass AS config_table, unnest(extcondition) AS condition
FROM pg_extension WHERE extname = 'uidext' ORDER BY 1;

-- Nothing is known at first, and hints say what to do.
SELECT (SELECT count(*) FROM iuid.countries) AS countries, (SELECT count(*) FROM iuid.service_entities) AS entities,
	(SELECT count(*) FROM iuid.routes) AS routes;
SET uidext.country = 76;
SELECT error_of($$SELECT gen_iuid('BR', 'Trip')$$) :unaligned
SELECT error_of($$SELECT gen_iuid('Trip')$$) :unaligned

-- ISO 3166-1: fixed ids, for good.
SELECT iuid_load_iso_3166() AS first, iuid_load_iso_3166() AS again;
SELECT count(*) AS countries, count(DISTINCT id) AS ids, count(DISTINCT code) AS codes, count(DISTINCT name) AS names,
	min(id), max(id), md5(string_agg(id || ' ' || code, ',' ORDER BY id)) AS checksum
FROM iuid.countries;
SELECT * FROM iuid.countries
WHERE code IN ('AF', 'AU', 'BE', 'BR', 'CN', 'DE', 'GB', 'IN', 'KZ', 'RU', 'UA', 'US', 'ZW') ORDER BY code;
SELECT count(*) AS not_alpha_2 FROM iuid.countries WHERE code !~ '^[A-Z]{2}$';

-- A person's changes stay: the load adds what is missing and touches nothing else.
UPDATE iuid.countries SET name = 'Brasil' WHERE code = 'BR';
DELETE FROM iuid.countries WHERE code IN ('KZ', 'DE');
INSERT INTO iuid.countries VALUES (0, 'XX', 'Nowhere');
SELECT iuid_load_iso_3166() AS added;
SELECT * FROM iuid.countries WHERE code IN ('BR', 'DE', 'KZ', 'XX') ORDER BY code;

-- It never gives a country an id that is not its own.
DELETE FROM iuid.countries WHERE code IN ('BR', 'KZ');
INSERT INTO iuid.countries VALUES (76, 'YY', 'Another');
SELECT error_of('SELECT iuid_load_iso_3166()') :unaligned
UPDATE iuid.countries SET id = 255, code = 'BR' WHERE id = 76;
SELECT error_of('SELECT iuid_load_iso_3166()') :unaligned
UPDATE iuid.countries SET code = 'YY', name = 'Brazil' WHERE id = 255;
SELECT error_of('SELECT iuid_load_iso_3166()') :unaligned
DELETE FROM iuid.countries WHERE id IN (0, 255);
SELECT iuid_load_iso_3166() AS added;
SELECT count(*) AS countries FROM iuid.countries;

-- Country by code, else by name; entity by name; all to the letter.
INSERT INTO iuid.service_entities
VALUES (1, 'Trip', 'a ride'), (165, 'WalletAccount', NULL), (255, 'поездка', NULL), (0, '76', '');
SELECT country, entity, iuid_country(id), iuid_service_entity(id)
FROM (VALUES ('BR', 'Trip'), ('Brazil', 'WalletAccount'), ('KZ', 'поездка'), ('Cote d''Ivoire', '76')) AS v(country, entity),
	gen_iuid(country, entity) AS id;
SELECT iuid_country(id), iuid_service_entity(id) FROM gen_iuid('WalletAccount') AS id;
INSERT INTO iuid.countries VALUES (0, 'Brazil', 'Nowhere'), (255, '中国', 'x'), (253, 'y', 'KZ');
SELECT iuid_country(gen_iuid('Brazil', 'Trip')) AS code_before_name, iuid_country(gen_iuid('中国', 'Trip')) AS multibyte,
	iuid_country(gen_iuid('KZ', 'Trip')) AS code_before_name;
SELECT command || E'\n' || error_of('SELECT ' || command) AS "command and error"
FROM unnest(ARRAY[$$gen_iuid('br', 'Trip')$$, $$gen_iuid('B', 'Trip')$$, $$gen_iuid('BRA', 'Trip')$$, $$gen_iuid(' BR', 'Trip')$$,
	$$gen_iuid('', 'Trip')$$, $$gen_iuid('76', 'Trip')$$, $$gen_iuid('BR', 'trip')$$, $$gen_iuid('BR', '1')$$,
	$$gen_iuid('BR', 'Trip"s; --')$$, $$gen_iuid('no', 'no')$$, $$gen_iuid('a ride')$$]) AS command :unaligned
DELETE FROM iuid.countries WHERE id IN (0, 253, 255);
SELECT error_of(format('SELECT gen_iuid(''BR'', %L)', repeat('x', 100)))
	= format(E'22023 service entity "%s" is not in the registry\n  HINT: %s',
	repeat('x', 100),
	'Upper and lower case differ. If the service entity is missing, add it to table iuid.service_entities.') AS long_name;
INSERT INTO iuid.service_entities VALUES (254, repeat('long ', 30000));
SELECT iuid_service_entity(gen_iuid('BR', repeat('long ', 30000)));

-- The setting takes a code or a name as well, and follows the registry; a person who sets it is told at once.
SET uidext.country = 'KZ';
SELECT iuid_country(gen_iuid(1)), iuid_country(gen_iuid('Trip'));
SET uidext.country = 'Brazil';
SELECT iuid_country(gen_iuid(1)), iuid_country(gen_iuid('Trip'));
BEGIN;
UPDATE iuid.countries SET id = 255 WHERE code = 'BR';
SELECT iuid_country(gen_iuid(1));
DELETE FROM iuid.countries WHERE code = 'BR';
SELECT error_of('SELECT gen_iuid(1)') :unaligned
ROLLBACK;
SELECT iuid_country(gen_iuid(1));
CREATE FUNCTION gen_in_kz() RETURNS iuid LANGUAGE sql SET uidext.country = 'KZ' RETURN gen_iuid(1);
SELECT iuid_country(gen_in_kz()), iuid_country(gen_iuid(1));
DROP FUNCTION gen_in_kz;
-- databases and files may name a country that is not there yet; parallel workers do not mind
SELECT current_database() AS db \gset
ALTER DATABASE :"db" SET uidext.country = 'Atlantis';
\c
SET timezone = 'UTC';
SET datestyle = ISO;
SELECT error_of('SELECT gen_iuid(1)') :unaligned
INSERT INTO iuid.countries VALUES (247, 'XA', 'Atlantis');
SELECT iuid_country(gen_iuid(1));
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT count(*) AS countries FROM iuid.countries WHERE current_setting('uidext.country') = 'Atlantis';
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
DELETE FROM iuid.countries WHERE id = 247;
ALTER DATABASE :"db" RESET uidext.country;
\c
SET timezone = 'UTC';
SET datestyle = ISO;
SET uidext.country = 76;

-- One session sees each change at once, whatever made it, and its undoing.
CREATE FUNCTION id_of(entity text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN iuid_service_entity(gen_iuid('BR', entity));
EXCEPTION WHEN invalid_parameter_value THEN
	RETURN 'unknown';
END $$;
SELECT id_of('New');
INSERT INTO iuid.service_entities VALUES (2, 'New');
SELECT id_of('New');
UPDATE iuid.service_entities SET id = 3 WHERE name = 'New';
SELECT id_of('New');
UPDATE iuid.service_entities SET name = 'Newer' WHERE name = 'New';
SELECT id_of('New'), id_of('Newer');
DELETE FROM iuid.service_entities WHERE name = 'Newer';
SELECT id_of('Newer');
COPY iuid.service_entities (id, name, description) FROM stdin;
2	New	\N
\.
SELECT id_of('New');
BEGIN;
DELETE FROM iuid.service_entities WHERE name = 'New';
SELECT id_of('New');
SAVEPOINT s;
INSERT INTO iuid.service_entities VALUES (9, 'New');
SELECT id_of('New');
ROLLBACK TO s;
SELECT id_of('New');
ROLLBACK;
SELECT id_of('New');
BEGIN;
TRUNCATE iuid.service_entities;
SELECT id_of('New');
ROLLBACK;
SELECT id_of('New');
BEGIN;
UPDATE iuid.countries SET id = 247 WHERE code = 'BR';
SELECT iuid_country(gen_iuid('BR', 'New')), iuid_country(gen_iuid('Brazil', 'New'));
ROLLBACK;
SELECT iuid_country(gen_iuid('BR', 'New')), iuid_country(gen_iuid('Brazil', 'New'));
INSERT INTO iuid.service_entities VALUES (2, 'Other') ON CONFLICT (id) DO UPDATE SET name = excluded.name;
SELECT id_of('New'), id_of('Other');
DO $$ BEGIN
	INSERT INTO iuid.service_entities VALUES (3, 'Within');
	IF id_of('Within') <> '3' THEN
		RAISE 'the change is not seen in the same function';
	END IF;
END $$;
SELECT id_of('Within');
-- also where ordinary triggers do not fire
SET session_replication_role = replica;
UPDATE iuid.service_entities SET id = 4 WHERE name = 'Within';
SELECT id_of('Within');
RESET session_replication_role;
-- and a rewritten or vacuumed table is the same table
VACUUM FULL iuid.service_entities;
SELECT id_of('Within');
DROP FUNCTION id_of;

-- Ids 0 to 255, unique codes and names, one route per country and entity.
SELECT command || E'\n' || error_of(command) AS "command and error"
FROM unnest(ARRAY[
	$$INSERT INTO iuid.countries VALUES (256, 'AA', 'A')$$, $$INSERT INTO iuid.countries VALUES (-1, 'AA', 'A')$$,
	$$INSERT INTO iuid.countries VALUES (NULL, 'AA', 'A')$$, $$INSERT INTO iuid.countries VALUES (0, NULL, 'A')$$,
	$$INSERT INTO iuid.countries VALUES (0, 'AA', NULL)$$, $$INSERT INTO iuid.countries VALUES (76, 'AA', 'A')$$,
	$$INSERT INTO iuid.countries VALUES (0, 'BR', 'A')$$, $$INSERT INTO iuid.countries VALUES (0, 'AA', 'Brazil')$$,
	$$INSERT INTO iuid.service_entities VALUES (256, 'A')$$, $$INSERT INTO iuid.service_entities VALUES (-1, 'A')$$,
	$$INSERT INTO iuid.service_entities VALUES (1, 'A')$$, $$INSERT INTO iuid.service_entities VALUES (9, 'Trip')$$,
	$$INSERT INTO iuid.service_entities VALUES (9, NULL)$$,
	$$INSERT INTO iuid.routes VALUES (256, DEFAULT, 'a')$$, $$INSERT INTO iuid.routes VALUES (-1, DEFAULT, 'a')$$,
	$$INSERT INTO iuid.routes VALUES (NULL, DEFAULT, 'a')$$, $$INSERT INTO iuid.routes VALUES (1, NULL, 'a')$$,
	$$INSERT INTO iuid.routes VALUES (1, 256, 'a')$$,
	$$INSERT INTO iuid.routes VALUES (1, -2, 'a')$$, $$INSERT INTO iuid.routes VALUES (1, 1, NULL)$$,
	$$INSERT INTO iuid.routes VALUES (1, 1, 'a'), (1, 1, 'b')$$, $$INSERT INTO iuid.routes VALUES (1, DEFAULT, 'a'), (1, -1, 'b')$$,
	$$INSERT INTO iuid.routes (country, service, node) VALUES (1, NULL, 'a')$$,
	$$INSERT INTO iuid.routes (country, service, node) VALUES (1, 'Wallet', 'a'), (1, 'Wallet', 'b')$$,
	$$INSERT INTO iuid.routes (country, service_entity, service, node) VALUES (1, 1, 'Wallet', 'a')$$,
	$$INSERT INTO iuid.routes VALUES (1, 1, 'a'), (1, DEFAULT, 'a'), (1, 0, 'b'), (0, 1, 'b'), (255, 255, 'b')$$
]) AS command :unaligned

-- The most specific route wins: country and entity, then country, then none.
INSERT INTO iuid.routes
VALUES (76, DEFAULT, 'br.example', 'all of Brazil', 'sa-east-1'), (76, 165, 'wallet.br.example', NULL, NULL),
	(82, 165, 'wallet.kz.example', NULL, NULL), (0, 0, 'zero.example', NULL, NULL);
-- service and entity apart, each pair once
UPDATE iuid.service_entities SET service = 'Wallet', entity = 'Account' WHERE id = 165;
SELECT error_of($$UPDATE iuid.service_entities SET service = 'Wallet', entity = 'Account' WHERE id = 1$$) :unaligned
SELECT v.country, v.entity, route.*, route IS NULL AS "none"
FROM (VALUES (76, 165), (76, 1), (76, 0), (82, 165), (82, 1), (0, 0), (0, 1), (255, 255)) AS v(country, entity),
	iuid_route(gen_iuid(v.country, v.entity)) AS route;
-- One row serves all entities of a service, and stands between the entity's and the country's.
INSERT INTO iuid.service_entities (id, name, service, entity)
VALUES (30, 'WalletCard', 'Wallet', 'Card'), (31, 'WalletLimit', 'Wallet', 'Limit');
INSERT INTO iuid.routes (country, service, node) VALUES (76, 'Wallet', 'wallets.br.example'),
	(82, 'Wallet', 'wallets.kz.example'), (82, 'Taxi', 'taxi.kz.example');
SELECT v.country, v.entity, e.service, route.node
FROM (
	VALUES (76, 165), (76, 30), (76, 31), (76, 1), (76, 200), (82, 165), (82, 30), (82, 1), (82, 200),
		(0, 30)) AS v(country, entity)
	LEFT JOIN iuid.service_entities AS e ON e.id = v.entity,
	iuid_route(gen_iuid(v.country, v.entity)) AS route;
DELETE FROM iuid.routes WHERE service <> '';
DELETE FROM iuid.service_entities WHERE id IN (30, 31);
SELECT iuid_route('018c22ac-d000-704c-a940-000000000000') IS NULL AS v7,
	iuid_route('018c22ac-d000-814c-a940-000000000000') IS NULL AS ver1,
	iuid_route(gen_random_uuid()) IS NULL AS v4, iuid_route(NULL) IS NULL AS "null";
\x on
SELECT * FROM iuid_describe('018c22ac-d000-804c-a940-000000000000');
SELECT * FROM iuid_describe('018c22ac-d000-804c-8040-000000000000');
SELECT * FROM iuid_describe('018c22ac-d000-8052-8080-000000000000');
SELECT * FROM iuid_describe('018c22ac-d000-80ff-bfff-ffffffffffff');
\x off
SELECT iuid_describe('018c22ac-d000-704c-a940-000000000000') IS NULL AS v7, iuid_describe(NULL) IS NULL AS "null",
	(
		SELECT count(*)
		FROM (VALUES (gen_random_uuid()), (gen_iuid(76, 1))) AS v(id), iuid_describe(id) AS d
		WHERE d.country = 76) AS joined;

-- Numbers are taken as they are, also swapped ones: a look, or a check of the table, tells.
SELECT country, service_entity, service_entity_name IS NULL AS nothing FROM iuid_describe(gen_iuid(1, 76));
CREATE TABLE trips (id iuid PRIMARY KEY CHECK (iuid_service_entity(id) = 1));
INSERT INTO trips VALUES (gen_iuid(76, 1));
SELECT left(error_of('INSERT INTO trips VALUES (gen_iuid(1, 76))'), 5) AS country_and_entity_swapped;
DROP TABLE trips;

-- An ordinary role reads and generates, and changes nothing.
CREATE ROLE regress_uidext_reader;
SET ROLE regress_uidext_reader;
SELECT iuid_country(gen_iuid('BR', 'Trip')), iuid_service_entity(gen_iuid('Trip')), (iuid_route(gen_iuid(76, 165))).node,
	(iuid_describe(gen_iuid(76, 165))).service_entity_name, (SELECT count(*) FROM iuid.countries) AS countries;
SELECT command || E'\n' || error_of(command) AS "command and error"
FROM unnest(ARRAY[
	$$INSERT INTO iuid.countries VALUES (0, 'AA', 'A')$$, $$UPDATE iuid.countries SET id = 0 WHERE code = 'BR'$$,
	$$DELETE FROM iuid.countries$$, $$TRUNCATE iuid.countries$$, 'SELECT iuid_load_iso_3166()',
	$$INSERT INTO iuid.service_entities VALUES (9, 'A')$$, $$DELETE FROM iuid.service_entities$$,
	$$INSERT INTO iuid.routes VALUES (9, DEFAULT, 'A')$$, $$UPDATE iuid.routes SET node = 'evil.example'$$,
	'ALTER TABLE iuid.countries DISABLE TRIGGER ALL']) AS command :unaligned
RESET ROLE;
DROP ROLE regress_uidext_reader;

-- Whatever the search_path, and with another table of that name in it.
CREATE SCHEMA elsewhere;
CREATE TABLE elsewhere.countries (id int, code text, name text);
CREATE TABLE elsewhere.service_entities (id int, name text, description text);
CREATE TABLE elsewhere.routes (LIKE iuid.routes);
SET search_path = elsewhere, public;
SELECT iuid_country(gen_iuid('BR', 'Trip')), (iuid_describe(gen_iuid(76, 165))).node;
SELECT iuid_load_iso_3166() AS added, (SELECT count(*) FROM elsewhere.countries) AS elsewhere;
SET search_path = '';
SELECT public.iuid_country(public.gen_iuid('BR', 'Trip')), (public.iuid_describe(public.gen_iuid(76, 165))).node;
RESET search_path;
-- a type, a column, a variable or an alias of the schema's name is not taken for it
CREATE FUNCTION code_of(iuid iuid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	countries record;
BEGIN
	SELECT * INTO countries FROM iuid.countries WHERE iuid.countries.id = iuid_country(iuid);
	RETURN countries.code;
END $$;
SELECT code_of(iuid.iuid) AS of_variable, iuid_country(iuid.iuid::iuid) AS of_type,
	(SELECT iuid.name FROM iuid.countries AS iuid WHERE iuid.code = 'BR') AS of_alias
FROM (SELECT iuid '018c22ac-d000-804c-a940-000000000000' AS iuid) AS iuid;
DROP FUNCTION code_of;
DROP TABLE elsewhere.countries, elsewhere.service_entities, elsewhere.routes;
DROP SCHEMA elsewhere;

-- The statement that makes another registry equal
DELETE FROM iuid.countries WHERE id = 254;
DELETE FROM iuid.service_entities WHERE id = 254;
INSERT INTO iuid.countries VALUES (254, E'a\\b''', '$$ "odd" % name');
INSERT INTO iuid.service_entities VALUES (254, 'Odd', E'two\nlines');
CREATE TEMP TABLE registry AS
	SELECT to_jsonb(c) AS entry FROM iuid.countries AS c
	UNION ALL SELECT to_jsonb(e) FROM iuid.service_entities AS e
	UNION ALL SELECT to_jsonb(r) FROM iuid.routes AS r;
SET search_path = pg_catalog;
SELECT public.iuid_registry_script() AS script \gset
RESET search_path;
TRUNCATE iuid.countries, iuid.service_entities, iuid.routes;
INSERT INTO iuid.countries VALUES (254, 'BR', 'Brazil');
-- 19 has no other strings than the standard's
SELECT set_config('standard_conforming_strings', 'off', false)
WHERE current_setting('server_version_num')::int < 190000 \g /dev/null
:script;
RESET standard_conforming_strings;
SELECT count(*) AS entries,
	count(*) FILTER (WHERE entry IN (SELECT entry FROM registry)) AS same,
	(SELECT count(*) FROM registry) AS "all"
FROM (
	SELECT to_jsonb(c) AS entry FROM iuid.countries AS c
	UNION ALL SELECT to_jsonb(e) FROM iuid.service_entities AS e
	UNION ALL SELECT to_jsonb(r) FROM iuid.routes AS r) AS now;
SELECT iuid_country(gen_iuid(E'a\\b''', 'Odd')) AS country;

TRUNCATE iuid.countries, iuid.service_entities, iuid.routes;
DROP FUNCTION error_of;
