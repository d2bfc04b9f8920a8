-- [c]
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
		SELECT string_agg(DISTINCT s.logicalrelid::text, ', ')
		FROM pg_dist_shard s
			JOIN pg_dist_partition p USING (logicalrelid)
			JOIN pg_attribute a ON a.attrelid = p.logicalrelid
				AND a.attname = column_to_column_name(p.logicalrelid::oid, p.partkey)
		WHERE p.partmethod = 'h' AND a.atttypid = $1 AND s.shardminvalue::int8 & 16777215::int8 <> 0$query$
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

-- Hash indexes are built anew.  Whoever has one open has looked up the former
-- function: an UPDATE of its row, which changes nothing, has it looked up again.
DO $$
DECLARE
	hash_index regclass;
BEGIN
	FOR hash_index IN
		SELECT i.indexrelid
		FROM pg_index i
			JOIN pg_class c ON c.oid = i.indexrelid
		WHERE c.relkind = 'i'
			AND EXISTS (
				SELECT
				FROM pg_opclass o
					JOIN pg_opfamily f ON f.oid = o.opcfamily
				WHERE o.oid = ANY (i.indclass) AND f.opfname = 'iuid_country_ops' AND f.opfnamespace = '@extschema@'::regnamespace)
		ORDER BY i.indexrelid
	LOOP
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
ALTER TYPE uuid_info ADD ATTRIBUTE count_100ns bigint, ADD ATTRIBUTE swapped_by text, ADD ATTRIBUTE unswapped uuid;
ALTER TYPE iuid_info ADD ATTRIBUTE service text, ADD ATTRIBUTE entity text, ADD ATTRIBUTE region text;

-- [c]
-- Casts

DROP CAST (uuid AS iuid);
DROP CAST (iuid AS timestamptz);

-- [both]
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

-- Functions that read more than they did

-- uuid_time() was NULL for iUIDs of layouts to come.  Where a database has such
-- version 8 ids of another origin, what is stored of it has to be made again.
SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
DECLARE
	place text;
BEGIN
	FOR place IN
		SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid)
		FROM pg_depend d
			LEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
		WHERE d.refclassid = 'pg_proc'::regclass
			AND d.refobjid = ANY (ARRAY['@extschema@.uuid_time(uuid)'::regprocedure, '@extschema@.iuid_version(uuid)'::regprocedure])
			AND (c.relkind IN ('i', 'I') OR d.classid = 'pg_attrdef'::regclass
				AND EXISTS (SELECT FROM pg_attrdef e JOIN pg_attribute a ON (a.attrelid, a.attnum) = (e.adrelid, e.adnum)
					WHERE e.oid = d.objid AND a.attgenerated = 's'))
	LOOP
		RAISE WARNING 'stored results of uuid_time() or iuid_version(): %', place
			USING DETAIL = 'They differ for version 8 ids, of a time before 2109-05-15, that are no iUIDs of layout version 0.',
				HINT = 'REINDEX it, or update the column, if there are such ids.';
	END LOOP;
END $$;

SET LOCAL search_path = @extschema@, pg_temp;
