# merge_partitions.psql against every adversity: rows before are rows after and
# each reference finds its row, or nothing has changed.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Moves;
use Recipes;

my $node = server();
my $major = sql('postgres', q(SELECT current_setting('server_version_num')::int / 10000));
my @steps = qw(prepare fill switch drop);
my $recipe = new_recipe(
	file => 'merge_partitions.psql',
	steps => \@steps,
	variables => sub { (table => 'shop.orders', step => '28 days', start => $_[0]{from_time}) });
my $move = new_recipe(
	file => 'move_table.psql',
	steps => \@steps,
	variables => sub { (table => 'shop.orders', into => 'partitions', step => '7 days') });

# A shop whose orders are in partitions of weeks; the 28 days are before the last three weeks.
sub weeks
{
	my $shop = shop(@_);

	foreach (@steps)
	{
		my $result = step($move, $shop, $_);
		die $result->{said} if $result->{status};
	}
	$shop->{from_time} = sql($shop->{database}, q(SELECT date_trunc('week', now(), 'UTC') - interval '49 days'));
	$shop->{description} = Recipes::description($shop);
	return $shop;
}

sub partitions
{
	return sql($_[0]{database},
		q(SELECT count(*) FROM uuid_partition_list('shop.orders') WHERE kind = 'partition'));
}

# Four become one, all else is as it was.
sub merges
{
	my ($shop, $what, @how) = @_;
	my $before = partitions($shop);

	finishes($recipe, $shop, $what, \@steps, @how);
	is(partitions($shop), $before - 3, 'four partitions have become one');
	return;
}

sub model {
	return sql($_[0]{database},
		q(SELECT reloptions, relreplident, coalesce(relacl, acldefault('r', relowner)) FROM pg_class WHERE oid =
	(SELECT partition FROM uuid_partition_list('shop.orders') ORDER BY from_time LIMIT 1 OFFSET 3))) }

#
# By itself; beside a second session that inserts, updates keys and references,
# deletes and commits between any two statements.
#
{
	my $shop = weeks('merge');
	my $model = model($shop);

	merges($shop, 'merge');
	$shop->{from_time} = sql($shop->{database}, "SELECT timestamptz '$shop->{from_time}' + interval '28 days'");
	merges($shop, 'merge beside another session', between => goes_on($shop));
	is(model($shop), $model, 'storage, replica identity and rights are as of the others');
	is(sql($shop->{database}, q(SELECT count(*) FROM pg_class WHERE relname ~ '_merge')), 0, 'as are names');
}

#
# Sequences of a partition's column, as of a table that was attached: the table uses one.
#
{
	my $shop = weeks('serial');

	sql($shop->{database}, q(SET ROLE keeper; CREATE SEQUENCE shop.alone; CREATE SEQUENCE shop.unknown));
	sql($shop->{database}, qq(
		SELECT format('ALTER SEQUENCE shop.%s OWNED BY %s.tally', s, partition)
		FROM uuid_partition_list('shop.orders'),
		unnest('{orders_tally_seq,alone,unknown}'::text[]) s WHERE from_time = '$shop->{from_time}'
		UNION ALL SELECT format('ALTER TABLE %s ALTER touched SET DEFAULT nextval(''shop.alone'')', partition)
		FROM uuid_partition_list('shop.orders')
		WHERE from_time = '$shop->{from_time}' \\gexec));
	succeeds($recipe, $shop, $_, 'sequences') foreach @steps;
	is(sql($shop->{database},
		q(SELECT to_regclass('shop.orders_tally_seq'), to_regclass('shop.unknown'), to_regclass('shop.alone'))),
		'shop.orders_tally_seq|shop.unknown|', 'what others use, or may use, stays');
}

