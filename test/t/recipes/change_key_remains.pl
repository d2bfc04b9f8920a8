# change_key.psql, when a table or a foreign key is dropped between its steps: nothing is
# left that stops a later change, and no step goes on without a reference that it knew.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('remains', 'bigint', q(nextval('play.n')), identity => 1);
my $by_old = q(INSERT INTO items (sale_id, n) VALUES ('00000000-0000-4000-8000-000000000001', 2));
my $by_new = q(INSERT INTO items (sale_uid, n) SELECT uid, 3 FROM sales LIMIT 1);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub error_of
{
	my (undef, undef, $error) = $node->psql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]");
	return $error;
}

sub play_step
{
	my ($table, $step) = @_;
	return step($recipe, $shop, $step,
		variables => { table => "shop.$table", $step eq 'prepare' ? (from => 'v4', created => 'at') : () });
}

sub goes
{
	my ($table, @steps) = @_;
	return each_succeeds(sub { play_step($table, $_[0]) }, $table, @steps);
}

my @moves = qw(prepare fill switch drop);
my $sales = 'CREATE TABLE sales (id uuid PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())';

# Sales with items and returns, at a stage of the change.
sub at_stage
{
	my (@steps) = @_;

	keeper("DROP TABLE IF EXISTS items, returns, sales CASCADE; $sales;
		CREATE TABLE items (sale_id uuid NOT NULL REFERENCES sales, n int);
		CREATE TABLE returns (sale_id uuid REFERENCES sales);
		INSERT INTO sales VALUES (gen_random_uuid());
		INSERT INTO items SELECT id, 1 FROM sales;
		INSERT INTO returns SELECT id FROM sales");
	goes('sales', @steps);
	return;
}

sub functions { return keeper(q(SELECT string_agg(proname, ' ' ORDER BY proname) FROM pg_proc WHERE proname ~ '^change_key')) }

foreach my $stage ([qw(prepare)], [qw(prepare fill)], [qw(prepare fill switch)])
{
	my $after = "after $stage->[-1]";
	my @left = (qw(prepare fill switch drop))[ scalar(@$stage) .. 3 ];

	# a table that refers to it is dropped: the others go on, and its function goes
	at_stage(@$stage);
	keeper('DROP TABLE items');
	my $result = play_step('sales', 'fill');
	like($result->{said},
		qr/NOTICE:  function shop.change_key_items_sale_id_\w+\(\) is dropped, as its table is gone/,
		"$after, a table dropped: its function goes");
	goes('sales', @left);
	is(functions(), '', 'none is left');

	# its own table is dropped: back of those that referred to it
	at_stage(@$stage);
	keeper('DROP TABLE sales CASCADE');
	keeper($sales);
	$result = play_step('sales', 'prepare');
	isnt($result->{status}, 0, "$after, the table made anew: prepare is refused");
	like($result->{said},
		pattern(
			qr/WARNING:  table shop.items still has trigger zz_change_key_sale_id, which reads table /,
			qr/shop.sales that was dropped: first run do=back of table shop.items/),
		'and says what to do');
	$result = play_step('items', 'back');
	is($result->{status}, 0, 'back of a table that referred to it');
	like($result->{said}, pattern(
		qr/NOTICE:  column sale_uid of table shop.items stays, although table shop.sales, to which it led, /,
		qr/is gone/),
		'says what stays');
	goes('returns', 'back');
	is(error_of($by_old), '', 'and rows are written');
	is(functions(), '', 'no function is left');
	goes('sales', qw(prepare fill switch drop));

	# so it is, of a table whose primary key has the reference: no double of it is left, and none goes that is not one
	keeper("
		DROP TABLE items, returns, sales CASCADE;
		$sales;
		CREATE TABLE items (sale_id uuid NOT NULL REFERENCES sales, n int, PRIMARY KEY (sale_id, n))
		PARTITION BY HASH (n);
		CREATE TABLE items_0 PARTITION OF items FOR VALUES WITH (MODULUS 1, REMAINDER 0);
		INSERT INTO sales VALUES (gen_random_uuid());
		INSERT INTO items SELECT id, 1 FROM sales");
	goes('sales', @$stage);
	keeper('DROP TABLE sales CASCADE');
	$result = play_step('items', 'back');
	is($result->{status}, 0, "$after, a reference in a primary key: back") or diag($result->{said});
	my $notice = pattern(
		qr/NOTICE:  primary key items_0_pkey of table shop.items_0 stays that of the new columns, and /,
		qr/index shop.items_0_pkey_old that of the old ones/);
	my $left = keeper(q(SELECT count(*) FROM pg_class WHERE relname = 'items_0_pkey_old'));
	if (@left == 1) {
		like($result->{said}, $notice, 'says which index stays');
		is($left, 1, 'as it is the only one of the old columns')
	}
	else { unlike($result->{said}, $notice, 'says of no index that it stays'); is($left, 0, 'as its double goes') }
	keeper("DROP TABLE items; $sales");

	# a table begins to refer to it: the steps take it in when prepare has seen it
	at_stage(@$stage);
	keeper('CREATE TABLE gifts (sale_id uuid NOT NULL REFERENCES sales (id)); INSERT INTO gifts SELECT id FROM sales');
	foreach my $step (qw(fill switch drop), @left == 1 ? 'back' : ())
	{
		$result = play_step('sales', $step);
		isnt($result->{status}, 0, "$after, a new reference: $step is refused");
		like($result->{said},
			pattern(
				qr/ERROR:  nothing has been changed, because column sale_id of table shop.gifts refers to /,
				qr/table shop.sales only since do=prepare\n/,
				qr/HINT:  Run do=prepare and do=fill again/),
			'and says what to do');
	}
	goes('sales', qw(prepare fill), grep { $_ ne 'fill' } @left);
	is(keeper('SELECT count(*) FROM gifts JOIN sales ON sale_uid = uid'), 1, 'and it leads to the same row');
	keeper('DROP TABLE gifts');

	# a new column is dropped: back takes away what would fill it
	if (@left > 1)
	{
		at_stage(@$stage);
		keeper('ALTER TABLE items DROP COLUMN sale_uid');
		foreach my $step (@moves)
		{
			$result = play_step('sales', $step);
			isnt($result->{status}, 0, "$after, a column dropped: $step is refused");
			like($result->{said}, pattern(
				qr/ERROR:  nothing has been changed, because column sale_uid of table shop.items is gone\n/,
				qr/HINT:  Nobody can write to table shop.items until you run do=back/),
				'and says what to do');
		}
		goes('sales', 'back');
		is(error_of(q(INSERT INTO items SELECT id, 2 FROM sales)), '', 'and rows are written');
		is(functions(), '', 'and no function is left');
		foreach my $gone ('ALTER TABLE returns DROP COLUMN sale_uid', 'ALTER TABLE sales DROP COLUMN uid CASCADE',
			'CREATE TABLE gifts (sale_id uuid REFERENCES sales (id))')
		{
			last if $stage->[-1] eq 'switch';
			at_stage(@$stage);
			keeper($gone);
			goes('sales', 'back');
			is(functions(), '', "$gone: back leaves no function");
			keeper('DROP TABLE IF EXISTS gifts');
		}
	}

	# a foreign key is dropped: no step goes on without it, and none would lose what it kept
	at_stage(@$stage);
	keeper('ALTER TABLE items DROP CONSTRAINT items_sale_id_fkey');
	foreach my $step (qw(fill switch drop back))
	{
		$result = play_step('sales', $step);
		isnt($result->{status}, 0, "$after, a foreign key dropped: $step is refused");
		like($result->{said}, pattern(
			qr/nothing has been changed, because column sale_id of table shop.items has no foreign key to /s,
			qr/table shop.sales any more.*HINT:  Make it again: ALTER TABLE shop.items ADD CONSTRAINT /s,
			qr/items_sale_id_fkey FOREIGN KEY \(sale_id\) REFERENCES shop.sales \(id\) NOT VALID/s),
			'and says what to do');
	}
	keeper('ALTER TABLE items ADD FOREIGN KEY (sale_id) REFERENCES sales (id) NOT VALID');
	goes('sales', 'fill', @left);
	is(error_of($by_new), '', 'made again: rows are written after drop');
	is(functions(), '', 'and no function is left');
}

# What it says makes the foreign key that there was: of a partitioned table, with its actions, of a column whose
# trigger's name is shortened.
foreach my $kind ('', 'PARTITION BY HASH (n)')
{
	my $column = 'the_sale_that_this_item_has_been_bought_with_and_no_other';
	my $definition = q(
		SELECT pg_get_constraintdef(oid)
		FROM pg_constraint
		WHERE conname = 'Bought' AND conrelid = 'items'::regclass);

	keeper(qq(
		DROP TABLE IF EXISTS items, returns, sales CASCADE;
		$sales;
		CREATE TABLE items ($column uuid CONSTRAINT \"Bought\" REFERENCES sales ON DELETE CASCADE, n int) $kind));
	keeper('CREATE TABLE items_0 PARTITION OF items FOR VALUES WITH (MODULUS 1, REMAINDER 0)') if $kind;
	keeper('INSERT INTO sales VALUES (gen_random_uuid()); INSERT INTO items SELECT id, 1 FROM sales');
	my $before = keeper($definition);
	goes('sales', qw(prepare fill));
	keeper('ALTER TABLE items DROP CONSTRAINT "Bought"');
	my $result = play_step('sales', 'switch');
	my ($way)
		= $result->{said}
			=~ /column $column of table shop.items has no foreign key.*HINT:  Make it again: (.*?)\. To do without/s;
	keeper($way // "SELECT 1/0");
	is(keeper($definition) =~ s/ NOT VALID//r, $before, "a foreign key made again as it was $kind");
	goes('sales', qw(switch drop));
	my $new = keeper(q(
		SELECT attname FROM pg_attribute WHERE attrelid = 'items'::regclass AND attname ~ '^the_sale'));
	is(keeper($definition), $before =~ s/\w+(?=\) REF)/$new/r =~ s/\(id\)/(uid)/r, 'and so in the end');
}

# Triggers that somebody has switched off and on, as pg_restore --disable-triggers does, or dropped.
at_stage(qw(prepare fill));
keeper('ALTER TABLE items DISABLE TRIGGER USER; ALTER TABLE items ENABLE TRIGGER USER');
my $result = play_step('sales', 'switch');
like($result->{said}, pattern(
	qr/ERROR:  nothing has been changed, because there is no trigger zz_change_key_sale_id of table /,
	qr/shop.items, in force\n/,
	qr/HINT:  Run do=prepare and do=fill again\./),
	'a trigger that is switched on for some writes alone is told');
goes('sales', qw(prepare fill switch));
# What was written meanwhile and leads nowhere by the new column, fill tells before the foreign key would refuse it.
at_stage('prepare');
keeper(q(INSERT INTO sales SELECT gen_random_uuid() FROM generate_series(1, 2);
	INSERT INTO items SELECT (SELECT id FROM sales WHERE uid IS NOT NULL ORDER BY id LIMIT 1), 2;
	ALTER TABLE items DISABLE TRIGGER USER;
	UPDATE items SET sale_id = (SELECT max(id::text)::uuid FROM sales WHERE uid IS NOT NULL) WHERE n = 2;
	ALTER TABLE items ENABLE TRIGGER USER;
	DELETE FROM sales WHERE uid IS NOT NULL AND id NOT IN (SELECT sale_id FROM items)));
goes('sales', 'prepare');
$result = play_step('sales', 'fill');
like($result->{said}, pattern(qr/ERROR:  1 rows of table shop\.items have a sale_uid that leads to another row than their sale_id\n/,
		qr/HINT:  A trigger was switched off meanwhile.*Mend or delete rows that lead nowhere/),
	'a row that was written without the trigger');
keeper($result->{said} =~ /If sale_id is right: (.*?)\. If/ ? $1 : '');
goes('sales', @moves[1 .. 3]);
is(keeper('SELECT count(*) FROM items JOIN sales ON sale_uid = uid'), 2, 'is corrected as it says');
at_stage(qw(prepare fill));
keeper('DROP TRIGGER zz_change_key_sale_id ON items');
$result = play_step('sales', 'switch');
like($result->{said}, pattern(
	qr/ERROR:  nothing has been changed, because there is no trigger.*/s,
	qr/HINT:  Somebody has dropped the trigger\. Run do=back, and begin again\./s),
	'a trigger that was dropped, too');
goes('sales', 'back', @moves);
is(functions(), '', 'no function is left');

# The table gets another name or schema: the triggers of references look for it under the old one.
foreach my $way ([ 'RENAME TO purchases', 'public', 'purchases', 'ALTER TABLE shop.purchases RENAME TO sales', 'shop' ],
	[ 'SET SCHEMA elsewhere', '', 'sales', 'ALTER TABLE elsewhere.sales SET SCHEMA shop', 'elsewhere' ])
{
	my ($change, undef, $name, $back, $schema) = @$way;

	sql($shop->{database}, 'CREATE SCHEMA elsewhere AUTHORIZATION keeper') if $schema ne 'shop';
	at_stage(qw(prepare fill));
	keeper("ALTER TABLE sales $change");
	foreach my $step (qw(prepare switch back))
	{
		my $refused = step($recipe, $shop, $step, variables => { table => "$schema.$name" });
		isnt($refused->{status}, 0, "$change: $step is refused");
		like($refused->{said}, qr/was table shop\.sales at do=prepare, and nobody can write to tables that refer to it.*HINT:  .*: $back\n/s, 'and says what to type');
	}
	keeper($back);
	goes('sales', qw(switch drop));
}

# A table begins to refer to a key without a default after switch: a second switch lets new code write to it.
at_stage(qw(prepare fill switch));
keeper(q(CREATE TABLE gifts (sale_id uuid NOT NULL REFERENCES sales (id), n int, PRIMARY KEY (sale_id, n)); INSERT INTO gifts SELECT id, 1 FROM sales));
goes('sales', 'prepare');
like(play_step('sales', 'fill')->{said}, qr/NOTICE:  run do=switch again before new code writes to table shop\.gifts, which refers/, 'fill says so');
goes('sales', 'switch');
keeper('INSERT INTO sales (uid) VALUES (gen_uuidv7()); INSERT INTO gifts (sale_uid, n) SELECT uid, 2 FROM sales WHERE id IS NULL');
is(keeper('SELECT count(*) FROM gifts JOIN sales ON uid = sale_uid'), 2, 'new code writes to it');
like(play_step('sales', 'switch')->{said}, qr/NOTICE:  it has been switched before/, 'a third switch has nothing to do');
goes('sales', 'drop');
is(keeper(q(SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'gifts'::regclass AND contype = 'p')), 'PRIMARY KEY (sale_uid, n)',
	'its primary key is that of the new column');
keeper('DROP TABLE gifts');

# The table is dropped after switch, and a primary key has the reference.
keeper("DROP TABLE items, returns, sales; $sales; CREATE TABLE items (sale_id uuid NOT NULL REFERENCES sales, n int, PRIMARY KEY (sale_id, n))");
goes('sales', qw(prepare fill switch));
keeper('DROP TABLE sales CASCADE');
$result = play_step('items', 'back');
my ($type) = $result->{said} =~ /old code cannot write: (.*)/;
keeper($type // 'SELECT 1/0');
is(error_of($by_old), '', 'the printed command lets old code write');
is(keeper(q(SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'items'::regclass AND contype = 'p')), 'PRIMARY KEY (sale_id, n)',
	'and gives the table its old primary key');

done_testing();
