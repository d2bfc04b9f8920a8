# What change_key.psql says of code that takes rows by the places of their columns, which it changes, and what
# becomes of that code.  Code that names columns, or gives whole rows to rows of the table, is not named.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = empty_shop();

sub keeper { return sql('shop', "SET ROLE keeper; SET search_path = shop; $_[0]") }

# How a command fails.
sub fails
{
	my (undef, undef, $error) = $node->psql('shop', "SET ROLE keeper; SET search_path = shop; $_[0]");

	return $error;
}

sub says
{
	my ($step) = @_;
	my $result = step($recipe, $shop, $step,
		variables => { table => 'shop.bills', $step eq 'prepare' ? (from => 'number', created => 'paid_at') : (),
			$step eq 'drop' ? (rename => 'on') : () });

	is($result->{status}, 0, $step) or diag($result->{said});
	return $result->{said};
}

# The functions of which a pattern is true, by their names.
sub named
{
	my ($said, $notice) = @_;

	return join ' ', sort map { s/^shop\.|\(.*//gr } $said =~ /NOTICE:  $notice/g;
}

keeper(q(
	CREATE TABLE bills (id bigint PRIMARY KEY, paid_at timestamptz NOT NULL DEFAULT now(), label text);
	CREATE TABLE lines (bill_id bigint REFERENCES bills, n int) PARTITION BY HASH (n);
	CREATE TABLE "Lines 0" PARTITION OF lines FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	CREATE TABLE paid (id bigint, paid_at timestamptz, label text);
	CREATE TABLE numbers (bill_id bigint, n int);
	INSERT INTO bills (id, label) VALUES (1, 'first'), (2, 'second');
	INSERT INTO lines VALUES (1, 1);
	CREATE FUNCTION all_bills() RETURNS SETOF bills LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY SELECT b.* FROM shop.bills b; END $$));

my %functions = (
	# rows of others into the table, without a list of columns
	inserts_by_with => 'INSERT INTO shop.bills WITH p AS (SELECT * FROM shop.paid) SELECT * FROM p',
	inserts_row => 'INSERT INTO shop.bills VALUES (own.*)',
	# with * into another table
	copies => 'INSERT INTO shop.paid SELECT * FROM shop.bills',
	copies_by_with => 'INSERT INTO shop.paid WITH b AS (SELECT * FROM bills), c AS (SELECT b.* FROM b) SELECT (c).* FROM c',
	copies_part => 'INSERT INTO numbers SELECT l.* FROM shop.paid JOIN (SELECT * FROM shop."Lines 0") AS l ON l.bill_id = id',
	moves => 'WITH gone AS (DELETE FROM shop.bills b WHERE id < 0 RETURNING b.*) INSERT INTO shop.paid SELECT * FROM gone',
	# the same of a variable of its row type
	copies_row => 'SELECT * INTO own FROM shop.bills LIMIT 1; INSERT INTO shop.paid VALUES (own.*) ON CONFLICT DO NOTHING',
	# behind strings and names with what begins comments and strings elsewhere
	copies_after_dashes => q(RAISE DEBUG '--- start ---'; INSERT INTO shop.paid SELECT * FROM shop.bills; RAISE DEBUG 'done'),
	copies_after_quote => q(PERFORM $q$don't$q$ AS "it's"; INSERT INTO shop.paid SELECT * FROM shop.bills; RAISE DEBUG 'done'),
	copies_after_backslash => q(PERFORM E'it\'s', '/*'; INSERT INTO shop.paid /* it's '*/ SELECT * FROM shop.bills; RAISE DEBUG '*/'),
	# with * to variables of other types
	reads => q(SELECT * INTO STRICT p FROM shop.bills WHERE label = 'first'),
	reads_two => 'IF k > 0 THEN SELECT b.* INTO k, t FROM shop.bills AS b; END IF',
	loops => 'FOR p IN SELECT * FROM shop.bills LOOP NULL; END LOOP',
	# column by column to rows of the table
	makes => 'SELECT p.id, p.paid_at FROM shop.paid p INTO own',
	makes_too => 'INSERT INTO shop.bills (label) VALUES (NULL) RETURNING id, paid_at INTO argument',
	# columns by their names
	names => 'SELECT b.id, b.paid_at INTO k, t FROM shop.bills b WHERE EXISTS (SELECT * FROM shop.bills)',
	names_in_with => 'WITH b AS (SELECT * FROM shop.bills) SELECT count(*), max(b.paid_at) INTO k, t FROM b',
	copies_names => 'INSERT INTO shop.paid (id, label) WITH b AS (SELECT * FROM shop.bills) SELECT b.id, b.label FROM b',
	copies_other_row => 'INSERT INTO shop.bills (id, paid_at, label) VALUES (p.*); INSERT INTO shop.paid SELECT p.*',
	copies_others => 'INSERT INTO shop.paid SELECT p.* FROM shop.paid p JOIN shop.bills b USING (id) ON CONFLICT DO NOTHING',
	names_after => qq(-- 'INSERT INTO\nRAISE DEBUG 'INSERT INTO shop.paid SELECT * FROM shop.bills; --'; /* "*/ k := 1; /* it's " */ k := 2),
	# whole rows to rows of the table and records
	whole => 'SELECT * INTO own FROM shop.bills b WHERE b.id = 1 FOR UPDATE; SELECT b.* INTO argument FROM bills b',
	whole_record => 'SELECT * INTO anything FROM shop.bills; FOR anything IN SELECT * FROM shop.bills LOOP k := anything.id; END LOOP',
	whole_by_with => 'WITH b AS (SELECT * FROM shop.bills) SELECT * INTO own FROM (SELECT * FROM b) AS c',
	whole_returned => 'UPDATE shop.bills SET label = NULL WHERE id < 0 RETURNING * INTO own',
	whole_by_function => 'SELECT * INTO own FROM all_bills(); SELECT * INTO own FROM jsonb_populate_record(NULL::shop.bills, j)',
	whole_elsewhere => 'SELECT * INTO p FROM shop.paid; PERFORM * FROM shop.bills');
keeper(qq(
	CREATE FUNCTION $_(argument bills DEFAULT NULL, j jsonb DEFAULT NULL)
	RETURNS bigint
	LANGUAGE plpgsql AS \$\$
		DECLARE
			k bigint;
			t timestamptz;
			p shop.paid%ROWTYPE;
			own bills%ROWTYPE;
			anything record;
		BEGIN
			$functions{$_};
			RETURN p.id;
		END \$\$)) foreach sort keys %functions;

# What a function returns.
my %returned = (
	returns_table => ['TABLE (a bigint, b timestamptz, c text)', '*'],
	returns_others => ['SETOF paid', 'b.*'],
	returns_names => ['TABLE (a bigint, b text)', 'b.id, b.label'],
	returns_bills => ['SETOF bills', '*']);
keeper(qq(
	CREATE FUNCTION $_()
	RETURNS $returned{$_}[0]
	LANGUAGE plpgsql AS \$\$
		BEGIN
			IF true THEN
				RETURN QUERY SELECT $returned{$_}[1] FROM shop.bills b;
			END IF;
		END \$\$)) foreach sort keys %returned;

my %triggers = (
	# rows that may be of another type
	of_another => 'p.id := 7; NEW := p; RETURN NEW',
	of_another_too => 'IF p IS NULL THEN p.id := 7; RETURN p; END IF',
	of_places => 'new = ROW(OLD.id, now())',
	of_a_query => 'RETURN (SELECT p FROM shop.paid p)',
	# made of OLD or NEW, or of the row type of the table
	of_old => q(IF current_setting('application_name') = 'undo' THEN NEW := OLD; END IF; RETURN coalesce(NEW, OLD)),
	of_json => 'NEW := jsonb_populate_record(NEW, to_jsonb(p)); IF NEW = OLD THEN RETURN NULL; END IF',
	of_itself => 'own := NEW; was := OLD; SELECT * INTO was FROM shop.bills; NEW := own; RETURN was');
foreach my $name (sort keys %triggers)
{
	my $when = $name eq 'of_old' ? 'UPDATE' : 'DELETE';

	keeper(qq(
		CREATE FUNCTION $name()
		RETURNS trigger
		LANGUAGE plpgsql AS \$\$
			DECLARE
				p shop.paid%ROWTYPE;
				own shop.bills;
				was record;
			BEGIN
				$triggers{$name};
				RETURN OLD;
			END \$\$;
		CREATE TRIGGER $name BEFORE $when ON bills FOR EACH ROW EXECUTE FUNCTION $name()));
}
# Other languages have no variables of row types.
sql('shop', 'CREATE TRUSTED LANGUAGE other HANDLER plpgsql_call_handler');
keeper(q(
	CREATE FUNCTION reads_in_other() RETURNS void LANGUAGE other AS 'SELECT * INTO p FROM shop.bills; return query SELECT * FROM shop.bills';
	CREATE FUNCTION of_other() RETURNS trigger LANGUAGE other AS 'return "MODIFY";';
	CREATE TRIGGER of_other BEFORE DELETE ON bills FOR EACH ROW EXECUTE FUNCTION of_other()));
keeper(q(CREATE TRIGGER after AFTER DELETE ON bills FOR EACH ROW EXECUTE FUNCTION of_another_too()));

my %notices = (
	'inserts_by_with inserts_row' => qr/before do=drop let function (\S+) name the columns in INSERT INTO shop\.bills: it inserts by their places, which change\n/,
	'copies copies_after_backslash copies_after_dashes copies_after_quote copies_by_with copies_part copies_row moves' => pattern(
		qr/function (\S+) fails from do=prepare on, and writes into wrong columns after do=drop, because it inserts all columns of /,
		qr/table shop\.(?:bills|lines) into another table with \*: let it name them now\n/),
	'returns_others returns_table' => pattern(
		qr/function (\S+) fails from do=prepare on, and may return wrong columns after do=drop, because it returns all columns of /,
		qr/table shop\.bills with \*: let it name them now\n/),
	'loops reads reads_two' => pattern(
		qr/before do=drop let function (\S+) name the columns of table shop\.bills that it gives to (?:p|k, t) with \*: /,
		qr/it gives them by their places, which change\n/),
	'makes makes_too' => pattern(
		qr/before do=drop let function (\S+) give (?:own|argument), a row of table shop\.bills, its values by the names of /,
		qr/columns: it gives them by their places, which change\n/),
	'of_a_query of_another of_another_too of_places' => pattern(
		qr/read function (\S+), which trigger \S+ of table shop\.bills calls: it puts another row in the place of NEW, /,
		qr/and if this is of another row type, it fails until do=drop, and then gives values by the places of columns, which change\n/));

keeper('SELECT copies(); TRUNCATE paid');
my $said = says('prepare');
is(named($said, $notices{$_}), $_, "prepare names what takes rows by places, and nothing else: $_") foreach sort keys %notices;
unlike($said, qr/could not be read/, 'all are read');
like($said, qr/fails from do=prepare on.*before do=drop let/s, 'those that fail come first');
unlike($said, qr/before do=drop let.*fails from do=prepare on/s, 'before those that go on');
like(fails("SELECT $_()"), qr/ERROR:  INSERT has more expressions than target columns/, "one that inserts with * fails from then on: $_")
	foreach qw(copies copies_row);
like(fails("SELECT $_()"), qr/ERROR:  structure of query does not match function result type/, "so does one that returns them: $_")
	foreach qw(returns_table returns_others);
is(keeper('SELECT count(*) FROM returns_bills(), returns_names()'), 4, 'but not one that returns rows of the table');
is(keeper('SELECT reads()'), 1, 'and one that gives them to a variable goes on');
keeper(qq(DROP TRIGGER $_ ON bills)) foreach qw(of_another_too of_places of_a_query of_json of_itself);
keeper('DROP TRIGGER of_another ON bills; CREATE TRIGGER of_another BEFORE INSERT ON bills FOR EACH ROW EXECUTE FUNCTION of_another()');
like(fails('INSERT INTO bills VALUES (3)'), qr/ERROR:  returned row structure does not match the structure of the triggering table/,
	'a trigger that puts a row of another type in the place of NEW fails');
keeper('DROP TRIGGER of_another ON bills');
says('fill');
$said = says('switch');
is(named($said, $notices{$_}), $_, "so does switch: $_") foreach grep { !/^of/ } sort keys %notices;
is(keeper('SELECT reads()'), 1, 'until drop a variable gets its columns');
says('drop');
like(fails('SELECT reads()'), qr/ERROR:  invalid input syntax for type bigint/, 'and then others');
is(keeper(q(
		SET application_name = undo;
		UPDATE bills SET label = 'changed';
		SELECT count(*) FROM bills WHERE label = 'changed')), 0,
	'NEW := OLD goes on');

# What is too long for a pattern is told, and ends nothing: a name, a list, a row.
keeper(q(
	SET check_function_bodies = off;
	CREATE TABLE tips (id bigint PRIMARY KEY, paid_at timestamptz NOT NULL DEFAULT now());
	DO $do$
		BEGIN
			EXECUTE format('CREATE FUNCTION long_name() RETURNS void LANGUAGE plpgsql AS $$ BEGIN WITH %s AS (SELECT * FROM tips) '
				'SELECT * INTO k FROM %1$s; END $$', repeat('long_', 60000));
			EXECUTE format('CREATE FUNCTION long_list() RETURNS void LANGUAGE plpgsql AS $$ BEGIN SELECT * INTO %s FROM tips; END $$',
				(SELECT string_agg('k' || n, ', ') FROM generate_series(1, 20000) AS n));
			EXECUTE format('CREATE FUNCTION long_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN tip_of(%s 1); END $$',
				repeat('lower(trim(current_user)), ', 8000));
			EXECUTE format('CREATE FUNCTION long_variable() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN %s := OLD; RETURN OLD; END $$',
				repeat('x', 300000));
			EXECUTE format('CREATE FUNCTION long_with() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN WITH %s AS (SELECT * FROM gone) '
				'INSERT INTO paid SELECT * FROM %1$s; END $$', repeat('long_', 60000));
		END $do$;
	CREATE TRIGGER long_row BEFORE DELETE ON tips FOR EACH ROW EXECUTE FUNCTION long_row();
	CREATE TRIGGER long_variable BEFORE DELETE ON tips FOR EACH ROW EXECUTE FUNCTION long_variable();
	CREATE TRIGGER long_with AFTER DELETE ON tips REFERENCING OLD TABLE AS gone EXECUTE FUNCTION long_with()));
my $result = step($recipe, $shop, 'prepare', variables => { table => 'shop.tips', from => 'number', created => 'paid_at' });
is($result->{status}, 0, 'long bodies end no step');
is(named($result->{said}, qr/function (\S+) could not be read \([^\n]*too complex\): read it yourself\n/),
	'long_name long_variable long_with', 'those that make too long a pattern are named');
is(named($result->{said}, qr/before do=drop let function (\S+) name the columns of table shop\.tips that it gives to k1, k2, /), 'long_list',
	'and a long list is read');
foreach my $step (qw(fill switch drop))
{
	$result = step($recipe, $shop, $step, variables => { table => 'shop.tips' });
	is($result->{status}, 0, "so it is with $step") or diag($result->{said});
}

done_testing();
