# No step ends with an error after it has committed something that changes what others may do.
# An error comes after each COMMIT of the recipes' procedures, which are found in the scripts: then
# writers of old and of new code go on as before, no row is lost, and the step goes on when it is
# run again.  Between top-level statements the tests of each recipe stop it.

use strict;
use warnings;

use File::Basename qw(basename dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $shop = new_shop('commits', 'bigint', q(nextval('play.n')), identity => 1);

# A copy of the recipes in which each COMMIT has its place after it, where the first session that is told
# so by a setting fails.
my $directory = PostgreSQL::Test::Utils::tempdir() . '/recipes';
my %places;
my $stops = <<'SQL';
CREATE OR REPLACE PROCEDURE pg_temp.committed(place text) LANGUAGE plpgsql AS $$
BEGIN
	IF place = ANY (string_to_array(current_setting('recipes.places', true), ',')) THEN
		RAISE EXCEPTION 'stopped at %', place;
	END IF;
END $$;
SQL

mkdir $directory or die;
foreach my $file (glob(dirname(__FILE__) . '/../../../doc/recipes/*.psql'))
{
	my $name = basename($file, '.psql');
	my $n = 0;
	my $text = slurp_file($file);

	# a script for one table, and one that detaches by the server's own command, are no recipes of steps
	next if $name =~ /^(?:creation_limits|detach_partitions)/;
	$text =~ s/^(\t+COMMIT;)$/$n++; $places{"$name.$n"} = 0; qq($1 CALL pg_temp.committed('$name.$n');)/gme;
	is($text =~ /^\s*COMMIT;\s*$/m ? 'another COMMIT' : '', '', "$name: each COMMIT has a place") if $n;
	append_to_file("$directory/$name.psql", ($name eq 'begin' ? $stops : '') . $text);
}
cmp_ok(scalar(keys %places), '>', 5, 'the scripts commit in their procedures at ' . join(' ', sort keys %places));

my $key = 'CREATE TABLE shop.sales (id %s PRIMARY KEY %s, at timestamptz NOT NULL DEFAULT now(), n int, no bigserial)';
my $items = 'CREATE TABLE shop.items (sale_id %s REFERENCES shop.sales, n int) PARTITION BY HASH (n);
	CREATE TABLE shop.items_0 PARTITION OF shop.items FOR VALUES WITH (MODULUS 1, REMAINDER 0)';
my $old = q(INSERT INTO shop.sales (id, n) VALUES (%1$s, -1); INSERT INTO shop.items SELECT id, -1 FROM shop.sales WHERE n = -1;
	UPDATE shop.sales SET n = -2 WHERE n = -1;
	UPDATE shop.items SET n = -2;
	DELETE FROM shop.items;
	DELETE FROM shop.sales WHERE n < 0);
my $new = q(
	INSERT INTO shop.sales (uid, n) VALUES (gen_uuidv7(), -1);
	INSERT INTO shop.items (sale_uid, n) SELECT uid, -1 FROM shop.sales WHERE n = -1;
	UPDATE shop.sales SET n = -2 WHERE n = -1; DELETE FROM shop.items; DELETE FROM shop.sales WHERE n < 0);
my %variables = (
	change_key => { from => 'ksuid' },
	move_table => { into => 'partitions', step => '1 day' },
	merge_partitions => { start => '2026-01-01 00:00+00', step => '4 days' });

sub make
{
	my ($recipe) = @_;
	my $id = $recipe eq 'change_key'
		? q(uid_generate('ksuid'))
		: q(gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + i * interval '1 hour'));
	my $type = $recipe eq 'change_key' ? 'text' : 'uuid';
	my $parts = $recipe eq 'merge_partitions';

	sql($shop->{database}, 'DROP TABLE IF EXISTS shop.items, shop.sales CASCADE; SET ROLE keeper;'
		  . sprintf($key, $type, $type eq 'uuid' ? 'DEFAULT gen_uuidv7()' : '') . ($parts ? ' PARTITION BY RANGE (id);' : ';')
		  . ($parts ? q(SELECT count(*) FROM uuid_partition_create('shop.sales', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day');
			CREATE TABLE shop.sales_default PARTITION OF shop.sales DEFAULT;) : '')
		  . sprintf($items, $type)
		  . ";
			INSERT INTO shop.sales (id, n) SELECT $id, i FROM generate_series(1, 90) i;
			INSERT INTO shop.items SELECT id, n FROM shop.sales;
			GRANT ALL ON shop.sales, shop.items TO app; GRANT ALL ON SEQUENCE shop.sales_no_seq TO app");
	return;
}

# What writers may do, and what is there, at any time.
sub goes_on_after
{
	my ($recipe, $what) = @_;
	my $switched = sql($shop->{database},
		q(SELECT count(*) FROM pg_index JOIN pg_attribute a ON attrelid = indrelid AND attnum = ANY (indkey)
		WHERE indrelid = 'shop.sales'::regclass AND indisprimary AND attname = 'uid')) eq '1';
	my $has_old = sql($shop->{database},
		q(SELECT count(*) FROM pg_attribute WHERE attrelid = 'shop.sales'::regclass AND attname = 'id')) eq '1';
	my $id = $recipe eq 'change_key' ? q(uid_generate('ksuid')) : q(gen_uuidv7_at('2026-01-02 00:00+00'));

	foreach my $code ($has_old ? [ old => sprintf $old, $id ] : (), $switched ? [ new => $new ] : ())
	{
		my (undef, undef, $error) = $node->psql($shop->{database},
			"BEGIN; SET LOCAL ROLE app; $code->[1]; ROLLBACK", on_error_stop => 1);
		is($error, '', "$what: $code->[0] code goes on");
	}
	is(sql($shop->{database}, 'SELECT count(*), count(DISTINCT n), sum(n) FROM shop.sales'), '90|90|4095', "$what: no row is lost");
	return;
}

# Plays a step with an error at each place in turn, then without.  beside, if any, holds rows until the
# step has been stopped at all places of its file.
sub stopped_at_commits
{
	my ($recipe, $step, %how) = @_;
	my %left = %places;
	my $result;

	foreach my $try (1 .. 1 + keys %places)
	{
		local $ENV{PGOPTIONS} = '-c recipes.places=' . join(',', sort keys %left);
		$result = step(new_recipe(file => "$recipe.psql", directory => $directory, psqlrc => '/dev/null'), $shop, $step,
			variables => { table => 'shop.sales', $step eq 'prepare' ? %{ $variables{$recipe} } : () });
		my ($place) = $result->{said} =~ /ERROR:  (?:nothing has been changed: )?stopped at (\S+)/;
		last if !defined $place;
		$places{$place}++;
		delete $left{$place};
		isnt($result->{status}, 0, "$recipe: $step stopped at $place");
		goes_on_after($recipe, "$recipe: $step stopped at $place");
		$how{after}->($place) if $how{after};
	}
	return $result if $how{fails};
	is($result->{status}, 0, "$recipe: $step") or diag($result->{said});
	goes_on_after($recipe, "$recipe: $step done");
	return $result;
}

make('change_key');
stopped_at_commits('change_key', 'prepare');
{
	# rows that another transaction has locked: fill tries again
	my $locker = $node->background_psql($shop->{database});

	$locker->query_safe('BEGIN; SELECT FROM shop.sales WHERE n = 7 FOR UPDATE');
	stopped_at_commits('change_key', 'fill', after => sub { $locker->query_safe('COMMIT') if $_[0] eq 'change_key_steps.3' });
	$locker->quit;
}
stopped_at_commits('change_key', 'switch');
# a back that fails by itself
sql($shop->{database}, q(CREATE FUNCTION play.keep() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
		IF EXISTS (
			SELECT FROM pg_event_trigger_dropped_objects()
			WHERE object_identity ~ 'sales_pkey') THEN
			RAISE 'sales_pkey is to stay';
		END IF;
	END $$;
	CREATE EVENT TRIGGER keep ON sql_drop EXECUTE FUNCTION play.keep()));
stopped_at_commits('change_key', 'back', fails => 1);
goes_on_after('change_key', 'back that an event trigger has stopped');
sql($shop->{database}, 'DROP EVENT TRIGGER keep');
# a back that is run again after it has undone the switch stops there, and the next one goes on to the beginning
stopped_at_commits('change_key', 'back');
is(sql($shop->{database},
		q(SELECT count(*) FROM pg_attribute WHERE attrelid = 'shop.sales'::regclass AND attname = 'uid')), 1,
	'change_key: back, run again, undoes the switch alone');
stopped_at_commits('change_key', $_) foreach qw(back prepare fill switch drop);

foreach my $recipe (qw(move_table merge_partitions))
{
	make($recipe);
	stopped_at_commits($recipe, $_) foreach qw(prepare fill switch drop);
}
make('move_table');
stopped_at_commits('move_table', $_) foreach qw(prepare fill switch back back);

# move_keys_unfinished plays what is committed here: keys of a partition that came meanwhile, and keys that go one by one
# where the server has no room for locks
delete @places{qw(move_table_plan.3 move_table_steps.1 move_table_steps.2)};
is(join(' ', grep { !$places{$_} } sort keys %places), '', 'every COMMIT has been the last thing of a step');

done_testing();
