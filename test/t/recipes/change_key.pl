# change_key.psql against every adversity: rows before are rows after and each
# reference finds its row, or nothing has changed.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();

# The kinds of keys: their type, how one is made, and what the recipe is told.
my %kind = (
	number => [ 'bigint', q(nextval('play.n')), { from => 'number', created => 'created_at' } ],
	snowflake => [ 'bigint', q(uid_boundary(clock_timestamp(), 'snowflake') + nextval('play.n') % 4194304),
		{ from => 'snowflake' } ],
	ksuid => [ 'text', q(uid_generate('ksuid')), { from => 'ksuid' } ],
	objectid => [ 'char(24)', q(uid_generate('objectid')::char(24)), { from => 'objectid' } ],
	ulid => [ 'text', 'gen_ulid()::text', { from => 'ulid', to => 'ulid' } ],
	uuid => [ 'varchar(36)', 'upper(gen_random_uuid()::text)::varchar(36)', { from => 'uuid' } ],
	bytes => [ 'bytea', 'uuid_send(gen_random_uuid())', { from => 'uuid' } ],
	mysql => [ 'bytea', 'uuid_to_bin(gen_uuidv7(), true)', { from => 'mysql' } ],
	v1 => [ 'uuid', 'gen_uuidv1()', { from => 'v1' } ],
	sqlserver => [ 'uuid', 'uuid_to_sqlserver(gen_uuidv1())', { from => 'sqlserver' } ],
	suffix_comb => [ 'uuid', 'gen_suffix_comb()', { from => 'suffix_comb' } ],
	abpguid => [ 'uuid', q{overlay(gen_random_uuid()::text PLACING '3a1' FROM 1)::uuid}, { from => 'abpguid' } ],
	laravel => [ 'uuid', q{overlay(gen_random_uuid()::text PLACING '9ed9' FROM 1)::uuid}, { from => 'laravel' } ],
	v4 => [ 'uuid', 'gen_random_uuid()', { from => 'v4', created => 'created_at' } ],
	efguid => [ 'uuid', q{overlay(gen_random_uuid()::text PLACING '0' FROM 20)::uuid}, { from => 'v4', created => 'created_at' } ],
	v7 => [ 'uuid', 'gen_uuidv7()', { from => 'v7', to => 'iuid', country => 76, service_entity => 1 } ]);
my %make = (uuid => 'gen_uuidv7()', ulid => 'gen_ulid()', iuid => 'gen_iuid(76, 1)');
my @steps = qw(prepare fill switch drop);
my $recipe = new_recipe(
	file => 'change_key.psql',
	steps => \@steps,
	new_after => qr/fill|switch/,
	variables => sub { (table => 'shop.orders', $_[1] eq 'drop' ? (rename => 'on') : (), %{ $_[0]{told} }) });

