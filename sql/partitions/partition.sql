-- Partitions: what the functions of the following files share
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
CREATE FUNCTION uidext_internal.partition_scheme(parent regclass, column_number smallint) RETURNS text
	LANGUAGE sql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
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
COMMENT ON FUNCTION uidext_internal.partition_scheme(regclass, smallint) IS
	'scheme of the ids in a bigint column, which a CHECK with uid_is_valid() names; NULL without one';

-- Not STRICT, which would keep this and the next one from being inlined.
CREATE FUNCTION uidext_internal.partition_boundary(layout text, at timestamptz) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE layout
		WHEN 'uuid' THEN uuid_boundary(at)::text
		WHEN 'ulid' THEN ulid_boundary(at)::text
		ELSE uid_boundary(at, layout)::text
	END;
COMMENT ON FUNCTION uidext_internal.partition_boundary(text, timestamptz) IS
	'the bound of a time as text; raises 22008 for a time outside 1970-01-01 to 10889-08-02 or the scheme''s own, 22023 for an unknown scheme';

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
	'the time of a bound, to the millisecond; raises 22P02 for what is no id, 22003 for what is beyond bigint, 22023 for an unknown scheme';

CREATE FUNCTION uidext_internal.partition_key_hint(parent regclass, column_type regtype) RETURNS text
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT coalesce((
		SELECT CASE WHEN o.opcname IN ('iuid_country_ops', 'uuid_country_ops') AND o.opcnamespace = '@extschema@'::regnamespace::oid
			THEN 'Call this for the partition of a country; with a step, iuid_partition_create() makes that one by time.'
			ELSE 'Call this for each partition that is PARTITION BY RANGE (id), or partition by RANGE (id) first and each period as you like.'
		END
		FROM pg_catalog.pg_partitioned_table p JOIN pg_catalog.pg_opclass o ON o.oid = p.partclass[0]
		WHERE p.partrelid = parent::oid AND p.partstrat <> 'r'
	), CASE WHEN EXISTS (SELECT FROM uidext_internal.base_types(column_type) t(type) WHERE t.type::oid = 'bigint'::regtype::oid)
		THEN 'A bigint column needs a check of its scheme, such as CHECK (uid_is_valid(id, ''snowflake'')).'
		ELSE 'Create it with PARTITION BY RANGE (id).'
	END);
END;
COMMENT ON FUNCTION uidext_internal.partition_key_hint(regclass, regtype) IS
	'the hint for a table that is not partitioned by time: where periods go beside hash and list, what a bigint key lacks';

CREATE FUNCTION uidext_internal.partition_column(parent regclass, OUT column_name name, OUT layout text)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	column_type regtype;
BEGIN
	SELECT a.attname, a.atttypid,
		coalesce(partition_layout(a.atttypid), partition_scheme(parent, a.attnum))
	INTO column_name, column_type, layout
	FROM pg_partitioned_table p
		JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partrelid = parent AND p.partstrat = 'r' AND p.partnatts = 1 AND o.opcdefault;
	IF layout IS NULL THEN
		RAISE EXCEPTION 'table % is not partitioned by range on one uuid column', parent
			USING ERRCODE = 'wrong_object_type',
				HINT = partition_key_hint(parent, column_type);
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_column(regclass) IS
	'the one column by whose range a table is partitioned, and the layout of its ids; raises 42809 for other tables';

CREATE TYPE uidext_internal.partition_period AS (
	partition regclass, from_id text, to_id text, from_time timestamptz, to_time timestamptz, detach_pending bool
);
COMMENT ON TYPE uidext_internal.partition_period IS
	'a range partition with its bounds as text and as times';
COMMENT ON COLUMN uidext_internal.partition_period.partition IS 'the partition, a leaf or partitioned itself';
COMMENT ON COLUMN uidext_internal.partition_period.from_id IS 'its lower bound; NULL for MINVALUE';
COMMENT ON COLUMN uidext_internal.partition_period.to_id IS 'its upper bound; NULL for MAXVALUE';
COMMENT ON COLUMN uidext_internal.partition_period.from_time IS 'the time of from_id, -infinity for NULL';
COMMENT ON COLUMN uidext_internal.partition_period.to_time IS 'the time of to_id, infinity for NULL';
COMMENT ON COLUMN uidext_internal.partition_period.detach_pending IS 'whether its detachment has begun and not ended';

