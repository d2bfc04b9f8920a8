# Two recipes on one table: the second is refused until the first has come to its end or back, because both
# exchange or drop what the other has planned with.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $moved = qr/table shop\.items is being moved, or partitions of it are being merged/;
my $keyed = qr/the key of table shop\.(?:orders|items), or one that it refers to, is being changed/;
my %told = (
	change_key => [ 'orders', { from => 'v4', created => 'at' } ],
	merge_partitions => [ 'items', { start => '2026-01-01 00:00+00', step => '4 days' } ],
	move_table => [ 'items', { into => 'table' } ],
	refresh_mixed => [ 'orders', {} ]);

sql('postgres', 'CREATE DATABASE shop');
sql('postgres', 'GRANT ALL ON DATABASE shop TO keeper');

sub make
{
	sql('shop', q(DROP SCHEMA IF EXISTS shop CASCADE; CREATE SCHEMA shop AUTHORIZATION keeper; SET ROLE keeper;
		CREATE TABLE shop.orders (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), at timestamptz NOT NULL DEFAULT now());
		CREATE TABLE shop.items (
			id uuid PRIMARY KEY DEFAULT gen_uuidv7(), order_id uuid NOT NULL REFERENCES shop.orders)
		PARTITION BY RANGE (id);
		SELECT count(*) FROM uuid_partition_create('shop.items', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day');
		CREATE TABLE shop.items_default PARTITION OF shop.items DEFAULT;
		INSERT INTO shop.orders SELECT FROM generate_series(1, 9); INSERT INTO shop.items (order_id) SELECT id FROM shop.orders));
	return;
}

sub played
{
	my ($name, $step) = @_;
	my ($table, $more) = @{ $told{$name} };

	return step(new_recipe(file => "$name.psql"), { database => 'shop' }, $step,
		variables => { table => "shop.$table", $step eq 'prepare' ? %$more : () });
}

sub plays { my ($name, @steps) = @_; return each_succeeds(sub { played($name, $_[0]) }, $name, @steps) }

sub refuses
{
	my ($name, $step, $why, $when) = @_;
	my $result = played($name, $step);

	my $warned = qr/WARNING:  $why: first finish that recipe, or undo it with do=back\n.*ERROR: /s;
	like($result->{said}, qr/(?:$warned|ERROR:  (?:nothing has been changed: )?$why)/s,
		"$name: $step is refused $when");
	return;
}

# From its first step to its last, and what it is then.
foreach (
	[ move_table => $moved, [qw(change_key merge_partitions)] ],
	[ merge_partitions => $moved, [qw(change_key move_table)] ],
	[ change_key => $keyed, [qw(merge_partitions move_table refresh_mixed)] ])
{
	my ($first, $why, $others) = @$_;

	make();
	foreach my $step ($first eq 'merge_partitions' ? qw(prepare fill) : qw(prepare fill switch))
	{
		plays($first, $step);
		# after a switch it has no partitions any more
		refuses($_, 'prepare', $why, "after $step of $first")
			foreach grep { "$first $step $_" ne 'move_table switch merge_partitions' } @$others;
	}
	plays($first, $first eq 'merge_partitions' ? 'back' : qw(back back));
	foreach my $other (grep { $_ ne 'refresh_mixed' } @$others)
	{
		plays($other, 'prepare');
		plays($other, 'back');
	}
}

# A table that begins to be moved while prepare waits for its locks.
make();
my $trigger = 'CREATE TRIGGER "00_move_table" AFTER INSERT ON shop.items FOR EACH ROW EXECUTE FUNCTION shop.move()';
sql('shop', 'SET ROLE keeper; CREATE FUNCTION shop.move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$');
my $result = while_waiting(new_recipe(file => 'change_key.psql'), { name => 'shop', database => 'shop' },
	'prepare', qr/CALL pg_temp\.prepare/,
	'SET LOCAL ROLE keeper; LOCK TABLE shop.items IN SHARE ROW EXCLUSIVE MODE',
	"SET LOCAL ROLE keeper; $trigger; COMMIT",
	variables => { table => 'shop.orders', from => 'v4', created => 'at' });
like($result->{said},
	qr/ERROR:  $moved: first finish that recipe, or undo it with do=back\nHINT:  Nothing has been changed\./,
	'change_key: prepare is refused under its locks');

# A key that is being changed, of a table that is being moved by triggers from before both knew of each other.
make();
plays('change_key', 'prepare');
sql('shop', 'SET ROLE keeper; CREATE FUNCTION shop.move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
	' . $trigger);
plays('change_key', 'fill');
refuses('change_key', 'switch', $moved, 'of a table that is being moved');
sql('shop', 'DROP TRIGGER "00_move_table" ON shop.items');
plays('change_key', 'switch');
sql('shop', "SET ROLE keeper; $trigger");
refuses('change_key', 'drop', $moved, 'of a table that is being moved');
sql('shop', 'DROP TRIGGER "00_move_table" ON shop.items');
plays('change_key', 'drop');

done_testing();
