# change_key.psql, and the code of triggers that fill fires: it has the rights of the owner there, so that of others,
# who have the right TRIGGER, does not run.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('trigger_code', 'bigint', q(nextval('play.n')), identity => 1);

sub as { my ($role, $sql) = @_; return sql($shop->{database}, "SET ROLE $role; SET search_path = shop, public; $sql") }

sub play_step
{
	my ($step, %how) = @_;
	return step($recipe, $shop, $step, variables => { table => 'shop.sales', $step eq 'prepare' ? (from => 'number') : () }, %how);
}

sub goes { return each_succeeds(\&play_step, @_) }

sub is_refused { return is_refused_by(\&play_step, @_[0, 1], $_[2]) }

sub sales
{
	as('keeper', q(DROP TABLE IF EXISTS items, sales; CREATE TABLE sales (id bigint PRIMARY KEY, n int);
		CREATE TABLE items (sale_id bigint REFERENCES sales, n int) PARTITION BY HASH (n);
		CREATE TABLE items_0 PARTITION OF items FOR VALUES WITH (MODULUS 1, REMAINDER 0);
		INSERT INTO sales SELECT n, n FROM generate_series(1, 9) n; INSERT INTO items SELECT id, id FROM sales;
		GRANT TRIGGER ON sales, items, items_0 TO mallory));
	return;
}

sql($shop->{database}, q(
	CREATE ROLE mallory;
	CREATE SCHEMA hers AUTHORIZATION mallory;
	GRANT USAGE ON SCHEMA hers TO PUBLIC;
	GRANT USAGE ON SCHEMA shop TO mallory;
	CREATE ROLE deputy; GRANT keeper TO deputy; GRANT CREATE ON SCHEMA shop TO deputy));
