# What the pages say of PostgreSQL 19 alone.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('of_19');
plan skip_all => 'this is not PostgreSQL 19' if $node->pg_version->major != 19;
$node->init(allows_streaming => 1);
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

sub said
{
	my ($sql) = @_;
	my ($stdout, $stderr);
	$node->psql('postgres', $sql, stdout => \$stdout, stderr => \$stderr);
	return "$stdout$stderr";
}

# doc/moving.md
$node->safe_psql('postgres', 'CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id)');
like(said("ALTER TABLE visits $_"), qr/syntax error at or near "(?:MERGE|SPLIT)"/, "it has no $_")
  foreach 'MERGE PARTITIONS (a, b) INTO c', 'SPLIT PARTITION a INTO (PARTITION b DEFAULT)';

# doc/public-ids.md
is(said(q(
	SELECT uuid_decode(encode(uuid_send(id), 'base32hex'), 'base32hex') = id
		AND decode(uuid_encode(id, 'base32hex'), 'base32hex') = uuid_send(id)
	FROM gen_uuidv7() AS id)), 't', 'its base32hex and ours read each other');

# doc/keys.md
$node->safe_psql('postgres', 'CREATE TABLE readings (number bigint PRIMARY KEY, id uuid);
	INSERT INTO readings
	SELECT n, gen_uuidv7_at(now() - n * interval \'1 s\')
	FROM generate_series(1, 1000) AS n;
	CREATE INDEX readings_id ON readings (id)');
is(said('REPACK (CONCURRENTLY) readings USING INDEX readings_id'), '', 'a table is put in the order of its ids beside others');
is(said('SELECT bool_and(id > last) FROM (SELECT id, lag(id) OVER (ORDER BY ctid) AS last FROM readings) AS r'),
	't', 'in which it is');
like(said(q(
		ALTER TABLE readings DROP CONSTRAINT readings_pkey;
		REPACK (CONCURRENTLY) readings USING INDEX readings_id)), qr/no identity index/,
	'not without a primary key');

done_testing();
