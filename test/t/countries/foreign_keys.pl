# Foreign keys between columns of uuid, iuid and ulid, beside sessions that change
# what is referred to: an id that is not there, or no more, is 23503, whatever
# kind of id it is, by single rows and by thousands (19 looks these up together).
use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('foreign_keys');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

# What is referred to, and by what.
my @pairs = (
	[ 'iuid', 'uuid' ],
	[ 'uuid', 'iuid' ],
	[ 'iuid', 'iuid' ],
	[ 'ulid', 'uuid' ],
	[ 'uuid', 'ulid' ],
	[ 'ulid', 'ulid' ]);
my %kept = (iuid => 'gen_iuid(76, 1)', uuid => 'gen_iuid(76, 1)', ulid => 'gen_ulid()');
# an id of any kind that the referring column takes
my %stranger = (iuid => 'gen_iuid(82, 2)', uuid => 'gen_random_uuid()', ulid => 'gen_ulid()');

sub sqlstate_of
{
	my ($sql) = @_;
	my ($status, $stdout, $stderr) = $node->psql('postgres', "\\set VERBOSITY sqlstate\n$sql");
	return $stderr =~ /ERROR:  (\w+)/ ? $1 : '';
}

sub start_insert
{
	my ($isolation, $sql) = @_;
	my @commands = map { ('-c', $_) } "BEGIN ISOLATION LEVEL $isolation", 'SELECT count(*) FROM pg_am', $sql, 'COMMIT';
	my $err = '';
	my $run = IPC::Run::start(
		[ 'psql', '-qXAt', '-v', 'VERBOSITY=sqlstate', '-d', $node->connstr('postgres') . ' application_name=inserts', @commands ],
		'>', \my $out, '2>', \$err);
	return { run => $run, err => \$err };
}

sub wait_until_it_waits
{
	$node->poll_query_until('postgres', q(
		SELECT count(*) = 1
		FROM pg_stat_activity
		WHERE application_name = 'inserts' AND wait_event_type = 'Lock'))
	  or die 'the insert does not wait';
}

sub sqlstate_at_end
{
	my ($insert) = @_;
	$insert->{run}->finish;
	return ${ $insert->{err} } =~ /ERROR:  (\w+)/ ? $1 : '';
}

foreach my $pair (@pairs)
{
	my ($to, $from) = @$pair;
	my $name = "$from refers to $to";
	my ($parent, $child) = ("parent_$from\_$to", "child_$from\_$to");

	$node->safe_psql('postgres', qq{
		CREATE TABLE $parent (id $to PRIMARY KEY, n int UNIQUE, note text);
		INSERT INTO $parent SELECT $kept{$to}, n FROM generate_series(1, 1000) n;
		CREATE TABLE keys_$parent AS SELECT * FROM $parent;
		CREATE TABLE $child (id $from REFERENCES $parent);});

	is(sqlstate_of("INSERT INTO $child SELECT id FROM $parent"), '', "$name: a thousand rows that are there");
	is(sqlstate_of("INSERT INTO $child VALUES ($stranger{$from})"), '23503', "$name: one that is not");
	is(sqlstate_of("INSERT INTO $child SELECT id FROM $parent UNION ALL SELECT $stranger{$from}"), '23503',
		"$name: one among a thousand");
	is(sqlstate_of("DELETE FROM $parent WHERE n = 1"), '23503', "$name: one that is referred to goes");
	is(sqlstate_of("UPDATE $parent SET id = $kept{$to} WHERE n = 1"), '23503', "$name: or changes");
	$node->safe_psql('postgres', "TRUNCATE $child");

	my $changes = $node->background_psql('postgres', on_error_stop => 1);
	my $insert = "INSERT INTO $child SELECT id FROM keys_$parent WHERE n = %d";

	# what does not change the key keeps nobody waiting
	$changes->query_safe("BEGIN; UPDATE $parent SET note = 'changed'");
	is(sqlstate_of(sprintf $insert, 1), '', "$name: beside an update of another column");
	$changes->query_safe('COMMIT');

	my $n = 10;
	foreach my $isolation ('READ COMMITTED', 'REPEATABLE READ')
	{
		# at REPEATABLE READ a row that has changed may also be a serialization failure
		my $gone = $isolation eq 'READ COMMITTED' ? qr/^23503$/ : qr/^(23503|40001)$/;

		foreach my $change (
			[ 'goes', "DELETE FROM $parent WHERE n = %d", 'COMMIT', $gone ],
			[ 'gets another id', "UPDATE $parent SET id = $kept{$to} WHERE n = %d", 'COMMIT', $gone ],
			[ 'would go', "DELETE FROM $parent WHERE n = %d", 'ROLLBACK', qr/^$/ ])
		{
			my ($what, $sql, $end, $expected) = @$change;

			$n++;
			$changes->query_safe('BEGIN; ' . sprintf $sql, $n);
			my $waiting = start_insert($isolation, sprintf $insert, $n);
			wait_until_it_waits();
			$changes->query_safe($end);
			like(sqlstate_at_end($waiting), $expected, "$name, $isolation: beside one that $what");
		}
	}
	$changes->quit;
	is($node->safe_psql('postgres',
			"SELECT count(*) FROM $child c WHERE NOT EXISTS (SELECT FROM $parent p WHERE p.id = c.id)"), 0,
		"$name: none without its row");
}

$node->stop;
done_testing();
