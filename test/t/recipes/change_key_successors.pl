# change_key.psql where rows of new code have no old key: whatever judges rows by an old
# column names the new one before the switch.  Then nothing is shown to another tenant,
# no valid row is refused and no wrong one is taken; and back takes nothing away.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $recipe = new_recipe(file => 'change_key.psql');
my $shop = new_shop('successors', 'bigint', q(nextval('play.n')), identity => 1,
	more => 'CREATE EXTENSION btree_gist; GRANT CREATE ON SCHEMA shop TO keeper; GRANT USAGE ON SCHEMA shop TO app');
my $new = q('019b0000-0000-7000-8000-000000000001');
my $other = q('019b0000-0000-7000-8000-000000000002');

# Rooms whose ids the application makes, and bookings of them.
sub rooms
{
	my ($bookings, $made) = @_;

	sql($shop->{database}, qq(SET ROLE keeper; SET search_path = shop, public;
		DROP SCHEMA IF EXISTS hotel CASCADE; RESET ROLE; CREATE SCHEMA hotel AUTHORIZATION keeper; GRANT USAGE ON SCHEMA hotel TO app;
		SET ROLE keeper; SET search_path = hotel, public;
		CREATE TABLE rooms (id uuid PRIMARY KEY, name text NOT NULL, above uuid REFERENCES rooms,
			made_at timestamptz NOT NULL DEFAULT now());
		CREATE TABLE bookings (n int GENERATED ALWAYS AS IDENTITY, room_id uuid REFERENCES rooms, guest_id int,
			day int NOT NULL DEFAULT 1, during int4range, $bookings);
		INSERT INTO rooms SELECT gen_random_uuid(), 'room ' || n FROM generate_series(1, 20) n;
		INSERT INTO bookings (room_id, day) SELECT id, row_number() OVER () FROM rooms));
	sql($shop->{database}, "SET ROLE keeper; SET search_path = hotel, public; $made");
	sql($shop->{database}, 'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA hotel TO app');
	return;
}

sub play_step { return step($recipe, $shop, $_[0], variables => { table => 'hotel.rooms', from => 'v4', created => 'made_at' }) }

sub goes
{
	my ($step, $what) = @_;
	my $result = play_step($step);

	is($result->{status}, 0, "$what: $step") or diag($result->{said});
	return $result->{said};
}

# What the application gets: the result, or the message of the error.
sub app
{
	my ($sql) = @_;
	my ($status, $out, $error) = $node->psql($shop->{database}, "SET ROLE app; SET search_path = hotel, public; $sql");

	return $error =~ /ERROR:  ([^\n]*)/ ? $1 : $out;
}

my $two_rooms = "INSERT INTO rooms (uid, name) VALUES ($new, 'new'), ($other, 'other');";