-- What the server shows of a bound has to be this, whole.  A caller who has locked
-- the parent reads it once and passes it on: of thousands it takes a while.
CREATE FUNCTION uidext_internal.partition_ranges(parent regclass, layout text) RETURNS SETOF uidext_internal.partition_period
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass, id.lower, id.upper,
		coalesce(uidext_internal.partition_boundary_time(layout, id.lower), '-infinity'),
		coalesce(uidext_internal.partition_boundary_time(layout, id.upper), 'infinity'),
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
COMMENT ON FUNCTION uidext_internal.partition_ranges(regclass, text) IS
	'the range partitions of a parent; the default partition is not among them; raises as partition_boundary_time()';

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

CREATE FUNCTION uidext_internal.partition_check_owner(relation regclass) RETURNS void
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
COMMENT ON FUNCTION uidext_internal.partition_check_owner(regclass) IS
	'raises 42501 for callers who are not the owner of a table, superusers too, 42P01 for no table';

-- Of two callers at once the second waits here, and then finds the work of the
-- first.  The command changes nothing and takes SHARE UPDATE EXCLUSIVE; LOCK
-- wants rights that the owner of an append-only table has not.
CREATE FUNCTION uidext_internal.partition_lock(parent regclass) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	PERFORM partition_check_owner(parent);
	EXECUTE format('ALTER TABLE ONLY %s RESET (fillfactor)', parent);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_lock(regclass) IS
	'keeps others from changing a table''s partitions, not from reading and writing it; raises 42501 for callers who are not its owner, 42P01';

-- Nobody waits for upkeep.  What locks others out is tried again and again, each
-- time given up whole before anybody has waited for long: sooner than the server
-- would look for a deadlock, and end somebody's statement.

CREATE FUNCTION uidext_internal.partition_deadline() RETURNS timestamptz
	LANGUAGE sql VOLATILE
BEGIN ATOMIC
	SELECT clock_timestamp() + coalesce(nullif(s.setting::int, 0), 10000)::float8 * interval '1 ms' FROM pg_settings s WHERE s.name = 'lock_timeout';
END;
COMMENT ON FUNCTION uidext_internal.partition_deadline() IS
	'until when a call tries to get its locks: as long as lock_timeout says, else 10 seconds';

CREATE FUNCTION uidext_internal.partition_brief() RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM set_config('lock_timeout', greatest(1, least(100, setting::int / 10))::text, true) FROM pg_settings WHERE name = 'deadlock_timeout';
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_brief() IS
	'sets lock_timeout for one attempt, 100 ms or a tenth of deadlock_timeout for each of its locks; the caller''s SET clause ends that';

-- A vacuum of the server's own ends for who has waited as long as deadlock_timeout:
-- not for an attempt, but for this lock, for which nobody else has to wait.  Then
-- none begins, either.  The option is none that a table could have.
CREATE FUNCTION uidext_internal.partition_calm(partitions regclass[]) RETURNS void
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
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
				IF NOT partition_goes_on(SQLSTATE) THEN
					RAISE;
				END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_calm(regclass[]) IS
	'ends vacuums of partitions and keeps new ones away; does nothing where that takes longer than 3 seconds';

-- What drop and maintain begin with: from now on nobody else changes the
-- partitions, and those that may go are not being vacuumed.
CREATE FUNCTION uidext_internal.partition_begin(parent regclass, layout text, old_until timestamptz, most int, dry_run bool)
	RETURNS uidext_internal.partition_period[]
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	periods partition_period[];
BEGIN
	IF dry_run THEN
		PERFORM partition_check_owner(parent);
	ELSE
		PERFORM partition_lock(parent);
	END IF;
	periods := ARRAY(SELECT p FROM partition_ranges(parent, layout) p);
	IF NOT dry_run THEN
		PERFORM partition_calm(ARRAY(
			SELECT p.partition FROM unnest(periods) p WHERE p.to_time <= old_until ORDER BY p.from_time, p.to_time LIMIT most));
	END IF;
	RETURN periods;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_begin(regclass, text, timestamptz, int, bool) IS
	'the range partitions of a table, which stay as they are until the transaction ends, and so many of the oldest are calm, unless this is a dry run; raises 2201W for fewer than none, 42501 for callers who are not its owner, 42P01, and as partition_ranges()';

