-- What an id tells of itself.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

-- Layouts with a time of their own.
SELECT id, uuid_time(id)
FROM (VALUES
	('c232ab00-9414-11ec-b3c8-9f6bdeced846'::uuid),	-- v1
	('1ec9414c-232a-6b00-b3c8-9f6bdeced846'),		-- v6
	('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'),		-- v7
	('1e1624e7-5e1f-d27f-a11d-ed65de8970f6'),		-- v13
	('018c22ac-d000-8037-a940-000000000000'),		-- iUID
	('018c22ac-d000-0000-0000-000000000000'),		-- boundary
	('00000000-0001-0000-0000-000000000000'),		-- the first boundary
	('ffffffff-ffff-0000-0000-000000000000'),		-- the last boundary
	('00000000-0000-1000-8000-000000000000'),		-- the first v1
	('ffffffff-ffff-1fff-bfff-ffffffffffff'),		-- the last v1
	('ffffffff-ffff-7fff-bfff-ffffffffffff')) AS v(id);	-- the last v7

-- Layouts without one.
SELECT id, uuid_time(id)
FROM (VALUES
	('00000000-0000-0000-0000-000000000000'::uuid),
	('ffffffff-ffff-ffff-ffff-ffffffffffff'),
	('919108f7-52d1-4320-9bac-f847db4148a8'),		-- v4
	('5df41881-3aed-3515-88a7-2f4a814cf09e'),		-- v3
	('2489e9ad-2ee2-8e00-8ec9-32d5f69181c0'),		-- v8, no iUID
	('018c22ac-d000-8137-a940-000000000000'),		-- v8, no iUID
	('017f22e2-79b0-7cc3-18c4-dc0c0c07398f'),		-- variants other than RFC 9562
	('017f22e2-79b0-7cc3-58c4-dc0c0c07398f'),
	('017f22e2-79b0-7cc3-d8c4-dc0c0c07398f'),
	('018c22ac-d000-0000-0000-000000000001'),		-- nearly a boundary
	('018c22ac-d000-0001-0000-000000000000'),
	('00000000-0000-0000-0000-000000000001'),
	(NULL)) AS v(id);

\x on
-- UUIDv1
SELECT * FROM uuid_inspect('c232ab00-9414-11ec-b3c8-9f6bdeced846');
-- UUIDv1 with a network card's address
SELECT * FROM uuid_inspect('c232ab00-9414-11ec-b3c8-00163e123456');
-- UUIDv4, perhaps a COMB
SELECT * FROM uuid_inspect('018c22ac-d000-4abc-9def-018c22acd001');
-- UUIDv7
SELECT * FROM uuid_inspect('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
-- iUID
SELECT * FROM uuid_inspect('018c22ac-d000-8037-a940-000000000000');
-- boundary
SELECT * FROM uuid_inspect('018c22ac-d000-0000-0000-000000000000');
-- NULL
SELECT * FROM uuid_inspect(NULL);
\x off

-- Bytes that another database has swapped: what SQL Server prints, what MySQL stores
SELECT id, i.layout, i.time, i.swapped_by, i.unswapped, uuid_time(i.unswapped), (uuid_inspect(i.unswapped)).count_100ns
FROM (VALUES
	('B9586BD7-2062-E111-B36C-CC52AFC9F2ED'::uuid),	-- NEWSEQUENTIALID(), of 2012
	('fe156262-2662-e111-837f-1b41e62f9422'),
	('11ec9414-c232-ab00-b3c8-9f6bdeced846'),		-- UUID_TO_BIN(UUID(), 1)
	('d76b58b9-6220-11e1-b36c-cc52afc9f2ed'),		-- a v1 as it is
	(uuid_to_sqlserver('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')),	-- a v7
	(uuid_to_sqlserver('1ec9414c-232a-6b00-b3c8-9f6bdeced846')),	-- a v6
	(uuid_to_sqlserver('018c22ac-d000-8037-a940-000000000000')),	-- an iUID
	(uuid_to_sqlserver('919108f7-52d1-4320-9bac-f847db4148a8')),	-- a v4: nothing tells
	('919108f7-52d1-4320-9bac-f847db4148a8'),
	('00000000-0000-0000-0000-000000000000')) AS v(id), uuid_inspect(id) AS i;

-- Seldom found where it is not: in no v4, in few that are bits of any kind
SELECT count(*) FILTER (WHERE (uuid_inspect(id)).swapped_by IS NOT NULL) AS of_v4,
	count(*) FILTER (WHERE (uuid_inspect(overlay(id::text PLACING 'a' FROM 15)::uuid)).swapped_by IS NOT NULL) < 400 AS of_others
FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 10000) OFFSET 0) AS ids;

-- Every version, in the variant of RFC 9562.
SELECT i.version, i.variant, i.layout, i.random_bits
FROM generate_series(0, 15) AS v,
	uuid_inspect(overlay('2489e9ad-2ee2-0e00-8ec9-33d5f69181c0' PLACING to_hex(v) FROM 15)::uuid) AS i
ORDER BY v;

-- Every variant (RFC 9562, table 1).
SELECT to_hex(v) AS digit, i.version, i.variant, i.layout
FROM generate_series(0, 15) AS v,
	uuid_inspect(overlay('017f22e2-79b0-7cc3-08c4-dc0c0c07398f' PLACING to_hex(v) FROM 20)::uuid) AS i
ORDER BY v;

-- Special values.
SELECT id, i.version, i.variant, i.layout, i.time
FROM (VALUES
	('00000000-0000-0000-0000-000000000000'::uuid),
	('ffffffff-ffff-ffff-ffff-ffffffffffff'),
	('00000000-0001-0000-0000-000000000000')) AS v(id), uuid_inspect(id) AS i;
