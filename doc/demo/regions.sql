-- One id that is the primary key, the partition key and the way to the server.
\set QUIET on
\set ON_ERROR_STOP on
\pset footer off
\set ECHO queries

\echo
\echo '== 1. Brazil: the country is a setting of the database, the rest is the same everywhere'
\echo
\connect :brazil
ALTER DATABASE postgres SET uidext.country = 76;
\connect :brazil
\ir regions-country.sql
SELECT * FROM orders ORDER BY id DESC LIMIT 3;

\echo
\echo '== 2. Kazakhstan: uidext.country = 82, and the same script'
\echo
\connect :kazakhstan
ALTER DATABASE postgres SET uidext.country = 82;
\connect :kazakhstan
\set ECHO none
\o /dev/null
\ir regions-country.sql
\o
\set ECHO queries
SELECT * FROM orders ORDER BY id DESC LIMIT 3;

\echo
\echo '== 3. The router: the same table without rows, its partitions are on the servers'
\echo
\connect :router
SET timezone = 'UTC';
CREATE EXTENSION uidext;
CREATE EXTENSION postgres_fdw;
INSERT INTO iuid.countries (id, code, name) VALUES (76, 'BR', 'Brazil'), (82, 'KZ', 'Kazakhstan');
INSERT INTO iuid.service_entities (id, name) VALUES (1, 'Order');
INSERT INTO iuid.routes (country, node) VALUES (76, 'br.example.com'), (82, 'kz.example.com');
CREATE SERVER brazil FOREIGN DATA WRAPPER postgres_fdw
	OPTIONS (host :'region_dir', port '5432', dbname 'postgres', extensions 'uidext', truncatable 'false');
CREATE SERVER kazakhstan FOREIGN DATA WRAPPER postgres_fdw
	OPTIONS (host :'region_dir', port '5433', dbname 'postgres', extensions 'uidext', truncatable 'false');
CREATE USER MAPPING FOR PUBLIC SERVER brazil OPTIONS (user 'postgres');
CREATE USER MAPPING FOR PUBLIC SERVER kazakhstan OPTIONS (user 'postgres');
CREATE TABLE orders (
	id iuid NOT NULL,
	customer int NOT NULL,
	total numeric NOT NULL,
	paid_at timestamptz
) PARTITION BY HASH (id iuid_country_ops);
SELECT iuid_partition_create('orders', '{76}', 'brazil');
SELECT iuid_partition_create('orders', '{82}', 'kazakhstan');
ANALYZE orders_br, orders_kz;

\echo
\echo '== 4. A row inserted here goes where its id says'
\echo
INSERT INTO orders VALUES (gen_iuid('BR', 'Order'), 1, 10), (gen_iuid('KZ', 'Order'), 2, 20)
RETURNING tableoid::regclass AS partition, id;
SELECT id AS brazilian FROM orders_br ORDER BY id DESC LIMIT 1 \gset
SELECT id AS kazakh FROM orders_kz ORDER BY id DESC LIMIT 1 \gset
SELECT "time", country_name, service_entity_name, node FROM iuid_describe(:'kazakh');

\echo
\echo '== 5. An id is looked up on the one server that has it; no other is contacted'
\echo
EXPLAIN (VERBOSE, COSTS OFF) SELECT * FROM orders WHERE id = :'brazilian';
SELECT * FROM orders WHERE id = :'brazilian';

\echo
\echo '== 6. The newest orders of the world: each server sends its own in order, the router merges'
\echo
EXPLAIN (VERBOSE, COSTS OFF)
SELECT * FROM orders WHERE id >= timestamptz '2026-01-01' ORDER BY id DESC LIMIT 3;
SELECT tableoid::regclass AS partition, id, uuid_time(id) FROM orders
WHERE id >= timestamptz '2026-01-01' ORDER BY id DESC LIMIT 3;

\echo
\echo '== 7. An update that the router has to do row by row changes the row of its id: foreign partitions are leaves there'
\echo
EXPLAIN (VERBOSE, COSTS OFF) UPDATE orders SET paid_at = now() WHERE id = :'kazakh';
UPDATE orders SET paid_at = now() WHERE id = :'kazakh' RETURNING *;

\echo
\echo '== 8. Kazakhstan goes down: only the ids that live there fail'
\echo
\! $KAZAKHSTAN_CTL -m immediate stop
\set ON_ERROR_STOP off
SELECT * FROM orders WHERE id = :'brazilian';
INSERT INTO orders VALUES (gen_iuid('BR', 'Order'), 3, 30) RETURNING tableoid::regclass AS partition, id;
SELECT * FROM orders WHERE id = :'kazakh';
\set ON_ERROR_STOP on
\echo
\echo 'It comes back, and the session goes on:'
\echo
\! $KAZAKHSTAN_CTL start
SELECT * FROM orders WHERE id = :'kazakh';

\echo
\echo '== 9. What a router cannot place it refuses, and to empty all countries at once'
\echo
\set ON_ERROR_STOP off
INSERT INTO orders VALUES (gen_iuid(250, 1), 4, 40);
TRUNCATE orders;
SELECT * FROM orders WHERE id = '8d6b2b0c-0f24-4b9c-9a53-d4f6c6ee1e4d';
\set ECHO none
