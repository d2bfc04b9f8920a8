# CREATE INDEX CONCURRENTLY and GRANT beside upkeep that is called again and again: neither
# is ever ended by a deadlock or by a concurrent update, and upkeep goes on.

use strict;
use warnings;

use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

# The sooner a deadlock is looked for, the more are found.
my $node = server('concurrent_index', "deadlock_timeout = '100ms'", 'max_locks_per_transaction = 256');
$node->safe_psql(
	'postgres', q(
	CREATE ROLE app;
	CREATE TABLE customers (id int PRIMARY KEY, name text);
	INSERT INTO customers SELECT n, 'x' FROM generate_series(1, 1000) n;
	CREATE TABLE orders (id uuid PRIMARY KEY, customer int REFERENCES customers) PARTITION BY RANGE (id);
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	SELECT count(*) FROM uuid_partition_create('orders', date_trunc('month', now(), 'UTC') - interval '3 months', now(), '1 month');
));

# What runs beside, each time from the state that it needs.
my $rounds = $ENV{UIDEXT_LONG} ? 40 : 3;
my %upkeep = (
	maintain => sub { "SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', " . $_[0] . ')' },
	drop => sub { "SELECT count(*) FROM uuid_partition_drop('orders', now() - interval '1 month')" },
	detach => sub { "SELECT count(*) FROM uuid_partition_drop('orders', now() - interval '1 month', detach_only => true)" },
	drain => sub {
		qq(INSERT INTO orders SELECT gen_uuidv7_at(timestamptz '2010-01-05 00:00+00' + $_[0] * interval '31 days');
			CALL uuid_partition_drain('orders', '1 month'))
	},
);
my %indexed = (
	'a partition' => sub {
		$node->safe_psql('postgres',
			"SELECT partition FROM uuid_partition_list('orders') WHERE from_time <= now() AND to_time > now()")
	},
	'the default partition' => sub { 'orders_rest' },
	'a referenced table' => sub { 'customers' },
);

sub deadlocks { return scalar(() = slurp_file($node->logfile) =~ /ERROR:  deadlock detected/g) }

foreach my $table (sort keys %indexed)
{
	foreach my $call (sort keys %upkeep)
	{
		my ($invalid, @errors) = (0);

		foreach my $round (1 .. $rounds)
		{
			my $on = $indexed{$table}->();

			# the old months that have gone before
			$node->safe_psql('postgres', q(
				SELECT format('DROP TABLE %s', oid::regclass)
				FROM pg_class
				WHERE relname ~ '^orders_\d' AND relkind = 'r' AND NOT relispartition \gexec
				SELECT count(*)
				FROM uuid_partition_create(
					'orders', date_trunc('month', now(), 'UTC') - interval '3 months', now(), '1 month')));
			# an application's transaction for which the index has to wait
			my $application = session();
			$application->query_safe($on eq 'customers' ? "BEGIN; UPDATE customers SET name = 'y' WHERE id = 1"
				: "BEGIN; INSERT INTO $on SELECT gen_uuidv7() WHERE false; LOCK TABLE $on IN ROW EXCLUSIVE MODE");
			my ($said, $made) = ('', '');
			my $index = IPC::Run::start([ 'psql', '-qXAt', '-d', $node->connstr('postgres'), '-c',
				"CREATE INDEX CONCURRENTLY made_beside ON $on (" . ($on eq 'customers' ? 'name' : 'customer')
					. ')' ], '>', \$made, '2>', \$made);
			wait_until(q(EXISTS (SELECT FROM pg_stat_activity WHERE query ~ '^CREATE INDEX CONCURRENTLY' AND wait_event_type = 'Lock')));
			my $beside = IPC::Run::start([ 'psql', '-qXAt', '-d', $node->connstr('postgres') . ' application_name=upkeep', '-c',
				"SET lock_timeout = '2s'", map { ('-c', $_) } split /;\n/, $upkeep{$call}->($round) ], '>', \$said, '2>', \$said);
			# the application goes on while upkeep tries
			$node->poll_query_until('postgres',
				q(
					SELECT count(*) = 0 OR bool_or(wait_event_type = 'Lock' OR wait_event = 'PgSleep')
					FROM pg_stat_activity
					WHERE application_name = 'upkeep'));
			$application->query_safe('COMMIT');
			$application->quit;
			$index->finish;
			$beside->finish;
			push @errors, $made =~ s/\n.*//sr if $made =~ /ERROR/;
			$invalid += $node->safe_psql('postgres', q(
				SELECT count(*) FROM pg_index WHERE NOT indisvalid AND indexrelid = to_regclass('made_beside')));
			$node->safe_psql('postgres', 'SET client_min_messages = error; DROP INDEX IF EXISTS made_beside');
		}
		is(join("\n", @errors), '', "an index on $table beside $call: CREATE INDEX CONCURRENTLY always ends well");
		is($invalid, 0, "an index on $table beside $call: none is left invalid");
	}
}
is(deadlocks(), 0, 'the server has found no deadlock');

