# Recipes of doc/recipes, played statement by statement: between any two of them
# the test does what it likes, and where it likes it stops.  A recipe has
#
#   file       of doc/recipes
#   steps      which it takes, in order
#   variables  which a step of a shop gets: a function of shop and step
#   new_after  steps after which new columns lead to the same rows, a pattern
#
# and a shop is a database with the tables of recipes.sql, where an application
# writes and keeps books.

package Recipes;

use strict;
use warnings;

use Exporter qw(import);
use File::Basename qw(basename dirname);
use IPC::Open2;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Test2::API qw(intercept);

our @EXPORT = qw(act detach_halfway differences each_succeeds empty_shop finishes goes_on is_refused_by new_recipe new_sales
	new_shop one_of_each pattern play refused sees server sql step stopped_everywhere stopped_while_waiting subscription succeeds
	under_row_security while_waiting with_defect with_locks);

my $recipes = dirname(__FILE__) . '/../../../doc/recipes';
my $tables = dirname(__FILE__) . '/recipes.sql';
my @old = qw(id order_id other_id parent_id);
my @new = qw(uid order_uid other_uid parent_uid);

# One pattern of parts that follow each other, for what is too long for a line.
sub pattern
{
	my $whole = join '', @_;
	return qr/$whole/;
}

# What only defines a step, or ends it.
my $defines = qr/^\s*(?:SET|ROLLBACK|RESET|SELECT[ ]pg_catalog.pg_advisory_unlock_all
	|(?:CREATE|DROP|INSERT[ ]INTO).{1,30}pg_temp|CREATE[ ]TEMP|INSERT)/x;
my $terminate = q(SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'keeper');
my $databases = 0;
my %session;
my $node;

# Role keeper owns the tables and nothing else, app writes, reader reads.  Most of a step's
# processor time is that of plans for its queries of catalogs, each of which runs once: the
# server looks for them less.  With UIDEXT_LONG, and for a test that says so, as ever.
sub server
{
	my (%how) = @_;
	my @plans = qw(enable_mergejoin=off enable_hashjoin=off enable_bitmapscan=off join_collapse_limit=3 from_collapse_limit=3);

	$node = PostgreSQL::Test::Cluster->new('recipes');
	$node->init;
	$node->append_conf('postgresql.conf', join "\n", 'autovacuum = off', 'wal_level = logical',
		'max_wal_senders = 2', 'log_statement = none', $how{plans} || $ENV{UIDEXT_LONG} ? () : @plans);
	$node->start;
	sql('postgres', 'CREATE ROLE keeper LOGIN; CREATE ROLE app LOGIN; CREATE ROLE reader; GRANT keeper TO CURRENT_USER');
	$node->safe_psql('template1', 'CREATE EXTENSION uidext');
	return $node;
}

# One that would fill what the shop publishes.
sub subscription
{
	my ($shop) = @_;

	return 'CREATE SUBSCRIPTION fills CONNECTION $$' . $node->connstr($shop->{database})
	  . '$$ PUBLICATION shop_orders WITH (create_slot = false, slot_name = NONE, enabled = false)';
}

# By sessions that are kept, of two databases at most, for they ask a thousand
# things; each finds settings as a new session would.
sub sql
{
	my ($database, $sql) = @_;

	disconnect() if keys %session > 1 && !$session{$database};
	local $ENV{PGOPTIONS} = '-c client_min_messages=error';
	$session{$database} //= $node->background_psql($database, on_error_stop => 0);
	return $session{$database}->query_safe("RESET ROLE; RESET ALL;\n$sql");
}

sub disconnect
{
	$_->quit foreach values %session;
	%session = ();
	return;
}

# Less room for locks, or more again.
sub with_locks
{
	my ($n) = @_;

	$node->append_conf('postgresql.conf', "max_locks_per_transaction = $n\nmax_connections = 8");
	disconnect();
	$node->restart;
	return;
}

sub new_recipe
{
	my (%recipe) = @_;

	return { psqlrc => settings_of_a_person(), %recipe };
}

