-- Routing: the partition that an iUID is in follows from its country, on every
-- server and for ever, and core hashes uuids as without the extension.

BEGIN;
\ir include/settings.sql
SELECT plan(37);
SET LOCAL work_mem = '256MB';
SET LOCAL max_parallel_workers_per_gather = 0;
-- HASH_PARTITION_SEED of core
\set seed 8816678312871386365

CREATE TABLE routed (id uuid NOT NULL) PARTITION BY HASH (id iuid_country_ops);
DO $$ BEGIN
	FOR country IN 0 .. 255 LOOP
		EXECUTE format('CREATE TABLE routed_%s PARTITION OF routed FOR VALUES WITH (MODULUS 256, REMAINDER %s)', country, country);
	END LOOP;
END $$;

-- Times, entities and tails of all kinds for each country; the extremes with them.
CREATE TEMP TABLE ids AS
SELECT country, gen_iuid_at('1970-01-01 00:00:00+00'::timestamptz + random() * interval '8000 years', country, floor(random() * 256)::int) AS id
FROM generate_series(0, 255) AS country, generate_series(1, 20)
UNION ALL SELECT country, gen_iuid(country, country) FROM generate_series(0, 255) AS country, generate_series(1, 20)
UNION ALL SELECT country, overlay(id PLACING lpad(to_hex(country), 2, '0') FROM 17 FOR 2)::uuid
FROM generate_series(0, 255) AS country, unnest(ARRAY['00000000-0000-8000-8000-000000000000', 'ffffffff-ffff-8000-bfff-ffffffffffff']) AS id;

--
-- Placement by country
--

SELECT results_eq(
	$$SELECT country, array_agg(remainder) FROM (SELECT DISTINCT ON (country) country, id FROM ids ORDER BY country, id DESC) AS i,
		generate_series(0, 255) AS remainder
	WHERE satisfies_hash_partition('routed'::regclass, 256, remainder, id) GROUP BY country ORDER BY country$$,
	'SELECT n, ARRAY[n] FROM generate_series(0, 255) AS n',
	'each of 256 countries satisfies its own remainder of modulus 256 and no other');
SELECT is(count(*)::int, 0, 'so do all ids, whatever their time, entity and tail')
FROM ids WHERE NOT satisfies_hash_partition('routed'::regclass, 256, country, id);

INSERT INTO routed SELECT id FROM ids;
SELECT is(count(*)::int, 0, 'inserted rows lie in the partition of their country')
FROM routed WHERE tableoid::regclass::text <> 'routed_' || iuid_country(id);
SELECT results_eq(
	$$SELECT tableoid::regclass, count(*)::int FROM routed GROUP BY tableoid ORDER BY tableoid$$,
	$$SELECT ('routed_' || n)::regclass, 42 FROM generate_series(0, 255) AS n$$,
	'each of 256 partitions holds what was made for it');
SELECT is(count(*)::int, 0, 'the partition''s remainder is the country in the id''s text')
FROM routed JOIN pg_class c ON c.oid = routed.tableoid
WHERE pg_get_expr(relpartbound, c.oid) IS DISTINCT FROM format('FOR VALUES WITH (modulus 256, remainder %s)', ('x' || substr(id::text, 17, 2))::bit(8)::int);
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

CREATE TEMP TABLE pinned (id, modulus_256, modulus_512, modulus_1024, hash) AS VALUES
	('018c22ac-d000-8000-8000-000000000000'::uuid, 0, 0, 0, -5305509591434766563),
	('018c22ac-d000-8037-a940-000000000000', 55, 55, 55, -693823573007378604),
	('018c22ac-d000-8037-a97f-ffffffffffff', 55, 311, 823, 3917862445420009044),
	('018c22ac-d000-804c-8040-000000000001', 76, 332, 332, -693823573007378327),
	('018c22ac-d000-804c-8040-000000000002', 76, 76, 588, -693823573007378071),
	('018c22ac-d000-804c-8040-000000000003', 76, 332, 844, -693823573007377815),
	('018c22ac-d000-8052-bfc0-0000000000ff', 82, 338, 850, 8529548463847462511),
	('019b76da-a800-80e3-8000-123456789abc', 227, 227, 227, -5300385495858736128),
	('ffffffff-ffff-80ff-bfff-ffffffffffff', 255, 511, 1023, -5305509591434766564),
	('00000000-0000-8001-8000-00ff00ff00ff', 1, 257, 769, -5305229211691428322);
