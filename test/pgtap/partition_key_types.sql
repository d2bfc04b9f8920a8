-- Of any two types and any operator class of a unique btree index, a plan foretells that PostgreSQL refuses a foreign key if it
-- does, and only then.

BEGIN;
\ir include/settings.sql
SET client_min_messages = error;
SELECT plan(4);

CREATE DOMAIN own_number AS bigint;
CREATE DOMAIN own_word AS varchar(9);
CREATE TYPE state AS ENUM ('new', 'old');
CREATE TYPE mood AS ENUM ('good');
CREATE TYPE place AS (street text);
CREATE TYPE point_of AS (x int);
CREATE DOMAIN places AS int[];
CREATE DOMAIN own_state AS state;
-- an operator class that takes values of int4[] by a cast of their elements
SELECT format('CREATE FUNCTION own_%1$s(int8[], int8[]) RETURNS bool LANGUAGE internal IMMUTABLE STRICT AS ''array_%1$s''; '
	'CREATE OPERATOR %2$s (LEFTARG = int8[], RIGHTARG = int8[], FUNCTION = own_%1$s)', name, sign)
FROM (VALUES ('lt', '<'), ('le', '<='), ('eq', '='), ('ge', '>='), ('gt', '>')) o (name, sign) \gexec
CREATE FUNCTION own_cmp(int8[], int8[]) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'btarraycmp';
CREATE OPERATOR CLASS own_ops FOR TYPE int8[] USING btree AS
	OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 own_cmp(int8[], int8[]);

-- a column of each type
CREATE TABLE types AS SELECT type, row_number() OVER () AS n FROM unnest('{int2,int4,int8,oid,regclass,numeric,float8,own_number,
	text,varchar,bpchar,name,own_word,uuid,iuid,ulid,date,timestamptz,inet,cidr,bool,varbit,int4[],int8[],places,state,own_state,mood,place,point_of,int4range}'::regtype[]) type;
SELECT format('CREATE TABLE referring (%1$s); CREATE TABLE referred (%1$s)', string_agg(format('c%s %s', n, type), ', ')) FROM types \gexec

CREATE FUNCTION pg_temp.is_refused(own bigint, key bigint) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('ALTER TABLE referring ADD FOREIGN KEY (c%s) REFERENCES referred (c%s)', own, key);
	RAISE SQLSTATE 'ZZZZZ';
EXCEPTION
	WHEN SQLSTATE 'ZZZZZ' THEN
		RETURN false;
	WHEN datatype_mismatch THEN
		RETURN true;
END $$;

CREATE FUNCTION pg_temp.keys(OUT referring regtype, OUT referred regtype, OUT opclass text, OUT is_refused bool, OUT problem text)
RETURNS SETOF record
LANGUAGE plpgsql AS $$
DECLARE
	own record;
	key record;
BEGIN
	FOR key IN
		-- operator classes of the type and of what it can be taken for
		SELECT t.*, format('%s.%I', o.opcnamespace::regnamespace, o.opcname) AS opclass
		FROM types t JOIN pg_opclass o ON o.opcmethod = (SELECT m.oid FROM pg_am m WHERE m.amname = 'btree')
		WHERE o.opcintype IN (SELECT b.type FROM uidext_internal.base_types(t.type) b(type)
				UNION ALL
				SELECT c.casttarget FROM uidext_internal.base_types(t.type) b(type) JOIN pg_cast c ON c.castsource = b.type
				WHERE c.castmethod = 'b' AND c.castcontext = 'i')
			OR o.opcintype = CASE WHEN t.type::text ~ '\]$|places' THEN 'anyarray'::regtype WHEN t.type::text ~ 'place|point' THEN 'record' WHEN t.type::text ~ 'state|mood' THEN 'anyenum'
				WHEN t.type = 'int4range'::regtype THEN 'anyrange' END
	LOOP
		EXECUTE format('CREATE UNIQUE INDEX referred_key ON referred (c%s %s)', key.n, key.opclass);
		FOR own IN SELECT * FROM types LOOP
			referring := own.type;
			referred := key.type;
			opclass := key.opclass;
			is_refused := pg_temp.is_refused(own.n, key.n);
			problem := (uidext_internal.partition_referred_obstacle('referring',
				format('(c%s) REFERENCES %%s (c%s) ON UPDATE NO ACTION', own.n, key.n), '{referred}')).problem;
			RETURN NEXT;
		END LOOP;
		DROP INDEX referred_key;
	END LOOP;
END $$;
CREATE TEMP TABLE keys AS SELECT * FROM pg_temp.keys();

SELECT is(string_agg(format('%s to %s by %s', referring, referred, opclass), ', '), NULL, 'what PostgreSQL refuses is foretold')
FROM keys WHERE is_refused AND problem IS NULL;
SELECT is(string_agg(format('%s to %s by %s', referring, referred, opclass), ', '), NULL, 'and nothing else')
FROM keys WHERE NOT is_refused AND problem IS NOT NULL;
SELECT cmp_ok(count(*) FILTER (WHERE is_refused), '>', 500::bigint, '(many are refused)') FROM keys;
SELECT cmp_ok(count(*) FILTER (WHERE NOT is_refused), '>', 100::bigint, '(and many are not)') FROM keys;

SELECT * FROM finish();
ROLLBACK;
