-- What new partitions take over from a template: uuid_partition_create(),
-- uuid_partition_maintain() and uuid_partition_drain().
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

CREATE ROLE regress_uidext_reader;
CREATE ROLE "regress_uidext Writer";
CREATE SCHEMA "The Shop";
SET search_path = "The Shop", public;

CREATE TABLE "Big Orders" (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int NOT NULL, note text, "The Key" text)
PARTITION BY RANGE (id);
CREATE INDEX ON "Big Orders" (n);
CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.note := ''stamped''; RETURN NEW; END';

-- An empty table
CREATE TABLE "A Template" (LIKE "Big Orders" INCLUDING ALL)
	WITH (fillfactor = 70, autovacuum_enabled = false, toast.autovacuum_vacuum_threshold = 100);
ALTER TABLE "A Template" ADD UNIQUE (n, id),
	ADD EXCLUDE USING btree ("The Key" WITH =),
	ALTER n SET STATISTICS 500,
	ALTER n SET (n_distinct = -0.5);
CREATE INDEX odd ON "A Template" (lower("The Key")) WITH (fillfactor = 80) WHERE n > 0;
CREATE UNIQUE INDEX ON "A Template" (n, "The Key") INCLUDE (id);
ALTER INDEX "A Template_pkey" SET (fillfactor = 95);
ALTER TABLE "A Template" REPLICA IDENTITY USING INDEX "A Template_pkey";
GRANT SELECT, INSERT ON "A Template" TO regress_uidext_reader WITH GRANT OPTION;
GRANT UPDATE (n) ON "A Template" TO PUBLIC;
GRANT DELETE ON "A Template" TO "regress_uidext Writer";
COMMENT ON COLUMN "A Template".n IS 'a number';
CREATE STATISTICS dependent ON n, note FROM "A Template";
-- which are the parent's alone
CREATE POLICY "Some Rows" ON "A Template" FOR SELECT TO regress_uidext_reader, "regress_uidext Writer" USING (n > 5);
CREATE TRIGGER "stamp ON" BEFORE INSERT OR UPDATE OF n ON "A Template" FOR EACH ROW WHEN (NEW.n > 3) EXECUTE FUNCTION stamp('x');

-- Everything of a table but its name and the order.
CREATE FUNCTION properties(of regclass) RETURNS SETOF text STABLE LANGUAGE sql
BEGIN ATOMIC
	SELECT regexp_replace(property, 'A Template|Big Orders(_\d+)+', 'TABLE', 'g')
	FROM (
		SELECT 'options ' || array_to_string(reloptions, ' ') FROM pg_class WHERE oid = of
		UNION ALL SELECT 'toast ' || array_to_string(reloptions, ' ')
		FROM pg_class
		WHERE oid = (SELECT reltoastrelid FROM pg_class WHERE oid = of)
		UNION ALL SELECT concat_ws(' ', 'grant', r.rolname, a.privilege_type, a.is_grantable)
			FROM pg_class c, aclexplode(relacl) a JOIN pg_roles r ON r.oid = grantee WHERE c.oid = of AND grantee <> relowner
		UNION ALL SELECT concat_ws(' ', 'column grant', attname, a.grantee = 0, a.privilege_type)
			FROM pg_attribute, aclexplode(attacl) a WHERE attrelid = of
		UNION ALL SELECT concat_ws(' ', 'statistics', attname, nullif(attstattarget, -1),
			substring(attoptions::text FROM 'n_distinct=[-0-9.]*'))
			FROM pg_attribute WHERE attrelid = of AND attnum > 0 AND attname = 'n'
		UNION ALL SELECT concat_ws(' ', 'index', CASE WHEN indisreplident THEN 'replica identity' END,
			CASE WHEN indisunique THEN 'unique' END,
				regexp_replace(pg_get_indexdef(indexrelid), '^.* USING', 'USING'))
			FROM pg_index WHERE indrelid = of
		UNION ALL SELECT concat_ws(' ', 'constraint', pg_get_constraintdef(oid))
		FROM pg_constraint
		WHERE conrelid = of AND contype IN ('p', 'u', 'x')
		UNION ALL SELECT concat_ws(' ', 'identity', relreplident) FROM pg_class WHERE oid = of
		UNION ALL SELECT concat_ws(' ', 'comment', col_description(of, attnum)) FROM pg_attribute WHERE attrelid = of AND attname = 'n'
		UNION ALL SELECT concat_ws(' ', 'extended statistics', stxkeys, stxkind) FROM pg_statistic_ext WHERE stxrelid = of
	) p(property);
