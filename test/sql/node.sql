-- Setting uidext.node: ids of one node
\set SHOW_CONTEXT never

-- Empty by default: a new node in every id
SELECT count(DISTINCT (uuid_inspect(id)).node) AS nodes, bool_and(get_bit(uuid_send(id), 80) = 1) AS multicast
FROM (SELECT gen_uuidv1() AS id FROM generate_series(1, 100)) AS ids;

SHOW uidext.node;

-- One of the session's own, and one clock sequence.  The ids, as SQL Server
-- stores them, are in its order: NEWSEQUENTIALID() made elsewhere
SET uidext.node = session;
SELECT count(*) AS ids,
	count(*) FILTER (WHERE previous ~<~ id) AS in_order,
	count(DISTINCT substr(uuid_send(id), 9)) AS nodes_and_clock_sequences,
	bool_and(get_bit(uuid_send(id), 80) = 1) AS multicast
FROM (
	SELECT id, lag(id) OVER () AS previous
	FROM (SELECT gen_uuidv1() AS id FROM generate_series(1, 1000000) OFFSET 0) AS ids) AS pairs;

-- The same node in v6 and v13, which are in the order of their bytes
SELECT count(*) FILTER (WHERE previous < id) AS in_order, count(DISTINCT substr(uuid_send(id), 9)) AS nodes
FROM (
	SELECT id, lag(id) OVER () AS previous
	FROM (SELECT gen_uuidv6() AS id FROM generate_series(1, 10000) OFFSET 0) AS ids) AS pairs;
SELECT count(*) FILTER (WHERE previous < id) AS in_order, count(DISTINCT substr(uuid_send(id), 9)) AS nodes
FROM (
	SELECT id, lag(id) OVER () AS previous
	FROM (SELECT gen_uuidv13() AS id FROM generate_series(1, 10000) OFFSET 0) AS ids) AS pairs;
SELECT substr(uuid_send(gen_uuidv1()), 9) = substr(uuid_send(gen_uuidv6()), 9) AS same_as_v6,
	substr(uuid_send(gen_uuidv1()), 9) = substr(uuid_send(gen_uuidv13()), 9) AS same_as_v13;

-- What SQL Server prints of one, and back
SELECT uuid_from_sqlserver(uuid_to_sqlserver(id)) = id AS same, uuid_to_sqlserver(id) <> id AS swapped
FROM (SELECT gen_uuidv1() AS id OFFSET 0) AS ids;

-- Never ahead of the clock by more than 100 ns
SELECT count(*) AS ahead FROM (SELECT gen_uuidv6() AS id, clock_timestamp() AS at FROM generate_series(1, 100000)) AS ids
	WHERE uuid_time(id) > at + interval '1 us';

-- Ids of a given time have random nodes still: nothing else tells equal times apart
SELECT count(DISTINCT id) AS ids, count(DISTINCT (uuid_inspect(id)).node) AS nodes
	FROM (SELECT gen_uuidv1_at('2026-01-01') AS id FROM generate_series(1, 1000)) AS ids;

-- Another session has another node
SELECT substr(uuid_send(gen_uuidv1()), 9) AS node \gset
\c
SET uidext.node = session;
SELECT substr(uuid_send(gen_uuidv1()), 9) <> :'node' AS another;

-- What the setting takes, and what not
SET uidext.node = 'SERVER';
SET uidext.node = '08:00:2b:01:02:03';
SET uidext.node = '08-00-2B-01-02-03';
SET uidext.node = '08002b010203';
SET uidext.node = '08:00:2b:01:02';
SET uidext.node = '08:00-2b:01:02:03';
\echo :SQLSTATE
SET uidext.node = '08:00:2b:01:02:0g';
SET uidext.node = '08:00:2b:01:02:03:04';
SET uidext.node = 'node';
SHOW uidext.node;
RESET uidext.node;

-- Schemes that hold such a node
SELECT uid_generate('flake');
\echo :SQLSTATE
SET uidext.node = session;
SELECT count(DISTINCT id) AS ids,
	count(DISTINCT fields ->> 'worker') AS nodes,
	count(*) FILTER (WHERE previous >= id) AS out_of_order,
	bool_and("time" BETWEEN now() - interval '1 hour' AND clock_timestamp()) AS now
FROM (SELECT id, lag(id) OVER () AS previous
	FROM (SELECT uid_generate('flake') COLLATE "C" AS id FROM generate_series(1, 200) OFFSET 0) AS ids) AS pairs,
	LATERAL (SELECT * FROM uid_inspect(id) WHERE scheme = 'flake') AS i;
SELECT count(DISTINCT id) AS ids,
	count(DISTINCT fields ->> 'node') AS nodes,
	bool_and("time" BETWEEN now() - interval '1 hour' AND clock_timestamp()) AS now
FROM (SELECT uid_generate('elasticflake') AS id FROM generate_series(1, 200)) AS ids,
	LATERAL (SELECT * FROM uid_inspect(id) WHERE scheme = 'elasticflake') AS i;
SELECT count(DISTINCT id) AS ids, count(DISTINCT fields ->> 'worker') AS nodes, count(DISTINCT "time") AS times,
	bool_and("time" BETWEEN now() - interval '1 hour' AND clock_timestamp() + interval '1 us') AS now
FROM (SELECT uid_generate('lexicaluuid') AS id FROM generate_series(1, 200)) AS ids,
	LATERAL (SELECT * FROM uid_inspect(id) WHERE scheme = 'lexicaluuid') AS i;

-- Their nodes are the same 48 bits
SELECT count(DISTINCT node) AS nodes FROM (
	SELECT encode(substr(uuid_send(gen_uuidv6()), 11), 'hex') AS node
	UNION ALL SELECT i.fields ->> 'worker' FROM uid_inspect(uid_generate('flake')) AS i WHERE i.scheme = 'flake'
	UNION ALL SELECT i.fields ->> 'node' FROM uid_inspect(uid_generate('elasticflake')) AS i WHERE i.scheme = 'elasticflake'
	UNION ALL SELECT right(i.fields ->> 'worker', 12)
	FROM uid_inspect(uid_generate('lexicaluuid')) AS i
	WHERE i.scheme = 'lexicaluuid') AS nodes;
