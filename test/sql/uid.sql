-- Ids from elsewhere
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

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
	('ch72gsb320000udocl363eofy', 'cuid', '2012-09-13 23:03:12.926+00', '{"counter": "0000", "fingerprint": "udoc", "random": "l363eofy"}'),
	('1559872035903071353-1186579057231285506', 'sid', to_timestamp(1559872035) + interval '903071 us', '{"random": 1186579057231285506}'),
	('8HFaR8qWtRlGDHnO57', 'flake', '2012-01-12 22:56:53.776+00', '{"worker": "109add5e0e8f", "sequence": 5}'),
	('1541815603606036480', 'snowflake', '2022-06-28 16:07:40.105+00', '{"node": 378, "sequence": 0}'),
	('175928847299117063', 'discord', '2016-04-30 11:18:25.796+00', '{"worker": 1, "process": 0, "increment": 7}'),
	(((1387263000::bigint << 23) + (1341 << 10) + 5001 % 1024)::text, 'instagram',
		to_timestamp(1314220021) + interval '1387263721 ms', '{"shard": 1341, "sequence": 905}'),
	('136169504773242881', 'pgedge', to_timestamp(1704996539) + interval '845 ms', '{"node": 0, "count": 1}'),
	('5828128208445124608', 'flakeid',
		to_timestamp(b'010100001110000110101011101110100001000111'::bigint / 1000) + b'010100001110000110101011101110100001000111'::bigint % 1000 * interval '1 ms', '{"datacenter": 7, "worker": 3, "counter": 0}'),
	('0x02308300cd461001', 'flakeid', to_timestamp(x'8c20c0335'::bigint / 1000) + x'8c20c0335'::bigint % 1000 * interval '1 ms',
		'{"datacenter": 3, "worker": 1, "counter": 1}'),
	('01226N0640J7Q', 'tsid', timestamptz '2020-01-01' + 38358284406638839 / 4194304 * interval '1 ms', '{"random": 18679}'),
	('38352658567418872', 'tsid', timestamptz '2020-01-01' + 38352658567418872 / 4194304 * interval '1 ms', '{"random": 1725432}'),
	('00000000-00ff-9281-ffffffffa0091991', 'lexicaluuid', timestamptz '1970-01-01' + x'ff9281'::int * interval '1 us', '{"worker": "ffffffffa0091991"}'),
	('E25AFE33-DB2D-4502-9BF0-919001862CC4', 'combguid', '2002-01-10 23:40:35+00', '{"days": 37264, "ticks": 25570500}'),
	('9009ebcc-cd99-4b5f-90cf-9155607d2de9', 'ordereduuid', timestamptz '1970-01-01' + x'9009ebcccd99'::bigint * interval '10 us', '{}'),
	-- of the reports of these faults, with the times at which the ids were made
	('065e5a96-172c-771e-8000-bbac546447e1', 'draftuuidv7',
		timestamptz '1970-01-01' + x'65e5a961'::bigint * interval '1 s' + interval '448350 us', '{"subsec_a": 1836, "subsec_b": 1822}'),
	('8196f946-5678-7ac0-a594-fe51da68ec69', 'duckdbuuidv7', timestamptz '2025-05-22 20:34:18+02' + interval '616 ms', '{}'),
	('1f3c9b2e-5d6a-4b7c-563e-08dc3c2a1b2c', 'efguid',
		timestamptz '1970-01-01' + ((x'08dc3c2a1b2c563e'::bigint - 621355968000000000) / 10) * interval '1 us', '{}'),
	('3a0f5b7c-1234-5678-9abc-def012345678', 'abpguid', timestamptz '1970-01-01' + (x'3a0f5b7c1234'::bigint - 62135596800000) * interval '1 ms', '{}'),
	('9b2e5d6a-4b7c-e000-1abc-3a0f5b7c1234', 'abpsuffixguid', timestamptz '1970-01-01' + (x'3a0f5b7c1234'::bigint - 62135596800000) * interval '1 ms', '{}');
SELECT k.id, scheme, uid_time(k.id, scheme) AS "time", uid_time(k.id, scheme) = k.at AS "as known", r.fields = k.fields AS fields
FROM known AS k LEFT JOIN LATERAL (SELECT * FROM uid_inspect(k.id)) AS r USING (scheme);

