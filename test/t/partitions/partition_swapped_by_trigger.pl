# Does a call notice that names lead to other tables of the same owner before it is at its end?  An
# event trigger lets two schemas swap their names while a command of the call runs.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('swapped_by_trigger');

# Two schemas with a table of the same name and partition.  One partition of others can
# be taken for that which a call makes.
sub create_schemas
{
	$node->safe_psql('postgres', <<'SQL');
CREATE SCHEMA hers;
CREATE TABLE hers.orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create('hers.orders', '2020-01-01', '2020-02-01', '1 month');
CREATE SCHEMA others;
CREATE TABLE others.orders (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT uuid_partition_create('others.orders', '2020-01-01', '2020-02-01', '1 month');
CREATE TABLE others.orders_2020_02 (id uuid PRIMARY KEY);
SQL
	return;
}

# The first command with this tag swaps the names.
sub swap_at
{
	my ($event, $tag) = @_;

	$node->safe_psql('postgres', <<"SQL");
CREATE SEQUENCE public.commands;
CREATE FUNCTION swap() RETURNS event_trigger LANGUAGE plpgsql AS \$\$
BEGIN
	IF tg_tag = '$tag' AND nextval('public.commands') = 1 THEN
		ALTER SCHEMA hers RENAME TO aside;
		ALTER SCHEMA others RENAME TO hers;
		ALTER SCHEMA aside RENAME TO others;
	END IF;
END \$\$;
CREATE EVENT TRIGGER swap ON $event WHEN TAG IN ('$tag') EXECUTE FUNCTION swap();
SQL
	return;
}

my %call = (
	create => q(SELECT uuid_partition_create('hers.orders', '2020-02-01', '2020-03-01', '1 month')),
	drop => q(SELECT uuid_partition_drop('hers.orders', '2020-02-01')));
foreach my $case (
	[ 'create', 'ddl_command_end', 'CREATE TABLE' ],
	[ 'create', 'ddl_command_start', 'ALTER TABLE' ],
	[ 'drop', 'ddl_command_start', 'ALTER TABLE' ],
	[ 'drop', 'ddl_command_start', 'DROP TABLE' ])
{
	my ($call, $event, $tag) = @$case;

	create_schemas();
	swap_at($event, $tag);
	like(at_once($call{$call}), qr/^could not serialize access: partition \S+ has changed/,
		"$call notices that schemas swap their names at $event of $tag");
	$node->safe_psql('postgres', <<'SQL');
SET client_min_messages = error;
DROP EVENT TRIGGER swap;
DROP FUNCTION swap;
DROP SEQUENCE commands;
DROP SCHEMA hers, others CASCADE;
SQL
}

$node->stop;
done_testing();
