# A step whose psql is killed while it waits for a lock, or for transactions of others, ends in
# the server as well. It does not get its lock later, when its user has left.

use strict;
use warnings;

use File::Basename qw(dirname);
use IPC::Run;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $recipes = dirname(__FILE__) . '/../../../doc/recipes';
my $node = server();
my $database = 'killed';
my $table = 'CREATE TABLE shop.sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), at timestamptz NOT NULL DEFAULT now())';
my $today = q(date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC');
my $parts = "$table PARTITION BY RANGE (id); SELECT count(*) FROM uuid_partition_create('shop.sales', $today - "
		. "interval '5 days', $today + interval '2 days', '1 day')";
my @steps = (
	[ change_key => $table, do => 'prepare', from => 'v4', created => 'at' ],
	[ move_table => $table, do => 'prepare' ],
	[ merge_partitions => $parts, do => 'prepare', start => 'four days ago', step => '3 days' ],
	[ refresh_mixed => $table, do => 'prepare' ],
	[ detach_partitions => $parts, do => 'detach', keep => '3 days' ]);

plan skip_all => 'this operating system does not tell when a client has gone'
  if $node->psql('postgres', q(SET client_connection_check_interval = '1s')) != 0;
sql('postgres', "CREATE DATABASE $database");
sql('postgres', "GRANT ALL ON DATABASE $database TO keeper");

my $sessions = q(FROM pg_stat_activity WHERE usename = 'keeper' AND datname = current_database());
my $shape = q(SELECT count(*), sum(hashtext(relname)::bigint) FROM pg_class WHERE relnamespace = 'shop'::regnamespace);

foreach (@steps)
{
	my ($recipe, $made, %told) = @$_;
	my ($in, $said) = ('', '');

	$told{start} = sql($database, "SELECT $today - interval '4 days'") if $told{start};
	sql($database, qq(
		SET client_min_messages = error;
		DROP SCHEMA IF EXISTS shop CASCADE;
		CREATE SCHEMA shop AUTHORIZATION keeper;
		SET ROLE keeper;
		$made));
	my $before = sql($database, $shape);

	my $reader = $node->background_psql($database);
	$reader->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM shop.sales');
	my $psql = IPC::Run::start([ 'psql', '-qXd', $node->connstr($database) . ' user=keeper',
			(map { ('-v', "$_=$told{$_}") } sort keys %told), '-v', 'table=shop.sales', '-f',
			"$recipes/$recipe.psql" ], '<', \$in, '>', \$said, '2>&1');
	ok($node->poll_query_until($database,
		"SELECT EXISTS (SELECT $sessions AND wait_event IN ('relation', 'virtualxid', 'PgSleep'))"),
		"$recipe waits for a reader") or diag($said);
	$psql->kill_kill(grace => 0);
	ok($node->poll_query_until($database, "SELECT NOT EXISTS (SELECT $sessions)"),
		'and ends with its psql, while the reader reads on');
	$reader->query_safe('COMMIT');
	$reader->quit;
	is(sql($database, $shape), $before, 'nothing was made') if $recipe !~ /move|merge/;
}

done_testing();
