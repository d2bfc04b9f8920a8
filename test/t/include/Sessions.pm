# A server, and what tests say of several sessions on it: who waits, for which locks, and
# what each of them is told.

package Sessions;

use strict;
use warnings;

use Exporter qw(import);
use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__);
use OneSession;

our @EXPORT = qw(answer_of at_once error_of has_to_wait locks partitions result said send_and_wait send_off
	server session wait_until with_timeout);

my $node;

# A server with the extension.  A vacuum that comes by would be one more holder of locks.
sub server
{
	my ($name, @settings) = @_;

	$node = OneSession->new($name);
	$node->init;
	$node->append_conf('postgresql.conf', join '', map { "$_\n" } 'autovacuum = off', @settings);
	$node->start;
	$node->safe_psql('postgres', 'CREATE EXTENSION uidext');
	return $node;
}

sub session
{
	return $node->background_psql('postgres', on_error_stop => 0);
}

# What comes of a timeout of some seconds; if that is not what is wanted, of six times as
# many, and of six times those, for a machine may be too slow for the first.
sub with_timeout
{
	my ($seconds, $wanted, $try) = @_;
	my $answer;

	foreach my $timeout ($seconds, $seconds * 6, $seconds * 36)
	{
		$answer = $try->($timeout);
		last if $answer =~ $wanted;
	}
	return $answer;
}

# The warnings and errors of a session since they were last asked for.
sub said
{
	my ($session) = @_;
	my $said = $session->{stderr};

	$session->{stderr} = '';
	return $said;
}

# What a statement returns, whatever it warns of.
sub answer_of
{
	my ($session, $statement) = @_;
	my $answer = $session->query($statement);

	said($session);
	return $answer;
}

sub error_of
{
	my ($session, $statement) = @_;

	$session->query($statement);
	return said($session);
}

sub wait_until
{
	my ($condition) = @_;

	$node->poll_query_until('postgres', "SELECT $condition") or die "never: $condition";
	return;
}

# Sends a statement and does not wait for its end.  Returns the process of the session.
sub send_off
{
	my ($session, $statement) = @_;
	my $pid = $session->query_safe('SELECT pg_backend_pid()');

	$session->query_until(qr/sent\n/, "\\echo sent\n$statement;\n");
	return $pid;
}

# Sends a statement that will have to wait, and waits until it does: for a lock of
# this mode, or for its next attempt to get one.
sub send_and_wait
{
	my ($session, $statement, $mode) = @_;
	my $pid = send_off($session, $statement);

	wait_until("EXISTS (SELECT FROM pg_locks WHERE pid = $pid AND NOT granted AND mode ~ '$mode')
		OR EXISTS (SELECT FROM pg_stat_activity WHERE pid = $pid AND wait_event = 'PgSleep')");
	return;
}

# The result of what was sent, once it has ended.
sub result
{
	my ($session) = @_;
	my $result = $session->query('SELECT');

	chomp $result if defined $result;
	return $result;
}

# What a statement returns that no other session keeps from its locks, or its
# error: a lock that is held is held until the test says otherwise.
sub at_once
{
	my ($statement, $timeout) = @_;

	$timeout //= '10s';
	$node->psql('postgres', "SET lock_timeout = '$timeout';\n$statement;\n", stdout => \my $stdout, stderr => \my $stderr);
	return $stderr =~ /ERROR:  ([^\n]*)/ ? $1 : $stdout;
}

sub has_to_wait
{
	my ($statement, $name) = @_;

	like(at_once($statement, '50ms'), qr/^(?:canceling statement due to lock timeout|could not obtain lock on relation)/, $name);
	return;
}

# The strongest lock that a session holds on each of the tables, except for readers' and writers' locks.
sub locks
{
	my ($session, @tables) = @_;
	my $tables = join ', ', map { "'$_'::regclass" } @tables;

	return $session->query_safe(<<"SQL");
SELECT string_agg(relation::regclass || ' ' || mode, ', ' ORDER BY relation::regclass::text COLLATE "C")
FROM (
	SELECT DISTINCT ON (relation) relation, replace(mode, 'Lock', '') AS mode FROM pg_locks
	WHERE pid = pg_backend_pid() AND relation IN ($tables)
		AND mode NOT IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
	ORDER BY relation,
		array_position(
			'{AccessExclusiveLock,ExclusiveLock,ShareRowExclusiveLock,ShareLock,ShareUpdateExclusiveLock}',
			mode)
) AS strongest
SQL
}

# The names of a table's partitions.
sub partitions
{
	my ($table) = @_;

	return $node->safe_psql('postgres', <<"SQL");
SELECT coalesce(string_agg(inhrelid::regclass::text, ' ' ORDER BY inhrelid::regclass::text), '')
FROM pg_inherits WHERE inhparent = '$table'::regclass
SQL
}

1;
