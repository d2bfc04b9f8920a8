# What doc/managed.md prepares by psql, and then the tour of the README, on a server of which nobody is
# superuser: each role has what the page grants, and nothing else.  Also the names of
# doc/uuidv7-before-18.md.
use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../include';
use Managed;
use Test::More;

plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};

$ENV{PGTZ} = 'UTC';

my ($text) = page('doc/managed.md') =~ /^## With psql, anywhere\n(.*?)^### Dump, upgrade, remove/ms;
my ($tour) = page('README.md') =~ /^## Tour\n(.*?)^## /ms;
$text .= $tour =~ s/^<!-- C edition -->\n```.*?^```\n//gmsr;

my $node = managed_server('managed');
cmp_ok(play($text, 'installer', 'shop_owner'), '>', 10, 'there is a tour');

# Each block for pg_tle is of a role that may run it.  What pg_tle itself has to be
# there for is left to tle.pl.
$node->safe_psql('postgres', q(
	CREATE ROLE pgtle_admin;
	GRANT pgtle_admin TO administrator WITH ADMIN OPTION;
	CREATE DATABASE with_tle OWNER owner));
$node->safe_psql('with_tle', 'GRANT CREATE, TEMP ON DATABASE with_tle TO installer', extra_params => [ '-U', 'owner' ]);
my @of_tle = page('doc/managed.md') =~ /^```sql pg_tle\n(.*?)^```$/gms;
is(scalar @of_tle, 4, 'the blocks for pg_tle');
foreach my $code (@of_tle)
{
	my ($role) = map { as($_) } $code =~ /^-- as (.*)\n/;
	my $plain = join '', grep { !/EXTENSION|pgtle\./ } $code =~ /^.*;.*\n/mg;
	my $stderr;

	$node->psql('with_tle', $plain, extra_params => [ '-U', $role ], stderr => \$stderr, on_error_stop => 0);
	is($stderr, '', "$role may run its block") or diag($code);
}
is($node->safe_psql('postgres', q(
	SELECT string_agg(rolname, ' ')
	FROM pg_roles
	WHERE rolsuper AND rolname IN ('administrator', 'owner', 'installer', 'shop_owner'))),
	'', 'by roles that are no superusers');
is($node->safe_psql('shop', q(SELECT count(*) FROM pg_proc WHERE probin ~ 'uidext')), 0, 'without C');

# Names of 18 beside this edition's, and the path without them again.
my $page = page('doc/uuidv7-before-18.md');
my ($schema, $find) = $page =~ /^```sql\n(.*?)^```$/gms;
my ($leave) = $page =~ /.*^(SELECT format\('ALTER DATABASE .*?\\gexec\n)/ms;
my $path = $node->safe_psql('shop', 'SHOW search_path');
my $names = 'SELECT uuidv7_is_valid(gen_uuidv7()), uuidv7_is_valid(uuidv7())';

$find =~ s/\borders\b/visits/g;
is($node->safe_psql('shop', "$schema$find", extra_params => [ '-U', 'owner' ]) =~ /^(\d+)$/m && $1, '7',
	'code written for 18 inserts');
is($node->safe_psql('shop', $names, extra_params => [ '-U', 'shop_owner' ]), 't|t', 'and finds its names and ours');
$node->safe_psql('shop', $leave, extra_params => [ '-U', 'owner' ]);
is($node->safe_psql('shop', 'SHOW search_path'), $path, 'the path without them');

$node->stop;
done_testing();