as('mallory', q(
	CREATE FUNCTION hers.touch()
	RETURNS trigger
	LANGUAGE plpgsql AS $$
		BEGIN
			IF current_user = 'keeper' THEN
				RAISE 'her code runs as %', current_user;
			END IF;
			RETURN NEW;
		END$$;
	CREATE FUNCTION hers.lie(bigint)
	RETURNS bool
	LANGUAGE plpgsql AS $$
		BEGIN
			IF current_user = 'keeper' THEN
				RAISE 'her code runs as %', current_user;
			END IF;
			RETURN true;
		END$$;
	CREATE OPERATOR hers.@# (FUNCTION = hers.lie, RIGHTARG = bigint); CREATE DOMAIN hers.number AS bigint CHECK (hers.lie(VALUE))));

# As a function, in a WHEN, and behind an operator or a domain; of rows and of statements; made before
# prepare, and after it.
foreach (
	[ 'sales', 'BEFORE UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION hers.touch()', 'function hers\.touch\(\)' ],
	[ 'items', 'AFTER UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION hers.touch()', 'function hers\.touch\(\)' ],
	[ 'items_0', 'BEFORE UPDATE ON %s EXECUTE FUNCTION hers.touch()', 'function hers\.touch\(\)' ],
	[ 'sales', 'AFTER UPDATE ON %s FOR EACH ROW WHEN (hers.lie(NEW.id)) EXECUTE FUNCTION '
		. 'suppress_redundant_updates_trigger()',
		'function hers\.lie\(bigint\)' ],
	[ 'items', 'BEFORE UPDATE ON %s FOR EACH ROW WHEN (OPERATOR(hers.@#) NEW.sale_id) EXECUTE FUNCTION '
		. 'suppress_redundant_updates_trigger()',
		'function hers\.lie\(bigint\)' ],
	[ 'sales', 'BEFORE UPDATE ON %s FOR EACH ROW WHEN (NEW.id::hers.number > 0) EXECUTE FUNCTION '
		. 'suppress_redundant_updates_trigger()',
		'type hers\.number' ])
{
	my ($table, $trigger, $code) = @$_;
	my $why = pattern(
		qr/do=fill would run $code in trigger hers of table shop\.$table, and role mallory may exchange /,
		qr/it: read it, then ALTER \w+ \S+ OWNER TO keeper, or drop or disable/);
	my $what = "$code, $trigger" =~ s/\\|%s//gr;

	$trigger = 'CREATE TRIGGER hers ' . sprintf($trigger, $table);
	sales();
	as('mallory', $trigger);
	is_refused($what, 'prepare', qr/WARNING:  $why.*ERROR:  the key cannot be changed like this/s);
	as('keeper', "ALTER TABLE $table DISABLE TRIGGER hers");
	goes("$what, disabled", 'prepare');
	as('keeper', "ALTER TABLE $table ENABLE TRIGGER hers");
	is_refused($what, 'fill', qr/ERROR:  $why/);
	is(as('keeper', 'SELECT count(uid) FROM sales'), 0, 'before it runs');
	as('keeper', "DROP TRIGGER hers ON $table");
	goes("$what, dropped", 'fill');
}

# While fill is at work, before the first batch of a table.
{
	my $made = 0;

	sales();
	goes('a late trigger', 'prepare');
	my $result = play_step('fill', between => sub {
			as('mallory',
				'CREATE TRIGGER hers BEFORE UPDATE ON items FOR EACH ROW EXECUTE FUNCTION hers.touch()')
				if $_[0] =~ /fill_all\(false\)/ && !$made++;
			return });
	like($result->{said},
		qr/ERROR:  do=fill would run function hers\.touch\(\) in trigger hers of table shop\.items, /,
		'a trigger that comes while fill is at work does not run');
	as('keeper', 'DROP TRIGGER hers ON items');
	goes('without it', 'fill');
	# which is over
	as('mallory', 'CREATE TRIGGER hers BEFORE UPDATE ON items FOR EACH ROW EXECUTE FUNCTION hers.touch()');
	goes('with it again', 'switch', 'drop');
}

# What cannot be exchanged, or does not fire: code of the owner, of its members and of superusers, for
# other columns and for INSERT.
sales();
as('deputy', q(CREATE FUNCTION shop.fine() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'));
as('keeper', q(
	CREATE TRIGGER fine BEFORE UPDATE ON sales FOR EACH ROW EXECUTE FUNCTION fine();
	CREATE TRIGGER least BEFORE UPDATE ON items
	FOR EACH ROW
	EXECUTE FUNCTION suppress_redundant_updates_trigger()));
as('mallory', q(
	CREATE TRIGGER inserted BEFORE INSERT ON sales FOR EACH ROW EXECUTE FUNCTION hers.touch();
	CREATE TRIGGER n BEFORE UPDATE OF n ON items FOR EACH ROW EXECUTE FUNCTION hers.touch();
	CREATE TRIGGER whole AFTER UPDATE ON items EXECUTE FUNCTION hers.touch()));
goes('code that is fine', qw(prepare fill switch drop));

# Triggers, CHECKs and rules of the owner that do not work as fill updates rows: known at prepare, or when fill begins.
as('keeper', q(CREATE TABLE log (what text)));
my %codes = (
	trigger => [q(
		CREATE FUNCTION noted()
		RETURNS trigger
		LANGUAGE plpgsql AS 'BEGIN INSERT INTO log VALUES (TG_TABLE_NAME); RETURN NEW; END';
		CREATE TRIGGER noted %s EXECUTE FUNCTION noted()),
		'relation "log" does not exist \(PL/pgSQL function shop\.noted\(\) line 1 at SQL statement\)' ],
	check => [q(
		CREATE FUNCTION noted(bigint) RETURNS bool LANGUAGE sql AS 'SELECT count(*) >= 0 FROM log';
		ALTER TABLE %s ADD CONSTRAINT noted CHECK (noted(n))),
		'relation "log" does not exist \(SQL function "noted" during \w+\)' ]);
foreach (
	[ trigger => 'AFTER UPDATE ON sales FOR EACH ROW', 'sales' ],
	[ trigger => 'BEFORE UPDATE ON items_0 FOR EACH ROW', 'items_0' ],
	[ trigger => 'AFTER UPDATE ON sales', 'sales' ],
	[ check => 'items', 'items_0' ])
{
	my ($kind, $place, $table) = @$_;
	my ($made, $error) = @{ $codes{$kind} };
	my $what = "$kind, $place";
	my $why = pattern(
		qr/ERROR:  do=fill could not update rows of table shop\.$table: $error\n/,
		qr/DETAIL:  It updates them as role keeper, with search_path = pg_catalog, pg_temp and /,
		qr/row_security = off\.\n/,
		qr/HINT:  Nothing has been changed\. .*ALTER FUNCTION \.\.\. SET search_path/);
	my $mend = 'ALTER ROUTINE noted SET search_path = shop';

	sales();
	as('keeper', 'DROP FUNCTION IF EXISTS noted(), noted(bigint)');
	as('keeper', sprintf $made, $place);
	is_refused($what, 'prepare', $why);
	is(as('keeper', q(
			SELECT count(*)
			FROM pg_attribute
			WHERE attname IN ('uid', 'sale_uid') AND attrelid IN ('sales'::regclass, 'items'::regclass))), 0,
		'and nothing has changed');
	as('keeper', $mend);
	goes("$what, mended", 'prepare');
	is(as('keeper', 'SELECT count(*) FROM log'), 0, 'which leaves no trace');
	as('keeper', 'ALTER ROUTINE noted RESET search_path');
	is_refused($what, 'fill', $why);
	is(as('keeper', 'SELECT count(uid) FROM sales'), 0, 'before anything is filled');
	as('keeper', $mend);
	goes("$what, mended", 'fill');
	as('keeper', 'TRUNCATE log; DROP ROUTINE noted CASCADE');
}

# A row that may not be changed, which is known when the transaction ends.
sales();
as('keeper', q(CREATE FUNCTION sealed() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'sealed'; END$$;
	CREATE CONSTRAINT TRIGGER sealed AFTER UPDATE ON items DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sealed()));
is_refused('a deferred trigger', 'prepare', qr/ERROR:  do=fill could not update rows of table shop\.items_0: sealed /);
as('keeper', q(
	DROP TRIGGER sealed ON items;
	CREATE CONSTRAINT TRIGGER sealed AFTER UPDATE ON items DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
	WHEN (current_setting('application_name') <> 'change_key') EXECUTE FUNCTION sealed()));
goes('one that lets fill pass', qw(prepare fill switch drop));

done_testing();
