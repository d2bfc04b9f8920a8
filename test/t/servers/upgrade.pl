# pg_upgrade takes a cluster that uses the extension everywhere to this major.
use strict;
use warnings;

use File::Basename;
use lib dirname(__FILE__) . '/../include';
use Batches;
use PostgreSQL::Test::Utils;
use Test::More;
use Upgrade;

my $new_bindir = plan_upgrade();
my ($old, $new) = new_clusters();

my $include = dirname(__FILE__) . '/../include';
$old->safe_psql('postgres', 'CREATE DATABASE source');
$old->safe_psql('source', slurp_file("$include/everywhere.sql"));
my $rows_query = slurp_file("$include/everywhere_rows.sql");
my $rows = $old->safe_psql('source', $rows_query);
like($rows, qr/^orders_01\|744\|/m, 'there is something to upgrade');

sub schema_of
{
	my ($node) = @_;
	# by the same pg_dump, because majors differ in what they write
	my ($dump) = run_command([ "$new_bindir/pg_dump", '--schema-only', '-d', $node->connstr('source') ]);
	return join '', grep { !/^(--|\\restrict|\\unrestrict)/ } split /^/m, $dump;
}
my $schema = schema_of($old);

# What code written for 18 finds before it, as doc/uuidv7-before-18.md says.
my ($before18) = slurp_file("$ENV{UIDEXT_BUILD}/doc/uuidv7-before-18.md") =~ /^```sql\n(.*?)^```$/ms;
$old->safe_psql('postgres', 'CREATE DATABASE before18');
$old->safe_psql(
	'before18', qq{
	CREATE EXTENSION uidext;
	$before18
	ALTER DATABASE before18 SET search_path = public, before18;
	CREATE TABLE visits (id uuid PRIMARY KEY DEFAULT before18.uuidv7(), n int);
	INSERT INTO visits (n) SELECT n FROM generate_series(1, 1000) AS n});
like($schema, qr/uuid_country_ops.*uuid_sqlserver_ops/s, 'with the extension in its definitions');

# Generators from which COPY makes batches: in a schema of their own, and one of
# PostgreSQL's with the support function, as doc/loading.md says.
my %copy_into = (
	orders => 'ids.gen_uuidv7()',
	items => q(ids.uuid_to_typeid(ids.gen_uuidv7('1 day'), 'item')),
	payments => 'random_id()');
$old->safe_psql('postgres', 'CREATE DATABASE loaded');
$old->safe_psql(
	'loaded', q{
	CREATE SCHEMA ids;
	CREATE EXTENSION uidext SCHEMA ids;
	CREATE EXTENSION pg_walinspect;
	CREATE FUNCTION random_id() RETURNS uuid LANGUAGE internal VOLATILE STRICT PARALLEL SAFE AS 'gen_random_uuid'
		SUPPORT uidext_internal.generator_support});
sub copied
{
	my ($node, $table) = @_;
	return inserted($node, 'loaded', "COPY $table (n) FROM PROGRAM 'seq 500'");
}
foreach my $table (sort keys %copy_into)
{
	$old->safe_psql('loaded', "CREATE TABLE $table (id text DEFAULT $copy_into{$table}, n int)");
	is(copied($old, $table), 'in batches', "before the upgrade COPY into $table inserts in batches");
}

upgrade_ok($old, $new);
is($new->safe_psql('source', $rows_query), $rows, 'the same rows');
is(schema_of($new), $schema, 'the same definitions');
is( $new->safe_psql(
		'source', q{
		SELECT opfname FROM pg_amop JOIN pg_opfamily f ON f.oid = amopfamily JOIN pg_am m ON m.oid = amopmethod
		WHERE amopopr = 'uidext_internal.=(ids.iuid,ids.iuid)'::regoperator AND amname = 'hash' ORDER BY f.oid}),
	"iuid_aggregate_ops\niuid_country_ops",
	'the family by which iUIDs are grouped comes first');
