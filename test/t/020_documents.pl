# Every SQL block of the documents runs, in the order of the document, and the
# README's reference is what the catalog says.

use strict;
use warnings;

use File::Basename qw(basename dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $root = dirname(__FILE__) . '/../..';
my $node = PostgreSQL::Test::Cluster->new('documents');

$node->init;
$node->start;

# doc/regions.md needs several servers and is run by 010_regions.pl,
# doc/partitioning-tools.md needs the tools and is run by 016 and 017.
foreach my $document (grep { basename($_) !~ /^(regions|partitioning-tools)\.md$/ } "$root/README.md", glob("$root/doc/*.md"))
{
	my @blocks = slurp_file($document) =~ /^```sql\n(.*?)^```$/gms;
	my $name = basename($document, '.md');
	my ($stdout, $stderr);

	# Removal is shown last, and what is in use refuses it.
	my $script = join "\n", map { s/^DROP EXTENSION.*$//mr } @blocks;
	$script = "CREATE EXTENSION uidext;\n$script" unless $script =~ /CREATE EXTENSION uidext/;

	$node->safe_psql('postgres', qq(CREATE DATABASE "$name"));
	my $status = $node->psql($name, $script, stdout => \$stdout, stderr => \$stderr, on_error_stop => 1);
	is($status, 0, scalar(@blocks) . " blocks of $name run") or diag($stderr);
}

$node->safe_psql('postgres', 'CREATE DATABASE reference');
$node->safe_psql('reference', 'CREATE EXTENSION uidext');
my ($reference) = slurp_file("$root/README.md") =~ /^<!-- reference: .*?-->\n(.*?)^<!-- end of reference -->/ms;
my ($catalog) = run_command([ 'psql', '-qX', '-d', $node->connstr('reference'), '-f', "$root/doc/reference.sql" ]);
is($reference, "$catalog\n", 'the reference of the README is up to date');

done_testing();
