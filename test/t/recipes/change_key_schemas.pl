# change_key.psql with what schemas of other people have: functions that return rows,
# sequences that serve two tables, keys that are called alike everywhere, typed tables,
# indexes with operators of extensions.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('schemas', 'bigint', q(nextval('play.n')), identity => 1);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step { return step($recipe, $shop, $_[1], variables => { table => $_[0], from => 'number' }) }

sub goes
{
	my ($table, @steps) = @_;
	return each_succeeds(sub { play_step($table, $_[0]) }, $table, @steps);
}

# SQL functions that return rows: one that names columns would fail, one that does not goes on.
keeper(q(CREATE TABLE sales (id bigint PRIMARY KEY, n int); INSERT INTO sales VALUES (1, 1);
	CREATE FUNCTION all_sales() RETURNS SETOF sales LANGUAGE sql AS 'SELECT * FROM shop.sales';
	CREATE FUNCTION named_sales() RETURNS SETOF sales LANGUAGE sql AS 'SELECT id, n FROM sales';
	CREATE FUNCTION strange_sales() RETURNS SETOF sales LANGUAGE sql SET search_path = shop AS 'SELECT s FROM sales s'));
my $result = play_step('shop.sales', 'prepare');
like($result->{said}, pattern(
	qr/ERROR:  function shop.named_sales\(\), which returns rows of table shop.sales, would fail: return /s,
	qr/type mismatch.*HINT:  Nothing has been changed/s),
	'a function that would fail is refused');
is(keeper('SELECT named_sales()'), '(1,1)', 'and goes on');
keeper('DROP FUNCTION named_sales');
goes('shop.sales', qw(prepare fill switch));
is(keeper('SELECT (all_sales()).n + (strange_sales()).n'), 2, 'the others go on');
goes('shop.sales', 'drop');
is(keeper('SELECT (all_sales()).n + (strange_sales()).n'), 2, 'and at the end');

