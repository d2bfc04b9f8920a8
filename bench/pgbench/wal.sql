-- What rows write to the WAL behind a checkpoint, by one client on a server where nobody else writes
-- (superuser or pg_checkpoint):
--   pgbench -n -t 10 -D rows=100000 -D key=gen_uuidv7 -f bench/pgbench/wal.sql
CHECKPOINT;
SELECT pg_current_wal_insert_lsn() AS lsn \gset
INSERT INTO uidext_bench.:key (payload) SELECT generate_series(1, :rows);
INSERT INTO uidext_bench.wal VALUES (':key', :rows, pg_current_wal_insert_lsn() - ':lsn');
