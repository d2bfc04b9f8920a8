# What change_key.psql refuses, with the way that helps: for keys that it would
# change, but whose tables it would leave in another state than their owner expects.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('refusals', 'bigint', q(nextval('play.n')), identity => 1);

sub prepares
{
	my ($table, %told) = @_;

	return step($recipe, $shop, 'prepare', variables => { table => $table, from => 'number', %told });
}

# Tables of their own, which SQL mends where it is given.
sub refuses
{
	my ($table, $made, $why, $mend) = @_;

	sql($shop->{database}, "SET ROLE keeper; $made");
	my $result = prepares($table);
	isnt($result->{status}, 0, "$table is refused");
	like($result->{said}, qr/WARNING:  $why.*cannot be changed like this/s, 'which says why');
	return if !$mend;
	sql($shop->{database}, "SET ROLE keeper; $mend");
	$result = prepares($table);
	is($result->{status}, 0, 'and is not, mended so') or diag($result->{said});
	return;
}

# A default of the old column, with a new one alone, would lead to another row.
refuses('shop.kinds', q(CREATE TABLE shop.kinds (id bigint PRIMARY KEY);
	CREATE TABLE shop.goods (kind_id bigint NOT NULL DEFAULT 1 REFERENCES shop.kinds)),
	'column kind_id of table shop.goods has a default', 'ALTER TABLE shop.goods ALTER kind_id DROP DEFAULT');

# A domain's rules hold for its own columns alone.
refuses('shop.invoices', q(
	CREATE DOMAIN shop.invoice_ref AS bigint NOT NULL CHECK (VALUE > 0);
	CREATE TABLE shop.invoices (id bigint PRIMARY KEY);
	CREATE TABLE shop.payments (invoice_id shop.invoice_ref REFERENCES shop.invoices)),
	'column invoice_id of table shop.payments is of domain shop.invoice_ref.*'
		. 'ALTER TABLE shop.payments ALTER COLUMN invoice_id TYPE bigint',
	'ALTER TABLE shop.payments ALTER COLUMN invoice_id TYPE bigint, ALTER invoice_id SET NOT NULL');

# Guids of one millisecond that differ only where a UUIDv7 has its time, its version and its variant.
{
	my %told = (table => 'shop.guids', from => 'v4', created => 'at');
	my $error = pattern(
		qr/ERROR:  table shop.guids has 0 keys without a new key, and 1 with the same new key as another\n/,
		qr/HINT:  Nothing has been changed\. Give each of these rows another millisecond in at: (.*)\n/);

	sql($shop->{database}, q(SET ROLE keeper; CREATE TABLE shop.guids (id uuid PRIMARY KEY, at timestamptz NOT NULL);
		INSERT INTO shop.guids
		VALUES ('1f3c9b2e-5d6a-4b7c-0000-08dc3c2a1b2c', '2026-01-01 00:00+00'),
			('2f3c9b2e-5d6a-4b7c-4000-08dc3c2a1b2c', '2026-01-01 00:00+00')));
	my $result = step($recipe, $shop, 'prepare', variables => \%told);
	my ($query) = $result->{said} =~ $error;
	ok($query, 'two keys that would become one are refused') or diag($result->{said});
	is(sql($shop->{database}, "SELECT cardinality(ids) FROM ($query) AS q (ids)"), 2, 'with a query that finds them');
	sql($shop->{database}, q(
		UPDATE shop.guids SET at = at + interval '1 ms' WHERE id = (SELECT max(id::text)::uuid FROM shop.guids)));
	foreach my $step (qw(prepare fill switch drop))
	{
		$result = step($recipe, $shop, $step, variables => { %told, table => 'shop.guids' });
		is($result->{status}, 0, "and are not, mended so: $step") or diag($result->{said});
	}
}

