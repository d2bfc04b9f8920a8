# Code that somebody else has put into tables which a recipe reads, because they
# refer to its table or are partitions of it, runs in no step of any recipe: also if
# the table has come between two steps, and was given away in all ways.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $day = q(timestamptz '2026-01-01 00:00+00' + n * interval '1 day');
my %told = (
	change_key => { from => 'number' },
	move_table => {},
	merge_partitions => { start => '2026-01-01 00:00+00', step => '4 days' });
my $recipe;
my $shop = { database => 'owners' };

sql('postgres', 'CREATE ROLE mallory; CREATE DATABASE owners');
sql('postgres', 'GRANT TEMPORARY ON DATABASE owners TO keeper');
# immutable in name only, so that the planner runs it
sql('owners', q(
	CREATE SCHEMA shop AUTHORIZATION keeper;
	GRANT USAGE ON SCHEMA shop TO PUBLIC;
	CREATE SCHEMA hers AUTHORIZATION mallory;
	GRANT USAGE ON SCHEMA hers TO PUBLIC;
	SET ROLE mallory;
	CREATE FUNCTION hers.lie(int)
	RETURNS bool
	LANGUAGE plpgsql IMMUTABLE AS $$
		BEGIN
			IF current_user <> 'mallory' THEN
				RAISE 'her code runs as %', current_user;
			END IF;
			RETURN true;
		END$$;
	CREATE FUNCTION hers.touch() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'her trigger runs as %', current_user; END$$));

sub orders
{
	my $made = $recipe eq 'change_key' ? 'n' : "gen_uuidv7_at($day)";
	my $key = $recipe eq 'change_key' ? 'bigint' : 'uuid';

	sql('owners', q(
		DROP TABLE IF EXISTS hers.gifts;
		SET client_min_messages = error;
		DROP OWNED BY keeper;
		CREATE SCHEMA shop AUTHORIZATION keeper;
		GRANT USAGE ON SCHEMA shop TO PUBLIC; GRANT TEMPORARY ON DATABASE owners TO keeper));
	sql('owners', "SET ROLE keeper; SET search_path = public; CREATE TABLE shop.orders (id $key PRIMARY KEY)"
		. ($recipe eq 'merge_partitions'
			? q( PARTITION BY RANGE (id);
				SELECT uuid_partition_create('shop.orders'::regclass, '2026-01-01 00:00+00'::timestamptz,
					'2026-01-11 00:00+00'::timestamptz, '1 day'::interval, 'UTC'::text, NULL::regclass))
			: ''));
	sql('owners', qq(
		SET search_path = public;
		INSERT INTO shop.orders SELECT $made FROM generate_series(0, 9) AS n;
		GRANT REFERENCES ON shop.orders TO mallory));
	return;
}

my $gifts = q(
	CREATE TABLE hers.gifts (order_id %s REFERENCES shop.orders (id), order_uid uuid);
	GRANT ALL ON hers.gifts TO PUBLIC; );

sub her_table
{
	my ($code) = @_;

	return sql('owners', 'SET ROLE mallory; ' . sprintf($gifts, $recipe eq 'change_key' ? 'bigint' : 'uuid') . $code);
}

sub play_step
{
	my ($step, %how) = @_;

	return step({ file => "$recipe.psql" }, $shop, $step, variables => { table => 'shop.orders', %{ $told{$recipe} } }, %how);
}

sub refuses
{
	my ($step, $what, %how) = @_;
	my $result = play_step($step, %how);

	isnt($result->{status}, 0, "$recipe, $what: $step is refused");
	like($result->{said}, pattern(
		qr/ERROR:  table hers\.gifts belongs to role mallory, whose code would run with the rights of role /,
		qr/keeper\n/,
		qr/HINT:  One role has to own both: ALTER TABLE hers\.gifts OWNER TO keeper/),
		'before her code runs');
	return;
}

my $predicate = 'CREATE INDEX ON hers.gifts ((1)) WHERE hers.lie(1)';
foreach my $name (sort keys %told)
{
	$recipe = $name;
	foreach my $before ('prepare', 'fill', 'switch', 'drop')
	{
		next if $before eq 'drop' && $recipe eq 'merge_partitions' || $before eq 'switch' && !$ENV{UIDEXT_LONG};
		orders();
		foreach my $step (qw(prepare fill switch))
		{
			last if $step eq $before;
			my $result = play_step($step);
			is($result->{status}, 0, "$recipe: $step") or diag($result->{said});
		}
		her_table($predicate);
		refuses($before, 'a predicate of an index');
	}
}

