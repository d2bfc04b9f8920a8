# A dump of a database that uses the extension everywhere restores to the same,
# and so does a dump of its whole cluster.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__) . '/../include';
use OneSession;

my $include = dirname(__FILE__) . '/../include';
my $rows_query = slurp_file("$include/everywhere_rows.sql");
my $dir = PostgreSQL::Test::Utils::tempdir;

my $node = OneSession->new('dump');
$node->init;
$node->start;
$node->safe_psql('postgres', "CREATE DATABASE $_") foreach qw(source target archive);
$node->safe_psql('source', slurp_file("$include/everywhere.sql"));

my $rows = $node->safe_psql('source', $rows_query);
like($rows, qr/^orders_01\|744\|/m, 'there is something to compare');

# Without the lines that differ between any two dumps.
sub lines_of
{
	my ($file) = @_;
	return join '', grep { !/^(--|\\restrict|\\unrestrict)/ } split /^/, slurp_file($file);
}

sub dump_of
{
	my ($database) = @_;
	my $file = "$dir/$database.sql";
	$node->command_ok([ 'pg_dump', '--no-sync', '-f', $file, '-d', $database ], "dump of $database");
	return lines_of($file);
}

sub defaults_work
{
	my ($where, $node, $database) = @_;
	is( $node->safe_psql(
			$database, q{
			INSERT INTO users DEFAULT VALUES RETURNING made BETWEEN now() - interval '25 hours' AND now() - interval '23 hours';
			INSERT INTO rides DEFAULT VALUES RETURNING tableoid::regclass, country;
			INSERT INTO parts DEFAULT VALUES RETURNING printed = ids.uuid_to_sqlserver(id);
			INSERT INTO others DEFAULT VALUES RETURNING ids.short_comb_block(numbered);}),
		"t\nrides_br|76\nt\n10",
		"$where: defaults, generated columns and partitions go on");
}

# One database, in one transaction.

my $dump = dump_of('source');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-1', '-f', "$dir/source.sql", '-d', 'target' ],
	'restore');
# What belongs to a database as such is in no plain dump.
$node->safe_psql('postgres', "ALTER DATABASE $_ SET uidext.country = 76") foreach qw(target archive);
is($node->safe_psql('target', $rows_query), $rows, 'the same rows');
is(dump_of('target'), $dump, 'a dump of the restored database is the same');
defaults_work('restored', $node, 'target');
is( $node->safe_psql('target', q{
	SELECT conrelid::regclass, pg_get_constraintdef(oid)
	FROM pg_constraint
	WHERE conrelid::regclass::text ~ '^notes' AND contype = 'f'
	ORDER BY 1;
		SELECT count(*) FROM ids.uuid_partition_follow('notes', 'orders')}),
	"notes_01|FOREIGN KEY (order_id) REFERENCES orders_01(id)\nnotes_02|FOREIGN KEY (order_id) REFERENCES orders_02(id)\n0",
	'restored: each pair has its key, and none lacks');

# Into a server that has aggregates of its own for uuid, as 20 has: those go
# first, and what was made with ours keeps it.

$node->safe_psql('postgres', 'CREATE DATABASE newer');
$node->safe_psql('newer', qq{
	CREATE FUNCTION pg_catalog.uuid_$_->[1](uuid, uuid) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT RETURN $_->[2](\$1, \$2);
	CREATE AGGREGATE pg_catalog.$_->[0](uuid) (SFUNC = pg_catalog.uuid_$_->[1], STYPE = uuid);})
  foreach $node->pg_version->major < 20 ? ([ 'min', 'smaller', 'least' ], [ 'max', 'larger', 'greatest' ]) : ();
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-1', '-f', "$dir/source.sql", '-d', 'newer' ],
	'restore where the server has min(uuid) and max(uuid)');
$node->safe_psql('postgres', 'ALTER DATABASE newer SET uidext.country = 76');
is($node->safe_psql('newer', $rows_query), $rows, 'the same rows');
is( $node->safe_psql('newer', q{
	SET search_path = ids, public; EXPLAIN (COSTS OFF, VERBOSE) SELECT max(ticket) FROM seats})
	=~ /Output: (\S+)/
	&& $1,
	'max(ticket)', 'a new query takes the server\'s');
$node->safe_psql('postgres', 'DROP DATABASE newer');

# In parallel and from an archive, where indexes and constraints come last.

$node->command_ok([ 'pg_dump', '--no-sync', '-Fd', '-j2', '-f', "$dir/archive", '-d', 'source' ], 'parallel dump');
$node->command_ok([ 'pg_restore', '-j2', '--exit-on-error', '-d', 'archive', "$dir/archive" ], 'parallel restore');
is($node->safe_psql('archive', $rows_query), $rows, 'the same rows again');

# All databases, into another cluster.

my $other = OneSession->new('other');
$other->init;
$other->start;
$node->safe_psql('postgres', "DROP DATABASE $_") foreach qw(target archive);
$node->command_ok([ 'pg_dumpall', '--no-sync', '-f', "$dir/node.sql" ], 'dump of the cluster');
my ($stdout, $stderr);
$other->psql('postgres', "\\i $dir/node.sql", stdout => \$stdout, stderr => \$stderr, on_error_stop => 0);
my @errors = grep { !/ERROR:  role "[^"]*" already exists/ } $stderr =~ /^.*ERROR:.*$/mg;
is("@errors", '', 'restore in the other cluster');
is($other->safe_psql('source', $rows_query), $rows, 'the same rows there');
$other->command_ok([ 'pg_dumpall', '--no-sync', '-f', "$dir/other.sql" ], 'dump of the other cluster');
is(lines_of("$dir/other.sql"), lines_of("$dir/node.sql"), 'is the same');
defaults_work('other cluster', $other, 'source');

$_->stop foreach $node, $other;
done_testing();