$new->command_ok([ 'pg_amcheck', '--install-missing', '--parent-check', '--heapallindexed', '-d', 'source' ],
	'tables and indexes are sound');
is( $new->safe_psql(
		'source', q{
		INSERT INTO users DEFAULT VALUES RETURNING made BETWEEN now() - interval '25 hours' AND now() - interval '23 hours';
		INSERT INTO rides DEFAULT VALUES RETURNING tableoid::regclass, country;
		INSERT INTO parts DEFAULT VALUES RETURNING printed = ids.uuid_to_sqlserver(id);
		INSERT INTO others DEFAULT VALUES RETURNING ids.short_comb_block(numbered);
		SET enable_seqscan = off;
		SELECT count(*) FROM (SELECT id FROM parts ORDER BY id USING OPERATOR(ids.~<~)) AS p;
		INSERT INTO claims SELECT id FROM rides ON CONFLICT DO NOTHING;
		DELETE FROM rides WHERE id NOT IN (SELECT ride FROM claims) RETURNING 'a ride without a claim';
		SELECT count(*)
		FROM (SELECT id, count(*) FROM rides GROUP BY id) AS r
		JOIN claims ON id = ride
		WHERE id OPERATOR(ids.>=) '2026-01-01'::timestamptz;}),
	"t\nrides_br|76\nt\n10\n1001\n82",
	'defaults, generated columns, partitions and indexes go on');

foreach my $table (sort keys %copy_into)
{
	is(copied($new, $table), 'in batches', "COPY into $table inserts in batches as before");
	is($new->safe_psql('loaded', "SELECT count(*), count(DISTINCT id) FROM $table"), '1000|1000',
		"and each of $table has an id of its own");
}

# Each of our answers beside the server's own, and the way out of the page.
SKIP:
{
	skip 'the server has no uuidv7()', 5 if major_of($new_bindir) < 18;
	my ($hand_on, $clean_up) = slurp_file("$ENV{UIDEXT_BUILD}/doc/uuidv7-before-18.md")
		=~ /^## Leave.*?^```sql 18\+\n(.*?)INSERT.*?^```sql 18\+\n(.*?)INSERT/ms;
	my $default = q{SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'visits'::regclass};
	my $visit = q{INSERT INTO visits DEFAULT VALUES RETURNING uuid_extract_version(id)};

	is($new->safe_psql('before18', "$default; $visit"), "before18.uuidv7()\n7", 'a DEFAULT of before 18 goes on');
	is( $new->safe_psql(
			'before18', q{
			SELECT count(*) FROM (
				SELECT id FROM visits UNION ALL SELECT gen_random_uuid() FROM generate_series(1, 1000) UNION ALL
				SELECT gen_uuidv1() FROM generate_series(1, 1000) UNION ALL
				SELECT (lpad(to_hex(n), 2, '0') || repeat(lpad(to_hex(v), 2, '0'), 15))::uuid
				FROM generate_series(0, 255, 17) AS n, generate_series(0, 255) AS v) AS ids
			WHERE before18.uuid_extract_version(id) IS DISTINCT FROM pg_catalog.uuid_extract_version(id)
				OR before18.uuid_extract_timestamp(id) IS DISTINCT FROM pg_catalog.uuid_extract_timestamp(id)}),
		'0', 'our answers were those of 18');
	$new->safe_psql('before18', $hand_on);
	like($new->safe_psql('before18', 'EXPLAIN (VERBOSE, COSTS OFF) SELECT before18.uuidv7()'),
		qr/Output: uuidv7\(\)/, 'the name is handed on');
	is($new->safe_psql('before18', "$clean_up; $default; $visit"), "uuidv7()\n7", 'and everything of before 18 removed');
	is($new->safe_psql('before18', 'SHOW search_path'), 'public', 'from the path too');
}

$new->stop;
done_testing();
