# A partition of a partition that waits to be detached is no model for months to come.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('pending_detach');
$node->safe_psql(
	'postgres', q(
	CREATE TABLE trips (id uuid NOT NULL, country int NOT NULL) PARTITION BY RANGE (id);
	SELECT format('CREATE TABLE trips_2020_01 PARTITION OF trips FOR VALUES FROM (%L) TO (%L) PARTITION BY LIST (country)',
		uuid_boundary('2020-01-01 00:00+00'), uuid_boundary('2020-02-01 00:00+00')) \gexec
	CREATE TABLE trips_2020_01_kz PARTITION OF trips_2020_01 FOR VALUES IN (398);
	CREATE TABLE trips_2020_01_de PARTITION OF trips_2020_01 FOR VALUES IN (276);
));

# A reader keeps it from going; the command is then given up, and the partition waits.
my $reader = session();
$reader->query_safe('BEGIN; SELECT count(*) FROM trips');
my ($status, $stdout, $stderr) = $node->psql('postgres',
	"SET lock_timeout = '200ms'; \n ALTER TABLE trips_2020_01 DETACH PARTITION trips_2020_01_de CONCURRENTLY;");
like($stderr, qr/lock timeout/, 'a reader is in the way of DETACH CONCURRENTLY');
$reader->query_safe('COMMIT');
$reader->quit;
my $pending = 'SELECT string_agg(inhrelid::regclass::text, $$ $$) FROM pg_inherits WHERE inhdetachpending';
is($node->safe_psql('postgres', $pending), 'trips_2020_01_de', 'the partition waits to be detached');

($status, $stdout, $stderr) = $node->psql('postgres',
	q(SELECT uuid_partition_create('trips', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month')));
is($stderr, '', 'create makes the next month');
is(partitions('trips_2020_02'), 'trips_2020_02_kz', 'without the part that waits');
is( $node->safe_psql('postgres',
	q(
		SELECT string_agg(DISTINCT action || coalesce(problem, ''), ', ')
		FROM uuid_partition_maintain('trips', '10 years', 1, dry_run => true))),
	'to be created', 'a dry run of maintain says that it goes on');
is( $node->safe_psql('postgres', q(
	SELECT string_agg(DISTINCT action || coalesce(problem, ''), ', ')
	FROM uuid_partition_maintain('trips', '10 years', 1))),
	'created', 'and so it does');
is($node->safe_psql('postgres',
		q(SELECT count(*) FROM pg_class WHERE relname ~ '^trips_20[^_]*(_0[2-9])?_de$')), 0,
	'no month has the part that waits');
is($node->safe_psql('postgres', $pending), 'trips_2020_01_de', 'which waits still');

# Nor where it is the only one.
$node->safe_psql('postgres', 'DROP TABLE trips_2020_01_kz');
$node->safe_psql('postgres', $_)
  foreach map { "DROP TABLE $_" } split / /,
	$node->safe_psql('postgres', q(
		SELECT string_agg(partition::text, ' ')
		FROM uuid_partition_list('trips')
		WHERE partition <> 'trips_2020_01'::regclass));
my @said = map { $node->safe_psql('postgres',
	qq(
		SELECT string_agg(left(problem, 5), ', ')
		FROM uuid_partition_maintain('trips', '20 years', 0, dry_run => $_))) } qw(true false);
is($said[0], $said[1], 'where no other part is there, a dry run says what maintain says');
is($said[1], '55000', 'that such a month takes no row');

$node->stop;
done_testing();
