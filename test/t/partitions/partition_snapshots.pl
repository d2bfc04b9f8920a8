# Do the calls act on the partitions as they are now, where the snapshot of their transaction shows
# those of before?  Maintain finds what others have made, and drop leaves what others have changed.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('snapshots');
my $old = session();
$old->query_safe('SET client_min_messages = error');

# A month of a year ago, so that the first call of maintain has all others to make.
sub create_orders
{
	$node->safe_psql('postgres', <<'SQL');
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create('orders', date_trunc('month', now(), 'UTC') - interval '1 year',
	date_trunc('month', now(), 'UTC') - interval '11 months', '1 month');
SQL
	return;
}

foreach my $isolation ('REPEATABLE READ', 'SERIALIZABLE')
{
	create_orders();
	$old->query_safe("BEGIN ISOLATION LEVEL $isolation; SELECT 1");
	$node->safe_psql('postgres', "SELECT uuid_partition_maintain('orders', '1 month', 3)");
	my $made = partitions('orders');
	is($old->query_safe(q(SELECT count(*) FROM uuid_partition_maintain('orders', '1 month', 2))), '0',
		"$isolation: maintain finds what others have made");
	$old->query_safe('COMMIT');
	is(partitions('orders'), $made, "$isolation: maintain changes nothing of it");
	$node->safe_psql('postgres', 'DROP TABLE orders');
}

# What has other bounds by now stays.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE visits (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create('visits', '2020-01-01', '2020-04-01', '1 month');
SQL
$old->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
$node->safe_psql('postgres', <<'SQL');
ALTER TABLE visits DETACH PARTITION visits_2020_02;
ALTER TABLE visits DETACH PARTITION visits_2020_01;
ALTER TABLE visits ATTACH PARTITION visits_2020_01 FOR VALUES FROM (uuid_boundary('2020-02-01')) TO (uuid_boundary('2020-03-01'));
SQL
is($old->query_safe(q(SELECT count(*) FROM uuid_partition_drop('visits', '2020-02-01'))),
	'0', 'a partition that has other bounds than the snapshot shows is not dropped');
$old->query_safe('ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ');
is($old->query_safe(q(SELECT count(*) FROM uuid_partition_drop('visits', '2020-04-01'))), '2',
	'with a new snapshot it is dropped');
$old->query_safe('ROLLBACK');

# All that may have become of a partition since the snapshot: what others have done, what the
# transaction itself has done, and what drop must do then.
my $detach = 'ALTER TABLE payments DETACH PARTITION payments_2020_02';
my $attach = 'ALTER TABLE payments ATTACH PARTITION payments_2020_02';
my $february = q{FOR VALUES FROM (uuid_boundary('2020-02-01')) TO (uuid_boundary('2020-03-01'))};
my $february_and_march = q{FOR VALUES FROM (uuid_boundary('2020-02-01')) TO (uuid_boundary('2020-04-01'))};
my $goes = { name => 'is dropped', count => qr/^1$/ };
my $stays = { name => 'is not dropped', count => qr/^0$/ };
my $stays_or_fails = { name => 'is not dropped, by an error or without', count => qr/^0?$/ };
my @changes = (
	{ partition => 'is as it was', drop => $goes },
	{
		partition => 'has been analyzed and vacuumed',
		others => [ 'ANALYZE payments_2020_02', 'VACUUM payments_2020_02' ],
		drop => $goes
	},
	{
		partition => 'has been changed by this transaction',
		own => 'ALTER TABLE payments_2020_02 SET (fillfactor = 90); SAVEPOINT s;
			ALTER TABLE payments_2020_02 RENAME TO payments_february; RELEASE s',
		drop => $goes
	},
	{ partition => 'is detached', others => [$detach], drop => $stays },
	{ partition => 'is gone', others => ['DROP TABLE payments_2020_02'], drop => $stays },
	{ partition => 'has a later end', others => [ $detach, "$attach $february_and_march" ], drop => $stays },
	{
		# the snapshot shows the row as it was, as it is, or both
		partition => 'has a later end, and has been changed by this transaction',
		others => [ $detach, "$attach $february_and_march" ],
		own => 'ALTER TABLE payments_2020_02 SET (fillfactor = 90)',
		drop => $stays_or_fails
	},
	{
		partition => 'is the default partition, and another table has its bounds',
		others => [ $detach, "$attach DEFAULT", "CREATE TABLE another PARTITION OF payments $february" ],
		drop => $stays
	},
);

# How a scan finds the row depends on whether it reads the catalog by an index.
foreach my $isolation ('REPEATABLE READ', 'SERIALIZABLE')
{
	foreach my $scan (qw(on off))
	{
		foreach my $change (@changes)
		{
			my $name = "$isolation, index scans $scan: a partition that $change->{partition}";

			$node->safe_psql('postgres', <<'SQL');
DROP TABLE IF EXISTS payments, payments_2020_02;
CREATE TABLE payments (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create('payments', '2020-02-01', '2020-03-01', '1 month');
SQL
			$old->query_safe(qq(
				BEGIN ISOLATION LEVEL $isolation;
				SET LOCAL enable_indexscan = $scan;
				SET LOCAL enable_bitmapscan = off;
				SELECT 1));
			$node->safe_psql('postgres', $_) foreach @{ $change->{others} };
			$old->query_safe($change->{own}) if $change->{own};
			like($old->query(q(SELECT count(*) FROM uuid_partition_drop('payments', '2020-03-01'))),
				$change->{drop}{count}, "$name $change->{drop}{name}");
			is(said($old) =~ s/.*ERROR:  could not serialize access: partition \S+ has changed.*//sr,
				'', "$name gives no error but that it has changed");
			$old->query_safe('ROLLBACK');
		}
	}
}

$old->quit;
$node->stop;
done_testing();
