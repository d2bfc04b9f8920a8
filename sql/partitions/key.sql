-- Partitions: the partition key and the partitions of a table
--
-- Reads from the catalogs by which column a table is partitioned, how ids there tell time, and
-- which ranges its partitions hold.  Takes no lock on these, but for one case: to print the CHECK that
-- names the scheme of a bigint column, PostgreSQL locks the table ACCESS SHARE for a moment.

CREATE FUNCTION uidext_internal.base_types(type regtype) RETURNS SETOF regtype
	LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 10
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

-- A new type of key needs a change here, in partition_boundary() and in partition_boundary_time().
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

-- The type bigint does not say which scheme its ids have.  A constraint such as
-- CHECK (uid_is_valid(id, 'snowflake')) says it.  The constraint has to be this call and nothing
-- else, so the whole text that pg_get_expr() prints is compared.
CREATE FUNCTION uidext_internal.partition_id_schemes(parent regclass, column_number smallint) RETURNS text[]
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET quote_all_identifiers = off
BEGIN ATOMIC
	SELECT pg_catalog.array_agg(DISTINCT named.scheme)
	FROM (
			-- no other constraint is printed, because of the lock
			SELECT c.conbin, c.conrelid, a.atttypid, a.attname, f.proname, n.nspname
			FROM pg_catalog.pg_proc f
				JOIN pg_catalog.pg_namespace n ON n.oid = f.pronamespace
				JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_proc'::regclass::oid AND d.refobjid = f.oid
				JOIN pg_catalog.pg_constraint c ON d.classid = 'pg_constraint'::regclass::oid AND c.oid = d.objid
				JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = column_number
			WHERE f.oid = '@extschema@.uid_is_valid(bigint,text)'::regprocedure::oid AND c.conrelid = parent::oid AND c.contype = 'c'
				-- since 18
				AND (pg_catalog.to_jsonb(c) OPERATOR(pg_catalog.->>) 'conenforced') IS DISTINCT FROM 'false'
			OFFSET 0
		) c
		CROSS JOIN LATERAL pg_get_expr(c.conbin, c.conrelid) shown(expression)
		CROSS JOIN LATERAL split_part(shown.expression, '''', -2) named(scheme)
	WHERE shown.expression = pg_catalog.format(
		CASE c.atttypid WHEN 'bigint'::regtype::oid THEN '%I.%I(%I, %L::text)' ELSE '%I.%I((%I)::bigint, %L::text)' END,
		c.nspname, c.proname, c.attname, named.scheme);
END;
COMMENT ON FUNCTION uidext_internal.partition_id_schemes(regclass, smallint) IS
	'schemes of the ids in a bigint column, which CHECKs with uid_is_valid() name; NULL without one';

CREATE FUNCTION uidext_internal.partition_key_hint(parent regclass, column_type regtype) RETURNS text
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT coalesce((
		SELECT CASE WHEN o.opcname IN ('iuid_country_ops', 'uuid_country_ops')
			AND o.opcnamespace = '@extschema@'::regnamespace::oid
			THEN 'Call the function for the partition of one country. iuid_partition_create() with a step makes such partitions by time.'
			ELSE 'Call the function for each partition that is partitioned BY RANGE (id), or create the table with PARTITION BY RANGE (id) and partition each period as you like.'
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
	partition regclass, from_id text, to_id text, from_time timestamptz, to_time timestamptz, is_default bool,
	detach_pending bool
);
COMMENT ON TYPE uidext_internal.partition_period IS 'a partition with its bounds as ids and as times, or one that is wanted';
COMMENT ON COLUMN uidext_internal.partition_period.partition IS
	'the partition, a leaf or partitioned itself; NULL for one that is wanted';
COMMENT ON COLUMN uidext_internal.partition_period.from_id IS 'its lower bound; NULL for MINVALUE and the default partition';
COMMENT ON COLUMN uidext_internal.partition_period.to_id IS 'its upper bound; NULL for MAXVALUE and the default partition';
COMMENT ON COLUMN uidext_internal.partition_period.from_time IS
	'the time of from_id, -infinity for MINVALUE; NULL for the default partition';
COMMENT ON COLUMN uidext_internal.partition_period.to_time IS
	'the time of to_id, infinity for MAXVALUE; NULL for the default partition';
COMMENT ON COLUMN uidext_internal.partition_period.is_default IS 'whether it is the default partition';
COMMENT ON COLUMN uidext_internal.partition_period.detach_pending IS 'whether its detachment has begun and not ended';

-- Written so that the planner can use a hash join for thousands of partitions.
CREATE FUNCTION uidext_internal.partition_same_bounds(from_id text, to_id text, other_from text, other_to text) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN coalesce(from_id, '') = coalesce(other_from, '') AND coalesce(to_id, '') = coalesce(other_to, '');
COMMENT ON FUNCTION uidext_internal.partition_same_bounds(text, text, text, text) IS
	'whether two ranges of ids have the same bounds, NULL for no bound';

-- Times are rounded to milliseconds.  If the end of one period and the beginning of the other are the same millisecond,
-- their ids are compared.  Ids of type bigint are compared as numbers.  Those of types uuid and ulid are compared as text,
-- which has the same order.
CREATE FUNCTION uidext_internal.partition_overlaps(
	one uidext_internal.partition_period, other uidext_internal.partition_period
) RETURNS bool
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (one).from_time <= (other).to_time AND (one).to_time >= (other).from_time
		AND CASE WHEN (one).from_time <> (other).to_time THEN true
			WHEN (one).from_id ~ '^-?[0-9]{1,19}$' AND (other).to_id ~ '^-?[0-9]{1,19}$'
				THEN (one).from_id::numeric < (other).to_id::numeric
			ELSE coalesce((one).from_id COLLATE "C" < (other).to_id COLLATE "C", true) END
		AND CASE WHEN (one).to_time <> (other).from_time THEN true
			WHEN (one).to_id ~ '^-?[0-9]{1,19}$' AND (other).from_id ~ '^-?[0-9]{1,19}$'
				THEN (other).from_id::numeric < (one).to_id::numeric
			ELSE coalesce((other).from_id COLLATE "C" < (one).to_id COLLATE "C", true) END;
COMMENT ON FUNCTION uidext_internal.partition_overlaps(uidext_internal.partition_period, uidext_internal.partition_period) IS
	'whether two periods have an id in common; NULL for a default partition';

-- [c]
CREATE FUNCTION uidext_internal.range_bounds(
	parent regclass, OUT partition regclass, OUT from_id text, OUT to_id text, OUT is_default bool,
	OUT detach_pending bool
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'uidext_range_bounds'
	LANGUAGE C STABLE STRICT;

-- [sql]
-- Bounds are read from the text that pg_get_expr() prints.
CREATE FUNCTION uidext_internal.range_bounds(
	parent regclass, OUT partition regclass, OUT from_id text, OUT to_id text, OUT is_default bool,
	OUT detach_pending bool
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass, id.lower, id.upper, shown.bound = 'DEFAULT', i.inhdetachpending
	FROM pg_catalog.pg_inherits i
		JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
		JOIN pg_catalog.pg_partitioned_table p
			ON p.partrelid = i.inhparent AND p.partstrat = 'r' AND p.partnatts = 1::smallint
		JOIN pg_catalog.pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		-- a bound refers to no column, so no relation is passed, which pg_get_expr() would lock
		CROSS JOIN LATERAL pg_get_expr(c.relpartbound, 0::oid) shown(bound)
		CROSS JOIN LATERAL (SELECT
			CASE WHEN starts_with(shown.bound, 'FOR VALUES FROM (''') THEN split_part(shown.bound, '''', 2) END,
			CASE WHEN right(shown.bound, 2) = ''')' THEN split_part(shown.bound, '''', -2) END
		) id(lower, upper)
	WHERE i.inhparent = parent::oid
	ORDER BY shown.bound = 'DEFAULT',
		CASE WHEN id.lower ~ '^-?[0-9]{1,19}$' THEN id.lower::numeric END NULLS FIRST,
		id.lower COLLATE "C" NULLS FIRST;
END;

-- [both]
COMMENT ON FUNCTION uidext_internal.range_bounds(regclass) IS
	'the partitions of a table that is partitioned by range of one column, in the order of their bounds, the default '
	'partition last; NULL stands for MINVALUE and MAXVALUE; locks none of them';

CREATE FUNCTION uidext_internal.partition_periods(parent regclass, layout text)
	RETURNS SETOF uidext_internal.partition_period
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT b.partition, b.from_id, b.to_id,
		CASE WHEN NOT b.is_default
			THEN coalesce(uidext_internal.partition_boundary_time(layout, b.from_id), '-infinity') END,
		CASE WHEN NOT b.is_default
			THEN coalesce(uidext_internal.partition_boundary_time(layout, b.to_id), 'infinity') END,
		b.is_default, b.detach_pending
	FROM uidext_internal.range_bounds(parent) b;
END;
COMMENT ON FUNCTION uidext_internal.partition_periods(regclass, text) IS
	'the partitions of a table that is partitioned by range of one column, in the order of their bounds, the default '
	'partition last; raises as partition_boundary_time()';

CREATE TYPE uidext_internal.partition_foreign_key AS (referred regclass, definition text);
COMMENT ON TYPE uidext_internal.partition_foreign_key IS 'a foreign key that a new partition gets';
COMMENT ON COLUMN uidext_internal.partition_foreign_key.referred IS 'the partitioned table to whose partition of the same bounds it refers';
COMMENT ON COLUMN uidext_internal.partition_foreign_key.definition IS 'what follows FOREIGN KEY, with %s for that partition';

-- What is read of a table at the start of a call, and passed to the functions that need it.
CREATE TYPE uidext_internal.partitioned_table AS (
	relation regclass, column_name name, layout text, makers oid[], versions int[], periods uidext_internal.partition_period[],
	default_partition regclass, newest regclass, template regclass, leader regclass, foreign_keys uidext_internal.partition_foreign_key[]
);
COMMENT ON TYPE uidext_internal.partitioned_table IS
	'a partitioned table, the column and the layout of its ids, its partitions, and what new ones are made like';
COMMENT ON COLUMN uidext_internal.partitioned_table.relation IS 'the partitioned table';
COMMENT ON COLUMN uidext_internal.partitioned_table.column_name IS 'the column that it is partitioned by';
COMMENT ON COLUMN uidext_internal.partitioned_table.layout IS 'layout of the ids there, as the functions of bounds take it';
COMMENT ON COLUMN uidext_internal.partitioned_table.makers IS
	'the functions that make the default of this column, as partition_makers() finds them; partition_disorder() reads them';
COMMENT ON COLUMN uidext_internal.partitioned_table.versions IS
	'the UUID versions of ids that tell time there, for uuid_partition_drain() and uuid_partition_check(); NULL where ids have '
	'no version';
COMMENT ON COLUMN uidext_internal.partitioned_table.periods IS 'its range partitions, in the order of time';
COMMENT ON COLUMN uidext_internal.partitioned_table.default_partition IS 'its default partition, or NULL';
COMMENT ON COLUMN uidext_internal.partitioned_table.newest IS
	'the range partition that begins last, without those that wait to be detached; NULL without any';
COMMENT ON COLUMN uidext_internal.partitioned_table.template IS 'the table that new ones are made like; NULL for the newest';
COMMENT ON COLUMN uidext_internal.partitioned_table.leader IS 'the table that this one follows; NULL for none';
COMMENT ON COLUMN uidext_internal.partitioned_table.foreign_keys IS
	'those of new partitions; NULL for none';

CREATE FUNCTION uidext_internal.partition_check_exists(relation regclass) RETURNS void
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM pg_class WHERE oid = relation) THEN
		RAISE EXCEPTION 'relation with OID % does not exist', relation::oid USING ERRCODE = 'undefined_table';
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_exists(regclass) IS 'raises 42P01 for no table';

-- To print a CHECK constraint, PostgreSQL locks the table.  This does not wait for that lock longer than 100 ms at a time,
-- because some callers hold other locks meanwhile, and would keep others waiting.
CREATE FUNCTION uidext_internal.partition_read(parent regclass, deadline timestamptz) RETURNS uidext_internal.partitioned_table
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
	SET lock_timeout = '100ms'
AS $$
DECLARE
	result partitioned_table;
	column_number smallint;
	column_type regtype;
	schemes text[];
BEGIN
	PERFORM partition_check_exists(parent);
	result.relation := parent;
	LOOP
		BEGIN
			SELECT a.attname, a.attnum, a.atttypid, partition_layout(a.atttypid), partition_id_schemes(parent, a.attnum)
			INTO result.column_name, column_number, column_type, result.layout, schemes
			FROM pg_partitioned_table p
				JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
				JOIN pg_opclass o ON o.oid = p.partclass[0]
			WHERE p.partrelid = parent AND p.partstrat = 'r' AND p.partnatts = 1 AND o.opcdefault;
			EXIT;
		EXCEPTION WHEN lock_not_available THEN
			IF clock_timestamp() >= deadline THEN
				RAISE;
			END IF;
		END;
		PERFORM pg_sleep(0.05);
	END LOOP;
	IF cardinality(schemes) > 1 THEN
		RAISE EXCEPTION 'checks of column "%" of table % name several schemes', result.column_name, parent
			USING ERRCODE = 'wrong_object_type',
				DETAIL = format('They are %s.', array_to_string(schemes, ' and ')),
				HINT = 'The bounds of the partitions would mean other times under each scheme. Keep the check of one scheme and drop the others.';
	END IF;
	result.layout := coalesce(result.layout, schemes[1]);
	IF result.layout IS NULL THEN
		RAISE EXCEPTION 'table % is not partitioned by range on one uuid column', parent
			USING ERRCODE = 'wrong_object_type', HINT = partition_key_hint(parent, column_type);
	END IF;
	result.makers := ARRAY(SELECT partition_makers(parent, column_number));
	result.versions := CASE result.layout WHEN 'uuid' THEN partition_versions(result.makers) END;
	-- read once a call, because thousands of partitions take a while
	SELECT array_agg(p ORDER BY p.from_time, p.to_time) FILTER (WHERE NOT p.is_default),
		min(p.partition::oid) FILTER (WHERE p.is_default),
		(array_agg(p.partition ORDER BY p.from_time DESC, p.to_time DESC) FILTER (WHERE NOT p.is_default AND NOT p.detach_pending))[1]
	INTO result.periods, result.default_partition, result.newest
	FROM partition_periods(parent, result.layout) p;
	result.periods := coalesce(result.periods, '{}');
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_read(regclass, timestamptz) IS
	'a table with the one column by whose range it is partitioned, the layout of its ids and its partitions; raises 42809 '
	'for other tables, 42P01 for none, 55P03 where others keep the table locked until a deadline';

-- A partition that was made by hand can have a bound that is no boundary value.  A new partition
-- beside it begins or ends with exactly the same bound.
CREATE FUNCTION uidext_internal.partition_snap(
	t uidext_internal.partitioned_table, from_time timestamptz, to_time timestamptz
) RETURNS uidext_internal.partition_period
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT ROW(NULL,
		coalesce(max(p.to_id COLLATE "C") FILTER (WHERE p.to_time = partition_snap.from_time),
			uidext_internal.partition_boundary((t).layout, partition_snap.from_time)),
		coalesce(min(p.from_id COLLATE "C") FILTER (WHERE p.from_time = partition_snap.to_time),
			uidext_internal.partition_boundary((t).layout, partition_snap.to_time)),
		partition_snap.from_time, partition_snap.to_time, false, false)::uidext_internal.partition_period
	FROM pg_catalog.unnest((t).periods) p
	WHERE NOT p.detach_pending;
END;
COMMENT ON FUNCTION uidext_internal.partition_snap(uidext_internal.partitioned_table, timestamptz, timestamptz) IS
	'a period that begins where a partition ends, and ends where one begins, if these are of its milliseconds; raises as '
	'partition_boundary()';

-- Ranges of random ids can be read as periods, too: ids that begin with 00 would have ended in 2004,
-- and retention would drop their rows.
CREATE FUNCTION uidext_internal.partition_disorder(t uidext_internal.partitioned_table, OUT problem text, OUT hint text)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('Column "%s" is an identity column, and the numbers of a sequence do not tell time.', a.attname),
		pg_catalog.format('If all ids are in the order of time, give the column a default that makes such ids: '
			'ALTER TABLE %1$s ALTER COLUMN %2$I DROP IDENTITY, ALTER COLUMN %2$I SET DEFAULT ...', (t).relation, a.attname)
	FROM pg_catalog.pg_attribute a
	WHERE a.attrelid = (t).relation::oid AND a.attname = (t).column_name AND a.attidentity <> ''
	UNION ALL
	SELECT pg_catalog.format('The default of column "%s" is of %s, whose keys are not in the order of Unix time.',
		(t).column_name, m."by"::regprocedure),
		pg_catalog.format('%sIf all ids are in the order of Unix time, give the column a default that makes such ids: ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s',
			CASE WHEN m."by"::regprocedure::text ~ 'gen_uuidv(6|13)' THEN 'For UUIDs of this version, make partitions by hand, with bounds of uuidv6_boundary(). ' END,
			(t).relation, (t).column_name, CASE a.atttypid WHEN 'uuid'::regtype::oid THEN 'gen_uuidv7()' ELSE '...' END)
	FROM pg_catalog.unnest((t).makers) m("by")
		JOIN pg_catalog.pg_attribute a ON a.attrelid = (t).relation::oid AND a.attname = (t).column_name
	WHERE uidext_internal.makes_no_order(m."by")
	UNION ALL
	SELECT pg_catalog.format('%s partitions begin more than 100 years in the future, so their bounds are probably not times.', pg_catalog.count(*)),
		'Detach these partitions, give their rows new ids, and insert them again.'
	FROM pg_catalog.unnest((t).periods) p
	WHERE p.from_time > now() + interval '100 years'
	HAVING pg_catalog.count(*) >= 3::bigint
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_disorder(uidext_internal.partitioned_table) IS
	'what shows that a table is not partitioned by time, and what to do: the default of its key, or three partitions that '
	'begin more than a century ahead; NULL when nothing does';

CREATE FUNCTION uidext_internal.partition_require_time(t uidext_internal.partitioned_table)
	RETURNS uidext_internal.partitioned_table
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	disorder record;
BEGIN
	SELECT * INTO disorder FROM partition_disorder(t);
	IF disorder.problem IS NOT NULL THEN
		RAISE EXCEPTION 'table % is not partitioned by time', t.relation
			USING ERRCODE = 'invalid_parameter_value', DETAIL = disorder.problem, HINT = disorder.hint;
	END IF;
	RETURN t;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_require_time(uidext_internal.partitioned_table) IS
	'the table itself, if it is partitioned by time; raises 22023 where partition_disorder() finds something';

-- pg_partition_tree() would lock the tables, and wait for these locks.
CREATE FUNCTION uidext_internal.partition_tree(relation regclass) RETURNS SETOF oid
	LANGUAGE plpgsql STABLE STRICT ROWS 10
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	-- most are not divided
	IF (SELECT relhassubclass FROM pg_class WHERE oid = relation) IS FALSE THEN
		RETURN NEXT relation;
		RETURN;
	END IF;
	RETURN QUERY
		WITH RECURSIVE beneath(oid) AS (
			SELECT relation::oid
			UNION ALL
			SELECT i.inhrelid FROM beneath b JOIN pg_inherits i ON i.inhparent = b.oid
		)
		SELECT b.oid FROM beneath b;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_tree(regclass) IS
	'a table and all partitions beneath it, without a lock on any';
