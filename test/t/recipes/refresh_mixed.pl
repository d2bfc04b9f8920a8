# refresh_mixed.psql against every adversity: no row is changed, whatever stops it.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Moves;
use Recipes;

my $node = server(plans => 1);
my @steps = qw(prepare fill);
my $recipe = new_recipe(file => 'refresh_mixed.psql', steps => \@steps, variables => sub { (table => 'shop.orders') });

# Half of the ids are random.  What the recipe makes is asked for by itself.
sub mixed
{
	my ($name) = @_;
	my $shop = shop($name,
		more => "ALTER TABLE shop.orders ALTER COLUMN id SET DEFAULT gen_random_uuid(); GRANT USAGE ON SCHEMA shop TO app",
		seen => sub { join "\n", grep { !/only_v7|orders_v7/ } split /\n/, $_[1] });

	sql($shop->{database}, q(UPDATE shop.orders SET id = gen_random_uuid() WHERE right(label, 1) < '5'));
	$shop->{description} = Recipes::description($shop);
	return $shop;
}

# In schema shop: the temporary one of a session that was killed is cleaned when another uses it.
sub made
{
	return sql($_[0]{database}, q(
		SELECT pg_get_expr(adbin, adrelid),
			to_regclass('shop.orders_v7') IS NOT NULL,
			(SELECT count(*) FROM pg_trigger WHERE tgname = 'only_v7' AND tgparentid = 0),
		(SELECT count(*) FROM pg_proc WHERE pronamespace = 'shop'::regnamespace AND proname ~ 'only_v7'),
		(SELECT count(*) FROM pg_index WHERE NOT indisvalid)
		FROM pg_attrdef WHERE adrelid = 'shop.orders'::regclass AND adnum = 1));
}

{
	my $shop = mixed('mixed');
	my $go = goes_on($shop);
	my $size = 'SELECT pg_relation_filenode(%s)';
	my $before = sql($shop->{database}, sprintf $size, q('shop.orders_pkey'));

	finishes($recipe, $shop, 'mixed', ['prepare'], between => $go);
	my ($status, $out, $error) = $node->psql($shop->{database}, q(INSERT INTO shop.orders VALUES (gen_random_uuid(), 'random')));
	like($error, qr/table shop.orders takes UUIDv7 only/, 'random ids are refused');
	my $upsert = q(
		INSERT INTO shop.orders (id, label)
		SELECT id, label
		FROM shop.orders
		WHERE NOT uuidv7_is_valid(id)
		LIMIT 1
		ON CONFLICT (id) DO %s);
	sql($shop->{database}, sprintf $upsert, $_) foreach 'UPDATE SET total = orders.total', 'NOTHING';
	sql($shop->{database}, q(UPDATE shop.orders SET touched = 0 WHERE NOT uuidv7_is_valid(id)));
	finishes($recipe, $shop, 'mixed', ['fill'], between => $go);
	is(made($shop), 'gen_uuidv7()|t|1|1|0', 'default, index and trigger are there');
	isnt(sql($shop->{database}, sprintf $size, q('shop.orders_pkey')), $before, 'the index is new');
	is(sql($shop->{database}, q(
		SELECT count(*) FROM shop.orders WHERE uuidv7_is_valid(id))
		. q( AND id >= '00000000-0000-0000-0000-000000000000')),
		sql($shop->{database},
			q(
				SET enable_indexscan = off;
				SET enable_bitmapscan = off;
				SELECT count(*) FROM shop.orders WHERE uuidv7_is_valid(id))), 'and finds the new ids');
	finishes($recipe, $shop, 'there and back', [qw(prepare fill back)], between => $go);
	is(made($shop), 'gen_random_uuid()|f|0|0|0', 'all is as it was');
	refused($recipe, $shop, $_, 'are not being refreshed', 'then') foreach qw(fill back);
	refused($recipe, $shop, 'drop', 'there is no step "drop".*HINT:  Pass -v do=prepare or fill or back', 'no step of this recipe');
}

{
	my $shop = mixed('stopped');

	stopped_everywhere($recipe, $shop);
	is(made($shop), 'gen_uuidv7()|t|1|1|0', 'stopped and run again: nothing is left behind');
	stopped_everywhere({ %$recipe, steps => ['back'] }, $shop);
	is(made($shop), 'gen_random_uuid()|f|0|0|0', 'nor by back');
}

