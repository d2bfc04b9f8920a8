# Objects that somebody else planted, in the schema that the extension goes into
# and in the temporary one, have no part in what the extension does.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# which has no casts and no operator classes
my $sql_edition = ($ENV{EDITION} // 'c') ne 'c';

my $node = PostgreSQL::Test::Cluster->new('hostile');
$node->init;
$node->start;

# Every role may create in public, as before 15.
$node->safe_psql(
	'postgres', q{
	CREATE ROLE mallory;
	CREATE ROLE installer;
	CREATE ROLE reader;
	CREATE DATABASE hostile OWNER installer;
	CREATE DATABASE names OWNER installer;
});
$node->safe_psql($_, 'GRANT CREATE ON SCHEMA public TO PUBLIC') foreach qw(hostile names);

# Operators and functions that fit better than those of core: for each of core's
# that takes one of these types, all combinations of them for which core has
# none.  The parser prefers an exact match to one that needs a cast, whatever
# the search_path says.  Of functions that take any type, those that the sources call.
my $root = dirname(__FILE__) . '/../../..';
my @sources = map { glob("$root/$_") } qw(sql/*.sql sql/*/*.sql src/*.[ch] src/*/*.[ch] src/*/*/*.[ch]);
my %called = map { $_ => 1 } map { slurp_file($_) =~ /\b[a-z]\w*(?=\s*\()|(?<== )[a-z]\w*/g } @sources;
is(join(' ', grep { !$called{$_} } qw(array_agg count format num_nulls unnest)), '', 'the calls of the sources are found');
my $called = join ',', sort keys %called;
my $plant = q{
	SET ROLE mallory;
	SET search_path = pg_catalog;
	SET client_min_messages = warning;
	CREATE TABLE public.touched (what text);
	GRANT ALL ON public.touched TO PUBLIC;
	-- what returns sets could not return NULL
	SET check_function_bodies = off;

	-- A type that core takes any type for, where an element is of a given one; NULL if it cannot be.
	CREATE FUNCTION pg_temp.fits(wanted oid, given oid) RETURNS text LANGUAGE sql STABLE AS $$
		SELECT CASE
			WHEN wanted IN ('"any"'::regtype, 'anyelement'::regtype, 'anycompatible'::regtype) THEN t.oid
			WHEN wanted IN ('anynonarray'::regtype, 'anycompatiblenonarray'::regtype) THEN CASE WHEN typcategory <> 'A' THEN t.oid END
			WHEN wanted IN ('anyarray'::regtype, 'anycompatiblearray'::regtype) THEN CASE typcategory
				WHEN 'A' THEN t.oid
				ELSE nullif(typarray, 0)
				END
			WHEN wanted IN ('anyrange'::regtype, 'anycompatiblerange'::regtype) THEN rngtypid
			WHEN wanted IN ('anymultirange'::regtype, 'anycompatiblemultirange'::regtype) THEN rngmultitypid
			WHEN EXISTS (SELECT FROM pg_type w WHERE w.oid = wanted AND typtype <> 'p') THEN wanted END::regtype::text
		FROM pg_type t LEFT JOIN pg_range ON rngsubtype = t.oid AND rngtypid IN ('tstzrange'::regtype, 'int8range'::regtype)
		WHERE t.oid = given
	$$;

	-- What tells that it was called.
	CREATE FUNCTION pg_temp.trap(name text, arguments text, returned text, told text DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
		SELECT format('CREATE OR REPLACE FUNCTION public.%I(%s) RETURNS %s LANGUAGE plpgsql AS '
			'$f$BEGIN INSERT INTO public.touched VALUES (%L); RETURN NULL; END$f$', name, arguments, returned, coalesce(told, name))
	$$;

	-- The statements are put together first, because each CREATE makes the server plan all queries anew.
	DO $do$
	DECLARE
		types text[] := '{uuid,timestamptz,timestamp,interval,oid,regclass,int4,int8,text,name,bool,"\"char\"",
			regtype,regnamespace,pg_node_tree,tstzrange,bytea,bit,varbit,float8,numeric,int2}';
		bits text[] := '{uuid,text,bytea,bit,varbit,int8,int4,int2,float8,numeric}';
		result text;
		returned text;
		a text;
		b text;
		f text;
		kind "char";
		planted text[] := '{}';
		called CONSTANT name[] := '{CALLED}';
	BEGIN
		CREATE TEMPORARY TABLE given AS
			SELECT type::regtype::oid AS type FROM unnest(types || '{jsonb,int2vector,oidvector}') AS type
			UNION SELECT typarray FROM unnest(types || '{jsonb}') AS type JOIN pg_type t ON t.oid = type::regtype WHERE typarray <> 0;
		FOREACH result IN ARRAY '{bool,text,timestamp,timestamptz,interval,int4,int8}'::text[] LOOP
			FOREACH a IN ARRAY types LOOP
				FOREACH b IN ARRAY types LOOP
					planted := planted || pg_temp.trap('evil_' || result, concat_ws(', ', a, b), result, concat_ws(' ', result, a, b));
				END LOOP;
			END LOOP;
		END LOOP;

		FOREACH f IN ARRAY '{=,<>,<,<=,>,>=,+,-,*,||,~<~,<@,@>,/,%,&,|,<<,>>,~}'::text[] LOOP
			returned := CASE
				WHEN f = '||' THEN 'text'
				WHEN f IN ('+', '-') THEN 'timestamp'
				WHEN f = '*' THEN 'interval'
				WHEN f IN ('/', '%', '&', '|') THEN 'int8'
				ELSE 'bool'
				END;
			FOREACH a IN ARRAY types LOOP
				FOREACH b IN ARRAY types LOOP
					CONTINUE WHEN EXISTS (SELECT FROM pg_operator WHERE oprname = f
						AND oprleft = a::regtype AND oprright = b::regtype AND oprnamespace = 'pg_catalog'::regnamespace);
					-- these the extension makes itself, and would refuse to replace
					CONTINUE WHEN f IN ('<', '<=', '>', '>=') AND (a, b) IN (('uuid', 'timestamptz'), ('timestamptz', 'uuid'))
						OR f = '~<~' AND (a, b) = ('uuid', 'uuid')
						-- these are asked for below, and fit better than the extension's of domains
						OR (f, a, b) IN (('<@', 'uuid', 'tstzrange'), ('@>', 'tstzrange', 'uuid'));
					planted := planted
						|| format('
								CREATE OPERATOR public.%s (
									LEFTARG = %s, RIGHTARG = %s, FUNCTION = public.evil_%s)', f, a, b,
							returned);
				END LOOP;
			END LOOP;
		END LOOP;

		FOREACH f IN ARRAY '{date_trunc,to_char,timezone,format,lower,count,coalesce,quote_ident,pg_get_expr,
			isfinite,concat_ws,date_part,octet_length,current_setting,num_nulls,num_nonnulls,uuid_hash,
			btequalimage,uuid_boundary,uuid_time,uuidv7_is_valid,iuid_is_valid,iuid_country,iuid_route,
			uuid_range_lower,uuid_boundary_after,partition_name,partition_key,uuid_boundary_time,uuidv6_boundary_time,
			partition_sizes,range_bounds,lock_table,edge_id,regexp_match,date_bin,pg_total_relation_size,pg_relation_size,
			pg_stat_get_live_tuples,pg_partition_tree}'::text[] LOOP
			FOREACH a IN ARRAY types LOOP
				IF to_regprocedure(format('pg_catalog.%I(%s)', f, a)) IS NULL
					AND (f, a) NOT IN (('uuid_boundary', 'timestamptz'), ('uuid_time', 'uuid'),
						('uuid_time', 'text'), ('uuidv7_is_valid', 'uuid'), ('iuid_is_valid', 'uuid'),
						('iuid_country', 'uuid'), ('iuid_route', 'uuid'), ('uuid_range_lower', 'tstzrange'), ('uuid_boundary_after', 'timestamptz'),
						('uuid_boundary_time', 'uuid'), ('uuidv6_boundary_time', 'uuid'))
				THEN
					planted := planted || pg_temp.trap(f, a, 'bool');
				END IF;
				FOREACH b IN ARRAY types LOOP
					CONTINUE WHEN to_regprocedure(format('pg_catalog.%I(%s, %s)', f, a, b)) IS NOT NULL
						OR (f, a, b) IN (('partition_name', 'regclass', 'text'), ('lock_table', 'regclass', 'text'));
					planted := planted || pg_temp.trap(f, concat_ws(', ', a, b), 'text');
				END LOOP;
			END LOOP;
		END LOOP;

		EXECUTE array_to_string(planted, ';');
		planted := '{}';

		-- core's that take any type, for each of these and its array; of what is variadic, up to four
		FOR f, kind, a, returned IN
			WITH takes_any AS MATERIALIZED (
				SELECT * FROM pg_proc
				WHERE pronamespace = 'pg_catalog'::regnamespace
					AND proname = ANY (called)
					AND oid NOT IN (SELECT aggfnoid FROM pg_aggregate WHERE aggkind <> 'n')
					AND EXISTS (SELECT FROM unnest(proargtypes) AS t JOIN pg_type ON pg_type.oid = t AND typtype = 'p')
			)
			SELECT DISTINCT ON (f, a) * FROM (
				SELECT p.proname,
					p.prokind,
					string_agg(takes.type, ', ' ORDER BY n),
					CASE WHEN p.proretset THEN 'SETOF ' ELSE '' END || gives.type
				FROM pg_temp.given g, takes_any p, generate_series(1, CASE p.provariadic WHEN '"any"'::regtype THEN 4 ELSE 1 END) AS extent,
					LATERAL (
						SELECT arg, n
						FROM unnest(
							p.proargtypes[:p.pronargs - 2]
								|| array_fill(p.proargtypes[p.pronargs - 1], ARRAY[extent]))
						WITH ORDINALITY AS args (arg, n)) AS args,
					LATERAL (SELECT pg_temp.fits(arg, g.type)) AS takes (type),
					LATERAL (SELECT pg_temp.fits(p.prorettype, g.type)) AS gives (type)
				GROUP BY p.oid, p.proname, p.prokind, p.proretset, g.type, gives.type, extent
				HAVING bool_and(takes.type IS NOT NULL) AND gives.type IS NOT NULL
			) AS fitting(f, kind, a, returned)
		LOOP
			CONTINUE WHEN to_regprocedure(format('public.%I(%s)', f, a)) IS NOT NULL;
			IF kind = 'f' THEN
				planted := planted || pg_temp.trap(f, a, returned);
			ELSE
				planted := planted || pg_temp.trap('evil_state', concat_ws(', ', returned, a), returned, f);
				planted := planted || format('CREATE AGGREGATE public.%I(%s) (SFUNC = public.evil_state, STYPE = %s)', f, a, returned);
			END IF;
		END LOOP;
		FOR f, a, b, returned IN
			SELECT DISTINCT ON (oprname, l, r) oprname, l, r, o
			FROM pg_temp.given g, pg_operator, pg_temp.fits(oprleft, g.type) AS l,
				pg_temp.fits(oprright, g.type) AS r, pg_temp.fits(oprresult, g.type) AS o
			WHERE oprnamespace = 'pg_catalog'::regnamespace
				AND oprkind = 'b'
				AND (l, r) IS DISTINCT FROM (oprleft::regtype::text, oprright::regtype::text)
				AND num_nulls(l, r, o) = 0
		LOOP
			CONTINUE WHEN to_regoperator(format('public.%s(%s, %s)', f, a, b)) IS NOT NULL
				OR f IN ('<', '<=', '>', '>=') AND (a, b) = ('uuid', 'uuid');
			planted := planted || pg_temp.trap('evil_' || returned::regtype::oid, concat_ws(', ', a, b), returned, concat_ws(' ', f, a, b));
			planted := planted
				|| format('CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = public.evil_%s)',
					f, a, b, returned::regtype::oid);
		END LOOP;

		-- what takes ids apart and puts them together, with up to four arguments
		FOREACH f IN ARRAY '{substr,substring,overlay,encode,decode,lpad,to_hex,left,right,get_byte,set_byte,
			get_bit,set_bit,strpos,position,translate,repeat,
			replace,length,chr,ascii,upper,abs,div,mod,uuid_send,int8send,bit_send,timestamptz_send}'::text[] LOOP
			FOREACH a IN ARRAY bits LOOP
				CONTINUE WHEN to_regprocedure(format('pg_catalog.%I(%s)', f, a)) IS NOT NULL;
				planted := planted || pg_temp.trap(f, a, 'text');
			END LOOP;
			FOR a IN
				SELECT concat_ws(', ', x, y) FROM unnest(bits) AS x, unnest(bits) AS y
				UNION ALL SELECT concat_ws(', ', x, y, z) FROM unnest(bits) AS x,
					unnest('{int2,int4,int8,text}'::text[]) AS y,
					unnest('{int2,int4,int8,text}'::text[]) AS z
				UNION ALL SELECT concat_ws(', ', x, x, y, z) FROM unnest(bits) AS x,
					unnest('{int2,int4,int8}'::text[]) AS y,
					unnest('{int2,int4,int8}'::text[]) AS z
			LOOP
				CONTINUE WHEN to_regprocedure(format('pg_catalog.%I(%s)', f, a)) IS NOT NULL;
				planted := planted || pg_temp.trap(f, a, 'text');
			END LOOP;
		END LOOP;
		EXECUTE array_to_string(planted, ';');
	END $do$;
	-- by which a default partition's rows would be chosen
	CREATE OPERATOR public.< (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = public.evil_bool);
	CREATE OPERATOR public.>= (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = public.evil_bool);
	CREATE FUNCTION public.partition_make_table(regnamespace, text, regclass, text) RETURNS regclass
		LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.touched VALUES ('partition_make_table'); RETURN NULL; END$$;
	CREATE FUNCTION public.format(text, name, name, jsonb) RETURNS text
		LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.touched VALUES ('format'); RETURN NULL; END$$;

	-- relations and types hide behind those of core, and come before ours in pg_temp
	CREATE TABLE public.pg_class (LIKE pg_catalog.pg_class);
	CREATE TABLE public.pg_inherits (LIKE pg_catalog.pg_inherits);
	CREATE TABLE public.pg_partitioned_table (oid int);
	CREATE DOMAIN public.uuid AS int4 CHECK (false);
	CREATE DOMAIN public.timestamptz AS int4 CHECK (false);
	CREATE DOMAIN public.tstzrange AS int4 CHECK (false);
};
$node->safe_psql('hostile', $plant =~ s/CALLED/$called/r);
cmp_ok($node->safe_psql('hostile', q{SELECT count(*) FROM pg_operator WHERE oprowner = 'mallory'::regrole}),
	'>', 2000, 'operators are planted');

