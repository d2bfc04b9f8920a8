# doc/keys.md, Lists of a tenant: how large their indexes are, and, in a partitioned table, how many months a
# list of a tenant reads, who has many rows or few, and what the condition on the time spares.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $page = slurp_file(dirname(__FILE__) . '/../../../doc/keys.md');
my ($together, $by_id) = $page =~ /and (\d+) bytes in this index and that of the primary key together\. With .*? and (\d+)\./;
my ($shared, $of_time) = $page =~ /takes (\d+) bytes a row in place of (\d+)\./;
my ($option) = $page =~ /make the index `(WITH \([^`]+)`/;
my ($section) = $page =~ /^### In a partitioned table\n(.*?)^## /ms;
my ($list) = $section =~ /EXPLAIN \(COSTS OFF\) (SELECT body FROM messages WHERE tenant = 7 ORDER BY id DESC LIMIT 3);/;
my ($since) = $section =~ /`WHERE conversation = \$1 AND (id >= [^`]+)`/;
my $node = PostgreSQL::Test::Cluster->new('quiet');

$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
# Tenant 7 has rows every day of 24 months, tenant 8 two rows, of the tenth month.
$node->safe_psql('postgres', q(
	CREATE EXTENSION uidext;
	CREATE TABLE messages (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), tenant bigint NOT NULL, body text NOT NULL)
	PARTITION BY RANGE (id);
	CREATE INDEX ON messages (tenant, id);
	SELECT count(*) FROM uuid_partition_create('messages', '2024-01-01 00:00+00', '2026-01-01 00:00+00', '1 month');
	INSERT INTO messages
	SELECT gen_uuidv7_at(timestamptz '2024-01-01 00:00+00' + n * interval '20 minutes'), CASE n % 60 WHEN 7 THEN 7 ELSE 100 + n % 60 END, 'message'
	FROM generate_series(1, 52000) AS n;
	INSERT INTO messages SELECT gen_uuidv7_at('2024-10-10 00:00+00'), 8, 'message' FROM generate_series(1, 2);
	CREATE TABLE conversations AS SELECT gen_uuidv7_at('2025-11-05 00:00+00') AS id;
	ANALYZE;
	CREATE FUNCTION months_read(query text, OUT months bigint, OUT pages_of_one numeric) LANGUAGE plpgsql AS $$
	DECLARE
		plan jsonb;
	BEGIN
		EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF, FORMAT JSON) ' || query INTO plan;
		SELECT count(*), max((node ->> 'Shared Hit Blocks')::int + (node ->> 'Shared Read Blocks')::int)
		INTO months, pages_of_one
		FROM jsonb_path_query(plan, 'strict $.** ? (exists(@."Relation Name") && @."Actual Loops" > 0)') AS node;
	END $$));

sub months
{
	my ($query) = @_;
	return $node->safe_psql('postgres', 'SELECT months FROM months_read($q$' . $query . '$q$)');
}

my $of_quiet = $list =~ s/tenant = 7/tenant = 8/r;
is(months($list), 1, 'a list of the last rows of a busy tenant reads the newest month');
is(months($list =~ s/ ORDER BY .*//r), 24, 'without ORDER BY and LIMIT it reads every month');
is(months($of_quiet), 24, 'that of a tenant with fewer rows than LIMIT reads every month, too');
is(months($of_quiet =~ s/LIMIT 3/LIMIT 2/r), 15, 'and with as many, the months back to these rows');
cmp_ok($node->safe_psql('postgres', 'SELECT pages_of_one FROM months_read($q$' . $of_quiet . '$q$)'), '<=', 6,
	'of a month it reads some pages');
is(months($of_quiet =~ s/ ORDER/ AND id >= timestamptz '2025-11-01 00:00+00' ORDER/r), 2, 'a time leaves out all months before it');
foreach my $mode (qw(force_custom_plan force_generic_plan))
{
	is($node->safe_psql('postgres', qq(
		SET plan_cache_mode = $mode;
		PREPARE list (uuid) AS SELECT body FROM messages WHERE tenant = 8 AND @{[ $since =~ s/::uuid//r ]} ORDER BY id DESC LIMIT 3;
		SELECT months FROM conversations, months_read(format('EXECUTE list (%L)', id)))), 2,
		"and so does the id of the conversation ($mode)");
}

# Bytes a row of the index of a tenant, and of both indexes.
sub sizes
{
	my ($index, $tenant, $time) = @_;

	return split /\|/, $node->safe_psql('postgres', qq(
		SET client_min_messages = warning;
		DROP TABLE IF EXISTS documents;
		CREATE TABLE documents (id uuid PRIMARY KEY, tenant bigint NOT NULL);
		CREATE INDEX documents_of_tenant ON documents $index;
		INSERT INTO documents
		SELECT gen_uuidv7_at(timestamptz '2026-03-01 00:00+00' + $time), $tenant
		FROM generate_series(1, 200000) AS n;
		SELECT pg_relation_size('documents_of_tenant') / 200000.0,
			(pg_relation_size('documents_of_tenant') + pg_relation_size('documents_pkey')) / 200000.0));
}

# By 15 %, as the pages of each tenant that are not full yet count more in a small table.
sub about
{
	my ($bytes, $told, $what) = @_;

	cmp_ok(abs($bytes - $told), '<', 0.15 * $told, "$what takes about the $told bytes a row of the page: " . sprintf('%.1f', $bytes));
	return;
}

# Of three rows of a minute two have the same tenant, now and then.
my $at_random = 'abs(hashint4(n)) % 100';
my @apart = ('n % 100', q(n * interval '0.1 s'));
about((sizes('(tenant, uuid_time(id))', @apart))[1], $together, 'an index on the time, with that of the primary key,');
about((sizes('(tenant, id)', @apart))[1], $by_id, 'one on the id');
about((sizes('(tenant, uuid_time(id))', $at_random, q(n / 3 * interval '1 minute')))[0], $shared, 'one on the time with equal times');
about((sizes("(tenant, uuid_time(id)) $option", $at_random, q(n / 3 * interval '1 minute')))[0], $of_time, "the same $option");

$node->stop;
done_testing();
