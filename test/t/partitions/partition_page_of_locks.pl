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

# A call that makes and drops.  What keeps others out of the table is locked while new partitions are attached only if
# these need locks that others notice themselves.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create('visits', '2020-01-01', '2020-02-01', '1 month');
SELECT uuid_partition_create('visits', date_trunc('month', now(), 'UTC'), now(), '1 month');
CREATE TABLE held (at text, is_exclusive bool);
CREATE FUNCTION see() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE
	seen CONSTANT regclass := current_setting('my.relation', true);
BEGIN
	IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() c JOIN pg_inherits i ON c.objid IN (i.inhrelid, i.inhparent)
			WHERE i.inhparent = seen) THEN
		INSERT INTO public.held
		SELECT CASE WHEN EXISTS (SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid AND c.relname ~ '_2020_01$'
				WHERE i.inhparent = seen) THEN 'attach' ELSE 'detach' END,
			EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND relation = seen AND mode = 'AccessExclusiveLock');
	END IF;
END $$;
CREATE EVENT TRIGGER see ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION see();
SQL

# Whether the table is locked ACCESS EXCLUSIVE while a call attaches partitions to it, and while it detaches some.
sub is_exclusive
{
	my ($table, $parent, $followers) = @_;
	$caller->query_safe(qq(
		BEGIN;
		SET LOCAL my.relation = 'public.$table';
		SELECT uuid_partition_maintain('$parent', '1 month', 12, keep => now() - timestamptz '2020-02-01', followers => '$followers')));
	my $held = $caller->query_safe(q(SELECT string_agg(DISTINCT concat_ws(' ', at, is_exclusive), ', ' ORDER BY concat_ws(' ', at, is_exclusive)) FROM held));

	$caller->query_safe('ROLLBACK');
	return $held;
}

my $text = slurp_file(dirname(__FILE__) . '/../../../doc/partition-upkeep.md');
like($text, qr/the call takes the locks of a drop before it attaches the new partitions/,
	'doc/partition-upkeep.md says when a drop locks the table while others are made');
is(is_exclusive('sales', 'sales', '{receipts}'), 'attach t, detach t', 'so it is beside a default partition');
is(is_exclusive('visits', 'visits', '{}'), 'attach f, detach t', 'without one partitions are made before what goes is locked');
$node->safe_psql('postgres', q(
	CREATE TABLE pages (visit uuid PRIMARY KEY) PARTITION BY RANGE (visit);
	SELECT uuid_partition_follow('pages', 'visits')));
is(is_exclusive('visits', 'visits', '{pages}'), 'attach f, detach t', 'so it is in a family');
is(is_exclusive('pages', 'visits', '{pages}'), 'attach f, detach t', 'and for a follower');
foreach my $case (
	[ 'ALTER TABLE visits ADD COLUMN customer int REFERENCES customers', 'a foreign key of the whole table' ],
	[ 'CREATE TABLE visitors (visit uuid REFERENCES visits)', 'a foreign key to the whole table' ],
	[ 'ALTER TABLE pages ADD FOREIGN KEY (visit) REFERENCES visits', 'one of a follower\'s whole table' ],
	[ 'CREATE TABLE pages_rest PARTITION OF pages DEFAULT', 'a default partition of a follower' ])
{
	my ($command, $what) = @$case;

	$node->safe_psql('postgres', $command);
	is(is_exclusive('visits', 'visits', '{pages}'), 'attach t, detach t', "it is not so beside $what");
	$node->safe_psql('postgres', $command =~ /^CREATE TABLE (\w+)/ ? "DROP TABLE $1"
		: $command =~ /COLUMN/ ? 'ALTER TABLE visits DROP COLUMN customer' : 'ALTER TABLE pages DROP CONSTRAINT pages_visit_fkey');
}

# Others use the table meanwhile: what is made stays made, and what goes is tried again.
my $reader = session();
$reader->query_safe('BEGIN; SELECT count(*) FROM visits');
is($caller->query_safe(q(
		SET client_min_messages = error;
		SET lock_timeout = '1s';
		BEGIN;
		SET LOCAL my.relation = 'public.visits';
		SELECT string_agg(DISTINCT concat_ws(' ', action, left(problem, 5)), ', ') FROM uuid_partition_maintain('visits', '1 month', 12,
			keep => now() - timestamptz '2020-02-01', followers => '{pages}'))),
	'created, not dropped 55P03', 'partitions are made beside a reader, and what it reads stays');
is($caller->query_safe(q(SELECT max(n) FROM (SELECT count(*) AS n FROM held WHERE at = 'detach') h; ROLLBACK)), '0', '(none was detached)');
$reader->quit;

$caller->quit;
$node->stop;
done_testing();