# Of each kind of object over an old column: what it is called, how it is made, how its
# owner mends it, and what new code does, with what it gets.
my $duplicate = 'duplicate key value violates unique constraint';
my $twice = qr/(?:$duplicate "seats_\d_room_uid_n_key|one_seat|seats_\d_room_id_n_key(?:_new)?")/;
my @kinds = (
	{ what => 'policy mine on table hotel.bookings', made => q(ALTER TABLE bookings ENABLE ROW LEVEL SECURITY;
			CREATE POLICY mine ON bookings TO app USING (room_id IS NULL OR room_id::text = current_setting('app.room', true))),
		mend => q(
			ALTER POLICY mine ON bookings USING (
				room_uid IS NULL OR current_setting('app.room', true) IN (room_id::text, room_uid::text))),
		does => [ "$two_rooms SET app.room = $new; INSERT INTO bookings (room_uid) VALUES ($new); SELECT count(*) FROM bookings" => '1',
			"SET app.room = $other; SELECT count(*) FROM bookings" => '0' ] },
	{ what => 'policy theirs on table hotel.guests', made => q(
		CREATE TABLE guests (n int);
		INSERT INTO guests VALUES (1);
		ALTER TABLE guests ENABLE ROW LEVEL SECURITY;
			CREATE POLICY theirs ON guests TO app USING (EXISTS (SELECT FROM bookings WHERE room_id IS NULL))),
		mend => 'ALTER POLICY theirs ON guests USING (EXISTS (SELECT FROM bookings WHERE room_id IS NULL AND room_uid IS NULL))',
		does => [ "$two_rooms INSERT INTO bookings (room_uid) VALUES ($new); SELECT count(*) FROM guests" => '0' ] },
	{ what => 'constraint one_target on table hotel.bookings',
		bookings => 'CONSTRAINT one_target CHECK (num_nonnulls(room_id, guest_id) = 1)',
		mend => q(
			ALTER TABLE bookings ADD CONSTRAINT one_new_target CHECK (num_nonnulls(room_uid, guest_id) = 1),
				DROP CONSTRAINT one_target),
		does => [ "$two_rooms INSERT INTO bookings (room_uid) VALUES ($new)" => '',
			"INSERT INTO bookings (room_uid, guest_id) VALUES ($new, 1)"
				=> 'new row for relation "bookings" violates check constraint "one_new_target"' ] },
	{ what => 'constraint no_overlap on table hotel.bookings', made => q(
		ALTER TABLE bookings ADD CONSTRAINT no_overlap EXCLUDE USING gist (room_id WITH =, during WITH &&)),
		mend => 'ALTER TABLE bookings ADD CONSTRAINT no_new_overlap EXCLUDE USING gist (room_uid WITH =, during WITH &&)',
		does => [ "$two_rooms INSERT INTO bookings (room_uid, during) VALUES ($new, '[1,3)'), ($other, '[1,3)')" => '',
			"INSERT INTO bookings (room_uid, during) VALUES ($new, '[2,4)')"
				=> 'conflicting key value violates exclusion constraint "no_new_overlap"' ] },
	{ what => 'index hotel.roots', made => 'CREATE UNIQUE INDEX roots ON rooms (name) WHERE above IS NULL',
		mend => 'DROP INDEX roots; CREATE UNIQUE INDEX roots ON rooms (name) WHERE above_uid IS NULL',
		does => [ qq(
			$two_rooms INSERT INTO rooms (uid, name, above_uid) VALUES (gen_uuidv7(), 'suite', $new),
				(gen_uuidv7(), 'suite', $other)) => '',
			q(INSERT INTO rooms (uid, name) VALUES (gen_uuidv7(), 'new')) => 'duplicate key value violates unique constraint "roots"' ] },
	{ what => 'index hotel.once', made => q(CREATE UNIQUE INDEX once ON bookings (coalesce(room_id::text, 'none'), day)),
		mend => q(DROP INDEX once; CREATE UNIQUE INDEX once ON bookings (coalesce(room_uid::text, 'none'), day)),
		does => [ "$two_rooms INSERT INTO bookings (room_uid) VALUES ($new), ($other)" => '',
			"INSERT INTO bookings (room_uid) VALUES ($new)" => 'duplicate key value violates unique constraint "once"' ] },
	{ what => 'index hotel.without_room', made => 'CREATE INDEX without_room ON bookings (day) WHERE room_id IS NULL',
		mend => 'CREATE INDEX without_new_room ON bookings (day) WHERE room_uid IS NULL',
		does => [ "$two_rooms SELECT count(*) FROM bookings WHERE room_uid IS NULL" => '0' ] },
	{ what => 'index hotel.one_a_day, NULLS NOT DISTINCT',
		bookings => 'CONSTRAINT one_a_day UNIQUE NULLS NOT DISTINCT (room_id, day)',
		mend => 'said',
		does => [ "$two_rooms INSERT INTO bookings (room_uid) VALUES ($new), ($other)" => '',
			"INSERT INTO bookings (room_uid) VALUES ($new)" => 'duplicate key value violates unique constraint "one_a_day"' ] },
	{ what => 'index hotel.one_a_day, NULLS NOT DISTINCT',
		made => 'CREATE UNIQUE INDEX one_a_day ON bookings (room_id, day) NULLS NOT DISTINCT',
		mend => 'said',
		does => [ "$two_rooms INSERT INTO bookings (room_uid) VALUES ($new), ($other)" => '',
			"INSERT INTO bookings (room_uid) VALUES ($new)" => 'duplicate key value violates unique constraint "one_a_day"' ] },
	{ what => 'index hotel.one_seat, NULLS NOT DISTINCT', made => q(
		CREATE TABLE seats (
			room_id uuid REFERENCES rooms, n int, CONSTRAINT one_seat UNIQUE NULLS NOT DISTINCT (room_id, n))
		PARTITION BY HASH (n);
		CREATE TABLE seats_0 PARTITION OF seats FOR VALUES WITH (MODULUS 2, REMAINDER 0);
		CREATE TABLE seats_1 PARTITION OF seats FOR VALUES WITH (MODULUS 2, REMAINDER 1)),
		mend => 'said',
		does => [ "$two_rooms INSERT INTO seats (room_uid, n) VALUES ($new, 1), ($other, 1), ($new, 2)" => '',
			"INSERT INTO seats (room_uid, n) VALUES ($new, 1)" => $twice ] },
	{ what => 'default value for column floor of table hotel.bookings',
		bookings => q(floor text GENERATED ALWAYS AS (left(room_id::text, 1)) STORED),
		mend => 'ALTER TABLE bookings DROP floor, ADD floor text GENERATED ALWAYS AS (left(room_uid::text, 1)) STORED',
		does => [ "$two_rooms INSERT INTO bookings (room_uid) VALUES ($new) RETURNING floor" => '0' ] },
	{ what => 'rule _RETURN on view hotel.booked',
		made => 'CREATE VIEW booked AS SELECT name, day FROM bookings JOIN rooms ON id = room_id',
		mend => 'CREATE OR REPLACE VIEW booked AS SELECT name, day FROM bookings JOIN rooms ON uid = room_uid',
		does => [ "$two_rooms INSERT INTO bookings (room_uid) VALUES ($new); SELECT day FROM booked WHERE name = 'new'" => '1' ] },
	{ what => 'rule _RETURN on view hotel.names', made => q(
		CREATE VIEW named AS SELECT name AS "a (name)", id AS room FROM rooms;
		CREATE VIEW names AS SELECT "a (name)" AS name FROM named WHERE room IS NOT NULL),
		mend => q(
			CREATE OR REPLACE VIEW named AS SELECT name AS "a (name)", id AS room, uid AS new_room FROM rooms;
			CREATE OR REPLACE VIEW names AS SELECT "a (name)" AS name FROM named WHERE new_room IS NOT NULL),
		does => [ "$two_rooms SELECT count(*) FROM names WHERE name = 'new'" => '1' ] },
	{ what => 'policy theirs on table hotel.guests', made => q(
		CREATE VIEW booked AS SELECT room_id AS room, day FROM bookings UNION ALL SELECT NULL, 0;
		CREATE VIEW booked_rooms AS SELECT room AS of FROM booked;
		CREATE TABLE guests (room text);
		ALTER TABLE guests ENABLE ROW LEVEL SECURITY;
		CREATE POLICY theirs ON guests TO app USING (room IN (SELECT of::text FROM booked_rooms))),
		mend => q(
			CREATE OR REPLACE VIEW booked AS SELECT room_id AS room, day, room_uid AS new_room FROM bookings
			UNION ALL SELECT NULL, 0, NULL;
			CREATE OR REPLACE VIEW booked_rooms AS SELECT room AS of, new_room FROM booked;
			ALTER POLICY theirs ON guests USING (
				room IN (SELECT of::text FROM booked_rooms UNION ALL SELECT new_room::text FROM booked_rooms))),
		does => [ qq(
			$two_rooms INSERT INTO bookings (room_uid) VALUES ($new);
			INSERT INTO guests VALUES ($new);
			SELECT count(*) FROM guests) => '1' ] },
	{ what => 'trigger moved on table hotel.bookings', made => q(
		CREATE FUNCTION moved() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''moved''; END';
		CREATE TRIGGER moved AFTER UPDATE OF room_id ON bookings FOR EACH ROW EXECUTE FUNCTION moved()),
		mend => q(
			DROP TRIGGER moved ON bookings;
			CREATE TRIGGER moved AFTER UPDATE OF room_id, room_uid ON bookings
			FOR EACH ROW
			EXECUTE FUNCTION moved()),
		does => [ "$two_rooms UPDATE bookings SET room_uid = $new" => 'moved' ] },
	{ what => 'trigger given on table hotel.bookings', made => q(
		CREATE FUNCTION given() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no room''; END';
		CREATE TRIGGER given AFTER INSERT ON bookings
		FOR EACH ROW
		WHEN (NEW.room_id IS NULL)
		EXECUTE FUNCTION given()),
		mend => q(
			DROP TRIGGER given ON bookings;
			CREATE TRIGGER given AFTER INSERT ON bookings
			FOR EACH ROW
			WHEN (NEW.room_id IS NULL AND NEW.room_uid IS NULL)
			EXECUTE FUNCTION given()),
		does => [ "$two_rooms INSERT INTO bookings (room_uid) VALUES ($new)" => '',
			'INSERT INTO bookings DEFAULT VALUES' => 'no room' ] },
	{ what => 'function hotel.days(text)', made => q(
		CREATE FUNCTION days(named text)
		RETURNS bigint
		LANGUAGE sql BEGIN ATOMIC
			SELECT count(*) FROM bookings JOIN rooms ON id = room_id WHERE name = named;
		END),
		mend => q(
			CREATE OR REPLACE FUNCTION days(named text)
			RETURNS bigint
			LANGUAGE sql BEGIN ATOMIC
				SELECT count(*) FROM bookings JOIN rooms ON uid = room_uid WHERE name = named;
			END),
		does => [ "$two_rooms INSERT INTO bookings (room_uid) VALUES ($new); SELECT days('new')" => '1' ] },
	{ what => 'constraint of_day on table hotel.bookings', made => q(
		CREATE TABLE days (room uuid, day int, new_room uuid, UNIQUE (room, day), UNIQUE (new_room, day));
		INSERT INTO days SELECT room_id, day FROM bookings;
			ALTER TABLE bookings ADD CONSTRAINT of_day FOREIGN KEY (room_id, day) REFERENCES days (room, day)),
		mend => q(
			UPDATE days SET new_room = uid FROM rooms WHERE id = room;
			ALTER TABLE bookings ADD CONSTRAINT of_new_day FOREIGN KEY (
				room_uid, day) REFERENCES days (new_room, day)),
		does => [ qq(
			$two_rooms INSERT INTO bookings (room_uid) VALUES ($new))
			=> 'insert or update on table "bookings" violates foreign key constraint "of_new_day"' ] });

