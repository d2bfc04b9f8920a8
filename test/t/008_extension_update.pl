# ALTER EXTENSION UPDATE from every earlier version leaves what CREATE EXTENSION
# of this version makes, by everything that the catalogs say, and keeps what users
# have made.
#
# Install scripts of earlier versions, as make builds them, are in test/released/
# uidext--VERSION.sql; the scripts sql/uidext--A--B.sql lead from there to this
# version (script/update-script drafts them).  Versions made up from this
# version's script show that the comparison works.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::RecursiveCopy;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'run by script/test, which says where the build is' unless $ENV{UIDEXT_BUILD};

my $root = dirname(__FILE__) . '/../..';
my $describe = dirname(__FILE__) . '/include/describe_extension.sql';
my ($version) = slurp_file("$root/uidext.control") =~ /^default_version = '(.*)'/m;
my $script = slurp_file("$root/sql/uidext--$version.sql");
# frozen, or of before the first release
my %released = map { basename($_) =~ /^uidext--(.*)\.sql$/ => $_ } glob("$root/test/released/*.sql");
my $frozen = -e "$root/sql/released.sha256" ? slurp_file("$root/sql/released.sha256") : '';
$released{$2} = "$root/$1" while $frozen =~ m{  (sql/uidext--([\d.]+)\.sql)$}mg;
delete $released{$version};
my @released = sort keys %released;

# A second installation, for versions that are not to be found in the first.
my $build = PostgreSQL::Test::Utils::tempdir . '/build';
PostgreSQL::Test::RecursiveCopy::copypath($ENV{UIDEXT_BUILD}, $build, filterfn => sub { $_[0] !~ m{^test/} });
my ($settings, $stderr) = run_command([ "$root/script/stage", $build, "$build/stage" ]);
BAIL_OUT("could not build: $stderr") unless $settings;
append_to_file("$build/uidext.conf", "$settings\n");
my $scripts = "$build/stage" . (run_command([ $ENV{PG_CONFIG}, '--sharedir' ]))[0] . '/extension';

sub add_script
{
	my ($versions, $sql) = @_;
	append_to_file("$scripts/uidext--$versions.sql", $sql);
}

add_script($_, slurp_file($released{$_})) foreach @released;

# Versions that lack one part of the script and then another: functions with
# comments, and operator classes.
sub part_of_script
{
	my ($name) = @_;
	my ($part) = run_command([ 'awk', '-v', 'edition=c', '-f', "$root/sql/edition.awk", "$root/sql/$name.sql" ]);
	die "sql/$name.sql is not in the script" unless $script =~ /\Q$part\E/;
	return $part;
}