# A psqlrc that turns off what a recipe relies on.
sub settings_of_a_person
{
	my $file = PostgreSQL::Test::Utils::tempdir() . '/psqlrc';

	return $file if -e $file;
	append_to_file($file, <<'PSQL');
\set ON_ERROR_STOP off
\set ON_ERROR_ROLLBACK on
\set FETCH_COUNT 1
\set SHOW_CONTEXT always
\set QUIET off
\timing on
\pset format aligned
\pset expanded on
\pset null (null)
SET default_transaction_isolation = 'serializable';
SET default_transaction_read_only = on;
SET search_path = nowhere, public;
SET row_security = on;
SET lock_timeout = '1ms';
SET client_min_messages = 'log';
SET quote_all_identifiers = on;
SET plpgsql.extra_errors = 'all';
SET plpgsql.extra_warnings = 'all';
SET datestyle = 'SQL, DMY';
SET timezone = 'Asia/Kolkata';
SET intervalstyle = 'sql_standard';
SET extra_float_digits = -15;
SET bytea_output = 'escape';
SET array_nulls = off;
SET xmloption = document;
SET transform_null_equals = on;
\set AUTOCOMMIT off
SELECT set_config('standard_conforming_strings', 'off', false)
FROM (VALUES (current_setting('server_version_num')::int)) AS v (n)
WHERE n < 190000 \gset
PSQL
	return $file;
}

# A shop of which a test makes the tables: a schema of keeper's.
sub empty_shop
{
	sql('postgres', 'CREATE DATABASE shop');
	sql('postgres', 'GRANT ALL ON DATABASE shop TO keeper');
	sql('shop', 'CREATE SCHEMA shop AUTHORIZATION keeper');
	return { database => 'shop' };
}

# A shop whose keys are of a type, made by an expression.  %how has identity
# (keys make themselves), make (how new code makes a new key), partitioned (whether
# the lines are), more (SQL for further tables), parts_too and seen (how all is
# described), and what a test wants to know again.
sub new_shop
{
	my ($name, $type, $make, %how) = @_;
	my $database = "shop_$name" . ++$databases;
	my %psql = (
		key_type => $type,
		key => $type . ($how{identity} ? ' GENERATED BY DEFAULT AS IDENTITY' : ''),
		new_key_body => "SELECT $make",
		partitioned => $how{partitioned} ? 1 : 0);

	sql('postgres', "CREATE DATABASE $database");
	sql('postgres', "GRANT TEMPORARY ON DATABASE $database TO keeper");
	my ($out, $error) = run_command([ 'psql', '-qXd', $node->connstr($database), '-v', 'ON_ERROR_STOP=1',
			(map { ('-v', "$_=$psql{$_}") } sort keys %psql), '-f', $tables ]);
	die $error if $error;
	sql($database, $how{more}) if $how{more};

	my $shop = { make => 'gen_uuidv7()', %how, database => $database, name => $name, n => 0 };
	act($shop, 'old', 'play.new_key()', map { ($_ * 9, $_ * 9 + 1, $_ * 9 + 10, $_ * 9 + 7) } 1 .. 60);
	$shop->{description} = description($shop);
	return $shop;
}

# Of a recipe that makes partitions, which has parts_too => 0, without them; of one
# that leaves more of it another, as its function seen says.
sub description
{
	my ($shop) = @_;
	my $parts_too = $shop->{parts_too} // 1 ? 'true' : 'false';

	my $all = sql($shop->{database}, qq(SELECT * FROM play.description($parts_too) d ORDER BY d COLLATE "C"));

	return $shop->{seen} ? $shop->{seen}->($shop, $all) : $all;
}

sub columns { return join ', ', map { "'$_'" } @{ $_[0] eq 'new' ? \@new : \@old } }

# The application does some things, by its old code or its new one.
sub act
{
	my ($shop, $code, $make, @n) = @_;
	my $gives = $code eq 'old' ? 'true' : 'false';

	sql($shop->{database}, join ';', 'SET ROLE app', map { "SELECT play.act($_, @{[ columns($code) ]}, '$make', $gives)" } @n);
	return;
}

# Rows and references that are not as the books have them.
sub differences { return sql($_[0]{database}, "SELECT * FROM play.differences(@{[ columns($_[1]) ]}) LIMIT 5") }

# The application goes on before each statement.
sub goes_on
{
	my ($shop) = @_;

	return sub {
		sql($shop->{database}, "SET ROLE app; SELECT play.go_on(@{[ ++$shop->{n} ]}, '$shop->{make}')");
		return;
	};
}

