# Does a reader who comes while maintain is between making and dropping get an answer?  Maintain is
# stopped there by a trigger; it must have locked the parent before the default partition, as the
# reader does.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('make_then_drop');
my ($holder, $caller, $reader) = (session(), session(), session());

# The trigger stops a call that has locked the default partition, as long as somebody
# holds the advisory lock 1.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
INSERT INTO orders VALUES (gen_uuidv7_at('2019-01-01'));
SELECT uuid_partition_maintain('orders', '2 years', 2);
SELECT uuid_partition_create('orders', '2020-04-01', '2020-06-01', '1 month');
CREATE FUNCTION pause() RETURNS event_trigger LANGUAGE plpgsql SET lock_timeout = 0 AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(1) FROM pg_locks
	WHERE pid = pg_backend_pid() AND relation = 'public.orders_rest'::regclass AND mode = 'AccessExclusiveLock';
END $$;
CREATE EVENT TRIGGER pause ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION pause();
SQL

$holder->query_safe('SELECT pg_advisory_lock(1)');
send_and_wait($caller,
	q(
		SELECT string_agg(DISTINCT action, ' ' ORDER BY action)
		FROM uuid_partition_maintain('orders', '2 years', 3, '2 years')), '^Exclusive');
send_and_wait($reader, 'SELECT count(*) FROM orders', 'AccessShare');
$holder->query_safe('SELECT pg_advisory_unlock(1)');
is(result($caller), 'created dropped', 'maintain makes and drops beside the reader');
is(result($reader), $node->safe_psql('postgres', 'SELECT count(*) FROM orders'), 'the reader gets an answer');
is(said($caller) . said($reader), '', 'neither is told of a deadlock');

$_->quit foreach $holder, $caller, $reader;
$node->stop;
done_testing();
