# move_table.psql with what schemas of other people have: very many columns, long names,
# variables of a row type, constraints that partitions do not take, types of extensions,
# functions that need a search_path.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'move_table.psql');
my $shop = new_shop('schemas', 'bigint', q(nextval('play.n')), identity => 1);
my @steps = qw(prepare fill switch drop);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step { return step($recipe, $shop, $_[1], variables => { table => "shop.$_[0]", into => 'partitions' }) }

sub goes
{
	my ($table, @steps) = @_;
	return each_succeeds(sub { play_step($table, $_[0]) }, $table, @steps);
}

# A plan for so many columns takes longer than a batch may: fill ends all the same.
keeper('DO $$ BEGIN EXECUTE (SELECT format($t$CREATE TABLE wide (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, %s)$t$,
	string_agg(format($t$c%s bool$t$, n), $t$, $t$)) FROM generate_series(1, 1400) n); END $$;
	INSERT INTO wide (c1, c1400) SELECT n % 2 = 0, true FROM generate_series(1, 300) n');
goes('wide', @steps);
is(keeper('SELECT count(*), count(c1400) FROM wide'), '300|300', 'all rows are there');

# A batch ends when its time is up, and the next one takes the rest of its pages: nobody has locked these rows.
keeper('CREATE TABLE slow (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, n int); INSERT INTO slow (n) SELECT generate_series(1, 500);
	ALTER TABLE slow ADD CHECK (pg_sleep(0.002) IS NOT NULL)');
goes('slow', 'prepare');
unlike(play_step('slow', 'fill')->{said}, qr/are locked by others/, 'fill needs no second pass where nobody else is');
goes('slow', 'back');

# Names that leave room for those of partitions, and names that do not.
my $long = 'fifty_five_bytes_of_a_name_are_here_for_a_table_of_mine';
keeper("CREATE TABLE $long (id uuid DEFAULT gen_uuidv7() PRIMARY KEY); INSERT INTO $long DEFAULT VALUES;
	CREATE TABLE longer_$long (id uuid DEFAULT gen_uuidv7() PRIMARY KEY)");
goes($long, @steps);
is(keeper(qq(
		SELECT bool_and(starts_with(relname, '${long}_'))
		FROM uuid_partition_list('$long'), pg_class
		WHERE oid = partition)), 't',
	'partitions have their table\'s name');
is(keeper(qq(
		SELECT count(*) > 0
		FROM uuid_partition_create('$long', '2025-01-01 00:00+00', '2025-02-01 00:00+00', '1 month'))), 't',
	'and so have later ones');
like(play_step("longer_$long", 'prepare')->{said},
	qr/WARNING:  partitions of table shop.longer_$long would have names longer than 63 bytes.*Nothing has been changed/s,
	'a longer name is refused');
is(keeper(q(
		SELECT string_agg(relname, ' ')
		FROM pg_class
		WHERE relnamespace = 'shop'::regnamespace AND relname ~ '_move')), '', 'and nothing stays');

# A CHECK that a partitioned table cannot have.
keeper('CREATE TABLE bills (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, n int, CONSTRAINT alone CHECK (n > 0) NO INHERIT)');
like(play_step('bills', 'prepare')->{said},
	qr/WARNING:  constraint alone is NO INHERIT.*Nothing has been changed/s, 'NO INHERIT is refused');
keeper('ALTER TABLE bills DROP CONSTRAINT alone, ADD CONSTRAINT alone CHECK (n > 0)');
goes('bills', qw(prepare back));

# A right that somebody has passed on is the owner's to grant.
keeper(q(
	CREATE TABLE lent (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, n int GENERATED ALWAYS AS IDENTITY);
	GRANT SELECT ON lent TO app WITH GRANT OPTION;
	GRANT USAGE ON SEQUENCE lent_n_seq TO app WITH GRANT OPTION));
sql($shop->{database}, 'SET ROLE app; GRANT SELECT ON shop.lent TO reader; GRANT USAGE ON SEQUENCE shop.lent_n_seq TO reader');
my $lent = play_step('lent', 'prepare')->{said};
like($lent, pattern(
	qr/NOTICE:  from do=switch on, rights on $_ that role app has granted are granted by the owner: role /,
	qr/app cannot REVOKE/),
	"prepare says whose grants on $_ become the owner's") foreach 'table shop.lent', 'sequence shop.lent_n_seq';
goes('lent', 'back');

# Operators that the server prints without their schemas: a policy, a trigger and a view of citext still compare as citext.
sql($shop->{database}, 'CREATE EXTENSION citext');
keeper(q(CREATE TABLE people (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, email citext, changed int DEFAULT 0);
	INSERT INTO people (email) VALUES ('ann@x'), ('Bob@x');
	CREATE FUNCTION changed() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.changed := NEW.changed + 1; RETURN NEW; END';
	CREATE TRIGGER changed BEFORE UPDATE ON people
	FOR EACH ROW
	WHEN (OLD.email IS DISTINCT FROM NEW.email)
	EXECUTE FUNCTION changed();
	CREATE POLICY not_bob ON people USING (NULLIF(email, 'BOB@x') IS NOT NULL); ALTER TABLE people ENABLE ROW LEVEL SECURITY;
	CREATE VIEW of_people AS
	SELECT p.id, CASE p.email WHEN 'ANN@X' THEN 'Ann' END AS name, count(*) OVER () AS n
	FROM people p
	JOIN people q USING (email);
	GRANT SELECT ON people TO app));
foreach my $step (qw(prepare fill switch back switch drop))
{
	goes('people', $step);
	keeper(q(
		UPDATE people SET email = upper(email) WHERE email = 'ann@x';
		UPDATE people SET email = lower(email) WHERE email = 'ann@x'));
	is(keeper(q(SELECT string_agg(changed::text, ' ') FROM people)), '0 0',
		"after $step an update of letters to capitals fires no trigger of other text");
	is(sql($shop->{database}, 'SET ROLE app; SELECT string_agg(email::text, $$ $$) FROM shop.people'), 'ann@x',
		'a policy hides the same row');
	is(keeper(q(SELECT string_agg(name, ' '), min(n) FROM of_people)), 'Ann|2', 'and a view finds the same');
}

# A CHECK whose function finds nothing by the search_path of the trigger, or that asks who writes, would end all writes.
keeper(q(CREATE TABLE countries (code text); INSERT INTO countries VALUES ('BR');
	CREATE FUNCTION is_country(code text)
	RETURNS bool
	LANGUAGE plpgsql AS 'BEGIN RETURN EXISTS (SELECT FROM countries c WHERE c.code = is_country.code); END';
	CREATE TABLE trips (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, country text CHECK (is_country(country)));
	INSERT INTO trips (country) VALUES ('BR')));
like(play_step('trips', 'prepare')->{said},
	pattern(
		qr/ERROR:  writes to table shop.trips would fail.*/s,
		qr/relation "countries" does not exist \(PL\/pgSQL function shop.is_country.*/s,
		qr/search_path = pg_catalog, pg_temp.*HINT:  Nothing has been changed/s),
	'a CHECK that finds no table is refused');
is(keeper(q(INSERT INTO trips (country) VALUES ('BR'); SELECT count(*) FROM trips)), 2, 'and writes go on');
keeper('ALTER FUNCTION is_country SET search_path = shop');
goes('trips', @steps);
keeper(q(
	CREATE TABLE wishes (id uuid DEFAULT gen_uuidv7() PRIMARY KEY,
		by name DEFAULT current_user CONSTRAINT own CHECK (by = current_user));
	GRANT INSERT ON wishes TO app));
sql($shop->{database}, 'SET ROLE app; INSERT INTO shop.wishes DEFAULT VALUES');
like(play_step('wishes', 'prepare')->{said},
	qr/ERROR:  writes to table shop.wishes would fail.*violates check constraint "own"/s,
	'so is one that asks for the current user');

# A write locks the partitions of its row and no others, on either side: a server has no room for the locks of many
# sessions on many partitions.
keeper(q(
	CREATE TABLE clicks (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, n int);
	INSERT INTO clicks VALUES (gen_uuidv7_at(now() - interval '300 days'), 1)));
foreach my $step (qw(prepare fill switch back switch))
{
	goes('clicks', $step);
	my $session = $node->background_psql($shop->{database});
	my $id = $session->query_safe('BEGIN; INSERT INTO shop.clicks (n) VALUES (2) RETURNING id');

	$session->query_safe("UPDATE shop.clicks SET n = 3 WHERE id = '$id'; DELETE FROM shop.clicks WHERE id = '$id'");
	is($session->query_safe(q(
		SELECT count(DISTINCT relation),
			count(DISTINCT relation) < (
				SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relispartition AND relname ~ '^clicks')
		FROM pg_locks
		JOIN pg_class c ON c.oid = relation
		WHERE pid = pg_backend_pid() AND relkind = 'r' AND relispartition AND relname ~ '^clicks')), '1|t',
		"after $step a row that comes, changes and goes takes locks on one partition");
	$session->query_safe('ROLLBACK');
	$session->quit;
}
goes('clicks', 'drop');

# TRUNCATE of one partition fires no trigger of its table: the tables differ, and nothing is lost without a word.
keeper('CREATE TABLE hits (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, n int); INSERT INTO hits (n) VALUES (1)');
goes('hits', qw(prepare fill switch));
keeper(q(SELECT format('TRUNCATE %s', tableoid::regclass) FROM hits \gexec));
like(play_step('hits', 'drop')->{said}, pattern(
	qr/nothing has been changed, because 1 rows .* differ\n/,
	qr/HINT:  A trigger was off, or TRUNCATE has emptied a partition/),
	'a partition that is empty is noticed');
keeper('DELETE FROM hits_move');
goes('hits', 'drop');

# Who has called a function with a variable of the row type has to connect again: prepare says so.
keeper(q(CREATE TABLE sales (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, n int); INSERT INTO sales (n) VALUES (1);
	CREATE FUNCTION by_row()
	RETURNS int
	LANGUAGE plpgsql AS '
		DECLARE
			r shop.sales%ROWTYPE;
		BEGIN
			SELECT * INTO r FROM shop.sales;
			r.n := r.n + 0;
			RETURN r.n;
		END';
	CREATE FUNCTION by_type()
	RETURNS int
	LANGUAGE plpgsql AS 'DECLARE r shop.sales; BEGIN SELECT s.* INTO r FROM shop.sales s; RETURN r.n; END';
	CREATE FUNCTION by_array()
	RETURNS int
	LANGUAGE plpgsql AS '
		DECLARE
			r shop.sales[];
		BEGIN
			r := ARRAY(SELECT s FROM shop.sales s);
			RETURN r[1].n;
		END';
	CREATE FUNCTION by_record()
	RETURNS int
	LANGUAGE plpgsql AS 'DECLARE r record; BEGIN SELECT * INTO r FROM shop.sales; RETURN r.n; END';
	CREATE FUNCTION by_column()
	RETURNS int
	LANGUAGE plpgsql AS '
		DECLARE
			n shop.sales.n%TYPE;
		BEGIN
			SELECT s.n INTO n FROM shop.sales s;
			RETURN n;
		END'));
my @functions = qw(by_row by_type by_array by_record by_column);
my $session = $node->background_psql($shop->{database}, on_error_stop => 0);
my $fails = sub {
	return join ' ', grep { $session->{stderr} = ''; $session->query("SELECT shop.$_()"); $session->{stderr} =~ /ERROR/ } @functions;
};
is($fails->(), '', 'a session calls all functions');
my %prepared = (
	listed => 'SELECT id, n FROM shop.sales',
	all_columns => 'SELECT * FROM shop.sales',
	inserting => 'INSERT INTO shop.sales (n) VALUES (2) RETURNING *',
	whole_row => 'SELECT s FROM shop.sales AS s');
$session->query("PREPARE $_ AS $prepared{$_}; EXECUTE $_") foreach sort keys %prepared;
my $says = sub {
	my ($name) = @_;
	$session->{stderr} = '';
	$session->query("EXECUTE $name");
	return $session->{stderr} =~ /ERROR:  ([^\n]*)/ ? $1 : ''
};
my $said = play_step('sales', 'prepare')->{said};
my %named = map { ($_ => 1) }
	$said =~ /NOTICE:  after do=switch, do=back and do=drop sessions that have called function shop.(\w+)\(\) reconnect/g;
is(join(' ', sort keys %named), 'by_array by_row by_type', 'prepare names those with a row of the table');
foreach my $step (qw(fill switch back switch drop))
{
	goes('sales', $step);
	is(join(' ', grep { !$named{$_} } split / /, $fails->()), '', "after $step no other function fails in a session that stays");
	is(join(' ', map { $says->($_) } qw(listed all_columns inserting)), '  ', 'nor does a prepared statement');
	is($says->('whole_row'), 'cached plan must not change result type',
		'but one that returns a row as one value')
		if $step =~ /switch|drop/;
}
$session->quit;
$session = $node->background_psql($shop->{database}, on_error_stop => 0);
is($fails->(), '', 'a session that reconnects calls all of them');
$session->quit;

done_testing();