CREATE FUNCTION uidext_internal.partition_again(deadline timestamptz) RETURNS bool
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
COMMENT ON FUNCTION uidext_internal.partition_again(timestamptz) IS
	'whether there is time for another attempt, after a pause in which others go first';

-- What concerns one partition must not keep the others; what concerns the
-- server, or whoever stops the call, ends it.
CREATE FUNCTION uidext_internal.partition_goes_on(code text) RETURNS bool
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN left(code, 2) NOT IN ('53', '57', '58', 'XX') AND code NOT IN ('55P03', '40P01');
COMMENT ON FUNCTION uidext_internal.partition_goes_on(text) IS
	'whether an SQLSTATE concerns one partition: no lack of resources, no stop, no failure of the server, no lock';

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

CREATE FUNCTION uidext_internal.partition_edge(partition regclass, column_name name, from_id text, to_id text, newest bool) RETURNS text
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	result text;
BEGIN
	IF num_nulls(column_name, newest) > 0 OR partition_may_look(partition) IS NOT TRUE THEN
		RETURN NULL;
	END IF;
	EXECUTE format('SELECT %1$I FROM %2$s WHERE %3$s AND %4$s AND %1$I IS NOT NULL ORDER BY %1$I %5$s LIMIT 1', column_name, partition,
		coalesce(partition_comparison(partition, column_name, '>=', from_id), 'true'),
		coalesce(partition_comparison(partition, column_name, '<', to_id), 'true'),
		CASE WHEN newest THEN 'DESC' ELSE 'ASC' END)
		INTO result;
	RETURN result;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_edge(regclass, name, text, text, bool) IS
	'least or greatest id of a partition between two bounds, NULL for none; NULL also when the caller may not look; raises 42703 for a column that is not there, 22P02 for bounds that are no ids';

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

CREATE FUNCTION uidext_internal.partition_comparison(relation regclass, column_name name, operator text, id text) RETURNS text
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

CREATE FUNCTION uidext_internal.partition_suffix(from_time timestamptz, step interval, tz text) RETURNS text
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
COMMENT ON FUNCTION uidext_internal.partition_suffix(timestamptz, interval, text) IS
	'start of a period as the end of a partition''s name, as fine as the step and the start need: 2026, 2026_01, 2026_01_31, 2026_01_31_1200; raises 22023 and 22008';

-- Commands go by names, which lead elsewhere when somebody renames a schema, and a
-- snapshot may be older than what others have done to a table.
CREATE FUNCTION uidext_internal.partition_confirm(partition regclass, holds bool) RETURNS void
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
COMMENT ON FUNCTION uidext_internal.partition_confirm(regclass, bool) IS
	'raises 40001 unless what has to hold of a table does';

-- A table beside the parent that can be attached to it, as PARTITION OF would
-- make it, but without a lock on the parent: with indexes, because those that
-- are missing would be built under the locks of ATTACH.
CREATE FUNCTION uidext_internal.partition_table(parent regclass, partition text, partition_key text, template regclass) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, uidext_internal, pg_temp
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
	PERFORM partition_check_owner(made);
	PERFORM partition_confirm(made,
		EXISTS (SELECT FROM pg_class WHERE oid = made AND relnamespace = schema AND age(xmin) <= 0));
	RETURN made;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_table(regclass, text, text, regclass) IS
	'makes a table of a qualified and quoted name like the parent or a template, ready to be attached to the parent, partitioned itself unless its key is NULL; raises 22004, 40001 where the name has come to be another table''s, and what the server does';

CREATE FUNCTION uidext_internal.partition_attach(parent regclass, partition regclass, bound text) RETURNS void
	LANGUAGE plpgsql VOLATILE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
BEGIN
	EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bound);
	PERFORM partition_confirm(partition,
		EXISTS (SELECT FROM pg_inherits WHERE inhrelid = partition AND inhparent = parent));
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_attach(regclass, regclass, text) IS
	'attaches a table to a parent with a bound as pg_get_expr(relpartbound) shows it; raises 40001 where their names have come to be other tables'', and what the server does';

