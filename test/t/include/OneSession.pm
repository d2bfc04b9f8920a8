# A server whose safe_psql(), psql() and poll_query_until() ask a session of each database
# that stays, where that makes no difference: a new psql and a new session, which has all of
# the catalog to read and each function to compile, take longer than most that tests ask.
# With UIDEXT_LONG each statement has a session of its own all the same.

package OneSession;

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils ();
use Time::HiRes qw(usleep);

our @ISA = qw(PostgreSQL::Test::Cluster);

# What is of other sessions, too, and wants that they end before.
my $of_others = qr/\b(?:DATABASE|ALTER (?:ROLE|USER|SYSTEM)|pg_terminate_backend)\b/i;

# What stays in the session.
my $of_session = qr/\b(?:LISTEN|DECLARE[ ]\w+[ ]\w*\s*CURSOR|LOAD|DISCARD|pg_backend_pid
	|pg_(?:try_)?advisory|PREPARE[ ]\w+[ ]?(?:AS|\())/xi;

# What only a session of its own may be told: what stays in psql or in the session, and what is
# undone as it ends.
sub needs_its_own
{
	my ($sql) = @_;
	my $outside_strings = $sql =~ s/--.*//gr =~ s/'[^']*'|\$\$.*?\$\$//gsr;

	return 1 if $ENV{UIDEXT_LONG} || $outside_strings =~ /\\(?!gexec\b)/;
	return 1 if $sql =~ $of_others || $sql =~ $of_session;
	return $outside_strings =~ /\b(?:BEGIN|START TRANSACTION)\b[^;]*(?:;|$)/i
		&& $sql !~ /\b(?:COMMIT|ROLLBACK|END|PREPARE TRANSACTION '\w+')\s*;?\s*$/;
}

# What a statement says that others of the session are not told.
my $reset = "\n;\nRESET SESSION AUTHORIZATION; RESET ALL; DISCARD TEMP";

sub ask
{
	my ($self, $database, $sql, $role, $again) = @_;
	my $whose = join ' ', $database, $role // ();
	my $session = $self->{asked}{$whose};

	if (!$session)
	{
		$session = $self->{asked}{$whose} = $self->background_psql($database, on_error_stop => 0,
			extra_params => [ $role ? ('-U', $role) : () ]);
		$session->set_query_timer_restart(1);
	}
	my $stdout = eval { $session->query($sql . ($sql =~ /\b(?:SET|set_config|TEMP|TEMPORARY|pg_temp)\b/i ? $reset : '')) };
	my $error = $@;
	my $stderr = $session->{stderr};

	$session->{stderr} = '';
	if (!defined $stdout || $stderr =~ /server closed the connection|terminating connection|no connection to the server/)
	{
		# a session that was ended with others was idle then; one that crashed itself is not asked again
		delete $self->{asked}{$whose};
		eval { $session->quit };
		die $error || $stderr if $again || "$error$stderr" !~ /because of crash of another server process|due to administrator command/;
		return $self->ask($database, $sql, $role, 1);
	}
	return ($stdout, $stderr);
}

# As whom a session is, and whether it is told more than that.
sub role_of
{
	my (%params) = @_;
	my @extra = @{ delete $params{extra_params} // [] };
	my $role = @extra == 2 && $extra[0] eq '-U' ? $extra[1] : undef;

	return ($role, %params || (@extra && !$role));
}

sub safe_psql
{
	my ($self, $database, $sql, %params) = @_;
	my ($role, $more) = role_of(%params);

	if ($more || needs_its_own($sql))
	{
		$self->leave() if $sql =~ $of_others;
		return $self->SUPER::safe_psql($database, $sql, %params);
	}
	my ($stdout, $stderr) = $self->ask($database, $sql, $role);
	die "error running SQL: '$stderr'\nwhile running '$sql'" if $stderr =~ /\b(?:ERROR|FATAL|PANIC):  /;
	print {*STDERR} $stderr if $stderr ne '';
	return $stdout;
}

# One statement, for what comes after an error is not run; but settings may come before it.
sub psql
{
	my ($self, $database, $sql, %params) = @_;
	my $last = $sql =~ s/\s*;\s*\z//r =~ s/\A(?:\s*SET (?:LOCAL |SESSION )?[\w.]+ *(?:=|TO) *(?:'[^']*'|\w+);)+//r;

	my ($role, $more) = role_of(map { ($_ => $params{$_}) } grep { !/^(?:stdout|stderr|on_error_stop)$/ } keys %params);

	return $self->SUPER::psql($database, $sql, %params)
	  if $last =~ /;/ || needs_its_own($sql) || $more;
	my ($stdout, $stderr) = $self->ask($database, $sql, $role);
	chomp $stderr;
	my $status = $stderr =~ /\bERROR:  / && ($params{on_error_stop} // 1) ? 3 : 0;
	${ $params{stdout} } = $stdout if $params{stdout};
	${ $params{stderr} } = $stderr if $params{stderr};
	return wantarray ? ($status, $stdout, $stderr) : $status;
}

sub poll_query_until
{
	my ($self, $database, $sql, $expected) = @_;
	my $end = time + $PostgreSQL::Test::Utils::timeout_default;
	my ($stdout, $stderr);

	return $self->SUPER::poll_query_until($database, $sql, $expected // 't') if needs_its_own($sql);
	while (time <= $end)
	{
		($stdout, $stderr) = eval { $self->ask($database, $sql) };
		return 1 if defined $stdout && $stdout eq ($expected // 't') && $stderr eq '';
		usleep(50_000);
	}
	print {*STDERR} 'the last answer was ', $stdout // 'none', ', with ', $stderr // $@, "\n";
	return 0;
}

# The sessions end, for what no other session may be there.
sub leave
{
	my ($self) = @_;

	foreach my $session (values %{ delete $self->{asked} // {} })
	{
		eval { $session->quit };
	}
	return;
}

sub stop { my ($self, @how) = @_; $self->leave(); return $self->SUPER::stop(@how) }
sub restart { my ($self, @how) = @_; $self->leave(); return $self->SUPER::restart(@how) }
sub kill9 { my ($self, @how) = @_; $self->leave(); return $self->SUPER::kill9(@how) }
sub reload { my ($self, @how) = @_; $self->leave(); return $self->SUPER::reload(@how) }

1;
