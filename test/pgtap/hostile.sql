-- Every function of the extension, called with what nobody would pass: each
-- returns, or raises an error that its own comment names.  Then laws that hold
-- for all ids and all times.
--
-- 2,500 calls, and more for what they have not met; UIDEXT_LONG=1 makes a million.

\set calls 2500
\set values 1500
\getenv long UIDEXT_LONG
\if :{?long}
	\set calls 1000000
	\set values 20000
\endif

BEGIN;
\ir include/settings.sql
-- whose functions in PL/pgSQL take longer
\if :sql_edition
	\set calls 1000
	\set values 300
\endif
SELECT plan(CASE WHEN :'sql_edition' THEN 46 ELSE 48 END);
SET LOCAL client_min_messages = error;
-- the same values in every run, so that a failure can be repeated
SELECT setseed(0.20220222) \g /dev/null

--
-- Values: the edges of each type, and random ones.
--

CREATE TEMP TABLE edges (type regtype, value text);
INSERT INTO edges SELECT 'timestamptz', unnest(ARRAY[
	'-infinity', 'infinity', '4714-11-24 00:00+00 BC', '4713-01-01 00:00+00 BC', '0001-01-01 00:00+00 BC',
	'1582-10-14 23:59:59.999999+00', '1582-10-15 00:00+00', '1969-12-31 23:59:59.999999+00', '1970-01-01 00:00+00',
	'1970-01-01 00:00:00.000001+00', '1970-01-01 00:00:00.000999+00', '1970-01-01 00:00:00.001+00',
	'2000-01-01 00:00+00', '2016-12-31 23:59:60+00', '2026-03-29 01:30+00', '2038-01-19 03:14:08+00',
	'5236-03-31 21:21:00.684697+00', '5236-03-31 21:21:00.684698+00',
	'10889-08-02 05:31:50.655+00', '10889-08-02 05:31:50.655001+00', '10889-08-02 05:31:50.655999+00',
	'10889-08-02 05:31:50.656+00', '294276-12-31 23:59:59.999999+00']);
INSERT INTO edges SELECT 'interval', unnest(ARRAY[
	'0', '1 us', '-1 us', '999 us', '1 ms', '-1 ms', '1.5 ms', '1 min', '10 min', '1 hour', '1 day', '-1 day',
	'1 month', '-1 month', '1 month -1 day', '1 month -30 days', '1 day -24 hours', '1 year', '65534 min', '65535 min', '65536 min',
	'281474976710.655 s', '281474976710.656 s', '3257812 days', '3257813 days', '106751991 days', '106751992 days',
	'2147483647 days', '-2147483648 days', '2147483647 months', '-2147483648 months',
	'2562047788:00:54.775807', '-2562047788:00:54.775807', '2147483647 days 2562047788:00:54.775807']);
