# change_key.psql, when a partition of a table that refers to the key is detached between its steps: it keeps its
# columns and its foreign key, and loses the trigger.  Each step says so, and goes on when it is mended.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('detached', 'bigint', q(nextval('play.n')), identity => 1);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	return step($recipe, $shop, $_[0],
		variables => { table => 'shop.sales', $_[0] eq 'prepare' ? (from => 'number') : () });
}

sub goes { return each_succeeds(\&play_step, @_) }

sub way
{
	my ($what, $step, $table) = (@_, 'items');
	my $result = play_step($step);

	isnt($result->{status}, 0, "$what: $step is refused");
	$result->{said}
		=~ pattern(
			qr/ERROR:  nothing has been changed, because table shop\.${table}_0 was detached from table /,
			qr/shop\.$table\n/,
			qr/HINT:  Attach it again, and run do=fill\. Or let it be a table of its own: ([^\n]*)\n/)
	  or diag($result->{said});
	ok($1, 'and says what to do');
	return $1;
}

my %next = (prepare => 'fill', fill => 'switch', switch => 'drop');

foreach my $after (qw(prepare fill switch))
{
	my @steps = $after eq 'prepare' ? 'prepare' : $after eq 'fill' ? qw(prepare fill) : qw(prepare fill switch);
	my $detach = sub { return keeper('ALTER TABLE items DETACH PARTITION items_0') };

	keeper(q(DROP TABLE IF EXISTS items, items_0, sales; CREATE TABLE sales (id bigint PRIMARY KEY);
		CREATE TABLE items (sale_id bigint REFERENCES sales, n int) PARTITION BY LIST (n);
		CREATE TABLE items_0 PARTITION OF items FOR VALUES IN (0); CREATE TABLE items_1 PARTITION OF items FOR VALUES IN (1);
		INSERT INTO sales SELECT generate_series(1, 9); INSERT INTO items SELECT id, id % 2 FROM sales));
	goes("after $after", @steps);
	like(step({ file => 'detach_partitions.psql' }, $shop, 'plan',
		variables => { table => 'shop.items', keep => '2 years' })->{said},
		qr/ERROR:  the key of table shop\.items, or one that it refers to, is being changed\nHINT:  Finish that recipe/,
		'detach_partitions.psql detaches none meanwhile');
	$detach->();
	way("detached after $after", $_) foreach 'prepare', $next{$after}, 'back';
	keeper('ALTER TABLE items ATTACH PARTITION items_0 FOR VALUES IN (0)');
	goes("attached again after $after", 'fill');
	goes("attached again after $after", 'prepare', $next{$after}) if $after eq 'prepare';
	$detach->();
	my $way = way("detached again after $after", $next{$after});
	keeper($way);
	keeper('INSERT INTO items_0 (sale_id, n) VALUES (10, 0)');
	goes("without its foreign key, after $after", 'fill',
		$after eq 'switch' ? 'drop' : ('back', 'prepare', 'fill', 'switch', 'drop'));
	is(keeper('SELECT count(*) FROM items JOIN sales ON uid = sale_uid'), 5, 'and the others have their new keys');
}

#
# A partition whose primary key contains the reference, after its foreign key got another name: it is as it was before.
#
my $seen = q{SELECT string_agg(concat_ws(' ', conname, pg_get_constraintdef(oid)), ', ' ORDER BY conname) || (
		SELECT string_agg(concat_ws(' ', attname, attnotnull), ', ' ORDER BY attname) FROM pg_attribute
		WHERE attrelid = conrelid AND attname IN ('sale_id', 'order_id', 'sale_uid'))
	FROM pg_constraint WHERE conrelid = 'items_0'::regclass AND contype IN ('c', 'f', 'p') GROUP BY conrelid};

foreach my $after (qw(fill switch))
{
	keeper(q(DROP TABLE IF EXISTS items, items_0, sales; CREATE TABLE sales (id bigint PRIMARY KEY);
		CREATE TABLE items (sale_id bigint CONSTRAINT of_sale REFERENCES sales, order_id bigint NOT NULL REFERENCES sales, n int, PRIMARY KEY (sale_id, n))
			PARTITION BY LIST (n);
		CREATE TABLE items_0 PARTITION OF items FOR VALUES IN (0); CREATE TABLE items_1 PARTITION OF items FOR VALUES IN (1);
		INSERT INTO sales SELECT generate_series(1, 9); INSERT INTO items SELECT id, id, 0 FROM sales));
	goes("a primary key, after $after", 'prepare');
	keeper('ALTER TABLE items RENAME CONSTRAINT of_sale TO to_sale');
	goes("a primary key, after $after", 'fill', $after eq 'switch' ? 'switch' : ());
	keeper('ALTER TABLE items DETACH PARTITION items_0');
	keeper(way("a primary key, after $after", $next{$after})) for 1 .. 2;
	keeper('INSERT INTO items_0 (sale_id, order_id, n) VALUES (10, 10, 0)');
	is(keeper($seen), 'items_0_pkey PRIMARY KEY (sale_id, n)order_id t, sale_id t, sale_uid f', 'the printed commands give it its primary key and NOT NULL back');
	goes("without the partition, after $after", $after eq 'fill' ? 'back' : 'drop');
}

#
# A partition of the table whose key changes.
#
foreach my $after (qw(prepare fill switch))
{
	keeper(q(DROP TABLE IF EXISTS items, items_0, sales, sales_0; CREATE TABLE sales (id bigint, n int, PRIMARY KEY (id, n)) PARTITION BY LIST (n);
		CREATE TABLE sales_0 PARTITION OF sales FOR VALUES IN (0); CREATE TABLE sales_1 PARTITION OF sales FOR VALUES IN (1);
		INSERT INTO sales SELECT n, n % 2 FROM generate_series(1, 9) AS n));
	goes("a partition of the table itself, after $after", 'prepare', $after eq 'prepare' ? () : 'fill', $after eq 'switch' ? 'switch' : ());
	keeper('ALTER TABLE sales DETACH PARTITION sales_0');
	if ($after ne 'prepare')
	{
		keeper(way("a partition of the table itself, after $after", $_, 'sales')) foreach $next{$after};
	}
	keeper('INSERT INTO sales_0 (id, n) VALUES (10, 0)');
	is(keeper(q(SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'sales_0'::regclass AND contype = 'p')), 'PRIMARY KEY (id, n)',
		'it has its old primary key');
	goes("without it, after $after", $after eq 'switch' ? 'drop' : qw(fill switch drop));
}

done_testing();
