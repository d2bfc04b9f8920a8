# move_table.psql against every adversity: rows before are rows after and each
# reference finds its row, or nothing has changed.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Moves;
use Recipes;

my $node = server();
my $major = sql('postgres', q(SELECT current_setting('server_version_num')::int / 10000));
my @steps = qw(prepare fill switch drop);

sub recipe
{
	my ($table) = @_;

	return new_recipe(
		file => 'move_table.psql',
		steps => \@steps,
		variables => sub { (table => $table, %{ $_[0]{told} }) });
}

my $recipe = recipe('shop.orders');

sub kind { return sql($_[0]{database}, "SELECT relkind FROM pg_class WHERE oid = 'shop.$_[1]'::regclass") }

# Into partitions and out again, all as it was: the same, to the letter.
sub there_and_back
{
	my ($recipe, $shop, $table, $what, %how) = @_;
	first_order($shop);
	my $before = everything($shop);

	$shop->{told} = { into => 'partitions' };
	finishes($recipe, $shop, "$what, into partitions", \@steps, %how);
	is(kind($shop, $table), 'p', 'which it has');
	is(sql($shop->{database},
			"SELECT count(*) FROM uuid_partition_list('shop.$table') WHERE kind = 'partition'") > 4, 1,
		'by month');
	Recipes::no_session($shop);    # whose temporary tables are still there
	is(sql($shop->{database}, q(
		SELECT string_agg(name, ' ')
		FROM (SELECT relname FROM pg_class UNION ALL SELECT stxname FROM pg_statistic_ext) AS names (name)
		WHERE name ~ '_move|^00_')), '', 'and names as it would have by itself');
	$shop->{told} = { into => 'table' };
	finishes($recipe, $shop, "$what, out of partitions", \@steps, %how);
	is(everything($shop), $before, "$what: there and back, nothing has changed");
	return;
}

#
# A second session inserts, updates keys and references, deletes and commits
# between any two statements.
#
{
	my $shop = shop('orders');

	there_and_back($recipe, $shop, 'orders', 'orders');
	there_and_back($recipe, $shop, 'orders', 'orders beside another session', between => goes_on($shop));
	is(sql($shop->{database},
			'SELECT count(*) - count(DISTINCT number) + count(*) - count(DISTINCT tally) FROM shop.orders'), 0,
		'its sequences go on');
	sql($shop->{database}, 'SET ROLE app; DELETE FROM shop.shops WHERE id = 1');
	is(sql($shop->{database}, 'SELECT count(shop_id) FROM shop.orders'), 0, 'and its own reference');
}

#
# The table that refers to others, by its first column.
#
{
	my $shop = shop('lines');
	my $lines = recipe('shop.lines');

	if ($major < 18)
	{
		refused($lines, $shop, 'prepare', 'the rows cannot be moved like this', 'a reference that moves rows between partitions');
		sql($shop->{database}, 'ALTER TABLE shop.lines DROP CONSTRAINT lines_order_id_fkey,
			ADD CONSTRAINT lines_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop.orders ON DELETE CASCADE');
	}
	$shop->{description} = Recipes::description($shop);
	there_and_back($lines, $shop, 'lines', 'lines', $major < 18 ? () : (between => goes_on($shop)));

	# Both in pairs, as doc/families.md says.
	my $families = slurp_file(dirname(__FILE__) . '/../../../doc/families.md');
	my ($whole_key) = $families =~ /^### A key to the whole table\n(.*?)^## /ms;
	my $change_over = join '', $whole_key =~ /^```sql\n((?:\\set key|SET lock_timeout).*?)^```$/gms;
	my $as_owner = 'SET ROLE keeper; SET enable_partitionwise_join = on;';
	foreach my $one ([ $recipe, 6 ], [ $lines, 2 ])
	{
		$shop->{told} = { into => 'partitions', ahead => $one->[1] };
		succeeds($one->[0], $shop, $_, 'a pair') foreach @steps;
	}
	cmp_ok(sql($shop->{database},
		"$as_owner SELECT count(*) FROM uuid_partition_follow('shop.lines', 'shop.orders') WHERE action = 'created'"), '>=', 3,
		'the child gets the months that it has not');
	is(sql($shop->{database}, q(SELECT from_time, to_time FROM uuid_partition_list('shop.orders') WHERE kind = 'partition'
		EXCEPT SELECT from_time, to_time FROM uuid_partition_list('shop.lines') WHERE kind = 'partition')), '', 'and has all of them');
	my $key = q(regexp_replace(pg_get_constraintdef(oid), 'orders\w*', 'orders') FROM pg_constraint WHERE conname);
	my $whole = sql($shop->{database}, "SELECT $key = 'lines_order_id_fkey' AND conrelid = 'shop.lines'::regclass");
	my $of_lines = $change_over =~ s/'orders'/'shop.orders'/r =~ s/'notes'/'shop.lines'/gr
	  =~ s/TABLE notes/TABLE shop.lines/r =~ s/notes_order_id_fkey/lines_order_id_fkey/r;
	sql($shop->{database}, "$as_owner\n$of_lines");
	is(sql($shop->{database},
		qq(
			$as_owner
			SELECT count(DISTINCT partition)
			FROM uuid_partition_list('shop.lines'), pg_constraint
			WHERE conrelid = partition AND conname = 'pair' AND convalidated))
			> 4, 1, 'and each pair its key');
	is(sql($shop->{database}, "SELECT DISTINCT $key = 'pair'"), $whole, 'as that to the whole was');
	like($whole, qr/ON DELETE CASCADE/, 'with its action');
	is(sql($shop->{database},
		qq(
			$as_owner
			SELECT message
			FROM uuid_partition_check('shop.orders', '0', followers => '{shop.lines}')
			WHERE message ~ 'follower')),
		'', 'and nothing is wrong');
	is(differences($shop, 'old'), '', 'no row lost, no reference');

	# Tables whose keys begin with an id of their own, which carries no time.
	my ($new_key) = slurp_file(dirname(__FILE__) . '/../../../doc/moving.md') =~ /^### Stage 3.*?^```sh\n(.*?)^```$/ms;
	foreach my $type ('bigint GENERATED ALWAYS AS IDENTITY', 'uuid DEFAULT gen_random_uuid()')
	{
		my $items = recipe('shop.items');

		sql($shop->{database}, "
			SET ROLE keeper;
			CREATE TABLE shop.items (
				id $type PRIMARY KEY, order_id uuid NOT NULL REFERENCES shop.orders ON DELETE CASCADE);
			INSERT INTO shop.items (order_id) SELECT id FROM shop.orders");
		refused($items, $shop, 'prepare',
			'HINT:.*To follow table shop.orders, the primary key has to begin with column order_id', $type);
		sql($shop->{database}, $_) foreach map { "SET search_path = shop; $_" } $new_key =~ /-c "([^"]+)"/g;
		succeeds($items, $shop, $_, "$type and the page's key") foreach @steps;
		is(sql($shop->{database}, "SELECT count(*) = (SELECT count(*) FROM shop.orders) FROM shop.items"), 't', 'with all rows');
		sql($shop->{database}, 'DROP TABLE shop.items');
	}
}

