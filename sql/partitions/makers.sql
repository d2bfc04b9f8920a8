-- Partitions: which function makes the ids of a key, and whether they are in the order of time

-- pg_depend does not list PostgreSQL's own functions, so the OID is read from the node tree.  Only
-- the outermost function counts, because that one gives the value.
CREATE FUNCTION uidext_internal.result_function(tree text) RETURNS oid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN tree !~ '[}] [{]QUERY ' THEN substring(tree FROM
		-- an expression, or a SELECT of one; then coercions that do not change the value
		'^(?:[(]*[{]QUERY [^({]*:cteList <> :rtable <> [^({]*[{]FROMEXPR :fromlist <> :quals <>[}] [^({]*:targetList [(][{]TARGETENTRY :expr )?'
		'(?:[{](?:RELABELTYPE|COERCETODOMAIN) :arg )*[{]FUNCEXPR :funcid ([0-9]+) ')::oid
	END;
COMMENT ON FUNCTION uidext_internal.result_function(text) IS
	'the function that gives the value of an expression, or of the body of an SQL function, of their node trees; NULL '
	'where it is none; raises 22003 for a number that no tree has';

CREATE FUNCTION uidext_internal.partition_makers(parent regclass, column_number smallint) RETURNS SETOF oid
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	WITH RECURSIVE made("by") AS (
		SELECT uidext_internal.result_function(coalesce(d.adbin, t.typdefaultbin)::text)
		FROM pg_catalog.pg_attribute a
			JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
			LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
		WHERE a.attrelid = parent::oid AND a.attnum = column_number
		UNION
		SELECT uidext_internal.result_function(p.prosqlbody::text)
		FROM made m JOIN pg_catalog.pg_proc p ON p.oid = m."by"
		-- in the SQL edition these call comb_to_suffix() and uuid_to_sqlserver(), which are among those that make no order
		WHERE m."by" NOT IN ('@extschema@.comb_from_suffix(uuid)'::regprocedure::oid, '@extschema@.uuid_from_sqlserver(uuid)'::regprocedure::oid)
	)
	SELECT m."by" FROM made m WHERE m."by" IS NOT NULL;
END;
COMMENT ON FUNCTION uidext_internal.partition_makers(regclass, smallint) IS
	'the function that makes the default of a column, or of its domain, and those that stand behind it in SQL-standard '
	'bodies';

-- Functions of other extensions are identified by library and symbol, which only superusers can
-- set, because their schema and name can be anything.
CREATE FUNCTION uidext_internal.makes_no_order(function oid) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT function IN (
			'@extschema@.gen_uuidv1()'::regprocedure::oid, '@extschema@.gen_uuidv1_at(timestamptz)'::regprocedure::oid,
			'@extschema@.gen_uuidv6()'::regprocedure::oid, '@extschema@.gen_uuidv6_at(timestamptz)'::regprocedure::oid,
			'@extschema@.gen_uuidv13()'::regprocedure::oid, '@extschema@.gen_uuidv13_at(timestamptz)'::regprocedure::oid,
			'@extschema@.uuidv1_to_v6(uuid)'::regprocedure::oid, '@extschema@.uuidv6_to_v1(uuid)'::regprocedure::oid,
			'@extschema@.uuidv1_to_v13(uuid)'::regprocedure::oid, '@extschema@.uuidv13_to_v1(uuid)'::regprocedure::oid,
			'@extschema@.gen_suffix_comb()'::regprocedure::oid, '@extschema@.gen_suffix_comb_at(timestamptz)'::regprocedure::oid,
			'@extschema@.gen_short_comb(interval)'::regprocedure::oid,
			'@extschema@.gen_short_comb_at(timestamptz,interval)'::regprocedure::oid,
			'@extschema@.gen_short_suffix_comb(interval)'::regprocedure::oid,
			'@extschema@.gen_short_suffix_comb_at(timestamptz,interval)'::regprocedure::oid,
			'@extschema@.gen_sequence_comb(regclass,int)'::regprocedure::oid,
			'@extschema@.comb_to_suffix(uuid)'::regprocedure::oid,
			'@extschema@.short_comb_to_suffix(uuid)'::regprocedure::oid,
			'@extschema@.short_comb_from_suffix(uuid)'::regprocedure::oid,
			'@extschema@.uuid_to_sqlserver(uuid)'::regprocedure::oid,
			'@extschema@.uuid_encrypt(uuid,bytea,text)'::regprocedure::oid)
		OR EXISTS (
			SELECT FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang
			WHERE p.oid = function AND (
				l.lanname = 'internal' AND p.prosrc IN ('gen_random_uuid', 'nextval_oid')
				-- since 18 probin has no $libdir
				OR l.lanname = 'c' AND p.probin IN ('$libdir/pgcrypto', 'pgcrypto') AND p.prosrc = 'pg_random_uuid'
				OR l.lanname = 'c' AND p.probin IN ('$libdir/uuid-ossp', 'uuid-ossp')
					AND starts_with(p.prosrc, 'uuid_generate_v')));
END;
COMMENT ON FUNCTION uidext_internal.makes_no_order(oid) IS
	'whether a function is known to make keys that are not in the order of their Unix time: random, Gregorian, short '
	'COMBs, suffixes, sequences';

-- An id of version 4 is a COMB only if the default makes COMBs.  Boundary values have version 0.
CREATE FUNCTION uidext_internal.partition_versions(makers oid[]) RETURNS int[]
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT coalesce((
		SELECT g.versions
		FROM (VALUES
			('@extschema@.gen_comb()'::regprocedure, ARRAY[0, 4]),
			('@extschema@.gen_comb_at(timestamptz)'::regprocedure, ARRAY[0, 4]),
			('@extschema@.gen_iuid(int,int)'::regprocedure, ARRAY[0, 8]),
			('@extschema@.gen_iuid(text,text)'::regprocedure, ARRAY[0, 8]),
			('@extschema@.gen_iuid(int)'::regprocedure, ARRAY[0, 8]),
			('@extschema@.gen_iuid(text)'::regprocedure, ARRAY[0, 8]),
			('@extschema@.gen_iuid_at(timestamptz,int,int)'::regprocedure, ARRAY[0, 8]),
			('@extschema@.gen_iuid_at(timestamptz,text,text)'::regprocedure, ARRAY[0, 8]),
-- [c]
			('@extschema@.gen_ordered_uuidv7()'::regprocedure, ARRAY[0, 7]),
-- [both]
			('@extschema@.gen_uuidv7()'::regprocedure, ARRAY[0, 7]),
			('@extschema@.gen_uuidv7(interval)'::regprocedure, ARRAY[0, 7]),
			('@extschema@.gen_uuidv7_at(timestamptz)'::regprocedure, ARRAY[0, 7])
		) g(maker, versions)
		WHERE g.maker::oid = ANY (makers)
		LIMIT 1
	), ARRAY[0, 7, 8]);
END;
COMMENT ON FUNCTION uidext_internal.partition_versions(oid[]) IS
	'the UUID versions whose ids tell time in a column with such a default: 4 for COMBs, 7 for UUIDv7, 8 for iUIDs, 7 and 8 '
	'for any other default; and always 0, the version of boundary values';
