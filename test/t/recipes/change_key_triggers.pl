# change_key.psql, and triggers on UPDATE of the application: fill updates each row, so prepare names those that
# would fire, and a condition that lets fill pass keeps them from it and from nothing else.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('triggers', 'bigint', q(nextval('play.n')), identity => 1);

sub keeper { return sql($shop->{database}, "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step
{
	my ($step) = @_;
	my $result = step($recipe, $shop, $step, variables => { table => 'shop.sales', $step eq 'prepare' ? (from => 'number') : () });

	is($result->{status}, 0, $step) or diag($result->{said});
	return $result->{said};
}

sub told
{
	my $fires = pattern(qr/NOTICE:  do=fill updates each row of table shop.\w+, and \w+ (\S+) fires for /,
		qr/(?:it|each batch, also for one without a row), unless/);
	return join(' ', $_[0] =~ /$fires/g);
}

keeper(q(CREATE TABLE sales (id bigint PRIMARY KEY, n int, updated_at timestamptz NOT NULL DEFAULT '2020-01-01 00:00+00');
	CREATE TABLE items (sale_id bigint REFERENCES sales, n int) PARTITION BY HASH (n);
	CREATE TABLE items_0 PARTITION OF items FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	CREATE TABLE log (what text);
	INSERT INTO sales SELECT n, n FROM generate_series(1, 9) n; INSERT INTO items SELECT id, id FROM sales;
	CREATE FUNCTION touch_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.updated_at := now(); RETURN NEW; END';
	CREATE FUNCTION log_row()
	RETURNS trigger
	LANGUAGE plpgsql AS 'BEGIN INSERT INTO shop.log VALUES (TG_TABLE_NAME); RETURN NEW; END';
	CREATE TRIGGER touch BEFORE UPDATE ON sales FOR EACH ROW EXECUTE FUNCTION touch_row();
	CREATE TRIGGER logged AFTER INSERT OR UPDATE ON items FOR EACH ROW EXECUTE FUNCTION log_row();
	CREATE TRIGGER zz_min BEFORE UPDATE ON items FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
	CREATE TRIGGER seen AFTER UPDATE ON sales REFERENCING NEW TABLE AS n EXECUTE FUNCTION log_row();
	CREATE TRIGGER seen AFTER UPDATE ON items REFERENCING NEW TABLE AS n EXECUTE FUNCTION log_row();
	CREATE TRIGGER seen_0 AFTER UPDATE ON items_0 REFERENCING OLD TABLE AS o EXECUTE FUNCTION log_row();
	CREATE RULE kept AS ON UPDATE TO sales DO ALSO INSERT INTO log VALUES ('rule');
	CREATE TRIGGER once AFTER UPDATE ON sales EXECUTE FUNCTION log_row();
	CREATE TRIGGER other_column AFTER UPDATE OF n ON sales FOR EACH ROW EXECUTE FUNCTION log_row();
	CREATE TRIGGER inserted AFTER INSERT ON sales FOR EACH ROW EXECUTE FUNCTION log_row();
	CREATE TRIGGER off AFTER UPDATE ON sales FOR EACH ROW EXECUTE FUNCTION log_row();
	ALTER TABLE sales DISABLE TRIGGER off));
my $said = play_step('prepare');
is(told($said), 'logged seen_0 kept once seen touch',
	'prepare names the triggers and rules that see the rows of fill, or its statements');
like($said, qr/and trigger once fires for each batch/, 'each with the times that it fires');
like($said, qr/and rule kept fires for it, unless you make it WHERE \(/, 'each with a condition of its own');
my ($condition) = $said =~ /unless you make it (WHEN \(.*\))\n/;
keeper("CREATE OR REPLACE TRIGGER touch BEFORE UPDATE ON sales FOR EACH ROW $condition EXECUTE FUNCTION touch_row();
	CREATE OR REPLACE TRIGGER logged AFTER INSERT OR UPDATE ON items FOR EACH ROW $condition EXECUTE FUNCTION log_row();
	CREATE OR REPLACE TRIGGER seen AFTER UPDATE ON sales REFERENCING NEW TABLE AS n $condition EXECUTE FUNCTION log_row();
	CREATE OR REPLACE TRIGGER once AFTER UPDATE ON sales $condition EXECUTE FUNCTION log_row();
	CREATE OR REPLACE TRIGGER seen_0 AFTER UPDATE ON items_0 REFERENCING OLD TABLE AS o $condition EXECUTE FUNCTION log_row();
	CREATE OR REPLACE RULE kept AS ON UPDATE TO sales @{[ $condition =~ s/WHEN/WHERE/r ]} DO ALSO INSERT INTO log VALUES ('rule')");
is(told(play_step('prepare')), '', 'and not those that let fill pass');
keeper(q(CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
	CREATE TRIGGER late BEFORE UPDATE ON sales FOR EACH ROW EXECUTE FUNCTION late()));
keeper('UPDATE sales SET n = -1 WHERE id = 1; UPDATE items SET n = -1 WHERE sale_id = 1; DELETE FROM log WHERE what = \'sales\'');
is(told(play_step('fill')), 'late', 'fill names one that somebody has made since prepare');
is(keeper(q(
		SELECT count(*) FILTER (WHERE uid IS NULL), count(*) FILTER (WHERE updated_at > '2026-01-01')
		FROM sales)), '0|1', 'they fire for updates of the application alone');
is(keeper(q(SELECT count(*) FROM log WHERE what = 'items_0')), 1, 'before and after a row is written');
play_step($_) foreach qw(switch drop);
is(keeper(q(UPDATE sales SET n = 7 WHERE n = 2; SELECT count(*) FROM sales WHERE updated_at > '2026-01-01')), 2,
	'and go on after drop');


# Triggers of a reference between switch and drop, when new code writes the new column alone: those that would miss it are
# named, with what helps, and those that do not are not.
foreach my $default (1, 0)
{
	my $kind = $default ? 'a key with a default' : 'a key without';
	my $new_code = sub { return keeper(q(
		INSERT INTO items (sale_uid) SELECT uid FROM sales WHERE n = 1;
		UPDATE items SET sale_uid = (SELECT uid FROM sales WHERE n = 2);
		SELECT string_agg(what, ' ' ORDER BY what) FROM log; TRUNCATE log, items)) };
	my $misses = pattern(qr/NOTICE:  trigger (\S+) of table shop\.items does not fire where new code changes sale_uid alone\. /,
		qr/If such code will run before do=drop, then before do=switch make it AFTER UPDATE without a list of columns, /,
		qr/(WHEN \(OLD\.sale_uid IS DISTINCT FROM NEW\.sale_uid\)), or let its list name both columns\n/);
	my $before = pattern(qr/NOTICE:  BEFORE trigger (\S+) of table shop\.items comes before that of this recipe: where new code writes /,
		qr/sale_uid alone, it finds in sale_id NULL, or the value of before\. /);

	keeper(qq{
		DROP TABLE IF EXISTS items, sales CASCADE;
		TRUNCATE log;
		CREATE TABLE sales (id bigint @{[ $default ? 'GENERATED BY DEFAULT AS IDENTITY' : '' ]} PRIMARY KEY, n int);
		CREATE TABLE items (sale_id bigint REFERENCES sales, n int);
		INSERT INTO sales (id, n) VALUES (1, 1), (2, 2);
		CREATE OR REPLACE FUNCTION log_trigger()
		RETURNS trigger
		LANGUAGE plpgsql AS 'BEGIN INSERT INTO shop.log VALUES (TG_NAME); RETURN NEW; END';
		CREATE OR REPLACE FUNCTION log_sale()
		RETURNS trigger
		LANGUAGE plpgsql AS 'BEGIN INSERT INTO shop.log VALUES (TG_NAME || coalesce(NEW.sale_id, 0)); RETURN NEW; END';
		CREATE TRIGGER reads BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION log_sale();
		CREATE TRIGGER reads_after AFTER INSERT ON items FOR EACH ROW EXECUTE FUNCTION log_sale()});
	keeper(q(CREATE TRIGGER moved AFTER UPDATE OF sale_id ON items FOR EACH ROW EXECUTE FUNCTION log_trigger();
		CREATE TRIGGER fresh BEFORE INSERT ON items FOR EACH ROW WHEN (NEW.sale_id > 0) EXECUTE FUNCTION log_trigger();
		CREATE TRIGGER differs AFTER UPDATE ON items FOR EACH ROW WHEN (OLD.sale_id IS DISTINCT FROM NEW.sale_id)
			EXECUTE FUNCTION log_trigger())) if $default;
	my $said = play_step('prepare');
	my %missed = $said =~ /$misses/g;
	is(join(' ', sort keys %missed), $default ? 'moved' : '', "$kind: triggers on UPDATE OF the old column are named");
	is(join(' ', $said =~ /$before/g), $default ? 'fresh reads' : 'reads', 'and BEFORE triggers that read it');
	is(join(' ', $said =~ /NOTICE:  before do=(\w+) read function shop\.log_sale\(\)/g), $default ? 'drop' : '',
		'with what to do before drop, if another name is enough then');
	play_step('fill');
	keeper("CREATE OR REPLACE TRIGGER moved AFTER UPDATE ON items FOR EACH ROW $missed{moved} EXECUTE FUNCTION log_trigger()") if $default;
	$said = play_step('switch');
	is(join(' ', $said =~ /$misses/g), '', 'not so by switch, made as it says');
	is(join(' ', $said =~ /$before/g), $default ? 'fresh reads' : 'reads', 'which names the others again');
	is($new_code->(), $default ? 'differs moved reads0 reads_after1' : 'reads0 reads_after1', 'as they miss rows of new code, and no other does');
}

# A trigger that refuses some rows alone, and not the one that is tried: fill says in which table, and what to do.
keeper(q(
	DROP TABLE items, sales CASCADE;
	CREATE TABLE sales (id bigint PRIMARY KEY);
	CREATE TABLE items (sale_id bigint REFERENCES sales, closed bool);
	INSERT INTO sales SELECT generate_series(1, 9); INSERT INTO items SELECT id, id = 7 FROM sales;
	CREATE FUNCTION closed()
	RETURNS trigger
	LANGUAGE plpgsql AS $$
		BEGIN
			IF OLD.closed THEN
				RAISE 'the period is closed' USING DETAIL = 'Ask for it.';
			END IF;
			RETURN NEW;
		END$$;
	CREATE TRIGGER closed BEFORE UPDATE ON items FOR EACH ROW EXECUTE FUNCTION closed()));
play_step('prepare');
like(step($recipe, $shop, 'fill', variables => { table => 'shop.sales' })->{said},
	pattern(
		qr/ERROR:  do=fill could not write rows of shop\.items\.sale_uid: the period is closed \(PL\/pgSQL /,
		qr/function shop\.closed\(\) line 4 at RAISE\)\n/,
		qr/DETAIL:  Ask for it\.\n/,
		qr/HINT:  What is filled already stays\. Mend this, and run do=fill again\. If a trigger refuses /,
		qr/some rows, let it not fire for do=fill: make it WHEN/),
	'fill says whose rows a trigger refuses, and what to do');
keeper("CREATE OR REPLACE TRIGGER closed BEFORE UPDATE ON items FOR EACH ROW $condition EXECUTE FUNCTION closed()");
play_step($_) foreach qw(fill switch drop);

# The trigger of the page, in place of a default of a reference, gives the tenant by its old id or its
# new one, until drop and after it.
my ($own_tenant) = slurp_file(dirname(__FILE__)
	. '/../../../doc/changing-keys.md') =~ /^(CREATE OR REPLACE FUNCTION own_tenant\(\).*?END \$\$);$/ms;
foreach my $rename ('on', 'off')
{
	my $play = sub {
		return step($recipe, $shop, $_[0], variables => { table => 'shop.tenants',
			$_[0] eq 'prepare' ? (from => 'number') : $_[0] eq 'drop' ? (rename => $rename) : () })
	};
	my $inserts = sub {
		my ($app, $more) = @_;
		return keeper("SET app.tenant = '$app'; INSERT INTO notes (body) VALUES ('mine'); " . ($more // '')
			. '; SELECT count(*) FROM notes WHERE '
			. $_[2]
			. " IS NOT NULL")
	};
	my $n = 0;

	keeper(qq(
		DROP TABLE IF EXISTS notes, tenants;
		CREATE TABLE tenants (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
		CREATE TABLE notes (tenant_id bigint REFERENCES tenants, body text);
		INSERT INTO tenants DEFAULT VALUES));
	is($play->('prepare')->{status}, 0, 'prepare');
	keeper("$own_tenant; CREATE TRIGGER own_tenant BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION own_tenant()");
	my $uid = keeper('UPDATE tenants SET id = DEFAULT; SELECT uid FROM tenants');
	my $id = keeper('SELECT id FROM tenants');
	foreach my $step (qw(fill switch))
	{
		is($play->($step)->{status}, 0, $step);
		is($inserts->($_, '', 'tenant_id + 0'), ++$n, "after $step the trigger knows tenant $_") foreach $id, $uid;
	}
	is($play->('drop')->{status}, 0, 'drop');
	Recipes::disconnect();    # functions in PL/pgSQL that it has called keep the types of columns
	my $column = $rename eq 'on' ? 'tenant_id' : 'tenant_uid';
	is($inserts->($uid, "INSERT INTO notes ($column, body) VALUES ('$uid', 'given')", $column), $n + 2,
		"and after drop with rename=$rename");
}

done_testing();
