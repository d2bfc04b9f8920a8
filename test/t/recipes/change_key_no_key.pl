# change_key.psql, when somebody drops between its steps the primary key, or renames it: no row loses the only key that it has, no step
# says that it is done and does nothing, and the index of the old keys is found again.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');

my $shop = empty_shop();

sub keeper { return sql('shop', "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step { return step($recipe, $shop, $_[0], variables => { table => 'shop.orders', $_[0] eq 'prepare' ? (from => 'ksuid') : () }) }
sub goes { return each_succeeds(\&play_step, @_) }

sub is_refused { return is_refused_by(\&play_step, @_[0, 1], qr/ERROR:  (?:nothing has been changed)?$_[2]/s) }

# What a refusal tells to type.
sub type_it
{
	my ($said, $way) = @_;

	like($said, $way, 'it says what to type');
	keeper($said =~ $way ? $1 : '');
	return;
}

# Orders whose keys the application makes.
sub orders
{
	keeper(q(DROP TABLE IF EXISTS orders CASCADE;
		CREATE TABLE orders (id text PRIMARY KEY, n int NOT NULL UNIQUE);
		INSERT INTO orders SELECT uid_generate('ksuid'), n FROM generate_series(1, 5) n));
	return;
}

sub rows { return keeper('SELECT count(*) FROM orders') }

# The unique indexes of the orders.
sub seen
{
	return keeper(q{SELECT string_agg(concat_ws(' ', relname, CASE WHEN indisprimary THEN 'PRIMARY' END, pg_get_indexdef(indexrelid, 1, false)), ', '
			ORDER BY relname)
		FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indrelid = 'orders'::regclass AND indisunique});
}

#
# Dropped before the switch: fill does not go without it.
#
foreach my $other ('', ', ADD PRIMARY KEY (n)')
{
	my $what = "dropped after prepare$other";

	orders();
	goes($what, 'prepare');
	keeper("ALTER TABLE orders DROP CONSTRAINT orders_pkey$other");
	my $said;
	$said = is_refused($what, $_, ', because column id of table shop\.orders is not the primary key any more') foreach qw(fill switch drop);
	type_it($said, qr/HINT:  Make it the primary key again: (.*)/);
	goes($what, qw(fill switch drop));
	is(seen(), 'orders_n_key n, orders_pkey PRIMARY uid', 'made again, it is changed');
}

#
# Dropped after the switch: rows of new code have no other key than the new one.
#
orders();
goes('dropped after switch', qw(prepare fill switch));
keeper('INSERT INTO orders (n) VALUES (6); ALTER TABLE orders DROP CONSTRAINT orders_pkey');
my $said;
$said = is_refused('dropped after switch', $_, ', because column uid of table shop\.orders is not the primary key any more')
	foreach qw(fill switch drop back);
is(keeper('SELECT count(uid) FROM orders'), 6, 'each row has its key');
type_it($said, qr/HINT:  Make it the primary key again: (.*)/);
is_refused('made again', 'back', ', because new code has written 1 rows');
goes('made again', 'drop');
is(seen(), 'orders_n_key n, orders_pkey PRIMARY uid', 'with the new key alone');

# So it is before a switch, if no column is NOT NULL any more.
orders();
goes('without NOT NULL', 'prepare');
keeper('ALTER TABLE orders DROP CONSTRAINT orders_pkey, ALTER id DROP NOT NULL; INSERT INTO orders (n) VALUES (6)');
is_refused('without NOT NULL', 'back', ', because 1 rows of table shop\.orders have only the new key\n.*UPDATE shop\.orders SET id = ');
keeper(q(UPDATE orders SET id = uid_generate('ksuid') WHERE id IS NULL));
goes('without NOT NULL', 'back');
is(rows(), 6, 'with old keys all rows are there');

#
# The index of the old keys, after the switch: the primary key is renamed, or another index has its name.
#
foreach my $step (qw(drop back))
{
	my @steps = $step eq 'drop' ? qw(fill drop) : 'back';
	my $key = $step eq 'drop' ? 'uid' : 'id';

	orders();
	goes('renamed', qw(prepare fill switch));
	keeper('ALTER TABLE orders RENAME CONSTRAINT orders_pkey TO orders_key');
	$said = is_refused('renamed', $_, ': index shop\.orders_pkey_old of table shop\.orders waits beside primary key orders_key, which had another name')
		foreach @steps;
	type_it($said, qr/(ALTER INDEX shop\.orders_pkey_old RENAME TO orders_key_old)/);
	goes('renamed, and the index, too', @steps, $step eq 'back' ? 'back' : ());
	is(seen(), "orders_key PRIMARY $key, orders_n_key n", "$step leaves no double");

	orders();
	goes('another index', qw(prepare fill switch));
	keeper('DROP INDEX orders_pkey_old; CREATE UNIQUE INDEX orders_pkey_old ON orders (n)');
	is_refused('another index', $_, ': index shop\.orders_pkey_old of table shop\.orders has a name that this recipe needs\n'
		. '.*ALTER INDEX shop\.orders_pkey_old RENAME TO \.\.\.') foreach @steps;
	keeper('ALTER INDEX orders_pkey_old RENAME TO by_n');
	type_it(is_refused('another index', 'back', 'table shop\.orders has no valid index orders_pkey_old'),
		qr/(CREATE UNIQUE INDEX CONCURRENTLY .*)/) if $step eq 'back';
	goes('another index', @steps);
	is(seen(), "by_n n, orders_n_key n, orders_pkey PRIMARY $key", 'stays what it is');
}

done_testing();
