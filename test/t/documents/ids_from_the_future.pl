# Rows of a default partition whose ids are from the future, as doc/partitions.md
# treats them: they get new ids together with the rows that refer to them, or their
# months are made, also if somebody is in the way at first.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

$ENV{PGTZ} = 'UTC';

my ($chapter) = slurp_file(dirname(__FILE__) . '/../../../doc/partitions.md') =~ /^### Ids from the future\n(.*?)(?=^## )/ms;
my ($wrong, $right) = map { $chapter =~ /^#### The ids are $_: [^\n]+\n(.*?)(?=^#### )/ms
		? $1
		: die "no ids are $_" } 'wrong', 'right';
my ($both) = $wrong =~ /^(\\set ON_ERROR_ROLLBACK off\nBEGIN;\n.*?)^SELECT item/ms;
my ($make) = $right =~ /^```sql\n(.*?)^```$/ms;

my $node = OneSession->new('ids_from_the_future');
$node->init;
$node->start;
$node->safe_psql(
	'postgres', q(
	CREATE EXTENSION uidext;
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), total numeric NOT NULL) PARTITION BY RANGE (id);
	SELECT uuid_partition_maintain('orders', '1 month', ahead => 0);
	CREATE TABLE orders_rest PARTITION OF orders DEFAULT;
	CREATE TABLE items (order_id uuid NOT NULL, item text) PARTITION BY RANGE (order_id);
	SELECT uuid_partition_follow('items', 'orders');
	INSERT INTO orders VALUES (gen_uuidv7_at(now() + interval '2 months'), 10);
	INSERT INTO items SELECT id, 'tea' FROM orders));

# What a person's psql shows, which goes on after an error, also in a transaction.
sub typed
{
	my ($stdout, $stderr);

	$node->psql('postgres', "\\set ON_ERROR_ROLLBACK on\n$_[0]", stdout => \$stdout, stderr => \$stderr, on_error_stop => 0);
	return "$stdout\n$stderr";
}

sub answer { return $node->safe_psql('postgres', $_[0]) }

# Pasted while somebody reads the default partition, a block changes nothing; typed again, it does its work.
sub pasted
{
	my ($block, $lock, $name) = @_;
	my $before = answer('SELECT array_agg(id ORDER BY id) FROM orders');
	my $other = $node->background_psql('postgres');

	$other->query_safe("BEGIN; LOCK TABLE orders_rest IN $lock MODE");
	like(typed($block), qr/ERROR:  canceling statement due to lock timeout/, "$name: somebody is in the way");
	is(answer('SELECT array_agg(id ORDER BY id) FROM orders'), $before, 'nothing has changed');
	$other->quit;
	unlike(typed($block), qr/ERROR|WARNING/, "$name: typed again, it works");
	return;
}

pasted($both, 'ROW EXCLUSIVE', 'new ids');
is(answer('SELECT item, id < now() FROM orders JOIN items ON order_id = id'), 'tea|t', 'the item has the new id of its order');

answer(q(INSERT INTO orders VALUES (gen_uuidv7_at(now() + interval '2 months'), 20)));
like(typed(q(SELECT * FROM uuid_partition_maintain('orders', '1 month', ahead => 3))), qr/not created.*23514: /,
	'a right id keeps its month away');
pasted($make, 'ACCESS SHARE', 'their months');
is(answer(q(SELECT count(*) FROM orders WHERE total = 20 AND tableoid <> 'orders_rest'::regclass)), 1,
	'the row is in a partition of its month');
is(answer('SELECT count(*) FROM orders'), 2, 'no row is lost');

# What is taken out and cannot be put back is not lost.
answer(q(
	ALTER TABLE orders ADD twice numeric GENERATED ALWAYS AS (2 * total) STORED;
	INSERT INTO orders VALUES (gen_uuidv7_at(now() + interval '6 months'), 30)));
like(typed($make), qr/ERROR:  cannot insert a non-DEFAULT value into column "twice"/,
	'a generated column, whose table needs the names of its columns');
is(answer('SELECT count(*) FROM orders WHERE total = 30'), 1, 'does not cost the row');

$node->stop;
done_testing();
