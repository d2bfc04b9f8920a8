# Where new partitions are stored: where the newest one is, or the template, whatever
# default_tablespace says.  After move_table.psql months to come are like those moved.

use strict;
use warnings;

use FindBin;
use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('like_moved');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nwal_level = logical");
$node->start;
foreach my $name (qw(fast slow))
{
	my $dir = PostgreSQL::Test::Utils::tempdir();
	$node->safe_psql('postgres', "CREATE TABLESPACE $name LOCATION '$dir'");
}
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

# The tablespace of a table and of each of its indexes.
sub where_is
{
	my ($table) = @_;

	return $node->safe_psql('postgres', qq(SELECT string_agg(coalesce(spcname, 'default'), ' ' ORDER BY c.relkind DESC, c.relname)
		FROM pg_class c LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace
		WHERE c.oid = to_regclass('$table') OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = to_regclass('$table'))));
}

# Create, maintain, follow and drain make a month each.
sub months
{
	my ($name, $setting, $wanted, $template) = @_;
	my $more = $template ? ", template => '$template'" : '';

	$node->safe_psql('postgres', qq(
		$setting;
		SELECT uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month'$more)));
	is(where_is('orders_2020_02'), $wanted, "$name, create: the month and its index are $wanted");
	$node->safe_psql('postgres', "$setting; SELECT count(*) FROM uuid_partition_maintain('orders', '50 years', 0$more)");
	is(where_is('orders_2020_03'), $wanted, "$name, maintain: the period and its index are $wanted");
	$node->safe_psql('postgres', qq(
		CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
		INSERT INTO orders VALUES (gen_uuidv7_at('2019-05-05 00:00+00'))));
	$node->safe_psql('postgres', "$setting;\nCALL uuid_partition_drain('orders', '1 month'$more);");
	is(where_is('orders_2019_05'), $wanted, "$name, drain: the month and its index are $wanted");
	return;
}

sub new_orders
{
	my ($spaces) = @_;

	$node->safe_psql(
		'postgres', qq(
		SET client_min_messages = error;
		DROP TABLE IF EXISTS orders, template;
		CREATE TABLE orders (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
		SELECT uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
		$spaces));
	return;
}

my $fast = 'ALTER TABLE orders_2020_01 SET TABLESPACE fast; ALTER INDEX orders_2020_01_pkey SET TABLESPACE slow';
new_orders($fast);
months('the newest in tablespaces of its own', 'SET lock_timeout = 0', 'fast slow');
new_orders($fast);
months('the newest in tablespaces of its own, another one by default', 'SET default_tablespace = slow', 'fast slow');
new_orders('SELECT');
months('the newest in the database\'s tablespace, another one by default', 'SET default_tablespace = slow', 'default default');
new_orders('CREATE TABLE template (LIKE orders INCLUDING ALL)');
months('a template in the database\'s tablespace, another one by default', 'SET default_tablespace = slow',
	'default default', 'template');
new_orders('CREATE TABLE template (LIKE orders INCLUDING ALL) TABLESPACE fast');
months('a template in a tablespace of its own, another one by default', 'SET default_tablespace = slow',
	'fast default', 'template');

# A family: each table's months are where its newest is.
new_orders("$fast; DROP TABLE IF EXISTS items;
	CREATE TABLE items (order_id uuid, n int, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
	SELECT uuid_partition_follow('items', 'orders'); ALTER TABLE items_2020_01 SET TABLESPACE slow");
$node->safe_psql('postgres', q(
	SET default_tablespace = fast;
	SELECT count(*) FROM uuid_partition_maintain('orders', '50 years', 0, followers => '{items}')));
is(where_is('orders_2020_02'), 'fast slow', 'a family, maintain: the leader\'s period is where its newest is');
is(where_is('items_2020_02'), 'slow default', 'a family, maintain: the follower\'s period is where its newest is');
$node->safe_psql('postgres', 'DROP TABLE items, orders');

# A table that the recipe has moved into partitions, with what it had.
$node->safe_psql(
	'postgres', q(
	CREATE ROLE reader;
	CREATE TABLE letters (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), body text COMPRESSION pglz, size int)
		WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, toast.autovacuum_enabled = off);
	ALTER TABLE letters ALTER body SET STATISTICS 500, ALTER body SET STORAGE EXTERNAL, ALTER size SET (n_distinct = -0.5);
	ALTER TABLE letters REPLICA IDENTITY FULL;
	GRANT SELECT (id, body) ON letters TO reader;
	GRANT INSERT ON letters TO reader;
	CREATE STATISTICS letters_size ON body, size FROM letters;
	INSERT INTO letters SELECT gen_uuidv7_at(now() - n * interval '1 day'), 'letter ' || n, n FROM generate_series(1, 70) n;
	CREATE PUBLICATION letters FOR TABLE letters WITH (publish_via_partition_root = true);
));
foreach my $step (qw(prepare fill switch drop))
{
	my $result = $node->run_log([ 'psql', '-qX', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'),
		'-v', 'table=letters', '-v',
		'into=partitions', '-v', 'step=1 month', '-v', "do=$step",
		'-f', "$FindBin::RealBin/../../../doc/recipes/move_table.psql" ]);
	ok($result, "move_table.psql, $step");
}
my %properties = (
	'storage parameters' => 'SELECT array_agg(o ORDER BY o) FROM pg_class, unnest(reloptions) o WHERE oid = LETTERS',
	'TOAST settings' => 'SELECT t.reloptions FROM pg_class c JOIN pg_class t ON t.oid = c.reltoastrelid WHERE c.oid = LETTERS',
	'replica identity' => 'SELECT relreplident FROM pg_class WHERE oid = LETTERS',
	'statistics targets, storage and compression' => q(
		SELECT string_agg(
			attname
					|| ' '
					|| coalesce(attstattarget::text, '-1')
					|| attstorage::text
					|| attcompression::text
					|| coalesce(substring(attoptions::text FROM 'n_distinct=[-0-9.]*'), ''), ', '
			ORDER BY attname)
		FROM pg_attribute
		WHERE attrelid = LETTERS AND attnum > 0 AND NOT attisdropped),
	'grants' => q(SELECT array_agg(a::text ORDER BY a::text) FROM pg_class, unnest(relacl) a WHERE oid = LETTERS),
	'grants on columns' => q(
		SELECT string_agg(attname || attacl::text, ', ' ORDER BY attname)
		FROM pg_attribute
		WHERE attrelid = LETTERS),
	'extended statistics' => 'SELECT count(*) FROM pg_statistic_ext WHERE stxrelid = LETTERS');
my $moved = $node->safe_psql('postgres',
	q(SELECT partition FROM uuid_partition_list('letters') WHERE from_time <= now() AND to_time > now()));
my $last = q(SELECT partition FROM uuid_partition_list('letters') WHERE kind = 'partition' ORDER BY from_time DESC LIMIT 1);

sub all_of
{
	my ($table) = @_;
	return { map { $_ => $node->safe_psql('postgres', $properties{$_} =~ s/LETTERS/'$table'::regclass/gr) }
		keys %properties };
}

my $wanted = all_of($moved);
like($wanted->{'replica identity'}, qr/^f$/, 'the months that were moved have what the table had');
$node->safe_psql('postgres', q(SELECT count(*) FROM uuid_partition_maintain('letters', '1 month', 12)));
my $new = $node->safe_psql('postgres', $last);
isnt($new, $moved, 'maintain makes more');
my $found = all_of($new);
is($found->{$_}, $wanted->{$_},
	"after move_table.psql months to come have the same $_ as those that were moved")
	foreach sort keys %properties;
is($node->safe_psql('postgres',
		"UPDATE letters SET size = 0 WHERE id IN (SELECT id FROM letters LIMIT 3) RETURNING 1") =~ tr/1//, 3,
	'and a published row can be changed');

$node->stop;
done_testing();
