# GRANT changes the catalog's row of a table, and locks no table.  A transaction that has
# granted something on the default partition and goes on keeps no partition from being made.
# One that has granted something on a partition keeps it from being dropped, and is named.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('grant');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
$node->safe_psql(
	'postgres', q(
	CREATE EXTENSION uidext;
	CREATE ROLE reader;
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	INSERT INTO orders
	SELECT gen_uuidv7_at(timestamptz '2019-11-01 00:00+00' + n * interval '1 minute')
	FROM generate_series(1, 100) n;
));
my $granting = $node->background_psql('postgres');
my $pid = $granting->query_safe('SELECT pg_backend_pid()');

# What a call says that shall drop January 2020, and has little time.
sub refused_drop
{
	my ($status, $stdout, $stderr) =
	$node->psql('postgres', q(
		SET lock_timeout = '500ms'; SELECT partition FROM uuid_partition_drop('orders', '2020-02-01 00:00+00')));
	return "$stdout$stderr\n";
}

# From 18 on it locks the table, too, and others wait for its transaction.
if ($node->pg_version >= 18)
{
	$granting->query_safe('BEGIN; GRANT SELECT ON orders_rest TO reader');
	cmp_ok(
		$node->safe_psql('postgres', q(SELECT count(*) FROM pg_locks WHERE relation = 'orders_rest'::regclass)),
		'>', 0, 'GRANT locks the table');
	$granting->query_safe('ROLLBACK');
	$node->safe_psql('postgres', q(SELECT uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month')));
	$granting->query_safe('BEGIN; GRANT SELECT ON orders_2020_01 TO reader');
	like(refused_drop(), qr/table (public\.)?orders_2020_01 is in use by process $pid\n/, 'a drop names the process');
	$granting->quit;
	$node->stop;
	done_testing();
	exit;
}

$granting->query_safe('BEGIN; GRANT SELECT ON orders_rest TO reader');
my ($status, $stdout, $stderr) = $node->psql('postgres', q(
	SELECT count(*)
	FROM uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month')));
is("$stdout$stderr", '2', 'create makes partitions');
($status, $stdout, $stderr) = $node->psql('postgres', q(
	SELECT string_agg(DISTINCT action || coalesce(problem, ''), ', ')
	FROM uuid_partition_maintain('orders', '1 year', 2)));
is("$stdout$stderr", 'created', 'maintain makes them, too');
($status, $stdout, $stderr) = $node->psql('postgres', q(CALL uuid_partition_drain('orders', '1 month')));
like($stderr, qr/^[^\n]*NOTICE:  partition public.orders_2019_11: 100 rows moved$/, 'and a drain moves its rows');
$granting->query_safe('COMMIT');
is($node->safe_psql('postgres', q(SELECT has_table_privilege('reader', 'orders_rest', 'SELECT'))), 't',
	'what was granted is granted');
is($node->safe_psql('postgres', q(SELECT count(*), (SELECT count(*) FROM orders_rest) FROM orders)), '100|0',
	'and the rows are where they belong');

my $changed = qr/process $pid has changed table (public\.)?orders_2020_01, for example by GRANT/;
my $named = qr/$changed, and its transaction has not ended\n/;
foreach my $grant ('GRANT SELECT ON orders_2020_01 TO reader', 'GRANT SELECT (id) ON orders_2020_01 TO reader')
{
	$granting->query_safe("BEGIN; $grant");
	like(refused_drop(),
		qr/lock timeout: ${named}HINT:  Call it again when the transactions that use the table have ended\.\n/,
		"a drop says who has done $grant");
	$granting->query_safe('ROLLBACK');
}
$granting->query_safe('BEGIN; GRANT SELECT ON orders_2020_01 TO reader');
($status, $stdout, $stderr) = $node->psql('postgres',
	q(
		SET lock_timeout = '500ms';
		SELECT problem
		FROM uuid_partition_maintain('orders', '1 year', 2, keep => '1 year')
		WHERE partition ~ '2020_01'));
like("$stdout\n", qr/^55P03: [^\n]*: $named/, 'and so does maintain');
$granting->query_safe('ROLLBACK');
# pg_locks does not have the number of a savepoint that is released.
$granting->query_safe('BEGIN; SAVEPOINT granted; GRANT SELECT ON orders_2020_01 TO reader; RELEASE granted');
like(refused_drop(),
	qr/HINT: [^\n]* an open transaction may have changed the table after a savepoint, for example by GRANT/,
	'else what to look for');
$granting->query_safe('ROLLBACK');
is(refused_drop(), "public.orders_2020_01\n", 'and without it the partition goes');
$granting->quit;

$node->stop;
done_testing();
