# What doc/monitoring has for Nagios, Prometheus and Grafana, against a server, by
# a role that may connect and no more; promtool, where it is, tests the alerts.
use strict;
use warnings;

use File::Basename;
use JSON::PP;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

$ENV{PGTZ} = 'UTC';

my $dir = dirname(__FILE__) . '/../../../doc/monitoring';
my $node = OneSession->new('monitoring');
$node->init;
$node->start;
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION uidext;
	CREATE ROLE watcher LOGIN;
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), item text) PARTITION BY RANGE (id);
	SELECT uuid_partition_create('orders', date_trunc('month', now(), 'UTC') - interval '1 month',
		now() + interval '3 months', '1 month');
	INSERT INTO orders (item) VALUES ('book');
	CREATE TABLE "Old orders" (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT uuid_partition_create('"Old orders"', '2026-01-01 00:00+00', '2026-03-01 00:00+00', '1 month');
});
my $connection = $node->connstr('postgres') . ' user=watcher';

# The plugin: its status, its first line, and the others.
sub checks
{
	my ($status, $first, $test, @arguments) = @_;
	my $stdout;

	IPC::Run::run([ "$dir/check_uuid_partitions", '-d', $connection, @arguments ], '>', \$stdout, '2>', \my $stderr);
	is($? >> 8, $status, "$test: the status");
	like($stdout, $first, "$test: the line");
	is($stderr, '', "$test: nothing else");
	return $stdout;
}

checks(0, qr/^OK - partitions of orders are in order \| severity=0;0;1\nOK orders: /, 'in order', 'orders');
checks(1, qr/^WARNING - 1 to look at \| severity=1/, 'not far enough ahead', '-a', '10 years', 'orders');
checks(2, qr/^CRITICAL - orders: follower public."Old orders" has no partition for the present/, 'a follower',
	'-f', '"Old orders"', 'orders');
my $stdout = checks(2, qr/^CRITICAL - .*"Old orders": /, 'one of two', 'orders', '"Old orders"');
like($stdout, qr/^OK orders: /m, 'the other one is there, too');
checks(1, qr/^WARNING - /, 'older than it may be', '-k', '0', 'orders');
checks(3, qr/^UNKNOWN - .*relation "nothing" does not exist/, 'no such table', 'nothing');
$stdout = checks(3, qr/^UNKNOWN - .*relation "nothing" does not exist/, 'nor beside one', 'nothing', 'orders');
like($stdout, qr/^OK orders: /m, 'which is told of');
checks(2, qr/^CRITICAL - .*"Old orders": /, 'nor does it hide what is worse', 'nothing', '"Old orders"');
$node->safe_psql('postgres', qq(CREATE TABLE "forged\n2 CRITICAL orders" (id uuid PRIMARY KEY) PARTITION BY RANGE (id)));
$stdout = checks(2, qr/^CRITICAL - "forged 2 CRITICAL orders": /, 'a name of two lines',
	qq("forged\n2 CRITICAL orders"), 'orders');
unlike($stdout, qr/^CRITICAL orders/m, 'makes no line of its own');
$node->safe_psql('postgres', qq(DROP TABLE "forged\n2 CRITICAL orders"));
checks(3, qr/^UNKNOWN - .*invalid input syntax for type interval/, 'no interval', '-a', 'soon', 'orders');
checks(3, qr/^UNKNOWN - .*invalid name syntax/, 'a name is a name', q(orders'; SELECT 1; --));
checks(3, qr/^check_uuid_partitions /, 'no table');
$connection = 'host=/nowhere';
checks(3, qr/^UNKNOWN - .*connection/, 'no server', 'orders');

# The queries, as the tools send them.
sub rows
{
	my ($sql) = @_;
	my ($status, $stdout, $stderr) = $node->psql('postgres', $sql, extra_params => [ '-U', 'watcher' ], on_error_stop => 1);
	is($stderr, '', 'no error') or diag($sql);
	return $stdout;
}

my @queries = slurp_file("$dir/postgres_exporter.yaml") =~ /^  query: \|\n((?:    .*\n)+)/mg;
is(rows($queries[0]), 'orders|0', 'exporter: the severity');
like(rows($queries[1]), qr/^orders\|[1-9]\d{6}/, 'exporter: the time ahead');
is(scalar @queries, 2, 'there is no other query');
my ($line) = $queries[0] =~ /(\('orders', .*\))/;
my $more = join ', ', $line, map { $line =~ s/'orders'/'$_'/r } qw(nothing pg_class);
is(rows($queries[0] =~ s/\Q$line\E/$more/r =~ s/$/ ORDER BY 1/r), "nothing|2\norders|0\npg_class|2",
	'exporter: a table that is gone takes no other one away');
is(rows($queries[0] =~ s/'\{\}'/'{"\\"Old orders\\""}'/r), 'orders|2', 'exporter: a follower without the present');
is(rows($queries[0] =~ s/'\{\}'/'{nothing}'/r), 'orders|2', 'exporter: a follower that is gone');
is(rows($queries[1] =~ s/'orders'/'nothing'/r), 'nothing|0.000000', 'exporter: and has no time ahead');

my $dashboard = decode_json(slurp_file("$dir/grafana.json"));
$node->safe_psql('postgres', 'GRANT SELECT ON orders TO watcher');
my ($tables) = map { $_->{query} } grep { $_->{name} eq 'table' } @{ $dashboard->{templating}{list} };
is(rows($tables), qq("Old orders"\norders), 'Grafana: the tables');
foreach my $panel (@{ $dashboard->{panels} })
{
	my $sql = $panel->{targets}[0]{rawSql};

	# as Grafana puts its variables in
	$sql =~ s/\$table/orders/g;
	$sql =~ s/\$__timeFrom\(\)/'yesterday'/g;
	$sql =~ s/\$__timeTo\(\)/'now'/g;
	isnt(rows($sql), '', "Grafana: $panel->{title}");
}

# What the alerts say is what their tests expect, and the chapters that they name are there; the
# page for the night knows the alerts by name.
my ($alerts, $expected) = map { slurp_file("$dir/$_") =~ s/\{\{ \$labels\.parent \}\}/orders/gr } 'alerts.yaml',
	'alerts_test.yaml';
foreach my $said ($alerts =~ /^ +((?:summary|description): ".*")$/mg)
{
	like($expected, qr/^ +\Q$said\E$/m, 'alerts_test.yaml expects what alerts.yaml says');
	while ($said =~ m{(doc/[\w-]+\.md) \(([^)]+)\)}g)
	{
		my ($page, $heading) = ($1, $2);
		like(slurp_file("$dir/../../$page"), qr/^##+ \Q$heading\E$/m, "$page has the chapter");
	}
}
my ($night) = slurp_file("$dir/../first-week.md") =~ /^## A month cannot be made at 3 a\.m\.\n(.*?)^### /ms;
my @alerts = $night =~ /`(Uuid\w+)`/g;
is(scalar @alerts, 3, 'the night knows three alerts');
like($alerts, qr/^ +- alert: $_$/m, "$_ is one of them") foreach @alerts;

SKIP:
{
	skip 'promtool is not installed', 2 if system('command -v promtool >/dev/null');
	command_ok([ 'promtool', 'check', 'rules', "$dir/alerts.yaml" ], 'the rules are rules');
	command_ok([ 'promtool', 'test', 'rules', "$dir/alerts_test.yaml" ], 'and fire when they have to');
}

$node->stop;
done_testing();
