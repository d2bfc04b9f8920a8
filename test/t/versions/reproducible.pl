# Whoever builds a version again gets the same bytes, on another day, in another
# directory and in another time zone.
use strict;
use warnings;

use Cwd qw(abs_path);
use Digest::SHA;
use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $dir = abs_path(PostgreSQL::Test::Utils::tempdir());
my ($version) = slurp_file("$root/uidext.control") =~ /^default_version = '(.*)'/m;

sub checksum
{
	my ($file) = @_;
	return -e $file ? Digest::SHA->new(256)->addfile($file)->hexdigest : "no $file";
}

# A copy of the tree, built as packages are: without its own path in it.
sub build
{
	my ($tree, $zone) = @_;
	local %ENV = (%ENV, TZ => $zone, SOURCE_DATE_EPOCH => 1767225600);

	system_or_bail 'mkdir', '-p', $tree;
	system_or_bail 'sh', '-c', 'cd "$0" && tar -cf - Makefile uidext.control META.json sql src | tar -C "$1" -xmf -', $root, $tree;
	# of the build that is tested
	system_or_bail 'make', '-s', '-C', $tree, "PG_CONFIG=$ENV{PG_CONFIG}", 'clean';
	foreach my $edition (qw(c portable))
	{
		system_or_bail 'make', '-s', '-C', $tree, "PG_CONFIG=$ENV{PG_CONFIG}", "EDITION=$edition", 'with_llvm=no',
		  "COPT=-O1 -ffile-prefix-map=$tree=.", 'all';
	}
	system_or_bail 'make', '-s', '-C', $tree, "PG_CONFIG=$ENV{PG_CONFIG}", 'portable';
	return map { $_ => checksum("$tree/$_") } 'uidext.so', "sql/uidext--$version.sql", "sql/portable/uidext--$version.sql",
	  "dist/uidext-$version-portable.sql";
}

my %here = build("$dir/here", 'UTC');
my %elsewhere = build("$dir/elsewhere/of/another/length", 'Pacific/Kiritimati');
is($elsewhere{$_}, $here{$_}, "$_ is the same from another directory") foreach sort keys %here;

# The bundle, of a commit.
SKIP:
{
	skip 'no git', 1 if system('git --version >/dev/null 2>&1') != 0;
	my $tree = "$dir/here";
	my %bundle;

	system_or_bail 'sh', '-c', 'cd "$0" && git init -q && git add -f Makefile uidext.control sql/*.awk src &&
		git -c user.name=somebody -c user.email=somebody@example.com commit -q -m bundle', $tree;
	foreach my $zone (qw(UTC Pacific/Kiritimati))
	{
		local $ENV{TZ} = $zone;
		system_or_bail 'make', '-s', '-C', $tree, 'PGXS=/dev/null', 'dist';
		$bundle{$zone} = checksum("$tree/dist/uidext-$version.zip");
	}
	is($bundle{'Pacific/Kiritimati'}, $bundle{UTC}, 'the bundle is the same from another time zone');
}

done_testing();
