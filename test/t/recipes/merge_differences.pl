# merge_partitions.psql where small partitions differ: what protects rows of one alone is
# refused before anything has changed, and so is what would show rows of one to those
# who may read another; the rest is said before it goes.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server(plans => 1);
my $recipe = new_recipe(file => 'merge_partitions.psql');
my $shop = new_shop('differences', 'bigint', q(nextval('play.n')), identity => 1);
my %told = (table => 'shop.visits', start => '2026-01-01 00:00+00', step => '1 month');
my ($part, $last) = qw(shop.visits_2026_01_03 shop.visits_2026_01_31);

sql($shop->{database}, q(SET ROLE keeper;
	CREATE FUNCTION shop.seen() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
	CREATE TABLE shop.visits (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), page text, n int,
		twice int GENERATED ALWAYS AS (n * 2) STORED)
	PARTITION BY RANGE (id);
	CREATE TRIGGER seen BEFORE INSERT ON shop.visits FOR EACH ROW EXECUTE FUNCTION shop.seen();
	SELECT count(*) FROM uuid_partition_create('shop.visits', '2026-01-01 00:00+00', '2026-02-01 00:00+00', '1 day');
	INSERT INTO shop.visits
	SELECT gen_uuidv7_at(timestamptz '2026-01-01 00:00+00' + n * interval '1 hour'), n, n
	FROM generate_series(1, 700) n));

sub play_step { return step($recipe, $shop, $_[0], variables => \%told) }

# Rights that another role has passed on.
{
	my $grantors = pattern(
		qr/NOTICE:  from do=switch on, rights on table shop\.visits_2026_01_31 that role app has granted /,
		qr/are granted by the owner: role app cannot REVOKE them any more/);
	my $says = sub {
		my ($step) = @_;
		my $result = play_step($step);
		is($result->{status}, 0, "rights that were passed on: $step") or diag($result->{said});
		return $result->{said}
	};

	sql($shop->{database}, q(
		SET ROLE keeper;
		SELECT format('GRANT SELECT, UPDATE (n) ON %s TO app WITH GRANT OPTION', inhrelid::regclass)
		FROM pg_inherits
		WHERE inhparent = 'shop.visits'::regclass \gexec
		SET ROLE app;
		SELECT format('GRANT SELECT, UPDATE (n) ON %s TO reader', inhrelid::regclass)
		FROM pg_inherits
		WHERE inhparent = 'shop.visits'::regclass \gexec));
	like($says->('prepare'), $grantors, 'prepare says whose rights become those of the owner');
	$says->('fill');
	$says->('back');
	sql($shop->{database}, q(
		SET ROLE keeper;
		SELECT format('REVOKE ALL ON %s FROM app CASCADE', inhrelid::regclass)
		FROM pg_inherits
		WHERE inhparent = 'shop.visits'::regclass \gexec));
	unlike($says->('prepare'), qr/has granted/, 'and nothing where the owner has granted all');
	$says->('back');
}

# What a partition has, how it gets it and loses it again; {part} is the partition.
my @refused = (
	[ 'a unique index', 'CREATE UNIQUE INDEX alone ON {part} (page)', 'DROP INDEX shop.alone', 'index shop.alone' ],
	[ 'UNIQUE', 'ALTER TABLE {part} ADD CONSTRAINT alone UNIQUE (page)',
		'ALTER TABLE {part} DROP CONSTRAINT alone', 'UNIQUE \(page\)' ],
	[ 'EXCLUDE', 'ALTER TABLE {part} ADD CONSTRAINT alone EXCLUDE (page WITH =)',
		'ALTER TABLE {part} DROP CONSTRAINT alone', 'EXCLUDE' ],
	[ 'a CHECK', 'ALTER TABLE {part} ADD CONSTRAINT alone CHECK (n > 0)',
		'ALTER TABLE {part} DROP CONSTRAINT alone', 'CHECK \(\(n > 0\)\)' ],
	[ 'a CHECK of the key', 'ALTER TABLE {part} ADD CONSTRAINT alone CHECK (uuidv7_is_valid(id))',
		'ALTER TABLE {part} DROP CONSTRAINT alone', 'CHECK' ],
	[ 'NOT NULL', 'ALTER TABLE {part} ALTER page SET NOT NULL', 'ALTER TABLE {part} ALTER page DROP NOT NULL',
		'NOT NULL of column page' ],
	[ 'a trigger that is off', 'ALTER TABLE {part} DISABLE TRIGGER seen', 'ALTER TABLE {part} ENABLE TRIGGER seen',
		'trigger seen of partition \S+ is enabled otherwise than that of the table' ]);
