# change_key.psql, of keys that are texts, where a reference has another collation than its key: the server can compare
# neither with the other by itself, as a foreign key does by the collation of the key.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('collations', 'bigint', q(nextval('play.n')), identity => 1);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub error_of
{
	my (undef, undef, $error) = $node->psql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]");
	return $error;
}

my $code = 0;

# Rows of old code: a sale, and one that refers to it and whose item does so, too.
sub sells
{
	my ($what) = @_;
	my ($one, $two) = map { sprintf "'507f1f77bcf86cd7%08x'", ++$code } 1 .. 2;

	is(error_of("INSERT INTO sales VALUES ($one, $one), ($two, $one); INSERT INTO items VALUES ($two, 1);
		UPDATE items SET sale_id = $one WHERE sale_id = $two;
		UPDATE sales SET part_id = $two WHERE id = $two"), '', "$what rows are written");
	return;
}

foreach my $case ([ '"C"', '"POSIX"' ], [ '"POSIX"', '"default"' ], [ '"default"', '"C"' ])
{
	my ($key, $reference) = @$case;
	my $wrong = q(
		SELECT (SELECT count(*) FROM items JOIN sales ON uid = sale_uid WHERE id COLLATE "C" <> sale_id),
			(
				SELECT count(*)
				FROM sales s
				JOIN sales o ON o.uid = s.part_uid
				WHERE o.id COLLATE "C" <> s.part_id));

	keeper("
		DROP TABLE IF EXISTS items, sales;
		CREATE TABLE sales (id text COLLATE $key PRIMARY KEY,
			part_id text COLLATE $reference CONSTRAINT whole REFERENCES sales);
		CREATE TABLE items (sale_id text COLLATE $reference REFERENCES sales, n int)");
	keeper(q(
		INSERT INTO sales SELECT v, v FROM (VALUES ('507f191e810c19729de860ea')) AS k (v);
		INSERT INTO items SELECT id, 1 FROM sales));
	foreach my $step (qw(prepare fill switch drop))
	{
		my $result = step($recipe, $shop, $step,
			variables => { table => 'shop.sales', $step eq 'prepare' ? (from => 'objectid') : () });

		is($result->{status}, 0, "$key and $reference: $step") or diag($result->{said});
		last if $step eq 'drop';
		sells("after $step");
		is(keeper($wrong), '0|0', 'and lead to the right rows');
	}
	is(keeper('SELECT count(*), count(sale_uid) FROM items'), '4|4', 'no reference is lost');
}

# References that are written otherwise than the key, and are the same by its type or its collation, before the key has its new one.
sql($shop->{database}, q(CREATE COLLATION shop.ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)));
foreach my $case (
	[ 'text COLLATE ci', 'text COLLATE ci', 'ksuid', '0ujtsYcgvSTl8PAuAdqWYSMnLOv', '0UJTSYcgvSTl8PAuAdqWYSMnLOv' ],
	[ 'char(26)', 'varchar(26)', 'objectid', '507f1f77bcf86cd799439011', '507f1f77bcf86cd799439011 ' ],
	[ 'varchar(26)', 'char(26)', 'objectid', '507f1f77bcf86cd799439011', '507f1f77bcf86cd799439011' ])
{
	my ($key, $reference, $kind, $written, $otherwise) = @$case;

	keeper("
		DROP TABLE IF EXISTS items, sales;
		CREATE TABLE sales (id $key PRIMARY KEY);
		CREATE TABLE items (sale_id $reference NOT NULL REFERENCES sales, n int);
		INSERT INTO sales VALUES ('$written');
		INSERT INTO items VALUES ('$otherwise', 1)");
	foreach my $step (qw(prepare fill switch drop))
	{
		my $result = step($recipe, $shop, $step,
			variables => { table => 'shop.sales', $step eq 'prepare' ? (from => $kind) : () });

		is($result->{status}, 0, "$key and $reference, written otherwise: $step") or diag($result->{said});
		is(error_of("INSERT INTO items (sale_id, n) VALUES ('$otherwise', 2)"), '', "after $step rows are written") if $step ne 'drop';
	}
	is(keeper('SELECT count(*) FROM items JOIN sales ON uid = sale_uid'), 4, 'and lead to their row');
}

done_testing();
