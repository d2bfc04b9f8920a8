# Which locks do create, list and drop hold, and whom among readers and writers do they wait for
# and keep waiting?

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('beside_readers');
my ($caller, $reader) = (session(), session());
my @tables = qw(orders orders_rest customers lines);

# Orders reference customers, and lines reference orders.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE customers (id int PRIMARY KEY);
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), customer int REFERENCES customers) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
CREATE TABLE lines (order_id uuid REFERENCES orders, line int);
INSERT INTO customers VALUES (1);
INSERT INTO orders VALUES (gen_uuidv7_at('2019-01-01'), 1);
SELECT uuid_partition_maintain('orders', '2 years', 2);
SELECT uuid_partition_create('orders', '2020-02-01', '2020-06-01', '1 month');
SQL

# A query of orders locks the default partition, too; one of ONLY orders and an insert do not.
$reader->query_safe('BEGIN; SELECT count(*) FROM orders; INSERT INTO orders VALUES (DEFAULT, 1)');
has_to_wait("SELECT uuid_partition_create('orders', '2021-01-01', '2021-02-01', '1 month')",
	'create waits for a reader of the default partition');
$reader->query_safe('ROLLBACK; BEGIN; SELECT count(*) FROM ONLY orders; INSERT INTO orders VALUES (DEFAULT, 1)');
is(at_once("SELECT uuid_partition_create('orders', '2021-01-01', '2021-02-01', '1 month')"),
	'orders_2021_01', 'create does not wait for a reader and writer of the parent');

$caller->query_safe("BEGIN; SELECT uuid_partition_create('orders', '2021-02-01', '2021-03-01', '1 month')");
is(locks($caller, @tables),
	'customers ShareRowExclusive, lines ShareRowExclusive, orders ShareUpdateExclusive, orders_rest AccessExclusive',
	'create holds these locks');
is(at_once("INSERT INTO orders VALUES (DEFAULT, 1) RETURNING 'written'"), 'written', 'rows are written before create commits');
is(at_once("SELECT count(*) FROM orders WHERE id >= timestamptz '2021-01-01' AND id < timestamptz '2021-02-01'"),
	'0', 'rows are read before create commits');
has_to_wait("SELECT count(*) FROM uuid_partition_list('orders') WHERE kind = 'partition'",
	'list waits for create, as it looks into the default partition');
$caller->query_safe('COMMIT');
is($reader->query_safe("INSERT INTO orders VALUES (gen_uuidv7_at('2021-02-03'), 1) RETURNING tableoid::regclass"),
	'orders_2021_02', 'a transaction that began before finds the new partition');
$reader->query_safe('ROLLBACK');

foreach my $case (
	[ "SELECT count(*) FROM uuid_partition_list('orders')", '', 'list holds no locks but those of a reader' ],
	[ "SELECT uuid_partition_drop('orders', '2020-01-15')", 'orders ShareUpdateExclusive',
		'drop holds one lock where it finds nothing' ],
	[
		"SELECT uuid_partition_drop('orders', '2020-03-01', detach_only => true)",
		'customers ShareRowExclusive, lines AccessExclusive, orders AccessExclusive, orders_rest AccessExclusive',
		'drop holds these locks where it detaches'
	],
	[
		"SELECT uuid_partition_drop('orders', '2020-03-01')",
		'customers AccessExclusive, lines AccessExclusive, orders AccessExclusive, orders_rest AccessExclusive',
		'drop holds these locks where it drops'
	])
{
	my ($call, $locks, $name) = @$case;

	$caller->query_safe("BEGIN; $call");
	is(locks($caller, @tables), $locks, $name);
	$caller->query_safe('ROLLBACK');
}

$_->quit foreach $caller, $reader;
$node->stop;
done_testing();
