# Upkeep beside vacuums of the server's own: it ends none, waits for none longer than
# told, and says which partitions it has left alone.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('autovacuum', 'autovacuum = on', 'autovacuum_naptime = 1', 'deadlock_timeout = 200', 'TimeZone = UTC');

# A table of some thousand pages, of which a vacuum reads ten a second at most:
# none of those here comes to its end by itself while the test looks on.
my $slow = 'fillfactor = 10, autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1';

# Fills a table with ids of a time, and waits for a vacuum of it.  Returns the worker.
sub vacuumed
{
	my ($table, $time, $options) = @_;
	my $worker = "SELECT pid FROM pg_stat_progress_vacuum WHERE relid = '$table'::regclass";

	$node->safe_psql(
		'postgres', qq(
		ALTER TABLE $table SET ($slow);
		INSERT INTO $table SELECT gen_uuidv7_at('$time') FROM generate_series(1, 30000);
		@{[ $options ? "ALTER TABLE $table SET ($options)" : '' ]};
		DELETE FROM $table WHERE ctid = '(0,1)'));
	wait_until("count(*) = 1 FROM ($worker) AS w");
	return $node->safe_psql('postgres', $worker);
}

sub is_vacuumed_by
{
	my ($table, $worker, $name) = @_;

	is($node->safe_psql('postgres', "SELECT pid FROM pg_stat_progress_vacuum WHERE relid = '$table'::regclass"), $worker, $name);
	return;
}

sub create_table
{
	my ($table) = @_;

	$node->safe_psql(
		'postgres', qq(
		CREATE TABLE $table (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
		SELECT uuid_partition_create('$table', '2020-01-01', '2020-02-01', '1 month')));
	return;
}

# The calls give up soon, as the vacuums go on.
my $wait = '50ms';

# What is to go, what is beneath it, and a vacuum that prevents wraparound.

$node->safe_psql(
	'postgres', q(
	CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE visits_2020_01 PARTITION OF visits
	FOR VALUES FROM (uuid_boundary('2020-01-01')) TO (uuid_boundary('2020-02-01'))
	PARTITION BY HASH (id);
	CREATE TABLE visits_2020_01_0 PARTITION OF visits_2020_01 FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	SELECT uuid_partition_create('visits', '2020-02-01', '2020-03-01', '1 month')));
create_table($_) foreach qw(orders old);

# each subtransaction that writes takes a number of its own
my $age = q(CREATE TABLE numbers (n int);
	DO $$
	BEGIN
		FOR n IN 1..100100 LOOP
			BEGIN
				INSERT INTO numbers VALUES (n);
			EXCEPTION WHEN division_by_zero THEN NULL;
			END;
		END LOOP;
	END$$);
$node->safe_psql('postgres', $age);

foreach my $case (
	[ 'orders', 'orders_2020_01', '', 'a partition is vacuumed' ],
	[ 'visits', 'visits_2020_01_0', '', 'a part of it is vacuumed' ],
	[ 'old', 'old_2020_01', 'autovacuum_freeze_max_age = 100000', 'it is vacuumed to prevent wraparound' ])
{
	my ($table, $vacuumed, $options, $what) = @$case;
	my $problem = "table public.$vacuumed is being vacuumed, indexed or altered";
	my $worker = vacuumed($vacuumed, '2020-01-15', $options);
	my $old = qq(
		SELECT action || ' ' || problem
		FROM uuid_partition_maintain('$table', '1 month', 0, '1 year')
		WHERE from_time = '2020-01-01');

	my $vacuum = "$problem: table public.$vacuumed is in use by process $worker";

	# somebody who reads the whole table is in nobody's way here, and is not named
	my $reader = session();
	$reader->query_safe("BEGIN; SELECT count(*) FROM $table");
	is(at_once("SELECT uuid_partition_drop('$table', '2020-02-01')", $wait), $vacuum,
		"drop fails while $what, and names the vacuum");
	is(at_once("SELECT uuid_partition_drop('$table', '2020-02-01', detach_only => true)", $wait), $vacuum,
		'so it does when it shall only detach');
	$node->psql('postgres', "SET lock_timeout = '$wait'; SELECT uuid_partition_drop('$table', '2020-02-01')", stderr => \my $said);
	like($said, qr/HINT:  Call it again when that command has ended\./, 'and says when to call again');
	$reader->quit;
	is(at_once($old, $wait), "not dropped 55P03: $vacuum", 'maintain says the same of this partition');
	is(at_once(qq(
				SELECT count(*) > 0
				FROM uuid_partition_list('$table')
				WHERE kind = 'partition' AND to_time > now()), $wait), 't', 'and makes those that are due');
	is_vacuumed_by($vacuumed, $worker, 'the vacuum goes on');
	$node->safe_psql('postgres',
		"ALTER TABLE $vacuumed SET (autovacuum_enabled = false); SELECT pg_cancel_backend($worker)")
		unless $options;
	is($node->safe_psql('postgres', "SELECT count(*) FROM uuid_partition_drop('$table', '2020-02-01')"), '1',
		'afterwards it goes')
		unless $options;
}

# The default partition.

create_table('items');
$node->safe_psql('postgres', 'CREATE TABLE items_rest PARTITION OF items DEFAULT');
my $worker = vacuumed('items_rest', '2019-06-15', '');
my $problem = 'table public.items_rest is being vacuumed, indexed or altered'
	. ": table public.items_rest is in use by process $worker";
my $others = 'could not obtain lock on table public.items';
is(at_once("SELECT uuid_partition_create('items', '2020-02-01', '2020-03-01', '1 month')", $wait), $problem,
	'create fails while the default partition is vacuumed');
is(at_once("SELECT DISTINCT action || ' ' || problem FROM uuid_partition_maintain('items', '1 month', 0)",
		$wait), "not created 55P03: $problem",
	'maintain says so of each partition');
is(at_once("CALL uuid_partition_drain('items', '1 month', max_rows => 100000)", $wait), $others, 'a drain fails');
is_vacuumed_by('items_rest', $worker, 'the vacuum goes on');
$node->safe_psql('postgres', "ALTER TABLE items_rest SET (autovacuum_enabled = false); SELECT pg_cancel_backend($worker)");
$node->safe_psql('postgres', "CALL uuid_partition_drain('items', '1 month', max_rows => 100000)");
is($node->safe_psql('postgres', 'SELECT count(*) FROM items_2019_06'), '29999', 'and does its work afterwards');

$node->stop;
done_testing();