SELECT is(array_agg(id), NULL, 'fixed ids keep their remainder of modulus 256')
FROM pinned WHERE NOT satisfies_hash_partition('routed'::regclass, 256, modulus_256, id);
SELECT is(array_agg(id), NULL, 'of modulus 512')
FROM pinned WHERE NOT satisfies_hash_partition('routed'::regclass, 512, modulus_512, id);
SELECT is(array_agg(id), NULL, 'and of modulus 1024')
FROM pinned WHERE NOT satisfies_hash_partition('routed'::regclass, 1024, modulus_1024, id);
SELECT is(array_agg(id), NULL, 'their partition hash is the same to the bit')
FROM pinned WHERE uidext_internal.iuid_country_hash_extended(id, :seed) IS DISTINCT FROM hash;
INSERT INTO routed SELECT id FROM pinned;
SELECT is(array_agg(id), NULL, 'inserted, they lie there')
FROM routed JOIN pinned USING (id) WHERE routed.tableoid::regclass::text <> 'routed_' || modulus_256;

-- Core adds a constant to the hash of a one-column key (hash_combine64), whose lowest byte is 0xe3.
SELECT is(count(*)::int, 0, 'the partition hash is the country less 0x49a0f4dd15e5a8e3, modulo 256')
FROM ids WHERE mod(uidext_internal.iuid_country_hash_extended(id, :seed)::numeric + 18446744073709551616 - country + 5305509591434766563, 256) <> 0;
-- Any other way of combining would put core's own rows elsewhere, too.
CREATE TABLE core_routed (id uuid) PARTITION BY HASH (id);
SELECT is(count(*)::int, 0, 'core adds it to its own hash of a uuid')
FROM ids WHERE NOT satisfies_hash_partition('core_routed'::regclass, 256,
	mod(uuid_hash_extended(id, :seed)::numeric + 18446744073709551616 + 5305509591434766563, 256)::int, id);

-- Within a country, multiples of 256 split evenly, by chance.
SELECT is(array_agg(part || ': ' || ones), NULL, 'eight parts of a country of 80,000 ids have 10,000 each, within 6 sigma')
FROM (SELECT part, count(*) FILTER (WHERE satisfies_hash_partition('routed'::regclass, 2048, 76 + 256 * part, id)) AS ones
	FROM (SELECT gen_iuid(76, 1) AS id FROM generate_series(1, 80000)) AS i, generate_series(0, 7) AS part GROUP BY part) AS p
WHERE abs(ones - 10000) > 6 * sqrt(10000 * 7 / 8.0);

