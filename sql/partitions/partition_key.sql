-- Partitions: the key, whose ids tell time, and the ranges of it that partitions hold
--
-- Whoever changes a table is its owner, a superuser too, and all runs with the
-- caller's rights: what stands in predicates, defaults, checks and triggers of
-- a table runs as nobody but its owner.

CREATE FUNCTION uidext_internal.base_types(type regtype) RETURNS SETOF regtype
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	WITH RECURSIVE base(oid) AS (
		SELECT base_types.type::oid
		UNION ALL
		SELECT t.typbasetype FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.oid WHERE t.typtype = 'd'
	)
	SELECT b.oid::regtype FROM base b;
END;
COMMENT ON FUNCTION uidext_internal.base_types(regtype) IS
	'a type and, of a domain, the types that it is over, domain over domain';

-- How the ids of a key tell time: all that depends on the type of the key stands
-- in this function and the two after it.
CREATE FUNCTION uidext_internal.partition_layout(key_type regtype) RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT CASE
			WHEN bool_or(t.type::oid IN ('uuid'::regtype::oid, '@extschema@.iuid'::regtype::oid)) THEN 'uuid'
			WHEN bool_or(t.type::oid = '@extschema@.ulid'::regtype::oid) THEN 'ulid'
		END
	FROM uidext_internal.base_types(key_type) t(type);
END;
COMMENT ON FUNCTION uidext_internal.partition_layout(regtype) IS
	'layout of the ids of a key of this type, as the functions of bounds take it; NULL when it is none of ours';

