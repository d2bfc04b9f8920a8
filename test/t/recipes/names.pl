# Every recipe where the names that it needs are taken, a stranger's, or too long:
# what is there stays, nobody's code runs with more rights, and nothing is mistaken
# for what the recipe has made.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils qw(slurp_file);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Moves qw(problem);
use Recipes;

my $node = server();
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');
my $body = 'RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$';
my $day = q(timestamptz '2026-01-01 00:00+00' + n * interval '1 day');

# What each recipe is told of table t; the steps to its end, and what it makes that is named.
my %told = (
	change_key => { from => 'number' },
	move_table => {},
	merge_partitions => { start => '2026-01-01 00:00+00', step => '4 days' },
	refresh_mixed => {});
my %steps = (%{ { map { ($_ => [qw(prepare fill switch drop)]) } keys %told } }, refresh_mixed => [qw(prepare fill back)]);
my %function = (change_key => 'change_key_t', move_table => 'move_table_t',
	merge_partitions => 'merge_partitions_t', refresh_mixed => 'only_v7_t');
my %recipe = map { my $name = $_; ($name => of_table($name, 'shop.t')) } keys %told;

sub of_table
{
	my ($name, $table) = @_;

	return new_recipe(
		file => "$name.psql",
		steps => $steps{$name},
		variables => sub { (table => $table, %{ $told{$name} }) });
}

sql('postgres', q(
	CREATE ROLE mallory;
	CREATE ROLE administrator LOGIN CREATEROLE IN ROLE keeper;
	CREATE ROLE deputy LOGIN NOINHERIT IN ROLE keeper));

# A shop with table t, of ten rows, as a recipe wants it; mallory may make what she likes in its schema.
sub shop
{
	my ($recipe) = @_;
	my $shop = new_shop($recipe, 'uuid', 'gen_uuidv7()', more => 'GRANT USAGE, CREATE ON SCHEMA shop TO mallory');

	make_table($shop, $recipe, 't');
	return $shop;
}

sub make_table
{
	my ($shop, $recipe, $table) = @_;
	my $key = $recipe eq 'change_key' ? 'bigint' : 'uuid DEFAULT gen_uuidv7()';
	my $made = $recipe eq 'change_key' ? 'n' : "gen_uuidv7_at($day)";
	my $parts = $recipe eq 'merge_partitions';

	sql($shop->{database}, $_) foreach map { "SET search_path = public, ids; SET ROLE keeper; $_" }
	qq(
		CREATE TABLE shop.$table (id $key PRIMARY KEY, w int, "10 % of \$1 ""%s""" int, v int, place int, t int,
			f int, c int, k int, o int)) . ($parts ? ' PARTITION BY RANGE (id)' : ''),
	  $parts ? "SELECT uuid_partition_create('shop.$table', '2026-01-01 00:00+00', '2026-01-11 00:00+00', '1 day')" : (),
	  "INSERT INTO shop.$table SELECT $made, n FROM generate_series(0, 9) AS n";
	return;
}

# Of the table and its partitions.
sub owner
{
	my ($role) = @_;

	return qq(DO \$\$ DECLARE part regclass; BEGIN
		FOR part IN SELECT 'shop.t'::regclass UNION SELECT relid FROM pg_partition_tree('shop.t') LOOP
			EXECUTE format('ALTER TABLE %s OWNER TO $role', part);
		END LOOP; END \$\$);
}

sub rows { my ($shop, $table) = @_; return sql($shop->{database}, "SELECT string_agg(w::text, ' ' ORDER BY w) FROM shop.$table") }

# All steps, after which all rows are there.
sub passes
{
	my ($name, $shop, $what, $table, %how) = @_;

	succeeds(of_table($name, "shop.$table"), $shop, $_, "$name, $what", %how) foreach @{ $steps{$name} };
	is(rows($shop, $table), join(' ', 0 .. 9), 'with all rows');
	return;
}

