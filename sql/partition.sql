-- Partitions: what the functions of the following files share

-- The single column by which a table is partitioned, and how it is bounded.
CREATE FUNCTION uidext_internal.uuid_partition_key(
	parent regclass, strategy "char", gregorian bool,
	OUT column_name name, OUT boundary text
)
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
BEGIN
	SELECT a.attname, a.attnum, a.atttypid
	INTO key
	FROM pg_partitioned_table p
		JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		JOIN pg_type t ON t.oid = a.atttypid
		JOIN pg_opclass o ON o.oid = p.partclass[0]
	WHERE p.partrelid = parent AND p.partstrat = strategy AND p.partnatts = 1
		AND 'uuid'::regtype IN (t.oid, t.typbasetype)
		AND (strategy = 'r' AND o.opcdefault
			OR strategy = 'h' AND o.opcname = 'iuid_country_ops' AND o.opcnamespace = '@extschema@'::regnamespace);
	IF NOT FOUND THEN
		RAISE EXCEPTION 'table % is not partitioned by %', parent,
				CASE strategy WHEN 'r' THEN 'range on one uuid column' ELSE 'country' END
			USING ERRCODE = 'wrong_object_type',
				HINT = CASE strategy
					WHEN 'r' THEN 'Create it with PARTITION BY RANGE (id).'
					ELSE 'Create it with PARTITION BY HASH (id iuid_country_ops).'
				END;
	END IF;
	IF gregorian AND key.atttypid IN ('@extschema@.iuid'::regtype, '@extschema@.uuid_v7'::regtype) THEN
		RAISE EXCEPTION 'column "%" of table % cannot hold UUIDv6 or v13', key.attname, parent
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = format('Its type is %s.', key.atttypid::regtype);
	END IF;
	-- no id would ever meet the partitions
	IF strategy = 'r' AND NOT gregorian AND EXISTS (
		SELECT FROM pg_attrdef d
			JOIN pg_depend u ON u.classid = 'pg_attrdef'::regclass AND u.objid = d.oid AND u.refclassid = 'pg_proc'::regclass
		WHERE d.adrelid = parent AND d.adnum = key.attnum
			AND u.refobjid IN (
				'@extschema@.gen_uuidv6()'::regprocedure, '@extschema@.uuidv1_to_v6(uuid)'::regprocedure,
				'@extschema@.gen_uuidv13()'::regprocedure, '@extschema@.uuidv1_to_v13(uuid)'::regprocedure
			)
	) THEN
		RAISE EXCEPTION 'column "%" of table % holds UUIDv6 or v13', key.attname, parent
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = 'Its default makes them, and their time is Gregorian.',
				HINT = 'Pass gregorian => true.';
	END IF;

	column_name := key.attname;
	boundary := '@extschema@.' || CASE
		WHEN key.atttypid = '@extschema@.iuid'::regtype THEN 'iuid_boundary'
		WHEN key.atttypid = '@extschema@.uuid_v7'::regtype THEN 'uuidv7_boundary'
		WHEN gregorian THEN 'uuidv6_boundary'
		ELSE 'uuid_boundary'
	END;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_key(regclass, "char", bool) IS
	'the one uuid column by which a table is partitioned, by range (r) or by country (h), and the qualified name of the function that bounds it in time; raises 42809 for other tables, 22023 for gregorian and a domain of other ids, or a default of v6 or v13 without it';

CREATE FUNCTION uidext_internal.uuid_partition_suffix(from_time timestamptz, step interval, tz text) RETURNS text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN to_char(from_time AT TIME ZONE tz, CASE
		WHEN step >= interval '1 year' AND step = date_trunc('year', step) THEN 'YYYY'
		WHEN step = date_trunc('month', step) THEN 'YYYY_MM'
		WHEN step = date_trunc('day', step) THEN 'YYYY_MM_DD'
		WHEN step = date_trunc('minute', step) THEN 'YYYY_MM_DD_HH24MI'
		ELSE 'YYYY_MM_DD_HH24MISS_MS'
	END);
COMMENT ON FUNCTION uidext_internal.uuid_partition_suffix(timestamptz, interval, text) IS
	'start of a period as the end of a partition''s name, as fine as the step needs: 2026, 2026_01, 2026_01_31, 2026_01_31_1200; raises 22023 for an unknown time zone, 22008 for a time that timestamp cannot hold there';

-- A table beside the parent that can be attached to it, as PARTITION OF would
-- make it, but without locking the parent.
CREATE FUNCTION uidext_internal.uuid_partition_table(parent regclass, suffix text, range_key name) RETURNS regclass
	LANGUAGE plpgsql VOLATILE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	partition text := uidext_internal.uuid_partition_name(parent, suffix);
BEGIN
	IF partition IS NULL THEN
		RAISE EXCEPTION 'parent and suffix may not be NULL' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	EXECUTE (
		SELECT concat_ws(' ',
			format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING INDEXES EXCLUDING IDENTITY)', partition, parent),
			'PARTITION BY RANGE (' || quote_ident(range_key) || ')',
			'USING ' || quote_ident(a.amname),
			'TABLESPACE ' || quote_ident(t.spcname))
		FROM pg_class c
			LEFT JOIN pg_am a ON a.oid = c.relam
			LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace
		WHERE c.oid = parent
	);
	-- whoever keeps the partitions, the parent's owner owns them
	EXECUTE (
		SELECT format('ALTER TABLE %s OWNER TO %I', partition, r.rolname)
		FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
		WHERE c.oid = parent
	);
	RETURN partition::regclass;