# What a table is called meanwhile is its owner's.
{
	my $shop = mixed('renamed');
	my $renamed = { %$recipe, variables => sub { (table => 'shop.ordered') } };

	succeeds($recipe, $shop, 'prepare', 'before another name');
	sql($shop->{database}, 'ALTER TABLE shop.orders RENAME TO ordered');
	is(step($renamed, $shop, 'fill')->{status}, 0, 'under another name');
	sql($shop->{database}, 'ALTER TABLE shop.ordered RENAME TO orders');
	succeeds($recipe, $shop, 'fill', 'again under its own');
	sql($shop->{database}, 'ALTER TABLE shop.orders RENAME TO ordered');
	is(step($renamed, $shop, 'back')->{status}, 0, 'undone under another name');
	sql($shop->{database}, 'ALTER TABLE shop.ordered RENAME TO orders');
	is(made($shop), 'gen_random_uuid()|f|0|0|0', 'all is as it was');
}

# So is the column; and what a child table or a partition has as its own default is not the recipe's.
{
	my $shop = new_shop('defaults', 'uuid', 'gen_random_uuid()', identity => 0);
	my $play = sub {
		my ($step, %more) = @_;
		return step($recipe, $shop, $step, variables => { table => 'shop.marks', %more });
	};
	my $defaults = q(
		SELECT string_agg(concat(adrelid::regclass, ' ', pg_get_expr(adbin, adrelid)), ', ' ORDER BY adrelid)
		FROM pg_attrdef WHERE adrelid::regclass::text ~ 'marks');

	sql($shop->{database}, q(
		SET ROLE keeper;
		CREATE FUNCTION shop.random_id() RETURNS uuid LANGUAGE sql AS 'SELECT gen_random_uuid()';
		CREATE TABLE shop.marks (id uuid PRIMARY KEY DEFAULT gen_random_uuid());
		CREATE TABLE shop.marks_of_guests (id uuid DEFAULT shop.random_id()) INHERITS (shop.marks);
		CREATE TABLE shop.marks_of_others () INHERITS (shop.marks)));
	my $before = sql($shop->{database}, $defaults);
	each_succeeds($play, 'a table with children', 'prepare');
	is(sql($shop->{database}, $defaults), $before =~ s/gen_random_uuid/gen_uuidv7/r, 'prepare gives the table alone its default');
	sql($shop->{database}, 'ALTER TABLE ONLY shop.marks ALTER id SET DEFAULT gen_random_uuid()');
	each_succeeds($play, 'after another default', 'prepare');
	is(sql($shop->{database}, $defaults), $before =~ s/gen_random_uuid/gen_uuidv7/r, 'also when it is said again');
	each_succeeds($play, 'a table with children', 'fill', 'back');
	is(sql($shop->{database}, $defaults), $before, 'back gives the table alone its old one');

	each_succeeds($play, 'before a column is renamed', 'prepare', 'fill');
	sql($shop->{database}, 'ALTER TABLE shop.marks RENAME id TO mark');
	each_succeeds($play, 'after it', 'prepare', 'fill');
	is_refused_by(sub { $play->($_[0], column => 'id') }, 'the name that the column had', 'back',
		qr/with column="mark", not "id"\nHINT:  Leave the variable out to go on/);
	each_succeeds(sub { $play->($_[0], column => 'mark') }, 'the name that it has', 'fill', 'back');
	is(sql($shop->{database}, $defaults), $before, 'nothing is left');
}

#
# Stopped while it waits: for a table that another transaction has written to.
# An index that is not finished does not stay.
#
{
	my $shop = mixed('waiting');
	my $writes = 'UPDATE shop.orders SET total = total';

	stopped_while_waiting($recipe, $shop, 'prepare', qr/CALL pg_temp.prepare/, $writes);
	foreach my $statement (qr/^CREATE INDEX CONCURRENTLY/, qr/^REINDEX INDEX CONCURRENTLY/)
	{
		stopped_while_waiting($recipe, $shop, 'fill', $statement, $writes);
		is(made($shop), 'gen_uuidv7()|t|1|1|0', 'no unfinished index stays');
		sql($shop->{database}, 'DROP INDEX shop.orders_v7');
	}
	stopped_while_waiting($recipe, $shop, 'back', qr/CALL pg_temp.back/, $writes);
	is(made($shop), 'gen_random_uuid()|f|0|0|0', 'all is as it was');
}

