# Recipes take their locks in the order in which writers come to tables: sales before the items
# that refer to them, and the copy of a table last.  While a step waits for one, because a writer has
# been there, it holds no other that this writer may want next: else neither would get on, but
# for a timeout, and under many writers no step would ever get its locks.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $shop = new_shop('order', 'bigint', q(nextval('play.n')), identity => 1);
my $parts = q(CREATE TABLE shop.items (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), sale_id uuid REFERENCES shop.sales) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_create('shop.items', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day');
	CREATE TABLE shop.items_default PARTITION OF shop.items DEFAULT);
my $table = 'CREATE TABLE shop.items (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), sale_id uuid REFERENCES shop.sales)';
my @recipes = (
	[ change_key => 'sales', $table, { from => 'v4', created => 'at' } ],
	[ move_table => 'items', $table, { into => 'partitions' } ],
	[ move_table => 'sales', $table, { into => 'table' } ],
	[ merge_partitions => 'items', $parts, { start => '2026-01-01 00:00+00', step => '4 days' } ]);

# A writer that has been to sales, and ends when it has seen what the waiting step holds.
my $writes = 'INSERT INTO shop.sales DEFAULT VALUES';
my $looks = q(INSERT INTO play.held SELECT NULL WHERE false;
	DO $$ BEGIN LOOP
		INSERT INTO play.held SELECT held.relation::regclass::text FROM pg_locks w
			LEFT JOIN pg_locks held ON held.pid = w.pid AND held.granted AND held.mode = 'AccessExclusiveLock' AND held.locktype = 'relation'
				AND (SELECT relnamespace = 'shop'::regnamespace FROM pg_class WHERE oid = held.relation)
			WHERE NOT w.granted AND w.locktype = 'relation' AND w.relation = 'shop.sales'::regclass;
		EXIT WHEN FOUND OR NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'keeper' AND datname = current_database()
			AND wait_event IS DISTINCT FROM 'virtualxid');
		PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
	END LOOP; END $$;
	COMMIT);

foreach (@recipes)
{
	my ($name, $moved, $items, $told) = @$_;
	my $recipe = new_recipe(file => "$name.psql");
	my $waited = 0;

	sql($shop->{database}, "DROP TABLE IF EXISTS shop.items, shop.sales, play.held; CREATE TABLE play.held (relation text);
		SET ROLE keeper; CREATE TABLE shop.sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), at timestamptz NOT NULL DEFAULT now()); $items;
		GRANT ALL ON shop.sales, shop.items TO app; INSERT INTO shop.sales DEFAULT VALUES");
	foreach my $step (qw(prepare fill switch drop))
	{
		sql($shop->{database}, 'TRUNCATE play.held');
		my $result = while_waiting({ %$recipe, variables => sub { (table => "shop.$moved", $step eq 'prepare' ? %$told : ()) } }, $shop, $step,
			qr/CALL pg_temp.(?:prepare|fill|exchange_tables|add_constraints|switch|drop\()/, $writes, $looks);

		is($result->{status}, 0, "$name of $moved: $step beside a writer") or diag($result->{said});
		is(sql($shop->{database}, q(SELECT string_agg(relation, ' ') FROM play.held)), '', 'holds no table while it waits for that where writers begin');
		$waited += sql($shop->{database}, 'SELECT count(*) > 0 FROM play.held') eq 't';
	}
	cmp_ok($waited, '>', 0, "$name of $moved: a step has waited");
}

done_testing();
