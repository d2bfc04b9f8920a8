-- Ids as people and programs write them: which does uid_inspect() read, and which not?
\getenv test PG_ABS_SRCDIR
\i :test/include/preamble.sql

-- Each is the same id.  What is not ASCII stands here by its code point.
SELECT pasted, coalesce(i.scheme || ' ' || i.uuid, 'none') AS read_as
FROM unnest(ARRAY[
	'C232AB00-9414-11EC-B3C8-9F6BDECED846',
	'{c232ab00-9414-11ec-b3c8-9f6bdeced846}',
	'{C232AB00-9414-11EC-B3C8-9F6BDECED846}',
	'(c232ab00-9414-11ec-b3c8-9f6bdeced846)',
	'urn:uuid:c232ab00-9414-11ec-b3c8-9f6bdeced846',
	'URN:UUID:C232AB00-9414-11EC-B3C8-9F6BDECED846',
	'Urn:Uuid:c232ab00-9414-11ec-b3c8-9f6bdeced846',
	'c232ab00941411ecb3c89f6bdeced846', 'c232-ab00-9414-11ec-b3c8-9f6b-dece-d846',
	'0xc232ab00941411ecb3c89f6bdeced846', '0XC232AB00941411ECB3C89F6BDECED846',
	E'\\xc232ab00941411ecb3c89f6bdeced846',
	'UUID("c232ab00-9414-11ec-b3c8-9f6bdeced846")',
	'UUID(''c232ab00-9414-11ec-b3c8-9f6bdeced846'')',
	'new Guid("{c232ab00-9414-11ec-b3c8-9f6bdeced846}")',
	'uuid.UUID( "c232ab00-9414-11ec-b3c8-9f6bdeced846" )',
	'BinData(4, "wjKrAJQUEeyzyJ9r3s7YRg==")',
	'{"$uuid": "c232ab00-9414-11ec-b3c8-9f6bdeced846"}',
	'{ id : ''c232ab00-9414-11ec-b3c8-9f6bdeced846'' }',
	'''c232ab00-9414-11ec-b3c8-9f6bdeced846''::uuid',
	'uuid ''c232ab00-9414-11ec-b3c8-9f6bdeced846''',
	'X''C232AB00941411ECB3C89F6BDECED846''', '"c232ab00-9414-11ec-b3c8-9f6bdeced846",', '["c232ab00-9414-11ec-b3c8-9f6bdeced846"];',
	'`c232ab00-9414-11ec-b3c8-9f6bdeced846`',
	'<c232ab00-9414-11ec-b3c8-9f6bdeced846>',
	E' \t c232ab00-9414-11ec-b3c8-9f6bdeced846\r\n',
	E' \t"c232ab00-9414-11ec-b3c8-9f6bdeced846"\n',
	'wjKrAJQUEeyzyJ9r3s7YRg==', 'wjKrAJQUEeyzyJ9r3s7YRg', '"wjKrAJQUEeyzyJ9r3s7YRg=="',
	U&'\FEFFc232ab00-9414-11ec-b3c8-9f6bdeced846',
	U&'\200Bc232ab00-9414\200D-11ec-b3c8\2060-9f6bdeced846\200E',
	U&'c232ab00-\00AD9414-11ec-b3c8-9f6bdeced846',
	U&'\00A0c232ab00-9414-11ec-b3c8-9f6bdeced846\00A0', U&'\202F\3000c232ab00-9414-11ec-b3c8-9f6bdeced846\2009',
	U&'\201Cc232ab00-9414-11ec-b3c8-9f6bdeced846\201D',
	U&'\00ABc232ab00-9414-11ec-b3c8-9f6bdeced846\00BB',
	U&'c232ab00\20139414\201011ec\2011b3c8\22129f6bdeced846']) WITH ORDINALITY AS p (id, n)
	LEFT JOIN LATERAL (SELECT * FROM uid_inspect(id) LIMIT 1) AS i ON true,
	LATERAL (SELECT regexp_replace(id, '[^ -~]', '.', 'g') AS pasted) AS q
ORDER BY n;

-- base64 of both alphabets, and numbers in hex without their first zeros
SELECT id, i.scheme, i."time", i.uuid
FROM unnest(
	'{AZHwwaI7fe+BI0Vniav/7w==,AZHwwaI7fe-BI0Vniav_7w==,AZHwwaI7fe+BI0Vniav/7w,AZHwwaI7fe-BI0Vniav_7w,
		0x191f0c1a23b7def81234567890abcde,0x0191f0c1a23b7def81234567890abcde,0x2710516e1c00007,
		0x02710516e1c00007}'::text[])
	AS id
	LEFT JOIN LATERAL (SELECT * FROM uid_inspect(id) LIMIT 1) AS i ON true;

-- Ids of other schemes
SELECT id, i.scheme, i."time"
FROM unnest(ARRAY['ObjectId("507f1f77bcf86cd799439011")', 'ObjectID(''507f1f77bcf86cd799439011'')',
	'{"$oid": "507f1f77bcf86cd799439011"}', '0x507f1f77bcf86cd799439011', '''507f1f77bcf86cd799439011''',
	'NumberLong("175928847299117063")', '{"$numberLong": "175928847299117063"}', '175928847299117063,', '"-JhLeOlGIEjaIOFHR0xd"',
	'(01ARZ3NDEKTSV4RRFFQ69G5FAV)', 'TypeID("user_01h455vb4pex5vsknk084sn02q")']) AS id
	LEFT JOIN LATERAL (SELECT * FROM uid_inspect(id) LIMIT 1) AS i ON true;

-- None
SELECT id, i.scheme
	FROM unnest(ARRAY['()', 'UUID()', 'ObjectId("")', '{"$oid": }', '"', '''', '==', '0x', '0x:', '%342%200%213', '::uuid',
	'(c232ab00-9414-11ec-b3c8-9f6bdeced846', 'c232ab00-9414-11ec-b3c8-9f6bdeced846)',
	'{{c232ab00-9414-11ec-b3c8-9f6bdeced846}}', 'c232ab00 9414 11ec b3c8 9f6bdeced846',
	U&'\00E9c232ab00-9414-11ec-b3c8-9f6bdeced846', U&'\FEFF', U&'\200B', '', 'x', '-1', '{}', 'héllo',
	'not an id', 'c232ab00-9414-11ec-b3c8-9f6bdeced84',
	'c2-32ab00941411ecb3c89f6bdeced846',
	'-c232ab00-9414-11ec-b3c8-9f6bdeced846',
	'{c232ab00-9414-11ec-b3c8-9f6bdeced846']) AS id,
	uid_inspect(id) AS i;
