# A directory with share and lib alone, as the Dockerfile's target "extension" has
# them, serves CREATE EXTENSION, its update and pg_upgrade, by settings alone.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::RecursiveCopy;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};
my ($server) = run_command([ $ENV{PG_CONFIG}, '--version' ]);
plan skip_all => 'extension_control_path came with PostgreSQL 18' unless $server =~ /(\d+)/ && $1 >= 18;

my $root = dirname(__FILE__) . '/../../..';
my $dir = PostgreSQL::Test::Utils::tempdir;
my ($version) = slurp_file("$root/uidext.control") =~ /^default_version = '(.*)'/m;

# As the Dockerfile has it.
PostgreSQL::Test::RecursiveCopy::copypath($ENV{UIDEXT_BUILD}, "$dir/build", filterfn => sub { $_[0] !~ m{^test/} });
my ($options) = slurp_file("$root/Dockerfile") =~ m{make -C /uidext DESTDIR=/extension (.*install)$}m;
command_ok([ 'make', '-s', '-C', "$dir/build", "PG_CONFIG=$ENV{PG_CONFIG}", "DESTDIR=$dir/extension", split / /,
		$options ], $options);
my ($files) = run_command([ 'find', "$dir/extension", '-type', 'f', '-printf', '%P\n' ]);
my @files = sort split /\n/, $files;
is_deeply([ grep { !/--.*--/ } @files ],
	[ 'lib/uidext.so', "share/extension/uidext--$version.sql", 'share/extension/uidext.control' ], 'share and lib, no more');

# A version of before Laravel's ids, made up: a part that no other needs.
my $scripts = "$dir/extension/share/extension";
my $script = slurp_file("$scripts/uidext--$version.sql");
my ($part) = run_command([ 'awk', '-v', 'edition=c', '-f', "$root/sql/edition.awk", "$root/sql/families/laravel_uuid.sql" ]);
append_to_file("$scripts/uidext--older.sql", $script =~ s/\Q$part\E//r);
append_to_file("$scripts/uidext--older--$version.sql", $part);

sub cluster
{
	my ($name, $settings) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	# not where script/test has put the extension
	local $ENV{TEMP_CONFIG};
	delete $ENV{TEMP_CONFIG};
	$node->init;
	$node->append_conf('postgresql.conf', $settings);
	return $node;
}

my $found = "extension_control_path = '\$system:$dir/extension/share'\ndynamic_library_path = '\$libdir:$dir/extension/lib'\n";
my $node = cluster('old', $found);
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION uidext VERSION older;
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7());
	INSERT INTO orders SELECT FROM generate_series(1, 100)});
$node->safe_psql('postgres', 'ALTER EXTENSION uidext UPDATE');
is( $node->safe_psql('postgres', q{
		SELECT extversion, (SELECT count(*) FROM orders WHERE uuid_time(id) > now() - interval '1 hour'),
			uuid_time(laravel_uuid_to_v7('9e0b1c2a-3f4d-4abc-9def-0123456789ab')) = date_trunc(
				'ms', laravel_uuid_time('9e0b1c2a-3f4d-4abc-9def-0123456789ab'))
		FROM pg_extension WHERE extname = 'uidext'}),
	"$version|100|t", 'CREATE EXTENSION, rows, update');
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_available_extensions WHERE name = 'uidext'}), 1, 'it is listed once');
$node->safe_psql('postgres', 'SELECT gen_ordered_uuidv7()');
$node->stop;

# pg_upgrade's check, which starts both servers with their own settings.
sub check
{
	my ($new) = @_;
	my ($bindir) = run_command([ $ENV{PG_CONFIG}, '--bindir' ]);
	chdir $dir or die $!;
	return [ "$bindir/pg_upgrade", '--check', '--no-sync', '-b', $bindir, '-B', $bindir, '-d', $node->data_dir, '-D', $new->data_dir,
		'-p', $node->port, '-P', $new->port, '-s', $new->host ];
}
command_ok(check(cluster('new', $found)), 'pg_upgrade finds the library by the settings of the new server');
command_checks_all(check(cluster('bare', '')), 1, [qr/loadable libraries/], [], 'and not without them');

done_testing();