-- The 64-bit ones as numbers, and two ids of which the layout alone is the source
SELECT id, scheme FROM known
WHERE id ~ '^[0-9]+$' AND uid_time(id::bigint, scheme) IS DISTINCT FROM uid_time(id, scheme);
SELECT uid_time((1::bigint << 24) + (2 << 16) + 3, 'sonyflake'), uid_time(100::bigint << 24, 'sonyflake2');
SELECT scheme, "time", fields FROM uid_inspect(translate(encode('\x019535d93df7001122334455aabbcc', 'base64'), '+/', '-_')) WHERE scheme = 'elasticflake';

-- All four forms of a SID, as its own readme has them, and an id's bytes
SELECT uid_time(id, 'sid')
	FROM unnest('{1559872035903071353-1186579057231285506, 15a5cf57e7d2a837-6eaafe687e7b3ec3, 1b9efqnl51jj7-4u66ikpfq9ugm, 1IeSBAWW9kK-0cDG64GQgGJ}'::text[]) AS id;
SELECT uid_time(E'\\x4d88e15b60f486e428412dc9', 'xid'), uid_time('0x4d88e15b60f486e428412dc9', 'objectid'),
	uid_time(E'\\x0669f7efb5a1cd34b5f99d1154fb6853345c9735', 'ksuid'), uid_time('0x0669F7EFB5A1CD34B5F99D1154fb6853345C9735', 'ksuid');

