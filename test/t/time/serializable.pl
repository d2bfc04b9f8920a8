# False conflicts of SERIALIZABLE: transactions that look for keys of their own and
# insert them, in step, so that all have looked before the first inserts.  What
# doc/ordering.md says of them, remedy by remedy.
use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $node = OneSession->new('serializable');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
plan skip_all => 'dblink is not installed'
  if $node->safe_psql('postgres', q(SELECT count(*) FROM pg_available_extensions WHERE name = 'dblink')) eq '0';

# Eight sessions, each with a transaction that looks and then inserts, round after round.  One
# function of the server leads them: a psql for each would take much longer.
$node->safe_psql(
	'postgres', q(
	CREATE EXTENSION uidext;
	CREATE EXTENSION dblink;
	CREATE FUNCTION in_step(connection text, rounds int, key text, level text, look text, put text)
	RETURNS void
	LANGUAGE plpgsql AS $$
	DECLARE
		sessions CONSTANT text[] := ARRAY(SELECT 'session ' || n FROM generate_series(1, 8) AS n);
		session text;
		looks text[];
		puts text[];
		id text;
		newest text;
	BEGIN
		FOREACH session IN ARRAY sessions LOOP
			PERFORM dblink_connect(session, connection);
		END LOOP;
		FOR round IN 1 .. rounds LOOP
			looks := '{}';
			puts := '{}';
			FOREACH session IN ARRAY sessions LOOP
				SELECT ids.id, ids.newest INTO id, newest
				FROM dblink(session, format('SELECT %s, (SELECT id FROM keys ORDER BY id DESC LIMIT 1)', key)) AS ids (id text, newest text);
				looks := looks || format(look, id, newest);
				puts := puts || format(put, id);
				PERFORM dblink_exec(session, 'BEGIN ISOLATION LEVEL ' || level);
			END LOOP;
			FOR step IN 1 .. 3 LOOP
				FOR n IN 1 .. 8 LOOP
					BEGIN
						CASE step
							WHEN 1 THEN PERFORM FROM dblink(sessions[n], looks[n]) AS found (id text, payload text);
							WHEN 2 THEN PERFORM dblink_exec(sessions[n], puts[n]);
							ELSE PERFORM dblink_exec(sessions[n], 'COMMIT');
						END CASE;
					EXCEPTION WHEN serialization_failure OR in_failed_sql_transaction THEN
					END;
				END LOOP;
			END LOOP;
		END LOOP;
		FOREACH session IN ARRAY sessions LOOP
			PERFORM dblink_disconnect(session);
		END LOOP;
	END $$;
));

my $keys = 40_000;
my $rounds = 20;
my $attempts = $rounds * 8;
my $nothing = 'SELECT NULL, NULL';
my $absent = q(SELECT * FROM keys WHERE id = :'id');
my $insert = q(INSERT INTO keys VALUES (:'id', 1));
my $hash = 'CREATE INDEX keys_hash ON keys USING hash (id)';

