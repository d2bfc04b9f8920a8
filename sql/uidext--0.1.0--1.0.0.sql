-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION uidext UPDATE" to load this file. \quit

-- What lies by the former hash

SET LOCAL search_path = pg_catalog, pg_temp;

-- The hash of an iUID had one value a country, in the middle of the 2^24 that a
-- country has now.  PARTITION BY HASH goes by another one, which is the same.
-- For Citus, a shard whose range ends within a country's has rows that it would
-- not look for there any more.
DO $$
DECLARE
	split_tables text;
BEGIN
	IF to_regclass('pg_catalog.pg_dist_shard') IS NULL THEN
		RETURN;
	END IF;
	-- not planned where there is no Citus
	EXECUTE $query$
		WITH RECURSIVE iuids(type) AS (
			SELECT $1::oid
			UNION
			SELECT t.oid FROM iuids i JOIN pg_type t ON t.typbasetype = i.type
		)
		SELECT string_agg(DISTINCT s.logicalrelid::text, ', ')
		FROM pg_dist_shard s
			JOIN pg_dist_partition p USING (logicalrelid)
			JOIN pg_attribute a ON a.attrelid = p.logicalrelid
				AND a.attname = column_to_column_name(p.logicalrelid::oid, p.partkey)
		WHERE p.partmethod = 'h' AND a.atttypid IN (TABLE iuids) AND s.shardminvalue::int8 & 16777215::int8 <> 0$query$
	INTO split_tables
	USING '@extschema@.iuid'::regtype;
	IF split_tables IS NOT NULL THEN
		RAISE EXCEPTION 'tables distributed by an iuid have shards that end within a country: %', split_tables
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'The hash of an iUID spreads a country over 2^24 values now; its rows would be looked for in other shards.',
				HINT = 'SELECT undistribute_table(...) for each of them, ALTER EXTENSION uidext UPDATE, then distribute them again.';
	END IF;
END $$;

