# What comes after this version, rehearsed: 1.0.1, which changes C alone, and
# 1.1.0, which adds a function and columns.  Libraries and scripts of different
# versions meet, pg_upgrade goes from one to the other, and the SQL edition updates
# by psql and by pg_tle.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::RecursiveCopy;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};

my $root = dirname(__FILE__) . '/../../..';
my $describe = slurp_file(dirname(__FILE__) . '/../include/describe_extension.sql');
my ($version) = slurp_file("$root/uidext.control") =~ /^default_version = '(.*)'/m;
my ($patch, $minor) = ("$version.1", "$version.2");    # of no version that there is

# The next tree.  A changed message is what a correction in C is like.
my $next = PostgreSQL::Test::Utils::tempdir . '/next';
PostgreSQL::Test::RecursiveCopy::copypath($ENV{UIDEXT_BUILD}, $next,
	filterfn => sub { $_[0] !~ m{^(test/(?!t$|t/include)|dist/|bench/|doc/)|\.o$} });
my $stage = dirname($next) . '/stage';
# This version is a tag, from which the draft of the update takes what was.
my $has_git = system('git --version >/dev/null 2>&1') == 0;
system_or_bail 'sh', '-c', q(cd "$0" && rm -rf earlier && {
	make -s PGXS=/dev/null EDITION=c print-sql | sha256sum | sed "s,-$,sql/uidext--$1.sql,"
	make -s PGXS=/dev/null EDITION=portable print-sql | sha256sum | sed "s,-$,sql/portable/uidext--$1.sql,"
} >sql/released.sha256 && git init -q && git add -f Makefile uidext.control sql src &&
git -c user.name=somebody -c user.email=somebody@example.com commit -q -m "$1" && git tag "v$1"), $next, $version if $has_git;

sub change_file
{
	my ($file, $change) = @_;
	local $_ = slurp_file("$next/$file");
	my $before = $_;
	$change->();
	die "nothing changed in $file" if $_ eq $before;
	unlink "$next/$file";
	append_to_file("$next/$file", $_);
}

my $of_attributes = "COMMENT ON COLUMN uidext_internal.partitioned_table.rehearsed IS 'a text';\n"
  . qq(COMMENT ON COLUMN uidext_internal.partitioned_table."Last" IS 'periods';\n);
my %added = (
	c => "CREATE FUNCTION uuid_rehearsed(id uuid) RETURNS uuid\n"
	  . "\tAS 'MODULE_PATHNAME', 'uidext_uuid_rehearsed'\n"
	  . "\tLANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;\n",
	sql => "CREATE FUNCTION uuid_rehearsed(id uuid) RETURNS uuid\n\tLANGUAGE sql IMMUTABLE PARALLEL SAFE\n\tRETURN id;\n",
	both => "COMMENT ON FUNCTION uuid_rehearsed(uuid) IS 'the same value';\n",
	columns => "ALTER TABLE iuid.service_entities ADD COLUMN rehearsed integer DEFAULT 1 NOT NULL;\n"
	  . "COMMENT ON COLUMN iuid.service_entities.rehearsed IS 'a number';\n"
	  . "ALTER TYPE uidext_internal.partitioned_table ADD ATTRIBUTE rehearsed text;\n"
	  . qq(ALTER TYPE uidext_internal.partitioned_table ADD ATTRIBUTE "Last" interval[];\n)
	  . $of_attributes,
	# what there was, by what there was not
	replaced => "CREATE OR REPLACE FUNCTION uidext_internal.uuid_is(id uuid, version int) RETURNS bool\n"
	  . "\tLANGUAGE sql IMMUTABLE PARALLEL SAFE\n"
	  . "\tRETURN get_byte(uuid_send(id), 6) >> 4 = version AND (get_byte(uuid_send(id), 8) & 192) = 128;\n"
	  . "CREATE OR REPLACE FUNCTION uuidv7_is_valid(id uuid) RETURNS bool\n\tLANGUAGE sql IMMUTABLE PARALLEL SAFE\n"
	  . "\tRETURN uidext_internal.uuid_is(uuid_rehearsed(id), 7);\n");
change_file('uidext.control', sub { s/^default_version = .*/default_version = '$minor'/m });
change_file('src/families/iuid.c', sub { s/"UUID %s is not an iUID"/"UUID %s is no iUID"/ });
change_file('src/families/uuidv7.c', sub {
	$_ .= "\nPG_FUNCTION_INFO_V1(uidext_uuid_rehearsed);\n"
	  . "Datum\nuidext_uuid_rehearsed(PG_FUNCTION_ARGS)\n{\n\tPG_RETURN_DATUM(PG_GETARG_DATUM(0));\n}\n" });
