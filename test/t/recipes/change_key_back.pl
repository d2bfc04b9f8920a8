# change_key.psql, back after a switch: it ends with the first row of new code that has no
# old key.  Refused, it leaves nothing behind that would stop new code, and it takes
# nothing away that protects rows.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql', variables => sub { (table => 'shop.orders', from => 'ksuid') });
my $new_row = q(INSERT INTO shop.orders (uid, label) VALUES (gen_uuidv7(), '%s'));

sub shop { return new_shop('back', 'text', q(uid_generate('ksuid'))) }

sub left
{
	return sql($_[0]{database},
		q(SELECT count(*) FROM pg_constraint WHERE conname ~ '^(order_|other_|parent_)?id_given$'));
}

# New code goes on, whatever back has said.
sub new_code_writes
{
	my ($shop, $label) = @_;

	is(left($shop), 0, 'no CHECK of the old key is left');
	my ($status, $out, $error) = $node->psql($shop->{database}, 'SET ROLE app; ' . sprintf $new_row, $label);
	is($error, '', 'new code writes a row');
	sql($shop->{database}, "INSERT INTO play.orders VALUES ('$label', 1)");
	return;
}

{
	my $shop = shop();

	succeeds($recipe, $shop, $_, 'before back') foreach qw(prepare fill switch);
	new_code_writes($shop, 'new');
	refused($recipe, $shop, 'back',
		'new code has written 1 rows of table shop.orders without id.*'
			. 'HINT:  To go back give each its old key: UPDATE shop.orders SET id = ... WHERE id IS NULL.*'
			. 'do=drop',
		'after a row of new code');
	new_code_writes($shop, 'newer');
	sql($shop->{database}, 'ALTER TABLE shop.orders ADD CONSTRAINT old_key_too CHECK (id IS NOT NULL) NOT VALID');
	my (undef, undef, $error) = $node->psql($shop->{database}, 'SET ROLE app; ' . sprintf $new_row, 'newest');
	like($error, qr/violates check constraint "old_key_too"/, 'new code can be kept from writing more');
	sql($shop->{database}, q(UPDATE shop.orders SET id = uid_generate('ksuid') WHERE id IS NULL));
	succeeds($recipe, $shop, 'back', 'with old keys');
	sql($shop->{database}, 'ALTER TABLE shop.orders DROP CONSTRAINT old_key_too');
	finishes($recipe, $shop, 'with old keys', ['back']);
}

# Rows of new code that refer to one another: back is refused until every reference has its old key, too, which
# it says how to give.
{
	my $shop = shop();

	succeeds($recipe, $shop, $_, 'before back') foreach qw(prepare fill switch);
	act($shop, 'new', 'gen_uuidv7()', map { ($_ * 9, $_ * 9 + 1, $_ * 9 + 10, $_ * 9 + 7) } 2001 .. 2020);
	my $new_keys = q(SELECT md5(string_agg(uid::text, ',' ORDER BY uid)) FROM shop.orders);
	my $before = sql($shop->{database}, $new_keys);
	my @ways;
	my $result;
	for (1 .. 5)
	{
		$result = step($recipe, $shop, 'back');
		my ($way) = $result->{said} =~ /each its old key: (.*?)\. Or go on/ or last;
		push @ways, $way;
		$way =~ s/ id = \.\.\./ id = uid_generate('ksuid')/;
		sql($shop->{database}, $way);
	}
	my @references = map {
		"UPDATE shop.$_->[0] t SET $_->[1]_id = (SELECT k.id FROM shop.orders k WHERE k.uid = t.$_->[1]_uid) "
		  . "WHERE $_->[1]_id IS NULL AND $_->[1]_uid IS NOT NULL"
	} [ lines => 'order' ], [ lines => 'other' ], [ orders => 'parent' ];
	is(join("\n", @ways), join("\n", 'UPDATE shop.orders SET id = ... WHERE id IS NULL', @references),
		'back asks for each old key');
	is($result->{status}, 0, 'with these it goes back') or diag($result->{said});
	is(sql($shop->{database}, $new_keys), $before, 'the new keys, which references may lead to, have stayed');
	is(left($shop), 0, 'no CHECK is left');
	is(differences($shop, 'old'), '', 'all rows are there, and all references');
	finishes($recipe, $shop, 'and again', ['back']);
}

