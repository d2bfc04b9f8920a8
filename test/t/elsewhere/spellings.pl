# uid_inspect() finds an id among what is around it, whatever the encoding and the
# locale of the database, in both editions.
use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};

my $root = dirname(__FILE__) . '/../../..';
my ($version) = slurp_file("$root/uidext.control") =~ /^default_version = '(.*)'/m;
system_or_bail 'make', '-s', '-C', $ENV{UIDEXT_BUILD}, "PG_CONFIG=$ENV{PG_CONFIG}", 'portable';

my $node = OneSession->new('spellings');
$node->init;
$node->start;

my $id = 'c232ab00-9414-11ec-b3c8-9f6bdeced846';
# by the bytes that the database has
my %bytes = (
	utf8 => { 'a byte order mark' => "\xef\xbb\xbf$id", 'no-break spaces' => "\xc2\xa0$id\xc2\xa0",
		'a zero-width space within' => $id =~ s/-/-\xe2\x80\x8b/r,
		'quotes of a text' => "\xe2\x80\x9c$id\xe2\x80\x9d" },
	latin1 => { 'no-break spaces' => "\xa0$id\xa0", 'a soft hyphen within' => $id =~ s/-/-\xad/r, 'guillemets' => "\xab$id\xbb" },
	eucjp => { 'wide spaces' => "\xa1\xa1$id\xa1\xa1", 'quotes of a text' => "\xa1\xc8$id\xa1\xc9" });
my %ascii = ('a URN in capitals' => uc "urn:uuid:$id", 'a call' => "UUID(\"$id\")", 'spaces' => " \t$id\n",
	'base64' => 'wjKrAJQUEeyzyJ9r3s7YRg==');
my @databases = (
	[ 'utf8', "ENCODING 'UTF8' LOCALE 'C'", 'utf8' ],
	[ 'latin1', "ENCODING 'LATIN1' LOCALE 'C'", 'latin1' ],
	[ 'eucjp', "ENCODING 'EUC_JP' LOCALE 'C'", 'eucjp' ],
	[ 'none', "ENCODING 'SQL_ASCII' LOCALE 'C'", 'utf8' ]);
# in which a capital i is another letter
push @databases, [ 'turkish', "ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'tr'", 'utf8' ]
	if check_pg_config('#define USE_ICU 1');

foreach my $database (@databases)
{
	my ($name, $options, $spelled) = @$database;
	my %spelling = (%ascii, %{ $bytes{$spelled} });

	foreach my $edition ('c', 'sql')
	{
		my $shop = "${name}_$edition";

		$node->safe_psql('postgres', "CREATE DATABASE $shop TEMPLATE template0 $options");
		$node->safe_psql($shop, "ALTER DATABASE $shop SET search_path = \"\$user\", public, uidext");
		$edition eq 'c'
		  ? $node->safe_psql($shop, 'CREATE EXTENSION uidext')
		  : $node->command_ok([ 'psql', '-XqAt', '-d', $node->connstr($shop), '-f',
			"$ENV{UIDEXT_BUILD}/dist/uidext-$version-portable.sql" ], "$shop has the SQL edition");
		foreach my $what (sort keys %spelling)
		{
			my $hex = unpack 'H*', $spelling{$what};
			my $found = $node->safe_psql($shop,
				"SELECT (SELECT uuid FROM uid_inspect(convert_from(decode('$hex', 'hex'), getdatabaseencoding())) LIMIT 1)");
			is($found, $id, "$shop: $what around an id are no part of it");
		}
	}
}

$node->stop;
done_testing();
