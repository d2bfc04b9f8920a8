# The steps of doc/migrate-from-bigint.md, while an application writes: nothing
# is lost, nothing is doubled, and no statement of the application fails.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Migration;

my $node = PostgreSQL::Test::Cluster->new('bigint');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

# Each transaction of the application writes down what it did.
$node->safe_psql('postgres', 'CREATE TABLE ledger (program text, action text, orders int, total int)');

my $book = 'INSERT INTO ledger VALUES';
my %program = (
	# knows only the old keys
	old => {
		insert => qq{
			BEGIN;
			INSERT INTO orders (total) VALUES (1) RETURNING id \\gset
			INSERT INTO order_lines (order_id, item) VALUES (:id, 'tea'), (:id, 'milk');
			$book ('old', 'insert', 1, 1);
			COMMIT;},
		update => qq{
			\\set id random(2001, 10000)
			BEGIN;
			UPDATE orders SET total = total + 1 WHERE id = :id;
			$book ('old', 'update', 0, 1);
			COMMIT;},
		move => qq{
			\\set line random(4001, 20000)
			\\set id random(2001, 10000)
			BEGIN;
			UPDATE order_lines SET order_id = :id WHERE id = :line;
			$book ('old', 'move', 0, 0);
			COMMIT;},
		# orders whose lines are not moved, so that two go with each
		delete => qq{
			\\set id random(1, 2000)
			WITH gone AS (DELETE FROM orders WHERE id = :id RETURNING total)
			$book ('old', 'delete', -(SELECT count(*) FROM gone), -(SELECT coalesce(sum(total), 0) FROM gone));},
	},
	# knows only the new ones
	new => {
		insert => qq{
			BEGIN;
			INSERT INTO orders (total) VALUES (1) RETURNING uid \\gset
			INSERT INTO order_lines (order_uid, item) VALUES (:uid, 'tea'), (:uid, 'milk');
			UPDATE orders SET total = total + 1 WHERE uid = :uid;
			$book ('new', 'insert', 1, 2);
			COMMIT;},
	});

# What only the old keys can tell.
sub check_both_keys
{
	is( $node->safe_psql(
			'postgres', q{
			SELECT count(*) FILTER (WHERE l.order_uid <> o.uid OR o.uid IS NULL)
			FROM order_lines l LEFT JOIN orders o ON o.id = l.order_id}),
		'0', 'both keys of every line lead to the same order');
	is( $node->safe_psql(
			'postgres', q{
			SELECT count(*) FILTER (WHERE uuid_time(uid) <> created_at), count(*) > 5000 FROM orders WHERE id <= 10000}),
		'0|t', 'old rows have the time when they were made');
	is( $node->safe_psql(
			'postgres', q{
			CREATE TEMP TABLE loose (order_id bigint, order_uid uuid);
			CREATE TRIGGER both_keys BEFORE INSERT OR UPDATE ON loose FOR EACH ROW EXECUTE FUNCTION order_lines_both_keys();
			INSERT INTO loose (order_id) SELECT id FROM orders ORDER BY id LIMIT 2;
			UPDATE loose SET order_id = NULL WHERE order_id = (SELECT min(order_id) FROM loose);
			UPDATE loose SET order_uid = NULL WHERE order_id IS NOT NULL;
			SELECT count(*), count(order_id), count(order_uid) FROM loose}),
		'2|0|0', 'references may also be taken away, by either key');
	return;
}

my ($old, $new);
my $heading = '';
my $n = 0;
my $document = slurp_file(dirname(__FILE__) . '/../../../doc/migrate-from-bigint.md');
while ($document =~ /^## ([^\n]+)|^```sql\n(.*?)^```$/gms)
{
	if (defined $1)
	{
		$old = start_program($node, 'postgres', 'old', $program{old}, 'prepared') if $heading eq 'The example';
		($heading, $n) = ($1, 0);
		$new = start_program($node, 'postgres', 'new', $program{new}, 'prepared') if $heading eq '5. The switch';
		if ($heading eq '6. The old key goes')
		{
			stop_program($old);
			is_in_ledger($old);
			undef $old;
			check_both_keys();
		}
		next;
	}

	my $block = $2;
	let_write($_) foreach grep { defined } $old, $new;
	play($node, 'postgres', $block, "$heading, block " . ++$n);
}
let_write($new);
stop_program($new);
is_in_ledger($new);

is( $node->safe_psql('postgres', 'SELECT count(*), sum(total) FROM orders'),
	$node->safe_psql('postgres', 'SELECT 10000 + sum(orders), 1000000 + sum(total) FROM ledger'),
	'orders and their totals are those of the ledger');
is($node->safe_psql('postgres', 'SELECT count(*) = 2 * (SELECT count(*) FROM orders) FROM order_lines'),
	't', 'and each has its two lines, wherever they moved');
is($node->safe_psql('postgres', 'SELECT count(DISTINCT uid) = count(*), bool_and(uuidv7_is_valid(uid)) FROM orders'),
	't|t', 'each has an id of its own');
is( $node->safe_psql(
		'postgres', q{
		SELECT conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint
		WHERE conrelid IN ('orders'::regclass, 'order_lines'::regclass) AND contype IN ('p', 'f', 'u', 'c') ORDER BY conname}),
	"order_lines_order_uid_fkey|FOREIGN KEY (order_uid) REFERENCES orders(uid) ON DELETE CASCADE|t\n"
	  . "order_lines_pkey|PRIMARY KEY (id)|t\n"
	  . 'orders_pkey|PRIMARY KEY (uid)|t',
	'the new key is the primary key, and nothing is left over');

done_testing();