CREATE OR REPLACE FUNCTION uidext_internal.iuid_country_hash(id uuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_iuid_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE OR REPLACE FUNCTION uidext_internal.iuid_country_hash(id @extschema@.iuid) RETURNS int
	AS 'MODULE_PATHNAME', 'uidext_iuid_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE OR REPLACE FUNCTION uidext_internal.iuid_country_hash_extended(id uuid, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_iuid_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE OR REPLACE FUNCTION uidext_internal.iuid_country_hash_extended(id @extschema@.iuid, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_iuid_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

-- Arrays and the like have the hash of their elements by the cache of types, which
-- keeps a function as long as its OID stays: another one for a moment, and it is
-- looked up again, in this session.
DO $$
DECLARE
	own_hash regprocedure := 'uidext_internal.iuid_country_hash(@extschema@.iuid)';
	hash regprocedure;
	element regtype;
BEGIN
	FOREACH hash IN ARRAY ARRAY['pg_catalog.uuid_hash(uuid)', own_hash]::regprocedure[] LOOP
		UPDATE pg_amproc SET amproc = hash
		WHERE amprocfamily = (SELECT oid FROM pg_opfamily WHERE opfname = 'iuid_country_ops' AND opfnamespace = '@extschema@'::regnamespace)
			AND amproclefttype = '@extschema@.iuid'::regtype AND amprocnum = 1;
		UPDATE pg_opclass SET opcname = opcname WHERE opcintype = '@extschema@.iuid'::regtype;
		FOR element IN
			WITH RECURSIVE iuids(type) AS (
				SELECT '@extschema@.iuid'::regtype::oid
				UNION
				SELECT t.oid FROM iuids i JOIN pg_type t ON t.typbasetype = i.type
			)
			SELECT t.oid FROM pg_type t WHERE t.oid IN (TABLE iuids) AND t.typarray <> 0
		LOOP
			EXECUTE format('SELECT pg_catalog.hash_array(ARRAY[]::%s[])', element);
		END LOOP;
	END LOOP;
END $$;

-- Hash indexes are built anew, over whatever has an iUID in it.  Whoever has one
-- open has looked up the former function: an UPDATE of its row, which changes
-- nothing, has it looked up again.
DO $$
DECLARE
	hash_index regclass;
	is_others bool;
BEGIN
	FOR hash_index, is_others IN
		WITH RECURSIVE parts(whole, part) AS (
			SELECT oid, typelem FROM pg_type WHERE typelem <> 0
			UNION ALL
			SELECT oid, typbasetype FROM pg_type WHERE typbasetype <> 0
			UNION ALL
			SELECT c.reltype, a.atttypid FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped WHERE c.reltype <> 0
			UNION ALL
			SELECT rngtypid, rngsubtype FROM pg_range
			UNION ALL
			SELECT rngmultitypid, rngtypid FROM pg_range
		), holders(type) AS (
			SELECT '@extschema@.iuid'::regtype::oid
			UNION
			SELECT p.whole FROM holders h JOIN parts p ON p.part = h.type
		)
		SELECT i.indexrelid, pg_is_other_temp_schema(c.relnamespace)
		FROM pg_index i
			JOIN pg_class c ON c.oid = i.indexrelid
			JOIN pg_am m ON m.oid = c.relam AND m.amname = 'hash'
			JOIN pg_opclass o ON o.oid = i.indclass[0]
			JOIN pg_opfamily f ON f.oid = o.opcfamily
			-- an expression's type is not told: it may be any of those that its class takes
			LEFT JOIN pg_attribute a ON (a.attrelid, a.attnum) = (i.indrelid, i.indkey[0]) AND a.attnum <> 0
		WHERE c.relkind = 'i'
			AND (f.opfname = 'iuid_country_ops' AND f.opfnamespace = '@extschema@'::regnamespace
				OR o.opcintype IN ('anyarray'::regtype, 'record'::regtype, 'anyrange'::regtype, 'anymultirange'::regtype)
					AND coalesce(a.atttypid IN (TABLE holders), true))
		ORDER BY i.indexrelid
	LOOP
		IF is_others THEN
			RAISE WARNING 'hash index % of another session''s temporary table has the former hash of iUIDs', hash_index
				USING HINT = 'REINDEX it in that session, or end the session.';
			CONTINUE;
		END IF;
		RAISE WARNING 'building hash index % again: the hash of iUIDs has changed', hash_index;
		UPDATE pg_class SET relname = relname WHERE oid = hash_index;
		EXECUTE format('REINDEX INDEX %s', hash_index);
	END LOOP;
END $$;

SET LOCAL search_path = @extschema@, pg_temp;

-- Operators and classes

DROP OPERATOR CLASS uidext_internal.iuid_hash_ops USING hash;

-- Columns: later ones come last

ALTER TABLE iuid_service_entities ADD service text, ADD entity text, ADD UNIQUE (service, entity);
ALTER TABLE iuid_routes ADD region text;
ALTER TYPE uuid_info ADD ATTRIBUTE count_100ns bigint CASCADE, ADD ATTRIBUTE swapped_by text CASCADE, ADD ATTRIBUTE unswapped uuid CASCADE;
ALTER TYPE iuid_info ADD ATTRIBUTE service text CASCADE, ADD ATTRIBUTE entity text CASCADE, ADD ATTRIBUTE region text CASCADE;

-- Names: what uses them goes on

ALTER FUNCTION ordered_uuid_time(uuid) RENAME TO laravel_uuid_time;
ALTER FUNCTION ordered_uuid_to_v7(uuid) RENAME TO laravel_uuid_to_v7;
ALTER FUNCTION uid_to_bigint(uuid, text) RENAME TO uid_bigint_from_uuid;

-- Casts

-- what uses the cast keeps its function
ALTER FUNCTION uidext_internal.uuid_to_iuid(uuid) RENAME TO uuid_as_iuid;
DROP CAST (iuid AS timestamptz);

-- Operators whose arguments are of other types, which are the same bits: what uses
-- them goes on

CREATE DOMAIN uidext_internal.period AS tstzrange;
CREATE DOMAIN uidext_internal.periods AS tstzmultirange;

SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
DECLARE
	base regtype;
	domain regtype;
	routine oid;
	operator oid;
BEGIN
	FOR base, domain IN
		VALUES ('tstzrange', 'uidext_internal.period'), ('tstzmultirange', 'uidext_internal.periods')
	LOOP
		FOR routine, operator IN
			SELECT p.oid, o.oid
			FROM pg_operator o
				JOIN pg_depend d ON d.classid = 'pg_operator'::regclass AND d.objid = o.oid AND d.deptype = 'e'
					AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uidext')
				JOIN pg_proc p ON p.oid = o.oprcode
			WHERE base IN (o.oprleft, o.oprright)
		LOOP
			UPDATE pg_proc SET proargtypes = array_to_string(array_replace(proargtypes::oid[], base::oid, domain::oid), ' ')::oidvector
			WHERE oid = routine;
			UPDATE pg_operator SET
				oprleft = CASE oprleft WHEN base THEN domain ELSE oprleft END,
				oprright = CASE oprright WHEN base THEN domain ELSE oprright END
			WHERE oid = operator;
			INSERT INTO pg_depend (classid, objid, objsubid, refclassid, refobjid, refobjsubid, deptype)
			SELECT classid, objid, 0, 'pg_type'::regclass, domain, 0, 'n'
			FROM (VALUES ('pg_proc'::regclass, routine), ('pg_operator'::regclass, operator)) AS users(classid, objid);
		END LOOP;
	END LOOP;
END $$;

-- What users have granted and revoked, for the end

SET LOCAL search_path = pg_catalog, pg_temp;

SELECT set_config('uidext_update.granted',
	coalesce(json_agg(json_build_object('oid', p.oid, 'name', p.proname, 'acl', p.proacl::text))::text, '[]'), true)
FROM pg_proc p
	JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
		AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uidext')
WHERE p.proacl IS NOT NULL AND p.pronamespace = '@extschema@'::regnamespace;

SET LOCAL search_path = @extschema@, pg_temp;

-- Everything that an install script makes and that is not there, or not alike

COMMENT ON FUNCTION gen_uuidv1() IS
	'new UUIDv1: Gregorian time in 100 ns, random clock sequence and node (61 bits), or those of the setting uidext.node; its time never steps back within a session';
COMMENT ON FUNCTION gen_uuidv6() IS
	'new UUIDv6: Gregorian time in 100 ns, random clock sequence and node (61 bits), or those of the setting uidext.node; greater than every earlier one of the session';
COMMENT ON FUNCTION gen_uuidv13() IS
	'new Lambert v13 (a UUIDv1 with its timestamp in order): Gregorian time in 100 ns, random clock sequence and node (61 bits), or those of the setting uidext.node; greater than every earlier one of the session';
COMMENT ON TYPE iuid IS
	'an iUID of layout version 0, or a boundary value (low 80 bits zero, or all bits one); a uuid wherever one is asked for. Other text raises 22P02';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_as_iuid(id uuid) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_as_iuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gen_iuid_at(at timestamptz, country text, service_entity text) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_gen_iuid_at_names'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_iuid_at(timestamptz, text, text) IS
	'new iUID of the given time with ids from the registry, as gen_iuid(country, service_entity); raises 22008 for times outside 1970-01-01 to 10889-08-02 and infinities, 22023 for a name that is not there';

CREATE FUNCTION uuid_to_iuid(id uuid, country int, service_entity int) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_iuid_ids'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_iuid(uuid, int, int) IS
	'iUID of a UUIDv7, COMB or ULID, always the same: its milliseconds, the 12 bits of its fraction, its last 42 random bits; raises 22003 for ids outside 0 to 255, 22023 for an id that does not begin with a time: no UUIDv7, and after 2109-05-15';

CREATE FUNCTION uuid_to_iuid(id uuid, country text, service_entity text) RETURNS iuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_to_iuid_names'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_iuid(uuid, text, text) IS
	'iUID of a UUIDv7, COMB or ULID with ids from the registry; raises 22023 for a name that is not there, and for an id that does not begin with a time';
COMMENT ON FUNCTION iuid_is_valid(uuid) IS
	'whether an id is an iUID that type iuid takes: version 8, RFC 9562 variant, layout version 0';
COMMENT ON FUNCTION iuid_version(uuid) IS
	'layout version of an iUID: 0, or 1 to 15 for a layout to come, of a version 8 whose time is before 2109-05-15; NULL for other ids';

CREATE FUNCTION uidext_internal.iuid_lt_uuid(iuid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_lt_uuid(iuid, uuid) IS '< of an iuid and a uuid';

CREATE FUNCTION uidext_internal.iuid_le_uuid(iuid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_le_uuid(iuid, uuid) IS '<= of an iuid and a uuid';
COMMENT ON FUNCTION uidext_internal.iuid_eq_uuid(iuid, uuid) IS '= of an iuid and a uuid';

CREATE FUNCTION uidext_internal.iuid_ge_uuid(iuid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_ge_uuid(iuid, uuid) IS '>= of an iuid and a uuid';

CREATE FUNCTION uidext_internal.iuid_gt_uuid(iuid, uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_gt_uuid(iuid, uuid) IS '> of an iuid and a uuid';

CREATE FUNCTION uidext_internal.uuid_lt_iuid(uuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_lt_iuid(uuid, iuid) IS '< of a uuid and an iuid';

CREATE FUNCTION uidext_internal.uuid_le_iuid(uuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_le_iuid(uuid, iuid) IS '<= of a uuid and an iuid';
COMMENT ON FUNCTION uidext_internal.uuid_eq_iuid(uuid, iuid) IS '= of a uuid and an iuid';

CREATE FUNCTION uidext_internal.uuid_ge_iuid(uuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_ge_iuid(uuid, iuid) IS '>= of a uuid and an iuid';

CREATE FUNCTION uidext_internal.uuid_gt_iuid(uuid, iuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_as_uuid_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.uuid_gt_iuid(uuid, iuid) IS '> of a uuid and an iuid';

CREATE OPERATOR uidext_internal.< (
	LEFTARG = iuid, RIGHTARG = uuid, FUNCTION = uidext_internal.iuid_lt_uuid,
	COMMUTATOR = OPERATOR(uidext_internal.>), NEGATOR = OPERATOR(uidext_internal.>=),
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR uidext_internal.< (iuid, uuid) IS 'as uuid < uuid';

CREATE OPERATOR uidext_internal.<= (
	LEFTARG = iuid, RIGHTARG = uuid, FUNCTION = uidext_internal.iuid_le_uuid,
	COMMUTATOR = OPERATOR(uidext_internal.>=), NEGATOR = OPERATOR(uidext_internal.>),
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR uidext_internal.<= (iuid, uuid) IS 'as uuid <= uuid';

CREATE OPERATOR uidext_internal.>= (
	LEFTARG = iuid, RIGHTARG = uuid, FUNCTION = uidext_internal.iuid_ge_uuid,
	COMMUTATOR = OPERATOR(uidext_internal.<=), NEGATOR = OPERATOR(uidext_internal.<),
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR uidext_internal.>= (iuid, uuid) IS 'as uuid >= uuid';

CREATE OPERATOR uidext_internal.> (
	LEFTARG = iuid, RIGHTARG = uuid, FUNCTION = uidext_internal.iuid_gt_uuid,
	COMMUTATOR = OPERATOR(uidext_internal.<), NEGATOR = OPERATOR(uidext_internal.<=),
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR uidext_internal.> (iuid, uuid) IS 'as uuid > uuid';

CREATE OPERATOR uidext_internal.< (
	LEFTARG = uuid, RIGHTARG = iuid, FUNCTION = uidext_internal.uuid_lt_iuid,
	COMMUTATOR = OPERATOR(uidext_internal.>), NEGATOR = OPERATOR(uidext_internal.>=),
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR uidext_internal.< (uuid, iuid) IS 'as uuid < uuid';

CREATE OPERATOR uidext_internal.<= (
	LEFTARG = uuid, RIGHTARG = iuid, FUNCTION = uidext_internal.uuid_le_iuid,
	COMMUTATOR = OPERATOR(uidext_internal.>=), NEGATOR = OPERATOR(uidext_internal.>),
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR uidext_internal.<= (uuid, iuid) IS 'as uuid <= uuid';

CREATE OPERATOR uidext_internal.>= (
	LEFTARG = uuid, RIGHTARG = iuid, FUNCTION = uidext_internal.uuid_ge_iuid,
	COMMUTATOR = OPERATOR(uidext_internal.<=), NEGATOR = OPERATOR(uidext_internal.<),
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR uidext_internal.>= (uuid, iuid) IS 'as uuid >= uuid';

CREATE OPERATOR uidext_internal.> (
	LEFTARG = uuid, RIGHTARG = iuid, FUNCTION = uidext_internal.uuid_gt_iuid,
	COMMUTATOR = OPERATOR(uidext_internal.<), NEGATOR = OPERATOR(uidext_internal.<=),
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR uidext_internal.> (uuid, iuid) IS 'as uuid > uuid';
COMMENT ON COLUMN uuid_info.version IS 'version, 0 to 15; NULL when the variant is not that of RFC 9562';
COMMENT ON COLUMN uuid_info.variant IS 'NCS, RFC 9562, Microsoft or future';
COMMENT ON COLUMN uuid_info.layout IS 'UUIDv1 to UUIDv8, "UUIDv4 or COMB", iUID, "iUID, layout 1" and so on, of which no more than the time is known, Lambert v13, boundary, nil, max or unknown';
COMMENT ON COLUMN uuid_info."time" IS 'as uuid_time()';
COMMENT ON COLUMN uuid_info.comb_time IS 'the creation time if this version 4 is a COMB; else meaningless';
COMMENT ON COLUMN uuid_info.suffix_comb_time IS 'the creation time if this version 4 is a suffix COMB; else meaningless';
COMMENT ON COLUMN uuid_info.short_comb_block IS 'the block, 0 to 65535, if this version 4 is a short or sequence COMB; else meaningless';
COMMENT ON COLUMN uuid_info.short_suffix_comb_block IS 'the block, 0 to 65535, if this version 4 is a short suffix COMB; else meaningless';
COMMENT ON COLUMN uuid_info.country IS 'country of an iUID, 0 to 255';
COMMENT ON COLUMN uuid_info.service_entity IS 'service entity of an iUID, 0 to 255';
COMMENT ON COLUMN uuid_info.clock_seq IS 'clock sequence of a v1, v6 or v13, 0 to 16383';
COMMENT ON COLUMN uuid_info.node IS 'node of a v1, v6 or v13; a network card''s address unless its multicast bit (01:00:00:00:00:00) is set';
COMMENT ON COLUMN uuid_info.random_bits IS 'random bits of an id of this layout as the C edition makes it in a new tick, or of a version 4 as gen_random_uuid() makes it; an outsider has to guess no more; NULL where the layout does not say';
COMMENT ON COLUMN uuid_info.count_100ns IS 'the timestamp of a v1, v6 or v13 as it is: 100 ns since 1582-10-15';
COMMENT ON COLUMN uuid_info.swapped_by IS 'SQL Server or MySQL, whose byte order gives the id a time between 2000 and 2049; NULL for an id that has such a time as it is, and for versions 3, 4 and 5';
COMMENT ON COLUMN uuid_info.unswapped IS 'the id with its bytes in place, where swapped_by is known: uuid_inspect() reads it';
COMMENT ON FUNCTION uuid_time(uuid) IS
	'creation time in a v1, v6, v7, v13 or iUID (of layouts to come, too), and the time of a boundary value; floored to 1 us (v1, v6, v13) or 1 ms; NULL for every other layout';

CREATE FUNCTION uuidv4_is_valid(id uuid) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuidv4_is_valid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuidv4_is_valid(uuid) IS
	'whether version and variant are those of a UUIDv4, which COMBs have, too';

CREATE FUNCTION uuid_is_canonical(id text) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_uuid_is_canonical'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_is_canonical(text) IS
	'whether a text is a canonical UUID: 32 hex digits of either case, with hyphens between groups of 8, 4, 4, 4 and 12';
COMMENT ON FUNCTION uuid_is_recent(uuid, interval, interval, timestamptz) IS
	'whether the tick of uuid_time(id) (1 us of v1, v6, v13, else 1 ms) meets at - past to at + future; false for an id without a time; raises 22023 for a negative tolerance or months, 22008 for an at outside 1970-01-01 to 10889-08-02';
COMMENT ON FUNCTION comb_is_recent(uuid, interval, interval, timestamptz) IS
	'whether the millisecond of comb_time(id) meets at - past to at + future; false for versions other than 4; raises 22023 for a negative tolerance or months, 22008 for an at outside 1970-01-01 to 10889-08-02';

CREATE OR REPLACE FUNCTION short_comb_is_recent(id uuid, past interval DEFAULT NULL, future interval DEFAULT NULL, interval_length interval DEFAULT '1 minute', at timestamptz DEFAULT now()) RETURNS bool
	AS 'MODULE_PATHNAME', 'uidext_short_comb_is_recent'
	LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION short_comb_is_recent(uuid, interval, interval, interval, timestamptz) IS
	'whether a short COMB made from at - past to at + future has this block, also across the wrap; a tolerance left out or NULL is ten interval_lengths; false for other versions than 4; raises 22023 for a window of 65536 blocks or more, 22023 and 22008 as comb_is_recent()';

CREATE OR REPLACE FUNCTION laravel_uuid_time(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_laravel_uuid_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION laravel_uuid_time(uuid) IS
	'time of an ordered UUID of Laravel: first 48 bits of a version 4 in units of 10 us; NULL for other versions';

CREATE OR REPLACE FUNCTION laravel_uuid_to_v7(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_laravel_uuid_to_v7'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OR REPLACE FUNCTION uuid_encrypt(id uuid, key bytea, label text DEFAULT '') RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_encrypt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

CREATE OR REPLACE FUNCTION uuid_decrypt(id uuid, key bytea, label text DEFAULT '', version int DEFAULT 7) RETURNS uuid
	AS 'MODULE_PATHNAME', 'uidext_uuid_decrypt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION uid_schemes() IS
	'schemes of ids that the uid_ functions know: text, layout, whether uid_from_uuid() gives them back, and whether uid_generate() makes them without a node';
COMMENT ON FUNCTION uid_generate(text) IS
	'new id of the current time, all else random, or with the node of the setting uidext.node; no order within a tick; raises 22023 for schemes that need the number of a node, and for COMBs';

CREATE FUNCTION uid_next(scheme text, node int) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_uid_next'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uid_next(text, int) IS
	'new 64-bit id of the scheme and node, greater than every earlier one of all sessions of the server; at most 1 ms ahead of the clock, for which it waits when a tick is used up; raises 22023 as uid_time() and for parameters without one field named sequence, seq, counter, count, increment or random, 22003 for a node that the layout does not hold, 22008 for a clock outside the times of the scheme, 55000 before PostgreSQL 17 unless uidext is preloaded';

CREATE OR REPLACE FUNCTION uid_bigint_from_uuid(id uuid, scheme text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'uidext_uid_bigint_from_uuid'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OR REPLACE FUNCTION uid_inspect(id text, OUT scheme text, OUT "time" timestamptz, OUT fields jsonb, OUT uuid uuid)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 5
	BEGIN ATOMIC
		WITH pasted AS (
			SELECT pg_catalog.regexp_replace($1, '^[[:space:]"'']+|[[:space:]"'']+$', '', 'g') AS id
		), uuids AS (
			SELECT uidext_internal.uid_as_uuid(p.id) AS uuid, jsonb '{}' AS fields
			FROM pasted AS p
			UNION ALL
			SELECT CASE WHEN p.id ~ t.form THEN typeid_to_uuid(p.id) END,
				CASE WHEN p.id ~ t.form THEN pg_catalog.jsonb_build_object('prefix', typeid_prefix(p.id)) END
			FROM pasted AS p, (VALUES ('^[a-z]([a-z_]{0,61}[a-z])?_[0-7][0-9a-hjkmnp-tv-z]{25}$')) AS t (form)
			UNION ALL
			-- of the digits that hold 130 bits and more, those that are no more than the last uuid's
			SELECT d.uuid, pg_catalog.jsonb_build_object('encoding', e.encoding)
			FROM pasted AS p,
				(VALUES ('base58', '^[1-9A-HJ-NP-Za-km-z]{22}$'), ('base62', '^[0-9A-Za-z]{22}$'),
					('base64url', '^[-_0-9A-Za-z]{21}[AQgw]$'), ('base32hex', '^[0-9A-Va-v]{25}[048CGKOScgkos]$')) AS e (encoding, form),
				LATERAL (SELECT CASE WHEN p.id ~ e.form
						AND (p.id COLLATE "C" <= uuid_encode(uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff', e.encoding) OR e.encoding ~ '^base(64url|32hex)$')
					THEN uuid_decode(p.id, e.encoding) END) AS d (uuid)
			WHERE (uuid_inspect(d.uuid)).version BETWEEN 1 AND 8
		), readings AS (
			SELECT -1 AS place, 'uuid' AS scheme, uuid_time(u.uuid) AS "time",
				u.fields || pg_catalog.jsonb_strip_nulls(pg_catalog.to_jsonb(uuid_inspect(u.uuid))) - '{time,swapped_by,unswapped}'::text[] AS fields, u.uuid, false AS unlikely
			FROM uuids AS u
			WHERE u.uuid IS NOT NULL
			UNION ALL
			-- as another database prints or stores it; in a version 4, which has no time, any may be found
			SELECT 0, 'uuid', uuid_time(w.uuid),
				u.fields || pg_catalog.jsonb_strip_nulls(pg_catalog.to_jsonb(uuid_inspect(w.uuid))) - '{time}'::text[] || pg_catalog.jsonb_build_object('swapped_by', w.swapped_by), w.uuid,
				(uuid_inspect(u.uuid)).version = 4
			FROM uuids AS u,
				LATERAL (VALUES ('SQL Server', uuid_from_sqlserver(u.uuid)), ('MySQL', bin_to_uuid(pg_catalog.uuid_send(u.uuid), true))) AS w (swapped_by, uuid)
			WHERE w.uuid <> u.uuid AND (uuid_inspect(w.uuid)).version IS NOT NULL
				AND uuid_time(w.uuid) >= timestamptz '2000-01-01 00:00:00+00' AND uuid_time(w.uuid) < pg_catalog.now() + interval '1 day'
			UNION ALL
			SELECT r.place, r.scheme, r."time", r.fields, r.uuid,
				r."time" < s.epoch + interval '1 day'
			FROM pasted AS p, ROWS FROM (uidext_internal.uid_readings(p.id)) WITH ORDINALITY AS r (scheme, "time", fields, uuid, place)
				JOIN uid_schemes() AS s ON s.scheme = r.scheme
		)
		SELECT r.scheme, r."time", r.fields, r.uuid
		FROM readings AS r
		ORDER BY CASE
				WHEN r."time" IS NULL OR r.scheme = 'ordereduuid' OR r.place = 0 AND r.unlikely THEN 1
				WHEN r."time" >= timestamptz '2000-01-01 00:00:00+00' AND r."time" < pg_catalog.now() + interval '1 day' AND NOT r.unlikely THEN 0
				ELSE 2
			END, r.place;
	END;
COMMENT ON FUNCTION uid_inspect(text) IS
	'every reading of an id of unknown origin, most plausible first: scheme, time, other fields, and the uuid that uid_to_uuid() makes of it; also as SQL Server prints and MySQL stores it';

CREATE FUNCTION uidext_internal.iuid_time(id iuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uidext_uuid_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uidext_internal.iuid_time(iuid) IS 'uuid_time() of an iuid, for the cast';

CREATE CAST (iuid AS timestamptz) WITH FUNCTION uidext_internal.iuid_time(iuid);
COMMENT ON CAST (iuid AS timestamptz) IS 'uuid_time()';
COMMENT ON DOMAIN uidext_internal.period IS
	'a tstzrange in operators: a domain is no exact match, so that tstzrange @> ''...'' stays what the server makes of it';
COMMENT ON DOMAIN uidext_internal.periods IS
	'a tstzmultirange in operators: a domain is no exact match, so that tstzmultirange @> ''...'' stays what the server makes of it';
COMMENT ON TYPE ulid IS
	'ULID: the bits of a uuid, written in 26 digits of Crockford''s base 32';
COMMENT ON FUNCTION gen_ulid_at(timestamptz) IS
	'new ULID of the given time (microseconds count); no order within a microsecond; raises 22008 for times outside 1970-01-01 to 10889-08-02';

DROP FUNCTION @extschema@.uuid_to_ulid(uuid);
CREATE FUNCTION uuid_to_ulid(id uuid) RETURNS ulid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	RETURN id::ulid;

CREATE FUNCTION ulid_to_uuid(ulid ulid) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	RETURN ulid::uuid;
COMMENT ON FUNCTION ulid_to_uuid(ulid) IS
	'inverse of uuid_to_ulid(); its time is ulid_time(), because a ULID has no version';
COMMENT ON FUNCTION uuid_to_ulid(uuid) IS
	'the 128 bits as a ULID; sorts as the uuid does';
COMMENT ON FUNCTION uuid_safe_boundary() IS
	'boundary below which all ids that transactions of this server made of its clock and inserted themselves are there, seen, and no open transaction can add one; not for ids of _at, of a negative shift, or after a clock that was set back; nil UUID while one is prepared; raises 55000 on a standby, and for a snapshot that is too old';
COMMENT ON FUNCTION uidext_internal.iuid_country_hash(uuid) IS
	'where Citus places an id: the bits of the country reversed, then 24 bits of the tail; what is no iUID hashes below country 0';
COMMENT ON OPERATOR CLASS iuid_country_ops USING hash IS
	'default of iuid: PARTITION BY HASH (id) with MODULUS 257 has the country as REMAINDER; for Citus a country is a range of 2^24 hash values';
COMMENT ON TABLE iuid_service_entities IS 'service entities of iUIDs; dumped with the database';
COMMENT ON COLUMN iuid_service_entities.id IS 'the id in the iUID, 0 to 255';
COMMENT ON COLUMN iuid_service_entities.name IS 'service and entity, such as WalletAccount; gen_iuid() looks here';
COMMENT ON COLUMN iuid_service_entities.description IS 'free text';
COMMENT ON COLUMN iuid_service_entities.service IS 'the service, such as Wallet; NULL if the name says enough';
COMMENT ON COLUMN iuid_service_entities.entity IS 'the entity in it, such as Account; NULL if the name says enough';
COMMENT ON TABLE iuid_routes IS 'which node serves which ids; dumped with the database';
COMMENT ON COLUMN iuid_routes.country IS 'country id, 0 to 255';
COMMENT ON COLUMN iuid_routes.service_entity IS 'service entity id, 0 to 255; NULL for any';
COMMENT ON COLUMN iuid_routes.node IS 'where the rows are: a host, a service name, a connection string';
COMMENT ON COLUMN iuid_routes.description IS 'free text';
COMMENT ON COLUMN iuid_routes.region IS 'the region of the node, such as sa-east-1; NULL where nobody asks';

CREATE OR REPLACE FUNCTION iuid_route(id uuid) RETURNS iuid_routes
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT r.country, r.service_entity, r.node, r.description, r.region
	FROM iuid_routes r
	WHERE r.country = iuid_country(id)
		AND (r.service_entity = iuid_service_entity(id) OR r.service_entity IS NULL)
	ORDER BY r.service_entity NULLS LAST
	LIMIT 1;
END;
COMMENT ON FUNCTION iuid_route(uuid) IS
	'row of iuid_routes that serves an iUID, with node and region: that of its country and entity, else that of its country, else NULL; the one way to go by country in the SQL edition, where PARTITION BY HASH of an iuid is core''s own hash and knows no country';
COMMENT ON COLUMN iuid_info."time" IS 'creation time, to the millisecond';
COMMENT ON COLUMN iuid_info.country IS 'country id, 0 to 255';
COMMENT ON COLUMN iuid_info.country_code IS 'its code in iuid_countries; NULL when it is not there';
COMMENT ON COLUMN iuid_info.country_name IS 'its name in iuid_countries; NULL when it is not there';
COMMENT ON COLUMN iuid_info.service_entity IS 'service entity id, 0 to 255';
COMMENT ON COLUMN iuid_info.service_entity_name IS 'its name in iuid_service_entities; NULL when it is not there';
COMMENT ON COLUMN iuid_info.service_entity_description IS 'its description in iuid_service_entities';
COMMENT ON COLUMN iuid_info.node IS 'node of iuid_route(id)';
COMMENT ON COLUMN iuid_info.service IS 'its service in iuid_service_entities';
COMMENT ON COLUMN iuid_info.entity IS 'its entity in iuid_service_entities';
COMMENT ON COLUMN iuid_info.region IS 'region of iuid_route(id)';

CREATE OR REPLACE FUNCTION iuid_describe(id uuid) RETURNS iuid_info
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT uuid_time(given.id), iuid_country(given.id), c.code, c.name,
		iuid_service_entity(given.id), e.name, e.description, r.node, e.service, e.entity, r.region
	FROM (SELECT iuid_describe.id) given
		CROSS JOIN LATERAL iuid_route(given.id) r
		LEFT JOIN iuid_countries c ON c.id = iuid_country(given.id)
		LEFT JOIN iuid_service_entities e ON e.id = iuid_service_entity(given.id)
	WHERE iuid_is_valid(given.id);
END;
COMMENT ON FUNCTION iuid_describe(uuid) IS
	'time, country, service entity, node and region of an iUID with the names of the registry; NULL for other ids';
COMMENT ON FUNCTION iuid_registry_script() IS
	'a statement that makes the registry of another database, with the extension in the same schema, equal to the one here, whatever it holds';
COMMENT ON FUNCTION iuid_load_iso_3166() IS
	'adds the 249 countries of ISO 3166-1 to iuid_countries and returns how many were new; those whose ISO number is at most 255 have that for an id, the others one of ours, because an iUID has 8 bits for it: Kazakhstan, ISO 398, is 82; their ids never change; a list of your own is inserted into iuid_countries instead; raises 23505 when an id, code or name is taken by another country';

CREATE FUNCTION uidext_internal.uuid_citus_size(relation regclass, OUT is_distributed bool, OUT rows bigint, OUT bytes bigint)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	is_distributed := false;
	IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
		EXECUTE 'SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = $1)'
			INTO is_distributed USING relation;
	END IF;
	IF NOT is_distributed THEN
		RETURN;
	END IF;
	-- a shard that no node has counted yet leaves the rows unknown, a node that does not answer both; on the nodes
	-- the search_path is anybody's.  Citus's own sizes are refused where the transaction has changed a table, and
	-- what it has locked must not keep it waiting for ever
	EXECUTE 'SELECT CASE WHEN bool_and(n.success AND n.counts[1] IS NOT NULL) THEN sum(n.counts[1]) END,
			CASE WHEN bool_and(n.success) THEN sum(n.counts[2]) END
		FROM (SELECT success, CASE WHEN success THEN result::bigint[] END AS counts FROM pg_catalog.run_command_on_all_nodes($1)) n'
		INTO rows, bytes
		USING format('SELECT ARRAY[CASE WHEN count(*) = pg_catalog.count(s.rows) THEN coalesce(pg_catalog.sum(s.rows), 0) END,
				coalesce(pg_catalog.sum(s.bytes), 0)]
			FROM (
				SELECT pg_catalog.pg_total_relation_size(c.oid) AS bytes,
					CASE WHEN pg_catalog.pg_relation_size(c.oid) = 0 THEN 0
						ELSE coalesce(nullif(pg_catalog.pg_stat_get_live_tuples(c.oid), 0), nullif(c.reltuples, (-1)::real)::bigint)
					END AS rows
				FROM pg_catalog.pg_dist_shard d
					JOIN pg_catalog.pg_dist_placement p USING (shardid)
					JOIN pg_catalog.pg_dist_local_group g USING (groupid)
					JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(pg_catalog.shard_name(d.logicalrelid, d.shardid))::oid
				WHERE d.logicalrelid::oid = %L::regclass::oid AND pg_catalog.set_config(''lock_timeout'', ''1s'', true) IS NOT NULL
			) s', uidext_internal.uuid_partition_qualified(relation));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_citus_size(regclass) IS
	'whether Citus distributes a table, and then its rows, as its nodes last estimated them, and its bytes on all nodes; NULL while a node does not answer';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_partition_scheme(parent regclass, column_number smallint) RETURNS text
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
	SET quote_all_identifiers = off
BEGIN ATOMIC
	SELECT named.scheme
	FROM pg_catalog.pg_constraint c
		JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = column_number
		JOIN pg_catalog.pg_proc f ON f.oid = '@extschema@.uid_is_valid(bigint,text)'::regprocedure::oid
		JOIN pg_catalog.pg_namespace n ON n.oid = f.pronamespace
		CROSS JOIN LATERAL pg_get_expr(c.conbin, c.conrelid) shown(expression)
		CROSS JOIN LATERAL split_part(shown.expression, '''', -2) named(scheme)
	WHERE c.conrelid = parent::oid AND c.contype = 'c'
		AND shown.expression = pg_catalog.format(
			CASE a.atttypid WHEN 'bigint'::regtype::oid THEN '%I.%I(%I, %L::text)' ELSE '%I.%I((%I)::bigint, %L::text)' END,
			n.nspname, f.proname, a.attname, named.scheme)
	ORDER BY c.conname
	LIMIT 1;
END;

CREATE FUNCTION uidext_internal.uuid_partition_key_hint(column_type regtype, otherwise text) RETURNS text
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT CASE WHEN EXISTS (SELECT FROM uidext_internal.base_types(column_type) t(type) WHERE t.type::oid = 'bigint'::regtype::oid)
		THEN 'A bigint column needs a check of its scheme, such as CHECK (uid_is_valid(id, ''snowflake'')).'
		ELSE otherwise
	END;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_key_hint(regtype, text) IS
	'the hint for a table whose key has no time: where that is a bigint, what it lacks';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_partition_key(parent regclass, OUT column_name name, OUT layout text)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	column_number smallint;
	column_type regtype;
BEGIN
	SELECT a.attname, a.attnum, a.atttypid,
		coalesce(uidext_internal.uuid_partition_layout(a.atttypid), uidext_internal.uuid_partition_scheme(parent, a.attnum))
	INTO column_name, column_number, column_type, layout
	FROM pg_partitioned_table p
		JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partrelid = parent AND p.partstrat = 'r' AND p.partnatts = 1 AND o.opcdefault;
	IF layout IS NULL THEN
		RAISE EXCEPTION 'table % is not partitioned by range on one uuid column', parent
			USING ERRCODE = 'wrong_object_type',
				HINT = uidext_internal.uuid_partition_key_hint(column_type, 'Create it with PARTITION BY RANGE (id).');
	END IF;
	-- no id would ever meet the partitions
	PERFORM uidext_internal.uuid_partition_check_default(parent, column_number,
		'Make partitions for v6 and v13 by hand, with bounds of uuidv6_boundary(); v1 does not sort by time.');
END
$$;

CREATE FUNCTION uidext_internal.uuid_partition_check_default(relation regclass, column_number smallint, hint text) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF uidext_internal.uuid_partition_default_is_gregorian(relation, column_number) THEN
		RAISE EXCEPTION 'column "%" of table % holds UUIDv1, v6 or v13',
				(SELECT attname FROM pg_attribute WHERE attrelid = relation AND attnum = column_number), relation
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = 'Its default makes them, and their time is Gregorian.',
				HINT = hint;
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_default(regclass, smallint, text) IS
	'raises 22023 for a column whose default makes UUIDv1, v6 or v13';

CREATE TYPE uidext_internal.uuid_partition_period AS (
	partition regclass, from_id text, to_id text, from_time timestamptz, to_time timestamptz, detach_pending bool
);
COMMENT ON TYPE uidext_internal.uuid_partition_period IS
	'a range partition with its bounds as text and as times';
COMMENT ON COLUMN uidext_internal.uuid_partition_period.partition IS 'the partition, a leaf or partitioned itself';
COMMENT ON COLUMN uidext_internal.uuid_partition_period.from_id IS 'its lower bound; NULL for MINVALUE';
COMMENT ON COLUMN uidext_internal.uuid_partition_period.to_id IS 'its upper bound; NULL for MAXVALUE';
COMMENT ON COLUMN uidext_internal.uuid_partition_period.from_time IS 'the time of from_id, -infinity for NULL';
COMMENT ON COLUMN uidext_internal.uuid_partition_period.to_time IS 'the time of to_id, infinity for NULL';
COMMENT ON COLUMN uidext_internal.uuid_partition_period.detach_pending IS 'whether its detachment has begun and not ended';

CREATE FUNCTION uidext_internal.uuid_partition_ranges(parent regclass, layout text) RETURNS SETOF uidext_internal.uuid_partition_period
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass, id.lower, id.upper,
		coalesce(uidext_internal.uuid_partition_boundary_time(layout, id.lower), '-infinity'),
		coalesce(uidext_internal.uuid_partition_boundary_time(layout, id.upper), 'infinity'),
		i.inhdetachpending
	FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
		-- a bound has no columns; with the partition given the server would wait for a lock on it
		CROSS JOIN LATERAL pg_get_expr(c.relpartbound, 0::oid) shown(bound)
		CROSS JOIN LATERAL (SELECT
			CASE WHEN starts_with(shown.bound, 'FOR VALUES FROM (''') THEN split_part(shown.bound, '''', 2) END,
			CASE WHEN right(shown.bound, 2) = ''')' THEN split_part(shown.bound, '''', -2) END
		) id(lower, upper)
	WHERE i.inhparent = parent::oid
		AND shown.bound = pg_catalog.format('FOR VALUES FROM (%s) TO (%s)',
			coalesce(quote_literal(id.lower), 'MINVALUE'), coalesce(quote_literal(id.upper), 'MAXVALUE'));
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_ranges(regclass, text) IS
	'the range partitions of a parent; the default partition is not among them; raises as uuid_partition_boundary_time()';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_partition_check_owner(relation regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	owner name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = relation);
BEGIN
	IF owner IS NULL THEN
		RAISE EXCEPTION 'relation with OID % does not exist', relation::oid USING ERRCODE = 'undefined_table';
	END IF;
	IF owner <> current_user THEN
		RAISE EXCEPTION 'must be owner of table %', relation
			USING ERRCODE = 'insufficient_privilege',
				DETAIL = 'What its owner has put into it would run with your rights.',
				HINT = format('Connect as %1$I, or SET ROLE %1$I where you trust it.', owner);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_owner(regclass) IS
	'raises 42501 for callers who are not the owner of a table, superusers too, 42P01 for no table';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_partition_lock(parent regclass) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM uidext_internal.uuid_partition_check_owner(parent);
	EXECUTE format('ALTER TABLE ONLY %s RESET (fillfactor)', parent);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_lock(regclass) IS
	'keeps others from changing a table''s partitions, not from reading and writing it; raises 42501 for callers who are not its owner, 42P01';

CREATE FUNCTION uidext_internal.uuid_partition_deadline() RETURNS timestamptz
	LANGUAGE sql VOLATILE
BEGIN ATOMIC
	SELECT clock_timestamp() + coalesce(nullif(s.setting::int, 0), 10000)::float8 * interval '1 ms' FROM pg_settings s WHERE s.name = 'lock_timeout';
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_deadline() IS
	'until when a call tries to get its locks: as long as lock_timeout says, else 10 seconds';

CREATE FUNCTION uidext_internal.uuid_partition_brief() RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM set_config('lock_timeout', greatest(1, least(100, setting::int / 10))::text, true) FROM pg_settings WHERE name = 'deadlock_timeout';
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_brief() IS
	'sets lock_timeout for one attempt, 100 ms or a tenth of deadlock_timeout for each of its locks; the caller''s SET clause ends that';

CREATE FUNCTION uidext_internal.uuid_partition_calm(partitions regclass[]) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '3s'
AS $$
DECLARE
	partition regclass;
BEGIN
	FOR partition IN SELECT c.oid FROM pg_class c WHERE c.oid = ANY (partitions) AND c.relkind = 'r' LOOP
		BEGIN
			EXECUTE format('ALTER TABLE %s RESET (uidext)', partition);
		EXCEPTION
			-- the attempt says what is in its way
			WHEN lock_not_available OR deadlock_detected THEN
				NULL;
			WHEN OTHERS THEN
				IF NOT uidext_internal.uuid_partition_goes_on(SQLSTATE) THEN
					RAISE;
				END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_calm(regclass[]) IS
	'ends vacuums of partitions and keeps new ones away; does nothing where that takes longer than 3 seconds';

CREATE FUNCTION uidext_internal.uuid_partition_begin(parent regclass, layout text, old_until timestamptz, most int, dry_run bool)
	RETURNS uidext_internal.uuid_partition_period[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	periods uidext_internal.uuid_partition_period[];
BEGIN
	IF dry_run THEN
		PERFORM uidext_internal.uuid_partition_check_owner(parent);
	ELSE
		PERFORM uidext_internal.uuid_partition_lock(parent);
	END IF;
	periods := ARRAY(SELECT p FROM uidext_internal.uuid_partition_ranges(parent, layout) p);
	IF NOT dry_run THEN
		PERFORM uidext_internal.uuid_partition_calm(ARRAY(
			SELECT p.partition FROM unnest(periods) p WHERE p.to_time <= old_until ORDER BY p.from_time, p.to_time LIMIT most));
	END IF;
	RETURN periods;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_begin(regclass, text, timestamptz, int, bool) IS
	'the range partitions of a table, which stay as they are until the transaction ends, and so many of the oldest are calm, unless this is a dry run; raises 2201W for fewer than none, 42501 for callers who are not its owner, 42P01, and as uuid_partition_ranges()';

CREATE FUNCTION uidext_internal.uuid_partition_again(deadline timestamptz) RETURNS bool
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF clock_timestamp() >= deadline THEN
		RETURN false;
	END IF;
	PERFORM pg_sleep(0.2);
	RETURN true;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_again(timestamptz) IS
	'whether there is time for another attempt, after a pause in which others go first';

CREATE FUNCTION uidext_internal.uuid_partition_goes_on(code text) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN left(code, 2) NOT IN ('53', '57', '58', 'XX') AND code NOT IN ('55P03', '40P01');
COMMENT ON FUNCTION uidext_internal.uuid_partition_goes_on(text) IS
	'whether an SQLSTATE concerns one partition: no lack of resources, no stop, no failure of the server, no lock';

CREATE FUNCTION uidext_internal.uuid_partition_may_look(partition regclass) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT coalesce(bool_and(pg_get_userbyid(c.relowner) = current_user AND has_schema_privilege(c.relnamespace, 'USAGE')
		AND has_table_privilege(c.oid, 'SELECT') AND NOT row_security_active(c.oid)), false)
	FROM pg_partition_tree(partition) t JOIN pg_catalog.pg_class c ON c.oid = t.relid::oid;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_may_look(regclass) IS
	'whether the caller owns a partition and sees every row of it';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_partition_edge(partition regclass, column_name name, from_id text, to_id text, newest bool) RETURNS text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	result text;
BEGIN
	IF num_nulls(column_name, newest) > 0 OR uidext_internal.uuid_partition_may_look(partition) IS NOT TRUE THEN
		RETURN NULL;
	END IF;
	EXECUTE format('SELECT %1$I FROM %2$s WHERE %3$s AND %4$s AND %1$I IS NOT NULL ORDER BY %1$I %5$s LIMIT 1', column_name, partition,
		coalesce(uidext_internal.uuid_partition_comparison(partition, column_name, '>=', from_id), 'true'),
		coalesce(uidext_internal.uuid_partition_comparison(partition, column_name, '<', to_id), 'true'),
		CASE WHEN newest THEN 'DESC' ELSE 'ASC' END)
		INTO result;
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_edge(regclass, name, text, text, bool) IS
	'least or greatest id of a partition between two bounds, NULL for none; NULL also when the caller may not look; raises 42703 for a column that is not there, 22P02 for bounds that are no ids';

CREATE FUNCTION uidext_internal.uuid_partition_operators(type regtype) RETURNS name
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT coalesce((
		-- an operator class is where its operators are
		SELECT n.nspname
		FROM uidext_internal.base_types(type) t(type)
			JOIN pg_catalog.pg_opclass o ON o.opcintype = t.type::oid AND o.opcdefault
			JOIN pg_catalog.pg_am m ON m.oid = o.opcmethod AND m.amname = 'btree'
			JOIN pg_catalog.pg_namespace n ON n.oid = o.opcnamespace
	), 'pg_catalog');
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_operators(regtype) IS
	'the schema of the operators that order a type';

CREATE FUNCTION uidext_internal.uuid_partition_comparison(relation regclass, column_name name, operator text, id text) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('%I OPERATOR(%I.%s) %L', column_name, coalesce((
		SELECT uidext_internal.uuid_partition_operators(a.atttypid::regtype)
		FROM pg_catalog.pg_attribute a
		WHERE a.attrelid = relation::oid AND a.attname = column_name
	), 'pg_catalog'), operator, id);
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_comparison(regclass, name, text, text) IS
	'a condition that compares a column with an id by an operator of its type; NULL without an id';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_partition_suffix(from_time timestamptz, step interval, tz text) RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN to_char(from_time AT TIME ZONE tz, CASE
		-- begun by another time zone, it would have the name of the period before
		WHEN step = date_trunc('day', step) AND date_trunc('day', from_time AT TIME ZONE tz) AT TIME ZONE tz <> from_time THEN 'YYYY_MM_DD_HH24MI'
		WHEN step >= interval '1 year' AND step = date_trunc('year', step) THEN 'YYYY'
		WHEN step = date_trunc('month', step) THEN 'YYYY_MM'
		WHEN step = date_trunc('day', step) THEN 'YYYY_MM_DD'
		WHEN step = date_trunc('minute', step) THEN 'YYYY_MM_DD_HH24MI'
		ELSE 'YYYY_MM_DD_HH24MISS_MS'
	END);
COMMENT ON FUNCTION uidext_internal.uuid_partition_suffix(timestamptz, interval, text) IS
	'start of a period as the end of a partition''s name, as fine as the step and the start need: 2026, 2026_01, 2026_01_31, 2026_01_31_1200; raises 22023 and 22008';

CREATE FUNCTION uidext_internal.uuid_partition_confirm(partition regclass, holds bool) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF holds IS NOT TRUE THEN
		RAISE EXCEPTION 'could not serialize access: partition % has changed', partition
			USING ERRCODE = 'serialization_failure', HINT = 'Call it again, in a new transaction.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_confirm(regclass, bool) IS
	'raises 40001 unless what has to hold of a table does';

CREATE FUNCTION uidext_internal.uuid_partition_table(parent regclass, partition text, partition_key text, template regclass) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	storage text := 'PARTITION BY ' || partition_key;
	schema regnamespace := quote_ident((parse_ident(partition))[1]);
	made regclass;
BEGIN
	IF num_nulls(parent, partition) > 0 THEN
		RAISE EXCEPTION 'parent and partition may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF storage IS NULL THEN
		SELECT concat_ws(' ', 'USING ' || quote_ident(a.amname), 'TABLESPACE ' || quote_ident(t.spcname)) INTO storage
		FROM pg_class c
			LEFT JOIN pg_am a ON a.oid = c.relam
			LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace
		WHERE c.oid = coalesce(template, parent);
	END IF;
	EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY) %s',
		partition, CASE WHEN partition_key IS NULL THEN coalesce(template, parent) ELSE parent END, storage);
	-- a schema that is renamed meanwhile may have another table of this name, somebody else's or older than this transaction
	made := partition;
	PERFORM uidext_internal.uuid_partition_check_owner(made);
	PERFORM uidext_internal.uuid_partition_confirm(made,
		EXISTS (SELECT FROM pg_class WHERE oid = made AND relnamespace = schema AND age(xmin) <= 0));
	RETURN made;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_table(regclass, text, text, regclass) IS
	'makes a table of a qualified and quoted name like the parent or a template, ready to be attached to the parent, partitioned itself unless its key is NULL; raises 22004, 40001 where the name has come to be another table''s, and what the server does';

CREATE FUNCTION uidext_internal.uuid_partition_attach(parent regclass, partition regclass, bound text) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bound);
	PERFORM uidext_internal.uuid_partition_confirm(partition,
		EXISTS (SELECT FROM pg_inherits WHERE inhrelid = partition AND inhparent = parent));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_attach(regclass, regclass, text) IS
	'attaches a table to a parent with a bound as pg_get_expr(relpartbound) shows it; raises 40001 where their names have come to be other tables'', and what the server does';

CREATE FUNCTION uidext_internal.uuid_partition_qualified(relation regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('%I.%I', n.nspname, c.relname)
	FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_qualified(regclass) IS
	'qualified and quoted name of a table, whatever the search_path; NULL when it is not there';

CREATE FUNCTION uidext_internal.uuid_partition_sizes(partitions regclass[], OUT partition regclass, OUT rows bigint, OUT bytes bigint) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.oid::regclass,
		CASE WHEN pg_catalog.count(leaf.relid) = pg_catalog.count(size.rows) THEN coalesce(sum(size.rows), 0)::bigint END,
		CASE WHEN pg_catalog.count(leaf.relid) = pg_catalog.count(size.bytes) THEN coalesce(sum(size.bytes), 0)::bigint END
	FROM pg_catalog.pg_class p
		LEFT JOIN LATERAL (
			SELECT p.oid WHERE p.relkind <> 'p'
			UNION ALL
			SELECT t.relid::oid FROM pg_partition_tree(CASE p.relkind WHEN 'p' THEN p.oid::regclass END) t WHERE t.isleaf
		) leaf(relid) ON true
		LEFT JOIN pg_catalog.pg_class c ON c.oid = leaf.relid
		LEFT JOIN LATERAL uidext_internal.uuid_citus_size(
			CASE WHEN (SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL) THEN c.oid::regclass END) d ON true
		LEFT JOIN LATERAL (SELECT
			CASE WHEN d.is_distributed THEN d.rows
				WHEN c.relkind <> 'f' AND pg_relation_size(c.oid::regclass) = 0 THEN 0
				ELSE coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), nullif(c.reltuples, (-1)::real)::bigint)
			END,
			CASE WHEN d.is_distributed THEN d.bytes ELSE pg_total_relation_size(c.oid::regclass) END
		) size(rows, bytes) ON true
	WHERE p.oid = ANY (partitions::oid[])
	GROUP BY p.oid;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_sizes(regclass[]) IS
	'rows of partitions as last estimated (NULL when they never were) and bytes with indexes and TOAST, sub-partitions included; both NULL while a node of Citus does not answer';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_partition_check_template(parent regclass, template regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	wrong record;
BEGIN
	IF NOT EXISTS (SELECT FROM pg_class WHERE oid = template AND relkind = 'r') THEN
		RAISE EXCEPTION 'template % is not an ordinary table', template
			USING ERRCODE = 'wrong_object_type',
				HINT = 'Take a partition, or an empty table that was made LIKE the partitioned one.';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_owner(template);
	-- or its grants would give more than it does
	IF (SELECT relrowsecurity FROM pg_class WHERE oid = template) THEN
		RAISE EXCEPTION 'template % has row level security', template
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'Policies are those of the partitioned table: take a template without.';
	END IF;
	SELECT coalesce(t.attname, p.attname) AS attname,
		format_type(t.atttypid, t.atttypmod) || CASE WHEN t.attgenerated <> '' THEN ' GENERATED ALWAYS' ELSE '' END AS type
	INTO wrong
	FROM (SELECT * FROM pg_attribute WHERE attrelid = template AND attnum > 0 AND NOT attisdropped) t
		FULL JOIN (SELECT * FROM pg_attribute WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped) p
			ON (p.attname, p.atttypid, p.atttypmod, p.attcollation, p.attgenerated)
				= (t.attname, t.atttypid, t.atttypmod, t.attcollation, t.attgenerated)
	WHERE p.attname IS NULL OR t.attname IS NULL
	ORDER BY t.attnum NULLS LAST, p.attnum
	LIMIT 1;
	IF wrong.type IS NOT NULL THEN
		RAISE EXCEPTION 'template % has a column "%" of type %, table % has none', template, wrong.attname, wrong.type, parent
			USING ERRCODE = 'datatype_mismatch';
	ELSIF wrong.attname IS NOT NULL THEN
		RAISE EXCEPTION 'template % lacks column "%" of table %', template, wrong.attname, parent
			USING ERRCODE = 'datatype_mismatch', HINT = 'ALTER TABLE ... ADD COLUMN, or take a partition as the template.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_template(regclass, regclass) IS
	'an error 55000 for a template with row level security; raises 42809 for one that is no ordinary table, 42501 for one of another owner, 42804 for columns that are not the parent''s';

CREATE FUNCTION uidext_internal.uuid_partition_storage_commands(partition regclass, template regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('ALTER TABLE %s SET (%s%I = %L)', partition, o.namespace, split_part(o.option, '=', 1), substr(o.option, strpos(o.option, '=') + 1))
	FROM (
		SELECT '' AS namespace, pg_catalog.unnest(c.reloptions) AS option FROM pg_catalog.pg_class c WHERE c.oid = template::oid
		UNION ALL
		SELECT 'toast.', pg_catalog.unnest(t.reloptions) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_class t ON t.oid = c.reltoastrelid
		WHERE c.oid = template::oid
	) o
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s ALTER COLUMN %I SET %s', partition, a.attname, s.setting)
	FROM pg_catalog.pg_attribute a CROSS JOIN LATERAL (
		SELECT 'STATISTICS ' || a.attstattarget::text WHERE a.attstattarget >= 0
		UNION ALL
		-- the two that people set; a server may keep others there
		SELECT pg_catalog.format('(%I = %L)', split_part(o.option, '=', 1), split_part(o.option, '=', 2)) FROM pg_catalog.unnest(a.attoptions) o(option)
		WHERE split_part(o.option, '=', 1) IN ('n_distinct', 'n_distinct_inherited')
	) s(setting)
	WHERE a.attrelid = template::oid AND a.attnum > 0 AND NOT a.attisdropped;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_storage_commands(regclass, regclass) IS
	'commands that give a new partition the storage parameters and statistics targets of a template';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_partition_access_commands(partition regclass, template regclass) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT DISTINCT pg_catalog.format('REVOKE ALL ON %s FROM %s', partition, CASE a.grantee WHEN 0::oid THEN 'PUBLIC' ELSE quote_ident(r.rolname::text) END)
	FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
	WHERE c.oid = partition::oid AND a.grantee <> c.relowner AND (a.grantee = 0::oid OR r.oid IS NOT NULL)
	UNION ALL
	SELECT pg_catalog.format('GRANT %s%s ON %s TO %s%s', a.privilege_type, '(' || quote_ident(g.attname::text) || ')', partition,
		CASE a.grantee WHEN 0::oid THEN 'PUBLIC' ELSE quote_ident(r.rolname::text) END, CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
	FROM (
		SELECT c.relowner, NULL::name AS attname, c.relacl AS acl FROM pg_catalog.pg_class c WHERE c.oid = template::oid
		UNION ALL
		SELECT c.relowner, t.attname, t.attacl FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid
		WHERE c.oid = template::oid
	) g CROSS JOIN LATERAL aclexplode(g.acl) a LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
	WHERE a.grantee <> g.relowner AND (a.grantee = 0::oid OR r.oid IS NOT NULL)
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s REPLICA IDENTITY %s', partition, CASE c.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END)
	FROM pg_catalog.pg_class c
	WHERE c.oid = template::oid AND c.relreplident IN ('f', 'n')
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s REPLICA IDENTITY USING INDEX %I', partition, i.relname)
	FROM pg_catalog.pg_index t
		JOIN pg_catalog.pg_index x ON x.indrelid = partition::oid
			AND (SELECT count(*) FROM pg_catalog.pg_index y WHERE y.indrelid = x.indrelid AND y.indexrelid < x.indexrelid)
				= (SELECT count(*) FROM pg_catalog.pg_index y WHERE y.indrelid = t.indrelid AND y.indexrelid < t.indexrelid)
		JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
	WHERE t.indrelid = template::oid AND t.indisreplident;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_access_commands(regclass, regclass) IS
	'commands that give a new partition the grants and the replica identity of a template, before more indexes come to it';

CREATE FUNCTION uidext_internal.uuid_partition_run(commands text[]) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	command text;
BEGIN
	FOREACH command IN ARRAY commands LOOP
		EXECUTE command;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_run(text[]) IS
	'runs commands, one after the other; raises what they raise';

CREATE FUNCTION uidext_internal.uuid_partition_check_neighbour(parent regclass, neighbour regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	divided regclass := (
		WITH RECURSIVE beneath(oid) AS (
			SELECT neighbour::oid
			UNION ALL
			SELECT i.inhrelid FROM beneath b JOIN pg_inherits i ON i.inhparent = b.oid
		)
		SELECT d.partrelid
		FROM beneath b
			JOIN pg_partitioned_table d ON d.partrelid = b.oid AND d.partstrat = 'r'
			JOIN pg_attribute a ON a.attrelid = d.partrelid AND a.attnum = ANY (d.partattrs)
			JOIN pg_partitioned_table p ON p.partrelid = parent
			JOIN pg_attribute k ON k.attrelid = p.partrelid AND k.attnum = p.partattrs[0] AND k.attname = a.attname
		-- a default partition alone holds all time
		WHERE d.partdefid = 0 OR EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = d.partrelid AND i.inhrelid <> d.partdefid)
		LIMIT 1);
BEGIN
	IF divided IS NOT NULL THEN
		RAISE EXCEPTION 'partition % is partitioned by range of the same column', divided
			USING ERRCODE = 'feature_not_supported',
				DETAIL = 'New partitions are like their neighbours, and what is beneath this one holds its own time alone.',
				HINT = 'Make the period by hand, and what is beneath it by uuid_partition_create().';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_neighbour(regclass, regclass) IS
	'raises 0A000 for a neighbour that is divided by the column that divides the table, into periods that are not those of a new partition';

CREATE FUNCTION uidext_internal.uuid_partition_like(parent regclass, partition text, template regclass, neighbour regclass) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	made regclass;
	beneath record;
BEGIN
	IF (SELECT relkind FROM pg_class WHERE oid = neighbour) IS DISTINCT FROM 'p' THEN
		made := uidext_internal.uuid_partition_table(parent, partition, NULL::text, template);
		PERFORM uidext_internal.uuid_partition_run(ARRAY(
			SELECT uidext_internal.uuid_partition_storage_commands(made, template)
			UNION ALL
			SELECT uidext_internal.uuid_partition_access_commands(made, template)));
		RETURN made;
	END IF;

	made := uidext_internal.uuid_partition_table(parent, partition, pg_get_partkeydef(neighbour), NULL::regclass);
	FOR beneath IN
		SELECT c.oid::regclass AS partition, c.relkind, pg_get_expr(c.relpartbound, 0::oid) AS bound,
			CASE WHEN starts_with(c.relname, n.relname || '_') THEN substr(c.relname, length(n.relname) + 2) ELSE c.relname END AS suffix
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class n ON n.oid = i.inhparent
		WHERE i.inhparent = neighbour
		ORDER BY c.relname
	LOOP
		IF beneath.relkind = 'f' THEN
			RAISE EXCEPTION 'partition % is a foreign table', beneath.partition
				USING ERRCODE = 'feature_not_supported',
					DETAIL = 'New partitions are like their neighbours, and this one is on another server.',
					HINT = 'Make the period there, and here by iuid_partition_create() or by hand.';
		END IF;
		PERFORM uidext_internal.uuid_partition_attach(made, uidext_internal.uuid_partition_like(made,
			uidext_internal.uuid_partition_name(made, beneath.suffix), template, beneath.partition), beneath.bound);
	END LOOP;
	RETURN made;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_like(regclass, text, regclass, regclass) IS
	'makes a table like the parent, or a template, and partitioned as a neighbour is, and returns it; 0A000 where a partition of the neighbour is a foreign table; raises as uuid_partition_table()';

CREATE OR REPLACE FUNCTION uuid_partition_bounds(
	start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	OUT from_time timestamptz, OUT to_time timestamptz, OUT from_id uuid, OUT to_id uuid
) RETURNS SETOF record
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- local time, so that a day is a day and a month a month also when clocks change
	-- and a midnight that the clocks leave out is 01:00, and begins the day all the same
	local_start timestamp := CASE WHEN date_trunc('day', start AT TIME ZONE tz) AT TIME ZONE tz = start
		THEN date_trunc('day', start AT TIME ZONE tz) ELSE start AT TIME ZONE tz END;
	next_time timestamptz := start;
	i int := 0;
BEGIN
	IF NOT isfinite(start) OR NOT isfinite(stop) OR start >= stop THEN
		RAISE EXCEPTION 'start must be before stop, and both finite'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('start is %s, stop is %s.', start, stop);
	END IF;
	-- each unit by itself, because months less days may go either way
	IF NOT isfinite(step) OR step < '1 ms'
		OR least(date_part('year', step), date_part('month', step), date_part('day', step),
			date_part('hour', step), date_part('minute', step), date_part('second', step)) < 0
	THEN
		RAISE EXCEPTION 'step must be finite, a millisecond or more, and no unit of it negative'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('step is %s.', step);
	END IF;

	WHILE next_time < stop LOOP
		to_time := next_time;
		LOOP
			i := i + 1;
			-- from the start each time: adding to a sum would turn January 31 into the 28th for good
			next_time := (local_start + step * i) AT TIME ZONE tz;
			-- local times that a change to summer time leaves out are not later
			EXIT WHEN next_time > to_time;
		END LOOP;
		from_time := to_time;
		to_time := next_time;
		from_id := @extschema@.uuid_boundary(from_time);
		to_id := @extschema@.uuid_boundary(to_time);
		RETURN NEXT;
	END LOOP;
END
$$;

CREATE FUNCTION uidext_internal.uuid_partition_steps(start timestamptz, stop timestamptz, step interval) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN isfinite(start) AND isfinite(stop) AND step > '0'
		THEN date_part(text 'epoch', stop - start) / date_part(text 'epoch', step)
		ELSE 0
	END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_steps(timestamptz, timestamptz, interval) IS
	'about how many steps lead from a time to another; 0 where that cannot be said';

CREATE FUNCTION uidext_internal.uuid_partition_check_start(start timestamptz, stop timestamptz, step interval, tz text) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF step >= interval '1 day' AND date_trunc('day', start AT TIME ZONE tz) AT TIME ZONE tz <> start AND isfinite(start) THEN
		RAISE EXCEPTION 'start is no midnight in time zone "%"', tz
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('It is %s in "%s", and %s in "%s", the session''s.', start AT TIME ZONE tz, tz,
					start AT TIME ZONE current_setting('TimeZone'), current_setting('TimeZone')),
				HINT = 'Write the zone with the time (''2026-01-01 00:00+00''), or give tz.';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_number(uidext_internal.uuid_partition_steps(start, stop, step));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_start(timestamptz, timestamptz, interval, text) IS
	'raises 22023 for a start that is no midnight where the step is a day or longer, and for more than 10,000 steps';

CREATE FUNCTION uidext_internal.uuid_partition_check_number(partitions float8) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF partitions > 10000 THEN
		RAISE EXCEPTION 'that would be more than 10,000 partitions'
			USING ERRCODE = 'invalid_parameter_value', HINT = 'Take a longer step, or make them in several calls.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_number(float8) IS
	'raises 22023 for more than 10,000';

CREATE FUNCTION uidext_internal.uuid_partition_newest(parent regclass, layout text) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partition FROM uidext_internal.uuid_partition_ranges(parent, layout) p
	WHERE NOT p.detach_pending
	ORDER BY p.from_time DESC
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_newest(regclass, text) IS
	'the range partition that begins last, or NULL';

CREATE FUNCTION uidext_internal.uuid_partition_make(
	parent regclass, layout text, from_time timestamptz, to_time timestamptz, suffix text, template regclass, neighbour regclass
) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bound text := format('FOR VALUES FROM (%L) TO (%L)',
		uidext_internal.uuid_partition_boundary(layout, from_time),
		uidext_internal.uuid_partition_boundary(layout, to_time));
	partition regclass;
BEGIN
	PERFORM uidext_internal.uuid_partition_check_neighbour(parent, neighbour);
	-- made apart and then attached, which leaves the parent open for reading and writing
	partition := uidext_internal.uuid_partition_like(parent, uidext_internal.uuid_partition_name(parent, suffix), template, neighbour);
	PERFORM uidext_internal.uuid_partition_attach(parent, partition, bound);
	RETURN partition;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_make(regclass, text, timestamptz, timestamptz, text, regclass, regclass) IS
	'makes the partition of one period, like a template and a neighbour unless these are NULL, and returns it; raises as uuid_partition_create()';

CREATE FUNCTION uidext_internal.uuid_partition_create_once(
	parent regclass, layout text, start timestamptz, stop timestamptz, step interval, tz text, template regclass
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '200ms'
AS $$
DECLARE
	neighbour regclass := uidext_internal.uuid_partition_newest(parent, layout);
	missing record;
BEGIN
	PERFORM uidext_internal.uuid_partition_brief();
	FOR missing IN
		SELECT b.from_time, b.to_time
		FROM @extschema@.uuid_partition_bounds(start, stop, step, tz) b
			LEFT JOIN uidext_internal.uuid_partition_ranges(parent, layout) p ON NOT p.detach_pending
				AND p.from_id = uidext_internal.uuid_partition_boundary(layout, b.from_time)
				AND p.to_id = uidext_internal.uuid_partition_boundary(layout, b.to_time)
		WHERE p.partition IS NULL
		ORDER BY b.from_time
	LOOP
		RETURN NEXT uidext_internal.uuid_partition_make(parent, layout, missing.from_time, missing.to_time,
			uidext_internal.uuid_partition_suffix(missing.from_time, step, tz), template, neighbour);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_create_once(regclass, text, timestamptz, timestamptz, interval, text, regclass) IS
	'one attempt of uuid_partition_create(), with 55P03 when others keep it waiting';

CREATE OR REPLACE FUNCTION uuid_partition_create(
	parent regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC', template regclass DEFAULT NULL
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	deadline timestamptz := uidext_internal.uuid_partition_deadline();
BEGIN
	IF num_nulls(parent, start, stop, step, tz) > 0 THEN
		RAISE EXCEPTION 'no argument but template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	key := uidext_internal.uuid_partition_key(parent);
	PERFORM uidext_internal.uuid_partition_check_start(start, stop, step, tz);
	PERFORM uidext_internal.uuid_partition_lock(parent);
	PERFORM uidext_internal.uuid_partition_check_template(parent, template);
	LOOP
		BEGIN
			RETURN QUERY SELECT * FROM uidext_internal.uuid_partition_create_once(parent, key.layout, start, stop, step, tz, template);
			RETURN;
		EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
			IF NOT uidext_internal.uuid_partition_again(deadline) THEN
				RAISE;
			END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_create(regclass, timestamptz, timestamptz, interval, text, regclass) IS
	'makes the missing range partitions of one step from start until stop and returns them; they are like a template and the newest partition; 55P03 when others keep it waiting; raises 42809 for a table that is not partitioned by range on one uuid column, 42501 for callers who are not its owner, 22023 for more than 10,000 partitions, or a step of days or longer from a start that is no midnight in tz, 22008 for times that no id holds';

DROP FUNCTION @extschema@.uuid_partition_list(regclass);
CREATE FUNCTION uuid_partition_list(
	parent regclass,
	OUT partition regclass, OUT kind text, OUT from_time timestamptz, OUT to_time timestamptz,
	OUT rows bigint, OUT bytes bigint, OUT note text
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH key AS (
		-- not a join: that could find no row of the table before asking for its key
		SELECT k.column_name, k.layout, (
			SELECT nullif(p.partdefid, 0::oid)::regclass FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = parent::oid
		) AS default_partition
		FROM uidext_internal.uuid_partition_key(parent) k
	), period AS (
		SELECT p.*, pg_catalog.lag(p.to_id) OVER w AS previous_id, pg_catalog.lag(p.to_time) OVER w AS previous_time
		FROM key k, uidext_internal.uuid_partition_ranges(parent, k.layout) p
		WINDOW w AS (ORDER BY p.from_time, p.to_time)
	), size AS (
		SELECT s.*
		FROM key k, uidext_internal.uuid_partition_sizes(ARRAY(SELECT p.partition FROM period p UNION ALL SELECT k.default_partition)) s
	)
	SELECT line.*
	FROM (
		SELECT p.partition, 'partition', p.from_time, p.to_time, s.rows, s.bytes, CASE WHEN p.detach_pending THEN 'detach pending' END
		FROM period p JOIN size s ON s.partition::oid = p.partition::oid
		UNION ALL
		SELECT NULL, 'gap', p.previous_time, p.from_time, 0, 0,
			CASE WHEN uidext_internal.uuid_partition_may_look(k.default_partition) IS FALSE
				THEN 'default partition not looked into'
				WHEN uidext_internal.uuid_partition_edge(k.default_partition, k.column_name, p.previous_id, p.from_id, false) IS NOT NULL
				THEN 'rows in the default partition'
			END
		FROM key k, period p
		WHERE p.previous_id <> p.from_id
		UNION ALL
		SELECT k.default_partition, 'default',
			uidext_internal.uuid_partition_boundary_time(k.layout,
				uidext_internal.uuid_partition_edge(k.default_partition, k.column_name, NULL::text, NULL::text, false)),
			uidext_internal.uuid_partition_boundary_time(k.layout,
				uidext_internal.uuid_partition_edge(k.default_partition, k.column_name, NULL::text, NULL::text, true)),
			s.rows, s.bytes, CASE WHEN NOT uidext_internal.uuid_partition_may_look(k.default_partition) THEN 'not looked into' END
		FROM key k JOIN size s ON s.partition::oid = k.default_partition::oid
	) line(partition, kind, from_time, to_time, rows, bytes, note)
	ORDER BY line.kind = 'default', line.from_time, line.to_time;
END;
COMMENT ON FUNCTION uuid_partition_list(regclass) IS
	'the range partitions in the order of time with estimated rows and bytes, the gaps between them, and the default partition; kind is partition, gap or default; for its owner with the times of the default partition''s first and last id; reads only catalogs and statistics for others, and says so; raises 42809 as uuid_partition_create()';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_partition_remove(parent regclass, partition regclass, detach_only bool) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- an older snapshot may show a row twice: as it was, and as this transaction has changed it since
	kind text := (SELECT DISTINCT CASE relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END FROM pg_class WHERE oid = partition);
BEGIN
	IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = partition AND inhparent = parent AND inhdetachpending) THEN
		RAISE EXCEPTION 'partition % waits to be detached', partition
			USING ERRCODE = 'object_in_use',
				HINT = format('Unless a session is at it: ALTER TABLE %s DETACH PARTITION %s FINALIZE', parent, partition);
	END IF;
	-- what is no longer there cannot be detached
	PERFORM uidext_internal.uuid_partition_confirm(partition,
		EXISTS (SELECT FROM pg_partition_ancestors(partition) a WHERE a.relid = parent));
	EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, partition);
	-- A snapshot shows a row as it was while others have changed it since: bounds, which
	-- it then knows of before, too.  What this transaction alone has changed it shows as
	-- it is, and that is a partition no longer.
	PERFORM uidext_internal.uuid_partition_confirm(partition,
		NOT EXISTS (SELECT FROM pg_class WHERE oid = partition AND relispartition));
	IF NOT detach_only THEN
		EXECUTE format('DROP %s %s', kind, partition);
		PERFORM uidext_internal.uuid_partition_confirm(partition, NOT EXISTS (SELECT FROM pg_class WHERE oid = partition));
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_remove(regclass, regclass, bool) IS
	'drops one partition, or only detaches it; 55006 where that has begun, 40001 where others have changed it since the transaction''s snapshot; raises what the server does';

CREATE FUNCTION uidext_internal.uuid_partition_drop_once(
	parent regclass, old uidext_internal.uuid_partition_period[], detach_only bool, dry_run bool,
	OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint, OUT bytes bigint
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '200ms'
AS $$
DECLARE
	period record;
BEGIN
	PERFORM uidext_internal.uuid_partition_brief();
	FOR period IN
		SELECT p.partition, p.from_time, p.to_time, s.rows, s.bytes
		FROM unnest(old) p JOIN uidext_internal.uuid_partition_sizes(ARRAY(SELECT o.partition FROM unnest(old) o)) s ON s.partition = p.partition
		ORDER BY p.from_time, p.to_time
	LOOP
		partition := period.partition::text;
		from_time := period.from_time;
		to_time := period.to_time;
		rows := period.rows;
		bytes := period.bytes;
		IF NOT dry_run THEN
			PERFORM uidext_internal.uuid_partition_remove(parent, period.partition, detach_only);
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_drop_once(regclass, uidext_internal.uuid_partition_period[], bool, bool) IS
	'one attempt of uuid_partition_drop(), with 55P03 when others keep it waiting';

CREATE FUNCTION uuid_partition_drop(
	parent regclass, older_than timestamptz, detach_only bool DEFAULT false, dry_run bool DEFAULT false,
	OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint, OUT bytes bigint
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	periods uidext_internal.uuid_partition_period[];
	deadline timestamptz := uidext_internal.uuid_partition_deadline();
BEGIN
	IF num_nulls(parent, older_than, detach_only, dry_run) > 0 THEN
		RAISE EXCEPTION 'no argument may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_age(older_than);
	periods := uidext_internal.uuid_partition_begin(parent, (uidext_internal.uuid_partition_key(parent)).layout, older_than, NULL::int, dry_run);
	LOOP
		BEGIN
			FOR partition, from_time, to_time, rows, bytes IN
				SELECT * FROM uidext_internal.uuid_partition_drop_once(parent,
					ARRAY(SELECT p FROM unnest(periods) p WHERE p.to_time <= older_than), detach_only, dry_run)
			LOOP
				IF NOT dry_run THEN
					RAISE LOG 'partition % of table % is % unless this is rolled back', partition, parent, CASE WHEN detach_only THEN 'detached' ELSE 'dropped' END;
				END IF;
				RETURN NEXT;
			END LOOP;
			RETURN;
		EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
			IF NOT uidext_internal.uuid_partition_again(deadline) THEN
				RAISE;
			END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partition_drop(regclass, timestamptz, bool, bool) IS
	'drops the range partitions that end at or before a time, or only detaches them, and returns what went, or with dry_run what would go; never the default partition; 55006 for one that waits to be detached, 40001 for one that others have changed since the transaction''s snapshot, 55P03 when others keep it waiting; raises 22023 for a time in the future, 42501 for callers who are not the owner';

CREATE FUNCTION uidext_internal.uuid_partition_missing(
	periods uidext_internal.uuid_partition_period[], step interval, ahead int, kept_since timestamptz, tz text,
	OUT from_time timestamptz, OUT to_time timestamptz, OUT suffix text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- up to where all is covered, and up to where it shall be
	covered timestamptz;
	target timestamptz;
BEGIN
	-- the period of today: a partition's, or the one to come after the last
	SELECT p.to_time, p.to_time INTO covered, target
	FROM unnest(periods) p
	WHERE p.from_time <= now() AND p.to_time > now();
	IF NOT FOUND THEN
		-- after a long outage nothing is made that would be dropped at once
		SELECT CASE WHEN count(*) = 0 THEN uidext_internal.uuid_partition_origin(now(), step, tz)
				ELSE greatest(max(p.to_time), uidext_internal.uuid_partition_origin(kept_since, step, tz)) END
		INTO covered
		FROM unnest(periods) p
		WHERE p.to_time <= now();
		PERFORM uidext_internal.uuid_partition_check_number(uidext_internal.uuid_partition_steps(covered, now(), step));
		SELECT max(b.to_time) INTO target
		FROM @extschema@.uuid_partition_bounds(covered, now() + interval '1 microsecond', step, tz) b;
	END IF;
	target := uidext_internal.uuid_partition_add(target, step * ahead, tz);
	PERFORM uidext_internal.uuid_partition_check_number(uidext_internal.uuid_partition_steps(covered, target, step));

	-- what does not fit before the next partition is cut short
	RETURN QUERY
		WITH gap AS (
			SELECT coalesce(lag(p.to_time) OVER w, covered) AS start, p.from_time AS stop
			FROM unnest(periods) p
			WHERE p.to_time > covered
			WINDOW w AS (ORDER BY p.from_time, p.to_time)
			UNION ALL
			SELECT greatest(max(p.to_time), covered), 'infinity'
			FROM unnest(periods) p
		)
		SELECT b.from_time, least(b.to_time, g.stop),
			uidext_internal.uuid_partition_suffix(b.from_time, CASE WHEN b.to_time > g.stop THEN g.stop - b.from_time ELSE step END, tz)
		FROM gap g,
			@extschema@.uuid_partition_bounds(g.start, CASE WHEN g.start < least(g.stop, target) THEN least(g.stop, target) END, step, tz) b
		ORDER BY b.from_time;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_missing(uidext_internal.uuid_partition_period[], interval, int, timestamptz, text) IS
	'the periods that uuid_partition_maintain() makes partitions for, with the ends of their names; raises as uuid_partition_bounds()';

CREATE FUNCTION uidext_internal.uuid_partition_warn(parent regclass, partition text, action text, problem text) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- by the SQLSTATE, because the words are in the language of the server
	hint text := CASE left(problem, 5)
		WHEN '23514' THEN 'uuid_partition_drain() brings rows out of the default partition.'
		WHEN '23503' THEN 'Rows to which a foreign key refers cannot leave while it is there.'
		WHEN '55006' THEN format('Unless a session is at it: ALTER TABLE %s DETACH PARTITION %s FINALIZE', parent, partition)
	END;
BEGIN
	IF hint IS NULL
		OR starts_with(problem, '23514') AND uidext_internal.uuid_partition_default(parent) IS NULL
		OR starts_with(problem, '55006')
			AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(partition) AND inhparent = parent AND inhdetachpending)
	THEN
		RAISE WARNING 'partition % is %', partition, action USING DETAIL = problem;
	ELSE
		RAISE WARNING 'partition % is %', partition, action USING DETAIL = problem, HINT = hint;
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_warn(regclass, text, text, text) IS
	'warns of what uuid_partition_maintain() could not do with a table, or uuid_partition_drain(), which gives no table';

CREATE FUNCTION uidext_internal.uuid_partition_retire(
	parent regclass, old uidext_internal.uuid_partition_period[], detach_only bool, most int, obstacle text, dry_run bool,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	period record;
	tables bigint := 0;
	size bigint;
BEGIN
	FOR period IN
		SELECT p.*, p.partition::text AS name
		FROM unnest(old) p
		ORDER BY p.from_time, p.to_time
	LOOP
		EXIT WHEN tables >= most;
		action := CASE WHEN detach_only THEN 'detached' ELSE 'dropped' END;
		partition := period.name;
		from_time := period.from_time;
		to_time := period.to_time;
		problem := obstacle;
		BEGIN
			-- pg_partition_tree() would lock them, and wait
			size := (
				WITH RECURSIVE beneath(oid) AS (
					SELECT period.partition::oid
					UNION ALL
					SELECT i.inhrelid FROM beneath b JOIN pg_inherits i ON i.inhparent = b.oid
				)
				SELECT count(*) FROM beneath);
			IF obstacle IS NULL AND NOT dry_run THEN
				PERFORM uidext_internal.uuid_partition_remove(parent, period.partition, detach_only);
			END IF;
			-- not of what cannot go, which keeps no locks
			tables := tables + size;
		EXCEPTION WHEN OTHERS THEN
			IF NOT uidext_internal.uuid_partition_goes_on(SQLSTATE) THEN
				RAISE;
			END IF;
			problem := SQLSTATE || ': ' || SQLERRM;
		END;
		action := CASE WHEN problem IS NOT NULL THEN 'not ' WHEN dry_run THEN 'to be ' ELSE '' END || action;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_retire(regclass, uidext_internal.uuid_partition_period[], bool, int, text, bool) IS
	'drops or detaches some partitions, the oldest first, until these were so many tables, and says of each whether it went, or of an obstacle that keeps them all; raises what concerns more than a partition';

CREATE FUNCTION uidext_internal.uuid_partition_old(
	periods uidext_internal.uuid_partition_period[], kept_since timestamptz, template regclass
) RETURNS uidext_internal.uuid_partition_period[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	neighbour regclass := (SELECT p.partition FROM unnest(periods) p WHERE NOT p.detach_pending ORDER BY p.from_time DESC LIMIT 1);
	is_divided bool := EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = neighbour);
BEGIN
	RETURN ARRAY(
		SELECT p FROM unnest(periods) p
		WHERE p.to_time <= kept_since AND p.partition IS DISTINCT FROM template AND NOT (is_divided AND p.partition = neighbour));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_old(uidext_internal.uuid_partition_period[], timestamptz, regclass) IS
	'of some partitions those that end at or before a time, but for a template, and for the newest if it is partitioned itself';

CREATE FUNCTION uidext_internal.uuid_partition_extend(
	parent regclass, layout text, from_times timestamptz[], to_times timestamptz[], suffixes text[], template regclass, dry_run bool,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	neighbour regclass := CASE WHEN cardinality(from_times) > 0 THEN uidext_internal.uuid_partition_newest(parent, layout) END;
BEGIN
	FOR i IN 1 .. cardinality(from_times) LOOP
		partition := suffixes[i];
		from_time := from_times[i];
		to_time := to_times[i];
		problem := NULL;
		BEGIN
			partition := uidext_internal.uuid_partition_name(parent, suffixes[i]);
			IF dry_run THEN
				PERFORM uidext_internal.uuid_partition_check_neighbour(parent, neighbour);
			ELSE
				partition := uidext_internal.uuid_partition_make(parent, layout, from_time, to_time, suffixes[i], template, neighbour)::text;
			END IF;
		EXCEPTION WHEN OTHERS THEN
			IF NOT uidext_internal.uuid_partition_goes_on(SQLSTATE) THEN
				RAISE;
			END IF;
			problem := SQLSTATE || ': ' || SQLERRM;
		END;
		action := CASE WHEN problem IS NOT NULL THEN 'not created' WHEN dry_run THEN 'to be created' ELSE 'created' END;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_extend(regclass, text, timestamptz[], timestamptz[], text[], regclass, bool) IS
	'makes the partitions of some periods, and says of each whether it is there; raises what concerns more than a partition';

CREATE FUNCTION uidext_internal.uuid_partition_maintain_once(
	parent regclass, layout text, periods uidext_internal.uuid_partition_period[], old uidext_internal.uuid_partition_period[],
	step interval, ahead int, kept_since timestamptz,
	detach_only bool, tz text, template regclass, most int, obstacle text, dry_run bool,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '200ms'
AS $$
DECLARE
	missing record;
BEGIN
	PERFORM uidext_internal.uuid_partition_brief();
	-- what is missing depends on what was there
	SELECT coalesce(array_agg(m.from_time), '{}') AS from_times, coalesce(array_agg(m.to_time), '{}') AS to_times,
		coalesce(array_agg(m.suffix), '{}') AS suffixes
	INTO missing
	FROM uidext_internal.uuid_partition_missing(periods, step, ahead, kept_since, tz) m;

	-- Dropping locks the parent, and making a default partition: in the order of every reader,
	-- because the other way round they would wait for each other.
	RETURN QUERY SELECT * FROM uidext_internal.uuid_partition_retire(parent, old, detach_only, most, obstacle, dry_run);
	RETURN QUERY SELECT * FROM uidext_internal.uuid_partition_extend(parent, layout,
		missing.from_times, missing.to_times, missing.suffixes, template, dry_run);
	-- one that is being detached takes no rows, and keeps others from its period
	RETURN QUERY
		SELECT 'not created', p.partition::text, p.from_time, p.to_time, format('55006: partition %s waits to be detached', p.partition)
		FROM unnest(periods) p
		WHERE p.detach_pending AND p.to_time > now() AND p.from_time <= uidext_internal.uuid_partition_add(now(), step * ahead, tz)
		ORDER BY p.from_time;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_maintain_once(regclass, text, uidext_internal.uuid_partition_period[], uidext_internal.uuid_partition_period[], interval, int, timestamptz, bool, text, regclass, int, text, bool) IS
	'one attempt of uuid_partition_maintain(), with 55P03 when others keep it waiting';

CREATE FUNCTION uidext_internal.uuid_partition_kept_since(keep interval, tz text) RETURNS timestamptz
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF keep NOT BETWEEN '0' AND '5000 years' THEN
		RAISE EXCEPTION 'keep must be from 0 to 5,000 years'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('keep is %s.', keep);
	END IF;
	RETURN uidext_internal.uuid_partition_add(now(), -keep, tz);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_kept_since(interval, text) IS
	'the time up to which partitions are no longer kept; raises 22023 for what is below 0 or beyond what times hold';

CREATE FUNCTION uidext_internal.uuid_partition_check_plan(step interval, ahead int, keep interval, tz text) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF ahead < 0 OR NOT isfinite(keep) THEN
		RAISE EXCEPTION 'ahead must not be negative, nor keep infinite'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('ahead is %s, keep is %s.', ahead, coalesce(keep::text, 'NULL'));
	END IF;
	-- step and tz, also when there is nothing to make
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
	PERFORM uidext_internal.uuid_partition_check_number(ahead);
	IF keep < step THEN
		RAISE EXCEPTION 'keep must not be shorter than step'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('keep is %s, step is %s.', keep, step),
				HINT = 'Write ''6 months'' in full: ''6m'' is six minutes.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_plan(interval, int, interval, text) IS
	'raises 22023 for what would make a table''s upkeep a slip: a negative or huge ahead, a bad step or time zone, a keep that is infinite or shorter than step';

CREATE FUNCTION uuid_partition_maintain(
	parent regclass, step interval, ahead int DEFAULT 3, keep interval DEFAULT NULL,
	detach_only bool DEFAULT false, tz text DEFAULT 'UTC', template regclass DEFAULT NULL,
	dry_run bool DEFAULT false, strict bool DEFAULT false,
	OUT action text, OUT partition text, OUT from_time timestamptz, OUT to_time timestamptz, OUT problem text
) RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	kept_since timestamptz;
	periods uidext_internal.uuid_partition_period[];
	old uidext_internal.uuid_partition_period[];
	deadline timestamptz := uidext_internal.uuid_partition_deadline();
	-- tables, whose locks have room in any server
	most int := 100;
	obstacle text;
	problems text;
	left_over bigint;
BEGIN
	IF num_nulls(parent, step, ahead, detach_only, tz, dry_run, strict) > 0 THEN
		RAISE EXCEPTION 'no argument but keep and template may be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_plan(step, ahead, keep, tz);
	kept_since := uidext_internal.uuid_partition_kept_since(keep, tz);
	key := uidext_internal.uuid_partition_key(parent);
	periods := uidext_internal.uuid_partition_begin(parent, key.layout, kept_since, most, dry_run);
	PERFORM uidext_internal.uuid_partition_check_template(parent, template);
	old := uidext_internal.uuid_partition_old(periods, kept_since, template);
	left_over := cardinality(old);

	LOOP
		BEGIN
			FOR action, partition, from_time, to_time, problem IN
				SELECT * FROM uidext_internal.uuid_partition_maintain_once(parent, key.layout, periods, old, step, ahead,
					kept_since, detach_only, tz, template, most, obstacle, dry_run)
			LOOP
				IF problem IS NOT NULL THEN
					PERFORM uidext_internal.uuid_partition_warn(parent, partition, action, problem);
					problems := concat_ws(chr(10), problems, format('partition %s is %s: %s', partition, action, problem));
				ELSIF NOT dry_run THEN
					RAISE LOG 'partition % of table % is % unless this is rolled back', partition, parent, action;
				END IF;
				left_over := left_over - (action ~ '(dropped|detached)$')::int;
				RETURN NEXT;
			END LOOP;
			EXIT;
		EXCEPTION
			-- what keeps old partitions from going does not keep new ones from coming
			WHEN lock_not_available OR deadlock_detected THEN
				IF NOT uidext_internal.uuid_partition_again(deadline) THEN
					IF obstacle IS NOT NULL THEN
						RAISE;
					END IF;
					obstacle := '55P03: others keep the table locked';
					deadline := uidext_internal.uuid_partition_deadline();
				END IF;
			-- fewer tables, until it is one of so many that their locks have no room
			WHEN out_of_memory THEN
				IF obstacle IS NOT NULL THEN
					RAISE;
				ELSIF most > 1 THEN
					most := most / 10;
				ELSE
					obstacle := SQLSTATE || ': ' || SQLERRM;
				END IF;
		END;
	END LOOP;
	IF left_over > 0 THEN
		RAISE WARNING 'old partitions of table % are left for the next call: %', parent, left_over
			USING HINT = format('A call removes the oldest, until these were %s tables, because all of their locks are held at once.', most);
	END IF;
	IF strict AND problems IS NOT NULL THEN
		RAISE EXCEPTION 'not all partitions of table % could be maintained', parent
			USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = problems,
				HINT = 'Nothing has been changed. Without strict, all else is done.';
	END IF;
END
$$;
COMMENT ON FUNCTION uuid_partition_maintain(regclass, interval, int, interval, bool, text, regclass, bool, bool) IS
	'drops or detaches partitions that ended longer than keep ago, but for the newest if it is partitioned itself, the oldest 100 tables of them, or fewer where their locks have no room, leaving the rest to the next call with a warning, and makes the missing ones up to so many steps ahead; new ones are like a template and the newest partition; returns what it did, or with dry_run what it would do; warns of what it could not, or where strict ends with an error 55000; 55P03 when others keep it waiting; raises 22023 for a keep shorter than step, 42501 for callers who are not the owner';

DROP FUNCTION uidext_internal.uuid_partition_gap(regclass,text,timestamp with time zone,interval,text);
CREATE FUNCTION uidext_internal.uuid_partition_gap(
	parent regclass, layout text, at timestamptz, step interval, tz text,
	OUT from_time timestamptz, OUT to_time timestamptz, OUT free_until timestamptz, OUT suffix text
)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	epoch CONSTANT timestamptz := '1970-01-01 00:00:00+00';
	-- the week of the epoch began before it, and so did the month of a scheme's own
	earliest timestamptz := CASE WHEN layout IN ('uuid', 'ulid') THEN epoch
		ELSE @extschema@.uid_time(@extschema@.uid_boundary(timestamptz '-infinity', layout), layout) END;
	period record;
BEGIN
	at := greatest(at, earliest, epoch);
	SELECT b.from_time, b.to_time INTO period
	FROM @extschema@.uuid_partition_bounds(greatest(uidext_internal.uuid_partition_origin(at, step, tz), epoch),
		at + interval '1 microsecond', step, tz) b
	ORDER BY b.from_time DESC
	LIMIT 1;
	SELECT greatest(period.from_time, earliest, max(p.to_time) FILTER (WHERE p.to_time <= at)),
		coalesce(min(p.from_time) FILTER (WHERE p.from_time > at), 'infinity')
	INTO from_time, free_until
	FROM uidext_internal.uuid_partition_ranges(parent, layout) p;
	to_time := least(period.to_time, free_until);
	suffix := uidext_internal.uuid_partition_suffix(from_time,
		CASE WHEN (from_time, to_time) = (period.from_time, period.to_time) THEN step ELSE to_time - from_time END, tz);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_gap(regclass, text, timestamptz, interval, text) IS
	'the period of one step around a time that no partition holds, no earlier than ids are, when the next partition begins, and the end of its own one''s name';

DROP FUNCTION uidext_internal.uuid_partition_check_references(regclass);
CREATE FUNCTION uidext_internal.uuid_partition_check_references(rest regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	reference record;
BEGIN
	SELECT c.conname, c.conrelid::regclass AS "table" INTO reference
	FROM pg_constraint c
	WHERE c.contype = 'f' AND c.conparentid = 0 AND c.confrelid IN (SELECT t.relid FROM pg_partition_tree(rest) t)
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'foreign key "%" of table % refers to the default partition itself', reference.conname, reference."table"
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Let it refer to the partitioned table.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_references(regclass) IS
	'an error 55000 when a foreign key refers to a partition rather than to the partitioned table';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_partition_delete_triggers(source regclass, OUT disable text, OUT enable text)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('ALTER TABLE ONLY %s DISABLE TRIGGER %I', t.tgrelid::regclass, t.tgname),
		pg_catalog.format('ALTER TABLE ONLY %s ENABLE %s TRIGGER %I', t.tgrelid::regclass,
			CASE t.tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' END, t.tgname)
	FROM pg_partition_tree(source) p JOIN pg_catalog.pg_trigger t ON t.tgrelid = p.relid::oid
	-- row or statement, before or after; 8 is DELETE
	WHERE NOT t.tgisinternal AND t.tgtype::int & 8 <> 0 AND t.tgenabled <> 'D';
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_delete_triggers(regclass) IS
	'commands that keep the triggers of a table from firing when rows are deleted, and that let them fire again';

CREATE FUNCTION uidext_internal.uuid_partition_move_rows(source regclass, target regclass, condition text) RETURNS bigint
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	disable text[] := ARRAY(SELECT t.disable FROM uidext_internal.uuid_partition_delete_triggers(source) t);
	enable text[] := ARRAY(SELECT t.enable FROM uidext_internal.uuid_partition_delete_triggers(source) t);
	-- a column that the source alone generates keeps its values
	columns text := (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
		WHERE attrelid = target AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
	moved bigint;
BEGIN
	PERFORM uidext_internal.uuid_partition_run(disable);
	EXECUTE format(
		'WITH gone AS (DELETE FROM %1$s WHERE %3$s RETURNING %4$s), '
		'moved AS (INSERT INTO %2$s (%4$s) SELECT %4$s FROM gone RETURNING 1) '
		'SELECT count(*) FROM moved',
		source, target, condition, columns) INTO moved;
	PERFORM uidext_internal.uuid_partition_run(enable);
	RETURN moved;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_move_rows(regclass, regclass, text) IS
	'moves the rows that meet a condition from one table into another, no trigger noticing, and returns how many there were';

CREATE FUNCTION uidext_internal.uuid_partition_inside(relation regclass, column_name name, from_id text, to_id text) RETURNS text
	LANGUAGE sql STABLE STRICT
	RETURN uidext_internal.uuid_partition_comparison(relation, column_name, '>=', from_id) || ' AND '
		|| uidext_internal.uuid_partition_comparison(relation, column_name, '<', to_id);
COMMENT ON FUNCTION uidext_internal.uuid_partition_inside(regclass, name, text, text) IS
	'a condition that holds for the ids of a column from one bound up to another';

CREATE FUNCTION uidext_internal.uuid_partition_outside(relation regclass, column_name name, from_id text, to_id text) RETURNS text
	LANGUAGE sql STABLE STRICT
	RETURN uidext_internal.uuid_partition_comparison(relation, column_name, '<', from_id) || ' OR '
		|| uidext_internal.uuid_partition_comparison(relation, column_name, '>=', to_id) || ' OR ' || quote_ident(column_name::text) || ' IS NULL';
COMMENT ON FUNCTION uidext_internal.uuid_partition_outside(regclass, name, text, text) IS
	'a condition that holds for all ids of a column but those from one bound up to another, and for NULL';

CREATE FUNCTION uidext_internal.uuid_partition_is_small(relation regclass, condition text, most int) RETURNS bool
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	rows bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM (SELECT FROM %s WHERE %s LIMIT %s) few', relation, condition, most::bigint + 1) INTO rows;
	RETURN rows <= most;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_is_small(regclass, text, int) IS
	'whether a condition holds for no more than so many rows';

CREATE FUNCTION uidext_internal.uuid_partition_rename_commands(relation regclass, name text) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('ALTER INDEX %s RENAME TO %I', i.oid::regclass, renamed.relname)
	FROM pg_catalog.pg_index x
		JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
		JOIN pg_catalog.pg_class c ON c.oid = x.indrelid
		CROSS JOIN LATERAL (SELECT name || substr(i.relname::text, length(c.relname::text) + 1)) renamed(relname)
	WHERE x.indrelid = relation::oid AND starts_with(i.relname::text, c.relname::text || '_')
		AND octet_length(renamed.relname) <= current_setting('max_identifier_length')::int
		AND NOT EXISTS (SELECT FROM pg_catalog.pg_class o WHERE o.relnamespace = i.relnamespace AND o.relname = renamed.relname)
	UNION ALL
	SELECT pg_catalog.format('ALTER TABLE %s RENAME TO %I', relation, name);
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_rename_commands(regclass, text) IS
	'commands that give a table another name, and the indexes that are named after it';

CREATE FUNCTION uidext_internal.uuid_partition_trigger_states(partition regclass, OUT relation regclass, OUT state text) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT t.tgrelid::regclass, pg_catalog.format('%s TRIGGER %I',
		CASE t.tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE' END, t.tgname)
	FROM pg_catalog.pg_inherits i
		JOIN pg_catalog.pg_trigger parents ON parents.tgrelid = i.inhparent
		CROSS JOIN pg_partition_tree(partition) p
		JOIN pg_catalog.pg_trigger t ON t.tgrelid = p.relid::oid AND t.tgname = parents.tgname
	WHERE i.inhrelid = partition::oid AND t.tgparentid <> 0::oid AND NOT t.tgisinternal AND t.tgenabled <> parents.tgenabled;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_trigger_states(regclass) IS
	'what ALTER TABLE ONLY needs to give the triggers that a partition and what is beneath it have of its parent the states that they have, where these are not the parent''s';

CREATE FUNCTION uidext_internal.uuid_partition_carve(
	parent regclass, rest regclass, column_name name, from_id text, to_id text, suffix text,
	template regclass, neighbour regclass, moves_in bool, OUT partition regclass, OUT moved bigint
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bound text := format('FOR VALUES FROM (%L) TO (%L)', from_id, to_id);
	rest_name text := uidext_internal.uuid_partition_qualified(rest);
	relations regclass[];
	states text[];
	others regclass;
BEGIN
	PERFORM uidext_internal.uuid_partition_check_neighbour(parent, neighbour);
	SELECT array_agg(t.relation), array_agg(t.state) INTO relations, states FROM uidext_internal.uuid_partition_trigger_states(rest) t;
	EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, rest);
	IF moves_in THEN
		partition := uidext_internal.uuid_partition_like(parent, uidext_internal.uuid_partition_name(parent, suffix), template, neighbour);
		moved := uidext_internal.uuid_partition_move_rows(rest, partition,
			uidext_internal.uuid_partition_inside(rest, column_name, from_id, to_id));
		PERFORM uidext_internal.uuid_partition_attach(parent, partition, bound);
		PERFORM uidext_internal.uuid_partition_attach(parent, rest, 'DEFAULT');
		PERFORM uidext_internal.uuid_partition_run(ARRAY(SELECT format('ALTER TABLE ONLY %s %s', r, s) FROM unnest(relations, states) AS t(r, s)));
		RETURN;
	END IF;

	PERFORM uidext_internal.uuid_partition_run(ARRAY(SELECT uidext_internal.uuid_partition_rename_commands(rest, c.relname || '_' || suffix)))
	FROM pg_class c
	WHERE c.oid = parent;
	partition := rest;
	others := uidext_internal.uuid_partition_like(parent, rest_name, rest, NULL::regclass);
	-- whatever the owner's default privileges
	PERFORM uidext_internal.uuid_partition_run(ARRAY[format('GRANT ALL ON %s TO %I', others, pg_get_userbyid(c.relowner))])
	FROM pg_class c
	WHERE c.oid = others AND c.relacl IS NOT NULL;
	moved := uidext_internal.uuid_partition_move_rows(partition, others,
		uidext_internal.uuid_partition_outside(partition, column_name, from_id, to_id));
	PERFORM uidext_internal.uuid_partition_attach(parent, partition, bound);
	PERFORM uidext_internal.uuid_partition_attach(parent, others, 'DEFAULT');
	PERFORM uidext_internal.uuid_partition_run(ARRAY(
		SELECT format('ALTER TABLE ONLY %s %s', r, s) FROM unnest(ARRAY[partition, others]) r, unnest(states) s
		UNION ALL
		SELECT format('COMMENT ON TABLE %s IS %L', r.relation, r.comment)
		FROM obj_description(partition, 'pg_class') d, LATERAL (VALUES (others, d), (partition, NULL)) r(relation, comment)
		WHERE d IS NOT NULL));
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_carve(regclass, regclass, name, text, text, text, regclass, regclass, bool) IS
	'makes a partition of the rows between two bounds that the default partition holds: moves them, or else all others';

CREATE FUNCTION uidext_internal.uuid_partition_is_replaceable(rest regclass) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT NOT (
		EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = rest::oid AND c.relrowsecurity)
		-- rights that the owner has given up
		OR EXISTS (
			SELECT FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(pg_catalog.acldefault('r', c.relowner)) a
			WHERE c.oid = rest::oid AND NOT pg_catalog.has_table_privilege(c.relowner, c.oid, a.privilege_type))
		OR EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = rest::oid AND NOT t.tgisinternal AND t.tgparentid = 0::oid)
		OR EXISTS (SELECT FROM pg_catalog.pg_constraint f WHERE f.conrelid = rest::oid AND f.contype = 'f' AND f.conparentid = 0::oid)
		OR EXISTS (SELECT FROM pg_catalog.pg_subscription_rel s WHERE s.srrelid = rest::oid)
		-- functions and columns of its row type
		OR EXISTS (
			SELECT FROM pg_catalog.pg_type t JOIN pg_catalog.pg_depend d ON d.refobjid IN (t.oid, t.typarray)
			WHERE t.typrelid = rest::oid AND d.refclassid = 'pg_type'::regclass::oid AND d.deptype = 'n')
		-- rules and views, functions, policies, publications; sequences of its columns
		OR EXISTS (
			SELECT FROM pg_catalog.pg_depend d
			WHERE d.refclassid = 'pg_class'::regclass::oid AND d.refobjid = rest::oid
				AND (d.classid IN ('pg_rewrite'::regclass::oid, 'pg_proc'::regclass::oid, 'pg_policy'::regclass::oid, 'pg_publication_rel'::regclass::oid)
					OR d.classid = 'pg_class'::regclass::oid
						AND EXISTS (SELECT FROM pg_catalog.pg_class s WHERE s.oid = d.objid AND s.relkind = 'S')))
	);
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_is_replaceable(regclass) IS
	'whether a new table may take the name of a default partition: nothing is the table''s own, or made for it by name, that the new one would not have';

CREATE FUNCTION uidext_internal.uuid_partition_drain_plan(
	parent regclass, rest regclass, neighbour regclass, column_name name, layout text, step interval, tz text,
	at timestamptz, stop timestamptz, max_rows int,
	OUT from_id text, OUT to_id text, OUT next_id text, OUT suffix text, OUT until timestamptz, OUT moves_in bool, OUT possible bool
)
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	gap record := uidext_internal.uuid_partition_gap(parent, layout, at, step, tz);
	last_id text;
BEGIN
	from_id := uidext_internal.uuid_partition_boundary(layout, gap.from_time);
	to_id := uidext_internal.uuid_partition_boundary(layout, gap.to_time);
	-- ids count whole units of time: rounded down to these, a period may end before its rows
	IF uidext_internal.uuid_partition_boundary_time(layout, to_id) <= at THEN
		RAISE EXCEPTION 'step must be a multiple of the unit of time in ids'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('step is %s.', step),
				HINT = 'That is a millisecond, or the tick of a scheme.';
	END IF;
	next_id := to_id;
	suffix := gap.suffix;
	until := gap.to_time;
	moves_in := uidext_internal.uuid_partition_is_small(rest, uidext_internal.uuid_partition_inside(rest, column_name, from_id, to_id), max_rows);
	possible := moves_in;
	-- a table that is or ought to be partitioned itself cannot stay as it is
	IF moves_in OR EXISTS (SELECT FROM pg_class WHERE oid IN (rest, neighbour) AND relkind <> 'r')
		OR NOT uidext_internal.uuid_partition_is_replaceable(rest)
	THEN
		RETURN;
	END IF;

	-- the rows of several periods: all that come before the next partition
	IF NOT uidext_internal.uuid_partition_is_small(rest, uidext_internal.uuid_partition_outside(rest, column_name, from_id, to_id), max_rows) THEN
		last_id := uidext_internal.uuid_partition_edge(rest, column_name, from_id,
			uidext_internal.uuid_partition_boundary(layout, least(gap.free_until, stop)), true);
		-- no id lies between where stop falls within a unit of the ids' time
		gap := uidext_internal.uuid_partition_gap(parent, layout,
			greatest(at, uidext_internal.uuid_partition_boundary_time(layout, last_id)), step, tz);
		until := gap.to_time;
		to_id := uidext_internal.uuid_partition_boundary(layout, until);
	END IF;
	possible := uidext_internal.uuid_partition_is_small(rest, uidext_internal.uuid_partition_outside(rest, column_name, from_id, to_id), max_rows);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_drain_plan(regclass, regclass, regclass, name, text, interval, text, timestamptz, timestamptz, int) IS
	'the bounds of the partition to be made of the rows around a time in the default partition, the end of its name, whether they are few enough to be moved, or else the others; raises 22023 for a step that is no multiple of the ids'' unit of time';

CREATE FUNCTION uidext_internal.uuid_partition_drain_period(
	parent regclass, rest regclass, column_name name, layout text, step interval, tz text,
	at timestamptz, stop timestamptz, template regclass, max_rows int,
	OUT partition text, OUT done text, OUT problem text, OUT next_id text, OUT busy bool
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	neighbour regclass := uidext_internal.uuid_partition_newest(parent, layout);
	plan record;
	made record;
BEGIN
	busy := false;
	plan := uidext_internal.uuid_partition_drain_plan(parent, rest, neighbour, column_name, layout, step, tz, at, stop, max_rows);
	next_id := plan.next_id;
	partition := plan.suffix;
	partition := uidext_internal.uuid_partition_name(parent, plan.suffix);
	IF NOT plan.possible THEN
		RAISE EXCEPTION 'more than % rows would be moved under a lock', max_rows USING ERRCODE = 'program_limit_exceeded';
	END IF;
	-- a deferred constraint would fail at COMMIT, where nobody goes on with the next period
	SET CONSTRAINTS ALL IMMEDIATE;
	made := uidext_internal.uuid_partition_carve(parent, rest, column_name, plan.from_id, plan.to_id, plan.suffix,
		template, neighbour, plan.moves_in);
	partition := made.partition::text;
	done := CASE WHEN plan.moves_in THEN format('%s rows moved', made.moved)
		ELSE format('it was the default partition, and ends %s; %s rows moved', plan.until, made.moved) END;
EXCEPTION
	WHEN lock_not_available OR deadlock_detected THEN
		busy := true;
	WHEN OTHERS THEN
		-- without a plan there is no next period
		IF next_id IS NULL OR NOT uidext_internal.uuid_partition_goes_on(SQLSTATE) THEN
			RAISE;
		END IF;
		problem := SQLSTATE || ': ' || SQLERRM;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_drain_period(regclass, regclass, name, text, interval, text, timestamptz, timestamptz, regclass, int) IS
	'makes a partition of the rows around a time in the default partition, and says what it did or what kept it from that; next_id is where the next one begins; raises what concerns more than a partition';

CREATE FUNCTION uidext_internal.uuid_partition_drain_next(
	parent regclass, step interval, tz text, start timestamptz, stop timestamptz, after_id text, template regclass, max_rows int,
	OUT partition text, OUT done text, OUT problem text, OUT next_id text, OUT busy bool
)
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '3s'
AS $$
DECLARE
	key record;
	rest regclass;
	at timestamptz;
BEGIN
	IF num_nulls(parent, step, tz, max_rows) > 0 THEN
		RAISE EXCEPTION 'parent, step, tz and max_rows may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF max_rows < 0 THEN
		RAISE EXCEPTION 'max_rows must not be negative' USING ERRCODE = 'invalid_parameter_value';
	END IF;
	-- step and tz, also when there is nothing to drain
	PERFORM @extschema@.uuid_partition_bounds(now(), now() + interval '1 microsecond', step, tz);
	key := uidext_internal.uuid_partition_key(parent);
	busy := false;
	BEGIN
		-- of two callers at once the second finds the next period
		PERFORM uidext_internal.uuid_partition_lock(parent);
		PERFORM uidext_internal.uuid_partition_check_template(parent, template);
		rest := uidext_internal.uuid_partition_default(parent);
		PERFORM uidext_internal.uuid_partition_check_rest(rest);
		PERFORM uidext_internal.uuid_partition_check_publications(parent, rest);
		PERFORM uidext_internal.uuid_partition_calm(ARRAY[rest]);
		PERFORM uidext_internal.uuid_partition_brief();
		at := uidext_internal.uuid_partition_boundary_time(key.layout, uidext_internal.uuid_partition_edge(rest, key.column_name,
			coalesce(after_id, uidext_internal.uuid_partition_boundary(key.layout, start)), NULL::text, false));
	EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
		busy := true;
		RETURN;
	END;
	-- what lies further ahead is a stray, and no reason for a partition
	stop := coalesce(stop, (
		SELECT greatest(now(), max(p.to_time) FILTER (WHERE isfinite(p.to_time))) + step
		FROM uidext_internal.uuid_partition_ranges(parent, key.layout) p));
	IF at IS NULL OR at >= stop THEN
		RETURN;
	END IF;

	SELECT d.* INTO partition, done, problem, next_id, busy
	FROM uidext_internal.uuid_partition_drain_period(parent, rest, key.column_name, key.layout, step, tz, at, stop, template, max_rows) d;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_drain_next(regclass, interval, text, timestamptz, timestamptz, text, regclass, int) IS
	'makes a partition of the first rows after an id in the default partition; next_id is where the next one begins, NULL when there are no more; busy when others kept it from its locks';

CREATE FUNCTION uidext_internal.uuid_partition_check_rest(rest regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF NOT uidext_internal.uuid_partition_may_look(rest) THEN
		RAISE EXCEPTION 'not all rows of the default partition % are visible', rest
			USING ERRCODE = 'insufficient_privilege', DETAIL = 'Row security hides them from the owner, or it belongs to somebody else.',
				HINT = 'ALTER TABLE ... NO FORCE ROW LEVEL SECURITY while rows are moved.';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_references(rest);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_rest(regclass) IS
	'an error 55000 for a default partition that foreign keys refer to; raises 42501 for one whose rows the caller does not see';

CREATE FUNCTION uidext_internal.uuid_partition_check_publications(parent regclass, rest regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	moving regclass[] := ARRAY(SELECT t.relid FROM pg_partition_tree(rest) t);
	publication name := (
		SELECT p.pubname
		FROM pg_publication p
		WHERE p.pubviaroot AND (p.puballtables
			OR EXISTS (SELECT FROM pg_publication_rel r WHERE r.prpubid = p.oid AND r.prrelid = ANY (moving))
			OR EXISTS (
				SELECT FROM pg_publication_namespace n JOIN pg_class c ON c.relnamespace = n.pnnspid
				WHERE n.pnpubid = p.oid AND c.oid = ANY (parent || moving)))
		ORDER BY p.pubname
		LIMIT 1);
BEGIN
	IF publication IS NOT NULL AND EXISTS (SELECT FROM pg_class WHERE oid = rest AND relpersistence <> 't') THEN
		RAISE EXCEPTION 'publication "%" would publish rows that move as those of partitions', publication
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'It publishes through the partitioned table, whose subscribers need not know partitions.',
				HINT = 'A publication FOR TABLE, of the partitioned table, publishes no moves.';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_check_publications(regclass, regclass) IS
	'an error 55000 for a publication through the root that covers partitions by themselves: FOR ALL TABLES, FOR TABLES IN SCHEMA, or of the default partition';

CREATE PROCEDURE uuid_partition_drain(
	parent regclass, step interval, tz text DEFAULT 'UTC',
	start timestamptz DEFAULT NULL, stop timestamptz DEFAULT NULL, template regclass DEFAULT NULL, max_rows int DEFAULT 10000
)
	LANGUAGE plpgsql
AS $$
DECLARE
	made pg_catalog.record;
	next_id pg_catalog.text;
	deadline pg_catalog.timestamptz;
BEGIN
	LOOP
		deadline := uidext_internal.uuid_partition_deadline();
		LOOP
			made := uidext_internal.uuid_partition_drain_next(parent, step, tz, start, stop, next_id, template, max_rows);
			-- an attempt that failed gives up all that it had
			COMMIT;
			EXIT WHEN NOT made.busy;
			IF NOT uidext_internal.uuid_partition_again(deadline) THEN
				RAISE EXCEPTION 'others keep table % locked', parent
					USING ERRCODE = 'lock_not_available', HINT = 'What has been drained is. Call again when they have ended.';
			END IF;
		END LOOP;
		EXIT WHEN made.next_id IS NULL;
		next_id := made.next_id;
		IF made.problem IS NULL THEN
			RAISE NOTICE 'partition %: %', made.partition, made.done;
		ELSE
			PERFORM uidext_internal.uuid_partition_warn(NULL, made.partition, 'not created', made.problem);
		END IF;
	END LOOP;
END
$$;
COMMENT ON PROCEDURE uuid_partition_drain(regclass, interval, text, timestamptz, timestamptz, regclass, int) IS
	'makes partitions of what the default partition holds, one by one, and commits after each; moves up to max_rows rows of a period, or makes the default partition the partition of the time that it holds; goes on after a failure with a warning; raises 42501 for callers who are not the owner or do not see all rows, 22023 for a step that is no multiple of the unit of time in ids, 55000 where a foreign key refers to the default partition or a publication through the root covers it by itself, 55P03, 2D000 in a transaction block';

CREATE FUNCTION uidext_internal.uuid_partition_covered(periods uidext_internal.uuid_partition_period[]) RETURNS timestamptz
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	period record;
	covered timestamptz;
BEGIN
	FOR period IN
		SELECT p.from_time, p.to_time FROM unnest(periods) p
		WHERE p.to_time > now() AND NOT p.detach_pending
		ORDER BY p.from_time, p.to_time
	LOOP
		EXIT WHEN period.from_time > coalesce(covered, now());
		covered := period.to_time;
	END LOOP;
	RETURN covered;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_covered(uidext_internal.uuid_partition_period[]) IS
	'up to when there is a partition for every time from now on; NULL when there is none for now';

CREATE FUNCTION uidext_internal.uuid_partition_hashed_by_core(parent regclass, OUT relation regclass, OUT message text) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partrelid::regclass,
		pg_catalog.format('table %s is partitioned by core''s own hash of an iuid, which knows no country', p.partrelid::regclass)
	FROM pg_catalog.pg_partitioned_table p
		JOIN pg_catalog.pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_catalog.pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partstrat = 'h' AND p.partnatts = 1::smallint
		AND a.atttypid = '@extschema@.iuid'::regtype::oid AND o.opcnamespace = 'pg_catalog'::regnamespace::oid
		AND (p.partrelid = parent::oid
			OR EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = parent::oid AND i.inhrelid = p.partrelid));
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_hashed_by_core(regclass) IS
	'the table and those of its partitions that core''s own hash of an iuid partitions, with what uuid_partition_check() says of it';

CREATE FUNCTION uidext_internal.uuid_partition_broken_bounds(periods uidext_internal.uuid_partition_period[], layout text) RETURNS SETOF regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.partition
	FROM (
		SELECT n.*, pg_catalog.lag(n.to_id) OVER w AS previous_id, pg_catalog.lead(n.from_id) OVER w AS next_id
		FROM pg_catalog.unnest(periods) n
		WINDOW w AS (ORDER BY n.from_time, n.to_time)
	) p
	WHERE CASE WHEN p.previous_id IS DISTINCT FROM p.from_id THEN uidext_internal.uuid_partition_boundary(layout, p.from_time) <> p.from_id END
		OR CASE WHEN p.next_id IS DISTINCT FROM p.to_id THEN uidext_internal.uuid_partition_boundary(layout, p.to_time) <> p.to_id END
	ORDER BY p.from_time, p.to_time;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_broken_bounds(uidext_internal.uuid_partition_period[], text) IS
	'the partitions beside which there is a gap that begins or ends where uuid_partition_maintain() makes none; raises as uuid_partition_boundary()';

CREATE FUNCTION uidext_internal.uuid_partition_problems(
	parent regclass, column_name name, layout text, periods uidext_internal.uuid_partition_period[]
) RETURNS SETOF text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	rest regclass := uidext_internal.uuid_partition_default(parent);
BEGIN
	RETURN QUERY
		SELECT format('rows in the default partition %s', rest)
		WHERE uidext_internal.uuid_partition_edge(rest, column_name, NULL::text, NULL::text, true) IS NOT NULL
		UNION ALL
		SELECT format('rows in the default partition %s, by the statistics', rest)
		FROM uidext_internal.uuid_partition_sizes(ARRAY[rest]) s
		WHERE s.rows > 0 AND NOT uidext_internal.uuid_partition_may_look(rest)
		UNION ALL
		SELECT format('partition %s waits to be detached', p.partition)
		FROM unnest(periods) p
		WHERE p.detach_pending
		UNION ALL
		SELECT h.message FROM uidext_internal.uuid_partition_hashed_by_core(parent) h
		UNION ALL
		SELECT format('the gap beside partition %s begins or ends inside a millisecond, for which no partition is made', b.partition)
		FROM uidext_internal.uuid_partition_broken_bounds(periods, layout) b(partition);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_problems(regclass, name, text, uidext_internal.uuid_partition_period[]) IS
	'what uuid_partition_check() warns of in partitions of any age; raises as uuid_partition_edge()';

CREATE OR REPLACE FUNCTION uuid_partition_check(
	parent regclass, ahead interval DEFAULT NULL, keep interval DEFAULT NULL,
	OUT severity int, OUT status text, OUT message text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	kept_since timestamptz;
	periods uidext_internal.uuid_partition_period[];
	covered timestamptz;
BEGIN
	IF parent IS NULL THEN
		RAISE EXCEPTION 'parent may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	-- an alarm that never comes is seen by nobody
	IF ahead < '1 minute' AND ahead <> '0' THEN
		RAISE EXCEPTION 'ahead must be 0, or a minute or more'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('ahead is %s.', ahead),
				HINT = 'A number without a unit counts seconds: write ''30 days''.';
	END IF;
	RETURN QUERY
		SELECT 1, 'WARNING', h.message FROM uidext_internal.uuid_partition_hashed_by_core(parent) h WHERE h.relation = parent;
	IF FOUND THEN
		RETURN;
	END IF;
	key := uidext_internal.uuid_partition_key(parent);
	kept_since := uidext_internal.uuid_partition_kept_since(keep, 'UTC');
	periods := ARRAY(SELECT p FROM uidext_internal.uuid_partition_ranges(parent, key.layout) p);
	covered := uidext_internal.uuid_partition_covered(periods);
	-- no time can be taken from infinity before 17
	ahead := coalesce(ahead, least('7 days', (
		SELECT CASE WHEN isfinite(p.from_time) AND isfinite(p.to_time) THEN p.to_time - p.from_time END
		FROM unnest(periods) p
		WHERE NOT p.detach_pending
		ORDER BY p.from_time DESC
		LIMIT 1)));

	RETURN QUERY
		WITH found(severity, message) AS (
			SELECT 2, 'no partition for the present' WHERE covered IS NULL
			UNION ALL
			SELECT 1, format('no partition from %s on', covered)
			WHERE covered < uidext_internal.uuid_partition_add(now(), ahead, 'UTC')
			UNION ALL
			SELECT 1, format('partitions older than %s: %s, the first is of %s', keep, count(*), min(p.from_time))
			FROM unnest(periods) p
			WHERE p.to_time <= kept_since
			HAVING count(*) > 0
			UNION ALL
			SELECT 1, p FROM uidext_internal.uuid_partition_problems(parent, key.column_name, key.layout, periods) p
		), problem AS (
			SELECT * FROM found
			UNION ALL
			SELECT 0, format('partitions up to %s', covered) WHERE NOT EXISTS (SELECT FROM found)
		)
		SELECT p.severity, (ARRAY['OK', 'WARNING', 'CRITICAL'])[p.severity + 1], p.message
		FROM problem p
		ORDER BY p.severity DESC, p.message;
END
$$;
COMMENT ON FUNCTION uuid_partition_check(regclass, interval, interval) IS
	'what is wrong with a table''s partitions, worst first, else one line OK: 0 OK, 1 WARNING, 2 CRITICAL, when nothing is there for the present; of a table partitioned by hash only whether it is an iuid''s by core''s class, which knows no country; ahead is, unless given, the length of the newest range partition, at most 7 days; reads, of others'' tables catalogs and statistics only; raises 42809 for other tables, 22023 for a keep below 0 or above 5,000 years, or an ahead below a minute that is not 0';

CREATE OR REPLACE VIEW uidext_internal.iuid_leaves AS
SELECT n.nspname AS parent_schema, p.relname AS parent_table, hash.bound[2]::int % 257 AS country,
	hash.bound[1]::int AS modulus, hash.bound[2]::int AS remainder, c.relname AS partition, c.relkind = 'p' AS by_time,
	ln.nspname AS leaf_schema, l.relname AS leaf_table, leaf.bound = 'DEFAULT' AS is_default,
	period.bound[1]::uuid AS from_id, period.bound[2]::uuid AS to_id,
	l.relkind = 'r' AND (c.relkind = 'r' OR leaf.bound = 'DEFAULT' OR period.bound IS NOT NULL) AS is_plain
FROM pg_catalog.pg_partitioned_table k
	JOIN pg_catalog.pg_opclass o ON o.oid = k.partclass[0] AND o.opcname IN ('iuid_country_ops', 'uuid_country_ops')
	JOIN pg_catalog.pg_class p ON p.oid = k.partrelid
	JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace
	JOIN pg_catalog.pg_inherits i ON i.inhparent = p.oid
	JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
	CROSS JOIN regexp_match(pg_get_expr(c.relpartbound, 0::oid), '^FOR VALUES WITH [(]modulus ([0-9]+), remainder ([0-9]+)[)]$') hash(bound)
	CROSS JOIN pg_partition_tree(c.oid::regclass) t
	JOIN pg_catalog.pg_class l ON l.oid = t.relid::oid
	JOIN pg_catalog.pg_namespace ln ON ln.oid = l.relnamespace
	CROSS JOIN pg_get_expr(l.relpartbound, 0::oid) leaf(bound)
	CROSS JOIN regexp_match(leaf.bound,
		-- other keys than ids have other bounds
		'^FOR VALUES FROM [(](?:MINVALUE|''([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'')[)] TO [(](?:MAXVALUE|''([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'')[)]$') period(bound)
WHERE hash.bound[1]::int % 257 = 0 AND t.level = CASE c.relkind WHEN 'p' THEN 1 ELSE 0 END;

CREATE OR REPLACE FUNCTION uidext_internal.iuid_partition_make(parent regclass, partition text, range_key name, bound text) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	made regclass := uidext_internal.uuid_partition_table(parent, partition, 'RANGE (' || quote_ident(range_key) || ')', NULL::regclass);
BEGIN
	PERFORM uidext_internal.uuid_partition_attach(parent, made, bound);
	RETURN made;
END
$$;

CREATE OR REPLACE FUNCTION uidext_internal.iuid_partition_foreign(parent regclass, key name, country int, server name) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	parent_schema name;
	parent_table name;
	leaf record;
	attach_to regclass;
	bound text;
BEGIN
	SELECT n.nspname, c.relname INTO parent_schema, parent_table
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = parent;

	FOR leaf IN SELECT * FROM uidext_internal.iuid_remote_leaves(server, parent_schema, parent_table, country) LOOP
		IF NOT leaf.is_plain THEN
			RAISE EXCEPTION 'a foreign partition cannot stand for table % of server "%"',
					format('%I.%I', leaf.leaf_schema, leaf.leaf_table), server
				USING ERRCODE = 'wrong_object_type',
					DETAIL = 'It is partitioned itself, foreign, or not bounded by ids, and an UPDATE through it could change rows of other ids.',
					HINT = 'Partition by country, and by range of the id beneath, with plain tables as leaves.';
		END IF;

		attach_to := parent;
		bound := format('FOR VALUES WITH (modulus %s, remainder %s)', leaf.modulus, leaf.remainder);
		IF leaf.by_time THEN
			attach_to := uidext_internal.uuid_partition_with_bound(parent, bound);
			IF attach_to IS NULL THEN
				attach_to := uidext_internal.iuid_partition_make(parent, format('%I.%I', parent_schema, leaf.partition), key, bound);
				RETURN NEXT attach_to;
			END IF;
			bound := CASE WHEN leaf.is_default THEN 'DEFAULT'
				ELSE format('FOR VALUES FROM (%s) TO (%s)',
					coalesce(quote_literal(leaf.from_id), 'MINVALUE'), coalesce(quote_literal(leaf.to_id), 'MAXVALUE'))
			END;
		END IF;

		CONTINUE WHEN uidext_internal.uuid_partition_with_bound(attach_to, bound) IS NOT NULL;
		EXECUTE format('CREATE FOREIGN TABLE %I.%I PARTITION OF %s %s SERVER %I OPTIONS (schema_name %L, table_name %L)',
			parent_schema, leaf.leaf_table, attach_to, bound, server, leaf.leaf_schema, leaf.leaf_table);
		RETURN NEXT uidext_internal.uuid_partition_with_bound(attach_to, bound);
	END LOOP;
	IF leaf IS NULL THEN
		RAISE EXCEPTION 'table % of server "%" has no partition of country %',
				format('%I.%I', parent_schema, parent_table), server, country
			USING ERRCODE = 'undefined_table',
				HINT = 'Call iuid_partition_create() there first.';
	END IF;
END
$$;

CREATE FUNCTION uidext_internal.iuid_partition_create_once(
	parent regclass, key name, countries int[], server name,
	start timestamptz, stop timestamptz, step interval, tz text
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '200ms'
AS $$
DECLARE
	country int;
BEGIN
	PERFORM uidext_internal.uuid_partition_brief();
	FOREACH country IN ARRAY countries LOOP
		IF country IS NULL OR country NOT BETWEEN 0 AND 255 THEN
			RAISE EXCEPTION 'country id % is out of range', coalesce(country::text, 'NULL')
				USING ERRCODE = 'numeric_value_out_of_range',
					DETAIL = 'An iUID holds ids from 0 to 255.';
		END IF;
		IF server IS NULL THEN
			RETURN QUERY SELECT * FROM uidext_internal.iuid_partition_local(parent, key, country, start, stop, step, tz);
			CONTINUE;
		END IF;
		IF step IS NOT NULL THEN
			PERFORM uidext_internal.iuid_remote_request(server, n.nspname, c.relname, country, start, stop, step, tz)
			FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
			WHERE c.oid = parent;
		END IF;
		RETURN QUERY SELECT * FROM uidext_internal.iuid_partition_foreign(parent, key, country, server);
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.iuid_partition_create_once(regclass, name, int[], name, timestamptz, timestamptz, interval, text) IS
	'one attempt of iuid_partition_create(), with 55P03 when others keep it waiting';

CREATE OR REPLACE FUNCTION iuid_partition_create(
	parent regclass, countries int[], server name DEFAULT NULL,
	start timestamptz DEFAULT NULL, stop timestamptz DEFAULT NULL,
	step interval DEFAULT NULL, tz text DEFAULT 'UTC'
) RETURNS SETOF regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key name;
	deadline timestamptz := uidext_internal.uuid_partition_deadline();
BEGIN
	IF num_nulls(parent, countries) > 0 THEN
		RAISE EXCEPTION 'parent and countries may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF num_nonnulls(start, stop, step) > 0 AND num_nulls(start, stop, step, tz) > 0 THEN
		RAISE EXCEPTION 'time partitions need start, stop, step and tz' USING ERRCODE = 'invalid_parameter_value';
	END IF;
	PERFORM uidext_internal.uuid_partition_check_start(start, stop, step, tz);

	key := uidext_internal.iuid_partition_key(parent);
	IF NOT (SELECT attnotnull FROM pg_attribute WHERE attrelid = parent AND attname = key) THEN
		RAISE EXCEPTION 'column "%" of table % may be NULL', key, parent
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'Hash partitioning puts NULL where REMAINDER is 0, which is a country.',
				HINT = format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL', parent, key);
	END IF;
	PERFORM uidext_internal.uuid_partition_lock(parent);
	LOOP
		BEGIN
			RETURN QUERY SELECT * FROM uidext_internal.iuid_partition_create_once(parent, key, countries, server, start, stop, step, tz);
			RETURN;
		EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
			IF NOT uidext_internal.uuid_partition_again(deadline) THEN
				RAISE;
			END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION iuid_partition_create(regclass, int[], name, timestamptz, timestamptz, interval, text) IS
	'makes the missing partitions of countries (with a step by time beneath) and returns them; with a server, foreign tables for its leaves; raises 42809, 55000, 22003, 22004, 22023, 42704, 42601, 42501 for callers who are not the owner, and as uuid_partition_create()';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_time_key(relation regclass, OUT column_name name, OUT layout text, OUT by_range bool)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	column_number smallint;
	column_type regtype;
BEGIN
	SELECT a.attname, a.attnum, a.atttypid, key.by_range,
		coalesce(uidext_internal.uuid_partition_layout(a.atttypid), uidext_internal.uuid_partition_scheme(relation, a.attnum))
	INTO column_name, column_number, column_type, by_range, layout
	FROM (
		SELECT true, p.partattrs[0]
		FROM pg_partitioned_table p JOIN pg_opclass o ON o.oid = p.partclass[0]
		WHERE p.partrelid = relation AND p.partstrat = 'r' AND p.partnatts = 1 AND o.opcdefault
		UNION ALL
		SELECT false, i.indkey[0] FROM pg_index i
		WHERE i.indrelid = relation AND i.indisprimary AND i.indnkeyatts = 1
	) key(by_range, column_number)
		JOIN pg_attribute a ON a.attrelid = relation AND a.attnum = key.column_number
	ORDER BY key.by_range DESC
	LIMIT 1;
	IF layout IS NULL THEN
		RAISE EXCEPTION 'table % has no key that holds the time', relation
			USING ERRCODE = 'wrong_object_type',
				DETAIL = 'Neither is it partitioned by range of one column of type uuid, iuid or ulid, nor is one its primary key.',
				HINT = uidext_internal.uuid_partition_key_hint(column_type, 'uuid_boundary() gives the bounds to count another column by.');
	END IF;
	PERFORM uidext_internal.uuid_partition_check_default(relation, column_number,
		'Count those of v6 and v13 between bounds of uuidv6_boundary(); v1 does not sort by time.');
END
$$;

CREATE OR REPLACE FUNCTION uidext_internal.uuid_time_boundary(layout text, at timestamptz) RETURNS text
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE
		WHEN layout IN ('uuid', 'ulid')
			THEN uidext_internal.uuid_partition_boundary(layout, date_trunc('milliseconds', at + interval '999 microseconds'))
		WHEN at = timestamptz 'infinity' OR uid_time(uid_boundary(at, layout), layout) >= at THEN uid_boundary(at, layout)::text
		ELSE (
			SELECT min(uid_boundary(at, layout) + (1::bigint << bit))
			FROM generate_series(0, 62) AS bit
			WHERE uid_time(uid_boundary(at, layout) + (1::bigint << bit), layout) >= at
		)::text
	END;
COMMENT ON FUNCTION uidext_internal.uuid_time_boundary(text, timestamptz) IS
	'the least id as text of the first tick that is not before a time; raises as uuid_partition_boundary()';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_time_partitions(
	parent regclass, layout text,
	OUT from_id text, OUT to_id text, OUT place bigint, OUT follows bool, OUT source text
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT p.from_id, p.to_id, row_number() OVER ordered, p.from_id = pg_catalog.lag(p.to_id) OVER ordered,
		CASE WHEN has_schema_privilege(c.relnamespace, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
				AND NOT row_security_active(c.oid) AND NOT row_security_active(parent::oid)
			THEN format('%I.%I', n.nspname, c.relname) END
	FROM uidext_internal.uuid_partition_ranges(parent, layout) p
		-- which knows what has been detached since the snapshot was taken
		JOIN pg_partition_tree(parent) t ON t.relid::oid = p.partition::oid
		JOIN pg_catalog.pg_class c ON c.oid = p.partition::oid
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE NOT p.detach_pending
	WINDOW ordered AS (ORDER BY p.from_time, p.to_time);
END;

CREATE FUNCTION uidext_internal.uuid_time_periods(
	relation regclass, layout text, by_range bool, start timestamptz, stop timestamptz, step interval, tz text,
	OUT n bigint, OUT from_time timestamptz, OUT to_time timestamptz, OUT from_id text, OUT to_id text, OUT sources text[]
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH period AS (
		SELECT p.ordinality AS n, p.from_time, least(p.to_time, stop) AS to_time,
			uidext_internal.uuid_time_boundary(layout, p.from_time) AS from_id,
			uidext_internal.uuid_time_boundary(layout, least(p.to_time, stop)) AS to_id
		FROM uuid_partition_bounds(start, stop, step, tz) WITH ORDINALITY AS p
	), partition AS MATERIALIZED (
		SELECT t.* FROM uidext_internal.uuid_time_partitions(relation, layout) AS t WHERE by_range
	), whole AS (
		SELECT b.n, pg_catalog.array_agg(p.source ORDER BY p.place) AS sources
		FROM period AS b
			JOIN partition AS first ON first.from_id = b.from_id
			JOIN partition AS last ON last.to_id = b.to_id AND last.place - first.place < 400,
			LATERAL pg_catalog.generate_series(first.place, last.place) AS places (place)
			JOIN partition AS p ON p.place = places.place
		GROUP BY b.n, first.place
		HAVING pg_catalog.bool_and(p.source IS NOT NULL AND (p.follows OR p.place = first.place))
	)
	SELECT b.n, b.from_time, b.to_time, b.from_id, b.to_id, w.sources
	FROM period AS b LEFT JOIN whole AS w ON w.n = b.n
	ORDER BY b.n;
END;
COMMENT ON FUNCTION uidext_internal.uuid_time_periods(regclass, text, bool, timestamptz, timestamptz, interval, text) IS
	'the periods of uuid_time_buckets() with their least ids and, of those that whole partitions make up, the names of these; raises as uuid_time_buckets()';

CREATE FUNCTION uidext_internal.uuid_time_count(
	n bigint, sources text[], relation_name text, column_name name, bound_type text, operators name, from_id text, to_id text
) RETURNS text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF sources IS NOT NULL THEN
		RETURN (SELECT string_agg(format('SELECT %s, pg_catalog.count(*) FROM %s', n, source), ' UNION ALL ') FROM unnest(sources) AS source);
	END IF;
	RETURN format('SELECT %1$s, pg_catalog.count(*) FROM %2$s WHERE %3$I OPERATOR(%4$I.>=) %6$L::%5$s AND %3$I OPERATOR(%4$I.<) %7$L::%5$s',
		n, relation_name, column_name, operators, bound_type, from_id, to_id);
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_time_count(bigint, text[], text, name, text, name, text, text) IS
	'a query of the number of a period and its rows: all of its partitions, else those of the table between two ids of a type, whose operators are in this schema; raises 22004';

CREATE OR REPLACE FUNCTION uidext_internal.uuid_time_bucket_queries(
	relation regclass, start timestamptz, stop timestamptz, step interval, tz text,
	OUT from_times timestamptz[], OUT to_times timestamptz[], OUT query text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record := uidext_internal.uuid_time_key(relation);
	relation_name text := uidext_internal.uuid_partition_qualified(relation);
	bound_type text := CASE key.layout WHEN 'uuid' THEN 'pg_catalog.uuid' WHEN 'ulid' THEN '@extschema@.ulid' ELSE 'pg_catalog.int8' END;
	operators name := uidext_internal.uuid_partition_operators(bound_type::regtype);
BEGIN
	-- an error for those who may not read it; from now on no partition goes
	EXECUTE format('SELECT %I FROM %s WHERE false', key.column_name, relation_name);

	RETURN QUERY
		WITH batch AS (
			SELECT p.*, (sum(coalesce(cardinality(p.sources), 1)) OVER (ORDER BY p.n) - 1) / 100 AS number
			FROM uidext_internal.uuid_time_periods(relation, key.layout, key.by_range, start, stop, step, tz) p
		), counted AS (
			SELECT b.*, row_number() OVER (PARTITION BY b.number ORDER BY b.n) AS place
			FROM batch b
		)
		SELECT array_agg(c.from_time ORDER BY c.place), array_agg(c.to_time ORDER BY c.place),
			format('SELECT $1[counted.n], $2[counted.n], pg_catalog.sum(rows)::pg_catalog.int8 FROM (%s) AS counted(n, rows) GROUP BY n ORDER BY n',
				string_agg(uidext_internal.uuid_time_count(c.place, c.sources, relation_name, key.column_name, bound_type, operators,
					c.from_id, c.to_id), ' UNION ALL '))
		FROM counted c
		GROUP BY c.number
		ORDER BY c.number;
END
$$;

DROP FUNCTION @extschema@.uuid_time_buckets(regclass,timestamp with time zone,timestamp with time zone,interval,text);
CREATE FUNCTION uuid_time_buckets(
	relation regclass, start timestamptz, stop timestamptz, step interval, tz text DEFAULT 'UTC',
	OUT from_time timestamptz, OUT to_time timestamptz, OUT rows bigint
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET jit = off
AS $$
DECLARE
	counts pg_catalog.record;
BEGIN
	FOR counts IN
		SELECT q.* FROM uidext_internal.uuid_time_bucket_queries(relation, start, stop, step, tz) q
	LOOP
		RETURN QUERY EXECUTE counts.query USING counts.from_times, counts.to_times;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_time_buckets(regclass, timestamptz, timestamptz, interval, text) IS
	'rows of each period of one step from start until stop, also of empty ones, by the times in the key; raises 42809 for a table without such a key, 22023 and 22008 as uuid_partition_bounds()';

CREATE FUNCTION uidext_internal.key_sample(form text, ids text) RETURNS SETOF uuid
	LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT CASE WHEN form IN ('uuid', 'ulid') OR u.id COLLATE "C" ~* '^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$' THEN u.id::uuid END
	FROM (
		SELECT CASE form WHEN 'ulid' THEN ulid_to_uuid(v)::text ELSE btrim(v, '{} ') END
		FROM pg_catalog.unnest(CASE WHEN form <> 'bytea' THEN ids::text[] END) v
		UNION ALL
		SELECT encode(b, 'hex') FROM pg_catalog.unnest(CASE form WHEN 'bytea' THEN ids::bytea[] END) b
	) u(id);
END;
COMMENT ON FUNCTION uidext_internal.key_sample(text, text) IS
	'the values in an array of pg_stats as uuids, NULL for those that are none; form is uuid, ulid, text or bytea; raises 22P02 for what is no such array';

CREATE FUNCTION uidext_internal.key_id_layout(form text, info uuid_info) RETURNS text
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE WHEN form = 'ulid' THEN 'ULID'
		WHEN (info).version IS DISTINCT FROM 4 THEN (info).layout
		WHEN (info).comb_time BETWEEN '2000-01-01 00:00+00' AND now() + interval '1 year' THEN 'COMB'
		WHEN (info).suffix_comb_time BETWEEN '2000-01-01 00:00+00' AND now() + interval '1 year' THEN 'suffix COMB'
		ELSE 'UUIDv4'
	END;
COMMENT ON FUNCTION uidext_internal.key_id_layout(text, uuid_info) IS
	'the layout of an id, a version 4 of this century''s time counting as a COMB';

CREATE FUNCTION uidext_internal.key_layout(form text, ids text, OUT layout text, OUT ordered bool, OUT random bool, OUT strangers text)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH sample AS MATERIALIZED (
		SELECT v.id FROM uidext_internal.key_sample(form, ids) v(id)
	), kind AS (
		SELECT k.layout, k.layout IN ('UUIDv6', 'UUIDv7', 'COMB', 'iUID', 'Lambert v13', 'ULID') AS ordered,
			count(*)::numeric / sum(count(*)) OVER () AS share,
			pg_catalog.array_to_string(pg_catalog.array_agg(DISTINCT i.country) FILTER (
				WHERE k.layout = 'iUID' AND NOT EXISTS (SELECT FROM iuid_countries c WHERE c.id = i.country)), ', ') AS strangers
		FROM sample v CROSS JOIN LATERAL uuid_inspect(v.id) i
			CROSS JOIN LATERAL (SELECT CASE WHEN v.id IS NOT NULL THEN uidext_internal.key_id_layout(form, i) END) k(layout)
		GROUP BY k.layout
	)
	SELECT CASE WHEN count(*) = 1 THEN max(k.layout)
			ELSE string_agg(pg_catalog.format('%s %s %%', k.layout, round(k.share * 100.0)), ', ' ORDER BY k.share DESC, k.layout) END,
		-- hashes in the form of a uuid have all versions
		bool_or(k.ordered) AND NOT bool_or(k.layout = 'unknown'), bool_or(NOT k.ordered), max(k.strangers)
	FROM kind k
	-- what is no uuid in this form
	WHERE k.share >= 0.05 AND NOT EXISTS (SELECT FROM kind n WHERE n.share >= 0.05
			AND (n.layout IS NULL OR n.layout = 'unknown' AND form IN ('text', 'bytea')));
END;
COMMENT ON FUNCTION uidext_internal.key_layout(text, text) IS
	'layouts of the ids in a sample of pg_stats, with their shares where there are several; whether some come in order and some do not; NULL when not nearly all are uuids; raises as key_sample()';

CREATE FUNCTION uidext_internal.key_columns(
	OUT relation oid, OUT number smallint, OUT name name, OUT form text, OUT width int, OUT correlation real, OUT n_distinct real,
	OUT layout text, OUT ordered bool, OUT random bool, OUT strangers text
) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT t.oid, a.attnum, a.attname, f.form, s.avg_width, s.correlation, s.n_distinct, l.layout, l.ordered, l.random, l.strangers
	FROM pg_class t
		JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema')
		JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
		JOIN pg_type y ON y.oid = a.atttypid
		CROSS JOIN LATERAL (SELECT CASE
				WHEN y.oid IN ('text'::regtype::oid, 'varchar'::regtype::oid, 'bpchar'::regtype::oid) THEN 'text'
				WHEN y.oid = 'bytea'::regtype::oid THEN 'bytea'
				-- a ulid of the SQL edition is a text
				WHEN y.typlen = 16::smallint THEN uidext_internal.uuid_partition_layout(y.oid::regtype)
			END) f(form)
		LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = t.relname AND s.attname = a.attname AND NOT s.inherited
		LEFT JOIN LATERAL uidext_internal.key_layout(f.form, coalesce(s.histogram_bounds, s.most_common_vals)::text) l
			ON f.form IN ('uuid', 'ulid') OR f.form = 'text' AND s.avg_width BETWEEN 33 AND 39 OR f.form = 'bytea' AND s.avg_width = 17
	WHERE t.relkind IN ('r', 'm') AND NOT pg_is_other_temp_schema(n.oid)
		AND (f.form IN ('uuid', 'ulid') OR l.layout IS NOT NULL);
END;
COMMENT ON FUNCTION uidext_internal.key_columns() IS
	'every column of uuids, and of texts or bytes whose sampled values are uuids, with what pg_stats tells the caller about it';

CREATE FUNCTION uidext_internal.key_index_widths(OUT index oid, OUT bytes float8) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	-- a NULL makes room for a bitmap, 8 bytes more
	SELECT i.indexrelid, CASE WHEN count(*) = pg_catalog.count(w.bytes) THEN sum(w.bytes * (1::float8 - w.nulls)) + 8::float8 * max(w.nulls) END
	FROM pg_index i
		JOIN pg_class t ON t.oid = i.indrelid
		JOIN pg_class x ON x.oid = i.indexrelid AND x.relkind = 'i'
		JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
		CROSS JOIN LATERAL pg_catalog.unnest(i.indkey::smallint[]) WITH ORDINALITY k(number, place)
		JOIN pg_attribute a ON a.attrelid = i.indexrelid AND a.attnum = k.place
		LEFT JOIN pg_attribute c ON c.attrelid = i.indrelid AND c.attnum = k.number AND k.number > 0
		-- an expression has statistics of its own
		LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND NOT s.inherited
			AND s.tablename = CASE WHEN k.number > 0 THEN t.relname ELSE x.relname END
			AND s.attname = CASE WHEN k.number > 0 THEN c.attname ELSE a.attname END
		CROSS JOIN LATERAL (SELECT CASE WHEN a.attlen > 0::smallint THEN a.attlen::float8 ELSE s.avg_width::float8 END, coalesce(s.null_frac::float8, 0::float8)) w(bytes, nulls)
	GROUP BY i.indexrelid;
END;
COMMENT ON FUNCTION uidext_internal.key_index_widths() IS
	'bytes of the values of each index''s entries on average, NULL where pg_stats does not tell the caller';

CREATE FUNCTION uidext_internal.key_indexes(
	OUT relation oid, OUT number smallint, OUT index oid, OUT place bigint, OUT by_sqlserver bool, OUT equals bool,
	OUT pages float8, OUT entries float8, OUT width float8
) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT i.indrelid, k.number, x.oid, k.place, o.opcintype = 'uuid'::regtype::oid AND NOT o.opcdefault, NOT i.indisunique AND i.indnatts = 1::smallint,
		x.relpages, nullif(greatest(x.reltuples, 0::real), 0::real), w.bytes
	FROM pg_index i
		CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(i.indkey::smallint[]), pg_catalog.unnest(i.indclass::oid[])) WITH ORDINALITY k(number, opclass, place)
		JOIN pg_opclass o ON o.oid = k.opclass
		JOIN pg_class x ON x.oid = i.indexrelid AND x.relkind = 'i'
		JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
		JOIN uidext_internal.key_index_widths() w ON w.index = x.oid
	-- which pgstattuple would refuse
	WHERE i.indisvalid;
END;
COMMENT ON FUNCTION uidext_internal.key_indexes() IS
	'each key column of each valid btree index: its place, whether entries may be equal, pages and entries when last counted, and the width of an entry''s values';

CREATE FUNCTION uidext_internal.key_entry(
	width float8, column_width int, equals bool, n_distinct real, entries float8,
	OUT entry float8, OUT entry_with_time float8, OUT entry_of_uuid float8, OUT bytes_each float8
)
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT e.entry, 12::float8 + 8::float8 * ceil((width - 8::float8) / 8::float8),
		12::float8 + 8::float8 * ceil((width - coalesce(column_width, 16)::float8 + 16::float8) / 8::float8),
		least(e.entry, 6::float8 + (e.entry + 3.5::float8) * CASE
			WHEN NOT equals OR n_distinct IS NULL THEN 1::float8
			WHEN n_distinct < 0::real THEN (-n_distinct)::float8
			ELSE n_distinct::float8 / greatest(entries, 1::float8)
		END)
	FROM (SELECT 12::float8 + 8::float8 * ceil(width / 8::float8)) e(entry);
END;
COMMENT ON FUNCTION uidext_internal.key_entry(float8, int, bool, real, float8) IS
	'bytes of an index''s entry: with all its values, with a time in a uuid''s place, with a uuid in a text''s, and as it is where equal ones are kept together';

CREATE FUNCTION uidext_internal.key_kind(form text, layout text, ordered bool, random bool, place bigint, density numeric, narrow bool) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN layout IS NULL THEN 'unknown'
		WHEN form IN ('text', 'bytea') THEN form
		WHEN ordered AND random THEN 'mixed'
		WHEN random THEN 'random'
		WHEN place > 1 AND coalesce(density, 50::numeric) < 80::numeric THEN CASE WHEN narrow THEN 'composite' ELSE 'wide' END
		ELSE 'in order'
	END;
COMMENT ON FUNCTION uidext_internal.key_kind(text, text, bool, bool, bigint, numeric, bool) IS
	'what is to be said of a key: unknown, text, bytea, mixed, random, composite, wide or in order';

CREATE FUNCTION uidext_internal.key_note(kind text, strangers text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN concat_ws('; ',
		'countries that iuid_countries does not have: ' || strangers,
		CASE kind
			WHEN 'unknown' THEN 'no statistics: ANALYZE, or no right to read the column'
			WHEN 'text' THEN 'a uuid as text: ALTER COLUMN ... TYPE uuid, or move'
			WHEN 'bytea' THEN 'a uuid as bytes: ALTER COLUMN ... TYPE uuid, or move'
			WHEN 'mixed' THEN 'random ids among ordered ones, predicates by time are wrong: REINDEX CONCURRENTLY, then partition or move'
			WHEN 'random' THEN 'random: move to time-ordered ids, or leave it'
			WHEN 'composite' THEN 'behind other columns: the time of the id in its place (8 bytes), or leave it'
			WHEN 'wide' THEN 'behind other columns, and too wide to be packed: leave it'
			ELSE CASE WHEN strangers IS NULL THEN 'in order' END
		END);
COMMENT ON FUNCTION uidext_internal.key_note(text, text) IS 'what to do about a kind of key';

CREATE FUNCTION uidext_internal.key_wal(kind text, random bool) RETURNS int
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE kind WHEN 'text' THEN 51 WHEN 'bytea' THEN 9 WHEN 'composite' THEN 39 ELSE 0 END
		+ CASE WHEN random AND kind <> 'mixed' THEN 143 ELSE 0 END;
COMMENT ON FUNCTION uidext_internal.key_wal(text, bool) IS 'bytes of WAL a row that another key would have saved';

CREATE FUNCTION uidext_internal.key_lines(
	exact bool, OUT relation oid, OUT name name, OUT index oid, OUT kind text, OUT layout text, OUT correlation real,
	OUT bytes bigint, OUT density numeric, OUT part_left float8, OUT wal int, OUT strangers text
) RETURNS SETOF record
	LANGUAGE sql STABLE
BEGIN ATOMIC
	WITH col AS MATERIALIZED (
		SELECT c.*, c.random AND (c.ordered OR coalesce(abs(c.correlation), 0::real) < 0.9::real) AS scattered FROM uidext_internal.key_columns() c
	), key AS (
		-- the first whose values are nearly all different decides where an entry goes
		SELECT DISTINCT ON (i.index) c.*, i.index, i.place, i.pages, i.entries, i.by_sqlserver,
			CASE WHEN i.by_sqlserver THEN c.layout <> 'suffix COMB' ELSE c.scattered END AS out_of_order, e.*
		FROM col c JOIN uidext_internal.key_indexes() i ON i.relation = c.relation AND i.number = c.number,
			LATERAL uidext_internal.key_entry(i.width, c.width, i.equals, c.n_distinct, i.entries) e
		ORDER BY i.index, c.n_distinct IS NULL OR c.n_distinct < 0::real DESC, i.place
	), measured AS (
		SELECT k.*, pg_catalog.pg_relation_size(k.index::regclass) AS bytes, uidext_internal.uuid_leaf_density(k.index::regclass, exact,
				(100::float8 * k.entries * k.bytes_each / (k.pages * (current_setting('block_size')::float8 - 40::float8)))::numeric) AS density
		FROM key k
	)
	SELECT m.relation, m.name, m.index, d.kind, m.layout, CASE WHEN NOT m.by_sqlserver THEN m.correlation END, m.bytes, m.density,
		CASE WHEN d.kind = 'composite' OR m.out_of_order THEN least(1::float8, coalesce(m.density::float8 / 90::float8, 1::float8)) ELSE 1::float8 END
			* CASE WHEN d.kind = 'composite' THEN m.entry_with_time / m.entry
				WHEN d.kind IN ('text', 'bytea') THEN coalesce(m.entry_of_uuid / m.entry, 1::float8) ELSE 1::float8 END,
		uidext_internal.key_wal(d.kind, m.out_of_order), m.strangers
	FROM measured m,
		LATERAL uidext_internal.key_kind(m.form, m.layout, m.ordered AND NOT m.by_sqlserver, m.out_of_order, m.place, m.density, m.entry_with_time <= 28::float8) d(kind)
	UNION ALL
	SELECT c.relation, c.name, NULL, c.form, c.layout, c.correlation, round(c.width::float8 * t.reltuples::float8)::bigint, NULL, 16::float8 / c.width::float8, 0, NULL
	FROM col c JOIN pg_class t ON t.oid = c.relation
	WHERE c.form IN ('text', 'bytea');
END;
COMMENT ON FUNCTION uidext_internal.key_lines(bool) IS
	'the lines of uuid_key_report(): indexes, and texts and bytes as they lie in the table; part_left is what would be left of bytes; raises 55000 without pgstattuple';

DROP FUNCTION @extschema@.uuid_key_report(boolean);
CREATE FUNCTION uuid_key_report(exact bool DEFAULT false) RETURNS TABLE (
	table_name regclass, column_name name, index_name regclass, kind text, layout text, correlation real,
	bytes bigint, leaf_density numeric, inserts bigint, bytes_saved bigint, wal_bytes_saved bigint, note text
)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT l.relation::regclass, l.name, l.index::regclass, l.kind, l.layout, l.correlation, l.bytes, l.density, s.inserts,
		s.saved, s.inserts * l.wal, uidext_internal.key_note(l.kind, l.strangers)
	FROM uidext_internal.key_lines(exact) l,
		LATERAL (SELECT pg_stat_get_tuples_inserted(l.relation), greatest(0::float8, l.bytes::float8 * (1::float8 - l.part_left))::bigint) s(inserts, saved)
	ORDER BY s.saved + s.inserts * l.wal DESC NULLS LAST, l.bytes DESC, l.relation::regclass::text, l.index::regclass::text;
END;
COMMENT ON FUNCTION uuid_key_report(bool) IS
	'what the uuid keys of a database cost, the dearest first; valid btree indexes with a uuid, iuid or ulid among their keys, and texts and bytes that are uuids; kind and order from pg_stats, size, density (read by pgstattuple when exact), what could be saved, and what to do; raises 55000 without pgstattuple';

CREATE FUNCTION uidext_internal.key_position(layout text, id text) RETURNS numeric
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN (
		SELECT CASE layout WHEN 'bigint' THEN id::numeric ELSE (
			SELECT sum(('x' || lpad(substr(h.hex, n, 8), 16, '0'))::bit(64)::bigint * 4294967296::numeric ^ ((25 - n) / 8))
			FROM (SELECT replace((CASE layout WHEN 'ulid' THEN @extschema@.ulid_to_uuid(id) ELSE id::uuid END)::text, '-', '')) h(hex),
				pg_catalog.generate_series(1, 25, 8) n
		) END
	);
END
$$;
COMMENT ON FUNCTION uidext_internal.key_position(text, text) IS
	'an id as a number that sorts as it does: a bigint itself, or the 128 bits; raises 22P02 for what is no id';

CREATE FUNCTION uidext_internal.key_at(layout text, at numeric) RETURNS text
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN (
		SELECT CASE layout WHEN 'bigint' THEN floor(at)::bigint::text WHEN 'ulid' THEN @extschema@.uuid_to_ulid(u.id)::text ELSE u.id::text END
		FROM (
			SELECT string_agg(lpad(to_hex((div(at, 4294967296::numeric ^ n) % 4294967296)::bigint), 8, '0'), '' ORDER BY n DESC)::uuid
			FROM pg_catalog.generate_series(0, CASE layout WHEN 'bigint' THEN -1 ELSE 3 END) n
		) u(id)
	);
END
$$;
COMMENT ON FUNCTION uidext_internal.key_at(text, numeric) IS
	'the id at a position that key_position() gave or that lies between two of these, rounded down; raises 22003 beyond bigint, 0A000 for what is no number';

CREATE FUNCTION uidext_internal.key_range_column(relation regclass, OUT column_name name, OUT column_number smallint, OUT layout text)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH key(attnum, opclass, rank) AS (
		SELECT i.indkey[0], i.indclass[0], CASE WHEN i.indisprimary THEN 1 ELSE 2 END
		FROM pg_catalog.pg_index i
		WHERE i.indrelid = relation::oid AND i.indisunique AND i.indpred IS NULL
		UNION ALL
		SELECT p.partattrs[0], p.partclass[0], 3 FROM pg_catalog.pg_partitioned_table p WHERE p.partrelid = relation::oid
	)
	SELECT a.attname, a.attnum, l.layout
	FROM key k
		JOIN pg_catalog.pg_opclass o ON o.oid = k.opclass AND o.opcdefault
		JOIN pg_catalog.pg_attribute a ON a.attrelid = relation::oid AND a.attnum = k.attnum,
		LATERAL (
			SELECT coalesce(uidext_internal.uuid_partition_layout(a.atttypid),
				(SELECT 'bigint' FROM uidext_internal.base_types(a.atttypid) t(type) WHERE t.type::oid = 'bigint'::regtype::oid))
		) l(layout)
	WHERE l.layout IS NOT NULL
	ORDER BY k.rank, a.attnum
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.key_range_column(regclass) IS
	'the column by which uuid_key_ranges() divides a table, and how its ids are read: uuid, ulid or bigint';

CREATE FUNCTION uidext_internal.key_range_members(
	relation regclass, column_name name, column_number smallint, layout text,
	OUT rows float8, OUT bounds text[], OUT bounds_share float8, OUT common text[], OUT common_shares real[]
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
	WITH RECURSIVE tree(relid, parent) AS (
		SELECT relation::oid, NULL::oid
		UNION
		SELECT i.inhrelid, i.inhparent FROM tree t JOIN pg_catalog.pg_inherits i ON i.inhparent = t.relid
	), parent AS (
		SELECT k.partrelid::regclass AS relid
		FROM pg_catalog.pg_partitioned_table k JOIN pg_catalog.pg_attribute a ON a.attrelid = k.partrelid AND a.attnum = k.partattrs[0]
		WHERE k.partrelid IN (SELECT t.parent FROM tree t) AND k.partnatts = 1::smallint AND a.attname = key_range_members.column_name
	), range AS MATERIALIZED (
		-- once for a parent, not for each of its partitions
		SELECT p.partition, p.from_id, p.to_id
		FROM parent, uidext_internal.uuid_partition_ranges(parent.relid,
			CASE WHEN key_range_members.layout = 'bigint' THEN uidext_internal.uuid_partition_scheme(relation, column_number) ELSE key_range_members.layout END
		) p
	)
	SELECT r.rows,
		coalesce(s.histogram_bounds::text::text[], pg_catalog.array_remove(ARRAY[p.from_id, p.to_id], NULL)),
		CASE WHEN s.histogram_bounds IS NULL AND s.most_common_freqs IS NOT NULL THEN 0
			ELSE 1 - coalesce((SELECT sum(f) FROM pg_catalog.unnest(s.most_common_freqs) f), 0) END,
		s.most_common_vals::text::text[], s.most_common_freqs
	FROM tree t
		JOIN pg_catalog.pg_class c ON c.oid = t.relid AND c.relkind <> 'p'
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
		LEFT JOIN pg_catalog.pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname
			AND s.attname = key_range_members.column_name AND NOT s.inherited
		LEFT JOIN range p ON p.partition::oid = t.relid,
		LATERAL (SELECT CASE WHEN c.reltuples >= 0::real THEN c.reltuples::float8
			WHEN c.relkind <> 'f' AND pg_catalog.pg_relation_size(c.oid::regclass) = 0 THEN 0
			ELSE nullif(pg_catalog.pg_stat_get_live_tuples(c.oid), 0)::float8
		END) r(rows)
$$;
COMMENT ON FUNCTION uidext_internal.key_range_members(regclass, name, smallint, text) IS
	'a table, or each of its leaves: rows (NULL when they were never counted), a histogram of the ids or the partition''s bounds with the share of rows that they hold, and common values';

CREATE FUNCTION uidext_internal.key_range_steps(
	relation regclass, column_name name, column_number smallint, layout text,
	OUT from_position numeric, OUT to_position numeric, OUT rows_before float8, OUT rows_after float8
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
	WITH member AS (
		SELECT * FROM uidext_internal.key_range_members(relation, column_name, column_number, layout) m WHERE m.rows > 0
	), point(at, weight) AS (
		SELECT uidext_internal.key_position(layout, b.id),
			CASE WHEN b.number > 1 OR cardinality(m.bounds) = 1 THEN m.rows * m.bounds_share / greatest(cardinality(m.bounds) - 1, 1) ELSE 0 END
		FROM member m, pg_catalog.unnest(m.bounds) WITH ORDINALITY b(id, number)
		UNION ALL
		-- all rows of one id between it and the next
		SELECT uidext_internal.key_position(layout, v.id) + e.next, m.rows * v.share * e.next
		FROM member m, ROWS FROM (pg_catalog.unnest(m.common), pg_catalog.unnest(m.common_shares)) v(id, share), pg_catalog.generate_series(0, 1) e(next)
	), placed AS (
		SELECT p.at, sum(sum(p.weight)) OVER (ORDER BY p.at) AS rows FROM point p GROUP BY p.at
	)
	SELECT coalesce(pg_catalog.lag(p.at) OVER w, p.at), p.at, coalesce(pg_catalog.lag(p.rows) OVER w, 0), p.rows
	FROM placed p
	WINDOW w AS (ORDER BY p.at)
$$;
COMMENT ON FUNCTION uidext_internal.key_range_steps(regclass, name, smallint, text) IS
	'the distribution of a table''s ids as pieces: from a position of key_position() to another, with the rows before and after; raises 22P02 for ids of another layout';

CREATE FUNCTION uidext_internal.key_range_cuts(
	relation regclass, column_name name, column_number smallint, layout text, n int,
	OUT number int, OUT from_id text, OUT to_id text, OUT rows bigint
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
	WITH step AS (
		SELECT s.*, max(s.rows_after) OVER () AS total
		FROM uidext_internal.key_range_steps(relation, column_name, column_number, layout) s
	), cut AS (
		SELECT 0 AS k, NULL AS id, coalesce((SELECT max(s.total) FROM step s), (
			SELECT coalesce(sum(m.rows), 0)
			FROM uidext_internal.key_range_members(relation, column_name, column_number, layout) m
			-- two rows need statistics
			HAVING count(*) = count(*) FILTER (WHERE m.rows <= 1))) AS total
		UNION ALL
		SELECT min(g.k), c.id, max(s.total)
		FROM step s,
			-- a few too many: which are in the step, the condition says
			LATERAL pg_catalog.generate_series(greatest(floor(s.rows_before * n / nullif(s.total, 0))::int, 1),
				least(ceil(s.rows_after * n / nullif(s.total, 0))::int, n - 1)) g(k),
			LATERAL (SELECT uidext_internal.key_at(layout, s.from_position + (s.to_position - s.from_position)
				* ((s.total * g.k / n - s.rows_before) / (s.rows_after - s.rows_before))::numeric)) c(id)
		WHERE s.rows_before < s.total * g.k / n AND s.rows_after >= s.total * g.k / n
		GROUP BY c.id
	)
	SELECT pg_catalog.row_number() OVER w, c.id, pg_catalog.lead(c.id) OVER w,
		round(c.total * (coalesce(pg_catalog.lead(c.k) OVER w, n) - c.k) / n)::bigint
	FROM cut c
	WINDOW w AS (ORDER BY c.k)
$$;
COMMENT ON FUNCTION uidext_internal.key_range_cuts(regclass, name, smallint, text, int) IS
	'at most n ranges of a table''s ids with about as many rows each, the first and the last open; rows are NULL without statistics; raises 22P02 for ids of another layout';

CREATE FUNCTION uuid_key_ranges(
	relation regclass, n int, OUT number int, OUT from_id text, OUT to_id text, OUT rows bigint, OUT condition text
) RETURNS SETOF record
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
BEGIN
	IF n NOT BETWEEN 1 AND 10000 THEN
		RAISE EXCEPTION 'number of ranges out of range: %', n
			USING ERRCODE = 'invalid_parameter_value', HINT = 'It must be from 1 to 10000.';
	END IF;
	SELECT * INTO key FROM uidext_internal.key_range_column(relation);
	IF key.layout IS NULL THEN
		RAISE EXCEPTION 'table % has no key that begins with a uuid, iuid, ulid or bigint', relation
			USING ERRCODE = 'wrong_object_type', HINT = 'The ranges are those of a primary key, a unique index or a partition key.';
	END IF;
	FOR number, from_id, to_id, rows IN
		SELECT r.* FROM uidext_internal.key_range_cuts(relation, key.column_name, key.column_number, key.layout, n) r
	LOOP
		IF rows IS NULL THEN
			RAISE EXCEPTION 'table % has no statistics of column "%"', relation, key.column_name
				USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'ANALYZE it; of a column that you may not SELECT you see none.';
		END IF;
		condition := CASE WHEN num_nonnulls(from_id, to_id) = 0 THEN 'true' ELSE concat_ws(' AND ',
			CASE WHEN from_id IS NOT NULL THEN format('%I >= %L', key.column_name, from_id) END,
			CASE WHEN to_id IS NOT NULL THEN format('%I < %L', key.column_name, to_id) END) END;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_key_ranges(regclass, int) IS
	'at most n ranges of a table''s key with about as many rows each, for work in parallel; from statistics and the bounds of partitions; ids as text, NULL at the open ends, estimated rows, and a condition for a query; together they hold every row whose key is not null; raises 22023 unless n is from 1 to 10000, 42809 without such a key, 55000 without statistics';

-- Functions that are gone

DROP FUNCTION uidext_internal.uuid_partition_covered(regclass,text);
DROP PROCEDURE @extschema@.uuid_partition_drain(regclass,interval,text,timestamp with time zone,timestamp with time zone,regclass);
DROP FUNCTION uidext_internal.uuid_partition_drain_next(regclass,interval,text,timestamp with time zone,timestamp with time zone,text,regclass);
DROP FUNCTION uidext_internal.uuid_partition_carve(regclass,regclass,name,text,text,text,regclass);
DROP FUNCTION uidext_internal.uuid_partition_move_rows(regclass,regclass,regclass,name,text,text);
DROP FUNCTION uidext_internal.uuid_partition_lock_exclusively(regclass,regclass);
DROP FUNCTION @extschema@.uuid_partition_maintain(regclass,interval,integer,interval,boolean,text,regclass);
DROP FUNCTION uidext_internal.uuid_partition_extend(regclass,text,timestamp with time zone[],timestamp with time zone[],text[],regclass);
DROP FUNCTION uidext_internal.uuid_partition_retire(regclass,text,timestamp with time zone,boolean,regclass);
DROP FUNCTION uidext_internal.uuid_partition_warn(text,text,text,text);
DROP FUNCTION uidext_internal.uuid_partition_missing(regclass,text,interval,integer,timestamp with time zone,text);
DROP PROCEDURE @extschema@.uuid_partition_move(regclass,timestamp with time zone,name,name);
DROP FUNCTION uidext_internal.uuid_partition_move_next(regclass,timestamp with time zone,name,name,timestamp with time zone);
DROP FUNCTION uidext_internal.uuid_partition_check_place(regclass,name,name);
DROP FUNCTION uidext_internal.uuid_partition_move_commands(regclass,name,name);
DROP PROCEDURE @extschema@.uuid_partition_detach(regclass,timestamp with time zone);
DROP FUNCTION uidext_internal.uuid_partition_lock_detachments(regclass);
DROP FUNCTION uidext_internal.uuid_partition_detach_next(regclass,timestamp with time zone,timestamp with time zone);
DROP FUNCTION @extschema@.uuid_partition_drop(regclass,timestamp with time zone,boolean);
DROP FUNCTION uidext_internal.uuid_partition_make(regclass,text,timestamp with time zone,timestamp with time zone,text,regclass);
DROP FUNCTION uidext_internal.uuid_partition_run(regclass,text[]);
DROP FUNCTION uidext_internal.uuid_partition_storage_commands(regclass,regclass,regclass);
DROP FUNCTION uidext_internal.uuid_partition_indexes_alike(regclass,regclass);
DROP FUNCTION uidext_internal.uuid_partition_index_definition(regclass);
DROP FUNCTION uidext_internal.uuid_partition_size(regclass);
DROP FUNCTION uidext_internal.uuid_partition_table(regclass,text,name,regclass);
DROP FUNCTION uidext_internal.uuid_partition_condition(regclass,name,text,text);
DROP FUNCTION uidext_internal.uuid_partition_has_rows(regclass,name);
DROP FUNCTION uidext_internal.uuid_partition_as_owner(regclass,text);
DROP FUNCTION uidext_internal.uuid_partition_periods(regclass,text);
DROP FUNCTION uidext_internal.uuid_distributed_size(regclass);

ALTER OPERATOR FAMILY uidext_internal.iuid_ops USING btree ADD
	OPERATOR 1 uidext_internal.< (iuid, uuid),
	OPERATOR 2 uidext_internal.<= (iuid, uuid),
	OPERATOR 4 uidext_internal.>= (iuid, uuid),
	OPERATOR 5 uidext_internal.> (iuid, uuid),
	OPERATOR 1 uidext_internal.< (uuid, iuid),
	OPERATOR 2 uidext_internal.<= (uuid, iuid),
	OPERATOR 4 uidext_internal.>= (uuid, iuid),
	OPERATOR 5 uidext_internal.> (uuid, iuid);

-- Functions made anew have the privileges of a new one

SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
DECLARE
	routine regprocedure;
	former text;
BEGIN
	FOR routine, former IN
		SELECT p.oid, g.acl
		FROM json_to_recordset(current_setting('uidext_update.granted')::json) AS g(oid oid, name name, acl text)
			JOIN pg_proc p ON p.proname = g.name AND p.pronamespace = '@extschema@'::regnamespace
			JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
				AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uidext')
		WHERE g.oid NOT IN (SELECT oid FROM pg_proc) AND p.proacl::text IS DISTINCT FROM g.acl
		ORDER BY p.oid
	LOOP
		RAISE WARNING '% has its default privileges again: the update has made it anew', routine
			USING DETAIL = format('They were %s.', former),
				HINT = 'Repeat GRANT and REVOKE on it.';
	END LOOP;
END $$;

-- Functions that read more than they did

-- Times were NULL for iUIDs of layouts to come.  Where a database has such
-- version 8 ids of another origin, what is stored of it has to be made again.
DO $$
DECLARE
	place text;
BEGIN
	FOR place IN
		SELECT DISTINCT coalesce(pg_describe_object('pg_class'::regclass, v.oid, 0), pg_describe_object(d.classid, d.objid, d.objsubid))
		FROM pg_depend d
			LEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
			LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
			LEFT JOIN pg_class v ON v.oid = r.ev_class AND v.relkind = 'm'
		WHERE d.refclassid = 'pg_proc'::regclass
			AND d.refobjid = ANY (ARRAY['@extschema@.uuid_time(uuid)', '@extschema@.iuid_version(uuid)', '@extschema@.uuid_inspect(uuid)',
				'@extschema@.uuid_is_recent(uuid,interval,interval,timestamptz)']::regprocedure[])
			AND (c.relkind IN ('i', 'I', 'p') OR v.oid IS NOT NULL OR d.classid = 'pg_attrdef'::regclass
				AND EXISTS (SELECT FROM pg_attrdef e JOIN pg_attribute a ON (a.attrelid, a.attnum) = (e.adrelid, e.adnum)
					WHERE e.oid = d.objid AND a.attgenerated = 's'))
	LOOP
		RAISE WARNING 'stored results of functions that read more now: %', place
			USING DETAIL = 'They differ for version 8 ids, of a time before 2109-05-15, that are no iUIDs of layout version 0.',
				HINT = 'If there are such ids: REINDEX it, update the column, REFRESH the view, or move the rows to the partition of their time.';
	END LOOP;
END $$;

-- The cast from iuid to timestamptz had uuid_time() for its function, and so has what
-- is stored of it.
DO $$
DECLARE
	place text;
BEGIN
	FOR place IN
		WITH RECURSIVE iuids(type) AS (
			SELECT '@extschema@.iuid'::regtype::oid
			UNION
			SELECT t.oid FROM iuids i JOIN pg_type t ON t.typbasetype = i.type
		)
		SELECT DISTINCT pg_describe_object(d.classid, d.objid, 0)
		FROM pg_depend d
			JOIN pg_class c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid AND c.relkind IN ('i', 'I', 'p')
			LEFT JOIN pg_index i ON i.indexrelid = c.oid
			JOIN pg_attribute a ON a.attrelid = coalesce(i.indrelid, c.oid) AND a.atttypid IN (TABLE iuids)
		WHERE d.refclassid = 'pg_proc'::regclass AND d.refobjid = '@extschema@.uuid_time(uuid)'::regprocedure
	LOOP
		RAISE WARNING 'casts from iuid to timestamptz have another function: %', place
			USING DETAIL = 'If it was made with that cast, queries with the cast do not use it any more. It goes on to be right, and those with uuid_time() use it.',
				HINT = 'Make it again, or write uuid_time(id) in queries.';
	END LOOP;
END $$;

SET LOCAL search_path = @extschema@, pg_temp;
