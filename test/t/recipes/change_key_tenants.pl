# change_key.psql forth, back and forth again on the tables of a help desk: its KSUIDs are
# made by the application, every tenant sees its own rows alone, references are deferrable,
# and objects of many kinds read the key.  The server crashes in every step.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('tenants', 'bigint', q(nextval('play.n')), identity => 1,
	more => q(
		CREATE SCHEMA desk AUTHORIZATION keeper;
		GRANT USAGE ON SCHEMA desk TO app;
		CREATE TABLE play.tickets (title text PRIMARY KEY, tenant text);
		GRANT ALL ON play.tickets TO app));
my $n = 0;

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = desk, public; $_[0]") }

keeper(q(
	CREATE TYPE state AS ENUM ('open', 'waiting', 'closed');
	CREATE DOMAIN subject AS text CHECK (length(VALUE) < 200);
	CREATE TABLE tenants (id char(27) PRIMARY KEY, name text NOT NULL,
		parent_id char(27) REFERENCES tenants ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
		UNIQUE NULLS NOT DISTINCT (parent_id, name));
	CREATE TABLE agents (tenant_id char(27) NOT NULL REFERENCES tenants ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
		email text, skills text[] NOT NULL DEFAULT '{}', PRIMARY KEY (tenant_id, email));
	CREATE TABLE tickets (id text PRIMARY KEY,
		tenant_id char(27) NOT NULL REFERENCES tenants ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
		title subject NOT NULL, status state NOT NULL DEFAULT 'open', external text, number int NOT NULL DEFAULT 1,
		UNIQUE NULLS NOT DISTINCT (tenant_id, external));
	CREATE INDEX open_tickets ON tickets (tenant_id, number DESC) WHERE status = 'open';
	CREATE UNIQUE INDEX one_waiting ON tickets (tenant_id) WHERE status = 'waiting';
	CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.title := trim(NEW.title); RETURN NEW; END';
	ALTER TABLE agents ENABLE ROW LEVEL SECURITY; ALTER TABLE tickets ENABLE ROW LEVEL SECURITY));

# What reads the key, by one expression for the tenant that is given; what it is for its columns.
sub readers
{
	my ($tenant, $owner, $key) = @_;

	return qq(
		ALTER TABLE tickets ADD CONSTRAINT known CHECK ($tenant IS NOT NULL OR status = 'closed'),
			ADD label text GENERATED ALWAYS AS ($tenant\::text || '-' || number) STORED;
		CREATE INDEX lowered ON tickets (lower($tenant\::text));
		CREATE POLICY mine ON agents TO app USING ($owner) WITH CHECK ($owner);
		CREATE POLICY mine ON tickets TO app USING ($owner);
		CREATE POLICY closed ON tickets AS RESTRICTIVE TO app USING (status <> 'closed' OR $owner);
		CREATE VIEW board WITH (security_invoker) AS
		SELECT t.title, t.$tenant, o.name
		FROM tickets t
		JOIN tenants o ON o.$key = t.$tenant;
		CREATE VIEW counts AS SELECT $tenant, count(*) AS n FROM tickets GROUP BY $tenant;
		CREATE VIEW large AS SELECT * FROM counts WHERE n > 1;
		GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA desk TO app;
		CREATE TRIGGER stamp BEFORE INSERT OR UPDATE OF title, $tenant ON tickets FOR EACH ROW EXECUTE FUNCTION stamp());
}

my $unmade = q(
	DROP VIEW board;
	DROP VIEW large;
	DROP VIEW counts;
	DROP POLICY mine ON agents;
	DROP POLICY mine ON tickets;
	DROP POLICY closed ON tickets;
	DROP TRIGGER stamp ON tickets; DROP INDEX lowered; ALTER TABLE tickets DROP CONSTRAINT known, DROP label);
