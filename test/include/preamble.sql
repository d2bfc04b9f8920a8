\set ECHO none
-- What the tests print is the same whatever the database's settings are.
SET timezone = 'UTC';
SET datestyle = ISO;
SET intervalstyle = postgres;
SET bytea_output = hex;
SET jit = off;
\set SHOW_CONTEXT never
\set unaligned '\\g (format=unaligned tuples_only=on)'
\set ECHO all
