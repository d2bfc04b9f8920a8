# The SQL edition, as psql installs and uninstalls it: by a role that owns
# nothing but its database, whatever is planted there, and all or nothing.  What
# one edition has and the other has not is in include/editions.txt.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};

my $root = dirname(__FILE__) . '/../../..';
my ($version) = slurp_file("$root/uidext.control") =~ /^default_version = '(.*)'/m;
my $install = "$root/dist/uidext-$version-portable.sql";
my $uninstall = "$root/dist/uidext-$version-portable-uninstall.sql";
system_or_bail 'make', '-s', '-C', $root, "PG_CONFIG=$ENV{PG_CONFIG}", 'portable';

my $node = OneSession->new('sql_edition');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE tenant LOGIN; CREATE ROLE reader LOGIN; CREATE ROLE mallory');

sub create_database
{
	my ($database) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $database OWNER tenant");
	$node->safe_psql($database, 'GRANT CREATE ON SCHEMA public TO PUBLIC');
}

# A script under psql as that role; the status of psql, and what it complains of.
sub run_script
{
	my ($database, $script, $role, @variables) = @_;
	my $stderr;
	my $status = IPC::Run::run(
		[
			'psql', '-XAtq', '-h', $node->host, '-p', $node->port, '-U', $role, '-d', $database,
			(map { ('-v', $_) } @variables), '-f', $script
		],
		'>', \my $stdout, '2>', \$stderr);
	return ($status, $stderr);
}

sub installs
{
	my ($database, $test, @variables) = @_;
	my ($ok, $stderr) = run_script($database, $install, 'tenant', @variables);
	ok($ok && $stderr eq '', $test) or diag($stderr);
}

sub uninstalls
{
	my ($database, $test, @variables) = @_;
	my ($ok, $stderr) = run_script($database, $uninstall, 'tenant', @variables);
	ok($ok, $test) or diag($stderr);
	return $stderr;
}

sub refuses
{
	my ($database, $script, $role, $message, $test, @variables) = @_;
	my $before = contents($database);
	my ($ok, $stderr) = run_script($database, $script, $role, @variables);
	ok(!$ok, "$test: refused");
	like($stderr, $message, "$test: why");
	is(contents($database), $before, "$test: nothing has changed");
}

# Everything in a database that is not core's.
sub contents
{
	my ($database) = @_;
	return $node->safe_psql(
		$database, q{
		SET search_path = pg_catalog;
		SELECT kind, count(*), md5(string_agg(oid::text, ' ' ORDER BY oid))
		FROM (
			SELECT 'function', oid FROM pg_proc UNION ALL SELECT 'type', oid FROM pg_type UNION ALL SELECT 'operator', oid FROM pg_operator
			UNION ALL SELECT 'relation', oid FROM pg_class UNION ALL SELECT 'schema', oid FROM pg_namespace WHERE nspname !~ '^pg_'
			UNION ALL SELECT 'comment of', objoid FROM pg_description UNION ALL SELECT 'constraint', oid FROM pg_constraint
			UNION ALL SELECT 'trigger', oid FROM pg_trigger UNION ALL SELECT 'cast', oid FROM pg_cast
		) object(kind, oid)
		WHERE oid >= 16384
		GROUP BY kind ORDER BY kind});
}

#
# What psqlrc of an interactive session may have set.
#

ok(slurp_file("$root/sql/portable/$_.psql") =~ /^\\set ON_ERROR_ROLLBACK off\n.*^\\encoding UTF8\n.*^BEGIN;\n/ms,
	"$_: stops a transaction at its first error, and reads names as what they are")
  foreach 'install', 'update', 'uninstall';

#
# Installed into a schema of any name, with settings of any kind, and used.
#

create_database('plain');
my $empty = contents('plain');
$node->safe_psql('plain', q(
	ALTER DATABASE plain SET standard_conforming_strings = off; ALTER DATABASE plain SET backslash_quote = off))
  if $node->pg_version->major < 19;
