# pg_cron keeps the partitions of a table, as a user who is not a superuser.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('cron');
$node->init;
$node->start;
if ($node->safe_psql('postgres', "SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_cron'") == 0)
{
	plan skip_all => 'pg_cron is not installed';
}

# Its jobs connect as any client does.
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'pg_cron'\ncron.host = '" . $node->host . "'");
$node->restart;
$node->safe_psql(
	'postgres', q(
	CREATE EXTENSION pg_cron;
	CREATE EXTENSION uidext;
	CREATE ROLE shop LOGIN;
	GRANT USAGE ON SCHEMA cron TO shop;
	GRANT CREATE ON SCHEMA public TO shop;
	SET ROLE shop;
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), item text) PARTITION BY RANGE (id);
	CREATE TABLE events (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
	CREATE TABLE events_rest PARTITION OF events DEFAULT;
	INSERT INTO events VALUES (gen_uuidv7_at(now() + interval '15 years'));
	SELECT uuid_partition_create('orders', '2020-01-01', '2020-02-01', '1 month');
));

# Seconds came with 1.5, before that a job can wait for a minute.
my $version = $node->safe_psql('postgres', "SELECT extversion FROM pg_extension WHERE extname = 'pg_cron'");
my $schedule = $version < 1.5 ? '* * * * *' : '1 seconds';
note("pg_cron $version, $schedule");

sub schedule
{
	my ($table, $arguments) = @_;
	return $node->safe_psql(
		'postgres', qq{
		SET ROLE shop;
		SELECT cron.schedule('$table', '$schedule', \$\$SELECT uuid_partition_maintain('$table', $arguments)\$\$)});
}

# The first run of a job that has ended.  It is the last one, too.
sub first_run
{
	my ($job) = @_;
	my $ended = "FROM cron.job_run_details WHERE jobid = $job AND status IN ('succeeded', 'failed')";

	$node->poll_query_until('postgres', "SELECT count(*) > 0 $ended") or die "job $job does not run";
	$node->safe_psql('postgres', "SET ROLE shop; SELECT cron.unschedule($job)");
	return $node->safe_psql('postgres', "SELECT status, return_message $ended ORDER BY runid LIMIT 1");
}

# long periods, as the year may end meanwhile
my $maintain = schedule('orders', "'2 years', 2, '2 years'");
my $failing = schedule('events', "'10 years'");

like(first_run($maintain), qr/^succeeded\|/, 'the job succeeds');
is( $node->safe_psql(
		'postgres', q(
		SELECT count(*) FILTER (WHERE to_time > now()), count(*) FILTER (WHERE to_time <= now() - interval '2 years'),
			count(*) FILTER (WHERE kind = 'gap'), bool_and(relowner = 'shop'::regrole)
		FROM uuid_partition_list('orders') LEFT JOIN pg_class ON oid = partition)),
	'3|0|0|t', 'partitions are there, old ones are gone');
is($node->safe_psql('postgres', "INSERT INTO orders (item) VALUES ('a') RETURNING tableoid::regclass::text ~ '^orders_\\d{4}'"),
	't', 'and rows go in');

like(first_run($failing), qr/^succeeded\|4 rows/, 'a job goes on when one partition cannot be made');
is($node->safe_psql('postgres', "SELECT count(*) FROM uuid_partition_list('events') WHERE kind = 'partition'"),
	'3', 'and makes the others');
my $not_created = qr/WARNING:  partition public\.events_\w+ is not created/;
like(slurp_file($node->logfile),
	qr/$not_created\n.*\bDETAIL:  23514: default partition public\.events_rest has rows of this period/,
	'the log says which, and why');

# The jobs of doc/partitions.md, for a table of another database by a superuser alone.
my ($chapter) = slurp_file(dirname(__FILE__) . '/../../../doc/partitions.md') =~ /^## Maintain\n(.*?)(?=^### Watch\n)/ms;
my @jobs = $chapter =~ /^(SELECT cron\.schedule\(.*;)$/gm;
is(scalar @jobs, 2, 'the page has two jobs');
foreach (@jobs)
{
	my ($name, $at) = /schedule\('([^']+)', '([^']+)'/;
	my $job = $node->safe_psql('postgres', 'SET ROLE shop; ' . s/\Q$at\E/$schedule/r =~ s/'$name'/'$name of the page'/r);
	like(first_run($job), qr/^succeeded\|/, "$name: the job of the page succeeds");
}
is($node->safe_psql('postgres', q(SELECT reltuples >= 0 FROM pg_class WHERE oid = 'orders'::regclass)), 't',
	'the table was analyzed as a whole');
my ($elsewhere) = $chapter =~ /`SELECT (cron\.schedule_in_database)\(/;
is( $node->safe_psql('postgres',
	"SELECT has_function_privilege('shop', oid, 'EXECUTE') FROM pg_proc WHERE oid = '$elsewhere'::regproc"),
	'f', 'the owner of the table makes no jobs in other databases');
my $there = $node->safe_psql('postgres',
	"SELECT $elsewhere('there', '$schedule', 'SELECT current_user', 'template1', username => 'shop')");
is($node->safe_psql('postgres', "SELECT database, username FROM cron.job WHERE jobid = $there"),
	'template1|shop', 'a superuser makes them for the owner');

$node->stop;
done_testing();
