# ALTER EXTENSION UPDATE from every earlier version leaves what CREATE EXTENSION
# of this version makes, by everything that the catalogs say, and keeps what users
# have made.
#
# Install scripts of earlier versions are in the folder earlier of the build
# (script/earlier-scripts); the scripts sql/uidext--A--B.sql lead from there to this
# version (script/update-script drafts them).  Versions made up from this
# version's script show that the comparison works.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::RecursiveCopy;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};

my $root = dirname(__FILE__) . '/../../..';
my $describe = dirname(__FILE__) . '/../include/describe_extension.sql';
my ($version) = slurp_file("$root/uidext.control") =~ /^default_version = '(.*)'/m;
my $script = slurp_file("$root/sql/uidext--$version.sql");
my @earlier = sort grep { $_ ne $version } map { basename($_) =~ /^uidext--(.*)\.sql$/ } glob("$root/earlier/*.sql");

# A second installation, for versions that are not to be found in the first.
my $build = PostgreSQL::Test::Utils::tempdir . '/build';
PostgreSQL::Test::RecursiveCopy::copypath($ENV{UIDEXT_BUILD}, $build, filterfn => sub { $_[0] !~ m{^test/} });
my ($settings, $stderr) = run_command([ "$root/script/stage", $build, "$build/stage" ]);
BAIL_OUT("could not build: $stderr") unless $settings;
append_to_file("$build/uidext.conf", "$settings\n");
my $scripts = "$build/stage" . (run_command([ $ENV{PG_CONFIG}, '--sharedir' ]))[0] . '/extension';

sub add_script
{
	my ($versions, $sql) = @_;
	append_to_file("$scripts/uidext--$versions.sql", $sql);
}

add_script($_, slurp_file("$root/earlier/uidext--$_.sql")) foreach @earlier;

# Versions that lack one part of the script and then another: functions with
# comments, and operator classes.
sub part_of_script
{
	my ($name) = @_;
	my ($part) = run_command([ 'awk', '-v', 'edition=c', '-f', "$root/sql/edition.awk", "$root/sql/$name.sql" ]);
	die "sql/$name.sql is not in the script" unless $script =~ /\Q$part\E/;
	return $part;
}