END;

SELECT uuid_partition_create('"Big Orders"', '2025-01-01', '2025-02-01', '1 month', template => '"A Template"');
SELECT properties('"Big Orders_2025_01"') COLLATE "C" ORDER BY 1 :unaligned
SELECT properties('"A Template"') EXCEPT ALL SELECT properties('"Big Orders_2025_01"') AS lacking;
SELECT relrowsecurity, relhastriggers FROM pg_class WHERE oid = '"Big Orders_2025_01"'::regclass;
SELECT properties('"Big Orders_2025_01"') EXCEPT ALL SELECT properties('"A Template"') AS more;

-- A partition is a template as well: nothing of the parent's comes twice.
SELECT uuid_partition_create('"Big Orders"', '2025-02-01', '2025-03-01', '1 month', template => '"Big Orders_2025_01"');
SELECT properties('"Big Orders_2025_01"') EXCEPT ALL SELECT properties('"Big Orders_2025_02"') AS lacking;
SELECT properties('"Big Orders_2025_02"') EXCEPT ALL SELECT properties('"Big Orders_2025_01"') AS more;
-- Without one, so is the newest.
SELECT uuid_partition_create('"Big Orders"', '2025-03-01', '2025-04-01', '1 month');
SELECT properties('"Big Orders_2025_03"') COLLATE "C" ORDER BY 1 :unaligned

-- So do maintain, which keeps its template, and drain, whose rows no trigger of the template sees.
SELECT action, partition, problem
	FROM uuid_partition_maintain('"Big Orders"', '1 month', 0, '1 month', template => '"Big Orders_2025_02"')
	WHERE action <> 'created';
SELECT count(*) > 0 AS made, count(*) FILTER (WHERE EXISTS (
		SELECT properties('"Big Orders_2025_02"') EXCEPT ALL SELECT properties(partition)
		UNION ALL (SELECT properties(partition) EXCEPT ALL SELECT properties('"Big Orders_2025_02"')))) AS different
FROM uuid_partition_list('"Big Orders"') WHERE partition <> '"Big Orders_2025_02"'::regclass;
CREATE TABLE rest PARTITION OF "Big Orders" DEFAULT;
INSERT INTO "Big Orders" VALUES (gen_uuidv7_at('2024-05-01'), 7, 'moved', 'a'), (gen_uuidv7_at('2024-05-02'), 8, 'moved', 'b');
SET client_min_messages = notice;
CALL uuid_partition_drain('"Big Orders"', '1 month', template => '"A Template"');
SET client_min_messages = warning;
SELECT n, note FROM "Big Orders_2024_05" ORDER BY n;
SELECT properties('"A Template"') EXCEPT ALL SELECT properties('"Big Orders_2024_05"') AS lacking;
SELECT properties('"Big Orders_2024_05"') EXCEPT ALL SELECT properties('"A Template"') AS more;