foreach my $level ('repeatable read', 'serializable')
{
	my $shop = mixed('level');
	sql('postgres', "ALTER ROLE $_ SET default_transaction_isolation = '$level'") foreach qw(keeper app);
	finishes({ %$recipe, psqlrc => '/dev/null' }, $shop, $level, \@steps, between => goes_on($shop));
	sql('postgres', "ALTER ROLE $_ RESET default_transaction_isolation") foreach qw(keeper app);
}

under_row_security($recipe, mixed('security'), 'orders');

#
# A transaction whose snapshot is older than fill, which waits for it.
#
{
	my $shop = mixed('snapshot');

	succeeds($recipe, $shop, 'prepare', 'before an old snapshot');
	my $result = while_waiting($recipe, $shop, 'fill', qr/^CREATE INDEX CONCURRENTLY/,
		'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM shop.orders',
		q(
			UPDATE shop.orders SET touched = touched WHERE label <> '';
			INSERT INTO shop.orders (label) SELECT 'from an old snapshot';
			COMMIT));
	is($result->{status}, 0, 'fill beside an old snapshot') or diag($result->{said});
	sql($shop->{database}, q(INSERT INTO play.orders VALUES ('from an old snapshot', 1)));
	finishes($recipe, $shop, 'after it', []);
	is(made($shop), 'gen_uuidv7()|t|1|1|0', 'and finished');
	is(differences($shop, 'old'), '', 'no row lost, no reference');
}

#
# Whatever the tables have is left to them: orphans, what is not proved, what others
# made of them, a row that came while the trigger was off; and none of it stops a step.
#
{
	my $shop = mixed('stays');

	sql($shop->{database}, q(ALTER TABLE shop.orders ADD CONSTRAINT later CHECK (total > 1) NOT VALID;
		CREATE TABLE shop.strays AS SELECT gen_random_uuid() AS order_id;
		ALTER TABLE shop.strays ADD FOREIGN KEY (order_id) REFERENCES shop.orders NOT VALID;
		ALTER TABLE shop.orders ADD EXCLUDE (id WITH =);
		CREATE MATERIALIZED VIEW shop.seen AS SELECT * FROM shop.orders;
		GRANT UPDATE (total) ON shop.orders TO reader));
	$shop->{description} = Recipes::description($shop);
	finishes($recipe, $shop, 'what stays', [qw(prepare back prepare)]);
	sql($shop->{database}, q(ALTER TABLE shop.orders DISABLE TRIGGER only_v7;
		INSERT INTO shop.orders (id, label, total) VALUES ('00000000-0000-4000-8000-000000000000', 'random', 2);
		INSERT INTO play.orders VALUES ('random', 2); ALTER TABLE shop.orders ENABLE TRIGGER only_v7));
	finishes($recipe, $shop, 'and a random id', ['fill']);
	sql($shop->{database}, 'TRUNCATE shop.orders, shop.lines, shop.strays; TRUNCATE play.orders, play.lines');
	finishes($recipe, $shop, 'after TRUNCATE', [qw(fill back)]);
	is(made($shop), 'gen_random_uuid()|f|0|0|0', 'all is as it was');
}