foreach my $kind (@kinds)
{
	my $what = $kind->{what};

	rooms($kind->{bookings} // 'CHECK (day > 0)', $kind->{made} // 'SELECT');
	like(goes('prepare', $what),
		qr/NOTICE:  before do=switch, change this so that it also names the new column.*\Q$what\E/,
		"prepare says that $what is needed before the switch");
	goes('fill', $what);
	my $result = play_step('switch');
	isnt($result->{status}, 0, "$what: switch is refused");
	like($result->{said}, pattern(
		qr/WARNING:  \Q$what\E would find NULL in column \w+ of table hotel.\w+: .*/s,
		qr/ERROR:  nothing has been changed/),
		'and says why');
	my ($said) = $result->{said} =~ /WARNING:  \Q$what\E would find NULL in column \w+ of table [^:]+: ([^\n]*)/;
	sql($shop->{database}, 'SET ROLE keeper; SET search_path = hotel, public; ' . ($kind->{mend} eq 'said' ? $said : $kind->{mend}));
	goes('switch', "$what, mended");
	my @does = @{ $kind->{does} };
	while (my ($does, $gets) = splice @does, 0, 2)
	{
		ref $gets ? like(app($does), $gets, "$what, new code: $does") : is(app($does), $gets, "$what, new code: $does");
	}
	goes('drop', $what) if $kind->{mend} eq 'said';
}

#
# The policy of the page: no row is shown to another tenant, and none without a tenant to anybody.
#
{
	my $page = slurp_file(dirname(__FILE__) . '/../../../doc/changing-keys.md');
	my ($policy) = $page =~ /`(ALTER POLICY mine ON notes USING \(current_setting[^`]*)`/;
	my ($view) = $page =~ /`(CREATE OR REPLACE VIEW my_notes [^`]*)`/;
	my $count = 'SELECT string_agg(n::text, $$ $$ ORDER BY n) FROM notes';
	my ($of_old, $of_new) = (q('10000000-0000-4000-8000-000000000001'), $new);

	rooms('CHECK (day > 0)', qq(DELETE FROM bookings; DELETE FROM rooms; INSERT INTO rooms (id, name) VALUES ($of_old, 'old');
		CREATE TABLE notes (tenant_id uuid REFERENCES rooms, n int); INSERT INTO notes VALUES ($of_old, 1), (NULL, 2);
		ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
		CREATE POLICY mine ON notes TO app USING (tenant_id::text = current_setting('app.tenant'));
		CREATE VIEW my_notes AS SELECT tenant_id, n FROM notes));
	goes($_, 'the policy of the page') foreach qw(prepare fill);
	sql($shop->{database}, "SET ROLE keeper; SET search_path = hotel, public; $policy");
	like(play_step('switch')->{said}, qr/view hotel.my_notes would find NULL in column tenant_id/,
		'beside a view that names the old column alone');
	sql($shop->{database}, "SET ROLE keeper; SET search_path = hotel, public; $view");
	goes('switch', 'the policy and the view of the page');
	is(app(qq(
			SET app.tenant = $of_new;
			INSERT INTO rooms (uid, name) VALUES ($new, 'new');
			INSERT INTO notes (tenant_uid, n) VALUES ($new, 3);
			$count)), '3', 'a tenant of new code has its row');
	is(app("SET app.tenant = $of_old; $count"), '1', 'and one of old code its own');
	is(app(qq(
			SELECT set_config('app.tenant', (SELECT uid::text FROM rooms WHERE name = 'old'), false) IS NULL;
			$count)), "f\n1", 'by the new id, too');
	is(app("SELECT count(tenant_uid) FROM my_notes"), '2', 'and the view shows the notes of both');
	is(app("SET app.tenant = ''; $count"), '', 'a row without a tenant is shown to nobody');
}

#
# A view's column is asked for only if it is an old one, wherever that stands in the view's query.
#
{
	rooms('CHECK (day > 0)', q(
		CREATE VIEW days AS SELECT day FROM (SELECT room_id, day FROM bookings) AS b WHERE room_id IS NOT NULL;
		CREATE VIEW long_days AS SELECT count(*) FROM days WHERE day > 3;
		CREATE VIEW "a { view" AS WITH b AS (SELECT day, room_id AS "of } room" FROM bookings) SELECT "of } room", day FROM b;
		CREATE VIEW of_rooms AS SELECT "of } room" FROM "a { view"));
	my $said = goes('prepare', 'views of views');
	unlike($said, qr/view hotel.long_days/, 'a view of another column is not asked for');
	like($said, qr/rule _RETURN on view hotel.$_/, "view $_ is") foreach qw(days "a of_rooms);
	goes('fill', 'views of views');
	sql($shop->{database}, q(SET ROLE keeper; SET search_path = hotel, public; DROP VIEW "a { view" CASCADE;
		CREATE OR REPLACE VIEW days AS SELECT day FROM (SELECT room_uid, day FROM bookings) AS b WHERE room_uid IS NOT NULL));
	goes('switch', 'views of views');
}

#
# What a partition computes as its table does is said once.
#
{
	rooms('CHECK (day > 0)', q(
		CREATE TABLE stays (room_id uuid REFERENCES rooms, n int,
			floor text GENERATED ALWAYS AS (left(room_id::text, 1)) STORED)
		PARTITION BY HASH (n);
		CREATE TABLE stays_0 PARTITION OF stays FOR VALUES WITH (MODULUS 1, REMAINDER 0)));
	my $said = goes('prepare', 'a computed column of partitions');
	like($said, qr/default value for column floor of table hotel.stays\n/, 'the column is asked for');
	unlike($said, qr/floor of table hotel.stays_0/, 'and not for each partition');
	goes('fill', 'a computed column of partitions');
	sql($shop->{database}, q(
		SET ROLE keeper;
		ALTER TABLE hotel.stays DROP floor, ADD floor text GENERATED ALWAYS AS (left(room_uid::text, 1)) STORED));
	my $back = play_step('back');
	like($back->{said}, qr/would take with it: default value for column floor of table hotel.stays\n/, 'by back, too');
	goes('switch', 'a computed column of partitions');
}

#
# A body that reads a view of the table is told, like one that reads the table.
#
{
	rooms('CHECK (day > 0)', q(CREATE VIEW named AS SELECT id AS room, name FROM rooms;
		CREATE FUNCTION name_of(r uuid) RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT name FROM named WHERE room = r); END'));
	like(goes('prepare', 'a body over a view'),
		qr/NOTICE:  before do=switch read function hotel.name_of\(uuid\)[^\n]*: its body names that/,
		'the function is told');
}

#
# With a default of the old key no row comes without it: what is over it holds till drop.
#
{
	rooms('CONSTRAINT one_target CHECK (num_nonnulls(room_id, guest_id) = 1)',
		'ALTER TABLE rooms ALTER id SET DEFAULT gen_random_uuid()');
	unlike(goes('prepare', 'a default'), qr/before do=switch/, 'nothing is needed before the switch');
	goes($_, 'a default') foreach qw(fill switch);
	is(app("$two_rooms INSERT INTO bookings (room_uid) VALUES ($new)"), '', 'a row of new code has both keys');
	is(app("INSERT INTO bookings (room_uid, guest_id) VALUES ($new, 1)"),
		'new row for relation "bookings" violates check constraint "one_target"', 'by which it is judged');
	like(play_step('drop')->{said},
		qr/ERROR:  nothing has been changed, because the old column would take with it: constraint one_target/,
		'until the old one goes');
}

done_testing();
