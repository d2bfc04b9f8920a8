-- What the catalogs say of the extension: the properties of each function, and
-- rules that hold for all objects.

BEGIN;
\ir include/settings.sql
-- From 17 on the row types and array types that come with others are members, too.
CREATE TEMP TABLE members AS
SELECT classid, objid, pg_describe_object(classid, objid, objsubid) AS description,
	obj_description(objid, classid::regclass::name) AS comment
FROM pg_depend AS d
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
	AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uidext')
	AND NOT EXISTS (SELECT FROM pg_depend AS i WHERE i.classid = d.classid AND i.objid = d.objid AND i.deptype = 'i');

CREATE TEMP TABLE functions AS
SELECT p.*, lanname,
	concat(CASE pronamespace WHEN 'uidext_internal'::regnamespace THEN 'uidext_internal.' END, proname, '(',
		oidvectortypes(proargtypes), ')') AS signature
FROM members JOIN pg_proc AS p ON p.oid = objid JOIN pg_language AS l ON l.oid = prolang
WHERE classid = 'pg_proc'::regclass;

--
-- Each function's properties.  Who adds a function says here what it is.
--

CREATE FUNCTION pg_temp.properties(volatility text, strict bool, parallel text, leakproof bool, language text)
RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ',
		CASE volatility WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' WHEN 'v' THEN 'volatile' END,
		CASE WHEN strict THEN 'strict' END,
		'parallel ' || CASE parallel WHEN 's' THEN 'safe' WHEN 'r' THEN 'restricted' WHEN 'u' THEN 'unsafe' END,
		CASE WHEN leakproof THEN 'leakproof' END,
		language)
$$;