# Who has given a row its old key, and then goes on, gives it to the rows that refer to it, too.
{
	my $shop = shop();

	succeeds($recipe, $shop, $_, 'before back') foreach qw(prepare fill switch);
	act($shop, 'new', 'gen_uuidv7()', map { ($_ * 9, $_ * 9 + 1, $_ * 9 + 10, $_ * 9 + 7) } 2001 .. 2020);
	sql($shop->{database}, q(UPDATE shop.orders SET id = uid_generate('ksuid') WHERE id IS NULL));
	my $result;
	for (1 .. 4)
	{
		$result = step($recipe, $shop, 'drop');
		my ($way)
			= $result->{said}
				=~ pattern(
					qr/ERROR:  \d+ rows of table shop.\w+ have no \w+, although the rows that they refer /,
					qr/to have an old key\n/,
					qr/HINT:  Give them the old key, too: (.*)\.\n/)
			or last;
		sql($shop->{database}, $way);
	}
	is($result->{status}, 0, 'drop, after what it asks for') or diag($result->{said});
	is(differences($shop, 'new'), '', 'all rows are there, and all references');
}

# A default of the old key that has come since the switch gives keys to its own rows alone: what refers to
# them is asked for as before, and NOT NULL comes back.
{
	my $shop = shop();

	succeeds($recipe, $shop, $_, 'before back') foreach qw(prepare fill switch);
	act($shop, 'new', 'gen_uuidv7()', map { ($_ * 9, $_ * 9 + 1, $_ * 9 + 10, $_ * 9 + 7) } 2001 .. 2020);
	sql($shop->{database}, q(
		ALTER TABLE shop.orders ALTER id SET DEFAULT uid_generate('ksuid');
		UPDATE shop.orders SET id = DEFAULT WHERE id IS NULL));
	my $result;
	for (1 .. 4)
	{
		$result = step($recipe, $shop, 'back');
		my ($way) = $result->{said} =~ /each its old key: (.*?)\. Or go on/ or last;
		sql($shop->{database}, $way);
	}
	is($result->{status}, 0, 'back, after what it asks for') or diag($result->{said});
	is(differences($shop, 'old'), '', 'all rows are there, and all references');
	sql($shop->{database}, 'ALTER TABLE shop.orders ALTER id DROP DEFAULT');
	finishes($recipe, $shop, 'and again', ['back']);
}

# A default that was given before the switch: what is forbidden with one is refused then.
{
	my $shop = shop();

	succeeds($recipe, $shop, $_, 'before switch') foreach qw(prepare fill);
	sql($shop->{database}, q(
		ALTER TABLE shop.orders ALTER id SET DEFAULT uid_generate('ksuid');
		ALTER TABLE shop.lines ALTER CONSTRAINT "Other" DEFERRABLE));
	refused($recipe, $shop, 'switch',
		'nothing has been changed: foreign key "Other" of table shop.lines is deferrable',
		'a key that makes itself, and a deferrable reference');
}