sub create_keys
{
	my (%with) = @_;
	my $key = $with{key} // 'gen_uuidv7()';
	my $type = $with{type} // 'uuid';

	$node->safe_psql('postgres', join ";\n", 'DROP TABLE IF EXISTS keys',
		"CREATE TABLE keys (id $type PRIMARY KEY, payload int) " . ($with{divided} ? 'PARTITION BY HASH (id)' : ''),
		($with{divided} ? map { "CREATE TABLE keys_$_ PARTITION OF keys FOR VALUES WITH (MODULUS 8, REMAINDER $_)" } 0 .. 7 : ()),
		"INSERT INTO keys SELECT $key, n FROM generate_series(1, $keys) AS n", $with{index} // ());
	$node->safe_psql('postgres', 'VACUUM ANALYZE keys');
	return $key;
}

# How many of the attempts fail.
sub failed
{
	my (%with) = @_;
	my $key = create_keys(%with);
	my $level = $with{level} // 'SERIALIZABLE';
	my ($look, $put) = map { s/:'id'/%1\$L/gr =~ s/:'newest'/%2\$L/gr } $with{look} // $absent, $with{insert} // $insert;

	$node->safe_psql('postgres', qq(
		SELECT in_step(\$\$@{[ $node->connstr('postgres') ]}\$\$, $rounds, \$\$$key\$\$, '$level',
			\$\$$look\$\$, \$\$$put\$\$)));
	return $attempts - ($node->safe_psql('postgres', 'SELECT count(*) FROM keys') - $keys);
}

sub plan_of
{
	my ($query) = @_;
	$query =~ s/:'\w+'/'018c22ac-d000-804c-a940-000000000000'/g;
	return $node->safe_psql('postgres', $query =~ s/^(?=SELECT)/EXPLAIN (COSTS OFF) /mr);
}

# At random 7 of 8 times another leaf; 40,000 random keys have some hundred of them,
# and as many pages of a hash index.
my $few = $attempts / 10;
my $most = $attempts / 2;

cmp_ok(failed(), '>', $most, 'v7, looked for by the primary key');
cmp_ok(failed(look => q(SELECT * FROM keys WHERE id = :'newest')), '>', $most, 'v7, beside a look at the newest row');
cmp_ok(failed(key => 'gen_random_uuid()'), '<', $few, 'random ids');
is(failed(look => $nothing, insert => "$insert ON CONFLICT DO NOTHING"), 0, 'ON CONFLICT instead of the look-up: none');
is(failed(look => $nothing), 0, 'nor without either');
is(failed(level => 'READ COMMITTED'), 0, 'nor under READ COMMITTED');

# What the planner makes of a hash index beside the primary key, right after VACUUM
# and when the table has grown by a page.
my $exists = q(SELECT EXISTS (SELECT FROM keys WHERE id = :'id'));
create_keys(index => $hash);
like(plan_of($absent), qr/Index Scan using keys_hash/, 'a row comes by the hash index');
like(plan_of(q(SELECT id FROM keys WHERE id = :'id' FOR KEY SHARE)), qr/Index Scan using keys_hash/, 'so does a lock');
like(plan_of($_), qr/Index Only Scan using keys_pkey/, "after VACUUM by the primary key alone: $_")
	foreach $exists, q(SELECT id FROM keys WHERE id = :'id');
like(plan_of("SET enable_indexonlyscan = off;\n$exists"), qr/Index Scan using keys_hash/, 'if such scans are allowed');
cmp_ok(failed(index => $hash), '<', $few, 'v7, looked for by a hash index');
like(plan_of($exists), qr/Index Scan using keys_hash/, 'EXISTS, when the table has grown');
cmp_ok(failed(index => $hash, look => q(SELECT * FROM keys WHERE id = :'newest')), '<', $few, 'beside a look at the newest row');
my $several = q(SELECT * FROM keys WHERE id = ANY (ARRAY[:'id', :'newest']::uuid[]));
like(plan_of($several), qr/using keys_pkey/, 'several keys come by the primary key');
cmp_ok(failed(index => $hash, look => $several), '>', $most, 'and conflict');
my $joined = q(SELECT keys.* FROM unnest(ARRAY[:'id', :'newest']::uuid[]) AS wanted (id) JOIN keys USING (id));
create_keys(index => $hash);
like(plan_of($joined), qr/using keys_hash/, 'several as a join come by the hash index');
cmp_ok(failed(index => $hash, look => $joined), '<', $few, 'and do not');
cmp_ok(failed(type => 'iuid', key => 'gen_iuid(76, 1)', index => $hash), '<', $few, 'an iuid by a hash index');

my $divided = failed(divided => 1);
cmp_ok($divided, '<', $most, 'divided in 8 by hash: fewer');
cmp_ok($divided, '>', 0, 'but not none');

# The server reads all of a table of few pages, and then has seen all of it.
$node->safe_psql('postgres', "DROP TABLE keys; CREATE TABLE keys (id uuid PRIMARY KEY, payload int);
	INSERT INTO keys SELECT gen_uuidv7(), n FROM generate_series(1, 100) AS n; $hash");
$node->safe_psql('postgres', 'VACUUM ANALYZE keys');
like(plan_of($absent), qr/Seq Scan/, 'a small table is read whole');

$node->stop;
done_testing();
