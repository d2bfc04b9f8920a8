-- Of which schemes may an id of unknown origin be?  uid_inspect() names the most plausible first.
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

-- A number, an xid and UUIDs; in 2028 sonyflake2 will be more plausible
SELECT scheme, "time", fields, uuid FROM uid_inspect('175928847299117063') WHERE scheme <> 'sonyflake2';
SELECT scheme, "time", fields, uuid FROM uid_inspect('9m4e2mr0ui3e8a215n4g');
SELECT scheme, "time", fields, uuid FROM uid_inspect('e25afe33-db2d-4502-9bf0-919001862cc4') :unaligned
SELECT scheme, "time", uuid FROM uid_inspect('019535d9-3df7-79fb-b466-fa907fa17f9e');
SELECT fields - 'fields' = jsonb_strip_nulls(to_jsonb(uuid_inspect(uuid))) - 'time' AS as_uuid_inspect_says
	FROM uid_inspect('1ec9414c-232a-6b00-b3c8-9f6bdeced846') WHERE scheme = 'uuid';

-- Prefixes and encodings of a UUID
SELECT id, (SELECT scheme || ' ' || uuid || ' ' || fields FROM uid_inspect(id) LIMIT 1) AS read_as FROM unnest(ARRAY[
	'user_01h455vb4pex5vsknk084sn02q', uuid_encode('019535d9-3df7-79fb-b466-fa907fa17f9e', 'base58'),
	uuid_encode('019535d9-3df7-79fb-b466-fa907fa17f9e', 'base62'),
	uuid_encode('019535d9-3df7-79fb-b466-fa907fa17f9e', 'base64url'),
	uuid_encode('019535d9-3df7-79fb-b466-fa907fa17f9e', 'base32hex')]) AS id :unaligned
SELECT count(*) AS readings_of_what_is_almost_so
	FROM unnest(ARRAY[repeat('z', 22), 'User_01h455vb4pex5vsknk084sn02q', 'user_81h455vb4pex5vsknk084sn02q',
	'_01h455vb4pex5vsknk084sn02q', repeat('~', 22)]) AS id, uid_inspect(id);

-- As SQL Server prints a v1, and MySQL stores one: first.  As it is: first
SELECT id, n, scheme, "time", uuid, fields ->> 'swapped_by' AS swapped_by, fields ->> 'count_100ns' AS count_100ns
FROM unnest(
	'{B9586BD7-2062-E111-B36C-CC52AFC9F2ED,0x11EC9414C232AB00B3C89F6BDECED846,
		d76b58b9-6220-11e1-b36c-cc52afc9f2ed}'::text[])
	AS id,
	LATERAL (
		SELECT *
		FROM uid_inspect(id) WITH ORDINALITY AS i(scheme, "time", fields, uuid, n)
		WHERE scheme = 'uuid') AS i
	ORDER BY id COLLATE "C", n;

-- A v4 in whose bits a time is found stays one
SELECT scheme, "time", uuid, fields ->> 'swapped_by' AS swapped_by
FROM uid_inspect('e2227f01-b079-4c73-98c4-dc0c0c07398f')
WHERE scheme = 'uuid';

-- A UUIDv7 that was made in another layout: that reading first.  One that was not has no other
SELECT id, n, scheme, "time", uuid
	FROM unnest(
		'{065e5a96-172c-771e-8000-bbac546447e1,8196f946-5678-7ac0-a594-fe51da68ec69,
			0196f946-5678-7ac0-a594-fe51da68ec69}'::text[])
		AS id,
	LATERAL (
		SELECT *
		FROM uid_inspect(id) WITH ORDINALITY AS i(scheme, "time", fields, uuid, n)
		WHERE scheme ~ 'uuid') AS i
	ORDER BY id COLLATE "C", n;
-- mended it is one as others, of the same time
SELECT scheme, mended, uuid_time(mended) = date_trunc('milliseconds', uid_time(id, scheme)) AS same_time,
	(SELECT i.scheme FROM uid_inspect(mended::text) AS i LIMIT 1) AS read_as
FROM (VALUES ('draftuuidv7', '065e5a96-172c-771e-8000-bbac546447e1'), ('duckdbuuidv7', '8196f946-5678-7ac0-a594-fe51da68ec69'),
		('abpguid', '3a0f5b7c-1234-5678-9abc-def012345678')) AS known(scheme, id),
	LATERAL (SELECT uid_to_uuid(id, scheme) AS mended) AS m;

-- Entity Framework counts on, and SQL Server sorts by that
SELECT every(uuid_from_sqlserver(id) ~<~ uuid_from_sqlserver(later)) AS in_order,
	every(uid_time(later::text, 'efguid') - uid_time(id::text, 'efguid') = interval '0.5 s') AS in_time
FROM (SELECT id, lead(id) OVER (ORDER BY n) AS later
	FROM generate_series(1, 100) AS n, to_hex(638451398721940030 + n * 5000000) AS ticks,
		LATERAL (SELECT (md5(n::text)::uuid::text) AS random) AS r,
		LATERAL (
			SELECT (
				left(random, 14) || '4' || substr(random, 16, 4) || right(ticks, 4) || '-0'
					|| left(ticks, 11))::uuid AS id) AS i) AS pairs
WHERE later IS NOT NULL;

-- An id of a scheme's first day is less plausible than none
SELECT scheme, "time" FROM uid_inspect('42');
