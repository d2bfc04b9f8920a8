# doc/moving.md, A publication of tables by name: a subscription changes over from all tables to tables by name,
# while rows come, and gets each row once; then the table is moved.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $documents = dirname(__FILE__) . '/../../../doc';
my ($chapter) = slurp_file("$documents/moving.md") =~ /^#### A publication of tables by name\n(.*?)^#### /ms or die;
my ($make, $has_read, $change_over) = $chapter =~ /^```\n(.*?)^```$/gms;
my ($drop) = $chapter =~ /`(DROP PUBLICATION \w+)`/;
my ($publisher, $subscriber) = map { OneSession->new($_) } qw(publisher subscriber);

foreach my $node ($publisher, $subscriber)
{
	$node->init(allows_streaming => 'logical');
	$node->start;
	$node->safe_psql('postgres', q(CREATE EXTENSION uidext; CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int);
		CREATE TABLE items (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int)));
}
$publisher->safe_psql('postgres', q(
	CREATE PUBLICATION everything FOR ALL TABLES;
	INSERT INTO orders (n) VALUES (0);
	INSERT INTO items (n) VALUES (0)));
$subscriber->safe_psql('postgres',
	'CREATE SUBSCRIPTION copies CONNECTION $$' . $publisher->connstr('postgres') . '$$ PUBLICATION everything');
$subscriber->wait_for_subscription_sync($publisher, 'copies');

my $n = 0;
sub write_rows
{
	$n++;
	return $publisher->safe_psql('postgres',
		"INSERT INTO orders (n) VALUES ($n); INSERT INTO items (n) VALUES ($n)");
}

sub both_have_all
{
	my ($what) = @_;

	write_rows();
	$publisher->wait_for_catchup('copies');
	is($subscriber->safe_psql('postgres',
		'SELECT (SELECT string_agg(n::text, $$ $$ ORDER BY n) FROM orders), (SELECT count(*) FROM items)'),
		join(' ', 0 .. $n) . '|' . ($n + 1), "$what: the subscriber has each row once");
	return;
}

sub play_step
{
	my ($step) = @_;
	my $said = '';

	IPC::Run::run([ 'psql', '-qXd', $publisher->connstr('postgres'), '-v', 'table=orders', '-v',
		'into=partitions', '-v', "do=$step", '-f',
			"$documents/recipes/move_table.psql" ], '>', \$said, '2>&1');
	return ($?, $said);
}

both_have_all('before');
like((play_step('prepare'))[1], qr/publication everything publishes all tables/, 'the script is refused');
my ($lsn) = $publisher->safe_psql('postgres', $make) =~ /(\S+)$/;
ok($has_read =~ s/'0\/1234568'/'$lsn'/, 'the page asks for the place');
write_rows();
$publisher->poll_query_until('postgres', $has_read) or die 'the subscription does not go on';
write_rows();
$subscriber->safe_psql('postgres', $change_over);
write_rows();
$publisher->safe_psql('postgres', $drop);
both_have_all('after the change');
foreach my $step (qw(prepare fill switch drop))
{
	my ($status, $said) = play_step($step);

	is($status, 0, $step) or diag($said);
	both_have_all($step);
}
is($publisher->safe_psql('postgres', q(SELECT count(*) FROM pg_partition_tree('orders') WHERE isleaf)) > 1, 1,
	'from a table in partitions');
$subscriber->stop;

done_testing();