-- Replica identity FULL and NOTHING, and where an index lies.
CREATE TABLE plain (id uuid, n int) PARTITION BY RANGE (id);
CREATE TABLE by_all (LIKE plain);
ALTER TABLE by_all REPLICA IDENTITY FULL;
CREATE TABLE by_none (LIKE plain);
ALTER TABLE by_none REPLICA IDENTITY NOTHING;
SELECT uuid_partition_create('plain', '2025-01-01', '2025-02-01', '1 month', template => 'by_all');
SELECT uuid_partition_create('plain', '2025-02-01', '2025-03-01', '1 month', template => 'by_none');
SELECT relname, relreplident FROM pg_class WHERE relname ~ '^plain_' ORDER BY relname;
-- a name that format() would read
CREATE TABLE "100%s" (LIKE plain) PARTITION BY RANGE (id);
ALTER TABLE "100%s" ALTER n SET NOT NULL;
CREATE TABLE "%I" (LIKE "100%s");
CREATE UNIQUE INDEX "50%%" ON "%I" (n) WITH (fillfactor = 50);
ALTER TABLE "%I" REPLICA IDENTITY USING INDEX "50%%";
SELECT uuid_partition_create('"100%s"', '2025-01-01', '2025-02-01', '1 month', template => '"%I"');
SELECT relreplident, i.indisreplident, i.indexrelid::regclass
FROM pg_class c
JOIN pg_index i ON i.indrelid = c.oid
WHERE relname = '100%s_2025_01';

-- The mark of CLUSTER, and targets of extended statistics, like the newest partition's.
CREATE SCHEMA "Statistics";
CREATE TABLE marked (id uuid PRIMARY KEY, n int, m int) PARTITION BY RANGE (id);
SELECT uuid_partition_create('marked', '2025-01-01', '2025-02-01', '1 month');
CREATE INDEX ON marked_2025_01 (n);
CREATE INDEX ON marked_2025_01 (m);
ALTER TABLE marked_2025_01 CLUSTER ON marked_2025_01_n_idx;
CREATE STATISTICS marked_2025_01_both (ndistinct) ON n, m FROM marked_2025_01;
CREATE STATISTICS "Statistics"."Our %s" (mcv) ON n, m FROM marked_2025_01;
ALTER STATISTICS marked_2025_01_both SET STATISTICS 77;
ALTER STATISTICS "Statistics"."Our %s" SET STATISTICS 0;
COMMENT ON STATISTICS marked_2025_01_both IS 'of both';
SELECT uuid_partition_create('marked', '2025-02-01', '2025-03-01', '1 month');
SELECT i.indrelid::regclass, array_agg(pg_get_indexdef(i.indexrelid, 1, true)) AS clustered
FROM pg_index i WHERE i.indrelid::regclass::text ~ '^marked_' AND i.indisclustered GROUP BY 1 ORDER BY 1::text;
SELECT stxrelid::regclass, stxnamespace::regnamespace,
	CASE WHEN stxrelid = 'marked_2025_02'::regclass THEN '(any)' ELSE stxname END AS name, stxkind,
	nullif(stxstattarget, -1) AS target, obj_description(oid, 'pg_statistic_ext') AS comment
FROM pg_statistic_ext WHERE stxrelid::regclass::text ~ '^marked_' ORDER BY stxrelid::regclass::text, stxkind;
DROP TABLE marked;
DROP SCHEMA "Statistics";

-- Where the newest is partitioned, each level has the template's grants, and no others.
CREATE TABLE halves (id uuid, n int) PARTITION BY RANGE (id);
CREATE TABLE halves_first PARTITION OF halves
FOR VALUES FROM (uuid_boundary('2025-01-01')) TO (uuid_boundary('2025-02-01'))
PARTITION BY HASH (n);
CREATE TABLE halves_first_0 PARTITION OF halves_first FOR VALUES WITH (MODULUS 1, REMAINDER 0);
CREATE TABLE half (LIKE halves);
GRANT INSERT ON half TO "regress_uidext Writer";
ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO regress_uidext_reader;
SELECT uuid_partition_create('halves', '2025-02-01', '2025-03-01', '1 month', template => 'half');
ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM regress_uidext_reader;
SELECT relname, grantee::regrole, privilege_type
FROM pg_class, aclexplode(relacl)
WHERE relname ~ '^halves_2025' AND grantee <> relowner
ORDER BY relname;

