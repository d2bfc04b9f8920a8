-- Where does a new partition lie: in which schema, tablespace and access method?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

-- New ones come where the newest is, whoever makes them.
CREATE TABLE mine (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE of_mine (mine_id uuid) PARTITION BY RANGE (mine_id);
CREATE SCHEMA workshop;
SELECT uuid_partition_create('mine', '2026-01-01', '2026-03-01', '1 month');
SELECT partition FROM uuid_partition_follow('of_mine', 'mine');
ALTER TABLE mine_2026_02 SET SCHEMA workshop;
ALTER TABLE of_mine_2026_02 SET SCHEMA workshop;
SELECT uuid_partition_create('mine', '2026-03-01', '2026-05-01', '1 month');
SELECT partition FROM uuid_partition_follow('of_mine', 'mine');
CREATE TABLE mine_default PARTITION OF mine DEFAULT;
INSERT INTO mine SELECT gen_uuidv7_at(timestamptz '2026-05-01' + n * interval '1 day') FROM generate_series(0, 60) AS n;
CALL uuid_partition_drain('mine', '1 month');
SELECT partition FROM uuid_partition_list('mine') WHERE from_time >= '2026-05-01';
SET default_transaction_isolation = 'read committed';
SELECT DISTINCT action, split_part(partition, '.', 1) AS schema
FROM uuid_partition_maintain('mine', '1 month', keep => '1 month', followers => '{of_mine}', dry_run => true) ORDER BY 1, 2;
SELECT DISTINCT action, split_part(partition, '.', 1) AS schema
FROM uuid_partition_maintain('mine', '1 month', followers => '{of_mine}') ORDER BY 1, 2;
RESET default_transaction_isolation;
DROP TABLE of_mine, mine;
DROP SCHEMA workshop;

-- It is stored where its parent is.
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_uidext_space LOCATION '';
CREATE TABLE spaced (id uuid PRIMARY KEY USING INDEX TABLESPACE regress_uidext_space)
PARTITION BY RANGE (id) TABLESPACE regress_uidext_space;
SELECT uuid_partition_create('spaced', '2026-01-01', '2026-02-01', '1 month');
SELECT relname, spcname AS tablespace
FROM pg_class
LEFT JOIN pg_tablespace t ON t.oid = reltablespace
WHERE relname ~ '^spaced'
ORDER BY relname;
DROP TABLE spaced;
-- also where it is partitioned itself: like the parent, or like a follower's newest
CREATE TABLE spaced (id uuid, n int) PARTITION BY RANGE (id) TABLESPACE regress_uidext_space;
CREATE TABLE spaced_first PARTITION OF spaced FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01')) PARTITION BY HASH (n);
CREATE TABLE spaced_first_0 PARTITION OF spaced_first FOR VALUES WITH (MODULUS 1, REMAINDER 0);
CREATE TABLE spaced_too (id uuid, n int) PARTITION BY RANGE (id);
CREATE TABLE spaced_too_first PARTITION OF spaced_too FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01'))
	PARTITION BY HASH (n) TABLESPACE regress_uidext_space;
CREATE TABLE spaced_too_first_0 PARTITION OF spaced_too_first FOR VALUES WITH (MODULUS 1, REMAINDER 0) TABLESPACE pg_default;
BEGIN ISOLATION LEVEL READ COMMITTED;
SELECT DISTINCT action FROM uuid_partition_maintain('spaced', '200 years', 0, followers => '{spaced_too}');
COMMIT;
SELECT relname, spcname AS tablespace
FROM pg_class
LEFT JOIN pg_tablespace t ON t.oid = reltablespace
WHERE relname ~ '^spaced'
ORDER BY relname COLLATE "C";
DROP TABLE spaced, spaced_too;
-- which takes the right to store something there
CREATE ROLE regress_uidext_tenant;
GRANT CREATE ON SCHEMA public TO regress_uidext_tenant;
CREATE TABLE spaced (id uuid PRIMARY KEY USING INDEX TABLESPACE regress_uidext_space) PARTITION BY RANGE (id);
ALTER TABLE spaced OWNER TO regress_uidext_tenant;
SET ROLE regress_uidext_tenant;
SELECT error_of($$SELECT uuid_partition_create('spaced', '2026-01-01', '2026-02-01', '1 month')$$) AS without_right :unaligned
RESET ROLE;
GRANT CREATE ON TABLESPACE regress_uidext_space TO regress_uidext_tenant;
SET ROLE regress_uidext_tenant;
SELECT error_of($$SELECT uuid_partition_create('spaced', '2026-01-01', '2026-02-01', '1 month')$$) AS with_right :unaligned
RESET ROLE;
DROP TABLE spaced;
DROP OWNED BY regress_uidext_tenant;
DROP ROLE regress_uidext_tenant;
-- from 17 on it may have an access method
CREATE ACCESS METHOD regress_uidext_heap TYPE TABLE HANDLER heap_tableam_handler;
CREATE TABLE methodical (id uuid, n int) PARTITION BY RANGE (id);
DO $$ BEGIN
	IF current_setting('server_version_num')::int >= 170000 THEN
		ALTER TABLE methodical SET ACCESS METHOD regress_uidext_heap;
		CREATE TABLE methodical_first PARTITION OF methodical
		FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01'))
		PARTITION BY HASH (n);
		CREATE TABLE methodical_first_0 PARTITION OF methodical_first FOR VALUES WITH (MODULUS 1, REMAINDER 0);
		PERFORM uuid_partition_create('methodical', '2026-01-01', '2026-02-01', '1 month');
		ASSERT (
			SELECT count(*)
			FROM pg_class c
			JOIN pg_am a ON a.oid = relam
			WHERE relname ~ '^methodical' AND amname = 'regress_uidext_heap') = 5;
	END IF;
END $$;
DROP TABLE methodical;
DROP ACCESS METHOD regress_uidext_heap;
DROP TABLESPACE regress_uidext_space;
DROP FUNCTION error_of;
