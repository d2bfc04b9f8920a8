-- Partitions: a table and its followers
--
-- A follower is a table whose key contains the id of another table, its leader.  It has
-- partitions of the same bounds, so that PostgreSQL can join each partition with its
-- counterpart.  The foreign key goes from each partition to its counterpart, so that a check
-- reads one partition and not all.  This file reads pairs and their keys from the catalogs.

CREATE FUNCTION uidext_internal.partition_same_type(follower regclass, leader regclass) RETURNS bool
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT EXISTS (
		SELECT FROM pg_catalog.pg_partitioned_table c
			JOIN pg_catalog.pg_partitioned_table p ON p.partrelid = leader::oid
				AND p.partclass::oid[] OPERATOR(pg_catalog.=) c.partclass::oid[]
		WHERE c.partrelid = follower::oid);
END;
COMMENT ON FUNCTION uidext_internal.partition_same_type(regclass, regclass) IS
	'whether two tables are partitioned by the same type, as PostgreSQL wants it for joining partition by partition';

CREATE FUNCTION uidext_internal.partition_pair_fault(
	follower uidext_internal.partitioned_table, leader uidext_internal.partitioned_table, OUT problem text, OUT hint text
)
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT pg_catalog.format('tables %s and %s are partitioned by columns of different types', (follower).relation, (leader).relation),
		'Give both the same type.'
	WHERE NOT uidext_internal.partition_same_type((follower).relation, (leader).relation)
	UNION ALL
	SELECT pg_catalog.format('tables %s and %s are partitioned by ids of different schemes', (follower).relation, (leader).relation),
		'One number is another time under each scheme. Give both the same CHECK (uid_is_valid(...)).'
	WHERE (follower).layout <> (leader).layout
	LIMIT 1;
END;
COMMENT ON FUNCTION uidext_internal.partition_pair_fault(
	uidext_internal.partitioned_table, uidext_internal.partitioned_table) IS
	'what keeps a table from following another, and what to do: that they are partitioned by different types or schemes; '
	'NULL for nothing';

CREATE FUNCTION uidext_internal.partition_check_pair(
	follower uidext_internal.partitioned_table, leader uidext_internal.partitioned_table
) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	fault record;
BEGIN
	SELECT * INTO fault FROM partition_pair_fault(follower, leader);
	IF fault.problem IS NOT NULL THEN
		RAISE EXCEPTION '%', fault.problem USING ERRCODE = 'datatype_mismatch', HINT = fault.hint;
	END IF;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_pair(
	uidext_internal.partitioned_table, uidext_internal.partitioned_table) IS
	'raises 42804 for what partition_pair_fault() finds';

CREATE FUNCTION uidext_internal.partition_of_period(parent regclass, period uidext_internal.partition_period) RETURNS regclass
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT b.partition FROM uidext_internal.range_bounds(parent) b
	WHERE NOT b.detach_pending AND b.is_default = (period).is_default
		AND uidext_internal.partition_same_bounds(b.from_id, b.to_id, (period).from_id, (period).to_id);
END;
COMMENT ON FUNCTION uidext_internal.partition_of_period(regclass, uidext_internal.partition_period) IS
	'the partition of a table that has exactly the bounds of a period; NULL when there is none';

-- Only foreign keys that contain the partition column count: rows that refer by another column
-- can refer to any period.  Columns are compared by name, because templates and partitions can
-- have them under other numbers.
CREATE FUNCTION uidext_internal.partition_foreign_keys_by_id(relation regclass, leader regclass, follower regclass)
	RETURNS SETOF oid
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	SELECT c.oid
	FROM pg_catalog.pg_partitioned_table t
		JOIN pg_catalog.pg_attribute k ON k.attrelid = t.partrelid AND k.attnum = t.partattrs[0]
		JOIN pg_catalog.pg_attribute a ON a.attrelid = relation::oid AND a.attname = k.attname
		JOIN pg_catalog.pg_constraint c ON c.conrelid = a.attrelid AND a.attnum = ANY (c.conkey)
	WHERE t.partrelid = follower::oid AND c.contype = 'f' AND c.confrelid = leader::oid AND c.conparentid = 0::oid;
