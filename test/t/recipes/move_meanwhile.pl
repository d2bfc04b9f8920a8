# move_table.psql and merge_partitions.psql, when what prepare refuses comes after it: switch,
# back and drop refuse it, too, and change nothing.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server(plans => 1);
my $major = sql('postgres', q(SELECT current_setting('server_version_num')::int / 10000));
my $shop = new_shop('meanwhile', 'bigint', q(nextval('play.n')), identity => 1);
my %variables = (
	move_table => { into => 'partitions', step => '1 day' },
	merge_partitions => { start => '2026-01-01 00:00+00', step => '4 days' });
my $recipe;

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	my ($step) = @_;
	return step(new_recipe(file => "$recipe.psql"), $shop, $step, user => 'deployer',
		variables => { table => 'shop.sales', $step eq 'prepare' ? %{ $variables{$recipe} } : () });
}

sub plays { return each_succeeds(\&play_step, $recipe, @_) }

sub refuses
{
	my ($step, $problem, $what) = @_;

	like(play_step($step)->{said}, pattern(
		qr/WARNING:  $problem.*ERROR:  the rows cannot be moved like this\n/s,
		qr/HINT:  The warnings say why\. Nothing has been changed\./s),
		"$recipe: $step, $what");
	return;
}

sub sales
{
	($recipe) = @_;
	return new_sales($shop, 'n int', $recipe eq 'merge_partitions');
}

sql('postgres', 'CREATE ROLE heir; CREATE ROLE deployer LOGIN; GRANT heir, keeper TO deployer');
sql('postgres', "GRANT TEMPORARY ON DATABASE $shop->{database} TO deployer");
sql($shop->{database}, 'GRANT ALL ON SCHEMA shop TO deployer, heir');

# Another owner.
sales('move_table');
{
	local $variables{move_table} = { owner => 'heir' };
	plays(qw(prepare fill));
	sql($shop->{database}, 'REVOKE USAGE ON SCHEMA shop FROM heir');
	refuses('switch', 'heir cannot become the owner', 'without USAGE');
	sql($shop->{database}, 'GRANT USAGE ON SCHEMA shop TO heir');
	sql('postgres', 'ALTER ROLE heir RENAME TO successor');
	refuses('switch', 'role heir, which shall own the table after do=drop, is not there: give it this name again, or run do=back',
		'when the new owner has another name');
	sql('postgres', 'ALTER ROLE successor RENAME TO heir');
	plays('switch');
	sql($shop->{database}, 'REVOKE USAGE ON SCHEMA shop FROM heir');
	refuses('drop', 'heir cannot become the owner', 'without USAGE');
	sql($shop->{database}, 'GRANT USAGE ON SCHEMA shop TO heir');
	keeper('CREATE VIEW late AS SELECT * FROM sales');
	refuses('drop', 'view shop\.late belongs to role keeper, which could not read the table after do=drop',
		"with a view of the old owner's");
	keeper('
		DROP VIEW late;
		GRANT SELECT ON sales TO PUBLIC;
		CREATE VIEW late AS SELECT * FROM sales;
		GRANT SELECT ON late TO reader;
		CREATE VIEW counted AS SELECT count(*) FROM sales;
		GRANT INSERT ON counted TO reader');
	sql($shop->{database}, 'SET ROLE keeper; GRANT UPDATE (n) ON shop.late TO app');
	refuses('drop', 'view shop\.late belongs to role keeper, which could not write to the table after do=drop',
		'with a view by which others write');
	keeper('REVOKE UPDATE (n) ON late FROM app');
	plays('drop');
}
sql($shop->{database}, 'DROP TABLE shop.sales CASCADE');

# A foreign key that moves rows between partitions.
my $key = q(
	CREATE TABLE gifts (sale uuid REFERENCES sales ON UPDATE CASCADE) PARTITION BY HASH (sale);
	CREATE TABLE gifts_1 PARTITION OF gifts FOR VALUES WITH (MODULUS 1, REMAINDER 0));
my $moves = 'foreign key gifts_sale_fkey of table shop\.gifts changes a column of its partition key';
foreach (qw(move_table merge_partitions))
{
	sales($_);
	plays(qw(prepare fill));
	if ($major < 18)
	{
		keeper($key);
		refuses('switch', $moves, 'with a key that moves rows');
		keeper('DROP TABLE gifts');
	}
	plays('switch');
	if ($major < 18 && $_ eq 'move_table')
	{
		keeper($key);
		refuses('back', $moves, 'with a key that moves rows');
		keeper('DROP TABLE gifts');
	}
	plays('drop');
}

{
	local $variables{move_table} = { into => 'partitions', step => '1 day', ahead => 60 };
	my $locks = 'a step locks \d+ relations, more than the server has room for';

	sales('move_table');
	keeper('DELETE FROM sales; INSERT INTO sales SELECT gen_uuidv7(), 1; CREATE TABLE clicks (sale uuid REFERENCES sales)');
	plays(qw(prepare fill));
	with_locks(10);
	refuses('switch', $locks, 'without room for locks');
	with_locks(64);
	plays('switch');
	keeper(q(
		SELECT count(*)
		FROM uuid_partition_create(
			'sales', date_trunc('day', now(), 'UTC') + interval '70 days', now() + interval '120 days', '1 day')));
	with_locks(10);
	refuses($_, $locks, 'without room for locks') foreach qw(back drop);
	with_locks(64);
	plays('drop');
}

done_testing();
