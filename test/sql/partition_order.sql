-- Tables that are partitioned by range of their key, but whose keys are not in the
-- order of time: no function looks after them, and retention drops nothing.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql
SET client_min_messages = warning;

CREATE FUNCTION answers(parent regclass, OUT "create" text, OUT maintain text, OUT "drop" text, OUT drain text, OUT list text,
	OUT "check" text) LANGUAGE sql AS $$
SELECT left(error_of(format('SELECT uuid_partition_create(%L, ''2021-01-01'', ''2021-02-01'', ''1 month'')', parent)), 5),
	left(error_of(format('SELECT uuid_partition_maintain(%L, ''1 month'', 0, keep => ''1 year'')', parent)), 5),
	left(error_of(format('SELECT uuid_partition_drop(%L, ''2021-01-01'')', parent)), 5),
	left(error_of(
			format('
					SELECT uidext_internal.partition_drain_next(
						%L, ''1 month'', ''UTC'', NULL, NULL, 10, false, NULL, NULL)', parent)), 5),
	left(error_of(format('SELECT uuid_partition_list(%L)', parent)), 5),
	(SELECT string_agg(format('%s %s', status, message), ' | ') FROM uuid_partition_check(parent, '0')
		WHERE message !~ '^(no partition for the present|partitions up to)')
$$;

-- 256 prefixes: 00 "ends in 2004"
CREATE TABLE random (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n int) PARTITION BY RANGE (id);
DO $$
BEGIN
	FOR i IN 0 .. 255 LOOP
		EXECUTE format('CREATE TABLE random_%s PARTITION OF random FOR VALUES FROM (%L) TO (%s)', i,
			rpad(lpad(to_hex(i), 2, '0'), 32, '0')::uuid,
			CASE WHEN i = 255 THEN 'MAXVALUE' ELSE quote_literal(rpad(lpad(to_hex(i + 1), 2, '0'), 32, '0')::uuid) END);
	END LOOP;
END
$$;
INSERT INTO random (n) SELECT generate_series(1, 3000);
INSERT INTO random VALUES ('00000000-0000-4000-8000-000000000000');
SELECT error_of($$SELECT * FROM uuid_partition_maintain('random', '1 month', keep => '2 years')$$) :unaligned
SELECT error_of($$SELECT * FROM uuid_partition_drop('random', '2021-01-01 00:00+00')$$) :unaligned
SELECT error_of($$CALL uuid_partition_drain('random', '1 month')$$) :unaligned
SELECT * FROM uuid_partition_check('random', keep => '2 years');
-- by their bounds, where the default says nothing
ALTER TABLE random ALTER id DROP DEFAULT;
SELECT error_of($$SELECT * FROM uuid_partition_maintain('random', '1 month', keep => '2 years')$$) :unaligned
SELECT * FROM uuid_partition_check('random', keep => '2 years');
SELECT count(*) AS rows FROM random;
DROP TABLE random;
-- three are enough, two may be of ids that strayed
CREATE TABLE strays (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
SELECT count(*) AS made FROM uuid_partition_create('strays', '3000-01-01 00:00+00', '3000-03-01 00:00+00', '1 month');
SELECT * FROM answers('strays');
SELECT count(*) AS made FROM uuid_partition_create('strays', '3000-03-01 00:00+00', '3000-04-01 00:00+00', '1 month');
SELECT * FROM answers('strays');
DROP TABLE strays;

-- By the default: what gives its value, straight or through coercions and SQL functions.
CREATE DOMAIN random_id AS uuid DEFAULT gen_random_uuid();
CREATE DOMAIN own_id AS uuid;
CREATE FUNCTION makes_random() RETURNS uuid RETURN gen_random_uuid();
CREATE FUNCTION makes_it_again() RETURNS own_id BEGIN ATOMIC SELECT makes_random(); END;
CREATE FUNCTION makes_itself(n int DEFAULT 0) RETURNS uuid RETURN gen_uuidv7();
CREATE OR REPLACE FUNCTION makes_itself(n int DEFAULT 0) RETURNS uuid RETURN makes_itself(n);
CREATE FUNCTION makes_v7() RETURNS uuid BEGIN ATOMIC SELECT gen_random_uuid(); SELECT gen_uuidv7(); END;
CREATE FUNCTION makes_v7_of_random_bits() RETURNS uuid
	RETURN overlay(uuid_boundary(clock_timestamp())::text PLACING substr(gen_random_uuid()::text, 15) FROM 15)::uuid;
CREATE SEQUENCE numbers;
CREATE TABLE keys (n serial, type text, expression text);
INSERT INTO keys (type, expression) VALUES
	('uuid', 'gen_random_uuid()'), ('uuid', '(gen_random_uuid())::own_id'), ('own_id', 'gen_random_uuid()'),
		('random_id', NULL), ('random_id', 'gen_uuidv7()'),
	('uuid', 'makes_random()'), ('own_id', 'makes_it_again()'), ('uuid', 'makes_itself()'),
	('uuid', 'makes_v7()'), ('uuid', 'makes_v7_of_random_bits()'),
	('uuid', 'gen_short_comb()'), ('uuid', 'gen_short_comb(''1 hour'')'), ('uuid', 'gen_suffix_comb()'),
	('uuid', 'gen_short_suffix_comb()'),
	('uuid', 'comb_to_suffix(gen_comb())'),
	('uuid', 'comb_from_suffix(gen_suffix_comb())'),
	('uuid', 'short_comb_from_suffix(gen_short_suffix_comb())'),
	('uuid', 'gen_sequence_comb(''numbers'')'), ('uuid', 'gen_uuidv1()'), ('uuid', 'gen_uuidv6()'), ('uuid', 'gen_uuidv13()'),
	('uuid', 'uuidv1_to_v6(gen_uuidv1())'),
	('uuid', 'gen_comb()'), ('uuid', 'gen_uuidv7()'), ('uuid', 'gen_uuidv7(''1 hour'')'),
	('iuid', 'gen_iuid(76, 1)'), ('ulid', 'gen_ulid()'), ('uuid', NULL),
	('bigint CHECK (uid_is_valid(id, ''snowflake''))', NULL),
	('bigint CHECK (uid_is_valid(id, ''snowflake''))', 'nextval(''numbers'')'),
	('bigint CHECK (uid_is_valid(id, ''snowflake''))',
		'(nextval(''numbers'') % 4096) | uid_boundary(clock_timestamp(), ''snowflake'')'),
	('uuid', 'uuid_from_sqlserver(uuid_to_sqlserver(gen_uuidv7()))');
DO $$
DECLARE
	k record;
BEGIN
	FOR k IN SELECT * FROM keys ORDER BY n LOOP
		EXECUTE format('CREATE TABLE key_%s (id %s%s) PARTITION BY RANGE (id)', lpad(k.n::text, 2, '0'), k.type,
			' DEFAULT ' || k.expression);
	END LOOP;
END
$$;
SELECT k.type, k.expression, a.* FROM keys k, answers(format('key_%s', lpad(n::text, 2, '0'))::regclass) a ORDER BY n;
DO $$
DECLARE
	k record;
BEGIN
	FOR k IN SELECT * FROM keys LOOP
		EXECUTE format('DROP TABLE key_%s', lpad(k.n::text, 2, '0'));
	END LOOP;
END
$$;

-- The modules that come with the server, where they are.
SELECT count(*) = 2 AS has_modules
FROM pg_available_extensions
WHERE name IN ('uuid-ossp', 'pgcrypto') AND installed_version IS NULL
\gset
\if :has_modules
CREATE SCHEMA regress_uidext_modules;
CREATE EXTENSION "uuid-ossp" SCHEMA regress_uidext_modules;
CREATE EXTENSION pgcrypto SCHEMA regress_uidext_modules;
CREATE TABLE v4 (id uuid DEFAULT regress_uidext_modules.uuid_generate_v4()) PARTITION BY RANGE (id);
CREATE TABLE v1 (id uuid DEFAULT regress_uidext_modules.uuid_generate_v1mc()) PARTITION BY RANGE (id);
CREATE TABLE pgcrypto_v4 (id uuid DEFAULT regress_uidext_modules.gen_random_uuid()) PARTITION BY RANGE (id);
SELECT string_agg((answers(t::regclass)).drop, ' ') = '22023 22023 22023' AS refused FROM unnest('{v4,v1,pgcrypto_v4}'::text[]) t;
DROP TABLE v1, v4, pgcrypto_v4;
DROP EXTENSION "uuid-ossp", pgcrypto;
DROP SCHEMA regress_uidext_modules;
\else
SELECT true AS refused;
\endif
-- from 18 on, and numbers of an identity from 17 on
SELECT current_setting('server_version_num')::int >= 180000 AS has_uuidv4,
	current_setting('server_version_num')::int >= 170000 AS has_identity
\gset
\if :has_uuidv4
CREATE TABLE v4 (id uuid DEFAULT uuidv4()) PARTITION BY RANGE (id);
CREATE TABLE v7 (id uuid DEFAULT uuidv7()) PARTITION BY RANGE (id);
\else
CREATE TABLE v4 (id uuid DEFAULT gen_random_uuid()) PARTITION BY RANGE (id);
CREATE TABLE v7 (id uuid DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
\endif
\if :has_identity
CREATE TABLE numbered (id bigint GENERATED ALWAYS AS IDENTITY CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
\else
CREATE TABLE numbered (id bigint DEFAULT nextval('numbers') CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
\endif
SELECT t AS parent, (answers(t::regclass)).drop FROM unnest('{v4,v7,numbered}'::text[]) t;
DROP TABLE v4, v7, numbered, keys;
DROP SEQUENCE numbers;
DROP FUNCTION makes_it_again, makes_itself, makes_v7, makes_v7_of_random_bits, makes_random, answers, error_of;
DROP DOMAIN random_id, own_id;
