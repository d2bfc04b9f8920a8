-- iUID: which fields, errors and plans does a user see of generators, the type and the
-- setting uidext.country?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql
\i :test/include/error_of.sql

-- Fields: the example of the layout, the extremes, and each bit beside them.
SELECT id, iuid_is_valid(id) AS valid, iuid_version(id) AS version, iuid_country(id) AS country,
	iuid_service_entity(id) AS entity, uuid_time(id) AS "time"
FROM unnest(ARRAY[
	'018c22ac-d000-8037-a940-000000000000', '018c22ac-d000-8037-a97f-ffffffffffff',
	'018c22ac-d000-8037-a93f-ffffffffffff', '018c22ac-d000-8037-a980-000000000000',
	'018c22ac-d000-8000-8000-000000000000', '018c22ac-d000-80ff-bfff-ffffffffffff',
	'018c22ac-d000-8001-8040-000000000000', '018c22ac-d000-8080-a000-000000000000',
	'018c22ac-d000-8010-8100-000000000000', '018c22ac-d000-8008-8080-000000000000',
	'00000000-0000-8037-a940-000000000000', 'ffffffff-ffff-8037-a940-000000000000',
	'00000000-0001-8037-a940-000000000000']::uuid[]) AS id;

-- Of a layout to come, the version and the time. No iUID: another version or variant, a version 8 of a
-- far time, nil, max, a boundary.
SELECT id, iuid_is_valid(id) AS valid, iuid_version(id) AS version, iuid_country(id) AS country,
	iuid_service_entity(id) AS entity, uuid_time(id) AS "time", (uuid_inspect(id)).layout, id > timestamptz '2023-11-01' AS "after"
FROM unnest(ARRAY[
	'018c22ac-d000-8137-a940-000000000000', '018c22ac-d000-8837-a940-000000000000',
	'018c22ac-d000-8f37-a940-000000000000', '03ffffff-ffff-8137-a940-000000000000', '04000000-0000-8137-a940-000000000000',
	'018c22ac-d000-8137-2940-000000000000', '2489e9ad-2ee2-8000-8ec9-32d5f69181c0',
	'018c22ac-d000-0037-a940-000000000000', '018c22ac-d000-4037-a940-000000000000',
	'018c22ac-d000-7037-a940-000000000000', '018c22ac-d000-9037-a940-000000000000',
	'018c22ac-d000-c037-a940-000000000000',
	'018c22ac-d000-8037-2940-000000000000', '018c22ac-d000-8037-6940-000000000000',
	'018c22ac-d000-8037-e940-000000000000', '018c22ac-d000-8037-c940-000000000000',
	'2489e9ad-2ee2-8e00-8ec9-32d5f69181c0',
	'00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff',
	'018c22ac-d000-0000-0000-000000000000']::uuid[]) AS id;

-- A generator sets what it is told: head and tail lie in the span of time, country and entity.
SELECT country, entity, iuid_version(id) AS version, iuid_country(id) AS country_back,
	iuid_service_entity(id) AS entity_back, uuid_is_recent(id, '1 minute', '1 minute', clock_timestamp()) AS recent
FROM (VALUES (0, 0), (0, 255), (255, 0), (255, 255), (55, 165), (76, 1), (1, 76)) AS v(country, entity),
	gen_iuid(country, entity) AS id;
SELECT count(*) FILTER (
	WHERE id BETWEEN '018c22ac-d000-8037-a940-000000000000' AND '018c22ac-d000-8037-a97f-ffffffffffff')
	AS in_span,
	count(DISTINCT id) AS ids
FROM (SELECT gen_iuid_at('2023-12-01', 55, 165) AS id FROM generate_series(1, 1000)) AS made;
SELECT left(id::text, 21) AS id, uuid_time(id) AS "time"
FROM (VALUES (1, timestamptz '1970-01-01'), (2, '1970-01-01 00:00:00.000999'), (3, '2023-12-01 00:00:00.000999'),
	(4, '2023-12-01 00:00:00.001'), (5, '10889-08-02 05:31:50.655999')) AS v(n, at), gen_iuid_at(at, 55, 160) AS id
ORDER BY n;

-- One row, one id; always upwards.
CREATE TABLE trips (id iuid PRIMARY KEY DEFAULT gen_iuid(76, 7), n int);
INSERT INTO trips (n) SELECT generate_series(1, 5000);
SELECT count(*) AS trips, count(*) FILTER (WHERE id > previous) AS above_the_previous
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM trips) AS t;

