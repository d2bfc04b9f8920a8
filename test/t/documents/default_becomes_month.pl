# A default partition becomes the partition of its month, as doc/partition-upkeep.md says:
# with somebody in the way, given up once, begun again, and for a table that follows.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

$ENV{PGTZ} = 'UTC';

my $documents = dirname(__FILE__) . '/../../../doc';
my ($chapter) = slurp_file("$documents/partition-upkeep.md")
	=~ /^## A default partition that holds one large period\n(.*?)(?=^## )/ms;
my ($make, $present, $count, $bounds, $drain, $new_ids, $prove, $exchange, $end) = $chapter =~ /^```sql\n(.*?)^```$/gms;
my ($pairs) = slurp_file("$documents/families.md") =~ /^## The default partition\n.*?^```sql\n(.*?)^```$/ms;
my ($give_up) = $chapter =~ /^\| you want to give up [^|]+\| [^|]*`(ALTER TABLE [^`]+)`/m;
my @told = $chapter =~ /^\| [^|]*fails with `([^`]+)`/gm;

my $node = OneSession->new('default_becomes_month');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nmax_prepared_transactions = 1");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

# What a person's psql shows, which goes on after an error, also in a transaction.
sub typed
{
	my ($stdout, $stderr);

	$node->psql('postgres', join("\n", '\set ON_ERROR_ROLLBACK on', @_), stdout => \$stdout, stderr => \$stderr, on_error_stop => 0);
	return "$stdout\n$stderr";
}

sub refused
{
	my ($said, $name) = @_;
	my ($error) = $said =~ /ERROR:  (.*)/;

	ok((grep { index($error // '', $_) == 0 } @told), "$name: the page has this message") or diag($said);
	return;
}

sub answer { return $node->safe_psql('postgres', $_[0]) }

# The same for the table that follows.
sub of_notes { return join '', map { s/\bevents/notes/gr =~ s/\bid\b/event_id/gr } @_ }

my ($events, $rows) = $make =~ /^(CREATE TABLE events \(.*?)(^INSERT.*)/ms;
typed($events, 'CREATE TABLE notes (event_id uuid PRIMARY KEY, note text) PARTITION BY RANGE (event_id);',
	$present, q(SELECT * FROM uuid_partition_follow('notes', 'events');),
	$rows, q(INSERT INTO notes SELECT id, 'seen' FROM events WHERE uuid_time(id) < '2026-05-01 00:00+00';));
my $all = answer('SELECT count(*) FROM events');

like(typed($drain), qr/54000: more than 10000 rows/, 'a drain leaves the large month');
typed($bounds, $new_ids);
unlike(typed($count), qr/^(?!2026-03-01)\d{4}-/m, 'the default partition has rows of one month');

# Somebody is in the way.
$node->safe_psql('postgres', q(BEGIN; LOCK TABLE events_rest IN ACCESS SHARE MODE; PREPARE TRANSACTION 'report'));
refused(typed($bounds, $prove), 'no CHECK beside a reader');
$node->safe_psql('postgres', q(ROLLBACK PREPARED 'report'));
unlike(typed($bounds, $prove), qr/ERROR/, 'typed again, it is there');
$node->safe_psql('postgres', q(BEGIN; LOCK TABLE events_rest IN ACCESS SHARE MODE; PREPARE TRANSACTION 'report'));
refused(typed($bounds, $exchange), 'no exchange beside a reader');
$node->safe_psql('postgres', q(ROLLBACK PREPARED 'report'));
is(answer(q(SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE relname = 'events_rest')), 'DEFAULT',
	'nothing has changed');

# Given up, and begun again when rows of another month have come.
my $late = q(INSERT INTO events VALUES (gen_uuidv7_at('2026-06-10 00:00+00')););
like(typed($late), qr/ERROR:  new row for relation "events_rest" violates check constraint "march"/,
	'as long as the CHECK is there, June is refused');
unlike(typed('BEGIN; ALTER TABLE events DETACH PARTITION events_rest; ROLLBACK;', "$give_up;", $late),
	qr/ERROR/, 'when it is given up, June is taken');
refused(typed($bounds, $prove), 'no CHECK that is true');
typed($drain);
my ($validate) = $prove =~ /^(ALTER TABLE .* VALIDATE .*\n)/m;
unlike(typed($validate), qr/ERROR/, 'after another drain it is true');

# A key to the whole table.
typed('CREATE TABLE likes (event_id uuid REFERENCES events);', 'INSERT INTO likes SELECT min(id) FROM events;');
refused(typed($bounds, $exchange), 'no exchange beside a foreign key to the whole table');
typed('DROP TABLE likes;');

unlike(typed($bounds, $exchange, $end), qr/ERROR/, 'the default partition becomes the month');
is(answer('SELECT count(*) FROM events'), $all + 1, 'no row is lost');
is(answer('SELECT count(*) FROM events_2026_03'), 40001, 'March has its rows');
is(answer('SELECT count(*) FROM events_rest'), 0, 'and the new default partition none');

# The table that follows.
my $maintain = q(
	SELECT partition, problem
	FROM uuid_partition_maintain(
		'events', '1 month', keep => '1 month', followers => '{notes}', dry_run => true)
	WHERE problem IS NOT NULL);
my ($reported) = $chapter =~ /reports `([^`]+)`/;
# in the days of the example, when that month is kept
like(typed($maintain =~ s/keep => '1 month', //r) =~ s/public\.//gr, qr/\Q$reported\E/,
	'until the follower has its month, maintenance says so');
unlike(typed($bounds, of_notes($prove, $exchange, $end)), qr/ERROR/, 'the follower is given its month in the same way');
my ($missing) = $chapter =~ /no longer says `([^`]+)`/;
my $check = q(SELECT message FROM uuid_partition_check('events', '0', followers => '{notes}'));
like(typed($check) =~ s/public\.//gr, qr/\Q$missing\E/, 'the pair has no foreign key');
my ($follow) = $chapter =~ /^At the end, type `([^`]+)`/m;
typed("$follow;");
# the keys of this family do something
typed(q(
	SELECT format('ALTER TABLE %s DROP CONSTRAINT %I, ADD %s ON DELETE CASCADE', conrelid::regclass, conname,
		pg_get_constraintdef(oid))
	FROM pg_constraint WHERE contype = 'f' AND conrelid IN (SELECT partition FROM uuid_partition_list('notes')) \gexec));
typed($pairs =~ s/\border_id\b/event_id/gr =~ s/\bitems\b/notes/gr =~ s/\borders\b/events/gr);
unlike(typed($check), qr/foreign key|lacks|default partition/, 'and then it has');
is(answer(q(SELECT bool_and(pg_get_constraintdef(oid) LIKE '%ON DELETE CASCADE') FROM pg_constraint
		WHERE contype = 'f' AND conrelid IN (SELECT partition FROM uuid_partition_list('notes')))), 't',
	'with what the keys of the others do');
is(answer(q(SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conrelid = 'notes_2026_03'::regclass)),
	1, 'also that of the month that was a default partition');
unlike(typed($maintain), qr/notes_rest/, 'so that maintenance can drop the month of both');

done_testing();
