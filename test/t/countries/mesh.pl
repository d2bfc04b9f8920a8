# Three countries without a router between them: each has its own rows, and
# finds those of the others, set up by the SQL blocks of doc/regions.md.

use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../include';
use PostgreSQL::Test::Utils;
use Regions;
use Test::More;

my @countries = qw(brazil kazakhstan mexico);
my %code = (brazil => 'br', kazakhstan => 'kz', mexico => 'mx');
my %id_of = (brazil => 76, kazakhstan => 82, mexico => 123);
my %node = map { $_ => country_server($_) } @countries;
my %place = map { $_ => [ $node{$_}, $_ ] } @countries;
place(\%place, { map { ("$code{$_}.example.com" => $node{$_}) } @countries });
my ($document, $text) = read_document();

# What a statement of an application says on a country's server, or what is wrong with it.
sub ask
{
	my ($where, $sql) = @_;
	return query($where, $sql, '-U', 'app');
}

sub failure
{
	my ($where, $sql, @options) = @_;
	my $stderr;

	$node{$where}->psql($where, $sql, stderr => \$stderr, on_error_stop => 1, extra_params => \@options);
	return $stderr;
}

# The countries whose servers hear from another while it runs a statement.
sub contacted
{
	my ($where, $sql) = @_;
	my %size = map { $_ => -s $node{$_}->logfile } @countries;

	ask($where, $sql);
	return join ' ', grep { slurp_file($node{$_}->logfile, $size{$_}) =~ /postgres_fdw/ } @countries;
}

$node{mexico}->safe_psql('postgres', 'CREATE DATABASE mexico; ALTER DATABASE mexico SET uidext.country = 123');
play('Set up a country', 'every server' => \@countries, 'every country' => \@countries);

# The key of a table that was set up for a router is in the way, and moves to the partition.
query('brazil', "CREATE EXTENSION postgres_fdw; CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw");
like(failure('brazil', "SET ROLE keeper; SELECT iuid_partition_create('orders', '{82}', 'far')"),
	qr/table public\.orders with a unique index cannot have foreign partitions\nDETAIL:  It has index public\.orders_pkey\./,
	'a table with a primary key gets no foreign partition, and is told why');
query('brazil', 'DROP EXTENSION postgres_fdw CASCADE');

play('Every country a router', 'every country' => \@countries);
{
	my $without_index = $document->{'Move the key of a table to its partition'}[0]{sql} =~ s/^CREATE UNIQUE INDEX .*\n//mr;

	$node{brazil}->psql('brazil', "\\set ON_ERROR_ROLLBACK on\n$without_index", on_error_stop => 0);
	is(query('brazil', "SELECT count(*) FROM pg_constraint WHERE conname = 'orders_pkey'"), 1,
		'a key that cannot move stays, whatever is in psqlrc');
}
play('Move the key of a table to its partition');
is(query('brazil', qq(
	SELECT conrelid::regclass, contype
	FROM pg_constraint
	WHERE contype = 'p' AND conrelid::regclass::text ~ '^orders')),
	'orders_br|p', 'the key of a table that was set up for a router is on its partition');

foreach my $here (@countries)
{
	is(query($here, qq(
		SELECT has_table_privilege('router', 'shipments', 'SELECT, INSERT, UPDATE, DELETE'),
			has_table_privilege('router', 'shipments_$code{$here}', 'UPDATE'))),
		'f|t', "others change rows of $here in their partition only");
	is( query(
			$here, q(SELECT c.relname, c.relkind FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
			WHERE inhparent = 'shipments'::regclass ORDER BY 1)),
		join("\n", map { "shipments_$code{$_}|" . ($_ eq $here ? 'r' : 'f') } @countries),
		"$here has its own country here and the others elsewhere");
}

# Look-ups by id, from any to any.

query($_, 'TRUNCATE shipments_' . $code{$_}) foreach @countries;
my %shipment = map { $_ => ask($_,
	"INSERT INTO shipments (customer, email) VALUES (1, '$_\@example.com') RETURNING id") } @countries;