#
# A stranger's function under the name of the trigger's: with the comment that
# a recipe believes, beside a copy; of a table of one's own, or of a superuser.
# Then odd names.
#
my $odd = q("10 % of $1 ""%s""");
foreach my $name (sort keys %recipe)
{
	my $shop = shop($name);
	my $function = "CREATE FUNCTION shop.$function{$name}() $body; COMMENT ON FUNCTION shop.$function{$name}() IS "
	  . q('{"ext": "evil", "start": "2026-01-01", "step": "1 month", "tz": "UTC", "into": "table", "key": "id"}');
	my $unmade = "DROP FUNCTION shop.$function{$name}()";

	problem($recipe{$name}, $shop, "SET ROLE mallory; $function", $unmade, "$name, a stranger's function",
		'belongs to role mallory.*HINT:  The recipe needs this name');
	problem($recipe{$name}, $shop, qq(
		SET ROLE mallory;
		$function;
		CREATE TABLE shop.t_move (id uuid PRIMARY KEY, w int);
		GRANT ALL ON shop.t_move TO PUBLIC),
		"$unmade; DROP TABLE shop.t_move", "$name, and a copy", 'belongs to role mallory');

	sql($shop->{database}, owner($superuser) . "; SET ROLE mallory; $function");
	my $result = step($recipe{$name}, $shop, 'prepare', user => $superuser);
	isnt($result->{status}, 0, "$name of a superuser's table");
	like($result->{said}, qr/belongs to role mallory/, 'is refused as well');
	sql($shop->{database}, "$unmade; " . owner('keeper'));
	passes($name, $shop, 'without strangers', 't');
	make_table($shop, $name, $odd);
	passes($name, $shop, 'an odd name', $odd);
	make_table($shop, $name, 'hers');
	sql('postgres', 'ALTER ROLE keeper RENAME TO "Keeper 1.a"');
	passes($name, $shop, 'an owner with an odd name', 'hers', user => 'Keeper 1.a');
	sql('postgres', 'ALTER ROLE "Keeper 1.a" RENAME TO keeper');
}

# A database of another encoding may have no other characters.
{
	my $said = join '', map { slurp_file($_) } glob dirname(__FILE__) . '/../../../doc/recipes/*.psql';

	unlike($said, qr/[^\x00-\x7f]/, 'recipes are ASCII');
}

# One's own, that no recipe has made, are not taken for its work: back does not drop them.
{
	my $shop = shop('move_table');

	sql($shop->{database}, qq(
		SET ROLE keeper;
		CREATE TABLE shop.t_move AS SELECT * FROM shop.t;
		CREATE FUNCTION shop.move_table_t() $body));
	refused($recipe{move_table}, $shop, $_, 'is not being moved', "one's own table and function") foreach qw(fill back);
	refused($recipe{move_table}, $shop, 'prepare', 'already exists', "one's own table and function");
	is(rows($shop, 't_move'), join(' ', 0 .. 9), 'a table of that name has its rows');
}

# A trigger that a role with this right alone has made.
{
	my $shop = shop('change_key');

	sql($shop->{database}, qq(GRANT TRIGGER ON shop.t TO mallory; SET ROLE mallory; CREATE FUNCTION shop.hers() $body;
		COMMENT ON FUNCTION shop.hers() IS '{"ext": "evil", "from": "ksuid", "to": "uuid", "key": "id", "new": "uid", "created": ""}';
		CREATE TRIGGER zz_change_key BEFORE UPDATE ON shop.t FOR EACH ROW EXECUTE FUNCTION shop.hers()));
	refused($recipe{change_key}, $shop, $_, pattern(
			qr/trigger zz_change_key of table shop\.t has a name of this recipe, but calls function shop\.hers\(\), of role mallory, /,
			qr/which this recipe has not made\nHINT: .*: DROP TRIGGER zz_change_key ON shop\.t\n/),
		"a stranger's trigger") foreach qw(prepare fill back);
}

# Triggers of the owner run as the owner, and could take a superuser's rights.
foreach my $name (sort keys %recipe)
{
	my $shop = shop($name);

	sql($shop->{database}, q(CREATE FUNCTION shop.who() RETURNS trigger LANGUAGE plpgsql AS
		$$BEGIN IF current_user <> 'keeper' THEN RAISE 'runs as %', current_user; END IF; RETURN NEW; END$$;
		CREATE TRIGGER who BEFORE UPDATE ON shop.t FOR EACH ROW EXECUTE FUNCTION shop.who()));
	refused($recipe{$name}, $shop, 'prepare',
		'could run with the rights of role \S+, which has SUPERUSER\nHINT:  Connect as role keeper',
		'a superuser', user => $superuser);
	refused($recipe{$name}, $shop, 'prepare',
		'could run with the rights of role administrator, which has CREATEROLE\nHINT:  Connect as role keeper',
		'an administrator', user => 'administrator');
	sql($shop->{database}, 'GRANT USAGE ON SCHEMA shop TO deputy');
	refused($recipe{$name}, $shop, 'prepare', 'must be owner of table shop.t\n'
			. 'HINT:  Role deputy is a member without its rights: ' . ($node->pg_version >= 16
		? 'GRANT keeper TO deputy WITH INHERIT TRUE, SET TRUE'
		: 'ALTER ROLE deputy INHERIT'),
		'a member that does not inherit', user => 'deputy');
	sql($shop->{database}, 'REVOKE USAGE ON SCHEMA shop FROM deputy');
	like(step(of_table($name, ''), $shop, 'prepare')->{said}, qr/no table is named\nHINT:  Pass -v table=NAME/, 'without a table');
	passes($name, $shop, 'run by the owner', 't');
}

