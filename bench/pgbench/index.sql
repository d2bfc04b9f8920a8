-- A thousand rows a transaction, so that the index grows fast:
--   pgbench -n -c 8 -j 2 -T 60 -D key=gen_uuidv7 -f bench/pgbench/index.sql
INSERT INTO uidext_bench.:key (payload) SELECT generate_series(1, 1000);
