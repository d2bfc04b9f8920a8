# Brazil and Kazakhstan on servers of their own behind a router, set up by the
# SQL blocks of doc/regions.md.

use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../include';
use PostgreSQL::Test::Utils;
use Regions;
use Test::More;

my %node = map { $_ => country_server($_) } qw(brazil kazakhstan router);

# Where the document's databases are, and its hosts.
my %place = (
	'brazil' => [ $node{brazil}, 'brazil' ],
	'kazakhstan' => [ $node{kazakhstan}, 'kazakhstan' ],
	'mexico' => [ $node{kazakhstan}, 'mexico' ],
	'the new brazil' => [ $node{kazakhstan}, 'brazil' ],
	'the router' => [ $node{router}, 'world' ],
	'the warehouse' => [ $node{router}, 'warehouse' ]);
my %host = (
	'br.example.com' => $node{brazil},
	'br2.example.com' => $node{kazakhstan},
	'kz.example.com' => $node{kazakhstan},
	'mx.example.com' => $node{kazakhstan});

# The document makes those of its first three servers itself.
$place{$_}[0]->safe_psql('postgres', "CREATE DATABASE $place{$_}[1]")
	foreach grep { !/^(brazil|kazakhstan|the router)$/ } keys %place;

place(\%place, \%host);

# A statement of an application on the router, and what is wrong with it.
sub route
{
	my ($sql) = @_;
	return query('the router', $sql, '-U', 'app');
}

sub failure
{
	my ($sql) = @_;
	my $stderr;

	$node{router}->psql('world', $sql, stderr => \$stderr, on_error_stop => 1, extra_params => [ '-U', 'app' ]);
	return $stderr;
}

sub refusal
{
	my ($sql) = @_;
	my $stderr;

	$node{router}->psql('world', $sql, stderr => \$stderr, on_error_stop => 1);
	return $stderr;
}

# The countries whose servers hear from the router while it runs a statement.
sub contacted
{
	my ($sql) = @_;
	my %size = map { $_ => -s $node{$_}->logfile } qw(brazil kazakhstan);

	ref $sql ? $sql->() : route($sql);
	return join ' ', grep { slurp_file($node{$_}->logfile, $size{$_}) =~ /postgres_fdw/ } sort keys %size;
}

my ($document, $text) = read_document();
my %document = %$document;

# TRUNCATE empties every country through a server that does not forbid it.
my @made = map { slurp_file($_) =~ /^(CREATE SERVER [^;]+ FOREIGN DATA WRAPPER postgres_fdw[^;]+;)/mg }
  map { glob(dirname(__FILE__) . "/../../../doc/$_") } '*.md', 'demo/*.sql';
cmp_ok(scalar @made, '>', 4, 'servers that documents and demos make');
is(join("\n", grep { !/\btruncatable 'false'/ } @made), '', 'none can be emptied through the router');

my @countries = qw(brazil kazakhstan);
my %every = ('every country' => \@countries, 'every server' => [ @countries, 'the router' ]);

my $thousand = 'INSERT INTO orders (customer, total) SELECT i, i * 10 FROM generate_series(1, 1000) AS i';

play('Set up a country', %every);
query($_, $thousand) foreach @countries;
play('Set up the router');
is(route('SELECT node FROM iuid_route(gen_iuid(76, 2)) UNION ALL SELECT node FROM iuid_route(gen_iuid(76, 1))'),
	"br-billing.example.com\nbr.example.com", "a service's route comes before its country's");

my ($copy) = $text =~ /^psql -d world -XAtc '(.*)' \| psql/m;
query($_, query('the router', $copy)) foreach @countries;
is(query($_, 'SELECT count(*) FROM iuid.routes'), '3', "the router's registry in $_") foreach @countries;

# The same for one more country, on a server that has the roles.
sub set_up
{
	my ($where, $country) = @_;

	query($where, "ALTER DATABASE $place{$where}[1] SET uidext.country = $country");
	play('Set up a country', 'every server' => [], brazil => [], kazakhstan => [], 'every country' => [$where]);
	query($where, $thousand);
	return;
}