CREATE FUNCTION uidext_internal.partition_name(parent regclass, suffix text) RETURNS text
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	schema name;
	partition text;
BEGIN
	SELECT n.nspname, c.relname || '_' || suffix INTO schema, partition
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = parent;
	-- the server would cut it, and then two periods could meet in one name
	IF octet_length(partition) > current_setting('max_identifier_length')::int THEN
		RAISE EXCEPTION 'partition name "%" is longer than % bytes',
				partition, current_setting('max_identifier_length')
			USING ERRCODE = 'name_too_long';
	END IF;
	RETURN format('%I.%I', schema, partition);
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_name(regclass, text) IS
	'qualified and quoted name of a partition: the parent''s, underscore, suffix; raises 42622 for a name that the server would cut, 22004';

-- For a command that runs where the search_path is anybody's, or after a change of name.
CREATE FUNCTION uidext_internal.partition_qualified(relation regclass) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('%I.%I', n.nspname, c.relname)
	FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE c.oid = relation::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_qualified(regclass) IS
	'qualified and quoted name of a table, whatever the search_path; NULL when it is not there';

-- The partition of a parent with exactly this bound, or NULL.
CREATE FUNCTION uidext_internal.partition_with_bound(parent regclass, bound text) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass
	FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
	WHERE i.inhparent = parent::oid AND NOT i.inhdetachpending
		AND pg_get_expr(c.relpartbound, 0::oid) = bound;
END;
COMMENT ON FUNCTION uidext_internal.partition_with_bound(regclass, text) IS
	'the partition of a parent that has exactly this bound, as pg_get_expr(relpartbound) shows it; NULL when there is none';

-- A set of them at once: for each by itself the server might read all of its catalog.
CREATE FUNCTION uidext_internal.partition_sizes(partitions regclass[], OUT partition regclass, OUT rows bigint, OUT bytes bigint) RETURNS SETOF record
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
COMMENT ON FUNCTION uidext_internal.partition_sizes(regclass[]) IS
	'rows of partitions as last estimated (NULL when they never were) and bytes with indexes and TOAST, sub-partitions included; both NULL while a node of Citus does not answer';

CREATE FUNCTION uidext_internal.partition_add(at timestamptz, length interval, tz text) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN CASE
		-- of a local time that comes twice AT TIME ZONE takes the second: hours go without it
		WHEN date_trunc('day', length) = '0' THEN at + length
		ELSE (at AT TIME ZONE tz + date_trunc('day', length)) AT TIME ZONE tz + (length - date_trunc('day', length))
	END;
COMMENT ON FUNCTION uidext_internal.partition_add(timestamptz, interval, text) IS
	'a time plus months and days as they are in a time zone, and hours as they pass; raises 22023 and 22008';

CREATE FUNCTION uidext_internal.partition_origin(at timestamptz, step interval, tz text) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT CASE
			WHEN step >= interval '1 year' AND step = date_trunc('year', step) THEN date_trunc('year', local_time) AT TIME ZONE tz
			WHEN step = interval '3 months' THEN date_trunc('quarter', local_time) AT TIME ZONE tz
			WHEN step >= interval '1 month' THEN date_trunc('month', local_time) AT TIME ZONE tz
			WHEN step = interval '7 days' THEN date_trunc('week', local_time) AT TIME ZONE tz
			WHEN step >= interval '1 day' THEN date_trunc('day', local_time) AT TIME ZONE tz
			ELSE date_bin(step, at, date_trunc('day', local_time) AT TIME ZONE tz)
		END
	-- of a local time that comes twice AT TIME ZONE takes the second, so go back to before the first
	FROM (SELECT (at - (at AT TIME ZONE tz AT TIME ZONE tz - at)) AT TIME ZONE tz) AS l(local_time);
END;
COMMENT ON FUNCTION uidext_internal.partition_origin(timestamptz, interval, text) IS
	'start of the period that holds a time: its year, quarter, month, Monday or midnight, or whole steps after midnight; raises 22023 and 22008, 0A000 for months less days';