sub step
{
	my ($recipe, $shop, $step, %how) = @_;

	return play($node->connstr($shop->{database}) . " user='" . ($how{user} // 'keeper') . "'", $recipe->{file},
		{ do => $step, %{ $how{variables} // { $recipe->{variables}->($shop, $step) } } },
		psqlrc => $recipe->{psqlrc}, directory => $recipe->{directory}, %how);
}

# Steps that succeed, each played as a test plays it.
sub each_succeeds
{
	my ($play, $what, @steps) = @_;

	foreach my $step (@steps)
	{
		my $result = $play->($step);
		is($result->{status}, 0, "$what: $step") or diag($result->{said});
	}
	return;
}

# A step that is refused, played as a test plays it; returns what it says.
sub is_refused_by
{
	my ($play, $what, $step, $why) = @_;
	my $result = $play->($step);

	isnt($result->{status}, 0, "$what: $step is refused");
	like($result->{said}, $why, 'and says why');
	return $result->{said};
}

# A table beside those of the shop: sales of four days, with ids of their hours, in partitions of a day or in none.
sub new_sales
{
	my ($shop, $columns, $in_parts) = @_;
	my $parts = $in_parts ? q(PARTITION BY RANGE (id);
		SELECT count(*)
		FROM uuid_partition_create('sales', '2026-01-01 00:00+00', '2026-01-10 00:00+00', '1 day')) : '';

	sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; DROP TABLE IF EXISTS sales;
		CREATE TABLE sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), $columns) $parts;
		INSERT INTO sales
		SELECT gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 hour'), n
		FROM generate_series(1, 90) n");
	return;
}

# Ends a DETACH CONCURRENTLY while it waits for a reader of the table: the partition stays, and queries do not see it.
sub detach_halfway
{
	my ($shop, $table, $partition) = @_;
	my $reader = $node->background_psql($shop->{database});
	my $detacher = $node->background_psql($shop->{database}, on_error_stop => 0);
	my $pid = $detacher->query_safe('SELECT pg_backend_pid()');

	$reader->query_safe("BEGIN; SELECT count(*) FROM $table");
	$detacher->query_until(qr/sent\n/, "\\echo sent\nALTER TABLE $table DETACH PARTITION $partition CONCURRENTLY;\n");
	$node->poll_query_until($shop->{database},
		"SELECT inhdetachpending FROM pg_inherits WHERE inhrelid = '$partition'::regclass") or die "$partition is not detached";
	sql($shop->{database}, "SELECT pg_cancel_backend($pid)");
	$detacher->query('SELECT');
	$detacher->quit;
	$reader->query_safe('COMMIT');
	$reader->quit;
	return;
}

# A database with a table for each recipe, of an owner, and a first step of each.
sub one_of_each
{
	my ($database, $owner) = @_;

	sql('postgres', "CREATE DATABASE $database");
	sql('postgres', "GRANT ALL ON DATABASE $database TO keeper");
	sql($database, qq(GRANT ALL ON SCHEMA public TO $owner; SET ROLE $owner;
		CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7());
		CREATE TABLE notes (id uuid PRIMARY KEY DEFAULT gen_random_uuid());
		CREATE TABLE accounts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
		CREATE TABLE visits (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
		SELECT count(*) FROM uuid_partition_create('visits', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day');
		SELECT count(*)
		FROM uuid_partition_create(
			'visits', date_trunc('month', now(), 'UTC'), now() + interval '2 months', '1 month')));
	return (
		change_key => [ 'prepare', table => 'accounts', from => 'number' ],
		detach_partitions => [ 'detach', table => 'visits', keep => '2 years' ],
		merge_partitions => [ 'prepare', table => 'visits', start => '2026-01-01 00:00+00', step => '4 days' ],
		move_table => [ 'prepare', table => 'orders' ],
		refresh_mixed => [ 'prepare', table => 'notes' ]);
}

# A step that succeeds, after which all rows and references are there.
sub succeeds
{
	my ($recipe, $shop, $step, $what, %how) = @_;
	my $result = step($recipe, $shop, $step, %how);

	is($result->{status}, 0, "$what: $step") or diag($result->{said});
	is(differences($shop, 'old'), '', "$what: $step loses no row, no reference");
	is(differences($shop, 'new'), '', "$what: $step, nor by the new keys") if $recipe->{new_after} && $step =~ $recipe->{new_after};
	return;
}

sub is_as_it_was
{
	my ($shop, $what) = @_;

	is(description($shop), $shop->{description}, "$what: all else is as it was");
	return;
}

# Steps that succeed, after which the tables are as before.
sub finishes
{
	my ($recipe, $shop, $what, $steps, %how) = @_;

	succeeds($recipe, $shop, $_, $what, %how) foreach @$steps;
	is_as_it_was($shop, $what);
	return;
}

# A step that is refused, and changes nothing.
sub refused
{
	my ($recipe, $shop, $step, $error, $what, %how) = @_;
	my $before = description($shop);
	my $result = step($recipe, $shop, $step, %how);

	isnt($result->{status}, 0, "$what: $step ends with an error");
	like($result->{said}, qr/ERROR:.*$error/s, "$what: $step says why");
	is(description($shop), $before, "$what: $step has changed nothing");
	is(differences($shop, 'old'), '', "$what: $step has lost no row, no reference");
	return;
}

sub no_session
{
	my ($shop) = @_;
	my $is_gone = "NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'keeper' AND datname = '$shop->{database}')";
	my $wait = "DO \$\$ BEGIN
		FOR n IN 1 .. 100 * $PostgreSQL::Test::Utils::timeout_default LOOP
			EXIT WHEN $is_gone;
			PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
		END LOOP;
	END \$\$";

	return sql($shop->{database}, "$wait; SELECT $is_gone") eq 't';
}

# Every step stopped before each of its statements, and run again: the session,
# the server, or psql by a signal that it cannot catch; the person by x and return.  Between
# two statements that only read nothing else can be left than before the first, so that
# only UIDEXT_LONG stops there.
sub stopped_everywhere
{
	my ($recipe, $shop) = @_;
	my $go = goes_on($shop);
	my %stop = (
		kill => sub { 'kill' },
		terminate => sub { sql('postgres', $terminate); return },
		cancel => sub { 'x' },
		crash => sub { disconnect(); $node->stop('immediate'); $node->start; return });
	my @ways = ((qw(kill terminate cancel)) x 3, 'crash');

	foreach my $step (@{ $recipe->{steps} })
	{
		my $stopped = 0;

		for (my $n = 1; ; $n++)
		{
			my $way = $ways[ $n % @ways ];
			my ($reached, $has_read);
			my $result = step($recipe, $shop, $step, between => sub {
					my ($statement, $at) = @_;
					my $only_reads = $statement =~ /^\s*SELECT\b/;
					my $same = $only_reads && $has_read && !$ENV{UIDEXT_LONG};

					$has_read = $only_reads;
					return if $reached || $at < $n || $same;
					$n = $at;
					return $stop{ $reached = $way }->();
				});

			no_session($shop);
			last if !$result->{killed} && $result->{status} == 0;
			return fail("$step fails by itself before statement $n") || diag($result->{said}) if !$reached;
			$stopped++;
			$go->();
			is(differences($shop, 'old'), '', "$step stopped before statement $n by $way");
		}
		cmp_ok($stopped, '>=', 3, "$step: stopped $stopped times");
		is(differences($shop, 'old'), '', "$step, stopped no more");
	}
	is_as_it_was($shop, 'stopped and run again');
	return;
}

# A step, while a transaction of the application holds what it wants: a watcher
# ends it as soon as the step waits, or has failed before.
sub while_waiting
{
	my ($recipe, $shop, $step, $statement, $hold, $end, %how) = @_;
	my $watcher;
	my $script = <<"SQL";
BEGIN;
SET LOCAL ROLE app;
$hold;
SET LOCAL ROLE NONE;
\\echo holds
DO \$\$ BEGIN
	WHILE (SELECT bool_and(coalesce(wait_event, '') NOT IN ('relation', 'virtualxid', 'PgSleep')) FROM pg_stat_activity
		WHERE usename = 'keeper' AND datname = current_database()) LOOP
		PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
	END LOOP;
END \$\$;
$end;
SQL
	my $result = step($recipe, $shop, $step, %how, between => sub {
			return if $watcher || $_[0] !~ $statement;
			$watcher = IPC::Run::start([ 'psql', '-qXAtd', $node->connstr($shop->{database}) ], '<', \$script,
				'>', \my $out, '2>', \my $error);
			$watcher->pump until $out =~ /holds/;
			return;
		});
	die "$shop->{name}: $step did not come to a statement like $statement: $result->{said}" if !$watcher;
	$watcher->finish;
	no_session($shop);
	return $result;
}

# A step is killed while it waits, and then waits to the end.
sub stopped_while_waiting
{
	my ($recipe, $shop, $step, $statement, $hold) = @_;
	my $name = "$shop->{name}: $step";

	isnt(while_waiting($recipe, $shop, $step, $statement, $hold, "$terminate; ROLLBACK")->{status}, 0,
		"$name, killed while it waits");
	is(differences($shop, 'old'), '', "$name, killed while it waits: no row lost, no reference");
	my $result = while_waiting($recipe, $shop, $step, $statement, $hold, 'COMMIT');
	is($result->{status}, 0, "$name, which waits") or diag($result->{said});
	is(differences($shop, 'old'), '', "$name, which waits: no row lost, no reference");
	return;
}

# Row security that hides rows from the owner, from any step on.
sub under_row_security
{
	my ($recipe, $shop, @tables) = @_;

	foreach my $step (@{ $recipe->{steps} })
	{
		foreach my $table (@tables)
		{
			my $enabled = sql($shop->{database}, "SELECT relrowsecurity FROM pg_class WHERE oid = 'shop.$table'::regclass") eq 't';

			sql($shop->{database}, "ALTER TABLE shop.$table ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY");
			refused($recipe, $shop, $step, 'row-level security', "forced on $table");
			sql($shop->{database}, qq(
				ALTER TABLE shop.$table NO FORCE ROW LEVEL SECURITY)
				. ($enabled ? '' : ', DISABLE ROW LEVEL SECURITY'));
		}
		succeeds($recipe, $shop, $step, 'no longer forced');
	}
	is_as_it_was($shop, 'row security');
	return;
}

# A recipe with old defects put back into a copy of it: patterns that go.
sub with_defect
{
	my ($recipe, $name, %edit) = @_;
	my $directory = PostgreSQL::Test::Utils::tempdir() . "/$name";

	mkdir $directory or die;
	foreach my $file (glob("$recipes/*.psql"))
	{
		my $text = slurp_file($file);

		foreach my $defect (sort keys %edit)
		{
			$edit{$defect}-- if $text =~ s/$defect//g;
		}
		append_to_file("$directory/" . basename($file), $text);
	}
	is_deeply([ grep { $edit{$_} != 0 } keys %edit ], [], "$name: each defect is in");
	return new_recipe(%$recipe, directory => $directory, psqlrc => '/dev/null');
}

sub sees
{
	my ($name, $play) = @_;
	my $failed = intercept { $play->() };

	ok((grep { $_->isa('Test2::Event::Ok') && !$_->pass } @$failed) > 0, "$name is seen");
	return;
}

# Plays a file as its role: between is called with each statement before it runs,
# kills psql if it answers 'kill', and cancels the statement if 'x'.  What psql says.
sub play
{
	my ($connection, $file, $variables, %how) = @_;
	my $directory = $how{directory} // $recipes;
	my $said = '';
	my $seen = '';
	my $n = 0;

	local $SIG{ALRM} = sub { die "$file does not end: $seen" };
	alarm $PostgreSQL::Test::Utils::timeout_default;
	local $ENV{PSQLRC} = $how{psqlrc} // '/dev/null';
	my $pid = open2(my $out, my $in, 'sh', '-c', 'exec "$@" 2>&1', 'sh', 'psql', '-s', '-d', $connection,
		(map { ('-v', "$_=$variables->{$_}") } sort keys %$variables), '-f', "$directory/$file");
	while (sysread($out, my $piece, 65536))
	{
		$seen .= $piece;
		while ($seen =~ s/^(.*?)[\/*]+\(Single step mode: verify command\)\*+\/?\n(.*?)\n[\/*]+\(press return[^\n]*\n//s)
		{
			my $statement = $2;

			$said .= $1;
			# what only defines a step is part of it
			next if !$how{between} || $statement =~ $defines;
			my $answer = $how{between}->($statement, ++$n) // '';
			if ($answer eq 'kill')
			{
				kill 'KILL', $pid;
				waitpid $pid, 0;
				alarm 0;
				return { killed => 1, said => $said };
			}
			syswrite $in, $answer;
		}
		continue { syswrite $in, "\n" }
	}
	waitpid $pid, 0;
	alarm 0;
	return { status => $? >> 8, said => $said . $seen, statements => $n };
}

END { disconnect() }

1;