# In the temporary schema, where types and tables are looked for first.
my $hide = q{
	CREATE DOMAIN pg_temp.uuid AS pg_catalog.int4 CHECK (false);
	CREATE DOMAIN pg_temp.bool AS pg_catalog.int4 CHECK (false);
	CREATE DOMAIN pg_temp.timestamptz AS pg_catalog.int4 CHECK (false);
	CREATE TEMP TABLE pg_class (oid pg_catalog.oid);
	CREATE TEMP TABLE pg_inherits (inhrelid pg_catalog.oid, inhparent pg_catalog.oid);
	CREATE TEMP TABLE pg_partitioned_table (partrelid pg_catalog.oid);
};

$node->safe_psql('hostile', "SET ROLE installer; $hide CREATE EXTENSION uidext SCHEMA public");

# What the extension was bound to, as the catalog has it.
my $foreign = q{
	SET search_path = pg_catalog;
	WITH members AS (
		SELECT classid, objid FROM pg_depend
		WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uidext')
	), bound AS (
		SELECT * FROM members
		UNION ALL
		-- a view is bound by its rule
		SELECT 'pg_rewrite'::regclass, r.oid
		FROM pg_rewrite r
		JOIN members m ON m.classid = 'pg_class'::regclass AND m.objid = r.ev_class
	)
	SELECT pg_describe_object(d.classid, d.objid, 0) || ' uses ' || pg_describe_object(d.refclassid, d.refobjid, 0)
	FROM pg_depend d JOIN bound USING (classid, objid)
	WHERE CASE d.refclassid
			WHEN 'pg_proc'::regclass THEN (SELECT proowner = 'mallory'::regrole FROM pg_proc WHERE oid = d.refobjid)
			WHEN 'pg_operator'::regclass THEN (SELECT oprowner = 'mallory'::regrole FROM pg_operator WHERE oid = d.refobjid)
			WHEN 'pg_type'::regclass THEN (SELECT typowner = 'mallory'::regrole FROM pg_type WHERE oid = d.refobjid)
			WHEN 'pg_class'::regclass THEN (SELECT relowner = 'mallory'::regrole FROM pg_class WHERE oid = d.refobjid)
		END
};
is($node->safe_psql('hostile', $foreign), '', 'nothing of the extension uses what was planted');

