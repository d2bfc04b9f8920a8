# A shop for the recipes that move rows: all that a table can have, and how it is
# described where it is partitioned or not.

package Moves;

use strict;
use warnings;

use Exporter qw(import);
use Recipes;
use Test::More;

our @EXPORT = qw(everything first_order label lone_reference old_snapshot problem renamed sees_defects shop
	truncate_refused unlabel);

# What a table can have beside its rows.  Others refer to it, one in partitions.
my $more = <<'SQL';
ALTER PUBLICATION shop_orders OWNER TO keeper;
ALTER PUBLICATION shop_orders SET (publish_via_partition_root);
ALTER TABLE shop.orders ADD COLUMN gone int, ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY, ADD COLUMN tally serial;
ALTER TABLE shop.orders DROP COLUMN gone;
SET ROLE keeper;
CREATE TABLE shop.shops (id int PRIMARY KEY);
INSERT INTO shop.shops VALUES (1), (2);
ALTER TABLE shop.orders ADD COLUMN shop_id int DEFAULT 1 CONSTRAINT "Shop" REFERENCES shop.shops ON DELETE SET NULL;
COMMENT ON CONSTRAINT "Shop" ON shop.orders IS 'the shop';
CREATE TABLE shop.notes (n int, order_id uuid REFERENCES shop.orders ON UPDATE CASCADE ON DELETE CASCADE) PARTITION BY HASH (n);
CREATE TABLE shop.notes_a PARTITION OF shop.notes FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE shop.notes_b PARTITION OF shop.notes FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE FUNCTION shop.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
$$ BEGIN INSERT INTO shop.notes VALUES (NEW.number, NEW.id); RETURN NULL; END $$;
CREATE TRIGGER note AFTER INSERT ON shop.orders FOR EACH ROW EXECUTE FUNCTION shop.note();
CREATE VIEW shop.totals WITH (security_barrier = true) AS SELECT id, total, number FROM shop.orders
	WHERE total > 0 AND created_at - '-1 day +02:00'::interval > '1999-02-03 04:05:06+00';
COMMENT ON VIEW shop.totals IS 'a view';
GRANT SELECT ON shop.totals TO reader;
CREATE STATISTICS shop.together (ndistinct) ON total, created_at FROM shop.orders;
COMMENT ON STATISTICS shop.together IS 'statistics';
ALTER STATISTICS shop.together SET STATISTICS 99;
ALTER TABLE shop.orders ALTER COLUMN id SET DEFAULT gen_uuidv7(),
	SET (fillfactor = 80, toast.autovacuum_enabled = off),
	REPLICA IDENTITY USING INDEX orders_pkey;
ALTER TABLE shop.orders ALTER COLUMN total SET (n_distinct = 50);
COMMENT ON POLICY mine ON shop.orders IS 'a policy';
COMMENT ON INDEX shop.orders_made IS 'made';
CREATE TRIGGER z_min_update BEFORE UPDATE ON shop.orders FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
ALTER TABLE shop.orders DISABLE TRIGGER z_min_update;
COMMENT ON TRIGGER touch ON shop.orders IS 'a trigger';
RESET ROLE;
GRANT USAGE ON SEQUENCE shop.orders_number_seq, shop.orders_tally_seq TO app;
GRANT SELECT ON SEQUENCE shop.orders_number_seq TO reader WITH GRANT OPTION;
GRANT SELECT, DELETE ON shop.shops TO app;
SQL

# Partitions of its own are described by themselves; and what a description of all tables leaves out.
my $beside = <<'SQL';
SELECT format('relation %s owner %s acl %s rls %s %s comment %s', c.oid::regclass, relowner::regrole,
	(SELECT array_agg(a ORDER BY a::text) FROM unnest(relacl) AS a), relrowsecurity, relforcerowsecurity,
	obj_description(c.oid, 'pg_class'))
FROM pg_class c WHERE relnamespace = 'shop'::regnamespace AND relkind IN ('r', 'p', 'v', 'S') AND NOT relispartition
UNION ALL
SELECT format('identity %s %s %s %s', c.relname, attname, attidentity, seqincrement)
FROM pg_sequence JOIN pg_depend ON objid = seqrelid AND deptype IN ('i', 'a') AND classid = 'pg_class'::regclass
	JOIN pg_class c ON c.oid = objid JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
UNION ALL
SELECT format('option %s %s', attname, o)
FROM pg_attribute, unnest(attoptions) AS o
WHERE attrelid = 'shop.orders'::regclass AND o ~ '^n_distinct'
UNION ALL
SELECT format('statistics %s %s %s', pg_get_statisticsobjdef(pg_statistic_ext.oid),
	obj_description(pg_statistic_ext.oid, 'pg_statistic_ext'), nullif(stxstattarget, -1))
FROM pg_statistic_ext JOIN pg_class c ON c.oid = stxrelid WHERE NOT relispartition
UNION ALL
SELECT format('comment of trigger %s %s', tgname, obj_description(oid, 'pg_trigger'))
FROM pg_trigger
WHERE tgrelid = 'shop.orders'::regclass AND tgparentid = 0 AND NOT tgisinternal
UNION ALL
SELECT format('comment of policy %s %s', polname, obj_description(oid, 'pg_policy')) FROM pg_policy
UNION ALL
SELECT format('view %s %s %s', c.oid::regclass, reloptions, pg_get_viewdef(c.oid))
FROM pg_class c
WHERE relnamespace = 'shop'::regnamespace AND relkind = 'v'
ORDER BY 1
SQL

