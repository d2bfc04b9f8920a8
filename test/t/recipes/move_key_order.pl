# Foreign keys to one table act in the order in which they were made.  move_table.psql and merge_partitions.psql make them
# again, and they go on acting in this order: at each commit, and beside keys that the scripts leave as they are.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $shop = new_shop('key_order', 'bigint', q(nextval('play.n')), identity => 1);
my %recipes = map { ($_ => new_recipe(file => "$_.psql")) } qw(move_table merge_partitions);

sql($shop->{database}, "CREATE SCHEMA trade AUTHORIZATION keeper");

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = trade, public; $_[0]") }

# Keys in the order in which they act on rows of the table, once for the table and once for each other order that its
# partitions have.
sub acting
{
	my ($table) = @_;

	return keeper(qq(SELECT string_agg(DISTINCT keys, ' | ') FROM (
		SELECT string_agg(named.conname, ' ' ORDER BY first) AS keys FROM (
			SELECT t.tgrelid, c.conname, min(t.tgname::text COLLATE "C") AS first
			FROM pg_trigger t
			LEFT JOIN pg_trigger p ON p.oid = t.tgparentid
			JOIN pg_constraint c ON c.oid = coalesce(p.tgconstraint, t.tgconstraint)
			WHERE t.tgrelid IN (SELECT '$table'::regclass UNION SELECT relid FROM pg_partition_tree('$table')) AND t.tgtype & 8 > 0
				AND t.tgisinternal GROUP BY 1, 2) AS named GROUP BY tgrelid) AS of_tables));
}

my %wanted = (
	orders => 'z_items m_notes a_items k_lines',
	customers => 'z_orders m_invoices a_orders');

sub acts_as_before
{
	my ($when) = @_;

	is(acting($_), $wanted{$_}, "$when the keys to $_ act in the order in which they were made") foreach sort keys %wanted;
	is(keeper(q(
		BEGIN;
		DELETE FROM customers WHERE id = 1;
		SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM items),
			(SELECT count(*) FROM notes WHERE order_id IS NULL);
		ROLLBACK)),
		'35|35|35', "$when a customer goes with the orders and their items, and the notes stay");
	return;
}

# Looked at when the tables are exchanged, too, before the keys are proved.
sub goes
{
	my ($recipe, $table, $step, %variables) = @_;
	my $exchanged;

	my $result = step($recipes{$recipe}, $shop, $step, variables => { table => "trade.$table", %variables }, between => sub {
			acts_as_before("when $step of $table has exchanged") if $exchanged && $_[0] =~ /prove_keys/;
			$exchanged ||= $_[0] =~ /exchange_tables|attach_merged/;
			return;
		});
	is($result->{status}, 0, "$recipe $table $step") or diag($result->{said});
	acts_as_before("after $step of $table") if $step =~ /switch|back|drop/;
	return;
}

keeper(q(
	CREATE TABLE customers (id int PRIMARY KEY, region int NOT NULL DEFAULT 1, UNIQUE (region, id));
	INSERT INTO customers VALUES (1), (2);
	CREATE TABLE orders (id uuid PRIMARY KEY, tenant int NOT NULL DEFAULT 1, customer int, region int DEFAULT 1,
		UNIQUE (tenant, id));
	CREATE TABLE invoices (customer int);
	ALTER TABLE orders ADD CONSTRAINT z_orders FOREIGN KEY (customer) REFERENCES customers ON DELETE CASCADE;
	ALTER TABLE invoices ADD CONSTRAINT m_invoices FOREIGN KEY (customer) REFERENCES customers ON DELETE CASCADE;
	ALTER TABLE orders ADD CONSTRAINT a_orders FOREIGN KEY (region, customer) REFERENCES customers (region, id);
	CREATE TABLE items (order_id uuid, n int, tenant int DEFAULT 1, PRIMARY KEY (order_id, n)) PARTITION BY RANGE (order_id);
	SELECT count(*) FROM uuid_partition_create('items', date_trunc('day', now() - interval '3 days', 'UTC'), now(), '1 day');
	CREATE TABLE notes (order_id uuid); CREATE TABLE lines (order_id uuid, tenant int);
	ALTER TABLE items ADD CONSTRAINT z_items FOREIGN KEY (order_id) REFERENCES orders ON DELETE CASCADE;
	ALTER TABLE notes ADD CONSTRAINT m_notes FOREIGN KEY (order_id) REFERENCES orders ON DELETE SET NULL;
	ALTER TABLE items ADD CONSTRAINT a_items FOREIGN KEY (tenant, order_id) REFERENCES orders (tenant, id);
	ALTER TABLE lines ADD CONSTRAINT k_lines FOREIGN KEY (tenant, order_id) REFERENCES orders (tenant, id) ON DELETE CASCADE;
	INSERT INTO orders SELECT gen_uuidv7_at(now() - n * interval '1 hour'), 1, n % 2 + 1, 1 FROM generate_series(1, 70) n;
	INSERT INTO items SELECT id, 1 FROM orders;
	INSERT INTO notes SELECT id FROM orders;
	INSERT INTO lines SELECT id, 1 FROM orders;
	INSERT INTO invoices VALUES (1), (2)));
acts_as_before('at first');

# The table to which they lead, which has some itself.
goes('move_table', 'orders', $_, $_ eq 'prepare' ? (into => 'partitions', step => '1 day') : ())
	foreach qw(prepare fill switch back switch drop);
my $start = keeper(q(SELECT date_trunc('day', now() - interval '2 days', 'UTC')));
goes('merge_partitions', 'orders', $_, start => $start, step => '2 days') foreach qw(prepare fill switch drop);

# One from which some lead.
goes('move_table', 'items', $_, $_ eq 'prepare' ? (into => 'table') : ()) foreach qw(prepare fill switch back switch drop);
goes('move_table', 'orders', $_, $_ eq 'prepare' ? (into => 'table') : ()) foreach qw(prepare fill switch drop);

done_testing();