# Calls, by a role that may do nothing else, under search_paths of all kinds.
$node->safe_psql(
	'hostile', q{
	SET ROLE installer;
	INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil');
	INSERT INTO iuid.service_entities VALUES (1, 'Ride', 'one ride');
	INSERT INTO iuid.routes VALUES (76, DEFAULT, 'node of Brazil');
});
my $time = $sql_edition
	? q{public.uuid_time(public.iuid_boundary('2026-01-01'))}
	: q{public.iuid_boundary('2026-01-01')::pg_catalog.timestamptz};
my $calls = qq{
	SELECT pg_catalog.concat_ws(' ',
		public.uuid_boundary(pg_catalog.timestamptz '2026-01-01 00:00+00'),
		public.uuid_time(public.gen_uuidv7_at(pg_catalog.timestamptz '2026-01-01 00:00+00')),
		public.iuid_country(public.gen_iuid('BR', 'Ride')), public.iuid_service_entity(public.gen_iuid('Brazil', 'Ride')),
		(public.iuid_describe(public.gen_iuid(76, 1))).node,
		(public.iuid_describe(public.gen_iuid(76, 1))).service_entity_description,
		public.gen_uuidv7() OPERATOR(public.<) pg_catalog.timestamptz '2020-01-01 00:00+00',
		public.gen_uuidv7() OPERATOR(public.<@) pg_catalog.tstzrange('2020-01-01 00:00+00', NULL),
		uidext_internal.partition_suffix(pg_catalog.timestamptz '2026-01-01 00:00+00', interval '1 month', 'UTC'),
		(
			SELECT pg_catalog.count(*)
			FROM public.uuid_partition_bounds(pg_catalog.timestamptz '2026-01-01 00:00+00',
				pg_catalog.timestamptz '2026-04-01 00:00+00', interval '1 month')),
		public.gen_iuid(76, 1)::pg_catalog.uuid::public.iuid IS NOT NULL, $time IS NOT NULL,
		public.ulid_to_uuid(public.uuid_to_ulid('019b76da-a800-7000-8000-000000000000')),
		pg_catalog.length(public.gen_ulid()::pg_catalog.text))
};
my $answer = '2026-01-01 00:00:00+00 76 1 node of Brazil one ride f t 2026_01 3 t t 019b76da-a800-7000-8000-000000000000 26';
foreach my $path ("''", 'public', 'public, pg_catalog', 'pg_temp, public, pg_catalog')
{
	is( $node->safe_psql('hostile', "SET TimeZone = 'UTC'; SET ROLE reader; $hide SET search_path = $path; $calls"),
		"019b76da-a800-0000-0000-000000000000 $answer",
		"search_path = $path");
}