#
# uidext in a schema that no search_path names; and nowhere.
#
{
	my $database = 'elsewhere';
	my $shop = { database => $database };

	sql('postgres', "CREATE DATABASE $database TEMPLATE template0");
	sql($database,
		q(
			GRANT TEMPORARY ON DATABASE elsewhere TO keeper;
			CREATE SCHEMA shop AUTHORIZATION keeper;
			CREATE TABLE shop.t (id int);
			ALTER TABLE shop.t OWNER TO keeper));
	foreach my $name (sort keys %recipe)
	{
		like(step($recipe{$name}, $shop, 'prepare')->{said},
			qr/ERROR:  uidext is not found\nHINT:  Run CREATE EXTENSION/, "$name without uidext");
	}
	sql($database, 'DROP TABLE shop.t; CREATE SCHEMA ids; GRANT USAGE ON SCHEMA ids TO keeper; CREATE EXTENSION uidext SCHEMA ids');
	foreach my $name (sort keys %recipe)
	{
		make_table($shop, $name, 't');
		foreach my $step (@{ $steps{$name} })
		{
			my $result = step($recipe{$name}, $shop, $step);
			is($result->{status}, 0, "$name, uidext in another schema: $step") or diag($result->{said});
		}
		is(rows($shop, 't'), join(' ', 0 .. 9), 'with all rows');
		sql($database, 'DROP TABLE shop.t');
	}
}

#
# Long names: siblings whose names begin alike, each moved, merged and changed by itself.
#
my $long = 'customer_subscription_invoice_line_item_changes_year_20';
foreach my $name (qw(change_key move_table refresh_mixed))
{
	my $shop = shop($name);
	my @siblings = map { of_table($name, "shop.$long$_") } 24, 25;
	my @steps = @{ $steps{$name} };

	make_table($shop, $name, "$long$_") foreach 24, 25;
	# one is a step ahead
	foreach my $n (0 .. @steps)
	{
		succeeds($siblings[0], $shop, $steps[$n], "$name, a sibling") if $n < @steps;
		succeeds($siblings[1], $shop, $steps[ $n - 1 ], "$name, the other") if $n > 0;
	}
	is(rows($shop, "$long$_"), join(' ', 0 .. 9), "$long$_ has its rows") foreach 24, 25;
}

# Two references of a long table; indexes that are equal in their first 59 characters, or as long as can be.
{
	my $shop = shop('change_key');
	my $database = $shop->{database};
	my $archive = 'shop.customer_subscription_invoice_line_items_archive';
	my $index = 'index_customer_subscription_plan_changes_on_user_id_and_the_';
	my $cyrillic = "\x{434}" x 31 . 'x';
	utf8::encode($cyrillic);
	my $unique = sub {
		sql($database, qq(
			SELECT string_agg(
				relname || ' ' || indisunique || ' ' || indisvalid, ' ' ORDER BY relname COLLATE "C")
		FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indrelid IN ('$archive'::regclass, 'shop.t'::regclass))) };

	sql($database, qq(
		SET ROLE keeper;
		CREATE TABLE $archive (w int PRIMARY KEY, t_id bigint NOT NULL REFERENCES shop.t,
			t_manager_id bigint REFERENCES shop.t, day date, kind int, v int, place int, t int, f int, c int,
			k int);
		CREATE UNIQUE INDEX ${index}day ON $archive (t_id, day); CREATE UNIQUE INDEX ${index}knd ON $archive (t_id, kind);
		CREATE UNIQUE INDEX "$cyrillic" ON $archive (t_id, t_manager_id);
		CREATE UNIQUE INDEX ${index}key ON shop.t (id, w); CREATE UNIQUE INDEX ${index}row ON shop.t (w, id);
		INSERT INTO $archive SELECT n, n, 9 - n, '2026-01-01', n FROM generate_series(0, 9) AS n));
	my $before = $unique->();
	my $led_astray = qq(SELECT count(*) FROM $archive a WHERE (SELECT id FROM shop.t WHERE uid = t_uid) IS DISTINCT FROM t_id
		OR (SELECT id FROM shop.t WHERE uid = t_manager_uid) IS DISTINCT FROM t_manager_id);

	succeeds($recipe{change_key}, $shop, $_, 'long names') foreach qw(prepare fill);
	sql($database,
		qq(
			DELETE FROM $archive WHERE w IN (3, 4);
			INSERT INTO $archive VALUES (3, 5, 6, '2026-01-02', 11), (4, 6, NULL, '2026-01-02', 12);
			UPDATE $archive SET t_id = 7, day = '2026-01-03', kind = 10 WHERE w = 1));
	is(sql($database, $led_astray), 0, 'each trigger follows its own column');
	succeeds($recipe{change_key}, $shop, $_, 'long names') foreach qw(switch back fill switch);
	is(sql($database, $led_astray), 0, 'there and back');
	succeeds($recipe{change_key}, $shop, 'drop', 'long names');
	is($unique->(), $before, 'no unique index is lost');
}

