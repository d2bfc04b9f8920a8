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
INSERT INTO clicks SELECT gen_uuidv7_at('2020-01-05 00:00+00'::timestamptz + n * interval '1 hour') FROM generate_series(1, 1001) n;
SQL

my ($status, $stdout, $stderr) = $node->psql('postgres', q{CALL uuid_partition_drain('clicks', '1 hour', dry_run => true)});
is($status, 0, 'a drain through more periods than that is no error');
like($stderr, qr/^[^\n]*WARNING:  uuid_partition_drain\(\) ends after 1000 periods, and rows of later ones may be left\n[^\n]*HINT:  [^\n]* call it again with a later start/m,
	'it ends after 1000, and says how to go on');

$node->stop;
done_testing();
