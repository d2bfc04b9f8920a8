-- COPY of a thousand rows, by a program on the server (superuser or pg_execute_server_program):
--   pgbench -n -c 8 -j 2 -T 60 -D key=gen_uuidv7 -f bench/pgbench/copy.sql
COPY uidext_bench.:key (payload) FROM PROGRAM 'seq 1 1000';