# References of new code that differ from those of old code, or that are in the new column alone.
{
	my $shop = shop();
	my $disabled = sub {
		sql($shop->{database}, qq(
			ALTER TABLE shop.lines DISABLE TRIGGER zz_change_key_other_id;
			$_[0];
			ALTER TABLE shop.lines ENABLE ALWAYS TRIGGER zz_change_key_other_id));
	};
	my $same = q(
		UPDATE shop.lines l
		SET other_uid = k.uid
		FROM shop.orders k
		WHERE k.id IS NOT DISTINCT FROM other_id AND other_uid IS DISTINCT FROM k.uid);

	succeeds($recipe, $shop, $_, 'before back') foreach qw(prepare fill switch);
	$disabled->(q(
		UPDATE shop.lines
		SET other_uid = (SELECT min(uid::text)::uuid FROM shop.orders WHERE uid <> other_uid)
		WHERE label = (SELECT min(label) FROM shop.lines WHERE other_id IS NOT NULL)));
	refused($recipe, $shop, 'back',
		'rows of table shop.lines have a other_uid that leads to another row than their other_id',
		'a trigger switched off meanwhile');
	$disabled->($same);
	succeeds($recipe, $shop, 'back', 'made the same');
	my $lost = q(
		UPDATE shop.lines
		SET other_id = %s
		WHERE label = (SELECT min(label) FROM shop.lines WHERE other_uid IS NOT NULL));
	my $old = sql($shop->{database},
		q(SELECT other_id FROM shop.lines WHERE other_uid IS NOT NULL ORDER BY label LIMIT 1));
	$disabled->(sprintf $lost, 'NULL');
	my $result = step($recipe, $shop, 'back');
	isnt($result->{status}, 0, 'back is refused');
	my ($way) = $result->{said} =~ pattern(
		qr/ERROR:  nothing has been changed, because 1 rows of table shop.lines have only the new key of the row /,
		qr/that they refer to\n/,
		qr/HINT:  Give each the old key, too: (.*)\.\n/);
	ok($way, 'as it would lose a reference, which it says how to keep') or diag($result->{said});
	sql($shop->{database}, $way);
	is(sql($shop->{database},
			q(SELECT other_id FROM shop.lines WHERE other_uid IS NOT NULL ORDER BY label LIMIT 1)), $old,
		'its old key is there again');
	finishes($recipe, $shop, 'and nothing is lost', ['back']);
}

# A row comes after they have been counted, before the CHECK.
{
	my $shop = shop();

	succeeds($recipe, $shop, $_, 'before back') foreach qw(prepare fill switch);
	my $result = while_waiting($recipe, $shop, 'back', qr/CALL pg_temp.back/, sprintf($new_row, 'late'),
		q(INSERT INTO play.orders VALUES ('late', 1); COMMIT));
	isnt($result->{status}, 0, 'a row that comes meanwhile');
	like($result->{said}, qr/ERROR:  nothing has been changed, because new code has written 1 rows/, 'is found');
	new_code_writes($shop, 'later');
}

# It fails by something else, when the CHECK is there already.
{
	my $shop = shop();

	succeeds($recipe, $shop, $_, 'before back') foreach qw(prepare fill switch);
	sql($shop->{database}, q(CREATE FUNCTION play.keep() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
			IF EXISTS (
				SELECT FROM pg_event_trigger_dropped_objects()
				WHERE object_identity ~ 'orders_pkey') THEN
				RAISE 'orders_pkey is to stay';
			END IF;
		END $$;
		CREATE EVENT TRIGGER keep ON sql_drop EXECUTE FUNCTION play.keep()));
	refused($recipe, $shop, 'back', 'nothing has been changed: orders_pkey is to stay', 'the primary key may not be dropped');
	new_code_writes($shop, 'new');
}

# What needs the new primary key is named before anything is changed, and nobody is told to drop it with CASCADE.
foreach (
	[ 'a view' => 'CREATE VIEW shop.sums AS SELECT uid, label, count(*) FROM shop.orders GROUP BY uid',
		'rule _RETURN on view shop.sums', 'DROP VIEW shop.sums' ],
	[ 'a foreign key' => 'CREATE TABLE shop.refunds (order_uid uuid REFERENCES shop.orders)',
		'constraint refunds_order_uid_fkey on table shop.refunds', 'DROP TABLE shop.refunds' ])
{
	my ($what, $made, $named, $mend) = @$_;
	my $shop = shop();

	succeeds($recipe, $shop, $_, 'before back') foreach qw(prepare fill switch);
	sql($shop->{database}, $made);
	my $result = step($recipe, $shop, 'back');
	like($result->{said}, pattern(
		qr/ERROR:  the new primary key of table shop.orders is needed by: $named\n/,
		qr/HINT:  Nothing has been changed\. Drop these objects, or let them use the old key/),
		"$what is named by back");
	unlike($result->{said}, qr/CASCADE/, 'which gives no advice that drops it');
	new_code_writes($shop, "beside $what");
	sql($shop->{database}, q(UPDATE shop.orders SET id = uid_generate('ksuid') WHERE id IS NULL));
	sql($shop->{database}, $mend);
	succeeds($recipe, $shop, 'back', "without $what");
}

