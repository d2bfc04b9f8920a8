# What doc/first-week.md lets a person type at night, when a month cannot be made:
# each line of its table is brought about, found by its SQLSTATE, and mended by
# what the line says.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $page = slurp_file(dirname(__FILE__) . '/../../../doc/first-week.md');
my ($chapter) = $page =~ /^## A month cannot be made at 3 a\.m\.\n(.*)/ms;
my %step = $chapter =~ /^### (Step \d): [^\n]+\n(.*?)(?=^### )/gms;
my ($urgent) = $chapter =~ /^How urgent is it.*?^```sql\n(.*?)^```$/ms;
my ($call) = $step{'Step 2'} =~ /^```sql\n(.*?)^```$/ms;
my ($find) = $step{'Step 3'} =~ /^```sql\n(.*?)^```$/ms;
my ($look, $trial) = $step{'Step 4'} =~ /^```sql\n(.*?)^```$/gms;
my ($give) = $chapter =~ /^### If nothing helps\n.*?^```sql\n(.*?)^```$/ms;
my ($count, $new_ids) = $chapter =~ /^### Rows in the default partition\n.*?^```sql\n(.*?)^```\n.*?^```sql\n(.*?)^```\n/ms;
my @lines = $step{'Step 3'} =~ /^\| (`\w{5}`[^|]*) \| [^|]+ \| ([^|]+) \|$/gm;
# what a line says is in a section of its own
my ($other) = $step{'Step 3'} =~ /^#### Another table has the name\n(.*?)^#### /ms;
s/^\[Another table has the name\].*$/$other/ foreach @lines;

