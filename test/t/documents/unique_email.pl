# The side table of doc/keys.md keeps an email unique over all partitions of a
# table, whoever inserts, changes and deletes at the same time, and after
# partitions are dropped.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('unique_email');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nmax_connections = 40");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uidext');

# The section's blocks: the table, what keeps it, an example, the clean-up.
my ($section) = slurp_file(dirname(__FILE__) . '/../../../doc/keys.md')
	=~ /^## A unique email on a partitioned table\n(.*?)^## /ms;
my ($table, $keeper, undef, $clean_up) = $section =~ /^```sql\n(.*?)^```$/gms;
$node->psql('postgres', $table, on_error_stop => 0);
$node->safe_psql('postgres', "INSERT INTO members (id, email) VALUES (gen_uuidv7_at('2026-05-01'), 'before')");
$node->safe_psql('postgres', $keeper);
is($node->safe_psql('postgres', 'SELECT email FROM member_emails'), 'before', 'the emails that were there are taken');

# Both tables say the same, and no email is there twice.
sub agree
{
	my ($name) = @_;

	is( $node->safe_psql(
			'postgres', q{
			SELECT count(*) - count(DISTINCT email), (SELECT count(*) FROM member_emails) - count(*),
				count(*) FILTER (WHERE NOT EXISTS (SELECT FROM member_emails e WHERE (e.email, e.member_id) = (m.email, m.id)))
			FROM members m}),
		'0|0|0',
		"$name: no email twice, and the side table has those of the members");
	return;
}

# Two who want one email at the same time, in two partitions.

my $insert = sub { return "INSERT INTO members (id, email) VALUES (gen_uuidv7_at('$_[0]'), '$_[1]')" };

foreach my $end ('COMMIT', 'ROLLBACK')
{
	my $first = $node->background_psql('postgres');
	my $second = $node->background_psql('postgres', on_error_stop => 0);

	$first->query_safe('BEGIN; ' . $insert->('2026-02-01', "of two, $end"));
	$second->query_until(qr/started\n/, "\\echo started\n" . $insert->('2028-02-01', "of two, $end") . ";\n");
	ok($node->poll_query_until('postgres', qq(
		SELECT EXISTS (
			SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ '^INSERT INTO members'))),
		'the second waits for the first');
	$first->query_safe($end);
	$second->query('SELECT 1');
	like($second->{stderr},
		$end eq 'COMMIT' ? qr/duplicate key value violates unique constraint "member_emails_pkey"/ : qr/^$/,
		"and after $end "
		. ($end eq 'COMMIT' ? 'is refused' : 'has the email'));
	is($node->safe_psql('postgres', "SELECT count(*) FROM members WHERE email = 'of two, $end'"), '1', 'one of both is there');
	$_->quit foreach $first, $second;
}
agree('two at a time');

# Sixteen clients insert, change, move and delete members of fifty emails in ten partitions.

my $script = PostgreSQL::Test::Utils::tempdir() . '/members';
append_to_file(
	$script, q{
\set email random(1, 50)
\set other random(1, 50)
\set year random(2026, 2035)
\set what random(1, 10)
SELECT try(
	CASE
		WHEN :what <= 6 THEN format(
			'INSERT INTO members (id, email) VALUES (gen_uuidv7_at(make_timestamptz(%s, 6, 1, 0, 0, 0)), %L)',
			:year, :email)
	WHEN :what = 7 THEN format('UPDATE members SET email = %L WHERE email = %L', :other, :email)
	WHEN :what = 8 THEN format(
		'UPDATE members SET id = gen_uuidv7_at(make_timestamptz(%s, 6, 1, 0, 0, 0)) WHERE email = %L', :year,
		:email)
	ELSE format('DELETE FROM members WHERE email = %L', :email) END);
});
$node->safe_psql(
	'postgres', q{
	CREATE TABLE refused (code text);
	CREATE FUNCTION try(command text) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		EXECUTE command;
	EXCEPTION WHEN unique_violation OR deadlock_detected OR serialization_failure THEN
		INSERT INTO refused VALUES (SQLSTATE);
	END $$});
command_checks_all(
	[ 'pgbench', '-n', '-c', '16', '-j', '2', '-t', '150', '-f', $script, $node->connstr('postgres') ],
	0, [qr{processed: 2400/2400}], [qr{^(?:pgbench .*\n)?$}],
	'16 clients insert, change, move and delete at the same time');
agree('16 clients');
is($node->safe_psql('postgres', "SELECT count(*) FILTER (WHERE code = '23505') > 0 FROM refused"), 't',
	'some wanted an email that was taken');
$node->psql('postgres', "COPY members (email) FROM STDIN;\ncopied\ncopied\n\\.\n", stderr => \my $copied);
like($copied, qr/member_emails_pkey/, 'COPY claims emails, too');

# Retention.

$node->safe_psql('postgres', 'DELETE FROM members');
$node->safe_psql('postgres', $insert->("$_-03-01", "of $_")) foreach 2026 .. 2029;
$node->safe_psql('postgres', 'CREATE TABLE members_rest PARTITION OF members DEFAULT; ' . $insert->('2020-03-01', 'of 2020'));
$node->safe_psql('postgres', 'DROP TABLE members_2026, members_2027');
is($node->safe_psql('postgres', "SELECT string_agg(email, ', ' ORDER BY email) FROM member_emails"),
	'of 2020, of 2026, of 2027, of 2028, of 2029',
	'emails of dropped partitions stay taken');
$node->safe_psql('postgres', $clean_up);
is($node->safe_psql('postgres', "SELECT string_agg(email, ', ' ORDER BY email) FROM member_emails"), 'of 2020, of 2028, of 2029',
	'until the clean-up, which leaves the others');
agree('after the clean-up');
$node->safe_psql('postgres', $insert->('2028-04-01', 'of 2026'));
agree('an email that was given up is given again');

# Seen failing: without the side table nothing keeps them apart.
$node->safe_psql('postgres', 'ALTER TABLE members DISABLE TRIGGER claim_email; ' . $insert->('2029-04-01', 'of 2026'));
is($node->safe_psql('postgres', "SELECT count(*) FROM members WHERE email = 'of 2026'"), '2',
	'without the trigger an email is there twice');

done_testing();