# Defaults, checks, indexes and partitions.
my ($key, $create, $partitions, $leaf) = $sql_edition
  ? ('RANGE (id)', q{uuid_partition_create('public.rides',}, 'rides_2026', 'rides_2026')
: ('HASH (id public.iuid_country_ops)', q{iuid_partition_create('public.rides', '{76}', NULL,},
	'rides_br rides_br_2026', 'rides_br_2026');
is( $node->safe_psql(
		'hostile', qq{
		SET ROLE installer;
		CREATE TABLE public.orders (
			id pg_catalog.uuid PRIMARY KEY DEFAULT public.gen_uuidv7(),
			CHECK (id OPERATOR(public.>) pg_catalog.timestamptz '2020-01-01 00:00+00')
		) PARTITION BY RANGE (id);
		CREATE TABLE public.rides (id public.iuid PRIMARY KEY DEFAULT public.gen_iuid(76, 1)) PARTITION BY $key;
		$hide
		SET search_path = pg_temp, public, pg_catalog;
		SELECT pg_catalog.string_agg(p::pg_catalog.text, ' ')
		FROM public.uuid_partition_create(
			'public.orders', '2026-01-01 00:00+00', '2026-03-01 00:00+00', '1 month') p;
		SELECT pg_catalog.count(*)
		FROM public.uuid_partition_create(
			'public.orders', '2026-01-01 00:00+00', '2026-03-01 00:00+00', '1 month');
		SELECT pg_catalog.count(*) > 9,
			pg_catalog.count(*) OPERATOR(pg_catalog.=) pg_catalog.count(DISTINCT action)
		FROM public.uuid_partition_maintain('public.orders', '1 month', 12);
		SELECT pg_catalog.count(*) > 13,
			pg_catalog.count(*) FILTER (WHERE kind OPERATOR(pg_catalog.<>) 'partition')
		FROM public.uuid_partition_list('public.orders');
		SELECT d.partition FROM public.uuid_partition_drop('public.orders', '2026-02-01 00:00+00') d;
		SELECT pg_catalog.string_agg(p::pg_catalog.text, ' ')
		FROM public.$create '2026-01-01 00:00+00', '2101-01-01 00:00+00', '75 years') p;
		INSERT INTO public.orders VALUES (public.gen_uuidv7_at('2026-02-03 00:00+00'));
		INSERT INTO public.rides DEFAULT VALUES;
		CREATE TABLE public.orders_rest PARTITION OF public.orders DEFAULT;
		INSERT INTO public.orders VALUES (public.gen_uuidv7_at('2020-01-03 00:00+00'));
		CALL public.uuid_partition_drain('public.orders', '1 month');
		SELECT tableoid::pg_catalog.regclass FROM public.orders ORDER BY 1;
		SELECT tableoid::pg_catalog.regclass FROM public.rides;
	}),
	"orders_2026_01 orders_2026_02\n0\nt|f\nt|0\npublic.orders_2026_01\n$partitions\norders_2026_02\norders_2020_01\n$leaf",
	'partitions');

# Whose code stands in a table, wherever it can have some, runs as nobody but that
# owner, also when it renames, drops and makes things in the middle of a call.
$node->safe_psql(
	'postgres', q{
	CREATE DATABASE tables;
	CREATE ROLE victim;
	CREATE ROLE member IN ROLE mallory;
	CREATE ROLE monitor IN ROLE pg_monitor, pg_read_all_data;
	ALTER ROLE mallory LOGIN;
});
$node->safe_psql(
	'tables', q{
	CREATE EXTENSION uidext;
	GRANT CREATE ON DATABASE tables TO mallory;
	GRANT CREATE, TEMPORARY ON DATABASE tables TO mallory;
	GRANT CREATE ON SCHEMA public TO PUBLIC;
	SET ROLE mallory;
	CREATE TABLE ran (whose name);
	CREATE TABLE armed ();
	GRANT ALL ON ran, armed TO PUBLIC;
	CREATE FUNCTION mischief() RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		IF NOT EXISTS (SELECT FROM public.armed) THEN
			RETURN;
		END IF;
		INSERT INTO public.ran VALUES (current_user);
		BEGIN
			ALTER SCHEMA hers RENAME TO aside;
			ALTER SCHEMA others RENAME TO hers;
		EXCEPTION WHEN OTHERS THEN
		END;
		BEGIN
			ALTER TABLE aside.trapped_rest RENAME TO trapped_2025_01;
		EXCEPTION WHEN OTHERS THEN
		END;
		BEGIN
			DROP TABLE aside.trapped_2026_03;
			CREATE TABLE aside.trapped_2026_03 (id uuid);
		EXCEPTION WHEN OTHERS THEN
		END;
	END $$;
	-- immutable in name only, so that the planner runs it
	CREATE FUNCTION lie(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM public.mischief(); RETURN true; END';
	CREATE FUNCTION trap() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM public.mischief(); RETURN coalesce(NEW, OLD); END';
});

# A table with traps of one kind, as its owner makes it, in a schema where names
# soon lead to the victim's tables.
my %traps = (
	checks => 'ALTER TABLE hers.trapped ADD CHECK (public.lie(1)), ADD CHECK (public.lie(n))',
	defaults => 'ALTER TABLE hers.trapped ALTER n SET DEFAULT CASE WHEN public.lie(2) THEN 1 END',
	predicates => 'CREATE INDEX ON hers.trapped (id) WHERE public.lie(3)',
	expressions => 'CREATE INDEX ON hers.trapped ((n + CASE WHEN public.lie(n) THEN 1 END))',
	triggers => 'CREATE TRIGGER trap BEFORE INSERT OR DELETE ON hers.trapped FOR EACH ROW EXECUTE FUNCTION public.trap();
		CREATE TRIGGER trap_too BEFORE DELETE ON hers.trapped_rest FOR EACH STATEMENT EXECUTE FUNCTION public.trap()',
	policies => 'ALTER TABLE hers.trapped ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON hers.trapped USING (public.lie(n));
		ALTER TABLE hers.trapped_rest ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON hers.trapped_rest USING (public.lie(n))',
);
my %calls = (
	list => 'SELECT * FROM uuid_partition_list(%d::regclass)',
	check => 'SELECT * FROM uuid_partition_check(%d::regclass)',
	create => q{SELECT uuid_partition_create(%d::regclass, '2025-01-01Z', '2025-02-01Z', '1 month')},
	maintain => q{SELECT uuid_partition_maintain(%d::regclass, '1 month', keep => '2 months')},
	drop => q{SELECT uuid_partition_drop(%d::regclass, '2024-02-01Z')},
	drain => q{CALL uuid_partition_drain(%d::regclass, '1 month')},
	'drain of a large default' => q{CALL uuid_partition_drain(%d::regclass, '1 month', max_rows => 2)},
);
# every table and whose it is, but for those that belong to the owner of the traps
my $belongings = q{SELECT string_agg(concat_ws(' ', c.oid, c.relname, c.relowner::regrole, i.inhparent), chr(10) ORDER BY c.oid)
	FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
	WHERE c.relkind IN ('r', 'p', 'f') AND c.oid >= 16384 AND c.relowner <> 'mallory'::regrole};

# One psql makes all of these calls, because there are hundreds.
my $superuser = $node->safe_psql('tables', 'SELECT current_user');
my $psql = $node->background_psql('tables', on_error_stop => 0);
$psql->set_query_timer_restart(1);

sub ask { return $psql->query_safe($_[0]) }

# What a user is told.
sub said_to
{
	my ($user, $commands) = @_;

	$psql->query("SET SESSION AUTHORIZATION $user;\n$commands\nRESET SESSION AUTHORIZATION;");
	my $said = $psql->{stderr};
	$psql->{stderr} = '';
	return $said;
}

sub set_traps
{
	my ($kind) = @_;

	return ask(qq{
		RESET ROLE;
		SET client_min_messages = error;
		TRUNCATE armed, ran;
		DROP SCHEMA IF EXISTS hers, others, aside CASCADE;
		SET ROLE mallory;
		CREATE SCHEMA hers;
		CREATE SCHEMA others;
		GRANT ALL ON SCHEMA hers, others TO PUBLIC;
		CREATE TABLE hers.trapped (id uuid PRIMARY KEY, n int DEFAULT 1) PARTITION BY RANGE (id);
		CREATE TABLE hers.trapped_rest PARTITION OF hers.trapped DEFAULT;
		SELECT pg_catalog.format(
			'CREATE TABLE hers.trapped_2024_01 PARTITION OF hers.trapped FOR VALUES FROM (%L) TO (%L)',
			uuid_boundary('2024-01-01Z'), uuid_boundary('2024-02-01Z')) \\gexec
		INSERT INTO hers.trapped
		SELECT gen_uuidv7_at(timestamptz '2026-01-01Z' + n * interval '1 hour')
		FROM generate_series(1, 9) AS n;
		RESET ROLE;
		SET ROLE victim;
		SELECT pg_catalog.format('CREATE TABLE others.%I (id uuid PRIMARY KEY, n int)', relname)
		FROM unnest('{trapped,trapped_rest,trapped_2024_01,trapped_2025_01,trapped_2026_01}'::text[]) AS relname \\gexec
		RESET ROLE;
		SET ROLE mallory;
		$traps{$kind};
		INSERT INTO armed DEFAULT VALUES;
		RESET ROLE;
		SELECT 'hers.trapped'::regclass::oid;
	}) =~ s/.*\n//sr;
}

# a stranger's session, whose temporary table nobody else can do anything about
my $stranger = $node->background_psql('tables', on_error_stop => 0);
$stranger->query_safe(q{
	SET ROLE mallory;
	CREATE TEMP TABLE mine (id uuid) PARTITION BY RANGE (id);
	CREATE TEMP TABLE mine_rest PARTITION OF mine DEFAULT;
	INSERT INTO mine VALUES (gen_uuidv7()); CREATE INDEX ON mine_rest (id) WHERE public.lie(4)});

my %sprung;
foreach my $kind (sort keys %traps)
{
	my $oid = set_traps($kind);
	my $before = ask($belongings);

	foreach my $caller (qw(NONE monitor member))    # none: the superuser, whatever the name
	{
		my $said = said_to($superuser,
			join("\n", "SET ROLE $caller;", (map { sprintf "\\echo -- $_\n$calls{$_};", $oid } sort keys %calls),
				"SELECT uuid_partition_list(c.oid), uuid_partition_check(c.oid) FROM pg_class c WHERE relname = 'mine';"));
		is(() = $said =~ /must be owner of table (?:hers\.)?trapped\b/g, 5, "$kind: $caller changes nothing") or diag($said);
		is(() = $said =~ /ERROR/g, 5, 'and is told what there is') or diag($said);
	}
	is(ask('SELECT DISTINCT whose FROM ran'), '', "$kind: nothing ran");
	is(ask($belongings), $before, 'and nothing changed');

	# by himself he harms nobody else
	foreach my $call (sort keys %calls)
	{
		$oid = set_traps($kind);
		said_to('mallory', sprintf("$calls{$call};", $oid));
		is(ask($belongings) =~ s/^\d+/n/gmr, $before =~ s/^\d+/n/gmr, "$kind: $call of the owner leaves the others theirs");
		is(ask(q{SELECT DISTINCT whose FROM ran WHERE whose <> 'mallory'}), '', 'and runs as the owner');
		$sprung{$kind} += ask('SELECT count(*) FROM ran');
	}
}
# queries of the SQL edition are planned, and their planner evaluates predicates of indexes
is(join(' ', grep { $sprung{$_} } sort keys %traps), $sql_edition ? 'checks expressions predicates' : 'checks expressions',
	'whose traps were sprung: policies do not bind the owner, no default is asked, and no trigger fires');
$stranger->quit;
ask('SET client_min_messages = error; DROP SCHEMA IF EXISTS hers, others, aside CASCADE');
$psql->quit;

# Of rows nobody is told but their owner, and he what he sees.
$node->safe_psql(
	'tables', q{
	CREATE TABLE pay (salary int, tenant name) PARTITION BY LIST (tenant);
	CREATE TABLE salaries PARTITION OF pay FOR VALUES IN ('a');
	CREATE TABLE own_salaries PARTITION OF pay FOR VALUES IN ('b');
	CREATE TABLE hidden_salaries PARTITION OF pay FOR VALUES IN ('c');
	INSERT INTO pay SELECT 9000, unnest('{a,b,c}'::name[]);
	GRANT SELECT ON salaries TO reader;
	ALTER TABLE own_salaries OWNER TO reader;
	ALTER TABLE hidden_salaries OWNER TO reader;
	ALTER TABLE hidden_salaries FORCE ROW LEVEL SECURITY;
	ALTER TABLE hidden_salaries ENABLE ROW LEVEL SECURITY;
});
foreach ([ salaries => qr/^ERROR:  42501/m ], [ own_salaries => qr/^9000$/m ], [ hidden_salaries => qr/^ERROR:  42501/m ])
{
	my ($stdout, $stderr);

	$node->psql('tables',
		"\\set VERBOSITY verbose\nSET ROLE reader; SELECT uidext_internal.edge_id('$_->[0]', 'salary', NULL, NULL, true, NULL)",
		stdout => \$stdout, stderr => \$stderr);
	like("$stdout\n" . $stderr =~ s/^psql:\S+ //gmr, $_->[1], "$_->[0]: what a reader is told");
}

# Partitions that stand for those of another server are the owner's, too.
if (!$sql_edition)
{
	$node->safe_psql('postgres', 'CREATE DATABASE far');
	$node->safe_psql(
		'far', q{
		CREATE EXTENSION uidext;
		CREATE TABLE rides (id iuid NOT NULL) PARTITION BY HASH (id iuid_country_ops);
		SELECT iuid_partition_create('rides', '{76}', NULL, '2026-01-01 00:00Z', '2026-03-01 00:00Z', '1 month');
	});
	$node->safe_psql(
		'tables', qq{
		CREATE EXTENSION postgres_fdw;
		CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '${\$node->host}', port '${\$node->port}', dbname 'far');
		CREATE USER MAPPING FOR mallory SERVER far OPTIONS (password_required 'false');
		GRANT USAGE ON FOREIGN SERVER far TO mallory;
		SET ROLE mallory;
		CREATE TABLE rides (id iuid NOT NULL, n int, CHECK (lie(4)), CHECK (lie(n))) PARTITION BY HASH (id iuid_country_ops);
		CREATE INDEX ON rides ((n + CASE WHEN lie(n) THEN 1 END)) WHERE lie(5);
		RESET ROLE;
		TRUNCATE ran;
	});
	my $create = q{SELECT iuid_partition_create('rides', '{76}', 'far')};
	like(($node->psql('tables', $create))[2], qr/must be owner of table public\.rides/, 'nobody else makes them');
	is($node->safe_psql('tables', 'SELECT * FROM ran'), '', 'and nothing ran');
	$node->safe_psql('tables', $create, extra_params => [ '-U', 'mallory' ]);
	is( $node->safe_psql('tables', q{
		SELECT relowner::regrole, count(*)
		FROM pg_partition_tree('rides')
		JOIN pg_class ON oid = relid
		GROUP BY 1}),
		'mallory|4', 'all of them are his');
	is($node->safe_psql('tables', 'SELECT DISTINCT whose FROM ran'), 'mallory', 'who runs his own code');
}

# What has one of our names is in the way, and stays whose it was.
foreach my $object (
	'FUNCTION public.uuid_boundary(timestamptz) RETURNS uuid LANGUAGE sql AS $$SELECT NULL::uuid$$',
	'SCHEMA iuid CREATE TABLE countries (id int, code text, name text)',
	'TYPE public.uuid_info AS (a int)',
	'OPERATOR public.< (LEFTARG = uuid, RIGHTARG = timestamptz, COMMUTATOR = >, FUNCTION = public.planted)')
{
	$node->safe_psql(
		'names', qq{
		GRANT CREATE ON DATABASE names TO mallory;
		SET ROLE mallory;
		CREATE FUNCTION public.planted(uuid, timestamptz) RETURNS bool LANGUAGE sql AS 'SELECT true';
		CREATE $object});
	my ($status, undef, $stderr) = $node->psql('names', 'SET ROLE installer; CREATE EXTENSION uidext SCHEMA public');
	my ($name) = $object =~ /^(\w+ \S+?)[ (]/;
	isnt($status, 0, "no installation over $name");
	like($stderr, qr/already exists|is not a member of extension/, 'says why');
	$node->safe_psql('names', 'DROP OWNED BY mallory CASCADE; GRANT CREATE ON SCHEMA public TO PUBLIC');
}

# Once the names are free, it installs.
is( $node->safe_psql('names', q(
	SET ROLE installer;
	CREATE EXTENSION uidext SCHEMA public;
	SELECT public.uuidv7_is_valid(public.gen_uuidv7()))),
	't', 'installation after that');

# Where the extension was, whoever may make a schema can make one of its name, and
# a session that has the library takes nothing there for the registry: a column
# that is no text would be read as one.
if (!$sql_edition)
{
	is( $node->safe_psql(
			'names', q{
			SET ROLE installer;
			DROP EXTENSION uidext;
			CREATE SCHEMA iuid;
			CREATE TABLE iuid.countries (id int, code bigint, name bigint);
			CREATE TABLE iuid.service_entities (id int, name bigint);
			INSERT INTO iuid.countries VALUES (76, 76, 76);
			RESET ROLE;
			LOAD 'uidext';
			SET ROLE installer;
			SET uidext.country = 'BR';
			SHOW uidext.country;
		}),
		'BR', 'no registry but the extension\'s');
}

$node->stop;
done_testing();
