# The steps of doc/migrate-to-iuid.md, while an application writes: nothing is
# lost, no statement of the application fails, and every old id finds its row.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Migration;

my $node = PostgreSQL::Test::Cluster->new('iuid');
$node->init;
# so that it is a step that gives up where a slow machine makes one wait for long
$node->append_conf('postgresql.conf', 'deadlock_timeout = 30s');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

# Each transaction of the application writes down what it did.
$node->safe_psql('postgres', 'CREATE TABLE ledger (program text, action text, id uuid, rides int, fare int, payments int, amount int)');

# Rides 1 to 2000 of the example may be deleted, with one payment each; the
# others change, and their payments move between them.
my $book = 'INSERT INTO ledger VALUES';
my $some = "SELECT a.id, b.payment FROM seed AS a, seed AS b WHERE a.n = :a AND b.n = :b \\gset";
my $pick = "\\set a random(2001, 10000)\n\\set b random(2001, 10000)\n";
my $delete = "WITH gone AS (DELETE FROM rides USING seed WHERE rides.id = seed.id AND n = %s RETURNING rides.id, fare)
	INSERT INTO ledger SELECT 'old', 'delete', id, -1, -fare, -1, -(SELECT amount FROM payments WHERE ride_id = gone.id) FROM gone";
my %program = (
	# knows only the old keys
	old => {
		insert => qq{
			BEGIN;
			INSERT INTO rides (fare) VALUES (1) RETURNING id \\gset
			INSERT INTO payments (ride_id, amount) VALUES (:id, 1);
			$book ('old', 'insert', :id, 1, 1, 1, 1);
			COMMIT;},
		update => qq{
			$pick
			$some
			BEGIN;
			UPDATE rides SET fare = fare + 1 WHERE id = :id RETURNING 1 AS one \\gset
			$book ('old', 'update', :id, 0, 1, 0, 0);
			COMMIT;},
		move => qq{
			$pick
			$some
			BEGIN;
			UPDATE payments SET ride_id = :id WHERE id = :payment RETURNING 1 AS one \\gset
			$book ('old', 'move', :id, 0, 0, 0, 0);
			COMMIT;},
		delete => "\\set n random(2, 2000)\n" . sprintf($delete, ':n') =~ s/\s+/ /gr . ';'
	},
	# knows only the new ones, and old links
	new => {
		insert => qq{
			BEGIN;
			INSERT INTO rides (fare) VALUES (2) RETURNING uid \\gset
			INSERT INTO payments (ride_uid, amount) VALUES (:uid, 2);
			$book ('new', 'insert', :uid, 1, 2, 1, 2);
			COMMIT;},
		update => qq{
			$pick
			$some
			BEGIN;
			UPDATE rides SET fare = fare + 1 WHERE uid = uuid_to_iuid(:id, 'BR', 'Ride') RETURNING 1 AS one \\gset
			$book ('new', 'update', :id, 0, 1, 0, 0);
			COMMIT;},
		move => qq{
			$pick
			$some
			BEGIN;
			UPDATE payments SET ride_uid = uuid_to_iuid(:id, 76, 1) WHERE id = :payment RETURNING 1 AS one \\gset
			$book ('new', 'move', :id, 0, 0, 0, 0);
			COMMIT;},
	});

# The same, while a row of the first batch goes away under the step's hands.
sub play_beside_deletion
{
	my ($sql, $what) = @_;
	my $deletion = $node->background_psql('postgres');
	my $step = $node->background_psql('postgres', on_error_stop => 0);

	$deletion->query_safe('BEGIN; ' . sprintf($delete, 1));
	$step->query_until(qr/^begun$/m, "\\echo begun\n$sql");
	ok($node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DO %')),
		"$what waits for a row");
	$deletion->query_safe('COMMIT');
	$step->query('SELECT');
	is($step->{stderr}, '', "$what, which is deleted");
	$_->quit foreach $deletion, $step;
	return;
}

