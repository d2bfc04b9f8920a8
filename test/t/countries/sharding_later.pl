# A team begins with one server, as doc/citus.md says, and later a country gets
# months, and another a server of its own: no id changes, each row is in one place,
# the other country is written to throughout, and a router finds all rows.

use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../include';
use PostgreSQL::Test::Utils;
use Regions;
use Test::More;

my ($chapter) = slurp_file(dirname(__FILE__) . '/../../../doc/citus.md') =~ /^## Sharding later\n(.*?)(?=^## )/ms;
my %part = $chapter =~ /^### ([^\n]+)\n(.*?)(?=^### |\z)/gms;
my %blocks = map { $_ => blocks($part{$_}) } keys %part;
my ($make, $several, $insert, $one_country, $look) = map { $_->{sql} } @{ $blocks{'Today: one server'} };
my $move = 'Later: a country gets a server of its own';

sub blocks
{
	my ($text) = @_;
	my @blocks;

	push @blocks, { where => $1, sql => $2 } while $text =~ /^```sql\n-- on ([^\n]+)\n(.*?)^```$/gms;
	return \@blocks;
}

my %node = map { $_ => country_server($_) } qw(one alone new months router);
foreach my $node (values %node)
{
	# it could keep a lock for longer than the page waits
	$node->append_conf('postgresql.conf', 'autovacuum = off');
	$node->reload;
	$node->safe_psql('postgres', 'CREATE DATABASE shop');
}
place({ map { $_ => [ $node{$_}, 'shop' ] } keys %node }, { 'one.example.com' => $node{one} });

# What psql says of SQL that fails.
sub failure
{
	my ($where, $sql) = @_;
	my $stderr;

	$node{$where}->psql('shop', $sql, stderr => \$stderr, on_error_stop => 1);
	return $stderr;
}

# A customer of a country orders something.
sub buy
{
	my ($country) = @_;
	return qq(
		WITH ordered AS (
			INSERT INTO orders
			SELECT gen_iuid($country, 1), id
			FROM customers
			WHERE iuid_country(id) = $country
			LIMIT 1
			RETURNING id)
		INSERT INTO items SELECT id, gen_iuid($country, 2), 'milk' FROM ordered);
}

# Today.
query('one', $make);
query('one', $several);
query('one', $insert);
query('one', buy($_ % 2 ? 76 : 82)) foreach 3 .. 20;
query('one', q(
	INSERT INTO orders
	SELECT gen_iuid_at(now() - n * interval '1 day', iuid_country(id), 1), id
	FROM customers, generate_series(1, 90) AS n));
query('one', q(
	INSERT INTO items
	SELECT id, gen_iuid(iuid_country(id), 2), 'tea'
	FROM orders
	WHERE NOT EXISTS (SELECT FROM items WHERE order_id = orders.id)));
is(query('one', 'SELECT tableoid::regclass, count(*) FROM items GROUP BY 1 ORDER BY 1'),
	"items_br|100\nitems_kz|100", 'each country is in tables of its own');
my $kazakh = query('one', 'SELECT max(id) FROM orders_kz');
like(query('one', "EXPLAIN (COSTS OFF) SELECT * FROM orders JOIN items ON order_id = orders.id WHERE orders.id = '$kazakh'"),
	qr/^(?!.*_br)/s, 'a query that names the id reads those of one country');
like(failure('one', q(INSERT INTO orders SELECT gen_iuid('KZ', 'Order'), id FROM customers_br)), qr/violates check constraint/,
	'an order is of the country of its customer');
like(failure('one', q(INSERT INTO customers VALUES (gen_iuid('KZ', 'Order'), 'Ana'))),
	qr/violates check constraint/, 'and a customer does not get the id of an order');
