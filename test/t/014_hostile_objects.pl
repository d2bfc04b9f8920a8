# Objects that somebody else planted, in the schema that the extension goes into
# and in the temporary one, have no part in what the extension does.

use strict;
use warnings;

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
# the search_path says.
my $plant = q{
	SET ROLE mallory;
	SET search_path = pg_catalog;
	SET client_min_messages = warning;
	CREATE TABLE public.touched (what text);
	GRANT ALL ON public.touched TO PUBLIC;

	DO $do$
	DECLARE
		types text[] := '{uuid,timestamptz,timestamp,interval,oid,regclass,int4,int8,text,name,bool,"\"char\"",regtype,regnamespace,pg_node_tree,tstzrange,bytea,bit,varbit,float8,numeric,int2}';
		bits text[] := '{uuid,text,bytea,bit,varbit,int8,int4,int2,float8,numeric}';
		result text;
		returned text;
		a text;
		b text;
		f text;
	BEGIN
		FOREACH result IN ARRAY '{bool,text,timestamp,timestamptz,interval,int4,int8}'::text[] LOOP
			FOREACH a IN ARRAY types LOOP
				FOREACH b IN ARRAY types LOOP
					EXECUTE format('CREATE FUNCTION public.evil_%s(%s, %s) RETURNS %s LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.touched VALUES (%L); RETURN NULL; END$$',
						result, a, b, result, concat_ws(' ', result, a, b));
				END LOOP;
			END LOOP;
		END LOOP;

		FOREACH f IN ARRAY '{=,<>,<,<=,>,>=,+,-,*,||,~<~,<@,@>,/,%,&,|,<<,>>,~}'::text[] LOOP
			returned := CASE WHEN f = '||' THEN 'text' WHEN f IN ('+', '-') THEN 'timestamp' WHEN f = '*' THEN 'interval' WHEN f IN ('/', '%', '&', '|') THEN 'int8' ELSE 'bool' END;
			FOREACH a IN ARRAY types LOOP
				FOREACH b IN ARRAY types LOOP
					CONTINUE WHEN EXISTS (SELECT FROM pg_operator WHERE oprname = f
						AND oprleft = a::regtype AND oprright = b::regtype AND oprnamespace = 'pg_catalog'::regnamespace);
					-- these the extension makes itself, and would refuse to replace
					CONTINUE WHEN f IN ('<', '<=', '>', '>=') AND (a, b) IN (('uuid', 'timestamptz'), ('timestamptz', 'uuid'))
						OR f = '~<~' AND (a, b) = ('uuid', 'uuid')
						OR (f, a, b) IN (('<@', 'uuid', 'tstzrange'), ('@>', 'tstzrange', 'uuid'));
					EXECUTE format('CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = public.evil_%s)', f, a, b, returned);
				END LOOP;
			END LOOP;
		END LOOP;

		FOREACH f IN ARRAY '{date_trunc,to_char,timezone,format,lower,count,coalesce,quote_ident,pg_get_expr,isfinite,concat_ws,date_part,octet_length,
			current_setting,num_nulls,num_nonnulls,uuid_hash,btequalimage,uuid_boundary,uuid_time,uuidv7_is_valid,iuid_is_valid,iuid_country,iuid_route,
			uuid_range_lower,uuid_boundary_after,uuid_partition_name,uuid_partition_key,uuid_boundary_time,uuidv6_boundary_time,
			uuid_partition_size,uuid_partition_periods,regexp_match,date_bin,pg_total_relation_size,pg_relation_size,
			pg_stat_get_live_tuples,pg_partition_tree}'::text[] LOOP
			FOREACH a IN ARRAY types LOOP
				IF to_regprocedure(format('pg_catalog.%I(%s)', f, a)) IS NULL
					AND (f, a) NOT IN (('uuid_boundary', 'timestamptz'), ('uuid_time', 'uuid'), ('uuidv7_is_valid', 'uuid'), ('iuid_is_valid', 'uuid'),
						('iuid_country', 'uuid'), ('iuid_route', 'uuid'), ('uuid_range_lower', 'tstzrange'), ('uuid_boundary_after', 'timestamptz'),
						('uuid_boundary_time', 'uuid'), ('uuidv6_boundary_time', 'uuid'), ('uuid_partition_size', 'regclass'))
				THEN
					EXECUTE format('CREATE FUNCTION public.%I(%s) RETURNS bool LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.touched VALUES (%L); RETURN NULL; END$$', f, a, f);
				END IF;
				FOREACH b IN ARRAY types LOOP
					CONTINUE WHEN to_regprocedure(format('pg_catalog.%I(%s, %s)', f, a, b)) IS NOT NULL
						OR (f, a, b) IN (('uuid_partition_name', 'regclass', 'text'), ('uuid_partition_periods', 'regclass', 'text'));
					EXECUTE format('CREATE FUNCTION public.%I(%s, %s) RETURNS text LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.touched VALUES (%L); RETURN NULL; END$$', f, a, b, f);
				END LOOP;
			END LOOP;
		END LOOP;

		-- what takes ids apart and puts them together, with up to four arguments
		FOREACH f IN ARRAY '{substr,substring,overlay,encode,decode,lpad,to_hex,left,right,get_byte,set_byte,get_bit,set_bit,strpos,position,translate,repeat,
			replace,length,chr,ascii,upper,abs,div,mod,uuid_send,int8send,bit_send,timestamptz_send}'::text[] LOOP
			FOREACH a IN ARRAY bits LOOP
				CONTINUE WHEN to_regprocedure(format('pg_catalog.%I(%s)', f, a)) IS NOT NULL;
				EXECUTE format('CREATE FUNCTION public.%I(%s) RETURNS text LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.touched VALUES (%L); RETURN NULL; END$$', f, a, f);
			END LOOP;
			FOR a IN
				SELECT concat_ws(', ', x, y) FROM unnest(bits) AS x, unnest(bits) AS y
				UNION ALL SELECT concat_ws(', ', x, y, z) FROM unnest(bits) AS x, unnest('{int2,int4,int8,text}'::text[]) AS y, unnest('{int2,int4,int8,text}'::text[]) AS z
				UNION ALL SELECT concat_ws(', ', x, x, y, z) FROM unnest(bits) AS x, unnest('{int2,int4,int8}'::text[]) AS y, unnest('{int2,int4,int8}'::text[]) AS z
			LOOP
				CONTINUE WHEN to_regprocedure(format('pg_catalog.%I(%s)', f, a)) IS NOT NULL;
				EXECUTE format('CREATE FUNCTION public.%I(%s) RETURNS text LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.touched VALUES (%L); RETURN NULL; END$$', f, a, f);
			END LOOP;
		END LOOP;
	END $do$;
	-- by which a default partition's rows would be chosen
	CREATE OPERATOR public.< (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = public.evil_bool);
	CREATE OPERATOR public.>= (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = public.evil_bool);
	CREATE FUNCTION public.uuid_partition_table(regclass, text, text) RETURNS regclass
		LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.touched VALUES ('uuid_partition_table'); RETURN NULL; END$$;
	CREATE FUNCTION public.format(text, name, name, jsonb) RETURNS text
		LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.touched VALUES ('format'); RETURN NULL; END$$;
	CREATE FUNCTION public.evil_bool(smallint[], smallint[]) RETURNS bool
		LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.touched VALUES ('smallint[]'); RETURN NULL; END$$;
	CREATE OPERATOR public.= (LEFTARG = smallint[], RIGHTARG = smallint[], FUNCTION = public.evil_bool);
	CREATE FUNCTION public.evil_bool(tstzmultirange, timestamptz) RETURNS bool
		LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.touched VALUES ('tstzmultirange @>'); RETURN NULL; END$$;
	CREATE FUNCTION public.range_merge(tstzmultirange) RETURNS tstzrange
		LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.touched VALUES ('range_merge'); RETURN NULL; END$$;
	CREATE OPERATOR public.@> (LEFTARG = tstzmultirange, RIGHTARG = timestamptz, FUNCTION = public.evil_bool);
	CREATE AGGREGATE public.lag(timestamptz) (SFUNC = pg_catalog.timestamptz_larger, STYPE = timestamptz);

	-- relations and types hide behind those of core, and come before ours in pg_temp
	CREATE TABLE public.pg_class (LIKE pg_catalog.pg_class);
	CREATE TABLE public.pg_inherits (LIKE pg_catalog.pg_inherits);
	CREATE TABLE public.pg_partitioned_table (oid int);
	CREATE DOMAIN public.uuid AS int4 CHECK (false);
	CREATE DOMAIN public.timestamptz AS int4 CHECK (false);
	CREATE DOMAIN public.tstzrange AS int4 CHECK (false);
};
$node->safe_psql('hostile', $plant);
cmp_ok($node->safe_psql('hostile', q{SELECT count(*) FROM pg_operator WHERE oprowner = 'mallory'::regrole}),
	'>', 2000, 'operators are planted');