change_file('sql/countries/registry.sql', sub {
	s/^\tentity text,$/\tentity text,\n\trehearsed int NOT NULL DEFAULT 1,/m;
	s/^(SELECT pg_catalog.pg_extension_config_dump)/COMMENT ON COLUMN iuid.service_entities.rehearsed IS 'a number';\n\n$1/m });
change_file('sql/partitions/key.sql', sub {
	s/(foreign_keys uidext_internal.partition_foreign_key\[\])\n\);/$1, rehearsed text, "Last" interval[]\n);/;
	s/^(CREATE FUNCTION uidext_internal.partition_check_exists)/$of_attributes\n$1/m });
# functions whose text in the catalogs names all attributes of that type: those that read rows of it
$added{columns} .= join '', map { "CREATE OR REPLACE $_" }
  grep { /^BEGIN ATOMIC$/m && /\b(?:FROM|JOIN)\s+(?:pg_catalog\.unnest\(family\)|uidext_internal\.partition_(?:read|require_time)\()/ }
  slurp_file("$ENV{UIDEXT_BUILD}/sql/uidext--$version.sql") =~ /^CREATE (FUNCTION (?:(?!^CREATE ).)*?^END;\n)/gms;
change_file('sql/keys/key_ranges.sql',
	sub { $_ .= "\n-- [c]\n$added{c}-- [sql]\n$added{sql}$added{replaced}-- [both]\n$added{both}" });
append_to_file("$next/sql/uidext--$version--$patch.sql", "-- a new library is all\n");
append_to_file("$next/sql/uidext--$patch--$minor.sql", $added{columns} . $added{c} . $added{both});
append_to_file("$next/sql/portable/uidext--$version--$patch.sql", "-- nothing of SQL\n");
append_to_file("$next/sql/portable/uidext--$patch--$minor.sql", $added{columns} . $added{sql} . $added{replaced} . $added{both});
my ($settings, $stderr) = run_command([ "$root/script/stage", $next, $stage ]);
BAIL_OUT("could not build: $stderr") unless $settings;
my $scripts = $stage . (run_command([ $ENV{PG_CONFIG}, '--sharedir' ]))[0] . '/extension';
append_to_file("$scripts/uidext--$version.sql", slurp_file("$ENV{UIDEXT_BUILD}/sql/uidext--$version.sql"));

# The new scripts, with the library of either version.
my ($old_library) = slurp_file($ENV{TEMP_CONFIG}) =~ /^(dynamic_library_path = .*)/m;
my ($new_library) = $settings =~ /^(dynamic_library_path = .*)/m;

sub make_node
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);
	local $ENV{TEMP_CONFIG} = "$next/$name.conf";
	append_to_file($ENV{TEMP_CONFIG}, "$settings\n");
	$node->init(extra => [ '--locale', 'C', '--encoding', 'UTF8' ]);
	return $node;
}

sub use_library
{
	my ($node, $library) = @_;
	$node->append_conf('postgresql.conf', $library);
}

sub version_of
{
	my ($node) = @_;
	return $node->safe_psql('postgres', "SELECT extversion FROM pg_extension WHERE extname = 'uidext'");
}

# Defaults, predicates, types: the same whatever library and script meet.
my $answers = q{
	INSERT INTO orders DEFAULT VALUES;
	SELECT count(*) > 100 FROM orders WHERE id >= timestamptz '2026-01-01';
	SELECT count(*) FROM rides WHERE id = '018c22ac-d000-8037-a940-000000000000';
	SELECT (uuid_inspect('018c22ac-d000-8037-a940-000000000000')).country;};
my $same = "t\n1\n55";

my $node = make_node('update');
use_library($node, $old_library);
$node->start;
$node->safe_psql('postgres', qq{
	CREATE EXTENSION uidext VERSION '$version';
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7());
	INSERT INTO orders SELECT gen_uuidv7() FROM generate_series(1, 100);
	CREATE TABLE rides (id iuid PRIMARY KEY);
	CREATE INDEX rides_by_hash ON rides USING hash (id);
	INSERT INTO rides VALUES ('018c22ac-d000-8037-a940-000000000000');});

# An old library.

$node->safe_psql('postgres', "ALTER EXTENSION uidext UPDATE TO '$patch'");
is(version_of($node), $patch, 'a script that changes nothing needs no new library');
(my $status, my $stdout, $stderr) = $node->psql('postgres', 'ALTER EXTENSION uidext UPDATE');
like($stderr, qr/could not find function "uidext_uuid_rehearsed" in file ".*uidext/,
	'a script of a newer library says what is missing');
