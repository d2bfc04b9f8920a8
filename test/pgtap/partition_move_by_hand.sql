-- uidext_internal.move_ids() by hand: whoever may call it has all rights on the tables, and
-- still breaks no foreign key, neither his own nor one of others.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(25);

CREATE ROLE order_keeper;
CREATE ROLE invoice_keeper;
GRANT CREATE ON SCHEMA public TO order_keeper, invoice_keeper;
SET ROLE order_keeper;
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE TABLE elsewhere (id uuid PRIMARY KEY);
CREATE TABLE orders_2020_01 (id uuid PRIMARY KEY);
INSERT INTO orders VALUES (uuid_boundary('2020-01-10 00:00+00')), (uuid_boundary('2020-02-10 00:00+00'));
GRANT REFERENCES ON orders, orders_rest TO invoice_keeper;
SET ROLE invoice_keeper;
CREATE TABLE invoices (order_id uuid REFERENCES orders ON DELETE CASCADE);
RESET ROLE;
INSERT INTO invoices SELECT id FROM orders;
SET ROLE order_keeper;

CREATE FUNCTION pg_temp.moves(source regclass, target regclass, most int DEFAULT 10) RETURNS text
	LANGUAGE sql
	RETURN pg_temp.outcome(format($$SELECT uidext_internal.move_ids(%L, %L, 'id', uuid_boundary('2020-01-01 00:00+00')::text,
		uuid_boundary('2020-02-01 00:00+00')::text, %L)$$, source, target, most));

SELECT matches(pg_temp.moves('invoices', 'elsewhere'), '^42501', 'no rows come out of a table of somebody else''s');
SELECT matches(pg_temp.moves('elsewhere', 'orders'), '^42809: "elsewhere" is not a default partition$',
	'rows come out of default partitions alone');
SELECT matches(pg_temp.moves('orders_rest', 'orders_rest'), '^42809', 'they do not come to where they are');
SELECT is(pg_temp.moves('orders_rest', 'orders_2020_01', 0),
	'54000: more than 0 rows would be moved under a lock', 'no more rows move than shall');
SELECT matches(pg_temp.outcome($$SELECT uidext_internal.move_ids('orders_rest', 'orders_2020_01', 'id', 'no id', 'no id', 10)$$),
	'^22P02', 'bounds are ids');

RESET ROLE;
ALTER TABLE invoices DROP CONSTRAINT invoices_order_id_fkey;
SET ROLE invoice_keeper;
ALTER TABLE invoices ADD FOREIGN KEY (order_id) REFERENCES orders_rest;
SET ROLE order_keeper;
SELECT is(pg_temp.moves('orders_rest', 'orders_2020_01'), '55000: a foreign key refers to partition "orders_rest" itself',
	'nothing moves out of a partition to which a foreign key refers by itself');
RESET ROLE;
ALTER TABLE invoices DROP CONSTRAINT invoices_order_id_fkey;
SET ROLE invoice_keeper;
ALTER TABLE invoices ADD FOREIGN KEY (order_id) REFERENCES orders ON DELETE CASCADE;

-- A check at the end of the transaction would look for the row where it no longer is.
SET ROLE order_keeper;
CREATE TABLE customers (id int PRIMARY KEY);
ALTER TABLE orders ADD customer int REFERENCES customers DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE orders_2020_01 ADD customer int;
UPDATE orders SET customer = 99 WHERE id < uuid_boundary('2020-02-01 00:00+00');
SELECT is(pg_temp.moves('orders_rest', 'orders_2020_01'),
	'55006: cannot drain "orders_rest" because it has pending trigger events', 'nothing moves that has still to be checked');
UPDATE orders SET customer = NULL;
SET CONSTRAINTS ALL IMMEDIATE;
SELECT is(pg_temp.moves('orders_rest', 'orders_2020_01'), '(1)', 'rows come to the partition that is attached for them');
SELECT is((SELECT string_agg(tableoid::regclass::text, ', ' ORDER BY id) FROM orders), 'orders_2020_01, orders_rest',
	'where they are of the table as before');
RESET ROLE;
SELECT is((SELECT count(*) FROM invoices), 2::bigint, 'and what refers to them is there');

-- What somebody else has put into a part of the target would run with the caller's rights.
SET ROLE order_keeper;
CREATE TABLE orders_2020_02 (id uuid, customer int) PARTITION BY LIST (customer);
CREATE TABLE orders_2020_02_others PARTITION OF orders_2020_02 DEFAULT;
RESET ROLE;
ALTER TABLE orders_2020_02_others OWNER TO invoice_keeper;
SET ROLE order_keeper;
SELECT matches(pg_temp.moves('orders_rest', 'orders_2020_02'), '^42501: must be owner of table orders_2020_02_others',
	'nothing comes to a part of somebody else''s');
