# Does doc/partition-upkeep.md tell the locks that each call holds, on a table that has all that can be
# locked besides?

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('page_of_locks');
my $caller = session();

# The page's table: for each call the strongest lock on the table, its default partition, a table
# to which it refers and one that refers to it, with | between them.
sub read_page
{
	my $cell = qr/([A-Z -]+?) *\|/;
	my $text = slurp_file(dirname(__FILE__) . '/../../../doc/partition-upkeep.md');
	my %page;

	while ($text =~ /^\| *(uuid_\w+[^|]*?) *\| *$cell *$cell *$cell *$cell$/gm)
	{
		my ($calls, $locks) = ($1, join ' | ', $2, $3, $4, $5);
		$page{$_} = $locks foreach split /, /, $calls;
	}
	return %page;
}

# The locks that the session holds, written like those of the page.  As all calls may
# write rows, locks of writers are left out.
my $held = <<'SQL';
SELECT string_agg(coalesce(upper(strongest), '-'), ' | ' ORDER BY place)
FROM unnest('{sales,sales_rest,customers,sale_lines}'::text[]) WITH ORDINALITY AS locked(name, place)
LEFT JOIN LATERAL (
	SELECT btrim(regexp_replace(replace(mode, 'Lock', ''), '([A-Z])', ' \1', 'g')) AS strongest FROM pg_locks
	WHERE pid = pg_backend_pid() AND relation = name::regclass AND mode <> 'RowExclusiveLock'
	ORDER BY array_position('{AccessExclusiveLock,ExclusiveLock,ShareRowExclusiveLock,ShareLock,
		ShareUpdateExclusiveLock,RowShareLock,AccessShareLock}', mode)
	LIMIT 1
) AS l ON true
SQL

$node->safe_psql('postgres', <<'SQL');
CREATE TABLE customers (id int PRIMARY KEY);
INSERT INTO customers VALUES (1);
CREATE TABLE sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), customer int REFERENCES customers) PARTITION BY RANGE (id);
CREATE TABLE sales_rest PARTITION OF sales DEFAULT;
CREATE TABLE sale_lines (sale uuid REFERENCES sales);
SELECT uuid_partition_create('sales', '2020-01-01', '2020-03-01', '1 month');
-- more than below, as the month may end meanwhile
SELECT uuid_partition_maintain('sales', '1 month', 4);
INSERT INTO sales VALUES (gen_uuidv7_at('2019-05-01'), 1);
SQL

my %page = read_page();
my %calls = (
	uuid_partition_create => q{SELECT uuid_partition_create('sales', '2018-03-01', '2018-04-01', '1 month')},
	uuid_partition_drop => q{SELECT uuid_partition_drop('sales', '2020-02-01')},
	'uuid_partition_drop detach_only' => q{SELECT uuid_partition_drop('sales', '2020-02-01', true)},
	'uuid_partition_maintain that makes' => q{SELECT uuid_partition_maintain('sales', '1 month', 8)},
	'uuid_partition_maintain that drops' => q{
		SELECT uuid_partition_maintain('sales', '1 month', 8, keep => now() - timestamptz '2020-02-01')},
	'uuid_partition_maintain (nothing to do)' => q{SELECT uuid_partition_maintain('sales', '1 month')},
	uuid_partition_drain => q{
		SELECT uidext_internal.partition_drain_next(
			'sales', '1 month', 'UTC', NULL, NULL, 10, false, NULL, NULL)},
	uuid_partition_list => q{SELECT uuid_partition_list('sales')},
	uuid_partition_check => q{SELECT uuid_partition_check('sales')},
);
foreach my $call (sort keys %calls)
{
	$caller->query_safe("BEGIN; $calls{$call}");
	is($page{$call}, $caller->query_safe($held), "doc/partition-upkeep.md tells the locks of $call");
	$caller->query_safe('ROLLBACK');
}

$node->safe_psql('postgres', <<'SQL');
CREATE TABLE receipts (sale uuid PRIMARY KEY) PARTITION BY RANGE (sale);
SELECT uuid_partition_follow('receipts', 'sales');
SQL
foreach my $call ('uuid_partition_maintain that makes', 'uuid_partition_maintain that drops')
{
	my ($table, $default) = map { s/ //gr } map { lc } (split / \| /, $page{$call})[ 0, 1 ];

	$caller->query_safe('BEGIN; ' . $calls{$call} =~ s/\)$/, followers => '{receipts}')/r);
	is(lc locks($caller, 'receipts', 'receipts_rest'), "receipts $table, receipts_rest $default",
		"$call locks a follower like the table");
	$caller->query_safe('ROLLBACK');
}

$caller->quit;
$node->stop;
done_testing();
