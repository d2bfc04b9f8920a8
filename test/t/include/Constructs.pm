# Databases with whatever PostgreSQL can print of ids of each type (constructs.sql),
# and what they answer.
package Constructs;

use strict;
use warnings;

use Exporter 'import';
use File::Basename;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(make_constructs answers_of expressions_of is_base_type);

my $constructs = slurp_file(dirname(__FILE__) . '/constructs.sql');
my %types = (
	uuid => { make => 'gen_random_uuid()', sample => '018c22ac-d000-8037-a940-000000000000' },
	iuid => { make => 'ids.gen_iuid(76, 1)', sample => '018c22ac-d000-8037-a940-000000000000' },
	ulid => { make => 'ids.gen_ulid()', sample => '01ARZ3NDEKTSV4RRFFQ69G5FAV' });

# How PostgreSQL refuses it: no such operator, none of an order, no such comparison of
# rows, another type than is wanted, and the text of a ULID where that of a uuid is read.
my $refused = qr/^(?:42883|42809|0A000|42804|22P02)$/;

# The statements that need a flag of constructs.sql.
sub statements_that_need
{
	my ($flag) = @_;
	return map { split /^(?=(?:CREATE|INSERT|ALTER)\b)/m } $constructs =~ /^\\if :$flag\n(.*?)^\\endif\n/msg;
}

