# New tables are made before a call takes the locks that keep others out: however
# long the making takes, others read and write.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('made_first');
$node->safe_psql(
	'postgres', q(
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), customer int) PARTITION BY RANGE (id);
	SELECT uuid_partition_create('orders', date_trunc('month', now(), 'UTC'),
		date_trunc('month', now(), 'UTC') + interval '1 month', '1 month');
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;

	-- The making of a table stops here, as long as somebody holds the advisory lock 1.
	CREATE FUNCTION stop_at(name text) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		IF name ~ current_setting('my.stop_at', true) THEN
			WHILE NOT pg_try_advisory_xact_lock_shared(1) LOOP
				PERFORM set_config('application_name', 'stopped', false), pg_sleep(0.02);
			END LOOP;
		END IF;
	END $$;
	CREATE FUNCTION stop() RETURNS event_trigger LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM public.stop_at(object_identity) FROM pg_event_trigger_ddl_commands();
	END $$;
	CREATE EVENT TRIGGER stop ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION stop();
));

my ($holder, $caller) = (session(), session());

sub goes_on
{
	my ($statement, $name) = @_;
	my $result = $node->psql('postgres', "SET lock_timeout = '50ms'; $statement", stderr => \my $stderr);

	is($stderr, '', $name);
	return;
}

# Calls, and runs others' statements while a table whose name matches is being made.
sub while_making
{
	my ($table, $call, $what, @statements) = @_;

	$holder->query_safe('SELECT pg_advisory_lock(1)');
	$caller->query_safe("SET application_name = ''; SET my.stop_at = '$table'");
	send_off($caller, $call);
	wait_until("EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'stopped')");
	goes_on($_, "$what: $_") foreach @statements;
	$holder->query_safe('SELECT pg_advisory_unlock(1)');
	result($caller);
	return;
}

my @others = (
	'SELECT count(*) FROM orders',
	'INSERT INTO orders DEFAULT VALUES',
	'SELECT count(*) FROM orders_rest',
	'UPDATE orders SET customer = 1 WHERE id > now()');

while_making('orders_\d+_\d+$', q(SELECT uuid_partition_maintain('orders', '1 month', 1)), 'a month is made', @others);

# The second month, when the first one is there.
my $later = $node->safe_psql('postgres',
	q(SELECT to_char(date_trunc('month', now(), 'UTC') AT TIME ZONE 'UTC' + interval '3 months', 'YYYY_MM')));
while_making("orders_$later\$", q(SELECT uuid_partition_maintain('orders', '1 month', 3)), 'two months are made', @others);
is($node->safe_psql('postgres',
		q(SELECT count(*) FROM uuid_partition_list('orders') WHERE kind = 'partition' AND from_time > now())),
	'3', 'three months are ahead');

$node->safe_psql('postgres', q(SELECT uuid_partition_create('orders', '2020-01-01Z', '2020-02-01Z', '1 month')));
while_making('orders_\d+_\d+$', q(SELECT uuid_partition_maintain('orders', '1 month', 4, '1 year')),
	'a month is made and one is dropped', @others);
is($node->safe_psql('postgres', q(SELECT to_regclass('orders_2020_01') IS NULL)), 't', 'the old month is gone');

$node->safe_psql('postgres', q(INSERT INTO orders SELECT gen_uuidv7_at('2021-03-05Z') FROM generate_series(1, 10)));
while_making('orders_2021_03$', q(CALL uuid_partition_drain('orders', '1 month')), 'rows are to be moved', @others);
is($node->safe_psql('postgres', q(SELECT count(*) FROM orders_2021_03)), '10', 'the rows have moved');

# What was made for a step that then fails is gone.
$node->safe_psql(
	'postgres', q(
	DROP EVENT TRIGGER stop;
	CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
	BEGIN
		IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() c JOIN pg_inherits i ON i.inhrelid = c.objid OR i.inhparent = c.objid
			JOIN pg_class p ON p.oid = i.inhrelid WHERE p.relname = 'orders_2022_01') THEN
			RAISE 'January is closed';
		END IF;
	END $$;
	CREATE EVENT TRIGGER refuse ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION refuse();
	INSERT INTO orders SELECT gen_uuidv7_at('2022-01-05Z');
	INSERT INTO orders SELECT gen_uuidv7_at('2022-02-05Z');
));
$node->psql('postgres', q(CALL uuid_partition_drain('orders', '1 month')), stderr => \my $stderr);
like($stderr, qr/WARNING.*partition public\.orders_2022_01 is not created\nDETAIL:  P0001: January is closed/,
	'a period that fails is told');
is($node->safe_psql('postgres', q(SELECT to_regclass('orders_2022_01') IS NULL)), 't', 'and leaves no table');
is($node->safe_psql('postgres', q(SELECT count(*) FROM orders_rest)), '1', 'its row stays where it was');
is($node->safe_psql('postgres', q(SELECT count(*) FROM orders_2022_02)), '1', 'the next period is drained');

# Tables that nobody may drop are told.
$node->safe_psql(
	'postgres', q(
	CREATE FUNCTION keep() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no table goes'; END $$;
	CREATE EVENT TRIGGER keep ON sql_drop WHEN TAG IN ('DROP TABLE') EXECUTE FUNCTION keep();
	INSERT INTO orders SELECT gen_uuidv7_at('2022-03-05Z');
));
$node->psql('postgres', q(CALL uuid_partition_drain('orders', '1 month')), stderr => \$stderr);
my $left = qr/table public\.orders_2022_01 has been made, but not attached, and cannot be dropped/;
like($stderr, qr/WARNING.*$left\nDETAIL:  P0001: no table goes\nHINT:  Drop it by hand/,
	'a table that stays is told');
is($node->safe_psql('postgres', q(SELECT count(*) FROM orders_2022_03)), '1', 'and the next period is drained');

$_->quit foreach $holder, $caller;
$node->stop;
done_testing();