#
# Names of one's own that are needed: of an index, of constraints.
#
{
	my $shop = shop('change_key');
	my $refers = 'SET ROLE keeper; CREATE TABLE shop.refers (t_id bigint';

	foreach (
		[ 'CREATE TABLE shop.t_pkey_new ()', 'DROP TABLE shop.t_pkey_new', 'a table that an index is called' ],
		[ 'CREATE UNIQUE INDEX t_pkey_new ON shop.t (w)', 'DROP INDEX shop.t_pkey_new', 'an index' ],
		[ 'ALTER TABLE shop.t ADD CONSTRAINT uid_given CHECK (w >= 0)', 'ALTER TABLE shop.t DROP CONSTRAINT uid_given', 'a CHECK' ],
		[ "$refers CONSTRAINT a REFERENCES shop.t, o_id bigint CONSTRAINT a_new REFERENCES shop.t)",
			'DROP TABLE shop.refers', 'a foreign key' ])
	{
		problem($recipe{change_key}, $shop, @$_, 'the key cannot be changed like this');
	}
	sql($shop->{database}, "$refers REFERENCES shop.t)");
	succeeds($recipe{change_key}, $shop, 'prepare', 'before another index');
	sql($shop->{database}, 'CREATE TABLE shop.other (w int); CREATE INDEX t_pkey_old ON shop.other (w)');
	succeeds($recipe{change_key}, $shop, 'back', "beside another table's index");
	is(sql($shop->{database}, q(SELECT to_regclass('shop.t_pkey_old') IS NOT NULL)), 't', 'which stays');
}

#
# A gap in the period, which the default partition fills: told before the merge, and never in the way of writers.
#
{
	my $shop = shop('merge_partitions');
	my $database = $shop->{database};
	my $third = q(FROM uuid_partition_list('shop.t') WHERE from_time = '2026-01-03 00:00+00');
	my $drop = "SELECT format('DROP TABLE %s', partition) $third \\gexec";
	my $write = q(INSERT INTO shop.t VALUES (gen_uuidv7_at('2026-01-03 12:00+00'), 2));

	sql($database, 'SET ROLE keeper; CREATE TABLE shop.t_default PARTITION OF shop.t DEFAULT');
	succeeds($recipe{merge_partitions}, $shop, $_, 'before a gap') foreach qw(prepare fill);
	sql($database, "DELETE FROM shop.t WHERE w = 2; $drop");
	succeeds($recipe{merge_partitions}, $shop, 'fill', 'in a gap');
	refused($recipe{merge_partitions}, $shop, 'switch', 'the rows cannot be moved like this', 'a gap that comes before the switch');
	sql($database, $write);
	refused($recipe{merge_partitions}, $shop, 'switch', 'the rows cannot be moved like this', 'and a row in it');
	succeeds($recipe{merge_partitions}, $shop, 'back', 'a gap');
	refused($recipe{merge_partitions}, $shop, 'prepare', 'the rows cannot be moved like this', 'a gap before all');
	sql($database, $write);
	is(sql($database, 'SELECT count(*) FROM shop.t_default'), 2, 'rows go there as before');

	sql($database, "SET ROLE keeper; DELETE FROM shop.t_default;
		SELECT uuid_partition_create('shop.t', '2026-01-03 00:00+00', '2026-01-04 00:00+00', '1 day'); $write");
	problem($recipe{merge_partitions}, $shop, "CREATE TABLE shop.t_merged_$_->[0] ()", "DROP TABLE shop.t_merged_$_->[0]",
		"a table that $_->[1] will be called")
	  foreach [ '2026_01_02', 'a small one' ], [ '2026_01_02_pkey', 'its index' ];
	passes('merge_partitions', $shop, 'without a gap', 't');
}

done_testing();
