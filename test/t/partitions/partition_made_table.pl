# A command makes a table by its name.  While it runs, schemas may change their names, so that
# the name leads to a table that was there before: that one never becomes a partition.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('made_table');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;

# At the begin of the command the schemas change their names, and at its end again.
$node->safe_psql(
	'postgres', q(
	CREATE EXTENSION uidext;
	CREATE SCHEMA shop;
	CREATE SCHEMA attic;
	CREATE TABLE shop.orders (id uuid PRIMARY KEY);
	CREATE FUNCTION swap() RETURNS event_trigger LANGUAGE plpgsql AS $$
	BEGIN
		ALTER SCHEMA shop RENAME TO aside;
		ALTER SCHEMA attic RENAME TO shop;
		ALTER SCHEMA aside RENAME TO attic;
	END $$;
));
my $make = q(SELECT uidext_internal.partition_make_table('shop', 'orders_2020_01', 'public.model', NULL));

$node->safe_psql('postgres', 'CREATE TABLE model (id uuid PRIMARY KEY)');
is($node->safe_psql('postgres', "BEGIN; $make; ROLLBACK"), 'shop.orders_2020_01',
	'a table that is made is returned, in the transaction itself');
is($node->safe_psql('postgres', "BEGIN; SAVEPOINT s; $make; ROLLBACK"), 'shop.orders_2020_01', 'and in a part of it');

$node->safe_psql('postgres', q(
	CREATE EVENT TRIGGER swap_before ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION swap();
	CREATE EVENT TRIGGER swap_after ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION swap();
	ALTER EVENT TRIGGER swap_before DISABLE;
	ALTER EVENT TRIGGER swap_after DISABLE;
));

# The last transaction before is the nearest that an older table can be of.
$node->safe_psql('postgres', q(
	BEGIN;
	CREATE TABLE shop.orders_2020_01 (id uuid PRIMARY KEY);
	ALTER EVENT TRIGGER swap_before ENABLE;
	ALTER EVENT TRIGGER swap_after ENABLE;
	COMMIT;
));
my ($status, $stdout, $stderr) = $node->psql('postgres', $make);
like("$stdout$stderr", qr/ERROR:  could not serialize access: partition shop.orders_2020_01 has changed/,
	'a table of the transaction before is not taken for the one that was made');

$node->stop;
done_testing();