INSERT INTO edges VALUES ('interval', '1000000 days');
INSERT INTO edges SELECT 'interval', unnest(ARRAY['infinity', '-infinity'])
WHERE current_setting('server_version_num')::int >= 170000;
INSERT INTO edges SELECT 'int', unnest(ARRAY[-2147483648, -1, 0, 1, 76, 254, 255, 256, 65535, 65536, 2147483647]);
-- 8816678312871386365 is the seed by which core hashes for partitions
INSERT INTO edges SELECT 'bigint', unnest(ARRAY[-9223372036854775808, -1, 0, 1, 8816678312871386365, 9223372036854775807]);
INSERT INTO edges SELECT 'bool', unnest(ARRAY[true, false]);
INSERT INTO edges SELECT 'text', unnest(ARRAY[
	'', ' ', 'UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kathmandu', '+25', 'nowhere', 'BR', 'br', 'Brazil', 'Ride',
	'%s %I', '"', '''; DROP TABLE x; --', E'\\', E'\x01', 'ünïcode €', repeat('x', 63), repeat('ü', 40), repeat('y', 10000),
	'base32hex', 'crockford', 'base58', 'base62', 'base64url', repeat('0', 26), repeat('Z', 26),
	repeat('z', 22), 'user', 'user_' || repeat('7', 26),
	'ulid', 'snowflake', 'discord:1420070400000', 'snowflake:node=10,sequence=12', '507f1f77bcf86cd799439011', '1541815603606036480',
	'PARTITION BY RANGE (id)', 'FOR VALUES WITH (modulus 257, remainder 76)']);
INSERT INTO edges SELECT 'name', unnest(ARRAY['', 'nobody', repeat('x', 63)]);
INSERT INTO edges SELECT '"char"', unnest(ARRAY['r', 'h', 'l', '', E'\x01']);
INSERT INTO edges
SELECT 'bytea', '\x' || repeat('ab', n)
FROM unnest(ARRAY[0, 1, 15, 16, 16, 16, 16, 17, 32, 64, 65, 10000]) AS n;
INSERT INTO edges SELECT 'int[]', unnest(ARRAY['{}', '{76}', '{76,0}', '{76,76}', '{NULL}', '{-1}', '{256}', '{{1,2},{3,4}}']);
INSERT INTO edges
	SELECT 'tstzrange',
		unnest(
			ARRAY['empty', '(,)', '[,2026-01-01 00:00+00)', '(2026-01-01 00:00+00,]', '[-infinity,infinity]',
				'(-infinity,infinity)']);
INSERT INTO edges SELECT 'numeric', unnest('{-1,0,72.5,NaN}'::text[]);
INSERT INTO edges
	SELECT 'tstzmultirange',
	unnest(
		ARRAY['{}', '{(,)}', '{[-infinity,infinity]}',
			'{(,1969-12-31 00:00+00),[2026-01-01 00:00+00,2026-01-01 00:00+00],(10889-08-02 00:00+00,)}']);
INSERT INTO edges SELECT 'tstzrange', format('%s%s,%s%s', bounds[1], a.value, b.value, bounds[2])
FROM edges AS a
JOIN edges AS b ON a.type = b.type
	AND a.type = 'timestamptz'::regtype
	AND a.value::timestamptz <= b.value::timestamptz,
	(VALUES ('{[,]}'::text[]), ('{[,)}'), ('{(,]}'), ('{(,)}')) AS v(bounds);
INSERT INTO edges SELECT d.domain, value FROM edges
	JOIN (
		VALUES ('tstzrange'::regtype, 'uidext_internal.period'::regtype),
			('tstzmultirange', 'uidext_internal.periods')) AS d(base, domain) ON type = base;
INSERT INTO edges SELECT 'uuid', unnest(ARRAY[
	'00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff',
	'00000000-0001-0000-0000-000000000000', 'ffffffff-ffff-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001']);
-- all versions with all variants, their other bits clear or set
INSERT INTO edges
	SELECT 'uuid',
		concat(repeat(digit, 8), '-', repeat(digit, 4), '-', version, repeat(digit, 3), '-', variant,
			repeat(digit, 3), '-', repeat(digit, 12))
FROM unnest('{0,f}'::text[]) AS digit,
	unnest('{0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f}'::text[]) AS version,
	unnest('{0,7,8,b,c,d,e,f}'::text[]) AS variant;
INSERT INTO edges
	SELECT 'uuid',
		unnest(
			ARRAY['ffffffff-ffff-80ff-bfff-ffffffffffff', '00000000-0000-8100-8000-000000000000',
				'018c22ac-d000-8037-a940-000000000000']);
INSERT INTO edges SELECT 'ulid', uuid_to_ulid(value::uuid)::text FROM edges WHERE type = 'uuid'::regtype;
INSERT INTO edges SELECT 'cstring', value FROM edges WHERE type IN ('text'::regtype, 'uuid'::regtype);
INSERT INTO edges SELECT 'iuid', value FROM edges
WHERE type = 'uuid'::regtype
	AND (
		iuid_is_valid(value::uuid)
			OR right(value, 22) = '0000-0000-000000000000'
			OR value = 'ffffffff-ffff-ffff-ffff-ffffffffffff');

-- Things of this database for arguments of type regclass.
CREATE SEQUENCE steps MINVALUE -9223372036854775808;
CREATE SEQUENCE spent MAXVALUE 2 START 2;
SELECT nextval('spent') \g /dev/null
CREATE TABLE plain (id uuid PRIMARY KEY) WITH (fillfactor = 90);
ALTER TABLE plain REPLICA IDENTITY FULL;
CREATE TABLE of_other_types (number bigint, place point, title text);
INSERT INTO of_other_types VALUES (1, '(1,1)', 'a'), (2, '(2,2)', 'b');
CREATE TABLE by_time (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE by_number (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'snowflake'))) PARTITION BY RANGE (id);
CREATE TABLE by_v6_time (id uuid PRIMARY KEY DEFAULT gen_uuidv6()) PARTITION BY RANGE (id);
CREATE TABLE by_list (id uuid PRIMARY KEY) PARTITION BY LIST (id);
\set by_country 'HASH (id iuid_country_ops)'
\if :sql_edition
	\set by_country 'HASH (id)'
\endif
CREATE TABLE "by ""country""" (id iuid PRIMARY KEY) PARTITION BY :by_country;
CREATE TABLE by_core (id iuid) PARTITION BY HASH (id uuid_ops);
CREATE TABLE by_country (id iuid NOT NULL) PARTITION BY :by_country;
CREATE TABLE by_country_or_null (id iuid) PARTITION BY :by_country;
CREATE TABLE with_default (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE with_default_rest PARTITION OF with_default DEFAULT;
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER elsewhere FOREIGN DATA WRAPPER nowhere;
CREATE TABLE with_foreign (id uuid) PARTITION BY RANGE (id);
CREATE FOREIGN TABLE with_foreign_past PARTITION OF with_foreign
FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01')) SERVER elsewhere;
CREATE TABLE in_itself (id uuid PRIMARY KEY, parent uuid) PARTITION BY RANGE (id);
CREATE TABLE in_itself_past PARTITION OF in_itself (FOREIGN KEY (parent) REFERENCES in_itself_past)
FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01'));
INSERT INTO with_default VALUES (uuid_boundary('2026-03-29 01:30+00'));
CREATE TABLE apart (id uuid PRIMARY KEY);
CREATE TABLE referred (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE referred_rest PARTITION OF referred DEFAULT;
CREATE TABLE refers (id uuid REFERENCES referred_rest);
CREATE TABLE with_overlap (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE with_overlap_all PARTITION OF with_overlap FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE TABLE by_hash (id uuid) PARTITION BY HASH (id);
CREATE TABLE by_hash_0 PARTITION OF by_hash FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE gone_by (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE gone_by_past PARTITION OF gone_by FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01'));
CREATE TABLE seen_by (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE seen_by_past PARTITION OF seen_by FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01'));
CREATE VIEW seen AS SELECT * FROM seen_by_past;
CREATE TABLE followed (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE followed_past PARTITION OF followed FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01'));
CREATE TABLE followed_rest PARTITION OF followed DEFAULT;
CREATE TABLE follower (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE follower_past PARTITION OF follower (FOREIGN KEY (id) REFERENCES followed_past)
FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01'));
CREATE TABLE left_behind (id uuid) PARTITION BY RANGE (id);
CREATE TABLE left_behind_rest PARTITION OF left_behind DEFAULT;
INSERT INTO left_behind VALUES (uuid_boundary('2025-01-01'));
CREATE TABLE without_key (id uuid) PARTITION BY RANGE (id);
CREATE TABLE without_partition (LIKE without_key) PARTITION BY RANGE (id);
CREATE TABLE referenced (id uuid PRIMARY KEY);
CREATE TABLE referring (id uuid REFERENCES referenced ON DELETE CASCADE);
CREATE TABLE of_others (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE of_others_past PARTITION OF of_others FOR VALUES FROM (MINVALUE) TO (uuid_boundary('2026-01-01'));
CREATE TABLE others (id uuid REFERENCES of_others);
CREATE ROLE regress_uidext_other;
ALTER TABLE others OWNER TO regress_uidext_other;
CREATE TABLE with_statistics (a int, b int);
CREATE STATISTICS with_statistics_a_b_stat ON a, b FROM with_statistics;
ALTER STATISTICS with_statistics_a_b_stat SET STATISTICS 7;
CREATE TABLE whole (id uuid, CHECK (whole.* IS DISTINCT FROM NULL));
CREATE INDEX whole_invalid ON whole (id);
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'whole_invalid'::regclass;
CREATE TABLE unkeyed (id uuid) PARTITION BY RANGE (id);
CREATE TABLE unkeyed_rest PARTITION OF unkeyed DEFAULT;
CREATE PUBLICATION of_unkeyed FOR TABLE unkeyed_rest;
CREATE FUNCTION pg_temp.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER nothing AFTER DELETE ON with_default_rest EXECUTE FUNCTION pg_temp.nothing();
CREATE TRIGGER seldom AFTER DELETE ON with_default FOR EACH ROW EXECUTE FUNCTION pg_temp.nothing();
ALTER TABLE with_default_rest DISABLE TRIGGER seldom;
SELECT 'CREATE TABLE ' || repeat('n', 62) || ' (id uuid PRIMARY KEY) PARTITION BY RANGE (id)' \gexec
INSERT INTO edges SELECT 'regnamespace', unnest(ARRAY['0', 'public', 'pg_catalog']);
INSERT INTO edges
SELECT 'regclass',
	unnest(ARRAY['0', '4294967295', 'pg_class', 'steps', 'spent', 'plain', 'plain_pkey', 'by_list',
	'by_time', 'by_time', 'by_number', 'by_v6_time', '"by ""country"""', '"by ""country"""', 'by_country', 'by_country_or_null',
	'with_default', 'with_overlap', repeat('n', 62)]);

INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil'), (0, '', 'ünïcode €'), (255, '%s', ' ');
INSERT INTO iuid.service_entities VALUES (1, 'Ride'), (0, ''), (255, 'Brazil');
INSERT INTO iuid.routes VALUES (76, DEFAULT, 'node'), (76, 1, 'other node');

CREATE FUNCTION pg_temp.random_int(below bigint) RETURNS bigint LANGUAGE sql VOLATILE AS
	'SELECT floor(random() * below)::bigint';

-- Version and variant, by which functions decide, are likelier than chance has them.
CREATE FUNCTION pg_temp.random_uuid() RETURNS uuid LANGUAGE sql VOLATILE AS $$
	SELECT overlay(overlay(overlay(md5(random()::text)
		PLACING substr('012f', 1 + pg_temp.random_int(4)::int, 1) FROM 14 FOR 1)
		PLACING substr('0111124446667778888888ddddf', 1 + pg_temp.random_int(27)::int, 1) FROM 13 FOR 1)
		PLACING substr('8888999aaabbb0c', 1 + pg_temp.random_int(15)::int, 1) FROM 17 FOR 1)::uuid
$$;
CREATE FUNCTION pg_temp.random_time() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
	SELECT CASE pg_temp.random_int(3)
		WHEN 0 THEN timestamptz '4714-11-24 00:00+00 BC' + pg_temp.random_int(109203456) * interval '1 day'
		ELSE timestamptz '1970-01-01 00:00+00' + pg_temp.random_int(281474976710656) * interval '1 ms' END
		+ pg_temp.random_int(1000) * interval '1 us'
$$;

CREATE FUNCTION pg_temp.hostile(type regtype) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	edge text;
BEGIN
	IF random() < 0.1 THEN
		RETURN NULL;
	END IF;
	IF random() < 0.5 THEN
		CASE type
			WHEN 'uuid'::regtype THEN RETURN pg_temp.random_uuid();
			WHEN 'timestamptz'::regtype THEN RETURN pg_temp.random_time();
			WHEN 'interval'::regtype THEN RETURN pg_temp.random_int(1000000) * (
				ARRAY['1 us', '1 ms', '1 s', '1 day'])[1 + pg_temp.random_int(4)]::interval;
			WHEN 'int'::regtype THEN RETURN pg_temp.random_int(300) - 20;
			WHEN 'bytea'::regtype THEN RETURN decode(substr(md5(random()::text), 1, 2 * pg_temp.random_int(17)::int), 'hex');
			ELSE NULL;
		END CASE;
	END IF;
	SELECT edges[1 + pg_temp.random_int(cardinality(edges))] INTO edge FROM pg_temp.edges_of_type AS e WHERE e.type = hostile.type;
	RETURN edge;
END $$;
CREATE TEMP TABLE edges_of_type AS SELECT type, array_agg(value) AS edges FROM edges GROUP BY type;

--
-- Every function, from the catalog.
--

CREATE TEMP TABLE functions AS
SELECT p.oid, p.oid::regprocedure::text AS signature, format('%I.%I', nspname, proname) AS name, proname,
	proargtypes::regtype[] AS types, prorettype = 'trigger'::regtype AS returns_trigger, proargnames AS names, proisstrict,
	provolatile, provolatile = 'v' AND probin IS NULL AS writes, obj_description(p.oid, 'pg_proc') AS comment
FROM pg_depend AS d JOIN pg_proc AS p ON p.oid = d.objid JOIN pg_namespace AS n ON n.oid = pronamespace
WHERE d.classid = 'pg_proc'::regclass AND d.deptype = 'e' AND p.prokind <> 'p'
	AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uidext')
	-- what needs another session, and steps of iuid_partition_create(), three of which need another server
	-- the SQL edition's own steps take what they are given
	AND NOT (:'sql_edition' AND nspname = 'uidext_internal')
	AND proname NOT IN ('partition_raise', 'partition_lock_holder', 'iuid_partition_make',
		'iuid_partition_local', 'iuid_partition_foreign',
		'iuid_partition_leaves', 'iuid_partition_request', 'iuid_remote_leaves', 'iuid_remote_request')
	-- what takes what was read of a table, or steps of a plan, is called by the public functions
	AND NOT EXISTS (
		SELECT FROM unnest(p.proargtypes) a(type) JOIN pg_type t ON t.oid = a.type LEFT JOIN pg_type e ON e.oid = t.typelem
		WHERE coalesce(e.typname, t.typname) IN (
			'partitioned_table', 'partition_period', 'partition_step', 'partition_obstacle', 'iuid_request'));

-- SQLSTATEs that comments name after "raises", also by way of "as other_function()".
CREATE TEMP TABLE documented AS
WITH said AS (
	SELECT signature, proname, substring(comment FROM '[Rr]aises.*') AS said FROM functions
), refers AS (
	SELECT signature, said, true AS own FROM said
	UNION ALL
	SELECT a.signature, b.said, false
	FROM said AS a, regexp_matches(a.said, 'as (\w+)\(\)', 'g') AS other
	JOIN said AS b ON b.proname = other[1]
)
SELECT signature, code[1] AS code, bool_or(own) AS own
FROM refers, regexp_matches(said, '\m(0A000|2BP01|3F000|[23][0-9][0-9A-Z]{3}|42[0-9A-Z]{3}|55[0-9A-Z]{3})\M', 'g') AS code
GROUP BY 1, 2;

-- The partition functions run commands; doc/troubleshooting.md says what a command may raise.
INSERT INTO documented
SELECT signature, code, false
	FROM functions,
	unnest(
		'{0A000,22004,22007,22008,22023,22P02,23503,23514,2BP01,3F000,40001,42501,42601,42602,42622,42703,
			42704,42710,42804,42809,42P01,42P07,42P16,42P17,54000,55000}'::text[])
		AS code
WHERE proname ~ '^(uuid_)?partition_'
	OR proname IN ('range_bounds', 'lock_table', 'edge_id', 'count_ids', 'move_ids', 'attach_ids', 'hold_names',
		'schemas_of_others', 'check_sees_all_rows',
	'id_condition', 'trigger_switches', 'is_referred_to');

-- the call once more where it is an error
CREATE TEMP TABLE outcomes (signature text, outcome text, call text, made text, n int GENERATED ALWAYS AS IDENTITY);

CREATE FUNCTION pg_temp.call(signature text, call text, is_null bool) RETURNS void LANGUAGE plpgsql AS $$
-- Calls a function, notes the outcome and undoes the rest.
DECLARE
	result text;
BEGIN
	EXECUTE 'SELECT (' || call || ')::text' INTO result;
	IF is_null AND result IS NOT NULL THEN
		RAISE 'STRICT, and yet it returned %', result;
	END IF;
	RAISE SQLSTATE 'ZZZZZ';
EXCEPTION
	WHEN SQLSTATE 'ZZZZZ' THEN
		INSERT INTO pg_temp.outcomes VALUES (signature, CASE WHEN result IS NULL THEN 'NULL' ELSE 'value' END, NULL, call);
	WHEN OTHERS THEN
		INSERT INTO pg_temp.outcomes VALUES (signature, SQLSTATE, left(call, 500) || ': ' || SQLERRM, call);
END $$;

CREATE FUNCTION pg_temp.call_all(calls int, signatures text[] DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
-- Calls the functions, or those named, in turn.
DECLARE
	functions pg_temp.functions[] := ARRAY(
		SELECT f FROM pg_temp.functions AS f
		WHERE 'internal'::regtype <> ALL (types) AND (signatures IS NULL OR signature = ANY (signatures))
		ORDER BY signature COLLATE "C");
	f pg_temp.functions;
	args text[];
	span numeric;
	"start" int;
	stop int;
	step int;
	scheme int;
BEGIN
	FOR i IN 1..calls LOOP
		-- what is undone leaves dead rows, which slow down the rest of a long run
		IF i = 20000 THEN
			functions := ARRAY(SELECT u FROM unnest(functions) AS u WHERE NOT u.writes);
		END IF;
		f := functions[1 + i % cardinality(functions)];
		args := ARRAY(SELECT pg_temp.hostile(type) FROM unnest(f.types) WITH ORDINALITY AS u(type, n) ORDER BY n);

		-- periods without number would only take time
		IF f.proname IN ('uuid_partition_maintain', 'partition_missing') AND args[array_position(f.names, 'ahead')]::int > 100 THEN
			args[array_position(f.names, 'ahead')] := 3;
		END IF;
		IF 'ahead' = ANY (f.names) AND args[array_position(f.names, 'step')]::interval BETWEEN '1 us' AND '1 hour' THEN
			args[array_position(f.names, 'step')] := '1 day';
		END IF;
		start := array_position(f.names, 'start');
		stop := array_position(f.names, 'stop');
		step := array_position(f.names, 'step');
		IF args[start] IS NOT NULL AND args[stop] IS NOT NULL AND args[step] IS NOT NULL THEN
			IF random() < 0.5 AND isfinite(args[start]::timestamptz) AND args[start]::timestamptz < '200000-01-01' THEN
				args[stop] := args[start]::timestamptz + pg_temp.random_int(4) * interval '1 day';
			END IF;
			span := extract(epoch FROM args[stop]::timestamptz) - extract(epoch FROM args[start]::timestamptz);
			IF span > 5 * extract(epoch FROM args[step]::interval) AND args[step]::interval >= '1 ms' AND span < 'infinity' THEN
				args[step] := make_interval(secs => span / 3);
			END IF;
		END IF;

		scheme := array_position(f.names, 'scheme');
		IF args[scheme] IS NOT NULL AND random() < 0.7 THEN
			args[scheme] := (
				ARRAY[
					'ulid', 'snowflake', 'discord:1420070400000', 'sonyflake', 'objectid', 'ksuid', 'comb'])[
				1 + pg_temp.random_int(7)];
		END IF;

		PERFORM set_config('uidext.country', (ARRAY['-1', '0', '76', '255'])[1 + pg_temp.random_int(4)], true);
		PERFORM pg_temp.call(f.signature,
			format('%s(%s)', f.name, (
				SELECT string_agg(format('%L::%s', arg, type), ', ' ORDER BY n)
				FROM unnest(args, f.types) WITH ORDINALITY AS u(arg, type, n))),
			f.proisstrict AND array_position(args, NULL) IS NOT NULL);
	END LOOP;
END $$;
SELECT pg_temp.call_all(:calls) \g /dev/null

-- What chance meets too rarely; times by their zone, since other settings follow.
SET LOCAL uidext.country = 76;
SELECT pg_temp.call(signature, call, false)
FROM (VALUES
	($$iuid_route('018c22ac-d000-804c-8040-000000000000')$$),
	($$iuid_describe('018c22ac-d000-804c-8040-000000000000')$$),
	($$iuid_version('018c22ac-d000-804c-8040-000000000000')$$),
	($$iuid_country('018c22ac-d000-804c-8040-000000000000')$$),
	($$iuid_service_entity('018c22ac-d000-804c-8040-000000000000')$$),
	($$short_comb_time('00000000-0000-4000-8000-000000000000', '2026-01-01 00:00+00')$$),
	($$gen_sequence_comb('spent')$$),
	($$uuidv1_to_v6('c232ab00-9414-11ec-b3c8-9f6bdeced846')$$),
	($$uuidv1_to_v13('c232ab00-9414-11ec-b3c8-9f6bdeced846')$$),
	($$uuidv6_to_v1('1ec9414c-232a-6b00-b3c8-9f6bdeced846')$$),
	($$uuidv13_to_v1('1e1624e7-5e1f-d27f-a11d-ed65de8970f6')$$),
	($$gen_sequence_comb('steps')$$),
	($$uuid_decode('00000000000000000000000000', 'crockford')$$),
	($$typeid_to_uuid('01h455vb4pex5vsknk084sn02q')$$),
	($$uid_time('507f1f77bcf86cd799439011', 'objectid')$$),
	($$uid_to_uuid('507f1f77bcf86cd799439011', 'objectid')$$),
	($$uid_from_uuid('013a7092-e8d8-7bcf-a1b3-5e650e404400', 'objectid')$$),
	($$uid_bigint_from_uuid('0181ab11-8149-75e8-8000-000000000000', 'snowflake')$$),
	($$uid_bigint_from_uuid(uid_to_uuid('18446744073709551615', 'discord'), 'discord')$$),
	($$uid_boundary('2026-01-01 00:00+00', 'snowflake')$$),
	($$uid_generate('ulid')$$),
	($$uid_next('snowflake', 1)$$),
	($$uid_next('snowflake:epoch=7258118400000', 1)$$),
	($$uid_next('snowflake', 1024)$$),
	($$uidext_internal.uid_pasted('(018c22ac-d000-804c-8040-000000000000)')$$),
	($$(SELECT count(*) FROM uidext_internal.uid_spellings())$$),
	($$uidext_internal.uid_as_uuid('018c22ac-d000-804c-8040-000000000000')$$),
	($$uuid_partition_bounds('2026-01-01 00:00+00', '2026-01-03 00:00+00', '1 day')$$),
	($$uuid_partition_bounds('1969-01-01 00:00+00', '1969-01-03 00:00+00', '1 day')$$),
	($$uidext_internal.partition_suffix('294276-12-31 23:59+00', '1 day', 'Asia/Kathmandu')$$),
	($$uidext_internal.partition_overlaps(p, p) FROM uidext_internal.partition_periods('gone_by', 'uuid') p LIMIT 1$$),
	($$uidext_internal.partition_of_clause('with_overlap', 'FOR VALUES FROM (MINVALUE) TO (MAXVALUE)')$$),
	($$uuid_partition_create('by_time', '2026-01-01 00:00+00', '2026-01-03 00:00+00', '1 day')$$),
	($$uuid_partition_create('by_time', '1969-01-01 00:00+00', '1969-01-03 00:00+00', '1 day')$$),
	($$uuid_partition_list('with_default')$$),
	($$uuid_partition_maintain('by_time', '1 day')$$),
	($$uuid_partition_maintain('by_time', '1 day', -1)$$),
	($$uuid_partition_maintain('plain', '1 day')$$),
	($$uidext_internal.partition_pair_foreign_keys('follower')$$),
	($$uidext_internal.partition_foreign_keys_by_id('follower_past', 'followed_past', 'follower')$$),
	($$uidext_internal.partition_foreign_key_columns('followed'::regclass, '{1}', '')$$),
	($$uidext_internal.partition_foreign_key_like(
			(SELECT uidext_internal.partition_foreign_keys_by_id('follower_past', 'followed_past', 'follower')))$$),
	($$uidext_internal.partition_written_foreign_key(
			(SELECT uidext_internal.partition_foreign_keys_by_id('follower_past', 'followed_past', 'follower')))$$),
	($$uidext_internal.partition_whole_rows(ARRAY['whole'::regclass::oid])$$),
	($$uidext_internal.partition_invalid_indexes('whole')$$),
	($$uidext_internal.partition_copied_objects('whole')$$),
	($$uidext_internal.partition_index_definition('pg_class_oid_index'::regclass)$$),
	($$uidext_internal.partition_replica_columns('unkeyed_rest')$$),
	($$uidext_internal.partition_publications('unkeyed_rest')$$),
	($$uidext_internal.partition_new_publications('unkeyed_rest', 'public')$$),
	($$uidext_internal.partition_publication_obstacle('unkeyed_rest', 'public')$$),
	($$uidext_internal.partition_pair_problems('follower', 'followed')$$),
	($$uidext_internal.partition_foreign_key_problems('follower', 'followed')$$),
	($$uuid_partition_follow('follower', 'followed')$$),
	($$uuid_partition_follow('without_partition', 'without_key')$$),
	($$uuid_partition_follow('by_number', 'followed')$$),
	($$uuid_partition_maintain('followed', '1 day', followers => '{follower,follower}')$$),
	($$uuid_partition_maintain('followed', '1 day', followers => '{without_partition}')$$),
	($$uuid_partition_maintain('followed', '1 day', followers => '{by_number}')$$),
	($$uuid_partition_check('followed', followers => '{follower}')$$),
	($$uuid_partition_check('followed', followers => '{plain}')$$),
	($$uuid_partition_drop('plain', '2026-01-01 00:00+00')$$),
	($$uuid_partition_drop('by_time', '200000-01-01 00:00+00')$$),
	($$uuid_partition_drop('gone_by', '2026-01-01 00:00+00')$$),
	($$uuid_partition_drop('seen_by', '2026-01-01 00:00+00')$$),
	($$uidext_internal.partition_layout('uuid')$$),
	($$uidext_internal.partition_layout('text')$$),
	($$uidext_internal.partition_boundary('uuid', '2026-01-01 00:00+00')$$),
	($$uidext_internal.partition_boundary('uuid', '1969-01-01 00:00+00')$$),
	($$uidext_internal.partition_boundary_time('uuid', 'infinity')$$),
	($$uidext_internal.partition_boundary_time('discord', '9223372036854775808')$$),
	($$uidext_internal.partition_id_schemes('by_number', 1::smallint)$$),
	($$uidext_internal.partition_boundary_time('uuid', '018c22ac-d000-0000-0000-000000000000')$$),
	($$uidext_internal.result_function('{FUNCEXPR :funcid 99999999999 ')$$),
	($$uidext_internal.result_function('{FUNCEXPR :funcid 3432 ')$$),
	($$uidext_internal.partition_makers('by_v6_time', 1::smallint)$$),
	($$uidext_internal.makes_no_order(0)$$),
	($$uidext_internal.partition_tree('gone_by')$$),
	($$uidext_internal.partition_parts_without_table('with_default')$$),
	($$uidext_internal.partition_parts_in_time('gone_by', 'id', 'uuid')$$),
	($$uidext_internal.partition_rows_known_by('with_default_rest', 'id')$$),
	($$uidext_internal.partition_foreign_owner_problems('of_others')$$),
	($$uidext_internal.partition_index_mark_commands('with_statistics', 'with_statistics')$$),
	($$uidext_internal.partition_key_hint('by_country', 'bigint')$$),
	($$uidext_internal.partition_check_owner('by_time')$$),
	($$uidext_internal.base_types('information_schema.cardinal_number')$$),
	($$uidext_internal.key_misread_layout('065e5a96-172c-771e-8000-bbac546447e1')$$),
	($$uidext_internal.key_sample('uuid', '{018c22ac-d000-0000-0000-000000000000}')$$),
	($$uidext_internal.key_layout('uuid', '{018c22ac-d000-0000-0000-000000000000}', '{}', '{}', 0)$$),
	($$uidext_internal.key_at('bigint', 9223372036854775808)$$),
	($$uidext_internal.key_position('bigint', '-7')$$),
	($$uidext_internal.key_range_members('gone_by', 'id', 1::smallint, 'uuid')$$),
	($$uidext_internal.key_range_steps('pg_class', 'oid', 1::smallint, 'bigint')$$),
	($$uidext_internal.key_range_cuts('gone_by', 'id', 1::smallint, 'uuid', 3)$$),
	($$uidext_internal.key_range_cuts('pg_class', 'oid', 1::smallint, 'uuid', 3)$$),
	($$uidext_internal.key_range_steps('pg_class', 'oid', 1::smallint, 'uuid')$$),
	($$uidext_internal.partition_remove('gone_by', 'gone_by_past', false)$$),
	($$uidext_internal.partition_origin('2026-01-01 00:00+00', '1 day', 'UTC')$$),
	($$uidext_internal.partition_origin('2026-01-01 00:00+00', '1 month -30 days', 'UTC')$$),
	($$uuid_partition_check('with_default')$$),
	($$uidext_internal.partition_hashed_without_country('by_core')$$),
	($$uidext_internal.partition_hash_lacks_present('by_core')$$),
	($$uidext_internal.partition_lacks_present(uidext_internal.partition_read('by_v6_time', now()))$$),
	($$uidext_internal.partition_is_elsewhere(uidext_internal.partition_read('with_foreign', now()))$$),
	($$uuid_partition_check('with_default', keep => '-1 day')$$),
	($$uidext_internal.partition_kept_since('1 day', 'UTC')$$),
	($$uidext_internal.partition_kept_since('-1 day', 'UTC')$$),
	($$uidext_internal.partition_assert('plain', true)$$),
	($$uidext_internal.partition_assert_visible_rows('plain', '{}')$$),
	($$uidext_internal.partition_operators('uuid')$$),
	($$uidext_internal.partition_sizes('{with_default_rest}')$$),
	($$uidext_internal.partition_check_default_unreferenced('by_time')$$),
	($$uidext_internal.partition_check_default_unreferenced('referenced')$$),
	($$uidext_internal.partition_check_template('by_time', 'plain')$$),
	($$uidext_internal.partition_check_template('by_time', 'by_time')$$),
	($$uidext_internal.partition_check_template('plain', 'pg_class')$$),
	($$uidext_internal.partition_unreadable_hint('others')$$),
	($$uidext_internal.partition_row_security_hint('with_default_rest')$$),
	($$uidext_internal.partition_visible_rows('with_default_rest')$$),
	($$uidext_internal.partition_check_exists('plain')$$),
	($$uuid_partition_check(0)$$),
	($$uidext_internal.partition_check_start('2026-01-01 12:00+00', '2026-02-01 00:00+00', '1 day', 'UTC')$$),
	($$uidext_internal.partition_check_null('{start,stop}', '{false,true}')$$),
	($$uidext_internal.partition_check_null('{start,stop}', '{false,false}')$$),
	($$uidext_internal.partition_check_count(10001)$$),
	($$uidext_internal.partition_check_count(10000)$$),
	($$uidext_internal.partition_attach('by_time', 'plain', 'DEFAULT')$$),
	($$uidext_internal.partition_run('{SELECT}')$$),
	($$uidext_internal.partition_storage_commands('plain', 'plain')$$),
	($$uidext_internal.partition_access_commands('plain', 'plain')$$),
	($$uidext_internal.range_bounds('gone_by')$$),
	($$uidext_internal.lock_table('plain', 'ACCESS SHARE', '0')$$),
	($$uidext_internal.oid_distance(4294967295, 16384)$$),
	($$uidext_internal.lock_table('plain', 'nothing', '0')$$),
	($$uidext_internal.lock_table(0, 'ACCESS SHARE', '0')$$),
	($$uidext_internal.hold_names(ARRAY['plain'::regclass])$$),
	($$uidext_internal.hold_names('{0}')$$),
	($$uidext_internal.edge_id('with_default_rest', 'id', NULL, 'ffffffff-ffff-ffff-ffff-ffffffffffff', false, NULL)$$),
	($$uidext_internal.edge_id('with_default_rest', 'nobody', '00000000-0000-0000-0000-000000000000', NULL, false, NULL)$$),
	($$uidext_internal.edge_id('with_default_rest', 'id', 'no id', NULL, true, NULL)$$),
	($$uidext_internal.edge_id('pg_am_name_index', 'amname', NULL, NULL, true, NULL)$$),
	($$uidext_internal.edge_id('plain', 'ctid', NULL, NULL, true, NULL)$$),
	($$uidext_internal.edge_id('of_other_types', 'number', NULL, NULL, true, '{7}')$$),
	($$uidext_internal.count_ids('with_default_rest', 'id', NULL, NULL, '{0,4,7}', 5)$$),
	($$uidext_internal.move_ids('with_default_rest', 'plain', 'id', NULL, NULL, NULL)$$),
	($$uidext_internal.move_ids('with_default_rest', 'plain', 'id', '00000000-0000-0000-0000-000000000000',
			'ffffffff-ffff-ffff-ffff-ffffffffffff', 9)$$),
	($$uidext_internal.move_ids('referred_rest', 'plain', 'id', '00000000-0000-0000-0000-000000000000',
			'ffffffff-ffff-ffff-ffff-ffffffffffff', 9)$$),
	($$uidext_internal.move_ids('with_default_rest', 'apart', 'id', '00000000-0000-0000-0000-000000000000',
			'00000000-0000-0000-0000-000000000001', 9)$$),
	($$uidext_internal.attach_ids('with_default', 'plain', NULL, NULL)$$),
	($$uidext_internal.attach_ids('with_default', 'with_default_rest', 'no id', NULL)$$),
	($$uidext_internal.attach_ids('plain', 'with_default_rest', NULL, NULL)$$),
	($$uidext_internal.attach_ids('gone_by', 'apart', NULL, NULL)$$),
	($$uidext_internal.partition_periods('gone_by', 'uuid')$$),
	($$uidext_internal.partition_read('by_v6_time', now())$$),
	($$uidext_internal.partition_read('plain', now())$$),
	($$uidext_internal.partition_read(0, now())$$),
	($$uidext_internal.partition_read('by_time', now())$$),
	($$uidext_internal.partition_require_time(uidext_internal.partition_read('by_v6_time', now()))$$),
	($$uidext_internal.partition_versions('{}')$$),
	($$uidext_internal.partition_schema('plain')$$),
	($$uidext_internal.partition_check_age('2020-01-01 00:00+00')$$),
	($$uidext_internal.partition_check_age('infinity')$$),
	($$uidext_internal.partition_check_upkeep('1 day', 3, '1 hour', 'UTC')$$),
	($$uidext_internal.partition_check_step(uidext_internal.partition_read('by_time', now()), '1 second')$$),
	($$uidext_internal.partition_check_upkeep('1 day', 3, '2 days', 'UTC')$$),
	($$uidext_internal.partition_own_checks('plain', 'id', 'by_time')$$),
	($$uidext_internal.partition_parts_to_copy('gone_by')$$),
	($$uidext_internal.partition_tree_like('gone_by', 'x')$$),
	($$uidext_internal.partition_tables_divided_by('gone_by', 'id')$$),
	($$uidext_internal.partition_own_objects('gone_by_past')$$),
	($$uidext_internal.partition_check_pair('follower', 'followed')$$),
	($$uidext_internal.partition_check_pair('follower', 'follower')$$),
	($$uidext_internal.partition_check_pair('by_number', 'followed')$$),
	($$uidext_internal.partition_of_period(
			'with_default', ROW(NULL, NULL, NULL, NULL, NULL, true, false)::uidext_internal.partition_period)$$),
	($$uidext_internal.partition_newest_foreign_keys('follower')$$),
	($$uidext_internal.partition_wanted_foreign_keys('follower', 'followed', NULL)$$),
	($$uidext_internal.partition_plain_foreign_key('follower', 'followed')$$),
	($$uidext_internal.partition_plain_foreign_key('follower', 'without_key')$$),
	($$uidext_internal.partition_foreign_key_names('(order_id) REFERENCES %s (id) ON UPDATE NO ACTION', true)$$),
	($$uidext_internal.partition_referred_columns(NULL, 'followed_past')$$),
	($$uidext_internal.partition_leader('follower', uidext_internal.partition_newest_foreign_keys('follower'), '{followed}')$$),
	($$uidext_internal.partition_check_followers('followed', '{follower}')$$),
	($$uidext_internal.partition_check_followers('followed', '{NULL}')$$),
	($$uidext_internal.partition_check_followers('followed', '{follower,follower}')$$),
	($$uidext_internal.partition_find_leaders(
			ARRAY[uidext_internal.partition_read('followed', now()),
				uidext_internal.partition_read('follower', now())])$$),
	($$uidext_internal.partition_raise(NULL, NULL)$$),
	($$uidext_internal.partition_detach_hint('gone_by', 'gone_by_past')$$),
	($$uidext_internal.partition_name_obstacle('pg_catalog', 'pg_class')$$),
	($$uidext_internal.partition_unread_obstacle('with_default_rest', 'hidden')$$),
	($$uidext_internal.partition_foreign_table_obstacle(uidext_internal.partition_read('with_foreign', now()))$$),
	($$uidext_internal.partition_foreign_keys_obstacle('follower', 'follower_past', 'followed', 'followed_past', NULL, '{}', '{}')$$),
	($$uidext_internal.partition_referred_obstacle(
			'follower', '(order_id) REFERENCES %s (n) ON UPDATE NO ACTION', '{followed_past}')$$),
	($$uidext_internal.partition_makes_unnoticed(ARRAY[uidext_internal.partition_read('gone_by', now())], '{}')$$),
	($$uidext_internal.partition_references('of_others_past', 'id')$$),
	($$uidext_internal.partition_pair_obstacle(ARRAY['followed_past'::regclass::oid])$$),
	($$uidext_internal.partition_dependents(ARRAY['seen_by_past'::regclass::oid])$$),
	($$uidext_internal.partition_dependent_obstacle(ARRAY['seen_by_past'::regclass::oid])$$),
	($$uidext_internal.partition_removal_obstacle('of_others', 'of_others_past', 'drop')$$),
	($$uidext_internal.partition_make_table(uidext_internal.partition_schema('plain'), 'made', 'plain', NULL)$$),
	($$uidext_internal.partition_assert('plain', false)$$),
	($$uidext_internal.partition_related('{refers}')$$),
	($$uidext_internal.partition_deadline(0.5)$$),
	($$uidext_internal.partition_patience()$$),
	($$uidext_internal.partition_lock_family('{plain}', now())$$),
	($$uidext_internal.partition_lock_family('{0}', now())$$),
	($$uidext_internal.partition_lock_at_once(ARRAY['plain'::regclass::oid], 'SHARE UPDATE EXCLUSIVE')$$),
	($$uidext_internal.partition_lock_and_read('{gone_by}', true, now() + '10 s')$$),
	($$uidext_internal.partition_begin('gone_by', '{}', 'plain', false, now() + '10 s')$$),
	($$uidext_internal.partition_begin('followed', '{follower}', NULL, true, now() + '10 s')$$),
	($$uidext_internal.partition_begin('followed', '{without_partition}', NULL, true, now() + '10 s')$$),
	($$uidext_internal.partition_check_drain('with_default', '1 day', 'UTC', 10, false)$$),
	($$uidext_internal.partition_check_drain('with_default', NULL, 'UTC', 10, false)$$),
	($$uidext_internal.partition_check_drain('with_default', '1 day', 'UTC', -1, false)$$),
	($$uidext_internal.partition_check_drainable('with_default_rest')$$),
	($$uidext_internal.partition_check_drainable('with_foreign_past')$$),
	($$uidext_internal.partition_check_drainable('referred_rest')$$),
	($$uidext_internal.partition_drain_next('with_default', '1 day', 'UTC', NULL, NULL, 10, false, NULL, NULL)$$),
	($$uidext_internal.partition_unanalyzed('with_default')$$),
	($$uidext_internal.partition_check_ahead('1 second')$$),
	($$uidext_internal.schemas_of_others(ARRAY['plain'::regclass])$$),
	($$uidext_internal.check_sees_all_rows('plain')$$),
	($$uidext_internal.id_condition('plain', 'id', NULL, NULL, '{7}')$$),
	($$uidext_internal.id_condition('plain', 'nobody', NULL, NULL, NULL)$$),
	($$uidext_internal.trigger_switches(ARRAY['plain'::regclass::oid])$$),
	($$uidext_internal.partition_make_holding('with_default_rest', 'id')$$),
	($$uidext_internal.is_referred_to('plain')$$),
	($$uidext_internal.partition_run_quietly('plain', 'SELECT')$$),
	($$ulid_to_uuid('01ARZ3NDEKTSV4RRFFQ69G5FAV')$$),
	($$uuid_decode('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'crockford')$$),
	($$uidext_internal.ulid_in('01ARZ3NDEKTSV4RRFFQ69G5FAV')$$),
	($$uidext_internal.iuid_in('018c22ac-d000-8037-a940-000000000000')$$),
	($$uuid_to_iuid('018c22ac-d000-7037-a940-000000000000', 76, 1)$$),
	($$uuid_to_iuid('91e0c2ac-d000-4037-a940-000000000000', 76, 1)$$),
	($$uuid_to_iuid('018c22ac-d000-7037-a940-000000000000', 'Brazil', 'Ride')$$),
	($$uidext_internal.uuid_as_iuid('018c22ac-d000-7037-a940-000000000000')$$),
	($$uidext_internal.uuid_as_iuid('018c22ac-d000-8037-a940-000000000000')$$),
	($$uuid_decrypt('c8a69b42-bcf2-4c52-843e-110c2057711c', '\x000102030405060708090a0b0c0d0e0f')$$),
	($$uuid_to_typeid('018c22ac-d000-7037-a940-000000000001', 'user')$$),
	($$typeid_to_uuid('user_01h455vb4pex5vsknk084sn02q', 'user')$$),
	($$typeid_to_uuid('user_01h455vb4pex5vsknk084sn02q', 'order')$$),
	($$typeid_prefix('user_01h455vb4pex5vsknk084sn02q')$$),
	($$uuid_time_decoder('018c22ac-d000-804c-8040-000000000000')$$),
	($$uidext_internal.partition_origin('2026-01-01 00:00+00', '0', 'UTC')$$),
	($$uidext_internal.partition_origin('2026-01-01 00:00+00', '1 day', 'nowhere')$$),
	($$uidext_internal.partition_add('2026-01-01 00:00+00', '1 day', 'UTC')$$),
	($$uidext_internal.partition_add('2026-01-01 00:00+00', '2147483647 months', 'UTC')$$),
	($$uidext_internal.partition_add('2026-01-01 00:00+00', '1 day', 'nowhere')$$),
	($$uuid_partition_create('with_default', '2026-03-29 00:00+00', '2026-03-30 00:00+00', '1 day')$$),
	($$uuid_partition_create('with_overlap', '2026-03-29 00:00+00', '2026-03-30 00:00+00', '1 day')$$),
	($$uuid_partition_create(repeat('n', 62)::regclass, '2026-03-29 00:00+00', '2026-03-30 00:00+00', '1 day')$$),
	($$iuid_partition_create('"by ""country"""', '{76}')$$),
	($$iuid_partition_create('"by ""country"""', '{256}')$$),
	($$iuid_partition_create('by_country', '{76}', dry_run => true)$$),
	($$uidext_internal.iuid_partition_name('by_country', 76)$$),
	($$uidext_internal.iuid_bound_obstacle('by_hash', 4, 2)$$),
	($$uidext_internal.iuid_leaf_obstacle('gone_by',
			json_populate_record(NULL::uidext_internal.iuid_leaves,
				'{"is_default": false, "to_id": "018c22ac-d000-7037-a940-000000000001"}'))$$),
	($$iuid_partition_create('by_country', '{76}', 'nobody')$$),
	($$iuid_partition_create('by_country', '{76}', '')$$),
	($$iuid_partition_create('by_country_or_null', '{76}')$$)
) AS v(call) JOIN functions ON replace(call, 'uidext_internal.', '') LIKE proname || '(%' AND proname <> 'gen_iuid' \g /dev/null
\if :sql_edition
\else
SELECT pg_temp.call(signature, call, false)
FROM (VALUES
	($$uidext_internal.edge_id('of_other_types', 'place', NULL, NULL, true, NULL)$$),
	($$uidext_internal.edge_id('of_other_types', 'title', NULL, NULL, true, NULL)$$),
	($$uidext_internal.edge_id('of_other_types', 'place', '(0,0)', NULL, true, NULL)$$)
) AS v(call) JOIN functions ON proname = 'edge_id' \g /dev/null
\endif
SELECT pg_temp.call('gen_iuid_at(timestamp with time zone,text,text)',
	$$gen_iuid_at('1969-01-01 00:00+00', 'BR', 'Ride')$$, false),
	pg_temp.call('gen_iuid(text,text)', $$gen_iuid('BR', 'Ride')$$, false),
	pg_temp.call('gen_iuid(text)', $$gen_iuid('Ride')$$, false) \g /dev/null
UPDATE iuid.countries SET id = 77 WHERE id = 76;
SELECT pg_temp.call('iuid_load_iso_3166()', 'iuid_load_iso_3166()', false) \g /dev/null

-- What has not been met yet.
CREATE TEMP VIEW unmet AS
SELECT signature, code
FROM documented AS d
WHERE own AND NOT EXISTS (SELECT FROM outcomes AS o WHERE o.signature = d.signature AND o.outcome = d.code)
	-- from 17 on it can be done
	AND NOT (code = '0A000' AND current_setting('server_version_num')::int >= 170000)
	-- other roles, rows that are referenced, other and read-only transactions have tests of their own
	AND NOT (signature = 'uid_next(text,integer)' AND (code = '55000') =
		(current_setting('server_version_num')::int >= 170000 OR current_setting('shared_preload_libraries') ~ '\muidext\M'))
	AND code NOT IN ('42501', '23503', '55P03', '55006', '25006')
		AND signature NOT IN ('uuid_safe_boundary()', 'gen_ordered_uuidv7()', 'uidext_internal.iuid_recv(internal)');
CREATE TEMP VIEW valueless AS
SELECT signature
FROM functions AS f
WHERE NOT EXISTS (SELECT FROM outcomes AS o WHERE o.signature = f.signature AND outcome = 'value')
	-- SQL cannot call these
	AND 'internal'::regtype <> ALL (types) AND NOT returns_trigger
	-- of what others own or lock, or is analyzed, or has a CHECK of its own, other tests tell
	AND proname NOT IN ('partition_own_checks', 'partition_lock_at_once',
		'partition_foreign_keys_obstacle', 'partition_removal_obstacle', 'partition_unanalyzed')
	-- needs a preload before
	AND NOT (
		signature IN ('gen_ordered_uuidv7()', 'uid_next(text,integer)')
			AND current_setting('server_version_num')::int < 170000);

-- Chance gets as many tries as it needs, within reason.
DO $$
DECLARE
	lacking text[];
BEGIN
	FOR round IN 1..400 LOOP
		lacking := ARRAY(SELECT signature FROM pg_temp.unmet UNION SELECT signature FROM pg_temp.valueless);
		EXIT WHEN lacking = '{}';
		PERFORM pg_temp.call_all(25 * cardinality(lacking), lacking);
	END LOOP;
END $$;

SELECT diag(format('%s calls of %s functions: %s values, %s NULLs, %s errors', count(*), count(DISTINCT signature),
	count(*) FILTER (WHERE outcome = 'value'), count(*) FILTER (WHERE outcome = 'NULL'), count(*) FILTER (WHERE call IS NOT NULL)))
FROM outcomes;

SELECT is(array_agg(signature ORDER BY signature COLLATE "C"),
	CASE
		WHEN NOT :'sql_edition' THEN '{"uidext_internal.generate(internal,\"any\")",
			uidext_internal.generator_support(internal),uidext_internal.id_in_periods_support(internal),
			uidext_internal.id_predicate_support(internal),
			uidext_internal.iuid_recv(internal),uidext_internal.ulid_comparison_support(internal),
			uidext_internal.ulid_recv(internal),uidext_internal.uuid_safe_boundary_support(internal),
			uidext_internal.uuid_sqlserver_sortsupport(internal)}'::text[]
		END,
	'every function is called, but those that SQL cannot call')
FROM functions WHERE signature NOT IN (SELECT signature FROM outcomes);
-- nextval() has no better SQLSTATE for a relation that is not there, and this is no place to mend it
DELETE FROM outcomes WHERE signature LIKE 'gen_sequence_comb(%' AND outcome = 'XX000' AND call LIKE '%could not open relation%';
SELECT is(string_agg(DISTINCT signature || ' ' || outcome || E'\n  ' || call, E'\n'), NULL,
	'no error but those that the comment names')
FROM (SELECT DISTINCT ON (signature, outcome) * FROM outcomes) AS o
WHERE call IS NOT NULL AND NOT EXISTS (SELECT FROM documented AS d WHERE d.signature = o.signature AND d.code = o.outcome);
SELECT is(string_agg(signature || ' ' || code, E'\n' ORDER BY signature, code), NULL,
	'each error that a comment names is met')
FROM unmet;
SELECT is(array_agg(signature ORDER BY signature COLLATE "C"), NULL, 'each function also returns something') FROM valueless;

--
-- The session's settings have no part in what a function returns, but for
-- those that are volatile, which shift.sql knows.
--

CREATE FUNCTION pg_temp.bytes(call text, timezone text, datestyle text, intervalstyle text) RETURNS text LANGUAGE plpgsql AS $$
-- What the call returns in binary, or its SQLSTATE.
DECLARE
	bytes text;
BEGIN
	PERFORM set_config('timezone', timezone, true),
		set_config('datestyle', datestyle, true),
		set_config('intervalstyle', intervalstyle, true);
	EXECUTE format('SELECT encode(record_send(ROW(%s)), ''hex'')', call) INTO bytes;
	RAISE SQLSTATE 'ZZZZZ';
EXCEPTION
	WHEN SQLSTATE 'ZZZZZ' THEN RETURN bytes;
	WHEN OTHERS THEN RETURN SQLSTATE;
END $$;
SELECT is(string_agg(DISTINCT signature || E'\n  ' || left(made, 500), E'\n'), NULL,
	'no function depends on the session''s TimeZone, DateStyle or IntervalStyle')
FROM (
	SELECT o.*, row_number() OVER (PARTITION BY signature, outcome ORDER BY made LIKE '%NULL%', n DESC) AS place
	FROM outcomes AS o
	JOIN functions
	USING (signature) WHERE provolatile <> 'v') AS o
-- of each function ten calls that returned something, rather without NULL, and one of each other outcome; literals of
-- intervals depend on them
WHERE place <= CASE outcome
	WHEN 'value' THEN 10
	ELSE 1
	END AND pg_temp.bytes(made, 'UTC', 'ISO', 'postgres') IS DISTINCT FROM pg_temp.bytes(made,
	(ARRAY['Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia'])[1 + n % 3], 'German',
	CASE WHEN made LIKE '%::interval%' THEN 'postgres' ELSE 'sql_standard' END);

--
-- Laws.
--

CREATE FUNCTION pg_temp.holds(law text, "of" text, that text) RETURNS text LANGUAGE plpgsql AS $$
-- A test that the condition is true of every row, with a row of which it is not.
DECLARE
	exception text;
BEGIN
	EXECUTE format('SELECT t::text FROM (SELECT * FROM %s OFFSET 0) AS t WHERE (%s) IS NOT TRUE LIMIT 1', "of", that) INTO exception;
	RETURN is(exception, NULL, law);
END $$;

CREATE TEMP TABLE ids AS
SELECT value::uuid AS id FROM edges WHERE type = 'uuid'::regtype
UNION ALL SELECT pg_temp.random_uuid() FROM generate_series(1, :values);
CREATE TEMP TABLE ids_of AS
SELECT *, ('x' || replace(id::text, '-', ''))::bit(64)::bit(48)::bigint AS first48
FROM ids,
	LATERAL (
		SELECT CASE
			WHEN substr(id::text, 20, 1) ~ '[89ab]' THEN ('x' || substr(id::text, 15, 1))::bit(4)::int
			END) AS v(version);
CREATE TEMP TABLE any_times AS
SELECT value::timestamptz AS at FROM edges WHERE type = 'timestamptz'::regtype
UNION ALL SELECT pg_temp.random_time() FROM generate_series(1, :values);
-- those that a UUID can hold
CREATE TEMP TABLE times AS
SELECT at, date_trunc('milliseconds', at) AS ms, row_number() OVER () AS n FROM any_times
WHERE at >= '1970-01-01 00:00+00' AND at < '10889-08-02 05:31:50.656+00';
CREATE TEMP TABLE pairs AS SELECT a.n, a.at AS a, b.at AS b FROM times AS a JOIN times AS b ON b.n = a.n + 1;
CREATE TEMP TABLE timed AS
SELECT id, t.at
FROM (SELECT id, row_number() OVER () AS n FROM ids) AS i
JOIN (SELECT at, row_number() OVER () AS n FROM any_times) AS t USING (n)
UNION ALL SELECT gen_uuidv7_at(at), at FROM times
UNION ALL SELECT gen_uuidv7_at(at), ms FROM times
UNION ALL SELECT gen_iuid_at(at, 76, 1), at FROM times
UNION ALL SELECT gen_iuid_at(a, 0, 255), b FROM pairs
UNION ALL SELECT gen_uuidv7_at(times.at), e.value::timestamptz
FROM times, edges AS e
WHERE e.type = 'timestamptz'::regtype AND n < 200;
DELETE FROM timed WHERE NOT uuidv7_is_valid(id) AND NOT iuid_is_valid(id);
CREATE TEMP TABLE lengths AS
SELECT value::interval AS length, extract(epoch FROM value::interval) * 1000 AS length_ms FROM edges
WHERE type = 'interval'::regtype AND value IN ('1 ms', '1 min', '10 min', '1 hour', '1 day', '65536 min', '281474976710.655 s');
CREATE TEMP TABLE tolerances AS
SELECT value::interval AS tolerance FROM edges WHERE type = 'interval'::regtype
	AND value IN ('0', '1 us', '999 us', '1 ms', '1.5 ms', '1 hour', '1 day', '65535 min', '1000000 days');

-- Times.
SELECT pg_temp.holds(family || ' has its time, to the ' || unit,
	CASE unit WHEN 'microsecond' THEN $$times WHERE at < '5236-03-31 21:21:00.684698+00'$$ ELSE 'times' END,
	format('%s(%s) = %s', reader, format(generator, 'at'), CASE unit WHEN 'microsecond' THEN 'at' ELSE 'ms' END))
FROM (VALUES
	('UUIDv7', 'gen_uuidv7_at(%s)', 'uuid_time', 'millisecond'),
	('iUID', 'gen_iuid_at(%s, 76, 1)', 'uuid_time', 'millisecond'),
	('COMB', 'gen_comb_at(%s)', 'comb_time', 'millisecond'),
	('suffix COMB', 'gen_suffix_comb_at(%s)', 'suffix_comb_time', 'millisecond'),
	('UUIDv1', 'gen_uuidv1_at(%s)', 'uuid_time', 'microsecond'),
	('UUIDv6', 'gen_uuidv6_at(%s)', 'uuid_time', 'microsecond'),
	('Lambert v13', 'gen_uuidv13_at(%s)', 'uuid_time', 'microsecond')
) AS v(family, generator, reader, unit);

SELECT pg_temp.holds(format('%1$s(at) <= %2$s < %1$s(at + %3$s)', boundary, generator, step),
	format('times WHERE at < %L', highest::timestamptz - step::interval),
	format('%1$s BETWEEN %2$s(at) AND %2$s(at + %3$L) AND %1$s < %2$s(at + %3$L)', generator, boundary, step))
FROM (VALUES
	('gen_uuidv7_at(at)', 'uuid_boundary', '1 ms', '10889-08-02 05:31:50.656+00'),
	('gen_comb_at(at)', 'uuid_boundary', '1 ms', '10889-08-02 05:31:50.656+00'),
	('gen_iuid_at(at, 255, 255)', 'uuid_boundary', '1 ms', '10889-08-02 05:31:50.656+00'),
	('gen_iuid_at(at, 0, 0)', 'iuid_boundary', '1 ms', '10889-08-02 05:31:50.656+00'),
	('gen_uuidv6_at(at)', 'uuidv6_boundary', '410 us', '5236-03-31 21:21:00.684698+00'),
	('gen_uuidv13_at(at)', 'uuidv6_boundary', '410 us', '5236-03-31 21:21:00.684698+00')
) AS v(generator, boundary, step, highest);
SELECT pg_temp.holds('a boundary''s time is its millisecond', 'times',
	'uuid_boundary_time(uuid_boundary(at)) = ms');
SELECT pg_temp.holds('boundaries of predicates round up', 'times',
	$$uidext_internal.uuid_boundary_at_or_after(at) = CASE
		WHEN at = ms THEN uuid_boundary(at)
		ELSE uidext_internal.uuid_boundary_after(at)
		END
		AND uidext_internal.uuid_boundary_after(at) = CASE
			WHEN ms + '1 ms' < '10889-08-02 05:31:50.656+00' THEN uuid_boundary(ms + '1 ms')
			ELSE uuid_boundary('infinity') END$$);
SELECT pg_temp.holds('ids are in the order of their times', 'pairs', $$
	date_trunc('milliseconds', a) = date_trunc('milliseconds', b)
		OR (a < b) = (gen_uuidv7_at(a) < gen_uuidv7_at(b))
			AND (a < b) = (gen_comb_at(a) < gen_comb_at(b))
			AND (a < b) = (gen_iuid_at(a, 255, 0) < gen_iuid_at(b, 0, 255))
			AND (a < b) = (gen_suffix_comb_at(a) ~<~ gen_suffix_comb_at(b))$$);
SELECT pg_temp.holds('v6 and v13 as well', $$pairs WHERE greatest(a, b) < '5236-03-31'$$,
	'a = b OR (a < b) = (gen_uuidv6_at(a) < gen_uuidv6_at(b)) AND (a < b) = (gen_uuidv13_at(a) < gen_uuidv13_at(b))');
SELECT pg_temp.holds('a short COMB tells the start of its interval', 'times, lengths',
	$$extract(epoch FROM short_comb_time(gen_short_comb_at(at, length), at, length)) * 1000
		= floor(extract(epoch FROM at) * 1000 / length_ms) * length_ms$$);
SELECT pg_temp.holds('its block is the interval''s number', 'times, lengths',
	$$short_comb_block(gen_short_comb_at(at, length)) = floor(extract(epoch FROM at) * 1000 / length_ms) % 65536
		AND short_suffix_comb_block(gen_short_suffix_comb_at(at, length)) = short_comb_block(gen_short_comb_at(at, length))$$);
-- any moments, and those at which the window ends
CREATE TEMP TABLE windows AS
SELECT past, future, a, b FROM tolerances AS p(past), tolerances AS f(future), pairs WHERE n % 10 = 0
UNION ALL
SELECT past, future, a, e.b
FROM pairs, tolerances AS p(past), tolerances AS f(future),
	LATERAL (VALUES (date_trunc('milliseconds', a) + past + interval '999 us'),
		(date_trunc('milliseconds', a) + past + interval '1 ms'),
		(date_trunc('milliseconds', a) - future), (date_trunc('milliseconds', a) - future - interval '1 us')) AS e(b)
WHERE n % 40 = 0 AND e.b >= '1970-01-01 00:00+00' AND e.b < '10889-08-02 05:31:50.656+00';
SELECT pg_temp.holds('recent is what lies in the window', 'windows', $$
	comb_is_recent(gen_comb_at(a), past, future, b)
		= (date_trunc('milliseconds', a) + interval '999 us' >= b - past AND date_trunc('milliseconds', a) <= b + future)
	AND uuid_is_recent(gen_uuidv7_at(a), past, future, b) = comb_is_recent(gen_comb_at(a), past, future, b)$$);
SELECT pg_temp.holds('a short COMB of the window is recent',
	$$
		pairs, lengths, tolerances
		WHERE extract(epoch FROM tolerance) * 1000 / length_ms < 32000
			AND a >= b - tolerance
			AND a <= b + tolerance$$,
	'short_comb_is_recent(gen_short_comb_at(a, length), tolerance, tolerance, length, b)');

-- Refusals.
CREATE FUNCTION pg_temp.outcome(call text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'SELECT ' || call;
	RETURN 'value';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
CREATE TEMP TABLE some_times AS
SELECT at, isfinite(at) AS finite, at >= '1970-01-01 00:00+00' AND at < '10889-08-02 05:31:50.656+00' AS unix,
	at >= '1970-01-01 00:00+00' AND at < '5236-03-31 21:21:00.684698+00' AS gregorian
FROM (
	SELECT value::timestamptz FROM edges WHERE type = 'timestamptz'::regtype
	UNION ALL (SELECT at FROM any_times LIMIT 300)) AS t(at);
SELECT pg_temp.holds('ids are made of the times that they can hold, and of no others',
	$$some_times,
	LATERAL (VALUES ('gen_uuidv7_at(%L)', unix), ('gen_comb_at(%L)', unix), ('gen_suffix_comb_at(%L)', unix),
		('gen_short_comb_at(%L)', unix),
		('gen_short_suffix_comb_at(%L)', unix), ('gen_iuid_at(%L, 76, 1)', unix),
		('gen_uuidv1_at(%L)', gregorian), ('gen_uuidv6_at(%L)', gregorian), ('gen_uuidv13_at(%L)', gregorian)) AS v(call, fits)$$,
	$$pg_temp.outcome(format(call, at)) = CASE WHEN fits THEN 'value' ELSE '22008' END$$);
SELECT pg_temp.holds('boundaries likewise, and of infinities',
	$$
		some_times,
			LATERAL (
				VALUES ('uuid_boundary(%L)', unix), ('iuid_boundary(%L)', unix),
					('uuidv6_boundary(%L)', gregorian)) AS v(call, fits)$$,
	$$pg_temp.outcome(format(call, at)) = CASE WHEN fits OR NOT finite THEN 'value' ELSE '22008' END$$);
-- of each length the four windows that are the nearest to that, on each side
SELECT pg_temp.holds('a window of all blocks is refused',
	$$(SELECT *, row_number() OVER (PARTITION BY length, blocks < 65536 ORDER BY abs(blocks - 65536), past) AS place
		FROM lengths, tolerances AS p(past), tolerances AS f(future),
			LATERAL (VALUES (ceil(extract(epoch FROM past + future) * 1000 / length_ms) + 1)) AS v(blocks)) AS nearest WHERE place <= 4$$,
	$$
		pg_temp.outcome(
			format('short_comb_is_recent(uuid_boundary(now()), %L, %L, %L)', past, future, length)) = CASE
			WHEN blocks < 65536 THEN 'value'
			ELSE '22023'
			END$$);

-- Operators and uuid_time() agree.
SELECT pg_temp.holds(format('id %s time', operator), 'timed',
	format('(id %1$s at) = (uuid_time(id) %1$s at) AND (at %1$s id) = (at %1$s uuid_time(id))', operator))
FROM unnest('{<,<=,>=,>}'::text[]) AS operator;
SELECT pg_temp.holds('id <@ period', $$timed,
	LATERAL (SELECT tstzrange(least(at, uuid_time(id)), greatest(at, uuid_time(id) + '1 us'), bounds)
		FROM unnest('{[],[),(],()}'::text[]) AS bounds
		UNION ALL VALUES (tstzrange(at, NULL)), (tstzrange(NULL, at)), (tstzrange(at, at, '[]')), (tstzrange 'empty')) AS p(period)$$,
	'(id <@ period) = (uuid_time(id) <@ period) AND (period @> id) = (period @> uuid_time(id))');

-- Ids.
SELECT pg_temp.holds('v1, v6 and v13 convert there and back', 'ids_of WHERE version IN (1, 6, 13)', $$CASE version
	WHEN 1 THEN uuidv6_to_v1(uuidv1_to_v6(id)) = id
		AND uuidv13_to_v1(uuidv1_to_v13(id)) = id
		AND uuid_time(uuidv1_to_v6(id)) = uuid_time(id)
	WHEN 6 THEN uuidv1_to_v6(uuidv6_to_v1(id)) = id
	ELSE uuidv1_to_v13(uuidv13_to_v1(id)) = id END$$);
SELECT pg_temp.holds('v6 and v13 made of v1 keep the order of time',
	'(SELECT id AS a, lead(id) OVER () AS b FROM ids_of WHERE version = 1) AS p WHERE uuid_time(a) < uuid_time(b)',
	'uuidv1_to_v6(a) < uuidv1_to_v6(b) AND uuidv1_to_v13(a) < uuidv1_to_v13(b)');
SELECT pg_temp.holds('COMBs convert there and back', 'ids_of WHERE version = 4', $$
	comb_from_suffix(comb_to_suffix(id)) = id AND comb_time(id) = suffix_comb_time(comb_to_suffix(id))
	AND short_comb_from_suffix(short_comb_to_suffix(id)) = id
		AND short_comb_block(id) = short_suffix_comb_block(short_comb_to_suffix(id))$$);
SELECT pg_temp.holds('byte orders convert there and back', 'ids, (VALUES (true), (false)) AS v(swap)',
	'bin_to_uuid(uuid_to_bin(id, swap), swap) = id AND uuid_from_sqlserver(uuid_to_sqlserver(id)) = id');
SELECT pg_temp.holds('bytes are where MySQL has them', 'ids, uuid_send(id) AS b',
	'uuid_to_bin(id) = b AND uuid_to_bin(id, true) = substr(b, 7, 2) || substr(b, 5, 2) || substr(b, 1, 4) || substr(b, 9)');
SELECT pg_temp.holds('SQL Server''s order is that of its groups of bytes',
	'(SELECT id AS a, lead(id) OVER () AS b FROM ids) AS p, uuid_send(a) AS x, uuid_send(b) AS y WHERE b IS NOT NULL',
	'(a ~<~ b) = (substr(x, 11) || substr(x, 9, 2) || substr(x, 7, 2) || substr(x, 5, 2) || substr(x, 1, 4)
		< substr(y, 11) || substr(y, 9, 2) || substr(y, 7, 2) || substr(y, 5, 2) || substr(y, 1, 4))
	AND (a ~<~ b) = (uidext_internal.uuid_sqlserver_cmp(a, b) < 0) AND (a ~<~ b) = NOT (a ~>=~ b) AND (a ~>~ b) = (b ~<~ a)');
SELECT pg_temp.holds('ids are encrypted and come back',
	$$ids_of, uuid_send(id) AS key, LATERAL (VALUES (''), ('x'), (id::text)) AS v(label) WHERE version IS NOT NULL$$,
	'uuid_decrypt(uuid_encrypt(id, key, label), key, label, version) = id AND uuid_encrypt(id, key, label) <> id');
SELECT pg_temp.holds('ids are encoded and come back',
	$$ids, unnest('{base32hex,crockford,base58,base62,base64url}'::text[]) AS encoding$$,
	'uuid_decode(uuid_encode(id, encoding), encoding) = id AND length(uuid_encode(id, encoding)) IN (22, 26)');
SELECT pg_temp.holds('ids get a prefix and come back',
	$$ids, (VALUES (''), ('a'), ('user'), ('a_b'), (repeat('z', 63))) AS v(prefix)$$,
	'typeid_to_uuid(uuid_to_typeid(id, prefix), prefix) = id AND typeid_prefix(uuid_to_typeid(id, prefix)) = prefix');
SELECT pg_temp.holds('versions are told by their digits', 'ids_of', $$
	uuidv7_is_valid(id) = coalesce(version = 7, false)
	AND iuid_is_valid(id) = coalesce(version = 8 AND substr(id::text, 16, 1) = '0', false)
	AND (comb_time(id) IS NOT NULL) = coalesce(version = 4, false)
	AND (uuid_inspect(id)).version IS NOT DISTINCT FROM version$$);
SELECT pg_temp.holds('the first 48 bits are milliseconds', 'ids_of',
	$$extract(epoch FROM uuid_boundary_time(id)) * 1000 = first48$$);
SELECT pg_temp.holds('uuid_inspect() says what the readers say', 'ids, uuid_inspect(id)', $$
	"time" IS NOT DISTINCT FROM uuid_time(id)
	AND comb_time IS NOT DISTINCT FROM comb_time(id) AND suffix_comb_time IS NOT DISTINCT FROM suffix_comb_time(id)
	AND short_comb_block IS NOT DISTINCT FROM short_comb_block(id)
	AND short_suffix_comb_block IS NOT DISTINCT FROM short_suffix_comb_block(id)
	AND country IS NOT DISTINCT FROM iuid_country(id) AND service_entity IS NOT DISTINCT FROM iuid_service_entity(id)$$);
\if :sql_edition
\else
SELECT pg_temp.holds('an iUID goes to the partition of its country', 'ids WHERE iuid_is_valid(id)',
	$$satisfies_hash_partition('"by ""country"""'::regclass, 257, iuid_country(id), id::iuid)$$);
SELECT pg_temp.holds('other hashes are core''s', $$ids, (VALUES (2), (1), (-1)) AS v(seed)$$,
	'uidext_internal.iuid_country_hash_extended(id, seed) = uuid_hash_extended(id, seed)');
\endif

SELECT * FROM finish();
ROLLBACK;
