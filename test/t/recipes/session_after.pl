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
my %steps = (
	change_key => [ 'prepare', table => 'accounts', from => 'number' ],
	detach_partitions => [ 'detach', table => 'visits', keep => '2 years' ],
	merge_partitions => [ 'prepare', table => 'visits', start => '2026-01-01 00:00+00', step => '4 days' ],
	move_table => [ 'prepare', table => 'orders' ],
	refresh_mixed => [ 'prepare', table => 'notes' ]);

sql('postgres', "CREATE DATABASE $database");
sql('postgres', "GRANT ALL ON DATABASE $database TO keeper; CREATE ROLE tables; GRANT tables TO keeper");
sql($database, q(GRANT ALL ON SCHEMA public TO tables; SET ROLE tables;
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7());
	CREATE TABLE notes (id uuid PRIMARY KEY DEFAULT gen_random_uuid());
	CREATE TABLE accounts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
	CREATE TABLE visits (id uuid PRIMARY KEY DEFAULT gen_uuidv7()) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_create('visits', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day');
	SELECT count(*) FROM uuid_partition_create('visits', date_trunc('month', now(), 'UTC'), now() + interval '2 months', '1 month')));

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
