# Citus: a coordinator and two workers, set up by the SQL blocks of doc/citus.md.

use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../include';
use Batches;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

$ENV{PGTZ} = 'UTC';

my %node;
foreach my $name ('the coordinator', 'worker 1', 'worker 2')
{
	my $node = PostgreSQL::Test::Cluster->new($name =~ s/\W//gr);

	$node->init(allows_streaming => 'logical');
	$node->append_conf('postgresql.conf', "autovacuum = off\nmax_connections = 100\nmax_prepared_transactions = 100\n");
	$node->start;
	if ($node->safe_psql('postgres', "SELECT count(*) FROM pg_available_extensions WHERE name = 'citus'") eq '0')
	{
		$node->stop;
		plan skip_all => 'Citus is not installed';
	}
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'citus'\ncitus.node_conninfo = 'sslmode=disable'\n"
		  . "citus.local_hostname = '${\$node->host}'\n");
	$node->restart;
	$node->safe_psql('postgres', 'CREATE DATABASE geo');
	$node{$name} = $node;
}
my %host = ('co.example.com' => $node{'the coordinator'}, 'w1.example.com' => $node{'worker 1'},
	'w2.example.com' => $node{'worker 2'});

sub query
{
	my ($where, $sql) = @_;
	return $node{$where}->safe_psql('geo', $sql);
}

sub failure
{
	my ($where, $sql) = @_;
	my $stderr;

	$node{$where}->psql('geo', $sql, stderr => \$stderr, on_error_stop => 1);
	return $stderr;
}

