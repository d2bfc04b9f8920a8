# uidext.control states the version, and every other file agrees.  Scripts that
# were released are as they were.
use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

my $root = dirname(__FILE__) . '/../..';

# first match of each: the newest entry of a changelog
my %version = (
	'META.json' => qr/"version": "(.*)"/,
	'CHANGELOG.md' => qr/^## (\S+)/m,
	'debian/changelog' => qr/^uidext \((.*)\)/,
	'rpm/uidext.spec' => qr/^Version:\s+(\S+)/m);

my ($version) = slurp_file("$root/uidext.control") =~ /^default_version = '(.*)'/m;
like($version, qr/^\d+\.\d+\.\d+$/, 'a semantic version');

foreach my $file (sort keys %version)
{
	my ($stated) = slurp_file("$root/$file") =~ $version{$file};
	is($stated, $version, "version in $file");
}

# What sql/released.sha256 lists, and script/release --freeze wrote, never changes.
my $list = "$root/sql/released.sha256";
my @released = -e $list ? slurp_file($list) =~ /^[0-9a-f]{64}  (\S+)$/mg : ();
SKIP:
{
	skip 'no version is released yet', 2 unless @released;
	my ($stdout, $stderr) = run_command([ 'sh', '-c', 'cd "$0" && sha256sum --check --quiet sql/released.sha256', $root ]);
	is("$stdout$stderr", '', 'released scripts are as they were released');
	is(scalar(grep { m{^sql/(?:portable/)?uidext--[\d.]+\.sql$} } @released) % 2, 0, 'of both editions');
}

# Of a version that is frozen the parts say nothing else: what changes after it is
# another version's.
foreach my $edition ([ 'c', 'sql' ], [ 'portable', 'sql/portable' ])
{
	my ($name, $dir) = @$edition;
	my $script = "$dir/uidext--$version.sql";
	next unless grep { $_ eq $script } @released;
	my ($made) = run_command([ 'make', '-s', '-C', $root, 'PGXS=/dev/null', "EDITION=$name", 'print-sql' ]);
	ok(slurp_file("$root/$script") eq "$made\n", "$script is what the parts in sql/ make")
	  or diag("Set default_version in uidext.control to the next version, and write its update: script/update-script $version");
}

done_testing();
