# change_key.psql, and what columns and indexes have beside their definitions: rights, comments, storage
# parameters, tablespaces.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('properties', 'bigint', q(nextval('play.n')), identity => 1);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	my ($step) = @_;
	return step($recipe, $shop, $step,
		variables => { table => 'shop.sales', $step eq 'prepare' ? (from => 'number', created => 'at') : () });
}

sub goes { return each_succeeds(\&play_step, 'change_key', @_) }

sql($shop->{database}, q(SET allow_in_place_tablespaces = on));
sql($shop->{database}, q(SET allow_in_place_tablespaces = on; CREATE TABLESPACE fast LOCATION ''));
sql($shop->{database}, 'GRANT CREATE ON TABLESPACE fast TO keeper; CREATE ROLE auditor');
keeper(q(CREATE TABLE sales (id bigint PRIMARY KEY WITH (fillfactor = 42), at timestamptz NOT NULL DEFAULT now());
	CREATE TABLE items (sale_id bigint REFERENCES sales, n int,
		CONSTRAINT items_pkey PRIMARY KEY (sale_id, n) WITH (fillfactor = 40) USING INDEX TABLESPACE fast,
		CONSTRAINT items_once UNIQUE (n, sale_id) WITH (fillfactor = 41) USING INDEX TABLESPACE fast) PARTITION BY HASH (n);
	CREATE TABLE items_0 PARTITION OF items FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	INSERT INTO sales (id) SELECT generate_series(1, 9); INSERT INTO items SELECT id, id FROM sales;
	COMMENT ON INDEX sales_pkey IS 'index of sales'; COMMENT ON CONSTRAINT sales_pkey ON sales IS 'key of sales';
	COMMENT ON INDEX items_pkey IS 'index of items'; COMMENT ON INDEX items_0_pkey IS 'index of the first items';
	COMMENT ON INDEX items_once IS 'items once'; COMMENT ON CONSTRAINT items_once ON items IS 'once';
	GRANT SELECT (id), UPDATE (id) ON sales TO auditor));

# Indexes keep what they have, at each stage.
my $indexes = q(
	SELECT i.relname, i.reloptions, spcname, obj_description(i.oid, 'pg_class'),
		obj_description(c.oid, 'pg_constraint')
	FROM pg_class i
	JOIN pg_constraint c ON conindid = i.oid AND contype IN ('p', 'u')
	LEFT JOIN pg_tablespace t ON t.oid = reltablespace
	WHERE conrelid IN ('sales'::regclass, 'items'::regclass, 'items_0'::regclass) ORDER BY i.relname COLLATE "C");
my $before = keeper($indexes);
like($before, pattern(
	qr/items_once\|\{fillfactor=41\}\|fast\|items once\|once.*/s,
	qr/sales_pkey\|\{fillfactor=42\}\|\|index of sales\|key of sales/s),
	'indexes have comments, parameters and tablespaces');
foreach my $step (qw(prepare fill switch back fill switch))
{
	goes($step);
	is(keeper($indexes), $before, "which they have after $step");
}

# A right that was taken away from the old column since prepare is not left on the new one.
keeper('REVOKE UPDATE (id) ON sales FROM auditor; GRANT SELECT (at) ON sales TO auditor');
my $result = play_step('drop');
isnt($result->{status}, 0, 'a right on the new column alone: drop is refused');
like($result->{said},
	pattern(
		qr/ERROR:  nothing has been changed, because a role has a right on a new column that it does not /,
		qr/have on the old one\n/,
		qr/HINT:  If it shall keep this right, give it on the old column, too: GRANT UPDATE \(id\) ON /,
		qr/shop.sales TO auditor\. If not, revoke/),
	'and says what to do');
keeper('REVOKE UPDATE (uid) ON sales FROM auditor');
goes('drop');
is(keeper($indexes), $before, 'after drop the indexes are as before');
is(keeper(q(SELECT attacl FROM pg_attribute WHERE attrelid = 'sales'::regclass AND attname = 'uid')),
	'{auditor=r/keeper}', 'and the right stays away');

# Foreign keys act in the order in which they were made, and are as they were after back.
my $order = q(
	SELECT string_agg(conname || ' ' || pg_get_constraintdef(oid), ', ' ORDER BY oid)
	FROM pg_constraint
	WHERE confrelid = 'accounts'::regclass AND conparentid = 0);
my $first = q(
	BEGIN;
	DELETE FROM accounts WHERE id = 1;
	SELECT (SELECT count(*) FROM messages) || $$ $$ || (SELECT count(*) FROM visits);
	ROLLBACK);

keeper(q(CREATE TABLE accounts (id bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
	CREATE TABLE visits (account_id bigint, n int) PARTITION BY HASH (n);
	CREATE TABLE visits_0 PARTITION OF visits FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	CREATE TABLE messages (sender_id bigint NOT NULL, recipient_id bigint, a_copy_to bigint);
	INSERT INTO accounts SELECT n FROM generate_series(1, 5) n;
	INSERT INTO messages SELECT id, id FROM accounts;
	INSERT INTO visits SELECT id, id FROM accounts;
	ALTER TABLE messages ADD FOREIGN KEY (sender_id) REFERENCES accounts ON DELETE CASCADE;
	ALTER TABLE visits ADD FOREIGN KEY (account_id) REFERENCES accounts MATCH FULL ON DELETE CASCADE;
	ALTER TABLE messages ADD FOREIGN KEY (recipient_id) REFERENCES accounts,
		ADD FOREIGN KEY (a_copy_to) REFERENCES accounts ON DELETE SET NULL (a_copy_to) NOT VALID));
$before = keeper($order);
like($before, pattern(
	qr/^messages_sender_id_fkey.*visits_account_id_fkey FOREIGN KEY \(account_id\) REFERENCES /,
	qr/accounts\(id\) MATCH FULL.*messages_a_copy_to_fkey.*SET NULL \(a_copy_to\) NOT VALID$/),
	'foreign keys have an order, and more than columns');
my $play = sub {
	return step($recipe, $shop, $_[0],
		variables => { table => 'shop.accounts', $_[0] eq 'prepare' ? (from => 'number') : () })
};
foreach my $step (qw(prepare fill switch back back prepare fill switch back fill switch drop))
{
	my $result = $play->($step);
	is($result->{status}, 0, "ordered foreign keys: $step") or diag($result->{said});
	$first =~ s/id = 1/uid = (SELECT uid FROM accounts LIMIT 1)/ if $step eq 'drop';
	is(keeper($first), '4 4', "after $step a row goes with what refers to it");
	is(keeper(q(
		SELECT string_agg(conname, ' ' ORDER BY oid)
		FROM pg_constraint
		WHERE confrelid = 'accounts'::regclass AND conparentid = 0 AND conname !~ '_new$')),
		$step eq 'switch'
			? 'messages_sender_id_fkey visits_account_id_fkey messages_recipient_id_fkey messages_a_copy_to_fkey'
			: join(' ', $before =~ /(\w+_fkey) /g), 'and the order is the same');
	is(keeper($order), $before, 'all else, too')
		if $step eq 'back'
			&& keeper(q(SELECT count(*) FROM pg_constraint WHERE conname ~ 'id_fkey_new')) eq '0';
}
like(keeper($order), qr/MATCH FULL.*SET NULL \(a_copy_to_uid\)$/, 'in the end the new keys are as the old ones were');

done_testing();
