-- Short COMB, short suffix COMB and sequence COMB: do blocks, times, tolerances, structure
-- and randomness hold for very many ids, and what does a sequence bring along?

BEGIN;
\ir include/settings.sql
SELECT no_plan();
SET LOCAL work_mem = '256MB';
\ir include/bits.sql

CREATE FUNCTION pg_temp.us(at timestamptz) RETURNS numeric LANGUAGE sql IMMUTABLE
	RETURN trunc(extract(epoch FROM at) * 1000000);
CREATE FUNCTION pg_temp.us(length interval) RETURNS numeric LANGUAGE sql IMMUTABLE
	RETURN trunc(extract(epoch FROM length) * 1000000);
CREATE FUNCTION pg_temp.with_block(block numeric) RETURNS uuid LANGUAGE sql IMMUTABLE
	RETURN (lpad(to_hex(block::int), 4, '0') || 'ffff-ffff-4fff-bfff-ffffffffffff')::uuid;

-- SQLSTATE of a statement that is run with a setting and undone; OKAY0 for success.
CREATE FUNCTION pg_temp.state_with(setting text, value text, statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config(setting, value, true);
	EXECUTE statement;
	RAISE SQLSTATE 'OKAY0';
EXCEPTION
	WHEN OTHERS THEN RETURN SQLSTATE;
END $$;
CREATE FUNCTION pg_temp.state(statement text) RETURNS text LANGUAGE sql
	RETURN pg_temp.state_with('role', 'none', statement);

DO $$ BEGIN PERFORM setseed(0.5); END $$;

--
-- The block: interval number, modulo 65536.
--

CREATE TEMP TABLE stamped AS
SELECT at, length, div(pg_temp.us(at), pg_temp.us(length)) % 65536 AS block,
	gen_short_comb_at(at, length) AS prefix, gen_short_suffix_comb_at(at, length) AS suffix
FROM (
	SELECT '1970-01-01'::timestamptz + random() * interval '8000 years', ceil(random() ^ 8 * 86400000000) * interval '1 ms'
	FROM generate_series(1, 10000)
	UNION ALL
	SELECT '2022-03-18 03:44'::timestamptz + us * interval '1 us', interval '1 minute' FROM generate_series(-1000, 1000) AS us
	UNION ALL
	SELECT '1970-01-01'::timestamptz + n * interval '1 minute', interval '1 minute' FROM generate_series(0, 70000, 5) AS n
) AS cases(at, length);
SELECT is(count(*), 0::bigint, 'gen_short_comb_at() has the block in its first 16 bits')
FROM stamped WHERE left(prefix::text, 4) <> lpad(to_hex(block::int), 4, '0');
SELECT is(count(*), 0::bigint, 'gen_short_suffix_comb_at() has it in b10 and b11')
FROM stamped WHERE substr(suffix::text, 25, 4) <> lpad(to_hex(block::int), 4, '0');
SELECT is(count(*), 0::bigint, 'short_comb_block() and short_suffix_comb_block() read it back')
FROM stamped WHERE short_comb_block(prefix) <> block OR short_suffix_comb_block(suffix) <> block;
SELECT is(format('%s to %s', min(block), max(block)), '0 to 65535', 'the first and the last block occur')
FROM stamped WHERE length = '1 minute' AND at < '1970-03-01';

SELECT is(count(*), 0::bigint, 'the default is one minute') FROM stamped
WHERE length = '1 minute'
	AND (
		short_comb_block(gen_short_comb_at(at)) <> block
			OR short_suffix_comb_block(gen_short_suffix_comb_at(at)) <> block);

-- Now: to the block base/clock.pl knows it, which stops the clock.
CREATE TEMP TABLE made AS
SELECT *, short_comb_from_suffix(suffix) AS from_suffix
FROM (SELECT length, clock_timestamp() AS at, gen_short_comb(length) AS prefix, gen_short_suffix_comb(length) AS suffix
	FROM generate_series(1, 500) AS n,
		unnest(ARRAY['1 ms', '7 ms', '1 second', '1 minute', '1 day']::interval[]) AS length
	OFFSET 0) AS ids;
SELECT ok(bool_and(short_comb_is_recent(prefix, '30 s', '30 s', length, at)),
	'gen_short_comb() is of now, by every interval length')
FROM made;
SELECT ok(bool_and(short_comb_is_recent(from_suffix, '30 s', '30 s', length, at)),
	'gen_short_suffix_comb() is of now, by every interval length') FROM made;

SELECT is(array_agg(version ORDER BY version), ARRAY[4], 'the readers read version 4 only')
FROM generate_series(0, 15) AS version, format('8992aaaa-bbbb-%scc-9ddd-123456789abc', to_hex(version) || 'c') AS id
WHERE short_comb_block(id::uuid) IS NOT NULL
	OR short_suffix_comb_block(id::uuid) IS NOT NULL
	OR short_comb_time(id::uuid, now()) IS NOT NULL;

--
-- The time: of all starts of intervals with the block, the nearest; of two, the earlier.
--

CREATE TEMP TABLE times AS
SELECT block, near, length, short_comb_time(pg_temp.with_block(block), near, length) AS time, nearest
FROM (
	-- anywhere, near the ends, and half a wrap from a start, give or take a microsecond
	SELECT trunc(random() * 65536)::numeric,
		'1970-01-01'::timestamptz + random() * interval '8900 years',
		ceil(random() ^ 8 * 86400000) * interval '1 ms'
	FROM generate_series(1, 2000)
	UNION ALL
	SELECT trunc(random() * 65536)::numeric,
		'1970-01-01'::timestamptz + random() * interval '60 days',
		interval '1 minute'
	FROM generate_series(1, 1000)
	UNION ALL
	SELECT trunc(random() * 65536)::numeric, '10889-08-02 05:31:50.655999'::timestamptz - random() * interval '60 days',
	interval '1 minute' FROM generate_series(1, 1000)
	UNION ALL
	SELECT block, '2026-01-23 04:05'::timestamptz + n * interval '1 minute' + us * interval '1 us', interval '1 minute'
	FROM unnest(ARRAY[div(pg_temp.us('2026-01-23 04:05'::timestamptz), 60000000) % 65536]) AS block,
		generate_series(32766, 32770) AS n, generate_series(-1, 1) AS us
) AS cases(block, near, length), LATERAL (
	SELECT start FROM (
		SELECT (div(div(pg_temp.us(near), pg_temp.us(length)), 65536) + wrap) * 65536 + block AS counter
		FROM generate_series(-1, 1) AS wrap
	) AS counters, LATERAL (SELECT counter * pg_temp.us(length) AS start) AS starts
	WHERE start BETWEEN 0 AND (2::numeric ^ 48 - 1) * 1000
	ORDER BY abs(start - pg_temp.us(near)), start LIMIT 1
) AS candidates(nearest);
SELECT cmp_ok(count(*), '>', 4000::bigint, 'thousands of blocks and moments') FROM times;
SELECT is(string_agg(times::text, E'\n'), NULL, 'short_comb_time() is the nearest start') FROM times
WHERE time IS NULL OR pg_temp.us(time) <> nearest;
SELECT is(count(*), 0::bigint, 'and has the block') FROM times
WHERE short_comb_block(gen_short_comb_at(time, length)) <> block;
SELECT is(short_comb_time(id, at, length), date_bin(length, at, '1970-01-01'),
	'near the making it is the interval of the making: ' || length)
FROM unnest(ARRAY['1 ms', '15 seconds', '1 minute', '1 hour', '7 days']::interval[]) AS length,
	CAST('2026-03-04 12:34:56.789012' AS timestamptz) AS at, gen_short_comb_at(at, length) AS id;

--
-- Tolerance.
--

-- In whole intervals, the rule of blocks: (block - now_block + past) mod 65536 <= past + future.
CREATE TEMP TABLE tolerances AS
SELECT at, length, past, future, now_block, (now_block + offs + 65536) % 65536 AS block, offs
FROM (
	SELECT at, length, div(pg_temp.us(at), pg_temp.us(length)) % 65536 AS now_block,
		trunc(random() * 20)::numeric AS past, trunc(random() * 20)::numeric AS future, trunc(random() * 60)::numeric - 30 AS offs
	FROM (
		SELECT '2020-01-01'::timestamptz + random() * interval '50 years', ceil(random() ^ 8 * 86400000) * interval '1 ms'
		FROM generate_series(1, 2000)
		UNION ALL
		SELECT '2022-03-18 03:44'::timestamptz + (random() - 0.5) * interval '50 minutes', interval '1 minute'
		FROM generate_series(1, 2000)
	) AS moments(at, length)
) AS cases;
SELECT ok(
	count(*) FILTER (WHERE offs BETWEEN -past AND future) > 1000
		AND count(*) FILTER (WHERE offs NOT BETWEEN -past AND future) > 1000
		AND count(*) FILTER (WHERE abs(block - now_block) > 60000) > 200,
	'blocks in and out of the tolerance, and across the wrap') FROM tolerances;
SELECT is(string_agg(tolerances::text, E'\n'), NULL, 'short_comb_is_recent() follows the rule of blocks')
FROM tolerances, short_comb_is_recent(pg_temp.with_block(block), past::int * length, future::int * length, length, at) AS recent
WHERE recent <> ((block - now_block + past + 65536) % 65536 <= past + future)
	OR recent <> (offs BETWEEN -past AND future);

-- In general: some moment from at - past to at + future lies in an interval with the block.
CREATE TEMP TABLE windows AS
SELECT at, length, past, future,
	(div(pg_temp.us(at), pg_temp.us(length)) + trunc(random() * 10)::numeric - 5 + 65536) % 65536 AS block
FROM (
	SELECT '2020-01-01'::timestamptz + random() * interval '50 years' AS at, length,
		random() * 4 * length AS past, random() * 4 * length AS future
	FROM generate_series(1, 1000), unnest(ARRAY['1 ms', '100 ms', '15 seconds', '1 minute']::interval[]) AS length
) AS cases;
SELECT is(string_agg(windows::text, E'\n'), NULL, 'short_comb_is_recent() accepts the blocks of the window')
FROM windows, short_comb_is_recent(pg_temp.with_block(block), past, future, length, at) AS recent
WHERE recent <> EXISTS (
	SELECT FROM generate_series(-1, 1) AS wrap,
		LATERAL (SELECT (div(div(pg_temp.us(at), pg_temp.us(length)), 65536) + wrap) * 65536 + block AS counter) AS counters
	WHERE counter * pg_temp.us(length) <= pg_temp.us(at) + pg_temp.us(future)
		AND (counter + 1) * pg_temp.us(length) > pg_temp.us(at) - pg_temp.us(past));

-- with tolerances that are constants, so that the function is inlined
SELECT format($$SELECT is(count(*), %s::bigint, 'tolerances of %s and %s minutes accept %1$s blocks')
	FROM generate_series(0, 65535) AS block
	WHERE short_comb_is_recent(pg_temp.with_block(block), '%2$s min', '%3$s min', at => '2022-03-18 03:44')$$,
		accepted, past, future)
FROM (
	VALUES (0, 0, 1), (10, 10, 21), (65534, 0, 65535), (0, 65534, 65535),
		(32000, 33534, 65535)) AS v(past, future, accepted) \gexec
-- What it cannot tell apart, and what a short COMB does not hide.
SELECT ok(bool_and(short_comb_is_recent(gen_short_comb_at(at - n * 65536 * interval '1 minute'), at => at)),
	'short_comb_is_recent() accepts what is older by a multiple of the wrap')
FROM CAST('2026-03-04 12:34:56' AS timestamptz) AS at, generate_series(0, 60) AS n;
SELECT is(count(*), 21::bigint, 'and by default 21 of 65536 blocks: one random id in 3,100')
FROM generate_series(0, 65535) AS block WHERE short_comb_is_recent(pg_temp.with_block(block), at => '2026-03-04 12:34:56');
SELECT is(count(*), 0::bigint, 'who knows the date of a short COMB to within 22 days knows its minute')
FROM (
	SELECT '2026-03-04'::timestamptz + random() * interval '1 year', (random() * 44 - 22) * interval '1 day'
	FROM generate_series(1, 5000)) AS made(at, wrong)
WHERE short_comb_time(gen_short_comb_at(at), at + wrong) <> date_trunc('minute', at);

SELECT throws_ok(format('SELECT short_comb_is_recent(%L, %L, %L, %L, now())',
		'ffffffff-ffff-4fff-bfff-ffffffffffff', past, future, length), '22023', NULL,
	format('tolerances of %s and %s would accept every block of %s', past, future, length))
FROM (VALUES ('65535 minutes', '0', '1 minute'),
	('0', '65535 minutes', '1 minute'),
	('32768 minutes', '32767 minutes', '1 minute'),
	('46 days', '46 days', '1 minute'), ('6 days', '6 days', '15 seconds'),
	('3257812 days', '3257812 days', '1 ms')) AS v(past, future, length);

SELECT is(array_agg(DISTINCT state), ARRAY[expected],
	format('tolerances of %s and %s: %s at every moment', past, future, expected))
FROM (VALUES ('65534 minutes 1 us', '0', '22023'), ('32767 minutes 30 s', '32766 minutes 30.000001 s', '22023'),
		('65534 minutes', '0', 'OKAY0'), ('32767 minutes 30 s', '32766 minutes 30 s', 'OKAY0')) AS v(past, future, expected),
	generate_series('2026-03-04 12:00'::timestamptz, '2026-03-04 12:02', '7.5 s') AS at,
	pg_temp.state(
		format('SELECT short_comb_is_recent(%L, %L, %L, at => %L)', 'ffffffff-ffff-4fff-bfff-ffffffffffff',
			past, future, at)) AS state
GROUP BY past, future, expected;

--
-- Arguments that are errors.
--

CREATE TEMP TABLE calls AS
SELECT call FROM (VALUES
	('gen_short_comb(%L)'), ('gen_short_suffix_comb(%L)'),
	('gen_short_comb_at(''2026-01-01'', %L)'), ('gen_short_suffix_comb_at(''2026-01-01'', %L)'),
	('short_comb_time(''8992aaaa-bbbb-4ccc-9ddd-123456789abc'', ''2026-01-01'', %L)'),
	('short_comb_is_recent(''8992aaaa-bbbb-4ccc-9ddd-123456789abc'', ''0'', ''0'', %L)')) AS v(call);
SELECT throws_ok('SELECT ' || format(call, length), '22023', NULL, format(call, length) || ' is an error')
FROM calls, unnest(ARRAY['0', '-1 ms', '-1 day', '1 month', '-1 month 60 days', '12 months -360 days', '1 us', '1.0005 s',
	'3257813 days', '178956970 years']) AS length;

SELECT throws_ok(format('SELECT %s(%L, %L)', validator, 'ffffffff-ffff-4fff-bfff-ffffffffffff', tolerance), '22023', NULL,
	format('%s() with a tolerance of %s is an error', validator, tolerance))
FROM unnest(ARRAY['uuid_is_recent', 'comb_is_recent', 'short_comb_is_recent']) AS validator,
	unnest(ARRAY['-1 us', '-1 day', '1 month', '-1 month 60 days', '3257813 days']) AS tolerance;
SELECT throws_ok(
	format('SELECT %s(%L, %L, %L)', validator, 'ffffffff-ffff-4fff-bfff-ffffffffffff', '0', tolerance), '22023',
	NULL,
	format('%s() with a future tolerance of %s is an error', validator, tolerance))
FROM unnest(ARRAY['uuid_is_recent', 'comb_is_recent', 'short_comb_is_recent']) AS validator,
	unnest(ARRAY['-1 us', '-1 day', '1 month', '-1 month 60 days', '3257813 days']) AS tolerance;

-- Many days, of which whole multiples of 2^64 microseconds must not get lost.
SELECT is(string_agg(format(call, length), E'\n'), NULL, 'no length overflows')
FROM calls, unnest(ARRAY['213503983 days 616 us', '-213503982 days -616 us', '2147483647 days', '-2147483648 days']) AS length
WHERE pg_temp.state('SELECT ' || format(call, length)) <> '22023';
SELECT is(string_agg(call, E'\n'), NULL, 'no tolerance overflows')
FROM unnest(ARRAY['uuid_is_recent', 'comb_is_recent', 'short_comb_is_recent']) AS validator,
	unnest(ARRAY['past', 'future']) AS tolerance,
	unnest(ARRAY['213503983 days', '-213503982 days', '2147483647 days', '-2147483648 days']) AS length,
	format('SELECT %s(%L, %s => %L)', validator, 'ffffffff-ffff-4fff-bfff-ffffffffffff', tolerance, length) AS call
WHERE pg_temp.state(call) <> '22023';

-- 17 has infinite intervals.
SELECT throws_ok('SELECT ' || format(call, length), '22023', NULL, format(call, length) || ' is an error')
FROM calls, unnest(ARRAY['infinity', '-infinity']) AS length WHERE current_setting('server_version_num')::int >= 170000;
SELECT throws_ok(format('SELECT %s(%L, %L)', validator, 'ffffffff-ffff-4fff-bfff-ffffffffffff', tolerance), '22023', NULL,
	format('%s() with a tolerance of %s is an error', validator, tolerance))
FROM unnest(ARRAY['uuid_is_recent', 'comb_is_recent', 'short_comb_is_recent']) AS validator,
	unnest(ARRAY['infinity', '-infinity']) AS tolerance
WHERE current_setting('server_version_num')::int >= 170000;

SELECT throws_ok('SELECT ' || format(call, at), '22008', NULL, format(call, at) || ' is an error')
FROM (VALUES
	('gen_short_comb_at(%L)'), ('gen_short_suffix_comb_at(%L)'),
	('short_comb_time(''8992aaaa-bbbb-4ccc-9ddd-123456789abc'', %L)'),
	('uuid_is_recent(''8992aaaa-bbbb-4ccc-9ddd-123456789abc'', at => %L)'),
	('comb_is_recent(''8992aaaa-bbbb-4ccc-9ddd-123456789abc'', at => %L)'),
	('short_comb_is_recent(''8992aaaa-bbbb-4ccc-9ddd-123456789abc'', at => %L)')) AS v(call),
	unnest(ARRAY['1969-12-31 23:59:59.999999+00', '10889-08-02 05:31:50.656+00', 'infinity', '-infinity']) AS at;

--
-- Sequence COMB.
--

CREATE SEQUENCE ids MINVALUE -9223372036854775808 START 1;

CREATE TEMP TABLE counted AS
SELECT value, block_size, setval('ids', value, false), short_comb_block(gen_sequence_comb('ids', block_size)) AS block
FROM (
	SELECT value, block_size
	FROM unnest(ARRAY[0, 1, -1, 65535, 65536, -65536, -65537, 4294967295, 4294967296, -4294967296, -4294967297,
			9223372036854775807, -9223372036854775808]) AS value, unnest(ARRAY[1, 2, 3, 65535, 65536, 2147483647]) AS block_size
	UNION ALL
	SELECT trunc((random() - 0.5) * 2 ^ (64 * random()))::bigint, ceil(2 ^ (31 * random()) - 1)::int + 1
	FROM generate_series(1, 2000)
	OFFSET 0
) AS cases;
SELECT is(string_agg(counted::text, E'\n'), NULL, 'the block is floor(nextval / block_size) mod 65536')
FROM counted,
	LATERAL (
		SELECT (
			value - (value::numeric % block_size + block_size) % block_size) / block_size AS quotient) AS floors
WHERE block <> (trunc(quotient) % 65536 + 65536) % 65536;
SELECT ok(count(*) FILTER (WHERE value < 0) > 500 AND count(DISTINCT block) > 500, 'negative ones too') FROM counted;

SELECT setval('ids', 65534, false) AS reset \gset
SELECT is(array_agg(short_comb_block(gen_sequence_comb('ids', 1))), ARRAY[65534, 65535, 0, 1],
	'after 65536 blocks the count begins anew')
FROM generate_series(1, 4);
SELECT is(currval('ids'), 65537::bigint, 'every id takes one value');
SELECT is(gen_sequence_comb('ids', NULL), NULL, 'no block size, no id');
SELECT is(gen_sequence_comb(NULL), NULL, 'no sequence, no id');
SELECT throws_ok($$SELECT gen_sequence_comb('ids', 0)$$, '22023');
SELECT throws_ok($$SELECT gen_sequence_comb('ids', -65536)$$, '22023');
SELECT is(currval('ids'), 65537::bigint, 'and none is lost to those');
SELECT setval('ids', 65535, false) AS reset \gset
SELECT is(array_agg(short_comb_block(gen_sequence_comb('ids'))), ARRAY[0, 1], 'the default block size is 65536')
FROM generate_series(1, 2);

CREATE SEQUENCE down INCREMENT -1 MAXVALUE 3 START 3;
SELECT is(array_agg(short_comb_block(gen_sequence_comb('down', 2))),
	ARRAY[1, 1, 0, 0, 65535, 65535, 65534, 65534], 'a descending sequence')
FROM generate_series(1, 8);
CREATE SEQUENCE round MAXVALUE 3 CYCLE;
SELECT is(array_agg(short_comb_block(gen_sequence_comb('round', 1))), ARRAY[1, 2, 3, 1, 2], 'one that cycles')
FROM generate_series(1, 5);
CREATE SEQUENCE spent MAXVALUE 2 START 2;
SELECT is(short_comb_block(gen_sequence_comb('spent', 1)), 2, 'one that ends');
SELECT throws_ok($$SELECT gen_sequence_comb('spent', 1)$$, '2200H');
CREATE TEMP SEQUENCE passing;
SELECT is(short_comb_block(gen_sequence_comb('passing', 1)), 1, 'a temporary one');
CREATE TABLE owners (id bigint GENERATED ALWAYS AS IDENTITY, comb uuid DEFAULT gen_sequence_comb('ids'));
SELECT is(short_comb_block(gen_sequence_comb(pg_get_serial_sequence('owners', 'id'), 1)), 1, 'that of an identity column');

CREATE ROLE uidext_test_stranger;
CREATE ROLE uidext_test_reader;
CREATE ROLE uidext_test_user;
CREATE ROLE uidext_test_updater;
GRANT SELECT ON SEQUENCE ids TO uidext_test_reader;
GRANT USAGE ON SEQUENCE ids TO uidext_test_user;
GRANT UPDATE ON SEQUENCE ids TO uidext_test_updater;
SELECT is(pg_temp.state_with('role', role, 'SELECT gen_sequence_comb(''ids'')'), state, format('%s: %s', role, state))
FROM (
	VALUES ('uidext_test_stranger', '42501'), ('uidext_test_reader', '42501'), ('uidext_test_user', 'OKAY0'),
		('uidext_test_updater', 'OKAY0')
	) AS v(role, state);
SELECT is(pg_temp.state_with('transaction_read_only', 'on', 'SELECT gen_sequence_comb(''ids'')'), '25006',
	'not in a read-only transaction');

SELECT is(pg_temp.state(format('SELECT gen_sequence_comb(%L)', sequence)), expected, format('%s: %s', sequence, expected))
FROM (VALUES ('pg_class', '42809'), ('owners', '42809'), ('no_such_sequence', '42P01')) AS v(sequence, expected);

SELECT throws_ok('DROP SEQUENCE ids', '2BP01', NULL, 'a default keeps its sequence from being dropped');
ALTER SEQUENCE ids RENAME TO renamed;
SELECT lives_ok('INSERT INTO owners DEFAULT VALUES', 'and follows it to another name');
SELECT 'renamed'::regclass::oid AS sequence \gset
SELECT is(pg_temp.state('SELECT gen_sequence_comb(' || :sequence || ')'), 'OKAY0', 'it can be named by its OID');
DROP TABLE owners;
DROP SEQUENCE renamed;
SELECT is(pg_temp.state('SELECT gen_sequence_comb(' || :sequence || ')'), pg_temp.state('SELECT nextval(' || :sequence || ')'),
	'a dropped one raises what nextval() raises');
SELECT isnt(pg_temp.state('SELECT gen_sequence_comb(' || :sequence || ')'), 'OKAY0', 'which is an error');

--
-- Infinite intervals.
--

SELECT CASE WHEN current_setting('server_version_num')::int >= 170000
	THEN throws_ok(replace(call, '?', quote_literal(length)), '22023', 'interval must be finite', format('%s: %s', length, call))
	ELSE skip('there are no infinite intervals before 17') END
FROM unnest('{infinity,-infinity}'::text[]) AS length,
	unnest(
		ARRAY['SELECT uuid_is_recent(gen_uuidv7(), ?)', 'SELECT short_comb_is_recent(gen_short_comb(), ?)',
			'SELECT gen_short_comb(?)']) AS call;

--
-- Bits.
--

CREATE SEQUENCE million MINVALUE 43981000000 START 43981000000;
SELECT pg_temp.bits_are($$gen_short_comb_at('2024-02-29 12:34:56')$$, 'acb2xxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx');
SELECT pg_temp.bits_are($$gen_short_suffix_comb_at('2024-02-29 12:34:56')$$, 'xxxxxxxx-xxxx-4xxx-vxxx-acb2xxxxxxxx');
SELECT pg_temp.bits_are($$gen_sequence_comb('million', 1000000)$$, 'abcdxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx');
SELECT pg_temp.bits_are('gen_short_comb()', '....xxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx');
SELECT pg_temp.bits_are('gen_short_suffix_comb()', 'xxxxxxxx-xxxx-4xxx-vxxx-....xxxxxxxx');

SELECT * FROM finish();
ROLLBACK;
