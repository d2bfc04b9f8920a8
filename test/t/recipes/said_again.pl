# A step that is said again with other variables is refused and changes nothing, for what
# do=prepare was run with holds for all; without the variables it goes on.  A do=back of which nobody has seen the
# end undoes no more when it is said again.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipes = dirname(__FILE__) . '/../../../doc/recipes';
my $shop = new_shop('again', 'bigint', q(nextval('play.n')), identity => 1);
my @moves = qw(prepare fill switch drop);

# Of each recipe the variables of the first prepare, and others, of which each differs.
my @recipes = (
	[ change_key => \@moves, { from => 'number', created => 'at', new => 'uid' },
		[ created => 'sold' ],
		[ from => 'snowflake' ],
		[ to => 'ulid' ],
		[ new => 'key' ],
		[ tz => 'Asia/Tokyo' ],
		[ country => 'BR' ],
		[ service_entity => '1' ] ],
	[ move_table => \@moves, { into => 'partitions', step => '1 day' },
		[ into => 'table' ],
		[ step => '1 month' ],
		[ ahead => '9' ],
		[ tz => 'Asia/Tokyo' ],
		[ scheme => 'sonyflake' ],
		[ owner => 'app' ],
		[ tablespace => 'fast' ] ],
	[ merge_partitions => \@moves, { start => '2026-01-01 00:00+00', step => '4 days' },
		[ start => '2026-01-05 00:00+00' ], [ step => '1 month' ], [ tz => 'Asia/Tokyo' ] ],
	[ refresh_mixed => [qw(prepare fill back)], { column => 'id' }, [ column => 'batch' ] ]);

sub made
{
	my ($recipe) = @_;
	my $key = $recipe eq 'change_key' ? 'bigint' : 'uuid DEFAULT gen_uuidv7()';
	my $parts = $recipe eq 'merge_partitions';

	sql($shop->{database}, qq(SET ROLE keeper; DROP TABLE IF EXISTS shop.sales;
		CREATE TABLE shop.sales (id $key PRIMARY KEY, batch uuid, at timestamptz NOT NULL DEFAULT now(),
			sold timestamptz NOT NULL DEFAULT '2000-01-01 00:00+00')) . ($parts ? 'PARTITION BY RANGE (id)'
	: ''));
	sql($shop->{database}, q(
		SET ROLE keeper;
		SELECT count(*)
		FROM uuid_partition_create('shop.sales', '2026-01-01 00:00+00', '2026-01-10 00:00+00', '1 day')))
		if $parts;
	my $id = $recipe eq 'change_key' ? 'n' : q(gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 hour'));
	sql($shop->{database}, "SET ROLE keeper; INSERT INTO shop.sales (id) SELECT $id FROM generate_series(1, 90) n");
	return;
}

foreach (@recipes)
{
	my ($name, $steps, $told, @others) = @$_;
	my $recipe = new_recipe(file => "$name.psql");
	my $play = sub {
		my ($step, %variables) = @_;
		return step($recipe, $shop, $step, variables => { table => 'shop.sales', %variables })
	};

	made($name);
	is($play->('prepare', %$told)->{status}, 0, "$name: prepare");
	foreach my $step (@$steps)
	{
		foreach my $other (@others)
		{
			my $result = $play->($step, @$other);
			my $before = $told->{ $other->[0] } // '.*';

			isnt($result->{status}, 0, "$name: $step with another $other->[0] is refused");
			like($result->{said}, pattern(
				qr/ERROR:  do=prepare was run with $other->[0]="\Q$before\E", not "\Q$other->[1]\E"\n/,
				qr/HINT:  Leave the variable out/),
				'and told what it was')
			  if defined $told->{ $other->[0] };
			unlike($result->{said}, qr/$step is done/, 'and nothing is done');
		}
		# with the same, and without
		is($play->($step, $step eq 'fill' ? %$told : ())->{status}, 0, "$name: $step without");
	}
}

# The psql of do=back is killed when the server has undone the switch, before psql can say so.
foreach (
	[ change_key => { from => 'number', created => 'at' }, 'SELECT count(uid) FROM shop.sales' ],
	[ move_table => { into => 'partitions', step => '1 day' }, 'SELECT count(*) FROM shop.sales_move' ])
{
	my ($name, $told, $filled) = @$_;
	my $recipe = new_recipe(file => "$name.psql");
	my $play = sub {
		my ($step, %how) = @_;
		return step($recipe, $shop, $step,
			variables => { table => 'shop.sales', $step eq 'prepare' ? %$told : () }, %how)
	};
	my $to_undo = qr/The switch is undone, [^\n]*To undo [^\n]*, too, run do=back again\./;

	made($name);
	each_succeeds($play, $name, qw(prepare fill switch));
	$play->('back', between => sub { return $_[0] =~ /end_half_back/ ? 'kill' : undef });
	Recipes::no_session($shop);
	my $result = $play->('back');
	is(sql($shop->{database}, $filled), 90,
		"$name: a back that is said again, as the first was killed, undoes no more than the switch")
		or diag($result->{said});
	like($result->{said}, qr/The do=back before this one has /i, 'which it says');
	like($result->{said}, $to_undo, 'and how to go on');
	each_succeeds($play, $name, qw(fill switch));
	$result = $play->('back');
	like($result->{said}, $to_undo, 'as does one that nobody has killed');
	unlike($result->{said}, qr/before this one/, 'of itself alone');
	each_succeeds($play, $name, 'back');
	isnt($play->('fill')->{status}, 0, 'the second has undone prepare');

	# What goes to standard output may wait in psql, and be lost with it when the mark is gone.
	each_succeeds($play, $name, qw(prepare fill switch));
	my ($out, $error) = run_command([ 'psql', '-qXd', $node->connstr($shop->{database}) . ' user=keeper', '-v',
		'table=shop.sales', '-v', 'do=back', '-f', "$recipes/$name.psql" ]);
	like($error, $to_undo, 'how to go on is written at once, to standard error');
	each_succeeds($play, $name, 'back');
}

done_testing();
