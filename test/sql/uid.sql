-- Ids from elsewhere: which time, fields and UUID has a known id of each scheme, and does
-- the UUID become this id again?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

-- The schemes
SELECT scheme, bits, layout, resolution, epoch, reversible, generated FROM uid_schemes();
SELECT scheme, form, source FROM uid_schemes();

-- What each scheme's own documents and tests say of these ids (pgEdge's is of
-- the time before the node came first)
CREATE TABLE known (id text, scheme text, at timestamptz, fields jsonb);
INSERT INTO known VALUES
	('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'ulid', '2016-07-30 23:54:10.259+00', '{"randomness": "d6764c61efb99302bd5b"}'),
	('0ujtsYcgvSTl8PAuAdqWYSMnLOv', 'ksuid', '2017-10-09 21:00:47-07', '{"payload": "b5a1cd34b5f99d1154fb6853345c9735"}'),
	('0ujzPyRiIAffKhBux4PvQdDqMHY', 'ksuid', '2017-10-09 21:46:20-07', '{"payload": "73fc1aa3b2446246d6e89fcd909e8fe8"}'),
	('507f1f77bcf86cd799439011', 'objectid', '2012-10-17 21:13:27+00', '{"random": "bcf86cd799", "counter": 4427793}'),
	('9m4e2mr0ui3e8a215n4g', 'xid', to_timestamp(1300816219), '{"machine": "60f486", "pid": 58408, "counter": 4271561}'),
	('b0xzcjjhcjkbqnpwz150', 'xidjs', to_timestamp(1480324682), '{"machine": "5164a6", "pid": 48086, "counter": 14481482}'),
	('-JhLeOlGIEjaIOFHR0xd', 'pushid', '2015-02-04 22:15:31.153+00', '{"random": "4cfbe64d9412701f69"}'),
	('ch72gsb320000udocl363eofy', 'cuid', '2012-09-13 23:03:12.926+00',
		'{"counter": "0000", "fingerprint": "udoc", "random": "l363eofy"}'),
	('1559872035903071353-1186579057231285506', 'sid', to_timestamp(1559872035) + interval '903071 us',
		'{"random": 1186579057231285506}'),
	('8HFaR8qWtRlGDHnO57', 'flake', '2012-01-12 22:56:53.776+00', '{"worker": "109add5e0e8f", "sequence": 5}'),
	('1541815603606036480', 'snowflake', '2022-06-28 16:07:40.105+00', '{"node": 378, "sequence": 0}'),
	('175928847299117063', 'discord', '2016-04-30 11:18:25.796+00', '{"worker": 1, "process": 0, "increment": 7}'),
	(((1387263000::bigint << 23) + (1341 << 10) + 5001 % 1024)::text, 'instagram',
		to_timestamp(1314220021) + interval '1387263721 ms', '{"shard": 1341, "sequence": 905}'),
	('136169504773242881', 'pgedge', to_timestamp(1704996539) + interval '845 ms', '{"node": 0, "count": 1}'),
	('5828128208445124608', 'flakeid',
		to_timestamp(
			b'010100001110000110101011101110100001000111'::bigint / 1000)
			+ b'010100001110000110101011101110100001000111'::bigint % 1000 * interval '1 ms',
		'{"datacenter": 7, "worker": 3, "counter": 0}'),
	('0x02308300cd461001', 'flakeid', to_timestamp(x'8c20c0335'::bigint / 1000) + x'8c20c0335'::bigint % 1000 * interval '1 ms',
		'{"datacenter": 3, "worker": 1, "counter": 1}'),
	('01226N0640J7Q', 'tsid', timestamptz '2020-01-01' + 38358284406638839 / 4194304 * interval '1 ms', '{"random": 18679}'),
	('38352658567418872', 'tsid', timestamptz '2020-01-01' + 38352658567418872 / 4194304 * interval '1 ms', '{"random": 1725432}'),
	('00000000-00ff-9281-ffffffffa0091991', 'lexicaluuid',
		timestamptz '1970-01-01' + x'ff9281'::int * interval '1 us', '{"worker": "ffffffffa0091991"}'),
	('E25AFE33-DB2D-4502-9BF0-919001862CC4', 'combguid', '2002-01-10 23:40:35+00', '{"days": 37264, "ticks": 25570500}'),
	('9009ebcc-cd99-4b5f-90cf-9155607d2de9', 'ordereduuid',
		timestamptz '1970-01-01' + x'9009ebcccd99'::bigint * interval '10 us', '{}'),
	-- of the reports of these faults, with the times at which the ids were made
	('065e5a96-172c-771e-8000-bbac546447e1', 'draftuuidv7',
		timestamptz '1970-01-01' + x'65e5a961'::bigint * interval '1 s' + interval '448350 us', '{"subsec_a": 1836, "subsec_b": 1822}'),
	('8196f946-5678-7ac0-a594-fe51da68ec69', 'duckdbuuidv7', timestamptz '2025-05-22 20:34:18+02' + interval '616 ms', '{}'),
	('1f3c9b2e-5d6a-4b7c-563e-08dc3c2a1b2c', 'efguid',
		timestamptz '1970-01-01' + ((x'08dc3c2a1b2c563e'::bigint - 621355968000000000) / 10) * interval '1 us', '{}'),
	('3a0f5b7c-1234-5678-9abc-def012345678', 'abpguid',
		timestamptz '1970-01-01' + (x'3a0f5b7c1234'::bigint - 62135596800000) * interval '1 ms', '{}'),
	('9b2e5d6a-4b7c-e000-1abc-3a0f5b7c1234', 'abpsuffixguid',
		timestamptz '1970-01-01' + (x'3a0f5b7c1234'::bigint - 62135596800000) * interval '1 ms', '{}');
SELECT k.id, scheme, uid_time(k.id, scheme) AS "time", uid_time(k.id, scheme) = k.at AS "as known", r.fields = k.fields AS fields
FROM known AS k LEFT JOIN LATERAL (SELECT * FROM uid_inspect(k.id)) AS r USING (scheme);

-- The 64-bit ones as numbers, and two ids of which the layout alone is the source
SELECT count(*) AS numbers,
	count(*) FILTER (
		WHERE uid_time(id::bigint, scheme) IS DISTINCT FROM uid_time(id, scheme)) AS of_another_time
FROM known WHERE id ~ '^[0-9]+$';
SELECT uid_time((1::bigint << 24) + (2 << 16) + 3, 'sonyflake') AS one_tick_of_sonyflake,
	uid_time(100::bigint << 24, 'sonyflake2') AS second_of_sonyflake2;
SELECT scheme, "time", fields
FROM uid_inspect(translate(encode('\x019535d93df7001122334455aabbcc', 'base64'), '+/', '-_'))
WHERE scheme = 'elasticflake';

-- All four forms of a SID, as its own readme has them, and an id's bytes
SELECT id, uid_time(id, 'sid') AS "time"
	FROM unnest(
		'{1559872035903071353-1186579057231285506, 15a5cf57e7d2a837-6eaafe687e7b3ec3,
			1b9efqnl51jj7-4u66ikpfq9ugm, 1IeSBAWW9kK-0cDG64GQgGJ}'::text[])
		AS id;
SELECT scheme, bytes, uid_time(bytes, scheme) AS "time"
FROM (VALUES ('xid', E'\\x4d88e15b60f486e428412dc9'), ('objectid', '0x4d88e15b60f486e428412dc9'),
	('ksuid', E'\\x0669f7efb5a1cd34b5f99d1154fb6853345c9735'),
	('ksuid', '0x0669F7EFB5A1CD34B5F99D1154fb6853345C9735')) AS b(scheme, bytes);

-- Both ends of each scheme's range
SELECT scheme, id, uid_time(id, scheme) AS "time" FROM (VALUES
	('ulid', '00000000000000000000000000'), ('ulid', '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), ('ulid', '7zzzzzzzzzzzzzzzzzzzzzzzzz'),
	('ksuid', repeat('0', 27)), ('ksuid', 'aWgEPTl1tmebfsQzFP4bxwgy80V'),
	('objectid', repeat('0', 24)), ('objectid', repeat('F', 24)),
	('xid', repeat('0', 20)), ('xid', repeat('v', 19) || 'g'),
	('pushid', repeat('-', 20)), ('pushid', repeat('z', 20)),
	('elasticflake', repeat('A', 20)), ('elasticflake', repeat('_', 20)),
	('cuid', 'c' || repeat('0', 24)), ('cuid', 'c' || repeat('z', 24)),
	('sid', '00000000000-00000000000'), ('sid', '6~~~~~~~~~~-6~~~~~~~~~~'),
	('snowflake', '0'), ('snowflake', '9223372036854775807'),
	('discord', '18446744073709551615'), ('instagram', '18446744073709551615'), ('flakeid', '18446744073709551615'),
	('sonyflake', '9223372036854775807'), ('sonyflake2', '9223372036854775807'), ('pgedge', '9223372036854775807'),
	('tsid', '0000000000000'), ('tsid', 'FZZZZZZZZZZZZ'), ('tsid', 'fzzzzzzzzzzzz'), ('tsid', '18446744073709551615'),
	('combguid', '00000000-0000-4000-8000-63df00000000'), ('combguid', '00000000-0000-4000-8000-ffff018b81ff'),
	('ordereduuid', 'ffffffff-ffff-4000-8000-000000000000'),
	('draftuuidv7', '05fee660-0000-7000-8000-000000000000'), ('draftuuidv7', 'ffffffff-ffff-7fff-bfff-ffffffffffff'),
	('duckdbuuidv7', '80000000-0000-7000-8000-000000000000'), ('duckdbuuidv7', 'ffffffff-ffff-7fff-bfff-ffffffffffff'),
	('efguid', '00000000-0000-4000-8000-089f7ff5f7b5'), ('efguid', '00000000-0000-4000-7fff-2faf7ff5f7b5'),
	('abpguid', '3883122c-d800-0000-0000-000000000000'), ('abpguid', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
	('abpsuffixguid', '00000000-0000-0000-0000-3883122cd800')) AS e(scheme, id);

-- What has a reader of its own is read the same here
SELECT uid_time(id::text, 'comb') = comb_time(id) AS comb, uid_time(id::text, 'suffixcomb') = suffix_comb_time(id) AS suffix_comb,
	uid_time(id::text, 'ordereduuid') = laravel_uuid_time(id) AS ordered,
	uid_time(uuid_to_ulid(id)::text, 'ulid') = uuid_boundary_time(id) AS ulid
FROM (VALUES (uuid '9009ebcc-cd99-4b5f-90cf-018c22acd000')) AS v(id);

-- To uuid and back: the bits, the time and the order stay
CREATE TABLE ids AS
SELECT scheme, uid_generate(scheme) AS id FROM uid_schemes(), generate_series(1, 100) WHERE generated
UNION ALL
SELECT scheme, (x'6fffffffffffffff'::bigint / 1000 * n + n)::text
FROM uid_schemes(), generate_series(1, 1000, 5) AS n
WHERE bits <= 64
UNION ALL
SELECT scheme, id FROM known;
SELECT scheme, count(*) AS ids, every(uid_from_uuid(uid_to_uuid(id, scheme), scheme) = lower_if_uuid) AS come_back
FROM ids
JOIN uid_schemes() USING (scheme),
	LATERAL (SELECT CASE WHEN form = 'uuid' THEN id::uuid::text ELSE id END) AS l(lower_if_uuid)
WHERE reversible AND id !~ '^0x' AND NOT (scheme = 'sid' AND length(id) <> 23) AND NOT (scheme = 'tsid' AND length(id) <> 13)
GROUP BY scheme ORDER BY scheme COLLATE "C";
-- those of more forms than one in the first of them
SELECT scheme, id, uid_from_uuid(uid_to_uuid(id, scheme), scheme) AS comes_back_as
FROM known
JOIN uid_schemes() USING (scheme)
WHERE CASE WHEN reversible THEN uid_from_uuid(uid_to_uuid(id, scheme), scheme) <> id END;
SELECT scheme, id, uid_to_uuid(id, scheme) AS uuid FROM known;
SELECT count(*) AS of_another_time FROM ids JOIN uid_schemes() USING (scheme)
WHERE uuid_time(uid_to_uuid(id, scheme)) <> uid_time(id, scheme)
	AND layout !~ 'version'
	AND scheme NOT IN ('sid', 'flake', 'lexicaluuid', 'ulid');
SELECT count(*) AS other_numbers FROM ids JOIN uid_schemes() USING (scheme)
WHERE CASE
	WHEN bits <= 64
		AND id ~ '^[0-9]{14,19}$' THEN uid_bigint_from_uuid(
			uid_to_uuid(id::bigint, scheme), scheme) <> id::bigint
	END;
-- a KSUID's payload past the first 74 bits does not show
SELECT uid_to_uuid('0ujtsYcgvSTl8PAuAdqWYSMnLOv', 'ksuid') = uid_to_uuid('0ujtsYcgvSTl8PAuAdqWYSMnLOu', 'ksuid') AS same;
CREATE FUNCTION sorted(scheme text, by text) RETURNS text[] LANGUAGE sql AS $$
	SELECT array_agg(uid_to_uuid(id, $1)::text ORDER BY CASE WHEN by = 'uuid' THEN uid_to_uuid(id, $1)::text END COLLATE "C",
		CASE WHEN by = 'text' THEN id END COLLATE "C", CASE WHEN by = 'number' AND id !~ '[^0-9]' THEN id::numeric END)
	FROM ids WHERE ids.scheme = $1 AND id !~ '^0x' AND length(id) <> 39
$$;
SELECT scheme, sorted(scheme, 'uuid') = sorted(scheme, CASE WHEN form = 'decimal' THEN 'number' ELSE 'text' END) AS same_order
FROM uid_schemes()
WHERE scheme NOT IN ('elasticflake', 'flake', 'tsid', 'lexicaluuid', 'comb', 'suffixcomb', 'combguid')
ORDER BY scheme COLLATE "C";

DROP FUNCTION sorted(text, text);
DROP TABLE ids, known;
