# move_table.psql tries the exchange before it copies rows: what only the server refuses, do=switch would tell after
# hours of do=fill.  The refusal says which command fails, and the step goes on when that is mended.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'move_table.psql');
my $shape = q(
	SELECT string_agg(
		concat_ws(' ', c.oid::regclass, relkind, tgname), ',' ORDER BY c.oid::regclass::text, tgname)
	FROM pg_class c
	LEFT JOIN pg_trigger ON tgrelid = c.oid
	WHERE relnamespace = 'shop'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition);

empty_shop();
sql('shop', '
	CREATE SCHEMA reports;
	CREATE SCHEMA code;
	GRANT ALL ON SCHEMA reports TO keeper;
	CREATE FUNCTION code.touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
	GRANT USAGE ON SCHEMA code TO keeper');

# as far as it does
sub speaks
{
	my ($language, $locale) = @_;

	Recipes::disconnect();
	local $ENV{LANGUAGE} = $language;
	$node->append_conf('postgresql.conf', "lc_messages = '$locale'");
	$node->restart;
	return;
}

sub played
{
	return step($recipe, { database => 'shop' }, $_[0],
		variables => { table => 'shop.sales', $_[0] eq 'prepare' ? (into => $_[1]) : () });
}

# What stands in the way is made by the superuser or by the owner; what then helps; what is said.
foreach (
	[ 'partitions', 'a view in a schema where the owner may no longer create',
		'CREATE VIEW reports.sold AS SELECT id FROM shop.sales;
		ALTER VIEW reports.sold OWNER TO keeper; REVOKE CREATE ON SCHEMA reports FROM keeper',
		'GRANT CREATE ON SCHEMA reports TO keeper', qr/permission denied for schema reports/,
		qr/CREATE OR REPLACE VIEW reports\.sold/ ],
	[ 'table', 'a trigger whose function the owner may no longer call',
		'CREATE TRIGGER touch BEFORE UPDATE ON shop.sales FOR EACH ROW EXECUTE FUNCTION code.touch();
		REVOKE EXECUTE ON FUNCTION code.touch() FROM PUBLIC',
		'GRANT EXECUTE ON FUNCTION code.touch() TO PUBLIC', qr/permission denied for function (?:code\.)?touch/,
		qr/CREATE TRIGGER touch/ ],
	[ 'table', 'a table to which it refers, by another column than it may',
		'
			CREATE TABLE shop.customers (id int PRIMARY KEY, code int UNIQUE);
			ALTER TABLE shop.sales ADD customer int REFERENCES shop.customers;
		GRANT REFERENCES (code) ON shop.customers TO keeper',
		'GRANT REFERENCES ON shop.customers TO keeper', qr/permission denied for table customers/,
		qr/ADD CONSTRAINT sales_customer_fkey/ ])
{
	my ($into, $what, $hinders, $helps, $problem, $command) = @$_;
	my $hinders_again = join '; ', $helps =~ s/GRANT (.*) TO/REVOKE $1 FROM/r, $hinders =~ /(GRANT REFERENCES.*)/;

	sql('shop', "
		DROP TABLE IF EXISTS shop.sales, shop.customers CASCADE;
		SET ROLE keeper;
		CREATE TABLE shop.sales (id uuid PRIMARY KEY DEFAULT gen_uuidv7());
		ALTER TABLE shop.sales ADD n int; INSERT INTO shop.sales DEFAULT VALUES; RESET ROLE; $hinders");
	my $before = sql('shop', $shape);
	my $said = played('prepare', $into)->{said};

	like($said, pattern(
		qr/ERROR:  do=switch would fail: $problem\n/,
		qr/DETAIL:  It would run .*$command.*\n/,
		qr/HINT:  No row is copied yet\. Mend this, and run do=prepare again\. To go back: do=back\.\n/),
		$what);
	is(sql('shop', q(SELECT count(*) FROM pg_trigger WHERE tgname ~ '^00_move_table')), 0,
		"$what: nothing is written to the copy yet");
	is(played('back')->{status}, 0, "$what: back") or diag($said);
	is(sql('shop', $shape), $before, "$what: all is as it was");
	speaks('de', 'C.UTF-8');
	like(played('prepare', $into)->{said}, qr/do=switch would fail: [^\n]*\nDETAIL:  It would run .*$command/,
		"$what: once more, from a server that speaks German");
	speaks('', 'C');
	sql('shop', $helps);
	my $finishes = sub { return each_succeeds(sub { played($_[0], $into) }, "$what, mended", @_) };
	$finishes->(qw(prepare fill));
	# said again, it is for a trigger that fails, and tries nothing
	sql('shop', "$hinders_again; ALTER TABLE shop.sales RENAME n TO number; ALTER TABLE shop.sales_move RENAME n TO number");
	$finishes->('prepare');
	is(sql('shop',
			'INSERT INTO shop.sales (number) VALUES (7); SELECT number FROM shop.sales_move WHERE number = 7'),
		7, "$what once more: after prepare the table is written to");
	sql('shop', $helps);
	$finishes->(qw(fill switch drop));
}

# An exclusion constraint is refused before that, for the reason that there is.
foreach (
	[ 'id WITH =, n WITH =', 'is not carried over: drop it until after do=drop, and make it again' ],
	[ 'n WITH =', 'does not compare column id with =, as it would have to in a table that is partitioned by it. Drop it' ])
{
	my ($columns, $why) = @$_;

	$why = 'could be one of each partition alone: before PostgreSQL 17 a partitioned table has none. Drop it'
		if $node->pg_version < 17;
	sql('shop', qq(
		DROP TABLE IF EXISTS shop.sales CASCADE;
		SET ROLE keeper;
		CREATE TABLE shop.sales (
			id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int, CONSTRAINT once EXCLUDE USING btree ($columns))));
	like(played('prepare', 'partitions')->{said}, qr/WARNING:  exclusion constraint shop\.once \Q$why\E\n/,
		"EXCLUDE ($columns) is refused");
}

done_testing();