#
# Back at each stage, twice.
#
{
	my $shop = shop('back');
	my $go = goes_on($shop);

	finishes($recipe, $shop, 'forth and back',
		[qw(prepare back prepare fill back prepare prepare fill fill switch switch back back)]);
	succeeds($recipe, $shop, $_, 'forth'), $go->() foreach qw(prepare fill switch);
	succeeds($recipe, $shop, 'back', 'from the switch', between => $go);
	succeeds($recipe, $shop, 'switch', 'again', between => $go);
	finishes($recipe, $shop, 'and back beside writers', [qw(back back)]);
	finishes($recipe, $shop, 'and forth', \@steps);
}

# A switch that is stopped before it has proved the foreign keys, and then undone.
{
	my $shop = shop('halfway');
	my $halfway = sub {
		my ($step) = @_;
		my $exchanged;
		return step($recipe, $shop, $step,
			between => sub { $exchanged ||= $_[0] =~ /exchange_tables/; return $exchanged && $_[0] !~ /exchange_tables/ ? 'x' : undef });
	};

	succeeds($recipe, $shop, $_, 'halfway') foreach qw(prepare fill);
	isnt($halfway->('switch')->{status}, 0, 'switch stopped halfway');
	refused($recipe, $shop, 'drop', 'nothing has been changed', 'after half of a switch');
	isnt($halfway->('back')->{status}, 0, 'and back stopped halfway');
	succeeds($recipe, $shop, 'switch', 'after half of both');
	isnt($halfway->('back')->{status}, 0, 'back stopped halfway once more');
	succeeds($recipe, $shop, 'switch', 'and switched');
	isnt($halfway->('back')->{status}, 0, 'back stopped halfway');
	succeeds($recipe, $shop, 'back', 'which the next one finishes');
	is(sql($shop->{database}, q(SELECT relkind FROM pg_class WHERE oid = to_regclass('shop.orders_move'))), 'p',
		'and goes no further');
	finishes($recipe, $shop, 'and one more, to the beginning', ['back']);
	finishes($recipe, $shop, 'and forth and back', [qw(prepare fill switch back back)]);
}

stopped_everywhere($recipe, shop('stopped'));

#
# Stopped while it waits: for a table that another transaction has written to,
# for a row that it has locked.
#
{
	my $shop = shop('waiting');
	my $writes = q(
		UPDATE shop.lines SET label = label WHERE label = (SELECT min(label) FROM shop.lines);
		UPDATE shop.orders SET total = total);

	stopped_while_waiting($recipe, $shop, 'prepare', qr/CALL pg_temp.prepare/, $writes);
	stopped_while_waiting($recipe, $shop, 'fill', qr/CALL pg_temp.fill_copy/,
		'SELECT label FROM shop.orders ORDER BY label FOR UPDATE LIMIT 1');
	stopped_while_waiting($recipe, $shop, 'switch', qr/CALL pg_temp.exchange_tables/, $writes);
	stopped_while_waiting($recipe, $shop, 'drop', qr/CALL pg_temp.drop/, $writes);
	finishes($recipe, $shop, 'after waiting', []);
}

#
# However slow a row is, no transaction of fill has it in hand for long.
#
{
	my $shop = shop('slow');

	sql($shop->{database}, q(
		CREATE FUNCTION shop.slow()
		RETURNS bool
		LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.02); RETURN true; END $$;
		ALTER TABLE shop.orders ADD CHECK (shop.slow())));
	succeeds($recipe, $shop, $_, 'slow rows') foreach qw(prepare fill);
	cmp_ok(sql($shop->{database}, q(
			SELECT max(n) FROM (SELECT count(*) AS n FROM shop.orders_move GROUP BY xmin::text) AS transactions)),
		'<=', 10,
		'a transaction copies what a tenth of a second allows');
}

#
# Roles whose transactions keep their snapshots.
#
foreach my $level ('repeatable read', 'serializable')
{
	my $shop = shop('level');
	sql('postgres', "ALTER ROLE $_ SET default_transaction_isolation = '$level'") foreach qw(keeper app);
	finishes({ %$recipe, psqlrc => '/dev/null' }, $shop, $level, \@steps, between => goes_on($shop));
	sql('postgres', "ALTER ROLE $_ RESET default_transaction_isolation") foreach qw(keeper app);
}

under_row_security($recipe, shop('security'), qw(orders lines));

#
# Forced row security that hides no row now, because the owner is above it, or it is not enabled.
#
foreach ([ 'ENABLE', 'BYPASSRLS' ], [ 'DISABLE', 'NOBYPASSRLS' ])
{
	my ($enabled, $bypass) = @$_;
	my $shop = shop('forced');

	sql('postgres', "ALTER ROLE keeper $bypass");
	sql($shop->{database}, "ALTER TABLE shop.orders $enabled ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY");
	$shop->{description} = Recipes::description($shop);
	there_and_back($recipe, $shop, 'orders', "row security: $enabled, FORCE, $bypass");
	sql('postgres', 'ALTER ROLE keeper NOBYPASSRLS');
}

