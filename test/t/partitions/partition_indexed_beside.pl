# A lock as CREATE INDEX CONCURRENTLY holds it, on each table that a call locks beside the
# partitioned ones.  The call does not queue for that table, where it could be part of a
# deadlock that ends the index: it says at once what goes on there.  Of a table that refers to
# the partitioned one no partition is locked.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('indexed_beside');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nmax_locks_per_transaction = 64");
$node->start;
$node->safe_psql(
	'postgres', q(
	CREATE EXTENSION uidext;
	CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month');
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT PARTITION BY HASH (id);
	CREATE TABLE orders_rest_0 PARTITION OF orders_rest FOR VALUES WITH (MODULUS 1, REMAINDER 0);

	CREATE TABLE parcels (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT uuid_partition_create('parcels', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month');
	-- its partition of January refers to those of two tables
	CREATE TABLE items (order_id uuid PRIMARY KEY) PARTITION BY RANGE (order_id);
	SELECT uuid_partition_create('items', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
	ALTER TABLE items_2020_01 ADD FOREIGN KEY (order_id) REFERENCES orders_2020_01;
	ALTER TABLE items_2020_01 ADD FOREIGN KEY (order_id) REFERENCES parcels_2020_01;

	-- a table that follows, with partitions of its own bounds
	CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT uuid_partition_create('visits', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month');
	CREATE TABLE payments (order_id uuid PRIMARY KEY) PARTITION BY RANGE (order_id);
	CREATE TABLE payments_2020 PARTITION OF payments
		FOR VALUES FROM (uuid_boundary('2020-01-01 00:00+00')) TO (uuid_boundary('2021-01-01 00:00+00'));
));

# a transaction that holds what CREATE INDEX CONCURRENTLY holds
my $index = $node->background_psql('postgres', on_error_stop => 0);
foreach (
	[ 'orders_rest_0',
		q(SELECT uuid_partition_create('orders', '2020-04-01 00:00+00', '2020-05-01 00:00+00', '1 month')),
		'a part of a divided default partition' ],
	[ 'orders_2020_02', q(SELECT problem FROM uuid_partition_follow('items', 'orders')),
		'the partition to which a new one shall refer' ],
	[ 'parcels_2020_02', q(SELECT problem FROM uuid_partition_follow('items', 'orders')),
		'the partition of another table to which a new one shall refer' ],
	[ 'parcels_2020_01', q(SELECT uuid_partition_drop('items', '2020-02-01 00:00+00')),
		'a partition of another table to which an old one refers' ],
	[ 'payments_2020', q(
		SELECT problem
		FROM uuid_partition_maintain('visits', '1 month', 0, keep => '1 year', followers => '{payments}')
		WHERE partition ~ '2020_01'),
		'a follower\'s partition that may hold rows of an old period' ])
{
	my ($table, $call, $what) = @$_;

	$index->query_safe("BEGIN; LOCK TABLE ONLY $table IN SHARE UPDATE EXCLUSIVE MODE");
	my ($status, $out, $said) = $node->psql('postgres', "SET client_min_messages = error; SET lock_timeout = '300ms'; $call");
	like($out . $said, qr/table public\.$table is being vacuumed, indexed or altered/, "$what: the call says what goes on there");
	$index->query_safe('COMMIT');
}

# A table with more partitions than there are locks refers to another one.
$node->safe_psql('postgres', q(
	CREATE TABLE invoices (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT uuid_partition_create('invoices', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
	CREATE TABLE lines (invoice uuid, n int) PARTITION BY LIST (n);
	ALTER TABLE lines ADD FOREIGN KEY (invoice) REFERENCES invoices));
$node->safe_psql('postgres', join(";\n", map { "CREATE TABLE lines_$_ PARTITION OF lines FOR VALUES IN ($_)" } 1 .. 20));
$index->query_safe('BEGIN; LOCK TABLE ONLY lines_7 IN SHARE UPDATE EXCLUSIVE MODE');
my $locked = $node->safe_psql('postgres', q(BEGIN;
	SELECT FROM uuid_partition_create('invoices', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month');
	SELECT count(*) FROM pg_locks WHERE relation::regclass::text ~ '^lines_' AND pid = pg_backend_pid();
	COMMIT));
like($locked, qr/^0$/m, 'a call that makes a partition locks no partition of a table that refers to it');
$index->query_safe('COMMIT');

# An index that is being built is not valid yet.  A partition that is made meanwhile gets it all the same.
sub indexes_of_new
{
	return $node->safe_psql('postgres', q(BEGIN;
		SELECT FROM uuid_partition_create('invoices', '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month');
		SELECT count(*) FROM pg_index WHERE indrelid = 'invoices_2020_03'::regclass;
		ROLLBACK)) =~ s/\s//gr;
}
my $writer = $node->background_psql('postgres');
$writer->query_safe(q(BEGIN; INSERT INTO invoices VALUES (uuid_boundary('2020-02-05 00:00+00'))));
$index->query_until(qr/sent\n/, "\\echo sent\nCREATE INDEX CONCURRENTLY being_built ON invoices_2020_02 USING hash (id);\n");
$node->poll_query_until('postgres',
	q(SELECT count(*) = 1 FROM pg_index WHERE indexrelid = to_regclass('being_built') AND NOT indisvalid))
	or die;
is(indexes_of_new(), 2, 'a new partition gets an index of the newest that is being built');
$node->safe_psql('postgres', q(SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query ~ '^CREATE INDEX'));
$node->poll_query_until('postgres', q(SELECT count(*) = 0 FROM pg_stat_progress_create_index)) or die;
is(indexes_of_new(), 1, 'and none of one whose building has failed');
$writer->quit;
$index->quit;

$node->stop;
done_testing();
