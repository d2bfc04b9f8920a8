# uuid_partition_move() beside readers, two at once, and killed while it waits.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('move');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nrestart_after_crash = on\nTimeZone = 'UTC'\nallow_in_place_tablespaces = on");
$node->start;
$node->safe_psql('postgres', $_) foreach (
	"CREATE TABLESPACE cold LOCATION ''", q(
	CREATE EXTENSION uidext;
	CREATE ROLE shop LOGIN;
	GRANT CREATE ON TABLESPACE cold TO shop;
	CREATE SCHEMA shop AUTHORIZATION shop;
	CREATE SCHEMA archive AUTHORIZATION shop;
	SET ROLE shop;
	CREATE TABLE shop.orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int) PARTITION BY RANGE (id);
	SELECT uuid_partition_create('shop.orders', '2024-01-01', '2024-05-01', '1 month');
	SELECT uuid_partition_maintain('shop.orders', '1 year', 1);
	INSERT INTO shop.orders SELECT gen_uuidv7_at(at) FROM generate_series('2024-01-01'::timestamptz, '2024-04-30', '1 day') AS at;
));

my $move = "CALL uuid_partition_move('shop.orders', '2024-05-01', 'archive', 'cold')";
my $left = "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class
	WHERE relname ~ '^orders_2024_0' AND (reltablespace = 0 OR relnamespace = 'shop'::regnamespace)";

sub session
{
	return $node->background_psql('postgres', on_error_stop => 0, extra_params => [ '-U', 'shop' ]);
}

# Sends the call, and waits until it waits for a partition.
sub send_and_wait
{
	my ($session) = @_;
	my $pid = $session->query_safe('SELECT pg_backend_pid()');

	$session->query_until(qr/sent/, "\\echo sent\n$move;\n");
	$node->poll_query_until('postgres', "SELECT count(*) > 0 FROM pg_locks WHERE pid = $pid AND NOT granted AND mode = 'AccessExclusiveLock'")
	  or die 'it does not wait';
	return $pid;
}

sub hold
{
	my ($month) = @_;
	my $holder = session();

	$holder->query_safe("BEGIN; SELECT count(*) FROM shop.orders_2024_$month");
	return $holder;
}

# One that is read stays with a warning, and the others go.
my $holder = hold('02');
my $stderr;
$node->psql('postgres', "SET lock_timeout = '50ms'; $move", stderr => \$stderr, extra_params => [ '-U', 'shop' ]);
like($stderr, qr/WARNING:  partition shop\.orders_2024_02 is not moved\n.*DETAIL:  55P03: canceling statement due to lock timeout/, 'lock_timeout is a warning');
like($stderr, qr/NOTICE:  ALTER TABLE shop\.orders_2024_04 SET SCHEMA archive/, 'and the others go');
is($node->safe_psql('postgres', $left), 'orders_2024_02 orders_2024_02_pkey', 'but the one that is read');

# Nobody waits for it who does not read that partition.
my $one = session();
my $pid = send_and_wait($one);
is($node->safe_psql('postgres', "SELECT string_agg(DISTINCT mode, ' ') FROM pg_locks WHERE pid = $pid AND relation = 'shop.orders'::regclass AND mode <> 'AccessShareLock'"),
	'', 'the table is not locked');
is($node->safe_psql('postgres', "SET lock_timeout = '10s'; INSERT INTO shop.orders VALUES (DEFAULT, 1); SELECT count(*) FROM shop.orders WHERE id >= uuid_boundary('2024-03-01'); SELECT count(*) FROM uuid_partition_create('shop.orders', '2023-01-01', '2023-02-01', '1 month')"),
	"62\n1", 'others write, read and make partitions');

# Killed while it waits.
kill 'KILL', $pid;
$node->poll_query_until('postgres', "SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $pid") or die 'the server does not come back';
eval { $_->quit } foreach $one, $holder;
is($node->safe_psql('postgres', $left), 'orders_2024_02 orders_2024_02_pkey', 'killed: nothing has changed');

# Two at once.
$node->safe_psql('postgres', q(SELECT format('ALTER TABLE %s SET SCHEMA shop', oid::regclass) FROM pg_class WHERE relnamespace = 'archive'::regnamespace AND relkind = 'r' \gexec));
$holder = hold('02');
my @callers = (session(), session());
send_and_wait($_) foreach @callers;
$holder->quit;
foreach my $caller (@callers)
{
	$caller->query('SELECT');
	unlike($caller->{stderr}, qr/WARNING|ERROR/, 'two at once share the work');
	$caller->quit;
}
is($node->safe_psql('postgres', $left), '', 'all is done');
is($node->safe_psql('postgres', "SELECT count(*), count(DISTINCT id) FROM shop.orders WHERE n IS NULL"), '121|121', 'and no row is lost');

$node->stop;
done_testing();
