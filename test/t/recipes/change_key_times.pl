# change_key.psql, and rows whose time is unknown: no row silently gets a key of 1970, and one whose time PostgreSQL
# computes only when it is written gets its key by fill.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('times', 'bigint', q(nextval('play.n')), identity => 1);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	my ($step) = @_;
	return step($recipe, $shop, $step,
		variables => { table => 'shop.sales', $step eq 'prepare' ? (from => 'number', created => 'at') : () });
}

sub goes { return each_succeeds(\&play_step, @_) }

my $years = q(SELECT string_agg(concat_ws(' ', id, extract(year FROM uuid_time(uid))), ', ' ORDER BY id) FROM sales);

# A row without a time is refused, like any key that has no new one.
keeper(q(
	CREATE TABLE sales (id bigint PRIMARY KEY, at timestamptz, n int);
	INSERT INTO sales VALUES (1, '2020-05-01 00:00+00'), (2, NULL), (3, '1907-05-01 00:00+00')));
my $result = play_step('prepare');
isnt($result->{status}, 0, 'a row without a time: prepare is refused');
like($result->{said}, qr/ERROR:  table shop\.sales has 1 keys without a new key/, 'and says how many there are');
keeper(q(UPDATE sales SET at = '2021-05-01 00:00+00' WHERE id = 2));
goes('with a time', 'prepare');
keeper('UPDATE sales SET at = NULL, n = 1 WHERE id = 2; UPDATE sales SET n = 1 WHERE id <> 2; INSERT INTO sales VALUES (4)');
is(keeper($years), '1 2020, 2, 3 1970, 4 ' . keeper('SELECT extract(year FROM now())'),
	'a row that loses its time gets no key of 1970');
$result = play_step('fill');
isnt($result->{status}, 0, 'nor from fill');
like($result->{said}, pattern(
	qr/ERROR:  1 rows of table shop\.sales have a value of id that leads to no new key\n/,
	qr/HINT:  Mend or delete the rows that this finds: SELECT/),
	'which finds it');
keeper(q(UPDATE sales SET at = '2021-05-01 00:00+00' WHERE id = 2));
goes('with a time', qw(fill switch drop));

# PostgreSQL computes a generated column after the trigger, which sees NULL.
keeper(q(
	DROP TABLE sales;
	CREATE TABLE sales (id bigint PRIMARY KEY, doc jsonb, n int,
		at timestamptz GENERATED ALWAYS AS (to_timestamp((doc->>'at')::float8)) STORED);
	INSERT INTO sales SELECT n, '{"at": 1500000000}' FROM generate_series(1, 3) n));
goes('a generated time', 'prepare');
keeper(q(
	UPDATE sales SET n = 1 WHERE id = 2;
	UPDATE sales SET doc = '{"at": 1300000000}' WHERE id = 3;
	INSERT INTO sales VALUES (4, '{"at": 1500000000}')));
goes('a generated time', 'fill');
is(keeper($years), '1 2017, 2 2017, 3 2011, 4 ' . keeper('SELECT extract(year FROM now())'),
	'fill gives rows their own time, and an INSERT that of itself');
goes('a generated time', 'switch');
keeper(q(INSERT INTO sales VALUES (5, '{"at": 1500000000}'); UPDATE sales SET n = 2));
is(keeper('SELECT count(*), count(DISTINCT uid) FROM sales'), '5|5', 'so does one after switch');
goes('a generated time', 'drop');

done_testing();