-- So have owners, who may have given up rights in a template, or by default.
CREATE TABLE appended (LIKE halves) PARTITION BY RANGE (id);
CREATE TABLE appended_rest PARTITION OF appended DEFAULT;
CREATE TABLE append (LIKE appended);
GRANT SELECT ON append TO regress_uidext_reader;
REVOKE ALL ON append FROM CURRENT_USER;
GRANT SELECT, INSERT, UPDATE (n) ON append TO CURRENT_USER;
SELECT uuid_partition_create('appended', '2025-01-01', '2025-02-01', '1 month', template => 'append');
INSERT INTO appended VALUES (gen_uuidv7_at('2025-02-01'));
CALL uuid_partition_drain('appended', '1 month', template => 'append');
SELECT uuid_partition_create('halves', '2025-03-01', '2025-04-01', '1 month', template => 'append');
CREATE TABLE appended_too (LIKE halves) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_follow('appended_too', 'appended', 'append', foreign_keys => false);
SELECT count(*) AS made
FROM uuid_partition_create('appended', '2025-03-01', '2025-04-01', '1 month', template => 'halves_first_0');
BEGIN ISOLATION LEVEL READ COMMITTED;
SELECT DISTINCT action FROM uuid_partition_maintain('appended', '200 years', 0, followers => '{appended_too}');
COMMIT;
ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM CURRENT_USER;
SELECT count(*) AS made FROM uuid_partition_create('halves', '2025-04-01', '2025-05-01', '1 month', template => 'half');
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO CURRENT_USER;
SELECT relname, string_agg(privilege_type, ' ' ORDER BY privilege_type) FILTER (WHERE privilege_type <> 'MAINTAIN') AS of_owner,
	(SELECT attacl IS NOT NULL FROM pg_attribute WHERE attrelid = c.oid AND attname = 'n') AS of_column
FROM pg_class c, aclexplode(coalesce(relacl, acldefault('r', relowner)))
WHERE relname ~ '^(appended(_too)?|halves)_2' AND grantee = relowner
GROUP BY c.oid, relname ORDER BY relname COLLATE "C";

-- Errors, before anything is made
CREATE TABLE wider (LIKE plain, more int);
CREATE TABLE other (id uuid, n bigint);
CREATE TABLE foreigner (LIKE plain);
ALTER TABLE foreigner OWNER TO regress_uidext_reader;
CREATE VIEW no_table AS SELECT * FROM plain;
CREATE TABLE narrower (n int);
CREATE TABLE computed (LIKE plain);
ALTER TABLE computed DROP n, ADD n int GENERATED ALWAYS AS (7) STORED;
CREATE TABLE secure (LIKE plain);
ALTER TABLE secure ENABLE ROW LEVEL SECURITY;
ALTER TABLE plain_2025_01 ADD CONSTRAINT january CHECK (id < uuid_boundary('2025-02-01'));
-- as a partition keeps it that was detached
CREATE TABLE december (LIKE plain, CONSTRAINT december CHECK (id < uuid_boundary('2025-01-01')));
SELECT template,
	error_of(
		format($$SELECT uuid_partition_create('plain', '2026-01-01', '2026-03-01', '1 month', template => %L)$$,
			template)) AS make
FROM unnest(
	'{wider,other,foreigner,no_table,plain,0,narrower,computed,secure,plain_2025_01,december}'::text[])
	AS template :unaligned
SELECT template,
	left(error_of(
			format(
				$$SELECT uuid_partition_maintain('plain', '1 month', 3, '1 month', template => %L)$$, template)),
		5) AS maintain,
	left(error_of(
			format($$
					SELECT uidext_internal.partition_drain_next(
						'plain', '1 month', 'UTC', NULL, %L, 1000, false, NULL, NULL)$$, template)), 5) AS drain
FROM unnest('{wider,other,foreigner,no_table,plain,0}'::text[]) AS template;
SELECT partition FROM uuid_partition_list('plain') WHERE kind = 'partition';
RESET search_path;
SET client_min_messages = error;
DROP SCHEMA "The Shop" CASCADE;
DROP ROLE regress_uidext_reader, "regress_uidext Writer";
DROP FUNCTION error_of;
