-- uid_next(): what it refuses.  The rest needs shared memory: elsewhere/nodes.pl
\set SHOW_CONTEXT never

SELECT uid_next('nosuch', 1);
\echo :SQLSTATE
SELECT uid_next('ksuid', 1);
\echo :SQLSTATE
SELECT uid_next('snowflake:nonsense', 1);
\echo :SQLSTATE
SELECT uid_next('snowflake', 1024);
\echo :SQLSTATE
SELECT uid_next('snowflake', -1);
\echo :SQLSTATE
SELECT uid_next('snowflake:sequence=22', 1);
\echo :SQLSTATE
SELECT uid_next('snowflake:node=22', 1);
\echo :SQLSTATE
SELECT uid_next('snowflake:sequnce=12,node=10', 1);
SELECT uid_next('snowflake:count=4,node=6,sequence=12', 1);
SELECT uid_next('instagram', 8192);
SELECT uid_next('sonyflake', 65536);
SELECT uid_next('discord', 1024);
SELECT uid_next('pgedge', 1024);
SELECT uid_next('flakeid', 1024);
SELECT uid_next('tsid', 1024);
SELECT uid_next('snowflake:shard=20,seq=12', 1048576);
SELECT uid_next('snowflake', NULL) IS NULL AS null_of_no_node, uid_next(NULL, 1) IS NULL AS null_of_no_scheme;

-- Nor are 64-bit ids made without a node
SELECT uid_generate('snowflake');
\echo :SQLSTATE
