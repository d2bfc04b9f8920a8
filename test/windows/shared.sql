-- What the 8 sessions of sessions.sql, processes that nobody forked, have from the
-- memory that they share: ids that differ, in order, of one node.
BEGIN;
SELECT plan(5);

SELECT is(current_setting('shared_preload_libraries'), 'uidext', 'the library is preloaded');
SELECT results_eq(
	'SELECT count(DISTINCT session), count(DISTINCT ordered), count(DISTINCT snowflake), count(DISTINCT of_server) FROM ids',
	'VALUES (8::bigint, 40000::bigint, 40000::bigint, 40000::bigint)', 'no two ids of 8 sessions are the same');
SELECT is(count(*), 0::bigint, 'those of each session are in order')
FROM (SELECT ordered, snowflake, lag(ordered) OVER made AS last_ordered, lag(snowflake) OVER made AS last_snowflake
	FROM ids WINDOW made AS (PARTITION BY session ORDER BY n)) AS pairs
WHERE ordered <= last_ordered OR snowflake <= last_snowflake;
SELECT is(count(DISTINCT (uuid_inspect(of_server)).node), 1::bigint, 'v1 has the node of the server') FROM ids;
SELECT is(count(*), 0::bigint, 'all are of now') FROM ids
WHERE uuid_time(ordered) NOT BETWEEN now() - interval '1 hour' AND now() + interval '1 minute'
	OR uuid_time(of_server) NOT BETWEEN now() - interval '1 hour' AND now() + interval '1 minute';

SELECT * FROM finish();
ROLLBACK;