# What a session that was killed has left.
foreach my $step (qw(fill switch))
{
	my $shop = shop();

	succeeds($recipe, $shop, $_, 'before back') foreach qw(prepare fill switch);
	sql($shop->{database}, 'ALTER TABLE shop.orders ADD CONSTRAINT id_given CHECK (id IS NOT NULL) NOT VALID');
	succeeds($recipe, $shop, $step, 'after a back that was killed');
	new_code_writes($shop, "after $step");
}

# One that was killed when all keys were proved, before psql could say so: what somebody then does to
# the validity of a key stays.
foreach ([ 'back' ], [ 'fill', 'switch', 'back' ])
{
	my $shop = shop();
	my $keeper = sub { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop; $_[0]") };
	my $play = sub {
		my ($step, %how) = @_;
		return step($recipe, $shop, $step,
			variables => { table => 'shop.sales', $step eq 'prepare' ? (from => 'number') : () }, %how)
	};
	my $valid = sub {
		return $keeper->(q(
			SELECT string_agg(conname || ' ' || convalidated, ', ' ORDER BY conname)
			FROM pg_constraint
			WHERE conrelid = 'items'::regclass AND conname IN ('first', 'second')))
	};

	$keeper->(q(
		CREATE TABLE sales (id bigint PRIMARY KEY);
		CREATE TABLE items (sale_id bigint CONSTRAINT first REFERENCES sales, other_id bigint);
		INSERT INTO sales SELECT generate_series(1, 9); INSERT INTO items SELECT id, id FROM sales;
		ALTER TABLE items ADD CONSTRAINT second FOREIGN KEY (other_id) REFERENCES sales NOT VALID));
	each_succeeds($play, 'validity', qw(prepare fill switch));
	$play->('back', between => sub { return $_[0] =~ /end_half_back/ ? 'kill' : undef });
	Recipes::no_session($shop);
	is($valid->(), 'first true, second false', 'a back that is killed in the end has left the keys as they were');
	$keeper->(q(
		ALTER TABLE items VALIDATE CONSTRAINT second,
			DROP CONSTRAINT first,
			ADD CONSTRAINT first FOREIGN KEY (sale_id) REFERENCES sales NOT VALID));
	each_succeeds($play, 'validity', @$_);
	is($valid->(), 'first false, second true', "what was done to them since then stays: @$_");
}

# What the owner types in a shop, and what plays a step there with a table sales.
sub of_sales
{
	my ($shop) = @_;
	my $keeper = sub { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop; $_[0]") };
	my $play = sub {
		my ($step) = @_;
		return step($recipe, $shop, $step,
			variables => { table => 'shop.sales', $step eq 'prepare' ? (from => 'number') : () })
	};

	return ($keeper, $play);
}

# One that was killed before they were proved, and those of partitions given to their table: any of the
# next steps finishes it.
foreach ([ 'back' ], [ 'fill', 'switch', 'back' ])
{
	my $shop = shop();
	my ($keeper, $play) = of_sales($shop);
	my $keys = sub {
		return $keeper->(q(
			SELECT string_agg(
				concat_ws(' ', conrelid::regclass, conname, convalidated), ', '
				ORDER BY conrelid::regclass::text)
			FROM pg_constraint
			WHERE confrelid = 'sales'::regclass))
	};

	$keeper->(q(
		CREATE TABLE sales (id bigint PRIMARY KEY);
		CREATE TABLE items (sale_id bigint REFERENCES sales, n int) PARTITION BY HASH (n);
		CREATE TABLE items_0 PARTITION OF items FOR VALUES WITH (MODULUS 1, REMAINDER 0); CREATE TABLE tips (sale_id bigint);
		INSERT INTO sales SELECT generate_series(1, 9);
		INSERT INTO items SELECT id, id FROM sales;
		INSERT INTO tips SELECT id FROM sales;
		ALTER TABLE tips ADD FOREIGN KEY (sale_id) REFERENCES sales NOT VALID));
	my $before = $keys->();
	each_succeeds($play, 'killed before the proof', qw(prepare fill switch));
	sql($shop->{database}, q(CREATE FUNCTION play.stop() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
			IF EXISTS (SELECT FROM pg_proc WHERE obj_description(oid, 'pg_proc') ~ 'half_back') THEN
				PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(100);
			END IF;
		END $$;
		CREATE EVENT TRIGGER stop ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION play.stop()));
	isnt($play->('back')->{status}, 0, 'back is killed when it has undone the switch');
	sql($shop->{database}, 'DROP EVENT TRIGGER stop');
	Recipes::no_session($shop);
	isnt($keys->(), $before, 'and keys are not proved');
	each_succeeds($play, "killed before the proof, then @$_", @$_);
	is($keys->() =~ s/, \w+ \w+_new t//gr, $before, 'in the end all are as they were');
}

# Those of partitioned tables, of which one has no partition: from 18 on they can be NOT VALID, and stay so.
{
	my $shop = shop();
	my ($keeper, $play) = of_sales($shop);
	my $keys = sub {
		return $keeper->(q(
			SELECT string_agg(
				concat_ws(' ', conrelid::regclass, conname, convalidated, conparentid <> 0), ', '
				ORDER BY conrelid::regclass::text, conname)
			FROM pg_constraint
			WHERE confrelid = 'sales'::regclass))
	};

	my $not_valid = $keeper->(q(SELECT current_setting('server_version_num')::int >= 180000)) eq 't' ? 'NOT VALID' : '';
	$keeper->(qq(
		CREATE TABLE sales (id bigint PRIMARY KEY);
		CREATE TABLE items (sale_id bigint, tip_id bigint CONSTRAINT tips REFERENCES sales, n int) PARTITION BY HASH (n);
		CREATE TABLE items_0 PARTITION OF items FOR VALUES WITH (MODULUS 2, REMAINDER 0);
		CREATE TABLE items_1 PARTITION OF items FOR VALUES WITH (MODULUS 2, REMAINDER 1) PARTITION BY RANGE (n);
		CREATE TABLE items_1_all PARTITION OF items_1 DEFAULT;
		CREATE TABLE plans (sale_id bigint, n int) PARTITION BY HASH (n);
		INSERT INTO sales SELECT generate_series(1, 9);
		INSERT INTO items SELECT id, id, id FROM sales;
		ALTER TABLE items ADD FOREIGN KEY (sale_id) REFERENCES sales $not_valid;
		ALTER TABLE plans ADD FOREIGN KEY (sale_id) REFERENCES sales $not_valid));
	my $before = $keys->();
	each_succeeds($play, "partitioned tables $not_valid", qw(prepare fill switch back));
	is($keys->(), $before, 'after back each partition has the keys as they were');
	each_succeeds($play, 'once more', qw(fill switch back back));
	is($keys->(), $before, 'and after another one');
}

# What protects rows by the new column is there by the old one before back drops it.
foreach (
	[ 'CHECK' => 'CHECK (order_%s IS NOT NULL)' ],
	[ 'EXCLUDE' => 'EXCLUDE (order_%s WITH =, label WITH =)' ],
	[ 'UNIQUE' => 'UNIQUE (order_%s, label)' ])
{
	my ($kind, $rule) = @$_;
	my $shop = shop();
	my $add = sub { return "ALTER TABLE shop.lines ADD CONSTRAINT ours " . sprintf $rule, $_[0] };
	my $drop = 'ALTER TABLE shop.lines DROP CONSTRAINT ours';

	succeeds($recipe, $shop, $_, "a $kind") foreach qw(prepare fill);
	sql($shop->{database}, $add->('uid'));
	refused($recipe, $shop, 'back',
		'the new column would take with it: constraint ours on table shop.lines.*'
			. 'HINT:  Create them again for the old column',
		"a $kind of the new column");
	sql($shop->{database}, $drop);
	sql($shop->{database}, $add->('id'));
	succeeds({ %$recipe, new_after => undef }, $shop, 'back', "a $kind of the old one");
	sql($shop->{database}, $drop);
}

done_testing();
