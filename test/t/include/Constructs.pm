# Databases with whatever PostgreSQL can print of ids of each type (constructs.sql),
# and what they answer.
package Constructs;

use strict;
use warnings;

use Exporter 'import';
use File::Basename;
use PostgreSQL::Test::Utils;

our @EXPORT = qw(make_constructs answers_of expressions_of);

my $constructs = slurp_file(dirname(__FILE__) . '/constructs.sql');
my %types = (
	uuid => { make => 'gen_random_uuid()', sample => '018c22ac-d000-8037-a940-000000000000' },
	iuid => { make => 'ids.gen_iuid(76, 1)', sample => '018c22ac-d000-8037-a940-000000000000' },
	ulid => { make => 'ids.gen_ulid()', sample => '01ARZ3NDEKTSV4RRFFQ69G5FAV' });

# In a new database, with the extension in a schema.
#
# pg_upgrade restores the members of an extension one by one: domains before casts,
# functions before operator classes.  So no domain over an iuid can compare values, for
# which it is cast to uuid, and no function can compare rows with a ulid, which takes
# the operators of a class.  doc/troubleshooting.md says what to do.
sub make_constructs
{
	my ($node, $database, $schema, %options) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, "CREATE SCHEMA IF NOT EXISTS $schema; CREATE EXTENSION uidext SCHEMA $schema");
	# a domain, as the SQL edition has it, has no order of its own
	my $ulid_is_base = $node->safe_psql($database, "SELECT typtype = 'b' FROM pg_type WHERE oid = '$schema.ulid'::regtype") eq 't';
	foreach my $type (sort keys %types)
	{
		my %of = %{ $types{$type} };
		my $ordered = $type ne 'ulid' || $ulid_is_base ? 'on' : 'off';
		my $checked_domain = $type eq 'iuid' && $options{upgrade} && $ulid_is_base ? 'off' : 'on';
		my $row_functions = $ordered eq 'on' && !($type eq 'ulid' && $options{upgrade}) ? 'on' : 'off';
		my $make = $of{make} =~ s/^ids\./$schema./r;
		$node->safe_psql($database, "SET search_path = pg_catalog, $schema;\n"
			  . "\\set type $type\n\\set shop ${type}_shop\n\\set sample $of{sample}\n\\set make '$make'\n\\set ordered $ordered\n\\set checked_domain $checked_domain\n\\set row_functions $row_functions\n$constructs");
	}
}

# Types of columns, a digest of the rows of every table and view, and how many other
# objects there are, without NOT NULL, which is an object from 18 on.
sub answers_of
{
	my ($node, $database) = @_;
	return $node->safe_psql($database, q{
		SELECT attrelid::regclass, attname, format_type(atttypid, atttypmod) FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = attrelid
		WHERE relnamespace::regnamespace::text ~ '_shop$' AND relkind IN ('r', 'p', 'v', 'm', 'c') AND attnum > 0
		ORDER BY attrelid::regclass::text, attnum;
		SELECT format('SELECT %L, count(*), md5(string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C")) FROM %s AS t', c.oid::regclass, c.oid::regclass)
		FROM pg_class AS c WHERE relnamespace::regnamespace::text ~ '_shop$' AND relkind IN ('r', 'p', 'v', 'm') ORDER BY c.oid::regclass::text \gexec
		SELECT nspname, (SELECT count(*) FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid WHERE relnamespace = n.oid),
			(SELECT count(*) FROM pg_constraint WHERE connamespace = n.oid AND contype <> 'n'), (SELECT count(*) FROM pg_proc WHERE pronamespace = n.oid),
			(SELECT count(*) FROM pg_rewrite JOIN pg_class AS c ON c.oid = ev_class WHERE relnamespace = n.oid),
			(SELECT count(*) FROM pg_trigger JOIN pg_class AS c ON c.oid = tgrelid WHERE relnamespace = n.oid AND NOT tgisinternal),
			(SELECT count(*) FROM pg_policy JOIN pg_class AS c ON c.oid = polrelid WHERE relnamespace = n.oid),
			(SELECT count(*) FROM pg_statistic_ext WHERE stxnamespace = n.oid)
		FROM pg_namespace AS n WHERE nspname ~ '_shop$' ORDER BY 1});
}

# For each column of the catalogs that stores expressions, the kinds of those that are
# stored, as PostgreSQL writes them there: 'pg_trigger.tgqual' => 'DISTINCTEXPR OPEXPR VAR'.
sub expressions_of
{
	my ($node, $database) = @_;
	my $found = $node->safe_psql($database, <<'END');
		SELECT format($$SELECT %1$L, string_agg(DISTINCT kind[1], ' ') FROM pg_catalog.%2$I AS t, regexp_matches(t.%3$I::text, '[{]([A-Z]+)\M', 'g') AS kind
			WHERE (pg_identify_object(%4$L::regclass, t.%5$I, 0)).identity ~ '_shop\.'$$,
			c.relname || '.' || a.attname, c.relname, a.attname, CASE k.attname WHEN 'oid' THEN c.relname ELSE 'pg_class' END, k.attname)
		FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_attribute AS k ON k.attrelid = c.oid AND k.attnum = 1
		WHERE a.atttypid = 'pg_node_tree'::regtype AND relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r' \gexec
END
	return map { split /\|/, $_, 2 } split /\n/, $found;
}

1;
