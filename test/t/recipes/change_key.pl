# change_key.psql against every adversity: rows before are rows after and each
# reference finds its row, or nothing has changed.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();

# The kinds of keys: their type, how one is made, and what the recipe is told.
my %kind = (
	number => [ 'bigint', q(nextval('play.n')), { from => 'number', created => 'created_at' } ],
	snowflake => [ 'bigint', q(uid_boundary(clock_timestamp(), 'snowflake') + nextval('play.n') % 4194304), { from => 'snowflake' } ],
	ksuid => [ 'text', q(uid_generate('ksuid')), { from => 'ksuid' } ],
	objectid => [ 'char(24)', q(uid_generate('objectid')::char(24)), { from => 'objectid' } ],
	ulid => [ 'text', 'gen_ulid()::text', { from => 'ulid', to => 'ulid' } ],
	uuid => [ 'varchar(36)', 'upper(gen_random_uuid()::text)::varchar(36)', { from => 'uuid' } ],
	bytes => [ 'bytea', 'uuid_send(gen_random_uuid())', { from => 'uuid' } ],
	mysql => [ 'bytea', 'uuid_to_bin(gen_uuidv7(), true)', { from => 'mysql' } ],
	v1 => [ 'uuid', 'gen_uuidv1()', { from => 'v1' } ],
	sqlserver => [ 'uuid', 'uuid_to_sqlserver(gen_uuidv1())', { from => 'sqlserver' } ],
	suffix_comb => [ 'uuid', 'gen_suffix_comb()', { from => 'suffix_comb' } ],
	laravel => [ 'uuid', q{overlay(gen_random_uuid()::text PLACING '9ed9' FROM 1)::uuid}, { from => 'laravel' } ],
	v4 => [ 'uuid', 'gen_random_uuid()', { from => 'v4', created => 'created_at' } ],
	v7 => [ 'uuid', 'gen_uuidv7()', { from => 'v7', to => 'iuid', country => 76, entity => 1 } ]);
my %make = (uuid => 'gen_uuidv7()', ulid => 'gen_ulid()', iuid => 'gen_iuid(76, 1)');
my @steps = qw(prepare fill switch drop);
my $recipe = new_recipe(
	file => 'change_key.psql',
	steps => \@steps,
	new_after => qr/fill|switch/,
	variables => sub { (table => 'shop.orders', rename => 'on', %{ $_[0]{told} }) });

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

	finishes($recipe, $shop, $kind . (@beside ? ' beside another session' : ''), \@steps, @beside);
}

#
# And back, twice, at each stage.
#
{
	my $shop = shop('number');

	finishes($recipe, $shop, 'forth and back', [qw(prepare back prepare fill back prepare prepare fill fill switch switch back back)]);
	my $go = goes_on($shop);
	succeeds($recipe, $shop, $_, 'forth'), $go->() foreach qw(prepare fill switch);
	finishes($recipe, $shop, 'and back beside new code', [qw(back back)]);
	finishes($recipe, $shop, 'and forth', \@steps);
}

stopped_everywhere($recipe, shop('number'));

#
# Stopped while it waits: for a table that another transaction has written to,
# for a row that it has locked.
#
foreach my $kind (qw(number v7))
{
	my $shop = shop($kind);
	my $writes = 'UPDATE shop.lines SET label = label WHERE label = (SELECT min(label) FROM shop.lines); UPDATE shop.orders SET total = total';
	my $locks = 'SELECT label FROM shop.orders ORDER BY label FOR UPDATE LIMIT 1';

	stopped_while_waiting($recipe, $shop, 'prepare', qr/CALL pg_temp.prepare/, $writes);
	stopped_while_waiting($recipe, $shop, 'fill', qr/CALL pg_temp.fill_all/, $locks);
	stopped_while_waiting($recipe, $shop, $_, qr/CALL pg_temp.$_/, $writes) foreach qw(switch drop);
	finishes($recipe, $shop, "$kind, after waiting", []);
}

#
# Roles whose transactions keep their snapshots.
#
foreach my $level ('repeatable read', 'serializable')
{
	my $shop = shop('snowflake');

	sql('postgres', "ALTER ROLE $_ SET default_transaction_isolation = '$level'") foreach qw(keeper app);
	finishes($recipe, $shop, $level, \@steps, between => goes_on($shop), psqlrc => '/dev/null');
	sql('postgres', "ALTER ROLE $_ RESET default_transaction_isolation") foreach qw(keeper app);
}

under_row_security($recipe, shop('number'), qw(orders lines));

