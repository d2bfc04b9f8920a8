# A role by whose default privileges nobody else may call its functions runs the recipes as a member of the tables' owner.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $shop = { database => 'deployed' };
my %steps = (
	change_key => [ 'prepare', table => 'accounts', from => 'number' ],
	detach_partitions => [ 'plan', table => 'visits', keep => '2 years' ],
	merge_partitions => [ 'prepare', table => 'visits', start => '2026-01-01 00:00+00', step => '4 days' ],
	move_table => [ 'prepare', table => 'orders' ],
	refresh_mixed => [ 'prepare', table => 'notes' ]);

sql('postgres', 'CREATE DATABASE deployed');
sql('postgres', 'GRANT ALL ON DATABASE deployed TO keeper; CREATE ROLE deployer LOGIN; GRANT keeper TO deployer; GRANT TEMPORARY ON DATABASE deployed TO deployer');
sql('deployed', q(ALTER DEFAULT PRIVILEGES FOR ROLE deployer REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
	GRANT ALL ON SCHEMA public TO keeper; SET ROLE keeper;
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7());
	CREATE TABLE notes (id uuid PRIMARY KEY DEFAULT gen_random_uuid());
	CREATE TABLE accounts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
	CREATE TABLE visits (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_create('visits', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day');
	SELECT count(*) FROM uuid_partition_create('visits', date_trunc('month', now(), 'UTC'), now() + interval '2 months', '1 month')));

foreach my $recipe (sort keys %steps)
{
	my ($do, %told) = @{ $steps{$recipe} };
	my $result = step({ file => "$recipe.psql" }, $shop, $do, variables => \%told, user => 'deployer');

	is($result->{status}, 0, "$recipe: $do") or diag($result->{said});
}

done_testing();
