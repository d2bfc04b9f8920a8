# The recipes of doc/idempotency.md: commands that are sent again and again, by
# 16 clients at once, and by clients that lost the reply.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('idempotency');
$node->init;
$node->append_conf('postgresql.conf', 'max_connections = 30');
$node->start;

# The recipes, without the document's own calls.
my $documents = dirname(__FILE__) . '/../../../doc';
my $document = slurp_file("$documents/idempotency.md");
my $limits = slurp_file("$documents/recipes/creation_limits.psql");
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');
while ($document =~ /^```sql\n(.*?)^```$/gms)
{
	$node->safe_psql('postgres', $_) foreach $1 =~ /^(CREATE (?:TABLE|FUNCTION) .*?^(?:\$\$|\)).*?;|CREATE TRIGGER .*?;)$/gms;
}
$node->safe_psql('postgres', $limits);

# Where the table of the document is not there: all or nothing, whatever psqlrc says.
{
	local $ENV{PSQLRC} = $node->basedir . '/psqlrc';
	append_to_file($ENV{PSQLRC}, "\\set ON_ERROR_ROLLBACK on\n\\set ON_ERROR_STOP off\n");
	$node->safe_psql('postgres', 'CREATE DATABASE half');
	my $done = run_log([ 'psql', '-qd', $node->connstr('half'), '-f', "$documents/recipes/creation_limits.psql" ]);
	ok(!$done, 'b: creation_limits.psql needs its table');
	is($node->safe_psql('half', q(SELECT count(*) FROM pg_class WHERE relname = 'creation_limits')), '0',
		'b: and makes nothing without it');
}

# A hundred commands of each kind, and the replies that clients got.
$node->safe_psql(
	'postgres', q{
	INSERT INTO orders (customer) SELECT -1 FROM generate_series(1, 10);
	CREATE TABLE commands AS
	SELECT n, gen_short_comb() AS booking, gen_uuidv7() AS command,
		'00000000-0000-4000-8000-000000000000'::uuid AS cart,
		(SELECT id FROM orders ORDER BY id OFFSET n % 10 LIMIT 1) AS paid_order
	FROM generate_series(1, 100) AS n;
	CREATE INDEX ON commands (n);
	CREATE TABLE replies (recipe text, n int, id uuid);
});

# What a client sends, and how to read the reply.
my %call = (
	a => '(create_booking(booking, n)).id',
	b => 'create_order(command, n)',
	c => '(pay_order(command, paid_order, 1)).id',
	d => '(add_to_cart(command, cart, n)).id');

# Every client sends every command, and all are at the same one at about the
# same time: a retry is nothing else.
sub by_16_clients
{
	my ($recipe) = @_;
	my $script = PostgreSQL::Test::Utils::tempdir() . "/$recipe.sql";

	append_to_file($script, qq{
		\\set sent 1 + :sent
		INSERT INTO replies SELECT '$recipe', n, $call{$recipe} FROM commands WHERE n = :sent;
	});
	command_checks_all(
		[ 'pgbench', '-n', '-D', 'sent=0', '-c', '16', '-j', '2', '-t', '100', '-f', $script, $node->connstr('postgres') ],
		0,
		[qr{processed: 1600/1600}],
		[qr{^(?:pgbench .*\n)?$}],
		"$recipe: 16 clients send 100 commands each");
	is($node->safe_psql('postgres',
		"SELECT count(*), count(DISTINCT n), count(DISTINCT (n, id)) FROM replies WHERE recipe = '$recipe'"),
		'1600|100|100',
		"$recipe: all of them get the same reply");
	return;
}

# A connection that ends after, or before, the commit of a command.
sub lose_reply
{
	my ($recipe, $n, $moment) = @_;
	my $command = "SELECT $call{$recipe} FROM commands WHERE n = $n";
	my $end = 'SELECT pg_terminate_backend(pg_backend_pid())';
	my @statements = ('BEGIN', $command, 'COMMIT');
	my $stderr;

	splice @statements, $moment eq 'after the commit' ? 3 : 2, 0, $end;
	my $status = $node->psql('postgres', join('\;', @statements) . ';', stderr => \$stderr);
	like($stderr, qr/terminating connection/, "$recipe: a client loses its connection $moment");
	return $node->safe_psql('postgres', $command);
}

sub query
{
	return $node->safe_psql('postgres', shift);
}

# (a) ids made by the client