SELECT matches(
	pg_temp.outcome($$
		SELECT uidext_internal.attach_ids(
			'orders', 'orders_2020_02', NULL, uuid_boundary('2020-01-01 00:00+00')::text)$$),
	'^42501: must be owner of table orders_2020_02_others', 'nor is one attached');

-- Rows come to ordinary tables alone.
RESET ROLE;
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER kazakhstan FOREIGN DATA WRAPPER nowhere;
GRANT USAGE ON FOREIGN SERVER kazakhstan TO order_keeper;
SET ROLE order_keeper;
CREATE TABLE trips (id uuid, country text) PARTITION BY RANGE (id);
CREATE TABLE trips_rest PARTITION OF trips DEFAULT;
CREATE TABLE trips_2020_01 (LIKE trips) PARTITION BY LIST (country);
CREATE FOREIGN TABLE trips_2020_01_kz PARTITION OF trips_2020_01 DEFAULT SERVER kazakhstan;
INSERT INTO trips VALUES (uuid_boundary('2020-01-10 00:00+00'), 'KZ');
SELECT is(pg_temp.moves('trips_rest', 'trips_2020_01'), '42809: "trips_2020_01_kz" is not an ordinary table',
	'nor to a foreign table beneath the new partition');

-- No trigger of a foreign key fires, so one that the rows have not been checked for is refused.
CREATE TABLE seats (seat int PRIMARY KEY);
CREATE TABLE tickets (id uuid, seat int) PARTITION BY RANGE (id);
CREATE TABLE tickets_rest PARTITION OF tickets DEFAULT;
CREATE TABLE tickets_2020_01 (LIKE tickets, CONSTRAINT known_seat FOREIGN KEY (seat) REFERENCES seats);
INSERT INTO tickets VALUES (uuid_boundary('2020-01-10 00:00+00'), 99);
SELECT is(pg_temp.moves('tickets_rest', 'tickets_2020_01'),
	'55000: foreign key "known_seat" of table "tickets_2020_01" would not be checked',
	'nothing comes to a table with a foreign key of its own');
CREATE TABLE tickets_2020 (LIKE tickets) PARTITION BY LIST (seat);
ALTER TABLE tickets_2020 ATTACH PARTITION tickets_2020_01 DEFAULT;
SELECT is(pg_temp.moves('tickets_rest', 'tickets_2020'),
	'55000: foreign key "known_seat" of table "tickets_2020_01" would not be checked',
	'nor is one of a table beneath it passed over');
INSERT INTO seats VALUES (99);
ALTER TABLE tickets ADD FOREIGN KEY (seat) REFERENCES seats;
SELECT is(pg_temp.moves('tickets_rest', 'tickets_2020'), '(1)', 'the key of the partitioned table has checked them');

-- From 18 on a partitioned table can have the same key, which is not valid.
CREATE TABLE visits (id uuid, seat int) PARTITION BY RANGE (id);
CREATE TABLE visits_rest PARTITION OF visits DEFAULT;
CREATE TABLE visits_2020_01 (LIKE visits, CONSTRAINT known_seat FOREIGN KEY (seat) REFERENCES seats);
INSERT INTO visits VALUES (uuid_boundary('2020-01-10 00:00+00'), 1);
SELECT current_setting('server_version_num')::int >= 180000 AS from_18 \gset
\if :from_18
ALTER TABLE visits ADD FOREIGN KEY (seat) REFERENCES seats NOT VALID;
\endif
SELECT is(pg_temp.moves('visits_rest', 'visits_2020_01'),
	'55000: foreign key "known_seat" of table "visits_2020_01" would not be checked',
	'nor is a key passed over that only the new partition has validated');

-- A row may be older than a column, and keeps NULL there whatever another table gives to its own old rows.
CREATE TABLE letters (id uuid) PARTITION BY RANGE (id);
CREATE TABLE letters_rest PARTITION OF letters DEFAULT;
INSERT INTO letters VALUES (uuid_boundary('2020-01-10 00:00+00'));
ALTER TABLE letters ADD stamp text;
CREATE TABLE letters_2020_01 (id uuid);
ALTER TABLE letters_2020_01 ADD stamp text DEFAULT 'blue';
SELECT is(pg_temp.moves('letters_rest', 'letters_2020_01'), '(1)', 'a row moves that is older than a column');
SELECT is((SELECT stamp FROM letters), NULL, 'and has no value there afterwards either');