END;
COMMENT ON FUNCTION uidext_internal.partition_foreign_keys_by_id(regclass, regclass, regclass) IS
	'the foreign keys from a table to another, as they were written, that hold the column by which a follower is partitioned';

CREATE FUNCTION uidext_internal.partition_pair_foreign_keys(
	relation regclass, OUT partition regclass, OUT leader regclass, OUT key oid, OUT place bigint
) RETURNS SETOF record
	LANGUAGE sql STABLE STRICT ROWS 10
BEGIN ATOMIC
	WITH own AS (
		SELECT b.* FROM uidext_internal.range_bounds(relation) WITH ORDINALITY
			b(partition, from_id, to_id, is_default, detach_pending, place)
		WHERE NOT b.is_default
	), key AS (
		SELECT o.*, k.oid, k.confrelid, p.inhparent
		FROM own o
			JOIN pg_catalog.pg_constraint k ON k.conrelid = o.partition::oid AND k.contype = 'f' AND k.conparentid = 0::oid
			JOIN pg_catalog.pg_inherits p ON p.inhrelid = k.confrelid AND NOT p.inhdetachpending
			JOIN pg_catalog.pg_class l ON l.oid = p.inhparent
		WHERE l.relowner = (SELECT c.relowner FROM pg_catalog.pg_class c WHERE c.oid = relation::oid)
	)
	SELECT k.partition, l.oid::regclass, k.oid, k.place
	FROM (SELECT DISTINCT e.inhparent FROM key e) l(oid)
		CROSS JOIN LATERAL uidext_internal.range_bounds(l.oid::regclass) b
		JOIN key k ON k.confrelid = b.partition::oid AND uidext_internal.partition_same_bounds(k.from_id, k.to_id, b.from_id, b.to_id)
	WHERE k.confrelid = k.partition::oid
		OR k.oid IN (SELECT uidext_internal.partition_foreign_keys_by_id(k.partition, b.partition, relation));
END;
COMMENT ON FUNCTION uidext_internal.partition_pair_foreign_keys(regclass) IS
	'the foreign keys by the partition column from a table''s partitions to those of the same bounds of its owner''s tables, '
	'and those by any column to themselves, with the place of the partition in time';

CREATE FUNCTION uidext_internal.partition_foreign_key_columns(relation oid, numbers smallint[], last_is text) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.replace(string_agg(
			CASE WHEN k.n = pg_catalog.cardinality(numbers) THEN last_is ELSE '' END || quote_ident(a.attname::text), ', '
			ORDER BY k.n), '%', '%%')
	FROM pg_catalog.unnest(numbers) WITH ORDINALITY k(attnum, n)
		JOIN pg_catalog.pg_attribute a ON a.attrelid = relation AND a.attnum = k.attnum;
END;
COMMENT ON FUNCTION uidext_internal.partition_foreign_key_columns(oid, smallint[], text) IS
	'columns of a foreign key, the last one after a word, for format(); NULL for no column';

-- Builds the definition from the catalogs, because pg_get_constraintdef() would name the table of
-- the model.  Before 18 pg_constraint lacks conenforced and conperiod, hence to_jsonb().
CREATE FUNCTION uidext_internal.partition_foreign_key_like(model oid) RETURNS text
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.format('(%s) REFERENCES %%s (%s)%s ON UPDATE %s ON DELETE %s%s%s%s',
		uidext_internal.partition_foreign_key_columns(c.conrelid, c.conkey, period.word),
		uidext_internal.partition_foreign_key_columns(c.confrelid, c.confkey, period.word),
		CASE c.confmatchtype WHEN 'f' THEN ' MATCH FULL' END, act.on_update, act.on_delete,
		' (' || uidext_internal.partition_foreign_key_columns(c.conrelid, c.confdelsetcols, '') || ')',
		CASE WHEN c.condeferrable
			THEN CASE WHEN c.condeferred THEN ' DEFERRABLE INITIALLY DEFERRED' ELSE ' DEFERRABLE' END END,
		CASE pg_catalog.to_jsonb(c) OPERATOR(pg_catalog.->>) 'conenforced' WHEN 'false' THEN ' NOT ENFORCED' END)
	FROM pg_catalog.pg_constraint c
		CROSS JOIN LATERAL (SELECT
			CASE pg_catalog.to_jsonb(c) OPERATOR(pg_catalog.->>) 'conperiod' WHEN 'true' THEN 'PERIOD ' ELSE '' END) period(word)
		CROSS JOIN LATERAL (SELECT
			CASE c.confupdtype WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL'
				WHEN 'd' THEN 'SET DEFAULT' ELSE 'NO ACTION' END,
			CASE c.confdeltype WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL'
				WHEN 'd' THEN 'SET DEFAULT' ELSE 'NO ACTION' END
		) act(on_update, on_delete)
	WHERE c.oid = model;
