# doc/moving.md, Disk and time: the steps measured on a sample, beside which the tables stay as they are.

use strict;
use warnings;

use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $documents = dirname(__FILE__) . '/../../../doc';
my ($section) = slurp_file("$documents/moving.md") =~ /^#### Disk and time\n(.*?)^#### /ms;
my ($block) = $section =~ /^```sh\n(psql .*?orders_sample.*?)^```$/ms;
my $node = PostgreSQL::Test::Cluster->new('sample');

$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION uidext;
	CREATE TABLE orders (
		id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
		created_at timestamptz NOT NULL,
		reference serial,
		number bigint GENERATED ALWAYS AS IDENTITY,
		note text DEFAULT repeat('note ', 40));
	CREATE TABLE items (
		id bigint GENERATED ALWAYS AS IDENTITY,
		order_id uuid NOT NULL REFERENCES orders ON DELETE CASCADE,
		PRIMARY KEY (order_id, id));
	INSERT INTO orders (created_at) SELECT now() - n * interval '1 minute' FROM generate_series(1, 60000) AS n;
	INSERT INTO items (order_id) SELECT id FROM orders));

my $all = q(
	SELECT (SELECT md5(string_agg(o::text, ',' ORDER BY id)) FROM orders o), (SELECT md5(string_agg(i::text, ',' ORDER BY id)) FROM items i),
		(SELECT array_agg(relname ORDER BY relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace),
		(SELECT array_agg(tgname ORDER BY tgname) FROM pg_trigger WHERE NOT tgisinternal),
		(SELECT array_agg(proname ORDER BY proname) FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
		(SELECT last_value FROM orders_reference_seq));
my $before = $node->safe_psql('postgres', $all);
my $said = '';

local @ENV{qw(PGHOST PGPORT PGDATABASE)} = ($node->host, $node->port, 'postgres');
my $done = IPC::Run::run([ 'bash', '-c', "set -e; cd '$documents/recipes'\n" . ($block =~ s/SYSTEM \(1\)/SYSTEM (20)/r) ], '>', \$said, '2>&1');
ok($done, 'the commands of the page run') or diag($said);
is(join(' ', $said =~ /^(\w+) is done\.$/mg), join(' ', (qw(prepare fill switch drop)) x 2), 'each step comes to its end');
is(scalar(() = $said =~ /^real\s/mg), 8, 'and its time is printed');
is($node->safe_psql('postgres', $all), $before, 'the tables are as before, and nothing is left of the sample');

$node->stop;
done_testing();
