# move_table.psql, where policies of other tables read the table: they hold throughout, and then read the new one.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Moves;
use Recipes;

server();
my $recipe = new_recipe(
	file => 'move_table.psql',
	steps => [qw(prepare fill switch drop)],
	variables => sub { (table => 'shop.orders', %{ $_[0]{told} }) });
my $notes = q(
	SET ROLE keeper;
	CREATE TABLE shop.hints (order_id uuid, what text);
	ALTER TABLE shop.hints ENABLE ROW LEVEL SECURITY;
	GRANT SELECT, INSERT ON shop.hints TO app;
	CREATE POLICY shown ON shop.hints USING (true);
	CREATE POLICY of_small_orders ON shop.hints AS RESTRICTIVE FOR ALL TO app USING (
		order_id IN (SELECT id FROM shop.orders WHERE total < 1000))
		WITH CHECK (EXISTS (SELECT FROM shop.orders o WHERE o.id = order_id AND total < 500));
	COMMENT ON POLICY of_small_orders ON shop.hints IS 'who sees a hint';
	INSERT INTO shop.hints SELECT id, label FROM shop.orders ORDER BY label LIMIT 5;
	INSERT INTO shop.hints VALUES (gen_uuidv7(), 'of another shop'));
my $shop = shop('policies');

sql($shop->{database}, $notes);
$shop->{description} = Recipes::description($shop);
my $seen = q(SET ROLE app; SELECT count(*), count(*) FILTER (WHERE what = 'of another shop') FROM shop.hints);
my $reads = q(
	SELECT DISTINCT refobjid::regclass
	FROM pg_depend
	JOIN pg_policy p ON p.oid = objid
	WHERE classid = 'pg_policy'::regclass
	AND polname = 'of_small_orders' AND refclassid = 'pg_class'::regclass AND refobjid <> polrelid);
my $before = everything($shop);
is(sql($shop->{database}, $seen), '5|0', 'a role sees the hints that the policy shows it');

foreach my $into (qw(partitions table))
{
	$shop->{told} = { into => $into };
	foreach my $step (qw(prepare fill switch back switch drop))
	{
		my %seen;

		succeeds($recipe, $shop, $step, "into $into", between => sub { $seen{ sql($shop->{database}, $seen) }++; return });
		is_deeply([ keys %seen ], ['5|0'], 'the role has seen the same all the time');
		is(sql($shop->{database}, $reads), 'shop.orders', 'the policy reads the table');
	}
}
is(everything($shop), $before, 'there and back, nothing has changed');
is(sql($shop->{database}, q(
	SET ROLE app;
	INSERT INTO shop.hints SELECT id, 'new' FROM shop.orders ORDER BY label LIMIT 1 RETURNING what)),
	'new', 'and what the policy checks is in the new table');

problem($recipe, $shop, 'ALTER TABLE shop.hints OWNER TO reader', 'ALTER TABLE shop.hints OWNER TO keeper',
	'a policy of a table of another owner');
problem($recipe, $shop, 'CREATE POLICY of_parents ON shop.hints USING (order_id IN (SELECT id FROM ONLY shop.orders))',
	'DROP POLICY of_parents ON shop.hints', 'a policy that reads the table with ONLY');

$shop->{told} = { into => 'partitions' };
succeeds($recipe, $shop, $_, 'into partitions') foreach qw(prepare fill switch drop);
$shop->{told} = { into => 'table' };
my $part = sql($shop->{database}, q(SELECT partition FROM uuid_partition_list('shop.orders') ORDER BY from_time LIMIT 1));
problem($recipe, $shop, "CREATE POLICY of_part ON shop.hints USING (order_id IN (SELECT id FROM $part))",
	'DROP POLICY of_part ON shop.hints',
	'a policy that reads a partition');

done_testing();
