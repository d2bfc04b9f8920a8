# Every call that changes partitions, killed at every step beside readers and
# writers, two at once, and run again: no row is lost, doubled or changed, and
# nothing half-made stays.

use strict;
use warnings;

use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

use lib dirname(__FILE__) . '/../include';
use Crashes;

my $node = PostgreSQL::Test::Cluster->new('kill');
$node->init;
$node->append_conf('postgresql.conf',
	"autovacuum = off\nlock_timeout = '10min'\nrestart_after_crash = on\nTimeZone = 'America/St_Johns'");
$node->start;

my $orders = q("The Shop"."Big 'Orders'");
my $literal = $orders =~ s{'}{''}gr;
my $items = '"The Shop"."Its items"';
my $trips = '"The Shop"."Trips %s"';

# One session answers what the test asks, and holds its lock.  A crash of the server ends the
# session, and the next question begins another.
my $session;

sub ask
{
	my ($query) = @_;

	$session //= $node->background_psql('postgres', on_error_stop => 0);
	return $session->query_safe("RESET ROLE;\n$query");
}

# Whether something becomes true before a process ends.
sub comes_true
{
	my ($condition, $process) = @_;

	while ($process->pumpable)
	{
		return 1 if ask("SELECT $condition") eq 't';
		usleep(30_000);
		$process->pump_nb;
	}
	return 0;
}

# A session called "call" waits, after its n-th command of DDL (before the first:
# 0) or n-th written row, for a lock that the test holds.
$node->safe_psql(
	'postgres', q(
	CREATE EXTENSION uidext;
	CREATE ROLE shop LOGIN;
	CREATE SEQUENCE steps;
	CREATE TABLE stop_at (n bigint);
	GRANT ALL ON SEQUENCE steps TO shop;
	GRANT SELECT ON stop_at TO shop;
	CREATE FUNCTION step() RETURNS bool LANGUAGE plpgsql SET lock_timeout = 0 AS $$
	BEGIN
		IF current_setting('application_name') = 'call' AND nextval('public.steps') = (SELECT n FROM public.stop_at) THEN
			PERFORM pg_advisory_xact_lock(1);
		END IF;
		RETURN true;
	END $$;
	CREATE FUNCTION step_of_ddl() RETURNS event_trigger LANGUAGE plpgsql AS $$
	BEGIN
		IF TG_EVENT = 'ddl_command_end' OR (SELECT NOT is_called FROM public.steps) THEN
			PERFORM public.step();
		END IF;
	END $$;
	GRANT SELECT ON steps TO shop;
	CREATE EVENT TRIGGER step_start ON ddl_command_start EXECUTE FUNCTION step_of_ddl();
	CREATE EVENT TRIGGER step_end ON ddl_command_end EXECUTE FUNCTION step_of_ddl();
));

# Rows of 2023, which are old, in their months; those of 2024 in the default
# partition, or in one of their own; and the present, where writers are at work.
sub setup
{
	my ($rest, $follower) = @_;
	my $follow = $follower ? qq(
		CREATE TABLE $items ("The Id" uuid, n int, PRIMARY KEY ("The Id", n)) PARTITION BY RANGE ("The Id");
		SELECT uuid_partition_follow('$items', '$literal');
		INSERT INTO $items TABLE $orders;) : '';

	ask(qq(
		SET client_min_messages = warning;
		DROP SCHEMA IF EXISTS "The Shop", archive CASCADE;
		CREATE SCHEMA "The Shop" AUTHORIZATION shop;
		CREATE SCHEMA archive AUTHORIZATION shop;
		SET ROLE shop;
		CREATE TABLE "The Shop".ledger (id uuid, n int);
		CREATE TABLE $orders ("The Id" uuid PRIMARY KEY, n int CHECK (n NOT IN (7, 40) OR public.step())) PARTITION BY RANGE ("The Id");
		CREATE TABLE "The Shop"."The ""Rest""" PARTITION OF $orders $rest;
		SELECT uuid_partition_create('$literal', '2023-01-01 00:00 Europe/Berlin',
			'2023-03-01 00:00 Europe/Berlin', '1 month', 'Europe/Berlin');
		CREATE TABLE "The Shop".present PARTITION OF $orders
		FOR VALUES FROM (uuid_boundary('2025-01-01Z')) TO (uuid_boundary('2100-01-01Z'));
		INSERT INTO $orders
		SELECT gen_uuidv7_at(timestamptz '2023-01-01 00:00 Europe/Berlin' + n * interval '1 hour'), n
		FROM generate_series(0, 1400) AS n;
		INSERT INTO $orders
		SELECT gen_uuidv7_at(timestamptz '2024-02-10' + n % 2 * interval '60 days'), n
		FROM generate_series(0, 50) AS n;
		INSERT INTO "The Shop".ledger TABLE $orders;
		CREATE TABLE $trips ("The Id" iuid PRIMARY KEY, n int) PARTITION BY HASH ("The Id" iuid_country_ops);
		$follow
	));
	return;
}

# Every row in the table or in a table that has left it, once and as it was written.
sub sound
{
	my ($left) = @_;
	my @left = grep {
		!ask("SELECT count(*) FROM pg_inherits WHERE inhrelid = '" . s/'/''/gr . "'::regclass AND NOT inhdetachpending")
	} @$left;
	my $rows = join ' UNION ALL ', map { "SELECT * FROM $_" } $orders, @left;

	return ask(
		qq(SELECT count(*) FILTER (WHERE t."The Id" IS NULL) AS lost, count(*) FILTER (WHERE l.id IS NULL) AS more,
			count(*) - count(DISTINCT coalesce(t."The Id", l.id)) AS doubled, count(*) FILTER (WHERE t.n <> l.n) AS changed
		FROM (SELECT * FROM "The Shop".ledger) AS l FULL JOIN ($rows) AS t ON t."The Id" = l.id));
}

# Rows of the follower whose row is not there, and the other way round.
sub unpaired
{
	return ask(qq(
		SELECT count(*)
		FROM $orders AS o
		FULL JOIN $items AS i USING ("The Id", n)
		WHERE o.tableoid IS NULL OR i.tableoid IS NULL));
}

# All tables that there are, and where they hang.
sub tables
{
	return ask(
		q(
			SELECT format('%s %s %s%s', c.oid::regclass, i.inhparent::regclass,
				pg_get_expr(c.relpartbound, c.oid), CASE WHEN i.inhdetachpending THEN ' pending' END)
		FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
		WHERE c.relnamespace::regnamespace::text IN ('"The Shop"', 'archive') AND c.relkind IN ('r', 'p') ORDER BY 1));
}

sub call_in_background
{
	my ($call, $name) = @_;
	my %call = (out => '', err => '');

	$call{process} = IPC::Run::start(
		[ 'psql', '-qXAt', '-d', $node->connstr('postgres') . " user=shop application_name=$name", '-c', $call ],
		'>', \$call{out}, '2>', \$call{err});
	return \%call;
}

# Whether a call comes to wait, for the test or, between two attempts, for the other
# call; if not, it has ended.  For readers and writers it waits as well, but not for long.
sub comes_to_wait
{
	my ($call, $name) = @_;
	my $wait_event = $name eq 'call' ? 'advisory' : 'PgSleep';

	return comes_true(
		"count(*) > 0 FROM pg_stat_activity WHERE application_name = '$name' AND wait_event = '$wait_event'",
		$call->{process});
}

# The next call stops at a step, until the lock goes.
sub stop_at
{
	my ($step) = @_;

	ask("SELECT pg_advisory_lock(1); TRUNCATE stop_at; INSERT INTO stop_at VALUES ($step); SELECT setval('steps', 1, false)");
	return;
}

my $dir = PostgreSQL::Test::Utils::tempdir();
append_to_file("$dir/write.sql", qq(
WITH made AS (INSERT INTO $orders VALUES (gen_uuidv7(), :client_id) RETURNING *) INSERT INTO "The Shop".ledger TABLE made;
WITH made AS (
	INSERT INTO $orders
	VALUES (gen_uuidv7_at(timestamptz '2024-02-10' + random() * interval '5 days'), :client_id)
	RETURNING *)
INSERT INTO "The Shop".ledger TABLE made;
));
append_to_file("$dir/write_both.sql", qq(
WITH made AS (INSERT INTO $orders VALUES (gen_uuidv7(), :client_id) RETURNING *),
	item AS (INSERT INTO $items TABLE made) INSERT INTO "The Shop".ledger TABLE made;
));
append_to_file("$dir/read_both.sql", qq(SELECT FROM $orders JOIN $items USING ("The Id") LIMIT 10;\n));
append_to_file("$dir/read.sql", qq(SELECT count(*) FROM $orders WHERE "The Id" >= now() - interval '1 hour';\n));

# At work until somebody ends them, or the server.  What comes too late is left out,
# for on a slow machine many clients that catch up would leave no time for the call.
sub readers_and_writers
{
	my ($follower) = @_;
	my ($both, $clients) = $follower ? ('_both', 16) : ('', 2);
	my $written = ask('SELECT count(*) FROM "The Shop".ledger');
	my $log = '';
	my $pgbench = IPC::Run::start(
		[ 'pgbench', '-n', '-f', "$dir/write$both.sql", '-f', "$dir/read$both.sql", '-c', $clients, '-R', 100,
			'-L', 1000, '-T', 36000, $node->connstr('postgres') . ' user=shop' ],
		'>', \$log, '2>&1');

	comes_true("count(*) > $written FROM \"The Shop\".ledger", $pgbench) or die "no writer: $log";
	return { process => $pgbench, log => \$log };
}

# The call alone; then killed at its first step, its second, and so on until there
# are no more; then two of it at once, the first one stopped at a step.
sub survives
{
	my ($call, %expect) = @_;
	my ($name) = $call =~ /([a-z]+_partition_[a-z]+)/;
	my $rest = $expect{rest} // 'DEFAULT';
	my $step = 0;

	setup($rest, $expect{follower});
	my $before = tables();
	$node->safe_psql('postgres', "SET ROLE shop; $call");
	my $after = tables();
	isnt($after, $before, "$call");

	setup($rest, $expect{follower});
	while (1)
	{
		stop_at(++$step);
		my $others = readers_and_writers($expect{follower});
		my $called = call_in_background($call, 'call');
		if (!comes_to_wait($called, 'call'))
		{
			ok($called->{process}->finish, 'runs through when nobody kills it') or diag($called->{err});
			end($others);
			last;
		}
		my $pid = ask("SELECT pid FROM pg_stat_activity WHERE application_name = 'call'");
		kill 'KILL', $pid;
		eval { $_->{process}->finish } foreach $called, $others;
		eval { $session->quit };
		undef $session;
		comes_back($node, $pid);
		is(sound($expect{commits} && $expect{left} || []), '0|0|0|0', "$name killed at step $step: no row lost, doubled or changed");
		is(unpaired(), 0, 'nor without its counterpart') if $expect{follower};
		is(tables(), $before, 'and all is as before') unless $expect{commits};
	}
	cmp_ok($step, '>', $expect{steps}, 'at every step');
	finished($name, $after, %expect);

	setup($rest, $expect{follower});
	stop_at(2);
	my $others = readers_and_writers($expect{follower});
	my @called = (call_in_background($call, 'call'));
	ok(comes_to_wait($called[0], 'call'), 'two at once: the first is at work');
	push @called, call_in_background($call, 'second');
	ok(comes_to_wait($called[1], 'second'), 'the second waits for it');
	ask('SELECT pg_advisory_unlock_all()');
	foreach my $called (@called)
	{
		ok($called->{process}->finish, 'no error') or diag($called->{err});
		unlike($called->{err}, qr/WARNING/, 'nor a warning');
	}
	unlike(end($others), qr/error/, 'neither for readers and writers');
	finished("two $name", $after, %expect);
	return;
}

sub end
{
	my ($others) = @_;

	$others->{process}->signal('TERM');
	eval { $others->{process}->finish };
	return ${ $others->{log} };
}

sub finished
{
	my ($name, $after, %expect) = @_;

	ask(qq(DELETE FROM "The Shop".ledger WHERE id < uuid_boundary('$expect{gone}'))) if $expect{gone};
	is(sound($expect{left} // []), '0|0|0|0', "$name: no row lost, doubled or changed");
	is(unpaired(), 0, 'nor without its counterpart') if $expect{follower};
	is(tables(), $after, 'and all is as after one call');
	return;
}

my ($january, $february) = map { "\"The Shop\".\"Big 'Orders'_2023_0$_\"" } 1, 2;

survives(qq(
		SELECT uuid_partition_create('$literal', '2024-06-01 00:00 Europe/Berlin',
			'2024-07-01 00:00 Europe/Berlin', '1 month', 'Europe/Berlin')), steps => 3);
survives("SELECT uuid_partition_drop('$literal', '2023-04-01')", steps => 5, gone => '2023-06-01');
survives("SELECT uuid_partition_drop('$literal', '2023-04-01', detach_only => true)", steps => 3,
	left => [ $january, $february ]);
survives("SELECT uuid_partition_maintain('$literal', '1 year', 1, '1 year')", steps => 7, gone => '2023-06-01');
survives(
	"SELECT uuid_partition_maintain('$literal', '1 year', 1, '1 year', followers => ARRAY['$items'::regclass])",
	steps => 12, gone => '2023-06-01', follower => 1);
survives("SELECT iuid_partition_create('$trips', '{76}', NULL, '2024-06-01 00:00Z', '2024-07-01 00:00Z', '1 month')", steps => 5);
survives("CALL uuid_partition_drain('$literal', '1 month', 'Europe/Berlin')", steps => 5, commits => 1);

$session->quit;
$node->stop;
done_testing();
