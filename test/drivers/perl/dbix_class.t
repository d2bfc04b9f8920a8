# DBIx::Class: what the loader makes of the tables, ids by RETURNING, a literal for times.
use strict;
use warnings;

use Test::More;

{
	package Bookings;
	use base 'DBIx::Class::Schema::Loader';
	__PACKAGE__->loader_options(naming => 'current', db_schema => 'public', exclude => qr/^events_/);
}

my $schema = Bookings->connect('dbi:Pg:', undef, undef, { quote_names => 1, RaiseError => 1 });
open my $file, '<', '../schema.sql' or die $!;
$schema->storage->dbh->do(join '', <$file>);
$schema->rescan;

is_deeply([ sort $schema->sources ], [qw(Booking Event Ride)], 'the tables without partitions');
my $booking = $schema->source('Booking')->column_info('id');
is($booking->{data_type}, 'uuid', 'a uuid');
is(${ $booking->{default_value} }, 'gen_uuidv7()', 'with its DEFAULT');
ok($booking->{retrieve_on_insert}, 'and the id comes back');
is($schema->source('Ride')->column_info('id')->{data_type}, 'iuid', 'an iuid');

my @ids = map { $schema->resultset('Booking')->create({ guest => $_ })->id } 'Ada', 'Grace';
is_deeply([ map { substr $_, 14, 1 } @ids ], [ 7, 7 ], 'ids of the server');
is_deeply(\@ids, [ sort @ids ], 'in order');

my $ride = $schema->resultset('Ride')->create({ fare => 12 });
is($schema->resultset('Ride')->search({ id => $ride->id }, { select => \'iuid_country(id)', as => 'country' })->first->get_column('country'),
	76, 'an iUID');

$schema->resultset('Event')->create({ id => \[ 'gen_uuidv7_at(?)', $_->[0] ], what => $_->[1] })
  foreach [ '2026-01-31 23:59:59Z', 'before' ], [ '2026-02-01 00:00:00Z', 'after' ];
my $since = $schema->resultset('Event')->search({ 'me.id' => { '>=' => \[ '?::timestamptz', '2026-02-01Z' ] } });
is_deeply([ $since->get_column('what')->all ], ['after'], 'a time query');

done_testing();