END;
COMMENT ON FUNCTION uidext_internal.partition_foreign_key_like(oid) IS
	'what follows FOREIGN KEY for one with the columns, actions and options of another, with %s for the table '
	'that it refers to';

-- A comma within a quoted name has an odd number of quotes behind it.
CREATE FUNCTION uidext_internal.partition_foreign_key_names(definition text, referred bool) RETURNS text[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN regexp_split_to_array(
		pg_catalog.replace(substring(definition FROM CASE WHEN referred
			THEN 'REFERENCES %s [(](.*)[)](?: MATCH FULL)? ON UPDATE' ELSE '^[(](.*)[)] REFERENCES %s' END), '%%', '%'),
		', (?=(?:[^"]*"[^"]*")*[^"]*$)');
COMMENT ON FUNCTION uidext_internal.partition_foreign_key_names(text, bool) IS
	'the columns of a foreign key of such a definition as partition_foreign_key_like() returns, as it names them: those that it refers '
	'to, NULL where it names none and so refers to the primary key, or else its own';

CREATE FUNCTION uidext_internal.partition_referred_columns(names text[], relation regclass) RETURNS SETOF smallint
	LANGUAGE sql STABLE ROWS 10
BEGIN ATOMIC
	SELECT a.attnum
	FROM pg_catalog.pg_attribute a
	WHERE a.attrelid = relation::oid AND a.attnum > 0 AND CASE WHEN names IS NULL
		THEN EXISTS (SELECT FROM pg_catalog.pg_index x
			WHERE x.indrelid = a.attrelid AND x.indisprimary AND a.attnum = ANY ((x.indkey::smallint[])[:x.indnkeyatts - 1]))
		ELSE quote_ident(a.attname::text) IN (SELECT regexp_replace(n.name, '^PERIOD ', '') FROM pg_catalog.unnest(names) n(name)) END
	ORDER BY a.attnum;
END;
COMMENT ON FUNCTION uidext_internal.partition_referred_columns(text[], regclass) IS
	'the columns of a table to which a foreign key would refer, by what partition_foreign_key_names() returns of it';

CREATE FUNCTION uidext_internal.partition_plain_foreign_key(follower regclass, leader regclass) RETURNS text
	LANGUAGE plpgsql STABLE STRICT
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	key text := (
		SELECT quote_ident(a.attname)
		FROM pg_partitioned_table p JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
		WHERE p.partrelid = follower);
BEGIN
	IF (SELECT count(*) FROM pg_index WHERE indrelid = leader AND indisprimary AND indnkeyatts = 1) = 0 THEN
		RAISE EXCEPTION 'partitions of table % cannot get foreign keys to partitions of table %', follower, leader
			USING ERRCODE = 'invalid_foreign_key',
				DETAIL = format('Such a key would refer from column %s to the primary key of table %s, which does not consist of one column.', key, leader),
				HINT = 'Pass as template a table that has the foreign key that you want. If you want no foreign keys, pass: foreign_keys => false';
	END IF;
	RETURN format('(%s) REFERENCES %%s', replace(key, '%', '%%'));
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_plain_foreign_key(regclass, regclass) IS
	'what follows FOREIGN KEY for one from the partition key of a follower to the leader''s primary key; raises 42830 '
	'where that is of several columns, or none';

-- Partitions that a drain has made have no such keys.
CREATE FUNCTION uidext_internal.partition_newest_foreign_keys(relation regclass) RETURNS uidext_internal.partition_foreign_key[]
	LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT pg_catalog.array_agg(ROW(k.leader, uidext_internal.partition_foreign_key_like(k.key))::uidext_internal.partition_foreign_key ORDER BY k.key)
	FROM (
		SELECT p.*, max(p.place) OVER (PARTITION BY p.leader::oid = relation::oid) AS newest
		FROM uidext_internal.partition_pair_foreign_keys(relation) p
	) k
	WHERE k.place = k.newest;
END;
COMMENT ON FUNCTION uidext_internal.partition_newest_foreign_keys(regclass) IS
	'the keys of partition_pair_foreign_keys() to other tables that the newest partition with any has, and those to itself that the '
	'newest with any has; NULL for none';

-- Which foreign keys new partitions get.  If the follower itself has a key to the leader, partitions
-- inherit it and get none.  Otherwise they get the keys of the template, if one of them leads to the
-- leader; otherwise those of the newest pair, if one of them does; otherwise a plain key to the
-- leader's primary key, beside those that lead to the follower itself.
CREATE FUNCTION uidext_internal.partition_wanted_foreign_keys(follower regclass, leader regclass, template regclass)
	RETURNS uidext_internal.partition_foreign_key[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	keys partition_foreign_key[];
	leads_there bool;
	other regclass;
BEGIN
	IF EXISTS (SELECT FROM partition_foreign_keys_by_id(follower, leader, follower)) THEN
		RETURN NULL;
	END IF;
	WITH found(place, referred, key, n) AS (
		SELECT 1, l.oid, partition_foreign_key_like(c.oid), c.oid::bigint
		FROM pg_constraint c
			-- a key to one partition of the leader is meant as an example
			LEFT JOIN pg_inherits i ON i.inhrelid = c.confrelid AND i.inhparent = leader
			JOIN pg_class l ON l.oid = coalesce(i.inhparent, c.confrelid) AND l.relkind = 'p'
		WHERE c.conrelid = template AND c.oid IN (SELECT partition_foreign_keys_by_id(template, c.confrelid, follower))
			AND (l.oid = leader OR NOT l.relispartition)
			AND l.relowner = (SELECT o.relowner FROM pg_class o WHERE o.oid = follower)
		UNION ALL
		SELECT 2, k.referred, k.definition, k.ordinality FROM unnest(partition_newest_foreign_keys(follower)) WITH ORDINALITY k
	)
	SELECT array_agg(ROW(f.referred, f.key)::partition_foreign_key ORDER BY f.n), f.leads INTO keys, leads_there
	FROM (SELECT k.*, bool_or(k.referred = leader) OVER (PARTITION BY k.place) AS leads FROM found k) f
	WHERE f.leads OR f.referred = follower
	GROUP BY f.place, f.leads ORDER BY f.leads DESC, f.place LIMIT 1;
	IF leads_there THEN
		RETURN keys;
	END IF;
	SELECT l.oid INTO other
	FROM pg_constraint c JOIN pg_class l ON l.oid = c.confrelid AND l.relkind = 'p' AND NOT l.relispartition
	WHERE c.conrelid = template AND l.oid <> follower AND c.oid IN (SELECT partition_foreign_keys_by_id(template, l.oid, follower))
		AND partition_same_type(follower, l.oid)
	LIMIT 1;
	IF other IS NOT NULL THEN
		RAISE EXCEPTION 'the foreign key of template % leads to table %, and not to table %', template, other, leader
			USING ERRCODE = 'invalid_foreign_key',
				HINT = format('Pass foreign_keys => false, or let the follower follow that table: SELECT * FROM uuid_partition_follow(%L, %L, template => %L)',
					follower, other, template);
	END IF;
	RETURN keys || ROW(leader, partition_plain_foreign_key(follower, leader))::partition_foreign_key;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_wanted_foreign_keys(regclass, regclass, regclass) IS
	'the foreign keys for the partitions that a follower gets; NULL where the '
	'follower''s own partition key refers to the leader; raises 42830 for a template whose key leads to another table that is '
	'partitioned alike, and as partition_plain_foreign_key()';

-- A follower can follow another follower.
CREATE FUNCTION uidext_internal.partition_leader(follower regclass, foreign_keys uidext_internal.partition_foreign_key[], before regclass[])
	RETURNS regclass
	LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT coalesce((
		SELECT m.relation
		FROM pg_catalog.unnest(before) WITH ORDINALITY m(relation, n)
			LEFT JOIN pg_catalog.unnest(foreign_keys) k ON k.referred::oid = m.relation::oid
		WHERE k.referred IS NOT NULL
			-- a key to all of a table shows it, too
			OR EXISTS (SELECT FROM uidext_internal.partition_foreign_keys_by_id(follower, m.relation, follower))
		ORDER BY k.referred IS NOT NULL DESC, m.n DESC
		LIMIT 1), before[1]);
END;
COMMENT ON FUNCTION uidext_internal.partition_leader(regclass, uidext_internal.partition_foreign_key[], regclass[]) IS
	'of the tables before a follower the last to which keys of its partitions lead, else to which its own lead, else the first';

CREATE FUNCTION uidext_internal.partition_check_followers(parent regclass, followers regclass[]) RETURNS void
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	follower regclass;
BEGIN
	FOREACH follower IN ARRAY followers LOOP
		IF follower IS NULL THEN
			RAISE EXCEPTION 'followers must not contain NULL' USING ERRCODE = 'null_value_not_allowed';
		ELSIF follower = parent THEN
			RAISE EXCEPTION 'table % cannot follow itself', follower USING ERRCODE = 'invalid_parameter_value';
		ELSIF cardinality(array_positions(followers, follower)) > 1 THEN
			RAISE EXCEPTION 'follower % is named twice', follower USING ERRCODE = 'invalid_parameter_value';
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_check_followers(regclass, regclass[]) IS
	'raises 22004 for NULL among the followers of a table, 22023 for the table itself, and for one that is named twice';

-- If a follower stood before a table to which its partitions refer, its new partitions would be made
-- before those that they refer to.
CREATE FUNCTION uidext_internal.partition_find_leaders(family uidext_internal.partitioned_table[])
	RETURNS uidext_internal.partitioned_table[]
	LANGUAGE plpgsql STABLE
	SET search_path = pg_catalog, uidext_internal, pg_temp
AS $$
DECLARE
	tables regclass[] := ARRAY(SELECT m.relation FROM unnest(family) WITH ORDINALITY m ORDER BY m.ordinality);
	leader regclass;
BEGIN
	FOR i IN 2 .. cardinality(family) LOOP
		PERFORM partition_check_pair(family[i], family[1]);
		leader := (SELECT k.leader FROM partition_pair_foreign_keys(tables[i]) k WHERE k.leader <> ALL (tables[:i]) LIMIT 1);
		IF leader IS NOT NULL THEN
			RAISE EXCEPTION 'follower % must come after table %, to which its partitions refer', tables[i], leader
				USING ERRCODE = 'invalid_parameter_value',
					HINT = format('Pass table %1$s as parent, or name it before %2$s in followers.', leader, tables[i]);
		END IF;
		family[i].foreign_keys := partition_newest_foreign_keys(tables[i]);
		family[i].leader := partition_leader(tables[i], family[i].foreign_keys, tables[:i - 1]);
		-- one that has only a default partition has no keys that could be copied, and gets those of uuid_partition_follow()
		IF family[i].newest IS NULL
			AND EXISTS (SELECT FROM pg_index WHERE indrelid = family[i].leader AND indisprimary AND indnkeyatts = 1)
		THEN
			family[i].foreign_keys := partition_wanted_foreign_keys(tables[i], family[i].leader, NULL);
		END IF;
	END LOOP;
	RETURN family;
END
$$;
COMMENT ON FUNCTION uidext_internal.partition_find_leaders(uidext_internal.partitioned_table[]) IS
	'tables of which all but the first follow the last before them to which their keys lead, else the first; raises 22023 '
	'for one that is not after all to which its partitions refer, and as partition_check_pair()';
