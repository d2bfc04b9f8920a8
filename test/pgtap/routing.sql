-- Routing by country: does the partition of an iUID follow from its country, on every
-- server and for ever, and are uuids hashed as without the extension?

BEGIN;
\ir include/settings.sql
SELECT plan(40);
SET LOCAL work_mem = '256MB';
SET LOCAL max_parallel_workers_per_gather = 0;
-- HASH_PARTITION_SEED of core
\set seed 8816678312871386365

CREATE TABLE routed (id uuid NOT NULL) PARTITION BY HASH (id uuid_country_ops);
DO $$ BEGIN
	FOR country IN 0 .. 256 LOOP
		EXECUTE format('CREATE TABLE routed_%s PARTITION OF routed FOR VALUES WITH (MODULUS 257, REMAINDER %s)', country, country);
	END LOOP;
END $$;

-- Times, entities and tails of all kinds for each country; the extremes with them.
CREATE TEMP TABLE ids AS
SELECT country,
	gen_iuid_at('1970-01-01 00:00:00+00'::timestamptz + random() * interval '8000 years', country,
		floor(random() * 256)::int) AS id
FROM generate_series(0, 255) AS country, generate_series(1, 20)
UNION ALL SELECT country, gen_iuid(country, country) FROM generate_series(0, 255) AS country, generate_series(1, 20)
UNION ALL SELECT country, overlay(id PLACING lpad(to_hex(country), 2, '0') FROM 17 FOR 2)::uuid
FROM generate_series(0, 255) AS country,
	unnest(ARRAY['00000000-0000-8000-8000-000000000000', 'ffffffff-ffff-8000-bfff-ffffffffffff']) AS id;

--
-- Placement by country
--

SELECT results_eq(
	$$SELECT country, array_agg(remainder) FROM (SELECT DISTINCT ON (country) country, id FROM ids ORDER BY country, id DESC) AS i,
		generate_series(0, 256) AS remainder
	WHERE satisfies_hash_partition('routed'::regclass, 257, remainder, id) GROUP BY country ORDER BY country$$,
	'SELECT n, ARRAY[n] FROM generate_series(0, 255) AS n',
	'each of 256 countries satisfies its own remainder of modulus 257 and no other');
SELECT is(count(*)::int, 0, 'so do all ids, whatever their time, entity and tail')
FROM ids WHERE NOT satisfies_hash_partition('routed'::regclass, 257, country, id);

INSERT INTO routed SELECT id FROM ids;
SELECT is(count(*)::int, 0, 'inserted rows lie in the partition of their country')
FROM routed WHERE tableoid::regclass::text <> 'routed_' || iuid_country(id);
SELECT results_eq(
	$$SELECT tableoid::regclass, count(*)::int FROM routed GROUP BY tableoid ORDER BY tableoid$$,
	$$SELECT ('routed_' || n)::regclass, 42 FROM generate_series(0, 255) AS n$$,
	'each of 256 partitions holds what was made for it');
SELECT is(count(*)::int, 0, 'the partition''s remainder is the country in the id''s text')
FROM routed JOIN pg_class c ON c.oid = routed.tableoid
WHERE pg_get_expr(relpartbound, c.oid) IS DISTINCT FROM format(
	'FOR VALUES WITH (modulus 257, remainder %s)', ('x' || substr(id::text, 17, 2))::bit(8)::int);
UPDATE routed SET id = overlay(id::text PLACING lpad(to_hex(255 - iuid_country(id)), 2, '0') FROM 17 FOR 2)::uuid
WHERE iuid_service_entity(id) = iuid_country(id);
SELECT is(count(*)::int, 0, 'updated rows as well')
FROM routed WHERE tableoid::regclass::text <> 'routed_' || iuid_country(id);

