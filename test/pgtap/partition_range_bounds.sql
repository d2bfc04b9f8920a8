-- What is read of a table's partitions are bounds of its own key, compared as the
-- table compares them.

BEGIN;
\ir include/settings.sql
SELECT plan(6);
SET LOCAL search_path = pg_temp, public;

CREATE FUNCTION pg_temp.partitions(parent regclass) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(b.partition::text, ' ' ORDER BY n)
	FROM uidext_internal.range_bounds(parent) WITH ORDINALITY AS b (partition, lower_id, upper_id, is_default, pending, n)
$$;

-- A key with a collation has no order without it.
CREATE TABLE shops (region text COLLATE "C") PARTITION BY RANGE (region);
CREATE TABLE shops_lower PARTITION OF shops FOR VALUES FROM ('a') TO ('z');
CREATE TABLE shops_upper PARTITION OF shops FOR VALUES FROM ('A') TO ('Z');
CREATE TABLE shops_rest PARTITION OF shops DEFAULT;
SELECT is(pg_temp.partitions('shops'), 'shops_upper shops_lower shops_rest',
	'partitions by a text stand in the order of its collation');

-- Nor has a key by an operator class the order of another.
CREATE FUNCTION pg_temp.backwards(int, int) RETURNS int LANGUAGE sql IMMUTABLE RETURN btint4cmp($2, $1);
CREATE OPERATOR CLASS pg_temp.backwards_ops FOR TYPE int USING btree AS
	OPERATOR 1 >, OPERATOR 2 >=, OPERATOR 3 =, OPERATOR 4 <=, OPERATOR 5 <, FUNCTION 1 pg_temp.backwards(int, int);
CREATE TABLE lots (n int) PARTITION BY RANGE (n pg_temp.backwards_ops);
CREATE TABLE lots_few PARTITION OF lots FOR VALUES FROM (9) TO (0);
CREATE TABLE lots_many PARTITION OF lots FOR VALUES FROM (99) TO (9);
SELECT is(pg_temp.partitions('lots'), 'lots_many lots_few', 'and those by an operator class in its order');

-- Partitions are read without a lock, so one may go to a table of another key
-- between pg_inherits and its bound.
CREATE TABLE orders (id uuid) PARTITION BY RANGE (id);
CREATE TABLE orders_2026 PARTITION OF orders FOR VALUES FROM (uuid_boundary('2026-01-01Z')) TO (uuid_boundary('2027-01-01Z'));
CREATE TABLE orders_2027 PARTITION OF orders FOR VALUES FROM (uuid_boundary('2027-01-01Z')) TO (uuid_boundary('2028-01-01Z'));
CREATE TABLE pairs (n int, m int) PARTITION BY RANGE (n, m);
CREATE TABLE pairs_few PARTITION OF pairs FOR VALUES FROM (1, 1) TO (9, 9);
CREATE TABLE pairs_many PARTITION OF pairs FOR VALUES FROM (9, 9) TO (99, 99);
CREATE TABLE kinds (n int) PARTITION BY LIST (n);
CREATE TABLE kinds_one PARTITION OF kinds FOR VALUES IN (1);
SELECT is(pg_temp.partitions('pairs'), NULL, 'a table by two columns has none');
UPDATE pg_inherits SET inhparent = 'orders'::regclass
WHERE inhrelid IN ('lots_few'::regclass, 'lots_many'::regclass, 'pairs_few'::regclass, 'pairs_many'::regclass,
	'kinds_one'::regclass);
SELECT is(pg_temp.partitions('orders'), 'orders_2026 orders_2027', 'a partition that is another table''s by now is left out');
SELECT is(pg_temp.partitions('lots'), NULL, 'where it was');

-- Two ranges can be of different types, and still be of one key's type.
CREATE TABLE stays (days int4range) PARTITION BY RANGE (days);
CREATE TABLE stays_first PARTITION OF stays FOR VALUES FROM ('[1,2)') TO ('[8,9)');
CREATE TABLE prices (between_two numrange) PARTITION BY RANGE (between_two);
CREATE TABLE prices_low PARTITION OF prices FOR VALUES FROM ('[1,2)') TO ('[8,9)');
UPDATE pg_inherits SET inhparent = 'stays'::regclass WHERE inhrelid = 'prices_low'::regclass;
SELECT is(pg_temp.partitions('stays'), NULL, 'a table by ranges of values has none');

SELECT * FROM finish();
ROLLBACK;