#
# Steps in another order, or after one that failed.
#
{
	my $shop = shop('number');

	refused($recipe, $shop, $_, 'not being changed', 'first of all') foreach qw(fill switch drop);
	succeeds($recipe, $shop, 'prepare', 'in order');
	refused($recipe, $shop, $_, 'nothing has been changed|that leads to another row', 'without fill') foreach qw(switch drop);
	my $result = step($recipe, $shop, 'fill', between => sub { $_[0] =~ /demand_new_keys/ ? 'x' : undef });
	isnt($result->{status}, 0, 'a fill that fails');
	refused($recipe, $shop, $_, 'nothing has been changed', 'after it') foreach qw(switch drop);
	succeeds($recipe, $shop, 'fill', 'in order');
	refused($recipe, $shop, 'drop', 'nothing has been changed', 'without switch');
	sql($shop->{database}, 'ALTER TABLE shop.lines DISABLE TRIGGER zz_change_key_other_id');
	refused($recipe, $shop, $_, 'nothing has been changed, for there is no trigger', 'with a trigger switched off') foreach qw(switch drop);
	sql($shop->{database}, q(
		UPDATE shop.lines SET other_id = (SELECT max(id) FROM shop.orders) WHERE label = (SELECT max(label) FROM shop.lines);
		UPDATE play.lines SET other = (SELECT label FROM shop.orders ORDER BY id DESC LIMIT 1) WHERE label = (SELECT max(label) FROM play.lines);
		ALTER TABLE shop.lines ENABLE ALWAYS TRIGGER zz_change_key_other_id));
	refused($recipe, $shop, $_, 'leads to another row', 'and a reference changed meanwhile') foreach qw(switch drop);
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
	refused($recipe, $shop, 'prepare', '1 keys of table shop.orders have no new key', 'a row without a time');
	sql($shop->{database}, q(UPDATE shop.orders SET created_at = now() WHERE created_at IS NULL;
		ALTER TABLE shop.orders ALTER COLUMN created_at SET NOT NULL));
	finishes($recipe, $shop, 'which has got one', \@steps);

	$shop = shop('uuid');
	sql($shop->{database}, q(INSERT INTO shop.orders (id, label) SELECT lower(id), 'twice' FROM shop.orders ORDER BY label LIMIT 1;
		INSERT INTO play.orders VALUES ('twice', 1)));
	refused($recipe, $shop, 'prepare', '1 become equal to another', 'a key in two spellings');
	sql($shop->{database}, q(UPDATE shop.orders SET id = 'none' WHERE label = 'twice'));
	refused($recipe, $shop, 'prepare', 'invalid input syntax for type uuid', 'what is no uuid');
	sql($shop->{database}, q(UPDATE shop.orders SET id = gen_random_uuid() WHERE label = 'twice'));
	finishes($recipe, $shop, 'which has become one', \@steps);
}

#
# Orphans.
#
{
	my $shop = shop('number');

	sql($shop->{database}, q(ALTER TABLE shop.lines DROP CONSTRAINT "Other";
		UPDATE shop.lines SET other_id = -1 WHERE label = (SELECT min(label) FROM shop.lines);
		UPDATE play.lines SET other = NULL WHERE label = (SELECT min(label) FROM play.lines);
		ALTER TABLE shop.lines ADD CONSTRAINT "Other" FOREIGN KEY (other_id) REFERENCES shop.orders ON UPDATE CASCADE ON DELETE SET NULL NOT VALID;
		COMMENT ON CONSTRAINT "Other" ON shop.lines IS 'foreign'));
	succeeds($recipe, $shop, 'prepare', 'a reference that leads nowhere');
	my $result = step($recipe, $shop, 'fill');
	like($result->{said}, qr/ERROR:  1 rows of table shop.lines have a value of other_id that leads to no new key/, 'fill finds it');
	refused($recipe, $shop, $_, 'nothing has been changed|leads to another row', 'with an orphan') foreach qw(switch drop);
	sql($shop->{database}, 'UPDATE shop.lines SET other_id = NULL WHERE other_id = -1');
	finishes($recipe, $shop, 'taken away', [qw(fill switch drop)]);
}

#
# Roles that lack a right; what an old column would take with it.
#
{
	my $shop = shop('number');

	sql($shop->{database}, 'CREATE ROLE clerk; GRANT INSERT ON shop.lines TO clerk');
	refused($recipe, $shop, 'prepare', 'the key cannot be changed like this', 'a role that may not look keys up');
	sql($shop->{database}, 'REVOKE INSERT ON shop.lines FROM clerk; CREATE VIEW shop.ids AS SELECT id FROM shop.orders;
		ALTER TABLE shop.orders ADD CHECK (id > 0)');
	succeeds($recipe, $shop, $_, 'a view and a CHECK of the key') foreach qw(prepare fill switch);
	refused($recipe, $shop, 'drop', 'the old column would take with it', 'a view and a CHECK of the key');
	sql($shop->{database}, 'DROP VIEW shop.ids; ALTER TABLE shop.orders DROP CONSTRAINT orders_id_check');
	finishes($recipe, $shop, 'dropped by hand', ['drop']);
}

done_testing();