#
# With a default partition that has rows; back, and begun again.
#
{
	my $shop = weeks('default');
	my $go = goes_on($shop);

	sql($shop->{database}, q(SET ROLE keeper; CREATE TABLE shop.orders_default PARTITION OF shop.orders DEFAULT;
		INSERT INTO shop.orders (id, label) VALUES (gen_uuidv7_at(now() + interval '3 years'), 'late')));
	sql($shop->{database}, q(INSERT INTO play.orders VALUES ('late', 1)));
	succeeds($recipe, $shop, 'prepare', 'forth');
	unlike(step($recipe, $shop, 'back')->{said}, qr/NOTICE/, 'back tells nothing of what was not there');
	finishes($recipe, $shop, 'forth and back', [qw(prepare fill back)], between => $go);
	succeeds($recipe, $shop, $_, 'forth', between => $go) foreach qw(prepare prepare fill fill);
	$node->append_conf('postgresql.conf', "log_min_messages = debug1");
	$node->reload;
	my $offset = -s $node->logfile;
	finishes($recipe, $shop, 'and forth', [qw(switch switch drop)]);
	my $log = PostgreSQL::Test::Utils::slurp_file($node->logfile, $offset);
	like($log, qr/partition constraint for table "orders_merge_\w+" is implied by existing constraints/,
		'under the lock it reads no row of the partition');
	like($log, qr/updated partition constraint for default partition "orders_default" is implied by existing constraints/,
		'nor of the default partition');
	$node->append_conf('postgresql.conf', "log_min_messages = warning");
	$node->reload;
	refused($recipe, $shop, $_, 'are not being merged', 'at the end') foreach qw(fill switch drop back);
}

stopped_everywhere($recipe, weeks('stopped'));

#
# Stopped while it waits: for a table that another transaction has written to,
# for a row that it has locked.
#
{
	my $shop = weeks('waiting');
	my $writes = q(
		UPDATE shop.lines SET label = label WHERE label = (SELECT min(label) FROM shop.lines);
		UPDATE shop.orders SET total = total);
	my $locks = qq(SELECT label FROM shop.orders WHERE id >= uuid_boundary('$shop->{from_time}') ORDER BY id FOR UPDATE LIMIT 5);

	stopped_while_waiting($recipe, $shop, 'prepare', qr/CALL pg_temp.prepare/, $writes);
	stopped_while_waiting($recipe, $shop, 'fill', qr/CALL pg_temp.fill_copy/, $locks);
	stopped_while_waiting($recipe, $shop, 'switch', qr/CALL pg_temp.attach_merged/, $writes);
	finishes($recipe, $shop, 'after waiting', ['drop']);
}

#
# Roles whose transactions keep their snapshots.
#
foreach my $level ('repeatable read', 'serializable')
{
	my $shop = weeks('level');
	sql('postgres', "ALTER ROLE $_ SET default_transaction_isolation = '$level'") foreach qw(keeper app);
	finishes({ %$recipe, psqlrc => '/dev/null' }, $shop, $level, \@steps, between => goes_on($shop));
	sql('postgres', "ALTER ROLE $_ RESET default_transaction_isolation") foreach qw(keeper app);
}

under_row_security($recipe, weeks('security'), qw(orders lines));

{
	my $shop = weeks('snapshot');

	succeeds($recipe, $shop, 'prepare', 'before an old snapshot');
	truncate_refused($shop, $node);
	old_snapshot($recipe, $shop, $node, 'shop.orders_merge',
		"id >= uuid_boundary('$shop->{from_time}') AND id < uuid_boundary(timestamptz "
			. "'$shop->{from_time}' + interval '28 days')");
	finishes($recipe, $shop, 'after it', [qw(fill switch drop)]);
}

