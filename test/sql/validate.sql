-- Is this an id of the agreed form?

-- Version and variant of a UUIDv4
SELECT string_agg(to_hex(n), '') FILTER (
	WHERE uuidv4_is_valid(format('8992aaaa-bbbb-%sccc-8ddd-eeeeeeeeeeee', to_hex(n))::uuid)) AS versions,
	string_agg(to_hex(n), '') FILTER (
		WHERE uuidv4_is_valid(format('8992aaaa-bbbb-4ccc-%sddd-eeeeeeeeeeee', to_hex(n))::uuid)) AS variants
FROM generate_series(0, 15) AS n;
SELECT uuidv4_is_valid(gen_random_uuid()) AS random,
	uuidv4_is_valid(gen_comb()) AS comb,
	uuidv4_is_valid(gen_short_comb()) AS short_comb,
	uuidv4_is_valid(gen_uuidv7()) AS v7, uuidv4_is_valid(NULL) IS NULL AS no_id;

-- The canonical form, of either case
SELECT uuid_is_canonical(gen_random_uuid()::text) AS printed, uuid_is_canonical(upper(gen_random_uuid()::text)) AS upper_case,
	uuid_is_canonical(NULL) IS NULL AS no_text;

-- Every other text that the type takes, and some that it does not
SELECT id, uuid_is_canonical(id) FROM unnest(ARRAY[
	'c232ab00-9414-11ec-b3c8-9f6bdeced846',
	'C232AB00-9414-11EC-b3c8-9f6bdeced846',
	'c232ab00941411ecb3c89f6bdeced846',
	'{c232ab00-9414-11ec-b3c8-9f6bdeced846}',
	'c232-ab00-9414-11ec-b3c8-9f6bdeced846',
	'c232ab00-941411ec-b3c89f6b-deced846ab',
	'urn:uuid:c232ab00-9414-11ec-b3c8-9f6bdeced846',
	'c232ab00-9414-11ec-b3c8-9f6bdeced84g',
	'c232ab00-9414-11ec-b3c8_9f6bdeced846',
	'c232ab00-9414-11ec-b3c-89f6bdeced846',
	'c232ab00-9414-11ec-b3c8-9f6bdeced84',
	'c232ab00-9414-11ec-b3c8-9f6bdeced846' || chr(10),
	' c232ab00-9414-11ec-b3c8-9f6bdeced84',
	'c232ab00-9414-11ec-b3c8-9f6bdeced84' || chr(1571),
	'']) AS id;

-- Each place matters, and each digit is one
SELECT count(*) AS refused FROM generate_series(1, 36) AS place
WHERE NOT uuid_is_canonical(
	overlay(
		'c232ab00-9414-11ec-b3c8-9f6bdeced846' PLACING CASE
			WHEN place IN (9, 14, 19, 24) THEN 'a'
			ELSE '-'
			END FROM place FOR 1));
SELECT string_agg(chr(code), '' ORDER BY code) AS digits FROM generate_series(1, 255) AS code
WHERE uuid_is_canonical('c232ab00-9414-11ec-b3c8-9f6bdeced84' || chr(code));

-- Ahead of a cast, which would raise an error
SELECT id, CASE WHEN uuid_is_canonical(id) THEN uuidv4_is_valid(id::uuid) ELSE false END AS accepted
FROM unnest(
	ARRAY['5a1dbf5e-9ae1-4a4e-9e4d-5c3b6a1f7b8d', 'c232ab00-9414-11ec-b3c8-9f6bdeced846',
		'Robert''); DROP TABLE students']) AS id;