# In a new database, with the extension in a schema, the constructs of all types, or of
# those named.  What a type cannot have is left out, after it was seen to fail.
#
# pg_upgrade restores the members of an extension one by one, domains before casts.  No
# domain over an iuid can therefore compare values but by their text, since it is cast to uuid;
# doc/troubleshooting.md says what to do.  A caller who means to upgrade says so.
sub make_constructs
{
	my ($node, $database, $schema, %options) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, "CREATE SCHEMA IF NOT EXISTS $schema; CREATE EXTENSION uidext SCHEMA $schema");
	# a domain, as the SQL edition has it, has no order of its own, and is no uuid
	my $ulid_is_base = is_base_type($node, $database, "$schema.ulid");
	foreach my $type (@{ $options{types} // [ sort keys %types ] })
	{
		my %of = %{ $types{$type} };
		my $is_text = $type eq 'ulid' && !$ulid_is_base;
		my %set = (
			type => $type, shop => "${type}_shop", sample => $of{sample}, make => $of{make} =~ s/^ids\./$schema./r,
			bloom => $is_text ? 'text_bloom_ops' : $type eq 'ulid' ? "$schema.ulid_bloom_ops" : 'uuid_bloom_ops',
			ordered => !$is_text, beside_uuid => !$is_text,
			checked_domain => !($type eq 'iuid' && $options{upgrade} && $ulid_is_base));
		my $settings = "SET search_path = pg_catalog, $schema;\n"
		  . join '', map { "\\set $_ '" . ($set{$_} || 'off') . "'\n" } sort keys %set;

		$node->safe_psql($database, $settings . $constructs);
		next unless $is_text;
		foreach my $flag (grep { !$set{$_} } qw(ordered beside_uuid))
		{
			my @statements = statements_that_need($flag);
			my (undef, $states) = $node->psql($database,
				$settings . join('', map { "$_\\echo :SQLSTATE\n" } @statements), on_error_stop => 0);
			my @states = split /\n/, $states;
			my @others = grep { $states[$_] !~ $refused } 0 .. $#statements;

			is(@states, @statements, "without $flag, $schema: each statement is tried with the domain");
			is(join('', map { "$states[$_]: $statements[$_]" } @others), '', 'and is refused for what it does with an id');
		}
	}
}

sub is_base_type
{
	my ($node, $database, $type) = @_;
	return $node->safe_psql($database, "SELECT typtype FROM pg_type WHERE oid = '$type'::regtype") eq 'b';
}

# Types of columns, a digest of the rows of every table and view, what functions answer,
# and what is in the tables after statements that write; which operators, functions and
# operator classes are used where; and how many other objects there are, without NOT
# NULL, which is an object from 18 on.
sub answers_of
{
	my ($node, $database) = @_;
	my $answers = $node->safe_psql($database, q{
		SELECT attrelid::regclass, attname, format_type(atttypid, atttypmod)
		FROM pg_attribute AS a
		JOIN pg_class AS c ON c.oid = attrelid
		WHERE relnamespace::regnamespace::text ~ '_shop$' AND relkind IN ('r', 'p', 'v', 'm', 'c') AND attnum > 0
		ORDER BY attrelid::regclass::text, attnum;
		SELECT format(
			'SELECT %L, count(*), md5(string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C")) FROM %s AS t',
			c.oid::regclass, c.oid::regclass)
		FROM pg_class AS c
		WHERE relnamespace::regnamespace::text ~ '_shop$' AND relkind IN ('r', 'p', 'v', 'm')
		ORDER BY c.oid::regclass::text \gexec
		SELECT nspname, (SELECT count(*) FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid WHERE relnamespace = n.oid),
			(SELECT count(*) FROM pg_constraint WHERE connamespace = n.oid AND contype <> 'n'),
			(SELECT count(*) FROM pg_proc WHERE pronamespace = n.oid),
			(SELECT count(*) FROM pg_rewrite JOIN pg_class AS c ON c.oid = ev_class WHERE relnamespace = n.oid),
			(SELECT count(*) FROM pg_trigger JOIN pg_class AS c ON c.oid = tgrelid WHERE relnamespace = n.oid AND NOT tgisinternal),
			(SELECT count(*) FROM pg_policy JOIN pg_class AS c ON c.oid = polrelid WHERE relnamespace = n.oid),
			(SELECT count(*) FROM pg_statistic_ext WHERE stxnamespace = n.oid)
		FROM pg_namespace AS n WHERE nspname ~ '_shop$' ORDER BY 1;
		SELECT DISTINCT o.identity, r.identity
		FROM pg_depend,
			pg_identify_object(classid, objid, 0) AS o,
			pg_identify_object(refclassid, refobjid, 0) AS r
		WHERE refclassid IN ('pg_operator'::regclass, 'pg_proc'::regclass, 'pg_opclass'::regclass)
			AND o.identity ~ '_shop\.'
		ORDER BY 1, 2});
	foreach my $shop (split /\n/,
		$node->safe_psql($database, q(SELECT nspname FROM pg_namespace WHERE nspname ~ '_shop$' ORDER BY 1)))
	{
		my %has = map { $_ => 1 } split /\n/, $node->safe_psql($database,
			"SELECT proname FROM pg_proc WHERE pronamespace = '$shop'::regnamespace");
		my @functions = ('same(id, other)', 'same(id)', 'named(id, parent)', 'named(id)', 'first_of(id, other)',
			'second_of(id, other)', 'count_of(id)',
			grep { $has{ s/\(.*//r } } 'is_later(other, n, id, n)', 'mixed(id, other)', 'mixed(id, parent)');
		my @sets = ('rows_of(id)', grep { $has{ s/\(.*//r } } 'page(id, n)');
		my $digest = 'md5(string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C"))';
		my $tables = join ', ', "(SELECT count(*) FROM $shop.typed)",
		  map { "(SELECT $digest FROM $shop.$_ AS t)" } qw(orders lines checked);

		my @statements = (
			(map { "SELECT string_agg(concat_ws(' ', n, $shop.$_), ', ' ORDER BY n) FROM $shop.orders" } @functions),
			(map { "SELECT count(*), $digest FROM $shop.orders, $shop.$_ AS t" } @sets),
			"UPDATE $shop.checked SET fixed = fixed WHERE n = 1",
			"UPDATE $shop.checked SET n = 2",
			"INSERT INTO $shop.refers SELECT id FROM $shop.orders",
			"UPDATE $shop.typed SET pair.id = NULL",
			"SELECT $shop.replace(id, other) FROM $shop.orders WHERE n = 4",
			"SELECT format('CALL $shop.forget(%L)', id) FROM $shop.orders WHERE n = 5 \\gexec",
			"DELETE FROM $shop.orders WHERE id IN (SELECT parent FROM $shop.orders WHERE n = 1)",
			"SELECT count(u) FROM $shop.orders AS o, $shop.upserted(o.id) AS u WHERE o.n = 3");
		my $tried = join '',
		  map { "$_\n;\n\\echo :SQLSTATE\n" . (/^SELECT (?:string|count)/ ? '' : "SELECT $tables;\n") } @statements;
		my ($status, $answered) = $node->psql($database,
			"\\set ON_ERROR_ROLLBACK on\nBEGIN;\n${tried}ROLLBACK;\n", on_error_stop => 0);
		$answers .= "\n$shop\n$answered";
	}
	return $answers;
}

# For each column of the catalogs that stores expressions, the kinds of those that are
# stored, as PostgreSQL writes them there: 'pg_trigger.tgqual' => 'DISTINCTEXPR OPEXPR VAR'.
sub expressions_of
{
	my ($node, $database) = @_;
	my $found = $node->safe_psql($database, <<'END');
		SELECT format($$
			SELECT %1$L, string_agg(DISTINCT kind[1], ' ')
			FROM pg_catalog.%2$I AS t, regexp_matches(t.%3$I::text, '[{]([A-Z]+)\M', 'g') AS kind
			WHERE (pg_identify_object(%4$L::regclass, t.%5$I, 0)).identity ~ '_shop\.'$$,
			c.relname || '.' || a.attname, c.relname, a.attname, CASE k.attname WHEN 'oid' THEN c.relname ELSE 'pg_class' END, k.attname)
		FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_attribute AS k ON k.attrelid = c.oid AND k.attnum = 1
		WHERE a.atttypid = 'pg_node_tree'::regtype AND relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r' \gexec
END
	return map { split /\|/, $_, 2 } split /\n/, $found;
}

1;