-- Errors, and whichever comes first.
SELECT command || E'\n' || error_of('SELECT ' || command) AS "command and error"
FROM unnest(ARRAY['gen_iuid(256, 1)', 'gen_iuid(-1, 1)', 'gen_iuid(1, 256)', 'gen_iuid(1, -1)',
	'gen_iuid(2147483647, -2147483648)',
	$$gen_iuid_at('2023-12-01', 256, 1)$$, $$gen_iuid_at('2023-12-01', 1, -1)$$,
	$$gen_iuid_at('1969-12-31 23:59:59.999999', 1, 1)$$, $$gen_iuid_at('10889-08-02 05:31:50.656', 1, 1)$$,
	$$gen_iuid_at('-infinity', 1, 1)$$, $$gen_iuid_at('infinity', 1, 1)$$,
	'gen_iuid(1)', 'gen_iuid(256)', $$gen_iuid('Trip')$$, $$gen_iuid('BR', 'Trip')$$]) AS command :unaligned

-- From other ids of Unix time: milliseconds, 16 bits and the last 38 stay, country and entity are new.
SELECT id, uuid_to_iuid(id, 76, 165) AS iuid, uuid_time(uuid_to_iuid(id, 76, 165)) = uuid_boundary_time(id) AS same_time
FROM unnest('{018c22ac-d000-7abc-bfff-fedcba987654,018c22ac-d000-7abc-8000-000000000000,018c22ac-d000-4abc-bfff-ffffffffffff,
	01563e3a-b5d3-d676-4c61-efb99302bd5b,ffffffff-ffff-7fff-bfff-ffffffffffff,03ffffff-ffff-4fff-bfff-ffffffffffff,
	018c22ac-d000-0000-0000-000000000000}'::uuid[]) AS id;
SELECT country, entity, uuid_to_iuid('018c22ac-d000-7abc-b123-456789abcdef', country, entity) AS id,
	iuid_country(uuid_to_iuid('018c22ac-d000-7abc-b123-456789abcdef', country, entity)) AS country_back,
	iuid_service_entity(uuid_to_iuid('018c22ac-d000-7abc-b123-456789abcdef', country, entity)) AS entity_back
FROM (VALUES (0, 0), (0, 255), (255, 0), (255, 255), (85, 170)) AS v(country, entity);
SELECT command || E'\n' || error_of('SELECT ' || command) AS "command and error"
FROM unnest(
	ARRAY[$$uuid_to_iuid('04000000-0000-4fff-bfff-ffffffffffff', 76, 1)$$,
		$$uuid_to_iuid('1ec9414c-232a-6b00-b3c8-9f6bdeced846', 76, 1)$$,
	$$uuid_to_iuid('919108f7-52d1-4320-9bac-f847db4148a8', 76, 1)$$, $$uuid_to_iuid('ffffffff-ffff-ffff-ffff-ffffffffffff', 76, 1)$$,
	$$uuid_to_iuid('018c22ac-d000-7abc-b123-456789abcdef', 256, 1)$$,
	$$uuid_to_iuid('018c22ac-d000-7abc-b123-456789abcdef', 1, -1)$$,
	$$uuid_to_iuid('018c22ac-d000-7abc-b123-456789abcdef', 'BR', 'Trip')$$,
	$$gen_iuid_at(now(), 'BR', 'Trip')$$]) AS command :unaligned
-- ULIDs, which have no version behind their milliseconds, keep their order, too.
SELECT uuid_to_iuid('01900000-0000-0fff-8000-000000000000', 76, 1)
	< uuid_to_iuid('01900000-0000-1000-8000-000000000000', 76, 1) AS in_order;
-- Of ids made one after the other none becomes another's, and those of different ticks stay in order.
SELECT count(DISTINCT iuid) AS iuids,
	count(*) FILTER (
		WHERE left(id::text, 18) > left(previous_id::text, 18) AND iuid <= previous) AS out_of_order
FROM (
	SELECT n, id, uuid_to_iuid(id, 76, 1) AS iuid, lag(id) OVER made AS previous_id,
		lag(uuid_to_iuid(id, 76, 1)) OVER made AS previous
	FROM (SELECT n, gen_uuidv7() AS id FROM generate_series(1, 100000) AS n) AS v7 WINDOW made AS (ORDER BY n)) AS converted;