#
# What is somebody else's stays, and so does a column that is no uuid.
#
{
	my $shop = mixed('others');
	my $of_column = sub { my ($column) = @_; return { %$recipe, variables => sub { (table => 'shop.orders', column => $column) } } };

	refused($of_column->('label'), $shop, 'prepare', 'no column "label" of type uuid', 'a column by name');
	finishes($of_column->(''), $shop, 'the column of the primary key', [qw(prepare back)]);

	sql($shop->{database}, q(SET ROLE keeper; CREATE TABLE shop.parts (id uuid PRIMARY KEY) PARTITION BY HASH (id);
		CREATE TABLE shop.part PARTITION OF shop.parts FOR VALUES WITH (MODULUS 1, REMAINDER 0)));
	my $part = { %$recipe, variables => sub { (table => 'shop.part') } };
	refused($part, $shop, 'prepare', 'is a partition', 'whose default rows of its table do not get');
	refused({ %$recipe, variables => sub { (table => 'shop.parts') } }, $shop, 'prepare',
		'is partitioned\nHINT:  This recipe takes a table without partitions\. Of a partitioned table do by hand',
		'a partitioned table, with what to do by hand');
	sql($shop->{database}, 'ALTER TABLE shop.parts DETACH PARTITION shop.part');
	succeeds($part, $shop, 'prepare', 'a table');
	sql($shop->{database}, 'ALTER TABLE shop.parts ATTACH PARTITION shop.part FOR VALUES WITH (MODULUS 1, REMAINDER 0)');
	succeeds($part, $shop, 'back', 'which is a partition now');
	sql($shop->{database}, 'DROP TABLE shop.parts');

	# What the recipe makes calls functions with the rights of who writes.
	foreach my $function ('gen_uuidv7()', 'uuidv7_is_valid(uuid)')
	{
		sql($shop->{database}, "REVOKE EXECUTE ON FUNCTION $function FROM PUBLIC; GRANT EXECUTE ON FUNCTION $function TO keeper");
		refused($recipe, $shop, 'prepare', "role app writes to table shop.orders, and may not call function public.\Q$function\E"
			. ".*HINT:  Run: GRANT EXECUTE ON FUNCTION public.\Q$function\E TO app", "a writer that may not call $function");
		sql($shop->{database}, "GRANT EXECUTE ON FUNCTION $function TO app");
		finishes($recipe, $shop, "a writer that may call $function", [qw(prepare fill back)], between => goes_on($shop));
		sql($shop->{database}, "GRANT EXECUTE ON FUNCTION $function TO PUBLIC");
	}

	# A reference leads to rows with random ids, too.
	foreach ([ parent_id => 'shop.orders', 'shop.orders' ], [ order_id => 'shop.lines', 'shop.orders' ])
	{
		my ($column, $table, $referred) = @$_;
		my $reference = { %$recipe, variables => sub { (table => $table, column => $column) } };

		refused($reference, $shop, 'prepare',
			"column $column of table $table refers to table $referred: new rows .* would be refused.*"
				. "HINT:  Refresh the ids of table $referred",
			"reference $column");
	}
	sql($shop->{database}, 'ALTER TABLE shop.lines DROP CONSTRAINT lines_order_id_fkey');
	my $reference = { %$recipe, variables => sub { (table => 'shop.lines', column => 'order_id') } };
	is(step($reference, $shop, 'prepare')->{status}, 0, 'a column that refers to nothing yet');
	sql($shop->{database},
		q(
			ALTER TABLE shop.lines ADD CONSTRAINT lines_order_id_fkey
				FOREIGN KEY (order_id) REFERENCES shop.orders ON UPDATE CASCADE ON DELETE CASCADE));
	refused($reference, $shop, 'fill', 'column order_id of table shop.lines refers to table', 'a reference meanwhile');
	is(step($reference, $shop, 'back')->{status}, 0, 'which back takes');

	foreach ([ 'CREATE INDEX orders_v7 ON shop.orders (id)', 'DROP INDEX shop.orders_v7' ],
		[ q(
				CREATE TRIGGER only_v7 BEFORE INSERT ON shop.orders FOR EACH ROW EXECUTE FUNCTION shop.touch();
				COMMENT ON TRIGGER only_v7 ON shop.orders IS 'our own'),
			'DROP TRIGGER only_v7 ON shop.orders' ])
	{
		sql($shop->{database}, $_->[0]);
		refused($recipe, $shop, 'prepare', 'of its own', $_->[0]);
		sql($shop->{database}, $_->[1]);
	}
}

