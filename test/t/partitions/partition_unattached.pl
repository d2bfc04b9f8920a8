# Does a call end that can neither attach a table nor drop it again?  An event trigger writes each drop
# to a table that somebody has locked.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('unattached');
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
SELECT uuid_partition_create('orders', date_trunc('month', now(), 'UTC'), now(), '1 month');
CREATE TABLE audit (dropped text);
CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO public.audit SELECT object_identity FROM pg_event_trigger_dropped_objects() WHERE object_type = 'table';
END $$;
CREATE EVENT TRIGGER note ON sql_drop WHEN TAG IN ('DROP TABLE') EXECUTE FUNCTION note();
SQL

my $other = session();
$other->query_safe('BEGIN; LOCK TABLE audit; SELECT FROM ONLY orders_rest');
my ($status, $stdout, $stderr) = $node->psql('postgres', <<'SQL', timeout => 180);
SET lock_timeout = '300ms';
SET statement_timeout = '60s';
SELECT action, left(problem, 5) FROM uuid_partition_maintain('orders', '1 month', 2);
SQL
is($stdout, "not created|55P03\nnot created|55P03", 'maintain ends, and says what kept its months from being attached');
is(() = $stderr =~ /WARNING:  table \S+ has been made, but not attached, and cannot be dropped/g, 2,
	'and which tables are left') or diag($stderr);
$other->query_safe('ROLLBACK');

$other->quit;
$node->stop;
done_testing();
