# move_table.psql with what schemas of other people have: very many columns, long names,
# variables of a row type, constraints that partitions do not take.

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

	foreach my $step (@steps)
	{
		my $result = play_step($table, $step);
		is($result->{status}, 0, "$table: $step") or diag($result->{said});
	}
	return;
}

# A plan for so many columns takes longer than a batch may: fill ends all the same.
keeper('DO $$ BEGIN EXECUTE (SELECT format($t$CREATE TABLE wide (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, %s)$t$,
	string_agg(format($t$c%s bool$t$, n), $t$, $t$)) FROM generate_series(1, 1400) n); END $$;
	INSERT INTO wide (c1, c1400) SELECT n % 2 = 0, true FROM generate_series(1, 300) n');
goes('wide', @steps);
is(keeper('SELECT count(*), count(c1400) FROM wide'), '300|300', 'all rows are there');

# Names that leave room for those of partitions, and names that do not.
my $long = 'fifty_five_bytes_of_a_name_are_here_for_a_table_of_mine';
keeper("CREATE TABLE $long (id uuid DEFAULT gen_uuidv7() PRIMARY KEY); INSERT INTO $long DEFAULT VALUES;
	CREATE TABLE longer_$long (id uuid DEFAULT gen_uuidv7() PRIMARY KEY)");
goes($long, @steps);
is(keeper("SELECT bool_and(starts_with(relname, '${long}_')) FROM uuid_partition_list('$long'), pg_class WHERE oid = partition"), 't',
	'partitions have their table\'s name');
is(keeper("SELECT count(*) > 0 FROM uuid_partition_create('$long', '2025-01-01 00:00+00', '2025-02-01 00:00+00', '1 month')"), 't', 'and so have later ones');
like(play_step("longer_$long", 'prepare')->{said},
	qr/WARNING:  partitions of table shop.longer_$long would have names longer than 63 bytes.*Nothing has been changed/s, 'a longer name is refused');
is(keeper(q(SELECT string_agg(relname, ' ') FROM pg_class WHERE relnamespace = 'shop'::regnamespace AND relname ~ '_move')), '', 'and nothing stays');

# A CHECK that a partitioned table cannot have.
keeper('CREATE TABLE bills (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, n int, CONSTRAINT alone CHECK (n > 0) NO INHERIT)');
like(play_step('bills', 'prepare')->{said}, qr/WARNING:  constraint alone is NO INHERIT.*Nothing has been changed/s, 'NO INHERIT is refused');
keeper('ALTER TABLE bills DROP CONSTRAINT alone, ADD CONSTRAINT alone CHECK (n > 0)');
goes('bills', qw(prepare back));

# TRUNCATE of one partition fires no trigger of its table: the tables differ, and nothing is lost without a word.
keeper('CREATE TABLE hits (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, n int); INSERT INTO hits (n) VALUES (1)');
goes('hits', qw(prepare fill switch));
keeper(q(SELECT format('TRUNCATE %s', tableoid::regclass) FROM hits \gexec));
like(play_step('hits', 'drop')->{said}, qr/nothing has been changed, because 1 rows .* differ\nHINT:  A trigger was off, or TRUNCATE has emptied a partition/, 'a partition that is empty is noticed');
keeper('DELETE FROM hits_move');
goes('hits', 'drop');

# Who has called a function with a variable of the row type has to connect again: prepare says so.
keeper(q(CREATE TABLE sales (id uuid DEFAULT gen_uuidv7() PRIMARY KEY, n int); INSERT INTO sales (n) VALUES (1);
	CREATE FUNCTION by_row() RETURNS int LANGUAGE plpgsql AS 'DECLARE r shop.sales%ROWTYPE; BEGIN SELECT * INTO r FROM shop.sales; r.n := r.n + 0; RETURN r.n; END';
	CREATE FUNCTION by_type() RETURNS int LANGUAGE plpgsql AS 'DECLARE r shop.sales; BEGIN SELECT s.* INTO r FROM shop.sales s; RETURN r.n; END';
	CREATE FUNCTION by_array() RETURNS int LANGUAGE plpgsql AS 'DECLARE r shop.sales[]; BEGIN r := ARRAY(SELECT s FROM shop.sales s); RETURN r[1].n; END';
	CREATE FUNCTION by_record() RETURNS int LANGUAGE plpgsql AS 'DECLARE r record; BEGIN SELECT * INTO r FROM shop.sales; RETURN r.n; END';
	CREATE FUNCTION by_column() RETURNS int LANGUAGE plpgsql AS 'DECLARE n shop.sales.n%TYPE; BEGIN SELECT s.n INTO n FROM shop.sales s; RETURN n; END'));
my @functions = qw(by_row by_type by_array by_record by_column);
my $session = $node->background_psql($shop->{database}, on_error_stop => 0);
my $fails = sub {
	return join ' ', grep { $session->{stderr} = ''; $session->query("SELECT shop.$_()"); $session->{stderr} =~ /ERROR/ } @functions;
};
is($fails->(), '', 'a session calls all functions');
my $said = play_step('sales', 'prepare')->{said};
my %named = map { ($_ => 1) } $said =~ /NOTICE:  after do=switch, do=back and do=drop sessions that have called function shop.(\w+)\(\) reconnect/g;
is(join(' ', sort keys %named), 'by_array by_row by_type', 'prepare names those with a row of the table');
foreach my $step (qw(fill switch back switch drop))
{
	goes('sales', $step);
	is(join(' ', grep { !$named{$_} } split / /, $fails->()), '', "after $step no other function fails in a session that stays");
}
$session->quit;
$session = $node->background_psql($shop->{database}, on_error_stop => 0);
is($fails->(), '', 'a session that reconnects calls all of them');
$session->quit;

done_testing();
