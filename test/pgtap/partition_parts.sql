-- Which time can the partitions of a partition hold?  Their own, if they divide it by ranges of
-- the same key alone; else all of it.

BEGIN;
\ir include/settings.sql
SELECT plan(7);

CREATE FUNCTION pg_temp.parts(relation regclass) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(format('%s: %s to %s', partition, from_time, to_time), ', ' ORDER BY partition::text COLLATE "C")
	FROM uidext_internal.partition_parts_in_time(relation, 'id', 'uuid')
$$;

SELECT uuid_boundary('2020-01-02 00:00+00') AS second, uuid_boundary('2020-01-03 00:00+00') AS third \gset
CREATE TABLE orders (id uuid, n int);
SELECT is(pg_temp.parts('orders'), NULL, 'a table that is not partitioned has none');
CREATE TABLE by_day (id uuid, n int) PARTITION BY RANGE (id);
CREATE TABLE by_day_2 PARTITION OF by_day FOR VALUES FROM (:'second') TO (:'third');
CREATE TABLE by_day_3 PARTITION OF by_day FOR VALUES FROM (:'third') TO (MAXVALUE);
SELECT is(pg_temp.parts('by_day'),
	'by_day_2: 2020-01-02 00:00:00+00 to 2020-01-03 00:00:00+00, by_day_3: 2020-01-03 00:00:00+00 to infinity',
	'partitions by ranges of the key hold their own time');
CREATE TABLE by_day_and_n (id uuid, n int) PARTITION BY RANGE (id, n);
CREATE TABLE by_day_and_n_2 PARTITION OF by_day_and_n FOR VALUES FROM (:'second', 0) TO (:'third', 0);
SELECT is(pg_temp.parts('by_day_and_n'), 'by_day_and_n_2: -infinity to infinity',
	'partitions by ranges of the key and another column hold all time');
CREATE TABLE by_n (id uuid, n int) PARTITION BY RANGE (n);
CREATE TABLE by_n_0 PARTITION OF by_n FOR VALUES FROM (0) TO (1);
SELECT is(pg_temp.parts('by_n'), 'by_n_0: -infinity to infinity', 'partitions by ranges of another column hold all time');
CREATE TABLE by_list (id uuid, n int) PARTITION BY LIST (id);
CREATE TABLE by_list_2 PARTITION OF by_list FOR VALUES IN (:'second');
SELECT is(pg_temp.parts('by_list'), 'by_list_2: -infinity to infinity', 'partitions by a list of keys hold all time');
CREATE TABLE by_hash (id uuid, n int) PARTITION BY HASH (id);
CREATE TABLE by_hash_0 PARTITION OF by_hash FOR VALUES WITH (MODULUS 1, REMAINDER 0);
SELECT is(pg_temp.parts('by_hash'), 'by_hash_0: -infinity to infinity', 'partitions by hashes of the key hold all time');

-- The names that parts of a new partition get.
CREATE TABLE trips (id uuid, n int) PARTITION BY LIST (n);
CREATE TABLE trips_2 PARTITION OF trips FOR VALUES IN (1);
CREATE TABLE rides9 PARTITION OF trips FOR VALUES IN (2);
SELECT is(array_agg(made_name ORDER BY made_name COLLATE "C"), '{tours,tours_1,tours_2}', 'each part gets a name of its own')
FROM uidext_internal.partition_tree_like('trips', 'tours');

SELECT * FROM finish();
ROLLBACK;
