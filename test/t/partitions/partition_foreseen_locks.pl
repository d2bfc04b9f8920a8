# Does partition_needed_locks() name all that the commands of a plan lock?  A removal takes all its locks before its
# commands, from this list, so that nobody waits for half of its work; a lock that the list lacked would be waited for in
# the middle.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Sessions;

my $node = server('foreseen_locks');
my $caller = session();

# A shop with all that hangs on a table: what it refers to and what refers to it, plain and partitioned,
# followers of both depths, partitions with partitions of their own, TOAST tables, default partitions, and partitions
# with a key, a statistics object, a trigger, an identity or a publication of their own.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE countries (id int PRIMARY KEY);
CREATE TABLE customers (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), name text) PARTITION BY RANGE (id);
CREATE TABLE customers_all PARTITION OF customers DEFAULT;
CREATE TABLE sales (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, country int NOT NULL REFERENCES countries,
	customer uuid REFERENCES customers, note text) PARTITION BY RANGE (id);
CREATE TABLE sales_rest PARTITION OF sales DEFAULT PARTITION BY LIST (id);
CREATE TABLE sales_rest_all PARTITION OF sales_rest DEFAULT;
CREATE TABLE complaints (sale uuid REFERENCES sales ON DELETE CASCADE, text text);
CREATE TABLE gifts (id uuid DEFAULT gen_uuidv7(), sale uuid REFERENCES sales) PARTITION BY HASH (id);
CREATE TABLE gifts_0 PARTITION OF gifts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE gifts_1 PARTITION OF gifts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
SELECT uuid_partition_create('sales', '2020-01-01 00:00+00', '2020-07-01 00:00+00', '1 month');
CREATE TABLE sales_2020_07 (LIKE sales INCLUDING ALL) PARTITION BY HASH (id);
CREATE TABLE sales_2020_07_a PARTITION OF sales_2020_07 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE sales_2020_07_b PARTITION OF sales_2020_07 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
ALTER TABLE sales ATTACH PARTITION sales_2020_07
FOR VALUES FROM (uuid_boundary('2020-07-01 00:00+00')) TO (uuid_boundary('2020-08-01 00:00+00'));
CREATE TABLE sales_until_now (LIKE sales INCLUDING ALL);
DO $$BEGIN EXECUTE format('ALTER TABLE sales ATTACH PARTITION sales_until_now FOR VALUES FROM (%L) TO (%L)',
	uuid_boundary('2020-08-01 00:00+00'), uuid_boundary(date_trunc('month', now(), 'UTC'))); END$$;
CREATE TABLE items (sale uuid, line int, customer uuid REFERENCES customers, text text, PRIMARY KEY (sale, line))
	PARTITION BY RANGE (sale);
SELECT uuid_partition_follow('items', 'sales');
CREATE TABLE item_photos (sale uuid, photo bytea, PRIMARY KEY (sale)) PARTITION BY RANGE (sale);
SELECT uuid_partition_follow('item_photos', 'sales');
-- what only one partition has
CREATE TABLE taxes (id int PRIMARY KEY) PARTITION BY LIST (id);
CREATE TABLE taxes_all PARTITION OF taxes DEFAULT;
ALTER TABLE sales_2020_01 ADD FOREIGN KEY (country) REFERENCES taxes, ADD CHECK (note <> '');
CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER tell AFTER INSERT ON sales_2020_01 FOR EACH ROW EXECUTE FUNCTION nothing();
CREATE STATISTICS sales_statistics ON country, customer FROM sales_2020_01;
CREATE POLICY all_rows ON sales_2020_01 USING (true);
CREATE PUBLICATION sales_published FOR TABLE sales_2020_01, countries;
CREATE SEQUENCE sales_numbers OWNED BY sales_2020_01.note;

-- the SQL edition drains no table to which others refer
CREATE TABLE entries (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, country int NOT NULL REFERENCES countries,
	customer uuid REFERENCES customers) PARTITION BY RANGE (id);
CREATE TABLE entries_rest PARTITION OF entries DEFAULT PARTITION BY LIST (id);
CREATE TABLE entries_rest_all PARTITION OF entries_rest DEFAULT;
INSERT INTO countries VALUES (1);
INSERT INTO entries VALUES (gen_uuidv7_at('2019-05-01 00:00+00'), 1);

