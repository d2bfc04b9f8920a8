# uidext.control states the version, and every other file agrees.
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

done_testing();
