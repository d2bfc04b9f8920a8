-- What functions answer to many arguments, or the errors that they raise: the
-- same lines in every database that has the same functions.  The variable seed
-- makes other arguments, many is how many of each kind.
\set hex '0123456789abcdef'
\set base62 '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
\set crockford '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET bytea_output = 'hex';
SET client_min_messages = warning;

CREATE FUNCTION pg_temp.pick(seed text, below int) RETURNS int LANGUAGE sql IMMUTABLE
	RETURN ('x' || md5(:'seed' || seed))::bit(31)::int % below;

-- Random digits: an alphabet, how many of it, the next alphabet, ...
CREATE FUNCTION pg_temp.digits(seed text, VARIADIC parts text[]) RETURNS text LANGUAGE sql IMMUTABLE
	RETURN (
		SELECT string_agg(
			substr(parts[part], pg_temp.pick(seed || ' ' || part || ' ' || n, length(parts[part])) + 1, 1), ''
			ORDER BY part, n)
		FROM generate_series(1, cardinality(parts), 2) AS part, generate_series(1, parts[part + 1]::int) AS n);

-- The text with something wrong, perhaps.
CREATE FUNCTION pg_temp.mutate(seed text, t text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	other text := pg_temp.digits(seed, '09azAZ_-~gGiIlLoOuUé {}.:8V7€', '1');
	place int := pg_temp.pick(seed || 'place', length(t) + 1) + 1;
BEGIN
	RETURN CASE pg_temp.pick(seed, 9)
		WHEN 0 THEN overlay(t PLACING other FROM place FOR 1)
		WHEN 1 THEN overlay(t PLACING other FROM place FOR 0)
		WHEN 2 THEN overlay(t PLACING '' FROM place FOR 1)
		WHEN 3 THEN upper(t)
		WHEN 4 THEN lower(t)
		WHEN 5 THEN t || other
		ELSE t
	END;
END $$;

CREATE FUNCTION pg_temp.answer(expression text, id uuid, at timestamptz, t text, name text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer text;
	detail text;
	hint text;
BEGIN
	EXECUTE 'SELECT ' || expression INTO answer USING id, at, t, name;
	RETURN coalesce(answer, 'NULL');
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	-- but for what the C edition alone can do
	RETURN concat_ws('; ', SQLSTATE, SQLERRM, nullif(detail, ''),
		nullif(regexp_replace(hint, '^(Call uid_next|Set uidext).*', ''), ''));
END $$;

-- UUIDs of every version and variant, of likely times and others, and moments, of
-- which some are at the ends of what an id can hold.
CREATE TEMP TABLE ids AS
SELECT n, CASE n % 4
		WHEN 0 THEN overlay(overlay(md5(:'seed' || n) PLACING to_hex(n / 4 % 16) FROM 13) PLACING to_hex(n / 8 % 16) FROM 17)
		WHEN 1 THEN overlay(
			overlay('019' || substr(md5(:'seed' || n), 4)
				PLACING (ARRAY['1', '4', '6', '7', '80', 'd'])[n / 4 % 6 + 1] FROM 13)
			PLACING to_hex(8 + n / 4 % 4) FROM 17)
		WHEN 2 THEN rpad(left(md5(:'seed' || n), n / 4 % 15), 32, pg_temp.digits(n::text, '0f', '1'))
		ELSE md5(:'seed' || n)
	END::uuid AS id,
	CASE n % 5
		WHEN 0 THEN timestamptz '2026-01-01' + (n - 200) * interval '0.000137 s'
		WHEN 1 THEN timestamptz '1969-12-31 23:59:59.9' + n * n * interval '0.001003 s'
		WHEN 2 THEN timestamptz '10889-08-02 05:31:50.656' + (n - 200) * interval '0.0001 s'
		WHEN 3 THEN timestamptz '1850-01-01' + pg_temp.pick(n::text, 2000000000) * interval '127.000321 s'
		ELSE (
			ARRAY['infinity', '-infinity', '5236-03-31 21:21:00.684697', '5236-03-31 21:21:00.684698',
				'1970-01-01', '4714-11-24 BC'])[n / 5 % 6 + 1]::timestamptz
	END AS at
FROM generate_series(1, :many) AS n;

-- Of an id: numbers of either sign, intervals, periods, another id that differs in
-- one digit.
\set byte 'get_byte(uuid_send($1), '
\set field '(' :byte '2) * 2 - 20)'
\set bigint '(''x'' || left(translate($1::text, ''-'', ''''), 16))::bit(64)::bigint'
\set units 'ARRAY[interval ''1 us'', ''1 ms'', ''90 s'', ''7 min'', ''1 day'', ''1 month'', ''5000 days'', ''0'']'
\set interval '(' :byte '3) - 20) * (' :units ')[' :byte '4) % 8 + 1]'
\set longer '(' :byte '5) + 1) * (ARRAY[interval ''1 ms'', ''1.5 s'', ''1 hour'', ''1 month''])[' :byte '7) % 4 + 1]'
\set short 'tstzrange(''2026-01-01'', ''2026-01-01 00:00:00.02'', ''(]'')'
\set periods 'tstzmultirange(tstzrange($2, NULL, ''()''), ' :short ', tstzrange(NULL, least($2, ''1970-01-02'')))'
\set neighbour 'overlay(translate($1::text, ''-'', '''') PLACING ''7'' FROM ' :byte '9) % 32 + 1)::uuid'

-- Texts of ids, with the name of a scheme, an encoding or a prefix.
CREATE TEMP TABLE texts AS
SELECT n, kind, pg_temp.mutate(kind || name || n, pg_temp.digits(kind || name || n, VARIADIC parts)) AS t, name
FROM generate_series(1, :many) AS n, (VALUES
	('uid', 'ulid', ARRAY['01234567', '1', :'crockford', '25']),
	('uid', 'ksuid', ARRAY['0a', '1', :'base62', '26']),
	('uid', 'objectid', ARRAY[:'hex', '24']),
	('uid', 'xid', ARRAY['0123456789abcdefghijklmnopqrstuv', '19', '0g', '1']),
	('uid', 'xidjs', ARRAY['0123456789abcdefghjkmnpqrstvwxyz', '19', '0g', '1']),
	('uid', 'pushid', ARRAY['-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz', '20']),
	('uid', 'elasticflake', ARRAY['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', '20']),
	('uid', 'cuid', ARRAY['c', '1', '0123456789abcdefghijklmnopqrstuvwxyz', '24']),
	('uid', 'sid',
		ARRAY['01234567', '1', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', '10', '-',
			'1', '012345678', '11']),
	('uid', 'sid', ARRAY['01234567', '1', :'hex', '15', '-', '1', '01234567', '16']),
	('uid', 'flake', ARRAY['0', '3', :'base62', '15']),
	('uid', 'snowflake', ARRAY['0123456789', '19']),
	('uid', 'discord', ARRAY['01', '1', '0123456789', '19']),
	('uid', 'discord', ARRAY['0', '1', 'x', '1', :'hex', '16']),
	('uid', 'sonyflake:epoch=5,tick=7,node=22', ARRAY['0123456789', '17']),
	('uid', 'tsid', ARRAY['0123456789ABCDEF', '1', :'crockford', '12']),
	('uid', 'tsid', ARRAY['0123456789', '18']),
	('uid', 'lexicaluuid', ARRAY['0', '4', :'hex', '28']),
	('uid', 'combguid',
		ARRAY[:'hex', '12', '4', '1', :'hex', '3', '89ab', '1', :'hex', '3', '6789', '1', :'hex', '3', '0', '2',
			:'hex', '6']),
	('uid', 'ordereduuid', ARRAY[:'hex', '12', '4', '1', :'hex', '3', '89abc', '1', :'hex', '15']),
	('uid', 'draftuuidv7', ARRAY['0', '1', '56', '1', :'hex', '10', '7', '1', :'hex', '3', '89abc', '1', :'hex', '15']),
	('uid', 'duckdbuuidv7', ARRAY['789f', '1', :'hex', '11', '7', '1', :'hex', '3', '89abc', '1', :'hex', '15']),
	('uid', 'efguid', ARRAY[:'hex', '12', '45', '1', :'hex', '7', '0', '1', '89f', '1', :'hex', '10']),
	('uid', 'abpguid', ARRAY['39a', '1', :'hex', '31']),
	('uid', 'abpsuffixguid', ARRAY[:'hex', '20', '3', '1', '789ab', '1', :'hex', '10']),
	('typeid', 'user',
		ARRAY['u', '1', 's', '1', 'e', '1', 'r', '1', '_', '1', '012345678', '1',
			'0123456789abcdefghjkmnpqrstvwxyz', '25']),
	('typeid', '', ARRAY['012345678', '1', '0123456789abcdefghjkmnpqrstvwxyz', '25']),
	('encoded', 'base32hex', ARRAY['0123456789ABCDEFGHIJKLMNOPQRSTUV', '25', '048CGKOSW1', '1']),
	('encoded', 'crockford', ARRAY['012345678', '1', :'crockford', '25']),
	('encoded', 'base58',
		ARRAY['123456789ABCDEFGHJKLMNPQRSTUVWXYZ', '1',
			'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', '21']),
	('encoded', 'base62', ARRAY['012345678', '1', :'base62', '20']),
	('encoded', 'base64url',
		ARRAY[
			'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', '21', 'AQgwB', '1'])) AS v (
		kind, name, parts);

-- Names of schemes, most of which are none.
CREATE TEMP TABLE names AS
SELECT n, pg_temp.mutate(n::text, pg_temp.mutate(n || ' again', name)) AS name
FROM generate_series(1, :many) AS n,
	unnest(
		ARRAY['discord:1577836800000', 'snowflake:epoch=1577836800000,tick=10,node=20',
			'flakeid:a=5,tick=86400000,b=50',
	'sonyflake:281474976710655', 'tsid:time=5,random=9,zero=8', 'base58', 'a_b']) AS name;

SELECT concat_ws(' | ', expression, n, pg_temp.answer(expression, id, at, NULL, NULL))
FROM ids,
	unnest(
		ARRAY['uuid_time($1)', 'comb_time($1)', 'suffix_comb_time($1)', 'laravel_uuid_time($1)',
			'short_comb_block($1)', 'short_suffix_comb_block($1)',
	'iuid_version($1)', 'iuid_country($1)', 'iuid_service_entity($1)', 'iuid_is_valid($1)',
	'uuidv7_is_valid($1)', 'uuid_inspect($1)',
	'uuid_to_iuid($1, 76, 1)', 'uuid_to_iuid($1, 255, 0)', 'uuid_to_iuid($1, 256, 0)', 'uuidv1_to_v6($1)',
	'uuidv6_to_v1($1)', 'uuidv1_to_v13($1)', 'uuidv13_to_v1($1)', 'uuid_to_sqlserver($1)',
	'uuid_from_sqlserver($1)', 'uuid_to_bin($1, true)',
	'comb_to_suffix($1)', 'comb_from_suffix($1)', 'short_comb_to_suffix($1)', 'short_comb_from_suffix($1)',
	'laravel_uuid_to_v7($1)',
	'uuid_boundary($2)', 'uuid_boundary_time($1)', 'uuidv6_boundary($2)', 'uuidv6_boundary_time($1)',
	'uuid_time(uuid_boundary($2))', 'ulid_boundary($2)', 'ulid_time(uuid_to_ulid($1))',
	'$1 < $2', '$1 <= $2', '$1 > $2', '$1 >= $2', '$1 <@ tstzrange(least($2, ''2026-01-01''), $2, ''(]'')',
	'uuid_is_recent($1, ''1 day'', ''1 hour'', $2)', 'comb_is_recent($1, ''1 day'', ''1 hour'', $2)',
	'short_comb_is_recent($1, ''1 day'', ''1 hour'', ''1 minute'', $2)', 'short_comb_time($1, $2)',
	'short_comb_time($1, $2, ''7 s'')', 'left(gen_uuidv7_at($2)::text, 18)', 'left(gen_comb_at($2)::text, 13)',
	'left(gen_uuidv6_at($2)::text, 18)', 'left(gen_short_comb_at($2)::text, 4)',
	'left(gen_ulid_at($2)::text, 12)', 'uuid_to_ulid($1)', 'uuid_to_typeid($1, ''user'')',
	'uuid_encode($1, ''base32hex'')', 'uuid_encode($1, ''crockford'')', 'uuid_encode($1, ''base58'')',
	'uuid_encode($1, ''base62'')', 'uuid_encode($1, ''base64url'')',
	'uuid_encrypt($1, uuid_send($1), $2::text)', 'uuid_decrypt($1, uuid_send($1) || ''\x00'', ''é'', 8)',
	'uid_boundary($2, ''snowflake'')', 'uid_boundary($2, ''discord'')', 'uid_boundary($2, ''sonyflake'')',
	'uid_from_uuid($1, ''discord'')', 'uid_from_uuid($1, ''xid'')', 'uid_from_uuid($1, ''sid'')',
	'uid_from_uuid($1, ''comb'')', 'uid_bigint_from_uuid($1, ''flakeid'')', 'uid_inspect($1::text)',
	'right(gen_suffix_comb_at($2)::text, 12)', 'left(gen_uuidv1_at($2)::text, 18)',
	'left(gen_uuidv13_at($2)::text, 18)', 'iuid_boundary($2)', 'uuid_time_decoder($1::text)',
	format('left(gen_iuid_at($2, %s, %s)::text, 21)', :'field', :'byte' || '10)'),
	format('iuid_service_entity(gen_iuid_at($2, 76, %s))', :'field'),
	format('iuid_country(gen_iuid(%s, 1))', :'field'),
	format('bin_to_uuid(substr(uuid_send($1) || decode(''00ff'', ''hex''), 1, 18 - greatest(%s5) %% 7 - 3, 0)), '
		'%s6) %% 2 = 0)', :'byte', :'byte'),
	format('left(gen_short_comb_at($2, %s)::text, 4)', :'interval'),
	format('substr(gen_short_suffix_comb_at($2, %s)::text, 25, 4)', :'interval'),
	format('short_comb_time($1, $2, %s)', :'interval'),
	format('uuidv7_is_valid(gen_uuidv7(%s))', :'interval'),
	format('uuid_is_recent($1, %s, %s, $2)', :'interval', :'longer'),
	format('comb_is_recent($1, %s, %s, $2)', :'longer', :'interval'),
	format('short_comb_is_recent($1, %s, %s, %s, $2)', :'interval', :'longer', '''1 s'''),
	format('short_comb_is_recent($1, ''1 day'', %s, %s, $2)', :'interval', :'longer'),
	format('$1 <@ %s', :'periods'), format('%s @> $1', :'periods'), '$2 < $1', '$2 <= $1', '$2 > $1',
	'$2 >= $1', 'tstzrange($2, NULL) @> $1',
	format('$1 ~<~ %s', :'neighbour'), format('$1 ~<=~ %s', :'neighbour'), format('$1 ~>=~ %s', :'neighbour'),
	format('$1 ~>~ %s', :'neighbour'), '$1 ~<~ uuid_from_sqlserver($1)']
	|| ARRAY(SELECT format(call, :'bigint', scheme)
		FROM unnest(ARRAY['snowflake', 'discord', 'instagram', 'sonyflake', 'sonyflake2', 'pgedge', 'flakeid',
				'tsid', 'ulid', 'snowflake:epoch=1577836800000,tick=10,node=20']) AS scheme,
			unnest(ARRAY['uid_is_valid(%s, %L)', 'uid_time(%s, %L)', 'uid_to_uuid(%s, %L)']) AS call)) AS expression
ORDER BY expression, n;

-- A sequence of its own, in the order of the ids.
CREATE TEMP SEQUENCE steps INCREMENT 40001 MINVALUE -500000 START -500000 MAXVALUE 900000000 CYCLE;
SELECT concat_ws(' | ', 'gen_sequence_comb', n,
	pg_temp.answer(format('left(gen_sequence_comb(''steps'', (%s - 5) * 1000)::text, 4)', :'byte' || '6)'), id,
		NULL, NULL, NULL))
FROM (SELECT * FROM ids ORDER BY n OFFSET 0) AS ids;

SELECT s::text FROM uid_schemes() AS s;
SELECT concat_ws(' | ', scheme, pg_temp.answer('(
	SELECT count(*) || '' '' || bool_and(uid_is_valid(id, $4)) || '' ''
		|| bool_and(uid_time(id, $4) BETWEEN now() - interval ''1 hour'' AND now() + interval ''1 hour'') || '' ''
		|| min(length(id))
	FROM (SELECT uid_generate($4) AS id FROM generate_series(1, 10)) AS g)', NULL, NULL, NULL, scheme))
FROM uid_schemes();

SELECT concat_ws(' | ', expression, n, t, name, pg_temp.answer(expression, NULL, NULL, t, name))
FROM texts, unnest(CASE kind
	WHEN 'uid' THEN ARRAY['uid_time($3, $4)', 'uid_is_valid($3, $4)', 'uid_to_uuid($3, $4)',
		'uid_from_uuid(uid_to_uuid($3, $4), $4)', 'uid_bigint_from_uuid(uid_to_uuid($3, $4), $4)']
	WHEN 'typeid' THEN ARRAY['typeid_to_uuid($3, $4)', 'typeid_prefix($3)', 'ulid_to_uuid($3)']
	ELSE ARRAY['uuid_decode($3, $4)', 'ulid_to_uuid($3)']
END) AS expression
ORDER BY expression, n, t, name;

SELECT concat_ws(' | ', expression, n, name, pg_temp.answer(expression, md5(:'seed' || n)::uuid, '2030-01-01', NULL, name))
FROM names,
	unnest(
		ARRAY['uid_time(4123456789012, $4)', 'uid_is_valid(4123456789012, $4)', 'left(uid_generate($4), 0)',
			'uid_boundary($2, $4)', 'uid_to_uuid(1, $4)', 'uuid_to_typeid($1, $4)', 'uuid_encode($1, $4)'])
		AS expression
ORDER BY expression, n, name;
