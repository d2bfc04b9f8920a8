# What a recipe leaves in its session: neither a role, nor a setting, nor a lock, because a pooler or the person's
# psql may go on with it.

use strict;
use warnings;

use File::Basename qw(dirname);
use IPC::Run;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $recipes = dirname(__FILE__) . '/../../../doc/recipes';
my $node = server();
my $database = 'sessions';

sql('postgres', 'CREATE ROLE tables; GRANT tables TO keeper');
my %steps = one_of_each($database, 'tables');

foreach my $recipe (sort keys %steps)
{
	my ($do, %told) = @{ $steps{$recipe} };
	my $script = join '', "\\set do $do\n", (map { "\\set $_ '$told{$_}'\n" } sort keys %told), ("\\i $recipes/$recipe.psql\n") x 2,
	  q(SELECT 'left: ', current_user, (SELECT count(*) FROM pg_settings WHERE source = 'session'),
		(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()););
	my $said = '';

	IPC::Run::run([ 'psql', '-qXAtd', $node->connstr($database) . ' user=keeper', '-v', 'ON_ERROR_STOP=1' ], '<', \$script, '>', \$said, '2>&1');
	like($said, qr/^$do is done\.\n.*^$do is done\.$/ms, "$recipe: $do, two times in one session") or diag($said);
	like($said, qr/^left: \|keeper\|0\|0$/m, 'leaves it as it was') or diag($said);
}

done_testing();
