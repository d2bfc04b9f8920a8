-- uidext_internal.hold_names(): who may keep others from renaming a schema.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(7);

CREATE ROLE order_keeper;
CREATE ROLE invoice_keeper;
GRANT CREATE ON SCHEMA public TO order_keeper, invoice_keeper;
SET ROLE order_keeper;
CREATE TABLE orders (id uuid, country text) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT PARTITION BY LIST (country);
CREATE TABLE orders_rest_kz PARTITION OF orders_rest FOR VALUES IN ('KZ');
CREATE TABLE orders_rest_others PARTITION OF orders_rest DEFAULT;
SET ROLE invoice_keeper;
CREATE TABLE invoices (order_id uuid);
RESET ROLE;

CREATE FUNCTION pg_temp.holds(VARIADIC tables regclass[]) RETURNS text
	LANGUAGE sql
	RETURN pg_temp.outcome(format('SELECT uidext_internal.hold_names(%L)', tables::oid[]), undo => true);

SET ROLE order_keeper;
SELECT is(pg_temp.holds('orders', 'orders_rest_kz'), '("")', 'owners may hold the names of their tables');
SELECT matches(pg_temp.holds('pg_catalog.pg_class'), '^42501: must be owner of table pg_class$',
	'others may not, even if they read the table');
SELECT matches(pg_temp.holds('orders', 'invoices'), '^42501: must be owner of table invoices$',
	'nor beside a table of their own, if they do not');
RESET ROLE;
GRANT SELECT ON invoices TO order_keeper;
SET ROLE order_keeper;
SELECT is(pg_temp.holds('orders', 'invoices'), '("")', 'if they do, they may');

-- What is beneath a table can have another owner.
RESET ROLE;
ALTER TABLE orders_rest OWNER TO invoice_keeper;
ALTER TABLE orders_rest_kz OWNER TO invoice_keeper;
SET ROLE order_keeper;
REVOKE SELECT ON orders_rest_others FROM order_keeper;
SELECT is(pg_temp.holds('orders_rest_kz'), '("")', 'the owner of a table may hold the names of all beneath it');
SELECT is(pg_temp.holds('orders_rest_others'), '("")', 'and who owns a partition that of it');
SET ROLE invoice_keeper;
SELECT matches(pg_temp.holds('orders'), '^42501: must be owner of table orders$', 'but not that of the table above it');

SELECT * FROM finish();
ROLLBACK;
