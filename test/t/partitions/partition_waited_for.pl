# A call that could not get a lock names the table that it has waited for, whichever of
# its commands did; and a lock is waited for as long as it shall be.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions qw(with_timeout);

my $node = PostgreSQL::Test::Cluster->new('waited_for');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nmax_prepared_transactions = 1");
$node->start;
$node->safe_psql(
	'postgres', q(
	CREATE EXTENSION uidext;
	CREATE TABLE customers (id int PRIMARY KEY);
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), customer int REFERENCES customers) PARTITION BY RANGE (id);
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT PARTITION BY HASH (id);
	CREATE TABLE orders_rest_all PARTITION OF orders_rest FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	SELECT uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
	INSERT INTO orders VALUES (gen_uuidv7_at('2020-03-05 00:00+00'));
));

my $other = $node->background_psql('postgres');
my $create = q(SELECT uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month'));
my $maintain = q(SELECT problem FROM uuid_partition_maintain('orders', '1 month', 0, keep => '1 year'));
my $drain = q(CALL uuid_partition_drain('orders', '1 month'));

# What others hold, and which call waits for it.
foreach my $case (
	[ 'a default partition that is read', 'orders_rest', 'SELECT FROM ONLY orders_rest', $create, $maintain, $drain ],
	[ 'a part of one', 'orders_rest_all', 'SELECT FROM orders_rest_all', $create, $drain ],
	[ 'a referenced table that is written', 'customers', 'INSERT INTO customers VALUES (1)', $create, $drain ],
	[ 'the table', 'orders', 'LOCK TABLE ONLY orders IN ACCESS SHARE MODE', $drain ])
{
	my ($what, $table, $held, @calls) = @$case;

	$other->query_safe("BEGIN; $held");
	foreach my $call (@calls)
	{
		my ($name) = $call =~ /(uuid_\w+)/;
		my ($status, $stdout, $stderr) = $node->psql('postgres', "SET lock_timeout = '300ms'; $call", timeout => 180);

		like("$stdout $stderr",
			qr/(?:ERROR:|DETAIL:  55P03:)[^\n]*\btable public\.$table is in use by process \d+/,
			"$name names $what, and who has it");
	}
	$other->query_safe('ROLLBACK');
}

# A detach leaves those alone who read a table to which it refers, and names who is in its way.
$node->safe_psql('postgres', 'CREATE TABLE refunds_of (order_id uuid REFERENCES orders)');
my $reads = $node->background_psql('postgres');
$reads->query_safe('BEGIN; SELECT count(*) FROM customers');
$other->query_safe('BEGIN; SELECT count(*) FROM refunds_of');
my $detach = q(SET lock_timeout = '300ms'; SELECT uuid_partition_drop('orders', '2020-02-01 00:00+00', detach_only => true));
my $said = ($node->psql('postgres', $detach, timeout => 180))[2];
like($said, qr/ERROR:[^\n]*\brefunds_of is in use/, 'a detach names a referring table that is read');
unlike($said, qr/customers/, 'and not a referenced one that is read');
$other->query_safe('ROLLBACK');
$node->safe_psql('postgres', "BEGIN; $detach; ROLLBACK; DROP TABLE refunds_of");
ok(1, 'a reader of a referenced table is not in its way');
$reads->quit;

# What a new partition is made like, and a third table to whose partitions those of a follower refer.
$node->safe_psql(
	'postgres', q(
	CREATE TABLE shops (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE sales (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE coupons (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT uuid_partition_create(t, '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month')
	FROM unnest('{shops,sales}'::regclass[]) t;
	SELECT uuid_partition_follow('coupons', 'sales');
	ALTER TABLE coupons_2020_01 ADD FOREIGN KEY (id) REFERENCES shops_2020_01;
	SELECT uuid_partition_create(t, '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')
	FROM unnest('{shops,sales}'::regclass[]) t;
));
foreach my $case (
	[ 'the newest partition', 'orders_2020_01', 'LOCK TABLE orders_2020_01 IN ACCESS EXCLUSIVE MODE', $create ],
	[ 'the partition of a third table', 'shops_2020_02', 'LOCK TABLE shops_2020_02 IN ROW EXCLUSIVE MODE',
		q(SELECT problem FROM uuid_partition_follow('coupons', 'sales')) ])
{
	my ($what, $table, $held, $call) = @$case;

	$other->query_safe("BEGIN; $held");
	my ($status, $stdout, $stderr) = $node->psql('postgres', "SET lock_timeout = '300ms'; $call", timeout => 180);
	like("$stdout $stderr", qr/(?:ERROR:|DETAIL:  55P03:)[^\n]*\b$table\b/, "$what is named");
	$other->query_safe('ROLLBACK');
}

# A prepared transaction has no process, and a gid.
$other->query_safe(q(BEGIN; INSERT INTO customers VALUES (1); PREPARE TRANSACTION 'shop''s'));
foreach my $call ($create, $drain)
{
	my ($name) = $call =~ /(uuid_\w+)/;
	my ($status, $stdout, $stderr) = $node->psql('postgres', "SET lock_timeout = '300ms'; $call", timeout => 180);

	like("$stdout $stderr",
		qr/(?:ERROR:|DETAIL:  55P03:)[^\n]*\bcustomers is in use by prepared transaction 'shop''s'/,
		"$name names a prepared transaction");
}
$other->query_safe(q(ROLLBACK PREPARED 'shop''s'));

# To make a plan, too, which looks into the default partition: for no longer than the call waits
# at all.
$other->query_safe('BEGIN; LOCK TABLE ONLY orders_rest_all IN ACCESS EXCLUSIVE MODE');
foreach my $call ($create, $maintain, $maintain =~ s/0, keep/0, dry_run => true, keep/r, $drain)
{
	my ($name) = $call =~ /(uuid_\w+.*dry_run|uuid_\w+)/;
	my ($status, $stdout, $stderr) = $node->psql('postgres', "SET lock_timeout = '300ms'; $call", timeout => 180);

	like($stderr, qr/ERROR:  table public\.orders_rest_all is locked by process \d+/,
		"$name ends by itself, and names what it would have looked into");
}

# That is half of statement_timeout at most.  The call needs the other half to end, and a slow machine needs more of it.
my $names_it = qr/ERROR:  table public\.orders_rest_all is locked by process \d+/;
like(with_timeout(4, $names_it, sub {
	return ($node->psql('postgres', "SET lock_timeout = '1h'; SET statement_timeout = '$_[0]s'; $create",
		timeout => 180))[2]
}),
	$names_it, 'so it does before statement_timeout is over');
$other->query_safe('ROLLBACK');

# And to measure what a drop removes.  Who only reads the table is not the one.
my $reader = $node->background_psql('postgres');
$reader->query_safe('BEGIN; LOCK TABLE ONLY orders IN ACCESS SHARE MODE');
$other->query_safe('BEGIN; LOCK TABLE ONLY orders_2020_01 IN ACCESS EXCLUSIVE MODE');
my ($status, $stdout, $stderr) = $node->psql('postgres',
	q(SET lock_timeout = '300ms'; SELECT uuid_partition_drop('orders', '2020-02-01 00:00+00')), timeout => 180);
like($stderr, qr/ERROR:  [^\n]*\borders_2020_01\b/, 'so does a drop, which measures partitions');
$other->query_safe('ROLLBACK');
$reader->quit;

# What a follower's partition keeps from being done is told of that one, whichever table's step it is.
$node->safe_psql(
	'postgres', q(
	CREATE TABLE payments (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE refunds (payment_id uuid PRIMARY KEY) PARTITION BY RANGE (payment_id);
	SELECT uuid_partition_create('payments', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
	SELECT uuid_partition_create('payments', date_trunc('month', now(), 'UTC'), now() + interval '1 month', '1 month');
	SELECT uuid_partition_follow('refunds', 'payments');
));
foreach my $case ([ 'read', 'ACCESS SHARE' ], [ 'vacuumed', 'SHARE UPDATE EXCLUSIVE' ])
{
	my ($what, $mode) = @$case;

	$other->query_safe("BEGIN; LOCK TABLE ONLY refunds_2020_01 IN $mode MODE");
	is($node->safe_psql('postgres', q(SET client_min_messages = error; SET lock_timeout = '300ms';
			SELECT string_agg(partition || ' ' || substring(problem FROM '\w+_2020_01'), ', ' ORDER BY partition)
			FROM uuid_partition_maintain('payments', '1 month', 2, keep => '1 year', followers => '{refunds}')
			WHERE action = 'not dropped')),
		'public.payments_2020_01 refunds_2020_01, public.refunds_2020_01 refunds_2020_01',
		"a follower's partition that is $what is named");
	$other->query_safe('ROLLBACK');
}

# A table that refers to old rows, and cannot be read now, keeps these, and nothing else.
$node->safe_psql(
	'postgres', q(
	CREATE TABLE invoices (id int PRIMARY KEY, payment_id uuid REFERENCES payments);
));
$other->query_safe('BEGIN; LOCK TABLE invoices IN ACCESS EXCLUSIVE MODE');
is($node->safe_psql('postgres', q(SET client_min_messages = error;
		SELECT string_agg(
			action || coalesce(' ' || substring(problem FROM '55P03: table public.invoices is locked'), ''),
				', '
			ORDER BY action)
		FROM uuid_partition_maintain('payments', '1 month', 3, keep => '1 year', followers => '{refunds}', dry_run => true)
		WHERE partition ~ 'payments' AND (to_time > now()) = (action = 'to be created'))),
	'not dropped 55P03: table public.invoices is locked, to be created',
	'a referring table that is locked is named, and new partitions are planned');
$other->query_safe('ROLLBACK');

# Others who wait for the default partition wait for its reader, and not for a call that waits, too.
$node->safe_psql(
	'postgres', q(
	CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE visits_rest PARTITION OF visits DEFAULT;
));
my %session = map { $_ => $node->background_psql('postgres', on_error_stop => 0) } qw(reader caller truncating);
$session{reader}->query_safe('BEGIN; SELECT FROM visits_rest');
$session{caller}->query_until(qr/begins/, "SET lock_timeout = '100s';\n\\echo begins\n"
		. "SELECT 'made ' || uuid_partition_create('visits', '2026-02-01 00:00+00', '2026-03-01 00:00+00', '1 month');\n\\echo ends\n");
ok($node->poll_query_until('postgres',
		q(SELECT count(*) = 1 FROM pg_stat_activity WHERE query ~ 'made' AND wait_event = 'PgSleep')),
	'(a call waits)');
$session{truncating}->query_until(qr/begins/, "\\echo begins\nTRUNCATE visits_rest;\n\\echo ends\n");
ok($node->poll_query_until('postgres', q(
	SELECT count(*) = 1
	FROM pg_locks
	WHERE relation = 'visits_rest'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted)),
	'(and TRUNCATE waits)');
$session{reader}->query_safe('COMMIT');
$session{truncating}->query_until(qr/ends/, '');
like($session{caller}->query_until(qr/ends/, ''), qr/made visits_2026_02/, 'both go on when the reader has ended');
$_->quit foreach values %session;

# What was there when it began to wait may be gone afterwards.
$node->safe_psql('postgres', 'CREATE TABLE visits_2026_05 (id uuid NOT NULL)');
$session{caller} = $node->background_psql('postgres', on_error_stop => 0);
$other->query_safe('BEGIN; SELECT FROM visits_rest');
$session{caller}->query_until(qr/begins/, "\\echo begins\n"
		. qq(
			SELECT uidext_internal.attach_ids('visits', 'visits_2026_05',
				uuid_boundary('2026-05-01 00:00+00')::text,
				uuid_boundary('2026-06-01 00:00+00')::text);\n\\echo ends\n));
ok($node->poll_query_until('postgres',
		q(SELECT count(*) = 1 FROM pg_locks WHERE relation = 'visits_rest'::regclass AND NOT granted)),
	'(attach_ids() waits)');
$node->safe_psql('postgres', 'DROP TABLE visits_2026_05');
$other->query_safe('ROLLBACK');
$session{caller}->query_until(qr/ends/, '');
is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_inherits WHERE inhparent = 'visits'::regclass)), '2',
	'a table that is dropped meanwhile is attached nowhere');
$session{caller}->quit;

# A wait that is longer than the case takes, in units of its own.
$other->query_safe('BEGIN; LOCK TABLE customers IN ACCESS EXCLUSIVE MODE');
foreach my $wait ('1 day', '1 month', '2 minutes', '100 years')
{
	my $waiting = $node->background_psql('postgres', on_error_stop => 0);

	$waiting->query_until(qr/begins/,
		"\\echo begins\nSELECT uidext_internal.lock_table('customers', 'SHARE UPDATE EXCLUSIVE', '$wait');\n");
	ok( $node->poll_query_until('postgres',
			q(SELECT count(*) = 1 FROM pg_locks WHERE relation = 'customers'::regclass AND NOT granted)),
		"$wait is waited");
	$node->safe_psql('postgres',
		q(SELECT pg_cancel_backend(pid) FROM pg_locks WHERE relation = 'customers'::regclass AND NOT granted));
	$waiting->quit;
}
($status, $stdout, $stderr) = $node->psql('postgres',
	q(SELECT uidext_internal.lock_table('customers', 'SHARE UPDATE EXCLUSIVE', '0')));
like($stderr, qr/could not obtain lock on relation "customers"/, 'none is not');
($status, $stdout, $stderr) = $node->psql('postgres',
	q(SELECT uidext_internal.lock_table('customers', 'SHARE UPDATE EXCLUSIVE', '10 ms')));
like($stderr, qr/could not obtain lock on relation "customers"/, 'and a wait that is over names the table');
$other->query_safe('ROLLBACK');
$other->quit;

$node->stop;
done_testing();
