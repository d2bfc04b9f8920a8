# Which session reads the rows of a temporary table?  The one whose table it is, and no other, although one role owns both
# sessions: PostgreSQL keeps such rows in the memory of a session.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('temporary');
my ($owner, $other) = (session(), session());

$owner->query_safe(q(
	CREATE TEMP TABLE parcels (id uuid) PARTITION BY RANGE (id);
	CREATE TEMP TABLE parcels_rest PARTITION OF parcels DEFAULT;
	INSERT INTO parcels VALUES (uuid_boundary('2020-01-05 00:00+00'))));
my $parcels = $owner->query_safe(q(SELECT 'parcels'::regclass::oid));
my $list = qq(SELECT kind, from_time AT TIME ZONE 'UTC', note FROM uuid_partition_list(${parcels}::regclass));
is($owner->query($list), 'default|2020-01-05 00:00:00|', 'the session whose table it is finds the first row');
is($other->query($list), 'default||not looked into', 'another one is told that the rows were not looked into');
is(said($other), '', 'and gets no error');

$_->quit foreach $owner, $other;
$node->stop;
done_testing();