-- Both ends of each scheme's range
SELECT scheme, uid_time(id, scheme) FROM (VALUES
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
	uid_time(id::text, 'ordereduuid') = laravel_uuid_time(id) AS ordered, uid_time(uuid_to_ulid(id)::text, 'ulid') = uuid_boundary_time(id) AS ulid
FROM (VALUES (uuid '9009ebcc-cd99-4b5f-90cf-018c22acd000')) AS v(id);

-- To uuid and back: the bits, the time and the order stay
CREATE TABLE ids AS
SELECT scheme, uid_generate(scheme) AS id FROM uid_schemes(), generate_series(1, 100) WHERE generated
UNION ALL
SELECT scheme, (x'6fffffffffffffff'::bigint / 1000 * n + n)::text FROM uid_schemes(), generate_series(1, 1000, 5) AS n WHERE bits <= 64
UNION ALL
SELECT scheme, id FROM known;
SELECT scheme, count(*) AS ids, every(uid_from_uuid(uid_to_uuid(id, scheme), scheme) = lower_if_uuid) AS same
FROM ids JOIN uid_schemes() USING (scheme), LATERAL (SELECT CASE WHEN form = 'uuid' THEN id::uuid::text ELSE id END) AS l(lower_if_uuid)
WHERE reversible AND id !~ '^0x' AND NOT (scheme = 'sid' AND length(id) <> 23) AND NOT (scheme = 'tsid' AND length(id) <> 13)
GROUP BY scheme ORDER BY scheme COLLATE "C";
SELECT scheme, id, uid_from_uuid(uid_to_uuid(id, scheme), scheme)
FROM known JOIN uid_schemes() USING (scheme) WHERE CASE WHEN reversible THEN uid_from_uuid(uid_to_uuid(id, scheme), scheme) <> id END;
SELECT scheme, id, uid_to_uuid(id, scheme) FROM known;
SELECT count(*) AS wrong FROM ids JOIN uid_schemes() USING (scheme)
WHERE uuid_time(uid_to_uuid(id, scheme)) <> uid_time(id, scheme) AND layout !~ 'version' AND scheme NOT IN ('sid', 'flake', 'lexicaluuid', 'ulid');
SELECT count(*) AS wrong FROM ids JOIN uid_schemes() USING (scheme)
WHERE CASE WHEN bits <= 64 AND id ~ '^[0-9]{14,19}$' THEN uid_bigint_from_uuid(uid_to_uuid(id::bigint, scheme), scheme) <> id::bigint END;
-- a KSUID's payload past the first 74 bits does not show
SELECT uid_to_uuid('0ujtsYcgvSTl8PAuAdqWYSMnLOv', 'ksuid') = uid_to_uuid('0ujtsYcgvSTl8PAuAdqWYSMnLOu', 'ksuid') AS same;
CREATE FUNCTION sorted(scheme text, by text) RETURNS text[] LANGUAGE sql AS $$
	SELECT array_agg(uid_to_uuid(id, $1)::text ORDER BY CASE WHEN by = 'uuid' THEN uid_to_uuid(id, $1)::text END COLLATE "C",
		CASE WHEN by = 'text' THEN id END COLLATE "C", CASE WHEN by = 'number' AND id !~ '[^0-9]' THEN id::numeric END)
	FROM ids WHERE ids.scheme = $1 AND id !~ '^0x' AND length(id) <> 39
$$;
SELECT scheme, sorted(scheme, 'uuid') = sorted(scheme, CASE WHEN form = 'decimal' THEN 'number' ELSE 'text' END) AS order
FROM uid_schemes() WHERE scheme NOT IN ('elasticflake', 'flake', 'tsid', 'lexicaluuid', 'comb', 'suffixcomb', 'combguid') ORDER BY scheme COLLATE "C";

-- Parameters
SELECT uid_time(175928847299117063, 'snowflake:1420070400000'), uid_time('175928847299117063', 'snowflake:epoch=1420070400000');
SELECT uid_time(9223372036854775807, 'snowflake:0'), uid_time(0, 'snowflake:279275953455103');
SELECT uid_time((123456::bigint << 24) + 5, 'sonyflake2:epoch=1735689600000,tick=1,sequence=12,machine=12'),
	uid_time((123456::bigint << 26) + 5, 'snowflake:epoch=1577836800000,tick=1000,region=6,shard=4,sequence=16');
SELECT uid_from_uuid(uid_to_uuid(123456789012345678, s), s), uid_boundary('2026-01-01', s), uid_time(uid_boundary('2026-01-01', s), s)
FROM unnest('{"snowflake:1577836800000", "snowflake:epoch=1577836800000,node=8,sequence=14", "snowflake:epoch=1577836800000,tick=10,node=20", "discord:epoch=1577836800000,a=5,b=5,c=5,d=3,e=2,f=4"}'::text[]) AS s;

-- Parameters that are none
\set VERBOSITY default
SELECT uid_time(1, 'snowflake:');
SELECT uid_time(1, 'snowflake:-1');
SELECT uid_time(1, 'snowflake:281474976710656');
SELECT uid_time(9223372036854775807, 'flakeid:281474976710655');
SELECT uid_time(1, 'snowflake:1420070400000,node=10');
SELECT uid_time(1, 'snowflake:node=10,sequence=12,');
SELECT uid_time(1, 'snowflake:node=10,sequence=12x');
SELECT uid_time(1, 'snowflake:node');
SELECT uid_time(1, 'snowflake:node=');
SELECT uid_time(1, 'snowflake:node=x');
SELECT uid_time(1, 'snowflake:Node=10');
SELECT uid_time(1, 'snowflake:node.x=10');
SELECT uid_time(1, 'snowflake:node-x=10');
SELECT uid_time(1, 'snowflake:abcdefghijklmnopqrstuvwx=22');
SELECT uid_time(1, 'snowflake:node=0,sequence=22');
SELECT uid_time(1, 'snowflake:node=63');
SELECT uid_time(1, 'snowflake:epoch=0,node=62') AS widest_field, uid_time(1, 'snowflake:epoch=0,node=1,sequence=21') AS narrowest_field;
SELECT uid_time(1, 'snowflake:node=32,sequence=32');
SELECT uid_time(1, 'snowflake:node=1,sequence=2');
SELECT uid_time(1, 'snowflake:tick=0');
SELECT uid_time(1, 'snowflake:tick=86400001');
-- 2^42 seconds are too many, 2^38 are not
SELECT uid_time(1, 'snowflake:tick=1000,node=21');
SELECT uid_time(1, 'snowflake:tick=1000,node=25');
SELECT uid_time(1, 'snowflake:a=4,b=4,c=4,d=4,e=4,f=4,g=4');
SELECT uid_time(1, 'snowflake:node=10,node=12');
SELECT uid_time(1, 'snowflake:epoch=0,node=10,epoch=1');
SELECT uid_time(1, 'snowflake:node=10,time=12');
SELECT uid_time(1, 'snowflake:no=10,node=12') IS NOT NULL AS other_names;
SELECT uid_time(1, 'snowflake:a_very_long_name_of_a_field=22');
SELECT uid_time('0ujtsYcgvSTl8PAuAdqWYSMnLOv', 'ksuid:1400000000');
SELECT uid_time(1, 'snowflakes');
SELECT uid_time(1, '');
SELECT uid_time(1, repeat('s', 256));
SELECT uid_time(1, 'Snowflake');
-- the name is looked up again where it is another one
SELECT uid_time(175928847299117063, s) FROM unnest('{snowflake,discord,snowflake:0,discord}'::text[]) AS s;

-- Text that is almost right
SELECT uid_time('', 'ksuid');
SELECT uid_time('0ujtsYcgvSTl8PAuAdqWYSMnLO', 'ksuid');
SELECT uid_time('0ujtsYcgvSTl8PAuAdqWYSMnLOvv', 'ksuid');
SELECT uid_time('0ujtsYcgvSTl8PAuAdqWYSMnLO-', 'ksuid');
SELECT uid_time('0ujtsYcgvSTl8é8PAuAdqWYSMn', 'ksuid');
SELECT uid_time('aWgEPTl1tmebfsQzFP4bxwgy80W', 'ksuid');
SELECT uid_time('8ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'ulid');
SELECT uid_time('01ARZ3NDEKTSV4RRFFQ69G5FAU', 'ulid');
SELECT uid_time('507f1f77bcf86cd79943901', 'objectid');
SELECT uid_time('507f1f77bcf86cd79943901g', 'objectid');
SELECT uid_time('9M4E2MR0UI3E8A215N4G', 'xid');
SELECT uid_time('9m4e2mr0ui3e8a215n4h', 'xid');
SELECT uid_time('-JhLeOlGIEjaIOFHR0x~', 'pushid');
SELECT uid_time('-JhLeOlGIEjaIOFHR0x', 'pushid');
SELECT uid_time('AZU12T33ABEiM0RVqrv=', 'elasticflake');
SELECT uid_time('dh72gsb320000udocl363eofy', 'cuid');
SELECT uid_time('ch72gsb320000udocl363eofY', 'cuid');
SELECT uid_time('ch72gsb320000udocl363eof', 'cuid');
SELECT uid_time('1IeSBAWW9kK_0cDG64GQgGJ', 'sid');
SELECT uid_time('1IeSBAWW9kK-0cDG64GQg.J', 'sid');
SELECT uid_time('~~~~~~~~~~~-0cDG64GQgGJ', 'sid');
SELECT uid_time('1IeSBAWW9kK-8cDG64GQgGJ', 'sid');
SELECT uid_time('zzzzzzzzzzzzzzzzzzzzzz', 'flake');
SELECT uid_time('7n42DGM5Tflk9n8mt7Fhc7', 'flake');
SELECT uid_time('8HFaR8qWtR', 'flake');
SELECT uid_time('-1', 'snowflake');
SELECT uid_time('9223372036854775808', 'snowflake');
SELECT uid_time('18446744073709551616', 'discord');
SELECT uid_time('175928847299117063.0', 'discord');
SELECT uid_time('', 'discord');
SELECT uid_time('123456789012345678901', 'discord');
SELECT uid_time('0x123', 'discord');
SELECT uid_time('0x123456789abcdefg', 'discord');
SELECT uid_time('GZZZZZZZZZZZZ', 'tsid');
SELECT uid_time('01226N0640J7U', 'tsid');
SELECT uid_time('01226N0640J7', 'tsid');
SELECT uid_time('00000000-00ff-9281-ffffffffa009199', 'lexicaluuid');
SELECT uid_time('ffffffff-00ff-9281-ffffffffa0091991', 'lexicaluuid');
SELECT uid_time('9009ebcc-cd99-7b5f-90cf-9155607d2de9', 'ordereduuid');
SELECT uid_time('9009ebcc-cd99-4b5f-c0cf-9155607d2de9', 'ordereduuid');
SELECT uid_time('E25AFE33-DB2D-4502-9BF0-9190018B8200', 'combguid');
SELECT uid_time('E25AFE33-DB2D-4502-9BF0-63DE00000000', 'combguid');
SELECT uid_time('05fee65f-ffff-7fff-bfff-ffffffffffff', 'draftuuidv7');
SELECT uid_time('065e5a96-172c-471e-8000-bbac546447e1', 'draftuuidv7');
SELECT uid_time('0196f946-5678-7ac0-a594-fe51da68ec69', 'duckdbuuidv7');
SELECT uid_time('1f3c9b2e-5d6a-5b7c-563e-08dc3c2a1b2c', 'efguid');
SELECT uid_time('1f3c9b2e-5d6a-4b7c-7fff-089f7ff5f7b5', 'efguid');
SELECT uid_time('1f3c9b2e-5d6a-4b7c-8000-2faf7ff5f7b5', 'efguid');
SELECT uid_time('1f3c9b2e-5d6a-4b7c-0000-ffffffffffff', 'efguid');
SELECT uid_time('3883122c-d7ff-ffff-ffff-ffffffffffff', 'abpguid');

-- Numbers that are none, and schemes that have no numbers
SELECT uid_time(-1, 'snowflake');
SELECT uid_to_uuid(-9223372036854775808, 'discord');
SELECT uid_time(1, 'ksuid');
SELECT uid_boundary(now(), 'ulid');
SELECT uid_bigint_from_uuid(gen_uuidv7(), 'xid');

-- uuids that were made of no id
SELECT uid_from_uuid('00000000-0000-0000-0000-000000000000', 'snowflake');
SELECT uid_from_uuid('0135d8a6-6ec5-4080-8070-000000000000', 'snowflake');
SELECT uid_from_uuid('0135d8a6-6ec5-7080-8070-000000000001', 'snowflake');
SELECT uid_from_uuid('00000000-0001-7000-8000-000000000000', 'snowflake');
SELECT uid_from_uuid('ffffffff-ffff-7000-8000-000000000000', 'snowflake');
SELECT uid_from_uuid('0135d8a6-6ec6-7080-8070-000000000000', 'sonyflake');
SELECT uid_from_uuid('015f0471-2d98-7b5a-8734-d2d7e6744553', 'ksuid');
SELECT uid_from_uuid('ffffffff-ffff-7fff-8000-000000000000', 'sid');
SELECT uid_bigint_from_uuid('ffffffff-ffff-7fff-8000-000000000000', 'discord');
SELECT uid_bigint_from_uuid(uid_to_uuid('18446744073709551615', 'discord'), 'discord');

-- Boundaries
SELECT uid_boundary('-infinity', 'snowflake'), uid_boundary('infinity', 'snowflake'), uid_boundary('2010-11-04 01:42:54.657', 'snowflake');
SELECT uid_boundary('2026-01-01 00:00:00.000999', 'discord') = uid_boundary('2026-01-01', 'discord') AS floor,
	uid_boundary('2026-01-01 00:00:00.009999', 'sonyflake') = uid_boundary('2026-01-01', 'sonyflake') AS floor,
	uid_boundary('2026-01-01 00:00:00.01', 'sonyflake') - uid_boundary('2026-01-01', 'sonyflake') AS tick;
SELECT uid_time(uid_boundary('2026-07-03 12:34:56.789', scheme), scheme) FROM uid_schemes() WHERE bits <= 64;
SELECT uid_boundary('2010-11-04 01:42:54.656999', 'snowflake');
SELECT uid_boundary('2080-07-10 17:30:30.209', 'snowflake');
SELECT uid_boundary('2100-01-01', 'snowflake');
SELECT uid_boundary('2100-01-01', 'discord');
SELECT uid_boundary('1969-12-31', 'flakeid');
SELECT uid_boundary('20000-01-01', 'flakeid');

-- A range of time on a bigint key: the index is used, and partitions are pruned
CREATE TABLE messages (id bigint PRIMARY KEY, body text) PARTITION BY RANGE (id);
DO $$
BEGIN
	FOR month IN 1 .. 6 LOOP
		EXECUTE format('CREATE TABLE messages_2026_0%s PARTITION OF messages FOR VALUES FROM (%s) TO (%s)', month,
			uid_boundary(make_timestamptz(2026, month, 1, 0, 0, 0), 'discord'), uid_boundary(make_timestamptz(2026, month + 1, 1, 0, 0, 0), 'discord'));
	END LOOP;
END $$;
INSERT INTO messages SELECT uid_boundary(timestamptz '2026-01-01' + n * interval '1 hour', 'discord') + n FROM generate_series(0, 4000) AS n;
ANALYZE messages;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM messages
WHERE id >= uid_boundary('2026-02-27', 'discord') AND id < uid_boundary('2026-03-02', 'discord');
SELECT count(*) AS messages, min(uid_time(id, 'discord')), max(uid_time(id, 'discord')) FROM messages
WHERE id >= uid_boundary('2026-02-27', 'discord') AND id < uid_boundary('2026-03-02', 'discord');
SET plan_cache_mode = force_generic_plan;
PREPARE since(timestamptz, timestamptz) AS SELECT count(*) AS messages FROM messages WHERE id >= uid_boundary($1, 'discord')
	AND id < uid_boundary($2, 'discord');
EXPLAIN (COSTS OFF) EXECUTE since('2026-02-27', '2026-03-02');
EXECUTE since('2026-02-27', '2026-03-02');
RESET plan_cache_mode;
RESET enable_seqscan;
RESET enable_bitmapscan;
DROP TABLE messages;

-- Generated columns and expression indexes take them
CREATE TABLE orders (id bigint PRIMARY KEY, uid uuid GENERATED ALWAYS AS (uid_to_uuid(id, 'snowflake')) STORED UNIQUE,
	made timestamptz GENERATED ALWAYS AS (uid_time(id, 'snowflake')) STORED);
CREATE INDEX ON orders (uid_time(id, 'snowflake'));
INSERT INTO orders VALUES (1541815603606036480);
SELECT * FROM orders;
DROP TABLE orders;

-- What is this id?
-- most plausible first; in 2028 sonyflake2 will be more so
SELECT scheme, "time", fields, uuid FROM uid_inspect('175928847299117063') WHERE scheme <> 'sonyflake2';
SELECT scheme, "time", fields, uuid FROM uid_inspect('9m4e2mr0ui3e8a215n4g');
SELECT scheme, "time", fields, uuid FROM uid_inspect('e25afe33-db2d-4502-9bf0-919001862cc4');
SELECT scheme, "time", uuid FROM uid_inspect('019535d9-3df7-79fb-b466-fa907fa17f9e');
SELECT fields - 'fields' = jsonb_strip_nulls(to_jsonb(uuid_inspect(uuid))) - 'time' AS all
	FROM uid_inspect('1ec9414c-232a-6b00-b3c8-9f6bdeced846') WHERE scheme = 'uuid';
SELECT id, (SELECT scheme || ' ' || uuid FROM uid_inspect(id) LIMIT 1) FROM unnest(ARRAY[
	'{C232AB00-9414-11EC-B3C8-9F6BDECED846}', 'c232ab00941411ecb3c89f6bdeced846', 'urn:uuid:c232ab00-9414-11ec-b3c8-9f6bdeced846',
	'c232-ab00-9414-11ec-b3c8-9f6b-dece-d846', E'\\xc232ab00941411ecb3c89f6bdeced846', E' \t"c232ab00-9414-11ec-b3c8-9f6bdeced846"\n',
	'''507f1f77bcf86cd799439011''']) AS id;
SELECT id, (SELECT scheme || ' ' || uuid || ' ' || fields FROM uid_inspect(id) LIMIT 1) FROM unnest(ARRAY[
	'user_01h455vb4pex5vsknk084sn02q', uuid_encode('019535d9-3df7-79fb-b466-fa907fa17f9e', 'base58'),
	uuid_encode('019535d9-3df7-79fb-b466-fa907fa17f9e', 'base62'),
	uuid_encode('019535d9-3df7-79fb-b466-fa907fa17f9e', 'base64url'), uuid_encode('019535d9-3df7-79fb-b466-fa907fa17f9e', 'base32hex')]) AS id;
SELECT count(*) AS inspected
	FROM unnest(ARRAY[repeat('z', 22), 'User_01h455vb4pex5vsknk084sn02q', 'user_81h455vb4pex5vsknk084sn02q',
	'_01h455vb4pex5vsknk084sn02q', repeat('~', 22)]) AS id, uid_inspect(id);
-- As SQL Server prints a v1, and MySQL stores one: first.  As it is: first
SELECT id, n, scheme, "time", uuid, fields ->> 'swapped_by' AS swapped_by, fields ->> 'count_100ns' AS count_100ns
FROM unnest('{B9586BD7-2062-E111-B36C-CC52AFC9F2ED,0x11EC9414C232AB00B3C89F6BDECED846,d76b58b9-6220-11e1-b36c-cc52afc9f2ed}'::text[]) AS id,
	LATERAL (SELECT * FROM uid_inspect(id) WITH ORDINALITY AS i(scheme, "time", fields, uuid, n) WHERE scheme = 'uuid') AS i ORDER BY id COLLATE "C", n;
-- A v4 in whose bits a time is found stays one
SELECT scheme, "time", uuid, fields ->> 'swapped_by' AS swapped_by FROM uid_inspect('e2227f01-b079-4c73-98c4-dc0c0c07398f') WHERE scheme = 'uuid';
-- A UUIDv7 that was made in another layout: that reading first.  One that was not has no other
SELECT id, n, scheme, "time", uuid
	FROM unnest('{065e5a96-172c-771e-8000-bbac546447e1,8196f946-5678-7ac0-a594-fe51da68ec69,0196f946-5678-7ac0-a594-fe51da68ec69}'::text[]) AS id,
	LATERAL (SELECT * FROM uid_inspect(id) WITH ORDINALITY AS i(scheme, "time", fields, uuid, n) WHERE scheme ~ 'uuid') AS i ORDER BY id COLLATE "C", n;
-- mended it is one as others, of the same time
SELECT scheme, mended, uuid_time(mended) = date_trunc('milliseconds', uid_time(id, scheme)) AS same_time,
	(SELECT i.scheme FROM uid_inspect(mended::text) AS i LIMIT 1) AS read_as
FROM known, LATERAL (SELECT uid_to_uuid(id, scheme) AS mended) AS m WHERE scheme IN ('draftuuidv7', 'duckdbuuidv7', 'abpguid');
-- Entity Framework counts on, and SQL Server sorts by that
SELECT every(uuid_from_sqlserver(id) ~<~ uuid_from_sqlserver(later)) AS in_order,
	every(uid_time(later::text, 'efguid') - uid_time(id::text, 'efguid') = interval '0.5 s') AS in_time
FROM (SELECT id, lead(id) OVER (ORDER BY n) AS later
	FROM generate_series(1, 100) AS n, to_hex(638451398721940030 + n * 5000000) AS ticks,
		LATERAL (SELECT (md5(n::text)::uuid::text) AS random) AS r,
		LATERAL (SELECT (left(random, 14) || '4' || substr(random, 16, 4) || right(ticks, 4) || '-0' || left(ticks, 11))::uuid AS id) AS i) AS p
WHERE later IS NOT NULL;
-- an id of a scheme's first day is less plausible than none
SELECT scheme, "time" FROM uid_inspect('42');
SELECT count(*) AS inspected
	FROM unnest('{"",x,"0x",-1,"c232ab00-9414-11ec-b3c8-9f6bdeced84","c2-32ab00941411ecb3c89f6bdeced846","-c232ab00-9414-11ec-b3c8-9f6bdeced846",héllo,"{}","{c232ab00-9414-11ec-b3c8-9f6bdeced846","not an id"}'::text[]) AS id, uid_inspect(id);

-- Generators
SELECT scheme, count(DISTINCT id) AS different_ids,
	every(uid_time(id, scheme) BETWEEN now() - interval '1 hour' AND now() + interval '1 hour'), count(DISTINCT length(id)) AS lengths
FROM uid_schemes(), generate_series(1, 100) AS n, LATERAL (SELECT uid_generate(scheme || repeat('', n)) AS id) AS g
WHERE generated GROUP BY scheme ORDER BY scheme COLLATE "C";
\set VERBOSITY terse
SELECT uid_generate('snowflake');
SELECT uid_generate('flake');
\set VERBOSITY default
SELECT uid_generate('comb');

DROP FUNCTION sorted(text, text);
DROP TABLE ids, known;
