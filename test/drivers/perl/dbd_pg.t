# DBD::Pg: ids are strings, times are strings and need a cast.

use strict;
use warnings;

use DBD::Pg qw(:pg_types);
use DBI;
use Test::More;

my $dbh = DBI->connect('dbi:Pg:', undef, undef, { RaiseError => 1, PrintError => 0, AutoCommit => 1 });

open my $schema, '<', '../schema.sql' or die $!;
$dbh->do(do { local $/; <$schema> });

my ($id, $milliseconds) = $dbh->selectrow_array(
	q{INSERT INTO bookings (guest) VALUES (?) RETURNING id, floor(extract(epoch FROM uuid_time(id)) * 1000)},
	undef, 'Ada');
like($id, qr/^[0-9a-f]{8}-[0-9a-f]{4}-7/, 'version 7');
is(hex(substr($id, 0, 8)) * 65536 + hex(substr($id, 9, 4)), $milliseconds, 'the time in it');
cmp_ok(abs(time - $milliseconds / 1000), '<', 60, 'is now');

my $insert = $dbh->prepare('INSERT INTO events VALUES (?, ?) RETURNING tableoid::regclass');
$insert->execute('019c167f-cbff-7000-8000-000000000001', 'before');
is($insert->fetchall_arrayref->[0][0], 'events_2026_01', 'an id of the client, in January');
$insert->execute('019c167f-cc00-7000-8000-000000000001', 'after');
is($insert->fetchall_arrayref->[0][0], 'events_2026_02', 'and one in February');

my @february = ('2026-02-01T00:00Z', '2026-03-01T00:00Z');
is_deeply(
	$dbh->selectcol_arrayref('SELECT what FROM events WHERE id >= ?::timestamptz AND id < ?::timestamptz', undef, @february),
	['after'], 'time query with a cast');
my $typed = $dbh->prepare('SELECT what FROM events WHERE id >= ? AND id < ?');
$typed->bind_param($_ + 1, $february[$_], { pg_type => PG_TIMESTAMPTZ }) for 0, 1;
is_deeply($dbh->selectcol_arrayref($typed), ['after'], 'or with the type bound');

is($dbh->selectrow_array('INSERT INTO rides (fare) VALUES (12) RETURNING iuid_country(id)'), 76, 'an iUID');
eval { $dbh->do('INSERT INTO rides VALUES (?, 1)', undef, $id) };
is($dbh->state, '22P02', 'another id is refused');

$dbh->do('COPY events (id, what) FROM STDIN');
$dbh->pg_putcopydata("019ca6b1-dc00-7000-8000-000000000001\tcopied\n");
$dbh->pg_putcopyend;
is($dbh->selectrow_array('SELECT id FROM events_2026_03'), '019ca6b1-dc00-7000-8000-000000000001', 'COPY');

$dbh->disconnect;
done_testing();
