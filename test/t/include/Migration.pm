# A document that moves a table in steps, played while an application writes,
# which notes each transaction in a table ledger (program, action, ...).

package Migration;

use strict;
use warnings;

use Exporter qw(import);
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(start_program stop_program is_in_ledger let_write play);

# The actions of a program, each a script of pgbench, again and again.
sub start_program
{
	my ($node, $database, $name, $actions, $protocol) = @_;
	my $run = { node => $node, database => $database, name => $name, kinds => scalar keys %$actions, out => '', err => '' };
	my @files;

	foreach my $action (sort keys %$actions)
	{
		my $file = PostgreSQL::Test::Utils::tempdir() . "/$database-$name-$action";

		append_to_file($file, $actions->{$action} =~ s/^\s+//gmr . "\n");
		push @files, '-f', $file;
	}
	$run->{pgbench} = IPC::Run::start(
		[ 'pgbench', '-n', '-c', '4', '-R', '200', '-T', '36000', '-M', $protocol, @files, $node->connstr($database) ],
		'<', \undef, '>', \$run->{out}, '2>', \$run->{err});
	return $run;
}

# SIGALRM is how pgbench hears that its time is over.
sub stop_program
{
	my ($run) = @_;
	my $what = "the $run->{name} application of $run->{database}";

	$run->{pgbench}->signal('ALRM');
	ok($run->{pgbench}->finish, "no statement of $what failed") or diag($run->{err});
	unlike($run->{err}, qr/ERROR|aborted/, "and none of $what found no row");
	return;
}

# Of a program that has stopped, and whose transactions note one line each.
sub is_in_ledger
{
	my ($run) = @_;
	my ($count) = $run->{out} =~ /number of transactions actually processed: (\d+)/;

	is($run->{node}->safe_psql($run->{database}, "SELECT count(*) FROM ledger WHERE program = '$run->{name}'"),
		$count, "each transaction of the $run->{name} application of $run->{database} is in the ledger once");
	return;
}

# Some more transactions of every kind of a program.
sub let_write
{
	my ($run) = @_;
	my ($node, $database) = @$run{qw(node database)};
	my $sofar = $node->safe_psql($database, "SELECT count(*) FROM ledger WHERE program = '$run->{name}'");

	$node->poll_query_until($database,
		"SELECT count(*) >= $sofar + 20 AND count(DISTINCT action) = $run->{kinds} FROM ledger WHERE program = '$run->{name}'")
	  or die "the $run->{name} application does not write";
	return;
}

# A step is repeated while something is in its way, as the document says.
sub play
{
	my ($node, $database, $sql, $what) = @_;
	my $stderr;

	foreach (1 .. 100)
	{
		$node->psql($database, $sql, stderr => \$stderr, on_error_stop => 1);
		last unless $stderr =~ /canceling statement due to lock timeout/;
	}
	is(join("\n", grep { !/NOTICE:/ } split /\n/, $stderr), '', $what);
	return;
}

1;