foreach my $here (@countries)
{
	foreach my $there (@countries)
	{
		is(ask($here, "SELECT email FROM shipments WHERE id = '$shipment{$there}'"), "$there\@example.com",
			"$here finds a shipment of $there");
		is(contacted($here, "SELECT * FROM shipments WHERE id = '$shipment{$there}'"), $here eq $there ? '' : $there,
			"and contacts $there alone, itself not at all");
	}
	is(ask($here, "SELECT count(*), count(DISTINCT id) FROM shipments"), '3|3', "$here sees every row once");
	is(query($here,
			"SELECT count(*), bool_and(iuid_country(id) = $id_of{$here}) FROM ONLY shipments_$code{$here}"),
		'1|t', 'of which one is at home');
}

# Writes.

is(contacted('brazil', "INSERT INTO shipments (customer, email) VALUES (2, 'home')"), '',
	'an insert without an id stays at home');
is(contacted('brazil', "INSERT INTO shipments VALUES (gen_iuid('KZ', 'Order'), 2, 'away')"), 'kazakhstan',
	'one with an id of another country goes there');
is(query('kazakhstan', "SELECT email FROM shipments_kz WHERE customer = 2"), 'away', 'and is there');
is(ask('mexico',
		"UPDATE shipments SET email = 'changed' WHERE customer = 2 AND id = '$shipment{brazil}' RETURNING 1"),
	'', 'an update of no row');
is(ask('mexico',
	qq(
		UPDATE shipments
		SET customer = 3, email = current_setting('uidext.country')
		WHERE id = '$shipment{brazil}'
		RETURNING email)), '123',
	'an update from elsewhere');
is(query('brazil', "SELECT customer, email FROM shipments_br WHERE id = '$shipment{brazil}'"), '3|123',
	'changes the row at home');
is(ask('kazakhstan', 'DELETE FROM shipments WHERE customer = 2 RETURNING email') =~ s/\n/ /r, 'home away',
	'a delete reaches every country');

# What an id's uniqueness rests on.

foreach my $here (@countries)
{
	like(failure($here, "INSERT INTO shipments VALUES ('$shipment{kazakhstan}', 9, 'again')", '-U', 'app'),
		qr/duplicate key value violates unique constraint "shipments_kz_pkey"/, "no id twice, wherever it is inserted: $here");
	is(ask($here, "INSERT INTO shipments VALUES ('$shipment{kazakhstan}', 9, 'again') ON CONFLICT DO NOTHING RETURNING id"), '',
		'ON CONFLICT DO NOTHING finds it there');
}
like(failure('brazil', "INSERT INTO shipments_br VALUES ('$shipment{kazakhstan}', 9, 'wrong')"),
	qr/violates partition constraint/,
	'no id gets into the partition of another country');
like(failure('brazil', "INSERT INTO shipments VALUES ('$shipment{brazil}', 9, 'x') ON CONFLICT (id) DO UPDATE SET email = 'x'"),
	qr/no unique or exclusion constraint matching the ON CONFLICT/, 'ON CONFLICT (id) is refused');
is(query('brazil', qq(
	INSERT INTO shipments_br
	VALUES ('$shipment{brazil}', 9, 'x')
	ON CONFLICT (id) DO UPDATE SET email = 'x'
	RETURNING email)),
	'x', 'but not in the partition at home');
like(failure('brazil', 'CREATE TABLE parcels (shipment iuid REFERENCES shipments)'),
	qr/no primary key for referenced table "shipments"/,
	'nor can a foreign key refer to the table');
query('brazil', 'CREATE TABLE parcels (shipment iuid REFERENCES shipments_br)');

# The page's query of plain partitions, for a table in a schema that no search_path has.
my ($plain) = $text =~ /^(SELECT [^\n]* AS without_key\n.*?;)$/ms;
query('mexico', "CREATE SCHEMA post; CREATE TABLE post.shipments (LIKE shipments) PARTITION BY HASH (id)");
query('mexico', "SELECT iuid_partition_create('post.shipments', '{123}')");
is(query('mexico', $plain =~ s/'shipments'/'post.shipments'/r), 'post.shipments_mx|t',
	'a plain partition without a key is found, in any schema');