-- What is no iUID has no place.
SELECT throws_ok(format('SELECT uidext_internal.iuid_country_hash_extended(%L, %s)', id, :seed), '22023', 'UUID is not an iUID', id || ' has no country')
FROM unnest(ARRAY['018c22ac-d000-814c-a940-000000000000', '018c22ac-d000-704c-a940-000000000000',
	'018c22ac-d000-804c-2940-000000000000', '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) AS id;
SELECT throws_ok($$INSERT INTO routed VALUES ('018c22ac-d000-704c-a940-000000000000')$$, '22023', 'UUID is not an iUID',
	'and enters no partition');
SELECT is(uidext_internal.iuid_country_hash_extended(NULL, :seed), NULL, 'NULL has no hash');

--
-- Core's hashing is as it was.
--

SELECT is(count(*)::int, 0, 'with any other seed the hash is core''s')
FROM (SELECT id FROM ids UNION ALL SELECT gen_random_uuid() FROM generate_series(1, 1000)
	UNION ALL SELECT unnest(ARRAY['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']::uuid[])) AS i,
	unnest(ARRAY[0, 1, -1, :seed - 1, :seed + 1, -:seed, 9223372036854775807, -9223372036854775808]) AS seed
WHERE uidext_internal.iuid_country_hash_extended(id, seed) IS DISTINCT FROM uuid_hash_extended(id, seed);

SELECT ok(amvalidate(oid), 'the operator class is valid') FROM pg_opclass WHERE opcname = 'iuid_country_ops';
SELECT ok(NOT opcdefault, 'it is not the default') FROM pg_opclass WHERE opcname = 'iuid_country_ops';
SELECT is(string_agg(opcname, ', '), 'uuid_ops', 'core''s is, alone')
FROM pg_opclass o JOIN pg_am a ON a.oid = opcmethod WHERE opcintype = 'uuid'::regtype AND amname = 'hash' AND opcdefault;
SELECT is(string_agg(concat_ws(' ', amopopr::regoperator, amopstrategy), ', '), '=(uuid,uuid) 1', 'its equality is the ordinary =')
FROM pg_amop JOIN pg_opfamily f ON f.oid = amopfamily WHERE opfname = 'iuid_country_ops';
SELECT is(string_agg(concat_ws(' ', amproc::regproc, amprocnum), ', ' ORDER BY amprocnum), 'uuid_hash 1, uidext_internal.iuid_country_hash_extended 2',
	'its plain hash is core''s own, so that joins and aggregates could use either')
FROM pg_amproc JOIN pg_opfamily f ON f.oid = amprocfamily WHERE opfname = 'iuid_country_ops';
SELECT is((SELECT opfname::text FROM pg_amop JOIN pg_opfamily f ON f.oid = amopfamily JOIN pg_am a ON a.oid = amopmethod
	WHERE amopopr = '=(uuid,uuid)'::regoperator AND amname = 'hash' ORDER BY f.oid LIMIT 1),
	'uuid_ops', 'core takes the family with the least OID, which is its own');

-- Joins and aggregates of many ids of one country
CREATE TEMP TABLE brazil AS SELECT gen_iuid(76, 1) AS id, n FROM generate_series(1, 1000000) AS n;
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
SELECT ok('Hashed Aggregate' = ANY (pg_temp.nodes_of('SELECT id, count(*) FROM brazil GROUP BY id')), 'they aggregate by hash');
SELECT is(count(*)::int, 1000000, 'each id meets itself alone') FROM brazil a JOIN brazil b USING (id);
SELECT is(count(*)::int, 1000000, 'and is a group of its own') FROM (SELECT id FROM brazil GROUP BY id OFFSET 0) AS g;

-- A hash index by this operator class is as good as core's; with few hashes it would take hours.
SET LOCAL statement_timeout = '60s';
SELECT count(*) > 0 AS has_pgstattuple FROM pg_available_extensions WHERE name = 'pgstattuple' \gset
\if :has_pgstattuple
	CREATE EXTENSION IF NOT EXISTS pgstattuple;
	CREATE INDEX brazil_core ON brazil USING hash (id);
	CREATE INDEX brazil_country ON brazil USING hash (id iuid_country_ops);
	SELECT bucket_pages AS core_buckets, overflow_pages AS core_overflow FROM pgstathashindex('brazil_core') \gset
	SELECT is(bucket_pages::int, :core_buckets, 'a hash index has as many buckets as core''s') FROM pgstathashindex('brazil_country');
	SELECT cmp_ok(overflow_pages::int, '<=', :core_overflow, 'and no more overflow pages') FROM pgstathashindex('brazil_country');
	SELECT cmp_ok(overflow_pages::int, '<', bucket_pages::int / 2, 'which are few') FROM pgstathashindex('brazil_country');
\else
	SELECT skip('no pgstattuple', 3);
\endif

SELECT * FROM finish();
ROLLBACK;
