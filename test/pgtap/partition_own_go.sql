-- What belongs to a partition goes with it, even if it names the partition's row type: it does
-- not keep the partition from being dropped.

BEGIN;
\ir include/settings.sql
\ir include/outcome.sql
SET client_min_messages = error;
SELECT plan(10);

CREATE TABLE orders (id uuid PRIMARY KEY, customer int, note text, former uuid) PARTITION BY RANGE (id);
CREATE TABLE january PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('2020-02-01 00:00+00'));
CREATE TABLE february PARTITION OF orders
FOR VALUES FROM (uuid_boundary('2020-02-01 00:00+00')) TO (uuid_boundary('2020-03-01 00:00+00'));

CREATE FUNCTION pg_temp.goes_with_it(what text, setting text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	dropped text;
BEGIN
	EXECUTE setting;
	dropped := pg_temp.outcome($query$
		SELECT action, partition, problem FROM uuid_partition_drop('orders', '2020-02-01 00:00+00')$query$);
	RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
	RETURN is(dropped, '(dropped,public.january,)', format('a partition goes with %s of its own', what));
END $$;

SELECT pg_temp.goes_with_it(what, setting)
FROM (VALUES
	('nothing', 'SELECT'),
	('a check', 'ALTER TABLE january ADD CHECK (NULL::january IS NULL)'),
	('a default', 'ALTER TABLE january ALTER note SET DEFAULT CASE WHEN NULL::january IS NULL THEN ''new'' END'),
	('an index', 'CREATE INDEX ON january (customer) WHERE NULL::january IS NULL'),
	('a policy', 'CREATE POLICY known ON january USING (EXISTS (SELECT FROM january))'),
	('a rule', 'CREATE RULE kept AS ON DELETE TO january DO INSTEAD SELECT count(*) FROM january'),
	('a trigger', 'CREATE TRIGGER same BEFORE UPDATE ON january FOR EACH ROW WHEN (NULL::january IS NULL) '
		'EXECUTE FUNCTION suppress_redundant_updates_trigger()'),
	('a publication', 'CREATE PUBLICATION kept FOR TABLE january WHERE (customer > 0)'),
	('statistics', 'CREATE STATISTICS january_rows ON (NULL::january IS NULL), customer FROM january'),
	('a foreign key', 'ALTER TABLE january ADD FOREIGN KEY (former) REFERENCES january')
) AS own(what, setting);

SELECT * FROM finish();
ROLLBACK;