# A unique index could fail yet, and what REINDEX builds takes the place of another one: a month that is made meanwhile has
# neither.
$node->safe_psql('postgres', q(
	CREATE TABLE readings (id uuid PRIMARY KEY, meter int, note text) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_maintain('readings', '1 month', 0)));
my $present = $node->safe_psql('postgres', "SELECT partition FROM uuid_partition_list('readings')");
foreach my $build (
	[ "CREATE UNIQUE INDEX CONCURRENTLY ON $present (meter)", 'id' ],
	[ "REINDEX TABLE CONCURRENTLY $present", 'id, meter' ],
	[ "CREATE INDEX CONCURRENTLY ON $present (note)", 'id, meter, note' ])
{
	my ($command, $has) = @$build;
	my $application = session();
	my $made = '';

	# the newest is the one that is built on
	$node->safe_psql('postgres', q(
		SELECT format('DROP TABLE %s', partition)
		FROM uuid_partition_list('readings')
		WHERE from_time > now() \gexec));
	$application->query_safe("BEGIN; LOCK TABLE $present IN ROW EXCLUSIVE MODE");
	my $index = IPC::Run::start([ 'psql', '-qXAt', '-d', $node->connstr('postgres'), '-c', $command ], '>', \$made, '2>', \$made);
	wait_until(q(EXISTS (
		SELECT FROM pg_stat_activity
		WHERE query ~ '^(CREATE|REINDEX).* CONCURRENTLY' AND wait_event_type = 'Lock')));
	$node->safe_psql('postgres', q(SELECT count(*) FROM uuid_partition_maintain('readings', '1 month', 1)));
	is($node->safe_psql('postgres', q(SELECT string_agg(a.attname, ', ' ORDER BY a.attname) FROM uuid_partition_list('readings') l
			JOIN pg_index i ON i.indrelid = l.partition::regclass
			JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
			WHERE l.from_time > now())),
		$has, "a month that is made beside $command has an index by $has");
	$application->query_safe('COMMIT');
	$application->quit;
	$index->finish;
	is($made, '', 'which ends well');
}

# A GRANT beside a call that has nothing to do, either of them first.
my ($one, $two) = (session(), session());
$node->safe_psql('postgres', q(SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', 30)));
my $idle = q(SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', 1));
foreach my $privilege (qw(SELECT INSERT UPDATE))
{
	$one->query_safe("BEGIN; GRANT $privilege ON orders TO app");
	is($two->query("SET lock_timeout = '5s'; $idle"), 0, "$privilege is granted meanwhile: maintain has nothing to do");
	is(said($two), '', "$privilege is granted meanwhile: and says nothing");
	$one->query_safe('COMMIT');

	$one->query_safe("BEGIN; $idle");
	is(error_of($two, "SET lock_timeout = '5s'; REVOKE $privilege ON orders FROM app"),
		'', "$privilege is revoked while a transaction has called maintain: it does not fail");
	$one->query_safe('COMMIT');
}

# A GRANT on an old partition that is committed while a call waits to drop that partition: the partition goes, and the month
# that is due is made.
$node->safe_psql('postgres', q(
	CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT count(*)
	FROM uuid_partition_create(
		'visits', date_trunc('month', now(), 'UTC') - interval '5 months', now(), '1 month')));
foreach my $call (q(uuid_partition_maintain('visits', '1 month', 1, '4 months')),
	q(uuid_partition_drop('visits', now() - interval '3 months')))
{
	my $old = $node->safe_psql('postgres', "SELECT partition FROM uuid_partition_list('visits') ORDER BY from_time LIMIT 1");
	my $said = '';

	$one->query_safe("BEGIN; GRANT SELECT ON $old TO app");
	my $run = IPC::Run::start([ 'psql', '-qXAt', '-d', $node->connstr('postgres'), '-c',
		qq(
			SET application_name = 'upkeep';
			SET lock_timeout = '60s';
			SELECT problem FROM $call WHERE problem IS NOT NULL) ], '>', \$said, '2>', \$said);
	$node->poll_query_until('postgres', q(
		SELECT EXISTS (
			SELECT FROM pg_stat_activity
			WHERE application_name = 'upkeep' AND wait_event IN ('transactionid', 'tuple'))));
	$one->query_safe('COMMIT');
	$run->finish;
	is($said, '', "$call tells no error beside a GRANT on an old partition");
	is($node->safe_psql('postgres', "SELECT to_regclass('$old') IS NULL"), 't', 'which goes');
}
is($node->safe_psql('postgres', q(SELECT count(*) FROM uuid_partition_list('visits') WHERE from_time > now())),
	1, 'and the month that is due is made');
$_->quit foreach $one, $two;

$node->stop;
done_testing();
