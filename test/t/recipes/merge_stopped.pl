# merge_partitions.psql after a prepare that ended when it had made the new partition, and before
# the triggers; and with a small partition that has come since: no step goes on with rows that
# the new partition does not get.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $shop = new_shop('stopped', 'bigint', q(nextval('play.n')), identity => 1);
my $recipe = new_recipe(file => 'merge_partitions.psql');

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	return step($recipe, $shop, $_[0],
		variables => { table => 'shop.sales', start => '2026-01-01 00:00+00', step => '4 days' });
}

sub plays { return each_succeeds(\&play_step, 'merge_partitions', @_) }

sub refuses
{
	my ($error, $what) = @_;
	my $constraints = q(SELECT count(*) FROM pg_constraint);
	my $before = keeper($constraints);

	foreach my $step (qw(fill switch))
	{
		like(play_step($step)->{said}, qr/ERROR:  nothing has been changed, because $error/, "$what: $step is refused");
		is(keeper($constraints), $before, 'and has made no constraint');
	}
	return;
}

keeper(q(CREATE TABLE shops (id int PRIMARY KEY); INSERT INTO shops VALUES (1);
	CREATE TABLE sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int REFERENCES shops) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_create('sales', '2026-01-01 00:00+00', '2026-01-04 00:00+00', '1 day');
	INSERT INTO sales
	SELECT gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 hour'), 1
	FROM generate_series(1, 70) n));
plays('prepare');
keeper(q(
	SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass)
	FROM pg_trigger
	WHERE starts_with(tgname, '00_merge_partitions') \gexec));
refuses('writes to partition shop\.sales_2026_01_01 do not go to the new one yet\n'
		. 'HINT:  Run do=prepare again, and then do=fill\.',
	'without triggers');
plays(qw(prepare fill));
keeper(q(
	CREATE TABLE wide PARTITION OF sales
	FOR VALUES FROM (uuid_boundary('2026-01-04 00:00+00')) TO (uuid_boundary('2026-01-08 00:00+00'))));
like(play_step('prepare')->{said}, qr/partition shop\.wide is not of this period alone/,
	'prepare is refused beside a partition that reaches beyond the period');
is(keeper(q(INSERT INTO sales VALUES (gen_uuidv7_at('2026-01-06 00:00+00'), 1); SELECT count(*) FROM wide)), 1,
	'and rows beyond it go in');
my $bounds = q(FOR VALUES FROM (uuid_boundary('2026-01-01 00:00+00')) TO (uuid_boundary('2026-01-02 00:00+00')));
keeper('DROP TABLE wide; ALTER TABLE sales DETACH PARTITION sales_2026_01_01');
refuses('table shop\.sales_2026_01_01 is no partition any more\nHINT:  Attach it again, or run do=back\.',
	'a partition that was detached');
keeper("ALTER TABLE sales ATTACH PARTITION sales_2026_01_01 $bounds");
keeper(q(SELECT count(*) FROM uuid_partition_create('sales', '2026-01-04 00:00+00', '2026-01-05 00:00+00', '1 day');
	INSERT INTO sales
	SELECT gen_uuidv7_at(timestamptz '2026-01-04 00:00+00' + n * interval '1 hour'), 1
	FROM generate_series(1, 20) n));
refuses('writes to partition shop\.sales_2026_01_04 do not go to the new one yet\n'
		. 'HINT:  Run do=prepare again, and then do=fill\.',
	'a partition in a gap');
plays(qw(prepare fill switch drop));
is(keeper(q(SELECT count(*), (SELECT count(*) FROM uuid_partition_list('sales')) FROM sales)), '90|1',
	'all rows are in one partition');

# A switch that was stopped before it had proved the foreign keys of the table, and then somebody has
# dropped what was merged.
keeper(q(CREATE TABLE refunds (sale_id uuid REFERENCES sales); INSERT INTO refunds SELECT id FROM sales;
	SELECT count(*) FROM uuid_partition_create('sales', '2026-01-05 00:00+00', '2026-01-09 00:00+00', '1 day');
	INSERT INTO sales
	SELECT gen_uuidv7_at(timestamptz '2026-01-05 00:00+00' + n * interval '1 hour'), 1
	FROM generate_series(1, 90) n));
my %next = (variables => { table => 'shop.sales', start => '2026-01-05 00:00+00', step => '4 days' });
is(step($recipe, $shop, $_, %next)->{status}, 0, "the next partitions: $_") foreach qw(prepare fill);
isnt(step($recipe, $shop, 'switch', %next, between => sub { $_[0] =~ /prove_keys/ ? 'x' : undef })->{status}, 0,
	'switch is stopped');
like(step($recipe, $shop, 'drop', %next)->{said}, pattern(
	qr/ERROR:  nothing has been changed, because foreign keys are not proved\n/,
	qr/HINT:  Run do=switch again, which proves them/),
	'drop is refused');
keeper(q(SELECT format('DROP TABLE %s', tgrelid::regclass) FROM pg_trigger WHERE tgname = '00_merge_partitions' \gexec));
like(step($recipe, $shop, 'drop', %next)->{said}, pattern(
	qr/ERROR:  nothing has been changed, because foreign keys are not proved\n/,
	qr/HINT:  Run do=switch again, which proves them/),
	'and also without the small partitions');
is(step($recipe, $shop, 'switch', %next)->{status}, 0, 'switch, run again, proves them');
is(keeper(q(
		SELECT bool_and(convalidated), count(*) > 0
		FROM pg_constraint
		WHERE contype = 'f' AND 'sales'::regclass IN (conrelid, confrelid))), 't|t', 'they are valid');
is(step($recipe, $shop, 'drop', %next)->{status}, 0, 'and drop ends it');
is(keeper(q(SELECT count(*) FROM pg_proc WHERE proname ~ '^merge_partitions_')), 0, 'nothing is left of it');
keeper('DROP TABLE refunds');

# All of them gone.
keeper(q(DROP TABLE sales; CREATE TABLE sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_create('sales', '2026-01-01 00:00+00', '2026-01-03 00:00+00', '1 day')));
plays('prepare');
keeper('DROP TABLE sales_2026_01_01, sales_2026_01_02');
refuses('the partitions of this period are gone\nHINT:  Run do=back\.', 'without partitions');
plays('back');

done_testing();
