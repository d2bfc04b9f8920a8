# What make install puts somewhere make uninstall takes away, also after an
# upgrade, and make clean leaves the source tree as it was.  A changed header is
# compiled into everything, and a build in another directory is the same.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use PostgreSQL::Test::Utils;
use Test::More;

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $dir = PostgreSQL::Test::Utils::tempdir();
my $tree = "$dir/tree";
my $stage = "$dir/stage";
my $libdir = $stage . pg_config('--pkglibdir');
my $extdir = $stage . pg_config('--sharedir') . '/extension';
my $docdir = $stage . pg_config('--docdir') . '/uidext';
my ($version) = slurp_file("$root/uidext.control") =~ /^default_version = '(.*)'/m;

sub pg_config
{
	my ($stdout) = run_command([ $ENV{PG_CONFIG}, @_ ]);
	return $stdout;
}

# With LLVM where the server has it, as whoever installs gets it.
sub make_ok
{
	my ($goal) = @_;
	command_ok([ 'make', '-s', '-C', $tree, "PG_CONFIG=$ENV{PG_CONFIG}", "DESTDIR=$stage", $goal ], "make $goal");
}

sub symbols
{
	my ($library) = @_;
	my ($stdout) = run_command([ 'nm', '-D', '--defined-only', '--format=posix', $library ]);
	return join ' ', $stdout =~ /^(\w+) T /mg;
}

sub files
{
	my ($top, @tests) = @_;
	my ($stdout) = run_command([ 'find', $top, '-type', 'f', @tests ]);
	return join "\n", sort split /\n/, $stdout;
}

system_or_bail 'mkdir', '-p', $tree, $libdir, $extdir;
system_or_bail 'sh', '-c', "cd '$root' &&
	tar -cf - Makefile uidext.control META.json doc/recipes sql src test/sql | tar -C '$tree' -xf -";
append_to_file($_, '') foreach "$libdir/uidext_other.so", "$extdir/uidext_other.control", "$extdir/uidext_other--1.0.sql";

make_ok('clean');
my $source = files($tree);
my @updates = map { "$extdir/" . basename($_) } glob("$tree/sql/uidext--*--*.sql");
my $neighbours = files($stage);

make_ok('all');
my @sources = map { s{^\Q$tree\E/(.*)\.c$}{$1}r } glob("$tree/src/*.c $tree/src/*/*.c $tree/src/*/*/*.c");
my @kinds = grep { -e "$tree/$sources[0].$_" } 'o', 'bc';
my ($commands) = run_command([ 'make', '-n', '-C', $tree, "PG_CONFIG=$ENV{PG_CONFIG}", '-W', 'src/pure/layout.h', 'all' ]);
is_deeply([ grep { $commands !~ /-o \Q$_\E / } map { my $kind = $_; map { "$_.$kind" } @sources } @kinds ],
	[], "a changed header compiles all sources again: @kinds");

make_ok('install');
is( files($stage, '-name', 'uidext[.-]*', '!', '-path', '*/bitcode/*'),
	join("\n", sort "$libdir/uidext.so", "$extdir/uidext.control", "$extdir/uidext--$version.sql", @updates),
	'library, control file and scripts are installed');
is( files($stage, '-name', '*.psql'),
	join("\n", map { "$docdir/" . basename($_) } sort glob("$tree/doc/recipes/*.psql")),
	'so are the recipes, beside one another');
my $symbols = symbols("$libdir/uidext.so");
like($symbols, qr/\bPg_magic_func\b/, 'the library is a module');
make_ok('uninstall');
is(files($stage), $neighbours, 'nothing is left');

# A newer version over this one.
make_ok('install');
my $update = "sql/uidext--$version--99.0.0.sql";
append_to_file("$tree/$update", "-- nothing changes\n");
$source = join "\n", sort split(/\n/, $source), "$tree/$update";
system_or_bail 'sed', '-i', "s/^default_version.*/default_version = '99.0.0'/", "$tree/uidext.control";
make_ok('install');
is( files($extdir, '-name', 'uidext--*'),
	join("\n", sort @updates, map { "$extdir/uidext--$_.sql" } $version, '99.0.0', "$version--99.0.0"),
	'the scripts of both versions are installed');
make_ok('uninstall');
is(files($stage), $neighbours, 'nothing is left of either');

# Each version takes its own script away.
make_ok('clean');
system_or_bail 'cp', "$root/uidext.control", $tree;
make_ok('clean');
is(files($tree), $source, 'make clean leaves the sources');

# In another directory.
system_or_bail 'mkdir', "$dir/elsewhere";
command_ok(
	[ 'make', '-s', '-C', "$dir/elsewhere", '-f', "$tree/Makefile", "PG_CONFIG=$ENV{PG_CONFIG}",
		"DESTDIR=$stage", 'with_llvm=no', 'install' ],
	'make install from another directory');
is(symbols("$libdir/uidext.so"), $symbols, 'installs the same library');
is(files($tree), $source, 'and writes nothing into the source tree');
make_ok('uninstall');
is(files($stage), $neighbours, 'nothing is left');

done_testing();
