# The tables of two regions, replicated into one that is partitioned by country.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my %country = (brazil => 76, kazakhstan => 82);
my %node;

foreach my $name (sort(keys %country), 'central')
{
	$node{$name} = OneSession->new($name);
	$node{$name}->init(allows_streaming => 'logical');
	$node{$name}->append_conf('postgresql.conf', 'wal_retrieve_retry_interval = 100ms');
	$node{$name}->start;
	$node{$name}->safe_psql(
		'postgres', q(
		CREATE EXTENSION uidext;
		SELECT iuid_load_iso_3166();
		INSERT INTO iuid.service_entities (id, name) VALUES (1, 'Order');
	));
}
my ($brazil, $kazakhstan, $central) = @node{qw(brazil kazakhstan central)};

sub query
{
	my ($node, $sql) = @_;
	return $node->safe_psql('postgres', $sql);
}

# A plain table in one region, one partitioned by country in the other: it
# makes no difference to whom it is replicated.

my $columns = q(id iuid PRIMARY KEY DEFAULT gen_iuid('Order'), customer int NOT NULL, total numeric NOT NULL);

query($_, "ALTER DATABASE postgres SET uidext.country = $country{$_->name}") foreach $brazil, $kazakhstan;
query($brazil, "CREATE TABLE orders ($columns)");
query($kazakhstan, "CREATE TABLE orders ($columns) PARTITION BY HASH (id iuid_country_ops);
	SELECT iuid_partition_create('orders', '{82}')");
query($central, "CREATE TABLE orders ($columns) PARTITION BY HASH (id iuid_country_ops);
	SELECT iuid_partition_create('orders', '{76}', start => '2026-01-01', stop => '2026-03-01', step => '1 month');
	CREATE TABLE orders_br_rest PARTITION OF orders_br DEFAULT;
	SELECT iuid_partition_create('orders', '{82}')");

# Rows that are there before, for the initial copy.
my $january = "SELECT gen_iuid_at('2026-01-15', %d, 1), n, 0 FROM generate_series(1, 100) AS n";
query($_, sprintf("INSERT INTO orders $january", $country{$_->name})) foreach $brazil, $kazakhstan;

foreach my $region ($brazil, $kazakhstan)
{
	# A region's TRUNCATE would empty the whole table here.
	query($region, "CREATE PUBLICATION orders FOR TABLE orders
		WITH (publish = 'insert, update, delete', publish_via_partition_root = true)");
	query($central, "CREATE SUBSCRIPTION ${\$region->name} CONNECTION '${\$region->connstr} dbname=postgres' PUBLICATION orders");
}
$central->wait_for_subscription_sync($_, $_->name) foreach $brazil, $kazakhstan;

sub catch_up
{
	$_->wait_for_catchup($_->name) foreach $brazil, $kazakhstan;
	return;
}

# Rows of the regions against those of the partitions.
sub differences
{
	my $rows = "SELECT o::text FROM orders o ORDER BY id";
	my @differences;

	catch_up();
	push @differences, 'brazil' if query($brazil, $rows) ne query($central, $rows =~ s/orders/orders_br/r);
	push @differences, 'kazakhstan' if query($kazakhstan, $rows) ne query($central, $rows =~ s/orders/orders_kz/r);
	return join ' ', @differences;
}

my $placement = 'SELECT tableoid::regclass::text, count(*) FROM orders GROUP BY 1 ORDER BY 1';

is(differences(), '', 'initial copy');
is(query($central, $placement), "orders_br_2026_01|100\norders_kz|100", 'rows lie by country, then by time');

# Both regions write at once.

my @writers = map {
	my $session = $_->background_psql('postgres');
	$session->query_safe('BEGIN');
	$session;
} $brazil, $kazakhstan;
foreach my $batch (1 .. 5)
{
	$_->query_safe("INSERT INTO orders (customer, total) SELECT n, $batch FROM generate_series(1, 200) AS n")
	  foreach @writers;
}
$_->query_safe('COMMIT') foreach @writers;
$_->quit foreach @writers;
is(differences(), '', 'inserts of two regions at once');
is(query($central, $placement), "orders_br_2026_01|100\norders_br_rest|1000\norders_kz|1100", 'no row is lost');
is(query($central, 'SELECT count(*) FROM orders o WHERE tableoid = CASE iuid_country(id)
	WHEN 76 THEN tableoid WHEN 82 THEN to_regclass(\'orders_kz\') END'), '2200', 'every row is where its id says');

# Changes follow.

query($_, 'UPDATE orders SET total = total + 10 WHERE customer % 2 = 0') foreach $brazil, $kazakhstan;
query($_, 'DELETE FROM orders WHERE customer % 5 = 0') foreach $brazil, $kazakhstan;
is(differences(), '', 'updates and deletes');
is(query($central, 'SELECT count(*), count(*) FILTER (WHERE total >= 10) FROM orders'), '1760|880', 'of both regions');

query($brazil, "UPDATE orders SET id = gen_iuid_at('2026-02-15', 76, 1) WHERE id < timestamptz '2026-02-01' AND customer = 1");
is(differences(), '', 'an id that changes');
is(query($central, 'SELECT customer FROM orders_br_2026_02'), '1', 'takes its row to another partition');

query($brazil, 'BEGIN; UPDATE orders SET total = 0; ROLLBACK');
is(differences(), '', 'a rollback');

is( query($central, "SELECT subname, key FROM pg_stat_subscription_stats s, jsonb_each_text(to_jsonb(s))
		WHERE key ~ 'error|confl' AND value <> '0'"),
	'', 'no conflict in all that');

# A TRUNCATE stays where it is.

query($kazakhstan, 'TRUNCATE orders');
catch_up();
is(query($central, 'SELECT count(*) FROM orders_br'), '880', 'the TRUNCATE of one region leaves the other alone');

# An id that has no partition here stops its subscription until there is one.

my $log = -s $central->logfile;
query($brazil, "INSERT INTO orders VALUES (gen_iuid('MX', 'Order'), 5000, 1)");
$central->wait_for_log(qr/no partition of relation "orders" found for row/, $log);
query($brazil, 'INSERT INTO orders (customer, total) VALUES (5001, 1)');
query($central, "SELECT iuid_partition_create('orders', '{123}')");
catch_up();
is(query($central, 'SELECT tableoid::regclass, customer FROM orders WHERE customer >= 5000 ORDER BY 2'),
	"orders_mx|5000\norders_br_rest|5001", 'a missing partition delays rows but loses none');

# A family: each server keeps its own months.

my ($publication) = slurp_file(dirname(__FILE__) . '/../../../doc/families.md')
	=~ /^## Logical replication\n.*?^```sql\n(.*?)^```$/ms;
foreach my $server ($brazil, $central)
{
	query($server, q(ALTER TABLE orders RENAME TO iuid_orders;
		CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
		CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
		CREATE TABLE payments (order_id uuid PRIMARY KEY) PARTITION BY RANGE (order_id);
		SELECT uuid_partition_create('orders', date_trunc('month', now(), 'UTC') - interval '3 months',
			now() + interval '1 month', '1 month');
		SELECT uuid_partition_follow(f, 'orders') FROM unnest('{items,payments}'::regclass[]) AS f));
}
query($brazil, q(INSERT INTO orders SELECT gen_uuidv7_at(now() - n * interval '1 day') FROM generate_series(0, 80) AS n;
	INSERT INTO items SELECT id, n FROM orders, generate_series(1, 3) AS n));
query($brazil, $publication);
query($central, "CREATE SUBSCRIPTION family CONNECTION '${\$brazil->connstr} dbname=postgres' PUBLICATION family");
$central->wait_for_subscription_sync($brazil, 'family');
my $count = 'SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM items), (SELECT count(*) FROM payments)';
is(query($central, $count), '81|243|0', 'a family is copied');
my $maintain = q(
	SELECT count(*)
	FROM uuid_partition_maintain('orders', '1 month', 2, '%s', followers => '{items,payments}')
	WHERE action = 'dropped');
cmp_ok(query($brazil, sprintf($maintain, '1 month')), '>=', 3, 'the publisher drops old months');
query($brazil, q(INSERT INTO orders VALUES (gen_uuidv7()); INSERT INTO payments SELECT max(id) FROM orders));
$brazil->wait_for_catchup('family');
is(query($central, $count), '82|243|1', 'which the subscriber keeps');
cmp_ok(query($central, sprintf($maintain, '2 months')), '>=', 3, 'until it drops its own');
query($brazil, q(
	DELETE FROM items WHERE order_id IN (SELECT min(order_id) FROM items);
	INSERT INTO orders VALUES (gen_uuidv7())));
$brazil->wait_for_catchup('family');
is(query($central, "SELECT count(*) FROM items WHERE order_id NOT IN (SELECT id FROM orders)"), '0', 'and no reference is lost');
query($central, 'DROP SUBSCRIPTION family');
query($_, 'DROP TABLE payments, items, orders; ALTER TABLE iuid_orders RENAME TO orders') foreach $brazil, $central;

# The registry can be replicated too, and sessions hear of the change.

query($central, 'TRUNCATE iuid.service_entities; INSERT INTO iuid.service_entities (id, name) VALUES (9, \'Local\')');
query($brazil, 'CREATE PUBLICATION registry FOR TABLE iuid.service_entities');
query($central, "CREATE SUBSCRIPTION registry CONNECTION '${\$brazil->connstr} dbname=postgres' PUBLICATION registry");

my $session = $central->background_psql('postgres');
$session->query_safe(
	q(CREATE FUNCTION pg_temp.entity(name text) RETURNS text LANGUAGE plpgsql AS $$
	BEGIN
		RETURN iuid_service_entity(gen_iuid('BR', name));
	EXCEPTION
		WHEN invalid_parameter_value THEN RETURN 'unknown';
	END
	$$));
is($session->query_safe("SELECT pg_temp.entity('Local')"), '9', 'names are cached');
$central->wait_for_subscription_sync($brazil, 'registry');
is($session->query_safe("SELECT pg_temp.entity('Order')"), '1', 'a name that came with the initial copy');

query($brazil, "INSERT INTO iuid.service_entities (id, name) VALUES (2, 'Ride')");
$brazil->wait_for_catchup('registry');
is(query($central, "SELECT id FROM iuid.service_entities WHERE name = 'Ride'"), '2', 'a replicated INSERT');
is($session->query_safe("SELECT pg_temp.entity('Ride')"), '2', 'is seen by a session');
query($brazil, "UPDATE iuid.service_entities SET id = 3 WHERE name = 'Order'");
$brazil->wait_for_catchup('registry');
is($session->query_safe("SELECT pg_temp.entity('Order')"), '3', 'so is an UPDATE');
query($brazil, "DELETE FROM iuid.service_entities WHERE name = 'Order'");
$brazil->wait_for_catchup('registry');
is($session->query_safe("SELECT pg_temp.entity('Order')"), 'unknown', 'so is a DELETE');
query($brazil, 'TRUNCATE iuid.service_entities');
$brazil->wait_for_catchup('registry');
is($session->query_safe("SELECT pg_temp.entity('Local')"), 'unknown', 'so is a TRUNCATE');
$session->quit;

query($central, "DROP SUBSCRIPTION $_") foreach qw(brazil kazakhstan registry);

# Routes are kept in one place and published, and with all tables, but not with a
# schema of the user's.
query($central, 'CREATE PUBLICATION everything FOR ALL TABLES; CREATE PUBLICATION mine FOR TABLES IN SCHEMA public');
is(query($central, "SELECT pubname, count(*) FROM pg_publication_tables WHERE schemaname = 'iuid' GROUP BY 1"),
	'everything|3', 'the registry in publications');
query($central, 'DROP PUBLICATION everything; DROP PUBLICATION mine');
query($central, 'CREATE PUBLICATION routes FOR TABLE iuid.routes');
query($brazil, "CREATE SUBSCRIPTION routes CONNECTION '${\$central->connstr} dbname=postgres' PUBLICATION routes");
$brazil->wait_for_subscription_sync($central, 'routes');
query($central, "INSERT INTO iuid.routes VALUES (76, DEFAULT, 'br'), (76, 1, 'orders.br'), (82, DEFAULT, 'kz')");
query($central, "UPDATE iuid.routes SET node = 'kz2' WHERE country = 82");
query($central, 'DELETE FROM iuid.routes WHERE service_entity = 1');
$central->wait_for_catchup('routes');
is(query($brazil, 'SELECT country, node FROM iuid.routes ORDER BY country'), "76|br\n82|kz2",
	'changes of published routes arrive');

done_testing();
