# What becomes of all that a partition can have when partitions are made and go, as
# doc/partition-matrix.md says: each property that the server's catalogs know, with
# each call, and with a dry run of it; a family's for every third property, because its plan is
# made of those of its tables.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use PartitionMatrix;

my $node = PostgreSQL::Test::Cluster->new('matrix');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nwal_level = logical");
$node->start;
my $major = int($node->safe_psql('postgres', 'SHOW server_version_num') / 10000);

# The list has all columns, and no more.
foreach my $catalog (catalogs())
{
	my $columns = $node->safe_psql('postgres', qq(
		SELECT string_agg(attname, ' ' ORDER BY attname COLLATE "C")
		FROM pg_attribute
		WHERE attrelid = '$catalog'::regclass AND attnum > 0 AND NOT attisdropped));

	is(join(' ', columns($catalog, $major)), $columns, "the list names each column of $catalog in PostgreSQL $major");
}

# One month of orders, and of payments, which follow them; a shop that is no superuser's.
my $directory = PostgreSQL::Test::Utils::tempdir();
$node->safe_psql('postgres', "CREATE TABLESPACE elsewhere LOCATION '$directory'");
$node->safe_psql(
	'postgres', q(
	CREATE EXTENSION uidext;
	CREATE ROLE shopkeeper;
	CREATE ROLE other_owner;
	CREATE ROLE reader;
	CREATE ACCESS METHOD second_heap TYPE TABLE HANDLER heap_tableam_handler;

	-- with the partitions that an operation finds
	CREATE PROCEDURE make_shop(operation text) LANGUAGE plpgsql AS $$
	DECLARE
		name text;
	BEGIN
		GRANT CREATE ON TABLESPACE elsewhere TO shopkeeper;
		GRANT CREATE ON SCHEMA public TO shopkeeper, other_owner;
		CREATE SCHEMA months AUTHORIZATION shopkeeper;
		SET LOCAL ROLE shopkeeper;
		CREATE TABLE customers (id int PRIMARY KEY);
		INSERT INTO customers VALUES (1);
		CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
		FOREACH name IN ARRAY '{orders, payments}'::text[] LOOP
			EXECUTE format('CREATE TABLE %I (id uuid PRIMARY KEY, customer int, total numeric, body text) PARTITION BY RANGE (id)', name);
		END LOOP;
		EXECUTE format('CREATE TABLE orders_2020_01 PARTITION OF orders FOR VALUES FROM (%L) TO (%L)',
			uuid_boundary('2020-01-01 00:00+00'), uuid_boundary('2020-02-01 00:00+00'));
		IF operation IN ('follow', 'maintain a family') THEN
			PERFORM uuid_partition_follow('payments', 'orders');
		END IF;
		IF operation IN ('drop', 'detach', 'follow') THEN
			PERFORM uuid_partition_create('orders', '2020-02-01 00:00+00', '2020-03-01 00:00+00', '1 month');
		END IF;
		RESET ROLE;
	END $$;

	CREATE PROCEDURE drop_shop() LANGUAGE plpgsql AS $$
	BEGIN
		DROP OWNED BY shopkeeper, other_owner CASCADE;
		DROP TABLE IF EXISTS judged;
		DROP PUBLICATION IF EXISTS of_month;
	END $$;

	CREATE FUNCTION value_of(query text, partition regclass) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		value text;
	BEGIN
		EXECUTE replace(query, 'PARTITION', quote_literal(partition::oid) || '::oid::regclass') INTO value;
		RETURN value;
	END $$;

	-- gives the property to a month or its table, and returns its value then
	CREATE FUNCTION give(setting text, query text, month regclass) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		plain text := value_of(query, month);
		parent regclass := (SELECT inhparent FROM pg_inherits WHERE inhrelid = month);
		bounds text := (SELECT pg_get_expr(relpartbound, 0) FROM pg_class WHERE oid = month);
		name text := month;
		given text;
	BEGIN
		SET LOCAL ROLE shopkeeper;
		EXECUTE replace(replace(replace(setting, '{partition}', name), '{table}', parent::text), '{bounds}', bounds);
		RESET ROLE;
		-- a schema may be another, and the partition another one of these bounds
		SELECT value_of(query, inhrelid) INTO given FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
		WHERE inhparent = parent AND pg_get_expr(relpartbound, 0) = bounds;
		IF given IS NOT DISTINCT FROM plain THEN
			RAISE EXCEPTION '% changes nothing: %', setting, given;
		END IF;
		RETURN given;
	END $$;

	-- what a new partition has of a property
	CREATE FUNCTION compare(found text, wanted text, plain text, of_table text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN found IS NOT DISTINCT FROM wanted THEN 'copied' WHEN found IS NOT DISTINCT FROM plain THEN 'not copied'
		WHEN found IS NOT DISTINCT FROM of_table THEN 'as the table' ELSE format('%s instead of %s', found, wanted) END
	$$;

	CREATE FUNCTION run(call text) RETURNS text LANGUAGE plpgsql AS $$
	-- The SQLSTATE of a problem that a call returns or raises, or NULL.
	DECLARE
		problem text;
	BEGIN
		SET LOCAL ROLE shopkeeper;
		EXECUTE format('SELECT min(left(problem, 5)) FROM %s', call) INTO problem;
		RESET ROLE;
		RETURN problem;
	EXCEPTION WHEN OTHERS THEN
		RETURN SQLSTATE;
	END $$;

	CREATE FUNCTION of_table(query text, parent regclass) RETURNS text LANGUAGE plpgsql AS $$
	-- What a partition has that comes of the table alone.
	DECLARE
		value text;
	BEGIN
		EXECUTE format('CREATE TABLE plain PARTITION OF %s FOR VALUES FROM (%L) TO (%L)', parent,
			uuid_boundary('1999-01-01 00:00+00'), uuid_boundary('1999-02-01 00:00+00'));
		value := value_of(query, 'plain');
		DROP TABLE plain;
		RETURN value;
	END $$;

	-- what becomes of a property in one call, which is undone
	CREATE FUNCTION outcome(operation text, setting text, query text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		follows CONSTANT bool := operation IN ('follow', 'maintain a family');
		parent CONSTANT regclass := CASE WHEN follows THEN 'payments' ELSE 'orders' END;
		month regclass;
		known oid[];
		call text;
		plain text;
		wanted text;
		table_alone text;
		foretells bool;
		foretold text;
		problem text;
		result text;
	BEGIN
		month := parent::text || '_2020_01';
		plain := value_of(query, month);
		wanted := give(setting, query, month);
		month := coalesce(to_regclass(parent::text || '_2020_01'), to_regclass('months.' || parent || '_2020_01'));
		call := CASE operation
			WHEN 'create' THEN '(SELECT NULL AS problem
				FROM uuid_partition_create(''orders'', ''2020-02-01 00:00+00'', ''2020-03-01 00:00+00'', ''1 month'')) made'
			WHEN 'maintain' THEN 'uuid_partition_maintain(''orders'', ''100 years'', 0, dry_run => DRY)'
			WHEN 'maintain a family'
				THEN 'uuid_partition_maintain(''orders'', ''100 years'', 0, followers => ''{payments}'', dry_run => DRY)'
			WHEN 'follow' THEN 'uuid_partition_follow(''payments'', ''orders'', dry_run => DRY)'
			WHEN 'drop' THEN 'uuid_partition_drop(''orders'', ''2020-02-01 00:00+00'', dry_run => DRY)'
			WHEN 'detach' THEN 'uuid_partition_drop(''orders'', ''2020-02-01 00:00+00'', detach_only => true, dry_run => DRY)'
		END;
		IF operation NOT IN ('drop', 'detach') AND (SELECT relkind FROM pg_class WHERE oid = month) = 'r' THEN
			table_alone := of_table(query, parent);
		END IF;
		known := ARRAY(SELECT inhrelid FROM pg_inherits WHERE inhparent = parent);
		foretells := CASE operation
			WHEN 'create' THEN false
			WHEN 'maintain a family' THEN hashtext(setting || query) % 3 = 0
			ELSE true
			END;
		IF foretells THEN
			foretold := run(replace(call, 'DRY', 'true'));
		END IF;
		IF value_of(query, month) IS DISTINCT FROM wanted
			OR EXISTS (SELECT FROM pg_inherits WHERE inhparent = parent AND inhrelid <> ALL (known)) THEN
			RAISE EXCEPTION 'a dry run changes something';
		END IF;
		problem := run(replace(call, 'DRY', 'false'));
		result := CASE
			WHEN problem IS NOT NULL THEN 'refused ' || problem
			WHEN operation = 'drop' THEN CASE WHEN EXISTS (SELECT FROM pg_class WHERE oid = month) THEN 'still there' ELSE 'gone' END
			WHEN value_of(query, month) IS DISTINCT FROM wanted THEN CASE
				WHEN operation = 'detach' THEN 'not kept'
				ELSE format('%s has it no more', month)
				END
			WHEN operation = 'detach' THEN CASE
				WHEN EXISTS (SELECT FROM pg_inherits WHERE inhrelid = month) THEN 'still there'
				ELSE 'kept'
				END
			ELSE (
				SELECT compare(value_of(query, inhrelid), wanted, plain, table_alone)
				FROM pg_inherits
				WHERE inhparent = parent AND inhrelid <> ALL (known))
		END;
		result := coalesce(result, 'nothing made') || CASE
			WHEN foretells
				AND foretold IS DISTINCT FROM problem THEN format(
					', where a dry run says %s', coalesce(foretold, 'nothing'))
			ELSE ''
			END;
		RAISE EXCEPTION USING ERRCODE = 'ZZZZZ', MESSAGE = result;
	EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
		RETURN SQLERRM;
	END $$;
));

my $session = $node->background_psql('postgres', on_error_stop => 0);
$session->query_safe('SET client_min_messages = error');

sub outcome
{
	my ($property, $operation) = @_;
	my $found = $session->query(qq(
		SELECT outcome('$operation', \$set\$$property->{set}\$set\$, \$query\$$property->{value}\$query\$)));
	my $said = $session->{stderr};

	$session->{stderr} = '';
	return $said || $found;
}

# A drain commits: what it leaves is dropped.
sub outcome_of_drain
{
	my ($property) = @_;
	my $stdout = $session->query(qq(
		SET client_min_messages = warning;
		CALL make_shop('drain');
		SET ROLE shopkeeper;
		CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
		INSERT INTO orders VALUES (gen_uuidv7_at('2019-05-05 00:00+00'), 1, 1, 'paid');
		RESET ROLE;
		CREATE TABLE judged AS
		SELECT value_of(\$query\$$property->{value}\$query\$, 'orders_2020_01') AS plain, NULL::text AS wanted,
			NULL::text AS of_table;
		UPDATE judged SET wanted = give(\$set\$$property->{set}\$set\$, \$query\$$property->{value}\$query\$, 'orders_2020_01');
		BEGIN;
		UPDATE judged SET of_table = of_table(\$query\$$property->{value}\$query\$, 'orders')
		WHERE EXISTS (SELECT FROM pg_class WHERE relname = 'orders_2020_01' AND relkind = 'r');
		COMMIT;
		SET ROLE shopkeeper;
		CALL uuid_partition_drain('orders', '1 month');
		RESET ROLE;
		SELECT compare(value_of(\$query\$$property->{value}\$query\$, c.oid), wanted, plain, of_table)
		FROM judged, pg_class c
		WHERE c.relname = 'orders_2019_05';
		SET client_min_messages = error;
	));
	my $stderr = $session->{stderr};

	$session->{stderr} = '';
	$session->query_safe('CALL drop_shop()');
	return "refused $1" if $stderr =~ /(?:DETAIL:  |ERROR:  )(\w{5}):/;
	return $stderr =~ /ERROR:  ([^\n]*)/ ? $1 : $stdout;
}

foreach my $operation (operations(), 'maintain a family')
{
	$session->query_safe("CALL make_shop('$operation')") if $operation ne 'drain';
	foreach my $property (grep { ($_->{since} // 0) <= $major } properties())
	{
		my $found = $operation eq 'drain' ? outcome_of_drain($property) : outcome($property, $operation);

		is($found, expected($property, $operation), "$property->{name}, $operation");
	}
	$session->query_safe('CALL drop_shop()') if $operation ne 'drain';
}

is(slurp_file(dirname(__FILE__) . '/../../../doc/partition-matrix.md'), page(),
	'doc/partition-matrix.md is up to date: the head of test/t/include/PartitionMatrix.pm says how it is made');

$session->quit;
$node->stop;
done_testing();
