# OIDs begin again from below after 4294967295.  Where that happens while a partition is made, the
# objects made later have the lower OIDs, and the partition is like its model all the same.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $tables = q(
	CREATE EXTENSION uidext;
	CREATE TABLE orders (id uuid PRIMARY KEY, number int NOT NULL, code int NOT NULL) PARTITION BY RANGE (id);
	CREATE TABLE parcels (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE items (order_id uuid, n int) PARTITION BY RANGE (order_id);
	SELECT uuid_partition_create(t::regclass, '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month')
	FROM unnest('{orders,parcels,items}'::text[]) t;
	CREATE UNIQUE INDEX by_number ON orders_2020_01 (number);
	CREATE UNIQUE INDEX by_code ON orders_2020_01 (code);
	ALTER TABLE orders_2020_01 REPLICA IDENTITY USING INDEX by_number;
	ALTER TABLE items_2020_01 ADD FOREIGN KEY (order_id) REFERENCES orders_2020_01;
	ALTER TABLE items_2020_01 ADD FOREIGN KEY (order_id) REFERENCES parcels_2020_01;
	SELECT uuid_partition_create(t::regclass, '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')
	FROM unnest('{orders,parcels}'::text[]) t;
);

# A server where the call was made so that OIDs began again after the first of some objects, of
# which a query tells.
sub call_at_the_end
{
	my ($name, $call, $objects) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init;
	$node->append_conf('postgresql.conf', 'autovacuum = off');
	$node->start;
	$node->safe_psql('postgres', $tables);
	$node->stop;
	system_or_bail('pg_resetwal', '-o', 4294966000, $node->data_dir);
	$node->start;
	# each large object takes one OID
	my ($before, $first) = split /\n/, $node->safe_psql('postgres',
		"BEGIN; SELECT lo_create(0); SELECT FROM ($call) made; $objects LIMIT 1; ROLLBACK");
	my $next = $node->safe_psql('postgres', 'SELECT lo_create(0)');
	$node->safe_psql('postgres',
		'SELECT count(lo_create(0)) FROM generate_series(1,' . (4294967295 - ($first - $before) - $next) . ')');
	$node->safe_psql('postgres', $call);
	my @made = split /\n/, $node->safe_psql('postgres', $objects);
	is($made[-1], 4294967295, "$name: the first object has the last OID");
	return $node;
}

my $indexed = call_at_the_end('indexed',
	q(SELECT uuid_partition_create('orders', '2020-03-01 00:00+00', '2020-04-01 00:00+00', '1 month')),
	q(SELECT indexrelid FROM pg_index WHERE indrelid = to_regclass('orders_2020_03') AND NOT indisprimary ORDER BY 1));
is($indexed->safe_psql('postgres', q(
	SELECT pg_get_indexdef(indexrelid, 1, false)
	FROM pg_index
	WHERE indrelid = 'orders_2020_03'::regclass AND indisreplident)),
	'number', 'the replica identity is the index that it is in the model');

my $referring = call_at_the_end('referring',
	q(SELECT problem FROM uuid_partition_follow('items', 'orders') WHERE to_time < '2020-04-01 00:00+00'),
	q(SELECT oid FROM pg_constraint WHERE contype = 'f' AND conrelid = to_regclass('items_2020_02') ORDER BY 1));
is($referring->safe_psql('postgres', q(
	SELECT string_agg(confrelid::regclass::text, ', ' ORDER BY 1)
	FROM pg_constraint
	WHERE contype = 'f' AND conrelid = to_regclass('items_2020_02'))),
	'orders_2020_02, parcels_2020_02', 'each of its keys is the one that was meant');

$_->stop foreach $indexed, $referring;
done_testing();