by_16_clients('a');
is(query('SELECT count(*), sum(seats) FROM bookings JOIN commands ON id = booking AND seats = n'),
	'100|5050', 'a: each booking is there once');
is(query('SELECT count(*) FROM bookings'), '100', 'a: and no other');

# Another constraint is not taken for a retry.
$node->psql('postgres', q{
		CREATE UNIQUE INDEX seats ON bookings (seats) WHERE seats = 1;
		SELECT create_booking(gen_short_comb(), 1)}, stderr => \my $conflict);
like($conflict, qr/ERROR:  duplicate key value violates unique constraint "seats"/,
	'a: what another constraint refuses is an error');
query('DROP INDEX seats');

# What was made an hour ago comes back, and what is an hour old is not made.
query(q{INSERT INTO bookings VALUES (gen_short_comb_at(now() - interval '1 hour'), 1000)});
is(query('SELECT (create_booking(id, 2)).seats FROM bookings WHERE seats = 1000'), '1000', 'a: a late retry gets its booking');
my $stderr;
$node->psql('postgres', q{SELECT create_booking(gen_short_comb_at(now() - interval '1 hour'), 2)}, stderr => \$stderr);
like($stderr, qr/ERROR:  booking id was not made about now/, 'a: an old id is refused');

$node->safe_psql('postgres',
	q(
		INSERT INTO commands (n, booking, command, cart)
		SELECT n, gen_short_comb(), gen_uuidv7(), gen_random_uuid()
		FROM generate_series(101, 102) AS n));
foreach ([ 101, 'after the commit' ], [ 102, 'before the commit' ])
{
	my ($n, $moment) = @$_;
	my $reply = lose_reply('a', $n, $moment);
	is($reply, query("SELECT booking FROM commands WHERE n = $n"), 'a: the retry gets its booking');
	is(query("SELECT count(*) FROM bookings WHERE seats = $n"), '1', 'a: of which there is one');
}

# From 19 on, by the one statement of the page.
SKIP:
{
	skip 'ON CONFLICT DO SELECT is of PostgreSQL 19', 3 if query('SHOW server_version_num') < 190000;
	my ($do_select) = $document =~ /^(INSERT INTO bookings .* DO SELECT) RETURNING/m;
	$do_select =~ s/:'id', \d/booking, seats/;
	query("CREATE FUNCTION select_booking(booking uuid, seats int) RETURNS uuid LANGUAGE sql AS \$\$ $do_select RETURNING id \$\$");
	query('TRUNCATE bookings');
	$call{'a, DO SELECT'} = 'select_booking(booking, n)';
	by_16_clients('a, DO SELECT');
	is(query('SELECT count(*) FROM bookings JOIN commands ON id = booking AND seats = n'), '100',
		'a, DO SELECT: each booking is there once');
}

# (b) ids of creation commands

by_16_clients('b');
is(query(q{SELECT count(*), count(DISTINCT customer) FROM orders WHERE customer > 0}), '100|100', 'b: each order is there once');
is(query(q{SELECT count(*) FROM replies r JOIN orders o USING (id) WHERE recipe = 'b' AND o.customer = r.n}),
	'1600', 'b: and it is the one of the reply');
is(query('SELECT count(*) FROM creation_identifiers JOIN orders ON id = order_id'), '100', 'b: with one command each');

foreach ([ 101, 'after the commit' ], [ 102, 'before the commit' ])
{
	my ($n, $moment) = @$_;
	my $reply = lose_reply('b', $n, $moment);
	is($reply, query("SELECT id FROM orders WHERE customer = $n"), 'b: the retry gets the one order of its command');
}

# A second sender while the first is still at work, which then commits or not.
foreach ([ 'COMMIT', 201, 't' ], [ 'ROLLBACK', 202, 'f' ])
{
	my ($end, $n, $same) = @$_;
	my $command = query('SELECT gen_uuidv7()');
	my ($first, $second) = map { $node->background_psql('postgres') } 1, 2;

	my $made = $first->query_safe("BEGIN; SELECT create_order('$command', $n)");
	$second->query_until(qr/sent\n/, "\\echo sent\nSELECT create_order('$command', $n);\n");
	$node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%create_order%'")
	  or die 'the second sender does not wait';
	$first->query_safe($end);
	my ($again) = $second->query_safe("SELECT 'and on'") =~ /^(\S{36})$/m;
	is($again eq $made ? 't' : 'f', $same, "b: a second sender waits for the first, which does $end");
	is(query("SELECT count(*), min(id::text) FROM orders WHERE customer = $n"), "1|$again",
		'b: and there is one order, that of the reply');
	$_->quit foreach $first, $second;
}

