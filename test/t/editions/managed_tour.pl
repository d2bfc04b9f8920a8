# What doc/managed.md prepares by psql, and then the tour of the README, on a server of which nobody is superuser: each role has what the
# page grants, and nothing else.  Also the names of doc/uuidv7-before-18.md.
use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};

$ENV{PGTZ} = 'UTC';

my $root = dirname(__FILE__) . '/../../..';
my ($version) = slurp_file("$root/uidext.control") =~ /^default_version = '(.*)'/m;
my ($text) = slurp_file("$root/doc/managed.md") =~ /^## With psql, anywhere\n(.*?)^### Dump, upgrade, remove/ms;
my ($tour) = slurp_file("$root/README.md") =~ /^## Tour\n(.*?)^## /ms;
$text .= $tour =~ s/^<!-- C edition -->\n```.*?^```\n//gmsr;
my %role = (
	'the owner of the database' => 'owner',
	'the administrator of the service' => 'administrator',
	'the role that installed' => 'installer');

my $node = PostgreSQL::Test::Cluster->new('managed');
{
	delete local $ENV{TEMP_CONFIG};
	$node->init;
}
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;

# What a service hands out: an administrator as on RDS or Cloud SQL.
$node->safe_psql(
	'postgres', q{
	CREATE ROLE administrator LOGIN CREATEDB CREATEROLE;
	GRANT pg_read_all_stats TO administrator WITH ADMIN OPTION;
	CREATE ROLE owner LOGIN;
	CREATE ROLE installer LOGIN;
	CREATE ROLE app LOGIN;
	CREATE DATABASE shop OWNER owner;
});
system_or_bail 'make', '-s', '-C', $ENV{UIDEXT_BUILD}, "PG_CONFIG=$ENV{PG_CONFIG}", 'portable';

sub without_trailing_space
{
	return join "\n", map { s/\s+$//r } split /\n/, $_[0];
}

my $n = 0;
while ($text =~ /^```(sql|sh)\n(.*?)^```\n(?:```\n(.*?)^```$)?/gms)
{
	my ($kind, $code, $shown) = ($1, $2, $3);
	my $role = $kind eq 'sh' ? 'installer' : $code =~ /^-- as (.*)\n/ ? $role{$1} : 'app';
	my ($stdout, $stderr);

	$n++;
	die "block $n is for a role that nobody has: $code" unless $role;
	if ($kind eq 'sh')
	{
		local %ENV = (%ENV, PGHOST => $node->host, PGPORT => $node->port, PGUSER => $role, PSQLRC => '/dev/null');
		($stdout, $stderr) = run_command([ 'sh', '-euc', "cd '$ENV{UIDEXT_BUILD}'\n$code" ]);
	}
	else
	{
		$node->psql('shop', "\\pset format aligned\n\\pset tuples_only off\n$code",
			extra_params => [ '-U', $role ], stdout => \$stdout, stderr => \$stderr, on_error_stop => 0);
	}
	is(join("\n", $stderr =~ /^.*(?:ERROR|WARNING|FATAL): .*$/mg), '', "block $n, as $role") or diag($code);
	ok(index(without_trailing_space($stdout), without_trailing_space($shown)) >= 0, "block $n shows its output") or diag($stdout)
	  if defined $shown;
}
cmp_ok($n, '>', 10, 'there is a tour');

# Each block for pg_tle is of a role that may run it.  What pg_tle itself has to be
# there for is left to tle.pl.
$node->safe_psql('postgres', 'CREATE ROLE pgtle_admin; GRANT pgtle_admin TO administrator WITH ADMIN OPTION; CREATE DATABASE with_tle OWNER owner');
$node->safe_psql('with_tle', 'GRANT CREATE, TEMP ON DATABASE with_tle TO installer', extra_params => [ '-U', 'owner' ]);
my @of_tle = slurp_file("$root/doc/managed.md") =~ /^```sql pg_tle\n(.*?)^```$/gms;
is(scalar @of_tle, 4, 'the blocks for pg_tle');
foreach my $code (@of_tle)
{
	my ($role) = map { $role{$_} // die "nobody has the role: $code" } $code =~ /^-- as (.*)\n/;
	my $plain = join '', grep { !/EXTENSION|pgtle\./ } $code =~ /^.*;.*\n/mg;
	my $stderr;

	$node->psql('with_tle', $plain, extra_params => [ '-U', $role ], stderr => \$stderr, on_error_stop => 0);
	is($stderr, '', "$role may run its block") or diag($code);
}
is($node->safe_psql('postgres', q(SELECT string_agg(rolname, ' ') FROM pg_roles WHERE rolsuper AND rolname IN ('administrator', 'owner', 'installer', 'app'))),
	'', 'by roles that are no superusers');
is($node->safe_psql('shop', q(SELECT count(*) FROM pg_proc WHERE probin ~ 'uidext')), 0, 'without C');

# Names of 18 beside this edition's, and the path without them again.
my $page = slurp_file("$root/doc/uuidv7-before-18.md");
my ($schema, $find) = $page =~ /^```sql\n(.*?)^```$/gms;
my ($leave) = $page =~ /.*^(SELECT format\('ALTER DATABASE .*?\\gexec\n)/ms;
my $path = $node->safe_psql('shop', 'SHOW search_path');
my $names = 'SELECT uuidv7_is_valid(gen_uuidv7()), uuidv7_is_valid(uuidv7())';

$find =~ s/\borders\b/visits/g;
is($node->safe_psql('shop', "$schema$find", extra_params => [ '-U', 'owner' ]) =~ /^(\d+)$/m && $1, '7', 'code written for 18 inserts');
is($node->safe_psql('shop', $names, extra_params => [ '-U', 'app' ]), 't|t', 'and finds its names and ours');
$node->safe_psql('shop', $leave, extra_params => [ '-U', 'owner' ]);
is($node->safe_psql('shop', 'SHOW search_path'), $path, 'the path without them');

$node->stop;
done_testing();
