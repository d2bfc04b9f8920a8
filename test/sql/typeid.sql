-- TypeIDs: which text has a UUID, which UUID a text, also as the specification has them, and what is refused?
\set SHOW_CONTEXT never

-- The valid cases of the specification, both ways
CREATE TABLE valid (name text, typeid text, prefix text, uuid uuid);
INSERT INTO valid VALUES
	('nil', '00000000000000000000000000', '', '00000000-0000-0000-0000-000000000000'),
	('one', '00000000000000000000000001', '', '00000000-0000-0000-0000-000000000001'),
	('ten', '0000000000000000000000000a', '', '00000000-0000-0000-0000-00000000000a'),
	('sixteen', '0000000000000000000000000g', '', '00000000-0000-0000-0000-000000000010'),
	('thirty-two', '00000000000000000000000010', '', '00000000-0000-0000-0000-000000000020'),
	('max-valid', '7zzzzzzzzzzzzzzzzzzzzzzzzz', '', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
	('valid-alphabet', 'prefix_0123456789abcdefghjkmnpqrs', 'prefix', '0110c853-1d09-52d8-d73e-1194e95b5f19'),
	('valid-uuidv7', 'prefix_01h455vb4pex5vsknk084sn02q', 'prefix', '01890a5d-ac96-774b-bcce-b302099a8057'),
	('prefix-underscore', 'pre_fix_00000000000000000000000000', 'pre_fix', '00000000-0000-0000-0000-000000000000');
SELECT name,
	uuid_to_typeid(uuid, prefix) = typeid AS written,
	typeid_to_uuid(typeid) = uuid AS read,
	typeid_to_uuid(typeid, prefix) = uuid AS asked,
	typeid_prefix(typeid) = prefix AS prefix
FROM valid;
DROP TABLE valid;

-- Its invalid cases, and others
CREATE FUNCTION outcome(typeid text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	PERFORM typeid_to_uuid(typeid);
	RETURN 'accepted';
EXCEPTION
	WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
		RETURN SQLSTATE || ' ' || detail;
END
$$;
SELECT name, outcome(typeid)
FROM (VALUES
	('prefix-uppercase', 'PREFIX_00000000000000000000000000'),
	('prefix-numeric', '12345_00000000000000000000000000'),
	('prefix-period', 'pre.fix_00000000000000000000000000'),
	('prefix-non-ascii', 'préfix_00000000000000000000000000'),
	('prefix-spaces', '  prefix_00000000000000000000000000'),
	('prefix-64-chars', 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl_00000000000000000000000000'),
	('separator-empty-prefix', '_00000000000000000000000000'),
	('separator-empty', '_'),
	('suffix-short', 'prefix_1234567890123456789012345'),
	('suffix-long', 'prefix_123456789012345678901234567'),
	('suffix-spaces', 'prefix_1234567890123456789012345 '),
	('suffix-uppercase', 'prefix_0123456789ABCDEFGHJKMNPQRS'),
	('suffix-hyphens', 'prefix_123456789-123456789-123456'),
	('suffix-wrong-alphabet', 'prefix_ooooooiiiiiiuuuuuuulllllll'),
	('suffix-ambiguous-crockford', 'prefix_i23456789ol23456789oi23456'),
	('suffix-hyphens-crockford', 'prefix_123456789-0123456789-0123456'),
	('suffix-overflow', 'prefix_8zzzzzzzzzzzzzzzzzzzzzzzzz'),
	('prefix-underscore-start', '_prefix_00000000000000000000000000'),
	('prefix-underscore-end', 'prefix__00000000000000000000000000'),
	('empty', ''),
	('prefix-empty', 'prefix_'),
	('no suffix', 'user'),
	('a uuid', '01890a5d-ac96-774b-bcce-b302099a8057'),
	('suffix not ascii', 'user_0000000000000000000000000é'),
	('long', repeat('a', 100000))) AS v(name, typeid);
DROP FUNCTION outcome;

-- Prefixes: the longest, and what may not be one
SELECT typeid_prefix(uuid_to_typeid(gen_uuidv7(), repeat('a', 63))) = repeat('a', 63) AS longest,
	typeid_prefix(uuid_to_typeid(gen_uuidv7(), 'a')),
	typeid_prefix(uuid_to_typeid(gen_uuidv7(), 'a__b'));
SELECT uuid_to_typeid(gen_uuidv7(), repeat('a', 64));
SELECT uuid_to_typeid(gen_uuidv7(), 'User');
SELECT uuid_to_typeid(gen_uuidv7(), 'user_');
SELECT uuid_to_typeid(gen_uuidv7(), '_');
SELECT uuid_to_typeid(gen_uuidv7(), 'usér');

-- Another prefix than asked for; none is one to ask for
SELECT typeid_to_uuid('user_01h455vb4pex5vsknk084sn02q', 'account');
SELECT typeid_to_uuid('user_01h455vb4pex5vsknk084sn02q', 'use');
SELECT typeid_to_uuid('user_01h455vb4pex5vsknk084sn02q', '');
SELECT typeid_to_uuid('01h455vb4pex5vsknk084sn02q', 'user');
SELECT typeid_to_uuid('01h455vb4pex5vsknk084sn02q', ''), typeid_to_uuid('01h455vb4pex5vsknk084sn02q', NULL);
\set VERBOSITY sqlstate
SELECT typeid_to_uuid('user_01h455vb4pex5vsknk084sn02q', 'account');
SELECT typeid_to_uuid('user_01h455vb4pex5vsknk084sn02', 'account');
SELECT uuid_to_typeid(gen_uuidv7(), '_');
\set VERBOSITY default
SELECT typeid_to_uuid(NULL) IS NULL AND typeid_to_uuid(NULL, 'user') IS NULL AND typeid_prefix(NULL) IS NULL AS null_of_no_typeid,
	uuid_to_typeid(NULL, 'user') IS NULL AS null_of_no_uuid, uuid_to_typeid(gen_uuidv7(), NULL) IS NULL AS null_of_no_prefix;

-- A look-up uses the primary key
CREATE TABLE users (id uuid PRIMARY KEY);
INSERT INTO users SELECT gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 s') FROM generate_series(1, 1000) AS n;
ANALYZE users;
EXPLAIN (COSTS OFF) SELECT FROM users WHERE id = typeid_to_uuid('user_01h455vb4pex5vsknk084sn02q', 'user');
PREPARE by_typeid (text) AS SELECT count(*) AS users FROM users WHERE id = typeid_to_uuid($1, 'user');
SELECT uuid_to_typeid(id, 'user') AS typeid FROM users LIMIT 1 OFFSET 500 \gset
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE by_typeid ('');
EXECUTE by_typeid (:'typeid');
RESET plan_cache_mode;
DROP TABLE users;
