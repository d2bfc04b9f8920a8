# Whatever a definition says of ids, a dump of it restores: PostgreSQL dumps and
# restores under an empty search_path, and some constructs have no place for the
# schema of an operator.
use strict;
use warnings;

use File::Basename;
use lib dirname(__FILE__) . '/../include';
use Constructs;
use OneSession;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = OneSession->new('constructs');
# as a publication wants it
$node->init(allows_streaming => 'logical');
$node->start;
my $major = $node->safe_psql('postgres', "SELECT current_setting('server_version_num')::int / 10000");

# By each way, the errors of a restore into a new database.
my %restore = (
	plain => sub {
		my ($database, $copy) = @_;
		return ([ 'pg_dump', '--no-sync', '-f', "$dir/plain", $database ], [ 'psql', '-qX', '-f', "$dir/plain", $copy ]);
	},
	custom => sub {
		my ($database, $copy) = @_;
		return ([ 'pg_dump', '--no-sync', '-Fc', '-f', "$dir/custom", $database ], [ 'pg_restore', '-d', $copy, "$dir/custom" ]);
	},
	parallel => sub {
		my ($database, $copy) = @_;
		return (
			[ 'pg_dump', '--no-sync', '-Fd', '-j2', '-f', "$dir/$copy", $database ],
			[ 'pg_restore', '-j2', '-d', $copy, "$dir/$copy" ]);
	});

foreach my $schema ('public', 'ids')
{
	my $source = "shop_$schema";
	make_constructs($node, $source, $schema);
	my $answers = answers_of($node, $source);
	like($answers, qr/^uuid_shop\.row_distinct\|10\|/m, "extension in $schema: there is something to dump");

	foreach my $way (sort keys %restore)
	{
		my $copy = "${source}_$way";
		my ($dump, $restore) = $restore{$way}->($source, $copy);

		$node->safe_psql('postgres', "CREATE DATABASE $copy");
		local %ENV = (%ENV, PGHOST => $node->host, PGPORT => $node->port);
		command_ok($dump, "extension in $schema: $way dump");
		my ($stdout, $stderr) = run_command($restore);
		is(join("\n", $stderr =~ /(?:ERROR|error): .*(?:\n(?:LINE|Command was:).*)*/g), '',
			"extension in $schema: nothing of a $way dump fails");
		is(answers_of($node, $copy), $answers,
			"extension in $schema: restored from a $way dump, all types, rows and answers are the same");
	}
}

# No type of an extension can be in a row filter or a virtual column, whatever its
# operators are.
foreach my $type ('uuid', 'iuid', 'ulid')
{
	my $is_own = $type ne 'uuid';
	my $column = $is_own ? "ids.$type" : $type;
	my (undef, undef, $stderr) = $node->psql('shop_ids',
		"CREATE PUBLICATION $type FOR TABLE ${type}_shop.orders WHERE (id IS DISTINCT FROM other)");
	like($stderr, $is_own ? qr/DETAIL:  User-defined (types|operators) are not allowed/ : qr/^$/,
		"what PostgreSQL says of a row filter of type $type");
	next if $major < 18;
	(undef, undef, $stderr) = $node->psql('shop_ids', qq(
		CREATE TABLE ${type}_shop.virtual (
			id $column, same bool GENERATED ALWAYS AS (id IS DISTINCT FROM NULL) VIRTUAL)));
	like($stderr, $is_own ? qr/ERROR:  generation expression uses user-defined (type|function)/ : qr/^$/, "and of a virtual column");
}

# The list is whole: whatever this server stores in an expression is among the
# constructs, and so is each place where it stores one.
SKIP:
{
	my $header = (run_command([ 'pg_config', '--includedir-server' ]))[0] . '/nodes/primnodes.h';
	skip 'the headers of the server are not installed', 2 unless -e $header;

	# made while a query is rewritten or planned, or for a cursor of PL/pgSQL
	my %never_stored = map { $_ => 1 } qw(AlternativeSubPlan CurrentOfExpr NextValueExpr ReturningExpr SubPlan
		WindowFuncRunCondition);
	my %expressions = expressions_of($node, 'shop_ids');
	my %stored = map { s/EXPR$//r => 1 } map { split / / } values %expressions;
	my @kinds = grep { !$never_stored{$_} }
		slurp_file($header)
			=~ /^typedef struct (\w+)\n\{(?:\n(?:\s*(?:pg_node_attr.*|\/\*.*|\*.*))?)*\n?\s*Expr\s+xpr;/mg;
	cmp_ok(scalar @kinds, '>', 30, 'the header is read');
	is(join(' ', grep { !$stored{ uc s/Expr$//r } } @kinds), '', 'every kind of expression is among the constructs');
	is(join(' ', grep { !$expressions{$_} } sort keys %expressions), '', 'every place of an expression is, too');
}

# What has no search_path finds the operators, too.
is( $node->safe_psql(
		'shop_ids', q{
		CREATE FUNCTION later(a ids.ulid, b ids.ulid, c uuid)
		RETURNS bool
		LANGUAGE plpgsql SET search_path = '' AS 'BEGIN RETURN a < b AND a <> c AND c IN (a, b); END';
		SELECT later('01ARZ3NDEKTSV4RRFFQ69G5FAV', '7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'ffffffff-ffff-ffff-ffff-ffffffffffff')}),
	't', q(a function with an empty search_path compares ulids and uuids))
  if $node->safe_psql('shop_ids', "SELECT typtype FROM pg_type WHERE oid = 'ids.ulid'::regtype") eq 'b';

# A key of ids and periods, and a foreign key to it.
SKIP:
{
	skip 'periods in keys are from 18 on', 1 if $major < 18;

	foreach my $type ('uuid', 'ids.iuid', 'ids.ulid')
	{
		my $id = "'018c22ac-d000-8076-8040-000000000001'::uuid";
		# a domain is not cast
		$id = "ids.uuid_to_ulid($id)" if $type eq 'ids.ulid';
		my $insert = "INSERT INTO %s VALUES ($id, '%s')";

		$node->safe_psql(
			'shop_ids', qq(
			DROP TABLE IF EXISTS guests, stays;
			CREATE TABLE stays (id $type, during tstzrange, PRIMARY KEY (id, during WITHOUT OVERLAPS));
			CREATE TABLE guests (id $type, during tstzrange, FOREIGN KEY (id, PERIOD during) REFERENCES stays);
		) . sprintf($insert, 'stays', '[2026-01-01,2026-02-01)'));
		foreach my $case (
			[ 'stays', '[2026-01-31,2026-03-01)', '23P01' ],
			[ 'guests', '[2026-01-31,2026-03-01)', '23503' ],
			[ 'guests', '[2026-01-10,2026-01-12)', '' ])
		{
			my ($table, $during, $wanted) = @$case;
			my (undef, undef, $stderr) = $node->psql('shop_ids', "\\set VERBOSITY sqlstate\n" . sprintf($insert, $table, $during));
			is($stderr =~ /ERROR:  (\w+)/ ? $1 : '', $wanted, "a key of periods and $type: what $table may have");
		}
	}
}

$node->stop;
done_testing();
