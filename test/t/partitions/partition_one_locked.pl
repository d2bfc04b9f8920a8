# What a table or a follower that cannot have its lock keeps from being done: what needs this
# lock, and nothing else.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('one_locked');
my $other = session();

# Orders and items with default partitions: an old month goes, and one of the future is due.
$node->safe_psql(
	'postgres', q(
	CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE items (order_id uuid PRIMARY KEY) PARTITION BY RANGE (order_id);
	SELECT uuid_partition_create('orders', '2020-01-01 00:00+00', '2020-02-01 00:00+00', '1 month');
	SELECT uuid_partition_create('orders', date_trunc('month', now(), 'UTC'), now(), '1 month');
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	SELECT uuid_partition_follow('items', 'orders');
));

# What a call of maintenance does with each table: made, gone, or left.  Nothing of it stays.
sub outcome
{
	my ($timeout) = @_;

	return $node->safe_psql(
		'postgres', qq(
		SET client_min_messages = error;
		SET lock_timeout = '$timeout';
		BEGIN;
		SELECT string_agg(format('%s %s', substring(partition FROM 'orders|items'), action), ', ' ORDER BY to_time DESC, partition DESC)
		FROM uuid_partition_maintain('orders', '1 month', 1, keep => '1 year', followers => '{items}');
		ROLLBACK;
	));
}

is(outcome('300ms'), 'orders created, items created, orders dropped, items dropped', '(all is done beside nobody)');
foreach my $case (
	[ 'items_rest', 'SHARE UPDATE EXCLUSIVE',
		'orders created, items not created, orders not dropped, items not dropped',
		q(a follower's default partition is vacuumed) ],
	[ 'orders_rest', 'SHARE UPDATE EXCLUSIVE',
		'orders not created, items not created, orders not dropped, items not dropped',
		q(the table's default partition is vacuumed) ])
{
	my ($table, $mode, $wanted, $what) = @$case;

	$other->query_safe("BEGIN; LOCK TABLE $table IN $mode MODE");
	is(outcome('300ms'), $wanted, "what is done while $what");
	$other->query_safe('ROLLBACK');
}

# A vacuum that ends in time keeps nothing from being done.
my $caller = session();
$other->query_safe('BEGIN; LOCK TABLE items_rest IN SHARE UPDATE EXCLUSIVE MODE');
$caller->query_until(qr/called/, q(
SET lock_timeout = '1h';
BEGIN;
\\echo called
SELECT string_agg(format('%s %s', substring(partition FROM 'orders|items'), action), ', ' ORDER BY to_time DESC, partition DESC)
FROM uuid_partition_maintain('orders', '1 month', 1, keep => '1 year', followers => '{items}');
));
$node->poll_query_until('postgres', q(SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep')));
$other->query_safe('ROLLBACK');
is($caller->query('ROLLBACK'), 'orders created, items created, orders dropped, items dropped',
	'a vacuum of a default partition is waited for');
$caller->quit;

# The orders have their month already, and that of the items is to refer to it.
$node->safe_psql('postgres', q(SELECT FROM uuid_partition_maintain('orders', '1 month', 1)));
my $month = $node->safe_psql('postgres', q(SELECT partition FROM uuid_partition_list('orders') WHERE from_time > now()));
foreach my $case ([ 'vacuumed', 'SHARE UPDATE EXCLUSIVE' ], [ 'written to', 'ROW EXCLUSIVE' ])
{
	my ($what, $mode) = @$case;

	$other->query_safe("BEGIN; LOCK TABLE $month IN $mode MODE");
	is(outcome('600ms'), 'items not created, orders dropped, items dropped',
		"old months go while that to which a new one shall refer is $what");
	$other->query_safe('ROLLBACK');
}

# What one old month alone needs, beside itself: the table to which it has a foreign key, its TOAST table, and
# what nobody foretells, as an event trigger takes it.
$node->safe_psql(
	'postgres', q(
	CREATE TABLE shops (id uuid PRIMARY KEY);
	CREATE TABLE audit (dropped text);
	CREATE TABLE sales (id uuid PRIMARY KEY, note text) PARTITION BY RANGE (id);
	SELECT uuid_partition_create('sales', '2020-01-01 00:00+00', '2020-04-01 00:00+00', '1 month');
	SELECT uuid_partition_create('sales', date_trunc('month', now(), 'UTC'), now(), '1 month');
	ALTER TABLE sales_2020_02 ADD FOREIGN KEY (id) REFERENCES shops;
	CREATE FUNCTION audit() RETURNS event_trigger LANGUAGE plpgsql AS $$
	BEGIN
		IF EXISTS (SELECT FROM pg_event_trigger_dropped_objects() WHERE object_name = 'sales_2020_02') THEN
			INSERT INTO public.audit VALUES ('sales_2020_02');
		END IF;
	END $$;
	CREATE EVENT TRIGGER audit ON sql_drop EXECUTE FUNCTION audit();
));
my $gone = q(
	SET client_min_messages = error;
	SET lock_timeout = '%s';
	BEGIN;
	SELECT string_agg(concat_ws(' ', right(partition, 2), problem), '; ' ORDER BY partition)
	FROM uuid_partition_maintain('sales', '1 month', 0, keep => '1 year') WHERE to_time < now();
	ROLLBACK;
);
is($node->safe_psql('postgres', sprintf $gone, '300ms'), '01; 02; 03', '(old months go beside nobody)');
my $toast = $node->safe_psql('postgres', q(SELECT reltoastrelid::regclass FROM pg_class WHERE oid = 'sales_2020_02'::regclass));
my $has_module = $node->safe_psql('postgres', q(SELECT count(*) > 0 FROM pg_proc WHERE probin ~ 'uidext')) eq 't';
foreach my $case (
	[ 'LOCK TABLE shops IN ROW EXCLUSIVE MODE', 'shops', 'the table to which it refers is written to' ],
	[ 'LOCK TABLE shops IN SHARE UPDATE EXCLUSIVE MODE', 'shops', 'the table to which it refers is vacuumed' ],
	# LOCK TABLE takes no TOAST table
	$has_module ? [ "SELECT uidext_internal.lock_table('$toast', 'SHARE UPDATE EXCLUSIVE', '0')", $toast,
		'its TOAST table is vacuumed' ]
		: (),
	[ 'LOCK TABLE audit', '', 'an event trigger wants a locked table' ])
{
	my ($lock, $table, $what) = @$case;

	$other->query_safe("BEGIN; $lock");
	like($node->safe_psql('postgres', sprintf $gone, '300ms'), qr/^01; 02 55P03[^;]*\b\Q$table\E[^;]*; 03$/,
		"one old month alone stays while $what");
	$other->query_safe('ROLLBACK');
}

$other->quit;
$node->stop;
done_testing();
