# The first week on a service, as doc/managed.md says: the blocks of its chapter and
# those of doc/first-week.md, by roles of which none is superuser, with the SQL
# edition and, where it is, pg_cron.
use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../include';
use Managed;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};

$ENV{PGTZ} = 'UTC';

my $page = page('doc/managed.md');
my ($prepare) = $page =~ /^## With psql, anywhere\n(.*?)^### A tour/ms;
my ($week) = $page =~ /^## Your first week on a service\n(.*?)^## /ms;
my ($before) = $week =~ /(.*?)^### /ms;
my %day = $week =~ /^### ([^\n]+?) there\b[^\n]*\n(.*?)(?=^### |\z)/gms;
my $first_week = page('doc/first-week.md');

my ($sharedir) = run_command([ $ENV{PG_CONFIG}, '--sharedir' ]);
my $has_cron = -e "$sharedir/extension/pg_cron.control";
my $node = managed_server('week', $has_cron ? ("shared_preload_libraries = 'pg_cron'", 'cron.use_background_workers = on') : ());

# What a role sees: the result, warnings and errors.
sub sees
{
	my ($database, $role, $sql) = @_;
	my ($stdout, $stderr);

	$node->psql($database, $sql, extra_params => [ '-U', $role ], stdout => \$stdout, stderr => \$stderr, on_error_stop => 0);
	return "$stdout\n$stderr";
}

play("$prepare$before", 'installer', 'shop_owner');

