# change_key.psql asks before it changes anything whether each key is of the kind that it was said to be, and
# whether the column in created has a time: it says what is wrong, and how to find it.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();

empty_shop();
sql('shop', q(
	CREATE COLLATION shop.either (provider = icu, locale = 'und-u-ks-level2', deterministic = false)));

sub prepares { return step(new_recipe(file => 'change_key.psql'), { database => 'shop' }, 'prepare', variables => {@_}) }

# Kinds, the type of their keys, a key that is of the kind and some that are not.
foreach (
	[ ksuid => 'text', q('0ujtsYcgvSTl8PAuAdqWYSMnLOv'), q('0ujtsYcgvSTl8PAuAdqWYSMnLO'), q('') ],
	[ snowflake => 'bigint', 1541815603606036480, -1 ],
	[ uuid => 'text', q('{019B7F1A-0000-7000-8000-000000000001}'), q('019b7f1a00007000800000000000000'),
		q('{019b7f1a-0000-7000-8000-000000000001') ],
	[ uuid => 'text COLLATE shop.either', q('{019B7F1A-0000-7000-8000-000000000001}'), q('019b7f1a00007000800000000000000') ],
	[ ksuid => 'text COLLATE shop.either', q('0ujtsYcgvSTl8PAuAdqWYSMnLOv'), q('0ujtsYcgvSTl8PAuAdqWYSMnLO') ],
	[ uuid => 'bytea', q('\x019b7f1a000070008000000000000001'), q('\x00') ],
	[ mysql => 'bytea', q('\x11eb9d22e902893a8b00325096b39f47'), q('\x') ],
	[ ulid => 'text', q('01arz3ndektsv4rrffq69g5fav'), q('01ARZ3NDEKTSV4RRFFQ69G5FA') ],
	[ laravel => 'uuid', q('017f22e2-79b0-4cc3-98c4-dc0c0c07398f'), q('00000000-0000-0000-0000-000000000000') ],
	[ v1 => 'uuid', q('e902893a-9d22-11eb-8b00-325096b39f47'), q('017f22e2-79b0-4cc3-98c4-dc0c0c07398f'),
		q('e902893a-9d22-11eb-cb00-325096b39f47') ],
	[ sqlserver => 'uuid', q('3a8902e9-229d-eb11-8b00-325096b39f47'), q('017f22e2-79b0-4cc3-98c4-dc0c0c07398f') ],
	[ suffix_comb => 'uuid', q('017f22e2-79b0-4cc3-98c4-dc0c0c07398f'), q('e902893a-9d22-11eb-8b00-325096b39f47') ])
{
	my ($kind, $type, $right, @wrong) = @$_;
	my $n = @wrong;

	sql('shop', "DROP TABLE IF EXISTS shop.pages; SET ROLE keeper; CREATE TABLE shop.pages (id $type PRIMARY KEY);
		INSERT INTO shop.pages VALUES " . join ', ', map { "($_)" } $right, @wrong);
	my $said = prepares(table => 'shop.pages', from => $kind)->{said};
	my ($query)
		= $said =~ pattern(
			qr/ERROR:  $n keys of table shop\.pages are not of the kind "$kind"\n/,
			qr/HINT:  Nothing has been changed\. .* correct these rows first: (SELECT .*)\n/);

	ok($query, "$kind in $type: keys of another kind are counted") or diag($said) or next;
	is(sql('shop', "SELECT count(*) FROM ($query) AS found"), $n, 'and found by the query that is printed');
	sql('shop', "DELETE FROM shop.pages WHERE id IN ($query)");
	my $result = prepares(table => 'shop.pages', from => $kind);
	is($result->{status}, 0, 'without them it is prepared') or diag($result->{said});
}

# The column with the time of a row.
sql('shop', 'DROP TABLE shop.pages; SET ROLE keeper; CREATE DOMAIN shop.moment AS timestamptz;
	CREATE TABLE shop.pages (id uuid PRIMARY KEY, seconds bigint, made shop.moment, "Created at" date, changed timestamp);
	CREATE TABLE shop.notes (id uuid PRIMARY KEY, seconds bigint)');
foreach (
	[ pages => '', 'no column with the time of a row is named' ],
	[ pages => 'made_at', 'table shop\.pages has no column made_at' ],
	[ pages => 'seconds', 'column seconds of table shop\.pages is of type bigint, and not of timestamptz, timestamp or date' ],
	[ pages => 'made',
		'column made of table shop\.pages is of type shop\.moment, and not of timestamptz, timestamp or '
		. 'date' ],
	[ notes => 'seconds', 'column seconds of table shop\.notes is of type bigint, and not of timestamptz, timestamp or date' ])
{
	my ($table, $created, $error) = @$_;
	my $hint = $table eq 'pages'
		? 'Pass the one that has the time of a row, -v created=NAME\. Columns with a time are: "Created at", changed'
	  : 'The table has no column of these types: add one with the time of each row, and pass its name';

	like(prepares(table => "shop.$table", from => 'v4', created => $created)->{said},
		qr/ERROR:  $error\nHINT:  $hint/, "created=\"$created\" of $table");
}

done_testing();