$node->safe_psql(
	'plain', q{
	ALTER DATABASE plain SET search_path = public, pg_catalog;
	ALTER DATABASE plain SET check_function_bodies = off;
	ALTER DATABASE plain SET default_transaction_isolation = 'serializable';
	ALTER DATABASE plain SET DateStyle = 'German';
	ALTER DATABASE plain SET IntervalStyle = 'sql_standard';
	ALTER DATABASE plain SET TimeZone = 'Asia/Kathmandu';
});
installs('plain', 'into a schema that is made', 'schema=My ids');
is( $node->safe_psql(
		'plain', q{
		SET ROLE reader;
		SET search_path = "My ids";
		SELECT uuidv7_is_valid(gen_uuidv7()), uuid_time(uuid_boundary('2026-01-01 00:00+00')) = '2026-01-01 00:00+00',
			gen_uuidv7() > timestamptz '2026-01-01 00:00+00'}),
	't|t|t', 'everyone may use it');
is( $node->safe_psql(
		'plain', q{
		SET ROLE tenant;
		SET search_path = "My ids", public;
		CREATE TABLE public.orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
		SELECT count(*) FROM uuid_partition_maintain('public.orders', '1 month');
		INSERT INTO public.orders DEFAULT VALUES;
		INSERT INTO iuid.countries VALUES (76, 'BR', 'Brazil');
		SELECT count(*) FROM public.orders WHERE id > now() - interval '1 hour'}),
	"4\n1", 'by the owner of the database, too');
is( $node->safe_psql(
		'plain', q{
		SET ROLE tenant;
		SET search_path = "My ids", public;
		CREATE TABLE public.rides (id iuid) PARTITION BY HASH (id);
		SELECT format(
			'CREATE TABLE public.rides_%s PARTITION OF public.rides FOR VALUES WITH (MODULUS 4, REMAINDER %s)',
			n, n)
		FROM generate_series(0, 3) AS n \gexec
		INSERT INTO public.rides SELECT gen_iuid(76, 1) FROM generate_series(1, 400);
		SELECT count(DISTINCT tableoid),
			obj_description('iuid_route(uuid)'::regprocedure) ~ 'spreads the rows of a country'
		FROM public.rides;
		DROP TABLE public.rides}),
	'4|t', 'PARTITION BY HASH of an iuid is core\'s hash, as iuid_route() and managed.md say');
refuses('plain', $install, 'tenant', qr/uidext is installed in this database already/, 'twice');
refuses('plain', $install, 'tenant', qr/uidext is installed in this database already/,
	'twice, into another schema', 'schema=ids');

my ($status, undef, $stderr) = $node->psql('plain', 'CREATE EXTENSION uidext SCHEMA public');
like($stderr, qr/schema "uidext_internal" already exists/, 'the extension, beside it');

my $in_use = qr/cannot drop function "My ids"\.gen_uuidv7\(\) because other objects depend on it/;
refuses('plain', $uninstall, 'tenant', qr/$in_use.*default value for column id of table public.orders /s,
	'uninstalled while a table uses it', 'schema=My ids');
refuses('plain', $uninstall, 'tenant', qr/because other objects depend on it/, 'uninstalled without CASCADE',
	'schema=My ids', 'cascade=off');
refuses('plain', $uninstall, 'tenant', qr/invalid input syntax for type boolean: "CASCADE"/,
	'uninstalled with a word that is no boolean',
	'schema=My ids', 'cascade=CASCADE');
refuses('plain', $uninstall, 'tenant', qr/uidext is not installed in schema "uidext"/,
	'uninstalled from a schema where it is not');
refuses('plain', $uninstall, 'reader', qr/must be owner of/, 'uninstalled by another role', 'schema=My ids');
$node->safe_psql('plain', 'ALTER SCHEMA "My ids" RENAME TO renamed');
refuses('plain', $uninstall, 'tenant',
	qr/schema "renamed" had another name when uidext was installed\nHINT:  Run: ALTER SCHEMA renamed RENAME TO "My ids"/,
	'uninstalled from a schema that was renamed', 'schema=renamed', $_)
  foreach 'cascade=off', 'cascade=on';