is(version_of($node), $patch, 'and changes nothing');
is($node->safe_psql('postgres', $answers), $same, 'so that all goes on');

# A new one.

use_library($node, $new_library);
$node->restart;
is($node->safe_psql('postgres', $answers), $same, 'with a new library and the old script, too');
($status, $stdout, $stderr) = $node->psql('postgres', 'SELECT gen_random_uuid()::iuid');
like($stderr, qr/is no iUID/, 'whose corrections are there at once');
$node->safe_psql('postgres', 'ALTER EXTENSION uidext UPDATE');
is($node->safe_psql('postgres', "$answers SELECT uuid_rehearsed('018c22ac-d000-8037-a940-000000000000')"),
	"$same\n018c22ac-d000-8037-a940-000000000000", 'and after its script');
my $updated = $node->safe_psql('postgres', $describe);
is($node->safe_psql('postgres', "BEGIN; DROP EXTENSION uidext CASCADE; CREATE EXTENSION uidext; $describe ROLLBACK"), $updated,
	'which leaves what a new installation has');
is( $node->safe_psql(
		'postgres', q{
	CREATE TABLE events (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_maintain('events', '1 month', 1);
	SELECT action FROM uuid_partition_maintain('events', '1 month', 0, dry_run => true);
	DROP TABLE events;
	INSERT INTO iuid.service_entities (id, name) VALUES (1, 'Order');
	SELECT rehearsed, iuid_describe(gen_iuid(76, 1)) IS NULL FROM iuid.service_entities}),
	"2\n1|f", 'functions of a type that has grown work');

# The draft of the update, from the tag.

SKIP:
{
	skip 'no git', 6 unless $has_git;
	local @ENV{qw(UIDEXT_BUILD PGHOST PGPORT PGDATABASE)} = ($next, $node->host, $node->port, 'postgres');
	my $draft = "sql/uidext--$version--$minor.sql";
	system_or_bail 'bash', "$next/script/earlier-scripts", "$next/earlier";
	($stdout, $stderr) = run_command([ 'bash', "$next/script/update-script", $version ]);
	is($stdout, $draft, 'an update is drafted') or diag($stderr);
	is(slurp_file("$next/$draft") =~ s/^(--|\\echo).*\n|^\n//gmr, "$added{columns}$added{c}$added{both}",
		'of what has come since the tag, and nothing else');

	# what is left to people stays as they write it
	my $installed = slurp_file("$scripts/uidext--$minor.sql");
	unlink "$scripts/uidext--$minor.sql";
	append_to_file("$scripts/uidext--$minor.sql", $installed =~ s/node text NOT NULL/node text CHECK (node <> '')/r);
	my $drop = 'DROP DATABASE old; DROP DATABASE new; DROP DATABASE statements';
	$node->safe_psql('postgres', $_) foreach split /; /, $drop;
	ok(!run_log([ 'bash', "$next/script/update-script", $version ], '2>', \$stderr), 'a column that has changed is not drafted');
	like($stderr,
		qr/by hand.*\nconstraint routes_node_check on table iuid.routes \(new\)\n(?:.*\n)*table iuid.routes: column 3$/,
		'which is said');
	append_to_file("$next/$draft", "-- By hand\nALTER TABLE iuid.routes ALTER node DROP NOT NULL, ADD CHECK (node <> '');\n");
	$node->safe_psql('postgres', $_) foreach split /; /, $drop;
	ok(run_log([ 'bash', "$next/script/update-script", $version ]), 'what is by hand');
	like(slurp_file("$next/$draft"), qr/uuid_rehearsed.*\n-- By hand\nALTER TABLE .* CHECK \(node <> ''\);\n\z/s, 'stays');
	unlink "$scripts/uidext--$minor.sql", "$next/$draft";
	append_to_file("$scripts/uidext--$minor.sql", $installed);
}
$node->stop;

# pg_upgrade, where the new server has the next library and scripts.

my ($old, $new) = map { make_node($_) } 'old', 'new';
use_library($old, $old_library);
$old->start;
$old->safe_psql('postgres', qq{
	CREATE EXTENSION uidext VERSION '$version';
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7());
	INSERT INTO orders SELECT gen_uuidv7() FROM generate_series(1, 100);
	CREATE TABLE rides (id iuid PRIMARY KEY);
	CREATE INDEX rides_by_hash ON rides USING hash (id);
	INSERT INTO rides VALUES ('018c22ac-d000-8037-a940-000000000000');});
