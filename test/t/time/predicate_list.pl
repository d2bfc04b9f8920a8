# The time predicates are those that sql/time/predicates.sql declares with the
# planner's support.  Every other place that names them has the same ones.
use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

my $root = dirname(__FILE__) . '/../../..';
my $name = qr/[a-z_]+/;

sub source
{
	my ($path) = @_;

	return slurp_file("$root/$path");
}

# The parts of an install script that one edition has: "c" or "sql".
sub edition
{
	my ($path, $edition) = @_;
	my @parts = split /^-- \[(c|sql|both)\]\n/m, "-- [both]\n" . source($path);
	my $text = '';

	shift @parts;
	while (my ($of, $part) = splice @parts, 0, 2)
	{
		$text .= $part if $of eq $edition || $of eq 'both';
	}
	return $text;
}

sub names
{
	my ($text, $pattern) = @_;

	return [ sort $text =~ /$pattern/g ];
}

my $supported = qr/^CREATE FUNCTION uidext_internal\.($name)\([^;]*SUPPORT uidext_internal\.id_predicate_support;/m;
my $declared = qr/^CREATE FUNCTION uidext_internal\.($name)\(/m;
my $operator = qr/FUNCTION = uidext_internal\.($name),/;
my $predicates = names(edition('sql/time/predicates.sql', 'c'), $supported);

is(scalar @$predicates, 12, 'there are four comparisons and two periods, each in both orders');
is_deeply(names(edition('sql/time/predicates.sql', 'c'), $operator), $predicates, 'each has an operator');
is_deeply(names(edition('sql/time/ulid_predicates.sql', 'c'), $supported), $predicates, 'each is overloaded for ulid');
is_deeply(names(edition('sql/time/ulid_predicates.sql', 'c'), $operator), $predicates, 'and has an operator there');
is_deeply(names(source('src/time/predicate_plans.c'), qr/^\t\{"($name)", [01],/m), $predicates,
	'the planner knows what each stands for');
is_deeply([ grep { $_ ne 'id_time' } @{ names(source('src/time/predicates.c'), qr/^PG_FUNCTION_INFO_V1\(uidext_($name)\);/m) } ],
	$predicates, 'each is written in C');
is_deeply(names(edition('sql/time/predicates.sql', 'sql'), $operator), $predicates, 'the SQL edition has the same operators');

# of which it has no periods of ulids
is_deeply(
	names(edition('sql/time/ulid_predicates.sql', 'sql'), $operator),
	[ grep { !/range/ } @$predicates ],
	'and of ulids those that compare with a time');
is_deeply(
	[ grep { $_ ne 'id_time' } @{ names(edition('sql/time/predicates.sql', 'sql'), $declared) } ],
	$predicates, 'it writes each in SQL');

done_testing();