sub everything
{
	return sql($_[0]{database}, 'SELECT * FROM play.description(true) d ORDER BY d COLLATE "C"')
		. sql($_[0]{database}, $beside);
}

# A table in partitions and one without are described alike.
sub seen
{
	my ($shop, $all) = @_;
	my @lines = map { s/ ON ONLY / ON /r =~ s/^(index .*) cluster [tf] /$1 /r }
		grep { !/^table shop\.(?:orders|lines) / } split /\n/, $all;

	return join "\n", @lines, sql($shop->{database}, $beside);
}

# An order from before all others, so that each other one finds a partition.
sub first_order
{
	my ($shop) = @_;

	sql($shop->{database}, q(INSERT INTO shop.orders (id, label) SELECT gen_uuidv7_at(now() - interval '99 days'), 'first'
		WHERE NOT EXISTS (SELECT FROM play.orders WHERE label = 'first');
		INSERT INTO play.orders VALUES ('first', 1) ON CONFLICT DO NOTHING));
	return;
}

sub shop
{
	my ($name, %how) = @_;
	my $make = 'gen_uuidv7_at(now() - (nextval($$play.n$$) * 7919 % 90) * interval $$1 day$$)';
	my $shop = new_shop($name, 'uuid', $make, seen => \&seen, more => $more, parts_too => 0, told => { into => 'partitions' }, %how);

	first_order($shop);
	return $shop;
}

# Prepare is refused while there is something that cannot be carried over.
sub problem
{
	my ($recipe, $shop, $made, $unmade, $what, $error) = @_;

	sql($shop->{database}, $made);
	refused($recipe, $shop, 'prepare', $error // 'the rows cannot be moved like this', $what);
	sql($shop->{database}, $unmade);
	return;
}

# A security label, without a provider of any.
sub label
{
	return qq(
		SET allow_system_table_mods = on;
		INSERT INTO pg_seclabel VALUES ('$_[0]'::regclass, 'pg_class'::regclass, 1, 'none', 'secret'));
}

sub unlabel { return 'SET allow_system_table_mods = on; DELETE FROM pg_seclabel' }

# A foreign key to the table that one partition of another table has, and the other partition has not.
sub lone_reference
{
	return 'SET ROLE keeper; CREATE TABLE shop.gifts (shop int, order_id uuid) PARTITION BY LIST (shop);
		CREATE TABLE shop.gifts_1 PARTITION OF shop.gifts FOR VALUES IN (1);
		CREATE TABLE shop.gifts_2 PARTITION OF shop.gifts FOR VALUES IN (2);
		ALTER TABLE shop.gifts_1 ADD FOREIGN KEY (order_id) REFERENCES shop.orders';
}

# A table that has another name meanwhile.
sub renamed
{
	my ($recipe, $shop) = @_;

	sql($shop->{database}, 'ALTER TABLE shop.orders RENAME TO sales');
	my $result = step($recipe, $shop, 'fill', variables => { $recipe->{variables}->($shop), table => 'shop.sales' });
	like($result->{said}, qr/ERROR:  table shop.sales has been renamed.*HINT: .* function shop.\w+_orders\(\)/s,
		'a name that another has');
	sql($shop->{database}, 'ALTER TABLE shop.sales RENAME TO orders');
	return;
}

# A writer whose snapshot is older than what fill has copied is told to try again.
sub old_snapshot
{
	my ($recipe, $shop, $node, $copy, $moved) = @_;
	my $label = sql($shop->{database}, "SELECT min(label) FROM shop.orders WHERE $moved");

	foreach my $change (q(UPDATE shop.orders SET total = 7), q(DELETE FROM shop.orders))
	{
		my $writer = $node->background_psql($shop->{database}, on_error_stop => 0);

		$writer->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM shop.orders');
		sql($shop->{database}, "TRUNCATE $copy");
		succeeds($recipe, $shop, 'fill', 'beside an old snapshot');
		$writer->query("$change WHERE label = '$label'");
		like($writer->{stderr}, qr/could not serialize access/, "$change is a serialization failure");
		$writer->quit;
	}
	return;
}

sub truncate_refused
{
	my ($shop, $node) = @_;
	my ($status, $out, $error) = $node->psql($shop->{database}, 'TRUNCATE shop.orders, shop.lines, shop.notes');

	like($error, qr/is being moved: DELETE its rows instead/, 'TRUNCATE is refused');
	return;
}

# Old defects, put back into a copy of the script, are seen.
sub sees_defects
{
	my ($recipe, $new_shop) = @_;
	my $shop = $new_shop->('defect');
	my $defective = with_defect($recipe, 'goes_on', 'CALL pg_temp.demand_equal\(tables, copy\);' => 1);

	step($defective, $shop, 'prepare');
	step($defective, $shop, 'fill', between => sub { $_[0] =~ /fill_copy/ ? 'x' : undef });
	sees('a switch after a failed fill',
		sub { refused($defective, $shop, 'switch', 'nothing has been changed', 'after a fill that failed') });

	$shop = $new_shop->('defect');
	$defective = with_defect($recipe, 'hides', 'SET row_security = off;' => 1);
	sees('row security that hides rows', sub { under_row_security($defective, $shop, 'orders') });

	$shop = $new_shop->('defect');
	$defective = with_defect($recipe, 'keeps', q(SET default_transaction_isolation = 'read committed';) => 1);
	sql('postgres', q(ALTER ROLE keeper SET default_transaction_isolation = 'repeatable read'));
	sees('a snapshot that is kept', sub { finishes($defective, $shop, 'an old snapshot', $recipe->{steps}) });
	sql('postgres', 'ALTER ROLE keeper RESET default_transaction_isolation');
	return;
}

1;