-- what a call plans, and the strongest lock on each table that its commands will take by partition_needed_locks()
CREATE FUNCTION foreseen(parent regclass, followers regclass[], makes int, removal text, drains bool) RETURNS text
	LANGUAGE plpgsql SET search_path = uidext_internal, public, pg_catalog
AS $$
DECLARE
	deadline CONSTANT timestamptz := clock_timestamp() + '1 min';
	family partitioned_table[] := partition_begin(parent, followers, NULL, true, deadline);
	steps partition_step[] := CASE WHEN drains
		THEN ARRAY(SELECT s FROM partition_plan_periods(family[1],
			ARRAY[partition_gap(family[1], '2019-05-01 00:00+00', '1 month', 'UTC')], '1 month', 'UTC', 'drain') s)
		ELSE partition_plan(family, CASE WHEN makes > 0 THEN partition_missing(family[1], '1 month', makes, NULL, 'UTC') ELSE '{}' END,
			'1 month', 'UTC', deadline, CASE WHEN removal IS NOT NULL THEN timestamptz '2020-03-01 00:00+00' END, removal, 100) END;
BEGIN
	RETURN (
		SELECT string_agg(relation::regclass || ' ' || mode, E'\n' ORDER BY relation::regclass::text)
		FROM (
			SELECT DISTINCT ON (relation) relation, mode FROM partition_needed_locks(family, partition_with_group_numbers(steps))
			ORDER BY relation, array_position('{ACCESS EXCLUSIVE,SHARE ROW EXCLUSIVE,SHARE UPDATE EXCLUSIVE}', mode)
		) strongest);
END
$$;
CREATE TABLE before AS SELECT oid, oid::regclass::text AS name, relkind FROM pg_class;
SQL

# the same of what this session holds, but for indexes, which are locked with their table, and for what the call itself has made
my $held = <<'SQL';
SELECT string_agg(name || ' ' || mode, E'\n' ORDER BY name)
FROM (
	SELECT DISTINCT ON (l.relation) b.name, btrim(upper(regexp_replace(replace(l.mode, 'Lock', ''), '([A-Z])', ' \1', 'g'))) AS mode
	FROM pg_locks l JOIN before b ON b.oid = l.relation
	WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation'
		AND l.mode NOT IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
		AND b.relkind NOT IN ('i', 'I')
	ORDER BY l.relation,
		array_position(
			'{AccessExclusiveLock,ExclusiveLock,ShareRowExclusiveLock,ShareLock,ShareUpdateExclusiveLock}',
			l.mode)
) AS strongest
SQL

my $maintain = q{uuid_partition_maintain('sales', '1 month', 2, followers => '{items,item_photos}'};
my $removes = q{, keep => now() - timestamptz '2020-03-02 00:00+00'};
foreach my $case (
	[ 'uuid_partition_drop', q{'item_photos', '{}', 0, 'drop', false},
		q{uuid_partition_drop('item_photos', '2020-03-01 00:00+00')} ],
	[ 'uuid_partition_drop detach_only', q{'item_photos', '{}', 0, 'detach', false},
		q{uuid_partition_drop('item_photos', '2020-03-01 00:00+00', true)} ],
	[ 'uuid_partition_maintain that makes', q{'sales', '{items,item_photos}', 2, NULL, false}, "$maintain)" ],
	[ 'uuid_partition_maintain that makes and drops', q{'sales', '{items,item_photos}', 2, 'drop', false}, "$maintain$removes)" ],
	[ 'uuid_partition_maintain that makes and detaches', q{'sales', '{items,item_photos}', 2, 'detach', false},
		"$maintain$removes, detach_only => true)" ],
	[ 'uuid_partition_drain', q{'entries', '{}', 0, NULL, true},
		q{uidext_internal.partition_drain_next('entries', '1 month', 'UTC', NULL, NULL, 10, false, NULL, NULL)} ])
{
	my ($name, $plan, $call) = @$case;
	my $foreseen = answer_of($caller, "SELECT foreseen($plan)");
	$caller->query_safe("BEGIN; SELECT $call");
	is(answer_of($caller, $held), $foreseen, "the locks of $name are foreseen");
	$caller->query('ROLLBACK');
}

$caller->quit;
$node->stop;
done_testing();
