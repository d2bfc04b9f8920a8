# Who may insert rows into a default partition does not decide how many partitions one drain makes.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('drain_limit');
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE clicks (id uuid NOT NULL) PARTITION BY RANGE (id);
CREATE TABLE clicks_rest PARTITION OF clicks DEFAULT;
SQL

# A drain looks at each period by itself: so this one is told to end after thirty, where it has a thousand.
my $limit = $ENV{UIDEXT_LONG} ? 1000 : 30;
$node->safe_psql('postgres', qq(
	INSERT INTO clicks
	SELECT gen_uuidv7_at('2020-01-05 00:00+00'::timestamptz + n * interval '1 hour')
	FROM generate_series(1, $limit + 1) n));
my $definition = $node->safe_psql('postgres',
	q(SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = 'uuid_partition_drain'));
is($definition =~ s/\b1 \.\. 1000\b/1 .. $limit/g, 1, 'a drain goes through a thousand periods');
$node->safe_psql('postgres', $definition);

my ($status, $stdout, $stderr) = $node->psql('postgres', q{CALL uuid_partition_drain('clicks', '1 hour', dry_run => true)});
is($status, 0, 'a drain through more periods than that is no error');
my $warning = qr/WARNING:  uuid_partition_drain\(\) stops after 1000 periods, and rows of later periods may be left/;
like($stderr, qr/^[^\n]*$warning\n[^\n]*HINT:  [^\n]* call it again with a later start/m,
	'it ends after so many, and says how to go on');

$node->stop;
done_testing();