$node->safe_psql('plain', 'ALTER SCHEMA renamed RENAME TO "My ids"');
like(uninstalls('plain', 'uninstalled with CASCADE', 'schema=My ids', 'cascade=on'),
	qr/drop cascades to default value for column id of table public.orders\n/, 'says what goes, too');
is($node->safe_psql('plain', 'SELECT count(*) FROM orders'), 1, 'the rows are there');
$node->safe_psql('plain', 'DROP TABLE orders');
is(contents('plain'), $empty, 'nothing else is left');

#
# Into a schema that is there, among what others have planted, by who has taken
# from everybody what is granted by default.
#

$node->safe_psql(
	'plain', q{
	CREATE SCHEMA ids AUTHORIZATION tenant;
	GRANT USAGE ON SCHEMA ids TO PUBLIC;
	ALTER DEFAULT PRIVILEGES FOR ROLE tenant REVOKE ALL ON FUNCTIONS FROM PUBLIC;
	ALTER DEFAULT PRIVILEGES FOR ROLE tenant REVOKE ALL ON TYPES FROM PUBLIC;
	ALTER DEFAULT PRIVILEGES FOR ROLE tenant GRANT ALL ON TABLES TO reader;
	CREATE TABLE ids.mine (id int);
	SET ROLE mallory;
	CREATE FUNCTION public.evil(uuid, timestamptz) RETURNS bool LANGUAGE plpgsql AS 'BEGIN RAISE ''planted''; END';
	CREATE OPERATOR public.>= (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = public.evil);
	CREATE FUNCTION public.uuid_boundary(timestamptz) RETURNS uuid LANGUAGE plpgsql AS 'BEGIN RAISE ''planted''; END';
	CREATE FUNCTION public.format(text, text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE ''planted''; END';
	CREATE FUNCTION public.current_setting(text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE ''planted''; END';
	CREATE TABLE public.pg_namespace (nspname name);
	CREATE TABLE public.pg_extension (extname name);
	INSERT INTO public.pg_extension VALUES ('pg_tle'), ('uidext');
});
my $planted = contents('plain');
installs('plain', 'beside what is planted', 'schema=ids');
is( $node->safe_psql(
		'plain', q{
		SELECT ids.gen_uuidv7() OPERATOR(ids.>=) timestamptz '2026-01-01 00:00+00',
			(SELECT count(*) FROM ids.uuid_partition_bounds('2026-01-01 00:00+00', '2026-04-01 00:00+00', '1 month'))}),
	't|3', 'which has no part in it');
is( $node->safe_psql(
		'plain', q{
		SELECT p.oid::regprocedure FROM pg_proc p
		WHERE pronamespace IN ('ids'::regnamespace, 'uidext_internal'::regnamespace)
			AND NOT has_function_privilege('reader', p.oid, 'EXECUTE')}),
	'', 'and everyone may call it');
is($node->safe_psql('plain', q(
	SELECT has_table_privilege('reader', t, 'SELECT'),
		has_table_privilege('reader', t, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
		FROM CAST('uidext_internal.installed_objects' AS regclass) AS t)),
	't|f', 'but no one else says what uninstalling drops');
is( $node->safe_psql(
		'plain', q{
		SET ROLE reader;
		CREATE TEMP TABLE rides (id ids.iuid DEFAULT ids.gen_iuid(76, 1), ticket ids.ulid DEFAULT ids.gen_ulid());
		INSERT INTO rides DEFAULT VALUES;
		SELECT ids.iuid_country(id), info.version FROM rides, ids.uuid_inspect(id) AS info}),
	'76|8', 'and use its types');
my ($compared, undef, $said) = $node->psql('plain', q{SET search_path = ids; SELECT text 'x' < now()});
like($said, qr/value for domain ulid violates check constraint/, 'a text beside a time is taken for a ULID');
$node->safe_psql('plain',
	q(
		ALTER DEFAULT PRIVILEGES FOR ROLE tenant GRANT ALL ON FUNCTIONS TO PUBLIC;
		ALTER DEFAULT PRIVILEGES FOR ROLE tenant GRANT ALL ON TYPES TO PUBLIC;
		ALTER DEFAULT PRIVILEGES FOR ROLE tenant REVOKE ALL ON TABLES FROM reader));
uninstalls('plain', 'and uninstalled', 'schema=ids');
is(contents('plain'), $planted, 'the rest of the schema is left');

#
# From a dump, where OIDs say nothing any more; into a schema that it made, and into
# one that was there.
#

sub owned
{
	my ($database) = @_;
	return $node->safe_psql(
		$database, q{
		SELECT string_agg(object, ', ' ORDER BY object)
		FROM (
			SELECT nspname
			FROM pg_namespace
			WHERE oid >= 16384 AND nspname !~ '^pg_'
			UNION ALL SELECT oid::regprocedure::text FROM pg_proc WHERE oid >= 16384
			UNION ALL SELECT oid::regoperator::text FROM pg_operator WHERE oid >= 16384
			UNION ALL SELECT oid::regtype::text FROM pg_type WHERE oid >= 16384 AND typelem = 0
		) o(object)});
}

foreach my $schema ('My ids', 'ids')
{
	my $name = lc($schema =~ s, ,_,r);
	create_database("dumped_$name");
	$node->safe_psql("dumped_$name", '
		CREATE SCHEMA ids AUTHORIZATION tenant;
		GRANT USAGE ON SCHEMA ids TO PUBLIC;
		CREATE SCHEMA app AUTHORIZATION tenant;
		SET ROLE tenant; CREATE TABLE ids.mine (id int)');
	my $before = owned("dumped_$name");
	installs("dumped_$name", "into $schema, to be dumped", "schema=$schema");
	$node->safe_psql(
		"dumped_$name", qq{
		SET ROLE tenant;
		SET search_path = "$schema";
		CREATE TABLE app.rides (id iuid PRIMARY KEY DEFAULT gen_iuid(76, 1), ticket ulid DEFAULT gen_ulid());
		INSERT INTO app.rides DEFAULT VALUES;
		CREATE VIEW public.recent AS SELECT id FROM app.rides WHERE id > timestamptz '2026-01-01 00:00+00'});
	$node->safe_psql('postgres', "CREATE DATABASE restored_$name OWNER tenant");
	my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump.sql';
	$node->command_ok([ 'pg_dump', '-U', 'tenant', '-d', "dumped_$name", '-f', $dump ], "$schema: dumped");
	my ($ok, $stderr) = run_script("restored_$name", $dump, 'tenant', 'ON_ERROR_STOP=1');
	ok($ok, "$schema: restored") or diag($stderr);
	is($node->safe_psql("restored_$name", 'SELECT count(*) FROM recent'), 1, "$schema: the ids are found");
	refuses("restored_$name", $uninstall, 'tenant', qr/because other objects depend on it/,
		"$schema: uninstalled while tables use it", "schema=$schema");
	$node->safe_psql("restored_$name", 'DROP VIEW recent; DROP TABLE app.rides');
	uninstalls("restored_$name", "$schema: uninstalled", "schema=$schema");
	is(owned("restored_$name"), $before, "$schema: nothing is left");
}

#
# Where it cannot be installed.
#

$node->safe_psql('plain',
	q{
		CREATE SCHEMA taken AUTHORIZATION tenant;
		CREATE FUNCTION taken.uuid_boundary(timestamptz) RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid'});
refuses('plain', $install, 'tenant', qr/function "uuid_boundary" already exists with same argument types/,
	'over a function of the name', 'schema=taken');
refuses('plain', $install, 'reader', qr/permission denied for database plain/, 'by a role that may not');
$node->safe_psql('plain', 'CREATE SCHEMA uidext AUTHORIZATION mallory; GRANT ALL ON SCHEMA uidext TO PUBLIC');
my $belongs = qr/schema "uidext" belongs to role "mallory", who could replace functions of uidext/;
refuses('plain', $install, 'tenant',
	qr/$belongs\n.*HINT:  If you trust the role: ALTER SCHEMA "uidext" OWNER TO tenant/s,
	'into a schema that somebody else has made before');
$node->safe_psql('plain', 'DROP SCHEMA uidext');
$node->safe_psql('plain', 'CREATE SCHEMA iuid AUTHORIZATION tenant');
refuses('plain', $install, 'tenant', qr/schema "iuid" already exists.*HINT:  Rename the schema that is there/s,
	'beside a schema of the registry\'s name', $_)
  foreach 'schema=uidext', 'schema=iuid';
$node->safe_psql('plain', 'DROP SCHEMA iuid');
refuses('plain', $install, 'tenant', qr/schema "iuid" already exists/, 'into that schema itself', 'schema=iuid');
refuses('plain', $install, 'tenant', qr/the name of the schema must not contain any of/,
	'into a schema of a bad name', qq{schema=$_})
  foreach q{a"b}, q{a'b}, q{a$b}, q{a\\b};
create_database('extension');
$node->safe_psql('extension', 'CREATE EXTENSION uidext');
refuses('extension', $install, 'tenant', qr/extension uidext is installed in this database/, 'beside the extension');
refuses('extension', $uninstall, 'tenant', qr/uidext was not installed by psql/, 'uninstalling the extension', 'schema=public');

#
# The two editions.
#

create_database('portable');
installs('portable', 'into public', 'schema=public');

# What there is to know of an object that both editions have; privileges by who has
# them, as the owners are others.
my $facts = q{
	CREATE FUNCTION pg_temp.privileges(acl aclitem[], kind "char", owner oid) RETURNS text LANGUAGE sql AS $$
		SELECT string_agg(privilege, ', ' ORDER BY privilege)
		FROM (
			SELECT privilege_type || CASE grantee WHEN 0 THEN ' of public' WHEN owner THEN ' of owner' ELSE ' of others' END
			FROM aclexplode(coalesce(acl, acldefault(kind, owner)))
		) p(privilege) $$;
	SET search_path = pg_catalog, public;
	SELECT object || ': ' || fact, replace(value, E'\n', ' ')
	FROM (
		SELECT format('function %s', p.oid::regprocedure), pronamespace, f.* FROM pg_proc p, LATERAL (VALUES
			('arguments', pg_get_function_arguments(p.oid)), ('result', pg_get_function_result(p.oid)), ('kind', prokind::text),
			('volatility', provolatile::text), ('parallel mark', proparallel::text), ('security', prosecdef::text),
			('owner', (proowner = (SELECT nspowner FROM pg_namespace n WHERE n.oid = 'uidext_internal'::regnamespace))::text),
			('privileges', pg_temp.privileges(proacl, 'f', proowner)), ('comment', obj_description(p.oid, 'pg_proc'))) f
		UNION ALL
		SELECT format('operator %s', o.oid::regoperator), oprnamespace, f.* FROM pg_operator o, LATERAL (VALUES
			('function', oprcode::regprocedure::text),
				('commutator', oprcom::regoperator::text),
				('negator', oprnegate::regoperator::text),
			('estimators', format('%s, %s', oprrest, oprjoin)), ('hash, merge', format('%s, %s', oprcanhash, oprcanmerge)),
			('comment', obj_description(o.oid, 'pg_operator'))) f
		UNION ALL
		SELECT format('type %s', t.oid::regtype), typnamespace, f.* FROM pg_type t, LATERAL (VALUES
			('privileges', pg_temp.privileges(typacl, 'T', typowner)), ('comment', obj_description(t.oid, 'pg_type'))) f
		WHERE typelem = 0
		UNION ALL
		SELECT format('relation %s', c.oid::regclass), relnamespace, f.* FROM pg_class c, LATERAL (VALUES
			('kind', relkind::text),
				('privileges', pg_temp.privileges(relacl, 'r', relowner)),
				('definition', pg_get_viewdef(CASE relkind WHEN 'v' THEN c.oid END)),
			('columns',
				(
					SELECT string_agg(
						format('%s %s%s%s', attname, format_type(atttypid, atttypmod),
							CASE WHEN attnotnull THEN ' NOT NULL' END,
					' DEFAULT ' || pg_get_expr(adbin, adrelid)), ', ' ORDER BY attnum)
				FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE attrelid = c.oid AND attnum > 0)),
			('constraints',
				(
					SELECT string_agg(
						format('%s %s', conname, pg_get_constraintdef(oid)), ', ' ORDER BY conname)
					FROM pg_constraint
					WHERE conrelid = c.oid)),
			('comment', obj_description(c.oid, 'pg_class')),
			('comments of columns', (SELECT string_agg(format('%s: %s', attname, col_description(attrelid, attnum)), ', ' ORDER BY attnum)
				FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0))) f
		WHERE relkind IN ('r', 'v', 'c')
		UNION ALL
		SELECT format('schema %s', n.oid::regnamespace), n.oid, f.* FROM pg_namespace n, LATERAL (VALUES
			('privileges', pg_temp.privileges(nspacl, 'n', nspowner)), ('comment', obj_description(n.oid, 'pg_namespace'))) f
		WHERE n.nspname IN ('uidext_internal', 'iuid')
	) o(object, schema, fact, value)
	WHERE schema IN ('public'::regnamespace, 'uidext_internal'::regnamespace, 'iuid'::regnamespace)
	ORDER BY (object || fact) COLLATE "C"};
my $objects = q{
	SET search_path = pg_catalog, public;
	SELECT object FROM (
		SELECT format('%s %s', CASE prokind WHEN 'a' THEN 'aggregate' ELSE 'function' END, oid::regprocedure), pronamespace FROM pg_proc
		UNION ALL
		-- the C edition has some beside the server's own
		SELECT format('operator %s', oid::regoperator),
			CASE WHEN oid >= 16384 THEN 'public'::regnamespace ELSE oprnamespace END
		FROM pg_operator
		WHERE oprnamespace <> 'uidext_internal'::regnamespace
		UNION ALL
		SELECT format('%s %s', CASE typtype WHEN 'd' THEN 'domain' WHEN 'b' THEN 'base type' ELSE 'type' END,
				oid::regtype), typnamespace
		FROM pg_type
		WHERE typelem = 0
		UNION ALL
		SELECT format('operator class %s of %s', opcname, amname), opcnamespace FROM pg_opclass JOIN pg_am a ON a.oid = opcmethod
		UNION ALL
		SELECT format('cast from %s to %s', castsource::regtype, casttarget::regtype), 'public'::regnamespace
		FROM pg_cast
		WHERE oid >= 16384
	) o(object, schema)
	WHERE schema = 'public'::regnamespace
	ORDER BY object COLLATE "C"};

sub lines { return split /\n/, $node->safe_psql(@_) }

my %c = map { $_ => 1 } lines('extension', $objects);
my %portable = map { $_ => 1 } lines('portable', $objects);
my %c_facts = map { split /\|/, $_, 2 } lines('extension', $facts);
my %portable_facts = map { split /\|/, $_, 2 } lines('portable', $facts);
my @both = grep { exists $portable_facts{$_} } sort keys %c_facts;
cmp_ok(@both, '>', 1500, 'facts of what both have');
my $differences = join '', map { "$_\n" }
  '# Only in the C edition.', (grep { !$portable{$_} } sort keys %c),
  '# Only in the SQL edition.', (grep { !$c{$_} } sort keys %portable),
  '# In both, but not the same.', (grep { $c_facts{$_} ne $portable_facts{$_} } @both);
is($differences, slurp_file(dirname(__FILE__) . '/../include/editions.txt'), 'what differs between the editions');

# What is STRICT in C is often not in SQL, where it could not be inlined, and gives
# NULL all the same, whichever argument is NULL.
my %example = (
	uuid => q('018c22ac-d000-7037-a940-000000000000'), iuid => q('018c22ac-d000-8037-a940-000000000000'),
	ulid => q('01ARZ3NDEKTSV4RRFFQ69G5FAV'),
	'timestamp with time zone' => q('2026-01-01 00:00+00'), interval => q('1 minute'), tstzrange => q{'[2026-01-01 00:00+00,)'},
	tstzmultirange => q{'{[2026-01-01 00:00+00,)}'}, 'uidext_internal.period' => q{'[2026-01-01 00:00+00,)'},
	'uidext_internal.periods' => q{'{[2026-01-01 00:00+00,)}'}, text => q('a'), 'text scheme' => q('snowflake'),
	'text encoding' => q('base58'), 'text tz' => q('UTC'),
	bytea => q(decode(repeat('ab', 16), 'hex')), boolean => 'true', regclass => q('pg_class'), regnamespace => q('public'),
	regtype => q('uuid'), oid => 0, name => q('a'), '"char"' => q('a'),
	'integer[]' => q('{76}'), 'regclass[]' => q('{pg_class}'), 'smallint[]' => q('{1}'), 'text[]' => q('{a}'), 'boolean[]' => q('{f}'), 'real' => q('0.5'),
	'real[]' => q('{0.5}'), 'timestamp with time zone[]' => q('{2026-01-01 00:00+00}'),
	'oid[]' => q('{0}'), 'name[]' => q('{a}'), map { ($_ => 1) } qw(integer smallint bigint numeric));
$example{'integer version'} = 7;
# rows of NULLs, and empty arrays of them
foreach (lines('portable',
	q{SELECT format('uidext_internal.%I', typname), relnatts FROM pg_type JOIN pg_class c ON c.oid = typrelid
	WHERE typtype = 'c' AND typnamespace = 'uidext_internal'::regnamespace}))
{
	my ($type, $columns) = split /\|/;
	$example{$type} = "'(" . ',' x ($columns - 1) . ")'";
	$example{"${type}[]"} = q('{}');
}
my $signatures = q{
	SELECT format('%I.%I', nspname, proname), oidvectortypes(proargtypes), array_to_string(proargnames, ', ', '')
	FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
	WHERE pronargs > 0 AND prokind <> 'p' AND nspname IN ('public', 'uidext_internal')};
my %there = map { /^(.*)\|/ => 1 } lines('portable', $signatures);
my @calls;
foreach my $function (lines('extension', "$signatures AND proisstrict ORDER BY 1, 2"))
{
	my ($name, $types, $names) = split /\|/, $function, -1;
	my @types = split /, /, $types;
	my @names = split /, /, $names;
	next unless $there{"$name|$types"};
	foreach my $null (0 .. $#types)
	{
		push @calls, "$name(" . join(', ', map {
			($_ == $null ? 'NULL'
				: $example{"$types[$_] " . ($names[$_] // '')}
					// $example{ $types[$_] }
					// die "no example of $types[$_] for $name") . "::$types[$_]"
		} 0 .. $#types) . ')';
	}
}
cmp_ok(@calls, '>', 150, 'functions that are STRICT in C');
is( $node->safe_psql(
		'portable', q{
		CREATE FUNCTION pg_temp.answer(call text) RETURNS text LANGUAGE plpgsql AS $$
		DECLARE
			answer text;
		BEGIN
			EXECUTE 'SELECT (' || call || ')::text' INTO answer;
			RETURN answer;
		EXCEPTION WHEN OTHERS THEN
			RETURN SQLERRM;
		END $$;
		SELECT call, pg_temp.answer(call) FROM unnest(ARRAY[} . join(', ', map { "\$call\$$_\$call\$" } @calls) . q{]) AS call
		WHERE pg_temp.answer(call) IS NOT NULL}),
	'', 'give NULL for NULL');

$node->stop;
done_testing();
