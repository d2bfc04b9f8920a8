# Recipes of doc/recipes, played statement by statement: between any two of them
# the test does what it likes, and where it likes it stops.

package Recipes;

use strict;
use warnings;

use Exporter qw(import);
use File::Basename qw(dirname);
use IPC::Open2;
use PostgreSQL::Test::Utils;

our @EXPORT = qw(recipe settings_of_a_person);

my $recipes = dirname(__FILE__) . '/../../../doc/recipes';

# A psqlrc that turns off what a recipe relies on.
sub settings_of_a_person
{
	my $file = PostgreSQL::Test::Utils::tempdir() . '/psqlrc';

	append_to_file($file, <<'PSQL');
\set ON_ERROR_STOP off
\set ON_ERROR_ROLLBACK on
\set AUTOCOMMIT off
\set FETCH_COUNT 1
\set SHOW_CONTEXT always
\set QUIET off
\timing on
\pset format aligned
\pset expanded on
\pset null (null)
SET default_transaction_isolation = 'serializable';
SET default_transaction_read_only = on;
SET search_path = nowhere, public;
SET row_security = on;
SET lock_timeout = '1ms';
SET client_min_messages = 'log';
PSQL
	return $file;
}

# Plays a step of a recipe as its role: between is called with each statement
# before it runs, kills psql if it answers 'kill', and cancels the statement if 'x'.
# What psql says.
sub recipe
{
	my ($connection, $file, $variables, %how) = @_;
	my $directory = $how{directory} // $recipes;
	my $said = '';
	my $seen = '';
	my $n = 0;

	local $SIG{ALRM} = sub { die "$file does not end: $seen" };
	alarm $PostgreSQL::Test::Utils::timeout_default;
	local $ENV{PSQLRC} = $how{psqlrc} // '/dev/null';
	my $pid = open2(my $out, my $in, 'sh', '-c', 'exec "$@" 2>&1', 'sh', 'psql', '-s', '-d', $connection, (map { ('-v', "$_=$variables->{$_}") } sort keys %$variables), '-f', "$directory/$file");
	while (sysread($out, my $piece, 65536))
	{
		$seen .= $piece;
		while ($seen =~ s/^(.*?)[\/*]+\(Single step mode: verify command\)\*+\/?\n(.*?)\n[\/*]+\(press return[^\n]*\n//s)
		{
			my $statement = $2;

			$said .= $1;
			# what only defines a step is part of it
			next if $statement =~ /^\s*(?:SET|ROLLBACK|(?:CREATE|DROP|INSERT INTO).{1,30}pg_temp|CREATE TEMP|INSERT)/ || !$how{between};
			my $answer = $how{between}->($statement, ++$n) // '';
			if ($answer eq 'kill')
			{
				kill 'KILL', $pid;
				waitpid $pid, 0;
				alarm 0;
				return { killed => 1, said => $said };
			}
			syswrite $in, $answer;
		}
		continue { syswrite $in, "\n" }
	}
	waitpid $pid, 0;
	alarm 0;
	return { status => $? >> 8, said => $said . $seen, statements => $n };
}

1;