BEGIN;
INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil');
INSERT INTO iuid.service_entities VALUES (165, 'Trip');
SELECT uuid_to_iuid('018c22ac-d000-7abc-b123-456789abcdef', 'BR', 'Trip'),
	uuid_to_iuid('018c22ac-d000-7abc-b123-456789abcdef', 'Brazil', 'Trip') IN (
		uuid_to_iuid('018c22ac-d000-7abc-b123-456789abcdef', 76, 165)) AS same,
	left(gen_iuid_at('2023-12-01', 'BR', 'Trip')::text, 21) AS made_at;
ROLLBACK;

-- NULL gives NULL, before anything else is looked at.
CREATE FUNCTION is_null(expression text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
	result bool;
BEGIN
	EXECUTE 'SELECT (' || expression || ') IS NULL' INTO result;
	RETURN result;
END $$;
SELECT count(*) AS expressions, string_agg(expression, '; ') FILTER (WHERE is_null(expression) IS NOT true) AS not_null
FROM unnest(
	ARRAY['gen_iuid(NULL, 1)', 'gen_iuid(1, NULL)', 'gen_iuid(NULL, 256)', 'gen_iuid(NULL::int)',
		'gen_iuid(NULL::text)', $$gen_iuid('BR', NULL)$$,
	$$gen_iuid(NULL, 'Trip')$$, 'gen_iuid_at(NULL, 1, 1)', $$gen_iuid_at('infinity', NULL, 1)$$, 'gen_iuid_at(now(), 1, NULL)',
	$$gen_iuid_at(now(), NULL, 'Trip')$$, 'iuid_is_valid(NULL)', 'iuid_version(NULL)', 'iuid_country(NULL)',
	'iuid_service_entity(NULL)', 'iuid_boundary(NULL)',
	'uuid_to_iuid(NULL, 256, 1)', $$uuid_to_iuid('018c22ac-d000-7abc-b123-456789abcdef', NULL, 1)$$,
	$$uuid_to_iuid('018c22ac-d000-7abc-b123-456789abcdef', 'BR', NULL)$$]) AS expression;
DROP FUNCTION is_null;

DROP TABLE trips;

-- uidext.country: unset, set, for a while.
SELECT error_of('SELECT gen_iuid(1)') :unaligned
SET uidext.country = 76;
SELECT iuid_country(id), iuid_service_entity(id) FROM gen_iuid(3) AS id;
BEGIN;
SET LOCAL uidext.country = 82;
SELECT iuid_country(gen_iuid(3));
SAVEPOINT s;
SET uidext.country = 0;
SELECT iuid_country(gen_iuid(3));
ROLLBACK TO s;
SELECT iuid_country(gen_iuid(3));
COMMIT;
SELECT iuid_country(gen_iuid(3)), iuid_country(gen_iuid(255, 3)) AS as_told;
CREATE FUNCTION gen_abroad(entity int) RETURNS uuid LANGUAGE sql SET uidext.country = 255 RETURN gen_iuid(entity);
SELECT iuid_country(gen_abroad(3)), iuid_country(gen_iuid(3));
DROP FUNCTION gen_abroad;
SELECT error_of('SELECT gen_iuid(256)') :unaligned
SET uidext.country = -1;
SELECT error_of('SELECT gen_iuid(1)') :unaligned
RESET uidext.country;
SELECT error_of('SELECT gen_iuid(1)') :unaligned

-- Anyone may set it.
CREATE ROLE regress_uidext_driver;
SET ROLE regress_uidext_driver;
SET uidext.country = 9;
SELECT iuid_country(gen_iuid(3));
RESET ROLE;
DROP ROLE regress_uidext_driver;

-- A region's schema does not name its country: the database does, or a role.
SELECT current_database() AS db \gset
ALTER DATABASE :"db" SET uidext.country = 82;
\c
SELECT iuid_country(gen_iuid(3));
SET uidext.country = 5;
SELECT iuid_country(gen_iuid(3));
RESET uidext.country;
SELECT iuid_country(gen_iuid(3));
ALTER ROLE CURRENT_USER SET uidext.country = 76;
\c
SELECT iuid_country(gen_iuid(3));
ALTER ROLE CURRENT_USER IN DATABASE :"db" SET uidext.country = 56;
\c
SHOW uidext.country;
SELECT iuid_country(gen_iuid(3));
ALTER ROLE CURRENT_USER IN DATABASE :"db" RESET uidext.country;
ALTER ROLE CURRENT_USER RESET uidext.country;
ALTER DATABASE :"db" RESET uidext.country;
\c
SELECT error_of('SELECT gen_iuid(3)') :unaligned

DROP FUNCTION error_of;