my %readers = (
	old => readers('tenant_id', q(current_setting('app.tenant', true) = tenant_id), 'id'),
	both => readers('tenant_uid', q(current_setting('app.tenant', true) IN (tenant_id, tenant_uid::text)), 'uid'),
	new => readers('tenant_uid', q(current_setting('app.tenant', true) = tenant_uid::text), 'uid'));

# All that there is, whatever the order of columns.
sub description
{
	return keeper(q(SELECT d FROM (
		SELECT concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attacl,
			pg_get_expr(adbin, adrelid))
			FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum JOIN pg_class c ON c.oid = attrelid
			WHERE relnamespace = 'desk'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
		UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
			FROM pg_constraint WHERE connamespace = 'desk'::regnamespace AND contype <> 'n'
		UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'desk'
		UNION ALL SELECT concat_ws(' ', tablename, policyname, permissive, roles, cmd, qual, with_check)
		FROM pg_policies
		WHERE schemaname = 'desk'
		UNION ALL SELECT viewname || definition FROM pg_views WHERE schemaname = 'desk'
		UNION ALL SELECT concat_ws(' ', relname, relacl, reloptions)
		FROM pg_class
		WHERE relnamespace = 'desk'::regnamespace AND relkind IN ('r', 'v')
		UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'desk'::regnamespace
		UNION ALL SELECT pg_get_triggerdef(oid)
		FROM pg_trigger
		WHERE tgrelid IN ('tenants'::regclass, 'agents'::regclass, 'tickets'::regclass) AND NOT tgisinternal)
		AS all_there_is (d) ORDER BY d COLLATE "C"));
}

# A tenant's first transaction, in which what refers to it comes first; then it sees its own
# rows alone, and another tenant none of them.
sub tenant_comes
{
	my ($code) = @_;
	my ($key, $made) = $code eq 'old' ? ('id', q(uid_generate('ksuid'))) : ('uid', 'gen_uuidv7()');
	my $name = "tenant " . ++$n;
	my $id = sql($shop->{database}, "SELECT $made");
	my $sees = q(SELECT count(*) || ' ' || coalesce(min(title), 'none') FROM tickets);

	my (undef, $out, $error) = $node->psql($shop->{database},
		qq(SET ROLE app; SET search_path = desk, public; SET app.tenant = '$id';
		BEGIN;
		INSERT INTO agents (tenant_$key, email) VALUES ('$id', 'a\@$n');
		INSERT INTO tickets (id, tenant_$key, title, external) VALUES (uid_generate('ksuid'), '$id', '$name ', NULL);
		INSERT INTO tenants ($key, name, parent_$key)
		VALUES ('$id', '$name', (SELECT $key FROM tenants WHERE $key IS NOT NULL ORDER BY name LIMIT 1));
		INSERT INTO play.tickets VALUES ('$name', '$name');
		COMMIT;
		$sees; SET app.tenant = 'nobody'; $sees));
	is("$out$error", "1 $name\n0 none", "$name of $code code sees its own ticket, and nobody else does");
	(undef, undef, $error) = $node->psql($shop->{database}, qq(SET ROLE app; SET search_path = desk, public; SET app.tenant = '$id';
		INSERT INTO tickets (id, tenant_$key, title, external) VALUES (uid_generate('ksuid'), '$id', 'again', NULL)));
	like($error, qr/duplicate key value violates unique constraint "tickets_tenant_id_external_key/,
		'and may have one without an external id');
	return;
}

sub all_there
{
	my ($key, $what) = @_;

	is(sql($shop->{database}, qq(
		SELECT count(*)
		FROM (
			SELECT title::text, name AS tenant
			FROM desk.tickets
			LEFT JOIN desk.tenants o ON o.$key = tenant_$key) t
		FULL JOIN play.tickets b USING (title, tenant) WHERE t IS NULL OR b IS NULL)), 0,
	"$what: all tickets are there, with their tenants");
	return;
}

