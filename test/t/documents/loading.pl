# doc/loading.md says when COPY inserts row by row: so it does in each case of its
# table, and in batches where the page says what to do instead.

use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../include';
use Batches;
use OneSession;
use PostgreSQL::Test::Utils;
use Test::More;

# By the beginning of the reason: what makes the table orders, what COPY adds, and
# what to do instead, if that is anything.
my %case = (
	'another column has a volatile default' => {
		make => 'CREATE TABLE orders (id uuid DEFAULT gen_uuidv7(), made timestamptz DEFAULT clock_timestamp(), n int)',
		instead => 'ALTER TABLE orders ALTER made SET DEFAULT now()' },
	'the table has a BEFORE or INSTEAD OF trigger' => {
		make => q(CREATE TABLE orders (id uuid DEFAULT gen_uuidv7(), n int);
			CREATE FUNCTION check_order() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
			CREATE TRIGGER check_order BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION check_order()) },
	'the table is partitioned and has an AFTER trigger' => {
		make => q(CREATE TABLE orders (id uuid DEFAULT gen_uuidv7(), n int) PARTITION BY RANGE (n);
			CREATE TABLE orders_1 PARTITION OF orders DEFAULT;
			CREATE FUNCTION count_orders() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM count(*) FROM new_orders; RETURN NULL; END';
			CREATE TRIGGER count_orders AFTER INSERT ON orders REFERENCING NEW TABLE AS new_orders
			FOR EACH STATEMENT
			EXECUTE FUNCTION count_orders()),
		instead => 'DROP TRIGGER count_orders ON orders' },
	'`COPY … WHERE` calls a volatile function' => {
		make => 'CREATE TABLE orders (id uuid DEFAULT gen_uuidv7(), n int)',
		where => 'WHERE random() < 2' },
	'the generator is called in PL/pgSQL' => {
		make => q(CREATE FUNCTION next_id() RETURNS uuid LANGUAGE plpgsql AS 'BEGIN RETURN gen_uuidv7(); END';
			CREATE TABLE orders (id uuid DEFAULT next_id(), n int)),
		instead => 'ALTER TABLE orders ALTER id SET DEFAULT gen_uuidv7()' },
	# countries/citus has this one
	'the database has the extension [Citus]' => undef,
	'the generator is one of the [SQL edition]' => undef,
	'the default is `gen_random_uuid()`' => {
		make => 'CREATE TABLE orders (id uuid DEFAULT gen_random_uuid(), n int)',
		instead => 'ALTER TABLE orders ALTER id SET DEFAULT gen_uuidv7()' });

my $case_of_parts = $case{'the table is partitioned and has an AFTER trigger'}{make};
my $page = slurp_file(dirname(__FILE__) . '/../../../doc/loading.md');
my ($rows) = $page =~ /^\| reason \| what to do \|\n.*\n((?:\|.*\n)+)/m;
my @reasons = $rows =~ /^\| (.*?) \|/gm;

my $node = OneSession->new('loading');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext; CREATE EXTENSION pg_walinspect');

my $dir = PostgreSQL::Test::Utils::tempdir;
my $copy = q(COPY orders (n) FROM PROGRAM 'seq 500');
sub copied
{
	my ($command) = @_;
	return inserted($node, 'postgres', $command);
}

foreach my $reason (@reasons)
{
	my ($known) = grep { index($reason, $_) == 0 } keys %case;

	ok(defined $known, "there is a test of: $reason") or next;
	my $of = delete $case{$known};
	next if !defined $of;

	$node->safe_psql('postgres', $of->{make});
	is(copied("$copy " . ($of->{where} // '')), 'row by row', "row by row: $reason");
	if ($of->{instead})
	{
		$node->safe_psql('postgres', $of->{instead});
		is(copied($copy), 'in batches', "in batches by what to do: $reason");
	}
	$node->safe_psql('postgres', 'DROP TABLE orders');
}
is(join(', ', keys %case), '', 'the page still names each reason that is tested');

# An SQL function that PostgreSQL inlines is as good as what it calls.
my $function = 'CREATE OR REPLACE FUNCTION next_order() RETURNS uuid LANGUAGE sql';
$node->safe_psql('postgres', "$function RETURN gen_uuidv7(); CREATE TABLE orders (id uuid DEFAULT next_order(), n int)");
is(copied($copy), 'in batches', 'an SQL function that PostgreSQL inlines');
$node->safe_psql('postgres', "$function SET search_path = public RETURN gen_uuidv7()");
is(copied($copy), 'row by row', 'one that it does not inline');

# The way out of the SQL edition: no default is evaluated.
$node->safe_psql('postgres', "COPY (SELECT gen_uuidv7(), n FROM generate_series(1, 500) AS n) TO '$dir/orders'; TRUNCATE orders");
is(copied("COPY orders (id, n) FROM '$dir/orders'"), 'in batches', 'ids in the file');

# What the page lets a person type to see whether a load has batches.
my ($orders) = $page =~ /^(CREATE TABLE orders [^;]+;)$/m;
my ($compare) = $page =~ /^## Is my load fast\?\n.*?^```sql\n(.*?)^```$/ms;
my $bytes = sub { return split /\n/, $node->safe_psql('postgres', $compare) };
$node->safe_psql('postgres', "DROP TABLE orders; $orders");
my ($by_copy, $by_insert) = $bytes->();
cmp_ok($by_copy, '<', 0.8 * $by_insert, 'batches write clearly less WAL than rows one by one');
$node->safe_psql('postgres', qq(
	DROP TABLE orders;
	$orders CREATE TRIGGER check_order BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION check_order()));
($by_copy, $by_insert) = $bytes->();
cmp_ok($by_copy, '>', 0.9 * $by_insert, 'without batches both write the same');
$node->safe_psql('postgres', 'DROP TABLE orders');

# A trigger of the whole table does not fire for a load of one partition.
$node->safe_psql('postgres', "DROP FUNCTION count_orders; $case_of_parts");
is(inserted($node, 'postgres', $copy =~ s/orders/orders_1/r), 'in batches', 'a partition by itself');

$node->stop;
done_testing();