# Functions of another role, in a schema that the owner may not use: they stop nothing.
sql($shop->{database}, q(CREATE ROLE auditor; CREATE SCHEMA audit AUTHORIZATION auditor; GRANT USAGE ON SCHEMA shop TO auditor));
keeper('CREATE TABLE trips (id bigint PRIMARY KEY, n int); INSERT INTO trips VALUES (1, 1)');
my $audits = sub {
	my ($columns) = @_;
	return sql($shop->{database}, "SET ROLE auditor; SET check_function_bodies = off;
		CREATE OR REPLACE FUNCTION audit.all_trips() RETURNS SETOF shop.trips LANGUAGE sql AS 'SELECT $columns'");
};
$audits->('NULL::bigint, NULL::int, NULL::uuid');
goes('shop.trips', qw(prepare fill));
my $fails = qr/NOTICE:  function audit\.all_trips\(\) of role auditor, which returns rows of table shop\.trips, fails from now on: return type/;
$result = play_step('shop.trips', 'back');
is($result->{status}, 0, 'a function of another role: back') or diag($result->{said});
like($result->{said}, $fails, 'says that the function fails');
sql($shop->{database}, 'DROP FUNCTION audit.all_trips()');
goes('shop.trips', qw(prepare fill switch));
$audits->('NULL::bigint, NULL::int, NULL::uuid');
$result = play_step('shop.trips', 'drop');
is($result->{status}, 0, 'a function of another role: drop') or diag($result->{said});
like($result->{said}, $fails, 'says so, too');
keeper('DROP TABLE trips CASCADE');

# Operators that the server prints without their schemas: indexes of citext still compare as citext.
sql($shop->{database}, 'CREATE EXTENSION citext');
keeper(q(CREATE TABLE people (id bigint PRIMARY KEY, email citext);
	CREATE INDEX "people but Bob" ON people (id) WHERE email IS DISTINCT FROM 'BOB@x';
	CREATE TABLE calls (person_id bigint REFERENCES people, who citext) PARTITION BY LIST (who);
	CREATE TABLE calls_all PARTITION OF calls DEFAULT;
	CREATE INDEX "calls, Bob's as none" ON calls (person_id, NULLIF(who, 'BOB@x'));
	INSERT INTO people VALUES (1, 'ann@x'), (2, 'bob@x'); INSERT INTO calls VALUES (1, 'bob@x')));
my $kept = sub {
	return keeper(q(
		SELECT string_agg(
			concat(pg_get_expr(indexprs, indrelid), pg_get_expr(indpred, indrelid)), ' ' ORDER BY c.relname)
		FROM pg_index i JOIN pg_class c ON c.oid = indexrelid WHERE c.relname ~ ',| but |^calls_all'));
};
my $expressions = $kept->();
goes('shop.people', qw(prepare fill switch drop));
is($kept->(), $expressions, 'indexes have the same expressions and predicates');

# A sequence that serves two tables stays for the other; one that serves its own goes.
keeper(q(CREATE TABLE bills (id serial PRIMARY KEY); CREATE TABLE refunds (id int DEFAULT nextval('bills_id_seq') PRIMARY KEY);
	CREATE TABLE tips (id serial PRIMARY KEY); INSERT INTO bills DEFAULT VALUES));
foreach my $table (qw(shop.bills shop.tips))
{
	goes($table, qw(prepare fill switch drop));
}
is(keeper('INSERT INTO refunds DEFAULT VALUES RETURNING id'), 2, 'the other table goes on with the sequence');
is(keeper(q(SELECT to_regclass('shop.tips_id_seq'))), '', 'a sequence that nothing else uses is gone');

# A key that has its name in all tables, as in Pagila.
keeper(q(CREATE TABLE customer (customer_id int PRIMARY KEY); INSERT INTO customer VALUES (1);
	CREATE TABLE rental (customer_id int REFERENCES customer, original_customer_id int REFERENCES customer,
		parent_id int REFERENCES customer, payer int REFERENCES customer);
	INSERT INTO rental VALUES (1, 1, 1, 1);
	CREATE TABLE loyal (id int PRIMARY KEY REFERENCES customer)));
goes('shop.customer', 'prepare');
is(keeper(q(
	SELECT string_agg(attname, ' ' ORDER BY attnum)
	FROM pg_attribute
	WHERE attrelid = 'shop.rental'::regclass AND atttypid = 'uuid'::regtype)),
	'customer_uid original_uid parent_uid payer_uid', 'references get names of their own');
is(keeper(q(
		SELECT attname FROM pg_attribute WHERE attrelid = 'shop.loyal'::regclass AND atttypid = 'uuid'::regtype)),
	'id_uid', 'and one that is called id');
goes('shop.customer', 'back');

# A table of a type takes no column.
keeper('CREATE TYPE spot AS (id bigint, n int); CREATE TABLE points OF spot (id WITH OPTIONS PRIMARY KEY)');
like(play_step('shop.points', 'prepare')->{said}, pattern(
	qr/WARNING:  table shop.points is OF type (?:shop.)?spot, and takes no column: ALTER TABLE shop.points /s,
	qr/NOT OF.*cannot be changed/s),
	'a typed table is refused');
keeper('ALTER TABLE points NOT OF');
goes('shop.points', 'prepare');

# Kinds of BRIN stay what they are, with their parameters.
keeper(q(CREATE TABLE readings (id bigint PRIMARY KEY); CREATE TABLE measured (reading_id bigint REFERENCES readings, n int);
	CREATE INDEX ranges ON measured USING brin (reading_id int8_minmax_multi_ops (values_per_range = 16));
	CREATE INDEX bloom ON measured USING brin (n int4_bloom_ops, reading_id int8_bloom_ops (n_distinct_per_range = 100));
	CREATE INDEX least ON measured USING brin (reading_id); CREATE INDEX hashed ON measured USING hash (reading_id)));
foreach my $told ([], [ to => 'iuid', country => 76, service_entity => 1 ], [ to => 'ulid' ])
{
	my ($type) = $told->[1] // 'uuid';
	my $indexes = sub {
		return keeper(q(
			SELECT string_agg(substring(indexdef FROM ' USING (.*)'), ', ' ORDER BY indexname)
			FROM pg_indexes
			WHERE tablename = 'measured' AND indexdef ~ 'uid'))
	};
	my $class = $type eq 'ulid' ? 'ulid' : 'uuid';

	foreach my $step (qw(prepare fill))
	{
		$result = step($recipe, $shop, $step,
			variables => { table => 'shop.readings', $step eq 'prepare' ? (from => 'number', @$told) : () });
		is($result->{status}, 0, "BRIN, $type: $step") or diag($result->{said});
	}
	like($indexes->(), pattern(
		qr/^brin \(n int4_bloom_ops, reading_uid ${class}_bloom_ops \(n_distinct_per_range='?100'?\)\), /,
		qr/hash \(reading_uid\), brin \(reading_uid\), brin \(reading_uid ${class}_minmax_multi_ops /,
		qr/\(values_per_range='?16'?\)\)$/),
		"successors of the same kinds for $type");
	goes('shop.readings', 'back');
}

# A kind of index that the new type does not have is refused at once.
keeper('CREATE TABLE codes (id text PRIMARY KEY); CREATE INDEX quads ON codes USING spgist (id)');
my $prepares = sub { return step($recipe, $shop, 'prepare', variables => { table => 'shop.codes', from => 'ksuid' }) };
like($prepares->()->{said}, pattern(
	qr/WARNING:  index shop.quads is of kind spgist, which takes no column of type uuid: drop it /s,
	qr/meanwhile.*cannot be changed/s),
	'an index that the new column cannot have');
keeper('DROP INDEX quads');
is($prepares->()->{status}, 0, 'without it the key is changed');

# More partitions than a step can lock: known before anything has changed.
$node->append_conf('postgresql.conf', "max_locks_per_transaction = 10\nmax_connections = 12");
Recipes::disconnect();
$node->restart;
keeper(q(
	CREATE TABLE crates (id bigint PRIMARY KEY);
	CREATE TABLE boxes (crate_id bigint REFERENCES crates, n text, m text, k text) PARTITION BY HASH (n)));
keeper("CREATE TABLE boxes_$_ PARTITION OF boxes FOR VALUES WITH (MODULUS 200, REMAINDER $_)") foreach 0 .. 199;
like(play_step('shop.crates', 'prepare')->{said}, pattern(
	qr/WARNING:  a step locks \d+ relations, more than the server has room for: set /s,
	qr/max_locks_per_transaction to \d+.*Nothing has been changed/s),
	'too many partitions are refused');

# The schema of uidext is renamed between the steps: each of them says so.
keeper('CREATE TABLE trips (id bigint PRIMARY KEY, n int); INSERT INTO trips VALUES (1, 1)');
goes('shop.trips', qw(prepare fill));
my $schema = sql($shop->{database}, q(SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'uidext'));
sql($shop->{database}, "ALTER SCHEMA $schema RENAME TO elsewhere");
foreach my $step (qw(fill switch back))
{
	is_refused_by(sub { play_step('shop.trips', $_[0]) }, 'the schema of uidext is renamed', $step,
		qr/uidext was in schema $schema at do=prepare.*HINT:  .*: ALTER SCHEMA elsewhere RENAME TO $schema\n/s);
}
sql($shop->{database}, "ALTER SCHEMA elsewhere RENAME TO $schema");
goes('shop.trips', qw(switch drop));

done_testing();
