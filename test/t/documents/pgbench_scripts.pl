# The scripts for pgbench that a DBA runs on his own server: the lines of
# bench/README.md, for every key, and what the report says of them.

use strict;
use warnings;

use Cwd qw(realpath);
use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $root = realpath(dirname(__FILE__) . '/../../..');
plan skip_all => 'no bench/ here' unless -e "$root/bench/README.md";

my $node = PostgreSQL::Test::Cluster->new('pgbench_scripts');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
$ENV{PGDATABASE} = 'postgres';

my ($lines) = slurp_file("$root/bench/README.md") =~ /^```sh\n(psql -f bench\/pgbench.*?)^```$/ms;
my @commands = map { s/\s+# .*//r } split /\n/, $lines;
is(scalar(@commands), 7, 'the page has seven lines');

# The same, shorter.
sub run
{
	my ($command, $key) = @_;
	my $short = $command =~ s/-T 60/-t 5/r =~ s/rows=100000/rows=20000/r =~ s/-t 10/-t 2/r =~ s/key=\w+/key=$key/r;
	my @words = map { s{^bench/}{$root/bench/}r =~ s/^'|'$//gr } $short =~ /('[^']*'|\S+)/g;
	my ($stdout, $stderr);

	my $result = IPC::Run::run(\@words, '>', \$stdout, '2>', \$stderr);
	ok($result, $short) or diag($stderr);
	return $stdout;
}

run(shift @commands, '');
my $drop = pop @commands;
my $report = pop @commands;
my @keys = split /\n/,
	$node->safe_psql('postgres',
	qq(
		SELECT relname
		FROM pg_class
		WHERE relnamespace = 'uidext_bench'::regnamespace AND relkind = 'r' AND relname <> 'wal'
		ORDER BY 1));
cmp_ok(scalar(@keys), '>=', 7, 'tables for keys');
foreach my $key (@keys)
{
	run($_, $key) foreach @commands;
}

# 8 clients, 5 transactions: rows by insert, index and COPY; then twice 20,000.
my $rows = 8 * 5 * (1 + 1000 + 1000) + 2 * 20000;
my $told = run($report, '');

my %density;
foreach my $key (@keys)
{
	like($told, qr/ $key +\| +$rows \| +[\d.]+ \| +[\d.]+ \| +[\d.]+$/m, "the report has $key, with all its rows");
	($density{$key}) = $told =~ / $key +\| +\d+ \| +[\d.]+ \| +([\d.]+)/;
}
cmp_ok($density{gen_uuidv7}, '>', $density{gen_random_uuid}, 'and shows the density of ordered keys beside random ones');
run($drop, '');
is($node->safe_psql('postgres', "SELECT to_regnamespace('uidext_bench') IS NULL"), 't', 'and nothing stays');

done_testing();