$old->stop;
my ($bindir) = run_command([ 'pg_config', '--bindir' ]);
chdir $next or die $!;
command_ok(
	[
		'pg_upgrade', '--no-sync', '-b', $bindir, '-B', $bindir, '-d', $old->data_dir, '-D', $new->data_dir,
		'-p', $old->port, '-P', $new->port, '-s', $new->host
	],
	'pg_upgrade');
diag(substr(slurp_file($_), -3000)) foreach glob($new->data_dir . '/pg_upgrade_output.d/*/log/pg_upgrade_dump_*.log');
$new->start;
is(version_of($new), $version, 'keeps the version');
is($new->safe_psql('postgres', $answers), $same, 'and all goes on');
$new->safe_psql('postgres', 'ALTER EXTENSION uidext UPDATE');
is(version_of($new), $minor, 'until it is updated');
is($new->safe_psql('postgres', $answers), $same, 'after which it does, too');
$new->stop;

# The SQL edition.

system_or_bail 'make', '-s', '-C', $_, "PG_CONFIG=$ENV{PG_CONFIG}", 'portable' foreach $ENV{UIDEXT_BUILD}, $next;
my $managed = PostgreSQL::Test::Cluster->new('managed');
{
	delete local $ENV{TEMP_CONFIG};
	$managed->init;
}
my $has_tle = -e (run_command([ $ENV{PG_CONFIG}, '--sharedir' ]))[0] . '/extension/pg_tle.control';
$managed->append_conf('postgresql.conf', "shared_preload_libraries = 'pg_tle'") if $has_tle;
$managed->start;
$managed->safe_psql('postgres', 'CREATE ROLE tenant LOGIN');
$managed->safe_psql('postgres', "CREATE DATABASE $_ OWNER tenant") foreach 'shop', 'fresh', 'tle';

sub run_script
{
	my ($database, $file) = @_;
	my ($out, $err) = run_command(
		[ 'psql', '-XAtq', '-h', $managed->host, '-p', $managed->port, '-U', 'tenant', '-d', $database, '-f', $file ]);
	return $err;
}

my @updates = map { "$next/dist/uidext-$_-portable.sql" } "$version--$patch", "$patch--$minor";
is(run_script('shop', "$ENV{UIDEXT_BUILD}/dist/uidext-$version-portable.sql"), '', 'psql installs this version');
$managed->safe_psql('shop',
	q(
		CREATE TABLE orders (
			id uuid PRIMARY KEY DEFAULT uidext.gen_uuidv7() CHECK (uidext.uuidv7_is_valid(id)));
		INSERT INTO orders DEFAULT VALUES));
like(run_script('fresh', $updates[0]),
	qr/ERROR:  uidext \Q$version\E is not installed in schema "uidext" by psql/, 'an update wants its version');
like(run_script('shop', $updates[1]), qr/ERROR:  uidext \Q$patch\E is not installed in schema "uidext" by psql/,
	'and no earlier one');
{
	my $comment = q(COMMENT ON TABLE uidext_internal.installed_objects IS %s);
	my $version = $managed->safe_psql('shop',
		q(SELECT quote_literal(obj_description('uidext_internal.installed_objects'::regclass, 'pg_class'))));

	$managed->safe_psql('shop', sprintf $comment, 'NULL');
	like(run_script('shop', $updates[0]), qr/is not installed in schema "uidext" by psql/, 'nor one that nobody knows');
	$managed->safe_psql('shop', sprintf $comment, $version);
}
# Who calls is who owns: a superuser would run the owner's triggers.
sub run_as_superuser
{
	my ($file) = @_;
	my ($out, $err) = run_command([ 'psql', '-XAtq', '-h', $managed->host, '-p', $managed->port, '-d', 'shop', '-f', $file ]);
	return $err;
}

$managed->safe_psql(
	'shop', q{
	CREATE FUNCTION public.trap() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''trapped''; END';
	CREATE TRIGGER trap BEFORE INSERT OR DELETE ON uidext_internal.installed_objects
	FOR EACH STATEMENT
	EXECUTE FUNCTION public.trap();
	ALTER TABLE uidext_internal.installed_objects DISABLE TRIGGER trap;
	CREATE TABLE public.precious ();
	SET ROLE tenant;
	INSERT INTO uidext_internal.installed_objects
	VALUES (9998, 'table', 'public.precious'), (9999, 'table', 'x; DROP TABLE public.precious; SELECT');
	RESET ROLE;
	ALTER TABLE uidext_internal.installed_objects ENABLE TRIGGER trap;
	REVOKE EXECUTE ON FUNCTION uidext.uuidv7_is_valid, uidext.gen_uuidv7() FROM PUBLIC;});