my @told = (
	[ 'an index', 'CREATE INDEX alone ON {part} (page)', 'DROP INDEX shop.alone', 'index shop.alone' ],
	[ 'a default', 'ALTER TABLE {part} ALTER n SET DEFAULT 77', 'ALTER TABLE {part} ALTER n DROP DEFAULT',
		'default 77 of column n' ],
	[ 'a statistics target', 'ALTER TABLE {part} ALTER n SET STATISTICS 77', 'ALTER TABLE {part} ALTER n SET STATISTICS -1',
		'statistics target 77 of column n' ],
	[ 'n_distinct', 'ALTER TABLE {part} ALTER n SET (n_distinct = 7)',
		'ALTER TABLE {part} ALTER n RESET (n_distinct)', 'option n_distinct=7 of column n' ],
	[ 'a storage of a column', 'ALTER TABLE {part} ALTER page SET STORAGE EXTERNAL',
		'ALTER TABLE {part} ALTER page SET STORAGE EXTENDED',
		'storage e of column page' ],
	[ 'a comment of a column', q(COMMENT ON COLUMN {part}.n IS 'seen'), 'COMMENT ON COLUMN {part}.n IS NULL',
		'comment of column n: seen' ],
	[ 'a comment', q(COMMENT ON TABLE {part} IS 'special'), 'COMMENT ON TABLE {part} IS NULL', 'comment: special' ],
	[ 'a right', 'GRANT SELECT ON {part} TO reader', 'REVOKE SELECT ON {part} FROM reader', 'right SELECT of reader' ],
	[ 'a right on a column', 'GRANT UPDATE (n) ON {part} TO reader', 'REVOKE UPDATE (n) ON {part} FROM reader',
		'right UPDATE \(n\) of reader' ],
	[ 'a storage parameter', 'ALTER TABLE {part} SET (fillfactor = 50)',
		'ALTER TABLE {part} RESET (fillfactor)', 'option fillfactor=50' ],
	[ 'a storage parameter of TOAST', 'ALTER TABLE {part} SET (toast.autovacuum_enabled = off)',
		'ALTER TABLE {part} RESET (toast.autovacuum_enabled)', 'option toast.autovacuum_enabled=off' ],
	[ 'a replica identity', 'ALTER TABLE {part} REPLICA IDENTITY FULL',
		'ALTER TABLE {part} REPLICA IDENTITY DEFAULT', 'replica identity f' ],
	[ 'CLUSTER', 'ALTER TABLE {part} CLUSTER ON visits_2026_01_03_pkey', 'ALTER TABLE {part} SET WITHOUT CLUSTER',
		'storage parameters of index \S+, or CLUSTER' ],
	[ 'a comment of an index', q(COMMENT ON INDEX shop.visits_2026_01_03_pkey IS 'seen'),
		'COMMENT ON INDEX shop.visits_2026_01_03_pkey IS NULL',
		'comment of index \S+: seen' ],
	[ 'statistics', 'CREATE STATISTICS shop.alone ON page, n FROM {part}', 'DROP STATISTICS shop.alone', 'statistics alone' ],
	[ 'UNLOGGED', 'ALTER TABLE {part} SET UNLOGGED', 'ALTER TABLE {part} SET LOGGED', 'UNLOGGED' ],
	[ 'a policy without row security', 'CREATE POLICY alone ON {part} USING (n > 0)',
		'DROP POLICY alone ON {part}', 'policy alone for' ]);

