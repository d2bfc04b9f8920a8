# A server whose session a test has killed.

package Crashes;

use strict;
use warnings;

use Exporter qw(import);
use PostgreSQL::Test::Utils;
use Time::HiRes qw(usleep);

our @EXPORT = qw(comes_back);

# Waits until the killed session has gone and the server is there again.  The
# query is no input: a psql that cannot connect ends before it reads any, and
# writing to it then would end the test.
sub comes_back
{
	my ($node, $pid) = @_;
	my @ask = ('psql', '-XAtqd', $node->connstr('postgres'), '-c', "SELECT count(*) FROM pg_stat_activity WHERE pid = $pid");

	foreach (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		my ($left) = run_command(\@ask);
		return if $left eq '0';
		usleep(100_000);
	}
	die 'the server does not come back';
}

1;
