# A team begins with one server, as doc/citus.md says, and later a country gets a
# server of its own: no id changes, each row is in one place, and a router finds it.

use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../include';
use PostgreSQL::Test::Utils;
use Regions;
use Test::More;

my ($chapter) = slurp_file(dirname(__FILE__) . '/../../../doc/citus.md') =~ /^## Sharding later\n(.*?)(?=^## )/ms;
my ($make, $insert) = $chapter =~ /^```sql\n-- on the one server\n(.*?)^```$/gms;
my ($publish) = $chapter =~ /^ +(CREATE PUBLICATION [^;]+;)$/m;
my ($drop) = $chapter =~ /Drop the country's partitions[^`]+`([^`]+)`/;

my %node = map { $_ => country_server($_) } qw(one kazakhstan router);
$node{$_}->safe_psql('postgres', 'CREATE DATABASE shop') foreach keys %node;
place({ map { $_ => [ $node{$_}, 'shop' ] } keys %node }, {});

# Today.
query('one', $make);
query('one', q(INSERT INTO orders SELECT gen_iuid(country, 1), n FROM unnest('{76, 82}'::int[]) AS country, generate_series(3, 101) AS n));
query('one', $insert);
my $orders = 'SELECT orders.id, customer, items.id, item FROM orders JOIN items ON order_id = orders.id ORDER BY 1';
my $before = query('one', $orders);
is(query('one', 'SELECT tableoid::regclass, count(*) FROM items GROUP BY 1 ORDER BY 1'), "items_br|100\nitems_kz|100", 'each country is in tables of its own');
my $kazakh = query('one', 'SELECT max(id) FROM orders_kz');
like(query('one', "EXPLAIN (COSTS OFF) SELECT * FROM orders JOIN items ON order_id = orders.id WHERE orders.id = '$kazakh'"),
	qr/^(?!.*_br)/s, 'a query that names the id reads those of one country');

# Later.
query('kazakhstan', $make =~ s/'\{76, 82\}'/'{82}'/gr);
query('one', $publish);
query('kazakhstan', q(CREATE SUBSCRIPTION move CONNECTION $$) . $node{one}->connstr('shop') . q($$ PUBLICATION move));
$node{kazakhstan}->wait_for_subscription_sync($node{one}, 'move', 'shop');
query('kazakhstan', 'DROP SUBSCRIPTION move');
{
	my $stderr;
	my ($told) = $chapter =~ /PostgreSQL says `([^`]+)`/;

	$node{one}->psql('shop', "BEGIN; DROP TABLE items_kz; DROP TABLE orders_kz", stderr => \$stderr);
	like($stderr, qr/ERROR:  \Q$told\E/, 'a table to which a foreign key leads is not dropped as it is');
}
query('one', $drop);

query('router', <<'SQL');
CREATE EXTENSION uidext;
CREATE EXTENSION postgres_fdw;
SELECT iuid_load_iso_3166();
CREATE TABLE orders (id iuid NOT NULL, customer int NOT NULL) PARTITION BY HASH (id iuid_country_ops);
CREATE TABLE items (order_id iuid NOT NULL, id iuid NOT NULL, item text NOT NULL) PARTITION BY HASH (order_id iuid_country_ops);
SQL
foreach ([ 'one', 76 ], [ 'kazakhstan', 82 ])
{
	my ($name, $country) = @$_;

	query('router', sprintf q(
		CREATE SERVER %1$s FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '%2$s', port '%3$s', dbname 'shop', extensions 'uidext', truncatable 'false');
		CREATE USER MAPPING FOR CURRENT_USER SERVER %1$s OPTIONS (user '%5$s');
		SELECT iuid_partition_create('orders', '{%4$s}', '%1$s'), iuid_partition_create('items', '{%4$s}', '%1$s')),
		$name, $node{$name}->host, $node{$name}->port, $country, scalar getpwuid $<);
}
is(query('router', $orders), $before, 'every row is there once, with the ids that it had');
is(query($_->[0], 'SELECT count(*), bool_and(iuid_country(order_id) = ' . $_->[1] . ') FROM items'), '100|t', "$_->[0] has its own items")
  foreach [ 'one', 76 ], [ 'kazakhstan', 82 ];
foreach my $line ((split /\n/, $before)[ 0, -1 ])
{
	my ($id, $customer) = split /\|/, $line;
	is(query('router', "SELECT customer FROM orders WHERE id = '$id'"), $customer, 'an old id finds its row');
}
is(query('kazakhstan', "SELECT count(*) FROM pg_constraint WHERE conrelid = 'items'::regclass AND contype = 'f' AND conparentid = 0"),
	'1', 'items still refer to orders, where they are');

done_testing();
