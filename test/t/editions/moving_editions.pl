# The SQL edition as doc/managed.md installs it by psql, on a server that has no
# C edition, by a role that owns nothing but its database; and that database
# moving to the C edition and back.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};

$ENV{PGTZ} = 'UTC';

my $include = dirname(__FILE__) . '/../include';
my $owner = 'installer';

# The blocks of the document by heading, each with its language and, when there
# is one, the output shown after it.
my %document;
{
	my $heading;
	my $text = slurp_file("$include/../../../doc/managed.md") =~ s/-h shop\.example\.com //gr;

	while ($text =~ /^\#+ ([^\n]+)|^```(sql|sh)\n(.*?)^```\n(?:```\n(.*?)^```$)?/gms)
	{
		$heading = $1, next if defined $1;
		push @{ $document{$heading} }, { kind => $2, code => $3, shown => $4 };
	}
}

my $managed = OneSession->new('managed');
{
	delete local $ENV{TEMP_CONFIG};
	$managed->init;
}
my $own = OneSession->new('own');
$own->init;
foreach my $node ($managed, $own)
{
	$node->append_conf('postgresql.conf', 'autovacuum = off');
	$node->start;
	$node->safe_psql('postgres', "CREATE ROLE $owner LOGIN CREATEDB");
}

# As psql and the shell find the server.
sub at
{
	my ($node, $role) = @_;
	return (PGHOST => $node->host, PGPORT => $node->port, PGUSER => $role, PGOPTIONS => '-c client_min_messages=warning');
}

sub shell_ok
{
	my ($node, $role, $code, $name) = @_;
	local %ENV = (%ENV, at($node, $role), PSQLRC => '/dev/null');
	$node->command_ok([ 'sh', '-euc', "cd '$ENV{UIDEXT_BUILD}'\n$code" ], $name);
}

sub query
{
	my ($node, $sql, $database) = @_;
	return $node->safe_psql($database // 'shop', $sql, extra_params => [ '-U', $owner ]);
}

# With psql, anywhere.

my ($make) = @{ $document{'The SQL edition: where no C extension may be installed'} };
my ($install) = grep { $_->{kind} eq 'sh' } @{ $document{'With psql, anywhere'} };
my ($uninstall) = @{ $document{'Dump, upgrade, remove'} };
my $search_path = q(psql -d shop -c 'ALTER DATABASE shop SET search_path = "$user", public, uidext') . "\n";
my ($dump, $create, $restore) = @{ $document{'Move to the C edition, or back'} };

shell_ok($managed, $owner, "$make->{code}createdb shop", 'the script is made');
shell_ok($managed, $owner, "$install->{code}$search_path", 'and installs');
is(query($managed, 'SELECT rolsuper, rolname FROM pg_roles WHERE rolname = current_user'), "f|$owner", 'without a superuser');
is(query($managed, q(SELECT count(*) FROM pg_proc WHERE probin ~ 'uidext')), 0,
	'and without the C edition, be it installed or not');

query($managed, 'CREATE TABLE orders (id uuid DEFAULT gen_uuidv7())');
my ($status, $stdout, $stderr) = (0);
{
	local %ENV = (%ENV, at($managed, $owner));
	($stdout, $stderr) = run_command([ 'sh', '-euc', "cd '$ENV{UIDEXT_BUILD}'\n$uninstall->{code}" ]);
}
like($stderr, qr/ERROR:  cannot drop .* because other objects depend on it/, 'not uninstalled while it is used');
query($managed, 'DROP TABLE orders');
shell_ok($managed, $owner, $uninstall->{code}, 'uninstalled');
my $left = join ' UNION ALL ',
	map { "SELECT '$_->[0]', count(*) FROM $_->[0] WHERE $_->[1] = '$owner'::regrole HAVING count(*) > 0" }
	[ 'pg_proc', 'proowner' ],
	[ 'pg_class', 'relowner' ],
	[ 'pg_type', 'typowner' ],
	[ 'pg_operator', 'oprowner' ],
	[ 'pg_namespace', 'nspowner' ];
is(query($managed, $left), '', 'nothing is left');
shell_ok($managed, $owner, $install->{code}, 'and once more');

# Moving up: the same rows, defaults, partitions and plans.

my %queries = (
	rows => slurp_file("$include/everywhere_rows.sql") =~ s/^SHOW .*//mr =~ s/'ids'/'uidext'/r,
	hashed => 'SELECT count(*), (SELECT count(*) FROM tickets) FROM apart.tickets JOIN tickets USING (id)',
	defaults => q(SELECT adrelid::regclass, adnum, pg_get_expr(adbin, adrelid) FROM pg_attrdef JOIN pg_class c ON c.oid = adrelid
		WHERE relnamespace = 'public'::regnamespace ORDER BY adrelid::regclass::text COLLATE "C", adnum),
	partitions => q(SELECT oid::regclass, pg_get_expr(relpartbound, oid) FROM pg_class
		WHERE relispartition AND relkind = 'r' ORDER BY oid::regclass::text COLLATE "C"),
	periods => q(
		SELECT t, partition, from_time, to_time, rows
		FROM unnest('{orders,rides}'::regclass[]) AS t, uuid_partition_list(t)),
	plans => join('', map { "EXPLAIN (COSTS OFF) SELECT * FROM $_;" }
		q(orders WHERE id >= timestamptz '2026-02-10' AND id < timestamptz '2026-02-11'),
		q(orders WHERE id <@ tstzrange('2026-02-10', '2026-03-02')),
		q(rides WHERE id < timestamptz '2026-02-02'),
		q(tickets WHERE id < timestamptz '2026-01-02'),
		q(users WHERE id >= timestamptz '2026-01-01' AND id < timestamptz '2026-01-02')));

# Plans call a ulid by its type, which is a text in one of the editions.
sub facts
{
	my ($node) = @_;
	my %said = map { $_ => query($node, "SET enable_seqscan = off;\n$queries{$_}") } keys %queries;
	return map { $_ => $said{$_} =~ s/\(id\)::text/id/gr =~ s/'::(?:text|ulid)\b/'/gr } keys %said;
}

sub same_facts
{
	my ($node, $where, %expected) = @_;
	my %found = facts($node);

	is($found{$_}, $expected{$_}, "$where: the same $_") foreach sort keys %queries;
}

is(query($managed, $document{'What the SQL edition lacks'}[0]{code}), '76', 'the ways around');
query($managed, slurp_file("$include/portable.sql"));
query($managed, "SET client_min_messages = error; ANALYZE");
my %before = facts($managed);
like($before{rows}, qr/^orders_01\|744\|/m, 'there is something to move');

# On a server that was of an earlier major.
SKIP:
{
	skip 'uuidv7() of core is not there', 2 if $managed->pg_version->major < 18;
	my $body = q(SELECT pg_get_functiondef('gen_uuidv7()'::regprocedure));
	my $made = query($managed, $body);
	query($managed, q(
		CREATE OR REPLACE FUNCTION uidext.gen_uuidv7()
		RETURNS uuid
		LANGUAGE sql VOLATILE PARALLEL RESTRICTED RETURN gen_random_uuid()));
	isnt(query($managed, $body), $made, 'another gen_uuidv7()');
	query($managed, (slurp_file("$include/../../../doc/managed.md") =~ /^```sql 18\+\n(.*?)^```/ms)[0]);
	is(query($managed, $body), $made, 'gives way to that of 18');
}

shell_ok($managed, $owner, 'pg_dump -d shop -f whole.sql; createdb whole; psql -d whole -q -v ON_ERROR_STOP=1 -f whole.sql',
	'a plain dump takes the edition along');
my ($for_role) = slurp_file("$include/../../../doc/managed.md") =~ /`(ALTER ROLE shop_owner SET search_path = [^`]+)`/;
query($managed, $for_role =~ s/shop_owner/$owner/r);
is(query($managed, $queries{rows}, 'whole'), $before{rows}, 'and the rows');
shell_ok($managed, $owner, 'pg_dump -s -x -O -d shop -f structure.sql; createdb structure;
	psql -d structure -q -v ON_ERROR_STOP=1 -f structure.sql',
	'so does a structure.sql of Rails');
is(query($managed, 'SELECT uuidv7_is_valid(gen_uuidv7())', 'structure'), 't', 'which makes ids');
query($managed, "ALTER ROLE $owner RESET search_path");

shell_ok($managed, $owner, $dump->{code}, 'dump');
my $superuser = $own->safe_psql('postgres', 'SELECT current_user');
shell_ok($own, $superuser, "$create->{code}$restore->{code}psql -d shop -c ANALYZE", 'restore where the C edition is');
like(query($own, q(SELECT probin FROM pg_proc WHERE proname = 'gen_uuidv7' LIMIT 1)), qr/uidext/, 'which makes the ids there');
is(query($own,
	q(
		SELECT format_type(atttypid, NULL), typtype
		FROM pg_attribute
		JOIN pg_type t ON t.oid = atttypid
		WHERE attrelid = 'rides'::regclass AND attname = 'id')),
	'iuid|b', 'and their types');
is( query($own, q{
		SELECT count(*) FROM (SELECT row_number() OVER (ORDER BY id USING OPERATOR(uidext.~<~)) AS n,
			row_number() OVER (ORDER BY } . ($document{'What the SQL edition lacks'}[0]{code} =~ /^\t\((\(.*\))\);$/m)[0] . q{) AS m
			FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 1000)) AS u) AS ordered WHERE n <> m}),
	0, 'the index for SQL Server has the order of its operator class');
same_facts($own, 'C edition', %before);

# What goes on: defaults, partitions, checks.
my $new_rows = q{
	INSERT INTO orders DEFAULT VALUES RETURNING uuid_time(id) > now() - interval '1 minute';
	INSERT INTO rides DEFAULT VALUES RETURNING country;
	INSERT INTO tickets DEFAULT VALUES RETURNING made > now() - interval '1 minute';
	INSERT INTO links DEFAULT VALUES RETURNING uuid_time(of) > now() - interval '1 minute' AND id = uuid_to_ulid(of);
	INSERT INTO others DEFAULT VALUES RETURNING printed = uuid_to_sqlserver(suffix), short_comb_block(numbered);};
is(query($own, "BEGIN; $new_rows ROLLBACK"), "t\n76\nt\nt\nt|10", 'defaults go on');

# What the C edition has read itself is written as the SQL edition writes it.
query($own, 'ALTER TABLE links ALTER COLUMN id SET DEFAULT uuid_to_ulid(gen_uuidv7())');

# And down again.

shell_ok($own, $superuser, $dump->{code}, 'dump of the C edition');
shell_ok($managed, $owner, "dropdb shop; createdb shop\n$install->{code}$search_path$restore->{code}psql -d shop -c ANALYZE",
	'restore where the SQL edition is');
same_facts($managed, 'SQL edition', %before);
is(query($managed, "BEGIN; $new_rows ROLLBACK"), "t\n76\nt\nt\nt|10", 'defaults go on there');

$_->stop foreach $managed, $own;
done_testing();
