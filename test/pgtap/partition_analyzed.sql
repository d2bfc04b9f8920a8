-- Autovacuum analyzes partitions, never the table that they belong to.  Check says so,
-- because the planner then knows nothing of the columns of the whole.

BEGIN;
\ir include/settings.sql
SET client_min_messages = error;
SELECT plan(9);

CREATE FUNCTION pg_temp.said(what text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	RETURN (
		SELECT count(*)
		FROM uuid_partition_check('orders', '0', followers => '{items}')
		WHERE severity = 1 AND message ~* 'analyze' AND message ~ what);
END $$;

CREATE TABLE orders (id uuid PRIMARY KEY, customer int) PARTITION BY RANGE (id);
CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
SELECT count(*) AS made FROM uuid_partition_create('orders', date_trunc('month', now(), 'UTC'), now(), '1 month') \gset
SELECT count(*) AS made FROM uuid_partition_follow('items', 'orders') \gset
SELECT format('ANALYZE %s', partition) FROM uuid_partition_list('orders') WHERE kind = 'partition' \gexec
SELECT is(pg_temp.said(''), 0::bigint, 'check says nothing of a table without rows');
INSERT INTO orders SELECT gen_uuidv7_at(now()), n FROM generate_series(1, 500) n;
SELECT format('ANALYZE %s', partition) FROM uuid_partition_list('orders') WHERE kind = 'partition' \gexec
SELECT is(pg_temp.said('orders'), 1::bigint, 'check tells of a table that was never analyzed while its partitions have rows');
SELECT is(pg_temp.said('items'), 0::bigint, 'not of a follower that has none');
INSERT INTO items SELECT id, 1 FROM orders LIMIT 1;
SELECT format('ANALYZE %s', partition) FROM uuid_partition_list('items') WHERE kind = 'partition' \gexec
SELECT is(pg_temp.said('items'), 1::bigint, 'check tells of a follower that was never analyzed, even if it has one row only');
ANALYZE orders;
SELECT is(pg_temp.said('orders'), 0::bigint, 'check says nothing more once the table is analyzed');
SELECT is(pg_temp.said('items'), 1::bigint, 'but of the follower');
ANALYZE items;
SELECT is(pg_temp.said(''), 0::bigint, 'until that is, too');

-- statistics can be set to anything
UPDATE pg_class SET reltuples = 1e30 WHERE oid IN (SELECT partition FROM uuid_partition_list('orders'));
SELECT lives_ok($$SELECT * FROM uuid_partition_list('orders')$$, 'no estimate of rows is too large for a list');

-- Analyzed as a whole before it had rows, a table counts as analyzed.
DROP TABLE items, orders;
CREATE TABLE orders (id uuid PRIMARY KEY, customer int) PARTITION BY RANGE (id);
CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
SELECT count(*) AS made FROM uuid_partition_create('orders', date_trunc('month', now(), 'UTC'), now(), '1 month') \gset
ANALYZE orders;
INSERT INTO orders SELECT gen_uuidv7_at(now()), n FROM generate_series(1, 500) n;
SELECT format('ANALYZE %s', partition) FROM uuid_partition_list('orders') WHERE kind = 'partition' \gexec
SELECT is(pg_temp.said('orders'), 0::bigint, 'check says nothing of a table that was analyzed while it was empty');

SELECT * FROM finish();
ROLLBACK;