-- Where triggers of constraints are switched off, uniqueness is not.
CREATE TABLE chairs (id uuid) PARTITION BY RANGE (id);
CREATE TABLE chairs_rest PARTITION OF chairs DEFAULT;
CREATE TABLE chairs_2020_01 (id uuid UNIQUE DEFERRABLE);
INSERT INTO chairs SELECT uuid_boundary('2020-01-10 00:00+00') FROM generate_series(1, 2);
RESET ROLE;
SET session_replication_role = replica;
SET ROLE order_keeper;
SELECT matches(pg_temp.moves('chairs_rest', 'chairs_2020_01'), '^23505', 'a key that can be deferred is checked in a session of replication, too');
RESET ROLE;
RESET session_replication_role;
SET ROLE order_keeper;

-- What refers to a value that a column generates would not notice another one.
CREATE FUNCTION label_of(int) RETURNS int IMMUTABLE LANGUAGE sql RETURN $1 * 10;
CREATE TABLE boxes (
	id uuid, label int GENERATED ALWAYS AS (label_of(number)) STORED, number int, UNIQUE (id, label))
PARTITION BY RANGE (id);
CREATE TABLE boxes_rest PARTITION OF boxes DEFAULT;
CREATE TABLE boxes_2020_01 (number int, gone int, id uuid, label int GENERATED ALWAYS AS (label_of(number)) STORED);
ALTER TABLE boxes_2020_01 DROP gone;
CREATE TABLE boxes_2020 (LIKE boxes INCLUDING GENERATED) PARTITION BY HASH (id);
CREATE TABLE boxes_2020_all (label int GENERATED ALWAYS AS (label_of(number)) STORED, number int, id uuid);
ALTER TABLE boxes_2020 ATTACH PARTITION boxes_2020_all FOR VALUES WITH (MODULUS 1, REMAINDER 0);
INSERT INTO boxes (id, number) VALUES (uuid_boundary('2020-01-10 00:00+00'), 7);
CREATE TABLE contents (box uuid, label int, FOREIGN KEY (box, label) REFERENCES boxes (id, label));
INSERT INTO contents SELECT id, label FROM boxes;
CREATE OR REPLACE FUNCTION label_of(int) RETURNS int IMMUTABLE LANGUAGE sql RETURN $1 * 100;
SELECT is(pg_temp.moves('boxes_rest', 'boxes_2020_01'), '55000: generated column "label" of a row would change',
	'no row moves that another table would find no more');
SELECT is(pg_temp.moves('boxes_rest', 'boxes_2020'), '55000: generated column "label" of a row would change',
	'nor to a table beneath the new partition');
CREATE OR REPLACE FUNCTION label_of(int) RETURNS int IMMUTABLE LANGUAGE sql RETURN $1 * 10;
SELECT is(pg_temp.moves('boxes_rest', 'boxes_2020'), '(1)', 'a row moves whose generated values stay');

-- An event trigger may change the columns while the rows are in no table.
CREATE TABLE parcels (id uuid PRIMARY KEY, sender text, receiver text) PARTITION BY RANGE (id);
CREATE TABLE parcels_rest PARTITION OF parcels DEFAULT;
CREATE TABLE parcels_2020_01 (LIKE parcels INCLUDING ALL);
INSERT INTO parcels VALUES (uuid_boundary('2020-01-10 00:00+00'), 'Ada', 'Grace');
RESET ROLE;
CREATE FUNCTION exchange_columns() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
	IF current_setting('shop.exchanged', true) IS DISTINCT FROM 'yes' THEN
		PERFORM set_config('shop.exchanged', 'yes', true);
		ALTER TABLE parcels RENAME sender TO spare;
		ALTER TABLE parcels RENAME receiver TO sender;
		ALTER TABLE parcels RENAME spare TO receiver;
	END IF;
END $$;
CREATE EVENT TRIGGER exchange_columns ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION exchange_columns();
SET ROLE order_keeper;
SELECT matches(pg_temp.moves('parcels_rest', 'parcels_2020_01'),
	'^40001: could not serialize access: the columns of table "parcels_2020_01" have changed',
	'no value comes to another column');
RESET ROLE;
DROP EVENT TRIGGER exchange_columns;
SET ROLE order_keeper;

SET transaction_read_only = on;
SELECT matches(pg_temp.moves('orders_rest', 'orders_2020_01'), '^25006',
	'nothing moves in a transaction that is to write nothing');

SELECT * FROM finish();
ROLLBACK;
