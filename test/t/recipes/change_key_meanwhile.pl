# change_key.psql, when somebody changes between its steps what prepare has looked at: switch and drop refuse what
# prepare refuses, say why, and go on when it is mended, and the application goes on meanwhile.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('meanwhile', 'bigint', q(nextval('play.n')), identity => 1);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub error_of
{
	my ($sql, $role) = @_;
	my (undef, undef, $error) = $node->psql($shop->{database},
		'SET ROLE ' . ($role // 'keeper') . "; SET search_path = shop, public; $sql");
	return $error;
}

sub play_step
{
	return step($recipe, $shop, $_[0],
		variables => { table => 'shop.sales', $_[0] eq 'prepare' ? (from => 'uuid') : () });
}

sub goes { return each_succeeds(\&play_step, @_) }

sub is_refused { return is_refused_by(\&play_step, @_[0, 1], qr/ERROR:  $_[2]/) }

# Sales whose ids the application makes, and items of them.
sub sales
{
	my (%kind) = @_;
	my $items = $kind{parts}
		? 'PARTITION BY HASH (n); CREATE TABLE items_0 PARTITION OF items FOR VALUES WITH (MODULUS 1, REMAINDER 0)'
		: '';

	keeper("DROP TABLE IF EXISTS items, sales CASCADE;
		CREATE TABLE sales (id text PRIMARY KEY, tenant text, at timestamptz NOT NULL DEFAULT now());
		CREATE TABLE items (sale_id text REFERENCES sales, n int) $items;
		INSERT INTO sales SELECT gen_random_uuid(), 't' || n FROM generate_series(1, 5) n; INSERT INTO items SELECT id, 1 FROM sales;
		GRANT SELECT, INSERT, UPDATE, DELETE ON sales, items TO app");
	return;
}

#
# What comes between prepare and switch, and between switch and drop.
#
my @kinds = (
	[ 'a policy of whole rows',
		q(
			CREATE OR REPLACE FUNCTION mine(s items)
			RETURNS bool
			LANGUAGE sql STABLE AS 'SELECT $1.sale_id IS NULL';
			CREATE POLICY mine ON items TO app USING (mine(items));
			ALTER TABLE items ENABLE ROW LEVEL SECURITY),
		'nothing has been changed: policy mine on table shop.items takes rows of table shop.items as '
			. 'a whole, and may read sale_id',
		'DROP POLICY mine ON items; ALTER TABLE items DISABLE ROW LEVEL SECURITY' ],
	[ 'a CHECK of whole rows', q(ALTER TABLE items ADD CONSTRAINT whole CHECK ((items.*) IS NOT NULL OR true)),
		'nothing has been changed: constraint whole on table shop.items takes rows of table shop.items as a whole',
		'ALTER TABLE items DROP CONSTRAINT whole' ],
	[ 'a publication of some rows', q(
		RESET ROLE;
		CREATE PUBLICATION some_sales FOR TABLE shop.sales WHERE (id <> '') WITH (publish = 'insert')),
		'nothing has been changed: publication some_sales names columns of table shop.sales, or rows',
		'RESET ROLE; DROP PUBLICATION some_sales' ],
	[ 'a publication of some columns', q(RESET ROLE; CREATE PUBLICATION some_sales FOR TABLE shop.sales (id, tenant)),
		'nothing has been changed: publication some_sales names columns of table shop.sales, or rows',
		'RESET ROLE; DROP PUBLICATION some_sales' ],
	[ 'a right on the generator that is revoked', q(
		RESET ROLE;
		REVOKE EXECUTE ON FUNCTION gen_uuidv7() FROM PUBLIC;
		GRANT EXECUTE ON FUNCTION gen_uuidv7() TO keeper),
		'nothing has been changed: role app inserts into table shop.sales, whose DEFAULT will call '
			. '\S*gen_uuidv7\(\): GRANT EXECUTE',
		'RESET ROLE; GRANT EXECUTE ON FUNCTION gen_uuidv7() TO PUBLIC' ],
	[ 'such a right of a role that inserts through a view of a view', q(
		CREATE VIEW named AS SELECT tenant FROM sales;
		CREATE VIEW named_too AS SELECT * FROM named;
		CREATE VIEW counted_sales AS SELECT count(*) FROM sales;
		GRANT INSERT ON named_too TO clerk; GRANT INSERT ON counted_sales TO reader;
		RESET ROLE;
		REVOKE EXECUTE ON FUNCTION gen_uuidv7() FROM PUBLIC;
		GRANT EXECUTE ON FUNCTION gen_uuidv7() TO keeper, app),
		'nothing has been changed: role clerk inserts into table shop.sales, whose DEFAULT will call \S*gen_uuidv7\(\): GRANT EXECUTE',
		'DROP VIEW named, named_too, counted_sales; RESET ROLE; GRANT EXECUTE ON FUNCTION gen_uuidv7() TO PUBLIC' ]);
sql('postgres', 'CREATE ROLE clerk');
foreach my $kind (@kinds)
{
	my ($what, $made, $why, $mend) = @$kind;

	sales();
	goes($what, 'prepare', 'fill');
	keeper($made);
	is_refused($what, 'switch', $why);
	keeper($mend);
	goes("$what, mended", 'switch');
	keeper($made);
	is_refused($what, 'drop', $why);
	keeper($mend);
	goes("$what, mended", 'drop');
	is(error_of(q(INSERT INTO sales (tenant) VALUES ('new')), 'app'), '', 'and rows are inserted at the end');
}
#
# The column with the time of a row is renamed, or dropped: rows are inserted as before, and each step says what it needs.
#
foreach (
	[ renamed => 'RENAME made_at TO at', 'RENAME at TO made_at' ],
	[ dropped => 'DROP made_at', 'ADD made_at timestamptz' ])
{
	my ($what, $change, $mend) = @$_;
	my $insert = sub { return error_of(q(INSERT INTO counted (note) VALUES ('old code')), 'app') };
	my $play = sub {
		return step($recipe, $shop, $_[0], variables => { table => 'shop.counted',
			$_[0] eq 'prepare' ? (from => 'number', created => 'made_at') : () })
	};

	keeper(q(
		DROP TABLE IF EXISTS counted;
		CREATE TABLE counted (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text,
			made_at timestamptz NOT NULL DEFAULT now());
		INSERT INTO counted (note) VALUES ('one'), ('two'); GRANT SELECT, INSERT ON counted TO app));
	foreach my $step (qw(prepare fill switch))
	{
		is($play->($step)->{status}, 0, "the time $what: $step");
		keeper("ALTER TABLE counted $change");
		is($insert->(), '', "after $step rows are inserted");
		like($play->($_)->{said}, pattern(
			qr/ERROR:  nothing has been changed, because table shop\.counted has no column made_at with /,
			qr/the time of a row any more\n/,
			qr/HINT:  It has to be there until do=drop is done/),
			"and $_ says what it needs")
			foreach $step eq 'switch' ? qw(drop back) : 'fill';
		keeper("ALTER TABLE counted $mend");
		keeper('UPDATE counted SET made_at = now()') if $step eq 'prepare';
	}
	my $result = $play->('drop');
	is($result->{status}, 0, "the time $what, mended: drop") or diag($result->{said});
	is(keeper('SELECT count(*) FILTER (WHERE uid IS NULL), count(DISTINCT uid) FROM counted'), '0|5', 'and all rows have a new key');
}

#
# The index that is to become the primary key again is dropped, as a double of another: back says so before it changes
# anything, and how to make it.
#
foreach ('counted_pkey_old ON shop.counted (id)',
	'stored_0_pkey_old ON shop.stored_0 (id, n) INCLUDE (note) WITH (fillfactor=70)')
{
	my ($index, $table) = /^(\w+) ON shop\.(\w+?)(?:_0)? /;
	my $play = sub {
		return step($recipe, $shop, $_[0],
			variables => { table => "shop.$table", $_[0] eq 'prepare' ? (from => 'ksuid') : () })
	};
	my $keys = sub {
		return keeper(q(
			SELECT string_agg(
				concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)), ', '
				ORDER BY conrelid::regclass::text, conname)
		FROM pg_constraint WHERE contype IN ('p', 'c') AND conrelid::regclass::text ~ '(counted|stored)')) };

	keeper(q(DROP TABLE IF EXISTS counted, stored; CREATE TABLE counted (id text PRIMARY KEY);
		CREATE TABLE stored (id text, n int, note text, PRIMARY KEY (id, n) INCLUDE (note) WITH (fillfactor=70)) PARTITION BY HASH (n);
		CREATE TABLE stored_0 PARTITION OF stored FOR VALUES WITH (MODULUS 1, REMAINDER 0);
		INSERT INTO counted SELECT uid_generate('ksuid') FROM generate_series(1, 3);
		INSERT INTO stored SELECT uid_generate('ksuid'), n FROM generate_series(1, 9000) n));
	my $before = $keys->();
	is($play->($_)->{status}, 0, "$index: $_") foreach qw(prepare fill switch);
	my $switched = $keys->();
	my $way = '';
	foreach my $state ('dropped', 'invalid')
	{
		keeper("DROP INDEX $index") if $state eq 'dropped';
		if ($state eq 'invalid')
		{
			sql($shop->{database}, $way =~ s/CONCURRENTLY //r);
			sql($shop->{database}, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'shop.$index'::regclass");
		}
		my $result = $play->('back');
		isnt($result->{status}, 0, "$index is $state: back is refused");
		($way)
			= $result->{said}
				=~ pattern(
					qr/ERROR:  table shop\.\w+ has no valid index $index, which is to be its primary key /,
					qr/again\n/,
					qr/HINT:  Nothing has been changed\. Make the index, and run do=back again: ([^\n]*)\n/);
		is($way // $result->{said}, ($state eq 'invalid'
				? "DROP INDEX CONCURRENTLY shop.$index; "
				: '') . "CREATE UNIQUE INDEX CONCURRENTLY $_", 'it says how to make it');
		is($keys->(), $switched, 'and nothing has changed');
		$way //= 'SELECT';
	}
	sql($shop->{database}, $_) foreach split /; /, $way;
	is($play->('back')->{status}, 0, "made again: back $_") foreach 1 .. 2;
	is($keys->(), $before, 'and all is as it was');
}

#
# A partition that maintenance makes like the newest, which has indexes that wait for switch, drop and
# back: it has them under
# other names, and at the end no partition has an index more than before, nor have those that come later.
#
{
	my $play = sub {
		return step($recipe, $shop, $_[0],
			variables => { table => 'shop.tenants', $_[0] eq 'prepare' ? (from => 'number') : () })
	};
	my $maintain = sub {
		return keeper(qq(
			SELECT string_agg(partition, ' ')
			FROM uuid_partition_maintain('events', '1 month', ahead => $_[0])
			WHERE action = 'created'))
	};
	my $indexes = sub {
		return keeper(q(
			SELECT string_agg(DISTINCT of, E'\n')
			FROM (
				SELECT string_agg(
					regexp_replace(indexdef, 'INDEX \S+ ON \S+', 'INDEX'), ', '
					ORDER BY regexp_replace(indexdef, 'INDEX \S+ ON \S+', 'INDEX'))
		FROM pg_partition_tree('events')
		JOIN pg_class c ON c.oid = relid
		JOIN pg_indexes ON schemaname = 'shop' AND tablename = relname
		WHERE isleaf
		GROUP BY relname) AS i (of))) };
	my $lone = sub {
		return keeper(q(
			SELECT string_agg(indexrelid::text, ' ' ORDER BY indexrelid)
			FROM pg_index
			WHERE indrelid = (SELECT max(relid) FROM pg_partition_tree('events') WHERE isleaf)
		AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = indexrelid))) };

	# Indexes of partitions made by maintenance that nothing else has named; of those that were there,
	# the ones that no longer are.
	my $named = sub {
		my ($before) = @_;
		my $now = keeper(q(
			SELECT string_agg(c.relname, ' ' ORDER BY c.relname)
			FROM pg_partition_tree('events')
			JOIN pg_index ON indrelid = relid
			JOIN pg_class c ON c.oid = indexrelid
			WHERE isleaf AND indisunique AND c.relname ~ '_idx\d*$')) // '';
		my %now = map { $_ => 1 } split / /, $now;
		return defined $before ? join(' ', grep { !$now{$_} } sort split / /, $before) : $now;
	};

	foreach (
		[ 'prepare', 'NEW', 'fill', 'switch', 'drop' ],
		[ 'prepare', 'fill', 'NEW', 'fill', 'switch', 'drop' ],
		[ 'prepare', 'fill', 'switch', 'NEW', 'fill', 'drop' ],
		[ 'prepare', 'fill', 'NEW', 'back' ],
		[ 'prepare', 'fill', 'NEW', 'fill', 'back' ],
		[ 'prepare', 'fill', 'switch', 'NEW', 'back', 'NEW', 'fill', 'switch', 'NEW', 'fill', 'drop' ],
		[ 'prepare', 'fill', 'switch', 'NEW', 'back', 'back' ])
	{
		my @way = @$_;
		my $ahead = 1;
		my $what = "a partition meanwhile: @way";

		keeper(q(
			DROP TABLE IF EXISTS tenants, events CASCADE;
			CREATE TABLE tenants (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
			CREATE TABLE events (id uuid DEFAULT gen_uuidv7(), tenant_id bigint NOT NULL REFERENCES tenants,
				n int, PRIMARY KEY (id, tenant_id), UNIQUE (tenant_id, id))
			PARTITION BY RANGE (id);
			CREATE INDEX ON events (tenant_id);
			INSERT INTO tenants DEFAULT VALUES));
		$maintain->(1);
		my $before = $indexes->();
		unlike($before, qr/\n/, 'all partitions have the same indexes');
		foreach my $step (@way)
		{
			if ($step eq 'NEW')
			{
				isnt($maintain->(++$ahead), '', "$what: there is a new partition");
				keeper(q(INSERT INTO events (tenant_id) SELECT id FROM tenants));
				next;
			}
			my $copies = $lone->();
			my $names = $named->();
			my $result = $play->($step);
			my $is_copy = pattern(qr/NOTICE:  index (\S+) of partition \S+ is a copy of one that this recipe has made/,
				qr/(?:: it is used like that one, and is called|, and is not needed: it is dropped)/);
			is(join(' ', sort map { s/.*\.//r } $result->{said} =~ /$is_copy/g),
				$named->($names), "$what: $step names the copies that it uses or drops");
			is($result->{status}, 0, "$what: $step") or diag($result->{said});
			is($lone->(), $copies, 'which builds no index a second time')
				if $step eq 'fill' && "@way" =~ /^prepare fill (switch )?NEW fill/ && $ahead == 2;
		}
		$maintain->(++$ahead);
		is($indexes->(), $way[-1] eq 'drop' ? $before =~ s/tenant_id/tenant_uid/gr : $before,
			"$what: in the end all partitions have the same indexes");
	}
}

#
# A statistics object that somebody has made for the new column does not go with it without a word.
#
{
	sales();
	goes('statistics', 'prepare', 'fill');
	keeper('CREATE STATISTICS ours ON sale_uid, n FROM items');
	is_refused('statistics', 'back',
		'nothing has been changed, because the new column would take with it: statistics object shop.ours\n');
	is(keeper(q(SELECT count(*) FROM pg_statistic_ext WHERE stxname = 'ours')), 1, 'it is still there');
	keeper('DROP STATISTICS ours');
	goes('without statistics', 'back');
}

#
# So many partitions that a step would lock more than there is room for: last, as the server starts anew.
#
{
	sales(parts => 1);
	goes('few partitions', 'prepare', 'fill');
	Recipes::disconnect();
	$node->append_conf('postgresql.conf', "max_locks_per_transaction = 10\nmax_connections = 12");
	$node->restart;
	keeper('DROP TABLE items_0');
	keeper("CREATE TABLE items_$_ PARTITION OF items FOR VALUES WITH (MODULUS 80, REMAINDER $_)") foreach 0 .. 79;
	is_refused('many partitions', 'switch',
		'nothing has been changed: a step locks \d+ relations, more than the server has room for: set '
			. 'max_locks_per_transaction to \d+');
}

done_testing();