# A foreign partition stands for the rows of that country, not for a foreign partition there.
query('brazil', 'DROP TABLE parcels');
query($_, "SET ROLE keeper; CREATE TABLE parcels (id iuid NOT NULL) PARTITION BY HASH (id)") foreach @countries;
query('kazakhstan', "SET ROLE keeper; SELECT iuid_partition_create('parcels', '{82}')");
query('mexico', "SET ROLE keeper; SELECT iuid_partition_create('parcels', '{82}', 'kazakhstan')");
like(failure('brazil', "SET ROLE keeper; SELECT iuid_partition_create('parcels', '{82}', 'mexico')"),
	qr/cannot make a foreign partition for table public\.parcels_kz of server "mexico"/, 'no look-up takes a detour');

# Locks across servers.

{
	my %session = map { $_ => $node{$_}->background_psql($_, on_error_stop => 0,
		extra_params => [ '-U', 'app' ]) } qw(brazil kazakhstan);
	my $update = sub { return "UPDATE shipments SET customer = 4 WHERE id = '$shipment{$_[0]}'" };

	query($_,
		qq(
			SET ROLE keeper;
			ALTER SERVER brazil OPTIONS (SET options '-c lock_timeout=1s');
			ALTER SERVER kazakhstan OPTIONS (SET options '-c lock_timeout=1s')))
	  foreach keys %session;
	$session{$_}->query_safe('BEGIN; ' . $update->($_)) foreach sort keys %session;
	$session{brazil}->query_until(qr/started\n/, "\\echo started\n" . $update->('kazakhstan') . ";\n");
	$session{kazakhstan}->query($update->('brazil'));
	$session{brazil}->query('SELECT');
	like(join('', map { $_->{stderr} } values %session), qr/canceling statement due to lock timeout/,
		'of two that wait for each other on two servers lock_timeout ends one');
	$_->query('ROLLBACK') foreach values %session;
	$_->quit foreach values %session;
}

# A peer that is lost.

my $open = $node{mexico}->background_psql('mexico', on_error_stop => 0, extra_params => [ '-U', 'app' ]);
$open->query_safe('SELECT count(*) FROM shipments');
$node{kazakhstan}->stop('immediate');
my $down = qr/could not connect to server "kazakhstan"/;
foreach my $here (qw(brazil mexico))
{
	my ($other) = grep { $_ ne $here } qw(brazil mexico);

	is(ask($here, "SELECT count(*) FROM shipments WHERE id = '$shipment{$here}'"), '1', "Kazakhstan is lost: $here finds its own");
	is(ask($here, "SELECT count(*) FROM shipments WHERE id = '$shipment{$other}'"), '1', "and those of $other");
	is(ask($here, "SELECT count(*) FROM shipments_$code{$other}"), '1', "also when it asks for all of $other");
	is(ask($here, qq(
		WITH made AS (INSERT INTO shipments (customer, email) VALUES (5, 'home') RETURNING tableoid::regclass)
		SELECT *
		FROM made)),
		"shipments_$code{$here}", 'inserts at home go on');
	is(ask($here, qq(
			WITH gone AS (DELETE FROM shipments_$code{$here} WHERE customer = 5 RETURNING 1)
			SELECT count(*)
			FROM gone)), '1', 'so do deletes at home');
	like(failure($here, "SELECT * FROM shipments WHERE id = '$shipment{kazakhstan}'", '-U', 'app'), $down, 'a Kazakh id fails');
	like(failure($here, 'SELECT count(*) FROM shipments', '-U', 'app'), $down, 'and what asks for all countries');
}
is($open->query_safe("SELECT count(*) FROM shipments WHERE id = '$shipment{brazil}'"), '1',
	'a session that had been there goes on');
$node{kazakhstan}->start;
is($open->query_safe("SELECT count(*) FROM shipments WHERE id = '$shipment{kazakhstan}'"), '1',
	'also with Kazakhstan when it is back');
is(ask('kazakhstan', 'SELECT count(*) FROM shipments'), '3', 'which sees every country again');
$open->quit;

# A peer that hangs while its host answers.