my $refused = qr/ERROR:  must be owner of (?:schema|table) uidext_internal.*HINT:  SET ROLE to the owner/s;
like(run_as_superuser($updates[0]), $refused, 'a superuser who does not own it updates nothing');
like(run_as_superuser("$ENV{UIDEXT_BUILD}/dist/uidext-$version-portable-uninstall.sql"), $refused, 'and uninstalls nothing');
$managed->safe_psql('shop', 'DROP TRIGGER trap ON uidext_internal.installed_objects');
is(run_script('shop', $_), '', 'psql updates it, step by step') foreach @updates;
is( $managed->safe_psql('shop',
	q(
		SELECT oid::regprocedure
		FROM pg_proc
		WHERE proowner = 'tenant'::regrole AND NOT has_function_privilege('public', oid, 'EXECUTE')
		ORDER BY proname)),
	"uidext.gen_uuidv7()\nuidext.uuidv7_is_valid(uuid)", 'a REVOKE is kept');
is( $managed->safe_psql('shop', q(
	INSERT INTO orders DEFAULT VALUES;
	SELECT count(uidext.uuid_rehearsed(id)) FROM orders WHERE uidext.uuidv7_is_valid(id))),
	2, 'to one with a new function, with everything that uses it');
like(run_script('shop', $updates[1]), qr/is not installed in schema/, 'once');
is(run_script('fresh', "$next/dist/uidext-$minor-portable.sql"), '', 'psql installs that one');
my $objects = q(
	SELECT kind, identity, obj_description('uidext_internal.installed_objects'::regclass, 'pg_class')
	FROM uidext_internal.installed_objects
	ORDER BY kind COLLATE "C", identity COLLATE "C");
is($managed->safe_psql('shop', $objects), $managed->safe_psql('fresh', $objects), 'with the same objects');
my $bodies = q(
	SELECT pg_get_functiondef(oid)
	FROM pg_proc
	WHERE pronamespace IN ('uidext'::regnamespace, 'uidext_internal'::regnamespace) AND prokind <> 'a'
	ORDER BY oid::regprocedure::text COLLATE "C");
is($managed->safe_psql('shop', $bodies), $managed->safe_psql('fresh', $bodies), 'and bodies');
my $columns = q(
	SELECT attrelid::regclass, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
		col_description(attrelid, attnum)
	FROM pg_attribute
	WHERE attrelid IN ('iuid.service_entities'::regclass, 'uidext_internal.partitioned_table'::regclass)
		AND attnum > 0
	ORDER BY 1, 2);
is($managed->safe_psql('shop', $columns), $managed->safe_psql('fresh', $columns), 'and columns');
$managed->safe_psql('shop', 'DROP TABLE orders');
is(run_script('shop', "$next/dist/uidext-$minor-portable-uninstall.sql"), '', 'uninstalled by the script of its version');
is($managed->safe_psql('shop',
	q(SELECT count(*), (SELECT count(*) FROM public.precious) FROM pg_proc WHERE proowner = 'tenant'::regrole)),
	'0|0', 'with nothing left, and nothing else gone');

SKIP:
{
	skip 'pg_tle is not installed', 4 unless $has_tle;
	$managed->safe_psql('tle', 'CREATE EXTENSION pg_tle; GRANT pgtle_admin TO tenant; GRANT CREATE ON SCHEMA public TO tenant');
	is(run_script('tle', "$ENV{UIDEXT_BUILD}/dist/uidext-$version-portable.sql"), '', 'pg_tle registers this version');
	$managed->safe_psql('tle',
		q(
			CREATE EXTENSION uidext;
			CREATE TABLE orders (id uuid DEFAULT gen_uuidv7());
			INSERT INTO orders DEFAULT VALUES), extra_params => [ '-U', 'tenant' ]);
	is(run_script('tle', $_), '', 'and the next') foreach @updates;
	is( $managed->safe_psql('tle',
		q(ALTER EXTENSION uidext UPDATE; SELECT extversion, uuid_rehearsed(id) = id FROM orders, pg_extension WHERE extname = 'uidext'),
			extra_params => [ '-U', 'tenant' ]),
		"$minor|t", 'ALTER EXTENSION leads there');
}

$managed->stop;
done_testing();