# The server crashes before a CALL of the step, which is then run again.
sub goes
{
	my ($step, $crashes, $what, @variables) = @_;
	my %how = (variables => { table => 'desk.tenants', @variables });
	my $calls = 0;

	my $result = step($recipe, $shop, $step, %how, between => sub {
		return if $_[0] !~ /CALL|VALIDATE|CREATE/ || ++$calls != $crashes;
		Recipes::disconnect();
		$node->stop('immediate');
		$node->start;
		return;
	});
	isnt($result->{status}, 0, "$what: $step, in which the server crashes") if $crashes;
	all_there('id', $what) if $crashes && $what ne 'to the end';
	$result = step($recipe, $shop, $step, %how);
	is($result->{status}, 0, "$what: $step") or diag($result->{said});
	return $result->{said};
}

sub refused_for
{
	my ($step, @whats) = @_;
	my $result = step($recipe, $shop, $step, variables => { table => 'desk.tenants' });

	isnt($result->{status}, 0, "$step is refused");
	like($result->{said}, qr/\Q$_\E/, "for $_") foreach @whats;
	return $result->{said};
}

my @named = ('constraint known on table desk.tickets', 'default value for column label of table desk.tickets',
	'policy mine on table desk.agents',
	'policy mine on table desk.tickets', 'policy closed on table desk.tickets', 'rule _RETURN on view desk.board',
	'rule _RETURN on view desk.counts', 'trigger stamp on table desk.tickets');

keeper($readers{old});
tenant_comes('old') foreach 1 .. 3;
my $before = description();

goes('prepare', 2, 'forth', from => 'ksuid');
tenant_comes('old');
goes('fill', 3, 'forth');
tenant_comes('old');
my $said = refused_for('switch', @named, 'index desk.lowered', 'rule _RETURN on view desk.large');
keeper($_) foreach $said =~ /NULLS NOT DISTINCT would find NULL in column \w+ of table [^:]+: ([^\n]*)/g;
keeper("$unmade; $readers{both}");
tenant_comes('old');
goes('switch', 2, 'forth');
tenant_comes($_) foreach qw(old new new);
all_there('uid', 'after switch');

# Back, with an old key for every row, as it says.
my $result;
for (1 .. 5)
{
	$result = step($recipe, $shop, 'back', variables => { table => 'desk.tenants' });
	my ($way) = $result->{said} =~ /each its old key: (.*?)\. Or go on/ or last;
	$way =~ s/ id = \.\.\./ id = uid_generate('ksuid')/;
	keeper($way);
}
is($result->{status}, 0, 'the first back') or diag($result->{said});
tenant_comes('old');
all_there('id', 'after the first back');
refused_for('back', @named);
# as changing-keys.md says: a view is dropped, because CREATE OR REPLACE VIEW takes no column away
keeper(qq(BEGIN; $unmade; $readers{old};
	ALTER TABLE tenants DROP CONSTRAINT tenants_parent_id_name_key,
		ADD CONSTRAINT tenants_parent_id_name_key UNIQUE NULLS NOT DISTINCT (parent_id, name);
	ALTER TABLE tickets DROP CONSTRAINT tickets_tenant_id_external_key,
		ADD CONSTRAINT tickets_tenant_id_external_key UNIQUE NULLS NOT DISTINCT (tenant_id, external);
	COMMIT));
is(step($recipe, $shop, 'back', variables => { table => 'desk.tenants' })->{status}, 0, 'the second back');
is(description(), $before, 'and all is as it was');
tenant_comes('old');
all_there('id', 'after back');

# To the end.
goes('prepare', 0, 'to the end', from => 'ksuid');
goes('fill', 0, 'to the end');
$said = refused_for('switch', @named);
keeper($_) foreach $said =~ /NULLS NOT DISTINCT would find NULL in column \w+ of table [^:]+: ([^\n]*)/g;
keeper("$unmade; $readers{both}");
goes('switch', 0, 'to the end');
tenant_comes('new');
refused_for('drop', 'policy mine on table desk.tickets');
keeper("$unmade; $readers{new}");
goes('drop', 2, 'to the end');
all_there('uid', 'at the end');
tenant_comes('new');

done_testing();
