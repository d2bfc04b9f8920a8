# What logical decoding hands over of uuid, iuid, ulid and domains, by the plugins that
# streams of changes read: doc/change-streams.md.
use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('change_streams');
$node->init(allows_streaming => 'logical');
$node->start;

# Minor releases since August 2026 load only the plugins that are named there.
if ($node->safe_psql('postgres', "SELECT count(*) FROM pg_settings WHERE name = 'output_plugin_libraries'"))
{
	$node->append_conf('postgresql.conf', "output_plugin_libraries = 'pgoutput, test_decoding, wal2json, decoderbufs'");
	$node->restart;
}

$node->safe_psql(
	'postgres', q(
	CREATE EXTENSION uidext;
	CREATE DOMAIN ride AS iuid;
	CREATE TABLE rides (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), way iuid, note ulid, mine ride);
	CREATE TABLE parts (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int) PARTITION BY RANGE (id);
	SELECT uuid_partition_create('parts', '2026-01-01 00:00+00', '2026-03-01 00:00+00', '1 month');
	CREATE PUBLICATION leaves FOR TABLE rides, parts;
	CREATE PUBLICATION root FOR TABLE rides, parts WITH (publish_via_partition_root)));

sub change
{
	my ($plugin, $function, @options) = @_;

	$node->safe_psql('postgres', 'TRUNCATE rides, parts');
	my (undef, undef, $error) = $node->psql('postgres', "SELECT pg_create_logical_replication_slot('s', '$plugin')");
	return undef if $error =~ /could not access file/;
	$node->safe_psql(
		'postgres', q(
		INSERT INTO rides
		VALUES ('019c167f-cc00-7000-8000-000000000001', '019c167f-cc00-804c-8001-000000000001',
			'01KGB7ZK00E008000000000001', '019c167f-cc00-804c-8001-000000000002');
		INSERT INTO parts VALUES ('019c167f-cc00-7000-8000-000000000002', 1)));
	my $options = join '', map { ", '$_'" } @options;
	my $changes = $node->safe_psql('postgres', "SELECT $function FROM pg_logical_slot_get_binary_changes('s', NULL, NULL$options)");
	$node->safe_psql('postgres', "SELECT pg_drop_replication_slot('s')");
	return $changes;
}

my @texts = ('019c167f-cc00-7000-8000-000000000001', '019c167f-cc00-804c-8001-000000000001', '01KGB7ZK00E008000000000001',
	'019c167f-cc00-804c-8001-000000000002');

my $changes = change('pgoutput', q(encode(data, 'escape')), proto_version => 1, publication_names => 'leaves');
like($changes, qr/^Y(?s:.){0,40}?public\\000$_\\000$/m, "pgoutput names the type $_") foreach 'iuid', 'ulid';
is(() = $changes =~ /^Y.*public\\000iuid\\000$/mg, 2, 'and a domain by the type that it comes from');
# a byte of an OID may be a newline
my $of_36 = qr/t\\000\\000\\000\$/;
my $of_26 = qr/t\\000\\000\\000\x1A/;
like($changes, qr/^I(?s:.){1,40}?$of_36$texts[0]$of_36$texts[1]$of_26$texts[2]$of_36$texts[3]$/m, 'values as text');
like($changes, qr/^R(?s:.){1,40}?parts_2026_02/m, 'partitions by their names');

$changes = change('pgoutput', q(encode(data, 'hex')), proto_version => 1, publication_names => 'root', binary => 'true');
(my $bytes = $texts[1]) =~ tr/-//d;
like($changes, qr/^49.*62 00000010 $bytes/mx, 'in binary 16 bytes');
my $table = sprintf '%08x', $node->safe_psql('postgres', "SELECT 'parts'::regclass::oid");
like($changes, qr/^49$table/m, 'or rows of partitions as those of their table');

SKIP:
{
	$changes = change('wal2json', q(convert_from(data, 'UTF8')), 'format-version' => 2) // skip('no wal2json', 1);
	my @types = qw(uuid iuid ulid ride);
	my $wanted = join '.*', map { qq("$types[$_]","value":"$texts[$_]") } 0 .. 3;
	like($changes, qr/$wanted/,
		'wal2json: names of types, texts');
}
SKIP:
{
	$changes = change('decoderbufs', q(encode(data, 'escape'))) // skip('no decoderbufs', 1);
	like($changes, qr/$texts[0].*$texts[1].*$texts[2].*$texts[3]/s, 'decoderbufs: texts');
}

SKIP:
{
	skip 'no pglogical', 1
		unless $node->safe_psql('postgres',
			"SELECT count(*) FROM pg_available_extensions WHERE name = 'pglogical'");
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'pglogical'");
	$node->restart;
	$node->safe_psql(
		'postgres', q(
		CREATE EXTENSION pglogical;
		SELECT pglogical.create_node('provider', 'dbname=postgres');
		SELECT pglogical.replication_set_add_all_tables('default', ARRAY['public'])));
	is( $node->safe_psql('postgres',
		q(SELECT string_agg(relname, ' ' ORDER BY relname) FROM pglogical.tables WHERE set_name = 'default')),
		'parts_2026_01 parts_2026_02 rides', 'pglogical: tables and partitions, none of the extension');
}

# The index for a reader that splits by the text.
my ($split) = grep { /rides_text/ } slurp_file("$ENV{UIDEXT_BUILD}/doc/change-streams.md") =~ /^```sql\n(.*?)^```$/gms;
$node->safe_psql('postgres', 'TRUNCATE rides; INSERT INTO rides SELECT gen_uuidv7() FROM generate_series(1, 10000)');
like($node->safe_psql('postgres', $split =~ s/(?=SELECT)/EXPLAIN /r),
	qr/Index Scan using rides_text.*Index Scan Backward using rides_text/s,
	'an index makes min() of the text quick');

$node->stop;
done_testing();
