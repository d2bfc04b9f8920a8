# Servers that are copies of one another make no id twice, even of the same
# moment: a cold copy, and a base backup of which two are promoted.
use strict;
use warnings;

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# With a clock that stands still for all of them, where there is such a thing,
# ids differ by what is random alone.
my ($libfaketime) = grep { -e } glob('/usr{,/local}/lib{,64}{,/*}/faketime/libfaketime.so.1');
sub start
{
	my ($node) = @_;
	local %ENV = (
		%ENV,
		$libfaketime
		? ( LD_PRELOAD => $libfaketime,
			FAKETIME => '2026-03-04 05:06:07',
			FAKETIME_DISABLE_SHM => 1,
			DONT_FAKE_MONOTONIC => 1)
		: ());
	$node->start;
}

my @families = (
	'gen_uuidv7()', "gen_uuidv7_at('2026-01-01')",
	'gen_comb()', "gen_comb_at('2026-01-01')",
	'gen_suffix_comb()', 'gen_short_comb()', 'gen_short_suffix_comb()',
	"gen_sequence_comb('numbers')",
	'gen_iuid(76, 1)', "gen_iuid_at('2026-01-01', 76, 1)",
	'gen_uuidv1()', 'gen_uuidv6()', 'gen_uuidv13()', "gen_uuidv6_at('2026-01-01')",
	'gen_ulid()::uuid', "gen_ulid_at('2026-01-01')::uuid");

# An iUID has 48 random bits: of more than a few at one moment two may be equal by chance.
my %count = map { $_ => /iuid/ ? 200 : 5000 } @families;

# Ids of each family, one file a family.
my $dir = PostgreSQL::Test::Utils::tempdir;
sub statements
{
	my ($node, %number) = @_;
	my $file = "$dir/" . $node->name;
	return join '', map {
		"COPY (SELECT $families[$_] FROM generate_series(1, $number{$families[$_]})) TO '$file.$_';\n"
	} 0 .. $#families;
}

# Preloaded, and copied after it has made ids: neither may matter.
my $original = PostgreSQL::Test::Cluster->new('original');
$original->init(allows_streaming => 1);
$original->append_conf('postgresql.conf', "shared_preload_libraries = 'uidext'");
start($original);
$original->safe_psql('postgres', 'CREATE EXTENSION uidext; CREATE SEQUENCE numbers');
$original->safe_psql('postgres', statements($original, map { $_ => 1 } @families));
$original->backup('base');
$original->stop;
$original->backup_fs_cold('cold');

my $cold = PostgreSQL::Test::Cluster->new('cold');
$cold->init_from_backup($original, 'cold');
my @promoted = map { PostgreSQL::Test::Cluster->new("promoted$_") } 1 .. 2;
foreach my $node (@promoted)
{
	$node->init_from_backup($original, 'base');
	$node->set_standby_mode;
}
my @nodes = ($original, $cold, @promoted);
start($_) foreach @nodes;
$_->promote foreach @promoted;

# All at once.
my @running = map {
	my $statements = statements($_, %count);
	IPC::Run::start([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $_->connstr('postgres') ], '<', \$statements)
} @nodes;
is(scalar(grep { $_->finish } @running), scalar @nodes, 'all servers make ids');

$original->safe_psql('postgres', 'CREATE UNLOGGED TABLE made (id uuid)');
foreach my $n (0 .. $#families)
{
	$original->safe_psql('postgres', join '', 'TRUNCATE made;', map { "COPY made FROM '$dir/" . $_->name . ".$n';" } @nodes);
	my $all = $count{$families[$n]} * @nodes;
	is($original->safe_psql('postgres', q{SET work_mem = '256MB'; SELECT count(*), count(DISTINCT id) FROM made}),
		"$all|$all", "$families[$n]: none twice");
}

$_->stop foreach @nodes;
done_testing();
