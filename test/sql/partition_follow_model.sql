-- What is a new partition of a follower like?  As its newest, which stays until there are others like it.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
SET default_transaction_isolation = 'read committed';

-- A follower's newest stays until there are others like it, but for its own CHECKs.
CREATE TABLE plans (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE tasks (plan uuid, n int CONSTRAINT all_months CHECK (n > 0)) PARTITION BY RANGE (plan);
CREATE TABLE costs (plan uuid, n int CONSTRAINT all_months CHECK (n > 0)) PARTITION BY RANGE (plan);
SELECT count(*) AS made FROM uuid_partition_create('plans', '2020-01-01', '2020-03-01', '1 month');
CREATE TABLE tasks_2020_02 PARTITION OF tasks
FOR VALUES FROM (uuid_boundary('2020-02-01')) TO (uuid_boundary('2020-03-01'))
PARTITION BY HASH (n);
CREATE TABLE tasks_2020_02_0 PARTITION OF tasks_2020_02 FOR VALUES WITH (MODULUS 1, REMAINDER 0);
SELECT count(*) AS made FROM uuid_partition_follow('costs', 'plans');
ALTER TABLE tasks_2020_02_0 ADD CONSTRAINT february CHECK (plan < uuid_boundary('2020-03-01')), SET (fillfactor = 70);
ALTER TABLE costs_2020_02 ADD CONSTRAINT february CHECK (plan < uuid_boundary('2020-03-01'));
GRANT SELECT ON tasks_2020_02 TO PUBLIC;
GRANT UPDATE ON tasks_2020_02_0 TO PUBLIC;
ALTER DEFAULT PRIVILEGES GRANT DELETE ON TABLES TO PUBLIC;
-- from 18 on a key may be without force
DO $$ BEGIN
	IF current_setting('server_version_num')::int >= 180000 THEN
		EXECUTE 'ALTER TABLE costs_2020_02 ALTER CONSTRAINT costs_2020_02_plan_fkey NOT ENFORCED';
	END IF;
END $$;
SELECT action, partition
	FROM uuid_partition_maintain(
		'plans', '1 month', 0, '1 month', followers => '{tasks,costs}', dry_run => true)
	WHERE partition ~ '_2020_';
SELECT partition
FROM uuid_partition_maintain('plans', '1 month', 0, '1 month', followers => '{tasks,costs}')
WHERE action = 'dropped';
SELECT partition
FROM uuid_partition_maintain('plans', '1 month', 0, '1 month', followers => '{tasks,costs}')
WHERE action = 'dropped';
ALTER DEFAULT PRIVILEGES REVOKE DELETE ON TABLES FROM PUBLIC;
SELECT DISTINCT level, relkind, reloptions,
	(SELECT string_agg(privilege_type, ' ') FROM aclexplode(relacl) WHERE grantee = 0) AS of_all,
	(SELECT string_agg(conname, ' ') FROM pg_constraint WHERE conrelid = c.oid AND contype = 'c') AS checks
FROM unnest('{tasks,costs}'::regclass[]) AS t, pg_partition_tree(t) JOIN pg_class c ON c.oid = relid
WHERE relname !~ '_2020_' AND level > 0 ORDER BY level, relkind;
SELECT bool_and(to_jsonb(c) ->> 'conenforced' IS NOT DISTINCT
	FROM CASE WHEN current_setting('server_version_num')::int >= 180000 THEN 'false' END) AS like_the_newest
FROM pg_constraint c
JOIN pg_inherits ON inhrelid = conrelid
WHERE inhparent = 'costs'::regclass AND contype = 'f' AND conparentid = 0;
DROP TABLE costs, tasks, plans;
-- or of periods
DO $$ BEGIN
	IF current_setting('server_version_num')::int >= 180000 THEN
		EXECUTE 'CREATE TABLE stays (id int4range, during tsrange, PRIMARY KEY (id, during WITHOUT OVERLAPS))';
		EXECUTE '
			CREATE TABLE meals (stay int4range, during tsrange,
				FOREIGN KEY (stay, PERIOD during) REFERENCES stays (id, PERIOD during))';
		ASSERT (SELECT uidext_internal.partition_foreign_key_like(oid) FROM pg_constraint WHERE conrelid = 'meals'::regclass AND contype = 'f')
			= '(stay, PERIOD during) REFERENCES %s (id, PERIOD during) ON UPDATE NO ACTION ON DELETE NO ACTION';
		DROP TABLE meals, stays;
	END IF;
END $$;
