# doc/moving.md, Row security that is forced: an application that connects as the owner of its table sees the
# rows of one tenant, before, during and after a move.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $documents = dirname(__FILE__) . '/../../../doc';
my ($chapter) = slurp_file("$documents/moving.md") =~ /^#### Row security that is forced\n(.*?)^## /ms or die;
my ($query) = $chapter =~ /^```\n(.*?)^```$/ms or die;
my ($give) = $chapter =~ /^```sh\n.*?<<'SQL'\n(.*?)^SQL$/ms or die;
my $node = OneSession->new('forced');

$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE DATABASE shop');
$node->safe_psql('shop', <<'SQL');
CREATE EXTENSION uidext;
CREATE ROLE shop_app LOGIN;
GRANT CREATE ON SCHEMA public TO shop_app;
GRANT TEMPORARY ON DATABASE shop TO shop_app;
SET ROLE shop_app;
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), tenant text NOT NULL DEFAULT current_setting('app.tenant'));
INSERT INTO orders (tenant) VALUES ('ada'), ('ada'), ('grace');
CREATE POLICY mine ON orders USING (tenant = current_setting('app.tenant', true));
ALTER TABLE orders ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE VIEW my_orders AS SELECT * FROM orders;
SQL

# What the application sees as a tenant, of the table and by its view.
sub seen
{
	return $node->safe_psql('shop', q(SET app.tenant = 'ada'; SELECT count(*), (SELECT count(*) FROM my_orders) FROM orders),
		extra_params => [ '-U', 'shop_app' ]);
}

sub play_step
{
	my ($role, $step) = @_;
	my $said = '';

	IPC::Run::run([ 'psql', '-qXd', $node->connstr('shop') . " user=$role", '-v', 'table=orders', '-v',
		"do=$step", '-f', "$documents/recipes/move_table.psql" ],
		'>', \$said, '2>&1');
	return ($?, $said);
}

my $running = $node->background_psql('shop', extra_params => [ '-U', 'shop_app' ]);

is(seen(), '2|2', 'under FORCE the owner sees the rows of one tenant');
like((play_step('shop_app', 'prepare'))[1], qr/ERROR: .*row-level security/, 'and the script is refused');
like($node->safe_psql('shop', $query), qr/^shop_app$/m, 'the query of the page finds the application');
$node->safe_psql('shop', 'ALTER TABLE orders NO FORCE ROW LEVEL SECURITY');
is(seen(), '3|3', 'without FORCE it would see all rows');
$node->safe_psql('shop', 'ALTER TABLE orders FORCE ROW LEVEL SECURITY');
$running->quit;

$node->safe_psql('shop', $give);
$node->safe_psql('shop', q(
	ALTER VIEW my_orders SET (security_invoker);
	ALTER VIEW my_orders OWNER TO shop_tables;
	GRANT SELECT ON my_orders TO shop_app));
is(seen(), '2|2', 'with another owner, and without FORCE, it sees the rows of one tenant');
unlike($node->safe_psql('shop', $query), qr/^shop_app$/m, 'and the query finds it no more');
foreach my $step (qw(prepare fill switch drop))
{
	my ($status, $said) = play_step('shop_admin', $step);

	is($status, 0, "shop_admin: $step") or diag($said);
	is(seen(), '2|2', 'the application sees the rows of one tenant');
}
$node->safe_psql('shop', q(SET app.tenant = 'ada'; INSERT INTO orders DEFAULT VALUES), extra_params => [ '-U', 'shop_app' ]);
is(seen(), '3|3', 'and writes them');

done_testing();