# One of its kind is refused, or told, of the partition that is named.
sub differs
{
	my ($where, $what, $made, $unmade, $says, $is_refused) = @_;

	sql($shop->{database}, 'SET ROLE keeper; ' . $made =~ s/\{part\}/$where/gr);
	my $result = play_step('prepare');
	if ($is_refused)
	{
		isnt($result->{status}, 0, "$what of $where alone is refused");
		like($result->{said}, qr/WARNING: [^\n]*$says.*ERROR:  the rows cannot be moved like this/s, 'which says what');
	}
	else
	{
		is($result->{status}, 0, "$what of $where alone is not refused") or diag($result->{said});
		like($result->{said}, qr/NOTICE:  the new partition will not have this of partition $where: $says/, 'and said');
		is(play_step('back')->{status}, 0, 'undone');
	}
	is(sql($shop->{database}, q(SELECT count(*) FROM pg_class WHERE relname ~ '_merge')), 0, 'and nothing stays');
	sql($shop->{database}, 'SET ROLE keeper; ' . $unmade =~ s/\{part\}/$where/gr);
	return;
}

push @refused, [ 'another generation expression', 'ALTER TABLE {part} ALTER twice SET EXPRESSION AS (n * 3)',
	'ALTER TABLE {part} ALTER twice SET EXPRESSION AS (n * 2)',
	'generation expression \(n \* 3\) of column twice' ]
  if sql('postgres', q(SELECT current_setting('server_version_num')::int >= 170000)) eq 't';

differs($part, @$_, 1) foreach @refused;
differs($last, @$_, 1) foreach grep { $_->[0] =~ /^(?:a CHECK|NOT NULL)$/ } @refused;
differs($part, @$_, 0) foreach @told;
differs($last, 'a right', 'GRANT SELECT ON {part} TO reader', 'REVOKE SELECT ON {part} FROM reader',
	"rows of partition $part would get what the last one, $last, gives: right SELECT of reader", 1);

# What the last one alone has comes to the rows of all.
{
	my $gives = sub { return qr/NOTICE:  rows of partition \S+ and 29 others will get what the last one, $last, gives: $_[0]\n/ };

	sql($shop->{database}, "SET ROLE keeper; ALTER TABLE $last ALTER n SET DEFAULT 77, SET (autovacuum_enabled = off)");
	my $said = play_step('prepare')->{said};
	like($said, $gives->($_), 'which is told') foreach 'default 77 of column n', 'option autovacuum_enabled=off';
	is(play_step('back')->{status}, 0, 'undone');
	sql($shop->{database}, "SET ROLE keeper; ALTER TABLE $last ALTER n DROP DEFAULT, RESET (autovacuum_enabled), REPLICA IDENTITY NOTHING");
	like(play_step('prepare')->{said}, pattern(
		qr/WARNING:  partition \S+ has another replica identity than NOTHING, and published changes of its rows would fail: /,
		qr/first ALTER TABLE $last REPLICA IDENTITY DEFAULT\n.*ERROR:  the rows cannot be moved like this/s),
		'but not that their changes cannot be published');
	sql($shop->{database}, "SET ROLE keeper; ALTER TABLE $last REPLICA IDENTITY DEFAULT");
}

# What comes after prepare is found by the switch.
is(play_step($_)->{status}, 0, $_) foreach qw(prepare fill);
sql($shop->{database}, "SET ROLE keeper; ALTER TABLE $part ADD CONSTRAINT alone CHECK (n > 0)");
like(play_step('switch')->{said},
	qr/WARNING:  partition $part alone has this: [^\n]*CHECK.*ERROR:  the rows cannot/s,
	'a CHECK of after fill');
sql($shop->{database}, "SET ROLE keeper; ALTER TABLE $part DROP CONSTRAINT alone; CREATE INDEX late ON shop.visits (page)");
my $new = sql($shop->{database}, q(SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'shop.visits_merge'::regclass));
like(play_step('switch')->{said}, pattern(
	qr/WARNING:  index shop.late came after do=prepare: make the same one on table $new, or.*/s,
	qr/ERROR:  the rows cannot/s),
	'an index of after fill, which would be built under the lock');
