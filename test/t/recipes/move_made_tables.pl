# move_table.psql: the tables that it makes lie in the tablespace that was named, also in the database's own, and have no row
# security that an event trigger gives to each new table.

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

sub moves
{
	my ($what, $steps, %variables) = @_;
	my $play = sub {
		return step($recipe, $shop, $_[0],
			variables => { table => 'shop.sales', step => '1 month', $_[0] eq 'prepare' ? %variables : () });
	};

	return each_succeeds($play, $what, @$steps);
}

my @all = qw(prepare fill switch drop);

sub tablespaces
{
	return keeper(q(
		SELECT string_agg(DISTINCT coalesce(spcname, '-'), ' ')
		FROM pg_class c
		LEFT JOIN pg_tablespace t ON t.oid = reltablespace
		WHERE relnamespace = 'shop'::regnamespace AND relkind IN ('r', 'p', 'i', 'I')));
}

sql('shop', q(SET allow_in_place_tablespaces = on));
sql('shop', q(SET allow_in_place_tablespaces = on; CREATE TABLESPACE fast LOCATION ''));
sql('shop', 'GRANT CREATE ON TABLESPACE fast TO keeper');
new_sales($shop, 'n int');
foreach ([ partitions => fast => 'fast' ], [ partitions => pg_default => '-' ], [ table => fast => 'fast' ], [ table => pg_default => '-' ])
{
	my ($into, $space, $found) = @$_;

	moves("into $into in $space", \@all, into => $into, tablespace => $space);
	is(tablespaces(), $found, "into $into in $space: all lie there");
}

# June is in the second of two months.
keeper(q(
	CREATE TABLE visits (id uuid PRIMARY KEY);
	INSERT INTO visits SELECT gen_uuidv7_at(timestamptz '2026-06-15 00:00+00' + n * interval '1 day') FROM generate_series(1, 100) n));
moves('a step of two months', ['prepare'], table => 'shop.visits', into => 'partitions', step => '2 months');
is(keeper(q(SELECT min(from_time) AT TIME ZONE 'UTC' FROM uuid_partition_list('visits_move') WHERE kind = 'partition')), '2026-05-01 00:00:00',
	'the first partition begins where maintenance would begin');

# The owner is no exception to this row security: a copy that had it would take no row.
sub guarded
{
	return keeper(q(
		SELECT string_agg(relname, ' ')
		FROM pg_class
		WHERE relnamespace = 'shop'::regnamespace AND (relrowsecurity OR relforcerowsecurity)));
}

sql('shop', q(
	CREATE FUNCTION guard() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS '
		DECLARE
			made record;
		BEGIN
			FOR made IN SELECT * FROM pg_event_trigger_ddl_commands() WHERE schema_name = ''shop'' AND object_type = ''table'' LOOP
				EXECUTE format(''ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY'', made.object_identity);
			END LOOP;
		END';
	CREATE EVENT TRIGGER guard ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION guard()));
foreach my $into (qw(partitions table))
{
	moves("into $into beside the event trigger", ['prepare'], into => $into);
	is(guarded(), '', "into $into: no table that was made has row security");
	keeper('INSERT INTO sales DEFAULT VALUES');
	moves("into $into beside the event trigger", [qw(fill switch)]);
	is(guarded(), '', "into $into: nor has any after the switch");
	moves("into $into beside the event trigger", [qw(back switch drop)]);
	is(keeper('SELECT count(*) FROM sales'), $into eq 'partitions' ? 91 : 92, "into $into: all rows are there");
}

done_testing();
