# The steps of doc/migrate-from-snowflake.md and doc/migrate-from-ksuid.md, while
# an application writes: nothing is lost, no statement fails, and old clients
# find every row by its old id throughout.

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Migration;

my $node = PostgreSQL::Test::Cluster->new('schemes');
$node->init;
$node->start;

# How each document's old application makes an id, and of which type.
my %document = (
	snowflake => { id => "uid_boundary(clock_timestamp(), 'snowflake') + nextval('low_bits') % 4194304", type => 'bigint' },
	ksuid => { id => "uid_generate('ksuid')", type => 'text' });

sub programs
{
	my ($scheme) = @_;
	my ($id, $type) = @{ $document{$scheme} }{qw(id type)};
	my $some_old = "SELECT id::$type AS id FROM ledger WHERE program <> 'new' ORDER BY random() LIMIT 1 \\gset";

	return {
		old => {
			insert => qq{
				SELECT $id AS id \\gset
				BEGIN;
				INSERT INTO messages (id, body) VALUES (:id, 'old');
				INSERT INTO reactions (message_id, emoji) VALUES (:id, '+1'), (:id, 'heart');
				INSERT INTO ledger VALUES ('old', 'insert', :id);
				COMMIT;},
			react => qq{
				$some_old
				BEGIN;
				INSERT INTO reactions (message_id, emoji) VALUES (:id, 'wave');
				INSERT INTO ledger VALUES ('old', 'react', :id);
				COMMIT;},
			update => qq{
				$some_old
				UPDATE messages SET body = body || '!' WHERE id = :id RETURNING 1 AS one \\gset
				INSERT INTO ledger VALUES ('old', 'update', :id);}
		},
		new => {
			insert => qq{
				BEGIN;
				INSERT INTO messages (body) VALUES ('new') RETURNING uid \\gset
				INSERT INTO reactions (message_uid, emoji) VALUES (:uid, '+1'), (:uid, 'heart');
				INSERT INTO ledger VALUES ('new', 'insert', :uid);
				COMMIT;},
			# an old link: \gset wants one row
			update => qq{
				$some_old
				UPDATE messages SET body = body || '?' WHERE uid = uid_to_uuid(:id::$type, '$scheme') RETURNING 1 AS one \\gset
				INSERT INTO ledger VALUES ('new', 'update', :id);}
		}
	};
}

foreach my $scheme (sort keys %document)
{
	my ($old, $new);
	my $heading = '';
	my $n = 0;

	$node->safe_psql('postgres', "CREATE DATABASE $scheme");
	$node->safe_psql($scheme, 'CREATE EXTENSION uidext');
	$node->safe_psql($scheme, 'CREATE TABLE ledger (program text, action text, id text); CREATE SEQUENCE low_bits');

	my $document = slurp_file(dirname(__FILE__) . "/../../../doc/migrate-from-$scheme.md");
	while ($document =~ /^## ([^\n]+)|^```sql\n(.*?)^```$/gms)
	{
		if (defined $1)
		{
			if ($heading eq 'The example')
			{
				$node->safe_psql($scheme, "INSERT INTO ledger SELECT 'seed', 'insert', id FROM messages LIMIT 100");
				$old = start_program($node, $scheme, 'old', programs($scheme)->{old}, 'extended');
			}
			$new = start_program($node, $scheme, 'new', programs($scheme)->{new}, 'extended') if $heading eq '4. The switch';
			($heading, $n) = ($1, 0);
			if ($heading eq '5. The old key goes')
			{
				let_write($_) foreach $old, $new;
				stop_program($old);
				is_in_ledger($old);
				undef $old;
				is( $node->safe_psql(
						$scheme, q{
						WITH other AS MATERIALIZED (SELECT uid FROM messages ORDER BY uid DESC LIMIT 1),
							moved AS (UPDATE reactions SET message_uid = uid FROM other
								WHERE reactions.ctid = (SELECT ctid FROM reactions WHERE message_id IS NOT NULL LIMIT 1) RETURNING message_uid, message_id)
						SELECT message_uid = uid, message_id IS NULL FROM moved, other}),
					't|t', "$scheme: a reference that new code changes stays changed");
				is($node->safe_psql($scheme, "SELECT count(*) FROM messages WHERE uid <> uid_to_uuid(id, '$scheme')"), '0', "$scheme: uuids are those of the ids");
			}
			next;
		}

		my $block = $2;
		let_write($_) foreach grep { defined } $old, $new;
		play($node, $scheme, $block, "$scheme: $heading, block " . ++$n);
	}
	let_write($new);
	stop_program($new);
	is_in_ledger($new);

	is( $node->safe_psql($scheme, "SELECT count(*) FROM messages"),
		$node->safe_psql($scheme, "SELECT 10000 + count(*) FROM ledger WHERE action = 'insert' AND program <> 'seed'"),
		"$scheme: every message is there");
	is( $node->safe_psql($scheme, "SELECT count(*) FROM reactions"),
		$node->safe_psql($scheme, "SELECT 20000 + 2 * count(*) FILTER (WHERE action = 'insert' AND program <> 'seed') + count(*) FILTER (WHERE action = 'react') FROM ledger"),
		"$scheme: every reaction is there");
	is( $node->safe_psql(
			$scheme, qq{
			SELECT count(*) FROM ledger
			WHERE NOT EXISTS (SELECT FROM messages WHERE uid = CASE program WHEN 'new' THEN
				CASE action WHEN 'insert' THEN ledger.id::uuid ELSE uid_to_uuid(ledger.id, '$scheme') END ELSE uid_to_uuid(ledger.id, '$scheme') END)}),
		'0',
		"$scheme: every id of the ledger finds its message");
	is( $node->safe_psql(
			$scheme, q{
			SELECT conname, convalidated FROM pg_constraint
			WHERE conrelid IN ('messages'::regclass, 'reactions'::regclass) AND contype IN ('p', 'f', 'u', 'c') ORDER BY conname}),
		"messages_pkey|t\nreactions_message_uid_fkey|t",
		"$scheme: the new key is the primary key, and nothing is left over");
}

done_testing();
