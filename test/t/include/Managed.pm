# A server as a service hands it out, of which nobody is superuser, and the blocks
# of doc/managed.md, each of which says who types it.

package Managed;

use strict;
use warnings;

use Exporter qw(import);
use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(addressed as managed_server page play shell);

my %role = (
	'the owner of the database' => 'owner',
	'the administrator of the service' => 'administrator',
	'the role that installed' => 'installer',
	'the owner of the table' => 'shop_owner');

my $node;

sub page
{
	my ($name) = @_;
	return slurp_file(dirname(__FILE__) . "/../../../$name");
}

# The administrator is one as on RDS or Cloud SQL.
sub managed_server
{
	my ($name, @settings) = @_;

	$node = PostgreSQL::Test::Cluster->new($name);
	{
		# without the C edition
		delete local $ENV{TEMP_CONFIG};
		$node->init;
	}
	$node->append_conf('postgresql.conf', join '', map { "$_\n" } 'autovacuum = off', @settings);
	$node->start;
	$node->safe_psql(
		'postgres', q{
		CREATE ROLE administrator LOGIN CREATEDB CREATEROLE;
		GRANT pg_read_all_stats, pg_signal_backend TO administrator WITH ADMIN OPTION;
		CREATE ROLE owner LOGIN;
		CREATE ROLE installer LOGIN;
		CREATE ROLE shop_owner LOGIN;
		CREATE DATABASE shop OWNER owner;
	});
	# whoever makes a role may change it
	$node->safe_psql('postgres', 'GRANT shop_owner TO administrator WITH ADMIN OPTION');
	system_or_bail 'make', '-s', '-C', $ENV{UIDEXT_BUILD}, "PG_CONFIG=$ENV{PG_CONFIG}", 'portable';
	return $node;
}

# The role of a block.
sub as
{
	my ($who) = @_;
	return $role{$who} // die "a block is for a role that nobody has: $who";
}

sub addressed
{
	my ($code) = @_;
	return $code =~ s/-h shop\.example\.com //gr =~ s/host=shop\.example\.com //gr;
}

# What a shell prints, and what goes wrong in it.
sub shell
{
	my ($role, $code) = @_;
	local %ENV = (%ENV, PGHOST => $node->host, PGPORT => $node->port, PGUSER => $role, PSQLRC => '/dev/null');

	return run_command([ 'sh', '-euc', "cd '$ENV{UIDEXT_BUILD}'; exec </dev/null\n" . addressed($code) ]);
}

sub without_trailing_space
{
	return join "\n", map { s/\s+$//r } split /\n/, $_[0];
}

# Runs the blocks of a text: those of a shell as one role, SQL as the role that its
# first line names, or as another.  Returns how many there were.
sub play
{
	my ($text, $in_shell, $otherwise) = @_;
	my $n = 0;

	while ($text =~ /^```(sql|sh)\n(.*?)^```\n(?:```\n(.*?)^```$)?/gms)
	{
		my ($kind, $code, $shown) = ($1, $2, $3);
		my $role = $kind eq 'sh' ? $in_shell : $code =~ /^-- as (.*)\n/ ? as($1) : $otherwise;
		my ($stdout, $stderr);

		$n++;
		if ($kind eq 'sh')
		{
			($stdout, $stderr) = shell($role, $code);
		}
		else
		{
			$node->psql('shop', "\\pset format aligned\n\\pset tuples_only off\n$code",
				extra_params => [ '-U', $role ], stdout => \$stdout, stderr => \$stderr, on_error_stop => 0);
		}
		is( join("\n", $stderr =~ /((?:ERROR|WARNING|FATAL): .*)$/mg),
			join("\n", $code =~ /^-- (ERROR:  .*)$/mg),
			"block $n, as $role") or diag("$code$stderr");
		ok(index(without_trailing_space($stdout), without_trailing_space($shown)) >= 0, "block $n shows its output") or diag($stdout)
		  if defined $shown;
	}
	return $n;
}

1;