# A plain table becomes the partition of its country, without its rows being read.
{
	my ($plain, $prove, $switch) = map { { %$_ } } @{ $document{'A table that has rows already'} };
	my $stderr;

	$document->{step} = [ $plain, $prove ];
	play('step');
	query('brazil', 'CREATE TABLE payers (invoice iuid REFERENCES invoices); INSERT INTO payers SELECT id FROM invoices');
	$node{brazil}->psql('brazil',
		"\\set ON_ERROR_ROLLBACK on\n" . $switch->{sql} =~ s/REMAINDER 76/REMAINDER 77/r, on_error_stop => 0);
	is(query('brazil', q(SELECT to_regclass('invoices_all'))), 'invoices_all',
		'if one command of the switch fails nothing has changed, whatever is in psqlrc');
	$node{brazil}->psql('brazil', "SET client_min_messages = debug1;\n$switch->{sql}", stderr => \$stderr);
	like($stderr, qr/partition constraint for table "invoices_br" is implied by existing constraints/,
		'no row is read under the lock');
	unlike($stderr, qr/ERROR/, 'the table becomes the partition of its country');
	is(query('brazil',
			'SELECT invoices.tableoid::regclass, total FROM invoices JOIN payers ON invoices.id = invoice'),
		'invoices_br|12.50', 'with its rows and those that refer to them');
	query('brazil', "INSERT INTO invoices (total) VALUES (1); DELETE FROM invoices WHERE total = 1");
	query('the router', "CREATE TABLE invoices (id iuid NOT NULL, total numeric NOT NULL) PARTITION BY HASH (id iuid_country_ops);
		SELECT iuid_partition_create('invoices', '{76}', 'brazil'); GRANT SELECT ON invoices TO app");
	is(route('SELECT tableoid::regclass, total FROM invoices'), 'invoices_br|12.50', 'which the router finds');
	query('the router', 'DROP TABLE invoices');

	# Rows of another country are found before anything is locked.
	query('brazil', $plain->{sql} =~ s/invoices/bills/gr . "INSERT INTO bills VALUES (gen_iuid('KZ', 'Order'), 1)");
	$node{brazil}->psql('brazil', $prove->{sql} =~ s/invoices/bills/gr, stderr => \$stderr);
	like($stderr, qr/check constraint "of_brazil" of relation "bills" is violated by some row/, 'a row of another country is found');
	query('brazil', 'DROP TABLE payers, invoices, bills, bills_all');
}

# Numbers are not looked up, and a CHECK is what refuses swapped ones.
like(refusal(q(
	CREATE TABLE invoices (id iuid PRIMARY KEY CHECK (iuid_service_entity(id) = 1));
	INSERT INTO invoices VALUES (gen_iuid(1, 76)))),
	qr/new row for relation "invoices" violates check constraint "invoices_id_check"/, 'swapped numbers');
query('the router', 'DROP TABLE invoices');

# Rows are where their ids say, whoever inserted them.

is(query('brazil', 'SELECT count(*), bool_and(iuid_country(id) = 76), bool_and(iuid_service_entity(id) = 1) FROM orders'),
	'1000|t|t', 'a country makes ids of its own by default');
is(route('SELECT tableoid::regclass::text, count(*) FROM orders GROUP BY 1 ORDER BY 1'),
	"orders_br|1000\norders_kz|1001", 'the router sees all rows');
is(query('kazakhstan', 'SELECT iuid_country(id), customer, total FROM orders WHERE total = 25'),
	'82|7|25', 'a row inserted through the router is on its server');

my $new = route('SELECT gen_iuid(76, 1)');
is(contacted("INSERT INTO orders VALUES ('$new', 1, 5)"), 'brazil', 'an insert contacts one server');
is(query('brazil', "SELECT total FROM orders WHERE id = '$new'"), '5', 'which has the row');

# Who is contacted.

my $br = query('brazil', 'SELECT id FROM orders WHERE customer = 500');
my $kz = query('kazakhstan', 'SELECT id FROM orders WHERE customer = 500');
my $fr = route("SELECT gen_iuid('FR', 'Order')");
my $generic = 'SET plan_cache_mode = force_generic_plan; PREPARE q';
my $custom = 'SET plan_cache_mode = force_custom_plan; PREPARE q';

query('the router', "CREATE TABLE wanted (id uuid PRIMARY KEY, note text); GRANT SELECT ON wanted TO app;
	INSERT INTO wanted VALUES ('$br', 'Brazilian'); ANALYZE wanted");

is(contacted('SELECT count(*) FROM orders'), 'brazil kazakhstan', 'a scan of all rows contacts both servers');
is(contacted("SELECT * FROM orders WHERE id = '$br'"), 'brazil', 'a Brazilian id');
is(contacted("SELECT * FROM orders WHERE id = '$kz'"), 'kazakhstan', 'a Kazakh id');
is(contacted("SELECT * FROM orders WHERE id = '$fr'"), '', 'an id of a country without a partition');
is(contacted("SELECT * FROM orders WHERE id = ANY ('{$br,$fr}')"), 'brazil', 'a list of ids');
is(contacted("SELECT * FROM orders WHERE id IN ('$br', '$kz')"), 'brazil kazakhstan', 'a list of both');
is(contacted("SELECT * FROM orders WHERE id = '$br'::text::uuid"), 'brazil', 'a text that is a constant');
is(contacted("$custom (uuid) AS SELECT * FROM orders WHERE id = \$1; EXECUTE q ('$br')"), 'brazil', 'a custom plan');
is(contacted("$generic (uuid) AS SELECT * FROM orders WHERE id = \$1; EXECUTE q ('$br')"), 'brazil', 'a generic plan');
is(contacted("$generic (uuid[]) AS SELECT * FROM orders WHERE id = ANY (\$1); EXECUTE q ('{$br}')"),
	'brazil kazakhstan', 'a generic plan with an array prunes nothing');
is(contacted("$custom (uuid[]) AS SELECT * FROM orders WHERE id = ANY (\$1); EXECUTE q ('{$br}')"),
	'brazil', 'a custom plan does');
is(contacted("$generic (uuid, uuid) AS SELECT * FROM orders WHERE id IN (\$1, \$2); EXECUTE q ('$br', '$br')"),
	'brazil', 'so does a generic plan with a list');
is(contacted("$generic (text) AS SELECT * FROM orders WHERE id = \$1::uuid; EXECUTE q ('$br')"),
	'brazil', 'a text parameter');
is(contacted("SELECT * FROM orders JOIN wanted USING (id) WHERE orders.id = '$br'"), 'brazil', 'a join with a constant');
is(contacted("SELECT * FROM orders WHERE id = (SELECT id FROM wanted)"),
	'brazil kazakhstan', 'a sub-select connects to all');
is(contacted("UPDATE orders SET total = 6 WHERE id = '$br'"), 'brazil', 'an update');
is(contacted("UPDATE orders SET total = 6 + random() WHERE id = '$br'"), 'brazil', 'an update row by row');
is(contacted("$generic (uuid) AS UPDATE orders SET total = 7 WHERE id = \$1; EXECUTE q ('$br')"),
	'brazil', 'an update with a generic plan');
is(contacted("$generic (uuid) AS UPDATE orders SET total = 7 + random() WHERE id = \$1; EXECUTE q ('$br')"),
	$node{router}->pg_version < 18 ? 'brazil kazakhstan' : 'brazil', 'the same row by row');
is(contacted("DELETE FROM orders WHERE id = '$new'"), 'brazil', 'a delete');

# What they are told.

sub plan_of
{
	my ($sql) = @_;
	return route($sql =~ s/EXPLAIN/EXPLAIN (VERBOSE, COSTS OFF)/r);
}

sub remote
{
	my ($sql) = @_;
	return join "\n", plan_of($sql) =~ /Remote SQL: (.*)$/mg;
}

my %all = map { $_ => "SELECT id, customer, total FROM public.orders_$_" } qw(br kz);
my $two = sub { my ($where) = @_; return join "\n", map { $all{$_} . $where } qw(br kz) };

is(remote("EXPLAIN SELECT * FROM orders WHERE id = '$kz'"), "$all{kz} WHERE ((id = '$kz'))", 'a literal is sent');
is(remote("EXPLAIN SELECT * FROM orders WHERE id = '$br'"), "$all{br} WHERE ((id = '$br'))", 'to its country alone');
is(remote("$generic (uuid) AS SELECT * FROM orders WHERE id = \$1; EXPLAIN EXECUTE q ('$kz')"),
	"$all{kz} WHERE ((id = \$1::uuid))", 'a parameter is sent');
like(plan_of("$generic (uuid) AS SELECT * FROM orders WHERE id = \$1; EXPLAIN EXECUTE q ('$kz')"),
	qr/Subplans Removed: 1/, 'and prunes when the plan starts');
is(remote("$generic (text) AS SELECT * FROM orders WHERE id = \$1::uuid; EXPLAIN EXECUTE q ('$kz')"),
	$all{kz}, 'a text parameter is not');
is(remote("EXPLAIN SELECT * FROM orders WHERE id::text = '$kz'"), $two->(''), 'an id as text asks everybody for everything');
is(remote('EXPLAIN SELECT * FROM orders WHERE iuid_country(id) = 82'),
	$two->(' WHERE ((public.iuid_country(id) = 82))'), 'a condition on the country is sent to everybody');
is(remote('EXPLAIN SELECT count(*) FROM orders_br'), 'SELECT count(*) FROM public.orders_br', 'a count of one country');

my $hours = "timestamptz '2026-01-01 00:00' AND id < timestamptz '2030-01-01 00:00'";
my $from = '019b76da-a800-0000-0000-000000000000';
my $to = '01b8dac5-b400-0000-0000-000000000000';

is(remote("EXPLAIN SELECT * FROM orders WHERE id >= $hours"),
	$two->(" WHERE ((id >= '$from')) AND ((id < '$to'))"), 'a time predicate with literals');
is(remote("EXPLAIN SELECT * FROM orders WHERE id <@ tstzrange('2026-01-01', '2030-01-01')"),
	$two->(" WHERE ((id >= '$from')) AND ((id < '$to'))"), 'a range');
is( remote("$generic (timestamptz) AS SELECT * FROM orders WHERE id > \$1; EXPLAIN EXECUTE q ('2026-01-01')"),
	$two->(" WHERE ((id >= uidext_internal.uuid_boundary_after(\$1::timestamp with time zone)))"), 'a time parameter');
is( remote("$generic (tstzrange) AS SELECT * FROM orders WHERE id <@ \$1 ORDER BY id LIMIT 5;
		EXPLAIN EXECUTE q ('[2026-01-01,2030-01-01)')"),
	$two->(' WHERE ((id >= uidext_internal.uuid_range_lower($1::tstzrange)))'
		  . ' AND ((id < uidext_internal.uuid_range_upper($1::tstzrange)))'
		  . ' ORDER BY id ASC NULLS LAST'), 'a range parameter and the order');
is(remote("EXPLAIN SELECT * FROM orders WHERE id > now() - interval '1 hour'"), $two->(''), 'now() is not sent');

my $listing = 'SELECT id FROM orders ORDER BY id';
like(plan_of("EXPLAIN $listing"),
	qr/^Merge Append\n  Sort Key: orders.id\n(  ->  Foreign Scan.*\n.*\n.*ORDER BY id ASC NULLS LAST\n?){2}$/,
	'a listing of all countries is merged');
my @listed = split /\n/, route($listing);
is_deeply(\@listed, [ sort @listed ], 'and comes in the order of time');
is(scalar(@listed), 2001, 'with every row');

query('the router', "ALTER SERVER $_ OPTIONS (ADD async_capable 'true')") foreach @countries;
is(() = plan_of('EXPLAIN SELECT count(*) FROM orders') =~ /Async Foreign Scan/g, 2, 'asynchronous scans');
query('the router', "ALTER SERVER $_ OPTIONS (DROP async_capable)") foreach @countries;

query('the router', "ALTER SERVER $_ OPTIONS (ADD use_remote_estimate 'true')") foreach @countries;
my $join = route('EXPLAIN (ANALYZE, VERBOSE, COSTS OFF, TIMING OFF, SUMMARY OFF)
	SELECT * FROM wanted JOIN orders ON orders.id = wanted.id');
like($join, qr/Foreign Scan on public.orders_br .*loops=1\)\n.*\n *Remote SQL: .*WHERE \(\((\$1::uuid = id|id = \$1::uuid)\)\)/,
	'a join asks the right server');
like($join, qr/Foreign Scan on public.orders_kz .*\(never executed\)/, 'and not the other one');
query('the router', "ALTER SERVER $_ OPTIONS (DROP use_remote_estimate)") foreach @countries;

{
	my $session = $node{router}->background_psql('world', extra_params => [ '-U', 'app' ]);

	$session->query_safe("SELECT * FROM orders WHERE id = '$br'");
	my $size = -s $node{brazil}->logfile;
	$session->query_safe("SELECT * FROM orders WHERE id = '$br'");
	is(() = slurp_file($node{brazil}->logfile, $size) =~ /postgres_fdw LOG:  (statement|execute)/g, 5,
		'a lookup takes five round trips');
	$session->quit;
}

# Writing.

is(route("UPDATE orders SET total = 11 WHERE id = '$kz' RETURNING total"), '11', 'UPDATE');
is(query('kazakhstan', "SELECT total FROM orders WHERE id = '$kz'"), '11', 'is there');
is(remote("EXPLAIN UPDATE orders SET total = 11 WHERE id = '$kz'"),
	"UPDATE public.orders_kz SET total = 11::numeric WHERE ((id = '$kz'))", 'in one statement');
is(route("UPDATE orders SET total = 11 + random() WHERE id = '$kz' RETURNING total > 11"), 't', 'UPDATE row by row');
is(route("DELETE FROM orders WHERE id = '$kz' RETURNING customer"), '500', 'DELETE');
is(query('kazakhstan', "SELECT count(*) FROM orders WHERE id = '$kz'"), '0', 'is gone there');
my $replaced = route("UPDATE orders SET id = gen_iuid('BR', 'Order') WHERE id = '$br' RETURNING id");
is(query('brazil', "SELECT customer FROM orders WHERE id = '$replaced'"), '500', 'an id may change within its country');

my $file = PostgreSQL::Test::Utils::tempdir() . '/orders';
append_to_file($file, route(qq(
	SELECT gen_iuid(c, 1), 2000, 3 FROM unnest('{76,82}'::int[]) c, generate_series(1, 50))) =~ tr/|/\t/r
	. "\n");
query('the router', "COPY orders FROM '$file'");
is(query($_, 'SELECT count(*) FROM orders WHERE customer = 2000'), '50', "COPY, $_") foreach @countries;
query('the router', "ALTER SERVER $_ OPTIONS (ADD batch_size '100')") foreach @countries;
route("INSERT INTO orders SELECT gen_iuid(c, 1), 2001, 3 FROM unnest('{76,82}'::int[]) c, generate_series(1, 150)");
is(query($_, 'SELECT count(*) FROM orders WHERE customer = 2001'), '150', "batches, $_") foreach @countries;
query('the router', "ALTER SERVER $_ OPTIONS (DROP batch_size)") foreach @countries;
route('DELETE FROM orders WHERE customer >= 2000');

like(failure('TRUNCATE orders'), qr/permission denied/, 'TRUNCATE by an application');
my $truncated;
$node{router}->psql('world', 'TRUNCATE orders', stderr => \$truncated);
like($truncated, qr/foreign table "orders_\w+" does not allow truncates/, 'TRUNCATE by a superuser');

# Two countries in a transaction.

my $both = 'INSERT INTO orders VALUES (gen_iuid(76, 1), 3000, 0), (gen_iuid(82, 1), 3000, 0)';
my $counts = sub { return join ' ', map { query($_, 'SELECT count(*) FROM orders WHERE customer = 3000') } @countries };

route("BEGIN; $both; ROLLBACK");
is($counts->(), '0 0', 'ROLLBACK undoes both');
route("BEGIN; $both; SAVEPOINT s; $both; ROLLBACK TO s; COMMIT");
is($counts->(), '1 1', 'ROLLBACK TO undoes both');
like(failure("BEGIN; $both; SELECT 1 / 0; COMMIT"), qr/division by zero/, 'an error here');
is($counts->(), '1 1', 'undoes both');
like(failure("INSERT INTO orders VALUES (gen_iuid(76, 1), 3000, 0), (gen_iuid(82, 1), 3000, NULL)"),
	qr/null value/, 'an error there');
is($counts->(), '1 1', 'undoes both, too');
like(failure("BEGIN; $both; PREPARE TRANSACTION 'x'"),
	qr/cannot PREPARE a transaction that has operated on postgres_fdw foreign tables/, 'no two-phase commit');
is($counts->(), '1 1', 'and nothing left of it');

# A constraint that fails at commit: whichever country commits first keeps its
# row when the other one fails, so one of the two cases is a torn transaction.
my @torn;
foreach my $failing (@countries)
{
	query(
		$failing, q(
		CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused at commit'; END $$;
		CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON orders DEFERRABLE INITIALLY DEFERRED
			FOR EACH ROW EXECUTE FUNCTION refuse()));
	like(failure("BEGIN; $both; COMMIT"), qr/refused at commit/, "COMMIT fails in $failing");
	push @torn, $failing if $counts->() ne '1 1';
	query($_, "DELETE FROM orders WHERE customer = 3000") foreach @countries;
	query($failing, 'DROP TRIGGER refuse ON orders; DROP FUNCTION refuse');
	route($both);
}
is(scalar(@torn), 1, "COMMIT is not two-phase: it was torn when @torn failed");

{
	my $one = $node{router}->background_psql('world', extra_params => [ '-U', 'app' ]);
	my $two = $node{router}->background_psql('world', on_error_stop => 0, extra_params => [ '-U', 'app' ]);

	$one->query_safe("BEGIN; UPDATE orders SET total = 1 WHERE id = '$replaced'");
	$two->query_until(qr/started\n/, "\\echo started\nUPDATE orders SET total = 2 WHERE id = '$replaced';\n");
	$node{brazil}->poll_query_until('brazil', "SELECT count(*) > 0 FROM pg_stat_activity
		WHERE wait_event_type = 'Lock' AND application_name = 'postgres_fdw'");
	$one->query_safe('COMMIT');
	$two->query('SELECT 1');
	like($two->{stderr}, qr/could not serialize access due to concurrent update/, 'the second writer of a row has to retry');
	$_->quit foreach $one, $two;
}

my $moving = '018c22ac-d000-804c-8040-000000000001';
is(route("INSERT INTO orders VALUES ('$moving', 1, 10) ON CONFLICT DO NOTHING RETURNING total"), '10', 'an id made before');
is(route("INSERT INTO orders VALUES ('$moving', 1, 10) ON CONFLICT DO NOTHING RETURNING total"), '', 'a retry');
like(failure("INSERT INTO orders VALUES ('$moving', 1, 10) ON CONFLICT (id) DO UPDATE SET total = 10"),
	qr/there is no unique or exclusion constraint matching the ON CONFLICT specification/, 'DO UPDATE');
like(failure("MERGE INTO orders o USING (SELECT 1) s ON o.id = '$moving' WHEN MATCHED THEN DELETE"),
	qr/cannot execute MERGE on relation "orders_br"/, 'MERGE');
like(failure("UPDATE orders SET id = gen_iuid('KZ', 'Order') WHERE id = '$moving'"),
	qr/new row for relation "orders_br" violates partition constraint/, 'an id does not move between countries');
play('What is atomic');
my ($delete) = map { $_->{sql} =~ /^(DELETE FROM orders .*;)$/m } @{ $document{'What is atomic'} };
route("INSERT INTO orders VALUES ('018c22ac-d000-804c-8040-000000000001', 1, 10)");
route($delete =~ s/:'new_id'/gen_iuid('KZ', 'Order')/r);
is(route("DELETE FROM orders WHERE id = '018c22ac-d000-804c-8040-000000000001' RETURNING customer"), '1',
	'a row stays that has not arrived elsewhere');

like(failure("INSERT INTO orders VALUES (gen_iuid('FR', 'Order'), 1, 10)"), qr/no partition of relation "orders" found for row/,
	'a country without a partition');
like(failure("INSERT INTO orders VALUES ('8d6b2b0c-0f24-4b9c-9a53-d4f6c6ee1e4d', 1, 10)"),
	qr/invalid input syntax for type iuid: "8d6b2b0c-0f24-4b9c-9a53-d4f6c6ee1e4d"/, 'an id that is no iUID');
is(contacted("SELECT * FROM orders WHERE id = '8d6b2b0c-0f24-4b9c-9a53-d4f6c6ee1e4d'"), '', 'is looked for nowhere');

# A server that is down.

my $open = $node{router}->background_psql('world', on_error_stop => 0, extra_params => [ '-U', 'app' ]);
$open->query_safe('SELECT count(*) FROM orders');
$kz = query('kazakhstan', 'SELECT id FROM orders WHERE customer = 501');
$br = $replaced;
my ($session_ended, $server_gone) = map { $node{router}->background_psql('world', on_error_stop => 0,
		extra_params => [ '-U', 'app' ]) } 1, 2;
my $code = sub {
	my ($session) = @_;

	$session->query("SELECT customer FROM orders WHERE id = '$kz'");
	my ($sqlstate) = $session->{stderr} =~ /ERROR:  (\w{5})$/m;
	$session->quit;
	return $sqlstate;
};
$_->query_safe("\\set VERBOSITY sqlstate\nBEGIN; SELECT customer FROM orders WHERE id = '$kz'")
	foreach $session_ended, $server_gone;
{
	my $holder = $node{kazakhstan}->background_psql('kazakhstan');
	my $waiting = "FROM pg_stat_activity WHERE application_name = 'postgres_fdw' AND wait_event_type = 'Lock'";

	$holder->query_safe("BEGIN; UPDATE orders SET total = total WHERE id = '$kz'");
	$session_ended->query_until(qr/started\n/, "\\echo started\nUPDATE orders SET total = 12 WHERE id = '$kz';\n");
	ok($node{kazakhstan}->poll_query_until('kazakhstan', "SELECT EXISTS (SELECT $waiting)"), 'a query of the router runs');
	query('kazakhstan', "SELECT pg_terminate_backend(pid, 180000) $waiting");
	$session_ended->query('SELECT');
	like($session_ended->{stderr}, qr/ERROR:  08006$/m, 'and somebody ends its session');
	$_->quit foreach $session_ended, $holder;
}
$node{kazakhstan}->stop('immediate');
is($code->($server_gone), '08006', 'a server that crashes within a transaction');
is(failure("\\set VERBOSITY sqlstate\nSELECT * FROM orders WHERE id = '$kz'") =~ s/.*ERROR:  //r, '08001',
	'a server to which there is no way');
is(route("SELECT customer FROM orders WHERE id = '$br'"), '500', 'a lookup in Brazil while Kazakhstan is down');
is(route("UPDATE orders SET total = 9 WHERE id = '$br' RETURNING total"), '9', 'an update');
is($open->query_safe("SELECT customer FROM orders WHERE id = '$br'"), '500', 'a lookup in a session that had been to both');
my $down = qr/could not connect to server "kazakhstan"/;
like(failure("SELECT * FROM orders WHERE id = '$kz'"), $down, 'a Kazakh id fails');
like(failure("INSERT INTO orders VALUES (gen_iuid(82, 1), 1, 1)"), $down, 'so does an insert');
like(failure('SELECT * FROM orders ORDER BY id LIMIT 1'), $down, 'and what needs all servers');
like(failure("SELECT * FROM orders WHERE id = (SELECT '$br'::uuid FROM wanted)"), $down, 'and what connects to all');
my $before = query('brazil', 'SELECT count(*) FROM orders');
like(failure($both), $down, 'an insert into both fails');
is(query('brazil', 'SELECT count(*) FROM orders'), $before, 'in both');
is(route('SELECT count(*) FROM (SELECT FROM orders_br ORDER BY id DESC LIMIT 10) AS newest'), '10', 'a country by name answers');
$node{kazakhstan}->start;
is($open->query_safe("SELECT customer FROM orders WHERE id = '$kz'"), '501', 'the session goes on when the server is back');

# Add a country, move a country.

set_up('mexico', q('MX'));     # a code does as well as a number
like(failure("INSERT INTO orders VALUES (gen_iuid('MX', 'Order'), 1, 1)"),
	qr/no partition of relation "orders"/, 'no Mexico yet');
play('Add a country');
is(route("INSERT INTO orders VALUES (gen_iuid('MX', 'Order'), 1, 1) RETURNING tableoid::regclass"), 'orders_mx', 'Mexico');
is(query('mexico', 'SELECT count(*) FROM orders WHERE iuid_country(id) = 123'), '1001', 'has all its rows');

set_up('the new brazil', 76);
query('the new brazil', 'TRUNCATE orders');
{
	my @steps = @{ $document{'Move a country to another server'} };
	my $step = sub {
		my ($n) = @_;
		$document->{step} = [ splice @steps, 0, $n ];
		play('step');
	};
	my $rows = 'SELECT count(*), sum(total), max(id::text) FROM orders';

	$step->(3);
	is(query('the new brazil', $rows), query('brazil', $rows), 'copied');
	my $writer = $node{router}->background_psql('world', extra_params => [ '-U', 'app' ]);
	$writer->query_safe("INSERT INTO orders VALUES (gen_iuid(76, 1), 4000, 1)");
	my $early;
	$node{brazil}->psql('brazil', $steps[1]{sql}, stderr => \$early);
	like($early, qr/step 3 comes first/, 'nobody waits for what writers can still add to');
	$step->(1);
	like(failure("UPDATE orders SET total = 12 WHERE id = '$br'"), qr/permission denied for table orders_br/, 'no writes');
	is(route("SELECT total FROM orders WHERE id = '$br'"), '9', 'but reads');
	is(route("UPDATE orders SET total = 12 WHERE id = '$kz' RETURNING total"), '12', 'and writes elsewhere');
	$step->(1);
	is(query('the new brazil', $rows), query('brazil', $rows), 'complete');
	my $lookup = "SELECT total FROM orders WHERE id = '$br'";
	$writer->query_safe("BEGIN; $lookup");
	$step->(1);
	is($open->query_safe("UPDATE orders SET total = 12 WHERE id = '$br' RETURNING total"), '12',
		'a session open before writes again');
	is(query('the new brazil', "SELECT total FROM orders WHERE id = '$br'"), '12', 'to the new server');
	is(query('brazil', "SELECT total FROM orders WHERE id = '$br'"), '9', 'not to the old one');
	is($writer->query_safe($lookup), '9', 'a transaction that was open reads the old one');
	is($writer->query_safe("COMMIT; $lookup"), '12', 'until it ends');
	is(route("SELECT node FROM iuid_route('$br')"), 'br2.example.com', 'which the registry knows');
	$step->(1);
	is(scalar(@steps), 0, 'moved');
	is($node{brazil}->safe_psql('postgres', 'SELECT count(*) FROM pg_replication_slots'), '0', 'no slot left behind');
	$writer->quit;
}
$open->quit;

# What ANALYZE stores here.

my $stored = "SELECT DISTINCT tablename, attname FROM pg_stats WHERE tablename ~ '^orders_(br|kz)\$' ORDER BY 1, 2";
like(query('the router', $stored), qr/^orders_br\|customer$/m, 'the router stores values of its countries');
play('Values that must not leave their country');
is(query('the router', $stored), "orders_br|id\norders_kz|id", 'but those of no column that is left out');

# Variations.

play('Time partitions in a country');
query('the router', "SELECT uuid_partition_drop('rides_kz', '2026-01-01 00:00+00')");
query('kazakhstan', "SET ROLE keeper; SELECT uuid_partition_drop('rides_kz', '2026-01-01 00:00+00')");
is(query('the router', "SELECT count(*) FROM pg_partition_tree('rides') WHERE isleaf"),
	query('kazakhstan', "SELECT count(*) FROM pg_partition_tree('rides') WHERE isleaf"), 'as many months here and there');
route(qq(
	INSERT INTO rides
	SELECT gen_iuid_at(timestamptz '2026-01-15' + n * interval '1 month', 82, 1), n
	FROM generate_series(0, 11) n));
is(query('kazakhstan', 'SELECT count(DISTINCT tableoid), count(DISTINCT ctid) FROM rides'), '12|1',
	'inserts reach the months, each its first place');

# One id is one row, whatever cannot be sent whole.
my @ride = split /\n/, query('kazakhstan', 'SELECT id FROM rides ORDER BY id');
my $unpaid = sub { return query('kazakhstan', 'SELECT count(*) FILTER (WHERE paid_at IS NULL), count(*) FROM rides') };

is(route("UPDATE rides SET paid_at = now() WHERE id = '$ride[1]' RETURNING id"), $ride[1], 'UPDATE with now()');
is($unpaid->(), '11|12', 'changes one row');
is(route(qq(
	UPDATE rides
	SET paid_at = now(), fare = random()
	FROM wanted, generate_series(1, 3) n
	WHERE rides.id = '$ride[2]' AND n = 2
	RETURNING rides.id)),
	$ride[2], 'UPDATE with a join');
is($unpaid->(), '10|12', 'changes one row');
is(route("$generic (uuid) AS UPDATE rides SET paid_at = clock_timestamp() WHERE id = \$1 RETURNING id; EXECUTE q ('$ride[3]')"),
	$ride[3], 'UPDATE with a generic plan');
is($unpaid->(), '9|12', 'changes one row');
is(route("DELETE FROM rides WHERE id = '$ride[4]' AND random() < 2 RETURNING id"), $ride[4], 'DELETE row by row');
is($unpaid->(), '8|11', 'takes one row');
is(route(qq(
	WITH gone AS (DELETE FROM rides USING generate_series(1, 3) n WHERE id = '$ride[5]' AND n = 1 RETURNING id)
	SELECT id
	FROM gone)),
	$ride[5], 'DELETE with a join');
is($unpaid->(), '7|10', 'takes one row');
like(failure("UPDATE rides SET id = gen_iuid_at('2026-12-24', 82, 1) WHERE id = '$ride[6]'"),
	qr/new row for relation "rides_kz_2026_07" violates partition constraint/, 'an id does not move to another month');

# A foreign table made by hand for what is divided.
foreach my $divided (qw(rides rides_kz))
{
	query('the router', "
		CREATE FOREIGN TABLE whole (
			id uuid, fare numeric, paid_at timestamptz) SERVER kazakhstan OPTIONS (table_name '$divided');
		GRANT ALL ON whole TO app");
	like(failure("$_ WHERE id = '$ride[7]'"), qr/permission denied for table $divided\n/, "$_ through a foreign table for $divided")
	  foreach 'UPDATE whole SET paid_at = now()', 'DELETE FROM whole', 'SELECT * FROM whole';
	query('the router', 'DROP FOREIGN TABLE whole');
}
is($unpaid->(), '7|10', 'nothing changed');

# What the country makes by itself follows.
query('kazakhstan', "SET ROLE keeper; SELECT uuid_partition_create('rides_kz', '2030-01-01', '2030-03-01', '1 month')");
# What a dry run says, without places in files.
my $dry = sub {
	my ($status, $stdout, $stderr) = $node{router}->psql('world', "SELECT iuid_partition_create($_[0], dry_run => true)");
	return join '', map { "$_\n" } ($stdout =~ /(.+)/g), $stderr =~ /(?:NOTICE|WARNING|ERROR|DETAIL): +(.*)/g;
};
is($dry->("'rides', '{82}', 'kazakhstan'"),
	"partition public.rides_kz_2030_01: would be made\npartition public.rides_kz_2030_02: would be made\n",
	'a dry run names foreign tables');
query('the router', 'CREATE TABLE rides_kz_2030_02 ()');
is($dry->("'rides', '{82}', 'kazakhstan'"), join("\n", 'partition public.rides_kz_2030_02 is not created',
		'42P07: relation "public.rides_kz_2030_02" already exists',
		"partition public.rides_kz_2030_01: would be made\n"),
	'and says of one why it would not be made');
query('the router', 'DROP TABLE rides_kz_2030_02');
query('the router', qq(
	CREATE FOREIGN TABLE by_hand PARTITION OF rides_kz
	FOR VALUES FROM (iuid_boundary('2030-01-15 00:00+00')) TO (iuid_boundary('2030-02-15 00:00+00'))
	SERVER kazakhstan));
my $first = qr/partition public\.rides_kz_2030_01 is not created\n42P17: the period would overlap/;
like($dry->("'rides', '{82}', 'kazakhstan'"),
	qr/^$first partition (public\.)?by_hand\npartition public\.rides_kz_2030_02 is not created\n42P17: /,
	'and of those that would overlap another');
query('the router', 'DROP FOREIGN TABLE by_hand');
is($dry->("'rides', '{82}', 'kazakhstan', '2030-03-01', '2030-04-01', '1 month'"),
	join("\n", 'partition public.rides_kz_2030_01: would be made',
		'partition public.rides_kz_2030_02: would be made',
		'server "kazakhstan" would be asked to make its missing partitions',
		"A dry run does not ask the server, so it does not show the foreign partitions for them.\n"),
	'and what the other server would be asked for');
like($dry->("'rides', '{83}', 'kazakhstan'"),
	qr/^table public\.rides of server "kazakhstan" has no partition of country 83\n/,
	'and fails where the call would');
is(query('the router', "SELECT iuid_partition_create('rides', '{82}', 'kazakhstan')"),
	"rides_kz_2030_01\nrides_kz_2030_02", 'months made there follow');
is(query('the router', "SELECT iuid_partition_create('rides', '{82}', 'kazakhstan')"), '', 'once');

# While a server keeps the router waiting, nobody waits for the router.
my $months = sub {
	return qq(
		SELECT count(*)
		FROM iuid_partition_create(
			'rides', '{$_[0]}', 'kazakhstan', '2031-0$_[1]-01 00:00+00', '2031-0$_[2]-01 00:00+00', '1 month'))
};
query('the router', $months->(75, 1, 2));
query('kazakhstan', q(ALTER ROLE keeper SET lock_timeout = '180s'));
{
	my $holder = $node{kazakhstan}->background_psql('kazakhstan');
	$holder->query_safe('BEGIN; LOCK TABLE rides_kz IN SHARE UPDATE EXCLUSIVE MODE');
	my $caller = $node{router}->background_psql('world');
	$caller->query_until(qr//, $months->('75, 82', 2, 3) . ";\n");
	ok($node{kazakhstan}->poll_query_until('kazakhstan',
		qq(
			SELECT EXISTS (
				SELECT FROM pg_stat_activity
				WHERE usename = 'keeper' AND (wait_event_type = 'Lock' OR wait_event = 'PgSleep')))),
		'Kazakhstan waits');
	is(query('the router',
		qq(
			SELECT string_agg(relation::regclass::text || ' ' || mode, ', ')
			FROM pg_locks
			WHERE mode ~ 'Exclusive' AND database <> 0 AND relation::regclass::text ~ '^rides')),
		'', 'the router keeps nobody out, and no call of another server waiting');
	$holder->quit;
	is($caller->query_safe('SELECT 1'), "2\n1", 'and makes both when it gets them');
	$caller->quit;
}

# Of two calls at once the second one asks the other server after the first one has ended.
{
	my ($first, $second) = map { $node{router}->background_psql('world') } 1, 2;
	is($first->query_safe('BEGIN; ' . $months->(82, 4, 5)), 1, 'a call makes April');
	$second->query_until(qr//, $months->(82, 4, 6) . ";\n");
	ok($node{router}->poll_query_until('world',
			"SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep')"),
		'the second one waits');
	$first->query_safe('COMMIT');
	is($second->query_safe('SELECT 1'), "1\n1", 'and makes May');
	$_->quit foreach $first, $second;
}

# What the router itself has to lock.
query('kazakhstan', "SET ROLE keeper; SELECT uuid_partition_create('rides_kz', '2032-01-01', '2032-02-01', '1 month')");
{
	my $reader = $node{router}->background_psql('world');
	my $pid = $reader->query_safe('BEGIN; LOCK TABLE rides_kz IN ACCESS SHARE MODE; SELECT pg_backend_pid()');
	like(refusal("SET lock_timeout = '500ms'; SELECT iuid_partition_create('rides', '{82}', 'kazakhstan')"),
		qr/canceling statement due to lock timeout: table (public\.)?rides_kz is in use by process $pid\nHINT:  Call it again/,
		'an error of locks names the table and the process');
	$reader->quit;
}
query('the router', 'ALTER TABLE rides_kz OWNER TO keeper');
like(refusal("SELECT iuid_partition_create('rides', '{82}', 'kazakhstan')"), qr/must be owner of table (public\.)?rides_kz/,
	'nothing is attached to a partition that somebody else owns');
like($dry->("'rides', '{82}', 'kazakhstan'"),
	qr/^partition public\.rides_kz_2032_01 is not created\n42501: must be owner of table (public\.)?rides_kz\n$/,
	'as a dry run says');
query('the router', 'ALTER TABLE rides_kz OWNER TO CURRENT_USER');
is(query('the router', "SELECT iuid_partition_create('rides', '{82}', 'kazakhstan')"), 'rides_kz_2032_01', 'else it is');

# What another server says of partitions is not believed where it concerns more than its country.
my $leaves = query('kazakhstan', "SELECT pg_get_viewdef('uidext_internal.iuid_leaves')");
my $lying = sub {
	my ($schema, $remainder) = @_;
	query('kazakhstan', "CREATE SEQUENCE IF NOT EXISTS looks;
		CREATE OR REPLACE FUNCTION lie(first name, later name, n int) RETURNS name LANGUAGE plpgsql STABLE AS
			'BEGIN RETURN CASE WHEN nextval(''public.looks'') % 2 = 1 THEN first ELSE later END; END';
		GRANT ALL ON SEQUENCE looks TO PUBLIC; ALTER SEQUENCE looks RESTART;
		CREATE OR REPLACE VIEW uidext_internal.iuid_leaves AS
		SELECT public.lie('public', '$schema', n) AS parent_schema, 'lied_of'::name AS parent_table,
			82 AS country, 257 AS modulus, $remainder AS remainder,
			'lied_of_kz'::name AS partition, false AS by_time, 'public'::name AS leaf_schema,
			'made_up'::name AS leaf_table, false AS is_default,
			NULL::uuid AS from_id, NULL::uuid AS to_id, true AS is_plain
		FROM generate_series(1, 1) n");
};
query('the router', 'CREATE SCHEMA elsewhere; CREATE TABLE lied_of (id iuid NOT NULL) PARTITION BY HASH (id iuid_country_ops)');
$lying->('public', 77);
like(refusal("SELECT iuid_partition_create('lied_of', '{82}', 'kazakhstan')"),
	qr/has no partition of country 82\n/, 'a server has no say in other countries');
$lying->('elsewhere', 82);
query('the router', "SELECT iuid_partition_create('lied_of', '{82}', 'kazakhstan')");
is(query('the router', "SELECT relnamespace::regnamespace FROM pg_class WHERE relname = 'made_up'"), 'public',
	'nor in the schema of a foreign table');
query('kazakhstan', "CREATE OR REPLACE VIEW uidext_internal.iuid_leaves AS $leaves; DROP FUNCTION lie; DROP SEQUENCE looks");
query('the router', 'DROP TABLE lied_of; DROP SCHEMA elsewhere');

# Writing stops in the months, too.
my ($stop) = grep { /REVOKE/ } map { $_->{sql} =~ s/\borders\b/rides/gr } @{ $document{'Move a country to another server'} };
query('kazakhstan', $stop);
like(failure("UPDATE rides SET fare = 0 WHERE id = '$ride[7]'"),
	qr/permission denied for table rides_kz_2026_08/, 'no writes to a month');
is(route("SELECT count(*) FROM rides WHERE id = '$ride[7]'"), '1', 'but reads');

# What cannot be mirrored.
my $parcels = q("Odd ""Fleet"""."Par'cels");
query('kazakhstan', qq(CREATE SCHEMA "Odd ""Fleet""";
	CREATE TABLE $parcels ("The Id" iuid PRIMARY KEY) PARTITION BY HASH ("The Id" iuid_country_ops);
	SELECT iuid_partition_create(\$\$$parcels\$\$, '{82}', NULL, '2026-01-01', '2026-02-01', '1 month');
	SET search_path = "Odd ""Fleet""", public;
	CREATE TABLE rest PARTITION OF "Par'cels_kz" DEFAULT PARTITION BY RANGE ("The Id");
	CREATE TABLE rest_of_rest PARTITION OF rest DEFAULT;
	GRANT USAGE ON SCHEMA "Odd ""Fleet""" TO keeper));
query('the router', qq(
	CREATE SCHEMA "Odd ""Fleet""";
	CREATE TABLE $parcels ("The Id" iuid NOT NULL) PARTITION BY HASH ("The Id" iuid_country_ops)));
my $mirror = "SELECT iuid_partition_create(\$\$$parcels\$\$, '{82}', 'kazakhstan')";
like(refusal($mirror),
	qr/cannot make a foreign partition for table "Odd ""Fleet"""\.rest of server "kazakhstan"/,
	'a leaf that is partitioned further');
query('kazakhstan', q(
	SET search_path = "Odd ""Fleet""", public;
	DROP TABLE rest;
	CREATE TABLE rest PARTITION OF "Par'cels_kz" DEFAULT));
is(query('the router', $mirror), qq("Odd ""Fleet"""."Par'cels_kz"\n"Odd ""Fleet""".rest\n"Odd ""Fleet"""."Par'cels_kz_2026_01"),
	'a default partition follows, and so do odd names');
like(refusal($mirror =~ s/82/83/r),
	qr/table "Odd ""Fleet"""\."Par'cels" of server "kazakhstan" has no partition of country 83\nHINT/,
	'a country that is not there');
like(refusal("SELECT iuid_partition_create(\$\$$parcels\$\$, '{84}', 'kazakhstan', '2026-01-01', '2026-02-01', '1 month')"),
	qr/permission denied for table Par'cels|must be owner of table .*Par'cels/, "partitions there need the owner's rights");

query('kazakhstan', "SET ROLE keeper; SELECT iuid_partition_create('orders', '{75}')");
query('the router', "SELECT iuid_partition_create('orders', '{75}', 'kazakhstan')");
route('INSERT INTO orders VALUES (gen_iuid(75, 1), 5000, 1), (gen_iuid(82, 1), 5000, 1)');
is(route('SELECT tableoid::regclass::text FROM orders WHERE customer = 5000 ORDER BY 1'), "orders_kg\norders_kz", 'no row twice');

play('A country in two halves');
query('brazil', qq(
	SELECT iuid_partition_create('payments', '{82}');
	INSERT INTO payments SELECT gen_iuid(76, 1) FROM generate_series(1, 1000)));
query('the router', "CREATE TABLE payments (id iuid NOT NULL) PARTITION BY HASH (id iuid_country_ops);
	CREATE SERVER old FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
		host '${\$node{brazil}->host}', port '${\$node{brazil}->port}', dbname 'brazil');
	CREATE USER MAPPING FOR PUBLIC SERVER old OPTIONS (user 'router', password 'secret')");
is(query('the router', "SELECT iuid_partition_create('payments', '{76}', 'old')"),
	"payments_br_0\npayments_br_1", 'both halves are seen from the router');
is(query('brazil', 'SELECT count(DISTINCT tableoid), count(*) FROM payments'), '2|1000', 'both halves have rows');

query('kazakhstan', 'DELETE FROM orders_kg');
query('the warehouse', "CREATE EXTENSION uidext; SELECT iuid_load_iso_3166();
	CREATE TABLE orders (id iuid PRIMARY KEY, customer int NOT NULL, total numeric NOT NULL) PARTITION BY HASH (id iuid_country_ops);
	SELECT iuid_partition_create('orders', '{76,82}')");
play('A warehouse with all rows', 'every country' => [ 'the new brazil', 'kazakhstan' ]);
$node{router}->wait_for_subscription_sync($node{kazakhstan}, $_, 'warehouse') foreach @countries;
is(query('the warehouse', 'SELECT count(*) FROM orders_br'),
	query('the new brazil', 'SELECT count(*) FROM orders'), 'Brazil in the warehouse');
is(query('the warehouse', 'SELECT count(*) FROM orders_kz'), query('kazakhstan', 'SELECT count(*) FROM orders'),
	'Kazakhstan in the warehouse');

# Brazil moves once more, from its first server.
query('the warehouse', 'DROP SUBSCRIPTION brazil');
query('the new brazil', 'DROP PUBLICATION warehouse');
query('brazil', qq(
	CREATE PUBLICATION warehouse FOR TABLE orders WITH (
		publish = 'insert, update, delete', publish_via_partition_root = true)));
query('the warehouse', addressed(qq(
	CREATE SUBSCRIPTION brazil
	CONNECTION 'host=br.example.com dbname=brazil user=replicator password=secret'
	PUBLICATION warehouse WITH (copy_data = false))));
query('brazil', "INSERT INTO orders VALUES (gen_iuid(76, 1), 6000, 1)");
{
	my ($wait) = map { $_->{sql} } grep { $_->{sql} =~ /confirmed_flush_lsn/ } @{ $document{'Move a country to another server'} };

	query('brazil', $wait =~ s/slot_name = 'move'/slot_name = 'brazil'/r);
}
is(query('the warehouse', 'SELECT count(*) FROM orders WHERE customer = 6000'), 1,
	'the warehouse has all rows of the old server');
play('When a country of the warehouse moves');
query('the new brazil', "INSERT INTO orders VALUES (gen_iuid(76, 1), 6001, 1)");
$node{router}->poll_query_until('warehouse', 'SELECT count(*) = 1 FROM orders WHERE customer = 6001');
is(query('the warehouse', 'SELECT count(*) FROM orders WHERE customer >= 6000'), 2, 'and what is written on the new one');

query('the warehouse', "DROP SUBSCRIPTION $_") foreach @countries;

done_testing();
