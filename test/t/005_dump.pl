# A dump of a database that uses the extension everywhere restores to the same.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('dump');
$node->init;
$node->start;

$node->safe_psql(
	'postgres', q{
	CREATE DATABASE source;
	CREATE DATABASE target;
});

# The extension is not in the search_path of those who restore.
$node->safe_psql(
	'source', q{
	SET timezone = 'UTC';
	CREATE SCHEMA ids;
	CREATE EXTENSION uidext SCHEMA ids;
	SET search_path = ids, public;

	-- default, partition bounds, foreign key
	CREATE TABLE public.orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), item text) PARTITION BY RANGE (id);
	CREATE TABLE public.orders_01 PARTITION OF public.orders FOR VALUES FROM (uuid_boundary('2026-01-01')) TO (uuid_boundary('2026-02-01'));
	CREATE TABLE public.orders_02 PARTITION OF public.orders FOR VALUES FROM (uuid_boundary('2026-02-01')) TO (uuid_boundary('2026-03-01'));
	CREATE TABLE public.orders_rest PARTITION OF public.orders DEFAULT;
	INSERT INTO public.orders
	SELECT gen_uuidv7_at(at), at::text FROM generate_series('2026-01-01'::timestamptz, '2026-02-28', '1 hour') AS at;
	INSERT INTO public.orders (item) VALUES ('by default');
	CREATE TABLE public.lines (order_id uuid REFERENCES public.orders, line int);
	INSERT INTO public.lines SELECT id, 1 FROM public.orders;

	-- domain, generated column, check with an operator, index on an expression, partial index
	CREATE TABLE public.users (
		id uuid_v7 PRIMARY KEY DEFAULT gen_uuidv7('-1 day'),
		made timestamptz GENERATED ALWAYS AS (id::timestamptz) STORED,
		CHECK (id > '2020-01-01 00:00+00'::timestamptz),
		CHECK (id <@ tstzrange('2020-01-01 00:00+00', NULL))
	);
	CREATE INDEX users_made ON public.users (uuid_time(id));
	CREATE INDEX users_2026 ON public.users (id) WHERE id >= '2026-01-01 00:00+00'::timestamptz;
	INSERT INTO public.users SELECT gen_uuidv7() FROM generate_series(1, 100);
	CREATE TABLE public.strict_orders (id uuid_v7 PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE public.strict_orders_01 PARTITION OF public.strict_orders FOR VALUES FROM (uuidv7_boundary('2026-01-01')) TO (uuidv7_boundary('2026-02-01'));
	INSERT INTO public.strict_orders SELECT id FROM public.orders_01;

	-- view, function with a body, composite
	CREATE VIEW public.january AS SELECT id, item FROM public.orders WHERE id <@ '[2026-01-01 00:00+00,2026-02-01 00:00+00)'::tstzrange;
	CREATE FUNCTION public.before(at timestamptz) RETURNS SETOF public.orders BEGIN ATOMIC
		SELECT * FROM public.orders WHERE id < at;
	END;
	CREATE TABLE public.inspected AS SELECT uuid_inspect(id) AS info FROM public.users;
});

my $digest = q{
	SET timezone = 'UTC';
	SELECT tableoid::regclass, count(*), md5(string_agg(id || item, ',' ORDER BY id)) FROM orders GROUP BY 1 ORDER BY 1;
	SELECT count(*), md5(string_agg(u::text, ',' ORDER BY id)) FROM users AS u;
	SELECT count(*), md5(string_agg(i::text, ',' ORDER BY i::text)) FROM inspected AS i;
	SELECT tableoid::regclass, count(*) FROM strict_orders GROUP BY 1;
	SELECT count(*) FROM january;
	SELECT count(*) FROM before('2026-01-02 00:00+00');
	SELECT count(*) FROM lines JOIN orders ON id = order_id;
};

# Without the lines that differ between any two dumps.
sub dump_of
{
	my ($database, $file) = @_;
	$node->command_ok([ 'pg_dump', '--no-sync', '-f', $file, '-d', $database ], "dump of $database");
	my @lines = grep { !/^(--|\\restrict|\\unrestrict)/ } split /^/, slurp_file($file);
	return join '', @lines;
}

my $dir = PostgreSQL::Test::Utils::tempdir;
my $dump = dump_of('source', "$dir/source.sql");
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-1', '-f', "$dir/source.sql", '-d', 'target' ],
	'restore');

my $rows = $node->safe_psql('source', $digest);
like($rows, qr/^orders_01\|744\|/, 'there is something to compare');
is($node->safe_psql('target', $digest), $rows, 'the same rows, views and functions');
is(dump_of('target', "$dir/target.sql"), $dump, 'a dump of the restored database is the same');
is( $node->safe_psql(
		'target', q{
		INSERT INTO users DEFAULT VALUES RETURNING made BETWEEN now() - interval '1 day 1 second' AND now() - interval '23 hours 59 minutes'}),
	't',
	'defaults and generated columns go on');

# In parallel and from an archive, where indexes and constraints come last.
$node->safe_psql('postgres', 'CREATE DATABASE archive');
$node->command_ok([ 'pg_dump', '--no-sync', '-Fd', '-j2', '-f', "$dir/archive", '-d', 'source' ], 'parallel dump');
$node->command_ok([ 'pg_restore', '-j2', '--exit-on-error', '-d', 'archive', "$dir/archive" ], 'parallel restore');
is($node->safe_psql('archive', $digest), $rows, 'the same rows again');

$node->stop;
done_testing();