-- A bigint says nothing of its ids: CHECK (uid_is_valid(id, 'snowflake')) does.
-- What the server shows of the check has to be this, whole, for some scheme.
CREATE FUNCTION uidext_internal.partition_schemes(parent regclass, column_number smallint) RETURNS text[]
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET quote_all_identifiers = off
BEGIN ATOMIC
	SELECT pg_catalog.array_agg(DISTINCT named.scheme)
	FROM pg_catalog.pg_constraint c
		JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = column_number
		JOIN pg_catalog.pg_proc f ON f.oid = '@extschema@.uid_is_valid(bigint,text)'::regprocedure::oid
		JOIN pg_catalog.pg_namespace n ON n.oid = f.pronamespace
		CROSS JOIN LATERAL pg_get_expr(c.conbin, c.conrelid) shown(expression)
		CROSS JOIN LATERAL split_part(shown.expression, '''', -2) named(scheme)
	WHERE c.conrelid = parent::oid AND c.contype = 'c'
		AND shown.expression = pg_catalog.format(
			CASE a.atttypid WHEN 'bigint'::regtype::oid THEN '%I.%I(%I, %L::text)' ELSE '%I.%I((%I)::bigint, %L::text)' END,
			n.nspname, f.proname, a.attname, named.scheme);
END;
COMMENT ON FUNCTION uidext_internal.partition_schemes(regclass, smallint) IS
	'schemes of the ids in a bigint column, which CHECKs with uid_is_valid() name; NULL without one';

-- Not STRICT, which would keep this and the next one from being inlined.
CREATE FUNCTION uidext_internal.partition_boundary(layout text, at timestamptz) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE layout
		WHEN 'uuid' THEN uuid_boundary(at)::text
		WHEN 'ulid' THEN ulid_boundary(at)::text
		ELSE uid_boundary(at, layout)::text
	END;
COMMENT ON FUNCTION uidext_internal.partition_boundary(text, timestamptz) IS
	'the bound of a time as text; raises 22008 for a time outside 1970-01-01 to 10889-08-02 or the scheme''s own, 22023 '
	'for an unknown scheme';

CREATE FUNCTION uidext_internal.partition_boundary_time(layout text, bound text) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN layout NOT IN ('uuid', 'ulid') THEN CASE
			WHEN bound::bigint <= uid_boundary(timestamptz '-infinity', layout) THEN '-infinity'
			WHEN bound::bigint = uid_boundary(timestamptz 'infinity', layout) THEN 'infinity'
			ELSE uid_time(bound::bigint, layout)
		END
		WHEN bound = uidext_internal.partition_boundary(layout, timestamptz '-infinity') THEN '-infinity'
		WHEN bound = uidext_internal.partition_boundary(layout, timestamptz 'infinity') THEN 'infinity'
		WHEN layout = 'ulid' THEN uuid_boundary_time(ulid_to_uuid(bound))
		ELSE uuid_boundary_time(bound::uuid)
	END;
COMMENT ON FUNCTION uidext_internal.partition_boundary_time(text, text) IS
	'the time of a bound, to the millisecond; raises 22P02 for what is no id, 22003 for what is beyond bigint, 22023 for '
	'an unknown scheme';

CREATE FUNCTION uidext_internal.partition_key_hint(parent regclass, column_type regtype) RETURNS text
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT coalesce((
		SELECT CASE WHEN o.opcname IN ('iuid_country_ops', 'uuid_country_ops')
			AND o.opcnamespace = '@extschema@'::regnamespace::oid
			THEN 'Call this for the partition of a country; with a step, iuid_partition_create() makes that one by time.'
			ELSE 'Call this for each partition that is PARTITION BY RANGE (id), or partition by RANGE (id) first and each period as you like.'
		END
		FROM pg_catalog.pg_partitioned_table p JOIN pg_catalog.pg_opclass o ON o.oid = p.partclass[0]
		WHERE p.partrelid = parent::oid AND p.partstrat <> 'r'
	), CASE WHEN EXISTS (SELECT FROM uidext_internal.base_types(column_type) t(type)
		WHERE t.type::oid = 'bigint'::regtype::oid)
		THEN 'A bigint column needs a check of its scheme, such as CHECK (uid_is_valid(id, ''snowflake'')).'
		ELSE 'Create it with PARTITION BY RANGE (id).'
	END);
END;
COMMENT ON FUNCTION uidext_internal.partition_key_hint(regclass, regtype) IS
	'the hint for a table that is not partitioned by time: where periods go beside hash and list, what a bigint key lacks';

CREATE TYPE uidext_internal.partition_period AS (
	partition regclass, from_id text, to_id text, from_time timestamptz, to_time timestamptz, detach_pending bool,
	suffix text
);
COMMENT ON TYPE uidext_internal.partition_period IS
	'a range partition with its bounds as text and as times, or one to be made';
COMMENT ON COLUMN uidext_internal.partition_period.partition IS
	'the partition, a leaf or partitioned itself; before it is made NULL, or the one of another table that it follows';
COMMENT ON COLUMN uidext_internal.partition_period.from_id IS
	'its lower bound; NULL for MINVALUE, or for that of from_time';
COMMENT ON COLUMN uidext_internal.partition_period.to_id IS
	'its upper bound; NULL for MAXVALUE, or for that of to_time';
COMMENT ON COLUMN uidext_internal.partition_period.from_time IS 'the time of from_id, -infinity for MINVALUE';
COMMENT ON COLUMN uidext_internal.partition_period.to_time IS 'the time of to_id, infinity for MAXVALUE';
COMMENT ON COLUMN uidext_internal.partition_period.detach_pending IS 'whether its detachment has begun and not ended';
COMMENT ON COLUMN uidext_internal.partition_period.suffix IS 'the end of the name of one to be made';

-- What the functions of a call hand on: first the key, then what is wanted.
CREATE TYPE uidext_internal.partition_job AS (
	parent regclass, column_name name, layout text, periods uidext_internal.partition_period[], neighbour regclass,
	schema regnamespace, start timestamptz, stop timestamptz, step interval, tz text, template regclass,
	detach_only bool, sizes bool, dry_run bool, tolerant bool, obstacle text, most int,
	old uidext_internal.partition_period[], missing uidext_internal.partition_period[],
	after_id text, max_rows int, countries int[], server name, followers regclass[],
	leader regclass, foreign_keys text[]
);
COMMENT ON TYPE uidext_internal.partition_job IS
	'a partitioned table, its key and its ranges, each read once, and what a call shall do about them';
COMMENT ON COLUMN uidext_internal.partition_job.parent IS 'the partitioned table';
COMMENT ON COLUMN uidext_internal.partition_job.column_name IS 'the column that it is partitioned by';
COMMENT ON COLUMN uidext_internal.partition_job.layout IS 'layout of the ids there, as the functions of bounds take it';
COMMENT ON COLUMN uidext_internal.partition_job.periods IS 'its range partitions; once it is locked they stay';
COMMENT ON COLUMN uidext_internal.partition_job.neighbour IS 'the newest of them, like which new ones are partitioned';
COMMENT ON COLUMN uidext_internal.partition_job.schema IS 'where new ones come: where the newest is, else the parent';
COMMENT ON COLUMN uidext_internal.partition_job.start IS 'from when on partitions are wanted';
COMMENT ON COLUMN uidext_internal.partition_job.stop IS 'up to when';
COMMENT ON COLUMN uidext_internal.partition_job.step IS 'how long new ones are';
COMMENT ON COLUMN uidext_internal.partition_job.tz IS 'the time zone of their bounds and names';
COMMENT ON COLUMN uidext_internal.partition_job.template IS 'the table that they are made like, or NULL for the parent';
COMMENT ON COLUMN uidext_internal.partition_job.detach_only IS 'whether old ones stay as tables of their own';
COMMENT ON COLUMN uidext_internal.partition_job.sizes IS 'whether their rows and bytes are asked for';
COMMENT ON COLUMN uidext_internal.partition_job.dry_run IS 'whether nothing is changed, and problems are looked for';
COMMENT ON COLUMN uidext_internal.partition_job.tolerant IS
	'whether a problem of one partition is reported rather than raised';
COMMENT ON COLUMN uidext_internal.partition_job.obstacle IS 'what keeps all old ones from going';
COMMENT ON COLUMN uidext_internal.partition_job.most IS 'after how many tables no more old ones go; NULL for no limit';
COMMENT ON COLUMN uidext_internal.partition_job.old IS 'partitions that shall go, the oldest first';
COMMENT ON COLUMN uidext_internal.partition_job.missing IS 'partitions that shall be made';
COMMENT ON COLUMN uidext_internal.partition_job.after_id IS 'from which id on rows leave the default partition';
COMMENT ON COLUMN uidext_internal.partition_job.max_rows IS 'how many rows at most are moved for one partition';
COMMENT ON COLUMN uidext_internal.partition_job.countries IS 'the countries whose partitions are wanted';
COMMENT ON COLUMN uidext_internal.partition_job.server IS 'the server where they are; NULL for here';
COMMENT ON COLUMN uidext_internal.partition_job.followers IS
	'tables that belong to this one, whose partitions go and come with its own';
COMMENT ON COLUMN uidext_internal.partition_job.leader IS 'the table that this one follows, if any';
COMMENT ON COLUMN uidext_internal.partition_job.foreign_keys IS
	'those of a partition that follows another, as partition_newest_keys_like() shows them; NULL for none';

CREATE TYPE uidext_internal.partition_result AS (
	action text, partition text, made regclass, from_time timestamptz, to_time timestamptz,
	rows bigint, bytes bigint, problem text
);
COMMENT ON TYPE uidext_internal.partition_result IS 'what was done about one partition';
COMMENT ON COLUMN uidext_internal.partition_result.action IS 'what was done, was not, or is to be done';
COMMENT ON COLUMN uidext_internal.partition_result.partition IS 'the name of the partition';
COMMENT ON COLUMN uidext_internal.partition_result.made IS 'the partition, if it has been made';
COMMENT ON COLUMN uidext_internal.partition_result.from_time IS 'when its period begins';
COMMENT ON COLUMN uidext_internal.partition_result.to_time IS 'when its period ends';
COMMENT ON COLUMN uidext_internal.partition_result.rows IS 'its rows, as estimated, or those that were moved';
COMMENT ON COLUMN uidext_internal.partition_result.bytes IS 'its size with indexes and TOAST';
COMMENT ON COLUMN uidext_internal.partition_result.problem IS 'SQLSTATE and message of what kept it from being done';

CREATE FUNCTION uidext_internal.partition_bound(from_id text, to_id text) RETURNS text
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN pg_catalog.format('FOR VALUES FROM (%s) TO (%s)',
		coalesce(quote_literal(from_id), 'MINVALUE'), coalesce(quote_literal(to_id), 'MAXVALUE'));
COMMENT ON FUNCTION uidext_internal.partition_bound(text, text) IS
	'a range as pg_get_expr(relpartbound) shows it, NULL standing for no bound';

-- What the server shows of a bound has to be this, whole.  A caller who has locked
-- the parent reads it once and passes it on: of thousands it takes a while.
CREATE FUNCTION uidext_internal.partition_ranges(parent regclass, layout text)
	RETURNS SETOF uidext_internal.partition_period
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass, id.lower, id.upper,
		coalesce(uidext_internal.partition_boundary_time(layout, id.lower), '-infinity'),
		coalesce(uidext_internal.partition_boundary_time(layout, id.upper), 'infinity'),
		i.inhdetachpending, NULL::text
	FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
		-- a bound has no columns; with the partition given the server would wait for a lock on it
		CROSS JOIN LATERAL pg_get_expr(c.relpartbound, 0::oid) shown(bound)
		CROSS JOIN LATERAL (SELECT
			CASE WHEN starts_with(shown.bound, 'FOR VALUES FROM (''') THEN split_part(shown.bound, '''', 2) END,
			CASE WHEN right(shown.bound, 2) = ''')' THEN split_part(shown.bound, '''', -2) END
		) id(lower, upper)
	WHERE i.inhparent = parent::oid AND shown.bound = uidext_internal.partition_bound(id.lower, id.upper);
END;
COMMENT ON FUNCTION uidext_internal.partition_ranges(regclass, text) IS
	'the range partitions of a parent; the default partition is not among them; raises as partition_boundary_time()';

CREATE FUNCTION uidext_internal.partition_column(parent regclass) RETURNS uidext_internal.partition_job
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	job partition_job;
	column_type regtype;
	schemes text[];
BEGIN
	PERFORM partition_check_exists(parent);
	job.parent := parent;
	SELECT a.attname, a.atttypid, partition_layout(a.atttypid), partition_schemes(parent, a.attnum)
	INTO job.column_name, column_type, job.layout, schemes
	FROM pg_partitioned_table p
		JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partrelid = parent AND p.partstrat = 'r' AND p.partnatts = 1 AND o.opcdefault;
	IF cardinality(schemes) > 1 THEN
		RAISE EXCEPTION 'checks of column "%" of table % name several schemes', job.column_name, parent
			USING ERRCODE = 'wrong_object_type',
				DETAIL = format('They are %s.', array_to_string(schemes, ' and ')),
				HINT = 'Each gives the bounds of partitions other times. Drop the checks of all but one.';
	END IF;
	job.layout := coalesce(job.layout, schemes[1]);
	IF job.layout IS NULL THEN
		RAISE EXCEPTION 'table % is not partitioned by range on one uuid column', parent
			USING ERRCODE = 'wrong_object_type', HINT = partition_key_hint(parent, column_type);
	END IF;
	job.periods := ARRAY(SELECT p FROM partition_ranges(parent, job.layout) p);
	RETURN job;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_column(regclass) IS
	'the one column by whose range a table is partitioned, the layout of its ids and its ranges; raises 42809 for other '
	'tables, 42P01 for none';

-- pg_partition_tree() would lock them, and wait.
CREATE FUNCTION uidext_internal.partition_beneath(relation regclass) RETURNS SETOF oid
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH RECURSIVE beneath(oid) AS (
		SELECT relation::oid
		UNION ALL
		SELECT i.inhrelid FROM beneath b JOIN pg_catalog.pg_inherits i ON i.inhparent = b.oid
	)
	SELECT b.oid FROM beneath b;
END;
COMMENT ON FUNCTION uidext_internal.partition_beneath(regclass) IS
	'a table and all partitions beneath it, without a lock on any';

-- Everybody sees statistics; rows are for their owner, whose code a look may run.
CREATE FUNCTION uidext_internal.partition_may_look(partition regclass) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT coalesce(bool_and(pg_get_userbyid(c.relowner) = current_user AND has_schema_privilege(c.relnamespace, 'USAGE')
		AND has_table_privilege(c.oid, 'SELECT') AND NOT row_security_active(c.oid)), false)
	FROM pg_partition_tree(partition) t JOIN pg_catalog.pg_class c ON c.oid = t.relid::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_may_look(regclass) IS
	'whether the caller owns a partition and sees every row of it';

-- A type with operators of its own is found with them whatever the search_path,
-- and whoever has put others of the same name beside the extension.
CREATE FUNCTION uidext_internal.partition_operators(type regtype) RETURNS name
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
COMMENT ON FUNCTION uidext_internal.partition_operators(regtype) IS
	'the schema of the operators that order a type';

CREATE FUNCTION uidext_internal.partition_comparison(relation regclass, column_name name, operator text, id text)
	RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('%I OPERATOR(%I.%s) %L', column_name, coalesce((
		SELECT uidext_internal.partition_operators(a.atttypid::regtype)
		FROM pg_catalog.pg_attribute a
		WHERE a.attrelid = relation::oid AND a.attname = column_name
	), 'pg_catalog'), operator, id);
END;
COMMENT ON FUNCTION uidext_internal.partition_comparison(regclass, name, text, text) IS
	'a condition that compares a column with an id by an operator of its type; NULL without an id';

CREATE FUNCTION uidext_internal.partition_edge(
	partition regclass, column_name name, from_id text, to_id text, newest bool
) RETURNS text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	result text;
BEGIN
	IF num_nulls(column_name, newest) > 0 OR partition_may_look(partition) IS NOT TRUE THEN
		RETURN NULL;
	END IF;
	EXECUTE format('SELECT %1$I FROM %2$s WHERE %3$s AND %4$s AND %1$I IS NOT NULL ORDER BY %1$I %5$s LIMIT 1',
		column_name, partition,
		coalesce(partition_comparison(partition, column_name, '>=', from_id), 'true'),
		coalesce(partition_comparison(partition, column_name, '<', to_id), 'true'),
		CASE WHEN newest THEN 'DESC' ELSE 'ASC' END)
		INTO result;
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_edge(regclass, name, text, text, bool) IS
	'least or greatest id of a partition between two bounds, NULL for none; NULL also when the caller may not look; '
	'raises 42703 for a column that is not there, 22P02 for bounds that are no ids';
