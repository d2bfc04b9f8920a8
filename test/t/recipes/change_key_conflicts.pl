# change_key.psql, and ON CONFLICT of old code and of new, while both run.  A partitioned table can have one primary key,
# and no index beside it that becomes one: prepare says which ON CONFLICT will find no index, and what helps.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('conflicts', 'bigint', q(nextval('play.n')), identity => 1);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub goes
{
	my ($what, @steps) = @_;
	my $said = '';

	foreach my $step (@steps)
	{
		my $result = step($recipe, $shop, $step, variables => { table => 'shop.sales', $step eq 'prepare' ? (from => 'ksuid') : () });
		is($result->{status}, 0, "$what: $step") or diag($result->{said});
		$said .= $result->{said};
	}
	return $said;
}

# What an upsert says, of old code (id) or new code (uid), by the columns of the primary key or of the UNIQUE.
sub upsert
{
	my ($code, $columns) = @_;
	my (undef, undef, $error) = $node->psql($shop->{database}, "SET ROLE app; SET search_path = shop, public;
		INSERT INTO items (sale_$code, n, label)
		SELECT sale_$code, n, label
		FROM items
		LIMIT 1
		ON CONFLICT (sale_$code, $columns) DO UPDATE SET times = items.times + 1");
	return $error =~ /ERROR:  ([^\n]*)/ ? $1 : '';
}

my $none = 'there is no unique or exclusion constraint matching the ON CONFLICT specification';
my $says = pattern(
	qr/NOTICE:  between do=switch and do=drop, ON CONFLICT of (\w+) code finds no index for constraint /,
	qr/(\w+) of table shop.items, unless you create one before do=fill: /,
	qr/(CREATE UNIQUE INDEX ON shop.items \([^\n]*\))\n/);

# All upserts that fail, at a stage.
sub failing
{
	return join ', ', map {
		my $code = $_;
		map { upsert($code, $_) eq '' ? () : upsert($code, $_) eq $none ? "$code $_" : upsert($code, $_) } 'n',
			'label, n'
	} @_;
}

sub items
{
	my ($kind, $parts) = @_;

	keeper("DROP TABLE IF EXISTS items, sales CASCADE; CREATE TABLE sales (id text PRIMARY KEY);
		CREATE TABLE items (sale_id text REFERENCES sales, n int, label text, times int NOT NULL DEFAULT 1,
			PRIMARY KEY (sale_id, n), CONSTRAINT once UNIQUE (sale_id, label, n)) $kind;
		$parts
		INSERT INTO sales SELECT uid_generate('ksuid') FROM generate_series(1, 9);
		INSERT INTO items SELECT id, n, n FROM sales, generate_series(1, 4) n;
		GRANT SELECT, INSERT, UPDATE ON items TO app");
	return;
}

# One table: old code until drop, and new code since the switch.
items('', '');
unlike(goes('one table', qw(prepare fill switch)), $says, 'of one table nothing is said');
is(failing(qw(id uid)), '', 'as all upserts go on');

# Partitions, of two levels: without an index of their own, and with it.
my @partitioned = ('PARTITION BY HASH (n)', 'CREATE TABLE items_0 PARTITION OF items FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE items_1 PARTITION OF items FOR VALUES WITH (MODULUS 2, REMAINDER 1) PARTITION BY HASH (n);
	CREATE TABLE items_1_0 PARTITION OF items_1 FOR VALUES WITH (MODULUS 1, REMAINDER 0);');
items(@partitioned);
my $said = goes('partitions', 'prepare');
my %says;
$says{"$1 $2"} = $3 while $said =~ /$says/g;
is_deeply(\%says, { 'old items_pkey' => 'CREATE UNIQUE INDEX ON shop.items (sale_id, n)',
	'new once' => 'CREATE UNIQUE INDEX ON shop.items (sale_id, label, n)' },
	'of partitions prepare says which upserts will fail, and what helps');
goes('partitions', 'fill');
is(failing('id'), '', 'after fill all go on');
goes('partitions', 'switch');
is(failing(qw(id uid)), 'id n, uid label, n', 'and after the switch all but these');
goes('partitions', 'drop');
is(failing('uid'), '', 'after drop all go on again');

foreach my $order (sub { @_ }, sub { reverse @_ })
{
	items(@partitioned);
	keeper($_) foreach $order->(sort values %says);
	unlike(goes('with indexes', 'prepare'), $says, 'with indexes beside the constraints nothing is said');
	goes('with indexes', qw(fill switch));
	is(failing(qw(id uid)), '', 'and all upserts go on');
	goes('with indexes', 'back');
	is(failing('id'), '', 'after back, too');
	goes('with indexes', qw(fill switch));
	is(failing(qw(id uid)), '', 'and after another switch');
	goes('with indexes', 'drop');
	is(failing('uid'), '', 'and after drop');
	is(keeper(q(SELECT string_agg(indisvalid::text, ' ') FROM pg_index WHERE indrelid = 'items'::regclass)),
		'true true true true', 'whose indexes are all valid');
}

# UNIQUE NULLS NOT DISTINCT, which is to make way for its successor before the switch: ON CONFLICT of
# old code needs another index.
{
	my $upsert = sub {
		my (undef, undef, $error) = $node->psql($shop->{database}, "SET ROLE app; SET search_path = shop, public;
			INSERT INTO items (sale_$_[0], n, label)
			SELECT sale_$_[0], n, label
			FROM items
			LIMIT 1
			ON CONFLICT (sale_$_[0], n) DO UPDATE SET times = items.times + 1");
		return $error;
	};

	keeper(q(DROP TABLE IF EXISTS items, sales CASCADE; CREATE TABLE sales (id text PRIMARY KEY);
		CREATE TABLE items (sale_id text REFERENCES sales, n int, label text, times int NOT NULL DEFAULT 1,
			CONSTRAINT once UNIQUE NULLS NOT DISTINCT (sale_id, n));
		INSERT INTO sales SELECT uid_generate('ksuid') FROM generate_series(1, 9);
		INSERT INTO items SELECT id, n, n FROM sales, generate_series(1, 4) n;
		GRANT SELECT, INSERT, UPDATE ON items TO app));
	my ($command) = goes('nulls not distinct', 'prepare')
		=~ pattern(
			qr/ON CONFLICT of old code finds no index for constraint once of table shop\.items, unless you /,
			qr/create one before do=fill: (CREATE [^\n]*)\n/);
	keeper($command // 'SELECT 1/0');
	goes('nulls not distinct', 'fill');
	my ($way) = step($recipe, $shop, 'switch',
		variables => { table => 'shop.sales' })->{said}
		=~ /WARNING:  [^\n]*: (ALTER TABLE shop\.items DROP CONSTRAINT once[^\n]*)\n/;
	keeper($way // 'SELECT 1/0');
	is($upsert->('id'), '', 'with another index upserts of old code go on without the old constraint');
	goes('nulls not distinct', 'switch');
	is($upsert->($_), '', "and after the switch, those of $_") foreach qw(id uid);
	goes('nulls not distinct', 'drop');
	is($upsert->('uid'), '', 'and after drop');
}

done_testing();