# A table of hers to which the table refers, and which the owner may read: its predicate would run where
# a foreign key is proved.
my $referenced = pattern(
	qr/ERROR:  table hers\.kinds belongs to role mallory, whose code would run with the rights of role /,
	qr/keeper\n/,
	qr/DETAIL:  Table shop\.orders refers to it, and role keeper may read it\.\n/,
	qr/HINT:  One role has to own both: ALTER TABLE hers\.kinds/);
foreach ('move_table', 'merge_partitions')
{
	$recipe = $_;
	orders();
	sql('owners', q(
		SET ROLE mallory;
		CREATE TABLE hers.kinds (id int PRIMARY KEY);
		INSERT INTO hers.kinds VALUES (1);
		GRANT REFERENCES ON hers.kinds TO keeper));
	sql('owners', 'SET ROLE keeper; ALTER TABLE shop.orders ADD kind int DEFAULT 1 REFERENCES hers.kinds');
	sql('owners', 'SET ROLE mallory; CREATE INDEX ON hers.kinds ((1)) WHERE hers.lie(1)');
	foreach my $step (qw(prepare fill switch drop))
	{
		# that of PUBLIC is a right of the owner, too
		sql('owners', 'SET ROLE mallory; GRANT SELECT ON hers.kinds TO keeper, PUBLIC');
		if ($step =~ /prepare|switch/)
		{
			my $said = play_step($step)->{said};
			like($said, $referenced, "$recipe: $step is refused");
			like($said, qr/revoke SELECT from PUBLIC, keeper until/, 'and says from whom to take the right');
		}
		# fill and drop read nothing of it
		is(play_step($step)->{status}, 0, "$recipe: $step") if $step =~ /fill|drop/;
		sql('owners', 'SET ROLE mallory; REVOKE SELECT ON hers.kinds FROM keeper, PUBLIC');
		next if $step eq 'drop';
		my $result = play_step($step);
		is($result->{status}, 0, "$recipe: $step, where the owner may not read it") or diag($result->{said});
	}
	sql('owners', 'DROP TABLE shop.orders, hers.kinds');
}

