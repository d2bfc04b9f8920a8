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
	my ($what, $step) = @_;
	my $result = play_step($step);

	isnt($result->{status}, 0, "$what: $step is refused");
	$result->{said}
		=~ pattern(
			qr/ERROR:  nothing has been changed, because table shop\.items_0 was detached from table /,
			qr/shop\.items\n/,
			qr/HINT:  Attach it again, and run do=fill\. Or let it refer to the key no more: ([^\n]*)\n/)
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

done_testing();