#
# What the table has become meanwhile: another default stays, and partitions go back as well.
#
{
	my $shop = mixed('meanwhile');

	succeeds($recipe, $shop, 'prepare', 'before another default');
	sql($shop->{database}, 'ALTER TABLE shop.orders ALTER id SET DEFAULT gen_comb()');
	succeeds($recipe, $shop, 'back', 'after another default');
	is(made($shop), 'gen_comb()|f|0|0|0', 'which stays');
	succeeds($recipe, $shop, 'prepare', 'once more');
	sql($shop->{database}, 'ALTER TABLE shop.orders ALTER id SET DEFAULT gen_random_uuid()');
	succeeds($recipe, $shop, 'prepare', 'said again, after another default');
	like(made($shop), qr/^gen_uuidv7\(\)\|/, 'gives its own default again, as the trigger refuses all other ids');
	succeeds($recipe, $shop, 'back', 'after a prepare that was said again');
	is(made($shop), 'gen_random_uuid()|f|0|0|0', 'gives the newest default back');

	sql($shop->{database}, q(CREATE FUNCTION shop.old_id() RETURNS uuid LANGUAGE sql AS 'SELECT gen_random_uuid()';
		ALTER TABLE shop.orders ALTER id SET DEFAULT shop.old_id()));
	succeeds($recipe, $shop, 'prepare', 'before the function of the old default is dropped');
	sql($shop->{database}, 'DROP FUNCTION shop.old_id');
	refused($recipe, $shop, 'back', 'function shop.old_id\(\) does not exist', 'without the function of the old default');
	sql($shop->{database}, 'ALTER TABLE shop.orders ALTER id SET DEFAULT gen_random_uuid()');
	succeeds($recipe, $shop, 'back', 'after the way that the page tells');
	is(made($shop), 'gen_random_uuid()|f|0|0|0', 'nothing is left');

	my $move = new_recipe(file => 'move_table.psql', variables => sub { (table => 'shop.orders', into => 'partitions') });
	succeeds($recipe, $shop, $_, 'before partitions') foreach @steps;
	sql($shop->{database}, q(DELETE FROM shop.lines; DELETE FROM shop.orders WHERE NOT uuidv7_is_valid(id);
		ALTER PUBLICATION shop_orders OWNER TO keeper; ALTER PUBLICATION shop_orders SET (publish_via_partition_root)));
	foreach my $step (qw(prepare fill switch drop))
	{
		my $result = step($move, $shop, $step);
		is($result->{status}, 0, "into partitions: $step") or diag($result->{said});
	}
	is(made($shop), 'gen_uuidv7()|t|1|1|0', 'which have index and trigger');
	is(step($recipe, $shop, 'fill')->{status} != 0, 1, 'fill is for a table without partitions');
	my $alone = sql($shop->{database}, q(
		SELECT min(inhrelid::regclass::text) FROM pg_inherits WHERE inhparent = 'shop.orders'::regclass));
	sql($shop->{database}, "ALTER TABLE $alone ALTER id SET DEFAULT gen_comb()");
	my $result = step($recipe, $shop, 'back');
	is($result->{status}, 0, 'back of partitions') or diag($result->{said});
	is(made($shop), 'gen_random_uuid()|f|0|0|0', 'nothing is left');
	is(sql($shop->{database}, qq(
		SELECT pg_get_expr(adbin, adrelid), count(*), bool_or(adrelid = '$alone'::regclass)
		FROM pg_inherits JOIN pg_attrdef ON adrelid = inhrelid AND adnum = 1
		WHERE inhparent = 'shop.orders'::regclass AND (adrelid = '$alone'::regclass OR pg_get_expr(adbin, adrelid) <> 'gen_random_uuid()')
		GROUP BY 1)), 'gen_comb()|1|t', 'each partition has the old default, and one keeps its own');
}

#
# A table that was dropped leaves the function of its trigger, and another of its name is refreshed all the same.
#
{
	my $shop = new_shop('again', 'uuid', 'gen_random_uuid()', identity => 0);
	my $marks = { %$recipe, variables => sub { (table => 'shop.marks') } };
	my $made = q(
		SET ROLE keeper;
		DROP TABLE IF EXISTS shop.marks;
		CREATE TABLE shop.marks (id uuid PRIMARY KEY DEFAULT gen_random_uuid()));
	my $functions = q(SELECT count(*) FROM pg_proc WHERE proname = 'only_v7_marks');

	foreach my $stage ([qw(prepare)], [qw(prepare fill)])
	{
		sql($shop->{database}, $made);
		is(step($marks, $shop, $_)->{status}, 0, "before the table is dropped: $_") foreach @$stage;
		sql($shop->{database}, $made);
		is(sql($shop->{database}, $functions), 1, 'its function is left');
		foreach my $step (qw(prepare fill back))
		{
			my $result = step($marks, $shop, $step);
			is($result->{status}, 0, "the table made anew: $step") or diag($result->{said});
		}
		is(sql($shop->{database}, $functions), 0, 'and nothing is left');
	}
}

done_testing();
