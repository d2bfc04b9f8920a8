-- UUIDs as ULIDs, and back: which ULID has a UUID, and which text is read as one?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

-- Known pairs: the specification's example, least, greatest, where each byte goes
SELECT uuid_to_ulid(id) AS ulid, ulid_to_uuid(uuid_to_ulid(id)) = id AS back
FROM unnest(ARRAY['01563e3a-b5d3-d676-4c61-efb99302bd5b', '00000000-0000-0000-0000-000000000000',
	'ffffffff-ffff-ffff-ffff-ffffffffffff', '00010203-0405-0607-0809-0a0b0c0d0e0f']::uuid[]) AS id;
SELECT ulid_to_uuid('01ARZ3NDEKTSV4RRFFQ69G5FAV'), ulid_to_uuid('7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
SELECT uuid_boundary_time(ulid_to_uuid('01ARZ3NDEKTSV4RRFFQ69G5FAV')),
	uuid_boundary_time(ulid_to_uuid('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'));

-- Lower case, and letters that look like digits
SELECT ulid_to_uuid('01arz3ndektsv4rrffq69g5fav'), uuid_to_ulid(ulid_to_uuid('ILOilo00000000000000000000'));

-- Ids of every kind go there and back, and sort as they did
CREATE TABLE ids AS
	SELECT md5(n::text)::uuid AS id FROM generate_series(1, 10000) AS n
	UNION ALL
	SELECT uuid_boundary(timestamptz '2026-01-01' + n * interval '1 ms') FROM generate_series(1, 1000) AS n;
SELECT count(*) AS ids, count(*) FILTER (WHERE ulid_to_uuid(uuid_to_ulid(id)) = id) AS back,
	count(*) FILTER (WHERE ulid_to_uuid(lower(uuid_to_ulid(id)::text)) = id) AS back_from_lower_case,
	count(*) FILTER (WHERE uuid_to_ulid(id)::text ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$') AS canonical,
	array_agg(id ORDER BY id) = array_agg(id ORDER BY uuid_to_ulid(id)) AS same_order,
	array_agg(id ORDER BY id) = array_agg(id ORDER BY uuid_to_ulid(id)::text COLLATE "C") AS same_order_of_text
FROM ids;
DROP TABLE ids;

-- A ulid it is: it goes into a column of this type, also as its default, is compared
-- with one, and ulid_to_uuid() takes one; the default is written the same in both editions
SELECT pg_typeof(uuid_to_ulid('01563e3a-b5d3-d676-4c61-efb99302bd5b')), pg_typeof(ulid_to_uuid(gen_ulid()));
CREATE TABLE keys (id ulid DEFAULT uuid_to_ulid(gen_uuidv7()), n int);
INSERT INTO keys SELECT uuid_to_ulid(id), 1 FROM unnest('{01563e3a-b5d3-d676-4c61-efb99302bd5b}'::uuid[]) AS id;
INSERT INTO keys (n) VALUES (2);
SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'keys'::regclass;
SELECT n FROM keys WHERE id = uuid_to_ulid('01563e3a-b5d3-d676-4c61-efb99302bd5b');
SELECT n FROM keys JOIN unnest('{01563e3a-b5d3-d676-4c61-efb99302bd5b}'::uuid[]) AS u ON id = uuid_to_ulid(u);
SELECT n, uuidv7_is_valid(ulid_to_uuid(id)) AS v7, uuid_to_ulid(ulid_to_uuid(id)) = id AS back FROM keys ORDER BY id;
SELECT uuid_boundary_time(ulid_to_uuid(gen_ulid_at('2026-01-01 00:00+00')));
DROP TABLE keys;

-- What has no type is a text, and so is what a driver calls varchar
PREPARE plain AS SELECT ulid_to_uuid($1);
PREPARE as_varchar (varchar) AS SELECT ulid_to_uuid($1);
SELECT name, parameter_types FROM pg_prepared_statements ORDER BY name;
EXECUTE plain ('01arz3ndektsv4rrffq69g5fav');
EXECUTE as_varchar ('01arz3ndektsv4rrffq69g5fav');
SELECT ulid_to_uuid(ulid => '01arz3ndektsv4rrffq69g5fav'), ulid_to_uuid(ulid => gen_ulid()) IS NOT NULL AS by_name;
DEALLOCATE ALL;

-- Another length
SELECT ulid_to_uuid('');
SELECT ulid_to_uuid('01ARZ3NDEKTSV4RRFFQ69G5FA');
SELECT ulid_to_uuid('01ARZ3NDEKTSV4RRFFQ69G5FAV0');
SELECT ulid_to_uuid('01563e3a-b5d3-d676-4c61-efb99302bd5b');
SELECT ulid_to_uuid(repeat('0', 25) || 'é');
SELECT ulid_to_uuid(repeat('0', 24) || 'é');
SELECT ulid_to_uuid(repeat('é', 13));
SELECT ulid_to_uuid('01ARZ3ND EKTSV4RRFFQ69G5FAV');

-- Characters that are no digits
SELECT ulid_to_uuid('01ARZ3NDEKTSV4RRFFQ69G5FAU');
SELECT ulid_to_uuid('01ARZ3NDEK-SV4RRFFQ69G5FAV');
SELECT ulid_to_uuid(' 1ARZ3NDEKTSV4RRFFQ69G5FAV');
SELECT ulid_to_uuid('01ARZ3NDEKTSV4RRFFQ69G5FA ');
SELECT ulid_to_uuid('01ARZ3NDEKTSV4RRFFQ€9G5FAV');
SELECT ulid_to_uuid('U1ARZ3NDEKTSV4RRFFQ69G5FA€');

-- More than 128 bits
SELECT ulid_to_uuid('8ZZZZZZZZZZZZZZZZZZZZZZZZZ');
SELECT ulid_to_uuid('80000000000000000000000000');
SELECT ulid_to_uuid('zzzzzzzzzzzzzzzzzzzzzzzzzz');
SELECT ulid_to_uuid('8000000000000000000000000!');

-- The state of each is that of uuid's own input
\set VERBOSITY sqlstate
SELECT ulid_to_uuid('0');
SELECT ulid_to_uuid(repeat('u', 26));
SELECT ulid_to_uuid(repeat('z', 26));
SELECT 'z'::uuid;
\set VERBOSITY default

-- Stored text of every kind is read: short and long headers, compressed, out of line
CREATE TABLE ulids (ulid text);
ALTER TABLE ulids ALTER COLUMN ulid SET STORAGE EXTERNAL;
INSERT INTO ulids VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV');
SELECT ulid_to_uuid(ulid), ulid_to_uuid(ulid || '') = ulid_to_uuid(ulid) AS same FROM ulids;
SELECT ulid_to_uuid(ulid::char(26)), ulid_to_uuid(ulid::varchar) FROM ulids;
INSERT INTO ulids VALUES (repeat('0', 100000));
CREATE FUNCTION detail(ulid text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	PERFORM ulid_to_uuid(ulid);
	RETURN 'accepted';
EXCEPTION
	WHEN invalid_text_representation THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
		RETURN detail;
END
$$;
SELECT length(ulid), detail(ulid) FROM ulids;
ALTER TABLE ulids ALTER COLUMN ulid SET STORAGE EXTENDED;
UPDATE ulids SET ulid = ulid || '0';
SELECT length(ulid), detail(ulid) FROM ulids;

-- A period of ids that are texts, exactly, and as an index reads it
SELECT period, array_agg(n ORDER BY n) FILTER (WHERE ulid_to_uuid(id) <@ period) AS exact,
	array_agg(n ORDER BY n) FILTER (
		WHERE NOT isempty(period)
			AND id >= coalesce(lower(period), '-infinity')
			AND id < coalesce(upper(period), 'infinity')) AS by_index
FROM (VALUES (1, ulid_boundary('2026-01-01')), (2, ulid_boundary('2026-02-01')), (3, ulid_boundary('2026-03-01'))) AS i(n, id),
	unnest('{"[2026-01-01,2026-02-01)","[2026-02-01,)","(,2026-02-01)","(,)",empty}'::tstzrange[]) AS period
GROUP BY period ORDER BY period;

-- NULL in, NULL out
SELECT uuid_to_ulid(NULL) IS NULL AS null_ulid, ulid_to_uuid(NULL) IS NULL AS null_uuid;

DROP FUNCTION detail;
DROP TABLE ulids;