my ($encryption, $routing) = map { part_of_script($_) } 'encrypt', 'routing';
my $without_routing = $script =~ s/\Q$routing\E//r;
add_script('older', $without_routing =~ s/\Q$encryption\E//r);
add_script('older--old', $encryption);
add_script('old', $without_routing);
add_script("old--$version", $routing);

# What an update script can get wrong: versions that differ in one property,
# from which an empty script leads to this one.
my @mistakes = (
	# name, what to replace in the install script, by what
	[ 'comment', "'uuid_time()'", "'uuid_time'" ],
	[ 'comment of a column', "'free text'", "''" ],
	[ 'volatility', 'LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF', 'LANGUAGE C STABLE STRICT PARALLEL SAFE LEAKPROOF' ],
	[ 'strictness', 'LANGUAGE C VOLATILE STRICT', 'LANGUAGE C VOLATILE' ],
	[ 'parallel safety', 'LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE', 'LANGUAGE C VOLATILE STRICT PARALLEL SAFE' ],
	[ 'leakproofness', ' LEAKPROOF', '' ],
	[ 'default of an argument', 'block_size int DEFAULT 65536', 'block_size int DEFAULT 65535' ],
	[ 'name of an argument', 'gen_uuidv7(shift interval)', 'gen_uuidv7(shifted interval)' ],
	[ 'C function', 'uidext_comb_time', 'uidext_suffix_comb_time' ],
	[ 'body in SQL', 'RETURN uuid_boundary_time(', 'RETURN uuidv6_boundary_time(' ],
	[ 'planner support', "\n\tSUPPORT uidext_internal.id_predicate_support", '' ],
	[ 'body in PL/pgSQL', 'next_time timestamptz := start;', 'next_time timestamptz := stop;' ],
	[ 'setting of a function', 'SET search_path = pg_catalog, pg_temp', 'SET search_path = pg_catalog' ],
	[ 'function of a type', "\n\tRECEIVE = uidext_internal.iuid_recv, SEND = uidext_internal.iuid_send,", '' ],
	[ 'function of an operator family', 'FUNCTION 1 (iuid, uuid) uidext_internal.iuid_cmp_uuid(iuid, uuid)', 'FUNCTION 1 (iuid, uuid) uuid_cmp(uuid, uuid)' ],
	[ 'column of a type', 'random_bits int', 'random_bits bigint' ],
	[ 'order of columns', "\tvariant text,\n\tlayout text,", "\tlayout text,\n\tvariant text," ],
	[ 'constraint of a table', 'UNIQUE NULLS NOT DISTINCT', 'UNIQUE' ],
	[ 'NOT NULL', 'node text NOT NULL', 'node text' ],
	[ 'property of an operator', 'RESTRICT = scalarltsel', 'RESTRICT = scalargtsel' ],
	[ 'joins of an operator', 'NEGATOR = >=,', 'NEGATOR = >=, MERGES,' ],
	[ 'function of an operator class', ",\n\tFUNCTION 4 btequalimage(oid)", '' ],
	[ 'operator of an operator class', "\tOPERATOR 3 =,\n", '' ],
	[ 'operator of an operator family', "\tOPERATOR 4 >= (uuid, uuid),\n", '' ],
	[ 'context of a cast', 'WITH FUNCTION uuid_time(uuid)', 'WITH FUNCTION uuid_time(uuid) AS ASSIGNMENT' ],
	[ 'index of an aggregate', 'SORTOP = OPERATOR(pg_catalog.<), ', '' ],
	[ 'trigger', 'AFTER INSERT OR UPDATE OR DELETE ON iuid_countries', 'AFTER INSERT OR UPDATE ON iuid_countries' ],
	[ 'mode of a trigger', 'ALTER TABLE iuid_countries ENABLE ALWAYS TRIGGER iuid_registry_changed;', '' ],
	[ 'privilege', 'GRANT SELECT ON iuid_countries, iuid_service_entities', 'GRANT SELECT ON iuid_countries' ],
	[ 'dump of a table', "SELECT pg_catalog.pg_extension_config_dump('iuid_routes', '');", '' ],
	[ 'object too few', qr/CREATE OPERATOR @>.*?;\nCOMMENT ON OPERATOR @>.*?;\n/s, '' ],
	[ 'object too many', qr/\z/, 'CREATE DOMAIN uuid_v4 AS uuid;' ],
	[ 'object that is no member', qr/\z/, 'ALTER EXTENSION uidext DROP FUNCTION gen_uuidv1();' ]);
foreach my $n (0 .. $#mistakes)
{
	my ($name, $right, $wrong) = @{ $mistakes[$n] };
	my $pattern = ref $right ? $right : quotemeta $right;
	my $mistaken = $script =~ s/$pattern/$wrong/r;
	die "nothing to change for: $name" if $mistaken eq $script;
	add_script("mistake$n", $mistaken);
	add_script("mistake$n--$version", '');
}

my $node = PostgreSQL::Test::Cluster->new('update');
{
	local $ENV{TEMP_CONFIG} = "$build/uidext.conf";
	$node->init;
}
$node->start;

# What the catalogs say after these statements, which leave nothing behind.
sub description
{
	my ($statements) = @_;
	return split /\n/, $node->safe_psql('postgres', "BEGIN;\n$statements;\n" . slurp_file($describe) . 'ROLLBACK');
}

my @fresh = description('CREATE EXTENSION uidext');
cmp_ok(scalar @fresh, '>', 500, 'there is something to compare');

# The lines that an update leaves in excess or out.
sub differences
{
	my ($from) = @_;
	my %count;
	$count{$_}++ foreach @fresh;
	$count{$_}-- foreach description("CREATE EXTENSION uidext VERSION '$from'; ALTER EXTENSION uidext UPDATE");
	return map { ($count{$_} > 0 ? 'missing: ' : 'in excess: ') . $_ } grep { $count{$_} } sort keys %count;
}

is(join("\n", differences($_)), '', "update from $_") foreach @released, 'old', 'older';

# What is made anew is named where something of the user's needs it.
sub stops_at_view
{
	my ($edition) = @_;
	my $id = q('01563e3a-b5d3-d676-4c61-efb99302bd5b');

	$node->safe_psql('postgres', 'CREATE DATABASE viewed');
	$node->safe_psql('viewed', "CREATE EXTENSION uidext VERSION '0.1.0'; CREATE VIEW linked AS SELECT uuid_to_ulid($id);
		CREATE TABLE linked_by (link text DEFAULT uuid_to_ulid($id))");
	$node->safe_psql(
		'viewed', q{
		CREATE FUNCTION planted(oid, regclass) RETURNS bool LANGUAGE plpgsql AS $$BEGIN RAISE 'planted'; END$$;
		CREATE OPERATOR = (LEFTARG = oid, RIGHTARG = regclass, FUNCTION = planted);
		CREATE FUNCTION pg_get_functiondef(regprocedure) RETURNS text LANGUAGE plpgsql AS $$BEGIN RAISE 'planted'; END$$;});
	my ($status, $stdout, $stderr) = $node->psql('viewed', 'ALTER EXTENSION uidext UPDATE');
	like($stderr, qr/cannot drop function uuid_to_ulid\(uuid\) .*view linked depends on function uuid_to_ulid/s, "$edition: a view over a function that is made anew stops the update");
	like($stderr, qr/default value for column link of table linked_by depends on function uuid_to_ulid/, 'and so does a default');
	is($node->safe_psql('viewed', "DROP VIEW linked; DROP TABLE linked_by; ALTER EXTENSION uidext UPDATE; SELECT pg_typeof(uuid_to_ulid($id)), uuid_to_ulid($id), ulid_to_uuid(gen_ulid()) IS NOT NULL"),
		'ulid|01ARZ3NDEKTSV4RRFFQ69G5FAV|t', 'without it the function returns the other type');
	$node->safe_psql('postgres', 'DROP DATABASE viewed');
	return;
}

stops_at_view('C edition');
foreach my $n (0 .. $#mistakes)
{
	my @differences = differences("mistake$n");
	cmp_ok(scalar @differences, '>', 0, "a mistake is seen: $mistakes[$n][0]");
	note(join("\n", map { substr($_, 0, 200) } @differences));
}

# A GRANT or REVOKE is kept, or said to be gone where the function is made anew.
sub says_what_was_granted
{
	$node->safe_psql('postgres', 'CREATE DATABASE granted');
	my ($status, $stdout, $stderr) = $node->psql(
		'granted', q{
		CREATE ROLE app;
		CREATE SCHEMA "a b";
		CREATE EXTENSION uidext SCHEMA "a b" VERSION '0.1.0';
		SET search_path = "a b";
		REVOKE EXECUTE ON FUNCTION gen_uuidv7(), uuid_key_report FROM PUBLIC;
		GRANT EXECUTE ON PROCEDURE uuid_partition_drain TO app;
		CREATE FUNCTION uuid_key_report(text) RETURNS int LANGUAGE sql RETURN 1;
		REVOKE EXECUTE ON FUNCTION uuid_key_report(text) FROM PUBLIC;
		ALTER EXTENSION uidext UPDATE;
		SELECT p FROM unnest('{gen_uuidv7(),uuid_key_report(text)}'::regprocedure[]) AS p WHERE has_function_privilege('public', p, 'EXECUTE');},
		on_error_stop => 1);
	is("$status $stdout", '0 ', 'privileges on what stays are kept');
	is( join(' ', sort $stderr =~ /WARNING:  "a b"\.(\w+)\(.*\) has its default privileges again: the update has made it anew\nDETAIL:  They were \{.*(?:=X|app=X).*\}\.\nHINT:  Repeat GRANT and REVOKE/g),
		'uuid_key_report uuid_partition_drain', 'others are named, once')
	  or diag($stderr);
	unlike($stderr, qr/"a b"\.uuid_partition_drop/, 'if there were any');
	return;
}

says_what_was_granted() if $released{'0.1.0'};

# The path that a released version takes is there, and so is its install script.
my %paths = map { basename($_) =~ /^uidext--(.*)--(.*)\.sql$/ } glob("$root/sql/uidext--*--*.sql");
is_deeply([ grep { !$released{$_} } sort keys %paths ],
	[], 'every version with an update script is tested');

# The SQL edition, as an extension, which it is where pg_tle is.
{
	my $tree = PostgreSQL::Test::Utils::tempdir . '/portable';
	PostgreSQL::Test::RecursiveCopy::copypath($ENV{UIDEXT_BUILD}, $tree, filterfn => sub { $_[0] !~ m{^test/} });
	local $ENV{EDITION} = 'portable';
	local $ENV{TEMP_CONFIG} = "$tree/uidext.conf";
	($settings, $stderr) = run_command([ "$root/script/stage", $tree, "$tree/stage" ]);
	append_to_file($ENV{TEMP_CONFIG}, "$settings\n");
	$scripts = "$tree/stage" . (run_command([ $ENV{PG_CONFIG}, '--sharedir' ]))[0] . '/extension';
	my @versions = grep { -e ($released{$_} =~ s{/(?=uidext--)}{/portable/}r) } @released;
	add_script($_, slurp_file($released{$_} =~ s{/(?=uidext--)}{/portable/}r)) foreach @versions;

	my $c_edition = $node;
	$node = PostgreSQL::Test::Cluster->new('portable');
	$node->init;
	$node->start;
	@fresh = description('CREATE EXTENSION uidext');
	is(join("\n", differences($_)), '', "update of the SQL edition from $_") foreach @versions;
	stops_at_view('SQL edition');
	my ($status, $stdout, $stderr) = $node->psql(
		'postgres', q{
		CREATE EXTENSION uidext VERSION '0.1.0';
		CREATE TABLE events (id uuid);
		CREATE INDEX events_time ON events (uuid_time(id));
		CREATE INDEX events_layout ON events (((uuid_inspect(id)).layout));
		CREATE INDEX events_recent ON events (id) WHERE uuid_is_recent(id, '1 day', '1 day', '2026-01-01');
		SET quote_all_identifiers = on;
		ALTER EXTENSION uidext UPDATE;}, on_error_stop => 1);
	is(join(' ', sort $stderr =~ /WARNING:  stored results of functions that read more now: index "public"\."(\w+)"$/mg), 'events_layout events_recent events_time',
		'which says where there are results that are others now');
	says_what_was_granted();
	$node->stop;
	$node = $c_edition;
}

# Rows, defaults, partitions, keys, operator classes and the registry of 0.1.0.
SKIP:
{
	skip 'made by the C edition', 20 if ($ENV{EDITION} // 'c') ne 'c';
	my $include = dirname(__FILE__) . '/include';
	my $everywhere = slurp_file("$include/everywhere.sql");
	my $rows_query = slurp_file("$include/everywhere_rows.sql");

	# by hand what only 0.1.0's own library does
	$everywhere =~ s/CREATE EXTENSION uidext/$& VERSION '0.1.0'/;
	$everywhere =~ s/^SELECT iuid_partition_create.*\n//gm;
	$everywhere =~ s/^INSERT INTO public\.rides \(id\)/CREATE TABLE public.rides_br PARTITION OF public.rides FOR VALUES WITH (MODULUS 257, REMAINDER 76);
		CREATE TABLE public.rides_kz PARTITION OF public.rides FOR VALUES WITH (MODULUS 257, REMAINDER 0);\n$&/m or die;
	$node->safe_psql('postgres', 'CREATE DATABASE kept');
	$node->safe_psql('kept', $everywhere);
	$node->safe_psql('kept', <<'SQL');
SET search_path = ids, public;
CREATE TABLE hashed (id iuid, other uuid);
INSERT INTO hashed SELECT gen_iuid(n % 7, 1), gen_iuid(n % 7, 2) FROM generate_series(1, 500) AS n;
CREATE INDEX hashed_id ON hashed USING hash (id);
CREATE INDEX hashed_other ON hashed USING hash (other uuid_country_ops);
CREATE INDEX hashed_both ON hashed (id);
CREATE VIEW asked AS SELECT (uuid_inspect(id)).*, iuid_describe(id) FROM hashed;
-- the hash of what has an iUID in it
CREATE DOMAIN held AS iuid;
CREATE TYPE pair AS (n int, id held);
CREATE TYPE span AS RANGE (subtype = iuid);
CREATE TABLE holders (list iuid[], domains held[], pair pair, span span, other uuid[]);
INSERT INTO holders SELECT ARRAY[id], ARRAY[id::held], ROW(1, id)::pair, span(id, NULL), ARRAY[other] FROM hashed;
CREATE INDEX holders_list ON holders USING hash (list);
CREATE INDEX holders_domains ON holders USING hash (domains);
CREATE INDEX holders_pair ON holders USING hash (pair);
CREATE INDEX holders_span ON holders USING hash (span);
CREATE INDEX holders_expression ON holders USING hash ((list || list));
CREATE INDEX holders_other ON holders USING hash (other);
-- the cast's function
CREATE VIEW casted AS SELECT other::iuid AS id FROM hashed;
CREATE TABLE generated (u uuid, id iuid GENERATED ALWAYS AS (u) STORED);
INSERT INTO generated SELECT other FROM hashed;
CREATE TABLE by_time (id uuid) PARTITION BY RANGE (uuid_time(id));
CREATE TABLE by_cast (id held) PARTITION BY RANGE ((id::timestamptz));
CREATE INDEX hashed_cast ON hashed ((id::timestamptz));
-- a name that changes
CREATE VIEW laravel AS SELECT ordered_uuid_to_v7('9e0b1c2a-3f4d-4abc-9def-0123456789ab') AS id;
-- whose columns are the type's, later ones too
CREATE TABLE typed OF uuid_info;
SQL

	# A library newer than the extension, before the update.
	my ($status, $stdout, $stderr) = $node->psql('kept', q(SET search_path = ids, public; SELECT uuid_partition_create('orders', '2027-01-01', '2027-02-01', '1 month')));
	like($stderr, qr/function \w+\(\) is of an earlier version of uidext.*HINT:  ALTER EXTENSION uidext UPDATE/s, 'what the library no longer does says so');
	is($node->safe_psql('kept', q(SET search_path = ids, public; SELECT '018c22ac-d000-8037-a940-000000000000'::uuid::iuid, uuid_to_ulid('01563e3a-b5d3-d676-4c61-efb99302bd5b'), (uuid_inspect(gen_uuidv7())).random_bits, uuid_time(id) FROM laravel)),
		'018c22ac-d000-8037-a940-000000000000|01ARZ3NDEKTSV4RRFFQ69G5FAV|62|2025-01-24 07:59:03.596+00', 'the rest is as it was');
	($status, $stdout, $stderr) = $node->psql('kept', 'SET search_path = ids, public; SELECT gen_random_uuid()::iuid');
	like($stderr, qr/is not an iUID/, 'with its errors');

	# in the session that updates, too, which has looked the former hash up
	my $by_hash = q(SELECT count(*) FROM ids.hashed h WHERE EXISTS (SELECT FROM ids.hashed g WHERE g.%1$s = h.%1$s OFFSET 0);
		SELECT count(*) FROM ids.hashed h, LATERAL (SELECT FROM ids.hashed g WHERE g.%1$s = h.%1$s OFFSET 0) AS g);
	my $by_holder = 'SELECT count(*) FROM ids.holders h, LATERAL (SELECT FROM ids.holders g WHERE g.%1$s = h.%1$s OFFSET 0) AS g';
	my $searches = 'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET search_path = ids, public;'
	  . 'DROP INDEX IF EXISTS hashed_both;' . join ';', (map { sprintf $by_hash, $_ } 'id', 'other'), map { sprintf $by_holder, $_ } qw(list domains pair span);
	my $without_inspected = sub { join "\n", grep { !/^(ids\.|inspected|iuid_operators)/ } split /\n/, $node->safe_psql('kept', $rows_query) };
	my $registry = 'SET search_path = ids; SELECT * FROM iuid_countries; SELECT id, name, description FROM iuid_service_entities; SELECT country, service_entity, node, description FROM iuid_routes';
	my $members = q(SELECT member FROM (SELECT oid::regclass::text AS member, relacl FROM pg_class WHERE relname LIKE 'iuid\_%' AND relkind = 'r') AS m WHERE relacl::text ~ 'uidext_app=a');
	my $rows = $without_inspected->();
	my $registered = $node->safe_psql('kept', $registry);
	my $granted = $node->safe_psql('kept', $members);
	my $inspected = $node->safe_psql('kept', 'SELECT (info).random_bits, (info).time, of FROM inspected ORDER BY of');
	like($rows, qr/^orders_01\|744\|/m, 'there is something to keep');
	my $elsewhere = $node->background_psql('kept');
	$elsewhere->query_safe('SET search_path = ids, public; CREATE TEMP TABLE others (id iuid); CREATE INDEX others_id ON others USING hash (id)');
	($status, $stdout, $stderr) = $node->psql('kept', "$searches; ALTER EXTENSION uidext UPDATE; $searches", on_error_stop => 1);
	is($stdout, join("\n", (500) x 16), 'hash indexes find every row, before and after');
	is($node->safe_psql('kept', $searches), join("\n", (500) x 8), 'in another session, too');
	is(join(' ', sort $stderr =~ /WARNING:  building hash index (\S+) again/g), 'ids.hashed_id ids.hashed_other ' . join(' ', map { "ids.holders_$_" } qw(domains expression list pair span)), 'having been built again, as it says')
	  or diag($stderr);
	like($stderr, qr/WARNING:  hash index \S*others_id of another session's temporary table has the former hash/, 'or not, where it cannot be');
	$elsewhere->quit;
	like($stderr, qr/WARNING:  stored results of functions that read more now: \w+ \w*\s*(?:\S+\.)?$_$/m, "and $_ holds results that are others now") foreach qw(users_made by_day by_time);
	is(join(' ', sort $stderr =~ /WARNING:  casts from iuid to timestamptz have another function: (?:index|partitioned table|table) (\S+)$/mg), 'ids.by_cast ids.hashed_cast',
		'as are those of a cast whose function is another one');
	is($node->safe_psql('kept', "SELECT extversion FROM pg_extension WHERE extname = 'uidext'"), $version, 'updated');
	is($without_inspected->(), $rows, 'the same rows');
	is($node->safe_psql('kept', $registry), $registered, 'the same registry');
	is($node->safe_psql('kept', $members), $granted, 'which has the same grants');
	is($node->safe_psql('kept', 'SELECT (info).random_bits, (info).time, of FROM inspected ORDER BY of'), $inspected, 'a column of a type that has more attributes now');
	is( $node->safe_psql(
			'kept', q{
			INSERT INTO users DEFAULT VALUES RETURNING made BETWEEN now() - interval '25 hours' AND now() - interval '23 hours';
			INSERT INTO rides DEFAULT VALUES RETURNING tableoid::regclass, country;
			INSERT INTO parts DEFAULT VALUES RETURNING printed = ids.uuid_to_sqlserver(id);
			SELECT count(*) FROM ids.generated g JOIN ids.casted USING (id) WHERE g.id = g.u;
			INSERT INTO ids.hashed VALUES (ids.gen_iuid(3, 3)) RETURNING (SELECT count(*) FROM ids.asked);
			INSERT INTO claims SELECT id FROM rides ON CONFLICT DO NOTHING;
			SELECT count(*) FROM (SELECT id, count(*) FROM rides GROUP BY id) AS r JOIN claims ON id = ride;
			SELECT ids.uuid_time(id), pg_get_viewdef('ids.laravel') ~ 'laravel_uuid_to_v7' FROM ids.laravel;
			SET search_path = ids, public;
			SELECT count(*) FROM january WHERE id <@ tstzrange '(,)' AND tstzrange '(,)' @> '[2026-01-01,2026-02-01)';}),
		"t\nrides_br|76\nt\n500\n500\n82\n2025-01-24 07:59:03.596+00|t\n744",
		'defaults, partitions, indexes, views go on');

	# Citus, as far as the update looks at it.
	$node->safe_psql('postgres', 'CREATE DATABASE sharded');
	$node->safe_psql('sharded', q{
		CREATE EXTENSION uidext VERSION '0.1.0';
		CREATE DOMAIN ride_id AS iuid; CREATE TABLE rides (id ride_id); CREATE TABLE orders (id uuid);
		SET allow_system_table_mods = on;
		CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text);
		CREATE TABLE pg_catalog.pg_dist_shard (logicalrelid regclass, shardminvalue text);
		CREATE FUNCTION pg_catalog.column_to_column_name(regclass, text) RETURNS text LANGUAGE sql RETURN $2;
		INSERT INTO pg_dist_partition VALUES ('rides', 'h', 'id'), ('orders', 'h', 'id');
		INSERT INTO pg_dist_shard VALUES ('rides', '-2147483648'), ('rides', '-2004318072'), ('orders', '-2147483647');});
	($status, $stdout, $stderr) = $node->psql('sharded', 'ALTER EXTENSION uidext UPDATE');
	like($stderr, qr/have shards that end within a country: public\.rides\n.*HINT:  SELECT undistribute_table/s, 'shards that would lose rows: refused');
	$node->safe_psql('sharded', q(UPDATE pg_dist_shard SET shardminvalue = '-2013265920' WHERE shardminvalue = '-2004318072'; ALTER EXTENSION uidext UPDATE));
	pass('shards of whole countries stay');
}

$node->stop;
done_testing();
