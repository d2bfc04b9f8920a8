# uidext.country where the library is not there yet to check it: heeded, or complained
# about.  A server that has preloaded the library refuses what is wrong.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('node');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

# What a session says that begins with a command, and then makes an id.
sub said
{
	my ($command) = @_;
	my ($stdout, $stderr);

	$node->psql('postgres', "$command; SELECT iuid_country(gen_iuid(3))",
		stdout => \$stdout, stderr => \$stderr, on_error_stop => 0);
	return join "\n", grep { /\S/ } $stdout, map { s/^psql:\S+ //r } grep { /WARNING|ERROR|DETAIL/ } split /\n/, $stderr;
}

my $unset = 'ERROR:  uidext.country is not set';
my $range = 'DETAIL:  An iUID holds country ids from 0 to 255, written without leading zeros; -1 means none.';
my $invalid = qq(invalid value for parameter "uidext.country": "256"\n$range);

is(said('SET uidext.country = 76'), '76', 'a setting made before is heeded');
is(said('SET uidext.country = 256'), "WARNING:  $invalid\n$unset", 'a wrong one is complained about');
is(said('SET uidext.contry = 76'),
	join("\n", 'WARNING:  invalid configuration parameter name "uidext.contry", removing it',
		'DETAIL:  "uidext" is now a reserved prefix.', $unset),
	'so is a wrong name');
$node->safe_psql('postgres', 'ALTER DATABASE postgres SET uidext.country = 256');
is(said('SELECT'), "WARNING:  $invalid\n$unset", "a database's, too");
$node->safe_psql('postgres', q(ALTER DATABASE postgres SET uidext.country = '99999999999'));
is(said('SELECT'), "WARNING:  $invalid\n$unset" =~ s/256/99999999999/r, 'and a number that no integer holds');
$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET uidext.country');

$node->append_conf('postgresql.conf', "shared_preload_libraries = 'uidext'");
$node->restart;
is(said('SET uidext.country = 76'), '76', 'preloaded: a setting is heeded');
is(said('SET uidext.country = 256'), "ERROR:  $invalid\n$unset", 'a wrong one refused');
is(said('SET uidext.contry = 76'),
	qq(ERROR:  invalid configuration parameter name "uidext.contry"\nDETAIL:  "uidext" is a reserved prefix.\n$unset),
	'so is a wrong name');
is(said('ALTER DATABASE postgres SET uidext.country = 256'), "ERROR:  $invalid\n$unset", "a database's, too");

done_testing();