#
# Back once: the partitions follow again, and have a place for each row, also where the switch has dropped the
# default partition.
#
{
	my $shop = shop('places', told => { into => 'partitions', ahead => 1 });
	my $late = sub {
		sql($shop->{database}, "
			SET ROLE app;
			INSERT INTO shop.orders (id, label)
			VALUES (gen_uuidv7_at(now() + interval '$_[0] days'), 'late $_[0]');
		INSERT INTO play.orders VALUES ('late $_[0]', 1)") };
	my $defaults = q(
		SELECT string_agg(
			relname || ' ' || array_to_string(reloptions, ' ') || ' ' || coalesce(relacl::text, 'private'), ' ')
		FROM pg_class WHERE relname ~ 'orders.*default$' AND relkind = 'r');

	sql($shop->{database}, 'ALTER DEFAULT PRIVILEGES FOR ROLE keeper GRANT SELECT ON TABLES TO app');
	succeeds($recipe, $shop, $_, 'back once') foreach qw(prepare fill switch);
	is(sql($shop->{database}, $defaults), '', 'the switch has dropped the default partition');
	succeeds($recipe, $shop, 'back', 'back once');
	like(sql($shop->{database}, $defaults), qr/^orders_move_default fillfactor=80 (?!.*app)/,
		'which is there again, like the others, and nobody else\'s');
	succeeds($recipe, $shop, 'switch', 'and switched again');
	is(sql($shop->{database}, $defaults), '', 'the switch has dropped it again');
	succeeds($recipe, $shop, 'back', 'back again');
	$late->(300);
	succeeds($recipe, $shop, $_, 'with a row that no other partition has') foreach qw(switch back);
	$late->(400);
	succeeds($recipe, $shop, $_, 'and one more') foreach qw(switch drop);
	is(sql($shop->{database}, 'SELECT count(*) FROM shop.orders_default'), 2, 'both are in the default partition');
}

#
# A foreign key that rows violate: they came while it was not checked.
#
foreach (
	[ 'of the table', 'UPDATE shop.orders SET shop_id = 99 WHERE label = %s',
		'shop.orders violate foreign key "Shop"', 'INSERT INTO shop.shops VALUES (99)', '"Shop"' ],
	[ 'to the table', 'INSERT INTO shop.notes SELECT 7, gen_random_uuid() WHERE %s IS NOT NULL',
		'shop.notes violate foreign key', 'DELETE FROM shop.notes WHERE n = 7', 'notes_order_id_fkey' ])
{
	my ($what, $violates, $error, $mends, $name) = @$_;
	my $shop = shop('violated');
	my $violate = 'SET session_replication_role = replica; ' . sprintf $violates, '(SELECT min(label) FROM shop.orders)';

	succeeds($recipe, $shop, $_, "a key $what") foreach qw(prepare fill);
	sql($shop->{database}, $violate);
	refused($recipe, $shop, 'switch', "nothing has been changed, because 1 rows of table $error.*"
			. "HINT:  They came while foreign keys were not checked",
		"a violated key $what");
	sql($shop->{database}, $mends);
	# violated after it was looked at
	my $exchanged = 0;
	my $result = step($recipe, $shop, 'switch', between => sub {
			$exchanged ||= $_[0] =~ /exchange_tables/;
			sql($shop->{database}, $violate =~ s/\b99\b/98/r) if $exchanged && $_[0] =~ /prove_keys/;
			return;
		});
	isnt($result->{status}, 0, 'a switch that cannot prove a key');
	like($result->{said}, qr/ERROR:.*violates foreign key.*HINT:  The row came while foreign keys were not checked/s, 'says so');
	$result = step($recipe, $shop, 'switch');
	like($result->{said}, qr/HINT:  The row came while foreign keys were not checked/, 'and so does the next');
	refused($recipe, $shop, 'drop', 'or foreign keys not proved', "a violated key $what");
	sql($shop->{database}, "ALTER TABLE shop.orders ADD COLUMN $name text");
	like(step($recipe, $shop, 'back')->{said},
		qr/lacks what table \S+ has.*column $name text.*ERROR:  the rows cannot be moved like this/s,
		'back does not lose a column that came since, although it is called like the key');
	sql($shop->{database}, "ALTER TABLE shop.orders DROP COLUMN $name");
	$result = step($recipe, $shop, 'back');
	is($result->{status}, 0, 'but back goes back') or diag($result->{said});
	like($result->{said}, qr/WARNING:.*violates foreign key.*it stays NOT VALID/, 'and warns');
	is(kind($shop, 'orders'), 'r', 'the table is the old one');
	is(step($recipe, $shop, 'back')->{status}, 0, 'and the next goes to the beginning');
	is(sql($shop->{database}, q(SELECT to_regclass('shop.orders_move'))), '', 'where there is no copy');
	sql($shop->{database}, $mends =~ s/99/98/r);
	sql($shop->{database}, 'UPDATE shop.orders SET shop_id = 1');
	sql($shop->{database}, q(
		SET ROLE keeper;
		DO $$
		DECLARE
			c record;
		BEGIN
			FOR c IN
				SELECT conrelid::regclass AS rel, conname
				FROM pg_constraint
				WHERE contype = 'f' AND NOT convalidated
			LOOP
				EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', c.rel, c.conname);
			END LOOP;
		END $$));
	is(sql($shop->{database}, q(
			SELECT count(*)
			FROM pg_constraint
			WHERE contype = 'f' AND conname = 'Shop' AND conrelid = 'shop.orders'::regclass AND convalidated)),
		1,
		'with its own key');
	is(differences($shop, 'old'), '', 'no row lost, no reference');
}

{
	my $shop = shop('snapshot');

	succeeds($recipe, $shop, 'prepare', 'before an old snapshot');
	old_snapshot($recipe, $shop, $node, 'shop.orders_move', 'true');
	finishes($recipe, $shop, 'after it', [qw(fill switch drop)]);
}

#
# Tables to which the owner may refer, and which it may not read, or not all of whose rows; a key of several columns,
# of which some are NULL, and of a type with another collation.
#
{
	my $shop = shop('unread');

	sql($shop->{database}, q(CREATE TABLE public.regions (id int PRIMARY KEY); CREATE TABLE public.areas (id int PRIMARY KEY);
		INSERT INTO public.regions VALUES (1); INSERT INTO public.areas VALUES (1); ALTER TABLE public.areas ENABLE ROW LEVEL SECURITY;
		GRANT REFERENCES ON public.regions TO keeper; GRANT REFERENCES, SELECT ON public.areas TO keeper;
		CREATE TABLE shop.streets (town text COLLATE "C", name text, PRIMARY KEY (town, name));
		ALTER TABLE shop.streets OWNER TO keeper;
		INSERT INTO shop.streets VALUES ('Ulm', 'Gasse');
		ALTER TABLE shop.orders ADD region_id int DEFAULT 1 REFERENCES public.regions,
			ADD area_id int DEFAULT 1 REFERENCES public.areas,
			ADD town text, ADD street text DEFAULT 'Weg', ADD FOREIGN KEY (town, street) REFERENCES shop.streets;
		UPDATE shop.orders SET town = 'Ulm', street = 'Gasse' WHERE label = (SELECT max(label) FROM shop.orders)));
	$shop->{description} = Recipes::description($shop);
	finishes($recipe, $shop, 'tables that cannot be read', \@steps);
}

#
# Steps in another order, or after one that failed.
#
{
	my $shop = shop('order');

	refused($recipe, $shop, $_, 'is not being moved', 'first of all') foreach qw(fill switch drop back);
	{
		local $shop->{told} = { step => 'prepare' };

		refused($recipe, $shop, '', 'no step is named.*HINT:  Pass -v do=prepare or fill or switch', 'step for do');
		$shop->{told}{into} = 'partitions';
		refused($recipe, $shop, 'prepare',
			'invalid input syntax for type interval: "prepare".*HINT:  Nothing has been changed', 'both');
	}
	succeeds($recipe, $shop, 'prepare', 'in order');
	renamed($recipe, $shop);
	sql($shop->{database}, 'REVOKE EXECUTE ON FUNCTION shop.touch() FROM PUBLIC, keeper');
	refused($recipe, $shop, 'switch', 'permission denied for function',
		'what would fail at the exchange fails before rows are compared:');
	sql($shop->{database}, 'GRANT EXECUTE ON FUNCTION shop.touch() TO PUBLIC, keeper');
	refused($recipe, $shop, 'switch', 'nothing has been changed', 'without fill');
	refused($recipe, $shop, 'drop', 'nothing has been changed', 'without fill');
	my $result = step($recipe, $shop, 'fill', between => sub { $_[0] =~ /fill_copy/ ? 'x' : undef });
	isnt($result->{status}, 0, 'a fill that fails');
	refused($recipe, $shop, 'switch', 'nothing has been changed', 'after it');
	succeeds($recipe, $shop, 'fill', 'in order');
	refused($recipe, $shop, 'drop', 'nothing has been changed', 'without switch');
	sql($shop->{database}, 'ALTER TABLE shop.orders DISABLE TRIGGER "00_move_table"');
	refused($recipe, $shop, 'switch', 'nothing has been changed, because trigger', 'with the trigger switched off');
	sql($shop->{database},
		q(
			UPDATE shop.orders SET shop_id = 2 WHERE label = (SELECT min(label) FROM shop.orders);
			ALTER TABLE shop.orders ENABLE ALWAYS TRIGGER "00_move_table"));
	refused($recipe, $shop, 'switch', 'nothing has been changed, because 1 rows', 'and a row changed meanwhile');
	sql($shop->{database}, 'UPDATE shop.orders SET shop_id = 2 WHERE shop_id = 2');
	succeeds($recipe, $shop, 'switch', 'mended');
	sql($shop->{database}, q(
		SET session_replication_role = replica;
		DELETE FROM shop.orders_move WHERE label = (SELECT min(label) FROM shop.orders)));
	refused($recipe, $shop, 'drop', 'nothing has been changed, because 1 rows.*See which rows are right',
		'a row of the old table gone');
	truncate_refused($shop, $node);
}

#
# NULLs, orphans, keys of the far future, no key, and what cannot be carried over.
#
{
	my $shop = shop('problems');

	problem($recipe, $shop,
		qq(
			INSERT INTO shop.orders (id, label) VALUES ('ffffffff-ffff-7fff-bfff-ffffffffffff', 'far');
			INSERT INTO play.orders VALUES ('far', 1)),
		"DELETE FROM shop.orders WHERE label = 'far'; DELETE FROM play.orders WHERE label = 'far'",
		'a key of the far future', 'table shop.orders has keys of');
	problem($recipe, $shop, 'ALTER TABLE shop.orders ADD UNIQUE (number)',
		'ALTER TABLE shop.orders DROP CONSTRAINT orders_number_key',
		'a unique key without the id');
	problem($recipe, $shop, q(
		ALTER TABLE shop.lines ADD CHECK (n > 0) NOT VALID,
			ADD FOREIGN KEY (other_id) REFERENCES shop.orders NOT VALID),
		'ALTER TABLE shop.lines DROP CONSTRAINT lines_n_check, DROP CONSTRAINT lines_other_id_fkey', 'a reference that is not proved');
	problem($recipe, $shop, 'CREATE MATERIALIZED VIEW shop.m AS SELECT * FROM shop.orders',
		'DROP MATERIALIZED VIEW shop.m', 'a materialized view');
	problem($recipe, $shop, q(
			CREATE VIEW shop.v AS SELECT o.id FROM shop.lines, ONLY shop.orders o;
			ALTER VIEW shop.v OWNER TO keeper), 'DROP VIEW shop.v',
		'a view FROM ONLY the table', 'the rows cannot be moved like this');
	problem($recipe, $shop, 'CREATE FUNCTION shop.f(o shop.orders) RETURNS int LANGUAGE sql RETURN 1',
		'DROP FUNCTION shop.f', 'a function of its rows');
	problem($recipe, $shop, 'CREATE FUNCTION shop.f(o shop.orders[]) RETURNS int LANGUAGE sql RETURN 1', 'DROP FUNCTION shop.f',
		'a function of arrays of them');
	problem($recipe, $shop, 'CREATE TABLE shop.kept (o shop.orders[])', 'DROP TABLE shop.kept', 'a column of such arrays');
	problem($recipe, $shop, q(CREATE TABLE shop.kept (n int DEFAULT cardinality('{}'::shop.orders[]))),
		'DROP TABLE shop.kept', 'a default by such arrays');
	problem($recipe, $shop, q(CREATE TABLE shop.kept (o regclass DEFAULT 'shop.orders'::regclass)),
		'DROP TABLE shop.kept', 'a default that names the table');
	problem($recipe, $shop,
		'CREATE VIEW shop.v AS SELECT NULL::shop.orders IS NULL AS none; ALTER VIEW shop.v OWNER TO keeper',
		'DROP VIEW shop.v',
		'a view that has only the type of its rows');
	problem($recipe, $shop, lone_reference(), 'DROP TABLE shop.gifts', "a reference of another table's partition alone");
	problem($recipe, $shop, 'CREATE DOMAIN shop.d AS shop.orders', 'DROP DOMAIN shop.d', 'a domain over its rows');
	problem($recipe, $shop, 'CREATE PUBLICATION everything FOR ALL TABLES', 'DROP PUBLICATION everything',
		'a publication of all tables');
	problem($recipe, $shop, subscription($shop), 'DROP SUBSCRIPTION fills', 'a subscription');
	problem($recipe, $shop,
		'CREATE TABLE shop.child () INHERITS (shop.orders); ALTER TABLE shop.child OWNER TO keeper',
		'DROP TABLE shop.child', 'children');
	problem($recipe, $shop, 'CREATE RULE r AS ON DELETE TO shop.orders DO INSTEAD NOTHING', 'DROP RULE r ON shop.orders', 'a rule');
	problem($recipe, $shop, 'CREATE RULE r AS ON DELETE TO shop.totals DO INSTEAD DELETE FROM shop.orders WHERE id = OLD.id',
		'DROP RULE r ON shop.totals', 'a rule of a view');
	problem($recipe, $shop, 'ALTER TABLE shop.orders ADD CONSTRAINT later UNIQUE (id, number) DEFERRABLE',
		'ALTER TABLE shop.orders DROP CONSTRAINT later', 'a deferrable key');
	problem($recipe, $shop, label('shop.orders'), unlabel(), 'a security label');
	problem($recipe, $shop, 'REVOKE INSERT ON shop.orders FROM keeper', 'GRANT INSERT ON shop.orders TO keeper',
		'an owner without a right');
	problem($recipe, $shop, 'ALTER PUBLICATION shop_orders SET (publish_via_partition_root = false)',
		'ALTER PUBLICATION shop_orders SET (publish_via_partition_root)', 'a publication of partitions');
	problem($recipe, $shop,
		q(
			ALTER TABLE shop.orders ALTER id DROP DEFAULT;
			CREATE TRIGGER fill BEFORE INSERT ON shop.orders FOR EACH ROW EXECUTE FUNCTION shop.touch()),
		'ALTER TABLE shop.orders ALTER id SET DEFAULT gen_uuidv7(); DROP TRIGGER fill ON shop.orders', 'a trigger that makes keys');
	problem($recipe, $shop, 'CREATE TABLE shop.orders_move ()', 'DROP TABLE shop.orders_move',
		'a table of that name', 'belongs to role');
	problem($recipe, $shop, q(CREATE TABLE shop.orders_move (LIKE shop.orders); ALTER TABLE shop.orders_move OWNER TO keeper;
		CREATE FUNCTION shop.move_table_orders() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'),
		'DROP TABLE shop.orders_move; DROP FUNCTION shop.move_table_orders', 'a function of that name', 'belongs to role');
	sql($shop->{database}, q(
		SET ROLE keeper;
		CREATE TYPE shop.row AS (id int);
		CREATE TABLE shop.typed OF shop.row (PRIMARY KEY (id))));
	{
		local $shop->{told} = {};

		refused(recipe('shop.typed'), $shop, 'prepare', 'the rows cannot be moved like this', 'a typed table');
	}
	sql($shop->{database}, 'DROP TYPE shop.row CASCADE');
	problem($recipe, $shop, 'CREATE TABLE public.foreigner (o uuid REFERENCES shop.orders)', 'DROP TABLE public.foreigner',
		"another owner's reference", 'whose code would run with the rights of role keeper');
	sql($shop->{database}, 'UPDATE shop.orders SET parent_id = NULL, created_at = created_at');
	sql($shop->{database}, 'UPDATE play.orders SET parent = NULL');
	finishes($recipe, $shop, 'without all that, references NULL', \@steps, between => goes_on($shop));
}

#
# What one partition alone has.
#
{
	my $shop = shop('part');
	my $part = 'shop.orders_default';

	succeeds($recipe, $shop, 'prepare', 'into partitions');
	sql($shop->{database},
		q(
			INSERT INTO shop.orders (id, label) VALUES (gen_uuidv7_at(now() + interval '300 days'), 'late');
			INSERT INTO play.orders VALUES ('late', 1)));
	succeeds($recipe, $shop, $_, 'into partitions') foreach qw(fill switch drop);
	$shop->{told} = { into => 'table' };
	problem($recipe, $shop, "CREATE INDEX alone ON $part (total)", 'DROP INDEX shop.alone', 'an index of a partition');
	problem($recipe, $shop, "ALTER TABLE $part ADD CONSTRAINT alone CHECK (total < 1000000)",
		"ALTER TABLE $part DROP CONSTRAINT alone",
		'a CHECK of a partition');
	problem($recipe, $shop, "CREATE PUBLICATION alone FOR TABLE $part", 'DROP PUBLICATION alone', 'a partition published by itself');
	problem($recipe, $shop, "ALTER TABLE $part ENABLE ROW LEVEL SECURITY",
		"ALTER TABLE $part DISABLE ROW LEVEL SECURITY", 'row security of a partition');
	problem($recipe, $shop, "ALTER TABLE $part FORCE ROW LEVEL SECURITY",
		"ALTER TABLE $part NO FORCE ROW LEVEL SECURITY", 'forced row security of a partition');
	problem($recipe, $shop, "CREATE VIEW shop.of_part AS SELECT id FROM $part", 'DROP VIEW shop.of_part', 'a view of a partition');
	problem($recipe, $shop, "CREATE FUNCTION shop.f(o $part\[]) RETURNS int LANGUAGE sql RETURN 1",
		'DROP FUNCTION shop.f', 'a function of arrays of its rows');
	sql($shop->{database}, "SET ROLE keeper; GRANT SELECT ON $part TO reader");
	# as a table has it that was attached, and has its column's sequence
	sql($shop->{database}, "ALTER SEQUENCE shop.orders_tally_seq OWNED BY $part.tally");
	like(step($recipe, $shop, 'prepare')->{said}, qr/NOTICE:  reader has privileges on 1 partitions of table shop.orders themselves/,
		'who could still read the old partition is named');
	succeeds($recipe, $shop, $_, 'without all that') foreach qw(prepare fill switch drop);
	is(sql($shop->{database}, q(SELECT to_regclass('shop.orders_tally_seq'))), 'shop.orders_tally_seq',
		"a partition's sequence stays");
}

#
# What is altered meanwhile, on one of the tables.
#
{
	my $shop = shop('altered');
	my @changes = (
		[ 'CREATE INDEX late ON shop.orders (total)', 'DROP INDEX shop.late' ],
		[ 'CREATE STATISTICS shop.late ON total, label FROM shop.orders', 'DROP STATISTICS shop.late' ],
		[ 'ALTER INDEX shop.orders_made SET (fillfactor = 70)', 'ALTER INDEX shop.orders_made RESET (fillfactor)' ],
		map { [ "ALTER TABLE shop.orders $_->[0]", "ALTER TABLE shop.orders $_->[1]" ] } (
			[ 'ADD CONSTRAINT late CHECK (total < 1000000)', 'DROP CONSTRAINT late' ],
			[ 'ALTER touched SET DEFAULT 7', 'ALTER touched SET DEFAULT 0' ],
			[ 'ALTER label TYPE varchar(4000)', 'ALTER label TYPE text' ],
			[ 'ALTER total DROP NOT NULL', 'ALTER total SET NOT NULL' ],
			[ 'ADD COLUMN late int', 'DROP COLUMN late' ],
			[ 'ALTER label SET STORAGE EXTERNAL', 'ALTER label SET STORAGE EXTENDED' ],
			[ 'ALTER label SET COMPRESSION pglz', 'ALTER label SET COMPRESSION default' ],
			[ 'REPLICA IDENTITY FULL', 'REPLICA IDENTITY USING INDEX orders_pkey' ],
			[ 'SET (fillfactor = 70)', 'SET (fillfactor = 80)' ]));

	# the server keeps options in the order in which they came
	sql($shop->{database}, 'ALTER TABLE shop.orders SET (autovacuum_enabled = on)');
	succeeds($recipe, $shop, $_, 'altered') foreach qw(prepare fill);
	foreach (@changes)
	{
		sql($shop->{database}, $_->[0]);
		refused($recipe, $shop, 'switch', 'the rows cannot be moved like this', $_->[0]);
		sql($shop->{database}, $_->[1]);
	}
	sql($shop->{database}, q(COMMENT ON COLUMN shop.orders.total IS 'a late comment'; COMMENT ON COLUMN shop.orders.id IS NULL));
	succeeds($recipe, $shop, 'switch', 'as it was');
	is(sql($shop->{database}, q(
		SELECT col_description(attrelid, attnum)
		FROM pg_attribute
		WHERE attrelid = 'shop.orders'::regclass AND attname IN ('id', 'total')
		ORDER BY attname)),
		"\na late comment", 'comments of columns are those of the table that was');
	sql($shop->{database}, 'CREATE INDEX late ON shop.orders (total)');
	refused($recipe, $shop, 'back', 'the rows cannot be moved like this', 'an index of the new table');
	sql($shop->{database}, 'SET ROLE keeper; CREATE INDEX late_too ON shop.orders_move (total)');
	is(sql($shop->{database}, qq(
			SET ROLE keeper; SELECT count(*) FROM uuid_partition_maintain('shop.orders', '1 month', ahead => 5)))
			> 0, 1,
		'partitions come that are not like the others');
	succeeds($recipe, $shop, $_, 'with the same index') foreach qw(back switch drop);
}

#
# What the server would give new tables of itself, and what LIKE leaves out.
#
{
	my $shop = shop('given');
	my $directory = $node->basedir . '/tables';

	mkdir $directory;
	sql('postgres', "CREATE TABLESPACE tables LOCATION '$directory'");
	sql($shop->{database}, q(
		GRANT CREATE ON TABLESPACE tables TO keeper;
		CREATE ACCESS METHOD odd TYPE TABLE HANDLER heap_tableam_handler;
		ALTER TABLE shop.orders SET TABLESPACE tables, SET ACCESS METHOD odd;
		ALTER DEFAULT PRIVILEGES FOR ROLE keeper GRANT SELECT ON TABLES TO app;
		ALTER DEFAULT PRIVILEGES FOR ROLE keeper GRANT UPDATE ON SEQUENCES TO app));
	sql($shop->{database}, q(
		CREATE INDEX orders_sum ON shop.orders ((total + 1));
		ALTER INDEX shop.orders_sum ALTER COLUMN 1 SET STATISTICS 77;
		ALTER TABLE shop.orders ALTER number RESTART WITH 70000; COMMENT ON SEQUENCE shop.orders_number_seq IS 'numbers'));
	my $all = q((
		SELECT relid FROM pg_partition_tree('shop.orders') WHERE isleaf
		UNION ALL SELECT oid FROM pg_class WHERE oid = 'shop.orders'::regclass AND relkind = 'r') AS leaf);
	foreach my $into (qw(partitions table))
	{
		$shop->{told} = { into => $into };
		succeeds($recipe, $shop, $_, "into $into") foreach @steps;
		is(sql($shop->{database},
			qq(
				SELECT DISTINCT relkind, spcname, amname
				FROM $all
				JOIN pg_class c ON c.oid = relid
				JOIN pg_am a ON a.oid = relam
				LEFT JOIN pg_tablespace t ON t.oid = reltablespace)),
			'r|tables|odd', 'tablespace and access method are as before');
		is(sql($shop->{database},
			qq(
				SELECT DISTINCT reltablespace
				FROM pg_index
				JOIN pg_class c ON c.oid = indexrelid
				JOIN $all ON relid = indrelid)), 0, 'as are those of indexes');
		is(sql($shop->{database},
			qq(
				SELECT DISTINCT attstattarget
				FROM pg_index
				JOIN pg_attribute ON attrelid = indexrelid
				JOIN $all ON relid = indrelid
				WHERE indexprs IS NOT NULL)), 77, 'and their statistics targets');
		is(sql($shop->{database}, "SELECT DISTINCT has_table_privilege('app', relid, 'SELECT') FROM $all"),
			$into eq 'table' ? 't' : 'f',
			'default privileges open no partition');
		is(sql($shop->{database},
			q(
				SELECT has_sequence_privilege('app', 'shop.orders_number_seq', 'UPDATE'),
					has_sequence_privilege('app', 'shop.orders_number_seq', 'USAGE'))), 'f|t',
			'and no sequence');
		is(sql($shop->{database},
			q(SELECT last_value, is_called, obj_description('shop.orders_number_seq'::regclass) FROM shop.orders_number_seq)),
			'70000|f|numbers', 'and the sequence goes on');
		next if $into eq 'table';
		my @keys_by_trigger = (q(
			ALTER TABLE shop.orders ALTER id DROP DEFAULT;
			CREATE TRIGGER fill BEFORE INSERT ON shop.orders FOR EACH ROW EXECUTE FUNCTION shop.touch()),
			'ALTER TABLE shop.orders ALTER id SET DEFAULT gen_uuidv7(); DROP TRIGGER fill ON shop.orders');
		sql($shop->{database}, $keys_by_trigger[0]);
		is(step($recipe, $shop, $_)->{status}, 0, "$_ with a trigger where rows have partitions already") foreach qw(prepare back);
		sql($shop->{database}, $keys_by_trigger[1]);
	}
}

#
# A trigger that writes to rows of its own statement, behind the back of the one that
# follows; the last time when rows are compared already.
#
{
	my $shop = shop('nested', told => {});
	my $tasks = recipe('shop.tasks');
	my $rows = sub { return sql($shop->{database}, "SELECT string_agg(t::text, ' ' ORDER BY id) FROM shop.$_[0] t") };
	my $copied = sub {
		my ($rows_now, $what) = @_;

		is($rows->('tasks'), $rows_now, $what);
		is($rows->('tasks_move'), $rows_now, 'and the copy has the same');
		return;
	};

	sql($shop->{database}, q(SET ROLE keeper; CREATE TABLE shop.tasks (id int PRIMARY KEY, rev int NOT NULL DEFAULT 0);
		GRANT INSERT ON shop.tasks TO app;
		CREATE FUNCTION shop.others() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
			IF TG_OP = 'DELETE' THEN
				INSERT INTO shop.tasks VALUES (3 - OLD.id) ON CONFLICT DO NOTHING;
			ELSE
				UPDATE shop.tasks SET rev = rev + 1 WHERE id <> NEW.id;
				DELETE FROM shop.tasks WHERE id = 3;
			END IF;
			RETURN NULL;
		END $$;
		CREATE TRIGGER "00_first" AFTER INSERT OR UPDATE OR DELETE ON shop.tasks
		FOR EACH ROW
		WHEN (pg_trigger_depth() = 0)
		EXECUTE FUNCTION shop.others()));
	succeeds($tasks, $shop, $_, 'nested writes') foreach qw(prepare fill);
	sql($shop->{database}, 'SET ROLE app; INSERT INTO shop.tasks SELECT generate_series(1, 3)');
	$copied->('(1,2) (2,2)', 'one INSERT');
	sql($shop->{database}, 'UPDATE shop.tasks SET id = 4 - id, rev = rev + 10');
	$copied->('(2,13)', 'one UPDATE, of keys too');
	sql($shop->{database}, 'INSERT INTO shop.tasks VALUES (1); DELETE FROM shop.tasks');
	$copied->('(1,0) (2,0)', 'one DELETE');
	is(while_waiting($tasks, $shop, 'switch', qr/exchange_tables/, 'LOCK TABLE shop.tasks IN ROW EXCLUSIVE MODE',
			'UPDATE shop.tasks SET rev = rev + 10; COMMIT')->{status}, 0, 'switch, while a transaction goes on');
	$copied->('(1,11) (2,11)', 'one UPDATE after the comparison');
	succeeds($tasks, $shop, 'drop', 'nested writes');
}

#
# Rows that change keys in one statement, beside another key; a row of a key that
# a snapshot still sees deleted; a column called like a variable of PL/pgSQL.
#
{
	my $shop = shop('exchanged', told => {});
	my $users = recipe('shop.users');
	my $rows = sub { return sql($shop->{database}, "SELECT string_agg(t::text, ' ' ORDER BY email) FROM shop.$_[0] t") };
	my $copied = sub { return is($rows->('users_move'), $rows->('users'), $_[0]) };

	sql($shop->{database}, q(SET ROLE keeper; CREATE TABLE shop.users (found int PRIMARY KEY, email text UNIQUE);
		INSERT INTO shop.users VALUES (3, 'a'), (2, 'b'), (1, 'c')));
	my @first = ('CREATE TRIGGER "00_first" AFTER DELETE ON shop.users FOR EACH ROW EXECUTE FUNCTION shop.touch()',
		'DROP TRIGGER "00_first" ON shop.users');
	sql($shop->{database}, $first[0]);
	like(step($users, $shop, 'prepare')->{said},
		qr/trigger "00_first" of table shop.users would come before that of this recipe/,
		'a trigger that comes first');
	sql($shop->{database}, $first[1]);
	succeeds($users, $shop, $_, 'keys that change') foreach qw(prepare fill);
	sql($shop->{database}, 'UPDATE shop.users SET found = found + 1');
	$copied->('one UPDATE of keys');
	sql($shop->{database}, q(
		WITH d AS (DELETE FROM shop.users RETURNING *) INSERT INTO shop.users
		SELECT 6 - found, email
		FROM d
		ORDER BY found));
	$copied->('one DELETE and INSERT');

	my $old = $node->background_psql($shop->{database}, on_error_stop => 0);
	$old->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM shop.users');
	sql($shop->{database}, q(DELETE FROM shop.users WHERE email = 'b'));
	$old->query(q(INSERT INTO shop.users VALUES (3, 'd')));
	is($old->query('\echo :LAST_ERROR_SQLSTATE'), '40001', 'a key that the snapshot still sees');
	$old->quit;
	succeeds($users, $shop, $_, 'keys that change') foreach qw(switch drop);
}

#
# Roles that write without a right on the copy: some columns, without SELECT, through
# a view, since the step before; and one that would write to the copy alone.
#
{
	my $shop = shop('rights', told => {});
	my $tasks = recipe('shop.tasks');

	sql($shop->{database}, q(
		GRANT USAGE ON SCHEMA shop TO reader;
		ALTER DEFAULT PRIVILEGES FOR ROLE keeper GRANT EXECUTE ON FUNCTIONS TO app;
		SET ROLE keeper; CREATE TABLE shop.tasks (id int PRIMARY KEY, rev int NOT NULL DEFAULT 0);
		CREATE VIEW shop.todo AS SELECT * FROM shop.tasks;
		GRANT INSERT, UPDATE (rev) ON shop.tasks TO app; GRANT INSERT, UPDATE, SELECT ON shop.todo TO reader;
		GRANT SELECT ON shop.tasks TO app WITH GRANT OPTION; SET ROLE app; GRANT SELECT ON shop.tasks TO reader));
	foreach my $step (qw(prepare fill switch back switch))
	{
		succeeds($tasks, $shop, $step, 'rights');
		sql($shop->{database},
			q(
				GRANT DELETE ON shop.tasks TO app;
				SET ROLE app;
				INSERT INTO shop.tasks SELECT generate_series(1, 3);
				UPDATE shop.tasks SET rev = 1;
				DELETE FROM shop.tasks WHERE id = 2));
		sql($shop->{database}, 'SET ROLE reader; INSERT INTO shop.todo VALUES (2); UPDATE shop.todo SET rev = rev + 1');
		is(sql($shop->{database}, q(SELECT string_agg(m::text, ' ' ORDER BY id) FROM shop.tasks_move m)),
			'(1,2) (2,1) (3,2)', 'the copy follows');
		is(sql($shop->{database},
			q(
				SELECT has_table_privilege('app', 'shop.tasks', 'SELECT WITH GRANT OPTION')
					AND has_table_privilege('reader', 'shop.tasks', 'SELECT'))), 't', 'nobody lost a right');
		is(sql($shop->{database}, q(
			SELECT count(*)
			FROM pg_class c,
				LATERAL (
					SELECT relacl UNION ALL SELECT attacl FROM pg_attribute WHERE attrelid = c.oid) AS l (acl),
			aclexplode(acl) WHERE c.oid = 'shop.tasks_move'::regclass AND grantee <> relowner)), 0,
		"after $step nobody but the owner has a right on the other table");
		sql($shop->{database}, 'DELETE FROM shop.tasks; REVOKE DELETE ON shop.tasks FROM app');
	}
	my ($status, $out, $error) = $node->psql($shop->{database}, q(SET ROLE app; CREATE TEMP TABLE own (id int, rev int);
		CREATE TRIGGER follow AFTER INSERT ON own FOR EACH ROW EXECUTE FUNCTION shop.move_table_tasks()));
	like($error, qr/permission denied for function \S*move_table_tasks/, 'nobody else can use the function');
	succeeds($tasks, $shop, 'drop', 'rights');
}

#
# A key of the far future that comes during the move, to another owner and tablespace.
#
{
	my $shop = shop('owner');
	my $late = q(
		INSERT INTO shop.orders (id, label) VALUES (gen_uuidv7_at(now() + interval '300 days'), 'late');
		INSERT INTO play.orders VALUES ('late', 1));

	succeeds($recipe, $shop, 'prepare', 'to partitions');
	sql($shop->{database}, $late);
	succeeds($recipe, $shop, $_, 'with a row that has none') foreach qw(fill switch drop);
	is(sql($shop->{database}, 'SELECT count(*) FROM shop.orders_default'), 1, 'which is in the default partition');

	my $directory = $node->basedir . '/space';
	mkdir $directory;
	sql('postgres', "CREATE TABLESPACE space LOCATION '$directory'");
	sql('postgres', 'CREATE ROLE heir; GRANT heir TO keeper; GRANT CREATE ON TABLESPACE space TO keeper, heir');
	$shop->{told} = { into => 'table', tablespace => 'space', owner => 'heir' };
	refused($recipe, $shop, 'prepare', 'the rows cannot be moved like this', 'an owner that may not create tables');
	sql($shop->{database}, 'GRANT CREATE ON SCHEMA shop TO heir');
	refused($recipe, $shop, 'prepare', 'the rows cannot be moved like this',
		'an owner as whom foreign keys could not look into the schema');
	sql($shop->{database}, 'GRANT USAGE ON SCHEMA shop TO heir');
	sql('postgres', 'CREATE ROLE deployer LOGIN; GRANT heir, keeper TO deployer; REVOKE heir FROM keeper');
	sql($shop->{database}, 'GRANT ALL ON SCHEMA shop TO deployer');
	sql('postgres', "GRANT TEMPORARY ON DATABASE $shop->{database} TO deployer");
	like(step($recipe, $shop, 'prepare', user => 'deployer')->{said},
		pattern(
			qr/WARNING:  view shop.totals belongs to role keeper, which could not read the table after /,
			qr/do=drop: GRANT heir TO keeper/),
		"a view of the old owner's");
	if (sql('postgres', q(SELECT current_setting('server_version_num')::int)) >= 160000)
	{
		sql('postgres', 'GRANT heir TO deployer WITH SET FALSE');
		like(step($recipe, $shop, 'prepare', user => 'deployer')->{said},
			qr/WARNING:  heir cannot become the owner/, 'a member that may not SET ROLE');
	}
	sql('postgres', 'GRANT heir TO keeper');
	succeeds($recipe, $shop, $_, 'to another owner and tablespace', between => goes_on($shop)) foreach @steps;
	is(sql($shop->{database}, q(
		SELECT count(*) FILTER (WHERE reltablespace = (SELECT oid FROM pg_tablespace WHERE spcname = 'space')),
			count(*)
		FROM pg_class c
		LEFT JOIN pg_index ON indexrelid = c.oid
		WHERE 'shop.orders'::regclass IN (c.oid, indrelid))), '3|3', 'table and indexes are there');
	is(sql($shop->{database}, q(SELECT relowner::regrole FROM pg_class WHERE oid = 'shop.orders'::regclass)),
		'heir', 'and belong to it');
	is(sql($shop->{database}, q(SELECT stxname, stxowner::regrole FROM pg_statistic_ext)), 'together|heir',
		'as do extended statistics');
}

sees_defects($recipe, \&shop);

done_testing();
