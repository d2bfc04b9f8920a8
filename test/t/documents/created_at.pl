# Each line of doc/keys.md's table of generated columns gives the time of the ids
# that it names.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my %generator = (
	'UUIDv7' => 'gen_uuidv7_at(at)',
	'UUIDv6' => 'gen_uuidv6_at(at)',
	"Lambert's v13" => 'gen_uuidv13_at(at)',
	'UUIDv1' => 'gen_uuidv1_at(at)',
	'iUID' => 'gen_iuid_at(at, 76, 1)',
	'COMB' => 'gen_comb_at(at)',
	'suffix COMB' => 'gen_suffix_comb_at(at)',
	'ULID' => 'gen_ulid_at(at)');

my $node = OneSession->new('created_at');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');
my $major = $node->safe_psql('postgres', "SELECT current_setting('server_version_num')::int / 10000");

sub generated
{
	my ($type, $expression, $kind) = @_;
	return "CREATE TABLE readings (id $type, made timestamptz, created_at timestamptz GENERATED ALWAYS AS ($expression) $kind)";
}

my $page = slurp_file(dirname(__FILE__) . '/../../../doc/keys.md');
my %told;
while ($page =~ /^\| ([^|]+) \| `(\w+)` \| `([^`|]+)` \| `(STORED|VIRTUAL)` \| (\d+) \|$/gm)
{
	my ($families, $type, $expression, $kind, $from) = ($1, $2, $3, $4, $5);

	foreach my $family (split /, /, $families)
	{
		$told{"$family $kind"}++;
	  SKIP:
		{
			skip "$kind is from $from on", 1 if $major < $from;
			is( $node->safe_psql(
					'postgres', generated($type, $expression, $kind) . qq{;
					INSERT INTO readings (id, made) SELECT $generator{$family}, at
					FROM generate_series(timestamptz '1970-01-01 00:00+00', '2200-01-01', '1000 hours 1.234567 s') AS at;
					SELECT count(*) > 2000,
						count(*) FILTER (WHERE date_trunc('milliseconds', created_at)
							IS DISTINCT FROM date_trunc('milliseconds', made))
					FROM readings;
					DROP TABLE readings}),
				't|0',
				"$family in $type: $expression $kind");
		}
	}
}
is(scalar(grep { $told{"$_ STORED"} } keys %generator), scalar(keys %generator),
	'the table has a stored column for every family with a time');
is(join(', ', sort grep { $told{"$_ VIRTUAL"} } keys %generator), 'COMB, UUIDv1, UUIDv7, iUID, suffix COMB',
	'and a virtual one for those that PostgreSQL can read');

SKIP:
{
	skip 'no virtual columns before 18', 2 if $major < 18;
	foreach my $refused ([ 'uuid', 'uuid_time(id)' ], [ 'iuid', "to_timestamp(lpad(left(id::text, 8), 9, 'x')::bit(32)::bigint)" ])
	{
		my $stderr;

		$node->psql('postgres', generated(@$refused, 'VIRTUAL'), stderr => \$stderr);
		like($stderr, qr/generation expression uses user-defined/, "a virtual column cannot have $refused->[1] of type $refused->[0]");
	}
}

done_testing();
