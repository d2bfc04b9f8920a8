# A role by whose default privileges nobody else may call its functions runs the recipes as a member of the tables' owner.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $shop = { database => 'deployed' };
my %steps = (one_of_each($shop->{database}, 'keeper'), detach_partitions => [ 'plan', table => 'visits', keep => '2 years' ]);

sql('postgres', 'CREATE ROLE deployer LOGIN; GRANT keeper TO deployer; GRANT TEMPORARY ON DATABASE deployed TO deployer');
sql('deployed', 'ALTER DEFAULT PRIVILEGES FOR ROLE deployer REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC');

foreach my $recipe (sort keys %steps)
{
	my ($do, %told) = @{ $steps{$recipe} };
	my $result = step({ file => "$recipe.psql" }, $shop, $do, variables => \%told, user => 'deployer');

	is($result->{status}, 0, "$recipe: $do") or diag($result->{said});
}

done_testing();