# A partition of the table itself.
$recipe = 'merge_partitions';
orders();
sql('owners', 'ALTER TABLE shop.orders_2026_01_02 OWNER TO mallory; GRANT CREATE ON SCHEMA shop TO mallory;
	SET ROLE mallory; CREATE INDEX ON shop.orders_2026_01_02 ((1)) WHERE hers.lie(1)');
like(play_step('prepare')->{said}, qr/ERROR:  table shop\.orders_2026_01_02 belongs to role mallory/, 'a partition that is hers');

# Functions of hers that literals without a type, or fewer arguments, would be closer to than those of the extension.
sql('owners', q(GRANT CREATE ON SCHEMA public TO mallory; SET ROLE mallory;
	CREATE FUNCTION public.uuid_partition_list(
		text, OUT partition regclass, OUT kind text, OUT from_time timestamptz, OUT to_time timestamptz)
	RETURNS SETOF record
		LANGUAGE plpgsql AS $$BEGIN RAISE 'her code runs as %', current_user; END$$;
	CREATE FUNCTION public.uuid_partition_create(text, text, text, text, text, text)
	RETURNS SETOF regclass
	LANGUAGE plpgsql AS $$BEGIN RAISE 'her code runs as %', current_user; END$$;
	CREATE FUNCTION public.uuid_partition_create(text, text, text, text, text)
	RETURNS SETOF regclass
	LANGUAGE plpgsql AS $$BEGIN RAISE 'her code runs as %', current_user; END$$;
	CREATE FUNCTION public.uuid_partition_create(regclass, timestamptz, timestamptz, interval, text)
	RETURNS SETOF regclass
	LANGUAGE plpgsql AS $$BEGIN RAISE 'her code runs as %', current_user; END$$));
foreach ([ move_table => { into => 'partitions', step => '1 day' } ], [ merge_partitions => $told{merge_partitions} ])
{
	($recipe, my $variables) = @$_;
	local $told{$recipe} = $variables;
	orders();
	foreach my $step (qw(prepare fill switch drop))
	{
		my $result = play_step($step);
		is($result->{status}, 0, "$recipe: $step beside functions of hers") or diag($result->{said});
	}
}
sql('owners', '
	DROP FUNCTION public.uuid_partition_list(text),
		public.uuid_partition_create(text, text, text, text, text, text),
		public.uuid_partition_create(text, text, text, text, text),
	public.uuid_partition_create(regclass, timestamptz, timestamptz, interval, text)');

# Without the extension, functions in a schema of the search_path in which she may create.
sql('postgres', 'CREATE DATABASE hers');
sql('postgres', 'GRANT ALL ON DATABASE hers TO keeper');
sql('hers', q(DROP EXTENSION uidext; GRANT CREATE ON SCHEMA public TO mallory; CREATE SCHEMA shop AUTHORIZATION keeper;
	SET ROLE keeper; CREATE TABLE shop.notes (id uuid PRIMARY KEY); RESET ROLE;
	SET ROLE mallory;
	CREATE FUNCTION public.gen_uuidv7()
	RETURNS uuid
	LANGUAGE plpgsql AS $$BEGIN RAISE 'her code runs as %', current_user; END$$;
	CREATE FUNCTION public.uuidv7_is_valid(uuid)
	RETURNS bool
	LANGUAGE plpgsql AS $$BEGIN RAISE 'her code runs as %', current_user; END$$));
my $refresh = sub {
	return step(new_recipe(file => 'refresh_mixed.psql'), { database => 'hers' }, 'prepare',
		variables => { table => 'shop.notes' })
};
like($refresh->()->{said}, pattern(
	qr/ERROR:  function public\.gen_uuidv7\(\) belongs to role mallory, whose code would run with the /,
	qr/rights of role keeper\n/,
	qr/HINT:  If uidext is in another schema/),
	'functions that another role has made in place of those of uidext are refused');
sql('postgres', 'GRANT mallory TO keeper');
is($refresh->()->{status}, 0, 'and not if the owner is a member of that role');
sql('postgres', 'REVOKE mallory FROM keeper');
like($refresh->()->{said}, qr/ERROR:  function public\.gen_uuidv7\(\) belongs to role mallory/,
	'and are again, when it is no more');
sql('hers', 'ALTER FUNCTION public.gen_uuidv7() OWNER TO keeper');
like($refresh->()->{said}, qr/ERROR:  function public\.uuidv7_is_valid\(uuid\) belongs to role mallory/,
	'also if only another one is hers');
sql('hers', 'ALTER FUNCTION public.uuidv7_is_valid(uuid) OWNER TO keeper');
is($refresh->()->{status}, 0, "nor if they are the owner's own");

# Each function that a recipe calls in the schema of uidext is looked at.
my $recipes = join '', map { slurp_file($_) } glob(dirname(__FILE__) . '/../../../doc/recipes/*.psql');
my %called = map { $_ => 1 } $recipes =~ /(?:\bext|%s|%1\$s)\.([a-z]\w*)\(/g;
my ($named) = $recipes =~ /proname = ANY \('\{(.*?)\}'::name\[\]\)/s;
is(join(' ', sort split /[,'\s]+/, $named), join(' ', sort keys %called), 'begin.psql names all functions that recipes call');

# Rows of hers that a fill would update.
$recipe = 'change_key';
my $trigger = q(
	INSERT INTO hers.gifts VALUES (1);
	CREATE TRIGGER touch BEFORE UPDATE ON hers.gifts FOR EACH ROW EXECUTE FUNCTION hers.touch());
orders();
is(play_step('prepare')->{status}, 0, 'change_key: prepare');
her_table($trigger);
refuses('fill', 'a trigger of a table that refers to it since prepare');

# A reference that has come since prepare is not filled, whoever made it and whatever its columns are.
my $since = pattern(
	qr/ERROR:  nothing has been changed, because column order_id of table \w+\.gifts refers to table /,
	qr/shop\.orders only since do=prepare\n/,
	qr/HINT:  Run do=prepare and do=fill again/);
orders();
is(play_step('prepare')->{status}, 0, 'change_key: prepare');
sql('owners', q(
	SET ROLE keeper;
	CREATE TABLE shop.gifts (order_id bigint REFERENCES shop.orders, order_uid uuid);
	INSERT INTO shop.gifts VALUES (1)));
like(play_step($_)->{said}, $since, "$_ of a reference since prepare, with a column of the new name")
	foreach qw(fill switch drop);
is(sql('owners', 'SELECT count(order_uid) FROM shop.gifts'), 0, 'which is as it was');

# While fill is at work.
orders();
is(play_step('prepare')->{status}, 0, 'change_key: prepare');
my $made = 0;
my $result = play_step('fill', between => sub { her_table($trigger) if $_[0] =~ /fill_all\(false\)/ && !$made++; return });
is($made, 1, 'between two statements of fill a table begins to refer to it');
like($result->{said}, $since, 'whose trigger does not run');

done_testing();