like(query('one', $chapter =~ /`(SELECT id, name FROM iuid\.countries[^`]+)`/ ? $1 : die), qr/^76\|Brazil$/m,
	'a country has its number');

my ($told) = $part{$move} =~ /PostgreSQL says `([^`]+)`/;
like(failure('one', 'BEGIN; DROP TABLE items_kz; DROP TABLE orders_kz'), qr/ERROR:  \Q$told\E/,
	'a table to which a foreign key leads is not dropped as it is');

# One country, which the application does not name.
query('alone', $make);
query('alone', $one_country);
like(query('alone', $look), qr/^BR\|Customer\|\d{4}-/m, 'an id says its country and what it is of');
query('alone', q(WITH customer AS (INSERT INTO customers (name) VALUES ('Ana') RETURNING id),
	ordered AS (INSERT INTO orders (customer) SELECT id FROM customer RETURNING id)
	INSERT INTO items (order_id, item) SELECT id, 'tea' FROM ordered));
is(query('alone', q(
	SELECT iuid_country(customer), iuid_service_entity(customer), iuid_service_entity(orders.id),
		iuid_service_entity(items.id)
	FROM orders
	JOIN items ON order_id = orders.id)),
	'76|3|1|2', 'rows of one country get their ids from the defaults');
like(failure('alone', q(INSERT INTO customers VALUES (gen_iuid('KZ', 'Customer'), 'Aliya'))),
	qr/no partition of relation "customers" found/,
	'until another country has its partitions');

query('alone', $several =~ s/76, 82/82/gr);
my ($of_role) = $chapter =~ /`(ALTER ROLE seller_kz [^`]+)`/;
query('alone', "CREATE ROLE seller_kz LOGIN; GRANT SELECT, INSERT ON customers TO seller_kz; $of_role");
is(query('alone', q(INSERT INTO customers (name) VALUES ('Aliya') RETURNING iuid_country(id)), '-U',
		'seller_kz'), 82, 'or from the role');

# Months from the beginning.
my ($from_now, @later) = @{ $blocks{'Months in a country'} };
query('months', $make =~ s/ REFERENCES orders\b//r);
query('months', $several =~ s/^.*'(?:orders|items)'.*\n//gmr);
query('months', $from_now->{sql});
query('months', $insert =~ s/, \(gen_iuid\('KZ', 'Customer'\), 'Aliya'\)//r);
is(query('months', q(
	SELECT count(*)
	FROM uuid_partition_list('items_br') AS items
	JOIN uuid_partition_list('orders_br') AS orders USING (from_time, to_time)
		JOIN pg_constraint ON contype = 'f' AND conrelid = items.partition AND confrelid = orders.partition)),
	query('months', q(SELECT count(*) FROM uuid_partition_list('orders_br'))),
	'each month of items has a key to its month of orders');
is(query('months', 'SELECT count(*) FROM items'), 1, 'and takes rows');

# Months later.
{
	my $orders = query('one', 'SELECT count(*) FROM orders');
	my $stderr;

	my ($exchange) = map { $_->{sql} } grep { $_->{sql} =~ /^BEGIN;/m } @later;
	my $failing = $exchange =~ s/'1 month'/'no step'/r;
	$node{one}->psql('shop',
		"\\set ON_ERROR_ROLLBACK on\n\\set cutover '2100-01-01 00:00+00'\n$failing", on_error_stop => 0);
	is(query('one', "SELECT count(*) FROM pg_constraint WHERE conname = 'items_order_id_fkey' AND conparentid = 0"), 1,
		'if one command of the exchange fails nothing has changed, whatever is in psqlrc');

	$node{one}->psql('shop', join('', 'SET client_min_messages = debug1;', map { $_->{sql} } @later),
		stderr => \$stderr, on_error_stop => 1);
	is_deeply([ $stderr =~ /(?:ERROR|verifying table "[a-z_]+_before").*/g ], [],
		'a country in use gets months, and no row of it is read under the lock')
		or diag($stderr);
	is(query('one', 'SELECT count(*) FROM orders'), $orders, 'all orders are there');
	is(query('one', q(
			SELECT count(*) > 3, max(to_time) > now() + interval '1 month'
			FROM uuid_partition_list('orders_br'))), 't|t', 'and months to come');
	is(query('one', q(
		SELECT status || message
		FROM uuid_partition_check('orders_br', '0', followers => '{items_br}')
		WHERE message !~ 'partitionwise|ANALYZE')),
		'', 'as the check wants them');
	query('one', buy(76));
	like(failure('one', q(INSERT INTO items VALUES (gen_iuid('KZ', 'Order'), gen_iuid('KZ', 'Item'), 'tea'))),
		qr/violates foreign key constraint "country"/,
		'the other country has a foreign key of its own');

	# the next country, which stays as it is here
	my $next = join '', map { $_->{sql} =~ s/^(?:BEGIN|COMMIT);\n//gmr } @later;
	$next =~ s/^.*CONSTRAINT country.*\n//gm;
	$next =~ s/items DROP CONSTRAINT items_order_id_fkey/items_br DROP CONSTRAINT country/;
	$next =~ s/_br/_kz/g;
	$next =~ s/remainder 76/remainder 82/g;
	is(query('one', qq(
		BEGIN;
		$next
		SELECT string_agg(conrelid::regclass || ' ' || pg_get_constraintdef(oid), ', ')
		FROM pg_constraint
		WHERE conname = 'pair' AND conrelid::regclass::text ~ '_kz';
		ROLLBACK;))
		  =~ /^(items_kz_before .*)$/m ? $1 : '',
		'items_kz_before FOREIGN KEY (order_id) REFERENCES orders_kz_before(id)',
		'which becomes one of its month when it gets months, too');
}

# A country gets a server of its own, and comes back.
my $orders = 'SELECT orders.id, customer, items.id, item FROM orders JOIN items ON order_id = orders.id ORDER BY 1';
my $before;
my ($leave, $check) = map {
	my $what = $_;
	map { $_->{sql} } grep { $_->{sql} =~ $what } @{ $blocks{$move} }
} qr/CREATE OR REPLACE FUNCTION/, qr/step 3 comes first/;

# Kazakhstan leaves the first server for the second, while Brazil is written to.
sub move_kazakhstan
{
	my ($from, $to, $route) = @_;
	my %where = ('the one server' => [$from], 'the new server' => [$to], 'both servers' => [ $from, $to ]);

	place({ map { $_ => [ $node{$_}, 'shop' ] } keys %node }, { 'one.example.com' => $node{$from} });
	foreach my $block (@{ $blocks{$move} })
	{
		my $sql = $route && $block->{where} eq 'both servers' ? $route : $block->{sql};

		like(failure($from, $check), qr/step 3 comes first/, "$from: nobody waits while there are writers") if $sql eq $leave;
		query($_, addressed($sql)) foreach @{ $where{ $block->{where} } };
		if ($sql eq $leave)
		{
			like(failure($from, buy(82)), qr/this country is moving/, "$from: Kazakhstan is not written to");
			like(failure($from, q(UPDATE customers SET name = 'Asel' WHERE iuid_country(id) = 82)),
				qr/this country is moving/, "$from: nor changed");
			like(failure($from, "BEGIN; DROP TRIGGER country_moves ON items_kz; $check"),
				qr/step 3 comes first/, "$from: each table has its trigger");
			query('one', buy(76));
			$before = query($from, $orders);
		}
		elsif ($sql =~ /CREATE SUBSCRIPTION/)
		{
			query($from, buy(82));
		}
	}
	is(query($from, q(SELECT to_regproc('country_moves'))), '', "$from: nothing of the move stays");
	return;
}

query('new', $make);
query('new', $several =~ s/76, 82/82/gr);
move_kazakhstan('one', 'new');
is(query($_, "SELECT node FROM iuid_route('$kazakh')"), 'new.example.com', 'an order says which server has it')
	foreach qw(one new);
my ($refused) = $part{$move} =~ /it gets `(no partition [^`]+)`/;
like(failure('one', q(INSERT INTO customers VALUES (gen_iuid('KZ', 'Customer'), 'Aliya'))), qr/\Q$refused\E/,
	'which the old server does not take');
my ($foreign) = $part{$move} =~ /\[a table with a primary key cannot (have foreign partitions)\]/;
like(failure('one', q(
	CREATE EXTENSION postgres_fdw;
	CREATE SERVER new FOREIGN DATA WRAPPER postgres_fdw;
	SELECT iuid_partition_create('orders', '{82}', 'new'))),
	qr/$foreign/, 'nor hand on');

query('router', <<'SQL');
CREATE EXTENSION uidext;
CREATE EXTENSION postgres_fdw;
SELECT iuid_load_iso_3166();
CREATE TABLE orders (id iuid NOT NULL, customer iuid NOT NULL) PARTITION BY HASH (id iuid_country_ops);
CREATE TABLE items (order_id iuid NOT NULL, id iuid NOT NULL, item text NOT NULL) PARTITION BY HASH (order_id iuid_country_ops);
SQL
foreach ([ 'one', 76 ], [ 'new', 82 ])
{
	my ($name, $country) = @$_;

	query('router', sprintf q(
		CREATE SERVER %1$s FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
			host '%2$s', port '%3$s', dbname 'shop', extensions 'uidext', truncatable 'false');
		CREATE USER MAPPING FOR CURRENT_USER SERVER %1$s OPTIONS (user '%5$s');
		SELECT iuid_partition_create('orders', '{%4$s}', '%1$s'), iuid_partition_create('items', '{%4$s}', '%1$s')),
		"${name}_server", $node{$name}->host, $node{$name}->port, $country, scalar getpwuid $<);
}
is(query('router', $orders), $before, 'every row is there once, with the ids that it had');
is(query($_->[0], 'SELECT bool_and(iuid_country(order_id) = ' . $_->[1] . ') FROM items'), 't', "$_->[0] has its own items")
  foreach [ 'one', 76 ], [ 'new', 82 ];
foreach my $line ((split /\n/, $before)[ 0, -1 ])
{
	my ($id, $customer) = split /\|/, $line;
	is(query('router', "SELECT customer FROM orders WHERE id = '$id'"), $customer, 'an old id finds its row');
}
is(query('new', "SELECT count(*) FROM pg_constraint WHERE conrelid = 'items'::regclass AND contype = 'f' AND conparentid = 0"),
	'1', 'items still refer to orders, where they are');

# A country with months is replicated to one with months, and its trigger is that of all months.
my ($via_root) = $part{$move} =~ /If the country has months, add `([^`]+)`/;
query('new', $from_now->{sql} =~ /^(.*\n)/ ? $1 : die);
query('months', "CREATE PUBLICATION move FOR TABLE orders_br $via_root");
query('new', q(CREATE SUBSCRIPTION move CONNECTION $$) . $node{months}->connstr('shop') . q($$ PUBLICATION move));
$node{new}->wait_for_subscription_sync($node{months}, 'move', 'shop');
is(query('new', 'SELECT id FROM orders_br'), query('months', 'SELECT id FROM orders_br'), 'months move, too');
like(failure('months', $check), qr/step 3 comes first/, 'but not while there are writers');
query('months', $leave);
like(failure('months', buy(76)), qr/this country is moving/, 'and can be closed to writers');
is(failure('months', $check), '', 'which is all that the next step waits for');
query('new', 'DROP SUBSCRIPTION move');

# Kazakhstan comes back, with what was bought meanwhile.
my ($route) = $part{$move} =~ /`(UPDATE iuid\.routes [^`]+)`/;
my $of_kazakhstan = $orders =~ s/ORDER/WHERE iuid_country(orders.id) = 82 ORDER/r;
query('one', $several =~ s/76, 82/82/gr);
move_kazakhstan('new', 'one', $route);
is(query('one', $of_kazakhstan), $before, 'a country that comes back has all its rows');
is(query('one', "SELECT node FROM iuid_route('$kazakh')"), 'one.example.com', 'and says where they are');

done_testing();