{
	my $session = $node{mexico}->background_psql('mexico', on_error_stop => 0, extra_params => [ '-U', 'app' ]);
	$session->query_safe('SELECT count(*) FROM shipments');
	my $begun = $node{mexico}->background_psql('mexico', on_error_stop => 0, extra_params => [ '-U', 'app' ]);
	$begun->query_safe("BEGIN; SELECT * FROM shipments WHERE id = '$shipment{kazakhstan}'");
	query('brazil', q(SET ROLE keeper; ALTER SERVER kazakhstan OPTIONS (SET connect_timeout '3')));
	my $postmaster = slurp_file($node{kazakhstan}->data_dir . '/postmaster.pid') =~ /^(\d+)/ ? $1 : die;
	my @processes = ($postmaster, split ' ', `ps -o pid= --ppid $postmaster`);
	kill STOP => @processes;
	my ($limit, $end) = $node{brazil}->pg_version < 16
		? ('', $down)
		: ("SET statement_timeout = '2s'; ", qr/canceling statement due to statement timeout/);
	like(failure('brazil', "${limit}SELECT * FROM shipments WHERE id = '$shipment{kazakhstan}'", '-U', 'app'),
		$end, 'new connections end by connect_timeout, from 16 on by statement_timeout');
	$session->query("SET statement_timeout = '2s'; SELECT * FROM shipments WHERE id = '$shipment{kazakhstan}'");
	like($session->{stderr}, qr/canceling statement due to statement timeout/,
		'statement_timeout ends what waits for the first answer in its transaction');

	# then postgres_fdw asks to cancel the query; from 17 on it gives up after 30 seconds
	my $asks = $begun->query_safe('SELECT pg_backend_pid()');
	$begun->query_until(qr/asks/, "\\echo asks\nSET statement_timeout = '2s'; "
		  . "SELECT * FROM shipments WHERE id = '$shipment{kazakhstan}';\n\\echo answered\n");
	$node{mexico}->poll_query_until('mexico',
		"SELECT wait_event IS NULL AND now() - query_start > '3 s' FROM pg_stat_activity WHERE pid = $asks")
	  if $node{mexico}->pg_version < 17;
	kill CONT => @processes if $node{mexico}->pg_version < 17;
	$begun->query_until(qr/answered/, '');
	like($begun->{stderr}, qr/canceling statement due to statement timeout/,
		'a later answer is waited for longer, before 17 until the server goes on');
	kill CONT => @processes;
	$begun->quit;
	$session->quit;
}

# Months at home, which the others take over.

my ($months) = $text =~ /type these three lines.*?^```\n(.*?)^```$/ms or die;
$months =~ s/\bshipments/rides/g;
$months =~ s/2027-01-01/2026-03-01/ or die;
query('kazakhstan', "SET ROLE keeper;
	CREATE TABLE rides (id iuid NOT NULL, fare numeric) PARTITION BY HASH (id);
	$months");
query('brazil', q(SET ROLE keeper;
	CREATE TABLE rides (id iuid NOT NULL, fare numeric) PARTITION BY HASH (id);
	SELECT iuid_partition_create('rides', '{82}', 'kazakhstan');
	GRANT SELECT, INSERT ON rides TO app));
my $ride = ask('brazil', "INSERT INTO rides VALUES (gen_iuid_at('2026-02-03', 82, 1), 7) RETURNING id");
is(query('kazakhstan', "SELECT tableoid::regclass, fare FROM rides WHERE id = '$ride'"), 'rides_kz_2026_02|7',
	'a row reaches its month in another country');
query('kazakhstan', "SET ROLE keeper; SELECT uuid_partition_create('rides_kz', '2026-03-01', '2026-04-01', '1 month')");
is(query('brazil', "SET ROLE keeper; SELECT iuid_partition_create('rides', '{82}', 'kazakhstan')"),
	'rides_kz_2026_03', 'a month made there follows');
like(failure('brazil', "INSERT INTO rides VALUES ('$ride', 8)", '-U', 'app'),
	qr/unique constraint "rides_kz_2026_02_pkey"/, 'whose rows have a key, too');

done_testing();
