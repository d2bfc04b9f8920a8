-- One row a transaction:
--   pgbench -n -c 8 -j 2 -T 60 -D key=gen_uuidv7 -f bench/pgbench/insert.sql
INSERT INTO uidext_bench.:key (payload) VALUES (:client_id);