#
# A trigger that writes to rows of its own statement, the last time when rows are
# compared already; and a role that may write to one partition alone.
#
{
	my $shop = weeks('nested');
	my $part = sql($shop->{database},
		"SELECT partition FROM uuid_partition_list('shop.orders') WHERE from_time = '$shop->{from_time}'");

	sql($shop->{database}, qq(GRANT USAGE ON SCHEMA shop TO reader; GRANT INSERT, UPDATE (shop_id) ON $part TO reader;
		CREATE FUNCTION shop.others() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
		\$\$ BEGIN UPDATE shop.orders SET shop_id = 3 - shop_id WHERE id <> NEW.id; RETURN NULL; END \$\$;
		CREATE TRIGGER others AFTER UPDATE ON shop.orders FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION shop.others()));
	succeeds($recipe, $shop, $_, 'nested writes') foreach qw(prepare fill);
	sql($shop->{database}, "SET ROLE reader; UPDATE $part SET shop_id = 2");
	is(while_waiting($recipe, $shop, 'switch', qr/attach_merged/, 'LOCK TABLE shop.orders IN ROW EXCLUSIVE MODE',
			"UPDATE $part SET shop_id = 1; CREATE TABLE play.seen AS SELECT * FROM shop.orders; COMMIT")->{status}, 0,
		'switch, while a transaction goes on');
	is(sql($shop->{database},
		q(
			SELECT count(*)
			FROM shop.orders
			FULL JOIN play.seen s USING (id)
			WHERE orders::text IS DISTINCT FROM s::text)), 0, 'whose writes are there');
	succeeds($recipe, $shop, 'drop', 'nested writes');
}

