# change_key.psql with names that look like parts of its expressions: schemas, columns,
# service entities and schemes with the words k, at, ext, scheme and country.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('words', 'bigint', q(nextval('play.n')), identity => 1);

sql($shop->{database}, q(SELECT iuid_load_iso_3166();
	INSERT INTO iuid.service_entities
	VALUES (1, 'Work at home'), (2, 'text.file'), (3, 'ext'), (4, 'k'), (5, 'it''s country'), (6, 'scheme')));

# Each key, of old rows and of new ones, has the country and the service entity that were said.
foreach my $entity (
	[ 1, 'Work at home' ],
	[ 2, 'text.file' ],
	[ 3, 'ext' ],
	[ 4, 'k' ],
	[ 5, q(it's country) ],
	[ 6, 'scheme' ],
	[ 6, 6 ])
{
	my ($number, $name) = @$entity;

	sql($shop->{database}, q(
		SET ROLE keeper;
		DROP TABLE IF EXISTS shop.k;
		CREATE TABLE shop.k (ext bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT '2026-01-02 03:04:05+00');
		INSERT INTO shop.k SELECT generate_series(1, 5)));
	foreach my $step (qw(prepare fill))
	{
		my $result = step($recipe, $shop, $step,
			variables => { table => 'shop.k', from => 'number', created => 'at', to => 'iuid', country => $name eq $number ? 76 : 'BR',
				service_entity => $name });
		is($result->{status}, 0, "service_entity=$name: $step") or diag($result->{said});
	}
	sql($shop->{database}, 'INSERT INTO shop.k VALUES (6)');
	is(sql($shop->{database}, 'SELECT DISTINCT iuid_country(uid), iuid_service_entity(uid) FROM shop.k'),
		"76|$number", 'each key has it');
	is(step($recipe, $shop, 'back', variables => { table => 'shop.k' })->{status}, 0, 'undone');
}

# A scheme with words of its own, and keys that are called so.
sql($shop->{database},
	q(
		SET ROLE keeper;
		CREATE TABLE shop.at (k text PRIMARY KEY);
		INSERT INTO shop.at SELECT uid_generate('ksuid') FROM generate_series(1, 5)));
is(step($recipe, $shop, $_, variables => { table => 'shop.at', from => 'ksuid' })->{status}, 0,
	"keys called k: $_")
	foreach qw(prepare fill);
is(sql($shop->{database}, q(SELECT count(*) FROM shop.at WHERE uid = uid_to_uuid(k, 'ksuid'))), 5, 'each is its own');

done_testing();