# In the temporary schema, where types and tables are looked for first.
my $hide = q{
	CREATE DOMAIN pg_temp.uuid AS pg_catalog.int4 CHECK (false);
	CREATE DOMAIN pg_temp.bool AS pg_catalog.int4 CHECK (false);
	CREATE DOMAIN pg_temp.timestamptz AS pg_catalog.int4 CHECK (false);
	CREATE TEMP TABLE iuid_countries (id pg_catalog.int4, code pg_catalog.text, name pg_catalog.text);
	CREATE TEMP TABLE iuid_service_entities (id pg_catalog.int4, name pg_catalog.text, description pg_catalog.text);
	CREATE TEMP TABLE iuid_routes (country pg_catalog.int4, service_entity pg_catalog.int4, node pg_catalog.text, description pg_catalog.text);
	CREATE TEMP TABLE pg_class (oid pg_catalog.oid);
	CREATE TEMP TABLE pg_inherits (inhrelid pg_catalog.oid, inhparent pg_catalog.oid);
	CREATE TEMP TABLE pg_partitioned_table (partrelid pg_catalog.oid);
	INSERT INTO pg_temp.iuid_countries VALUES (1, 'BR', 'Brazil');
	INSERT INTO pg_temp.iuid_service_entities VALUES (2, 'Ride', 'planted');
	INSERT INTO pg_temp.iuid_routes VALUES (76, NULL, 'planted');
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
		SELECT 'pg_rewrite'::regclass, r.oid FROM pg_rewrite r JOIN members m ON m.classid = 'pg_class'::regclass AND m.objid = r.ev_class
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
	INSERT INTO public.iuid_countries VALUES (76, 'BR', 'Brazil');
	INSERT INTO public.iuid_service_entities VALUES (1, 'Ride', 'one ride');
	INSERT INTO public.iuid_routes VALUES (76, NULL, 'node of Brazil');
});
my $time = $sql_edition ? q{public.uuid_time(public.iuid_boundary('2026-01-01'))} : q{public.iuid_boundary('2026-01-01')::pg_catalog.timestamptz};
my $calls = qq{
	SELECT pg_catalog.concat_ws(' ',
		public.uuid_boundary(pg_catalog.timestamptz '2026-01-01 00:00+00'),
		public.uuid_time(public.gen_uuidv7_at(pg_catalog.timestamptz '2026-01-01 00:00+00')),
		public.iuid_country(public.gen_iuid('BR', 'Ride')), public.iuid_service_entity(public.gen_iuid('Brazil', 'Ride')),
		(public.iuid_describe(public.gen_iuid(76, 1))).node,
		(public.iuid_describe(public.gen_iuid(76, 1))).service_entity_description,
		public.gen_uuidv7() OPERATOR(public.<) pg_catalog.timestamptz '2020-01-01 00:00+00',
		public.gen_uuidv7() OPERATOR(public.<@) pg_catalog.tstzrange('2020-01-01 00:00+00', NULL),
		uidext_internal.uuid_partition_suffix(pg_catalog.timestamptz '2026-01-01 00:00+00', interval '1 month', 'UTC'),
		(SELECT pg_catalog.count(*) FROM public.uuid_partition_bounds(pg_catalog.timestamptz '2026-01-01 00:00+00', pg_catalog.timestamptz '2026-04-01 00:00+00', interval '1 month')),
		public.gen_iuid(76, 1)::pg_catalog.uuid::public.iuid IS NOT NULL, $time IS NOT NULL,
		public.ulid_to_uuid(public.uuid_to_ulid('019b76da-a800-7000-8000-000000000000')), pg_catalog.length(public.gen_ulid()::pg_catalog.text))
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
  : ('HASH (id public.iuid_country_ops)', q{iuid_partition_create('public.rides', '{76}', NULL,}, 'rides_br rides_br_2026', 'rides_br_2026');
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
		SELECT pg_catalog.string_agg(p::pg_catalog.text, ' ') FROM public.uuid_partition_create('public.orders', '2026-01-01 00:00+00', '2026-03-01 00:00+00', '1 month') p;
		SELECT pg_catalog.count(*) FROM public.uuid_partition_create('public.orders', '2026-01-01 00:00+00', '2026-03-01 00:00+00', '1 month');
		SELECT pg_catalog.count(*) > 9, pg_catalog.count(*) OPERATOR(pg_catalog.=) pg_catalog.count(DISTINCT action) FROM public.uuid_partition_maintain('public.orders', '1 month', 12);
		SELECT pg_catalog.count(*) > 13, pg_catalog.count(note) FROM public.uuid_partition_list('public.orders');
		SELECT d.partition FROM public.uuid_partition_drop('public.orders', '2026-02-01 00:00+00') d;
		SELECT pg_catalog.string_agg(p::pg_catalog.text, ' ') FROM public.$create '2026-01-01 00:00+00', '2101-01-01 00:00+00', '75 years') p;
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
is($node->safe_psql('hostile', 'SELECT DISTINCT what FROM public.touched'), '', 'nothing that was planted ran');

# A superuser looks after a table, and its owner's code, which stands wherever a
# table can have some, runs without his rights.
$node->safe_psql('postgres', 'CREATE DATABASE tables');
$node->safe_psql('tables', 'CREATE EXTENSION uidext; GRANT CREATE ON SCHEMA public TO PUBLIC');
$node->safe_psql(
	'tables', q{
	SET ROLE mallory;
	CREATE TABLE ran (whose name);
	GRANT ALL ON ran TO PUBLIC;
	CREATE FUNCTION note() RETURNS void LANGUAGE plpgsql AS 'BEGIN INSERT INTO public.ran VALUES (current_user); END';
	-- immutable in name only, so that the planner runs it
	CREATE FUNCTION lie(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM public.note(); RETURN true; END';
	CREATE FUNCTION trap() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM public.note(); RETURN coalesce(NEW, OLD); END';
	CREATE TABLE trapped (id uuid PRIMARY KEY, n int DEFAULT 1, CHECK (lie(1)), CHECK (lie(n))) PARTITION BY RANGE (id);
	CREATE TABLE trapped_rest PARTITION OF trapped DEFAULT;
	CREATE INDEX ON trapped (id) WHERE lie(2);
	CREATE INDEX ON trapped ((n + CASE WHEN lie(n) THEN 1 END));
	CREATE TRIGGER trap BEFORE INSERT OR DELETE ON trapped FOR EACH ROW EXECUTE FUNCTION trap();
	CREATE TABLE lines (id uuid REFERENCES trapped);
	CREATE INDEX ON lines (id) WHERE lie(3);
	INSERT INTO trapped SELECT gen_uuidv7_at(at) FROM generate_series(timestamptz '2026-01-01', '2026-03-01', '1 month') AS at;
	ALTER TABLE trapped ENABLE ROW LEVEL SECURITY;
	CREATE POLICY p ON trapped USING (lie(n));
	-- and one where its owner may not make tables
	CREATE TABLE kept (LIKE trapped INCLUDING ALL) PARTITION BY RANGE (id);
	RESET ROLE;
	CREATE SCHEMA shelf;
	GRANT USAGE ON SCHEMA shelf TO mallory;
	ALTER TABLE kept SET SCHEMA shelf;
	TRUNCATE ran;
});
$node->safe_psql(
	'tables', q{
	SELECT * FROM uuid_partition_list('trapped');
	SELECT * FROM uuid_partition_check('trapped');
	SELECT * FROM uuid_partition_create('trapped', '2025-01-01', '2025-02-01', '1 month');
	SELECT * FROM uuid_partition_maintain('trapped', '1 month', keep => '100 years');
	CALL uuid_partition_drain('trapped', '1 month');
	SELECT * FROM uuid_partition_drop('trapped', '2025-02-01', detach_only => true);
	SELECT * FROM uuid_partition_drop('trapped', '2026-02-01');
	SELECT * FROM uuid_partition_create('shelf.kept', '2025-01-01', '2025-02-01', '1 month');
});
# the SQL edition has no way to take them from it, as doc/managed.md says
is($node->safe_psql('tables', 'SELECT DISTINCT whose FROM ran ORDER BY whose'), $sql_edition ? "mallory\npostgres" : 'mallory',
	'the code of a table\'s owner has no more rights than he has');
is( $node->safe_psql('tables', q{SELECT tableowner, count(indexname) FROM pg_tables JOIN pg_indexes USING (schemaname, tablename) WHERE tablename = 'kept_2025_01' GROUP BY 1}),
	'mallory|3', 'where he may not make tables, his partitions have their indexes');

# A look into a partition shows nobody what he may not see by himself.
$node->safe_psql(
	'tables', q{
	CREATE TABLE salaries (salary int, tenant name);
	INSERT INTO salaries VALUES (9000, 'other');
	ALTER TABLE salaries ENABLE ROW LEVEL SECURITY;
	CREATE POLICY p ON salaries USING (tenant = current_user);
	CREATE VIEW my_salaries WITH (security_invoker) AS SELECT * FROM salaries;
	CREATE TABLE shelf.salaries AS TABLE salaries;
	GRANT SELECT ON salaries, my_salaries, shelf.salaries TO reader;
});
foreach my $relation (qw(salaries my_salaries shelf.salaries))
{
	my $oid = $node->safe_psql('tables', "SELECT '$relation'::regclass::oid");
	is( $node->safe_psql('tables', "SET ROLE reader; SELECT uidext_internal.uuid_partition_edge($oid, 'salary', NULL, NULL, true),
			uidext_internal.uuid_partition_has_rows($oid, 'salary')"),
		$sql_edition && $relation eq 'my_salaries' ? '|f' : '|', "no look into $relation");
}
if (!$sql_edition)
{
	# which would be asked with its owner's credentials
	$node->safe_psql(
		'tables', q{
		CREATE FOREIGN DATA WRAPPER nothing;
		CREATE SERVER nowhere FOREIGN DATA WRAPPER nothing;
		CREATE TABLE split (id uuid) PARTITION BY RANGE (id);
		CREATE FOREIGN TABLE abroad PARTITION OF split DEFAULT SERVER nowhere;
		GRANT SELECT ON split, abroad TO reader;
	});
	foreach my $relation (qw(split abroad))
	{
		is($node->safe_psql('tables', "SET ROLE reader; SELECT uidext_internal.uuid_partition_edge('$relation', 'id', NULL, NULL, true)"),
			'', "nor on another server: $relation");
	}

	# Partitions that stand for those of another server are its owner's, too.
	$node->safe_psql('postgres', 'CREATE DATABASE far');
	$node->safe_psql(
		'far', q{
		CREATE EXTENSION uidext;
		CREATE TABLE rides (id iuid NOT NULL) PARTITION BY HASH (id iuid_country_ops);
		SELECT iuid_partition_create('rides', '{76}', NULL, '2026-01-01', '2026-03-01', '1 month');
	});
	$node->safe_psql(
		'tables', qq{
		CREATE EXTENSION postgres_fdw;
		CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '${\$node->host}', port '${\$node->port}', dbname 'far');
		CREATE USER MAPPING FOR CURRENT_USER SERVER far;
		GRANT USAGE ON FOREIGN SERVER far TO mallory;
		SET ROLE mallory;
		CREATE TABLE rides (id iuid NOT NULL, n int, CHECK (lie(4)), CHECK (lie(n))) PARTITION BY HASH (id iuid_country_ops);
		CREATE INDEX ON rides ((n + CASE WHEN lie(n) THEN 1 END)) WHERE lie(5);
		RESET ROLE;
		TRUNCATE ran;
		SELECT iuid_partition_create('rides', '{76}', 'far');
		-- whose rows are searched when there are more
		ALTER TABLE rides_76 OWNER TO mallory;
		SET ROLE mallory;
		CREATE TABLE rides_rest PARTITION OF rides_76 DEFAULT;
	});
	$node->safe_psql('far', q{SELECT iuid_partition_create('rides', '{76}', NULL, '2026-03-01', '2026-04-01', '1 month')});
	$node->safe_psql('tables', q{SELECT iuid_partition_create('rides', '{76}', 'far')});
	is($node->safe_psql('tables', 'SELECT DISTINCT whose FROM ran ORDER BY whose'), 'mallory', 'their making runs nothing with more rights than the owner has');
	is( $node->safe_psql('tables', q{SELECT relowner::regrole, count(*) FROM pg_partition_tree('rides') JOIN pg_class ON oid = relid GROUP BY 1}),
		'mallory|6', 'and all of them are his');
}

# What has one of our names is in the way, and stays whose it was.
foreach my $object (
	'FUNCTION public.uuid_boundary(timestamptz) RETURNS uuid LANGUAGE sql AS $$SELECT NULL::uuid$$',
	'TABLE public.iuid_countries (id int, code text, name text)',
	'TYPE public.uuid_info AS (a int)',
	'OPERATOR public.< (LEFTARG = uuid, RIGHTARG = timestamptz, COMMUTATOR = >, FUNCTION = public.planted)')
{
	$node->safe_psql(
		'names', qq{
		SET ROLE mallory;
		CREATE FUNCTION public.planted(uuid, timestamptz) RETURNS bool LANGUAGE sql AS 'SELECT true';
		CREATE $object});
	my ($status, undef, $stderr) = $node->psql('names', 'SET ROLE installer; CREATE EXTENSION uidext SCHEMA public');
	my ($name) = $object =~ /^(\w+ public\.\S+?)[ (]/;
	isnt($status, 0, "no installation over $name");
	like($stderr, qr/already exists|is not a member of extension/, 'says why');
	$node->safe_psql('names', 'DROP OWNED BY mallory CASCADE; GRANT CREATE ON SCHEMA public TO PUBLIC');
}

# Once the names are free, it installs.
is( $node->safe_psql('names', 'SET ROLE installer; CREATE EXTENSION uidext SCHEMA public; SELECT public.uuidv7_is_valid(public.gen_uuidv7())'),
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
			CREATE SCHEMA uidext_internal;
			CREATE TYPE public.planted AS (a int);
			CREATE FUNCTION public.planted(text) RETURNS public.planted LANGUAGE sql AS 'SELECT NULL::public.planted';
			CREATE AGGREGATE uidext_internal.iuid_in(cstring) (SFUNC = pg_catalog.format, STYPE = text, FINALFUNC = public.planted);
			CREATE TABLE public.iuid_countries (id int, code bigint, name bigint);
			CREATE TABLE public.iuid_service_entities (id int, name bigint);
			INSERT INTO public.iuid_countries VALUES (76, 76, 76);
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
