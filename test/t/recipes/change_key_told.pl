# What change_key.psql tells before it happens: the sequence that goes with a serial key, rights that others have passed
# on, and what a subscriber needs so that its subscription does not stop.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');

empty_shop();
sql('shop', '
	SET ROLE keeper;
	CREATE TABLE shop.bills (id serial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
	CREATE TABLE shop."Lines" (bill_id int NOT NULL REFERENCES shop.bills, n int, PRIMARY KEY (bill_id, n)) PARTITION BY HASH (n);
	CREATE TABLE shop.lines_0 PARTITION OF shop."Lines" FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	CREATE TABLE shop.tips (bill_id int REFERENCES shop.bills);
	INSERT INTO shop.bills DEFAULT VALUES;
	INSERT INTO shop."Lines" VALUES (1, 1);
	CREATE FUNCTION shop.next_number() RETURNS bigint LANGUAGE sql AS $$ SELECT nextval($s$shop.bills_id_seq$s$) $$;
	RESET ROLE; CREATE PUBLICATION "Changes" FOR TABLE shop.bills, shop."Lines"');

sub played
{
	return step($recipe, { database => 'shop' }, $_[0],
		variables => { table => 'shop.bills', $_[0] eq 'prepare' ? (from => 'number', created => 'at') : () });
}

# What a step says, and how it ends.
sub says
{
	my ($step) = @_;
	my $result = played($step);

	is($result->{status}, 0, $step) or diag($result->{said});
	return $result->{said};
}

# What is refused sends nothing to subscribers.
sql('shop', q(
	SET ROLE keeper;
	CREATE TABLE shop.pages (id bigint PRIMARY KEY);
	INSERT INTO shop.pages VALUES (-1);
	RESET ROLE;
	CREATE PUBLICATION pages FOR TABLE shop.pages));
my $refused = step($recipe, { database => 'shop' }, 'prepare',
	variables => { table => 'shop.pages', from => 'snowflake' })->{said};
like($refused, qr/ERROR:  1 keys of table shop\.pages are not of the kind "snowflake"/, 'keys of another kind are refused');
unlike($refused, qr/publishes table/, 'before it is said that a subscription stops');

# Functions that make rows of single columns fail from prepare on, if nothing but a run of them tells so: they are named.
sql('shop', q(
	SET ROLE keeper;
	CREATE FUNCTION shop.bills_of(n int)
	RETURNS SETOF shop.bills
	LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY SELECT b.id, b.at FROM shop.bills b WHERE b.id = n; END $$;
	CREATE FUNCTION shop.all_bills()
	RETURNS SETOF shop.bills
	LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY SELECT b.* FROM shop.bills b; END $$));

# So are those that insert by the places of columns, which change with drop.
sql('shop', q(
	SET ROLE keeper;
	CREATE FUNCTION shop.bill()
	RETURNS void
	LANGUAGE plpgsql AS $$ BEGIN INSERT INTO bills VALUES (DEFAULT, now()); END $$;
	CREATE FUNCTION shop.line(int) RETURNS void LANGUAGE sql AS $$ insert into shop."Lines" select $1, 1 $$;
	CREATE FUNCTION shop.tip()
	RETURNS void
	LANGUAGE plpgsql AS $$
		BEGIN
			INSERT INTO shop.tips (bill_id) VALUES (1);
			INSERT INTO shop.tips_of_others VALUES (1);
		END $$));

# And triggers that keep a row as a whole where it may be of another type.
sql('shop', q(SET ROLE keeper; CREATE TABLE shop.paid (id int, at timestamptz);
	CREATE FUNCTION shop.keeps()
	RETURNS trigger
	LANGUAGE plpgsql AS $$ DECLARE was shop.paid%ROWTYPE; BEGIN was := OLD; RETURN OLD; END $$;
	CREATE FUNCTION shop.keeps_too() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE was shop.paid := OLD; BEGIN RETURN OLD; END $$;
	CREATE FUNCTION shop.fine()
	RETURNS trigger
	LANGUAGE plpgsql AS $$
		DECLARE
			was record;
		BEGIN
			was := OLD;
			IF was = OLD THEN
				was := NEW;
			END IF;
			/* a := OLD; */
			IF OLD = NEW THEN
				NEW := OLD;
			END IF;
			was.id = OLD.id;
			RETURN OLD;
		END $$;
	CREATE TRIGGER keeps BEFORE DELETE ON shop.bills FOR EACH ROW EXECUTE FUNCTION shop.keeps();
	CREATE TRIGGER keeps_too BEFORE DELETE ON shop."Lines" FOR EACH ROW EXECUTE FUNCTION shop.keeps_too();
	CREATE TRIGGER fine BEFORE DELETE ON shop.bills FOR EACH ROW EXECUTE FUNCTION shop.fine()));

# Rights on the key that a role has passed on, and others that its owner has granted, or that are on another column.
sql('shop', q(
	SET ROLE keeper;
	GRANT USAGE ON SCHEMA shop TO app;
	GRANT SELECT (id), UPDATE (at) ON shop.bills TO app WITH GRANT OPTION;
	GRANT SELECT (bill_id) ON shop.tips TO app WITH GRANT OPTION;
	SET ROLE app;
	GRANT SELECT (id), UPDATE (at) ON shop.bills TO reader));

# rename is for drop alone: elsewhere it would be forgotten.
like(step($recipe, { database => 'shop' }, $_, variables => { table => 'shop.bills', rename => 'on',
	$_ eq 'prepare' ? (from => 'number', created => 'at') : () })->{said},
	pattern(
		qr/ERROR:  only do=drop takes rename\n/,
		qr/HINT:  Nothing has been changed\. Leave -v rename out now, and pass it to do=drop/),
	"rename is refused by $_")
	foreach qw(prepare back);

my $sequence = pattern(
	qr/NOTICE:  do=drop drops sequence shop\.bills_id_seq, which column id of table shop\.bills owns, /,
	qr/unless you keep it [^\n]*: (ALTER SEQUENCE shop\.bills_id_seq OWNED BY NONE)\n/);
my $said = says('prepare');
like($said, $sequence, 'prepare names the sequence that goes');
like($said, pattern(
	qr/NOTICE:  function shop\.$_\(.*\), which returns rows of table shop\.bills, fails from now on if it /,
	qr/makes them of single columns/),
	"and function $_")
	foreach qw(bills_of all_bills);
my $by_places = pattern(qr/NOTICE:  before do=drop let function /,
	qr/(shop\.\S+ name the columns in INSERT INTO shop\.\S+): it inserts by their places/);
is(join(' ', $said =~ /$by_places/g),
	'shop.bill() name the columns in INSERT INTO shop.bills shop.line(integer) name the columns in '
		. 'INSERT INTO shop."Lines"',
	'functions that insert by the places of columns are named');
my $keep = pattern(
	qr/NOTICE:  before do=drop read function (\S+), which trigger (\S+ of table \S+) calls: it gives a row /,
	qr/as a whole to a variable, and if this is of another row type, by the places of columns, which /,
	qr/change\n/);
is(join(' ', $said =~ /$keep/g),
	'shop.keeps() keeps of table shop.bills shop.keeps_too() keeps_too of table shop."Lines"',
	'triggers that keep rows as a whole are named');
my $passed_on = pattern(
	qr/NOTICE:  from do=drop on, rights on (column \S+ of table \S+) that role app has granted are granted by the owner: /,
	qr/role app cannot REVOKE them any more, and they stay if its own rights are revoked\n/);
is(join(', ', $said =~ /$passed_on/g), 'column id of table shop.bills', 'prepare says whose rights become those of the owner');
my (undef, undef, $fails) = $node->psql('shop', 'SELECT * FROM shop.bills_of(1)');
like($fails, qr/structure of query does not match function result type/, 'one that does so fails');
is(sql('shop', 'SELECT count(*) FROM shop.all_bills()'), 1, 'and one that returns whole rows goes on');
foreach my $step (qw(switch drop))
{
	my $result = played($step);
	isnt($result->{status}, 0, "$step before fill is refused");
	like($result->{said}, pattern(
		qr/ERROR:  nothing has been changed, because there is no proof [^\n]*\n/,
		qr/HINT:  Run do=fill: it has not been run to its end/),
		'and says what is missing');
}
like($said, pattern(
	qr/NOTICE:  publication "Changes" publishes table shop\.$_->[0]: [^\n]*: ALTER TABLE shop\.$_->[0] ADD /,
	qr/$_->[1] uuid\n/),
	"prepare says what the subscriber needs for $_->[0]")
  foreach [ bills => 'uid' ], [ '"Lines"' => 'bill_uid' ];
unlike($said, qr/publishes table shop\.tips/, 'and nothing of a table that is not published');
unlike(says('prepare'), qr/publishes table/, 'nor of what it has done');
unlike(says('fill'), $sequence, 'fill tells nothing of this');
my (undef, undef, $failed) = $node->psql('shop', 'SET ROLE keeper; INSERT INTO shop.tips VALUES (999)',
	extra_params => [ '-v', 'VERBOSITY=sqlstate' ]);
like($failed, qr/ERROR:  23514/,
	'after fill a row that refers to no bill is refused by the CHECK, which comes before its foreign key');
$said = says('switch');
like($said, $sequence, 'switch names the sequence again');
like($said, $passed_on, 'and whose rights become those of the owner');
my ($command) = $said =~ $sequence;
sql('shop', "SET ROLE keeper; $command");
# One statement that renumbers keys, the first row's before the second takes it, which a foreign key
# without an action allows.
sql('shop', '
	SET ROLE keeper;
	INSERT INTO shop.bills (id) VALUES (2);
	WITH first AS (UPDATE shop.bills SET id = 9 WHERE id = 1 RETURNING id)
	UPDATE shop.bills SET id = 1 WHERE id = 2 AND (SELECT count(*) FROM first) = 1');
my $result = played('drop');
like($result->{said}, pattern(
	qr/ERROR:  1 rows of table shop\."Lines" have a bill_uid that leads to another row than their bill_id\n/,
	qr/HINT:  A trigger was switched off meanwhile, or one statement gave rows keys that other rows had /,
	qr/before\./),
	'keys that were renumbered are told as what they are');
my ($see, $way) = $result->{said} =~ /See which is right: (.*?)\. If bill_id is right: (.*?)\. If bill_uid is right/;
is(sql('shop', "SET ROLE keeper; SELECT count(*) FROM ($see) AS t"), 1, 'a query finds the row');
sql('shop', "SET ROLE keeper; $way");
$result = played('drop');
is($result->{status}, 0, 'drop, when the rows have been corrected as it says') or diag($result->{said});
is(sql('shop', 'SELECT shop.next_number()'), 2, 'a function goes on with a sequence that was kept as the NOTICE says');
is(sql('shop', q(
		SELECT string_agg(DISTINCT grantor::regrole || ' ' || grantee::regrole, ', ')
		FROM pg_attribute, aclexplode(attacl)
		WHERE attrelid = 'shop.bills'::regclass AND attname = 'uid')), 'keeper app, keeper reader',
	'rights that were passed on are granted by the owner, as it was told');

done_testing();
