-- Every country's server finds any id: its own here, the others where they live.
\set QUIET on
\set ON_ERROR_STOP on
\pset footer off
\set ECHO queries

\echo
\echo '== 1. Brazil: its partition is here, with the primary key on it; the setting is all that differs from country to country'
\echo
\connect :brazil
ALTER DATABASE postgres SET uidext.country = 76;
\connect :brazil
\ir mesh-country.sql

\echo
\echo '== 2. Kazakhstan and Mexico: the same script'
\echo
\connect :kazakhstan
ALTER DATABASE postgres SET uidext.country = 82;
\connect :mexico
ALTER DATABASE postgres SET uidext.country = 123;
\set ECHO none
\o /dev/null
\connect :kazakhstan
\ir mesh-country.sql
\connect :mexico
\ir mesh-country.sql
\connect :brazil
\ir mesh-peers.sql
\connect :mexico
\ir mesh-peers.sql
\o
\set ECHO queries

\echo
\echo '== 3. The others become foreign tables, here on Kazakhstan''s server, and alike on the other two'
\echo
\connect :kazakhstan
\ir mesh-peers.sql
SELECT relname AS partition, CASE relkind WHEN 'f' THEN 'elsewhere' ELSE 'here' END AS place
FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = 'orders'::regclass ORDER BY relname;
SELECT tableoid::regclass AS partition, count(*) FROM orders GROUP BY 1 ORDER BY 1;

\echo
\echo '== 4. A row inserted without an id stays at home; an id of another country goes there'
\echo
INSERT INTO orders (customer, total) VALUES (2000, 20) RETURNING tableoid::regclass AS partition, id;
INSERT INTO orders VALUES (gen_iuid('BR', 'Order'), 2000, 10) RETURNING tableoid::regclass AS partition, id;
SELECT id AS brazilian FROM orders_br WHERE customer = 2000 \gset
SELECT id AS kazakh FROM orders_kz WHERE customer = 2000 \gset

\echo
\echo '== 5. Mexico finds both, and asks the one server that has it'
\echo
\connect :mexico
EXPLAIN (VERBOSE, COSTS OFF) SELECT * FROM orders WHERE id = :'brazilian';
SELECT tableoid::regclass AS partition, customer, total FROM orders WHERE id = :'brazilian';
SELECT tableoid::regclass AS partition, customer, total FROM orders WHERE id = :'kazakh';

\echo
\echo '== 6. No id twice: the country decides the place, and there is a primary key'
\echo
\set ON_ERROR_STOP off
INSERT INTO orders VALUES (:'kazakh', 2001, 1);
INSERT INTO orders_mx VALUES (:'kazakh', 2001, 1);

\echo
\echo '== 7. Kazakhstan is away: the others answer, and take orders'
\echo
\! $KAZAKHSTAN_CTL -m immediate stop
SELECT customer, total FROM orders WHERE id = :'brazilian';
INSERT INTO orders (customer, total) VALUES (3000, 30) RETURNING tableoid::regclass AS partition, id;
SELECT * FROM orders WHERE id = :'kazakh';
\echo
\echo 'It comes back, and the session goes on:'
\echo
\! $KAZAKHSTAN_CTL start
SELECT customer, total FROM orders WHERE id = :'kazakh';
\set ECHO none