sql($shop->{database}, "SET ROLE keeper; CREATE INDEX ON $new (page)");

# And what comes while it proves and compares, where it is asked again: before it compares, and under the last lock.
my $late = 0;
my $result = step($recipe, $shop, 'switch', variables => \%told, between => sub {
		return if $late || $_[0] !~ /attach_merged/;
		$late = 1;
		sql($shop->{database}, "SET ROLE keeper; CREATE TABLE shop.days (id uuid PRIMARY KEY); GRANT SELECT ON $last TO reader;
			ALTER TABLE $part ADD CONSTRAINT alone CHECK (n > 0),
				ADD CONSTRAINT day FOREIGN KEY (id) REFERENCES shop.days NOT VALID,
				ENABLE ROW LEVEL SECURITY;
			CREATE UNIQUE INDEX alone_too ON $part (page)");
		return;
	});
like($result->{said}, qr/WARNING:  $_.*ERROR:  the rows cannot be moved like this/s, 'what comes before the rows are compared')
foreach "partition $part alone has this: [^\n]*CHECK",
	"partition $part alone has this: [^\n]*index shop.alone_too", "partition $part has row security",
"foreign key day is of, or leads to, partition $part alone",
"rows of partition $part would get what the last one, $last, gives: right SELECT of reader";
sql($shop->{database}, "
	SET ROLE keeper;
	REVOKE SELECT ON $last FROM reader;
	ALTER TABLE $part DROP CONSTRAINT alone, DROP CONSTRAINT day, DISABLE ROW LEVEL SECURITY;
	DROP INDEX shop.alone_too; GRANT SELECT ON shop.visits TO app");
like(while_waiting($recipe, $shop, 'switch', qr/attach_merged/, 'SELECT FROM shop.visits',
	"GRANT SELECT ON $last TO reader; COMMIT", variables => \%told)->{said},
	pattern(
		qr/WARNING:  rows of partition $part would get what the last one, $last, gives: right SELECT of /s,
		qr/reader.*ERROR:  the rows cannot be moved like this/s),
	'a right of the last partition that comes while the switch waits for its lock');
sql($shop->{database}, "SET ROLE keeper; REVOKE SELECT ON $last FROM reader; COMMENT ON TABLE $part IS 'late'");
like(play_step('switch')->{said},
	qr/NOTICE:  the new partition will not have this of partition $part: comment: late\n.*switch is done/s,
	'a comment of after fill');
is(play_step('drop')->{status}, 0, 'drop');
is(sql($shop->{database}, q(SELECT count(*) FROM pg_index WHERE indrelid = 'shop.visits_2026_01'::regclass)), 2,
	'the partition has the index of the table once');
is(sql($shop->{database},
		q(SELECT count(*), (SELECT count(*) FROM uuid_partition_list('shop.visits')) FROM shop.visits)),
	'700|1',
	'all rows are in one partition');

# More than a switch can lock: each foreign key to the table has a constraint and two triggers for each partition.
sql($shop->{database}, q(
	SET ROLE keeper;
	CREATE TABLE shop.pages (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), page text) PARTITION BY RANGE (id);
	SELECT count(*) FROM uuid_partition_create('shop.pages', '2026-01-01 00:00+00', '2026-02-01 00:00+00', '1 day');
	CREATE TABLE shop.clicks (page_id uuid REFERENCES shop.pages)));
$node->append_conf('postgresql.conf', "max_locks_per_transaction = 10\nmax_connections = 8");
Recipes::disconnect();
$node->restart;
$told{table} = 'shop.pages';
like(play_step('prepare')->{said}, pattern(
	qr/WARNING:  a step locks \d+ relations, more than the server has room for: set /s,
	qr/max_locks_per_transaction to \d+.*ERROR:  the rows cannot/s),
	'more locks than the server has room for are refused');
sql($shop->{database}, 'SET ROLE keeper; DROP TABLE shop.clicks');
is(play_step('prepare')->{status}, 0, 'and without the foreign key there is room');

done_testing();