# A time that no UUID holds.
foreach ([ number => 'bigint', '1', 'infinity' ], [ v4 => 'uuid', 'gen_random_uuid()', '1960-01-01 00:00+00' ])
{
	my ($from, $type, $key, $time) = @$_;
	my $play = sub {
		return step($recipe, $shop, 'prepare',
			variables => { table => 'shop.endless', from => $from, created => 'at' })
	};

	sql($shop->{database}, qq(
		SET ROLE keeper;
		DROP TABLE IF EXISTS shop.endless;
		CREATE TABLE shop.endless (id $type PRIMARY KEY, at timestamptz NOT NULL);
		INSERT INTO shop.endless VALUES ($key, '$time')));
	my $result = $play->();
	my ($query)
		= $result->{said}
			=~ pattern(
				qr/ERROR:  table shop\.endless has rows whose time is in no UUID: [^\n]*\n/,
				qr/HINT:  Nothing has been changed\. [^\n]* Correct these rows first: (SELECT [^\n]*)\n/)
		or diag($result->{said});
	is(sql($shop->{database},
			"SELECT count(*) FROM (@{[ $query // 'SELECT WHERE true' ]} AND at = '$time') AS t"), 1,
		"$from: rows at $time are refused, with a query that finds them");
	sql($shop->{database}, 'UPDATE shop.endless SET at = now()');
	is($play->()->{status}, 0, 'and are not, corrected');
}

# Keys that become one after prepare has looked.
{
	my $step = sub { return step($recipe, $shop, $_[0], variables => { table => 'shop.spellings', from => 'uuid' }) };

	sql($shop->{database}, q(
		SET ROLE keeper;
		CREATE TABLE shop.spellings (id text PRIMARY KEY);
		INSERT INTO shop.spellings VALUES ('0b0e7c8e-0000-4000-8000-00000000000a')));
	is($step->('prepare')->{status}, 0, 'a key in one spelling');
	sql($shop->{database}, q(SET ROLE keeper; INSERT INTO shop.spellings SELECT upper(id) FROM shop.spellings));
	like($step->('fill')->{said}, qr/ERROR:  could not create unique index/, 'and then in two');
	like($step->('fill')->{said},
		pattern(
			qr/ERROR:  rows of table shop.spellings have the same new key\n/,
			qr/HINT:  Run do=back\. These rows are to be corrected first: SELECT array_agg\(id\) FROM /,
			qr/shop.spellings t GROUP BY \S+ HAVING count\(\*\) > 1\. Then begin again/),
		'which fill says when it is run again');
	is($step->('back')->{status}, 0, 'and that back helps');
	sql($shop->{database}, 'DELETE FROM shop.spellings WHERE id <> lower(id)');
	is($step->($_)->{status}, 0, "corrected: $_") foreach qw(prepare fill switch drop);
}