# The document: its SQL blocks by heading, each with where it runs and, when
# there is one, the output shown after it.
my %document;
{
	my $heading;
	my $text = slurp_file(dirname(__FILE__) . '/../../../doc/citus.md');

	while ($text =~ /^\#+ ([^\n]+)|^```sql\n-- on ([^\n]+)\n(.*?)^```\n(?:```\n(.*?)^```$)?/gms)
	{
		$heading = $1, next if defined $1;
		push @{ $document{$heading} }, { where => $2, sql => $3, shown => $4 };
	}
}

sub addressed
{
	my ($sql) = @_;
	return $sql =~ s/'([a-z0-9.]+\.com)', 5432/"'${\$host{$1}->host}', ${\$host{$1}->port}"/ger
	  =~ s/'([a-z0-9.]+\.com):5432'/"'${\$host{$1}->host}:${\$host{$1}->port}'"/ger;
}

# Numbers of shards are the cluster's own, and widths follow from names.
sub comparable
{
	my ($output) = @_;

	foreach my $name (keys %host)
	{
		my ($host, $port) = ($host{$name}->host, $host{$name}->port);
		$output =~ s/host=\Q$host\E port=$port/host=$name port=5432/g;
		$output =~ s/\Q$host\E:$port/$name:5432/g;
	}
	$output =~ s/\b(10[0-9]{4})\b|(?<=_)10[0-9]{4}\b/N/g;
	$output =~ s/-{2,}/--/g;
	$output =~ s/ +/ /g;
	return $output =~ s/^ | $//gmr =~ s/\n+\z//r;
}

# Runs the blocks under a heading.  Errors have to be those that a block
# announces in comments, the end of the output has to be the one shown.
sub play
{
	my ($heading) = @_;
	my $n = 0;

	die "no SQL under \"$heading\"" unless $document{$heading};
	foreach my $block (@{ $document{$heading} })
	{
		my @expected = $block->{sql} =~ /^-- (ERROR:  .*)$/mg;

		$n++;
		foreach my $where ($block->{where} eq 'every node' ? sort keys %node : $block->{where})
		{
			my ($stdout, $stderr);

			die "where is \"$where\"?" unless $node{$where};
			$node{$where}->psql('geo', "\\pset format aligned\n\\pset tuples_only off\n\\pset footer off\n" . addressed($block->{sql}),
				stdout => \$stdout, stderr => \$stderr, on_error_stop => 0);
			is_deeply([ $stderr =~ /(ERROR:  .*)$/mg ], \@expected, "$heading, block $n on $where") or diag($stderr);
			next unless defined $block->{shown};
			my ($shown, $output) = map { comparable($_) } $block->{shown}, $stdout;
			is(substr($output, -length $shown), $shown, "$heading, output $n") or diag($stdout);
		}
	}
	return;
}

play('Set up');
note(query('the coordinator', 'SELECT citus_version()'));

my @everywhere = sort keys %node;
my $shard = sub { return query('the coordinator', "SELECT get_shard_id_for_distribution_column('rides', gen_iuid($_[0], 0))") };
my $home = sub {
	my ($country) = @_;
	my $port = query('the coordinator', "SELECT nodeport FROM citus_shards WHERE shardid = " . $shard->($country));
	return (grep { $node{$_}->port == $port } @everywhere)[0];
};

is(query($_,
		"SELECT (SELECT count(*) FROM iuid.countries), (SELECT name FROM iuid.service_entities WHERE id = 2)"),
	'249|Payment', "the registry on $_")
  foreach @everywhere;


# Each country is in one shard, and that is where the hash says.
query('the coordinator', "CREATE TABLE placed (id iuid PRIMARY KEY);
	SELECT create_distributed_table('placed', 'id', shard_count => 256);
	INSERT INTO placed
	SELECT gen_iuid_at(now() - n * interval '1 day', country, n)
	FROM generate_series(0, 255) AS country, generate_series(1, 4) AS n");
is(query('the coordinator', "SELECT count(DISTINCT shard), max(countries) FROM (
		SELECT get_shard_id_for_distribution_column('placed', id) AS shard,
			count(DISTINCT iuid_country(id)) AS countries,
			count(*) AS rows
		FROM (SELECT id FROM placed OFFSET 0) AS p GROUP BY 1) AS s WHERE rows = 4"),
	'256|1', 'with 256 shards each country has its own');
is(query('the coordinator',
	qq(
		SELECT count(*)
		FROM run_command_on_shards(
			'placed', 'SELECT count(*) || '','' || count(DISTINCT iuid_country(id)) FROM %s', false)
		WHERE result = '4,1')),
	'256', 'and in every one of them lie the rows of one country');
is(query('the coordinator',
	qq(
		SELECT bool_and(
			worker_hash(id)::bit(32)::text = reverse(iuid_country(id)::bit(8)::text)
				|| ('x' || right(id::text, 6))::bit(24)::text)
		FROM (SELECT id FROM placed OFFSET 0) AS p)),
	't', 'the hash is the country with its bits reversed, and 24 bits of the tail');
query('the coordinator', 'DROP TABLE placed');
query('the coordinator',
	"CREATE TABLE odd (id iuid PRIMARY KEY); SELECT create_distributed_table('odd', 'id', shard_count => 48)");
is( query('the coordinator', "SELECT count(DISTINCT first) > 1, bool_or(first <> last), bool_or(first = last) FROM (
		SELECT get_shard_id_for_distribution_column('odd', (left(id, 30) || '000000')::iuid) AS first,
			get_shard_id_for_distribution_column('odd', (left(id, 30) || 'ffffff')::iuid) AS last
		FROM (SELECT gen_iuid(c, 0)::text AS id FROM generate_series(0, 255) AS c OFFSET 0) AS i) AS s"),
	't|t|t', 'with 48 shards some countries lie in two');
query('the coordinator', 'DROP TABLE odd');

# A look-up by id is one task, from everywhere and however it is put.
my $id = '019be047-bd00-804c-8040-000000000000';
play('What runs where');
my $generic = 'SET plan_cache_mode = force_generic_plan; PREPARE q';
foreach my $where (@everywhere)
{
	my %tasks = (
		'a literal' => [ 1, "EXPLAIN (COSTS OFF) SELECT fare FROM rides WHERE id = '$id'" ],
		'a literal of uuid' => [ 1, "EXPLAIN (COSTS OFF) SELECT fare FROM rides WHERE id = uuid '$id'" ],
		'a custom plan' => [ 1, "PREPARE q (uuid) AS SELECT fare FROM rides WHERE id = \$1; EXPLAIN (COSTS OFF) EXECUTE q ('$id')" ],
		'a generic plan' => [ 1, "$generic (uuid) AS SELECT fare FROM rides WHERE id = \$1; EXPLAIN (COSTS OFF) EXECUTE q ('$id')" ],
		'a generic plan with an iuid' => [ 1,
			"$generic (iuid) AS SELECT fare FROM rides WHERE id = \$1; EXPLAIN (COSTS OFF) EXECUTE q ('$id')" ],
		'a list' => [ 2, "EXPLAIN (COSTS OFF) SELECT fare FROM rides WHERE id IN ('$id', '019be047-bd00-8052-8040-000000000000')" ],
		'an UPDATE' => [ 1, "EXPLAIN (COSTS OFF) UPDATE rides SET paid_at = now() WHERE id = '$id'" ],
		'a DELETE' => [ 1, "EXPLAIN (COSTS OFF) DELETE FROM rides WHERE id = '$id'" ],
		'an INSERT' => [ 1, "EXPLAIN (COSTS OFF) INSERT INTO rides (id, fare) VALUES ('$id', 1)" ],
		'a day' => [ 32, qq(
			EXPLAIN (COSTS OFF)
			SELECT count(*)
			FROM rides
			WHERE id >= timestamptz '2026-02-10' AND id < timestamptz '2026-02-11') ]);

	foreach my $what (sort keys %tasks)
	{
		my ($expected, $sql) = @{ $tasks{$what} };
		my ($count) = query($where, $sql) =~ /Task Count: (\d+)/;
		is($count, $expected, "$what on $where: tasks");
	}
}

my $list = "PREPARE q (uuid[]) AS SELECT count(*) FROM rides WHERE id = ANY (\$1); EXECUTE q ('{$id}')";
is(query('worker 1', "SET plan_cache_mode = force_custom_plan; $list"), '0', 'a list in a parameter');
like(failure('worker 1', "SET plan_cache_mode = force_generic_plan; $list"),
	qr/could not create distributed plan/, 'but not of a generic plan');

# Citus makes what it is to hash an iuid first.
my $stranger = '8d6b2b0c-0f24-4b9c-9a53-d4f6c6ee1e4d';
like(failure('worker 1', "SELECT * FROM rides WHERE id = '$stranger'"), qr/UUID \S+ is not an iUID/,
	'a look-up of another id fails');
is(query('worker 1',
	qq(
		PREPARE q (uuid) AS SELECT count(*) FROM rides WHERE id = CASE WHEN iuid_is_valid(\$1) THEN \$1 END;
		EXECUTE q ('$stranger'))), '0',
	'unless it is asked for');
my ($valid) = query('worker 1',
	qq(
		PREPARE q (uuid) AS SELECT fare FROM rides WHERE id = CASE WHEN iuid_is_valid(\$1) THEN \$1 END;
		EXPLAIN (COSTS OFF) EXECUTE q ('$id'))) =~ /Task Count: (\d+)/;
is($valid, '1', 'which leaves one task');

# Ordering by ids beforehand does not keep Citus from hashing them.
is(query('the coordinator',
	qq(
		SELECT DISTINCT id FROM rides WHERE id = '$id';
		SELECT id FROM rides ORDER BY id LIMIT 0;
		SELECT count(*) FROM rides WHERE id = '$id')),
	'0', 'a session that sorts ids first');

# Writing, from every node.
play('Writing');
is(query('worker 2', "UPDATE rides SET paid_at = now() WHERE id = '$id' RETURNING fare"), '10',
	'a row made by the document is updated');
foreach my $where (@everywhere)
{
	my ($new) = query($where, "INSERT INTO rides (id, fare) VALUES (gen_iuid('KZ', 'Ride'), 7) RETURNING id") =~ /^(\S+)$/m;

	is(query($where, "SELECT fare FROM rides WHERE id = '$new'"), '7', "INSERT on $where");
	is(query($where, "UPDATE rides SET paid_at = now(), fare = 8 WHERE id = '$new' RETURNING fare"), '8', 'UPDATE');
	is(query($where, "
			$generic (iuid, numeric) AS UPDATE rides SET fare = \$2 WHERE id = \$1 RETURNING fare;
			EXECUTE q ('$new', 9)"), '9', 'UPDATE with a generic plan');
	is(query($where, qq(
			INSERT INTO rides (id, fare)
			VALUES ('$new', 1)
			ON CONFLICT (id) DO UPDATE SET fare = 10
			RETURNING fare)), '10', 'ON CONFLICT');
	is(query('the coordinator', "SELECT fare FROM rides WHERE id = '$new'"), '10', 'the coordinator sees it');
	is(query($where, "DELETE FROM rides WHERE id = '$new' RETURNING fare"), '10', 'DELETE');
}
my $file = PostgreSQL::Test::Utils::tempdir() . '/rides';
query('the coordinator', qq(
	COPY (SELECT gen_iuid_at('2026-03-01', c, 3), 5 FROM generate_series(0, 255) c) TO '$file';
	COPY rides (id, fare) FROM '$file'));
is(query('worker 1', 'SELECT count(DISTINCT iuid_country(id)) FROM rides WHERE iuid_service_entity(id) = 3'), '256', 'COPY');
is( query('the coordinator', "
	INSERT INTO rides (id, fare)
	SELECT gen_iuid_at('2026-03-02', iuid_country(id), 4), fare
	FROM rides
	WHERE iuid_service_entity(id) = 3;
		SELECT count(DISTINCT iuid_country(id)) FROM rides WHERE iuid_service_entity(id) = 4"),
	'256', 'INSERT ... SELECT with new ids, on the workers');
query('the coordinator', 'DELETE FROM rides WHERE iuid_service_entity(id) IN (3, 4)');

# Citus evaluates parts of expressions by themselves.
foreach my $where (@everywhere)
{
	is(query($where, qq(
		SELECT iuid_country(gen_iuid(82, 4)), gen_uuidv7() > now() - interval '1 hour', id
		FROM rides
		WHERE id = '$id')),
		"82|t|$id", "ids made in a look-up on $where");
	is(query($where, "
		PREPARE q (int) AS WITH new AS (
			INSERT INTO rides (id, fare)
			VALUES (coalesce(NULL, gen_iuid(\$1, 4)), 1), (gen_iuid(76, 4), 2)
			RETURNING id)
		SELECT iuid_country(id) FROM new ORDER BY 1; EXECUTE q (82)"), "76\n82", 'INSERT of two rows, with a parameter');
	is(query($where, '
		WITH new AS (
			INSERT INTO rides (id, fare)
			SELECT gen_iuid(iuid_country(id), 4), fare
			FROM rides
			WHERE iuid_service_entity(id) = 4
			RETURNING id)
		SELECT count(*), count(DISTINCT id) FROM new'), '2|2', 'INSERT ... SELECT with a country of each row');
	query($where, 'DELETE FROM rides WHERE iuid_service_entity(id) = 4');
}
query('the coordinator', qq(
	COPY (SELECT generate_series(-500, -1)) TO '$file'; SET uidext.country = 82; COPY rides (fare) FROM '$file'));
query($_, q(
	SET uidext.country = 82;
	INSERT INTO rides (fare) VALUES (-501), (-502);
	INSERT INTO rides (fare) VALUES (-503)))
	foreach @everywhere;
is(query('the coordinator', 'SELECT iuid_country(id), count(*) FROM rides WHERE fare < 0 GROUP BY 1'), '82|509', 'the default');
query('the coordinator', 'DELETE FROM rides WHERE fare < 0');
query('worker 1', q(
	SET citus.enable_ddl_propagation = off;
	CREATE EXTENSION pg_walinspect;
	CREATE TABLE here (id iuid DEFAULT gen_iuid(76, 1), n int)));
is(inserted($node{'worker 1'}, 'geo', "COPY here (n) FROM '$file'"), 'row by row', 'COPY into a table that is not distributed');
query('worker 1', "COPY (SELECT gen_iuid(76, 1), n FROM generate_series(1, 500) AS n) TO '$file'");
is(inserted($node{'worker 1'}, 'geo', "COPY here (id, n) FROM '$file'"), 'in batches', 'with ids in the file');
is(query('worker 1', 'SELECT count(DISTINCT id) FROM here'), '1000', 'all of them others');

play('Tables beside it');
is(query('worker 1',
		'SELECT count(*), count(DISTINCT iuid_country(ride)) FROM rides JOIN payments ON ride = rides.id'),
	'6002|3', 'a join of all');
like(failure('the coordinator', qq(
	INSERT INTO payments (ride, id, amount)
	VALUES ('019be047-bd00-804c-8040-00000000ffff', gen_iuid('BR', 'Payment'), 1))),
	qr/violates foreign key constraint/, 'a foreign key');

# Months, with the rows and bytes of all nodes.
query('the coordinator', 'ANALYZE rides');
play('Months');
is( query('the coordinator',
	"SELECT sum(rows), sum(rows) FILTER (WHERE from_time = '2026-02-01') FROM uuid_partition_list('rides')"),
	query('the coordinator',
		"SELECT count(*), count(*) FILTER (WHERE id <@ tstzrange('2026-02-01', '2026-03-01')) FROM rides"),
	'rows of all nodes');
is( query('the coordinator', "SELECT sum(bytes) FROM uuid_partition_list('rides')"),
	query('the coordinator',
		"SELECT sum(citus_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'rides'::regclass"),
	'bytes of all nodes');
is(query('the coordinator', "
	SELECT count(*) > 12, count(*) = count(from_id)
	FROM (SELECT (regexp_match(pg_get_expr(relpartbound, c.oid), '''(.*?)'''))[1] AS from_id
		FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = 'rides'::regclass) AS p"),
	't|t', 'months are made by both');
is( query('the coordinator',
	qq(
		BEGIN;
		SELECT count(*) FROM uuid_partition_create('rides', '2040-01-01', '2040-02-01', '1 month');
		SELECT bytes > 0 FROM uidext_internal.partition_sizes('{rides_2026_02}');
		ROLLBACK)),
	"1\nt", 'bytes in a transaction that has made a month');
is( query('the coordinator',
	qq(
		BEGIN;
		ALTER TABLE rides ADD COLUMN tip int;
		SELECT rows IS NULL, bytes IS NULL FROM uidext_internal.partition_sizes('{rides_2026_02}');
		ROLLBACK)),
	't|t', 'nor does one that has locked the shards wait for itself');
like(failure('the coordinator', "SELECT uuid_partition_drop('rides', '2026-02-01')"), qr/still referenced from table "payments/,
	'a month that is referenced is not dropped');
query('the coordinator', "DELETE FROM payments WHERE ride < timestamptz '2026-02-01'; ANALYZE rides");
is( query('the coordinator', "SELECT partition, rows, bytes > 100000 FROM uuid_partition_drop('rides', '2026-02-01')"),
	'public.rides_2026_01|2230|t', 'a month is dropped, and told with the rows of all nodes');
is(query('worker 2', "SELECT count(*) FROM rides WHERE id < timestamptz '2026-02-01'"), '0', 'everywhere');
query('the coordinator', qq(
	SELECT uuid_partition_create('rides', '2026-01-01', '2026-02-01', '1 month');
	INSERT INTO rides (id, fare) VALUES ('$id', 10)));

# A country of its own.
my $before = $shard->(76);
is($home->(76), 'worker 1', 'the document cuts it where it lies');
my $neighbours = query('the coordinator',
	qq(
		SELECT string_agg(c::text, ' ')
		FROM generate_series(0, 255) c
		WHERE c <> 76 AND get_shard_id_for_distribution_column('rides', gen_iuid(c, 0)) = $before));
isnt($neighbours, '', "Brazil shares its shard with $neighbours");
my $rows = "SELECT iuid_country(id), count(*), sum(fare) FROM rides GROUP BY 1 ORDER BY 1";
my $all = query('the coordinator', $rows);
play('A country on a node of its own');
is(query('worker 1', $rows), $all, 'no row is lost');
is($home->(76), 'worker 2', 'Brazil has moved');
foreach my $way ([ 2, 1 ], [ 1, 2 ])
{
	my ($from, $to) = @$way;

	query('the coordinator',
		addressed(qq(
			SELECT citus_move_shard_placement(
				${\$shard->(76)}, 'w$from.example.com', 5432, 'w$to.example.com', 5432, 'block_writes'))));
	is($home->(76), "worker $to", "and moves from $from to $to, as any shard");
}
is(query('the coordinator',
	qq(
		SELECT count(*)
		FROM generate_series(0, 255) c
		WHERE get_shard_id_for_distribution_column('rides', gen_iuid(c, 0)) = ) . $shard->(76)),
	'1', 'and has its shard to itself');
my $payments = q(get_shard_id_for_distribution_column('payments', gen_iuid(76, 0)));
is( query('the coordinator', "
	SELECT $payments <> ${\$shard->(76)} AND nodeport = ${\$node{'worker 2'}->port}
	FROM citus_shards
	WHERE shardid = $payments"),
	't', 'with its payments');
# One over several.
query('the coordinator', addressed(q{
	SELECT first, first + 8388607 AS middle, last FROM country_hashes(84) \gset
	SELECT shardid AS shard,
		nodeid AS here,
		shardminvalue::bigint < :first AS others_before,
		shardmaxvalue::bigint > :last AS others_behind
	FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
	WHERE shardid = get_shard_id_for_distribution_column('rides', gen_iuid(84, 1)) \gset
	SELECT node_of('w1.example.com', 5432) AS w1, node_of('w2.example.com', 5432) AS w2 \gset
	SELECT citus_split_shard_by_split_points(:shard,
		array_remove(ARRAY[CASE WHEN :'others_before' THEN :first - 1 END, :middle,
				CASE WHEN :'others_behind' THEN :last END], NULL)::text[],
		array_remove(ARRAY[CASE WHEN :'others_before' THEN :here END, :w1, :w2, CASE WHEN :'others_behind' THEN :here END], NULL),
		'block_writes');
}));
is(query('worker 1', $rows), $all, 'no row is lost');
my %halves = map { split /\|/ } split /\n/, query('the coordinator',
	"SELECT nodeport, count(*) FROM (SELECT id FROM rides WHERE iuid_country(id) = 84 OFFSET 0) AS b
	JOIN citus_shards s ON s.shardid = get_shard_id_for_distribution_column('rides', id) GROUP BY 1");
is(scalar keys %halves, 2, 'a country lies on two nodes');
my $belize = query('the coordinator', 'SELECT count(*) FROM rides WHERE iuid_country(id) = 84');
cmp_ok(abs($_ - $belize / 2), '<', 6 * sqrt($belize / 4) + 1, "half of its rows, $_ of $belize") foreach values %halves;
foreach my $where (@everywhere)
{
	foreach my $tail ('000000', '7fffff', '800000', 'ffffff')
	{
		my ($count) = query($where,
			qq(
				EXPLAIN (COSTS OFF)
				SELECT fare, amount
				FROM rides
				JOIN payments ON ride = rides.id
				WHERE rides.id = '019be047-bd00-8054-8040-000000$tail')) =~ /Task Count: (\d+)/;
		is($count, '1', "a look-up there, with its payments, ends in $tail: one task on $where");
	}
}
my ($half) = query('the coordinator',
	qq(
		INSERT INTO rides (id, fare)
		SELECT gen_iuid_at('2026-03-03', 84, 9), n
		FROM generate_series(1, 64) AS n
		RETURNING id)) =~ /^(\S+)$/m;
is(query('worker 2', "SELECT count(*) FROM rides WHERE id = '$half'"), '1', 'new rows are found');
query('the coordinator', "DELETE FROM rides WHERE iuid_service_entity(id) = 9");

play('Every country at home');
is(join(' ', map { $home->($_) } 76, 82), 'worker 2 worker 1', 'countries are at home');
is(query('worker 2', $rows), $all, 'no row is lost');

my ($months) = query('worker 2',
	qq(
		SET citus.override_table_visibility = off;
		SELECT count(*) FROM pg_inherits WHERE inhparent = 'rides_${\$shard->(76)}'::regclass)) =~ /(\d+)/;
is($months, query('the coordinator', "SELECT count(*) FROM pg_inherits WHERE inhparent = 'rides'::regclass"),
	'a shard has all months');
{
	my $brazil = $shard->(76);
	local $ENV{PGOPTIONS} = '-c citus.override_table_visibility=off -c citus.enable_manual_changes_to_shards=on';
	my ($dump) = run_command([ 'pg_dump', '-d', $node{'worker 2'}->connstr('geo'), "--table-and-children=rides_$brazil" ]);
	my @dumped = $dump =~ /^([0-9a-f-]{36})\t/mg;
	is(scalar @dumped, query('the coordinator', 'SELECT count(*) FROM rides WHERE iuid_country(id) = 76'), 'a dump of a shard');
	is(scalar(grep { !/^.{16}4c/ } @dumped), 0, 'has rows of the country and of no other');
}

play('Reading in order over the cluster');
is(query('the coordinator',
	qq(
		SELECT count(*), bool_and(success), bool_and(result::uuid > now() - interval '1 hour')
		FROM run_command_on_all_nodes('SELECT uuid_safe_boundary()'))),
	'3|t|t', 'the boundary of every node');

foreach (
	[ q(
			CREATE TABLE deep (id iuid PRIMARY KEY) PARTITION BY RANGE (id);
			CREATE TABLE deeper PARTITION OF deep DEFAULT PARTITION BY RANGE (id)), '' ],
	[ "SELECT create_distributed_table('deep', 'id')", 'distributing multi-level partitioned tables is not supported' ],
	[ "SELECT create_reference_table('iuid.countries')", 'cannot distribute relation "countries" because it has triggers' ],
	[ "UPDATE rides SET id = '019be047-bd00-8052-8040-000000000000' WHERE id = '$id'",
		'modifying the partition value of rows is not allowed' ],
	[ 'ALTER TABLE payments ADD UNIQUE (amount)', 'cannot create constraint on "payments"' ],
	[ "MERGE INTO rides USING (VALUES ('$id'::iuid)) AS v (id) ON rides.id = v.id WHEN MATCHED THEN DELETE",
		'To MERGE into a distributed table, source must be Citus table(s)' ])
{
	my ($sql, $refused) = @$_;

	is((failure('the coordinator', $sql) =~ /ERROR:  (.*)$/m)[0] // '', $refused, $sql);
}
query('the coordinator', "CREATE DOMAIN ride_id AS iuid CHECK (iuid_service_entity(VALUE) = 1);
	CREATE TABLE lost (id ride_id PRIMARY KEY); SELECT create_distributed_table('lost', 'id');
	INSERT INTO lost SELECT gen_iuid(country, 1) FROM generate_series(0, 255) AS country");
like(failure('the coordinator',
	qq(
		CREATE TABLE strangers (ride uuid PRIMARY KEY);
		SELECT create_distributed_table('strangers', 'ride', colocate_with => 'rides'))),
	qr/cannot colocate tables/, 'a uuid beside an iuid');
like(failure('worker 1', "SELECT uuid_partition_create('rides', '2030-01-01', '2030-02-01', '1 month')"),
	qr/operation is not allowed on this node/, 'DDL on a worker');
is(query('the coordinator', 'SELECT count(*) FROM lost'), '256', 'a domain: rows are there');
my $found = 0;
$found += query('the coordinator', "SELECT count(*) FROM lost WHERE id = '$_'") foreach (split /\n/,
	query('the coordinator', 'SELECT id FROM lost'))[ 0 .. 15 ];
cmp_ok($found, '<', 16, "but are not found: $found of 16");

# Settings reach all nodes.
query('the coordinator', 'ALTER DATABASE geo SET uidext.country = 82');
is(query($_, 'SHOW uidext.country'), '82', "ALTER DATABASE on $_") foreach @everywhere;

# Tables that belong together: pairs and their keys are on every node.
like(query('the coordinator', "CREATE TABLE fares (ride iuid NOT NULL, amount numeric NOT NULL) PARTITION BY RANGE (ride);
	SELECT create_distributed_table('fares', 'ride', colocate_with => 'rides');
	SELECT count(*) > 0, count(problem) FROM uuid_partition_follow('fares', 'rides')"), qr/^t\|0$/m,
	'the child gets its partitions');
query('worker 2', 'INSERT INTO fares SELECT id, fare FROM rides');
is(query('worker 1', 'SELECT count(*) FROM fares JOIN rides ON ride = rides.id'),
	query('worker 1', 'SELECT count(*) FROM rides'), 'each with its ride');
like(failure('worker 1', "INSERT INTO fares VALUES ('019be047-bd00-804c-8040-00000000ffff', 1)"),
	qr/violates foreign key constraint "fares_\d+_\d+_ride_fkey/, 'a ride that is not there');

# A worker that is down.
my ($boundary) = slurp_file(dirname(__FILE__) . '/../../../doc/citus.md')
	=~ /^(SELECT CASE WHEN bool_and\(success\).*?) \\gset$/ms;
is(query('the coordinator', "SELECT safe > now() - interval '1 hour' FROM ($boundary) AS b"), 't', 'a boundary of all nodes');
$node{'worker 1'}->stop('immediate');
is(query('the coordinator', "SELECT fare FROM rides WHERE id = '$id'"), '10', 'Brazil while worker 1 is down');
is(query('worker 2', "UPDATE rides SET fare = 11 WHERE id = '$id' RETURNING fare"), '11', 'written from worker 2');
is(query('the coordinator',
		"INSERT INTO rides (id, fare) VALUES (gen_iuid('BR', 'Ride'), 1) RETURNING iuid_country(id)"), '76',
	'and from the coordinator');
my $down = qr/connection to the remote node/;
like(failure('the coordinator', "SELECT fare FROM rides WHERE id = '019be047-bd00-8052-8040-000000000000'"),
	$down, 'Kazakhstan fails');
like(failure('the coordinator', 'SELECT count(*) FROM rides'), $down, 'and what asks all');
is(query('the coordinator', "SELECT DISTINCT rows IS NULL, bytes IS NULL FROM uuid_partition_list('rides')"),
	't|t', 'sizes are not known');
is(query('the coordinator', $boundary), '00000000-0000-0000-0000-000000000000', 'nothing is safe');
$node{'worker 1'}->start;
is(query('the coordinator', "SELECT count(*) FROM rides WHERE id = '019be047-bd00-8052-8040-000000000000'"),
	'0', 'and works again afterwards');

# a refusal would end the call: others may not refer to the rows
query('the coordinator', 'DROP TABLE payments');
is(query('the coordinator',
	qq(
		SELECT string_agg(DISTINCT action, ' ' ORDER BY action), count(problem)
		FROM uuid_partition_maintain(
			'rides', '1 month', ahead => 24, keep => '1 month', followers => '{fares}'))),
	'created dropped|0', 'months come and go in pairs');
my ($rides, $fares) = map { query('worker 2',
	"SELECT count(*) FROM pg_inherits WHERE inhparent = '$_'::regclass") } qw(rides fares);
is($fares, $rides, 'on every node');

done_testing();
