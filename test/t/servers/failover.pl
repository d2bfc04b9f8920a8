# A standby becomes the primary in the middle of a recipe's step, or of maintenance, or without the
# end of it: the application goes on there, and the same command, typed again, comes to its end.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes qw(play);

my $documents = dirname(__FILE__) . '/../../../doc';
my ($section) = slurp_file("$documents/moving.md") =~ /^#### A failover in the middle of a step\n(.*?)^#### /ms;
my ($way) = $section =~ /`export PGHOST=\S+ PGTARGETSESSIONATTRS=([\w-]+)`/;
my ($done_before) = $section =~ /^\| `drop` \|[^|]*says `([^`]+)`/m;

# The servers there were, of which the last is the primary, and its standby.
my @servers = (PostgreSQL::Test::Cluster->new('server_1'));
my $standby;

sub new_standby
{
	my $name = 'server_' . (@servers + 1);

	$servers[-1]->backup($name);
	$standby = PostgreSQL::Test::Cluster->new($name);
	$standby->init_from_backup($servers[-1], $name, has_streaming => 1);
	$standby->start;
	return;
}

# The primary is gone at once, and the standby takes its place with what it has got.
sub fail_over
{
	$servers[-1]->stop('immediate');
	$standby->promote;
	push @servers, $standby;
	return;
}

sub has_all { return $servers[-1]->wait_for_catchup($standby) }

sub primary { return $servers[-1]->safe_psql('postgres', @_) }

# A client that knows all servers finds the primary.
sub all_servers
{
	return join ' ', 'dbname=postgres', "target_session_attrs=$way",
	  'host=' . join(',', map { $_->host } @servers), 'port=' . join(',', map { $_->port } @servers);
}

sub typed
{
	my ($recipe, $step, %how) = @_;
	my %variables = (table => 'orders', do => $step, %{ delete $how{variables} // {} });

	return play(all_servers(), "$recipe.psql", \%variables, %how);
}

# What the application does, which knows one id of each order, and no step.
my $orders = 0;

sub application
{
	primary(q(
		WITH made AS (INSERT INTO orders (reference) VALUES (DEFAULT) RETURNING id, reference)
		INSERT INTO ledger SELECT reference FROM made;
		INSERT INTO items (order_id) SELECT id FROM orders WHERE reference = (SELECT max(reference) FROM ledger)));
	return;
}

sub whole
{
	my ($what) = @_;

	application();
	is(primary(q(
		SELECT count(*) FILTER (WHERE o.reference IS NULL), count(*) FILTER (WHERE l.reference IS NULL),
			count(*) - count(DISTINCT coalesce(o.reference, l.reference)),
			(SELECT count(*) FROM ledger) - (SELECT count(*) FROM items JOIN orders ON orders.id = order_id)
		FROM ledger l FULL JOIN orders o USING (reference))), '0|0|0|0', "$what: each order is there once, with its item");
	return;
}

sub succeeds
{
	my ($recipe, $step, %variables) = @_;
	my $result = typed($recipe, $step, variables => \%variables);

	is($result->{status}, 0, "$recipe: $step") or diag($result->{said});
	like($result->{said}, qr/^$step is done\.$/m, 'says so');
	return;
}

# A step during which the primary goes, before a statement of it.
sub fails_over_in
{
	my ($recipe, $step, $statement, $nth) = @_;
	my $seen = 0;

	new_standby();
	my $result = typed($recipe, $step, between => sub {
			return if $_[0] !~ $statement || ++$seen != ($nth // 1);
			has_all();
			fail_over();
			return;
		});
	is($seen >= ($nth // 1), 1, "$recipe: a failover in $step");
	isnt($result->{status}, 0, 'ends the step');
	unlike($result->{said}, qr/^$step is done\.$/m, 'which does not say that it is done');
	whole("after a failover in $step");
	return;
}

# The end of a step has not come to the standby.
sub is_lost
{
	my ($recipe, $step, %variables) = @_;

	new_standby();
	has_all();
	$standby->stop;
	succeeds($recipe, $step, %variables);
	$servers[-1]->stop('immediate');
	$standby->start;
	$standby->promote;
	push @servers, $standby;
	whole("without the end of $step");
	return;
}

sub refused
{
	my ($recipe, $step, $error, %variables) = @_;
	my $result = typed($recipe, $step, variables => \%variables);

	isnt($result->{status}, 0, "$recipe: $step is refused");
	like($result->{said}, $error, 'and says why');
	whole("$step that is refused");
	return;
}

$servers[0]->init(allows_streaming => 1);
$servers[0]->append_conf('postgresql.conf', 'autovacuum = off');
$servers[0]->start;
primary(<<'SQL');
CREATE EXTENSION uidext;
CREATE TABLE orders (
	id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	created_at timestamptz NOT NULL DEFAULT now(),
	reference serial
);
CREATE TABLE items (order_id uuid NOT NULL REFERENCES orders ON DELETE CASCADE);
CREATE TABLE ledger (reference int);
INSERT INTO orders (created_at) SELECT now() - n * interval '1 hour' FROM generate_series(1, 2000) AS n;
INSERT INTO items SELECT id FROM orders;
INSERT INTO ledger SELECT reference FROM orders;
SQL

succeeds('change_key', 'prepare', from => 'v4', created => 'created_at');
fails_over_in('change_key', 'fill', qr/validate_commands\('c'\)/);
succeeds('change_key', 'fill');
fails_over_in('change_key', 'switch', qr/CALL pg_temp\.switch/);
is_lost('change_key', 'switch');
is(primary(q(
	SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
	WHERE indrelid = 'orders'::regclass AND indisprimary)), 'id', 'the table shows that the switch is lost');
refused('change_key', 'drop', qr/ERROR: /, rename => 'on');
succeeds('change_key', 'switch');
fails_over_in('change_key', 'back', qr/CALL pg_temp\.back/);
succeeds('change_key', $_) foreach qw(switch back fill switch);
succeeds('change_key', 'drop', rename => 'on');
refused('change_key', 'drop', qr/\Q$done_before\E/, rename => 'on');

succeeds('move_table', 'prepare', into => 'partitions', step => '1 month');
# a row that others hold, without which fill does not end
{
	my $said = '';

	new_standby();
	my $holder = $servers[-1]->background_psql('postgres');
	$holder->query_safe('BEGIN; SELECT FROM orders WHERE reference = 50 FOR UPDATE');
	my $filling = IPC::Run::start([ 'psql', '-X', '-d', all_servers(), '-v', 'table=orders', '-v', 'do=fill', '-f',
			"$documents/recipes/move_table.psql" ], '>', \$said, '2>&1');
	$servers[-1]->poll_query_until('postgres', 'SELECT count(*) >= 1000 FROM orders_move') or die "nothing is copied: $said";
	has_all();
	fail_over();
	ok(!$filling->finish, 'move_table: a failover while fill copies ends it');
	like($said, qr/connection to server was lost/, 'and psql says so');
	eval { $holder->quit };
	whole('after a failover in fill');
}
succeeds('move_table', 'fill');
# the tables are exchanged, and the foreign keys not proved yet
fails_over_in('move_table', 'switch', qr/CALL pg_temp\.prove_keys/, 2);
succeeds('move_table', 'switch');
fails_over_in('move_table', 'back', qr/CALL pg_temp\.prove_keys/);
is(primary(q(SELECT relkind, to_regclass('orders_move') IS NOT NULL FROM pg_class WHERE oid = 'orders'::regclass)), 'r|t',
	'the table shows that the switch is undone');
succeeds('move_table', $_) foreach qw(back fill);
is(primary(q(SELECT to_regclass('orders_move') IS NOT NULL)), 't', 'a back that is typed again only ends the first one');
is_lost('move_table', 'switch');
refused('move_table', 'drop', qr/ERROR: /);
succeeds('move_table', $_) foreach qw(switch drop);
refused('move_table', 'drop', qr/\Q$done_before\E/);
is(primary(q(SELECT count(DISTINCT tableoid) >= 3 FROM orders)), 't', 'the orders are in partitions');

# Maintenance, of which the new primary has all or nothing.
my $maintain = q(SELECT count(*) FROM uuid_partition_maintain('logins', '1 month', ahead => 2, keep => '1 year'));
# without a month that begins meanwhile
my $until = primary(q(SELECT date_trunc('month', now(), 'UTC') + interval '2 months'));
my $months = qq(SELECT string_agg(partition::text, ' ' ORDER BY from_time), (SELECT count(*) FROM logins)
	FROM uuid_partition_list('logins') WHERE from_time <= '$until');

primary(q(
	CREATE TABLE logins (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_create('logins', '2020-01-01 00:00+00', '2020-03-01 00:00+00', '1 month');
	SELECT count(*) FROM uuid_partition_create('logins', date_trunc('month', now(), 'UTC'), now() + interval '1 day', '1 month');
	INSERT INTO logins VALUES (gen_uuidv7_at('2020-01-10 00:00+00')), (gen_uuidv7())));
my $before = primary($months);
new_standby();
my $call = $servers[-1]->background_psql('postgres');
is($call->query_safe("BEGIN; $maintain") > 0, 1, 'maintenance makes and drops months');
application();
has_all();
fail_over();
eval { $call->quit };
whole('beside maintenance');
is(primary($months), $before, 'after a failover in the call nothing of it is there');

new_standby();
has_all();
$standby->stop;
primary($maintain);
my $after = primary($months);
isnt($after, $before, 'a call that ends');
$servers[-1]->stop('immediate');
$standby->start;
$standby->promote;
push @servers, $standby;
is(primary($months), $before, 'and does not come to the standby: each month is there as before, with its rows');
primary($maintain);
is(primary($months), $after, 'the next call makes and drops them');

$servers[-1]->stop;
done_testing();
