# What a recipe leaves in its session: neither a role, nor a setting, nor a lock, because a pooler or the person's
# psql may go on with it.  And one session plays all recipes.

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

# What psql reads for recipes, one after the other, with the variables of none set for the next.
sub script_of
{
	my $script = '';

	foreach my $recipe (@_)
	{
		my ($do, %told) = @{ $steps{$recipe} };

		$script .= join '', "\\set do $do\n", (map { "\\set $_ '$told{$_}'\n" } sort keys %told),
			"\\i $recipes/$recipe.psql\n", (map { "\\unset $_\n" } sort keys %told);
	}
	return $script;
}

sub said_of
{
	my ($script) = @_;
	my $said = '';

	IPC::Run::run([ 'psql', '-qXAtd', $node->connstr($database) . ' user=keeper', '-v', 'ON_ERROR_STOP=1' ],
		'<', \$script, '>', \$said, '2>&1');
	return $said;
}

foreach my $recipe (sort keys %steps)
{
	my $do = $steps{$recipe}[0];
	my $said = said_of(script_of($recipe, $recipe)
		. q(SELECT 'left: ', current_user, (SELECT count(*) FROM pg_settings WHERE source = 'session'),
		(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid());));

	like($said, qr/^$do is done\.\n.*^$do is done\.$/ms, "$recipe: $do, two times in one session") or diag($said);
	like($said, qr/^left: \|keeper\|0\|0$/m, 'leaves it as it was') or diag($said);
}

# Two recipes may call a function alike, if it takes and returns the same.
$database = 'together';
%steps = one_of_each($database, 'tables');
my $all = said_of(script_of(sort keys %steps));
my @done = $all =~ /^\w+ is done\.$/mg;
is(scalar @done, scalar keys %steps, 'all recipes in one session') or diag($all);

done_testing();
