# Databases of countries, on servers of their own, and the SQL blocks of
# doc/regions.md, each of which says where it runs.

package Regions;

use strict;
use warnings;

use Exporter qw(import);
use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(addressed country_server place play query read_document);

my (%document, %host, %place);

# A server on which the roles of the document need their passwords.
sub country_server
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$ENV{PGPASSWORD} = 'secret';
	$ENV{PGTZ} = 'UTC';
	$node->init(allows_streaming => 'logical');
	$node->append_conf('postgresql.conf', 'max_prepared_transactions = 1');
	unlink $node->data_dir . '/pg_hba.conf';
	append_to_file($node->data_dir . '/pg_hba.conf',
		"local all app,router,keeper,replicator scram-sha-256\nlocal all all trust\n");
	$node->start;
	return $node;
}

# Where the document's databases are, [ node, database ] by name, and its hosts.
sub place
{
	my ($places, $hosts) = @_;

	%place = %$places;
	%host = %$hosts;
	return;
}

sub query
{
	my ($where, $sql, @options) = @_;
	my ($node, $database) = @{ $place{$where} };
	return $node->safe_psql($database, $sql, extra_params => \@options);
}

# The document's SQL blocks by heading, each with where it runs and, when there
# is one, the output shown after it; and its text.
sub read_document
{
	my $text = slurp_file(dirname(__FILE__) . '/../../../doc/regions.md');
	my $heading;

	while ($text =~ /^\#+ ([^\n]+)|^```sql\n-- on ([^\n]+)\n(.*?)^```\n(?:```\n(.*?)^```$)?/gms)
	{
		if (defined $1)
		{
			$heading = $1;
			next;
		}
		push @{ $document{$heading} }, { where => $2, sql => $3, shown => $4 };
	}
	return (\%document, $text);
}

sub addressed
{
	my ($sql) = @_;

	# a machine may take longer to connect to what is there
	$sql =~ s/connect_timeout '3'/connect_timeout '120'/g;
	$sql =~ s/(SET )?host '([a-z0-9.]+)'/$1 ? "SET host '${\$host{$2}->host}', SET port '${\$host{$2}->port}'" :
		"host '${\$host{$2}->host}', port '${\$host{$2}->port}'"/ge;
	$sql =~ s/host=([a-z0-9.]+)/"host=${\$host{$1}->host} port=${\$host{$1}->port}"/ge;
	return $sql;
}

# Runs the blocks under a heading.  Errors have to be those that a block
# announces in comments, output has to be the one shown.
sub play
{
	my ($heading, %elsewhere) = @_;
	my $n = 0;

	die "no SQL under \"$heading\"" unless $document{$heading};
	foreach my $block (@{ $document{$heading} })
	{
		my @places = exists $elsewhere{ $block->{where} } ? @{ $elsewhere{ $block->{where} } } : $block->{where};
		my @expected = $block->{sql} =~ /^-- (ERROR:  .*)$/mg;

		$n++;
		foreach my $where (@places)
		{
			my ($node, $database) = @{ $place{$where} // die "where is \"$where\"?" };
			my ($stdout, $stderr);

			$database = 'postgres' if $block->{sql} =~ /^CREATE (DATABASE|ROLE) /m;    # which may not be there yet
			$node->psql(
				$database, addressed($block->{sql}),
				stdout => \$stdout, stderr => \$stderr, on_error_stop => 0);
			is_deeply([ $stderr =~ /(ERROR:  .*)$/mg ], \@expected, "$heading, block $n on $where");
			is($stdout, as_psql_tells($block->{shown}), "$heading, output $n") if defined $block->{shown};
		}
	}
	return;
}

# An aligned table, below its head, as psql -At has it.
sub as_psql_tells
{
	my ($shown) = @_;
	my (undef, undef, @rows) = split /\n/, $shown;

	return join "\n", map { join '|', map { s/^ +| +$//gr } split /\|/ } @rows;
}

1;