my $node = OneSession->new('month_at_night');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nmax_prepared_transactions = 1");
$node->start;
$node->safe_psql('postgres',
	'CREATE EXTENSION uidext; CREATE ROLE shop_owner LOGIN; GRANT CREATE ON SCHEMA public TO shop_owner');
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');
my $month = $node->safe_psql('postgres', q(SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')));
my $next = $node->safe_psql('postgres', q(SELECT to_char(now() AT TIME ZONE 'UTC' + interval '1 month', 'YYYY_MM')));

# What the owner of the table, or another, sees: result, warnings and errors.  Whose psql
# goes on in a transaction after an error, as many a .psqlrc says, needs no other page.
sub sees
{
	my ($sql, $role) = @_;
	return join "\n", $node->ask('postgres',
		"\\set VERBOSITY verbose\n\\set ON_ERROR_ROLLBACK on\n\\pset tuples_only on\n$sql",
		$role // 'shop_owner');
}

# The table with last month alone.
sub orders
{
	sees(<<'SQL');
DROP TABLE IF EXISTS orders;
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), customer bigint NOT NULL, total numeric NOT NULL)
PARTITION BY RANGE (id);
SELECT uuid_partition_create('orders', date_trunc('month', now() - interval '1 month', 'UTC'),
	date_trunc('month', now(), 'UTC'), '1 month');
SQL
	return;
}

# What brings each SQLSTATE about; and what is in the way goes with the session that it returns.
my %cause = (
	'23514' => sub { sees('CREATE TABLE orders_rest PARTITION OF orders DEFAULT; INSERT INTO orders VALUES (DEFAULT, 1, 1)') },
	'42P07' => sub {
		sees("SELECT uuid_partition_maintain('orders', '1 month', ahead => 0); INSERT INTO orders VALUES (DEFAULT, 1, 1);
			ALTER TABLE orders DETACH PARTITION orders_$month");
	},
	'22023' => sub { sees('ALTER TABLE orders ALTER COLUMN id SET DEFAULT gen_random_uuid()') },
	'42710' => sub { sees("CREATE TYPE orders_$month AS ENUM ('note')") },
	'42501' => sub {
		sees(q(
			SELECT format('REVOKE SELECT ON %s FROM shop_owner', partition)
			FROM uuid_partition_list('orders') \gexec))
	},
	'55006' => sub {
		sees("SELECT uuid_partition_maintain('orders', '1 month', ahead => 0); INSERT INTO orders VALUES (DEFAULT, 1, 1)");
		my $reader = $node->background_psql('postgres');
		$reader->query_safe('BEGIN; SELECT count(*) FROM orders');
		sees("SET lock_timeout = '200ms'; ALTER TABLE orders DETACH PARTITION orders_$month CONCURRENTLY");
		$reader->quit;
	},
	'55P03' => sub {
		my $other = $node->background_psql('postgres', on_error_stop => 0);
		$other->query_safe('BEGIN; LOCK TABLE orders IN SHARE MODE');
		return $other;
	});

my %mended;
while (my ($codes, $type) = splice @lines, 0, 2)
{
	my ($code) = $codes =~ /`(\w{5})`/;

	# these have tests of their own
	next if $codes =~ /must be owner|OWNER TO|has not begun|has no partition of|statement timeout|42P17|53200|25006/;
	orders();
	my $session = $cause{$code}->();
	my $seen = sees($call);
	like($seen, qr/\bnot created\|public\.orders_${month}\w*\|$code: |ERROR:  $code: /, "$codes: the call says it");

	my ($hint) = $seen =~ /^HINT:  .*?((?:GRANT|ALTER) .*)$/m;
	my @commands = map { s/orders_2026_12/orders_$month/gr } $type =~ /`((?:CALL|ALTER|INSERT) [^`]+)`/g;
	$commands[0] = $hint if $type =~ /in the HINT/;
	if ($type =~ /find the session/)
	{
		like(sees($find), qr/^\|\d+\|$superuser\|\|orders\|ShareLock\|<insufficient privilege>$/m,
			'the owner of the table does not see what others do');
		my ($pid) = sees($find, $superuser) =~ /^[^|]+\|(\d+)\|$superuser\|idle in transaction\|orders\|ShareLock\|/m
		  or die 'no session is found';
		sees("SELECT pg_terminate_backend($pid, 180000)", $superuser);
		eval { $session->quit };
	}
	else
	{
		sees($_, $type =~ /as superuser/ ? $superuser : undef) foreach grep { !/^INSERT/ } @commands;
	}
	unlike(sees($call), qr/not created|ERROR/, "$codes: what the page says makes way");
	my $mended = sees("$look$trial");
	unlike($mended, qr/CRITICAL|ERROR/, "$codes: the month takes a row");
	like($mended, qr/^(?:public\.)?orders_$month\w*\|partition\|/m, "$codes: the month is in the list");
	foreach (grep { /^INSERT/ } @commands)
	{
		unlike(sees($_), qr/ERROR/, "$codes: and rows come back");
		is($node->safe_psql('postgres', 'SELECT count(*) FROM orders'), 1, "$codes: each");
	}
	sees("DROP TABLE IF EXISTS orders_${month}_other; DROP TYPE IF EXISTS orders_${month}_other");
	$mended{$code} = 1;
}
is(join(' ', sort keys %mended), join(' ', sort keys %cause), 'each cause has a line');

# What cron mails: the warning, and the result of the call of day 2.
sub without_dates { return $_[0] =~ s/\d{4}-\d\d-01 00:00:00\+00/DATE/gr =~ s/$month/2026_12/gr }
my ($cron) = $page =~ /^17 \* .*? psql -qXAt [^"]*(-c .*)$/m;
my ($mail) = $chapter =~ /^A mail of cron .*?^```\n(.*?)^```$/ms;
orders();
$cause{'42P07'}->();
my ($results, $warnings) =
run_command([ 'psql', '-qXAt', '-U', 'shop_owner', '-d', $node->connstr('postgres'),
	map { ('-c', $_) } $cron =~ /-c "([^"]+)"/g ]);
my %mailed = map { without_dates($_) => 1 } split /\n/, "$warnings\n$results";
is(join("\n", grep { !$mailed{ without_dates($_) } } split /\n/, $mail), '',
	'cron mails each line that the page shows')
	or diag("$warnings\n$results");
sees("DROP TABLE orders_$month");

# A partition that a superuser has made by hand.
sub row
{
	my ($beginning) = @_;
	my ($type) = $step{'Step 3'} =~ /^\| $beginning[^|]* \| [^|]+ \| ([^|]+) \|$/m;

	return $type // die "no line begins with $beginning";
}
my ($owner) = row('`42501`, and the HINT has `ALTER TABLE') =~ /as (superuser)/;
is($owner, 'superuser', 'the page says who gives the partition to the owner');
orders();
$node->safe_psql('postgres', $node->safe_psql('postgres',
	"SELECT format('ALTER TABLE %s OWNER TO $superuser', partition) FROM uuid_partition_list('orders')"));
my $by_hand = sees($call);
like($by_hand,
	qr/^not created\|public\.orders_$month\|42501: must be owner of table public\.orders_\d{4}_\d\d$/m,
	'like a partition of another role, no month is made');
my ($give_back) = $by_hand =~ /^HINT:  .*?(ALTER TABLE .* OWNER TO .*)$/m;
sees($give_back, $superuser);
unlike(sees($call), qr/not created|ERROR/, 'the command in the HINT is the way out');

# A call that takes longer than statement_timeout.
my ($unlimited) = row('`57014`') =~ /`(SET statement_timeout = 0)`/;
orders();
like(sees("SET statement_timeout = '1ms';\n$call"),
	qr/ERROR:  57014: canceling statement due to statement timeout/, 'statement_timeout ends the call');
# for this session it may end what resets it, too
$node->leave();
unlike(sees("SET statement_timeout = '1min';\n$unlimited;\n$call"), qr/not created|ERROR/, 'without it, the months are made');

# Whose password is refused is a superuser who takes the role of the owner.
orders();
my ($take) = $step{'Step 2'} =~ /password authentication failed.*?`(SET ROLE \w+)`/;
like(sees("$take;\n$call", $superuser), qr/^created\|public\.orders_$month\|$/m,
	'a superuser who takes the role of the owner makes the month');

# Rows of a month that has not begun, which no drain moves.
orders();
sees($call);
sees("DROP TABLE orders_$next; CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	INSERT INTO orders VALUES (gen_uuidv7_at(now() + interval '1 month'), 1, 1), (DEFAULT, 2, 1)");
like(sees($call), qr/not created\|public\.orders_$next\|23514: /, 'ids from the future keep the next month away');
sees("CALL uuid_partition_drain('orders', '1 month')");
like(sees($count), qr/\|1$/m, 'a drain leaves them');
sees("
	SELECT uuid_partition_create('orders', date_trunc('month', now() + interval '3 months', 'UTC'),
		now() + interval '3 months', '1 month');
	INSERT INTO orders VALUES (uuid_boundary(date_trunc('month', now() + interval '3 months', 'UTC')), 3, 1)");
sees($new_ids);
is($node->safe_psql('postgres', q(SELECT count(*) FROM orders WHERE customer = 3 AND id > now())), 1,
	'an id that has a partition stays as it is');
sees('DELETE FROM orders WHERE customer = 3');
unlike(sees($call), qr/not created|ERROR/, 'with new ids they are not in the way');
is($node->safe_psql('postgres', 'SELECT count(*), (SELECT count(*) FROM orders_rest) FROM orders'), '2|0',
	'and each row is there');

# A second default partition is no way out, and the first one is not needed.
my ($told) = $chapter =~ /PostgreSQL refuses a second one with `([^`]+)`/;
like(sees($give =~ s/orders_rest/orders_rest_2/gr), qr/\Q$told\E/, 'a table with a default partition gets no other');

# The default partition goes only if it is empty, also if all is pasted at once.
my ($drop) = $chapter =~ /^```sql\n([^`]*^SELECT [^`]*'DROP TABLE orders_rest'[^`]*)^```$/m;
sees("INSERT INTO orders VALUES (gen_uuidv7_at('2020-01-15 00:00+00'), 3, 1)");
sees($drop);
is($node->safe_psql('postgres', 'SELECT count(*) FROM orders'), 3, 'a default partition with a row stays');
sees("DELETE FROM orders_rest");
sees('CREATE TABLE notes (order_id uuid REFERENCES orders)');
my $reading = $node->background_psql('postgres');
$reading->query_safe('BEGIN; SELECT FROM orders');
like(sees($drop), qr/ERROR:  55P03/, 'beside a reader, the default partition does not go');
is($node->safe_psql('postgres',
		q(SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE relname = 'orders_rest')), 'DEFAULT',
	'and stays what it was');
$reading->quit;
unlike(sees($drop), qr/ERROR/, 'an empty one goes, also if a table refers to all orders');
is($node->safe_psql('postgres', "SELECT to_regclass('orders_rest') IS NULL"), 't', 'and is gone');
sees('DROP TABLE notes');

# Whoever is no owner makes it as superuser.
my ($to_owner) = $chapter =~ /`(ALTER TABLE orders_rest OWNER TO \w+;)`/;
unlike(sees($give =~ s/^(?=COMMIT)/$to_owner\n/mr, $superuser), qr/ERROR/, 'a superuser makes a default partition');
sees("INSERT INTO orders VALUES (gen_uuidv7_at(date_trunc('month', now(), 'UTC') - interval '40 days'), 4, 1)");
like(sees("CALL uuid_partition_drain('orders', '1 month')"), qr/: 1 rows moved/, 'and the owner drains it');
sees($drop);
is($node->safe_psql('postgres', "SELECT to_regclass('orders_rest') IS NULL"), 't', 'and drops it');
SKIP:
{
	skip 'before 17 an identity column cannot be added to a table with partitions', 1
		if $node->safe_psql('postgres', 'SHOW server_version_num') < 170000;
	sees('ALTER TABLE orders ADD number bigint GENERATED BY DEFAULT AS IDENTITY');
	unlike(sees($give), qr/ERROR/, 'a table with an identity column gets a default partition');
	sees("$drop; ALTER TABLE orders DROP number");
}

# How urgent it is.
my ($urgency) = $chapter =~ /^(\| what you see \| how urgent.*?)\n\n/ms;
my ($now) = $urgency =~ /has the words `(no partition [^`]+)`/;
my ($later) = $urgency =~ /begins with `(no partition [^`]+)`/;
orders();
like(sees($urgent), qr/^\Q$now\E[^|]*\|[^|\n]+\n*$/m, 'without the present month, a message says so');
sees("SELECT uuid_partition_maintain('orders', '1 month', ahead => 0)");
like(sees($urgent), qr/^\Q$later\E \d{4}-\d\d-01 00:00:00\+00 on\b/m, 'with it, a message says until when inserts work');
unlike(sees($urgent), qr/^orders_rest$/m, 'no line is there for a default partition');
$cause{'22023'}->();
my ($words) = $urgency =~ /has the words `([^`]+)`/;
like(sees($urgent), qr/^table public\.orders \Q$words\E: /m, 'nor a message of months, if the key makes random ids');
like(sees('INSERT INTO orders (customer, total) VALUES (1, 1)'), qr/ERROR:  23514: no partition/, 'whose rows are refused');
sees('ALTER TABLE orders ALTER COLUMN id SET DEFAULT gen_uuidv7()');

# Statements that wait.
my ($waits) = $urgency =~ /`(SELECT pid, pg_blocking_pids[^`]+)`/;
my ($holder, $waiter) = map { $node->background_psql('postgres') } 1 .. 2;
my $holders_pid = $holder->query_safe('BEGIN; LOCK TABLE orders; SELECT pg_backend_pid()');
$waiter->query_until(qr/waits/, "\\echo waits\nSELECT 'a statement that waits' FROM orders;\n");
$node->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)") or die;
like(sees($waits, $superuser), qr/^\d+\|\{$holders_pid\}\|SELECT 'a statement that waits'/m, 'the query says for whom a statement waits');
$_->quit foreach $holder, $waiter;

# A month that is over is made alone; if it is older than keep, the next run of cron drops it.
my ($id) = $step{'Step 1'} =~ /uuid_time\('([^']+)'\)/;
my ($alone) = $step{'Step 1'} =~ /`(SELECT uuid_partition_create[^`]+)`/;
sees($alone);
unlike(sees("INSERT INTO orders VALUES ('$id', 1, 1)"), qr/ERROR/, 'the month of the example takes its row');
sees($alone =~ s/2026/2016/gr);
like(sees("SELECT action, partition FROM uuid_partition_maintain('orders', '1 month', keep => '2 years')"),
	qr/^dropped\|public\.orders_2016_09$/m, 'a month older than keep goes with the next run');

# Who is in the way: whom the query shows keeps the call from its work, and nobody else does.
sub in_the_way
{
	my ($name, $sql, $shown, $query) = @_;
	my $other = $node->background_psql('postgres', on_error_stop => 0);

	sees("SELECT uuid_partition_drop('orders', now()); DROP TABLE IF EXISTS orders_$next");
	$other->query_safe("BEGIN; $sql");
	my $seen = sees($query // $find, $superuser);
	if ($shown)
	{
		like($seen, qr/^[^|]+\|\d+\|$superuser\|idle in transaction\|\Q$shown\E\|/m, "$name is shown");
		like(sees($call =~ s/10s/1s/r), qr/55P03/, 'and is in the way') unless $query;
	}
	else
	{
		unlike($seen, qr/idle in transaction/, "$name is not shown");
		unlike(sees($call =~ s/10s/1s/r), qr/55P03/, 'and is not in the way');
	}
	$other->quit;
	return;
}

$node->safe_psql('postgres', q(
	CREATE TABLE customers (id bigint PRIMARY KEY);
	INSERT INTO customers VALUES (1);
	ALTER TABLE customers OWNER TO shop_owner));
sees('ALTER TABLE orders ADD FOREIGN KEY (customer) REFERENCES customers');
my ($of_drain, $of_drop) = map { my $failed = $_; $find =~ s/\('make'\)/('$failed')/r } 'drain', 'drop';
in_the_way('a reader of the table', 'SELECT count(*) FROM orders');
in_the_way('a reader of the customers', 'SELECT count(*) FROM customers');
in_the_way('a writer of the customers', 'INSERT INTO customers VALUES (2)', 'customers|RowExclusiveLock');
in_the_way('a writer of the table', 'UPDATE orders SET total = 2');
in_the_way('an ANALYZE of the table', 'ANALYZE orders', 'orders|ShareUpdateExclusiveLock');
in_the_way('for a drain, a reader', 'SELECT count(*) FROM orders', 'orders|AccessShareLock', $of_drain);

# For a drop, also whoever uses the old partition by its name, and readers of what foreign keys join.
sub keeps_old_month
{
	my ($name, $sql, $shown) = @_;
	my $other = $node->background_psql('postgres', on_error_stop => 0);

	sees("SELECT uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month')");
	$other->query_safe("BEGIN; $sql");
	unlike(sees($find, $superuser), qr/idle in transaction/, "$name is not in the way of a new partition");
	like(sees($of_drop, $superuser), qr/^[^|]+\|\d+\|$superuser\|idle in transaction\|\Q$shown\E\|/m, "$name is shown for a drop");
	like(sees(qq(
		SET lock_timeout = '1s';
		SELECT action, partition, problem FROM uuid_partition_maintain('orders', '1 month', keep => '2 years'))),
		qr/^not dropped\|public\.orders_2020_01\|55P03: /m, 'and keeps the old month');
	$other->quit;
	return;
}
keeps_old_month('a reader of the old month', 'SELECT count(*) FROM orders_2020_01', 'orders_2020_01|AccessShareLock');
keeps_old_month('a vacuum of the old month', 'LOCK TABLE orders_2020_01 IN SHARE UPDATE EXCLUSIVE MODE',
	'orders_2020_01|ShareUpdateExclusiveLock');
keeps_old_month('a reader of what a foreign key joins', 'SELECT count(*) FROM customers', 'customers|AccessShareLock');
sees("SELECT uuid_partition_drop('orders', '2020-02-01 00:00+00')");

# The default partition can be given while others read and write.
my $reader = $node->background_psql('postgres');
$reader->query_safe('BEGIN; SELECT count(*) FROM orders; UPDATE orders SET total = 3');
unlike(sees($give), qr/ERROR/, 'a default partition is made beside a reader and a writer');
$reader->quit;
like(sees($urgent), qr/^orders_rest$/m, 'it has a line');
in_the_way('with a default partition, a reader of the table', 'SELECT count(*) FROM orders', 'orders_rest|AccessShareLock');
$node->safe_psql('postgres', q(BEGIN; SELECT count(*) FROM orders; PREPARE TRANSACTION 'report'));
like(sees($find, $superuser), qr/^\|\|\|\|orders_rest\|AccessShareLock\|$/m, 'a prepared transaction has no pid');
$node->safe_psql('postgres', q(ROLLBACK PREPARED 'report'));
sees('DROP TABLE orders, customers');

# Who holds the locks of a server that has no room for more.
my ($locks) = slurp_file(dirname(__FILE__) . '/../../../doc/troubleshooting.md')
	=~ /^### No room for locks.*?^```sql\n(.*?)^```\n/ms;
my $greedy = $node->background_psql('postgres');
$greedy->query_safe('SELECT count(pg_advisory_lock(n)) FROM generate_series(1, 1000) n');
like(sees($locks, $superuser), qr/\A100\d\|\d+\|$superuser\|[^|]*\|SELECT count\(pg_advisory_lock/,
	'the session with most locks comes first');
$greedy->quit;

# A follower with a partition of other bounds.
orders();
sees("$call CREATE TABLE items (order_id uuid NOT NULL, item text) PARTITION BY RANGE (order_id);
	SELECT uuid_partition_create('items', from_time - interval '2 hours', to_time - interval '2 hours', '1 month', 'Etc/GMT-2')
	FROM uuid_partition_list('orders') WHERE partition::text LIKE '%orders_$next';
	INSERT INTO items
	SELECT uuid_boundary(from_time), 'tea'
	FROM uuid_partition_list('orders')
	WHERE partition::text LIKE '%orders_$next';");
my $family = $call =~ s/ahead => 3/ahead => 3, followers => '{items}'/r;
my ($overlapped) = sees($family) =~ /42P17: the period would overlap partition public\.(items_$next)$/m;
is($overlapped, "items_$next", 'a follower with other bounds is found');
my ($bounds) = $step{'Step 3'} =~ /^(\| `42P17` from `uuid_partition_maintain` .*)$/m;
my @commands = map { s/items_2026_12/items_$next/gr } $bounds =~ /`((?:ALTER|INSERT) [^`]+)`/g;
is(scalar @commands, 3, 'three commands');
sees($_) foreach @commands[ 0, 1 ];
unlike(sees($family), qr/not created|ERROR/, 'without it, the follower gets its months');
unlike(sees($commands[2]), qr/ERROR/, 'and the row comes back');
sees('DROP TABLE items');

# A month that was detached, and to whose rows a follower refers.
my ($again) = $chapter =~ /^#### Attach a detached month again\n(.*?)^#### /ms;
my @attach = $again =~ /`(ALTER TABLE [^`]+ ATTACH [^`]+)`/g;
is(scalar @attach, 2, 'two commands attach');
my $first = $node->safe_psql('postgres', q(SELECT date_trunc('month', now(), 'UTC')));
my $last = $node->safe_psql('postgres', q(SELECT date_trunc('month', now(), 'UTC') + interval '1 month'));
my ($attach, $attach_items) = map {
	s/2026_12/$month/gr =~ s/2026-12-01 00:00\+00/$first/r =~ s/2027-01-01 00:00\+00/$last/r
} @attach;
foreach my $both (0, 1)
{
	orders();
	sees("$call CREATE TABLE items (order_id uuid NOT NULL, item text) PARTITION BY RANGE (order_id);
		SELECT uuid_partition_follow('items', 'orders');
		WITH made AS (INSERT INTO orders VALUES (DEFAULT, 1, 1) RETURNING id) INSERT INTO items SELECT id, 'tea' FROM made;
		ALTER TABLE orders DETACH PARTITION orders_$month");
	sees("ALTER TABLE items DETACH PARTITION items_$month") if $both;
	my $blocked = sees($family);
	like($blocked, qr/^not created\|public\.orders_$month\|42P07: /m, 'a detached month has the name');
	like(sees("\\pset tuples_only off\n\\d orders_$month"), qr/Referenced by:.*"items_$month"/s,
		'psql shows that a follower refers to it');
	sees($attach);
	sees($attach_items) if $both;
	unlike(sees($family), qr/not created|ERROR/, 'attached again, it is not in the way');
	is($node->safe_psql('postgres', 'SELECT count(*) FROM orders JOIN items ON order_id = id'), 1, 'with the rows of both');
	unlike(sees(q(
			WITH made AS (INSERT INTO orders VALUES (DEFAULT, 2, 1) RETURNING id) INSERT INTO items
			SELECT id, 'milk'
			FROM made)), qr/ERROR/, 'and takes new ones');
	sees('DROP TABLE items');
}

# A month that a follower lacks waits for writers of its leader's.
orders();
sees("$call CREATE TABLE items (order_id uuid NOT NULL, item text) PARTITION BY RANGE (order_id);
	SELECT uuid_partition_follow('items', 'orders'); DROP TABLE items_$month; DROP TABLE items_$next");
my $writes = $node->background_psql('postgres');
$writes->query_safe("BEGIN; INSERT INTO orders VALUES (DEFAULT, 1, 1)");
like(sees($find =~ s/\{orders\}/{orders,items}/r, $superuser), qr/\|orders_$month\|RowExclusiveLock\|/,
	'the query shows a writer of the leader\'s month');
like(sees($family =~ s/10s/1s/r), qr/^not created\|public\.items_$month\|55P03: /m, 'which is in the way');
$writes->quit;
unlike(sees($family), qr/not created|ERROR/, 'and after it the follower gets its month');
unlike(sees(
	"BEGIN; INSERT INTO orders VALUES (DEFAULT, 1, 1);" . ($find =~ s/\{orders\}/{orders,items}/r) . ' COMMIT',
	$superuser),
	qr/\|orders_$month\|RowExclusiveLock\|/, 'a writer of a month that the follower has is not shown');
sees('DROP TABLE items');

# The line of a follower whose leader has not got the month.
orders();
sees(qq(
	CREATE TABLE items (order_id uuid NOT NULL, item text) PARTITION BY RANGE (order_id);
	SELECT uuid_partition_follow('items', 'orders')));
sees($give);
my ($without) = $step{'Step 3'} =~ /^\| `55000`, `([^`]+)`/m;
my $reads = $node->background_psql('postgres');
$reads->query_safe('BEGIN; SELECT count(*) FROM orders_rest');
my $missing = sees($family =~ s/10s/1s/r);
like($missing, qr/^not created\|public\.orders_$month\|55P03: /m,
	'beside a reader of its default partition, the leader gets no month');
like($missing, qr/^not created\|public\.items_$month\|55000: .*\Q$without\E/m, 'and so the follower gets none');
$reads->quit;
unlike(sees($family), qr/not created|ERROR/, 'with the month of the leader comes that of the follower');
is($node->safe_psql('postgres', q(SELECT count(*) FROM uuid_partition_list('items') WHERE kind = 'default')), 1,
	'and a default partition, which the leader has');
sees('DROP TABLE items');

orders();
like(sees($call, $superuser),
	qr/ERROR:  42501: must be owner of table public\.orders\n.*^HINT:  Connect as shop_owner\./ms,
	'a superuser is told whom to connect as');

done_testing();
