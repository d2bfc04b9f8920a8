# The codes for people of doc/keys.md: eight digits, and another one where a code
# is taken, whoever opens tickets at the same time.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('codes');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

my ($section) = slurp_file(dirname(__FILE__) . '/../../../doc/keys.md') =~ /^## A code for people beside the id\n(.*?)^## /ms;
my ($tickets) = $section =~ /^```sql\n(.*?)^```$/ms;
$node->safe_psql('postgres', $tickets);
$node->safe_psql('postgres', "SELECT open_ticket('cold') FROM generate_series(1, 10000)");
is( $node->safe_psql(
		'postgres', q{
		SELECT string_agg(digit, '' ORDER BY digit COLLATE "C"), max(places) FROM (
			SELECT digit, count(DISTINCT place) AS places
			FROM tickets, string_to_table(code, NULL) WITH ORDINALITY AS digits(digit, place)
			GROUP BY digit) AS d}),
	'0123456789ABCDEFGHJKMNPQRSTVWXYZ|8',
	'codes have all digits of Crockford in all their places');
my ($normal) = $section =~ /`WHERE code = (translate\(.*?\))`/;
is($node->safe_psql('postgres', 'SELECT ' . $normal =~ s/\$1/'oil1z0'/r), '0111Z0', 'what people type is read as digits');

# With a code of one digit the retry is what finds the last one.
$node->safe_psql(
	'postgres', q{
	TRUNCATE tickets;
	ALTER TABLE tickets ALTER code SET DEFAULT right(uuid_encode(gen_random_uuid(), 'crockford'), 1);
});
my $script = PostgreSQL::Test::Utils::tempdir() . '/ticket';
append_to_file($script, "SELECT open_ticket('cold');\n");
$node->command_ok([ 'pgbench', '-n', '-c', 8, '-t', 4, '-f', $script, $node->connstr('postgres') ],
	'eight clients open four tickets each, of 32 codes');
is($node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT code) FROM tickets'), '32|32',
	'every ticket gets a code of its own');

done_testing();
