# move_table.psql into partitions: a key of a wrong time long before all others would ask for partitions of decades.  prepare
# refuses it, shows how to find the rows, and tells how many partitions it has made.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $shop = empty_shop();
my $recipe = new_recipe(file => 'move_table.psql');
my $step;

sub keeper { return sql('shop', "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	return step($recipe, $shop, $_[0],
		variables => { table => 'shop.sales', $_[0] eq 'prepare' ? (into => 'partitions', step => $step, scheme => 'snowflake') : () });
}

sub plays { return each_succeeds(\&play_step, "$step", @_) }

# Rows before those of 2026, the time of the first as the session prints it, and a step that is long enough.
foreach (
	[ uuid => q(INSERT INTO sales VALUES ('00000000-0000-0000-0000-000000000000', -1), ('00000000-0000-0000-0000-000000000001', -2)),
		'1970-01-01 05:30:00\+05:30', '1 year' ],
	[ bigint => q(INSERT INTO sales SELECT uid_boundary('2012-02-01 00:00+00', 'snowflake') + n, -1 - n FROM generate_series(0, 1) n),
		'2012-02-01 05:30:00\+05:30', '3 months' ])
{
	my ($type, $stray, $first, $long) = @$_;

	new_sales($shop, 'n int');
	keeper(q(
		ALTER TABLE sales RENAME TO sales_of_uuids;
		CREATE TABLE sales (id bigint PRIMARY KEY CHECK (uid_is_valid(id, 'snowflake')), n int);
		INSERT INTO sales SELECT uid_boundary(uuid_time(id), 'snowflake'), n FROM sales_of_uuids;
		DROP TABLE sales_of_uuids)) if $type eq 'bigint';
	keeper($stray);
	foreach my $short ('1 month', '1 day')
	{
		$step = $short;
		my $said = is_refused_by(\&play_step, "$type, $step", 'prepare', pattern(
			qr/ERROR:  table shop\.sales has keys of $first, and then none until 2026-01-01 06:30:00\+05:30: all partitions in between would be empty\n/,
			qr/HINT:  Nothing has been changed\. Give these rows other keys, or delete them, or pass a longer step\. To see them: /,
			qr/SELECT \* FROM shop\.sales WHERE id <= '[-0-9]+'\n/));
		my ($query) = $said =~ /To see them: (.*)/;
		is(keeper($query =~ s/\*/string_agg(n::text, ' ' ORDER BY n)/r), '-2 -1', "$type, $step: the query shows these rows");
		is(keeper(q(SELECT to_regclass('sales_move'))), '', "$type, $step: nothing stays");
	}
	$step = $long;
	my $told = play_step('prepare');
	is($told->{status}, 0, "$type, $step: a longer step makes fewer partitions") or diag($told->{said});
	plays('back');
	keeper('DELETE FROM sales WHERE n < 0');
	$step = '1 month';
	like(play_step('prepare')->{said}, qr/NOTICE:  table shop\.sales_move has \d+ partitions, of which the first begins at 2026-01-01 05:30:00\+05:30\n/,
		"$type: without these rows all is well, and the partitions are counted");
	plays('back');
}

# in some months nothing was sold
new_sales($shop, 'n int');
keeper(q(INSERT INTO sales VALUES (gen_uuidv7_at('2025-03-01 00:00+00'), 0)));
$step = '1 month';
plays(qw(prepare fill switch drop));

done_testing();
