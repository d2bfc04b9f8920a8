# merge_partitions.psql, when somebody alters constraints of the table between its steps: the partition that it makes has
# those of the table as it is now.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $shop = empty_shop();

sub keeper { return sql('shop', "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	my ($step, %how) = @_;
	return step(new_recipe(file => 'merge_partitions.psql'), $shop, $step, %how,
		variables => { table => 'shop.sales',
			$step eq 'prepare' ? (start => '2026-01-01 00:00+00', step => '4 days') : () });
}

# The small partition that is not merged, and the new one, have the same.
sub constraints
{
	my ($part) = @_;
	return keeper(qq(
		SELECT conname, pg_get_constraintdef(oid), convalidated
		FROM pg_constraint
		WHERE conrelid = '$part'::regclass AND contype IN ('f', 'c')
		ORDER BY 1, 2));
}

# Foreign keys: a switch that fails has given the new partition those of that time.
keeper('CREATE TABLE customers (id int PRIMARY KEY); INSERT INTO customers SELECT generate_series(1, 90)');
foreach (
	[ 'dropped', 'DROP CONSTRAINT sales_n_fkey', '' ],
	[ 'made anew with another action',
		'DROP CONSTRAINT sales_n_fkey, ADD CONSTRAINT buyer FOREIGN KEY (n) REFERENCES customers ON DELETE CASCADE',
		'buyer|FOREIGN KEY (n) REFERENCES customers(id) ON DELETE CASCADE|t' ])
{
	my ($what, $altered, $wanted) = @$_;

	new_sales($shop, 'n int REFERENCES customers', 1);
	each_succeeds(\&play_step, 'a foreign key', qw(prepare fill));
	keeper('DELETE FROM sales_merge WHERE n = 1');
	is_refused_by(\&play_step, 'rows differ', 'switch', qr/nothing has been changed, because 1 rows/);
	keeper("ALTER TABLE sales $altered");
	each_succeeds(\&play_step, "after it is $what", qw(fill switch drop));
	is(constraints($_), $wanted, "a foreign key that is $what: $_ has that of the table") foreach qw(sales_2026_01_01 sales_2026_01_09);
}

# One that changes after the new partition has got its keys.
foreach my $altered ('DROP CONSTRAINT sales_n_fkey', 'ADD CONSTRAINT late FOREIGN KEY (n) REFERENCES customers')
{
	my $is_late = 0;
	my $alters = sub {
		keeper("ALTER TABLE sales $altered") if $_[0] =~ /attach_merged/ && !$is_late++;
		return;
	};

	new_sales($shop, 'n int REFERENCES customers', 1);
	each_succeeds(\&play_step, 'a foreign key', qw(prepare fill));
	is_refused_by(sub { play_step($_[0], between => $alters) }, $altered, 'switch', pattern(
		qr/ERROR:  nothing has been changed, because foreign keys of table shop\.sales have changed during this step\n/,
		qr/HINT:  Run do=switch again\./));
	each_succeeds(\&play_step, 'then', qw(switch drop));
	is(constraints('sales_2026_01_01'), constraints('sales_2026_01_09'), "$altered: the new partition has those of the table");
}

# Constraints that the table gets or loses after prepare, which the new partition cannot follow by itself.
{
	my $says = sub { return pattern(qr/^(?:(?!WARNING).)*WARNING:  $_[0]\n/s, qr/(?:(?!WARNING).)*ERROR:  the rows cannot be moved/s) };
	my $given = sub {
		my ($what, $altered, $command) = @_;

		keeper("ALTER TABLE sales $altered");
		is_refused_by(\&play_step, $what, 'switch',
			$says->("all small partitions have this since do=prepare: give table shop.sales_merge the same: \Q$command\E"));
		keeper($command);
		return;
	};

	new_sales($shop, 'n int, CONSTRAINT small CHECK (n < 1000)', 1);
	each_succeeds(\&play_step, 'constraints', qw(prepare fill));
	$given->('a CHECK', 'ADD CONSTRAINT positive CHECK (n > 0)',
		'ALTER TABLE shop.sales_merge ADD CONSTRAINT positive CHECK ((n > 0)) NOT VALID; '
		. 'ALTER TABLE shop.sales_merge VALIDATE CONSTRAINT positive');
	$given->('NOT NULL', 'ALTER n SET NOT NULL', 'ALTER TABLE shop.sales_merge ALTER COLUMN n SET NOT NULL');
	keeper('ALTER TABLE sales DROP CONSTRAINT small');
	is_refused_by(\&play_step, 'a CHECK that is dropped', 'switch', $says->(
		'no small partition has this since do=prepare: take it away from table shop.sales_merge, too: CHECK \(\(n < 1000\)\)'));
	keeper('ALTER TABLE sales_merge DROP CONSTRAINT small');
	each_succeeds(\&play_step, 'constraints', qw(switch drop));
	is(constraints('sales_2026_01_01'), 'positive|CHECK ((n > 0))|t', 'the new partition has those of the table');
}

done_testing();