# What only the old keys can tell.
sub check_both_keys
{
	is($node->safe_psql('postgres', 'SELECT count(*) FROM rides WHERE uid IS DISTINCT FROM uuid_to_iuid(id, 76, 1)'), '0', 'new keys are those of the old ones');
	is( $node->safe_psql('postgres', 'SELECT count(*) FROM payments LEFT JOIN rides ON rides.id = ride_id WHERE ride_uid IS DISTINCT FROM uid'),
		'0', 'both keys of every payment lead to the same ride');
	is( $node->safe_psql('postgres', 'SELECT count(*) FROM (SELECT row_number() OVER (ORDER BY id) - row_number() OVER (ORDER BY uid) AS d FROM rides JOIN seed USING (id)) AS o WHERE d <> 0'),
		'0', 'the order is the same');
	is( $node->safe_psql(
			'postgres', q{
			CREATE TEMP TABLE loose (ride_id uuid, ride_uid iuid);
			CREATE TRIGGER ride_uid BEFORE INSERT OR UPDATE ON loose FOR EACH ROW EXECUTE FUNCTION payments_ride_uid();
			INSERT INTO loose (ride_id) SELECT id FROM rides ORDER BY id LIMIT 2;
			UPDATE loose SET ride_id = NULL WHERE ctid = '(0,1)';
			UPDATE loose SET ride_uid = NULL WHERE ctid = '(0,2)';
			SELECT count(*), count(ride_id), count(ride_uid) FROM loose}),
		'2|0|0', 'references may also be taken away, by either key');
	return;
}

my ($old, $new);
my $heading = '';
my $n = 0;
my $document = slurp_file(dirname(__FILE__) . '/../../../doc/migrate-to-iuid.md');
while ($document =~ /^## ([^\n]+)|^```sql\n(.*?)^```$/gms)
{
	if (defined $1)
	{
		if ($heading eq 'The example')
		{
			$node->safe_psql(
				'postgres', q{
				CREATE TABLE seed AS
				SELECT row_number() OVER (ORDER BY rides.id) AS n, rides.id, payments.id AS payment FROM rides JOIN payments ON ride_id = rides.id;
				ALTER TABLE seed ADD PRIMARY KEY (n);
				INSERT INTO ledger SELECT 'seed', 'insert', id, 1, fare, 1, fare FROM rides});
			$old = start_program($node, 'postgres', 'old', $program{old}, 'prepared');
		}
		$new = start_program($node, 'postgres', 'new', $program{new}, 'prepared') if $heading eq '3. Unique, NOT NULL, and referred to';
		($heading, $n) = ($1, 0);
		if ($heading eq '4. The old key goes')
		{
			let_write($_) foreach $old, $new;
			stop_program($old);
			undef $old;
			check_both_keys();
		}
		next;
	}

	my $block = $2;
	my $what = "$heading, block " . ++$n;
	let_write($_) foreach grep { defined } $old, $new;
	if ("$heading, $n" eq '2. Of the rows there are, 1')
	{
		play_beside_deletion($block, $what);
		next;
	}
	play($node, 'postgres', $block, $what);
}
let_write($new);
stop_program($new);

is( $node->safe_psql('postgres', 'SELECT count(*), sum(fare), (SELECT count(*) FROM payments), (SELECT sum(amount) FROM payments) FROM rides'),
	$node->safe_psql('postgres', 'SELECT sum(rides), sum(fare), sum(payments), sum(amount) FROM ledger'),
	'rides, fares, payments and amounts are those of the ledger');
is( $node->safe_psql(
		'postgres', q{
		SELECT count(*) FROM ledger AS l
		WHERE NOT EXISTS (SELECT FROM ledger AS d WHERE d.action = 'delete' AND d.id = l.id)
			AND NOT EXISTS (SELECT FROM rides WHERE uid = CASE WHEN iuid_is_valid(l.id) THEN l.id ELSE uuid_to_iuid(l.id, 76, 1) END)}),
	'0', 'every id of the ledger finds its ride, the old ones as old links do');
is( $node->safe_psql(
		'postgres', q{
		SELECT count(*) FROM ledger AS d WHERE action = 'delete' AND EXISTS (SELECT FROM rides WHERE uid = uuid_to_iuid(d.id, 76, 1))}),
	'0', 'and that of a deleted one none');
is($node->safe_psql('postgres', 'SELECT count(*) FROM payments WHERE NOT EXISTS (SELECT FROM rides WHERE uid = ride_uid)'), '0', 'each payment has its ride');
is( $node->safe_psql(
		'postgres', q{
		SELECT conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint
		WHERE conrelid IN ('rides'::regclass, 'payments'::regclass) AND contype IN ('p', 'f', 'u', 'c') ORDER BY conname}),
	"payments_pkey|PRIMARY KEY (id)|t\n"
	  . "payments_ride_uid_fkey|FOREIGN KEY (ride_uid) REFERENCES rides(uid) ON DELETE CASCADE|t\n"
	  . 'rides_pkey|PRIMARY KEY (uid)|t',
	'the new key is the primary key, and nothing is left over');

done_testing();