# Day 1.
my ($day_1, $later) = $first_week =~ /^(## Day 1: .*?)^(## .*)/ms;
play($day{'Day 1'}, 'shop_owner', 'nobody');
cmp_ok(play($day_1 =~ s/^CREATE EXTENSION.*\n//mr, 'nobody', 'shop_owner'), '>', 1, 'the table is there');

my (undef, $why, $hint) = $day{'Day 1'} =~ /^(?:WARNING|DETAIL|HINT):  (.+)$/mg;
my $sales = q(SELECT * FROM uuid_partition_maintain('sales.orders', '1 month'));
$node->safe_psql('shop', q(
	CREATE ROLE clerk;
	CREATE SCHEMA sales AUTHORIZATION clerk;
	GRANT USAGE, CREATE ON SCHEMA sales TO shop_owner;
	CREATE TABLE sales.orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
	ALTER TABLE sales.orders OWNER TO shop_owner));
my $refused = sees('shop', 'shop_owner', $sales);
like($refused, qr/^DETAIL:  \Q$why\E\nHINT:  \Q$hint\E$/m, 'a table that somebody else could replace is refused');
$node->safe_psql('shop', $hint =~ s/^Run: //r);
unlike(sees('shop', 'shop_owner', $sales), qr/not created/, 'and the hint is a way out');

# Day 2, from a machine of one's own.
my @lines = $day{'Day 2'} =~ /^[\d* ]+ deploy (psql .*)$/mg;
is(scalar @lines, 2, 'lines of cron');
is((shell('nobody', $_))[1], '', 'a line of cron names its role') foreach @lines;

# Day 2, with pg_cron.
SKIP:
{
	my ($grant, $schedule, $look) = $day{'Day 2'} =~ /^```sql pg_cron\n-- as [^\n]+ in the database postgres\n(.*?)^```$/gms;
	my ($without_usage, $without_execute) = $day{'Day 2'} =~ /^\| `(permission denied [^`]+)`, or `(permission denied [^`]+)`/m;
	my ($for_another) = $day{'Day 2'} =~ /^\| `(must be superuser [^`]+)`/m;

	skip 'pg_cron is not installed', 6 unless $has_cron;
	$node->safe_psql('postgres', 'CREATE EXTENSION pg_cron');
	like(sees('postgres', 'shop_owner', $schedule), qr/ERROR:  \Q$without_usage\E/, 'without the first grant nobody schedules');
	$node->safe_psql('postgres', $grant =~ s/^GRANT EXECUTE.*\n//mr);
	like(sees('postgres', 'shop_owner', $schedule), qr/ERROR:  \Q$without_execute\E/, 'nor without the second');
	$node->safe_psql('postgres', $grant);
	like(sees('postgres', 'shop_owner', $schedule =~ s/'shop'\)/'shop', 'shop_owner')/gr),
		qr/ERROR:  \Q$for_another\E/, 'and nobody names a role');
	unlike(sees('postgres', 'shop_owner', $schedule), qr/ERROR/, 'as the page says, it is scheduled');

	$node->safe_psql('shop', q(
			SELECT format('DROP TABLE %s', partition)
			FROM uuid_partition_list('orders')
			WHERE from_time > now() \gexec), extra_params => [ '-U', 'shop_owner' ]);
	sees('postgres', 'shop_owner', $schedule =~ s/'[\d* ]+ \*[\d* ]*'/'* * * * *'/gr);
	$node->poll_query_until('postgres',
		q(SELECT count(DISTINCT jobid) = 2 FROM cron.job_run_details WHERE status IN ('succeeded', 'failed')))
		or die 'no job runs';
	my $seen = sees('postgres', 'shop_owner', $look);
	like($seen, qr/^\Q$_\E\|succeeded\|/m, "the job \"$_\" succeeds") foreach 'orders', 'orders analyze';
	is($node->safe_psql('shop', q(SELECT count(*) FROM uuid_partition_list('orders') WHERE from_time > now())),
		3, 'and the months are there');
	sees('postgres', 'shop_owner', 'SELECT cron.unschedule(jobname) FROM cron.job');
}

# Day 3.
play($day{'Day 3'}, 'watcher', 'nobody');

# Day 4.
play($day{'Day 4'}, 'shop_owner', 'nobody');
is($node->safe_psql('shop_restored', 'SELECT count(*) FROM orders'),
	$node->safe_psql('shop', 'SELECT count(*) FROM orders'), 'each row is restored');
like(sees('shop_restored', 'shop_owner',
		q(INSERT INTO orders (customer, total) VALUES (1, 1) RETURNING 'taken')), qr/^taken$/m,
	'and new ones are made');

# Later days, and the night.
$later =~ s/^```sh\n.*?^```\n//gms;
cmp_ok(play($later, 'nobody', 'shop_owner'), '>', 5, 'what the first week says later holds here, too');

# The owner of the table sees who is in the way, and ends it.
my ($find) = $later =~ /^```sql\n(WITH [^`]*? pg_locks .*?)^```$/ms or die 'the page does not say how to find who is in the way';
$node->safe_psql('shop', 'GRANT SELECT, UPDATE ON orders TO owner', extra_params => [ '-U', 'shop_owner' ]);
my $other = $node->background_psql('shop', on_error_stop => 0, extra_params => [ '-U', 'owner' ]);
$other->query_safe('BEGIN; LOCK TABLE orders IN SHARE UPDATE EXCLUSIVE MODE');
my ($pid) = sees('shop', 'shop_owner', $find) =~ /^[^|]+\|(\d+)\|owner\|idle in transaction\|orders\|.*LOCK TABLE/m;
ok($pid, 'the session in the way is found');
like(sees('shop', 'shop_owner', "SELECT 'ended' WHERE pg_terminate_backend($pid, 180000)"), qr/^ended$/m,
	'and ended, without a superuser');
eval { $other->quit };

# Recipes.
$node->safe_psql('shop', q(
	CREATE TABLE payments (
		id uuid PRIMARY KEY DEFAULT gen_random_uuid(), paid_at timestamptz NOT NULL DEFAULT now());
	INSERT INTO payments DEFAULT VALUES),
	extra_params => [ '-U', 'shop_owner' ]);
my ($prepare_recipe) = $day{'Recipes'} =~ /^```sh\n(.*?)^```$/ms;
foreach my $step ('prepare', 'fill', 'switch', 'drop')
{
	my (undef, $stderr) = shell('shop_owner',
		$step eq 'prepare' ? $prepare_recipe : $prepare_recipe =~ s/-v from=.*-v do=prepare/-v do=$step/r);
	unlike($stderr, qr/ERROR/, "a recipe: $step");
}
is($node->safe_psql('shop', 'SELECT count(*) FROM payments WHERE uuidv7_is_valid(uid)'), 1, 'the keys have changed');

is($node->safe_psql('postgres', "SELECT count(*) FROM pg_roles WHERE rolsuper AND rolname <> current_user"), 0,
	'all that by roles that are no superusers');
$node->stop;
done_testing();