# Clean-up forgets commands, and what it forgot is refused.
my $old = query("SELECT gen_uuidv7('-25 hours')");
query("INSERT INTO creation_identifiers VALUES ('$old', gen_random_uuid()), (gen_uuidv7('-23 hours'), gen_random_uuid())");
isnt(query("SELECT create_order('$old', 300)"), '', 'b: a late retry gets its reply before the clean-up');
my ($delete) = $document =~ /^(DELETE FROM creation_identifiers WHERE .*;)$/m;
is(query("$delete SELECT count(*) FROM creation_identifiers WHERE command_id = '$old'"), '0', 'b: clean-up forgets it');
is(query('SELECT count(*) FROM creation_identifiers'), '105', 'b: and nothing else');
$node->psql('postgres', "SELECT create_order('$old', 300)", stderr => \$stderr);
like($stderr, qr/ERROR:  command was not made within the last hour/, 'b: after it the retry is refused');
is(query('SELECT count(*) FROM orders WHERE customer = 300'), '0', 'b: and makes no order');

# A limit by number forgets the oldest, and what it forgot is refused.
query(q{
	UPDATE creation_limits SET keep = CASE name WHEN 'all' THEN 50 ELSE 5 END;
	INSERT INTO creation_identifiers SELECT gen_uuidv7(), gen_random_uuid(), 'create_else' FROM generate_series(1, 40);
	SELECT creation_identifiers_trim();
});
is(query('SELECT name, count(*) FROM creation_identifiers GROUP BY name ORDER BY name'),
	"create_else|40\ncreate_order|5", 'b: limits for a name and for all');
my $kept = query(q{SELECT max(command_id) FROM creation_identifiers WHERE name = 'create_order'});
is(query("SELECT create_order('$kept', 400)"), query("SELECT order_id FROM creation_identifiers WHERE command_id = '$kept'"),
	'b: what is remembered gets its reply');
my $forgotten = query('SELECT command FROM commands WHERE n = 1');
$node->psql('postgres', "SELECT create_order('$forgotten', 400)", stderr => \$stderr);
like($stderr, qr/ERROR:  command is older than those that are remembered/, 'b: what a limit forgot is refused');
is(query('SELECT count(*) FROM orders WHERE customer = 400'), '0', 'b: and makes no order');