sub shop
{
	my ($kind, %how) = @_;
	my ($type, $make, $told) = @{ $kind{$kind} };

	return new_shop($kind, $type, $make, identity => $kind eq 'number', make => $make{ $told->{to} // 'uuid' }, told => $told, %how);
}

#
# A second session inserts, updates keys and references, deletes and commits
# between any two statements; every kind of key.
#
foreach my $kind (sort keys %kind)
{
	my $shop = shop($kind);
	my @beside = $ENV{UIDEXT_LONG} || $kind =~ /number|ksuid/ ? (between => goes_on($shop)) : ();

	my $what = $kind . (@beside ? ' beside another session' : '');

	succeeds($recipe, $shop, $_, $what, @beside) foreach qw(prepare fill);
	# what depends on the old key alone finds its row by it
	if ($kind =~ /^(?:snowflake|ksuid|objectid|ulid)$/)
	{
		my ($given, $expected) = $kind eq 'ulid' ? ('ulid_to_uuid(uid)', 'ulid_to_uuid(id)') : ('uid', "uid_to_uuid(id, '$kind')");

		is(sql($shop->{database}, "SELECT count(*) FROM shop.orders WHERE $given IS DISTINCT FROM $expected"),
			'0', "$what: each old id finds its row");
	}
	finishes($recipe, $shop, $what, [qw(switch drop)], @beside);
}

# Of a column that had v4 and has v7 since, ids that carry their time stay.
{
	my $shop = shop('v4');

	sql($shop->{database}, q(INSERT INTO shop.orders (id, label) SELECT gen_uuidv7(), 'new ' || n FROM generate_series(1, 5) AS n;
		INSERT INTO play.orders SELECT 'new ' || n, 1 FROM generate_series(1, 5) AS n));
	succeeds($recipe, $shop, $_, 'v7 after v4') foreach qw(prepare fill);
	is( sql($shop->{database}, q(SELECT DISTINCT label LIKE 'new %', uid = id, uuidv7_is_valid(uid) FROM shop.orders ORDER BY 1)),
		"f|f|t\nt|t|t", 'a v7 among v4 stays');
	finishes($recipe, $shop, 'v7 after v4', [qw(switch drop)]);
}

#
# And back, twice, at each stage.
#
{
	my $shop = shop('number');

	finishes($recipe, $shop, 'forth and back',
		[qw(prepare back prepare fill back prepare prepare fill fill switch switch back back)]);
	my $go = goes_on($shop);
	succeeds($recipe, $shop, $_, 'forth'), $go->() foreach qw(prepare fill switch);
	finishes($recipe, $shop, 'and back beside new code', [qw(back back)]);
	finishes($recipe, $shop, 'and forth', \@steps);
}

#
# Lines in partitions, of two levels, some with their columns in another order.
#
foreach my $kind (qw(number v7))
{
	my $shop = shop($kind, partitioned => 1);

	finishes($recipe, $shop, "$kind in partitions", [qw(prepare fill switch back back)]);
	succeeds($recipe, $shop, $_, "$kind in partitions beside another session", between => goes_on($shop))
		foreach qw(prepare fill switch);
	is(sql($shop->{database}, q(
		SELECT DISTINCT attnotnull
		FROM pg_partition_tree('shop.lines')
		JOIN pg_attribute ON attrelid = relid
		WHERE attname = 'order_id')),
		$kind eq 'v7' ? 'f' : 't', 'a row of new code needs no old key');
	finishes($recipe, $shop, "$kind in partitions beside another session", ['drop'], between => goes_on($shop));
}

stopped_everywhere($recipe, $_) foreach shop('number'), shop('number', partitioned => 1);
{
	my $shop = shop('number');

	succeeds($recipe, $shop, $_, 'before back') foreach qw(prepare fill switch);
	stopped_everywhere({ %$recipe, steps => [qw(back back)] }, $shop);
}

#
# Partitions that are made between the steps.
#
{
	my $shop = shop('number', partitioned => 1);
	my $made = sub {
		my ($name, $first) = @_;
		my $columns = "FOR VALUES FROM ($first) TO ($first + 1000000)";

		sql($shop->{database}, "SET ROLE keeper; CREATE TABLE shop.$name PARTITION OF shop.lines_3 $columns; RESET ROLE;
			INSERT INTO shop.lines (order_id, n, label) SELECT min(id), $first + n, '$name' || n
			FROM shop.orders, generate_series(0, 9) AS n GROUP BY n;
			INSERT INTO play.lines
			SELECT '$name' || n, (SELECT label FROM shop.orders ORDER BY id LIMIT 1)
			FROM generate_series(0, 9) AS n");
	};

	succeeds($recipe, $shop, 'prepare', 'before partitions');
	$made->('prepared', 2000000);
	succeeds($recipe, $shop, 'fill', 'with a partition of after prepare');
	$made->('filled', 3000000);
	refused($recipe, $shop, 'switch', 'nothing has been changed, because there is no index', 'with a partition of after fill');
	succeeds($recipe, $shop, $_, 'with a partition of after fill') foreach qw(fill switch);
	$made->('switched', 4000000);
	succeeds($recipe, $shop, $_, 'with a partition of after switch') foreach qw(back fill switch);
	$made->('again', 5000000);
	refused($recipe, $shop, 'drop', 'nothing has been changed, because there is no index', 'with a partition of after switch');
	succeeds($recipe, $shop, $_, 'with a partition of after switch') foreach qw(fill drop);
	sql($shop->{database}, "DROP TABLE shop.$_") foreach qw(prepared filled switched again);
	sql($shop->{database}, "DELETE FROM $_.lines WHERE label !~ '^made'") foreach qw(shop play);
	finishes($recipe, $shop, 'without them', []);
}

#
# Stopped while it waits: for a table that another transaction has written to,
# for a row that it has locked.
#
foreach my $kind (qw(number v7))
{
	my $shop = shop($kind);
	my $writes = q(
		UPDATE shop.lines SET label = label WHERE label = (SELECT min(label) FROM shop.lines);
		UPDATE shop.orders SET total = total);
	my $locks = 'SELECT label FROM shop.orders ORDER BY label FOR UPDATE LIMIT 1';

	stopped_while_waiting($recipe, $shop, 'prepare', qr/CALL pg_temp.prepare/, $writes);
	stopped_while_waiting($recipe, $shop, 'fill', qr/CALL pg_temp.fill_all/, $locks);
	stopped_while_waiting($recipe, $shop, $_, qr/CALL pg_temp.$_/, $writes) foreach qw(switch back);
	succeeds($recipe, $shop, 'fill', 'back after waiting');
	stopped_while_waiting($recipe, $shop, $_, qr/CALL pg_temp.$_/, $writes) foreach qw(switch drop);
	finishes($recipe, $shop, "$kind, after waiting", []);
}

#
# However slow a row is, no transaction of fill has it in hand for long.
#
{
	my $shop = shop('number');

	sql($shop->{database}, q(
		CREATE FUNCTION shop.slow()
		RETURNS trigger
		LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END $$;
		CREATE TRIGGER slow BEFORE UPDATE ON shop.orders FOR EACH ROW EXECUTE FUNCTION shop.slow()));
	succeeds($recipe, $shop, $_, 'slow rows') foreach qw(prepare fill);
	cmp_ok(sql($shop->{database},
			'SELECT max(n) FROM (SELECT count(*) AS n FROM shop.orders GROUP BY xmin::text) AS transactions'),
		'<=', 10,
		'a transaction fills what a tenth of a second allows');
}

#
# Roles whose transactions keep their snapshots.
#
foreach my $level ('repeatable read', 'serializable')
{
	my $shop = shop('snowflake');

	sql('postgres', "ALTER ROLE $_ SET default_transaction_isolation = '$level'") foreach qw(keeper app);
	finishes($recipe, $shop, "$level, and back", [qw(prepare fill switch back back)], psqlrc => '/dev/null');
	finishes($recipe, $shop, $level, \@steps, between => goes_on($shop), psqlrc => '/dev/null');
	sql('postgres', "ALTER ROLE $_ RESET default_transaction_isolation") foreach qw(keeper app);
}

# A role whose tables are made elsewhere.
{
	my $shop = shop('number');
	my $directory = $node->basedir . '/elsewhere';

	mkdir $directory;
	sql('postgres', "CREATE TABLESPACE elsewhere LOCATION '$directory'");
	sql('postgres', 'GRANT CREATE ON TABLESPACE elsewhere TO keeper; ALTER ROLE keeper SET default_tablespace = elsewhere');
	finishes($recipe, $shop, 'with a tablespace of the role', \@steps);
	is(sql($shop->{database},
			q(SELECT count(*) FROM pg_class WHERE relnamespace = 'shop'::regnamespace AND reltablespace <> 0)),
		'0', 'indexes are where they were');
	sql('postgres', 'ALTER ROLE keeper RESET default_tablespace');
}

under_row_security({ %$recipe, steps => [qw(prepare fill switch back back), @steps] }, shop('number'), qw(orders lines));
under_row_security($recipe, shop('number', partitioned => 1), qw(lines lines_2));

#
# Steps in another order, or after one that failed.
#
{
	my $shop = shop('number');

	refused($recipe, $shop, $_, 'not being changed', 'first of all') foreach qw(fill switch drop back);
	refused($recipe, $shop, 'pour', 'there is no step "pour".*HINT:  Pass -v do=prepare or fill or switch', 'no step');
	succeeds($recipe, $shop, 'prepare', 'in order');
	refused($recipe, $shop, $_, 'nothing has been changed|that leads to another row', 'without fill') foreach qw(switch drop);
	my $result = step($recipe, $shop, 'fill', between => sub { $_[0] =~ /demand_new_keys/ ? 'x' : undef });
	isnt($result->{status}, 0, 'a fill that fails');
	refused($recipe, $shop, $_, 'nothing has been changed', 'after it') foreach qw(switch drop);
	succeeds($recipe, $shop, 'fill', 'in order');
	refused($recipe, $shop, 'drop', 'nothing has been changed', 'without switch');
	sql($shop->{database}, 'ALTER TABLE shop.lines DISABLE TRIGGER zz_change_key_other_id');
	refused($recipe, $shop, $_, 'nothing has been changed, because there is no trigger',
		'with a trigger switched off')
		foreach qw(switch drop);
	sql($shop->{database}, q(
		UPDATE shop.lines SET other_id = (SELECT max(id) FROM shop.orders) WHERE label = (SELECT max(label) FROM shop.lines);
		UPDATE play.lines
		SET other = (SELECT label FROM shop.orders ORDER BY id DESC LIMIT 1)
		WHERE label = (SELECT max(label) FROM play.lines);
		ALTER TABLE shop.lines ENABLE ALWAYS TRIGGER zz_change_key_other_id));
	refused($recipe, $shop, $_, 'leads to another row|nothing has been changed, because the new key',
		'and a reference changed meanwhile')
		foreach qw(switch drop);
	sql($shop->{database}, q(UPDATE shop.lines SET other_uid = uid FROM shop.orders WHERE id = other_id AND other_uid <> uid));
	finishes($recipe, $shop, 'mended', [qw(fill switch drop)]);
}

#
# NULLs, duplicates, what is no key.
#
{
	my $shop = shop('v4');

	sql($shop->{database}, q(ALTER TABLE shop.orders ALTER COLUMN created_at DROP NOT NULL;
		UPDATE shop.orders SET created_at = NULL WHERE label = (SELECT min(label) FROM shop.orders)));
	refused($recipe, $shop, 'prepare', 'table shop.orders has 1 keys without a new key', 'a row without a time');
	sql($shop->{database}, q(UPDATE shop.orders SET created_at = now() WHERE created_at IS NULL;
		ALTER TABLE shop.orders ALTER COLUMN created_at SET NOT NULL));
	finishes($recipe, $shop, 'which has got one', \@steps);

	$shop = shop('uuid');
	sql($shop->{database}, q(
		INSERT INTO shop.orders (id, label)
		SELECT lower(id), 'twice'
		FROM shop.orders
		WHERE id <> lower(id)
		ORDER BY label
		LIMIT 1;
		INSERT INTO play.orders VALUES ('twice', 1)));
	refused($recipe, $shop, 'prepare', 'and 1 with the same new key as another', 'a key in two spellings');
	sql($shop->{database}, q(UPDATE shop.orders SET id = 'none' WHERE label = 'twice'));
	refused($recipe, $shop, 'prepare', '1 keys of table shop.orders are not of the kind "uuid"', 'what is no uuid');
	{
		local $shop->{told} = { from => 'uuid', to => 'iuid', country => 76 };

		refused($recipe, $shop, 'prepare', 'an iuid needs a country and a service entity', 'no service entity');
	}
	sql($shop->{database}, q(UPDATE shop.orders SET id = gen_random_uuid() WHERE label = 'twice'));
	finishes($recipe, $shop, 'which has become one', \@steps);
}

#
# A table that is itself partitioned, by another column than its key.
#
{
	my $shop = shop('number');
	my $database = $shop->{database};
	my $told = { table => 'shop.visits', from => 'number', created => 'at' };
	my $go = sub {
		my $n = ++$shop->{n};
		sql($database, qq(
			INSERT INTO shop.visits (at, label) VALUES (date '2026-01-01' + $n % 59, 'new $n');
			INSERT INTO play.visits VALUES ('new $n')));
		sql($database, qq(
			UPDATE shop.visits
			SET at = '2026-02-28'
			WHERE label = (SELECT min(label) FROM shop.visits WHERE at < '2026-02-01')));
		sql($database, q(WITH gone AS (DELETE FROM shop.visits WHERE label = (SELECT max(label) FROM shop.visits) RETURNING label)
			DELETE FROM play.visits v USING gone WHERE v.label = gone.label));
		return;
	};
	my @same = (q(SELECT string_agg(label, ' ' ORDER BY label) FROM shop.visits),
		q(SELECT string_agg(label, ' ' ORDER BY label) FROM play.visits));

	sql($database, q(SET ROLE keeper;
		CREATE SEQUENCE shop.visits_n;
		CREATE TABLE shop.visits (
			id bigint NOT NULL DEFAULT nextval('shop.visits_n'), at date, label text, PRIMARY KEY (id, at))
		PARTITION BY RANGE (at);
		CREATE TABLE shop.visits_1 PARTITION OF shop.visits FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
		CREATE TABLE shop.visits_2 PARTITION OF shop.visits FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
		INSERT INTO shop.visits (at, label) SELECT date '2026-01-01' + n, n FROM generate_series(0, 58) AS n;
		RESET ROLE;
		CREATE TABLE play.visits AS SELECT label FROM shop.visits));
	foreach my $step (qw(prepare fill switch back fill switch drop))
	{
		my $result = step($recipe, $shop, $step, variables => { %$told, $step eq 'drop' ? (rename => 'on') : () }, between => $go);
		is($result->{status}, 0, "a partitioned table: $step") or diag($result->{said});
		is(sql($database, $same[0]), sql($database, $same[1]), 'no row lost');
	}
	is(sql($database, q(
			SELECT count(*) - count(DISTINCT id) + count(*) FILTER (WHERE NOT uuidv7_is_valid(id))
			FROM shop.visits)), '0', 'each has a key');
	is(sql($database, q(
		SELECT string_agg(pg_get_constraintdef(oid), ';' ORDER BY conrelid)
		FROM pg_constraint
		WHERE contype = 'p' AND conrelid IN (SELECT relid FROM pg_partition_tree('shop.visits')))),
		join(';', ('PRIMARY KEY (id, at)') x 3), 'which is the primary key of all');
}

#
# What columns and indexes have beside their definitions.
#
{
	my $column = q(SELECT attrelid::regclass, attname, o FROM pg_attribute JOIN pg_class c ON c.oid = attrelid,
			unnest(attoptions || format('statistics=%s', attstattarget)) AS o
		WHERE relnamespace = 'shop'::regnamespace
			AND NOT attisdropped
			AND (o ~ '^n_distinct' OR relkind = 'i' AND o ~ '=[1-9]')
		ORDER BY 1, 2, 3);
	my $shop = shop('number', seen => sub { $_[1] . sql($_[0]{database}, $column) }, more => q(
		ALTER TABLE shop.lines ALTER COLUMN order_id SET (n_distinct = -0.5);
		CREATE INDEX words ON shop.lines USING gist (to_tsvector('simple', label) tsvector_ops (siglen = 32)) INCLUDE (order_id);
		ALTER INDEX shop.words ALTER COLUMN 1 SET STATISTICS 77;
		GRANT SELECT (order_id) ON shop.lines TO reader));

	sql($shop->{database}, 'REVOKE SELECT (order_id) ON shop.lines FROM reader');
	succeeds($recipe, $shop, $_, 'options of columns') foreach qw(prepare fill switch);
	sql($shop->{database}, 'GRANT SELECT (order_id) ON shop.lines TO reader');
	finishes($recipe, $shop, 'options of columns, and a late right', ['drop']);

	my $marks = q(
		ALTER TABLE shop.lines REPLICA IDENTITY USING INDEX lines_once;
		ALTER TABLE shop.lines CLUSTER ON lines_once;
		ALTER TABLE shop.orders CLUSTER ON orders_made);

	finishes($recipe, shop('number', more => $marks), 'marked indexes', [qw(prepare fill switch back fill switch drop)]);
	refused($recipe, shop('ksuid', more => $marks), 'prepare', 'the key cannot be changed like this',
		'a replica identity that rows will lack');
}

#
# Partitions and constraints that stand in the way.
#
{
	my $shop = shop('number');
	my $overlaps = $node->pg_version < 18 ? '' : 'WITHOUT OVERLAPS';

	sql($shop->{database}, qq(SET ROLE keeper;
		CREATE TABLE shop.of_key (id bigint PRIMARY KEY) PARTITION BY HASH (id);
		CREATE TABLE shop.two (id bigint, at date, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
		CREATE TABLE shop.of_two (two_id bigint, two_at date, FOREIGN KEY (two_id, two_at) REFERENCES shop.two);
		CREATE TABLE shop.notes (order_id bigint REFERENCES shop.orders) PARTITION BY HASH (order_id);
		CREATE TABLE shop.places (order_id bigint REFERENCES shop.orders, place int,
			CONSTRAINT one_place UNIQUE (order_id, place) DEFERRABLE);
		CREATE TABLE shop.twice (order_id bigint REFERENCES shop.orders CONSTRAINT second REFERENCES shop.orders);
		CREATE TABLE shop.stays (order_id bigint REFERENCES shop.orders, room int4range, at daterange,
			CONSTRAINT one_stay UNIQUE (room, at $overlaps) INCLUDE (order_id))));
	foreach my $refusal (
		[ 'shop.of_key', 'table shop.of_key is partitioned by its key.*move_table.psql' ],
		[ 'shop.two', 'foreign key of_two_two_id_two_at_fkey of table shop.of_two takes more than the key.*'
			. 'cannot be changed' ],
		[ 'shop.orders', 'table shop.notes is partitioned by order_id.*move_table.psql.*cannot be changed' ],
		[ 'shop.orders', 'foreign key second of table shop.twice is not the only one of column order_id.*'
			. 'cannot be changed' ],
		[ 'shop.orders',
			'constraint one_place of table shop.places is deferrable: first ALTER TABLE shop.places DROP '
			. 'CONSTRAINT one_place, ADD CONSTRAINT one_place UNIQUE.*cannot be changed' ],
		$overlaps ? [ 'shop.orders',
			'constraint one_stay of table shop.stays is WITHOUT OVERLAPS: drop it meanwhile.*'
				. 'cannot be changed' ]
			: ())
	{
		my ($table, $why) = @$refusal;
		my $result = step($recipe, $shop, 'prepare', variables => { table => $table, from => 'number' });

		isnt($result->{status}, 0, "$table is refused");
		like($result->{said}, qr/$why/s, 'with the way');
	}
}

#
# Orphans.
#
{
	my $shop = shop('number');

	sql($shop->{database}, q(ALTER TABLE shop.lines DROP CONSTRAINT "Other";
		UPDATE shop.lines SET other_id = -1 WHERE label = (SELECT min(label) FROM shop.lines);
		UPDATE play.lines SET other = NULL WHERE label = (SELECT min(label) FROM play.lines);
		ALTER TABLE shop.lines ADD CONSTRAINT "Other"
			FOREIGN KEY (other_id) REFERENCES shop.orders ON UPDATE CASCADE ON DELETE SET NULL NOT VALID;
		COMMENT ON CONSTRAINT "Other" ON shop.lines IS 'foreign'));
	my $result = step($recipe, $shop, 'prepare');
	is($result->{status}, 0, 'a reference that leads nowhere: prepare');
	my ($query)
		= $result->{said}
			=~ pattern(
				qr/NOTICE:  do=fill stops at 1 rows of table shop\.lines, whose other_id leads to no row /,
				qr/of table shop\.orders: mend or delete them before: (SELECT [^\n]*)\n/);
	is(sql($shop->{database}, "SELECT count(*) FROM ($query) AS t"), 1, 'prepare tells it, with a query that finds it');
	$result = step($recipe, $shop, 'fill');
	like($result->{said}, qr/ERROR:  1 rows of table shop.lines have a value of other_id that leads to no new key/, 'fill finds it');
	refused($recipe, $shop, $_, 'nothing has been changed|leads to another row', 'with an orphan') foreach qw(switch drop);
	succeeds({ %$recipe, new_after => undef }, $shop, $_, 'with an orphan') foreach qw(back prepare);
	sql($shop->{database}, 'UPDATE shop.lines SET other_id = NULL WHERE other_id = -1');
	finishes($recipe, $shop, 'taken away', [qw(fill switch drop)]);
}

# Of keys that depend on the old one alone an orphan has its new key, too.
{
	my $shop = shop('uuid');
	my $orphan = '0b0e7c8e-0000-4000-8000-000000000001';

	sql($shop->{database}, qq(SET ROLE keeper; CREATE TABLE shop.strays AS SELECT varchar(36) '$orphan' AS order_id;
		ALTER TABLE shop.strays ADD FOREIGN KEY (order_id) REFERENCES shop.orders NOT VALID));
	succeeds($recipe, $shop, 'prepare', 'a uuid that leads nowhere');
	my $result = step($recipe, $shop, 'fill');
	like($result->{said}, qr/ERROR:  1 rows of table shop.strays have a order_uid that leads to another row than their order_id/, 'fill finds it');
	succeeds({ %$recipe, new_after => undef }, $shop, 'back', 'a uuid that leads nowhere');
	is(sql($shop->{database}, 'SELECT order_id FROM shop.strays'), $orphan, 'which is kept');
}

#
# Old defects, put back into a copy of the script, are seen.
#
# A trigger that another session switches off while the switch waits for it.
sub switched_off
{
	my ($recipe, $shop) = @_;
	my $hold = 'SET LOCAL ROLE NONE; ALTER TABLE shop.lines DISABLE TRIGGER zz_change_key_order_id; SET LOCAL ROLE app';
	my $result = while_waiting($recipe, $shop, 'switch', qr/CALL pg_temp.switch/, $hold, 'COMMIT');

	isnt($result->{status}, 0, 'a trigger switched off meanwhile');
	like($result->{said}, qr/there is no trigger/, 'which says so');
	return;
}

{
	my $shop = shop('number');
	my $defective = with_defect($recipe, 'goes_on', '\\\\set ON_ERROR_STOP on' => 7,
		'pg_temp.demand_all\(true\), ' => 1, 'SELECT pg_temp.demand_nothing_missing\(true\) AS is_filled .gset' => 1);

	step($defective, $shop, 'prepare');
	step($defective, $shop, 'fill', between => sub { $_[0] =~ /fill_all\(false\)/ ? 'x' : undef });
	sees('a drop after a failed fill',
		sub { refused($defective, $shop, 'drop', 'nothing has been changed', 'after a fill that failed') });

	$shop = shop('number');
	$defective = with_defect($recipe, 'hides', 'SET row_security = off;' => 1);
	sees('row security that hides rows', sub { under_row_security($defective, $shop, 'orders') });

	$defective = with_defect($recipe, 'keeps', q(SET default_transaction_isolation = 'read committed';) => 1);
	sql('postgres', q(ALTER ROLE keeper SET default_transaction_isolation = 'repeatable read'));
	foreach my $case ($recipe, $defective)
	{
		$shop = shop('number');
		step($case, $shop, $_) foreach qw(prepare fill);
		switched_off($case, $shop) if $case == $recipe;
		sees('a snapshot that is kept', sub { switched_off($case, $shop) }) if $case == $defective;
	}
	sql('postgres', 'ALTER ROLE keeper RESET default_transaction_isolation');
}

#
# A role that may only write: one table, the other through a view; it sees no row
# of that, nor may it call uidext's functions.
#
{
	my $shop = shop('number', more => q(CREATE ROLE clerk; GRANT USAGE ON SCHEMA shop TO clerk; GRANT INSERT ON shop.lines TO clerk;
		REVOKE USAGE ON SCHEMA public FROM PUBLIC; GRANT USAGE ON SCHEMA public TO keeper;
		SET ROLE keeper; CREATE VIEW shop.entry AS SELECT label FROM shop.orders; GRANT INSERT ON shop.entry TO clerk;
		ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO clerk));
	my $n = 0;
	my $writes = sub {
		my ($column, $key) = @_;
		my ($label, $of) = split /\|/, sql($shop->{database},
			"SELECT label, $key FROM shop.orders WHERE $key IS NOT NULL ORDER BY label LIMIT 1");

		$n++;
		sql($shop->{database}, "
			SET ROLE clerk;
			INSERT INTO shop.entry VALUES ('entry $n');
			INSERT INTO shop.lines ($column, n, label) VALUES ('$of', -$n, 'entry $n');
			RESET ROLE; INSERT INTO play.orders VALUES ('entry $n', 1); INSERT INTO play.lines VALUES ('entry $n', '$label')");
	};

	succeeds($recipe, $shop, 'prepare', 'beside a clerk');
	$writes->('order_id', 'id');
	is(sql($shop->{database}, q(
		SELECT count(*)
		FROM pg_proc
		WHERE proname ~ '^change_key' AND has_function_privilege('clerk', oid, 'EXECUTE'))),
		'0', 'no one else has the triggers');
	succeeds($recipe, $shop, 'fill', 'beside a clerk');
	$writes->('order_id', 'id');
	succeeds($recipe, $shop, 'switch', 'beside a clerk');
	$writes->('order_uid', 'uid');
	is(sql($shop->{database}, q(SELECT count(*) FROM shop.lines WHERE order_id IS NULL)), '0',
		'of a hidden row the old key is found');
	finishes($recipe, $shop, 'beside a clerk', ['drop']);
	$writes->('order_id', 'id');
	is(differences($shop, 'old'), '', 'and after it');
}

#
# What an old column would take with it.
#
{
	my $shop = shop('number');

	sql($shop->{database}, 'CREATE VIEW shop.ids AS SELECT id FROM shop.orders;
		ALTER TABLE shop.orders ADD CHECK (id > 0)');
	succeeds($recipe, $shop, $_, 'a view and a CHECK of the key') foreach qw(prepare fill switch);
	refused($recipe, $shop, 'drop', 'the old column would take with it', 'a view and a CHECK of the key');
	sql($shop->{database}, 'DROP VIEW shop.ids; ALTER TABLE shop.orders DROP CONSTRAINT orders_id_check');
	finishes($recipe, $shop, 'dropped by hand', ['drop']);
}

#
# A subscriber, in the order that the page says.
#
{
	my $tables = q(
		GRANT CREATE ON SCHEMA public TO keeper;
		SET ROLE keeper;
		CREATE TABLE o (id text PRIMARY KEY, n int);
		CREATE TABLE l (o_id text NOT NULL REFERENCES o, n int, PRIMARY KEY (o_id, n)));
	my %shop = map { ($_ => { database => "${_}_of_keys" }) } qw(publisher subscriber);
	my $goes = sub {
		is(step($recipe, $shop{publisher}, $_, variables => { table => 'public.o', from => 'ksuid' })->{status},
			0, "publisher: $_")
			foreach @_;
	};
	my $same = sub {
		my ($key, $what) = @_;
		my $rows = "SELECT o.$key, l.n, o.n FROM o LEFT JOIN l ON l.o_$key = o.$key ORDER BY 1, 2, 3";

		sql($shop{publisher}{database}, 'UPDATE o SET n = n + 1; UPDATE l SET n = n + 1; DELETE FROM l WHERE n > 4');
		$node->wait_for_catchup('follows');
		is(sql($shop{subscriber}{database}, $rows), sql($shop{publisher}{database}, $rows), "the same rows $what");
	};

	foreach my $database (map { $shop{$_}{database} } qw(publisher subscriber))
	{
		sql('postgres', "CREATE DATABASE $database");
		sql($database, $tables);
	}
	my ($publisher, $subscriber) = map { $shop{$_}{database} } qw(publisher subscriber);
	sql($publisher, q(CREATE PUBLICATION follows FOR TABLE o, l));
	sql($publisher, q(SELECT pg_create_logical_replication_slot('follows', 'pgoutput')));
	sql($subscriber, 'CREATE SUBSCRIPTION follows CONNECTION $$' . $node->connstr($publisher)
		. '$$ PUBLICATION follows WITH (create_slot = false, copy_data = false)');
	sql($publisher, q(
		INSERT INTO o SELECT uid_generate('ksuid'), n FROM generate_series(1, 3) AS n;
		INSERT INTO l SELECT id, n FROM o));

	sql($subscriber, 'ALTER TABLE o ADD uid uuid; ALTER TABLE l ADD o_uid uuid');
	$goes->('prepare');
	$same->('id', 'before FULL');
	sql($publisher, 'ALTER TABLE o REPLICA IDENTITY FULL; ALTER TABLE l REPLICA IDENTITY FULL');
	$goes->('fill');
	$same->($_, 'after fill') foreach qw(id uid);
	$goes->('switch');
	$same->($_, 'after switch') foreach qw(id uid);
	sql($subscriber, $_)
		foreach 'CREATE UNIQUE INDEX CONCURRENTLY o_uid ON o (uid)',
			'CREATE UNIQUE INDEX CONCURRENTLY l_uid ON l (o_uid, n)',
	  'ALTER TABLE o ADD CONSTRAINT uid_given CHECK (uid IS NOT NULL) NOT VALID', 'ALTER TABLE o VALIDATE CONSTRAINT uid_given',
	q(
		ALTER TABLE l DROP CONSTRAINT l_o_id_fkey, DROP CONSTRAINT l_pkey, ALTER o_id DROP NOT NULL,
			ADD PRIMARY KEY USING INDEX l_uid),
	'ALTER TABLE o DROP CONSTRAINT o_pkey, ALTER id DROP NOT NULL, ADD PRIMARY KEY USING INDEX o_uid',
	'ALTER TABLE o DROP CONSTRAINT uid_given';
	sql($publisher, 'INSERT INTO o (n) VALUES (0); INSERT INTO l (o_uid, n) SELECT uid, n FROM o WHERE n = 0');
	$same->('uid', 'of new code');
	$goes->('drop');
	$same->('uid', 'after drop');
	sql($publisher, 'ALTER TABLE o REPLICA IDENTITY DEFAULT; ALTER TABLE l REPLICA IDENTITY DEFAULT');
	$same->('uid', 'in the end');
	sql($subscriber, 'ALTER TABLE l DROP o_id; ALTER TABLE o DROP id');
	$same->('uid', 'without the old columns');
	sql($subscriber, 'DROP SUBSCRIPTION follows');
}

#
# An older time of a row that comes after prepare is not that of its new key.
#
{
	my $shop = shop('number');
	my $keeper = sub { return sql($shop->{database}, "SET ROLE keeper; $_[0]") };

	$keeper->('CREATE TABLE shop.calls (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz)');
	is(step($recipe, $shop, 'prepare',
			variables => { table => 'shop.calls', from => 'number', created => 'at' })->{status}, 0, 'prepare');
	is($keeper->(q(
			INSERT INTO shop.calls (at) VALUES ('2020-01-01 00:00+00');
			SELECT uuid_time(uid) > '2026-01-01 00:00+00' FROM shop.calls)), 't', 'it has a new key of now');
	is($keeper->(q(
		INSERT INTO shop.calls (at, uid) VALUES ('2020-01-01 00:00+00', gen_uuidv7_at('2020-01-01 00:00+00'));
		SELECT min(uuid_time(uid)) = '2020-01-01 00:00+00' FROM shop.calls)),
		't', 'unless it brings another');
}

#
# What the page says, as it says it.
#
{
	my $page = slurp_file(dirname(__FILE__) . '/../../../doc/changing-keys.md');
	my ($tables) = $page =~ /^```sql\n(.*?)^```$/ms;
	my $commands = join '', ($page =~ /^## The way\n(.*?)^## /ms)[0] =~ /^```sh\n(.*?)^```$/gms;
	my $recipes = dirname(__FILE__) . '/../../../doc/recipes';

	sql('postgres', 'CREATE DATABASE page');
	sql('page', $tables);
	is($commands =~ s/^cd .*/cd '$recipes'/m, 1, 'the page says where the scripts are');
	local %ENV = (%ENV, PGDATABASE => 'page', PGHOST => $node->host, PGPORT => $node->port,
		PGOPTIONS => '-c client_min_messages=warning');
	command_ok([ 'bash', '-ec', $commands ], 'the commands of the page run');
	is(sql('page', q(
		SELECT count(*), count(DISTINCT o.id), bool_and(uuid_time(o.id) = created_at)
		FROM orders o
		JOIN order_lines ON order_id = o.id)),
		'2000|1000|t', 'all lines find their order');
}

done_testing();
