-- [c]
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

-- [both]
-- Columns: later ones come last

ALTER TABLE iuid_service_entities ADD service text, ADD entity text, ADD UNIQUE (service, entity);
ALTER TABLE iuid_routes ADD region text;
ALTER TYPE uuid_info ADD ATTRIBUTE count_100ns bigint CASCADE, ADD ATTRIBUTE swapped_by text CASCADE, ADD ATTRIBUTE unswapped uuid CASCADE;
ALTER TYPE iuid_info ADD ATTRIBUTE service text CASCADE, ADD ATTRIBUTE entity text CASCADE, ADD ATTRIBUTE region text CASCADE;

-- Names: what uses them goes on

ALTER FUNCTION ordered_uuid_time(uuid) RENAME TO laravel_uuid_time;
ALTER FUNCTION ordered_uuid_to_v7(uuid) RENAME TO laravel_uuid_to_v7;
ALTER FUNCTION uid_to_bigint(uuid, text) RENAME TO uid_bigint_from_uuid;

-- [c]
-- Casts

-- what uses the cast keeps its function
ALTER FUNCTION uidext_internal.uuid_to_iuid(uuid) RENAME TO uuid_as_iuid;
DROP CAST (iuid AS timestamptz);

-- [sql]
-- uuid_to_ulid() is made anew, because it returns another type: what the install
-- script made over it uses what it was.  All names are qualified under this path.

SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
DECLARE
	user_of_it oid;
BEGIN
	FOR user_of_it IN
		SELECT p.oid
		FROM pg_depend u
			JOIN pg_depend m ON (m.classid, m.objid, m.deptype) = (u.classid, u.objid, 'e')
			JOIN pg_extension e ON (m.refclassid, m.refobjid) = ('pg_extension'::regclass, e.oid) AND e.extname = 'uidext'
			JOIN pg_proc p ON (u.classid, u.objid) = ('pg_proc'::regclass, p.oid)
		WHERE (u.refclassid, u.refobjid) = ('pg_proc'::regclass, '@extschema@.uuid_to_ulid(uuid)'::regprocedure)
	LOOP
		EXECUTE replace(pg_get_functiondef(user_of_it),
			split_part('@extschema@.uuid_to_ulid(uuid)'::regprocedure::text, '(', 1) || '(', 'uidext_internal.base32_encode(');
	END LOOP;
END $$;

-- Operators whose arguments are of other types: made anew, which only a superuser
-- could spare them

SET LOCAL search_path = @extschema@, pg_temp;

DROP OPERATOR <@ (uuid, tstzrange);
DROP OPERATOR @> (tstzrange, uuid);
DROP OPERATOR <@ (uuid, tstzmultirange);
DROP OPERATOR @> (tstzmultirange, uuid);
DROP OPERATOR <@ (ulid, tstzrange);
DROP OPERATOR @> (tstzrange, ulid);
DROP OPERATOR <@ (ulid, tstzmultirange);
DROP OPERATOR @> (tstzmultirange, ulid);

-- [c]
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

-- [both]
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

@changes@

-- [c]
ALTER OPERATOR FAMILY uidext_internal.iuid_ops USING btree ADD
	OPERATOR 1 uidext_internal.< (iuid, uuid),
	OPERATOR 2 uidext_internal.<= (iuid, uuid),
	OPERATOR 4 uidext_internal.>= (iuid, uuid),
	OPERATOR 5 uidext_internal.> (iuid, uuid),
	OPERATOR 1 uidext_internal.< (uuid, iuid),
	OPERATOR 2 uidext_internal.<= (uuid, iuid),
	OPERATOR 4 uidext_internal.>= (uuid, iuid),
	OPERATOR 5 uidext_internal.> (uuid, iuid);

-- [both]
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

-- [c]
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

-- [both]

SET LOCAL search_path = @extschema@, pg_temp;
