# A partition waits to be detached, as DETACH CONCURRENTLY was begun and has not ended: do list,
# drop, maintain and check say so, and does what they advise end it?

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('detach_concurrently');
my ($detaching, $reader) = (session(), session());

# Begins to detach a partition that somebody reads, and gives up.  Returns what the session said.
sub give_up
{
	my ($pid) = @_;

	$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	return error_of($detaching, 'SELECT');
}

sub detach_slowly
{
	my ($table, $partition) = @_;
	my $pid = send_off($detaching, "ALTER TABLE $table DETACH PARTITION $partition CONCURRENTLY");

	wait_until("EXISTS (SELECT FROM pg_inherits, pg_stat_activity
		WHERE inhrelid = '$partition'::regclass AND inhdetachpending AND pid = $pid AND wait_event_type = 'Lock')");
	return $pid;
}

# An old partition of a table whose name has to be quoted, with a gap in May.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE "Odd Events" (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create('"Odd Events"', '2020-01-01', '2020-08-01', '1 month');
DROP TABLE "Odd Events_2020_05";
SQL
my $january = '"Odd Events_2020_01"';
my $first = q(SELECT partition, kind, note FROM uuid_partition_list('"Odd Events"') LIMIT 1);

$reader->query_safe('BEGIN; SELECT count(*) FROM "Odd Events"');
my $pid = detach_slowly('"Odd Events"', $january);
is($node->safe_psql('postgres', $first), "$january|partition|detach pending",
	'list tells of a partition that waits to be detached');
is(at_once(q(SELECT uuid_partition_drop('"Odd Events"', '2020-02-01'))),
	"partition public.$january waits to be detached", 'drop leaves it to who began to detach it');
like(give_up($pid), qr/canceling statement due to user request/, 'the detachment is interrupted');
$reader->query_safe('COMMIT');
is(at_once(qq(ALTER TABLE "Odd Events" DETACH PARTITION $january FINALIZE)), '', 'FINALIZE ends the detachment');
unlike($node->safe_psql('postgres', $first), qr/pending/, 'list tells of it no longer');

# A partition of the present that waits takes no rows of the present.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE bills (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create(
	'bills', date_trunc('year', now(), 'UTC') - interval '2 years', now() + interval '2 years', '2 years');
SQL
my $present = $node->safe_psql('postgres',
	q(SELECT partition FROM uuid_partition_list('bills') ORDER BY from_time LIMIT 1 OFFSET 1));
my $maintain = q(SELECT action, partition, problem FROM uuid_partition_maintain('bills', '2 years', 2));

$reader->query_safe('BEGIN; SELECT count(*) FROM bills');
give_up(detach_slowly('bills', $present));
$node->psql('postgres', $maintain, stdout => \my $actions, stderr => \my $warned);
my $pending = qr/55006: partition public\.$present waits to be detached/;
my $not_created = qr/WARNING:  partition public\.${present}_01_01_\w+ is not created/;
like($actions,
	qr/^not created\|public\.${present}_01_01_\w+\|$pending\ncreated\|public\.bills_\d+\|$/,
	'maintain tells of a partition of the present that waits to be detached');
like($warned,
	qr/$not_created\n.*HINT:  .*ALTER TABLE public\.bills DETACH PARTITION public\.$present FINALIZE/s,
	'maintain says how to end the detachment');
is($node->safe_psql('postgres', q(SELECT status FROM uuid_partition_check('bills') LIMIT 1)), 'CRITICAL',
	'check finds it critical');
$reader->query_safe('COMMIT');
is(at_once("ALTER TABLE public.bills DETACH PARTITION $present FINALIZE"), '', 'the command of the hint ends the detachment');
like($node->safe_psql('postgres', $maintain), qr/^not created\|[^|]*\|42P07/,
	'then the detached table has the name of the one to be made');
$node->safe_psql('postgres', "DROP TABLE $present");
like($node->safe_psql('postgres', $maintain), qr/^created\|[^\n]*$/, 'without the detached table maintain makes the partition');

# psql can detach all old ones without a lock that keeps readers out.
$node->psql('postgres', <<'SQL', stderr => \my $stderr);
SELECT format('ALTER TABLE %s DETACH PARTITION %s CONCURRENTLY', '"Odd Events"'::regclass, partition)
FROM uuid_partition_list('"Odd Events"') WHERE to_time <= '2020-07-01' AND kind = 'partition' AND note IS NULL \gexec
SQL
is($stderr, '', 'psql detaches what list names, with the gap left out');
is(partitions('"Odd Events"'), '"Odd Events_2020_07"', 'all old partitions are detached');

$_->quit foreach $detaching, $reader;
$node->stop;
done_testing();