-- A look-up by id reads one partition.
CREATE FUNCTION pg_temp.tables_of(query text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN ARRAY(SELECT name #>> '{}' FROM jsonb_path_query(plan, 'strict $.**."Relation Name"') AS name);
END $$;
PREPARE by_id(uuid) AS SELECT * FROM routed WHERE id = $1;
CREATE TEMP TABLE one AS SELECT DISTINCT ON (country) country, id FROM ids ORDER BY country, random();
SELECT results_eq(
	$$SELECT country, pg_temp.tables_of(format('SELECT * FROM routed WHERE id = %L', id)) FROM one ORDER BY country$$,
	$$SELECT n, ARRAY['routed_' || n] FROM generate_series(0, 255) AS n$$,
	'a literal finds the one partition of each country');
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT results_eq(
	$$SELECT country, pg_temp.tables_of(format('EXECUTE by_id(%L)', id)) FROM one ORDER BY country$$,
	$$SELECT n, ARRAY['routed_' || n] FROM generate_series(0, 255) AS n$$,
	'and so does a parameter in a generic plan');

--
-- Stored state: these may never change.
--

CREATE TEMP TABLE pinned (id, modulus_257, modulus_514, modulus_1028, hash, hash_32) AS VALUES
	('018c22ac-d000-8000-8000-000000000000'::uuid, 0, 0, 0, -5305509591434766563, 0),
	('018c22ac-d000-8037-a940-000000000000', 55, 55, 55, -5305509591434766508, -335544320),
	('018c22ac-d000-8037-a97f-ffffffffffff', 55, 312, 826, -675809174497896877, -318767105),
	('018c22ac-d000-804c-8040-000000000001', 76, 333, 333, -5305509591434766230, 838860801),
	('018c22ac-d000-804c-8040-000000000002', 76, 76, 590, -5305509591434765973, 838860802),
	('018c22ac-d000-804c-8040-000000000003', 76, 333, 847, -5305509591434765716, 838860803),
	('018c22ac-d000-8052-bfc0-0000000000ff', 82, 339, 853, -5305509591434700946, 1241514239),
	('019b76da-a800-80e3-8000-123456789abc', 227, 227, 227, -5300365479860392260, -948397380),
	('ffffffff-ffff-80ff-bfff-ffffffffffff', 255, 512, 1026, -675809174497896677, -1),
	('00000000-0000-8001-8000-00ff00ff00ff', 1, 258, 772, -5305228116458055907, -2130771713),
	('00000000-0000-0000-0000-000000000000', 256, 256, 256, -5305509591434766307, 0),
	('ffffffff-ffff-ffff-ffff-ffffffffffff', 256, 513, 1027, -675809174497896676, 0),
	('018c22ac-d000-0000-0000-000000000000', 256, 256, 256, -5305509591434766307, 11325440),
	('018c22ac-d000-814c-8040-000000000001', 256, 513, 513, -5305509591434766050, 11325441),
	('018c22ac-d000-704c-8040-000000000002', 256, 256, 770, -5305509591434765793, 11325442),
	('018c22ac-d000-804c-0040-000000000003', 256, 513, 1027, -5305509591434765536, 11325443),
	('919108f7-52d1-4320-9bac-f847db4148a8', 256, 256, 256, -2052432766042879803, 11934329);
SELECT is(array_agg(id), NULL, 'fixed ids keep their remainder of modulus 257')
FROM pinned WHERE NOT satisfies_hash_partition('routed'::regclass, 257, modulus_257, id);
SELECT is(array_agg(id), NULL, 'of modulus 514')
FROM pinned WHERE NOT satisfies_hash_partition('routed'::regclass, 514, modulus_514, id);
SELECT is(array_agg(id), NULL, 'and of modulus 1028')
FROM pinned WHERE NOT satisfies_hash_partition('routed'::regclass, 1028, modulus_1028, id);
SELECT is(array_agg(id), NULL, 'their partition hash is the same to the bit')
FROM pinned WHERE uidext_internal.iuid_country_hash_extended(id, :seed) IS DISTINCT FROM hash;
SELECT is(array_agg(id), NULL, 'so is that of 32 bits')
FROM pinned WHERE uidext_internal.iuid_country_hash(id) IS DISTINCT FROM hash_32;
INSERT INTO routed SELECT id FROM pinned;
SELECT is(array_agg(id), NULL, 'inserted, they lie there')
FROM routed JOIN pinned USING (id) WHERE routed.tableoid::regclass::text <> 'routed_' || modulus_257;

-- 32 bits: the country's bits from right to left, and the last 24 bits of the id, as its text has them.
SELECT is(count(*)::int, 0, 'of 32 bits, each is the country''s bits from right to left, then 24 of the tail')
FROM ids
WHERE uidext_internal.iuid_country_hash(id)::bit(32)::text <> reverse(country::bit(8)::text)
	|| ('x' || right(id::text, 6))::bit(24)::text;
-- A shard is a range: a country's ids are in 2^24 values, which ranges split evenly.
SELECT is(array_agg(part || ': ' || count), NULL, 'eight ranges within a country of 80,000 ids have 10,000 each, within 6 sigma')
FROM (SELECT part, count(*) FILTER (WHERE hash >= 838860800 + (part << 21) AND hash < 838860800 + (part + 1 << 21))
	FROM (SELECT uidext_internal.iuid_country_hash(gen_iuid(76, 1)) AS hash FROM generate_series(1, 80000)) AS i,
	generate_series(0, 7) AS part GROUP BY part) AS p
WHERE abs(count - 10000) > 6 * sqrt(10000 * 7 / 8.0);

-- Core adds a constant to the hash of a one-column key (hash_combine64).
SELECT is(count(*)::int, 0, 'the partition hash is the country less 0x49a0f4dd15e5a8e3, modulo 257, as a number of 64 bits')
FROM ids
	WHERE mod(mod(uidext_internal.iuid_country_hash_extended(id, :seed)::numeric + 5305509591434766563 + 18446744073709551616,
	18446744073709551616), 257) <> country;
-- Any other way of combining would put core's own rows elsewhere, too.
CREATE TABLE core_routed (id uuid) PARTITION BY HASH (id);
SELECT is(count(*)::int, 0, 'core adds it to its own hash of a uuid')
FROM ids WHERE NOT satisfies_hash_partition('core_routed'::regclass, 256,
	mod(uuid_hash_extended(id, :seed)::numeric + 18446744073709551616 + 5305509591434766563, 256)::int, id);

-- Within a country, multiples of 257 split evenly, by chance.
SELECT is(array_agg(part || ': ' || ones), NULL, 'eight parts of a country of 80,000 ids have 10,000 each, within 6 sigma')
FROM (SELECT part, count(*) FILTER (WHERE satisfies_hash_partition('routed'::regclass, 2056, 76 + 257 * part, id)) AS ones
	FROM (SELECT gen_iuid(76, 1) AS id FROM generate_series(1, 80000)) AS i, generate_series(0, 7) AS part GROUP BY part) AS p
WHERE abs(ones - 10000) > 6 * sqrt(10000 * 7 / 8.0);

-- What is no iUID has a place of its own.
CREATE TEMP TABLE strangers AS SELECT unnest(ARRAY['018c22ac-d000-814c-a940-000000000000', '018c22ac-d000-704c-a940-000000000000',
	'018c22ac-d000-804c-2940-000000000000', '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff',
	'018c22ac-d000-0000-0000-000000000000']::uuid[]) AS id
UNION ALL SELECT gen_random_uuid() FROM generate_series(1, 1000) UNION ALL SELECT gen_uuidv7() FROM generate_series(1, 1000);
SELECT results_eq(
	$$
		SELECT DISTINCT remainder
		FROM strangers, generate_series(0, 256) AS remainder
		WHERE satisfies_hash_partition('routed'::regclass, 257, remainder, id)$$,
	'VALUES (256)', 'strangers satisfy remainder 256 and no other');
INSERT INTO routed SELECT id FROM strangers ON CONFLICT DO NOTHING;
SELECT is(count(*)::int, 0, 'inserted, they lie there')
FROM routed
JOIN strangers USING (id)
WHERE routed.tableoid <> 'routed_256'::regclass;
SELECT is(count(*)::int, 0, 'in 32 bits they lie with country 0, by their first 48 bits and their tail')
FROM strangers, replace(id::text, '-', '') AS digits
WHERE uidext_internal.iuid_country_hash(id)::bit(32) <> B'00000000'
	|| (('x' || substr(digits, 7, 6))::bit(24) # ('x' || right(digits, 6))::bit(24));
SELECT is(count(DISTINCT uidext_internal.iuid_country_hash(iuid_boundary('2026-01-01'::timestamptz + n * interval '1 hour'))),
	10000::bigint, 'ten thousand boundary values have as many hashes')
FROM generate_series(1, 10000) AS n;
SELECT is(uidext_internal.iuid_country_hash_extended(NULL::uuid, :seed), NULL, 'NULL has no hash');

--
-- Core's hashing is as it was.
--

SELECT is(count(*)::int, 0, 'with any other seed the hash is core''s')
FROM (SELECT id FROM ids UNION ALL SELECT gen_random_uuid() FROM generate_series(1, 1000)
	UNION ALL SELECT unnest(ARRAY['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']::uuid[])) AS i,
	unnest(ARRAY[1, -1, :seed - 1, :seed + 1, -:seed, 9223372036854775807, -9223372036854775808]) AS seed
WHERE uidext_internal.iuid_country_hash_extended(id, seed) IS DISTINCT FROM uuid_hash_extended(id, seed);

SELECT is(count(*)::int, 0, 'with seed 0 it is the hash of 32 bits, as core asks')
FROM (SELECT id FROM ids UNION ALL SELECT id FROM strangers) AS i
WHERE (uidext_internal.iuid_country_hash_extended(id, 0) & 4294967295)::bit(32) <> uidext_internal.iuid_country_hash(id)::bit(32);

-- Operator classes: every one, core's own as well.
SELECT is(array_agg(opcname || ' for ' || opcintype::regtype || ' using ' || amname), NULL,
	'every operator class that takes uuid, iuid or ulid is valid')
FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod
WHERE opcintype IN ('uuid'::regtype, 'iuid'::regtype, 'ulid'::regtype) AND amvalidate(c.oid) IS NOT TRUE;
SELECT is(array_agg(DISTINCT f.opfname::text), NULL, 'nothing of ours stands in a family of core''s')
FROM pg_opfamily f
WHERE f.oid < 16384 AND (EXISTS (SELECT FROM pg_amop WHERE amopfamily = f.oid AND (oid >= 16384 OR amopopr >= 16384))
	OR EXISTS (SELECT FROM pg_amproc WHERE amprocfamily = f.oid AND (oid >= 16384 OR amproc::oid >= 16384))
	OR EXISTS (SELECT FROM pg_opclass WHERE opcfamily = f.oid AND oid >= 16384));
SELECT is(string_agg(opcname || ' for ' || opcintype::regtype, ', ' ORDER BY opcintype::regtype::text),
	'iuid_country_ops for iuid, uuid_ops for uuid', 'the default is that of iuid, and core''s for uuid')
FROM pg_opclass o
JOIN pg_am a ON a.oid = opcmethod
WHERE opcintype IN ('uuid'::regtype, 'iuid'::regtype) AND amname = 'hash' AND opcdefault;
SELECT is((SELECT opfname::text FROM pg_amop JOIN pg_opfamily f ON f.oid = amopfamily JOIN pg_am a ON a.oid = amopmethod
	WHERE amopopr = operator AND amname = 'hash' ORDER BY f.oid LIMIT 1),
	family, 'core hashes by the family with the least OID, for ' || operator::text || ' by ' || family)
FROM (
	VALUES ('=(uuid,uuid)'::regoperator, 'uuid_ops'),
		('uidext_internal.=(iuid,iuid)', 'iuid_aggregate_ops')) AS v(operator, family);

-- Joins and aggregates of many ids of one country
CREATE TEMP TABLE brazil AS SELECT gen_iuid(76, 1) AS id, n FROM generate_series(1, 100000) AS n;
ANALYZE brazil;
CREATE FUNCTION pg_temp.nodes_of(query text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN ARRAY(SELECT concat_ws(' ', node ->> 'Strategy', node ->> 'Node Type')
		FROM jsonb_path_query(plan, 'strict $.** ? (exists(@."Node Type"))') AS node);
END $$;
SET LOCAL enable_mergejoin = off;
SET LOCAL enable_nestloop = off;
SET LOCAL enable_sort = off;
SELECT ok('Hash Join' = ANY (pg_temp.nodes_of('SELECT count(*) FROM brazil a JOIN brazil b USING (id)')), 'they join by hash');
SELECT ok('Hashed Aggregate' = ANY (pg_temp.nodes_of(query)), 'by hash: ' || query)
FROM unnest(
	'{SELECT id\, count(*) FROM brazil GROUP BY id,SELECT DISTINCT id FROM brazil,
		SELECT id FROM brazil UNION SELECT id FROM brazil}'::text[])
	AS query;
SELECT ok('Hashed SetOp' = ANY (pg_temp.nodes_of('SELECT id FROM brazil EXCEPT SELECT id FROM brazil')), 'and so is EXCEPT');
SELECT is(count(*)::int, 0, 'EXCEPT leaves none') FROM (SELECT id FROM brazil EXCEPT SELECT id FROM brazil) AS e;
SELECT is(count(*)::int, 100000, 'each id meets itself alone') FROM brazil a JOIN brazil b USING (id);
SELECT is(count(*)::int, 100000, 'and is a group of its own') FROM (SELECT id FROM brazil GROUP BY id OFFSET 0) AS g;

-- Where the country and the last 24 bits are the same, the other bits tell groups apart: colliding,
-- they would double the table of groups again and again.
CREATE TEMP TABLE alike AS
SELECT format('019b76da-a800-804c-8000-%s000000', lpad(to_hex(n), 6, '0'))::iuid AS id
FROM generate_series(1, 1000) AS n;
ANALYZE alike;
CREATE FUNCTION pg_temp.kilobytes_of(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	RETURN jsonb_path_query_first(plan, 'strict $.** ? (exists(@."Peak Memory Usage"))') -> 'Peak Memory Usage';
END $$;
-- with assertions chunks are larger, and it may be a block more
SELECT ok(
	pg_temp.kilobytes_of('SELECT id FROM alike GROUP BY id') - pg_temp.kilobytes_of('
		SELECT id::uuid FROM alike GROUP BY id::uuid')
	BETWEEN 0 AND CASE WHEN current_setting('debug_assertions')::bool THEN 8 ELSE 0 END,
		'grouped, ids that end alike take the memory of uuids');

SELECT * FROM finish();
ROLLBACK;
