-- Laravel's ordered UUIDs: which time has one, and which UUIDv7 does it become?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

-- The first 48 bits in units of 10 us
SELECT id, laravel_uuid_time(id), laravel_uuid_to_v7(id), uuid_time(laravel_uuid_to_v7(id)), comb_time(id) AS read_as_comb
FROM unnest(
	'{9e0b1c2a-3f4d-4abc-9def-0123456789ab,00000000-0000-4000-8000-000000000000,
		ffffffff-ffff-4fff-bfff-ffffffffffff}'::uuid[])
	AS id;

-- By the formula: time, order and difference stay
CREATE FUNCTION ordered_uuid(at timestamptz) RETURNS uuid LANGUAGE sql AS $$
	SELECT overlay(overlay(lpad(to_hex((extract(epoch FROM at) * 100000)::bigint), 12, '0') || substr(md5(random()::text), 1, 20)
		PLACING '4' FROM 13 FOR 1) PLACING substr('89ab', 1 + floor(random() * 4)::int, 1) FROM 17 FOR 1)::uuid
$$;
SELECT setseed(0.5) \g /dev/null
CREATE TABLE ids AS SELECT at, ordered_uuid(at) AS id
FROM (
	SELECT timestamptz '2024-05-05 12:00+00' + (n / 3) * interval '10 us' AS at
	FROM generate_series(1, 10000) AS n
	OFFSET 0) AS t;
SELECT count(DISTINCT v7) AS different_v7s, bool_and(laravel_uuid_time(id) = at) AS time,
	bool_and(uuid_time(v7) = date_trunc('milliseconds', at)) AS v7_time, bool_and(uuidv7_is_valid(v7)) AS v7,
	array_agg(id ORDER BY id) = array_agg(id ORDER BY v7) AS same_order
FROM ids, laravel_uuid_to_v7(id) AS v7;
DROP TABLE ids;
DROP FUNCTION ordered_uuid;

-- The trap: new v7 ids sort before them, and read as COMBs they are of another era
SELECT id, comb_time(id), id > gen_uuidv7() AS sorts_after_new_ids
FROM (VALUES ('9e0b1c2a-3f4d-4abc-9def-0123456789ab'::uuid)) AS v(id);

-- Other versions
SELECT laravel_uuid_time('018c22ac-d000-7037-a940-000000000001') IS NULL AS no_time_of_v7,
	laravel_uuid_time('9e0b1c2a-3f4d-4abc-cdef-0123456789ab') IS NULL AS no_time_of_other_variant,
	laravel_uuid_time(NULL) IS NULL AS no_time_of_null;
SELECT laravel_uuid_to_v7('018c22ac-d000-7037-a940-000000000001');
SELECT laravel_uuid_to_v7('9e0b1c2a-3f4d-4abc-cdef-0123456789ab');
