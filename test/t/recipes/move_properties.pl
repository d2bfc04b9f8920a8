# move_table.psql: the comment of a constraint trigger, the schema of extended statistics, and the comment and the rights of
# the type of the rows are those of the table in use, after switch, back and drop.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $shop = empty_shop();
my $recipe = new_recipe(file => 'move_table.psql');

sub keeper { return sql('shop', "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

# What is asked of the table in use, and what it has; other tables have other properties of the same kinds.
my %property = (
	'the comment of the constraint trigger' =>
		[ q(SELECT obj_description(oid, 'pg_constraint') FROM pg_constraint WHERE conrelid = 'sales'::regclass AND contype = 't'), 'looks' ],
	'the schema and the comment of its statistics' =>
		[ q(SELECT string_agg(concat_ws(' ', stxnamespace::regnamespace, stxname, obj_description(oid, 'pg_statistic_ext')), ', '
				ORDER BY stxname)
			FROM pg_statistic_ext
			WHERE stxrelid = 'sales'::regclass), 'shop beside ours, planning together both' ],
	'the comment of the type' => [ q(SELECT obj_description('sales'::regtype, 'pg_type')), 'a sale' ],
	'the rights on the type' =>
		[ q(SELECT string_agg(concat_ws(' ', grantee::regrole, is_grantable), ', ' ORDER BY grantee::regrole::text)
			FROM pg_type, aclexplode(typacl) WHERE oid = 'sales'::regtype), 'app t, keeper f, reader f' ]);

sql('shop', 'CREATE SCHEMA planning AUTHORIZATION keeper');
foreach my $into (qw(partitions table))
{
	my $play = sub {
		return step($recipe, $shop, $_[0],
			variables => { table => 'shop.sales', $_[0] eq 'prepare' ? (into => $into, step => '1 day') : () });
	};
	my $has_all = sub {
		is(keeper($property{$_}[0]), $property{$_}[1], "into $into, after $_[0]: $_") foreach sort keys %property;
	};

	new_sales($shop, 'n int, old int');
	keeper(q(
		CREATE OR REPLACE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
		CREATE CONSTRAINT TRIGGER look AFTER INSERT ON sales FOR EACH ROW EXECUTE FUNCTION look();
		COMMENT ON CONSTRAINT look ON sales IS 'looks';
		CREATE STATISTICS planning.together ON n, old FROM sales;
		COMMENT ON STATISTICS planning.together IS 'both';
		CREATE STATISTICS beside ON n, id FROM sales;
		COMMENT ON STATISTICS beside IS 'ours';
		COMMENT ON TYPE sales IS 'a sale';
		REVOKE USAGE ON TYPE sales FROM PUBLIC;
		GRANT USAGE ON TYPE sales TO app WITH GRANT OPTION;
		GRANT USAGE ON TYPE sales TO reader));
	$has_all->('CREATE TABLE');
	foreach my $step (qw(prepare fill switch back switch drop))
	{
		each_succeeds($play, "into $into", $step);
		$has_all->($step);
	}
}

# what is taken away after the switch stays away
{
	my $play = sub { return step($recipe, $shop, $_[0], variables => { table => 'shop.sales' }) };
	my $type = sub {
		return keeper(q(SELECT concat(typacl, obj_description(oid, 'pg_type')) FROM pg_type WHERE oid = 'sales'::regtype));
	};

	new_sales($shop, 'n int');
	each_succeeds($play, 'without rights', qw(prepare fill switch));
	is($type->(), '', 'a type without rights and comment of its own gets none');
	keeper(q(REVOKE USAGE ON TYPE sales FROM PUBLIC; COMMENT ON TYPE sales IS 'since the switch'));
	each_succeeds($play, 'without rights', 'back');
	is($type->(), '{keeper=U/keeper}since the switch', 'back keeps what came after the switch');
}

done_testing();
