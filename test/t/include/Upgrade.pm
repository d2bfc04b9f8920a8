# pg_upgrade from the newest major of PostgreSQL that is older than this one and has its
# server headers beside it, in /usr/lib/postgresql, as script/root has them for 18 and 19.
package Upgrade;

use strict;
use warnings;

use Exporter 'import';
use File::Basename;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::RecursiveCopy;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(plan_upgrade new_clusters upgrade_ok upgrade_refused major_of);

my ($old_bindir, $new_bindir);

# both clusters alike, whatever the majors' defaults
my %init = (extra => [ '--data-checksums', '--locale', 'C', '--encoding', 'UTF8' ]);

sub major_of
{
	my ($bindir) = @_;
	my ($version) = run_command([ "$bindir/pg_config", '--version' ]);
	return $version =~ /(\d+)/ ? $1 : 0;
}

sub can_build
{
	my ($bindir) = @_;
	return -x "$bindir/postgres" && -x "$bindir/pg_config" && -e (run_command([ "$bindir/pg_config", '--pgxs' ]))[0];
}

# Skips the whole test where there is no older major.
sub plan_upgrade
{
	plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};
	($new_bindir) = run_command([ 'pg_config', '--bindir' ]);
	($old_bindir) = sort { major_of($b) <=> major_of($a) }
	  grep { can_build($_) && major_of($_) < major_of($new_bindir) }
	  glob('/usr/lib/postgresql/*/bin');
	plan skip_all => 'no older major of PostgreSQL, with its server headers, is installed beside this one'
	  unless $old_bindir;
	return $new_bindir;
}

# The extension for the old major: the settings by which its server finds it.
sub build_for_old
{
	my ($dir) = @_;

	PostgreSQL::Test::RecursiveCopy::copypath($ENV{UIDEXT_BUILD}, "$dir/build", filterfn => sub { $_[0] !~ m{^test/} });
	local $ENV{PG_CONFIG} = "$old_bindir/pg_config";
	my ($settings, $stderr) = run_command([ "$ENV{UIDEXT_BUILD}/script/stage", "$dir/build", "$dir/stage" ]);
	BAIL_OUT("could not build for the old major: $stderr") unless $settings;
	# a server without Debian's setting finds no extension but among its own: in a copy
	if ((run_command([ "$old_bindir/postgres", '--describe-config' ]))[0] !~ /^extension_destdir\t/m
		&& $settings =~ s/^extension_destdir = '(.*)'\n//m)
	{
		system_or_bail('cp', '-a', dirname($old_bindir), "$dir/server");
		system_or_bail('sh', '-c', 'cp "$0"/usr/share/postgresql/*/extension/uidext* "$1"', $1,
			"$dir/server/share/postgresql/extension");
		$old_bindir = "$dir/server/bin";
	}
	return "$settings\n";
}

# A cluster of the old major, started, and an empty one of this.
sub new_clusters
{
	my $dir = PostgreSQL::Test::Utils::tempdir;
	append_to_file("$dir/old.conf", build_for_old($dir));

	my $old = PostgreSQL::Test::Cluster->new('old', install_path => dirname($old_bindir));
	{
		local $ENV{TEMP_CONFIG} = "$dir/old.conf";
		$old->init(%init);
	}
	my $new = new_cluster('new');
	$old->start;
	return ($old, $new);
}

sub new_cluster
{
	my ($name) = @_;
	my $new = PostgreSQL::Test::Cluster->new($name);

	$new->init(%init);
	return $new;
}

# In a directory of its own, for the files that it leaves behind.
sub pg_upgrade
{
	my ($old, $new) = @_;

	chdir PostgreSQL::Test::Utils::tempdir or die $!;
	return [
		"$new_bindir/pg_upgrade", '--no-sync',
		'-b', $old_bindir, '-B', $new_bindir,
		'-d', $old->data_dir, '-D', $new->data_dir,
		'-p', $old->port, '-P', $new->port, '-s', $new->host ];
}

# What the restore of each database has said, which is removed when all went well.
sub restore_logs
{
	my ($new) = @_;
	return map { slurp_file($_) } glob($new->data_dir . '/pg_upgrade_output.d/*/log/pg_upgrade_dump_*.log');
}

# Stops the old cluster, and starts the new one with what was in it.
sub upgrade_ok
{
	my ($old, $new) = @_;

	$old->stop;
	command_ok(pg_upgrade($old, $new), 'pg_upgrade from ' . major_of($old_bindir) . ' to ' . major_of($new_bindir));
	diag(substr($_, -3000)) foreach restore_logs($new);
	$new->start;
	return;
}

# Stops the old cluster, which no new one can be made from, for the error given.
sub upgrade_refused
{
	my ($old, $error, $name) = @_;
	my $new = new_cluster($name =~ s/\W+/_/gr);

	$old->stop;
	command_fails(pg_upgrade($old, $new), "pg_upgrade fails: $name");
	like(join('', restore_logs($new)), $error, "it says why: $name");
	return;
}

1;