#
# Orphans, and what cannot be carried over.
#
{
	my $shop = weeks('problems');
	my $part = sql($shop->{database},
		"SELECT partition FROM uuid_partition_list('shop.orders') WHERE from_time = '$shop->{from_time}'");

	problem($recipe, $shop,
		q(
			SET ROLE keeper;
			CREATE TABLE shop.strays AS SELECT gen_random_uuid() AS order_id;
			ALTER TABLE shop.strays ADD FOREIGN KEY (order_id) REFERENCES shop.orders NOT VALID),
		'DROP TABLE shop.strays', 'an orphan');
	problem($recipe, $shop, 'ALTER TABLE shop.orders ADD CONSTRAINT later CHECK (total > 1) NOT VALID',
		'ALTER TABLE shop.orders DROP CONSTRAINT later', 'a CHECK that is not proved');
	problem($recipe, $shop, "CREATE VIEW shop.of_part AS SELECT id FROM $part", 'DROP VIEW shop.of_part', 'a view of a partition');
	problem($recipe, $shop, "CREATE TRIGGER alone BEFORE UPDATE ON $part FOR EACH ROW EXECUTE FUNCTION shop.touch()",
		"DROP TRIGGER alone ON $part", 'a trigger of a partition');
	problem($recipe, $shop, "ALTER TABLE $part ADD CONSTRAINT alone FOREIGN KEY (shop_id) REFERENCES shop.shops",
		"ALTER TABLE $part DROP CONSTRAINT alone", 'a foreign key of a partition');
	problem($recipe, $shop, lone_reference(), 'DROP TABLE shop.gifts', "a reference of another table's partition alone");
	problem($recipe, $shop, "CREATE PUBLICATION alone FOR TABLE $part", 'DROP PUBLICATION alone', 'a partition published by itself');
	problem($recipe, $shop, subscription($shop), 'DROP SUBSCRIPTION fills', 'a subscription');
	problem($recipe, $shop, 'ALTER PUBLICATION shop_orders SET (publish_via_partition_root = false)',
		'ALTER PUBLICATION shop_orders SET (publish_via_partition_root)', 'a publication of partitions');
	problem($recipe, $shop, "ALTER TABLE $part ENABLE ROW LEVEL SECURITY",
		"ALTER TABLE $part DISABLE ROW LEVEL SECURITY", 'row security of a partition');
	problem($recipe, $shop, label($part), unlabel(), 'a security label');
	problem($recipe, $shop, 'CREATE TABLE shop.orders_merge ()', 'DROP TABLE shop.orders_merge',
		'a table of that name', 'belongs to role');
	problem($recipe, $shop, q(
		CREATE FUNCTION shop.merge_partitions_orders()
		RETURNS trigger
		LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
		COMMENT ON FUNCTION shop.merge_partitions_orders IS '{"ext": "evil", "start": "2026-01-01"}'),
		'DROP FUNCTION shop.merge_partitions_orders', 'a function of that name', 'belongs to role');
	{
		local $shop->{from_time} = sql($shop->{database},
			"SELECT min(from_time) - interval '14 days' FROM uuid_partition_list('shop.orders') WHERE kind = 'partition'");
		sql($shop->{database}, 'SET ROLE keeper; CREATE TABLE shop.orders_default PARTITION OF shop.orders DEFAULT');
		my $result = step($recipe, $shop, 'prepare');
		like($result->{said},
			qr/WARNING:  beside partition \S+ the period has a gap, which shop.orders_default fills.*ERROR: /s,
			'a gap is told');
		sql($shop->{database}, 'ALTER TABLE shop.orders DETACH PARTITION shop.orders_default; DROP TABLE shop.orders_default');
	}
	sql($shop->{database}, "ALTER DEFAULT PRIVILEGES FOR ROLE keeper GRANT SELECT ON TABLES TO app;
		SELECT format('GRANT SELECT (label) ON %s TO reader', partition) FROM uuid_partition_list('shop.orders') \\gexec");
	succeeds($recipe, $shop, 'prepare', 'without all that');
	is(sql($shop->{database},
		q(
			SELECT DISTINCT has_any_column_privilege(r, c.oid, 'SELECT')
			FROM unnest('{app,reader}'::text[]) r, pg_class c
			WHERE relname ~ '^orders_merge' AND relkind IN ('r', 'p'))),
		'f', 'neither default privileges nor those of the small ones open it before the switch');
}

#
# Steps in another order, or after one that failed; periods that cannot be merged.
#
{
	my $shop = weeks('order');
	my $from = $shop->{from_time};

	refused($recipe, $shop, $_, 'are not being merged', 'first of all') foreach qw(fill switch drop back);
	refused($recipe, $shop, '', 'no step is named.*HINT:  Pass -v do=prepare or fill or switch', 'step without do');
	$shop->{from_time} = '';
	refused($recipe, $shop, 'prepare', 'HINT:  Pass -v start=', 'no period');
	$shop->{from_time} = sql($shop->{database}, "SELECT timestamptz '$from' + interval '1 day'");
	refused($recipe, $shop, 'prepare', 'the rows cannot be moved like this', 'weeks that reach over the end');
	$shop->{from_time} = sql($shop->{database}, "SELECT timestamptz '$from' - interval '10 years'");
	refused($recipe, $shop, 'prepare', 'the rows cannot be moved like this', 'a period without partitions');
	$shop->{from_time} = $from;
	succeeds($recipe, $shop, 'prepare', 'in order');
	renamed($recipe, $shop);
	refused($recipe, $shop, 'drop', 'nothing has been changed', 'without fill');
	my $result = step($recipe, $shop, 'fill', between => sub { $_[0] =~ /fill_copy/ ? 'x' : undef });
	isnt($result->{status}, 0, 'a fill that fails');
	like(step($recipe, $shop, 'switch')->{said}, qr/ERROR:  nothing has been changed/, 'switch after it ends with an error');
	is(differences($shop, 'old'), '', 'no row, no reference');
	succeeds($recipe, $shop, 'fill', 'in order');
	succeeds($recipe, $shop, 'switch', 'in order');
	refused($recipe, $shop, $_, 'have been merged', 'after it') foreach qw(prepare fill back);
	my ($status, $out, $error) = $node->psql($shop->{database},
		q(SELECT format('DELETE FROM %s', oid::regclass) FROM pg_class WHERE relname ~ '^orders_merged_[0-9_]*$' \gexec));
	like($error, qr/has been merged into another partition/, 'the small partitions stand still');
	sql($shop->{database}, q(
		SET session_replication_role = replica;
		SELECT format('ALTER TABLE %s DISABLE TRIGGER "00_merge_partitions"', tgrelid::regclass)
		FROM pg_trigger WHERE tgname = '00_merge_partitions' ORDER BY tgrelid LIMIT 1 \gexec));
	refused($recipe, $shop, 'drop', 'nothing has been changed', 'with a trigger switched off');
}

sees_defects($recipe, \&weeks);

done_testing();