END
$$;
COMMENT ON FUNCTION uidext_internal.uuid_partition_table(regclass, text, name) IS
	'makes a table like the parent, of its owner and in its schema, tablespace and access method, ready to be attached, and partitioned by range of the given column unless that is NULL; raises 42622 and 42P07 for its name, 42703 or 42601 for the column, 42809 for a parent that is no table, 22004 for NULL or a parent that is not there, 0A000 before 17 for a column with a parent that is not partitioned, 42501 without the right to create it';

CREATE FUNCTION uidext_internal.uuid_partition_name(parent regclass, suffix text) RETURNS text
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
COMMENT ON FUNCTION uidext_internal.uuid_partition_name(regclass, text) IS
	'qualified and quoted name of a partition: schema of the parent, then its name, underscore, suffix; raises 42622 for a name that the server would cut, 22004 for a parent that is not there';

-- The partition of a parent with exactly this bound, or NULL.
CREATE FUNCTION uidext_internal.uuid_partition_with_bound(parent regclass, bound text) RETURNS regclass
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass
	FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
	WHERE i.inhparent = parent::oid AND NOT i.inhdetachpending
		AND pg_get_expr(c.relpartbound, c.oid) = bound;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_with_bound(regclass, text) IS
	'the partition of a parent that has exactly this bound, as pg_get_expr(relpartbound) shows it; NULL when there is none';

CREATE FUNCTION uidext_internal.uuid_partition_periods(
	parent regclass, gregorian bool,
	OUT partition regclass, OUT from_id uuid, OUT to_id uuid,
	OUT from_time timestamptz, OUT to_time timestamptz, OUT detach_pending bool
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT i.inhrelid::regclass, b.from_id, b.to_id,
		CASE
			WHEN b.from_id = uuid_boundary(timestamptz '-infinity') THEN '-infinity'
			WHEN gregorian THEN uuidv6_boundary_time(b.from_id)
			ELSE uuid_boundary_time(b.from_id)
		END,
		CASE
			WHEN b.to_id = uuid_boundary(timestamptz 'infinity') THEN 'infinity'
			WHEN gregorian THEN uuidv6_boundary_time(b.to_id)
			ELSE uuid_boundary_time(b.to_id)
		END,
		i.inhdetachpending
	FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid,
		regexp_match(pg_get_expr(c.relpartbound, c.oid),
			'^FOR VALUES FROM [(](?:MINVALUE|''(.*)'')[)] TO [(](?:MAXVALUE|''(.*)'')[)]$') bound,
		LATERAL (SELECT coalesce(bound[1]::uuid, uuid_boundary(timestamptz '-infinity')),
			coalesce(bound[2]::uuid, uuid_boundary(timestamptz 'infinity'))) b(from_id, to_id)
	WHERE i.inhparent = parent::oid AND bound IS NOT NULL;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_periods(regclass, bool) IS
	'the range partitions of a parent with their bounds as ids and as times, to the millisecond; -infinity for MINVALUE, infinity for MAXVALUE; the default partition is not among them';

CREATE FUNCTION uidext_internal.uuid_partition_size(partition regclass, OUT rows bigint, OUT bytes bigint)
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT CASE WHEN count(*) = pg_catalog.count(leaf.rows) THEN coalesce(sum(leaf.rows), 0)::bigint END, coalesce(sum(leaf.bytes), 0)::bigint
	FROM (
		SELECT pg_total_relation_size(c.oid::regclass) AS bytes,
			CASE WHEN c.relkind <> 'f' AND pg_relation_size(c.oid::regclass) = 0 THEN 0
				ELSE coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), nullif(c.reltuples, (-1)::real)::bigint)
			END AS rows
		FROM pg_partition_tree(partition) t JOIN pg_catalog.pg_class c ON c.oid = t.relid::oid
		WHERE t.isleaf
	) leaf;
END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_size(regclass) IS
	'rows of a partition as the server last estimated them (NULL when it has not) and bytes with indexes and TOAST, sub-partitions included';

CREATE FUNCTION uidext_internal.uuid_partition_add(at timestamptz, length interval, tz text) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN CASE
		-- of a local time that comes twice AT TIME ZONE takes the second: hours go without it
		WHEN date_trunc('day', length) = '0' THEN at + length
		ELSE (at AT TIME ZONE tz + date_trunc('day', length)) AT TIME ZONE tz + (length - date_trunc('day', length))
	END;
COMMENT ON FUNCTION uidext_internal.uuid_partition_add(timestamptz, interval, text) IS
	'a time plus months and days as they are in a time zone, and hours as they pass; raises 22023 for a time zone that is not known, 22008 for times that do not fit';

CREATE FUNCTION uidext_internal.uuid_partition_origin(at timestamptz, step interval, tz text) RETURNS timestamptz
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
COMMENT ON FUNCTION uidext_internal.uuid_partition_origin(timestamptz, interval, text) IS
	'start of the first period of a table without partitions: the year, quarter, month, Monday or midnight before a time, or a whole number of steps after midnight; raises 22023 for a time zone that is not known, 22008 for a step or times that do not fit, 0A000 for a step of months less days';