my ($laravel, $routing) = map { part_of_script($_) } 'families/laravel_uuid', 'countries/routing';
my $without_routing = $script =~ s/\Q$routing\E//r;
add_script('older', $without_routing =~ s/\Q$laravel\E//r);
add_script('older--old', $laravel);
add_script('old', $without_routing);
add_script("old--$version", $routing);

# What an update script can get wrong: versions that differ in one property,
# from which an empty script leads to this one.
my @mistakes = (
	# name, what to replace in the install script, by what
	[ 'comment', "'uuid_time()'", "'uuid_time'" ],
	[ 'comment of a column', "'free text'", "''" ],
	[ 'volatility', 'LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF', 'LANGUAGE C STABLE STRICT PARALLEL SAFE LEAKPROOF' ],
	[ 'strictness', 'LANGUAGE C VOLATILE STRICT', 'LANGUAGE C VOLATILE' ],
	[ 'parallel safety', 'LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE', 'LANGUAGE C VOLATILE STRICT PARALLEL SAFE' ],
	[ 'leakproofness', ' LEAKPROOF', '' ],
	[ 'default of an argument', 'block_size int DEFAULT 65536', 'block_size int DEFAULT 65535' ],
	[ 'name of an argument', 'gen_uuidv7(shift interval)', 'gen_uuidv7(shifted interval)' ],
	[ 'C function', 'uidext_comb_time', 'uidext_suffix_comb_time' ],
	[ 'body in SQL', 'RETURN uuid_boundary_time(', 'RETURN uuidv6_boundary_time(' ],
	[ 'planner support', "\n\tSUPPORT uidext_internal.id_predicate_support", '' ],
	[ 'body in PL/pgSQL', 'next_time timestamptz := start;', 'next_time timestamptz := stop;' ],
	[ 'setting of a function', 'SET search_path = pg_catalog, pg_temp', 'SET search_path = pg_catalog' ],
	[ 'function of a type', "\n\tRECEIVE = uidext_internal.iuid_recv, SEND = uidext_internal.iuid_send,", '' ],
	[ 'function of an operator family', 'FUNCTION 1 (iuid, uuid) uidext_internal.iuid_cmp_uuid(iuid, uuid)',
		'FUNCTION 1 (iuid, uuid) uuid_cmp(uuid, uuid)' ],
	[ 'column of a type', 'random_bits int', 'random_bits bigint' ],
	[ 'order of columns', "\tvariant text,\n\tlayout text,", "\tlayout text,\n\tvariant text," ],
	[ 'constraint of a table', 'UNIQUE (service, entity)', 'UNIQUE NULLS NOT DISTINCT (service, entity)' ],
	[ 'NOT NULL', 'node text NOT NULL', 'node text' ],
	[ 'property of an operator', 'RESTRICT = scalarltsel', 'RESTRICT = scalargtsel' ],
	[ 'joins of an operator', 'NEGATOR = >=,', 'NEGATOR = >=, MERGES,' ],
	[ 'function of an operator class', ",\n\tFUNCTION 4 btequalimage(oid)", '' ],
	[ 'operator of an operator class', "\tOPERATOR 3 =,\n", '' ],
	[ 'operator of an operator family', "\tOPERATOR 4 >= (uuid, uuid),\n", '' ],
	[ 'context of a cast', 'WITH FUNCTION uuid_time(uuid)', 'WITH FUNCTION uuid_time(uuid) AS ASSIGNMENT' ],
	[ 'index of an aggregate', 'SORTOP = OPERATOR(pg_catalog.<), ', '' ],
	[ 'trigger', 'AFTER INSERT OR UPDATE OR DELETE ON iuid.countries', 'AFTER INSERT OR UPDATE ON iuid.countries' ],
	[ 'mode of a trigger', 'ALTER TABLE iuid.countries ENABLE ALWAYS TRIGGER iuid_registry_changed;', '' ],
	[ 'privilege', 'GRANT SELECT ON iuid.countries, iuid.service_entities, iuid.routes', 'GRANT SELECT ON iuid.countries' ],
	[ 'dump of a table', "SELECT pg_catalog.pg_extension_config_dump('iuid.routes', '');", '' ],
	[ 'object too few', qr/CREATE OPERATOR @>.*?;\nCOMMENT ON OPERATOR @>.*?;\n/s, '' ],
	[ 'object too many', qr/\z/, 'CREATE DOMAIN uuid_v4 AS uuid;' ],
	[ 'object that is no member', qr/\z/, 'ALTER EXTENSION uidext DROP FUNCTION gen_uuidv1();' ]);
foreach my $n (0 .. $#mistakes)
{
	my ($name, $right, $wrong) = @{ $mistakes[$n] };
	my $pattern = ref $right ? $right : quotemeta $right;
	my $mistaken = $script =~ s/$pattern/$wrong/r;
	die "nothing to change for: $name" if $mistaken eq $script;
	add_script("mistake$n", $mistaken);
	add_script("mistake$n--$version", '');
}

my $node = PostgreSQL::Test::Cluster->new('update');
{
	local $ENV{TEMP_CONFIG} = "$build/uidext.conf";
	$node->init;
}
$node->start;

# What the catalogs say after these statements, which leave nothing behind.
sub description
{
	my ($statements) = @_;
	return split /\n/, $node->safe_psql('postgres', "BEGIN;\n$statements;\n" . slurp_file($describe) . 'ROLLBACK');
}

my @fresh = description('CREATE EXTENSION uidext');
cmp_ok(scalar @fresh, '>', 500, 'there is something to compare');

# The lines that an update leaves in excess or out.
sub differences
{
	my ($from) = @_;
	my %count;
	$count{$_}++ foreach @fresh;
	$count{$_}-- foreach description("CREATE EXTENSION uidext VERSION '$from'; ALTER EXTENSION uidext UPDATE");
	return map { ($count{$_} > 0 ? 'missing: ' : 'in excess: ') . $_ } grep { $count{$_} } sort keys %count;
}

is(join("\n", differences($_)), '', "update from $_") foreach @earlier, 'old', 'older';

foreach my $n (0 .. $#mistakes)
{
	my @differences = differences("mistake$n");
	cmp_ok(scalar @differences, '>', 0, "a mistake is seen: $mistakes[$n][0]");
	note(join("\n", map { substr($_, 0, 200) } @differences));
}

# The path that an earlier version takes is there, and so is its install script.
my %is_earlier = map { $_ => 1 } @earlier;
my %paths = map { basename($_) =~ /^uidext--(.*)--(.*)\.sql$/ } glob("$root/sql/uidext--*--*.sql");
is_deeply([ grep { !$is_earlier{$_} } sort keys %paths ],
	[], 'every version with an update script is tested');

# The SQL edition, as an extension, which it is where pg_tle is.
if (@earlier)
{
	my $tree = PostgreSQL::Test::Utils::tempdir . '/portable';
	PostgreSQL::Test::RecursiveCopy::copypath($ENV{UIDEXT_BUILD}, $tree, filterfn => sub { $_[0] !~ m{^test/} });
	local $ENV{EDITION} = 'portable';
	local $ENV{TEMP_CONFIG} = "$tree/uidext.conf";
	($settings, $stderr) = run_command([ "$root/script/stage", $tree, "$tree/stage" ]);
	append_to_file($ENV{TEMP_CONFIG}, "$settings\n");
	$scripts = "$tree/stage" . (run_command([ $ENV{PG_CONFIG}, '--sharedir' ]))[0] . '/extension';
	add_script($_, slurp_file("$root/earlier/portable/uidext--$_.sql")) foreach @earlier;

	$node->stop;
	$node = PostgreSQL::Test::Cluster->new('portable');
	$node->init;
	$node->start;
	@fresh = description('CREATE EXTENSION uidext');
	is(join("\n", differences($_)), '', "update of the SQL edition from $_") foreach @earlier;
}

$node->stop;
done_testing();