CREATE TEMP TABLE expected (properties text, signature text);
INSERT INTO expected
SELECT properties, trim(signature, E' \t\n')
FROM (VALUES
	-- Generators.
	('volatile parallel restricted c', '
		gen_uuidv7()
		gen_ordered_uuidv7()
		gen_comb()
		gen_suffix_comb()
		gen_uuidv1()
		gen_uuidv6()
		gen_uuidv13()
		gen_ulid()'),
	('volatile strict parallel restricted c', '
		uid_generate(text)
		uid_next(text, integer)
		gen_uuidv7(interval)
		gen_uuidv7_at(timestamp with time zone)
		gen_comb_at(timestamp with time zone)
		gen_suffix_comb_at(timestamp with time zone)
		gen_short_comb(interval)
		gen_short_comb_at(timestamp with time zone, interval)
		gen_short_suffix_comb(interval)
		gen_short_suffix_comb_at(timestamp with time zone, interval)
		gen_uuidv1_at(timestamp with time zone)
		gen_ulid_at(timestamp with time zone)
		gen_uuidv6_at(timestamp with time zone)
		gen_uuidv13_at(timestamp with time zone)
		gen_iuid(integer)
		gen_iuid(integer, integer)
		gen_iuid(text)
		gen_iuid(text, text)
		gen_iuid_at(timestamp with time zone, integer, integer)
		gen_iuid_at(timestamp with time zone, text, text)'),
	('stable strict parallel safe c', '
		uuid_to_iuid(uuid, text, text)'),
	('stable parallel restricted c', '
		uidext_internal.generate(internal, "any")'),
	('volatile strict parallel unsafe c', '
		gen_sequence_comb(regclass, integer)
		uidext_internal.uuid_safe_boundary_support(internal)'),

	-- Readers and other functions that take every value of their types.
	('immutable strict parallel safe leakproof c', '
		uuid_time(uuid)
		uuid_time(ulid)
		uidext_internal.iuid_time(iuid)
		uuid_inspect(uuid)
		uuid_inspect(ulid)
		uuid_boundary_time(uuid)
		uuidv6_boundary_time(uuid)
		uuidv7_is_valid(uuid)
		uuidv4_is_valid(uuid)
		uuid_is_canonical(text)
		comb_time(uuid)
		suffix_comb_time(uuid)
		short_comb_block(uuid)
		short_suffix_comb_block(uuid)
		iuid_version(uuid)
		iuid_country(uuid)
		iuid_service_entity(uuid)
		iuid_is_valid(uuid)
		uidext_internal.uuid_boundary_at_or_after(timestamp with time zone)
		uidext_internal.uuid_boundary_after(timestamp with time zone)
		uidext_internal.uuid_range_lower(tstzrange)
		uidext_internal.uuid_range_upper(tstzrange)
		uuid_to_sqlserver(uuid)
		uuid_from_sqlserver(uuid)
		uuid_to_bin(uuid, boolean)
		ulid_time(ulid)
		laravel_uuid_time(uuid)
		uidext_internal.ulid_out(ulid)
		uidext_internal.id_smaller(uuid, uuid)
		uidext_internal.id_larger(uuid, uuid)
		uidext_internal.id_smaller(ulid, ulid)
		uidext_internal.id_larger(ulid, ulid)
		uidext_internal.iuid_hash(iuid)
		uidext_internal.iuid_country_hash(uuid)
		uidext_internal.iuid_country_hash_extended(uuid, bigint)
		uidext_internal.iuid_country_hash(iuid)
		uidext_internal.iuid_country_hash_extended(iuid, bigint)
		uidext_internal.uuid_sqlserver_cmp(uuid, uuid)
		uidext_internal.uuid_sqlserver_lt(uuid, uuid)
		uidext_internal.uuid_sqlserver_le(uuid, uuid)
		uidext_internal.uuid_sqlserver_ge(uuid, uuid)
		uidext_internal.uuid_sqlserver_gt(uuid, uuid)'),

	-- Core's own, under the names that type iuid needs.
	('immutable strict parallel safe leakproof c', '
		uidext_internal.iuid_out(iuid)
		uidext_internal.iuid_send(iuid)
		uidext_internal.iuid_cmp(iuid, iuid)
		uidext_internal.iuid_cmp_uuid(iuid, uuid)
		uidext_internal.uuid_cmp_iuid(uuid, iuid)
		uidext_internal.iuid_lt(iuid, iuid)
		uidext_internal.iuid_le(iuid, iuid)
		uidext_internal.iuid_eq(iuid, iuid)
		uidext_internal.iuid_ge(iuid, iuid)
		uidext_internal.iuid_gt(iuid, iuid)
		uidext_internal.iuid_lt_uuid(iuid, uuid)
		uidext_internal.iuid_le_uuid(iuid, uuid)
		uidext_internal.iuid_eq_uuid(iuid, uuid)
		uidext_internal.iuid_ge_uuid(iuid, uuid)
		uidext_internal.iuid_gt_uuid(iuid, uuid)
		uidext_internal.uuid_lt_iuid(uuid, iuid)
		uidext_internal.uuid_le_iuid(uuid, iuid)
		uidext_internal.uuid_eq_iuid(uuid, iuid)
		uidext_internal.uuid_ge_iuid(uuid, iuid)
		uidext_internal.uuid_gt_iuid(uuid, iuid)'),

	-- Functions that refuse some values.
	('immutable strict parallel safe c', '
		uuid_boundary(timestamp with time zone)
		uuidv6_boundary(timestamp with time zone)
		iuid_boundary(timestamp with time zone)
		short_comb_time(uuid, timestamp with time zone, interval)
		uuid_is_recent(uuid, interval, interval, timestamp with time zone)
		comb_is_recent(uuid, interval, interval, timestamp with time zone)
		uuidv1_to_v6(uuid)
		uuidv6_to_v1(uuid)
		uuidv1_to_v13(uuid)
		uuidv13_to_v1(uuid)
		comb_to_suffix(uuid)
		comb_from_suffix(uuid)
		short_comb_to_suffix(uuid)
		short_comb_from_suffix(uuid)
		bin_to_uuid(bytea, boolean)
		ulid_to_uuid(text)
		ulid_boundary(timestamp with time zone)
		laravel_uuid_to_v7(uuid)
		uidext_internal.ulid_in(cstring)
		uid_schemes()
		uid_time(text, text)
		uid_is_valid(text, text)
		uid_is_valid(bigint, text)
		uid_time(bigint, text)
		uid_boundary(timestamp with time zone, text)
		uid_to_uuid(text, text)
		uid_to_uuid(bigint, text)
		uid_from_uuid(uuid, text)
		uid_bigint_from_uuid(uuid, text)
		uidext_internal.uid_readings(text)
		uidext_internal.uid_as_uuid(text)
		uuid_encrypt(uuid, bytea, text)
		uuid_decrypt(uuid, bytea, text, integer)
		uuid_to_typeid(uuid, text)
		typeid_prefix(text)
		uuid_encode(uuid, text)
		uuid_decode(text, text)
		uidext_internal.uuid_sqlserver_sortsupport(internal)
		uidext_internal.iuid_in(cstring)
		uidext_internal.iuid_recv(internal)
		uidext_internal.uuid_as_iuid(uuid)
		uuid_to_iuid(uuid, integer, integer)'),

	('immutable parallel safe c', '
		typeid_to_uuid(text, text)'),

	-- Time predicates, which the planner replaces by comparisons of uuids.
	('immutable strict parallel safe leakproof c', '
		uidext_internal.id_lt_timestamptz(uuid, timestamp with time zone)
		uidext_internal.id_le_timestamptz(uuid, timestamp with time zone)
		uidext_internal.id_ge_timestamptz(uuid, timestamp with time zone)
		uidext_internal.id_gt_timestamptz(uuid, timestamp with time zone)
		uidext_internal.timestamptz_lt_id(timestamp with time zone, uuid)
		uidext_internal.timestamptz_le_id(timestamp with time zone, uuid)
		uidext_internal.timestamptz_ge_id(timestamp with time zone, uuid)
		uidext_internal.timestamptz_gt_id(timestamp with time zone, uuid)
		uidext_internal.id_in_tstzrange(uuid, uidext_internal.period)
		uidext_internal.id_in_tstzmultirange(uuid, uidext_internal.periods)
		uidext_internal.tstzmultirange_contains_id(uidext_internal.periods, uuid)
		uidext_internal.id_in_periods(uuid, tstzmultirange)
		uidext_internal.id_time(uuid)
		uidext_internal.tstzrange_contains_id(uidext_internal.period, uuid)'),
	('immutable strict parallel safe leakproof c', '
		uidext_internal.id_lt_timestamptz(ulid, timestamp with time zone)
		uidext_internal.id_le_timestamptz(ulid, timestamp with time zone)
		uidext_internal.id_ge_timestamptz(ulid, timestamp with time zone)
		uidext_internal.id_gt_timestamptz(ulid, timestamp with time zone)
		uidext_internal.timestamptz_lt_id(timestamp with time zone, ulid)
		uidext_internal.timestamptz_le_id(timestamp with time zone, ulid)
		uidext_internal.timestamptz_ge_id(timestamp with time zone, ulid)
		uidext_internal.timestamptz_gt_id(timestamp with time zone, ulid)
		uidext_internal.id_in_tstzrange(ulid, uidext_internal.period)
		uidext_internal.id_in_tstzmultirange(ulid, uidext_internal.periods)
		uidext_internal.tstzrange_contains_id(uidext_internal.period, ulid)
		uidext_internal.tstzmultirange_contains_id(uidext_internal.periods, ulid)'),
	('immutable strict parallel safe c', '
		uidext_internal.generator_support(internal)
		uidext_internal.id_in_periods_support(internal)
		uidext_internal.id_predicate_support(internal)'),

	-- Core's own for uuid, which serve ulid.
	('immutable strict parallel safe leakproof c', '
		uidext_internal.ulid_send(ulid)
		uidext_internal.ulid_lt(ulid, ulid)
		uidext_internal.ulid_le(ulid, ulid)
		uidext_internal.ulid_eq(ulid, ulid)
		uidext_internal.ulid_ge(ulid, ulid)
		uidext_internal.ulid_gt(ulid, ulid)
		uidext_internal.ulid_ne(ulid, ulid)
		uidext_internal.ulid_cmp(ulid, ulid)
		uidext_internal.ulid_lt_uuid(ulid, uuid)
		uidext_internal.uuid_lt_ulid(uuid, ulid)
		uidext_internal.ulid_le_uuid(ulid, uuid)
		uidext_internal.uuid_le_ulid(uuid, ulid)
		uidext_internal.ulid_eq_uuid(ulid, uuid)
		uidext_internal.uuid_eq_ulid(uuid, ulid)
		uidext_internal.ulid_ge_uuid(ulid, uuid)
		uidext_internal.uuid_ge_ulid(uuid, ulid)
		uidext_internal.ulid_gt_uuid(ulid, uuid)
		uidext_internal.uuid_gt_ulid(uuid, ulid)
		uidext_internal.ulid_ne_uuid(ulid, uuid)
		uidext_internal.uuid_ne_ulid(uuid, ulid)
		uidext_internal.ulid_cmp_uuid(ulid, uuid)
		uidext_internal.uuid_cmp_ulid(uuid, ulid)
		uidext_internal.ulid_hash(ulid)
		uidext_internal.ulid_hash_extended(ulid, bigint)'),
	('immutable strict parallel safe c', '
		uidext_internal.ulid_recv(internal)
		uidext_internal.ulid_comparison_support(internal)'),
	-- The text of a uuid or a ULID.
	('immutable strict parallel safe sql', '
		uidext_internal.ulid_inspect(text)
		uuid_time(text)
		uuid_inspect(text)'),
	('immutable parallel safe sql', '
		uuid_is_recent(text, interval, interval, timestamp with time zone)
		uuid_is_recent(ulid, interval, interval, timestamp with time zone)'),
	-- NULL stands for a default.
	('immutable parallel safe c', '
		short_comb_is_recent(uuid, interval, interval, interval, timestamp with time zone)'),
	('immutable parallel safe internal', '
		min(uuid)
		max(uuid)
		min(ulid)
		max(ulid)'),

	-- Between uuid and ulid, the same bytes.
	('immutable strict parallel safe leakproof sql', '
		uuid_to_ulid(uuid)
		ulid_to_uuid(ulid)'),

	-- For pg_partman.
	('immutable parallel safe sql', '
		uuid_time_decoder(text)'),

	('stable strict parallel safe sql', '
		uid_inspect(text)
		uidext_internal.uid_pasted(text)
		uidext_internal.key_misread_layout(uuid)'),
	('immutable parallel safe sql', '
		uidext_internal.uid_spellings()'),

	-- What keys cost, and ranges of them.
	('stable strict parallel unsafe sql', '
		uidext_internal.key_layout(text, text, text, real[], real)
		uidext_internal.key_range_column(regclass)
		uidext_internal.key_range_cuts(regclass, name, smallint, text, integer)
		uidext_internal.key_range_members(regclass, name, smallint, text)
		uidext_internal.key_range_steps(regclass, name, smallint, text)
		uidext_internal.partition_visible_rows(regclass)
		uidext_internal.partition_versions(oid[])
		uuid_key_report(boolean)'),
	('stable parallel unsafe sql', '
		uidext_internal.key_columns()
		uidext_internal.key_index_widths()
		uidext_internal.key_indexes()
		uidext_internal.key_lines(boolean)
		uidext_internal.partition_busy_obstacle(uidext_internal.partitioned_table[], text)
		uidext_internal.partition_foreign_table_obstacle(uidext_internal.partitioned_table)
		uidext_internal.partition_unread_obstacle(regclass, text)
		uidext_internal.partition_table_obstacle(uidext_internal.partitioned_table)'),
	('stable parallel safe sql', '
		uidext_internal.key_id_layout(text, uuid, uuid_info)
		uidext_internal.key_sample(text, text)'),
	('immutable parallel safe sql', '
		uidext_internal.key_entry(double precision, integer, boolean, real, double precision)
		uidext_internal.key_kind(text, text, boolean, boolean, bigint, numeric, boolean)
		uidext_internal.key_note(text, text)
		uidext_internal.key_wal(text, boolean)'),
	('immutable parallel safe plpgsql', '
		uidext_internal.key_position(text, text)
		uidext_internal.key_at(text, numeric)'),
	('stable parallel unsafe plpgsql', '
		uidext_internal.partition_require_time(uidext_internal.partitioned_table)
		uidext_internal.partition_check_pair(uidext_internal.partitioned_table, uidext_internal.partitioned_table)
		uidext_internal.partition_find_counterpart(uidext_internal.partition_step)
		uidext_internal.uuid_leaf_density(regclass, boolean, numeric)'),
	('stable strict parallel unsafe plpgsql', '
		uuid_key_ranges(regclass, integer)'),

	-- The registry.
	('stable strict parallel safe sql', '
		iuid_route(uuid)
		iuid_describe(uuid)
		iuid_registry_script()'),
	('volatile parallel unsafe sql', '
		iuid_load_iso_3166()'),
	('volatile parallel unsafe c', '
		uidext_internal.iuid_registry_changed()
		uuid_safe_boundary()'),

	-- Partitions.
	('immutable parallel safe sql', '
		uidext_internal.partition_boundary(text, timestamp with time zone)
		uidext_internal.partition_boundary_time(text, text)
		uidext_internal.partition_earliest(text)
		uidext_internal.partition_least_telling_id(text)
		uidext_internal.partition_is_creation(text)
		uidext_internal.partition_is_removal(text)
		uidext_internal.partition_same_bounds(text, text, text, text)
		uidext_internal.partition_overlaps(uidext_internal.partition_period, uidext_internal.partition_period)'),
	('stable parallel safe sql', '
		uidext_internal.partition_range_clause(text, text)'),
	('immutable strict parallel safe plpgsql', '
		uidext_internal.partition_check_null(text[], boolean[])
		uuid_partition_bounds(timestamp with time zone, timestamp with time zone, interval, text)'),
	('immutable strict parallel safe sql', '
		uidext_internal.oid_distance(oid, oid)
		uidext_internal.partition_concerns_one_group(text)
		uidext_internal.partition_is_lock(text)
		uidext_internal.partition_foreign_key_names(text, boolean)
		uidext_internal.iuid_hash_clause(integer, integer)
		uidext_internal.partition_count_intervals(timestamp with time zone, timestamp with time zone, interval)
		uidext_internal.result_function(text)'),
	('stable parallel unsafe sql', '
		uidext_internal.partition_referred_columns(text[], regclass)
		uidext_internal.partition_overlapping(uidext_internal.partitioned_table[], uidext_internal.partition_period)
		uidext_internal.partition_clock_id(text)
		uidext_internal.partition_default_obstacle(uidext_internal.partitioned_table, uidext_internal.partition_period)
		uidext_internal.partition_differences(uidext_internal.partitioned_table)
		uidext_internal.partition_snap(uidext_internal.partitioned_table, timestamp with time zone, timestamp with time zone)
		uidext_internal.partition_needed_locks(uidext_internal.partitioned_table[], uidext_internal.partition_step[])
		uidext_internal.partition_makes_unnoticed(uidext_internal.partitioned_table[], uidext_internal.partition_step[])
		uidext_internal.partition_related(regclass[])
		uidext_internal.partition_models_to_keep(uidext_internal.partitioned_table[], uidext_internal.partition_step[])
		uidext_internal.partition_kept_for_ever(uidext_internal.partitioned_table)
		uidext_internal.partition_key_hint(regclass, regtype)
		uidext_internal.partition_leader(regclass, uidext_internal.partition_foreign_key[], regclass[])
		uidext_internal.iuid_leaf_obstacle(regclass, uidext_internal.iuid_leaves)
		uidext_internal.iuid_lock_holder(uidext_internal.iuid_request)
		uidext_internal.partition_lock_holder(oid[], text[])
		uidext_internal.partition_described_session(integer, text)
		uidext_internal.partition_may_lock(oid)
		uidext_internal.partition_default_hint(uidext_internal.partition_period)
		uidext_internal.partition_right_obstacle(uidext_internal.partitioned_table)
		uidext_internal.partition_template_obstacle(uidext_internal.partitioned_table)
		uidext_internal.partition_unpaired_obstacle(uidext_internal.partitioned_table, uidext_internal.partition_foreign_key[])
		uidext_internal.partition_sources(uidext_internal.partitioned_table)
		uidext_internal.partition_name_obstacle(regnamespace, text)
		uidext_internal.partition_old_periods(uidext_internal.partitioned_table[], timestamp with time zone, regclass[])
		uidext_internal.partition_overlap_obstacle(uidext_internal.partitioned_table, uidext_internal.partition_period)
		uidext_internal.partition_requested(uidext_internal.partitioned_table, timestamp with time zone, timestamp with time zone, interval, text)
		uidext_internal.partition_gaps_of_ids(uidext_internal.partitioned_table)
		uidext_internal.partition_rows_that_stay(uidext_internal.partitioned_table, bigint)
		uidext_internal.partition_lacks_present(uidext_internal.partitioned_table)
		uidext_internal.partition_is_elsewhere(uidext_internal.partitioned_table)
		uidext_internal.partition_follower_fault(uidext_internal.partitioned_table, uidext_internal.partitioned_table)
		uidext_internal.partition_pair_fault(uidext_internal.partitioned_table, uidext_internal.partitioned_table)
		uidext_internal.partition_tree_like(regclass, text)
		uidext_internal.partition_patience()
		uidext_internal.partition_of_period(regclass, uidext_internal.partition_period)'),
	('stable parallel unsafe plpgsql', '
		uidext_internal.partition_foreign_keys_obstacle(regclass, text, regclass, regclass, uidext_internal.partition_period, uidext_internal.partition_foreign_key[], regclass[])
		uidext_internal.partition_orphan_obstacle(uidext_internal.partitioned_table[], uidext_internal.partition_period)
		uidext_internal.partition_differences_if_readable(uidext_internal.partitioned_table, timestamp with time zone)
		uidext_internal.partition_findings(uidext_internal.partitioned_table[], interval, interval, timestamp with time zone)
		uidext_internal.partition_check_age(timestamp with time zone)
		uidext_internal.partition_check_drain(regclass, interval, text, integer, boolean)
		uidext_internal.partition_check_followers(regclass, regclass[])
		uidext_internal.partition_check_step(uidext_internal.partitioned_table, interval)
		uidext_internal.partition_find_leaders(uidext_internal.partitioned_table[])
		uidext_internal.partition_check_upkeep(interval, integer, interval, text)
		uidext_internal.partition_assert(regclass, boolean)
		uidext_internal.partition_assert_visible_rows(regclass, oid[])
		uidext_internal.partition_domain_obstacle(uidext_internal.partitioned_table)
		uidext_internal.partition_drain_obstacle(uidext_internal.partitioned_table, uidext_internal.partition_period, integer)
		uidext_internal.partition_examine_creation(uidext_internal.partitioned_table, uidext_internal.partition_step, uidext_internal.partition_obstacle, uidext_internal.partition_step[])
		uidext_internal.partition_family_problems(uidext_internal.partitioned_table[])
		uidext_internal.partition_gap(uidext_internal.partitioned_table, timestamp with time zone, interval, text)
		uidext_internal.partition_keep_models(uidext_internal.partitioned_table[], uidext_internal.partition_step[])
		uidext_internal.partition_wanted_foreign_keys(regclass, regclass, regclass)
		uidext_internal.partition_measure(uidext_internal.partition_step[])
		uidext_internal.partition_missing(uidext_internal.partitioned_table, interval, integer, timestamp with time zone, text)
		uidext_internal.partition_plan_follow(uidext_internal.partitioned_table, uidext_internal.partitioned_table, uidext_internal.partition_step[], uidext_internal.partition_period[])
		uidext_internal.partition_new_step(uidext_internal.partitioned_table, uidext_internal.partition_period, text, name[])
		uidext_internal.partition_old_step(regclass, name, uidext_internal.partition_period, text)
		uidext_internal.partition_plan_old_period(uidext_internal.partitioned_table[], uidext_internal.partition_period, text, uidext_internal.partition_obstacle)
		uidext_internal.partition_plan_periods(uidext_internal.partitioned_table, uidext_internal.partition_period[], interval, text, text, name[])
		uidext_internal.partition_plan_removal(uidext_internal.partitioned_table[], uidext_internal.partition_period[], text, integer, timestamp with time zone, boolean)
		uidext_internal.partition_mark_busy(uidext_internal.partition_step[], regclass[], text, text)
		uidext_internal.partition_postpone(uidext_internal.partition_step[], text, boolean, regclass)
		uidext_internal.partition_look_into(uidext_internal.partitioned_table, regclass, timestamp with time zone)
		uidext_internal.partition_table_problems(uidext_internal.partitioned_table, timestamp with time zone)
		uidext_internal.partition_raise(text, text)
		uidext_internal.partition_raise_busy(uidext_internal.partitioned_table[], text)
		uidext_internal.partition_referring_obstacle(regclass, uidext_internal.partition_period, name, oid[], text)
		uidext_internal.partition_take_fewer(uidext_internal.partition_step[], text, text)
		uidext_internal.iuid_check_leaf(uidext_internal.iuid_request, uidext_internal.iuid_leaves)
		uidext_internal.iuid_country_step(regclass, text, integer, integer)
		uidext_internal.iuid_partition_step(regclass, text, uidext_internal.partition_obstacle)
		uidext_internal.iuid_plan_local(uidext_internal.iuid_request)
		uidext_internal.partition_present(uidext_internal.partition_period[], interval, timestamp with time zone, text)
		uidext_internal.partition_warn_unpublished(regclass, uidext_internal.partition_step)
		uuid_partition_check(regclass, interval, interval, regclass[])'),
	('stable strict parallel safe sql', '
		uidext_internal.base_types(regtype)
		uidext_internal.partition_add(timestamp with time zone, interval, text)
		uidext_internal.partition_layout(regtype)
		uidext_internal.partition_origin(timestamp with time zone, interval, text)
		uidext_internal.partition_suffix(timestamp with time zone, interval, text)'),
	('stable strict parallel unsafe plpgsql', '
		uidext_internal.partition_referred_obstacle(regclass, text, regclass[])
		uidext_internal.partition_publication_obstacle(regclass, regnamespace)
		uidext_internal.partition_references(regclass, name)
		uidext_internal.partition_written_foreign_key(oid)
		uidext_internal.partition_dependents(oid[])
		uidext_internal.partition_tree(regclass)
		uidext_internal.iuid_partition_check_foreign(regclass)
		uidext_internal.iuid_partition_key(regclass)
		uidext_internal.partition_check_ahead(interval)
		uidext_internal.partition_check_exists(regclass)
		uidext_internal.partition_check_count(double precision)
		uidext_internal.partition_check_owner(regclass)
		uidext_internal.partition_check_default_unreferenced(regclass)
		uidext_internal.partition_check_start(timestamp with time zone, timestamp with time zone, interval, text)
		uidext_internal.partition_check_template(regclass, regclass)
		uidext_internal.partition_parts_to_copy(regclass)
		uidext_internal.partition_held(regclass, name, text)
		uidext_internal.partition_kept_since(interval, text)
		uidext_internal.partition_plain_foreign_key(regclass, regclass)
		uidext_internal.partition_read(regclass, timestamp with time zone)
		uidext_internal.partition_check_drainable(regclass)
		uidext_internal.partition_citus_size(regclass)'),
	('stable strict parallel unsafe sql', '
		uidext_internal.makes_no_order(oid)
		uidext_internal.partition_access_commands(regclass, regclass)
		uidext_internal.partition_parts_without_table(regclass)
		uidext_internal.partition_covered(uidext_internal.partitioned_table)
		uidext_internal.partition_dependent_obstacle(oid[])
		uidext_internal.partition_detach_hint(regclass, regclass)
		uidext_internal.partition_disorder(uidext_internal.partitioned_table)
		uidext_internal.partition_tables_divided_by(regclass, name)
		uidext_internal.partition_rows_known_by(regclass, name)
		uidext_internal.partition_foreign_owner_problems(regclass)
		uidext_internal.partition_hashed_without_country(regclass)
		uidext_internal.partition_foreign_key_columns(oid, smallint[], text)
		uidext_internal.partition_hash_lacks_present(regclass)
		uidext_internal.partition_foreign_key_like(oid)
		uidext_internal.partition_foreign_key_problems(regclass, regclass)
		uidext_internal.partition_usual_foreign_key(regclass, regclass)
		uidext_internal.partition_makers(regclass, smallint)
		uidext_internal.partition_newest_foreign_keys(regclass)
		uidext_internal.partition_own_checks(regclass, name, regclass)
		uidext_internal.partition_own_objects(regclass)
		uidext_internal.partition_copied_objects(regclass)
		uidext_internal.partition_index_definition(oid)
		uidext_internal.partition_whole_rows(oid[])
		uidext_internal.partition_replica_columns(regclass)
		uidext_internal.partition_publications(regclass)
		uidext_internal.partition_new_publications(regclass, regnamespace)
		uidext_internal.partition_replica_identities(regclass)
		uidext_internal.partition_invalid_indexes(regclass)
		uidext_internal.partition_pair_foreign_keys(regclass)
		uidext_internal.partition_pair_obstacle(oid[])
		uidext_internal.partition_pair_problems(regclass, regclass)
		uidext_internal.partition_same_type(regclass, regclass)
		uidext_internal.partition_parts_in_time(regclass, name, text)
		uidext_internal.partition_periods(regclass, text)
		uidext_internal.partition_removal_obstacle(regclass, regclass, text)
		uidext_internal.partition_foreign_keys_by_id(regclass, regclass, regclass)
		uidext_internal.partition_unreadable_hint(regclass)
		uidext_internal.partition_row_security_hint(regclass)
		uidext_internal.partition_schema(regclass)
		uidext_internal.partition_id_schemes(regclass, smallint)
		uidext_internal.partition_sizes(regclass[])
		uidext_internal.partition_tables_to_name(regclass, regclass)
		uidext_internal.partition_privileges(regclass)
		uidext_internal.partition_storage_commands(regclass, regclass)
		uidext_internal.partition_index_mark_commands(regclass, regclass)
		uidext_internal.partition_unanalyzed(regclass)
		uidext_internal.partition_of_clause(regclass, text)
		uidext_internal.iuid_bound_obstacle(regclass, integer, integer)
		uidext_internal.iuid_partition_name(regclass, integer)
		uuid_partition_list(regclass)'),
	('volatile parallel unsafe plpgsql', '
		iuid_partition_create(regclass, integer[], name, timestamp with time zone, timestamp with time zone, interval, text, boolean)
		uidext_internal.iuid_partition_foretell(uidext_internal.iuid_request)
		uidext_internal.iuid_plan_foreign(uidext_internal.iuid_request)
		uidext_internal.iuid_partition_execute(uidext_internal.iuid_request, timestamp with time zone)
		uidext_internal.iuid_partition_foreign(uidext_internal.iuid_request, uidext_internal.iuid_leaves[])
		uidext_internal.iuid_partition_leaves(uidext_internal.iuid_request, boolean)
		uidext_internal.iuid_partition_local(uidext_internal.iuid_request, integer)
		uidext_internal.iuid_partition_make(regclass, regnamespace, text, name, text)
		uidext_internal.iuid_partition_request()
		uidext_internal.iuid_remote_leaves(name, name, name, integer)
		uidext_internal.iuid_remote_request(name, name, name, integer, timestamp with time zone, timestamp with time zone, interval, text)
		uidext_internal.partition_attempt(uidext_internal.partitioned_table[], uidext_internal.partition_step[], integer, boolean, boolean, boolean, interval)
		uidext_internal.partition_begin(regclass, regclass[], regclass, boolean, timestamp with time zone)
		uidext_internal.partition_lock_and_read(regclass[], boolean, timestamp with time zone)
		uidext_internal.partition_create_one(uidext_internal.partition_step)
		uidext_internal.partition_drain_next(regclass, interval, text, timestamp with time zone, regclass, integer, boolean, timestamp with time zone, text, timestamp with time zone, uidext_internal.partition_step[])
		uidext_internal.partition_execute_all(uidext_internal.partitioned_table[], uidext_internal.partition_step[], timestamp with time zone)
		uidext_internal.partition_execute_possible(uidext_internal.partitioned_table[], uidext_internal.partition_step[], timestamp with time zone, timestamp with time zone)
		uidext_internal.partition_keep_vacuum_out(uidext_internal.partitioned_table[], uidext_internal.partition_step[], boolean, boolean)
		uidext_internal.partition_plan(uidext_internal.partitioned_table[], uidext_internal.partition_period[], interval, text, timestamp with time zone, timestamp with time zone, text, integer)
		uidext_internal.partition_plan_drop(uidext_internal.partitioned_table[], timestamp with time zone, text, timestamp with time zone)
		uidext_internal.partition_lock_groups(uidext_internal.partition_step[], integer[], oid[], text)
		uidext_internal.partition_lock_steps(uidext_internal.partitioned_table[], uidext_internal.partition_step[], boolean)
		uidext_internal.partition_make_tables(uidext_internal.partitioned_table[], uidext_internal.partition_step[], timestamp with time zone)
		uidext_internal.partition_make_table(regnamespace, text, regclass, text)
		uidext_internal.partition_add_foreign_keys(regclass, regclass, regclass, uidext_internal.partition_period, uidext_internal.partition_foreign_key[])
		uidext_internal.partition_report(uidext_internal.partition_step[], boolean)
		uidext_internal.partition_blame(uidext_internal.partitioned_table[], uidext_internal.partition_step[], text, text, text, text, text, boolean)
		uidext_internal.partition_drop_unattached(uidext_internal.partition_step[], boolean)
		uidext_internal.partition_run_steps(uidext_internal.partition_step[])
		uuid_partition_create(regclass, timestamp with time zone, timestamp with time zone, interval, text, regclass, boolean)
		uuid_partition_drain(regclass, interval, text, timestamp with time zone, timestamp with time zone, regclass, integer, boolean)
		uuid_partition_drop(regclass, timestamp with time zone, boolean, boolean)
		uuid_partition_follow(regclass, regclass, regclass, boolean, boolean)
		uuid_partition_maintain(regclass, interval, integer, interval, boolean, text, regclass, boolean, regclass[])'),
	('volatile parallel unsafe sql', '
		uidext_internal.partition_deadline(double precision)'),
	('volatile strict parallel unsafe plpgsql', '
		uidext_internal.partition_attach(regclass, regclass, text)
		uidext_internal.partition_lock_family(regclass[], timestamp with time zone)
		uidext_internal.partition_lock_at_once(oid[], text)
		uidext_internal.partition_remove(regclass, regclass, boolean)
		uidext_internal.partition_run(text[])'),
	('volatile parallel unsafe c', '
		uidext_internal.attach_ids(regclass, regclass, text, text)
		uidext_internal.edge_id(regclass, name, text, text, boolean, integer[], name[])'),
	('stable parallel unsafe c', '
		uidext_internal.count_ids(regclass, name, text, text, integer[], bigint)'),
	('volatile strict parallel unsafe c', '
		uidext_internal.hold_names(oid[])
		uidext_internal.lock_table(regclass, text, interval)
		uidext_internal.move_ids(regclass, regclass, name, text, text, bigint)'),
	('immutable parallel unsafe plpgsql', '
		uidext_internal.partition_group_at(uidext_internal.partition_step[], integer)
		uidext_internal.partition_with_group_numbers(uidext_internal.partition_step[])'),
	('stable strict parallel unsafe c', '
		uidext_internal.range_bounds(regclass)')
) AS e(properties, signatures), regexp_split_to_table(trim(signatures, E' \t\n'), '\n') AS signature;

-- The SQL edition lacks some and has others (test/t/editions/sql_edition.pl says which
-- of those that people call).  What both have may be used in the same places.
\if :sql_edition
CREATE TEMP VIEW properties AS
SELECT pg_temp.properties(provolatile, false, proparallel, false, NULL) AS has,
	regexp_replace(properties, '( strict| leakproof| [a-z]+$)', '', 'g') AS wants, signature
FROM functions JOIN expected USING (signature);
\else
CREATE TEMP VIEW properties AS
SELECT pg_temp.properties(provolatile, proisstrict, proparallel, proleakproof, lanname) AS has, properties AS wants, signature
FROM functions FULL JOIN expected USING (signature);
\endif

SELECT plan(21 + 5 * (NOT :'sql_edition')::int + count(*)::int) FROM properties;

SELECT is(has, wants, signature) FROM properties ORDER BY signature;

--
-- Rules for all.
--

SELECT is(array_agg(description), NULL, 'every object has a comment') FROM members
WHERE coalesce(comment, '') = '';
SELECT is(array_agg(description), NULL,
	'each public function''s comment begins with a clause or sentence of one line, for doc/reference.md')
FROM members JOIN pg_proc AS p ON classid = 'pg_proc'::regclass AND p.oid = objid
WHERE pronamespace <> 'uidext_internal'::regnamespace AND length(regexp_replace(comment, '(;|:| \(|\. |\.$).*', '')) > 80;
SELECT is(array_agg(attrelid::regclass || '.' || attname), NULL, 'every column of a composite type has a comment')
FROM members JOIN pg_type AS t ON classid = 'pg_type'::regclass AND t.oid = objid AND typtype = 'c'
JOIN pg_attribute ON attrelid = typrelid AND attnum > 0 AND NOT attisdropped
WHERE col_description(attrelid, attnum) IS NULL;

-- a table or view there would be the user's to every tool that compares or dumps schemas
SELECT is(array_agg(c.oid::regclass), NULL, 'no relation of the extension lies in its own schema')
FROM members JOIN pg_class AS c ON classid = 'pg_class'::regclass AND c.oid = objid
WHERE c.relkind <> 'c' AND c.relnamespace = (SELECT extnamespace FROM pg_extension WHERE extname = 'uidext');
SELECT is(array_agg(c.oid::regclass), NULL, 'each table has a primary key')
FROM members JOIN pg_class AS c ON classid = 'pg_class'::regclass AND c.oid = objid
WHERE c.relkind = 'r' AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary);

-- postgres_fdw, logical replication and dumps bring together servers of different versions.
SELECT is(left(has, length(wants)), wants, relation || ' keeps its columns, and new ones come last')
FROM (VALUES
		('iuid.countries', 'id integer, code text, name text, '),
		('iuid.service_entities', 'id integer, name text, description text, service text, entity text, '),
		('iuid.routes', 'country integer, service_entity integer, node text, description text, region text, service text, '),
		('uidext_internal.iuid_leaves',
			'parent_schema name, parent_table name, country integer, modulus integer, remainder integer, partition name, '
			'by_time boolean, leaf_schema name, leaf_table name, is_default boolean, from_id uuid, to_id uuid, is_plain boolean, '),
		('uidext_internal.iuid_partition_requests',
			'parent_schema name, parent_table name, country integer, start timestamp with time zone, '
			'stop timestamp with time zone, step interval, tz text, ')
	) AS columns(relation, wants),
	LATERAL (
		SELECT coalesce(string_agg(format('%s %s, ', attname, format_type(atttypid, atttypmod)), '' ORDER BY attnum), '')
		FROM pg_attribute WHERE attrelid = to_regclass(relation) AND attnum > 0 AND NOT attisdropped
	) AS attributes(has)
-- the SQL edition has no views
WHERE NOT :'sql_edition' OR relation LIKE 'iuid.%';

SELECT is(array_agg(signature), NULL, 'no function is one that the server searches for by name') FROM functions
WHERE lanname = 'internal' AND prokind <> 'a';
SELECT is(array_agg(signature), NULL, 'no function runs with its owner''s rights') FROM functions WHERE prosecdef;
SELECT is(array_agg(signature || ': ' || prosrc), NULL, 'every C symbol starts with uidext_') FROM functions
WHERE lanname = 'c' AND prosrc !~ '^uidext_';
SELECT is(array_agg(signature), NULL, 'everyone may call every function') FROM functions
WHERE NOT has_function_privilege('public', oid, 'EXECUTE');
SELECT ok(NOT has_schema_privilege('public', 'uidext_internal', 'CREATE'),
	'nobody else creates where functions find each other by short names');
-- min and max are for servers before 20
SELECT is(array_agg(f.signature), NULL, 'no function hides behind one of core') FROM functions AS f
JOIN pg_proc AS p ON p.pronamespace = 'pg_catalog'::regnamespace AND p.proname = f.proname AND p.proargtypes = f.proargtypes
WHERE f.signature NOT IN ('min(uuid)', 'max(uuid)');
SELECT is(array_agg(p.oid::regprocedure), NULL, 'no function of core has a comment of ours') FROM pg_proc AS p
JOIN pg_description AS d ON d.classoid = 'pg_proc'::regclass AND d.objoid = p.oid
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND d.description IN (SELECT comment FROM members);
SELECT is(array_agg(signature), NULL, 'no function asks for the name of a scheme, whose columns say what it is') FROM functions
WHERE prokind <> 'a' AND lanname <> 'c' AND pg_get_functiondef(oid) ~* $$\mscheme\s*(=|<>|in)\s*(any\s*)?[(]*(array\[)?'[a-z]$$;
SELECT is(array_agg(signature), NULL, 'no SQL function has a SET clause, which would keep it from being inlined') FROM functions
WHERE lanname = 'sql' AND provolatile = 'i' AND proconfig IS NOT NULL;

\if :sql_edition
\else
SELECT is(array_agg(opcname), NULL, 'no operator class is a default, but those of types of our own')
FROM members
JOIN pg_opclass AS o ON classid = 'pg_opclass'::regclass AND o.oid = objid
WHERE opcdefault AND opcintype NOT IN ('ulid'::regtype, 'iuid'::regtype);
SELECT is(string_agg(format('%s to %s %s', castsource::regtype, casttarget::regtype, castcontext), ', '
	ORDER BY castsource::regtype::text, casttarget::regtype::text),
	'iuid to uuid i, ulid to uuid i, uuid to iuid a, uuid to ulid i', 'casts that happen by themselves') FROM members
JOIN pg_cast AS c ON classid = 'pg_cast'::regclass AND c.oid = objid WHERE castcontext <> 'e';
SELECT is(string_agg(t.oid::regtype::text, ', ' ORDER BY t.oid), 'uidext_internal.period, uidext_internal.periods',
	'domains are for operators alone') FROM members
JOIN pg_type AS t ON classid = 'pg_type'::regclass AND t.oid = objid
WHERE typtype = 'd';
\endif
SELECT is(array_agg(o.oid::regoperator), NULL, 'expressions find no operator of iuid but uuid''s')
FROM members JOIN pg_operator AS o ON classid = 'pg_operator'::regclass AND o.oid = objid
WHERE oprnamespace <> 'uidext_internal'::regnamespace AND 'iuid'::regtype IN (oprleft, oprright);
SELECT is(string_agg(oprname || ' ' || negator, ', ' ORDER BY oprname),
	'< >=, < >=, <= >, <= >, > <=, > <=, >= <, >= <', 'time operators know their negators')
FROM members JOIN pg_operator AS o ON classid = 'pg_operator'::regclass AND o.oid = objid,
	LATERAL (SELECT n.oprname FROM pg_operator AS n WHERE n.oid = o.oprnegate AND n.oprright = o.oprright) AS n(negator)
WHERE oprright = 'timestamptz'::regtype;
SELECT isnt(obj_description(oid, 'pg_extension'), NULL, 'the extension has a comment') FROM pg_extension WHERE extname = 'uidext';
SELECT ok(NOT extrelocatable, 'the extension stays in its schema, which functions name')
FROM pg_extension
WHERE extname = 'uidext';

SELECT * FROM finish();
ROLLBACK;