# Clean-up forgets no command between the check of another sender and its insert.
my $creator = $node->background_psql('postgres', on_error_stop => 0);
my $late = query('SELECT gen_uuidv7()');
$creator->query_safe("BEGIN; SELECT create_order(gen_uuidv7(), 401)");
$node->psql('postgres', q{SET lock_timeout = '50ms'; SELECT creation_identifiers_trim()}, stderr => \$stderr);
like($stderr, qr/ERROR:  canceling statement due to lock timeout/, 'b: clean-up waits for who creates');
$creator->query_safe('COMMIT; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
query(qq(
	SELECT create_order('$late', 402);
	SELECT create_order(gen_uuidv7(), 403) FROM generate_series(1, 5);
	SELECT creation_identifiers_trim()));
is($creator->query("SELECT create_order('$late', 402)"), '',
	'b: a snapshot of before does not create again what clean-up forgot');
like($creator->{stderr}, qr/ERROR:  could not serialize access due to concurrent update/, 'b: as the error says');
$creator->{stderr} = '';
$creator->query_safe('ROLLBACK');
$creator->quit;
is(query('SELECT count(*) FROM orders WHERE customer = 402'), '1', 'b: of which there is one');

# New senders wait for a clean-up that waits, or they would starve it.
($creator, my $trimmer) = map { $node->background_psql('postgres') } 1, 2;
$creator->query_safe("BEGIN; SELECT create_order(gen_uuidv7(), 404)");
$trimmer->query_until(qr/sent\n/, "\\echo sent\nSELECT creation_identifiers_trim();\n");
$node->poll_query_until('postgres',
	"SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%creation_identifiers_trim%'")
  or die 'clean-up does not wait';
$node->psql('postgres', q{SET lock_timeout = '50ms'; SELECT create_order(gen_uuidv7(), 405)}, stderr => \$stderr);
like($stderr, qr/ERROR:  canceling statement due to lock timeout/, 'b: who comes later waits for clean-up');
$creator->query_safe('COMMIT');
$trimmer->query_safe('SELECT');
is(query('SELECT count(*) FROM orders WHERE customer = 404'), '1', 'b: and who came first is done');
$_->quit foreach $creator, $trimmer;

# (c) commands to what exists

by_16_clients('c');
is(query('SELECT count(*), min(paid), max(paid) FROM orders WHERE customer = -1'), '10|10|10', 'c: each payment counts once');
query('UPDATE commands SET paid_order = (SELECT id FROM orders WHERE customer = 101) WHERE n > 100');
lose_reply('c', 101, 'after the commit');
is(query('SELECT paid FROM orders WHERE customer = 101'), '1', 'c: the retry does not pay again');
lose_reply('c', 102, 'before the commit');
is(query('SELECT paid FROM orders WHERE customer = 101'), '2', 'c: the retry pays what was not paid');

# The first later command forgets the creation; the sweep finds the others.
my ($seen, $unseen) = map { query("SELECT create_order(gen_uuidv7(), $_)") } 501, 502;
query("SELECT pay_order(gen_uuidv7(), '$seen', 1)");
is(query("SELECT string_agg(order_id::text, ' ') FROM creation_identifiers WHERE order_id IN ('$seen', '$unseen')"), $unseen,
	'c: the first later command forgets the creation');
query("UPDATE creation_identifiers SET command_id = gen_uuidv7('-2 days') WHERE order_id = '$unseen'");
is(query($delete =~ s/;$/ RETURNING (SELECT customer FROM orders WHERE id = order_id)/r), '502',
	'c: the clean-up tells what nobody came back for');

# (d) the last commands in the row

query(q{
	UPDATE commands SET cart = gen_random_uuid();
	INSERT INTO carts (id) SELECT cart FROM commands;
});
by_16_clients('d');
is(query('SELECT count(*), sum(items), max(version) FROM carts'), '102|5050|2', 'd: each command counts once');
foreach ([ 101, 'after the commit' ], [ 102, 'before the commit' ])
{
	my ($n, $moment) = @$_;
	my $reply = lose_reply('d', $n, $moment);
	is(query("SELECT items, version FROM carts WHERE id = '$reply'"), "$n|2", 'd: the retry adds once');
}
my $cart = query('INSERT INTO carts DEFAULT VALUES RETURNING id');
query("SELECT add_to_cart(id, '$cart', 1) FROM unnest(ARRAY(SELECT command FROM commands WHERE n <= 25 ORDER BY n)) AS id");
is(query(qq(
	SELECT items, cardinality(commands),
		commands = ARRAY(SELECT command FROM commands WHERE n BETWEEN 6 AND 25 ORDER BY n)
	FROM carts
	WHERE id = '$cart')),
	'25|20|t', 'd: the last 20 are remembered');
$node->psql('postgres', "SELECT add_to_cart(command, '$cart', 1, expects => 2) FROM commands WHERE n = 1", stderr => \$stderr);
like($stderr, qr/ERROR:  cart $cart has version 26, not 2/, 'd: a retry that is no longer remembered is refused by its version');
is(query(qq(
		SELECT items FROM add_to_cart((SELECT command FROM commands WHERE n = 25), '$cart', 1, expects => 25))),
	'25', 'd: and one that is gets the cart');

# (e) nothing, and a sweep

my ($use, $sweep) = map { $document =~ /^($_.*?;)$/m } 'UPDATE drafts SET title', 'DELETE FROM drafts WHERE NOT used';
ok($use && $sweep, 'e: the document has a later command and a sweep');
$node->safe_psql('postgres', qq(
	INSERT INTO drafts (id, title)
	SELECT gen_uuidv7('-2 days'), 'of ' || n % 100
	FROM generate_series(1, 300) AS n));
$node->safe_psql('postgres', $use =~ s/'Annual report 2026'/title/r =~ s/:'draft'/'$_'/r)
  foreach split /\n/, query("SELECT DISTINCT ON (title) id FROM drafts ORDER BY title, id DESC");
is(query('SELECT count(*), count(DISTINCT title) FROM drafts'), '300|100', 'e: each retry makes a draft');
query("INSERT INTO drafts (title) VALUES ('of now')");
query($sweep);
is(query("SELECT count(*), count(DISTINCT title), count(*) FILTER (WHERE NOT used) FROM drafts"), '101|101|1',
	'e: the sweep leaves those whose id a client has, and new ones');

done_testing();