# Rows are named by columns that the new key is none of.
sql($shop->{database}, 'CREATE TABLE shop.parts (id bigint PRIMARY KEY); ALTER TABLE shop.parts OWNER TO keeper;
	CREATE PUBLICATION some_parts FOR TABLE shop.parts WHERE (id > 0)');
refuses('shop.parts', 'SELECT', 'publication some_parts names columns of table shop.parts, or rows',
	'RESET ROLE; ALTER PUBLICATION some_parts SET TABLE shop.parts');

# What groups by the primary key needs the constraint, which a switch drops.
refuses('shop.sums', q(CREATE TABLE shop.sums (id bigint PRIMARY KEY, n int);
	CREATE VIEW shop.sum AS SELECT id, n, count(*) FROM shop.sums GROUP BY id),
	'rule _RETURN on view shop.sum depends on constraint sums_pkey of table shop.sums', 'DROP VIEW shop.sum');

refuses('shop.trees', q(CREATE TABLE shop.trees (id bigint PRIMARY KEY, parent bigint REFERENCES shop.trees,
	parent_id bigint REFERENCES shop.trees)),
	'columns parent, parent_id of table shop.trees would both become parent_uid', 'ALTER TABLE shop.trees RENAME parent TO above');

# So it is with a reference that comes when the other one has its new column.
{
	my $play = sub {
		return step($recipe, $shop, $_[0],
			variables => { table => 'shop.partners', $_[0] eq 'prepare' ? (from => 'number') : () })
	};
	my $columns = q(
		SELECT string_agg(attname, ' ' ORDER BY attnum)
		FROM pg_attribute
		WHERE attrelid = 'shop.couples'::regclass AND attnum > 0 AND NOT attisdropped);

	sql($shop->{database}, q(
		SET ROLE keeper;
		CREATE TABLE shop.partners (id bigint PRIMARY KEY);
		CREATE TABLE shop.couples (a bigint, a_id bigint REFERENCES shop.partners);
		INSERT INTO shop.partners SELECT generate_series(1, 9); INSERT INTO shop.couples SELECT id, id FROM shop.partners));
	foreach my $stage (qw(prepare fill switch))
	{
		is($play->($stage)->{status}, 0, "the second reference: $stage");
		sql($shop->{database}, q(
			SET ROLE keeper;
			ALTER TABLE shop.couples ADD CONSTRAINT late FOREIGN KEY (a) REFERENCES shop.partners (id)));
		foreach my $step (qw(prepare fill switch drop), $stage eq 'switch' ? 'back' : ())
		{
			like($play->($step)->{said}, pattern(
				qr/ERROR:  nothing has been changed, because column a of table shop\.couples refers to /,
				qr/table shop\.partners only since do=prepare, and would become a_uid, as column a_id /,
				qr/does\n/,
				qr/HINT:  Rename column a, and run do=prepare and do=fill again\. Or drop its foreign key /,
				qr/until after do=drop: ALTER TABLE shop\.couples DROP CONSTRAINT late\n/),
				"which comes after $stage, is told by $step");
		}
		is(sql($shop->{database}, $columns), 'a a_id a_uid', 'and nothing has changed');
		if ($stage eq 'fill')
		{
			my $result = $play->('back');
			is($result->{status}, 0, 'back, which undoes prepare, is not refused') or diag($result->{said});
			is(sql($shop->{database}, $columns), 'a a_id', 'and takes the one column away');
		}
		sql($shop->{database}, 'SET ROLE keeper; ALTER TABLE shop.couples ' . ($stage eq 'switch'
			? 'RENAME a TO above'
			: 'DROP CONSTRAINT late'));
		next if $stage ne 'fill';
		is($play->($_)->{status}, 0, "the second reference: $_") foreach qw(prepare fill);
	}
	foreach my $step (qw(prepare fill back back))
	{
		my $result = $play->($step);
		is($result->{status}, 0, "renamed: $step") or diag($result->{said});
	}
	is(sql($shop->{database}, $columns), 'above a_id', 'all is as it was');
}

# What a trigger takes apart by the places of its columns changes its meaning; what it compares or passes on whole does not.
{
	my $archive = sub {
		return qq(
			CREATE OR REPLACE FUNCTION shop.archive()
			RETURNS trigger
			LANGUAGE plpgsql AS \$f\$BEGIN $_[0]; RETURN NULL; END\$f\$)
	};
	my $named = 'INSERT INTO shop.unfollowed (follower, followed) VALUES (OLD.follower, OLD.followed)';

	sql($shop->{database}, q(
		SET ROLE keeper;
		CREATE TABLE shop.users (id bigint PRIMARY KEY, boss bigint REFERENCES shop.users);
		CREATE TABLE shop.unfollowed (follower bigint, followed bigint);
		CREATE TABLE shop.follows (follower bigint NOT NULL REFERENCES shop.users, followed bigint NOT NULL REFERENCES shop.users)));
	sql($shop->{database}, 'SET ROLE keeper; ' . $archive->($named)
		. '; CREATE TRIGGER archive AFTER DELETE ON shop.follows FOR EACH ROW EXECUTE FUNCTION shop.archive()');
	foreach (
		'INSERT INTO shop.unfollowed VALUES (OLD.*)', 'INSERT INTO shop.unfollowed SELECT (old) . *',
		'INSERT INTO shop.unfollowed (SELECT OLD.*)', 'INSERT INTO shop.log SELECT now(), (OLD).*',
		'INSERT INTO shop.unfollowed SELECT ROW(OLD.*)',
		q(EXECUTE 'INSERT INTO shop.unfollowed SELECT $1.*' USING OLD),
		q(EXECUTE 'INSERT INTO shop.unfollowed SELECT ($1).*' USING TG_OP, OLD),
		q(RAISE DEBUG '--'; INSERT INTO shop.unfollowed VALUES (OLD.*)))
	{
		refuses('shop.users', $archive->($_),
			'function shop.archive\(\) of trigger archive takes rows of table shop.follows apart by the '
				. 'places of their columns, which change: let it name them',
			$archive->($named));
		sql($shop->{database}, 'SET ROLE keeper; ' . $archive->($_));
		like(step($recipe, $shop, 'switch', variables => { table => 'shop.users' })->{said},
			qr/ERROR:  nothing has been changed/, "and so by switch: $_")
			if /VALUES/;
		step($recipe, $shop, 'back', variables => { table => 'shop.users' });
	}
	foreach ('IF OLD.* IS DISTINCT FROM NEW.* THEN RETURN OLD; END IF',
		'IF ROW(OLD.*) IS DISTINCT FROM ROW(NEW.*) THEN RETURN OLD; END IF',
		'PERFORM to_jsonb(OLD.*), row_to_json(OLD)', 'PERFORM jsonb_build_object(TG_OP, OLD.*, 1, OLD.*)',
		'PERFORM now(), OLD.*::text', 'IF (ROW(OLD.*)) *<> (ROW(NEW.*)) THEN RETURN OLD; END IF',
		"/* VALUES (OLD.*) */ -- VALUES (OLD.*)\n RETURN OLD", q(EXECUTE 'SELECT $1.*' USING OLD.follower))
	{
		sql($shop->{database}, 'SET ROLE keeper; ' . $archive->($_));
		my $result = prepares('shop.users');
		is($result->{status}, 0, "not refused: $_") or diag($result->{said});
	}
	sql($shop->{database}, 'SET ROLE keeper; ' . $archive->($named));

	# Rows of a transition table.
	sql($shop->{database}, q(
		SET ROLE keeper;
		CREATE TABLE shop.texts (what text);
		CREATE TRIGGER gone AFTER DELETE ON shop.follows REFERENCING OLD TABLE AS "Gone rows"
		EXECUTE FUNCTION shop.archive()));
	step($recipe, $shop, 'back', variables => { table => 'shop.users' });
	foreach ('INSERT INTO shop.unfollowed SELECT * FROM "Gone rows"',
		'INSERT INTO shop.log SELECT TG_OP, now(), g.* FROM "Gone rows" g',
		'INSERT INTO shop.unfollowed (follower, followed) SELECT * FROM shop.texts, "Gone rows"',
		'INSERT INTO shop.unfollowed TABLE "Gone rows"', 'INSERT INTO shop.unfollowed (SELECT DISTINCT * FROM "Gone rows")',
		'INSERT INTO shop.unfollowed WITH g AS (SELECT * FROM "Gone rows") SELECT * FROM g',
		'WITH g AS MATERIALIZED (SELECT * FROM "Gone rows"), h AS (SELECT g.* FROM g) INSERT INTO shop.unfollowed TABLE h',
		q(RAISE DEBUG '-- a'; INSERT INTO shop.unfollowed SELECT * FROM "Gone rows"; RAISE DEBUG 'b'))
	{
		refuses('shop.users', $archive->($_),
			'function shop.archive\(\) of trigger gone takes rows of table shop.follows apart by the '
				. 'places of their columns, which change: let it name them, as in INSERT INTO ... \(a, b\) '
				. 'SELECT a, b in place of SELECT \*\n',
			$archive->('INSERT INTO shop.unfollowed (follower, followed) SELECT follower, followed FROM "Gone rows"'));
		step($recipe, $shop, 'back', variables => { table => 'shop.users' });
	}
	foreach ('INSERT INTO shop.texts SELECT to_jsonb(g.*)::text FROM "Gone rows" g',
		'INSERT INTO shop.texts SELECT count(*) FROM "Gone rows"',
		'INSERT INTO shop.unfollowed SELECT * FROM shop.unfollowed; PERFORM 1 FROM "Gone rows"',
		'INSERT INTO shop.texts SELECT 1 FROM shop.texts WHERE EXISTS (SELECT * FROM "Gone rows")',
		'INSERT INTO shop.unfollowed SELECT g.follower, 2 * g.followed FROM "Gone rows" g',
		'INSERT INTO shop.unfollowed WITH g AS (SELECT * FROM "Gone rows") SELECT g.follower, g.followed FROM g',
		'WITH g AS (SELECT follower, followed FROM "Gone rows") INSERT INTO shop.unfollowed SELECT * FROM g',
		'PERFORM * FROM "Gone rows"')
	{
		sql($shop->{database}, 'SET ROLE keeper; ' . $archive->($_));
		my $result = prepares('shop.users');
		is($result->{status}, 0, "not refused: $_") or diag($result->{said});
	}
	sql($shop->{database}, 'SET ROLE keeper; DROP TRIGGER gone ON shop.follows; ' . $archive->($named));
	foreach my $step (qw(fill switch drop))
	{
		my $result = step($recipe, $shop, $step, variables => { table => 'shop.users', $step eq 'drop' ? (rename => 'on') : () });
		is($result->{status}, 0, "named: $step") or diag($result->{said});
	}
	is(sql($shop->{database}, q(
			SELECT string_agg(attname, ' ' ORDER BY attnum)
			FROM pg_attribute
			WHERE attrelid = 'shop.follows'::regclass AND attnum > 0 AND NOT attisdropped)),
		'follower followed',
		'several references of a table keep their order');
}

# A trigger that comes after ours could set the old column, and rows would lack the new one.
foreach my $name ('zzz_link', 'заказ', 'zz_change_kez')
{
	refuses('shop.sold', qq(
		DROP TABLE IF EXISTS shop.sold_items, shop.sold;
		CREATE TABLE shop.sold (id bigint PRIMARY KEY, code text UNIQUE);
		CREATE TABLE shop.sold_items (code text, sold_id bigint REFERENCES shop.sold);
		INSERT INTO shop.sold SELECT n, n FROM generate_series(1, 10) n;
		CREATE OR REPLACE FUNCTION shop.link()
		RETURNS trigger
		LANGUAGE plpgsql AS '
			BEGIN
				SELECT id INTO NEW.sold_id FROM shop.sold s WHERE s.code = NEW.code;
				RETURN NEW;
			END';
		CREATE TRIGGER "$name" BEFORE INSERT ON shop.sold_items FOR EACH ROW EXECUTE FUNCTION shop.link();
		CREATE TRIGGER zzz_min_update BEFORE UPDATE ON shop.sold_items
		FOR EACH ROW
		EXECUTE FUNCTION suppress_redundant_updates_trigger();
		CREATE TRIGGER zzz_after AFTER INSERT ON shop.sold_items FOR EACH ROW EXECUTE FUNCTION shop.touch()),
		"trigger \"?$name\"? of table shop.sold_items comes after that of this recipe.*"
			. "ALTER TRIGGER .*RENAME TO a name before \"zz_change_key_sold_id\"",
		qq(ALTER TRIGGER "$name" ON shop.sold_items RENAME TO link));
	sql($shop->{database}, q(DROP TRIGGER zzz_after ON shop.sold_items; INSERT INTO shop.sold_items SELECT code FROM shop.sold));
	sql($shop->{database}, qq(SET ROLE keeper; ALTER TRIGGER link ON shop.sold_items RENAME TO "$name"));
	is(step($recipe, $shop, 'fill', variables => { table => 'shop.sold' })->{status}, 0, 'fill');
	is(sql($shop->{database}, 'SELECT count(*) FROM shop.sold_items JOIN shop.sold ON sold_uid = uid'), 10, 'and rows get both');
	like(step($recipe, $shop, 'switch', variables => { table => 'shop.sold' })->{said},
		qr/ERROR:  nothing has been changed: trigger "?$name/,
		'renamed meanwhile');
	is(step($recipe, $shop, 'back', variables => { table => 'shop.sold' })->{status}, 0, 'undone');
}

# Two changes would take each other's indexes for their own.
{
	sql($shop->{database}, q(
		SET ROLE keeper;
		CREATE TABLE shop.tags (id bigint PRIMARY KEY);
		CREATE TABLE shop.posts (id bigint PRIMARY KEY);
		CREATE TABLE shop.tagged (tag_id bigint REFERENCES shop.tags, post_id bigint REFERENCES shop.posts,
			PRIMARY KEY (tag_id, post_id))));
	is(prepares('shop.posts')->{status}, 0, 'the first change of a table') for 1 .. 2;
	refuses('shop.tags', 'SELECT', 'table shop.tagged has trigger zz_change_key_post_id of another change: first finish that one');
	is(step($recipe, $shop, 'back', variables => { table => 'shop.posts' })->{status}, 0, 'undone');
	is(prepares('shop.tags')->{status}, 0, 'it leaves the table to another');
}

# As Django makes them.
refuses('shop.carts', q(CREATE TABLE shop.carts (id bigint PRIMARY KEY);
	CREATE TABLE shop.wishes (cart_id bigint CONSTRAINT "Cart" REFERENCES shop.carts DEFERRABLE INITIALLY DEFERRED)),
	'foreign key "Cart" of table shop.wishes is deferrable.*'
		. ': ALTER TABLE shop.wishes ALTER CONSTRAINT "Cart" NOT DEFERRABLE meanwhile',
	'ALTER TABLE shop.wishes ALTER CONSTRAINT "Cart" NOT DEFERRABLE');

# Where the old key makes itself, new code that writes the line first would have no old key for it.
{
	my %told = (from => 'v1');

	sql($shop->{database}, q(SET ROLE keeper; CREATE TABLE shop.offers (id uuid PRIMARY KEY DEFAULT gen_uuidv1());
		CREATE TABLE shop.bids (offer_id uuid NOT NULL REFERENCES shop.offers DEFERRABLE)));
	like(prepares('shop.offers', %told)->{said},
		qr/WARNING:  foreign key bids_offer_id_fkey of table shop.bids is deferrable.*cannot be changed/s,
		'a deferrable reference to keys with a default');
	sql($shop->{database}, 'SET ROLE keeper; ALTER TABLE shop.offers ALTER id DROP DEFAULT');
	foreach my $step (qw(prepare fill switch))
	{
		my $result = step($recipe, $shop, $step, variables => { table => 'shop.offers', %told });
		is($result->{status}, 0, "without a default: $step") or diag($result->{said});
	}
	my (undef, undef, $error) = $node->psql($shop->{database}, q(SET ROLE keeper; BEGIN; SET CONSTRAINTS ALL DEFERRED;
		INSERT INTO shop.bids (offer_uid) VALUES ('019b0000-0000-6000-8000-000000000001');
		INSERT INTO shop.offers (uid) VALUES ('019b0000-0000-6000-8000-000000000001');
		COMMIT));
	is($error, '', 'new code may write the line first');
	my $result = step($recipe, $shop, 'drop', variables => { table => 'shop.offers' });
	is($result->{status}, 0, 'drop') or diag($result->{said});
}

# Keys that cannot be changed like this: why, and what helps.
foreach (
	[ 'id bigint, PRIMARY KEY (id) DEFERRABLE INITIALLY DEFERRED', '',
		'the primary key of table shop.seats is deferrable\nHINT:  First make it anew: (ALTER TABLE [^\n]*)' ],
	[ 'id bigint, day date, PRIMARY KEY (id, day) DEFERRABLE', 'PARTITION BY RANGE (day)',
		'the primary key of table shop.seats is deferrable\nHINT:  First make it anew: (ALTER TABLE [^\n]*)' ],
	[ 'id bigint', '', 'table shop.seats has no primary key of one column\nHINT:  Give it one first\.' ],
	[ 'id bigint, place int, PRIMARY KEY (id, place)', '', 'table shop.seats has no primary key of one column\n'
		. 'HINT:  Give it one first\. A key of several columns' ])
{
	my ($columns, $partitioned, $why) = @$_;

	sql($shop->{database}, "SET ROLE keeper; DROP TABLE IF EXISTS shop.seats; CREATE TABLE shop.seats ($columns) $partitioned");
	my $result = prepares('shop.seats');
	isnt($result->{status}, 0, "$columns: refused");
	like($result->{said}, qr/ERROR:  $why/, 'which says why, and what to do');
	my ($mend) = $result->{said} =~ /(ALTER TABLE [^\n]*)/ or next;
	sql($shop->{database}, "SET ROLE keeper; $mend");
	is(prepares('shop.seats')->{status}, 0, 'and is not, mended so');
	is(step($recipe, $shop, 'back', variables => { table => 'shop.seats' })->{status}, 0, 'undone');
}

# A constraint of a table that refers to it, made anew as the message says.
{
	sql($shop->{database}, q(SET ROLE keeper; CREATE TABLE shop.halls (id bigint PRIMARY KEY);
		CREATE TABLE shop.rows (hall_id bigint REFERENCES shop.halls, place int,
			CONSTRAINT "one Place" UNIQUE (hall_id, place) INCLUDE (place) DEFERRABLE INITIALLY DEFERRED)));
	my $result = prepares('shop.halls');
	like($result->{said},
		qr/WARNING:  constraint "one Place" of table shop.rows is deferrable: first ALTER TABLE/,
		'a deferrable UNIQUE');
	my ($mend) = $result->{said} =~ /first (ALTER TABLE [^\n]*)/;
	sql($shop->{database}, "SET ROLE keeper; $mend");
	is(prepares('shop.halls')->{status}, 0, 'is none any more');
	is(sql($shop->{database},
			q(SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'one Place')),
		'UNIQUE (hall_id, place) INCLUDE (place)', 'and otherwise the same');
}

# Names as SQL has them.
sql($shop->{database}, q(SET ROLE keeper; CREATE TABLE shop.people (id bigint PRIMARY KEY);
	CREATE TABLE shop.guests ("Referred By" bigint DEFAULT 1 REFERENCES shop.people)));
like(prepares('shop.people')->{said}, pattern(
	qr/WARNING:  column "Referred By" of table shop.guests has a default.*/,
	qr/give "Referred By_uid" one after do=drop/),
	'names are quoted where they need it');

# What its functions would be called alike is not.
{
	sql($shop->{database}, q(SET ROLE keeper; CREATE TABLE shop.teams (id bigint PRIMARY KEY);
		CREATE TABLE shop.item (group_id bigint REFERENCES shop.teams);
		CREATE TABLE shop.item_group (id bigint REFERENCES shop.teams)));
	my $result = prepares('shop.teams');
	is($result->{status}, 0, 'item.group_id and item_group.id') or diag($result->{said});
}

# A label is said to go, as its provider alone knows what it says.
{
	sql($shop->{database}, q(
		SET ROLE keeper;
		CREATE TABLE shop.secrets (id bigint PRIMARY KEY);
		RESET ROLE;
		SET allow_system_table_mods = on;
		INSERT INTO pg_seclabel VALUES ('shop.secrets'::regclass, 'pg_class'::regclass, 1, 'none', 'secret')));
	my $result = prepares('shop.secrets');
	like($result->{said},
		qr/NOTICE:  before do=drop, create this again.*security label of column id of table shop.secrets/,
		'a label that would go');
}

# Triggers with the rights of another owner, whose table's type its own could change.
sql($shop->{database}, 'CREATE ROLE other; GRANT other TO keeper; GRANT CREATE ON SCHEMA shop TO other');
sql($shop->{database}, q(SET ROLE keeper; CREATE TABLE shop.clubs (id bigint PRIMARY KEY);
	CREATE TABLE shop.members (n int, club_id bigint REFERENCES shop.clubs); ALTER TABLE shop.members OWNER TO other));
like(prepares('shop.clubs')->{said},
	qr/ERROR:  table shop.members belongs to role other, whose code would run with the rights of role keeper/,
	'a table of a role that the owner is a member of');
sql($shop->{database}, 'SET ROLE keeper; ALTER TABLE shop.members OWNER TO keeper');
is(prepares('shop.clubs')->{status}, 0, 'and when both have one owner');

# Who inserts calls the DEFAULT to be, which drop sets.
sql($shop->{database}, 'REVOKE EXECUTE ON FUNCTION gen_uuidv7() FROM PUBLIC; GRANT EXECUTE ON FUNCTION gen_uuidv7() TO keeper');
refuses('shop.notes', 'CREATE TABLE shop.notes (id bigint PRIMARY KEY); GRANT INSERT ON shop.notes TO other',
	'role other inserts into table shop.notes, whose DEFAULT will call \S*gen_uuidv7\(\): GRANT '
		. 'EXECUTE ON FUNCTION \S*gen_uuidv7\(\) TO other',
	'RESET ROLE; GRANT EXECUTE ON FUNCTION gen_uuidv7() TO other');
sql($shop->{database}, 'GRANT EXECUTE ON FUNCTION gen_uuidv7() TO PUBLIC');

# What others by default give a role is none of this change's.
sql($shop->{database},
	q(
		ALTER DEFAULT PRIVILEGES IN SCHEMA shop GRANT SELECT ON TABLES TO keeper;
		SET ROLE keeper;
		CREATE TABLE shop.plain (id bigint PRIMARY KEY)));
is(prepares('shop.plain')->{status}, 0, "a default of another's tables");

# A filter by a column that stays
sql($shop->{database}, 'SET ROLE keeper; CREATE TABLE shop.boxes (id bigint PRIMARY KEY);
	CREATE TABLE shop.things (n int, box_id bigint REFERENCES shop.boxes, PRIMARY KEY (box_id, n));
	RESET ROLE; CREATE PUBLICATION some_things FOR TABLE shop.things WHERE (n > 0)');
is(prepares('shop.boxes')->{status}, 0, 'a publication that filters by another column');

# Rows of a subscription are found by the publisher's key.
{
	sql($shop->{database}, subscription($shop));
	my $result = prepares('shop.orders');
	like($result->{said},
		pattern(
			qr/WARNING:  a subscription fills table shop.lines.*/s,
			qr/WARNING:  a subscription fills table shop.orders.*cannot be changed/s),
		'a table of a subscriber');
	sql($shop->{database}, 'DROP SUBSCRIPTION fills');
}

{
	sql($shop->{database}, q(SET ROLE keeper; CREATE TABLE shop.days (id bigint PRIMARY KEY, day date, at timestamptz)));
	like(prepares('shop.days', created => 'day')->{said},
		qr/NOTICE:  column day has no time zone: its times are read as UTC/, 'a day begins in UTC');
	unlike(prepares('shop.days')->{said}, qr/no time zone/, 'which is said once');
	is(step($recipe, $shop, 'back', variables => { table => 'shop.days' })->{status}, 0, 'undone');
	unlike(prepares('shop.days', created => 'at')->{said}, qr/no time zone/, 'nor where there is one');
}

# Whose clock a column without a time zone shows is told by who knows it.
{
	my %told = (created => 'at', tz => 'Asia/Tokyo');

	sql($shop->{database}, q(SET ROLE keeper; CREATE TABLE shop.shifts (id bigint PRIMARY KEY, at timestamp);
		INSERT INTO shop.shifts VALUES (1, '2026-03-01 08:00'), (2, '2026-03-01 10:00')));
	like(prepares('shop.shifts', %told, tz => 'Asia/Edo')->{said},
		qr/ERROR:  time zone "Asia\/Edo" not recognized/, 'a time zone that does not exist');
	like(prepares('shop.shifts', %told)->{said},
		qr/NOTICE:  column at has no time zone: its times are read as Asia\/Tokyo/, 'one that does');
	like(step($recipe, $shop, 'fill', variables => { table => 'shop.shifts', tz => 'UTC' })->{said},
		qr/ERROR:  do=prepare was run with tz="Asia\/Tokyo", not "UTC"/, 'holds for later steps');
	is(step($recipe, $shop, 'fill', variables => { table => 'shop.shifts' })->{status}, 0, 'which need not name it');
	is(sql($shop->{database}, q(
		SELECT string_agg(to_char(uuid_time(uid) AT TIME ZONE 'UTC', 'DD HH24:MI'), ', ' ORDER BY id)
		FROM shop.shifts)),
		'28 23:00, 01 01:00', 'and gives the new keys the time that was meant');
}

# What keeps a row as it is would keep fill going for ever.
{
	my $fill = sub { return step($recipe, $shop, 'fill', variables => { table => 'shop.deeds' }) };

	sql($shop->{database}, q(
		SET ROLE keeper;
		CREATE TABLE shop.deeds (id bigint PRIMARY KEY, sealed bool);
		INSERT INTO shop.deeds SELECT n, n % 2 = 0 FROM generate_series(1, 1000) n;
		CREATE FUNCTION shop.seal() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF OLD.sealed THEN RETURN NULL; END IF; RETURN NEW; END';
		CREATE TRIGGER seal BEFORE UPDATE ON shop.deeds FOR EACH ROW EXECUTE FUNCTION shop.seal()));
	is(prepares('shop.deeds')->{status}, 0, 'a table of which some rows stay as they are');
	like($fill->()->{said},
		qr/ERROR:  a trigger or a rule keeps rows of table shop.deeds from being updated\nHINT:  .* ctid = '\(\d+,\d+\)'/,
		'ends, and says why');
	sql($shop->{database}, q(CREATE OR REPLACE FUNCTION shop.seal() RETURNS trigger LANGUAGE plpgsql AS
		'
			BEGIN
				IF pg_trigger_depth() > 1 THEN
					RETURN NEW;
				END IF;
				UPDATE shop.deeds SET uid = NEW.uid WHERE id = OLD.id;
				RETURN NULL;
			END'));
	is($fill->()->{status}, 0, 'and is filled by a trigger that does it by itself');
}

# Of an index for LIKE no second index of the new column is made, where there is another.
{
	sql($shop->{database}, q(
		SET ROLE keeper;
		CREATE TABLE shop.words (id varchar(36) PRIMARY KEY);
		CREATE INDEX words_like ON shop.words (id varchar_pattern_ops);
		CREATE TABLE shop.uses (word_id varchar(36) REFERENCES shop.words);
		CREATE INDEX uses_like ON shop.uses (word_id varchar_pattern_ops)));
	like(prepares('shop.words', from => 'uuid')->{said},
		qr/NOTICE:  do=drop drops index shop.words_like for LIKE/, 'an index for LIKE');
	is(step($recipe, $shop, $_, variables => { table => 'shop.words' })->{status}, 0, $_) foreach qw(fill switch drop);
	is(sql($shop->{database},
		q(
			SELECT string_agg(indexrelid::regclass::text, ' ' ORDER BY indexrelid::regclass::text)
			FROM pg_index
			WHERE indrelid IN ('shop.words'::regclass, 'shop.uses'::regclass))),
		'shop.uses_like shop.words_pkey', 'has no successor beside the primary key');
}

done_testing();
